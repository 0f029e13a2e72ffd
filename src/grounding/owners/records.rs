//! Collects the records in results, with the values of each.
//!
//! A record is an object in a list, an entry of a keyed table, or the whole result of a call together with its
//! arguments. A plain object inside a record ("address", "options") is part of that record.

use foldhash::HashMap;

use super::super::digest::digest;
use super::super::transcript::{Content, Transcript, Value};
use toolgauge_facts::{Fact, FactKind, FactValue, TextId, Texts, WordId};
use toolgauge_model::{Json, ToolCall};

/// A value with more owners is common: it does not identify a record.
pub const MOST_OWNERS: usize = 48;

/// A longer text is not a value that a reply repeats.
pub const MOST_WORDS: usize = 8;

/// Once this many fields are collected, no more are read.
const MOST_FIELDS: usize = 60_000;

/// Marks the first place of a value: no place is before it.
const NO_PLACE: u32 = u32::MAX;

/// The maximum depth to which results are read.
const DEEPEST: usize = 24;

/// A record in a result.
pub struct Record {
    /// The digest that it shares with the other records of its list, or with the results of the same tool.
    pub kind: u64,
    /// The record that contains it.
    pub parent: Option<usize>,
    /// The call whose result contains it.
    pub call: usize,
    /// Its fields, including those of the records inside it.
    pub fields: std::ops::Range<usize>,
}

/// A value under a key.
pub struct Field<'a> {
    /// The record that it belongs to.
    pub record: usize,
    /// Its key, or the key of the list that contains it; empty for the key of a table entry.
    pub key: &'a str,
    /// The key of the plain object that contains it; empty if it is directly in the record.
    pub within: &'a str,
    /// The number of the object that contains it, counted through all results.
    pub object: usize,
    /// The value as written.
    pub text: FieldText<'a>,
    /// The digests of its meanings; the first is that of its words.
    pub digests: [u64; 2],
    /// The number of the value in the result, counted depth first; `None` for arguments and keys.
    pub value: Option<usize>,
    /// Whether it is an argument of the call.
    pub is_argument: bool,
}

/// A value as written in a result.
#[derive(Clone, Copy)]
pub enum FieldText<'a> {
    /// A text.
    Text(&'a str),
    /// A number.
    Number(f64),
}

/// All records of the calls so far.
#[derive(Default)]
pub struct Records<'a> {
    /// The records; each is before the records inside it.
    pub records: Vec<Record>,
    /// The fields, in the order of the results.
    pub fields: Vec<Field<'a>>,
    /// For each digest, the index of its last entry in `places`.
    owners: HashMap<u64, u32>,
    /// The fields that hold a value, each with the index of the previous entry for the same value.
    places: Vec<(u32, u32)>,
    /// For each first word of a value, the number of words of the longest such value.
    longest: Vec<u8>,
    calls: usize,
    objects: usize,
}

