//! Known words, words that follow each other, and names.

use foldhash::HashSet;

use crate::digest::NumberSet;
use toolgauge_facts::{TextId, Texts, WordId, key_of};

/// The words of all texts.
#[derive(Default)]
pub struct KnownWords {
    words: NumberSet,
    /// How many of the texts have been read.
    read: usize,
}

impl KnownWords {
    /// Like `clone_from`: overwrites `self` but keeps its allocations.
    pub fn copy(&mut self, other: &Self) {
        let Self { words, read } = self;
        let Self {
            words: other_words,
            read: other_read,
        } = other;
        words.copy(other_words);
        *read = *other_read;
    }

    /// Reads the texts that were added since the last call.
    pub fn read(&mut self, added: &[TextId], texts: &Texts<'_>) {
        for text in &added[self.read..] {
            for token in texts.tokens(*text) {
                if let Some(word) = token.word {
                    self.words.insert(word.index());
                }
            }
        }
        self.read = added.len();
    }

    /// Returns `true` if some text contains this word.
    pub fn hold(&self, word: Option<WordId>) -> bool {
        word.is_some_and(|word| self.words.contains(word.index()))
    }
}

/// The pairs of words that follow each other in some text.
#[derive(Default)]
pub struct WordPairs {
    pairs: HashSet<(WordId, WordId)>,
    /// How many of the texts have been read.
    read: usize,
}

impl WordPairs {
    /// Like `clone_from`: overwrites `self` but keeps its allocations.
    pub fn copy(&mut self, other: &Self) {
        let Self { pairs, read } = self;
        let Self {
            pairs: other_pairs,
            read: other_read,
        } = other;
        pairs.clone_from(other_pairs);
        *read = *other_read;
    }

    /// Reads the texts that were added since the last call.
    pub fn read(&mut self, added: &[TextId], texts: &Texts<'_>) {
        for text in &added[self.read..] {
            let mut before = None;
            for word in texts.tokens(*text).iter().filter_map(|token| token.word) {
                if let Some(before) = before.replace(word) {
                    self.pairs.insert((before, word));
                }
            }
        }
        self.read = added.len();
    }

    /// Returns `true` if each pair of neighboring words of a text occurs in some known text. Single spaces separate the
    /// words.
    pub fn hold(&self, words: &str, texts: &Texts<'_>) -> bool {
        let words = words.split(' ');
        let words: Vec<_> = words.map(|word| texts.vocabulary().find(word)).collect();
        words.windows(2).all(|pair| {
            let pair = pair[0].zip(pair[1]);
            pair.is_some_and(|pair| self.pairs.contains(&pair))
        })
    }
}

/// The names in results.
#[derive(Default)]
pub struct KnownNames {
    /// The indices of the texts that were added as names.
    added: NumberSet,
    /// The keys of the words of these names.
    keys: HashSet<u64>,
    /// The words in lower case, each with its index among the known values.
    words: Vec<(String, usize)>,
}

impl KnownNames {
    /// Like `clone_from`: overwrites `self` but keeps its allocations.
    pub fn copy(&mut self, other: &Self) {
        let Self { added, keys, words } = self;
        let Self {
            added: other_added,
            keys: other_keys,
            words: other_words,
        } = other;
        added.copy(other_added);
        keys.clone_from(other_keys);
        words.clone_from(other_words);
    }

    /// Adds a name. Calls `keep` with each of its capitalized words that is new; `keep` returns the index of the word
    /// among the known values.
    pub fn add<'a>(&mut self, name: &'a str, id: TextId, mut keep: impl FnMut(&'a str) -> usize) {
        if !self.added.insert(id.index()) {
            return;
        }
        let words = name.split_whitespace();
        for word in words.filter(|word| word.starts_with(char::is_uppercase)) {
            if self.keys.insert(key_of(word)) {
                self.words.push((word.to_lowercase(), keep(word)));
            }
        }
    }

    /// Returns the words in lower case, the latest first, each with its index among the known values.
    pub fn latest(&self) -> impl Iterator<Item = (&str, usize)> {
        let words = self.words.iter().rev();
        words.map(|(word, at)| (word.as_str(), *at))
    }
}
