//! What every format consists of, and what comes of reading one.

use serde::{Deserialize, Serialize};

use super::import::{Import, ImportWarning};
use crate::error::Result;
use crate::model::{Json, Trajectory};

/// The formats that trajectories are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
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

impl TrajectoryFormat {
    /// The name as options and results write it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Harness => "harness",
            Self::OpenaiChat => "openai-chat",
            Self::OpenaiResponses => "openai-responses",
            Self::OpenaiAgents => "openai-agents",
            Self::Anthropic => "anthropic",
            Self::AiSdkUi => "ai-sdk-ui",
            Self::AiSdkModel => "ai-sdk-model",
            Self::AiSdkSteps => "ai-sdk-steps",
            Self::Gemini => "gemini",
            Self::Bedrock => "bedrock",
            Self::TauBench => "tau-bench",
            Self::Tau2 => "tau2",
            Self::Langchain => "langchain",
            Self::Langsmith => "langsmith",
            Self::Langfuse => "langfuse",
            Self::OtelGenai => "otel-genai",
            Self::Openinference => "openinference",
            Self::Mastra => "mastra",
            Self::Atif => "atif",
            Self::SweAgent => "swe-agent",
            Self::ClaudeCode => "claude-code",
            Self::Inspect => "inspect",
            Self::Adk => "adk",
            Self::Hermes => "hermes",
            Self::Tooltalk => "tooltalk",
            Self::Bfcl => "bfcl",
        }
    }
}

/// How one format is detected and read.
pub struct Format {
    /// Its name.
    pub name: TrajectoryFormat,
    /// How much a document looks like it.
    pub likeness: for<'a> fn(Json<'a>) -> Likeness,
    /// Reads the trajectories of one document.
    pub read: for<'a> fn(Json<'a>, &mut Import<'a>) -> Result<Vec<Trajectory<'a>>>,
}

/// How much a document looks like a format.
#[derive(Clone, Copy)]
pub enum Likeness {
    /// It is that format.
    Full,
    /// It is nothing but roles and texts, as several formats have them: among documents of that format
    /// it is one of them.
    Plain,
    /// It could be, but this is missing.
    Partial(&'static str),
    /// It is something else.
    None,
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
