//! OpenAI chat messages: a list of messages, a whole request `{messages, tools}`, or a response
//! `{choices: [{message}]}`. Also the older `function_call` and its `function` messages.

use super::conversation::{CallResult, Conversation, Outcome};
use super::fields::{Fields, is_one_of};
use super::message::{About, Message};
use super::signs::{kind, messages_of};
use super::{Format, Import, Likeness, TrajectoryFormat};
use crate::error::Result;
use crate::model::{Json, Member, Path, Role, ToolCall, Trajectory, Turn};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::OpenaiChat,
    likeness,
    read,
};

const ROLES: [&str; 6] = [
    "system",
    "developer",
    "user",
    "assistant",
    "tool",
    "function",
];

fn likeness(value: Json<'_>) -> Likeness {
    match value {
        Json::Object(_) if value.get("choices").is_some() => match first_message(value) {
            Some(message) => message_likeness(message),
            None => Likeness::Partial("`choices[0].message`"),
        },
        Json::Object(_) if value.get("messages").is_none() => message_likeness(value),
        Json::Object(_) if value.get("messages").and_then(Json::items).is_none() => {
            Likeness::Partial("a list of `messages`")
        }
        Json::Object(_) => all_alike(value).unwrap_or(Likeness::Full),
        _ => all_alike(value).unwrap_or(Likeness::None),
    }
}

/// The likeness of the first message, unless a later one holds what chat messages don't; `None` without
/// any. Of a later one with another role the reader tells the place.
fn all_alike(document: Json<'_>) -> Option<Likeness> {
    let messages = messages_of(document, "messages");
    let odd = messages
        .iter()
        .skip(1)
        .filter_map(|it| strange_content(*it));
    match message_likeness(*messages.first()?) {
        Likeness::Full => Some(odd.map(Likeness::Partial).next().unwrap_or(Likeness::Full)),
        first => Some(first),
    }
}

fn message_likeness(message: Json<'_>) -> Likeness {
    let Some(role) = message.get("role").and_then(Json::as_str) else {
        return Likeness::None;
    };
    if !is_one_of(role, &ROLES) {
        return Likeness::Partial("roles system, developer, user, assistant or tool");
    }
    strange_content(message).map_or(Likeness::Full, Likeness::Partial)
}

/// Members of a message in which other formats have what chat messages have in `content` and
/// `tool_calls`.
const FOREIGN: [&str; 3] = ["parts", "toolInvocations", "toolCalls"];

/// What is missing in the content of a message for it to be a chat message.
fn strange_content(message: Json<'_>) -> Option<&'static str> {
    if FOREIGN.into_iter().any(|key| message.get(key).is_some()) {
        return Some("`content` and `tool_calls` instead of `parts` or `toolCalls`");
    }
    match message.get("content") {
        None | Some(Json::Null | Json::String(_)) => None,
        Some(Json::Array(parts)) if parts.iter().all(is_chat_part) => None,
        Some(_) => Some("a text or text parts as `content`"),
    }
}

/// Whether a part of this type may be a call or a result, which chat messages don't have in `content`.
fn names_a_call(kind: &str) -> bool {
    kind.contains("tool") || kind.contains("function")
}

fn is_chat_part(part: &Json<'_>) -> bool {
    matches!(
        kind(*part),
        Some("text" | "image_url" | "input_audio" | "file" | "refusal")
    )
}

fn first_message(response: Json<'_>) -> Option<Json<'_>> {
    response.get("choices")?.items()?.first()?.get("message")
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    Ok(vec![read_one(value, &Path::root(), import)?])
}

fn read_one<'a>(value: Json<'a>, path: &Path, import: &mut Import<'a>) -> Result<Trajectory<'a>> {
    if let Json::Array(messages) = value {
        return Ok(Trajectory {
            turns: read_messages(messages, path, import)?,
            ..Trajectory::default()
        });
    }
    let mut conversation = Conversation::default();
    let fields = Fields::of(value, path.clone(), "a list of messages, or {messages}")?;
    if fields.get("messages").is_none() && fields.get("choices").is_none() {
        read_message(&fields, &mut conversation, import)?;
        return Ok(Trajectory {
            turns: conversation.into_turns(),
            ..Trajectory::default()
        });
    }
    if fields.get("messages").is_some() {
        let messages = fields.items("messages", "a list of messages")?;
        read_into(messages, &path.key("messages"), &mut conversation, import)?;
    }
    if fields.get("choices").is_some() {
        read_choice(&fields, &mut conversation, import)?;
    }
    Ok(Trajectory {
        trajectory_id: fields.text("id"),
        turns: conversation.into_turns(),
        tools: fields.get("tools"),
        expected_calls: None,
        extra: fields.rest(import.arena(), |key, value| match key {
            "messages" | "choices" | "tools" => true,
            "id" => value.as_str().is_some(),
            _ => false,
        }),
    })
}

/// The answer of a response: its first choice.
fn read_choice<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let choices = fields.items("choices", "a list of choices")?;
    let path = fields.path().key("choices");
    if choices.len() > 1 {
        let count = choices.len();
        import.warn(&path, format!("only the first of {count} choices is read"));
    }
    let Some(first) = choices.first() else {
        return Err(fields.mismatch("choices", "a list of at least one choice"));
    };
    let choice = Fields::of(*first, path.index(0), "a choice: {message}")?;
    let message = choice.get("message").unwrap_or_default();
    let path = choice.path().key("message");
    let message = Fields::of(message, path, "a message: {role, content}")?;
    let about = About::of(&choice, &["message"], import);
    let cut_off = choice.text("finish_reason") == Some("length");
    read_answer(&message, about, cut_off, conversation, import)
}

/// The turns that `messages` make; `path` is where the list stands.
///
/// The kin of this format are read, too: arguments as an object or as `args`, `function` as the name of
/// the tool, results that name their call in `tool_call_ids`, and those that are marked as errors.
pub fn read_messages<'a>(
    messages: &'a [Json<'a>],
    path: &Path,
    import: &mut Import<'a>,
) -> Result<Vec<Turn<'a>>> {
    let mut conversation = Conversation::default();
    read_into(messages, path, &mut conversation, import)?;
    Ok(conversation.into_turns())
}

