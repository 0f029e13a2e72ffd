//! Dates that are not in the evidence but follow from it: the day after an overnight flight left, "one day later",
//! "tomorrow", "next Friday", "the 6th".

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use foldhash::HashMap;

use super::background::Background;
use super::civil;
use super::evidence::Evidence;
use super::keys::Part;
use super::schedule::{
    Period, Schedule, asks_anything, is_called_today, periods_in, says_back, says_end,
    says_nothing, sentence_of, weekday_given,
};
use toolgauge_facts::{Date, Fact, FactValue, Texts, Token, WordList, facts};
use toolgauge_model::{Json, Role, ToolCall};

/// The most calls that are read, starting with the latest.
const MOST_CALLS: usize = 12;

/// The most texts of one call that are read.
const MOST_TEXTS: usize = 500;

/// The most values of one result that are read.
const MOST_VALUES: usize = 4000;

/// The most turns that are read: the first ones for the instructions, the latest ones for the user's messages.
const MOST_TURNS: usize = 12;

/// The most bytes of a text that are searched for days.
const LONGEST_TEXT: usize = 20_000;

/// The longest span, in days, that a user counts in days or weeks.
const LONGEST_SPAN: i64 = 60;

/// The days of the week from Monday, in English, German, French, Spanish and Norwegian.
const WEEKDAYS: [&str; 7] = [
    "monday montag lundi lunes mandag",
    "tuesday dienstag mardi martes tirsdag",
    "wednesday mittwoch mercredi miércoles onsdag",
    "thursday donnerstag jeudi jueves torsdag",
    "friday freitag vendredi viernes fredag",
    "saturday samstag sonnabend samedi sábado lørdag",
    "sunday sonntag dimanche domingo søndag",
];

/// The index in [`WEEKDAYS`] for each word.
static WEEKDAY_OF: OnceLock<HashMap<&str, usize>> = OnceLock::new();

/// How many days after today a weekday that the user named may be.
const WEEKDAY_AHEAD: i64 = 14;

/// How many days after today a day of a schedule may be.
const SCHEDULE_AHEAD: i64 = 92;

/// If today's date is unknown: how many months after a known month a day of a schedule may be.
const MONTHS_AHEAD: i64 = 2;

/// The years that a date without a year may belong to.
const YEARS: std::ops::RangeInclusive<u16> = 1990..=2100;

/// The most repetitions of a recurring event that are followed.
const MOST_PERIODS: i64 = 12;

/// How many days away a day still counts as close to a known day.
const CLOSE: i64 = 7;

/// How many days after a known day something may resume: a weekend may come between.
const WEEKEND: i64 = 3;

/// Words for days relative to today, with the distance in days.
const RELATIVE_TO_TODAY: [(&str, i64); 8] = [
    ("tomorrow", 1),
    ("yesterday", -1),
    ("demain", 1),
    ("hier", -1),
    ("mañana", 1),
    ("ayer", -1),
    ("i morgen", 1),
    ("i går", -1),
];

/// Words for days relative to another day, with the distance in days.
const RELATIVE: [(&str, i64); 8] = [
    ("next day", 1),
    ("following day", 1),
    ("day after", 1),
    ("previous day", -1),
    ("day before", -1),
    ("lendemain", 1),
    ("nächsten tag", 1),
    ("neste dag", 1),
];

/// The last words of all phrases in [`RELATIVE_TO_TODAY`] and [`RELATIVE`]. Few texts contain one, so checking for them
/// first avoids a slow search for each phrase.
static LAST_OF_RELATIVE: WordList = WordList::of(
    "tomorrow yesterday demain hier mañana ayer morgen går day after before lendemain tag dag",
);

/// Words for spans of time, with their length in days.
const SPANS: [(&str, i64); 3] = [
    (
        "day days night nights tag tage tagen nacht nächte nächten jour jours nuit nuits día días noche noches dag dager natt netter",
        1,
    ),
    (
        "week weeks woche wochen semaine semaines semana semanas uke uker",
        7,
    ),
    ("fortnight", 14),
];

