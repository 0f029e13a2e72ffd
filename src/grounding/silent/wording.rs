//! Detects examples and placeholders by the words of their sentence.

use toolgauge_facts::{Fact, FactKind, Token, WordList, is_month};
use toolgauge_model::last_bytes;

/// How far a sentence is read before and after a fact, in bytes.
const REACH: usize = 160;

/// Words right before an example.
const EXAMPLES: [&str; 10] = [
    "e.g.",
    "e.g",
    "for example",
    "for instance",
    "z. b.",
    "z.b.",
    "par exemple",
    "p. ex.",
    "por ejemplo",
    "f.eks.",
];

/// Words before an example of what something looks like.
const LIKE: [&str; 7] = [
    "like",
    "such as",
    "in the form",
    "in the format",
    "format",
    "starts with",
    "starting with",
];

/// Words of a sentence that says what something looks like, or asks for it.
pub static ASKS: WordList = WordList::of(
    "please provide usually typically format formatted looks share tell enter send give bitte normalerweise \
    veuillez merci favor",
);

/// Checks whether a fact is an example of what somebody may say.
pub fn is_example(fact: &Fact<'_>, content: &str) -> bool {
    if fact.kind == FactKind::Money {
        return false;
    }
    let before = sentence_before(fact, content).to_lowercase();
    let follows = |words: &str| before.rfind(words).map(|at| &before[at + words.len()..]);
    let is_named = EXAMPLES.iter().any(|words| {
        follows(words).is_some_and(|between| {
            // An example ends at its closing bracket.
            between.matches(')').count() <= between.matches('(').count()
        })
    });
    let after = sentence_after(fact, content);
    let asks = || after.ends_with('?') || holds_word(&before, &ASKS) || holds_word(after, &ASKS);
    let is_id = fact.kind == FactKind::Identifier;
    let may_be_made_up = matches!(
        fact.kind,
        FactKind::Identifier | FactKind::Time | FactKind::Date | FactKind::Email | FactKind::Phone
    );
    let is_code = is_id && is_pattern(fact.text);
    let is_named_after = || {
        let after = after.to_lowercase();
        EXAMPLES.iter().any(|words| after.contains(words))
    };
    let is_like = || {
        LIKE.iter()
            .any(|words| follows(words).is_some_and(|rest| rest.len() < 20))
    };
    (is_named && (asks() || (may_be_made_up && before.contains('('))))
        || (is_code && (is_like() || is_named_after()) && asks())
}

/// Checks whether an id only shows the form of such ids: `#W0000000`, `XXX-0000`.
pub fn is_placeholder(fact: &Fact<'_>, _: &str) -> bool {
    /// The fewest zeros of a placeholder. Fewer zeros may be a number.
    const FEWEST: usize = 4;
    let digits = fact.text.bytes().filter(u8::is_ascii_digit);
    let zeros = digits.clone().filter(|byte| *byte == b'0').count();
    let is_empty = zeros >= FEWEST && digits.count() == zeros;
    match fact.kind {
        FactKind::Identifier => is_empty,
        FactKind::Number => is_empty && fact.text.starts_with('0'),
        FactKind::Money
        | FactKind::Percent
        | FactKind::Date
        | FactKind::Time
        | FactKind::Email
        | FactKind::Url
        | FactKind::Phone
        | FactKind::Quote
        | FactKind::Name => false,
    }
}

/// Checks whether the digits count up or are all the same: `12345`, `0000`, `EVT-123`.
fn is_pattern(text: &str) -> bool {
    let digits: Vec<_> = text.bytes().filter(u8::is_ascii_digit).collect();
    let counts_up = digits
        .windows(2)
        .all(|pair| pair[1] == pair[0].wrapping_add(1));
    let are_alike = digits.windows(2).all(|pair| pair[1] == pair[0]);
    digits.len() >= 3 && (counts_up || are_alike)
}

