//! A hash table of numbers with 64-bit keys.

use std::hash::BuildHasher;
use std::num::NonZeroU32;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// Numbers that are looked up by key. Several numbers may have the same key. The hasher is randomly seeded, so nobody
/// can craft keys that collide.
#[derive(Default)]
pub struct Table {
    numbers: HashTable<(u64, NonZeroU32)>,
    hasher: RandomState,
}

impl Table {
    /// Returns the count of numbers in the table.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Returns the number with this key for which `is_meant` returns `true`.
    #[inline(always)]
    pub fn find(&self, key: u64, is_meant: impl Fn(NonZeroU32) -> bool) -> Option<NonZeroU32> {
        let found = self
            .numbers
            .find(self.hasher.hash_one(key), |(known, number)| {
                *known == key && is_meant(*number)
            });
        found.map(|(_, number)| *number)
    }

    /// Adds a number, which must not be in the table yet.
    pub fn add(&mut self, key: u64, number: NonZeroU32) {
        let hasher = &self.hasher;
        self.numbers
            .insert_unique(hasher.hash_one(key), (key, number), |(key, _)| {
                hasher.hash_one(*key)
            });
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
