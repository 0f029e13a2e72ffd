//! Helpers for the tests of the recognisers.

use super::fact::{Fact, FactKind, FactValue};
use super::recognizer::{ReadFact, Recognizer, no_word};
use super::text::TokenKind;
use super::{facts, facts_by};

/// Checks that `read` finds these facts in each text. The facts are written as [`shown`] shows them.
#[track_caller]
pub fn check(read: ReadFact, cases: &[(&str, &[&str])]) {
    let recognizer = Recognizer {
        starts: &[
            TokenKind::Letters,
            TokenKind::Mixed,
            TokenKind::Digits,
            TokenKind::Sign,
        ],
        starts_with_word: no_word,
        read,
    };
    for (text, expected) in cases {
        let found: Vec<_> = facts_by(&[&recognizer], text).iter().map(shown).collect();
        assert_eq!(found, *expected, "{text}");
    }
}

/// Checks that `read` finds nothing in these texts.
#[track_caller]
pub fn check_none(read: ReadFact, texts: &[&str]) {
    for text in texts {
        check(read, &[(text, &[])]);
    }
}

/// Formats the meaning and the text of a fact: `money 1234.5 in $1,234.50`, `2024-05-13 in May 13, 2024`, `05:00 or
/// 17:00 in 5 o'clock`.
fn shown(fact: &Fact<'_>) -> String {
    let part = |part: Option<u32>| part.map_or("?".to_owned(), |part| format!("{part:02}"));
    let value = match &fact.value {
        FactValue::Number(values) => {
            let kind = match fact.kind {
                FactKind::Money => "money",
                FactKind::Percent => "percent",
                _ => "number",
            };
            format!("{kind} {}", either(values.iter().map(f64::to_string)))
        }
        FactValue::Date(date) => format!(
            "{}-{:02}-{}{}",
            part(date.year.map(u32::from)),
            date.month,
            part(date.day.map(u32::from)),
            if date.swapped { " or swapped" } else { "" },
        ),
        FactValue::Time(minutes) => {
            let clock = |minutes: &u16| format!("{:02}:{:02}", minutes / 60, minutes % 60);
            either(minutes.iter().map(clock))
        }
        FactValue::Text(text) => text.to_string(),
    };
    format!("{value} in {}", fact.text)
}

fn either(values: impl Iterator<Item = String>) -> String {
    values.collect::<Vec<_>>().join(" or ")
}

/// Returns the kind and the meaning of each fact of `text` whose meaning is a text.
pub fn text_facts(text: &str) -> Vec<(FactKind, String)> {
    facts(text)
        .into_iter()
        .filter_map(|fact| match fact.value {
            FactValue::Text(value) => Some((fact.kind, value.into_owned())),
            FactValue::Number(_) | FactValue::Date(_) | FactValue::Time(_) => None,
        })
        .collect()
}
