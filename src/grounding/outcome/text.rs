//! Errors that texts report: labels, sentences, tags, codes of HTTP, and what shells write.

use bumpalo::Bump;

use super::object;
use super::purpose::{Purpose, purpose_of};
use super::shell::{self, Ending};
use super::{MOST_DEPTH, quoted};
use crate::model::{Json, Limits, Member, Reader, ToolCall, start_of};

/// How long a text is at most that is read as JSON or as a Python literal.
const MOST_READ: usize = 200_000;

/// How long a text is at most whose first sentence is what it says.
const SHORT: usize = 600;

/// How long a text is at most that is one message.
const ONE_MESSAGE: usize = 240;

/// How many lines of `key: value` are read.
const MOST_LINES: usize = 16;

/// The error in a text that may hold an object: JSON or Python.
pub fn error_in_part(text: &str, call: &ToolCall<'_>, depth: usize) -> Option<String> {
    let text = unfenced(text.trim());
    if depth >= MOST_DEPTH {
        return None;
    }
    if let Some(inside) = after_preface(text) {
        return error_in_part(inside, call, depth + 1);
    }
    if text.starts_with(['{', '[', '(']) && text.len() <= MOST_READ {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let read = reader.read_text(text).ok();
        if let Some(value) = read.or_else(|| reader.read_python(text)) {
            return object::error_in(value, call, depth + 1);
        }
    }
    is_error(text, call).then(|| quoted(Json::String(words_of_error(text))))
}

/// The error in a text that is no JSON but may be a Python literal.
pub fn error_in_literal(text: &str, call: &ToolCall<'_>) -> Option<String> {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let value = (text.len() <= MOST_READ)
        .then(|| reader.read_python(text))
        .flatten()?;
    object::error_in(value, call, 1)
}

/// The line of a traceback that says what went wrong; of other texts all.
fn words_of_error(text: &str) -> &str {
    if !text.starts_with("Traceback (most recent call last)") {
        return text;
    }
    let last = text.lines().next_back().unwrap_or(text).trim();
    if is_exception(last) { last } else { text }
}

/// What follows a word that only says that a result follows: `Result: …`.
fn after_preface(text: &str) -> Option<&str> {
    const PREFACES: &[&str] = &[
        "output",
        "response",
        "result",
        "returned",
        "tool output",
        "tool response",
        "tool result",
    ];
    let (head, rest) = start_of(text, 20).split_once(':')?;
    let is_preface = PREFACES
        .iter()
        .any(|preface| head.trim().eq_ignore_ascii_case(preface));
    is_preface
        .then(|| text[text.len().min(head.len() + 1)..].trim_start())
        .filter(|_| !rest.is_empty())
}

/// What is inside the fence or the tags that frames put around results.
fn unfenced(text: &str) -> &str {
    const FRAMES: &[&str] = &[
        "<output>",
        "<result>",
        "<system>",
        "<tool_response>",
        "<tool_result>",
    ];
    if let Some((_, inside)) = text
        .strip_prefix("```")
        .and_then(|rest| rest.split_once('\n'))
    {
        return inside.trim_end().trim_end_matches('`').trim();
    }
    let frame = FRAMES.iter().find_map(|frame| text.strip_prefix(frame));
    frame.map_or(text, str::trim_start)
}

/// Whether `text` reports an error.
pub fn is_error(text: &str, call: &ToolCall<'_>) -> bool {
    let text = unfenced(text.trim());
    let purpose = purpose_of(call.name);
    match sign_of(text) {
        Sign::Failed => {
            return text.len() <= SHORT && purpose != Purpose::Judges && !has_good_sign(text);
        }
        Sign::Good => return false,
        Sign::Warned | Sign::None => {}
    }
    if text.starts_with('<') && is_tagged(text, call) {
        return true;
    }
    match shell::ending_of(text) {
        Ending::Code(0) => return shell::fails_although_it_ended_well(text, call),
        Ending::Code(code) => {
            let has_output = text.lines().filter(|line| !line.trim().is_empty()).count() > 1;
            return !shell::is_answer_of_search(code as f64, has_output, call);
        }
        Ending::Unknown => {}
    }
    let is_one = text.len() <= SHORT && text.lines().count() <= 3;
    let plain = text.trim_start_matches(is_decoration);
    let prints = shell::prints_files(call);
    let is_report = match (prints, purpose) {
        (true, _) => {
            is_one && text.lines().count() == 1 && first_word(plain).eq_ignore_ascii_case("error")
        }
        (false, Purpose::Judges) => is_one,
        (false, Purpose::Acts | Purpose::Reads | Purpose::AsksState | Purpose::Unknown) => true,
    };
    (is_report && (is_labelled(plain) || is_http_error(plain) || is_headed(text)))
        || is_represented(text)
        || lists_failure(text, call)
        || shell::is_error(text, call)
        || (!prints && says_failure(plain, call, purpose))
}

