//! The report of a check: calls in order, what is wrong where, the totals.

use super::Layout;
use super::paint::{Page, Tone, counted, mark, tone_of, visible};
use crate::check::{CheckReport, CheckSummary, TrajectoryReport};
use crate::formats::ImportWarning;
use crate::issue::Severity;
use crate::model::{Role, Trajectory, Turn};
use crate::validate::{ToolUseIssue, ValidationResult};

/// Most warnings that are shown one by one.
const MOST_WARNINGS: usize = 10;

/// The report of `report`, whose trajectories are `trajectories`; `tools` is how many tools were known.
pub fn render_check(
    report: &CheckReport,
    trajectories: &[Trajectory<'_>],
    tools: Option<usize>,
    layout: Layout,
) -> String {
    let mut page = Page::new(layout);
    heading(&mut page, report, tools);
    for (trajectory, judged) in trajectories.iter().zip(&report.trajectories) {
        let shows_calls = trajectories.len() == 1 || judged.issues().next().is_some();
        trajectory_heading(&mut page, judged);
        if shows_calls {
            calls(&mut page, trajectory, &judged.results);
            page.gap();
        }
    }
    if !page_ends_with_gap(report, trajectories.len()) {
        page.gap();
    }
    warnings(&mut page, &report.warnings);
    summary(&mut page, &report.summary);
    gate(&mut page, &report.gate);
    page.into_text()
}

fn page_ends_with_gap(report: &CheckReport, trajectories: usize) -> bool {
    let last = report.trajectories.last();
    trajectories == 1 || last.is_some_and(|last| last.issues().next().is_some())
}

fn heading(page: &mut Page, report: &CheckReport, tools: Option<usize>) {
    let tools = tools.map_or("no tool definitions".to_owned(), |count| {
        counted(count, "tool")
    });
    let facts = format!(
        "{} · {} · {tools}",
        report.format.label(),
        counted(report.summary.trajectories, "trajectory"),
    );
    page.line(&format!(
        "{}  {}",
        page.paint(Tone::Strong, "toolgauge check"),
        page.paint(Tone::Quiet, &facts)
    ));
    page.gap();
}

fn trajectory_heading(page: &mut Page, report: &TrajectoryReport) {
    let (sign, tone) = mark(report.issues().map(|issue| issue.severity).max());
    let name = match &report.id {
        Some(id) => visible(id),
        None => format!("#{}", report.index),
    };
    let score = report.score.map_or("no tool calls".to_owned(), |score| {
        format!("score {score:.3}")
    });
    let facts = format!(
        "{} · {} · {score}",
        counted(report.turns, "turn"),
        counted(report.calls, "call")
    );
    page.line(&format!(
        "{} {}  {}",
        page.paint(tone, sign),
        page.paint(Tone::Strong, &name),
        page.paint(Tone::Quiet, &facts)
    ));
}

fn calls(page: &mut Page, trajectory: &Trajectory<'_>, results: &[ValidationResult]) {
    let calling = |turn: &&Turn<'_>| turn.role == Role::Agent && !turn.tool_calls.is_empty();
    for (turn, result) in trajectory.turns.iter().filter(calling).zip(results) {
        for (index, call) in turn.tool_calls.iter().enumerate() {
            let issues: Vec<_> = result
                .issues
                .iter()
                .filter(|issue| issue.details.call_index == index)
                .collect();
            let (sign, tone) = mark(issues.iter().map(|issue| issue.severity).max());
            let place = format!("turn {:<3}", turn.turn_id);
            let start = format!(
                "  {} {} ",
                page.paint(Tone::Quiet, &place),
                page.paint(tone, sign)
            );
            let name = call
                .name
                .filter(|name| !name.is_empty())
                .unwrap_or("(no name)");
            let room = page.columns().saturating_sub(13);
            let shown = page.call(name, call.arguments, room);
            page.line(&format!("{start}{shown}"));
            for issue in issues {
                issue_line(page, issue);
            }
        }
        for suggestion in &result.suggestions {
            page.item(13, "→", Tone::Good, 2, &visible(suggestion));
        }
    }
}

fn issue_line(page: &mut Page, issue: &ToolUseIssue) {
    let text = format!("{}  {}", issue.kind.label(), visible(&issue.description));
    page.item(
        13,
        issue.severity.label(),
        tone_of(issue.severity),
        10,
        &text,
    );
}

fn warnings(page: &mut Page, warnings: &[ImportWarning]) {
    for warning in warnings.iter().take(MOST_WARNINGS) {
        let place = if warning.path.is_empty() {
            String::new()
        } else {
            format!("{}: ", warning.path)
        };
        page.item(
            0,
            "warning",
            Tone::Doubtful,
            9,
            &visible(&format!("{place}{}", warning.message)),
        );
    }
    if warnings.len() > MOST_WARNINGS {
        let more = counted(warnings.len() - MOST_WARNINGS, "more warning");
        page.item(0, "warning", Tone::Doubtful, 9, &more);
    }
    if !warnings.is_empty() {
        page.gap();
    }
}

fn summary(page: &mut Page, summary: &CheckSummary) {
    let totals = format!(
        "{}, {} clean, {} · {}",
        counted(summary.trajectories, "trajectory"),
        summary.clean,
        match summary.trajectories - summary.valid {
            0 => "none invalid".to_owned(),
            invalid => format!("{invalid} invalid"),
        },
        counted(summary.calls, "call"),
    );
    page.item(0, "checked", Tone::Strong, 9, &totals);
    page.item(0, "issues", Tone::Strong, 9, &issue_totals(summary));
    let score = summary
        .score
        .map_or("none: no tool was called".to_owned(), |score| {
            format!("{score:.3}")
        });
    page.item(0, "score", Tone::Strong, 9, &score);
}

fn issue_totals(summary: &CheckSummary) -> String {
    if summary.issues == 0 {
        return "none".to_owned();
    }
    let by_severity: Vec<_> = Severity::ALL
        .iter()
        .filter_map(|severity| {
            let count = *summary.issues_by_severity.get(severity)?;
            (count > 0).then(|| format!("{count} {}", severity.label()))
        })
        .collect();
    let mut by_type: Vec<_> = summary.issues_by_type.iter().collect();
    by_type.sort_by_key(|(kind, count)| (std::cmp::Reverse(**count), **kind));
    let by_type: Vec<_> = by_type
        .iter()
        .map(|(kind, count)| format!("{} {count}", kind.label()))
        .collect();
    format!(
        "{} ({}): {}",
        summary.issues,
        by_severity.join(", "),
        by_type.join(", ")
    )
}

/// The line that says whether the input passes.
pub fn gate(page: &mut Page, gate: &crate::check::Gate) {
    match gate.passed {
        true => page.item(0, "gate", Tone::Good, 9, "passed"),
        false => page.item(
            0,
            "gate",
            Tone::Bad,
            9,
            &format!("failed: {}", gate.failures.join("; ")),
        ),
    }
}
