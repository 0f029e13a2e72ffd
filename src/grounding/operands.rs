//! The numbers of results that totals and differences may be worked out of: only such as belong
//! together, since some two of many numbers give nearly any third.

use std::collections::{BTreeMap, HashMap, HashSet};

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
            let key = key.to_ascii_lowercase();
            let is_named = key.contains("name") || key.contains("title");
            is_named && text.len() > 2 && self.content.contains(text)
        };
        let is_code = text.len() <= 100 && text.bytes().any(|byte| byte.is_ascii_digit());
        (is_code && self.identifiers.contains(text.to_lowercase().as_str())) || is_name()
    }

    fn add_record(&mut self, name: &str, record: Json<'_>) {
        for (key, number) in numbers_of(record, self.texts) {
            let values = self.found.named.entry(key).or_default();
            let values = values.entry(name.to_owned()).or_default();
            if values.len() < MOST_SUMS && !values.contains(&number) {
                values.push(number);
            }
        }
    }

    fn add_totals(&mut self, items: &[Json<'_>]) {
        let mut lists: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for item in items.iter().take(self.left) {
            for (key, number) in numbers_of(*item, self.texts) {
                lists.entry(key).or_default().push(number);
            }
        }
        for (key, items) in lists.into_iter().filter(|(_, items)| items.len() > 1) {
            let value: f64 = items.iter().sum();
            let key = key.to_ascii_lowercase();
            let are_counts = COUNTS.iter().any(|count| key.contains(count))
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
        let mut alike: HashMap<(&str, String), usize> = HashMap::new();
        let members = items.iter().take(self.left).filter_map(|item| match item {
            Json::Object(members) => Some(members.iter()),
            _ => None,
        });
        for (key, value) in members.flatten() {
            let values = match value {
                Json::Array(values) => values.iter().take(LARGEST_COUNT).collect(),
                value => vec![value],
            };
            for value in values.into_iter().filter_map(|value| written(*value)) {
                *alike.entry((key, value)).or_default() += 1;
            }
        }
        self.found.counts.extend(alike.into_values());
    }
}

/// A value that several records may share, as text.
fn written(json: Json<'_>) -> Option<String> {
    match json {
        Json::Bool(value) => Some(value.to_string()),
        Json::Number(number) => Some(number.to_string()),
        Json::String(text) if text.len() <= LONGEST_STATE => Some(text.to_owned()),
        _ => None,
    }
}

/// The numbers of a record with their keys, those in lists left out.
fn numbers_of(record: Json<'_>, texts: &Texts<'_>) -> Vec<(String, f64)> {
    fn collect(json: Json<'_>, key: &str, texts: &Texts<'_>, found: &mut Vec<(String, f64)>) {
        if found.len() >= MOST_NUMBERS {
            return;
        }
        match json {
            Json::Number(number) => found.push((key.to_owned(), number.as_f64())),
            Json::String(text) => {
                found.extend(number_in(text, texts).map(|number| (key.to_owned(), number)));
            }
            Json::Object(members) => {
                for (name, value) in members {
                    collect(*value, &format!("{key}.{name}"), texts, found);
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    collect(record, "", texts, &mut found);
    found
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
