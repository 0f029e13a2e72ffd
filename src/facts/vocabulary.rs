//! Words by number, so that texts are compared word by word without reading them again.

use std::num::NonZeroU32;
use std::slice::from_ref;

use super::amount::MEASURES;
use super::date::{MONTHS, SHORT_MONTHS, is_month};
use super::money::{CODES, CURRENCIES_BEFORE, may_be_currency_before};
use super::number_words::{
    CENT, HUNDREDS, ROUND, SMALL, TENS, follows_norwegian_count, may_be_compound,
    starts_number_in_words,
};
use super::table::Table;
use super::time::{MIDNIGHT, NOON, named_minutes};
use super::token::{Token, key_of, stands_alone};
use super::word_list::WordFilter;

/// Shorter words say too little to be looked for, where the script does not write each word as one sign.
const SHORTEST_SOUGHT: usize = 3;

/// The words that facts start with, compounds apart, and those that go on facts.
static FIRST_WORDS: WordFilter = WordFilter::of(&[
    &SMALL,
    &TENS,
    from_ref(&HUNDREDS),
    &ROUND,
    from_ref(&CENT),
    from_ref(&NOON),
    from_ref(&MIDNIGHT),
    &MONTHS,
    &SHORT_MONTHS,
    from_ref(&CODES),
    from_ref(&CURRENCIES_BEFORE),
]);

/// A word, whatever its case: its number and what it is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WordId(NonZeroU32);

impl WordId {
    const MAY_START_FACT: u32 = 1 << 1;
    const MAY_GO_ON_FACT: u32 = 1 << 2;
    const MAY_MEASURE: u32 = 1 << 3;
    const IS_SOUGHT: u32 = 1 << 4;
    /// The first bit of the number. The lowest bit of all is always set.
    const NUMBER: u32 = 5;

    fn new(number: usize, key: u64, word: &str) -> Self {
        let token = Token::of_word(word);
        let is_ascii = word.is_ascii();
        let is_first = || {
            starts_number_in_words(&token)
                || named_minutes(&token).is_some()
                || is_month(&token)
                || may_be_currency_before(&token)
        };
        // Hardly any word passes the first two lines, and the rest of them takes long.
        let may_start_fact =
            !is_ascii || ((FIRST_WORDS.may_hold(key) || may_be_compound(word)) && is_first());
        let may_go_on_fact = FIRST_WORDS.may_hold(key) && follows_norwegian_count(&token);
        let is_sought =
            word.chars().nth(SHORTEST_SOUGHT - 1).is_some() || word.starts_with(stands_alone);
        let bit = |is_so: bool, bit: u32| if is_so { bit } else { 0 };
        let bits = (number as u32) << Self::NUMBER
            | bit(may_start_fact, Self::MAY_START_FACT)
            | bit(may_go_on_fact, Self::MAY_GO_ON_FACT)
            | bit(!is_ascii || MEASURES.may_hold(key), Self::MAY_MEASURE)
            | bit(is_sought, Self::IS_SOUGHT);
        Self(NonZeroU32::MIN | bits)
    }

    /// Its place among all words in the order in which they were read, from 0.
    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0.get() >> Self::NUMBER) as usize
    }

    /// Whether a fact may start at this word whatever follows it: at hardly any does one.
    #[inline(always)]
    pub(super) fn may_start_fact(self) -> bool {
        self.0.get() & Self::MAY_START_FACT != 0
    }

    /// Whether a fact may start at the word before this one, whatever that is.
    #[inline(always)]
    pub(super) fn may_go_on_fact(self) -> bool {
        self.0.get() & Self::MAY_GO_ON_FACT != 0
    }

    /// Whether it may say what a number before it measures: hardly any word does.
    #[inline(always)]
    pub(super) fn may_measure(self) -> bool {
        self.0.get() & Self::MAY_MEASURE != 0
    }

    /// Whether it is worth looking for elsewhere: a word of at least three letters, or a sign that is one.
    #[inline(always)]
    pub fn is_sought(self) -> bool {
        self.0.get() & Self::IS_SOUGHT != 0
    }
}

/// All words that were read, each numbered once.
#[derive(Default)]
pub struct Vocabulary {
    words: Table,
}

impl Vocabulary {
    /// The number of `word`, whose key is the same in any case.
    #[inline(always)]
    pub(super) fn id_of(&mut self, key: u64, word: &str) -> WordId {
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
        let id = WordId::new(self.words.len(), key, word);
        self.words.add(key, id.0);
        id
    }
}
