//! The types of what is reported: unsupported facts of replies, ungrounded arguments, and values that belong to another
//! record.

use serde::Serialize;

use super::arguments::UngroundedArgument;
use super::transcript::{Speakers, Transcript};
use super::{Meanings, ground};
use toolgauge_facts::FactKind;
use toolgauge_model::Trajectory;

/// A fact of a reply that the evidence does not hold, with the call to blame.
#[derive(Debug, Clone, PartialEq)]
pub struct Unsupported {
    /// The index of the turn in the trajectory.
    pub turn: usize,
    /// The kind of the fact.
    pub kind: FactKind,
    /// The text of the fact, as the reply writes it.
    pub text: String,
    /// Where the fact starts in the content of the turn, in UTF-16 units.
    pub start: usize,
    /// Where the fact ends, in UTF-16 units.
    pub end: usize,
    /// How certain it is that the fact is unsupported, from 0 to 1.
    pub confidence: f64,
    /// The nearest value of the evidence.
    pub closest: Option<Closest>,
    /// The number of the call to blame, counted through the trajectory: the call with the nearest value or, if no such
    /// call may be blamed, the latest call.
    pub call: Option<usize>,
}

/// A fact of a reply that the evidence does not hold.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct UnsupportedFact {
    /// The text of the fact, as the reply writes it.
    pub text: String,
    /// The kind of the fact.
    pub kind: FactKind,
    /// The `turn_id` of the turn that states the fact.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub turn_id: i64,
    /// Where the fact starts in the content of that turn, in UTF-16 units.
    pub start: usize,
    /// Where the fact ends, in UTF-16 units.
    pub end: usize,
    /// How certain it is that the fact is unsupported, from 0 to 1.
    pub confidence: f64,
    /// The nearest value of the evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closest: Option<Closest>,
}

impl Unsupported {
    /// Checks whether `other` is part of this fact.
    pub(super) fn holds(&self, other: &Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Converts this fact into the form that results contain.
    pub fn report(&self, trajectory: &Trajectory<'_>) -> UnsupportedFact {
        UnsupportedFact {
            text: self.text.clone(),
            kind: self.kind,
            turn_id: trajectory.turns[self.turn].turn_id,
            start: self.start,
            end: self.end,
            confidence: self.confidence,
            closest: self.closest.clone(),
        }
    }
}

/// Describes unsupported facts in a sentence: `the reply says "HAT271", but no result, message or instruction does.
/// Closest: HAT217 (get_reservation.flights[0])`.
pub fn describe(facts: &[UnsupportedFact]) -> String {
    let texts: Vec<_> = facts
        .iter()
        .map(|fact| format!("\"{}\"", fact.text))
        .collect();
    let mut sentence = format!(
        "the reply says {}, but no result, message or instruction does",
        listed(&texts)
    );
    let closest = facts.iter().filter_map(|fact| {
        let closest = fact.closest.as_ref()?.describe();
        Some(match facts.len() {
            1 => closest,
            _ => format!("{closest} for \"{}\"", fact.text),
        })
    });
    let closest: Vec<_> = closest.collect();
    if !closest.is_empty() {
        sentence += ". Closest: ";
        sentence += &closest.join("; ");
    }
    sentence
}

/// Joins texts into a list for a sentence: `a, b and c`.
fn listed(texts: &[String]) -> String {
    match texts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The value of the evidence that is nearest to an unsupported fact.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct Closest {
    /// The value, as the evidence writes it.
    pub value: String,
    /// The tool whose arguments or result contain the value. It is absent if the user or the instructions said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The path of the value in the result. If the value is in the arguments, the path starts with `arguments`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

impl Closest {
    /// Returns the value with its place in parentheses: `59.8 (get_order.total)`.
    fn describe(&self) -> String {
        let value = &self.value;
        match (&self.tool, &self.path) {
            (Some(tool), Some(path)) if path.is_empty() => format!("{value} ({tool})"),
            (Some(tool), Some(path)) if path.starts_with('[') => format!("{value} ({tool}{path})"),
            (Some(tool), Some(path)) => format!("{value} ({tool}.{path})"),
            _ => value.clone(),
        }
    }
}

/// What the evidence does not show in a trajectory, for each call of the agent in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Grounding {
    /// The unsupported facts of replies, by the call to blame.
    pub replies: Vec<Vec<Unsupported>>,
    /// The unsupported facts of replies before any call. They blame no call.
    pub before_calls: Vec<Unsupported>,
    /// The ungrounded arguments of each call.
    pub arguments: Vec<Vec<UngroundedArgument>>,
    /// The values of replies that belong to a different record than the one that the reply names, in order.
    pub misattributed: Vec<Misattributed>,
}

/// A known value of a reply that belongs to a different record than the one that the sentence is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Misattributed {
    /// The value, as the reply writes it.
    pub text: String,
    /// The `turn_id` of the turn that states the value.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub turn_id: i64,
    /// Where the value starts in the content of that turn, in UTF-16 units.
    pub start: usize,
    /// Where the value ends, in UTF-16 units.
    pub end: usize,
    /// The sentence that states the value.
    #[serde(skip)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub quote: String,
    /// The record that the sentence names, in the words of the sentence.
    pub record: String,
    /// The value in the record that contains it, and its place. It is absent if no record contains the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub belongs_to: Option<Closest>,
    /// What the named record contains instead, and its place.
    pub holds: Closest,
}

impl Grounding {
    /// Grounds a single trajectory that shares no texts with others.
    pub fn of(trajectory: &Trajectory<'_>) -> Self {
        let mut meanings = Meanings::default();
        let transcript = Transcript::of(trajectory, Speakers::All, &mut meanings.texts);
        ground(trajectory, &transcript, &mut meanings)
    }

    /// Returns an empty grounding for the given number of calls, for when nothing is checked.
    pub fn skipped(calls: usize) -> Self {
        Self {
            replies: vec![Vec::new(); calls],
            before_calls: Vec::new(),
            arguments: vec![Vec::new(); calls],
            misattributed: Vec::new(),
        }
    }

    /// Adds unsupported facts of a reply, each to the call that it blames.
    pub(super) fn add(&mut self, unsupported: impl IntoIterator<Item = Unsupported>) {
        for fact in unsupported {
            match fact.call {
                Some(call) => self.replies[call].push(fact),
                None => self.before_calls.push(fact),
            }
        }
    }
}

#[cfg(test)]
mod tests;
