//! JSON Lines: texts with one JSON value per line. Also server-sent events, whose lines `data: …` hold the values.

/// Returns the lines of `text` that are not blank, each with its number, from 1. Only a line feed ends a
/// line, because JSON strings may contain other line separators.
pub fn json_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split('\n')
        .zip(1..)
        .map(|(line, number)| (number, line.trim_ascii()))
        .filter(|(_, line)| !line.is_empty())
}

/// The names of the fields of server-sent events, with the colon.
const FIELDS: [&str; 4] = ["data:", "event:", "id:", "retry:"];

/// Returns whether a line is one of server-sent events: a field or a comment. No JSON value begins like one.
pub fn is_event_line(line: &str) -> bool {
    line.starts_with(':') || FIELDS.iter().any(|field| line.starts_with(field))
}

/// Returns the values in the lines of server-sent events, each with the number of its line, from 1. The mark at the end of
/// a stream of OpenAI is none.
pub fn event_data(text: &str) -> impl Iterator<Item = (usize, &str)> {
    json_lines(text).filter_map(|(number, line)| data_in(line).map(|data| (number, data)))
}

fn data_in(line: &str) -> Option<&str> {
    let data = match is_event_line(line) {
        true => line.strip_prefix("data:")?.trim_ascii(),
        false => line,
    };
    (data != "[DONE]" && !data.is_empty()).then_some(data)
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
    fn lines_of_events_hold_values() {
        let text = ": hi\nevent: a\ndata: {\"n\":1}\r\n\nid: 7\nretry: 9\ndata:{\"n\":2}\ndata:\ndata: [DONE]\n";
        let data: Vec<_> = event_data(text).collect();
        assert_eq!(data, [(3, "{\"n\":1}"), (7, "{\"n\":2}")]);
        assert!(!is_event_line("{\"data:\":1}") && !is_event_line("datum: 1"));
    }

    #[test]
    fn a_line_that_goes_on_is_not_whole() {
        assert!(looks_whole("{\"a\":1}") && looks_whole("[]"));
        for line in ["[", "{\"a\":1},", "7", "", "[1}"] {
            assert!(!looks_whole(line), "{line}");
        }
    }
}
