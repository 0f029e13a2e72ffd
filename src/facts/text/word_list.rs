//! Lists of words that tokens are looked up in.

use super::token::{key_of_ascii, mix};

/// Words in lower case with a filter in front: most words that are looked up are in no list, which one look
/// at the filter shows.
pub struct WordList {
    /// The words, parted by single spaces.
    words: &'static str,
    filter: [u64; 4],
}

impl WordList {
    /// The list of `words`, which single spaces part.
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

/// Distinguishes most words, by their keys, from all words of some lists.
pub struct WordFilter([u64; 64]);

impl WordFilter {
    /// The filter of these lists.
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

    /// Whether the word of this key may be in a list. Words with other letters than ASCII have other keys.
    #[inline(always)]
    pub fn may_hold(&self, key: u64) -> bool {
        let bit = Self::bit_of(key);
        self.0[bit / 64] & (1 << (bit % 64)) != 0
    }

    const fn bit_of(key: u64) -> usize {
        (mix(key) >> 52) as usize
    }
}

/// Sets the bits of `words`, which single spaces part.
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

/// What words are looked up in: a list, or a text of few words in lower case that spaces part.
pub trait Words {
    /// The words.
    fn words(&self) -> &str;

    /// Whether `word`, in any case, may be among them; it is not empty.
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
        // Other letters may be written with other bytes in the other case.
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

/// A number below 256 that depends on the ends of a word, not on their case, and on its length in bytes.
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
