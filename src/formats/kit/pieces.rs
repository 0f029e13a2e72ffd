//! Joins the pieces of a stream: those of texts, and those of the arguments of calls.

use super::conversation::Outcome;
use super::import::Import;
use super::message::Message;
use toolgauge_model::{Json, Member, Path, ToolCall};

/// The texts and calls of an answer while their pieces arrive. Each has a key, by which the stream names it.
#[derive(Default)]
pub struct Pieces<'a> {
    texts: Vec<(Json<'a>, Vec<&'a str>)>,
    calls: Vec<(Json<'a>, CallPieces<'a>)>,
}

/// A call while its pieces arrive.
#[derive(Default)]
pub struct CallPieces<'a> {
    /// The id that links it to its result.
    pub id: Option<&'a str>,
    /// The name of the tool.
    pub name: Option<&'a str>,
    /// The pieces of its arguments, which are JSON text.
    pub written: Vec<&'a str>,
    /// Its arguments, if the stream also holds them as a whole.
    pub whole: Option<Json<'a>>,
    /// Its result, if the stream holds it.
    pub outcome: Option<Outcome<'a>>,
    /// Its other members.
    pub extra: &'a [Member<'a>],
}

impl<'a> Pieces<'a> {
    /// Whether nothing has arrived.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.calls.is_empty()
    }

    /// Whether a call with this key has begun.
    pub fn has_call(&self, key: Json<'a>) -> bool {
        self.calls.iter().any(|(known, _)| *known == key)
    }

    /// Adds a piece of a text.
    pub fn text(&mut self, key: Json<'a>, piece: &'a str) {
        match self.texts.iter_mut().rfind(|(known, _)| *known == key) {
            Some((_, pieces)) => pieces.push(piece),
            None => self.texts.push((key, vec![piece])),
        }
    }

    /// The call with this key. If that one has another `id`, a new call begins, because some servers give all calls of an
    /// answer one number.
    pub fn call(&mut self, key: Json<'a>, id: Option<&'a str>) -> &mut CallPieces<'a> {
        let is_it = |(known, call): &(Json<'a>, CallPieces<'a>)| {
            *known == key && (id.is_none() || call.id.is_none() || call.id == id)
        };
        let at = self
            .calls
            .iter()
            .rposition(is_it)
            .unwrap_or(self.calls.len());
        if at == self.calls.len() {
            self.calls.push((key, CallPieces::default()));
        }
        let call = &mut self.calls[at].1;
        call.id = call.id.or(id);
        call
    }

    /// The texts as one.
    pub fn joined_text(&self, import: &Import<'a>) -> &'a str {
        import.join_text(self.texts.iter().map(|(_, pieces)| joined(pieces, import)))
    }

    /// The texts by their keys.
    pub fn joined_texts(&self, import: &Import<'a>) -> Vec<(Json<'a>, &'a str)> {
        let texts = self.texts.iter();
        texts
            .map(|(key, pieces)| (*key, joined(pieces, import)))
            .collect()
    }

    /// The calls as OpenAI writes them: `{id, type, function: {name, arguments}}`.
    pub fn openai_calls(&self, import: &Import<'a>) -> Json<'a> {
        let arena = import.arena();
        let text = |text: Option<&'a str>| text.map_or(Json::Null, Json::String);
        let call = |(_, call): &(Json<'a>, CallPieces<'a>)| {
            let arguments = Json::String(joined(&call.written, import));
            let function = [("name", text(call.name)), ("arguments", arguments)];
            let function = Json::Object(arena.alloc_slice_copy(&function));
            let kind = ("type", Json::String("function"));
            let members = [("id", text(call.id)), kind, ("function", function)];
            Json::Object(arena.alloc_slice_copy(&members))
        };
        let calls: Vec<_> = self.calls.iter().map(call).collect();
        Json::Array(arena.alloc_slice_copy(&calls))
    }

    /// Adds the texts and calls to a message. Unless the answer `is_whole`, a call is incomplete if the stream holds nothing
    /// but pieces of it. `path` is where the answer is.
    pub fn add_to(
        self,
        message: &mut Message<'_, 'a>,
        is_whole: bool,
        path: &Path,
        import: &mut Import<'a>,
    ) {
        for (_, pieces) in &self.texts {
            message.text(joined(pieces, import));
        }
        for (_, call) in self.calls {
            message.call(call.join(is_whole, path, import));
        }
    }
}

impl<'a> CallPieces<'a> {
    fn join(self, is_whole: bool, path: &Path, import: &mut Import<'a>) -> ToolCall<'a> {
        let mut call = ToolCall {
            id: self.id,
            name: self.name,
            incomplete: !is_whole && self.whole.is_none() && self.outcome.is_none(),
            extra: self.extra,
            ..ToolCall::default()
        };
        let written = Json::String(joined(&self.written, import));
        let arguments = self.whole.unwrap_or(written);
        import.arguments(&mut call, Some(arguments), &|| path.clone());
        if let Some(outcome) = self.outcome {
            outcome.put_to(&mut call);
        }
        call
    }
}

/// The pieces of one text, joined without anything between them.
pub fn joined<'a>(pieces: &[&'a str], import: &Import<'a>) -> &'a str {
    match pieces {
        [] => "",
        [one] => one,
        all => import.arena().alloc_str(&all.concat()),
    }
}
