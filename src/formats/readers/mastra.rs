//! Mastra: messages `{role, content: {format: 2, parts}}`, in a list or in `messages` of
//! a thread, with calls in parts `tool-invocation`, in `toolInvocations` beside the parts, or, with `format: 3`, in
//! parts `tool-<name>`. Also trajectories `{steps: [{stepType, name, toolArgs, toolResult, success, children}]}`.

use foldhash::HashSet;

use crate::kit::conversation::{Conversation, Outcome};
use crate::kit::envelope::{Envelope, Held};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::marks::marks;
use crate::kit::message::{About, Message};
use crate::kit::signs::{Sign, items, kind, likeness_by};
use crate::kit::tool_call::is_before_outcome;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Mastra,
    marks: &marks(["stepType", "parts", "toolInvocations", "format"]),
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    let has_type = |step: &Json<'_>| step.get("stepType").is_some();
    match value.get("steps") {
        Some(Json::Array(steps)) if steps.iter().any(has_type) => Likeness::Full,
        _ => likeness_by(value, "messages", sign),
    }
}

/// The member beside the parts that holds calls in the shape of version 4 of the AI SDK. Usually the parts repeat them.
const INVOCATIONS: &str = "toolInvocations";

fn sign(message: Json<'_>) -> Sign {
    let content = message.get("content").unwrap_or_default();
    let parts = content.get("parts").or_else(|| content.get(INVOCATIONS));
    match (content.get("format"), parts) {
        (_, Some(Json::Array(_))) if message.get("role").is_some() => Sign::Decisive,
        (_, Some(Json::Array(_))) => Sign::Broken("the `role` of its messages"),
        (Some(_), _) => Sign::Broken("a list of `parts` in the content of its messages"),
        _ => Sign::Open,
    }
}

const ENVELOPE: Envelope = Envelope {
    what: "{messages} or {steps}",
    is_message: |it| !has_steps(it) && it.get("role").is_some(),
    ids: &["threadId", "id"],
    tools: &[&["tools"]],
    reads: |fields, key, _| match has_steps(fields.value()) {
        true => key == "steps",
        false => key == "messages",
    },
};

fn has_steps(document: Json<'_>) -> bool {
    matches!(document.get("steps"), Some(Json::Array(_)))
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let root = Path::root();
    let trajectory = ENVELOPE.open(
        value,
        import,
        &mut |held, conversation, import| match held {
            Held::List(messages) => read_messages(messages, &root, conversation, import),
            Held::Message(_) => read_messages(import.slice(value), &root, conversation, import),
            Held::Object(fields) if has_steps(value) => {
                let steps = fields.items("steps", "a list of steps")?;
                read_steps(steps, &root.key("steps"), conversation, import)?;
                read_answer(value, conversation, import);
                Ok(())
            }
            Held::Object(fields) => {
                let messages = fields.items("messages", "a list of messages")?;
                read_messages(messages, &root.key("messages"), conversation, import)
            }
        },
    )?;
    Ok(vec![trajectory])
}

fn read_messages<'a>(
    messages: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    for fields in Fields::each(messages, path, "a message: {role, content}") {
        let fields = fields?;
        let role = match fields.text("role") {
            Some("user") => Role::User,
            Some("assistant") => Role::Agent,
            Some("system" | "signal") => Role::System,
            _ => return Err(fields.mismatch("role", "user, assistant or system")),
        };
        let about = About::of(
            &fields,
            &["role", "content", "turn_id", "tool_calls"],
            import,
        );
        let mut message = Message::new(role, about, conversation);
        match fields.get("content") {
            Some(Json::String(text)) => message.text(text),
            Some(content @ Json::Object(_)) => {
                let path = fields.path().key("content");
                let content = Fields::of(content, path, "a content: {parts}")?;
                read_content(&content, &mut message, import)?;
            }
            _ => return Err(fields.mismatch("content", "a content: {format, parts}")),
        }
        message.finish(import);
    }
    Ok(())
}

/// The members of a content that are read, or that a turn has of its own. The turn keeps all others.
const OF_CONTENTS: [&str; 8] = [
    "format",
    "parts",
    "content",
    INVOCATIONS,
    "turn_id",
    "role",
    "timestamp",
    "tool_calls",
];

