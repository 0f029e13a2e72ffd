//! Detects expected amounts of zero, and numbers that belong to a plan or to advice: "in $0.00 format", "T+1", "please
//! come 5 minutes early".

use super::wording::{holds_word, sentence_after, sentence_before};
use toolgauge_facts::{Fact, FactKind, FactValue, WordList};
use toolgauge_model::last_bytes;

/// Words of a sentence about what has not happened.
static EXPECTED: WordList = WordList::of(
    "expected expect will would once if werden wird würde wenn falls sera serait si será sería vil hvis",
);

/// Words that say that something costs nothing.
static NONE: WordList = WordList::of(
    "no none free waived waive without kein keine keinen kostenlos gratis aucun sans sin ningún ingen",
);

/// Words of a sentence that gives advice.
static ADVISES: WordList = WordList::of(
    "please recommend recommended suggest advise bitte empfehlen veuillez recommandons favor recomendamos",
);

/// What joins the two numbers of a range.
const RANGE: [char; 4] = ['-', '–', '—', '\u{2011}'];

/// First words of a sentence that asks somebody to come.
static COMES: WordList = WordList::of(
    "join arrive come connect log sign be show check call dial kommen erscheinen venez llegue kom",
);

/// First words of a line that describes a step of a plan.
static STEPS: WordList = WordList::of("step schritt étape paso trinn");

static SECONDS: WordList = WordList::of("second seconds sec secs sekunden secondes segundos");

/// Units of time.
static UNITS: WordList = WordList::of(
    "minute minutes min mins hour hours minuten stunde stunden heure heures minuto minutos hora horas",
);

/// Words that say that somebody comes ahead of time.
static EARLY: WordList =
    WordList::of("early earlier beforehand ahead früher vorher avance temprano antelación antes");

/// How far before a number the start of its line is searched, in bytes.
const LINE: usize = 300;

/// The length of an acronym before a version, in bytes.
const ACRONYM: std::ops::RangeInclusive<usize> = 2..=5;

/// Checks whether a fact belongs to a plan or to advice, or is an expected amount of zero.
pub fn is_planned(fact: &Fact<'_>, content: &str) -> bool {
    match fact.kind {
        FactKind::Money => is_nothing(fact) && is_expected(fact, content),
        FactKind::Number => {
            is_day_of_plan(fact, content)
                || is_advice(fact, content)
                || is_step(fact, content)
                || is_least_version(fact, content)
        }
        FactKind::Percent
        | FactKind::Date
        | FactKind::Time
        | FactKind::Identifier
        | FactKind::Email
        | FactKind::Url
        | FactKind::Phone
        | FactKind::Quote
        | FactKind::Name => false,
    }
}

fn is_nothing(fact: &Fact<'_>) -> bool {
    match &fact.value {
        FactValue::Number(values) => values.iter().all(|value| *value == 0.0),
        FactValue::Date(_) | FactValue::Time(_) | FactValue::Text(_) => false,
    }
}

/// Detects expected amounts: "once you pay, your balance will be $0.00", "in $0.00 format"
fn is_expected(fact: &Fact<'_>, content: &str) -> bool {
    let after = sentence_after(fact, content);
    let next = after.split_whitespace().next().unwrap_or_default();
    let before = sentence_before(fact, content);
    next.starts_with("format") || holds_word(before, &EXPECTED) || holds_word(before, &NONE)
}

/// Detects days of a plan: "T+1"
fn is_day_of_plan(fact: &Fact<'_>, content: &str) -> bool {
    let before = content[..fact.start].strip_suffix(['+', '-', '−', '–', '\u{2011}']);
    let letter = before.and_then(|before| before.strip_suffix(['T', 'D']));
    letter.is_some_and(|before| !before.ends_with(char::is_alphanumeric))
}

