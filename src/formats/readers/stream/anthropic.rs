//! Events of the Anthropic API: `message_start`, then for each block of the content `content_block_start`,
//! `content_block_delta` and `content_block_stop`, then `message_delta` and `message_stop`.

use super::{Rows, warn_of_failure};
use crate::kit::Import;
use crate::kit::conversation::Conversation;
use crate::kit::dialects::anthropic;
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::pieces::joined;
use crate::kit::signs::kind;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Member, Path};

/// A message while its blocks arrive.
struct Written<'a> {
    path: Path,
    members: Vec<Member<'a>>,
    blocks: Vec<Block<'a>>,
    stop: Option<Json<'a>>,
    /// The tokens that the model used so far. Each event counts what it names anew.
    usage: &'a [Member<'a>],
}

/// A block while its pieces arrive.
struct Block<'a> {
    index: Json<'a>,
    /// The block as it began.
    first: Json<'a>,
    /// The pieces of its text, thoughts or input.
    pieces: Vec<&'a str>,
}

pub fn read<'a>(
    rows: &Rows<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let mut messages: Vec<Written<'a>> = Vec::new();
    for (at, event) in rows.chunks() {
        let member = |key| event.get(key).unwrap_or_default();
        let kind = kind(event).unwrap_or_default();
        if kind == "error" {
            warn_of_failure(member("error"), &rows.path(at), import);
        }
        if kind == "message_start" || messages.is_empty() {
            let members = member("message").members().unwrap_or_default();
            messages.push(Written {
                path: rows.path(at).key("message"),
                members: members.to_vec(),
                blocks: Vec::new(),
                stop: None,
                usage: members_of(member("message").get("usage")),
            });
        }
        let Some(message) = messages.last_mut() else {
            continue;
        };
        match kind {
            "content_block_start" => message.blocks.push(Block {
                index: member("index"),
                first: member("content_block"),
                pieces: Vec::new(),
            }),
            "content_block_delta" => {
                let text = ["text", "partial_json", "thinking"]
                    .into_iter()
                    .find_map(|key| member("delta").get(key)?.as_str());
                let block = message
                    .blocks
                    .iter_mut()
                    .rfind(|it| it.index == member("index"));
                if let Some(block) = block {
                    block.pieces.extend(text);
                }
            }
            "message_delta" => {
                let stop = member("delta").get("stop_reason");
                message.stop = stop.filter(|stop| !stop.is_null()).or(message.stop);
                message.usage = import.merge(members_of(event.get("usage")), message.usage);
            }
            _ => {}
        }
    }
    for message in messages.into_iter().filter(|it| !it.blocks.is_empty()) {
        message.read(conversation, import)?;
    }
    Ok(())
}

/// The members of an object; none if it is missing.
fn members_of<'a>(object: Option<Json<'a>>) -> &'a [Member<'a>] {
    object.and_then(Json::members).unwrap_or_default()
}

impl<'a> Written<'a> {
    fn read(self, conversation: &mut Conversation<'a>, import: &mut Import<'a>) -> Result<()> {
        let arena = import.arena();
        let blocks: Vec<_> = self
            .blocks
            .iter()
            .map(|block| block.whole(import))
            .collect();
        let known = ["role", "content", "stop_reason", "usage", "type"];
        let kept = self
            .members
            .iter()
            .filter(|(key, value)| !value.is_null() && !is_one_of(key, &known));
        let members: Vec<_> = [
            ("role", Json::String("assistant")),
            ("content", Json::Array(arena.alloc_slice_copy(&blocks))),
        ]
        .into_iter()
        .chain(kept.copied())
        .chain(self.stop.map(|stop| ("stop_reason", stop)))
        .chain((!self.usage.is_empty()).then_some(("usage", Json::Object(self.usage))))
        .collect();
        let message = Json::Object(arena.alloc_slice_copy(&members));
        let fields = Fields::of(message, self.path, "a message: {role, content}")?;
        let is_cut_off = self.stop.is_none() || anthropic::is_cut_off(&fields);
        let about = anthropic::about(&fields, import);
        anthropic::read_written(&fields, about, is_cut_off, conversation, import)
    }
}

impl<'a> Block<'a> {
    /// The block with all its pieces.
    fn whole(&self, import: &Import<'a>) -> Json<'a> {
        let Some(members) = self.first.members().filter(|_| !self.pieces.is_empty()) else {
            return self.first;
        };
        let whole = import.arena().alloc_slice_copy(members);
        for (key, value) in whole.iter_mut() {
            if is_one_of(key, &["text", "thinking", "input"]) {
                *value = Json::String(joined(&self.pieces, import));
            }
        }
        Json::Object(whole)
    }
}
