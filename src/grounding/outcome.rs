//! What a call came to: a result, nothing, an error, or something that can't be read.

use super::keys::Part;
use crate::model::{Json, Preview, ToolCall, start_of};

/// How much of an error is told.
const MOST_TOLD: usize = 200;

/// What a call came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing came back.
    Missing,
    /// What came back holds nothing: `{}`, `[]`, `""`.
    Empty,
    /// The tool or the runtime reported this error.
    Error(String),
    /// Text that looks like JSON and is none, for this reason.
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
        return Outcome::Error(told(error));
    }
    match call.result.unwrap_or_default() {
        Json::String(text) => outcome_of_text(text),
        Json::Array([]) | Json::Object([]) => Outcome::Empty,
        result => error_in(result).map_or(Outcome::Success, Outcome::Error),
    }
}

fn outcome_of_text(text: &str) -> Outcome {
    let text = text.trim();
    if text.is_empty() {
        return Outcome::Empty;
    }
    if text.starts_with(['{', '[']) {
        match serde_json::from_str::<serde::de::IgnoredAny>(text) {
            Ok(_) => return Outcome::Success,
            Err(error) if begins_like_json(text) => return Outcome::Malformed(error.to_string()),
            Err(_) => {}
        }
    }
    let says_error = starts_with_error(text)
        || http_error(text).is_some()
        || exit_code(text).is_some_and(|code| code != 0);
    if says_error {
        Outcome::Error(told(Json::String(text)))
    } else {
        Outcome::Success
    }
}

/// Text in brackets need not be JSON: only what begins like it is.
fn begins_like_json(text: &str) -> bool {
    let second = text[1..].trim_start().chars().next();
    match text.as_bytes()[0] {
        b'{' => matches!(second, None | Some('"')),
        _ => matches!(second, None | Some('"' | '{' | '[')),
    }
}

fn starts_with_error(text: &str) -> bool {
    const OPENINGS: [&str; 12] = [
        "error",
        "exception",
        "traceback",
        "fatal",
        "failed",
        "failure",
        "fehler",
        "erreur",
        "feil",
        "permission denied",
        "access denied",
        "unauthorized",
    ];
    let start = start_of(text, 40).to_lowercase();
    let start = start.trim_start_matches(['[', '<', '(', '*', '#', ' ']);
    OPENINGS.iter().any(|opening| {
        start
            .strip_prefix(opening)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == 's'))
    }) || start
        .split(':')
        .next()
        .is_some_and(|head| head.ends_with("error") && !head.contains(' '))
}

/// `HTTP 404`, `HTTP/1.1 500`, `404 Not Found`, `Status code: 403`.
fn http_error(text: &str) -> Option<u32> {
    let head = start_of(text, 60);
    let code = head
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| digits.len() == 3)
        .find_map(|digits| digits.parse().ok())
        .filter(|code| (400..600).contains(code))?;
    let head = head.to_lowercase();
    let names_http = head.starts_with("http") || head.starts_with("status");
    let known = [
        "not found",
        "forbidden",
        "unauthorized",
        "bad request",
        "internal server error",
        "too many requests",
    ];
    (names_http || known.iter().any(|reason| head.contains(reason))).then_some(code)
}

/// What all phrases around exit codes hold.
const EXIT: Part = Part::of("exit");

/// `exit code: 1`, `exited with code 2`.
fn exit_code(text: &str) -> Option<i64> {
    let start = start_of(text, 400);
    if !EXIT.is_in(start) {
        return None;
    }
    let lower = start.to_lowercase();
    let at = ["exit code", "exited with code", "exit status"]
        .iter()
        .find_map(|phrase| lower.find(phrase).map(|at| at + phrase.len()))?;
    let rest = lower[at..].trim_start_matches([':', '=', ' ']);
    let end = rest
        .find(|c: char| !(c.is_ascii_digit() || c == '-'))
        .unwrap_or(rest.len());
    rest[..end].parse().ok()
}

