//! What the keys of objects say of the values under them.

/// A part of keys, of at most eight ASCII letters, in any case.
pub struct Part {
    letters: u64,
    /// The bits of as many letters as it has.
    mask: u64,
}

const NAME: Part = Part::of("name");

const TITLE: Part = Part::of("title");

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

    /// Whether it stands in `key`.
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

/// What a key says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Signs {
    /// That a name stands under it.
    pub is_name: bool,
    /// That a title stands under it.
    pub is_title: bool,
    /// Something by itself, since it has digits.
    pub has_digit: bool,
}

impl Signs {
    fn of(key: &str) -> Self {
        let bytes = key.as_bytes();
        Self {
            is_name: NAME.is_in(key),
            is_title: TITLE.is_in(key),
            has_digit: bytes.iter().any(u8::is_ascii_digit),
        }
    }
}

/// What the keys say that were met lately, each at the place that its length and its ends give: a few keys
/// recur all the time.
#[derive(Default)]
pub struct Keys<'k>(Vec<(&'k str, Signs)>);

/// How many keys are kept.
const MOST_KEPT: usize = 256;

impl<'k> Keys<'k> {
    /// What `key` says.
    pub fn signs_of(&mut self, key: &'k str) -> Signs {
        if self.0.is_empty() {
            self.0.resize(MOST_KEPT, ("", Signs::default()));
        }
        let kept = &mut self.0[place_of(key)];
        if kept.0 != key {
            *kept = (key, Signs::of(key));
        }
        kept.1
    }
}

fn place_of(key: &str) -> usize {
    let [first, .., last] = key.as_bytes() else {
        return 0;
    };
    (usize::from(*first) * 5 + usize::from(*last) * 3 + key.len() * 29) % MOST_KEPT
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
        fn keys_that_were_met_say_the_same_again(keys in prop::collection::vec("[na]{0,3}(me|1)?", 0..40)) {
            let mut met = Keys::default();
            for key in &keys {
                let signs = Signs {
                    is_name: key.contains("name"),
                    is_title: false,
                    has_digit: key.contains('1'),
                };
                prop_assert_eq!(met.signs_of(key), signs);
            }
        }

        #[test]
        fn so_it_does_in_lower_case(key in "[a-cA-C@_é\u{1}]{0,12}", part in "[a-c]{1,8}") {
            let stands_in_key = key.to_ascii_lowercase().contains(&part);
            prop_assert_eq!(Part::of(&part).is_in(&key), stands_in_key);
        }
    }
}
