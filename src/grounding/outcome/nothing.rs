//! Detects results that say that nothing was found.

use super::object::{Role, is_hollow, role_of};
use toolgauge_model::{Json, ToolCall, start_of};

/// A longer text says more than that nothing was found.
const SHORT: usize = 400;

/// The maximum number of wrappers around an answer that are opened.
const DEPTH: usize = 4;

/// The maximum number of members of an object that are read.
const MOST_MEMBERS: usize = 32;

/// Checks whether the result or the error of `call` says that nothing was found: `[]`, `{"found": false}`,
/// `{"total": 0, "results": []}`, `null`, `No results found.`, `Error: user not found`, `{"status": 404}`.
///
/// Returns `false` for a call without a result.
pub fn says_nothing_found(call: &ToolCall<'_>) -> bool {
    match (call.error.filter(|error| !error.is_null()), call.result) {
        (Some(error), _) => says_none(error, 0) && !is_empty(error),
        (None, Some(result)) => says_none(result, 0),
        (None, None) => false,
    }
}

/// Checks whether `value` is empty.
fn is_empty(value: Json<'_>) -> bool {
    matches!(value, Json::Array([]) | Json::Object([]) | Json::String(""))
}

/// Checks whether `value` says that nothing was found.
fn says_none(value: Json<'_>, depth: usize) -> bool {
    match value {
        Json::Null | Json::Array([]) | Json::Object([]) => true,
        Json::String(text) => text_says_none(text),
        Json::Object(members) => {
            depth < DEPTH && object_says_none(&members[..members.len().min(MOST_MEMBERS)], depth)
        }
        // A list with a single text part wraps one answer.
        Json::Array([one @ Json::Object(_)]) => {
            let text = one.get("text").filter(|_| one.get("type").is_some());
            text.and_then(Json::as_str).is_some_and(text_says_none)
        }
        Json::Bool(_) | Json::Number(_) | Json::Array(_) => false,
    }
}

/// What a member says about the number of things found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Amount {
    /// Nothing was found.
    None,
    /// The member is empty; another member may explain why.
    Hollow,
    /// The member is not part of the answer: the query, the page, a message.
    Aside,
    /// The member holds data.
    Some,
}

