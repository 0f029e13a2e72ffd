//! Recognizes sentences that report the success of an action by its noun.

use super::reading::{SAYING, clause_start, is_blocked, is_noun, text};
use super::sentences::Word;
use super::words::{ADVERBS, OPENERS, Verb, is_in, noun_verb, past, verb};

/// The most words of a subject.
const MOST_SUBJECT: usize = 10;

/// Returns the action whose success the word at `at` reports, where that word ends the predicate: "Your
/// payment went through", "The transfer succeeded", "Your booking is in", "Upload successful".
pub fn succeeded(words: &[Word], at: usize) -> Option<Verb> {
    let end = predicate(words, at)?;
    let start = subject_start(words, end);
    let subject = words.get(start..end)?;
    let is_short = (1..=MOST_SUBJECT).contains(&subject.len());
    let is_bare = end == at && start == 0 && subject.len() <= 3;
    let is_plain = end < at || text(words, at) == "succeeded" || text(words, at) == "worked";
    if !is_short || !(is_plain || is_bare) || is_blocked(words, at) || is_continued(words, at) {
        return None;
    }
    action(subject)
}

/// Returns where the subject of the predicate at `at` ends.
fn predicate(words: &[Word], at: usize) -> Option<usize> {
    let is_end = words.get(at + 1).is_none_or(|next| {
        next.starts_clause || matches!(next.text.as_str(), "and" | "now" | "so" | "for")
    });
    let kind = match text(words, at) {
        "succeeded" | "worked" => Predicate::Verb,
        "through" if matches!(text(words, at.wrapping_sub(1)), "went" | "gone" | "came") => {
            Predicate::Went
        }
        "well" | "smoothly" | "fine" if text(words, at.wrapping_sub(1)) == "went" => {
            Predicate::Went
        }
        "successful" => Predicate::State,
        "success" if text(words, at.wrapping_sub(1)) == "a" => Predicate::Named,
        "place" | "effect" if text(words, at.wrapping_sub(1)) == "in" && is_end => Predicate::Named,
        "in" | "through" | "finished" | "live" | "underway" if is_end => Predicate::Is,
        _ => return None,
    };
    let from = match kind {
        Predicate::Verb | Predicate::State | Predicate::Is => at,
        Predicate::Went | Predicate::Named => at.checked_sub(1)?,
    };
    before_auxiliaries(words, from, kind)
}

/// The form of a predicate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Predicate {
    /// "succeeded", "has succeeded"
    Verb,
    /// "went through", "has gone through"
    Went,
    /// "was successful", or "successful" alone
    State,
    /// "is in"
    Is,
    /// "is in place", "was a success"
    Named,
}

/// Returns where the subject ends, before the auxiliaries that precede `from`.
fn before_auxiliaries(words: &[Word], from: usize, kind: Predicate) -> Option<usize> {
    let mut end = from;
    let mut is_auxiliary = false;
    while end > 0 && from - end < 5 && !words[end].starts_clause {
        let word = text(words, end - 1);
        match word {
            "is" | "are" | "was" | "were" | "been" | "has" | "have" => is_auxiliary = true,
            _ if matches!(word, "already" | "previously" | "once") => return None,
            _ if is_in(ADVERBS, word) || word == "all" => {}
            _ => break,
        }
        end -= 1;
    }
    let is_built = match kind {
        Predicate::Verb | Predicate::Went | Predicate::State => true,
        Predicate::Is | Predicate::Named => is_auxiliary,
    };
    (is_built && end > 0).then_some(end)
}

/// Returns where the subject that ends at `end` begins: at its clause, or after "that" or "and".
fn subject_start(words: &[Word], end: usize) -> usize {
    let from = clause_start(words, end.saturating_sub(1));
    let mut start = from;
    for at in from..end {
        let word = text(words, at);
        let is_reported = word == "that"
            && at > 0
            && (is_in(SAYING, text(words, at - 1)) || text(words, at - 1) == "say");
        let is_opener = at == start && (is_in(OPENERS, word) || is_in(ADVERBS, word));
        if is_reported || is_opener || matches!(word, "and" | "but") {
            start = at + 1;
        }
    }
    start
}

/// Returns the action that a subject names: by the last noun before a preposition, or by a gerund at its
/// beginning.
fn action(subject: &[Word]) -> Option<Verb> {
    const DETERMINERS: &[&str] = &["all", "both", "that", "the", "this", "your"];
    const PREPOSITIONS: &[&str] = &["at", "for", "from", "in", "of", "on", "to", "with"];
    let first = text(subject, 0);
    if subject.len() == 1 && matches!(first, "it" | "everything" | "that" | "this") {
        return verb("complete");
    }
    let named = subject
        .iter()
        .take_while(|word| !is_in(PREPOSITIONS, &word.text));
    let head: Vec<_> = named.map(|word| word.text.as_str()).collect();
    let last = *head.last()?;
    if let Some(stem) = first.strip_suffix("ing").filter(|_| head.len() > 1) {
        let gerund = verb(stem)
            .or_else(|| verb(&format!("{stem}e")))
            .or_else(|| past(&format!("{stem}ed")));
        if gerund.is_some() && noun_verb(first).is_none() {
            return gerund;
        }
    }
    let is_named = is_in(DETERMINERS, first) || head.len() <= 2;
    let is_other = |word: &str| {
        matches!(
            word,
            "another" | "his" | "her" | "earlier" | "first" | "my" | "previous" | "their" | "no"
        )
    };
    if !is_named || head.iter().any(|word| is_other(word)) {
        return None;
    }
    match last {
        "action" | "operation" | "process" | "request" | "requests" => verb("complete"),
        _ => noun_verb(last).or_else(|| verb(last).filter(|_| is_noun(last) || last == "reset")),
    }
}

/// Returns whether the following words place the success at another time, or limit it to a part.
fn is_continued(words: &[Word], at: usize) -> bool {
    matches!(
        text(words, at + 1),
        "before" | "but" | "except" | "if" | "last" | "only" | "until" | "when" | "yesterday"
    )
}
