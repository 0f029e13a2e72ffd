//! What the keys of objects say about their values.

/// A part of a key: at most eight ASCII letters, compared without case.
pub struct Part {
    letters: u64,
    /// A mask over the bytes of these letters.
    mask: u64,
}

const NAME: Part = Part::of("name");

impl Part {
    /// Creates the part `text`, which must be in lower case.
    pub const fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let (mut letters, mut at) = (0, 0);
        while at < bytes.len() {
            letters = letters << 8 | bytes[at] as u64;
            at += 1;
        }
        Self {
            letters,
            mask: u64::MAX >> (u64::BITS as usize - 8 * bytes.len()),
        }
    }

    /// Checks whether `key` contains the part.
    pub fn is_in(&self, key: &str) -> bool {
        let mut last = 0;
        for byte in key.as_bytes() {
            // The bit 0x20 is the difference between upper and lower case.
            last = (last << 8 | u64::from(byte | 0x20)) & self.mask;
            if last == self.letters {
                return true;
            }
        }
        false
    }
}

/// A key, together with the classes of characters that it contains.
#[derive(Clone, Copy)]
pub struct Key<'k> {
    text: &'k str,
    has: u8,
}

/// The letters that the checks of keys look for, one bit each. Digits share the bit after them.
const LETTERS: &[u8] = b"name";
const DIGITS: u8 = 1 << LETTERS.len();
const OF_NAME: u8 = bits_of(b"name");

/// The bit of each byte. Reading each byte of a key once is enough to rule out most checks.
const BITS: [u8; 256] = {
    let mut bits = [0; 256];
    let mut at = 0;
    while at < LETTERS.len() {
        bits[LETTERS[at] as usize] = 1 << at;
        bits[LETTERS[at].to_ascii_uppercase() as usize] = 1 << at;
        at += 1;
    }
    let mut digit = b'0';
    while digit <= b'9' {
        bits[digit as usize] = DIGITS;
        digit += 1;
    }
    bits
};

const fn bits_of(letters: &[u8]) -> u8 {
    let (mut bits, mut at) = (0, 0);
    while at < letters.len() {
        bits |= BITS[letters[at] as usize];
        at += 1;
    }
    bits
}

impl<'k> Key<'k> {
    /// Creates a key from `text`.
    pub fn of(text: &'k str) -> Self {
        let mut has = 0;
        for byte in text.as_bytes() {
            has |= BITS[usize::from(*byte)];
        }
        Self { text, has }
    }

    /// Checks whether the key contains a digit.
    pub fn has_digit(self) -> bool {
        self.has & DIGITS != 0
    }

    /// Checks whether the value under the key is a name.
    pub fn is_of_name(self) -> bool {
        self.has & OF_NAME == OF_NAME && NAME.is_in(self.text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_part_may_stand_anywhere_in_any_case() {
        for key in ["name", "firstName", "NAMES", "é_name", "nname"] {
            assert!(NAME.is_in(key), "{key}");
        }
        for key in ["", "nam", "n_ame", "amen"] {
            assert!(!NAME.is_in(key), "{key}");
        }
    }

    proptest! {
        #[test]
        fn keys_say_what_they_hold(text in "[nA@_é]{0,3}(na|NA)?(m|ME|x)?e?[12]?") {
            let (key, lower) = (Key::of(&text), text.to_ascii_lowercase());
            prop_assert_eq!(key.is_of_name(), lower.contains("name"));
            prop_assert_eq!(key.has_digit(), text.contains(['1', '2']));
        }

        #[test]
        fn so_it_does_in_lower_case(key in "[a-cA-C@_é\u{1}]{0,12}", part in "[a-c]{1,8}") {
            let stands_in_key = key.to_ascii_lowercase().contains(&part);
            prop_assert_eq!(Part::of(&part).is_in(&key), stands_in_key);
        }
    }
}
