//! Values by 64-bit keys.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;

/// Values by keys that are numbers: each stands at the place that its key gives, or at the next free one. Each text and
/// each word is looked up in such a table, which takes half of what it takes in a map of the standard library.
pub struct Table<T> {
    slots: Vec<Slot<T>>,
    /// How many slots are taken.
    taken: usize,
    /// A key times this number, shifted right, is its place. The number is odd, and no text can know it: no keys can
    /// be made up that share one place.
    spread: u64,
    shift: u32,
}

#[derive(Clone, Copy)]
struct Slot<T> {
    key: u64,
    value: Option<T>,
}

/// How many slots there are at first. At most half of them are taken, and their number is a power of two.
const FEWEST_SLOTS: usize = 32;

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            taken: 0,
            spread: RandomState::default().hash_one(FEWEST_SLOTS) | 1,
            shift: 0,
        }
    }
}

impl<T: Copy> Table<T> {
    /// How many values there are.
    pub fn len(&self) -> usize {
        self.taken
    }

    /// The value of this key that is meant: several may have the same key.
    #[inline(always)]
    pub fn find(&self, key: u64, is_meant: impl Fn(T) -> bool) -> Option<T> {
        let last = self.slots.len().wrapping_sub(1);
        let mut place = self.first_place(key);
        loop {
            let slot = self.slots.get(place & last)?;
            let value = slot.value?;
            if slot.key == key && is_meant(value) {
                return Some(value);
            }
            place += 1;
        }
    }

    /// Adds a value that is not there.
    pub fn add(&mut self, key: u64, value: T) {
        self.taken += 1;
        if self.slots.len() < 2 * self.taken {
            self.grow();
        }
        let value = Some(value);
        self.put(Slot { key, value });
    }

    #[inline(always)]
    fn first_place(&self, key: u64) -> usize {
        (key.wrapping_mul(self.spread) >> self.shift) as usize
    }

    fn put(&mut self, slot: Slot<T>) {
        let last = self.slots.len() - 1;
        let mut place = self.first_place(slot.key);
        while self.slots[place & last].value.is_some() {
            place += 1;
        }
        self.slots[place & last] = slot;
    }

    fn grow(&mut self) {
        let free = Slot {
            key: 0,
            value: None,
        };
        let length = (2 * self.slots.len()).max(FEWEST_SLOTS);
        self.shift = u64::BITS - length.trailing_zeros();
        for slot in std::mem::replace(&mut self.slots, vec![free; length]) {
            if slot.value.is_some() {
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
        fn values_are_found_by_their_keys(keys in prop::collection::vec(0_u64..200, 0..300)) {
            let mut table = Table::default();
            for (at, key) in keys.iter().enumerate() {
                prop_assert_eq!(table.find(*key, |value: usize| value == at), None);
                table.add(*key, at);
            }
            prop_assert_eq!(table.len(), keys.len());
            for (at, key) in keys.iter().enumerate() {
                prop_assert_eq!(table.find(*key, |value| value == at), Some(at));
            }
            prop_assert_eq!(table.find(200, |_| true), None);
        }
    }
}
