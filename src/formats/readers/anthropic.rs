//! Anthropic messages: a list, a request `{system, messages, tools}`, or a response `{type:
//! "message", role, content}`, or the content of an answer alone. Calls are blocks `tool_use`. Their results are blocks `tool_result` in
//! the next user message. If the server runs the tool, both are in the assistant's message.

use crate::kit::conversation::Conversation;
use crate::kit::dialects::anthropic::{
    about, is_call, is_result, read_blocks, read_into, read_message,
};
use crate::kit::envelope::{Envelope, Held};
use crate::kit::fields::Fields;
use crate::kit::marks::marks;
use crate::kit::message::{About, Message};
use crate::kit::signs::{Sign, items, kind, likeness_by, plain_or_open};
use crate::kit::tool_call::{CallFormat, CallShape};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Anthropic,
    marks: &marks(["type", "system", "input_schema", "stop_reason"]),
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    let is_request = value.get("messages").is_some_and(|it| it.items().is_some());
    let has_system = value.get("system").is_some_and(is_text);
    let has_tools = items(value, "tools")
        .iter()
        .any(|tool| tool.get("input_schema").is_some());
    match likeness_by(value, "messages", sign) {
        _ if value.items().is_some_and(are_blocks) => Likeness::Full,
        Likeness::Full => Likeness::Full,
        _ if is_request && (has_system || has_tools) => Likeness::Full,
        other => other,
    }
}

/// Whether a list is the content of a message that calls tools.
fn are_blocks(items: &[Json<'_>]) -> bool {
    let is_text = |block: &Json<'_>| block.get("text").is_some_and(|it| it.as_str().is_some());
    let is_block =
        |block: &Json<'_>| is_own_block(*block) || (kind(*block) == Some("text") && is_text(block));
    let calls = |block: &Json<'_>| {
        CallShape::of_list(std::slice::from_ref(block)) == Some(CallFormat::Anthropic)
    };
    items.iter().all(is_block) && items.iter().any(calls)
}

fn is_text(value: Json<'_>) -> bool {
    match value {
        Json::String(_) => true,
        Json::Array(blocks) => {
            !blocks.is_empty() && blocks.iter().all(|block| kind(*block) == Some("text"))
        }
        _ => false,
    }
}

fn sign(message: Json<'_>) -> Sign {
    let is_response = kind(message) == Some("message") && message.get("stop_reason").is_some();
    let is_own = |block: &Json<'_>| is_own_block(*block);
    if !is_response && !items(message, "content").iter().any(is_own) {
        return plain_or_open(message);
    }
    match message.get("role").and_then(Json::as_str) {
        Some("user" | "assistant" | "system") => Sign::Decisive,
        _ => Sign::Broken("the roles user and assistant"),
    }
}

fn is_own_block(block: Json<'_>) -> bool {
    match kind(block) {
        Some("thinking" | "redacted_thinking") => true,
        Some("image" | "document") => block.get("source").is_some(),
        Some(kind) => is_call(kind) || is_result(kind),
        None => false,
    }
}

const ENVELOPE: Envelope = Envelope {
    what: "a list of messages, or {messages}",
    is_message: |it| it.get("content").is_some(),
    ids: &["id"],
    tools: &[&["tools"]],
    reads: |_, key, value| match key {
        "system" | "messages" => true,
        "id" => value.as_str().is_some(),
        _ => false,
    },
};

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let mut response_id = None;
    let trajectory = ENVELOPE.open(
        value,
        import,
        &mut |held, conversation, import| match held {
            Held::List(blocks) if are_blocks(blocks) => {
                let mut message = Message::new(Role::Agent, About::default(), conversation);
                read_blocks(blocks, &Path::root(), false, &mut message, import)?;
                message.finish(import);
                Ok(())
            }
            Held::List(messages) => read_into(messages, &Path::root(), conversation, import),
            Held::Message(message) => {
                response_id = message.text("id");
                read_message(message, about(message, import), conversation, import)
            }
            Held::Object(fields) => {
                read_system(fields, conversation, import)?;
                let messages = fields.items("messages", "a list of messages")?;
                read_into(
                    messages,
                    &fields.path().key("messages"),
                    conversation,
                    import,
                )
            }
        },
    )?;
    Ok(vec![Trajectory {
        trajectory_id: trajectory.trajectory_id.or(response_id),
        ..trajectory
    }])
}

