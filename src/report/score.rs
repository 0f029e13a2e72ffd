//! The report of a score: each expected call with its actual call, unexpected calls, and the figures.

use std::collections::{BTreeMap, VecDeque};

use foldhash::HashMap;

use super::compared::{CallVerdict, Compared, ComparedCall, ResultClosing, ResultOpening};
use super::paint::{Page, Tone, counted, visible};
use super::results::{
    INDENT, ResultPart, ResultSummary, call_line, mean_line, result_frame, shown_place,
    unread_total,
};
use super::syntax::ReportFormat;
use super::trials::trial_lines;
use super::{Digest, Frame, Layout, Show};
use crate::batch::{ScoreSummary, Scored, ScoredDocument};
use toolgauge_base::gate::Gate;
use toolgauge_base::trials::Trials;
use toolgauge_formats::made_in;
use toolgauge_matching::ArgumentDifference;
use toolgauge_model::{ExpectedCall, Json, Preview, Trajectory};
use toolgauge_score::{
    AccuracyResult, ForbiddenCall, MismatchReason, ScoreReport, TrajectoryScore,
};

/// Renders the report of `result` and its `gate`.
pub fn render_score(result: &AccuracyResult<'_>, gate: &Gate, layout: Layout) -> String {
    let mut page = Page::new(layout);
    page.heading("toolgauge score", &extent_of(result));
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
    trial_lines(&mut page, report.trials.as_ref());
    page.gate(&report.gate);
    page.into_text()
}

/// Returns the frame of a report of many documents; without `closing` the part that is known before the end.
/// `gathered` holds the parts if they are gathered.
pub fn score_frame(
    format: ReportFormat,
    opening: ResultOpening<'_>,
    closing: Option<(&ScoreSummary, &Gate, Option<&Trials>)>,
    gathered: &Digest,
    layout: Layout,
) -> Frame {
    result_frame(format, (opening, &[]), closing, gathered, layout)
}

/// Adds the scores of a document to a part.
pub fn add_scores<'d>(document: &'d ScoredDocument<'_, 'd>, part: &mut ResultPart) {
    part.add(
        (document.place, &document.outcome),
        document.verdicts(),
        |scored| {
            let scores = scored.found.scores.iter();
            let compared = scores.map(|one| compared_case(document, scored, one));
            (compared.collect(), &scored.imported.warnings)
        },
        |scored, style, page| {
            for one in &scored.found.scores {
                if !shows(style.show, document, one) {
                    continue;
                }
                let is_perfect = one.accuracy.score == 1.0;
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

fn shows(show: Show, document: &ScoredDocument<'_, '_>, one: &TrajectoryScore<'_>) -> bool {
    match show {
        Show::All => true,
        Show::Issues => one.accuracy.score < 1.0,
        Show::Failing => !document.passes(one),
        Show::None => false,
    }
}

/// Returns the score of a trajectory with its calls in the form that all reports for programs share.
fn compared_case<'d>(
    document: &'d ScoredDocument<'_, 'd>,
    scored: &Scored<'d>,
    one: &TrajectoryScore<'d>,
) -> Compared<'d> {
    let AccuracyResult {
        correct_calls,
        incorrect_calls,
        missed_calls,
        forbidden_calls,
        failures,
        ..
    } = &one.accuracy;
    let mut places = Places::of(scored.imported.value.get(one.index));
    let mut calls = Vec::new();
    let mut add = |verdict, made: Option<&ExpectedCall<'d>>, call: &ExpectedCall<'d>, notes| {
        calls.push(ComparedCall {
            verdict,
            place: made.map(|call| places.take(call)).unwrap_or_default(),
            tool: call.tool.to_owned(),
            arguments: Preview::of(call.args, LONGEST_ARGUMENTS).to_string(),
            notes,
        });
    };
    for call in correct_calls {
        let actual = &call.actual;
        add(CallVerdict::Correct, Some(actual), actual, Vec::new());
    }
    for call in incorrect_calls {
        let (verdict, notes) = match call.reason {
            MismatchReason::Order | MismatchReason::Turn => {
                (CallVerdict::Misplaced, vec![call.details.clone()])
            }
            MismatchReason::Arguments | MismatchReason::Outcome => {
                let notes = call.differences.iter().map(ArgumentDifference::describe);
                (CallVerdict::Wrong, notes.collect())
            }
        };
        add(verdict, Some(&call.actual), &call.actual, notes);
    }
    for call in missed_calls {
        let notes = vec![call.details.clone()];
        add(CallVerdict::Missed, None, &call.expected, notes);
    }
    for call in forbidden_calls {
        let notes = forbidden_note(call, LONGEST_ARGUMENTS);
        let notes = notes.into_iter().collect();
        add(
            CallVerdict::Forbidden,
            Some(&call.actual),
            &call.actual,
            notes,
        );
    }
    for call in merely_extra(&one.accuracy) {
        add(CallVerdict::Extra, Some(call), call, Vec::new());
    }
    calls.extend(failures.iter().map(|failure| ComparedCall {
        verdict: CallVerdict::Unmet,
        place: String::new(),
        tool: RUN.to_owned(),
        arguments: String::new(),
        notes: vec![failure.clone()],
    }));
    Compared {
        place: document.place,
        index: one.index,
        id: one.id,
        passed: document.passes(one),
        score: one.accuracy.score,
        facts: extent_of(&one.accuracy),
        calls,
    }
}

/// What a finding is about that is not about a call.
const RUN: &str = "(the run)";

/// The most characters of arguments.
const LONGEST_ARGUMENTS: usize = 300;

/// The places of the calls of a trajectory that are not taken yet.
struct Places<'d>(HashMap<ExpectedCall<'d>, VecDeque<String>>);

impl<'d> Places<'d> {
    fn of(trajectory: Option<&Trajectory<'d>>) -> Self {
        let mut places = HashMap::default();
        let made = trajectory.map(made_in).unwrap_or_default();
        let turns = trajectory.into_iter().flat_map(Trajectory::agent_turns);
        let written = turns.flat_map(|(_, turn)| {
            let calls = turn.tool_calls.iter().zip(1..);
            let calls = calls.filter(|(call, _)| call.is_comparable());
            calls.map(|(_, at)| format!("turn {}, call {at}", turn.turn_id))
        });
        for (call, place) in made.into_iter().zip(written) {
            let same: &mut VecDeque<_> = places.entry(call).or_default();
            same.push_back(place);
        }
        Self(places)
    }

    /// Returns the first place of such a call that was not returned before; empty if there is none.
    fn take(&mut self, call: &ExpectedCall<'d>) -> String {
        let places = self.0.get_mut(call);
        places.and_then(VecDeque::pop_front).unwrap_or_default()
    }
}

impl ResultSummary for ScoreSummary {
    fn closing<'c>(&'c self, gate: &'c Gate, trials: Option<&'c Trials>) -> ResultClosing<'c> {
        let score = self.score;
        let score = score.map_or("none".to_owned(), |score| format!("{score:.3} (mean)"));
        ResultClosing {
            words: ("Trajectories", "trajectory"),
            rows: vec![
                ("Scored", scored_text(self)),
                ("Calls", counts_of(self).describe()),
                ("Score", score),
            ],
            counts: (self.scored, self.passed, self.perfect),
            scores: self.scores,
            documents: (self.documents, self.unread, self.warnings),
            trials,
            gate,
        }
    }

    fn totals(&self, gate: &Gate, trials: Option<&Trials>, layout: Layout) -> String {
        let mut page = Page::new(layout);
        page.gap();
        page.item(0, "scored", Tone::Strong, 9, &scored_text(self));
        unread_total(&mut page, self.unread, self.documents);
        page.item(0, "calls", Tone::Strong, 9, &counts_of(self).describe());
        mean_line(&mut page, self.score);
        trial_lines(&mut page, trials);
        page.gate(gate);
        page.into_text()
    }
}

