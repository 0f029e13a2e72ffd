//! Files with one JSON value per line: each line is a document, or all lines are pieces of one.

use serde::{Deserialize, Serialize};

use toolgauge_formats::{TrajectoryFormat, import_trajectories};
use toolgauge_model::{Json, Reader, is_event_line, looks_whole};

/// The most lines that are read to recognize the shape of a file.
const MOST_LOOKED_AT: usize = 64;

/// The meaning of the lines of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineShape {
    /// None: the file is one JSON document.
    Document,
    /// Each line is a document.
    Lines,
    /// Each line is a piece of a document: a message, an event, a span.
    Pieces,
}

/// Classifies the lines of a file from its first bytes, `head`. `None`: read more. An empty file has no
/// lines. `is_all` means that there is no more to read, `is_lines` that the file certainly has one JSON value
/// per line.
pub fn line_shape<'a>(
    head: &'a [u8],
    is_all: bool,
    is_lines: bool,
    format: Option<TrajectoryFormat>,
    reader: Reader<'a>,
) -> Option<LineShape> {
    let ended = match head.iter().rposition(|byte| *byte == b'\n') {
        _ if is_all => head,
        Some(end) => &head[..end],
        None => &[],
    };
    let mut lines = numbered(ended, 1).take(MOST_LOOKED_AT);
    let Some((_, line)) = lines.next() else {
        return is_all.then_some(LineShape::Lines);
    };
    let first = reader
        .read(line)
        .ok()
        .filter(|_| std::str::from_utf8(line).is_ok_and(looks_whole));
    // The lines of server-sent events are read together.
    let is_stream = || std::str::from_utf8(line).is_ok_and(is_event_line);
    if first.is_none() && (!is_lines || is_stream()) {
        return Some(LineShape::Document);
    }
    let more: Vec<_> = lines.collect();
    match (more.is_empty(), is_all, is_lines) {
        (true, false, _) => return None,
        (true, true, true) => return Some(LineShape::Lines),
        (true, true, false) => return Some(LineShape::Document),
        (false, _, _) => {}
    }
    let more = more.iter().filter_map(|(_, line)| reader.read(line).ok());
    let sample: Vec<_> = first.into_iter().chain(more).collect();
    Some(match are_pieces(&sample, format, reader) {
        true => LineShape::Pieces,
        false => LineShape::Lines,
    })
}

/// Returns whether documents are pieces: together they form fewer trajectories than each by itself.
fn are_pieces<'a>(
    documents: &[Json<'a>],
    format: Option<TrajectoryFormat>,
    reader: Reader<'a>,
) -> bool {
    let count = |document| {
        let imported = import_trajectories(document, format, reader);
        imported.ok().map(|imported| imported.value.len())
    };
    let together = |documents: &[Json<'a>]| count(list(documents, reader));
    let mut alone = 0;
    let mut good = Vec::new();
    for document in documents {
        if let Some(trajectories) = count(*document) {
            alone += trajectories;
            good.push(*document);
        }
    }
    let has_bad = good.len() < documents.len();
    (has_bad && together(documents).is_some())
        || together(&good).is_some_and(|together| together < alone)
}

fn list<'a>(documents: &[Json<'a>], reader: Reader<'a>) -> Json<'a> {
    Json::Array(reader.arena().alloc_slice_copy(documents))
}

