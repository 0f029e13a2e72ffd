//! Checks whether the values of results appear in what the agent said or did afterwards.

use foldhash::{HashMap, HashSet};

use super::excuses::{After, Report, excuse};
use super::literal::Literal;
use super::meanings::{Meanings, SearchTerms, digest_of_number};
use super::notations::states_value_of;
use super::purpose::Purpose;
use super::replies::{Order, announces};
use super::traces::{Heard, KnownValues, News, StatedNumbers, hold_day};
use super::transcript::{Content, Transcript, Value};
use toolgauge_facts::{TextId, WordId};
use toolgauge_model::{Role, ToolCall, Trajectory, Turn};

/// How many values of one result are looked up at most.
const MOST_VALUES: usize = 2_000;

/// For how many unused results of one segment other notations are tried.
const MOST_IN_NOTATIONS: usize = 20;

/// The number of values for which room is reserved up front.
const EXPECTED: usize = 896;

/// The share of the words of a long text that must appear for it to count as used.
const SHARE_OF_LONG_TEXT: f64 = 0.15;

/// The most words of a name. Longer texts count as used if a part of them appears.
const MOST_WORDS_OF_NAME: usize = 4;

/// How much of a short value a reply must repeat to name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Naming {
    /// All of its words.
    Full,
    /// Half of its words, which is how people and products are named.
    Short,
}

/// Whether a result was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Usage {
    /// A value of the result appears in the response or in a later call.
    Used,
    /// No value of the result appears, but nobody would miss it: the reply works something out, or says all that matters.
    Excused,
    /// No value of the result appears.
    Unused,
    /// There is no response to check.
    NoResponse,
}

/// Checks for each call, in order, whether its result was used. Only the agent's part of the transcript is read.
///
/// The response to a call is the text of the agent's turns after it, up to the next turn of the user, and the text of
/// the call's own turn if that is a reply. Arguments of later calls count as use as well. A result that appears nowhere
/// is excused if nobody would miss it: see [`excuse`].
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
    let order = Order::of(trajectory);
    let mut past = Past::default();
    let mut start = 0;
    for turns in trajectory
        .turns
        .split_inclusive(|turn| turn.role == Role::User)
    {
        let texts = &transcript.turns()[start..start + turns.len()];
        let mut segment = Segment {
            turns,
            start,
            texts,
            order,
            trajectory,
            transcript,
            meanings,
        };
        segment.check(&mut said, &mut past, &mut found);
        start += turns.len();
    }
    meanings.said = said;
    found
}

/// The position at which each value was last said. A lookup takes the same time however much was said. Positions keep
/// rising from segment to segment and from trajectory to trajectory, so a segment ignores everything said before it.
#[derive(Default)]
pub struct Stated {
    /// The last position of each value, by its digest.
    values: HashMap<u64, usize>,
    /// The last position of each word, by its index; 0 for a word that was never said.
    words: Vec<usize>,
    /// The position of the first turn of the segment.
    start: usize,
    /// The last turn of the segment whose text is a reply.
    last_reply: Option<usize>,
}

/// What was said before, read only as far as needed.
#[derive(Default)]
struct Past {
    heard: Heard,
    known: KnownValues,
}

/// A segment of the trajectory that ends with a turn of the user.
struct Segment<'s, 'a> {
    turns: &'s [Turn<'a>],
    /// The index of the segment's first turn in the trajectory.
    start: usize,
    /// The text of each turn.
    texts: &'s [TextId],
    order: Order,
    trajectory: &'s Trajectory<'a>,
    transcript: &'s Transcript<'a>,
    meanings: &'s mut Meanings<'a>,
}

/// A call whose result appears nowhere afterwards.
struct Unseen<'s, 'a> {
    call: &'s ToolCall<'a>,
    /// The number of the call in the trajectory.
    number: usize,
    /// The index of the call's turn in the segment.
    turn: usize,
}

impl<'s, 'a> Segment<'s, 'a> {
    fn agent_turns(&self) -> impl Iterator<Item = (usize, &'s Turn<'a>)> + use<'s, 'a> {
        let turns = self.turns.iter().enumerate();
        turns.filter(|(_, turn)| turn.role == Role::Agent)
    }

