//! A checked input as the reports for programs and pages tell it, whatever their syntax.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Deserialize;

use super::paint::{counted, visible};
use super::{render_github, render_html, render_junit, render_markdown, render_sarif};
use crate::batch::CheckReport;
use crate::check::{FoundType, TrajectoryReport};
use crate::gate::FailOn;
use crate::issue::{Issue, Severity};
use crate::model::Trajectory;

/// The syntaxes of the reports for programs and pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ReportSyntax {
    /// JUnit XML, as Jenkins and Surefire describe it: a test case for each trajectory.
    Junit,
    /// SARIF 2.1.0: a result for each issue.
    Sarif,
    /// Workflow commands of GitHub Actions: an annotation for each issue, as many as GitHub shows.
    Github,
    /// GitHub's Markdown, for a comment or a job summary: at most 65,536 bytes.
    Markdown,
    /// One HTML page that needs no other file and no script.
    Html,
}

/// An input that was checked, and where it stands.
pub struct CheckedInput<'r, 'a> {
    /// The name of its file, from the root of the repository; empty when it has none.
    pub source: &'r str,
    /// The line that holds it, from 1, in a file of one document a line.
    pub line: Option<usize>,
    /// What was found.
    pub report: &'r CheckReport,
    /// The trajectories that `report` is about.
    pub trajectories: &'r [Trajectory<'a>],
    /// What makes a trajectory fail.
    pub fail_on: FailOn,
}

impl CheckedInput<'_, '_> {
    /// The report in this syntax.
    pub fn render(&self, syntax: ReportSyntax) -> String {
        match syntax {
            ReportSyntax::Junit => render_junit(self),
            ReportSyntax::Sarif => render_sarif(self),
            ReportSyntax::Github => render_github(self),
            ReportSyntax::Markdown => render_markdown(self),
            ReportSyntax::Html => render_html(self),
        }
    }

    /// The trajectories, in the order of the input.
    pub fn judged(&self) -> impl Iterator<Item = Judged<'_>> {
        self.report.trajectories.iter().map(|report| Judged {
            report,
            findings: findings(report),
        })
    }

    /// The trajectories with issues, the worst first.
    pub fn faulty(&self) -> Vec<Judged<'_>> {
        let mut faulty: Vec<_> = self.judged().filter(|it| !it.findings.is_empty()).collect();
        faulty.sort_by(|one, other| {
            let scores = (one.report.score, other.report.score);
            let by_score = scores.0.partial_cmp(&scores.1);
            Reverse(one.worst())
                .cmp(&Reverse(other.worst()))
                .then(by_score.unwrap_or(std::cmp::Ordering::Equal))
        });
        faulty
    }

    /// How many issues there are of each type, the most frequent first.
    pub fn by_type(&self) -> Vec<(FoundType, usize)> {
        let mut counts = BTreeMap::new();
        for issue in self.report.trajectories.iter().flat_map(|it| it.issues()) {
            *counts.entry(issue.kind).or_insert(0) += 1;
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(kind, count)| (Reverse(*count), *kind));
        counts
    }

    /// How many issues there are of each severity, the worst first.
    pub fn by_severity(&self) -> [(Severity, usize); 4] {
        Severity::ALL.map(|severity| {
            let issues = self.report.trajectories.iter().flat_map(|it| it.issues());
            let count = issues.filter(|issue| issue.severity == severity).count();
            (severity, count)
        })
    }

    /// The issues as a line: `3 high, 1 low`.
    pub fn issue_totals(&self) -> String {
        let counts = self.by_severity().into_iter();
        let counts: Vec<_> = counts
            .filter(|(_, count)| *count > 0)
            .map(|(severity, count)| format!("{count} {}", severity.label()))
            .collect();
        if counts.is_empty() {
            return "none".to_owned();
        }
        counts.join(", ")
    }

    /// The trajectories as a line: `5 trajectories, 3 clean, 1 invalid`.
    pub fn trajectory_totals(&self) -> String {
        let all = &self.report.trajectories;
        let clean = all.iter().filter(|it| it.issues().next().is_none()).count();
        let invalid = all.iter().filter(|it| !it.valid).count();
        let mut totals = format!("{}, {clean} clean", counted(all.len(), "trajectory"));
        if invalid > 0 {
            totals += &format!(", {invalid} invalid");
        }
        totals
    }

    /// How many tools are called.
    pub fn calls(&self) -> usize {
        self.report.trajectories.iter().map(|it| it.calls).sum()
    }

    /// Whether an issue of this severity makes the check fail.
    pub fn fails(&self, severity: Severity) -> bool {
        match self.fail_on {
            FailOn::Low => true,
            FailOn::Medium => severity >= Severity::Medium,
            FailOn::High => severity >= Severity::High,
            FailOn::Critical => severity == Severity::Critical,
            FailOn::Never => false,
        }
    }
}