fn read_system<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &Import<'a>,
) -> Result<()> {
    match fields.get("system") {
        None | Some(Json::Null) => {}
        Some(Json::String(text)) => conversation.turn(Role::System, text, Vec::new()),
        Some(Json::Array(blocks)) => {
            let texts = blocks
                .iter()
                .filter_map(|block| block.get("text")?.as_str());
            conversation.turn(Role::System, import.join_text(texts), Vec::new());
        }
        Some(_) => return Err(fields.mismatch("system", "a text or a list of text blocks")),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn a_request_is_read_with_its_parallel_calls_and_errors() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("anthropic/request.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (
                    Role::System,
                    "You book ferries.\nPrices are in euros.".to_owned(),
                    0
                ),
                (
                    Role::User,
                    "When do the ferries from Turku and Naantali leave for Kapellskär tomorrow?"
                        .to_owned(),
                    0
                ),
                (Role::Agent, "I will look at both ports.".to_owned(), 2),
                (Role::User, "Take whichever leaves first.".to_owned(), 0),
                (Role::Agent, String::new(), 1),
                (
                    Role::Agent,
                    "You leave Naantali at 10:45 for 48.50 €.".to_owned(),
                    0
                ),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"toolu_1","name":"find_crossings","arguments":{"from":"Turku","to":"Kapellskär"},"error":"The port of Turku does not answer."}"#,
                r#"{"id":"toolu_2","name":"find_crossings","arguments":{"from":"Naantali","to":"Kapellskär"},"result":{"crossings":[{"id":"N7","leaves":"10:45"}]},"cache_control":{"type":"ephemeral"}}"#,
                r#"{"id":"toolu_1","name":"book","arguments":{"crossing":"N7"},"result":[{"booked":true},{"price":48.5}]}"#,
            ]
        );
        let thought = trajectory.turns[2].extra;
        assert_eq!(thought[0].0, "parts");
        assert!(trajectory.tools.is_some());
        let kept: Vec<_> = trajectory.extra.iter().map(|(key, _)| *key).collect();
        assert_eq!(kept, ["model", "max_tokens"]);
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn calls_that_the_server_ran_are_read_with_their_outcomes() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("anthropic/server-tools.json"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("msg_9"));
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::Agent, "Let me search.".to_owned(), 1),
                (Role::Agent, String::new(), 1),
                (Role::Agent, String::new(), 1),
                (Role::Agent, "Bengtskär, at 52 metres.".to_owned(), 0),
            ]
        );
        let calls = calls_of(trajectory);
        assert!(calls[0].contains(r#""result":[{"type":"web_search_result","#));
        assert_eq!(
            calls[1],
            r#"{"id":"mcptoolu_1","name":"height_of","arguments":{"name":"Bengtskär"},"result":{"metres":52},"type":"mcp_tool_use","server_name":"towers"}"#
        );
        assert!(calls[2].contains(
            r#""error":{"type":"web_fetch_tool_result_error","error_code":"url_not_accessible"}"#
        ));
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn a_call_that_the_end_of_the_answer_cut_off_is_incomplete() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"type":"message","role":"assistant","stop_reason":"max_tokens","content":[
                {"type":"tool_use","id":"a","name":"f","input":{"x":1}},
                {"type":"tool_use","id":"b","name":"f","input":{}}]}"#,
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"id":"a","name":"f","arguments":{"x":1}}"#,
                r#"{"id":"b","name":"f","arguments":{},"incomplete":true}"#,
            ]
        );
        assert_eq!(read.warnings.len(), 1);
        assert_eq!(read.warnings[0].path, "content[1].input");
    }

    #[test]
    fn results_without_call_and_calls_without_result_stay_apart() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},
                {"role":"user","content":[{"type":"tool_result","tool_use_id":"ghost","content":"boo"}]},
                {"role":"user","content":[]}]"#,
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"a","name":"f","arguments":{}}"#]
        );
        assert_eq!(read.value[0].turns.len(), 2);
        assert_eq!(read.warnings[0].path, "[1].content[0]");
    }

    #[test]
    fn the_error_names_the_part_with_another_shape() {
        let path = |text: &str| failure(text).report().path;
        let message = |content| {
            format!(
                r#"[{{"role":"user","content":[{{"type":"tool_result"}}]}},{{"role":"user","content":{content}}}]"#
            )
        };
        assert_eq!(path(&message("7")).as_deref(), Some("[1].content"));
        assert_eq!(path(&message("[7]")).as_deref(), Some("[1].content[0]"));
        assert_eq!(
            path(&message("[{}]")).as_deref(),
            Some("[1].content[0].type")
        );
        assert_eq!(
            path(&message(r#"[{"type":"text"}]"#)).as_deref(),
            Some("[1].content[0].text")
        );
    }
}