    /// Appends the usage of the segment's calls to `found`.
    fn check(&mut self, said: &mut Stated, past: &mut Past, found: &mut Vec<Usage>) {
        if self
            .agent_turns()
            .all(|(_, turn)| turn.tool_calls.is_empty())
        {
            return;
        }
        self.read(said, found.len());
        let (mut unseen, mut used_tools) = (Vec::new(), HashSet::default());
        for (turn, made) in self.agent_turns() {
            for call in &made.tool_calls {
                let number = found.len();
                let usage = self.usage_of(call, number, turn, said);
                match usage {
                    Usage::Unused => unseen.push(Unseen { call, number, turn }),
                    Usage::Used => {
                        used_tools.insert(call.name);
                    }
                    Usage::Excused | Usage::NoResponse => {}
                }
                found.push(usage);
            }
        }
        if !unseen.is_empty() {
            self.excuse(&unseen, &used_tools, said, past, &mut found[..]);
        }
        said.start = said.position(self.turns.len());
    }

    /// Records what the agent says and passes on. `call` is the number of the segment's first call.
    fn read(&mut self, said: &mut Stated, mut call: usize) {
        said.last_reply = None;
        for (at, turn) in self.agent_turns() {
            let position = said.position(at);
            if !turn.content.trim().is_empty() {
                if self.is_reply(at) {
                    said.last_reply = Some(at);
                }
                let meaning = self.meanings.of(turn.content, self.texts[at]);
                said.add_text(&meaning, position + 1);
            }
            for _ in &turn.tool_calls {
                said.add_values(self.transcript.arguments(call), position, self.meanings);
                call += 1;
            }
        }
    }

    /// Checks whether the text of a turn replies to the results before it and to those of its own calls.
    fn is_reply(&self, at: usize) -> bool {
        let turn = &self.turns[at];
        let is_continued = || {
            let next = self.turns.get(at + 1);
            next.is_some_and(|next| next.role == Role::Agent)
        };
        // Text beside a call that has not run yet was written before the results.
        let is_interrupted = || turn.tool_calls.iter().any(|call| call.pending);
        turn.tool_calls.is_empty()
            || match self.order {
                Order::TextFirst => false,
                Order::NotShown if is_interrupted() => false,
                Order::NotShown => !is_continued() && !announces(turn.content),
            }
    }

    fn usage_of(
        &mut self,
        call: &ToolCall<'a>,
        number: usize,
        turn: usize,
        said: &Stated,
    ) -> Usage {
        let has_response = said.last_reply.is_some_and(|last| last >= turn);
        if call.result.is_none() || !has_response {
            return Usage::NoResponse;
        }
        let values = self.transcript.result(number);
        // The text of the call's own turn counts, but only the arguments of later turns do.
        match said.uses_any(values, said.position(turn) + 1, self.meanings) {
            Some(false) => Usage::Unused,
            Some(true) | None => Usage::Used,
        }
    }

    /// Marks unused results as used if they left other traces, or as excused if nobody would miss them.
    fn excuse(
        &mut self,
        unseen: &[Unseen<'s, 'a>],
        used_tools: &HashSet<Option<&'a str>>,
        said: &Stated,
        past: &mut Past,
        found: &mut [Usage],
    ) {
        let after = self.after();
        let counts = count_by_tool(self.agent_turns().flat_map(|(_, turn)| &turn.tool_calls));
        let collected = self.collected(found.len() - self.call_count());
        let numbers = self.stated_numbers(said);
        let news = self.news(&mut past.known);
        for (place, unseen) in unseen.iter().enumerate() {
            let name = &unseen.call.name;
            let after = After {
                repeats: counts.get(name).is_some_and(|count| *count > 1),
                uses_sibling: used_tools.contains(name),
                collects_siblings: collected.contains(name),
                ..after[unseen.turn]
            };
            let works_out = match news[unseen.turn] {
                News::Large => true,
                News::Small => !after.calls,
                News::None => false,
            };
            let values = self.transcript.result(unseen.number);
            let is_used = (after.report.names_days && hold_day(values, &self.meanings.texts))
                || self.leaves_traces(unseen, &numbers, said, &mut past.heard)
                || (place < MOST_IN_NOTATIONS && self.is_in_another_notation(unseen));
            found[unseen.number] = match is_used {
                true => Usage::Used,
                false if works_out || excuse(unseen.call, after).is_some() => Usage::Excused,
                false => Usage::Unused,
            };
        }
    }

