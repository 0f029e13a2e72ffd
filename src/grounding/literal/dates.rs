//! Days in other notations: months and years of known days, points in time, days without their month.

use super::index::{Id, Index, Match};
use super::pieces::{Joint, Piece, pieces};
use super::{Stated, range_of};
use crate::civil::days;
use crate::evidence::Evidence;
use toolgauge_facts::{Date, Fact, FactValue};
use toolgauge_model::Json;

/// The most bytes between a day and the day before it: `19→20`, `27, 28`.
const LONGEST_JOINT: usize = 5;

/// The most days of one month in a list.
const MOST_DAYS: usize = 8;

const DAY: i64 = 86_400;

/// Returns `true` if a date is known as the day of a point in time, as eight digits, or as the month of a known day.
pub fn shows(fact: &Fact<'_>, evidence: Evidence<'_>, index: &Index) -> bool {
    let FactValue::Date(date) = &fact.value else {
        return false;
    };
    let Some(day) = date.day else {
        return evidence.knows_month(date.month, date.year);
    };
    let is_compact = date.year.is_some_and(|year| {
        let figures = format!("{year:04}{:02}{day:02}", date.month);
        index.holds_whole(&Id::of(&figures))
    });
    is_compact
        || is_month_of_year(fact.text, evidence)
        || index.holds_day(date.year, date.month, day)
        || (date.swapped && index.holds_day(date.year, day, date.month))
}

/// Returns `true` if a text such as `08/27` is a known month, here August 2027.
fn is_month_of_year(text: &str, evidence: Evidence<'_>) -> bool {
    let Some((month, year)) = text.split_once('/') else {
        return false;
    };
    let numbers = month.parse().ok().zip(year.parse::<u16>().ok());
    numbers.is_some_and(|(month, year)| {
        let century = if year < 100 { 2_000 } else { 0 };
        evidence.knows_month(month, Some(century + year))
    })
}

/// Returns `true` if a number is part of a short date, the day of a known date whose month is before it, or the second
/// year of a season: `6/13`, `2024-05-27/28`.
pub fn shows_part(at: usize, reply: &Stated<'_, '_>, index: &Index) -> bool {
    let fact = &reply.facts[at];
    is_short_date(fact, reply) || follows_date(at, reply) || is_second_year(fact, reply, index)
}

/// Returns `true` if a number is the second year of a known season: `2024` in "2023-2024", known as `2023/24`.
fn is_second_year(fact: &Fact<'_>, reply: &Stated<'_, '_>, index: &Index) -> bool {
    let all = reply.pieces();
    let range = range_of(fact, all);
    let is_year = |piece: &Piece<'_>| piece.is_digits && piece.text.len() == 4;
    let Some([first, second]) = range
        .start
        .checked_sub(1)
        .and_then(|at| all.get(at..=at + 1))
    else {
        return false;
    };
    let is_joined = matches!(second.joint, Joint::Sign('-' | '/' | '–'));
    is_joined
        && is_year(first)
        && is_year(second)
        && ['/', '-', '–'].iter().any(|sign| {
            let short = format!("{}{sign}{}", first.text, &second.text[2..]);
            index
                .places(&pieces(&short), Match::Same)
                .any(|place| place.is_number())
        })
}

fn is_short_date(fact: &Fact<'_>, reply: &Stated<'_, '_>) -> bool {
    let all = reply.pieces();
    let range = range_of(fact, all);
    // `1.3` is a decimal, and `2-3` a range.
    let are_padded = |at: usize| all[at].text.len() == 2 && at > 0 && all[at - 1].text.len() == 2;
    let joined = |at: usize| match all.get(at).map(|piece| piece.joint) {
        Some(Joint::Sign('/')) => true,
        Some(Joint::Sign('-')) => are_padded(at),
        Some(Joint::Sign('.')) => are_padded(at) && reply.content[all[at].end()..].starts_with('.'),
        _ => false,
    };
    let is_alone = |first: usize| {
        let joint = all.get(first + 1).map(|piece| piece.joint);
        let is_joined_so =
            |piece: Option<&Piece<'_>>| piece.is_some_and(|piece| Some(piece.joint) == joint);
        let is_digits = |piece: Option<&Piece<'_>>| piece.is_some_and(|piece| piece.is_digits);
        let before = first.checked_sub(1).and_then(|at| all.get(at));
        let after = all.get(first + 2);
        let follows = is_joined_so(all.get(first)) && is_digits(before);
        let goes_on = is_joined_so(after) && is_digits(after);
        joined(first + 1) && !follows && !goes_on
    };
    let holds = |first: usize| {
        let month = all.get(first).and_then(number);
        let second = all.get(first + 1);
        if let Some(year) = second.filter(|piece| piece.is_digits && piece.text.len() == 4) {
            let year = year.text.parse().ok();
            return month.is_some_and(|month| reply.evidence.knows_month(month, year));
        }
        let numbers = month.zip(second.and_then(number));
        numbers.is_some_and(|(first, second)| {
            reply.evidence.holds_date(Date {
                year: None,
                month: first,
                day: Some(second),
                swapped: true,
            })
        })
    };
    let starts = [Some(range.start), range.start.checked_sub(1)];
    range.len() <= 2
        && starts
            .into_iter()
            .flatten()
            .any(|first| is_alone(first) && holds(first))
}

