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
mod expectations;
mod export;
mod fields;
mod gemini;
mod harness;
mod hermes;
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
#[cfg(test)]
mod testing;
mod tools;
mod tooltalk;
mod trace;

use std::collections::HashSet;

use bumpalo::Bump;
use serde::{Deserialize, Serialize, Serializer};

use conversation::CallResult;
use signs::first_of;

use crate::error::{Error, Result};
use crate::model::{
    Json, Member, Path, Reader, ToolCall, ToolSchema, Trajectory, Turn, why_not_json,
};

pub use calls::{made_in, read_list};
pub use expectations::{ExpectationFormat, import_expectations};
pub use export::{
    AiSdkMessage, AiSdkPart, AiSdkToolOutput, AiSdkToolResult, AtifAgent, AtifObservation,
    AtifResult, AtifResultExtra, AtifSource, AtifStep, AtifToolCall, AtifToolCallExtra,
    AtifTrajectory, ExportFormat, Exported, OpenAiFunction, OpenAiMessage, OpenAiToolCall,
    OpenAiToolCallType, export_trajectory,
};
pub use fields::Fields;
pub use tools::{ToolFormat, import_tools};

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

/// How one format is told and read.
struct Format {
    name: TrajectoryFormat,
    likeness: for<'a> fn(Json<'a>) -> Likeness,
    read: for<'a> fn(Json<'a>, &mut Import<'a>) -> Result<Vec<Trajectory<'a>>>,
}

/// How much a document looks like a format.
#[derive(Clone, Copy)]
enum Likeness {
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

/// Something in an imported document that has no place in the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ImportWarning {
    /// The place in the document, as in `messages[3]`; empty for the whole of it.
    pub path: String,
    /// What was noticed there.
    pub message: String,
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

/// The state of one import: where values are kept, and the warnings so far.
pub struct Import<'a> {
    reader: Reader<'a>,
    warnings: Vec<ImportWarning>,
    /// Where the document that is read stands in the input.
    base: Path,
    /// While a document inside another is read: the results that answer no call of it.
    orphans: Option<Vec<CallResult<'a>>>,
}

impl<'a> Import<'a> {
    /// A fresh import that keeps what it makes where `reader` does.
    pub fn new(reader: Reader<'a>) -> Self {
        Self {
            reader,
            warnings: Vec::new(),
            base: Path::root(),
            orphans: None,
        }
    }

