//! Which format a document is in: each format is asked how much it looks like it.

use super::signs::first_of;
use super::tools::recognize_tools;
use super::{FORMATS, Format, TrajectoryFormat};
use crate::error::{Error, Result};
use crate::model::{Json, Path};

/// How much a document looks like a format.
#[derive(Clone, Copy)]
pub(super) enum Likeness {
    /// It is that format.
    Full,
    /// It is nothing but roles and texts, as several formats have them: among documents of that format
    /// it is one of them.
    Plain,
    /// It could be, but this is missing.
    Partial(&'static str),
    /// It is something else.
    None,
}

/// How the documents of a format stand in an input.
#[derive(Clone, Copy)]
pub(super) enum Layout {
    /// The input is one.
    Whole,
    /// The input is a list of them.
    Each,
}

impl Format {
    /// Whether `document` is one document of this format.
    pub(super) fn is_whole(&self, document: Json<'_>) -> bool {
        matches!((self.likeness)(document), Likeness::Full)
    }

    /// Whether each of a list is a document of this format, and one of them tells so.
    pub(super) fn is_each(&self, documents: &[Json<'_>]) -> bool {
        let is_told = |item| matches!(self.likeness_of_item(item), Likeness::Full);
        // The first is asked before all others: most lists are of another format.
        documents.first().is_some_and(|item| self.fits(item))
            && first_of(documents).iter().any(is_told)
            && self.fits_each(documents)
    }

    /// Whether each of a list can be a document of this format.
    fn fits_each(&self, documents: &[Json<'_>]) -> bool {
        !documents.is_empty() && documents.iter().all(|item| self.fits(item))
    }

    fn fits(&self, item: &Json<'_>) -> bool {
        let likeness = self.likeness_of_item(item);
        matches!(likeness, Likeness::Full | Likeness::Plain)
    }

    /// A message alone is no document: a list that holds one is a conversation, if anything.
    fn likeness_of_item(&self, item: &Json<'_>) -> Likeness {
        match item.get("role") {
            None => (self.likeness)(*item),
            Some(_) => Likeness::None,
        }
    }

    /// This format, and how it is read from `document` when it must be.
    pub(super) fn applied_to(&'static self, document: Json<'_>) -> (&'static Self, Layout) {
        let is_each = |documents| !self.is_whole(document) && self.fits_each(documents);
        match document.items().is_some_and(is_each) {
            true => (self, Layout::Each),
            false => (self, Layout::Whole),
        }
    }

    /// Why `document`, which must be read in this format, may be none of it, so that something of it is lost.
    pub(super) fn doubt(&self, document: Json<'_>, layout: Layout) -> Option<String> {
        let reason = match ((self.likeness)(document), layout) {
            (Likeness::Full | Likeness::Plain, _) | (_, Layout::Each) => return None,
            (Likeness::Partial(missing), _) => format!("lacks {missing}"),
            (Likeness::None, _) => match detect_trajectory(document) {
                Ok((format, _)) => format!("looks like {}", format.name.label()),
                Err(_) => format!("is {}", outline(document)),
            },
        };
        Some(format!("read as {}, but it {reason}", self.name.label()))
    }
}

/// The format that `document` looks like, and how it stands there.
///
/// # Errors
/// [`Error::UnknownFormat`] names the nearest format and what is missing.
pub(super) fn detect_trajectory(document: Json<'_>) -> Result<(&'static Format, Layout)> {
    let mut nearest = None;
    for format in &FORMATS {
        match (format.likeness)(document) {
            Likeness::Full => return Ok((format, Layout::Whole)),
            Likeness::Partial(missing) => nearest = nearest.or(Some((format.name, missing))),
            Likeness::Plain | Likeness::None => {}
        }
    }
    if let Json::Array(documents) = document
        && let Some(format) = FORMATS.iter().find(|format| format.is_each(documents))
    {
        return Ok((format, Layout::Each));
    }
    Err(Error::UnknownFormat {
        path: Path::root(),
        kind: "trajectory",
        reason: unknown_reason(document, nearest),
    })
}

/// What is said of tool definitions where trajectories should be.
const TOOLS_FOUND: &str =
    "this holds tool definitions; give it as the tools, on the command line with --tools";

/// What is said of calls where trajectories should be.
const CALLS_FOUND: &str = "this is a list of calls without the conversation around them; scoreToolCalls compares it, on the command line score --actual";

/// Whether the items of a list name a tool and its arguments.
fn holds_calls(document: Json<'_>) -> bool {
    let has_one = |item: &Json<'_>, keys: [&str; 2]| keys.iter().any(|key| item.get(key).is_some());
    let is_call = |item| has_one(item, ["name", "tool"]) && has_one(item, ["args", "arguments"]);
    let items = document.items().unwrap_or_default();
    items.first().is_some_and(is_call)
}

fn unknown_reason(document: Json<'_>, nearest: Option<(TrajectoryFormat, &str)>) -> String {
    let (name, missing) = match (document, nearest) {
        (_, Some(nearest)) => nearest,
        (Json::Array([]), None) => return "the list is empty".to_owned(),
        _ if holds_calls(document) => return CALLS_FOUND.to_owned(),
        _ if recognize_tools(document).is_some() => return TOOLS_FOUND.to_owned(),
        (Json::Array(documents), None) => return unlike_reason(documents),
        (other, None) => return format!("found {}", outline(other)),
    };
    format!("nearest is {}, but it lacks {missing}", name.label())
}

/// Why a list that looks like nothing is no list of documents: they are not of one format.
fn unlike_reason(documents: &[Json<'_>]) -> String {
    let format_of = |item| FORMATS.iter().find(|format| format.is_whole(item));
    let first = documents.first().copied().and_then(format_of);
    let odd = first.and_then(|first| documents.iter().position(|item| !first.is_whole(*item)));
    match (first, odd) {
        (Some(first), Some(at)) => format!(
            "the first of the list is {}, but [{at}] is not: found {}",
            first.name.label(),
            outline(documents[at])
        ),
        _ => format!("found {}", outline(Json::Array(documents))),
    }
}

/// The look of a value from outside: its type and its keys.
pub(super) fn outline(value: Json<'_>) -> String {
    match value {
        Json::Object(members) => {
            let keys: Vec<_> = members.iter().take(6).map(|(key, _)| *key).collect();
            let more = if members.len() > keys.len() {
                ", …"
            } else {
                ""
            };
            format!("an object with the keys {{{}{more}}}", keys.join(", "))
        }
        Json::Array([first, ..]) => format!("a list of which the first is {}", outline(*first)),
        other => other.describe(),
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::formats::testing::{
        each_mutation, failure, fixture, fixture_in, fixtures, imported,
    };
    use crate::formats::{detect_format, import_tools, import_trajectories};
    use crate::model::testing::arena_json;
    use crate::model::{Limits, Reader, Trajectory};

    #[test]
    fn formats_are_told_apart() {
        let detected = |text: &str| {
            let arena = Bump::new();
            let found = detect_format(arena_json(&arena, text));
            serde_json::to_string(&found).expect("JSON")
        };
        let trajectory = |format| format!(r#"{{"kind":"trajectory","format":"{format}"}}"#);
        let tools = |format| format!(r#"{{"kind":"tools","format":"{format}"}}"#);
        let cases = [
            (r#"{"turns":[]}"#, trajectory("harness")),
            (
                r#"[{"turn_id":1,"role":"user","content":""}]"#,
                trajectory("harness"),
            ),
            (
                r#"[{"role":"user","content":"hi"}]"#,
                trajectory("openai-chat"),
            ),
            (
                r#"{"messages":[{"role":"user","content":"hi"}],"tools":[]}"#,
                trajectory("openai-chat"),
            ),
            (
                r#"{"choices":[{"message":{"role":"assistant","content":"hi"}}]}"#,
                trajectory("openai-chat"),
            ),
            (r#"[{"task_id":1,"traj":[]}]"#, trajectory("tau-bench")),
            (
                r#"[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use","name":"f","input":{}}]}]"#,
                trajectory("anthropic"),
            ),
            (
                r#"{"system":"Be brief.","messages":[{"role":"user","content":"hi"}]}"#,
                trajectory("anthropic"),
            ),
            (
                r#"{"messages":[{"role":"user","content":"hi"}],"tools":[{"name":"f","input_schema":{}}]}"#,
                trajectory("anthropic"),
            ),
            (
                r#"{"type":"message","role":"assistant","content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn"}"#,
                trajectory("anthropic"),
            ),
            (
                r#"[{"role":"user","parts":[{"text":"hi"}]}]"#,
                trajectory("gemini"),
            ),
            (r#"[{"role":"model","parts":[]}]"#, trajectory("gemini")),
            (
                r#"{"contents":[{"parts":[{"text":null,"function_call":{"name":"f"}}]}]}"#,
                trajectory("gemini"),
            ),
            (r#"{"model":"g","contents":"hi"}"#, trajectory("gemini")),
            (r#"{"candidates":[{}]}"#, trajectory("gemini")),
            (
                r#"[{"role":"user","content":[{"text":"hi"}]}]"#,
                trajectory("bedrock"),
            ),
            (
                r#"[{"role":"user","content":"hi"},{"role":"assistant","content":[{"toolUse":{}}]}]"#,
                trajectory("bedrock"),
            ),
            (
                r#"{"messages":[{"role":"user","content":"hi"}],"toolConfig":{"tools":[]}}"#,
                trajectory("bedrock"),
            ),
            (
                r#"[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}}]}]"#,
                trajectory("ai-sdk-model"),
            ),
            (
                r#"{"messages":[{"role":"user","content":"hi"}],"tools":{"f":{"inputSchema":{}}}}"#,
                trajectory("ai-sdk-model"),
            ),
            (
                r#"[{"role":"user","content":[{"type":"file","data":"AA==","mediaType":"image/png"}]}]"#,
                trajectory("ai-sdk-model"),
            ),
            (
                r#"[{"role":"user","content":[{"type":"file","file":{"file_id":"x"}}]}]"#,
                trajectory("openai-chat"),
            ),
            (
                r#"[{"role":"user","content":[{"type":"text","text":"hi"}]}]"#,
                trajectory("openai-chat"),
            ),
            (
                r#"[{"id":"m","role":"user","parts":[{"type":"text","text":"hi"}]}]"#,
                trajectory("ai-sdk-ui"),
            ),
            (
                r#"[{"id":"m","role":"user","content":"hi"},{"id":"n","role":"assistant","content":"","toolInvocations":[{"state":"call","toolCallId":"a","toolName":"f","args":{}}]}]"#,
                trajectory("ai-sdk-ui"),
            ),
            (
                r#"{"steps":[{"content":[{"type":"text","text":"hi"}],"finishReason":"stop"}]}"#,
                trajectory("ai-sdk-steps"),
            ),
            (
                r#"[{"text":"","toolCalls":[{"toolCallId":"a","toolName":"f","args":{}}],"toolResults":[]}]"#,
                trajectory("ai-sdk-steps"),
            ),
            (
                r#"{"model":"m","input":"hi"}"#,
                trajectory("openai-responses"),
            ),
            (
                r#"{"model":"m","input":[{"role":"user","content":"hi"}]}"#,
                trajectory("openai-responses"),
            ),
            (
                r#"[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"output_text","text":"x"}]}]"#,
                trajectory("openai-responses"),
            ),
            (
                r#"[{"role":"user","content":"hi"},{"type":"mcp_call","id":"a","name":"f","arguments":"{}"}]"#,
                trajectory("openai-responses"),
            ),
            (
                r#"[{"role":"user","content":"hi"},{"type":"function_call","callId":"a","name":"f","arguments":"{}"}]"#,
                trajectory("openai-agents"),
            ),
            (
                r#"[{"type":"message_output_item","rawItem":{"role":"assistant","content":"hi"}}]"#,
                trajectory("openai-agents"),
            ),
            (
                r#"[[{"role":"user","content":"hi"}],[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}]]"#,
                trajectory("anthropic"),
            ),
            (
                r#"[{"messages":[{"role":"user","content":"hi"}]},{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}]}]"#,
                trajectory("anthropic"),
            ),
            (
                r#"[{"type":"function","function":{"name":"f","parameters":{}}}]"#,
                tools("openai-chat"),
            ),
            (r#"[{"name":"f","input_schema":{}}]"#, tools("anthropic")),
            (r#"{"tools":[{"name":"f","inputSchema":{}}]}"#, tools("mcp")),
            (r#"{"f":{"name":"f","parameters":{}}}"#, tools("record")),
            (r#"{"name":"f","parameters":{}}"#, tools("record")),
            (r#"{"hello":"world"}"#, "null".to_owned()),
            ("[]", "null".to_owned()),
            ("7", "null".to_owned()),
        ];
        for (text, expected) in cases {
            assert_eq!(detected(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_known_format_is_told_with_the_nearest_and_what_it_lacks() {
        let cases = [
            (
                r#"{"task_id":1}"#,
                "nearest is tau-bench, but it lacks `traj`, the messages",
            ),
            (
                r#"[{"name":"f","args":{"n":1},"id":"c","type":"tool_call"}]"#,
                "this is a list of calls without the conversation around them; scoreToolCalls compares it, on the command line score --actual",
            ),
            (
                r#"[{"id":0,"action":"run","args":{"command":"ls"}}]"#,
                "found a list of which the first is an object with the keys {id, action, args}",
            ),
            (
                r#"[{"role":"user","content":[{"type":"hologram"}]}]"#,
                "nearest is openai-chat, but it lacks a text or text parts as `content`",
            ),
            (
                r#"[{"role":"wizard","content":[{"type":"tool_use"}]}]"#,
                "nearest is anthropic, but it lacks the roles user and assistant",
            ),
            (
                r#"[{"role":"model","content":"b"}]"#,
                "nearest is gemini, but it lacks a list of `parts`",
            ),
            (
                r#"{"candidates":{}}"#,
                "nearest is gemini, but it lacks a list of `candidates`",
            ),
            (
                r#"[{"role":"wizard","content":"a"}]"#,
                "nearest is openai-chat, but it lacks roles",
            ),
            (r#"{"a":1,"b":2}"#, "found an object with the keys {a, b}"),
            (
                r#"[{"x":1}]"#,
                "found a list of which the first is an object with the keys {x}",
            ),
            ("[]", "the list is empty"),
            ("\"text\"", "found \"text\" (string)"),
        ];
        for (text, reason) in cases {
            let error = failure(text);
            assert!(
                matches!(error, Error::UnknownFormat { .. }),
                "{text}: {error}"
            );
            assert!(error.to_string().contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn of_tool_definitions_it_is_told_that_they_are() {
        let mut formats = std::collections::BTreeSet::new();
        for name in fixtures("tools") {
            // A question of BFCL is a trajectory with its tools.
            if name == "bfcl.question.json" {
                continue;
            }
            let error = failure(&fixture_in("tools", &name));
            assert!(error.to_string().contains("--tools"), "{name}: {error}");
            formats.extend(name.split('.').next().map(str::to_owned));
        }
        assert_eq!(formats.len(), 9, "{formats:?}");
        for text in [r#"[{"id":"f","kind":"person"}]"#, r#"{"tools":[]}"#] {
            let error = failure(text);
            assert!(!error.to_string().contains("--tools"), "{text}: {error}");
        }
    }

    #[test]
    fn a_list_of_documents_is_read_one_by_one() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[[{"role":"user","content":"a"}],[{"role":"tool","content":"b"}]]"#,
        );
        assert_eq!(read.format, TrajectoryFormat::OpenaiChat);
        assert_eq!(read.value.len(), 2);
        assert_eq!(read.warnings[0].path, "[1][0]");
        let error = failure(r#"[[{"role":"user"}],[{"role":"user"},{"role":"wizard"}]]"#);
        assert_eq!(error.report().path.as_deref(), Some("[1][1].role"));
        let error = failure(r#"[{"choices":[{"message":{"role":"user"}}]},{"turns":[]}]"#);
        assert!(
            error.to_string().ends_with(
                "the first of the list is openai-chat, but [1] is not: found an object with the keys {turns}"
            ),
            "{error}"
        );
    }

    #[test]
    fn each_fixture_is_of_the_format_that_it_is_named_after() {
        for name in fixtures("formats") {
            let arena = Bump::new();
            let read = imported(&arena, &fixture(&name));
            assert_eq!(name.split('.').next(), Some(read.format.label()), "{name}");
            let made: usize = read.value.iter().map(Trajectory::call_count).sum();
            let expected = read
                .value
                .iter()
                .filter_map(|it| it.expected_calls.as_ref());
            let expected: usize = expected.map(Vec::len).sum();
            assert!(made + expected > 0, "{name} holds no call");
            let reader = Reader::new(&arena, Limits::default());
            for tools in read.value.iter().filter_map(|trajectory| trajectory.tools) {
                import_tools(tools, reader).expect(&name);
            }
        }
    }

    #[test]
    fn two_documents_in_a_list_are_of_the_format_that_each_is() {
        for name in fixtures("formats") {
            let arena = Bump::new();
            let document = arena_json(&arena, &fixture(&name));
            // The lines of JSON Lines are the documents already.
            if name.ends_with(".jsonl") {
                continue;
            }
            let twice = Json::Array(arena.alloc_slice_copy(&[document, document]));
            let format = detect_trajectory(twice).expect(&name).0.name.label();
            assert_eq!(name.split('.').next(), Some(format), "{name}");
        }
    }

    #[test]
    fn no_change_of_one_node_of_a_fixture_makes_reading_it_panic() {
        for name in fixtures("formats") {
            let arena = Bump::new();
            let document = arena_json(&arena, &fixture(&name));
            let format = detect_trajectory(document).expect("a known format").0.name;
            each_mutation(&arena, document, &mut |changed| {
                let reader = Reader::new(&arena, Limits::default());
                for format in [None, Some(format)] {
                    if let Ok(read) = import_trajectories(changed, format, reader) {
                        serde_json::to_string(&read.value).expect("plain data");
                    }
                }
            });
        }
    }
}
