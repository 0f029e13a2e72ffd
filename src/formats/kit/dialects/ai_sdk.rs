//! Messages and parts of the AI SDK, in requests and in steps.

use foldhash::HashMap;

use crate::kit::Import;
use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::fields::Fields;
use crate::kit::message::{About, Message};
use crate::kit::signs::{items, kind};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Member, Path, Role, ToolCall};

/// The members of a request that [`read_prompt`] reads.
pub const PROMPT: [&str; 4] = ["system", "instructions", "prompt", "messages"];

/// Adds the input of a model: the instructions, and a prompt or messages.
pub fn read_prompt<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    for key in ["system", "instructions"] {
        if let Some(instructions) = fields.get(key) {
            read_instructions(instructions, conversation, import);
        }
    }
    for key in ["prompt", "messages"] {
        match fields.get(key) {
            None | Some(Json::Null) => {}
            Some(Json::String(text)) => conversation.turn(Role::User, text, Vec::new()),
            Some(Json::Array(messages)) => {
                read_messages(messages, &fields.path().key(key), conversation, import)?;
            }
            Some(_) => return Err(fields.mismatch(key, "a list of messages")),
        }
    }
    Ok(())
}

/// Adds the instructions of a request: a text, a system message, or a list of system messages.
fn read_instructions<'a>(
    instructions: Json<'a>,
    conversation: &mut Conversation<'a>,
    import: &Import<'a>,
) {
    let messages = instructions
        .items()
        .unwrap_or(std::slice::from_ref(&instructions));
    let contents = messages.iter().map(|it| it.get("content").unwrap_or(*it));
    for content in contents {
        let parts = content.items().unwrap_or_default().iter();
        let texts = parts.filter_map(|part| part.get("text")?.as_str());
        let text = content.as_str().unwrap_or_else(|| import.join_text(texts));
        if !text.is_empty() {
            conversation.turn(Role::System, text, Vec::new());
        }
    }
}

/// Adds `messages` to `conversation`. `path` is the path of the list.
pub fn read_messages<'a>(
    messages: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let mut approvals = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let fields = Fields::of(*message, path.index(at), "a message: {role, content}")?;
        read_message(&fields, conversation, import)?;
        let parts = items(*message, "content").iter();
        approvals.extend(parts.filter(|part| part.get("approvalId").is_some()));
    }
    settle_approvals(&approvals, conversation, path, import);
    Ok(())
}

/// Marks the calls without a result that need an approval: those that were not approved as denied, and all others as
/// pending.
pub fn settle_approvals<'a>(
    approvals: &[&Json<'a>],
    conversation: &mut Conversation<'a>,
    path: &Path,
    import: &mut Import<'a>,
) {
    let text = |part: &Json<'a>, key| part.get(key).and_then(Json::as_str);
    let mut calls = HashMap::default();
    for part in approvals {
        let call = part.get("toolCall").unwrap_or(**part);
        if let Some(call) = text(&call, "toolCallId") {
            calls.insert(text(part, "approvalId"), call);
        }
        let Some(id) = calls.get(&text(part, "approvalId")).copied() else {
            continue;
        };
        conversation.suspend(id);
        let denied = matches!(part.get("approved"), Some(Json::Bool(false)));
        if denied && conversation.is_open(id) {
            let result = CallResult {
                id: Some(id),
                name: None,
                outcome: Outcome::denied(text(part, "reason"), import),
            };
            conversation.result(&result, path, import);
        }
    }
}

pub fn read_message<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let about = About::of(fields, &["role", "content"], import);
    let role = match fields.text("role") {
        Some("user") => Role::User,
        Some("assistant") => Role::Agent,
        Some("system") => Role::System,
        Some("tool") => {
            let parts = fields.items("content", "a list of tool results")?;
            let path = fields.path().key("content");
            for (at, part) in parts.iter().enumerate() {
                let part = Fields::of(*part, path.index(at), "a part: {type: \"tool-result\"}")?;
                if part.get("approvalId").is_none() {
                    let (result, rest) = read_result(&part, Output::Typed, import);
                    if let Some(call) = conversation.result(&result, part.path(), import) {
                        import.keep(call, rest);
                    }
                }
            }
            return Ok(());
        }
        _ => return Err(fields.mismatch("role", "user, assistant, system or tool")),
    };
    let mut message = Message::new(role, about, conversation);
    match fields.get("content") {
        None | Some(Json::Null) => {}
        Some(Json::String(text)) => message.text(text),
        Some(Json::Array(parts)) => {
            let path = fields.path().key("content");
            for (at, part) in parts.iter().enumerate() {
                let part = Fields::of(*part, path.index(at), "a part: {type}")?;
                read_part(&part, Output::Typed, &mut message, import)?;
            }
        }
        Some(_) => return Err(fields.mismatch("content", "a text or a list of parts")),
    }
    message.finish(import);
    Ok(())
}

