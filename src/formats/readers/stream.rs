//! Recorded streams: the chunks or events in which an API sends the answers of a model, one per row. A row may be
//! `{event, data}`, too. Pieces of texts and arguments are joined. A stream holds answers alone, without the request.

mod ai_sdk;
mod answer;
mod anthropic;
mod bedrock;
mod cohere;
mod gemini;
mod ollama;
mod openai_chat;
mod openai_responses;

use crate::kit::conversation::Conversation;
use crate::kit::signs::{Sign, first_of, items, kind, likeness_of_rows};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Member, Path, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Stream,
    marks: &[],
    likeness,
    read,
};

/// Who writes a stream.
#[derive(Clone, Copy)]
enum Source {
    OpenaiChat,
    OpenaiResponses,
    Anthropic,
    Gemini,
    AiSdk,
    Bedrock,
    Cohere,
    Ollama,
}

fn likeness(value: Json<'_>) -> Likeness {
    match value.items().is_some_and(gemini::are_chunks) || recorded(value).is_some() {
        true => Likeness::Full,
        false => likeness_of_rows(value, sign),
    }
}

/// The chunks in what Gemini CLI records of a stream: `{method, response}`.
fn recorded<'a>(document: Json<'a>) -> Option<&'a [Json<'a>]> {
    document.get("method")?.as_str()?;
    let chunks = document.get("response")?.items()?;
    let has_candidates = |chunk: &Json<'_>| !items(*chunk, "candidates").is_empty();
    chunks.iter().any(has_candidates).then_some(chunks)
}

fn sign(row: Json<'_>) -> Sign {
    let chunk = chunk_in(row);
    match source_of(chunk) {
        Some(_) => Sign::Decisive,
        None if chunk.get("object").and_then(Json::as_str) == Some(openai_chat::OBJECT) => {
            Sign::Broken("a `delta` in the choices of its chunks")
        }
        None => Sign::Open,
    }
}

/// The chunk in a row, or the row itself.
fn chunk_in(row: Json<'_>) -> Json<'_> {
    let data = row.get("data").filter(|data| data.members().is_some());
    data.filter(|_| row.get("event").is_some()).unwrap_or(row)
}

/// Who writes such a chunk, if it is surely a chunk.
fn source_of(chunk: Json<'_>) -> Option<Source> {
    let has = |key: &str| chunk.get(key).is_some();
    let Some(kind) = kind(chunk) else {
        let has_delta = |choice: &Json<'_>| choice.get("delta").is_some();
        return match items(chunk, "choices").iter().any(has_delta) {
            true => Some(Source::OpenaiChat),
            false if bedrock::is_event(chunk) => Some(Source::Bedrock),
            false => ollama::is_chunk(chunk).then_some(Source::Ollama),
        };
    };
    match kind {
        _ if cohere::is_event(chunk) => Some(Source::Cohere),
        "message_start" if has("message") => Some(Source::Anthropic),
        "content_block_start" | "content_block_delta" if has("index") => Some(Source::Anthropic),
        "tool-input-start" | "tool-input-delta" => Some(Source::AiSdk),
        "tool-input-available" | "tool-output-available" if has("toolCallId") => {
            Some(Source::AiSdk)
        }
        "text-delta" if has("id") && (has("delta") || has("text")) => Some(Source::AiSdk),
        _ => {
            let event = kind.strip_prefix("response.")?;
            let is_event = has("response") || has("item") || event.ends_with(".delta");
            is_event.then_some(Source::OpenaiResponses)
        }
    }
}

/// The rows of a stream, and where they are.
struct Rows<'a> {
    list: &'a [Json<'a>],
    path: Path,
}

impl<'a> Rows<'a> {
    /// The chunks with their positions.
    fn chunks(&self) -> impl Iterator<Item = (usize, Json<'a>)> {
        self.list.iter().map(|row| chunk_in(*row)).enumerate()
    }

    /// The path of the chunk in the row at `at`.
    fn path(&self, at: usize) -> Path {
        let path = self.path.index(at);
        match self.list.get(at).is_some_and(|row| chunk_in(*row) != *row) {
            true => path.key("data"),
            false => path,
        }
    }
}

