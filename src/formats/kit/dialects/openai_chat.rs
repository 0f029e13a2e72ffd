//! Messages of OpenAI chat and similar ones.

use crate::kit::Import;
use crate::kit::calls::says_nothing;
use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::message::{About, Message};
use crate::kit::signs::kind;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Member, Path, Role, ToolCall, Turn};

pub const ROLES: [&str; 6] = [
    "system",
    "developer",
    "user",
    "assistant",
    "tool",
    "function",
];

/// Whether a part of this type may be a call or a result. The `content` of a chat message has no such parts.
fn names_a_call(kind: &str) -> bool {
    kind.contains("tool") || kind.contains("function")
}

/// The turns of `messages`. `path` is the path of the list.
///
/// Also reads similar messages: with arguments as an object or as `args`, with `function` as the name
/// of the tool, with results that name their call in `tool_call_ids`, and with results marked as
/// errors. LLaMA-Factory writes parts as `{type, value}`, with calls as the JSON text of `tool_call` parts, and the
/// results of all calls in one message.
pub fn read_messages<'a>(
    messages: &'a [Json<'a>],
    path: &Path,
    import: &mut Import<'a>,
) -> Result<Vec<Turn<'a>>> {
    let mut conversation = Conversation::default();
    read_into(messages, path, &mut conversation, import)?;
    Ok(conversation.into_turns())
}

pub fn read_into<'a>(
    messages: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    for (at, message) in messages.iter().enumerate() {
        import.within(&|| path.index(at), |import| {
            let fields = Fields::of(*message, Path::root(), "a message: {role, content}")?;
            read_message(&fields, conversation, import)
        })?;
    }
    Ok(())
}

/// Adds one message to `conversation`.
pub fn read_message<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    match fields.text("role") {
        Some("tool" | "function") => read_result(fields, conversation, import),
        _ => read_answer(fields, About::default(), false, conversation, import),
    }
}

/// Adds a message other than a result to `conversation`. `about` is what else its turn keeps. If the
/// message was `cut_off`, its last call is incomplete.
pub fn read_answer<'a>(
    fields: &Fields<'a>,
    about: About<'a>,
    cut_off: bool,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let role = match fields.text("role") {
        Some("system" | "developer") => Role::System,
        Some("user") => Role::User,
        Some("assistant") => Role::Agent,
        _ => return Err(fields.mismatch("role", format!("one of {}", ROLES.join(", ")))),
    };
    let own = About::of(fields, &OF_MESSAGES, import);
    let mut message = Message::new(role, own, conversation);
    message.keep(about, import);
    for (key, _) in own.extra.iter().filter(|member| may_hold_calls(member)) {
        let what = "this may hold calls, which are not read: chat messages have `tool_calls`";
        import.warn(&fields.path().key(key), what);
    }
    read_content(fields, &mut message, import)?;
    message.calls(read_calls(fields, cut_off, import)?);
    message.finish(import);
    Ok(())
}

/// Whether an unknown member looks like a list of calls by its name and value.
fn may_hold_calls((key, value): &&Member<'_>) -> bool {
    let is_named_so = ["tool", "function", "call"]
        .iter()
        .any(|word| key.contains(word));
    let items = value.items().unwrap_or_default();
    is_named_so && items.first().is_some_and(|item| item.members().is_some())
}

/// The members of a message that are read. Its turn keeps all others.
const OF_MESSAGES: [&str; 6] = [
    "role",
    "content",
    "refusal",
    "tool_calls",
    "function_call",
    "turn_id",
];

fn read_result<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let content = match fields.get("content") {
        None | Some(Json::Null) => Json::String(""),
        Some(Json::Array(parts)) if are_valued(parts) => {
            let texts: Vec<_> = parts.iter().filter_map(|part| value_of(*part)).collect();
            let content = import.texts(&texts);
            if let Some(results) = content.items().filter(|results| are_named(results)) {
                read_named(results, fields, conversation, import);
                return Ok(());
            }
            content
        }
        Some(content @ (Json::String(_) | Json::Array(_))) => import.content(content),
        Some(_) => return Err(fields.mismatch("content", "a text, a list of parts, or null")),
    };
    let error = fields.get("error").filter(is_failure);
    let failed = error.is_some()
        || matches!(fields.get("is_error"), Some(Json::Bool(true)))
        || fields.text("status") == Some("error");
    let said = error.filter(|error| !matches!(error, Json::Bool(_)));
    let result = CallResult {
        id: result_id(fields),
        name: ["name", "tool_name", "function"]
            .into_iter()
            .find_map(|key| fields.text(key)),
        outcome: Outcome::of(said.unwrap_or(content), failed),
    };
    let rest = fields.rest(import.arena(), |key, _| is_one_of(key, &OF_RESULTS));
    let Some(call) = conversation.result(&result, fields.path(), import) else {
        return Ok(());
    };
    if said.is_some() && content.as_str() != Some("") {
        call.result = Some(content);
    }
    import.keep(call, rest);
    Ok(())
}

