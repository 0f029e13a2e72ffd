//! opencode sessions: `{info, messages: [{info: {role}, parts}]}` as exported, the messages alone, or the events of
//! `opencode run --format json`, `{type, sessionID, part}`. A call and its outcome are one part `{type: "tool", tool,
//! callID, state}`.

use crate::kit::conversation::{Conversation, Outcome};
use crate::kit::envelope::{Envelope, Held};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::message::{About, Message};
use crate::kit::signs::{Sign, is_said, likeness_by};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Opencode,
    marks: &[],
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    match is_said(value.get("messages").unwrap_or(value)) {
        true => Likeness::None,
        false => likeness_by(value, "messages", sign),
    }
}

fn sign(row: Json<'_>) -> Sign {
    let role = |info: Json<'_>| info.get("role").is_some();
    let has_parts = matches!(row.get("parts"), Some(Json::Array(_)));
    match (row.get("info"), row.get("part")) {
        (Some(info), _) if role(info) && has_parts => Sign::Decisive,
        (Some(info), _) if role(info) => Sign::Broken("`parts` in its messages"),
        (_, Some(Json::Object(_))) if row.get("sessionID").is_some() => Sign::Decisive,
        _ => Sign::Open,
    }
}

const ENVELOPE: Envelope = Envelope {
    what: "a session: {info, messages}",
    is_message: |it| it.get("messages").is_none(),
    ids: &[],
    tools: &[],
    reads: |_, key, _| key == "messages",
};

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let root = Path::root();
    let mut id = value.get("info").and_then(|info| info.get("id")?.as_str());
    let trajectory = ENVELOPE.open(value, import, &mut |held, conversation, import| {
        let (rows, path) = match held {
            Held::List(rows) => (rows, root.clone()),
            Held::Message(_) => (import.slice(value), root.clone()),
            Held::Object(fields) => (
                fields.items("messages", "a list of messages")?,
                root.key("messages"),
            ),
        };
        if value.get("messages").is_none() {
            id = rows.iter().find_map(session_of);
        }
        match rows.iter().any(|row| row.get("part").is_some()) {
            true => read_events(rows, &path, conversation, import),
            false => read_messages(rows, &path, conversation, import),
        }
    })?;
    if trajectory.turns.is_empty() {
        return Err(Error::invalid_input(root, "messages of a session", "none"));
    }
    Ok(vec![Trajectory {
        trajectory_id: id,
        ..trajectory
    }])
}

/// The id of the session that a message or event belongs to.
fn session_of<'a>(row: &Json<'a>) -> Option<&'a str> {
    row.get("info").unwrap_or(*row).get("sessionID")?.as_str()
}

fn read_messages<'a>(
    rows: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    for row in Fields::each(rows, path, "a message: {info, parts}") {
        let row = row?;
        let info = row.get("info").unwrap_or_default();
        let info = Fields::of(info, row.path().key("info"), "an object with the role")?;
        let role = match info.text("role") {
            Some("user") => Role::User,
            Some("assistant") => Role::Agent,
            _ => return Err(info.mismatch("role", "user or assistant")),
        };
        if let Some(text) = info.text("system").filter(|_| role == Role::User) {
            conversation.turn(Role::System, text, Vec::new());
        }
        let mut about = About::of(&info, &["role", "system", "sessionID"], import);
        let created = info.get("time").and_then(|time| time.get("created"));
        about.timestamp = created.map(|time| import.label(time));
        let mut message = Message::new(role, about, conversation);
        let parts = row.items("parts", "a list of parts")?;
        for part in Fields::each(parts, &row.path().key("parts"), "a part: {type}") {
            read_part(&part?, &mut message, import);
        }
        message.finish(import);
    }
    Ok(())
}

/// Adds the parts of events. They are written when they are finished, and their ids say in which order they began.
fn read_events<'a>(
    rows: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let mut parts = Vec::new();
    for row in Fields::each(rows, path, "an event: {type, part}") {
        let row = row?;
        match row.get("part") {
            Some(part) => {
                let part = Fields::of(part, row.path().key("part"), "a part: {type}")?;
                parts.push((row.get("timestamp"), part));
            }
            None => {
                let what = "this event has no part, so it is not read";
                import.warn(row.path(), what);
            }
        }
    }
    parts.sort_by_key(|(_, part)| (part.text("messageID"), part.text("id")));
    let same =
        |a: &(_, Fields<'a>), b: &(_, Fields<'a>)| a.1.text("messageID") == b.1.text("messageID");
    for parts in parts.chunk_by(same) {
        let about = About {
            timestamp: parts[0].0.map(|time| import.label(time)),
            extra: &[],
        };
        let mut message = Message::new(Role::Agent, about, conversation);
        for (_, part) in parts {
            read_part(part, &mut message, import);
        }
        message.finish(import);
    }
    Ok(())
}

