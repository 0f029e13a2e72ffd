//! Dates that a reply works out: those of a weekday on which a schedule in the results has hours, and those that lie as
//! many days from a known one as their sentence says.

use std::collections::BTreeSet;

use super::weekdays::weekday_of;
use crate::facts::{Fact, Token, WordList};
use crate::model::{Json, ToolCall, start_of};

/// How many of the latest calls are looked at.
const MOST_CALLS: usize = 12;

/// How many bytes of a result.
const LONGEST_RESULT: usize = 20_000;

/// How many values of one result.
const MOST_VALUES: usize = 500;

/// How far before a date its weekday may stand in the same line.
const REACH: usize = 120;

/// How far after it.
const REACH_AFTER: usize = 14;

/// How far before the line of an item the words that introduce its list are read.
const LIST: usize = 300;

/// Words for the present day, whose date only a log can know.
static TODAY: WordList =
    WordList::of("today tonight heute aujourd hoy idag currently now jetzt maintenant ahora");

/// The weekdays that the latest results name, from Monday.
pub fn weekdays_in(calls: &[&ToolCall<'_>]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let results = calls.iter().rev().take(MOST_CALLS);
    for result in results.filter_map(|call| call.result) {
        let (mut values, mut bytes) = (MOST_VALUES, LONGEST_RESULT);
        add_weekdays(result, &mut values, &mut bytes, &mut found);
    }
    found
}

fn add_weekdays(
    json: Json<'_>,
    values: &mut usize,
    bytes: &mut usize,
    found: &mut BTreeSet<usize>,
) {
    if *values == 0 {
        return;
    }
    *values -= 1;
    let mut add = |text: &str| {
        let text = start_of(text, *bytes);
        *bytes -= text.len();
        found.extend(words(text).filter_map(weekday_of));
    };
    match json {
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
        Json::String(text) => add(text),
        Json::Array(items) => items
            .iter()
            .for_each(|item| add_weekdays(*item, values, bytes, found)),
        Json::Object(members) => {
            members.iter().for_each(|(key, _)| add(key));
            members
                .iter()
                .for_each(|(_, value)| add_weekdays(*value, values, bytes, found));
        }
    }
}

/// The weekday that a reply gives a date: beside it, or in the words before the list that it is an item of.
pub fn weekday_given(fact: &Fact<'_>, content: &str) -> Option<usize> {
    let (before, line) = line_before(fact, content);
    let after = start_of(&content[fact.start + fact.text.len()..], REACH_AFTER);
    let after = after.split('\n').next().unwrap_or_default();
    let is_item = content[line..].trim_start().starts_with([
        '-', '*', '•', '–', '1', '2', '3', '4', '5', '6', '7', '8', '9',
    ]);
    let nearest = |text: &str| words(text).filter_map(weekday_of).last();
    let heading = || nearest(end_of(&content[..line], LIST));
    nearest(before)
        .or_else(|| words(after).take(1).find_map(weekday_of))
        .or_else(|| is_item.then(heading).flatten())
}

/// Whether the words of the line around a date say that it is today.
pub fn is_called_today(fact: &Fact<'_>, content: &str) -> bool {
    let (before, _) = line_before(fact, content);
    let after = &content[fact.start + fact.text.len()..];
    let after = start_of(after.split('\n').next().unwrap_or_default(), REACH_AFTER);
    let mut words = words(before).chain(words(after));
    words.any(|word| Token::of_word(word).says_one_of(&TODAY))
}

/// Whether a reply asks for anything: what it lists may be up to the user.
pub fn asks_anything(content: &str) -> bool {
    content.contains(['?', '？']) || {
        let content = content.to_lowercase();
        ["please", "bitte", "veuillez", "por favor"]
            .iter()
            .any(|word| content.contains(word))
    }
}

/// The part of the line of a date that is read for what it says of it.
pub fn sentence_of<'t>(fact: &Fact<'_>, content: &'t str) -> (&'t str, &'t str) {
    let (before, _) = line_before(fact, content);
    let after = &content[fact.start + fact.text.len()..];
    let after = start_of(after.split('\n').next().unwrap_or_default(), REACH);
    (before, after)
}

