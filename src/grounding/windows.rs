//! Dates that are the borders of a window: the agent works them out from a year, a month or a day that is known.

use super::evidence::Evidence;
use super::mentions::Mentions;
use crate::facts::{Date, Token, WordList};
use crate::model::{Path, words_of};

/// Words in the names of parameters that start a window.
static STARTS: WordList = WordList::of(
    "ab after begin beginning debut début depuis desde earliest first fra from gt gte lower min minimum newer since \
    start starting starts von",
);

/// Words in the names of parameters that end one.
static ENDS: WordList = WordList::of(
    "before bis end ending ends fin hasta jusqu last latest lower lt lte max maximum older slutt stop through thru til \
    till to until up upper",
);

/// Words in the names of parameters that hold both.
static BOTH: WordList =
    WordList::of("between date_range daterange interval period range window zeitraum");

/// Which end of a window a parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Border {
    /// Its first day.
    Start,
    /// Its last day, or the first one after it.
    End,
    /// One of both.
    Either,
}

impl Border {
    /// Which one the parameter at this path is, if any.
    pub fn at(path: &Path) -> Option<Self> {
        let words = words_of(path.as_str());
        let has = |list: &WordList| {
            let mut words = words.iter();
            words.any(|word| Token::of_word(word).says_one_of(list))
        };
        match (has(&STARTS), has(&ENDS), has(&BOTH)) {
            (true, true, _) | (false, false, true) => Some(Self::Either),
            (true, false, _) => Some(Self::Start),
            (false, true, _) => Some(Self::End),
            (false, false, false) => None,
        }
    }

    fn may_start(self) -> bool {
        self != Self::End
    }

    fn may_end(self) -> bool {
        self != Self::Start
    }
}

/// Whether `date` is the border of a year, a quarter, a month or a day that is known.
pub fn is_worked_out(
    date: Date,
    border: Border,
    mentions: &Mentions,
    evidence: Evidence<'_>,
) -> bool {
    let Some(day) = Day::of(date) else {
        return false;
    };
    let (before, after) = (day.previous(), day.next());
    let knows = |day: Day| evidence.holds_date(day.date());
    if knows(before) || knows(after) {
        return true;
    }
    // The first day of a span, and the last one; the first day after it may end it as well.
    let starts =
        border.may_start() && day.day == 1 && knows_span(day, day.month, mentions, evidence);
    let ends_on = |last: Day| {
        let is_last = last.next().day == 1;
        border.may_end() && is_last && knows_span(last, last.month % 12 + 1, mentions, evidence)
    };
    starts || ends_on(day) || ends_on(before)
}

/// Whether the month of `day` is known, or its year, where a quarter starts with the month `next`.
fn knows_span(day: Day, next: u8, mentions: &Mentions, evidence: Evidence<'_>) -> bool {
    let starts_quarter = next % 3 == 1;
    mentions.hold_month(day.month)
        || evidence.knows_month(day.month, Some(day.year))
        || (starts_quarter && mentions.hold_year(day.year))
}

/// Whether the user named the day of `date` without its month: that is one that is known, or the next one.
pub fn is_named_by_day(date: Date, mentions: &Mentions, evidence: Evidence<'_>) -> bool {
    let Some(day) = Day::of(date).filter(|day| mentions.hold_day(day.day)) else {
        return false;
    };
    let before = Day { day: 1, ..day }.previous();
    let knows = |day: Day| evidence.knows_month(day.month, Some(day.year));
    let knows_any = || (1..=12).any(|month| evidence.knows_month(month, None));
    knows(day) || knows(before) || !knows_any()
}

/// A day of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Day {
    year: u16,
    month: u8,
    day: u8,
}

impl Day {
    fn of(date: Date) -> Option<Self> {
        let (year, day) = (date.year?, date.day?);
        let exists =
            (1..=12).contains(&date.month) && (1..=days_in(date.month, year)).contains(&day);
        exists.then_some(Self {
            year,
            month: date.month,
            day,
        })
    }

    fn date(self) -> Date {
        Date {
            year: Some(self.year),
            month: self.month,
            day: Some(self.day),
            swapped: false,
        }
    }

    fn next(self) -> Self {
        let Self { year, month, day } = self;
        if day < days_in(month, year) {
            return Self {
                day: day + 1,
                ..self
            };
        }
        Self {
            year: year.saturating_add(u16::from(month == 12)),
            month: month % 12 + 1,
            day: 1,
        }
    }

    fn previous(self) -> Self {
        let Self { year, month, day } = self;
        if day > 1 {
            return Self {
                day: day - 1,
                ..self
            };
        }
        let (year, month) = match month {
            1 => (year.saturating_sub(1), 12),
            month => (year, month - 1),
        };
        Self {
            year,
            month,
            day: days_in(month, year),
        }
    }
}

fn days_in(month: u8, year: u16) -> u8 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 => 28 + u8::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_borders_by_their_names() {
        for (name, border) in [
            ("startDate", Some(Border::Start)),
            ("time_max", Some(Border::End)),
            ("filters.created.gte", Some(Border::Start)),
            ("until", Some(Border::End)),
            ("date_range[1]", Some(Border::Either)),
            ("from_to", Some(Border::Either)),
            ("birth_date", None),
        ] {
            assert_eq!(Border::at(&Path::written(name)), border, "{name}");
        }
    }

    #[test]
    fn days_follow_each_other_over_months_and_years() {
        for (year, month, day) in [(2024, 2, 28), (2023, 2, 28), (2023, 12, 31), (2024, 4, 30)] {
            let first = Day { year, month, day };
            assert_eq!(first.next().previous(), first);
        }
        let last = Day {
            year: 2023,
            month: 12,
            day: 31,
        };
        let next = Day {
            year: 2024,
            month: 1,
            day: 1,
        };
        assert_eq!(last.next(), next);
    }
}
