//! The numbers of results that totals and differences may be worked out of: only such as belong
//! together, since some two of many numbers give nearly any third.

use std::borrow::Cow;
use std::collections::BTreeMap;

use foldhash::{HashMap, HashMapExt as _, HashSet};

use crate::facts::{Fact, FactKind, FactValue, Texts};
use crate::model::{Json, ToolCall};

/// How many of the latest calls are looked at.
const MOST_CALLS: usize = 12;

/// How many values of them.
const MOST_VALUES: usize = 4000;

/// How many numbers of one record, lists in it left out.
const MOST_NUMBERS: usize = 40;

/// The longest text that is read as one number.
const LONGEST_NUMBER: usize = 24;

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
pub struct Operands {
    /// The totals of lists, by what their items have in common.
    pub totals: Vec<Total>,
    /// How many items of some list are alike in something, and totals of counts.
    pub counts: HashSet<usize>,
    /// The numbers that a named record has under each key, newest first.
    named: BTreeMap<String, BTreeMap<String, Vec<f64>>>,
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

impl Operands {
    /// What `calls` returned, as far as it belongs together; `content` names records, and `stated` are
    /// its facts.
    pub fn of(
        calls: &[&ToolCall<'_>],
        texts: &Texts<'_>,
        content: &str,
        stated: &[Fact<'_>],
    ) -> Self {
        let identifiers = stated
            .iter()
            .filter_map(|fact| match &fact.value {
                FactValue::Text(text) if fact.kind == FactKind::Identifier => Some(text.as_ref()),
                _ => None,
            })
            .collect();
        let mut collector = Collector {
            texts,
            content,
            identifiers,
            keys: Keys::default(),
            left: MOST_VALUES,
            found: Operands::default(),
        };
        for result in calls
            .iter()
            .rev()
            .take(MOST_CALLS)
            .filter_map(|call| call.result)
        {
            let from = collector.found.totals.len();
            let mut lengths = Vec::new();
            collector.visit(result, &mut lengths);
            for total in &mut collector.found.totals[from..] {
                total.counts.extend(&lengths);
            }
        }
        collector.found
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

struct Collector<'c> {
    texts: &'c Texts<'c>,
    content: &'c str,
    identifiers: HashSet<&'c str>,
    keys: Keys,
    left: usize,
    found: Operands,
}

impl Collector<'_> {
    fn visit(&mut self, json: Json<'_>, lengths: &mut Vec<f64>) {
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
                let names = members.iter().filter_map(|(key, value)| match value {
                    Json::String(text) if self.names(key, text) => Some(text.to_lowercase()),
                    _ => None,
                });
                if let Some(name) = names.min() {
                    self.add_record(&name, json);
                }
                for (_, value) in members {
                    self.visit(*value, lengths);
                }
            }
            _ => {}
        }
    }

    /// Whether the reply names the record that has `text` under `key`.
    fn names(&self, key: &str, text: &str) -> bool {
        let is_name = || {
            let is_named = contains(key, "name") || contains(key, "title");
            is_named && text.len() > 2 && self.content.contains(text)
        };
        let is_code = || {
            !self.identifiers.is_empty()
                && text.len() <= 100
                && text.bytes().any(|byte| byte.is_ascii_digit())
                && self.identifiers.contains(text.to_lowercase().as_str())
        };
        is_code() || is_name()
    }

    fn add_record(&mut self, name: &str, record: Json<'_>) {
        for (key, number) in self.keys.numbers_of(record, self.texts) {
            let key = self.keys.path(key).to_owned();
            let values = self.found.named.entry(key).or_default();
            let values = values.entry(name.to_owned()).or_default();
            if values.len() < MOST_SUMS && !values.contains(&number) {
                values.push(number);
            }
        }
    }

    fn add_totals(&mut self, items: &[Json<'_>]) {
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
            let are_counts = COUNTS.iter().any(|count| contains(key, count))
                && items.iter().all(|item| item.fract() == 0.0 && *item >= 0.0);
            self.found
                .counts
                .extend(are_counts.then_some(value as usize));
            self.found.totals.push(Total {
                value,
                counts: vec![items.len() as f64],
                items,
            });
        }
    }

    /// Counts the items that have the same value under the same key, or in a list under it.
    fn add_counts(&mut self, items: &[Json<'_>]) {
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
        self.found.counts.extend(alike.into_values());
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

/// Whether `part`, which is in lower case, stands in `key` in any case.
fn contains(key: &str, part: &str) -> bool {
    let mut windows = key.as_bytes().windows(part.len());
    windows.any(|window| window.eq_ignore_ascii_case(part.as_bytes()))
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
