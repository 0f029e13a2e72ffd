//! The numbers of results that totals and differences may be worked out of: only such as belong
//! together, since some two of many numbers give nearly any third.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;

use foldhash::{HashMap, HashMapExt as _, HashSet};

use super::keys::says;
use crate::facts::{Fact, FactKind, FactValue, Texts, lower};
use crate::model::{Json, Member, ToolCall};

/// How many of the latest calls are looked at.
const MOST_CALLS: usize = 12;

/// How many values of them.
const MOST_VALUES: usize = 4000;

/// How many numbers of one record, lists in it left out.
const MOST_NUMBERS: usize = 40;

/// The longest text that is read as one number.
const LONGEST_NUMBER: usize = 24;

/// The longest text that a record is named by, other than a name or a title.
const LONGEST_CODE: usize = 100;

/// The longest text that several records may share.
const LONGEST_STATE: usize = 60;

/// Parts of keys under which there are counts, which may be added up without saying so.
const COUNTS: [&str; 5] = ["qty", "quant", "count", "pieces", "units"];

/// Larger lists are not shared out.
const LARGEST_COUNT: usize = 20;

/// How many sums are formed of one key where records have several values of it.
const MOST_SUMS: usize = 32;

/// Numbers that belong together.
#[derive(Debug, Default)]
pub struct Operands<'o> {
    offered: Vec<&'o Offered>,
    /// The numbers that a named record has under each key, newest first.
    named: BTreeMap<String, BTreeMap<String, Vec<f64>>>,
}

/// What one result offers, whatever the reply.
#[derive(Debug, Default)]
struct Offered {
    /// The totals of lists, by what their items have in common.
    totals: Vec<Total>,
    /// How many items of some list are alike in something, and totals of counts.
    counts: HashSet<usize>,
}

/// A result with what it offers.
pub struct Offer<'a> {
    offered: Offered,
    records: Vec<Record<'a>>,
    /// How many values were looked at.
    values: usize,
}

/// A record that a reply may name.
struct Record<'a> {
    json: Json<'a>,
    /// Its names and titles.
    names: Vec<&'a str>,
    /// Its other texts with digits, in lower case.
    codes: Vec<Cow<'a, str>>,
}

/// The total of one key over all items of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Total {
    /// The total.
    pub value: f64,
    /// What it is of, in order.
    pub items: Vec<f64>,
    /// How many items it is of, and the lengths of other lists in the same result.
    pub counts: Vec<f64>,
}

impl<'o> Operands<'o> {
    /// What `calls` returned, as far as it belongs together; `offers` keeps what the result of each
    /// offers, `content` names records, and `stated` are its facts.
    pub fn of<'a>(
        calls: &[&ToolCall<'a>],
        offers: &'o [OnceCell<Offer<'a>>],
        texts: &Texts<'_>,
        content: &str,
        stated: &[Fact<'_>],
    ) -> Self {
        let naming = Naming {
            content,
            identifiers: stated.iter().filter_map(identifier).collect(),
        };
        let mut found = Self::default();
        let mut keys = Keys::default();
        let mut left = MOST_VALUES;
        for (call, offer) in calls.iter().zip(offers).rev().take(MOST_CALLS) {
            let Some(result) = call.result else {
                continue;
            };
            let offer = offer.get_or_init(|| Offer::of(result, texts));
            found.offered.push(&offer.offered);
            for record in &offer.records {
                if let Some(name) = naming.name_of(record) {
                    found.add_record(&name, &keys.numbers_of(record.json, texts), &keys);
                }
            }
            match left.checked_sub(offer.values) {
                Some(rest) => left = rest,
                None => break,
            }
        }
        found
    }