    fn arena(&self) -> &'a Bump {
        self.reader.arena()
    }

    fn warn(&mut self, path: &Path, message: impl Into<String>) {
        self.warnings.push(ImportWarning {
            path: self.base.join(path).to_string(),
            message: message.into(),
        });
    }

    /// Keeps a result that answers no call for the document around this one, if there is any; else it is
    /// a warning.
    fn takes_orphan(&mut self, result: &CallResult<'a>, path: &Path) -> bool {
        match &mut self.orphans {
            Some(orphans) => orphans.push(*result),
            None => self.warn(path, result.orphaned()),
        }
        self.orphans.is_some()
    }

    /// The trajectories of a document that stands at `path` in another, and the results that answer no
    /// call of it; `None` when it is of no known format. Such a document holds no further one.
    fn read_inner(
        &mut self,
        document: Json<'a>,
        path: &Path,
    ) -> Option<(Vec<Trajectory<'a>>, Vec<CallResult<'a>>)> {
        if self.orphans.is_some() {
            return None;
        }
        let format = FORMATS.iter().find(|format| format.is_whole(document))?;
        let base = self.base.join(path);
        let outer = std::mem::replace(&mut self.base, base);
        self.orphans = Some(Vec::new());
        let read = (format.read)(document, self);
        let orphans = self.orphans.take().unwrap_or_default();
        self.base = outer;
        match read {
            Ok(trajectories) => Some((trajectories, orphans)),
            Err(error) => {
                self.warn(path, error.inside(path).to_string());
                Some((Vec::new(), Vec::new()))
            }
        }
    }

    /// The trajectories of each of `documents`, a list of which is the input.
    fn read_each(
        &mut self,
        documents: &'a [Json<'a>],
        format: &Format,
    ) -> Result<Vec<Trajectory<'a>>> {
        let mut trajectories = Vec::new();
        for (at, document) in documents.iter().enumerate() {
            self.base = Path::root().index(at);
            let read = (format.read)(*document, self);
            trajectories.extend(read.map_err(|error| error.inside(&self.base))?);
        }
        self.base = Path::root();
        Ok(trajectories)
    }

    /// Adds members to those that `call` keeps; of one that is there already the first counts.
    fn keep(&self, call: &mut ToolCall<'a>, members: &[Member<'a>]) {
        call.extra = self.merge(call.extra, members);
    }

    /// All `members` and those of `more` that have another name.
    fn merge(&self, members: &'a [Member<'a>], more: &[Member<'a>]) -> &'a [Member<'a>] {
        if more.is_empty() {
            return members;
        }
        let known: HashSet<_> = members.iter().map(|(key, _)| *key).collect();
        let new = more.iter().filter(|(key, _)| !known.contains(key));
        let all: Vec<_> = members.iter().chain(new).copied().collect();
        self.arena().alloc_slice_copy(&all)
    }

    /// A list of the one value.
    fn slice(&self, value: Json<'a>) -> &'a [Json<'a>] {
        self.arena().alloc_slice_copy(&[value])
    }

    /// The value that a text holds when it is JSON of an object or array, else the text.
    fn nested(&self, value: Json<'a>) -> Json<'a> {
        let text = value.as_str();
        text.and_then(|text| self.reader.read_nested(text))
            .unwrap_or(value)
    }

    /// Texts as one, a line each.
    fn join_text(&self, parts: impl Iterator<Item = &'a str>) -> &'a str {
        let parts: Vec<_> = parts.collect();
        match parts.as_slice() {
            [one] => one,
            _ => self.arena().alloc_str(&parts.join("\n")),
        }
    }

    /// An id as text, whatever it was.
    fn label(&self, id: Json<'a>) -> &'a str {
        match id {
            Json::String(text) => text,
            other => self
                .arena()
                .alloc_str(&crate::model::Preview::of(other, 80).to_string()),
        }
    }

    /// What the content of a result holds: the value of a text that is JSON, the texts of text parts,
    /// or else the parts as they are.
    fn content(&self, content: Json<'a>) -> Json<'a> {
        let text_of = |part: &Json<'a>| match part.get("type") {
            None => None,
            Some(_) => part.get("text")?.as_str(),
        };
        let texts: Option<Vec<_>> = match content {
            Json::Array(parts) => parts.iter().map(text_of).collect(),
            one => return self.nested(one),
        };
        texts.map_or(content, |texts| self.texts(&texts))
    }

    /// Several texts of one result as one value: a list when one of them is JSON, else one text.
    fn texts(&self, texts: &[&'a str]) -> Json<'a> {
        let values = texts.iter().map(|text| self.nested(Json::String(text)));
        let values: Vec<_> = values.collect();
        match values.as_slice() {
            [one] => *one,
            values if values.iter().any(|value| value.as_str().is_none()) => {
                Json::Array(self.arena().alloc_slice_copy(values))
            }
            _ => Json::String(self.join_text(texts.iter().copied())),
        }
    }

    /// Gives `call` the arguments that a format holds as JSON text; an object is taken as it is.
    ///
    /// The empty text is what providers send for a call without arguments: it is read as `{}`. Text
    /// that is not JSON is kept as `rawArguments`, and validation reports it. Of a call that is
    /// incomplete a warning says so.
    fn arguments(&mut self, call: &mut ToolCall<'a>, arguments: Option<Json<'a>>, path: &Path) {
        if call.incomplete {
            self.warn(
                path,
                "the call was still being written: its arguments may be cut off",
            );
        }
        let Some(Json::String(text)) = arguments else {
            call.arguments = arguments;
            return;
        };
        if text.trim_ascii().is_empty() {
            call.arguments = Some(Json::Object(&[]));
            return;
        }
        match self.reader.read_text(text) {
            Ok(value) => call.arguments = Some(value),
            Err(error) => {
                call.raw_arguments = Some(text);
                if !call.incomplete {
                    self.warn(path, not_arguments(text, &error));
                }
            }
        }
    }
}

/// That the arguments of a call are not JSON, or pass a limit.
fn not_arguments(text: &str, error: &Error) -> String {
    match error {
        Error::InvalidJson { .. } => format!("not valid JSON: {}", why_not_json(text)),
        other => other.to_string(),
    }
}

/// Reads each item of a list with `read`, or the one value that is no list.
fn one_or_each<'a, T>(
    value: Json<'a>,
    mut read: impl FnMut(Json<'a>, Path) -> Result<T>,
) -> Result<Vec<T>> {
    match value {
        Json::Array(items) => items
            .iter()
            .enumerate()
            .map(|(at, item)| read(*item, Path::root().index(at)))
            .collect(),
        one => Ok(vec![read(one, Path::root())?]),
    }
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
    let (format, layout) = match format {
        Some(name) => by_name(name).applied_to(document),
        None => detect_trajectory(document)?,
    };
    let mut import = Import::new(reader);
    let value = match (layout, document) {
        (Layout::Each, Json::Array(documents)) => import.read_each(documents, format)?,
        _ => (format.read)(document, &mut import)?,
    };
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

/// Whether `document` is a list of calls, `[{tool, args}]`, rather than a trajectory in a known format.
pub fn is_call_list(document: Json<'_>) -> bool {
    calls::is_call_list(document) && detect_trajectory(document).is_err()
}

/// A turn in toolgauge's own shape.
///
/// # Errors
/// [`Error::InvalidInput`] names the field that has another shape.
pub fn import_turn<'a>(document: Json<'a>, reader: Reader<'a>) -> Result<Turn<'a>> {
    harness::read_turn(document, Path::root(), 1, &mut Import::new(reader))
}

/// A tool call in toolgauge's own shape.
///
/// # Errors
/// [`Error::InvalidInput`] when it is not an object.
pub fn import_tool_call<'a>(document: Json<'a>, reader: Reader<'a>) -> Result<ToolCall<'a>> {
    harness::read_call(document, Path::root(), &mut Import::new(reader))
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

/// How the documents of a format stand in an input.
#[derive(Clone, Copy)]
enum Layout {
    /// The input is one.
    Whole,
    /// The input is a list of them.
    Each,
}

impl Format {
    /// Whether `document` is one document of this format.
    fn is_whole(&self, document: Json<'_>) -> bool {
        matches!((self.likeness)(document), Likeness::Full)
    }

    /// Whether each of a list is a document of this format. A message alone is none: a list that holds
    /// one is a conversation, if anything.
    fn is_each(&self, documents: &[Json<'_>]) -> bool {
        let likeness_of = |item: &Json<'_>| match item.get("role") {
            None => (self.likeness)(*item),
            Some(_) => Likeness::None,
        };
        let is_told = |item| matches!(likeness_of(item), Likeness::Full);
        let fits = |item| matches!(likeness_of(item), Likeness::Full | Likeness::Plain);
        documents.first().is_some_and(fits)
            && first_of(documents).iter().any(is_told)
            && documents.iter().all(fits)
    }

    /// This format, and how it is read from `document` when it must be.
    fn applied_to(&'static self, document: Json<'_>) -> (&'static Self, Layout) {
        let is_each = |documents| !self.is_whole(document) && self.is_each(documents);
        match document.items().is_some_and(is_each) {
            true => (self, Layout::Each),
            false => (self, Layout::Whole),
        }
    }
}

fn detect_trajectory(document: Json<'_>) -> Result<(&'static Format, Layout)> {
    let mut nearest = None;
    for format in &FORMATS {
        match (format.likeness)(document) {
            Likeness::Full => return Ok((format, Layout::Whole)),
            Likeness::Partial(missing) => nearest = nearest.or(Some((format.name, missing))),
            Likeness::Plain | Likeness::None => {}
        }
    }
    if let Json::Array(documents) = document
        && let Some(format) = FORMATS.iter().find(|format| format.is_each(documents))
    {
        return Ok((format, Layout::Each));
    }
    Err(Error::UnknownFormat {
        path: Path::root(),
        kind: "trajectory",
        reason: unknown_reason(document, nearest),
    })
}

fn unknown_reason(document: Json<'_>, nearest: Option<(TrajectoryFormat, &str)>) -> String {
    let (name, missing) = match (document, nearest) {
        (_, Some(nearest)) => nearest,
        (Json::Array([]), None) => return "the list is empty".to_owned(),
        (Json::Array(documents), None) => return unlike_reason(documents),
        (other, None) => return format!("found {}", outline(other)),
    };
    format!("nearest is {}, but it lacks {missing}", name.label())
}

/// Why a list that looks like nothing is no list of documents: they are not of one format.
fn unlike_reason(documents: &[Json<'_>]) -> String {
    let format_of = |item| FORMATS.iter().find(|format| format.is_whole(item));
    let first = documents.first().copied().and_then(format_of);
    let odd = first.and_then(|first| documents.iter().position(|item| !first.is_whole(*item)));
    match (first, odd) {
        (Some(first), Some(at)) => format!(
            "the first of the list is {}, but [{at}] is not: found {}",
            first.name.label(),
            outline(documents[at])
        ),
        _ => format!("found {}", outline(Json::Array(documents))),
    }
}

/// The look of a value from outside: its type and its keys.
fn outline(value: Json<'_>) -> String {
    match value {
        Json::Object(members) => {
            let keys: Vec<_> = members.iter().take(6).map(|(key, _)| *key).collect();
            let more = if members.len() > keys.len() {
                ", …"
            } else {
                ""
            };
            format!("an object with the keys {{{}{more}}}", keys.join(", "))
        }
        Json::Array([first, ..]) => format!("a list of which the first is {}", outline(*first)),
        other => other.describe(),
    }
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

#[cfg(test)]
mod tests {
    use super::testing::{failure, fixture, fixtures, imported};
    use super::*;
    use crate::model::testing::arena_json;

    #[test]
    fn formats_are_told_apart() {
        let detected = |text: &str| {
            let arena = Bump::new();
            let found = detect_format(arena_json(&arena, text));
            serde_json::to_string(&found).expect("JSON")
        };
        let trajectory = |format| format!(r#"{{"kind":"trajectory","format":"{format}"}}"#);
        let tools = |format| format!(r#"{{"kind":"tools","format":"{format}"}}"#);
        let cases = [
            (r#"{"turns":[]}"#, trajectory("harness")),
            (
                r#"[{"turn_id":1,"role":"user","content":""}]"#,
                trajectory("harness"),
            ),
            (
                r#"[{"role":"user","content":"hi"}]"#,
                trajectory("openai-chat"),
            ),
            (
                r#"{"messages":[{"role":"user","content":"hi"}],"tools":[]}"#,
                trajectory("openai-chat"),
            ),
            (
                r#"{"choices":[{"message":{"role":"assistant","content":"hi"}}]}"#,
                trajectory("openai-chat"),
            ),
            (r#"[{"task_id":1,"traj":[]}]"#, trajectory("tau-bench")),
            (
                r#"[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use","name":"f","input":{}}]}]"#,
                trajectory("anthropic"),
            ),
            (
                r#"{"system":"Be brief.","messages":[{"role":"user","content":"hi"}]}"#,
                trajectory("anthropic"),
            ),
            (
                r#"{"messages":[{"role":"user","content":"hi"}],"tools":[{"name":"f","input_schema":{}}]}"#,
                trajectory("anthropic"),
            ),
            (
                r#"{"type":"message","role":"assistant","content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn"}"#,
                trajectory("anthropic"),
            ),
            (
                r#"[{"role":"user","parts":[{"text":"hi"}]}]"#,
                trajectory("gemini"),
            ),
            (r#"[{"role":"model","parts":[]}]"#, trajectory("gemini")),
            (
                r#"{"contents":[{"parts":[{"text":null,"function_call":{"name":"f"}}]}]}"#,
                trajectory("gemini"),
            ),
            (r#"{"model":"g","contents":"hi"}"#, trajectory("gemini")),
            (r#"{"candidates":[{}]}"#, trajectory("gemini")),
            (
                r#"[{"role":"user","content":[{"text":"hi"}]}]"#,
                trajectory("bedrock"),
            ),
            (
                r#"[{"role":"user","content":"hi"},{"role":"assistant","content":[{"toolUse":{}}]}]"#,
                trajectory("bedrock"),
            ),
            (
                r#"{"messages":[{"role":"user","content":"hi"}],"toolConfig":{"tools":[]}}"#,
                trajectory("bedrock"),
            ),
            (
                r#"[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}}]}]"#,
                trajectory("ai-sdk-model"),
            ),
            (
                r#"{"messages":[{"role":"user","content":"hi"}],"tools":{"f":{"inputSchema":{}}}}"#,
                trajectory("ai-sdk-model"),
            ),
            (
                r#"[{"role":"user","content":[{"type":"file","data":"AA==","mediaType":"image/png"}]}]"#,
                trajectory("ai-sdk-model"),
            ),
            (
                r#"[{"role":"user","content":[{"type":"file","file":{"file_id":"x"}}]}]"#,
                trajectory("openai-chat"),
            ),
            (
                r#"[{"role":"user","content":[{"type":"text","text":"hi"}]}]"#,
                trajectory("openai-chat"),
            ),
            (
                r#"[{"id":"m","role":"user","parts":[{"type":"text","text":"hi"}]}]"#,
                trajectory("ai-sdk-ui"),
            ),
            (
                r#"[{"id":"m","role":"user","content":"hi"},{"id":"n","role":"assistant","content":"","toolInvocations":[{"state":"call","toolCallId":"a","toolName":"f","args":{}}]}]"#,
                trajectory("ai-sdk-ui"),
            ),
            (
                r#"{"steps":[{"content":[{"type":"text","text":"hi"}],"finishReason":"stop"}]}"#,
                trajectory("ai-sdk-steps"),
            ),
            (
                r#"[{"text":"","toolCalls":[{"toolCallId":"a","toolName":"f","args":{}}],"toolResults":[]}]"#,
                trajectory("ai-sdk-steps"),
            ),
            (
                r#"{"model":"m","input":"hi"}"#,
                trajectory("openai-responses"),
            ),
            (
                r#"{"model":"m","input":[{"role":"user","content":"hi"}]}"#,
                trajectory("openai-responses"),
            ),
            (
                r#"[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"output_text","text":"x"}]}]"#,
                trajectory("openai-responses"),
            ),
            (
                r#"[{"role":"user","content":"hi"},{"type":"mcp_call","id":"a","name":"f","arguments":"{}"}]"#,
                trajectory("openai-responses"),
            ),
            (
                r#"[{"role":"user","content":"hi"},{"type":"function_call","callId":"a","name":"f","arguments":"{}"}]"#,
                trajectory("openai-agents"),
            ),
            (
                r#"[{"type":"message_output_item","rawItem":{"role":"assistant","content":"hi"}}]"#,
                trajectory("openai-agents"),
            ),
            (
                r#"[[{"role":"user","content":"hi"}],[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}]]"#,
                trajectory("anthropic"),
            ),
            (
                r#"[{"messages":[{"role":"user","content":"hi"}]},{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}]}]"#,
                trajectory("anthropic"),
            ),
            (
                r#"[{"type":"function","function":{"name":"f","parameters":{}}}]"#,
                tools("openai-chat"),
            ),
            (r#"[{"name":"f","input_schema":{}}]"#, tools("anthropic")),
            (r#"{"tools":[{"name":"f","inputSchema":{}}]}"#, tools("mcp")),
            (r#"{"f":{"name":"f","parameters":{}}}"#, tools("record")),
            (r#"{"name":"f","parameters":{}}"#, tools("record")),
            (r#"{"hello":"world"}"#, "null".to_owned()),
            ("[]", "null".to_owned()),
            ("7", "null".to_owned()),
        ];
        for (text, expected) in cases {
            assert_eq!(detected(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_known_format_is_told_with_the_nearest_and_what_it_lacks() {
        let cases = [
            (
                r#"{"task_id":1}"#,
                "nearest is tau-bench, but it lacks `traj`, the messages",
            ),
            (
                r#"[{"role":"user","content":[{"type":"hologram"}]}]"#,
                "nearest is openai-chat, but it lacks a text or text parts as `content`",
            ),
            (
                r#"[{"role":"wizard","content":[{"type":"tool_use"}]}]"#,
                "nearest is anthropic, but it lacks the roles user and assistant",
            ),
            (
                r#"[{"role":"model","content":"b"}]"#,
                "nearest is gemini, but it lacks a list of `parts`",
            ),
            (
                r#"{"candidates":{}}"#,
                "nearest is gemini, but it lacks a list of `candidates`",
            ),
            (
                r#"[{"role":"wizard","content":"a"}]"#,
                "nearest is openai-chat, but it lacks roles",
            ),
            (r#"{"a":1,"b":2}"#, "found an object with the keys {a, b}"),
            (
                r#"[{"x":1}]"#,
                "found a list of which the first is an object with the keys {x}",
            ),
            ("[]", "the list is empty"),
            ("\"text\"", "found \"text\" (string)"),
        ];
        for (text, reason) in cases {
            let error = failure(text);
            assert!(
                matches!(error, Error::UnknownFormat { .. }),
                "{text}: {error}"
            );
            assert!(error.to_string().contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn a_list_of_documents_is_read_one_by_one() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[[{"role":"user","content":"a"}],[{"role":"tool","content":"b"}]]"#,
        );
        assert_eq!(read.format, TrajectoryFormat::OpenaiChat);
        assert_eq!(read.value.len(), 2);
        assert_eq!(read.warnings[0].path, "[1][0]");
        let error = failure(r#"[[{"role":"user"}],[{"role":"user"},{"role":"wizard"}]]"#);
        assert_eq!(error.report().path.as_deref(), Some("[1][1].role"));
        let error = failure(r#"[{"choices":[{"message":{"role":"user"}}]},{"turns":[]}]"#);
        assert!(
            error.to_string().ends_with(
                "the first of the list is openai-chat, but [1] is not: found an object with the keys {turns}"
            ),
            "{error}"
        );
    }

    #[test]
    fn each_fixture_is_of_the_format_that_it_is_named_after() {
        for name in fixtures("formats") {
            let arena = Bump::new();
            let read = imported(&arena, &fixture(&name));
            assert_eq!(name.split('.').next(), Some(read.format.label()), "{name}");
            let made: usize = read.value.iter().map(Trajectory::call_count).sum();
            let expected = read
                .value
                .iter()
                .filter_map(|it| it.expected_calls.as_ref());
            let expected: usize = expected.map(Vec::len).sum();
            assert!(made + expected > 0, "{name} holds no call");
            let reader = Reader::new(&arena, crate::model::Limits::default());
            for tools in read.value.iter().filter_map(|trajectory| trajectory.tools) {
                import_tools(tools, reader).expect(&name);
            }
        }
    }

    #[test]
    fn two_documents_in_a_list_are_of_the_format_that_each_is() {
        for name in fixtures("formats") {
            let arena = Bump::new();
            let document = arena_json(&arena, &fixture(&name));
            // The lines of JSON Lines are the documents already.
            if name.ends_with(".jsonl") {
                continue;
            }
            let twice = Json::Array(arena.alloc_slice_copy(&[document, document]));
            let format = detect_trajectory(twice).expect(&name).0.name.label();
            assert_eq!(name.split('.').next(), Some(format), "{name}");
        }
    }

    #[test]
    fn no_change_of_one_node_of_a_fixture_makes_reading_it_panic() {
        for name in fixtures("formats") {
            let arena = Bump::new();
            let document = arena_json(&arena, &fixture(&name));
            let format = detect_trajectory(document).expect("a known format").0.name;
            testing::each_mutation(&arena, document, &mut |changed| {
                let reader = Reader::new(&arena, crate::model::Limits::default());
                for format in [None, Some(format)] {
                    if let Ok(read) = import_trajectories(changed, format, reader) {
                        serde_json::to_string(&read.value).expect("plain data");
                    }
                }
            });
        }
    }

    #[test]
    fn one_trajectory_is_not_several() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, crate::model::Limits::default());
        let two = arena_json(&arena, r#"[{"turns":[]},{"turns":[]}]"#);
        let error = import_trajectory(two, None, reader).expect_err("two trajectories");
        assert!(error.to_string().ends_with("got 2"), "{error}");
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
