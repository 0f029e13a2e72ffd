//! Trajectories of mini-swe-agent: `{info, messages, trajectory_format}`, or the messages alone. Version 2 calls functions,
//! in messages of the chat or the Responses API. Otherwise a text of the agent with exactly one fenced command is a call of
//! `bash`, and the next message is its result.

use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::dialects::openai_chat::read_message as read_chat;
use crate::kit::dialects::openai_items::read_items;
use crate::kit::envelope::{Envelope, Held};
use crate::kit::fields::Fields;
use crate::kit::message::{About, Message};
use crate::kit::signs::{items, kind, messages_of};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Member, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::MiniSweAgent,
    marks: &[],
    likeness,
    read,
};

const MESSAGES: &str = "messages";

/// The start of the results that the agent writes.
const RESULT: &str = "<returncode>";

/// The starts of commands in texts.
const FENCES: [&str; 2] = ["```mswea_bash_command\n", "```bash\n"];

fn likeness(value: Json<'_>) -> Likeness {
    let name = value.get("trajectory_format").and_then(Json::as_str);
    if name.is_some_and(|name| name.starts_with("mini-swe-agent")) {
        return match value.get(MESSAGES) {
            Some(Json::Array(_)) => Likeness::Full,
            _ => Likeness::Partial("a list of `messages`"),
        };
    }
    let messages = messages_of(value, MESSAGES);
    let runs = |pair: &[Json<'_>]| {
        text_of(pair[1], "user").is_some_and(|it| it.starts_with(RESULT))
            && text_of(pair[0], "assistant").is_some_and(|it| command_in(it).is_some())
    };
    match messages.windows(2).any(runs) {
        true => Likeness::Full,
        false => Likeness::None,
    }
}

/// The text of a message with this role.
fn text_of<'a>(message: Json<'a>, role: &str) -> Option<&'a str> {
    let text = message.get("content")?.as_str()?;
    (message.get("role")?.as_str() == Some(role)).then_some(text)
}

const ENVELOPE: Envelope = Envelope {
    what: "a trajectory: {messages}, or a list of messages",
    is_message: |it| it.get(MESSAGES).is_none(),
    ids: &["instance_id", "id"],
    tools: &[&["tools"]],
    reads: |_, key, _| key == MESSAGES,
};

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let trajectory = ENVELOPE.open(value, import, &mut |held, conversation, import| {
        let (messages, path) = match held {
            Held::List(messages) => (messages, Path::root()),
            Held::Message(_) => (import.slice(value), Path::root()),
            Held::Object(fields) => {
                let messages = fields.items(MESSAGES, "a list of messages")?;
                (messages, fields.path().key(MESSAGES))
            }
        };
        let mut awaits = false;
        for (at, message) in messages.iter().enumerate() {
            let path = path.index(at);
            awaits = read_message(*message, awaits, path, conversation, import)?;
        }
        Ok(())
    })?;
    Ok(vec![with_figures(trajectory, value, import)])
}

/// The trajectory with what the run and its messages say that they took, where scores read it. Messages say it in `extra`.
fn with_figures<'a>(
    mut trajectory: Trajectory<'a>,
    document: Json<'a>,
    import: &Import<'a>,
) -> Trajectory<'a> {
    let info = document.get("info").unwrap_or_default();
    let stats = info.get("model_stats").unwrap_or_default();
    let cost = number("cost", stats.get("instance_cost"));
    trajectory.extra = import.merge(trajectory.extra, cost.as_slice());
    for turn in &mut trajectory.turns {
        let said = Json::Object(turn.extra).get("extra").unwrap_or_default();
        let usage = said.get("response").and_then(|it| it.get("usage"));
        let usage = usage.filter(|usage| usage.members().is_some());
        let usage = usage.map(|usage| ("usage", usage));
        let figures: Vec<_> = usage
            .into_iter()
            .chain(number("cost", said.get("cost")))
            .collect();
        turn.extra = import.merge(turn.extra, &figures);
        let time = said.get("timestamp").filter(|time| !time.is_null());
        turn.timestamp = turn.timestamp.or(time.map(|time| import.label(time)));
    }
    trajectory
}

fn number<'a>(key: &'static str, value: Option<Json<'a>>) -> Option<Member<'a>> {
    let number = value.filter(|value| matches!(value, Json::Number(_)))?;
    Some((key, number))
}

