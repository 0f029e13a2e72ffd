//! What the keys of objects say of the values under them.

/// A part of keys, of at most eight ASCII letters, in any case.
pub struct Part {
    letters: u64,
    /// The bits of as many letters as it has.
    mask: u64,
}

const NAME: Part = Part::of("name");

impl Part {
    /// The part that `text`, which is in lower case, is.
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

    /// Whether it is in `key`.
    pub fn is_in(&self, key: &str) -> bool {
        let mut last = 0;
        for byte in key.as_bytes() {
            // The bit in which the cases of a letter differ.
            last = (last << 8 | u64::from(byte | 0x20)) & self.mask;
            if last == self.letters {
                return true;
            }
        }
        false
    }
}

/// A key, with which characters it has.
#[derive(Clone, Copy)]
pub struct Key<'k> {
    text: &'k str,
    has: u8,
}

/// The letters of the names that keys are asked for, each a bit; digits are the last one.
const LETTERS: &[u8] = b"name";
const DIGITS: u8 = 1 << LETTERS.len();
const OF_NAME: u8 = bits_of(b"name");

/// The bits of each byte: one look at each byte of a key shows what most keys don't say.
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
    /// The key `text`.
    pub fn of(text: &'k str) -> Self {
        let mut has = 0;
        for byte in text.as_bytes() {
            has |= BITS[usize::from(*byte)];
        }
        Self { text, has }
    }

    /// Whether it says something by itself.
    pub fn has_digit(self) -> bool {
        self.has & DIGITS != 0
    }

    /// Whether what is under it is a name.
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