/// What emoji or word a text begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Failed,
    Warned,
    Good,
    None,
}

fn sign_of(text: &str) -> Sign {
    match text.chars().next() {
        Some('❌' | '✖' | '✗' | '✘' | '✕' | '⛔' | '🚫' | '🛑' | '❗' | '‼' | '💥') => {
            Sign::Failed
        }
        Some('⚠') => Sign::Warned,
        Some('✅' | '✔' | '✓' | '☑' | '🎉') => Sign::Good,
        _ => match first_word(text).to_lowercase().as_str() {
            "success" | "successfully" | "ok" | "done" | "passed" if !is_flag(text) => Sign::Good,
            _ => Sign::None,
        },
    }
}

/// Whether `text` begins with a key: `success: false`, `ok = no`.
fn is_flag(text: &str) -> bool {
    let value = text[first_word(text).len()..]
        .trim_start()
        .trim_start_matches([':', '=', ' ']);
    let word = first_word(value).to_lowercase();
    matches!(word.as_str(), "false" | "no" | "0")
}

fn has_good_sign(text: &str) -> bool {
    text.contains(['✅', '✔', '✓', '☑'])
}

/// What texts begin with before their first word.
fn is_decoration(c: char) -> bool {
    !(c.is_alphanumeric() || matches!(c, '<' | '{' | '\'' | '"' | '-'))
}

fn first_word(text: &str) -> &str {
    let end = text
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(text.len());
    &text[..end]
}

/// `line` without the marks of lists and quotations before it.
pub fn start_of_line(line: &str) -> &str {
    line.trim_start().trim_start_matches("> ")
}

/// The number at the start of `text`, and what follows it.
pub fn next_number(text: &str) -> Option<(i64, &str)> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    let end = text.len() - digits.len() + end;
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// Whether `line` begins with the name of an exception: `ValueError: …`, `java.io.IOException`.
pub fn is_exception(line: &str) -> bool {
    const ENDS: &[&str] = &["Error", "Exception", "Interrupt", "Panic", "SystemExit"];
    let (head, rest) = line.split_once(':').unwrap_or((line, ""));
    let head = head.split_once(" [").map_or(head, |(head, _)| head);
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '$');
    head.starts_with(|c: char| c.is_ascii_alphabetic())
        && head.chars().all(is_name)
        && !is_measure(rest)
        && (ENDS.iter().any(|end| head.ends_with(end))
            || (head.contains(".errors.") || head.contains(".exceptions.")))
}

/// Words that begin a report of an error.
const LABELS: &[&str] = &[
    "err",
    "erreur",
    "error",
    "exception",
    "fail",
    "failed",
    "failure",
    "fatal",
    "fault",
    "fehler",
    "feil",
    "fel",
    "traceback",
    "エラー",
    "錯誤",
    "错误",
    "오류",
];

/// Words that make of an error what is measured, or a topic: `Standard error: 2.1`.
const TOPICS: &[&str] = &[
    "absolute",
    "average",
    "avoid",
    "common",
    "estimated",
    "estimation",
    "example",
    "known",
    "last",
    "margin",
    "max",
    "maximum",
    "mean",
    "measurement",
    "no",
    "of",
    "percent",
    "percentage",
    "prediction",
    "previous",
    "relative",
    "root",
    "rounding",
    "sampling",
    "squared",
    "standard",
    "the",
    "training",
    "typical",
    "without",
    "zero",
];

/// Whether `text` begins with a label: `Error: …`, `[error] …`, `Input validation error: …`,
/// `Error executing tool x: …`, `ValueError: …`.
fn is_labelled(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    let word = first_word(line);
    let label = word.to_lowercase();
    let rest = &line[word.len()..];
    if LABELS.contains(&label.as_str()) && begins_report(&label, rest, text) {
        return true;
    }
    let head = start_of(line, 100);
    if head.starts_with("net::ERR_") {
        return true;
    }
    let Some((head, rest)) = head.split_once([':', '：']) else {
        return is_code(text);
    };
    let is_label = is_exception(head) || ends_in_label(head) || is_code(head);
    is_label && !is_measure(rest)
}

/// Whether `head` is the name of an error: `ENOENT`, `PERMISSION_DENIED`, `ERR_TIMEOUT`.
fn is_code(head: &str) -> bool {
    let is_upper = head.len() > 4
        && head
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    (is_upper && (head == "UNAVAILABLE" || object::is_error_code(Json::String(head))))
        || head.starts_with("ERR_")
}

