//! Lays out what a trajectory says, for all checks that read it.

use super::keys::Key;
use toolgauge_facts::{TextId, Texts};
use toolgauge_model::{Json, Number, Role, ToolCall, Trajectory};

/// The texts and values of the turns and calls of a trajectory, each text looked up once.
#[derive(Default)]
pub struct Transcript<'a> {
    turns: Vec<TextId>,
    values: Vec<Value<'a>>,
    /// For each call of the agent, the ends of the values of its arguments, of its result and of its error.
    ends: Vec<[usize; 3]>,
}

/// The number of values for which room is reserved up front.
const EXPECTED: usize = 512;

/// A value that says something. `null`, `true`, `false` and objects say nothing and are left out.
#[derive(Debug, Clone, Copy)]
pub struct Value<'a> {
    /// The depth-first number of the value among all values. A key has the number of its object.
    pub number: usize,
    /// The content of the value.
    pub content: Content<'a>,
}

/// The content of a value that says something.
#[derive(Debug, Clone, Copy)]
pub enum Content<'a> {
    /// A number.
    Number(Number),
    /// A text.
    Text(&'a str, TextId),
    /// A text whose key says that it is a name.
    Name(&'a str, TextId),
    /// A list with this number of items.
    Items(usize),
    /// A key that contains digits.
    Key(TextId),
}

/// The speakers whose turns a transcript contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speakers {
    /// All speakers.
    All,
    /// Only the agent. The texts of the other speakers are not read.
    Agent,
}

impl Speakers {
    /// Returns the speakers that a check needs: all of them to find unsupported facts, the agent to find out whether
    /// results were used.
    pub fn needed(to_ground: bool) -> Self {
        if to_ground { Self::All } else { Self::Agent }
    }
}

impl<'a> Transcript<'a> {
    /// Creates the transcript of `trajectory`.
    pub fn of(trajectory: &Trajectory<'a>, speakers: Speakers, texts: &mut Texts<'a>) -> Self {
        let mut transcript = Self {
            turns: Vec::with_capacity(trajectory.turns.len()),
            values: Vec::with_capacity(EXPECTED),
            ends: Vec::new(),
        };
        // Other trajectories often repeat the instructions and the task, but hardly ever what is said after them.
        let mut is_answered = false;
        for turn in &trajectory.turns {
            is_answered |= turn.role == Role::Agent;
            let is_heard = speakers == Speakers::All || turn.role == Role::Agent;
            let content = if is_heard { turn.content } else { "" };
            let comes_again = !is_answered || turn.role == Role::System || content.is_empty();
            transcript.turns.push(match comes_again {
                true => texts.read(content),
                false => texts.read_new(content),
            });
            if turn.role == Role::Agent {
                for call in &turn.tool_calls {
                    transcript.add_call(call, texts);
                }
            }
        }
        transcript
    }

    fn add_call(&mut self, call: &ToolCall<'a>, texts: &mut Texts<'a>) {
        let parts = [call.arguments, call.result, call.error];
        let ends = parts.map(|json| {
            if let Some(json) = json {
                self.add_values(json, false, texts, &mut 0);
            }
            self.values.len()
        });
        self.ends.push(ends);
    }

    fn add_values(
        &mut self,
        json: Json<'a>,
        is_name: bool,
        texts: &mut Texts<'a>,
        count: &mut usize,
    ) {
        let number = *count;
        *count += 1;
        let mut add = |content| self.values.push(Value { number, content });
        match json {
            Json::Null | Json::Bool(_) => {}
            Json::Number(number) => add(Content::Number(number)),
            Json::String(text) => {
                let id = texts.read(text);
                add(match is_name {
                    true => Content::Name(text, id),
                    false => Content::Text(text, id),
                });
            }
            Json::Array(items) => {
                add(Content::Items(items.len()));
                for item in items {
                    self.add_values(*item, false, texts, count);
                }
            }
            Json::Object(members) => {
                for (key, value) in members {
                    let key_says = Key::of(key);
                    if key_says.has_digit() {
                        let content = Content::Key(texts.read(key));
                        self.values.push(Value { number, content });
                    }
                    self.add_values(*value, key_says.is_of_name(), texts, count);
                }
            }
        }
    }

    /// Returns the text of each turn.
    pub fn turns(&self) -> &[TextId] {
        &self.turns
    }

    /// Returns the values of a call's arguments, in order.
    pub fn arguments(&self, call: usize) -> &[Value<'a>] {
        let before = call.checked_sub(1);
        let start = before.map_or(0, |before| self.ends[before][2]);
        &self.values[start..self.ends[call][0]]
    }

