//! Messages of Anthropic, whose content is a list of blocks.

use crate::kit::Import;
use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::fields::Fields;
use crate::kit::message::{About, Message};
use crate::kit::signs::kind;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, ToolCall};

pub fn is_call(kind: &str) -> bool {
    kind == "tool_use" || kind.ends_with("_tool_use")
}

pub fn is_result(kind: &str) -> bool {
    kind == "tool_result" || kind.ends_with("_tool_result")
}

pub fn read_into<'a>(
    messages: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    for (at, message) in messages.iter().enumerate() {
        let fields = Fields::of(*message, path.index(at), "a message: {role, content}")?;
        read_message(&fields, about(&fields, import), conversation, import)?;
    }
    Ok(())
}

pub fn about<'a>(message: &Fields<'a>, import: &Import<'a>) -> About<'a> {
    About::of(message, &["role", "content"], import)
}

/// Adds one message to `conversation`. `about` is what its turns keep besides the content.
pub fn read_message<'a>(
    fields: &Fields<'a>,
    about: About<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    read_written(fields, about, is_cut_off(fields), conversation, import)
}

/// As [`read_message`]. If the message was `cut_off`, its last block is incomplete.
pub fn read_written<'a>(
    fields: &Fields<'a>,
    about: About<'a>,
    cut_off: bool,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let role = match fields.text("role") {
        Some("user") => Role::User,
        Some("assistant") => Role::Agent,
        Some("system") => Role::System,
        _ => return Err(fields.mismatch("role", "user, assistant or system")),
    };
    let mut message = Message::new(role, about, conversation);
    match fields.get("content") {
        None | Some(Json::Null) => {}
        Some(Json::String(text)) => message.text(text),
        Some(Json::Array(blocks)) => {
            let path = fields.path().key("content");
            read_blocks(blocks, &path, cut_off, &mut message, import)?;
        }
        Some(_) => return Err(fields.mismatch("content", "a text or a list of blocks")),
    }
    message.finish(import);
    Ok(())
}

/// Reads the content of a message. If the message was `cut_off`, its last block is incomplete.
pub fn read_blocks<'a>(
    blocks: &'a [Json<'a>],
    path: &Path,
    cut_off: bool,
    message: &mut Message<'_, 'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    for (at, block) in blocks.iter().enumerate() {
        let block = Fields::of(*block, path.index(at), "a content block: {type}")?;
        read_block(&block, cut_off && at + 1 == blocks.len(), message, import)?;
    }
    Ok(())
}

/// Whether the model ran out of room, so that its last block is incomplete.
pub fn is_cut_off(message: &Fields<'_>) -> bool {
    ran_out_of_room(message.text("stop_reason"))
}

/// Whether a message ended for this reason because the model ran out of room. Amazon Bedrock names the same reasons.
pub fn ran_out_of_room(stop_reason: Option<&str>) -> bool {
    matches!(
        stop_reason,
        Some("max_tokens" | "model_context_window_exceeded")
    )
}

/// Reads one block of a content. If the message was `cut_off` in it, a call is incomplete.
pub fn read_block<'a>(
    fields: &Fields<'a>,
    cut_off: bool,
    message: &mut Message<'_, 'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    match fields.text("type") {
        Some("text") => match fields.text("text") {
            Some(text) => message.text(text),
            None => return Err(fields.mismatch("text", "a text")),
        },
        Some(kind) if is_call(kind) => message.call(read_call(fields, cut_off, import)),
        Some(kind) if is_result(kind) => read_result(fields, message, import),
        Some(_) => message.other(fields.value()),
        None => return Err(fields.mismatch("type", "the kind of the block")),
    }
    Ok(())
}

fn read_result<'a>(fields: &Fields<'a>, message: &mut Message<'_, 'a>, import: &mut Import<'a>) {
    let content = fields.get("content").unwrap_or(Json::String(""));
    let value = import.content(content);
    let failed = matches!(fields.get("is_error"), Some(Json::Bool(true)))
        || kind(content).is_some_and(|kind| kind.ends_with("_error"));
    let result = CallResult {
        id: fields.text("tool_use_id"),
        name: None,
        outcome: Outcome::of(value, failed),
    };
    let rest = fields.rest(import.arena(), |key, _| {
        matches!(key, "type" | "tool_use_id" | "content" | "is_error")
    });
    if let Some(call) = message.result(&result, fields.path(), import) {
        import.keep(call, rest);
    }
}

fn read_call<'a>(fields: &Fields<'a>, cut_off: bool, import: &mut Import<'a>) -> ToolCall<'a> {
    let mut call = ToolCall {
        id: fields.text("id"),
        name: fields.text("name"),
        incomplete: cut_off,
        extra: fields.rest(import.arena(), |key, value| match key {
            "input" => true,
            "type" => value.as_str() == Some("tool_use"),
            "id" | "name" => value.as_str().is_some(),
            _ => false,
        }),
        ..ToolCall::default()
    };
    import.arguments(&mut call, fields.get("input"), &|| {
        fields.path().key("input")
    });
    call
}
