//! Claude Code sessions, one event per line. Saved events are `{type: "user" |
//! "assistant", uuid, sessionId, isSidechain, timestamp, message}`, streamed ones have
//! `session_id`. Messages are those of Anthropic. A streamed message is split over several
//! events with the same `message.id`. Each subagent becomes a trajectory of its own.

use foldhash::HashMap;

use crate::kit::conversation::Conversation;
use crate::kit::dialects::anthropic;
use crate::kit::fields::Fields;
use crate::kit::signs::{Sign, items, kind, likeness_by};
use crate::kit::threads::{self, about, names_session, threads_of};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::ClaudeCode,
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    likeness_by(value, "events", sign)
}

fn sign(event: Json<'_>) -> Sign {
    let is_named = names_session(event);
    let is_said = matches!(kind(event), Some("user" | "assistant"));
    match event.get("message") {
        // A message with `parts` is one of Gemini.
        Some(message) if message.get("parts").is_some() => Sign::Open,
        Some(Json::Object(_)) if is_said && is_named => Sign::Decisive,
        Some(Json::Object(_)) if is_said && event.get("uuid").is_some() => {
            Sign::Broken("a `sessionId` in its events")
        }
        _ if is_said && is_named && event.get("uuid").is_some() => {
            Sign::Broken("a `message` in its events")
        }
        _ => Sign::Open,
    }
}

/// One message, which may be split over several events.
struct Message<'a> {
    event: Fields<'a>,
    members: Json<'a>,
    content: Vec<Json<'a>>,
}

/// The messages of a session, or of one subagent in it.
#[derive(Default)]
struct Thread<'a> {
    tools: Option<Json<'a>>,
    messages: Vec<Message<'a>>,
    by_id: HashMap<&'a str, usize>,
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let (events, path) = match value {
        Json::Array(events) => (events, Path::root()),
        _ if value.get("message").is_some() => (import.slice(value), Path::root()),
        _ => (items(value, "events"), Path::root().key("events")),
    };
    let mut read = Vec::new();
    for threads::Thread { id, events } in threads_of(events, &path, import)? {
        let mut thread = Thread::default();
        for event in events {
            thread.event(event)?;
        }
        if !thread.messages.is_empty() {
            read.push(thread.read(id, import)?);
        }
    }
    if read.is_empty() {
        let expected = "events of the user or the assistant";
        return Err(Error::invalid_input(path, expected, "none"));
    }
    Ok(read)
}

impl<'a> Thread<'a> {
    /// Adds an event. Events of other types are about the program, not the conversation. The first
    /// event of a stream lists the tools.
    fn event(&mut self, event: Fields<'a>) -> Result<()> {
        if !matches!(event.text("type"), Some("user" | "assistant")) {
            self.tools = self.tools.or(tools_of(&event));
            return Ok(());
        }
        let members = match event.get("message") {
            Some(message @ Json::Object(_)) => message,
            _ => return Err(event.mismatch("message", "a message: {role, content}")),
        };
        let content = match members.get("content") {
            Some(Json::Array(blocks)) => blocks.to_vec(),
            _ => Vec::new(),
        };
        let id = members.get("id").and_then(Json::as_str);
        let known = id.and_then(|id| self.by_id.get(id).copied());
        match known {
            Some(at) => self.messages[at].content.extend(content),
            None => {
                if let Some(id) = id {
                    self.by_id.insert(id, self.messages.len());
                }
                self.messages.push(Message {
                    event,
                    members,
                    content,
                });
            }
        }
        Ok(())
    }

    fn read(self, id: &'a str, import: &mut Import<'a>) -> Result<Trajectory<'a>> {
        let mut conversation = Conversation::default();
        for message in &self.messages {
            let members = message.whole(import);
            let path = message.event.path().key("message");
            let fields = Fields::of(members, path, "a message: {role, content}")?;
            let about = about(&message.event, &[], import);
            anthropic::read_message(&fields, about, &mut conversation, import)?;
        }
        Ok(Trajectory {
            trajectory_id: Some(id).filter(|id| !id.is_empty()),
            turns: conversation.into_turns(),
            tools: self.tools,
            ..Trajectory::default()
        })
    }
}

