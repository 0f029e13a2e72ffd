//! The report of the difference of two runs: what changed for each task, the new and the gone issues, and how sure the
//! difference of the means is.

mod markdown;
mod pretty;
#[cfg(test)]
mod tests;

use serde::Deserialize;
use strum::{IntoStaticStr, VariantArray};

use super::Layout;
use super::finding::{shortened, tool_name};
use super::json::to_json;
use super::paint::{counted, visible};
use crate::diff::{
    Comparison, IssueChange, RunDiff, Stability, TaskChange, TaskDirection, TaskResult,
};
use toolgauge_base::issue::Severity;

/// The most characters of the name of a task or of a tool.
const LONGEST_NAME: usize = 80;

/// The most tasks that are named with an issue.
const MOST_NAMED: usize = 5;

/// The formats of the difference of two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, IntoStaticStr, VariantArray)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum DiffFormat {
    /// Text for a terminal.
    #[default]
    Pretty,
    /// GitHub's Markdown, for a comment on a pull request: at most 65,536 bytes.
    Markdown,
    /// One JSON document.
    Json,
}

/// How the difference of two runs is rendered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DiffStyle {
    /// The format.
    pub format: DiffFormat,
    /// The layout of the report for people.
    pub layout: Layout,
    /// The names of the first and the second run.
    pub names: [String; 2],
}

/// Renders the difference of two runs.
pub fn render_diff(diff: &RunDiff, style: &DiffStyle) -> String {
    match style.format {
        DiffFormat::Pretty => pretty::render(diff, style),
        DiffFormat::Markdown => markdown::render(diff, style),
        DiffFormat::Json => to_json(diff) + "\n",
    }
}

/// Tasks that changed alike, or issues that only one run has.
struct Section<'d> {
    title: &'static str,
    entries: Vec<Entry<'d>>,
}

enum Entry<'d> {
    Task(&'d TaskChange),
    Issue(IssueGroup<'d>),
    Name(&'d str),
}

/// An issue of several tasks.
struct IssueGroup<'d> {
    severity: Option<Severity>,
    kind: &'d str,
    tool: Option<&'d str>,
    tasks: Vec<&'d str>,
}

/// Returns the lists of a report that are not empty, what matters most first.
fn sections(diff: &RunDiff) -> Vec<Section<'_>> {
    let tasks = |direction| {
        let tasks = diff
            .tasks
            .iter()
            .filter(move |task| task.direction == direction);
        tasks.map(Entry::Task).collect()
    };
    let all = [
        ("Worse", tasks(TaskDirection::Worse)),
        ("Better", tasks(TaskDirection::Better)),
        ("New issues", issue_entries(&diff.new_issues)),
        ("Gone issues", issue_entries(&diff.gone_issues)),
        ("Only in the first run", name_entries(&diff.only_before)),
        ("Only in the second run", name_entries(&diff.only_after)),
    ];
    let all = all
        .into_iter()
        .map(|(title, entries)| Section { title, entries });
    all.filter(|section| !section.entries.is_empty()).collect()
}

fn issue_entries(issues: &[IssueChange]) -> Vec<Entry<'_>> {
    groups(issues).into_iter().map(Entry::Issue).collect()
}

fn name_entries(names: &[String]) -> Vec<Entry<'_>> {
    names.iter().map(|name| Entry::Name(name)).collect()
}

/// Groups issues, which are sorted, by severity, type and tool.
fn groups(issues: &[IssueChange]) -> Vec<IssueGroup<'_>> {
    let is_alike = |one: &IssueChange, other: &IssueChange| {
        (one.severity, &one.kind, &one.tool_name) == (other.severity, &other.kind, &other.tool_name)
    };
    let groups = issues.chunk_by(is_alike).filter_map(|group| {
        let first = group.first()?;
        Some(IssueGroup {
            severity: first.severity,
            kind: &first.kind,
            tool: first.tool_name.as_deref(),
            tasks: group.iter().map(|issue| issue.task.as_str()).collect(),
        })
    });
    groups.collect()
}