    /// The totals of lists, by what their items have in common.
    pub fn totals(&self) -> impl Iterator<Item = &'o Total> {
        self.offered.iter().flat_map(|offered| &offered.totals)
    }

    /// Whether so many items of some list are alike in something, or counts add up to it.
    pub fn holds_count(&self, count: usize) -> bool {
        let mut offered = self.offered.iter();
        offered.any(|offered| offered.counts.contains(&count))
    }

    fn add_record(&mut self, name: &str, numbers: &[(usize, f64)], keys: &Keys) {
        for (key, number) in numbers {
            let values = self.named.entry(keys.path(*key).to_owned()).or_default();
            let values = values.entry(name.to_owned()).or_default();
            if values.len() < MOST_SUMS && !values.contains(number) {
                values.push(*number);
            }
        }
    }

    /// The sums over all records that the reply names, key by key.
    pub fn sums_of_named(&self) -> Vec<f64> {
        let lists = self.named.values().filter(|records| records.len() > 1);
        lists.flat_map(sums).collect()
    }

    /// The numbers of the records that the reply names.
    pub fn values_of_named(&self) -> impl Iterator<Item = f64> {
        let records = self.named.values().flat_map(BTreeMap::values);
        records.flatten().copied()
    }

    /// The differences between records that the reply names, key by key.
    pub fn differences_of_named(&self) -> Vec<f64> {
        let differences = |records: &BTreeMap<String, Vec<f64>>| {
            let values: Vec<_> = records
                .values()
                .filter_map(|values| values.first())
                .collect();
            let pairs = values.iter().enumerate().take(MOST_SUMS);
            pairs
                .flat_map(|(at, a)| values[..at].iter().map(move |b| (**a - **b).abs()))
                .collect::<Vec<_>>()
        };
        self.named.values().flat_map(differences).collect()
    }
}

/// The sums of one value of each record.
fn sums(records: &BTreeMap<String, Vec<f64>>) -> Vec<f64> {
    records.values().fold(vec![0.0], |sums, values| {
        let longer = sums
            .iter()
            .flat_map(|sum| values.iter().map(move |value| sum + value));
        longer.take(MOST_SUMS).collect()
    })
}

/// What of a reply may name records.
struct Naming<'n> {
    content: &'n str,
    identifiers: HashSet<&'n str>,
}

fn identifier<'f>(fact: &'f Fact<'_>) -> Option<&'f str> {
    match &fact.value {
        FactValue::Text(text) if fact.kind == FactKind::Identifier => Some(text),
        _ => None,
    }
}

impl Naming<'_> {
    /// What the reply calls a record, in lower case; nothing where it does not.
    fn name_of(&self, record: &Record<'_>) -> Option<String> {
        let names = record.names.iter();
        let names = names.filter(|name| self.content.contains(**name));
        let codes = record.codes.iter();
        let codes = codes.filter(|code| self.identifiers.contains(code.as_ref()));
        let names = names.map(|name| name.to_lowercase());
        names.chain(codes.map(|code| code.to_string())).min()
    }
}

impl<'a> Offer<'a> {
    fn of(result: Json<'a>, texts: &Texts<'_>) -> Self {
        let mut collector = Collector {
            texts,
            keys: Keys::default(),
            left: MOST_VALUES,
            offered: Offered::default(),
            records: Vec::new(),
        };
        let mut lengths = Vec::new();
        collector.visit(result, &mut lengths);
        let mut offered = collector.offered;
        for total in &mut offered.totals {
            total.counts.extend(&lengths);
        }
        Self {
            offered,
            records: collector.records,
            values: MOST_VALUES - collector.left,
        }
    }
}

struct Collector<'c, 'a> {
    texts: &'c Texts<'c>,
    keys: Keys,
    left: usize,
    offered: Offered,
    records: Vec<Record<'a>>,
}

