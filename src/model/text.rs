//! Texts: whether two are equal, how they start and how they end.

/// Whether two texts are equal, up to eight bytes at once: WebAssembly has no other comparison than byte by byte.
/// Keys and words are compared all the time.
#[inline(always)]
pub fn are_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && are_same_bytes(a.as_bytes(), b.as_bytes())
}

/// Whether as many bytes are equal. The last block overlaps the one before it.
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

/// The first `most` characters of a text.
pub fn start_of(text: &str, most: usize) -> &str {
    let is_longer = text.len() > most;
    let end = is_longer.then(|| text.char_indices().nth(most)).flatten();
    end.map_or(text, |(end, _)| &text[..end])
}

/// The first bytes of a text, at most `most` of them, up to where a character ends.
pub fn first_bytes(text: &str, most: usize) -> &str {
    let mut ends = (0..=most.min(text.len())).rev();
    let end = ends.find(|at| text.is_char_boundary(*at));
    &text[..end.unwrap_or_default()]
}

/// The last bytes of a text, at most `most` of them, from where a character starts.
pub fn last_bytes(text: &str, most: usize) -> &str {
    let mut starts = text.len().saturating_sub(most)..=text.len();
    let start = starts.find(|at| text.is_char_boundary(*at));
    &text[start.unwrap_or(text.len())..]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{are_same, first_bytes, last_bytes, start_of};

    proptest! {
        #[test]
        fn texts_are_same_when_they_are_equal(a in "[a-cé]{0,20}", at in 0..20usize, c in any::<char>()) {
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
        fn a_text_starts_with_so_many_characters(text in "[aé日]{0,12}", most in 0..14usize) {
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
    fn the_start_of_a_text_is_counted_in_characters() {
        for text in ["", "ab", "abc", "abcd", "äbcd", "äöü", "äöüß", "日本語です"] {
            let start: String = text.chars().take(3).collect();
            assert_eq!(start_of(text, 3), start);
        }
    }
}
