//! Reads numbers in figures: how digits, signs and spaces spell them, and where figures are not a number.

use std::borrow::Cow;

use crate::fact::FactKind;
use crate::text::{Token, TokenKind, WordList, split_after_digits};
use toolgauge_model::last_bytes;

/// The endings of ordinal numbers.
static ORDINAL: WordList = WordList::of("st nd rd th e er re ère ème eme º ª");

/// Names of things that look like a number with a unit.
static NAMES: WordList = WordList::of("2d 3d 4d 2g 3g 4g 5g 4k 8k 2fa");

/// Units, which make a number a fact even after a word of [`LABELS`].
static UNITS: WordList = WordList::of(
    "hour hours minute minutes min mins second seconds sec day days week weeks month months year \
    years night nights kg g mg lb lbs km m cm mm mi mile miles gb mb kb tb l ml kwh °c °f times x",
);

/// Words that number things, as in "Option 2". The number after such a word is part of a name.
static LABELS: WordList = WordList::of(
    "option options flight step passenger card certificate leg segment item choice day part \
    section chapter phase stage gate terminal question answer number no nr table figure fig page \
    version level tier case type class group line row column zone track route stop bag schritt seite \
    teil kapitel punkt nummer étape partie numéro paso opción número parte steg trinn alternativ del",
);

/// Words that are not names even if they have a capital, as at the start of a sentence. A number after such a word is
/// an amount.
static COUNTERS: WordList = WordList::of(
    "only all the these those there is are was were total price cost costs amount amounts quantity qty \
    count sum score rating balance value age size at in on for from to by and or of after before \
    within between about around over under approximately roughly exactly just nearly almost plus \
    minus than another with up your our their its remaining available fee refund both",
);

/// Words that may follow the name of a thing, but do not name what a number counts.
static AFTER_NAME: WordList = WordList::of(
    "is are was were has have had will and or to from with for at on in of by as if but which that \
    departs arrives leaves costs includes would can",
);

/// The maximum number of bytes before a place that are searched for the start of a code span.
const LONGEST_CODE_SPAN: usize = 200;

/// The maximum number of groups of digits in a number.
const MOST_GROUPS: usize = 10;

/// A number in figures.
pub struct Figure<'t> {
    /// The likely reading: digits, with a point before the decimals.
    pub reading: Cow<'t, str>,
    /// Another possible reading.
    pub other: Option<Cow<'t, str>>,
    /// The letters that are glued to the number.
    pub ending: &'t str,
    /// The number of tokens.
    pub length: usize,
    /// Whether spaces separate its digits in a way that could also separate two numbers.
    pub is_spaced: bool,
}

impl Figure<'_> {
    /// Returns the likely readings of a number of this kind: `1,000` is not 1, and `$1,250` is not 1.25.
    pub fn likely_readings(&self, kind: FactKind) -> impl Iterator<Item = &str> {
        let is_unlikely = move |(at, reading): (usize, &str)| {
            let decimals = reading.split_once('.').map(|(_, decimals)| decimals);
            decimals.is_some_and(|decimals| match kind {
                FactKind::Money => decimals.ends_with('0'),
                _ => at > 0 && decimals == "000",
            })
        };
        let readings = [Some(&*self.reading), self.other.as_deref()];
        let is_ambiguous = self.other.is_some();
        readings
            .into_iter()
            .flatten()
            .enumerate()
            .filter(move |reading| !(is_ambiguous && is_unlikely(*reading)))
            .map(|(_, reading)| reading)
    }
}

/// The context of the tokens that are read.
#[derive(Clone, Copy)]
pub struct Context<'a, 't> {
    /// The tokens before them.
    pub before: &'a [Token<'t>],
    /// The whole text.
    pub text: &'t str,
}

