//! The exports about batches of trajectories.

use std::cell::RefCell;

use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use super::document::{Document, read_options};
use super::{Encoded, Tools, encode, to_json};
use crate::baseline;
use crate::batch::{
    CheckSummary, CheckedDocument, Chunk, Content, LineShape, each_document, line_shape,
};
use crate::check::{CheckOptions, Checker};
use crate::error::{Error, ErrorReport, Result};
use crate::gate::{Gate, GateOptions};
use crate::model::{Limits, Path, Reader};
use crate::options::Options;
use crate::reflect::ReflectSetting;
use crate::report::{Closing, Digest, Layout, Opening, PartStyle, PartWriter, ReportFormat};
use crate::schema::ToolCache;

/// The most unreadable documents of each chunk that are listed.
pub(super) const MOST_LISTED: usize = 20;

/// Returns limits for data that this module itself wrote, which may be longer than any input.
fn unlimited() -> Limits {
    Limits {
        max_input_bytes: usize::MAX,
        max_objects: usize::MAX,
        max_values: usize::MAX,
        ..Limits::default()
    }
}

thread_local! {
    /// The tools that trajectories carry, cached from chunk to chunk.
    static CARRIED: RefCell<ToolCache> = const { RefCell::new(ToolCache::new()) };
}

/// The description of a chunk of a file: the option `chunk`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChunkOption {
    shape: LineShape,
    source: Option<String>,
    /// The number of its first line.
    line: usize,
    /// Instead of content: the number of bytes of a line that was too long to keep.
    too_long: Option<usize>,
    /// Instead of content: the reason why it could not be checked.
    failed: Option<ErrorReport>,
    /// The reports of a check for which parts are requested.
    #[serde(default)]
    reports: Vec<Asked>,
}

impl ChunkOption {
    /// Returns the name of the file.
    pub(super) fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }

    /// Returns the chunk with these `bytes`.
    pub(super) fn of<'c>(&'c self, bytes: &'c Document) -> Chunk<'c, 'c> {
        Chunk {
            shape: self.shape,
            source: self.source.as_deref(),
            line: self.line,
            content: match (&self.failed, self.too_long) {
                (Some(error), _) => Content::Failed(error.clone()),
                (None, Some(length)) => Content::TooLong(length),
                (None, None) => Content::Bytes(bytes.bytes().unwrap_or_default()),
            },
        }
    }
}

/// A report for which a part is requested.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    format: ReportFormat,
    #[serde(default)]
    style: PartStyle,
    /// The lowest rank that is still accepted after the parts before: see [`GatheredReport::least_rank`].
    #[serde(default)]
    least_rank: u64,
}

/// The arguments of `frameReport`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Framed {
    format: ReportFormat,
    opening: Opening,
    #[serde(default)]
    layout: Layout,
    gate: Option<Gate>,
}

/// The result of checking a chunk.
#[wasm_bindgen]
pub struct CheckedChunk {
    data: String,
    reports: Vec<String>,
}

#[wasm_bindgen]
impl CheckedChunk {
    /// Returns `{summary, unread}` as JSON text: the totals, and the first documents that could not be read.
    #[wasm_bindgen(getter, js_name = told)]
    pub fn data(&self) -> String {
        self.data.clone()
    }

    /// Returns the part of this chunk in the requested report `at`. Can be called once.
    pub fn report(&mut self, at: usize) -> String {
        self.reports
            .get_mut(at)
            .map(std::mem::take)
            .unwrap_or_default()
    }
}

/// The text written for a chunk of a file, or around all chunks.
#[wasm_bindgen]
pub struct WrittenChunk {
    data: String,
    text: String,
}

#[wasm_bindgen]
impl WrittenChunk {
    /// Returns the data beside the text, as JSON text.
    #[wasm_bindgen(getter, js_name = told)]
    pub fn data(&self) -> String {
        self.data.clone()
    }

    /// Returns the text. Can be called once.
    pub fn text(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}

impl WrittenChunk {
    pub(super) fn new(data: String, text: String) -> Self {
        Self { data, text }
    }
}

#[derive(Serialize)]
struct ChunkData<'t> {
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
        data: to_json(&ChunkData {
            summary: &summary,
            unread: &unread,
        }),
        reports: reports.into_iter().map(PartWriter::finish).collect(),
    })
}

/// See [`line_shape`]. Returns `"document"`, `"lines"`, `"pieces"` or `null`.
#[wasm_bindgen(js_name = lineShape)]
pub fn shape_of_lines(
    head: Document,
    is_all: bool,
    is_lines: bool,
    options: Option<Document>,
) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let format = options.take("format")?;
        let limits = options.take_limits()?;
        let arena = head.arena();
        let reader = Reader::new(&arena, limits);
        let bytes = head.bytes().unwrap_or_default();
        Ok(to_json(&line_shape(
            bytes, is_all, is_lines, format, reader,
        )))
    })
}

