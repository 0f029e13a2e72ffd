//! JSON Lines: texts with one JSON value per line.

/// Returns the lines of `text` that are not blank, each with its number, from 1. Only a line feed ends a
/// line, because JSON strings may contain other line separators.
pub fn json_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split('\n')
        .zip(1..)
        .map(|(line, number)| (number, line.trim_ascii()))
        .filter(|(_, line)| !line.is_empty())
}

/// Returns whether a line looks like a whole object or array.
pub fn looks_whole(line: &str) -> bool {
    (line.starts_with('{') && line.ends_with('}')) || (line.starts_with('[') && line.ends_with(']'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_numbers_and_blank_ones_are_skipped() {
        let lines: Vec<_> = json_lines("{}\r\n\n  [1]  \n\t\n\"a\u{2028}b\"").collect();
        assert_eq!(lines, [(1, "{}"), (3, "[1]"), (5, "\"a\u{2028}b\"")]);
        assert_eq!(json_lines(" \n\n").count(), 0);
    }

    #[test]
    fn a_line_that_goes_on_is_not_whole() {
        assert!(looks_whole("{\"a\":1}") && looks_whole("[]"));
        for line in ["[", "{\"a\":1},", "7", "", "[1}"] {
            assert!(!looks_whole(line), "{line}");
        }
    }
}
