//! Splits raw text into pieces: runs of digits and runs of letters, each with what joins it to the piece before.

use std::borrow::Cow;

use super::index::note;
use toolgauge_facts::cell_ends;

/// What joins a piece to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joint {
    /// Nothing: letters and digits of one word.
    Glued,
    /// Nothing either, but one of the two is a letter of a script without spaces.
    Script,
    /// A space.
    Space,
    /// More white space within a line, as between the cells of a table.
    Cell,
    /// One sign, with no white space around it.
    Sign(char),
    /// A sign and white space between a label and its value: `A: 1`, `A — 1`.
    Mark,
    /// Anything else: a line break, several signs, or the start of the text.
    Apart,
}

impl Joint {
    /// Returns `true` if a word or an id may continue across this joint: `A-1`, `A 1`, `A1`.
    pub fn may_group(self) -> bool {
        matches!(
            self,
            Self::Glued | Self::Space | Self::Sign('-' | '_' | '.' | '/' | '–')
        )
    }
}

/// A run of digits, a run of letters, or one letter of a script without spaces.
#[derive(Debug, Clone, Copy)]
pub struct Piece<'t> {
    /// The piece as it is written.
    pub text: &'t str,
    /// The byte offset of its start.
    pub start: usize,
    /// What joins it to the piece before it.
    pub joint: Joint,
    /// Whether it consists of digits.
    pub is_digits: bool,
}

impl Piece<'_> {
    /// Returns the byte offset of its end.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// Splits `text` into its pieces, in order.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    note(text.len());
    let mut found: Vec<Piece<'_>> = Vec::new();
    let (mut end, mut before) = (0, Kind::Sign);
    let mut letters = text.char_indices().peekable();
    while let Some((start, first)) = letters.next() {
        let kind = Kind::of(first);
        if kind == Kind::Sign {
            continue;
        }
        let mut stop = start + first.len_utf8();
        while kind != Kind::Alone
            && let Some((at, next)) = letters.peek()
            && Kind::of(*next) == kind
        {
            stop = at + next.len_utf8();
            letters.next();
        }
        found.push(Piece {
            text: &text[start..stop],
            start,
            joint: match joint(&text[end..start]) {
                _ if found.is_empty() => Joint::Apart,
                Joint::Glued if before == Kind::Alone || kind == Kind::Alone => Joint::Script,
                joint => joint,
            },
            is_digits: kind == Kind::Digit,
        });
        (end, before) = (stop, kind);
    }
    found
}

/// Replaces the joints at the ends of comma-separated table cells with [`Joint::Cell`].
pub fn part_cells(text: &str, pieces: &mut [Piece<'_>]) {
    let mut at = 0;
    for end in cell_ends(text) {
        at += pieces[at..].partition_point(|piece| piece.start < end);
        if let Some(piece) = pieces.get_mut(at)
            && matches!(piece.joint, Joint::Sign(_) | Joint::Apart)
        {
            piece.joint = Joint::Cell;
        }
    }
}

/// The role of a character in splitting text into pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Digit,
    Letter,
    /// A letter that is a piece by itself.
    Alone,
    Sign,
}

impl Kind {
    fn of(c: char) -> Self {
        match c {
            '0'..='9' => Self::Digit,
            'a'..='z' | 'A'..='Z' => Self::Letter,
            _ if c.is_ascii() || !c.is_alphanumeric() => Self::Sign,
            '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' => Self::Alone,
            _ => Self::Letter,
        }
    }
}

fn joint(between: &str) -> Joint {
    let mut signs = between.chars();
    match (signs.next(), signs.next()) {
        (None, _) => Joint::Glued,
        (Some('\u{2010}' | '\u{2011}'), None) => Joint::Sign('-'),
        (Some(sign), None) if !sign.is_whitespace() => Joint::Sign(sign),
        _ if between.contains('\n') => Joint::Apart,
        // `(030) 1234`
        _ if matches!(between, ") " | " (") => Joint::Space,
        _ if between == ")-" => Joint::Sign('-'),
        (Some('\t'), None) => Joint::Cell,
        (Some(_), None) => Joint::Space,
        _ if between.chars().all(char::is_whitespace) => Joint::Cell,
        _ if between.chars().all(|c| " :=*—–|-".contains(c)) => Joint::Mark,
        _ => Joint::Apart,
    }
}

/// Returns `text` with the escapes of JSON, of printed strings and of HTML undone, or `None` if it contains none.
pub fn unescaped(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    if !bytes.contains(&b'\\') && !bytes.contains(&b'&') {
        return None;
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '&']) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let (meant, length) = match rest.starts_with('\\') {
            true => escape(rest),
            false => entity(rest),
        };
        plain.push_str(&meant);
        rest = &rest[length..];
    }
    plain.push_str(rest);
    Some(plain)
}

/// Decodes the escape at the start of `text`. Returns the decoded text and the length of the escape.
fn escape(text: &str) -> (Cow<'static, str>, usize) {
    let slashes = text.bytes().take_while(|byte| *byte == b'\\').count();
    let rest = &text[slashes..];
    match rest.bytes().next() {
        Some(b'n' | b'r') => ("\n".into(), slashes + 1),
        Some(b't') => (" ".into(), slashes + 1),
        Some(b'u') => {
            let code = rest.get(1..5);
            let code = code.and_then(|code| u32::from_str_radix(code, 16).ok());
            match code.and_then(char::from_u32) {
                Some(meant) => (meant.to_string().into(), slashes + 5),
                None => ("".into(), slashes),
            }
        }
        _ => ("".into(), slashes),
    }
}

/// The most common HTML entities.
const ENTITIES: [(&str, &str); 6] = [
    ("&amp;", "&"),
    ("&nbsp;", " "),
    ("&quot;", "\""),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&#39;", "'"),
];

fn entity(text: &str) -> (Cow<'static, str>, usize) {
    let found = ENTITIES.iter().find(|(name, _)| text.starts_with(name));
    found.map_or(("&".into(), 1), |(name, meant)| {
        ((*meant).into(), name.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<(&str, Joint)> {
        let found = pieces(text).into_iter();
        found.map(|piece| (piece.text, piece.joint)).collect()
    }

    #[test]
    fn digits_and_letters_are_pieces() {
        use Joint::{Apart, Cell, Glued, Mark, Script, Sign, Space};
        assert_eq!(
            shown("low_52w: QX7\u{2011}1, 12시"),
            [
                ("low", Apart),
                ("52", Sign('_')),
                ("w", Glued),
                ("QX", Mark),
                ("7", Glued),
                ("1", Sign('-')),
                ("12", Apart),
                ("시", Script),
            ]
        );
        assert_eq!(shown("a b  c"), [("a", Apart), ("b", Space), ("c", Cell)]);
        assert_eq!(shown(""), []);
    }

    #[test]
    fn escapes_are_undone() {
        assert_eq!(unescaped("plain"), None);
        assert_eq!(
            unescaped(r#"{\"a\":\"x\\n500\",\u00e9t\/1} &amp; &x"#).as_deref(),
            Some("{\"a\":\"x\n500\",ét/1} & &x")
        );
        assert_eq!(unescaped("\\").as_deref(), Some(""));
    }
}
