//! One tool call in the shape of any provider: detects the shape, reads the call, writes it back with
//! other arguments, and refuses it.
//!
//! Readers read the calls of conversations. This is for a call on its own or in a list of calls, where
//! only its own members say who wrote it.

use serde::Serialize;

use super::fields::{Fields, is_one_of};
use super::import::Import;
use toolgauge_model::error::Result;
use toolgauge_model::{ExpectedCall, Json, Member, Path, Reader, ToolCall};

/// The provider or framework in whose shape a call is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum CallFormat {
    /// toolgauge's own: `{name, arguments}`. Also `{tool, args}`, `{name, inputParameters}` and
    /// `{tool_name, tool_input}`.
    Plain,
    /// OpenAI chat completions: `{id, function: {name, arguments}}`. Mistral, Groq, Ollama and others
    /// write the same; so do custom tools, `{id, custom: {name, input}}`.
    OpenaiChat,
    /// OpenAI Responses: `{type: "function_call", call_id, name, arguments}`.
    OpenaiResponses,
    /// Anthropic: `{type: "tool_use", id, name, input}`.
    Anthropic,
    /// The AI SDK: `{toolCallId, toolName, input}`, or a part of a UI message; also inside `toolInvocation`, and
    /// inside the `payload` of Mastra.
    AiSdk,
    /// Gemini: `{functionCall: {name, args}}`.
    Gemini,
    /// Amazon Bedrock: `{toolUse: {toolUseId, name, input}}`.
    Bedrock,
    /// MCP: `{method: "tools/call", params: {name, arguments}}`.
    Mcp,
    /// LangChain: `{type: "tool_call", id, name, args}`.
    Langchain,
}

/// How one call is written: which members hold what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallShape {
    /// Whose shape it is.
    pub format: CallFormat,
    /// The member that holds the call, if the call is wrapped in an object.
    wrapper: Option<&'static str>,
    name: NameAt,
    arguments: &'static str,
    /// The members that may hold the id, outside the wrapper. The first that exists counts.
    id: &'static [&'static str],
    text: ArgumentText,
}

/// Where the name of the tool is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NameAt {
    Member(&'static str),
    /// In the member `type`, after `tool-`.
    Type,
}

/// What it means if the arguments are a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ArgumentText {
    /// The text is the arguments as JSON.
    IsJson,
    /// The text is the one argument of a tool that takes any text.
    IsArgument,
}

/// The members that may hold the arguments of a plain call. The first that exists counts.
const PLAIN_ARGUMENTS: [&str; 8] = [
    "arguments",
    "args",
    "input",
    "tool_input",
    "inputParameters",
    "input_parameters",
    "parameters",
    "kwargs",
];

/// The members that may hold the name of the tool in a plain call.
const PLAIN_NAMES: [&str; 4] = ["name", "tool", "toolName", "tool_name"];

const CALL_IDS: &[&str] = &["call_id", "callId", "id"];

impl CallShape {
    /// The shape of `call`. A call in no provider's shape is plain.
    pub fn of(call: Json<'_>) -> Self {
        // Nearly all calls are in toolgauge's own shape, so this check comes first.
        let has = |key| call.get(key).is_some();
        let is_own = (has("name") && has("arguments")) || (has("tool") && has("args"));
        if is_own && !has("type") {
            return Self::plain(call);
        }
        // A call in toolgauge's own shape may keep members that say where it came from.
        let has_own = has("arguments") || has("rawArguments");
        let is_named = call.get("name").is_some_and(|it| it.as_str().is_some());
        let typed = || Self::by_type(call).filter(|it| it.arguments == "arguments" || !has_own);
        Self::wrapped(call)
            .filter(|_| !(has_own && is_named))
            .or_else(typed)
            .unwrap_or_else(|| Self::plain(call))
    }

