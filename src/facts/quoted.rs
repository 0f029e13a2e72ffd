//! Quotations: several words in quotation marks.

use std::borrow::Cow;

use super::token::{Token, TokenKind};
use super::{FactKind, FactValue, Found};

/// Longer quotations are passages, which are seldom quoted to the letter.
const MOST_WORDS: usize = 30;

/// Opening marks with those that close them.
const MARKS: [(char, char); 5] = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('»', '«')];

/// Recognises a quotation at the first of `tokens`. What holds digits or addresses is left to the recognisers of
/// what it holds, and single words are mostly not quoted from anywhere.
pub fn recognize<'t>(
    before: &[Token<'t>],
    tokens: &[Token<'t>],
    text: &'t str,
) -> Option<Found<'t>> {
    let sign = tokens[0].sign()?;
    let (_, closing) = MARKS.iter().find(|(open, _)| *open == sign)?;
    let previous = before.last().filter(|_| tokens[0].glued);
    if previous.is_some_and(|token| token.kind != TokenKind::Sign) {
        return None;
    }
    let inner = tokens[1..].iter().take(2 * MOST_WORDS);
    let length = inner.clone().position(|token| token.is(*closing))?;
    let quoted = &tokens[1..=length];
    let is_words = quoted
        .iter()
        .all(|token| !matches!(token.kind, TokenKind::Digits | TokenKind::Mixed))
        && !holds_address(quoted);
    let words = quoted
        .iter()
        .filter(|token| token.kind == TokenKind::Letters)
        .count();
    let one_line = quoted
        .last()
        .is_some_and(|last| !text[tokens[0].start..last.end()].contains('\n'));
    (is_words && one_line && (2..=MOST_WORDS).contains(&words)).then(|| Found {
        kind: FactKind::Quote,
        tokens: length + 2,
        value: FactValue::Text(Cow::Owned(words_of(quoted))),
    })
}

/// Whether an email address or a URL may be among these tokens.
fn holds_address(tokens: &[Token<'_>]) -> bool {
    let is_email = |pair: &[Token<'_>]| pair[0].is('@') && pair[0].glued && pair[1].glued;
    let is_url = |pair: &[Token<'_>]| {
        pair[0].is('/') && pair[1].is('/') && pair.iter().all(|token| token.glued)
    };
    let is_www = |pair: &[Token<'_>]| pair[0].says("www") && pair[1].is('.') && pair[1].glued;
    tokens
        .windows(2)
        .any(|pair| is_email(pair) || is_url(pair) || is_www(pair))
}

fn words_of(tokens: &[Token<'_>]) -> String {
    let words = tokens
        .iter()
        .filter(|token| token.kind == TokenKind::Letters);
    words
        .map(|token| token.text.to_lowercase())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use crate::facts::{FactKind, FactValue, facts};

    #[test]
    fn quotations_of_several_words_are_facts() {
        let quotes: Vec<_> =
            facts("It says \"Not  available!\" and „Kein Platz“, not \"yes\" or \"room 5 a\".")
                .into_iter()
                .filter(|fact| fact.kind == FactKind::Quote)
                .map(|fact| fact.value)
                .collect();
        assert_eq!(
            quotes,
            [
                FactValue::Text("not available".into()),
                FactValue::Text("kein platz".into())
            ]
        );
    }

    #[test]
    fn addresses_in_quotation_marks_are_read_as_addresses() {
        let kinds = |text: &str| -> Vec<_> {
            let found = facts(text).into_iter();
            found.map(|fact| fact.kind).collect()
        };
        assert_eq!(
            kinds(r#"<a href="https://shop.example/map">go</a>, "li.wei@shop.example""#),
            [FactKind::Url, FactKind::Email]
        );
    }

    #[test]
    fn a_mark_that_is_never_closed_quotes_nothing() {
        assert!(
            facts("ID \"SDZQKO\" is scheduled for May, ID \"4OG6T3\" is not")
                .iter()
                .all(|fact| fact.kind != FactKind::Quote)
        );
        assert!(
            facts("a 6\" pipe and much more text")
                .iter()
                .all(|fact| fact.kind != FactKind::Quote)
        );
    }
}
