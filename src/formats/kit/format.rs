//! The parts of a format, and the result of reading one.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::import::{Import, ImportWarning};
use super::marks::Mark;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Trajectory};

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
    /// Items, traces and run states of the OpenAI Agents SDK.
    OpenaiAgents,
    /// Anthropic messages, a whole request, or a response.
    Anthropic,
    /// UI messages of the AI SDK, version 4 and later.
    AiSdkUi,
    /// Model messages of the AI SDK, or a request with them.
    AiSdkModel,
    /// Steps of the AI SDK, as `generateText` returns them.
    AiSdkSteps,
    /// Gemini contents, a whole request, or a response.
    Gemini,
    /// Amazon Bedrock Converse messages, a whole request, or a response.
    Bedrock,
    /// Cohere chat messages of version 2, a whole request, or a response.
    Cohere,
    /// tau-bench rollouts, with the expected actions.
    TauBench,
    /// tau2-bench results, or one simulation, with the expected actions of its task.
    Tau2,
    /// LangChain and LangGraph messages: plain, stored or as constructors. Also states that contain
    /// them and streams of graphs.
    Langchain,
    /// LangSmith runs, and rows of datasets and experiments with their reference outputs.
    Langsmith,
    /// Langfuse traces and observations.
    Langfuse,
    /// OpenTelemetry spans that follow the conventions for generative AI or those of the AI SDK. Also
    /// the messages alone.
    OtelGenai,
    /// OpenInference spans.
    Openinference,
    /// Mastra messages, or a trajectory of steps.
    Mastra,
    /// The Agent Trajectory Interchange Format, versions 1.0 to 1.8.
    Atif,
    /// SWE-agent trajectories.
    SweAgent,
    /// Claude Code sessions, as saved or as streamed.
    ClaudeCode,
    /// Codex sessions, old and new, and the events of `codex exec --json`.
    Codex,
    /// Gemini CLI sessions, old and new.
    GeminiCli,
    /// Qwen Code sessions.
    QwenCode,
    /// opencode sessions, as exported, and the events of `opencode run`.
    Opencode,
    /// pi sessions and events, and messages of its library.
    Pi,
    /// MCP sessions: the JSON-RPC messages between a client and a server, with the tools.
    Mcp,
    /// Recorded streams: chunks of OpenAI chat or Gemini, events of OpenAI Responses or Anthropic, parts of the AI SDK.
    Stream,
    /// Inspect AI logs, or one sample.
    Inspect,
    /// Agent Development Kit sessions, and eval sets and eval results with their expected calls.
    Adk,
    /// Conversations with calls in the text, as Hermes models write them. Also ShareGPT.
    Hermes,
    /// ToolTalk conversations, with their expected calls.
    Tooltalk,
    /// Berkeley Function Calling Leaderboard questions and answers: tools and expected calls. Also result files.
    Bfcl,
    /// DeepEval goldens and test cases, with their expected tools.
    Deepeval,
    /// Ragas samples of several turns, with their reference tool calls.
    Ragas,
    /// Rows of NeMo Gym: a request and a response, with the calls that the verifier expects.
    NemoGym,
    /// Messages of Pydantic AI: requests and responses with their parts.
    PydanticAi,
    /// Events of OpenHands, version 0 and 1: a list, or a file of an evaluation.
    Openhands,
    /// Messages of AutoGen AgentChat, results of teams, and saved states of agents.
    Autogen,
    /// Chat histories of Semantic Kernel, as .NET and Python write them.
    SemanticKernel,
    /// Rows of xLAM: a question, tools, and the calls that answer it.
    Xlam,
    /// Rows of When2Call, with the call that is the right answer, if any.
    When2call,
    /// Rows of Toucan, with the messages as a text of JSON.
    Toucan,
    /// Rows of ToolACE, with calls as lists in the text.
    Toolace,
    /// Memory of smolagents: the steps of an agent that calls tools or writes code.
    Smolagents,
    /// Answers of ToolBench: the path to the answer, with the tools.
    Toolbench,
    /// Trajectories of mini-swe-agent, with commands in texts or as calls.
    MiniSweAgent,
    /// Agent runs of Docent: transcripts with messages.
    Docent,
    /// Chats of GitHub Copilot in VS Code, exported or as saved.
    CopilotChat,
    /// Traces of DeepEval, with the spans of models and tools.
    DeepevalTrace,
    /// Calls of language models through the Vercel AI Gateway and providers of the AI SDK.
    AiGateway,
    /// Lines of batch APIs: results of OpenAI and those alike, Anthropic, Gemini and Bedrock, and requests.
    Batch,
}

impl TrajectoryFormat {
    /// The name in options and results.
    pub fn label(self) -> &'static str {
        self.into()
    }
}

/// How one format is detected and read.
pub struct Format {
    /// Its name.
    pub name: TrajectoryFormat,
    /// Names, at least one of which occurs in every document for which `likeness` is full or partial. Other documents are
    /// not compared with this format. If empty, all documents are compared. See [`Names`](super::marks::Names).
    pub marks: &'static [Mark],
    /// How much a document looks like this format.
    pub likeness: for<'a> fn(Json<'a>) -> Likeness,
    /// Reads the trajectories of one document.
    pub read: for<'a> fn(Json<'a>, &mut Import<'a>) -> Result<Vec<Trajectory<'a>>>,
}

/// How much a document looks like a format.
#[derive(Clone, Copy)]
pub enum Likeness {
    /// It is of that format.
    Full,
    /// It has only roles and texts, which several formats share. In a list with documents of that
    /// format it is one of them.
    Plain,
    /// It could be of that format, but this is missing.
    Partial(&'static str),
    /// It is of another format.
    None,
}

/// The result of an import: the value, its format, and warnings.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Imported<T, F> {
    /// The imported value.
    pub value: T,
    /// The format of the input.
    pub format: F,
    /// What was lost or doubtful, in the order of the document.
    pub warnings: Vec<ImportWarning>,
}
