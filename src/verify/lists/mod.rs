//! Replies that present a list result as whole and leave items of it out.

mod entries;
mod frame;
mod items;
mod lines;
mod moments;
mod sightings;
mod tokens;
mod words;

use std::ops::Range;

use foldhash::{HashSet, HashSetExt};

use crate::model::{Json, start_of};
use entries::{Marker, Run, marker_of, runs_of, sentences_of};
use frame::{
    Frame, Setting, asks_for, begins_to_count, frame_of, goes_on, is_plural_label, names_part,
};
use items::{List, Weight, lists_in};
use sightings::{Sighting, sightings};
use tokens::{Token, tokens_of};

/// Longer replies are documents.
const LONGEST_REPLY: usize = 32_768;

/// What a reply answers with a list.
#[derive(Debug, Clone, Copy)]
pub struct Exchange<'e> {
    /// What the user asked for last.
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

/// The items that the reply leaves out of a list of the result although it presents the list as whole: what a message
/// calls them.
pub fn left_out(exchange: &Exchange<'_>) -> Vec<String> {
    if exchange.reply.len() > LONGEST_REPLY {
        return Vec::new();
    }
    let lists = lists_in(exchange.result);
    if lists.is_empty() {
        return Vec::new();
    }
    let text = exchange.reply.to_lowercase();
    if text.trim_start().starts_with(['{', '[']) {
        return Vec::new();
    }
    let reply = Reply {
        tokens: tokens_of(&text),
        runs: runs_of(&text),
        sentences: sentences_of(&text),
        text: &text,
    };
    let mut record = Record {
        codes: own_codes(exchange.arguments),
        values: HashSet::new(),
    };
    if !record.codes.is_empty() {
        record.add_values(exchange.result, 0);
    }
    let mut found = lists.iter().filter_map(|list| {
        let missing = reply.leaves_out(list, &record, exchange)?;
        Some(
            missing
                .into_iter()
                .map(|item| list.items[item].label.clone())
                .collect(),
        )
    });
    found.next().unwrap_or_default()
}

/// What tells the result of a call from other results.
struct Record {
    /// The codes that the call was made with.
    codes: Vec<String>,
    /// The texts of the result, in lower case.
    values: HashSet<String>,
}

impl Record {
    fn add_values(&mut self, value: Json<'_>, depth: usize) {
        if depth > MOST_DEPTH || self.values.len() >= MOST_VALUES {
            return;
        }
        match value {
            Json::String(text) if text.len() <= 40 => {
                self.values.insert(text.to_lowercase());
            }
            Json::String(text) => {
                let words = words_in_place(text).take(MOST_VALUES);
                self.values.extend(words.map(str::to_lowercase));
            }
            Json::Array(values) => values
                .iter()
                .for_each(|value| self.add_values(*value, depth + 1)),
            Json::Object(members) => members.iter().for_each(|(key, value)| {
                self.values.insert(key.to_lowercase());
                self.add_values(*value, depth + 1);
            }),
            Json::Null | Json::Bool(_) | Json::Number(_) => {}
        }
    }
}

/// Most texts of a result that are compared with codes.
const MOST_VALUES: usize = 4_000;

/// How deep in a result they are looked for.
const MOST_DEPTH: usize = 8;

/// A reply in lower case, read once for all lists.
struct Reply<'t> {
    text: &'t str,
    tokens: Vec<Token<'t>>,
    runs: Vec<Run>,
    sentences: Vec<Range<usize>>,
}

/// The items that one part of a reply names.
struct Naming {
    items: Vec<usize>,
    headings: Vec<Range<usize>>,
    end: usize,
    is_block: bool,
}

