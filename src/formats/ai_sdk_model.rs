//! Model messages of the AI SDK (`ModelMessage`, `CoreMessage` in version 4): a list of them, or a
//! request `{system, messages, tools}`. Calls are parts `tool-call` of assistant messages, results parts
//! `tool-result` of tool messages, or of the assistant's own when the provider ran the tool.

use foldhash::HashMap;

use super::conversation::{CallResult, Conversation, Outcome};
use super::fields::{Fields, is_one_of};
use super::message::{About, Message};
use super::signs::{Sign, items, kind, likeness_by, plain_or_open};
use super::{Format, Import, Likeness, TrajectoryFormat};
use crate::error::Result;
use crate::model::{Json, Member, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::AiSdkModel,
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    let is_request = value.get("messages").is_some_and(|it| it.items().is_some());
    let tools = value.get("tools").and_then(Json::members);
    let has_schema = |tool: Json<'_>| {
        let mut keys = ["inputSchema", "parameters"].into_iter();
        tool.get("name").is_none() && keys.any(|key| tool.get(key).is_some())
    };
    let has_tools = tools.is_some_and(|tools| tools.iter().any(|(_, tool)| has_schema(*tool)));
    match likeness_by(value, "messages", sign) {
        Likeness::Plain if is_request && has_tools => Likeness::Full,
        other => other,
    }
}

fn sign(message: Json<'_>) -> Sign {
    let role = message.get("role").and_then(Json::as_str);
    let signs = || {
        items(message, "content")
            .iter()
            .map(|part| part_sign(*part))
    };
    let broken = signs().find(|sign| matches!(sign, Sign::Broken(_)));
    match role {
        Some("system" | "user" | "assistant" | "tool")
            if signs().any(|sign| matches!(sign, Sign::Decisive)) =>
        {
            Sign::Decisive
        }
        Some(_) => broken.unwrap_or_else(|| plain_or_open(message)),
        None => Sign::Open,
    }
}

fn part_sign(part: Json<'_>) -> Sign {
    let has = |key| part.get(key).is_some();
    match kind(part) {
        Some("tool-call" | "tool-result") => match has("toolCallId") {
            true => Sign::Decisive,
            false => Sign::Broken("a `toolCallId` in each tool part"),
        },
        Some("tool-approval-request" | "tool-approval-response") => Sign::Decisive,
        Some("reasoning") if has("text") => Sign::Decisive,
        Some("image") if has("image") => Sign::Decisive,
        Some("file" | "image") if has("mediaType") || has("mimeType") => Sign::Decisive,
        _ => Sign::Open,
    }
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let mut conversation = Conversation::default();
    if let Json::Array(messages) = value {
        read_messages(messages, &Path::root(), &mut conversation, import)?;
        return Ok(vec![Trajectory {
            turns: conversation.into_turns(),
            ..Trajectory::default()
        }]);
    }
    let fields = Fields::of(value, Path::root(), "a list of messages, or {messages}")?;
    if fields.get("messages").is_none() {
        read_message(&fields, &mut conversation, import)?;
        return Ok(vec![Trajectory {
            turns: conversation.into_turns(),
            ..Trajectory::default()
        }]);
    }
    read_prompt(&fields, &mut conversation, import)?;
    Ok(vec![Trajectory {
        trajectory_id: fields.text("id"),
        turns: conversation.into_turns(),
        tools: fields.get("tools"),
        expected_calls: None,
        extra: fields.rest(import.arena(), |key, value| match key {
            "tools" => true,
            "id" => value.as_str().is_some(),
            _ => is_one_of(key, &PROMPT),
        }),
    }])
}

/// The members of a request that [`read_prompt`] reads.
pub const PROMPT: [&str; 4] = ["system", "instructions", "prompt", "messages"];

