//! Recognises identifiers: codes made of letters and digits, such as `HAT271`, `user_3668`, `A-1017`, and UUIDs.

use crate::fact::{FactKind, FactValue};
use crate::recognizer::{Found, Recognizer, no_word};
use crate::text::{Token, TokenKind, WordList, lower, split_after_digits};

/// The minimum length of an identifier. Shorter codes are mostly names of things: `MP3`, `Q4`, `B2B`.
const SHORTEST: usize = 4;

/// Units that are written directly after a number and are longer than three letters or in capitals. Lower-case units of
/// up to three letters need no entry.
static UNITS: WordList = WordList::of(
    "gb mb kb tb am pm km kg hz ghz mhz kw ml mm usd eur gbp nok sek dkk chf jpy mins hour hours days weeks years \
    miles kwh",
);

/// Currencies and similar words that are written directly before a number.
static PREFIXES: WordList = WordList::of("usd eur gbp nok sek dkk chf jpy kr fy rs inr");

/// Finds identifiers.
pub static RECOGNIZER: Recognizer = Recognizer {
    starts: &[TokenKind::Letters, TokenKind::Mixed, TokenKind::Digits],
    starts_with_word: no_word,
    read,
};

/// Reads an identifier at the start of `tokens`.
fn read<'t>(before: &[Token<'t>], tokens: &[Token<'t>], text: &'t str) -> Option<Found<'t>> {
    if tokens[0].kind == TokenKind::Sign || goes_on(before, &tokens[0]) {
        return None;
    }
    let length = run_length(tokens);
    if length == 1 && tokens[0].kind != TokenKind::Mixed {
        return None;
    }
    let run = &tokens[..length];
    let whole = &text[run[0].start..run[length - 1].end()];
    if !is_identifier(run, whole) {
        return None;
    }
    Some(Found {
        kind: FactKind::Identifier,
        tokens: length,
        value: FactValue::Text(lower(whole)),
    })
}

/// Checks whether the token continues a word that was already read from its start and rejected.
fn goes_on(before: &[Token<'_>], token: &Token<'_>) -> bool {
    match before {
        [.., word, joint] => {
            let joins = joint.glued && (joint.is('_') || joint.is('-'));
            token.glued && joins && word.kind != TokenKind::Sign
        }
        _ => false,
    }
}

/// Returns the number of tokens that `_` and `-` join to one word.
fn run_length(tokens: &[Token<'_>]) -> usize {
    let mut length = 1;
    while let [joint, next, ..] = &tokens[length..] {
        let joins = joint.glued && (joint.is('_') || joint.is('-'));
        if !joins || !next.glued || next.kind == TokenKind::Sign {
            break;
        }
        length += 2;
    }
    length
}

fn is_identifier(run: &[Token<'_>], whole: &str) -> bool {
    let has_digit = run
        .iter()
        .any(|token| matches!(token.kind, TokenKind::Digits | TokenKind::Mixed));
    let has_letter = run
        .iter()
        .any(|token| matches!(token.kind, TokenKind::Letters | TokenKind::Mixed));
    if !has_digit || !has_letter || whole.len() < SHORTEST || !whole.is_ascii() {
        return false;
    }
    match run {
        [_] => !is_measure(whole) && !is_ordinal(whole),
        _ if run.iter().any(|token| token.is('_')) => true,
        _ => is_hyphenated_code(run),
    }
}

/// Checks whether a word is digits with a unit: `10kg`, `24h`, `2h30`, `5GB`, `USD100`.
fn is_measure(word: &str) -> bool {
    let (_, unit) = split_after_digits(word);
    if unit.len() == word.len() {
        return is_prefixed_number(word);
    }
    let is_short = unit.len() <= 3 && unit.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_duration = || {
        unit.strip_prefix('h').is_some_and(|minutes| {
            minutes.len() == 2 && minutes.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    is_short || Token::of_word(unit).says_one_of(&UNITS) || is_duration()
}

fn is_prefixed_number(word: &str) -> bool {
    let digits = word.bytes().rev().take_while(u8::is_ascii_digit).count();
    let prefix = &word[..word.len() - digits];
    digits > 0 && Token::of_word(prefix).says_one_of(&PREFIXES)
}

fn is_ordinal(word: &str) -> bool {
    matches!(
        split_after_digits(word).1,
        "st" | "nd" | "rd" | "th" | "ST" | "ND" | "RD" | "TH"
    )
}

/// Checks whether a run with hyphens is a code, such as `A-1017`, `INC-0012` or a UUID. `24-hour`, `COVID-19` and
/// `mid-2024` are not.
fn is_hyphenated_code(run: &[Token<'_>]) -> bool {
    let mut parts = run.iter().filter(|token| token.kind != TokenKind::Sign);
    let is_word_like = |part: &Token<'_>| {
        part.kind == TokenKind::Letters && part.text.chars().any(|c| c.is_ascii_lowercase())
    };
    let has_code = parts.clone().any(|part| match part.kind {
        TokenKind::Mixed => {
            part.text.len() >= 3 && !is_measure(part.text) && !is_ordinal(part.text)
        }
        TokenKind::Digits => part.text.len() >= 3,
        _ => false,
    });
    has_code && !parts.any(is_word_like)
}

#[cfg(test)]
mod tests {
    use crate::{FactKind, facts};

    fn identifiers(text: &str) -> Vec<String> {
        facts(text)
            .iter()
            .filter(|fact| fact.kind == FactKind::Identifier)
            .map(|fact| fact.text.to_owned())
            .collect()
    }

    #[test]
    fn codes_of_letters_and_digits_are_identifiers() {
        assert_eq!(
            identifiers("Flight HAT271 (booking 4OG6T3, user mia_li_3668, **ID:** A-1017)."),
            ["HAT271", "4OG6T3", "mia_li_3668", "A-1017"]
        );
        assert_eq!(
            identifiers("id=550e8400-e29b-41d4-a716-446655440000;"),
            ["550e8400-e29b-41d4-a716-446655440000"]
        );
    }

    #[test]
    fn words_measures_and_names_of_things_are_not() {
        assert!(
            identifiers(
                "a 24-hour MP3 of 10kg, 1st, 22nd, 5GB, COVID-19, one-way, snake_case, mid-2024"
            )
            .is_empty()
        );
    }
}
