//! Messages in events: the events of a span, events that are logged apart from it, and lists of events in an attribute,
//! such as `gen_ai.user.message`, `gen_ai.tool.message` and `gen_ai.choice`.

use super::messages::said;
use super::spans::member;
use crate::kit::Import;
use crate::kit::signs::kind;
use toolgauge_model::{Json, Member, Role, Turn};

/// The name of an event, and its attributes or its body.
pub type Event<'a> = (&'a str, Json<'a>);

/// The messages in events: what a model was given, and what it gave. Lists, or one value.
#[derive(Default)]
pub struct Exchanged<'a> {
    /// The input of the model.
    pub given: Option<Json<'a>>,
    /// The output of the model.
    pub gave: Option<Json<'a>>,
}

/// The messages in the events of a model's step.
pub fn exchanged<'a>(events: &[Event<'a>], import: &Import<'a>) -> Exchanged<'a> {
    let mut given = Vec::new();
    let mut gave = Vec::new();
    for (name, event) in events {
        let message = message_of(name, *event, import);
        match *name {
            "gen_ai.choice" => gave.extend(message),
            "gen_ai.content.prompt" => {
                given.extend(member(*event, "gen_ai.prompt").map(|it| import.nested(it)));
            }
            "gen_ai.content.completion" => {
                gave.extend(member(*event, "gen_ai.completion").map(|it| import.nested(it)));
            }
            _ => given.extend(message),
        }
    }
    let list = |messages: Vec<Json<'a>>| match messages[..] {
        [] => None,
        [list @ Json::Array(_)] => Some(list),
        _ => Some(Json::Array(import.arena().alloc_slice_copy(&messages))),
    };
    Exchanged {
        given: list(given),
        gave: list(gave),
    }
}

/// The arguments and the result in the events of a tool's span: `gen_ai.tool.message` and `gen_ai.choice`.
pub fn ran<'a>(events: &[Event<'a>], import: &Import<'a>) -> Exchanged<'a> {
    let content = |wanted: &str, key: &str| {
        let found = events.iter().find(|(name, _)| *name == wanted)?;
        Some(import.nested(found.1.get(key)?))
    };
    Exchanged {
        given: content("gen_ai.tool.message", "content"),
        gave: content("gen_ai.choice", "message"),
    }
}

/// The rows of an attribute that lists events, `[{event.name, …}]`, as events.
pub fn listed<'a>(value: Json<'a>, import: &Import<'a>) -> Vec<Event<'a>> {
    let rows = import.nested(value).items().unwrap_or_default();
    let read = |row: &Json<'a>| Some((row.get("event.name")?.as_str()?, *row));
    rows.iter().filter_map(read).collect()
}

/// The message of an event, as a chat message or with the blocks of Bedrock. `None` if the event is none.
pub fn message_of<'a>(name: &str, event: Json<'a>, import: &Import<'a>) -> Option<Json<'a>> {
    let role = match name {
        "gen_ai.system.message" => "system",
        "gen_ai.user.message" => "user",
        "gen_ai.assistant.message" | "gen_ai.choice" => "assistant",
        "gen_ai.tool.message" => "tool",
        _ => return None,
    };
    let body = event.get("gen_ai.event.content").or(event.get("body"));
    let body = body.map(|body| import.nested(body));
    let body = body
        .filter(|body| body.members().is_some())
        .unwrap_or(event);
    let message = body.get("message").map(|message| import.nested(message));
    let (message, content) = match message {
        Some(message @ Json::Object(_)) => (message, message.get("content")),
        Some(content) => (body, Some(content)),
        None => (body, body.get("content")),
    };
    let content = content.map(|content| content_of(content, import));
    // Contents that are not recorded: the tool has answered, but not this.
    if role == "tool" && content.is_none() {
        return None;
    }
    let content = content.unwrap_or_default();
    let is_bedrock = are_blocks(content);
    let calls = message.get("tool_calls").map(|calls| import.nested(calls));
    let id = message.get("id").or(message.get("tool_call_id"));
    let role = match is_bedrock && role == "tool" {
        true => "user",
        false => role,
    };
    let beside = |value: Option<Json<'a>>| value.filter(|_| !is_bedrock).unwrap_or_default();
    let members = [
        ("role", Json::String(role)),
        ("content", content),
        ("tool_calls", beside(calls)),
        ("tool_call_id", beside(id.filter(|_| role == "tool"))),
        ("name", beside(message.get("name"))),
    ];
    let there = members.into_iter().filter(|(_, value)| !value.is_null());
    let there: Vec<Member<'a>> = there.collect();
    Some(Json::Object(import.arena().alloc_slice_copy(&there)))
}

/// The content of a message. JSON text of blocks or parts becomes the blocks with calls, or else their text.
fn content_of<'a>(content: Json<'a>, import: &Import<'a>) -> Json<'a> {
    let nested = import.nested(content);
    // A result may be a list of records with a text each.
    let own = ["text", "content", "type", "kind"];
    let is_text = |part: &Json<'_>| {
        let members = part.members().unwrap_or_default();
        !members.is_empty() && members.iter().all(|(key, _)| own.contains(key))
    };
    match nested {
        blocks if are_blocks(blocks) => blocks,
        Json::Array(parts) if !parts.is_empty() && parts.iter().all(is_text) => {
            Json::String(text_of(nested, import))
        }
        _ => match content {
            Json::Object(_) => Json::String(text_of(content, import)),
            other => other,
        },
    }
}

/// Whether a content is JSON text of blocks of Bedrock.
pub fn holds_blocks<'a>(content: Json<'a>, import: &Import<'a>) -> bool {
    let is_text = |block: &Json<'_>| matches!(block, Json::Object([("text", Json::String(_))]));
    let are_texts = |list: Json<'_>| {
        let blocks = list.items().unwrap_or_default();
        !blocks.is_empty() && blocks.iter().all(is_text)
    };
    let nested = import.nested(content);
    content.as_str().is_some() && (are_blocks(nested) || are_texts(nested))
}

/// Whether a content holds calls or results as blocks of Bedrock: `[{text}, {toolUse}, {toolResult}]`.
fn are_blocks(content: Json<'_>) -> bool {
    let blocks = content.items().unwrap_or_default();
    let is_any = |keys: &[&str], block: Json<'_>| keys.iter().any(|key| block.get(key).is_some());
    let own = ["text", "toolUse", "toolResult", "reasoningContent"];
    blocks
        .iter()
        .all(|block| kind(*block).is_none() && is_any(&own, *block))
        && blocks.iter().any(|block| is_any(&own[1..3], *block))
}

/// The text of a part, or of all parts of a list.
pub fn text_of<'a>(value: Json<'a>, import: &Import<'a>) -> &'a str {
    let text = |part: Json<'a>| {
        let inner = part.get("content").or(part.get("text"));
        part.as_str().or_else(|| inner?.as_str())
    };
    let parts = value.items().unwrap_or_default().iter();
    text(value).unwrap_or_else(|| import.join_text(parts.filter_map(|part| text(*part))))
}

/// The turn of instructions, which are a text, a part or a list of parts. `None` without a text.
pub fn instructions<'a>(value: Json<'a>, import: &Import<'a>) -> Option<Turn<'a>> {
    let text = text_of(import.nested(value), import);
    (!text.trim_ascii().is_empty()).then(|| said(Role::System, text))
}
