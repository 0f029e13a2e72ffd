//! Looks words up in everything that was said and returned before a reply.

use std::collections::HashSet;

use toolgauge_model::{Json, Role, ToolCall, Trajectory, Turn};

/// The words of some texts, in lower case.
#[derive(Default)]
pub struct Words {
    known: HashSet<String>,
}

/// The words of a trajectory up to a place that only moves forward, so that each turn is read once.
#[derive(Default)]
pub struct Growing {
    words: Words,
    read: usize,
}

impl Growing {
    /// Returns the words of every text, argument and result before the turn at `end`.
    pub fn all(&mut self, trajectory: &Trajectory<'_>, end: usize) -> &Words {
        for turn in self.next(trajectory, end) {
            self.words.add_text(turn.content);
            turn.tool_calls
                .iter()
                .for_each(|call| self.words.add_call(call));
        }
        &self.words
    }

    /// Returns the words of the results of the agent's calls before the turn at `end`.
    pub fn results(&mut self, trajectory: &Trajectory<'_>, end: usize) -> &Words {
        let turns = self.next(trajectory, end).iter();
        for call in turns
            .filter(|turn| turn.role == Role::Agent)
            .flat_map(|turn| &turn.tool_calls)
        {
            call.result
                .into_iter()
                .for_each(|result| self.words.add_json(result));
        }
        &self.words
    }

    /// Returns the turns before `end` that are not read yet.
    fn next<'t, 'a>(&mut self, trajectory: &'t Trajectory<'a>, end: usize) -> &'t [Turn<'a>] {
        let from = self.read.min(end);
        self.read = self.read.max(end);
        &trajectory.turns[from..end]
    }
}

impl Words {
    /// Returns the words of the result of `call`.
    pub fn of_result(call: &ToolCall<'_>) -> Self {
        let mut words = Self::default();
        call.result
            .into_iter()
            .for_each(|result| words.add_json(result));
        words
    }

    /// Returns the words of the arguments of `call`.
    pub fn of_arguments(call: &ToolCall<'_>) -> Self {
        let mut words = Self::default();
        words.add_json(call.made_arguments());
        words
    }

    /// Returns the words of the arguments and the result of `call`.
    pub fn of_call(call: &ToolCall<'_>) -> Self {
        let mut words = Self::default();
        words.add_call(call);
        words
    }

    /// Returns whether the words contain `number`, with or without leading zeros.
    pub fn has_number(&self, number: u64) -> bool {
        self.has(&number.to_string()) || self.has(&format!("{number:02}"))
    }

    /// Returns whether the words contain `word`, which is in lower case.
    pub fn has(&self, word: &str) -> bool {
        self.known.contains(word)
    }

    fn add_call(&mut self, call: &ToolCall<'_>) {
        let values = [call.arguments, call.result, call.error];
        values
            .into_iter()
            .flatten()
            .for_each(|value| self.add_json(value));
    }

    fn add_text(&mut self, text: &str) {
        let words = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        self.known.extend(words.map(str::to_lowercase));
    }

    fn add_json(&mut self, json: Json<'_>) {
        let mut open = vec![json];
        while let Some(json) = open.pop() {
            match json {
                Json::String(text) => self.add_text(text),
                Json::Number(_) => self.add_text(&serde_json::to_string(&json).unwrap_or_default()),
                Json::Array(items) => open.extend(items),
                Json::Object(members) => open.extend(members.iter().map(|(_, value)| *value)),
                Json::Null | Json::Bool(_) => {}
            }
        }
    }
}

/// Returns the values of `json` that look like identifiers: single words of at least four characters with a
/// digit.
pub fn identifiers<'a>(json: Json<'a>) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut open = vec![json];
    while let Some(json) = open.pop() {
        match json {
            Json::String(text) if is_identifier(text) => found.push(text),
            Json::Array(items) => open.extend(items),
            Json::Object(members) => open.extend(members.iter().map(|(_, value)| *value)),
            Json::String(_) | Json::Number(_) | Json::Null | Json::Bool(_) => {}
        }
    }
    found
}

fn is_identifier(text: &str) -> bool {
    (4..40).contains(&text.len())
        && text.contains(|c: char| c.is_ascii_digit())
        && !text.contains(char::is_whitespace)
}
