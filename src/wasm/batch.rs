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
use crate::report::{Closing, Digest, Layout, Opening, PartStyle, PartWriter, ReportFormat};
use crate::schema::ToolCache;

/// Of each chunk at most so many documents that could not be read are told by themselves.
pub(super) const MOST_TOLD: usize = 20;

/// What this module wrote may be longer than any input.
fn unlimited() -> Limits {
    Limits {
        max_input_bytes: usize::MAX,
        ..Limits::default()
    }
}

thread_local! {
    /// The tools that trajectories carry, kept from chunk to chunk.
    static CARRIED: RefCell<ToolCache> = const { RefCell::new(ToolCache::new()) };
}

/// What a chunk of a file is: the option `chunk`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChunkOption {
    shape: LineShape,
    source: Option<String>,
    /// The number of its first line.
    line: usize,
    /// Instead of content: how many bytes the line had that was too long to be kept.
    too_long: Option<usize>,
    /// Instead of content: why it could not be checked.
    failed: Option<ErrorReport>,
    /// The reports of a check whose parts are asked for.
    #[serde(default)]
    reports: Vec<Asked>,
}

impl ChunkOption {
    /// The name of the file.
    pub(super) fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }

    /// The chunk that these say, of these `bytes`.
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

/// A report whose part is asked for.
#[derive(Deserialize)]
struct Asked {
    format: ReportFormat,
    #[serde(default)]
    style: PartStyle,
}

/// What `frameReport` is asked for.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Framed {
    format: ReportFormat,
    opening: Opening,
    #[serde(default)]
    layout: Layout,
    gate: Option<Gate>,
}

/// What was found in a chunk.
#[wasm_bindgen]
pub struct CheckedChunk {
    told: String,
    reports: Vec<String>,
}

#[wasm_bindgen]
impl CheckedChunk {
    /// `{summary, unread}` as JSON text: the totals, and the first documents that could not be read.
    #[wasm_bindgen(getter)]
    pub fn told(&self) -> String {
        self.told.clone()
    }

    /// The part of this chunk in the report `at` of those that were asked for; once.
    pub fn report(&mut self, at: usize) -> String {
        self.reports
            .get_mut(at)
            .map(std::mem::take)
            .unwrap_or_default()
    }
}

/// What is written of a chunk of a file.
#[wasm_bindgen]
pub struct WrittenChunk {
    told: String,
    text: String,
}

#[wasm_bindgen]
impl WrittenChunk {
    /// What is to be known of it beside the text, as JSON text.
    #[wasm_bindgen(getter)]
    pub fn told(&self) -> String {
        self.told.clone()
    }

    /// The text; once.
    pub fn text(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}

impl WrittenChunk {
    pub(super) fn new(told: String, text: String) -> Self {
        Self { told, text }
    }
}

#[derive(Serialize)]
struct Told<'t> {
    summary: &'t CheckSummary,
    unread: &'t [serde_json::Value],
}

/// What an earlier check found, or nothing.
#[wasm_bindgen]
pub struct Baseline(Option<baseline::Baseline>);

#[wasm_bindgen]
impl Baseline {
    /// The mean score of the earlier check.
    #[wasm_bindgen(getter)]
    pub fn score(&self) -> Option<f64> {
        self.0.as_ref()?.score()
    }
}

/// See [`baseline::Baseline::read`]; nothing is known without a `report`.
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

/// Checks a chunk of a file. Options: those of a check, and what the `chunk` is.
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
    let options = CheckOptions::read(options)?;
    let arena = bytes.arena();
    let reader = Reader::new(&arena, options.validate.limits);

    let mut summary = CheckSummary::default();
    let mut unread = Vec::new();
    let mut reports: Vec<_> = chunk
        .reports
        .iter()
        .map(|asked| PartWriter::new(asked.format, asked.style, options.gate.fail_on))
        .collect();
    CARRIED.with_borrow_mut(|carried| {
        let mut checker = Checker::new(tools.set(), &options, carried, reader);
        if let Some(baseline) = &baseline.0 {
            checker = checker.against(baseline);
        }
        each_document(&chunk.of(bytes), reader, |place, json| {
            let document = CheckedDocument::check(place, json, &mut checker);
            document.add_to(&mut summary);
            if let Some(found) = document.unread().filter(|_| unread.len() < MOST_TOLD) {
                unread.push(serde_json::json!(found));
            }
            for report in &mut reports {
                report.add(&document);
            }
        });
    });
    Ok(CheckedChunk {
        told: to_json(&Told {
            summary: &summary,
            unread: &unread,
        }),
        reports: reports.into_iter().map(PartWriter::finish).collect(),
    })
}

/// See [`line_shape`]; the answer is `"document"`, `"lines"`, `"pieces"` or `null`.
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

/// The most bytes of one input: of the limits that the options hold, or the default.
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

/// Adds summaries up, a list of them or of what holds one, or takes the one that stands alone:
/// `{summary, gate}`. Options: those of the gate.
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

/// Adds parts of a report up, a list of them in their order, where they are gathered: see
/// [`ReportFormat::gather`]. Options: the `format`.
#[wasm_bindgen(js_name = gatherParts)]
pub fn gather_parts(parts: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        let format = needed(&mut read_options(options)?, "format")?;
        Ok(to_json(&read_digest(&parts, format)?))
    })
}

/// What stands around the parts of a report: see [`ReportFormat::frame`]. Options: `format`, `opening`,
/// `layout`; at the end the `summary` comes beside them, and the `gate`, and a list of the parts where they
/// are gathered.
#[wasm_bindgen(js_name = frameReport)]
pub fn frame_report(
    summary: Option<Document>,
    parts: Option<Document>,
    options: Option<Document>,
) -> Encoded {
    encode(|| {
        let framed: Framed = read_options(options)?.rest()?;
        let parts = parts.as_ref();
        let gathered = parts.map(|parts| read_digest(parts, framed.format));
        let gathered = gathered.transpose()?.unwrap_or_default();
        let summary = summary.as_ref().map(read_summary).transpose()?;
        let closing = summary.as_ref().zip(framed.gate.as_ref());
        let closing = closing.map(|(summary, gate)| Closing { summary, gate });
        let frame =
            framed
                .format
                .frame(&framed.opening, closing.as_ref(), &gathered, framed.layout);
        Ok(to_json(&frame))
    })
}

fn read_digest(parts: &Document, format: ReportFormat) -> Result<Digest> {
    let arena = parts.arena();
    format.gather(parts.read(Reader::new(&arena, unlimited()))?)
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
