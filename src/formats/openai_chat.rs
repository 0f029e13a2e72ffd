//! OpenAI chat messages: a list of messages, a whole request `{messages, tools}`, or a response
//! `{choices: [{message}]}`. Also the older `function_call` and its `function` messages.

use super::conversation::{CallResult, Conversation, Outcome};
use super::fields::Fields;
use super::{Format, Import, Likeness, TrajectoryFormat, one_or_each};
use crate::error::Result;
use crate::model::{Json, Path, Role, ToolCall, Trajectory, Turn};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::OpenaiChat,
    likeness,
    read,
};

const ROLES: [&str; 6] = [
    "system",
    "developer",
    "user",
    "assistant",
    "tool",
    "function",
];

fn likeness(value: Json<'_>) -> Likeness {
    match value {
        Json::Array(items) => items.first().map_or(Likeness::None, |first| match first {
            Json::Object(_) if first.get("messages").is_some() => likeness(*first),
            message => message_likeness(*message),
        }),
        Json::Object(_) if value.get("messages").is_some_and(|v| v.items().is_some()) => {
            let messages = value
                .get("messages")
                .and_then(Json::items)
                .unwrap_or_default();
            messages
                .first()
                .map_or(Likeness::Full, |first| message_likeness(*first))
        }
        Json::Object(_) if value.get("choices").is_some() => match first_message(value) {
            Some(message) => message_likeness(message),
            None => Likeness::Partial("`choices[0].message`"),
        },
        Json::Object(_) => message_likeness(value),
        _ => Likeness::None,
    }
}

fn message_likeness(message: Json<'_>) -> Likeness {
    let Some(role) = message.get("role").and_then(Json::as_str) else {
        return Likeness::None;
    };
    if !ROLES.contains(&role) {
        return Likeness::Partial("roles system, developer, user, assistant or tool");
    }
    match message.get("content") {
        None | Some(Json::Null | Json::String(_)) => Likeness::Full,
        Some(Json::Array(parts)) if parts.iter().all(is_chat_part) => Likeness::Full,
        Some(_) => Likeness::Partial("a text or text parts as `content`"),
    }
}

fn is_chat_part(part: &Json<'_>) -> bool {
    let kind = part.get("type").and_then(Json::as_str);
    matches!(
        kind,
        Some("text" | "image_url" | "input_audio" | "file" | "refusal")
    )
}

fn first_message(response: Json<'_>) -> Option<Json<'_>> {
    response.get("choices")?.items()?.first()?.get("message")
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    match value {
        Json::Array(items)
            if items
                .first()
                .is_some_and(|item| item.get("messages").is_some()) =>
        {
            one_or_each(value, |item, path| read_one(item, &path, import))
        }
        _ => Ok(vec![read_one(value, &Path::root(), import)?]),
    }
}

fn read_one<'a>(value: Json<'a>, path: &Path, import: &mut Import<'a>) -> Result<Trajectory<'a>> {
    if let Json::Array(messages) = value {
        return Ok(Trajectory {
            turns: read_messages(messages, path, import)?,
            ..Trajectory::default()
        });
    }
    let fields = Fields::of(value, path.clone(), "a list of messages, or {messages}")?;
    if let Some(message) = first_message(value) {
        return read_response(&fields, message, import);
    }
    if fields.get("messages").is_none() {
        return Ok(Trajectory {
            turns: read_messages(import.slice(value), path, import)?,
            ..Trajectory::default()
        });
    }
    let messages = fields.items("messages", "a list of messages")?;
    Ok(Trajectory {
        trajectory_id: fields.text("id"),
        turns: read_messages(messages, &path.key("messages"), import)?,
        tools: fields.get("tools"),
        expected_calls: None,
        extra: fields.rest(import.arena(), |key, value| match key {
            "messages" | "tools" => true,
            "id" => value.as_str().is_some(),
            _ => false,
        }),
    })
}

fn read_response<'a>(
    fields: &Fields<'a>,
    message: Json<'a>,
    import: &mut Import<'a>,
) -> Result<Trajectory<'a>> {
    let choices = fields.items("choices", "a list of choices")?;
    if choices.len() > 1 {
        import.warn(
            &fields.path().key("choices"),
            format!("only the first of {} choices is read", choices.len()),
        );
    }
    let path = fields.path().key("choices").index(0).key("message");
    Ok(Trajectory {
        trajectory_id: fields.text("id"),
        turns: read_messages(import.slice(message), &path, import)?,
        ..Trajectory::default()
    })
}