impl<'a> Records<'a> {
    /// Reads the calls that were not read yet.
    pub fn read(
        &mut self,
        calls: &[&ToolCall<'a>],
        transcript: &Transcript<'a>,
        texts: &Texts<'a>,
    ) {
        while self.calls < calls.len() {
            let number = self.calls;
            self.calls += 1;
            if self.fields.len() < MOST_FIELDS {
                self.add_call(number, calls[number], transcript, texts);
            }
        }
    }

    fn add_call(
        &mut self,
        number: usize,
        call: &ToolCall<'a>,
        transcript: &Transcript<'a>,
        texts: &Texts<'a>,
    ) {
        let kind = digest(call.name);
        let root = self.open(kind, None, number);
        let object = self.objects;
        let mut walk = Walk {
            records: self,
            values: transcript.arguments(number),
            next: 0,
            count: 0,
            is_result: false,
            texts,
        };
        let place = Place {
            record: root,
            kind,
            key: "",
            within: "",
            object,
            depth: 0,
        };
        if let Some(arguments) = call.arguments {
            walk.add(arguments, place);
        }
        walk.values = transcript.result(number);
        (walk.next, walk.count, walk.is_result) = (0, 0, true);
        if let Some(result) = call.result {
            walk.add(result, place);
        }
        self.close(root);
    }

    fn open(&mut self, kind: u64, parent: Option<usize>, call: usize) -> usize {
        let start = self.fields.len();
        self.objects += 1;
        self.records.push(Record {
            kind,
            parent,
            call,
            fields: start..start,
        });
        self.records.len() - 1
    }

    fn close(&mut self, record: usize) {
        self.records[record].fields.end = self.fields.len();
    }

    fn note(&mut self, words: &Words) {
        let Some(first) = words.first.filter(|_| words.count <= MOST_WORDS) else {
            return;
        };
        if self.longest.len() <= first.index() {
            self.longest
                .resize((first.index() + 1).next_power_of_two(), 0);
        }
        let longest = &mut self.longest[first.index()];
        *longest = (*longest).max(words.count as u8);
    }

    fn own(&mut self, digest: u64, field: u32) {
        let place = self.places.len() as u32;
        let before = self.owners.insert(digest, place).unwrap_or(NO_PLACE);
        self.places.push((field, before));
    }

    /// Returns the fields that hold a value, the last one first. Returns `None` if the value is common.
    pub fn owners(&self, digest: u64) -> Option<Vec<u32>> {
        let mut found = Vec::new();
        let mut next = self.owners.get(&digest).copied();
        while let Some(place) = next {
            let (field, before) = self.places[place as usize];
            found.push(field);
            if found.len() > MOST_OWNERS {
                return None;
            }
            next = (before != NO_PLACE).then_some(before);
        }
        Some(found)
    }

    /// Returns the number of words of the longest value that starts with this word.
    pub fn longest_from(&self, word: WordId) -> usize {
        self.longest.get(word.index()).copied().unwrap_or(0).into()
    }

    /// Checks whether a value is in the results or the arguments.
    pub fn knows(&self, digest: u64) -> bool {
        self.owners.contains_key(&digest)
    }

    /// Checks whether a field belongs to a record: to the record itself, to one inside it, or to one around it.
    pub fn has(&self, record: usize, field: usize) -> bool {
        let owner = self.fields[field].record;
        self.records[record].fields.contains(&field)
            || self.around(record).any(|around| around == owner)
    }

    /// Returns the record itself and the records around it.
    pub fn around(&self, record: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(record), |at| self.records[*at].parent)
    }
}

/// The position of a value.
#[derive(Clone, Copy)]
struct Place<'a> {
    record: usize,
    kind: u64,
    key: &'a str,
    within: &'a str,
    object: usize,
    depth: usize,
}

/// A walk through one JSON value, in step with the values that the transcript read from it.
struct Walk<'w, 'a> {
    records: &'w mut Records<'a>,
    values: &'w [Value<'a>],
    next: usize,
    count: usize,
    is_result: bool,
    texts: &'w Texts<'a>,
}

