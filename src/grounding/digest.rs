//! Sets of numbers, and digests that stand for the values in texts.

use std::hash::{BuildHasher, Hash};

use foldhash::HashSet;
use foldhash::fast::FixedState;

/// The blocks of 64 numbers that a set allocates at first: most sets grow to this size.
const FEWEST_BLOCKS: usize = 32;

/// A set of small numbers, one bit each.
#[derive(Default)]
pub struct NumberSet(Vec<u64>);

impl NumberSet {
    /// Overwrites `self` with `other` but keeps its allocation, like `clone_from`.
    pub fn copy(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }

    /// Adds a number. Returns `true` if it is new.
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
                self.0.resize((at + 1).max(FEWEST_BLOCKS), 0);
                self.0[at] = bit;
                true
            }
        }
    }

    /// Checks whether the set contains a number.
    pub fn contains(&self, number: usize) -> bool {
        let bits = self.0.get(number / 64);
        bits.is_some_and(|bits| bits & (1 << (number % 64)) != 0)
    }
}

/// A set of any numbers. Most are small whole numbers, which take one bit each.
#[derive(Default)]
pub struct Numbers {
    small: NumberSet,
    /// The bits of all other numbers.
    others: HashSet<u64>,
}

impl Numbers {
    /// Overwrites `self` with `other` but keeps its allocations, like `clone_from`.
    pub fn copy(&mut self, other: &Self) {
        let Self { small, others } = other;
        self.small.copy(small);
        self.others.clone_from(others);
    }

    /// Adds a number. Returns `true` if it is new.
    pub fn insert(&mut self, number: f64) -> bool {
        match small(number) {
            Some(small) => self.small.insert(small),
            None => self.others.insert(number.to_bits()),
        }
    }

    /// Checks whether the set contains a number.
    pub fn contains(&self, number: f64) -> bool {
        match small(number) {
            Some(small) => self.small.contains(small),
            None => self.others.contains(&number.to_bits()),
        }
    }
}

/// The first number that does not count as small.
const LARGE: f64 = 65_536.0;

fn small(number: f64) -> Option<usize> {
    let whole = number as u32;
    (number < LARGE && f64::from(whole) == number).then_some(whole as usize)
}

/// Returns a hash that represents a value where values are only compared for equality.
pub fn digest(value: impl Hash) -> u64 {
    FixedState::default().hash_one(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn numbers() -> impl Strategy<Value = f64> {
        let near = (-3..3_i32).prop_map(|by| LARGE + f64::from(by));
        const SOME: [f64; 7] = [0.0, -0.0, -1.0, 0.5, f64::NAN, f64::INFINITY, f64::MAX];
        prop_oneof![
            any::<f64>(),
            near,
            (0..9_i32).prop_map(f64::from),
            prop::sample::select(&SOME[..])
        ]
    }

    proptest! {
        #[test]
        fn numbers_are_held_that_were_added(added in prop::collection::vec(numbers(), 0..20), asked in numbers()) {
            let is_same = |a: f64, b: f64| a == b || a.to_bits() == b.to_bits();
            let mut set = Numbers::default();
            for (at, number) in added.iter().enumerate() {
                let is_new = !added[..at].iter().any(|before| is_same(*before, *number));
                prop_assert_eq!(set.insert(*number), is_new);
            }
            let is_held = added.iter().any(|number| is_same(*number, asked));
            prop_assert_eq!(set.contains(asked), is_held);
        }
    }

    #[test]
    fn a_set_holds_what_was_added() {
        let mut set = NumberSet::default();
        assert!(!set.contains(0) && !set.contains(1000));
        assert!(set.insert(64) && set.insert(63) && !set.insert(64));
        assert!(set.contains(63) && set.contains(64) && !set.contains(65));
    }
}
