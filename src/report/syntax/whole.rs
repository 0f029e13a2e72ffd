//! Texts and values of any length as lines that are fit to be printed.

use super::super::paint::visible;
use toolgauge_model::{Json, Preview};

/// The fewest columns that a member of a nested value may have before it gets lines of its own.
const LEAST_ROOM: usize = 20;

const TAB: &str = "    ";

/// More characters than any value has.
const WHOLE: usize = usize::MAX / 2;

/// Returns `text` with its lines, without what would control the terminal. Tabs become spaces.
pub fn whole_text(text: &str) -> String {
    let text = text.trim().replace('\t', TAB);
    let lines: Vec<_> = text.lines().map(visible).collect();
    lines.join("\n")
}

/// Returns a value: a string as its text; any other in one line of JSON, if it fits in `room` columns, or else with a
/// line for each member.
pub fn whole_value(value: Json<'_>, room: usize) -> String {
    if let Json::String(text) = value {
        return whole_text(text);
    }
    let mut lines = String::new();
    write_value(value, 0, room, &mut lines);
    lines
}

fn write_value(value: Json<'_>, indent: usize, room: usize, lines: &mut String) {
    let left = room.saturating_sub(indent).max(LEAST_ROOM);
    if let Some(line) = line_of(value, left) {
        lines.push_str(&line);
        return;
    }
    match value {
        Json::Array(items) => {
            let items = items.iter().map(|item| (None, *item));
            write_block(('[', ']'), items, indent, room, lines);
        }
        Json::Object(members) => {
            let members = members.iter().map(|(key, value)| (Some(*key), *value));
            write_block(('{', '}'), members, indent, room, lines);
        }
        _ => lines.push_str(&visible(&Preview::of(value, WHOLE).to_string())),
    }
}

fn write_block<'v>(
    (open, close): (char, char),
    members: impl ExactSizeIterator<Item = (Option<&'v str>, Json<'v>)>,
    indent: usize,
    room: usize,
    lines: &mut String,
) {
    lines.push(open);
    let count = members.len();
    for (at, (key, value)) in members.enumerate() {
        start_line(indent + 2, lines);
        if let Some(key) = key {
            let key = Preview::of(Json::String(key), WHOLE).to_string();
            lines.push_str(&visible(&key));
            lines.push_str(": ");
        }
        write_value(value, indent + 2, room, lines);
        if at + 1 < count {
            lines.push(',');
        }
    }
    start_line(indent, lines);
    lines.push(close);
}

fn start_line(indent: usize, lines: &mut String) {
    lines.push('\n');
    lines.extend(std::iter::repeat_n(' ', indent));
}

/// Returns a value as one line of at most `room` columns, if it fits.
fn line_of(value: Json<'_>, room: usize) -> Option<String> {
    let line = Preview::of(value, room).to_string();
    // No whole value ends with an ellipsis, so an ellipsis at the end shows that the value was cut.
    (!line.ends_with('…')).then(|| visible(&line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_value_is_one_line_and_a_long_one_has_a_line_for_each_member() {
        let items = [Json::String("a…"), Json::Null];
        let members = [("id", Json::Bool(true)), ("list", Json::Array(&items))];
        let value = Json::Object(&members);
        assert_eq!(
            whole_value(value, 80),
            r#"{"id": true, "list": ["a…", null]}"#
        );
        assert_eq!(
            whole_value(value, 28),
            "{\n  \"id\": true,\n  \"list\": [\"a…\", null]\n}"
        );
        let long = Json::String("0123456789012345678901234567890123456789");
        let members = [("text", long), ("empty", Json::Object(&[]))];
        let shown = whole_value(Json::Object(&members), 20);
        assert!(
            shown.contains("0123456789\",\n  \"empty\": {}\n}"),
            "{shown}"
        );
    }

    #[test]
    fn lines_of_texts_are_kept_and_control_characters_are_not() {
        let hostile = "\none\r\n\u{1b}[2Jtwo\n\n\tthree\u{202e}\n";
        assert_eq!(
            whole_text(hostile),
            "one\n\\u{1b}[2Jtwo\n\n    three\\u{202e}"
        );
        let members = [("a\u{1b}", Json::String("b\n\u{1b}[2J"))];
        let shown = whole_value(Json::Object(&members), 80);
        assert!(!shown.contains('\u{1b}'), "{shown}");
    }
}
