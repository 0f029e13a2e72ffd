//! Finds errors that objects report in their members.

use super::purpose::{Purpose, purpose_of};
use super::shell;
use super::text;
use super::{MOST_DEPTH, is_something, quoted};
use toolgauge_model::{Json, Member, ToolCall};

/// The maximum number of members of an object that are read.
const MOST_MEMBERS: usize = 64;

/// A list with more items is never an error; a shorter one is an error only if all its items are.
const MOST_ITEMS: usize = 64;

/// What a key says about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// `success`: whether the call worked.
    Succeeded,
    /// `isError`: whether the call failed.
    Failed,
    /// `error`: what went wrong.
    Error,
    /// `errors`: a list of what went wrong, or a count of failures.
    Errors,
    /// `errorCode`: a number or a name for what went wrong.
    ErrorCode,
    /// `status`: a word, or an HTTP status code.
    Status,
    /// `type` and `kind`: the type of the object.
    Sort,
    /// `statusCode`: an HTTP status code.
    HttpStatus,
    /// `code`: a code of HTTP, of JSON-RPC, or of anything else.
    Code,
    /// `exit_code`: the exit code of a process.
    ExitCode,
    /// `message`: a sentence about the outcome.
    Message,
    /// `stdout`: the output of a process.
    Output,
    /// `result`: a wrapper around the actual outcome.
    Envelope,
    /// `valid`: the verdict of a check of data.
    Verdict,
    /// `id`, `name`: which record the object is.
    Identity,
    /// `meta`: a header with codes of the response.
    Header,
    /// `timestamp`, `path`: details of the response, not of what it returns.
    Meta,
    /// Any other key: data.
    Data,
}

/// A key in lower case, without `_`, `-` and spaces: `isError`, `is_error` and `Is-Error` are equal.
struct Plain {
    /// The bytes of the key, padded with zeros.
    letters: [u8; 24],
    /// How many of `letters` are used.
    len: usize,
}

impl Plain {
    /// Normalizes `key`. Returns `None` if it is too long to be a known key.
    fn of(key: &str) -> Option<Self> {
        let mut plain = Self {
            letters: [0; 24],
            len: 0,
        };
        for byte in key
            .bytes()
            .filter(|byte| !matches!(byte, b'_' | b'-' | b' '))
        {
            *plain.letters.get_mut(plain.len)? = byte.to_ascii_lowercase();
            plain.len += 1;
        }
        Some(plain)
    }

    /// Returns the normalized key.
    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.letters[..self.len]).unwrap_or_default()
    }
}

