//! Reading what other systems log: one file per trajectory format, and detection.
//!
//! To add a format: write its file, with a [`Format`] that tells how much a document looks like it
//! and how to read it, and name it in [`TrajectoryFormat`] and [`FORMATS`].

mod adk;
mod ai_sdk_model;
mod ai_sdk_steps;
mod ai_sdk_ui;
mod anthropic;
mod atif;
mod bedrock;
mod bfcl;
mod calls;
mod claude_code;
mod conversation;
mod detection;
mod expectations;
mod export;
mod fields;
mod gemini;
mod harness;
mod hermes;
mod import;
mod inspect;
mod langchain;
mod langfuse;
mod langsmith;
mod mastra;
mod message;
mod openai_agents;
mod openai_chat;
mod openai_items;
mod openai_responses;
mod openinference;
mod otel_genai;
mod signs;
mod spans;
mod swe_agent;
mod tau2;
mod tau_bench;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod tool_call;
mod tools;
mod tooltalk;
mod trace;

use crate as formats;
use toolgauge_model::{self as model, error};

use serde::{Deserialize, Serialize, Serializer};
use strum::{IntoStaticStr, VariantArray};

use detection::{Layout, Likeness, detect_trajectory, outline};
use import::{Import, one_or_each};
use tool_call::read_tool_call;

use crate::error::{Error, Result};
use crate::model::{Json, Path, Reader, ToolCall, ToolSchema, Trajectory, Turn};

pub use calls::{made_in, read_list};
pub use expectations::{ExpectationFormat, import_expectations};
pub use export::{
    AiSdkMessage, AiSdkPart, AiSdkToolOutput, AiSdkToolResult, AtifAgent, AtifObservation,
    AtifResult, AtifResultExtra, AtifSource, AtifStep, AtifToolCall, AtifToolCallExtra,
    AtifTrajectory, ExportFormat, ExportLosses, Exported, Lost, OpenAiFunction, OpenAiMessage,
    OpenAiToolCall, OpenAiToolCallType, export_trajectory,
};
pub use fields::Fields;
pub use import::ImportWarning;
pub use tool_call::{CallFormat, CallShape, WrittenCall};
pub use tools::{
    Declared, DeclaredSchema, ToolDefinition, ToolFormat, define_tools, import_tools, plain_schema,
    plain_type,
};

/// All trajectory formats, those that a document could most easily be mistaken for last.
const FORMATS: [Format; 26] = [
    tau2::FORMAT,
    tau_bench::FORMAT,
    harness::FORMAT,
    atif::FORMAT,
    swe_agent::FORMAT,
    inspect::FORMAT,
    adk::FORMAT,
    tooltalk::FORMAT,
    bfcl::FORMAT,
    claude_code::FORMAT,
    langsmith::FORMAT,
    langfuse::FORMAT,
    openinference::FORMAT,
    otel_genai::FORMAT,
    mastra::FORMAT,
    langchain::FORMAT,
    gemini::FORMAT,
    openai_agents::FORMAT,
    openai_responses::FORMAT,
    ai_sdk_steps::FORMAT,
    ai_sdk_ui::FORMAT,
    ai_sdk_model::FORMAT,
    anthropic::FORMAT,
    bedrock::FORMAT,
    hermes::FORMAT,
    openai_chat::FORMAT,
];

/// The formats that trajectories are read from.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray,
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum TrajectoryFormat {
    /// toolgauge's own shape, which is that of `agent-eval-harness`.
    Harness,
    /// OpenAI chat messages, a whole request, or a response.
    OpenaiChat,
    /// OpenAI Responses items, a whole request, or a response.
    OpenaiResponses,
    /// What the OpenAI Agents SDK writes: items, spans of a trace, or the state of a run.
    OpenaiAgents,
    /// Anthropic messages, a whole request, or a response.
    Anthropic,
    /// UI messages of the AI SDK, version 4 and later.
    AiSdkUi,
    /// Model messages of the AI SDK, or a request with them.
    AiSdkModel,
    /// Steps of the AI SDK, as `generateText` gives them.
    AiSdkSteps,
    /// Gemini contents, a whole request, or a response.
    Gemini,
    /// Amazon Bedrock Converse messages, a whole request, or a response.
    Bedrock,
    /// tau-bench rollouts, with the expected actions.
    TauBench,
    /// tau2-bench results, or one simulation, with the expected actions of its task.
    Tau2,
    /// LangChain and LangGraph messages, plain, stored or as constructors; a state that holds them.
    Langchain,
    /// LangSmith runs.
    Langsmith,
    /// Langfuse traces and observations.
    Langfuse,
    /// OpenTelemetry spans by the conventions for generative AI, those of the AI SDK, or the messages
    /// alone.
    OtelGenai,
    /// OpenInference spans.
    Openinference,
    /// Mastra messages, or a trajectory of steps.
    Mastra,
    /// The Agent Trajectory Interchange Format, versions 1.0 to 1.8.
    Atif,
    /// SWE-agent trajectories.
    SweAgent,
    /// Claude Code sessions, as kept or as streamed.
    ClaudeCode,
    /// Inspect AI logs, or one sample.
    Inspect,
    /// Agent Development Kit eval sets, with their expected calls, and sessions.
    Adk,
    /// Conversations with calls in the text, as Hermes models write them; ShareGPT.
    Hermes,
    /// ToolTalk conversations, with their expected calls.
    Tooltalk,
    /// Berkeley Function Calling Leaderboard questions and answers: tools and expected calls.
    Bfcl,
}