/// The turns that `messages` make; `path` is where the list stands.
pub fn read_messages<'a>(
    messages: &'a [Json<'a>],
    path: &Path,
    import: &mut Import<'a>,
) -> Result<Vec<Turn<'a>>> {
    let mut conversation = Conversation::default();
    for (at, message) in messages.iter().enumerate() {
        let path = path.index(at);
        let fields = Fields::of(*message, path.clone(), "a message: {role, content}")?;
        let content = read_content(&fields, import)?;
        match fields.text("role") {
            Some("system" | "developer") => conversation.turn(Role::System, content, Vec::new()),
            Some("user") => conversation.turn(Role::User, content, Vec::new()),
            Some("assistant") => {
                let calls = read_calls(&fields, import)?;
                conversation.turn(Role::Agent, content, calls);
            }
            Some("tool" | "function") => {
                let result = CallResult {
                    id: fields.text("tool_call_id"),
                    name: fields.text("name"),
                    outcome: Outcome::Result(import.nested(Json::String(content))),
                };
                conversation.result(&result, &path, import);
            }
            _ => return Err(fields.mismatch("role", format!("one of {}", ROLES.join(", ")))),
        }
    }
    Ok(conversation.into_turns())
}

/// The text of a message: a string, or the text parts of a list.
fn read_content<'a>(fields: &Fields<'a>, import: &mut Import<'a>) -> Result<&'a str> {
    match fields.get("content") {
        None | Some(Json::Null) => Ok(fields.text("refusal").unwrap_or_default()),
        Some(Json::String(text)) => Ok(text),
        Some(Json::Array(parts)) => Ok(import.join_text(parts.iter().filter_map(|part| {
            let part = *part;
            part.as_str()
                .or_else(|| part.get("text")?.as_str())
                .or_else(|| part.get("refusal")?.as_str())
        }))),
        Some(_) => Err(fields.mismatch("content", "a text, a list of parts, or null")),
    }
}

fn read_calls<'a>(fields: &Fields<'a>, import: &mut Import<'a>) -> Result<Vec<ToolCall<'a>>> {
    let path = fields.path().key("tool_calls");
    let mut calls = Vec::new();
    for (at, call) in fields
        .optional_items("tool_calls", "a list of tool calls")?
        .iter()
        .enumerate()
    {
        calls.push(read_call(*call, path.index(at), import)?);
    }
    if let Some(Json::Object(_)) = fields.get("function_call") {
        let path = fields.path().key("function_call");
        let function = fields.get("function_call").unwrap_or_default();
        calls.push(read_function(
            &Fields::of(function, path, "{name, arguments}")?,
            None,
            import,
        ));
    }
    Ok(calls)
}

fn read_call<'a>(call: Json<'a>, path: Path, import: &mut Import<'a>) -> Result<ToolCall<'a>> {
    let fields = Fields::of(call, path, "a tool call: {id, function: {name, arguments}}")?;
    let id = fields.text("id");
    match fields.get("function") {
        Some(function @ Json::Object(_)) => {
            let path = fields.path().key("function");
            Ok(read_function(
                &Fields::of(function, path, "{name, arguments}")?,
                id,
                import,
            ))
        }
        _ => Ok(read_function(&fields, id, import)),
    }
}

fn read_function<'a>(
    fields: &Fields<'a>,
    id: Option<&'a str>,
    import: &mut Import<'a>,
) -> ToolCall<'a> {
    let mut call = ToolCall {
        id,
        name: fields.text("name"),
        ..ToolCall::default()
    };
    import.arguments(
        &mut call,
        fields.get("arguments"),
        &fields.path().key("arguments"),
    );
    call
}
