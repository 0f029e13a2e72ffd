//! Gemini contents: `{role, parts}`, alone or in a list, a request `{systemInstruction, contents,
//! tools}`, or a response `{candidates: [{content}]}`. Calls are parts `functionCall`, their results
//! parts `functionResponse`; all names may be written in snake case. Without an id a response answers
//! the first open call of its function.

use super::conversation::{CallResult, Conversation, Outcome};
use super::fields::{Fields, is_one_of};
use super::message::{About, Message};
use super::signs::{Sign, items, likeness_by};
use super::{Format, Import, Likeness, TrajectoryFormat};
use crate::error::Result;
use crate::model::{Json, Member, Path, Role, ToolCall, Trajectory, Turn};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Gemini,
    likeness,
    read,
};

/// What a part can be, in both spellings.
const PARTS: [[&str; 2]; 9] = [
    ["text", "text"],
    CALL,
    RESPONSE,
    SERVER_CALL,
    SERVER_RESPONSE,
    CODE,
    CODE_RESULT,
    ["inlineData", "inline_data"],
    ["fileData", "file_data"],
];
const CALL: [&str; 2] = ["functionCall", "function_call"];
const RESPONSE: [&str; 2] = ["functionResponse", "function_response"];
const SERVER_CALL: [&str; 2] = ["toolCall", "tool_call"];
const SERVER_RESPONSE: [&str; 2] = ["toolResponse", "tool_response"];
const CODE: [&str; 2] = ["executableCode", "executable_code"];
const CODE_RESULT: [&str; 2] = ["codeExecutionResult", "code_execution_result"];
const SYSTEM: [&str; 2] = ["systemInstruction", "system_instruction"];
const HISTORY: [&str; 2] = [
    "automaticFunctionCallingHistory",
    "automatic_function_calling_history",
];

/// The member of either spelling that is there and not `null`.
pub(super) fn either<'a>(value: Json<'a>, keys: [&str; 2]) -> Option<Json<'a>> {
    let found = keys.into_iter().find_map(|key| value.get(key));
    found.filter(|value| !value.is_null())
}

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

fn role_of(role: &str) -> Option<Role> {
    match role {
        "user" | "function" | "tool" => Some(Role::User),
        "model" => Some(Role::Agent),
        "system" => Some(Role::System),
        _ => None,
    }
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    if let Json::Array(contents) = value {
        return Ok(vec![Trajectory {
            turns: read_messages(contents, &Path::root(), import)?,
            ..Trajectory::default()
        }]);
    }
    let fields = Fields::of(value, Path::root(), "a list of contents, or {contents}")?;
    let mut conversation = Conversation::default();
    if fields.get("parts").is_some() {
        read_content(&fields, &mut conversation, import)?;
        return Ok(vec![Trajectory {
            turns: conversation.into_turns(),
            ..Trajectory::default()
        }]);
    }
    if fields.get("candidates").is_some() {
        read_response(&fields, &mut conversation, import)?;
    } else {
        read_request(&fields, &mut conversation, import)?;
    }
    let config = fields.get("config");
    Ok(vec![Trajectory {
        trajectory_id: fields.text("responseId").or(fields.text("response_id")),
        turns: conversation.into_turns(),
        tools: fields
            .get("tools")
            .or(config.and_then(|it| it.get("tools"))),
        expected_calls: None,
        extra: fields.rest(import.arena(), |key, _| {
            matches!(
                key,
                "contents" | "candidates" | "tools" | "responseId" | "response_id"
            ) || is_one_of(key, [SYSTEM, HISTORY].as_flattened())
        }),
    }])
}

fn read_request<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let config = fields.get("config").unwrap_or_default();
    let system = either(fields.value(), SYSTEM).or(either(config, SYSTEM));
    if let Some(system) = system {
        conversation.turn(Role::System, said(system, import), Vec::new());
    }
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

/// The text of a system instruction: a text, a part, a list of parts, or a content.
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

/// The turns that `contents` make; `path` is where the list stands.
pub(super) fn read_messages<'a>(
    contents: &'a [Json<'a>],
    path: &Path,
    import: &mut Import<'a>,
) -> Result<Vec<Turn<'a>>> {
    let mut conversation = Conversation::default();
    read_into(contents, path, &mut conversation, import)?;
    Ok(conversation.into_turns())
}

