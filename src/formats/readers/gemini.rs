//! Gemini contents: `{role, parts}`, one or a list, a request
//! `{systemInstruction, contents, tools}`, or a response `{candidates:
//! [{content}]}`. Calls are parts `functionCall`, their results parts
//! `functionResponse`. All names may be in snake case. A response without an id
//! answers the first open call of its function.

use crate::kit::conversation::Conversation;
use crate::kit::dialects::gemini::{PARTS, either, read_as, read_content, read_into, role_of};
use crate::kit::envelope::Envelope;
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::marks::marks;
use crate::kit::message::About;
use crate::kit::signs::{Sign, items, likeness_by};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Role, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Gemini,
    marks: &marks(["candidates", "contents", "parts", "role=model"]),
    likeness,
    read,
};

const SYSTEM: [&str; 2] = ["systemInstruction", "system_instruction"];
const HISTORY: [&str; 2] = [
    "automaticFunctionCallingHistory",
    "automatic_function_calling_history",
];

fn likeness(value: Json<'_>) -> Likeness {
    match value.get("candidates") {
        Some(Json::Array([_, ..])) => Likeness::Full,
        Some(_) => Likeness::Partial("a list of `candidates`"),
        None if is_text_request(value) => Likeness::Full,
        None => likeness_by(value, "contents", sign),
    }
}

fn is_text_request(value: Json<'_>) -> bool {
    let is_text = |key| value.get(key).is_some_and(|it| it.as_str().is_some());
    is_text("contents") && is_text("model")
}

fn sign(content: Json<'_>) -> Sign {
    let is_own = |part: &Json<'_>| {
        part.get("type").is_none() && PARTS.into_iter().any(|keys| either(*part, keys).is_some())
    };
    let has_own_parts = items(content, "parts").iter().any(is_own);
    let role = content.get("role").filter(|role| !role.is_null());
    match role.map(|role| role.as_str().unwrap_or_default()) {
        Some("model") if content.get("parts").is_some_and(|it| it.items().is_some()) => {
            Sign::Decisive
        }
        Some("model") => Sign::Broken("a list of `parts`"),
        _ if !has_own_parts => Sign::Open,
        Some(role) if role_of(role).is_none() => Sign::Broken("the roles user and model"),
        _ => Sign::Decisive,
    }
}

const ENVELOPE: Envelope = Envelope {
    what: "a list of contents, or {contents}",
    is_message: |it| it.get("parts").is_some(),
    ids: &["responseId", "response_id"],
    tools: &[&["tools"], &["config", "tools"]],
    reads: |_, key, _| {
        let own = ["contents", "candidates", "responseId", "response_id"];
        is_one_of(key, &own) || is_one_of(key, [SYSTEM, HISTORY].as_flattened())
    },
};

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    ENVELOPE.read(value, import, read_into, read_content, read_exchange)
}

/// A request, a response, or both in one object.
fn read_exchange<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let is_response = fields.get("candidates").is_some();
    read_system(fields, conversation, import);
    // The history of a response begins with the contents of its request.
    let history = either(fields.value(), HISTORY).and_then(Json::items);
    let has_history = is_response && history.is_some_and(|contents| !contents.is_empty());
    if !has_history && (!is_response || fields.get("contents").is_some()) {
        read_contents(fields, conversation, import)?;
    }
    match is_response {
        true => read_response(fields, conversation, import),
        false => Ok(()),
    }
}

fn read_system<'a>(fields: &Fields<'a>, conversation: &mut Conversation<'a>, import: &Import<'a>) {
    let config = fields.get("config").unwrap_or_default();
    let system = either(fields.value(), SYSTEM).or(either(config, SYSTEM));
    if let Some(system) = system {
        conversation.turn(Role::System, said(system, import), Vec::new());
    }
}

fn read_contents<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let path = fields.path().key("contents");
    match fields.get("contents") {
        Some(Json::String(text)) => {
            conversation.turn(Role::User, text, Vec::new());
            Ok(())
        }
        Some(content @ Json::Object(_)) => {
            let fields = Fields::of(content, path, "a content")?;
            read_content(&fields, conversation, import)
        }
        Some(Json::Array(contents)) => read_into(contents, &path, conversation, import),
        _ => Err(fields.mismatch("contents", "a list of contents")),
    }
}

/// The text of a system instruction, which is a text, a part, a list of parts, or a content.
fn said<'a>(system: Json<'a>, import: &Import<'a>) -> &'a str {
    let text_of = |part: Json<'a>| part.as_str().or_else(|| part.get("text")?.as_str());
    let parts = system.items().unwrap_or(items(system, "parts"));
    match text_of(system) {
        Some(text) => text,
        None => import.join_text(parts.iter().copied().filter_map(text_of)),
    }
}