    fn call_count(&self) -> usize {
        self.agent_turns()
            .map(|(_, turn)| turn.tool_calls.len())
            .sum()
    }

    /// Returns the tools that returned a single number several times, each passed on as an argument of a later call.
    /// `first` is the number of the segment's first call.
    fn collected(&self, first: usize) -> HashSet<Option<&'a str>> {
        let calls = || self.agent_turns().flat_map(|(_, turn)| &turn.tool_calls);
        let numbered = || (first..).zip(calls());
        let number_of = |value: &Value<'a>| match value.content {
            Content::Number(number) => Some(digest_of_number(number.as_f64())),
            Content::Text(..) | Content::Name(..) | Content::Items(_) | Content::Key(_) => None,
        };
        let passed: HashSet<_> = numbered()
            .flat_map(|(number, _)| self.transcript.arguments(number))
            .filter_map(number_of)
            .collect();
        let is_passed = |number: usize| match self.transcript.result(number) {
            [only] => number_of(only).is_some_and(|number| passed.contains(&number)),
            _ => false,
        };
        let collected = numbered().filter(|(number, _)| is_passed(*number));
        let counts = count_by_tool(collected.map(|(_, call)| call));
        let several = counts.into_iter().filter(|(_, count)| *count > 1);
        several.map(|(name, _)| name).collect()
    }

    /// Returns for each turn what the agent works out in its text or later.
    fn news(&mut self, known: &mut KnownValues) -> Vec<News> {
        let end = self.start + self.turns.len();
        known.read(
            (self.start, end),
            self.trajectory,
            self.transcript,
            self.meanings,
        );
        let mut news = vec![News::None; self.turns.len()];
        let mut latest = News::None;
        for (at, turn) in self.turns.iter().enumerate().rev() {
            if turn.role == Role::Agent {
                latest = latest.max(known.news_in(self.texts[at], &self.meanings.texts));
            }
            news[at] = latest;
        }
        news
    }

    /// Returns for each turn what happens after its calls.
    fn after(&self) -> Vec<After> {
        let texts = &self.meanings.texts;
        let mut after = vec![After::default(); self.turns.len()];
        let mut so_far = After::default();
        for (at, turn) in self.turns.iter().enumerate().rev() {
            if turn.role != Role::Agent {
                continue;
            }
            if !turn.content.trim().is_empty() {
                let kinds = texts.facts(self.texts[at]).iter().map(|fact| fact.kind);
                let report = Report::of(texts.tokens(self.texts[at]), kinds);
                so_far.report = so_far.report.and(report);
            }
            after[at] = so_far;
            so_far.calls |= !turn.tool_calls.is_empty();
            let mut calls = turn.tool_calls.iter();
            so_far.changes |= calls.any(|call| Purpose::of(call) == Purpose::Change);
        }
        after
    }

    fn stated_numbers(&self, said: &Stated) -> StatedNumbers {
        let texts = self.agent_turns();
        let texts = texts.map(|(at, _)| (self.texts[at], said.position(at) + 1));
        StatedNumbers::of(texts, &self.meanings.texts)
    }

    /// Checks whether a result appears rounded, or in words that were new with it.
    fn leaves_traces(
        &mut self,
        unseen: &Unseen<'s, 'a>,
        numbers: &StatedNumbers,
        said: &Stated,
        heard: &mut Heard,
    ) -> bool {
        let transcript = self.transcript;
        let values = transcript.result(unseen.number);
        let known = values.partition_point(|value| value.number < MOST_VALUES);
        let values = &values[..known];
        let from = said.position(unseen.turn) + 1;
        if numbers.round_one_of(values, from, &self.meanings.texts) {
            return true;
        }
        let turn = self.start + unseen.turn;
        heard.read_up_to(turn, self.trajectory, transcript, self.meanings);
        let arguments = transcript.arguments(unseen.number);
        let is_said = |word: WordId| said.says_word(word, from);
        heard.lacks_said_words(values, arguments, &self.meanings.texts, is_said)
    }

    /// Checks whether a reply states a value of a result in another notation.
    fn is_in_another_notation(&self, unseen: &Unseen<'s, 'a>) -> bool {
        let result = Literal::of(unseen.call.result.unwrap_or_default());
        let mut replies = self.agent_turns().skip_while(|(at, _)| *at < unseen.turn);
        replies.any(|(at, turn)| {
            let facts = self.meanings.texts.facts(self.texts[at]);
            states_value_of(&result, turn.content, facts)
        })
    }
}

