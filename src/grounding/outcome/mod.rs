//! What a call came to: a result, nothing, an error, or something that can't be read.

mod nothing;
mod object;
mod purpose;
mod sentence;
mod shell;
mod text;

pub use nothing::says_nothing_found;
use toolgauge_model::{Json, Preview, ToolCall, start_of};

/// How much of an error is quoted.
const MOST_QUOTED: usize = 200;

/// How deep an error may lie in what wraps it.
const MOST_DEPTH: usize = 6;

/// What a call came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing came back.
    Missing,
    /// What came back holds nothing: `{}`, `[]`, `""`.
    Empty,
    /// The tool or the runtime reported this error.
    Error(String),
    /// Text that looks like JSON but is not, for this reason.
    Malformed(String),
    /// A result.
    Success,
}

/// What `call` came to.
pub fn outcome_of(call: &ToolCall<'_>) -> Outcome {
    if call.is_unanswered() {
        return Outcome::Missing;
    }
    if let Some(error) = call.error.filter(|error| !error.is_null()) {
        return Outcome::Error(quoted(error));
    }
    match call.result.unwrap_or_default() {
        Json::String(text) => outcome_of_text(text.trim(), call),
        Json::Array([]) | Json::Object([]) => Outcome::Empty,
        result => outcome_from(object::error_in(result, call, 0)),
    }
}

/// What a call came to that returned `text`.
fn outcome_of_text(text: &str, call: &ToolCall<'_>) -> Outcome {
    if text.is_empty() {
        return Outcome::Empty;
    }
    if begins_like_json(text) {
        let read = serde_json::from_str::<serde::de::IgnoredAny>(text);
        if let Err(reason) = read {
            // What Python prints of a list of dicts begins like JSON, too.
            let error = text::error_in_literal(text, call);
            return error.map_or_else(|| Outcome::Malformed(reason.to_string()), Outcome::Error);
        }
    }
    outcome_from(text::error_in_part(text, call, 0))
}

/// The outcome of a call in whose result `error` was found.
fn outcome_from(error: Option<String>) -> Outcome {
    error.map_or(Outcome::Success, Outcome::Error)
}

/// Text in brackets need not be JSON: only what begins like it is.
fn begins_like_json(text: &str) -> bool {
    let Some(inside) = text.strip_prefix(['{', '[']) else {
        return false;
    };
    let second = inside.trim_start().chars().next();
    match text.starts_with('{') {
        true => matches!(second, None | Some('"')),
        false => matches!(second, None | Some('"' | '{' | '[')),
    }
}

/// Whether `value` holds anything: an empty text or list does not.
fn is_something(value: Json<'_>) -> bool {
    !matches!(
        value,
        Json::Null | Json::Bool(false) | Json::String("") | Json::Array([]) | Json::Object([])
    )
}

/// The words of `error`, as many as are quoted: its message where it has one.
fn quoted(error: Json<'_>) -> String {
    const KEYS: &[&str] = &["message", "msg", "detail", "text", "error"];
    match error {
        Json::String(text) => start_of(text, MOST_QUOTED).to_owned(),
        Json::Object(_) => KEYS
            .iter()
            .filter_map(|key| error.get(key)?.as_str())
            .find(|text| !text.is_empty())
            .map_or_else(|| preview(error), |text| quoted(Json::String(text))),
        Json::Array([first @ (Json::Object(_) | Json::String(_)), ..]) => quoted(*first),
        other => preview(other),
    }
}

/// The start of `error` as JSON.
fn preview(error: Json<'_>) -> String {
    Preview::of(error, MOST_QUOTED).to_string()
}

#[cfg(test)]
mod tests;
