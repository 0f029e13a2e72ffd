//! The exports that read and write trajectories, tool definitions and expectations.

mod chunks;

use wasm_bindgen::prelude::*;

use super::document::{Document, read_options};
use super::{Encoded, encode, to_json, with_json};
use toolgauge_formats::{self, ExportFormat, TrajectoryFormat};
use toolgauge_matching::Expectations;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Reader};

/// See [`toolgauge_formats::import_trajectory`].
#[wasm_bindgen(js_name = importTrajectory)]
pub fn import_trajectory(input: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        import(&input, options, |json, format, reader| {
            Ok(to_json(&toolgauge_formats::import_trajectory(
                json, format, reader,
            )?))
        })
    })
}

/// See [`toolgauge_formats::export_trajectory`]. Options: `format`, the target; `from`, the source format.
#[wasm_bindgen(js_name = exportTrajectory)]
pub fn export_trajectory(input: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let format: Option<ExportFormat> = options.take("format")?;
        let from = options.take("from")?;
        let limits = options.take_limits()?;
        options.finish(&["format", "from", "limits"])?;
        let arena = input.arena();
        let reader = Reader::new(&arena, limits);
        let imported = toolgauge_formats::import_trajectory(input.read(reader)?, from, reader)?;
        let format = format.unwrap_or_default();
        let exported = toolgauge_formats::export_trajectory(&imported.value, format);
        Ok(to_json(&exported))
    })
}

/// See [`toolgauge_formats::import_tools`]. Returns the tools as a record by name.
#[wasm_bindgen(js_name = importTools)]
pub fn import_tools(input: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        with_json(&input, options, |json, reader| {
            Ok(to_json(
                &toolgauge_formats::import_tools(json, reader)?.by_name(),
            ))
        })
    })
}

/// See [`toolgauge_formats::import_trajectories`].
#[wasm_bindgen(js_name = importTrajectories)]
pub fn import_trajectories(input: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        import(&input, options, |json, format, reader| {
            Ok(to_json(&toolgauge_formats::import_trajectories(
                json, format, reader,
            )?))
        })
    })
}

/// See [`Expectations::import`].
#[wasm_bindgen(js_name = importExpectations)]
pub fn import_expectations(input: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        with_json(&input, options, |json, reader| {
            Ok(to_json(&Expectations::import(json, reader)?))
        })
    })
}

/// See [`toolgauge_formats::detect_format`].
#[wasm_bindgen(js_name = detectFormat)]
pub fn detect_format(input: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        with_json(&input, options, |json, _| {
            Ok(to_json(&toolgauge_formats::detect_format(json)))
        })
    })
}

fn import(
    document: &Document,
    options: Option<Document>,
    import: impl for<'a> FnOnce(Json<'a>, Option<TrajectoryFormat>, Reader<'a>) -> Result<String>,
) -> Result<String> {
    let mut options = read_options(options)?;
    let format = options.take("format")?;
    let limits = options.take_limits()?;
    options.finish(&["format", "limits"])?;
    let arena = document.arena();
    let reader = Reader::new(&arena, limits);
    import(document.read(reader)?, format, reader)
}
