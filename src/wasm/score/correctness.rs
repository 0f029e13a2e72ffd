//! The exports for the correctness of one test case and its parts.

use wasm_bindgen::prelude::*;

use super::super::document::{Document, read_options};
use super::super::{Encoded, encode, read_plain, to_json, with_json};
use toolgauge_model::error::Result;
use toolgauge_model::{Path, Reader};
use toolgauge_score::{CorrectnessOptions, MetricContext, Preparation, TestCase};

/// See [`toolgauge_score::measure_correctness`]. `context` is the JSON text of a [`MetricContext`].
#[wasm_bindgen(js_name = measureCorrectness)]
pub fn measure_correctness(
    case: Document,
    options: Option<Document>,
    context: Option<String>,
) -> Encoded {
    encode(|| {
        let context = read_context(context)?;
        let options = CorrectnessOptions {
            tool_choice: context.tool_choice,
            ..CorrectnessOptions::read(read_options(options)?)?
        };
        let arena = case.arena();
        let reader = Reader::new(&arena, options.limits);
        let available = context.available_tools.as_deref();
        let case = TestCase::read(case.read(reader)?, available, reader)?;
        let case = case.prepare(options.names(), reader);
        Ok(to_json(&toolgauge_score::measure_correctness(
            &case, &options,
        )?))
    })
}

/// See [`TestCase::read`]. `context` is the JSON text of a [`MetricContext`].
#[wasm_bindgen(js_name = readTestCase)]
pub fn read_test_case(
    case: Document,
    options: Option<Document>,
    context: Option<String>,
) -> Encoded {
    encode(|| {
        let context = read_context(context)?;
        let options = CorrectnessOptions::read(read_options(options)?)?;
        let arena = case.arena();
        let reader = Reader::new(&arena, options.limits);
        let available = context.available_tools.as_deref();
        let case = TestCase::read(case.read(reader)?, available, reader)?;
        Ok(to_json(&case.prepare(options.names(), reader)))
    })
}

fn read_context(context: Option<String>) -> Result<MetricContext> {
    match context {
        Some(text) => read_plain(text.as_bytes(), "context"),
        None => Ok(MetricContext::default()),
    }
}

/// See [`toolgauge_score::trajectory_steps`].
#[wasm_bindgen(js_name = trajectorySteps)]
pub fn trajectory_steps(trajectory: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        with_json(&trajectory, options, |json, reader| {
            let trajectory = toolgauge_formats::import_messages(json, reader)?;
            Ok(to_json(&toolgauge_score::trajectory_steps(
                &trajectory,
                reader,
            )))
        })
    })
}

/// See [`toolgauge_score::final_steps`].
#[wasm_bindgen(js_name = finalSteps)]
pub fn final_steps(trajectory: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        with_json(&trajectory, options, |json, reader| {
            let trajectory = toolgauge_formats::import_messages(json, reader)?;
            Ok(to_json(&toolgauge_score::final_steps(&trajectory, reader)))
        })
    })
}

/// See [`toolgauge_score::called_in_steps`].
#[wasm_bindgen(js_name = calledInSteps)]
pub fn called_in_steps(steps: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        with_json(&steps, options, |json, reader| {
            let calls = toolgauge_score::called_in_steps(json, &Path::root(), reader)?;
            Ok(to_json(&calls))
        })
    })
}

/// See [`toolgauge_score::read_called_tools`] and [`Preparation`].
#[wasm_bindgen(js_name = calledTools)]
pub fn called_tools(tools: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let preparation = Preparation::take(&mut options)?;
        let limits = options.take_limits()?;
        options.finish(&["normalizeNames", "includeOutput", "limits"])?;
        let arena = tools.arena();
        let reader = Reader::new(&arena, limits);
        let calls = toolgauge_score::read_called_tools(tools.read(reader)?, &Path::root(), reader)?;
        Ok(to_json(&preparation.apply(calls)))
    })
}

/// See [`toolgauge_score::normalize_tool_name`].
#[wasm_bindgen(js_name = normalizeToolName)]
pub fn normalize_tool_name(name: &str) -> String {
    toolgauge_score::normalize_tool_name(name).to_owned()
}
