//! Patterns: `*` matches any characters.

/// The character that stands for any characters, or none.
const ANY: char = '*';

/// Returns whether `text` is a pattern.
pub fn is_glob(text: &str) -> bool {
    text.contains(ANY)
}

/// Returns whether the whole of `text` matches `glob`. Each part between two `*` is searched for once, from left to
/// right, so the work does not grow with the number of ways to match.
pub fn matches(glob: &str, text: &str) -> bool {
    let Some((start, rest)) = glob.split_once(ANY) else {
        return glob == text;
    };
    let (middle, end) = rest.rsplit_once(ANY).unwrap_or(("", rest));
    let inner = text
        .strip_prefix(start)
        .and_then(|rest| rest.strip_suffix(end));
    let mut parts = middle.split(ANY);
    inner.is_some_and(|inner| {
        parts
            .try_fold(inner, |left, part| Some(left.split_once(part)?.1))
            .is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_star_stands_for_any_characters() {
        let rows = [
            ("*_id", "order_id", true),
            ("*_id", "_id", true),
            ("*_id", "order_ids", false),
            ("a*b*c", "a1b2b3c", true),
            ("a*b*c", "acb", false),
            ("a*a", "a", false),
            ("a**a", "aa", true),
            ("é*", "élan", true),
        ];
        for (glob, text, is_match) in rows {
            assert_eq!(matches(glob, text), is_match, "{glob} on {text}");
        }
    }

    /// What a pattern means, by trying all splits.
    fn by_all_splits(glob: &[u8], text: &[u8]) -> bool {
        match glob.split_first() {
            None => text.is_empty(),
            Some((b'*', rest)) => (0..=text.len()).any(|at| by_all_splits(rest, &text[at..])),
            Some((first, rest)) => text.first() == Some(first) && by_all_splits(rest, &text[1..]),
        }
    }

    proptest! {
        #[test]
        fn a_match_is_a_split_that_fits(glob in "[ab*]{0,7}", text in "[ab]{0,8}") {
            prop_assert_eq!(matches(&glob, &text), by_all_splits(glob.as_bytes(), text.as_bytes()));
        }
    }
}