impl Reply<'_> {
    fn leaves_out(
        &self,
        list: &List,
        record: &Record,
        exchange: &Exchange<'_>,
    ) -> Option<Vec<usize>> {
        let seen = sightings(list, &self.tokens);
        if seen.is_empty() {
            return None;
        }
        let naming = self
            .best_naming(list, &seen, record)
            .or_else(|| Naming::anywhere(list, &seen))?;
        let missing = missing(list, &seen, &naming)?;
        let named = naming.items.len();
        if missing.is_empty() || missing.len() > (named / 2).max(1) {
            return None;
        }
        let setting = Setting {
            list,
            named,
            knows_state: missing
                .iter()
                .any(|item| is_argument(list, *item, exchange.later)),
        };
        let words: Vec<_> = self
            .tokens
            .iter()
            .map(|token| token.word.as_ref())
            .collect();
        if names_part(&words, list) {
            return None;
        }
        let is_asked_for = asks_for(exchange.request, list, named)
            || is_another_kind(list, &naming.items, &missing)
            || naming
                .items
                .iter()
                .any(|item| is_argument(list, *item, &[exchange.arguments]));
        if is_asked_for || self.goes_on_after(naming.end) {
            return None;
        }
        let frames: Vec<_> = naming
            .headings
            .iter()
            .map(|heading| {
                let heading = self.part(heading.clone());
                match is_record_heading(heading, &record.codes) {
                    true => Frame::Record,
                    false => frame_of(heading, setting),
                }
            })
            .collect();
        let has_short_headings = naming
            .headings
            .iter()
            .all(|heading| words_in_place(self.part(heading.clone())).count() <= 3);
        let is_parted = frames.len() >= 2
            && (has_short_headings || frames.iter().any(|frame| *frame != Frame::Open));
        let is_label = || {
            naming
                .headings
                .iter()
                .all(|heading| is_plural_label(self.part(heading.clone()), list))
        };
        let is_verbatim = named >= LEAST_VERBATIM && missing.len() == 1 && naming.items.is_sorted();
        let presents = match frames.as_slice() {
            _ if named == 1 => {
                list.items.len() == 2
                    && (begins_to_count(&words, list) || (frames == [Frame::Whole] && is_label()))
            }
            [Frame::Whole] => true,
            [Frame::Record] => !is_named_by(exchange.request, list, &naming.items),
            [Frame::Open] => naming.is_block && is_verbatim,
            [] | [Frame::Choice] => false,
            _ => is_parted,
        };
        presents.then_some(missing)
    }

    fn best_naming(&self, list: &List, seen: &[Sighting], record: &Record) -> Option<Naming> {
        let mut namings: Vec<(_, Naming)> = Vec::new();
        for run in &self.runs {
            let Some(items) = self.items_of_run(list, seen, run) else {
                continue;
            };
            if self.is_of_another_record(run.entries[0].start, record) {
                continue;
            }
            match namings.iter_mut().find(|(form, _)| *form == run.form) {
                Some((_, naming)) => naming.add(items, run.heading.clone(), run.end),
                None => namings.push((
                    run.form,
                    Naming {
                        items,
                        headings: vec![run.heading.clone()],
                        end: run.end,
                        is_block: true,
                    },
                )),
            }
        }
        let blocks = namings.into_iter().map(|(_, naming)| naming);
        let inline = self.sentences.iter().filter_map(|sentence| {
            let naming = self.items_of_sentence(list, seen, sentence)?;
            (!self.is_of_another_record(naming.headings[0].end, record)).then_some(naming)
        });
        blocks.chain(inline).reduce(|best, naming| {
            if naming.items.len() > best.items.len() {
                naming
            } else {
                best
            }
        })
    }

    /// Whether the code nearest above `place` is of the shape of the call's, and another: what follows is from another
    /// result.
    fn is_of_another_record(&self, place: usize, record: &Record) -> bool {
        record.codes.iter().any(|code| {
            let mut found = section_above(self.part(0..place)).filter_map(|line| {
                let like = words_in_place(line).filter(|word| {
                    *word == code || (is_like(word, code) && !record.values.contains(*word))
                });
                like.last().map(|word| word == code)
            });
            found.next() == Some(false)
        })
    }

    /// A part of the text; nothing where the range is none.
    fn part(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// Whether the line after a list says that there is more.
    fn goes_on_after(&self, end: usize) -> bool {
        let after = self.part(end..self.text.len()).trim_start();
        after.lines().next().is_some_and(goes_on)
    }

    /// The items that the entries of `run` name, where each names one of its own at its start.
    fn items_of_run(&self, list: &List, seen: &[Sighting], run: &Run) -> Option<Vec<usize>> {
        let mut items = Vec::new();
        for entry in &run.entries {
            let of_entry = within(seen, entry);
            let item = item_of(list, of_entry)?;
            let first = of_entry.iter().find(|sighting| sighting.item == item)?;
            let before = self.part(entry.start..first.range.start);
            if items.contains(&item)
                || before.len() > MOST_TO_NAME
                || before.contains(['!', '?'])
                || sentences_of(before).len() > 2
            {
                return None;
            }
            items.push(item);
        }
        (!items.is_empty()).then_some(items)
    }

    /// The items that the parts of one sentence name.
    fn items_of_sentence(
        &self,
        list: &List,
        seen: &[Sighting],
        sentence: &Range<usize>,
    ) -> Option<Naming> {
        let seen = within(seen, sentence);
        let (first, last) = (seen.first()?, seen.last()?);
        let mut items: Vec<usize> = Vec::new();
        let mut start = 0;
        for (end, sighting) in seen.iter().enumerate() {
            let next = seen.get(end + 1).map(|next| next.range.start);
            let between = sighting.range.end..next.unwrap_or(sighting.range.end);
            if next.is_none() || self.parts(between) {
                if let Some(item) = item_of(list, &seen[start..=end]) {
                    start = end + 1;
                    if !items.contains(&item) {
                        items.push(item);
                    }
                }
            }
        }
        let is_list = !items.is_empty()
            && self.has_only(seen, first.range.start..last.range.end)
            && !self.names_more(last.range.end..sentence.end);
        let last_of = |item: &usize| {
            let mut of_item = seen.iter().rev().filter(|sighting| sighting.item == *item);
            of_item.next().map(|sighting| sighting.range.start)
        };
        let list_start = items.iter().filter_map(last_of).min()?;
        is_list.then(|| Naming {
            items,
            headings: vec![self.heading_in(sentence.start..list_start)],
            end: sentence.end,
            is_block: false,
        })
    }

    /// Whether the text between two sightings parts the items of a list.
    fn parts(&self, range: Range<usize>) -> bool {
        let text = self.part(range);
        text.contains([',', ';', '、', '/', '\n'])
            || text.split_whitespace().any(|word| JOINS.contains(&word))
    }

    /// The words before an inline list; where there are none, the line before.
    fn heading_in(&self, range: Range<usize>) -> Range<usize> {
        let has_words = self.part(range.clone()).contains(char::is_alphanumeric);
        if has_words {
            return range;
        }
        let before = self.part(0..range.start).trim_end();
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        start..range.end
    }

    /// Whether each part between commas of `range` names an item.
    fn has_only(&self, seen: &[Sighting], range: Range<usize>) -> bool {
        let mut start = range.start;
        self.part(range).split([',', ';']).all(|part| {
            let place = start..start + part.len();
            start = place.end + 1;
            !within(seen, &place).is_empty() || !part.contains(char::is_alphanumeric)
        })
    }

    /// Whether a few words at the end of a sentence name one more thing.
    fn names_more(&self, rest: Range<usize>) -> bool {
        let rest = self.part(rest).trim();
        let words = rest.split_whitespace().count();
        let joins = rest.starts_with(',')
            || rest
                .split_whitespace()
                .next()
                .is_some_and(|word| JOINS.contains(&word));
        joins && (2..=6).contains(&words)
    }
}