/// The length in days for each word of [`SPANS`].
static DAYS_OF: OnceLock<HashMap<&str, i64>> = OnceLock::new();

/// Parts of words that refer to the end of something.
const ARRIVAL: [&str; 12] = [
    "arriv",
    "land",
    "next day",
    "until",
    "ends",
    "ending",
    "ankunft",
    "ankommt",
    "llega",
    "ankom",
    "neste dag",
    "+1",
];

/// Parts of keys whose values are the time at which something starts.
const STARTS: [Part; 3] = [Part::of("depart"), Part::of("start"), Part::of("begin")];

/// Parts of keys whose values are the time at which something ends.
const ENDS: [Part; 3] = [Part::of("arriv"), Part::of("end"), Part::of("finish")];

/// How many characters before and after a date are searched for words of [`ARRIVAL`].
const AROUND: usize = 100;

/// Words after a span that place it in the future.
const LATER: &str = "later after forward ahead später après después senere";

/// Words after a span that place it in the past.
const EARLIER: &str = "earlier before prior ago früher vorher avant antes tidligere";

/// What the dates of one reply may be derived from.
pub struct Calendar<'b, 'a> {
    evidence: Evidence<'b>,
    /// If something in a call ends on the next day: the day after each day in this call.
    arrivals: Vec<Day>,
    /// The days in the instructions: one of them is today.
    today: Vec<Day>,
    /// The distances from today, in days, that the user mentioned.
    spans_from_today: BTreeSet<i64>,
    /// The distances between two days, in days, that the user mentioned.
    spans: BTreeSet<i64>,
    /// The days of the week that the user mentioned, where 0 is Monday.
    weekdays: BTreeSet<usize>,
    /// The days of a month that the user mentioned without the month: 6 for "the 6th".
    days: BTreeSet<u8>,
    /// What the latest results say about recurring days.
    schedule: Schedule,
    /// Whether the reply asks the user for anything.
    asks: OnceCell<bool>,
    /// The periods of recurring events that the reply and the results mention.
    periods: OnceCell<BTreeSet<Period>>,
    texts: &'b Texts<'a>,
}

impl<'b, 'a> Calendar<'b, 'a> {
    /// Collects what the latest calls and the latest messages of the user say about dates.
    pub fn of(background: &Background<'b, 'a>) -> Self {
        let mut calendar = Self {
            evidence: background.evidence,
            arrivals: Vec::new(),
            today: Vec::new(),
            spans_from_today: BTreeSet::new(),
            spans: BTreeSet::new(),
            weekdays: BTreeSet::new(),
            days: BTreeSet::new(),
            schedule: Schedule::of(background.calls),
            asks: OnceCell::new(),
            periods: OnceCell::new(),
            texts: background.texts,
        };
        for call in background.calls.iter().rev().take(MOST_CALLS) {
            calendar.add_arrivals(call, background.texts);
        }
        let instructions = background.earlier.iter().take(MOST_TURNS);
        let instructions = instructions.filter(|turn| turn.role == Role::System);
        calendar.today = instructions
            .flat_map(|turn| days_in(read_part(turn.content), background.texts))
            .collect();
        let turns = background.earlier.iter().rev().take(MOST_TURNS);
        for turn in turns.filter(|turn| turn.role == Role::User) {
            calendar.add_words(&read_part(turn.content).to_lowercase());
        }
        calendar
    }

    /// Checks whether a date of `content` that the evidence does not contain follows from what it contains.
    pub fn gives(&self, fact: &Fact<'_>, content: &str) -> bool {
        let FactValue::Date(date) = fact.value else {
            return false;
        };
        let Some(day) = Day::of(date) else {
            return false;
        };
        self.is_arrival(day, fact, content)
            || self.is_apart(day)
            || self.is_weekday(day)
            || self.is_scheduled(day, fact, content)
            || self.is_counted(day, fact, content)
            || self.comes_again(day, fact, content)
            || self.is_bounded(day, fact, content)
            || (date.day.is_some_and(|day| self.days.contains(&day))
                && self.evidence.knows_month(date.month, date.year))
    }