/// Returns what `key` says about its value.
pub fn role_of(key: &str) -> Role {
    let Some(plain) = Plain::of(key) else {
        return Role::Data;
    };
    match plain.as_str() {
        "success" | "ok" | "succeeded" | "issuccess" | "issuccessful" | "successful"
        | "wassuccessful" | "isok" | "succes" => Role::Succeeded,
        "iserror" | "failed" | "haserror" | "haserrors" | "hasfailed" | "isfailed"
        | "isfailure" | "failure" | "timedout" | "istimeout" | "toolerror" | "errored" => {
            Role::Failed
        }
        "error" | "err" | "exception" | "errormessage" | "errormsg" | "errmsg" | "errmessage"
        | "errordescription" | "errordetail" | "errordetails" | "errortext" | "errorinfo"
        | "fault" | "faultstring" | "failurereason" | "failuremessage" | "errorreason"
        | "fehler" | "erreur" | "feil" => Role::Error,
        "errors" | "exceptions" | "failures" | "validationerrors" | "fielderrors"
        | "usererrors" | "nonfielderrors" | "errormessages" | "inputerrors" | "errorlist" => {
            Role::Errors
        }
        "errorcode" | "errcode" | "errno" | "errortype" | "errorname" | "faultcode"
        | "exceptiontype" => Role::ErrorCode,
        "status" | "state" | "outcome" | "statustext" | "resultcode" | "resultstatus" | "ack"
        | "responsestatus" | "verdict" => Role::Status,
        "type" | "kind" | "object" => Role::Sort,
        "statuscode" | "httpstatus" | "httpstatuscode" | "httpcode" | "responsecode" => {
            Role::HttpStatus
        }
        "code" => Role::Code,
        "exitcode" | "exitstatus" | "returncode" | "exit" | "rc" | "retcode" => Role::ExitCode,
        "message" | "msg" | "detail" | "details" | "reason" | "cause" | "explanation" => {
            Role::Message
        }
        "stdout" | "stderr" | "output" => Role::Output,
        "result" | "data" | "response" | "body" | "content" | "value" | "results" | "text"
        | "structuredcontent" | "toolresult" | "payload" | "items" | "return" => Role::Envelope,
        "meta" | "metadata" | "header" | "head" => Role::Header,
        "valid" | "isvalid" | "passed" | "compliant" | "allpassed" => Role::Verdict,
        "id" | "uuid" | "guid" | "name" | "number" | "sku" | "slug" | "email" | "key" | "url"
        | "username" | "ref" | "reference" => Role::Identity,
        "requestid" | "traceid" | "correlationid" | "errorid" | "logid" | "sessionid"
        | "timestamp" | "time" | "path" | "method" | "version" | "instance" | "docs" | "help"
        | "documentationurl" | "stack" | "stacktrace" | "traceback" | "trace" | "retryable"
        | "retryafter" | "jsonrpc" | "extensions" | "locations" | "tool" | "toolname"
        | "tooluseid" | "toolcallid" | "input" | "args" | "arguments" | "params" | "parameters"
        | "request" | "query" | "context" | "duration" | "durationms" | "headers" | "config"
        | "role" | "source" | "action" | "operation" | "service" | "domain" | "loc" | "field"
        | "parameter" | "command" | "hint" | "suggestion" | "info" => Role::Meta,
        plain if plain.ends_with("id") && key.ends_with(['D', 'd']) && is_id(key) => Role::Identity,
        _ => Role::Data,
    }
}

/// Checks whether `key` ends with the word "id": `order_id`, `orderId`, but not `paid`.
fn is_id(key: &str) -> bool {
    ["_id", "-id", " id", "Id", "ID"]
        .iter()
        .any(|end| key.ends_with(end))
}

/// How clearly a status word means that the call failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    /// Only a failed call has this status: `error`.
    OfCall,
    /// A record can have this status, too: `rejected`.
    OfRecord,
    /// This status belongs to a record more often than to a call: `expired`.
    OfMostRecords,
    /// The word does not mean a failure.
    Fine,
}

/// Classifies `text` as a status word.
fn word_of(text: &str) -> Word {
    let Some(plain) = Plain::of(text.trim()) else {
        return Word::Fine;
    };
    match plain.as_str() {
        "error"
        | "errored"
        | "err"
        | "failure"
        | "fail"
        | "exception"
        | "fatal"
        | "ko"
        | "nok"
        | "unsuccessful"
        | "notfound"
        | "unauthorized"
        | "unauthenticated"
        | "forbidden"
        | "badrequest"
        | "invalidargument"
        | "invalidarguments"
        | "deadlineexceeded"
        | "alreadyexists"
        | "permissiondenied"
        | "accessdenied"
        | "resourceexhausted"
        | "failedprecondition"
        | "unimplemented"
        | "dataloss"
        | "internalerror"
        | "internalservererror"
        | "servererror"
        | "validationerror"
        | "validationfailed"
        | "ratelimited"
        | "ratelimitexceeded"
        | "toomanyrequests"
        | "serviceunavailable"
        | "notauthorized"
        | "notallowed"
        | "timeouterror"
        | "networkerror"
        | "toolerror"
        | "apierror"
        | "invalidrequest"
        | "invalidrequesterror"
        | "unknownerror"
        | "requestfailed"
        | "fehler"
        | "erreur"
        | "feil" => Word::OfCall,
        "failed" | "denied" | "rejected" | "declined" | "timeout" | "timedout" | "aborted"
        | "refused" | "fehlgeschlagen" | "abgelehnt" | "fallido" | "rechazado" | "feilet" => {
            Word::OfRecord
        }
        "internal" if text == "INTERNAL" => Word::OfCall,
        "unavailable" | "invalid" | "expired" | "blocked" | "conflict" | "incomplete"
        | "unsupported" | "missing" => Word::OfMostRecords,
        _ => Word::Fine,
    }
}