/// The calls that the parts don't repeat come first: Mastra keeps them apart from the text that answers them.
fn read_content<'a>(
    content: &Fields<'a>,
    message: &mut Message<'_, 'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let expected = "a list of parts";
    let calls = content.optional_items(INVOCATIONS, "a list of calls")?;
    let parts = match calls {
        [] => content.items("parts", expected)?,
        _ => content.optional_items("parts", expected)?,
    };
    message.keep(
        About {
            timestamp: None,
            extra: content.rest(import.arena(), |key, value| {
                value.is_null() || is_one_of(key, &OF_CONTENTS)
            }),
        },
        import,
    );
    let ids = parts.iter().map(|part| id_of(*part)).collect();
    let path = content.path().key(INVOCATIONS);
    for call in Fields::each(calls, &path, "a call: {toolCallId, toolName, args}") {
        let call = call?;
        if !is_repeated(&call, &ids) {
            message.call(read_invocation(&call, call.text("toolName"), import));
        }
    }
    read_parts(parts, &content.path().key("parts"), message, import)?;
    if let Some(text) = content.text("content")
        && !parts.iter().any(|part| kind(*part) == Some("text"))
    {
        message.end_step(import);
        message.text(text);
    }
    Ok(())
}

/// The id of the call in a part.
fn id_of(part: Json<'_>) -> Option<&str> {
    let call = part.get("toolInvocation").unwrap_or(part);
    call.get("toolCallId")?.as_str()
}

/// Whether a call is among the calls of parts, by its id.
fn is_repeated(call: &Fields<'_>, ids: &HashSet<Option<&str>>) -> bool {
    let id = call.text("toolCallId");
    id.is_some() && ids.contains(&id)
}

/// What follows a call belongs to the agent's next step.
fn read_parts<'a>(
    parts: &'a [Json<'a>],
    path: &Path,
    message: &mut Message<'_, 'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    for part in Fields::each(parts, path, "a part: {type}") {
        let part = part?;
        match (part.text("type"), part.get("toolInvocation")) {
            (Some("text"), _) => {
                message.end_step(import);
                message.text(part.text("text").unwrap_or_default());
            }
            (Some("step-start"), _) => message.end_step(import),
            (Some("tool-invocation"), Some(call @ Json::Object(_))) => {
                let path = part.path().key("toolInvocation");
                let call = Fields::of(call, path, "an invocation: {toolName, args}")?;
                message.call(read_invocation(&call, call.text("toolName"), import));
            }
            (Some("tool-invocation"), _) => {
                let expected = "an invocation: {toolCallId, toolName, args}";
                return Err(part.mismatch("toolInvocation", expected));
            }
            (Some(kind), None) if part.get("toolCallId").is_some() => {
                let name = part.text("toolName").or(kind.strip_prefix("tool-"));
                message.call(read_invocation(&part, name, import));
            }
            _ => message.other(part.value()),
        }
    }
    Ok(())
}

/// The members of a call that are read. The call keeps all others.
const OF_INVOCATIONS: [&str; 11] = [
    "type",
    "state",
    "toolCallId",
    "toolName",
    "args",
    "input",
    "rawInput",
    "result",
    "output",
    "isError",
    "errorText",
];

fn read_invocation<'a>(
    fields: &Fields<'a>,
    name: Option<&'a str>,
    import: &mut Import<'a>,
) -> ToolCall<'a> {
    let state = fields.text("state").unwrap_or_default();
    let mut call = ToolCall {
        id: fields.text("toolCallId"),
        name,
        incomplete: matches!(state, "partial-call" | "input-streaming"),
        ..ToolCall::default()
    };
    let is_there = |key: &&str| fields.get(key).is_some_and(|input| !input.is_null());
    let key = ["args", "input", "rawInput"].into_iter().find(is_there);
    let key = key.unwrap_or("args");
    import.arguments(&mut call, fields.get(key), &|| fields.path().key(key));
    let failed = matches!(fields.get("isError"), Some(Json::Bool(true)))
        || matches!(state, "output-error" | "output-denied");
    let there = |key| fields.get(key).filter(|value| !value.is_null());
    let reason = || fields.get("approval")?.get("reason");
    let returned = || there("result").or_else(|| there("output"));
    let said = match failed {
        true => there("errorText").or_else(reason).or_else(returned),
        false => returned(),
    };
    let said = said.or(failed.then_some(Json::String(state)));
    if let Some(said) = said {
        Outcome::of(import.nested(said), failed).put_to(&mut call);
    }
    call.pending = is_before_outcome(state) && call.is_unanswered();
    let rest = fields.rest(import.arena(), |key, value| {
        is_one_of(key, &OF_INVOCATIONS) || value.is_null()
    });
    import.keep(&mut call, rest);
    call
}

