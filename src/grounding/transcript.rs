//! What a trajectory says, laid out for all that look through it.

use super::meanings::Meanings;
use crate::facts::TextId;
use crate::model::{Json, Number, Role, ToolCall, Trajectory};

/// What the turns and the calls of a trajectory say, each text looked up once.
#[derive(Default)]
pub struct Transcript<'a> {
    turns: Vec<TextId>,
    values: Vec<Value<'a>>,
    /// For each call of the agent, where the values of its arguments, of its result and of its error end.
    ends: Vec<[usize; 3]>,
}

/// Room for so many values is made at once.
const EXPECTED: usize = 512;

/// A value that says something; there are more in arguments and results, but `null`, `true`, `false` and
/// objects say nothing.
#[derive(Debug, Clone, Copy)]
pub struct Value<'a> {
    /// Its place among all values, counted depth first; of a key, that of its object.
    pub number: usize,
    /// What it says.
    pub says: Says<'a>,
}

/// What a value says.
#[derive(Debug, Clone, Copy)]
pub enum Says<'a> {
    /// A number.
    Number(Number),
    /// A text.
    Text(&'a str, TextId),
    /// A text that its key calls a name.
    Name(&'a str, TextId),
    /// So many items of a list.
    Items(usize),
    /// The text of a key with digits.
    Key(TextId),
}

/// Whose turns a transcript has to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speakers {
    /// All.
    All,
    /// Only those of the agent: the texts of the others are not read.
    Agent,
}

impl Speakers {
    /// Those that are needed to tell what nothing shows, or else whether results were used.
    pub fn needed(to_ground: bool) -> Self {
        if to_ground { Self::All } else { Self::Agent }
    }
}

impl<'a> Transcript<'a> {
    /// The transcript of `trajectory`.
    pub fn of(
        trajectory: &Trajectory<'a>,
        speakers: Speakers,
        meanings: &mut Meanings<'a>,
    ) -> Self {
        let mut transcript = Self {
            turns: Vec::with_capacity(trajectory.turns.len()),
            values: Vec::with_capacity(EXPECTED),
            ends: Vec::new(),
        };
        for turn in &trajectory.turns {
            let is_heard = speakers == Speakers::All || turn.role == Role::Agent;
            let content = if is_heard { turn.content } else { "" };
            transcript.turns.push(meanings.texts.read(content));
            if turn.role == Role::Agent {
                for call in &turn.tool_calls {
                    transcript.add_call(call, meanings);
                }
            }
        }
        transcript
    }

    fn add_call(&mut self, call: &ToolCall<'a>, meanings: &mut Meanings<'a>) {
        let parts = [call.arguments, call.result, call.error];
        let ends = parts.map(|json| {
            if let Some(json) = json {
                self.add_values(json, false, meanings, &mut 0);
            }
            self.values.len()
        });
        self.ends.push(ends);
    }

    fn add_values(
        &mut self,
        json: Json<'a>,
        is_name: bool,
        meanings: &mut Meanings<'a>,
        count: &mut usize,
    ) {
        let number = *count;
        *count += 1;
        let mut add = |says| self.values.push(Value { number, says });
        match json {
            Json::Null | Json::Bool(_) => {}
            Json::Number(number) => add(Says::Number(number)),
            Json::String(text) => {
                let id = meanings.texts.read(text);
                add(match is_name {
                    true => Says::Name(text, id),
                    false => Says::Text(text, id),
                });
            }
            Json::Array(items) => {
                add(Says::Items(items.len()));
                for item in items {
                    self.add_values(*item, false, meanings, count);
                }
            }
            Json::Object(members) => {
                for (key, value) in members {
                    let signs = meanings.keys.signs_of(key);
                    if signs.has_digit {
                        let says = Says::Key(meanings.texts.read(key));
                        self.values.push(Value { number, says });
                    }
                    self.add_values(*value, signs.is_name, meanings, count);
                }
            }
        }
    }

    /// The text of each turn.
    pub fn turns(&self) -> &[TextId] {
        &self.turns
    }

    /// The values of the arguments of a call, in order.
    pub fn arguments(&self, call: usize) -> &[Value<'a>] {
        let before = call.checked_sub(1);
        let start = before.map_or(0, |before| self.ends[before][2]);
        &self.values[start..self.ends[call][0]]
    }

    /// The values of the result of a call, in order.
    pub fn result(&self, call: usize) -> &[Value<'a>] {
        let [start, end, _] = self.ends[call];
        &self.values[start..end]
    }

    /// The values of the error of a call, in order.
    pub fn error(&self, call: usize) -> &[Value<'a>] {
        let [_, start, end] = self.ends[call];
        &self.values[start..end]
    }
}
