//! Derives the days, hours and minutes between moments of a reply or a row of results, and the end of something that
//! has a start and a duration.

use std::ops::Range;

use foldhash::HashSet;

use super::super::background::Background;
use super::super::calendar::{Day, days_in, read_part};
use super::super::times::Unit;
use super::reply::Reply;
use super::rows::{Source, number};
use toolgauge_facts::{Fact, FactKind, FactValue};
use toolgauge_model::{Json, Role};

/// How many moments of one part are paired.
const MOST_MOMENTS: usize = 8;

/// How many rows are read.
const MOST_ROWS: usize = 10;

/// How many values of one row are read.
const MOST_VALUES: usize = 60;

/// Longer texts are not read as moments.
const LONGEST_MOMENT: usize = 100;

/// How many turns at the start may contain the current day.
const MOST_TURNS: usize = 4;

/// How many bytes may lie between hours and minutes.
const NEAR: usize = 20;

/// The minutes of a day.
const DAY: i64 = 1440;

/// The longest duration, in minutes, of something that ends at a time of day.
const LONGEST: i64 = 7 * DAY;

/// How many bits must be saved by naming the span instead of guessing the number.
const LEAST: f64 = 1.0;

/// The same for a time of day. Few of them are stated in hours alone.
const LEAST_OF_TIME: f64 = 3.0;

/// The bits of a time of day.
const BITS_OF_TIME: f64 = 8.0;

/// Parts of keys whose values are durations.
const LASTING: [&str; 6] = ["minut", "durat", "length", "hour", "dauer", "durée"];

/// Parts of words for an end.
const ENDING: [&str; 9] = [
    " end", "until", "finish", "till", "over at", "bis", "jusqu", "hasta", "終",
];

/// A day, a time of day, or both.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    day: Option<Day>,
    minute: Option<u16>,
}

/// Checks whether the fact at `at` is the time between two moments, or the time at which something ends.
pub fn follows(reply: &Reply<'_, '_>, at: usize, sentence: &Range<usize>) -> bool {
    let fact = &reply.stated[at];
    match (&fact.value, fact.kind) {
        (FactValue::Time(minutes), _) => {
            let minutes: Vec<_> = minutes.iter().map(|minute| i64::from(*minute)).collect();
            is_end(reply, sentence, &minutes) || is_span_as_time(reply, at, sentence, &minutes)
        }
        (FactValue::Number(_), FactKind::Number) => is_span(reply, at, sentence),
        _ => false,
    }
}

/// Checks whether a number with a unit of time is the span between two moments.
fn is_span(reply: &Reply<'_, '_>, at: usize, sentence: &Range<usize>) -> bool {
    let fact = &reply.stated[at];
    let (Some(value), Some(unit)) = (number(fact), unit_of(reply.content, fact)) else {
        return false;
    };
    let value = match unit {
        Unit::Minutes | Unit::Hours => minutes_said(reply, at, value, unit),
        Unit::Milliseconds
        | Unit::Seconds
        | Unit::Days
        | Unit::Weeks
        | Unit::Months
        | Unit::Years => value,
    };
    let mut spans = Spans::of(value, unit);
    let today = reply.today();
    let said = moments(reply.facts_in(sentence));
    spans.try_pairs(&said);
    spans.try_with(&said, today);
    for row in named_rows(reply, sentence) {
        let moments = moments_of_row(reply, row);
        spans.try_pairs(&moments);
        spans.try_with(&moments, today);
        spans.try_with(&moments, &said);
    }
    spans.found
}

/// Returns how many minutes a number states, together with the hours before it or the minutes after it.
fn minutes_said(reply: &Reply<'_, '_>, at: usize, value: f64, unit: Unit) -> f64 {
    let fact = &reply.stated[at];
    let near = |other: usize, is_meant: Unit| {
        let other = reply.stated.get(other)?;
        let (first, second) = if other.start < fact.start {
            (other, fact)
        } else {
            (fact, other)
        };
        let between = second.start.saturating_sub(first.end());
        let is_near = between <= NEAR && unit_of(reply.content, other) == Some(is_meant);
        is_near.then(|| number(other)).flatten()
    };
    match unit {
        Unit::Hours => 60.0 * value + near(at + 1, Unit::Minutes).unwrap_or_default(),
        Unit::Milliseconds
        | Unit::Seconds
        | Unit::Minutes
        | Unit::Days
        | Unit::Weeks
        | Unit::Months
        | Unit::Years => {
            let hours = at.checked_sub(1).and_then(|other| near(other, Unit::Hours));
            60.0 * hours.unwrap_or_default() + value
        }
    }
}

/// The spans that were tried for a claimed one.
struct Spans {
    value: f64,
    unit: Unit,
    bits: f64,
    seen: HashSet<i64>,
    found: bool,
}

impl Spans {
    fn of(value: f64, unit: Unit) -> Self {
        Self {
            value,
            unit,
            bits: value.abs().max(9.0).log2(),
            seen: HashSet::default(),
            found: false,
        }
    }

