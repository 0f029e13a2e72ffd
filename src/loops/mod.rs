//! Finds loops: calls that an agent repeats although nothing has changed.
//!
//! A call is repeated if the same tool is called with the same arguments and has the same outcome as before.
//! It is not a loop if the user spoke in between, if another call in between may have changed the outcome, if
//! the calls belong to one message, if a result asks for a repetition, or if a later repetition has another
//! outcome, because the agent was then waiting.

mod outcome;
mod steps;

use serde::Serialize;

use outcome::differences;
use steps::{Segment, Step};
use toolgauge_model::{Json, ToolNature, Trajectory};
use toolgauge_schema::to_value;

/// The longest chain that is searched for, in calls.
const LONGEST_CHAIN: usize = 6;

/// How often a chain must be made if one of its calls acts on something such as a shell or a page.
const ROUNDS_OF_ACTIONS: usize = 3;

/// A call or a chain of calls that an agent repeats although nothing has changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Loop {
    /// What is repeated.
    pub kind: LoopKind,
    /// The calls of one round, in order.
    pub chain: Vec<LoopStep>,
    /// Every repetition of the chain, including the first time.
    pub rounds: Vec<LoopRound>,
    /// A sentence that says what is repeated and how often.
    pub description: String,
}

/// What is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LoopKind {
    /// One call, which succeeds each time with the same result.
    RepeatedCall,
    /// One call, which fails each time with the same error.
    RetriedUnchanged,
    /// Several calls in the same order, such as A B A B, with the same results.
    RepeatingChain,
}

/// One call of a chain.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct LoopStep {
    /// The tool's name; absent when the call has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The arguments; absent when the call has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub arguments: Option<serde_json::Value>,
}

/// One repetition of a chain.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LoopRound {
    /// The locations of its calls, in the order of the chain.
    pub calls: Vec<CallLocation>,
    /// What changed since the previous round; empty if nothing did.
    pub changed: RoundChanges,
}

/// The location of a call in a trajectory.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct CallLocation {
    /// The number of the turn.
    pub turn_id: i64,
    /// The position of the call among the calls of its turn, from 0.
    pub call_index: usize,
    /// The id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
}

/// What changed between two rounds of a loop without affecting its outcome.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RoundChanges {
    /// The members of the results that differ, for example `search: timestamp`. They only say when or how a
    /// result was made.
    pub results: Vec<String>,
    /// The tools that were called in between, in order, each listed once.
    pub tools_between: Vec<String>,
}

/// Returns all loops of `trajectory`, in the order of their first calls.
pub fn find_loops(trajectory: &Trajectory<'_>) -> Vec<Loop> {
    let found = loops_in(trajectory);
    found.iter().map(|found| found.report()).collect()
}

/// A loop that refers to its trajectory.
pub struct Found<'t, 'a> {
    /// What is repeated.
    pub kind: LoopKind,
    rounds: Vec<Vec<Step<'t, 'a>>>,
    between: Vec<Vec<&'a str>>,
}

impl Found<'_, '_> {
    /// Returns the number, among all calls of the trajectory, of the first repetition.
    pub fn first_repetition(&self) -> usize {
        self.rounds[1][0].number
    }

    /// Returns the loop in the form of reports.
    pub fn report(&self) -> Loop {
        let chain: Vec<LoopStep> = self.rounds[0].iter().map(|step| step.report()).collect();
        let before = std::iter::once(None).chain(self.rounds.iter().map(Some));
        let between = self.between.iter();
        let rounds = self.rounds.iter().zip(before).zip(between);
        Loop {
            kind: self.kind,
            description: describe(self.kind, &self.rounds),
            chain,
            rounds: rounds
                .map(|((round, before), between)| LoopRound {
                    calls: round.iter().map(Step::location).collect(),
                    changed: RoundChanges {
                        results: before.map_or(Vec::new(), |before| changed(before, round)),
                        tools_between: between.iter().map(|tool| (*tool).to_owned()).collect(),
                    },
                })
                .collect(),
        }
    }
}

fn describe(kind: LoopKind, rounds: &[Vec<Step<'_, '_>>]) -> String {
    let times = rounds.len();
    let tools: Vec<String> = rounds[0]
        .iter()
        .map(|step| format!("{:?}", step.call.name.unwrap_or_default()))
        .collect();
    let (tools, turns) = (tools.join(", "), turns_of(rounds));
    match kind {
        LoopKind::RepeatedCall => format!(
            "{tools} was called {times} times with the same arguments and the same result ({turns})"
        ),
        LoopKind::RetriedUnchanged => format!(
            "{tools} was called {times} times with the same arguments and the same error ({turns})"
        ),
        LoopKind::RepeatingChain => format!(
            "the calls {tools} were made {times} times in this order, with the same arguments and results ({turns})"
        ),
    }
}

/// Lists where the rounds start: `turns 2, 4, 6`.
fn turns_of(rounds: &[Vec<Step<'_, '_>>]) -> String {
    /// Longer lists would make the sentence hard to read.
    const MOST: usize = 6;
    let turns = rounds.iter().map(|round| round[0].turn_id.to_string());
    let shown: Vec<_> = turns.take(MOST).collect();
    let rest = if rounds.len() > MOST { ", …" } else { "" };
    format!("turns {}{rest}", shown.join(", "))
}

