//! A chunk of a file, and the documents in it.

use serde::Serialize;

use super::lines::{LineShape, numbered};
use toolgauge_model::error::{Error, ErrorReport};
use toolgauge_model::{Json, Path, Reader};

/// The location of a document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct Place<'p> {
    /// Returns the name of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'p str>,
    /// The line of the document, from 1, if each line is a document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// A run of whole lines of a file, or the whole file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk<'p, 'a> {
    /// The meaning of its lines.
    pub shape: LineShape,
    /// Returns the name of the file.
    pub source: Option<&'p str>,
    /// The number of its first line, from 1.
    pub line: usize,
    /// Its content.
    pub content: Content<'a>,
}

/// The content of a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content<'a> {
    /// These bytes.
    Bytes(&'a [u8]),
    /// One line with this many bytes, which was too long to keep.
    TooLong(usize),
    /// Nothing, for this reason.
    Failed(ErrorReport),
}

/// Passes each document of `chunk`, or the reason why it can't be read, to `add`. If the lines are
/// pieces of one document, unreadable pieces come before the document.
pub fn each_document<'p, 'a>(
    chunk: &Chunk<'p, 'a>,
    reader: Reader<'a>,
    mut add: impl FnMut(Place<'p>, std::result::Result<Json<'a>, ErrorReport>),
) {
    let Chunk { source, shape, .. } = *chunk;
    let whole = Place { source, line: None };
    let first = Place {
        source,
        line: Some(chunk.line).filter(|_| shape == LineShape::Lines),
    };
    match &chunk.content {
        Content::Failed(error) => add(first, Err(error.clone())),
        Content::TooLong(bytes) => add(first, Err(too_long(*bytes, reader))),
        Content::Bytes(bytes) => match shape {
            LineShape::Document => add(whole, reader.read(bytes).map_err(|it| it.report())),
            LineShape::Lines => {
                for (number, line) in numbered(bytes, chunk.line) {
                    add(
                        Place {
                            line: Some(number),
                            ..whole
                        },
                        read_line(line, number, reader),
                    );
                }
            }
            LineShape::Pieces => {
                let mut pieces = Vec::new();
                for (number, line) in numbered(bytes, chunk.line) {
                    match read_line(line, number, reader) {
                        Ok(piece) => pieces.push(piece),
                        error => add(
                            Place {
                                line: Some(number),
                                ..whole
                            },
                            error,
                        ),
                    }
                }
                add(whole, joined(&pieces, reader));
            }
        },
    }
}

fn read_line<'a>(
    line: &'a [u8],
    number: usize,
    reader: Reader<'a>,
) -> std::result::Result<Json<'a>, ErrorReport> {
    let read = reader.read(line);
    read.map_err(|error| error.at_line(number).report())
}

fn joined<'a>(
    pieces: &[Json<'a>],
    reader: Reader<'a>,
) -> std::result::Result<Json<'a>, ErrorReport> {
    if pieces.is_empty() {
        let error = Error::invalid_input(Path::root(), "JSON in its lines", "none");
        return Err(error.report());
    }
    Ok(Json::Array(reader.arena().alloc_slice_copy(pieces)))
}

fn too_long(bytes: usize, reader: Reader<'_>) -> ErrorReport {
    let error = Error::LimitExceeded {
        limit: "limits.maxInputBytes",
        allowed: reader.max_input_bytes(),
        actual: Some(bytes.to_string()),
        path: Path::root(),
    };
    error.report()
}
