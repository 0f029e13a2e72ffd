//! The words of texts, whatever their case.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;

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
        let ascii = ascii_word(&bytes[at..]);
        let end = at + ascii;
        if bytes.get(end).is_none_or(u8::is_ascii) {
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

/// How many ASCII letters and digits `bytes` start with.
fn ascii_word(bytes: &[u8]) -> usize {
    let end = bytes.iter().position(|byte| !byte.is_ascii_alphanumeric());
    end.unwrap_or(bytes.len())
}

/// What stands for a value where values are only asked whether they are equal.
pub fn digest(value: impl Hash) -> u64 {
    FixedState::default().hash_one(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn words_are_the_runs_of_letters_and_digits(text in "[ -~éÉßσΣİ日—٣\u{a0}]{0,40}") {
            let mut found = Vec::new();
            each_word(&text, |word| found.push(word.to_owned()));
            let runs = text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty());
            prop_assert_eq!(found, runs.map(str::to_lowercase).collect::<Vec<_>>());
        }
    }
}