/// So many items in their order are a copy of the list, whatever stands before it.
const LEAST_VERBATIM: usize = 4;

impl Naming {
    /// The only item that a reply names, wherever it does.
    fn anywhere(list: &List, seen: &[Sighting]) -> Option<Self> {
        Some(Self {
            items: vec![item_of(list, seen)?],
            headings: Vec::new(),
            end: 0,
            is_block: false,
        })
    }

    /// Adds what another run of the same form names, if all of it is new.
    fn add(&mut self, items: Vec<usize>, heading: Range<usize>, end: usize) {
        if items.iter().any(|item| self.items.contains(item)) {
            return;
        }
        self.items.extend(items);
        self.headings.push(heading);
        self.end = end;
    }
}

/// Words between the items of a sentence.
const JOINS: &[&str] = &[
    "&", "and", "et", "og", "oder", "or", "ou", "plus", "und", "y",
];

/// How many lines above a list the code of its record is looked for.
const MOST_ABOVE: usize = 60;

/// How far into an entry its item is named.
const MOST_TO_NAME: usize = 64;

/// Whether a request names all of these items.
fn is_named_by(request: &str, list: &List, items: &[usize]) -> bool {
    let request = start_of(request, LONGEST_REQUEST).to_lowercase();
    let seen = sightings(list, &tokens_of(&request));
    items
        .iter()
        .all(|item| seen.iter().any(|sighting| sighting.item == *item))
}

/// How much of a request is read.
const LONGEST_REQUEST: usize = 8_000;

/// Whether a switch tells all named items from all missing ones: available or not.
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

