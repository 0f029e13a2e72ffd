//! The report of a check: calls in order, what is wrong where, the totals.

use std::collections::BTreeSet;

use super::Layout;
use super::paint::{Page, Tone, counted, mark, tone_of, visible};
use crate::check::{CheckReport, CheckSummary, Found, TrajectoryReport};
use crate::issue::Severity;
use crate::model::Trajectory;

/// The report of `report`, whose trajectories are `trajectories`; `tools` is how many tools were given.
pub fn render_check(
    report: &CheckReport,
    trajectories: &[Trajectory<'_>],
    tools: Option<usize>,
    layout: Layout,
) -> String {
    let mut page = Page::new(layout);
    let tools = match tools {
        Some(count) => counted(count, "tool"),
        None if trajectories.iter().any(|it| it.tools.is_some()) => "its own tools".to_owned(),
        None => "no tool definitions".to_owned(),
    };
    let count = counted(report.summary.trajectories, "trajectory");
    page.heading(
        "toolgauge check",
        &format!("{} · {count} · {tools}", report.format.label()),
    );
    for (trajectory, judged) in trajectories.iter().zip(&report.trajectories) {
        trajectory_heading(&mut page, judged);
        if trajectories.len() == 1 || judged.issues().next().is_some() {
            calls(&mut page, trajectory, judged);
            page.gap();
        }
    }
    page.end_section();
    page.warnings(&report.warnings);
    summary(&mut page, &report.summary);
    page.gate(&report.gate);
    page.into_text()
}

fn trajectory_heading(page: &mut Page, report: &TrajectoryReport) {
    let (sign, tone) = mark(report.issues().map(|issue| issue.severity).max());
    let score = match report.score {
        Some(score) => format!("score {score:.3}"),
        None => "no tool calls".to_owned(),
    };
    let turns = counted(report.turns, "turn");
    let calls = counted(report.calls, "call");
    let facts = format!("{turns} · {calls} · {score}");
    page.trajectory(sign, tone, report.id.as_deref(), report.index, &facts);
}

fn calls(page: &mut Page, trajectory: &Trajectory<'_>, report: &TrajectoryReport) {
    let calling = trajectory
        .agent_turns()
        .filter(|(_, turn)| !turn.tool_calls.is_empty());
    let mut malformed = report.malformed_results.iter().peekable();
    for ((_, turn), result) in calling.zip(&report.results) {
        for (index, call) in turn.tool_calls.iter().enumerate() {
            let of_call = result.issues.iter();
            let of_call = of_call.filter(|issue| issue.details.call_index == index);
            let of_result = malformed.next_if(|issue| {
                (issue.turn_id, issue.details.call_index) == (Some(turn.turn_id), index)
            });
            let issues: Vec<_> = of_call
                .map(Found::of)
                .chain(of_result.map(Found::of))
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
        let mut shown = BTreeSet::new();
        for suggestion in &result.suggestions {
            if shown.insert(suggestion) {
                page.item(13, "→", Tone::Good, 2, &visible(suggestion));
            }
        }
    }
}

fn issue_line(page: &mut Page, issue: Found<'_>) {
    let text = format!("{}  {}", issue.kind.label(), visible(issue.description));
    page.item(
        13,
        issue.severity.label(),
        tone_of(issue.severity),
        10,
        &text,
    );
}

fn summary(page: &mut Page, summary: &CheckSummary) {
    let invalid = match summary.trajectories - summary.valid {
        0 => String::new(),
        invalid => format!(", {invalid} invalid"),
    };
    let trajectories = counted(summary.trajectories, "trajectory");
    let calls = counted(summary.calls, "call");
    let totals = format!("{trajectories}, {} clean{invalid} · {calls}", summary.clean);
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
