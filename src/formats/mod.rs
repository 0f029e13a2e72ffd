//! Reading what other systems log, and writing it. This is the only file that knows all formats.
//!
//! To add a trajectory format, see CONTRIBUTING.md.
//!
//! | folder | what it holds | what it may use |
//! | --- | --- | --- |
//! | [`kit`] | what readers are made of | nothing of ours in `formats` |
//! | [`readers`] | formats of conversations, one file each | `kit` |
//! | [`traces`] | formats of traces, one file each | `kit`, the files beside it |
//! | [`tools`] | tool definitions | `kit` |
//! | [`export`] | writing trajectories | `kit` |

mod expectations;
mod export;
mod kit;
mod readers;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
mod tools;
mod traces;

use serde::Serialize;

use kit::calls;
use kit::detection::{Layout, Registry};
use kit::dialects::text_calls::read_in_texts;
use kit::lost_calls::report_lost_calls;
use kit::tool_call::read_tool_call;
use kit::{Format, Import};
use readers::{
    adk, ai_gateway, ai_sdk_model, ai_sdk_steps, ai_sdk_ui, anthropic, atif, autogen, batch,
    bedrock, bfcl, claude_code, codex, cohere, copilot_chat, deepeval, docent, gemini, gemini_cli,
    harness, hermes, inspect, langchain, mastra, mcp, mini_swe_agent, nemo_gym, openai_agents,
    openai_chat, openai_responses, opencode, openhands, pi, pydantic_ai, qwen_code, ragas,
    semantic_kernel, smolagents, stream, swe_agent, tau_bench, tau2, toolace, toolbench, tooltalk,
    toucan, when2call, xlam,
};
use traces::{deepeval_trace, langfuse, langsmith, openinference, otel_genai};

use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path, Reader, ToolCall, Trajectory, Turn};

pub use expectations::{ExpectationFormat, are_expectations};
pub use export::{
    AiSdkMessage, AiSdkPart, AiSdkToolOutput, AiSdkToolResult, AtifAgent, AtifObservation,
    AtifResult, AtifResultExtra, AtifSource, AtifStep, AtifToolCall, AtifToolCallExtra,
    AtifTrajectory, ExportFormat, ExportLosses, Exported, Lost, OpenAiFunction, OpenAiMessage,
    OpenAiToolCall, OpenAiToolCallType, export_trajectory,
};
pub use kit::calls::{made_in, read_list};
pub use kit::fields::Fields;
pub use kit::tool_call::{CallFormat, CallShape, WrittenCall};
pub use kit::{ImportWarning, Imported, TrajectoryFormat};
pub use tools::{
    Declared, DeclaredSchema, DefinedTools, ReadableTools, ToolDefinition, ToolFormat,
    import_tools, logged_tools, plain_schema, plain_type, readable_tools,
};

/// All trajectory formats. Detection takes the first that a document looks like, so the formats that
/// share most with others come last.
const FORMATS: [Format; 53] = [
    nemo_gym::FORMAT,
    tau2::FORMAT,
    tau_bench::FORMAT,
    deepeval_trace::FORMAT,
    deepeval::FORMAT,
    batch::FORMAT,
    harness::FORMAT,
    atif::FORMAT,
    openhands::FORMAT,
    swe_agent::FORMAT,
    inspect::FORMAT,
    adk::FORMAT,
    tooltalk::FORMAT,
    bfcl::FORMAT,
    ragas::FORMAT,
    claude_code::FORMAT,
    codex::FORMAT,
    gemini_cli::FORMAT,
    qwen_code::FORMAT,
    opencode::FORMAT,
    pi::FORMAT,
    mcp::FORMAT,
    stream::FORMAT,
    langsmith::FORMAT,
    langfuse::FORMAT,
    openinference::FORMAT,
    otel_genai::FORMAT,
    pydantic_ai::FORMAT,
    mastra::FORMAT,
    autogen::FORMAT,
    semantic_kernel::FORMAT,
    langchain::FORMAT,
    gemini::FORMAT,
    openai_agents::FORMAT,
    openai_responses::FORMAT,
    mini_swe_agent::FORMAT,
    ai_gateway::FORMAT,
    ai_sdk_steps::FORMAT,
    ai_sdk_ui::FORMAT,
    ai_sdk_model::FORMAT,
    cohere::FORMAT,
    anthropic::FORMAT,
    bedrock::FORMAT,
    when2call::FORMAT,
    toucan::FORMAT,
    toolace::FORMAT,
    hermes::FORMAT,
    xlam::FORMAT,
    smolagents::FORMAT,
    toolbench::FORMAT,
    docent::FORMAT,
    copilot_chat::FORMAT,
    openai_chat::FORMAT,
];

/// What detection chooses from.
const REGISTRY: Registry = Registry {
    formats: &FORMATS,
    holds_tools: |document| {
        tools::recognize_tools(document).is_some() && kit::detection::has_schema(document)
    },
};

