//! Finds replies that present the list of a result as complete but leave out items.

mod entries;
mod frame;
mod items;
mod lines;
mod moments;
mod naming;
mod record;
mod sightings;
mod tokens;
mod words;

use frame::{Frame, Setting};
pub use items::lists_in;
use items::{List, Weight};
use naming::{Naming, Reply, missing};
use record::{Record, is_argument, is_record_heading, words_in_place};
use sightings::sightings;
use tokens::tokens_of;
use toolgauge_model::{Json, start_of};

/// Longer replies are documents.
pub const LONGEST_REPLY: usize = 16_384;

/// A reply that mentions values of a list more often is not a presentation of it.
const MOST_SIGHTINGS: usize = 1_000;

/// How many bytes of a request are read.
const LONGEST_REQUEST: usize = 8_000;

/// If a reply repeats this many items in their order, it copies the list, whatever precedes it.
const LEAST_VERBATIM: usize = 4;

/// A call with its result, and what was said before and after it.
#[derive(Debug, Clone, Copy)]
pub struct Exchange<'e> {
    /// Returns what the user said last before the call.
    pub request: &'e str,
    /// The arguments of the call.
    pub arguments: Json<'e>,
    /// The arguments of the calls after it, up to the reply.
    pub later: &'e [Json<'e>],
    /// What the call returned.
    pub result: Json<'e>,
    /// What the agent replied.
    pub reply: &'e str,
}

/// Returns the names of the items that the reply leaves out of one of `lists`, although it presents that list
/// as complete. `lists` are those of the result.
pub fn left_out(lists: &[List], exchange: &Exchange<'_>) -> Vec<String> {
    let is_data = exchange.reply.trim_start().starts_with(['{', '[']);
    if lists.is_empty() || is_data || exchange.reply.len() > LONGEST_REPLY {
        return Vec::new();
    }
    let text = exchange.reply.to_lowercase();
    let reply = Reply::of(&text);
    let record = Record::of(exchange.arguments, exchange.result);
    let mut gaps = lists.iter().filter_map(|list| {
        let missing = Presentation::of(list, &reply, &record)?.leaves_out(exchange)?;
        let labels = missing
            .into_iter()
            .map(|item| list.items[item].label.clone());
        Some(labels.collect())
    });
    gaps.next().unwrap_or_default()
}

/// How a reply presents a list without naming all items.
struct Presentation<'p> {
    list: &'p List,
    reply: &'p Reply<'p>,
    record: &'p Record,
    naming: Naming,
    missing: Vec<usize>,
}

impl<'p> Presentation<'p> {
    /// Returns `None` if the reply names all items or too few, or if it is unclear which.
    fn of(list: &'p List, reply: &'p Reply<'p>, record: &'p Record) -> Option<Self> {
        let seen = reply.sightings(list);
        if seen.is_empty() || seen.len() > MOST_SIGHTINGS {
            return None;
        }
        let naming = reply.naming(list, &seen, record)?;
        let missing = missing(list, &seen, &naming)?;
        let most = (naming.items.len() / 2).max(1);
        let is_most = naming.items.len() * 2 >= list.items.len();
        (is_most && (1..=most).contains(&missing.len())).then_some(Self {
            list,
            reply,
            record,
            naming,
            missing,
        })
    }

    /// Returns the missing items, unless somebody asked for the others only.
    fn leaves_out(self, exchange: &Exchange<'_>) -> Option<Vec<usize>> {
        let presents = !self.is_asked_for(exchange)
            && !frame::names_part(&self.reply.words(), self.list)
            && !frame::goes_on(self.reply.line_after(self.naming.end))
            && self.is_whole(exchange);
        presents.then_some(self.missing)
    }

    /// Returns whether the request, the call or a boolean of the items explains why the others are missing.
    fn is_asked_for(&self, exchange: &Exchange<'_>) -> bool {
        let mut items = self.naming.items.iter();
        frame::asks_for(exchange.request, self.list, self.naming.items.len())
            || is_another_kind(self.list, &self.naming.items, &self.missing)
            || self.is_category(exchange)
            || items.any(|item| is_argument(self.list, *item, &[exchange.arguments]))
    }

    /// Returns whether a heading or the request names something that the named items share and the missing
    /// ones lack: `gift cards`.
    fn is_category(&self, exchange: &Exchange<'_>) -> bool {
        let request = start_of(exchange.request, LONGEST_REQUEST);
        let above = self
            .naming
            .headings
            .iter()
            .map(|heading| self.reply.line_before(heading.start));
        let texts = self.headings().chain(above).chain([request]);
        let texts: Vec<_> = texts.map(stems_in).collect();
        let [first, rest @ ..] = self.naming.items.as_slice() else {
            return false;
        };
        let item = |at: &usize| &self.list.items[*at];
        let fields = item(first)
            .fields
            .iter()
            .filter(|field| field.weight > Weight::None);
        fields
            .filter(|field| (1..=4).contains(&field.words.len()))
            .any(|field| {
                let has = |at: &usize| item(at).value(&field.key) == Some(&field.text);
                let mut values = self
                    .naming
                    .items
                    .iter()
                    .filter_map(|at| item(at).value(&field.key));
                let is_shared = rest.iter().any(has);
                let lacks = |at: &usize| {
                    item(at)
                        .value(&field.key)
                        .is_some_and(|value| !values.any(|other| other == value))
                };
                let words: Vec<_> = field.words.iter().cloned().map(items::stem).collect();
                is_shared
                    && self.missing.iter().all(lacks)
                    && texts
                        .iter()
                        .any(|text| words.iter().all(|word| text.contains(word)))
            })
    }

