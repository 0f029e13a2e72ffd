//! Cohere chat, version 2 of the API: messages `{role, tool_plan, tool_calls}`, one or a list, a request
//! `{messages, tools, documents}`, or a response `{finish_reason, message}`. Calls are written as in OpenAI
//! chat. A result consists of documents: `{role: "tool", tool_call_id, content: [{type: "document", document:
//! {data}}]}`.

use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::dialects::openai_chat::read_answer;
use crate::kit::envelope::Envelope;
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::marks::marks;
use crate::kit::message::About;
use crate::kit::signs::{Sign, items, kind, likeness_by, plain_or_open};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Member, Path, Role, Trajectory, Turn};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Cohere,
    marks: &marks(["finish_reason", "tool_plan", "citations", "document"]),
    likeness,
    read,
};

/// Why a response ended. Other providers write these in lower case.
const ENDS: [&str; 5] = [
    "COMPLETE",
    "STOP_SEQUENCE",
    "MAX_TOKENS",
    "TOOL_CALL",
    "ERROR",
];

fn likeness(value: Json<'_>) -> Likeness {
    let end = value.get("finish_reason").and_then(Json::as_str);
    let message = value.get("message").and_then(Json::members);
    match end.is_some_and(|end| is_one_of(end, &ENDS)) {
        true if message.is_some() => Likeness::Full,
        true => Likeness::Partial("`message`, as in version 2 of the API"),
        false => likeness_by(value, "messages", sign),
    }
}

fn sign(message: Json<'_>) -> Sign {
    let is_cited = |cited: &Json<'_>| cited.get("sources").is_some();
    let has_own_member =
        message.get("tool_plan").is_some() || items(message, "citations").iter().any(is_cited);
    let has_document = items(message, "content").iter().any(is_document);
    match message.get("role").and_then(Json::as_str) {
        Some("assistant") if has_own_member => Sign::Decisive,
        Some("tool") if has_document => Sign::Decisive,
        _ if message.get("tool_plan").is_some() => Sign::Broken("the role assistant"),
        _ if has_document => Sign::Broken("the role tool"),
        _ => plain_or_open(message),
    }
}

fn is_document(part: &Json<'_>) -> bool {
    kind(*part) == Some("document") && part.get("document").is_some()
}

const ENVELOPE: Envelope = Envelope {
    what: "a list of messages, {messages} or {message}",
    is_message: |it| it.get("role").is_some(),
    ids: &["id"],
    tools: &[&["tools"]],
    reads: |_, key, value| match key {
        "messages" | "message" => true,
        "id" => value.as_str().is_some(),
        "documents" => value.items().is_some(),
        _ => false,
    },
};

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    ENVELOPE.read(value, import, read_messages, read_message, read_exchange)
}

/// A request, a response, or both in one object.
fn read_exchange<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    read_documents(fields, conversation, import);
    let answer = fields.get("message");
    if answer.is_none() || fields.get("messages").is_some() {
        let messages = fields.items("messages", "a list of messages")?;
        let path = fields.path().key("messages");
        read_messages(messages, &path, conversation, import)?;
    }
    let Some(answer) = answer else { return Ok(()) };
    let path = fields.path().key("message");
    let answer = Fields::of(answer, path, "a message: {role, content}")?;
    let cut_off = fields.text("finish_reason") == Some("MAX_TOKENS");
    read_answer(&answer, About::default(), cut_off, conversation, import)
}

/// The documents of a request are evidence: the model is given them before the conversation. A turn keeps
/// them, because they are no text that anyone said.
fn read_documents<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &Import<'a>,
) {
    let documents = fields.get("documents").and_then(Json::items);
    if documents.is_none_or(<[_]>::is_empty) {
        return;
    }
    conversation.push(Turn {
        turn_id: 0,
        role: Role::System,
        content: "",
        timestamp: None,
        tool_calls: Vec::new(),
        extra: fields.rest(import.arena(), |key, _| key != "documents"),
    });
}

fn read_messages<'a>(
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

fn read_message<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    match fields.text("role") {
        Some("tool") => read_result(fields, conversation, import),
        _ => read_answer(fields, About::default(), false, conversation, import),
    }
}

/// The members of a result that are read. Its call keeps all others.
const OF_RESULTS: [&str; 3] = ["role", "content", "tool_call_id"];

fn read_result<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let parts = items(fields.value(), "content");
    let value = match fields.get("content") {
        None | Some(Json::Null) => Json::String(""),
        Some(text @ Json::String(_)) => import.content(text),
        Some(Json::Array(_)) => value_of(parts, import),
        Some(_) => return Err(fields.mismatch("content", "a text, a list of documents, or null")),
    };
    let result = CallResult {
        id: fields.text("tool_call_id"),
        name: None,
        outcome: Outcome::of(value, false),
    };
    let rest = fields.rest(import.arena(), |key, _| is_one_of(key, &OF_RESULTS));
    let ids = document_ids(parts, import);
    if let Some(call) = conversation.result(&result, fields.path(), import) {
        import.keep(call, rest);
        import.keep(call, ids);
    }
    Ok(())
}

