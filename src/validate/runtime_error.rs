//! Recognizes results in which the runtime reports that the called tool does not exist.

use toolgauge_model::{Json, ToolCall};

/// Longer texts are results, not error messages of a runtime.
const LONGEST_MESSAGE: usize = 600;

/// Phrases that report that a tool does not exist. `*` is the name of the tool, quoted or not. They come from
/// common runtimes: AI SDK, LangGraph, OpenAI Agents, MCP servers and others.
const PHRASES: [&str; 16] = [
    "unknown tool *",
    "unknown tool: *",
    "unknown function *",
    "unknown function: *",
    "tool * not found",
    "tool not found: *",
    "function * not found",
    "function not found: *",
    "no such tool: *",
    "no such tool *",
    "no tool named *",
    "unavailable tool *",
    "* is not a valid tool",
    "tool * does not exist",
    "function * does not exist",
    "tool * is not available",
];

/// Returns the message if the outcome of `call` reports that the tool `name` does not exist.
pub fn says_tool_not_found<'a>(call: &ToolCall<'a>, name: &str) -> Option<&'a str> {
    let outcomes = [call.error, call.result].into_iter().flatten();
    outcomes
        .flat_map(messages)
        .find(|message| is_not_found(message, name))
}

/// Returns the texts in which an outcome can report an error.
fn messages(outcome: Json<'_>) -> Vec<&str> {
    let mut found = Vec::new();
    match outcome {
        Json::String(text) => found.push(text),
        Json::Object(_) => {
            for key in ["error", "message", "errorText", "text", "detail"] {
                match outcome.get(key) {
                    Some(Json::String(text)) => found.push(text),
                    Some(inner @ Json::Object(_)) => {
                        found.extend(inner.get("message").and_then(Json::as_str));
                    }
                    _ => {}
                }
            }
            let content = outcome
                .get("content")
                .and_then(Json::items)
                .unwrap_or_default();
            found.extend(content.iter().filter_map(|part| part.get("text")?.as_str()));
        }
        _ => {}
    }
    found.retain(|text| text.len() <= LONGEST_MESSAGE);
    found
}

fn is_not_found(message: &str, name: &str) -> bool {
    if !may_speak_of_tools(message) {
        return false;
    }
    let message = plain(message);
    let name = plain(name);
    message.contains(&name)
        && PHRASES
            .iter()
            .any(|phrase| holds_whole(&message, &phrase.replace('*', &name)))
}

/// Returns whether the letters of `tool` or `function` occur in `message` in this order, with anything in
/// between. Every phrase contains one of the words, so this cheap test avoids most searches.
fn may_speak_of_tools(message: &str) -> bool {
    let mut last = [0; 4];
    message.as_bytes().iter().any(|byte| {
        if byte.is_ascii_alphabetic() {
            last = [last[1], last[2], last[3], byte | 0x20];
        }
        last == *b"tool" || last == *b"func"
    })
}

/// Returns whether `text` contains `phrase` at word boundaries.
fn holds_whole(text: &str, phrase: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.match_indices(phrase).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + phrase.len()..].starts_with(is_part)
    })
}

/// Converts `text` to lower case without quotes and with single spaces.
fn plain(text: &str) -> String {
    let unquoted: String = text
        .chars()
        .filter(|c| !matches!(c, '"' | '\'' | '`' | '“' | '”' | '‘' | '’'))
        .flat_map(char::to_lowercase)
        .collect();
    unquoted.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use bumpalo::Bump;
    use toolgauge_model::testing::arena_json;

    fn said<'a>(arena: &'a Bump, result: &str) -> Option<&'a str> {
        let call = ToolCall {
            result: Some(arena_json(arena, result)),
            ..ToolCall::default()
        };
        says_tool_not_found(&call, "get_wether")
    }

    #[test]
    fn messages_of_common_runtimes_are_recognized() {
        let arena = Bump::new();
        for result in [
            r#""Error: Unknown tool: get_wether""#,
            r#""Tool 'get_wether' not found""#,
            r#"{"error":"Model tried to call unavailable tool 'get_wether'. Available tools: get_weather."}"#,
            r#""Error: get_wether is not a valid tool, try one of [get_weather].""#,
            r#"{"isError":true,"content":[{"type":"text","text":"MCP error -32602: Tool get_wether not found"}]}"#,
            r#"{"error":{"code":-32601,"message":"Unknown tool: get_wether"}}"#,
            r#"{"status":"error","message":"No such tool: `get_wether`"}"#,
        ] {
            assert!(said(&arena, result).is_some(), "{result}");
        }
    }

    #[test]
    fn every_phrase_passes_the_cheap_test() {
        for phrase in PHRASES {
            let quoted = phrase
                .replace('*', "`get_wether`")
                .replace("tool", "t“o'ol”");
            for message in [phrase.to_owned(), phrase.to_uppercase(), quoted] {
                assert!(may_speak_of_tools(&message), "{message}");
            }
        }
        assert!(!may_speak_of_tools("The city was not found: to lead, too."));
    }

    #[test]
    fn other_failures_and_names_are_not_recognized() {
        let arena = Bump::new();
        for result in [
            r#""Error: city not found""#,
            r#"{"error":"get_wether failed: station not found"}"#,
            r#""Unknown tool: get_news""#,
            r#""Unknown tool: get_wether_report""#,
            r#"{"temperature":12,"message":"fine"}"#,
            "null",
        ] {
            assert_eq!(said(&arena, result), None, "{result}");
        }
    }
}
