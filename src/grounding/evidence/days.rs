//! Known days, months and years.

use foldhash::HashSet;

use crate::digest::NumberSet;
use toolgauge_facts::Date;

/// The days that are known, in any spelling.
#[derive(Default)]
pub struct KnownDays {
    days: HashSet<DayKey>,
    years: NumberSet,
}

/// A year, a month and a day as one number, because hashing one number is faster than hashing several fields.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct DayKey(u64);

/// The year of a day.
#[derive(Clone, Copy)]
enum Year {
    Any,
    Unstated,
    Is(u16),
}

impl DayKey {
    /// Returns the key of a day, or of a month as a whole if `day` is `None`.
    fn of(year: Year, month: u8, day: Option<u8>) -> Self {
        Self::at(year, month, day.map_or(0, u64::from))
    }

    /// Returns the key that is present if some day of a month, or the month as a whole, is known.
    fn in_month(year: Year, month: u8) -> Self {
        Self::at(year, month, 0x100)
    }

    fn at(year: Year, month: u8, day: u64) -> Self {
        let year = match year {
            Year::Any => 0x1_0000,
            Year::Unstated => 0x2_0000,
            Year::Is(year) => u64::from(year),
        };
        Self(year << 32 | u64::from(month) << 16 | day)
    }
}

impl KnownDays {
    /// Like `clone_from`: overwrites `self` but keeps its allocations.
    pub fn copy(&mut self, other: &Self) {
        let Self { days, years } = self;
        let Self {
            days: other_days,
            years: other_years,
        } = other;
        days.clone_from(other_days);
        years.copy(other_years);
    }

    /// Reserves room for this many more days.
    pub fn reserve(&mut self, days: usize) {
        self.days.reserve(days);
    }

    /// Adds a date.
    pub fn add(&mut self, date: Date) {
        let year = date.year.map_or(Year::Unstated, Year::Is);
        for (month, day) in readings(date) {
            // Conversations mention the same few days again and again: if this key is known, so are the others.
            if self.days.insert(DayKey::of(year, month, day)) {
                self.days.extend([
                    DayKey::of(Year::Any, month, day),
                    DayKey::in_month(Year::Any, month),
                    DayKey::in_month(year, month),
                ]);
                if let Some(year) = date.year {
                    self.years.insert(year.into());
                }
            }
        }
    }

    /// Returns `true` if a date is known, in any spelling.
    pub fn hold(&self, date: Date) -> bool {
        let holds = |year, month, day| self.days.contains(&DayKey::of(year, month, day));
        readings(date).any(|(month, day)| match date.year {
            None => holds(Year::Any, month, day),
            Some(year) => {
                holds(Year::Is(year), month, day)
                    || (self.years.contains(year.into()) && holds(Year::Unstated, month, day))
            }
        })
    }

    /// Returns `true` if a day is known together with its year.
    pub fn hold_with_year(&self, date: Date) -> bool {
        date.year.is_some_and(|year| {
            let day = DayKey::of(Year::Is(year), date.month, date.day);
            self.days.contains(&day)
        })
    }

    /// Returns `true` if some day of this month is known, or the month as a whole.
    pub fn hold_month(&self, month: u8, year: Option<u16>) -> bool {
        let year = year.map_or(Year::Any, Year::Is);
        self.days.contains(&DayKey::in_month(year, month))
    }

    /// Returns `true` if some date of this year is known.
    pub fn hold_year(&self, year: u16) -> bool {
        self.years.contains(year.into())
    }
}

/// Returns month and day as they are written, and swapped if the date can be read that way.
fn readings(date: Date) -> impl Iterator<Item = (u8, Option<u8>)> {
    let swapped = date
        .day
        .filter(|_| date.swapped)
        .map(|day| (day, Some(date.month)));
    [Some((date.month, date.day)), swapped]
        .into_iter()
        .flatten()
}
