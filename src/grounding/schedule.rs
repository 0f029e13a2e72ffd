//! Detects dates that a reply derives: dates of a weekday on which a schedule in the results has hours, and dates that
//! are as many days from a known date as their sentence says.

use std::collections::BTreeSet;

use super::weekdays::{weekday_in_chinese, weekday_of};
use toolgauge_facts::{Fact, Token, WordList};
use toolgauge_model::{Json, ToolCall, last_bytes, start_of, words_of};

/// How many of the latest calls are read.
const MOST_CALLS: usize = 12;

/// How many bytes of each result are read.
const LONGEST_RESULT: usize = 20_000;

/// How many values of each result are read.
const MOST_VALUES: usize = 500;

/// How far before a date its weekday may be in the same line, in bytes.
const REACH: usize = 120;

/// How far after a date its weekday may be, in bytes.
const REACH_AFTER: usize = 14;

/// How far before the line of a list item the words that introduce the list are searched, in bytes.
const LIST: usize = 300;

/// The most different spans of days that are used. If there are more, they are a column of records.
const MOST_SPANS: usize = 4;

/// The longest span that is counted in days.
const LONGEST_SPAN: f64 = 366.0;

/// Words that say that there is nothing.
static NOTHING: WordList = WordList::of(
    "free nothing none no empty frei nichts kein keine keinen libre libres rien aucun aucune nada ningún \
    ninguna ledig ingenting ingen",
);

/// Words for the end of something, or for the day when it arrives or is due.
static ENDS: WordList = WordList::of(
    "due by until till arrive arrives arrival deliver delivered delivery expire expires expected deadline end ends pay \
    fällig bis liefert lieferung endet échéance livraison avant vence hasta entrega llega frist innen",
);

/// Words that say that somebody returns.
static BACK: WordList = WordList::of(
    "back return returns returning resume resumes reopen reopens wieder zurück retour reprise vuelta tilbake",
);

/// Words for the present day, whose date only a log can know.
static TODAY: WordList =
    WordList::of("today tonight heute aujourd hoy idag currently now jetzt maintenant ahora");

/// Words that say how often something repeats.
static PERIODS: [(WordList, Period); 3] = [
    (
        WordList::of("weekly weekday byday wöchentlich hebdomadaire semanal ukentlig"),
        Period::Week,
    ),
    (
        WordList::of("monthly monatlich mensuel mensual månedlig"),
        Period::Month,
    ),
    (
        WordList::of("yearly annual annually anniversary jährlich annuel anual årlig"),
        Period::Year,
    ),
];

/// The interval at which something repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Period {
    Week,
    Month,
    Year,
}

/// What the latest results say about repeating days.
#[derive(Debug, Default)]
pub struct Schedule {
    /// The weekdays that the results name. Monday is 0.
    pub weekdays: BTreeSet<usize>,
    /// The intervals at which something repeats.
    pub periods: BTreeSet<Period>,
    /// How many days something lasts or is away.
    pub spans: BTreeSet<i64>,
}

impl Schedule {
    /// Reads the results of the latest calls.
    pub fn of(calls: &[&ToolCall<'_>]) -> Self {
        let mut found = Self::default();
        let results = calls.iter().rev().take(MOST_CALLS);
        for result in results.filter_map(|call| call.result) {
            let (mut values, mut bytes) = (MOST_VALUES, LONGEST_RESULT);
            found.add(result, 0, &mut values, &mut bytes);
        }
        // A column of days says nothing about any one of them.
        if found.spans.len() > MOST_SPANS {
            found.spans.clear();
        }
        found
    }

    /// Adds a value. A number counts units of `days` days each.
    fn add(&mut self, json: Json<'_>, days: i64, values: &mut usize, bytes: &mut usize) {
        if *values == 0 {
            return;
        }
        *values -= 1;
        match json {
            Json::Null | Json::Bool(_) => {}
            Json::Number(number) => {
                let span = number.as_f64() * days as f64;
                if (1.0..=LONGEST_SPAN).contains(&span) {
                    self.spans.insert(span as i64);
                }
            }
            Json::String(text) => self.add_text(text, bytes),
            Json::Array(items) => items
                .iter()
                .for_each(|item| self.add(*item, days, values, bytes)),
            Json::Object(members) => {
                for (key, value) in members {
                    self.add_text(key, bytes);
                    let last = words_of(key).pop().unwrap_or_default().to_lowercase();
                    let of_key = match last.as_str() {
                        "days" => 1,
                        "weeks" => 7,
                        _ => days,
                    };
                    self.add(*value, of_key, values, bytes);
                }
            }
        }
    }

    fn add_text(&mut self, text: &str, bytes: &mut usize) {
        let text = start_of(text, *bytes);
        *bytes -= text.len();
        self.weekdays.extend(words(text).filter_map(weekday_of));
        self.periods.extend(periods_in(text));
    }
}

/// Returns the intervals that the words of a text name.
pub fn periods_in(text: &str) -> BTreeSet<Period> {
    let of_word = |word| {
        let token = Token::of_word(word);
        let known = PERIODS.iter().find(|(words, _)| token.says_one_of(words));
        let is_plural = || word.ends_with('s') && weekday_of(word).is_some() && word.len() > 5;
        known
            .map(|(_, period)| *period)
            .or_else(|| is_plural().then_some(Period::Week))
    };
    words(text).filter_map(of_word).collect()
}

/// Checks whether a text says that there is nothing.
pub fn says_nothing(text: &str) -> bool {
    words(text).any(|word| Token::of_word(word).says_one_of(&NOTHING))
        || ["没有", "空闲", "空いて", "없"]
            .iter()
            .any(|word| text.contains(word))
}

/// Checks whether a text mentions the end of something, or the day when it arrives or is due.
pub fn says_end(text: &str) -> bool {
    words(text).any(|word| Token::of_word(word).says_one_of(&ENDS))
}

/// Checks whether a text says that somebody returns.
pub fn says_back(text: &str) -> bool {
    words(text).any(|word| Token::of_word(word).says_one_of(&BACK))
}

/// Returns the weekday that a reply gives a date. It is written beside the date or, if the date is in a list item, in
/// the words that introduce the list.
pub fn weekday_given(fact: &Fact<'_>, content: &str) -> Option<usize> {
    let (before, line) = line_before(fact, content);
    let after = line_after(fact, content, REACH_AFTER);
    let is_item = |line: &usize| {
        let first = start_of(&content[*line..], REACH)
            .trim_start()
            .chars()
            .next();
        first.is_some_and(|c| matches!(c, '-' | '*' | '•' | '–' | '1'..='9'))
    };
    let nearest = |text: &str| words(text).filter_map(weekday_of).last();
    let heading = || {
        let line = line.filter(is_item)?;
        nearest(last_bytes(&content[..line], LIST))
    };
    nearest(before)
        .or_else(|| words(after).take(1).find_map(weekday_of))
        .or_else(|| weekday_in_chinese(after))
        .or_else(heading)
}

/// Checks whether the words around a date in its line say that the date is today.
pub fn is_called_today(fact: &Fact<'_>, content: &str) -> bool {
    let (before, _) = line_before(fact, content);
    let after = line_after(fact, content, REACH_AFTER);
    let mut words = words(before).chain(words(after));
    words.any(|word| Token::of_word(word).says_one_of(&TODAY))
}

/// Checks whether a reply asks for anything. If so, what it lists may be up to the user.
pub fn asks_anything(content: &str) -> bool {
    content.contains(['?', '？']) || {
        let content = content.to_lowercase();
        ["please", "bitte", "veuillez", "por favor"]
            .iter()
            .any(|word| content.contains(word))
    }
}

/// Returns the nearby text before and after a date in its line.
pub fn sentence_of<'t>(fact: &Fact<'_>, content: &'t str) -> (&'t str, &'t str) {
    let (before, _) = line_before(fact, content);
    let after = line_after(fact, content, REACH);
    (before, after)
}

