//! The WebAssembly exports: decode, call the core, encode.
//!
//! Inputs come as [`Document`]s, results go as JSON text, and an error is thrown as the JSON text of
//! an [`ErrorReport`](crate::error::ErrorReport).

mod batch;
mod comparators;
mod convert;
mod document;
mod judging;
mod lint;
mod measuring;
mod tools;

use bumpalo::Bump;
use js_sys::Function;
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::batch::{CheckReport, CheckedDocument, Judged, Place, check_trajectories};
use crate::check::CheckOptions;
use crate::error::Result;
use crate::formats::{ExportFormat, Imported, TrajectoryFormat};
use crate::gate::{Gate, score_failure};
use crate::matching::{Comparing, Expectations};
use crate::model::{Json, Path, Reader, ToolCall, Trajectory};
use crate::options::Options;
use crate::report::{
    Closing, Layout, Opening, PartStyle, ReportFormat, ReportedCommand, render_check,
    render_document, render_score, render_scores,
};
use crate::schema::ToolSet;
use crate::score::{
    AccuracyResult, CorrectnessOptions, Preparation, ScoreOptions, ScoreReport, TestCase,
};
use crate::validate::ValidateOptions;
use crate::verify::VerifyOptions;
use crate::{formats, schema, score, validate, verify};

use comparators::JsComparators;
pub use document::Document;
use document::read_options;
pub use tools::Tools;

/// An encoded result, or an encoded error to throw.
type Encoded = std::result::Result<String, String>;

/// The name of the JavaScript error that ends a call from the middle of its work. Its message is the
/// encoded error; the instance that threw it can't go on.
const STOPPED: &str = "ToolgaugeStopped";

/// Makes a panic readable in the console, and endless work stoppable.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
    let _ = schema::STOP.set(stop);
}

fn stop(error: &crate::error::Error) -> ! {
    let stopped = js_sys::Error::new(&to_json(&error.report()));
    stopped.set_name(STOPPED);
    wasm_bindgen::throw_val(stopped.into())
}

/// The version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// See [`validate::validate_trajectory`].
#[wasm_bindgen(js_name = validateTrajectory)]
pub fn validate_trajectory(
    trajectory: Document,
    tools: &Tools,
    options: Option<Document>,
) -> Encoded {
    encode(|| {
        let options = validate_options(options)?;
        judge(&trajectory, &options, |json, reader| {
            let imported = formats::import_trajectory(json, None, reader)?;
            Ok(to_json(&validate::validate_trajectory(
                &imported.value,
                tools.set(),
                &options,
            )?))
        })
    })
}

/// See [`validate::validate_turn`].
#[wasm_bindgen(js_name = validateTurn)]
pub fn validate_turn(turn: Document, tools: &Tools, options: Option<Document>) -> Encoded {
    encode(|| {
        let options = validate_options(options)?;
        judge(&turn, &options, |json, reader| {
            let turn = formats::import_turn(json, reader)?;
            Ok(to_json(&validate::validate_turn(
                &turn,
                tools.set(),
                &options,
            )?))
        })
    })
}

/// See [`validate::validate_tool_call`].
#[wasm_bindgen(js_name = validateToolCall)]
pub fn validate_tool_call(call: Document, tools: &Tools, options: Option<Document>) -> Encoded {
    encode(|| {
        let options = validate_options(options)?;
        judge(&call, &options, |json, reader| {
            let call = formats::import_tool_call(json, reader)?;
            Ok(to_json(&validate::validate_tool_call(
                &call,
                tools.set(),
                &options,
            )?))
        })
    })
}

/// See [`schema::validate_schema`].
#[wasm_bindgen(js_name = validateSchema)]
pub fn validate_schema(call: Document, tools: &Tools, options: Option<Document>) -> Encoded {
    encode(|| {
        let options = validate_options(options)?;
        judge(&call, &options, |json, reader| {
            let call: ToolCall<'_> = formats::import_tool_call(json, reader)?;
            let tool = tools.only()?;
            Ok(to_json(&schema::validate_schema(
                &call,
                tool,
                options.limits,
            )?))
        })
    })
}

