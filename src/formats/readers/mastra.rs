//! Mastra: messages `{role, content: {format: 2, parts}}`, in a list or in `messages` of
//! a thread, with calls in parts `tool-invocation`. Also trajectories `{steps:
//! [{stepType, name, toolArgs, toolResult, success, children}]}`.

use crate::kit::conversation::{Conversation, Outcome};
use crate::kit::envelope::{Envelope, Held};
use crate::kit::fields::Fields;
use crate::kit::message::{About, Message};
use crate::kit::signs::{Sign, items, kind, likeness_by};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Mastra,
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

fn sign(message: Json<'_>) -> Sign {
    let content = message.get("content").unwrap_or_default();
    match (content.get("format"), content.get("parts")) {
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
                read_parts(&content, &mut message, import)?;
            }
            _ => return Err(fields.mismatch("content", "a content: {format, parts}")),
        }
        message.finish(import);
    }
    Ok(())
}

/// What follows a call belongs to the agent's next step.
fn read_parts<'a>(
    content: &Fields<'a>,
    message: &mut Message<'_, 'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let path = content.path().key("parts");
    for part in Fields::each(
        content.items("parts", "a list of parts")?,
        &path,
        "a part: {type}",
    ) {
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
                message.call(read_invocation(&call, import));
            }
            (Some("tool-invocation"), _) => {
                let expected = "an invocation: {toolCallId, toolName, args}";
                return Err(part.mismatch("toolInvocation", expected));
            }
            _ => message.other(part.value()),
        }
    }
    Ok(())
}

fn read_invocation<'a>(fields: &Fields<'a>, import: &mut Import<'a>) -> ToolCall<'a> {
    let state = fields.text("state").unwrap_or_default();
    let mut call = ToolCall {
        id: fields.text("toolCallId"),
        name: fields.text("toolName"),
        incomplete: state == "partial-call",
        ..ToolCall::default()
    };
    let input = fields.get("args").filter(|args| !args.is_null());
    let input = input.or(fields.get("rawInput"));
    import.arguments(&mut call, input, &|| fields.path().key("args"));
    let failed = matches!(fields.get("isError"), Some(Json::Bool(true)))
        || matches!(state, "output-error" | "output-denied");
    let there = |key| fields.get(key).filter(|value| !value.is_null());
    let reason = || fields.get("approval")?.get("reason");
    let said = match failed {
        true => there("errorText").or_else(reason).or(there("result")),
        false => there("result"),
    };
    let said = said.or(failed.then_some(Json::String(state)));
    if let Some(said) = said {
        Outcome::of(import.nested(said), failed).put_to(&mut call);
    }
    let rest = fields.rest(import.arena(), |key, _| {
        matches!(
            key,
            "state"
                | "toolCallId"
                | "toolName"
                | "args"
                | "rawInput"
                | "result"
                | "isError"
                | "errorText"
        )
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
                r#"{"id":"k4","name":"book","rawArguments":"{\"room\":","incomplete":true}"#,
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