/// Adds what a request tells the model: its instructions, and a prompt or messages.
pub fn read_prompt<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    for key in ["system", "instructions"] {
        if let Some(text) = fields.text(key) {
            conversation.turn(Role::System, text, Vec::new());
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

/// Adds `messages` to `conversation`; `path` is where the list stands.
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
    deny(&approvals, conversation, path, import);
    Ok(())
}

/// Calls that were not approved and have no result were denied.
pub fn deny<'a>(
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
        let denied = matches!(part.get("approved"), Some(Json::Bool(false)));
        let call = calls.get(&text(part, "approvalId")).copied();
        if let Some(id) = call.filter(|id| denied && conversation.is_open(id)) {
            let result = CallResult {
                id: Some(id),
                name: None,
                outcome: Outcome::denied(text(part, "reason"), import),
            };
            conversation.result(&result, path, import);
        }
    }
}

fn read_message<'a>(
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
    /// As `{type, value}`: in messages, which are for the model.
    Typed,
    /// As the tool returned it: in steps.
    Plain,
}

/// Adds a part of what the model said, or of what came back to it.
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

/// A call: `{toolCallId, toolName, input}`, `args` in version 4.
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

/// A result, and what is not known of it: `{toolCallId, toolName, output}`, where version 4 has
/// `result`, which is as the tool returned it, and `isError`.
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

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::super::testing::{calls_of, failure, fixture, imported, turns_of};
    use super::*;

    #[test]
    fn a_request_is_read_with_what_came_of_each_call() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("ai-sdk-model.v5.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::System, "You mind the lighthouse.".to_owned(), 0),
                (Role::User, "Lamp on, horn on, door shut.".to_owned(), 0),
                (Role::Agent, "At once.".to_owned(), 4),
                (Role::Agent, String::new(), 1),
                (Role::Agent, "The lamp is lit.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"c1","name":"lamp","arguments":{"on":true},"result":{"lit":true},"providerOptions":{"x":{"y":1}}}"#,
                r#"{"id":"c2","name":"horn","arguments":{"on":true},"error":"no steam"}"#,
                r#"{"id":"c3","name":"door","arguments":{"open":false},"error":"the call was denied: visitors inside"}"#,
                r#"{"id":"c4","name":"flag","arguments":{},"error":"the call was denied"}"#,
                r#"{"id":"c5","name":"web_search","arguments":{"q":"steam"},"result":"Heat water.","providerExecuted":true}"#,
            ]
        );
        assert!(trajectory.tools.is_some());
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn version_4_is_read_too() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("ai-sdk-model.v4.json"));
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"id":"c1","name":"feed","arguments":{"who":"cat"},"result":"fed"}"#,
                r#"{"id":"c2","name":"feed","arguments":{"who":"dog"},"error":{"why":"no food"}}"#,
            ]
        );
    }

    #[test]
    fn what_has_another_shape_is_named() {
        let path = |text: &str| failure(text).report().path;
        let after = |message: &str| {
            format!(
                r#"[{{"role":"assistant","content":[{{"type":"tool-call","toolCallId":"c","toolName":"f","input":{{}}}}]}},{message}]"#
            )
        };
        let cases = [
            (r#"{"role":"wizard"}"#, "[1].role"),
            (r#"{"role":"tool","content":"x"}"#, "[1].content"),
            (r#"{"role":"tool","content":[7]}"#, "[1].content[0]"),
            (r#"{"role":"user","content":7}"#, "[1].content"),
            (
                r#"{"role":"user","content":[{"type":"text"}]}"#,
                "[1].content[0].text",
            ),
        ];
        for (message, place) in cases {
            assert_eq!(path(&after(message)).as_deref(), Some(place), "{message}");
        }
        let error =
            failure(r#"[{"role":"assistant","content":[{"type":"tool-call","name":"f"}]}]"#);
        assert!(
            error
                .to_string()
                .contains("ai-sdk-model, but it lacks a `toolCallId`"),
            "{error}"
        );
    }
}
