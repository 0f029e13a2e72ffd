//! The exports that score two lists of calls, trajectories that carry what was expected, and test cases.

mod chunks;
mod correctness;
mod trials;

pub(super) use chunks::with_expected;

use js_sys::Function;
use wasm_bindgen::prelude::*;

use super::comparators::JsComparators;
use super::document::{Document, read_options};
use super::report::{Report, take_layout};
use super::{Encoded, encode, read_named, to_json};
use crate::report::{render_score, render_scores};
use toolgauge_base::options::Options;
use toolgauge_formats::TrajectoryFormat;
use toolgauge_matching::{Comparing, Opinions};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path, Reader};
use toolgauge_score::{AccuracyResult, ScoreOptions, ScoreReport, score_gate};

/// Scores a document `{expected, actual}`: see [`toolgauge_score::score_tool_calls`]. The option `comparators` names
/// those that `compare` calls, as in all functions that score.
#[wasm_bindgen(js_name = scoreToolCalls)]
pub fn score_tool_calls(
    input: Document,
    options: Option<Document>,
    compare: Option<Function>,
) -> Encoded {
    encode(|| {
        let scoring = Scoring::read(read_options(options)?, compare)?;
        let arena = input.arena();
        let reader = Reader::new(&arena, scoring.options.limits);
        let json = input.read(reader)?;
        let (expected, actual) = (json.get("expected"), member(json, "actual")?);
        let comparing = scoring.comparing();
        Ok(to_json(
            &scoring.lists(expected, actual, &comparing, reader)?,
        ))
    })
}

/// Scores two documents: see [`toolgauge_score::score_tool_calls`].
#[wasm_bindgen(js_name = scoreCallLists)]
pub fn score_call_lists(
    expected: Option<Document>,
    actual: Document,
    options: Option<Document>,
    compare: Option<Function>,
) -> Encoded {
    encode(|| {
        let scoring = Scoring::read(read_options(options)?, compare)?;
        let comparing = scoring.comparing();
        scoring.documents(expected.as_ref(), &actual, &comparing, |result| {
            to_json(result)
        })
    })
}

/// Scores two documents and renders a report: see [`render_score`].
#[wasm_bindgen(js_name = reportCallLists)]
pub fn report_call_lists(
    expected: Option<Document>,
    actual: Document,
    options: Option<Document>,
    compare: Option<Function>,
) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let layout = take_layout(&mut options)?;
        let scoring = Scoring::read(options, compare)?;
        let comparing = scoring.comparing();
        scoring.documents(expected.as_ref(), &actual, &comparing, |result| {
            let results = std::iter::once(result);
            let gate = score_gate(results, result.score, scoring.options.min_score);
            let text = render_score(result, &gate, layout);
            to_json(&Report {
                text: &text,
                gate: &gate,
                result,
            })
        })
    })
}

/// Scores trajectories that carry their expected calls: see [`toolgauge_score::score_trajectories`].
#[wasm_bindgen(js_name = scoreTrajectories)]
pub fn score_trajectories(
    input: Document,
    options: Option<Document>,
    compare: Option<Function>,
) -> Encoded {
    encode(|| {
        let (reading, scoring) = read_both(read_options(options)?, compare)?;
        scoring.trajectories(&input, &reading, &scoring.comparing(), |report| {
            to_json(report)
        })
    })
}

/// Scores trajectories and renders a report: see [`render_scores`].
#[wasm_bindgen(js_name = reportTrajectoryScores)]
pub fn report_trajectory_scores(
    input: Document,
    options: Option<Document>,
    compare: Option<Function>,
) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let layout = take_layout(&mut options)?;
        let (reading, scoring) = read_both(options, compare)?;
        scoring.trajectories(&input, &reading, &scoring.comparing(), |report| {
            let text = render_scores(report, layout);
            to_json(&Report {
                text: &text,
                gate: &report.gate,
                result: report,
            })
        })
    })
}

/// Returns the questions to judges on which the score of two documents depends, without those that the option `opinions`
/// answers: see [`Comparing::into_questions`].
#[wasm_bindgen(js_name = openQuestions)]
pub fn open_questions(
    expected: Option<Document>,
    actual: Document,
    options: Option<Document>,
    compare: Option<Function>,
) -> Encoded {
    encode(|| {
        let scoring = Scoring::read(read_options(options)?, compare)?;
        scoring.questions(|comparing| {
            scoring.documents(expected.as_ref(), &actual, comparing, |_| String::new())
        })
    })
}

