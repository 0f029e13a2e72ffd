//! Known values and their sources.

use std::borrow::Cow;

use toolgauge_facts::{Fact, FactKind, TextId, Texts};
use toolgauge_model::Number;

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A message of the user, or the instructions.
    Text,
    /// The arguments of a call.
    Arguments {
        /// The index of the call in the trajectory.
        call: usize,
        /// The number of the value in the arguments, counted depth first.
        value: usize,
    },
    /// The result of a call.
    Result {
        /// The index of the call in the trajectory.
        call: usize,
        /// The number of the value in the result, counted depth first.
        value: usize,
    },
}

impl Source {
    /// Returns the index of the call that the value belongs to.
    pub fn call(self) -> Option<usize> {
        match self {
            Self::Text => None,
            Self::Arguments { call, .. } | Self::Result { call, .. } => Some(call),
        }
    }
}

/// A value of the evidence.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// Where it comes from.
    pub source: Source,
    pub(super) value: KnownValue<'a>,
}

/// The content of a known value.
#[derive(Debug, Clone, Copy)]
pub(super) enum KnownValue<'a> {
    Fact(FactPlace, FactKind),
    /// One of the readings of a number in a text.
    Reading(FactPlace, f64),
    Number(Number),
    /// How many items a list has.
    Count(usize),
    Name(&'a str),
}

/// The place of a fact: its text, and its index among the facts of that text.
#[derive(Debug, Clone, Copy)]
pub(super) struct FactPlace {
    text: TextId,
    place: u32,
}

impl FactPlace {
    pub(super) fn fact<'t, 'a>(self, texts: &'t Texts<'a>) -> &'t Fact<'a> {
        &texts.facts(self.text)[self.place as usize]
    }
}

/// Returns the facts of a text, each with its place.
pub(super) fn placed_facts<'t, 'a>(
    text: TextId,
    texts: &'t Texts<'a>,
) -> impl Iterator<Item = (FactPlace, &'t Fact<'a>)> {
    let facts = texts.facts(text).iter();
    (0..).map(move |place| FactPlace { text, place }).zip(facts)
}

impl<'a> Known<'a> {
    /// Returns the value as it is written.
    pub fn text(&self, texts: &Texts<'a>) -> Cow<'a, str> {
        match self.value {
            KnownValue::Fact(fact, _) | KnownValue::Reading(fact, _) => {
                Cow::Borrowed(fact.fact(texts).text)
            }
            KnownValue::Number(number) => Cow::Owned(number.to_string()),
            KnownValue::Count(count) => Cow::Owned(count.to_string()),
            KnownValue::Name(name) => Cow::Borrowed(name),
        }
    }

    /// Returns the value as a number, if it is one.
    pub(super) fn number(&self) -> Option<f64> {
        match self.value {
            KnownValue::Reading(_, number) => Some(number),
            KnownValue::Number(number) => Some(number.as_f64()),
            KnownValue::Count(count) => Some(count as f64),
            KnownValue::Fact(..) | KnownValue::Name(_) => None,
        }
    }
}
