//! Counts items in the latest results: items of a list that share a value, and totals of counts.

use std::borrow::Cow;
use std::cell::OnceCell;

use foldhash::{HashMap, HashMapExt as _};

use super::digest::{NumberSet, digest};
use super::keys::Part;
use toolgauge_facts::{FactValue, Texts};
use toolgauge_model::{Json, ToolCall};

/// How many of the latest calls are searched.
const MOST_CALLS: usize = 12;

/// How many values of these calls are searched.
const MOST_VALUES: usize = 4000;

/// How many numbers of one record are read. Lists inside the record do not count.
const MOST_NUMBERS: usize = 40;

/// The longest text that is parsed as a single number, in bytes.
const LONGEST_NUMBER: usize = 24;

/// The longest text that is compared between records, in bytes.
const LONGEST_STATE: usize = 60;

/// Parts of keys that hold counts. A reply may add counts up without saying so.
const COUNTS: [Part; 5] = [
    Part::of("qty"),
    Part::of("quant"),
    Part::of("count"),
    Part::of("pieces"),
    Part::of("units"),
];

/// The largest number that may count the items of a list.
pub const LARGEST_COUNT: usize = 100;

/// How many values of a list inside a record are counted.
const LONGEST_LIST: usize = 20;

/// The largest number of values for which room is reserved up front.
const MOST_EXPECTED: usize = 256;

/// The counts that the latest results offer.
#[derive(Default)]
pub struct Operands<'o> {
    offers: Vec<&'o Offer<'o>>,
}

/// The counts that one result offers. They do not depend on the reply.
pub struct Offer<'a> {
    /// The items of all lists, up to the limit of searched values.
    lists: Vec<&'a [Json<'a>]>,
    /// The sums of numbers whose key says that they are counts.
    total_counts: Vec<usize>,
    /// How many items of a list share a value, and the totals of counts.
    counts: OnceCell<NumberSet>,
    /// How many values were searched.
    values: usize,
}

impl<'o> Operands<'o> {
    /// Collects the counts of the latest results of `calls`, up to the limits above. `offers` caches the counts of each
    /// result.
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

    /// Checks whether `count` items of a list share a value, or counts add up to `count`.
    pub fn holds_count(&self, count: usize) -> bool {
        let mut offers = self.offers.iter();
        offers.any(|offer| offer.counts().contains(count))
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
                lists: Vec::new(),
                total_counts: Vec::new(),
                counts: OnceCell::new(),
                values: 0,
            },
        };
        collector.visit(result);
        Self {
            values: MOST_VALUES - collector.left,
            ..collector.offer
        }
    }

    /// Computed on demand, because only numbers without a unit need it.
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

/// Returns for each key and value how many of `items` have that value under that key, or in a list under it.
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
                let looked_at = &items[..items.len().min(self.left)];
                self.offer.lists.push(looked_at);
                self.add_total_counts(looked_at);
                for item in items {
                    self.visit(*item);
                }
            }
            Json::Object(members) => {
                for (_, value) in members {
                    self.visit(*value);
                }
            }
            _ => {}
        }
    }

    fn add_total_counts(&mut self, items: &[Json<'a>]) {
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
            let items = list.iter().map(|(_, number)| *number);
            let are_counts = self.paths.are_counts[list[0].0]
                && items.clone().all(|item| item.fract() == 0.0 && item >= 0.0);
            if are_counts {
                self.offer.total_counts.push(items.sum::<f64>() as usize);
            }
        }
    }
}

/// Returns a value that several records may share, as text.
fn written(json: Json<'_>) -> Option<Cow<'_, str>> {
    match json {
        Json::Bool(value) => Some(Cow::Borrowed(if value { "true" } else { "false" })),
        Json::Number(number) => Some(Cow::Owned(number.to_string())),
        Json::String(text) if text.len() <= LONGEST_STATE => Some(Cow::Borrowed(text)),
        _ => None,
    }
}

/// Numbers the paths of numbers in records, for example `price` and then `total`.
struct Paths<'a> {
    /// The number of each path, by the number of the path to the object and the key.
    numbers: HashMap<(usize, &'a str), usize>,
    /// Says for each path whether one of its keys holds counts.
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
    /// The path to the record itself.
    const ROOT: usize = 0;

    /// Adds the numbers of a record with their paths. Lists inside the record are skipped.
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

/// Parses a value as a number. A text must consist of the number alone: `"$1,234.50"`.
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