/// The text of a part `{type, value}`.
fn value_of<'a>(part: Json<'a>) -> Option<&'a str> {
    kind(part)?;
    part.get("value")?.as_str()
}

/// Whether all parts of a content are written as `{type, value}`.
pub fn are_valued(parts: &[Json<'_>]) -> bool {
    !parts.is_empty() && parts.iter().all(|part| value_of(*part).is_some())
}

/// Whether each value is the result of a tool that it names.
fn are_named(results: &[Json<'_>]) -> bool {
    let is_text = |value: Option<Json<'_>>| value.is_some_and(|it| it.as_str().is_some());
    !results.is_empty()
        && results
            .iter()
            .all(|result| is_text(result.get("name")) && result.get("content").is_some())
}

/// Adds the results of several calls, which name their tools.
fn read_named<'a>(
    results: &[Json<'a>],
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) {
    for result in results {
        let result = CallResult {
            id: None,
            name: result.get("name").and_then(Json::as_str),
            outcome: Outcome::of(
                import.content(result.get("content").unwrap_or_default()),
                false,
            ),
        };
        conversation.result(&result, fields.path(), import);
    }
}

/// The members of a result that are read. Its call keeps all others.
const OF_RESULTS: [&str; 11] = [
    "role",
    "content",
    "name",
    "tool_name",
    "function",
    "id",
    "tool_call_id",
    "tool_call_ids",
    "error",
    "is_error",
    "status",
];

fn is_failure(error: &Json<'_>) -> bool {
    !matches!(error, Json::Null | Json::Bool(false) | Json::String(""))
}

/// The id of the answered call. In tau2 the result has that id as its own.
fn result_id<'a>(fields: &Fields<'a>) -> Option<&'a str> {
    let first = || fields.get("tool_call_ids")?.items()?.first()?.as_str();
    let own = || {
        fields
            .text("id")
            .filter(|_| fields.get("requestor").is_some())
    };
    fields.text("tool_call_id").or_else(first).or_else(own)
}

/// Reads the content: a text or a list of parts. The turn keeps parts that are not text.
fn read_content<'a>(
    fields: &Fields<'a>,
    message: &mut Message<'_, 'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    match fields.get("content") {
        None | Some(Json::Null) => {}
        Some(Json::String(text)) => message.text(text),
        Some(Json::Array(parts)) => {
            for (at, part) in parts.iter().enumerate() {
                let path = || fields.path().key("content").index(at);
                if let Some(call) = read_valued_call(*part, &path, import) {
                    message.call(call);
                    continue;
                }
                if let Some(call) = read_server_call(*part, &path, import) {
                    message.call(call);
                    message.end_step(import);
                    continue;
                }
                let said = || part.get("value").filter(|_| kind(*part) == Some("text"));
                let text = part.get("text").or_else(|| part.get("refusal"));
                match text.or_else(said).unwrap_or(*part).as_str() {
                    Some(text) => message.text(text),
                    None => message.other(*part),
                }
                if let Some(kind) = kind(*part).filter(|kind| names_a_call(kind)) {
                    let what = format!(
                        "a part of type {kind:?}, which chat messages don't have, is not read"
                    );
                    import.warn(&path(), what);
                }
            }
        }
        Some(_) => return Err(fields.mismatch("content", "a text, a list of parts, or null")),
    }
    if let Some(text) = fields.text("refusal") {
        message.text(text);
    }
    Ok(())
}

/// The call in a part `{type: "tool_call", value}`.
fn read_valued_call<'a>(
    part: Json<'a>,
    path: &dyn Fn() -> Path,
    import: &mut Import<'a>,
) -> Option<ToolCall<'a>> {
    let value = part
        .get("value")
        .filter(|_| kind(part) == Some("tool_call"))?;
    let call = Fields::of(import.object_in(value)?, path().key("value"), "a call").ok()?;
    Some(read_function(&call, false, import))
}

