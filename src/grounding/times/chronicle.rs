//! The points in time and lengths of time in the results, grouped by record.

use foldhash::{HashMap, HashSet};

use super::super::calendar::{Day, read_part};
use super::super::literal::pieces::{Joint, Piece, pieces, unescaped};
use super::lengths::lengths;
use super::moments::{Moment, moments};
use super::units::Unit;
use toolgauge_facts::{Date, FactKind, FactValue, Token, facts, is_month, key_of};
use toolgauge_model::{Json, Role, ToolCall, Turn, words_of};

/// How many records are kept.
const MOST_RECORDS: usize = 400;

/// How many values are read.
const MOST_VALUES: usize = 20_000;

/// How many bytes of texts are read.
const MOST_BYTES: usize = 100_000;

/// How many moments, lengths and names of one record are kept.
const MOST_IN_RECORD: usize = 12;

/// Longer texts are not names of records.
const LONGEST_NAME: usize = 48;

/// How many levels of enclosing records a value also belongs to.
const MOST_PARENTS: usize = 2;

/// Arrays with more plain values are columns, not records.
const MOST_ITEMS: usize = 8;

/// Hours after midnight that still belong to the evening before: `25:00`.
const LATE: std::ops::RangeInclusive<u16> = 24..=30;

/// Parts of keys that contain dates of birth.
const BIRTHS: [&str; 8] = [
    "birth", "dob", "born", "geburt", "naiss", "nacim", "fødsel", "生年",
];

/// One thing with its moments and lengths.
#[derive(Debug, Default)]
pub struct Record {
    /// The names by which a reply may refer to it, each as the keys of its pieces.
    pub names: Vec<Vec<u64>>,
    pub moments: Vec<Moment>,
    /// The lengths in seconds, each with its key.
    pub lengths: Vec<(u64, f64)>,
    /// The lengths whose figures are joined by colons, such as `1:07:42`, each with its key.
    pub clocks: Vec<(u64, f64)>,
}

impl Record {
    fn has_time(&self) -> bool {
        !(self.moments.is_empty() && self.lengths.is_empty() && self.clocks.is_empty())
    }
}

/// The records of all results.
#[derive(Debug, Default)]
pub struct Chronicle {
    pub records: Vec<Record>,
    /// The minutes of the day in notations that only this module reads.
    pub minutes: HashSet<u16>,
    /// The days in notations that only this module reads.
    pub days: HashSet<(u16, u8, u8)>,
    /// The days that the instructions, or the heads of results, mention.
    pub today: Vec<Day>,
    pub births: Vec<Date>,
    /// How many times something occurs.
    pub counts: Vec<f64>,
    values: usize,
    bytes: usize,
    calls: usize,
    turns: usize,
}

impl Chronicle {
    /// Reads what was added since the last call.
    pub fn read(&mut self, earlier: &[Turn<'_>], calls: &[&ToolCall<'_>]) {
        for turn in earlier.iter().skip(self.turns) {
            if turn.role == Role::System {
                let text = read_part(turn.content);
                let found = facts(text);
                let days = moments(text, found.iter(), |_| false);
                self.today
                    .extend(days.iter().filter_map(|moment| moment.day));
            }
        }
        self.turns = self.turns.max(earlier.len());
        for call in calls.iter().skip(self.calls) {
            if let Some(result) = call.result {
                self.add(result, "", &[]);
            }
        }
        self.calls = self.calls.max(calls.len());
    }

    fn add(&mut self, json: Json<'_>, key: &str, parents: &[usize]) {
        if self.values >= MOST_VALUES {
            return;
        }
        self.values += 1;
        match json {
            Json::Null | Json::Bool(_) => {}
            Json::Number(number) => self.add_number(number.as_f64(), key, parents),
            Json::String(text) if text.contains('\n') || text.len() > 200 => self.add_text(text),
            Json::String(text) if parents.is_empty() => self.add_text(text),
            Json::String(text) => self.add_short(text, key, parents),
            Json::Array(items) => {
                let is_plain = |item: &Json<'_>| !matches!(item, Json::Array(_) | Json::Object(_));
                let own = match items.iter().all(is_plain) && items.len() <= MOST_ITEMS {
                    true => self.open(parents),
                    false => Vec::new(),
                };
                items.iter().for_each(|item| self.add(*item, key, &own));
            }
            Json::Object(members) => {
                let own = self.open(parents);
                for (key, value) in members {
                    self.add(*value, key, &own);
                }
            }
        }
    }