    /// Returns whether the reply presents the named items as all that exist.
    fn is_whole(&self, exchange: &Exchange<'_>) -> bool {
        let frames = self.frames(exchange);
        match frames.as_slice() {
            _ if self.naming.items.len() == 1 => self.is_one_of_two(&frames),
            [Frame::Whole] => true,
            [Frame::Record] => !is_named_by(exchange.request, self.list, &self.naming.items),
            [Frame::Open] => self.is_copy(),
            [] | [Frame::Choice] => false,
            _ => self.is_parted(&frames, exchange),
        }
    }

    /// Returns how each heading presents what follows it.
    fn frames(&self, exchange: &Exchange<'_>) -> Vec<Frame> {
        let setting = self.setting(exchange);
        let frame_of = |heading| match is_record_heading(heading, &self.record.codes) {
            true => Frame::Record,
            false => frame::frame_of(heading, setting),
        };
        let mut frames: Vec<_> = self.headings().map(frame_of).collect();
        if frames == [Frame::Open] {
            frames = vec![frame_of(self.reply.part(self.naming.lead.clone()))];
        }
        frames
    }

    fn setting(&self, exchange: &Exchange<'_>) -> Setting<'_> {
        let mut missing = self.missing.iter();
        Setting {
            list: self.list,
            named: self.naming.items.len(),
            knows_state: missing.any(|item| is_argument(self.list, *item, exchange.later)),
        }
    }

    /// Returns whether groups with headings divide the list itself, rather than a selection of it.
    fn is_parted(&self, frames: &[Frame], exchange: &Exchange<'_>) -> bool {
        let start = self
            .naming
            .headings
            .iter()
            .map(|heading| heading.start)
            .min();
        let intro = self.reply.line_before(start.unwrap_or_default());
        self.missing.len() == 1
            && (frames.iter().any(|frame| *frame != Frame::Open) || self.has_short_headings())
            && frame::frame_of(intro, self.setting(exchange)) != Frame::Choice
    }

    fn headings(&self) -> impl Iterator<Item = &str> {
        let headings = self.naming.headings.iter();
        headings.map(|heading| self.reply.part(heading.clone()))
    }

    /// Returns whether the reply counts two items, or names them in the plural, but continues with one.
    fn is_one_of_two(&self, frames: &[Frame]) -> bool {
        let is_plural = || {
            self.headings()
                .all(|heading| frame::is_plural_label(heading, self.list))
        };
        self.list.items.len() == 2
            && (frame::begins_to_count(&self.reply.words(), self.list)
                || (frames == [Frame::Whole] && is_plural()))
    }

    /// Returns whether the lines are a copy of the list with one gap.
    fn is_copy(&self) -> bool {
        self.naming.is_block
            && self.missing.len() == 1
            && self.naming.items.len() >= LEAST_VERBATIM
            && self.naming.items.is_sorted()
    }

    /// Returns whether the headings of the groups are names rather than sentences.
    fn has_short_headings(&self) -> bool {
        self.headings()
            .all(|heading| words_in_place(heading).count() <= 3)
    }
}

/// Returns the words of a text in the singular.
fn stems_in(text: &str) -> Vec<String> {
    let words = tokens::words_in(text).into_iter();
    words.map(items::stem).collect()
}

/// Returns whether a request names all of these items.
fn is_named_by(request: &str, list: &List, items: &[usize]) -> bool {
    let request = start_of(request, LONGEST_REQUEST).to_lowercase();
    let seen = sightings(list, &tokens_of(&request));
    items
        .iter()
        .all(|item| seen.iter().any(|sighting| sighting.item == *item))
}

/// Returns whether a boolean has one value for all named items and the other for all missing ones: available
/// or not.
fn is_another_kind(list: &List, named: &[usize], missing: &[usize]) -> bool {
    let switch = |item: &usize, key: &str| {
        let mut fields = list.items[*item].fields.iter();
        let field = fields.find(|field| field.key == key && field.weight == Weight::None)?;
        Some(field.text.to_lowercase())
    };
    let keys = missing.first().map(|item| list.items[*item].fields.iter());
    keys.into_iter()
        .flatten()
        .filter(|field| field.weight == Weight::None)
        .any(|field| {
            let value = Some(field.text.to_lowercase());
            missing.iter().all(|item| switch(item, &field.key) == value)
                && named
                    .iter()
                    .all(|item| switch(item, &field.key).is_some_and(|other| Some(other) != value))
        })
}

#[cfg(test)]
mod tests;
