//! Compares the forms of short codes: `B12` and `B21` differ in digits alone.

use super::super::measures::minutes_of_span;
use toolgauge_facts::{Token, TokenKind, WordList, key_of};

/// The longest short code, in letters and digits.
const LONGEST: usize = 5;

/// Units and counts that are written right after a number, or right before one that counts periods.
static MEASURES: WordList = WordList::of(
    "x k g m b p h s d th st nd rd am pm kg km mm cm ml mg gb mb kb tb kw hz ms hr min q fy cy px pt em rem vh vw ghz mhz",
);

/// Checks whether a token is a short code of letters and digits and not a number with a unit.
pub fn is_short_code(token: &Token<'_>) -> bool {
    let text = token.text;
    let is_code = token.kind == TokenKind::Mixed && text.len() <= LONGEST && text.is_ascii();
    is_code && !is_measure(text) && minutes_of_span(text).is_none()
}

fn is_measure(text: &str) -> bool {
    let letters = text.trim_matches(|c: char| c.is_ascii_digit());
    let is_digit = |c: char| c.is_ascii_digit();
    let (starts_with_digit, ends_with_digit) =
        (text.starts_with(is_digit), text.ends_with(is_digit));
    let is_unit = letters.bytes().all(|byte| byte.is_ascii_alphabetic())
        && Token::of_word(letters).says_one_of(&MEASURES);
    // A capital after a number is a row or a door; lower case is a unit.
    let is_door = starts_with_digit
        && letters.len() == 1
        && letters.bytes().all(|byte| byte.is_ascii_uppercase());
    is_unit
        && !is_door
        && !(starts_with_digit && ends_with_digit)
        && (starts_with_digit || matches!(letters, "Q" | "q" | "FY" | "CY" | "H"))
}

/// Returns two keys of a short code: one that it shares with codes that differ in digits alone, and one that it shares
/// with codes that differ in letters alone.
pub fn shapes(text: &str) -> [u64; 2] {
    let shape = |keeps_letters: bool| {
        let shape: String = text
            .chars()
            .map(|c| match c.is_ascii_digit() {
                true if keeps_letters => '0',
                false if !keeps_letters => '_',
                true | false => c,
            })
            .collect();
        key_of(&shape)
    };
    [shape(true), shape(false)]
}

/// Checks whether a token is a code in capitals, such as those of airports and shares.
pub fn is_capital_code(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Letters
        && (3..=LONGEST).contains(&token.text.len())
        && token.text.bytes().all(|byte| byte.is_ascii_uppercase())
}
