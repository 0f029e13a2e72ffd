//! Words by number, so that texts are compared word by word without reading them again.

use std::num::NonZeroU32;

use super::table::Table;
use super::token::{key_of, stands_alone};

/// Shorter words say too little to be looked for, unless their script writes each word as one sign.
const SHORTEST_SOUGHT: usize = 3;

/// What recognisers ask of a word; asked once for each word.
#[derive(Debug, Clone, Copy, Default)]
pub struct WordTraits {
    /// Whether a fact may start at this word, whatever follows it.
    pub may_start_fact: bool,
    /// Whether a fact may start at the word before this one, whatever that is.
    pub may_go_on_fact: bool,
    /// Whether it may say what a number before it measures.
    pub may_measure: bool,
}

/// The traits of a word, from its key and its text.
pub type TraitsOf = fn(key: u64, word: &str) -> WordTraits;

/// A word, whatever its case: its number and its traits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WordId(NonZeroU32);

impl WordId {
    const MAY_START_FACT: u32 = 1 << 1;
    const MAY_GO_ON_FACT: u32 = 1 << 2;
    const MAY_MEASURE: u32 = 1 << 3;
    const IS_SOUGHT: u32 = 1 << 4;

    /// The first bit of the number. The lowest bit of all is always set.
    const NUMBER: u32 = 5;

    fn new(number: usize, word: &str, traits: WordTraits) -> Self {
        let WordTraits {
            may_start_fact,
            may_go_on_fact,
            may_measure,
        } = traits;
        let is_sought =
            word.chars().nth(SHORTEST_SOUGHT - 1).is_some() || word.starts_with(stands_alone);
        let bit = |is_so: bool, bit: u32| if is_so { bit } else { 0 };
        let bits = (number as u32) << Self::NUMBER
            | bit(may_start_fact, Self::MAY_START_FACT)
            | bit(may_go_on_fact, Self::MAY_GO_ON_FACT)
            | bit(may_measure, Self::MAY_MEASURE)
            | bit(is_sought, Self::IS_SOUGHT);
        Self(NonZeroU32::MIN | bits)
    }

    /// Its place among all words in the order in which they were read, from 0.
    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0.get() >> Self::NUMBER) as usize
    }

    /// Whether a fact may start at this word, whatever follows it: at hardly any does one.
    #[inline(always)]
    pub(crate) fn may_start_fact(self) -> bool {
        self.0.get() & Self::MAY_START_FACT != 0
    }

    /// Whether a fact may start at the word before this one, whatever that is.
    #[inline(always)]
    pub(crate) fn may_go_on_fact(self) -> bool {
        self.0.get() & Self::MAY_GO_ON_FACT != 0
    }

    /// Whether it may say what a number before it measures: hardly any word does.
    #[inline(always)]
    pub(crate) fn may_measure(self) -> bool {
        self.0.get() & Self::MAY_MEASURE != 0
    }

    /// Whether it is worth looking for elsewhere: a word of at least three letters, or a sign that is one.
    #[inline(always)]
    pub fn is_sought(self) -> bool {
        self.0.get() & Self::IS_SOUGHT != 0
    }
}

/// All words that were read, each numbered once.
pub struct Vocabulary {
    words: Table,
    traits_of: TraitsOf,
}

impl Vocabulary {
    /// An empty vocabulary, whose words get these traits.
    pub fn new(traits_of: TraitsOf) -> Self {
        Self {
            words: Table::default(),
            traits_of,
        }
    }

    /// The number of `word`, whose key is the same in any case.
    #[inline(always)]
    pub(crate) fn id_of(&mut self, key: u64, word: &str) -> WordId {
        match self.words.find(key, |_| true) {
            Some(id) => WordId(id),
            None => self.add(key, word),
        }
    }

    /// The number of a word, in any case, that some text has.
    pub fn find(&self, word: &str) -> Option<WordId> {
        self.words.find(key_of(word), |_| true).map(WordId)
    }

    #[cold]
    fn add(&mut self, key: u64, word: &str) -> WordId {
        let id = WordId::new(self.words.len(), word, (self.traits_of)(key, word));
        self.words.add(key, id.0);
        id
    }
}
