//! Messages and tools in flattened attributes, such as
//! `llm.output_messages.0.message.tool_calls.0.tool_call.function.name`.

use super::spans::{Span, member};
use crate::kit::Import;
use toolgauge_model::{Json, Role};

/// The flattened messages below `key`, as chat messages. A message without a role is one of `role`.
pub fn messages<'a>(
    span: &Span<'a>,
    key: &str,
    role: Role,
    import: &Import<'a>,
) -> Option<Json<'a>> {
    let list = span.unflattened(key, import)?.items()?;
    let list: Vec<_> = list
        .iter()
        .map(|it| chat_message(*it, role, import))
        .collect();
    (!list.is_empty()).then(|| Json::Array(import.arena().alloc_slice_copy(&list)))
}

/// The flattened tool definitions.
pub fn definitions<'a>(span: &Span<'a>, import: &Import<'a>) -> Option<Json<'a>> {
    let list = span.unflattened("llm.tools", import)?;
    let schema = |tool: &Json<'a>| member(*tool, "tool.json_schema").map(|it| import.nested(it));
    let tools: Vec<_> = list.items()?.iter().filter_map(schema).collect();
    Some(Json::Array(import.arena().alloc_slice_copy(&tools)))
}

/// A flattened message, as a chat message.
fn chat_message<'a>(item: Json<'a>, role: Role, import: &Import<'a>) -> Json<'a> {
    let get = |key: &str| {
        let value = member(item, &format!("message.{key}")).or_else(|| member(item, key));
        value.filter(|value| !value.is_null())
    };
    let role = match get("role").and_then(Json::as_str) {
        Some("human") => "user",
        Some("ai" | "model") => "assistant",
        Some(role) => role,
        None if role == Role::Agent => "assistant",
        None => "user",
    };
    let parts = get("contents")
        .and_then(Json::items)
        .unwrap_or_default()
        .iter();
    let text = |part: &Json<'a>| member(*part, "message_content.text")?.as_str();
    let contents = || Json::String(import.join_text(parts.filter_map(text)));
    let content = get("content").unwrap_or_else(contents);
    let calls = get("tool_calls").and_then(Json::items).unwrap_or_default();
    let mut calls: Vec<_> = calls.iter().map(|call| chat_call(*call, import)).collect();
    // A single call, as in versions without lists of calls.
    if let Some(name) = get("function_call_name") {
        let arguments = get("function_call_arguments_json").unwrap_or_default();
        let members = [("name", name), ("arguments", arguments)];
        calls.push(Json::Object(import.arena().alloc_slice_copy(&members)));
    }
    let members = [
        ("role", Json::String(role)),
        ("content", content),
        (
            "tool_calls",
            Json::Array(import.arena().alloc_slice_copy(&calls)),
        ),
        ("tool_call_id", get("tool_call_id").unwrap_or_default()),
        ("name", get("name").unwrap_or_default()),
    ];
    let there: Vec<_> = members
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .collect();
    Json::Object(import.arena().alloc_slice_copy(&there))
}

fn chat_call<'a>(item: Json<'a>, import: &Import<'a>) -> Json<'a> {
    let get = |key: &str| member(item, &format!("tool_call.{key}")).or_else(|| member(item, key));
    let members = [
        ("id", get("id")),
        ("name", get("function.name")),
        ("arguments", get("function.arguments")),
    ];
    let there = members
        .into_iter()
        .filter_map(|(key, value)| Some((key, value?)));
    let there: Vec<_> = there.collect();
    Json::Object(import.arena().alloc_slice_copy(&there))
}
