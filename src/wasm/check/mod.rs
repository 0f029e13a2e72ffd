//! The exports that check trajectories, and single turns and calls against the schemas of their tools.

mod chunks;

pub(super) use chunks::with_carried;

use bumpalo::Bump;
use wasm_bindgen::prelude::*;

use super::document::{Document, read_options};
use super::{Encoded, Tools, encode, to_json};
use crate::batch::{CheckReport, check_trajectories};
use crate::check::CheckOptions;
use toolgauge_formats::{Imported, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Limits, Reader, ToolCall, Trajectory};
use toolgauge_schema::ToolSet;
use toolgauge_validate::ValidateOptions;

/// See [`check_trajectories`].
#[wasm_bindgen(js_name = checkTrajectories)]
pub fn check_all(input: Document, tools: &Tools, options: Option<Document>) -> Encoded {
    encode(|| {
        let options = CheckOptions::read(read_options(options)?)?;
        with_check(&input, tools.set(), &options, |report, _| to_json(&report))
    })
}

/// See [`toolgauge_validate::validate_trajectory`].
#[wasm_bindgen(js_name = validateTrajectory)]
pub fn validate_trajectory(
    trajectory: Document,
    tools: &Tools,
    options: Option<Document>,
) -> Encoded {
    encode(|| {
        let options = validate_options(options)?;
        with_limits(&trajectory, &options, |json, reader| {
            let imported = toolgauge_formats::import_trajectory(json, None, reader)?;
            Ok(to_json(&toolgauge_validate::validate_trajectory(
                &imported.value,
                tools.set(),
                &options,
            )?))
        })
    })
}

/// See [`toolgauge_validate::validate_turn`].
#[wasm_bindgen(js_name = validateTurn)]
pub fn validate_turn(turn: Document, tools: &Tools, options: Option<Document>) -> Encoded {
    encode(|| {
        let options = validate_options(options)?;
        with_limits(&turn, &options, |json, reader| {
            let turn = toolgauge_formats::import_turn(json, reader)?;
            Ok(to_json(&toolgauge_validate::validate_turn(
                &turn,
                tools.set(),
                &options,
            )?))
        })
    })
}

/// See [`toolgauge_validate::validate_tool_call`].
#[wasm_bindgen(js_name = validateToolCall)]
pub fn validate_tool_call(call: Document, tools: &Tools, options: Option<Document>) -> Encoded {
    encode(|| {
        let options = validate_options(options)?;
        with_limits(&call, &options, |json, reader| {
            let call = toolgauge_formats::import_tool_call(json, reader)?;
            Ok(to_json(&toolgauge_validate::validate_tool_call(
                &call,
                tools.set(),
                &options,
            )?))
        })
    })
}

/// See [`toolgauge_schema::validate_schema`].
#[wasm_bindgen(js_name = validateSchema)]
pub fn validate_schema(call: Document, tools: &Tools, options: Option<Document>) -> Encoded {
    encode(|| {
        let options = validate_options(options)?;
        with_limits(&call, &options, |json, reader| {
            let call: ToolCall<'_> = toolgauge_formats::import_tool_call(json, reader)?;
            let tool = tools.only()?;
            Ok(to_json(&toolgauge_schema::validate_schema(
                &call,
                tool,
                options.limits,
            )?))
        })
    })
}

/// See [`toolgauge_schema::create_tool_schema`].
#[wasm_bindgen(js_name = createToolSchema)]
pub fn create_tool_schema(
    name: &str,
    json_schema: Document,
    description: Option<String>,
) -> Encoded {
    encode(|| {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let json = json_schema.read(reader)?;
        let tool =
            toolgauge_schema::create_tool_schema(name, json, description.as_deref(), &arena)?;
        Ok(to_json(&tool))
    })
}

fn validate_options(options: Option<Document>) -> Result<ValidateOptions> {
    ValidateOptions::read(read_options(options)?)
}

fn with_limits(
    document: &Document,
    options: &ValidateOptions,
    validate: impl for<'a> FnOnce(Json<'a>, Reader<'a>) -> Result<String>,
) -> Result<String> {
    let arena = document.arena();
    let reader = Reader::new(&arena, options.limits);
    validate(document.read(reader)?, reader)
}

pub(super) fn with_check(
    document: &Document,
    tools: &ToolSet,
    options: &CheckOptions,
    answer: impl for<'a> FnOnce(CheckReport, Imported<Vec<Trajectory<'a>>, TrajectoryFormat>) -> String,
) -> Result<String> {
    let arena = document.arena();
    let reader = Reader::new(&arena, options.validate.limits);
    let mut imported =
        toolgauge_formats::import_trajectories(document.read(reader)?, options.format, reader)?;
    let report = check_trajectories(&mut imported, tools, options, reader)?;
    Ok(answer(report, imported))
}
