//! Rows of Toucan: `{uuid, question, messages, tools}`, with the messages and the tools as texts of JSON. A call is a
//! message with `function_call`, or one with the role `tool_call`; calls that follow each other are parallel.

use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::dialects::openai_chat::{read_calls, read_message};
use crate::kit::dialects::text_calls::{literal, read_json_calls};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::marks::marks;
use crate::kit::message::{About, Message};
use crate::kit::signs::first_of;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Toucan,
    marks: &marks([
        "tools",
        "question",
        "uuid",
        "subset_name",
        "role=tool_call",
        "role=tool_response",
    ]),
    likeness,
    read,
};

const MESSAGES: &str = "messages";

fn likeness(value: Json<'_>) -> Likeness {
    let is_row = ["tools", "question", "uuid"]
        .iter()
        .any(|key| value.get(key).is_some());
    match value.get(MESSAGES) {
        Some(Json::String(text)) if is_row && text.trim_start().starts_with('[') => Likeness::Full,
        Some(Json::String(_)) if is_row => Likeness::Partial("the text of a list as `messages`"),
        Some(Json::Array(messages)) if first_of(messages).iter().any(is_own) => Likeness::Full,
        Some(Json::Array(_)) if value.get("subset_name").is_some() => Likeness::Full,
        _ => Likeness::None,
    }
}

/// Whether only this format has such a message.
fn is_own(message: &Json<'_>) -> bool {
    let role = message.get("role").and_then(Json::as_str);
    let is_text = message
        .get("content")
        .is_some_and(|it| it.as_str().is_some());
    is_text && matches!(role, Some("tool_call" | "tool_response"))
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let row = Fields::of(value, Path::root(), "a row: {question, messages, tools}")?;
    let listed = import.nested(row.get(MESSAGES).unwrap_or_default());
    let Json::Array(messages) = listed else {
        return Err(row.mismatch(MESSAGES, "a list of messages, or the text of one"));
    };
    let mut conversation = Conversation::default();
    read_messages(
        messages,
        &row.path().key(MESSAGES),
        &mut conversation,
        import,
    )?;
    let tools = row.get("tools").map(|tools| import.nested(tools));
    let is_some = |tools: &Json<'a>| tools.items().is_some_and(|it| !it.is_empty());
    let known = ["uuid", "tools", MESSAGES];
    Ok(vec![Trajectory {
        trajectory_id: row.text("uuid"),
        turns: conversation.into_turns(),
        tools: tools.filter(is_some),
        extra: row.rest(import.arena(), |key, value| match key {
            "expected_calls" => false,
            _ => value.is_null() || is_one_of(key, &known),
        }),
        ..Trajectory::default()
    }])
}

fn is_of_agent(message: &Fields<'_>) -> bool {
    matches!(message.text("role"), Some("assistant" | "tool_call"))
}

fn read_messages<'a>(
    messages: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let listed = Fields::each(messages, path, "a message: {role, content}");
    let listed = listed.collect::<Result<Vec<_>>>()?;
    let mut rest = listed.as_slice();
    while let [first, later @ ..] = rest {
        let own = rest.iter().take_while(|it| is_of_agent(it)).count();
        if own > 0 {
            read_answer(&rest[..own], conversation, import)?;
            rest = &rest[own..];
            continue;
        }
        match first.text("role") {
            Some("function" | "tool" | "tool_response") => {
                read_result(first, conversation, import);
            }
            _ => read_message(first, conversation, import)?,
        }
        rest = later;
    }
    Ok(())
}

/// Messages of the agent that follow each other: what it says, and parallel calls.
fn read_answer<'a>(
    messages: &[Fields<'a>],
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let mut answer = Message::new(Role::Agent, About::default(), conversation);
    for message in messages {
        let content = message.text("content").unwrap_or_default();
        if message.text("role") == Some("tool_call") {
            let path = message.path().key("content");
            answer.calls(read_json_calls(content, &path, import));
            continue;
        }
        if !content.is_empty() {
            answer.text(content);
        }
        answer.calls(read_calls(message, false, import)?);
        answer.keep(About::present(message, &OF_MESSAGES, import), import);
    }
    answer.finish(import);
    Ok(())
}

const OF_MESSAGES: [&str; 5] = ["role", "content", "function_call", "tool_calls", "name"];

fn read_result<'a>(
    message: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) {
    let content = message.get("content").unwrap_or(Json::String(""));
    let own = content.as_str().and_then(|text| literal(text, import));
    let result = CallResult {
        id: message.text("tool_call_id"),
        name: message.text("name"),
        outcome: Outcome::of(own.unwrap_or_else(|| import.content(content)), false),
    };
    conversation.result(&result, message.path(), import);
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn parallel_calls_get_their_own_results() {
        for row in [0, 1] {
            let arena = Bump::new();
            let read = imported(&arena, &fixture("toucan/rows.jsonl"));
            assert_eq!(read.format, TrajectoryFormat::Toucan);
            let trajectory = &read.value[row];
            let says = ["", "Both lines run until midnight."];
            let texts: Vec<_> = turns_of(trajectory).into_iter().skip(2).collect();
            assert_eq!(
                texts,
                [
                    (Role::Agent, says[0].to_owned(), 2),
                    (Role::Agent, says[1].to_owned(), 0)
                ],
                "{row}"
            );
            assert_eq!(
                calls_of(trajectory),
                [
                    r#"{"name":"metro-last_train","arguments":{"line":1},"result":"23:58"}"#,
                    r#"{"name":"metro-last_train","arguments":{"line":2},"result":{"at":"00:02"}}"#,
                ],
                "{row}"
            );
            assert!(trajectory.tools.is_some());
            assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        }
    }

    #[test]
    fn the_error_names_the_part_with_another_shape() {
        let path = |text: &str| failure(text).report().path.unwrap_or_default().to_string();
        assert_eq!(path(r#"{"uuid":"a","messages":"[7]"}"#), "messages[0]");
        assert_eq!(path(r#"{"uuid":"a","messages":"[x"}"#), "messages");
        let error = failure(r#"{"uuid":"a","messages":"x"}"#).to_string();
        assert!(
            error.contains("toucan, but it lacks the text of a list"),
            "{error}"
        );
    }
}
