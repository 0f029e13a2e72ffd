//! Numbers that the raw evidence contains in another notation, or as a part of something known.

use super::groups::follows_ending;
use super::index::{Index, Match};
use super::pieces::{Joint, Piece, pieces};
use super::{Stated, range_of};
use toolgauge_facts::{Fact, FactValue, Token, WordList};
use toolgauge_model::last_bytes;

/// Numbers with fewer digits occur too often by chance, so the word beside them must match, too.
const FEWEST_DIGITS: usize = 3;

/// The most decimals to which numbers are rounded.
const MOST_DECIMALS: usize = 15;

/// Words that may be beside any number.
static COMMON: WordList = WordList::of(
    "the and for with are was were has have had you your from that this its per not but all can will about over \
    than there here been only just now our their his her any more most les des und der die das los las con por para",
);

/// Returns `true` if the evidence contains the number at index `at` of a reply.
pub fn shows(at: usize, reply: &Stated<'_, '_>, index: &Index) -> bool {
    let fact = &reply.facts[at];
    let FactValue::Number(values) = &fact.value else {
        return false;
    };
    let holds =
        |number: &f64| holds_rounded(*number, fact.text, reply) || index.holds_scientific(*number);
    is_year(fact, reply)
        || stands(fact, reply, index)
        || is_scientific(fact, reply, index)
        || values.iter().any(holds)
        || is_measured_by_key(fact, reply, index)
}

/// Returns the numbers of at most two digits in a text, including those in a compound: `12-item`.
pub fn said(text: &str) -> Vec<u8> {
    let pieces = pieces(text);
    let goes_on = |joint| matches!(joint, Joint::Glued | Joint::Sign('.' | ':' | '/' | ','));
    let is_apart = |at: usize| {
        let (piece, next) = (&pieces[at], pieces.get(at + 1));
        let follows = goes_on(piece.joint) || matches!(piece.joint, Joint::Sign('-' | '_'));
        let is_followed = next.is_some_and(|next| {
            goes_on(next.joint) || (next.is_digits && matches!(next.joint, Joint::Sign(_)))
        });
        piece.is_digits && !follows && !is_followed
    };
    (0..pieces.len())
        .filter(|at| is_apart(*at) && pieces[*at].text.len() < FEWEST_DIGITS)
        .filter_map(|at| pieces[at].text.parse().ok())
        .collect()
}

/// Returns `true` if a number is the year of a known day.
fn is_year(fact: &Fact<'_>, reply: &Stated<'_, '_>) -> bool {
    let is_four = fact.text.len() == 4 && fact.text.bytes().all(|byte| byte.is_ascii_digit());
    let year = fact.text.parse().ok().filter(|_| is_four);
    year.is_some_and(|year| reply.evidence.knows_year(year)) || is_decade(fact, reply)
}

/// Returns `true` if a number is the decade or the century of a known year: `1880s`.
fn is_decade(fact: &Fact<'_>, reply: &Stated<'_, '_>) -> bool {
    let text = fact
        .text
        .trim_end_matches('s')
        .trim_end_matches(['\'', '’']);
    let is_plural = text.len() == 4 && fact.text.len() > 4 && text.ends_with('0');
    let Some(first) = text.parse::<u16>().ok().filter(|_| is_plural) else {
        return false;
    };
    let last = first + if text.ends_with("00") { 99 } else { 9 };
    reply.evidence.holds_between(first.into(), last.into())
        || (first..=last).any(|year| reply.evidence.knows_year(year))
}

