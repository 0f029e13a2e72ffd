//! The collector of known values.

use std::cell::RefCell;

use foldhash::HashSet;

use super::days::KnownDays;
use super::known::{FactPlace, Known, KnownValue, Source, placed_facts};
use super::numbers::{KnownNumbers, NumberOrder};
use super::sealed::Evidence;
use super::words::{KnownNames, KnownWords, WordPairs};
use crate::digest::{NumberSet, digest};
use crate::transcript::{Content, Value};
use toolgauge_facts::{Fact, FactKind, FactValue, TextId, Texts};

/// How many values, texts and days a conversation typically adds to the instructions. Room for them is reserved at
/// once.
const EXPECTED: usize = 224;

/// The values that are known so far, indexed by meaning: adding or looking up a value takes the same time however many
/// there are. Lookups require [`Gathered::seal`].
#[derive(Default)]
pub struct Gathered<'a> {
    pub(super) known: Vec<Known<'a>>,
    pub(super) numbers: KnownNumbers,
    pub(super) days: KnownDays,
    pub(super) times: NumberSet,
    /// Digests of the texts of facts, in lower case.
    pub(super) values: HashSet<u64>,
    /// The indices of the texts that were added.
    added: NumberSet,
    /// The texts that were added, each once, in order.
    pub(super) texts: Vec<TextId>,
    pub(super) words: KnownWords,
    pub(super) names: KnownNames,
    /// Filled when a lookup first needs it, which is rare.
    pub(super) order: RefCell<NumberOrder>,
    /// Filled when a lookup first needs it, which is rare.
    pub(super) pairs: RefCell<WordPairs>,
}

impl<'a> Gathered<'a> {
    /// Collects the values of the instructions, and reserves room for what a conversation adds.
    pub fn of_instructions(instructions: &[TextId], texts: &Texts<'a>) -> Self {
        let mut gathered = Self::default();
        for text in instructions {
            gathered.add_text(*text, texts);
        }
        gathered.words.read(&gathered.texts, texts);
        gathered.known.reserve(EXPECTED);
        gathered.texts.reserve(EXPECTED);
        gathered.values.reserve(EXPECTED);
        gathered.days.reserve(EXPECTED);
        gathered
    }

    /// Like `clone_from`: overwrites `self` but keeps its allocations, because allocating these sets per conversation
    /// costs more than filling them.
    pub fn copy(&mut self, other: &Self) {
        let Self {
            known,
            numbers,
            days,
            times,
            values,
            added,
            texts,
            words,
            names,
            order,
            pairs,
        } = self;
        let Self {
            known: other_known,
            numbers: other_numbers,
            days: other_days,
            times: other_times,
            values: other_values,
            added: other_added,
            texts: other_texts,
            words: other_words,
            names: other_names,
            order: other_order,
            pairs: other_pairs,
        } = other;
        known.clone_from(other_known);
        numbers.copy(other_numbers);
        days.copy(other_days);
        times.copy(other_times);
        values.clone_from(other_values);
        added.copy(other_added);
        texts.clone_from(other_texts);
        words.copy(other_words);
        names.copy(other_names);
        order.get_mut().copy(&other_order.borrow());
        pairs.get_mut().copy(&other_pairs.borrow());
    }

