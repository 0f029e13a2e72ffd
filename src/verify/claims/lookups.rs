//! Recognizes sentences that report a failed look-up.

use super::reading::{Attempt, attempt, clause_start, failure_at, is_hypothetical, text};
use super::sentences::Word;
use super::words::{CONDITIONS, Deed, NEGATIONS, is_in, past, verb};

/// The base forms of verbs that get data from a tool.
const FETCHES: &[&str] = &[
    "access", "check", "fetch", "get", "load", "look", "lookup", "obtain", "pull", "query", "read",
    "retrieve", "search", "view",
];

/// Their participles.
const FETCHED: &[&str] = &[
    "accessed",
    "fetched",
    "loaded",
    "looked",
    "obtained",
    "pulled",
    "queried",
    "read",
    "retrieved",
    "searched",
];

/// Their gerunds.
const FETCHING: &[&str] = &[
    "accessing",
    "checking",
    "fetching",
    "getting",
    "listing",
    "loading",
    "looking",
    "obtaining",
    "pulling",
    "querying",
    "reading",
    "retrieving",
    "searching",
];

/// Nouns of look-ups. A check, a test or a verification is not one: it may fail although its call succeeded.
const FETCH_NOUNS: &[&str] = &[
    "fetch",
    "look-up",
    "lookup",
    "lookups",
    "queries",
    "query",
    "retrieval",
    "search",
    "searches",
];

/// Words that end the head of a subject.
const PREPOSITIONS: &[&str] = &[
    "about", "at", "by", "for", "from", "in", "of", "on", "to", "with",
];

/// Returns the place of the word that reports a failed look-up: "Looking up the order failed", "I could not
/// look up the order", "An error occurred while retrieving the order".
pub fn failed_lookup(words: &[Word]) -> Option<usize> {
    let names_lookup = |word: &Word| {
        let lists = [FETCHES, FETCHED, FETCHING, FETCH_NOUNS];
        lists.iter().any(|list| is_in(list, &word.text))
    };
    if !words.iter().any(names_lookup) {
        return None;
    }
    (0..words.len()).find(|at| {
        let fails = could_not_fetch(words, *at)
            || was_not_fetched(words, *at)
            || fails_at(words, *at) && (is_of_lookup(words, *at) || is_met_by_lookup(words, *at));
        fails && !is_hypothetical(words, *at)
    })
}

/// Matches "could not look up", "failed to fetch", "was unable to retrieve" with an object in the same
/// clause.
fn could_not_fetch(words: &[Word], at: usize) -> bool {
    is_in(FETCHES, text(words, at))
        && matches!(attempt(words, at), Some(Attempt::Past))
        && !matches!(
            text(words, at + 1),
            "for" | "into" | "a" | "an" | "if" | "whether"
        )
}

/// Matches "could not be retrieved".
fn was_not_fetched(words: &[Word], at: usize) -> bool {
    let before = |back: usize| text(words, at.wrapping_sub(back));
    is_in(FETCHED, text(words, at))
        && before(1) == "be"
        && before(2) == "not"
        && before(3) == "could"
}

/// Returns whether the word at `at` reports a failure, and not that a thing failed to do something.
fn fails_at(words: &[Word], at: usize) -> bool {
    let word = text(words, at);
    match word {
        "errored" | "crashed" => true,
        "fail" | "fails" => false,
        "failed" => failure_at(words, at).is_some() && text(words, at + 1) != "to",
        "completed" | "executed" | "finished" | "made" | "performed" | "processed" | "run" => {
            let before = |back: usize| text(words, at.wrapping_sub(back));
            before(1) == "be" && before(2) == "not" && before(3) == "could"
        }
        _ if word != "issue" && (verb(word).is_some() || past(word).is_some()) => false,
        _ => failure_at(words, at).is_some(),
    }
}

