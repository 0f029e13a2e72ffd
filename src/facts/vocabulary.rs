//! Words by number, so that texts are compared word by word without reading them again.

use std::hash::BuildHasher;
use std::num::NonZeroU32;
use std::slice::from_ref;

use foldhash::fast::RandomState;

use super::amount::MEASURES;
use super::date::{MONTHS, SHORT_MONTHS, is_month};
use super::money::{CODES, CURRENCIES_BEFORE, may_be_currency_before};
use super::number_words::{
    CENT, HUNDREDS, ROUND, SMALL, TENS, follows_norwegian_count, may_be_compound,
    starts_number_in_words,
};
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
pub struct Vocabulary {
    /// The words by their keys: each at the place that its key gives, or at the next free one. Each word of a text is
    /// looked up here, which takes a third of what it takes in a map of the standard library.
    slots: Vec<Slot>,
    count: usize,
    /// A key times this number, shifted right, is its place. The number is odd, and no text can know it: no words can
    /// be made up that share one place.
    spread: u64,
    shift: u32,
}

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    word: Option<WordId>,
}

/// How many slots there are at first. At most half of them are taken, and their number is a power of two.
const FEWEST_SLOTS: usize = 32;

impl Default for Vocabulary {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            count: 0,
            spread: RandomState::default().hash_one(FEWEST_SLOTS) | 1,
            shift: 0,
        }
    }
}

impl Vocabulary {
    /// The number of `word`, whose key is the same in any case.
    #[inline(always)]
    pub(super) fn id_of(&mut self, key: u64, word: &str) -> WordId {
        match self.look_up(key) {
            Ok(id) => id,
            Err(_) => self.add(key, word),
        }
    }

    /// The number of a word, in any case, that some text has.
    pub fn find(&self, word: &str) -> Option<WordId> {
        self.look_up(key_of(word)).ok()
    }

    /// The word of this key, or the free slot that it would take.
    #[inline(always)]
    fn look_up(&self, key: u64) -> Result<WordId, usize> {
        let last = self.slots.len().wrapping_sub(1);
        let mut place = (key.wrapping_mul(self.spread) >> self.shift) as usize;
        loop {
            match self.slots.get(place & last) {
                Some(Slot {
                    key: known,
                    word: Some(id),
                }) if *known == key => return Ok(*id),
                Some(Slot { word: Some(_), .. }) => place += 1,
                _ => return Err(place & last),
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn add(&mut self, key: u64, word: &str) -> WordId {
        let id = WordId::new(self.count, key, word);
        self.count += 1;
        if self.slots.len() < 2 * self.count {
            self.grow();
        }
        self.put(Slot {
            key,
            word: Some(id),
        });
        id
    }

    fn put(&mut self, slot: Slot) {
        if let Err(free) = self.look_up(slot.key) {
            self.slots[free] = slot;
        }
    }

    fn grow(&mut self) {
        let free = Slot { key: 0, word: None };
        let length = (2 * self.slots.len()).max(FEWEST_SLOTS);
        self.shift = u64::BITS - length.trailing_zeros();
        let before = std::mem::replace(&mut self.slots, vec![free; length]);
        let taken = before.into_iter().filter(|slot| slot.word.is_some());
        taken.for_each(|slot| self.put(slot));
    }

    /// Whether the word is worth looking for elsewhere.
    pub fn is_sought(&self, word: WordId) -> bool {
        word.is_sought()
    }
}
