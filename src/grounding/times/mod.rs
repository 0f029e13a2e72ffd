//! Days, times of day and lengths of time that a reply derives from points in time and lengths in the results: the end
//! of a slot, the days left until a deadline, how long something took, the time between two moments, an age.

mod chronicle;
mod lengths;
mod moments;
mod units;

use std::cell::OnceCell;

use foldhash::HashSet;

use super::calendar::Day;
use super::evidence::Evidence;
use super::literal::index::note;
use super::literal::pieces::pieces;
pub use chronicle::Chronicle;
use chronicle::Record;
use lengths::{Length, lengths};
use moments::{DAY, Moment, moments};
use toolgauge_facts::{Date, Fact, FactKind, FactValue, key_of};
use toolgauge_model::{first_bytes, last_bytes};
pub use units::Unit;

/// If there are at most this many records, the reply does not have to name one.
const FEW_RECORDS: usize = 12;

/// How many derived lengths are compared with a stated one.
const MOST_LENGTHS: usize = 2_000;

/// How many lengths of one column are compared with one another.
const MOST_COMPARED: usize = 12;

/// How many moments and lengths of a reply are paired across lines.
const MOST_PAIRED: usize = 8;

/// How many moments of a line are paired.
const MOST_IN_LINE: usize = 8;

/// The most bytes between the start and the end of a slot.
const SLOT: usize = 40;

/// How many bytes before and after a place are searched for the ends of its line.
const LINE: usize = 400;

/// How many years of a reply are kept.
const MOST_YEARS: usize = 40;

/// Parts of words that refer to nights.
const NIGHTS: [&str; 9] = [
    " night", "-night", " nuit", "nächt", " noche", "netter", "泊", "晚", "박",
];

/// The most bytes between a length and the same length in another notation.
const NEAR: usize = 4;

/// How many bytes before and after a number are searched for words about age.
const AGE_REACH: usize = 28;

/// Parts of words that refer to an age.
const AGES: [&str; 22] = [
    "year", "old", "turn", "age", "will be", "birthday", "jahre", "alt", "alter", "wird", "ans",
    "âge", "aura", "años", "edad", "cumpl", "år", "fyller", "歳", "岁", "살", "세",
];

/// The oldest age.
const OLDEST: i64 = 120;

/// The times in a reply, and what the results imply about them.
pub struct Times {
    stated: Vec<Length>,
    /// The known moments of the reply.
    moments: Vec<Moment>,
    /// The minutes of the day that the reply states, each with its byte offset.
    minutes: Vec<(usize, u16)>,
    /// The lengths that results contain, or that follow from them, in seconds.
    known: Vec<f64>,
    /// The minutes of the day at which something starts and ends.
    ends: Vec<(u16, u16)>,
    deadlines: Vec<Day>,
    /// The stated lengths that are known.
    held: Vec<Length>,
    /// The years that the reply names.
    years: Vec<u16>,
    speaks_of_nights: bool,
}

/// Returns `true` if facts of this kind may follow from times and lengths of time.
pub fn may_be_of_time(kind: FactKind) -> bool {
    matches!(kind, FactKind::Number | FactKind::Time | FactKind::Date)
}

/// A reply and its evidence, as the time checks take them.
pub struct Asked<'r, 'a> {
    pub content: &'a str,
    pub facts: &'r [Fact<'a>],
    pub evidence: Evidence<'r>,
    pub times: &'r OnceCell<Times>,
}

impl Asked<'_, '_> {
    /// Returns `true` if the fact at `at` follows from the results.
    pub fn shows(&self, at: usize, chronicle: &Chronicle) -> bool {
        let fact = &self.facts[at];
        if !may_be_of_time(fact.kind) {
            return false;
        }
        let times = self.times.get_or_init(|| self.read(chronicle));
        let follows = match (&fact.value, fact.kind) {
            (FactValue::Number(values), FactKind::Number) => {
                let age = values.first().copied().unwrap_or_default();
                self.is_age(age, fact, chronicle, times) || self.is_factor(age, fact, times)
            }
            (FactValue::Time(minutes), _) => {
                minutes
                    .iter()
                    .any(|minute| chronicle.minutes.contains(minute))
                    || self.is_end(fact, minutes, times)
            }
            (FactValue::Date(date), _) => {
                chronicle.holds_date(*date)
                    || Day::of(*date).is_some_and(|day| {
                        let mut deadlines = times.deadlines.iter();
                        deadlines.any(|deadline| deadline.days_to(day) == 0)
                            || self.ends_calendar(day, fact, chronicle, times)
                    })
            }
            (FactValue::Number(_) | FactValue::Text(_), _) => false,
        };
        let end = fact.end();
        let may_last = fact.kind != FactKind::Date;
        let mut lengths = times
            .stated
            .iter()
            .filter(|length| length.holds(fact.start, end));
        follows
            || (may_last
                && lengths.any(|length| {
                    self.is_length(length, times) && self.holds_length(length, times)
                }))
    }

