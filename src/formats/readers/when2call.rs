//! Rows of When2Call. Tests `{question, tools, correct_answer, answers: {tool_call, …}}` and preferences `{messages, tools,
//! chosen_response, rejected_response}` say which call, if any, is the answer: the expected calls. Training rows
//! `{messages, tools}` are conversations with calls in `<TOOLCALL>`. Each tool is the text of a definition.

use crate::kit::conversation::Conversation;
use crate::kit::dialects::openai_chat::read_message;
use crate::kit::dialects::text_calls::{KnownTools, read_json_calls, split};
use crate::kit::fields::Fields;
use crate::kit::signs::{first_of, items};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{ExpectedCall, Json, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::When2call,
    marks: &[],
    likeness,
    read,
};

const RIGHT: &str = "correct_answer";
const ANSWERS: &str = "answers";
const CHOSEN: &str = "chosen_response";
const REJECTED: &str = "rejected_response";
const MESSAGES: &str = "messages";

/// The kind of answer that calls a tool.
const CALL: &str = "tool_call";

/// The mark before calls in a text.
const MARK: &str = "<TOOLCALL>";

fn likeness(value: Json<'_>) -> Likeness {
    let messages = items(value, MESSAGES);
    let is_text = |tool: &Json<'_>| tool.as_str().is_some_and(|it| it.starts_with('{'));
    let tools = items(value, "tools");
    let has_tools = !tools.is_empty() && tools.iter().all(is_text);
    let calls = |message: &Json<'_>| {
        let content = message.get("content").and_then(Json::as_str);
        content.is_some_and(|text| text.contains(MARK))
    };
    let is_right = value.get(RIGHT).is_some_and(|it| it.as_str().is_some());
    match (value.get(ANSWERS), value.get(CHOSEN)) {
        (Some(answers @ Json::Object(_)), _) if is_right && answers.get(CALL).is_some() => {
            Likeness::Full
        }
        (_, Some(_)) if value.get(REJECTED).is_some() && !messages.is_empty() => Likeness::Full,
        _ if has_tools && first_of(messages).iter().any(calls) => Likeness::Full,
        _ => Likeness::None,
    }
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let row = Fields::of(
        value,
        Path::root(),
        "a row: {question, answers}, or {messages}",
    )?;
    let mut conversation = Conversation::default();
    if let Some(question) = row.text("question") {
        conversation.turn(Role::User, question, Vec::new());
    }
    let messages = row.optional_items(MESSAGES, "a list of messages")?;
    for message in Fields::each(
        messages,
        &row.path().key(MESSAGES),
        "a message: {role, content}",
    ) {
        let message = message?;
        match (message.text("role"), message.text("content")) {
            (Some("assistant"), Some(text)) => {
                let path = message.path().key("content");
                let (said, calls) = parts_of(text, &path, import);
                conversation.turn(Role::Agent, said, calls);
            }
            _ => read_message(&message, &mut conversation, import)?,
        }
    }
    Ok(vec![Trajectory {
        trajectory_id: row.text("uuid"),
        turns: conversation.into_turns(),
        tools: tools_of(&row, import),
        expected_calls: read_expected(&row, import),
        extra: row.rest(import.arena(), |key, _| {
            matches!(key, "uuid" | "question" | "tools" | MESSAGES)
        }),
    }])
}

/// The tools, each of which may be a text.
fn tools_of<'a>(row: &Fields<'a>, import: &Import<'a>) -> Option<Json<'a>> {
    let tools = row.get("tools")?.items()?.iter();
    let tools: Vec<_> = tools.map(|tool| import.nested(*tool)).collect();
    (!tools.is_empty()).then(|| Json::Array(import.arena().alloc_slice_copy(&tools)))
}

/// What a text says, and the calls in it: in marks, or as nothing but JSON.
fn parts_of<'a>(
    text: &'a str,
    path: &Path,
    import: &mut Import<'a>,
) -> (&'a str, Vec<ToolCall<'a>>) {
    let bare = import.nested(Json::String(text));
    let first = bare
        .items()
        .map_or(Some(bare), |calls| calls.first().copied());
    let is_call = first.is_some_and(|call| {
        let has = |key| call.get(key).is_some();
        has("name") && (has("arguments") || has("parameters"))
    });
    match is_call {
        true => ("", read_json_calls(text, path, import)),
        false => split(text, &KnownTools::default(), false, path, import),
    }
}

/// The calls of the right answer. It may also be to ask, to answer, or to give up: then no call is expected.
fn read_expected<'a>(row: &Fields<'a>, import: &mut Import<'a>) -> Option<Vec<ExpectedCall<'a>>> {
    let (answer, path) = match (row.text(RIGHT), row.get(CHOSEN)) {
        (Some(CALL), _) => {
            let answers = row.get(ANSWERS).unwrap_or_default();
            (
                answers.get(CALL)?.as_str()?,
                row.path().key(ANSWERS).key(CALL),
            )
        }
        (Some(_), _) => return Some(Vec::new()),
        (None, Some(chosen)) => {
            let text = chosen.get("content").unwrap_or(chosen).as_str()?;
            (text, row.path().key(CHOSEN))
        }
        (None, None) => return None,
    };
    let (_, calls) = parts_of(answer, &path, import);
    let expected = calls.iter().map(|call| ExpectedCall {
        tool: call.name.unwrap_or_default(),
        args: call.made_arguments(),
    });
    Some(expected.collect())
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn the_right_answer_is_what_is_expected() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("when2call/rows.jsonl"));
        assert_eq!(read.format, TrajectoryFormat::When2call);
        let expected: Vec<_> = read
            .value
            .iter()
            .map(|it| serde_json::to_string(&it.expected_calls).expect("JSON"))
            .collect();
        let call = r#"[{"tool":"find_boat","args":{"name":"Mira"}}]"#;
        assert_eq!(expected, [call, "[]", call, "null"]);
        assert!(read.value.iter().all(|it| it.tools.is_some()));
        let last = &read.value[3];
        assert_eq!(
            calls_of(last),
            [r#"{"name":"find_boat","arguments":{"name":"Mira"}}"#]
        );
        assert_eq!(turns_of(last).len(), 3);
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn the_error_names_the_part_with_another_shape() {
        let path = |text: &str| failure(text).report().path.unwrap_or_default().to_string();
        assert_eq!(
            path(r#"{"messages":[7],"chosen_response":{"content":"a"},"rejected_response":""}"#),
            "messages[0]"
        );
    }
}
