//! What is reported: unsupported facts of replies, arguments that come from nowhere, and values of another record.

use serde::Serialize;

use super::arguments::UngroundedArgument;
use super::transcript::{Speakers, Transcript};
use super::{Meanings, ground};
use toolgauge_facts::FactKind;
use toolgauge_model::Trajectory;

/// A fact of a reply that the evidence does not hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Unsupported {
    /// The turn that states it, by its place in the trajectory.
    pub turn: usize,
    /// What kind of fact it is.
    pub kind: FactKind,
    /// As it is written.
    pub text: String,
    /// Where it starts in the turn's content, in UTF-16 units.
    pub start: usize,
    /// Where it ends, in UTF-16 units.
    pub end: usize,
    /// How sure it is that nothing shows it, from 0 to 1.
    pub confidence: f64,
    /// The nearest value of the evidence.
    pub closest: Option<Closest>,
    /// The call that it blames, counted through the trajectory: that of the nearest value, else the
    /// latest.
    pub call: Option<usize>,
}

/// A fact of a reply that the evidence does not hold.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct UnsupportedFact {
    /// As it is written.
    pub text: String,
    /// What kind of fact it is.
    pub kind: FactKind,
    /// The number of the turn that states it.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub turn_id: i64,
    /// Where it starts in that turn's content, in UTF-16 units.
    pub start: usize,
    /// Where it ends, in UTF-16 units.
    pub end: usize,
    /// How sure it is that nothing shows it, from 0 to 1.
    pub confidence: f64,
    /// The nearest value of the evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closest: Option<Closest>,
}

impl Unsupported {
    /// Whether another one is part of it.
    pub(super) fn holds(&self, other: &Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// This fact as results carry it.
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

/// Describes unsupported facts for people: `the reply says "HAT271", but no result, message or instruction does.
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

/// Joins texts as a sentence lists them: `a, b and c`.
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
    /// As it is written.
    pub value: String,
    /// The tool whose arguments or result hold it; absent when the user or the instructions said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Where it is in the result, or with `arguments` in front, in the arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

impl Closest {
    /// The value with its place in parentheses: `59.8 (get_order.total)`.
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

/// What nothing shows in a trajectory, for each call of the agent in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Grounding {
    /// The unsupported facts of replies, by the call that they blame.
    pub replies: Vec<Vec<Unsupported>>,
    /// Those of replies before any call, which blame none.
    pub before_calls: Vec<Unsupported>,
    /// The arguments of the call that come from nowhere.
    pub arguments: Vec<Vec<UngroundedArgument>>,
    /// Values of replies that belong to another record than the one that is named, in order.
    pub misattributed: Vec<Misattributed>,
}

/// A known value of a reply that belongs to another record than the one that the sentence is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Misattributed {
    /// The value as it is written.
    pub text: String,
    /// The number of the turn that states it.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub turn_id: i64,
    /// Where it starts in that turn's content, in UTF-16 units.
    pub start: usize,
    /// Where it ends, in UTF-16 units.
    pub end: usize,
    /// The sentence that states it.
    #[serde(skip)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub quote: String,
    /// The record that the sentence names, as it names it.
    pub record: String,
    /// The value as the other record holds it, and where; absent when no record has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub belongs_to: Option<Closest>,
    /// What the named record holds instead, and where.
    pub holds: Closest,
}

impl Grounding {
    /// What nothing shows in a trajectory that shares no texts with others.
    pub fn of(trajectory: &Trajectory<'_>) -> Self {
        let mut meanings = Meanings::default();
        let transcript = Transcript::of(trajectory, Speakers::All, &mut meanings.texts);
        ground(trajectory, &transcript, &mut meanings)
    }

    /// The grounding of that many calls when nothing is looked for.
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
