//! A trial: one trajectory of a run, with what a check or a score says about it.

use super::run::{IssueKey, Measure};
use crate::finding::TrajectoryReport;
use toolgauge_base::issue::Severity;
use toolgauge_base::trials::{TaskName, task_label, value_at};
use toolgauge_model::{Json, Trajectory};
use toolgauge_score::{AccuracyResult, TrajectoryScore};

/// One trajectory of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// The task; `None` if the trajectory names none.
    pub task: Option<String>,
    /// Whether `task` is what the option `taskKey` names.
    pub has_key: bool,
    /// Its position in its document, from 0.
    pub index: usize,
    /// Whether it passes.
    pub passed: bool,
    /// Its score, from 0 to 1; `None` if it called no tools.
    pub score: Option<f64>,
    /// Its issues; those with one key may occur several times.
    pub issues: Vec<TrialIssue>,
    /// Where passing, score and issues come from.
    pub measure: Measure,
}

/// An issue of a trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrialIssue {
    /// What it is about.
    pub key: IssueKey,
    /// Its severity; `None` for a call that is not as expected.
    pub severity: Option<Severity>,
}

/// A task, and whether it is what the option `taskKey` names.
type Named = (Option<String>, bool);

fn named(by_key: Option<String>, otherwise: impl FnOnce() -> Option<String>) -> Named {
    match by_key {
        Some(task) => (Some(task), true),
        None => (otherwise(), false),
    }
}

/// Returns the task of a trajectory: what its field `key` names, or else `task_id`, or else its id.
fn task_of(trajectory: &Trajectory<'_>, key: Option<&str>) -> Named {
    let task = |key| {
        let task = TaskName::of(trajectory, key);
        let name = task.name(trajectory.trajectory_id);
        name.filter(|name| !name.is_empty()).map(str::to_owned)
    };
    named(key.and_then(|key| task(Some(key))), || task(None))
}

/// Returns the task of a verdict: what its field `key` names, or else `task`, or else `id`.
fn task_of_verdict(verdict: Json<'_>, key: Option<&str>) -> Named {
    let task = |key| task_label(value_at(verdict, key)?);
    named(key.and_then(task), || {
        ["task", "id"].into_iter().find_map(task)
    })
}

impl Trial {
    /// Creates the trial of a trajectory that was checked.
    pub fn checked(
        trajectory: &Trajectory<'_>,
        report: &TrajectoryReport,
        key: Option<&str>,
    ) -> Self {
        let (task, has_key) = task_of(trajectory, key);
        let issue = |kind: &str, tool: Option<&str>, severity| TrialIssue {
            key: IssueKey::new(kind, tool),
            severity: Some(severity),
        };
        let issues = report.issues();
        Self {
            task,
            has_key,
            index: report.index,
            passed: report.passed,
            score: report.score,
            issues: issues
                .map(|found| issue(found.kind.label(), found.tool, found.severity))
                .collect(),
            measure: Measure::Check,
        }
    }

    /// Creates the trial of a trajectory that was scored.
    pub fn scored(
        trajectory: &Trajectory<'_>,
        found: &TrajectoryScore<'_>,
        key: Option<&str>,
        passed: bool,
    ) -> Self {
        let (task, has_key) = task_of(trajectory, key);
        let accuracy = &found.accuracy;
        Self {
            task,
            has_key,
            index: found.index,
            passed,
            score: Some(accuracy.score),
            issues: unexpected(accuracy),
            measure: Measure::Score,
        }
    }

