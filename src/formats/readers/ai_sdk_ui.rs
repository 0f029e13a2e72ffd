//! UI messages of the AI SDK: a list, `{id, messages}`, or one message. Version 5 and later have parts
//! `tool-<name>` and `dynamic-tool`, version 4 has parts `tool-invocation` or `toolInvocations`. A call
//! contains its result. A message can contain several steps of the agent, and each becomes a turn.

use crate::kit::conversation::{Conversation, Outcome};
use crate::kit::envelope::Envelope;
use crate::kit::fields::Fields;
use crate::kit::marks::marks;
use crate::kit::message::{About, Message};
use crate::kit::signs::{Sign, items, kind, likeness_by, plain_or_open};
use crate::kit::tool_call::is_before_outcome;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::AiSdkUi,
    marks: &marks(["toolInvocations", "parts"]),
    likeness,
    read,
};

const STATES: &str = "input-streaming, input-available, approval-requested, approval-responded, \
    output-available, output-error or output-denied (partial-call, call or result in version 4)";

fn likeness(value: Json<'_>) -> Likeness {
    likeness_by(value, "messages", sign)
}

fn sign(message: Json<'_>) -> Sign {
    let is_role = |role: &str| matches!(role, "user" | "assistant" | "system" | "data");
    if !message
        .get("role")
        .and_then(Json::as_str)
        .is_some_and(is_role)
    {
        return Sign::Open;
    }
    let invocations = items(message, "toolInvocations");
    if invocations.iter().any(|it| it.get("toolCallId").is_some()) {
        return Sign::Decisive;
    }
    if !invocations.is_empty() {
        return Sign::Broken("a `toolCallId` in each of `toolInvocations`");
    }
    let mut broken = None;
    for part in items(message, "parts") {
        match part_sign(*part) {
            Sign::Decisive => return Sign::Decisive,
            sign @ Sign::Broken(_) => broken = broken.or(Some(sign)),
            _ => {}
        }
    }
    broken.unwrap_or_else(|| plain_or_open(message))
}

fn part_sign(part: Json<'_>) -> Sign {
    let has = |key| part.get(key).is_some();
    match kind(part) {
        Some("text" | "reasoning") if part.get("text").is_some_and(|it| it.as_str().is_some()) => {
            Sign::Decisive
        }
        Some("step-start" | "source-url" | "source-document" | "tool-invocation") => Sign::Decisive,
        Some("file") if has("mediaType") => Sign::Decisive,
        Some(kind) if is_tool(kind) => match has("state") && has("toolCallId") {
            true => Sign::Decisive,
            false => Sign::Broken("a `state` and a `toolCallId` in each tool part"),
        },
        _ => Sign::Open,
    }
}

fn is_tool(kind: &str) -> bool {
    kind == "dynamic-tool" || kind.starts_with("tool-")
}

const ENVELOPE: Envelope = Envelope {
    what: "a list of messages, or {messages}",
    is_message: |it| it.get("messages").is_none(),
    ids: &["id"],
    tools: &[&["tools"]],
    reads: |_, key, value| match key {
        "messages" => true,
        "system" | "id" => value.as_str().is_some(),
        _ => false,
    },
};

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    ENVELOPE.read(value, import, read_messages, read_message, read_request)
}

/// Messages beside the instructions.
fn read_request<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    if let Some(text) = fields.text("system") {
        conversation.turn(Role::System, text, Vec::new());
    }
    let messages = fields.items("messages", "a list of messages")?;
    let path = fields.path().key("messages");
    read_messages(messages, &path, conversation, import)
}

fn read_messages<'a>(
    messages: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    for (at, message) in messages.iter().enumerate() {
        let fields = Fields::of(*message, path.index(at), "a message: {role, parts}")?;
        read_message(&fields, conversation, import)?;
    }
    Ok(())
}

fn read_message<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let role = match fields.text("role") {
        Some("user") => Role::User,
        Some("assistant") => Role::Agent,
        Some("system" | "data") => Role::System,
        _ => return Err(fields.mismatch("role", "user, assistant or system")),
    };
    let read = ["role", "parts", "content", "toolInvocations"];
    let about = About::of(fields, &read, import);
    let mut steps = Steps {
        message: Message::new(role, about, conversation),
        is_answered: false,
        number: None,
    };
    let parts = fields.optional_items("parts", "a list of parts")?;
    match parts {
        [] => steps.read_invocations(fields, import)?,
        parts => {
            let path = fields.path().key("parts");
            for (at, part) in parts.iter().enumerate() {
                let part = Fields::of(*part, path.index(at), "a part: {type}")?;
                steps.read_part(&part, import)?;
            }
        }
    }
    steps.message.finish(import);
    Ok(())
}

