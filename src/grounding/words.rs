//! The words of texts, whatever their case.

use std::hash::{BuildHasher, Hash};
use std::ops::Range;

use foldhash::HashMap;
use foldhash::fast::FixedState;

use crate::facts::TextId;

/// The words of texts, numbered from 0. Each text is read once, however often it occurs.
#[derive(Default)]
pub struct Words {
    numbers: HashMap<u64, usize>,
    /// For each word the text that it was found in last, counted from 1.
    last: Vec<usize>,
    /// Where the words of each text stand in `found`.
    places: Vec<Option<Range<usize>>>,
    found: Vec<usize>,
}

impl Words {
    /// The numbers of the words of `text`, each once.
    pub fn of(&mut self, id: TextId, text: &str) -> &[usize] {
        let at = id.index();
        if self.places.len() <= at {
            self.places.resize(at + 1, None);
        }
        let place = match &self.places[at] {
            Some(place) => place.clone(),
            None => {
                let start = self.found.len();
                each_word(text, |word| {
                    let next = self.last.len();
                    let number = *self.numbers.entry(digest(word)).or_insert(next);
                    if number == next {
                        self.last.push(0);
                    }
                    if std::mem::replace(&mut self.last[number], at + 1) != at + 1 {
                        self.found.push(number);
                    }
                });
                let place = start..self.found.len();
                self.places[at] = Some(place.clone());
                place
            }
        };
        &self.found[place]
    }

    /// The number of a word, in any case, that some text has.
    pub fn number(&self, word: &str) -> Option<usize> {
        self.numbers.get(&digest(word.to_lowercase())).copied()
    }
}

/// A set of small numbers.
#[derive(Default)]
pub struct NumberSet(Vec<u64>);

impl NumberSet {
    /// Adds a number; whether it was not there yet.
    pub fn insert(&mut self, number: usize) -> bool {
        let (at, bit) = (number / 64, 1 << (number % 64));
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        let is_new = self.0[at] & bit == 0;
        self.0[at] |= bit;
        is_new
    }

    /// Whether the number was added.
    pub fn contains(&self, number: usize) -> bool {
        let bits = self.0.get(number / 64);
        bits.is_some_and(|bits| bits & (1 << (number % 64)) != 0)
    }
}

/// Calls `take` with each word of `text`: a run of letters and digits, in lower case.
pub fn each_word(text: &str, mut take: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let mut lower = String::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if byte.is_ascii() && !byte.is_ascii_alphanumeric() {
            at += 1;
            continue;
        }
        let (ascii, has_capital) = ascii_word(&bytes[at..]);
        let end = at + ascii;
        if bytes.get(end).is_none_or(u8::is_ascii) {
            if !has_capital {
                take(&text[at..end]);
                at = end;
                continue;
            }
            lower.clear();
            lower.push_str(&text[at..end]);
            lower.make_ascii_lowercase();
            take(&lower);
            at = end;
            continue;
        }
        let rest = &text[at..];
        let length = rest.find(|c: char| !c.is_alphanumeric());
        let word = &rest[..length.unwrap_or(rest.len())];
        if !word.is_empty() {
            take(&word.to_lowercase());
        }
        let sign = rest[word.len()..].chars().next();
        at += word.len() + sign.map_or(0, char::len_utf8);
    }
}

/// How many ASCII letters and digits `bytes` start with, and whether a capital is among them.
fn ascii_word(bytes: &[u8]) -> (usize, bool) {
    let mut has_capital = false;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' => {}
            b'A'..=b'Z' => has_capital = true,
            _ => return (at, has_capital),
        }
    }
    (bytes.len(), has_capital)
}

/// What stands for a value where values are only asked whether they are equal.
pub fn digest(value: impl Hash) -> u64 {
    FixedState::default().hash_one(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::facts::Texts;

    proptest! {
        #[test]
        fn words_are_the_runs_of_letters_and_digits(text in "[ -~éÉßσΣİ日—٣\u{a0}]{0,40}") {
            let mut found = Vec::new();
            each_word(&text, |word| found.push(word.to_owned()));
            let runs = text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty());
            prop_assert_eq!(found, runs.map(str::to_lowercase).collect::<Vec<_>>());
        }
    }

    #[test]
    fn each_word_of_a_text_is_numbered_once() {
        let mut texts = Texts::default();
        let mut words = Words::default();
        let (a, b) = ("The bag, the BAG and Été", "a bag");
        let (first, second) = (texts.read(a), texts.read(b));
        assert_eq!(words.of(first, a), [0, 1, 2, 3]);
        assert_eq!(words.of(second, b), [4, 1]);
        assert_eq!(words.of(first, a), [0, 1, 2, 3]);
        assert_eq!(words.number("ÉTÉ"), Some(3));
        assert_eq!(words.number("bags"), None);
    }

    #[test]
    fn a_set_holds_what_was_added() {
        let mut set = NumberSet::default();
        assert!(!set.contains(0) && !set.contains(1000));
        assert!(set.insert(64) && set.insert(63) && !set.insert(64));
        assert!(set.contains(63) && set.contains(64) && !set.contains(65));
    }
}