/// Checks whether `text`, the type of an object, is a type of error: `error`, `error-text`, `api_error`.
fn is_sort_of_error(text: &str) -> bool {
    text.get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case("error"))
        || ["error", "exception", "failure"]
            .iter()
            .any(|end| ends_with(text, end))
}

/// Reads `value` as a flag: a boolean, or a text such as `"yes"` or `"0"`.
fn flag(value: Json<'_>) -> Option<bool> {
    match value {
        Json::Bool(flag) => Some(flag),
        Json::String(text) => match Plain::of(text.trim())?.as_str() {
            "true" | "yes" | "1" => Some(true),
            "false" | "no" | "0" => Some(false),
            _ => None,
        },
        Json::Null | Json::Number(_) | Json::Array(_) | Json::Object(_) => None,
    }
}

/// Reads `value` as a number: a JSON number, or a text that starts with one.
fn number(value: Json<'_>) -> Option<f64> {
    match value {
        Json::Number(number) => Some(number.as_f64()),
        // Both `404` and `404 Not Found` are numbers here.
        Json::String(text) => text.split_whitespace().next()?.parse().ok(),
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => None,
    }
}

/// Checks whether `value` is a word for a failure.
fn is_bad_word(value: Json<'_>) -> bool {
    let word = value.as_str().map_or(Word::Fine, word_of);
    matches!(word, Word::OfCall | Word::OfRecord)
}

/// Checks whether `value` is an HTTP status code of an error.
fn is_http_error(value: Json<'_>) -> bool {
    number(value).is_some_and(|code| (400.0..600.0).contains(&code) && code.fract() == 0.0)
}

/// Checks whether a value under `error` reports a problem; `"none"`, `0` and `{"code": 0}` do not.
fn is_fault(value: Json<'_>) -> bool {
    match value {
        Json::Null => false,
        Json::Bool(failed) => failed,
        // A fraction under `error` is a deviation, not a failure.
        Json::Number(number) => number.as_f64() != 0.0 && number.as_f64().fract() == 0.0,
        Json::String(text) => !says_no_fault(text),
        Json::Array(items) => items.iter().any(|item| is_fault(*item)),
        Json::Object(members) => members.iter().any(|(_, value)| is_fault(*value)),
    }
}

/// Checks whether `text`, a value under `error`, says that there was no error.
fn says_no_fault(text: &str) -> bool {
    const NONE: &[&str] = &[
        "",
        "-",
        "0",
        "false",
        "keine",
        "n/a",
        "nil",
        "no",
        "no error",
        "no errors",
        "none",
        "null",
        "ok",
        "success",
        "undefined",
    ];
    let text = text.trim().trim_end_matches('.');
    text.len() <= 9 && NONE.iter().any(|none| text.eq_ignore_ascii_case(none))
}

/// Checks whether `value` is empty or an object with only empty values, up to `depth` levels deep.
pub fn is_hollow(value: Json<'_>, depth: usize) -> bool {
    match value {
        Json::Object(members) if depth > 0 => {
            members.len() <= MOST_MEMBERS
                && members
                    .iter()
                    .all(|(_, value)| is_hollow(*value, depth - 1))
        }
        value => !is_something(value),
    }
}

