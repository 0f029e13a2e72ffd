//! What texts hold, as numbers.

use std::hash::{BuildHasher, Hash};

use foldhash::HashSet;
use foldhash::fast::FixedState;

/// A set has room for so many times 64 numbers at once: most sets grow that far.
const FEWEST_BLOCKS: usize = 32;

/// A set of small numbers.
#[derive(Default)]
pub struct NumberSet(Vec<u64>);

impl NumberSet {
    /// Becomes what `other` is, in the memory that it has.
    pub fn copy(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }

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
                self.0.resize((at + 1).max(FEWEST_BLOCKS), 0);
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

/// A set of numbers of all kinds: most are whole and small, and take one bit.
#[derive(Default)]
pub struct Numbers {
    small: NumberSet,
    /// The bits of the others.
    others: HashSet<u64>,
}

impl Numbers {
    /// Becomes what `other` is, in the memory that it has.
    pub fn copy(&mut self, other: &Self) {
        let Self { small, others } = other;
        self.small.copy(small);
        self.others.clone_from(others);
    }

    /// Adds a number; whether it was not there yet.
    pub fn insert(&mut self, number: f64) -> bool {
        match small(number) {
            Some(small) => self.small.insert(small),
            None => self.others.insert(number.to_bits()),
        }
    }

    /// Whether the number was added.
    pub fn contains(&self, number: f64) -> bool {
        match small(number) {
            Some(small) => self.small.contains(small),
            None => self.others.contains(&number.to_bits()),
        }
    }
}

/// Numbers from here on are not small.
const LARGE: f64 = 65_536.0;

fn small(number: f64) -> Option<usize> {
    let whole = number as u32;
    (number < LARGE && f64::from(whole) == number).then_some(whole as usize)
}

/// What stands for a value where values are only asked whether they are equal.
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