/// Returns the lines that are not blank, each with its number; `first` is the number of the first line. The
/// first line of a file may begin with a byte order mark.
pub(super) fn numbered(bytes: &[u8], first: usize) -> impl Iterator<Item = (usize, &[u8])> {
    let mark: &[u8] = if first == 1 { b"\xef\xbb\xbf" } else { b"" };
    let bytes = bytes.strip_prefix(mark).unwrap_or(bytes);
    let lines = bytes.split(|byte| *byte == b'\n').zip(first..);
    lines
        .map(|(line, number)| (number, line.trim_ascii()))
        .filter(|(_, line)| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::batch::{CheckedDocument, Chunk, Content, each_document};
    use crate::check::{CheckOptions, Checker};
    use toolgauge_formats::TrajectoryFormat;
    use toolgauge_model::Limits;
    use toolgauge_schema::{ToolCache, ToolSet};

    const CALL: &str = r#"{"turns":[{"role":"agent","tool_calls":[{"name":"f","arguments":{}}]}]}"#;

    fn shape(head: &str, is_all: bool, is_lines: bool) -> Option<LineShape> {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        line_shape(head.as_bytes(), is_all, is_lines, None, reader)
    }

    fn fixture(name: &str) -> String {
        let path = format!(
            "{}/tests/fixtures/formats/{name}",
            env!("CARGO_MANIFEST_DIR")
        );
        std::fs::read_to_string(path).expect("a fixture")
    }

    /// Returns for each document of `bytes` its line and its number of trajectories, or the error.
    fn outcomes_of(
        bytes: &[u8],
        shape: LineShape,
    ) -> Vec<(Option<usize>, std::result::Result<usize, String>)> {
        let arena = Bump::new();
        let limits = Limits {
            max_input_bytes: 500,
            ..Limits::default()
        };
        let reader = Reader::new(&arena, limits);
        let mut options = CheckOptions::default();
        options.validate.limits = limits;
        let mut carried = ToolCache::new();
        let tools = ToolSet::not_given();
        let mut checker = Checker::new(&tools, &options, &mut carried, reader);
        let mut outcomes = Vec::new();
        let content = Content::Bytes(bytes);
        let chunk = Chunk {
            shape,
            source: None,
            line: if shape == LineShape::Lines { 5 } else { 1 },
            content,
        };
        each_document(&chunk, reader, |place, json| {
            let document = CheckedDocument::check(place, json, &mut checker);
            let outcome = document.outcome.as_ref();
            let outcome = outcome
                .map(|checked| checked.reports.len())
                .map_err(|error| error.message.clone());
            outcomes.push((document.place.line, outcome));
        });
        outcomes
    }

    #[test]
    fn rows_of_a_batch_are_documents_and_events_of_a_stream_are_pieces() {
        for (name, wanted) in [
            ("batch/openai.jsonl", LineShape::Lines),
            ("batch/anthropic.jsonl", LineShape::Lines),
            ("batch/requests.jsonl", LineShape::Lines),
            ("stream/bedrock.jsonl", LineShape::Pieces),
            ("stream/ollama.jsonl", LineShape::Pieces),
            ("stream/cohere.jsonl", LineShape::Pieces),
        ] {
            assert_eq!(shape(&fixture(name), true, true), Some(wanted), "{name}");
        }
    }

    #[test]
    fn lines_of_documents_are_distinguished_from_one_document() {
        let lines = format!("{CALL}\n{CALL}\n");
        assert_eq!(shape(&lines, true, false), Some(LineShape::Lines));
        assert_eq!(shape(&lines, false, false), Some(LineShape::Lines));
        assert_eq!(
            shape("{\n\"turns\": [", false, false),
            Some(LineShape::Document)
        );
        assert_eq!(shape(CALL, true, false), Some(LineShape::Document));
        assert_eq!(shape(" \n", true, false), Some(LineShape::Lines));
        assert_eq!(
            shape("\u{feff}[]\r\n[]", true, false),
            Some(LineShape::Lines)
        );
    }

    #[test]
    fn server_sent_events_are_one_document() {
        let events = ": hi\nevent: x\ndata: {\"choices\":[]}\n\ndata: [DONE]\n";
        for is_lines in [false, true] {
            assert_eq!(shape(events, false, is_lines), Some(LineShape::Document));
        }
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let read = reader
            .read(events.as_bytes())
            .expect("the data of the events");
        assert_eq!(read.items().map(<[_]>::len), Some(1));
    }

    #[test]
    fn more_is_read_until_there_is_a_second_line() {
        assert_eq!(shape("", false, false), None);
        assert_eq!(shape(&CALL[..20], false, false), None);
        assert_eq!(
            shape(&format!("{CALL}\n\n{}", &CALL[..9]), false, false),
            None
        );
        assert_eq!(shape("\n\n", false, true), None);
    }

    #[test]
    fn files_named_as_json_lines_have_lines() {
        for text in [CALL, "", "{\"turns\":\n7\n", "\n"] {
            assert_eq!(shape(text, true, true), Some(LineShape::Lines), "{text}");
        }
    }

    #[test]
    fn pieces_of_one_document_are_distinguished_from_documents() {
        let messages =
            "{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"assistant\",\"content\":\"b\"}\n";
        assert_eq!(shape(messages, true, true), Some(LineShape::Pieces));
        let broken = format!("{messages}{{\"role\":\n{{\"odd\":1}}\n");
        assert_eq!(shape(&broken, true, true), Some(LineShape::Pieces));
        let sessions = [
            "claude-code/session.jsonl",
            "codex/exec.jsonl",
            "codex/head-and-items.jsonl",
            "codex/rollout.jsonl",
            "gemini-cli/session.jsonl",
            "langchain/message-pieces.jsonl",
            "langchain/updates.jsonl",
            "langchain/values.jsonl",
            "mcp/session.jsonl",
            "mcp/wrapped.jsonl",
            "opencode/run.jsonl",
            "pi/events.jsonl",
            "pi/session.jsonl",
            "qwen-code/session.jsonl",
            "stream/ai-sdk.jsonl",
            "stream/openai-chat.jsonl",
            "stream/openai-responses.jsonl",
        ];
        for name in sessions {
            let found = shape(&fixture(name), true, true);
            assert_eq!(found, Some(LineShape::Pieces), "{name}");
        }
        let conversations = "[{\"role\":\"user\",\"content\":\"a\"}]\n".repeat(3);
        assert_eq!(shape(&conversations, true, true), Some(LineShape::Lines));
        let with_bad = format!("{CALL}\n{{\"odd\":1}}\n{CALL}\n");
        assert_eq!(shape(&with_bad, true, true), Some(LineShape::Lines));
        let mixed = format!("{CALL}\n{conversations}");
        assert_eq!(shape(&mixed, true, true), Some(LineShape::Lines));
    }

    #[test]
    fn every_format_can_have_one_document_per_line() {
        let folders = std::fs::read_dir(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/fixtures/formats"
        ));
        let files = folders
            .expect("the fixtures")
            .flat_map(|folder| std::fs::read_dir(folder.expect("a folder").path()).expect("files"));
        let mut seen = 0;
        for file in files {
            let path = file.expect("a file").path();
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a fixture");
            let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            if value.get("role").is_some() {
                continue;
            }
            // The spans and runs of one trace belong together, in whatever order they come.
            let ids = ["\"r0", "\"t1", "\"5b8efff", "\"0x51", "\"51", "\"trace-7"];
            let copy = |number: usize| {
                let text = value.to_string();
                let renamed = |text: String, id| text.replace(id, &format!("{id}{number}"));
                ids.iter().fold(text, renamed)
            };
            let lines = [copy(1), copy(2), copy(3)].join("\n");
            let found = shape(&lines, true, true);
            assert_eq!(found, Some(LineShape::Lines), "{}", path.display());
            seen += 1;
        }
        assert!(seen > 20, "{seen}");
    }

    #[test]
    fn a_bad_line_is_reported_by_number_and_the_rest_is_checked() {
        let long = format!("{{\"turns\":[],\"more\":\"{}\"}}", "x".repeat(500));
        let text =
            format!("{CALL}\r\n\n  \n{{\"turns\":[\n[{CALL},{CALL}]\n{{\"a\":1}}\n{long}\n{CALL}");
        let outcomes = outcomes_of(text.as_bytes(), LineShape::Lines);
        let lines: Vec<_> = outcomes
            .iter()
            .map(|(line, outcome)| (line.unwrap_or(0), outcome.is_ok()))
            .collect();
        assert_eq!(
            lines,
            [
                (5, true),
                (8, false),
                (9, true),
                (10, false),
                (11, false),
                (12, true)
            ]
        );
        let reason = |at: usize| outcomes[at].1.clone().expect_err("unread");
        assert!(reason(1).contains("at line 8, column 10"), "{}", reason(1));
        assert!(reason(3).contains("no known trajectory format"));
        assert!(
            reason(4).starts_with("limits.maxInputBytes is 500"),
            "{}",
            reason(4)
        );
        assert_eq!(outcomes[2].1, Ok(2));
    }

    #[test]
    fn a_line_that_is_not_utf8_affects_no_other() {
        let text = [CALL.as_bytes(), b"\n\"\xff\"\n", CALL.as_bytes()].concat();
        let outcomes = outcomes_of(&text, LineShape::Lines);
        let good: Vec<_> = outcomes
            .iter()
            .map(|(_, outcome)| outcome.is_ok())
            .collect();
        assert_eq!(good, [true, false, true]);
    }

    #[test]
    fn bad_pieces_are_reported_and_the_rest_forms_the_document() {
        let text = "{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\n{\"role\":\"assistant\",\"content\":\"b\"}\n";
        let outcomes = outcomes_of(text.as_bytes(), LineShape::Pieces);
        assert_eq!(outcomes.len(), 2);
        assert_eq!((outcomes[0].0, outcomes[0].1.is_err()), (Some(2), true));
        assert_eq!(outcomes[1], (None, Ok(1)));
        assert!(
            super::tests::outcomes_of(b"", LineShape::Pieces)[0]
                .1
                .is_err()
        );
    }

    #[test]
    fn a_forced_format_decides_the_shape() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let messages =
            "{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"user\",\"content\":\"b\"}\n";
        let format = Some(TrajectoryFormat::Anthropic);
        let shape = line_shape(messages.as_bytes(), true, true, format, reader);
        assert_eq!(shape, Some(LineShape::Pieces));
    }
}