/// One message while its parts are read. What follows an answered call is the next step.
struct Steps<'m, 'a> {
    message: Message<'m, 'a>,
    is_answered: bool,
    /// The number of the current step, in version 4.
    number: Option<Json<'a>>,
}

impl<'a> Steps<'_, 'a> {
    fn read_part(&mut self, part: &Fields<'a>, import: &mut Import<'a>) -> Result<()> {
        match part.text("type") {
            Some("text") => match part.text("text") {
                Some(text) => {
                    self.follow(import);
                    self.message.text(text);
                }
                None => return Err(part.mismatch("text", "a text")),
            },
            Some("step-start") => {
                self.is_answered = false;
                self.message.end_answer(import);
            }
            Some("tool-invocation") => {
                let path = part.path().key("toolInvocation");
                let call = part.get("toolInvocation").unwrap_or_default();
                let call = Fields::of(call, path, "a call: {state, toolCallId, toolName, args}")?;
                self.read_call(&call, call.text("toolName"), import)?;
            }
            Some("dynamic-tool") => self.read_call(part, part.text("toolName"), import)?,
            Some(kind) if is_tool(kind) => {
                self.read_call(part, kind.strip_prefix("tool-"), import)?;
            }
            Some(_) => self.message.other(part.value()),
            None => return Err(part.mismatch("type", "the kind of the part")),
        }
        Ok(())
    }

    /// Reads a message of version 4 without parts: its calls, and its text, which follows them.
    fn read_invocations(&mut self, fields: &Fields<'a>, import: &mut Import<'a>) -> Result<()> {
        let path = fields.path().key("toolInvocations");
        let calls = fields.optional_items("toolInvocations", "a list of calls")?;
        for (at, call) in calls.iter().enumerate() {
            let call = Fields::of(
                *call,
                path.index(at),
                "a call: {state, toolCallId, toolName}",
            )?;
            self.read_call(&call, call.text("toolName"), import)?;
        }
        match fields.get("content") {
            None | Some(Json::Null) => {}
            Some(Json::String("")) if !calls.is_empty() => {}
            Some(Json::String(text)) => {
                self.follow(import);
                self.message.text(text);
            }
            Some(_) => return Err(fields.mismatch("content", "a text")),
        }
        Ok(())
    }

    fn read_call(
        &mut self,
        part: &Fields<'a>,
        name: Option<&'a str>,
        import: &mut Import<'a>,
    ) -> Result<()> {
        let number = part.get("step");
        if number.is_some() && number != self.number {
            self.follow(import);
        }
        self.number = number.or(self.number);
        let call = read_call(part, name, import)?;
        self.is_answered |= !call.is_unanswered();
        self.message.call(call);
        Ok(())
    }

    fn follow(&mut self, import: &Import<'a>) {
        if std::mem::take(&mut self.is_answered) {
            self.message.end_step(import);
        }
    }
}

fn read_call<'a>(
    part: &Fields<'a>,
    name: Option<&'a str>,
    import: &mut Import<'a>,
) -> Result<ToolCall<'a>> {
    let state = part.text("state").unwrap_or_default();
    let there = |key: &&str| part.get(key).is_some_and(|value| !value.is_null());
    let arguments = ["input", "args", "rawInput"].into_iter().find(there);
    let key = arguments.unwrap_or("input");
    let mut call = ToolCall {
        id: part.text("toolCallId"),
        name,
        incomplete: matches!(state, "input-streaming" | "partial-call"),
        extra: part.rest(import.arena(), |name, value| match name {
            "type" => value.as_str() != Some("dynamic-tool"),
            "state" => matches!(state, "output-available" | "result"),
            "toolCallId" => value.as_str().is_some(),
            "toolName" | "output" | "result" | "errorText" | "step" => true,
            _ => name == key || value.is_null(),
        }),
        ..ToolCall::default()
    };
    import.arguments(&mut call, part.get(key), &|| part.path().key(key));
    if let Some(outcome) = outcome_of(part, state, import)? {
        outcome.put_to(&mut call);
    }
    call.pending = is_before_outcome(state) && call.is_unanswered();
    Ok(call)
}

