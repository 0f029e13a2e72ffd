//! Facts that are in the raw evidence as they are written, or in another notation: asked for what the values of the
//! evidence don't hold.
//!
//! The evidence is read more generously than a reply: whatever digits or words are together in results, arguments,
//! definitions and texts count, in names, keys, tables, code, HTML and escaped text. It is read as soon as some fact is
//! not held otherwise, each turn and each call once.

mod accepted;
mod dates;
mod ends;
mod groups;
mod hours;
pub mod index;
mod numbers;
pub mod pieces;
mod spoken;
mod zones;

use std::cell::OnceCell;

use foldhash::HashSet;

use super::digest::digest;
use super::evidence::Evidence;
use super::mentions::Mentions;
use super::silent::holds_image;
use super::times::{Asked, Chronicle, Times, may_be_of_time};
use accepted::Accepted;
use index::{Index, Match, Place};
use pieces::{Piece, pieces};
use toolgauge_facts::{Fact, FactKind, FactValue};
use toolgauge_model::{Json, Role, ToolCall, Turn, words_of};

/// Addresses of more parts are not put together of known ones.
const MOST_PARTS: usize = 20;

/// Longer keys are no names of values.
const LONGEST_KEY: usize = 60;

/// The raw evidence, as far as it was read.
#[derive(Default)]
pub struct Literal {
    index: Index,
    /// The texts, keys and numbers that were read: what is twice says nothing more.
    seen: HashSet<u64>,
    /// The emails and addresses, read as soon as one is asked for.
    mentions: Mentions,
    mentioned: Progress,
    /// The small numbers that the user said, whatever is beside them.
    said: HashSet<u8>,
    /// The minutes of the day that people named in words.
    spoken: HashSet<u16>,
    /// What the agent offered and the user took up.
    accepted: Accepted,
    /// The offsets of the time zones that people named.
    zones: Vec<[i32; 2]>,
    /// What the results say of time.
    chronicle: Chronicle,
    read: Progress,
    has_image: bool,
}

/// How much of a conversation was read.
#[derive(Default)]
struct Progress {
    turns: usize,
    calls: usize,
    has_tools: bool,
}

/// A conversation up to a reply.
#[derive(Clone, Copy)]
pub struct Before<'b, 'a> {
    /// The turns.
    pub turns: &'b [Turn<'a>],
    /// The calls.
    pub calls: &'b [&'b ToolCall<'a>],
    /// The definitions of the tools.
    pub tools: Option<Json<'a>>,
}

impl Literal {
    /// A single result.
    pub fn of(result: Json<'_>) -> Self {
        let mut literal = Self::default();
        literal.add_json(result);
        each_text(result, &mut |text| literal.mentions.add_text(text));
        literal
    }

