//! The difference of two runs.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::run::{IssueKey, Run, TaskTrials};
use super::statistics::estimate;
use toolgauge_base::gate::Gate;
use toolgauge_base::issue::Severity;
use toolgauge_model::Path;
use toolgauge_model::error::{Error, Result};

/// A difference with a p-value below this is significant.
const SIGNIFICANT: f64 = 0.05;

/// What the comparison of two runs is told about them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DiffOptions {
    /// Whether the gate fails if the second run is significantly worse. Default false.
    pub fail_on_worse: bool,
    /// Whether runs without a common task pass. Default false.
    pub allow_empty: bool,
    /// Whether tool definitions or expected calls are given.
    pub has_sides: bool,
    /// The option `taskKey`.
    pub task_key: Option<String>,
}

/// The difference of two runs of the same tasks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RunDiff {
    /// The first run.
    pub before: RunTotals,
    /// The second run.
    pub after: RunTotals,
    /// The difference of the pass rates over the tasks that both runs have. A task counts once, with the share of its
    /// trials that pass. `null` if there is no such task.
    pub pass_rate: Option<Comparison>,
    /// The difference of the mean scores over the tasks that have scores in both runs. A task counts once, with the mean
    /// of its trials. `null` if there is no such task.
    pub score: Option<Comparison>,
    /// The tasks that both runs have, the most changed first.
    pub tasks: Vec<TaskChange>,
    /// The tasks that only the first run has.
    pub only_before: Vec<String>,
    /// The tasks that only the second run has.
    pub only_after: Vec<String>,
    /// The issues that no trial of their task had in the first run, the worst first.
    pub new_issues: Vec<IssueChange>,
    /// The issues that no trial of their task has in the second run, the worst first.
    pub gone_issues: Vec<IssueChange>,
    /// Warnings about options without effect and what was left out.
    pub warnings: Vec<String>,
    /// Whether the second run passes.
    pub gate: Gate,
}

/// The size of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RunTotals {
    /// The number of tasks.
    pub tasks: u64,
    /// The number of trials: trajectories.
    pub trials: u64,
    /// How many trials pass.
    pub passed: u64,
    /// How many documents could not be read.
    pub unread: u64,
}

/// The difference of a mean over tasks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(rename = "RunComparison"))]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// The number of tasks.
    pub tasks: u64,
    /// The mean of the first run, from 0 to 1, to 4 decimals.
    pub before: f64,
    /// The mean of the second run, from 0 to 1, to 4 decimals.
    pub after: f64,
    /// The second mean minus the first, from -1 to 1, to 4 decimals.
    pub difference: f64,
    /// The ends of the 95% confidence interval of the difference, from -1 to 1, to 4 decimals; `null` for a single task.
    pub interval: Option<[f64; 2]>,
    /// The two-sided p-value of the paired permutation test, from 0 to 1, to 4 decimals.
    pub p_value: f64,
    /// What follows from the p-value.
    pub conclusion: Conclusion,
}

/// What follows from a p-value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(rename = "RunConclusion"))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Conclusion {
    /// The second run is better: the p-value is below 0.05.
    Better,
    /// The second run is worse: the p-value is below 0.05.
    Worse,
    /// The difference may be chance.
    Unclear,
}

/// A task that both runs have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct TaskChange {
    /// The task.
    pub task: String,
    /// How it changed: by the share of trials that pass or, if that is the same, by the mean score.
    pub direction: TaskDirection,
    /// Whether its trials agree now, or no longer; absent if nothing changed in this, or a run has a single trial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stability: Option<Stability>,
    /// Its trials in the first run.
    pub before: TaskResult,
    /// Its trials in the second run.
    pub after: TaskResult,
}

/// How a task changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum TaskDirection {
    /// It got better.
    Better,
    /// It got worse.
    Worse,
    /// It is the same.
    Same,
}

/// How the agreement of the trials of a task changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(rename = "TaskStability"))]
#[serde(rename_all = "lowercase")]
pub enum Stability {
    /// All trials passed, or all failed; now some pass and some fail.
    Flaky,
    /// Some trials passed and some failed; now they agree.
    Stable,
}

/// The trials of a task in one run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TaskResult {
    /// How many there are.
    pub trials: u64,
    /// How many of them pass.
    pub passed: u64,
    /// The mean of their scores, from 0 to 1, to 4 decimals; `null` if none has a score.
    pub score: Option<f64>,
}

/// An issue that only one of the runs has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct IssueChange {
    /// The task.
    pub task: String,
    /// The type of the issue; of calls that are not as expected `incorrect_call`, `missed_call`, `extra_call` or
    /// `forbidden_call`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The tool's name; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// Its worst severity; absent for calls that are not as expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// How many trials of the task have it.
    pub trials: u64,
}

