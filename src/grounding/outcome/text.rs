//! Finds errors in texts: labels, sentences, tags, HTTP status codes, and the output of shells.

use bumpalo::Bump;

use super::object;
use super::purpose::{Purpose, purpose_of};
use super::sentence::{begins_failure, lower, says_failure};
use super::shell::{self, Ending};
use super::{MOST_DEPTH, quoted};
use toolgauge_model::{Json, Limits, Member, Reader, ToolCall, start_of};

/// A longer text is not read as JSON or as a Python literal.
const MOST_READ: usize = 200_000;

/// In a longer text, the first sentence alone does not decide.
pub const SHORT: usize = 600;

/// The maximum number of `key: value` lines that are read.
const MOST_LINES: usize = 16;

/// Returns the error in a text that may be JSON or a Python literal.
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

/// Returns the error in a text that is not JSON but may be a Python literal.
pub fn error_in_literal(text: &str, call: &ToolCall<'_>) -> Option<String> {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let value = (text.len() <= MOST_READ)
        .then(|| reader.read_python(text))
        .flatten()?;
    object::error_in(value, call, 1)
}

/// Returns the last line of a traceback, which says what went wrong. Other texts are returned whole.
fn words_of_error(text: &str) -> &str {
    if !text.starts_with("Traceback (most recent call last)") {
        return text;
    }
    let last = text.lines().next_back().unwrap_or(text).trim();
    if is_exception(last) { last } else { text }
}

/// Returns the text after a word that only announces a result: `Result: …`.
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

/// Returns the text inside the code fence or the tags that frameworks put around results.
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

/// Checks whether `text` reports an error.
pub fn is_error(text: &str, call: &ToolCall<'_>) -> bool {
    let text = unfenced(text.trim());
    let purpose = purpose_of(call.name);
    match sign_of(text) {
        Sign::Failed => {
            return text.len() <= SHORT && purpose != Purpose::Tests && !has_good_sign(text);
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
        (false, Purpose::Tests) => is_one,
        (false, Purpose::Acts | Purpose::Reads | Purpose::AsksState | Purpose::Unknown) => true,
    };
    (is_report && (is_labelled(plain) || is_http_error(plain) || is_headed(text)))
        || is_represented(text)
        || lists_failure(text, call)
        || shell::is_error(text, call)
        || (!prints && says_failure(plain, call, purpose))
}

/// What the emoji or the word at the start of a text means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// Something failed.
    Failed,
    /// A warning.
    Warned,
    /// Something went well.
    Good,
    /// None of these.
    None,
}

/// Classifies the start of `text`.
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

/// Checks whether the first word of `text` is a key with a negative value: `success: false`, `ok = no`.
fn is_flag(text: &str) -> bool {
    let value = text[first_word(text).len()..]
        .trim_start()
        .trim_start_matches([':', '=', ' ']);
    let word = first_word(value).to_lowercase();
    matches!(word.as_str(), "false" | "no" | "0")
}

/// Checks whether `text` contains a sign of success.
fn has_good_sign(text: &str) -> bool {
    text.contains(['✅', '✔', '✓', '☑'])
}

/// Checks whether `c` is decoration before the first word of a text.
fn is_decoration(c: char) -> bool {
    !(c.is_alphanumeric() || matches!(c, '<' | '{' | '\'' | '"' | '-'))
}

/// Returns the letters, digits and underscores at the start of `text`.
pub fn first_word(text: &str) -> &str {
    let end = text
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(text.len());
    &text[..end]
}

/// Returns `line` without the indentation and the quotation mark (`> `) before it.
pub fn start_of_line(line: &str) -> &str {
    line.trim_start().trim_start_matches("> ")
}

/// Returns the number at the start of `text` and the text after it.
pub fn next_number(text: &str) -> Option<(i64, &str)> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    let end = text.len() - digits.len() + end;
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// Checks whether `line` starts with the name of an exception: `ValueError: …`, `java.io.IOException`.
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

/// Words that introduce an error.
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

/// Words before "error" that make it a measurement or a topic: `Standard error: 2.1`.
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

/// Checks whether `text` starts with a label: `Error: …`, `[error] …`, `Input validation error: …`,
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

/// Checks whether `head` is the name of an error: `ENOENT`, `PERMISSION_DENIED`, `ERR_TIMEOUT`.
fn is_code(head: &str) -> bool {
    let is_upper = head.len() > 4
        && head
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    (is_upper && (head == "UNAVAILABLE" || object::is_error_code(Json::String(head))))
        || head.starts_with("ERR_")
}

/// Checks whether `head`, the text before a colon, ends with a label: `MCP error -32603`, `Search failed`.
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

/// Checks whether the text after a label is a measured number, or says that there is no error.
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

/// Checks whether `rest`, the text after a label, continues like a report of an error rather than a text about
/// errors.
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

/// Checks for a heading such as `# Search Failed` that is followed by a line with an error.
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

/// Checks whether the first tags of `text` are tags of errors, or whether its leaf elements report one.
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

/// Returns the name of the tag at the start of `text`, and the text after the tag.
fn tag(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('<')?;
    let (tag, rest) = inside.split_once('>')?;
    Some((tag.split([' ', '/', '\n']).next().unwrap_or(tag), rest))
}

/// Checks whether elements called `name` hold errors.
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

/// Checks whether a page is the error page of a server: its title starts with an HTTP status code.
fn is_page_of_error(start: &str) -> bool {
    let lower = start.to_lowercase();
    let title = ["<title>", "<h1>"]
        .iter()
        .find_map(|tag| Some(&lower[lower.find(tag)? + tag.len()..]));
    title.is_some_and(|title| has_reason(title.trim_start()))
}

/// Returns the elements of `text` that hold only text, as members of an object.
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

/// The reason phrases of HTTP errors, in lower case.
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

/// Checks whether `text`, in lower case, starts with an HTTP status code and its reason: `404 not found`.
fn has_reason(text: &str) -> bool {
    let Some((code, rest)) = next_number(text) else {
        return false;
    };
    let rest = rest.trim_start_matches([' ', ':', '-', '–', '—', '(', '|', '.', '*']);
    (400..600).contains(&code)
        && (rest.is_empty() || REASONS.iter().any(|reason| rest.starts_with(reason)))
}

/// Checks whether the first line of `text` states an HTTP status code of an error as its outcome: `HTTP 404`,
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

/// Checks whether `text` is the print of an object that reports an error: `ToolResult(success=False, error='…')`.
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

/// Checks whether `text` consists of `key: value` lines that together report an error as an object does.
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
    // A single line is a sentence with a colon, unless it is a flag.
    let is_flag = matches!(members.as_slice(), [(_, Json::Bool(_))]);
    let is_list = members.len() > 1
        || is_flag
        || matches!(members.as_slice(), [(key, _)] if matches!(object::role_of(key), object::Role::Succeeded | object::Role::Status | object::Role::Failed));
    is_list && object::error_in(Json::Object(&members), call, 1).is_some()
}

/// Converts a YAML scalar to JSON.
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

/// Checks whether `key` can be the key of a YAML line.
fn is_key(key: &str) -> bool {
    let key = key.trim_matches(['*', ' ', '"']);
    !key.is_empty()
        && key.len() <= 30
        && key.split_whitespace().count() <= 3
        && key
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '))
}