fn read_into<'a>(
    messages: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    for (at, message) in messages.iter().enumerate() {
        import.within(&|| path.index(at), |import| {
            let fields = Fields::of(*message, Path::root(), "a message: {role, content}")?;
            read_message(&fields, conversation, import)
        })?;
    }
    Ok(())
}

/// Adds one message to `conversation`.
pub fn read_message<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    match fields.text("role") {
        Some("tool" | "function") => read_result(fields, conversation, import),
        _ => read_answer(fields, About::default(), false, conversation, import),
    }
}

/// Adds what somebody said to `conversation`; `about` is what else its turn keeps. The last call of a
/// message that was `cut_off` is incomplete.
fn read_answer<'a>(
    fields: &Fields<'a>,
    about: About<'a>,
    cut_off: bool,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let role = match fields.text("role") {
        Some("system" | "developer") => Role::System,
        Some("user") => Role::User,
        Some("assistant") => Role::Agent,
        _ => return Err(fields.mismatch("role", format!("one of {}", ROLES.join(", ")))),
    };
    let own = About::of(fields, &OF_MESSAGES, import);
    let mut message = Message::new(role, own, conversation);
    message.tell(about, import);
    for (key, _) in own.extra.iter().filter(|member| may_hold_calls(member)) {
        let what = "this may hold calls, which are not read: chat messages have `tool_calls`";
        import.warn(&fields.path().key(key), what);
    }
    read_content(fields, &mut message, import)?;
    message.calls(read_calls(fields, cut_off, import)?);
    message.finish(import);
    Ok(())
}

/// Whether a member that chat messages don't have is a list of calls by its name and look.
fn may_hold_calls((key, value): &&Member<'_>) -> bool {
    let is_named_so = ["tool", "function", "call"]
        .iter()
        .any(|word| key.contains(word));
    let items = value.items().unwrap_or_default();
    is_named_so && items.first().is_some_and(|item| item.members().is_some())
}

/// What a message says in its turn; the rest the turn keeps.
const OF_MESSAGES: [&str; 6] = [
    "role",
    "content",
    "refusal",
    "tool_calls",
    "function_call",
    "turn_id",
];

fn read_result<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let content = match fields.get("content") {
        None | Some(Json::Null) => Json::String(""),
        Some(content @ (Json::String(_) | Json::Array(_))) => import.content(content),
        Some(_) => return Err(fields.mismatch("content", "a text, a list of parts, or null")),
    };
    let error = fields.get("error").filter(is_failure);
    let failed = error.is_some()
        || matches!(fields.get("is_error"), Some(Json::Bool(true)))
        || fields.text("status") == Some("error");
    let said = error.filter(|error| !matches!(error, Json::Bool(_)));
    let result = CallResult {
        id: result_id(fields),
        name: fields.text("name").or_else(|| fields.text("function")),
        outcome: Outcome::of(said.unwrap_or(content), failed),
    };
    let rest = fields.rest(import.arena(), |key, _| is_one_of(key, &OF_RESULTS));
    let Some(call) = conversation.result(&result, fields.path(), import) else {
        return Ok(());
    };
    if said.is_some() && content.as_str() != Some("") {
        call.result = Some(content);
    }
    import.keep(call, rest);
    Ok(())
}

