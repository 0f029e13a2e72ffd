//! Arguments that look like identifiers and come from nowhere.

use super::evidence::Evidence;
use crate::facts::{Fact, FactId, FactKind, FactValue, Texts, Token, WordList};
use crate::model::{Json, Path};

/// Words of a user that let an agent work out a date by itself.
static RELATIVE_DATES: WordList = WordList::of(
    "today tomorrow yesterday tonight next last this now week month monday tuesday wednesday thursday friday \
    saturday sunday day days heute morgen demain mañana",
);

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

/// Whether the words of the user speak of dates that have to be worked out.
pub fn says_relative_date(words: &[Token<'_>]) -> bool {
    words.iter().any(|word| word.says_one_of(&RELATIVE_DATES))
}

/// The values in `arguments` that look like identifiers and are not in the evidence.
pub fn ungrounded<'a>(
    arguments: Json<'a>,
    evidence: &mut Evidence<'a>,
    texts: &mut Texts<'a>,
    dates: Dates,
) -> Vec<UngroundedArgument> {
    let mut found = Vec::new();
    let mut judge = |text, place: &Place<'_>| {
        if let Some(fact) = ungrounded_fact(text, evidence, texts, dates) {
            let closest = evidence.nearest(texts.fact(fact), texts);
            found.push(UngroundedArgument {
                path: place.path(),
                value: text.to_owned(),
                closest: closest.map(|known| known.text(texts).into_owned()),
            });
        }
    };
    each_text(arguments, &Place::Root, &mut judge);
    found
}

/// Where a value stands, as long as nobody asks for its path.
enum Place<'p> {
    Root,
    Item(&'p Place<'p>, usize),
    Member(&'p Place<'p>, &'p str),
}

impl Place<'_> {
    fn path(&self) -> Path {
        match self {
            Self::Root => Path::root(),
            Self::Item(list, at) => list.path().index(*at),
            Self::Member(object, key) => object.path().key(key),
        }
    }
}

fn each_text<'a>(json: Json<'a>, place: &Place<'_>, take: &mut impl FnMut(&'a str, &Place<'_>)) {
    match json {
        Json::String(text) => take(text, place),
        Json::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                each_text(*item, &Place::Item(place, at), take);
            }
        }
        Json::Object(members) => {
            for (key, value) in members {
                each_text(*value, &Place::Member(place, key), take);
            }
        }
        _ => {}
    }
}

/// Only a text that is an identifier as a whole is one: prose and code may mention anything.
fn ungrounded_fact<'a>(
    text: &'a str,
    evidence: &mut Evidence<'a>,
    texts: &mut Texts<'a>,
    dates: Dates,
) -> Option<FactId> {
    let id = texts.read(text);
    let mut facts = texts.numbered_facts(id);
    let (Some((id, fact)), None) = (facts.next(), facts.next()) else {
        return None;
    };
    let is_whole = fact.text.len() == text.trim().len();
    (is_whole && must_be_known(fact, dates) && !evidence.holds(fact, texts)).then_some(id)
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