    /// Reads what was added since it was asked last, as far as these facts need it.
    pub fn read<'f>(&mut self, before: Before<'_, '_>, facts: impl Iterator<Item = &'f Fact<'f>>) {
        let mut progress = std::mem::take(&mut self.read);
        progress.each_new(before, &mut |part| self.add(part));
        self.read = progress;
        let kinds: Vec<_> = facts.map(|fact| fact.kind).collect();
        if kinds.iter().any(|kind| may_be_of_time(*kind)) {
            self.chronicle.read(before.turns, before.calls);
        }
        if kinds
            .iter()
            .any(|kind| matches!(kind, FactKind::Email | FactKind::Url))
        {
            let mentions = &mut self.mentions;
            self.mentioned.each_new(before, &mut |part| match part {
                Part::Heard(turn) => mentions.add_text(turn.content),
                Part::Name(name) => mentions.add_text(name),
                Part::Json(json) | Part::Result(json) => each_text(json, &mut |text| {
                    mentions.add_text(text);
                }),
            });
        }
    }

    fn add(&mut self, part: Part<'_, '_>) {
        match part {
            Part::Heard(turn) => {
                self.add_text(turn.content);
                spoken::add(turn.content, &mut self.spoken);
                zones::add_named(turn.content, &mut self.zones);
                if turn.role == Role::User {
                    self.said.extend(numbers::said(turn.content));
                    self.accepted.answer(turn.content);
                }
            }
            Part::Name(name) => self.add_text(name),
            Part::Json(json) => self.add_json(json),
            Part::Result(json) => {
                self.has_image |= holds_image(json);
                self.add_json(json);
            }
        }
    }

    /// Whether the agent saw an image: what it makes of it, no log shows.
    pub fn has_image(&self) -> bool {
        self.has_image
    }

    /// Takes in a fact that a reply offers to the user.
    pub fn offer(&mut self, fact: &Fact<'_>) {
        self.accepted.offer(fact);
    }

    fn add_text(&mut self, text: &str) {
        if self.seen.insert(digest(text)) {
            spoken::add_hours(text, &mut self.spoken);
            self.index.add(text);
        }
    }

    fn add_json(&mut self, json: Json<'_>) {
        match json {
            Json::Null | Json::Bool(_) => {}
            Json::Number(number) => {
                let text = number.to_string();
                if self.seen.insert(digest(text.as_str())) {
                    self.index.add(&text);
                }
            }
            Json::String(text) => self.add_text(text),
            Json::Array(items) => items.iter().for_each(|item| self.add_json(*item)),
            Json::Object(members) => {
                if let Some((year, month, day)) = dates::day_of(json) {
                    self.index.add_day(year, month, day);
                }
                for (key, value) in members {
                    self.add_key(key);
                    self.add_json(*value);
                }
            }
        }
    }

    /// Adds a key, and the numbers that its words spell: `fiftyTwoWeekLow`.
    fn add_key(&mut self, key: &str) {
        if !self.seen.insert(digest(("key", key))) {
            return;
        }
        self.index.add(key);
        if key.len() > LONGEST_KEY
            || !key
                .bytes()
                .any(|byte| byte.is_ascii_uppercase() || byte == b'_')
        {
            return;
        }
        let words = words_of(key).join(" ").to_lowercase();
        let mut spelt = words.clone();
        let mut until = words.len();
        for fact in toolgauge_facts::facts(&words).iter().rev() {
            let end = fact.end();
            if let FactValue::Number(values) = &fact.value
                && let Some(value) = values.first()
                && end <= until
            {
                spelt.replace_range(fact.start..end, &value.to_string());
                until = fact.start;
            }
        }
        if spelt != key {
            self.index.add(&spelt);
        }
    }

    /// Whether the raw evidence shows a fact of a reply.
    #[deny(clippy::wildcard_enum_match_arm)]
    pub fn shows(&self, at: usize, reply: &Stated<'_, '_>) -> bool {
        let fact = &reply.facts[at];
        let pieces = reply.pieces_of(fact);
        let places = |joints| self.index.places(pieces, joints);
        if self.accepted.holds(fact) {
            return true;
        }
        if reply.asked().shows(at, &self.chronicle) {
            return true;
        }
        match fact.kind {
            FactKind::Identifier => {
                places(Match::Grouped).any(|place| place.is_word())
                    || groups::shows_id(fact.text, reply.after(fact), &self.index)
                    || self.is_grouped(fact, reply)
                    || groups::is_coined(fact.text, &self.index, reply.numbers())
            }
            FactKind::Email => self.mentions.hold(fact.text),
            FactKind::Url => self.shows_address(fact),
            FactKind::Phone => {
                groups::shows_phone(fact.text, &self.index) || self.is_grouped(fact, reply)
            }
            FactKind::Number | FactKind::Money | FactKind::Percent => {
                self.is_grouped(fact, reply)
                    || self.is_said(fact)
                    || numbers::shows(at, reply, &self.index)
                    || dates::shows_part(at, reply, &self.index)
                    || hours::shows(fact, reply)
            }
            FactKind::Date => {
                places(Match::Same).any(|place| place.is_number())
                    || dates::shows(fact, reply.evidence, &self.index)
            }
            FactKind::Time => {
                places(Match::Same).any(|place| place.is_number()) || self.shows_time(at, reply)
            }
            FactKind::Quote | FactKind::Name => false,
        }
    }

    /// Whether an address is known, or each of its parts.
    fn shows_address(&self, fact: &Fact<'_>) -> bool {
        let FactValue::Text(address) = &fact.value else {
            return false;
        };
        let stands = |part: &str| {
            let pieces = pieces(part);
            let mut places = self.index.places(&pieces, Match::Same);
            places.any(Place::is_word)
        };
        let is_known = |part: &str| part.is_empty() || self.mentions.hold(part) || stands(part);
        let parts = || address.split(['/', ':']);
        let are_few = parts().nth(MOST_PARTS).is_none();
        self.mentions.hold(fact.text) || (are_few && parts().all(is_known))
    }

    fn is_said(&self, fact: &Fact<'_>) -> bool {
        let number = fact.text.parse().ok();
        number.is_some_and(|number| self.said.contains(&number))
    }

    fn is_grouped(&self, fact: &Fact<'_>, reply: &Stated<'_, '_>) -> bool {
        groups::is_part_of_id(fact, reply.pieces(), &self.index)
    }

    fn shows_time(&self, at: usize, reply: &Stated<'_, '_>) -> bool {
        let fact = &reply.facts[at];
        let FactValue::Time(minutes) = &fact.value else {
            return false;
        };
        let is_spoken = minutes.iter().any(|minute| self.spoken.contains(minute));
        is_spoken
            || zones::shows(fact, reply, &self.index, &self.zones)
            || ends::shows(at, reply, &self.index)
    }
}

