//! Detects what a reply only offers or asks about: days and times to choose from, days it would search next, thresholds
//! and numbers given as examples.

use super::wording::{
    ASKS, asks, ends_sentence_with_question, holds_word, sentence_after, sentence_before,
    starts_example,
};
use toolgauge_facts::{Fact, FactKind, WordList};
use toolgauge_model::{last_bytes, start_of};

/// How far before a fact the words that introduce its list are searched, in bytes.
const LIST: usize = 600;

/// Words of a question that offers times.
static OFFERS: WordList = WordList::of(
    "prefer preferred rather suit suits works work better convenient about either lieber passt préférez convient \
    prefiere prefieres",
);

/// Phrases of a question that asks for permission to do something.
const LEAVE: [&str; 17] = [
    "should i",
    "shall i",
    "may i",
    "can i",
    "could i",
    "want me to",
    "like me to",
    "soll ich",
    "möchten sie",
    "möchtest du",
    "puis-je",
    "voulez-vous",
    "souhaitez-vous",
    "quiere que",
    "desea que",
    "skal jeg",
    "vil du at",
];

/// Phrases with which an agent says what it would do.
const WOULD: [&str; 15] = [
    "i can ",
    "i'll ",
    "i’ll ",
    "i will ",
    "i could ",
    "i'd ",
    "i’d ",
    "we can ",
    "we'll ",
    "we’ll ",
    "me to ",
    "ich kann ",
    "je peux ",
    "puedo ",
    "jeg kan ",
];

/// Verbs for searching.
static SEARCHES: WordList = WordList::of(
    "search look check try monitor find explore suche suchen schaue schauen prüfe prüfen chercher vérifier buscar comprobar søke sjekke",
);

/// Words that say that something is done in addition, or only if something else fails.
static OTHERWISE: WordList = WordList::of(
    "if otherwise alternatively alternative instead also or falls sonst alternativ auch oder sinon aussi ou si o también \
    hvis ellers eller",
);

/// Words of a sentence that asks for a choice.
static CHOOSE: WordList =
    WordList::of("confirm choose pick specify wähle bestätigen choisir elige confirme");

/// Words between the items of a choice.
static CHOICE: WordList = WordList::of("or oder ou o u eller");

/// Words right before a threshold.
const THRESHOLDS: [&str; 16] = [
    "≥",
    "≤",
    ">",
    "<",
    "at least",
    "at most",
    "up to",
    "no more than",
    "more than",
    "less than",
    "mindestens",
    "höchstens",
    "au moins",
    "au plus",
    "al menos",
    "minst",
];

/// Checks whether a day, a time or a number is only offered or asked about.
pub fn is_offer(fact: &Fact<'_>, content: &str) -> bool {
    match fact.kind {
        FactKind::Time | FactKind::Date => {
            is_choice_of_times(fact, content) || is_alternative(fact, content)
        }
        FactKind::Number | FactKind::Percent => {
            is_choice_in_brackets(fact, content) || is_example_of_threshold(fact, content)
        }
        FactKind::Money
        | FactKind::Identifier
        | FactKind::Email
        | FactKind::Url
        | FactKind::Phone
        | FactKind::Quote
        | FactKind::Name => false,
    }
}

/// Detects times to choose from: "Would you prefer 1 PM or 2 PM?", "Should I also check May 19 or May 21?"
fn is_choice_of_times(fact: &Fact<'_>, content: &str) -> bool {
    if !ends_sentence_with_question(fact, content) {
        return false;
    }
    let (before, after) = (
        sentence_before(fact, content),
        sentence_after(fact, content),
    );
    let is_choice = holds_word(before, &CHOICE) || holds_word(after, &CHOICE);
    let offers = holds_word(before, &OFFERS) || holds_word(after, &OFFERS);
    let asks_leave = || {
        let before = before.to_lowercase();
        let leave = LEAVE.iter().filter_map(|words| before.find(words)).min();
        leave.is_some_and(|at| holds_word(&before[at..], &SEARCHES) || holds_word(after, &SEARCHES))
    };
    is_choice && (offers || asks_leave())
}

/// Detects alternatives: "If there is none, I'll look for one on May 29."
fn is_alternative(fact: &Fact<'_>, content: &str) -> bool {
    let before = sentence_before(fact, content).to_lowercase();
    let would = WOULD
        .iter()
        .filter_map(|words| before.find(words).map(|at| at + words.len()))
        .min();
    would.is_some_and(|at| {
        let next: Vec<_> = before[at..].split_whitespace().take(3).collect();
        holds_word(&next.join(" "), &SEARCHES) && holds_word(&before, &OTHERWISE)
    })
}

