//! What is known at a point of a conversation: all values that tools, users and instructions brought.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::facts::{Date, Fact, FactKind, FactValue, decimals, facts};
use crate::model::{Json, Path};

/// The nearest value is looked for among so many of the latest values of its kind.
const MOST_CANDIDATES: usize = 250;

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// What the user said, or the instructions.
    Text,
    /// The arguments of a call.
    Arguments {
        /// Which call, counted through the trajectory.
        call: usize,
        /// Which value in them, counted depth first.
        value: usize,
    },
    /// The result of a call.
    Result {
        /// Which call, counted through the trajectory.
        call: usize,
        /// Which value in it, counted depth first.
        value: usize,
    },
}

impl Source {
    /// The call that it belongs to.
    pub fn call(self) -> Option<usize> {
        match self {
            Self::Text => None,
            Self::Arguments { call, .. } | Self::Result { call, .. } => Some(call),
        }
    }
}

/// A value of the evidence.
#[derive(Debug, Clone)]
pub struct Known<'a> {
    /// As it is written.
    pub text: Cow<'a, str>,
    /// Where it comes from.
    pub source: Source,
    kind: FactKind,
    value: FactValue<'a>,
}

/// The values that are known, indexed by what they mean: adding one and looking one up take the same
/// time however many there are.
#[derive(Default)]
pub struct Evidence<'a> {
    known: Vec<Known<'a>>,
    numbers: HashSet<u64>,
    fractions: BTreeMap<i64, Vec<f64>>,
    days: HashMap<(u8, Option<u8>), Vec<Option<u16>>>,
    years: HashSet<u16>,
    times: HashSet<u16>,
    texts: HashSet<Cow<'a, str>>,
    unread: Vec<&'a str>,
    word_pairs: HashSet<u64>,
    words: HashSet<u64>,
    names: HashMap<String, usize>,
}

impl<'a> Evidence<'a> {
    /// Adds a text of the user or of the instructions.
    pub fn add_text(&mut self, text: &'a str) {
        self.unread.push(text);
        self.add_facts(text, Source::Text);
    }

    /// Adds all values of arguments or of a result; `source` makes the source of each from its number,
    /// depth first.
    pub fn add_json(&mut self, json: Json<'a>, source: impl Fn(usize) -> Source + Copy) {
        let mut count = 0;
        self.add_values(json, source, &mut count);
    }

    fn add_values(
        &mut self,
        json: Json<'a>,
        source: impl Fn(usize) -> Source + Copy,
        count: &mut usize,
    ) {
        let here = source(*count);
        *count += 1;
        match json {
            Json::Null | Json::Bool(_) => {}
            Json::Number(number) => {
                self.add_number(number.as_f64(), Cow::Owned(number.to_string()), here);
            }
            Json::String(text) => {
                self.unread.push(text);
                self.add_facts(text, here);
            }
            Json::Array(items) => {
                self.add_number(
                    items.len() as f64,
                    Cow::Owned(items.len().to_string()),
                    here,
                );
                for item in items {
                    self.add_values(*item, source, count);
                }
            }
            Json::Object(members) => {
                for (key, value) in members {
                    if key.bytes().any(|byte| byte.is_ascii_digit()) {
                        self.add_facts(key, here);
                    }
                    let holder = *count;
                    self.add_values(*value, source, count);
                    if let Json::String(text) = value
                        && key.to_ascii_lowercase().contains("name")
                    {
                        self.add_name(text, source(holder));
                    }
                }
            }
        }
    }

    fn add_name(&mut self, text: &'a str, source: Source) {
        for word in text
            .split_whitespace()
            .filter(|word| word.starts_with(char::is_uppercase))
        {
            let at = self.known.len();
            if self.names.insert(word.to_lowercase(), at).is_none() {
                self.known.push(Known {
                    text: Cow::Borrowed(word),
                    source,
                    kind: FactKind::Name,
                    value: FactValue::Text(Cow::Owned(word.to_lowercase())),
                });
            }
        }
    }

    /// Whether any value stood where a name stands.
    pub fn has_names(&self) -> bool {
        !self.names.is_empty()
    }