    /// Returns the evidence gathered so far, ready for lookups.
    pub fn seal<'e>(&'e mut self, texts: &'e Texts<'a>) -> Evidence<'e> {
        self.words.read(&self.texts, texts);
        Evidence::new(self, texts)
    }

    /// Adds a text of the user or of the instructions.
    pub fn add_text(&mut self, text: TextId, texts: &Texts<'a>) {
        self.add_facts(text, Source::Text, texts);
    }

    /// Adds values of arguments or of a result. `source` maps the number of a value to its source.
    pub fn add_values(
        &mut self,
        values: &[Value<'a>],
        texts: &Texts<'a>,
        source: impl Fn(usize) -> Source,
    ) {
        for value in values {
            let source = source(value.number);
            match value.content {
                Content::Number(number) => {
                    self.numbers.add_long_number(number);
                    self.add_number(KnownValue::Number(number), source);
                }
                Content::Items(count) => self.add_number(KnownValue::Count(count), source),
                Content::Text(_, id) => self.add_facts(id, source, texts),
                Content::Name(text, id) => {
                    self.add_facts(id, source, texts);
                    self.add_name(text, id, source);
                }
                Content::Key(id) => {
                    for (place, fact) in placed_facts(id, texts) {
                        self.add_fact(place, fact, source);
                    }
                }
            }
        }
    }

    fn add_name(&mut self, name: &'a str, id: TextId, source: Source) {
        let known = &mut self.known;
        self.names.add(name, id, |word| {
            known.push(Known {
                source,
                value: KnownValue::Name(word),
            });
            known.len() - 1
        });
    }

    fn add_facts(&mut self, text: TextId, source: Source, texts: &Texts<'a>) {
        let is_new = self.added.insert(text.index());
        if is_new {
            self.texts.push(text);
        }
        for (place, fact) in placed_facts(text, texts) {
            match &fact.value {
                _ if is_new => self.add_fact(place, fact, source),
                // Equal numbers are kept once. Equal values of other kinds are kept each time, with their own source.
                FactValue::Number(_) => {}
                FactValue::Date(_) | FactValue::Time(_) | FactValue::Text(_) => {
                    self.keep(place, fact, source);
                }
            }
        }
    }

    fn add_fact(&mut self, place: FactPlace, fact: &Fact<'a>, source: Source) {
        match &fact.value {
            FactValue::Number(readings) => {
                self.numbers.add_long(fact.text);
                for reading in readings {
                    self.add_number(KnownValue::Reading(place, *reading), source);
                }
                return;
            }
            FactValue::Date(date) => self.days.add(*date),
            FactValue::Time(minutes) => {
                for minute in minutes.iter() {
                    self.times.insert((*minute).into());
                }
            }
            FactValue::Text(value) => {
                self.add_parts_of(value, fact.kind);
                self.values.insert(digest(value));
            }
        }
        self.keep(place, fact, source);
    }

    fn keep(&mut self, place: FactPlace, fact: &Fact<'a>, source: Source) {
        self.known.push(Known {
            source,
            value: KnownValue::Fact(place, fact.kind),
        });
    }

    fn add_number(&mut self, value: KnownValue<'a>, source: Source) {
        let known = Known { source, value };
        if known
            .number()
            .is_some_and(|number| self.numbers.add(number))
        {
            self.known.push(known);
        }
    }

    /// Adds the parts of a value that a reply may state by themselves.
    #[deny(clippy::wildcard_enum_match_arm)]
    fn add_parts_of(&mut self, value: &str, kind: FactKind) {
        match kind {
            FactKind::Identifier => self.add_parts(value),
            FactKind::Url => value
                .split(['/', '?', '#', '&', '=', '.'])
                .for_each(|part| self.add_parts(part)),
            FactKind::Money
            | FactKind::Number
            | FactKind::Percent
            | FactKind::Date
            | FactKind::Time
            | FactKind::Email
            | FactKind::Phone
            | FactKind::Quote
            | FactKind::Name => {}
        }
    }

    /// Adds the parts of an identifier: `7504069` of `certificate_7504069`.
    fn add_parts(&mut self, identifier: &str) {
        let mut start = 0;
        for (at, byte) in identifier.bytes().enumerate() {
            if matches!(byte, b'_' | b'-') {
                self.add_part(&identifier[start..at]);
                start = at + 1;
            }
        }
        self.add_part(&identifier[start..]);
    }

    fn add_part(&mut self, part: &str) {
        let is_number = part.as_bytes().iter().all(u8::is_ascii_digit);
        if is_number {
            self.numbers.add_long(part);
        }
        match is_number.then(|| part.parse().ok()).flatten() {
            Some(number) => self.numbers.add_part(number),
            None => {
                self.values.insert(digest(part));
            }
        }
    }
}
