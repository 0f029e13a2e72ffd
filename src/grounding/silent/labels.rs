//! Detects numbers that label something: steps, options, list items, the top of a scale.

use toolgauge_facts::{Fact, FactKind, Token, WordList};
use toolgauge_model::last_bytes;

/// The largest number that labels a step.
const MOST_STEPS: u32 = 30;

/// How far before a number its label is searched, in bytes.
const LONGEST_RANGE: usize = 40;

/// Words before several numbers that label things: "steps 1–3".
static LABELS: WordList = WordList::of(
    "steps options points sections chapters phases stages questions figures tables tiers levels parts items lines rows \
    columns pages versions choices cases examples schritte punkte teile étapes questions pasos opciones puntos trinn steg",
);

/// Words before a number with decimals that labels a part of a text.
static PARTS: WordList = WordList::of(
    "section chapter figure fig table appendix paragraph clause equation eq step abschnitt kapitel sección capítulo",
);

/// Keys of a structured reply whose values number its parts.
const COUNTERS: [&str; 4] = ["\"step\":", "\"index\":", "\"option\":", "\"phase\":"];

/// Words after a number that describes the form of an answer: "the last 4 digits".
static FORMAT: WordList = WordList::of(
    "digit digits character characters letter letters chars ziffern zeichen chiffres caractères dígitos caracteres",
);

/// Words before a number that the user is asked to answer with: "press 1".
static PRESS: WordList = WordList::of("press type enter reply dial choose select");

/// Words between numbers.
static JOINTS: WordList = WordList::of("and or to through thru und oder bis et ou à y o og til");

/// The top values of scales.
const SCALES: [&str; 8] = ["4.0", "5", "5.0", "10", "10.0", "20", "100", "1000"];

/// Checks whether a number labels something or is the top of a scale.
pub fn is_label(fact: &Fact<'_>, content: &str) -> bool {
    if fact.kind != FactKind::Number {
        return false;
    }
    let number: Option<u32> = fact.text.parse().ok();
    let is_small = number.is_some_and(|number| number <= MOST_STEPS);
    is_top_of_scale(fact, content)
        || is_part(fact, content)
        || content[fact.end()..].starts_with("\u{fe0f}\u{20e3}")
        || starts_range(fact, content)
        || is_exponent(fact, content)
        || is_format(fact, content)
        || (is_small && is_to_press(fact, content))
        || (is_small && (is_marker(fact, content) || is_in_range(fact, content)))
}

/// Detects numbers that describe a form: `4` in "the last 4 digits" and "a 4-digit code".
fn is_format(fact: &Fact<'_>, content: &str) -> bool {
    let after = &content[fact.end()..];
    let after = after
        .strip_prefix(['-', ' ', '\u{2011}'])
        .unwrap_or_default();
    let word = after.split(|c: char| !c.is_alphabetic()).next();
    word.is_some_and(|word| !word.is_empty() && Token::of_word(word).says_one_of(&FORMAT))
}

/// Detects keys to press: `2` in "press 1 for yes or 2 for no".
fn is_to_press(fact: &Fact<'_>, content: &str) -> bool {
    let before = last_bytes(&content[..fact.start], LONGEST_RANGE);
    let line = before
        .rsplit(['\n', '.', '!', '?'])
        .next()
        .unwrap_or_default();
    let mut words = line.split(|c: char| !c.is_alphanumeric());
    let after = &content[fact.end()..];
    let says_why = [" for ", " to ", " if "]
        .iter()
        .any(|word| after.starts_with(word));
    let is_pressed = |word: &str| !word.is_empty() && Token::of_word(word).says_one_of(&PRESS);
    says_why && words.any(is_pressed)
}

/// Detects numbers of parts: `2.1` in "section 2.1", `2` in `"step": 2`.
fn is_part(fact: &Fact<'_>, content: &str) -> bool {
    let before = last_bytes(&content[..fact.start], LONGEST_RANGE).trim_end();
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next();
    let is_part = word.is_some_and(|word| {
        !word.is_empty() && fact.text.contains('.') && Token::of_word(word).says_one_of(&PARTS)
    });
    is_part || COUNTERS.iter().any(|key| before.ends_with(key))
}

