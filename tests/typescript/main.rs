//! What the package declares in TypeScript, written from the Rust types that make the results.
//!
//! `cargo xtask types` writes these files to `pkg-template`. Without that, these tests fail when a file differs from
//! what the Rust types say.
#![cfg(feature = "typescript")]

mod expectations;
mod values;

use std::path::Path;

use toolgauge::batch::{
    CheckReport, CheckSummary, ScoreTally, ToolTally, TrajectoryVerdict, UnreadDocument,
};
use toolgauge::check::{CheckOptions, IgnoredFinding, RuleLevel};
use toolgauge::diff::{
    Comparison, Conclusion, IssueChange, RunDiff, RunTotals, Stability, TaskChange, TaskDirection,
    TaskResult,
};
use toolgauge::dispatch::{LoopWarning, McpAction, Route, TrackedCall, TrackerState};
use toolgauge::error::{ErrorCode, ErrorReport};
use toolgauge::facts::FactKind;
use toolgauge::finding::{TrajectoryReport, Unjudged};
use toolgauge::formats::{
    AiSdkMessage, AiSdkPart, AiSdkToolOutput, AiSdkToolResult, AtifAgent, AtifObservation,
    AtifResult, AtifResultExtra, AtifSource, AtifStep, AtifToolCall, AtifToolCallExtra,
    AtifTrajectory, DetectedFormat, ExpectationFormat, ExportFormat, ImportWarning, Imported,
    OpenAiFunction, OpenAiMessage, OpenAiToolCall, OpenAiToolCallType, ToolFormat,
    TrajectoryFormat,
};
use toolgauge::gate::{FailOn, Gate, GateOptions};
use toolgauge::grounding::{Closest, Misattributed, UnsupportedFact};
use toolgauge::issue::{Issue, Severity};
use toolgauge::judges::{AggregationMethod, JudgeOptions, ScoreScale};
use toolgauge::lint::{
    LintDetails, LintIssue, LintIssueType, LintOptions, LintProvider, LintResult, LintSummary,
    ModelProvider,
};
use toolgauge::loops::{CallLocation, Loop, LoopKind, LoopRound, LoopStep, RoundChanges};
use toolgauge::matching::{ArgumentDifference, CallOrder, DifferenceKind, OpenQuestion, Opinion};
use toolgauge::model::{ExpectedCall, Limits, Role, ToolCall, ToolSchema, Trajectory, Turn};
use toolgauge::outcomes::MeasuredTrials;
use toolgauge::reflect::{
    CallRepair, Groundedness, JudgeFailure, JudgedMetric, ParameterMetricName, ReflectOptions,
    ReflectionForm, ReflectionIssue, ReflectionIssueDetails, ReflectionIssueType, RepairChange,
    RepairChangeKind, RepairProblem, RepairStatus, SemanticCategory, SemanticMetric,
    SemanticMetricName, SemanticResult, StaticCheckName, StaticMetric, StaticMetrics,
    ToolCallCheck, ToolCallCorrection, ToolCallRepair, UngroundedValue, UnjudgedMetric,
};
use toolgauge::report::{DiffFormat, IssueExplanation, ReportFormat};
use toolgauge::schema::{SchemaIssue, SchemaIssueType, SchemaValidationResult};
use toolgauge::score::{
    AccuracyResult, CalledTool, CorrectCall, CorrectnessMode, CorrectnessResult, ForbiddenCall,
    IncorrectCall, MatchedTool, MismatchReason, MissedCall, ScoreOptions, ScoreReport, StepKind,
    ToolCallParam, TrajectoryScore, TrajectoryStep,
};
use toolgauge::trials::{PassEstimate, TaskTally, TaskTrials, Tasks, Trials, WorstTrial};
use toolgauge::validate::{
    IssueDetails, MisuseReason, ToolUseIssue, ToolUseIssueType, ValidateOptions, ValidationResult,
};
use toolgauge::verify::{
    ResultIssue, ResultIssueDetails, ResultIssueType, ResultVerificationResult, UnsupportedFacts,
    VerificationSummary, VerifyOptions,
};
use ts_rs::{Config, Dummy, TS};

/// The types that Rust has no counterpart for.
const PRELUDE: &str = "\
// Written by `cargo xtask types` from the Rust types: change those.
import type {
  ExtraCalls,
  ForbiddenCallInput,
  IgnoredTools,
  RunBudget,
  ToolMatchers,
  ToolThresholds,
} from './expectation-types.js';

