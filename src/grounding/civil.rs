//! Days as numbers: the Gregorian calendar, counted from 1 January 1970. The `time` crate has no days before the year
//! −9999 or after 9999, but replies state spans of any length. Here, adding any number of days to a day gives a day.

/// Returns the number of a day.
pub fn days(year: i64, month: i64, day: i64) -> i64 {
    // If a year starts in March, the leap day is its last day.
    let year = year - i64::from(month < 3);
    let month = (month + 9) % 12;
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (month * 153 + 2) / 5 + day - 719_469
}

/// Returns the year, month and day for the number of a day.
pub fn civil(days: i64) -> (u16, u8, u8) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let in_era = days.rem_euclid(146_097);
    let year = (in_era - in_era / 1_460 + in_era / 36_524 - in_era / 146_096) / 365;
    let in_year = in_era - (365 * year + year / 4 - year / 100);
    let month = (5 * in_year + 2) / 153;
    let day = in_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + i64::from(month < 3);
    (year as u16, month as u8, day as u8)
}

/// Returns the day of the week for the number of a day, where 0 is Monday.
pub fn weekday(days: i64) -> usize {
    (days + 3).rem_euclid(7) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_from_1970() {
        for (year, month, day) in [(1970, 1, 1), (2000, 2, 29), (2031, 12, 31)] {
            let number = days(year.into(), month.into(), day.into());
            assert_eq!(civil(number), (year, month, day));
        }
        assert_eq!(days(1970, 1, 2), 1);
    }

    #[test]
    fn the_first_of_1970_was_a_thursday() {
        assert_eq!(weekday(0), 3);
        assert_eq!(weekday(-4), 6);
    }
}