/// How one format is told and read.
struct Format {
    name: TrajectoryFormat,
    likeness: for<'a> fn(Json<'a>) -> Likeness,
    read: for<'a> fn(Json<'a>, &mut Import<'a>) -> Result<Vec<Trajectory<'a>>>,
}

/// What was read, from which format, and what was noticed on the way.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Imported<T, F> {
    /// What was read.
    pub value: T,
    /// The format it was read from.
    pub format: F,
    /// What could not be brought over, in the order of the document.
    pub warnings: Vec<ImportWarning>,
}

impl<'a> Imported<Vec<ToolSchema<'a>>, ToolFormat> {
    /// The tools as a record by name, in their order.
    pub fn by_name(self) -> Imported<ToolRecord<'a>, ToolFormat> {
        Imported {
            value: ToolRecord(self.value),
            format: self.format,
            warnings: self.warnings,
        }
    }
}

/// Tools that are written as a record by name.
#[derive(Debug, Clone)]
pub struct ToolRecord<'a>(Vec<ToolSchema<'a>>);

impl Serialize for ToolRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|tool| (tool.name, tool)))
    }
}

/// What a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum DetectedFormat {
    /// One or more trajectories.
    Trajectory {
        /// In which format.
        format: TrajectoryFormat,
    },
    /// Tool definitions.
    Tools {
        /// In which format.
        format: ToolFormat,
    },
}

/// All trajectories of a document, in `format` or in the one that it looks like. The document may also
/// be a list of documents of one format.
///
/// # Errors
/// [`Error::UnknownFormat`] names the nearest format and what is missing;
/// [`Error::InvalidInput`] the place where the document leaves its format.
pub fn import_trajectories<'a>(
    document: Json<'a>,
    format: Option<TrajectoryFormat>,
    reader: Reader<'a>,
) -> Result<Imported<Vec<Trajectory<'a>>, TrajectoryFormat>> {
    let is_forced = format.is_some();
    let (format, layout) = match format {
        Some(name) => by_name(name).applied_to(document),
        None => detect_trajectory(document)?,
    };
    let mut import = Import::new(reader);
    let value = match (layout, document) {
        (Layout::Each, Json::Array(documents)) => import.read_each(documents, format)?,
        _ => (format.read)(document, &mut import)?,
    };
    if is_forced && let Some(doubt) = format.doubt(document, layout) {
        import.warn(&Path::root(), doubt);
    }
    Ok(Imported {
        value,
        format: format.name,
        warnings: import.warnings,
    })
}

/// The one trajectory of a document.
///
/// # Errors
/// As [`import_trajectories`]; also [`Error::InvalidInput`] when it holds none or several.
pub fn import_trajectory<'a>(
    document: Json<'a>,
    format: Option<TrajectoryFormat>,
    reader: Reader<'a>,
) -> Result<Imported<Trajectory<'a>, TrajectoryFormat>> {
    let Imported {
        mut value,
        format,
        warnings,
    } = import_trajectories(document, format, reader)?;
    match (value.pop(), value.len()) {
        (Some(value), 0) => Ok(Imported {
            value,
            format,
            warnings,
        }),
        (_, others) => Err(Error::invalid_input(
            Path::root(),
            "one trajectory (importTrajectories and checkTrajectories take many)",
            format!("{}", if others == 0 { 0 } else { others + 1 }),
        )),
    }
}

/// The messages of a conversation so far, in any known format; before its first there are none.
///
/// # Errors
/// As [`import_trajectory`].
pub fn import_messages<'a>(messages: Json<'a>, reader: Reader<'a>) -> Result<Trajectory<'a>> {
    match messages {
        Json::Array([]) => Ok(Trajectory::default()),
        _ => Ok(import_trajectory(messages, None, reader)?.value),
    }
}