    /// Opens a record inside others. Returns its index after those of its parents.
    fn open(&mut self, parents: &[usize]) -> Vec<usize> {
        if self.records.len() >= MOST_RECORDS {
            return Vec::new();
        }
        let first = parents.len().saturating_sub(MOST_PARENTS);
        let mut own = parents[first..].to_vec();
        own.push(self.records.len());
        self.records.push(Record::default());
        own
    }

    fn add_number(&mut self, number: f64, key: &str, records: &[usize]) {
        if let Some(factor) = unit_of_key(key).and_then(Unit::seconds) {
            self.add_length(number * factor, key, records);
        }
    }

    fn add_length(&mut self, seconds: f64, key: &str, records: &[usize]) {
        if !(seconds > 0.0 && seconds.is_finite()) {
            return;
        }
        for at in records {
            let lengths = &mut self.records[*at].lengths;
            if lengths.len() < MOST_IN_RECORD {
                lengths.push((key_of(key), seconds));
            }
        }
    }

    /// Adds a length whose figures are joined by colons. It may also be a time of day.
    fn add_clock(&mut self, seconds: f64, key: &str, records: &[usize]) {
        for at in records {
            let clocks = &mut self.records[*at].clocks;
            if clocks.len() < MOST_IN_RECORD {
                clocks.push((key_of(key), seconds));
            }
        }
    }

    /// Adds a text of one line.
    fn add_short(&mut self, text: &str, key: &str, records: &[usize]) {
        if self.bytes >= MOST_BYTES {
            return;
        }
        self.bytes += text.len();
        self.add_name(text, records);
        if !text.bytes().any(|byte| byte.is_ascii_digit()) {
            return;
        }
        self.add_stamps(text, records);
        if let (Some(factor), Ok(number)) = (
            unit_of_key(key).and_then(Unit::seconds),
            text.parse::<f64>(),
        ) {
            self.add_length(number * factor, key, records);
        }
        let found = facts(text);
        let dates = found.iter().filter_map(|fact| match fact.value {
            FactValue::Date(date) => Some(date),
            FactValue::Number(_) | FactValue::Time(_) | FactValue::Text(_) => None,
        });
        let lower = key.to_lowercase();
        if BIRTHS.iter().any(|part| lower.contains(part)) {
            self.births.extend(dates);
        }
        let when = moments(text, found.iter(), |_| false);
        for length in lengths(text, &found) {
            // The time of day of a moment is not a length.
            let is_of_day = length.is_clock
                && (length.figures == 2 || when.iter().any(|moment| moment.day.is_some()))
                && found.iter().any(|fact| {
                    fact.kind == FactKind::Time && length.meets(fact.start, fact.end())
                });
            if is_of_day {
                continue;
            }
            match length.is_clock {
                true => self.add_clock(length.seconds, key, records),
                false => self.add_length(length.seconds, key, records),
            }
        }
        for at in records {
            let known = &mut self.records[*at].moments;
            let left = MOST_IN_RECORD.saturating_sub(known.len());
            known.extend(when.iter().take(left));
        }
        // A result about one day states it at its top level.
        if records.len() == 1 && records[0] == 0 {
            self.today
                .extend(when.iter().filter_map(|moment| moment.day));
        }
    }

    fn add_name(&mut self, text: &str, records: &[usize]) {
        if text.len() > LONGEST_NAME || records.is_empty() {
            return;
        }
        // Words in lower case are kinds and states, which many records share.
        let is_name = |c: char| c.is_uppercase() || c.is_ascii_digit() || !c.is_ascii();
        if !text.contains(is_name) {
            return;
        }
        let name: Vec<_> = pieces(text)
            .iter()
            .map(|piece| key_of(piece.text))
            .collect();
        if name.is_empty() {
            return;
        }
        for at in records {
            let names = &mut self.records[*at].names;
            if names.len() < MOST_IN_RECORD {
                names.push(name.clone());
            }
        }
    }