    /// The known name that `word` is.
    pub fn name(&self, word: &str) -> Option<&Known<'a>> {
        let at = self.names.get(&word.to_lowercase())?;
        self.known.get(*at)
    }

    /// The known name that is most like `word`, when it is at least so much `alike`.
    pub fn nearest_name(&self, word: &str, alike: f64) -> Option<&Known<'a>> {
        let word = word.to_lowercase();
        self.names
            .iter()
            .take(MOST_CANDIDATES)
            .map(|(name, at)| (strsim::normalized_levenshtein(&word, name), at))
            .filter(|(likeness, _)| *likeness >= alike)
            .max_by(|(a, x), (b, y)| a.total_cmp(b).then_with(|| y.cmp(x)))
            .and_then(|(_, at)| self.known.get(*at))
    }

    fn add_facts(&mut self, text: &'a str, source: Source) {
        for fact in facts(text) {
            self.add_fact(fact, source);
        }
    }

    fn add_fact(&mut self, fact: Fact<'a>, source: Source) {
        match &fact.value {
            FactValue::Number(readings) => {
                for reading in readings {
                    self.add_number(*reading, Cow::Borrowed(fact.text), source);
                }
                return;
            }
            FactValue::Date(date) => self.add_date(*date),
            FactValue::Time(minutes) => self.times.extend(minutes),
            FactValue::Text(value) => {
                if fact.kind == FactKind::Identifier {
                    self.add_parts(value);
                }
                self.texts.insert(value.clone());
            }
        }
        self.known.push(Known {
            text: Cow::Borrowed(fact.text),
            source,
            kind: fact.kind,
            value: fact.value,
        });
    }

    fn add_number(&mut self, number: f64, text: Cow<'a, str>, source: Source) {
        if !self.numbers.insert(bits(number)) {
            return;
        }
        if number.fract() != 0.0 {
            self.fractions
                .entry(number.floor() as i64)
                .or_default()
                .push(number);
        }
        self.known.push(Known {
            text,
            source,
            kind: FactKind::Number,
            value: FactValue::Number(vec![number]),
        });
    }

    fn add_date(&mut self, date: Date) {
        self.years.extend(date.year);
        for (month, day) in readings(date) {
            let years = self.days.entry((month, day)).or_default();
            if !years.contains(&date.year) {
                years.push(date.year);
            }
        }
    }

    /// The parts of an identifier stand for themselves too: `7504069` of `certificate_7504069`.
    fn add_parts(&mut self, identifier: &str) {
        for part in identifier.split(['_', '-']) {
            match part.parse::<f64>() {
                Ok(number) if part.bytes().all(|byte| byte.is_ascii_digit()) => {
                    self.numbers.insert(bits(number));
                }
                _ => {
                    self.texts.insert(Cow::Owned(part.to_owned()));
                }
            }
        }
    }

    /// Whether a fact is known, by value: in any spelling, rounded as it is written.
    pub fn holds(&mut self, fact: &Fact<'_>) -> bool {
        match &fact.value {
            FactValue::Number(readings) => readings
                .iter()
                .any(|number| self.holds_number(*number, fact.text)),
            FactValue::Date(date) => self.holds_date(*date),
            FactValue::Time(minutes) => minutes.iter().any(|minute| self.times.contains(minute)),
            FactValue::Text(text) if fact.kind == FactKind::Quote => self.holds_words(text),
            FactValue::Text(text) => self.texts.contains(text.as_ref()),
        }
    }

    /// Whether a number is known as it is, with the other sign, or rounded to the digits it is written
    /// with.
    pub fn holds_number(&self, number: f64, written: &str) -> bool {
        if self.numbers.contains(&bits(number)) || self.numbers.contains(&bits(-number)) {
            return true;
        }
        let step = 10f64.powi(-decimals(written));
        let near = [
            (number - step).floor() as i64,
            number.floor() as i64,
            (number + step).floor() as i64,
        ];
        near.iter()
            .filter_map(|floor| self.fractions.get(floor))
            .flatten()
            .any(|known| ((known / step).round() * step - number).abs() < step / 1e6)
    }

    /// Whether some value speaks of this month.
    pub fn knows_month(&self, month: u8, year: Option<u16>) -> bool {
        let mut days = self.days.iter();
        days.any(|((known, _), years)| *known == month && (year.is_none() || years.contains(&year)))
    }

    /// Whether a date is known, in any spelling.
    pub fn holds_date(&self, date: Date) -> bool {
        readings(date).any(|day| {
            self.days
                .get(&day)
                .is_some_and(|known_years| match date.year {
                    None => true,
                    Some(year) => known_years.iter().any(|known| match known {
                        Some(known) => *known == year,
                        None => self.years.contains(&year),
                    }),
                })
        })
    }

    /// Takes in the words of all texts added so far; a lookup of words needs it.
    pub fn read_words(&mut self) {
        for text in std::mem::take(&mut self.unread) {
            let words: Vec<_> = words_of(text).collect();
            self.words.extend(words.iter().map(|word| hash(word, "")));
            self.word_pairs
                .extend(words.windows(2).map(|pair| hash(&pair[0], &pair[1])));
        }
    }

    /// Whether some text holds this word; see [`Evidence::read_words`].
    pub fn holds_word(&self, word: &str) -> bool {
        self.words.contains(&hash(&word.to_lowercase(), ""))
    }

    fn holds_words(&mut self, words: &str) -> bool {
        self.read_words();
        let words: Vec<_> = words_of(words).collect();
        words
            .windows(2)
            .all(|pair| self.word_pairs.contains(&hash(&pair[0], &pair[1])))
    }

    /// The known value that is nearest to `fact`, when one is near enough to be meant.
    pub fn nearest(&self, fact: &Fact<'_>) -> Option<&Known<'a>> {
        let latest = self.known.iter().rev().take(MOST_CANDIDATES);
        latest
            .filter_map(|known| Some((distance(fact, known)?, known)))
            .min_by(|(a, _), (b, _)| a.total_cmp(b))
            .map(|(_, known)| known)
    }
}

