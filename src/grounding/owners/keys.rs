//! Recognises id keys, and the words of a reply that refer to a key.

use toolgauge_facts::{Token, TokenKind};

/// Last words of keys whose values identify a record.
pub const ID_KEYS: [&str; 10] = [
    "id",
    "code",
    "number",
    "no",
    "sku",
    "key",
    "ref",
    "reference",
    "symbol",
    "ticker",
];

/// Checks whether a key ends with a word for an id: `order_id`, `flightNumber`.
pub fn ends_with_id(key: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    ID_KEYS.iter().any(|part| {
        let Some(before) = lower.strip_suffix(part) else {
            return false;
        };
        let starts_word = key.as_bytes()[before.len()].is_ascii_uppercase();
        before.is_empty() || starts_word || before.ends_with(['_', '-', ' '])
    }) && !lower.contains("phone")
}

/// Checks whether the words of a key are right before a value: `device_id "3"`.
pub fn follows_key(key: &str, before: &[Token<'_>]) -> bool {
    let mut words = before
        .iter()
        .rev()
        .take(8)
        .filter(|token| token.kind != TokenKind::Sign);
    let mut parts = key.rsplit(|c: char| !c.is_alphanumeric());
    !key.is_empty()
        && parts.all(|part| {
            words
                .next()
                .is_some_and(|word| word.text.eq_ignore_ascii_case(part))
        })
}

/// Checks whether a key only says that its value is an id, not what it identifies: `id`, `code`.
pub fn is_bare_id_key(key: &str) -> bool {
    key.is_empty() || ID_KEYS.iter().any(|part| key.eq_ignore_ascii_case(part))
}

/// Checks whether `word` is one of the words of a key.
pub fn holds_word(key: &str, word: &str) -> bool {
    if word.len() < 3 && !word.eq_ignore_ascii_case("id") {
        return false;
    }
    let mut start = 0;
    let bytes = key.as_bytes();
    for at in 1..=bytes.len() {
        let ends = at == bytes.len()
            || !bytes[at].is_ascii_alphanumeric()
            || (bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase());
        if !ends {
            continue;
        }
        let part = key.get(start..at).unwrap_or_default();
        let part = part.trim_start_matches(|c: char| !c.is_alphanumeric());
        if part.eq_ignore_ascii_case(word) {
            return true;
        }
        start = at;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_a_word_for_it_at_the_end_of_their_key() {
        for key in ["id", "order_id", "flightNumber", "zip code", "SKU"] {
            assert!(ends_with_id(key), "{key}");
        }
        for key in ["paid", "phone_number", "identity", "ordered", ""] {
            assert!(!ends_with_id(key), "{key}");
        }
        assert!(is_bare_id_key("ID") && !is_bare_id_key("order_id"));
    }

    #[test]
    fn a_word_is_one_of_a_key_only_as_a_whole() {
        for (key, word) in [
            ("unit_price", "price"),
            ("unitPrice", "Unit"),
            ("lamp-id", "id"),
        ] {
            assert!(holds_word(key, word), "{key} {word}");
        }
        for (key, word) in [("unit_prices", "price"), ("unitPrice", "it"), ("", "price")] {
            assert!(!holds_word(key, word), "{key} {word}");
        }
    }
}
