//! Texts that are searched for facts only once, however often they occur.

use std::hash::BuildHasher;
use std::num::NonZeroU32;
use std::ops::Range;

use foldhash::fast::RandomState;

use super::delimited::cells;
use super::table::Table;
use super::token::{Token, read_tokens};
use super::vocabulary::{TraitsOf, Vocabulary};
use crate::fact::Fact;
use toolgauge_model::are_same;

/// Texts with their words and facts. Equal texts are read only once, because conversations repeat themselves: each
/// conversation of a batch has the same instructions, and results hold the same few words again and again.
pub struct Texts<'t> {
    analysis: Analysis,
    ids: Table,
    hasher: RandomState,
    /// The texts in the order in which they were read.
    texts: Vec<TextParts<'t>>,
    /// The longest text that was read.
    longest: Option<TextId>,
    facts: Vec<Fact<'t>>,
    tokens: Vec<Token<'t>>,
    vocabulary: Vocabulary,
}

/// A text with the ranges of its facts and tokens.
struct TextParts<'t> {
    text: &'t str,
    facts: Range<usize>,
    tokens: Range<usize>,
}

/// The id of a text that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextId(NonZeroU32);

impl TextId {
    /// Returns the place of the text among all texts in the order in which they were read, from 0.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The functions with which each text is analysed.
#[derive(Clone, Copy)]
pub struct Analysis {
    /// Returns the traits of a word.
    pub traits_of: TraitsOf,
    /// Adds the facts that these tokens of a text state to `found`.
    pub find_facts: for<'t> fn(tokens: &[Token<'t>], text: &'t str, found: &mut Vec<Fact<'t>>),
}

impl<'t> Texts<'t> {
    /// Returns an empty collection, which analyses texts with these functions when they are read.
    pub fn new(analysis: Analysis) -> Self {
        Self {
            vocabulary: Vocabulary::new(analysis.traits_of),
            analysis,
            ids: Table::default(),
            hasher: RandomState::default(),
            texts: Vec::new(),
            longest: None,
            facts: Vec::new(),
            tokens: Vec::new(),
        }
    }

    /// Reads `text` unless an equal one was read before, and returns its id.
    pub fn read(&mut self, text: &'t str) -> TextId {
        // The longest text of a batch is mostly the instructions, which each conversation repeats. Comparing it takes
        // half the time of hashing it.
        if let Some(longest) = self.longest
            && (std::ptr::eq(self.texts[longest.index()].text, text) || self.is(longest, text))
        {
            return longest;
        }
        let hash = self.hasher.hash_one(text);
        if let Some(id) = self.id_of(hash, text) {
            return id;
        }
        let id = self.read_new(text);
        self.ids.add(hash, id.0);
        if self
            .longest
            .is_none_or(|longest| self.texts[longest.index()].text.len() < text.len())
        {
            self.longest = Some(id);
        }
        id
    }

    /// Reads `text` without checking whether an equal one was read before. It is for texts that rarely occur again:
    /// later look-ups don't find them.
    pub fn read_new(&mut self, text: &'t str) -> TextId {
        let id = NonZeroU32::MIN.saturating_add(self.texts.len() as u32);
        let (first_token, first_fact) = (self.tokens.len(), self.facts.len());
        read_tokens(text, &mut self.vocabulary, &mut self.tokens);
        let (tokens, facts) = (&self.tokens[first_token..], &mut self.facts);
        for cell in cells(text, tokens) {
            (self.analysis.find_facts)(cell, text, facts);
        }
        self.texts.push(TextParts {
            text,
            facts: first_fact..self.facts.len(),
            tokens: first_token..self.tokens.len(),
        });
        TextId(id)
    }

    #[inline(always)]
    fn id_of(&self, hash: u64, text: &str) -> Option<TextId> {
        let is_meant = |id| self.is(TextId(id), text);
        self.ids.find(hash, is_meant).map(TextId)
    }

    #[inline(always)]
    fn is(&self, id: TextId, text: &str) -> bool {
        are_same(self.texts[id.index()].text, text)
    }

    /// Returns the facts of a text in order.
    #[inline]
    pub fn facts(&self, text: TextId) -> &[Fact<'t>] {
        &self.facts[self.texts[text.index()].facts.clone()]
    }

    /// Returns the tokens of a text in order.
    #[inline]
    pub fn tokens(&self, text: TextId) -> &[Token<'t>] {
        &self.tokens[self.texts[text.index()].tokens.clone()]
    }

    /// Returns the words of all texts.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Returns the facts of `text` if [`Texts::read`] read it, else an empty slice.
    pub fn facts_of(&self, text: &str) -> &[Fact<'t>] {
        self.find(text).unwrap_or_default()
    }

    /// Returns the tokens of `text` if [`Texts::read`] read it, else an empty slice.
    pub fn tokens_of(&self, text: &str) -> &[Token<'t>] {
        let id = self.id_of(self.hasher.hash_one(text), text);
        id.map(|id| self.tokens(id)).unwrap_or_default()
    }

    /// Returns the facts of `text` if [`Texts::read`] read it, else `None`.
    pub fn find(&self, text: &str) -> Option<&[Fact<'t>]> {
        let id = self.id_of(self.hasher.hash_one(text), text);
        id.map(|id| self.facts(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_read_once() {
        let copy = String::from("HAT271 at 5 pm");
        let mut texts = Texts::default();
        let first = texts.read("HAT271 at 5 pm");
        let other = texts.read("no fact");
        let again = texts.read(&copy);
        assert_eq!(first, again);
        assert_ne!(first, other);
        assert!(texts.facts(other).is_empty());
        let fact = texts.facts(first).last().expect("two facts");
        assert_eq!((fact.text, fact.start), ("5 pm", 10));
        assert_eq!(texts.facts(first), texts.facts_of(&copy));
        assert_eq!(texts.facts_of("5 pm"), []);
        let new = texts.read_new(&copy);
        assert_ne!(first, new);
        assert_eq!(texts.facts(first), texts.facts(new));
        assert_eq!(texts.tokens(first), texts.tokens(new));
        assert_eq!(first, texts.read(&copy));
    }
}
