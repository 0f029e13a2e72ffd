//! The exports for scores and test cases of many files.

use std::cell::RefCell;

use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use super::super::chunk::{ChunkOption, MOST_LISTED, WrittenChunk, needed};
use super::super::document::{Document, read_options};
use super::super::report::GatheredReport;
use super::super::{Encoded, encode, read_named, to_json};
use crate::batch::{
    CorrectnessGate, CorrectnessSummary, Measured, MeasuredDocument, Place, ScoreGate,
    ScoreSetting, ScoreSummary, ScoredDocument, UnreadDocument, each_document,
};
use crate::report::{
    Digest, Frame, Layout, ReportFormat, ResultOpening, ResultPart, ResultStyle, add_correctness,
    add_scores, correctness_frame, score_frame,
};
use toolgauge_base::gate::{Gate, PassGate};
use toolgauge_base::trials::FEW_TASKS;
use toolgauge_matching::{Comparing, NoComparators, Opinions};
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
    /// The totals of the chunk.
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
/// Options: those of scores, `format`, `taskKey`, the description of the `chunk`, and the `style` of the report.
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
    let format = options.take("format")?;
    let task_key: Option<String> = options.take("taskKey")?;
    let options = ScoreOptions::read(options)?;
    let comparing =
        Comparing::new(&NoComparators, options.limits).with_opinions(options.opinions.as_ref());
    let gate = ScoreGate {
        min_score: options.min_score,
        ..ScoreGate::default()
    };
    let (mut summary, mut part) = (ScoreSummary::default(), ResultPart::new(style));
    let (mut unread, mut met) = (Unread::default(), Vec::new());
    with_expected(expected, options.limits, |expected| {
        let arena = bytes.arena();
        let reader = Reader::new(&arena, options.limits);
        let setting = ScoreSetting {
            format,
            expected,
            options: &options,
            comparing: &comparing,
            task_key: task_key.as_deref(),
            pass_score: gate.pass_score(),
        };
        each_document(&chunk.of(bytes), reader, |place, json| {
            let document = ScoredDocument::score(place, json, setting, reader);
            document.add_to(&mut summary);
            unread.add(document.unread());
            add_scores(&document, &mut part);
            let scored = document.outcome.iter();
            met.extend(scored.flat_map(|scored| scored.found.met.iter().copied()));
        });
    })?;
    let about = to_json(&About {
        summary: &summary,
        unread: &unread.0,
        met: &met,
    });
    Ok(WrittenChunk::new(about, part.finish()))
}

/// Returns the questions to judges on which the scores of a chunk depend, without those that the option `opinions`
/// answers. Options: those of [`score_chunk`] without `taskKey` and `style`.
#[wasm_bindgen(js_name = openQuestionsOfChunk)]
pub fn open_questions_of_chunk(
    bytes: Document,
    expected: Option<Document>,
    options: Option<Document>,
) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let chunk: ChunkOption = needed(&mut options, "chunk")?;
        let format = options.take("format")?;
        let options = ScoreOptions::read(options)?;
        let none = Opinions::default();
        let known = options.opinions.as_ref().unwrap_or(&none);
        let comparing = Comparing::new(&NoComparators, options.limits).collecting_questions(known);
        with_expected(expected.as_ref(), options.limits, |expected| {
            let arena = bytes.arena();
            let reader = Reader::new(&arena, options.limits);
            let setting = ScoreSetting {
                format,
                expected,
                options: &options,
                comparing: &comparing,
                task_key: None,
                pass_score: 1.0,
            };
            each_document(&chunk.of(&bytes), reader, |place, json| {
                ScoredDocument::score(place, json, setting, reader);
            });
        })?;
        Ok(to_json(&comparing.into_questions()))
    })
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

