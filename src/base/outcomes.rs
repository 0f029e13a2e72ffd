//! Trials whose outcomes the caller decides, for example in a test that runs an agent several times.

use serde::Serialize;

use crate::gate::{Gate, PassGate};
use crate::trials::{Tasks, Trial, TrialPlace, Trials};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path};

/// The task of an outcome that names none: then all of them are trials of one task.
const ONE_TASK: &str = "task";

/// The outcome of one run of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialOutcome<'o> {
    /// Whether it passes.
    pub passed: bool,
    /// The name of its task. Default: all outcomes without one are trials of the same task.
    pub task: Option<&'o str>,
    /// Its score, from 0 to 1. Default: none.
    pub score: Option<f64>,
}

/// What the outcomes of trials show.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct MeasuredTrials {
    /// The figures; absent if each task has only one trial.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trials: Option<Trials>,
    /// Whether enough of them pass.
    pub gate: Gate,
}

/// Reads a list of outcomes.
///
/// # Errors
/// [`Error::InvalidInput`] if it is no list of outcomes.
pub fn read_outcomes(json: Json<'_>) -> Result<Vec<TrialOutcome<'_>>> {
    let items = json
        .items()
        .ok_or_else(|| Error::invalid_input(Path::root(), "a list of outcomes", json.describe()))?;
    let read = |(at, item)| {
        read_outcome(item).map_err(|error: Error| error.inside(&Path::root().index(at)))
    };
    items.iter().copied().enumerate().map(read).collect()
}

fn read_outcome(json: Json<'_>) -> Result<TrialOutcome<'_>> {
    let wrong = |name: &str, expected: &str, found: Json<'_>| {
        Error::invalid_input(Path::root().key(name), expected, found.describe())
    };
    if json.members().is_none() {
        let expected = "an outcome { passed }";
        return Err(Error::invalid_input(
            Path::root(),
            expected,
            json.describe(),
        ));
    }
    let passed = match json.get("passed").unwrap_or(Json::Null) {
        Json::Bool(passed) => passed,
        other => return Err(wrong("passed", "true or false", other)),
    };
    let task = match json.get("task") {
        None => None,
        Some(Json::String(name)) if !name.is_empty() => Some(name),
        Some(other) => return Err(wrong("task", "the name of a task", other)),
    };
    let score = match json.get("score") {
        None | Some(Json::Null) => None,
        Some(Json::Number(score)) if (0.0..=1.0).contains(&score.as_f64()) => Some(score.as_f64()),
        Some(other) => return Err(wrong("score", "a score from 0 to 1", other)),
    };
    Ok(TrialOutcome {
        passed,
        task,
        score,
    })
}

/// Returns what these outcomes show, and whether they pass `gate`. If that asks for nothing, all must pass.
pub fn measure_trials(outcomes: &[TrialOutcome<'_>], gate: PassGate) -> MeasuredTrials {
    let mut tasks = Tasks::default();
    for (index, outcome) in outcomes.iter().enumerate() {
        let place = TrialPlace {
            index,
            ..TrialPlace::default()
        };
        tasks.add(&Trial {
            task: Some(outcome.task.unwrap_or(ONE_TASK)),
            passed: outcome.passed,
            score: outcome.score,
            place,
        });
    }
    let asked = match gate.is_given() {
        true => gate,
        false => PassGate {
            min_pass_rate: Some(1.0),
            ..gate
        },
    };
    let all = outcomes.len() as u64;
    let passed = outcomes.iter().filter(|outcome| outcome.passed).count() as u64;
    let failures = match all {
        0 => vec!["there are no trials".to_owned()],
        _ => asked.failures(passed, all, &tasks),
    };
    MeasuredTrials {
        trials: tasks.trials(all),
        gate: Gate::of(failures),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn outcomes<'o>(passes: &[(Option<&'o str>, bool)]) -> Vec<TrialOutcome<'o>> {
        let outcome = |&(task, passed)| TrialOutcome {
            passed,
            task,
            score: None,
        };
        passes.iter().map(outcome).collect()
    }

    fn failures(passes: &[(Option<&str>, bool)], gate: PassGate) -> Vec<String> {
        measure_trials(&outcomes(passes), gate).gate.failures
    }

    #[test]
    fn outcomes_without_a_task_are_trials_of_one() {
        let measured = measure_trials(
            &outcomes(&[(None, true), (None, false), (None, true)]),
            PassGate::default(),
        );
        let trials = measured.trials.expect("one task has three trials");
        assert_eq!((trials.tasks, trials.trials, trials.passed), (1, 3, 2));
        assert_eq!(trials.worst[0].worst.place.index, 1);
        let of_each = outcomes(&[(Some("a"), true), (Some("b"), true)]);
        assert_eq!(measure_trials(&of_each, PassGate::default()).trials, None);
    }

    #[test]
    fn all_must_pass_unless_the_gate_says_how_many() {
        let passes = [(None, true), (None, false), (None, true), (None, true)];
        assert_eq!(
            failures(&passes, PassGate::default()),
            ["the share of passes 0.75 (3 of 4) is below 1"]
        );
        let rate = PassGate {
            min_pass_rate: Some(0.75),
            ..PassGate::default()
        };
        assert!(failures(&passes, rate).is_empty());
        let hat = PassGate {
            min_pass_hat: BTreeMap::from([(2, 0.6)]),
            ..PassGate::default()
        };
        assert_eq!(failures(&passes, hat), ["pass^2 0.5 is below 0.6"]);
    }

    #[test]
    fn no_trials_pass_no_gate() {
        assert_eq!(failures(&[], PassGate::default()), ["there are no trials"]);
    }
}