/// Whether `head`, what comes before a colon, ends in a label: `MCP error -32603`, `Search failed`.
fn ends_in_label(head: &str) -> bool {
    let head = head.to_lowercase();
    if ["失败", "失敗", "错误", "錯誤", "エラー", "오류", "실패"]
        .iter()
        .any(|end| head.ends_with(end))
    {
        return head.chars().count() <= 24;
    }
    let code =
        |c: char| c.is_ascii_digit() || matches!(c, '-' | '(' | ')' | '[' | ']' | ' ' | '#' | '*');
    let mut words = head.trim_end_matches(code).split_whitespace();
    let is_topic = words
        .clone()
        .take(6)
        .any(|word| TOPICS.binary_search(&word).is_ok());
    let last = words.next_back().unwrap_or_default();
    let is_last = [
        "error",
        "errors",
        "exception",
        "failed",
        "failure",
        "fehler",
        "erreur",
        "feil",
        "error!",
    ]
    .contains(&last)
        || last.ends_with("error") && last.chars().all(char::is_alphanumeric)
        || last.ends_with("fehler");
    is_last && !is_topic && words.count() <= 5
}

/// Whether what follows a label is a number that was measured, or that there is nothing to report.
fn is_measure(rest: &str) -> bool {
    let rest = rest.trim().trim_end_matches('.');
    let number = rest
        .trim_end_matches(['%', ' '])
        .trim_start_matches(['±', '+', '~', '≈', '$', ' ']);
    number.parse::<f64>().is_ok()
        || ["none", "no", "null", "n/a", "false", "-"]
            .iter()
            .any(|none| rest.eq_ignore_ascii_case(none))
}

/// Whether `rest` of a line that begins with a label goes on as a report does, not as a text about errors.
fn begins_report(label: &str, rest: &str, text: &str) -> bool {
    const NEXT: &[&str] = &[
        "a",
        "at",
        "because",
        "by",
        "code",
        "connecting",
        "due",
        "during",
        "from",
        "in",
        "no",
        "occurred",
        "on",
        "parsing",
        "running",
        "some",
        "to",
        "trying",
        "when",
        "while",
        "with",
    ];
    const TOPIC: &[&str] = &[
        "checking",
        "correcting",
        "debugging",
        "handling",
        "logging",
        "messaging",
        "monitoring",
        "reporting",
        "tracking",
        "understanding",
    ];
    let next = rest.trim_start();
    let Some(first) = next.chars().next() else {
        return true;
    };
    if matches!(first, ':' | '：') {
        return !is_measure(&next[first.len_utf8()..]);
    }
    let is_part = |c: char| c.is_alphanumeric();
    if matches!(first, '.' | ',' | '-') && next[1..].starts_with(is_part) {
        return false;
    }
    if matches!(
        first,
        '!' | ',' | '.' | '-' | '–' | '—' | ']' | '>' | ')' | '(' | '[' | '*' | '|'
    ) {
        return rest.len() == next.len() || text.len() <= SHORT;
    }
    let word = first_word(next).to_lowercase();
    let is_report = match label {
        "fail" | "failed" | "failure" => matches!(
            word.as_str(),
            "to" | "with" | "because" | "due" | "while" | "when" | "at" | "on" | "in"
        ),
        "traceback" => true,
        _ => {
            word.parse::<u32>().is_ok()
                || NEXT.binary_search(&word.as_str()).is_ok()
                || (word.ends_with("ing") && TOPIC.binary_search(&word.as_str()).is_err())
        }
    };
    is_report
        && (text.len() <= SHORT
            || label == "failed"
            || next.lines().next().is_some_and(|line| line.contains(':')))
}

/// `# Search Failed`, with an error in the next line.
fn is_headed(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (Some(head), Some(next)) = (lines.next(), lines.next()) else {
        return false;
    };
    let marks = |c: char| matches!(c, '#' | '*' | '=' | ' ' | ':' | '!' | '.');
    let is_title = head.starts_with(['#', '*', '=']) || head.ends_with(['!', ':']);
    let next = next.trim_start_matches(is_decoration);
    is_title
        && ends_in_label(head.trim_matches(marks))
        && (is_labelled(next) || begins_failure(&lower(next)))
}

