//! Filters words by their first two bytes, to skip most comparisons with a list of words.

/// A set of byte pairs, such as the first two bytes of each word of a list. Only the lowest five bits of each byte are
/// compared.
pub struct Pairs([u64; 16]);

impl Pairs {
    /// The empty set.
    pub const NONE: Self = Self([0; 16]);

    /// Returns the set of all byte pairs in `text`.
    #[cfg(test)]
    fn of(text: &str) -> Self {
        let mut pairs = Self::NONE;
        for pair in text.as_bytes().windows(2) {
            pairs.add(pair[0], pair[1]);
        }
        pairs
    }

    /// Adds a pair.
    pub const fn add(&mut self, first: u8, second: u8) {
        let place = Self::place(first, second);
        self.0[place / 64] |= 1 << (place % 64);
    }

    /// Checks whether `text` may begin with a pair of the set. Pairs with the same lowest bits also pass. Returns
    /// `false` for a text of one byte.
    pub fn may_begin(&self, text: &str) -> bool {
        let [first, second, ..] = text.as_bytes() else {
            return false;
        };
        let place = Self::place(*first, *second);
        self.0[place / 64] & (1 << (place % 64)) != 0
    }

    const fn place(first: u8, second: u8) -> usize {
        (first as usize % 32) * 32 + second as usize % 32
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Pairs;

    proptest! {
        #[test]
        fn what_a_text_holds_may_begin_in_it(before in "[aé ]{0,4}", held in "[abé日]{2,5}", after in "[aé]{0,4}") {
            let pairs = Pairs::of(&[before, held.clone(), after].concat());
            prop_assert!(pairs.may_begin(&held));
        }
    }

    #[test]
    fn what_begins_otherwise_may_not() {
        let pairs = Pairs::of("total");
        for (text, may) in [
            ("tower", true),
            ("lone", false),
            ("talk", true),
            ("t", false),
            ("", false),
        ] {
            assert_eq!(pairs.may_begin(text), may, "{text}");
        }
        assert!(!Pairs::NONE.may_begin("to"));
    }
}
