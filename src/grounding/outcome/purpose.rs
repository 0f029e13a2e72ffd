//! Derives the purpose of a tool from its name: the same words are an error from one tool and data from another.
//! `grounding/purpose.rs` lists the other functions that recognise purposes.

use toolgauge_model::words_of;

/// The purpose of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The tool changes something: `cancel_order`.
    Acts,
    /// The tool looks something up: `get_order`.
    Reads,
    /// The tool asks for the state of something: `check_payment_status`.
    AsksState,
    /// The tool looks for faults, so reporting some is a success: `run_tests`, `validate_iban`.
    Tests,
    /// The name does not reveal the purpose.
    Unknown,
}

/// Verbs in the names of tools that change something.
const ACTS: &[&str] = &[
    "accept",
    "activate",
    "add",
    "allocate",
    "append",
    "apply",
    "approve",
    "archive",
    "assign",
    "attach",
    "authorize",
    "block",
    "book",
    "buy",
    "call",
    "cancel",
    "change",
    "charge",
    "checkout",
    "clear",
    "close",
    "complete",
    "configure",
    "confirm",
    "copy",
    "create",
    "deactivate",
    "delete",
    "deploy",
    "deposit",
    "disable",
    "discontinue",
    "dismiss",
    "download",
    "edit",
    "email",
    "enable",
    "enroll",
    "erase",
    "exchange",
    "extend",
    "file",
    "forward",
    "grant",
    "hold",
    "import",
    "insert",
    "install",
    "invite",
    "issue",
    "join",
    "launch",
    "leave",
    "lock",
    "log",
    "make",
    "mark",
    "merge",
    "message",
    "modify",
    "mount",
    "move",
    "mute",
    "notify",
    "open",
    "order",
    "patch",
    "pause",
    "pay",
    "place",
    "play",
    "post",
    "prescribe",
    "print",
    "provision",
    "publish",
    "purchase",
    "push",
    "put",
    "reactivate",
    "rebook",
    "record",
    "refill",
    "refund",
    "register",
    "reject",
    "release",
    "remind",
    "remove",
    "rename",
    "renew",
    "reply",
    "report",
    "request",
    "reschedule",
    "reserve",
    "reset",
    "restart",
    "restore",
    "resume",
    "return",
    "revoke",
    "save",
    "schedule",
    "sell",
    "send",
    "set",
    "share",
    "ship",
    "start",
    "stop",
    "store",
    "submit",
    "subscribe",
    "suspend",
    "swap",
    "switch",
    "sync",
    "terminate",
    "toggle",
    "top",
    "transfer",
    "turn",
    "unlock",
    "unsubscribe",
    "update",
    "upgrade",
    "upload",
    "withdraw",
    "write",
];

/// Words in the names of tools that look something up, at any position.
const READS: &[&str] = &[
    "browse",
    "calculate",
    "compare",
    "compute",
    "count",
    "describe",
    "detail",
    "details",
    "estimate",
    "explore",
    "fetch",
    "find",
    "forecast",
    "get",
    "history",
    "info",
    "information",
    "inspect",
    "knowledge",
    "list",
    "load",
    "lookup",
    "preview",
    "query",
    "quote",
    "read",
    "retrieve",
    "search",
    "select",
    "show",
    "summarize",
    "summary",
    "view",
    "weather",
];

/// Words in the names of tools that ask for a state.
const STATES: &[&str] = &[
    "availability",
    "available",
    "check",
    "eligibility",
    "health",
    "monitor",
    "ping",
    "poll",
    "progress",
    "state",
    "status",
    "track",
    "tracking",
    "wait",
];

/// Words in the names of tools that look for faults.
const TESTS: &[&str] = &[
    "analyze",
    "audit",
    "benchmark",
    "compile",
    "diagnose",
    "diagnostics",
    "errors",
    "evaluate",
    "lint",
    "logs",
    "scan",
    "test",
    "tests",
    "troubleshoot",
    "typecheck",
    "validate",
    "validator",
    "verify",
];

/// Returns the purpose of the tool called `name`. Its first verb decides; but if that verb can also be a noun, a
/// later word for reading wins: `order_history`.
pub fn purpose_of(name: Option<&str>) -> Purpose {
    let words = words_of(own_name(name.unwrap_or_default()));
    let is_in = |word: &str, list: &[&str]| list.binary_search(&word).is_ok();
    let has = |list: &[&str]| words.iter().any(|word| is_in(word, list));
    let mut verbs = words.iter().map(String::as_str);
    let verb = verbs.find(|word| is_in(word, ACTS) || is_in(word, READS));
    let acts = verb.is_some_and(|verb| is_in(verb, ACTS) && !(has(READS) && is_in(verb, NOUNS)));
    let is_about_noun = words.first().is_some_and(|word| is_in(word, NOUNS));
    if acts && !(has(STATES) && is_about_noun) {
        Purpose::Acts
    } else if has(STATES) {
        Purpose::AsksState
    } else if has(TESTS) {
        Purpose::Tests
    } else if has(READS) {
        Purpose::Reads
    } else {
        Purpose::Unknown
    }
}

/// Verbs that can also be nouns at the start of a name.
const NOUNS: &[&str] = &[
    "book", "charge", "email", "exchange", "file", "issue", "log", "message", "order", "post",
    "purchase", "record", "refund", "report", "request", "return", "schedule", "transfer",
];

/// Returns `name` without the server or the class before it: `mcp__shop__get_order`, `orders.cancel`.
fn own_name(name: &str) -> &str {
    let parts = name.rsplit("__").next().unwrap_or(name);
    parts.rsplit(['.', '/', ':']).next().unwrap_or(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_a_tool_is_for() {
        let cases = [
            ("cancel_order", Purpose::Acts),
            ("CancelRegistration", Purpose::Acts),
            ("mcp__shop__createInvoice", Purpose::Acts),
            ("update_order_status", Purpose::Acts),
            ("get_order", Purpose::Reads),
            ("order_history", Purpose::Reads),
            ("search.books", Purpose::Unknown),
            ("find_book", Purpose::Reads),
            ("order_status", Purpose::AsksState),
            ("check_payment", Purpose::AsksState),
            ("get_job_status", Purpose::AsksState),
            ("run_tests", Purpose::Tests),
            ("validateIban", Purpose::Tests),
            ("terminal", Purpose::Unknown),
            ("", Purpose::Unknown),
        ];
        for (name, expected) in cases {
            assert_eq!(purpose_of(Some(name)), expected, "{name}");
        }
    }

    #[test]
    fn the_lists_are_sorted() {
        for list in [ACTS, READS, STATES, TESTS, NOUNS] {
            assert!(list.is_sorted());
        }
    }
}
