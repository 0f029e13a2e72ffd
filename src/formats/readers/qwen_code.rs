//! Qwen Code sessions, one event per line: `{type: "user" | "assistant" | "tool_result", uuid, parentUuid, sessionId,
//! timestamp, message}`. Messages are contents of Gemini. Each subagent becomes a trajectory of its own.

use crate::kit::conversation::Conversation;
use crate::kit::dialects::gemini;
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::signs::{Sign, kind, likeness_of_rows};
use crate::kit::threads::{Thread, about, names_session, threads_of};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path, Role, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::QwenCode,
    marks: &[],
    likeness,
    read,
};

/// The types of events with a message.
const SAID: [&str; 3] = ["user", "assistant", "tool_result"];

fn likeness(value: Json<'_>) -> Likeness {
    likeness_of_rows(value, sign)
}

fn sign(event: Json<'_>) -> Sign {
    let parts = event.get("message").and_then(|it| it.get("parts"));
    match parts {
        Some(Json::Array(_)) if !is_said(event) => Sign::Open,
        Some(Json::Array(_)) if names_session(event) => Sign::Decisive,
        Some(Json::Array(_)) if event.get("uuid").is_some() => {
            Sign::Broken("a `sessionId` in its events")
        }
        _ => Sign::Open,
    }
}

fn is_said(event: Json<'_>) -> bool {
    kind(event).is_some_and(|kind| is_one_of(kind, &SAID))
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let events = match value {
        Json::Array(events) => events,
        one => import.slice(one),
    };
    let mut read = Vec::new();
    for thread in threads_of(events, &Path::root(), import)? {
        let mut conversation = Conversation::default();
        for event in thread.events.iter().filter(|event| is_said(event.value())) {
            read_event(event, &mut conversation, import)?;
        }
        if conversation.len() > 0 {
            read.push(trajectory_of(&thread, conversation));
        }
    }
    match read.is_empty() {
        false => Ok(read),
        true => Err(Error::invalid_input(
            Path::root(),
            "events of the user or the assistant",
            "none",
        )),
    }
}

fn trajectory_of<'a>(thread: &Thread<'a>, conversation: Conversation<'a>) -> Trajectory<'a> {
    Trajectory {
        trajectory_id: Some(thread.id).filter(|id| !id.is_empty()),
        turns: conversation.into_turns(),
        ..Trajectory::default()
    }
}

fn read_event<'a>(
    event: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let path = event.path().key("message");
    let message = event.get("message").unwrap_or_default();
    let message = Fields::of(message, path, "a message: {role, parts}")?;
    let role = match event.text("type") {
        Some("assistant") => Role::Agent,
        _ => Role::User,
    };
    let about = about(event, &["toolCallResult"], import);
    gemini::read_as(role, &message, about, conversation, import)
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn a_session_and_its_subagents_are_trajectories() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("qwen-code/session.jsonl"));
        let [main, side] = &read.value[..] else {
            panic!("{} trajectories", read.value.len());
        };
        assert_eq!(
            (main.trajectory_id, side.trajectory_id),
            (Some("q-1"), Some("q-1/scout-5"))
        );
        assert_eq!(
            turns_of(main),
            [
                (Role::User, "How deep is the well?".to_owned(), 0),
                (Role::Agent, "I measure.".to_owned(), 2),
                (Role::Agent, "It is 31 m deep.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(main),
            [
                r#"{"id":"call_1","name":"measure","arguments":{"of":"well"},"result":"31 m"}"#,
                r#"{"id":"call_2","name":"read_file","arguments":{"file_path":"/w.txt"},"error":"File not found: /w.txt"}"#,
            ]
        );
        assert_eq!(main.turns[1].timestamp, Some("2026-02-09T10:00:02.000Z"));
        assert_eq!(side.call_count(), 1);
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn events_with_messages_of_anthropic_are_of_claude_code() {
        let arena = Bump::new();
        let text = r#"[{"type":"user","uuid":"1","sessionId":"s","message":{"role":"user","content":"x"}}]"#;
        assert_eq!(imported(&arena, text).format, TrajectoryFormat::ClaudeCode);
        let text = r#"[{"type":"user","uuid":"1","sessionId":"s","message":{"role":"user","parts":[{"text":"x"}]}}]"#;
        assert_eq!(imported(&arena, text).format, TrajectoryFormat::QwenCode);
    }

    #[test]
    fn errors_name_the_place_and_what_is_missing() {
        let error = failure(
            r#"[{"type":"user","sessionId":"s","message":{"parts":[]}},{"type":"assistant","sessionId":"s","message":{"parts":[7]}}]"#,
        );
        assert_eq!(error.report().path.as_deref(), Some("[1].message.parts[0]"));
        let error = failure(r#"[{"type":"user","uuid":"1","message":{"parts":[]}}]"#);
        assert!(
            error
                .to_string()
                .contains("qwen-code, but it lacks a `sessionId`"),
            "{error}"
        );
    }
}