impl<'a> Collector<'_, 'a> {
    fn visit(&mut self, json: Json<'a>, lengths: &mut Vec<f64>) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        match json {
            Json::Array(items) => {
                if (2..=LARGEST_COUNT).contains(&items.len()) {
                    lengths.push(items.len() as f64);
                }
                self.add_totals(items);
                self.add_counts(items);
                for item in items {
                    self.visit(*item, lengths);
                }
            }
            Json::Object(members) => {
                self.add_record(json, members);
                for (_, value) in members {
                    self.visit(*value, lengths);
                }
            }
            _ => {}
        }
    }

    fn add_record(&mut self, json: Json<'a>, members: &[Member<'a>]) {
        let mut record = Record {
            json,
            names: Vec::new(),
            codes: Vec::new(),
        };
        for (key, value) in members {
            let Json::String(text) = value else {
                continue;
            };
            if text.len() <= LONGEST_CODE && text.bytes().any(|byte| byte.is_ascii_digit()) {
                record.codes.push(lower(text));
            }
            if text.len() > 2 && (says(key, "name") || says(key, "title")) {
                record.names.push(text);
            }
        }
        if !record.names.is_empty() || !record.codes.is_empty() {
            self.records.push(record);
        }
    }

    fn add_totals(&mut self, items: &[Json<'a>]) {
        let mut lists: Vec<(usize, Vec<f64>)> = Vec::new();
        let mut places: HashMap<usize, usize> = HashMap::new();
        for item in items.iter().take(self.left) {
            for (key, number) in self.keys.numbers_of(*item, self.texts) {
                let place = *places.entry(key).or_insert(lists.len());
                match lists.get_mut(place) {
                    Some((_, items)) => items.push(number),
                    None => lists.push((key, vec![number])),
                }
            }
        }
        lists.retain(|(_, items)| items.len() > 1);
        lists.sort_by_key(|(key, _)| self.keys.path(*key));
        for (key, items) in lists {
            let value: f64 = items.iter().sum();
            let key = self.keys.path(key);
            let are_counts = COUNTS.iter().any(|count| says(key, count))
                && items.iter().all(|item| item.fract() == 0.0 && *item >= 0.0);
            self.offered
                .counts
                .extend(are_counts.then_some(value as usize));
            self.offered.totals.push(Total {
                value,
                counts: vec![items.len() as f64],
                items,
            });
        }
    }

    /// Counts the items that have the same value under the same key, or in a list under it.
    fn add_counts(&mut self, items: &[Json<'a>]) {
        let mut alike: HashMap<(&str, Cow<'_, str>), usize> = HashMap::new();
        let members = items.iter().take(self.left).filter_map(|item| match item {
            Json::Object(members) => Some(members.iter()),
            _ => None,
        });
        for (key, value) in members.flatten() {
            let values = match value {
                Json::Array(values) => *values,
                value => std::slice::from_ref(value),
            };
            let values = values.iter().take(LARGEST_COUNT);
            for value in values.filter_map(|value| written(*value)) {
                *alike.entry((key, value)).or_default() += 1;
            }
        }
        self.offered.counts.extend(alike.into_values());
    }
}

/// A value that several records may share, as text.
fn written(json: Json<'_>) -> Option<Cow<'_, str>> {
    match json {
        Json::Bool(value) => Some(Cow::Borrowed(if value { "true" } else { "false" })),
        Json::Number(number) => Some(Cow::Owned(number.to_string())),
        Json::String(text) if text.len() <= LONGEST_STATE => Some(Cow::Borrowed(text)),
        _ => None,
    }
}

/// Where numbers stand in records, such as `.price.total`: each such path is written once.
#[derive(Default)]
struct Keys {
    numbers: HashMap<String, usize>,
    paths: Vec<String>,
}

impl Keys {
    fn path(&self, key: usize) -> &str {
        &self.paths[key]
    }

    /// The numbers of a record with their keys, those in lists left out.
    fn numbers_of(&mut self, record: Json<'_>, texts: &Texts<'_>) -> Vec<(usize, f64)> {
        let mut found = Vec::new();
        self.collect(record, &mut String::new(), texts, &mut found);
        found
    }

    fn collect(
        &mut self,
        json: Json<'_>,
        path: &mut String,
        texts: &Texts<'_>,
        found: &mut Vec<(usize, f64)>,
    ) {
        if found.len() >= MOST_NUMBERS {
            return;
        }
        match json {
            Json::Number(number) => found.push((self.number(path), number.as_f64())),
            Json::String(text) => {
                found.extend(number_in(text, texts).map(|number| (self.number(path), number)));
            }
            Json::Object(members) => {
                let length = path.len();
                for (name, value) in members {
                    path.push('.');
                    path.push_str(name);
                    self.collect(*value, path, texts, found);
                    path.truncate(length);
                }
            }
            _ => {}
        }
    }

    fn number(&mut self, path: &str) -> usize {
        if let Some(number) = self.numbers.get(path) {
            return *number;
        }
        let number = self.paths.len();
        self.numbers.insert(path.to_owned(), number);
        self.paths.push(path.to_owned());
        number
    }
}

/// The number that a text is: `"$1,234.50"`.
fn number_in(text: &str, texts: &Texts<'_>) -> Option<f64> {
    let may_be_number =
        text.len() <= LONGEST_NUMBER && text.bytes().any(|byte| byte.is_ascii_digit());
    match may_be_number.then(|| texts.facts_of(text))? {
        [fact] if fact.text.len() == text.trim().len() => match &fact.value {
            FactValue::Number(readings) => readings.first().copied(),
            _ => None,
        },
        _ => None,
    }
}
