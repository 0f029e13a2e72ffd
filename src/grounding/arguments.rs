//! Arguments that look like identifiers and come from nowhere.

use super::digest::NumberSet;
use super::evidence::Evidence;
use super::transcript::{Says, Value};
use crate::facts::{Fact, FactKind, FactValue, Texts, Token, WordList};
use crate::model::Path;

/// Words of a user that let an agent work out a date by itself.
static RELATIVE_DATES: WordList = WordList::of(
    "today tomorrow yesterday tonight next last this now week month monday tuesday wednesday thursday friday \
    saturday sunday day days heute morgen demain mañana",
);

/// The words by which a user speaks of dates that have to be worked out; of each word that is found out
/// once.
#[derive(Default)]
pub struct RelativeDates {
    asked: NumberSet,
    found: NumberSet,
}

impl RelativeDates {
    /// Whether one of them is among `words`.
    pub fn are_in(&mut self, words: &[Token<'_>]) -> bool {
        words.iter().any(|token| {
            let Some(word) = token.word else {
                return false;
            };
            if self.asked.insert(word.index()) && token.says_one_of(&RELATIVE_DATES) {
                self.found.insert(word.index());
            }
            self.found.contains(word.index())
        })
    }
}

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

/// Those values of arguments that look like identifiers and are not in the evidence; `path` tells where
/// the value with a number stands.
pub fn ungrounded<'a>(
    values: &[Value<'a>],
    evidence: &mut Evidence<'a>,
    texts: &Texts<'a>,
    dates: Dates,
    mut path: impl FnMut(usize) -> Option<Path>,
) -> Vec<UngroundedArgument> {
    let mut found = Vec::new();
    for value in values {
        let (Says::Text(text, id) | Says::Name(text, id)) = value.says else {
            continue;
        };
        let [fact] = texts.facts(id) else {
            continue;
        };
        // Only a text that is an identifier as a whole is one: prose and code may mention anything.
        let is_whole = fact.text.len() == text.trim().len();
        if !is_whole || !must_be_known(fact, dates) || evidence.holds(fact, texts) {
            continue;
        }
        let closest = evidence.nearest(fact, texts);
        found.extend(path(value.number).map(|path| UngroundedArgument {
            path,
            value: text.to_owned(),
            closest: closest.map(|known| known.text(texts).into_owned()),
        }));
    }
    found
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
