//! An answer in the shape of OpenAI chat while its pieces arrive, whoever sends it.

use crate::kit::Import;
use crate::kit::conversation::Conversation;
use crate::kit::dialects::openai_chat;
use crate::kit::fields::Fields;
use crate::kit::message::About;
use crate::kit::pieces::Pieces;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Member, Path};

/// An answer while its pieces arrive.
pub struct Answer<'a> {
    /// Where its message begins.
    pub path: Path,
    /// What else its turn keeps.
    pub about: About<'a>,
    /// Its texts by their members, and its calls.
    pub pieces: Pieces<'a>,
    /// The calls that arrive as a whole.
    pub calls: Vec<Json<'a>>,
    /// The members that are no texts.
    others: Vec<Member<'a>>,
}

impl<'a> Answer<'a> {
    pub fn new(path: Path, about: About<'a>) -> Self {
        Self {
            path,
            about,
            pieces: Pieces::default(),
            calls: Vec::new(),
            others: Vec::new(),
        }
    }

    /// Adds a member of the message. Pieces of a text are joined; of other values, the last one is kept.
    pub fn member(&mut self, key: &'a str, value: Json<'a>) {
        match value {
            Json::Null => {}
            Json::String(text) => self.pieces.text(Json::String(key), text),
            value => {
                self.others.retain(|(known, _)| *known != key);
                self.others.push((key, value));
            }
        }
    }

    /// Adds the message to `conversation`. If the stream was `cut_off`, its last call is incomplete.
    pub fn read(
        self,
        cut_off: bool,
        conversation: &mut Conversation<'a>,
        import: &mut Import<'a>,
    ) -> Result<()> {
        let texts = self.pieces.joined_texts(import).into_iter();
        let texts = texts.filter_map(|(key, text)| Some((key.as_str()?, Json::String(text))));
        let pieces = self.pieces.openai_calls(import);
        let pieces = pieces.items().unwrap_or_default().iter();
        let calls: Vec<_> = pieces.copied().chain(self.calls).collect();
        let calls = Json::Array(import.arena().alloc_slice_copy(&calls));
        let mut members = vec![("role", Json::String("assistant")), ("tool_calls", calls)];
        members.extend(texts);
        for other in self.others {
            if members.iter().all(|(key, _)| *key != other.0) {
                members.push(other);
            }
        }
        let message = Json::Object(import.arena().alloc_slice_copy(&members));
        let fields = Fields::of(message, self.path, "the pieces of a message")?;
        openai_chat::read_answer(&fields, self.about, cut_off, conversation, import)
    }
}