/// Returns the members in which the results of two rounds differ.
fn changed(before: &[Step<'_, '_>], round: &[Step<'_, '_>]) -> Vec<String> {
    let pairs = before.iter().zip(round);
    let differences = pairs.flat_map(|(before, after)| {
        let paths = differences(before.call, after.call);
        let tool = after.call.name.unwrap_or_default();
        paths.into_iter().map(move |path| format!("{tool}: {path}"))
    });
    differences.collect()
}

/// Returns all loops of `trajectory`, in the order of their first calls.
pub fn loops_in<'t, 'a>(trajectory: &'t Trajectory<'a>) -> Vec<Found<'t, 'a>> {
    let segments = steps::segments(trajectory);
    let mut found: Vec<_> = segments.iter().flat_map(loops_of_segment).collect();
    found.sort_by_key(|found| found.rounds[0][0].number);
    found
}

fn loops_of_segment<'t, 'a>(segment: &Segment<'t, 'a>) -> Vec<Found<'t, 'a>> {
    if !segment.has_repetition() {
        return Vec::new();
    }
    let mut is_reported = vec![false; segment.steps.len()];
    let mut found = chains(segment, &mut is_reported);
    found.extend(repeated_calls(segment, &is_reported));
    found
}

/// Finds chains that are repeated without a break.
fn chains<'t, 'a>(segment: &Segment<'t, 'a>, is_reported: &mut [bool]) -> Vec<Found<'t, 'a>> {
    let steps = &segment.steps;
    let mut found = Vec::new();
    for length in 2..=LONGEST_CHAIN.min(steps.len() / 2) {
        let mut start = 0;
        while start + 2 * length <= steps.len() {
            let repeated = (start..steps.len() - length)
                .take_while(|at| !is_reported[*at] && !is_reported[at + length])
                .take_while(|at| segment.comes_to_the_same(*at, at + length))
                .count();
            let rounds = repeated / length + 1;
            let chain = &steps[start..start + length];
            if rounds >= needed_rounds(chain) {
                let end = start + rounds * length;
                is_reported[start..end].fill(true);
                let rounds: Vec<_> = steps[start..end]
                    .chunks(length)
                    .map(<[_]>::to_vec)
                    .collect();
                found.push(Found {
                    kind: LoopKind::RepeatingChain,
                    between: vec![Vec::new(); rounds.len()],
                    rounds,
                });
                start = end;
            } else {
                start += repeated + 1;
            }
        }
    }
    found
}

/// Returns how often a chain must be made to be a loop.
fn needed_rounds(chain: &[Step<'_, '_>]) -> usize {
    let is_one_call = chain.iter().all(|step| step.key == chain[0].key);
    let natures = || chain.iter().map(|step| ToolNature::of(step.call));
    if is_one_call || natures().all(|nature| nature == ToolNature::Gesture) {
        return usize::MAX;
    }
    match natures().any(|nature| nature != ToolNature::Plain) {
        true => ROUNDS_OF_ACTIONS,
        false => 2,
    }
}

/// Finds single calls that are repeated, possibly with others in between.
fn repeated_calls<'t, 'a>(segment: &Segment<'t, 'a>, is_reported: &[bool]) -> Vec<Found<'t, 'a>> {
    let mut found = Vec::new();
    for places in segment.places_by_key() {
        let places: Vec<_> = places.into_iter().filter(|at| !is_reported[*at]).collect();
        found.extend(runs(segment, &places).into_iter().map(|run| {
            let between = run
                .windows(2)
                .map(|pair| segment.tools_between(pair[0], pair[1]));
            Found {
                kind: match segment.failed(run[0]) {
                    true => LoopKind::RetriedUnchanged,
                    false => LoopKind::RepeatedCall,
                },
                between: std::iter::once(Vec::new()).chain(between).collect(),
                rounds: run.iter().map(|at| vec![segment.steps[*at]]).collect(),
            }
        }));
    }
    found
}

/// Divides the positions of one call into runs without a change in between. A run that ends with another
/// result is dropped, because the agent was waiting for that result. An error after a result ends a run.
fn runs(segment: &Segment<'_, '_>, places: &[usize]) -> Vec<Vec<usize>> {
    let mut runs: Vec<(Vec<usize>, bool)> = Vec::new();
    for at in places {
        let continued = runs.last_mut().and_then(|(run, is_steady)| {
            let last = *run.last()?;
            let breaks = segment.failed(*at) && !segment.failed(last);
            let goes_on = segment.may_repeat(last, *at) && !breaks;
            goes_on.then_some((run, is_steady, last))
        });
        match continued {
            Some((run, is_steady, last)) => {
                *is_steady &= segment.comes_to_the_same(last, *at);
                run.push(*at);
            }
            None => runs.push((vec![*at], true)),
        }
    }
    let loops = runs
        .into_iter()
        .filter(|(run, is_steady)| *is_steady && run.len() > 1);
    loops.map(|(run, _)| run).collect()
}

impl Step<'_, '_> {
    fn report(&self) -> LoopStep {
        let arguments = self
            .call
            .arguments
            .or(self.call.raw_arguments.map(Json::String));
        LoopStep {
            tool: self.call.name.map(str::to_owned),
            arguments: arguments.map(|arguments| to_value(arguments)),
        }
    }

    fn location(&self) -> CallLocation {
        CallLocation {
            turn_id: self.turn_id,
            call_index: self.index,
            call_id: self.call.id.map(str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests;
