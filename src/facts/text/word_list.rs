//! Lists of words in which tokens are looked up.

use super::token::{key_of_ascii, mix};

/// A list of words in lower case with a filter. Most words that are looked up are in no list, and the filter rules them
/// out with a single check.
pub struct WordList {
    /// The words, separated by single spaces.
    words: &'static str,
    filter: [u64; 4],
}

impl WordList {
    /// Creates the list of `words`, which single spaces separate.
    pub const fn of(words: &'static str) -> Self {
        let mut filter = [0; 4];
        let bytes = words.as_bytes();
        let (mut start, mut at) = (0, 0);
        while at <= bytes.len() {
            if at == bytes.len() || bytes[at] == b' ' {
                if at > start {
                    let key = key_of(bytes[start], bytes[at - 1], at - start);
                    filter[key / 64] |= 1 << (key % 64);
                }
                start = at + 1;
            }
            at += 1;
        }
        Self { words, filter }
    }
}

/// A filter that rules out, by their keys, most words that are in none of its lists.
pub struct WordFilter([u64; 64]);

impl WordFilter {
    /// Creates the filter of these lists.
    pub const fn of(lists: &[&[WordList]]) -> Self {
        let mut filter = [0; 64];
        let mut at = 0;
        while at < lists.len() {
            let mut list = 0;
            while list < lists[at].len() {
                add_words(lists[at][list].words.as_bytes(), &mut filter);
                list += 1;
            }
            at += 1;
        }
        Self(filter)
    }

    /// Checks whether the word with this key may be in a list. The filter does not know list words that are not ASCII.
    #[inline(always)]
    pub fn may_hold(&self, key: u64) -> bool {
        let bit = Self::bit_of(key);
        self.0[bit / 64] & (1 << (bit % 64)) != 0
    }

    const fn bit_of(key: u64) -> usize {
        (mix(key) >> 52) as usize
    }
}

/// Sets the bits of `words`, which single spaces separate.
const fn add_words(words: &[u8], filter: &mut [u64; 64]) {
    let mut rest = words;
    while !rest.is_empty() {
        let mut length = 0;
        while length < rest.len() && rest[length] != b' ' {
            length += 1;
        }
        let (word, after) = rest.split_at(length);
        let bit = WordFilter::bit_of(key_of_ascii(word));
        filter[bit / 64] |= 1 << (bit % 64);
        rest = match after {
            [_, after @ ..] => after,
            [] => after,
        };
    }
}

/// A collection in which words can be looked up: a list, or a short string of words in lower case that spaces separate.
pub trait Words {
    /// Returns the words, separated by spaces.
    fn words(&self) -> &str;

    /// Checks whether `word`, in any case, may be among them. `word` must not be empty.
    fn may_hold(&self, word: &str) -> bool;
}

impl Words for WordList {
    fn words(&self) -> &str {
        self.words
    }

    #[inline(always)]
    fn may_hold(&self, word: &str) -> bool {
        let bytes = word.as_bytes();
        let (first, last) = (bytes[0], bytes[bytes.len() - 1]);
        let key = key_of(first, last, bytes.len());
        // The bytes of a letter that is not ASCII may differ between upper and lower case.
        !(first.is_ascii() && last.is_ascii()) || self.filter[key / 64] & (1 << (key % 64)) != 0
    }
}

impl Words for str {
    fn words(&self) -> &str {
        self
    }

    fn may_hold(&self, _: &str) -> bool {
        true
    }
}

/// Returns a number below 256 that depends on the first and last byte of a word, regardless of case, and on its length
/// in bytes.
const fn key_of(first: u8, last: u8, length: usize) -> usize {
    let ends = (first | 0x20) as usize * 29 + (last | 0x20) as usize * 7;
    (ends + length * 53) % 256
}

#[cfg(test)]
mod tests {
    use super::super::token::{key_of, tokens};
    use super::*;

    static LIST: WordList = WordList::of("on février kl über é été");

    #[test]
    fn words_are_found_in_any_case() {
        for word in [
            "on", "ON", "On", "FÉVRIER", "février", "kl", "ÜBER", "É", "été", "ÉTÉ",
        ] {
            assert!(tokens(word)[0].says_one_of(&LIST), "{word}");
        }
        for word in ["o", "no", "onn", "fevrier", "k", "uber", "e", "ét", "x"] {
            assert!(!tokens(word)[0].says_one_of(&LIST), "{word}");
        }
    }

    #[test]
    fn the_filter_holds_all_words_of_its_lists_and_few_others() {
        let filter = WordFilter::of(&[&[WordList::of("one"), WordList::of("September nineteen")]]);
        for word in ["one", "ONE", "september", "Nineteen"] {
            assert!(filter.may_hold(key_of(word)), "{word}");
        }
        let others = ["two", "on", "nineteens", "september nineteen", "x"];
        assert!(!others.iter().any(|word| filter.may_hold(key_of(word))));
    }

    #[test]
    fn the_filter_keeps_most_other_words_out() {
        let other = ["order", "flight", "the", "reservation", "you", "baggage"];
        let passed = other.iter().filter(|word| LIST.may_hold(word)).count();
        assert!(passed <= 1, "{passed}");
    }
}
