//! LangChain and LangGraph messages in three forms: plain `{type: "ai", content, tool_calls}`, stored
//! `{type: "ai", data: {…}}`, and constructors `{lc: 1, id: [… "AIMessage"], kwargs: {…}}`. They are in
//! a list, in `messages` of a state, in `values` of a thread, or in `generations`.

mod stream;

use crate::kit::conversation::Conversation;
use crate::kit::dialects::langchain::{Kind, content_of, is_message, kind_of, result_of};
use crate::kit::dialects::openai_chat;
use crate::kit::envelope::{Envelope, Held};
use crate::kit::fields::Fields;
use crate::kit::message::About;
use crate::kit::signs::{Sign, items, kind, likeness_by};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory, Turn};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Langchain,
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    match value.get("values") {
        Some(state @ Json::Object(_)) if state.get("messages").is_some() => likeness(state),
        _ if !generations(value).is_empty() => match is_message(generation(value)) {
            true => Likeness::Full,
            false => Likeness::Partial("a `message` in its generations"),
        },
        _ => match likeness_by(value, "messages", sign) {
            Likeness::Full => Likeness::Full,
            _ if stream::is_stream(rows_of(&value)) => Likeness::Full,
            other => other,
        },
    }
}

/// The rows of a stream, if the document is one.
fn rows_of<'s, 'a>(document: &'s Json<'a>) -> &'s [Json<'a>] {
    match document {
        Json::Array(rows) => rows,
        one => std::slice::from_ref(one),
    }
}

fn sign(message: Json<'_>) -> Sign {
    match is_message(message) {
        true => Sign::Decisive,
        false if message.get("lc").is_some() => Sign::Broken("a message class as the last of `id`"),
        false => Sign::Open,
    }
}

/// The generations of a model's result. They may be in one list per prompt.
fn generations<'a>(value: Json<'a>) -> &'a [Json<'a>] {
    match items(value, "generations") {
        [Json::Array(first), ..] => first,
        list => list,
    }
}

fn generation(value: Json<'_>) -> Json<'_> {
    let first = generations(value).first().copied();
    first.and_then(|it| it.get("message")).unwrap_or_default()
}

const ENVELOPE: Envelope = Envelope {
    what: "a list of messages, or {messages}",
    is_message: |it| {
        stream::is_stream(rows_of(&it))
            || !has_values(it) && (!generations(it).is_empty() || is_message(it))
    },
    ids: &["id", "thread_id"],
    tools: &[&["tools"]],
    reads: |fields, key, value| match key {
        "id" => value.as_str().is_some(),
        "values" => has_values(fields.value()),
        "messages" => !has_values(fields.value()),
        _ => false,
    },
};

/// Whether the document is a thread, which has its state in `values`.
fn has_values(document: Json<'_>) -> bool {
    matches!(document.get("values"), Some(Json::Object(_)))
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let root = Path::root();
    let trajectory = ENVELOPE.open(
        value,
        import,
        &mut |held, conversation, import| match held {
            Held::List(rows) if stream::is_stream(rows) => read_stream(rows, conversation, import),
            Held::Message(_) if stream::is_stream(rows_of(&value)) => {
                read_stream(import.slice(value), conversation, import)
            }
            Held::List(messages) => read_messages(messages, &root, conversation, import),
            Held::Message(_) if !generations(value).is_empty() => {
                let path = root.key("generations").index(0).key("message");
                let message = import.slice(generation(value));
                read_messages(message, &path, conversation, import)
            }
            Held::Message(_) => read_messages(import.slice(value), &root, conversation, import),
            Held::Object(fields) if has_values(value) => {
                let state = fields.get("values").unwrap_or_default();
                let state = Fields::of(state, root.key("values"), "a state: {messages}")?;
                read_state(&state, conversation, import)
            }
            Held::Object(fields) => read_state(fields, conversation, import),
        },
    )?;
    Ok(vec![trajectory])
}

fn read_state<'a>(
    state: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let messages = state.items("messages", "a list of messages")?;
    read_messages(
        messages,
        &state.path().key("messages"),
        conversation,
        import,
    )
}

fn read_messages<'a>(
    messages: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    for (at, message) in messages.iter().enumerate() {
        read_any(*message, path.index(at), conversation, import)?;
    }
    Ok(())
}

