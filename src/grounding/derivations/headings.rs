//! Finds the lines above a line that it belongs to: the heading of a list, or the item that a nested list belongs to.

use std::ops::Range;

/// How many lines above a number are searched for headings.
const MOST_LINES: usize = 40;

/// How many headings of a line are returned.
const MOST_HEADINGS: usize = 3;

/// How many bytes of a heading are read.
const LONGEST: usize = 400;

/// The level of a line among others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rank {
    /// A Markdown heading.
    Title,
    /// A line of text, with its indentation.
    Text(usize),
    /// An item of a list, with its indentation.
    Item(usize),
}

impl Rank {
    fn of(line: &str) -> Self {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let is_numbered = (1..=3).contains(&digits) && text[digits..].starts_with(['.', ')']);
        if text.starts_with('#') {
            Self::Title
        } else if is_numbered || text.starts_with(['-', '*', '•', '–', '|']) {
            Self::Item(indent)
        } else {
            Self::Text(indent)
        }
    }

    /// Checks whether a line of this rank is the heading of a line of rank `other` below it.
    fn heads(self, other: Self) -> bool {
        match (self, other) {
            (Self::Title, Self::Title) => false,
            (Self::Title, _) => true,
            (Self::Text(_) | Self::Item(_), Self::Title) => false,
            (Self::Text(own), Self::Item(other)) => own <= other,
            (Self::Text(own) | Self::Item(own), Self::Text(other) | Self::Item(other)) => {
                own < other
            }
        }
    }
}

/// Returns the ranges of the headings above the line that contains `place`. The nearest comes first.
pub fn headings(content: &str, place: usize) -> Vec<Range<usize>> {
    let line_start = content[..place].rfind('\n').map_or(0, |at| at + 1);
    let own = content[line_start..].lines().next().unwrap_or_default();
    let mut rank = Rank::of(own);
    let mut found = Vec::new();
    let mut end = line_start.saturating_sub(1);
    for _ in 0..MOST_LINES {
        if end == 0 || found.len() == MOST_HEADINGS {
            break;
        }
        let start = content[..end].rfind('\n').map_or(0, |at| at + 1);
        let line = &content[start..end];
        if !line.trim().is_empty() && Rank::of(line).heads(rank) {
            rank = Rank::of(line);
            found.push(start..super::char_start(content, end.min(start + LONGEST)));
        }
        end = start.saturating_sub(1);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_last_line(content: &str) -> Vec<&str> {
        let place = content.rfind('\n').map_or(0, |at| at + 1);
        let headings = headings(content, place).into_iter();
        headings.map(|heading| &content[heading]).collect()
    }

    #[test]
    fn items_have_the_text_above_their_list_as_heading() {
        assert_eq!(of_last_line("Prices:\n- a\n- b"), ["Prices:"]);
        assert_eq!(of_last_line("Prices:\n\n1. a\n2. b"), ["Prices:"]);
        assert_eq!(of_last_line("- a\n- b\nThat is all."), [""; 0]);
    }

    #[test]
    fn indented_items_have_those_above_them_as_well() {
        assert_eq!(
            of_last_line("Prices:\n- Ulm\n  - a\n- Bern\n  - b"),
            ["- Bern", "Prices:"]
        );
    }

    #[test]
    fn titles_head_all_lines_below_them() {
        assert_eq!(of_last_line("# Prices\nBern: 4"), ["# Prices"]);
        assert_eq!(of_last_line("Bern: 4\n# Prices"), [""; 0]);
    }

    #[test]
    fn headings_too_far_above_are_not_looked_for() {
        let far = format!("Prices:\n{}- b", "- a\n".repeat(MOST_LINES + 1));
        assert_eq!(of_last_line(&far), [""; 0]);
    }
}