/// Passes the expectations in `document`, or those that trajectories carry, to `body`.
pub(in crate::wasm) fn with_expected<T>(
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

/// Measures the test cases of a chunk of a file. Options: those of correctness, the description of the `chunk`, and
/// the `style` of the report.
#[wasm_bindgen(js_name = correctnessChunk)]
pub fn correctness_chunk(
    bytes: Document,
    options: Option<Document>,
) -> std::result::Result<WrittenChunk, String> {
    let measure = || {
        let mut options = read_options(options)?;
        let chunk: ChunkOption = needed(&mut options, "chunk")?;
        let style = needed(&mut options, "style")?;
        let options = CorrectnessOptions::read(options)?;
        let arena = bytes.arena();
        let reader = Reader::new(&arena, options.limits);
        let (mut summary, mut part) = (CorrectnessSummary::default(), ResultPart::new(style));
        let mut unread = Unread::default();
        each_document(&chunk.of(&bytes), reader, |place, json| {
            let document = MeasuredDocument::measure(place, json, &options, reader);
            document.add_to(&mut summary);
            unread.add(document.unread());
            add_correctness(&document, &options, &mut part);
        });
        Ok(measured(part, &summary, &unread))
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
        let (mut summary, mut part) = (CorrectnessSummary::default(), ResultPart::new(style));
        document.add_to(&mut summary);
        add_correctness(&document, &options, &mut part);
        Ok(measured(part, &summary, &Unread::default()))
    };
    measure().map_err(|error: toolgauge_model::error::Error| to_json(&error.report()))
}

fn measured(part: ResultPart, summary: &CorrectnessSummary, unread: &Unread) -> WrittenChunk {
    let about = to_json(&About {
        summary,
        unread: &unread.0,
        met: &[],
    });
    WrittenChunk::new(about, part.finish())
}

/// The options of the frame of a report.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Framed {
    format: ReportFormat,
    sources: Vec<String>,
    #[serde(default)]
    layout: Layout,
    min_score: Option<f64>,
    #[serde(default)]
    allow_empty: bool,
    #[serde(default)]
    allow_errors: bool,
    /// Whether a field names the tasks of trajectories.
    #[serde(default)]
    task_key: bool,
    /// Whether summaries are merged, instead of files read.
    #[serde(default)]
    merged: bool,
}

#[derive(Serialize)]
struct FrameAndGate<'f, Summary> {
    #[serde(flatten)]
    frame: Frame,
    gate: Option<&'f Gate>,
    summary: Option<&'f Summary>,
}

fn framed<Summary: Serialize>(frame: Frame, closing: Option<(&Summary, &Gate)>) -> WrittenChunk {
    let mut frame = frame;
    let tail = frame.tail.take().unwrap_or_default();
    let about = FrameAndGate {
        frame,
        gate: closing.map(|(_, gate)| gate),
        summary: closing.map(|(summary, _)| summary),
    };
    WrittenChunk::new(to_json(&about), tail)
}

fn digest_of(gathered: Option<GatheredReport>) -> Digest {
    gathered
        .map(GatheredReport::into_digest)
        .unwrap_or_default()
}

fn sum_of_scores(summaries: Vec<ScoreSummary>) -> ScoreSummary {
    let mut sum = ScoreSummary::default();
    for summary in &summaries {
        sum.merge(summary);
    }
    sum.settle_trials();
    sum
}

fn sum_of_cases(summaries: Vec<CorrectnessSummary>) -> CorrectnessSummary {
    let mut sum = CorrectnessSummary::default();
    for summary in &summaries {
        sum.merge(summary);
    }
    sum
}

/// Returns the summary of scores in a document, as JSON; `null` if it holds none, but perhaps another summary. See
/// [`ScoreSummary::read`].
#[wasm_bindgen(js_name = readScoreSummary)]
pub fn read_score_summary(document: Document) -> Encoded {
    encode(|| {
        let arena = document.arena();
        let json = document.read(Reader::new(&arena, Limits::default()))?;
        let summary = ScoreSummary::inside(json).map(|_| ScoreSummary::read(json));
        Ok(to_json(&summary.transpose()?))
    })
}