/// Whether the first tag, or the first inside the root, is one of an error, or the leaves say so.
fn is_tagged(text: &str, call: &ToolCall<'_>) -> bool {
    let text = match text.strip_prefix("<?") {
        Some(rest) => rest
            .split_once("?>")
            .map_or("", |(_, rest)| rest.trim_start()),
        None => text,
    };
    let start = start_of(text, SHORT);
    let (Some((name, rest)), true) = (tag(start), start.len() > 2) else {
        return false;
    };
    if is_tag_of_error(name) {
        return true;
    }
    if matches!(
        name.to_ascii_lowercase().as_str(),
        "html" | "!doctype" | "head" | "body" | "div" | "p" | "h1" | "h2"
    ) {
        return is_page_of_error(start);
    }
    let mut inside = rest.trim_start();
    for _ in 0..3 {
        match tag(inside) {
            Some((name, _)) if is_tag_of_error(name) => return true,
            Some((_, rest)) => inside = rest.trim_start(),
            None => break,
        }
    }
    let leaves = leaves_of(start);
    !leaves.is_empty() && object::error_in(Json::Object(&leaves), call, 1).is_some()
}

/// The name of the tag that `text` begins with, and what follows the tag.
fn tag(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('<')?;
    let (tag, rest) = inside.split_once('>')?;
    Some((tag.split([' ', '/', '\n']).next().unwrap_or(tag), rest))
}

fn is_tag_of_error(name: &str) -> bool {
    let name = name.rsplit(':').next().unwrap_or(name).to_ascii_lowercase();
    const NAMES: &[&str] = &[
        "error",
        "error_message",
        "errormessage",
        "errorresponse",
        "errors",
        "exception",
        "failure",
        "fault",
        "stderr_only",
    ];
    NAMES.contains(&name.as_str()) || name.ends_with("error") || name.ends_with("_errors")
}

/// A page that a server sends instead of the one asked for: its title begins with a code.
fn is_page_of_error(start: &str) -> bool {
    let lower = start.to_lowercase();
    let title = ["<title>", "<h1>"]
        .iter()
        .find_map(|tag| Some(&lower[lower.find(tag)? + tag.len()..]));
    title.is_some_and(|title| has_reason(title.trim_start()))
}

/// The elements of `text` that hold nothing but text, as members of an object.
fn leaves_of(text: &str) -> Vec<Member<'_>> {
    let mut leaves = Vec::new();
    for part in text.split('<').take(2 * MOST_LINES) {
        if let Some((name, value)) = part.split_once('>')
            && !name.starts_with('/')
            && !value.trim().is_empty()
        {
            leaves.push((name, Json::String(value.trim())));
        }
    }
    leaves
}

/// What HTTP calls its errors, in lower case.
const REASONS: &[&str] = &[
    "bad gateway",
    "bad request",
    "conflict",
    "forbidden",
    "gateway time-out",
    "gateway timeout",
    "gone",
    "internal error",
    "internal server error",
    "method not allowed",
    "not acceptable",
    "not authenticated",
    "not found",
    "not implemented",
    "page not found",
    "payload too large",
    "payment required",
    "permission denied",
    "precondition failed",
    "request entity too large",
    "request timeout",
    "resource not found",
    "server error",
    "service temporarily unavailable",
    "service unavailable",
    "too many requests",
    "unauthenticated",
    "unauthorized",
    "unprocessable content",
    "unprocessable entity",
    "unsupported media type",
];

/// Whether `text`, in lower case, begins with a code of HTTP and its reason: `404 not found`.
fn has_reason(text: &str) -> bool {
    let Some((code, rest)) = next_number(text) else {
        return false;
    };
    let rest = rest.trim_start_matches([' ', ':', '-', '–', '—', '(', '|', '.', '*']);
    (400..600).contains(&code)
        && (rest.is_empty() || REASONS.iter().any(|reason| rest.starts_with(reason)))
}

/// Whether the first line of `text` names a code of HTTP for an error as its outcome: `HTTP 404`,
/// `Request failed with status code 409`, `404 Not Found`.
fn is_http_error(text: &str) -> bool {
    const AFTER: &[&str] = &[
        "and",
        "are",
        "errors",
        "indicates",
        "is",
        "means",
        "or",
        "responses",
        "was",
    ];
    let line = lower(start_of(text.lines().next().unwrap_or_default(), 200));
    let whole = line.trim_end_matches(['.', '!']);
    if has_reason(&line) || (text.len() <= line.len() + 2 && REASONS.binary_search(&whole).is_ok())
    {
        return true;
    }
    let near = if text.len() > SHORT { 60 } else { 200 };
    let mut before = ["", "", "", ""];
    let mut words = line.split_whitespace().peekable();
    let mut at = 0;
    while let Some(word) = words.next() {
        at += word.len() + 1;
        let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let is_code = bare.len() == 3
            && bare
                .parse::<u32>()
                .is_ok_and(|code| (400..600).contains(&code));
        let names_http = |word: &str| {
            word.contains("http") && !word.contains("://") || word.starts_with("status")
        };
        let answers = before
            .iter()
            .any(|word| matches!(*word, "returned" | "responded"))
            && before.iter().any(|word| {
                matches!(
                    *word,
                    "api" | "server" | "upstream" | "backend" | "endpoint"
                )
            });
        let is_topic = words
            .peek()
            .is_some_and(|next| AFTER.binary_search(next).is_ok());
        if is_code
            && !is_topic
            && at <= near
            && (answers || before.iter().any(|word| names_http(word)))
        {
            return true;
        }
        before.rotate_left(1);
        before[3] = word;
    }
    false
}