/// A part of a conversation that was not read yet.
enum Part<'p, 'a> {
    /// What somebody else than the agent said.
    Heard(&'p Turn<'a>),
    /// The name of a tool.
    Name(&'a str),
    /// Definitions and arguments.
    Json(Json<'a>),
    /// What the agent was shown.
    Result(Json<'a>),
}

impl Progress {
    /// Hands over what was added since it was asked last.
    fn each_new<'a>(&mut self, before: Before<'_, 'a>, read: &mut impl FnMut(Part<'_, 'a>)) {
        if !std::mem::replace(&mut self.has_tools, true)
            && let Some(tools) = before.tools
        {
            read(Part::Json(tools));
        }
        for turn in before.turns.iter().skip(self.turns) {
            if turn.role != Role::Agent {
                read(Part::Heard(turn));
                turn.extra
                    .iter()
                    .for_each(|(_, value)| read(Part::Result(*value)));
            }
        }
        self.turns = self.turns.max(before.turns.len());
        for call in before.calls.iter().skip(self.calls) {
            read(Part::Name(call.name.unwrap_or_default()));
            read(Part::Json(call.arguments.unwrap_or_default()));
            read(Part::Result(call.result.unwrap_or_default()));
            read(Part::Json(call.error.unwrap_or_default()));
            call.extra
                .iter()
                .for_each(|(_, value)| read(Part::Json(*value)));
        }
        self.calls = self.calls.max(before.calls.len());
    }
}

/// Hands over each text of a value.
fn each_text(json: Json<'_>, read: &mut impl FnMut(&str)) {
    match json {
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
        Json::String(text) => read(text),
        Json::Array(items) => items.iter().for_each(|item| each_text(*item, read)),
        Json::Object(members) => members
            .iter()
            .for_each(|(_, value)| each_text(*value, read)),
    }
}

/// What a reply states.
pub struct Stated<'r, 'a> {
    content: &'a str,
    facts: &'r [Fact<'a>],
    evidence: Evidence<'r>,
    pieces: OnceCell<Vec<Piece<'a>>>,
    /// The bits of the numbers that it states.
    numbers: OnceCell<HashSet<u64>>,
    times: OnceCell<Times>,
}

impl<'r, 'a> Stated<'r, 'a> {
    /// The facts of a reply of this content.
    pub fn new(content: &'a str, facts: &'r [Fact<'a>], evidence: Evidence<'r>) -> Self {
        Self {
            content,
            facts,
            evidence,
            pieces: OnceCell::new(),
            numbers: OnceCell::new(),
            times: OnceCell::new(),
        }
    }

    /// What is asked of times.
    fn asked(&self) -> Asked<'_, 'a> {
        Asked {
            content: self.content,
            facts: self.facts,
            evidence: self.evidence,
            times: &self.times,
        }
    }

    fn pieces(&self) -> &[Piece<'a>] {
        self.pieces.get_or_init(|| pieces(self.content))
    }

    fn numbers(&self) -> &HashSet<u64> {
        self.numbers.get_or_init(|| {
            let values = self.facts.iter().flat_map(|fact| match &fact.value {
                FactValue::Number(values) => &values[..],
                FactValue::Date(_) | FactValue::Time(_) | FactValue::Text(_) => &[],
            });
            values.map(|value| value.to_bits()).collect()
        })
    }

    /// What follows a fact.
    fn after(&self, fact: &Fact<'_>) -> &'a str {
        &self.content[fact.end()..]
    }

    /// The pieces of a fact.
    fn pieces_of(&self, fact: &Fact<'_>) -> &[Piece<'a>] {
        let all = self.pieces();
        &all[range_of(fact, all)]
    }
}

/// Which of the pieces of a reply are those of a fact.
fn range_of(fact: &Fact<'_>, pieces: &[Piece<'_>]) -> std::ops::Range<usize> {
    let end = fact.end();
    let first = pieces.partition_point(|piece| piece.start < fact.start);
    let last = pieces.partition_point(|piece| piece.start < end);
    first..last.max(first)
}

#[cfg(test)]
mod tests;