    fn try_pairs(&mut self, moments: &[Moment]) {
        for (at, second) in moments.iter().enumerate() {
            for first in &moments[..at] {
                self.try_pair(*first, *second);
            }
        }
    }

    fn try_with(&mut self, moments: &[Moment], others: &[Moment]) {
        for moment in moments {
            others
                .iter()
                .for_each(|other| self.try_pair(*other, *moment));
        }
    }

    fn try_pair(&mut self, first: Moment, second: Moment) {
        let days = first
            .day
            .zip(second.day)
            .map(|(first, second)| first.days_to(second));
        let months = first
            .day
            .zip(second.day)
            .map(|(first, second)| first.months_to(second));
        match self.unit {
            // Moments are known to the minute.
            Unit::Milliseconds | Unit::Seconds => {}
            Unit::Minutes | Unit::Hours => {
                let minutes = first.minute.zip(second.minute);
                if let Some((first, second)) = minutes {
                    let minutes = i64::from(second) - i64::from(first);
                    self.offer(match days {
                        Some(days) => (minutes + days * DAY).abs(),
                        None => minutes.rem_euclid(DAY),
                    });
                }
            }
            Unit::Days => {
                if let Some(days) = days {
                    self.offer(days.abs());
                }
            }
            Unit::Weeks => {
                if let Some(days) = days.filter(|days| days % 7 == 0) {
                    self.offer(days.abs() / 7);
                }
            }
            Unit::Months => {
                if let Some(months) = months {
                    self.offer(months);
                }
            }
            Unit::Years => {
                if let Some(months) = months {
                    self.offer(months / 12);
                }
            }
        }
    }

    fn offer(&mut self, span: i64) {
        if span == 0 {
            return;
        }
        self.seen.insert(span);
        let cost = (self.seen.len() as f64).log2();
        self.found |= span as f64 == self.value && self.bits - cost >= LEAST;
    }
}

/// Checks whether `minutes` is the end of something with a known start and a known duration.
fn is_end(reply: &Reply<'_, '_>, sentence: &Range<usize>, minutes: &[i64]) -> bool {
    let mut starts: Vec<_> = moments(reply.facts_in(sentence));
    let mut lasting: Vec<i64> = reply
        .facts_in(sentence)
        .filter(|fact| fact.kind == FactKind::Number)
        .filter_map(
            |fact| match (number(fact)?, unit_of(reply.content, fact)?) {
                (value, Unit::Minutes) => Some(value as i64),
                (value, Unit::Hours) => Some((60.0 * value) as i64),
                _ => None,
            },
        )
        .collect();
    let said = reply.content[sentence.clone()].to_lowercase();
    let speaks_of_end = ENDING.iter().any(|part| said.contains(part));
    for row in named_rows(reply, sentence) {
        starts.extend(moments_of_row(reply, row));
        if !speaks_of_end {
            continue;
        }
        let cells = reply.rows().rows[row].cells.iter();
        lasting.extend(cells.filter_map(|cell| {
            let key = reply.rows().key_of(cell.column).to_lowercase();
            let is_lasting = LASTING.iter().any(|part| key.contains(part));
            let factor = if key.contains("hour") { 60.0 } else { 1.0 };
            is_lasting.then_some((cell.value * factor) as i64)
        }));
    }
    let mut seen = HashSet::default();
    for start in starts.iter().filter_map(|moment| moment.minute) {
        for lasts in lasting
            .iter()
            .filter(|lasts| (1..=LONGEST).contains(*lasts))
        {
            let end = (i64::from(start) + lasts).rem_euclid(DAY);
            seen.insert(end);
            let cost = (seen.len() as f64).log2();
            if minutes.contains(&end) && BITS_OF_TIME - cost >= LEAST_OF_TIME {
                return true;
            }
        }
    }
    false
}

/// Checks whether a fact that was read as a time of day is a duration: `2:30` for 07:00 to 09:30, `7 h 55 min` for 475
/// minutes.
fn is_span_as_time(
    reply: &Reply<'_, '_>,
    at: usize,
    sentence: &Range<usize>,
    minutes: &[i64],
) -> bool {
    let fact = &reply.stated[at];
    let said = moments(reply.facts_in(&(sentence.start..fact.start)));
    let mut spans: Vec<i64> = Vec::new();
    if let [.., first, second] = said.as_slice()
        && let Some((first, second)) = first.minute.zip(second.minute)
    {
        spans.push((i64::from(second) - i64::from(first)).rem_euclid(DAY));
    }
    if fact.text.contains('h') && unit_of(reply.content, fact) == Some(Unit::Minutes) {
        for row in named_rows(reply, sentence) {
            let cells = reply.rows().rows[row].cells.iter();
            spans.extend(cells.map(|cell| cell.value as i64));
        }
    }
    spans.iter().any(|span| minutes.contains(span))
}

