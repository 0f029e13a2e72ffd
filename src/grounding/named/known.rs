//! Checks whether a word of a reply is known, in any of its forms.

use foldhash::HashSet;

use super::general::{is_common, is_number_word};
use super::written::{Written, without_accents};
use crate::evidence::Evidence;
use toolgauge_facts::{Texts, Token, TokenKind};
use toolgauge_model::words_of;

/// Shorter words have no endings.
const SHORTEST: usize = 3;

/// Shorter names begin other words by chance.
const SHORTEST_START: usize = 4;

/// The endings by which related words may differ.
const ENDINGS: [&str; 9] = ["s", "es", "n", "an", "ian", "ic", "al", "ish", "ed"];

/// The length of the longest of these endings.
const LONGEST_ENDING: usize = 3;

/// The unknown words of a text that have capitals or digits, by their start.
pub struct Unknown(HashSet<usize>);

impl Unknown {
    /// Returns `true` if a word is one of them.
    pub fn hold(&self, word: &Token<'_>) -> bool {
        self.0.contains(&word.start)
    }
}

/// Everything that names are compared with.
pub struct Shown<'k, 'a> {
    /// The known values and texts.
    pub evidence: Evidence<'k>,
    /// The words of keys and definitions.
    pub written: &'k Written<'a>,
    /// All texts with their tokens.
    pub texts: &'k Texts<'a>,
}

impl Shown<'_, '_> {
    /// Returns the unknown words among these tokens, except words that any sentence may contain.
    pub fn unknown(&self, tokens: &[Token<'_>]) -> Unknown {
        let words = tokens.iter().filter(|token| {
            (token.is_capitalized || token.kind == TokenKind::Mixed)
                && !self.evidence.holds_word(token)
                && (!is_common(token) || is_number_word(token))
                && !self.is_known(token)
        });
        Unknown(words.map(|word| word.start).collect())
    }

    /// Returns `true` if a word is known, possibly with another ending or with other accents.
    pub fn is_known(&self, word: &Token<'_>) -> bool {
        if self.evidence.holds_word(word) || self.written.holds(word.text) {
            return true;
        }
        let mut longer = String::with_capacity(word.text.len() + LONGEST_ENDING);
        let is_kin = ENDINGS.iter().any(|ending| {
            let shorter = word.text.strip_suffix(ending);
            longer.clear();
            longer.push_str(word.text);
            longer.push_str(ending);
            shorter.is_some_and(|shorter| shorter.len() >= SHORTEST && self.is_word(shorter))
                || self.is_word(&longer)
        });
        let is_joined = || {
            let parts = words_of(word.text);
            parts.len() > 1 && parts.iter().all(|part| self.is_word(part))
        };
        is_kin
            || is_joined()
            || (!word.text.is_ascii() && self.is_word(&without_accents(word.text)))
    }

    /// Returns `true` if a longer word begins with this one-word name, as a user name may: `mia` in `miasmith7`.
    pub fn starts_a_word(&self, name: &str) -> bool {
        let is_one_word =
            name.len() >= SHORTEST_START && name.bytes().all(|byte| byte.is_ascii_alphabetic());
        let starts = |token: &Token<'_>| {
            let start = token.text.as_bytes().get(..name.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
        };
        let mut texts = self.evidence.texts().iter();
        is_one_word && texts.any(|text| self.texts.tokens(*text).iter().any(starts))
    }

    /// Returns `true` if a word is known as it is, in any case.
    pub fn is_word(&self, word: &str) -> bool {
        self.evidence.holds_text_word(word) || self.written.holds(word)
    }
}

/// Returns `true` if a word consists of capitals only, apart from a plural `s`.
pub fn is_acronym(word: &str) -> bool {
    let word = word.strip_suffix('s').unwrap_or(word);
    word.len() <= 5 && word.bytes().all(|byte| byte.is_ascii_uppercase())
}