/// The error that an object reports in one of the ways that tools use.
fn error_in(result: Json<'_>) -> Option<String> {
    let members = result.members()?;
    let number = |value: Json<'_>| match value {
        Json::Number(number) => Some(number.as_f64()),
        _ => None,
    };
    let reports = members.iter().any(|(key, value)| match (*key, *value) {
        ("status" | "state" | "outcome" | "type", Json::String(text)) => is_failure_word(text),
        ("isError" | "is_error" | "failed", Json::Bool(failed)) => failed,
        ("success" | "ok" | "succeeded", Json::Bool(succeeded)) => !succeeded,
        ("error" | "errors" | "exception" | "errorMessage" | "error_message", value) => {
            is_something(value)
        }
        ("statusCode" | "status_code" | "httpStatus" | "http_status" | "status", value) => {
            number(value).is_some_and(|code| (400.0..600.0).contains(&code))
        }
        ("exitCode" | "exit_code" | "returncode" | "return_code", value) => {
            number(value).is_some_and(|code| code != 0.0)
        }
        _ => false,
    });
    reports.then(|| {
        let message = [
            "error",
            "message",
            "errorMessage",
            "error_message",
            "detail",
            "stderr",
            "reason",
        ]
        .iter()
        .filter_map(|key| result.get(key))
        .find(|value| is_something(*value) && !matches!(value, Json::Bool(_)));
        told(message.unwrap_or(result))
    })
}

fn is_failure_word(text: &str) -> bool {
    const WORDS: [&str; 8] = [
        "error",
        "failed",
        "failure",
        "fail",
        "denied",
        "rejected",
        "timeout",
        "exception",
    ];
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

fn is_something(value: Json<'_>) -> bool {
    !matches!(
        value,
        Json::Null | Json::Bool(false) | Json::String("") | Json::Array([]) | Json::Object([])
    )
}

fn told(error: Json<'_>) -> String {
    match error {
        Json::String(text) => start_of(text, MOST_TOLD).to_owned(),
        Json::Object(_) if error.get("message").is_some_and(is_something) => {
            told(error.get("message").unwrap_or_default())
        }
        other => Preview::of(other, MOST_TOLD).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::model::testing::arena_json;

    fn outcome(result: &str) -> Outcome {
        let arena = Bump::new();
        outcome_of(&ToolCall {
            result: Some(arena_json(&arena, result)),
            ..ToolCall::default()
        })
    }

    #[test]
    fn errors_are_understood_in_all_their_shapes() {
        for result in [
            r#"{"status":"error","message":"no such order"}"#,
            r#"{"isError":true,"content":[{"type":"text","text":"boom"}]}"#,
            r#"{"error":"quota exceeded"}"#,
            r#"{"error":{"code":7,"message":"quota exceeded"}}"#,
            r#"{"success":false}"#,
            r#"{"ok":false,"reason":"late"}"#,
            r#"{"statusCode":404}"#,
            r#"{"status":503,"body":""}"#,
            r#"{"exit_code":1,"stderr":"not found"}"#,
            r#""Error: user not found""#,
            r#""ValueError: bad date""#,
            r#""[error] no route""#,
            r#""HTTP 500: upstream""#,
            r#""404 Not Found""#,
            r#""Command exited with code 2""#,
        ] {
            assert!(matches!(outcome(result), Outcome::Error(_)), "{result}");
        }
        assert_eq!(
            outcome(r#"{"error":{"message":"quota"}}"#),
            Outcome::Error("quota".to_owned())
        );
    }

    #[test]
    fn results_that_only_look_like_errors_are_none() {
        for result in [
            r#"{"status":"ok","error":null}"#,
            r#"{"errors":[],"items":[1]}"#,
            r#"{"status":"available","price":404}"#,
            r#"{"exit_code":0,"stdout":"error-free"}"#,
            r#""Errors and how to avoid them: a guide""#,
            r#""No errors""#,
            r#""process exited with code 0""#,
            r#""[see below] for more""#,
            "7",
            "false",
        ] {
            assert_eq!(outcome(result), Outcome::Success, "{result}");
        }
    }

    #[test]
    fn nothing_and_what_can_not_be_read_are_told_apart() {
        assert_eq!(outcome("null"), Outcome::Missing);
        assert_eq!(outcome("{}"), Outcome::Empty);
        assert_eq!(outcome("[]"), Outcome::Empty);
        assert_eq!(outcome("\"  \""), Outcome::Empty);
        assert!(matches!(
            outcome(r#""{\"a\": [1, 2""#),
            Outcome::Malformed(_)
        ));
        assert!(matches!(
            outcome(r#""[{\"a\": 1}, {\"b""#),
            Outcome::Malformed(_)
        ));
    }
}
