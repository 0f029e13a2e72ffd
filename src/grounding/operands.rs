//! The numbers of results that totals and differences may be worked out of: only such as belong
//! together, since some two of many numbers give nearly any third.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;

use foldhash::{HashMap, HashMapExt as _, HashSet};

use super::digest::{NumberSet, digest};
use super::keys::{Key, Part};
use super::pairs::Pairs;
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
const COUNTS: [Part; 5] = [
    Part::of("qty"),
    Part::of("quant"),
    Part::of("count"),
    Part::of("pieces"),
    Part::of("units"),
];

/// Counts above this are no counts of what is listed.
pub const LARGEST_COUNT: usize = 100;

/// Larger lists are not shared out.
const LONGEST_LIST: usize = 20;

/// Room for so many values of records is made at once.
const MOST_EXPECTED: usize = 256;

/// How many sums are formed of one key where records have several values of it.
const MOST_SUMS: usize = 32;

/// What the latest results offer.
#[derive(Default)]
pub struct Operands<'o> {
    offers: Vec<&'o Offer<'o>>,
}

/// What one result offers, whatever the reply.
pub struct Offer<'a> {
    /// The totals of lists, by what their items have in common.
    totals: Vec<Total>,
    /// How many items some lists have.
    lengths: Vec<f64>,
    /// The items of all lists, as far as they are looked at.
    lists: Vec<&'a [Json<'a>]>,
    /// The totals of counts.
    total_counts: Vec<usize>,
    /// How many items of some list are alike in something, and totals of counts.
    counts: OnceCell<NumberSet>,
    /// The records that a reply may name.
    records: Vec<&'a [Member<'a>]>,
    /// How many values were looked at.
    values: usize,
}

/// The total of one key over all items of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Total {
    /// The total.
    pub value: f64,
    /// What it is of, in order.
    pub items: Vec<f64>,
}

impl<'o> Operands<'o> {
    /// What `calls` returned, as far as it belongs together; `offers` keeps what the result of each
    /// offers.
    pub fn of<'a: 'o>(
        calls: &[&ToolCall<'a>],
        offers: &'o [OnceCell<Offer<'a>>],
        texts: &Texts<'_>,
    ) -> Self {
        let mut found = Self::default();
        let mut left = MOST_VALUES;
        for (call, offer) in calls.iter().zip(offers).rev().take(MOST_CALLS) {
            let Some(result) = call.result else {
                continue;
            };
            let offer = offer.get_or_init(|| Offer::of(result, texts));
            found.offers.push(offer);
            match left.checked_sub(offer.values) {
                Some(rest) => left = rest,
                None => break,
            }
        }
        found
    }

    /// The totals of lists, by what their items have in common.
    pub fn totals(&self) -> impl Iterator<Item = &'o Total> {
        self.offers.iter().flat_map(|offer| &offer.totals)
    }

    /// The totals of lists as often as they have items, or other lists in the same result have.
    pub fn multiples(&self) -> impl Iterator<Item = f64> {
        self.offers.iter().flat_map(|offer| {
            offer.totals.iter().flat_map(|total| {
                let counts = offer.lengths.iter().copied();
                let counts = counts.chain([total.items.len() as f64]);
                counts.map(|count| total.value * count)
            })
        })
    }

    /// Whether so many items of some list are alike in something, or counts add up to it.
    pub fn holds_count(&self, count: usize) -> bool {
        let mut offers = self.offers.iter();
        offers.any(|offer| offer.counts().contains(count))
    }

    /// The numbers of the records that a reply with these facts names.
    pub fn named(&self, content: &str, stated: &[Fact<'_>], texts: &Texts<'_>) -> Named {
        let naming = Naming::of(content, stated);
        let mut paths = Paths::default();
        let mut by_name: BTreeMap<String, Vec<(usize, f64)>> = BTreeMap::new();
        for record in self.offers.iter().flat_map(|offer| &offer.records) {
            if let Some(name) = naming.name_of(record) {
                let numbers = by_name.entry(name).or_default();
                paths.add_numbers_of(Json::Object(record), texts, numbers);
            }
        }
        let mut named = Named::default();
        for (record, numbers) in by_name.into_values().enumerate() {
            for (path, number) in numbers {
                named.add(path, record, number);
            }
        }
        named
    }
}

/// The numbers of records that a reply names.
#[derive(Default)]
pub struct Named {
    /// What each record has at a path, in the order of their names, of each the newest first.
    by_path: BTreeMap<usize, Vec<(usize, Vec<f64>)>>,
}

impl Named {
    fn add(&mut self, path: usize, record: usize, number: f64) {
        let records = self.by_path.entry(path).or_default();
        match records.last_mut() {
            Some((last, values)) if *last == record => {
                if values.len() < MOST_SUMS && !values.contains(&number) {
                    values.push(number);
                }
            }
            _ => records.push((record, vec![number])),
        }
    }

