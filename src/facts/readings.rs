//! The readings of a spelling.

use std::ops::{Deref, DerefMut};
use std::slice::{Iter, from_mut, from_ref};

/// The readings of a spelling, the likeliest first. Most spellings have exactly one, which needs no allocation.
#[derive(Debug, Clone, PartialEq)]
pub enum Readings<T> {
    /// Exactly one value.
    One(T),
    /// Any other number of values.
    Several(Vec<T>),
}

impl<T: Copy> Readings<T> {
    /// Adds a value, which is less likely than the present ones.
    pub fn push(&mut self, value: T) {
        match self {
            Self::Several(values) if values.is_empty() => *self = Self::One(value),
            Self::Several(values) => values.push(value),
            Self::One(first) => *self = Self::Several(vec![*first, value]),
        }
    }
}

impl<T> Default for Readings<T> {
    fn default() -> Self {
        Self::Several(Vec::new())
    }
}

impl<T> Deref for Readings<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::One(value) => from_ref(value),
            Self::Several(values) => values,
        }
    }
}

impl<T> DerefMut for Readings<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::One(value) => from_mut(value),
            Self::Several(values) => values,
        }
    }
}

impl<'r, T> IntoIterator for &'r Readings<T> {
    type Item = &'r T;
    type IntoIter = Iter<'r, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_in_the_order_in_which_they_were_added() {
        let mut readings = Readings::default();
        assert!(readings.is_empty());
        for value in 1..=4 {
            readings.push(value);
            assert_eq!(readings.len(), value);
            assert_eq!(readings[value - 1], value);
        }
        readings.iter_mut().for_each(|value| *value *= 2);
        assert_eq!(*readings, [2, 4, 6, 8]);
        assert_eq!(*Readings::One(5), [5]);
    }
}
