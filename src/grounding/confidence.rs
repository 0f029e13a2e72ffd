//! The confidence that an unsupported fact really has no evidence.
//!
//! The confidences are shares measured on replies by domain (`cargo xtask grounding`): of the reported facts of a kind,
//! the share that really appeared in no result. They are rounded, so that no data set decides the second decimal.

use std::collections::BTreeMap;

use super::report::Unsupported;
use toolgauge_facts::{Fact, FactKind};

/// The score above which a response counts as hallucinated, unless the caller sets another threshold.
pub const THRESHOLD: f64 = 0.3;

/// The reason why a fact is unsupported.
pub enum Finding<'f, 'a> {
    /// No evidence contains the fact. The second field is the content that states it.
    Unknown(&'f Fact<'a>, &'f str),
    /// A name, where the results have a different one.
    Name,
    /// A number, in words or in figures, that counts what was returned.
    Count,
    /// A short code, where the results have one that looks the same.
    Code,
    /// A number whose unit, currency or sign differs from the evidence.
    Misfit,
    /// A weekday that does not match its date.
    Weekday,
}

impl Finding<'_, '_> {
    /// Returns the confidence that no evidence supports the fact, from 0 to 1. One fact of the hard kinds passes the
    /// default threshold of 0.3. A number in words or a quotation passes it only together with other facts.
    pub fn confidence(&self) -> f64 {
        match self {
            Self::Unknown(fact, content) => of_unknown(fact, content),
            Self::Code => 0.8,
            Self::Name | Self::Misfit | Self::Weekday => 0.7,
            Self::Count => 0.5,
        }
    }
}

/// Returns the confidence for a fact that no evidence contains. It is highest for facts that can't be derived from
/// other values: an address, an id, a phone number. Small and round numbers can be derived in the most ways.
#[deny(clippy::wildcard_enum_match_arm)]
fn of_unknown(fact: &Fact<'_>, content: &str) -> f64 {
    match fact.kind {
        FactKind::Email | FactKind::Url if is_quoted(fact, content) => 0.2,
        FactKind::Quote => 0.2,
        FactKind::Number if !fact.text.contains(|c: char| c.is_ascii_digit()) => 0.2,
        FactKind::Number | FactKind::Percent => match significant_digits(fact.text) {
            0 | 1 => 0.4,
            _ => 0.6,
        },
        FactKind::Money | FactKind::Date => 0.6,
        FactKind::Time | FactKind::Name => 0.7,
        FactKind::Identifier | FactKind::Email | FactKind::Url | FactKind::Phone => 0.9,
    }
}

/// Returns the number of digits without the zeros at both ends: 2 for `$1,200.00`.
fn significant_digits(text: &str) -> usize {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    digits.trim_matches('0').len()
}

/// Checks whether a fact is in quotation marks, like an address in a command. Members and items of a structured reply
/// do not count as quoted.
fn is_quoted(fact: &Fact<'_>, content: &str) -> bool {
    let before = content[..fact.start].strip_suffix(['"', '“', '„', '«']);
    before.is_some_and(|before| !before.trim_end().ends_with([':', '[', ',']))
}

/// Returns the confidence that a response is not supported by the evidence, from 0 (no unsupported fact) to below 1.
/// The score is 1 − Π (1 − confidence), with only the highest confidence for each kind of fact: if a table of sums is
/// misread once, all of its rows are misread.
pub fn score(facts: &[Unsupported]) -> f64 {
    let mut surest: BTreeMap<FactKind, f64> = BTreeMap::new();
    for fact in facts {
        let known = surest.entry(fact.kind).or_default();
        *known = known.max(fact.confidence);
    }
    let trust: f64 = surest.values().map(|confidence| 1.0 - confidence).product();
    toolgauge_base::issue::round(1.0 - trust).min(0.999)
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolgauge_facts::facts;

    fn confidence(text: &str) -> f64 {
        Finding::Unknown(&facts(text)[0], text).confidence()
    }

    #[test]
    fn what_cannot_be_worked_out_is_surest() {
        let sorted = [
            "three rooms",
            "5 rooms",
            "57 rooms",
            "at 17:20",
            "id QX71K2",
        ];
        let found = sorted.map(confidence);
        assert!(found.is_sorted(), "{found:?}");
        assert!(found[0] < THRESHOLD && THRESHOLD < found[1]);
    }

    #[test]
    fn a_number_below_zero_is_no_number_in_words() {
        assert_eq!(confidence("It is -14 there"), confidence("It is 14 there"));
    }

    #[test]
    fn zeros_at_the_ends_are_not_significant() {
        for (text, digits) in [("$1,200.00", 2), ("0.05", 1), ("1.05", 3), ("0", 0)] {
            assert_eq!(significant_digits(text), digits, "{text}");
        }
    }

    #[test]
    fn an_address_in_a_command_is_a_quotation() {
        let quoted = confidence(r#"run "https://example.org/a" now"#);
        assert!(quoted < confidence("see https://example.org/a now"));
        assert_eq!(confidence(r#"{"url":"https://example.org/a"}"#), 0.9);
    }
}