    /// Checks whether `day` is the day after something started and the words around the date mention an end.
    fn is_arrival(&self, day: Day, fact: &Fact<'_>, content: &str) -> bool {
        if !self.arrivals.iter().any(|arrival| arrival.is(day)) {
            return false;
        }
        let end = fact.end();
        let is_same_line = |c: &char| *c != '\n';
        let before = content[..fact.start]
            .chars()
            .rev()
            .take(AROUND)
            .take_while(is_same_line);
        let before: String = before.collect::<Vec<_>>().into_iter().rev().collect();
        let after = content[end..].chars().take(AROUND).take_while(is_same_line);
        let around = format!("{before} {}", after.collect::<String>()).to_lowercase();
        ARRIVAL.iter().any(|word| around.contains(word))
    }

    fn is_apart(&self, day: Day) -> bool {
        let is_apart = |span: &i64| {
            let other = day.plus(-span);
            self.evidence.holds_date(other.date()) && !self.is_today(other)
        };
        self.spans.iter().any(is_apart)
            || self
                .spans_from_today
                .iter()
                .any(|span| self.may_be_today(day.plus(-span)))
    }

    fn is_weekday(&self, day: Day) -> bool {
        let is_ahead = |day: &Day| {
            self.weekdays.contains(&day.weekday())
                && (1..=WEEKDAY_AHEAD).any(|days| self.may_be_today(day.plus(-days)))
        };
        match day.has_year {
            true => is_ahead(&day),
            false => self.in_years_of_today(day).any(|day| is_ahead(&day)),
        }
    }

    /// Checks whether the reply asks for something and names the day with its weekday, and a schedule or the user
    /// mentioned this weekday.
    fn is_scheduled(&self, day: Day, fact: &Fact<'_>, content: &str) -> bool {
        let is_given = || {
            let weekday = weekday_given(fact, content);
            weekday.is_some_and(|weekday| {
                let is_spoken_of =
                    self.schedule.weekdays.contains(&weekday) || self.weekdays.contains(&weekday);
                weekday == day.weekday() && is_spoken_of
            })
        };
        day.has_year
            && *self.asks.get_or_init(|| asks_anything(read_part(content)))
            && self.lies_ahead(day)
            && is_given()
            && !is_called_today(fact, content)
    }

    /// Checks whether `day` is in the weeks after today or, if today's date is unknown, in the months after a known
    /// one.
    fn lies_ahead(&self, day: Day) -> bool {
        let follows = |today: &Day| (0..=SCHEDULE_AHEAD).contains(&today.days_to(day));
        if !self.today.is_empty() {
            return self.today.iter().any(follows);
        }
        let mut months = (0..=MONTHS_AHEAD).map(|months| day.plus(-31 * months).date());
        months.any(|date| self.evidence.knows_month(date.month, date.year))
    }

    /// Checks whether `day` is as many days away from a known day as its sentence says: "two days from 2031-05-15",
    /// "tomorrow".
    fn is_counted(&self, day: Day, fact: &Fact<'_>, content: &str) -> bool {
        let (before, after) = sentence_of(fact, content);
        let sentence = format!("{before} {after}").to_lowercase();
        let words: Vec<_> = sentence
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        let from_today = relative(&sentence, &RELATIVE_TO_TODAY);
        let mut apart = spans(&words);
        apart.extend(relative(&sentence, &RELATIVE));
        let is_tomorrow = || {
            let mut days = from_today.iter().map(|span| day.plus(-span));
            days.any(|day| self.is_today(day))
        };
        let lasts = |span: &i64| self.evidence.holds_date(day.plus(-span).date());
        is_tomorrow()
            || (says_end(&sentence) && self.schedule.spans.iter().any(lasts))
            || (!apart.is_empty()
                && self
                    .known_beside(fact, content)
                    .into_iter()
                    .any(|other| apart.contains(&other.days_to(day)) && !other.is(day)))
    }