    /// The sums over all records, path by path.
    pub fn sums(&self) -> Vec<f64> {
        let lists = self.by_path.values().filter(|records| records.len() > 1);
        lists.flat_map(|records| sums(records)).collect()
    }

    /// All numbers.
    pub fn values(&self) -> impl Iterator<Item = f64> {
        let records = self.by_path.values().flatten();
        records.flat_map(|(_, values)| values).copied()
    }

    /// The differences between records, path by path.
    pub fn differences(&self) -> Vec<f64> {
        let differences = |records: &Vec<(usize, Vec<f64>)>| {
            let values = records.iter().filter_map(|(_, values)| values.first());
            let values: Vec<_> = values.collect();
            let pairs = values.iter().enumerate().take(MOST_SUMS);
            pairs
                .flat_map(|(at, a)| values[..at].iter().map(move |b| (**a - **b).abs()))
                .collect::<Vec<_>>()
        };
        self.by_path.values().flat_map(differences).collect()
    }
}

/// The sums of one value of each record.
fn sums(records: &[(usize, Vec<f64>)]) -> Vec<f64> {
    records.iter().fold(vec![0.0], |sums, (_, values)| {
        let longer = sums
            .iter()
            .flat_map(|sum| values.iter().map(move |value| sum + value));
        longer.take(MOST_SUMS).collect()
    })
}

/// What of a reply may name records.
struct Naming<'n> {
    content: &'n str,
    pairs: Pairs,
    identifiers: HashSet<&'n str>,
    /// The bytes that they begin with.
    first_bytes: NumberSet,
}

fn identifier<'f>(fact: &'f Fact<'_>) -> Option<&'f str> {
    match &fact.value {
        FactValue::Text(text) if fact.kind == FactKind::Identifier => Some(text),
        _ => None,
    }
}