/** The type of an issue that a check reports. */
export type IssueTypeName = ToolUseIssueType | ResultIssueType | ReflectionIssueType;

/** Any value that JSON can carry. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** Any JSON Schema, draft 4 to 2020-12; the keywords that tools use most are spelled out. */
export type ParameterSchema = boolean | {
  /** The type of the value, or the types it may have. */
  type?: string | string[];
  /** What the value is, as the model reads it. */
  description?: string;
  /** The values it may have. */
  enum?: unknown[];
  /** The format of a text: `email`, `uri`, `date`, `date-time`, … Always checked. */
  format?: string;
  /** The schema of the items of an array. */
  items?: ParameterSchema | ParameterSchema[];
  /** The schemas of the members of an object. */
  properties?: Record<string, ParameterSchema>;
  /** The members that must be there. */
  required?: string[];
  [keyword: string]: unknown;
};
";

fn declarations() -> String {
    let config = Config::new().with_large_int("number");
    let mut text = PRELUDE.to_owned();
    let mut add = |docs: Option<String>, declaration: String| {
        text.push('\n');
        text.push_str(&tidy(&docs.unwrap_or_default()));
        text.push_str("export ");
        text.push_str(&tidy(&declaration));
    };
    macro_rules! declare {
        ($($type:ty),* $(,)?) => { $(add(<$type>::docs(), <$type>::decl(&config));)* };
    }
    macro_rules! declare_open {
        ($($type:ty),* $(,)?) => { $(add(<$type>::docs(), open(&<$type>::decl(&config)));)* };
    }
    macro_rules! declare_alias {
        ($name:ident, $docs:literal) => {
            add(
                Some(format!("/**\n * {}\n */\n", $docs)),
                format!("type {} = {};", stringify!($name), <$name>::name(&config)),
            )
        };
    }
    declare!(Severity, Limits, ErrorCode, Role,);
    declare_open!(
        Trajectory<'static>,
        Turn<'static>,
        ToolCall<'static>,
        ToolSchema<'static>,
    );
    declare!(
        ValidateOptions,
        ValidationResult,
        Issue<Dummy, Dummy>,
    );
    declare_alias!(
        ToolUseIssue,
        "Something that an agent did wrong with a tool."
    );
    declare!(
        ToolUseIssueType,
        IssueDetails,
        MisuseReason,
        Loop,
        LoopKind,
        LoopStep,
        LoopRound,
        CallLocation,
        RoundChanges,
        UnsupportedFact,
        Closest,
        Misattributed,
        FactKind,
        VerifyOptions,
        ResultVerificationResult,
    );
    declare_alias!(
        ResultIssue,
        "Something wrong with a result, or with what the agent made of it."
    );
    declare_alias!(
        LintIssue,
        "Something in a tool's definition that makes models or providers fail with it."
    );
    declare_alias!(ReflectionIssue, "Something wrong with a call by itself.");
    declare!(
        ResultIssueType,
        ResultIssueDetails,
        VerificationSummary,
        UnsupportedFacts,
        SchemaValidationResult,
        SchemaIssue,
        SchemaIssueType,
        ExpectedCall<'static>,
        AccuracyResult<'static>,
        CorrectCall<'static>,
        IncorrectCall<'static>,
        MismatchReason,
        MissedCall<'static>,
        ForbiddenCall<'static>,
        ArgumentDifference<'static>,
        DifferenceKind,
        OpenQuestion,
        Opinion,
        CallOrder,
        CalledTool<'static>,
        TrajectoryStep<'static>,
        StepKind,
        CorrectnessResult,
        CorrectnessMode,
        MatchedTool,
        ToolCallParam,
        ExpectationFormat,
        ScoreOptions,
        ScoreReport<'static>,
        TrajectoryScore<'static>,
        AggregationMethod,
        JudgeOptions,
        ScoreScale,
        ToolCallCheck<'static>,
        StaticMetrics<'static>,
        StaticMetric<'static>,
        StaticCheckName,
        ToolCallCorrection<'static>,
        ToolCallRepair<'static>,
        RepairStatus,
        RepairChange,
        RepairChangeKind,
        RepairProblem,
        Groundedness,
        UngroundedValue,
        SemanticResult,
        SemanticCategory,
        SemanticMetric,
        JudgedMetric,
        UnjudgedMetric,
        JudgeFailure,
        ReflectionIssueType,
        ReflectionIssueDetails,
        CallRepair,
        ReflectOptions,
        ReflectionForm,
        SemanticMetricName,
        ParameterMetricName,
        Route,
        McpAction,
        TrackerState,
        TrackedCall,
        LoopWarning,
        LintOptions,
        LintProvider,
        LintResult,
        LintIssueType,
        LintDetails,
        LintSummary,
        ModelProvider,
        CheckOptions,
        RuleLevel,
        IssueExplanation,
        IgnoredFinding,
        Unjudged,
        FailOn,
        ReportFormat,
        CheckReport,
        TrajectoryReport,
        CheckSummary,
        ToolTally,
        ScoreTally,
        Tasks,
        TaskTally,
        Trials,
        MeasuredTrials,
        PassEstimate,
        TaskTrials,
        WorstTrial,
        TrajectoryVerdict<'static>,
        UnreadDocument<'static>,
        ErrorReport,
        GateOptions,
        Gate,
        Imported<Dummy, Dummy>,
        ImportWarning,
        TrajectoryFormat,
        ToolFormat,
        DetectedFormat,
        ExportFormat,
        OpenAiMessage<'static>,
        OpenAiToolCall<'static>,
        OpenAiToolCallType,
        OpenAiFunction<'static>,
        AiSdkMessage<'static>,
        AiSdkPart<'static>,
        AiSdkToolResult<'static>,
        AiSdkToolOutput<'static>,
        AtifTrajectory<'static>,
        AtifAgent<'static>,
        AtifStep<'static>,
        AtifSource,
        AtifToolCall<'static>,
        AtifToolCallExtra,
        AtifObservation<'static>,
        AtifResult<'static>,
        AtifResultExtra,
        RunDiff,
        RunTotals,
        Comparison,
        Conclusion,
        TaskChange,
        TaskDirection,
        Stability,
        TaskResult,
        IssueChange,
        DiffFormat,
    );
    text
}

