//! What texts mean, each read once however often it occurs.

use std::ops::Range;

use super::words::{Words, digest, each_word};
use crate::facts::{Fact, FactValue, Texts};

/// Longer texts without white space are no codes.
const LONGEST_CODE: usize = 60;

/// Shorter words are not looked for.
const SHORTEST_WORD: usize = 3;

/// Texts, their facts, and what of them is looked for elsewhere. Several trajectories may share it.
#[derive(Default)]
pub struct Meanings<'t> {
    /// The texts with their facts.
    pub texts: Texts<'t>,
    /// Their words.
    pub words: Words,
    digests: Vec<u64>,
    places: Vec<Option<Places>>,
}

/// Where the digests of a text stand.
#[derive(Clone, Copy)]
struct Places {
    start: usize,
    facts_end: usize,
    codes_end: usize,
    end: usize,
}

/// The digests of what a text means.
#[derive(Debug, Clone, Copy)]
pub struct Meaning<'m> {
    /// Of each meaning of each fact.
    pub facts: &'m [u64],
    /// Of each code: what stands between white space and is made of letters and digits with other signs
    /// among them, as in `p-17`.
    pub codes: &'m [u64],
    /// Of each word of three letters or more.
    pub words: &'m [u64],
}

impl<'t> Meanings<'t> {
    /// What `text` means.
    pub fn of(&mut self, text: &'t str) -> Meaning<'_> {
        let id = self.texts.read(text);
        if self.places.len() <= id.index() {
            self.places.resize(id.index() + 1, None);
        }
        let places = match self.places[id.index()] {
            Some(places) => places,
            None => {
                let start = self.digests.len();
                let facts = self.texts.facts(id);
                facts
                    .iter()
                    .for_each(|fact| add_fact(fact, &mut self.digests));
                let facts_end = self.digests.len();
                add_codes(text, &mut self.digests);
                let codes_end = self.digests.len();
                each_word(text, |word| {
                    if word.chars().nth(SHORTEST_WORD - 1).is_some() {
                        self.digests.push(digest_of_text(word));
                    }
                });
                let end = self.digests.len();
                let places = Places {
                    start,
                    facts_end,
                    codes_end,
                    end,
                };
                self.places[id.index()] = Some(places);
                places
            }
        };
        let digests = |range: Range<usize>| &self.digests[range];
        Meaning {
            facts: digests(places.start..places.facts_end),
            codes: digests(places.facts_end..places.codes_end),
            words: digests(places.codes_end..places.end),
        }
    }
}

/// A value that is looked for.
#[derive(Hash)]
enum Value<'v> {
    Number(u64),
    Date(u8, Option<u8>),
    Time(u16),
    Text(&'v str),
}

/// The digest that a number has in a [`Meaning`].
pub fn digest_of_number(number: f64) -> u64 {
    digest(Value::Number(number.to_bits()))
}

fn digest_of_text(text: &str) -> u64 {
    digest(Value::Text(text))
}

fn add_fact(fact: &Fact<'_>, digests: &mut Vec<u64>) {
    match &fact.value {
        FactValue::Number(readings) => {
            digests.extend(readings.iter().map(|number| digest_of_number(*number)));
        }
        FactValue::Date(date) => digests.push(digest(Value::Date(date.month, date.day))),
        FactValue::Time(minutes) => {
            digests.extend(minutes.iter().map(|minute| digest(Value::Time(*minute))));
        }
        FactValue::Text(text) => digests.push(digest_of_text(text)),
    }
}

fn add_codes(text: &str, digests: &mut Vec<u64>) {
    let chunks = text.split_whitespace();
    let codes = chunks
        .map(|chunk| chunk.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|chunk| {
            let has_digit = chunk.bytes().any(|byte| byte.is_ascii_digit());
            has_digit
                && chunk.len() <= LONGEST_CODE
                && chunk.contains(|c: char| !c.is_alphanumeric())
        });
    digests.extend(codes.map(|code| digest_of_text(&code.to_lowercase())));
}
