//! What a tool was given and returned, in the ways in which tracers write it.

use crate::kit::Import;
use crate::kit::conversation::Outcome;
use crate::kit::dialects::gemini::outcome_of;
use crate::kit::dialects::langchain::read_tool_message;
use crate::kit::signs::kind;
use toolgauge_model::{Json, Member, Path, ToolCall};

/// Sets the arguments of `call` from the input of a tool: the arguments themselves, an only member
/// `input`, a text of JSON or of a Python dict, a whole call `{type: "tool_call", id, args}`, or what tracers of
/// functions write around the arguments. Another text is not known to be an argument: the call keeps it as `recorded_input`.
pub fn read_arguments<'a>(
    call: &mut ToolCall<'a>,
    given: Option<Json<'a>>,
    path: &Path,
    import: &mut Import<'a>,
) {
    let Some(given) = given.filter(|given| !given.is_null()) else {
        return;
    };
    let value = match given {
        Json::Object([("input", inner)]) => literal(*inner, import).unwrap_or(given),
        other => literal(other, import).unwrap_or(other),
    };
    let value = in_event(value, import).unwrap_or(value);
    let is_call = value.get("type").and_then(Json::as_str) == Some("tool_call");
    if let Some(arguments) = value.get("args").filter(|_| is_call) {
        call.id = call.id.or(value.get("id").and_then(Json::as_str));
        import.arguments(call, Some(arguments), &|| path.clone());
        return;
    }
    match bare_arguments(value, import) {
        Some(arguments) => call.arguments = Some(arguments),
        None => {
            call.extra = import
                .arena()
                .alloc_slice_copy(&[("recorded_input", value)])
        }
    }
}

/// The arguments in the event `gen_ai.tool.message`, as trace stores keep it: `[{role: "tool", content}]`.
fn in_event<'a>(value: Json<'a>, import: &Import<'a>) -> Option<Json<'a>> {
    let row = match value {
        Json::Array([row]) => *row,
        row => row,
    };
    let content = row
        .get("content")
        .filter(|_| row.get("role") == Some(Json::String("tool")));
    literal(content?, import)
}

/// The arguments in what a tracer of functions writes: `{input_str, inputs, …}` of LangChain, or `{args: [], kwargs, …}`
/// beside settings. `None` if the arguments have no names.
fn bare_arguments<'a>(value: Json<'a>, import: &Import<'a>) -> Option<Json<'a>> {
    if let Some(text) = value.get("input_str") {
        let named = value.get("inputs").filter(|it| it.members().is_some());
        return named.or_else(|| literal(text, import));
    }
    let members = match value {
        Json::Object(members) => members,
        Json::Array(_) => return Some(value),
        _ => return None,
    };
    let is_setting = |(key, value): &Member<'a>| {
        matches!(*key, "args" | "kwargs") || matches!(value, Json::Bool(_))
    };
    match (value.get("args"), value.get("kwargs")) {
        (args, Some(kwargs @ Json::Object(_))) if members.iter().all(is_setting) => match args {
            None | Some(Json::Array([])) => Some(kwargs),
            Some(_) => None,
        },
        _ => Some(value),
    }
}

/// The object or list itself, or in a text of JSON or of a Python dict.
fn literal<'a>(value: Json<'a>, import: &Import<'a>) -> Option<Json<'a>> {
    let text = match value {
        Json::String(text) => text,
        Json::Object(_) | Json::Array(_) => return Some(value),
        _ => return None,
    };
    let python = || {
        import
            .reader
            .read_python(text)
            .filter(|it| it.members().is_some())
    };
    import.nested_in(text).or_else(python)
}

/// Sets the outcome of `call` from the output of a tool: the result itself, an only member `output`, a
/// text of JSON, or a message with the result.
pub fn read_outcome<'a>(call: &mut ToolCall<'a>, gave: Option<Json<'a>>, import: &Import<'a>) {
    let Some(gave) = gave.filter(|gave| !gave.is_null()) else {
        return;
    };
    let gave = import.nested(gave);
    let inner = gave.get("output").map(|inner| import.nested(inner));
    let value = match gave {
        Json::Object([_]) => inner.unwrap_or(gave),
        _ => gave,
    };
    let message = |value| read_tool_message(value, import);
    match message(value).or_else(|| message(inner?)) {
        Some(result) => {
            call.id = result.id.or(call.id);
            result.outcome.put_to(call);
        }
        None => returned(value, import).put_to(call),
    }
}

/// The outcome in a value that a tool returned: in the response of a function of Gemini, of LlamaIndex or of Microsoft's
/// Agent Framework, in the texts of Bedrock's content, or the value itself.
pub fn returned<'a>(value: Json<'a>, import: &Import<'a>) -> Outcome<'a> {
    let value = import.nested(value);
    let is_text = |block: &Json<'a>| matches!(block, Json::Object([("text", Json::String(_))]));
    match value {
        Json::Object([("id", _), ("name", _), ("response", response)]) => {
            outcome_of(*response, import)
        }
        Json::Object(_)
            if value.get("raw_output").is_some() && value.get("tool_name").is_some() =>
        {
            let failed = value.get("is_error") == Some(Json::Bool(true));
            let output = value.get("raw_output").unwrap_or_default();
            Outcome::of(import.nested(output), failed)
        }
        // The event `gen_ai.choice`, as trace stores keep it.
        Json::Object([("message", message), ("id", _)])
        | Json::Object([("id", _), ("message", message)]) => returned(*message, import),
        Json::Object(_) if kind(value) == Some("function_result") => {
            Outcome::Result(import.nested(value.get("result").unwrap_or_default()))
        }
        Json::Array(blocks) if !blocks.is_empty() && blocks.iter().all(is_text) => {
            let texts = blocks
                .iter()
                .filter_map(|block| block.get("text")?.as_str());
            Outcome::Result(import.texts(&texts.collect::<Vec<_>>()))
        }
        _ => Outcome::of(value, false),
    }
}