/// What the members of an object say about the outcome of the call.
#[derive(Default)]
struct Signs<'a> {
    /// The value of the flag that says whether the call worked.
    succeeded: Option<bool>,
    /// Whether a flag says that the call failed.
    says_failed: bool,
    /// What went wrong.
    error: Option<Json<'a>>,
    /// A list of what went wrong.
    errors: Option<Json<'a>>,
    /// Whether the object has an error code.
    error_code: bool,
    /// The class of its status word.
    status: Option<Word>,
    /// The class of a failure word under a key that is not a status: `{"cancellation": "failed"}`.
    word: Option<Word>,
    /// Whether the object has a status.
    has_status: bool,
    /// Whether the type of the object is a type of error.
    is_sort_of_error: bool,
    /// Whether the object has an HTTP status code of an error.
    is_http_error: bool,
    /// A code of any kind.
    code: Option<Json<'a>>,
    /// The exit code of a process.
    exit_code: Option<f64>,
    /// A message about the outcome.
    message: Option<&'a str>,
    /// A message about the outcome that is not a text.
    messages: Option<Json<'a>>,
    /// Whether the object says if data is valid.
    has_verdict: bool,
    /// How many members say which record the object is.
    identities: usize,
    /// The key of an action that was not done: `{"cancelled": false}`.
    not_done: Option<&'a str>,
    /// How many members hold data.
    data: usize,
    /// How many members may wrap the result.
    envelopes: usize,
}