/// The format of this name.
fn reader_of(name: TrajectoryFormat) -> &'static Format {
    match name {
        TrajectoryFormat::Harness => &harness::FORMAT,
        TrajectoryFormat::OpenaiChat => &openai_chat::FORMAT,
        TrajectoryFormat::OpenaiResponses => &openai_responses::FORMAT,
        TrajectoryFormat::OpenaiAgents => &openai_agents::FORMAT,
        TrajectoryFormat::Anthropic => &anthropic::FORMAT,
        TrajectoryFormat::AiSdkUi => &ai_sdk_ui::FORMAT,
        TrajectoryFormat::AiSdkModel => &ai_sdk_model::FORMAT,
        TrajectoryFormat::AiSdkSteps => &ai_sdk_steps::FORMAT,
        TrajectoryFormat::Gemini => &gemini::FORMAT,
        TrajectoryFormat::Bedrock => &bedrock::FORMAT,
        TrajectoryFormat::Cohere => &cohere::FORMAT,
        TrajectoryFormat::TauBench => &tau_bench::FORMAT,
        TrajectoryFormat::Tau2 => &tau2::FORMAT,
        TrajectoryFormat::Langchain => &langchain::FORMAT,
        TrajectoryFormat::Langsmith => &langsmith::FORMAT,
        TrajectoryFormat::Langfuse => &langfuse::FORMAT,
        TrajectoryFormat::OtelGenai => &otel_genai::FORMAT,
        TrajectoryFormat::Openinference => &openinference::FORMAT,
        TrajectoryFormat::Mastra => &mastra::FORMAT,
        TrajectoryFormat::Atif => &atif::FORMAT,
        TrajectoryFormat::SweAgent => &swe_agent::FORMAT,
        TrajectoryFormat::ClaudeCode => &claude_code::FORMAT,
        TrajectoryFormat::Codex => &codex::FORMAT,
        TrajectoryFormat::GeminiCli => &gemini_cli::FORMAT,
        TrajectoryFormat::QwenCode => &qwen_code::FORMAT,
        TrajectoryFormat::Opencode => &opencode::FORMAT,
        TrajectoryFormat::Pi => &pi::FORMAT,
        TrajectoryFormat::Mcp => &mcp::FORMAT,
        TrajectoryFormat::Stream => &stream::FORMAT,
        TrajectoryFormat::Inspect => &inspect::FORMAT,
        TrajectoryFormat::Adk => &adk::FORMAT,
        TrajectoryFormat::Hermes => &hermes::FORMAT,
        TrajectoryFormat::Tooltalk => &tooltalk::FORMAT,
        TrajectoryFormat::Bfcl => &bfcl::FORMAT,
        TrajectoryFormat::Deepeval => &deepeval::FORMAT,
        TrajectoryFormat::Ragas => &ragas::FORMAT,
        TrajectoryFormat::NemoGym => &nemo_gym::FORMAT,
        TrajectoryFormat::PydanticAi => &pydantic_ai::FORMAT,
        TrajectoryFormat::Openhands => &openhands::FORMAT,
        TrajectoryFormat::Autogen => &autogen::FORMAT,
        TrajectoryFormat::SemanticKernel => &semantic_kernel::FORMAT,
        TrajectoryFormat::Xlam => &xlam::FORMAT,
        TrajectoryFormat::When2call => &when2call::FORMAT,
        TrajectoryFormat::Toucan => &toucan::FORMAT,
        TrajectoryFormat::Toolace => &toolace::FORMAT,
        TrajectoryFormat::Smolagents => &smolagents::FORMAT,
        TrajectoryFormat::Toolbench => &toolbench::FORMAT,
        TrajectoryFormat::MiniSweAgent => &mini_swe_agent::FORMAT,
        TrajectoryFormat::Docent => &docent::FORMAT,
        TrajectoryFormat::CopilotChat => &copilot_chat::FORMAT,
        TrajectoryFormat::DeepevalTrace => &deepeval_trace::FORMAT,
        TrajectoryFormat::AiGateway => &ai_gateway::FORMAT,
        TrajectoryFormat::Batch => &batch::FORMAT,
    }
}

/// What a document holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum DetectedFormat {
    /// One or more trajectories.
    Trajectory {
        /// Their format.
        format: TrajectoryFormat,
    },
    /// Tool definitions.
    Tools {
        /// Their format.
        format: ToolFormat,
    },
}