/// What a result says in its call; the rest the call keeps.
const OF_RESULTS: [&str; 10] = [
    "role",
    "content",
    "name",
    "function",
    "id",
    "tool_call_id",
    "tool_call_ids",
    "error",
    "is_error",
    "status",
];

fn is_failure(error: &Json<'_>) -> bool {
    !matches!(error, Json::Null | Json::Bool(false) | Json::String(""))
}

/// The id of the call that a result answers. In tau2 a result has the id of its call as its own.
fn result_id<'a>(fields: &Fields<'a>) -> Option<&'a str> {
    let first = || fields.get("tool_call_ids")?.items()?.first()?.as_str();
    let own = || {
        fields
            .text("id")
            .filter(|_| fields.get("requestor").is_some())
    };
    fields.text("tool_call_id").or_else(first).or_else(own)
}

/// What a message says: a text, or the parts of a list. What is no text the turn keeps.
fn read_content<'a>(
    fields: &Fields<'a>,
    message: &mut Message<'_, 'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    match fields.get("content") {
        None | Some(Json::Null) => {}
        Some(Json::String(text)) => message.text(text),
        Some(Json::Array(parts)) => {
            for (at, part) in parts.iter().enumerate() {
                let text = part.get("text").or_else(|| part.get("refusal"));
                match text.unwrap_or(*part).as_str() {
                    Some(text) => message.text(text),
                    None => message.other(*part),
                }
                if let Some(kind) = kind(*part).filter(|kind| names_a_call(kind)) {
                    let path = fields.path().key("content").index(at);
                    let what = format!(
                        "a part of type {kind:?}, which chat messages don't have, is not read"
                    );
                    import.warn(&path, what);
                }
            }
        }
        Some(_) => return Err(fields.mismatch("content", "a text, a list of parts, or null")),
    }
    if let Some(text) = fields.text("refusal") {
        message.text(text);
    }
    Ok(())
}

/// The calls of a message; the last one is incomplete when the message was `cut_off`.
pub(super) fn read_calls<'a>(
    fields: &Fields<'a>,
    cut_off: bool,
    import: &mut Import<'a>,
) -> Result<Vec<ToolCall<'a>>> {
    let listed = fields.optional_items("tool_calls", "a list of tool calls")?;
    let mut calls = Vec::with_capacity(listed.len());
    for (at, call) in listed.iter().enumerate() {
        let cut_off = cut_off && at + 1 == listed.len();
        let place = || fields.path().key("tool_calls").index(at);
        calls.push(import.within(&place, |import| read_call(*call, cut_off, import))?);
    }
    if let Some(function @ Json::Object(_)) = fields.get("function_call") {
        let path = fields.path().key("function_call");
        let function = Fields::of(function, path, "{name, arguments}")?;
        calls.push(read_function(&function, cut_off, import));
    }
    Ok(calls)
}

fn read_call<'a>(call: Json<'a>, cut_off: bool, import: &mut Import<'a>) -> Result<ToolCall<'a>> {
    let what = "a tool call: {id, function: {name, arguments}}";
    let fields = Fields::of(call, Path::root(), what)?;
    let rest = fields.rest(import.arena(), |key, value| match key {
        "type" => value.as_str() == Some("function"),
        _ => is_one_of(key, &OF_CALLS),
    });
    let mut call = match fields.get("function") {
        Some(function @ Json::Object(_)) => {
            let place = || fields.path().key("function");
            import.within(&place, |import| {
                let function = Fields::of(function, Path::root(), "{name, arguments}")?;
                Ok(read_function(&function, cut_off, import))
            })?
        }
        _ => match fields.get("custom") {
            // A custom tool takes any text.
            Some(custom @ Json::Object(_)) => ToolCall {
                name: custom.get("name").and_then(Json::as_str),
                arguments: custom.get("input"),
                incomplete: cut_off,
                ..ToolCall::default()
            },
            _ => read_function(&fields, cut_off, import),
        },
    };
    call.id = fields.text("id");
    import.keep(&mut call, rest);
    Ok(call)
}

/// What a call says itself; the rest it keeps.
const OF_CALLS: [&str; 6] = ["id", "name", "function", "custom", "arguments", "args"];

