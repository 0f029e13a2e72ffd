//! Numbers by 64-bit keys.

use std::hash::BuildHasher;
use std::num::NonZeroU32;

use foldhash::fast::RandomState;

/// Numbers by keys: each is at the place that its key gives, or at the next free one. Each text and each word is
/// looked up in such a table, which takes half of what it takes in a map of the standard library.
pub struct Table {
    slots: Vec<Slot>,
    /// How many slots are taken.
    taken: usize,
    /// A key times this number, shifted right, is its place. The number is odd, and no text can know it: no keys can
    /// be made up that share one place.
    spread: u64,
    shift: u32,
}

/// A key with its number, or zeros: memory comes filled with them.
type Slot = (u64, Option<NonZeroU32>);

/// How many slots there are at first. At most half of them are taken, and their number is a power of two.
const FEWEST_SLOTS: usize = 32;

/// Up to so many slots a table grows in large steps: what is put in its place anew at each costs more than room.
const MANY_SLOTS: usize = 1 << 14;

impl Default for Table {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            taken: 0,
            spread: RandomState::default().hash_one(FEWEST_SLOTS) | 1,
            shift: 0,
        }
    }
}

impl Table {
    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.taken
    }

    /// The number of this key that is meant: several may have the same key.
    #[inline(always)]
    pub fn find(&self, key: u64, is_meant: impl Fn(NonZeroU32) -> bool) -> Option<NonZeroU32> {
        let last = self.slots.len().wrapping_sub(1);
        let mut place = self.first_place(key);
        loop {
            let (known, number) = *self.slots.get(place & last)?;
            let number = number?;
            if known == key && is_meant(number) {
                return Some(number);
            }
            place += 1;
        }
    }

    /// Adds a number that is not there.
    pub fn add(&mut self, key: u64, number: NonZeroU32) {
        self.taken += 1;
        if self.slots.len() < 2 * self.taken {
            self.grow();
        }
        self.put((key, Some(number)));
    }

    #[inline(always)]
    fn first_place(&self, key: u64) -> usize {
        (key.wrapping_mul(self.spread) >> self.shift) as usize
    }

    fn put(&mut self, slot: Slot) {
        let last = self.slots.len() - 1;
        let mut place = self.first_place(slot.0);
        while self.slots[place & last].1.is_some() {
            place += 1;
        }
        self.slots[place & last] = slot;
    }

    fn grow(&mut self) {
        let length = self.slots.len();
        let factor = if length < MANY_SLOTS { 4 } else { 2 };
        let length = (factor * length).max(FEWEST_SLOTS);
        self.shift = u64::BITS - length.trailing_zeros();
        for slot in std::mem::replace(&mut self.slots, vec![(0, None); length]) {
            if slot.1.is_some() {
                self.put(slot);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_are_found_by_their_keys(keys in prop::collection::vec(0_u64..200, 0..300)) {
            let mut table = Table::default();
            let numbers = (1_u32..).filter_map(NonZeroU32::new);
            let entries: Vec<_> = keys.into_iter().zip(numbers).collect();
            for (key, number) in &entries {
                prop_assert_eq!(table.find(*key, |known| known == *number), None);
                table.add(*key, *number);
            }
            prop_assert_eq!(table.len(), entries.len());
            for (key, number) in &entries {
                prop_assert_eq!(table.find(*key, |known| known == *number), Some(*number));
            }
            prop_assert_eq!(table.find(200, |_| true), None);
        }
    }
}