    /// Adds the lines of a text. Each line is a record.
    fn add_text(&mut self, text: &str) {
        let plain = (!text.contains('\n')).then(|| unescaped(text)).flatten();
        let text = read_part(plain.as_deref().unwrap_or(text));
        let mut head: Vec<&str> = Vec::new();
        for line in text.split('\n').flat_map(|line| line.split("},{")) {
            let line = line.trim();
            if line.is_empty() || self.bytes >= MOST_BYTES {
                continue;
            }
            let own = self.open(&[]);
            let sign = ['|', '\t'].into_iter().find(|sign| line.contains(*sign));
            let cells: Vec<_> = match sign {
                Some(sign) => line.trim_matches('|').split(sign).collect(),
                None if head.len() > 2 || !line.contains(' ') => line.split(',').collect(),
                None => Vec::new(),
            };
            let is_head = cells.len() > 1
                && cells.iter().all(|cell| {
                    !cell
                        .trim()
                        .starts_with(|c: char| c.is_ascii_digit() || c == '-')
                })
                && cells.len() != head.len();
            if is_head {
                head = cells.iter().map(|cell| cell.trim()).collect();
            }
            if cells.len() > 1 {
                for (at, cell) in cells.iter().take(2 * MOST_IN_RECORD).enumerate() {
                    let key = head.get(at).copied().filter(|_| cells.len() == head.len());
                    self.add_short(cell.trim(), key.unwrap_or_default(), &own);
                }
            } else {
                self.add_short(line, "", &own);
                let found = line.split("  ").map(str::trim);
                found.for_each(|part| self.add_name(part, &own));
            }
            if line.starts_with('#') {
                let found = facts(line);
                let days = moments(line, found.iter(), |_| false);
                self.today
                    .extend(days.iter().filter_map(|moment| moment.day));
            }
        }
    }

    /// Adds special notations: `20310417T120000Z`, `Tue Mar 10 16:44:02 2031`, `25:00`, `COUNT=6`.
    fn add_stamps(&mut self, text: &str, records: &[usize]) {
        let all = pieces(text);
        for at in 0..all.len() {
            if let Some((date, minute)) = compact(&all[at..]).or_else(|| of_log(&all[at..])) {
                self.add_stamp(date, minute, records);
            }
            if let Some(minute) = late_minute(&all[at..]) {
                self.minutes.insert(minute);
            }
            if let [word, count, ..] = &all[at..]
                && word.text.eq_ignore_ascii_case("count")
                && let Some(count) = short(count.text)
            {
                self.counts.push(f64::from(count));
            }
        }
    }

    fn add_stamp(&mut self, date: Date, minute: u16, records: &[usize]) {
        let (Some(year), Some(day)) = (date.year, date.day) else {
            return;
        };
        self.days.insert((year, date.month, day));
        self.minutes.insert(minute);
        let moment = Moment {
            start: 0,
            day: Day::of(date),
            second: Some(i64::from(minute) * 60),
            offset: None,
        };
        for at in records {
            let known = &mut self.records[*at].moments;
            if known.len() < MOST_IN_RECORD {
                known.push(moment);
            }
        }
    }

    /// Returns `true` if a date is one of [`Self::days`].
    pub fn holds_date(&self, date: Date) -> bool {
        let is = |(year, month, day): &(u16, u8, u8)| {
            date.year.is_none_or(|said| said == *year)
                && date.month == *month
                && date.day == Some(*day)
        };
        match date.year.zip(date.day) {
            Some((year, day)) => self.days.contains(&(year, date.month, day)),
            None => self.days.iter().any(is),
        }
    }

    /// Returns the records that have a name in `words`. If there are none, and at most `few` records with times,
    /// returns all of those.
    pub fn spoken_of(&self, words: &HashSet<u64>, few: usize) -> Vec<&Record> {
        let all: Vec<_> = self
            .records
            .iter()
            .filter(|record| record.has_time())
            .collect();
        let is_named = |record: &&Record| {
            let mut names = record.names.iter();
            names.any(|name| name.iter().all(|piece| words.contains(piece)))
        };
        let named: Vec<_> = all.iter().copied().filter(is_named).take(4 * few).collect();
        match named.is_empty() && all.len() <= few {
            true => all,
            false => named,
        }
    }

