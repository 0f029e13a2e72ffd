//! Times of day that people name in words: "half past 11", "a quarter to five", "five in the evening".

use foldhash::HashSet;

use super::pieces::{Joint, Piece, pieces};
use toolgauge_facts::{Token, WordList};

/// Longer texts are instructions and documents rather than something a person says.
const LONGEST: usize = 20_000;

/// The hours in words.
static HOURS: WordList =
    WordList::of("one two three four five six seven eight nine ten eleven twelve");

/// Minutes in words, each with its number.
const MINUTES: [(&str, u16); 6] = [
    ("half", 30),
    ("quarter", 15),
    ("five", 5),
    ("ten", 10),
    ("twenty", 20),
    ("fifteen", 15),
];

/// Words that place a time before noon.
static MORNING: WordList = WordList::of("morning am");

/// Words that place a time after noon.
static LATER: WordList = WordList::of("afternoon evening night tonight noon pm");

/// How many words before or after a time its half of the day may be.
const REACH: usize = 3;

/// Adds the times that a text names in words, as minutes of the day.
pub fn add(text: &str, found: &mut HashSet<u16>) {
    if text.len() > LONGEST {
        return;
    }
    let pieces = pieces(text);
    for at in 0..pieces.len() {
        let Some(hour) = hour(&pieces[at]) else {
            continue;
        };
        let half = half_of_day(&pieces, at);
        let minutes = minutes_before(&pieces[..at]).map(|minutes| 60 * hour as i32 + minutes);
        // A bare number is an hour only if the half of the day is stated.
        let is_bare = minutes.is_none() && !is_minute(&pieces[at + 1..]);
        let bare = half.filter(|_| is_bare);
        let bare = bare.map(|_| 60 * i32::from(hour) + minutes_after(&pieces[at + 1..]));
        for time in [minutes, bare].into_iter().flatten() {
            let time = time.rem_euclid(720) as u16;
            match half {
                Some(Half::Morning) => found.extend([time]),
                Some(Half::Later) => found.extend([time + 720]),
                None => found.extend([time, time + 720]),
            }
        }
    }
}

/// Words before opening hours.
static OPENS: WordList = WordList::of(
    "mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday daily open opens hours mo di mi \
    do fr sa so täglich lun mar mer jeu ven sam dim",
);

/// Adds the hours of a span that follows a day: "Mon-Fri 9-17".
pub fn add_hours(text: &str, found: &mut HashSet<u16>) {
    if text.len() > LONGEST {
        return;
    }
    let pieces = pieces(text);
    for at in 1..pieces.len().saturating_sub(1) {
        let (first, last) = (&pieces[at], &pieces[at + 1]);
        let is_span = matches!(last.joint, Joint::Sign('-' | '–'));
        let hours = hour_of_day(first).zip(hour_of_day(last));
        let Some((first, last)) = hours.filter(|_| is_span) else {
            continue;
        };
        if Token::of_word(pieces[at - 1].text).says_one_of(&OPENS) {
            for hour in [first, last] {
                found.extend([hour % 24 * 60, (hour + 12) % 24 * 60]);
            }
        }
    }
}

fn hour_of_day(piece: &Piece<'_>) -> Option<u16> {
    let hour = piece.is_digits.then(|| piece.text.parse().ok()).flatten();
    hour.filter(|hour| *hour <= 24)
}

#[derive(Clone, Copy)]
enum Half {
    Morning,
    Later,
}

fn hour(piece: &Piece<'_>) -> Option<u16> {
    let hour = match piece.is_digits {
        true => piece.text.parse().ok(),
        false => Token::of_word(piece.text)
            .place_among(&HOURS)
            .map(|place| place as u16 + 1),
    };
    hour.filter(|hour| (1..=12).contains(hour))
}

/// Returns the minutes that the words before an hour add to it: "half past", "a quarter to", "ten minutes to".
fn minutes_before(before: &[Piece<'_>]) -> Option<i32> {
    let [rest @ .., direction] = before else {
        return None;
    };
    let sign = match direction.text.to_ascii_lowercase().as_str() {
        "past" | "after" => 1,
        "to" | "before" | "till" => -1,
        _ => return None,
    };
    let rest = match rest {
        [rest @ .., word] if word.text.eq_ignore_ascii_case("minutes") => rest,
        rest => rest,
    };
    let word = rest.last()?;
    let minutes = match word.is_digits {
        true => word.text.parse().ok().filter(|minutes| *minutes < 60)?,
        false => {
            let known = MINUTES
                .iter()
                .find(|(name, _)| word.text.eq_ignore_ascii_case(name));
            known?.1
        }
    };
    let is_time =
        word.is_digits || matches!(minutes, 15 | 30) || direction.text.eq_ignore_ascii_case("past");
    is_time.then_some(sign * i32::from(minutes))
}

/// Returns `true` if the words after a number make it the minutes before or after an hour: "10 past 5".
fn is_minute(after: &[Piece<'_>]) -> bool {
    let words = after.iter().take(2);
    let mut words = words.skip_while(|word| word.text.eq_ignore_ascii_case("minutes"));
    words
        .next()
        .is_some_and(|word| matches!(word.text, "past" | "to" | "before" | "till"))
}

/// Returns the minutes that are written after an hour: "eleven thirty", "11:30".
fn minutes_after(after: &[Piece<'_>]) -> i32 {
    let next = after.first().map_or("", |next| next.text);
    match next.to_ascii_lowercase().as_str() {
        "thirty" => 30,
        "fifteen" => 15,
        "forty" => 45,
        next if next.len() == 2 => next.parse().unwrap_or(0),
        _ => 0,
    }
}

fn half_of_day(pieces: &[Piece<'_>], at: usize) -> Option<Half> {
    let before = pieces[..at].iter().rev().take(REACH);
    let after = pieces[at + 1..].iter().take(REACH + 1);
    let mut near = after.chain(before);
    near.find_map(|piece| {
        let word = Token::of_word(piece.text);
        match (word.says_one_of(&MORNING), word.says_one_of(&LATER)) {
            (true, _) => Some(Half::Morning),
            (false, true) => Some(Half::Later),
            (false, false) => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(text: &str) -> Vec<String> {
        let mut found = HashSet::default();
        add(text, &mut found);
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_unstable();
        let clock = |minutes: u16| format!("{}:{:02}", minutes / 60, minutes % 60);
        found.into_iter().map(clock).collect()
    }

    #[test]
    fn times_in_words() {
        assert_eq!(times("Come at half past 11 in the morning."), ["11:30"]);
        assert_eq!(times("the quarter to 5 in the evening show"), ["16:45"]);
        assert_eq!(times("at quarter past six"), ["6:15", "18:15"]);
        assert_eq!(times("at 10 past 5 in the evening"), ["17:10"]);
        assert_eq!(times("at eleven in the morning"), ["11:00"]);
        assert_eq!(times("in the evening at four thirty"), ["16:30"]);
    }

    #[test]
    fn hours_after_days() {
        let mut found = HashSet::default();
        add_hours("Mon-Fri 9-17, in 3-5 days", &mut found);
        let mut found: Vec<_> = found.into_iter().map(|minutes| minutes / 60).collect();
        found.sort_unstable();
        assert_eq!(found, [5, 9, 17, 21]);
    }

    #[test]
    fn other_numbers_are_no_times() {
        for text in [
            "a table for four",
            "from five to six people",
            "11 of them",
            "half of 11",
        ] {
            assert_eq!(times(text), [""; 0], "{text}");
        }
    }
}