/// Returns `true` if the digits of a number occur in the evidence. A small number must be beside the same word.
fn stands(fact: &Fact<'_>, reply: &Stated<'_, '_>, index: &Index) -> bool {
    let all = reply.pieces();
    let range = range_of(fact, all);
    let figures: Vec<_> = figures(&all[range.clone()]);
    let digits: usize = figures.iter().map(|piece| piece.text.len()).sum();
    let Some(first) = range.clone().find(|at| all[*at].is_digits) else {
        return false;
    };
    let before = &all[..first];
    if follows_ending(before, reply.content, fact.start) && index.holds_tail(fact.text) {
        return true;
    }
    if figures.len() == 1
        && digits >= FEWEST_DIGITS
        && follows_ending(before, reply.content, all[first].start)
        && index.holds_tail(figures[0].text)
    {
        return true;
    }
    if figures.len() == 1 && is_end_of_range(first, all, index) {
        return true;
    }
    // `0.5` and `0.50`, or `1234` and `1,234`, are the same value: the values of the evidence already cover these.
    if digits >= FEWEST_DIGITS || figures.len() > 1 {
        return index
            .places(&figures, Match::Same)
            .any(|place| place.is_number() || (figures.len() > 1 && place.is_version()));
    }
    let after = all.get(first + figures.len());
    let word = |piece: Option<&Piece<'_>>| {
        piece
            .filter(|piece| is_telling(piece))
            .map(|piece| piece.text.to_owned())
    };
    let before = word(before.last().filter(|_| all[first].joint != Joint::Apart));
    let after = word(after.filter(|piece| piece.joint != Joint::Apart));
    index.places(&figures, Match::Same).any(|place| {
        let is_meant = place.is_cell()
            || place.follows_range()
            || place.has_beside(before.as_deref(), after.as_deref());
        place.is_number() && is_meant
    })
}

/// Returns `true` if the digits at index `at` are an end of a range that the evidence contains: `44–47`.
fn is_end_of_range(at: usize, all: &[Piece<'_>], index: &Index) -> bool {
    let is_range = |first: usize| {
        let Some([low, high]) = all.get(first..first + 2) else {
            return false;
        };
        let joint = Joint::Sign('-');
        let joins = matches!(high.joint, Joint::Sign('-' | '–'));
        let sought = [*low, Piece { joint, ..*high }];
        let are_digits = low.is_digits && high.is_digits;
        joins && are_digits && index.places(&sought, Match::Same).next().is_some()
    };
    is_range(at) || at.checked_sub(1).is_some_and(is_range)
}

/// Returns the digits of a number and what joins them, without a unit.
fn figures<'t>(pieces: &[Piece<'t>]) -> Vec<Piece<'t>> {
    let digits = pieces.iter().skip_while(|piece| !piece.is_digits);
    digits
        .take_while(|piece| piece.is_digits)
        .copied()
        .collect()
}

/// Returns `true` if a word is specific enough to identify the number beside it.
fn is_telling(piece: &Piece<'_>) -> bool {
    let is_long = piece.text.chars().count() >= FEWEST_DIGITS || !piece.text.is_ascii();
    let is_name = piece.text.bytes().all(|byte| byte.is_ascii_uppercase());
    !piece.is_digits && (is_long || is_name) && !Token::of_word(piece.text).says_one_of(&COMMON)
}

/// Returns `true` if a number is a known one, rounded as it is written: to three or more decimals, or in millions.
fn holds_rounded(number: f64, written: &str, reply: &Stated<'_, '_>) -> bool {
    let figures: String = written
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
        .collect();
    let figures = figures.trim_end_matches(['.', ',']);
    let decimals = match figures.rsplit_once(['.', ',']) {
        Some((_, decimals)) => decimals.len(),
        None => 0,
    };
    let Ok(mantissa) = figures.replace(',', ".").parse::<f64>() else {
        return false;
    };
    let scale = (number / mantissa).abs();
    let is_scaled = scale > 999.0;
    let is_fine = decimals > 2 && decimals <= MOST_DECIMALS && (scale - 1.0).abs() < 1e-9;
    if !(is_fine || (is_scaled && decimals > 0)) {
        return false;
    }
    let half = scale * 10f64.powi(-(decimals as i32)) / 2.0;
    let (low, high) = (number.abs() - half, number.abs() + half);
    reply.evidence.holds_between(low, high)
}

/// Returns `true` if a number is part of a known number in scientific notation: `6.674e-05`, `6.674 × 10^-5`.
fn is_scientific(fact: &Fact<'_>, reply: &Stated<'_, '_>, index: &Index) -> bool {
    /// How far before a fact its notation may start, in bytes.
    const REACH: usize = 40;
    let content = reply.content;
    let end = fact.end();
    let from = fact.start - last_bytes(&content[..fact.start], REACH).len();
    let near = &content[from..];
    let starts = near.char_indices().filter(|(at, c)| {
        let follows = near[..*at].chars().next_back();
        c.is_ascii_digit() && !follows.is_some_and(|c| c.is_ascii_digit() || c == '.')
    });
    starts
        .map(|(at, _)| at)
        .take_while(|at| from + at <= fact.start)
        .filter_map(|at| scientific(&near[at..]).map(|(value, length)| (value, from + at + length)))
        .any(|(value, until)| {
            let close = value.abs() * 1e-6;
            until >= end
                && (index.holds_scientific(value)
                    || reply
                        .evidence
                        .holds_between(value.abs() - close, value.abs() + close))
        })
}