    /// Returns the records that have times, or none if there are more than `few`.
    pub fn few(&self, few: usize) -> Vec<&Record> {
        let mut records = self.records.iter();
        let with_time = records.by_ref().filter(|record| record.has_time());
        let found: Vec<_> = with_time.take(few + 1).collect();
        if found.len() > few { Vec::new() } else { found }
    }

    /// Returns the lengths of all records, grouped by key.
    pub fn columns(records: &[&Record]) -> HashMap<u64, Vec<f64>> {
        let mut found: HashMap<u64, Vec<f64>> = HashMap::default();
        for record in records {
            for (key, length) in record.lengths.iter().chain(&record.clocks) {
                found.entry(*key).or_default().push(*length);
            }
        }
        found
    }
}

/// Returns the minute of the day of a time such as `25:00`.
fn late_minute(pieces: &[Piece<'_>]) -> Option<u16> {
    let [hour, minute, rest @ ..] = pieces else {
        return None;
    };
    let is_colon = |piece: &Piece<'_>| piece.joint == Joint::Sign(':');
    let is_clock = is_colon(minute) && minute.is_digits && minute.text.len() == 2;
    let is_alone = !matches!(hour.joint, Joint::Sign(':' | '.' | ','))
        && !rest
            .first()
            .is_some_and(|next| is_colon(next) && next.is_digits);
    let (hour, minute) = (short(hour.text)?, short(minute.text)?);
    (is_clock && is_alone && LATE.contains(&hour) && minute < 60)
        .then_some((hour * 60 + minute) % 1_440)
}

/// Returns the unit of time that one of the last words of a key names: `duration_min`, `seconds`, `wait_target_days`.
fn unit_of_key(key: &str) -> Option<Unit> {
    if key.len() > LONGEST_NAME {
        return None;
    }
    let words = words_of(key);
    words.iter().rev().find_map(|word| Unit::of_word(word))
}

/// Returns the number in a text of at most two digits.
fn short(text: &str) -> Option<u16> {
    (text.len() <= 2).then(|| text.parse().ok()).flatten()
}

/// Returns the day and the minute of `20310417T120000Z`.
fn compact(pieces: &[Piece<'_>]) -> Option<(Date, u16)> {
    let [date, t, time, ..] = pieces else {
        return None;
    };
    let is_stamp = date.text.len() == 8
        && t.text.eq_ignore_ascii_case("t")
        && matches!(time.text.len(), 4 | 6)
        && date.is_digits
        && time.is_digits;
    if !is_stamp {
        return None;
    }
    let number = |text: &str| text.parse::<u16>().ok();
    let found = Date {
        year: number(&date.text[..4]),
        month: number(&date.text[4..6])? as u8,
        day: Some(number(&date.text[6..])? as u8),
        swapped: false,
    };
    let (hour, minute) = (number(&time.text[..2])?, number(&time.text[2..4])?);
    (hour < 24 && minute < 60).then_some((found, hour * 60 + minute))
}

/// Returns the day and the minute of `Mar 10 16:44:02 2031`.
fn of_log(pieces: &[Piece<'_>]) -> Option<(Date, u16)> {
    let [month, day, hour, minute, _, year, ..] = pieces else {
        return None;
    };
    if month.is_digits || year.text.len() != 4 || !is_month(&Token::of_word(month.text)) {
        return None;
    }
    let (day_number, hour, minute) = (short(day.text)?, short(hour.text)?, short(minute.text)?);
    let written = format!("{day_number} {} {}", month.text, year.text);
    let found = facts(&written);
    let date = found.iter().find_map(|fact| match fact.value {
        FactValue::Date(date) => Some(date),
        FactValue::Number(_) | FactValue::Time(_) | FactValue::Text(_) => None,
    })?;
    (hour < 24 && minute < 60).then_some((date, hour * 60 + minute))
}
