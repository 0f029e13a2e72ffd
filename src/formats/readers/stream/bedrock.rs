//! Events of `ConverseStream` of Amazon Bedrock, each an object with one member: `messageStart`, then for each block of the
//! content `contentBlockStart`, `contentBlockDelta` and `contentBlockStop`, then `messageStop` and `metadata`.

use super::{Rows, warn_of_failure};
use crate::kit::Import;
use crate::kit::conversation::Conversation;
use crate::kit::dialects::anthropic::ran_out_of_room;
use crate::kit::dialects::bedrock::read_message;
use crate::kit::fields::Fields;
use crate::kit::pieces::joined;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Member, Path};

/// How many blocks may arrive at a time.
const MOST_OPEN: usize = 100;

/// Whether this is an event with a part of a message.
pub fn is_event(event: Json<'_>) -> bool {
    let block = ["contentBlockStart", "contentBlockDelta"]
        .into_iter()
        .find_map(|key| event.get(key));
    let start = event.get("messageStart");
    block.is_some_and(|it| it.get("contentBlockIndex").is_some())
        || start.is_some_and(|it| it.get("role").is_some())
}

/// A message while its blocks arrive.
struct Written<'a> {
    path: Path,
    blocks: Vec<Block<'a>>,
    stop: Option<&'a str>,
}

/// A block while its pieces arrive.
#[derive(Default)]
struct Block<'a> {
    index: Json<'a>,
    /// The members of its call, if it is one.
    call: Option<&'a [Member<'a>]>,
    /// The pieces of its text, or of the input of its call.
    pieces: Vec<&'a str>,
    /// The pieces of its thoughts.
    thoughts: Vec<&'a str>,
}

pub fn read<'a>(
    rows: &Rows<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let mut messages: Vec<Written<'a>> = Vec::new();
    for (at, event) in rows.chunks() {
        if event.get("messageStart").is_some() || messages.is_empty() {
            messages.push(Written {
                path: rows.path(at),
                blocks: Vec::new(),
                stop: None,
            });
        }
        let Some(message) = messages.last_mut() else {
            continue;
        };
        let members = event.members().unwrap_or_default();
        for (key, value) in members {
            match *key {
                "contentBlockStart" => message.block(*value).start(value.get("start")),
                "contentBlockDelta" => message.block(*value).add(value.get("delta")),
                "messageStop" => message.stop = value.get("stopReason").and_then(Json::as_str),
                failure if failure.ends_with("Exception") => {
                    warn_of_failure(*value, &rows.path(at), import);
                }
                _ => {}
            }
        }
    }
    for message in messages.into_iter().filter(|it| !it.blocks.is_empty()) {
        message.read(conversation, import)?;
    }
    Ok(())
}

impl<'a> Written<'a> {
    /// The block that an event is about. A block of text has no start.
    fn block(&mut self, event: Json<'a>) -> &mut Block<'a> {
        let index = event.get("contentBlockIndex").unwrap_or_default();
        // Blocks arrive one after the other, so that only the last ones can go on.
        let last = self.blocks.len().saturating_sub(MOST_OPEN);
        let known = self.blocks[last..].iter().rposition(|it| it.index == index);
        let known = known.map(|at| last + at);
        let at = known.unwrap_or(self.blocks.len());
        if known.is_none() {
            self.blocks.push(Block {
                index,
                ..Block::default()
            });
        }
        &mut self.blocks[at]
    }

    fn read(self, conversation: &mut Conversation<'a>, import: &mut Import<'a>) -> Result<()> {
        let blocks: Vec<_> = self
            .blocks
            .iter()
            .map(|block| block.whole(import))
            .collect();
        let blocks = Json::Array(import.arena().alloc_slice_copy(&blocks));
        let message = [("role", Json::String("assistant")), ("content", blocks)];
        let message = Json::Object(import.arena().alloc_slice_copy(&message));
        let fields = Fields::of(message, self.path, "a message: {role, content}")?;
        let is_cut_off = self.stop.is_none() || ran_out_of_room(self.stop);
        read_message(&fields, is_cut_off, conversation, import)
    }
}

impl<'a> Block<'a> {
    fn start(&mut self, start: Option<Json<'a>>) {
        let call = start.and_then(|start| start.get("toolUse")?.members());
        self.call = self.call.or(call);
    }

    fn add(&mut self, delta: Option<Json<'a>>) {
        let delta = delta.unwrap_or_default();
        let text = |value: Json<'a>, key: &str| value.get(key).and_then(Json::as_str);
        let inner = |key: &str| delta.get(key).unwrap_or_default();
        self.pieces.extend(text(delta, "text"));
        self.pieces.extend(text(inner("toolUse"), "input"));
        self.thoughts
            .extend(text(inner("reasoningContent"), "text"));
    }

    /// The block with all its pieces.
    fn whole(&self, import: &Import<'a>) -> Json<'a> {
        let object =
            |members: &[Member<'a>]| Json::Object(import.arena().alloc_slice_copy(members));
        let text = |pieces| Json::String(joined(pieces, import));
        match self.call {
            Some(call) => {
                let input = ("input", text(&self.pieces));
                let call: Vec<_> = call.iter().copied().chain([input]).collect();
                object(&[("toolUse", object(&call))])
            }
            None if !self.thoughts.is_empty() => {
                let thought = object(&[("text", text(&self.thoughts))]);
                object(&[("reasoningContent", object(&[("reasoningText", thought)]))])
            }
            None => object(&[("text", text(&self.pieces))]),
        }
    }
}