/// The call in a part `{type: "tool_use", tool_type}`, as Inspect writes what the server ran.
fn read_server_call<'a>(
    part: Json<'a>,
    path: &dyn Fn() -> Path,
    import: &mut Import<'a>,
) -> Option<ToolCall<'a>> {
    part.get("tool_type")?.as_str()?;
    let fields = Fields::of(part, path(), "a call").ok()?;
    let mut call = read_function(&fields, false, import);
    call.id = fields.text("id");
    let there = |key| fields.get(key).filter(|value| !value.is_null());
    match (there("error"), there("result")) {
        (Some(error), _) => call.error = Some(error),
        (None, Some(result)) => call.result = Some(import.nested(result)),
        (None, None) => {}
    }
    let read = ["id", "name", "arguments", "result", "error"];
    let rest = fields.rest(import.arena(), |key, value| {
        is_one_of(key, &read) || value.is_null()
    });
    import.keep(&mut call, rest);
    Some(call)
}

/// The calls of a message, without those that say nothing. If it was `cut_off`, the last one is incomplete.
pub fn read_calls<'a>(
    fields: &Fields<'a>,
    cut_off: bool,
    import: &mut Import<'a>,
) -> Result<Vec<ToolCall<'a>>> {
    let listed = fields.optional_items("tool_calls", "a list of tool calls")?;
    let place = || fields.path().key("tool_calls");
    let mut calls = import.within(&place, |import| read_call_list(listed, cut_off, import))?;
    if let Some(function @ Json::Object(_)) = fields.get("function_call")
        && !says_nothing(function)
    {
        let path = fields.path().key("function_call");
        let function = Fields::of(function, path, "{name, arguments}")?;
        calls.push(read_function(&function, cut_off, import));
    }
    Ok(calls)
}

/// The calls of a list, as [`read_calls`]. Paths are relative to the list.
pub fn read_call_list<'a>(
    listed: &'a [Json<'a>],
    cut_off: bool,
    import: &mut Import<'a>,
) -> Result<Vec<ToolCall<'a>>> {
    let mut calls = Vec::with_capacity(listed.len());
    for (at, call) in listed.iter().enumerate() {
        if says_nothing(*call) {
            continue;
        }
        let cut_off = cut_off && at + 1 == listed.len();
        let place = || Path::root().index(at);
        calls.push(import.within(&place, |import| read_call(*call, cut_off, import))?);
    }
    Ok(calls)
}

/// Reads one call. If it was `cut_off`, it is incomplete.
pub fn read_call<'a>(
    call: Json<'a>,
    cut_off: bool,
    import: &mut Import<'a>,
) -> Result<ToolCall<'a>> {
    let what = "a tool call: {id, function: {name, arguments}}";
    let fields = Fields::of(call, Path::root(), what)?;
    let rest = fields.rest(import.arena(), |key, value| match key {
        "type" => value.as_str() == Some("function"),
        _ => is_one_of(key, &OF_CALLS),
    });
    let mut call = match fields.get("function") {
        Some(function @ Json::Object(_)) => {
            let place = || fields.path().key("function");
            import.within(&place, |import| {
                let function = Fields::of(function, Path::root(), "{name, arguments}")?;
                Ok(read_function(&function, cut_off, import))
            })?
        }
        _ => match fields.get("custom") {
            // The input of a custom tool is any text.
            Some(custom @ Json::Object(_)) => ToolCall {
                name: custom.get("name").and_then(Json::as_str),
                arguments: custom.get("input"),
                incomplete: cut_off,
                ..ToolCall::default()
            },
            _ => read_function(&fields, cut_off, import),
        },
    };
    call.id = fields.text("id");
    import.keep(&mut call, rest);
    Ok(call)
}

/// The members of a call that are read. The call keeps all others.
const OF_CALLS: [&str; 6] = ["id", "name", "function", "custom", "arguments", "args"];

fn read_function<'a>(fields: &Fields<'a>, cut_off: bool, import: &mut Import<'a>) -> ToolCall<'a> {
    let mut call = ToolCall {
        name: fields.text("name").or_else(|| fields.text("function")),
        incomplete: cut_off,
        ..ToolCall::default()
    };
    let (key, arguments) = ["arguments", "args"]
        .into_iter()
        .find_map(|key| Some((key, Some(fields.get(key)?))))
        .unwrap_or(("arguments", None));
    import.arguments(&mut call, arguments, &|| fields.path().key(key));
    call
}
