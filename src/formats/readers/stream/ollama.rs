//! Chunks of Ollama: `{model, created_at, message: {role, content, tool_calls}, done}`. Its calls arrive as a whole, and the
//! last chunk of an answer is `done`.

use super::answer::Answer;
use super::{Rows, warn_of_failure};
use crate::kit::Import;
use crate::kit::conversation::Conversation;
use crate::kit::fields::Fields;
use crate::kit::message::About;
use toolgauge_model::Json;
use toolgauge_model::error::Result;

/// The members of a chunk that no turn keeps: statistics, and what is read.
const OF_CHUNKS: [&str; 9] = [
    "message",
    "done",
    "done_reason",
    "total_duration",
    "load_duration",
    "prompt_eval_count",
    "prompt_eval_duration",
    "eval_count",
    "eval_duration",
];

/// Whether this is a chunk that is not the last of its answer. The last looks like an answer of its own.
pub fn is_chunk(chunk: Json<'_>) -> bool {
    let message = chunk.get("message");
    chunk.get("done") == Some(Json::Bool(false))
        && message.is_some_and(|it| it.get("role").is_some())
}

/// The chunks up to one that is `done`.
struct Chunks<'a> {
    answer: Answer<'a>,
    is_done: bool,
    reason: Option<&'a str>,
}

pub fn read<'a>(
    rows: &Rows<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let mut answers: Vec<Chunks<'a>> = Vec::new();
    for (at, chunk) in rows.chunks() {
        if let Some(error) = chunk.get("error") {
            warn_of_failure(error, &rows.path(at), import);
        }
        let Some(message) = chunk.get("message").and_then(Json::members) else {
            continue;
        };
        if answers.last().is_none_or(|it| it.is_done) {
            let fields = Fields::of(chunk, rows.path(at), "a chunk")?;
            let about = About::of(&fields, &OF_CHUNKS, import);
            answers.push(Chunks {
                answer: Answer::new(rows.path(at).key("message"), about),
                is_done: false,
                reason: None,
            });
        }
        let Some(last) = answers.last_mut() else {
            continue;
        };
        for (key, value) in message {
            match (*key, *value) {
                ("tool_calls", Json::Array(calls)) => last.answer.calls.extend(calls),
                ("role", _) => {}
                (key, value) => last.answer.member(key, value),
            }
        }
        last.is_done = chunk.get("done") == Some(Json::Bool(true));
        last.reason = chunk.get("done_reason").and_then(Json::as_str);
    }
    for chunks in answers {
        let is_cut_off = !chunks.is_done || chunks.reason == Some("length");
        chunks.answer.read(is_cut_off, conversation, import)?;
    }
    Ok(())
}
