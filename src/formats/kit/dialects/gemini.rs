//! Contents of Gemini, in camel or snake case.

use crate::kit::Import;
use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::message::{About, Message};
use crate::kit::signs::items;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Member, Path, Role, ToolCall};

/// The members that make a part what it is, in both spellings.
pub const PARTS: [[&str; 2]; 9] = [
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
pub const CALL: [&str; 2] = ["functionCall", "function_call"];
pub const RESPONSE: [&str; 2] = ["functionResponse", "function_response"];
const SERVER_CALL: [&str; 2] = ["toolCall", "tool_call"];
const SERVER_RESPONSE: [&str; 2] = ["toolResponse", "tool_response"];
const CODE: [&str; 2] = ["executableCode", "executable_code"];
const CODE_RESULT: [&str; 2] = ["codeExecutionResult", "code_execution_result"];
/// The member in either spelling, unless it is `null`.
pub fn either<'a>(value: Json<'a>, keys: [&str; 2]) -> Option<Json<'a>> {
    let found = keys.into_iter().find_map(|key| value.get(key));
    found.filter(|value| !value.is_null())
}

pub fn role_of(role: &str) -> Option<Role> {
    match role {
        "user" | "function" | "tool" => Some(Role::User),
        "model" => Some(Role::Agent),
        "system" => Some(Role::System),
        _ => None,
    }
}

/// Adds `contents` to `conversation`; `path` is the path of the list.
pub fn read_into<'a>(
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
pub fn read_content<'a>(
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

/// The role of a content without one: the agent if it calls functions, else the user.
fn role_by_parts(content: Json<'_>) -> Role {
    let is_call = |part: &Json<'_>| either(*part, CALL).is_some();
    match items(content, "parts").iter().any(is_call) {
        true => Role::Agent,
        false => Role::User,
    }
}

/// Adds one content of `role` to `conversation`. `about` is what its turns keep besides the parts.
pub fn read_as<'a>(
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

/// Adds a part of a content to its message.
pub fn read_part<'a>(
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

pub fn inner<'a>(part: &Fields<'a>, keys: [&str; 2]) -> Result<Option<Fields<'a>>> {
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
    // Gemini leaves out `args` if a function takes no arguments.
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

/// The unknown members of a part, such as a thought signature.
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

/// The outcome of a function. A response with `error` and without `output` is a failure. If `output` is
/// the only member, it is the result.
pub fn outcome_of<'a>(response: Json<'a>, import: &Import<'a>) -> Outcome<'a> {
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