/// Two runs of one task.
type Pair<'r> = (&'r TaskTrials, &'r TaskTrials);

/// Compares the run `before` with the run `after`, task by task.
///
/// # Errors
/// [`Error::InvalidOption`] if no trial of a run has the field that the option `taskKey` names;
/// [`Error::InvalidInput`] if one run was checked and the other scored.
pub fn compare(before: &Run, after: &Run, options: &DiffOptions) -> Result<RunDiff> {
    refuse_unlike(before, after)?;
    refuse_missing_key(before, after, options)?;
    let (earlier, later) = (before.by_name(), after.by_name());
    let pairs: BTreeMap<&str, Pair<'_>> = earlier
        .iter()
        .filter_map(|(name, trials)| Some((name.as_str(), (*trials, *later.get(name)?))))
        .collect();
    let pass_rates = pairs
        .values()
        .map(|(before, after)| (before.pass_rate(), after.pass_rate()));
    let scores = pairs
        .values()
        .filter_map(|(before, after)| Some((before.score()?, after.score()?)));
    let (pass_rate, score) = (comparison(pass_rates), comparison(scores));
    let failures = failures(pass_rate.as_ref(), score.as_ref(), options);
    Ok(RunDiff {
        before: totals(before, &earlier),
        after: totals(after, &later),
        tasks: changed_tasks(&pairs),
        only_before: missing(&earlier, &later),
        only_after: missing(&later, &earlier),
        new_issues: issues_of_second(pairs.iter().map(|(task, pair)| (*task, *pair))),
        gone_issues: issues_of_second(
            pairs
                .iter()
                .map(|(task, (before, after))| (*task, (*after, *before))),
        ),
        warnings: warnings(before, after, options),
        gate: Gate::of(failures),
        pass_rate,
        score,
    })
}

fn refuse_unlike(before: &Run, after: &Run) -> Result<()> {
    let measures = before.measures.union(&after.measures);
    if measures.count() < 2 {
        return Ok(());
    }
    let expected = "verdicts of one command in both runs";
    let actual = "those of check and of score";
    Err(Error::invalid_input(Path::root(), expected, actual))
}

fn refuse_missing_key(before: &Run, after: &Run, options: &DiffOptions) -> Result<()> {
    let Some(key) = &options.task_key else {
        return Ok(());
    };
    let lacks_key = |run: &Run| run.trials > 0 && run.without_key == run.trials;
    if lacks_key(before) || lacks_key(after) {
        let run = if lacks_key(before) { "first" } else { "second" };
        return Err(Error::InvalidOption {
            path: Path::root().key("options").key("taskKey"),
            reason: format!("no trajectory of the {run} run has the field {key:?}"),
        });
    }
    Ok(())
}

fn warnings(before: &Run, after: &Run, options: &DiffOptions) -> Vec<String> {
    let mut warnings = Vec::new();
    if options.has_sides && before.measured + after.measured == 0 {
        warnings.push(
            "tool definitions and expected calls have no effect: both runs are verdicts already"
                .to_owned(),
        );
    }
    let without_key = before.without_key + after.without_key;
    if let Some(key) = options.task_key.as_ref().filter(|_| without_key > 0) {
        let count = match without_key {
            1 => "1 trajectory has".to_owned(),
            count => format!("{count} trajectories have"),
        };
        warnings.push(format!("{count} no field {key:?}: the id is the task"));
    }
    warnings
}

fn totals(run: &Run, tasks: &BTreeMap<String, &TaskTrials>) -> RunTotals {
    RunTotals {
        tasks: tasks.len() as u64,
        trials: run.trials,
        passed: tasks.values().map(|task| task.passes).sum(),
        unread: run.unread,
    }
}

fn missing(
    tasks: &BTreeMap<String, &TaskTrials>,
    others: &BTreeMap<String, &TaskTrials>,
) -> Vec<String> {
    let names = tasks.keys().filter(|name| !others.contains_key(*name));
    names.cloned().collect()
}

/// Compares the means of pairs of values, one pair for each task.
fn comparison(pairs: impl Iterator<Item = (f64, f64)>) -> Option<Comparison> {
    let (before, after): (Vec<f64>, Vec<f64>) = pairs.unzip();
    let differences = before
        .iter()
        .zip(&after)
        .map(|(before, after)| after - before);
    let found = estimate(&differences.collect::<Vec<_>>())?;
    let mean = |values: &[f64]| to_4_decimals(values.iter().sum::<f64>() / values.len() as f64);
    Some(Comparison {
        tasks: before.len() as u64,
        before: mean(&before),
        after: mean(&after),
        difference: to_4_decimals(found.difference),
        interval: found
            .interval
            .map(|(low, high)| [low, high].map(to_4_decimals)),
        p_value: to_4_decimals(found.p_value),
        conclusion: match found.p_value < SIGNIFICANT {
            true if found.difference > 0.0 => Conclusion::Better,
            true => Conclusion::Worse,
            false => Conclusion::Unclear,
        },
    })
}