/// Returns the rows that a sentence names. If it names none and the results have only a few, returns these.
fn named_rows(reply: &Reply<'_, '_>, sentence: &Range<usize>) -> Vec<usize> {
    let named = &reply.names_of(sentence).rows;
    let mut rows = named.clone();
    if rows.is_empty() {
        rows = reply.only_rows();
    }
    rows.truncate(MOST_ROWS);
    rows
}

fn moments_of_row(reply: &Reply<'_, '_>, row: usize) -> Vec<Moment> {
    let texts = reply.background.texts;
    let of_text = |text: &str| moments(texts.facts_of(text).iter());
    let of_json = |json: &Json<'_>| match json {
        Json::String(text) if text.len() <= LONGEST_MOMENT => of_text(text),
        Json::String(_)
        | Json::Null
        | Json::Bool(_)
        | Json::Number(_)
        | Json::Array(_)
        | Json::Object(_) => Vec::new(),
    };
    let found: Vec<_> = match reply.rows().rows[row].source {
        Source::Members(members) => {
            let values = members.iter().take(MOST_VALUES);
            values.flat_map(|(_, json)| of_json(json)).collect()
        }
        Source::Items(items) => {
            let values = items.iter().take(MOST_VALUES);
            values.flat_map(of_json).collect()
        }
        Source::Line | Source::Number => Vec::new(),
    };
    found.into_iter().take(MOST_MOMENTS).collect()
}

/// Returns the days and times among facts. A day and the time right after it are one moment.
fn moments<'f, 't: 'f>(facts: impl Iterator<Item = &'f Fact<'t>>) -> Vec<Moment> {
    let mut found: Vec<Moment> = Vec::new();
    let mut end = 0;
    for fact in facts {
        match &fact.value {
            FactValue::Date(date) => found.extend(Day::of(*date).map(|day| Moment {
                day: Some(day),
                minute: None,
            })),
            FactValue::Time(minutes) => {
                let minute = minutes.first().copied();
                match found.last_mut() {
                    Some(last) if last.minute.is_none() && fact.start <= end + 3 => {
                        last.minute = minute;
                    }
                    _ => found.push(Moment { day: None, minute }),
                }
            }
            FactValue::Number(_) | FactValue::Text(_) => {}
        }
        end = fact.end();
        if found.len() == MOST_MOMENTS {
            break;
        }
    }
    found
}

/// Returns the days that the instructions mention.
pub fn today(background: &Background<'_, '_>) -> Vec<Moment> {
    let instructions = background.earlier.iter().take(MOST_TURNS);
    let instructions = instructions.filter(|turn| turn.role == Role::System);
    let days = instructions.flat_map(|turn| days_in(read_part(turn.content), background.texts));
    let moments = days.map(|day| Moment {
        day: Some(day),
        minute: None,
    });
    moments.take(MOST_MOMENTS).collect()
}

/// Returns the unit of time after a number.
fn unit_of(content: &str, fact: &Fact<'_>) -> Option<Unit> {
    let glued = match fact.kind {
        FactKind::Number => fact.text.trim_start_matches(|c: char| !c.is_alphabetic()),
        _ => "",
    };
    let after = &content[fact.end()..];
    let after = after.trim_start_matches([' ', '-', '+', '\u{a0}', '\u{202f}', '\u{2011}']);
    let unit = if glued.is_empty() { after } else { glued };
    Unit::at(unit).map(|(unit, _)| unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolgauge_facts::facts;

    fn lies_between(value: f64, unit: Unit, text: &str) -> bool {
        let mut spans = Spans::of(value, unit);
        spans.try_pairs(&moments(facts(text).iter()));
        spans.found
    }

    #[test]
    fn days_and_weeks_lie_between_dates() {
        let dates = "from 2031-02-24 to 2031-03-10";
        assert!(lies_between(14.0, Unit::Days, dates));
        assert!(!lies_between(15.0, Unit::Days, dates));
        assert!(lies_between(2.0, Unit::Weeks, dates));
        assert!(!lies_between(
            2.0,
            Unit::Weeks,
            "from 2031-02-24 to 2031-03-11"
        ));
    }

    #[test]
    fn months_and_years_are_whole_ones() {
        let dates = "from 2027-05-20 to 2031-05-19";
        assert!(lies_between(3.0, Unit::Years, dates));
        assert!(!lies_between(4.0, Unit::Years, dates));
        assert!(lies_between(47.0, Unit::Months, dates));
        assert!(!lies_between(48.0, Unit::Months, dates));
    }

    #[test]
    fn minutes_lie_between_times_also_over_midnight() {
        assert!(lies_between(95.0, Unit::Minutes, "from 23:10 to 0:45"));
        assert!(!lies_between(85.0, Unit::Minutes, "from 23:10 to 0:45"));
    }

    #[test]
    fn what_follows_a_number_is_its_unit() {
        let unit = |text: &str| unit_of(text, &facts(text)[0]);
        assert_eq!(unit("It takes 12 days."), Some(Unit::Days));
        assert_eq!(unit("It takes 12-hour shifts."), Some(Unit::Hours));
        assert_eq!(unit("It takes 12 eggs."), None);
    }
}
