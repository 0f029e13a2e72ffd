//! Splits a reply into sentences and lines, and finds out how they are nested.

use toolgauge_facts::{Token, TokenKind};

/// A sentence, or the part of a sentence that is on one line.
pub struct Segment {
    /// The index of its first token.
    pub first: usize,
    /// The index after its last token.
    pub end: usize,
    /// Its indentation; a list entry is indented deeper than the line above it.
    pub indent: usize,
    /// Whether it is the first segment of its line.
    pub starts_line: bool,
    /// Whether the line introduces the following lines: it ends with a colon, or is a heading.
    pub is_heading: bool,
}

/// Returns the segments of a text, in order.
pub fn segments(content: &str, tokens: &[Token<'_>]) -> Vec<Segment> {
    let mut found: Vec<Segment> = Vec::new();
    let mut first = 0;
    for at in 1..=tokens.len() {
        let starts_line = first == 0 || is_line_start(content, tokens, first);
        let ends =
            at == tokens.len() || is_line_start(content, tokens, at) || is_sentence_end(tokens, at);
        if !ends {
            continue;
        }
        let indent = match (starts_line, found.last()) {
            (false, Some(before)) => before.indent,
            _ => indent(content, &tokens[first..at]),
        };
        let last = &tokens[at - 1];
        let is_marked = tokens[first].is('#') && starts_line;
        let ends_line = at == tokens.len() || is_line_start(content, tokens, at);
        let ends_bold = last.is('*') && tokens[first].is('*') && starts_line;
        found.push(Segment {
            first,
            end: at,
            indent,
            starts_line,
            is_heading: ends_line && (last.is(':') || is_marked || ends_bold),
        });
        first = at;
    }
    found
}

fn is_line_start(content: &str, tokens: &[Token<'_>], at: usize) -> bool {
    at == 0 || content[tokens[at - 1].end()..tokens[at].start].contains('\n')
}

/// Checks whether a sentence ends before this token.
fn is_sentence_end(tokens: &[Token<'_>], at: usize) -> bool {
    let (last, next) = (&tokens[at - 1], &tokens[at]);
    if next.glued || !matches!(last.sign(), Some('.' | '!' | '?' | '。')) {
        return false;
    }
    // Not after "Dr." in "Dr. Lee", nor in "St. Louis" or "No. 5".
    let before = at.checked_sub(2).map(|before| &tokens[before]);
    let is_abbreviation = last.is('.')
        && before.is_some_and(|word| {
            word.kind == TokenKind::Letters && word.is_capitalized && word.text.len() <= 2
        });
    !is_abbreviation && (next.is_capitalized || next.kind != TokenKind::Letters)
}

/// Returns the indentation of the line of these tokens.
fn indent(content: &str, tokens: &[Token<'_>]) -> usize {
    let start = tokens[0].start;
    let line = content[..start].rfind('\n').map_or(0, |at| at + 1);
    let is_bullet = matches!(
        tokens[0].sign(),
        Some('-' | '*' | '•' | '–' | '·' | '+' | '▪')
    ) && tokens.get(1).is_some_and(|next| !next.glued);
    let is_number = tokens[0].kind == TokenKind::Digits
        && tokens[0].text.len() <= 2
        && tokens
            .get(1)
            .is_some_and(|next| next.glued && (next.is('.') || next.is(')')));
    // Bullets right below "1)" belong to it, so they are indented deeper.
    3 * (start - line)
        + match (is_number, is_bullet) {
            (true, _) => 1,
            (false, true) => 2,
            (false, false) => 0,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolgauge_facts::Texts;

    /// Returns the segments of a text, each with its indentation and whether it is a heading.
    fn split(content: &str) -> Vec<(String, usize, bool)> {
        let mut texts = Texts::default();
        let id = texts.read(content);
        let tokens = texts.tokens(id);
        let text = |segment: &Segment| {
            content[tokens[segment.first].start..tokens[segment.end - 1].end()].to_owned()
        };
        segments(content, tokens)
            .iter()
            .map(|segment| (text(segment), segment.indent, segment.is_heading))
            .collect()
    }

    fn texts_of(content: &str) -> Vec<String> {
        split(content).into_iter().map(|(text, ..)| text).collect()
    }

    #[test]
    fn sentences_and_lines_are_segments() {
        assert_eq!(
            texts_of("It is here. You pay 2.50!\nBye"),
            ["It is here.", "You pay 2.50!", "Bye"]
        );
        for content in [
            "Dr. Lee is in.",
            "It is in St. Olav now",
            "It costs 2.50 now",
        ] {
            assert_eq!(texts_of(content), [content]);
        }
    }

    #[test]
    fn bullets_are_farther_in_than_the_line_above() {
        let indents = |content: &str| -> Vec<usize> {
            split(content)
                .iter()
                .map(|(_, indent, _)| *indent)
                .collect()
        };
        assert_eq!(indents("One:\n- two\n  - three"), [0, 2, 8]);
        assert_eq!(indents("1) One\n- two"), [1, 2]);
        assert_eq!(indents("-5 is cold\n*bold* is loud"), [0, 0]);
    }

    #[test]
    fn headings_announce_what_follows() {
        let headings = |content: &str| -> Vec<bool> {
            split(content)
                .iter()
                .map(|(.., heading)| *heading)
                .collect()
        };
        assert_eq!(headings("Lamp 4:\n- oak"), [true, false]);
        assert_eq!(
            headings("# Lamps\n**Oak**\nOak: brown"),
            [true, true, false]
        );
    }
}