/// Detects advice: "please come 5 minutes early", "Join the call 5–10 minutes early"
fn is_advice(fact: &Fact<'_>, content: &str) -> bool {
    let mut words = words_after(fact, content);
    let mut is_next = |list| words.next().is_some_and(|word| holds_word(word, list));
    let before = sentence_before(fact, content);
    let first = || {
        before
            .split(|c: char| !c.is_alphanumeric())
            .find(|word| !word.is_empty())
    };
    is_next(&UNITS)
        && is_next(&EARLY)
        && (holds_word(before, &ADVISES) || first().is_some_and(|word| holds_word(word, &COMES)))
}

/// Detects durations in steps of a plan: "Step 2: Watch it over 10–15 minutes."
fn is_step(fact: &Fact<'_>, content: &str) -> bool {
    let (before, after) = (&content[..fact.start], &content[fact.end()..]);
    let is_digit = |c: char| c.is_ascii_digit();
    let ends_range = before
        .strip_suffix(RANGE)
        .is_some_and(|before| before.ends_with(is_digit));
    let starts_range = after
        .strip_prefix(RANGE)
        .is_some_and(|after| after.starts_with(is_digit));
    if !ends_range && !starts_range {
        return false;
    }
    let unit = words_after(fact, content).next();
    let line = last_bytes(before, LINE)
        .rsplit('\n')
        .next()
        .unwrap_or_default();
    let first = line
        .split(|c: char| !c.is_alphanumeric())
        .find(|word| !word.is_empty());
    unit.is_some_and(|word| holds_word(word, &UNITS) || holds_word(word, &SECONDS))
        && first.is_some_and(|word| holds_word(word, &STEPS))
}

/// Returns the words after a number, or after the range that it starts.
fn words_after<'t>(fact: &Fact<'_>, content: &'t str) -> impl Iterator<Item = &'t str> {
    let after = &content[fact.end()..];
    let after = after
        .trim_start_matches(RANGE)
        .trim_start_matches(|c: char| c.is_ascii_digit());
    after
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// Detects minimum versions: "TLS 1.2+"
fn is_least_version(fact: &Fact<'_>, content: &str) -> bool {
    let after = &content[fact.end()..];
    let before = content[..fact.start].strip_suffix(' ').unwrap_or_default();
    let length = before.bytes().rev().take_while(u8::is_ascii_uppercase);
    let length = length.count();
    let is_apart = !before[..before.len() - length].ends_with(char::is_alphanumeric);
    after.starts_with('+') && fact.text.contains('.') && ACRONYM.contains(&length) && is_apart
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolgauge_facts::facts;

    /// Returns the facts of a text that belong to no plan.
    fn stated(text: &str) -> Vec<&str> {
        let facts = facts(text).into_iter();
        let facts = facts.filter(|fact| !is_planned(fact, text));
        facts.map(|fact| fact.text).collect()
    }

    #[test]
    fn nothing_that_is_expected_is_no_claim() {
        for text in [
            "Give me the sum (in $0.00 format).",
            "Once you pay, the rest is $0.00.",
            "This will pay it in full (rest: $0.00).",
            "There are no fees ($0).",
        ] {
            assert_eq!(stated(text), [""; 0], "{text}");
        }
        assert_eq!(stated("Your balance is $0.00."), ["$0.00"]);
        assert_eq!(stated("Once you pay, the rest is $7.00."), ["$7.00"]);
    }

    #[test]
    fn numbers_of_plans_and_advice_are_no_claims() {
        for text in [
            "On T+4 we ship it.",
            "Please come 45 minutes early.",
            "- Join the call 45–55 minutes early.",
            "- Step A: Shut it. Then watch it over 45–55 minutes.",
            "It is sent with TLS 1.7+ only.",
        ] {
            assert_eq!(stated(text), [""; 0], "{text}");
        }
        for text in [
            "He came 45 minutes early.",
            "- Call took 45–55 minutes.",
            "- Step A: Shut it. Then watch all 45 lines.",
            "It takes 45 minutes, please wait.",
            "It scores AB 45+ there.",
            "It is 4+45 of them.",
        ] {
            assert!(!stated(text).is_empty(), "{text}");
        }
    }
}
