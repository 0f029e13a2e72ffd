//! Events of version 2 of Cohere's API: `message-start`, pieces of the plan, of texts and of calls, `message-end`. Each
//! piece is in `delta.message`, where the member has one item in place of a list.

use super::answer::Answer;
use super::{Rows, warn_of_failure};
use crate::kit::Import;
use crate::kit::conversation::Conversation;
use crate::kit::fields::Fields;
use crate::kit::message::About;
use crate::kit::signs::kind;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path};

/// Whether this is an event with a piece of a message.
pub fn is_event(event: Json<'_>) -> bool {
    let kinds = [
        "message-start",
        "content-start",
        "content-delta",
        "tool-plan-delta",
        "tool-call-start",
        "tool-call-delta",
    ];
    let is_piece = kind(event).is_some_and(|kind| kinds.contains(&kind));
    is_piece && piece_of(event).is_some()
}

fn piece_of<'a>(event: Json<'a>) -> Option<Json<'a>> {
    event.get("delta")?.get("message")
}

/// The events from one `message-start` on.
struct Events<'a> {
    answer: Answer<'a>,
    citations: Vec<Json<'a>>,
    finish: Option<&'a str>,
}

pub fn read<'a>(
    rows: &Rows<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let mut messages: Vec<Events<'a>> = Vec::new();
    for (at, event) in rows.chunks() {
        let delta = event.get("delta").unwrap_or_default();
        if let Some(error) = delta.get("error").filter(|error| !error.is_null()) {
            warn_of_failure(error, &rows.path(at), import);
        }
        if kind(event) == Some("message-start") || messages.is_empty() {
            messages.push(Events::of(event, rows.path(at), import)?);
        }
        let Some(last) = messages.last_mut() else {
            continue;
        };
        last.add(event);
        last.finish = last
            .finish
            .or(delta.get("finish_reason").and_then(Json::as_str));
    }
    for mut events in messages {
        if !events.citations.is_empty() {
            let citations = import.arena().alloc_slice_copy(&events.citations);
            events.answer.member("citations", Json::Array(citations));
        }
        let is_cut_off = matches!(events.finish, None | Some("MAX_TOKENS" | "ERROR"));
        events.answer.read(is_cut_off, conversation, import)?;
    }
    Ok(())
}

impl<'a> Events<'a> {
    fn of(event: Json<'a>, path: Path, import: &mut Import<'a>) -> Result<Self> {
        let message = path.key("delta").key("message");
        let fields = Fields::of(event, path, "an event")?;
        let about = About::of(&fields, &["type", "delta", "index"], import);
        Ok(Self {
            answer: Answer::new(message, about),
            citations: Vec::new(),
            finish: None,
        })
    }

    fn add(&mut self, event: Json<'a>) {
        let piece = piece_of(event).unwrap_or_default();
        let text = |key: &str, inner: &str| piece.get(key)?.get(inner)?.as_str();
        let answer = &mut self.answer;
        match kind(event).unwrap_or_default() {
            "tool-plan-delta" => {
                answer.member("tool_plan", piece.get("tool_plan").unwrap_or_default())
            }
            "content-start" | "content-delta" => {
                for (inner, key) in [("text", "content"), ("thinking", "thinking")] {
                    if let Some(text) = text("content", inner).filter(|text| !text.is_empty()) {
                        answer.member(key, Json::String(text));
                    }
                }
            }
            "tool-call-start" | "tool-call-delta" => {
                let function = piece.get("tool_calls").and_then(|it| it.get("function"));
                let function = |key: &str| function?.get(key)?.as_str();
                let key = event.get("index").unwrap_or_default();
                let call = answer.pieces.call(key, text("tool_calls", "id"));
                call.name = call.name.or(function("name"));
                call.written.extend(function("arguments"));
            }
            "citation-start" => self.citations.extend(piece.get("citations")),
            _ => {}
        }
    }
}
