//! LangChain and LangGraph messages in three forms: plain `{type: "ai", content, tool_calls}`, stored
//! `{type: "ai", data: {…}}`, and constructors `{lc: 1, id: [… "AIMessage"], kwargs: {…}}`. They are in
//! a list, in `messages` of a state, in `values` of a thread, or in `generations`. Also the `tool_calls` of a message
//! alone.

mod stream;

use crate::kit::calls::says_nothing;
use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::dialects::langchain::{Kind, content_of, is_message, kind_of, result_of};
use crate::kit::dialects::{anthropic, openai_chat, openai_items};
use crate::kit::envelope::{Envelope, Held};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::marks::marks;
use crate::kit::message::{About, Message};
use crate::kit::signs::{Sign, items, kind, likeness_by};
use crate::kit::tool_call::{CallFormat, CallShape};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Langchain,
    marks: &marks(["type", "lc", "generations", "args"]),
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    match value.get("values") {
        _ if value.items().is_some_and(are_calls) => Likeness::Full,
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

/// Whether a list is what a message has as `tool_calls`.
fn are_calls(items: &[Json<'_>]) -> bool {
    CallShape::of_list(items) == Some(CallFormat::Langchain)
        && items.iter().all(|call| call.get("args").is_some())
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
            Held::List(calls) if are_calls(calls) => {
                let calls = read_call_list(calls, &root, import)?;
                conversation.turn(Role::Agent, "", calls);
                Ok(())
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
    let mut message = Message::new(role, about, conversation);
    read_content(fields, &mut message, import)?;
    if kind == Kind::Ai {
        message.calls(read_calls(fields, import)?);
    }
    message.finish(import);
    Ok(())
}

/// Reads the content: a text, or blocks. The blocks of calls that the agent's program runs are left out, because
/// `tool_calls` repeats them; those of the platform's own tools stand nowhere else.
fn read_content<'a>(
    fields: &Fields<'a>,
    message: &mut Message<'_, 'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let content = content_of(fields);
    if let Some(text) = content.as_str() {
        message.text(text);
    }
    let path = fields.path().key("content");
    for (at, block) in content.items().unwrap_or_default().iter().enumerate() {
        let text = block.as_str().or_else(|| block.get("text")?.as_str());
        match (text, kind(*block)) {
            (Some(text), _) => message.text(text),
            (None, Some(kind)) if is_one_of(kind, &REPEATED) => {}
            (None, Some(kind)) if is_of_platform(kind) => {
                let block = Fields::of(*block, path.index(at), "a content block")?;
                read_platform_block(kind, &block, message, import)?;
            }
            (None, _) => message.other(*block),
        }
    }
    Ok(())
}

/// Whether blocks of this type are calls of a platform's own tools, or their results: as LangChain writes them, or as
/// Anthropic and OpenAI do.
fn is_of_platform(kind: &str) -> bool {
    kind == "server_tool_call"
        || anthropic::is_call(kind)
        || anthropic::is_result(kind)
        || kind.ends_with("_call")
}

fn read_platform_block<'a>(
    kind: &str,
    block: &Fields<'a>,
    message: &mut Message<'_, 'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    match kind {
        "server_tool_call" => {
            let mut call = read_call(block, "args", import);
            import.keep(&mut call, &[("type", Json::String("server_tool_call"))]);
            message.call(call);
        }
        "server_tool_result" => {
            let value = block.get("output").unwrap_or_default();
            let failed = block.text("status") == Some("error");
            let result = CallResult {
                id: block.text("tool_call_id"),
                name: None,
                outcome: Outcome::of(import.content(value), failed),
            };
            message.result(&result, block.path(), import);
        }
        kind if kind.ends_with("_call") => {
            message.call(openai_items::read_call(block, import));
            message.end_step(import);
        }
        _ => anthropic::read_block(block, false, message, import)?,
    }
    Ok(())
}

/// The types of the blocks that `tool_calls` repeats.
const REPEATED: [&str; 7] = [
    "tool_use",
    "tool_call",
    "tool_call_chunk",
    "invalid_tool_call",
    "function_call",
    "custom_tool_call",
    "input_json_delta",
];

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
        let list = fields.optional_items(key, "a list of tool calls")?;
        calls.extend(read_call_list(list, &fields.path().key(key), import)?);
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

/// The calls of a list, without those that say nothing. `path` is the path of the list.
fn read_call_list<'a>(
    list: &'a [Json<'a>],
    path: &Path,
    import: &mut Import<'a>,
) -> Result<Vec<ToolCall<'a>>> {
    let mut calls = Vec::with_capacity(list.len());
    for call in Fields::each(list, path, "a tool call: {name, args, id}") {
        let call = call?;
        if !says_nothing(call.value()) {
            calls.push(read_call(&call, "args", import));
        }
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
