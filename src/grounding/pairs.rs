//! Which pairs of bytes a text may hold: hardly any word that is looked for begins with one of them.

/// A set of pairs of bytes; only the lowest five bits of each count.
pub struct Pairs([u64; 16]);

impl Pairs {
    /// The set without any pair.
    pub const NONE: Self = Self([0; 16]);

    /// All pairs that are in `text`.
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

    /// Whether the pair that `text` begins with may be there; a text of one byte begins with none.
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