/// See [`verify::verify_result`].
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
        let call = formats::import_tool_call(read_named(&call, "toolCall", reader)?, reader)?;
        let turn = formats::import_turn(read_named(&turn, "turn", reader)?, reader)?;
        let whole = read_whole(trajectory.as_ref(), reader)?;
        let (whole, tools) = (whole.as_ref(), tools.set());
        let result = verify::verify_result(&call, &turn, whole, tools, &options)?;
        Ok(to_json(&result))
    })
}

/// See [`verify::verify_turn`].
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
        let turn = formats::import_turn(read_named(&turn, "turn", reader)?, reader)?;
        let whole = read_whole(trajectory.as_ref(), reader)?;
        let (whole, tools) = (whole.as_ref(), tools.set());
        let results = verify::verify_turn(&turn, whole, tools, &options)?;
        Ok(to_json(&results))
    })
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

/// See [`schema::create_tool_schema`].
#[wasm_bindgen(js_name = createToolSchema)]
pub fn create_tool_schema(
    name: &str,
    json_schema: Document,
    description: Option<String>,
) -> Encoded {
    encode(|| {
        let arena = Bump::new();
        let reader = Reader::new(&arena, crate::model::Limits::default());
        let json = json_schema.read(reader)?;
        let tool = schema::create_tool_schema(name, json, description.as_deref(), &arena)?;
        Ok(to_json(&tool))
    })
}

/// Scores a document `{expected, actual}`: see [`score::score_tool_calls`]. The option `comparators` names
/// those that `compare` calls; so for all functions that score.
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

/// Scores two documents and tells it as a report: see [`render_score`].
#[wasm_bindgen(js_name = reportCallLists)]
pub fn report_call_lists(
    expected: Option<Document>,
    actual: Document,
    options: Option<Document>,
    compare: Option<Function>,
) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let layout = take_layout(&mut options)?;
        let scoring = Scoring::read(options, compare)?;
        scoring.documents(expected.as_ref(), &actual, |result| {
            let failure = score_failure(Some(result.score), scoring.options.min_score);
            let gate = Gate::of(failure.into_iter().collect());
            let text = render_score(result, &gate, layout);
            to_json(&Report {
                text: &text,
                gate: &gate,
                result,
            })
        })
    })
}

/// Scores trajectories that carry their expected calls: see [`score::score_trajectories`].
#[wasm_bindgen(js_name = scoreTrajectories)]
pub fn score_trajectories(
    input: Document,
    options: Option<Document>,
    compare: Option<Function>,
) -> Encoded {
    encode(|| {
        let scoring = Scoring::read(read_options(options)?, compare)?;
        scoring.trajectories(&input, |report| to_json(report))
    })
}

/// Scores trajectories and tells it as a report: see [`render_scores`].
#[wasm_bindgen(js_name = reportTrajectoryScores)]
pub fn report_trajectory_scores(
    input: Document,
    options: Option<Document>,
    compare: Option<Function>,
) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let layout = take_layout(&mut options)?;
        let scoring = Scoring::read(options, compare)?;
        scoring.trajectories(&input, |report| {
            let text = render_scores(report, layout);
            to_json(&Report {
                text: &text,
                gate: &report.gate,
                result: report,
            })
        })
    })
}

/// See [`formats::import_trajectory`].
#[wasm_bindgen(js_name = importTrajectory)]
pub fn import_trajectory(input: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        import(&input, options, |json, format, reader| {
            Ok(to_json(&formats::import_trajectory(json, format, reader)?))
        })
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

/// See [`formats::export_trajectory`]. Options: `format`, the one to write; `from`, the one to read.
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
        let imported = formats::import_trajectory(input.read(reader)?, from, reader)?;
        let format = format.unwrap_or_default();
        let exported = formats::export_trajectory(&imported.value, format);
        Ok(to_json(&exported))
    })
}

