//! The WebAssembly exports: they decode, call the core, and encode.
//!
//! Inputs are [`Document`]s, results are JSON text, and an error is thrown as the JSON text of an
//! [`ErrorReport`](crate::error::ErrorReport).

mod comparators;
mod document;
mod reflecting;
mod tools;

// What the slim build leaves out: see the feature in Cargo.toml.
#[cfg(feature = "whole")]
mod batch;
#[cfg(feature = "whole")]
mod convert;
#[cfg(feature = "whole")]
mod correctness;
#[cfg(feature = "whole")]
mod dispatching;
#[cfg(feature = "whole")]
mod exchange;
#[cfg(feature = "whole")]
mod judging;
#[cfg(feature = "whole")]
mod lint;
#[cfg(feature = "whole")]
mod measuring;
#[cfg(feature = "whole")]
mod reporting;
#[cfg(feature = "whole")]
mod scoring;
#[cfg(feature = "whole")]
mod validating;
#[cfg(feature = "whole")]
mod verifying;

use std::panic::PanicHookInfo;
use std::sync::LazyLock;

use js_sys::Function;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

use crate::batch::{CheckReport, check_trajectories};
use crate::check::CheckOptions;
use crate::error::Result;
use crate::formats::{self, Imported, TrajectoryFormat};
use crate::matching::{Comparing, Expectations};
use crate::model::{Json, Path, Reader, Trajectory, in_ascii, without_lone_surrogates};
use crate::options::Options;
use crate::schema::{self, ToolSet};
use crate::score::{self, AccuracyResult, ScoreOptions};
use crate::verify::{self, VerifyOptions};

use comparators::JsComparators;
pub use document::Document;
use document::read_options;
pub use tools::Tools;

/// Smaller than the allocator of the standard library, and equally fast.
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// An encoded result, or an encoded error to throw.
type Encoded = std::result::Result<String, String>;

/// The name of the JavaScript error that ends a call in the middle of its work. Its message is the encoded
/// error. The instance that threw it can't be used any more.
const STOPPED: &str = "ToolgaugeStopped";

/// Sets up readable panics in the console, and ends calls that work endlessly or need too much memory.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| {
        if is_out_of_memory(panic) {
            stop(&OUT_OF_MEMORY);
        }
        console_error_panic_hook::hook(panic);
    }));
    let _ = schema::STOP.set(stop);
}

/// Most calls never reach this, because the limits on inputs stop them first.
static OUT_OF_MEMORY: LazyLock<crate::error::Error> =
    LazyLock::new(|| crate::error::Error::LimitExceeded {
        limit: "the memory of WebAssembly, in bytes,",
        allowed: usize::MAX,
        actual: None,
        path: Path::root(),
    });

/// Returns whether a list or the arena failed to grow. The texts are those of the standard library and of
/// bumpalo.
fn is_out_of_memory(panic: &PanicHookInfo<'_>) -> bool {
    let words = panic.payload().downcast_ref::<&str>();
    matches!(words, Some(&("capacity overflow" | "out of memory")))
}

fn stop(error: &crate::error::Error) -> ! {
    let stopped = js_sys::Error::new(&to_json(&error.report()));
    stopped.set_name(STOPPED);
    wasm_bindgen::throw_val(stopped.into())
}

/// Returns the version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// See [`verify::summarize`].
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
        let imported = formats::import_trajectory(trajectory.read(reader)?, None, reader)?;
        let summary = verify::summarize(&imported.value, tools.set(), &options)?;
        Ok(to_json(&summary))
    })
}

/// See [`verify::unsupported_facts`].
#[wasm_bindgen(js_name = findUnsupportedFacts)]
pub fn find_unsupported_facts(trajectory: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        with_json(&trajectory, options, |json, reader| {
            let imported = formats::import_trajectory(json, None, reader)?;
            Ok(to_json(&verify::unsupported_facts(&imported.value)))
        })
    })
}

/// Scores a document `{expected, actual}`: see [`score::score_tool_calls`]. The option `comparators` names
/// those that `compare` calls, as in all functions that score.
#[wasm_bindgen(js_name = scoreToolCalls)]
pub fn score_tool_calls(
    input: Document,
    options: Option<Document>,
    compare: Option<Function>,
) -> Encoded {
    encode(|| {
        let scoring = Scoring::read(read_options(options)?, compare)?;
        let arena = input.arena();
        let reader = Reader::new(&arena, scoring.options.limits);
        let json = input.read(reader)?;
        let (expected, actual) = (json.get("expected"), member(json, "actual")?);
        Ok(to_json(&scoring.lists(expected, actual, reader)?))
    })
}

