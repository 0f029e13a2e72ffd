//! A checked trajectory as the reports for programs and pages tell it, whatever their syntax.

use super::paint::{counted, visible};
use crate::batch::{CheckSummary, CheckedDocument, Place};
use crate::finding::{Finding, TrajectoryReport};
use crate::issue::Severity;
use crate::model::{Trajectory, start_of};

/// A trajectory, where it stands, and what is wrong with it.
pub struct CheckedTrajectory<'d> {
    /// Where its document stands.
    pub place: Place<'d>,
    /// The trajectory.
    pub trajectory: &'d Trajectory<'d>,
    /// What was found.
    pub report: &'d TrajectoryReport,
    /// Its issues, in the order of the calls.
    pub findings: Vec<Finding<'d>>,
}

impl<'d> CheckedTrajectory<'d> {
    /// The checked trajectories of a document, in their order.
    pub fn all(document: &'d CheckedDocument<'_, 'd>) -> impl Iterator<Item = Self> {
        let place = document.place;
        let checked = document.outcome.iter();
        checked.flat_map(move |checked| {
            checked
                .trajectories()
                .map(move |(trajectory, report)| Self {
                    place,
                    trajectory,
                    report,
                    findings: report.issues().collect(),
                })
        })
    }

    /// Its id or, without one, its place in the input: `line 7`, `#3`.
    pub fn name(&self) -> String {
        match (&self.report.id, self.place.line, self.report.index) {
            (Some(id), _, _) if !id.is_empty() => visible(id),
            (_, Some(line), 0) => format!("line {line}"),
            (_, Some(line), index) => format!("line {line} #{index}"),
            (_, None, index) => format!("#{index}"),
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

/// The place of a document as reports tell it: `logs.jsonl · line 7`.
pub fn tell(Place { source, line }: Place<'_>) -> String {
    let line = line.map(|line| format!("line {line}"));
    let parts = source.map(visible).into_iter().chain(line);
    parts.collect::<Vec<_>>().join(" · ")
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
    match start_of(text, most).len() < text.len() {
        true => format!("{}…", start_of(text, most.saturating_sub(1))),
        false => text.to_owned(),
    }
}

/// The formats that the trajectories were read from.
pub fn formats_of(summary: &CheckSummary) -> String {
    let formats: Vec<_> = summary.formats.keys().map(String::as_str).collect();
    formats.join(", ")
}

/// How many issues there are of each severity, the worst first.
pub fn by_severity(summary: &CheckSummary) -> [(Severity, u64); 4] {
    Severity::ALL.map(|severity| {
        let count = summary.issues_by_severity.get(&severity);
        (severity, count.copied().unwrap_or_default())
    })
}

/// How many trajectories have issues.
pub fn faulty(summary: &CheckSummary) -> u64 {
    summary.trajectories.saturating_sub(summary.clean)
}

/// The trajectories as a line: `5 trajectories, 3 clean, 1 invalid`.
pub fn trajectory_totals(summary: &CheckSummary) -> String {
    let trajectories = counted(summary.trajectories, "trajectory");
    let mut totals = format!("{trajectories}, {} clean", summary.clean);
    let invalid = summary.trajectories.saturating_sub(summary.valid);
    if invalid > 0 {
        totals += &format!(", {invalid} invalid");
    }
    totals
}
