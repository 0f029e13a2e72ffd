//! What texts hold, as numbers.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;

/// A set of small numbers.
#[derive(Default, Clone)]
pub struct NumberSet(Vec<u64>);

impl NumberSet {
    /// Adds a number; whether it was not there yet.
    #[inline]
    pub fn insert(&mut self, number: usize) -> bool {
        let (at, bit) = (number / 64, 1 << (number % 64));
        match self.0.get_mut(at) {
            Some(bits) => {
                let is_new = *bits & bit == 0;
                *bits |= bit;
                is_new
            }
            None => {
                self.0.resize(at + 1, 0);
                self.0[at] = bit;
                true
            }
        }
    }

    /// Whether the number was added.
    pub fn contains(&self, number: usize) -> bool {
        let bits = self.0.get(number / 64);
        bits.is_some_and(|bits| bits & (1 << (number % 64)) != 0)
    }
}

/// What stands for a value where values are only asked whether they are equal.
pub fn digest(value: impl Hash) -> u64 {
    FixedState::default().hash_one(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_added() {
        let mut set = NumberSet::default();
        assert!(!set.contains(0) && !set.contains(1000));
        assert!(set.insert(64) && set.insert(63) && !set.insert(64));
        assert!(set.contains(63) && set.contains(64) && !set.contains(65));
    }
}
