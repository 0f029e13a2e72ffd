//! What is known at a point of a conversation: all values that tools, users and instructions brought.

use std::borrow::Cow;
use std::collections::BTreeSet;

use foldhash::HashSet;

use super::digest::{NumberSet, Numbers, digest};
use super::likeness::Likeness;
use super::transcript::{Says, Value};
use crate::facts::{
    Date, Fact, FactKind, FactValue, TextId, Texts, Token, WordId, decimals, key_of,
};
use crate::model::Number;

/// The nearest value is looked for among so many of the latest values of its kind.
const MOST_CANDIDATES: usize = 250;

/// A value that is farther is not what was meant.
const FARTHEST: f64 = 0.6;

/// Longer texts are not compared.
const LONGEST_TEXT: usize = 100;

/// Most digits after the decimal sign that numbers are rounded to.
const MOST_DECIMALS: usize = 2;

/// Whole numbers from here on are not all different as doubles.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

/// The fewest digits of such numbers.
const LONG: usize = 16;

/// Room for so many values, and so many texts and days, is made at once for what a conversation adds to the
/// instructions.
const EXPECTED: usize = 224;

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
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// Where it comes from.
    pub source: Source,
    value: KnownValue<'a>,
}

#[derive(Debug, Clone, Copy)]
enum KnownValue<'a> {
    Fact(FactPlace, FactKind),
    /// One of the readings of a number in a text.
    Reading(FactPlace, f64),
    Number(Number),
    /// How many items a list has.
    Count(usize),
    Name(&'a str),
}

/// Where a fact stands: its text, and its place among the facts of it.
#[derive(Debug, Clone, Copy)]
struct FactPlace {
    text: TextId,
    place: u32,
}

impl FactPlace {
    fn fact<'t, 'a>(self, texts: &'t Texts<'a>) -> &'t Fact<'a> {
        &texts.facts(self.text)[self.place as usize]
    }
}

/// The facts of a text, each with where it stands.
fn placed_facts<'t, 'a>(
    text: TextId,
    texts: &'t Texts<'a>,
) -> impl Iterator<Item = (FactPlace, &'t Fact<'a>)> {
    let facts = texts.facts(text).iter();
    (0..).map(move |place| FactPlace { text, place }).zip(facts)
}

impl<'a> Known<'a> {
    /// As it is written.
    pub fn text(&self, texts: &Texts<'a>) -> Cow<'a, str> {
        match self.value {
            KnownValue::Fact(fact, _) | KnownValue::Reading(fact, _) => {
                Cow::Borrowed(fact.fact(texts).text)
            }
            KnownValue::Number(number) => Cow::Owned(number.to_string()),
            KnownValue::Count(count) => Cow::Owned(count.to_string()),
            KnownValue::Name(name) => Cow::Borrowed(name),
        }
    }

    fn number(&self) -> Option<f64> {
        match self.value {
            KnownValue::Reading(_, number) => Some(number),
            KnownValue::Number(number) => Some(number.as_f64()),
            KnownValue::Count(count) => Some(count as f64),
            KnownValue::Fact(..) | KnownValue::Name(_) => None,
        }
    }
}

/// The values that are known, indexed by what they mean: adding one and looking one up take the same
/// time however many there are.
#[derive(Default)]
pub struct Evidence<'a> {
    known: Vec<Known<'a>>,
    numbers: Numbers,
    /// The numbers that are not whole, rounded, for each number of decimals.
    rounded: [Numbers; MOST_DECIMALS + 1],
    /// The numbers in order, whatever their sign, as far as they were asked for in order.
    ordered: BTreeSet<u64>,
    /// How many values are in order.
    in_order: usize,
    /// The digits of whole numbers that are too large to be told apart as they are compared otherwise.
    long: HashSet<u64>,
    days: HashSet<KnownDay>,
    years: NumberSet,
    times: NumberSet,
    texts: HashSet<u64>,
    added: NumberSet,
    /// The texts that were added, each once.
    added_texts: Vec<TextId>,
    words: NumberSet,
    /// Of how many texts the words are taken in.
    read: usize,
    /// Of how many texts the pairs of words are.
    paired: usize,
    word_pairs: HashSet<(WordId, WordId)>,
    /// The texts that were added as names.
    added_names: NumberSet,
    /// The keys of their words.
    names: HashSet<u64>,
    /// In lower case, each with its place in `known`.
    known_names: Vec<(String, usize)>,
}

