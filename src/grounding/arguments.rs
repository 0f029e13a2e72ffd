//! Arguments that look like identifiers and come from nowhere.

use super::evidence::Evidence;
use crate::facts::{Fact, FactKind, FactValue, facts};
use crate::model::{Json, Path};

/// Words of a user that let an agent work out a date by itself.
const RELATIVE_DATES: [&str; 24] = [
    "today",
    "tomorrow",
    "yesterday",
    "tonight",
    "next",
    "last",
    "this",
    "now",
    "week",
    "month",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "day",
    "days",
    "heute",
    "morgen",
    "demain",
    "mañana",
    "i morgen",
];

/// An argument that looks like an identifier and stands nowhere before.
#[derive(Debug, Clone, PartialEq)]
pub struct UngroundedArgument {
    /// The argument.
    pub path: Path,
    /// What it says.
    pub value: String,
    /// The known value that is nearest to it.
    pub closest: Option<String>,
}

/// Where the dates in arguments may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dates {
    /// From what was said before.
    #[default]
    MustBeKnown,
    /// From the calendar too, since the user spoke of tomorrow or next week.
    CanBeWorkedOut,
}

/// Whether the user speaks of dates that have to be worked out.
pub fn says_relative_date(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| {
        RELATIVE_DATES
            .iter()
            .any(|relative| word.eq_ignore_ascii_case(relative))
    })
}

/// The values in `arguments` that look like identifiers and are not in the evidence.
pub fn ungrounded(
    arguments: Json<'_>,
    evidence: &mut Evidence<'_>,
    dates: Dates,
) -> Vec<UngroundedArgument> {
    let mut found = Vec::new();
    collect(arguments, &Path::root(), evidence, dates, &mut found);
    found
}

fn collect(
    json: Json<'_>,
    path: &Path,
    evidence: &mut Evidence<'_>,
    dates: Dates,
    found: &mut Vec<UngroundedArgument>,
) {
    match json {
        Json::String(text) => found.extend(judge(text, path, evidence, dates)),
        Json::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                collect(*item, &path.index(at), evidence, dates, found);
            }
        }
        Json::Object(members) => {
            for (key, value) in members {
                collect(*value, &path.key(key), evidence, dates, found);
            }
        }
        _ => {}
    }
}

/// Only a text that is an identifier as a whole is one: prose and code may mention anything.
fn judge(
    text: &str,
    path: &Path,
    evidence: &mut Evidence<'_>,
    dates: Dates,
) -> Option<UngroundedArgument> {
    let stated = facts(text);
    let [fact] = stated.as_slice() else {
        return None;
    };
    let is_whole = fact.text.len() == text.trim().len();
    if !is_whole || !must_be_known(fact, dates) || evidence.holds(fact) {
        return None;
    }
    Some(UngroundedArgument {
        path: path.clone(),
        value: text.to_owned(),
        closest: evidence.nearest(fact).map(|known| known.text.to_string()),
    })
}

fn must_be_known(fact: &Fact<'_>, dates: Dates) -> bool {
    match fact.kind {
        FactKind::Identifier | FactKind::Email | FactKind::Url => true,
        FactKind::Date => {
            let is_day = matches!(&fact.value, FactValue::Date(date) if date.day.is_some());
            is_day && dates == Dates::MustBeKnown
        }
        _ => false,
    }
}