    fn read(&self, chronicle: &Chronicle) -> Times {
        let words: HashSet<_> = pieces(self.content)
            .iter()
            .map(|piece| key_of(piece.text))
            .collect();
        let is_known =
            |minute| self.evidence.holds_time(minute) || chronicle.minutes.contains(&minute);
        let holds = |fact: &&Fact<'_>| match &fact.value {
            FactValue::Date(date) => self.evidence.holds_date(*date) || chronicle.holds_date(*date),
            FactValue::Time(minutes) => minutes.iter().any(|minute| is_known(*minute)),
            FactValue::Number(_) | FactValue::Text(_) => false,
        };
        let moments = moments(self.content, self.facts.iter().filter(holds), is_known);
        let minutes = self.facts.iter().flat_map(|fact| {
            let minutes = match &fact.value {
                FactValue::Time(minutes) => &minutes[..],
                FactValue::Number(_) | FactValue::Date(_) | FactValue::Text(_) => &[],
            };
            minutes.iter().map(|minute| (fact.start, *minute))
        });
        let lower = self.content.to_lowercase();
        let mut times = Times {
            stated: lengths(self.content, self.facts),
            minutes: minutes.collect(),
            known: Vec::new(),
            ends: Vec::new(),
            deadlines: Vec::new(),
            held: Vec::new(),
            years: self
                .facts
                .iter()
                .filter_map(year_of)
                .take(MOST_YEARS)
                .collect(),
            speaks_of_nights: NIGHTS.iter().any(|part| lower.contains(part)),
            moments,
        };
        let records = chronicle.spoken_of(&words, FEW_RECORDS);
        let mut today = chronicle.today.clone();
        today.extend(times.moments.iter().filter_map(|moment| moment.day));
        today.truncate(MOST_PAIRED);
        for record in &records {
            times.add_record(record, &today);
        }
        for record in &chronicle.records {
            times.known.extend(
                record
                    .lengths
                    .iter()
                    .chain(&record.clocks)
                    .map(|(_, length)| *length),
            );
        }
        times.add_columns(&records, chronicle);
        times.add_columns(&chronicle.few(FEW_RECORDS), chronicle);
        times.known.truncate(MOST_LENGTHS);
        let is_held = |length: &&Length| times.known.iter().any(|known| length.is(*known));
        times.held = times.stated.iter().filter(is_held).copied().collect();
        times
    }

    /// Returns `true` if a length follows from the results, or from other moments and lengths of the reply.
    fn holds_length(&self, length: &Length, times: &Times) -> bool {
        let is_one = length.figures == 1 && length.seconds == length.step;
        // "per 1 night"
        (is_one && length.unit == Unit::Days)
            || times.known.iter().any(|known| length.is(*known))
            || self.lies_between(length, times)
    }

    /// Returns `true` if a length lies between two moments of the reply, or is the sum or the difference of two of its
    /// lengths.
    fn lies_between(&self, length: &Length, times: &Times) -> bool {
        let line = self.line_of(length.start);
        let of_line: Vec<_> = times
            .moments
            .iter()
            .filter(|moment| line.contains(&moment.start))
            .take(MOST_IN_LINE)
            .copied()
            .collect();
        let all = &times.moments[..times.moments.len().min(MOST_PAIRED)];
        let between = |moments: &[Moment]| {
            moments.iter().enumerate().any(|(at, second)| {
                let mut earlier = moments[..at].iter();
                earlier.any(|first| {
                    let mut apart = first.lengths_to(*second).into_iter();
                    apart.any(|apart| length.is(apart as f64))
                })
            })
        };
        let is_other = |other: &&Length| other.end <= length.start || length.end <= other.start;
        let mut others: Vec<_> = times.held.iter().filter(is_other).collect();
        others.sort_by_key(|other| other.start.abs_diff(length.start));
        others.truncate(MOST_PAIRED);
        let follows = || {
            others.iter().enumerate().any(|(at, second)| {
                let mut earlier = others[..at].iter();
                earlier.any(|first| {
                    length.is(first.seconds + second.seconds)
                        || length.is((first.seconds - second.seconds).abs())
                })
            })
        };
        between(&of_line) || between(all) || (length.seconds > 0.0 && follows())
    }

    /// Returns `true` if a time is the end of something whose start is stated before it in the same line.
    fn is_end(&self, fact: &Fact<'_>, minutes: &[u16], times: &Times) -> bool {
        let mut ends = times
            .ends
            .iter()
            .filter(|(_, end)| minutes.contains(end))
            .peekable();
        if ends.peek().is_none() {
            return false;
        }
        let line = self.line_of(fact.start);
        let from = line.start.max(fact.start.saturating_sub(SLOT));
        let first = times.minutes.partition_point(|(start, _)| *start < from);
        let starts = times.minutes[first..].iter();
        let starts: HashSet<_> = starts
            .take_while(|(start, _)| *start < fact.start)
            .map(|(_, minute)| *minute)
            .collect();
        ends.any(|(start, _)| starts.contains(start))
    }

    /// Returns `true` unless a length may be a time of day. Figures such as `1:37` may be either: they are a length if
    /// they follow a plus or minus sign, or are next to the same length in other units.
    fn is_length(&self, length: &Length, times: &Times) -> bool {
        let is_clock = length.unit == Unit::Seconds && length.also.is_some();
        let is_same = |other: &&Length| {
            let is_near = (other.end <= length.start && length.start - other.end <= NEAR)
                || (length.end <= other.start && other.start - length.end <= NEAR);
            is_near && other.also.is_none() && length.is(other.seconds)
        };
        let is_signed = || self.content[..length.start].ends_with(['+', '−']);
        !is_clock || is_signed() || times.stated.iter().find(is_same).is_some()
    }

    /// Returns the line around a place, up to [`LINE`] bytes in each direction.
    fn line_of(&self, at: usize) -> std::ops::Range<usize> {
        let near = &self.content.as_bytes()[at.saturating_sub(LINE)..];
        let (before, after) = near.split_at(at.min(LINE));
        let after = &after[..after.len().min(LINE)];
        note(before.len() + after.len());
        let start = before.iter().rposition(|byte| *byte == b'\n');
        let end = after.iter().position(|byte| *byte == b'\n');
        let start = start.map_or(at - before.len(), |found| at - before.len() + found + 1);
        start..at + end.unwrap_or(after.len())
    }

    /// Returns `true` if a number is, or will be, the age of somebody with a known birthday.
    fn is_age(&self, age: f64, fact: &Fact<'_>, chronicle: &Chronicle, times: &Times) -> bool {
        let may_be_age = age.fract() == 0.0 && (1.0..=OLDEST as f64).contains(&age);
        if chronicle.births.is_empty() || !may_be_age || !self.speaks_of_age(fact) {
            return false;
        }
        let age = age as i64;
        let is_at = |birth: &Date, today: &Day| {
            Day::of(*birth).is_some_and(|birth| {
                let years = birth.months_to(*today) / 12;
                (years..=years + 1).contains(&age)
            })
        };
        let is_in = |birth: &Date| {
            let years = times.years.iter();
            let mut ages = years.filter_map(|year| Some(i64::from(*year) - i64::from(birth.year?)));
            ages.any(|years| years == age)
        };
        chronicle.births.iter().take(MOST_PAIRED).any(|birth| {
            chronicle.today.iter().any(|today| is_at(birth, today))
                || times
                    .moments
                    .iter()
                    .filter_map(|moment| moment.day)
                    .any(|today| is_at(birth, &today))
                || is_in(birth)
        })
    }

    /// Returns `true` if a factor is the number of days or hours in a known length of the reply: "4 nights … 4 × 124".
    fn is_factor(&self, number: f64, fact: &Fact<'_>, times: &Times) -> bool {
        let end = fact.end();
        let is_times = self.content[end..]
            .trim_start()
            .starts_with(['×', 'x', '*'])
            || self.content[..fact.start]
                .trim_end()
                .ends_with(['×', 'x', '*']);
        is_times
            && times.stated.iter().any(|length| {
                let is_it = length.figures == 1 && length.seconds == number * length.step;
                is_it && length.step >= 60.0 && self.holds_length(length, times)
            })
    }

    fn speaks_of_age(&self, fact: &Fact<'_>) -> bool {
        let end = fact.end();
        let start = fact.start - last_bytes(&self.content[..fact.start], AGE_REACH).len();
        let stop = end + first_bytes(&self.content[end..], AGE_REACH).len();
        let near = self.content[start..stop].to_lowercase();
        AGES.iter().any(|word| near.contains(word))
    }

    /// Returns `true` if a day is the end of a range of nights: the day after the last day in the calendar of a result.
    fn ends_calendar(
        &self,
        day: Day,
        fact: &Fact<'_>,
        chronicle: &Chronicle,
        times: &Times,
    ) -> bool {
        let before = self.content[..fact.start].trim_end();
        let is_end = before.ends_with(['-', '–', '—'])
            || fact.text.contains(['–', '-'])
            || [" to", " bis", " au", " al", " til", " until"]
                .iter()
                .any(|joint| before.ends_with(joint));
        let holds = |days: i64| {
            let moments = chronicle.records.iter().flat_map(|record| &record.moments);
            let mut known = moments.filter_map(|moment| moment.day);
            known.any(|known| known.days_to(day) == days)
        };
        is_end && times.speaks_of_nights && (1..=3).all(holds)
    }
}

