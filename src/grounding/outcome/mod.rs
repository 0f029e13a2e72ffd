//! Classifies how a call ended: with a result, with nothing, with an error, or with something unreadable.

mod nothing;
mod object;
mod purpose;
mod sentence;
mod shell;
mod text;

pub use nothing::says_nothing_found;
use toolgauge_model::{Json, Preview, ToolCall, start_of};

/// The maximum length of a quoted error, in characters.
const MOST_QUOTED: usize = 200;

/// The maximum number of wrappers around an error that are opened.
const MOST_DEPTH: usize = 6;

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The call has no result and no error.
    Missing,
    /// The result is empty: `{}`, `[]`, `""`.
    Empty,
    /// The tool or the runtime reported this error.
    Error(String),
    /// The result looks like JSON but does not parse, for this reason.
    Malformed(String),
    /// The call returned a result.
    Success,
}

/// Returns how `call` ended.
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

/// Returns how a call that returned `text` ended.
fn outcome_of_text(text: &str, call: &ToolCall<'_>) -> Outcome {
    if text.is_empty() {
        return Outcome::Empty;
    }
    if begins_like_json(text) {
        let read = serde_json::from_str::<serde::de::IgnoredAny>(text);
        if let Err(reason) = read {
            // Python's print of a list of dicts also starts like JSON.
            let error = text::error_in_literal(text, call);
            return error.map_or_else(|| Outcome::Malformed(reason.to_string()), Outcome::Error);
        }
    }
    outcome_from(text::error_in_part(text, call, 0))
}

/// Returns [`Outcome::Error`] if an error was found in the result, [`Outcome::Success`] otherwise.
fn outcome_from(error: Option<String>) -> Outcome {
    error.map_or(Outcome::Success, Outcome::Error)
}

/// Checks whether `text` starts like a JSON object or array; a bracket alone is not enough.
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

/// Checks whether `value` holds anything: an empty text, list or object does not.
fn is_something(value: Json<'_>) -> bool {
    !matches!(
        value,
        Json::Null | Json::Bool(false) | Json::String("") | Json::Array([]) | Json::Object([])
    )
}

/// Returns the text to quote for `error`: its message if it has one.
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

/// Returns the start of `error` as JSON.
fn preview(error: Json<'_>) -> String {
    Preview::of(error, MOST_QUOTED).to_string()
}

#[cfg(test)]
mod tests;
