//! Messages of Amazon Bedrock Converse.

use crate::kit::Import;
use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::fields::Fields;
use crate::kit::message::{About, Message};
use crate::kit::signs::items;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Role, ToolCall};

/// Adds a message to `conversation`. If it was `cut_off`, its last call is incomplete.
pub fn read_message<'a>(
    fields: &Fields<'a>,
    cut_off: bool,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let role = match fields.text("role") {
        Some("user") => Role::User,
        Some("assistant") => Role::Agent,
        Some("system") => Role::System,
        _ => return Err(fields.mismatch("role", "user or assistant")),
    };
    let about = About::of(fields, &["role", "content"], import);
    let mut message = Message::new(role, about, conversation);
    if let Some(text) = fields.text("content") {
        message.text(text);
        message.finish(import);
        return Ok(());
    }
    let blocks = fields.optional_items("content", "a list of blocks")?;
    let path = fields.path().key("content");
    for (at, block) in blocks.iter().enumerate() {
        let block = Fields::of(
            *block,
            path.index(at),
            "a block: {text}, {toolUse} or {toolResult}",
        )?;
        read_block(
            &block,
            cut_off && at + 1 == blocks.len(),
            &mut message,
            import,
        )?;
    }
    message.finish(import);
    Ok(())
}

fn read_block<'a>(
    block: &Fields<'a>,
    cut_off: bool,
    message: &mut Message<'_, 'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let value = block.value();
    let inner = |key: &str, what| match block.get(key) {
        Some(inner) => Fields::of(inner, block.path().key(key), what).map(Some),
        None => Ok(None),
    };
    if let Some(text) = block.text("text") {
        message.text(text);
    } else if let Some(call) = inner("toolUse", "a call: {toolUseId, name, input}")? {
        message.call(read_call(&call, cut_off, import));
    } else if let Some(result) = inner("toolResult", "a result: {toolUseId, content}")? {
        read_result(&result, message, import)?;
    } else if let Some(cited) = inner("citationsContent", "{content, citations}")? {
        let texts = items(cited.value(), "content").iter();
        texts
            .filter_map(|part| part.get("text")?.as_str())
            .for_each(|text| message.text(text));
    } else {
        message.other(value);
    }
    Ok(())
}

fn read_call<'a>(fields: &Fields<'a>, cut_off: bool, import: &mut Import<'a>) -> ToolCall<'a> {
    let mut call = ToolCall {
        id: fields.text("toolUseId"),
        name: fields.text("name"),
        incomplete: cut_off,
        extra: fields.rest(import.arena(), |key, value| match key {
            "input" => true,
            "toolUseId" | "name" => value.as_str().is_some(),
            _ => false,
        }),
        ..ToolCall::default()
    };
    import.arguments(&mut call, fields.get("input"), &|| {
        fields.path().key("input")
    });
    call
}

fn read_result<'a>(
    fields: &Fields<'a>,
    message: &mut Message<'_, 'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let content = fields.optional_items("content", "a list of {json} or {text}")?;
    let result = CallResult {
        id: fields.text("toolUseId"),
        name: None,
        outcome: Outcome::of(
            value_of(content, import),
            fields.text("status") == Some("error"),
        ),
    };
    let rest = fields.rest(import.arena(), |key, _| {
        matches!(key, "toolUseId" | "content" | "status" | "type")
    });
    if let Some(call) = message.result(&result, fields.path(), import) {
        import.keep(call, rest);
    }
    Ok(())
}

/// The value of a result: its one JSON value, its texts, or else the blocks themselves.
fn value_of<'a>(content: &'a [Json<'a>], import: &Import<'a>) -> Json<'a> {
    let texts = content.iter().map(|block| block.get("text")?.as_str());
    match (content, texts.collect::<Option<Vec<_>>>()) {
        ([block], _) if block.get("json").is_some() => block.get("json").unwrap_or_default(),
        (_, Some(texts)) => import.texts(&texts),
        _ => Json::Array(content),
    }
}
