//! Finds the facts that a text states: what they are, where they are, and what they mean.
//!
//! The module `text` splits a text into tokens. At each token that may start a fact, the recognisers in `kinds` look
//! for one.

mod equation;
mod fact;
mod kinds;
mod readings;
mod recognizer;
#[cfg(test)]
mod testing;
mod text;

pub use equation::{Equation, equations};
pub use fact::{Date, Fact, FactKind, FactValue};
pub use kinds::amount::{decimals, small_number_words};
pub use kinds::date::{MONTHS, is_month};
pub use readings::Readings;
pub use text::{
    TextId, Texts, Token, TokenKind, Vocabulary, WordFilter, WordId, WordList, cell_ends, key_of,
    lower,
};

use kinds::{RECOGNIZERS, email, traits_of};
use recognizer::{Found, Recognizer};
use text::{Analysis, cells, read_tokens};

impl Default for Texts<'_> {
    /// Returns an empty collection whose texts are searched for facts when they are read.
    fn default() -> Self {
        Self::new(Analysis {
            traits_of,
            find_facts,
        })
    }
}

/// Returns the fact of the first recogniser that finds one at the start of `tokens`. Only recognisers whose facts may
/// start with this kind of token are asked.
fn recognize<'t>(
    recognizers: &[&Recognizer],
    before: &[Token<'t>],
    tokens: &[Token<'t>],
    text: &'t str,
) -> Option<Found<'t>> {
    let kind = tokens[0].kind;
    let mut asked = recognizers
        .iter()
        .filter(|known| known.starts.contains(&kind));
    asked.find_map(|known| (known.read)(before, tokens, text))
}

/// Returns the facts of `text` in order. Facts don't overlap.
pub fn facts(text: &str) -> Vec<Fact<'_>> {
    facts_by(&RECOGNIZERS, text)
}

/// Returns the facts of `text` that these recognisers find.
fn facts_by<'t>(recognizers: &[&Recognizer], text: &'t str) -> Vec<Fact<'t>> {
    let mut vocabulary = Vocabulary::new(traits_of);
    let mut tokens = Vec::new();
    read_tokens(text, &mut vocabulary, &mut tokens);
    let mut found = Vec::new();
    for cell in cells(text, &tokens) {
        find_facts_by(recognizers, cell, text, &mut found);
    }
    found
}

/// Adds the facts of `text` to `found`. `tokens` are the tokens of the text or of one of its table cells.
fn find_facts<'t>(tokens: &[Token<'t>], text: &'t str, found: &mut Vec<Fact<'t>>) {
    find_facts_by(&RECOGNIZERS, tokens, text, found);
}

fn find_facts_by<'t>(
    recognizers: &[&Recognizer],
    tokens: &[Token<'t>],
    text: &'t str,
    found: &mut Vec<Fact<'t>>,
) {
    let mut at = 0;
    while at < tokens.len() {
        let recognized = || {
            let (before, rest) = tokens.split_at(at);
            recognize(recognizers, before, rest, text)
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

/// Checks whether a fact may start at a sign that `next` follows.
fn may_start_at_sign(sign: &Token<'_>, next: Option<&Token<'_>>) -> bool {
    match sign.text.as_bytes()[0] {
        b'+' | b'(' | b'-' | b'$' => next.is_some_and(|next| next.kind != TokenKind::Letters),
        byte => byte == b'"' || !byte.is_ascii(),
    }
}

/// Checks whether a fact may start at the first of `tokens`. This check exists because few words and signs can start a
/// fact, and asking all recognisers takes long.
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
        || (third.is_some_and(|third| third.glued) && (next.is('.') || email::holds_at(tokens)))
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
        /// [`find_facts`] asserts that no recogniser finds a fact where [`may_start`] returns `false`.
        #[test]
        fn facts_do_not_overlap_and_are_in_order(
            pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24),
        ) {
            let text = pieces.concat();
            let mut end = 0;
            for fact in facts(&text) {
                prop_assert!(end <= fact.start);
                end = fact.end();
                prop_assert_eq!(&text[fact.start..end], fact.text);
            }
        }
    }
}