    /// Reads a verdict, as a line of `toolgauge check` or `score` with `--format jsonl` contains it. `None` if `verdict`
    /// is something else.
    pub fn of_verdict(verdict: Json<'_>, key: Option<&str>, pass_score: f64) -> Option<Self> {
        let index = number(verdict.get("index")?)? as usize;
        let accuracy = verdict.get("accuracy");
        let results = verdict.get("results").and_then(Json::items);
        let (passed, score, issues, measure) = match (accuracy, results) {
            (Some(accuracy), None) => {
                let score = number(accuracy.get("score")?)?;
                let issues = unexpected_in(accuracy);
                // Both lists are absent if there is nothing in them.
                let is_met = ["forbiddenCalls", "failures"]
                    .iter()
                    .all(|list| accuracy.get(list).is_none());
                let passed = is_met && score >= pass_score;
                (passed, Some(score), issues, Measure::Score)
            }
            (None, Some(results)) => {
                let Json::Bool(passed) = verdict.get("passed")? else {
                    return None;
                };
                let score = verdict.get("score").and_then(number);
                let issues = issues_in(verdict, results);
                (passed, score, issues, Measure::Check)
            }
            _ => return None,
        };
        let (task, has_key) = task_of_verdict(verdict, key);
        Some(Self {
            task,
            has_key,
            index,
            passed,
            score,
            issues,
            measure,
        })
    }
}

fn number(json: Json<'_>) -> Option<f64> {
    match json {
        Json::Number(number) => Some(number.as_f64()),
        _ => None,
    }
}

/// Returns the issues of the verdict of a check.
fn issues_in(verdict: Json<'_>, results: &[Json<'_>]) -> Vec<TrialIssue> {
    let lists = results.iter().filter_map(|result| result.get("issues"));
    let further = ["malformedResults", "resultIssues", "reflectionIssues"];
    let lists = lists.chain(further.iter().filter_map(|key| verdict.get(key)));
    let issues = lists.filter_map(Json::items).flatten();
    issues.filter_map(|issue| issue_in(*issue)).collect()
}

fn issue_in(issue: Json<'_>) -> Option<TrialIssue> {
    let text = |key: &str| issue.get(key).and_then(Json::as_str);
    let severity = text("severity");
    Some(TrialIssue {
        key: IssueKey::new(text("type")?, text("toolName")),
        severity: Severity::ALL
            .into_iter()
            .find(|known| severity == Some(known.label())),
    })
}

/// The kinds of calls that are not as expected, as issues name them.
const KINDS: [&str; 4] = [
    "incorrect_call",
    "missed_call",
    "extra_call",
    "forbidden_call",
];

fn not_expected(kind: &str, tool: Option<&str>) -> TrialIssue {
    TrialIssue {
        key: IssueKey::new(kind, tool),
        severity: None,
    }
}

/// Returns the calls of a score that are not as expected.
fn unexpected(accuracy: &AccuracyResult<'_>) -> Vec<TrialIssue> {
    let [incorrect, missed, extra, forbidden] = KINDS;
    let incorrect_calls = accuracy.incorrect_calls.iter();
    let missed_calls = accuracy.missed_calls.iter();
    let forbidden_calls = accuracy.forbidden_calls.iter();
    incorrect_calls
        .map(|call| (incorrect, call.expected.tool))
        .chain(missed_calls.map(|call| (missed, call.expected.tool)))
        .chain(accuracy.extra_calls.iter().map(|call| (extra, call.tool)))
        .chain(forbidden_calls.map(|call| (forbidden, call.actual.tool)))
        .map(|(kind, tool)| not_expected(kind, Some(tool)))
        .collect()
}

/// Like [`unexpected`], for a score as JSON.
fn unexpected_in(accuracy: Json<'_>) -> Vec<TrialIssue> {
    let lists = [
        ("incorrectCalls", Some("expected")),
        ("missedCalls", Some("expected")),
        ("extraCalls", None),
        ("forbiddenCalls", Some("actual")),
    ];
    let mut issues = Vec::new();
    for ((list, side), kind) in lists.into_iter().zip(KINDS) {
        let calls = accuracy.get(list).and_then(Json::items);
        for call in calls.unwrap_or_default() {
            let call = side.map_or(Some(*call), |side| call.get(side));
            let tool = call.and_then(|call| call.get("tool"));
            issues.push(not_expected(kind, tool.and_then(Json::as_str)));
        }
    }
    issues
}