fn scored_text(summary: &ScoreSummary) -> String {
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
    scored
}

fn counts_of(summary: &ScoreSummary) -> CallCounts {
    CallCounts {
        correct: summary.correct,
        incorrect: summary.incorrect,
        missed: summary.missed,
        extra: summary.extra,
        forbidden: summary.forbidden,
        expected: summary.expected,
    }
}

fn extent_of(accuracy: &AccuracyResult<'_>) -> String {
    format!(
        "{} expected · {} actual",
        accuracy.total_expected, accuracy.total_actual
    )
}

fn trajectory_heading(page: &mut Page, place: &str, one: &TrajectoryScore<'_>) {
    let accuracy = &one.accuracy;
    let (mark, tone) = match accuracy.score {
        1.0 => ("✔", Tone::Good),
        0.0 => ("✖", Tone::Bad),
        _ => ("▲", Tone::Doubtful),
    };
    let facts = format!(
        "{place}score {:.3} · {}",
        accuracy.score,
        extent_of(accuracy)
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
        match call.reason {
            MismatchReason::Order | MismatchReason::Turn => {
                page.item(INDENT, "", Tone::Quiet, 0, &call.details);
            }
            MismatchReason::Arguments | MismatchReason::Outcome => {}
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
        if let Some(note) = forbidden_note(call, page.columns()) {
            page.item(INDENT, "", Tone::Quiet, 0, &visible(&note));
        }
    }
    for failure in &result.failures {
        page.item(2, "✖ unmet", Tone::Bad, INDENT - 2, &visible(failure));
    }
    for warning in &result.warnings {
        page.item(2, "▲ note", Tone::Doubtful, INDENT - 2, &visible(warning));
    }
}

/// Says what is forbidden, if it is not every call of the tool.
fn forbidden_note(call: &ForbiddenCall<'_>, room: usize) -> Option<String> {
    let ForbiddenCall { forbidden, .. } = call;
    (forbidden.args != Json::Object(&[])).then(|| {
        let args = Preview::of(forbidden.args, room);
        format!("forbidden is {} {args}", forbidden.tool)
    })
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
