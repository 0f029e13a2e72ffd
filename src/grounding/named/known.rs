//! Whether a word of a reply is known, in any of its forms.

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

/// Endings that words of one kin differ by.
const ENDINGS: [&str; 9] = ["s", "es", "n", "an", "ian", "ic", "al", "ish", "ed"];

/// The letters of the longest of them.
const LONGEST_ENDING: usize = 3;

/// The words of a text with capitals or digits that nothing shows, by where they start.
pub struct Unknown(HashSet<usize>);

impl Unknown {
    /// Whether a word is one of them.
    pub fn hold(&self, word: &Token<'_>) -> bool {
        self.0.contains(&word.start)
    }
}

/// What names are held against.
pub struct Shown<'k, 'a> {
    /// What is known.
    pub evidence: Evidence<'k>,
    /// The words beside them.
    pub written: &'k Written<'a>,
    /// All texts.
    pub texts: &'k Texts<'a>,
}

impl Shown<'_, '_> {
    /// The unknown words of a text with these tokens, except words that any sentence may have.
    pub fn unknown(&self, tokens: &[Token<'_>]) -> Unknown {
        let words = tokens.iter().filter(|token| {
            (token.is_capitalized || token.kind == TokenKind::Mixed)
                && !self.evidence.holds_word(token)
                && (!is_common(token) || is_number_word(token))
                && !self.is_known(token)
        });
        Unknown(words.map(|word| word.start).collect())
    }

    /// Whether a word is known, also where it has another ending or other accents.
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

    /// Whether some longer word begins with a name of one word, as that of a user does: `mia` of `miasmith7`.
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

    /// Whether a word is known as it is, in any case.
    pub fn is_word(&self, word: &str) -> bool {
        self.evidence.holds_text_word(word) || self.written.holds(word)
    }
}

/// Whether a word is of capitals alone, or with the ending of the plural.
pub fn is_acronym(word: &str) -> bool {
    let word = word.strip_suffix('s').unwrap_or(word);
    word.len() <= 5 && word.bytes().all(|byte| byte.is_ascii_uppercase())
}
