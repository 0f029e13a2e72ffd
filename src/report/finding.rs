//! A checked trajectory in the form that all reports share, whatever their syntax.

use super::paint::{counted, visible};
use crate::batch::{CheckSummary, CheckedDocument, Place};
use crate::finding::{Finding, TrajectoryReport};
use toolgauge_base::issue::Severity;
use toolgauge_model::{Trajectory, start_of};

/// A trajectory with its location and its findings.
pub struct CheckedTrajectory<'d> {
    /// The location of its document.
    pub place: Place<'d>,
    /// The trajectory.
    pub trajectory: &'d Trajectory<'d>,
    /// The report of its check.
    pub report: &'d TrajectoryReport,
    /// Its issues, in the order of the calls.
    pub findings: Vec<Finding<'d>>,
}

impl<'d> CheckedTrajectory<'d> {
    /// Returns the judgements on the trajectories of a document, in their order.
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

    /// Returns its id or, if it has none, its place in the input: `line 7`, `#3`.
    pub fn name(&self) -> String {
        name_of(self.place, self.report.id.as_deref(), self.report.index)
    }

    /// Returns its worst severity.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }

    /// Describes it: `4 turns · 2 calls · score 0.300`.
    pub fn facts(&self) -> String {
        let turns = counted(self.report.turns, "turn");
        let calls = counted(self.report.calls, "call");
        format!("{turns} · {calls} · {}", score_text(self.report.score))
    }
}

/// Returns the id of a trajectory or, if it has none, its place in the input: `line 7`, `#3`.
pub fn name_of(place: Place<'_>, id: Option<&str>, index: usize) -> String {
    match (id, place.line, index) {
        (Some(id), _, _) if !id.is_empty() => visible(id),
        (_, Some(line), 0) => format!("line {line}"),
        (_, Some(line), index) => format!("line {line} #{index}"),
        (_, None, index) => format!("#{index}"),
    }
}

/// Returns the location of a document: `logs.jsonl · line 7`.
pub fn location_of(Place { source, line }: Place<'_>) -> String {
    let line = line.map(|line| format!("line {line}"));
    let parts = source.map(visible).into_iter().chain(line);
    parts.collect::<Vec<_>>().join(" · ")
}

/// Returns the name of a tool as visible text.
pub fn tool_name(name: Option<&str>) -> String {
    match name {
        Some(name) if !name.is_empty() => visible(name),
        _ => "(no name)".to_owned(),
    }
}

/// Returns `score 0.300`, or says that there is no score.
pub fn score_text(score: Option<f64>) -> String {
    score.map_or_else(
        || "no tool calls".to_owned(),
        |score| format!("score {score:.3}"),
    )
}

/// Shortens `text` to at most `most` characters, with an ellipsis if some are left out.
pub fn shortened(text: &str, most: usize) -> String {
    match start_of(text, most).len() < text.len() {
        true => format!("{}…", start_of(text, most.saturating_sub(1))),
        false => text.to_owned(),
    }
}

/// Lists the formats that the trajectories were read from.
pub fn formats_of(summary: &CheckSummary) -> String {
    let formats: Vec<_> = summary.formats.keys().map(String::as_str).collect();
    formats.join(", ")
}

/// Returns the number of issues of each severity, the worst first.
pub fn by_severity(summary: &CheckSummary) -> [(Severity, u64); 4] {
    Severity::ALL.map(|severity| {
        let count = summary.issues_by_severity.get(&severity);
        (severity, count.copied().unwrap_or_default())
    })
}

/// Returns the number of trajectories with issues.
pub fn faulty(summary: &CheckSummary) -> u64 {
    summary.trajectories.saturating_sub(summary.clean)
}

/// Counts what was read in a line: `2 documents, 12 calls, 11 results, 20 texts, 1 warning`.
pub fn read_totals(summary: &CheckSummary) -> String {
    let read = summary.documents.saturating_sub(summary.unread);
    let counts = [
        (read, "document"),
        (summary.calls, "call"),
        (summary.results, "result"),
        (summary.texts, "text"),
    ];
    let warnings = (summary.warnings, "warning");
    let counts = counts
        .into_iter()
        .chain((summary.warnings > 0).then_some(warnings));
    let counts: Vec<_> = counts.map(|(count, noun)| counted(count, noun)).collect();
    counts.join(", ")
}

/// Counts the trajectories in a line: `5 trajectories, 3 clean, 1 invalid`.
pub fn trajectory_totals(summary: &CheckSummary) -> String {
    let trajectories = counted(summary.trajectories, "trajectory");
    let mut totals = format!("{trajectories}, {} clean", summary.clean);
    let invalid = summary.trajectories.saturating_sub(summary.valid);
    if invalid > 0 {
        totals += &format!(", {invalid} invalid");
    }
    totals
}
