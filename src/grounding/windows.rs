//! Detects dates that are the borders of a window. The agent works them out from a known year, month or day.

use time::{Date as Day, Month};

use super::evidence::Evidence;
use super::mentions::Mentions;
use toolgauge_facts::{Date, Token, WordList};
use toolgauge_model::{Path, words_of};

/// Words in the names of parameters that start a window.
static STARTS: WordList = WordList::of(
    "ab after begin beginning debut début depuis desde earliest first fra from gt gte lower min minimum newer since \
    start starting starts von",
);

/// Words in the names of parameters that end a window.
static ENDS: WordList = WordList::of(
    "before bis end ending ends fin hasta jusqu last latest lower lt lte max maximum older slutt stop through thru til \
    till to until up upper",
);

/// Words in the names of parameters that hold both borders.
static BOTH: WordList =
    WordList::of("between date_range daterange interval period range window zeitraum");

/// The border of a window that a parameter gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Border {
    /// The first day of the window.
    Start,
    /// The last day of the window, or the day after it.
    End,
    /// Either border.
    Either,
}

impl Border {
    /// Returns the border that the parameter at this path gives, if any.
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

/// Checks whether `date` is the border of a known year, quarter, month or day.
pub fn is_worked_out(
    date: Date,
    border: Border,
    mentions: &Mentions,
    evidence: Evidence<'_>,
) -> bool {
    let Some(day) = day_of(date) else {
        return false;
    };
    let (before, after) = (day.previous_day(), day.next_day());
    let knows = |day: Day| date_of(day).is_some_and(|date| evidence.holds_date(date));
    if before.is_some_and(knows) || after.is_some_and(knows) {
        return true;
    }
    // A span ends on its last day or on the day after it.
    let starts =
        border.may_start() && day.day() == 1 && knows_span(day, day.month(), mentions, evidence);
    let ends_on = |last: Day| {
        let is_last = last.next_day().is_some_and(|next| next.day() == 1);
        border.may_end() && is_last && knows_span(last, last.month().next(), mentions, evidence)
    };
    starts || ends_on(day) || before.is_some_and(ends_on)
}

/// Checks whether the month of `day` is known, or its year if a quarter starts with the month `next`.
fn knows_span(day: Day, next: Month, mentions: &Mentions, evidence: Evidence<'_>) -> bool {
    let starts_quarter = u8::from(next) % 3 == 1;
    let year = u16::try_from(day.year()).ok();
    mentions.hold_month(day.month().into())
        || (year.is_some() && evidence.knows_month(day.month().into(), year))
        || (starts_quarter && year.is_some_and(|year| mentions.hold_year(year)))
}

/// Checks whether the user named the day of `date` without its month. The month must be a known month or the one after
/// it, unless no month is known.
pub fn is_named_by_day(date: Date, mentions: &Mentions, evidence: Evidence<'_>) -> bool {
    let Some(day) = day_of(date).filter(|day| mentions.hold_day(day.day())) else {
        return false;
    };
    let last_of_month_before = day.replace_day(1).ok().and_then(Day::previous_day);
    let knows = |day: Day| {
        let year = u16::try_from(day.year()).ok();
        year.is_some() && evidence.knows_month(day.month().into(), year)
    };
    let knows_any = || (1..=12).any(|month| evidence.knows_month(month, None));
    knows(day) || last_of_month_before.is_some_and(knows) || !knows_any()
}

/// Returns the calendar day of a date if the date has a year and exists.
fn day_of(date: Date) -> Option<Day> {
    let month = Month::try_from(date.month).ok()?;
    Day::from_calendar_date(date.year?.into(), month, date.day?).ok()
}

/// Converts a day into a date with its year. Returns `None` for years before 0.
fn date_of(day: Day) -> Option<Date> {
    Some(Date {
        year: Some(u16::try_from(day.year()).ok()?),
        month: day.month().into(),
        day: Some(day.day()),
        swapped: false,
    })
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
}