impl<'a> Walk<'_, 'a> {
    fn add(&mut self, json: Json<'a>, place: Place<'a>) {
        let number = self.count;
        self.count += 1;
        if place.depth > DEEPEST || self.records.fields.len() >= MOST_FIELDS {
            return self.skip(json);
        }
        let inner = Place {
            depth: place.depth + 1,
            ..place
        };
        match json {
            Json::Null | Json::Bool(_) => {}
            Json::Number(value) => {
                let value_digest = digest_of_number(value.as_f64());
                let field = Field {
                    record: place.record,
                    key: place.key,
                    within: place.within,
                    object: place.object,
                    text: FieldText::Number(value.as_f64()),
                    digests: [value_digest, value_digest],
                    value: self.is_result.then_some(number),
                    is_argument: !self.is_result,
                };
                self.push(field, &[]);
            }
            Json::String(text) => {
                let id = self.text_of(number);
                self.add_text(text, id, place, self.is_result.then_some(number));
            }
            Json::Array(items) => {
                for item in items {
                    match item {
                        Json::Object(_) if self.is_result => self.add_record(*item, inner, None),
                        _ => self.add(*item, inner),
                    }
                }
            }
            Json::Object(members) => {
                let is_table = self.is_result && is_table(members);
                let is_ledger = self.is_result && is_ledger(members);
                self.records.objects += 1;
                let object = self.records.objects;
                for (key, value) in members {
                    let kind = match value {
                        Json::Object(_) | Json::Array(_) => {
                            digest((inner.kind, if is_table { "*" } else { key }))
                        }
                        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {
                            inner.kind
                        }
                    };
                    let place = Place {
                        key,
                        within: place.key,
                        object,
                        kind,
                        ..inner
                    };
                    match value {
                        Json::Object(_) if is_table => self.add_record(*value, place, Some(key)),
                        Json::Number(_) if is_ledger => self.add_entry(*value, place),
                        _ => self.add(*value, place),
                    }
                }
            }
        }
    }

    fn add_record(&mut self, json: Json<'a>, place: Place<'a>, key: Option<&'a str>) {
        let call = self.records.records[place.record].call;
        let record = self.records.open(place.kind, Some(place.record), call);
        let place = Place {
            record,
            key: "",
            within: "",
            ..place
        };
        if let Some(key) = key {
            self.add_text(key, None, place, None);
        }
        self.add(json, place);
        self.records.close(record);
    }

    /// Adds an entry of a ledger as a record of its own: the key is its name, the number its value.
    fn add_entry(&mut self, json: Json<'a>, place: Place<'a>) {
        let call = self.records.records[place.record].call;
        let kind = digest((place.kind, "*"));
        let record = self.records.open(kind, Some(place.record), call);
        let name = Place {
            record,
            key: "",
            within: "",
            ..place
        };
        self.add_text(place.key, None, name, None);
        let key = place.within;
        self.add(json, Place { key, ..name });
        self.records.close(record);
    }

    fn add_text(
        &mut self,
        text: &'a str,
        id: Option<TextId>,
        place: Place<'a>,
        value: Option<usize>,
    ) {
        let mut read = Words::default();
        match id {
            Some(id) => {
                let tokens = self.texts.tokens(id).iter().take(3 * MOST_WORDS);
                tokens
                    .filter_map(|token| token.word)
                    .for_each(|word| read.add(word));
            }
            None => {
                let vocabulary = self.texts.vocabulary();
                words_of(text)
                    .filter_map(|word| vocabulary.find(word))
                    .for_each(|word| read.add(word));
            }
        }
        let words = read.digest();
        self.records.note(&read);
        let Some(words) = words else {
            return;
        };
        let mut others = Vec::new();
        if let Some(id) = id {
            for fact in self.texts.facts(id) {
                add_meanings(fact, fact.text.len() + 1 >= text.trim().len(), &mut others);
            }
        }
        let field = Field {
            record: place.record,
            key: place.key,
            within: place.within,
            object: place.object,
            text: FieldText::Text(text),
            digests: [words, others.first().copied().unwrap_or(words)],
            value,
            is_argument: !self.is_result,
        };
        self.push(field, &others);
    }

    fn push(&mut self, field: Field<'a>, others: &[u64]) {
        let number = self.records.fields.len() as u32;
        self.records.own(field.digests[0], number);
        others
            .iter()
            .for_each(|digest| self.records.own(*digest, number));
        self.records.fields.push(field);
    }

    /// Returns the text that has this number among the values of the transcript.
    fn text_of(&mut self, number: usize) -> Option<TextId> {
        while let Some(value) = self.values.get(self.next) {
            if value.number > number {
                return None;
            }
            self.next += 1;
            match value.content {
                Content::Text(_, id) | Content::Name(_, id) if value.number == number => {
                    return Some(id);
                }
                Content::Text(..) | Content::Name(..) | Content::Number(_) | Content::Items(_) => {}
                Content::Key(_) => {}
            }
        }
        None
    }

    fn skip(&mut self, json: Json<'a>) {
        match json {
            Json::Array(items) => {
                for item in items {
                    self.count += 1;
                    self.skip(*item);
                }
            }
            Json::Object(members) => {
                for (_, value) in members {
                    self.count += 1;
                    self.skip(*value);
                }
            }
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
        }
    }
}

