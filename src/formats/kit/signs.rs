//! Detects a format by the messages of a document. The first messages are often plain text, so one look
//! at them is not enough.

use super::format::Likeness;
use toolgauge_model::Json;

/// At most this many messages of a document are searched for a sign of its format.
pub const MOST_LOOKED_AT: usize = 500;

/// The items of a list that are searched for signs.
pub fn first_of<'a, 's>(list: &'s [Json<'a>]) -> &'s [Json<'a>] {
    &list[..list.len().min(MOST_LOOKED_AT)]
}

/// What one message or part says about the format.
pub enum Sign {
    /// Only this format has such messages.
    Decisive,
    /// Only this format has such messages, but a part is missing.
    Broken(&'static str),
    /// The message has a role and a text, as in several formats.
    Plain,
    /// The message says nothing about this format.
    Open,
}

/// Where messages of other formats hold their calls beside a text.
const CALLS: [&str; 3] = ["tool_calls", "toolInvocations", "function_call"];

/// As [`likeness_alone`], for rows that are no messages: events, entries, chunks. A document whose first row has a role
/// holds messages, so its rows are not looked at.
pub fn likeness_of_rows(document: Json<'_>, sign: fn(Json<'_>) -> Sign) -> Likeness {
    match is_said(document) {
        true => Likeness::None,
        false => likeness_alone(document, sign),
    }
}

/// Whether a value is a message with a role, or a list that begins with one.
pub fn is_said(value: Json<'_>) -> bool {
    let first = match value {
        Json::Array([first, ..]) => *first,
        one => one,
    };
    first.get("role").is_some()
}

/// The sign of a message without anything specific to the format.
pub fn plain_or_open(message: Json<'_>) -> Sign {
    // Each test looks at all members, so the one that most messages fail comes first.
    let role = message.get("role").and_then(Json::as_str);
    let is_plain = matches!(role, Some("user" | "assistant" | "system"))
        && is_text(message.get("content"))
        && CALLS.into_iter().all(|key| message.get(key).is_none());
    match is_plain {
        true => Sign::Plain,
        false => Sign::Open,
    }
}

/// Whether a content is a text or holds nothing but texts.
fn is_text(content: Option<Json<'_>>) -> bool {
    match content {
        Some(Json::String(_)) => true,
        Some(Json::Array(parts)) => parts.iter().all(|part| kind(*part) == Some("text")),
        _ => false,
    }
}

/// The messages of a document to search: its items if it is a list, or else those of its member `key`.
pub fn messages_of<'a>(document: Json<'a>, key: &str) -> &'a [Json<'a>] {
    let list = document.items().or_else(|| document.get(key)?.items());
    first_of(list.unwrap_or_default())
}

/// How much a document looks like a format. Its messages are in the member `key`, or it is a list or a
/// message itself.
pub fn likeness_by(document: Json<'_>, key: &str, sign: fn(Json<'_>) -> Sign) -> Likeness {
    match messages_of(document, key) {
        [] => likeness_of(&[document], sign),
        messages => likeness_of(messages, sign),
    }
}

/// How much a document looks like a format. It is a list of messages, or one message.
pub fn likeness_alone(document: Json<'_>, sign: fn(Json<'_>) -> Sign) -> Likeness {
    match document {
        Json::Array(list) => likeness_of(first_of(list), sign),
        one => likeness_of(&[one], sign),
    }
}

/// How much messages look like a format.
pub fn likeness_of(messages: &[Json<'_>], sign: fn(Json<'_>) -> Sign) -> Likeness {
    let mut broken = None;
    let mut is_plain = !messages.is_empty();
    for message in messages {
        match sign(*message) {
            Sign::Decisive => return Likeness::Full,
            Sign::Broken(missing) => broken = broken.or(Some(missing)),
            Sign::Open => is_plain = false,
            Sign::Plain => {}
        }
    }
    match broken {
        Some(missing) => Likeness::Partial(missing),
        None if is_plain => Likeness::Plain,
        None => Likeness::None,
    }
}

/// The `type` of a message or part.
pub fn kind<'a>(value: Json<'a>) -> Option<&'a str> {
    value.get("type")?.as_str()
}

/// The items of `key`. Empty if it is not an array.
pub fn items<'a>(value: Json<'a>, key: &str) -> &'a [Json<'a>] {
    value.get(key).and_then(Json::items).unwrap_or_default()
}
