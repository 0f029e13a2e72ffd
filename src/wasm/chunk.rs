//! Chunks of files, as all commands read and write them.

use serde::Deserialize;
use wasm_bindgen::prelude::*;

use super::document::{Document, read_options};
use super::{Encoded, encode, to_json};
use crate::batch::{Chunk, Content, LineShape, line_shape};
use crate::report::{PartStyle, ReportFormat};
use toolgauge_base::options::Options;
use toolgauge_model::error::{Error, ErrorReport, Result};
use toolgauge_model::{Path, Reader};

/// Most documents of a chunk that could not be read and are listed.
pub(super) const MOST_LISTED: usize = 20;

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
    pub(super) reports: Vec<AskedPart>,
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
pub(super) struct AskedPart {
    pub(super) format: ReportFormat,
    #[serde(default)]
    pub(super) style: PartStyle,
    /// The least rank of an entry that still fits the report after the parts before: see
    /// [`GatheredReport::least_rank`](super::report::GatheredReport::least_rank).
    #[serde(default)]
    pub(super) least_rank: u64,
}

/// The text written for a chunk of a file, or around all chunks.
#[wasm_bindgen]
pub struct WrittenChunk {
    about: String,
    text: String,
}

#[wasm_bindgen]
impl WrittenChunk {
    /// What is to be known of it beside the text, as JSON text.
    #[wasm_bindgen(getter)]
    pub fn about(&self) -> String {
        self.about.clone()
    }

    /// Returns the text. Can be called once.
    pub fn text(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}

impl WrittenChunk {
    pub(super) fn new(about: String, text: String) -> Self {
        Self { about, text }
    }
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

pub(super) fn needed<T: serde::de::DeserializeOwned>(
    options: &mut Options,
    name: &str,
) -> Result<T> {
    options.take(name)?.ok_or_else(|| Error::InvalidOption {
        path: Path::root().key("options").key(name),
        reason: "missing".to_owned(),
    })
}