/// Returns the year that a fact is or contains.
fn year_of(fact: &Fact<'_>) -> Option<u16> {
    match &fact.value {
        FactValue::Date(date) => date.year,
        FactValue::Number(values) => {
            let year = values.first().copied().unwrap_or_default();
            (year.fract() == 0.0 && (1900.0..=2100.0).contains(&year)).then_some(year as u16)
        }
        FactValue::Time(_) | FactValue::Text(_) => None,
    }
}

impl Times {
    /// Adds what follows from one record.
    fn add_record(&mut self, record: &Record, today: &[Day]) {
        let moments = &record.moments;
        for (at, second) in moments.iter().enumerate() {
            for first in &moments[..at] {
                let apart = first.lengths_to(*second).into_iter();
                self.known.extend(apart.map(|apart| apart as f64));
            }
            if let Some(day) = second.day {
                let apart = today.iter().map(|today| today.days_to(day).abs());
                self.known.extend(apart.map(|days| (days * DAY) as f64));
            }
            for (_, length) in &record.lengths {
                self.add_end(*second, *length, today);
            }
        }
    }

    /// Adds the end of something that starts at a moment and lasts for `length` seconds.
    fn add_end(&mut self, start: Moment, length: f64, today: &[Day]) {
        let seconds = length.round() as i64;
        if let Some(second) = start.second.filter(|_| (60..DAY).contains(&seconds)) {
            let minute = |second: i64| (second.div_euclid(60)).rem_euclid(1_440) as u16;
            self.ends.push((minute(second), minute(second + seconds)));
        }
        let days = seconds / DAY;
        if seconds % DAY == 0
            && days > 0
            && let Some(day) = start.day
        {
            let end = day.plus(days);
            self.deadlines.push(end);
            let left = today.iter().map(|today| today.days_to(end).abs());
            self.known.extend(left.map(|days| (days * DAY) as f64));
        }
    }

    /// Adds the sums and the differences of the lengths under one key, and of the durations of the records.
    fn add_columns(&mut self, records: &[&Record], chronicle: &Chronicle) {
        let mut columns: Vec<Vec<f64>> = Chronicle::columns(records).into_values().collect();
        let spans = records
            .iter()
            .filter_map(|record| match record.moments[..] {
                [first, second] => first.lengths_to(second).first().map(|span| *span as f64),
                _ => None,
            });
        columns.push(spans.collect());
        for column in &columns {
            let sum: f64 = column.iter().sum();
            self.known.push(sum);
            if column.len() > 2 {
                self.known.extend(column.iter().map(|length| sum - length));
            }
            for counts in &chronicle.counts {
                self.known.extend(
                    column
                        .iter()
                        .take(MOST_PAIRED)
                        .map(|length| counts * length),
                );
            }
            for (at, second) in column.iter().enumerate().take(MOST_COMPARED) {
                let apart = column[..at].iter().map(|first| (first - second).abs());
                self.known.extend(apart);
            }
        }
        self.known.retain(|length| *length > 0.0);
    }
}

#[cfg(test)]
mod tests;