/// What programs print of their objects: `ToolResult(success=False, error='…')`.
fn is_represented(text: &str) -> bool {
    const SIGNS: &[&str] = &[
        "isError=True",
        "is_error=True",
        "ok=False",
        "status='error'",
        "status='failed'",
        "status=\"error\"",
        "status=error",
        "status=failed",
        "succeeded=False",
        "success=False",
    ];
    let name = first_word(text);
    let next = text[name.len()..].chars().next();
    let is_object = !name.is_empty() && matches!(next, Some('(' | '='));
    let (start, end) = (start_of(text, SHORT), shell::end_of(text));
    let is_raised = next == Some('(') && is_exception(name);
    is_raised
        || is_object
            && SIGNS
                .iter()
                .any(|sign| start.contains(sign) || end.contains(sign))
}

/// Whether `text` consists of lines of `key: value` that report an error as an object does.
fn lists_failure(text: &str, call: &ToolCall<'_>) -> bool {
    let mut members: Vec<Member<'_>> = Vec::new();
    for line in text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .take(MOST_LINES)
    {
        match line.split_once(':') {
            _ if line.starts_with([' ', '\t', '-']) && !members.is_empty() => {}
            Some((key, value)) if is_key(key) => {
                let value = value.trim().trim_matches(['"', '\'']);
                members.push((key.trim(), yaml(value)));
            }
            _ => return false,
        }
    }
    // One line is a sentence with a colon, unless it is a flag.
    let is_flag = matches!(members.as_slice(), [(_, Json::Bool(_))]);
    let is_list = members.len() > 1
        || is_flag
        || matches!(members.as_slice(), [(key, _)] if matches!(object::role_of(key), object::Role::Succeeded | object::Role::Status | object::Role::Failed));
    is_list && object::error_in(Json::Object(&members), call, 1).is_some()
}

/// A scalar of YAML as JSON.
fn yaml(value: &str) -> Json<'_> {
    match value {
        "" | "null" | "~" | "None" => Json::Null,
        "true" | "True" => Json::Bool(true),
        "false" | "False" => Json::Bool(false),
        "[]" => Json::Array(&[]),
        "{}" => Json::Object(&[]),
        text => Json::String(text),
    }
}

fn is_key(key: &str) -> bool {
    let key = key.trim_matches(['*', ' ', '"']);
    !key.is_empty()
        && key.len() <= 30
        && key.split_whitespace().count() <= 3
        && key
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '))
}

/// `text` in lower case, with one sort of apostrophe.
fn lower(text: &str) -> String {
    start_of(text, ONE_MESSAGE).to_lowercase().replace('’', "'")
}

/// The first sentence of `text`.
fn first_sentence(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    let end = line.match_indices(['.', '!', '?']).find(|(at, mark)| {
        let rest = &line[at + mark.len()..];
        rest.is_empty() || rest.starts_with(' ')
    });
    end.map_or(line, |(at, mark)| &line[..at + mark.len()])
}