fn read_function<'a>(fields: &Fields<'a>, cut_off: bool, import: &mut Import<'a>) -> ToolCall<'a> {
    let mut call = ToolCall {
        name: fields.text("name").or_else(|| fields.text("function")),
        incomplete: cut_off,
        ..ToolCall::default()
    };
    let (key, arguments) = ["arguments", "args"]
        .into_iter()
        .find_map(|key| Some((key, Some(fields.get(key)?))))
        .unwrap_or(("arguments", None));
    import.arguments(&mut call, arguments, &|| fields.path().key(key));
    call
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::super::testing::{calls_of, failure, imported};
    use super::*;

    #[test]
    fn results_find_their_calls_whatever_their_order() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[
            {"role":"developer","content":"Be brief."},
            {"role":"user","content":[{"type":"text","text":"one"},{"type":"image_url","image_url":{}},{"type":"text","text":"two"}]},
            {"role":"assistant","content":null,"tool_calls":[
                {"id":"a","type":"function","function":{"name":"f","arguments":"{\"n\":1}"}},
                {"id":"b","type":"function","function":{"name":"f","arguments":"{\"n\":2}"}}]},
            {"role":"tool","tool_call_id":"b","content":"{\"two\":true}"},
            {"role":"tool","tool_call_id":"a","content":"plain"},
            {"role":"assistant","content":"Done."}
        ]"#,
        );
        let trajectory = &read.value[0];
        let turns: Vec<_> = trajectory
            .turns
            .iter()
            .map(|t| (t.turn_id, t.role, t.content))
            .collect();
        assert_eq!(
            turns,
            [
                (1, Role::System, "Be brief."),
                (2, Role::User, "one\ntwo"),
                (3, Role::Agent, ""),
                (4, Role::Agent, "Done."),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"a","name":"f","arguments":{"n":1},"result":"plain"}"#,
                r#"{"id":"b","name":"f","arguments":{"n":2},"result":{"two":true}}"#,
            ]
        );
        assert!(read.warnings.is_empty());
    }

    #[test]
    fn ids_that_are_used_again_belong_to_the_latest_call() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[
            {"role":"assistant","tool_calls":[{"id":"x","function":{"name":"f","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"x","content":"first"},
            {"role":"assistant","tool_calls":[
                {"id":"x","function":{"name":"g","arguments":"{}"}},
                {"id":"x","function":{"name":"h","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"x","content":"second"},
            {"role":"tool","tool_call_id":"x","content":"third"},
            {"role":"tool","tool_call_id":"x","content":"fourth"}
        ]"#,
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"id":"x","name":"f","arguments":{},"result":"first"}"#,
                r#"{"id":"x","name":"g","arguments":{},"result":"second"}"#,
                r#"{"id":"x","name":"h","arguments":{},"result":"third"}"#,
            ]
        );
        assert_eq!(read.warnings.len(), 1);
        assert_eq!(read.warnings[0].path, "[5]");
    }

    #[test]
    fn the_older_function_call_is_read_too() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"messages":[
            {"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},
            {"role":"function","name":"f","content":"7"}
        ]}"#,
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"name":"f","arguments":{},"result":"7"}"#]
        );
    }

    #[test]
    fn what_other_formats_hold_is_not_passed_over_in_silence() {
        let arena = Bump::new();
        let reader = crate::model::Reader::new(&arena, crate::model::Limits::default());
        let messages = crate::model::testing::arena_json(
            &arena,
            r#"[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"text","text":"on it"},{"type":"tool_use","id":"a","name":"f","input":{}}]}]"#,
        );
        let format = Some(TrajectoryFormat::OpenaiChat);
        let read = super::super::import_trajectories(messages, format, reader).expect("messages");
        assert_eq!(read.warnings[0].path, "[1].content[1]");
        assert!(read.warnings[0].message.contains("\"tool_use\""));
    }

    #[test]
    fn members_that_may_hold_calls_are_told() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"role":"assistant","content":"on it","tool_uses":[{"name":"f"}],"tools_used":["f"]}]"#,
        );
        let warned: Vec<_> = read.warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(warned, ["[0].tool_uses"]);
    }

    #[test]
    fn the_format_is_told_by_a_late_message() {
        let arena = Bump::new();
        let plain = r#"{"role":"user","content":"and?"},"#.repeat(400);
        let late = r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}"#;
        let read = imported(&arena, &format!("[{plain}{late}]"));
        assert_eq!(read.format, TrajectoryFormat::Anthropic);
    }

    #[test]
    fn a_custom_tool_takes_any_text_and_what_is_no_text_is_kept() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[
            {"role":"user","name":"ann","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"u"}}]},
            {"role":"assistant","content":null,"refusal":"No.","tool_calls":[{"id":"a","type":"custom","custom":{"name":"sql","input":"select 1"}}]},
            {"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"{\"rows\":1}"}]}
        ]"#,
        );
        let trajectory = &read.value[0];
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"a","name":"sql","arguments":"select 1","result":{"rows":1},"type":"custom"}"#
            ]
        );
        assert_eq!(trajectory.turns[1].content, "No.");
        let kept: Vec<_> = trajectory.turns[0]
            .extra
            .iter()
            .map(|(key, _)| *key)
            .collect();
        assert_eq!(kept, ["name", "parts"]);
    }

    #[test]
    fn a_response_that_was_cut_off_ends_with_an_incomplete_call() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"messages":[{"role":"user","content":"go"}],"model":"m","choices":[{"index":0,"finish_reason":"length","message":{"role":"assistant","content":null,
                "tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"f","arguments":"{\"x\":"}}]}}]}"#,
        );
        let trajectory = &read.value[0];
        assert_eq!(trajectory.turns[0].content, "go");
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"a","name":"f","arguments":{}}"#,
                r#"{"id":"b","name":"f","rawArguments":"{\"x\":","incomplete":true}"#,
            ]
        );
        assert_eq!(read.warnings.len(), 1);
        assert_eq!(
            read.warnings[0].path,
            "choices[0].message.tool_calls[1].function.arguments"
        );
        assert_eq!(trajectory.extra, [("model", Json::String("m"))]);
    }

    #[test]
    fn odd_arguments_are_kept_and_nothing_is_lost() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"role":"assistant","tool_calls":[
            {"id":"1","function":{"name":"f","arguments":""}},
            {"id":"2","function":{"name":"f","arguments":"null"}},
            {"id":"3","function":{"name":"f","arguments":"{\"a\":1}{\"b\":2}"}},
            {"id":"4","function":{"name":"f","arguments":{"a":1}}},
            {"id":"5","function":{"name":"f"}},
            {"id":"6","function":{"name":"f","arguments":"\"{}\""}},
            {"id":"7","function":{"arguments":"{}"}}
        ]}]"#,
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"id":"1","name":"f","arguments":{}}"#,
                r#"{"id":"2","name":"f","arguments":null}"#,
                r#"{"id":"3","name":"f","rawArguments":"{\"a\":1}{\"b\":2}"}"#,
                r#"{"id":"4","name":"f","arguments":{"a":1}}"#,
                r#"{"id":"5","name":"f"}"#,
                r#"{"id":"6","name":"f","arguments":"{}"}"#,
                r#"{"id":"7","arguments":{}}"#,
            ]
        );
        assert_eq!(read.warnings.len(), 1);
        assert_eq!(
            read.warnings[0].path,
            "[0].tool_calls[2].function.arguments"
        );
    }

    #[test]
    fn places_are_told_from_the_whole_document() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"messages":[{"role":"user","content":"go"}]},{"messages":[{"role":"assistant","tool_calls":[
                {"function":{"name":"f","arguments":"{"}},{"name":"f","args":"{"}]},
                {"role":"assistant","function_call":{"name":"f","arguments":"{"}},
                {"role":"tool","tool_call_id":"lost","content":""}]}]"#,
        );
        let warned: Vec<_> = read.warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(
            warned,
            [
                "[1].messages[0].tool_calls[0].function.arguments",
                "[1].messages[0].tool_calls[1].args",
                "[1].messages[1].function_call.arguments",
                "[1].messages[2]",
            ]
        );
        let error = failure(
            r#"[{"messages":[{"role":"user"}]},{"messages":[{"role":"assistant","tool_calls":[{},5]}]}]"#,
        );
        let place = "[1].messages[0].tool_calls[1]";
        assert_eq!(error.report().path.as_deref(), Some(place));
    }

    #[test]
    fn requests_and_responses_are_read() {
        let arena = Bump::new();
        let request = imported(
            &arena,
            r#"{"id":"r1","model":"m","messages":[{"role":"user","content":"hi"}],"tools":[]}"#,
        );
        let trajectory = &request.value[0];
        assert_eq!(trajectory.trajectory_id, Some("r1"));
        assert_eq!(trajectory.tools, Some(Json::Array(&[])));
        assert_eq!(trajectory.extra, [("model", Json::String("m"))]);
        let response = imported(
            &arena,
            r#"{"choices":[{"message":{"role":"assistant","content":"hi"}},{"message":{}}]}"#,
        );
        assert_eq!(response.value[0].turns[0].content, "hi");
        assert_eq!(response.warnings[0].path, "choices");
    }
}
