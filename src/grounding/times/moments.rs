//! Points in time in texts: a day, a time of day with its seconds and offset, or both.

use super::super::calendar::Day;
use toolgauge_facts::{Fact, FactValue};

/// The seconds of a day.
pub const DAY: i64 = 86_400;

/// How many moments of one text are kept.
const MOST: usize = 16;

/// The most bytes between the day and the time of one moment.
const JOINT: usize = 3;

/// A day, a time of day, or both.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    pub start: usize,
    pub day: Option<Day>,
    /// The second of the day.
    pub second: Option<i64>,
    /// How many seconds its zone is ahead of UTC.
    pub offset: Option<i64>,
}

impl Moment {
    /// Returns the possible numbers of seconds between two moments: by the clock, and with both offsets if both are
    /// known. Parts that only one of the moments has are ignored.
    pub fn lengths_to(self, other: Self) -> Vec<i64> {
        let days = self.day.zip(other.day).map(|(a, b)| a.days_to(b));
        let Some((first, second)) = self.second.zip(other.second) else {
            return days.map(|days| days.abs() * DAY).into_iter().collect();
        };
        let by_clock = second - first;
        let offsets = self.offset.zip(other.offset).map(|(a, b)| a - b);
        let of = |length: i64| match days {
            Some(days) => (length + days * DAY).abs(),
            None => length.rem_euclid(DAY),
        };
        let mut found = vec![of(by_clock)];
        found.extend(offsets.map(|offset| of(by_clock + offset)));
        // Seconds are often left out.
        if first % 60 != 0 || second % 60 != 0 {
            found.push(of(second.div_euclid(60) * 60 - first.div_euclid(60) * 60));
        }
        found
    }
}

/// Returns the moments among facts. If a time has several readings, the one for which `is_known` holds is used.
pub fn moments<'f, 't: 'f>(
    text: &str,
    facts: impl Iterator<Item = &'f Fact<'t>>,
    is_known: impl Fn(u16) -> bool,
) -> Vec<Moment> {
    let mut found: Vec<Moment> = Vec::new();
    let mut end = 0;
    let mut is_stamp = false;
    for fact in facts {
        match &fact.value {
            FactValue::Date(date) => found.extend(Day::of(*date).map(|day| Moment {
                start: fact.start,
                day: Some(day),
                second: None,
                offset: None,
            })),
            FactValue::Time(minutes) => {
                let known = minutes.iter().copied().find(|minute| is_known(*minute));
                let minute = known.unwrap_or_else(|| as_written(fact.text, minutes));
                let second = Some(i64::from(minute) * 60 + second_of(fact.text));
                let offset = offset_of(fact.text);
                let between = text.get(end..fact.start);
                match found.last_mut() {
                    // `2031-03-12T09:30-05:00`
                    Some(last) if is_stamp && between == Some("-") => {
                        last.offset = Some(-i64::from(minute) * 60);
                        is_stamp = false;
                    }
                    Some(last) if last.second.is_none() && fact.start <= end + JOINT => {
                        (last.second, last.offset) = (second, offset);
                        is_stamp = offset.is_none() && matches!(between, Some("T" | ""));
                    }
                    _ => found.push(Moment {
                        start: fact.start,
                        day: None,
                        second,
                        offset,
                    }),
                }
            }
            FactValue::Number(_) | FactValue::Text(_) => {}
        }
        end = fact.end();
        if found.len() == MOST {
            break;
        }
    }
    found
}

/// Returns the reading of a time that keeps its hour as written.
fn as_written(text: &str, minutes: &[u16]) -> u16 {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let hour: Option<u16> = text[..digits].parse().ok();
    let mut readings = minutes.iter().copied();
    let written = readings.find(|minute| Some(minute / 60) == hour);
    written.or(minutes.first().copied()).unwrap_or_default()
}

/// Returns the second in a time: 31 in `02:14:31.870Z`.
fn second_of(text: &str) -> i64 {
    let second = text.split(':').nth(2).unwrap_or_default();
    let digits = second.bytes().take_while(u8::is_ascii_digit).count();
    second[..digits.min(2)].parse().unwrap_or_default()
}

/// Returns the offset in a time, in seconds: `Z`, `+02:00`, `-0500`.
fn offset_of(text: &str) -> Option<i64> {
    if text.ends_with(['Z', 'z']) {
        return Some(0);
    }
    let at = text.rfind(['+', '-', '−'])?;
    let sign = if text[at..].starts_with('+') { 1 } else { -1 };
    let digits: String = text[at..].chars().filter(char::is_ascii_digit).collect();
    let hours: i64 = digits.get(..2)?.parse().ok()?;
    let minutes: i64 = digits.get(2..4).unwrap_or("0").parse().ok()?;
    Some(sign * (hours * 3_600 + minutes * 60))
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolgauge_facts::facts;

    fn between(text: &str) -> Vec<i64> {
        let facts = facts(text);
        let found = moments(text, facts.iter(), |_| false);
        assert_eq!(found.len(), 2, "{text}");
        found[0].lengths_to(found[1])
    }

    #[test]
    fn moments_lie_apart_by_the_clock_and_in_truth() {
        assert!(
            between("2031-02-11T13:02:10Z to 2031-02-11T13:27:55Z").contains(&1_545),
            "seconds"
        );
        let flight = between("2031-05-18T10:35:00+01:00 to 2031-05-18T13:05:00-04:00");
        assert!(flight.contains(&27_000) && flight.contains(&9_000));
        let short = between("2031-05-18T10:35+01:00 to 2031-05-18T13:05-04:00");
        assert!(short.contains(&27_000));
        assert_eq!(between("2031-05-18 and 2031-05-22"), [4 * DAY]);
        assert_eq!(between("12:10 until 13:05")[0], 3_300);
        assert_eq!(between("23:10 until 0:45")[0], 5_700);
    }
}
