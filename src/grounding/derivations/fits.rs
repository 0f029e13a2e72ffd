//! Derives exponents from measurements: the power of one argument, from two calls that differ in nothing else.
//!
//! An exponent in a formula comes from a fit over all measurements, which can't be checked one by one. It is taken as
//! known if one tool was called several times with different numbers.

use super::claim::Claim;
use super::cues::Operation;
use super::reply::Reply;
use super::search::Search;
use toolgauge_facts::{Fact, FactKind};
use toolgauge_model::{Json, ToolCall};

/// How many of the latest calls are read as measurements.
const MOST_CALLS: usize = 24;

/// How many arguments and how many results of a call are read.
const MOST_NUMBERS: usize = 8;

/// How often a tool must be called for its calls to be measurements.
const LEAST_CALLS: usize = 3;

/// How many bytes before a number are searched for the base that it is the exponent of.
const FARTHEST: usize = 60;

/// The numbers of one call.
struct Measurement<'a> {
    tool: &'a str,
    given: Vec<(&'a str, f64)>,
    measured: Vec<f64>,
}

/// Checks whether a number is an exponent in a formula and the conversation contains measurements.
pub fn is_exponent(reply: &Reply<'_, '_>, fact: &Fact<'_>) -> bool {
    fact.kind == FactKind::Number
        && stands_as_exponent(reply.content, fact.start)
        && !measurements(reply).is_empty()
}

fn stands_as_exponent(content: &str, place: usize) -> bool {
    let from = super::char_start(content, place.saturating_sub(FARTHEST));
    let before = content[from..place].trim_end_matches([' ', '-', '(', '{']);
    let of_power = before.rsplit_once("pow(").map(|(_, base)| base);
    before.ends_with("**")
        || before.ends_with('^')
        || of_power.is_some_and(|base| base.ends_with(',') && !base.contains(['\n', ')']))
}

/// Tries the exponents that follow from each two calls that differ in one argument.
pub fn try_exponents(reply: &Reply<'_, '_>, claim: &Claim, search: &mut Search<'_>) {
    if claim.kind != FactKind::Number {
        return;
    }
    let measurements = measurements(reply);
    for (at, second) in measurements.iter().enumerate() {
        for first in &measurements[..at] {
            let Some((from, to)) = only_difference(first, second) else {
                continue;
            };
            for (before, after) in first.measured.iter().zip(&second.measured) {
                let exponent = (after / before).abs().ln() / (to / from).abs().ln();
                if exponent.is_finite() {
                    search.offer(Operation::Quotient, exponent);
                }
            }
            if search.is_over() {
                return;
            }
        }
    }
}

/// Returns the two values of the argument if the calls use the same tool and differ in that argument only.
fn only_difference(first: &Measurement<'_>, second: &Measurement<'_>) -> Option<(f64, f64)> {
    if first.tool != second.tool || first.given.len() != second.given.len() {
        return None;
    }
    let mut found = None;
    for ((key, from), (other, to)) in first.given.iter().zip(&second.given) {
        if key != other || (from != to && found.is_some()) {
            return None;
        }
        if from != to {
            found = Some((*from, *to));
        }
    }
    found
}

/// Returns the latest calls with numbers of tools that were called at least `LEAST_CALLS` times.
fn measurements<'a>(reply: &Reply<'_, 'a>) -> Vec<Measurement<'a>> {
    let calls = reply.background.calls.iter().rev().take(MOST_CALLS);
    let mut all: Vec<_> = calls.filter_map(|call| measurement(call)).collect();
    let tools: Vec<_> = all.iter().map(|measurement| measurement.tool).collect();
    all.retain(|measurement| {
        let same = tools.iter().filter(|tool| **tool == measurement.tool);
        same.count() >= LEAST_CALLS
    });
    all
}

fn measurement<'a>(call: &ToolCall<'a>) -> Option<Measurement<'a>> {
    let given = call.arguments?.members()?.iter();
    let given = given.filter_map(|(key, value)| Some((*key, number_of(*value)?)));
    let given: Vec<_> = given.take(MOST_NUMBERS).collect();
    let result = call.result?;
    let measured: Vec<f64> = match result.members() {
        Some(members) => {
            let values = members.iter().filter_map(|(_, value)| number_of(*value));
            values.take(MOST_NUMBERS).collect()
        }
        None => number_of(result).into_iter().collect(),
    };
    let is_measurement = !given.is_empty() && !measured.is_empty();
    is_measurement.then_some(Measurement {
        tool: call.name?,
        given,
        measured,
    })
}

fn number_of(value: Json<'_>) -> Option<f64> {
    match value {
        Json::Number(number) => Some(number.as_f64()),
        Json::String(text) => text.trim().parse().ok(),
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::texts_unsupported_after;

    /// A flow that grows with the 1.37th power of the width and does not depend on the depth.
    fn unsupported(calls: usize, reply: &str) -> Vec<String> {
        let made = [
            r#"{"name":"flow","arguments":{"width":1,"depth":4},"result":{"flow":0.0521}}"#,
            r#"{"name":"flow","arguments":{"width":3,"depth":4},"result":{"flow":0.2347}}"#,
            r#"{"name":"flow","arguments":{"width":5,"depth":8},"result":{"flow":0.4726}}"#,
        ];
        let turns = format!(
            r#"{{"turn_id":1,"role":"user","content":"What is the law?"}},
            {{"turn_id":2,"role":"agent","tool_calls":[{}]}}"#,
            made[..calls].join(",")
        );
        texts_unsupported_after(&turns, reply)
    }

    #[test]
    fn exponents_follow_from_calls_that_differ_in_one_argument() {
        assert_eq!(unsupported(3, "The slope is 1.37 here."), [""; 0]);
        assert_eq!(unsupported(3, "The slope is 1.73 here."), ["1.73"]);
    }

    #[test]
    fn exponents_of_formulas_are_not_checked_after_measurements() {
        assert_eq!(unsupported(3, "return k * width ** 1.73"), [""; 0]);
        assert_eq!(unsupported(3, "return k * pow(width, 1.73)"), [""; 0]);
        assert_eq!(unsupported(3, "return k * width * 1.73"), ["1.73"]);
        assert_eq!(unsupported(1, "return k * width ** 1.73"), ["1.73"]);
    }
}