/// Detects numbers to choose from: "Which limit (7, 14, or 30 days)?"
fn is_choice_in_brackets(fact: &Fact<'_>, content: &str) -> bool {
    let before = sentence_before(fact, content);
    let Some(open) = before.rfind('(') else {
        return false;
    };
    let after = &content[fact.end()..];
    let after = start_of(after, LIST);
    let Some(close) = after.find([')', '\n']).map(|at| &after[..at]) else {
        return false;
    };
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let words = |text: &str, all: bool| {
        let mut words = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        match all {
            true => words.all(|word| is_number(word) || holds_word(word, &CHOICE)),
            false => words.any(is_number),
        }
    };
    let inside = &before[open + 1..];
    // The brackets contain only numbers before this one, and at least one other number.
    let is_list = words(inside, true) && (words(inside, false) || words(close, false));
    let is_choice = holds_word(inside, &CHOICE) || holds_word(close, &CHOICE);
    is_list && is_choice && (asks(fact, content) || introduces_questions(fact, content))
}

/// Detects thresholds in examples: "(e.g., one at least every 24 hours; no gaps of > 48 hours)"
fn is_example_of_threshold(fact: &Fact<'_>, content: &str) -> bool {
    let before = sentence_before(fact, content).to_lowercase();
    let Some(open) = before.rfind('(') else {
        return false;
    };
    let inside = &before[open + 1..];
    let limit = inside.trim_end_matches([' ', '~']);
    let is_limit = THRESHOLDS.iter().any(|words| limit.ends_with(words));
    is_limit && !inside.contains(')') && starts_example(inside)
}

/// Checks whether the list around a fact is introduced as a list of questions: "Please confirm:".
fn introduces_questions(fact: &Fact<'_>, content: &str) -> bool {
    let near = last_bytes(&content[..fact.start], LIST);
    let mut lines = near.rsplit('\n').skip(1);
    let heading = lines.find(|line| line.trim_end_matches([' ', '*']).ends_with(':'));
    heading.is_some_and(|heading| holds_word(heading, &CHOOSE) || holds_word(heading, &ASKS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolgauge_facts::facts;

    /// Returns the facts of a text that are more than offers.
    fn stated(text: &str) -> Vec<&str> {
        let facts = facts(text).into_iter();
        let facts = facts.filter(|fact| !is_offer(fact, text));
        facts.map(|fact| fact.text).collect()
    }

    #[test]
    fn days_to_look_at_next_are_offers() {
        for text in [
            "Would you like me to search for June 3 or June 5?",
            "Should I also check June 3 or June 5?",
            "If there is no room, I’ll look for one on 2031-06-05.",
            "Alternatively, I can try 9:45 PM.",
            "Soll ich am 3. Juni oder am 5. Juni suchen?",
        ] {
            assert_eq!(stated(text), [""; 0], "{text}");
        }
        for (text, states) in [
            ("Should I book June 3 for you?", &["June 3"][..]),
            (
                "You fly on June 3. Should I check June 4 or 5?",
                &["June 3"],
            ),
            ("I’ll look for flights on June 5.", &["June 5"]),
            ("If you agree, I will book June 5.", &["June 5"]),
            ("I suggest June 5.", &["June 5"]),
            ("How about the bus at 9:45 PM?", &["9:45 PM"]),
            ("I looked, and it is on June 5.", &["June 5"]),
        ] {
            let found = stated(text);
            assert!(
                states.iter().all(|text| found.contains(text)),
                "{text} {found:?}"
            );
        }
    }

    #[test]
    fn numbers_to_choose_from_are_offers() {
        for text in [
            "Which limit do you want (6, 12, or 18 days)?",
            "Please confirm:\n1) the limit to use (6, 12, or 18 days).",
            "Define a target (e.g., at least 36 hours; no gaps > 72).",
        ] {
            let found = stated(text);
            assert!(found.is_empty() || found == ["1"], "{text} {found:?}");
        }
        assert_eq!(
            stated("It took long (6, 12, or 18 days)."),
            ["6", "12", "18"]
        );
        assert_eq!(stated("Is it full (12 seats or so)?"), ["12"]);
        assert_eq!(stated("Some are old (e.g., 72 days)."), ["72"]);
    }
}
