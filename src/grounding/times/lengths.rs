//! Lengths of time in texts: `25 min 45 s`, `4 h 15 min`, `1 h 58`, `1:07:42`, `nine hours`, `2小时45分钟`.

use super::units::Unit;
use crate::literal::pieces::{Joint, Piece, pieces};
use toolgauge_facts::{Fact, FactKind, FactValue, Token, WordList};
use toolgauge_model::last_bytes;

/// How many lengths of one text are read.
const MOST: usize = 400;

/// The most figures in one length: days, hours, minutes, seconds.
const MOST_FIGURES: usize = 4;

/// Larger numbers are not lengths of time that a reply derives.
const LARGEST: f64 = 1e7;

/// A length in weeks matches if it is off by less than one day, in seconds.
const WEEK_OFF: f64 = 86_400.0;

/// How many bytes before a length are searched for words that say how exact it is.
const BEFORE: usize = 24;

/// What may be between the figures of one length.
const JOINTS: [&str; 9] = [
    "", " ", ", ", " and ", ", and ", " und ", " et ", " y ", " og ",
];

/// Words that mark a length as approximate.
static ABOUT: WordList = WordList::of(
    "about around roughly approximately approx nearly almost just under over little circa ca etwa rund ungefähr knapp \
     gut environ près presque plus unos unas casi aproximadamente alrededor omtrent rundt nesten",
);

/// A length of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Length {
    pub start: usize,
    pub end: usize,
    pub seconds: f64,
    /// The other reading of two figures joined by a colon: hours and minutes, if `seconds` reads them as minutes and
    /// seconds.
    pub also: Option<f64>,
    /// The size of one unit of the last written digit, in seconds.
    pub step: f64,
    /// The unit of the last figure.
    pub unit: Unit,
    /// How many figures it has.
    pub figures: usize,
    pub is_rounded: bool,
    /// Whether colons join its figures.
    pub is_clock: bool,
}

impl Length {
    /// Returns `true` if this length may be `seconds` long, given how exactly it is written.
    pub fn is(&self, seconds: f64) -> bool {
        let is = |said: f64, step: f64| {
            let off = seconds - said;
            match self.is_rounded {
                true => off.abs() < step.max(0.02 * said),
                false if self.unit == Unit::Weeks => off.abs() < WEEK_OFF,
                // Figures may be rounded or cut off.
                false => (-step / 2.0..step).contains(&(off + 1e-6)),
            }
        };
        is(self.seconds, self.step) || self.also.is_some_and(|also| is(also, 60.0))
    }

    /// Returns `true` if the length contains the whole range. A time of day with minutes, as in Korean, is not
    /// contained in the length that its minutes seem to form.
    pub fn holds(&self, start: usize, end: usize) -> bool {
        self.start <= start && end <= self.end
    }

    /// Returns `true` if the length and the range overlap.
    pub fn meets(&self, start: usize, end: usize) -> bool {
        self.start < end && start < self.end
    }
}

/// A number in a text.
struct Figure {
    start: usize,
    end: usize,
    value: f64,
    step: f64,
    /// The reading of numbers joined by colons: seconds, the other reading, the step, and how many numbers there are.
    clock: Option<(f64, Option<f64>, f64, usize)>,
    /// Whether it directly follows letters: the `45` in `2h45m`.
    is_glued: bool,
}

