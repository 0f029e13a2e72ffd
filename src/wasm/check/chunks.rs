//! The exports that check long files, a chunk at a time.

use std::cell::RefCell;

use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::super::chunk::{ChunkOption, MOST_LISTED, needed};
use super::super::document::{Document, read_options};
use super::super::{Encoded, Tools, encode, to_json};
use crate::baseline;
use crate::batch::{CheckSummary, CheckedDocument, each_document};
use crate::check::{CheckOptions, Checker};
use crate::report::PartWriter;
use toolgauge_base::gate::{Gate, GateOptions};
use toolgauge_base::trials::{FEW_TASKS, Trials};
use toolgauge_model::error::Result;
use toolgauge_model::{Limits, Reader};
use toolgauge_reflect::ReflectSetting;
use toolgauge_schema::ToolCache;

thread_local! {
    /// The tools that trajectories carry, cached from chunk to chunk.
    static CARRIED: RefCell<ToolCache> = const { RefCell::new(ToolCache::new()) };
}

/// Passes the cached tools that trajectories carry to `body`.
pub(in crate::wasm) fn with_carried<T>(body: impl FnOnce(&mut ToolCache) -> T) -> T {
    CARRIED.with_borrow_mut(body)
}

/// Returns limits for data that this module itself wrote, which may be longer than any input.
fn unlimited() -> Limits {
    Limits {
        max_input_bytes: usize::MAX,
        max_objects: usize::MAX,
        max_values: usize::MAX,
        ..Limits::default()
    }
}

/// The result of checking a chunk.
#[wasm_bindgen]
pub struct CheckedChunk {
    about: String,
    reports: Vec<String>,
}

#[wasm_bindgen]
impl CheckedChunk {
    /// `{summary, unread}` as JSON text: the totals, and the first documents that could not be read.
    #[wasm_bindgen(getter)]
    pub fn about(&self) -> String {
        self.about.clone()
    }

    /// Returns the part of this chunk in the requested report `at`. Can be called once.
    pub fn report(&mut self, at: usize) -> String {
        self.reports
            .get_mut(at)
            .map(std::mem::take)
            .unwrap_or_default()
    }
}

#[derive(Serialize)]
struct About<'t> {
    summary: &'t CheckSummary,
    unread: &'t [serde_json::Value],
}

/// The baseline, if there is one.
#[wasm_bindgen]
pub struct Baseline(Option<baseline::Baseline>);

#[wasm_bindgen]
impl Baseline {
    /// Returns the mean score of the earlier check.
    #[wasm_bindgen(getter)]
    pub fn score(&self) -> Option<f64> {
        self.0.as_ref()?.score()
    }
}

/// See [`baseline::Baseline::read`]. Without `report` there is no baseline.
#[wasm_bindgen(js_name = readBaseline)]
pub fn read_baseline(report: Option<Document>) -> std::result::Result<Baseline, String> {
    let read = |report: &Document| {
        let arena = report.arena();
        baseline::Baseline::read(report.read(Reader::new(&arena, unlimited()))?)
    };
    let baseline = report.as_ref().map(read).transpose();
    baseline
        .map(Baseline)
        .map_err(|error| to_json(&error.report()))
}

/// Checks a chunk of a file. Options: those of a check, the description of the `chunk`, and `reflect` to
/// check each call by itself: see [`ReflectSetting`].
#[wasm_bindgen(js_name = checkChunk)]
pub fn check_chunk(
    bytes: Document,
    tools: &Tools,
    baseline: &Baseline,
    options: Option<Document>,
) -> std::result::Result<CheckedChunk, String> {
    read_chunk(&bytes, tools, baseline, options).map_err(|error| to_json(&error.report()))
}

fn read_chunk(
    bytes: &Document,
    tools: &Tools,
    baseline: &Baseline,
    options: Option<Document>,
) -> Result<CheckedChunk> {
    let mut options = read_options(options)?;
    let chunk: ChunkOption = needed(&mut options, "chunk")?;
    let reflect: Option<ReflectSetting> = options.take("reflect")?;
    let options = CheckOptions::read(options)?;
    let arena = bytes.arena();
    let reader = Reader::new(&arena, options.validate.limits);

    let mut summary = CheckSummary::default();
    let mut unread = Vec::new();
    let mut reports: Vec<_> = chunk
        .reports
        .iter()
        .map(|asked| {
            let fail_on = options.gate.fail_on;
            PartWriter::new(asked.format, asked.style, fail_on, asked.least_rank)
        })
        .collect();
    CARRIED.with_borrow_mut(|carried| {
        let mut checker = Checker::new(tools.set(), &options, carried, reader);
        if let Some(baseline) = &baseline.0 {
            checker = checker.against(baseline);
        }
        if let Some(setting) = reflect {
            checker = checker.reflecting(setting);
        }
        each_document(&chunk.of(bytes), reader, |place, json| {
            let document = CheckedDocument::check(place, json, &mut checker);
            document.add_to(&mut summary);
            if let Some(found) = document.unread().filter(|_| unread.len() < MOST_LISTED) {
                unread.push(serde_json::json!(found));
            }
            for report in &mut reports {
                report.add(&document);
            }
        });
    });
    Ok(CheckedChunk {
        about: to_json(&About {
            summary: &summary,
            unread: &unread,
        }),
        reports: reports.into_iter().map(PartWriter::finish).collect(),
    })
}

#[derive(Serialize)]
struct Total<'t> {
    summary: &'t CheckSummary,
    gate: &'t Gate,
    #[serde(skip_serializing_if = "Option::is_none")]
    trials: Option<Trials>,
}

/// Merges summaries, given as a list of summaries or of reports, or as a single one:
/// `{summary, gate, trials}`.
/// Options: those of the gate, and `leaveOutTasks`, which leaves the counts by task out of the
/// summary, and `fewTasks`, which keeps only some of them.
#[wasm_bindgen(js_name = mergeSummaries)]
pub fn merge_summaries(list: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let gate = GateOptions::take(&mut options)?;
        let leaves_out: Option<bool> = options.take("leaveOutTasks")?;
        let keeps_few: Option<bool> = options.take("fewTasks")?;
        let limits = options.take_limits()?;
        options.finish(&[&GateOptions::NAMES[..], &["limits"]].concat())?;
        let arena = list.arena();
        let json = list.read(Reader::new(&arena, limits))?;
        let mut summary = CheckSummary::merged(json)?;
        if keeps_few == Some(true) {
            summary.tasks.keep(FEW_TASKS);
        }
        let gate = summary.gate(&gate);
        let trials = summary.finish(leaves_out != Some(true));
        Ok(to_json(&Total {
            summary: &summary,
            gate: &gate,
            trials,
        }))
    })
}