/// See [`formats::import_tools`]; the tools come as a record by name.
#[wasm_bindgen(js_name = importTools)]
pub fn import_tools(input: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        with_json(&input, options, |json, reader| {
            Ok(to_json(&formats::import_tools(json, reader)?.by_name()))
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

/// See [`score::measure_correctness`].
#[wasm_bindgen(js_name = measureCorrectness)]
pub fn measure_correctness(case: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        let options = CorrectnessOptions::read(read_options(options)?)?;
        let arena = case.arena();
        let reader = Reader::new(&arena, options.limits);
        let case = TestCase::read(case.read(reader)?, reader)?;
        Ok(to_json(&score::measure_correctness(&case, &options)))
    })
}

/// See [`TestCase::read`].
#[wasm_bindgen(js_name = readTestCase)]
pub fn read_test_case(case: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        with_json(&case, options, |json, reader| {
            Ok(to_json(&TestCase::read(json, reader)?))
        })
    })
}

/// See [`score::trajectory_steps`].
#[wasm_bindgen(js_name = trajectorySteps)]
pub fn trajectory_steps(trajectory: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        with_json(&trajectory, options, |json, reader| {
            let imported = formats::import_trajectory(json, None, reader)?;
            Ok(to_json(&score::trajectory_steps(&imported.value, reader)))
        })
    })
}

/// See [`score::final_steps`].
#[wasm_bindgen(js_name = finalSteps)]
pub fn final_steps(trajectory: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        with_json(&trajectory, options, |json, reader| {
            let imported = formats::import_trajectory(json, None, reader)?;
            Ok(to_json(&score::final_steps(&imported.value, reader)))
        })
    })
}

/// See [`score::called_in_steps`].
#[wasm_bindgen(js_name = calledInSteps)]
pub fn called_in_steps(steps: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        with_json(&steps, options, |json, _| {
            Ok(to_json(&score::called_in_steps(json, &Path::root())?))
        })
    })
}

/// See [`score::read_called_tools`] and [`Preparation`].
#[wasm_bindgen(js_name = calledTools)]
pub fn called_tools(tools: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let preparation = Preparation::take(&mut options)?;
        let limits = options.take_limits()?;
        options.finish(&["normalizeNames", "includeOutput", "limits"])?;
        let arena = tools.arena();
        let json = tools.read(Reader::new(&arena, limits))?;
        let calls = score::read_called_tools(json, &Path::root())?;
        Ok(to_json(&preparation.apply(calls)))
    })
}

/// See [`score::normalize_tool_name`].
#[wasm_bindgen(js_name = normalizeToolName)]
pub fn normalize_tool_name(name: &str) -> String {
    score::normalize_tool_name(name).to_owned()
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

/// Checks trajectories and tells it as a report: see [`render_check`], or [`render_document`] when the
/// option `as` names another format than `pretty`.
#[wasm_bindgen(js_name = reportTrajectories)]
pub fn report_trajectories(input: Document, tools: &Tools, options: Option<Document>) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let layout = take_layout(&mut options)?;
        let format = options.take("as")?.unwrap_or(ReportFormat::Pretty);
        let source: Option<String> = options.take("source")?;
        let source = source.filter(|source| !source.is_empty());
        let options = CheckOptions::read(options)?;
        let set = tools.set();
        let tools = set.is_given().then(|| set.names().len());
        with_check(&input, set, &options, |report, trajectories| {
            let CheckReport { summary, gate, .. } = &report;
            let text = if format == ReportFormat::Pretty {
                render_check(&report, &trajectories.value, tools, layout)
            } else {
                let opening = Opening {
                    command: ReportedCommand::Check,
                    sources: source.clone().into_iter().collect(),
                    tools,
                };
                let document = CheckedDocument {
                    place: Place {
                        source: source.as_deref(),
                        line: None,
                    },
                    outcome: Ok(Judged {
                        imported: trajectories,
                        reports: report.trajectories.clone(),
                    }),
                };
                let style = PartStyle {
                    layout,
                    ..PartStyle::default()
                };
                let closing = Closing { summary, gate };
                let fail_on = options.gate.fail_on;
                render_document(format, &document, &opening, &closing, style, fail_on)
            };
            to_json(&Report {
                text: &text,
                gate,
                result: summary,
            })
        })
    })
}