/// A trajectory and what is wrong with it.
pub struct Judged<'r> {
    /// What was found.
    pub report: &'r TrajectoryReport,
    /// Its issues, in the order of the calls.
    pub findings: Vec<Finding<'r>>,
}

impl Judged<'_> {
    /// Its id or, without one, its place in the input: `#3`.
    pub fn name(&self) -> String {
        match &self.report.id {
            Some(id) if !id.is_empty() => visible(id),
            _ => format!("#{}", self.report.index),
        }
    }

    /// Its worst severity.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }

    /// `4 turns · 2 calls · score 0.300`.
    pub fn facts(&self) -> String {
        let turns = counted(self.report.turns, "turn");
        let calls = counted(self.report.calls, "call");
        format!("{turns} · {calls} · {}", score_text(self.report.score))
    }
}

/// An issue and where it is.
pub struct Finding<'r> {
    /// What is wrong.
    pub kind: FoundType,
    /// How bad it is.
    pub severity: Severity,
    /// A sentence for people, as the judge wrote it.
    pub description: &'r str,
    /// The number of the turn that made the call.
    pub turn: Option<i64>,
    /// The place of the call among the turn's calls, from 0.
    pub call: usize,
    /// The tool's name as it was called.
    pub tool: Option<&'r str>,
}

impl<'r> Finding<'r> {
    fn of<Type: Copy + Into<FoundType>, Details>(
        issue: &'r Issue<Type, Details>,
        call: usize,
    ) -> Self {
        Self {
            kind: issue.kind.into(),
            severity: issue.severity,
            description: &issue.description,
            turn: issue.turn_id,
            call,
            tool: issue.tool_name.as_deref(),
        }
    }

    /// `turn 3, call 1`; calls are counted from 1.
    pub fn place(&self) -> String {
        let call = self.call + 1;
        self.turn.map_or_else(
            || format!("call {call}"),
            |turn| format!("turn {turn}, call {call}"),
        )
    }

    /// The tool's name, fit to be shown.
    pub fn tool_name(&self) -> String {
        tool_name(self.tool)
    }
}

/// The name of a tool, fit to be shown.
pub fn tool_name(name: Option<&str>) -> String {
    match name {
        Some(name) if !name.is_empty() => visible(name),
        _ => "(no name)".to_owned(),
    }
}

/// `score 0.300`, or that there is none.
pub fn score_text(score: Option<f64>) -> String {
    score.map_or_else(
        || "no tool calls".to_owned(),
        |score| format!("score {score:.3}"),
    )
}

/// At most `most` characters of `text`; where some are left out, an ellipsis says so.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => {
            let kept = text.chars().take(most.saturating_sub(1));
            kept.chain(['…']).collect()
        }
    }
}

fn findings(report: &TrajectoryReport) -> Vec<Finding<'_>> {
    let calls = report.results.iter().flat_map(|result| &result.issues);
    let calls = calls.map(|issue| Finding::of(issue, issue.details.call_index));
    let results = report.malformed_results.iter();
    let results = results.map(|issue| Finding::of(issue, issue.details.call_index));
    calls.chain(results).collect()
}