    fn wrapped(call: Json<'_>) -> Option<Self> {
        let holds = |key: &str| call.get(key).filter(|it| it.members().is_some());
        let wrapped = |format, wrapper, arguments, id| Self {
            format,
            wrapper: Some(wrapper),
            name: NameAt::Member("name"),
            arguments,
            id,
            text: ArgumentText::IsJson,
        };
        // With `parameters` it is the definition of a function.
        if holds("function").is_some_and(|it| it.get("parameters").is_none()) {
            return Some(wrapped(
                CallFormat::OpenaiChat,
                "function",
                "arguments",
                &["id"],
            ));
        }
        if holds("custom").is_some() {
            return Some(Self {
                text: ArgumentText::IsArgument,
                ..wrapped(CallFormat::OpenaiChat, "custom", "input", &["id"])
            });
        }
        for key in ["functionCall", "function_call"] {
            let Some(inner) = holds(key) else { continue };
            return Some(match inner.get("arguments") {
                Some(_) => wrapped(CallFormat::OpenaiChat, key, "arguments", &["id"]),
                None => wrapped(CallFormat::Gemini, key, "args", &["id"]),
            });
        }
        if holds("toolUse").is_some() {
            return Some(wrapped(
                CallFormat::Bedrock,
                "toolUse",
                "input",
                &["toolUseId"],
            ));
        }
        let is_chunk = call.get("type").and_then(Json::as_str) == Some("tool-call");
        for (key, is_call) in [("toolInvocation", true), ("payload", is_chunk)] {
            if is_call && holds(key).is_some() {
                return Some(Self {
                    name: NameAt::Member("toolName"),
                    ..wrapped(CallFormat::AiSdk, key, "args", &["toolCallId"])
                });
            }
        }
        let is_mcp = call.get("method").and_then(Json::as_str) == Some("tools/call");
        (is_mcp && holds("params").is_some())
            .then(|| wrapped(CallFormat::Mcp, "params", "arguments", &["id"]))
    }

    fn by_type(call: Json<'_>) -> Option<Self> {
        let direct = |format, arguments, id| Self {
            format,
            wrapper: None,
            name: NameAt::Member("name"),
            arguments,
            id,
            text: ArgumentText::IsJson,
        };
        let ai_sdk = |name| Self {
            name,
            ..direct(
                CallFormat::AiSdk,
                first_of(call, ["input", "args", "rawInput"]),
                &["toolCallId"],
            )
        };
        match call.get("type").and_then(Json::as_str) {
            Some("tool_use" | "server_tool_use" | "mcp_tool_use") => {
                Some(direct(CallFormat::Anthropic, "input", &["id"]))
            }
            Some("function_call" | "mcp_call") => {
                Some(direct(CallFormat::OpenaiResponses, "arguments", CALL_IDS))
            }
            Some("custom_tool_call") => Some(Self {
                text: ArgumentText::IsArgument,
                ..direct(CallFormat::OpenaiResponses, "input", CALL_IDS)
            }),
            Some("tool_call" | "invalid_tool_call") => {
                let arguments = first_of(call, ["args", "arguments", "input"]);
                Some(direct(CallFormat::Langchain, arguments, &["id"]))
            }
            _ if call.get("toolName").is_some() => Some(ai_sdk(NameAt::Member("toolName"))),
            Some(kind) if kind.starts_with("tool-") && call.get("toolCallId").is_some() => {
                Some(ai_sdk(NameAt::Type))
            }
            _ if call.get("toolUseId").is_some() => {
                Some(direct(CallFormat::Bedrock, "input", &["toolUseId"]))
            }
            _ => None,
        }
    }

    fn plain(call: Json<'_>) -> Self {
        let arguments = first_of(call, PLAIN_ARGUMENTS);
        Self {
            format: CallFormat::Plain,
            wrapper: None,
            name: NameAt::Member(first_of(call, PLAIN_NAMES)),
            arguments,
            id: &["id"],
            // OpenAI writes the arguments as JSON text in `arguments`. In any other member a text is
            // itself the argument.
            text: match arguments {
                "arguments" => ArgumentText::IsJson,
                _ => ArgumentText::IsArgument,
            },
        }
    }