/// Checks whether the entries of an object are records, as in `{"101": {…}, "102": {…}}`.
fn is_table(members: &[(&str, Json<'_>)]) -> bool {
    let Some((key, first)) = members.first() else {
        return false;
    };
    let Some(shape) = first_key(first) else {
        return false;
    };
    let has_digit = key.bytes().any(|byte| byte.is_ascii_digit());
    let mut rest = members.iter();
    (has_digit || members.len() > 2) && rest.all(|(_, value)| first_key(value) == Some(shape))
}

/// Checks whether the keys of an object name the things that its numbers describe, as in
/// `{"plan_2gb": 15, "plan_5gb": 25}`.
fn is_ledger(members: &[(&str, Json<'_>)]) -> bool {
    let has_digit = |key: &str| key.bytes().any(|byte| byte.is_ascii_digit());
    members.len() > 1
        && members.iter().any(|(key, _)| has_digit(key))
        && members
            .iter()
            .all(|(_, value)| matches!(value, Json::Number(_)))
}

fn first_key<'a>(json: &Json<'a>) -> Option<&'a str> {
    json.members()?.first().map(|(key, _)| *key)
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// A run of words.
#[derive(Default)]
struct Words {
    first: Option<WordId>,
    state: u64,
    count: usize,
}

impl Words {
    fn add(&mut self, word: WordId) {
        self.first.get_or_insert(word);
        self.state = roll(self.state, word);
        self.count += 1;
    }

    /// Returns the digest of the words, or `None` if there are none or too many.
    fn digest(&self) -> Option<u64> {
        (1..=MOST_WORDS).contains(&self.count).then_some(self.state)
    }
}

/// Returns the digest of a run of words that is one word longer than that of `state`.
pub fn roll(state: u64, word: WordId) -> u64 {
    (state.rotate_left(7) ^ (word.index() as u64 + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Returns the digest of a number.
pub fn digest_of_number(number: f64) -> u64 {
    digest((1_u8, number.abs().to_bits()))
}

/// Adds the digests of a fact, other than that of its words. A number counts only if it is the whole value.
pub fn add_meanings(fact: &Fact<'_>, is_whole: bool, digests: &mut Vec<u64>) {
    match &fact.value {
        FactValue::Number(readings) if is_whole => {
            digests.extend(readings.iter().map(|number| digest_of_number(*number)));
        }
        FactValue::Date(date) => {
            if let Some(day) = date.day {
                digests.push(digest((2_u8, date.month, day)));
            }
        }
        FactValue::Time(minutes) => {
            digests.extend(minutes.iter().map(|minute| digest((3_u8, *minute))));
        }
        FactValue::Text(text) if fact.kind == FactKind::Phone => digests.push(digest((4_u8, text))),
        FactValue::Number(_) | FactValue::Text(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::with_records;
    use super::*;

    /// Returns the fields of a result as `record key: value`, without arguments.
    fn fields(result: &str) -> Vec<String> {
        with_records(result, "", |records, _, _| {
            let fields = records.fields.iter().filter(|field| !field.is_argument);
            fields
                .map(|field| match field.text {
                    FieldText::Text(text) => format!("{} {}: {text}", field.record, field.key),
                    FieldText::Number(number) => {
                        format!("{} {}: {number}", field.record, field.key)
                    }
                })
                .collect()
        })
    }

    #[test]
    fn objects_of_lists_and_entries_of_tables_are_records() {
        assert_eq!(
            fields(r#"{"lamps":[{"name":"Oak"},{"name":"Ash"}]}"#),
            ["1 name: Oak", "2 name: Ash"]
        );
        assert_eq!(
            fields(r#"{"101":{"name":"Oak"},"102":{"name":"Ash"}}"#),
            ["1 : 101", "1 name: Oak", "2 : 102", "2 name: Ash"]
        );
        assert_eq!(
            fields(r#"{"plan_2gb":15,"plan_5gb":25}"#),
            ["1 : plan_2gb", "1 : 15", "2 : plan_5gb", "2 : 25"]
        );
    }

    #[test]
    fn plain_objects_belong_to_their_record() {
        for result in [
            r#"{"name":"Oak","size":{"height":60}}"#,
            r#"{"name":"Oak","price":60}"#,
            r#"{"price":60,"tax":7}"#,
            r#"["Oak","Ash"]"#,
        ] {
            let fields = fields(result);
            assert!(
                fields.iter().all(|field| field.starts_with("0 ")),
                "{fields:?}"
            );
        }
    }

    #[test]
    fn records_of_one_list_are_of_one_kind() {
        let list = r#"{"lamps":[{"name":"Oak"},{"name":"Ash"}],"shops":[{"name":"Elm"}]}"#;
        let kinds = with_records(list, "", |records, _, _| -> Vec<u64> {
            records.records.iter().map(|record| record.kind).collect()
        });
        assert_eq!(kinds.len(), 4);
        assert!(kinds[1] == kinds[2] && kinds[2] != kinds[3] && kinds[0] != kinds[1]);
    }

    #[test]
    fn a_record_has_what_is_in_it_and_around_it_but_not_beside_it() {
        let list = r#"{"shop":"Elm","lamps":[{"name":"Oak"},{"name":"Ash"}]}"#;
        with_records(list, "", |records, _, _| {
            let field = |wanted: &str| {
                let is_it = |field: &Field<'_>| matches!(field.text, FieldText::Text(text) if text == wanted);
                records.fields.iter().position(is_it).expect("a field")
            };
            let oak = records.fields[field("Oak")].record;
            assert!(records.has(oak, field("Elm")) && records.has(0, field("Oak")));
            assert!(!records.has(oak, field("Ash")));
        });
    }

    #[test]
    fn a_value_of_too_many_records_is_common() {
        let list = |count: usize| {
            let items: Vec<_> = (0..count).map(|_| r#"{"name":"Oak Hill"}"#).collect();
            format!("[{}]", items.join(","))
        };
        let owners = |count: usize| {
            with_records(&list(count), "", |records, _, _| {
                records
                    .owners(records.fields[1].digests[0])
                    .map(|owners| owners.len())
            })
        };
        assert_eq!(owners(MOST_OWNERS), Some(MOST_OWNERS));
        assert_eq!(owners(MOST_OWNERS + 1), None);
    }
}