    /// Checks whether `day` belongs to a series that starts with a known day, if the results or the reply say how far
    /// apart its days are.
    fn comes_again(&self, day: Day, fact: &Fact<'_>, content: &str) -> bool {
        let periods = self.periods.get_or_init(|| {
            let mut periods = periods_in(read_part(content));
            periods.extend(&self.schedule.periods);
            periods
        });
        if periods.is_empty() {
            return false;
        }
        // Any day is some weeks after a known one by chance, so the reply must state the first day or the weekday as
        // well.
        let named = self.known_beside(fact, content);
        let is_by_weekday = self.fits_weekday(day, fact, content);
        let is_known = |date: Option<Date>| {
            date.is_some_and(|date| {
                let is_first = |first: Day| Day::of(date).is_some_and(|date| first.is(date));
                let is_named = || named.iter().any(|day| is_first(*day));
                self.evidence.holds_date(date) && (is_by_weekday || is_named())
            })
        };
        (1..=MOST_PERIODS).any(|times| {
            periods.iter().any(|period| {
                let date = day.date();
                is_known(match period {
                    Period::Week => Some(day.plus(-7 * times).date()),
                    Period::Month => months_before(date, times),
                    Period::Year => date.year.map(|year| Date {
                        year: Some(year.saturating_sub(times as u16)),
                        ..date
                    }),
                })
            })
        })
    }

    /// Checks whether the reply names a day close to a known day, with its weekday, as a day that is free or on which
    /// something resumes.
    fn is_bounded(&self, day: Day, fact: &Fact<'_>, content: &str) -> bool {
        let (before, after) = sentence_of(fact, content);
        let is_close = |mut days: std::ops::RangeInclusive<i64>| {
            days.any(|days| self.evidence.holds_date(day.plus(-days).date()))
        };
        let is_free = || (says_nothing(before) || says_nothing(after)) && is_close(-CLOSE..=CLOSE);
        let is_back = || says_back(before) && is_close(1..=WEEKEND);
        (is_free() || is_back())
            && self.fits_weekday(day, fact, content)
            && !is_called_today(fact, content)
    }

    /// Returns the other known days that the line of a date mentions.
    fn known_beside(&self, fact: &Fact<'_>, content: &str) -> Vec<Day> {
        let (before, after) = sentence_of(fact, content);
        let known = |text| days_in(text, self.texts).into_iter();
        let days = known(before).chain(known(after));
        days.filter(|day| self.evidence.holds_date(day.date()))
            .collect()
    }

    /// Checks whether the reply gives a date the right weekday. A date without a year may be in any known year.
    fn fits_weekday(&self, day: Day, fact: &Fact<'_>, content: &str) -> bool {
        let Some(weekday) = weekday_given(fact, content) else {
            return false;
        };
        if day.has_year {
            return day.weekday() == weekday;
        }
        YEARS
            .filter(|year| self.evidence.knows_year(*year))
            .any(|year| {
                let date = Date {
                    year: Some(year),
                    ..day.date()
                };
                Day::of(date).is_some_and(|day| day.weekday() == weekday)
            })
    }

    /// Returns a day without a year as a day of this year and of the next one.
    fn in_years_of_today(&self, day: Day) -> impl Iterator<Item = Day> {
        let years = self.today.iter().filter_map(|today| today.date().year);
        let years: BTreeSet<_> = years
            .flat_map(|year| [year, year.saturating_add(1)])
            .collect();
        years.into_iter().filter_map(move |year| {
            Day::of(Date {
                year: Some(year),
                ..day.date()
            })
        })
    }

    fn is_today(&self, day: Day) -> bool {
        self.today.iter().any(|today| today.is(day))
    }

    /// Checks whether `day` is today. If the instructions give no date, any known day may be today.
    fn may_be_today(&self, day: Day) -> bool {
        self.is_today(day) || (self.today.is_empty() && self.evidence.holds_date(day.date()))
    }

