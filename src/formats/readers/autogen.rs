//! Messages of AutoGen AgentChat: `[{source, type: "TextMessage", content}]`, alone or in a result `{messages,
//! stop_reason}`, and the messages of AutoGen Core in saved states of agents and teams. Each agent of a team is a
//! trajectory of its own.

use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::dialects::openai_chat::read_call;
use crate::kit::envelope::{Envelope, Held};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::marks::marks;
use crate::kit::message::{About, Message};
use crate::kit::signs::{Sign, items, kind, likeness_by};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Autogen,
    marks: &marks(["type", "llm_context", "agent_states"]),
    likeness,
    read,
};

const MESSAGES: &str = "messages";

/// What a message is, by its type.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Somebody says something.
    Text,
    /// What an agent is given, whoever wrote it.
    Given,
    Instruction,
    Calls,
    Results,
    /// The thought of the next message.
    Thought,
    /// A part of a text that follows as a whole.
    Chunk,
    /// The output of a program that an agent ran.
    Output,
    /// It has no text.
    Event,
}

fn kind_of(message: Json<'_>) -> Option<Kind> {
    let name = kind(message)?;
    let has_list = || !items(message, "content").is_empty();
    Some(match name {
        "TextMessage"
        | "StopMessage"
        | "HandoffMessage"
        | "MultiModalMessage"
        | "ToolCallSummaryMessage"
        | "CodeGenerationEvent" => Kind::Text,
        "AssistantMessage" if has_list() => Kind::Calls,
        "AssistantMessage" => Kind::Text,
        "UserMessage" => Kind::Given,
        "SystemMessage" | "MemoryQueryEvent" => Kind::Instruction,
        "ToolCallRequestEvent" | "ToolCallMessage" => Kind::Calls,
        "ToolCallExecutionEvent" | "ToolCallResultMessage" | "FunctionExecutionResultMessage" => {
            Kind::Results
        }
        "ThoughtEvent" => Kind::Thought,
        "ModelClientStreamingChunkEvent" => Kind::Chunk,
        "CodeExecutionEvent" => Kind::Output,
        "UserInputRequestedEvent" | "SelectSpeakerEvent" | "SelectorEvent" => Kind::Event,
        name if name.starts_with("StructuredMessage") => Kind::Text,
        _ => return None,
    })
}

fn likeness(value: Json<'_>) -> Likeness {
    match contexts_of(value).is_empty() {
        true => likeness_by(value, MESSAGES, sign),
        false => Likeness::Full,
    }
}

fn sign(message: Json<'_>) -> Sign {
    let has = |key| message.get(key).is_some();
    match kind_of(message) {
        Some(Kind::Event) if has("source") => Sign::Decisive,
        Some(_) if has("content") || has("result") => Sign::Decisive,
        _ => Sign::Open,
    }
}

/// What one agent was given and wrote, in a saved state.
struct Context<'a> {
    agent: Option<&'a str>,
    messages: &'a [Json<'a>],
    path: Path,
}

fn contexts_of<'a>(state: Json<'a>) -> Vec<Context<'a>> {
    let context = |agent, state: Json<'a>, path: Path| {
        let messages = state.get("llm_context")?.get(MESSAGES)?.items()?;
        let path = path.key("llm_context").key(MESSAGES);
        Some(Context {
            agent,
            messages,
            path,
        })
    };
    let states = "agent_states";
    let agents = state
        .get(states)
        .and_then(Json::members)
        .unwrap_or_default();
    let agents = agents.iter().filter_map(|(name, agent)| {
        let path = Path::root().key(states).key(name).key("agent_state");
        context(Some(*name), agent.get("agent_state")?, path)
    });
    context(None, state, Path::root())
        .into_iter()
        .chain(agents)
        .collect()
}

