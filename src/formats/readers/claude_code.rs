//! Claude Code sessions, one event per line. Saved events are `{type: "user" |
//! "assistant", uuid, sessionId, isSidechain, timestamp, message}`, streamed ones have
//! `session_id`. Sessions on the web are `{loglines: [event]}`. Messages are those of Anthropic. A streamed
//! message is split over several events with the same `message.id`. Each subagent becomes a trajectory of its own.

use foldhash::HashMap;

use crate::kit::conversation::Conversation;
use crate::kit::dialects::anthropic;
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::marks::marks;
use crate::kit::message::About;
use crate::kit::signs::{Sign, items, kind, likeness_by};
use crate::kit::threads::{self, about, names_session, threads_of};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Member, Path, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::ClaudeCode,
    marks: &marks(["type"]),
    likeness,
    read,
};

/// The members of an object that may hold the events.
const LISTS: [&str; 2] = ["events", "loglines"];

fn likeness(value: Json<'_>) -> Likeness {
    likeness_by(value, list_of(value), sign)
}

/// The member that holds the events.
fn list_of(value: Json<'_>) -> &'static str {
    let held = LISTS.into_iter().find(|key| value.get(key).is_some());
    held.unwrap_or(LISTS[0])
}

fn sign(event: Json<'_>) -> Sign {
    let is_named = names_session(event);
    let is_said = matches!(kind(event), Some("user" | "assistant"));
    match event.get("message") {
        // Other programs write such events, too, with `parts` instead of a content.
        Some(message @ Json::Object(_)) if is_said && message.get("content").is_none() => {
            Sign::Open
        }
        Some(Json::Object(_)) if is_said && is_named => Sign::Decisive,
        Some(Json::Object(_)) if is_said && event.get("timestamp").is_some() => Sign::Decisive,
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
    /// How many messages of subagents its program reported.
    reported: usize,
    /// What the last event of a stream says of the session: its duration, usage and cost.
    summary: &'a [Member<'a>],
}

/// The members of the last event of a stream that the trajectory does not keep: its answer is that of a message.
const OF_SUMMARIES: [&str; 7] = [
    "type",
    "uuid",
    "session_id",
    "result",
    "turns",
    "tools",
    "trajectory_id",
];

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let (events, path) = match value {
        Json::Array(events) => (events, Path::root()),
        _ if value.get("message").is_some() => (import.slice(value), Path::root()),
        _ => (
            items(value, list_of(value)),
            Path::root().key(list_of(value)),
        ),
    };
    let mut read = Vec::new();
    for threads::Thread { id, events } in threads_of(events, &path, import)? {
        let mut thread = Thread::default();
        for event in events {
            thread.event(event, import)?;
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
    /// event of a stream lists the tools. An attachment is what the program shows the model besides the messages.
    fn event(&mut self, event: Fields<'a>, import: &Import<'a>) -> Result<()> {
        let members = match (event.text("type"), event.get("message")) {
            (Some("user" | "assistant"), Some(message @ Json::Object(_))) => message,
            (Some("user" | "assistant"), _) => {
                return Err(event.mismatch("message", "a message: {role, content}"));
            }
            (Some("attachment"), _) => Json::Object(&[("role", Json::String("system"))]),
            (Some("result"), _) => {
                self.summary = event.rest(import.arena(), |key, value| {
                    is_one_of(key, &OF_SUMMARIES) || value.is_null()
                });
                return Ok(());
            }
            _ => {
                self.tools = self.tools.or(tools_of(&event));
                self.reported += usize::from(is_report(event.value()));
                return Ok(());
            }
        };
        let content = match members.get("content") {
            Some(Json::Array(blocks)) => blocks.to_vec(),
            _ => Vec::new(),
        };
        let id = members.get("id").and_then(Json::as_str);
        let known = id.and_then(|id| self.by_id.get(id).copied());
        match known {
            Some(at) => {
                self.messages[at].content.extend(content);
                // The last event says why the message ended and what it used.
                self.messages[at].members = members;
            }
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
            let about = about_of(&message.event, &fields, import);
            anthropic::read_message(&fields, about, &mut conversation, import)?;
        }
        if self.reported > 0 {
            let what = format!(
                "the messages of subagents that are only reported are not read ({}): their own files hold them, subagents/agent-<id>.jsonl",
                self.reported
            );
            import.warn(&Path::root(), what);
        }
        Ok(Trajectory {
            trajectory_id: Some(id).filter(|id| !id.is_empty()),
            turns: conversation.into_turns(),
            tools: self.tools,
            extra: self.summary,
            ..Trajectory::default()
        })
    }
}

/// Whether an event is what the program reports of a message of a subagent, whose file holds the message itself.
fn is_report(event: Json<'_>) -> bool {
    let message = event.get("data").and_then(|data| data.get("message"));
    kind(event) == Some("progress") && message.is_some_and(|it| it.get("message").is_some())
}

impl<'a> Message<'a> {
    /// The message with the content of all its events. Its role is the type of the event, if it has none of its own.
    /// The one result of a message keeps what the program logged of it, and each result when it was written.
    fn whole(&self, import: &Import<'a>) -> Json<'a> {
        let members = self.members.members().unwrap_or_default();
        let role = self.event.text("type").map(Json::String);
        let role = role.map(|role| ("role", role)).into_iter();
        let role = role.filter(|_| self.members.get("role").is_none());
        let mut all: Vec<_> = members.iter().copied().chain(role).collect();
        for (key, value) in &mut all {
            if *key == "content" && value.items().is_some() {
                *value = Json::Array(import.arena().alloc_slice_copy(&self.blocks(import)));
            }
        }
        Json::Object(import.arena().alloc_slice_copy(&all))
    }

    fn blocks(&self, import: &Import<'a>) -> Vec<Json<'a>> {
        let mut blocks = self.content.clone();
        let logged = self.event.one_value(LOGGED);
        if let ([Json::Object(block)], [logged @ Json::Object(_)]) = (blocks.as_slice(), logged)
            && kind(blocks[0]) == Some("tool_result")
        {
            blocks[0] = Json::Object(import.merge(block, &[(LOGGED, *logged)]));
        }
        let written = self.event.text("timestamp").map(Json::String);
        if let Some(written) = written {
            for block in &mut blocks {
                if let (Some("tool_result"), Json::Object(members)) = (kind(*block), *block) {
                    *block = Json::Object(import.merge(members, &[(ENDED, written)]));
                }
            }
        }
        blocks
    }
}

/// The member of a result, and so of its call, with the time at which it was written.
const ENDED: &str = "ended_at";

/// The member of an event that holds the result of its message as the program knows it: in parts.
const LOGGED: &str = "toolUseResult";

/// The members of a message's first event, and those of the message. `null` and `false` are left out.
fn about_of<'a>(event: &Fields<'a>, message: &Fields<'a>, import: &Import<'a>) -> About<'a> {
    let about = about(event, &[], import);
    let own = message.rest(import.arena(), |key, value| {
        is_one_of(key, &OF_MESSAGES) || matches!(value, Json::Null | Json::Bool(false))
    });
    About {
        extra: import.merge(about.extra, own),
        ..about
    }
}

/// The members of a message that are read, or that a turn has of its own.
const OF_MESSAGES: [&str; 7] = [
    "type",
    "role",
    "content",
    "turn_id",
    "timestamp",
    "tool_calls",
    "message",
];

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
    use toolgauge_model::{Json, Role};

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
    fn a_call_keeps_when_its_result_was_written() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("claude-code/session.jsonl"));
        let call = read.value[0].calls().next().expect("a call");
        let ended = Json::Object(call.extra).get("ended_at");
        assert_eq!(ended, Some(Json::String("2026-02-01T08:00:04.000Z")));
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
                {"type":"result","subtype":"success","session_id":"s","result":"done","total_cost_usd":0.5}]"#,
        );
        let ids: Vec<_> = read.value.iter().map(|it| it.trajectory_id).collect();
        assert_eq!(ids, [Some("s"), Some("s/t")]);
        assert_eq!(read.value[0].tools, None);
        let kept: Vec<_> = read.value[0].extra.iter().map(|(key, _)| *key).collect();
        assert_eq!(kept, ["subtype", "total_cost_usd"]);
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"t","name":"Bash","arguments":{"command":"ls"},"result":"a"}"#]
        );
    }

    #[test]
    fn sessions_on_the_web_and_shortened_ones_are_read() {
        let said = |text: &str| {
            let arena = Bump::new();
            let read = imported(&arena, text);
            assert_eq!(read.format.label(), "claude-code");
            (turns_of(&read.value[0]), calls_of(&read.value[0]))
        };
        let events = r#"[{"type":"user","timestamp":"t1","message":{"content":"Look."}},
            {"type":"assistant","timestamp":"t2","message":{"content":[{"type":"tool_use","id":"a","name":"LS","input":{}}]}},
            {"type":"user","timestamp":"t3","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":"b.txt"}]},
             "toolUseResult":{"stdout":"b.txt"}},
            {"type":"attachment","timestamp":"t4","attachment":{"type":"file","filename":"b.txt"}},
            {"type":"assistant","timestamp":"t5","message":{"content":[{"type":"text","text":"b.txt"}]}}]"#;
        let expected = (
            vec![
                (Role::User, "Look.".to_owned(), 0),
                (Role::Agent, String::new(), 1),
                (Role::System, String::new(), 0),
                (Role::Agent, "b.txt".to_owned(), 0),
            ],
            vec![
                r#"{"id":"a","name":"LS","arguments":{},"result":"b.txt","toolUseResult":{"stdout":"b.txt"}}"#.to_owned(),
            ],
        );
        assert_eq!(said(events), expected);
        assert_eq!(said(&format!(r#"{{"loglines":{events}}}"#)), expected);
    }

    #[test]
    fn messages_of_subagents_that_are_only_reported_are_a_warning() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"type":"user","sessionId":"s","message":{"role":"user","content":"go"}},
                {"type":"progress","sessionId":"s","data":{"type":"agent_progress","agentId":"b","message":{"type":"assistant","message":{"role":"assistant","content":[]}}}},
                {"type":"progress","sessionId":"s","data":{"type":"bash_progress","output":""}}]"#,
        );
        assert_eq!(read.value.len(), 1);
        assert_eq!(read.warnings.len(), 1);
        assert!(
            read.warnings[0]
                .message
                .contains("only reported are not read (1)")
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
