//! Recognises quotations: several words in quotation marks that, according to the text, somebody or something said or
//! wrote. Quotation marks also surround much else: keys and strings of JSON, labels, titles, and words with which the
//! user is asked to answer.

use std::borrow::Cow;

use crate::fact::{FactKind, FactValue};
use crate::recognizer::{Found, Recognizer, no_word};
use crate::text::{Token, TokenKind, WordList};

/// The maximum number of words of a quotation. Longer ones are passages, which are seldom quoted to the letter.
const MOST_WORDS: usize = 30;

/// Opening quotation marks and the marks that close them.
const MARKS: [(char, char); 5] = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('»', '«')];

/// The maximum number of tokens before a quotation that are searched for the words that introduce it.
const MOST_BEFORE: usize = 24;

/// Words before a quotation that report what was said or written.
static REPORTS: WordList = WordList::of(
    "says said states stated reads read notes noted wrote writes written reports reported replied answered \
    responded returned returns shows showed warns warned explains explained mentions mentioned quotes quoted \
    error message warning sagt sagte steht schrieb lautet meldet dit indique indiqué mentionne écrit dice dijo \
    indica escribió sier sa står skrev melder",
);

/// Words that ask for an answer or introduce an example.
static ASKS: WordList = WordList::of(
    "reply answer respond say type write enter confirm click tap select choose if please can could would should \
    like e.g such example ask tell send want wants options option bitte antworten répondez répondre responda \
    responder svar",
);

/// Finds quotations.
pub static RECOGNIZER: Recognizer = Recognizer {
    starts: &[TokenKind::Sign],
    starts_with_word: no_word,
    read,
};

/// Reads a quotation at the start of `tokens`. Text with digits or addresses is left to the recognisers of these, and a
/// single word is rarely a quotation.
fn read<'t>(before: &[Token<'t>], tokens: &[Token<'t>], text: &'t str) -> Option<Found<'t>> {
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
    // A colon after the closing mark makes it the key of a member in JSON.
    let is_key = tokens
        .get(length + 2)
        .is_some_and(|next| next.glued && next.is(':'));
    let is_quotation = is_words && !is_key && one_line && (2..=MOST_WORDS).contains(&words);
    (is_quotation && is_reported(before, text)).then(|| Found {
        kind: FactKind::Quote,
        tokens: length + 2,
        value: FactValue::Text(Cow::Owned(words_of(quoted))),
    })
}

/// Checks whether the sentence before a quotation reports what was said and does not ask for an answer.
fn is_reported(before: &[Token<'_>], text: &str) -> bool {
    let near = &before[before.len().saturating_sub(MOST_BEFORE)..];
    let mut reports = false;
    let mut after: Option<&Token<'_>> = None;
    for token in near.iter().rev() {
        let ends_sentence = match token.sign() {
            Some('.' | '!' | '?' | ';') => after.is_none_or(|after| !after.glued),
            // This is the key of a member, not words that introduce a quotation.
            Some('"' | '{' | '[' | '`')
                if after.is_some_and(|after| after.is(':') && after.glued) =>
            {
                return false;
            }
            _ => false,
        };
        let starts_line = after.is_some_and(|after| text[token.end()..after.start].contains('\n'));
        if ends_sentence || starts_line {
            break;
        }
        if token.says_one_of(&ASKS) {
            return false;
        }
        reports |= token.says_one_of(&REPORTS);
        after = Some(token);
    }
    reports
}

/// Checks whether an email address or a URL may be among these tokens.
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
    use crate::{FactKind, FactValue, facts};

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
    fn marks_that_quote_nobody_are_no_quotations() {
        for text in [
            "Reply “Yes, go on” or “Stop here”.",
            "If it says so, say \"go on then\".",
            r#"{"order_status": "still open", "note": "it said", "next": "call us back"}"#,
            "It is often called the “yellow gauge”. The “Show more” button helps.",
            "He said so. The “Show more” button helps.",
            "The note says:\n- “Show more”",
        ] {
            let kinds: Vec<_> = facts(text).into_iter().map(|fact| fact.kind).collect();
            assert!(!kinds.contains(&FactKind::Quote), "{text}");
        }
        for text in [
            "The error message is: \"Card not accepted\".",
            "The clerk wrote that “the shop is shut” today.",
            "Die Notiz lautet „heute kein Empfang“.",
        ] {
            let kinds: Vec<_> = facts(text).into_iter().map(|fact| fact.kind).collect();
            assert_eq!(kinds, [FactKind::Quote], "{text}");
        }
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