/// Merges summaries of scores: the option `summaries`. `fewTasks` keeps only some of the counts by task.
#[wasm_bindgen(js_name = sumScores)]
pub fn sum_scores(options: Option<Document>) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let mut sum = sum_of_scores(needed(&mut options, "summaries")?);
        if options.take("fewTasks")? == Some(true) {
            sum.tasks.keep(FEW_TASKS);
        }
        Ok(to_json(&sum))
    })
}

/// Merges summaries of test cases: the option `summaries`.
#[wasm_bindgen(js_name = sumCorrectness)]
pub fn sum_correctness(options: Option<Document>) -> Encoded {
    encode(|| {
        let summaries = needed(&mut read_options(options)?, "summaries")?;
        Ok(to_json(&sum_of_cases(summaries)))
    })
}

/// Returns the frame of a report of scores, and at the end the gate and the totals:
/// `{head, separator, collapses, gathers, gate, summary}` and the tail as text. Options: `frame` with `format`,
/// `sources`, `layout`, `minScore`, `allowEmpty`, `allowErrors`; `minPassRate`, `minPassHat`; at the end the `summaries` of the
/// chunks, and what is `gathered`.
#[wasm_bindgen(js_name = frameScores)]
pub fn frame_scores(
    gathered: Option<GatheredReport>,
    options: Option<Document>,
) -> std::result::Result<WrittenChunk, String> {
    let frame = || {
        let mut options = read_options(options)?;
        let framed_as: Framed = needed(&mut options, "frame")?;
        let summaries: Option<Vec<ScoreSummary>> = options.take("summaries")?;
        let gate = ScoreGate {
            min_score: framed_as.min_score,
            pass: PassGate::take(&mut options)?,
            allow_empty: framed_as.allow_empty,
            allow_errors: framed_as.allow_errors,
        };
        let are_wanted = framed_as.merged || framed_as.task_key || gate.pass.needs_tasks();
        let mut summary = summaries.map(sum_of_scores);
        let gate = summary.as_ref().map(|summary| summary.gate(&gate));
        let trials = summary.as_mut().and_then(|it| it.finish(are_wanted));
        let closing = summary.as_ref().zip(gate.as_ref());
        let Framed {
            format,
            sources,
            layout,
            merged,
            ..
        } = &framed_as;
        let opening = ResultOpening {
            command: if *merged { "merge" } else { "score" },
            sources,
        };
        let digest = digest_of(gathered);
        let totals = closing.map(|(summary, gate)| (summary, gate, trials.as_ref()));
        let frame = score_frame(*format, opening, totals, &digest, *layout);
        Ok(framed(frame, closing))
    };
    frame().map_err(|error: toolgauge_model::error::Error| to_json(&error.report()))
}

/// Like [`frame_scores`], for test cases. Options also: those of correctness.
#[wasm_bindgen(js_name = frameCorrectness)]
pub fn frame_correctness(
    gathered: Option<GatheredReport>,
    options: Option<Document>,
) -> std::result::Result<WrittenChunk, String> {
    let frame = || {
        let mut options = read_options(options)?;
        let framed_as: Framed = needed(&mut options, "frame")?;
        let summaries: Option<Vec<CorrectnessSummary>> = options.take("summaries")?;
        let options = CorrectnessOptions::read(options)?;
        let gate = CorrectnessGate {
            min_score: framed_as.min_score,
            allow_empty: framed_as.allow_empty,
            allow_errors: framed_as.allow_errors,
        };
        let summary = summaries.map(sum_of_cases);
        let gate = summary.as_ref().map(|summary| summary.gate(gate));
        let closing = summary.as_ref().zip(gate.as_ref());
        let about = (framed_as.sources.as_slice(), &options);
        let (format, layout) = (framed_as.format, framed_as.layout);
        let digest = digest_of(gathered);
        let frame = correctness_frame(format, about, closing, &digest, layout);
        Ok(framed(frame, closing))
    };
    frame().map_err(|error: toolgauge_model::error::Error| to_json(&error.report()))
}