impl<'n> Naming<'n> {
    fn of(content: &'n str, stated: &'n [Fact<'_>]) -> Self {
        let identifiers = stated.iter().filter_map(identifier);
        let mut first_bytes = NumberSet::default();
        for byte in identifiers.clone().filter_map(|text| text.bytes().next()) {
            first_bytes.insert(byte.into());
        }
        Self {
            content,
            pairs: Pairs::of(content),
            identifiers: identifiers.collect(),
            first_bytes,
        }
    }

    /// Whether the reply may have `text`, in any case, as an identifier.
    fn may_state(&self, text: &str) -> bool {
        let first = text.bytes().next();
        text.len() <= LONGEST_CODE
            && first.is_some_and(|byte| {
                !byte.is_ascii() || self.first_bytes.contains(byte.to_ascii_lowercase().into())
            })
            && has_digit(text)
    }

    /// Whether the reply has `text`, which `key` calls a name or a title.
    fn states_name(&self, key: &str, text: &str) -> bool {
        let is_name = || {
            let key = Key::of(key);
            key.is_of_name() || key.is_of_title()
        };
        text.len() > 2 && self.pairs.may_begin(text) && is_name() && self.content.contains(text)
    }

    /// What the reply calls a record, in lower case; nothing where it does not.
    fn name_of(&self, record: &[Member<'_>]) -> Option<String> {
        let texts = record.iter().filter_map(|(key, value)| match value {
            Json::String(text) => Some((*key, *text)),
            _ => None,
        });
        let names = texts.filter_map(|(key, text)| {
            if self.states_name(key, text) {
                return Some(text.to_lowercase());
            }
            let code = self.may_state(text).then(|| lower(text))?;
            let is_said = self.identifiers.contains(code.as_ref());
            is_said.then(|| code.into_owned())
        });
        names.min()
    }
}

fn has_digit(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().any(u8::is_ascii_digit)
}

impl<'a> Offer<'a> {
    fn of(result: Json<'a>, texts: &Texts<'_>) -> Self {
        let mut collector = Collector {
            texts,
            paths: Paths::default(),
            left: MOST_VALUES,
            offer: Self {
                totals: Vec::new(),
                lengths: Vec::new(),
                lists: Vec::new(),
                total_counts: Vec::new(),
                counts: OnceCell::new(),
                records: Vec::new(),
                values: 0,
            },
        };
        collector.visit(result);
        Self {
            values: MOST_VALUES - collector.left,
            ..collector.offer
        }
    }

    /// Found when they are asked for: only numbers without a unit are.
    fn counts(&self) -> &NumberSet {
        self.counts.get_or_init(|| {
            let alike = self.lists.iter().flat_map(|items| counts_alike(items));
            let mut counts = NumberSet::default();
            for count in alike.chain(self.total_counts.iter().copied()) {
                if count <= LARGEST_COUNT {
                    counts.insert(count);
                }
            }
            counts
        })
    }
}

/// How many of `items` have the same value under the same key, or in a list under it.
fn counts_alike(items: &[Json<'_>]) -> impl Iterator<Item = usize> {
    let records = items.iter().filter_map(|item| item.members());
    let mut alike: HashMap<u64, usize> = HashMap::new();
    for (at, members) in records.enumerate() {
        if at == 0 {
            alike.reserve((items.len() * members.len()).min(MOST_EXPECTED));
        }
        for (key, value) in members {
            let values = match value {
                Json::Array(values) => *values,
                value => std::slice::from_ref(value),
            };
            let values = values.iter().take(LONGEST_LIST);
            for value in values.filter_map(|value| written(*value)) {
                *alike.entry(digest((key, value))).or_default() += 1;
            }
        }
    }
    alike.into_values()
}

struct Collector<'c, 'a> {
    texts: &'c Texts<'c>,
    paths: Paths<'a>,
    left: usize,
    offer: Offer<'a>,
}

impl<'a> Collector<'_, 'a> {
    fn visit(&mut self, json: Json<'a>) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        match json {
            Json::Array(items) => {
                if (2..=LONGEST_LIST).contains(&items.len()) {
                    self.offer.lengths.push(items.len() as f64);
                }
                let looked_at = &items[..items.len().min(self.left)];
                self.offer.lists.push(looked_at);
                self.add_totals(looked_at);
                for item in items {
                    self.visit(*item);
                }
            }
            Json::Object(members) => {
                self.offer.records.push(members);
                for (_, value) in members {
                    self.visit(*value);
                }
            }
            _ => {}
        }
    }

    fn add_totals(&mut self, items: &[Json<'a>]) {
        if items.len() < 2 {
            return;
        }
        let mut numbers = Vec::new();
        for item in items {
            self.paths.add_numbers_of(*item, self.texts, &mut numbers);
        }
        numbers.sort_by_key(|(path, _)| *path);
        let lists = numbers.chunk_by(|(path, _), (next, _)| path == next);
        for list in lists.filter(|list| list.len() > 1) {
            let items: Vec<_> = list.iter().map(|(_, number)| *number).collect();
            let value: f64 = items.iter().sum();
            let are_counts = self.paths.are_counts[list[0].0]
                && items.iter().all(|item| item.fract() == 0.0 && *item >= 0.0);
            if are_counts {
                self.offer.total_counts.push(value as usize);
            }
            self.offer.totals.push(Total { value, items });
        }
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

/// Where numbers stand in records, such as `price` and then `total`, each numbered once.
struct Paths<'a> {
    /// By the path to the object that a key belongs to.
    numbers: HashMap<(usize, &'a str), usize>,
    /// Whether a key says that there are counts.
    are_counts: Vec<bool>,
}

impl Default for Paths<'_> {
    fn default() -> Self {
        Self {
            numbers: HashMap::default(),
            are_counts: vec![false],
        }
    }
}

impl<'a> Paths<'a> {
    /// The path to a record itself.
    const ROOT: usize = 0;

    /// Adds the numbers of a record with their paths, those in lists left out.
    fn add_numbers_of(
        &mut self,
        record: Json<'a>,
        texts: &Texts<'_>,
        found: &mut Vec<(usize, f64)>,
    ) {
        let most = found.len() + MOST_NUMBERS;
        match number_of(record, texts) {
            Some(number) => found.push((Self::ROOT, number)),
            None => self.collect(record, Self::ROOT, texts, most, found),
        }
    }

    fn collect(
        &mut self,
        json: Json<'a>,
        path: usize,
        texts: &Texts<'_>,
        most: usize,
        found: &mut Vec<(usize, f64)>,
    ) {
        for (key, value) in json.members().unwrap_or_default() {
            if found.len() >= most {
                return;
            }
            if let Some(number) = number_of(*value, texts) {
                found.push((self.below(path, key), number));
            } else if let Json::Object(_) = value {
                let path = self.below(path, key);
                self.collect(*value, path, texts, most, found);
            }
        }
    }

    fn below(&mut self, path: usize, key: &'a str) -> usize {
        let next = self.are_counts.len();
        let number = *self.numbers.entry((path, key)).or_insert(next);
        if number == next {
            let are_counts = COUNTS.iter().any(|count| count.is_in(key));
            self.are_counts.push(are_counts || self.are_counts[path]);
        }
        number
    }
}

/// The number that a value is, or that a text says and nothing else: `"$1,234.50"`.
fn number_of(json: Json<'_>, texts: &Texts<'_>) -> Option<f64> {
    let text = match json {
        Json::Number(number) => return Some(number.as_f64()),
        Json::String(text) if text.len() <= LONGEST_NUMBER && has_digit(text) => text,
        _ => return None,
    };
    match texts.facts_of(text) {
        [fact] if fact.text.len() == text.trim().len() => match &fact.value {
            FactValue::Number(readings) => readings.first().copied(),
            _ => None,
        },
        _ => None,
    }
}