/// Checks whether the sentence of a fact asks for something.
pub fn asks(fact: &Fact<'_>, content: &str) -> bool {
    let (before, after) = (
        sentence_before(fact, content),
        sentence_after(fact, content),
    );
    after.ends_with('?') || holds_word(before, &ASKS) || holds_word(after, &ASKS)
}

/// Checks whether the sentence of a fact ends with a question mark.
pub fn ends_sentence_with_question(fact: &Fact<'_>, content: &str) -> bool {
    sentence_after(fact, content).ends_with('?')
}

/// Checks whether the text in brackets begins like an example.
pub fn starts_example(inside: &str) -> bool {
    EXAMPLES.iter().any(|words| inside.starts_with(words))
}

/// Checks whether a time is the offset of a time zone: "UTC−07:00".
pub fn is_offset(fact: &Fact<'_>, content: &str) -> bool {
    let before = &content[..fact.start];
    let before = before.trim_end_matches(['+', '-', '−', '–', '\u{2011}', '±']);
    let zone = before.trim_end();
    let is_signed = before.len() < fact.start;
    fact.kind == FactKind::Time && is_signed && (zone.ends_with("UTC") || zone.ends_with("GMT"))
}

/// Checks whether a text contains one of these words.
pub fn holds_word(text: &str, words: &WordList) -> bool {
    let mut all = text.split(|c: char| !c.is_alphanumeric());
    all.any(|word| !word.is_empty() && Token::of_word(word).says_one_of(words))
}

/// Returns the part of a fact's sentence before the fact.
pub fn sentence_before<'t>(fact: &Fact<'_>, content: &'t str) -> &'t str {
    let near = last_bytes(&content[..fact.start], REACH);
    let ends = near.match_indices(['.', '!', '?', '\n']).rev();
    let end = ends
        .filter(|(at, sign)| *sign == "\n" || near[at + 1..].starts_with([' ', '\n']))
        // "e.g. 5" does not end the sentence.
        .find(|(at, sign)| {
            let is_inside = || is_abbreviation(&near[..*at]) || is_day(near, *at);
            *sign != "." || !is_inside()
        });
    end.map_or(near, |(at, _)| &near[at + 1..])
}

/// Checks whether the text ends with an abbreviation whose full stop ends no sentence: "e.g", "p.m", "z. B".
fn is_abbreviation(before: &str) -> bool {
    let mut letters = before.chars().rev();
    let is_letter = letters.next().is_some_and(char::is_alphabetic);
    is_letter && letters.next().is_none_or(|c| matches!(c, '.' | ' ' | '('))
}

/// Checks whether the full stop at `stop` belongs to a day before its month: "3. Juni".
fn is_day(text: &str, stop: usize) -> bool {
    let month = text[stop + 1..].split_whitespace().next();
    text[..stop].ends_with(|c: char| c.is_ascii_digit())
        && month.is_some_and(|word| is_month(&Token::of_word(word)))
}

/// Returns the part of a fact's sentence after the fact, including the sign that ends the sentence.
pub fn sentence_after<'t>(fact: &Fact<'_>, content: &'t str) -> &'t str {
    let start = fact.end();
    let near = &content[start..];
    let end = near
        .char_indices()
        .take_while(|(at, _)| *at < REACH)
        .find(|(at, c)| {
            let is_last = near[at + c.len_utf8()..]
                .chars()
                .next()
                .is_none_or(char::is_whitespace);
            let ends = || *c != '.' || !is_day(near, *at);
            *c == '\n' || (matches!(c, '.' | '!' | '?') && is_last && ends())
        });
    end.map_or("", |(at, c)| near[..at + c.len_utf8()].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_that_count_up_are_a_pattern() {
        assert!(is_pattern("EVT-1234") && is_pattern("0000"));
        assert!(!is_pattern("EVT-1243") && !is_pattern("A1"));
    }

    #[test]
    fn full_stops_of_abbreviations_end_no_sentence() {
        assert!(is_abbreviation("see e.g") && is_abbreviation("5 p.m"));
        assert!(!is_abbreviation("the end") && !is_abbreviation("at 5"));
    }
}
