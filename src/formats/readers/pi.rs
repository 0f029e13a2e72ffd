//! pi: sessions with a head `{type: "session", id, cwd}` and entries `{type: "message", id, parentId, message}`; the events
//! of `pi --mode json`, whose messages are complete at `message_end`; messages of its library in a list or a context
//! `{systemPrompt, messages, tools}`. Calls are parts `toolCall`, results messages of the role `toolResult`.

use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::envelope::{Envelope, Held};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::marks::marks;
use crate::kit::message::{About, Message};
use crate::kit::signs::{Sign, items, kind, likeness_by};
use crate::kit::threads::warn_of_return;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Pi,
    marks: &marks(["type", "role=toolResult"]),
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    likeness_by(value, "messages", sign)
}

fn sign(row: Json<'_>) -> Sign {
    let has = |key| row.get(key).is_some();
    if has("role") {
        return sign_of_message(row);
    }
    match kind(row) {
        Some("session") if has("id") && has("cwd") => Sign::Decisive,
        Some("message" | "message_end") => row.get("message").map_or(Sign::Open, sign_of_message),
        _ => Sign::Open,
    }
}

fn sign_of_message(message: Json<'_>) -> Sign {
    let is_call = |part: &Json<'_>| kind(*part) == Some("toolCall");
    match role_of(message) {
        Some("toolResult") if message.get("toolCallId").is_some() => Sign::Decisive,
        Some("toolResult") => Sign::Broken("a `toolCallId` in each result"),
        Some("assistant") if items(message, "content").iter().any(is_call) => Sign::Decisive,
        _ => Sign::Open,
    }
}

fn role_of<'a>(message: Json<'a>) -> Option<&'a str> {
    message.get("role")?.as_str()
}

const ENVELOPE: Envelope = Envelope {
    what: "entries of a session, or {messages}",
    is_message: |it| it.get("messages").is_none(),
    ids: &["id"],
    tools: &[&["tools"]],
    reads: |_, key, value| match key {
        "messages" => true,
        "systemPrompt" | "id" => value.as_str().is_some(),
        _ => false,
    },
};

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let root = Path::root();
    let mut head = None;
    let mut trajectory = ENVELOPE.open(
        value,
        import,
        &mut |held, conversation, import| match held {
            Held::List(rows) => {
                head = rows
                    .iter()
                    .copied()
                    .find(|row| kind(*row) == Some("session"));
                read_rows(rows, &root, conversation, import)
            }
            Held::Message(_) => read_rows(import.slice(value), &root, conversation, import),
            Held::Object(fields) => {
                if let Some(text) = fields.text("systemPrompt") {
                    conversation.turn(Role::System, text, Vec::new());
                }
                let rows = fields.items("messages", "a list of messages")?;
                read_rows(rows, &root.key("messages"), conversation, import)
            }
        },
    )?;
    if trajectory.turns.is_empty() {
        return Err(Error::invalid_input(root, "messages of a session", "none"));
    }
    if let Some(head) = head {
        let head = Fields::of(head, Path::root(), "the head of a session")?;
        trajectory.trajectory_id = head.text("id");
        trajectory.extra = head.rest(import.arena(), |key, _| is_one_of(key, &["type", "id"]));
    }
    Ok(vec![trajectory])
}

/// Adds the messages of a list of entries, events or messages.
fn read_rows<'a>(
    rows: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let mut last = None;
    for row in Fields::each(rows, path, "an entry of a session, or a message") {
        let row = row?;
        if last.is_some() && row.text("parentId").is_some() && row.text("parentId") != last {
            warn_of_return(&row.path().key("parentId"), import);
        }
        last = row.text("id").or(last);
        match row.text("type") {
            Some("message" | "message_end") => {
                let place = row.path().key("message");
                let message = row.get("message").unwrap_or_default();
                let message = Fields::of(message, place, "a message: {role, content}")?;
                read_message(&message, row.text("timestamp"), conversation, import)?;
            }
            Some("compaction" | "branch_summary" | "custom_message") => {
                read_note(&row, row.text("timestamp"), conversation, import);
            }
            Some(_) => {}
            None => read_message(&row, None, conversation, import)?,
        }
    }
    Ok(())
}

/// Adds a message. `written` is when the session wrote it.
fn read_message<'a>(
    fields: &Fields<'a>,
    written: Option<&'a str>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let role = match fields.text("role") {
        Some("user") => Role::User,
        Some("assistant") => Role::Agent,
        Some("toolResult") => {
            read_result(fields, conversation, import);
            return Ok(());
        }
        Some(_) => {
            read_note(fields, written, conversation, import);
            return Ok(());
        }
        None => return Err(fields.mismatch("role", "user, assistant or toolResult")),
    };
    let mut about = About::of(fields, &["role", "content"], import);
    about.timestamp = written.or(about.timestamp);
    let mut message = Message::new(role, about, conversation);
    match fields.get("content") {
        Some(Json::String(text)) => message.text(text),
        Some(Json::Array(parts)) => {
            let path = fields.path().key("content");
            let is_cut_off = fields
                .text("stopReason")
                .is_some_and(|it| is_one_of(it, &["length", "aborted", "error"]));
            for (at, part) in parts.iter().enumerate() {
                let part = Fields::of(*part, path.index(at), "a part: {type}")?;
                let is_last = at + 1 == parts.len();
                match (part.text("type"), part.text("text")) {
                    (Some("text"), Some(text)) => message.text(text),
                    (Some("toolCall"), _) => {
                        message.call(read_call(&part, is_cut_off && is_last, import));
                    }
                    _ => message.other(part.value()),
                }
            }
        }
        None | Some(Json::Null) => {}
        Some(_) => return Err(fields.mismatch("content", "a text or a list of parts")),
    }
    message.finish(import);
    Ok(())
}

