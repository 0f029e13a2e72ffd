//! Caches what texts mean, so that each text is read only once.

use super::arguments::RelativeDates;
use super::digest::digest;
use super::evidence::Gathered;
use super::usage::Stated;
use toolgauge_facts::{Fact, FactValue, TextId, Texts, Token, TokenKind, WordId, lower};

/// The longest text without white space that can be a code, in bytes.
const LONGEST_CODE: usize = 60;

/// The fewest tokens of a code: a sign and something on both sides of it.
const FEWEST_TOKENS: usize = 3;

/// Caches texts, their facts and the terms by which they are found elsewhere. Several trajectories may share one cache.
#[derive(Default)]
pub struct Meanings<'t> {
    /// The texts with their facts.
    pub texts: Texts<'t>,
    /// What was said last, and where; see [`super::usage()`].
    pub(super) said: Stated,
    /// The instruction texts of the previous trajectory, and the evidence gathered from them. Most trajectories share
    /// their instructions, so this is usually reused.
    pub(super) instructions: (Vec<TextId>, Gathered<'t>),
    /// The evidence gathered from the previous trajectory. The next one reuses its memory.
    pub(super) gathered: Gathered<'t>,
    pub(super) relative_dates: RelativeDates,
    digests: Vec<u64>,
    places: Vec<Option<Places>>,
}

/// The range of a text's digests in `digests`.
#[derive(Clone, Copy)]
struct Places {
    start: usize,
    codes: usize,
    end: usize,
}

/// The terms of a text by which it is looked for elsewhere.
#[derive(Clone, Copy)]
pub struct SearchTerms<'m, 't> {
    /// The digests of each value of each fact, and of each code. A code is a run without white space that consists of
    /// letters and digits with other signs between them, like `p-17`.
    pub values: &'m [u64],
    /// Whether `values` contains codes.
    pub has_codes: bool,
    tokens: &'m [Token<'t>],
}

impl SearchTerms<'_, '_> {
    /// Calls `take` with each word that is worth looking for.
    pub fn each_word(&self, mut take: impl FnMut(WordId)) {
        for token in self.tokens {
            if let Some(word) = token.word
                && word.is_sought()
            {
                take(word);
            }
        }
    }
}

impl<'t> Meanings<'t> {
    /// Returns the search terms of `text`, whose id is `id`.
    pub fn of(&mut self, text: &'t str, id: TextId) -> SearchTerms<'_, 't> {
        if self.places.len() <= id.index() {
            self.places
                .resize((id.index() + 1).next_power_of_two(), None);
        }
        let tokens = self.texts.tokens(id);
        let places = self.places[id.index()].get_or_insert_with(|| {
            let start = self.digests.len();
            for fact in self.texts.facts(id) {
                add_fact(fact, &mut self.digests);
            }
            let codes = self.digests.len();
            add_codes(text, tokens, &mut self.digests);
            let end = self.digests.len();
            Places { start, codes, end }
        });
        SearchTerms {
            values: &self.digests[places.start..places.end],
            has_codes: places.codes < places.end,
            tokens,
        }
    }
}

/// A value to look for.
#[derive(Hash)]
enum Sought<'v> {
    Number(u64),
    Date(u8, Option<u8>),
    Time(u16),
    Text(&'v str),
}

/// Returns the digest by which a [`SearchTerms`] represents a number.
pub fn digest_of_number(number: f64) -> u64 {
    digest(Sought::Number(number.to_bits()))
}

fn digest_of_text(text: &str) -> u64 {
    digest(Sought::Text(text))
}

fn add_fact(fact: &Fact<'_>, digests: &mut Vec<u64>) {
    match &fact.value {
        FactValue::Number(readings) => {
            digests.extend(readings.iter().map(|number| digest_of_number(*number)));
        }
        FactValue::Date(date) => digests.push(digest(Sought::Date(date.month, date.day))),
        FactValue::Time(minutes) => {
            digests.extend(minutes.iter().map(|minute| digest(Sought::Time(*minute))));
        }
        FactValue::Text(text) => digests.push(digest_of_text(text)),
    }
}

fn add_codes(text: &str, tokens: &[Token<'_>], digests: &mut Vec<u64>) {
    let has_digit = |token: &Token<'_>| matches!(token.kind, TokenKind::Digits | TokenKind::Mixed);
    let is_word = |token: &Token<'_>| token.kind != TokenKind::Sign;
    let mut left = tokens;
    while let Some(digit) = left.iter().position(has_digit) {
        let (before, after) = left.split_at(digit + 1);
        let start = before.iter().rposition(|token| !token.glued).unwrap_or(0);
        let glued = after.iter().position(|token| !token.glued);
        let end = digit + 1 + glued.unwrap_or(after.len());
        let chunk = &left[start..end];
        left = &left[end..];
        let first = chunk.iter().position(is_word).unwrap_or(0);
        let last = chunk.iter().rposition(is_word).unwrap_or(0);
        let code = &chunk[first..=last];
        let place = code[0].start..code[code.len() - 1].end();
        let has_sign = !code.iter().all(is_word);
        if chunk.len() >= FEWEST_TOKENS && has_sign && place.len() <= LONGEST_CODE {
            digests.push(digest_of_text(&lower(&text[place])));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Finds codes by their definition: in each chunk without white space, the part from its first word to its last.
    fn codes(text: &str, tokens: &[Token<'_>]) -> Vec<u64> {
        let chunks = tokens.chunk_by(|_, next| next.glued);
        let chunks = chunks.filter(|chunk| chunk.len() >= FEWEST_TOKENS);
        let codes = chunks.filter_map(|chunk| {
            let is_word = |token: &Token<'_>| token.kind != TokenKind::Sign;
            let first = chunk.iter().position(is_word)?;
            let last = chunk.iter().rposition(is_word)?;
            let code = &text[chunk[first].start..chunk[last].end()];
            let has_digit = code.contains(|c: char| c.is_ascii_digit());
            let has_sign = chunk[first..last].iter().any(|token| !is_word(token));
            let is_code = has_digit && has_sign && code.len() <= LONGEST_CODE;
            is_code.then(|| digest_of_text(&code.to_lowercase()))
        });
        codes.collect()
    }

    proptest! {
        #[test]
        fn codes_are_found_where_they_are_defined(text in "[a1Ü ./-]{0,40}( [a-]{55,65}1)?") {
            let mut texts = Texts::default();
            let id = texts.read(&text);
            let mut found = Vec::new();
            add_codes(&text, texts.tokens(id), &mut found);
            prop_assert_eq!(found, codes(&text, texts.tokens(id)));
        }
    }
}
