//! Hours and days that are stated as a number alone: "until 11", "at 8 in the morning", "Thursday 13", "el día 13".

use super::Stated;
use crate::weekdays::weekday_of;
use toolgauge_facts::{Date, Fact, FactKind, FactValue, Token, WordList};

/// Words before an hour.
static AT: WordList = WordList::of(
    "at until till from by after before since um bis ab gegen vor nach à dès jusqu hasta desde las la kl til fra",
);

/// Words that may follow an hour. Any other word is what the number counts.
static FOLLOW: WordList = WordList::of(
    "in on and or to at then o sharp uhr de du y et und am tomorrow today tonight if but so when",
);

/// Words between two days of one month.
static BETWEEN_DAYS: WordList = WordList::of(
    "and to till until through und bis zum am dem den vom et au le al a y el og til to",
);

/// The most bytes between two days of one month.
const LONGEST_BETWEEN: usize = 24;

/// Words before the number of a day.
static DAYS: WordList = WordList::of("día día dia");

/// Returns `true` if a number is a known hour or a known day.
pub fn shows(fact: &Fact<'_>, reply: &Stated<'_, '_>) -> bool {
    let FactValue::Number(values) = &fact.value else {
        return false;
    };
    let number = values.first().copied().unwrap_or_default();
    let is_whole = fact.kind == FactKind::Number && number.fract() == 0.0 && number >= 0.0;
    if !is_whole || number > 31.0 {
        return false;
    }
    let number = number as u16;
    if is_day_of_next(fact, number, reply)
        || (is_asian_day(fact, reply) && holds_day(number, reply))
    {
        return true;
    }
    let Some(before) = last_word(&reply.content[..fact.start]) else {
        return false;
    };
    (is_hour(before, fact, reply) && holds_hour(number, reply))
        || (is_day(before) && holds_day(number, reply))
}

/// Returns `true` if a number is the day of a known date whose month is beside the next day: "am 3. und am 5. März",
/// "du vendredi 3 au lundi 6 juillet".
fn is_day_of_next(fact: &Fact<'_>, day: u16, reply: &Stated<'_, '_>) -> bool {
    let end = fact.end();
    let next = reply.facts.partition_point(|other| other.start < end);
    let Some((next, FactValue::Date(date))) = reply.facts.get(next).map(|next| (next, &next.value))
    else {
        return false;
    };
    let between = &reply.content[end..next.start];
    let joins =
        |word: &str| weekday_of(word).is_some() || Token::of_word(word).says_one_of(&BETWEEN_DAYS);
    let mut words = between
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty());
    let are_joined = between.len() <= LONGEST_BETWEEN
        && !between.contains('\n')
        && words.all(joins)
        && !between.trim().is_empty();
    day > 0
        && date.day.is_some()
        && are_joined
        && reply.evidence.holds_date(Date {
            day: Some(day as u8),
            ..*date
        })
}

/// Returns `true` if the sign for a day follows a number: `7日`.
fn is_asian_day(fact: &Fact<'_>, reply: &Stated<'_, '_>) -> bool {
    let after = reply.after(fact);
    let sign = ['日', '号', '號'];
    (after.starts_with(sign) && !after.starts_with("日間")) || fact.text.ends_with(sign)
}

/// Returns the word directly before a space at the end of `before`.
fn last_word(before: &str) -> Option<&str> {
    let before = before.strip_suffix([' ', '\u{a0}'])?;
    let word = before.rsplit(|c: char| !c.is_alphabetic()).next();
    word.filter(|word| !word.is_empty())
}

fn is_hour(before: &str, fact: &Fact<'_>, reply: &Stated<'_, '_>) -> bool {
    let after = &reply.content[fact.end()..];
    let next = after.strip_prefix(' ').unwrap_or_default();
    let next = next
        .split(|c: char| !c.is_alphabetic())
        .next()
        .unwrap_or_default();
    let is_alone = after.is_empty()
        || (after.starts_with(['.', ',', ';', '!', '?', ')', '\n', '\'', '’'])
            && !continues(after))
        || (!next.is_empty() && Token::of_word(next).says_one_of(&FOLLOW));
    is_alone && Token::of_word(before).says_one_of(&AT)
}

/// Returns `true` if a digit follows the sign: `11.5`.
fn continues(after: &str) -> bool {
    let mut signs = after.chars().skip(1);
    signs.next().is_some_and(|c| c.is_ascii_digit())
}

fn holds_hour(hour: u16, reply: &Stated<'_, '_>) -> bool {
    let holds = |hour: u16| reply.evidence.holds_time(hour * 60);
    hour <= 24 && (holds(hour % 24) || (hour < 12 && holds(hour + 12)))
}

fn is_day(before: &str) -> bool {
    weekday_of(before).is_some() || Token::of_word(before).says_one_of(&DAYS)
}

fn holds_day(day: u16, reply: &Stated<'_, '_>) -> bool {
    let on = |month| Date {
        year: None,
        month,
        day: Some(day as u8),
        swapped: false,
    };
    day > 0 && (1..=12).any(|month| reply.evidence.holds_date(on(month)))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::texts_unsupported_after;

    #[test]
    fn hours_and_days_may_be_bare_numbers() {
        let turns = r#"{"turn_id":1,"role":"user","content":"When?"},
            {"turn_id":2,"role":"agent","tool_calls":[{"name":"look","arguments":{},
                "result":{"from":"2031-07-17T07:00:00","to":"2031-07-17T19:00:00"}}]}"#;
        let found = |reply| texts_unsupported_after(turns, reply);
        for reply in [
            "It is on from 7 in the morning until 7.",
            "Es geht am Donnerstag 17 los.",
            "El día 17, hasta las 7 de la tarde.",
        ] {
            assert_eq!(found(reply), [""; 0], "{reply}");
        }
        for (reply, wrong) in [
            ("It is on until 9.", "9"),
            ("It comes after 7 tries.", "7"),
            ("El día 23 es.", "23"),
        ] {
            assert!(found(reply).contains(&wrong.to_owned()), "{reply}");
        }
    }
}