    /// The object that holds the name and the arguments.
    fn inner<'a>(&self, call: Json<'a>) -> Json<'a> {
        match self.wrapper {
            Some(wrapper) => call.get(wrapper).unwrap_or_default(),
            None => call,
        }
    }

    /// Whether this shape leaves out the arguments of a tool that takes none.
    fn may_lack_arguments(&self) -> bool {
        matches!(self.format, CallFormat::Gemini | CallFormat::Mcp)
    }

    fn name_in<'a>(&self, call: Json<'a>) -> Option<&'a str> {
        let inner = self.inner(call);
        match self.name {
            NameAt::Member(key) => inner.get(key)?.as_str(),
            NameAt::Type => inner.get("type")?.as_str()?.strip_prefix("tool-"),
        }
    }

    fn id_in<'a>(&self, call: Json<'a>) -> Option<Json<'a>> {
        let holders = [self.inner(call), call];
        let mut ids = self
            .id
            .iter()
            .flat_map(|key| holders.map(|holder| holder.get(key)));
        ids.find_map(|id| id.filter(|id| matches!(id, Json::String(_) | Json::Number(_))))
    }

    /// The call `{tool, args}`. Missing arguments and `null` become the empty object. A text that
    /// should be JSON but is not stays as it is.
    ///
    /// # Errors
    /// [`toolgauge_model::error::Error::InvalidInput`] if the call names no tool.
    pub fn made_call<'a>(fields: &Fields<'a>, reader: Reader<'a>) -> Result<ExpectedCall<'a>> {
        let call = fields.value();
        let shape = Self::of(call);
        let tool = shape.name_in(call);
        Ok(ExpectedCall {
            tool: tool.ok_or_else(|| fields.mismatch("tool", "the name of a tool"))?,
            args: shape.made_arguments(call, reader),
        })
    }

    fn made_arguments<'a>(&self, call: Json<'a>, reader: Reader<'a>) -> Json<'a> {
        let none = Json::Object(&[]);
        let made = match (self.inner(call).get(self.arguments), self.text) {
            (Some(Json::String(text)), ArgumentText::IsJson) if text.trim_ascii().is_empty() => {
                none
            }
            (Some(Json::String(text)), ArgumentText::IsJson) => {
                reader.read_text(text).unwrap_or(Json::String(text))
            }
            (made, _) => made.unwrap_or_default(),
        };
        if made.is_null() { none } else { made }
    }

    /// The provider in whose shape all items of a list are calls, if they say so: each names a tool and has arguments.
    /// `None` for calls in toolgauge's own shape, and for tool definitions.
    pub fn of_list(list: &[Json<'_>]) -> Option<CallFormat> {
        let shape_of = |call: &Json<'_>| {
            let shape = Self::of(*call);
            let is_call = shape.name_in(*call).is_some()
                && shape.inner(*call).get(shape.arguments).is_some()
                && shape.format != CallFormat::Plain;
            is_call.then_some(shape.format)
        };
        let first = shape_of(list.first()?)?;
        list.iter()
            .all(|call| shape_of(call) == Some(first))
            .then_some(first)
    }

    /// Whether `call` has arguments.
    pub fn has_arguments(call: Json<'_>) -> bool {
        let shape = Self::of(call);
        let given = shape.inner(call).get(shape.arguments);
        given.is_some_and(|given| !given.is_null())
    }

    /// `call` with another name and other arguments. Everything else stays as it is.
    pub fn rewrite<'a>(
        &self,
        call: Json<'a>,
        name: &str,
        arguments: Json<'a>,
        reader: Reader<'a>,
    ) -> Json<'a> {
        let arena = reader.arena();
        let inner = self.inner(call);
        let was_text = matches!(inner.get(self.arguments), Some(Json::String(_)));
        let arguments = match was_text && self.text == ArgumentText::IsJson {
            true => Json::String(arena.alloc_str(&to_text(arguments))),
            false => arguments,
        };
        let (name_key, name) = match self.name {
            NameAt::Member(key) => (key, Json::String(arena.alloc_str(name))),
            NameAt::Type => (
                "type",
                Json::String(arena.alloc_str(&format!("tool-{name}"))),
            ),
        };
        let changed = [(name_key, name), (self.arguments, arguments)];
        let changed = with_members(inner, &changed, reader);
        match self.wrapper {
            Some(wrapper) => with_members(call, &[(wrapper, changed)], reader),
            None => changed,
        }
    }

    fn is_ui_part(&self, call: Json<'_>) -> bool {
        let kind = call.get("type").and_then(Json::as_str);
        self.name == NameAt::Type || kind == Some("dynamic-tool")
    }

    /// The answer to `call` that carries `message` instead of a result, in the shape of the same
    /// provider.
    pub fn refusal<'a>(&self, call: Json<'a>, message: &'a str, reader: Reader<'a>) -> Json<'a> {
        let object =
            |members: &[Member<'a>]| Json::Object(reader.arena().alloc_slice_copy(members));
        let list = |item| Json::Array(reader.arena().alloc_slice_copy(&[item]));
        let id = self.id_in(call).unwrap_or_default();
        let name = self.name_in(call).map_or(Json::Null, Json::String);
        let (text, failed) = (Json::String(message), Json::Bool(true));
        let parts = || list(object(&[("type", Json::String("text")), ("text", text)]));
        let kind = |name| ("type", Json::String(name));
        match self.format {
            CallFormat::Plain => object(&[("error", text)]),
            CallFormat::OpenaiChat if self.wrapper == Some("function_call") => object(&[
                ("role", Json::String("function")),
                ("name", name),
                ("content", text),
            ]),
            // In Ollama calls have no id, and a result names its tool.
            CallFormat::OpenaiChat if id.is_null() => object(&[
                ("role", Json::String("tool")),
                ("tool_name", name),
                ("content", text),
            ]),
            CallFormat::OpenaiChat => object(&[
                ("role", Json::String("tool")),
                ("tool_call_id", id),
                ("content", text),
            ]),
            CallFormat::OpenaiResponses => object(&[
                kind(match self.text {
                    ArgumentText::IsJson => "function_call_output",
                    ArgumentText::IsArgument => "custom_tool_call_output",
                }),
                ("call_id", id),
                ("output", text),
            ]),
            CallFormat::Anthropic => object(&[
                kind("tool_result"),
                ("tool_use_id", id),
                ("is_error", failed),
                ("content", text),
            ]),
            // A part of a UI message holds its own result.
            CallFormat::AiSdk if self.is_ui_part(call) => with_members(
                call,
                &[("state", Json::String("output-error")), ("errorText", text)],
                reader,
            ),
            CallFormat::AiSdk => object(&[
                kind("tool-result"),
                ("toolCallId", id),
                ("toolName", name),
                ("output", object(&[kind("error-text"), ("value", text)])),
            ]),
            CallFormat::Gemini => {
                let mut response = vec![("name", name), ("response", object(&[("error", text)]))];
                if !id.is_null() {
                    response.insert(0, ("id", id));
                }
                object(&[("functionResponse", object(&response))])
            }
            CallFormat::Bedrock => object(&[(
                "toolResult",
                object(&[
                    ("toolUseId", id),
                    ("status", Json::String("error")),
                    ("content", list(object(&[("text", text)]))),
                ]),
            )]),
            CallFormat::Mcp => object(&[
                ("jsonrpc", Json::String("2.0")),
                ("id", id),
                (
                    "result",
                    object(&[("content", parts()), ("isError", failed)]),
                ),
            ]),
            CallFormat::Langchain => object(&[
                kind("tool"),
                ("tool_call_id", id),
                ("status", Json::String("error")),
                ("content", text),
            ]),
        }
    }
}