    /// Returns the values of a call's result, in order.
    pub fn result(&self, call: usize) -> &[Value<'a>] {
        let [start, end, _] = self.ends[call];
        &self.values[start..end]
    }

    /// Returns the values of a call's error, in order.
    pub fn error(&self, call: usize) -> &[Value<'a>] {
        let [_, start, end] = self.ends[call];
        &self.values[start..end]
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;
    use proptest::prelude::*;

    use super::*;
    use toolgauge_model::Turn;
    use toolgauge_model::testing::{any_json, arena_json};

    /// Collects all values, depth first.
    fn all<'a>(json: Json<'a>, found: &mut Vec<Json<'a>>) {
        found.push(json);
        for item in json.items().unwrap_or_default() {
            all(*item, found);
        }
        for (_, value) in json.members().unwrap_or_default() {
            all(*value, found);
        }
    }

    fn turn<'a>(role: Role, content: &'a str, calls: &[[Option<Json<'a>>; 3]]) -> Turn<'a> {
        let calls = calls.iter().map(|[arguments, result, error]| ToolCall {
            arguments: *arguments,
            result: *result,
            error: *error,
            ..ToolCall::default()
        });
        Turn {
            turn_id: 1,
            role,
            content,
            timestamp: None,
            tool_calls: calls.collect(),
            extra: &[],
        }
    }

    proptest! {
        #[test]
        fn values_stand_where_their_numbers_say(texts in prop::collection::vec(any_json(), 1..4)) {
            let arena = Bump::new();
            let jsons: Vec<_> = texts.iter().map(|text| arena_json(&arena, text)).collect();
            let calls: Vec<_> = jsons
                .iter()
                .map(|json| [Some(*json), None, Some(jsons[0])])
                .collect();
            let trajectory = Trajectory {
                turns: vec![
                    turn(Role::User, "A text", &[[Some(jsons[0]); 3]]),
                    turn(Role::Agent, "a text", &calls),
                ],
                ..Trajectory::default()
            };
            let transcript = Transcript::of(&trajectory, Speakers::All, &mut Texts::default());
            for (call, json) in jsons.iter().enumerate() {
                prop_assert!(transcript.result(call).is_empty());
                for (values, json) in [
                    (transcript.arguments(call), *json),
                    (transcript.error(call), jsons[0]),
                ] {
                    let mut expected = Vec::new();
                    all(json, &mut expected);
                    for value in values {
                        let says = match value.content {
                            Content::Number(number) => Json::Number(number),
                            Content::Text(text, _) | Content::Name(text, _) => Json::String(text),
                            Content::Items(count) => {
                                let items = expected[value.number].items();
                                prop_assert_eq!(items.map(<[_]>::len), Some(count));
                                continue;
                            }
                            Content::Key(_) => Json::Null,
                        };
                        prop_assert_eq!(says, expected[value.number]);
                    }
                    let says_something = |json: &&Json<'_>| {
                        !matches!(json, Json::Null | Json::Bool(_) | Json::Object(_))
                    };
                    prop_assert_eq!(values.len(), expected.iter().filter(says_something).count());
                }
            }
        }
    }

    #[test]
    fn keys_say_what_is_a_name_and_what_they_say_themselves() {
        let arena = Bump::new();
        let json = arena_json(
            &arena,
            r#"{"a":[null,{"HAT12":{"userName":"Mia"}}],"name":["Li"]}"#,
        );
        let trajectory = Trajectory {
            turns: vec![turn(Role::Agent, "", &[[None, Some(json), None]])],
            ..Trajectory::default()
        };
        let transcript = Transcript::of(&trajectory, Speakers::Agent, &mut Texts::default());
        let found: Vec<_> = transcript
            .result(0)
            .iter()
            .map(|value| match value.content {
                Content::Name(text, _) => (value.number, format!("name {text}")),
                Content::Text(text, _) => (value.number, format!("text {text}")),
                Content::Items(count) => (value.number, format!("{count} items")),
                Content::Key(_) => (value.number, "key".to_owned()),
                Content::Number(number) => (value.number, number.to_string()),
            })
            .collect();
        let found: Vec<_> = found
            .iter()
            .map(|(at, text)| (*at, text.as_str()))
            .collect();
        let expected = [
            (1, "2 items"),
            (3, "key"),
            (5, "name Mia"),
            (6, "1 items"),
            (7, "text Li"),
        ];
        assert_eq!(found, expected);
    }
}
