//! The facts that a text states: what they are, where they stand, and what they mean.

mod amount;
mod contact;
mod date;
mod delimited;
mod equation;
mod identifier;
mod money;
mod number;
mod number_words;
mod percent;
mod quoted;
mod readings;
mod table;
#[cfg(test)]
mod testing;
mod texts;
mod time;
mod token;
mod vocabulary;
mod word_list;

#[cfg(test)]
use crate as facts;
use toolgauge_model as model;

pub use date::{MONTHS, is_month};
pub use delimited::cell_ends;
pub use equation::{Equation, equations};
pub use identifier::lower;
pub use number::decimals;
pub use number_words::small_number_words;
pub use readings::Readings;
pub use texts::{TextId, Texts};
pub use token::{Token, TokenKind, key_of};
pub use vocabulary::{Vocabulary, WordId};
pub use word_list::{WordFilter, WordList};

use std::borrow::Cow;

use serde::Serialize;

use token::read_tokens;

/// The kinds of facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum FactKind {
    /// An amount of money.
    Money,
    /// A number, with its unit where it has one.
    Number,
    /// A percentage.
    Percent,
    /// A day, with or without a year; also a month with a year.
    Date,
    /// A time of day.
    Time,
    /// A code or a name made of letters and digits: an order number, a user id.
    Identifier,
    /// An email address.
    Email,
    /// A URL.
    Url,
    /// A phone number.
    Phone,
    /// A text in quotation marks.
    Quote,
    /// The name of a person or a thing, where a result has a name.
    Name,
}

/// What a fact means, so that two spellings of one value are equal.
#[derive(Debug, Clone, PartialEq)]
pub enum FactValue<'t> {
    /// A number; several where its spelling can be read in several ways (`1,234`).
    Number(Readings<f64>),
    /// A day.
    Date(Date),
    /// Minutes since midnight; two where neither a. m. nor p. m. is said.
    Time(Readings<u16>),
    /// Text that is compared as it is, in lower case.
    Text(Cow<'t, str>),
}

/// A day or a month; what is not said is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Date {
    /// The year.
    pub year: Option<u16>,
    /// The month, from 1; larger ones are written but don't exist.
    pub month: u8,
    /// The day, from 1; larger ones than the month has are written but don't exist.
    pub day: Option<u8>,
    /// The month when day and month are read the other way round, where that is possible.
    pub swapped: bool,
}

/// Something that a text states.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact<'t> {
    /// What it is.
    pub kind: FactKind,
    /// As it is written.
    pub text: &'t str,
    /// Where it starts in the text, in bytes.
    pub start: usize,
    /// What it means.
    pub value: FactValue<'t>,
}

/// A fact that a recogniser found, and how many tokens it takes.
struct Found<'t> {
    kind: FactKind,
    tokens: usize,
    value: FactValue<'t>,
}

/// A recogniser looks for one kind of facts at the first of `tokens`; `before` are those before it.
type Recognizer =
    for<'t> fn(before: &[Token<'t>], tokens: &[Token<'t>], text: &'t str) -> Option<Found<'t>>;

/// Asks the recognisers that want such a token at the start; where several could match, the first counts.
fn recognize<'t>(before: &[Token<'t>], tokens: &[Token<'t>], text: &'t str) -> Option<Found<'t>> {
    let recognizers: &[Recognizer] = match tokens[0].kind {
        TokenKind::Letters | TokenKind::Mixed => &[
            contact::recognize,
            date::recognize,
            time::recognize,
            identifier::recognize,
            amount::recognize,
        ],
        TokenKind::Digits => &[
            contact::recognize,
            date::recognize,
            time::recognize,
            identifier::recognize,
            contact::recognize_phone,
            amount::recognize,
        ],
        TokenKind::Sign => &[
            contact::recognize_phone,
            amount::recognize,
            quoted::recognize,
        ],
    };
    let mut recognizers = recognizers.iter();
    recognizers.find_map(|recognize| recognize(before, tokens, text))
}

/// The facts of `text`, in order; they don't overlap.
pub fn facts(text: &str) -> Vec<Fact<'_>> {
    facts_of(text, recognize)
}

/// The facts of `text` that this recogniser finds.
fn facts_of(text: &str, recognize: Recognizer) -> Vec<Fact<'_>> {
    let mut vocabulary = Vocabulary::default();
    let mut tokens = Vec::new();
    read_tokens(text, &mut vocabulary, &mut tokens);
    let mut found = Vec::new();
    for cell in delimited::cells(text, &tokens) {
        find_facts(cell, text, recognize, &mut found);
    }
    found
}

/// Adds the facts of `text`, whose tokens are `tokens`, to `found`.
fn find_facts<'t>(
    tokens: &[Token<'t>],
    text: &'t str,
    recognize: Recognizer,
    found: &mut Vec<Fact<'t>>,
) {
    let mut at = 0;
    while at < tokens.len() {
        let recognized = || {
            let (before, rest) = tokens.split_at(at);
            recognize(before, rest, text)
        };
        if !may_start(&tokens[at..]) {
            debug_assert!(recognized().is_none(), "a fact starts at {:?}", tokens[at]);
            at += 1;
            continue;
        }
        let Some(fact) = recognized() else {
            at += 1;
            continue;
        };
        let (first, last) = (&tokens[at], &tokens[at + fact.tokens - 1]);
        found.push(Fact {
            kind: fact.kind,
            text: &text[first.start..last.end()],
            start: first.start,
            value: fact.value,
        });
        at += fact.tokens;
    }
}

/// Whether a fact may start at a sign before `next`.
fn may_start_at_sign(sign: &Token<'_>, next: Option<&Token<'_>>) -> bool {
    match sign.text.as_bytes()[0] {
        b'+' | b'(' | b'-' | b'$' => next.is_some_and(|next| next.kind != TokenKind::Letters),
        byte => byte == b'"' || !byte.is_ascii(),
    }
}

/// Whether a fact may start at the first of `tokens`: at hardly any word or sign one does, and asking
/// all recognisers takes long.
fn may_start(tokens: &[Token<'_>]) -> bool {
    let (first, next) = (&tokens[0], tokens.get(1));
    if first.kind != TokenKind::Letters {
        return first.kind != TokenKind::Sign || may_start_at_sign(first, next);
    }
    if first.word.is_some_and(WordId::may_start_fact) {
        return true;
    }
    let Some(next) = next else {
        return false;
    };
    if !next.glued {
        return next.word.is_some_and(WordId::may_go_on_fact);
    }
    let third = tokens.get(2);
    next.is('-')
        || next.is('_')
        || (next.is(':') && third.is_some_and(|third| third.is('/')))
        || (third.is_some_and(|third| third.glued) && (next.is('.') || contact::holds_at(tokens)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PIECES: [&str; 40] = [
        " ", " ", " ", "\n", "-", "(", ")", "+", "$", "\"", ".", ",", ":", "/", "@", "_", "−", "€",
        "“", "5", "10", "555", "2024", "0104477", "5pm", "13th", "HAT271", "May", "one", "to",
        "tusen", "usd", "kl", "noon", "bags", "a", "https", "p.m.", "5月", "é",
    ];

    proptest! {
        /// That no fact starts where none may is asserted where facts are looked for.
        #[test]
        fn facts_stand_apart_and_in_order(
            pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24),
        ) {
            let text = pieces.concat();
            let mut end = 0;
            for fact in facts(&text) {
                prop_assert!(end <= fact.start);
                end = fact.start + fact.text.len();
                prop_assert_eq!(&text[fact.start..end], fact.text);
            }
        }
    }
}