fn read_response<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    for key in HISTORY {
        let history = fields.optional_items(key, "a list of contents")?;
        read_into(history, &fields.path().key(key), conversation, import)?;
    }
    let candidates = fields.items("candidates", "a list of candidates")?;
    let path = fields.path().key("candidates");
    if candidates.len() > 1 {
        let count = candidates.len();
        import.warn(
            &path,
            format!("only the first of {count} candidates is read"),
        );
    }
    let Some(first) = candidates.first() else {
        return Ok(());
    };
    let candidate = Fields::of(*first, path.index(0), "a candidate: {content}")?;
    match candidate.get("content") {
        Some(content @ Json::Object(_)) => {
            let path = candidate.path().key("content");
            let mut about = About::of(&candidate, &["content"], import);
            let content = Fields::of(content, path, "a content")?;
            let own = About::of(&content, &["role", "parts"], import);
            about.extra = import
                .arena()
                .alloc_slice_copy(&[about.extra, own.extra].concat());
            read_as(Role::Agent, &content, about, conversation, import)
        }
        None | Some(Json::Null) => {
            let reason = candidate
                .text("finishReason")
                .unwrap_or("no reason is given");
            let message = format!("the model gave no content: {reason}");
            import.warn(candidate.path(), message);
            Ok(())
        }
        Some(_) => Err(candidate.mismatch("content", "a content: {role, parts}")),
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::import_trajectories;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Limits, Reader};

    #[test]
    fn a_request_is_read_with_results_by_order_and_by_id() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("gemini/request.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::System, "You know the tides.".to_owned(), 0),
                (Role::User, "High water in Brest and Ostend?".to_owned(), 0),
                (Role::Agent, String::new(), 2),
                (Role::Agent, String::new(), 1),
                (
                    Role::Agent,
                    "Brest: 05:10.\nNear Ostend: 02:20.".to_owned(),
                    0
                ),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"name":"tide","arguments":{"port":"Brest"},"result":{"high":"05:10","metres":6.9},"thoughtSignature":"c2ln"}"#,
                r#"{"name":"tide","arguments":{"port":"Ostend"},"error":"no gauge in Ostend"}"#,
                r#"{"id":"c3","name":"tide","arguments":{"port":"Zeebrugge"},"result":{"high":"02:20"}}"#,
            ]
        );
        assert!(trajectory.tools.is_some());
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn a_response_is_read_after_the_calls_made_for_it() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("gemini/response.json"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("r-1"));
        assert_eq!(
            turns_of(trajectory),
            [
                (
                    Role::User,
                    "What is 17 factorial over 15 factorial?".to_owned(),
                    0
                ),
                (Role::Agent, String::new(), 1),
                (Role::Agent, String::new(), 1),
                (Role::Agent, "272.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"name":"divide","arguments":{"a":"17!","b":"15!"},"error":"not a number"}"#,
                r#"{"id":"e1","name":"code_execution","arguments":{"id":"e1","language":"PYTHON","code":"print(17*16)"},"result":"272\n"}"#,
            ]
        );
        assert_eq!(read.warnings.len(), 1);
        assert_eq!(read.warnings[0].path, "candidates");
    }

    #[test]
    fn an_answer_without_content_is_a_warning() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL"}]}"#,
        );
        assert_eq!(read.value[0].turns.len(), 0);
        assert!(
            read.warnings[0]
                .message
                .ends_with("MALFORMED_FUNCTION_CALL")
        );
    }

    #[test]
    fn a_function_without_arguments_and_one_still_being_written() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"parts":[{"functionCall":{"name":"now"}},{"functionCall":{"name":"f","args":{"a":1},"willContinue":true}}]}]"#,
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"name":"now","arguments":{}}"#,
                r#"{"name":"f","arguments":{"a":1},"incomplete":true,"willContinue":true}"#,
            ]
        );
        assert_eq!(read.warnings[0].path, "[0].parts[1].functionCall.args");
    }

    #[test]
    fn the_error_names_the_part_with_another_shape() {
        let path = |text: &str| failure(text).report().path;
        let after = |content| format!(r#"[{{"role":"user","parts":[{{"text":"a"}}]}},{content}]"#);
        assert_eq!(path(&after("7")).as_deref(), Some("[1]"));
        assert_eq!(
            path(&after(r#"{"role":"wizard","parts":[]}"#)).as_deref(),
            Some("[1].role")
        );
        assert_eq!(path(&after(r#"{"parts":7}"#)).as_deref(), Some("[1].parts"));
        assert_eq!(
            path(&after(r#"{"parts":[{"functionCall":7}]}"#)).as_deref(),
            Some("[1].parts[0].functionCall")
        );
    }

    #[test]
    fn the_error_for_a_text_of_another_format_names_its_path() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let messages = r#"[{"role":"user","content":"hi"},{"role":"user","parts":[{"text":"a"}]}]"#;
        let messages = arena_json(&arena, messages);
        let read = import_trajectories(messages, Some(TrajectoryFormat::Gemini), reader);
        let warnings = read.expect("contents").warnings;
        let paths: Vec<_> = warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(paths, ["[0].content"], "{warnings:?}");
        let plain = arena_json(&arena, r#"[{"role":"user","content":"hi"}]"#);
        let read = import_trajectories(plain, Some(TrajectoryFormat::Gemini), reader);
        let warnings = read.expect("contents").warnings;
        let paths: Vec<_> = warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(paths, ["[0].content", ""], "{warnings:?}");
        assert_eq!(
            warnings[1].message,
            "read as gemini, but it looks like openai-chat"
        );
    }
}