/// The first of `keys` that `call` has, or else the first of all.
fn first_of<const N: usize>(call: Json<'_>, keys: [&'static str; N]) -> &'static str {
    let found = keys.into_iter().find(|key| call.get(key).is_some());
    found.unwrap_or(keys[0])
}

fn to_text(value: Json<'_>) -> String {
    serde_json::to_string(&value).unwrap_or_default()
}

/// `object` with these members. Existing members keep their position, new ones are added at the end.
fn with_members<'a>(object: Json<'a>, changed: &[Member<'a>], reader: Reader<'a>) -> Json<'a> {
    let mut members = object.members().unwrap_or_default().to_vec();
    for (key, value) in changed {
        match members.iter_mut().find(|(name, _)| name == key) {
            Some(member) => member.1 = *value,
            None => members.push((key, *value)),
        }
    }
    Json::Object(reader.arena().alloc_slice_copy(&members))
}

/// Reads one call in any shape. `path` is the path of the call.
///
/// # Errors
/// [`toolgauge_model::error::Error::InvalidInput`] if it is not an object.
pub fn read_tool_call<'a>(
    call: Json<'a>,
    path: Path,
    import: &mut Import<'a>,
) -> Result<ToolCall<'a>> {
    let fields = Fields::of(call, path, "a tool call: {name, arguments}")?;
    let shape = CallShape::of(call);
    let inner = shape.inner(call);
    let mut read = ToolCall {
        id: shape.id_in(call).map(|id| import.label(id)),
        name: named(&shape, &fields, import),
        raw_arguments: fields.text("rawArguments"),
        incomplete: is_incomplete(call) || is_incomplete(inner),
        unrecorded: matches!(call.get("unrecorded"), Some(Json::Bool(true))),
        result: found_in(&fields, shape.results()).map(|(_, value)| value),
        error: found_in(&fields, shape.errors()).map(|(_, value)| value),
        extra: rest_of(&shape, &fields, import),
        ..ToolCall::default()
    };
    read.pending = (is_pending(call) || is_pending(inner)) && read.is_unanswered();
    let lacks_arguments = shape.may_lack_arguments().then_some(Json::Object(&[]));
    let made = inner.get(shape.arguments).or(lacks_arguments);
    match shape.text {
        // A schema may expect a text here, so only a text that contains an object is read as JSON.
        ArgumentText::IsJson if shape.format == CallFormat::Plain => {
            read.arguments = made.map(|made| import.object_in(made).unwrap_or(made));
        }
        ArgumentText::IsJson => {
            let place = || match shape.wrapper {
                Some(wrapper) => fields.path().key(wrapper).key(shape.arguments),
                None => fields.path().key(shape.arguments),
            };
            import.arguments(&mut read, made, &place);
        }
        ArgumentText::IsArgument => read.arguments = made,
    }
    Ok(read)
}