impl<'a> Message<'a> {
    /// The message with the content of all its events.
    fn whole(&self, import: &Import<'a>) -> Json<'a> {
        let members = self.members.members().unwrap_or_default();
        if !matches!(self.members.get("content"), Some(Json::Array(_))) {
            return self.members;
        }
        let all = import.arena().alloc_slice_copy(members);
        for (key, value) in all.iter_mut() {
            if *key == "content" {
                *value = Json::Array(import.arena().alloc_slice_copy(&self.content));
            }
        }
        Json::Object(all)
    }
}

/// The tools in the first event of a stream, if they are definitions and not only names.
fn tools_of<'a>(event: &Fields<'a>) -> Option<Json<'a>> {
    let tools = event.get("tools")?;
    let are_definitions = tools.items()?.iter().all(|tool| tool.members().is_some());
    (are_definitions && tools.items() != Some(&[])).then_some(tools)
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use crate::testing::{calls_of, failure, fixture, imported, turns_of};
    use toolgauge_model::Role;

    #[test]
    fn events_of_one_message_are_one_turn_and_subagents_trajectories() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("claude-code/session.jsonl"));
        let [main, side] = &read.value[..] else {
            panic!("{} trajectories", read.value.len());
        };
        assert_eq!(main.trajectory_id, Some("s-1"));
        assert_eq!(
            turns_of(main),
            [
                (Role::User, "Which files are there?".to_owned(), 0),
                (Role::Agent, "I look.".to_owned(), 2),
                (Role::Agent, "There is a.txt.".to_owned(), 0),
            ]
        );
        assert_eq!(main.turns[1].timestamp, Some("2026-02-01T08:00:02.000Z"));
        let calls = calls_of(main);
        assert!(
            calls[0].starts_with(
                r#"{"id":"tu_1","name":"LS","arguments":{"path":"."},"result":"a.txt""#
            ),
            "{calls:?}"
        );
        assert!(
            calls[1].starts_with(
                r#"{"id":"tu_2","name":"Read","arguments":{"path":"b.txt"},"error":"no such file""#
            ),
            "{calls:?}"
        );
        assert_eq!(side.trajectory_id, Some("s-1/e-20"));
        assert_eq!(turns_of(side).len(), 2);
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn streams_are_read_too() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"type":"system","subtype":"init","session_id":"s","tools":["Bash"]},
                {"type":"assistant","session_id":"s","parent_tool_use_id":null,"uuid":"1","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]}},
                {"type":"assistant","session_id":"s","parent_tool_use_id":"t","uuid":"2","message":{"id":"n","role":"assistant","content":[{"type":"text","text":"below"}]}},
                {"type":"user","session_id":"s","parent_tool_use_id":null,"uuid":"3","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"a"}]}},
                {"type":"result","subtype":"success","session_id":"s","result":"done"}]"#,
        );
        let ids: Vec<_> = read.value.iter().map(|it| it.trajectory_id).collect();
        assert_eq!(ids, [Some("s"), Some("s/t")]);
        assert_eq!(read.value[0].tools, None);
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"t","name":"Bash","arguments":{"command":"ls"},"result":"a"}"#]
        );
    }

    #[test]
    fn the_error_names_what_half_a_session_lacks() {
        let reason = |text| failure(text).to_string();
        assert!(
            reason(r#"[{"type":"user","uuid":"1","message":{"role":"user","content":"x"}}]"#)
                .contains("claude-code, but it lacks a `sessionId`")
        );
        assert!(
            reason(r#"[{"type":"user","uuid":"1","sessionId":"s"}]"#)
                .contains("claude-code, but it lacks a `message`")
        );
        let error = failure(
            r#"[{"type":"user","sessionId":"s","message":{"role":"user","content":"x"}},{"type":"assistant","sessionId":"s","message":{"role":"assistant","content":[{"type":"text"}]}}]"#,
        );
        assert_eq!(
            error.report().path.as_deref(),
            Some("[1].message.content[0].text")
        );
    }
}