/// How messages begin that say that something was not done.
const OPENINGS: &[&str] = &[
    "access denied",
    "access is denied",
    "an error ",
    "an exception ",
    "an internal error",
    "an unexpected error",
    "an unknown error",
    "api error",
    "authentication failed",
    "authentication required",
    "authorization failed",
    "bad gateway",
    "bad request",
    "can not ",
    "can't ",
    "cannot ",
    "connection aborted",
    "connection closed",
    "connection error",
    "connection failed",
    "connection refused",
    "connection reset",
    "connection timed out",
    "could not ",
    "couldn't ",
    "deadlock detected",
    "deadlock found",
    "denied",
    "duplicate entry",
    "duplicate key",
    "execution failed",
    "execution timed out",
    "fehlgeschlagen",
    "forbidden",
    "gateway timeout",
    "impossible de ",
    "insufficient",
    "insufficient ",
    "internal error",
    "internal server error",
    "invalid ",
    "kann nicht ",
    "konnte nicht ",
    "kunne ikke ",
    "login failed",
    "missing api key",
    "missing argument",
    "missing auth",
    "missing authentication",
    "missing credentials",
    "missing field",
    "missing param",
    "missing required",
    "network error",
    "no command named",
    "no function named",
    "no method named",
    "no module named",
    "no permission",
    "no route to host",
    "no se pudo ",
    "no space left",
    "no such ",
    "no tool ",
    "not allowed",
    "not authenticated",
    "not authorized",
    "not enough ",
    "not found",
    "not implemented",
    "not permitted",
    "operation failed",
    "operation not ",
    "operation timed out",
    "out of memory",
    "permission denied",
    "process timed out",
    "quota exceeded",
    "rate limit exceeded",
    "rate limit hit",
    "rate limit reached",
    "rate limited",
    "rate-limited",
    "request aborted",
    "request denied",
    "request failed",
    "request rejected",
    "request timed out",
    "request timeout",
    "server error",
    "service is unavailable",
    "service temporarily unavailable",
    "service unavailable",
    "socket hang up",
    "something went wrong",
    "syntax error",
    "there was a problem",
    "there was an error",
    "there was an issue",
    "time limit exceeded",
    "timed out",
    "timeout after",
    "timeout error",
    "timeout exceeded",
    "timeout of ",
    "timeout reached",
    "timeout waiting",
    "timeout while",
    "token expired",
    "too many requests",
    "unable to ",
    "unauthenticated",
    "unauthorized",
    "uncaught ",
    "unexpected argument",
    "unexpected error",
    "unexpected keyword",
    "unexpected token",
    "ungültig",
    "unhandled ",
    "unknown argument",
    "unknown command",
    "unknown error",
    "unknown function",
    "unknown method",
    "unknown parameter",
    "unknown tool",
    "unprocessable",
    "unrecognized ",
    "unsupported ",
    "user aborted",
    "user canceled",
    "user cancelled",
    "user declined",
    "user denied",
    "user rejected",
    "validation error",
    "validation failed",
];

/// Words of politeness before what a message says.
const POLITE: &[&str] = &[
    "beklager",
    "dessverre",
    "i'm sorry",
    "leider",
    "lo sentimos",
    "malheureusement",
    "oops",
    "sorry",
    "uh oh",
    "unfortunately",
    "warning",
    "we're sorry",
    "whoops",
];

/// Whether the start of `sentence`, in lower case, says that something was not done.
fn begins_failure(sentence: &str) -> bool {
    OPENINGS.iter().any(|opening| {
        sentence
            .strip_prefix(opening)
            .is_some_and(|rest| match opening.ends_with(' ') {
                // `Invalid arguments are logical fallacies.`
                true => *opening != "invalid " || !rest.contains(" are "),
                // `Forbidden City`, `Not Found is an album`: one word says it alone.
                false if opening.split(' ').count() == 1 || *opening == "not found" => {
                    ends_there(rest)
                }
                false => !rest.starts_with(char::is_alphanumeric),
            })
    })
}

/// Whether nothing but a reason follows.
fn ends_there(rest: &str) -> bool {
    let next = rest.trim_start();
    let goes_on = [
        " for ",
        " to ",
        " because ",
        " by ",
        " access",
        " request",
        " at ",
        " in ",
    ];
    next.is_empty()
        || next.starts_with(|c: char| !c.is_alphanumeric())
        || goes_on.iter().any(|word| rest.starts_with(word))
}

/// `text` without the words of politeness before what it says.
fn without_polite_words(text: &str) -> &str {
    let starts = |word: &&&str| {
        text.get(..word.len())
            .is_some_and(|start| start.to_lowercase() == **word)
    };
    let polite = POLITE.iter().find(starts).map(|word| &text[word.len()..]);
    let rest = polite.filter(|rest| !rest.starts_with(char::is_alphanumeric));
    rest.map_or(text, |rest| {
        rest.trim_start_matches([',', '!', ':', '.', ' ', '-'])
    })
}

