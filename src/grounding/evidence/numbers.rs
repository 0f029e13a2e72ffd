//! Known numbers: exact, rounded, in order, and the digits of long ones.

use std::collections::BTreeSet;

use foldhash::HashSet;

use super::known::Known;
use crate::digest::{Numbers, digest};
use toolgauge_facts::decimals;
use toolgauge_model::Number;

/// The most decimals to which numbers are rounded.
const MOST_DECIMALS: usize = 2;

/// From here on, different whole numbers may be equal as doubles.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

/// The fewest digits of such numbers.
const LONG: usize = 16;

/// The numbers that are known.
#[derive(Default)]
pub struct KnownNumbers {
    exact: Numbers,
    /// The numbers that are not whole, rounded, for each number of decimals.
    rounded: [Numbers; MOST_DECIMALS + 1],
    /// Digests of the digits of whole numbers that are too large to compare as doubles.
    long: HashSet<u64>,
}

impl KnownNumbers {
    /// Like `clone_from`: overwrites `self` but keeps its allocations.
    pub fn copy(&mut self, other: &Self) {
        let Self {
            exact,
            rounded,
            long,
        } = self;
        let Self {
            exact: other_exact,
            rounded: other_rounded,
            long: other_long,
        } = other;
        exact.copy(other_exact);
        for (rounded, other) in rounded.iter_mut().zip(other_rounded) {
            rounded.copy(other);
        }
        long.clone_from(other_long);
    }

    /// Adds a number, and its rounded values if it is not whole. Returns `true` if the number is new.
    pub fn add(&mut self, number: f64) -> bool {
        let is_new = self.exact.insert(number);
        if is_new && number.fract() != 0.0 {
            for (decimals, rounded) in (0..).zip(&mut self.rounded) {
                rounded.insert(units(number, decimals));
            }
        }
        is_new
    }

    /// Adds a number that is part of an identifier, without rounded values.
    pub fn add_part(&mut self, number: f64) {
        self.exact.insert(number);
    }

    /// Adds the digits of a JSON number if it is too large to compare as a double.
    pub fn add_long_number(&mut self, number: Number) {
        if number.as_f64() < LARGEST_EXACT {
            return;
        }
        self.long.insert(digest(&*number.to_string()));
        // Beyond 2^64 the parser keeps only a double, so the digits of a reply are compared as a double, too.
        if matches!(number, Number::Float(_)) {
            self.long.insert(digest(number.as_f64().to_bits()));
        }
    }

    /// Adds a text if it is a whole number that is too long to compare as a double.
    pub fn add_long(&mut self, text: &str) {
        if is_long(text) {
            self.long.insert(digest(text));
        }
    }

    /// Returns `true` if some number has exactly these digits.
    pub fn hold_long(&self, digits: &str) -> bool {
        let is_rounded = || {
            let double = digits.parse::<f64>().unwrap_or_default();
            self.long.contains(&digest(double.to_bits()))
        };
        self.long.contains(&digest(digits)) || is_rounded()
    }

    /// Returns `true` if a number is known as it is, with the other sign, or rounded to the digits it is written with.
    pub fn hold(&self, number: f64, written: &str) -> bool {
        if self.exact.contains(number) || self.exact.contains(-number) {
            return true;
        }
        let decimals = decimals(written);
        let unit = unit(decimals);
        let units = units(number, decimals);
        let is_as_round = (units * unit - number).abs() < unit / 1e6;
        is_as_round && self.rounded[decimals as usize].contains(units)
    }
}

/// The absolute values of the known numbers, in order.
#[derive(Default)]
pub struct NumberOrder {
    ordered: BTreeSet<u64>,
    /// How many of the known values have been read.
    read: usize,
}

impl NumberOrder {
    /// Like `clone_from`: overwrites `self` but keeps its allocations.
    pub fn copy(&mut self, other: &Self) {
        let Self { ordered, read } = self;
        let Self {
            ordered: other_ordered,
            read: other_read,
        } = other;
        ordered.clone_from(other_ordered);
        *read = *other_read;
    }

    /// Reads the values that were added since the last call.
    pub fn read(&mut self, known: &[Known<'_>]) {
        let numbers = known[self.read..].iter().filter_map(Known::number);
        self.ordered
            .extend(numbers.map(|number| bits(number.abs())));
        self.read = known.len();
    }

    /// Returns `true` if the absolute value of some number is between `low` and `high`.
    pub fn holds_between(&self, low: f64, high: f64) -> bool {
        // The bits of numbers above 0 have the same order as the numbers.
        let (low, high) = (bits(low.max(0.0)), bits(high.max(0.0)));
        low <= high && self.ordered.range(low..=high).next().is_some()
    }
}

/// Returns `true` if a text consists of digits only and is too long to compare as a double.
pub fn is_long(text: &str) -> bool {
    text.len() >= LONG && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the size of the last decimal place of numbers with this many decimals: 0.01 for two.
fn unit(decimals: i32) -> f64 {
    10f64.powi(-decimals)
}

/// Returns the number, rounded to this many decimals, in units of the last decimal place.
fn units(number: f64, decimals: i32) -> f64 {
    (number / unit(decimals)).round()
}

fn bits(number: f64) -> u64 {
    if number == 0.0 { 0 } else { number.to_bits() }
}
