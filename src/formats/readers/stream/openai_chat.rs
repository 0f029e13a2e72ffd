//! Chunks of OpenAI chat completions: `{id, object: "chat.completion.chunk", choices: [{index, delta, finish_reason}]}`.

use super::answer::Answer;
use super::{Rows, usage_in, warn_of_failure};
use crate::kit::Import;
use crate::kit::conversation::Conversation;
use crate::kit::fields::Fields;
use crate::kit::message::About;
use crate::kit::signs::items;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Member, Number};

/// What a chunk calls itself.
pub const OBJECT: &str = "chat.completion.chunk";

/// The index of the first choice.
const FIRST: Json<'_> = Json::Number(Number::Unsigned(0));

/// The answer in the chunks with one id.
struct Chunks<'a> {
    id: Option<Json<'a>>,
    answer: Answer<'a>,
    finish: Option<&'a str>,
    /// The tokens that the model used. The last chunk says so, without a choice.
    usage: Option<Member<'a>>,
}

pub fn read<'a>(
    rows: &Rows<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let mut answers: Vec<Chunks<'a>> = Vec::new();
    let mut is_warned = false;
    for (at, chunk) in rows.chunks() {
        if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
            warn_of_failure(error, &rows.path(at), import);
        }
        for choice in items(chunk, "choices") {
            let is_first = choice.get("index").is_none_or(|index| index == FIRST);
            if !is_first {
                if !std::mem::replace(&mut is_warned, true) {
                    import.warn(
                        &rows.path(at),
                        "only the first choice of the answer is read",
                    );
                }
                continue;
            }
            let id = chunk
                .get("id")
                .filter(|id| !id.is_null() && id.as_str() != Some(""));
            let is_new =
                |chunks: &Chunks<'a>| id.is_some() && chunks.id.is_some() && chunks.id != id;
            if answers.last().is_none_or(is_new) {
                let fields = Fields::of(chunk, rows.path(at), "a chunk")?;
                let about = About::of(&fields, &["choices", "object", "usage"], import);
                let path = rows.path(at).key("choices").index(0).key("delta");
                answers.push(Chunks {
                    id,
                    answer: Answer::new(path, about),
                    finish: None,
                    usage: None,
                });
            }
            if let Some(chunks) = answers.last_mut() {
                chunks.add(*choice);
            }
        }
        if let Some(chunks) = answers.last_mut() {
            chunks.usage = usage_in(chunk, &["usage"]).or(chunks.usage);
        }
    }
    for mut chunks in answers {
        let is_cut_off = matches!(chunks.finish, None | Some("length"));
        let about = &mut chunks.answer.about;
        about.extra = import.merge(about.extra, chunks.usage.as_slice());
        chunks.answer.read(is_cut_off, conversation, import)?;
    }
    Ok(())
}

impl<'a> Chunks<'a> {
    fn add(&mut self, choice: Json<'a>) {
        let delta = choice
            .get("delta")
            .and_then(Json::members)
            .unwrap_or_default();
        for (key, value) in delta {
            match (*key, *value) {
                ("role", _) => {}
                ("tool_calls", Json::Array(calls)) => {
                    for call in calls {
                        self.call(call.get("index").unwrap_or_default(), *call, "function");
                    }
                }
                ("function_call", Json::Object(_)) => {
                    self.call(Json::String(key), Json::Object(delta), key);
                }
                (key, value) => self.answer.member(key, value),
            }
        }
        let finish = choice.get("finish_reason").and_then(Json::as_str);
        self.finish = self.finish.or(finish);
    }

    /// Adds a piece of a call, whose name and arguments are in the member `inner`.
    fn call(&mut self, key: Json<'a>, piece: Json<'a>, inner: &str) {
        let id = piece
            .get("id")
            .and_then(Json::as_str)
            .filter(|id| !id.is_empty());
        let function = piece.get(inner).or(piece.get("custom")).unwrap_or_default();
        let text = |key| function.get(key).and_then(Json::as_str);
        let call = self.answer.pieces.call(key, id);
        call.name = call.name.or(text("name").filter(|name| !name.is_empty()));
        call.written.extend(text("arguments").or(text("input")));
    }
}
