//! OpenAI chat messages: a list, a request `{messages, tools}`, or a response `{choices: [{message}]}`. Also the
//! `tool_calls` of a message alone, and Ollama's responses `{model, message, done}`.
//! Also the older `function_call` and messages with the role `function`.

use crate::kit::conversation::Conversation;
use crate::kit::dialects::openai_chat::{
    ROLES, are_valued, read_answer, read_call_list, read_into, read_message,
};
use crate::kit::envelope::Envelope;
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::message::About;
use crate::kit::signs::{kind, messages_of};
use crate::kit::tool_call::{CallFormat, CallShape};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::OpenaiChat,
    marks: &[],
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    match value {
        Json::Object(_) if value.get("choices").is_some() => match first_message(value) {
            Some(message) => message_likeness(message),
            None => Likeness::Partial("`choices[0].message`"),
        },
        Json::Object(_) if answer(value).is_some() => {
            answer(value).map_or(Likeness::None, message_likeness)
        }
        Json::Object(_) if value.get("messages").is_none() => message_likeness(value),
        Json::Object(_) if value.get("messages").and_then(Json::items).is_none() => {
            Likeness::Partial("a list of `messages`")
        }
        Json::Object(_) => all_alike(value).unwrap_or(Likeness::Full),
        Json::Array(items) if are_calls(items) => Likeness::Full,
        _ => all_alike(value).unwrap_or(Likeness::None),
    }
}

/// The likeness of the first message, unless a later message has members of another format. `None`
/// without messages. A later message with an unknown role is an error of the reader, which names its
/// path.
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

/// Whether a list is what a message has as `tool_calls`.
fn are_calls(items: &[Json<'_>]) -> bool {
    CallShape::of_list(items) == Some(CallFormat::OpenaiChat)
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

/// Members that hold text or calls in other formats.
const FOREIGN: [&str; 3] = ["parts", "toolInvocations", "toolCalls"];

/// The part that a message lacks to be a chat message.
fn strange_content(message: Json<'_>) -> Option<&'static str> {
    if FOREIGN.into_iter().any(|key| message.get(key).is_some()) {
        return Some("`content` and `tool_calls` instead of `parts` or `toolCalls`");
    }
    match message.get("content") {
        None | Some(Json::Null | Json::String(_)) => None,
        Some(Json::Array(parts)) if parts.iter().all(is_chat_part) || are_valued(parts) => None,
        Some(_) => Some("a text or text parts as `content`"),
    }
}

fn is_chat_part(part: &Json<'_>) -> bool {
    matches!(
        kind(*part),
        Some("text" | "image_url" | "input_audio" | "file" | "refusal")
    )
}

/// The message of a response that has only one, as Ollama writes it: `{model, message, done}`.
fn answer(response: Json<'_>) -> Option<Json<'_>> {
    let message = response.get("message");
    let message = message.filter(|message| message.get("role").is_some());
    let is_response = matches!(response.get("done"), Some(Json::Bool(_)))
        || response.get("finish_reason").is_some();
    message.filter(|_| is_response)
}

fn first_message(response: Json<'_>) -> Option<Json<'_>> {
    response.get("choices")?.items()?.first()?.get("message")
}

const ENVELOPE: Envelope = Envelope {
    what: "a list of messages, or {messages}",
    is_message: |it| {
        it.get("messages").is_none() && it.get("choices").is_none() && answer(it).is_none()
    },
    ids: &["id"],
    tools: &[&["tools"]],
    reads: |fields, key, value| match key {
        "messages" | "choices" => true,
        "message" => answer(fields.value()).is_some(),
        "id" => value.as_str().is_some(),
        _ => false,
    },
};

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    ENVELOPE.read(value, import, read_list, read_message, read_exchange)
}

/// Reads a list of messages, or of calls alone.
fn read_list<'a>(
    items: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    if !are_calls(items) {
        return read_into(items, path, conversation, import);
    }
    let calls = read_call_list(items, false, import)?;
    conversation.turn(Role::Agent, "", calls);
    Ok(())
}

/// A request, a response, or both in one object.
fn read_exchange<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    if fields.get("messages").is_some() {
        let messages = fields.items("messages", "a list of messages")?;
        let path = fields.path().key("messages");
        read_into(messages, &path, conversation, import)?;
    }
    match (fields.get("choices"), answer(fields.value())) {
        (Some(_), _) => read_choice(fields, conversation, import),
        (None, Some(message)) => {
            let path = fields.path().key("message");
            let message = Fields::of(message, path, "a message: {role, content}")?;
            let ends = ["done_reason", "finish_reason"];
            let cut_off = ends.iter().any(|key| fields.text(key) == Some("length"));
            read_answer(&message, About::default(), cut_off, conversation, import)
        }
        (None, None) => Ok(()),
    }
}

/// Adds the first choice of a response.
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

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, imported};

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
    fn calls_in_parts_of_other_formats_are_warnings() {
        let arena = Bump::new();
        let reader = toolgauge_model::Reader::new(&arena, toolgauge_model::Limits::default());
        let messages = toolgauge_model::testing::arena_json(
            &arena,
            r#"[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"text","text":"on it"},{"type":"tool_use","id":"a","name":"f","input":{}}]}]"#,
        );
        let format = Some(TrajectoryFormat::OpenaiChat);
        let read = crate::import_trajectories(messages, format, reader).expect("messages");
        assert_eq!(read.warnings[0].path, "[1].content[1]");
        assert!(read.warnings[0].message.contains("\"tool_use\""));
    }

    #[test]
    fn members_that_may_hold_calls_are_warnings() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"role":"assistant","content":"on it","tool_uses":[{"name":"f"}],"tools_used":["f"]}]"#,
        );
        let warned: Vec<_> = read.warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(warned, ["[0].tool_uses"]);
    }

    #[test]
    fn a_late_message_decides_the_format() {
        let arena = Bump::new();
        let plain = r#"{"role":"user","content":"and?"},"#.repeat(400);
        let late = r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}"#;
        let read = imported(&arena, &format!("[{plain}{late}]"));
        assert_eq!(read.format, TrajectoryFormat::Anthropic);
    }

    #[test]
    fn the_input_of_a_custom_tool_is_any_text_and_other_values_are_kept() {
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
    fn paths_start_at_the_whole_document() {
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
        assert_eq!(trajectory.tools, None, "an empty list declares no tools");
        assert_eq!(trajectory.extra, [("model", Json::String("m"))]);
        let response = imported(
            &arena,
            r#"{"choices":[{"message":{"role":"assistant","content":"hi"}},{"message":{}}]}"#,
        );
        assert_eq!(response.value[0].turns[0].content, "hi");
        assert_eq!(response.warnings[0].path, "choices");
    }
}
