//! Texts that are read for their facts once, however often they occur.

use std::hash::{BuildHasher, Hash, Hasher};
use std::ops::Range;

use foldhash::HashMap;
use foldhash::fast::RandomState;

use super::token::{Token, read_tokens};
use super::vocabulary::Vocabulary;
use super::{Fact, RECOGNIZERS, find_facts};

/// Texts, their words and their facts. Conversations repeat themselves: instructions stand in every one of a batch,
/// and results hold the same few words over and over.
#[derive(Default)]
pub struct Texts<'t> {
    ids: HashMap<Hashed<'t>, TextId>,
    hasher: RandomState,
    facts: Vec<Fact<'t>>,
    tokens: Vec<Token<'t>>,
    /// How many facts and tokens there are up to the end of each text.
    ends: Vec<(usize, usize)>,
    vocabulary: Vocabulary,
}

/// A text and its hash, which is worked out once: the map asks for those of all texts each time it grows.
#[derive(PartialEq, Eq)]
struct Hashed<'t> {
    hash: u64,
    text: &'t str,
}

impl Hash for Hashed<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// A text that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextId(usize);

/// A fact of a text that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FactId(usize);

impl TextId {
    /// Its place among all texts in the order in which they were read, from 0.
    pub fn index(self) -> usize {
        self.0
    }
}

impl<'t> Texts<'t> {
    /// Reads `text`, unless an equal one was read before.
    pub fn read(&mut self, text: &'t str) -> TextId {
        let next = TextId(self.ends.len());
        let id = *self.ids.entry(self.hashed(text)).or_insert(next);
        if id == next {
            let start = self.tokens.len();
            read_tokens(text, &mut self.vocabulary, &mut self.tokens);
            let (tokens, facts) = (&self.tokens[start..], &mut self.facts);
            find_facts(tokens, text, &RECOGNIZERS, facts);
            self.ends.push((self.facts.len(), self.tokens.len()));
        }
        id
    }

    /// The facts of a text, in order.
    pub fn facts(&self, text: TextId) -> &[Fact<'t>] {
        &self.facts[self.range(text)]
    }

    /// The tokens of a text, in order.
    pub fn tokens(&self, text: TextId) -> &[Token<'t>] {
        let start = self.ends_before(text).1;
        &self.tokens[start..self.ends[text.0].1]
    }

    /// The words of all texts.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The facts of a text that was read; none of another.
    pub fn facts_of(&self, text: &str) -> &[Fact<'t>] {
        self.find(text).unwrap_or_default()
    }

    /// The facts of a text, when it was read.
    pub fn find(&self, text: &str) -> Option<&[Fact<'t>]> {
        let id = self.ids.get(&self.hashed(text));
        id.map(|id| self.facts(*id))
    }

    /// The facts of a text, each with what it is found by later.
    pub fn numbered_facts(&self, text: TextId) -> impl Iterator<Item = (FactId, &Fact<'t>)> {
        let range = self.range(text);
        range.clone().map(FactId).zip(&self.facts[range])
    }

    /// The fact.
    pub fn fact(&self, fact: FactId) -> &Fact<'t> {
        &self.facts[fact.0]
    }

    fn hashed<'h>(&self, text: &'h str) -> Hashed<'h> {
        Hashed {
            hash: self.hasher.hash_one(text),
            text,
        }
    }

    fn range(&self, text: TextId) -> Range<usize> {
        self.ends_before(text).0..self.ends[text.0].0
    }

    fn ends_before(&self, text: TextId) -> (usize, usize) {
        let before = text.0.checked_sub(1);
        before.map_or((0, 0), |before| self.ends[before])
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
        let (id, fact) = texts.numbered_facts(first).last().expect("two facts");
        assert_eq!((fact.text, texts.fact(id).start), ("5 pm", 10));
        assert_eq!(texts.facts(first), texts.facts_of(&copy));
        assert_eq!(texts.facts_of("5 pm"), []);
    }
}