/// What a message says of a thing or an action, wherever the tool looked.
const PREDICATES: &[&str] = &[
    " a échoué",
    " aborted by the user",
    " are invalid",
    " cannot be found",
    " cannot be loaded",
    " cannot be opened",
    " could not access",
    " could not authenticate",
    " could not be ",
    " could not complete",
    " could not connect",
    " could not determine",
    " could not fetch",
    " could not find",
    " could not get",
    " could not load",
    " could not locate",
    " could not open",
    " could not parse",
    " could not process",
    " could not reach",
    " could not read",
    " could not resolve",
    " could not retrieve",
    " couldn't be ",
    " couldn't complete",
    " couldn't connect",
    " couldn't fetch",
    " couldn't find",
    " couldn't load",
    " couldn't process",
    " do not exist",
    " does not exist",
    " doesn't exist",
    " error occurred",
    " errors occurred",
    " existiert nicht",
    " failed to ",
    " failed with ",
    " has been aborted",
    " has failed",
    " is a required property",
    " is invalid",
    " is not a known ",
    " is not a valid ",
    " is not defined",
    " is not implemented",
    " is not of type ",
    " is not one of ",
    " is not recognized",
    " is not supported",
    " is not valid",
    " is unable to ",
    " konnte nicht ",
    " kunne ikke ",
    " n'a pas pu ",
    " n'existe pas",
    " nicht gefunden",
    " no existe",
    " no longer exists",
    " no pudo ",
    " no se pudo ",
    " not found",
    " required positional argument",
    " unexpected keyword argument",
    " validation error for ",
    " validation errors for ",
    " was not able to ",
    " was not found",
    " was unable to ",
    " went wrong",
    " were not found",
    " were unable to ",
    "blocked by policy",
    "canceled by the user",
    "canceled by user",
    "cancelled by the user",
    "cancelled by user",
    "declined by the user",
    "declined the tool",
    "denied by the user",
    "denied by user",
    "denied the tool",
    "denied this tool",
    "doesn't want to proceed",
    "erreur s'est produite",
    "i could not ",
    "i couldn't ",
    "interrupted by the user",
    "interrupted by user",
    "introuvable",
    "rejected by the user",
    "rejected by user",
    "rejected the tool",
    "rejected this tool",
    "server could not ",
    "system could not ",
    "tool call was rejected",
    "tool use was rejected",
    "user denied permission",
    "we can't ",
    "we cannot ",
    "we could not ",
    "we couldn't ",
];

/// What only messages about an action say: of what is looked up it is data.
const OF_ACTIONS: &[&str] = &[
    " already booked",
    " already exists",
    " are denied",
    " are not allowed",
    " are not available",
    " are required",
    " can not be ",
    " can't be ",
    " cannot be ",
    " could not ",
    " couldn't ",
    " do not have ",
    " does not have ",
    " doesn't have ",
    " exceeded",
    " exceeds ",
    " failed because",
    " failed due",
    " failed.",
    " failed:",
    " falló",
    " fehlgeschlagen",
    " feilet",
    " has been declined",
    " has been denied",
    " has been refused",
    " has been rejected",
    " has expired",
    " is already ",
    " is denied",
    " is locked",
    " is missing",
    " is not allowed",
    " is not authorized",
    " is not available",
    " is not enough",
    " is not permitted",
    " is required",
    " is suspended",
    " is unavailable",
    " mislyktes",
    " must be ",
    " must have ",
    " must not ",
    " no longer available",
    " no longer eligible",
    " not allowed",
    " not authorized",
    " not available",
    " not eligible",
    " not enough ",
    " not permitted",
    " not possible",
    " not successful",
    " refused",
    " timed out",
    " unsuccessful",
    " was aborted",
    " was blocked",
    " was cancelled by",
    " was declined",
    " was denied",
    " was interrupted",
    " was not accepted",
    " was refused",
    " was rejected",
    " was terminated",
];

/// What runs a call: that these failed or timed out is no data.
const PROCESSES: &[&str] = &[
    "api",
    "call",
    "command",
    "connection",
    "download",
    "execution",
    "fetch",
    "function",
    "lookup",
    "operation",
    "process",
    "query",
    "request",
    "script",
    "search",
    "server",
    "service",
    "session",
    "tool",
    "upload",
];

/// Whether `text`, which is short, says in its first sentence that something was not done.
fn says_failure(text: &str, call: &ToolCall<'_>, purpose: Purpose) -> bool {
    let acts = matches!(purpose, Purpose::Acts | Purpose::Unknown);
    if text.len() > SHORT && !(acts && is_long_message(text)) {
        return false;
    }
    let sentence = lower(first_sentence(without_polite_words(text)));
    if is_about(&sentence) {
        return false;
    }
    let is_state = matches!(purpose, Purpose::AsksState | Purpose::Judges);
    if begins_failure(&sentence) && !(purpose == Purpose::Judges && sentence.starts_with("invalid"))
    {
        return true;
    }
    if text.len() > SHORT {
        return false;
    }
    let main = main_clause(&sentence);
    let says = |list: &[&str]| list.iter().any(|phrase| main.contains(phrase));
    let is_brief = text.len() <= ONE_MESSAGE
        && (!sentence.contains("successful")
            || sentence.contains("unsuccessful")
            || sentence.contains("not successful"));
    let fails_itself = [" failed", " timed out", " was aborted", " was interrupted"]
        .iter()
        .any(|end| {
            sentence.find(end).is_some_and(|at| {
                let subject = sentence[..at]
                    .split_whitespace()
                    .next_back()
                    .unwrap_or_default();
                PROCESSES.contains(&subject)
            })
        });
    let has_done = || reports_deed(main, call);
    fails_itself
        || (purpose == Purpose::Acts && is_brief && says_not_done(main))
        || names_errno(text)
        || (says(PREDICATES) && !(is_state && text.len() > ONE_MESSAGE))
        || (acts && is_brief && (says(OF_ACTIONS) || ends_failed(&sentence)) && !has_done())
        || ["失败", "失敗", "无法", "できません", "エラーが", "실패"]
            .iter()
            .any(|word| is_brief && sentence.contains(word))
}

