//! How many things results list, and under which keys they give a different number of a thing.
//!
//! If a reply says "there are 9 trails" but the tool that finds trails returned four, the reply is wrong, even if a 9
//! appears somewhere else. Two cases count as right: a smaller number, because the sentence may be about only some of
//! the things, and a number that the results state, because it may be the total.

use super::quantities::{time_units, units_named, units_of_key};
use toolgauge_model::{Json, ToolCall, singular, words_of};

/// The most values of all results that are read. If there are more, no count is reported as wrong.
const MOST_VALUES: usize = 2000;

/// The longest text, in bytes, that is searched for the count. A longer text is assumed to contain it.
const LONGEST_TEXT: usize = 120;

/// Numbers under a key must be smaller than this: a reply would not put larger ones into words.
const LARGEST: f64 = 100.0;

/// Checks whether these results list something, but fewer things in total than `count`, and state that number nowhere.
pub fn list_fewer(calls: &[&ToolCall<'_>], count: usize) -> bool {
    let mut walk = Walk {
        left: MOST_VALUES,
        longest: 0,
        count,
        gives_count: false,
    };
    let mut listed = 0;
    for call in calls {
        walk.longest = 0;
        walk.see(call.result.or(call.error).unwrap_or_default());
        if walk.gives_count || walk.left == 0 {
            return false;
        }
        listed += walk.longest;
    }
    (1..count).contains(&listed)
}

struct Walk {
    /// How many more values may be read.
    left: usize,
    longest: usize,
    count: usize,
    gives_count: bool,
}

impl Walk {
    fn see(&mut self, json: Json<'_>) {
        let Some(left) = self.left.checked_sub(1) else {
            return;
        };
        self.left = left;
        match json {
            Json::Null | Json::Bool(_) => {}
            Json::Number(number) => self.gives_count |= number.as_f64() == self.count as f64,
            Json::String(text) => self.gives_count |= self.says_count(text),
            Json::Array(items) => {
                self.longest = self.longest.max(items.len());
                items.iter().for_each(|item| self.see(*item));
            }
            Json::Object(members) => {
                let records = members.iter().filter(|(_, value)| is_record(*value));
                self.longest = self.longest.max(records.count());
                members.iter().for_each(|(_, value)| self.see(*value));
            }
        }
    }

    fn says_count(&self, text: &str) -> bool {
        text.len() > LONGEST_TEXT
            || text
                .split(|c: char| !c.is_ascii_digit())
                .any(|digits| digits.parse() == Ok(self.count))
    }
}

fn is_record(json: Json<'_>) -> bool {
    match json {
        Json::Array(_) | Json::Object(_) => true,
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => false,
    }
}

/// Checks whether results give a number under a key that is named like `counted` or ends with its unit: `surge_ft` for
/// "feet". Units of time don't count, because replies give durations of their own accord.
pub fn are_keyed(calls: &[&ToolCall<'_>], counted: &str) -> bool {
    let counted = counted.to_lowercase();
    let unit = units_named(&counted);
    if unit & time_units() != 0 {
        return false;
    }
    let word = singular(counted);
    let mut left = MOST_VALUES;
    calls.iter().rev().any(|call| {
        let result = call.result.unwrap_or_default();
        is_keyed(result, &word, unit, &mut left)
    })
}

fn is_keyed(json: Json<'_>, word: &str, unit: u64, left: &mut usize) -> bool {
    let Some(less) = left.checked_sub(1) else {
        return false;
    };
    *left = less;
    match json {
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => false,
        Json::Array(items) => items.iter().any(|item| is_keyed(*item, word, unit, left)),
        Json::Object(members) => members.iter().any(|(key, value)| match value {
            Json::Number(number) => number.as_f64().abs() < LARGEST && is_called(key, word, unit),
            Json::Null | Json::Bool(_) | Json::String(_) => false,
            Json::Array(_) | Json::Object(_) => is_keyed(*value, word, unit, left),
        }),
    }
}

fn is_called(key: &str, word: &str, unit: u64) -> bool {
    unit & units_of_key(key) != 0 || words_of(key).pop().map(singular).as_deref() == Some(word)
}

/// Checks whether the name of a called tool contains what is counted: `find_trails` for "trails".
pub fn are_called_for(calls: &[&ToolCall<'_>], counted: &str) -> bool {
    let counted = singular(counted.to_lowercase());
    let mut names = calls.iter().filter_map(|call| call.name);
    names.any(|name| {
        words_of(name)
            .into_iter()
            .any(|word| singular(word) == counted)
    })
}
