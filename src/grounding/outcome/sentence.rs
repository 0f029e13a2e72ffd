//! Detects messages whose first sentence says that something was not done.

use super::object;
use super::purpose::Purpose;
use super::text::{SHORT, first_word};
use toolgauge_model::{ToolCall, start_of};

/// The maximum length of a text that is a single message.
const ONE_MESSAGE: usize = 240;

/// Returns the start of `text` in lower case, with `’` replaced by `'`.
pub fn lower(text: &str) -> String {
    start_of(text, ONE_MESSAGE).to_lowercase().replace('’', "'")
}

/// Returns the first sentence of `text`.
fn first_sentence(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    let end = line.match_indices(['.', '!', '?']).find(|(at, mark)| {
        let rest = &line[at + mark.len()..];
        rest.is_empty() || rest.starts_with(' ')
    });
    end.map_or(line, |(at, mark)| &line[..at + mark.len()])
}

/// Openings of messages that say that something was not done.
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

/// Polite phrases before the actual message.
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

/// Checks whether `sentence`, in lower case, starts with a phrase that says that something was not done.
pub fn begins_failure(sentence: &str) -> bool {
    OPENINGS.iter().any(|opening| {
        sentence
            .strip_prefix(opening)
            .is_some_and(|rest| match opening.ends_with(' ') {
                // `Invalid arguments are logical fallacies.`
                true => *opening != "invalid " || !rest.contains(" are "),
                // `Forbidden City`, `Not Found is an album`: such an opening counts only if the sentence ends there.
                false if opening.split(' ').count() == 1 || *opening == "not found" => {
                    ends_there(rest)
                }
                false => !rest.starts_with(char::is_alphanumeric),
            })
    })
}

/// Checks whether only a reason follows.
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

/// Returns `text` without a polite phrase at its start.
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

/// Phrases that mean a failure whichever tool returned them.
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

/// Phrases that mean a failure only in messages about an action; in a record that was looked up, they are data.
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

/// Words for the processes that carry out a call: if one of them failed or timed out, this is not data.
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

/// Checks whether the first sentence of `text` says that something was not done. Long texts do not count, except for
/// messages with details in further lines.
pub fn says_failure(text: &str, call: &ToolCall<'_>, purpose: Purpose) -> bool {
    let acts = matches!(purpose, Purpose::Acts | Purpose::Unknown);
    if text.len() > SHORT && !(acts && is_long_message(text)) {
        return false;
    }
    let sentence = lower(first_sentence(without_polite_words(text)));
    if is_about(&sentence) {
        return false;
    }
    let is_state = matches!(purpose, Purpose::AsksState | Purpose::Tests);
    if begins_failure(&sentence) && !(purpose == Purpose::Tests && sentence.starts_with("invalid"))
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

/// Checks whether `sentence` says that the action of the tool was done: `Your booking is cancelled and must …`.
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

/// Checks whether `sentence` says that the action of a tool was not done: `The ticket was not created`.
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

/// Checks whether one of the first three words is the name of a system error: `connect ECONNREFUSED …`.
fn names_errno(text: &str) -> bool {
    let words = text.split([' ', ':', ',']).take(3);
    text.len() <= ONE_MESSAGE && words.into_iter().any(object::is_errno)
}

/// Returns `sentence` up to its condition: `… when a page is missing`.
fn main_clause(sentence: &str) -> &str {
    let conditions = [" if ", " when ", " unless ", " in case "];
    let end = conditions
        .iter()
        .filter_map(|word| sentence.find(word))
        .min();
    end.map_or(sentence, |end| &sentence[..end])
}

/// Checks whether `text` is a message with details in further lines: `Failed to open x:\n…`.
fn is_long_message(text: &str) -> bool {
    text.lines()
        .next()
        .is_some_and(|line| line.len() <= ONE_MESSAGE && line.len() < text.len())
}

/// Checks whether `sentence` ends by saying what failed: `payment failed`, but not `1 failed`.
fn ends_failed(sentence: &str) -> bool {
    let words = sentence.trim_end_matches(['.', '!']);
    let before = words
        .strip_suffix(" failed")
        .and_then(|rest| rest.split_whitespace().next_back());
    before.is_some_and(|word| word != "not" && word.parse::<u32>().is_err())
}

/// Checks whether `sentence` starts with an action that was done: `sent to 3 people`.
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

/// Checks whether `sentence` does not report a failure: it says what was done, sets a condition, asks a question, or
/// says that there is no problem.
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
