//! Whether the values of results appear in what the agent said or did afterwards.

use foldhash::HashMap;

use super::meanings::{Meanings, digest_of_number};
use crate::model::{Json, Role, ToolCall, Trajectory, Turn};

/// Most values of one result that are looked for.
const MOST_VALUES: usize = 2_000;

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
pub fn usage<'a>(trajectory: &Trajectory<'a>, meanings: &mut Meanings<'a>) -> Vec<Usage> {
    let mut found = Vec::new();
    let mut said = std::mem::take(&mut meanings.said);
    let mut start = 0;
    while start < trajectory.turns.len() {
        let length = trajectory.turns[start..]
            .iter()
            .position(|turn| turn.role == Role::User)
            .unwrap_or(trajectory.turns.len() - start);
        let segment = &trajectory.turns[start..start + length];
        judge_segment(segment, &mut said, meanings, &mut found);
        start += length + 1;
    }
    meanings.said = said;
    found
}

/// Where each value was said last: looking one up takes the same time however much was said. What is said
/// later stands at a higher position, from segment to segment and from trajectory to trajectory, so that
/// what was said before a segment counts for nothing in it.
#[derive(Default)]
pub struct Said {
    /// By the digests of the values.
    values: HashMap<u64, usize>,
    /// By the numbers of the words; 0 where one was never said.
    words: Vec<usize>,
    /// The position of the first turn of the segment.
    start: usize,
    last_text: Option<usize>,
}

fn judge_segment<'a>(
    turns: &[Turn<'a>],
    said: &mut Said,
    meanings: &mut Meanings<'a>,
    found: &mut Vec<Usage>,
) {
    let agent_turns = || {
        let turns = turns.iter().enumerate();
        turns.filter(|(_, turn)| turn.role == Role::Agent)
    };
    if agent_turns().all(|(_, turn)| turn.tool_calls.is_empty()) {
        return;
    }
    said.last_text = None;
    for (at, turn) in agent_turns() {
        let position = said.position(at);
        if !turn.content.trim().is_empty() {
            said.last_text = Some(at);
            said.add_text(turn.content, position + 1, meanings);
        }
        for call in &turn.tool_calls {
            if let Some(arguments) = call.arguments {
                said.add_json(arguments, position, meanings);
            }
        }
    }
    for (at, turn) in agent_turns() {
        let calls = turn.tool_calls.iter();
        found.extend(calls.map(|call| said.usage_of(call, at, meanings)));
    }
    said.start = said.position(turns.len());
}

impl Said {
    /// The position of the arguments of a turn of the segment, counted from 0; its text stands at the next.
    fn position(&self, turn: usize) -> usize {
        self.start + 2 * turn + 1
    }

    fn add_text<'a>(&mut self, text: &'a str, position: usize, meanings: &mut Meanings<'a>) {
        let said = meanings.of(text);
        for value in said.values {
            self.say(*value, position);
        }
        for word in said.words() {
            if self.words.len() <= word.index() {
                self.words.resize(word.index() + 1, 0);
            }
            let last = &mut self.words[word.index()];
            *last = position.max(*last);
        }
    }

    fn say(&mut self, value: u64, position: usize) {
        let last = self.values.entry(value).or_insert(position);
        *last = position.max(*last);
    }

    fn add_json<'a>(&mut self, json: Json<'a>, position: usize, meanings: &mut Meanings<'a>) {
        match json {
            Json::String(text) => self.add_text(text, position, meanings),
            Json::Number(number) => self.say(digest_of_number(number.as_f64()), position),
            Json::Array(items) => items
                .iter()
                .for_each(|item| self.add_json(*item, position, meanings)),
            Json::Object(members) => members
                .iter()
                .for_each(|(_, value)| self.add_json(*value, position, meanings)),
            _ => {}
        }
    }

    /// Text of the call's own turn counts, arguments only of later turns.
    fn usage_of<'a>(&self, call: &ToolCall<'a>, turn: usize, meanings: &mut Meanings<'a>) -> Usage {
        if self.last_text.is_none_or(|last| last < turn) {
            return Usage::NoResponse;
        }
        let Some(result) = call.result else {
            return Usage::NoResponse;
        };
        let mut left = MOST_VALUES;
        match self.uses(result, self.position(turn) + 1, meanings, &mut left) {
            Some(false) => Usage::Unused,
            Some(true) | None => Usage::Used,
        }
    }

    /// Whether a value appears at `from` or later; none when it holds nothing that could.
    fn uses<'a>(
        &self,
        json: Json<'a>,
        from: usize,
        meanings: &mut Meanings<'a>,
        left: &mut usize,
    ) -> Option<bool> {
        if *left == 0 {
            return None;
        }
        *left -= 1;
        match json {
            Json::Null | Json::Bool(_) => None,
            Json::Number(number) => Some(self.is_said(digest_of_number(number.as_f64()), from)),
            Json::String(text) => self.uses_text(text, from, meanings),
            Json::Array(items)
                if items.len() > 1 && self.is_said(digest_of_number(items.len() as f64), from) =>
            {
                Some(true)
            }
            Json::Array(items) => {
                let mut items = items.iter().copied();
                self.uses_any(&mut items, from, meanings, left)
            }
            Json::Object(members) => {
                let mut values = members.iter().map(|(_, value)| *value);
                self.uses_any(&mut values, from, meanings, left)
            }
        }
    }

    fn uses_any<'a>(
        &self,
        values: &mut dyn Iterator<Item = Json<'a>>,
        from: usize,
        meanings: &mut Meanings<'a>,
        left: &mut usize,
    ) -> Option<bool> {
        let mut found = None;
        for value in values {
            match self.uses(value, from, meanings, left) {
                Some(true) => return Some(true),
                Some(false) => found = Some(false),
                None => {}
            }
        }
        found
    }

    fn uses_text<'a>(
        &self,
        text: &'a str,
        from: usize,
        meanings: &mut Meanings<'a>,
    ) -> Option<bool> {
        let meant = meanings.of(text);
        if meant.values.iter().any(|value| self.is_said(*value, from)) {
            return Some(true);
        }
        let total = meant.words().count();
        if total == 0 {
            return meant.has_codes.then_some(false);
        }
        let wanted = if total <= 4 {
            total
        } else {
            ((total as f64 * SHARE_OF_LONG_TEXT).ceil() as usize).max(2)
        };
        let said = meant.words().filter(|word| {
            let last = self.words.get(word.index());
            last.is_some_and(|last| *last >= from)
        });
        Some(said.take(wanted).count() >= wanted)
    }

    fn is_said(&self, value: u64, from: usize) -> bool {
        self.values.get(&value).is_some_and(|last| *last >= from)
    }
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
        usage(&trajectory, &mut Meanings::default())
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