/// What is known of a day, as one number: hashing that is quicker than hashing fields.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct KnownDay(u64);

/// The year of a day.
#[derive(Clone, Copy)]
enum Year {
    Some,
    NotSaid,
    Is(u16),
}

impl KnownDay {
    /// A day, or a month as a whole where `day` is none.
    fn of(year: Year, month: u8, day: Option<u8>) -> Self {
        Self::at(year, month, day.map_or(0, u64::from))
    }

    /// Some day of a month, or the month as a whole.
    fn in_month(year: Year, month: u8) -> Self {
        Self::at(year, month, 0x100)
    }

    fn at(year: Year, month: u8, day: u64) -> Self {
        let year = match year {
            Year::Some => 0x1_0000,
            Year::NotSaid => 0x2_0000,
            Year::Is(year) => u64::from(year),
        };
        Self(year << 32 | u64::from(month) << 16 | day)
    }
}

impl<'a> Evidence<'a> {
    /// Adds a text of the user or of the instructions.
    pub fn add_text(&mut self, text: TextId, texts: &Texts<'a>) {
        self.add_facts(text, Source::Text, texts);
    }

    /// The evidence of the texts of instructions, with room for what a conversation adds.
    pub fn of_instructions(instructions: &[TextId], texts: &Texts<'a>) -> Self {
        let mut evidence = Self::default();
        for text in instructions {
            evidence.add_text(*text, texts);
        }
        evidence.read_words(texts);
        evidence.known.reserve(EXPECTED);
        evidence.added_texts.reserve(EXPECTED);
        evidence.texts.reserve(EXPECTED);
        evidence.days.reserve(EXPECTED);
        evidence
    }

    /// Becomes what `other` is, in the memory that it has: to make all these sets anew for each conversation takes
    /// longer than to fill them.
    pub fn copy(&mut self, other: &Self) {
        let Self {
            known,
            numbers,
            rounded,
            ordered,
            in_order,
            long,
            days,
            years,
            times,
            texts,
            added,
            added_texts,
            words,
            read,
            paired,
            word_pairs,
            added_names,
            names,
            known_names,
        } = other;
        self.known.clone_from(known);
        self.numbers.copy(numbers);
        for (rounded, other) in self.rounded.iter_mut().zip(rounded) {
            rounded.copy(other);
        }
        self.ordered.clone_from(ordered);
        self.in_order = *in_order;
        self.long.clone_from(long);
        self.days.clone_from(days);
        self.years.copy(years);
        self.times.copy(times);
        self.texts.clone_from(texts);
        self.added.copy(added);
        self.added_texts.clone_from(added_texts);
        self.words.copy(words);
        self.read = *read;
        self.paired = *paired;
        self.word_pairs.clone_from(word_pairs);
        self.added_names.copy(added_names);
        self.names.clone_from(names);
        self.known_names.clone_from(known_names);
    }

    /// Adds values of arguments or of a result; `source` makes the source of each from its number.
    pub fn add_values(
        &mut self,
        values: &[Value<'a>],
        texts: &Texts<'a>,
        source: impl Fn(usize) -> Source,
    ) {
        for value in values {
            let source = source(value.number);
            match value.says {
                Says::Number(number) => {
                    if number.as_f64() >= LARGEST_EXACT {
                        self.long.insert(digest(&*number.to_string()));
                        // The digits of a double beyond 2^64 are lost: those of a reply can only be compared as a double.
                        if matches!(number, Number::Float(_)) {
                            self.long.insert(digest(number.as_f64().to_bits()));
                        }
                    }
                    self.add_number(KnownValue::Number(number), source);
                }
                Says::Items(count) => self.add_number(KnownValue::Count(count), source),
                Says::Text(_, id) => self.add_facts(id, source, texts),
                Says::Name(text, id) => {
                    self.add_facts(id, source, texts);
                    if self.added_names.insert(id.index()) {
                        self.add_name(text, source);
                    }
                }
                Says::Key(id) => {
                    for (place, fact) in placed_facts(id, texts) {
                        self.add_fact(place, fact, source);
                    }
                }
            }
        }
    }

    fn add_name(&mut self, text: &'a str, source: Source) {
        let words = text.split_whitespace();
        for word in words.filter(|word| word.starts_with(char::is_uppercase)) {
            if self.names.insert(key_of(word)) {
                self.known_names
                    .push((word.to_lowercase(), self.known.len()));
                self.known.push(Known {
                    source,
                    value: KnownValue::Name(word),
                });
            }
        }
    }

    /// The known name that is most like `word`, when it is at least so much `alike`: the first of those
    /// that are as much.
    pub fn nearest_name(&self, word: &str, alike: f64) -> Option<&Known<'a>> {
        let word = word.to_lowercase();
        let likeness = Likeness::to(&word);
        let mut nearest = None;
        let mut most = 1.0 - alike;
        for (name, at) in self.known_names.iter().rev().take(MOST_CANDIDATES) {
            if let Some(distance) = likeness.distance(name, most) {
                (nearest, most) = (Some(*at), distance);
            }
        }
        self.known.get(nearest?)
    }

