//! Whether the values of results appear in what the agent said or did afterwards.

use std::collections::HashMap;

use crate::facts::{FactValue, facts};
use crate::model::{Json, Role, ToolCall, Trajectory};

/// Most values of one result that are looked for.
const MOST_VALUES: usize = 2_000;

/// Longer texts without white space are no codes.
const LONGEST_CODE: usize = 60;

/// The share of the words of a long text that must appear for it to count as used.
const SHARE_OF_LONG_TEXT: f64 = 0.15;

/// Whether a result was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Usage {
    /// A value of it appears in the response or in a later call.
    Used,
    /// None does.
    Unused,
    /// There is no response to judge.
    NoResponse,
}

/// Whether the result of each call was used, in the order of the calls.
///
/// The response to a call is the text of its turn and of the agent's turns that follow, up to the next
/// turn of the user; arguments of later calls count as use as well.
pub fn usage(trajectory: &Trajectory<'_>) -> Vec<Usage> {
    let mut found = Vec::new();
    let mut start = 0;
    while start < trajectory.turns.len() {
        let length = trajectory.turns[start..]
            .iter()
            .position(|turn| turn.role == Role::User)
            .unwrap_or(trajectory.turns.len() - start);
        judge_segment(trajectory, start..start + length, &mut found);
        start += length + 1;
    }
    found
}

/// Where each value was said last in a segment: looking one up takes the same time however long it is.
#[derive(Default)]
struct Said {
    last: HashMap<Key, usize>,
    last_text: Option<usize>,
}

#[derive(PartialEq, Eq, Hash)]
enum Key {
    Number(u64),
    Date(u8, Option<u8>),
    Time(u16),
    Text(String),
}

fn judge_segment(
    trajectory: &Trajectory<'_>,
    segment: std::ops::Range<usize>,
    found: &mut Vec<Usage>,
) {
    let turns = &trajectory.turns[segment];
    let agent_turns = || {
        let turns = turns.iter().enumerate();
        turns.filter(|(_, turn)| turn.role == Role::Agent)
    };
    if agent_turns().all(|(_, turn)| turn.tool_calls.is_empty()) {
        return;
    }
    let mut said = Said::default();
    for (at, turn) in agent_turns() {
        if !turn.content.trim().is_empty() {
            said.last_text = Some(at);
            said.add_text(turn.content, 2 * at + 1);
        }
        for call in &turn.tool_calls {
            if let Some(arguments) = call.arguments {
                said.add_json(arguments, 2 * at);
            }
        }
    }
    for (at, turn) in agent_turns() {
        found.extend(turn.tool_calls.iter().map(|call| said.usage_of(call, at)));
    }
}

impl Said {
    fn add_text(&mut self, text: &str, position: usize) {
        each_key(text, &mut |key| self.say(key, position));
        for word in words_of(text).chain(codes_of(text)) {
            self.say(Key::Text(word), position);
        }
    }

    fn say(&mut self, key: Key, position: usize) {
        let last = self.last.entry(key).or_insert(position);
        *last = position.max(*last);
    }

    fn add_json(&mut self, json: Json<'_>, position: usize) {
        match json {
            Json::String(text) => self.add_text(text, position),
            Json::Number(number) => {
                self.say(Key::Number(number.as_f64().to_bits()), position);
            }
            Json::Array(items) => items.iter().for_each(|item| self.add_json(*item, position)),
            Json::Object(members) => members
                .iter()
                .for_each(|(_, value)| self.add_json(*value, position)),
            _ => {}
        }
    }

    /// Text of the call's own turn counts, arguments only of later turns.
    fn usage_of(&self, call: &ToolCall<'_>, turn: usize) -> Usage {
        if self.last_text.is_none_or(|last| last < turn) {
            return Usage::NoResponse;
        }
        let Some(result) = call.result else {
            return Usage::NoResponse;
        };
        let mut left = MOST_VALUES;
        match self.uses(result, 2 * turn + 1, &mut left) {
            Some(false) => Usage::Unused,
            Some(true) | None => Usage::Used,
        }
    }