fn to_4_decimals(value: f64) -> f64 {
    // Adding 0 makes the negative zero positive.
    (value * 10_000.0).round() / 10_000.0 + 0.0
}

fn changed_tasks(pairs: &BTreeMap<&str, Pair<'_>>) -> Vec<TaskChange> {
    let mut tasks: Vec<_> = pairs
        .iter()
        .map(|(task, pair)| (rank_of(*pair), task_change(task, *pair)))
        .collect();
    tasks.sort_by_key(|(rank, _)| Reverse(*rank));
    tasks.into_iter().map(|(_, task)| task).collect()
}

/// Returns how much a task changed: its pass rate in thousandths, then its score, then whether its stability did.
fn rank_of((before, after): Pair<'_>) -> (u64, u64, bool) {
    let thousandths = |one: f64, other: f64| ((one - other).abs() * 1000.0).round() as u64;
    let scores = before.score().zip(after.score());
    (
        thousandths(before.pass_rate(), after.pass_rate()),
        scores.map_or(0, |(before, after)| thousandths(before, after)),
        stability((before, after)).is_some(),
    )
}

fn task_change(task: &str, pair: Pair<'_>) -> TaskChange {
    let result = |trials: &TaskTrials| TaskResult {
        trials: trials.trials,
        passed: trials.passes,
        score: trials.score().map(to_4_decimals),
    };
    TaskChange {
        task: task.to_owned(),
        direction: match order(pair) {
            Ordering::Less => TaskDirection::Better,
            Ordering::Greater => TaskDirection::Worse,
            Ordering::Equal => TaskDirection::Same,
        },
        stability: stability(pair),
        before: result(pair.0),
        after: result(pair.1),
    }
}

/// Compares shares by their integers, so that equal ones are equal.
fn order((before, after): Pair<'_>) -> Ordering {
    let share = |part: u64, other_whole: u64| u128::from(part) * u128::from(other_whole);
    let passes = share(before.passes, after.trials).cmp(&share(after.passes, before.trials));
    let is_scored = before.scored > 0 && after.scored > 0;
    let scores =
        share(before.thousandths, after.scored).cmp(&share(after.thousandths, before.scored));
    match is_scored {
        true => passes.then(scores),
        false => passes,
    }
}

fn stability((before, after): Pair<'_>) -> Option<Stability> {
    if before.trials < 2 || after.trials < 2 {
        return None;
    }
    match (before.is_flaky(), after.is_flaky()) {
        (false, true) => Some(Stability::Flaky),
        (true, false) => Some(Stability::Stable),
        (true, true) | (false, false) => None,
    }
}

/// Returns the issues that only the second run of each task has.
fn issues_of_second<'r>(pairs: impl Iterator<Item = (&'r str, Pair<'r>)>) -> Vec<IssueChange> {
    let mut issues: Vec<_> = pairs
        .flat_map(|(task, (first, second))| {
            let only = second
                .issues
                .iter()
                .filter(|(key, _)| !first.issues.contains_key(*key));
            only.map(move |(IssueKey { kind, tool }, found)| IssueChange {
                task: task.to_owned(),
                kind: kind.clone(),
                tool_name: Some(tool.clone()).filter(|tool| !tool.is_empty()),
                severity: found.severity,
                trials: found.trials,
            })
        })
        .collect();
    issues.sort_by_cached_key(|issue| {
        let worst_first = Reverse(issue.severity);
        (worst_first, issue.kind.clone(), issue.tool_name.clone())
    });
    issues
}

fn failures(
    pass_rate: Option<&Comparison>,
    score: Option<&Comparison>,
    options: &DiffOptions,
) -> Vec<String> {
    let mut failures = Vec::new();
    if pass_rate.is_none() && !options.allow_empty {
        failures.push("no task is in both runs".to_owned());
    }
    if options.fail_on_worse {
        let compared = [("pass rate", pass_rate), ("score", score)];
        let worse = compared.into_iter().filter_map(|(name, found)| {
            let found = found.filter(|found| found.conclusion == Conclusion::Worse)?;
            let Comparison {
                before,
                after,
                p_value,
                ..
            } = found;
            Some(format!(
                "the {name} fell from {before:.3} to {after:.3} (p = {p_value})"
            ))
        });
        failures.extend(worse);
    }
    failures
}