    fn add_facts(&mut self, text: TextId, source: Source, texts: &Texts<'a>) {
        let is_new = self.added.insert(text.index());
        if is_new {
            self.added_texts.push(text);
        }
        for (place, fact) in placed_facts(text, texts) {
            match &fact.value {
                _ if is_new => self.add_fact(place, fact, source),
                // Of equal numbers the first is kept, of equal values of other kinds each.
                FactValue::Number(_) => {}
                _ => self.keep(place, fact, source),
            }
        }
    }

    fn add_fact(&mut self, place: FactPlace, fact: &Fact<'a>, source: Source) {
        match &fact.value {
            FactValue::Number(readings) => {
                if is_long(fact.text) {
                    self.long.insert(digest(fact.text));
                }
                for reading in readings {
                    self.add_number(KnownValue::Reading(place, *reading), source);
                }
                return;
            }
            FactValue::Date(date) => self.add_date(*date),
            FactValue::Time(minutes) => {
                for minute in minutes.iter() {
                    self.times.insert((*minute).into());
                }
            }
            FactValue::Text(value) => {
                match fact.kind {
                    FactKind::Identifier => self.add_parts(value),
                    FactKind::Url => value
                        .split(['/', '?', '#', '&', '=', '.'])
                        .for_each(|part| self.add_parts(part)),
                    _ => {}
                }
                self.texts.insert(digest(value));
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
        let Some(number) = known.number().filter(|number| self.numbers.insert(*number)) else {
            return;
        };
        if number.fract() != 0.0 {
            for (decimals, rounded) in (0..).zip(&mut self.rounded) {
                rounded.insert(steps(number, decimals));
            }
        }
        self.known.push(known);
    }

    fn add_date(&mut self, date: Date) {
        let year = date.year.map_or(Year::NotSaid, Year::Is);
        for (month, day) in readings(date) {
            // Conversations turn round a few days: most are known already, and then so is the rest.
            if self.days.insert(KnownDay::of(year, month, day)) {
                self.days.extend([
                    KnownDay::of(Year::Some, month, day),
                    KnownDay::in_month(Year::Some, month),
                    KnownDay::in_month(year, month),
                ]);
                if let Some(year) = date.year {
                    self.years.insert(year.into());
                }
            }
        }
    }

    /// The parts of an identifier stand for themselves too: `7504069` of `certificate_7504069`.
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
        if is_number && is_long(part) {
            self.long.insert(digest(part));
        }
        let number = is_number.then(|| part.parse().ok()).flatten();
        match number {
            Some(number) => self.numbers.insert(number),
            None => self.texts.insert(digest(part)),
        };
    }

    /// Whether a fact is known, by value: in any spelling, rounded as it is written.
    pub fn holds(&mut self, fact: &Fact<'_>, texts: &Texts<'_>) -> bool {
        match &fact.value {
            FactValue::Number(_) if is_long(fact.text) => self.holds_digits(fact.text, texts),
            FactValue::Number(readings) => readings
                .iter()
                .any(|number| self.holds_number(*number, fact.text)),
            FactValue::Date(date) => self.holds_date(*date),
            FactValue::Time(minutes) => minutes
                .iter()
                .any(|minute| self.times.contains((*minute).into())),
            FactValue::Text(text) if fact.kind == FactKind::Quote => self.holds_words(text, texts),
            FactValue::Text(text) => self.texts.contains(&digest(text)),
        }
    }

    /// Whether some value has exactly these digits, which are a number or a word of their own.
    fn holds_digits(&mut self, digits: &str, texts: &Texts<'_>) -> bool {
        self.read_words(texts);
        let is_rounded = || {
            let double = digits.parse::<f64>().unwrap_or_default();
            self.long.contains(&digest(double.to_bits()))
        };
        self.long.contains(&digest(digits)) || is_rounded() || self.holds_text_word(digits, texts)
    }

    /// Whether a code, in lower case, is known.
    pub fn holds_code(&self, code: &str) -> bool {
        self.texts.contains(&digest(code))
    }

    /// Whether a number is known as it is, with the other sign, or rounded to the digits it is written
    /// with.
    pub fn holds_number(&self, number: f64, written: &str) -> bool {
        if self.numbers.contains(number) || self.numbers.contains(-number) {
            return true;
        }
        let decimals = decimals(written);
        let step = step(decimals);
        let steps = steps(number, decimals);
        let is_as_round = (steps * step - number).abs() < step / 1e6;
        is_as_round && self.rounded[decimals as usize].contains(steps)
    }

    /// Puts the numbers added so far in order; a lookup between numbers needs it.
    pub fn order_numbers(&mut self) {
        let new = self.known[self.in_order..].iter();
        let numbers = new.filter_map(Known::number);
        self.ordered
            .extend(numbers.map(|number| bits(number.abs())));
        self.in_order = self.known.len();
    }

    /// Whether some number is between these, whatever its sign; see [`Evidence::order_numbers`].
    pub fn holds_between(&self, low: f64, high: f64) -> bool {
        // The bits of numbers above 0 are in the order of the numbers.
        let (low, high) = (bits(low.max(0.0)), bits(high.max(0.0)));
        low <= high && self.ordered.range(low..=high).next().is_some()
    }

    /// Whether some value speaks of this month.
    pub fn knows_month(&self, month: u8, year: Option<u16>) -> bool {
        let year = year.map_or(Year::Some, Year::Is);
        self.days.contains(&KnownDay::in_month(year, month))
    }

    /// Whether a time of day, in minutes, is known.
    pub fn holds_time(&self, minutes: u16) -> bool {
        self.times.contains(minutes.into())
    }

    /// Whether a date is known, in any spelling.
    pub fn holds_date(&self, date: Date) -> bool {
        let holds = |year, month, day| self.days.contains(&KnownDay::of(year, month, day));
        readings(date).any(|(month, day)| match date.year {
            None => holds(Year::Some, month, day),
            Some(year) => {
                holds(Year::Is(year), month, day)
                    || (self.years.contains(year.into()) && holds(Year::NotSaid, month, day))
            }
        })
    }

    /// Whether some date of this year is known.
    pub fn knows_year(&self, year: u16) -> bool {
        self.years.contains(year.into())
    }

    /// Whether a day is known with its year.
    pub fn holds_day(&self, date: Date) -> bool {
        date.year.is_some_and(|year| {
            let day = KnownDay::of(Year::Is(year), date.month, date.day);
            self.days.contains(&day)
        })
    }

    /// Takes in the words of all texts added so far; a lookup of words needs it.
    pub fn read_words(&mut self, texts: &Texts<'_>) {
        for text in &self.added_texts[self.read..] {
            for token in texts.tokens(*text) {
                if let Some(word) = token.word {
                    self.words.insert(word.index());
                }
            }
        }
        self.read = self.added_texts.len();
    }

    /// The texts added so far, each once.
    pub fn texts(&self) -> &[TextId] {
        &self.added_texts
    }

    /// Whether some text holds this word; see [`Evidence::read_words`].
    pub fn holds_word(&self, word: &Token<'_>) -> bool {
        let word = word.word;
        word.is_some_and(|word| self.words.contains(word.index()))
    }

    /// Whether some text holds this word in any case; see [`Evidence::read_words`].
    pub fn holds_text_word(&self, word: &str, texts: &Texts<'_>) -> bool {
        let word = texts.vocabulary().find(word);
        word.is_some_and(|word| self.words.contains(word.index()))
    }

    /// Takes in the pairs of words that stand next to each other in the texts added so far.
    fn read_pairs(&mut self, texts: &Texts<'_>) {
        for text in &self.added_texts[self.paired..] {
            let mut before = None;
            for word in texts.tokens(*text).iter().filter_map(|token| token.word) {
                if let Some(before) = before.replace(word) {
                    self.word_pairs.insert((before, word));
                }
            }
        }
        self.paired = self.added_texts.len();
    }

    /// Whether the words of a quotation, which single spaces part, stand one after the other somewhere.
    pub fn holds_words(&mut self, words: &str, texts: &Texts<'_>) -> bool {
        self.read_pairs(texts);
        let words = words.split(' ');
        let words: Vec<_> = words.map(|word| texts.vocabulary().find(word)).collect();
        words.windows(2).all(|pair| {
            let pair = pair[0].zip(pair[1]);
            pair.is_some_and(|pair| self.word_pairs.contains(&pair))
        })
    }

    /// The known value that is nearest to `fact`, the latest of those that are as near; none when none is
    /// near enough to be meant.
    pub fn nearest(&self, fact: &Fact<'_>, texts: &Texts<'a>) -> Option<&Known<'a>> {
        let meant = Meant::by(fact);
        let mut nearest: Option<(f64, &Known<'a>)> = None;
        for known in self.known.iter().rev().take(MOST_CANDIDATES) {
            let most = nearest.map_or(FARTHEST, |(distance, _)| distance);
            let distance = meant.distance(known, texts, most);
            if let Some(distance) = distance
                && nearest.is_none_or(|(least, _)| distance < least)
            {
                nearest = Some((distance, known));
            }
        }
        nearest.map(|(_, known)| known)
    }
}

/// A fact that the nearest value is looked for.
enum Meant<'f> {
    Number(f64),
    Date(Date),
    Time(&'f [u16]),
    Text(FactKind, Likeness<'f>),
    Nothing,
}

impl<'f> Meant<'f> {
    fn by(fact: &'f Fact<'_>) -> Self {
        match &fact.value {
            FactValue::Number(readings) => readings
                .first()
                .map_or(Self::Nothing, |number| Self::Number(*number)),
            FactValue::Date(date) => Self::Date(*date),
            FactValue::Time(minutes) => Self::Time(minutes),
            FactValue::Text(text) if text.len() <= LONGEST_TEXT => {
                Self::Text(fact.kind, Likeness::to(text))
            }
            FactValue::Text(_) => Self::Nothing,
        }
    }

    /// How far a known value is from what is meant, from 0 to 1; none when it is another kind of value,
    /// or farther than `most`.
    fn distance(&self, known: &Known<'_>, texts: &Texts<'_>, most: f64) -> Option<f64> {
        let distance = match (self, known.value) {
            (Self::Number(a), _) => {
                let b = known.number()?;
                let relative = (a - b).abs() / a.abs().max(b.abs()).max(1.0);
                relative.min(share_of_other_digits(*a, b))
            }
            (Self::Text(kind, likeness), KnownValue::Fact(place, known_kind)) => {
                let FactValue::Text(text) = &place.fact(texts).value else {
                    return None;
                };
                let is_alike = *kind == known_kind && text.len() <= LONGEST_TEXT;
                return is_alike.then(|| likeness.distance(text, most)).flatten();
            }
            (Self::Date(a), KnownValue::Fact(place, FactKind::Date)) => {
                let FactValue::Date(b) = &place.fact(texts).value else {
                    return None;
                };
                let day =
                    |date: &Date| f64::from(date.month) * 31.0 + f64::from(date.day.unwrap_or(1));
                let years = f64::from(a.year.zip(b.year).map_or(0, |(a, b)| a.abs_diff(b)));
                ((day(a) - day(b)).abs() / 372.0 + years.min(10.0) / 10.0).min(1.0)
            }
            (Self::Time(a), KnownValue::Fact(place, FactKind::Time)) => {
                let FactValue::Time(b) = &place.fact(texts).value else {
                    return None;
                };
                let pairs = a.iter().flat_map(|a| b.iter().map(|b| a.abs_diff(*b)));
                f64::from(pairs.min()?) / 1440.0
            }
            _ => return None,
        };
        (distance <= most).then_some(distance)
    }
}

/// Whether a text is digits alone, of a number that is not compared exactly otherwise.
fn is_long(text: &str) -> bool {
    text.len() >= LONG && text.bytes().all(|byte| byte.is_ascii_digit())
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

/// By how much numbers with that many decimals differ at least.
fn step(decimals: i32) -> f64 {
    10f64.powi(-decimals)
}

/// The number, rounded to that many decimals, in units of the last one.
fn steps(number: f64, decimals: i32) -> f64 {
    (number / step(decimals)).round()
}

fn bits(number: f64) -> u64 {
    if number == 0.0 { 0 } else { number.to_bits() }
}