/// The declaration of an object that may have further fields.
fn open(declaration: &str) -> String {
    let members = declaration.strip_suffix(" };").expect("an object type");
    format!(
        "{members} \n/**\n * Every field that toolgauge does not know, as it was.\n */\n[key: string]: unknown, }};"
    )
}

/// The text with one member a line, indented, and short comments on one line.
fn tidy(text: &str) -> String {
    let text = text
        .replace(", };", ";\n};")
        .replace(", } & {", ";\n} & {")
        .replace("/**\n * ", "/** ");
    let mut tidied = String::new();
    let mut indent = "";
    for line in text.lines() {
        let line = line.trim_end();
        let line = line
            .strip_suffix(',')
            .map_or(line.to_owned(), |member| format!("{member};"));
        if line == " */" && !tidied.ends_with("*/\n") && is_short_comment(&tidied) {
            tidied.truncate(tidied.trim_end().len());
            tidied.push_str(" */\n");
            continue;
        }
        if line.starts_with('}') {
            indent = "";
        }
        tidied.push_str(&format!("{indent}{line}\n"));
        if line.ends_with('{') {
            indent = "  ";
        }
    }
    tidied
}

/// Whether the last line opens a comment.
fn is_short_comment(text: &str) -> bool {
    text.trim_end()
        .lines()
        .last()
        .is_some_and(|line| line.trim_start().starts_with("/**"))
}

/// Writes `wanted` to a file of the package or, without `UPDATE_TYPES`, fails when the file has another text.
fn write_or_compare(name: &str, wanted: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("pkg-template")
        .join(name);
    if std::env::var_os("UPDATE_TYPES").is_some() {
        std::fs::write(&file, wanted).expect("the package is writable");
        return;
    }
    let written = std::fs::read_to_string(&file).expect("the file is there");
    assert!(
        written == wanted,
        "pkg-template/{name} is stale: run `cargo xtask types`"
    );
}

#[test]
fn the_declarations_are_those_of_the_rust_types() {
    write_or_compare("src/types.ts", &declarations());
}

#[test]
fn the_values_are_those_of_the_rust_types() {
    write_or_compare("src/values.ts", &values::values());
}

#[test]
fn the_types_of_expectations_are_those_that_the_parser_knows() {
    write_or_compare("src/expectation-types.ts", &expectations::types());
}

#[test]
fn the_schema_of_expectations_is_that_of_the_parser() {
    write_or_compare("schemas/expectations.schema.json", &expectations::schema());
}