    fn add_arrivals(&mut self, call: &ToolCall<'_>, known: &Texts<'_>) {
        let mut texts = Vec::new();
        for json in [call.arguments, call.result].into_iter().flatten() {
            collect_texts(json, &mut texts);
        }
        let ends_next_day = texts.iter().any(|text| is_marked_next_day(text, known))
            || call
                .result
                .is_some_and(|result| goes_past_midnight(result, known));
        if ends_next_day {
            let days = texts.iter().flat_map(|text| days_in(text, known));
            self.arrivals.extend(days.map(|day| day.plus(1)));
        }
    }

    fn add_words(&mut self, text: &str) {
        let words: Vec<_> = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        self.days
            .extend(words.iter().filter_map(|word| day_of_month(word)));
        self.weekdays.extend(words.iter().filter_map(|word| {
            let known = WEEKDAY_OF.get_or_init(|| by_word(WEEKDAYS.into_iter().zip(0..)));
            known.get(word).copied()
        }));
        let is_last = |word: &&str| Token::of_word(word).says_one_of(&LAST_OF_RELATIVE);
        if words.iter().any(is_last) {
            let from_today = relative(text, &RELATIVE_TO_TODAY);
            self.spans_from_today.extend(from_today);
            self.spans.extend(relative(text, &RELATIVE));
        }
        self.spans.extend(spans(&words));
    }
}

/// A day that exists, with or without a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    /// The number of the day, as in [`civil`].
    number: i64,
    has_year: bool,
}

/// The year in which days without a year are counted.
const SOME_YEAR: u16 = 2023;

impl Day {
    /// Returns the day of a date, or `None` if it does not exist.
    pub fn of(date: Date) -> Option<Self> {
        let (month, day) = (i64::from(date.month), i64::from(date.day?));
        let year = i64::from(date.year.unwrap_or(SOME_YEAR));
        let found = Self {
            number: civil::days(year, month, day),
            has_year: date.year.is_some(),
        };
        let again = found.date();
        ((again.month, again.day) == (date.month, date.day)).then_some(found)
    }

    fn date(self) -> Date {
        let (year, month, day) = civil::civil(self.number);
        Date {
            year: self.has_year.then_some(year),
            month,
            day: Some(day),
            swapped: false,
        }
    }

    /// Returns the day that is this many days later.
    pub fn plus(self, days: i64) -> Self {
        Self {
            number: self.number + days,
            ..self
        }
    }

    /// Returns both days in the same year if only one of them has a year.
    fn in_one_year(self, other: Self) -> (Self, Self) {
        let with_year = |day: Self, year: Option<u16>| {
            let date = day.date();
            let year = date.year.or(year);
            Self::of(Date { year, ..date }).unwrap_or(day)
        };
        let years = (self.date().year, other.date().year);
        (with_year(self, years.1), with_year(other, years.0))
    }

    /// Returns the number of days from this day to `other`.
    pub fn days_to(self, other: Self) -> i64 {
        let (first, second) = self.in_one_year(other);
        second.number - first.number
    }

    /// Returns the number of whole months between this day and `other`.
    pub fn months_to(self, other: Self) -> i64 {
        let (mut first, mut second) = self.in_one_year(other);
        if first.number > second.number {
            (first, second) = (second, first);
        }
        let months =
            |date: Date| 12 * i64::from(date.year.unwrap_or(SOME_YEAR)) + i64::from(date.month);
        let (first, second) = (first.date(), second.date());
        months(second) - months(first) - i64::from(second.day < first.day)
    }

    /// Returns the day of the week, where 0 is Monday.
    pub fn weekday(self) -> usize {
        civil::weekday(self.number)
    }

    fn is(self, other: Self) -> bool {
        let (a, b) = (self.date(), other.date());
        let years_agree = a.year.is_none() || b.year.is_none() || a.year == b.year;
        (a.month, a.day) == (b.month, b.day) && years_agree
    }
}