/// Scores two documents: see [`score::score_tool_calls`].
#[wasm_bindgen(js_name = scoreCallLists)]
pub fn score_call_lists(
    expected: Option<Document>,
    actual: Document,
    options: Option<Document>,
    compare: Option<Function>,
) -> Encoded {
    encode(|| {
        let scoring = Scoring::read(read_options(options)?, compare)?;
        scoring.documents(expected.as_ref(), &actual, |result| to_json(result))
    })
}

/// See [`formats::import_trajectories`].
#[wasm_bindgen(js_name = importTrajectories)]
pub fn import_trajectories(input: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        import(&input, options, |json, format, reader| {
            Ok(to_json(&formats::import_trajectories(
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

/// See [`formats::detect_format`].
#[wasm_bindgen(js_name = detectFormat)]
pub fn detect_format(input: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        with_json(&input, options, |json, _| {
            Ok(to_json(&formats::detect_format(json)))
        })
    })
}

/// See [`check_trajectories`].
#[wasm_bindgen(js_name = checkTrajectories)]
pub fn check(input: Document, tools: &Tools, options: Option<Document>) -> Encoded {
    encode(|| {
        let options = CheckOptions::read(read_options(options)?)?;
        with_check(&input, tools.set(), &options, |report, _| to_json(&report))
    })
}

/// Runs a function on one document, with `limits` as its only option.
fn with_json(
    document: &Document,
    options: Option<Document>,
    render: impl for<'a> FnOnce(Json<'a>, Reader<'a>) -> Result<String>,
) -> Result<String> {
    let mut options = read_options(options)?;
    let limits = options.take_limits()?;
    options.finish(&["limits"])?;
    let arena = document.arena();
    let reader = Reader::new(&arena, limits);
    render(document.read(reader)?, reader)
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

fn with_check(
    document: &Document,
    tools: &ToolSet,
    options: &CheckOptions,
    render: impl for<'a> FnOnce(CheckReport, Imported<Vec<Trajectory<'a>>, TrajectoryFormat>) -> String,
) -> Result<String> {
    let arena = document.arena();
    let reader = Reader::new(&arena, options.validate.limits);
    let imported = formats::import_trajectories(document.read(reader)?, options.format, reader)?;
    let report = check_trajectories(&imported, tools, options, reader)?;
    Ok(render(report, imported))
}

/// The options of scoring a call.
struct Scoring {
    options: ScoreOptions,
    comparators: JsComparators,
}

impl Scoring {
    fn read(mut options: Options, compare: Option<Function>) -> Result<Self> {
        let names = options.take("comparators")?.unwrap_or_default();
        Ok(Self {
            comparators: JsComparators::new(names, compare),
            options: ScoreOptions::read(options)?,
        })
    }

    fn comparing(&self) -> Comparing<'_> {
        Comparing::new(&self.comparators, self.options.limits)
    }

    fn lists<'a>(
        &self,
        expected: Option<Json<'a>>,
        actual: Json<'a>,
        reader: Reader<'a>,
    ) -> Result<AccuracyResult<'a>> {
        let mut lists = score::import_call_lists(expected, actual, reader)?;
        self.options.apply(&mut lists.expected, reader)?;
        score::score_tool_calls(&lists.expected, &lists.actual, &self.comparing())
    }

    fn documents(
        &self,
        expected: Option<&Document>,
        actual: &Document,
        render: impl FnOnce(&AccuracyResult<'_>) -> String,
    ) -> Result<String> {
        let arena = actual.arena();
        let reader = Reader::new(&arena, self.options.limits);
        let wanted = expected
            .map(|document| read_named(document, "expected", reader))
            .transpose()?;
        let made = read_named(actual, "actual", reader)?;
        Ok(render(&self.lists(wanted, made, reader)?))
    }
}

fn read_named<'a>(document: &'a Document, name: &str, reader: Reader<'a>) -> Result<Json<'a>> {
    document
        .read(reader)
        .map_err(|error| error.inside(&Path::root().key(name)))
}

fn member<'a>(json: Json<'a>, name: &str) -> Result<Json<'a>> {
    json.get(name).ok_or_else(|| {
        crate::error::Error::invalid_input(Path::root().key(name), "a list of calls", "nothing")
    })
}

/// Reads data that this package wrote itself.
fn read_plain<T: DeserializeOwned>(bytes: &[u8], name: &str) -> Result<T> {
    serde_json::from_slice(&without_lone_surrogates(bytes)).map_err(|error| {
        let path = Path::root().key(name);
        crate::error::Error::invalid_input(path, "what this package returns", error.to_string())
    })
}

fn encode(call: impl FnOnce() -> Result<String>) -> Encoded {
    call().map_err(|error| to_json(&error.report()))
}

/// Serializes `value`. Results are plain data, so writing them to memory can't fail.
fn to_json(value: &impl Serialize) -> String {
    in_ascii(serde_json::to_string(value).expect("plain data is always JSON"))
}
