//! The report of a score: each expected call with what was made of it, what was not expected, the
//! figures.

use std::collections::BTreeMap;

use super::Layout;
use super::paint::{Page, Tone, counted, visible};
use crate::gate::Gate;
use crate::matching::ArgumentDifference;
use crate::model::{ExpectedCall, Json, Preview};
use crate::score::{AccuracyResult, MismatchReason, ScoreReport, TrajectoryScore};

/// The report of `result` and its `gate`.
pub fn render_score(result: &AccuracyResult<'_>, gate: &Gate, layout: Layout) -> String {
    let mut page = Page::new(layout);
    let facts = format!(
        "{} expected · {} made",
        result.total_expected, result.total_actual
    );
    page.heading("toolgauge score", &facts);
    calls(&mut page, result);
    page.gap();
    figures(&mut page, result);
    page.gate(gate);
    page.into_text()
}

/// The report of several trajectories: a line for each, and the calls of those that are not perfect.
pub fn render_scores(report: &ScoreReport<'_>, layout: Layout) -> String {
    let mut page = Page::new(layout);
    let facts = format!(
        "{} · {}",
        report.format.label(),
        counted(report.trajectories.len(), "trajectory")
    );
    page.heading("toolgauge score", &facts);
    for one in &report.trajectories {
        trajectory_heading(&mut page, one);
        if one.accuracy.score < 1.0 {
            calls(&mut page, &one.accuracy);
            page.gap();
        }
    }
    page.gap();
    page.warnings(&report.warnings);
    let perfect = report
        .trajectories
        .iter()
        .filter(|one| one.accuracy.score == 1.0)
        .count();
    let scored = counted(report.trajectories.len(), "trajectory");
    page.item(
        0,
        "scored",
        Tone::Strong,
        9,
        &format!("{scored}, {perfect} perfect"),
    );
    page.item(
        0,
        "score",
        Tone::Strong,
        9,
        &format!("{:.3} (mean)", report.score),
    );
    page.gate(&report.gate);
    page.into_text()
}

fn trajectory_heading(page: &mut Page, one: &TrajectoryScore<'_>) {
    let accuracy = &one.accuracy;
    let (mark, tone) = match accuracy.score {
        1.0 => ("✔", Tone::Good),
        0.0 => ("✖", Tone::Bad),
        _ => ("▲", Tone::Doubtful),
    };
    let facts = format!(
        "score {:.3} · {} expected · {} made",
        accuracy.score, accuracy.total_expected, accuracy.total_actual
    );
    page.trajectory(mark, tone, one.id, one.index, &facts);
}

fn calls(page: &mut Page, result: &AccuracyResult<'_>) {
    for call in &result.correct_calls {
        call_line(page, Tone::Good, "✔ correct", &call.actual);
    }
    for call in &result.incorrect_calls {
        call_line(page, Tone::Bad, "✖ differs", &call.actual);
        for difference in &call.differences {
            difference_line(page, difference);
        }
        if call.reason == MismatchReason::Order {
            page.item(INDENT, "", Tone::Quiet, 0, &call.details);
        }
    }
    for call in &result.missed_calls {
        call_line(page, Tone::Bad, "− missed", &call.expected);
        page.item(INDENT, "", Tone::Quiet, 0, &visible(&call.details));
    }
    for call in merely_extra(result) {
        call_line(page, Tone::Doubtful, "+ extra", call);
    }
    for call in &result.forbidden_calls {
        call_line(page, Tone::Bad, "✖ forbidden", &call.actual);
        if call.forbidden.args != Json::Object(&[]) {
            let forbidden = Preview::of(call.forbidden.args, page.columns());
            let text = visible(&format!("forbidden is {} {forbidden}", call.forbidden.tool));
            page.item(INDENT, "", Tone::Quiet, 0, &text);
        }
    }
}

/// The calls that were not expected, without those that are told as forbidden.
fn merely_extra<'r, 'a>(result: &'r AccuracyResult<'a>) -> Vec<&'r ExpectedCall<'a>> {
    let mut forbidden: BTreeMap<ExpectedCall<'_>, usize> = BTreeMap::new();
    for call in &result.forbidden_calls {
        *forbidden.entry(call.actual).or_default() += 1;
    }
    let mut is_told = |call: &&ExpectedCall<'a>| match forbidden.get_mut(*call) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    result
        .extra_calls
        .iter()
        .filter(|call| is_told(call))
        .collect()
}

/// Where the calls start, and what is said of them.
const INDENT: usize = 14;

fn call_line(page: &mut Page, tone: Tone, label: &str, call: &ExpectedCall<'_>) {
    let room = page.columns().saturating_sub(INDENT);
    let shown = page.call(call.tool, Some(call.args), room);
    let line = format!("  {}{shown}", page.paint(tone, &format!("{label:<12}")));
    page.line(&line);
}

fn difference_line(page: &mut Page, difference: &ArgumentDifference<'_>) {
    page.item(INDENT, "", Tone::Quiet, 0, &visible(&difference.describe()));
}

fn figures(page: &mut Page, result: &AccuracyResult<'_>) {
    let counts = [
        format!("{} correct", result.correct_calls.len()),
        format!("{} incorrect", result.incorrect_calls.len()),
        format!("{} missed", result.missed_calls.len()),
        format!("{} extra", result.extra_calls.len()),
    ];
    let forbidden = match result.forbidden_calls.len() {
        0 => String::new(),
        count => format!("; {count} forbidden"),
    };
    let expected = counted(result.total_expected, "expected call");
    page.item(
        0,
        "calls",
        Tone::Strong,
        9,
        &format!("{} of {expected}{forbidden}", counts.join(", ")),
    );
    let score = format!(
        "{:.3} (precision {:.3}, recall {:.3})",
        result.score, result.precision, result.recall
    );
    page.item(0, "score", Tone::Strong, 9, &score);
}
