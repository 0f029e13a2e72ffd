//! Times at which something ends. It starts at a time in the same line, and the line or the evidence says how long it
//! lasts: "10:00 (40 min), ends 10:40", "10:00–10:40".

use super::Stated;
use super::index::{Index, Match};
use super::pieces::pieces;
use toolgauge_facts::{Fact, FactValue, Token, WordList};

/// How many facts before a time are checked.
const MOST: usize = 6;

/// The most bytes between the start and the end.
const NEAR: usize = 120;

/// The minutes of a day.
const DAY: u16 = 1440;

/// The lengths, in minutes, that are looked up in the evidence.
const LENGTHS: std::ops::RangeInclusive<u16> = 10..=480;

static EARLIER: WordList =
    WordList::of("before earlier ahead prior vorher früher vor avant plus antes før");
static LATER: WordList = WordList::of("after later nach später après después luego etter");
static APART: WordList =
    WordList::of("ahead behind difference voraus zurück avance retard adelantado atrasado");
static MINUTES: WordList = WordList::of("min mins minute minutes minuten minuto minutos minutter");
static HOURS: WordList =
    WordList::of("h hr hrs hour hours stunde stunden heure heures hora horas timer");

/// Returns `true` if the time at index `at` follows from an earlier time in its line and a length.
pub fn shows(at: usize, reply: &Stated<'_, '_>, index: &Index) -> bool {
    let fact = &reply.facts[at];
    let ends = minutes(fact);
    let before = reply.facts[..at].iter().rev().take(MOST);
    let mut before = before.take_while(|other| is_near(other, fact, reply.content));
    if is_set_off(at, reply) {
        return true;
    }
    let mut lengths = Vec::new();
    before.any(|other| {
        lengths.extend(length(other, reply.content));
        let is_span = is_span(other, fact, reply.content);
        minutes(other).iter().any(|start| {
            ends.iter().any(|end| {
                let length = (end + DAY - start) % DAY;
                lengths.contains(&length) || (is_span && is_known(length, index))
            })
        })
    })
}

/// Returns `true` if a time is as far before or after a known time as its line says: "30 minutes before it, at 15:45".
fn is_set_off(at: usize, reply: &Stated<'_, '_>) -> bool {
    let fact = &reply.facts[at];
    let others = reply.facts[..at].iter().rev().take(MOST);
    let mut others = others.take_while(|other| is_near(other, fact, reply.content));
    others.any(|other| {
        let Some(length) = length(other, reply.content) else {
            return false;
        };
        let between = &reply.content[other.end()..fact.start];
        let says = |words| {
            let mut all = between.split(|c: char| !c.is_alphanumeric());
            all.any(|word| !word.is_empty() && Token::of_word(word).says_one_of(words))
        };
        // "London is five hours ahead" says which of two zones is later, but not which of the two times is known.
        let apart = says(&APART);
        let (earlier, later) = (says(&EARLIER) || apart, says(&LATER) || apart);
        minutes(fact).iter().any(|minute| {
            let knows = |minute: u16| reply.evidence.holds_time(minute % DAY);
            (earlier && knows(minute + length)) || (later && knows(minute + DAY - length))
        })
    })
}

/// Returns the minutes of the day that a time may mean.
fn minutes<'f>(fact: &'f Fact<'_>) -> &'f [u16] {
    match &fact.value {
        FactValue::Time(minutes) => minutes,
        FactValue::Number(_) | FactValue::Date(_) | FactValue::Text(_) => &[],
    }
}

/// Returns `true` if both facts are in one line and near each other.
fn is_near(first: &Fact<'_>, last: &Fact<'_>, content: &str) -> bool {
    let between = first.start..last.start;
    between.len() <= NEAR && !content[between].contains('\n')
}

/// Returns a number with a unit of time after it, in minutes.
fn length(fact: &Fact<'_>, content: &str) -> Option<u16> {
    let FactValue::Number(values) = &fact.value else {
        return None;
    };
    let digits = match fact.text.starts_with(char::is_alphabetic) {
        true => fact.text,
        false => fact.text.trim_end_matches(char::is_alphabetic),
    };
    let after = content[fact.start + digits.len()..].trim_start_matches([' ', '-', '\u{2011}']);
    let unit = after.split(|c: char| !c.is_alphabetic()).next()?;
    if unit.is_empty() {
        return None;
    }
    let unit = Token::of_word(unit);
    let minutes = match unit.says_one_of(&MINUTES) {
        true => 1.0,
        false if unit.says_one_of(&HOURS) => 60.0,
        false => return None,
    };
    let length = values.first()? * minutes;
    (1.0..=f64::from(DAY))
        .contains(&length)
        .then_some(length as u16)
}

/// Returns `true` if two times are joined as a span.
fn is_span(start: &Fact<'_>, end: &Fact<'_>, content: &str) -> bool {
    let between = &content[start.end()..end.start];
    matches!(
        between.trim(),
        "-" | "–" | "—" | "→" | "\u{2011}" | "to" | "bis" | "à" | "a" | "til"
    )
}

/// Returns `true` if the evidence mentions this number of minutes.
fn is_known(length: u16, index: &Index) -> bool {
    let units = ["minutes", "min", "mins", "minuten"];
    let stands = |text: &str| {
        let pieces = pieces(text);
        let mut places = index.places(&pieces, Match::Grouped);
        places.any(|place| place.is_number())
    };
    LENGTHS.contains(&length) && units.iter().any(|unit| stands(&format!("{length} {unit}")))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::texts_unsupported_after;

    fn unsupported(reply: &str) -> Vec<String> {
        let turns = r#"{"turn_id":1,"role":"user","content":"When?"},
            {"turn_id":2,"role":"agent","tool_calls":[{"name":"look","arguments":{},
                "result":"Visit 1\n- Time: 11:20\n- Duration: 35 minutes\n- Room: 4"}]}"#;
        texts_unsupported_after(turns, reply)
    }

    #[test]
    fn what_starts_and_lasts_has_an_end() {
        for reply in [
            "It is at 11:20 (35 min) → ends 11:55.",
            "It is 11:20–11:55.",
            "From 11:20 to 11:55.",
        ] {
            assert_eq!(unsupported(reply), [""; 0], "{reply}");
        }
        for reply in [
            "A reminder 30 minutes before it would ring at 10:50.",
            "Come 2 hours later, at 13:20.",
        ] {
            let found = unsupported(reply);
            assert!(
                !found.iter().any(|text| text.contains(':')),
                "{reply} {found:?}"
            );
        }
        for reply in [
            "It is at 11:20 (35 min) → ends 11:50.",
            "A reminder 35 minutes before it would ring at 11:50.",
            "It is 11:20–11:50.",
            "It starts 11:20. It ends.\nThe next is at 11:50.",
        ] {
            assert_eq!(unsupported(reply), ["11:50"], "{reply}");
        }
    }
}