impl IssueGroup<'_> {
    /// Returns `high`, or `call` for a call that is not as expected.
    fn label(&self) -> &'static str {
        self.severity.map_or("call", Severity::label)
    }

    fn tool(&self) -> String {
        name_of(&tool_name(self.tool))
    }

    /// Returns `3 tasks: a, b, c`, with at most five names.
    fn tasks(&self) -> String {
        let named = self.tasks.iter().take(MOST_NAMED).map(|task| name_of(task));
        let named = named.collect::<Vec<_>>().join(", ");
        let more = if self.tasks.len() > MOST_NAMED {
            ", …"
        } else {
            ""
        };
        format!("{}: {named}{more}", counted(self.tasks.len(), "task"))
    }
}

/// Returns the name of a task or a tool as a short visible text.
fn name_of(name: &str) -> String {
    shortened(&visible(name), LONGEST_NAME)
}

/// Returns what changed for a task: `4/4 → 1/4 passed, score 0.950 → 0.600, now flaky`.
fn change_of(task: &TaskChange) -> String {
    let TaskChange { before, after, .. } = task;
    let passed = match (before.trials, after.trials) {
        (1, 1) => format!("{} → {}", outcome(before), outcome(after)),
        _ => format!("{} → {} passed", share(before), share(after)),
    };
    let scores = before.score.zip(after.score);
    let scores = scores.map(|(before, after)| format!("score {before:.3} → {after:.3}"));
    let stability = task.stability.map(|stability| match stability {
        Stability::Flaky => "now flaky".to_owned(),
        Stability::Stable => "now stable".to_owned(),
    });
    let facts = std::iter::once(passed).chain(scores).chain(stability);
    facts.collect::<Vec<_>>().join(", ")
}

fn outcome(result: &TaskResult) -> &'static str {
    match result.passed {
        0 => "failed",
        _ => "passed",
    }
}

fn share(result: &TaskResult) -> String {
    format!("{}/{}", result.passed, result.trials)
}

/// Returns how many tasks changed, and how.
fn task_totals(diff: &RunDiff) -> String {
    let count = |direction| {
        diff.tasks
            .iter()
            .filter(|task| task.direction == direction)
            .count()
    };
    let stability = |wanted| {
        diff.tasks
            .iter()
            .filter(|task| task.stability == Some(wanted))
            .count()
    };
    let [better, worse, same] = [
        TaskDirection::Better,
        TaskDirection::Worse,
        TaskDirection::Same,
    ]
    .map(count);
    let mut text = format!(
        "{} in both runs: {better} better, {worse} worse, {same} the same",
        counted(diff.tasks.len(), "task")
    );
    for (count, what) in [
        (stability(Stability::Flaky), "now flaky"),
        (stability(Stability::Stable), "now stable"),
    ] {
        if count > 0 {
            text += &format!(", {count} {what}");
        }
    }
    text
}

/// Returns `12 tasks, 48 trials`, for each run.
fn run_totals(diff: &RunDiff) -> [String; 2] {
    [diff.before, diff.after].map(|run| {
        let unread = match run.unread {
            0 => String::new(),
            unread => format!(", {unread} not read"),
        };
        let (tasks, trials) = (counted(run.tasks, "task"), counted(run.trials, "trial"));
        format!("{tasks}, {trials}{unread}")
    })
}

/// Returns the interval of a comparison: `-0.085 to +0.585`.
fn interval_of(comparison: &Comparison) -> Option<String> {
    let [low, high] = comparison.interval?;
    Some(format!("{low:+.3} to {high:+.3}"))
}

/// Returns a p-value: `p = 0.03`, `p < 0.001`.
fn p_value_of(comparison: &Comparison) -> String {
    match comparison.p_value {
        p if p < 0.001 => "p < 0.001".to_owned(),
        p if p < 0.1 => format!("p = {p:.3}"),
        p => format!("p = {p:.2}"),
    }
}
