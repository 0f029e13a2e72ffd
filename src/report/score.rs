//! The report of a score: each expected call with what was made of it, what was not expected, the
//! figures.

use super::Layout;
use super::check::gate as gate_line;
use super::paint::{Page, Tone, counted, visible};
use crate::check::Gate;
use crate::matching::ArgumentDifference;
use crate::model::ExpectedCall;
use crate::score::AccuracyResult;

/// The report of `result` and its `gate`.
pub fn render_score(result: &AccuracyResult<'_>, gate: &Gate, layout: Layout) -> String {
    let mut page = Page::new(layout);
    let facts = format!(
        "{} expected · {} made",
        result.total_expected, result.total_actual
    );
    page.line(&format!(
        "{}  {}",
        page.paint(Tone::Strong, "toolgauge score"),
        page.paint(Tone::Quiet, &facts)
    ));
    page.gap();
    for call in &result.correct_calls {
        call_line(&mut page, Tone::Good, "✔ correct", &call.actual);
    }
    for call in &result.incorrect_calls {
        call_line(&mut page, Tone::Bad, "✖ differs", &call.actual);
        for difference in &call.differences {
            difference_line(&mut page, difference);
        }
    }
    for call in &result.missed_calls {
        call_line(&mut page, Tone::Bad, "− missed", &call.expected);
        page.item(12, "", Tone::Quiet, 0, &visible(&call.details));
    }
    for call in &result.extra_calls {
        call_line(&mut page, Tone::Doubtful, "+ extra", call);
    }
    page.gap();
    figures(&mut page, result);
    gate_line(&mut page, gate);
    page.into_text()
}

fn call_line(page: &mut Page, tone: Tone, label: &str, call: &ExpectedCall<'_>) {
    let room = page.columns().saturating_sub(12);
    let shown = page.call(call.tool, Some(call.args), room);
    let line = format!("{}{shown}", page.paint(tone, &format!("{label:<12}")));
    page.line(&line);
}

fn difference_line(page: &mut Page, difference: &ArgumentDifference<'_>) {
    page.item(12, "", Tone::Quiet, 0, &visible(&difference.describe()));
}

fn figures(page: &mut Page, result: &AccuracyResult<'_>) {
    let counts = [
        format!("{} correct", result.correct_calls.len()),
        format!("{} incorrect", result.incorrect_calls.len()),
        format!("{} missed", result.missed_calls.len()),
        format!("{} extra", result.extra_calls.len()),
    ];
    let expected = counted(result.total_expected, "expected call");
    page.item(
        0,
        "calls",
        Tone::Strong,
        9,
        &format!("{} of {expected}", counts.join(", ")),
    );
    let score = format!(
        "{:.3} (precision {:.3}, recall {:.3})",
        result.score, result.precision, result.recall
    );
    page.item(0, "score", Tone::Strong, 9, &score);
}
