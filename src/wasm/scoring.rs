//! The exports that score two lists of calls, or trajectories that carry expected calls.

use js_sys::Function;
use wasm_bindgen::prelude::*;

use super::document::{Document, read_options};
use super::reporting::{Report, take_layout};
use super::{Encoded, Scoring, encode, to_json};
use crate::error::Result;
use crate::gate::{Gate, score_failure};
use crate::model::Reader;
use crate::report::{render_score, render_scores};
use crate::score::ScoreReport;
use crate::{formats, score};

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
        scoring.documents(expected.as_ref(), &actual, |result| {
            let failure = score_failure(Some(result.score), scoring.options.min_score);
            let gate = Gate::of(failure.into_iter().collect());
            let text = render_score(result, &gate, layout);
            to_json(&Report {
                text: &text,
                gate: &gate,
                result,
            })
        })
    })
}

/// Scores trajectories that carry their expected calls: see [`score::score_trajectories`].
#[wasm_bindgen(js_name = scoreTrajectories)]
pub fn score_trajectories(
    input: Document,
    options: Option<Document>,
    compare: Option<Function>,
) -> Encoded {
    encode(|| {
        let scoring = Scoring::read(read_options(options)?, compare)?;
        scoring.trajectories(&input, |report| to_json(report))
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
        let scoring = Scoring::read(options, compare)?;
        scoring.trajectories(&input, |report| {
            let text = render_scores(report, layout);
            to_json(&Report {
                text: &text,
                gate: &report.gate,
                result: report,
            })
        })
    })
}

impl Scoring {
    fn trajectories(
        &self,
        document: &Document,
        render: impl FnOnce(&ScoreReport<'_>) -> String,
    ) -> Result<String> {
        let arena = document.arena();
        let reader = Reader::new(&arena, self.options.limits);
        let imported = formats::import_trajectories(document.read(reader)?, None, reader)?;
        let comparing = self.comparing();
        let report = score::score_trajectories(&imported, &self.options, &comparing, reader)?;
        Ok(render(&report))
    }
}
