//! Splits names and descriptions into words, and groups equal ones.

use std::collections::BTreeMap;

use toolgauge_model::{singular, words_of};

/// Returns the words of `text`, in the singular: `getUsers`, `get_user` and `Get users.` have the same words.
pub fn words(text: &str) -> Vec<String> {
    words_of(text).into_iter().map(singular).collect()
}

/// Returns `name` without case and separators, in which equal names may differ.
pub fn bare(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Groups the positions of equal keys, in the order of the keys; groups have at least `least` positions.
/// Empty keys are not grouped if `least` is more than one.
pub fn grouped(keys: Vec<String>, least: usize) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, key) in keys.into_iter().enumerate() {
        if least == 1 || !key.is_empty() {
            groups.entry(key).or_default().push(at);
        }
    }
    let mut groups: Vec<_> = groups.into_values().collect();
    groups.retain(|group| group.len() >= least);
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_spellings_of_a_name_have_the_same_words() {
        for text in [
            "getUserIds",
            "get_user_ids",
            "Get user IDs.",
            "get-user.id",
            "GET user ID",
        ] {
            assert_eq!(words(text), ["get", "user", "id"], "{text}");
        }
        assert_eq!(words("address_2b"), ["address", "2b"]);
        assert!(words("…").is_empty());
        assert_eq!(bare("get_User-ID"), "getuserid");
    }
}
