//! Compares, shortens and quotes texts.

use std::borrow::Cow;

/// Returns whether two texts are equal, comparing eight bytes at a time, because WebAssembly's own comparison
/// takes one byte at a time and keys and words are compared constantly.
#[inline(always)]
pub fn are_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && are_same_bytes(a.as_bytes(), b.as_bytes())
}

/// Returns whether two slices of equal length are equal. The last block overlaps the one before it.
#[inline(always)]
pub(super) fn are_same_bytes(a: &[u8], b: &[u8]) -> bool {
    let (blocks, other_blocks) = (a.as_chunks::<8>().0, b.as_chunks::<8>().0);
    if let (Some(last), Some(other_last)) = (a.last_chunk::<8>(), b.last_chunk::<8>()) {
        let mut pairs = blocks.iter().zip(other_blocks);
        return u64::from_le_bytes(*last) == u64::from_le_bytes(*other_last)
            && pairs
                .all(|(block, other)| u64::from_le_bytes(*block) == u64::from_le_bytes(*other));
    }
    let half = |half: Option<&[u8; 4]>| half.map(|half| u32::from_le_bytes(*half));
    match half(a.first_chunk()) {
        Some(first) => {
            Some(first) == half(b.first_chunk()) && half(a.last_chunk()) == half(b.last_chunk())
        }
        None => a.iter().zip(b).all(|(a, b)| a == b),
    }
}

/// Returns the first `most` characters of a text.
pub fn start_of(text: &str, most: usize) -> &str {
    let is_longer = text.len() > most;
    let end = is_longer.then(|| text.char_indices().nth(most)).flatten();
    end.map_or(text, |(end, _)| &text[..end])
}

/// How many characters of an input value messages quote.
pub const MOST_QUOTED: usize = 200;

/// The longest message. Quoted values may contain quotes, so limiting those is not enough.
const LONGEST_MESSAGE: usize = 2_000;

/// Shortens an input value as messages quote it, with an ellipsis if it is cut.
pub fn short(value: &str) -> Cow<'_, str> {
    match start_of(value, MOST_QUOTED) {
        start if start.len() < value.len() => Cow::Owned(format!("{start}…")),
        whole => Cow::Borrowed(whole),
    }
}

/// Shortens a message such that no quotation and no word is longer than [`MOST_QUOTED`], because libraries
/// quote wrong values completely.
pub fn short_quotes(message: &str) -> Cow<'_, str> {
    if start_of(message, MOST_QUOTED).len() == message.len() {
        return Cow::Borrowed(message);
    }
    let mut shortened = String::new();
    let mut rest = message;
    while let Some(start) = rest.find(['"', '`']) {
        let (before, quoted) = rest.split_at(start + 1);
        let end = end_of_quote(quoted, rest.as_bytes()[start]);
        push_words(&mut shortened, before);
        shortened.push_str(&short(&quoted[..end]));
        let quote = usize::from(end < quoted.len());
        shortened.push_str(&quoted[end..end + quote]);
        rest = &quoted[end + quote..];
    }
    push_words(&mut shortened, rest);
    let cut = start_of(&shortened, LONGEST_MESSAGE).len();
    if cut < shortened.len() {
        shortened.truncate(cut);
        shortened.push('…');
    }
    Cow::Owned(shortened)
}

fn push_words(message: &mut String, text: &str) {
    for word in text.split_inclusive(char::is_whitespace) {
        let plain = word.trim_end();
        message.push_str(&short(plain));
        message.push_str(&word[plain.len()..]);
    }
}

/// Returns where the quotation that `quote` closes ends.
fn end_of_quote(text: &str, quote: u8) -> usize {
    let mut is_escaped = false;
    let end = text.bytes().position(|byte| {
        let ends = byte == quote && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    });
    end.unwrap_or(text.len())
}

/// Returns at most `most` first bytes of a text, up to the end of a character.
pub fn first_bytes(text: &str, most: usize) -> &str {
    let mut ends = (0..=most.min(text.len())).rev();
    let end = ends.find(|at| text.is_char_boundary(*at));
    &text[..end.unwrap_or_default()]
}

/// Returns at most `most` last bytes of a text, from the start of a character.
pub fn last_bytes(text: &str, most: usize) -> &str {
    let mut starts = text.len().saturating_sub(most)..=text.len();
    let start = starts.find(|at| text.is_char_boundary(*at));
    &text[start.unwrap_or(text.len())..]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{are_same, first_bytes, last_bytes, short_quotes, start_of};

    proptest! {
        #[test]
        fn are_same_agrees_with_equality(a in "[a-cé]{0,20}", at in 0..20usize, c in any::<char>()) {
            let mut b: Vec<char> = a.chars().collect();
            if let Some(changed) = b.get_mut(at) {
                *changed = c;
            }
            let b = String::from_iter(b);
            prop_assert!(are_same(&a, &a));
            prop_assert_eq!(are_same(&a, &b), a == b);
            let longer = format!("{a}a");
            prop_assert!(!are_same(&a, &longer));
        }

        #[test]
        fn the_start_has_as_many_characters_as_asked_for(text in "[aé日]{0,12}", most in 0..14usize) {
            let first: String = text.chars().take(most).collect();
            prop_assert_eq!(start_of(&text, most), first);
        }

        #[test]
        fn no_character_is_cut_at_either_end(text in "[aé日]{0,12}", most in 0..40usize) {
            let (first, last) = (first_bytes(&text, most), last_bytes(&text, most));
            prop_assert!(text.starts_with(first) && text.ends_with(last));
            let is_longest = |part: &str| part.len() == text.len() || part.len() + 3 > most;
            prop_assert!(first.len() <= most && is_longest(first));
            prop_assert!(last.len() <= most && is_longest(last));
        }
    }

    #[test]
    fn only_long_quotes_are_cut() {
        let long = "é".repeat(5_000);
        let cut = "é".repeat(200);
        for (message, expected) in [
            (
                format!("unknown variant `{long}`, expected one of `a`, `b`"),
                format!("unknown variant `{cut}…`, expected one of `a`, `b`"),
            ),
            (
                format!("string \"{long}\\\"{long}\", expected u64"),
                format!("string \"{cut}…\", expected u64"),
            ),
            (format!("got \"{long}"), format!("got \"{cut}…")),
            (
                format!("pointer /{long} does not exist"),
                format!("pointer /{}… does not exist", &cut[..398]),
            ),
            ("got \"x\"".to_owned(), "got \"x\"".to_owned()),
        ] {
            assert_eq!(short_quotes(&message), expected);
        }
        let quotes = "`x".repeat(5_000);
        assert!(short_quotes(&quotes).chars().count() <= 2_001);
    }

    #[test]
    fn the_start_of_a_text_is_counted_in_characters() {
        for text in ["", "ab", "abc", "abcd", "äbcd", "äöü", "äöüß", "日本語です"] {
            let start: String = text.chars().take(3).collect();
            assert_eq!(start_of(text, 3), start);
        }
    }
}
