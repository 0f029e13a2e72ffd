//! The report of a score: each expected call with its actual call, unexpected calls, and the figures.

use std::collections::BTreeMap;

use super::paint::{Page, Tone, counted, visible};
use super::results::{
    INDENT, ResultFormat, ResultStyle, add_outcome, call_line, mean_line, result_head, shown_place,
    unread_total,
};
use super::{Frame, Layout, Show};
use crate::batch::{ScoreSummary, ScoredDocument};
use toolgauge_base::gate::Gate;
use toolgauge_matching::ArgumentDifference;
use toolgauge_model::{ExpectedCall, Json, Preview};
use toolgauge_score::{AccuracyResult, MismatchReason, ScoreReport, TrajectoryScore};

/// Renders the report of `result` and its `gate`.
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

/// Renders the report of several trajectories: a line for each, and the calls of those that are not perfect.
pub fn render_scores(report: &ScoreReport<'_>, layout: Layout) -> String {
    let mut page = Page::new(layout);
    let facts = format!(
        "{} · {}",
        report.format.label(),
        counted(report.trajectories.len(), "trajectory")
    );
    page.heading("toolgauge score", &facts);
    for one in &report.trajectories {
        trajectory_heading(&mut page, "", one);
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

/// Returns the frame of a report of many documents; without `closing` the part that is known before the end.
pub fn score_frame(
    format: ResultFormat,
    sources: &[String],
    closing: Option<(&ScoreSummary, &Gate)>,
    layout: Layout,
) -> Frame {
    format.frame(
        || result_head("toolgauge score", sources, &[], layout),
        closing,
        |summary, gate| totals(summary, gate, layout),
    )
}

/// Adds the scores of a document to `parts`.
pub fn add_scores(document: &ScoredDocument<'_, '_>, style: ResultStyle, parts: &mut String) {
    let outcome = (document.place, &document.outcome);
    add_outcome(
        outcome,
        document.verdicts(),
        style,
        parts,
        |scored, page| {
            for one in &scored.found.scores {
                let is_perfect = one.accuracy.score == 1.0;
                match style.show {
                    Show::All => {}
                    Show::Issues | Show::Failing if !is_perfect => {}
                    Show::Issues | Show::Failing | Show::None => continue,
                }
                if !is_perfect {
                    page.gap();
                }
                trajectory_heading(page, &shown_place(document.place, style), one);
                if !is_perfect {
                    calls(page, &one.accuracy);
                    page.gap();
                }
            }
            &scored.imported.warnings
        },
    );
}

fn totals(summary: &ScoreSummary, gate: &Gate, layout: Layout) -> String {
    let mut page = Page::new(layout);
    page.gap();
    let mut scored = format!(
        "{}, {} perfect",
        counted(summary.scored, "trajectory"),
        summary.perfect
    );
    let unscored = summary.trajectories.saturating_sub(summary.scored);
    if unscored > 0 {
        let count = counted(unscored, "trajectory");
        scored += &format!("; {count} not scored: no expected calls");
    }
    page.item(0, "scored", Tone::Strong, 9, &scored);
    unread_total(&mut page, summary.unread, summary.documents);
    let counts = CallCounts {
        correct: summary.correct,
        incorrect: summary.incorrect,
        missed: summary.missed,
        extra: summary.extra,
        forbidden: summary.forbidden,
        expected: summary.expected,
    };
    page.item(0, "calls", Tone::Strong, 9, &counts.describe());
    mean_line(&mut page, summary.score);
    page.gate(gate);
    page.into_text()
}

fn trajectory_heading(page: &mut Page, place: &str, one: &TrajectoryScore<'_>) {
    let accuracy = &one.accuracy;
    let (mark, tone) = match accuracy.score {
        1.0 => ("✔", Tone::Good),
        0.0 => ("✖", Tone::Bad),
        _ => ("▲", Tone::Doubtful),
    };
    let facts = format!(
        "{place}score {:.3} · {} expected · {} made",
        accuracy.score, accuracy.total_expected, accuracy.total_actual
    );
    page.trajectory(mark, tone, one.id, one.index, &facts);
}

fn calls(page: &mut Page, result: &AccuracyResult<'_>) {
    for call in &result.correct_calls {
        expected_line(page, Tone::Good, "✔ correct", &call.actual);
    }
    for call in &result.incorrect_calls {
        expected_line(page, Tone::Bad, "✖ differs", &call.actual);
        for difference in &call.differences {
            difference_line(page, difference);
        }
        if call.reason == MismatchReason::Order {
            page.item(INDENT, "", Tone::Quiet, 0, &call.details);
        }
    }
    for call in &result.missed_calls {
        expected_line(page, Tone::Bad, "− missed", &call.expected);
        page.item(INDENT, "", Tone::Quiet, 0, &visible(&call.details));
    }
    for call in merely_extra(result) {
        expected_line(page, Tone::Doubtful, "+ extra", call);
    }
    for call in &result.forbidden_calls {
        expected_line(page, Tone::Bad, "✖ forbidden", &call.actual);
        if call.forbidden.args != Json::Object(&[]) {
            let forbidden = Preview::of(call.forbidden.args, page.columns());
            let text = visible(&format!("forbidden is {} {forbidden}", call.forbidden.tool));
            page.item(INDENT, "", Tone::Quiet, 0, &text);
        }
    }
}

/// Returns the unexpected calls, without those that are listed as forbidden.
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

fn expected_line(page: &mut Page, tone: Tone, label: &str, call: &ExpectedCall<'_>) {
    call_line(page, tone, label, call.tool, call.args);
}

fn difference_line(page: &mut Page, difference: &ArgumentDifference<'_>) {
    page.item(INDENT, "", Tone::Quiet, 0, &visible(&difference.describe()));
}

/// The number of calls of each kind.
struct CallCounts {
    correct: u64,
    incorrect: u64,
    missed: u64,
    extra: u64,
    forbidden: u64,
    expected: u64,
}

impl CallCounts {
    fn of(result: &AccuracyResult<'_>) -> Self {
        Self {
            correct: result.correct_calls.len() as u64,
            incorrect: result.incorrect_calls.len() as u64,
            missed: result.missed_calls.len() as u64,
            extra: result.extra_calls.len() as u64,
            forbidden: result.forbidden_calls.len() as u64,
            expected: result.total_expected as u64,
        }
    }

    fn describe(&self) -> String {
        let forbidden = match self.forbidden {
            0 => String::new(),
            count => format!("; {count} forbidden"),
        };
        format!(
            "{} correct, {} incorrect, {} missed, {} extra of {}{forbidden}",
            self.correct,
            self.incorrect,
            self.missed,
            self.extra,
            counted(self.expected, "expected call")
        )
    }
}

fn figures(page: &mut Page, result: &AccuracyResult<'_>) {
    page.item(
        0,
        "calls",
        Tone::Strong,
        9,
        &CallCounts::of(result).describe(),
    );
    let score = format!(
        "{:.3} (precision {:.3}, recall {:.3})",
        result.score, result.precision, result.recall
    );
    page.item(0, "score", Tone::Strong, 9, &score);
}
