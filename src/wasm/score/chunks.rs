//! The exports for scores and test cases of many files.

use std::cell::RefCell;

use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use super::super::chunk::{ChunkOption, MOST_LISTED, WrittenChunk, needed};
use super::super::document::{Document, read_options};
use super::super::{Encoded, encode, read_named, to_json};
use crate::batch::{
    CorrectnessGate, CorrectnessSummary, Measured, MeasuredDocument, Place, ScoreSetting,
    ScoreSummary, ScoredDocument, UnreadDocument, each_document,
};
use crate::report::{
    Frame, Layout, ResultFormat, ResultStyle, add_correctness, add_scores, correctness_frame,
    score_frame,
};
use toolgauge_base::gate::Gate;
use toolgauge_matching::{Comparing, NoComparators};
use toolgauge_model::error::Result;
use toolgauge_model::{Limits, Reader};
use toolgauge_score::{
    CorrectnessOptions, ExpectedSet, NamedCase, ScoreOptions, UnreadAnswer, compared_case,
    measure_correctness,
};

thread_local! {
    /// The expectations of the last chunk with their document, because it usually stays the same.
    static EXPECTED: RefCell<(Vec<u8>, ExpectedSet)> = RefCell::default();
}

#[derive(Serialize)]
struct About<'t, Summary> {
    /// The totals, including earlier chunks.
    summary: &'t Summary,
    /// The first documents that could not be read.
    unread: &'t [serde_json::Value],
    /// For scores, the positions of the used expectations in their document.
    met: &'t [usize],
}

/// The first documents of a chunk that could not be read.
#[derive(Default)]
struct Unread(Vec<serde_json::Value>);

impl Unread {
    fn add(&mut self, unread: Option<UnreadDocument<'_>>) {
        if let Some(unread) = unread.filter(|_| self.0.len() < MOST_LISTED) {
            self.0.push(serde_json::json!(unread));
        }
    }
}

/// Scores the trajectories of a chunk of a file, against an `expected` document or what each carries.
/// Options: those of scores, `format`, the description of the `chunk`, the `style` of the report, and the
/// `summary` of earlier chunks.
#[wasm_bindgen(js_name = scoreChunk)]
pub fn score_chunk(
    bytes: Document,
    expected: Option<Document>,
    options: Option<Document>,
) -> std::result::Result<WrittenChunk, String> {
    score(&bytes, expected.as_ref(), options).map_err(|error| to_json(&error.report()))
}

fn score(
    bytes: &Document,
    expected: Option<&Document>,
    options: Option<Document>,
) -> Result<WrittenChunk> {
    let mut options = read_options(options)?;
    let chunk: ChunkOption = needed(&mut options, "chunk")?;
    let style: ResultStyle = needed(&mut options, "style")?;
    let mut summary: ScoreSummary = options.take("summary")?.unwrap_or_default();
    let format = options.take("format")?;
    let options = ScoreOptions::read(options)?;
    let comparing = Comparing::new(&NoComparators, options.limits);
    let (mut text, mut unread, mut met) = (String::new(), Unread::default(), Vec::new());
    with_expected(expected, options.limits, |expected| {
        let arena = bytes.arena();
        let reader = Reader::new(&arena, options.limits);
        let setting = ScoreSetting {
            format,
            expected,
            options: &options,
            comparing: &comparing,
        };
        each_document(&chunk.of(bytes), reader, |place, json| {
            let document = ScoredDocument::score(place, json, setting, reader);
            document.add_to(&mut summary);
            unread.add(document.unread());
            add_scores(&document, style, &mut text);
            let scored = document.outcome.iter();
            met.extend(scored.flat_map(|scored| scored.found.met.iter().copied()));
        });
    })?;
    let about = to_json(&About {
        summary: &summary,
        unread: &unread.0,
        met: &met,
    });
    Ok(WrittenChunk::new(about, text))
}

/// What a document of expectations says by id.
#[derive(Serialize)]
struct ExpectedIds<'e> {
    /// The ids; absent if the expectations are the same for all trajectories.
    #[serde(skip_serializing_if = "Option::is_none")]
    ids: Option<&'e [String]>,
    /// The answers that could not be read.
    unread: &'e [UnreadAnswer],
}

/// Returns the ids in a document of expectations and what could not be read: `{ids, unread}`. An error describes what
/// is wrong with the document.
#[wasm_bindgen(js_name = expectedIds)]
pub fn expected_ids(expected: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let limits = options.take_limits()?;
        options.finish(&["limits"])?;
        with_expected(Some(&expected), limits, |expected| {
            to_json(&match expected {
                ExpectedSet::ById(by_id) => ExpectedIds {
                    ids: Some(&by_id.ids),
                    unread: &by_id.unread,
                },
                ExpectedSet::ForAll(_) | ExpectedSet::Carried => ExpectedIds {
                    ids: None,
                    unread: &[],
                },
            })
        })
    })
}

fn with_expected<T>(
    document: Option<&Document>,
    limits: Limits,
    body: impl FnOnce(&ExpectedSet) -> T,
) -> Result<T> {
    let Some(document) = document else {
        return Ok(body(&ExpectedSet::Carried));
    };
    let bytes = document.bytes().unwrap_or_default();
    EXPECTED.with_borrow_mut(|(known, set)| {
        if known != bytes || *set == ExpectedSet::Carried {
            let arena = document.arena();
            let reader = Reader::new(&arena, limits);
            *set = ExpectedSet::read(document.read(reader)?, reader)?;
            known.clear();
            known.extend_from_slice(bytes);
        }
        Ok(body(set))
    })
}