impl<'t> Context<'_, 't> {
    /// Reads a number whose groups of three digits are separated by one space: `1 234 567,50`.
    pub fn spaced_figure(&self, tokens: &[Token<'t>]) -> Option<Figure<'t>> {
        let first = tokens[0];
        if first.kind != TokenKind::Digits || first.text.len() > 3 || first.text.starts_with('0') {
            return None;
        }
        let is_part = |group: &Token<'t>| group.kind == TokenKind::Digits && group.text.len() == 3;
        if !tokens.get(1).is_some_and(is_part) {
            return None;
        }
        let mut reading = first.text.to_owned();
        let (mut length, mut has_plain_spaces) = (1, false);
        while let Some(group) = tokens.get(length) {
            let gap = &self.text[tokens[length - 1].end()..group.start];
            if !is_part(group)
                || !matches!(gap, " " | "\u{a0}" | "\u{202f}" | "\u{2009}")
                || length > MOST_GROUPS
            {
                break;
            }
            has_plain_spaces |= gap == " ";
            reading.push_str(group.text);
            length += 1;
        }
        if length == 1 {
            return None;
        }
        let groups = length;
        if let [point, decimals, ..] = &tokens[length..] {
            let is_point = point.glued && (point.is(',') || point.is('.')) && decimals.glued;
            if is_point && decimals.kind == TokenKind::Digits && decimals.text.len() != 3 {
                reading.push('.');
                reading.push_str(decimals.text);
                length += 2;
            }
        }
        Some(Figure {
            reading: Cow::Owned(reading),
            other: None,
            ending: "",
            length,
            is_spaced: has_plain_spaces && groups == 2 && length == groups,
        })
    }

    /// Checks whether a sign before figures is a hyphen or a dash rather than a minus.
    pub fn is_hyphen(&self, sign: &Token<'t>) -> bool {
        let Some(previous) = self.before.last() else {
            return false;
        };
        match previous.kind {
            TokenKind::Sign => sign.glued && !"([{:=,;\"'|*/<>~+".contains(previous.text),
            TokenKind::Letters => sign.glued,
            _ => true,
        }
    }

    /// Checks whether the figures belong to a code, a version or a file name, such as `A-5`, `1.2.3`, `v1.2` and `a_1`,
    /// or to "24/7".
    pub fn is_in_code(&self, tokens: &[Token<'t>]) -> bool {
        let goes_on = match &tokens[1..] {
            [joint, next, ..] if joint.glued && next.glued && next.kind != TokenKind::Sign => {
                let is_lower = next.text.bytes().all(|byte| byte.is_ascii_lowercase());
                joint.is('_')
                    || (joint.is('.') && next.kind == TokenKind::Letters && is_lower)
                    || (joint.is('/') && tokens[0].text == "24" && next.text == "7")
            }
            _ => false,
        };
        let Some(joint) = self.before.last().filter(|_| tokens[0].glued) else {
            return goes_on;
        };
        let word = self.before.iter().rev().nth(1).filter(|_| joint.glued);
        let follows = match joint.sign() {
            Some('.') => word.is_none_or(|word| word.kind != TokenKind::Sign),
            Some('_') => word.is_some_and(|word| word.kind != TokenKind::Sign),
            Some('/') if tokens[0].text == "7" => word.is_some_and(|word| word.text == "24"),
            Some('-') => {
                word.is_some_and(|word| word.kind != TokenKind::Sign && !word.starts_with_digit())
            }
            _ => false,
        };
        goes_on || follows || (joint.is('=') && joint.glued && self.is_in_code_span(joint.start))
    }

    /// Checks whether a place is in a code span, as in `retry(attempts=3)`. It is if the nearest backtick before it on
    /// its line opens a code span.
    fn is_in_code_span(&self, place: usize) -> bool {
        let line = last_bytes(&self.text[..place], LONGEST_CODE_SPAN)
            .rsplit('\n')
            .next()
            .unwrap_or_default();
        line.rsplit_once('`').is_some_and(|(before, _)| {
            let previous = before.chars().next_back();
            previous.is_none_or(|c| !c.is_alphanumeric() && !")]}>".contains(c))
        })
    }

    /// Checks whether commas next to the figures separate numbers, as in `[1,250]`.
    pub fn is_in_list(&self, tokens: &[Token<'t>]) -> bool {
        let Some(joint) = self
            .before
            .last()
            .filter(|joint| joint.end() == tokens[0].start)
        else {
            return false;
        };
        let number = self.before.iter().rev().nth(1);
        let follows_number = number.is_some_and(|number| number.kind == TokenKind::Digits);
        joint.is('[') || (joint.is(',') && joint.glued && follows_number)
    }

    /// Checks whether an integer numbers something: `1.` and `(1)` at the start of a line, `#3`, `Option 2`.
    pub fn is_label(&self, tokens: &[Token<'t>]) -> bool {
        let number = &tokens[0];
        if number.kind != TokenKind::Digits || number.text.len() > 3 {
            return false;
        }
        self.is_list_marker(tokens)
            || self.is_east_asian_ordinal(tokens)
            || (number.number().is_some_and(|number| number <= 20) && self.follows_name(tokens))
    }

    /// Checks whether the number is an ordinal such as the `3` in `第3章`, `3番目` and `3번째`.
    fn is_east_asian_ordinal(&self, tokens: &[Token<'t>]) -> bool {
        let follows = self
            .before
            .last()
            .is_some_and(|sign| tokens[0].glued && sign.says_one_of("第 제"));
        let goes_on = matches!(tokens, [_, first, second, ..]
            if first.glued && matches!((first.text, second.text), ("番" | "つ" | "回", "目") | ("번", "째")));
        follows || goes_on
    }

    fn is_list_marker(&self, tokens: &[Token<'t>]) -> bool {
        let [number, dot, next, ..] = tokens else {
            return false;
        };
        let is_marker = dot.glued && (dot.is('.') || dot.is(')') || dot.is(':'));
        let is_parted = !next.glued || next.is('*') || next.is('_');
        is_marker
            && is_parted
            && !self.text[dot.end()..next.start].contains('\n')
            && self.text[..number.start]
                .bytes()
                .rev()
                .find(|byte| {
                    !matches!(byte, b' ' | b'\t' | b'*' | b'#' | b'>' | b'-' | b'(' | b'_')
                })
                .is_none_or(|byte| byte == b'\n')
    }

    fn follows_name(&self, tokens: &[Token<'t>]) -> bool {
        let number = &tokens[0];
        let next = tokens.get(1).filter(|next| next.kind == TokenKind::Letters);
        let has_unit = || next.is_some_and(|next| next.says_one_of(&UNITS));
        match self.before {
            [.., sign] if sign.is('#') => number.glued,
            [.., word, dot] if dot.is('.') && !number.glued => {
                word.says_one_of("no nr fig") && !has_unit()
            }
            [.., word] if word.kind == TokenKind::Letters && !number.glued => {
                let one_line = !self.text[word.end()..number.start].contains('\n');
                let counts = || {
                    next.is_some_and(|next| is_plain_word(next) && !next.says_one_of(&AFTER_NAME))
                };
                let has_capital = word.text.contains(char::is_uppercase);
                let is_name = || has_capital && !word.says_one_of(&COUNTERS) && !counts();
                one_line && (word.says_one_of(&LABELS) || is_name()) && !has_unit()
            }
            _ => false,
        }
    }
}

/// Checks whether the token is a minus, or a hyphen or dash that may be one.
pub fn is_minus(token: &Token<'_>) -> bool {
    matches!(token.sign(), Some('-' | '−' | '–'))
}

/// Checks whether digits and letters are a name, such as `4K` and the seat `12B`, rather than a number with a unit.
pub fn is_name(word: &Token<'_>) -> bool {
    let (number, ending) = split_after_digits(word.text);
    let is_seat =
        number.len() <= 2 && matches!(ending, "A" | "B" | "C" | "D" | "E" | "F" | "H" | "J");
    is_seat || word.says_one_of(&NAMES)
}

/// Checks whether the token is a word that starts with a lower-case letter and is not glued to the token before it.
pub fn is_plain_word(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Letters
        && !token.glued
        && token.text.chars().next().is_some_and(char::is_lowercase)
}

/// Reads the number at the start of `tokens`, whose digits may be joined by `.`, `,` or apostrophes.
pub fn joined_figure<'t>(tokens: &[Token<'t>], is_in_list: bool) -> Option<Figure<'t>> {
    let (first, mut ending) = split_after_digits(tokens[0].text);
    if !tokens.get(1).is_some_and(|joint| joint.glued) {
        return Some(Figure {
            reading: Cow::Borrowed(first),
            other: None,
            ending,
            length: 1,
            is_spaced: false,
        });
    }
    let (mut groups, mut signs) = ([first; MOST_GROUPS + 1], ['.'; MOST_GROUPS]);
    let mut count = 0;
    while let (true, [joint, group, ..]) = (
        ending.is_empty() && count < MOST_GROUPS,
        &tokens[2 * count + 1..],
    ) {
        let sign = joint
            .sign()
            .filter(|sign| matches!(sign, '.' | ',' | '\'' | '’'));
        let (Some(sign), true) = (
            sign,
            joint.glued && group.glued && group.starts_with_digit(),
        ) else {
            break;
        };
        if sign == ',' && is_in_list {
            break;
        }
        signs[count] = sign;
        count += 1;
        (groups[count], ending) = split_after_digits(group.text);
    }
    let (reading, other, used) = readings(&groups[..=count], &signs[..count])?;
    Some(Figure {
        reading,
        other,
        ending: if used > count { ending } else { "" },
        length: 2 * used - 1,
        is_spaced: false,
    })
}

/// Checks whether the letters glued to a number are a unit rather than a part of a name. Endings of up to `longest`
/// letters need not be known units.
pub fn is_unit_ending(ending: &Token<'_>, longest: usize) -> bool {
    let is_letter = |c: char| c.is_alphabetic() || matches!(c, '²' | '³');
    let is_hexadecimal = ending.text.len() > 1 && ending.text.starts_with(['x', 'X']);
    ending.text.chars().all(is_letter)
        && (ending.text.chars().count() <= longest || ending.says_one_of(&UNITS))
        && !ending.says_one_of(&ORDINAL)
        && !is_hexadecimal
}

/// Returns the number of digits after the decimal sign of a number, given as it is written.
pub fn decimals(written: &str) -> i32 {
    let digits = written.trim_end_matches(|c: char| !c.is_ascii_digit());
    match digits.rfind(['.', ',']) {
        Some(at) if digits.len() - at - 1 <= 2 => (digits.len() - at - 1) as i32,
        _ => 0,
    }
}

/// The one or two readings of a number, and the number of its groups of digits that belong together.
type ReadGroups<'t> = (Cow<'t, str>, Option<Cow<'t, str>>, usize);

/// Returns the readings of groups of digits with `signs` between them.
fn readings<'t>(groups: &[&'t str], signs: &[char]) -> Option<ReadGroups<'t>> {
    let count = groups.len();
    let whole = || Cow::Owned(groups.concat());
    let first = || Some((Cow::Borrowed(groups[0]), None, 1));
    let Some((last, first_signs)) = signs.split_last() else {
        return first();
    };
    let decimal = |count: usize| {
        let whole = groups[..count - 1].concat();
        Cow::Owned(whole + "." + groups[count - 1])
    };
    let are_same = first_signs.windows(2).all(|pair| pair[0] == pair[1]);
    match (signs[0], first_signs.first()) {
        ('\'' | '’', _)
            if are_thousands(groups, '\'') && first_signs.iter().all(|sign| sign == last) =>
        {
            Some((whole(), None, count))
        }
        ('.' | ',', None) if !are_thousands(groups, *last) => Some((decimal(2), None, 2)),
        (',', None) => Some((whole(), Some(decimal(2)), 2)),
        ('.', None) => Some((decimal(2), Some(whole()), 2)),
        (_, Some(first)) if are_same && first == last && are_thousands(groups, *last) => {
            Some((whole(), None, count))
        }
        (_, Some(first))
            if are_same
                && first != last
                && are_thousands(&groups[..count - 1], *first)
                && matches!(last, '.' | ',') =>
        {
            Some((decimal(count), None, count))
        }
        ('.', Some('.')) if signs[1] == '.' => None,
        ('.', _) => Some((decimal(2), None, 2)),
        _ => first(),
    }
}

/// Checks whether the groups are thousands, or lakhs if commas separate them.
fn are_thousands(groups: &[&str], sign: char) -> bool {
    let (Some((first, middle)), Some(last)) = (groups.split_first(), groups.last()) else {
        return false;
    };
    let starts = (1..=3).contains(&first.len()) && !first.starts_with('0');
    let (_, inner) = middle.split_last().unwrap_or((last, &[]));
    let are_three = middle.iter().all(|group| group.len() == 3);
    let are_two = sign == ',' && first.len() <= 2 && inner.iter().all(|group| group.len() == 2);
    starts && !middle.is_empty() && last.len() == 3 && (are_three || are_two)
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use crate::testing::{check, check_none};

    #[test]
    fn spellings_of_figures() {
        check(
            read,
            &[
                ("1,234", &["number 1234 or 1.234 in 1,234"]),
                ("1.234", &["number 1.234 or 1234 in 1.234"]),
                ("1,000", &["number 1000 in 1,000"]),
                (
                    "0.125 0,125",
                    &["number 0.125 in 0.125", "number 0.125 in 0,125"],
                ),
                ("1,234,567.8", &["number 1234567.8 in 1,234,567.8"]),
                ("1.234.567", &["number 1234567 in 1.234.567"]),
                (
                    "1,00,000 1,23,456.7",
                    &["number 100000 in 1,00,000", "number 123456.7 in 1,23,456.7"],
                ),
                ("1'234.50", &["number 1234.5 in 1'234.50"]),
                ("1 234,50", &["number 1234.5 in 1 234,50"]),
                (
                    "1\u{a0}234 1\u{202f}234\u{202f}567",
                    &[
                        "number 1234 in 1\u{a0}234",
                        "number 1234567 in 1\u{202f}234\u{202f}567",
                    ],
                ),
                ("1 234 habitants", &["number 1234 in 1 234"]),
                ("Room 5 300", &["number 300 in 300"]),
                (
                    "[10,250,300]",
                    &["number 10 in 10", "number 250 in 250", "number 300 in 300"],
                ),
                (
                    "40.71,-74.00",
                    &["number 40.71 in 40.71", "number -74 in -74.00"],
                ),
                (
                    "1,2,3",
                    &["number 1 in 1", "number 2 in 2", "number 3 in 3"],
                ),
                (
                    "x:-5, −5 (-5) 3-4 8 -2",
                    &[
                        "number -5 in -5",
                        "number -5 in −5",
                        "number -5 in -5",
                        "number 3 in 3",
                        "number 4 in 4",
                        "number 8 in 8",
                        "number 2 in 2",
                    ],
                ),
                (
                    "3 million 2k 5M",
                    &[
                        "number 3000000 in 3 million",
                        "number 2000 in 2k",
                        "number 5000000 or 5 in 5M",
                    ],
                ),
                (
                    "10kg 24h 2.5GB 24-hour",
                    &[
                        "number 10 in 10kg",
                        "number 24 in 24h",
                        "number 2.5 in 2.5GB",
                        "number 24 in 24",
                    ],
                ),
                ("There are 5.", &["number 5 in 5"]),
                ("`f(x)` gives y=7; `8`", &["number 7 in 7", "number 8 in 8"]),
                (
                    "Found 3 flights, only 2 left. 5 seats",
                    &["number 3 in 3", "number 2 in 2", "number 5 in 5"],
                ),
                ("card ending in 7447", &["number 7447 in 7447"]),
                (
                    "3日 25:70",
                    &["number 3 in 3", "number 25 in 25", "number 70 in 70"],
                ),
                ("Day 2: 3.\nTotal 5.", &["number 3 in 3", "number 5 in 5"]),
            ],
        );
    }

    #[test]
    fn names_and_phrases_are_not_amounts() {
        check_none(
            read,
            &[
                "1st 2nd 24th 1er 2e 3D 4K",
                "1. An option\n2) Another\n(3) more\n  **4.** x\n- 5. x",
                "#3, Option 2, Flight 1 departs, Step 3: go, Gift Card 1: yes, No. 5",
                "- `@retry(max_attempts=3, delay=1)`, `cache(ttl=300)`",
                "version 1.2.3, v1.2, 10.0.0.1, A-5, GPT-4, a_1, 5_x, 1.txt, 24/7",
                "$0xff, one of, one uses, one exactly, this one, no one, one-way, one-stop, One moment, one more, which one is",
                "a second, ein Koffer, une valise, uno de, en dag, et hus",
                "two-factor, two thirds, Five Guys, DOS attack, dos and don'ts",
                "hundreds, a hundred, to fire ni ti, an elf-like, Sept",
                "第3章 3番目 3번째 cent pour cent, hundert Prozent, Jahrhundert, einzig",
                "1e5 0x1F 10x10 59XX6W 1½ seat 12B, iPhone 15 Pro",
            ],
        );
    }
}