#[derive(Serialize)]
struct Report<'r, T> {
    text: &'r str,
    gate: &'r Gate,
    result: &'r T,
}

fn take_layout(options: &mut Options) -> Result<Layout> {
    let default = Layout::default();
    Ok(Layout {
        color: options.take("color")?.unwrap_or(default.color),
        width: options.take("width")?.unwrap_or(default.width),
    })
}

fn validate_options(options: Option<Document>) -> Result<ValidateOptions> {
    ValidateOptions::read(read_options(options)?)
}

/// What a call makes of one document, with no option but the limits.
fn with_json(
    document: &Document,
    options: Option<Document>,
    tell: impl for<'a> FnOnce(Json<'a>, Reader<'a>) -> Result<String>,
) -> Result<String> {
    let mut options = read_options(options)?;
    let limits = options.take_limits()?;
    options.finish(&["limits"])?;
    let arena = document.arena();
    let reader = Reader::new(&arena, limits);
    tell(document.read(reader)?, reader)
}

fn judge(
    document: &Document,
    options: &ValidateOptions,
    judge: impl for<'a> FnOnce(Json<'a>, Reader<'a>) -> Result<String>,
) -> Result<String> {
    let arena = document.arena();
    let reader = Reader::new(&arena, options.limits);
    judge(document.read(reader)?, reader)
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
    tell: impl for<'a> FnOnce(CheckReport, Imported<Vec<Trajectory<'a>>, TrajectoryFormat>) -> String,
) -> Result<String> {
    let arena = document.arena();
    let reader = Reader::new(&arena, options.validate.limits);
    let imported = formats::import_trajectories(document.read(reader)?, options.format, reader)?;
    let report = check_trajectories(&imported, tools, options, reader)?;
    Ok(tell(report, imported))
}

/// How a call scores.
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
        tell: impl FnOnce(&AccuracyResult<'_>) -> String,
    ) -> Result<String> {
        let arena = actual.arena();
        let reader = Reader::new(&arena, self.options.limits);
        let wanted = expected
            .map(|document| read_named(document, "expected", reader))
            .transpose()?;
        let made = read_named(actual, "actual", reader)?;
        Ok(tell(&self.lists(wanted, made, reader)?))
    }

    fn trajectories(
        &self,
        document: &Document,
        tell: impl FnOnce(&ScoreReport<'_>) -> String,
    ) -> Result<String> {
        let arena = document.arena();
        let reader = Reader::new(&arena, self.options.limits);
        let imported = formats::import_trajectories(document.read(reader)?, None, reader)?;
        let comparing = self.comparing();
        let report = score::score_trajectories(&imported, &self.options, &comparing, reader)?;
        Ok(tell(&report))
    }
}

fn read_whole<'a>(
    document: Option<&'a Document>,
    reader: Reader<'a>,
) -> Result<Option<crate::model::Trajectory<'a>>> {
    let Some(document) = document else {
        return Ok(None);
    };
    let json = read_named(document, "trajectory", reader)?;
    let imported = formats::import_trajectory(json, None, reader)
        .map_err(|error| error.inside(&Path::root().key("trajectory")))?;
    Ok(Some(imported.value))
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

fn encode(call: impl FnOnce() -> Result<String>) -> Encoded {
    call().map_err(|error| to_json(&error.report()))
}

/// Results are plain data: writing them to memory can't fail.
fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data is always JSON")
}