/// How a part holds the output of a tool.
#[derive(Clone, Copy, PartialEq)]
pub enum Output {
    /// As `{type, value}`, in messages.
    Typed,
    /// As the tool returned it, in steps.
    Plain,
}

/// Adds a part of a message or step.
pub fn read_part<'a>(
    part: &Fields<'a>,
    output: Output,
    message: &mut Message<'_, 'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    match part.text("type") {
        Some("text") => match part.text("text") {
            Some(text) => message.text(text),
            None => return Err(part.mismatch("text", "a text")),
        },
        Some("tool-call") => message.call(read_call(part, import)),
        Some("tool-result" | "tool-error" | "tool-output-denied") => {
            let (result, rest) = read_result(part, output, import);
            if let Some(call) = message.result(&result, part.path(), import) {
                import.keep(call, rest);
            }
        }
        Some("tool-approval-request" | "tool-approval-response") => {}
        Some(_) => message.other(part.value()),
        None => return Err(part.mismatch("type", "the kind of the part")),
    }
    Ok(())
}

/// A call: `{toolCallId, toolName, input}`. Version 4 has `args` instead of `input`.
pub fn read_call<'a>(part: &Fields<'a>, import: &mut Import<'a>) -> ToolCall<'a> {
    let key = ["input", "args"]
        .into_iter()
        .find(|key| part.get(key).is_some())
        .unwrap_or("input");
    let mut call = ToolCall {
        id: part.text("toolCallId"),
        name: part.text("toolName"),
        extra: part.rest(import.arena(), |key, value| match key {
            "input" | "args" | "error" => true,
            "type" => value.as_str() == Some("tool-call"),
            "toolCallId" | "toolName" => value.as_str().is_some(),
            _ => false,
        }),
        ..ToolCall::default()
    };
    import.arguments(&mut call, part.get(key), &|| part.path().key(key));
    call
}

/// A result and its unknown members: `{toolCallId, toolName, output}`. Version 4 has `result`, the
/// value that the tool returned, and `isError`.
pub fn read_result<'a>(
    part: &Fields<'a>,
    output: Output,
    import: &Import<'a>,
) -> (CallResult<'a>, &'a [Member<'a>]) {
    let result = CallResult {
        id: part.text("toolCallId"),
        name: part.text("toolName"),
        outcome: outcome_of(part, output, import),
    };
    let rest = part.rest(import.arena(), |key, _| {
        matches!(
            key,
            "type"
                | "toolCallId"
                | "toolName"
                | "input"
                | "args"
                | "output"
                | "result"
                | "isError"
                | "error"
        )
    });
    (result, rest)
}

fn outcome_of<'a>(part: &Fields<'a>, output: Output, import: &Import<'a>) -> Outcome<'a> {
    let failed = matches!(part.get("isError"), Some(Json::Bool(true)));
    let typed = part.get("output").filter(|_| output == Output::Typed);
    match (part.text("type"), typed) {
        (Some("tool-error"), _) => Outcome::Error(part.get("error").unwrap_or_default()),
        (Some("tool-output-denied"), _) => Outcome::denied(part.text("reason"), import),
        (_, Some(output)) => outcome_of_typed(output, import),
        (_, None) => {
            let value = part.get("output").or(part.get("result"));
            Outcome::of(import.nested(value.unwrap_or_default()), failed)
        }
    }
}

fn outcome_of_typed<'a>(output: Json<'a>, import: &Import<'a>) -> Outcome<'a> {
    match (kind(output), output.get("value")) {
        (Some("execution-denied"), _) => {
            Outcome::denied(output.get("reason").and_then(Json::as_str), import)
        }
        (Some("error-text" | "error-json"), Some(value)) => Outcome::Error(import.nested(value)),
        (Some("text" | "json"), Some(value)) => Outcome::of(import.nested(value), false),
        (Some("content"), Some(value)) => Outcome::of(import.content(value), false),
        _ => Outcome::of(import.nested(output), false),
    }
}