/// Returns the same day of the month, this many months before.
fn months_before(date: Date, months: i64) -> Option<Date> {
    let all = i64::from(date.year?) * 12 + i64::from(date.month) - 1 - months;
    Some(Date {
        year: u16::try_from(all.div_euclid(12)).ok(),
        month: all.rem_euclid(12) as u8 + 1,
        ..date
    })
}

/// Checks whether a time is marked as being on the next day: `03:00:00+1`.
fn is_marked_next_day(text: &str, known: &Texts<'_>) -> bool {
    let is_day = |after: &str| !after.starts_with(|c: char| c.is_ascii_digit() || c == ':');
    let is_marked = text.split_once("+1").is_some_and(|(time, after)| {
        after.split("+1").any(is_day) && minutes_of(time, known).is_some()
    });
    const NEXT_DAY: &[u8] = b"next day";
    let mut windows = text.as_bytes().windows(NEXT_DAY.len());
    is_marked || windows.any(|window| window.eq_ignore_ascii_case(NEXT_DAY))
}

/// Checks whether a record ends at an earlier time of day than it starts.
fn goes_past_midnight(json: Json<'_>, known: &Texts<'_>) -> bool {
    let mut found = false;
    let mut left = MOST_VALUES;
    each_span(json, known, &mut left, &mut |start, end| {
        let are_times = days_in(start, known).is_empty() && days_in(end, known).is_empty();
        let minutes = minutes_of(start, known).zip(minutes_of(end, known));
        found |= are_times && minutes.is_some_and(|(start, end)| end < start);
    });
    found
}

/// Returns the minutes between the start and the end of each record in the latest results.
pub fn durations(calls: &[&ToolCall<'_>], known: &Texts<'_>) -> BTreeSet<u16> {
    let mut found = BTreeSet::new();
    for result in calls
        .iter()
        .rev()
        .take(MOST_CALLS)
        .filter_map(|call| call.result)
    {
        let mut left = MOST_VALUES;
        each_span(result, known, &mut left, &mut |start, end| {
            let (first, last) = (days_in(start, known), days_in(end, known));
            let days = match (first.first(), last.first()) {
                (Some(start), Some(end)) => end.number - start.number,
                _ => 0,
            };
            if let (Some(start), Some(end), 0..=1) =
                (minutes_of(start, known), minutes_of(end, known), days)
            {
                let minutes = i64::from(end) - i64::from(start) + 1440 * days;
                found.insert(minutes.rem_euclid(1440) as u16);
            }
        });
    }
    found
}

/// Calls `take` with the start and the end of each record that has both. It stops after `left` values.
fn each_span<'a>(
    json: Json<'a>,
    known: &Texts<'_>,
    left: &mut usize,
    take: &mut impl FnMut(&'a str, &'a str),
) {
    if *left == 0 {
        return;
    }
    *left -= 1;
    match json {
        Json::Array(items) => items
            .iter()
            .for_each(|item| each_span(*item, known, left, take)),
        Json::Object(members) => {
            let text = |parts: &[Part]| {
                members.iter().find_map(|(key, value)| {
                    let text = value.as_str()?;
                    let is_meant = parts.iter().any(|part| part.is_in(key));
                    (is_meant && minutes_of(text, known).is_some()).then_some(text)
                })
            };
            if let Some((start, end)) = text(&STARTS).zip(text(&ENDS)) {
                take(start, end);
            }
            members
                .iter()
                .for_each(|(_, value)| each_span(*value, known, left, take));
        }
        _ => {}
    }
}

fn minutes_of(text: &str, known: &Texts<'_>) -> Option<u16> {
    if text.len() > 40 {
        return None;
    }
    facts_in(text, known)
        .iter()
        .find_map(|fact| match &fact.value {
            FactValue::Time(minutes) => minutes.first().copied(),
            _ => None,
        })
}