fn named<'a>(shape: &CallShape, fields: &Fields<'a>, import: &mut Import<'a>) -> Option<&'a str> {
    let name = shape.name_in(fields.value());
    if let (None, NameAt::Member(key)) = (name, shape.name)
        && shape
            .inner(fields.value())
            .get(key)
            .is_some_and(|it| !it.is_null())
    {
        import.warn(&fields.path().key(key), "this is not a text");
    }
    name
}

/// Whether the log was saved while the call was still being written.
fn is_incomplete(call: Json<'_>) -> bool {
    let is_streaming = matches!(
        call.get("state").and_then(Json::as_str),
        Some("input-streaming" | "partial-call")
    );
    is_streaming || matches!(call.get("incomplete"), Some(Json::Bool(true)))
}

/// Whether a call waits for approval. Outside a conversation, other calls of UI messages without an outcome are like
/// those of other providers: their results are missing.
fn is_pending(call: Json<'_>) -> bool {
    let awaits_approval = matches!(
        call.get("state").and_then(Json::as_str),
        Some("approval-requested" | "approval-responded")
    );
    awaits_approval || matches!(call.get("pending"), Some(Json::Bool(true)))
}

/// Whether a call in this state of the AI SDK's UI messages has no outcome yet.
pub fn is_before_outcome(state: &str) -> bool {
    let states = [
        "input-streaming",
        "input-available",
        "approval-requested",
        "approval-responded",
        "partial-call",
        "call",
    ];
    states.contains(&state)
}