/// Returns the most bytes of one input, from the options or the default.
#[wasm_bindgen(js_name = maxInputBytes)]
pub fn max_input_bytes(options: Option<Document>) -> std::result::Result<usize, String> {
    let limits = read_options(options).and_then(|mut options| options.take_limits());
    let limits = limits.map_err(|error| to_json(&error.report()))?;
    Ok(limits.max_input_bytes)
}

#[derive(Serialize)]
struct Total<'t> {
    summary: &'t CheckSummary,
    gate: &'t Gate,
}

/// Merges summaries, given as a list of summaries or of reports, or as a single one: `{summary, gate}`.
/// Options: those of the gate.
#[wasm_bindgen(js_name = mergeSummaries)]
pub fn merge_summaries(list: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let gate = GateOptions::take(&mut options)?;
        let limits = options.take_limits()?;
        options.finish(&[&GateOptions::NAMES[..], &["limits"]].concat())?;
        let arena = list.arena();
        let json = list.read(Reader::new(&arena, limits))?;
        let summary = CheckSummary::merged(json)?;
        Ok(to_json(&Total {
            summary: &summary,
            gate: &summary.gate(&gate),
        }))
    })
}

/// The gathered parts of a report.
#[wasm_bindgen]
pub struct GatheredReport(Digest);

#[wasm_bindgen]
impl GatheredReport {
    /// Creates an empty report. Options: `format`.
    #[wasm_bindgen(constructor)]
    pub fn new(options: Option<Document>) -> std::result::Result<GatheredReport, String> {
        let format = read_options(options).and_then(|mut options| needed(&mut options, "format"));
        let format: ReportFormat = format.map_err(|error| to_json(&error.report()))?;
        let digest = format.digest(0);
        Ok(Self(digest.unwrap_or_default()))
    }

    /// Adds the next part.
    pub fn add(&mut self, part: Document) -> std::result::Result<(), String> {
        let part = serde_json::from_slice(part.bytes().unwrap_or_default());
        let part = part.map_err(|error| {
            let error = Error::invalid_input(Path::root(), "part of a report", error.to_string());
            to_json(&error.report())
        })?;
        self.0.merge(part);
        Ok(())
    }

    /// Returns everything as one part, in UTF-8.
    pub fn part(&self) -> Vec<u8> {
        to_json(&self.0).into_bytes()
    }

    /// Returns the lowest rank that is still accepted from later parts.
    #[wasm_bindgen(getter, js_name = leastRank)]
    pub fn least_rank(&self) -> f64 {
        self.0.least_rank() as f64
    }
}

/// Returns the frame of a report: see [`ReportFormat::frame`]; the tail is the text. Options:
/// `format`, `opening`, `layout`, and at the end also `summary`, `gate` and `gathered`.
#[wasm_bindgen(js_name = frameReport)]
pub fn frame_report(
    summary: Option<Document>,
    gathered: Option<GatheredReport>,
    options: Option<Document>,
) -> std::result::Result<WrittenChunk, String> {
    framed(summary, gathered, options).map_err(|error| to_json(&error.report()))
}

fn framed(
    summary: Option<Document>,
    gathered: Option<GatheredReport>,
    options: Option<Document>,
) -> Result<WrittenChunk> {
    let asked: Framed = read_options(options)?.rest()?;
    let digest = gathered.map(|gathered| gathered.0).unwrap_or_default();
    let summary = summary.as_ref().map(read_summary).transpose()?;
    let closing = summary.as_ref().zip(asked.gate.as_ref());
    let closing = closing.map(|(summary, gate)| Closing { summary, gate });
    let Framed { format, layout, .. } = asked;
    let mut frame = format.frame(&asked.opening, closing.as_ref(), &digest, layout);
    let tail = frame.tail.take().unwrap_or_default();
    Ok(WrittenChunk::new(to_json(&frame), tail))
}

fn read_summary(document: &Document) -> Result<CheckSummary> {
    let arena = document.arena();
    CheckSummary::read(document.read(Reader::new(&arena, Limits::default()))?)
}

pub(super) fn needed<T: serde::de::DeserializeOwned>(
    options: &mut Options,
    name: &str,
) -> Result<T> {
    options.take(name)?.ok_or_else(|| Error::InvalidOption {
        path: Path::root().key("options").key(name),
        reason: "missing".to_owned(),
    })
}