/// Collects the texts of a value, at most [`MOST_TEXTS`].
fn collect_texts<'a>(json: Json<'a>, texts: &mut Vec<&'a str>) {
    if texts.len() >= MOST_TEXTS {
        return;
    }
    match json {
        Json::String(text) => texts.push(read_part(text)),
        Json::Array(items) => items.iter().for_each(|item| collect_texts(*item, texts)),
        Json::Object(members) => members
            .iter()
            .for_each(|(_, value)| collect_texts(*value, texts)),
        _ => {}
    }
}

/// Returns the days that a text mentions.
pub fn days_in(text: &str, known: &Texts<'_>) -> Vec<Day> {
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    let dates = facts_in(text, known);
    let dates = dates.iter().filter_map(|fact| match fact.value {
        FactValue::Date(date) => Day::of(date),
        _ => None,
    });
    dates.collect()
}

/// Returns the facts of a text. Most texts were read before, so their facts are looked up.
fn facts_in<'f>(text: &'f str, known: &'f Texts<'_>) -> Cow<'f, [Fact<'f>]> {
    match known.find(text) {
        Some(found) => Cow::Borrowed(found),
        None => Cow::Owned(facts(text)),
    }
}

/// Returns a map from each word in a space-separated list to the value of the list.
fn by_word<T: Copy>(said: impl Iterator<Item = (&'static str, T)>) -> HashMap<&'static str, T> {
    said.flat_map(|(words, value)| words.split(' ').map(move |word| (word, value)))
        .collect()
}

/// Returns the day of the month that a word states: 6 for `6th`.
fn day_of_month(word: &str) -> Option<u8> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let (number, ending) = word.split_at(digits);
    number
        .parse()
        .ok()
        .filter(|_| matches!(ending, "st" | "nd" | "rd" | "th"))
}

/// Returns the distances in days of the phrases that a text contains.
fn relative(text: &str, phrases: &[(&str, i64)]) -> Vec<i64> {
    let stands_in_text = |phrase: &str| {
        text.match_indices(phrase).any(|(at, _)| {
            let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
            ends(text[..at].chars().next_back()) && ends(text[at + phrase.len()..].chars().next())
        })
    };
    let found = phrases.iter().filter(|(phrase, _)| stands_in_text(phrase));
    found.map(|(_, days)| *days).collect()
}

/// Returns the spans, in days, that a text mentions.
fn spans(words: &[&str]) -> BTreeSet<i64> {
    let mut found = BTreeSet::new();
    for (at, window) in words.windows(2).enumerate() {
        let known = DAYS_OF.get_or_init(|| by_word(SPANS.into_iter()));
        let unit = known.get(window[1]);
        let Some((days, count)) = unit.and_then(|days| Some((days, count_of(window[0])?))) else {
            continue;
        };
        let days = days * count;
        let next = words.get(at + 2).copied().unwrap_or_default();
        let is_later = LATER.split(' ').any(|word| word == next);
        let is_earlier = EARLIER.split(' ').any(|word| word == next);
        if (1..=LONGEST_SPAN).contains(&days) {
            found.extend((!is_earlier).then_some(days));
            found.extend((!is_later).then_some(-days));
        }
    }
    found
}

fn count_of(word: &str) -> Option<i64> {
    if matches!(
        word,
        "a" | "one" | "ein" | "eine" | "einen" | "un" | "une" | "una" | "en" | "ett"
    ) {
        return Some(1);
    }
    let counted = format!("{word} x");
    let counted = facts(&counted);
    match &counted.first()?.value {
        FactValue::Number(readings) => readings.first().map(|number| *number as i64),
        _ => None,
    }
}

/// Returns the start of a text, as far as it is searched for dates.
pub fn read_part(text: &str) -> &str {
    let mut ends = LONGEST_TEXT..text.len();
    let end = ends.find(|at| text.is_char_boundary(*at));
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::super::testing::texts_unsupported_after;
    use super::*;

    fn day(year: Option<u16>, month: u8, day: u8) -> Option<Day> {
        Day::of(Date {
            year,
            month,
            day: Some(day),
            swapped: false,
        })
    }

    #[test]
    fn days_are_counted_over_months_and_years() {
        let parts =
            |day: Option<Day>| day.map(|day| (day.date().year, day.date().month, day.date().day));
        let next = |year, month, of| day(Some(year), month, of).map(|day| day.plus(1));
        assert_eq!(parts(next(2024, 2, 28)), Some((Some(2024), 2, Some(29))));
        assert_eq!(parts(next(2023, 2, 28)), Some((Some(2023), 3, Some(1))));
        assert_eq!(parts(next(1999, 12, 31)), Some((Some(2000), 1, Some(1))));
        assert_eq!(
            parts(day(None, 5, 31).map(|day| day.plus(1))),
            Some((None, 6, Some(1)))
        );
        assert_eq!(day(Some(2024), 2, 30), None);
        assert_eq!(day(Some(2024), 5, 13).map(Day::weekday), Some(0));
        assert_eq!(day(Some(2000), 1, 1).map(Day::weekday), Some(5));
    }

    #[test]
    fn words_for_relative_days_are_looked_for_where_their_last_word_is() {
        for (phrase, _) in RELATIVE_TO_TODAY.iter().chain(&RELATIVE) {
            let last = phrase.split(' ').next_back().unwrap_or_default();
            assert!(
                Token::of_word(last).says_one_of(&LAST_OF_RELATIVE),
                "{phrase}"
            );
        }
    }

    /// Returns the unsupported facts of a reply to a user who said `said`, after a search for flights on May 25.
    fn unsupported(said: &str, times: &str, reply: &str) -> Vec<String> {
        let said = serde_json::Value::from(said);
        let turns = format!(
            r#"{{"turn_id":1,"role":"system","content":"Today is 2024-05-15."}},
            {{"turn_id":2,"role":"user","content":{said}}},
            {{"turn_id":3,"role":"agent","tool_calls":[{{"name":"search","arguments":{{"date":"2024-05-25"}},
                "result":[{{"number":"HAT276",{times}}}]}}]}}"#
        );
        texts_unsupported_after(&turns, reply)
    }

    #[test]
    fn what_leaves_late_arrives_on_the_next_day() {
        let marked = r#""departs":"18:00:00","arrives":"00:00:00+1""#;
        let late = r#""departure_time":"22:30","arrival_time":"01:15""#;
        let early = r#""departure_time":"10:30","arrival_time":"14:15""#;
        let reply = "HAT276 arrives on May 26, 2024.";
        for times in [marked, late] {
            assert!(unsupported("Hi", times, reply).is_empty(), "{times}");
            assert_eq!(
                unsupported("Hi", times, "HAT276 leaves on May 26."),
                ["May 26"]
            );
            assert_eq!(
                unsupported("Hi", times, "It arrives on May 27."),
                ["May 27"]
            );
        }
        assert_eq!(unsupported("Hi", early, reply), ["May 26, 2024"]);
    }

    #[test]
    fn days_that_the_user_speaks_of_are_worked_out() {
        for (said, reply) in [
            ("Move it to the 6th.", "I look for May 6th."),
            ("Move it by two days.", "You fly on 2024-05-27."),
            ("I come back 3 nights later", "Back on May 28."),
            ("a week earlier, please", "That is May 18."),
            ("The day after, maybe", "May 26, 2024"),
            ("I fly tomorrow.", "So you fly on May 16."),
            ("Next Friday", "That is Friday, May 17, 2024."),
            ("Drei Tage später", "Am 28. Mai 2024"),
        ] {
            assert!(unsupported(said, r#""x":1"#, reply).is_empty(), "{said}");
        }
        for (said, reply) in [
            ("Move it to the 6th.", "I look for May 7th."),
            ("I come back 3 nights later", "Back on May 22."),
            ("I fly tomorrow.", "So you fly on May 26."),
            ("Next Friday", "That is May 18, 2024."),
            ("Hi", "You fly on May 16."),
        ] {
            assert_eq!(unsupported(said, r#""x":1"#, reply).len(), 1, "{said}");
        }
    }
}