/// Returns whether the subject of the word at `at` is a look-up: "The lookup of the order failed."
fn is_of_lookup(words: &[Word], at: usize) -> bool {
    let subject = &words[clause_start(words, at)..at];
    let is_denied = |word: &Word| {
        is_in(NEGATIONS, &word.text) && !matches!(text(words, at), "work" | "succeed" | "through")
    };
    let is_turned = subject
        .iter()
        .any(|word| is_in(CONDITIONS, &word.text) || is_other(&word.text));
    let is_nothing = subject.first().is_some_and(is_denied);
    !is_turned && !is_nothing && begins_with_lookup(subject)
}

/// Returns whether a word attributes a look-up to another time or to somebody else.
fn is_other(word: &str) -> bool {
    matches!(
        word,
        "another"
            | "earlier"
            | "first"
            | "he"
            | "initial"
            | "one"
            | "previous"
            | "she"
            | "some"
            | "they"
            | "who"
            | "you"
    )
}

/// Returns whether words begin with a look-up, before any preposition.
fn begins_with_lookup(words: &[Word]) -> bool {
    let mut before = words
        .iter()
        .enumerate()
        .take_while(|(_, word)| !is_in(PREPOSITIONS, &word.text));
    before.any(|(at, _)| is_lookup(words, at))
}

/// Returns whether the word at `at` is the gerund or the noun of a look-up.
fn is_lookup(words: &[Word], at: usize) -> bool {
    let word = text(words, at);
    let next = text(words, at + 1);
    match word {
        "checking" => !matches!(next, "account" | "accounts" | "in" | "out"),
        "looking" => matches!(next, "up" | "at" | "for" | "through"),
        "look" => next == "up",
        _ => is_in(FETCHING, word) || is_in(FETCH_NOUNS, word),
    }
}

/// Returns whether a failure occurred during a look-up: "I ran into an error while retrieving the order", "I
/// tried to look up the order, but the request failed".
fn is_met_by_lookup(words: &[Word], at: usize) -> bool {
    let is_action = |word: &Word| {
        let stem = word.text.strip_suffix("ing");
        stem.is_some_and(|stem| {
            verb(stem).is_some()
                || verb(&format!("{stem}e")).is_some()
                || past(&format!("{stem}ed")).is_some()
        })
    };
    let acts = |place: usize| {
        text(words, place.wrapping_sub(1)) == "to"
            && verb(text(words, place)).is_some_and(|verb| verb.deed != Deed::Confirm)
    };
    let is_of_action =
        words.iter().any(is_action) || (0..words.len()).any(acts) || words.iter().any(is_done);
    !is_of_action && (is_followed_by_lookup(words, at) || is_tried(words, at))
}

/// Returns whether a word is the past tense of an action.
fn is_done(word: &Word) -> bool {
    past(&word.text).is_some_and(|verb| !matches!(verb.base, "return" | "report" | "raise"))
}

/// Matches "… while looking up", "… retrieving", "… with the search", "… when I tried to look up".
fn is_followed_by_lookup(words: &[Word], at: usize) -> bool {
    const LINKS: &[&str] = &[
        "arose", "by", "during", "from", "happened", "in", "my", "occurred", "on", "our", "the",
        "this", "when", "while", "with", "your",
    ];
    let mut next = at + 1;
    while next < at + 6 && is_in(LINKS, text(words, next)) {
        next += 1;
    }
    is_lookup(words, next) || is_attempt(words, next)
}

/// Returns whether an attempt to look something up comes before the failure.
fn is_tried(words: &[Word], at: usize) -> bool {
    let from = at.saturating_sub(30);
    (from..at).any(|place| {
        is_attempt(words, place)
            || matches!(text(words, place), "while" | "when" | "during")
                && is_lookup(words, place + 1)
    })
}

/// Matches "I tried to look up", "trying to fetch", "my attempt to retrieve" from `at` on.
fn is_attempt(words: &[Word], at: usize) -> bool {
    let trying = |at: usize| {
        matches!(
            text(words, at),
            "tried" | "trying" | "attempted" | "attempting" | "attempt"
        )
    };
    let at = match text(words, at) {
        "i" | "we" | "my" | "our" => at + 1,
        _ => at,
    };
    trying(at) && text(words, at + 1) == "to" && is_in(FETCHES, text(words, at + 2))
}