    /// Whether a value appears at `from` or later; none when it holds nothing that could.
    fn uses(&self, json: Json<'_>, from: usize, left: &mut usize) -> Option<bool> {
        if *left == 0 {
            return None;
        }
        *left -= 1;
        let any = |found: Option<bool>, next: Option<bool>| match (found, next) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), _) | (_, Some(false)) => Some(false),
            (None, None) => None,
        };
        match json {
            Json::Null | Json::Bool(_) => None,
            Json::Number(number) => {
                Some(self.is_said(&Key::Number(number.as_f64().to_bits()), from))
            }
            Json::String(text) => self.uses_text(text, from),
            Json::Array(items)
                if items.len() > 1
                    && self.is_said(&Key::Number((items.len() as f64).to_bits()), from) =>
            {
                Some(true)
            }
            Json::Array(items) => items.iter().fold(None, |found, item| match found {
                Some(true) => found,
                _ => any(found, self.uses(*item, from, left)),
            }),
            Json::Object(members) => members.iter().fold(None, |found, (_, value)| match found {
                Some(true) => found,
                _ => any(found, self.uses(*value, from, left)),
            }),
        }
    }

    fn uses_text(&self, text: &str, from: usize) -> Option<bool> {
        let mut is_used = false;
        each_key(text, &mut |key| is_used |= self.is_said(&key, from));
        if is_used {
            return Some(true);
        }
        if codes_of(text).any(|code| self.is_said(&Key::Text(code), from)) {
            return Some(true);
        }
        let words: Vec<_> = words_of(text).collect();
        if words.is_empty() {
            return codes_of(text).next().map(|_| false);
        }
        let total = words.len();
        let said = words
            .into_iter()
            .filter(|word| self.is_said(&Key::Text(word.clone()), from))
            .count();
        let wanted = if total <= 4 {
            total
        } else {
            ((total as f64 * SHARE_OF_LONG_TEXT).ceil() as usize).max(2)
        };
        Some(said >= wanted)
    }

    fn is_said(&self, key: &Key, from: usize) -> bool {
        self.last.get(key).is_some_and(|last| *last >= from)
    }
}

/// Gives each meaning of each fact of `text` to `take`.
fn each_key(text: &str, take: &mut impl FnMut(Key)) {
    for fact in facts(text) {
        match fact.value {
            FactValue::Number(readings) => readings
                .iter()
                .for_each(|number| take(Key::Number(number.to_bits()))),
            FactValue::Date(date) => take(Key::Date(date.month, date.day)),
            FactValue::Time(minutes) => minutes.iter().for_each(|minute| take(Key::Time(*minute))),
            FactValue::Text(text) => take(Key::Text(text.into_owned())),
        }
    }
}

/// What stands between white space and is made of letters and digits with other signs among them, as
/// in `p-17`, in lower case.
fn codes_of(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace()
        .map(|chunk| chunk.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|chunk| {
            let has_digit = chunk.bytes().any(|byte| byte.is_ascii_digit());
            has_digit
                && chunk.len() <= LONGEST_CODE
                && chunk.contains(|c: char| !c.is_alphanumeric())
        })
        .map(str::to_lowercase)
}

/// The words of three letters or more, in lower case.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().nth(2).is_some())
        .map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::formats::import_trajectory;
    use crate::model::testing::arena_json;
    use crate::model::{Limits, Reader};

    fn usages(turns: &str) -> Vec<Usage> {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let trajectory = import_trajectory(arena_json(&arena, turns), None, reader)
            .expect("turns")
            .value;
        usage(&trajectory)
    }

    fn call(result: &str, next: &str) -> String {
        format!(
            r#"[{{"turn_id":1,"role":"agent","tool_calls":[{{"name":"f","arguments":{{}},"result":{result}}}]}},{next}]"#
        )
    }

    fn said(result: &str, reply: &str) -> Usage {
        let reply = format!(
            r#"{{"turn_id":2,"role":"agent","content":{}}}"#,
            serde_json::Value::from(reply)
        );
        usages(&call(result, &reply))[0]
    }

    #[test]
    fn values_are_used_when_they_are_said_in_any_spelling() {
        assert_eq!(
            said(r#"{"total":1234.5}"#, "It costs 1,234.50."),
            Usage::Used
        );
        assert_eq!(said(r#"{"city":"Oslo"}"#, "You fly to Oslo."), Usage::Used);
        assert_eq!(
            said(r#"{"on":"2024-05-16"}"#, "You fly on May 16."),
            Usage::Used
        );
        assert_eq!(
            said(r#"["a","b","c"]"#, "There are three of them."),
            Usage::Used
        );
        assert_eq!(said(r#"{"ok":true}"#, "Done."), Usage::Used);
        assert_eq!(
            said(r#"{"city":"Oslo"}"#, "You fly to Bergen."),
            Usage::Unused
        );
    }

    #[test]
    fn later_arguments_count_as_use_and_the_next_question_ends_the_response() {
        let next = r#"{"turn_id":2,"role":"agent","tool_calls":[{"name":"g","arguments":{"id":"AB12C"}}]},
            {"turn_id":3,"role":"agent","content":"Done."}"#;
        assert_eq!(usages(&call(r#"{"id":"AB12C"}"#, next))[0], Usage::Used);
        let later = r#"{"turn_id":2,"role":"user","content":"And?"},{"turn_id":3,"role":"agent","content":"AB12C"}"#;
        assert_eq!(
            usages(&call(r#"{"id":"AB12C"}"#, later))[0],
            Usage::NoResponse
        );
    }
}