impl<'a> Signs<'a> {
    /// Collects the signs of `members`.
    fn of(members: &[Member<'a>]) -> Self {
        let mut signs = Self::default();
        for (key, value) in members.iter().take(MOST_MEMBERS) {
            signs.read(key, *value);
        }
        signs
    }

    /// Adds what the member `key` says.
    fn read(&mut self, key: &'a str, value: Json<'a>) {
        match role_of(key) {
            Role::Succeeded => match (flag(value), value) {
                (Some(flag), _) => self.succeeded = Some(flag),
                // A zero is a count unless a message explains it.
                (None, Json::Number(number)) if number.as_f64() == 0.0 => {
                    self.not_done = self.not_done.or(Some(key));
                }
                (None, _) => self.count_data(value),
            },
            Role::Failed => match flag(value) {
                Some(failed) => self.says_failed |= failed,
                None => self.count_data(value),
            },
            // A small number may be a count.
            Role::Error if number(value).is_some_and(|count| (0.0..100.0).contains(&count)) => {
                self.error_code |= is_fault(value);
            }
            Role::Error if is_fault(value) => self.error = self.error.or(Some(value)),
            Role::Errors if is_fault(value) && number(value).is_none() => self.errors = Some(value),
            Role::ErrorCode if is_fault(value) => self.error_code = true,
            Role::Error | Role::Errors | Role::ErrorCode => {}
            Role::Status => self.read_status(value),
            Role::Sort => self.is_sort_of_error |= value.as_str().is_some_and(is_sort_of_error),
            Role::HttpStatus => {
                self.is_http_error |= is_http_error(value);
                if number(value).is_some_and(|code| (200.0..400.0).contains(&code)) {
                    self.succeeded = self.succeeded.or(Some(true));
                }
            }
            Role::Code => self.code = Some(value),
            Role::ExitCode => self.exit_code = number(value).or(self.exit_code),
            Role::Message => match value {
                Json::String(text) => self.message = self.message.or(Some(text)),
                value => self.messages = self.messages.or(Some(value)),
            },
            Role::Output | Role::Envelope => {
                self.envelopes += usize::from(!is_hollow(value, 2));
            }
            Role::Verdict => self.has_verdict = true,
            Role::Identity => self.read_identity(value),
            Role::Meta => {}
            Role::Header => self.read_header(value),
            Role::Data if is_bad_word(value) => {
                self.word = self.word.or(value.as_str().map(word_of))
            }
            Role::Data => match flag(value) {
                Some(false) if is_participle(key) => self.not_done = self.not_done.or(Some(key)),
                _ => self.count_data(value),
            },
        }
    }

    /// Adds what a status says.
    fn read_status(&mut self, value: Json<'a>) {
        self.has_status = true;
        self.is_http_error |= is_http_error(value);
        match value {
            Json::Bool(succeeded) => self.succeeded = self.succeeded.or(Some(succeeded)),
            Json::String(text) => {
                let word = word_of(text);
                if self.status.is_none_or(|known| known == Word::Fine) {
                    self.status = Some(word);
                }
                self.succeeded = match Plain::of(text).as_ref().map_or("", Plain::as_str) {
                    "success" | "true" => self.succeeded.or(Some(true)),
                    "false" => self.succeeded.or(Some(false)),
                    _ => self.succeeded,
                };
            }
            Json::Object(_) => self.read_header(value),
            Json::Null | Json::Number(_) | Json::Array(_) => {}
        }
    }

    /// Reads codes that are one level deeper: `{"meta": {"code": 400}}`, `{"metadata": {"exit": 1}}`.
    fn read_header(&mut self, value: Json<'a>) {
        for (key, value) in value
            .members()
            .unwrap_or_default()
            .iter()
            .take(MOST_MEMBERS)
        {
            match role_of(key) {
                Role::Code | Role::HttpStatus | Role::Status => {
                    self.is_http_error |= is_http_error(*value);
                }
                Role::Error if matches!(value, Json::String(_)) && is_fault(*value) => {
                    self.error = self.error.or(Some(*value));
                }
                Role::ExitCode => self.exit_code = self.exit_code.or(number(*value)),
                Role::Failed => self.says_failed |= flag(*value) == Some(true),
                Role::Succeeded
                | Role::Error
                | Role::Errors
                | Role::ErrorCode
                | Role::Sort
                | Role::Message
                | Role::Output
                | Role::Envelope
                | Role::Verdict
                | Role::Identity
                | Role::Header
                | Role::Meta
                | Role::Data => {}
            }
        }
    }

    /// Counts `value` as the identity of a record, unless it is the name of an error: `ValueError`.
    fn read_identity(&mut self, value: Json<'a>) {
        match value {
            Json::String(text) if text.ends_with("Error") || text.ends_with("Exception") => {
                self.error_code = true;
            }
            value => self.identities += usize::from(is_something(value)),
        }
    }

    /// Counts a member that holds data.
    fn count_data(&mut self, value: Json<'a>) {
        self.data += usize::from(!is_hollow(value, 1));
    }

    /// Checks whether any sign may mean an error. This is a quick test: most results have no such sign.
    fn hints_at_error(&self) -> bool {
        let is_bad = |word: Option<Word>| word.is_some_and(|word| word != Word::Fine);
        self.succeeded == Some(false)
            || self.error.is_some()
            || self.errors.is_some()
            || self.error_code
            || is_bad(self.status)
            || is_bad(self.word)
            || self.is_sort_of_error
            || self.is_http_error
            || self.code.is_some()
            || self.not_done.is_some()
            || self.messages.is_some()
    }

    /// Checks whether this object is a record, so that a failure in it is a fact about the record, not about the
    /// call.
    fn is_record(&self) -> bool {
        self.identities > 0 && self.data + self.envelopes >= 2
    }

    /// Checks whether the object says in words what went wrong.
    fn has_words(&self) -> bool {
        self.message.is_some() || self.error.is_some() || self.messages.is_some_and(is_something)
    }
}

/// Checks whether `key` is the participle of an action: `cancelled`, `sent`, `is_booked`. Participles that describe
/// the response rather than an action (`cached`, `truncated`) do not count.
fn is_participle(key: &str) -> bool {
    const IRREGULAR: &[&str] = &[
        "bought", "built", "done", "given", "held", "made", "paid", "put", "sent", "sold",
        "written",
    ];
    const OTHERS: &[&str] = &[
        "aborted",
        "allowed",
        "blocked",
        "cached",
        "delayed",
        "deprecated",
        "expired",
        "failed",
        "included",
        "interrupted",
        "limited",
        "locked",
        "needed",
        "required",
        "truncated",
    ];
    let ends_in = |list: &[&str]| list.iter().any(|word| ends_with(key, word));
    key.len() <= 40 && (ends_with(key, "ed") || ends_in(IRREGULAR)) && !ends_in(OTHERS)
}

/// Checks whether `key` ends with `end`, ignoring case.
fn ends_with(key: &str, end: &str) -> bool {
    let start = key.len().checked_sub(end.len());
    start.is_some_and(|start| key.as_bytes()[start..].eq_ignore_ascii_case(end.as_bytes()))
}

/// Checks whether the tool called `name` does what `participle` says: `cancel_order` and `cancelled`.
pub fn does(name: Option<&str>, participle: &str) -> bool {
    const VERBS: &[(&str, &str)] = &[
        ("bought", "buy"),
        ("built", "build"),
        ("done", "do"),
        ("given", "give"),
        ("held", "hold"),
        ("made", "make"),
        ("paid", "pay"),
        ("sent", "send"),
        ("sold", "sell"),
        ("written", "write"),
    ];
    let words = toolgauge_model::words_of(participle);
    let last = words.last().map_or("", String::as_str);
    let irregular = VERBS.iter().find(|(participle, _)| *participle == last);
    let stem = match irregular {
        Some((_, verb)) => verb,
        None => last.strip_suffix("ed").unwrap_or(last),
    };
    // The stem loses its last letter, which may differ: `cancelled` and `cancel`, `applied` and `apply`.
    let most = stem.char_indices().nth_back(0).map_or(0, |(at, _)| at);
    let start = &stem[..most.max(stem.len().min(3))];
    toolgauge_model::words_of(name.unwrap_or_default())
        .iter()
        .any(|word| word.starts_with(start))
}

/// Returns the error that `result` reports, if any.
pub fn error_in(result: Json<'_>, call: &ToolCall<'_>, depth: usize) -> Option<String> {
    match result {
        Json::Object(members) => error_in_object(members, result, call, depth),
        Json::Array(items) => error_in_list(items, call, depth),
        Json::String(text) => text::error_in_part(text, call, depth),
        Json::Null | Json::Bool(_) | Json::Number(_) => None,
    }
}

/// Returns the error of a list: a list is an error if all its items are, or if the first of its text parts is.
fn error_in_list(items: &[Json<'_>], call: &ToolCall<'_>, depth: usize) -> Option<String> {
    if depth >= MOST_DEPTH || items.len() > MOST_ITEMS {
        return None;
    }
    // A Python function may return a pair: whether it worked, and why not.
    if let [Json::Bool(false), reason @ Json::String(_)] = items {
        let reads = purpose_of(call.name) == Purpose::Reads;
        return (!reads).then(|| quoted(*reason));
    }
    let part = |item: &Json<'_>| item.get("type").and_then(Json::as_str) == Some("text");
    if items.iter().all(part) {
        let text = items.first()?.get("text")?.as_str()?;
        return text::error_in_part(text, call, depth + 1);
    }
    let mut errors = items.iter().map(|item| match item {
        Json::Object(_) => error_in(*item, call, depth + 1).filter(|_| !is_record(*item)),
        _ => None,
    });
    let first = errors.next()??;
    errors.all(|error| error.is_some()).then_some(first)
}

/// Checks whether an item of a list is a record, whose own failure is data.
fn is_record(item: Json<'_>) -> bool {
    item.members().is_some_and(|members| {
        let signs = Signs::of(members);
        signs.identities > 1 || (signs.identities > 0 && (signs.has_status || signs.data > 0))
    })
}

/// Returns the error that an object reports itself or wraps.
fn error_in_object(
    members: &[Member<'_>],
    result: Json<'_>,
    call: &ToolCall<'_>,
    depth: usize,
) -> Option<String> {
    if depth >= MOST_DEPTH {
        return None;
    }
    let signs = Signs::of(members);
    if reports_error(members, &signs, call) {
        return Some(message_of(result));
    }
    if says_only(&signs) {
        let text = signs.message?;
        return text::is_error(text, call).then(|| quoted(Json::String(text)));
    }
    if let Some(exit) = signs.exit_code {
        let output = members
            .iter()
            .filter(|(key, _)| role_of(key) == Role::Output);
        let mut texts = output.filter_map(|(_, value)| value.as_str());
        let fails = |text: &&str| shell::fails_although_it_ended_well(text, call);
        let first = (exit == 0.0).then(|| texts.find(fails)).flatten();
        return first.map(|text| quoted(Json::String(text.trim())));
    }
    error_inside(members, &signs, call, depth)
}

/// Returns the error inside the only member that holds data.
fn error_inside(
    members: &[Member<'_>],
    signs: &Signs<'_>,
    call: &ToolCall<'_>,
    depth: usize,
) -> Option<String> {
    let is_wrapper = matches!(members, [(_, Json::Object(_))]);
    let holds_only_this = signs.data == 0 && signs.identities == 0 && signs.envelopes == 1;
    if !is_wrapper && !holds_only_this {
        return None;
    }
    let (_, value) = members.iter().find(|(key, value)| {
        is_wrapper || matches!(role_of(key), Role::Envelope | Role::Output) && is_something(*value)
    })?;
    let is_plain = matches!(value, Json::String(text) if !text.trim_start().starts_with('{'));
    if is_plain && signs.succeeded == Some(true) {
        return None;
    }
    let word = value.as_str().map_or(Word::Fine, word_of);
    let asks = matches!(purpose_of(call.name), Purpose::AsksState | Purpose::Tests);
    match (word, asks) {
        (Word::Fine, _) => error_in(*value, call, depth + 1),
        // `{"response": "error"}` is a status under another name.
        (Word::OfCall, _) | (Word::OfRecord, false) => {
            Some(quoted(signs.message.map_or(*value, Json::String)))
        }
        (Word::OfRecord, true) | (Word::OfMostRecords, _) => None,
    }
}

/// Checks whether an object holds a message about the outcome and nothing else.
fn says_only(signs: &Signs<'_>) -> bool {
    signs.message.is_some()
        && signs.data == 0
        && signs.envelopes == 0
        && signs.identities == 0
        && signs.succeeded != Some(true)
        && signs.exit_code.is_none()
        && signs.status != Some(Word::Fine)
}

/// Checks whether the members of an object say that the call failed.
fn reports_error(members: &[Member<'_>], signs: &Signs<'_>, call: &ToolCall<'_>) -> bool {
    if signs.says_failed {
        return true;
    }
    if let Some(code) = signs.exit_code.filter(|code| *code != 0.0) {
        let output = members
            .iter()
            .filter(|(key, _)| role_of(key) == Role::Output);
        let has_output = output
            .filter_map(|(_, value)| value.as_str())
            .any(|text| !text.trim().is_empty());
        return !shell::is_answer_of_search(code, has_output, call);
    }
    if !signs.hints_at_error() && !result_word(members) {
        return false;
    }
    let purpose = purpose_of(call.name);
    let is_record = signs.is_record() && purpose != Purpose::Acts;
    let is_state = is_record || matches!(purpose, Purpose::AsksState | Purpose::Tests);
    let is_verdict = signs.has_verdict && purpose != Purpose::Acts;
    let is_many = signs.data >= 3 || signs.has_status;
    (signs.succeeded == Some(false) && !is_record && !is_verdict)
        || (signs.error.is_some() && !(is_record && is_many))
        || (signs.errors.is_some() && has_failed_wholly(signs) && !is_verdict && !is_record)
        || (signs.error_code && (signs.has_words() || holds_no_data(signs)) && !is_record)
        || signs
            .status
            .is_some_and(|word| is_failure(word, signs, purpose, is_record, is_state))
        || (signs.word.is_some() && signs.has_words() && holds_no_data(signs) && !is_state)
        || (signs.is_sort_of_error && (signs.has_words() || signs.data == 0) && !is_record)
        || (signs.is_http_error && !(is_record && signs.data >= 4))
        || (signs.code.is_some_and(is_error_code) && signs.has_words() && holds_no_data(signs))
        || signs
            .not_done
            .is_some_and(|key| says_not_done(key, signs, call, purpose))
        || result_word(members) && !is_state
        || signs.messages.is_some_and(lists_faults) && holds_no_data(signs)
}

/// Checks for `{"result": "error", …}`, a status under another name.
fn result_word(members: &[Member<'_>]) -> bool {
    members.iter().take(MOST_MEMBERS).any(|(key, value)| {
        matches!((*key, value), ("result" | "Result", Json::String(text))
            if matches!(word_of(text), Word::OfCall | Word::OfRecord))
    })
}

/// Checks whether a status describes the call rather than the record that was looked up.
fn is_failure(
    word: Word,
    signs: &Signs<'_>,
    purpose: Purpose,
    is_record: bool,
    is_state: bool,
) -> bool {
    match word {
        // `{"service": "db", "status": "error"}` is the answer if the tool asks for a state.
        Word::OfCall if purpose == Purpose::AsksState => !is_record && signs.has_words(),
        Word::OfCall => !is_record,
        Word::OfRecord => {
            !is_state && (purpose == Purpose::Acts || signs.data + signs.identities < 2)
        }
        Word::OfMostRecords => {
            !is_state && holds_no_data(signs) && (purpose == Purpose::Acts || signs.has_words())
        }
        Word::Fine => false,
    }
}

/// Checks whether nothing in an object with errors worked: it has no success flag and no data.
fn has_failed_wholly(signs: &Signs<'_>) -> bool {
    signs.succeeded != Some(true) && signs.data == 0 && signs.envelopes == 0
}

/// Checks whether an object holds only a message about the outcome, and no data.
fn holds_no_data(signs: &Signs<'_>) -> bool {
    signs.data == 0 && signs.envelopes == 0 && signs.identities == 0
}

/// Checks whether `{"<key>": false}` says that the requested action was not done.
fn says_not_done(key: &str, signs: &Signs<'_>, call: &ToolCall<'_>, purpose: Purpose) -> bool {
    if role_of(key) == Role::Succeeded {
        return signs.has_words() && holds_no_data(signs);
    }
    match purpose {
        Purpose::Reads | Purpose::AsksState | Purpose::Tests => false,
        Purpose::Acts | Purpose::Unknown => {
            does(call.name, key) || (signs.has_words() && holds_no_data(signs))
        }
    }
}

/// Checks whether `value` is an error code of JSON-RPC or HTTP, or the name of an error: `-32603`, `404`,
/// `NOT_FOUND`, `ENOENT`, `ERR_TIMEOUT`.
pub fn is_error_code(value: Json<'_>) -> bool {
    match value {
        Json::Number(number) => number.as_f64() < 0.0 || is_http_error(value),
        Json::String(text) => {
            let is_name = text.len() > 3
                && text
                    .bytes()
                    .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
            let is_known = |start| text.starts_with(start);
            word_of(text) == Word::OfCall
                || is_http_error(value)
                || (is_name && (["ERR_", "E_"].into_iter().any(is_known) || is_errno(text)))
                || ends_with(text, "error")
                || ends_with(text, "exception")
        }
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => false,
    }
}

/// Checks whether `text` is the name of a system error: `ENOENT`.
pub fn is_errno(text: &str) -> bool {
    const NAMES: &[&str] = &[
        "EACCES",
        "EADDRINUSE",
        "EAGAIN",
        "ECONNABORTED",
        "ECONNREFUSED",
        "ECONNRESET",
        "EEXIST",
        "EHOSTUNREACH",
        "EINVAL",
        "EISDIR",
        "EMFILE",
        "ENOENT",
        "ENOMEM",
        "ENOSPC",
        "ENOTDIR",
        "ENOTEMPTY",
        "ENOTFOUND",
        "EPERM",
        "EPIPE",
        "ETIMEDOUT",
    ];
    NAMES.binary_search(&text).is_ok()
}

/// Checks whether `value` lists invalid arguments as a server reports them: `[{"loc": […], "msg": …}]`.
fn lists_faults(value: Json<'_>) -> bool {
    let is_fault = |item: &Json<'_>| item.get("msg").is_some() && item.get("loc").is_some();
    value
        .items()
        .is_some_and(|items| !items.is_empty() && items.iter().take(MOST_ITEMS).all(is_fault))
}

/// Returns the message of an object that reports an error.
fn message_of(result: Json<'_>) -> String {
    const KEYS: &[&str] = &[
        "error",
        "errors",
        "err",
        "exception",
        "message",
        "errorMessage",
        "error_message",
        "msg",
        "error_description",
        "errmsg",
        "errorMsg",
        "error_msg",
        "fault",
        "detail",
        "details",
        "reason",
        "stderr",
        "body",
        "content",
        "description",
        "title",
    ];
    let message = KEYS
        .iter()
        .filter_map(|key| result.get(key))
        .find(|value| is_something(*value) && !matches!(value, Json::Bool(_) | Json::Number(_)));
    quoted(message.unwrap_or(result))
}