/// Returns the lengths in a text. `facts` are the facts of the text.
pub fn lengths(text: &str, facts: &[Fact<'_>]) -> Vec<Length> {
    let figures = figures(text, facts);
    let mut found = Vec::new();
    let mut at = 0;
    while at < figures.len() && found.len() < MOST {
        let read = length_at(text, &figures[at..]);
        at += read.as_ref().map_or(1, |(_, taken)| *taken);
        found.extend(read.map(|(length, _)| length));
    }
    found
}

/// Returns the length at the first of `figures`, and how many of them it takes.
fn length_at(text: &str, figures: &[Figure]) -> Option<(Length, usize)> {
    let first = figures.first().filter(|first| !first.is_glued)?;
    let is_rounded = is_rounded(&text[..first.start]);
    if let Some((seconds, also, step, count)) = first.clock {
        let length = Length {
            start: first.start,
            end: first.end,
            seconds,
            also,
            step,
            unit: Unit::Seconds,
            figures: count,
            is_rounded,
            is_clock: true,
        };
        return Some((length, 1));
    }
    let (unit, end) = unit_after(text, first.end)?;
    let factor = unit.seconds()?;
    let mut length = Length {
        start: first.start,
        end,
        seconds: first.value * factor,
        also: None,
        step: factor * first.step,
        unit,
        figures: 1,
        is_rounded,
        is_clock: false,
    };
    for next in figures.iter().skip(1).take(MOST_FIGURES - 1) {
        let joint = text.get(length.end..next.start);
        if next.clock.is_some() || !joint.is_some_and(|joint| JOINTS.contains(&joint)) {
            break;
        }
        let written = unit_after(text, next.end);
        // `2h45m`
        let (unit, end) = match written {
            Some((unit, end)) => (unit, end),
            None if length.unit == Unit::Hours && text[next.end..].starts_with('m') => {
                (Unit::Minutes, next.end + 1)
            }
            // `1 h 58`
            None if length.unit == Unit::Hours && next.end - next.start == 2 => {
                (Unit::Minutes, next.end)
            }
            None => break,
        };
        let whole = length.unit.seconds().unwrap_or(f64::INFINITY);
        let fits = |seconds: &f64| unit < length.unit && next.value * seconds < whole;
        let Some(factor) = unit.seconds().filter(fits) else {
            break;
        };
        length.seconds += next.value * factor;
        length.step = factor * next.step;
        (length.unit, length.end) = (unit, end);
        length.figures += 1;
    }
    let taken = length.figures;
    Some((length, taken))
}

/// Returns the unit after a number, and the byte offset of its end.
fn unit_after(text: &str, end: usize) -> Option<(Unit, usize)> {
    let after = &text[end..];
    let unit =
        after.trim_start_matches([' ', '-', '+', '\u{a0}', '\u{202f}', '\u{2011}', '*', '_']);
    let gap = after.len() - unit.len();
    let (found, length) = Unit::at(unit).filter(|_| gap <= 4)?;
    Some((found, end + gap + length))
}

/// Returns `true` if the words before a length mark it as approximate.
fn is_rounded(before: &str) -> bool {
    let near = last_bytes(before, BEFORE)
        .rsplit(['\n', '.', ',', ';'])
        .next()
        .unwrap_or_default();
    near.ends_with(['~', '≈', '约', '約', '약'])
        || near.trim_end().ends_with(['~', '≈'])
        || near
            .rsplit(|c: char| !c.is_alphabetic())
            .filter(|word| !word.is_empty())
            .take(2)
            .any(|word| Token::of_word(word).says_one_of(&ABOUT))
}

/// Returns the numbers in a text, in figures and in words.
fn figures(text: &str, facts: &[Fact<'_>]) -> Vec<Figure> {
    let pieces = pieces(text);
    let mut found: Vec<Figure> = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        if !pieces[at].is_digits {
            at += 1;
            continue;
        }
        let (figure, taken) = figure(&pieces[at..]);
        found.extend(figure);
        at += taken;
    }
    let words = facts
        .iter()
        .filter(|fact| fact.kind == FactKind::Number && fact.text.starts_with(char::is_alphabetic));
    found.extend(words.filter_map(|fact| match &fact.value {
        FactValue::Number(values) => Some(Figure {
            start: fact.start,
            end: fact.end(),
            value: *values.first()?,
            step: 1.0,
            clock: None,
            is_glued: false,
        }),
        FactValue::Date(_) | FactValue::Time(_) | FactValue::Text(_) => None,
    }));
    found.sort_by_key(|figure| figure.start);
    found.retain(|figure| figure.value <= LARGEST);
    found
}

/// Returns the number at the first of `pieces`, and how many pieces it takes.
fn figure(pieces: &[Piece<'_>]) -> (Option<Figure>, usize) {
    let first = &pieces[0];
    let goes_on = |at: usize, signs: &[char]| {
        let next = pieces.get(at).filter(|piece| piece.is_digits)?;
        matches!(next.joint, Joint::Sign(sign) if signs.contains(&sign)).then_some(next)
    };
    let mut parts = vec![first];
    while let Some(next) = goes_on(parts.len(), &[':']) {
        parts.push(next);
    }
    let mut taken = parts.len();
    let mut end = pieces[taken - 1].end();
    let number = |piece: &Piece<'_>| piece.text.parse::<f64>().unwrap_or(f64::INFINITY);
    let mut value = number(first);
    let (mut fraction, mut step) = (0.0, 1.0);
    if let Some(next) = goes_on(taken, &['.', ',']) {
        let is_thousands =
            matches!(next.joint, Joint::Sign(',')) && next.text.len() == 3 && parts.len() == 1;
        if is_thousands {
            value = value * 1_000.0 + number(next);
        } else {
            step = 0.1_f64.powi(next.text.len().min(9) as i32);
            fraction = number(next) * step;
        }
        taken += 1;
        end = next.end();
    }
    let are_two_digits = parts[1..].iter().all(|part| part.text.len() == 2);
    let is_word = first.joint == Joint::Sign(':');
    let clock = match parts.as_slice() {
        [_] => None,
        [minutes, seconds] => {
            let also = (fraction == 0.0).then(|| 60.0 * (60.0 * number(minutes) + number(seconds)));
            let all = 60.0 * number(minutes) + number(seconds) + fraction;
            Some((all, also, step, 2))
        }
        [hours, minutes, seconds] => {
            let minutes = 60.0 * number(hours) + number(minutes);
            Some((60.0 * minutes + number(seconds) + fraction, None, step, 3))
        }
        _ => return (None, taken),
    };
    if (clock.is_some() && !are_two_digits) || is_word {
        return (None, taken);
    }
    let figure = Figure {
        start: first.start,
        end,
        value: value + fraction,
        step,
        clock,
        is_glued: first.joint == Joint::Glued,
    };
    (Some(figure), taken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolgauge_facts::facts;

    fn seconds(text: &str) -> Vec<f64> {
        let found = lengths(text, &facts(text));
        found.iter().map(|length| length.seconds).collect()
    }

    #[test]
    fn lengths_of_several_figures_are_one() {
        for (text, expected) in [
            ("It took 25 min 45 s.", 1545.0),
            ("It took 4 h 15 min.", 15_300.0),
            ("1 h 58 de trajet", 7_080.0),
            ("2 hours and 30 minutes in all", 9_000.0),
            ("2小时45分钟", 9_900.0),
            ("2시간 37분입니다", 9_420.0),
            ("1 day 5 hours", 104_400.0),
            ("in 1:07:42", 4_062.0),
            ("in 4:01.32", 241.32),
            ("nine hours", 32_400.0),
            ("2h45m", 9_900.0),
            ("0.021 seconds", 0.021),
        ] {
            let found = seconds(text);
            assert!(
                found.len() == 1 && (found[0] - expected).abs() < 1e-6,
                "{text}: {found:?}"
            );
        }
        assert_eq!(seconds("It took 25 min, 45 shots."), [1_500.0]);
        assert_eq!(seconds("At 12 bags and v3:5."), [0.0; 0]);
    }

    #[test]
    fn words_say_how_exact_a_length_is() {
        let is = |text: &str, seconds| lengths(text, &facts(text))[0].is(seconds);
        assert!(is("just under 26 minutes", 1_545.0));
        assert!(!is("26 minutes and 0 seconds", 1_545.0));
        assert!(is("a little over 5 minutes", 312.0));
        assert!(!is("a little over 7 minutes", 312.0));
        assert!(is("5 minutes", 312.0));
        assert!(!is("6 minutes", 312.0));
        assert!(is("1:32", 92.0) && is("1:32", 5_520.0) && !is("1:32", 93.0));
    }
}