/// Adds the numbers of a text that are in scientific notation.
pub fn add_scientific(text: &str, pieces: &[Piece<'_>], index: &mut Index) {
    for (at, piece) in pieces.iter().enumerate() {
        let is_part = |joint| matches!(joint, Joint::Sign('.'));
        let is_start = piece.is_digits && !is_part(piece.joint);
        let next = pieces[at + 1..]
            .iter()
            .find(|next| !(next.is_digits && is_part(next.joint)));
        let may_go_on =
            next.is_some_and(|next| next.text.eq_ignore_ascii_case("e") || next.text == "10");
        if is_start
            && may_go_on
            && let Some((number, _)) = scientific(&text[piece.start..])
        {
            index.add_scientific(number);
        }
    }
}

/// Returns the number in scientific notation at the start of `text`, and its length in bytes.
fn scientific(text: &str) -> Option<(f64, usize)> {
    let is_figure = |c: &char| c.is_ascii_digit() || *c == '.';
    let mantissa: String = text.chars().take_while(is_figure).collect();
    let rest = &text[mantissa.len()..];
    let exponent_at = match rest.strip_prefix(['e', 'E']) {
        Some(rest) => rest,
        None => {
            let rest = rest
                .trim_start()
                .strip_prefix(['×', '·', '*', 'x'])?
                .trim_start();
            let rest = rest.strip_prefix("10")?;
            rest.strip_prefix("**")
                .or_else(|| rest.strip_prefix('^'))
                .unwrap_or(rest)
        }
    };
    let exponent_at = exponent_at.trim_start_matches(['{', '(']);
    let mut exponent = String::new();
    let mut length = 0;
    for c in exponent_at.chars() {
        let plain = match c {
            '0'..='9' => c,
            '-' | '−' | '⁻' if exponent.is_empty() => '-',
            '+' if exponent.is_empty() => '+',
            _ => match "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|digit| digit == c) {
                Some(digit) => char::from(b'0' + digit as u8),
                None => break,
            },
        };
        exponent.push(plain);
        length += c.len_utf8();
    }
    let value: f64 = format!("{mantissa}e{exponent}").parse().ok()?;
    let until = text.len() - exponent_at.len() + length;
    value.is_finite().then_some((value, until))
}

/// Returns `true` if the evidence contains the digits of a number and, elsewhere, its unit or power of ten, for example
/// in the key of its value: `13.99万` from `价格(万元): 13.99`.
fn is_measured_by_key(fact: &Fact<'_>, reply: &Stated<'_, '_>, index: &Index) -> bool {
    let own = reply.pieces_of(fact);
    let figures = figures(own);
    let Some(unit) = own.iter().find(|piece| !piece.is_digits) else {
        return false;
    };
    let digits: usize = figures.iter().map(|piece| piece.text.len()).sum();
    digits >= FEWEST_DIGITS
        && index.holds_piece(unit.text)
        && index
            .places(&figures, Match::Same)
            .any(|place| place.is_number())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_power_of_ten() {
        assert_eq!(scientific("6.5e-05 m"), Some((6.5e-5, 7)));
        assert_eq!(scientific("6.5 × 10^-5"), Some((6.5e-5, 12)));
        assert_eq!(scientific("6.5·10⁻⁵."), Some((6.5e-5, 13)));
        for text in ["6.5", "6.5 m", "6.5e", "6.5 x 12", "6.5e999", "1.2.3e4"] {
            assert_eq!(scientific(text), None, "{text}");
        }
    }

    #[test]
    fn people_say_small_numbers_apart_from_others() {
        assert_eq!(said("a 12-item list, 3 of them"), [12, 3]);
        assert_eq!(said("at 12:30, 1.5, 300, A4, 2031-05-27"), [0; 0]);
    }
}