/// Each step with a call becomes a turn. Its child steps follow it.
fn read_steps<'a>(
    steps: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    for step in Fields::each(steps, path, "a step: {stepType, name}") {
        let step = step?;
        if step
            .text("stepType")
            .is_some_and(|kind| kind.ends_with("tool_call"))
        {
            let call = read_step(&step, import);
            conversation.turn(Role::Agent, "", vec![call]);
        }
        let children = step.optional_items("children", "a list of steps")?;
        read_steps(children, &step.path().key("children"), conversation, import)?;
    }
    Ok(())
}

fn read_step<'a>(step: &Fields<'a>, import: &mut Import<'a>) -> ToolCall<'a> {
    let mut call = ToolCall {
        name: step.text("name"),
        ..ToolCall::default()
    };
    import.arguments(&mut call, step.get("toolArgs"), &|| {
        step.path().key("toolArgs")
    });
    let failed = matches!(step.get("success"), Some(Json::Bool(false)));
    let result = step.get("toolResult").filter(|it| !it.is_null());
    if let Some(said) = result.or(failed.then_some(Json::String("the tool call did not succeed"))) {
        Outcome::of(said, failed).put_to(&mut call);
    }
    let rest = step.rest(import.arena(), |key, value| match key {
        "name" | "toolArgs" | "toolResult" | "success" | "children" => true,
        "stepType" => value.as_str() == Some("tool_call"),
        _ => false,
    });
    import.keep(&mut call, rest);
    call
}

/// Adds the agent's last message, if the trajectory contains its messages.
fn read_answer<'a>(value: Json<'a>, conversation: &mut Conversation<'a>, import: &Import<'a>) {
    let Some(last) = items(value, "rawOutput").last() else {
        return;
    };
    let parts = last.get("content").map_or(&[][..], |it| items(it, "parts"));
    let after = parts
        .iter()
        .rposition(|part| kind(*part) == Some("tool-invocation"));
    let said = parts[after.map_or(0, |at| at + 1)..].iter();
    let text = import.join_text(said.filter_map(|part| part.get("text")?.as_str()));
    if !text.is_empty() {
        conversation.turn(Role::Agent, text, Vec::new());
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn invocations_carry_their_results() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("mastra/messages.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::User, "Book the quiet room.".to_owned(), 0),
                (Role::Agent, "I look for it.".to_owned(), 2),
                (Role::Agent, "Room 4 is booked.".to_owned(), 2),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"k1","name":"find_room","arguments":{"quiet":true},"result":{"room":4},"step":0}"#,
                r#"{"id":"k2","name":"find_room","arguments":{"quiet":1},"error":"quiet must be true or false"}"#,
                r#"{"id":"k3","name":"book","arguments":{"room":4},"error":"no rights"}"#,
                r#"{"id":"k4","name":"book","rawArguments":"{\"room\":","incomplete":true,"pending":true}"#,
            ]
        );
        assert_eq!(
            trajectory.turns[0].timestamp,
            Some("2026-04-01T07:00:00.000Z")
        );
    }

    #[test]
    fn the_steps_of_a_trajectory_are_read_with_those_inside() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("mastra/trajectory.json"));
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"name":"search","arguments":{"q":"a"},"result":{"hits":2}}"#,
                r#"{"name":"fetch","arguments":{"url":"u"},"error":{"status":404},"stepType":"mcp_tool_call","mcpServer":"web"}"#,
                r#"{"name":"save","arguments":{},"error":"the tool call did not succeed"}"#,
            ]
        );
        assert_eq!(turns_of(&read.value[0])[3].1, "Saved nothing.");
    }

    #[test]
    fn the_error_names_what_half_a_message_lacks() {
        let reason = failure(r#"[{"role":"user","content":{"format":2}}]"#).to_string();
        assert!(
            reason.contains("mastra, but it lacks a list of `parts`"),
            "{reason}"
        );
        let error = failure(
            r#"[{"role":"user","content":{"format":2,"parts":[{"type":"tool-invocation"}]}}]"#,
        );
        assert_eq!(
            error.report().path.as_deref(),
            Some("[0].content.parts[0].toolInvocation")
        );
    }
}
