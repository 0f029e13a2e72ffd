//! The exports that convert trajectories to another format.

use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::super::chunk::{ChunkOption, MOST_LISTED, WrittenChunk, needed};
use super::super::document::{Document, read_options};
use super::super::{Encoded, encode, to_json};
use crate::batch::{Conversion, ConvertProblem, ConvertSummary, each_document};
use crate::report::render_losses;
use toolgauge_model::Reader;
use toolgauge_model::error::Result;

#[derive(Serialize)]
struct About<'t> {
    /// The totals, including earlier chunks.
    summary: &'t ConvertSummary,
    /// The first documents that could not be converted completely.
    problems: &'t [ConvertProblem<'t>],
}

/// Converts a chunk of a file. Options: `from`, `to` and `layout` of a [`Conversion`], `limits`, the
/// description of the `chunk`, and the `summary` of earlier chunks.
#[wasm_bindgen(js_name = convertChunk)]
pub fn convert_chunk(
    bytes: Document,
    options: Option<Document>,
) -> std::result::Result<WrittenChunk, String> {
    convert(&bytes, options).map_err(|error| to_json(&error.report()))
}

fn convert(bytes: &Document, options: Option<Document>) -> Result<WrittenChunk> {
    let mut options = read_options(options)?;
    let chunk: ChunkOption = needed(&mut options, "chunk")?;
    let conversion = Conversion {
        from: options.take("from")?,
        to: needed(&mut options, "to")?,
        layout: needed(&mut options, "layout")?,
    };
    let mut summary: ConvertSummary = options.take("summary")?.unwrap_or_default();
    let limits = options.take_limits()?;
    options.finish(&["chunk", "from", "to", "layout", "summary", "limits"])?;
    let arena = bytes.arena();
    let reader = Reader::new(&arena, limits);
    let mut text = String::new();
    let mut problems = Vec::new();
    let (mut errors_left, mut warnings_left) = (MOST_LISTED, MOST_LISTED);
    each_document(&chunk.of(bytes), reader, |place, json| {
        conversion.add(place, json, reader, (&mut text, &mut summary), |problem| {
            let left = match problem.error {
                Some(_) => &mut errors_left,
                None => &mut warnings_left,
            };
            if *left > 0 {
                *left -= 1;
                problems.push(problem);
            }
        });
    });
    let about = to_json(&About {
        summary: &summary,
        problems: &problems,
    });
    Ok(WrittenChunk::new(about, text))
}

/// See [`render_losses`]. Options: the `summary` of a conversion, and its target format `to`.
#[wasm_bindgen(js_name = reportLosses)]
pub fn report_losses(options: Option<Document>) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let summary: ConvertSummary = needed(&mut options, "summary")?;
        Ok(render_losses(&summary.losses, needed(&mut options, "to")?))
    })
}
