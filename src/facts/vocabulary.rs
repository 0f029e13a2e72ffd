//! Words by number, so that texts are compared word by word without reading them again.

use std::num::NonZeroU32;

use foldhash::HashMap;

use super::date::is_month;
use super::money::may_be_currency_before;
use super::number_words::{follows_norwegian_count, starts_number_in_words};
use super::time::may_be_named_time;
use super::token::{Token, key_of, mix, stands_alone};

/// Shorter words say too little to be looked for, where the script does not write each word as one sign.
const SHORTEST_SOUGHT: usize = 3;

/// A word, whatever its case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WordId(NonZeroU32);

impl WordId {
    /// Its place among all words in the order in which they were read, from 0.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// All words that were read, each numbered once.
#[derive(Default)]
pub struct Vocabulary {
    ids: HashMap<u64, WordId>,
    traits: Vec<Traits>,
    /// Words that were read lately, each at the place that its key gives: most words are among them.
    recent: Vec<Option<(u64, WordId)>>,
}

/// Up to so many words, as single texts have, none are kept apart.
const FEW: usize = 256;

/// How many words that were read lately are kept: 2 to the power of this.
const RECENT_BITS: u32 = 11;

/// What a word is like, found out once.
#[derive(Clone, Copy)]
struct Traits {
    may_start_fact: bool,
    may_go_on_fact: bool,
    is_sought: bool,
}

impl Vocabulary {
    /// The number of `word`, whose key is the same in any case.
    pub(super) fn id_of(&mut self, key: u64, word: &str) -> WordId {
        if self.recent.is_empty() {
            if self.traits.len() < FEW {
                return self.number(key, word);
            }
            self.recent.resize(1 << RECENT_BITS, None);
        }
        let place = (mix(key) >> (u64::BITS - RECENT_BITS)) as usize;
        match self.recent[place] {
            Some((recent, id)) if recent == key => id,
            _ => {
                let id = self.number(key, word);
                self.recent[place] = Some((key, id));
                id
            }
        }
    }

    fn number(&mut self, key: u64, word: &str) -> WordId {
        let next = WordId(NonZeroU32::MIN.saturating_add(self.traits.len() as u32));
        let id = *self.ids.entry(key).or_insert(next);
        if id == next {
            self.traits.push(Traits::of(word));
        }
        id
    }

    /// The number of a word, in any case, that some text has.
    pub fn find(&self, word: &str) -> Option<WordId> {
        self.ids.get(&key_of(word)).copied()
    }

    /// Whether a fact may start at this word whatever follows it: at hardly any does one.
    #[inline(always)]
    pub(super) fn may_start_fact(&self, word: WordId) -> bool {
        self.traits[word.index()].may_start_fact
    }

    /// Whether a fact may start at the word before this one, whatever that is.
    #[inline(always)]
    pub(super) fn may_go_on_fact(&self, word: WordId) -> bool {
        self.traits[word.index()].may_go_on_fact
    }

    /// Whether it is worth looking for elsewhere: a word of at least three letters, or a sign that is one.
    pub fn is_sought(&self, word: WordId) -> bool {
        self.traits[word.index()].is_sought
    }
}

impl Traits {
    fn of(word: &str) -> Self {
        let token = Token::of_word(word);
        Self {
            may_start_fact: !word.is_ascii()
                || starts_number_in_words(&token)
                || may_be_named_time(word)
                || is_month(&token)
                || may_be_currency_before(word),
            may_go_on_fact: follows_norwegian_count(&token),
            is_sought: word.chars().nth(SHORTEST_SOUGHT - 1).is_some()
                || word.starts_with(stands_alone),
        }
    }
}