fn read_stream<'a>(
    rows: &'a [Json<'a>],
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    for (message, path) in stream::messages_of(rows, import) {
        read_any(message, path, conversation, import)?;
    }
    Ok(())
}

/// Adds a message in any of the three forms.
fn read_any<'a>(
    message: Json<'a>,
    path: Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let fields = Fields::of(message, path.clone(), "a message: {type, content}")?;
    let Some((kind, members, at)) = kind_of(message) else {
        let expected = "human, ai, system, tool, or the constructor of such a message";
        return Err(fields.mismatch("type", expected));
    };
    let path = at.iter().fold(path, |path, key| path.key(key));
    let fields = Fields::of(members, path, "the members of a message")?;
    read_message(kind, &fields, conversation, import)
}

/// The members of a message that are read. Its turn keeps all others.
const OF_MESSAGES: [&str; 9] = [
    "type",
    "role",
    "content",
    "content_blocks",
    "tool_calls",
    "invalid_tool_calls",
    "tool_call_chunks",
    "turn_id",
    "example",
];

fn read_message<'a>(
    kind: Kind,
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let role = match kind {
        Kind::Human => Role::User,
        Kind::Ai => Role::Agent,
        Kind::System => Role::System,
        Kind::Tool => {
            read_result(fields, conversation, import);
            return Ok(());
        }
        Kind::Remove => return Ok(()),
    };
    let mut about = About::of(fields, &OF_MESSAGES, import);
    let says_nothing =
        |value: &Json<'_>| value.is_null() || matches!(value, Json::Object([]) | Json::Array([]));
    let kept: Vec<_> = about
        .extra
        .iter()
        .filter(|(_, it)| !says_nothing(it))
        .copied()
        .collect();
    about.extra = import.arena().alloc_slice_copy(&kept);
    let tool_calls = match kind {
        Kind::Ai => read_calls(fields, import)?,
        _ => Vec::new(),
    };
    conversation.push(Turn {
        turn_id: 0,
        role,
        content: read_content(fields, import),
        timestamp: about.timestamp,
        tool_calls,
        extra: about.extra,
    });
    Ok(())
}

fn read_content<'a>(fields: &Fields<'a>, import: &Import<'a>) -> &'a str {
    match content_of(fields) {
        Json::String(text) => text,
        Json::Array(parts) => import.join_text(
            parts
                .iter()
                .filter_map(|part| part.as_str().or_else(|| part.get("text")?.as_str())),
        ),
        _ => "",
    }
}

fn read_result<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) {
    let result = result_of(fields, import);
    let rest = fields.rest(import.arena(), |key, value| {
        matches!(
            key,
            "type" | "role" | "content" | "tool_call_id" | "name" | "status" | "id"
        ) || value.is_null()
            || matches!(value, Json::Object([]))
    });
    if let Some(call) = conversation.result(&result, fields.path(), import) {
        import.keep(call, rest);
    }
}

/// The calls of an agent's message: its `tool_calls` and `invalid_tool_calls`. If there are none, those
/// in the provider's shape of an older message, or else those in the content blocks.
fn read_calls<'a>(fields: &Fields<'a>, import: &mut Import<'a>) -> Result<Vec<ToolCall<'a>>> {
    let mut calls = Vec::new();
    for key in ["tool_calls", "invalid_tool_calls"] {
        let path = fields.path().key(key);
        let list = fields.optional_items(key, "a list of tool calls")?;
        for call in Fields::each(list, &path, "a tool call: {name, args, id}") {
            let call = call?;
            calls.push(read_call(&call, "args", import));
        }
    }
    if !calls.is_empty() {
        return Ok(calls);
    }
    let path = fields.path().key("additional_kwargs");
    if let Some(older @ Json::Object(_)) = fields.get("additional_kwargs") {
        let older = Fields::of(older, path, "an object")?;
        calls = openai_chat::read_calls(&older, false, import)?;
    }
    if !calls.is_empty() {
        return Ok(calls);
    }
    let path = fields.path().key("content");
    for (at, block) in content_of(fields)
        .items()
        .unwrap_or_default()
        .iter()
        .enumerate()
    {
        let key = match kind(*block) {
            Some("tool_use") => "input",
            Some("tool_call") => "args",
            _ => continue,
        };
        let block = Fields::of(*block, path.index(at), "a content block")?;
        calls.push(read_call(&block, key, import));
    }
    Ok(calls)
}