/// The first of the members `keys` that says what the model used.
fn usage_in<'a>(chunk: Json<'a>, keys: &[&'static str]) -> Option<Member<'a>> {
    let there = keys.iter().filter_map(|key| Some((*key, chunk.get(key)?)));
    there
        .into_iter()
        .find(|(_, usage)| usage.members().is_some())
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let root = Path::root();
    let recorded = recorded(value);
    let rows = match (value, recorded) {
        (_, Some(list)) => Rows {
            list,
            path: root.key("response"),
        },
        (Json::Array(list), None) => Rows { list, path: root },
        (one, None) => Rows {
            list: import.slice(one),
            path: root,
        },
    };
    let mut sources = first_of(rows.list)
        .iter()
        .map(|row| source_of(chunk_in(*row)));
    let source = match sources.find_map(|source| source) {
        None if recorded.is_some() || gemini::are_chunks(rows.list) => Some(Source::Gemini),
        other => other,
    };
    let mut conversation = Conversation::default();
    let mut tools = None;
    match source {
        Some(Source::OpenaiChat) => openai_chat::read(&rows, &mut conversation, import)?,
        Some(Source::OpenaiResponses) => {
            tools = openai_responses::read(&rows, &mut conversation, import)?;
        }
        Some(Source::Anthropic) => anthropic::read(&rows, &mut conversation, import)?,
        Some(Source::Gemini) => gemini::read(&rows, &mut conversation, import)?,
        Some(Source::AiSdk) => ai_sdk::read(&rows, &mut conversation, import)?,
        Some(Source::Bedrock) => bedrock::read(&rows, &mut conversation, import)?,
        Some(Source::Cohere) => cohere::read(&rows, &mut conversation, import)?,
        Some(Source::Ollama) => ollama::read(&rows, &mut conversation, import)?,
        None => {}
    }
    if conversation.len() == 0 {
        return Err(Error::invalid_input(
            rows.path,
            "chunks of an answer",
            "none",
        ));
    }
    Ok(vec![Trajectory {
        turns: conversation.into_turns(),
        tools,
        ..Trajectory::default()
    }])
}

/// Warns of an error that ended the stream.
fn warn_of_failure<'a>(error: Json<'a>, path: &Path, import: &mut Import<'a>) {
    let said = import.label(error.get("message").unwrap_or(error));
    import.warn(path, format!("the stream ended with an error: {said}"));
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use crate::testing::{calls_of, failure, fixture, imported, turns_of};
    use crate::{Imported, TrajectoryFormat};
    use toolgauge_model::{Json, Role, Trajectory};

    fn read<'a>(arena: &'a Bump, name: &str) -> Imported<Vec<Trajectory<'a>>, TrajectoryFormat> {
        imported(arena, &fixture(&format!("stream/{name}")))
    }

    fn warned<'r>(read: &'r Imported<Vec<Trajectory<'_>>, TrajectoryFormat>) -> Vec<&'r str> {
        read.warnings.iter().map(|it| it.path.as_str()).collect()
    }

    #[test]
    fn chunks_of_openai_are_joined_by_index() {
        let arena = Bump::new();
        let read = read(&arena, "openai-chat.jsonl");
        assert_eq!(read.value.len(), 1);
        assert_eq!(
            turns_of(&read.value[0]),
            [
                (Role::Agent, "I look it up.".to_owned(), 2),
                (Role::Agent, "Both ferries go.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"id":"call_1","name":"ferry","arguments":{"to":"Vlieland"}}"#,
                r#"{"id":"call_2","name":"ferry","arguments":{"to":"Texel"}}"#,
            ]
        );
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn a_stream_that_ends_early_has_an_incomplete_call() {
        let arena = Bump::new();
        let read = read(&arena, "openai-chat-cut-off.json");
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"id":"a","name":"ferry","arguments":{"to":"Ameland"}}"#,
                r#"{"id":"b","name":"ferry","rawArguments":"{\"to\":\"Sch","incomplete":true}"#,
            ]
        );
        assert_eq!(
            warned(&read),
            [
                "[2]",
                "[3]",
                "[0].choices[0].delta.tool_calls[1].function.arguments"
            ]
        );
    }

    #[test]
    fn responses_are_read_from_their_last_event_or_item_by_item() {
        let arena = Bump::new();
        let read = read(&arena, "openai-responses.jsonl");
        assert_eq!(
            turns_of(&read.value[0]),
            [
                (Role::System, "You know the ferries.".to_owned(), 0),
                (Role::Agent, String::new(), 1),
                (Role::Agent, "It goes at nine.".to_owned(), 0),
                (Role::Agent, String::new(), 1),
            ]
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"id":"call_1","name":"ferry","arguments":{"to":"Terschelling"},"item_id":"fc_1"}"#,
                r#"{"id":"call_2","name":"ticket","rawArguments":"{\"seat\":","incomplete":true}"#,
            ]
        );
        assert!(read.value[0].tools.is_some());
        assert_eq!(warned(&read), ["[10]"]);
    }

    #[test]
    fn events_of_anthropic_are_joined_by_block() {
        let arena = Bump::new();
        let read = read(&arena, "anthropic.json");
        assert_eq!(
            turns_of(&read.value[0]),
            [(Role::Agent, "I look it up.".to_owned(), 2)]
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"id":"toolu_1","name":"ferry","arguments":{"to":"Juist"}}"#,
                r#"{"id":"toolu_2","name":"clock","arguments":{}}"#,
            ]
        );
        let kept = Json::Object(read.value[0].turns[0].extra);
        let thought = kept
            .get("parts")
            .and_then(|it| it.items()?[0].get("thinking"));
        assert_eq!(thought, Some(Json::String("Two islands.")));
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        let cut_off = r#"[{"type":"message_start","message":{"role":"assistant"}},
            {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}},
            {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"a\""}},
            {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}]"#;
        let read = imported(&arena, cut_off);
        assert_eq!(warned(&read), ["[3]", "[0].message.content[0].input"]);
        assert!(read.value[0].turns[0].tool_calls[0].incomplete);
    }

    #[test]
    fn chunks_of_gemini_are_answers_and_whole_answers_are_documents() {
        let arena = Bump::new();
        let read = read(&arena, "gemini.json");
        assert_eq!(
            turns_of(&read.value[0]),
            [
                (Role::Agent, "I look it up.".to_owned(), 2),
                (Role::Agent, "At nine.".to_owned(), 0),
            ]
        );
        let whole = r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]},"finishReason":"STOP"}]}"#;
        let read = imported(&arena, &format!("[{whole},{whole}]"));
        assert_eq!(
            (read.format, read.value.len()),
            (TrajectoryFormat::Gemini, 2)
        );
    }

    #[test]
    fn parts_of_the_ai_sdk_hold_outcomes() {
        let arena = Bump::new();
        let ui = read(&arena, "ai-sdk.jsonl");
        assert_eq!(
            turns_of(&ui.value[0]),
            [
                (Role::Agent, "I look it up.".to_owned(), 3),
                (Role::Agent, "At eleven.".to_owned(), 1),
            ]
        );
        assert_eq!(
            calls_of(&ui.value[0]),
            [
                r#"{"id":"c1","name":"ferry","arguments":{"to":"Hooge"},"result":{"at":"11:00"}}"#,
                r#"{"id":"c2","name":"ferry","arguments":{"to":"Atlantis"},"error":"no such island"}"#,
                r#"{"id":"c3","name":"ferri","arguments":{"to":"Hooge"},"error":"no such tool"}"#,
                r#"{"id":"c4","name":"ticket","rawArguments":"{\"se","incomplete":true}"#,
            ]
        );
        let full = read(&arena, "ai-sdk-full-stream.json");
        assert_eq!(
            calls_of(&full.value[0]),
            [
                r#"{"id":"k1","name":"ferry","arguments":{"to":"Föhr"},"result":"12:30"}"#,
                r#"{"id":"k2","name":"ferry","arguments":{"to":"Sylt"},"error":"no pier"}"#,
            ]
        );
        assert!(full.warnings.is_empty(), "{:?}", full.warnings);
    }

    #[test]
    fn events_of_bedrock_are_joined_by_block() {
        let arena = Bump::new();
        let read = read(&arena, "bedrock.jsonl");
        assert_eq!(
            turns_of(&read.value[0]),
            [(Role::Agent, "I look it up.".to_owned(), 2)]
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"id":"tooluse_1","name":"tram_times","arguments":{"stop":"Lade"}}"#,
                r#"{"id":"tooluse_2","name":"clock","arguments":{}}"#,
            ]
        );
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        let cut_off = r#"[{"messageStart":{"role":"assistant"}},
            {"contentBlockStart":{"start":{"toolUse":{"toolUseId":"t","name":"f"}},"contentBlockIndex":0}},
            {"contentBlockDelta":{"delta":{"toolUse":{"input":"{\"a\""}},"contentBlockIndex":0}},
            {"throttlingException":{"message":"Too many tokens"}}]"#;
        let read = imported(&arena, cut_off);
        assert_eq!(warned(&read), ["[3]", "[0].content[0].toolUse.input"]);
        assert!(read.value[0].turns[0].tool_calls[0].incomplete);
    }

    #[test]
    fn chunks_of_ollama_are_joined_until_one_is_done() {
        let arena = Bump::new();
        let read = read(&arena, "ollama.jsonl");
        assert_eq!(
            turns_of(&read.value[0]),
            [
                (Role::Agent, "I look it up.".to_owned(), 2),
                (Role::Agent, "At noon.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"name":"tram_times","arguments":{"stop":"Lade"}}"#,
                r#"{"name":"tram_times","arguments":{"stop":"Lian"}}"#,
            ]
        );
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        let whole = r#"{"model":"q","message":{"role":"assistant","content":"a"},"done":true}"#;
        let read = imported(&arena, &format!("[{whole},{whole}]"));
        assert_eq!(
            (read.format, read.value.len()),
            (TrajectoryFormat::OpenaiChat, 2)
        );
    }

    #[test]
    fn events_of_cohere_hold_a_plan_calls_and_citations() {
        let arena = Bump::new();
        let read = read(&arena, "cohere.jsonl");
        assert_eq!(
            turns_of(&read.value[0]),
            [
                (Role::Agent, String::new(), 1),
                (Role::Agent, "At noon.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"tram_times_1","name":"tram_times","arguments":{"stop":"Lade"}}"#]
        );
        let kept = |turn: usize| Json::Object(read.value[0].turns[turn].extra);
        assert_eq!(
            kept(0).get("tool_plan"),
            Some(Json::String("I look it up."))
        );
        assert!(kept(1).get("citations").is_some());
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn a_call_that_the_provider_ran_is_marked_and_ends_its_turn() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"type":"tool-input-available","toolCallId":"c","toolName":"search","input":{},"providerExecuted":true},
                {"type":"tool-output-available","toolCallId":"c","output":1,"providerExecuted":true},
                {"type":"text-delta","id":"t","delta":"Found."}]"#,
        );
        assert_eq!(
            turns_of(&read.value[0]),
            [
                (Role::Agent, String::new(), 1),
                (Role::Agent, "Found.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"c","name":"search","arguments":{},"result":1,"providerExecuted":true}"#]
        );
    }

    #[test]
    fn answers_keep_what_the_model_used() {
        let arena = Bump::new();
        let used = |log: &str| {
            let read = imported(&arena, log);
            let in_turn = |turn: &toolgauge_model::Turn<'_>| {
                let extra = Json::Object(turn.extra);
                let usage = extra.get("usage").or(extra.get("usageMetadata"));
                usage.map(|usage| serde_json::to_string(&usage).expect("JSON"))
            };
            let mut usages = read.value[0].turns.iter().filter_map(in_turn);
            usages.next().expect("usage")
        };
        assert_eq!(
            used(
                r#"[{"type":"message_start","message":{"role":"assistant","usage":{"input_tokens":3,"output_tokens":1}}},
                    {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"hi"}},
                    {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}]"#
            ),
            r#"{"output_tokens":9,"input_tokens":3}"#
        );
        assert_eq!(
            used(
                r#"[{"type":"response.created","response":{"usage":null}},
                    {"type":"response.output_item.done","item":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}]}},
                    {"type":"response.completed","response":{"output":[],"usage":{"total_tokens":9}}}]"#
            ),
            r#"{"total_tokens":9}"#
        );
        assert_eq!(
            used(
                r#"[{"type":"start-step"},{"type":"text-delta","id":"0","text":"hi"},
                    {"type":"finish-step","usage":{"totalTokens":9}},{"type":"finish","totalUsage":{"totalTokens":9}}]"#
            ),
            r#"{"totalTokens":9}"#
        );
        assert_eq!(
            used(&fixture("stream/openai-chat.jsonl")),
            r#"{"prompt_tokens":9,"completion_tokens":20,"total_tokens":29}"#
        );
        assert_eq!(
            used(&fixture("stream/gemini.json")),
            r#"{"totalTokenCount":9}"#
        );
    }

    #[test]
    fn the_error_says_what_chunks_lack() {
        let reason = failure(r#"[{"object":"chat.completion.chunk","choices":[]}]"#).to_string();
        assert!(
            reason.contains("stream, but it lacks a `delta`"),
            "{reason}"
        );
        let reason = failure(r#"[{"type":"message_start","message":{}}]"#).to_string();
        assert!(reason.contains("chunks of an answer"), "{reason}");
    }
}