const ENVELOPE: Envelope = Envelope {
    what: "a list of messages, or {messages}",
    is_message: |it| it.get("type").is_some() && it.get(MESSAGES).is_none(),
    ids: &["id"],
    tools: &[&["tools"]],
    reads: |_, key, _| key == MESSAGES,
};

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let contexts = contexts_of(value);
    if !contexts.is_empty() {
        let read = |context: Context<'a>| {
            let mut conversation = Conversation::default();
            read_messages(context.messages, &context.path, &mut conversation, import)?;
            Ok(Trajectory {
                trajectory_id: context.agent,
                turns: conversation.into_turns(),
                ..Trajectory::default()
            })
        };
        return contexts.into_iter().map(read).collect();
    }
    let trajectory = ENVELOPE.open(
        value,
        import,
        &mut |held, conversation, import| match held {
            Held::List(list) => read_messages(list, &Path::root(), conversation, import),
            Held::Message(_) => {
                read_messages(import.slice(value), &Path::root(), conversation, import)
            }
            Held::Object(fields) => {
                let list = fields.items(MESSAGES, "a list of messages")?;
                read_messages(list, &fields.path().key(MESSAGES), conversation, import)
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
    let mut thought = None;
    for fields in Fields::each(messages, path, "a message: {type, source, content}") {
        let fields = fields?;
        let Some(kind) = kind_of(fields.value()) else {
            return Err(fields.mismatch("type", "the type of a message of AutoGen"));
        };
        let role = match kind {
            Kind::Results => {
                read_results(&fields, conversation, import)?;
                continue;
            }
            Kind::Chunk => continue,
            Kind::Thought => {
                thought = Some(fields.value());
                continue;
            }
            Kind::Given => Role::User,
            Kind::Instruction | Kind::Output | Kind::Event => Role::System,
            Kind::Text | Kind::Calls => match fields.text("source") {
                Some(name) if name.starts_with("user") => Role::User,
                _ => Role::Agent,
            },
        };
        let about = About::present(&fields, &["type", "content"], import);
        let mut message = Message::new(role, about, conversation);
        if let Some(thought) = thought.take_if(|_| role == Role::Agent) {
            message.other(thought);
        }
        match kind {
            Kind::Calls => read_calls(&fields, &mut message, import)?,
            _ => read_content(&fields, &mut message),
        }
        message.finish(import);
    }
    if let Some(thought) = thought {
        let mut message = Message::new(Role::Agent, About::default(), conversation);
        message.other(thought);
        message.finish(import);
    }
    Ok(())
}

/// Adds a content: a text, an object, or texts and others, which may have the text as `content`.
fn read_content<'a>(fields: &Fields<'a>, message: &mut Message<'_, 'a>) {
    match fields.get("content") {
        None | Some(Json::Null) => {
            let output = fields
                .get("result")
                .and_then(|it| it.get("output")?.as_str());
            if let Some(output) = output {
                message.text(output);
            }
        }
        Some(Json::String(text)) => message.text(text),
        Some(Json::Array(parts)) => {
            for part in parts {
                match part.get("content").unwrap_or(*part).as_str() {
                    Some(text) => message.text(text),
                    None => message.other(*part),
                }
            }
        }
        Some(other) => message.other(other),
    }
}

fn read_calls<'a>(
    fields: &Fields<'a>,
    message: &mut Message<'_, 'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let calls = fields.items("content", "a list of calls: {id, name, arguments}")?;
    for (at, call) in calls.iter().enumerate() {
        let place = || fields.path().key("content").index(at);
        message.call(import.within(&place, |import| read_call(*call, false, import))?);
    }
    Ok(())
}

fn read_results<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let what = "a result: {call_id, content}";
    let results = fields.items("content", "a list of results: {call_id, content}")?;
    for result in Fields::each(results, &fields.path().key("content"), what) {
        let result = result?;
        let failed = matches!(result.get("is_error"), Some(Json::Bool(true)));
        let content = result.get("content").unwrap_or_default();
        let answer = CallResult {
            id: result.text("call_id"),
            name: result.text("name"),
            outcome: Outcome::of(import.nested(content), failed),
        };
        let rest = result.rest(import.arena(), |key, _| {
            is_one_of(key, &["call_id", "name", "content", "is_error"])
        });
        if let Some(call) = conversation.result(&answer, result.path(), import) {
            import.keep(call, rest);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn a_result_of_a_team_is_one_conversation() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("autogen/result.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::User, "Which bus goes to the pier?".to_owned(), 0),
                (Role::System, "The pier is stop 12.".to_owned(), 0),
                (Role::Agent, String::new(), 2),
                (Role::Agent, "Bus 4 goes to the pier.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"c1","name":"buses","arguments":{"stop":12},"result":{"bus":4}}"#,
                r#"{"id":"c2","name":"buses","arguments":{"stop":99},"error":"no such stop"}"#,
            ]
        );
        assert_eq!(trajectory.turns[2].timestamp, Some("2026-05-01T07:00:03Z"));
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn each_agent_of_a_saved_team_is_a_trajectory() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("autogen/team-state.json"));
        let ids: Vec<_> = read.value.iter().map(|it| it.trajectory_id).collect();
        assert_eq!(ids, [Some("driver"), Some("clerk")]);
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"c1","name":"fuel","arguments":{},"result":"80 %"}"#]
        );
        assert_eq!(turns_of(&read.value[1]).len(), 2);
    }

    #[test]
    fn the_error_names_the_message_with_another_shape() {
        let path = |text: &str| failure(text).report().path.unwrap_or_default().to_string();
        let first = r#"{"source":"user","type":"TextMessage","content":"a"}"#;
        assert_eq!(
            path(&format!(r#"[{first},{{"type":"Dance"}}]"#)),
            "[1].type"
        );
        assert_eq!(
            path(&format!(
                r#"{{"messages":[{first},{{"type":"ToolCallRequestEvent","content":7}}]}}"#
            )),
            "messages[1].content"
        );
        assert_eq!(
            path(r#"{"llm_context":{"messages":[{"type":"ToolCallRequestEvent","content":[7]}]}}"#),
            "llm_context.messages[0].content[0]"
        );
    }
}