fn outcome_of<'a>(
    part: &Fields<'a>,
    state: &str,
    import: &Import<'a>,
) -> Result<Option<Outcome<'a>>> {
    let approval = part.get("approval").unwrap_or_default();
    let denied = || Outcome::denied(approval.get("reason").and_then(Json::as_str), import);
    let value = |key| import.nested(part.get(key).unwrap_or_default());
    let is_denied = matches!(approval.get("approved"), Some(Json::Bool(false)));
    Ok(match state {
        "approval-responded" if is_denied => Some(denied()),
        state if is_before_outcome(state) => None,
        "output-available" => Some(Outcome::of(value("output"), false)),
        "result" => Some(Outcome::of(value("result"), false)),
        "output-error" => Some(Outcome::Error(
            part.get("errorText")
                .unwrap_or(Json::String("the call failed")),
        )),
        "output-denied" => Some(denied()),
        _ => return Err(part.mismatch("state", STATES)),
    })
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn each_step_is_a_turn_and_an_unknown_state_is_an_error() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("ai-sdk-ui/v5.json"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("chat_1"));
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::User, "Book the sauna and order towels.".to_owned(), 0),
                (Role::Agent, "I will look.".to_owned(), 2),
                (Role::Agent, String::new(), 2),
                (Role::Agent, "Shall I book 17:00?".to_owned(), 0),
                (Role::Agent, String::new(), 2),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"c1","name":"freeSlots","arguments":{"day":"Fri"},"result":{"slots":["18:00"]}}"#,
                r#"{"id":"c2","name":"towels","arguments":{"count":2},"error":"out of stock","type":"dynamic-tool","state":"output-error"}"#,
                r#"{"id":"c3","name":"book","arguments":{"slot":"18:00"},"error":"the call was denied: too late","state":"output-denied","approval":{"id":"a1","approved":false,"reason":"too late"}}"#,
                r#"{"id":"c4","name":"book","arguments":{"slot":"17:00"},"pending":true,"state":"approval-requested","approval":{"id":"a2"}}"#,
                r#"{"id":"c5","name":"book","rawArguments":"{\"slot\":","error":"invalid input","state":"output-error"}"#,
                r#"{"id":"c6","name":"book","arguments":{"sl":null},"incomplete":true,"pending":true,"state":"input-streaming"}"#,
            ]
        );
        let warned: Vec<_> = read.warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(
            warned,
            [
                "messages[1].parts[10].rawInput",
                "messages[1].parts[11].input"
            ]
        );
    }

    #[test]
    fn the_calls_of_version_4_come_before_the_text() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("ai-sdk-ui/v4.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::User, "Two dice, please.".to_owned(), 0),
                (Role::Agent, String::new(), 2),
                (Role::Agent, "A 4 and a 2.".to_owned(), 1),
                (Role::Agent, String::new(), 1),
            ]
        );
        assert_eq!(
            trajectory.turns[1].timestamp,
            Some("2025-02-01T08:00:05.000Z")
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"c1","name":"roll","arguments":{"sides":6},"result":4}"#,
                r#"{"id":"c2","name":"roll","arguments":{"sides":6},"result":2}"#,
                r#"{"id":"c3","name":"sum","arguments":{"of":[4,2]},"pending":true,"state":"call"}"#,
                r#"{"id":"c4","name":"roll","arguments":{},"incomplete":true,"pending":true,"state":"partial-call"}"#,
            ]
        );
    }

    #[test]
    fn the_failure_of_an_mcp_tool_is_an_error() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"role":"assistant","parts":[{"type":"dynamic-tool","toolName":"f","toolCallId":"c","state":"output-available","input":{},
                "output":{"isError":true,"content":[{"type":"text","text":"boom"}]}}]}]"#,
        );
        assert!(calls_of(&read.value[0])[0].contains(r#""error":{"isError":true"#));
    }

    #[test]
    fn the_error_names_the_part_with_another_shape() {
        let path = |text: &str| failure(text).report().path;
        let message = |part: &str| {
            format!(
                r#"[{{"role":"user","parts":[{{"type":"text","text":"hi"}}]}},{{"role":"assistant","parts":[{part}]}}]"#
            )
        };
        let state = message(r#"{"type":"tool-f","toolCallId":"c","state":"pending"}"#);
        assert_eq!(path(&state).as_deref(), Some("[1].parts[0].state"));
        assert_eq!(path(&message("7")).as_deref(), Some("[1].parts[0]"));
        assert_eq!(path(&message("{}")).as_deref(), Some("[1].parts[0].type"));
        let error = failure(r#"[{"role":"assistant","parts":[{"type":"tool-f","input":{}}]}]"#);
        assert!(
            error
                .to_string()
                .contains("ai-sdk-ui, but it lacks a `state` and a `toolCallId`"),
            "{error}"
        );
    }
}