fn read_into<'a>(
    contents: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    for (at, content) in contents.iter().enumerate() {
        let fields = Fields::of(*content, path.index(at), "a content: {role, parts}")?;
        read_content(&fields, conversation, import)?;
    }
    Ok(())
}

/// Adds one content to `conversation`.
pub(super) fn read_content<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let role = match fields.get("role") {
        None | Some(Json::Null) => role_by_parts(fields.value()),
        Some(role) => match role.as_str().and_then(role_of) {
            Some(role) => role,
            None => return Err(fields.mismatch("role", "user or model")),
        },
    };
    let about = About::of(fields, &["role", "parts"], import);
    read_as(role, fields, about, conversation, import)
}

/// Without a role a content is the user's, unless it calls functions.
fn role_by_parts(content: Json<'_>) -> Role {
    let is_call = |part: &Json<'_>| either(*part, CALL).is_some();
    match items(content, "parts").iter().any(is_call) {
        true => Role::Agent,
        false => Role::User,
    }
}

/// Adds one content that is said by `role` to `conversation`; `about` is what its turns keep of it.
pub(super) fn read_as<'a>(
    role: Role,
    fields: &Fields<'a>,
    about: About<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let parts = fields.optional_items("parts", "a list of parts")?;
    let path = fields.path().key("parts");
    if fields.get("parts").is_none() && fields.get("content").is_some_and(|it| !it.is_null()) {
        let what = "this is not read: Gemini contents have `parts`";
        import.warn(&fields.path().key("content"), what);
    }
    let mut message = Message::new(role, about, conversation);
    for (at, part) in parts.iter().enumerate() {
        match part {
            Json::String(text) => message.text(text),
            part => {
                let part = Fields::of(*part, path.index(at), "a part: {text} or {functionCall}")?;
                read_part(&part, &mut message, import)?;
            }
        }
    }
    message.finish(import);
    Ok(())
}

fn read_part<'a>(
    part: &Fields<'a>,
    message: &mut Message<'_, 'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let value = part.value();
    let is_thought = matches!(part.get("thought"), Some(Json::Bool(true)));
    if let Some(text) = part.text("text").filter(|_| !is_thought) {
        message.text(text);
    } else if let Some(call) = inner(part, CALL)? {
        message.call(read_call(&call, part, import));
    } else if let Some(response) = inner(part, RESPONSE)? {
        read_function_response(&response, message, import);
    } else if let Some(call) = inner(part, SERVER_CALL)? {
        message.call(read_server_call(&call, part, import));
    } else if let Some(response) = inner(part, SERVER_RESPONSE)? {
        let outcome = Outcome::Result(response.get("response").unwrap_or_default());
        answer(&response, None, outcome, message, import);
    } else if let Some(code) = inner(part, CODE)? {
        message.call(ToolCall {
            id: code.text("id"),
            name: Some("code_execution"),
            arguments: Some(code.value()),
            extra: others(part, import),
            ..ToolCall::default()
        });
    } else if let Some(result) = inner(part, CODE_RESULT)? {
        let failed = result.text("outcome").is_some_and(|it| it != "OUTCOME_OK");
        let output = result.get("output").or(result.get("outcome"));
        let outcome = Outcome::of(import.nested(output.unwrap_or_default()), failed);
        answer(&result, Some("code_execution"), outcome, message, import);
    } else {
        message.other(value);
    }
    Ok(())
}

fn inner<'a>(part: &Fields<'a>, keys: [&str; 2]) -> Result<Option<Fields<'a>>> {
    let there = |key: &&str| part.get(key).is_some_and(|value| !value.is_null());
    let Some(key) = keys.into_iter().find(there) else {
        return Ok(None);
    };
    let value = part.get(key).unwrap_or_default();
    Fields::of(value, part.path().key(key), "an object").map(Some)
}

