//! A number of the reply that may be derived, and how unlikely it is to hit it by chance.

use std::ops::Range;

use super::super::measures::{says_round, step};
use super::cues::{Cues, Operation, cues_around, cues_in};
use super::headings::headings;
use super::rows::number;
use toolgauge_facts::{Fact, FactKind, FactValue};

/// How many lines above a number are searched for the first line of its table.
const MOST_ROWS: usize = 60;

/// The largest ratio between a number and one that it is derived from, in either direction.
const FARTHEST: f64 = 5000.0;

/// A number of the reply that no evidence contains.
pub struct Claim {
    /// The values that it may have, without signs. The likeliest comes first.
    pub readings: Vec<f64>,
    /// For each reading, half the value of one unit in its last digit.
    halves: Vec<f64>,
    /// Half the value of one unit in the last digit of the first reading.
    pub half: f64,
    /// The kind of the number.
    pub kind: FactKind,
    /// How much information its digits carry, in bits.
    pub bits: f64,
    /// Whether it has a group or decimal separator. Amounts mostly do, codes do not.
    pub is_grouped: bool,
    /// The operations that the words next to it name.
    pub cues: Cues,
    /// The operations that any word of its sentence or of the headings above it names.
    pub said: Cues,
}

impl Claim {
    /// Returns the claim for the fact at `at`, or `None` if that fact is not a number.
    pub fn of(
        content: &str,
        stated: &[Fact<'_>],
        at: usize,
        sentence: &Range<usize>,
    ) -> Option<Self> {
        let fact = &stated[at];
        let FactValue::Number(readings) = &fact.value else {
            return None;
        };
        let first = number(fact)?.abs();
        let step = step(first, fact.text)?.max(rounding(content, fact, first));
        let columns = cues_in(column_heading(content, fact.start));
        Some(Self {
            readings: readings.iter().map(|reading| reading.abs()).collect(),
            halves: readings
                .iter()
                .map(|reading| match reading.abs() == first {
                    true => 0.5 * step,
                    false => half(reading.abs(), fact.text, step),
                })
                .collect(),
            half: 0.5 * step,
            kind: fact.kind,
            bits: bits(first, step),
            is_grouped: fact.text.contains([',', '.', '\'', '\u{a0}', '\u{202f}']),
            cues: cues_around(content, stated, at)
                .and(columns)
                .and(cues_of_sign(fact)),
            said: cues_in(&content[sentence.clone()])
                .and(cues_of_headings(content, sentence.start)),
        })
    }

    /// Checks whether `result` equals one of the readings, within the precision that the claim is written with.
    pub fn is(&self, result: f64) -> bool {
        let result = result.abs();
        let mut readings = self.readings.iter().zip(&self.halves);
        readings.any(|(reading, half)| {
            let off = half * (1.0 + 1e-6) + result * 1e-12;
            (result - reading).abs() <= off
        })
    }

    /// Checks whether the claim may be derived from `value`. If they differ by a factor of more than `FARTHEST`, it may
    /// not, unless the claim is a percentage.
    pub fn may_be_of(&self, value: f64) -> bool {
        let mut shares = self.readings.iter().map(|reading| value.abs() / reading);
        self.kind == FactKind::Percent
            || shares.any(|share| (1.0 / FARTHEST..FARTHEST).contains(&share))
    }

    /// Checks whether `result` is within a factor of ten of the claim: then it could be stated in its place by mistake.
    pub fn is_like(&self, result: f64) -> bool {
        let mut shares = self.readings.iter().map(|reading| result.abs() / reading);
        shares.any(|share| (0.1..10.0).contains(&share))
    }
}

/// Returns the operations that the sign of a number names: a percentage with a sign is a change.
fn cues_of_sign(fact: &Fact<'_>) -> Cues {
    let is_change = fact.kind == FactKind::Percent && fact.text.starts_with(['+', '-', '−', '–']);
    if is_change {
        Cues::of(Operation::Change)
    } else {
        Cues::default()
    }
}

/// Returns the operations that the headings above `place` name.
fn cues_of_headings(content: &str, place: usize) -> Cues {
    let headings = headings(content, place).into_iter();
    headings.fold(Cues::default(), |cues, heading| {
        cues.and(cues_in(&content[heading]))
    })
}

/// Returns the text at the head of the table column that contains `place`, or an empty string outside of tables.
fn column_heading(content: &str, place: usize) -> &str {
    let line_start = content[..place].rfind('\n').map_or(0, |at| at + 1);
    let line = &content[line_start..place];
    if !line.trim_start().starts_with('|') {
        return "";
    }
    let column = line.matches('|').count();
    let before = content[..line_start].lines().rev().take(MOST_ROWS);
    let head = before
        .take_while(|line| line.trim_start().starts_with('|'))
        .last();
    head.and_then(|head| head.split('|').nth(column))
        .unwrap_or_default()
}

/// Returns half the value of one unit in the last digit of a reading, or half of `step_of_first` if that is unclear.
fn half(reading: f64, written: &str, step_of_first: f64) -> f64 {
    0.5 * step(reading, written).unwrap_or(step_of_first)
}

/// Returns the step to which a number is rounded if the word before it says so ("about 1,200"): its trailing zeros
/// count as rounded, but its first two digits never do. Otherwise returns 0.
fn rounding(content: &str, fact: &Fact<'_>, number: f64) -> f64 {
    let before = content[..fact.start].trim_end_matches([' ', '*', '(', '$', '€', '£']);
    let word = before
        .rsplit(|c: char| !c.is_alphabetic() && !matches!(c, '≈' | '~'))
        .next();
    let word = word.unwrap_or_default().to_lowercase();
    if word.is_empty() || !says_round(&word) || number.fract() != 0.0 || number < 100.0 {
        return 0.0;
    }
    let leading = 10f64.powi((number.log10() + 1e-9).floor() as i32 - 1);
    let mut zeros = 1.0;
    while zeros < leading && (number % (zeros * 10.0)) == 0.0 {
        zeros *= 10.0;
    }
    zeros
}

/// Returns the bits of a number that is written in steps of `step`. A trailing zero counts as half a digit, because
/// calculations with round numbers have round results.
fn bits(number: f64, step: f64) -> f64 {
    let steps = (number / step).round();
    let mut rest = steps as u64;
    let mut zeros = 0;
    while rest > 0 && rest.is_multiple_of(10) {
        (rest, zeros) = (rest / 10, zeros + 1);
    }
    let digits = (rest as f64).log10().floor() + 1.0 + 0.5 * f64::from(zeros);
    (0.9 * 10f64.powf(digits)).log2()
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolgauge_facts::facts;

    fn bits_of(text: &str) -> f64 {
        let stated = facts(text);
        Claim::of(text, &stated, 0, &(0..text.len()))
            .expect("a number")
            .bits
            .round()
    }

    #[test]
    fn a_number_carries_the_bits_of_its_digits() {
        assert_eq!(bits_of("7 apples"), 3.0);
        assert_eq!(bits_of("62 apples"), 6.0);
        assert_eq!(bits_of("$0.81"), 6.0);
        assert_eq!(bits_of("$1,948"), 13.0);
        assert_eq!(bits_of("$24,000.00"), 15.0);
        assert_eq!(bits_of("200 apples"), 6.0);
    }
}
