//! Supports ranges of codes, such as `AB1-AB14`, if both ends are known.

use super::reply::Reply;
use toolgauge_facts::{Fact, FactKind, FactValue};

/// Checks whether an identifier may be a range.
pub fn may_be_range(fact: &Fact<'_>) -> bool {
    fact.kind == FactKind::Identifier && ends(fact).is_some()
}

/// Checks whether both ends of a range are known, or name rows of results.
pub fn is_known(reply: &Reply<'_, '_>, fact: &Fact<'_>) -> bool {
    let Some((first, last)) = ends(fact) else {
        return false;
    };
    let background = reply.background;
    let is_known = |code: &str| {
        let word = background.texts.vocabulary().find(code);
        let names_row = |word| !reply.rows().named(&[word]).is_empty();
        background.evidence.holds_code(code) || word.is_some_and(names_row)
    };
    is_known(first) && is_known(last)
}

/// Returns the first and the last code of a range: both have the same letters, and the last has the larger number.
fn ends<'f>(fact: &'f Fact<'_>) -> Option<(&'f str, &'f str)> {
    let FactValue::Text(text) = &fact.value else {
        return None;
    };
    let (first, last) = text.split_once(['-', '–'])?;
    let parts = |code: &'f str| {
        let letters = code.trim_end_matches(|c: char| c.is_ascii_digit());
        let number: u32 = code[letters.len()..].parse().ok()?;
        (!letters.is_empty() && letters.chars().all(char::is_alphabetic))
            .then_some((letters, number))
    };
    let ((letters, number), (other, end)) = (parts(first)?, parts(last)?);
    (letters == other && number < end).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolgauge_facts::facts;

    fn is_range(text: &str) -> bool {
        facts(text).iter().any(may_be_range)
    }

    #[test]
    fn ranges_have_the_same_letters_and_a_larger_number() {
        assert!(is_range("See PK101-PK109."));
        assert!(!is_range("See PK109-PK101."));
        assert!(!is_range("See PK101-QK109."));
        assert!(!is_range("See PK101."));
    }
}
