//! Messages of LangChain: plain, stored or as constructors.

use crate::kit::Import;
use crate::kit::conversation::{CallResult, Outcome};
use crate::kit::fields::Fields;
use crate::kit::signs::{items, kind};
use toolgauge_model::{Json, Path};

/// The role of a message.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Human,
    Ai,
    System,
    Tool,
    /// An instruction to the graph, which removes a message.
    Remove,
}

impl Kind {
    /// The role for a `type`, or for the class of a constructor.
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "human" | "HumanMessage" | "HumanMessageChunk" => Self::Human,
            "ai" | "AIMessage" | "AIMessageChunk" => Self::Ai,
            "system" | "SystemMessage" | "SystemMessageChunk" | "developer" => Self::System,
            "tool" | "ToolMessage" | "ToolMessageChunk" => Self::Tool,
            "function" | "FunctionMessage" | "FunctionMessageChunk" => Self::Tool,
            "remove" | "RemoveMessage" => Self::Remove,
            _ => return None,
        })
    }

    /// The role of a `ChatMessage`, which names it itself.
    fn of_role(role: &str) -> Option<Self> {
        match role {
            "user" => Some(Self::Human),
            "assistant" => Some(Self::Ai),
            "system" | "developer" => Some(Self::System),
            other => Self::of(other),
        }
    }
}

/// The type of a message, the object with its members, and the keys that lead there.
fn unwrapped<'a>(message: Json<'a>) -> Option<(&'a str, Json<'a>, &'static [&'static str])> {
    let class = items(message, "id").last().and_then(|name| name.as_str());
    match (
        kind(message),
        class,
        message.get("kwargs"),
        message.get("data"),
    ) {
        (Some("constructor"), Some(class), Some(kwargs @ Json::Object(_)), _) => {
            Some((class, kwargs, &["kwargs"]))
        }
        (Some(kind), _, _, Some(data @ Json::Object(_))) => Some((kind, data, &["data"])),
        (Some(kind), _, _, _) => Some((kind, message, &[])),
        _ => None,
    }
}

pub fn kind_of<'a>(message: Json<'a>) -> Option<(Kind, Json<'a>, &'static [&'static str])> {
    let (name, members, at) = unwrapped(message)?;
    let role = || Kind::of_role(members.get("role")?.as_str()?);
    let is_chat = matches!(
        name,
        "chat" | "ChatMessage" | "ChatMessageChunk" | "generic"
    );
    let kind = Kind::of(name).or_else(|| role().filter(|_| is_chat))?;
    Some((kind, members, at))
}

pub fn is_message(message: Json<'_>) -> bool {
    let says = |members: Json<'_>| {
        ["content", "content_blocks", "tool_calls"]
            .iter()
            .any(|key| members.get(key).is_some())
    };
    kind_of(message).is_some_and(|(kind, members, _)| kind == Kind::Remove || says(members))
}

pub fn content_of<'a>(fields: &Fields<'a>) -> Json<'a> {
    let there = |value: &Json<'a>| !value.is_null();
    let content = fields.get("content").filter(there);
    content.or(fields.get("content_blocks")).unwrap_or_default()
}

pub fn result_of<'a>(fields: &Fields<'a>, import: &Import<'a>) -> CallResult<'a> {
    CallResult {
        id: fields.text("tool_call_id"),
        name: fields.text("name"),
        outcome: Outcome::of(
            import.content(content_of(fields)),
            fields.text("status") == Some("error"),
        ),
    }
}

/// The result in a tool's message, in any of the three ways to write it.
pub fn read_tool_message<'a>(message: Json<'a>, import: &Import<'a>) -> Option<CallResult<'a>> {
    let (kind, members, _) = kind_of(message)?;
    let fields = Fields::of(members, Path::root(), "the members of a message").ok()?;
    (kind == Kind::Tool && is_message(message)).then(|| result_of(&fields, import))
}