/// All trajectories of a document, in `format` or in the detected one. The document may also be a list
/// of documents of one format.
///
/// # Errors
/// [`Error::UnknownFormat`] names the nearest format and what is missing. [`Error::InvalidInput`] names
/// the part that has another shape than the format says.
pub fn import_trajectories<'a>(
    document: Json<'a>,
    format: Option<TrajectoryFormat>,
    reader: Reader<'a>,
) -> Result<Imported<Vec<Trajectory<'a>>, TrajectoryFormat>> {
    let is_forced = format.is_some();
    let (format, layout) = match format {
        Some(name) => reader_of(name).applied_to(document),
        None => REGISTRY.detect(document)?,
    };
    let mut import = Import::with_formats(reader, REGISTRY.formats);
    let mut value = match (layout, document) {
        (Layout::Each, Json::Array(documents)) => import.read_each(documents, format)?,
        _ => (format.read)(document, &mut import)?,
    };
    // toolgauge's own trajectories are as their writers meant them, and the other format reads its texts itself.
    if !matches!(
        format.name,
        TrajectoryFormat::Harness | TrajectoryFormat::Hermes
    ) {
        for trajectory in &mut value {
            read_in_texts(trajectory, &mut import);
        }
    }
    value.iter_mut().for_each(drop_empty_tools);
    report_lost_calls(document, &value, &mut import);
    if is_forced && let Some(doubt) = REGISTRY.doubt(format, document, layout) {
        import.warn(&Path::root(), doubt);
    }
    Ok(Imported {
        value,
        format: format.name,
        warnings: import.warnings,
    })
}

/// An empty list of tools declares none: many programs write it when they log no tools.
fn drop_empty_tools(trajectory: &mut Trajectory<'_>) {
    let is_empty = |tools: &Json<'_>| matches!(tools, Json::Array([]) | Json::Object([]));
    trajectory.tools = trajectory.tools.filter(|tools| !is_empty(tools));
}

/// The one trajectory of a document.
///
/// # Errors
/// As [`import_trajectories`], and [`Error::InvalidInput`] if the document holds none or several.
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

/// The messages of a conversation so far, in any known format. They may be an empty list.
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
    // Comparing all formats costs more than scoring a few calls.
    calls::is_plain_call_list(document)
        || calls::is_call_list(document)
            && (are_calls_alone(document) || REGISTRY.detect(document).is_err())
}

/// Whether a document is nothing but the calls of one message, as a provider writes them. It is a trajectory, too.
fn are_calls_alone(document: Json<'_>) -> bool {
    let format = document.items().and_then(CallShape::of_list);
    matches!(
        format,
        Some(CallFormat::OpenaiChat | CallFormat::Anthropic | CallFormat::Langchain)
    )
}

/// The sets of tools that a document defines or, as a log, carries: see [`tools::define_tools`].
///
/// # Errors
/// [`Error::UnknownFormat`] if the document contains no definition.
pub fn define_tools<'a>(document: Json<'a>, reader: Reader<'a>) -> Result<Vec<DefinedTools<'a>>> {
    tools::define_tools(document, reader, || {
        let imported = import_trajectories(document, None, reader).ok()?;
        let trajectories = imported.value.into_iter();
        Some(trajectories.filter_map(|it| it.tools).collect())
    })
}

/// A turn in toolgauge's own shape.
///
/// # Errors
/// [`Error::InvalidInput`] names the field that has another shape.
pub fn import_turn<'a>(document: Json<'a>, reader: Reader<'a>) -> Result<Turn<'a>> {
    harness::read_turn(document, Path::root(), 1, &mut Import::new(reader))
}

/// A tool call in toolgauge's own shape or in that of any provider.
///
/// # Errors
/// [`Error::InvalidInput`] when it is not an object.
pub fn import_tool_call<'a>(document: Json<'a>, reader: Reader<'a>) -> Result<ToolCall<'a>> {
    read_tool_call(document, Path::root(), &mut Import::new(reader))
}

/// What a document holds, or `None` if it has no known format.
pub fn detect_format(document: Json<'_>) -> Option<DetectedFormat> {
    if let Ok((format, _)) = REGISTRY.detect(document) {
        return Some(DetectedFormat::Trajectory {
            format: format.name,
        });
    }
    // A call has a name, too, but no schema.
    let is_call = kit::detection::holds_calls(document) && !kit::detection::has_schema(document);
    let format = tools::recognize_tools(document).filter(|_| !is_call)?;
    Some(DetectedFormat::Tools { format })
}

/// The expectations of a document: toolgauge's own, a list of calls, an answer of the Berkeley Function
/// Calling Leaderboard, or the expected calls of a trajectory in any known format.
///
/// # Errors
/// [`Error::InvalidInput`] names the part that has another shape than its format says;
/// [`Error::UnknownFormat`] when the document has no known format.
pub fn import_expectations<'a>(
    document: Json<'a>,
    reader: Reader<'a>,
) -> Result<Imported<Json<'a>, ExpectationFormat>> {
    if let Some(read) = expectations::read_own(document, reader)? {
        return Ok(read);
    }
    if is_call_list(document) {
        return expectations::read_calls(document.items().unwrap_or_default(), reader);
    }
    expectations::of_trajectory(import_trajectory(document, None, reader)?, reader)
}
