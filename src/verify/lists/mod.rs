//! Replies that present a list result as whole and leave items of it out.

mod entries;
mod frame;
mod items;
mod lines;
mod moments;
mod sightings;
mod tokens;

use std::ops::Range;

use crate::model::Json;
use entries::{Run, runs_of, sentences_of};
use frame::{Frame, asks_for, frame_of, goes_on};
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
    let reply = Reply {
        tokens: tokens_of(&text),
        runs: runs_of(&text),
        sentences: sentences_of(&text),
        text: &text,
    };
    let mut found = lists.iter().filter_map(|list| {
        let missing = reply.leaves_out(list, exchange)?;
        Some(
            missing
                .into_iter()
                .map(|item| list.items[item].label.clone())
                .collect(),
        )
    });
    found.next().unwrap_or_default()
}

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
}

impl Reply<'_> {
    fn leaves_out(&self, list: &List, exchange: &Exchange<'_>) -> Option<Vec<usize>> {
        let seen = sightings(list, &self.tokens);
        if seen.is_empty() {
            return None;
        }
        let naming = self.best_naming(list, &seen)?;
        let missing = missing(list, &seen, &naming)?;
        let named = naming.items.len();
        let most = match named {
            0 | 1 => return None,
            _ => (named / 2).max(1),
        };
        if missing.is_empty() || missing.len() > most {
            return None;
        }
        if asks_for(exchange.request, list, named) || self.goes_on_after(naming.end) {
            return None;
        }
        let frames: Vec<_> = naming
            .headings
            .iter()
            .map(|heading| frame_of(&self.text[heading.clone()], list, named))
            .collect();
        let chooses = frames.contains(&Frame::Choice) && frames.len() < 2;
        let presents = frames.contains(&Frame::Whole) || frames.len() >= 2;
        (presents && !chooses).then_some(missing)
    }

    fn best_naming(&self, list: &List, seen: &[Sighting]) -> Option<Naming> {
        let mut namings: Vec<(_, Naming)> = Vec::new();
        for run in &self.runs {
            let Some(items) = items_of_run(list, seen, run) else {
                continue;
            };
            match namings.iter_mut().find(|(form, _)| *form == run.form) {
                Some((_, naming)) => naming.add(items, run.heading.clone(), run.end),
                None => namings.push((
                    run.form,
                    Naming {
                        items,
                        headings: vec![run.heading.clone()],
                        end: run.end,
                    },
                )),
            }
        }
        let blocks = namings.into_iter().map(|(_, naming)| naming);
        let inline = self
            .sentences
            .iter()
            .filter_map(|sentence| items_of_sentence(list, seen, sentence));
        blocks.chain(inline).reduce(|best, naming| {
            if naming.items.len() > best.items.len() {
                naming
            } else {
                best
            }
        })
    }

    /// Whether the line after a list says that there is more.
    fn goes_on_after(&self, end: usize) -> bool {
        let after = self.text[end..].trim_start();
        after.lines().next().is_some_and(goes_on)
    }
}

impl Naming {
    fn add(&mut self, items: Vec<usize>, heading: Range<usize>, end: usize) {
        let known = items.iter().any(|item| self.items.contains(item));
        if known {
            return;
        }
        self.items.extend(items);
        self.headings.push(heading);
        self.end = end;
    }
}

/// The points that make an entry one of an item.
const ENOUGH: usize = 8;

/// The items that the entries of `run` name, where each names one of its own.
fn items_of_run(list: &List, seen: &[Sighting], run: &Run) -> Option<Vec<usize>> {
    let mut items = Vec::new();
    for entry in &run.entries {
        let item = item_of(list, within(seen, entry))?;
        if items.contains(&item) {
            return None;
        }
        items.push(item);
    }
    Some(items)
}

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

/// The items that one sentence names.
fn items_of_sentence(list: &List, seen: &[Sighting], sentence: &Range<usize>) -> Option<Naming> {
    let seen = within(seen, sentence);
    let mut items = Vec::new();
    let mut first = None;
    for sighting in seen {
        if sighting.weight >= Weight::Plain && !items.contains(&sighting.item) {
            items.push(sighting.item);
            first.get_or_insert(sighting.range.start);
        }
    }
    let first = first?;
    (items.len() >= 2 && list.items.len() > items.len()).then(|| Naming {
        items,
        headings: vec![sentence.start..first],
        end: sentence.end,
    })
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
        if item_of(list, &of_item).is_some() {
            return None;
        }
        missing.push(item);
    }
    Some(missing)
}

#[cfg(test)]
mod tests;
