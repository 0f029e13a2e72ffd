//! Compares the outcomes of two calls.

use toolgauge_model::{Json, Member, Path, ToolCall, start_of};

/// Members that say when or how a result was made, without case and separators. Their values differ each time
/// without being news.
const INCIDENTAL: [&str; 21] = [
    "timestamp",
    "requestid",
    "traceid",
    "spanid",
    "elapsed",
    "elapsedms",
    "elapsedtime",
    "elapsedseconds",
    "durationms",
    "latencyms",
    "tookms",
    "servertime",
    "fetchedat",
    "retrievedat",
    "generatedat",
    "queriedat",
    "responsetime",
    "responsetimems",
    "executiontime",
    "executiontimems",
    "walltime",
];

/// The most differences that are reported.
const MOST_DIFFERENCES: usize = 10;

/// The most bytes of a message to the agent; longer texts are content.
const LONGEST_MESSAGE: usize = 300;

/// Phrases of a message that asks for another try, or says that it is too early.
const AGAIN: [&str; 25] = [
    "again",
    "retry",
    "confirm",
    "pending",
    "in progress",
    "in_progress",
    "processing",
    "queued",
    "running",
    "starting",
    "waiting",
    "not ready",
    "not yet",
    "later",
    "rate limit",
    "too many requests",
    "429",
    "503",
    "timeout",
    "timed out",
    "temporar",
    "unavailable",
    "overloaded",
    "connection",
    "busy",
];

/// Members that hold a state or a progress.
const STATE_MEMBERS: [&str; 5] = ["status", "state", "phase", "stage", "progress"];

/// States that change by themselves. The phrases of messages are in [`AGAIN`].
const PASSING_STATES: [&str; 9] = [
    "open",
    "submitted",
    "scheduled",
    "accepted",
    "started",
    "initiated",
    "building",
    "in_review",
    "in review",
];

/// Returns whether the results of two calls are the same in everything that matters.
pub fn is_same(before: &ToolCall<'_>, after: &ToolCall<'_>) -> bool {
    let (before, after) = (result_of(before), result_of(after));
    before == after || (same_but_incidental(before, after) && says_more(before))
}

/// Returns the paths at which the results of two calls differ, at most ten.
pub fn differences(before: &ToolCall<'_>, after: &ToolCall<'_>) -> Vec<String> {
    let mut found = Vec::new();
    if before.is_unanswered() || after.is_unanswered() {
        return found;
    }
    collect(
        result_of(before),
        result_of(after),
        &Path::root(),
        &mut found,
    );
    found
}

fn result_of<'a>(call: &ToolCall<'a>) -> Json<'a> {
    call.result.or(call.error).unwrap_or_default()
}

fn is_incidental(key: &str) -> bool {
    if key.starts_with('_') {
        return true;
    }
    // The longest incidental name has fifteen letters.
    if key.len() > 24 {
        return false;
    }
    let letters = key.chars().filter(|c| !matches!(c, '_' | '-'));
    let plain: String = letters.flat_map(char::to_lowercase).collect();
    INCIDENTAL.contains(&plain.as_str())
}

fn lasting<'a>(members: &'a [Member<'a>]) -> impl Iterator<Item = &'a Member<'a>> + Clone {
    members.iter().filter(|(key, _)| !is_incidental(key))
}

fn same_but_incidental(before: Json<'_>, after: Json<'_>) -> bool {
    match (before, after) {
        (Json::Object(a), Json::Object(b)) => {
            lasting(a).count() == lasting(b).count()
                && lasting(a).zip(lasting(b)).all(|((key, x), (other, y))| {
                    // Members usually are in the same order.
                    let y = if key == other {
                        Some(*y)
                    } else {
                        after.get(key)
                    };
                    y.is_some_and(|y| same_but_incidental(*x, y))
                })
        }
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(x, y)| same_but_incidental(*x, *y))
        }
        _ => before == after,
    }
}

/// Returns whether a result contains anything that is not incidental.
fn says_more(result: Json<'_>) -> bool {
    match result {
        Json::Object(members) => lasting(members).any(|(_, value)| says_more(*value)),
        Json::Array(items) => items.iter().any(|item| says_more(*item)),
        Json::Null => false,
        _ => true,
    }
}

fn collect(before: Json<'_>, after: Json<'_>, place: &Path, found: &mut Vec<String>) {
    if found.len() >= MOST_DIFFERENCES || before == after {
        return;
    }
    match (before, after) {
        (Json::Object(a), Json::Object(b)) => {
            let added = b.iter().filter(|(key, _)| before.get(key).is_none());
            for (key, value) in a {
                collect(
                    *value,
                    after.get(key).unwrap_or_default(),
                    &place.key(key),
                    found,
                );
            }
            for (key, value) in added {
                collect(Json::Null, *value, &place.key(key), found);
            }
        }
        (Json::Array(a), Json::Array(b)) if a.len() == b.len() => {
            for (at, (x, y)) in a.iter().zip(b).enumerate() {
                collect(*x, *y, &place.index(at), found);
            }
        }
        _ => found.push(place.to_string()),
    }
}

/// Returns whether the outcome of a call asks for another try, or says that something is not finished yet.
pub fn asks_for_repetition(call: &ToolCall<'_>) -> bool {
    let says_again = |value: Json<'_>| {
        let text = value.as_str().filter(|text| text.len() <= LONGEST_MESSAGE);
        text.is_some_and(|text| {
            let text = text.to_lowercase();
            AGAIN.iter().any(|phrase| text.contains(phrase))
        })
    };
    let values = call.result.into_iter().chain(call.error);
    values.into_iter().any(|value| match value {
        Json::Object(members) => members
            .iter()
            .any(|(key, value)| says_again(*value) || is_passing_state(key, *value)),
        _ => says_again(value),
    })
}

fn is_passing_state(key: &str, value: Json<'_>) -> bool {
    let is_one_of =
        |known: &[&str], text: &str| known.iter().any(|it| text.eq_ignore_ascii_case(it));
    let text = value.as_str().unwrap_or_default();
    is_one_of(&STATE_MEMBERS, key) && is_one_of(&PASSING_STATES, text)
}

/// Returns whether a result only confirms that something was done.
pub fn is_acknowledgement(call: &ToolCall<'_>) -> bool {
    /// The most characters of a confirmation.
    const SHORT: usize = 60;
    let is_short = |text: &str| start_of(text, SHORT).len() == text.len();
    let is_plain = |value: Json<'_>| match value {
        Json::Null | Json::Bool(_) => true,
        Json::String(text) => is_short(text),
        Json::Number(_) | Json::Array(_) | Json::Object(_) => false,
    };
    match result_of(call) {
        Json::Object(members) => members.len() <= 3 && members.iter().all(|(_, it)| is_plain(*it)),
        value => is_plain(value),
    }
}
