//! Numbers words, so that texts can be compared word by word without reading them again.

use std::num::NonZeroU32;

use super::table::Table;
use super::token::{key_of, stands_alone};

/// The minimum length of a word that is looked up elsewhere. Shorter words say too little, unless their script writes
/// each word as one character.
const SHORTEST_SOUGHT: usize = 3;

/// The properties of a word that recognisers need. They are determined once per word.
#[derive(Debug, Clone, Copy, Default)]
pub struct WordTraits {
    /// Whether a fact may start at this word, regardless of what follows.
    pub may_start_fact: bool,
    /// Whether a fact may start at the word before this one, whichever word that is.
    pub may_go_on_fact: bool,
    /// Whether the word may be the unit, the scale or the like of a number before it.
    pub may_measure: bool,
}

/// A function that returns the traits of a word, given its key and its text.
pub type TraitsOf = fn(key: u64, word: &str) -> WordTraits;

/// The id of a word, regardless of case. It contains the word's number and traits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WordId(NonZeroU32);

impl WordId {
    const MAY_START_FACT: u32 = 1 << 1;
    const MAY_GO_ON_FACT: u32 = 1 << 2;
    const MAY_MEASURE: u32 = 1 << 3;
    const IS_SOUGHT: u32 = 1 << 4;

    /// The position of the lowest bit of the number. Bit 0 is always set, so that the id is not zero.
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

    /// Returns the place of the word among all words in the order in which they were read, from 0.
    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0.get() >> Self::NUMBER) as usize
    }

    /// Returns `true` if a fact may start at this word, regardless of what follows. This holds for few words.
    #[inline(always)]
    pub(crate) fn may_start_fact(self) -> bool {
        self.0.get() & Self::MAY_START_FACT != 0
    }

    /// Returns `true` if a fact may start at the word before this one, whichever word that is.
    #[inline(always)]
    pub(crate) fn may_go_on_fact(self) -> bool {
        self.0.get() & Self::MAY_GO_ON_FACT != 0
    }

    /// Returns `true` if the word may be the unit, the scale or the like of a number before it. This holds for few
    /// words.
    #[inline(always)]
    pub(crate) fn may_measure(self) -> bool {
        self.0.get() & Self::MAY_MEASURE != 0
    }

    /// Returns `true` if the word is worth looking up elsewhere: it has at least three letters, or is a character that
    /// is a word of its own.
    #[inline(always)]
    pub fn is_sought(self) -> bool {
        self.0.get() & Self::IS_SOUGHT != 0
    }
}

/// All words that were read, each with its number.
pub struct Vocabulary {
    words: Table,
    traits_of: TraitsOf,
}

impl Vocabulary {
    /// Creates an empty vocabulary, which gets the traits of its words from `traits_of`.
    pub fn new(traits_of: TraitsOf) -> Self {
        Self {
            words: Table::default(),
            traits_of,
        }
    }

    /// Returns the id of `word` and adds the word if it is new. `key` is the word's key, which does not depend on case.
    #[inline(always)]
    pub(crate) fn id_of(&mut self, key: u64, word: &str) -> WordId {
        match self.words.find(key, |_| true) {
            Some(id) => WordId(id),
            None => self.add(key, word),
        }
    }

    /// Returns the id of `word`, in any case, if some text contains it.
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
