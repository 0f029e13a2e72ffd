//! Finds the places where a reply names the items of a list.

use std::ops::Range;

use foldhash::{HashMap, HashMapExt};

use super::items::{List, Weight};
use super::tokens::Token;

/// The most notations of one list that are searched for.
const MOST_NEEDLES: usize = 4_000;

/// Shorter words occur in every text.
const SHORTEST_WORD: usize = 3;

/// A place where a reply contains a value or a word that only one item has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sighting {
    /// The item.
    pub item: usize,
    /// Its field.
    pub field: usize,
    /// How well it identifies the item; `None` for a single word of a longer value.
    pub weight: Weight,
    /// The place in the text.
    pub range: Range<usize>,
}

/// The item that a sequence of words belongs to.
#[derive(Debug, Clone, Copy)]
enum Owner {
    One(usize, usize, Weight),
    Many,
}

/// Returns all sightings of items of `list` among `tokens`, in their order.
pub fn sightings(list: &List, tokens: &[Token<'_>]) -> Vec<Sighting> {
    let owners = owners_of(list);
    let mut by_first: HashMap<&str, Vec<(&[String], Owner)>> = HashMap::new();
    for (needle, owner) in owners {
        if let Some(first) = needle.first() {
            by_first
                .entry(first.as_str())
                .or_default()
                .push((needle, owner));
        }
    }
    for needles in by_first.values_mut() {
        needles.sort_by_key(|(needle, _)| std::cmp::Reverse(needle.len()));
    }
    let words = own_words(list);
    let mut found: Vec<Sighting> = Vec::new();
    let mut covered = 0;
    for (at, token) in tokens.iter().enumerate() {
        let needles = by_first
            .get(token.word.as_ref())
            .map(Vec::as_slice)
            .unwrap_or_default();
        let hit = needles
            .iter()
            .find(|(needle, _)| starts_with(&tokens[at..], needle));
        if let Some((needle, owner)) = hit {
            let range = token.start..tokens[at + needle.len() - 1].end;
            let is_inside = range.end <= covered;
            covered = covered.max(range.end);
            if let (Owner::One(item, field, weight), false) = (*owner, is_inside) {
                found.push(Sighting {
                    item,
                    field,
                    weight,
                    range,
                });
            }
        } else if token.end > covered
            && let Some(Some((item, field))) = words.get(token.word.as_ref())
        {
            found.push(Sighting {
                item: *item,
                field: *field,
                weight: Weight::None,
                range: token.start..token.end,
            });
        }
    }
    found
}

fn starts_with(tokens: &[Token<'_>], needle: &[String]) -> bool {
    tokens.len() >= needle.len()
        && needle
            .iter()
            .zip(tokens)
            .all(|(word, token)| token.word == *word)
}

/// Maps each notation of a value to the item that has it.
fn owners_of(list: &List) -> HashMap<&[String], Owner> {
    let mut owners: HashMap<&[String], Owner> = HashMap::new();
    for (at, item) in list.items.iter().enumerate() {
        for (place, field) in item.fields.iter().enumerate() {
            for needle in field.needles() {
                if owners.len() >= MOST_NEEDLES {
                    return owners;
                }
                let owner = owners
                    .entry(needle)
                    .or_insert(Owner::One(at, place, field.weight));
                match owner {
                    Owner::One(item, _, _) if *item != at => *owner = Owner::Many,
                    Owner::One(_, _, weight) if *weight < field.weight => {
                        *owner = Owner::One(at, place, field.weight)
                    }
                    Owner::One(..) | Owner::Many => {}
                }
            }
        }
    }
    owners
}

/// Returns the words that only one item has, with their fields.
fn own_words(list: &List) -> HashMap<&str, Option<(usize, usize)>> {
    let mut words: HashMap<&str, Option<(usize, usize)>> = HashMap::new();
    for (at, item) in list.items.iter().enumerate() {
        for (place, field) in item.fields.iter().enumerate() {
            for word in field
                .words
                .iter()
                .filter(|word| word.len() >= SHORTEST_WORD)
            {
                let owner = words.entry(word).or_insert(Some((at, place)));
                if owner.is_some_and(|(item, _)| item != at) {
                    *owner = None;
                }
            }
        }
    }
    words
}