fn read_part<'a>(part: &Fields<'a>, message: &mut Message<'_, 'a>, import: &mut Import<'a>) {
    match (part.text("type"), part.text("text")) {
        (Some("text"), Some(text)) => {
            // A text after calls is written with their results known.
            message.end_step(import);
            message.text(text);
        }
        (Some("tool"), _) => message.call(read_call(part, import)),
        _ => message.other(part.value()),
    }
}

fn read_call<'a>(part: &Fields<'a>, import: &mut Import<'a>) -> ToolCall<'a> {
    let own = [
        "type",
        "tool",
        "callID",
        "state",
        "id",
        "sessionID",
        "messageID",
    ];
    let mut call = ToolCall {
        id: part.text("callID"),
        name: part.text("tool"),
        extra: part.rest(import.arena(), |key, _| is_one_of(key, &own)),
        ..ToolCall::default()
    };
    let path = part.path().key("state");
    let Ok(state) = Fields::of(part.get("state").unwrap_or_default(), path, "an object") else {
        import.warn(
            part.path(),
            "this call has no `state`, so its arguments and result are unknown",
        );
        return call;
    };
    let status = state.text("status");
    call.incomplete = status == Some("pending");
    let key = match state.text("raw") {
        Some(raw) if call.incomplete && !raw.is_empty() => "raw",
        _ => "input",
    };
    import.arguments(&mut call, state.get(key), &|| state.path().key(key));
    match status {
        Some("completed") => {
            let output = state.get("output").unwrap_or_default();
            Outcome::of(import.nested(output), false).put_to(&mut call);
        }
        Some("error") => Outcome::Error(state.get("error").unwrap_or_default()).put_to(&mut call),
        _ => {}
    }
    let read = ["status", "input", "raw", "output", "error"];
    let rest = state.rest(import.arena(), |key, _| is_one_of(key, &read));
    import.keep(&mut call, rest);
    call
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn parts_are_calls_with_their_outcomes() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("opencode/export.json"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("ses_1a"));
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::User, "Which buoys are out?".to_owned(), 0),
                (Role::Agent, "I look.".to_owned(), 2),
                (Role::Agent, "Buoys 3 and 9 are out.".to_owned(), 2),
            ]
        );
        let calls = calls_of(trajectory);
        let starts = [
            r#"{"id":"call_1","name":"bash","arguments":{"command":"cat buoys"},"result":"3 out\n9 out\n","title":"cat""#,
            r#"{"id":"call_2","name":"read","arguments":{"path":"log"},"error":"File not found: log","time""#,
            r#"{"id":"call_3","name":"todo","arguments":{"what":"buoy 3"},"time""#,
            r#"{"id":"call_4","name":"todo","rawArguments":"{\"what\":\"bu","incomplete":true}"#,
        ];
        for (call, start) in calls.iter().zip(starts) {
            assert!(call.starts_with(start), "{call}");
        }
        assert_eq!(trajectory.turns[1].timestamp, Some("1773000002000"));
        assert_eq!(read.warnings.len(), 1);
        assert_eq!(read.warnings[0].path, "messages[1].parts[6].state.raw");
    }

    #[test]
    fn events_are_in_the_order_in_which_their_parts_began() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("opencode/run.jsonl"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("ses_2b"));
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::Agent, "I ask the pilot.".to_owned(), 2),
                (Role::Agent, "The tide is 2.4 m.".to_owned(), 0),
            ]
        );
        let ids: Vec<_> = trajectory.calls().map(|call| call.id).collect();
        assert_eq!(ids, [Some("call_7"), Some("call_8")]);
        assert_eq!(read.warnings[0].path, "[6]");
    }

    #[test]
    fn a_call_without_a_state_is_a_warning() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"info":{"role":"assistant"},"parts":[{"type":"tool","tool":"f","callID":"a"}]}]"#,
        );
        assert_eq!(calls_of(&read.value[0]), [r#"{"id":"a","name":"f"}"#]);
        assert_eq!(read.warnings[0].path, "[0].parts[0]");
    }

    #[test]
    fn errors_name_the_place_and_what_is_missing() {
        let error = failure(
            r#"{"info":{"id":"s"},"messages":[{"info":{"role":"user"},"parts":[]},{"info":{"role":"wizard"},"parts":[]}]}"#,
        );
        assert_eq!(
            error.report().path.as_deref(),
            Some("messages[1].info.role")
        );
        let error = failure(r#"[{"info":{"role":"user"},"parts":[7]}]"#);
        assert_eq!(error.report().path.as_deref(), Some("[0].parts[0]"));
        let error = failure(r#"[{"info":{"role":"user"}}]"#);
        assert!(
            error.to_string().contains("opencode, but it lacks `parts`"),
            "{error}"
        );
    }
}