/// How far a known value is from a fact of its kind, from 0 to 1; none when it is too far.
fn distance(fact: &Fact<'_>, known: &Known<'_>) -> Option<f64> {
    let distance = match (&fact.value, &known.value) {
        (FactValue::Number(a), FactValue::Number(b)) => {
            let (a, b) = (a.first()?, b.first()?);
            let relative = (a - b).abs() / a.abs().max(b.abs()).max(1.0);
            relative.min(share_of_other_digits(*a, *b))
        }
        (FactValue::Date(a), FactValue::Date(b)) => {
            let day = |date: &Date| f64::from(date.month) * 31.0 + f64::from(date.day.unwrap_or(1));
            let years = f64::from(a.year.zip(b.year).map_or(0, |(a, b)| a.abs_diff(b)));
            ((day(a) - day(b)).abs() / 372.0 + years.min(10.0) / 10.0).min(1.0)
        }
        (FactValue::Time(a), FactValue::Time(b)) => {
            let minutes = a
                .iter()
                .flat_map(|a| b.iter().map(|b| a.abs_diff(*b)))
                .min()?;
            f64::from(minutes) / 1440.0
        }
        (FactValue::Text(a), FactValue::Text(b)) if fact.kind == known.kind => {
            if a.len() > 100 || b.len() > 100 {
                return None;
            }
            1.0 - strsim::normalized_levenshtein(a, b)
        }
        _ => return None,
    };
    (distance <= 0.6).then_some(distance)
}

/// The share of digits that differ between two whole numbers of as many digits, else 1.
fn share_of_other_digits(a: f64, b: f64) -> f64 {
    let is_whole = |number: f64| number.fract() == 0.0 && (0.0..1e15).contains(&number);
    if !is_whole(a) || !is_whole(b) {
        return 1.0;
    }
    let (mut a, mut b) = (a as u64, b as u64);
    let (mut digits, mut other) = (0_u32, 0_u32);
    while a > 0 && b > 0 {
        digits += 1;
        other += u32::from(a % 10 != b % 10);
        (a, b) = (a / 10, b / 10);
    }
    if a == 0 && b == 0 && digits > 0 {
        f64::from(other) / f64::from(digits)
    } else {
        1.0
    }
}

/// Day and month as they are written, and the other way round where that is possible.
fn readings(date: Date) -> impl Iterator<Item = (u8, Option<u8>)> {
    let swapped = date
        .day
        .filter(|_| date.swapped)
        .map(|day| (day, Some(date.month)));
    [Some((date.month, date.day)), swapped]
        .into_iter()
        .flatten()
}

fn bits(number: f64) -> u64 {
    if number == 0.0 { 0 } else { number.to_bits() }
}

fn words_of(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

fn hash(first: &str, second: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (first, second).hash(&mut hasher);
    hasher.finish()
}

/// The value that has this number, depth first, and its path.
pub fn value_at<'a>(json: Json<'a>, number: usize) -> Option<(Path, Json<'a>)> {
    fn find<'a>(json: Json<'a>, path: &Path, left: &mut usize) -> Option<(Path, Json<'a>)> {
        if *left == 0 {
            return Some((path.clone(), json));
        }
        *left -= 1;
        match json {
            Json::Array(items) => {
                let mut items = items.iter().enumerate();
                items.find_map(|(at, item)| find(*item, &path.index(at), left))
            }
            Json::Object(members) => members
                .iter()
                .find_map(|(key, value)| find(*value, &path.key(key), left)),
            _ => None,
        }
    }
    let mut left = number;
    find(json, &Path::root(), &mut left)
}