/// Like [`open_questions`], for trajectories that carry their expected calls.
#[wasm_bindgen(js_name = openQuestionsOfTrajectories)]
pub fn open_questions_of_trajectories(
    input: Document,
    options: Option<Document>,
    compare: Option<Function>,
) -> Encoded {
    encode(|| {
        let (reading, scoring) = read_both(read_options(options)?, compare)?;
        scoring.questions(|comparing| {
            scoring.trajectories(&input, &reading, comparing, |_| String::new())
        })
    })
}

/// How trajectories are read.
struct Reading {
    format: Option<TrajectoryFormat>,
    /// The field that names the task of a trajectory.
    task_key: Option<String>,
}

impl Reading {
    fn take(options: &mut Options) -> Result<Self> {
        Ok(Self {
            format: options.take("format")?,
            task_key: options.take("taskKey")?,
        })
    }
}

/// Reads the options of scoring trajectories.
fn read_both(mut options: Options, compare: Option<Function>) -> Result<(Reading, Scoring)> {
    let reading = Reading::take(&mut options)?;
    Ok((reading, Scoring::read(options, compare)?))
}

/// The options of scoring a call.
struct Scoring {
    options: ScoreOptions,
    comparators: JsComparators,
}

impl Scoring {
    fn read(mut options: Options, compare: Option<Function>) -> Result<Self> {
        let names = options.take("comparators")?.unwrap_or_default();
        Ok(Self {
            comparators: JsComparators::new(names, compare),
            options: ScoreOptions::read(options)?,
        })
    }

    fn comparing(&self) -> Comparing<'_> {
        Comparing::new(&self.comparators, self.options.limits)
            .with_opinions(self.options.opinions.as_ref())
    }

    /// Returns the questions that `score` leaves open, as JSON.
    fn questions(&self, score: impl FnOnce(&Comparing<'_>) -> Result<String>) -> Result<String> {
        let none = Opinions::default();
        let known = self.options.opinions.as_ref().unwrap_or(&none);
        let comparing =
            Comparing::new(&self.comparators, self.options.limits).collecting_questions(known);
        score(&comparing)?;
        Ok(to_json(&comparing.into_questions()))
    }

    fn lists<'a>(
        &self,
        expected: Option<Json<'a>>,
        actual: Json<'a>,
        comparing: &Comparing<'_>,
        reader: Reader<'a>,
    ) -> Result<AccuracyResult<'a>> {
        let mut lists = toolgauge_score::import_call_lists(expected, actual, reader)?;
        self.options
            .apply(&mut lists.expected, lists.tools, reader)?;
        toolgauge_score::score_tool_calls(&lists.expected, &lists.actual, comparing)
    }

    fn documents(
        &self,
        expected: Option<&Document>,
        actual: &Document,
        comparing: &Comparing<'_>,
        answer: impl FnOnce(&AccuracyResult<'_>) -> String,
    ) -> Result<String> {
        let arena = actual.arena();
        let reader = Reader::new(&arena, self.options.limits);
        let wanted = expected
            .map(|document| read_named(document, "expected", reader))
            .transpose()?;
        let made = read_named(actual, "actual", reader)?;
        Ok(answer(&self.lists(wanted, made, comparing, reader)?))
    }

    fn trajectories(
        &self,
        document: &Document,
        reading: &Reading,
        comparing: &Comparing<'_>,
        answer: impl FnOnce(&ScoreReport<'_>) -> String,
    ) -> Result<String> {
        let arena = document.arena();
        let reader = Reader::new(&arena, self.options.limits);
        let json = document.read(reader)?;
        let imported = toolgauge_formats::import_trajectories(json, reading.format, reader)?;
        let report = toolgauge_score::score_trajectories(
            &imported,
            &self.options,
            reading.task_key.as_deref(),
            comparing,
            reader,
        )?;
        Ok(answer(&report))
    }
}

fn member<'a>(json: Json<'a>, name: &str) -> Result<Json<'a>> {
    json.get(name)
        .ok_or_else(|| Error::invalid_input(Path::root().key(name), "a list of calls", "nothing"))
}
