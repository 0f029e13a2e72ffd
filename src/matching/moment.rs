//! Whether two texts name the same date, time or both.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::facts::{Fact, FactKind, FactValue, facts};

/// Words that stand beside a date or time without changing it.
const JOINING: [&str; 14] = [
    "at", "on", "the", "of", "t", "z", "utc", "um", "am", "den", "kl", "le", "à", "el",
];

/// Whether `a` and `b` name the same moment: two timestamps with offsets the same instant, other texts
/// the same dates and times in the same order, with nothing else of meaning beside them. Both must say
/// the same parts: May 16 is not May 16, 2024.
pub fn same_moment(a: &str, b: &str) -> bool {
    if let (Some(a), Some(b)) = (instant(a), instant(b)) {
        return a == b;
    }
    let (a, b) = (Moment::of(a), Moment::of(b));
    !a.facts.is_empty()
        && a.facts.len() == b.facts.len()
        && a.facts.iter().zip(&b.facts).all(|(a, b)| same(a, b))
        && a.beside == b.beside
}

fn instant(text: &str) -> Option<OffsetDateTime> {
    OffsetDateTime::parse(text, &Rfc3339).ok()
}

struct Moment<'t> {
    facts: Vec<Fact<'t>>,
    /// What stands beside them, in lower case.
    beside: Vec<String>,
}

impl<'t> Moment<'t> {
    fn of(text: &'t str) -> Self {
        let mut found = facts(text);
        found.retain(|fact| matches!(fact.kind, FactKind::Date | FactKind::Time));
        let mut beside = Vec::new();
        let mut from = 0;
        for fact in &found {
            words(&text[from..fact.start], &mut beside);
            from = fact.start + fact.text.len();
        }
        words(&text[from..], &mut beside);
        Self {
            facts: found,
            beside,
        }
    }
}

fn words(text: &str, found: &mut Vec<String>) {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let lower = words.filter(|word| !word.is_empty()).map(str::to_lowercase);
    found.extend(lower.filter(|word| !JOINING.contains(&word.as_str())));
}

fn same(a: &Fact<'_>, b: &Fact<'_>) -> bool {
    match (&a.value, &b.value) {
        (FactValue::Date(a), FactValue::Date(b)) => {
            let swapped = a.swapped && Some(a.month) == b.day && a.day == Some(b.month)
                || b.swapped && Some(b.month) == a.day && b.day == Some(a.month);
            a.year == b.year && (swapped || (a.month, a.day) == (b.month, b.day))
        }
        (FactValue::Time(a), FactValue::Time(b)) => a.iter().any(|minutes| b.contains(minutes)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_of_one_moment_are_the_same() {
        let same = [
            ("2024-05-16", "May 16, 2024"),
            ("2024-05-16", "16 May 2024"),
            ("5:00 PM", "5 pm"),
            ("17:00", "5:00 p.m."),
            ("2024-05-16T17:00", "May 16, 2024 at 5 PM"),
            ("2024-05-16T17:00:00Z", "2024-05-16T19:00:00+02:00"),
            ("2024-05-16T17:00:00.000Z", "2024-05-16T17:00:00Z"),
            ("May 16", "16 May"),
        ];
        for (a, b) in same {
            assert!(same_moment(a, b) && same_moment(b, a), "{a} and {b}");
        }
    }

    #[test]
    fn other_moments_and_other_texts_are_not() {
        let different = [
            ("2024-05-16", "2024-05-17"),
            ("2024-05-16", "May 16"),
            ("5 pm", "5 am"),
            ("2024-05-16T17:00:00Z", "2024-05-16T17:00:00+02:00"),
            ("2024-05-16", "before 2024-05-16"),
            ("soon", "soon enough"),
            ("", ""),
        ];
        for (a, b) in different {
            assert!(!same_moment(a, b) && !same_moment(b, a), "{a} and {b}");
        }
    }
}
