//! Reads dates and times in values, and lists the ways in which replies write them.

/// A date or a time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// A day: year, month, day.
    Day(u32, u32, u32),
    /// A time: hour, minute.
    Time(u32, u32),
}

/// The most dates and times that are read from one value.
const MOST: usize = 4;

/// The names of the months and their abbreviations: English, German, French, Spanish, Norwegian.
const MONTHS: [&[&str]; 12] = [
    &["january", "jan", "januar", "janvier", "enero"],
    &["february", "feb", "februar", "février", "febrero"],
    &["march", "mar", "märz", "mars", "marzo"],
    &["april", "apr", "avril", "abril"],
    &["may", "mai", "mayo"],
    &["june", "jun", "juni", "juin", "junio"],
    &["july", "jul", "juli", "juillet", "julio"],
    &["august", "aug", "août", "agosto"],
    &["september", "sep", "sept", "septembre", "septiembre"],
    &["october", "oct", "oktober", "okt", "octobre", "octubre"],
    &["november", "nov", "novembre", "noviembre"],
    &[
        "december",
        "dec",
        "dezember",
        "dez",
        "desember",
        "des",
        "décembre",
        "diciembre",
    ],
];

/// Returns the dates (2024-05-16) and times (17:30, 17:30:00) in `text`.
pub fn moments_in(text: &str) -> Vec<Moment> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() && found.len() < MOST {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let end = at
            + bytes[at..]
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count();
        let (moment, next) = match (end - at, bytes.get(end)) {
            (4, Some(b'-')) => day_at(bytes, at, end),
            (1 | 2, Some(b':')) => time_at(bytes, at, end),
            _ => (None, end),
        };
        found.extend(moment);
        at = next;
    }
    found
}

fn day_at(bytes: &[u8], start: usize, end: usize) -> (Option<Moment>, usize) {
    let (year, month, day) = (
        number(bytes, start, end),
        number(bytes, end + 1, end + 3),
        number(bytes, end + 4, end + 6),
    );
    let has_dash = bytes.get(end + 3) == Some(&b'-');
    match (year, month, day) {
        (Some(year), Some(month @ 1..=12), Some(day @ 1..=31)) if has_dash => {
            (Some(Moment::Day(year, month, day)), end + 6)
        }
        _ => (None, end),
    }
}

/// Reads a time, skipping its seconds and fractions.
fn time_at(bytes: &[u8], start: usize, end: usize) -> (Option<Moment>, usize) {
    let (hour, minute) = (number(bytes, start, end), number(bytes, end + 1, end + 3));
    match (hour, minute) {
        (Some(hour @ 0..=23), Some(minute @ 0..=59)) => {
            let rest = bytes.get(end + 3..).unwrap_or_default();
            let skipped = rest
                .iter()
                .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.'));
            (Some(Moment::Time(hour, minute)), end + 3 + skipped.count())
        }
        _ => (None, end),
    }
}

fn number(bytes: &[u8], start: usize, end: usize) -> Option<u32> {
    let digits = bytes.get(start..end)?;
    let is_number = digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| {
        digits
            .iter()
            .fold(0, |number, digit| number * 10 + u32::from(digit - b'0'))
    })
}

impl Moment {
    /// Returns the word sequences that can stand for this date or time.
    pub fn notations(&self) -> Vec<Vec<String>> {
        match *self {
            Self::Day(year, month, day) => day_notations(year, month, day),
            Self::Time(hour, minute) => time_notations(hour, minute),
        }
    }

    /// Returns the words of requests and headings that select it: its month.
    pub fn selectors(&self) -> &'static [&'static str] {
        match *self {
            Self::Day(_, month, _) => MONTHS.get(month as usize - 1).copied().unwrap_or_default(),
            Self::Time(..) => &[],
        }
    }
}

fn day_notations(year: u32, month: u32, day: u32) -> Vec<Vec<String>> {
    let mut found = vec![
        sequence(&[year, month, day]),
        sequence(&[day, month, year]),
        vec![format!("{month}/{day}")],
        vec![format!("{day}/{month}")],
        vec![format!("{day}.{month:02}")],
    ];
    let day = day.to_string();
    for name in Moment::Day(year, month, 1).selectors() {
        let name = (*name).to_owned();
        found.push(vec![name.clone(), day.clone()]);
        found.push(vec![name.clone(), "the".to_owned(), day.clone()]);
        found.push(vec![day.clone(), name.clone()]);
        found.push(vec![day.clone(), "of".to_owned(), name.clone()]);
        found.push(vec![day.clone(), "de".to_owned(), name]);
    }
    found
}

fn time_notations(hour: u32, minute: u32) -> Vec<Vec<String>> {
    let short = match hour % 12 {
        0 => 12,
        hour => hour,
    };
    let half = if hour < 12 { "am" } else { "pm" };
    let mut found = vec![sequence(&[hour, minute]), sequence(&[short, minute])];
    if minute == 0 {
        found.push(vec![short.to_string(), half.to_owned()]);
        found.push(vec![
            short.to_string(),
            half[..1].to_owned(),
            "m".to_owned(),
        ]);
        for unit in ["uhr", "h", "o"] {
            found.push(vec![hour.to_string(), unit.to_owned()]);
        }
    }
    match (hour, minute) {
        (12, 0) => found.push(vec!["noon".to_owned()]),
        (0, 0) => found.push(vec!["midnight".to_owned()]),
        _ => {}
    }
    found.dedup();
    found
}

fn sequence(numbers: &[u32]) -> Vec<String> {
    numbers.iter().map(u32::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_are_read_and_written_in_many_ways() {
        assert_eq!(
            moments_in("2023-09-05T15:00:00.5Z to 16:30"),
            [
                Moment::Day(2023, 9, 5),
                Moment::Time(15, 0),
                Moment::Time(16, 30)
            ]
        );
        assert_eq!(moments_in("12345-67, 5551-9999, 1:2:3"), []);
        let written = |moment: Moment| {
            let notations = moment.notations().into_iter();
            notations.map(|words| words.join(" ")).collect::<Vec<_>>()
        };
        let day = written(Moment::Day(2023, 9, 5));
        for expected in ["2023 9 5", "9/5", "september 5", "5 sep", "5 of september"] {
            assert!(day.contains(&expected.to_owned()), "{expected}");
        }
        let time = written(Moment::Time(15, 0));
        for expected in ["15 0", "3 0", "3 pm", "3 p m"] {
            assert!(time.contains(&expected.to_owned()), "{expected}");
        }
    }
}