fn read_call<'a>(fields: &Fields<'a>, key: &str, import: &mut Import<'a>) -> ToolCall<'a> {
    // Some logs contain calls in the shape of OpenAI among the others.
    let function = fields.get("function").filter(|it| it.members().is_some());
    let called = function.unwrap_or(fields.value());
    let key = if function.is_some() { "arguments" } else { key };
    let place = || match function {
        Some(_) => fields.path().key("function").key(key),
        None => fields.path().key(key),
    };
    let mut call = ToolCall {
        id: fields.text("id"),
        name: called.get("name").and_then(Json::as_str),
        ..ToolCall::default()
    };
    import.arguments(&mut call, called.get(key), &place);
    let rest = fields.rest(import.arena(), |name, value| match name {
        "type" => !matches!(value.as_str(), Some("invalid_tool_call")),
        "id" | "name" | "function" | "index" => true,
        // This is the error of LangChain, which could not read the call. The tool did not fail.
        "error" => true,
        _ => name == key,
    });
    import.keep(&mut call, rest);
    call
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn constructors_are_read_with_errors_and_broken_calls() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("langchain/constructors.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::System, "Be brief.".to_owned(), 0),
                (Role::User, "Add 1 and 2, then break it.".to_owned(), 0),
                (Role::Agent, String::new(), 3),
                (Role::Agent, "It is 3.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"c1","name":"add","arguments":{"a":1,"b":2},"result":"3","artifact":{"steps":1}}"#,
                r#"{"id":"c2","name":"break_it","arguments":{},"error":"Error: broken\n Please fix your mistakes."}"#,
                r#"{"id":"c3","name":"add","rawArguments":"{\"a\":","type":"invalid_tool_call"}"#,
            ]
        );
        assert_eq!(read.warnings.len(), 1);
        assert_eq!(
            read.warnings[0].path,
            "[2].kwargs.invalid_tool_calls[0].args"
        );
        assert_eq!(trajectory.turns[1].extra, [("id", Json::String("h1"))]);
    }

    #[test]
    fn states_hold_plain_messages() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("langchain/state.json"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("th-1"));
        assert_eq!(
            calls_of(trajectory),
            [r#"{"id":"c1","name":"add","arguments":{"a":1,"b":2},"result":{"sum":3}}"#]
        );
        assert_eq!(turns_of(trajectory)[1].1, "I add.");
        assert_eq!(turns_of(trajectory).len(), 3);
    }

    #[test]
    fn stored_messages_keep_calls_in_older_places() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("langchain/stored.json"));
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"id":"c1","name":"add","arguments":{"a":1,"b":2},"result":"3"}"#,
                r#"{"id":"c2","name":"add","rawArguments":"{\"a\":"}"#,
                r#"{"id":"c3","name":"add","arguments":{"a":1}}"#,
            ]
        );
        assert_eq!(
            read.warnings[0].path,
            "messages[1].data.additional_kwargs.tool_calls[1].function.arguments"
        );
    }

    #[test]
    fn generations_and_single_messages_are_read() {
        let arena = Bump::new();
        let message =
            r#"{"type":"ai","content":"hi","tool_calls":[{"name":"f","args":{},"id":"1"}]}"#;
        for text in [
            message.to_owned(),
            format!(r#"{{"generations":[[{{"text":"","message":{message}}}]]}}"#),
            format!(r#"{{"generations":[{{"text":"","message":{message}}}]}}"#),
            format!(r#"{{"messages":[{message}]}}"#),
        ] {
            let read = imported(&arena, &text);
            assert_eq!(read.format, TrajectoryFormat::Langchain, "{text}");
            assert_eq!(
                calls_of(&read.value[0]),
                [r#"{"id":"1","name":"f","arguments":{}}"#],
                "{text}"
            );
        }
    }

    #[test]
    fn the_error_names_what_half_a_message_lacks() {
        let reason = |text| failure(text).to_string();
        assert!(
            reason(r#"[{"lc":1,"type":"constructor","id":["x","Prompt"],"kwargs":{}}]"#)
                .contains("langchain, but it lacks a message class")
        );
        assert!(
            reason(r#"{"generations":[[{"text":"hi"}]]}"#)
                .contains("langchain, but it lacks a `message` in its generations")
        );
        let error = failure(r#"[{"type":"human","content":"x"},{"type":"cat","content":"miau"}]"#);
        assert_eq!(error.report().path.as_deref(), Some("[1].type"));
    }
}
