//! Finds the items of a list that a reply names.

use std::ops::Range;

use super::entries::{Marker, Run, marker_of, runs_of, sentences_of};
use super::items::{List, Weight};
use super::record::{Record, is_like, words_in_place};
use super::sightings::{Sighting, sightings};
use super::tokens::{Token, tokens_of};

/// A reply in lower case, read once for all lists.
pub struct Reply<'t> {
    /// Its text.
    text: &'t str,
    /// Its words.
    tokens: Vec<Token<'t>>,
    /// The lists in it.
    runs: Vec<Run>,
    /// Its sentences.
    sentences: Vec<Range<usize>>,
}

/// The items that one part of a reply names.
pub struct Naming {
    /// The items, in the order of their names.
    pub items: Vec<usize>,
    /// The text before each group of them.
    pub headings: Vec<Range<usize>>,
    /// In a sentence, everything before the last mention of the first item, because words of its heading may
    /// be names of items, too.
    pub lead: Range<usize>,
    /// Where it ends.
    pub end: usize,
    /// Whether the part consists of lines of one form rather than a sentence.
    pub is_block: bool,
}

impl<'t> Reply<'t> {
    /// Reads `text`, which is in lower case.
    pub fn of(text: &'t str) -> Self {
        Self {
            text,
            tokens: tokens_of(text),
            runs: runs_of(text),
            sentences: sentences_of(text),
        }
    }

    /// Returns the places of the reply that contain values or words of the items of `list`.
    pub fn sightings(&self, list: &List) -> Vec<Sighting> {
        sightings(list, &self.tokens)
    }

    /// Returns the words of the reply.
    pub fn words(&self) -> Vec<&str> {
        self.tokens
            .iter()
            .map(|token| token.word.as_ref())
            .collect()
    }

    /// Returns the part of the reply that names the most items, or else the only item that it names.
    pub fn naming(&self, list: &List, seen: &[Sighting], record: &Record) -> Option<Naming> {
        let best = self.best_naming(list, seen, record);
        best.or_else(|| Naming::anywhere(list, seen))
    }

    fn best_naming(&self, list: &List, seen: &[Sighting], record: &Record) -> Option<Naming> {
        let mut namings: Vec<(_, Naming)> = Vec::new();
        for run in self.runs.iter().take(MOST_RUNS) {
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
                        lead: 0..0,
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

    /// Returns whether the nearest code above `place` looks like the code of the call but differs from it.
    /// What follows then comes from another result.
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

    /// Returns a part of the text, or an empty text if the range is not valid.
    pub fn part(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// Returns the line before `start`.
    pub fn line_before(&self, start: usize) -> &str {
        let before = self.part(0..start).trim_end();
        before.lines().next_back().unwrap_or_default()
    }

    /// Returns the line after `end`.
    pub fn line_after(&self, end: usize) -> &str {
        let after = self.part(end..self.text.len()).trim_start();
        after.lines().next().unwrap_or_default()
    }

    /// Returns the items that the entries of `run` name, if each entry names an item of its own at its start.
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

    /// Returns the items that the parts of one sentence name.
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
                start = start.max((end + 1).saturating_sub(MOST_SIGHTINGS / 2));
                if let Some(item) = item_of(list, &seen[start..=end]) {
                    start = end + 1;
                    if !items.contains(&item) {
                        items.push(item);
                    }
                }
            }
        }
        let is_alone = items.len() > 1 || !self.parts(last.range.end..sentence.end);
        let is_list = !items.is_empty()
            && is_alone
            && self.has_only(seen, first.range.start..last.range.end)
            && !self.names_more(last.range.end..sentence.end);
        let last_of = |item: &usize| {
            let mut of_item = seen.iter().rev().filter(|sighting| sighting.item == *item);
            of_item.next().map(|sighting| sighting.range.start)
        };
        let list_start = items.iter().filter_map(last_of).min()?;
        is_list.then(|| Naming {
            items,
            headings: vec![self.heading_in(sentence.start..first.range.start)],
            lead: sentence.start..list_start,
            end: sentence.end,
            is_block: false,
        })
    }