/// What stands before a fact in its line, near it, and where the line starts.
fn line_before<'t>(fact: &Fact<'_>, content: &'t str) -> (&'t str, usize) {
    let line = content[..fact.start].rfind('\n').map_or(0, |at| at + 1);
    (end_of(&content[line..fact.start], REACH), line)
}

/// The last bytes of a text.
fn end_of(text: &str, most: usize) -> &str {
    let start = (text.len().saturating_sub(most)..=text.len())
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(text.len());
    &text[start..]
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphabetic());
    words.filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::testing::texts_unsupported_after;

    /// What nothing shows of a reply to a schedule with hours on Tuesdays and Fridays, of a visit on 2031-07-07.
    fn unsupported(reply: &str) -> Vec<String> {
        let turns = r#"{"turn_id":1,"role":"user","content":"When else?"},
            {"turn_id":2,"role":"agent","tool_calls":[{"name":"look","arguments":{},
                "result":{"visit":"2031-07-07","hours":"Tuesday: 06:00, 08:00\nFriday: 06:00"}}]}"#;
        texts_unsupported_after(turns, reply)
    }

    #[test]
    fn days_of_a_weekly_schedule_are_worked_out() {
        for reply in [
            "Which one?\n- Tue 2031-07-15 at 06:00\n- Friday, 2031-07-18 at 06:00",
            "Please choose a Tuesday:\n- 2031-07-15\n- 2031-07-22",
            "You may come on Tuesdays (e.g., 2031-07-15 or 2031-07-22); which is it?",
            "Is 2031-07-18 (Fri) good?",
        ] {
            assert_eq!(unsupported(reply), [""; 0], "{reply}");
        }
        for (reply, wrong) in [
            // It has no hours on Wednesdays.
            ("Which one?\n- Wed 2031-07-16", "2031-07-16"),
            // That is a Wednesday.
            ("Please choose a Tuesday:\n- 2031-07-16", "2031-07-16"),
            // Nobody offers anything.
            ("You were there on Tuesday, 2031-07-15.", "2031-07-15"),
            ("Today is Tuesday, 2031-07-15. Any questions?", "2031-07-15"),
            ("Is Tuesday 2031-12-16 good?", "2031-12-16"),
            ("Is 2031-07-15 good?", "2031-07-15"),
        ] {
            assert_eq!(unsupported(reply), [wrong], "{reply}");
        }
    }

    /// What nothing shows of a reply where it is 2031-07-15 and something is on the 21st.
    fn of_today(reply: &str) -> Vec<String> {
        let turns = r#"{"turn_id":1,"role":"system","content":"It is 2031-07-15."},
            {"turn_id":2,"role":"user","content":"When?"},
            {"turn_id":3,"role":"agent","tool_calls":[{"name":"look","arguments":{},"result":{"on":"2031-07-21","guests":2}}]}"#;
        texts_unsupported_after(turns, reply)
    }

    #[test]
    fn days_are_counted_from_those_that_the_sentence_names() {
        for reply in [
            "I can look again tomorrow (2031-07-16).",
            "Two days from today, 2031-07-15, is 2031-07-17.",
            "The day after 2031-07-21 is July 22.",
            "It is on July 21 and, a week later, on July 28.",
        ] {
            assert_eq!(of_today(reply), [""; 0], "{reply}");
        }
        for (reply, wrong) in [
            ("I can look again tomorrow (2031-07-17).", "2031-07-17"),
            ("Two days from 2031-07-15 is 2031-07-18.", "2031-07-18"),
            ("The day after 2031-07-21 is July 23.", "July 23"),
            ("It is on July 22.", "July 22"),
        ] {
            assert_eq!(of_today(reply), [wrong], "{reply}");
        }
    }
}