/// The value of a result: the data of its one document, a list of those of several, or else the parts
/// themselves.
fn value_of<'a>(parts: &'a [Json<'a>], import: &Import<'a>) -> Json<'a> {
    let data = parts.iter().map(|part| data_of(*part));
    match data.collect::<Option<Vec<_>>>().as_deref() {
        None => Json::Array(parts),
        Some([one]) => import.nested(*one),
        Some(several) => {
            let values: Vec<_> = several.iter().map(|data| import.nested(*data)).collect();
            Json::Array(import.arena().alloc_slice_copy(&values))
        }
    }
}

/// The data of a document, or the text of a text part. `None` if the part has a member that is not read.
fn data_of<'a>(part: Json<'a>) -> Option<Json<'a>> {
    let (holder, key) = match kind(part)? {
        "document" => (part.get("document")?, "data"),
        "text" => (part, "text"),
        _ => return None,
    };
    let mut names = holder.members()?.iter().map(|(name, _)| *name);
    let is_read = names.all(|name| is_one_of(name, &["type", "id", key]));
    holder.get(key).filter(|_| is_read)
}

/// The ids of the documents of a result, which citations name, as a member of the call.
fn document_ids<'a>(parts: &[Json<'a>], import: &Import<'a>) -> &'a [Member<'a>] {
    let ids = parts
        .iter()
        .filter_map(|part| part.get("document")?.get("id"));
    let ids: Vec<_> = ids.collect();
    if ids.is_empty() {
        return &[];
    }
    let ids = Json::Array(import.arena().alloc_slice_copy(&ids));
    import.arena().alloc_slice_copy(&[("document_ids", ids)])
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn a_request_is_read_with_its_documents_and_results() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("cohere/request.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::System, String::new(), 0),
                (Role::System, "You tend the aquarium.".to_owned(), 0),
                (Role::User, "How warm are both tanks?".to_owned(), 0),
                (Role::Agent, String::new(), 3),
                (Role::Agent, "Tank 1 is at 24.5 °C.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"c1","name":"read_tank","arguments":{"tank":1},"result":{"celsius":24.5},"document_ids":["d1"]}"#,
                r#"{"id":"c2","name":"read_tank","arguments":{"tank":2},"result":[{"celsius":23},"the filter is off"]}"#,
                r#"{"id":"c3","name":"log","arguments":{},"result":"noted"}"#,
            ]
        );
        let kept = |turn: usize| -> Vec<_> {
            let extra = trajectory.turns[turn].extra.iter();
            extra.map(|(key, _)| *key).collect()
        };
        assert_eq!(kept(0), ["documents"]);
        assert_eq!(kept(3), ["tool_plan"]);
        assert_eq!(kept(4), ["citations"]);
        assert_eq!(trajectory.extra, [("model", Json::String("command-a"))]);
        assert!(trajectory.tools.is_some());
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn a_response_that_was_cut_off_has_an_incomplete_call() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("cohere/response.json"));
        assert_eq!(read.value[0].trajectory_id, Some("r1"));
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"c1","name":"read_tank","rawArguments":"{\"tank\":","incomplete":true}"#]
        );
        assert_eq!(
            read.warnings[0].path,
            "message.tool_calls[0].function.arguments"
        );
    }

    #[test]
    fn a_plan_a_document_or_a_cited_source_is_enough_to_tell_it_from_openai_chat() {
        let format_of = |text: &str| {
            let arena = Bump::new();
            imported(&arena, text).format
        };
        let call = r#"{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}"#;
        let cases = [
            format!(r#"[{{"role":"assistant","tool_plan":"I will.","tool_calls":[{call}]}}]"#),
            r#"[{"role":"tool","tool_call_id":"a","content":[{"type":"document","document":{"data":"1"}}]}]"#.to_owned(),
            r#"[{"role":"assistant","content":"One.","citations":[{"text":"One","sources":[]}]}]"#.to_owned(),
            r#"{"finish_reason":"COMPLETE","message":{"role":"assistant","content":[{"type":"text","text":"Hi."}]}}"#.to_owned(),
        ];
        for text in cases {
            assert_eq!(format_of(&text), TrajectoryFormat::Cohere, "{text}");
        }
        let plain = format!(r#"[{{"role":"assistant","tool_calls":[{call}]}}]"#);
        assert_eq!(format_of(&plain), TrajectoryFormat::OpenaiChat);
    }

    #[test]
    fn parts_that_are_not_known_stay_as_they_are() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"role":"assistant","tool_plan":"","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"a","content":[{"type":"document","document":{"data":"1","page":3}}]}]"#,
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"id":"a","name":"f","arguments":{},"result":[{"type":"document","document":{"data":"1","page":3}}]}"#
            ]
        );
    }

    #[test]
    fn the_error_names_the_part_with_another_shape() {
        let path = |text: &str| failure(text).report().path;
        let cases = [
            (
                r#"[{"role":"assistant","tool_plan":""},{"role":"wizard"}]"#,
                "[1].role",
            ),
            (
                r#"[{"role":"assistant","tool_plan":""},{"role":"tool","content":7}]"#,
                "[1].content",
            ),
        ];
        for (text, place) in cases {
            assert_eq!(path(text).as_deref(), Some(place), "{text}");
        }
        let error = failure(r#"{"text":"Hi.","finish_reason":"COMPLETE"}"#).to_string();
        assert!(error.contains("cohere, but it lacks `message`"), "{error}");
    }
}