impl CallShape {
    /// The members that may hold the result.
    fn results(&self) -> &'static [&'static str] {
        match self.format {
            CallFormat::Plain => &["result"],
            CallFormat::OpenaiChat
            | CallFormat::OpenaiResponses
            | CallFormat::Anthropic
            | CallFormat::AiSdk
            | CallFormat::Gemini
            | CallFormat::Bedrock
            | CallFormat::Mcp
            | CallFormat::Langchain => &["result", "output"],
        }
    }

    /// The members that may hold the error.
    fn errors(&self) -> &'static [&'static str] {
        match self.format {
            CallFormat::Plain => &["error"],
            CallFormat::OpenaiChat
            | CallFormat::OpenaiResponses
            | CallFormat::Anthropic
            | CallFormat::AiSdk
            | CallFormat::Gemini
            | CallFormat::Bedrock
            | CallFormat::Mcp
            | CallFormat::Langchain => &["error", "errorText"],
        }
    }

    /// The members that only identify the shape. `type` is not among them: a call in toolgauge's own
    /// shape may have one that says where it came from.
    fn marks(&self) -> &'static [&'static str] {
        match self.format {
            CallFormat::Mcp => &["jsonrpc", "method"],
            CallFormat::Plain
            | CallFormat::OpenaiChat
            | CallFormat::OpenaiResponses
            | CallFormat::Anthropic
            | CallFormat::AiSdk
            | CallFormat::Gemini
            | CallFormat::Bedrock
            | CallFormat::Langchain => &[],
        }
    }
}

/// The first of `keys` that `fields` has, with its value.
fn found_in<'a>(fields: &Fields<'a>, keys: &[&'static str]) -> Option<(&'static str, Json<'a>)> {
    keys.iter().find_map(|key| Some((*key, fields.get(key)?)))
}

/// The members that a [`ToolCall`] has no field for.
fn rest_of<'a>(shape: &CallShape, fields: &Fields<'a>, import: &Import<'a>) -> &'a [Member<'a>] {
    let outcomes = [shape.results(), shape.errors()].map(|keys| found_in(fields, keys));
    fields.rest(import.arena(), |key, value| {
        let is_name = matches!(shape.name, NameAt::Member(name) if name == key)
            && (key == "name" || value.as_str().is_some());
        let is_called = Some(key) == shape.wrapper
            || (shape.wrapper.is_none() && (is_name || key == shape.arguments));
        let is_outcome = outcomes.iter().flatten().any(|(name, _)| *name == key);
        let is_known = is_one_of(
            key,
            &["rawArguments", "incomplete", "unrecorded", "pending"],
        ) || is_one_of(key, shape.marks())
            || is_one_of(key, shape.id);
        is_called || is_outcome || is_known
    })
}

/// A call on its own, with its shape, so that it can be written back.
pub struct WrittenCall<'a> {
    /// The call as it was passed.
    pub source: Json<'a>,
    /// Its shape.
    pub shape: CallShape,
    /// The call, or why the value is not one.
    pub call: std::result::Result<ToolCall<'a>, String>,
}

impl<'a> WrittenCall<'a> {
    /// Reads `source`, in any shape. If it is not a call, it is kept with the reason.
    pub fn read(source: Json<'a>, reader: Reader<'a>) -> Self {
        let read = read_tool_call(source, Path::root(), &mut Import::new(reader));
        Self {
            source,
            shape: CallShape::of(source),
            call: read.map_err(|error| error.to_string()),
        }
    }

    /// Makes one from a call that was read before, in toolgauge's own shape.
    pub fn of(call: &ToolCall<'a>, reader: Reader<'a>) -> Self {
        let members = [
            ("id", call.id.map(Json::String)),
            ("name", call.name.map(Json::String)),
            ("arguments", call.arguments),
            ("rawArguments", call.raw_arguments.map(Json::String)),
        ];
        let there = members
            .into_iter()
            .filter_map(|(key, value)| Some((key, value?)));
        let there: Vec<_> = there.collect();
        let source = Json::Object(reader.arena().alloc_slice_copy(&there));
        Self {
            source,
            shape: CallShape::of(source),
            call: Ok(call.clone()),
        }
    }

    /// The call with another name and other arguments. Everything else stays as it was passed.
    pub fn rewrite(&self, name: &str, arguments: Json<'a>, reader: Reader<'a>) -> Json<'a> {
        self.shape.rewrite(self.source, name, arguments, reader)
    }
}
