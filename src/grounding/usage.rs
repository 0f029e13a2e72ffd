//! Whether the values of results appear in what the agent said or did afterwards.

use foldhash::HashMap;

use super::meanings::{Meaning, Meanings, digest_of_number};
use super::transcript::{Says, Transcript, Value};
use crate::facts::TextId;
use crate::model::{Role, Trajectory, Turn};

/// Most values of one result that are looked for.
const MOST_VALUES: usize = 2_000;

/// Room for so many values that were said is made at once.
const EXPECTED: usize = 896;

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

/// Whether the result of each call was used, in the order of the calls; the agent's part of the
/// transcript tells.
///
/// The response to a call is the text of its turn and of the agent's turns that follow, up to the next
/// turn of the user; arguments of later calls count as use as well.
pub fn usage<'a>(
    trajectory: &Trajectory<'a>,
    transcript: &Transcript<'a>,
    meanings: &mut Meanings<'a>,
) -> Vec<Usage> {
    let mut found = Vec::new();
    let mut said = std::mem::take(&mut meanings.said);
    if said.values.is_empty() {
        said.values.reserve(EXPECTED);
    }
    let mut start = 0;
    for turns in trajectory
        .turns
        .split_inclusive(|turn| turn.role == Role::User)
    {
        let texts = &transcript.turns()[start..start + turns.len()];
        let mut segment = Segment {
            turns,
            texts,
            transcript,
            meanings,
        };
        segment.judge(&mut said, &mut found);
        start += turns.len();
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

/// The turns up to one of the user.
struct Segment<'s, 'a> {
    turns: &'s [Turn<'a>],
    /// What each of them says.
    texts: &'s [TextId],
    transcript: &'s Transcript<'a>,
    meanings: &'s mut Meanings<'a>,
}

impl<'s, 'a> Segment<'s, 'a> {
    fn agent_turns(&self) -> impl Iterator<Item = (usize, &'s Turn<'a>)> + use<'s, 'a> {
        let turns = self.turns.iter().enumerate();
        turns.filter(|(_, turn)| turn.role == Role::Agent)
    }

    /// Adds the usage of its calls to that of all calls before.
    fn judge(&mut self, said: &mut Said, found: &mut Vec<Usage>) {
        if self
            .agent_turns()
            .all(|(_, turn)| turn.tool_calls.is_empty())
        {
            return;
        }
        said.last_text = None;
        let mut call = found.len();
        for (at, turn) in self.agent_turns() {
            let position = said.position(at);
            if !turn.content.trim().is_empty() {
                said.last_text = Some(at);
                let meaning = self.meanings.of(turn.content, self.texts[at]);
                said.add_text(&meaning, position + 1);
            }
            for _ in &turn.tool_calls {
                said.add_values(self.transcript.arguments(call), position, self.meanings);
                call += 1;
            }
        }
        for (at, turn) in self.agent_turns() {
            for call in &turn.tool_calls {
                let has_response = said.last_text.is_some_and(|last| last >= at);
                found.push(match call.result {
                    Some(_) if has_response => {
                        let values = self.transcript.result(found.len());
                        // Text of the call's own turn counts, arguments only of later turns.
                        let from = said.position(at) + 1;
                        match said.uses_any(values, from, self.meanings) {
                            Some(false) => Usage::Unused,
                            Some(true) | None => Usage::Used,
                        }
                    }
                    _ => Usage::NoResponse,
                });
            }
        }
        said.start = said.position(self.turns.len());
    }
}

impl Said {
    /// The position of the arguments of a turn of the segment, counted from 0; its text stands at the next.
    fn position(&self, turn: usize) -> usize {
        self.start + 2 * turn + 1
    }

    fn add_text(&mut self, said: &Meaning<'_, '_>, position: usize) {
        for value in said.values {
            self.say(*value, position);
        }
        said.each_word(|word| {
            if self.words.len() <= word.index() {
                self.words.resize((word.index() + 1).next_power_of_two(), 0);
            }
            let last = &mut self.words[word.index()];
            *last = position.max(*last);
        });
    }

    fn say(&mut self, value: u64, position: usize) {
        let last = self.values.entry(value).or_insert(position);
        *last = position.max(*last);
    }

    fn add_values<'a>(
        &mut self,
        values: &[Value<'a>],
        position: usize,
        meanings: &mut Meanings<'a>,
    ) {
        for value in values {
            match value.says {
                Says::Text(text, id) | Says::Name(text, id) => {
                    self.add_text(&meanings.of(text, id), position);
                }
                Says::Number(number) => self.say(digest_of_number(number.as_f64()), position),
                Says::Items(_) | Says::Key(_) => {}
            }
        }
    }

    /// Whether one of the values appears at `from` or later; none when they hold nothing that could.
    fn uses_any<'a>(
        &self,
        values: &[Value<'a>],
        from: usize,
        meanings: &mut Meanings<'a>,
    ) -> Option<bool> {
        let mut found = None;
        for value in values.iter().take_while(|value| value.number < MOST_VALUES) {
            match self.uses(value.says, from, meanings) {
                Some(true) => return Some(true),
                Some(false) => found = Some(false),
                None => {}
            }
        }
        found
    }

    fn uses<'a>(&self, says: Says<'a>, from: usize, meanings: &mut Meanings<'a>) -> Option<bool> {
        match says {
            Says::Number(number) => Some(self.is_said(digest_of_number(number.as_f64()), from)),
            Says::Text(text, id) | Says::Name(text, id) => {
                self.uses_text(&meanings.of(text, id), from)
            }
            Says::Items(count) => {
                let is_said = count > 1 && self.is_said(digest_of_number(count as f64), from);
                is_said.then_some(true)
            }
            Says::Key(_) => None,
        }
    }

    fn uses_text(&self, meant: &Meaning<'_, '_>, from: usize) -> Option<bool> {
        if meant.values.iter().any(|value| self.is_said(*value, from)) {
            return Some(true);
        }
        let (mut total, mut said) = (0, 0);
        meant.each_word(|word| {
            let last = self.words.get(word.index());
            total += 1;
            said += usize::from(last.is_some_and(|last| *last >= from));
        });
        if total == 0 {
            return meant.has_codes.then_some(false);
        }
        let wanted = if total <= 4 {
            total
        } else {
            ((total as f64 * SHARE_OF_LONG_TEXT).ceil() as usize).max(2)
        };
        Some(said >= wanted)
    }

    fn is_said(&self, value: u64, from: usize) -> bool {
        self.values.get(&value).is_some_and(|last| *last >= from)
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::super::transcript::Speakers;
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
        let mut meanings = Meanings::default();
        let transcript = Transcript::of(&trajectory, Speakers::Agent, &mut meanings.texts);
        usage(&trajectory, &transcript, &mut meanings)
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