/// Reads a message. Returns whether the next one is the result of a command in this text.
fn read_message<'a>(
    message: Json<'a>,
    awaits: bool,
    path: Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<bool> {
    let fields = Fields::of(message, path, "a message: {role, content}")?;
    if kind(message).is_some() {
        read_items(import.slice(message), fields.path(), conversation, import)?;
        return Ok(false);
    }
    if fields.text("object") == Some("response") {
        let path = fields.path().key("output");
        read_items(items(message, "output"), &path, conversation, import)?;
        return Ok(false);
    }
    let content = fields.text("content");
    match (fields.text("role"), content) {
        (Some("assistant"), Some(text)) if items(message, "tool_calls").is_empty() => {
            let about = About::present(&fields, &["role", "content", "tool_calls"], import);
            let mut turn = Message::new(Role::Agent, about, conversation);
            let command = command_in(text);
            turn.text(command.map_or(text, |command| {
                let around = [command.before.trim(), command.after.trim()];
                import.join_text(around.into_iter().filter(|text| !text.is_empty()))
            }));
            if let Some(command) = command {
                let arguments = [("command", Json::String(command.text))];
                turn.call(ToolCall {
                    name: Some("bash"),
                    arguments: Some(Json::Object(import.arena().alloc_slice_copy(&arguments))),
                    ..ToolCall::default()
                });
            }
            turn.finish(import);
            Ok(command.is_some())
        }
        (Some("user" | "exit"), Some(text)) if awaits => {
            let result = CallResult {
                id: None,
                name: Some("bash"),
                outcome: Outcome::Result(Json::String(text)),
            };
            conversation.result(&result, fields.path(), import);
            Ok(false)
        }
        (Some("exit"), text) => {
            let about = About::present(&fields, &["role", "content"], import);
            let mut turn = Message::new(Role::System, about, conversation);
            turn.text(text.unwrap_or_default());
            turn.finish(import);
            Ok(false)
        }
        _ => {
            read_chat(&fields, conversation, import)?;
            Ok(false)
        }
    }
}

/// A command in a text.
#[derive(Clone, Copy)]
struct Command<'t> {
    before: &'t str,
    text: &'t str,
    after: &'t str,
}

/// The one command in a text. The agent refuses texts with several.
fn command_in(text: &str) -> Option<Command<'_>> {
    let fence = FENCES.into_iter().find(|fence| text.contains(fence))?;
    let (before, rest) = text.split_once(fence)?;
    let (inside, after) = rest.split_once("\n```")?;
    (!after.contains(fence)).then_some(Command {
        before,
        text: inside.trim(),
        after,
    })
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn fenced_commands_are_calls() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("mini-swe-agent/text.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::System, "You work in a shell.".to_owned(), 0),
                (Role::User, "Count the keys.".to_owned(), 0),
                (Role::Agent, "I count.".to_owned(), 1),
                (
                    Role::Agent,
                    "First this:\n```bash\nls\n```\nthen that:\n```bash\npwd\n```".to_owned(),
                    0
                ),
                (Role::User, "Write exactly one command.".to_owned(), 0),
                (Role::Agent, "Done.".to_owned(), 1),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"name":"bash","arguments":{"command":"ls keys | wc -l"},"result":"<returncode>0</returncode>\n<output>\n7\n</output>"}"#,
                r#"{"name":"bash","arguments":{"command":"echo SUBMIT"},"result":"7 keys"}"#,
            ]
        );
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn version_2_calls_functions() {
        for name in ["chat", "responses"] {
            let arena = Bump::new();
            let read = imported(&arena, &fixture(&format!("mini-swe-agent/{name}.json")));
            let calls = calls_of(&read.value[0]);
            let head =
                r#"{"id":"call_1","name":"bash","arguments":{"command":"ls keys"},"result":"a b"#;
            assert!(calls[0].starts_with(head), "{name}: {calls:?}");
            assert_eq!(calls.len(), 1, "{name}");
            assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        }
    }

    #[test]
    fn messages_and_the_run_say_what_they_took() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("mini-swe-agent/chat.json"));
        let trajectory = &read.value[0];
        let cost = |members| Json::Object(members).get("cost");
        let turn = trajectory.agent_turns().next().expect("a turn").1;
        let tenth = Some(Json::Number(toolgauge_model::Number::Float(0.1)));
        assert_eq!((cost(turn.extra), cost(trajectory.extra)), (tenth, tenth));
        assert_eq!(turn.timestamp, Some("1790000000.5"));
    }

    #[test]
    fn the_error_names_the_message_with_another_shape() {
        let text = r#"{"trajectory_format":"mini-swe-agent-1.1","messages":[{"role":"user","content":"a"},7]}"#;
        assert_eq!(failure(text).report().path.as_deref(), Some("messages[1]"));
        let error = failure(r#"{"trajectory_format":"mini-swe-agent-1.1"}"#).to_string();
        assert!(
            error.contains("mini-swe-agent, but it lacks a list"),
            "{error}"
        );
    }
}