    /// Returns whether the text between two sightings separates items of a list.
    fn parts(&self, range: Range<usize>) -> bool {
        let text = self.part(range);
        text.contains([',', ';', '、', '/', '\n'])
            || text.split_whitespace().any(|word| JOINS.contains(&word))
    }

    /// Returns the words before an inline list, or else the line before it.
    fn heading_in(&self, range: Range<usize>) -> Range<usize> {
        let has_words = self.part(range.clone()).contains(char::is_alphanumeric);
        if has_words {
            return range;
        }
        let before = self.part(0..range.start).trim_end();
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        start..range.end
    }

    /// Returns whether each part of `range` between commas names an item.
    fn has_only(&self, seen: &[Sighting], range: Range<usize>) -> bool {
        let mut start = range.start;
        self.part(range).split([',', ';']).all(|part| {
            let place = start..start + part.len();
            start = place.end + 1;
            !within(seen, &place).is_empty() || !part.contains(char::is_alphanumeric)
        })
    }

    /// Returns whether a few words at the end of a sentence name one more thing.
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

impl Naming {
    /// Returns the item that a reply names anywhere, if there is only one.
    fn anywhere(list: &List, seen: &[Sighting]) -> Option<Self> {
        Some(Self {
            items: vec![item_of(list, seen)?],
            headings: Vec::new(),
            lead: 0..0,
            end: 0,
            is_block: false,
        })
    }

    /// Adds the items of another run of the same form, if all of them are new.
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

/// The most runs of one reply that are compared with a list.
const MOST_RUNS: usize = 200;

/// How many lines above a list are searched for the code of its record.
const MOST_ABOVE: usize = 60;

/// How far into an entry the name of its item may be.
const MOST_TO_NAME: usize = 64;

/// Returns the lines above the end of `text`, the nearest first: those of its section, then the headings
/// above.
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

/// The most sightings of one entry that count.
const MOST_SIGHTINGS: usize = 64;

/// The points that an entry needs to name an item.
const ENOUGH: usize = 8;

fn within<'s>(seen: &'s [Sighting], range: &Range<usize>) -> &'s [Sighting] {
    let start = seen.partition_point(|sighting| sighting.range.start < range.start);
    let end = seen.partition_point(|sighting| sighting.range.start < range.end);
    &seen[start..end]
}

/// Returns the item that these sightings identify best.
fn item_of(list: &List, seen: &[Sighting]) -> Option<usize> {
    let mut points = vec![0; list.items.len()];
    let seen = &seen[..seen.len().min(MOST_SIGHTINGS)];
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

/// Returns the items of which the reply mentions nothing, besides those in `naming`; `None` if that is
/// unclear.
pub fn missing(list: &List, seen: &[Sighting], naming: &Naming) -> Option<Vec<usize>> {
    let key_of = |sighting: &Sighting| {
        let item = &list.items[sighting.item];
        item.fields[sighting.field].key.as_str()
    };
    let mut used: Vec<&str> = Vec::new();
    for sighting in seen
        .iter()
        .filter(|sighting| sighting.weight >= Weight::Plain)
    {
        let key = key_of(sighting);
        if naming.items.contains(&sighting.item) && !used.contains(&key) {
            used.push(key);
        }
    }
    let mut missing = Vec::new();
    for item in (0..list.items.len()).filter(|item| !naming.items.contains(item)) {
        let of_item: Vec<_> = seen
            .iter()
            .filter(|sighting| sighting.item == item)
            .cloned()
            .collect();
        let names = of_item.iter().any(|sighting| match sighting.weight {
            Weight::Specific => true,
            Weight::Plain => used.contains(&key_of(sighting)),
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
