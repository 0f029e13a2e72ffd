//! Recognises email addresses.

use super::contact::{glued_run, may_start, tokens_within};
use crate::fact::{FactKind, FactValue};
use crate::recognizer::{Found, Recognizer, no_word};
use crate::text::{Token, TokenKind, lower};

/// The maximum number of tokens of an email address before its at sign.
const MOST_BEFORE_AT: usize = 24;

/// The number of tokens of the longest address. Each token of a run without white space may start an address, so this
/// limit keeps the work proportional to the length of the text.
const MOST_TOKENS: usize = 200;

/// Finds email addresses.
pub static RECOGNIZER: Recognizer = Recognizer {
    starts: &[TokenKind::Letters, TokenKind::Mixed, TokenKind::Digits],
    starts_with_word: no_word,
    read,
};

/// Checks whether an at sign is among the tokens that are glued to the first one.
pub fn holds_at(tokens: &[Token<'_>]) -> bool {
    let glued = tokens[1..].iter().take_while(|token| token.glued);
    glued.take(MOST_BEFORE_AT).any(|token| token.is('@'))
}

fn read<'t>(_: &[Token<'t>], tokens: &[Token<'t>], text: &'t str) -> Option<Found<'t>> {
    if !may_start(tokens) || !holds_at(tokens) {
        return None;
    }
    let run = glued_run(tokens, text, MOST_TOKENS);
    let (local, rest) = run.split_once('@')?;
    let is_local = !local.is_empty()
        && !goes_over_scripts(local)
        && local
            .chars()
            .all(|c| c.is_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(c));
    let domain_length = rest
        .find(|c: char| !(c.is_alphanumeric() || c == '.' || c == '-'))
        .unwrap_or(rest.len());
    let domain_length = match rest.find(is_apart) {
        Some(end) if rest[..end].contains('.') => domain_length.min(end),
        _ => domain_length,
    };
    let domain = rest[..domain_length].trim_end_matches(['.', '-']);
    if !is_local || !domain.contains('.') {
        return None;
    }
    let email = &run[..local.len() + 1 + domain.len()];
    Some(Found {
        kind: FactKind::Email,
        tokens: tokens_within(tokens, email.len()),
        value: FactValue::Text(lower(email)),
    })
}

/// Checks whether a letter belongs to a script that writes no spaces between words, or that glues endings to words.
fn is_apart(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}')
}

/// Checks whether words of another script are glued to the start of an address: "メールはa@b.example".
fn goes_over_scripts(local: &str) -> bool {
    let mut letters = local.chars().filter(|c| c.is_alphanumeric());
    letters.next().is_some_and(is_apart) && letters.any(|c| c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use crate::testing::text_facts;
    use crate::{FactKind, facts};

    #[test]
    fn addresses_are_compared_without_case_scheme_and_trailing_signs() {
        assert_eq!(
            text_facts("Write to Kim.Li+x@Example.org, or see <https://www.Example.com/a/>."),
            [
                (FactKind::Email, "kim.li+x@example.org".to_owned()),
                (FactKind::Url, "example.com/a".to_owned()),
            ]
        );
        assert!(text_facts("me @ home, a@b, @handle").is_empty());
    }

    #[test]
    fn words_without_spaces_around_an_address_are_no_part_of_it() {
        for text in [
            "連絡はann.li@shop.exampleです",
            "메일은 ann.li@shop.example입니다",
            "Write to ann.li@shop.example.",
        ] {
            let found: Vec<_> = facts(text).iter().map(|fact| fact.text).collect();
            assert_eq!(found, ["ann.li@shop.example"], "{text}");
        }
        let found = facts("Mail an jürgen@müller.example");
        assert_eq!(found[0].text, "jürgen@müller.example");
    }
}