/// Checks whether the members of an object, taken together, say that nothing was found.
fn object_says_none(members: &[(&str, Json<'_>)], depth: usize) -> bool {
    let says = |(key, value): &(&str, Json<'_>)| member_says(key, *value, depth);
    let all = || members.iter().map(says);
    // A command without output did not search for anything.
    if members
        .iter()
        .any(|(key, _)| matches!(*key, "stdout" | "stderr"))
    {
        return false;
    }
    // A flag decides regardless of the other members; a list or a count decides only if no other member is data.
    members
        .iter()
        .any(|(key, value)| is_flag_of_none(key, *value))
        || (all().all(|says| says != Amount::Some) && all().any(|says| says == Amount::None))
        || (members.len() > 1 && all().all(|says| says == Amount::Hollow))
        || matches!(members, [(key, Json::Null)] if role_of(key) == Role::Envelope)
}

/// Checks for a flag such as `{"found": false}` or `{"exists": "false"}`.
fn is_flag_of_none(key: &str, value: Json<'_>) -> bool {
    const KEYS: &[&str] = &[
        "exists",
        "found",
        "has_results",
        "hasResults",
        "is_found",
        "isFound",
        "matched",
    ];
    let is_no = match value {
        Json::Bool(flag) => !flag,
        Json::String(text) => text.eq_ignore_ascii_case("false"),
        Json::Null | Json::Number(_) | Json::Array(_) | Json::Object(_) => false,
    };
    is_no && KEYS.contains(&key)
}

/// Returns what the member `key` says about the number of things found.
fn member_says(key: &str, value: Json<'_>, depth: usize) -> Amount {
    if is_count(key) {
        let count = match value {
            Json::Number(number) => Some(number.as_f64()),
            Json::String(text) => text.parse().ok(),
            Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => None,
        };
        return if count == Some(0.0) {
            Amount::None
        } else {
            Amount::Some
        };
    }
    match (role_of(key), value) {
        (_, Json::Array([])) => Amount::None,
        (Role::Meta | Role::Header, _) | (_, Json::Bool(_)) => Amount::Aside,
        (Role::Status | Role::HttpStatus | Role::Code | Role::ErrorCode | Role::Sort, value) => {
            match is_none_code(value) {
                true => Amount::None,
                false => Amount::Aside,
            }
        }
        (Role::Error | Role::Message | Role::Errors, Json::String(text)) => {
            match text_says_none(text) {
                true => Amount::None,
                false => Amount::Aside,
            }
        }
        (Role::Error | Role::Envelope | Role::Output, Json::Object(_))
            if says_none(value, depth + 1) =>
        {
            Amount::None
        }
        (Role::Envelope | Role::Output, Json::String(text)) if text_says_none(text) => Amount::None,
        (
            Role::Error
            | Role::Errors
            | Role::Message
            | Role::Succeeded
            | Role::Failed
            | Role::ExitCode
            | Role::Verdict,
            _,
        ) => Amount::Aside,
        (Role::Identity | Role::Data | Role::Envelope | Role::Output, value) => {
            match (value, is_hollow(value, 2)) {
                (_, true) => Amount::Hollow,
                // The member repeats the query: a page number, the words searched for.
                (Json::String(_) | Json::Number(_), false) if is_of_query(key) => Amount::Aside,
                (_, false) => Amount::Some,
            }
        }
    }
}

/// Checks whether `key` holds the number of things found.
fn is_count(key: &str) -> bool {
    const KEYS: &[&str] = &[
        "count",
        "hits",
        "item_count",
        "itemCount",
        "matches",
        "n_results",
        "num_found",
        "num_results",
        "numFound",
        "numResults",
        "number_of_results",
        "result_count",
        "resultCount",
        "results_count",
        "resultsCount",
        "row_count",
        "rowCount",
        "total",
        "total_count",
        "total_hits",
        "total_items",
        "total_results",
        "totalCount",
        "totalHits",
        "totalItems",
        "totalResults",
    ];
    KEYS.contains(&key)
}

/// Checks whether `key` holds a part of the query.
fn is_of_query(key: &str) -> bool {
    const KEYS: &[&str] = &[
        "filter",
        "filters",
        "keyword",
        "keywords",
        "limit",
        "offset",
        "page",
        "pageSize",
        "page_size",
        "per_page",
        "q",
        "search",
        "search_term",
        "term",
    ];
    KEYS.contains(&key)
}

/// Checks whether `value` is a code for "nothing found": `404`, `NOT_FOUND`, `no_results`.
fn is_none_code(value: Json<'_>) -> bool {
    match value {
        Json::Number(number) => number.as_f64() == 404.0,
        Json::String(text) => {
            let plain: String = text
                .chars()
                .filter(|c| c.is_alphanumeric())
                .take(24)
                .collect();
            let plain = plain.to_ascii_lowercase();
            matches!(
                plain.as_str(),
                "404"
                    | "notfound"
                    | "404notfound"
                    | "noresults"
                    | "noresult"
                    | "nomatch"
                    | "nomatches"
                    | "nodata"
                    | "empty"
                    | "none"
                    | "notfounderror"
                    | "enoent"
                    | "doesnotexist"
            )
        }
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => false,
    }
}

/// Phrases that say that nothing was found, in lower case.
const PHRASES: &[&str] = &[
    "aucun résultat",
    "aucune donnée",
    "can't find",
    "cannot be found",
    "cannot find",
    "could not be found",
    "could not find",
    "could not locate",
    "couldn't be found",
    "couldn't find",
    "did not find",
    "did not match any",
    "did not return any",
    "didn't find",
    "didn't match any",
    "didn't return any",
    "do not exist",
    "does not exist",
    "doesn't exist",
    "empty result",
    "existiert nicht",
    "found 0 ",
    "found no ",
    "found nothing",
    "ikke funnet",
    "introuvable",
    "keine daten",
    "keine ergebnisse",
    "keine treffer",
    "matched nothing",
    "n'existe pas",
    "nicht gefunden",
    "no existe",
    "no hay ",
    "no se encontr",
    "non trouvé",
    "none available",
    "none exist",
    "none found",
    "not be located",
    "not found",
    "nothing found",
    "nothing matched",
    "nothing was found",
    "returned 0 ",
    "returned no ",
    "returned nothing",
    "sin resultados",
    "there are no ",
    "there is no ",
    "there were no ",
    "there's no ",
    "unable to find",
    "unable to locate",
    "was not located",
    "zero results",
    "ありません",
    "无结果",
    "未找到",
    "查無",
    "沒有找到",
    "没有找到",
    "無結果",
    "見つかりません",
    "없습니다",
    "찾을 수 없",
];

/// Words that follow `no`, `0`, `keine`, … in a text that says that nothing was found.
const AFTER_NO: &[&str] = &[
    "appointments",
    "availability",
    "available",
    "booked",
    "bookings",
    "data",
    "entries",
    "entry",
    "events",
    "exist",
    "exists",
    "files",
    "flights",
    "found",
    "funnet",
    "gefunden",
    "hits",
    "information",
    "items",
    "listed",
    "match",
    "matched",
    "matches",
    "matching",
    "meet",
    "messages",
    "on file",
    "orders",
    "record",
    "recorded",
    "records",
    "reservations",
    "result",
    "results",
    "returned",
    "rows",
    "scheduled",
    "tasks",
    "trouvé",
    "vorhanden",
    "with",
];

/// Parts of the runtime: if one of them is missing, the call failed, and nothing was searched.
const OF_RUNTIME: &[&str] = &[
    "command", "endpoint", "function", "method", "module", "package", "route", "tool",
];

/// Checks whether `text` is short and says that nothing was found.
fn text_says_none(text: &str) -> bool {
    let text = text.trim().trim_matches(['"', '\'', '`']);
    if text.len() > SHORT {
        return false;
    }
    let lower = start_of(text, SHORT).to_lowercase().replace('’', "'");
    let line = lower.lines().next().unwrap_or_default();
    let whole = line.trim_end_matches(['.', '!']);
    if matches!(
        whole,
        "null"
            | "none"
            | "undefined"
            | "nil"
            | "n/a"
            | "[]"
            | "{}"
            | "()"
            | "404"
            | "nothing"
            | "empty"
            | "0 results"
            | "not found"
            | "no"
    ) {
        return lower.lines().count() <= 1;
    }
    let first = line.split(". ").next().unwrap_or(line);
    let phrase = PHRASES.iter().find_map(|phrase| first.find(phrase));
    let is_of_runtime = phrase.is_some_and(|at| {
        let end = (at + 24..=first.len())
            .find(|end| first.is_char_boundary(*end))
            .unwrap_or(first.len());
        first[..end]
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| OF_RUNTIME.contains(&word))
    });
    (phrase.is_some() && !is_of_runtime) || begins_with_none(first)
}

/// Checks whether `sentence` starts with a negation: `No appointments found …`, `0 results`,
/// `Keine Termine vorhanden`.
fn begins_with_none(sentence: &str) -> bool {
    const STARTS: &[&str] = &[
        "0 ", "aucun ", "aucune ", "ingen ", "kein ", "keine ", "keinen ", "ninguna ", "ningún ",
        "no ", "sin ", "zero ",
    ];
    let start = sentence.trim_start_matches(|c: char| !c.is_alphanumeric());
    let Some(rest) = STARTS.iter().find_map(|none| start.strip_prefix(none)) else {
        return false;
    };
    let is_negated = [
        "error", "errors", "issue", "issues", "problem", "problems", "fehler",
    ]
    .iter()
    .any(|word| rest.starts_with(word));
    let mut words = rest.split(|c: char| !c.is_alphanumeric()).take(12);
    !is_negated && words.any(|word| AFTER_NO.contains(&word))
}
