//! Recognises phone numbers.

use std::borrow::Cow;

use crate::fact::{FactKind, FactValue};
use crate::recognizer::{Found, Recognizer, no_word};
use crate::text::{Token, TokenKind};

/// The maximum number of tokens of a phone number, which has at most 15 digits with a few signs between them.
const MOST_TOKENS: usize = 40;

/// Finds phone numbers.
pub static RECOGNIZER: Recognizer = Recognizer {
    starts: &[TokenKind::Digits, TokenKind::Sign],
    starts_with_word: no_word,
    read,
};

/// Reads a phone number at the start of `tokens`: `+47 22 33 44 55`, `(555) 010-4477`, `555-010-4477`.
fn read<'t>(before: &[Token<'t>], tokens: &[Token<'t>], _: &'t str) -> Option<Found<'t>> {
    let opens = tokens[0].is('+') || tokens[0].is('(');
    let starts = opens || tokens[0].kind == TokenKind::Digits;
    let follows_word = tokens[0].glued
        && before
            .last()
            .is_some_and(|token| token.kind != TokenKind::Sign);
    let is_in_brackets = tokens[0].is('(') && !has_area_code(tokens);
    if !starts || follows_word || is_in_brackets {
        return None;
    }
    let (mut length, mut groups, mut signs, mut digits) = (0, 0, 0, 0);
    let mut has_opened = false;
    for (at, token) in tokens.iter().take(MOST_TOKENS).enumerate() {
        match token.kind {
            TokenKind::Digits => {
                digits += token.text.len();
                groups += 1;
                length = at + 1;
            }
            TokenKind::Sign if at == 0 => has_opened = token.is('('),
            TokenKind::Sign if token.is('(') && (groups > 1 || !has_area_code(&tokens[at..])) => {
                break;
            }
            // `1)` numbers a list item.
            TokenKind::Sign if token.is(')') && !has_opened => break,
            TokenKind::Sign if token.is('-') || token.is('(') || token.is(')') => {
                has_opened |= token.is('(');
                signs += 1;
            }
            _ => break,
        }
        if digits > 15 {
            return None;
        }
    }
    let is_phone = match tokens[0].kind {
        TokenKind::Sign if tokens[0].is('+') => digits >= 8,
        TokenKind::Sign => digits >= 9 && signs >= 1,
        _ => digits >= 9 && groups >= 3 && signs >= 2,
    };
    is_phone.then(|| Found {
        kind: FactKind::Phone,
        tokens: length,
        value: FactValue::Text(Cow::Owned(digits_of(&tokens[..length]))),
    })
}

/// Checks whether the bracket at the start of `tokens` holds an area code. An id or a date in brackets is not a phone
/// number.
fn has_area_code(tokens: &[Token<'_>]) -> bool {
    let code = tokens.get(1).filter(|code| code.kind == TokenKind::Digits);
    let is_closed = tokens.get(2).is_some_and(|token| token.is(')'));
    code.is_some_and(|code| is_closed && (2..=5).contains(&code.text.len()))
}

fn digits_of(tokens: &[Token<'_>]) -> String {
    let numbers = tokens
        .iter()
        .filter(|token| token.kind == TokenKind::Digits);
    numbers.map(|token| token.text).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::text_facts;
    use crate::{FactKind, facts};

    #[test]
    fn phone_numbers_are_their_digits() {
        let phone = |digits: &str| vec![(FactKind::Phone, digits.to_owned())];
        assert_eq!(text_facts("call +47 22 33 44 55 now"), phone("4722334455"));
        assert_eq!(text_facts("(555) 010-4477"), phone("5550104477"));
        assert_eq!(text_facts("555-010-4477."), phone("5550104477"));
    }

    #[test]
    fn ids_and_dates_in_brackets_are_no_phone_numbers() {
        let kinds =
            |text: &str| -> Vec<_> { facts(text).into_iter().map(|fact| fact.kind).collect() };
        assert_eq!(kinds("Kettle (4400118822), sent"), [FactKind::Number]);
        assert_eq!(kinds("2) 2031-04-05"), [FactKind::Date]);
        assert_eq!(
            kinds("(2031-04-05 09:10:00)"),
            [FactKind::Date, FactKind::Time]
        );
        assert_eq!(
            kinds("+1 (555) 010-4477 (4400118822)"),
            [FactKind::Phone, FactKind::Number]
        );
    }

    #[test]
    fn brackets_are_looked_at_once() {
        assert!(text_facts(&"(".repeat(100_000)).is_empty());
    }
}
