//! Looks up facts in the raw evidence, as they are written or in another notation. Used when the values of the evidence
//! do not contain a fact.
//!
//! The evidence is read more generously than a reply: any digits or words that appear together in results, arguments,
//! definitions and texts count, including those in names, keys, tables, code, HTML and escaped text. It is read once
//! some fact is not found otherwise, and each turn and each call is read only once.

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
use super::silent::{carries_file, holds_image};
use super::times::{Asked, Chronicle, Times, may_be_of_time};
use accepted::Accepted;
use index::{Index, Match, Place};
use pieces::{Piece, pieces};
use toolgauge_facts::{Fact, FactKind, FactValue};
use toolgauge_model::{Json, Role, ToolCall, Turn, words_of};

/// Addresses with more parts are not matched part by part.
const MOST_PARTS: usize = 20;

/// Longer keys are not read as names of values.
const LONGEST_KEY: usize = 60;

/// The raw evidence that has been read so far.
#[derive(Default)]
pub struct Literal {
    index: Index,
    /// Digests of the texts, keys and numbers that have been read: a repetition adds nothing.
    seen: HashSet<u64>,
    /// The emails and addresses, read once a fact needs them.
    mentions: Mentions,
    mentioned: Progress,
    /// The small numbers that the user said, whatever surrounds them.
    said: HashSet<u8>,
    /// The minutes of the day that people named in words.
    spoken: HashSet<u16>,
    /// What the agent offered and the user accepted.
    accepted: Accepted,
    /// The UTC offsets of the time zones that people named.
    zones: Vec<[i32; 2]>,
    /// The points in time and lengths of time in the results.
    chronicle: Chronicle,
    read: Progress,
    has_image: bool,
}

/// How much of a conversation has been read.
#[derive(Default)]
struct Progress {
    turns: usize,
    calls: usize,
    has_tools: bool,
}

/// The conversation before a reply.
#[derive(Clone, Copy)]
pub struct Before<'b, 'a> {
    /// The turns before the reply.
    pub turns: &'b [Turn<'a>],
    /// The calls before the reply.
    pub calls: &'b [&'b ToolCall<'a>],
    /// The definitions of the tools.
    pub tools: Option<Json<'a>>,
}

impl Literal {
    /// Reads a single result.
    pub fn of(result: Json<'_>) -> Self {
        let mut literal = Self::default();
        literal.add_json(result);
        each_text(result, &mut |text| literal.mentions.add_text(text));
        literal
    }

    /// Reads what was added since the last call, as far as `facts` need it.
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
                self.has_image |= carries_file(turn);
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

    /// Returns `true` if the agent saw an image or a file of the user. No log shows what the agent read from it.
    pub fn has_image(&self) -> bool {
        self.has_image
    }

    /// Records a fact that a reply offers to the user.
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

    /// Returns `true` if the raw evidence contains the fact at index `at` of a reply.
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

    /// Returns `true` if an address is known as a whole, or each of its parts is.
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

/// A part of a conversation that has not been read yet.
enum Part<'p, 'a> {
    /// A turn of anyone but the agent.
    Heard(&'p Turn<'a>),
    /// The name of a tool.
    Name(&'a str),
    /// Definitions, arguments, errors and extra members of calls.
    Json(Json<'a>),
    /// What the agent was shown.
    Result(Json<'a>),
}

impl Progress {
    /// Calls `read` with each part that was added since the last call.
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

/// Calls `read` with each text of a value.
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

/// A reply with its facts and the evidence before it.
pub struct Stated<'r, 'a> {
    content: &'a str,
    facts: &'r [Fact<'a>],
    evidence: Evidence<'r>,
    pieces: OnceCell<Vec<Piece<'a>>>,
    /// The bits of the numbers in the reply.
    numbers: OnceCell<HashSet<u64>>,
    times: OnceCell<Times>,
}

impl<'r, 'a> Stated<'r, 'a> {
    /// Creates the reply with this content and these facts. Its pieces, numbers and times are computed when first
    /// needed.
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

    /// Returns the reply in the form that the time checks take.
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

    /// Returns the content after a fact.
    fn after(&self, fact: &Fact<'_>) -> &'a str {
        &self.content[fact.end()..]
    }

    /// Returns the pieces of a fact.
    fn pieces_of(&self, fact: &Fact<'_>) -> &[Piece<'a>] {
        let all = self.pieces();
        &all[range_of(fact, all)]
    }
}

/// Returns the range of a fact's pieces among the pieces of its reply.
fn range_of(fact: &Fact<'_>, pieces: &[Piece<'_>]) -> std::ops::Range<usize> {
    let end = fact.end();
    let first = pieces.partition_point(|piece| piece.start < fact.start);
    let last = pieces.partition_point(|piece| piece.start < end);
    first..last.max(first)
}

#[cfg(test)]
mod tests;