fn read_call<'a>(part: &Fields<'a>, is_cut_off: bool, import: &mut Import<'a>) -> ToolCall<'a> {
    let mut call = ToolCall {
        id: part.text("id"),
        name: part.text("name"),
        incomplete: is_cut_off,
        extra: part.rest(import.arena(), |key, value| {
            value.is_null() || is_one_of(key, &["type", "id", "name", "arguments"])
        }),
        ..ToolCall::default()
    };
    import.arguments(&mut call, part.get("arguments"), &|| {
        part.path().key("arguments")
    });
    call
}

fn read_result<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) {
    let content = fields.get("content").unwrap_or(Json::String(""));
    let failed = matches!(fields.get("isError"), Some(Json::Bool(true)));
    let result = CallResult {
        id: fields.text("toolCallId"),
        name: fields.text("toolName"),
        outcome: Outcome::of(import.content(content), failed),
    };
    let read = ["role", "toolCallId", "toolName", "content", "isError"];
    let rest = fields.rest(import.arena(), |key, _| is_one_of(key, &read));
    if let Some(call) = conversation.result(&result, fields.path(), import) {
        import.keep(call, rest);
    }
}

/// Adds what the model is given as if the user had said it: summaries, commands that the user ran, and messages of
/// extensions.
fn read_note<'a>(
    fields: &Fields<'a>,
    written: Option<&'a str>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) {
    let read = ["content", "summary", "command", "output"];
    let mut about = About::of(fields, &read, import);
    about.timestamp = written.or(about.timestamp);
    let mut message = Message::new(Role::User, about, conversation);
    let keys = ["summary", "command", "output", "content"].into_iter();
    for text in keys.filter_map(|key| fields.text(key)) {
        message.text(text);
    }
    for part in items(fields.value(), "content") {
        match part.get("text").and_then(Json::as_str) {
            Some(text) => message.text(text),
            None => message.other(*part),
        }
    }
    message.end_answer(import);
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn sessions_keep_branches_errors_and_calls_that_were_cut_off() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("pi/session.jsonl"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("p-31"));
        let said = turns_of(trajectory);
        let said: Vec<_> = said
            .iter()
            .map(|(role, text, calls)| (*role, text.as_str(), *calls))
            .collect();
        assert_eq!(
            said,
            [
                (
                    Role::User,
                    "How much rye is left, and what is in notes.md?",
                    0
                ),
                (Role::Agent, "I look.", 2),
                (
                    Role::Agent,
                    "14 kg of rye are left; there is no notes.md.",
                    0
                ),
                (Role::User, "date +%A\nSunday", 0),
                (Role::User, "14 kg of rye are left.", 0),
                (Role::User, "And spelt?", 0),
                (Role::Agent, "", 1),
            ]
        );
        let calls: Vec<_> = trajectory.calls().collect();
        assert_eq!(calls[0].result, Some(Json::String("rye,14 kg")));
        assert_eq!(
            calls[1].error,
            Some(Json::String("ENOENT: no such file, notes.md"))
        );
        assert!(calls[2].incomplete);
        assert_eq!(
            trajectory.turns[1].timestamp,
            Some("2026-03-08T05:00:02.000Z")
        );
        let warned: Vec<_> = read.warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(
            warned,
            ["[9].parentId", "[10].message.content[0].arguments"]
        );
    }

    #[test]
    fn events_repeat_messages_that_are_read_once() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("pi/events.jsonl"));
        let calls = calls_of(&read.value[0]);
        assert_eq!(calls.len(), 1, "{calls:?}");
        assert!(
            calls[0].starts_with(
                r#"{"id":"tc_7","name":"oven","arguments":{"ask":"state"},"result":{"celsius":230}"#
            ),
            "{calls:?}"
        );
        assert_eq!(turns_of(&read.value[0]).len(), 3);
    }

    #[test]
    fn contexts_carry_their_tools_and_instructions() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("pi/context.json"));
        assert!(read.value[0].tools.is_some());
        assert_eq!(turns_of(&read.value[0])[0].0, Role::System);
        let message = r#"{"role":"toolResult","toolCallId":"a","toolName":"f","content":[]}"#;
        assert_eq!(imported(&arena, message).format, TrajectoryFormat::Pi);
    }

    #[test]
    fn errors_name_the_place_and_what_is_missing() {
        let error =
            failure(r#"[{"type":"session","id":"s","cwd":"/"},{"type":"message","message":7}]"#);
        assert_eq!(error.report().path.as_deref(), Some("[1].message"));
        let error = failure(
            r#"[{"type":"session","id":"s","cwd":"/"},{"type":"message","message":{"role":"user","content":7}}]"#,
        );
        assert_eq!(error.report().path.as_deref(), Some("[1].message.content"));
        let error = failure(r#"[{"type":"session","id":"s","cwd":"/"}]"#);
        assert!(
            error.to_string().contains("messages of a session"),
            "{error}"
        );
        let error = failure(r#"[{"role":"toolResult","content":[]}]"#);
        assert!(
            error
                .to_string()
                .contains("pi, but it lacks a `toolCallId`"),
            "{error}"
        );
    }
}
