//! Makes turns from a message whose content is a list of parts: texts, calls, results and others.

use super::conversation::{CallResult, Conversation};
use super::fields::{Fields, is_one_of};
use super::import::Import;
use toolgauge_model::{Json, Member, Path, Role, ToolCall, Turn};

/// One message while its parts are read.
///
/// It becomes one turn, unless it holds results. A result ends the turn of its call, and what the agent
/// says and calls after it becomes another turn.
pub struct Message<'m, 'a> {
    role: Role,
    about: About<'a>,
    conversation: &'m mut Conversation<'a>,
    /// The first text. Most messages have only one.
    text: Option<&'a str>,
    more_texts: Vec<&'a str>,
    calls: Vec<ToolCall<'a>>,
    others: Vec<Json<'a>>,
    is_silent: bool,
}

impl<'m, 'a> Message<'m, 'a> {
    /// An empty message. `about` is what its turn keeps besides the parts.
    pub fn new(role: Role, about: About<'a>, conversation: &'m mut Conversation<'a>) -> Self {
        Self {
            role,
            about,
            conversation,
            text: None,
            more_texts: Vec::new(),
            calls: Vec::new(),
            others: Vec::new(),
            is_silent: true,
        }
    }

    /// Adds a text part. Kept out of line: it has many callers, and inlining only grows the module.
    #[inline(never)]
    pub fn text(&mut self, text: &'a str) {
        match self.text {
            None => self.text = Some(text),
            Some(_) => self.more_texts.push(text),
        }
    }

    /// Adds calls.
    pub fn calls(&mut self, mut calls: Vec<ToolCall<'a>>) {
        match self.calls.is_empty() {
            true => self.calls = calls,
            false => self.calls.append(&mut calls),
        }
    }

    /// Adds a call.
    pub fn call(&mut self, call: ToolCall<'a>) {
        self.calls.push(call);
    }

    /// Adds a part that is neither text nor a call. The turn keeps it in `parts`.
    pub fn other(&mut self, part: Json<'a>) {
        self.others.push(part);
    }

    /// Adds to what its turn keeps. A member that is already there stays as it is.
    pub fn keep(&mut self, about: About<'a>, import: &Import<'a>) {
        self.about.timestamp = self.about.timestamp.or(about.timestamp);
        self.about.extra = import.merge(self.about.extra, about.extra);
    }

    /// Sets the time of the turn that begins, unless a part has begun it or no time is known.
    pub fn start_at(&mut self, timestamp: Option<&'a str>) {
        if self.is_empty() && timestamp.is_some() {
            self.about.timestamp = timestamp;
        }
    }

    /// Adds a result to its call, as [`Conversation::result`].
    pub fn result(
        &mut self,
        result: &CallResult<'a>,
        path: &Path,
        import: &mut Import<'a>,
    ) -> Option<&mut ToolCall<'a>> {
        self.end_step(import);
        self.is_silent = false;
        self.conversation.result(result, path, import)
    }

    /// Ends the turn if it has calls. What follows is written with their results known.
    pub fn end_step(&mut self, import: &Import<'a>) {
        if !self.calls.is_empty() {
            self.end_turn(import);
        }
    }

    /// Ends the turn if it has any part, because another answer of the agent follows in this message.
    pub fn end_answer(&mut self, import: &Import<'a>) {
        if !self.is_empty() {
            self.end_turn(import);
        }
    }

    /// Whether there are no parts since the last turn ended.
    pub fn is_empty(&self) -> bool {
        self.text.is_none() && self.calls.is_empty() && self.others.is_empty()
    }

    /// Ends the message. A message without parts becomes an empty turn.
    pub fn finish(mut self, import: &Import<'a>) {
        if self.is_silent || !self.is_empty() {
            self.end_turn(import);
        }
    }

    fn end_turn(&mut self, import: &Import<'a>) {
        let about = std::mem::take(&mut self.about.extra);
        let extra = match self.others.is_empty() {
            true => about,
            false => {
                let parts = import.arena().alloc_slice_copy(&self.others);
                self.others.clear();
                let parts = ("parts", Json::Array(parts));
                let extra = about.iter().copied().chain([parts]);
                import
                    .arena()
                    .alloc_slice_fill_iter(extra.collect::<Vec<_>>())
            }
        };
        let texts = self.text.take().into_iter();
        self.conversation.push(Turn {
            turn_id: 0,
            role: self.role,
            content: import.join_text(texts.chain(self.more_texts.drain(..))),
            timestamp: self.about.timestamp,
            tool_calls: std::mem::take(&mut self.calls),
            extra,
        });
        self.is_silent = false;
    }
}

/// What a message has besides its role and content.
#[derive(Clone, Copy, Default)]
pub struct About<'a> {
    /// The time of the message, as the source writes it.
    pub timestamp: Option<&'a str>,
    /// Its other members.
    pub extra: &'a [Member<'a>],
}

impl<'a> About<'a> {
    /// As [`About::of`], without the members that are `null`: some writers write every member.
    pub fn present(fields: &Fields<'a>, read: &[&str], import: &Import<'a>) -> Self {
        let about = Self::of(fields, read, import);
        let there = about.extra.iter().filter(|(_, value)| !value.is_null());
        let there: Vec<_> = there.copied().collect();
        Self {
            extra: import.arena().alloc_slice_copy(&there),
            ..about
        }
    }

    /// The members of a message, except those that are `read` elsewhere. Most messages have no others.
    pub fn of(fields: &Fields<'a>, read: &[&str], import: &Import<'a>) -> Self {
        let extra = fields.rest(import.arena(), |name, _| is_one_of(name, read));
        if extra.is_empty() {
            return Self::default();
        }
        let is_time = |value: Json<'_>| matches!(value, Json::String(_) | Json::Number(_));
        let key = ["timestamp", "createdAt", "created_at"]
            .into_iter()
            .find(|key| fields.get(key).is_some_and(is_time));
        let Some(key) = key else {
            return Self {
                timestamp: None,
                extra,
            };
        };
        Self {
            timestamp: fields.get(key).map(|time| import.label(time)),
            extra: fields.rest(import.arena(), |name, _| {
                is_one_of(name, read) || name == key
            }),
        }
    }
}