/// Whether a call was made with a value that only this item has.
fn is_argument(list: &List, item: usize, arguments: &[Json<'_>]) -> bool {
    let has = |item: &items::Item, text: &str| {
        let mut fields = item.fields.iter();
        fields.any(|field| field.weight == Weight::Specific && field.text == text)
    };
    let is_value = |text: &str| {
        has(&list.items[item], text)
            && list.items.iter().filter(|item| has(item, text)).count() == 1
    };
    arguments.iter().any(|arguments| {
        let members = arguments
            .members()
            .unwrap_or_default()
            .iter()
            .take(MOST_ARGUMENTS);
        members.clone().any(|(_, value)| match value {
            Json::String(text) => is_value(text),
            Json::Array(values) => values
                .iter()
                .take(MOST_ARGUMENTS)
                .any(|value| value.as_str().is_some_and(is_value)),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::Object(_) => false,
        })
    })
}

/// Most arguments of one call that are looked at.
const MOST_ARGUMENTS: usize = 20;

/// The codes among the arguments of a call, in lower case: words with a digit.
fn own_codes(arguments: Json<'_>) -> Vec<String> {
    let members = arguments
        .members()
        .unwrap_or_default()
        .iter()
        .take(MOST_ARGUMENTS);
    let texts = members.filter_map(|(_, value)| value.as_str());
    let is_code = |text: &&str| {
        (4..=40).contains(&text.len())
            && text.contains(|c: char| c.is_ascii_digit())
            && !text.contains(char::is_whitespace)
            && moments::moments_in(text).is_empty()
    };
    texts.filter(is_code).map(str::to_lowercase).collect()
}

/// Whether a word is a code of the shape of `code`.
fn is_like(word: &str, code: &str) -> bool {
    let has_letters = |text: &str| text.contains(char::is_alphabetic);
    let is_sign = |c: &char| !c.is_alphanumeric();
    word.len() == code.len()
        && word
            .chars()
            .filter(is_sign)
            .eq(code.chars().filter(is_sign))
        && has_letters(word) == has_letters(code)
        && word.contains(|c: char| c.is_ascii_digit())
}

/// The words of `text`, signs like `#` and `_` included.
fn words_in_place(text: &str) -> impl Iterator<Item = &str> + Clone {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '#' | '_' | '-' | '@');
    let words = text.split(move |c: char| !is_part(c));
    words.filter(|word| word.contains(char::is_alphanumeric))
}

/// Whether a heading is only the name of the record that the call asked for: `Order #W12`.
fn is_record_heading(heading: &str, codes: &[String]) -> bool {
    let mut words = words_in_place(heading);
    words.clone().count() <= 4 && words.any(|word| codes.iter().any(|code| word == code))
}

/// The lines that a place at the end of `text` is under, the nearest first: all of its section, then the headings above.
fn section_above(text: &str) -> impl Iterator<Item = &str> {
    let mut is_section = true;
    text.rsplit('\n')
        .enumerate()
        .take(MOST_ABOVE)
        .filter_map(move |(at, line)| {
            let is_heading = !line.starts_with(char::is_whitespace)
                && marker_of(line.trim()) == Marker::Bare
                && !line.trim().is_empty();
            let counts = is_section || is_heading;
            is_section &= !is_heading || at == 0;
            counts.then_some(line)
        })
}

/// The points that make an entry one of an item.
const ENOUGH: usize = 8;

fn within<'s>(seen: &'s [Sighting], range: &Range<usize>) -> &'s [Sighting] {
    let start = seen.partition_point(|sighting| sighting.range.start < range.start);
    let end = seen.partition_point(|sighting| sighting.range.start < range.end);
    &seen[start..end]
}

/// The item that these sightings name best.
fn item_of(list: &List, seen: &[Sighting]) -> Option<usize> {
    let mut points = vec![0; list.items.len()];
    for (at, sighting) in seen.iter().enumerate() {
        let is_repeated = seen[..at].iter().any(|before| {
            (before.item, before.field, before.weight)
                == (sighting.item, sighting.field, sighting.weight)
        });
        if !is_repeated || sighting.weight == Weight::None {
            points[sighting.item] += points_of(sighting.weight);
        }
    }
    let best = (0..points.len()).max_by_key(|item| points[*item])?;
    let is_only = points
        .iter()
        .filter(|other| **other == points[best])
        .count()
        == 1;
    (points[best] >= ENOUGH && is_only).then_some(best)
}

fn points_of(weight: Weight) -> usize {
    match weight {
        Weight::None => 2,
        Weight::Small => 4,
        Weight::Sentence | Weight::Plain => 8,
        Weight::Specific => 12,
    }
}

/// The items besides those that `naming` names of which the reply has nothing; `None` where that is unsure.
fn missing(list: &List, seen: &[Sighting], naming: &Naming) -> Option<Vec<usize>> {
    let key_of = |sighting: &Sighting| {
        list.items[sighting.item].fields[sighting.field]
            .key
            .as_str()
    };
    let is_used = |sighting: &Sighting| {
        seen.iter().any(|other| {
            other.weight >= Weight::Plain
                && naming.items.contains(&other.item)
                && key_of(other) == key_of(sighting)
        })
    };
    let mut missing = Vec::new();
    for item in (0..list.items.len()).filter(|item| !naming.items.contains(item)) {
        let of_item: Vec<_> = seen
            .iter()
            .filter(|sighting| sighting.item == item)
            .cloned()
            .collect();
        let names = of_item.iter().any(|sighting| match sighting.weight {
            Weight::Specific => true,
            Weight::Plain => is_used(sighting),
            Weight::Sentence | Weight::Small | Weight::None => false,
        });
        if names {
            continue;
        }
        let hints: Vec<_> = of_item
            .into_iter()
            .filter(|sighting| sighting.weight != Weight::Plain)
            .collect();
        if item_of(list, &hints).is_some() {
            return None;
        }
        missing.push(item);
    }
    Some(missing)
}

#[cfg(test)]
mod tests;