/// Whether `sentence` says that what the tool is for was done: `Your booking is cancelled and must …`.
fn reports_deed(sentence: &str, call: &ToolCall<'_>) -> bool {
    let mut before = "";
    sentence.split_whitespace().any(|word| {
        let follows = matches!(
            before,
            "are" | "been" | "is" | "now" | "successfully" | "was" | "were"
        );
        before = word;
        follows && word.ends_with("ed") && object::does(call.name, word)
    })
}

/// Whether `sentence` says that what a tool is for was not done: `The ticket was not created`.
fn says_not_done(sentence: &str) -> bool {
    const NOT: &[&str] = &[
        " has not been ",
        " hasn't been ",
        " have not been ",
        " haven't been ",
        " not been ",
        " was not ",
        " wasn't ",
        " were not ",
        " weren't ",
    ];
    const HARMLESS: &[&str] = &[
        "affected", "altered", "changed", "charged", "denied", "modified", "needed", "rejected",
        "required", "touched",
    ];
    let next = NOT
        .iter()
        .find_map(|not| Some(&sentence[sentence.find(not)? + not.len()..]));
    let word = first_word(next.unwrap_or_default());
    (word.ends_with("ed") || matches!(word, "sent" | "paid" | "made" | "set" | "done"))
        && HARMLESS.binary_search(&word).is_err()
}

/// Whether one of the first words is the name that the system has for an error: `connect ECONNREFUSED …`.
fn names_errno(text: &str) -> bool {
    let words = text.split([' ', ':', ',']).take(3);
    text.len() <= ONE_MESSAGE && words.into_iter().any(object::is_errno)
}

/// `sentence` up to its condition: `… when a page is missing`.
fn main_clause(sentence: &str) -> &str {
    let conditions = [" if ", " when ", " unless ", " in case "];
    let end = conditions
        .iter()
        .filter_map(|word| sentence.find(word))
        .min();
    end.map_or(sentence, |end| &sentence[..end])
}

/// A message that goes on with what it could have been, in further lines: `Failed to open x:\n…`.
fn is_long_message(text: &str) -> bool {
    text.lines()
        .next()
        .is_some_and(|line| line.len() <= ONE_MESSAGE && line.len() < text.len())
}

fn ends_failed(sentence: &str) -> bool {
    let words = sentence.trim_end_matches(['.', '!']);
    let before = words
        .strip_suffix(" failed")
        .and_then(|rest| rest.split_whitespace().next_back());
    before.is_some_and(|word| word != "not" && word.parse::<u32>().is_err())
}

/// Whether `sentence` begins with what was done: `sent to 3 people`.
fn is_done(sentence: &str) -> bool {
    const BAD: &[&str] = &[
        "aborted",
        "blocked",
        "canceled",
        "cancelled",
        "declined",
        "denied",
        "deprecated",
        "disconnected",
        "exceeded",
        "expired",
        "failed",
        "interrupted",
        "killed",
        "refused",
        "rejected",
        "terminated",
        "timed",
    ];
    let word = first_word(sentence);
    let is_good = word.ends_with("ed") && !word.starts_with("un") && !BAD.contains(&word);
    (is_good && word.len() > 4) || matches!(word, "sent" | "paid" | "made")
}

/// Whether `sentence` sets a condition, asks, counts or negates.
fn is_about(sentence: &str) -> bool {
    const STARTS: &[&str] = &[
        "0 ",
        "how ",
        "if ",
        "in case ",
        "no error",
        "no issue",
        "no problem",
        "none ",
        "nothing ",
        "once ",
        "to ",
        "unless ",
        "what ",
        "when ",
        "whenever ",
        "why ",
        "without ",
    ];
    is_done(sentence)
        || sentence.ends_with('?')
        || STARTS.iter().any(|start| sentence.starts_with(start))
}