/// Detects a `0` or `1` that starts a range: "0–100", "1 to 5".
fn starts_range(fact: &Fact<'_>, content: &str) -> bool {
    let after = &content[fact.end()..];
    let rest = after.strip_prefix(['-', '–', '—', '\u{2011}']);
    let rest = rest.or_else(|| after.strip_prefix(" to "));
    matches!(fact.text, "0" | "1")
        && rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Detects list markers: `3)` in "1) …, 2) … and 3) …", where the bracket was never opened.
fn is_marker(fact: &Fact<'_>, content: &str) -> bool {
    let before = last_bytes(&content[..fact.start], LONGEST_RANGE);
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_open = line.matches('(').count() > line.matches(')').count();
    let is_apart = line.is_empty() || line.ends_with([' ', '*', '(', '[']);
    let opens = line.ends_with('(');
    let after = &content[fact.end()..];
    let follows = after.strip_prefix(')');
    let is_list = follows.is_some_and(|rest| rest.starts_with(' '));
    // Other code reads `(1)` at the start of a line or after other markers as a label.
    is_apart && is_list && (!is_open || (opens && line.trim_end_matches('(').is_empty()))
}

/// Detects numbers of a labelled range: `3` in "steps 1–3". Only other numbers may be between the number and its label.
fn is_in_range(fact: &Fact<'_>, content: &str) -> bool {
    let before = last_bytes(&content[..fact.start], LONGEST_RANGE);
    let mut words = before
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .rev();
    let is_between = |word: &&str| {
        word.bytes().all(|byte| byte.is_ascii_digit()) || Token::of_word(word).says_one_of(&JOINTS)
    };
    let label = words.find(|word| !is_between(word));
    label.is_some_and(|word| Token::of_word(word).says_one_of(&LABELS))
}

/// Detects exponents: `1.5` in "m1 / d**1.5" and "d^1.5", but not in bold as in "**1.5**".
fn is_exponent(fact: &Fact<'_>, content: &str) -> bool {
    let before = &content[..fact.start];
    let base = match before.strip_suffix("**") {
        Some(base) => Some(base),
        None => before.trim_end_matches(['{', '(']).strip_suffix('^'),
    };
    let is_closed = content[fact.end()..].starts_with("**");
    let is_base = |c: char| c.is_alphanumeric() || c == ')';
    !is_closed && base.is_some_and(|base| base.ends_with(is_base))
}

/// Detects the top of a scale: `10` in "8.1/10" and "8 out of 10".
fn is_top_of_scale(fact: &Fact<'_>, content: &str) -> bool {
    if !SCALES.contains(&fact.text) {
        return false;
    }
    let before = last_bytes(&content[..fact.start], LONGEST_RANGE).trim_end_matches([' ', '*']);
    let rated = match before.strip_suffix('/') {
        Some(rated) => Some(rated),
        None => before.strip_suffix("out of"),
    };
    rated.is_some_and(|rated| {
        let rated = rated.trim_end_matches([' ', '*']);
        rated.ends_with(|c: char| c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolgauge_facts::facts;

    /// Returns the numbers of a text that label nothing.
    fn numbers(text: &str) -> Vec<&str> {
        let facts = facts(text).into_iter();
        let facts = facts.filter(|fact| !is_label(fact, text));
        facts.map(|fact| fact.text).collect()
    }

    #[test]
    fn keys_and_ranges_and_choices_number() {
        for text in [
            "Press 1 for yes or 2 for no.",
            "Give me the last 3 digits.",
            "See section 2.1.",
            "F = m / dist**1.5, or m·x^2.5 + y^{-3.5}",
            "1\u{fe0f}\u{20e3} Call them",
        ] {
            assert_eq!(numbers(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn counts_number_nothing() {
        assert_eq!(numbers("He pressed 17 keys, for 2 hours."), ["17", "2"]);
        assert_eq!(numbers("It is 2.1 m long."), ["2.1"]);
        assert_eq!(numbers("It has 3 doors."), ["3"]);
        assert_eq!(numbers("It is **1.5** m, **2.5 m** wide."), ["1.5", "2.5"]);
        assert_eq!(numbers("He won 8 of 10."), ["8", "10"]);
    }
}
