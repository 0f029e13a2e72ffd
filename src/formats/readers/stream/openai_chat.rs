//! Chunks of OpenAI chat completions: `{id, object: "chat.completion.chunk", choices: [{index, delta, finish_reason}]}`.

use super::{Rows, usage_in, warn_of_failure};
use crate::kit::Import;
use crate::kit::conversation::Conversation;
use crate::kit::dialects::openai_chat;
use crate::kit::fields::Fields;
use crate::kit::message::About;
use crate::kit::pieces::Pieces;
use crate::kit::signs::items;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Member, Number, Path};

/// What a chunk calls itself.
pub const OBJECT: &str = "chat.completion.chunk";

/// The index of the first choice.
const FIRST: Json<'_> = Json::Number(Number::Unsigned(0));

/// An answer while its pieces arrive.
struct Answer<'a> {
    id: Option<Json<'a>>,
    path: Path,
    about: About<'a>,
    pieces: Pieces<'a>,
    /// Members of deltas that are no texts.
    others: Vec<Member<'a>>,
    finish: Option<&'a str>,
    /// The tokens that the model used. The last chunk says so, without a choice.
    usage: Option<Member<'a>>,
}

pub fn read<'a>(
    rows: &Rows<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let mut answers: Vec<Answer<'a>> = Vec::new();
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
                |answer: &Answer<'a>| id.is_some() && answer.id.is_some() && answer.id != id;
            if answers.last().is_none_or(is_new) {
                let fields = Fields::of(chunk, rows.path(at), "a chunk")?;
                let about = About::of(&fields, &["choices", "object", "usage"], import);
                answers.push(Answer {
                    id,
                    path: rows.path(at).key("choices").index(0).key("delta"),
                    about,
                    pieces: Pieces::default(),
                    others: Vec::new(),
                    finish: None,
                    usage: None,
                });
            }
            if let Some(answer) = answers.last_mut() {
                answer.add(*choice);
            }
        }
        if let Some(answer) = answers.last_mut() {
            answer.usage = usage_in(chunk, &["usage"]).or(answer.usage);
        }
    }
    for answer in answers {
        answer.read(conversation, import)?;
    }
    Ok(())
}

impl<'a> Answer<'a> {
    fn add(&mut self, choice: Json<'a>) {
        let delta = choice
            .get("delta")
            .and_then(Json::members)
            .unwrap_or_default();
        for (key, value) in delta {
            match (*key, *value) {
                ("role", _) | (_, Json::Null) => {}
                ("tool_calls", Json::Array(calls)) => {
                    for call in calls {
                        self.call(call.get("index").unwrap_or_default(), *call, "function");
                    }
                }
                ("function_call", _) => self.call(Json::String(key), Json::Object(delta), key),
                (_, Json::String(text)) => self.pieces.text(Json::String(key), text),
                (_, value) => {
                    self.others.retain(|(known, _)| known != key);
                    self.others.push((key, value));
                }
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
        let call = self.pieces.call(key, id);
        call.name = call.name.or(text("name").filter(|name| !name.is_empty()));
        call.written.extend(text("arguments").or(text("input")));
    }

    fn read(self, conversation: &mut Conversation<'a>, import: &mut Import<'a>) -> Result<()> {
        let texts = self.pieces.joined_texts(import).into_iter();
        let texts = texts.filter_map(|(key, text)| Some((key.as_str()?, Json::String(text))));
        let members: Vec<_> = [("role", Json::String("assistant"))]
            .into_iter()
            .chain(texts)
            .chain(self.others)
            .chain([("tool_calls", self.pieces.openai_calls(import))])
            .collect();
        let message = Json::Object(import.arena().alloc_slice_copy(&members));
        let fields = Fields::of(message, self.path, "the pieces of a message")?;
        let is_cut_off = matches!(self.finish, None | Some("length"));
        let about = About {
            extra: import.merge(self.about.extra, self.usage.as_slice()),
            ..self.about
        };
        openai_chat::read_answer(&fields, about, is_cut_off, conversation, import)
    }
}