fn read_call<'a>(call: &Fields<'a>, part: &Fields<'a>, import: &mut Import<'a>) -> ToolCall<'a> {
    let going_on = call.get("willContinue").or(call.get("will_continue"));
    let own = call.rest(import.arena(), |key, value| match key {
        "args" => true,
        "id" | "name" => value.as_str().is_some() || value.is_null(),
        _ => value.is_null(),
    });
    let mut read = ToolCall {
        id: call.text("id"),
        name: call.text("name"),
        incomplete: matches!(going_on, Some(Json::Bool(true))),
        extra: own,
        ..ToolCall::default()
    };
    // A function that takes no arguments is called without `args`.
    let arguments = call.get("args").filter(|args| !args.is_null());
    let arguments = arguments.unwrap_or(Json::Object(&[]));
    import.arguments(&mut read, Some(arguments), &|| call.path().key("args"));
    import.keep(&mut read, others(part, import));
    read
}

fn read_server_call<'a>(call: &Fields<'a>, part: &Fields<'a>, import: &Import<'a>) -> ToolCall<'a> {
    ToolCall {
        id: call.text("id"),
        name: call.text("toolType").or(call.text("tool_type")),
        arguments: call.get("args").or(Some(Json::Object(&[]))),
        extra: others(part, import),
        ..ToolCall::default()
    }
}

/// What stands in a part beside what it is: a thought signature, and what is not known.
fn others<'a>(part: &Fields<'a>, import: &Import<'a>) -> &'a [Member<'a>] {
    part.rest(import.arena(), |key, value| {
        value.is_null() || is_one_of(key, PARTS.as_flattened())
    })
}

fn read_function_response<'a>(
    response: &Fields<'a>,
    message: &mut Message<'_, 'a>,
    import: &mut Import<'a>,
) {
    let outcome = outcome_of(response.get("response").unwrap_or_default(), import);
    answer(response, response.text("name"), outcome, message, import);
}

/// A response with the key `error` and none `output` is a failure; with the key `output` alone, that is
/// what the function returned.
pub(super) fn outcome_of<'a>(response: Json<'a>, import: &Import<'a>) -> Outcome<'a> {
    let there = |key| response.get(key).filter(|value| !value.is_null());
    match (there("output"), there("error")) {
        (None, Some(error)) => Outcome::Error(import.nested(error)),
        (Some(output), None) if response.members().is_some_and(|it| it.len() == 1) => {
            Outcome::Result(import.nested(output))
        }
        _ => Outcome::Result(import.nested(response)),
    }
}

fn answer<'a>(
    fields: &Fields<'a>,
    name: Option<&'a str>,
    outcome: Outcome<'a>,
    message: &mut Message<'_, 'a>,
    import: &mut Import<'a>,
) {
    let result = CallResult {
        id: fields.text("id").filter(|id| !id.is_empty()),
        name,
        outcome,
    };
    let rest = fields.rest(import.arena(), |key, value| {
        value.is_null()
            || matches!(
                key,
                "id" | "name" | "response" | "output" | "outcome" | "toolType" | "tool_type"
            )
    });
    if let Some(call) = message.result(&result, fields.path(), import) {
        import.keep(call, rest);
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::super::import_trajectories;
    use super::super::testing::{calls_of, failure, fixture, imported, turns_of};
    use super::*;
    use crate::model::testing::arena_json;
    use crate::model::{Limits, Reader};

    #[test]
    fn a_request_is_read_with_results_by_order_and_by_id() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("gemini.request.json"));
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
        let read = imported(&arena, &fixture("gemini.response.json"));
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
    fn an_answer_without_content_is_told() {
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
    fn what_has_another_shape_is_named() {
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
    fn texts_of_other_formats_are_told_with_their_place() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let messages = r#"[{"role":"user","content":"hi"},{"role":"user","parts":[{"text":"a"}]}]"#;
        let messages = arena_json(&arena, messages);
        let read = import_trajectories(messages, Some(TrajectoryFormat::Gemini), reader);
        let warnings = read.expect("contents").warnings;
        let told: Vec<_> = warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(told, ["[0].content"], "{warnings:?}");
        let plain = arena_json(&arena, r#"[{"role":"user","content":"hi"}]"#);
        let read = import_trajectories(plain, Some(TrajectoryFormat::Gemini), reader);
        let warnings = read.expect("contents").warnings;
        let told: Vec<_> = warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(told, ["[0].content", ""], "{warnings:?}");
        assert_eq!(
            warnings[1].message,
            "read as gemini, but it looks like openai-chat"
        );
    }
}