/// Whether `document` is a list of calls, `[{tool, args}]`, rather than a trajectory in a known format.
pub fn is_call_list(document: Json<'_>) -> bool {
    // Asking every format costs more than scoring a few calls.
    calls::is_plain_call_list(document)
        || calls::is_call_list(document) && detect_trajectory(document).is_err()
}

/// A turn in toolgauge's own shape.
///
/// # Errors
/// [`Error::InvalidInput`] names the field that has another shape.
pub fn import_turn<'a>(document: Json<'a>, reader: Reader<'a>) -> Result<Turn<'a>> {
    harness::read_turn(document, Path::root(), 1, &mut Import::new(reader))
}

/// A tool call as toolgauge or any provider writes it.
///
/// # Errors
/// [`Error::InvalidInput`] when it is not an object.
pub fn import_tool_call<'a>(document: Json<'a>, reader: Reader<'a>) -> Result<ToolCall<'a>> {
    read_tool_call(document, Path::root(), &mut Import::new(reader))
}

/// What a document is, or `None` when it is no known format.
pub fn detect_format(document: Json<'_>) -> Option<DetectedFormat> {
    if let Ok((format, _)) = detect_trajectory(document) {
        return Some(DetectedFormat::Trajectory {
            format: format.name,
        });
    }
    tools::recognize_tools(document).map(|format| DetectedFormat::Tools { format })
}

fn by_name(name: TrajectoryFormat) -> &'static Format {
    let found = FORMATS.iter().find(|format| format.name == name);
    found.expect("every format is listed")
}

impl TrajectoryFormat {
    /// The name as options and results write it.
    pub fn label(self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::testing::{fixture, fixtures, imported};
    use super::*;
    use crate::model::testing::arena_json;

    #[test]
    fn one_trajectory_is_not_several() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, crate::model::Limits::default());
        let two = arena_json(&arena, r#"[{"turns":[]},{"turns":[]}]"#);
        let error = import_trajectory(two, None, reader).expect_err("two trajectories");
        assert!(error.to_string().ends_with("got 2"), "{error}");
    }

    #[test]
    fn plain_documents_are_of_any_format_of_messages_that_is_forced() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, crate::model::Limits::default());
        let text = r#"[[{"role":"user","content":"a"}],[{"role":"user","content":"b"}]]"#;
        let documents = arena_json(&arena, text);
        for format in [TrajectoryFormat::Anthropic, TrajectoryFormat::AiSdkModel] {
            let read = import_trajectories(documents, Some(format), reader).expect("two");
            assert_eq!((read.format, read.value.len()), (format, 2));
        }
    }

    /// How many calls trajectories hold, made and expected, and how much text their turns hold.
    fn held(trajectories: &[Trajectory<'_>]) -> (usize, usize) {
        let expected = |it: &Trajectory<'_>| it.expected_calls.as_ref().map_or(0, Vec::len);
        let calls = trajectories.iter().map(|it| it.call_count() + expected(it));
        let turns = trajectories.iter().flat_map(|it| &it.turns);
        (
            calls.sum(),
            turns.map(|turn| turn.content.trim().len()).sum(),
        )
    }

    #[test]
    fn a_wrong_format_that_is_forced_loses_nothing_silently() {
        let mut bad = String::new();
        for name in fixtures("formats") {
            let arena = Bump::new();
            let document = arena_json(&arena, &fixture(&name));
            let reader = Reader::new(&arena, crate::model::Limits::default());
            let right = import_trajectories(document, None, reader).expect(&name);
            let right = held(&right.value);
            for format in &FORMATS {
                let Ok(read) = import_trajectories(document, Some(format.name), reader) else {
                    continue;
                };
                let (calls, text) = held(&read.value);
                let is_all = calls >= right.0 && text >= right.1;
                if !is_all && read.warnings.is_empty() {
                    bad += &format!(
                        "{name} as {}: {calls}/{} calls, {text}/{} bytes of text\n",
                        format.name.label(),
                        right.0,
                        right.1
                    );
                }
            }
        }
        assert!(bad.is_empty(), "\n{bad}");
    }

    #[test]
    fn a_format_can_be_forced() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, crate::model::Limits::default());
        let messages = arena_json(&arena, "[]");
        assert!(
            imported(&arena, r#"[{"role":"user","content":"x"}]"#)
                .warnings
                .is_empty()
        );
        let read = import_trajectories(messages, Some(TrajectoryFormat::OpenaiChat), reader);
        assert_eq!(read.expect("no messages").value[0].turns.len(), 0);
    }
}