/// Returns the number of a piece with at most two digits.
fn number(piece: &Piece<'_>) -> Option<u8> {
    let is_short = piece.is_digits && piece.text.len() <= 2;
    is_short.then(|| piece.text.parse().ok()).flatten()
}

fn follows_date(at: usize, reply: &Stated<'_, '_>) -> bool {
    let FactValue::Number(values) = &reply.facts[at].value else {
        return false;
    };
    let Some(day) = values.first().filter(|day| (1.0..=31.0).contains(*day)) else {
        return false;
    };
    let mut next = &reply.facts[at];
    for before in reply.facts[..at].iter().rev().take(MOST_DAYS) {
        let end = before.end();
        let is_near = next.start.saturating_sub(end) <= LONGEST_JOINT
            && reply
                .content
                .get(end..next.start)
                .is_some_and(|between| between.chars().any(|c| "/→–-—&,~".contains(c)));
        if !is_near {
            return false;
        }
        if let FactValue::Date(date) = before.value {
            return date.day.is_some()
                && reply.evidence.holds_date(Date {
                    day: Some(*day as u8),
                    ..date
                });
        }
        next = before;
    }
    false
}

/// Returns the day of an object that has a year, a month and a day.
pub fn day_of(json: Json<'_>) -> Option<(u16, u8, u8)> {
    let number = |key| match json.get(key)? {
        Json::Number(number) => Some(number.as_f64()),
        _ => None,
    };
    let (year, month, day) = (number("year")?, number("month")?, number("day")?);
    let exists = (1.0..=9_999.0).contains(&year)
        && (1.0..=12.0).contains(&month)
        && (1.0..=31.0).contains(&day);
    exists.then_some((year as u16, month as u8, day as u8))
}

/// Adds the points in time of a text that state their offset: `2024-05-13T15:00:00+02:00`.
pub fn add_instants(text: &str, pieces: &[Piece<'_>], index: &mut Index) {
    for at in 0..pieces.len() {
        if let Some(seconds) = instant(&pieces[at..], text) {
            index.add_instant(seconds);
        }
    }
}

/// Returns the point in time at the start of `pieces`, in seconds since 1970.
fn instant(pieces: &[Piece<'_>], text: &str) -> Option<i64> {
    let [year, month, day, rest @ ..] = pieces else {
        return None;
    };
    let is = |piece: &Piece<'_>, sign: char| piece.joint == Joint::Sign(sign);
    let is_date = year.is_digits && year.text.len() == 4 && is(month, '-') && is(day, '-');
    let parts = (number(month), number(day));
    let (Some(month), Some(day_number), true) = (parts.0, parts.1, is_date) else {
        return None;
    };
    let rest = match rest {
        [t, rest @ ..] if t.text.eq_ignore_ascii_case("t") && t.joint == Joint::Glued => rest,
        rest => rest,
    };
    let [hour, minute, rest @ ..] = rest else {
        return None;
    };
    let clock = (number(hour)?, number(minute).filter(|_| is(minute, ':'))?);
    let mut end = minute.end();
    let mut rest = rest;
    for sign in [':', '.'] {
        if let [piece, after @ ..] = rest
            && piece.is_digits
            && is(piece, sign)
        {
            (end, rest) = (piece.end(), after);
        }
    }
    let after = &text[end..];
    let offset = match after.chars().next() {
        Some('Z' | 'z') => 0,
        Some(sign @ ('+' | '-' | '−')) => {
            let (hours, minutes) = match rest {
                [hours, minutes, ..] if is(minutes, ':') => (number(hours)?, number(minutes)?),
                [both, ..] if both.text.len() == 4 => {
                    let (hours, minutes) = both.text.split_at_checked(2)?;
                    (hours.parse().ok()?, minutes.parse().ok()?)
                }
                [hours, ..] => (number(hours)?, 0),
                [] => return None,
            };
            let seconds = i64::from(hours) * 3_600 + i64::from(minutes) * 60;
            if sign == '+' { seconds } else { -seconds }
        }
        _ => return None,
    };
    let days = days(year.text.parse().ok()?, month.into(), day_number.into());
    Some(days * DAY + i64::from(clock.0) * 3_600 + i64::from(clock.1) * 60 - offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_in_time_have_an_offset() {
        let instant = |text: &str| instant(&pieces(text), text);
        assert_eq!(instant("1970-01-02T00:01Z"), Some(86_460));
        assert_eq!(instant("1970-01-02 01:00:00.5+01:00"), Some(86_400));
        assert_eq!(instant("1970-01-01T23:00:00-0100"), Some(86_400));
        assert_eq!(instant("1970-01-02 01:00:00"), None);
        assert_eq!(instant("1970-01-02 01:00:00+añb"), None);
    }
}
