//! Patterns for names of tools, in which `*` stands for any number of characters.

use super::glob::{is_glob, matches};

/// What separates the parts of a name with an MCP prefix: `mcp__server__tool`.
const SEPARATOR: &str = "__";

/// Returns whether `tool` is a pattern rather than the name of one tool.
pub fn is_pattern(tool: &str) -> bool {
    is_glob(tool)
}

/// Returns whether `pattern` names the tool `name`, with or without the MCP prefix of the tool. A pattern without `*`
/// is a name.
pub fn names(pattern: &str, name: &str) -> bool {
    let mut rest = name;
    loop {
        if matches(pattern, rest) {
            return true;
        }
        match rest.split_once(SEPARATOR) {
            Some((_, ending)) => rest = ending,
            None => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_star_stands_for_any_characters() {
        let rows = [
            ("*", "anything", true),
            ("*", "", true),
            ("search_*", "search_web", true),
            ("search_*", "search_", true),
            ("search_*", "research_web", false),
            ("*_id", "order_id", true),
            ("*_id", "order_ids", false),
            ("a*b*c", "a1b2b3c", true),
            ("a*b*c", "abc", true),
            ("a*b*c", "acb", false),
            ("a*a", "a", false),
            ("a**a", "aa", true),
            ("find", "find", true),
            ("find", "findings", false),
        ];
        for (pattern, name, expected) in rows {
            assert_eq!(names(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn a_pattern_may_leave_out_the_prefix_of_a_server() {
        assert!(names("search_*", "mcp__web__search_pages"));
        assert!(names("web__*", "mcp__web__search_pages"));
        assert!(names("mcp__*", "mcp__web__search_pages"));
        assert!(!names("pages*", "mcp__web__search_pages"));
    }

    /// What a pattern means, by trying all splits.
    fn by_brute_force(pattern: &[u8], text: &[u8]) -> bool {
        match pattern.split_first() {
            None => text.is_empty(),
            Some((b'*', rest)) => (0..=text.len()).any(|at| by_brute_force(rest, &text[at..])),
            Some((first, rest)) => text.first() == Some(first) && by_brute_force(rest, &text[1..]),
        }
    }

    proptest! {
        #[test]
        fn patterns_mean_what_all_splits_say(pattern in "[ab*]{0,7}", text in "[ab]{0,8}") {
            let expected = by_brute_force(pattern.as_bytes(), text.as_bytes());
            prop_assert_eq!(names(&pattern, &text), expected);
        }
    }
}
