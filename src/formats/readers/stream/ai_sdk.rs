//! Parts of the AI SDK's streams: of UI messages, `{type: "tool-input-available", toolCallId, toolName, input}`, and of
//! `fullStream`, `{type: "tool-call", toolCallId, toolName, input}`.

use super::{Rows, usage_in, warn_of_failure};
use crate::kit::Import;
use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::message::{About, Message};
use crate::kit::pieces::Pieces;
use crate::kit::signs::kind;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role};

pub fn read<'a>(
    rows: &Rows<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let mut answer = Answer {
        message: Message::new(Role::Agent, About::default(), conversation),
        pieces: Pieces::default(),
        thoughts: Pieces::default(),
        path: rows.path(0),
    };
    for (at, part) in rows.chunks() {
        answer.path = rows.path(at);
        answer.add(part, import);
    }
    answer.end_step(import);
    Ok(())
}

/// The member that says that the provider ran the tool.
const PROVIDER_EXECUTED: &str = "providerExecuted";

fn is_true(part: Json<'_>, key: &str) -> bool {
    matches!(part.get(key), Some(Json::Bool(true)))
}

/// The answer while its parts arrive.
struct Answer<'m, 'a> {
    message: Message<'m, 'a>,
    /// The texts and calls of the current step.
    pieces: Pieces<'a>,
    thoughts: Pieces<'a>,
    /// Where the latest part is.
    path: Path,
}

impl<'a> Answer<'_, 'a> {
    fn add(&mut self, part: Json<'a>, import: &mut Import<'a>) {
        let text = |key: &str| part.get(key).and_then(Json::as_str);
        let delta = text("delta").or(text("text")).or(text("inputTextDelta"));
        let id = text("toolCallId").or(text("id"));
        let key = id.map_or(Json::Null, Json::String);
        match kind(part).unwrap_or_default() {
            "start" | "start-step" | "finish" => self.end_step(import),
            "finish-step" => {
                let usage = usage_in(part, &["usage"]);
                let about = About {
                    timestamp: None,
                    extra: import.arena().alloc_slice_copy(usage.as_slice()),
                };
                self.message.keep(about, import);
                self.end_step(import);
            }
            "text-delta" => self.pieces.text(key, delta.unwrap_or_default()),
            "reasoning-delta" => self.thoughts.text(key, delta.unwrap_or_default()),
            "tool-input-start" => {
                let call = self.pieces.call(key, id);
                call.name = call.name.or(text("toolName"));
            }
            "tool-input-delta" => self.pieces.call(key, id).written.extend(delta),
            "tool-input-available" | "tool-input-error" | "tool-call" => {
                let call = self.pieces.call(key, id);
                if is_true(part, PROVIDER_EXECUTED) {
                    call.extra = &[(PROVIDER_EXECUTED, Json::Bool(true))];
                }
                call.name = text("toolName").or(call.name);
                call.whole = part.get("input").or(part.get("args"));
                let error = part.get("errorText").filter(|error| !error.is_null());
                call.outcome = error.map(Outcome::Error);
            }
            "tool-output-available" | "tool-result" => {
                let value = part
                    .get("output")
                    .or(part.get("result"))
                    .unwrap_or_default();
                self.answer(id, Outcome::of(import.nested(value), false), import);
                // The model sees it at once, so what follows is another turn.
                if is_true(part, PROVIDER_EXECUTED) && !is_true(part, "preliminary") {
                    self.end_step(import);
                }
            }
            "tool-output-error" | "tool-error" => {
                let error = part
                    .get("errorText")
                    .or(part.get("error"))
                    .unwrap_or_default();
                self.answer(id, Outcome::Error(error), import);
            }
            "tool-output-denied" => {
                let denied = Outcome::denied(text("reason"), import);
                self.answer(id, denied, import);
            }
            "error" => {
                let error = part
                    .get("errorText")
                    .or(part.get("error"))
                    .unwrap_or_default();
                warn_of_failure(error, &self.path, import);
            }
            kind if is_content(kind) => self.message.other(part),
            _ => {}
        }
    }

    /// Adds the outcome of a call. It may answer a call of an earlier step.
    fn answer(&mut self, id: Option<&'a str>, outcome: Outcome<'a>, import: &mut Import<'a>) {
        let key = id.map_or(Json::Null, Json::String);
        if self.pieces.has_call(key) {
            self.pieces.call(key, id).outcome = Some(outcome);
        } else {
            let result = CallResult {
                id,
                name: None,
                outcome,
            };
            self.message.result(&result, &self.path, import);
        }
    }

    fn end_step(&mut self, import: &mut Import<'a>) {
        let thoughts = std::mem::take(&mut self.thoughts).joined_text(import);
        if !thoughts.is_empty() {
            let kind = ("type", Json::String("reasoning"));
            let members = [kind, ("text", Json::String(thoughts))];
            self.message
                .other(Json::Object(import.arena().alloc_slice_copy(&members)));
        }
        let pieces = std::mem::take(&mut self.pieces);
        pieces.add_to(&mut self.message, false, &self.path, import);
        self.message.end_answer(import);
    }
}

/// Whether a part of this type is neither text nor call, but part of the answer.
fn is_content(kind: &str) -> bool {
    kind == "file" || kind.starts_with("source") || kind.starts_with("data-")
}
