//! Decides whether two texts name the same date, time or both.

use std::cell::RefCell;
use std::rc::Rc;

use foldhash::HashMap;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::budget::Budget;
use toolgauge_facts::{Date, FactKind, FactValue, facts};

/// Words that may accompany a date or time without changing it.
const JOINING: [&str; 14] = [
    "at", "on", "the", "of", "t", "z", "utc", "um", "am", "den", "kl", "le", "à", "el",
];

/// The steps of the budget for reading a text, plus one for every two bytes.
const STEPS_TO_READ: usize = 20;

/// A cache of the dates and times in texts, so that each text is read once.
#[derive(Debug, Default)]
pub struct Moments(RefCell<HashMap<Box<str>, Rc<Moment>>>);

impl Moments {
    /// Returns whether `a` and `b` name the same moment. Two timestamps with offsets must name the same
    /// instant; other texts must name the same dates and times in the same order, with no other words of
    /// meaning. Both must have the same parts: May 16 is not May 16, 2024. `false` if the budget is spent.
    pub fn are_same(&self, a: &str, b: &str, budget: &Budget) -> bool {
        let (Some(a), Some(b)) = (self.read(a, budget), self.read(b, budget)) else {
            return false;
        };
        a.is_same(&b)
    }

    fn read(&self, text: &str, budget: &Budget) -> Option<Rc<Moment>> {
        if let Some(known) = self.0.borrow().get(text) {
            return budget.spend(1).then(|| known.clone());
        }
        if !budget.spend(STEPS_TO_READ + text.len() / 2) {
            return None;
        }
        let moment = Rc::new(Moment::of(text));
        self.0.borrow_mut().insert(text.into(), moment.clone());
        Some(moment)
    }
}

/// The dates and times that a text names.
#[derive(Debug)]
struct Moment {
    instant: Option<OffsetDateTime>,
    parts: Vec<Part>,
    /// The other words of the text, in lower case.
    beside: Vec<String>,
}

#[derive(Debug)]
enum Part {
    Date(Date),
    /// Minutes since midnight, one for each possible reading.
    Time(Vec<u16>),
}

impl Moment {
    fn of(text: &str) -> Self {
        let mut parts = Vec::new();
        let mut beside = Vec::new();
        let mut from = 0;
        for fact in facts(text) {
            let part = match (fact.kind, fact.value) {
                (FactKind::Date, FactValue::Date(date)) => Part::Date(date),
                (FactKind::Time, FactValue::Time(minutes)) => {
                    Part::Time(minutes.iter().copied().collect())
                }
                _ => continue,
            };
            parts.push(part);
            words(&text[from..fact.start], &mut beside);
            from = fact.start + fact.text.len();
        }
        words(&text[from..], &mut beside);
        Self {
            instant: OffsetDateTime::parse(text, &Rfc3339).ok(),
            parts,
            beside,
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        if let (Some(a), Some(b)) = (self.instant, other.instant) {
            return a == b;
        }
        let mut parts = self.parts.iter().zip(&other.parts);
        !self.parts.is_empty()
            && self.parts.len() == other.parts.len()
            && parts.all(|(a, b)| a.is_same(b))
            && self.beside == other.beside
    }
}

impl Part {
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Date(a), Self::Date(b)) => {
                let swapped = a.swapped && Some(a.month) == b.day && a.day == Some(b.month)
                    || b.swapped && Some(b.month) == a.day && b.day == Some(a.month);
                a.year == b.year && (swapped || (a.month, a.day) == (b.month, b.day))
            }
            (Self::Time(a), Self::Time(b)) => a.iter().any(|minutes| b.contains(minutes)),
            (Self::Date(_), Self::Time(_)) | (Self::Time(_), Self::Date(_)) => false,
        }
    }
}

fn words(text: &str, found: &mut Vec<String>) {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let lower = words.filter(|word| !word.is_empty()).map(str::to_lowercase);
    found.extend(lower.filter(|word| !JOINING.contains(&word.as_str())));
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolgauge_model::Limits;

    fn same_moment(a: &str, b: &str) -> bool {
        let budget = Budget::new(Limits::default());
        Moments::default().are_same(a, b, &budget)
    }

    #[test]
    fn notations_of_one_moment_are_equal() {
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
    fn other_moments_and_texts_differ() {
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

    #[test]
    fn each_text_is_read_once() {
        let (budget, moments) = (Budget::new(Limits::default()), Moments::default());
        let (day, other) = ("May 16, 2024", "2024-05-17");
        moments.are_same(day, other, &budget);
        let first = budget.taken();
        moments.are_same(other, day, &budget);
        assert!(first > 2 && budget.taken() == first + 2);
    }
}
