//! The exports that verify results, and what replies make of them.

use wasm_bindgen::prelude::*;

use super::document::{Document, read_options};
use super::{Encoded, Tools, encode, read_named, to_json, with_json};
use toolgauge_model::error::Result;
use toolgauge_model::{Path, Reader, Trajectory};
use toolgauge_verify::VerifyOptions;

/// See [`toolgauge_verify::summarize`].
#[wasm_bindgen(js_name = summarizeResultVerification)]
pub fn summarize_result_verification(
    tools: &Tools,
    trajectory: Document,
    options: Option<Document>,
) -> Encoded {
    encode(|| {
        let options = VerifyOptions::read(read_options(options)?)?;
        let arena = trajectory.arena();
        let reader = Reader::new(&arena, options.limits);
        let imported =
            toolgauge_formats::import_trajectory(trajectory.read(reader)?, None, reader)?;
        let summary = toolgauge_verify::summarize(&imported.value, tools.set(), &options)?;
        Ok(to_json(&summary))
    })
}

/// See [`toolgauge_verify::unsupported_facts`].
#[wasm_bindgen(js_name = findUnsupportedFacts)]
pub fn find_unsupported_facts(trajectory: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        with_json(&trajectory, options, |json, reader| {
            let imported = toolgauge_formats::import_trajectory(json, None, reader)?;
            Ok(to_json(&toolgauge_verify::unsupported_facts(
                &imported.value,
            )))
        })
    })
}

/// See [`toolgauge_verify::verify_result`].
#[wasm_bindgen(js_name = verifyResult)]
pub fn verify_result(
    tools: &Tools,
    call: Document,
    turn: Document,
    trajectory: Option<Document>,
    options: Option<Document>,
) -> Encoded {
    encode(|| {
        let options = VerifyOptions::read(read_options(options)?)?;
        let arena = turn.arena();
        let reader = Reader::new(&arena, options.limits);
        let call =
            toolgauge_formats::import_tool_call(read_named(&call, "toolCall", reader)?, reader)?;
        let turn = toolgauge_formats::import_turn(read_named(&turn, "turn", reader)?, reader)?;
        let whole = read_whole(trajectory.as_ref(), reader)?;
        let (whole, tools) = (whole.as_ref(), tools.set());
        let result = toolgauge_verify::verify_result(&call, &turn, whole, tools, &options)?;
        Ok(to_json(&result))
    })
}

/// See [`toolgauge_verify::verify_turn`].
#[wasm_bindgen(js_name = verifyTurnResults)]
pub fn verify_turn_results(
    tools: &Tools,
    turn: Document,
    trajectory: Option<Document>,
    options: Option<Document>,
) -> Encoded {
    encode(|| {
        let options = VerifyOptions::read(read_options(options)?)?;
        let arena = turn.arena();
        let reader = Reader::new(&arena, options.limits);
        let turn = toolgauge_formats::import_turn(read_named(&turn, "turn", reader)?, reader)?;
        let whole = read_whole(trajectory.as_ref(), reader)?;
        let (whole, tools) = (whole.as_ref(), tools.set());
        let results = toolgauge_verify::verify_turn(&turn, whole, tools, &options)?;
        Ok(to_json(&results))
    })
}

fn read_whole<'a>(
    document: Option<&'a Document>,
    reader: Reader<'a>,
) -> Result<Option<Trajectory<'a>>> {
    let Some(document) = document else {
        return Ok(None);
    };
    let json = read_named(document, "trajectory", reader)?;
    let imported = toolgauge_formats::import_trajectory(json, None, reader)
        .map_err(|error| error.inside(&Path::root().key("trajectory")))?;
    Ok(Some(imported.value))
}