/// Counts the calls of each tool.
fn count_by_tool<'c, 'a: 'c>(
    calls: impl Iterator<Item = &'c ToolCall<'a>>,
) -> HashMap<Option<&'a str>, usize> {
    let mut counts = HashMap::default();
    for call in calls {
        *counts.entry(call.name).or_default() += 1;
    }
    counts
}

impl Stated {
    /// Returns the position of the arguments of a turn of the segment, counted from 0. The position of its text is one
    /// higher.
    fn position(&self, turn: usize) -> usize {
        self.start + 2 * turn + 1
    }

    fn add_text(&mut self, said: &SearchTerms<'_, '_>, position: usize) {
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
            match value.content {
                Content::Text(text, id) | Content::Name(text, id) => {
                    self.add_text(&meanings.of(text, id), position);
                }
                Content::Number(number) => self.say(digest_of_number(number.as_f64()), position),
                Content::Items(_) | Content::Key(_) => {}
            }
        }
    }

    /// Checks whether one of the values appears at `from` or later. Returns `None` if the values contain nothing that
    /// could appear.
    fn uses_any<'a>(
        &self,
        values: &[Value<'a>],
        from: usize,
        meanings: &mut Meanings<'a>,
    ) -> Option<bool> {
        let mut found = None;
        for value in values.iter().take_while(|value| value.number < MOST_VALUES) {
            match self.uses(value.content, from, meanings) {
                Some(true) => return Some(true),
                Some(false) => found = Some(false),
                None => {}
            }
        }
        found
    }

    fn uses<'a>(
        &self,
        content: Content<'a>,
        from: usize,
        meanings: &mut Meanings<'a>,
    ) -> Option<bool> {
        match content {
            Content::Number(number) => Some(self.is_said(digest_of_number(number.as_f64()), from)),
            Content::Text(text, id) => self.uses_text(&meanings.of(text, id), from, Naming::Full),
            Content::Name(text, id) => self.uses_text(&meanings.of(text, id), from, Naming::Short),
            Content::Items(count) => {
                let is_said = count > 1 && self.is_said(digest_of_number(count as f64), from);
                is_said.then_some(true)
            }
            Content::Key(_) => None,
        }
    }

    fn uses_text(&self, meant: &SearchTerms<'_, '_>, from: usize, naming: Naming) -> Option<bool> {
        if meant.values.iter().any(|value| self.is_said(*value, from)) {
            return Some(true);
        }
        let (mut total, mut said) = (0, 0);
        meant.each_word(|word| {
            total += 1;
            said += usize::from(self.says_word(word, from));
        });
        if total == 0 {
            return meant.has_codes.then_some(false);
        }
        let wanted = match naming {
            _ if total > MOST_WORDS_OF_NAME => {
                ((total as f64 * SHARE_OF_LONG_TEXT).ceil() as usize).max(2)
            }
            Naming::Full => total,
            Naming::Short => total.div_ceil(2),
        };
        Some(said >= wanted)
    }

    /// Checks whether a word is said at `from` or later.
    fn says_word(&self, word: WordId, from: usize) -> bool {
        let last = self.words.get(word.index());
        last.is_some_and(|last| *last >= from)
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
    use toolgauge_formats::import_trajectory;
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Limits, Reader};

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
        assert_eq!(said(r#"{"price":49}"#, "It costs $59."), Usage::Excused);
        assert_eq!(
            said(r#"{"price":49.4}"#, "It costs $49, and $12 to send."),
            Usage::Used
        );
        assert_eq!(
            said(r#"{"city":"Oslo"}"#, "You fly to Bergen."),
            Usage::Unused
        );
    }

    #[test]
    fn the_text_beside_a_call_that_has_not_run_is_no_reply() {
        let turn = |more: &str| {
            format!(
                r#"[{{"turn_id":1,"role":"agent","content":"Paying.","tool_calls":[{{"name":"f","result":{{"celsius":21}}}},{{"name":"g"{more}}}]}}]"#
            )
        };
        assert_eq!(usages(&turn(r#","pending":true"#))[0], Usage::NoResponse);
        assert_eq!(usages(&turn(""))[0], Usage::Unused);
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