/// Returns the nearby text before a fact in its line, and the start of the line, or `None` if the line starts too far
/// before the fact.
fn line_before<'t>(fact: &Fact<'_>, content: &'t str) -> (&'t str, Option<usize>) {
    let near = last_bytes(&content[..fact.start], LIST);
    let line = near.rfind('\n').map(|at| at + 1);
    let line = line.or_else(|| (near.len() == fact.start).then_some(0));
    let before = &near[line.unwrap_or_default()..];
    let start = line.map(|line| fact.start - near.len() + line);
    (last_bytes(before, REACH), start)
}

/// Returns the nearby text after a fact in its line.
fn line_after<'t>(fact: &Fact<'_>, content: &'t str, most: usize) -> &'t str {
    let near = start_of(&content[fact.end()..], most);
    near.split('\n').next().unwrap_or_default()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphabetic());
    words.filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::testing::texts_unsupported_after;

    /// Returns the unsupported facts of a reply to a schedule with hours on Tuesdays and Fridays, and a visit on
    /// 2031-07-07.
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
            // The schedule has no hours on Wednesdays.
            ("Which one?\n- Wed 2031-07-16", "2031-07-16"),
            // This date is a Wednesday.
            ("Please choose a Tuesday:\n- 2031-07-16", "2031-07-16"),
            // The reply offers nothing.
            ("You were there on Tuesday, 2031-07-15.", "2031-07-15"),
            ("Today is Tuesday, 2031-07-15. Any questions?", "2031-07-15"),
            ("Is Tuesday 2031-12-16 good?", "2031-12-16"),
            ("Is 2031-07-15 good?", "2031-07-15"),
        ] {
            assert_eq!(unsupported(reply), [wrong], "{reply}");
        }
    }

    /// Returns the unsupported facts of a reply about a weekly course that starts on Monday 2031-07-07 and must be paid
    /// within 20 days.
    fn of_course(reply: &str) -> Vec<String> {
        let turns = r#"{"turn_id":1,"role":"user","content":"When is it?"},
            {"turn_id":2,"role":"agent","tool_calls":[{"name":"look","arguments":{},
                "result":{"first":"2031-07-07","repeats":"weekly","pay_within_days":20,"until":"2031-07-25"}}]}"#;
        texts_unsupported_after(turns, reply)
    }

    #[test]
    fn days_come_about_again() {
        for reply in [
            "It is on July 7, July 14 and July 21, 2031.",
            "Pay by July 27.",
            "You are free on Wednesday, July 9, 2031.",
            "You are back on Monday, July 28, 2031.",
        ] {
            assert_eq!(of_course(reply), [""; 0], "{reply}");
        }
        for (reply, wrong) in [
            ("It is on July 7 and July 15, 2031.", "July 15, 2031"),
            ("Pay by July 28.", "July 28"),
            (
                "You have a visit on Wednesday, July 9, 2031.",
                "July 9, 2031",
            ),
            (
                "You are free on Tuesday, December 9, 2031.",
                "December 9, 2031",
            ),
        ] {
            assert_eq!(of_course(reply), [wrong], "{reply}");
        }
    }

    /// Returns the unsupported facts of a reply on 2031-07-15 about something on the 21st.
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