/// Measures the test cases of a chunk of a file. Options: those of correctness, the description of the
/// `chunk`, the `style` of the report, and the `summary` of earlier chunks.
#[wasm_bindgen(js_name = correctnessChunk)]
pub fn correctness_chunk(
    bytes: Document,
    options: Option<Document>,
) -> std::result::Result<WrittenChunk, String> {
    let measure = || {
        let mut options = read_options(options)?;
        let chunk: ChunkOption = needed(&mut options, "chunk")?;
        let (style, mut summary) = (
            needed(&mut options, "style")?,
            options.take("summary")?.unwrap_or_default(),
        );
        let options = CorrectnessOptions::read(options)?;
        let arena = bytes.arena();
        let reader = Reader::new(&arena, options.limits);
        let (mut text, mut unread) = (String::new(), Unread::default());
        each_document(&chunk.of(&bytes), reader, |place, json| {
            let document = MeasuredDocument::measure(place, json, &options, reader);
            document.add_to(&mut summary);
            unread.add(document.unread());
            add_correctness(&document, &options, style, &mut text);
        });
        Ok(measured(text, &summary, &unread))
    };
    measure().map_err(|error: toolgauge_model::error::Error| to_json(&error.report()))
}

/// Measures the calls of two documents as one test case. Options: those of correctness, the description of
/// the `chunk` with the actual calls, and the `style` of the report.
#[wasm_bindgen(js_name = correctnessOfLists)]
pub fn correctness_of_lists(
    expected: Document,
    actual: Document,
    options: Option<Document>,
) -> std::result::Result<WrittenChunk, String> {
    let measure = || {
        let mut options = read_options(options)?;
        let chunk: ChunkOption = needed(&mut options, "chunk")?;
        let style: ResultStyle = needed(&mut options, "style")?;
        let options = CorrectnessOptions::read(options)?;
        let arena = actual.arena();
        let reader = Reader::new(&arena, options.limits);
        let wanted = read_named(&expected, "expected", reader)?;
        let made = read_named(&actual, "actual", reader)?;
        let case = compared_case(wanted, made, options.names(), reader)?;
        let result = measure_correctness(&case, &options)?;
        let named = NamedCase {
            index: 0,
            id: None,
            input: None,
            case,
        };
        let document = MeasuredDocument {
            place: Place {
                source: chunk.source(),
                line: None,
            },
            outcome: Ok(Measured {
                cases: vec![(named, result)],
                unmeasured: 0,
                warnings: Vec::new(),
            }),
        };
        let (mut text, mut summary) = (String::new(), CorrectnessSummary::default());
        document.add_to(&mut summary);
        add_correctness(&document, &options, style, &mut text);
        Ok(measured(text, &summary, &Unread::default()))
    };
    measure().map_err(|error: toolgauge_model::error::Error| to_json(&error.report()))
}

fn measured(text: String, summary: &CorrectnessSummary, unread: &Unread) -> WrittenChunk {
    let about = to_json(&About {
        summary,
        unread: &unread.0,
        met: &[],
    });
    WrittenChunk::new(about, text)
}

/// The options of the frame of a report.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Framed<Summary> {
    format: ResultFormat,
    sources: Vec<String>,
    #[serde(default)]
    layout: Layout,
    min_score: Option<f64>,
    #[serde(default)]
    allow_empty: bool,
    /// The totals, at the end.
    summary: Option<Summary>,
}

#[derive(Serialize)]
struct FrameAndGate {
    #[serde(flatten)]
    frame: Frame,
    gate: Option<Gate>,
}

/// Returns the frame of a report of scores, and at the end the gate:
/// `{head, separator, collapses, tail, gate}`. Options:
/// `format`, `sources`, `layout`, `minScore`, `allowEmpty`, and at the end `summary`.
#[wasm_bindgen(js_name = frameScores)]
pub fn frame_scores(options: Option<Document>) -> Encoded {
    encode(|| {
        let framed: Framed<ScoreSummary> = needed(&mut read_options(options)?, "frame")?;
        let summary = framed.summary.as_ref();
        let gate = summary.map(|summary| summary.gate(framed.min_score, framed.allow_empty));
        let closing = summary.zip(gate.as_ref());
        let frame = score_frame(framed.format, &framed.sources, closing, framed.layout);
        Ok(to_json(&FrameAndGate { frame, gate }))
    })
}

/// Like [`frame_scores`], for test cases. Options also: those of correctness.
#[wasm_bindgen(js_name = frameCorrectness)]
pub fn frame_correctness(options: Option<Document>) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let framed: Framed<CorrectnessSummary> = needed(&mut options, "frame")?;
        let options = CorrectnessOptions::read(options)?;
        let gate = CorrectnessGate {
            min_score: framed.min_score,
            allow_empty: framed.allow_empty,
        };
        let summary = framed.summary.as_ref();
        let gate = summary.map(|summary| summary.gate(gate));
        let closing = summary.zip(gate.as_ref());
        let about = (framed.sources.as_slice(), &options);
        let frame = correctness_frame(framed.format, about, closing, framed.layout);
        Ok(to_json(&FrameAndGate { frame, gate }))
    })
}
