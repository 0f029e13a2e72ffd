//! Detects traces of a result other than equal values: rounded numbers, and words that first appeared with it.

use foldhash::HashSet;

use super::digest::NumberSet;
use super::meanings::{Meanings, digest_of_number};
use super::transcript::{Content, Transcript, Value};
use toolgauge_facts::{Fact, FactValue, TextId, Texts, TokenKind, WordId, WordList};
use toolgauge_model::{Role, Trajectory, Turn};

/// Whole numbers below this one may count anything.
const SMALL: f64 = 10.0;

/// How many numbers of a result are compared at most.
const MOST_NUMBERS: usize = 200;

/// How many stated numbers near a number of a result are compared with it.
const MOST_NEAR: usize = 64;

/// The largest difference that rounding explains, as a share of the number.
const MOST_OF_NUMBER: f64 = 0.05;

/// The weight that new words must reach together to be a trace of a result. A capitalized word reaches it alone.
const ENOUGH: usize = 2;

/// The shortest lower-case word that counts, in bytes. Shorter ones appear in any text. Words of a single character, as
/// in Chinese, count anyway.
const SHORTEST_PLAIN: usize = 5;

/// Words that appear in any text.
static COMMON: WordList = WordList::of(
    "about above after again also available before being below between could details during every first found from have \
    here information into just like list more most name number only other please provide result results should some \
    status such than thank thanks that their them then there these they this those through under until using value were \
    what when where which while will with within would your",
);

/// A number that a text states.
#[derive(Debug, Clone, Copy)]
struct Stated {
    number: f64,
    /// How much the number may differ from the number that it rounds.
    tolerance: f64,
    /// The position at which the number was said.
    position: usize,
}

/// The numbers that the texts of a segment state, in ascending order.
#[derive(Default)]
pub struct StatedNumbers(Vec<Stated>);

impl StatedNumbers {
    /// Collects the numbers of the given texts, each with the position of its text.
    pub fn of<'a>(said: impl Iterator<Item = (TextId, usize)>, texts: &Texts<'a>) -> Self {
        let mut found = Vec::new();
        for (text, position) in said {
            for fact in texts.facts(text) {
                let FactValue::Number(readings) = &fact.value else {
                    continue;
                };
                let step = 10f64.powi(-decimals(fact.text));
                let in_words = fact.text.bytes().any(|byte| byte.is_ascii_alphabetic());
                found.extend(readings.iter().map(|number| Stated {
                    number: *number,
                    tolerance: match in_words {
                        true => step.max(number.abs() / 100.0),
                        false => step,
                    },
                    position,
                }));
            }
        }
        found.sort_by(|a, b| a.number.total_cmp(&b.number));
        Self(found)
    }

    /// Checks whether a number that was said at `from` or later rounds one of `values`.
    pub fn round_one_of<'a>(&self, values: &[Value<'a>], from: usize, texts: &Texts<'a>) -> bool {
        let numbers = values
            .iter()
            .flat_map(|value| numbers_of(value.content, texts));
        let mut numbers = numbers.take(MOST_NUMBERS);
        numbers.any(|number| {
            let is_share = number.abs() < 1.0 && self.rounds(100.0 * number, from);
            is_share || self.rounds(number, from)
        })
    }

    fn rounds(&self, number: f64, from: usize) -> bool {
        // Too many numbers are close to a whole number below 100.
        if number.fract() == 0.0 && number.abs() < 100.0 {
            return false;
        }
        let reach = (number.abs() / 50.0).max(1.0);
        let start = self
            .0
            .partition_point(|stated| stated.number < number - reach);
        let near = self.0[start..].iter().take(MOST_NEAR);
        near.take_while(|stated| stated.number <= number + reach)
            .filter(|stated| stated.position >= from)
            .any(|stated| {
                let tolerance = stated.tolerance.min(number.abs() * MOST_OF_NUMBER);
                (stated.number - number).abs() < tolerance
            })
    }
}

/// Returns how many digits a written number has after the decimal sign.
fn decimals(written: &str) -> i32 {
    let digits = written.trim_end_matches(|c: char| !c.is_ascii_digit());
    let Some(at) = digits.rfind(['.', ',']) else {
        return 0;
    };
    let count = digits[at + 1..]
        .bytes()
        .take_while(u8::is_ascii_digit)
        .count();
    match (digits.as_bytes()[at], count) {
        (b',', 3) => 0,
        _ => count.min(15) as i32,
    }
}

/// Returns the numbers in a value of a result.
fn numbers_of<'a>(content: Content<'a>, texts: &Texts<'a>) -> Vec<f64> {
    match content {
        Content::Number(number) => vec![number.as_f64()],
        Content::Text(_, id) | Content::Name(_, id) => {
            let facts = texts.facts(id).iter().take(MOST_NUMBERS);
            let readings = facts.filter_map(|fact| match &fact.value {
                FactValue::Number(readings) => readings.iter().next().copied(),
                FactValue::Date(_) | FactValue::Time(_) | FactValue::Text(_) => None,
            });
            readings.collect()
        }
        Content::Items(_) | Content::Key(_) => Vec::new(),
    }
}

/// The values that are known in a segment without deriving anything: everything that was said before the reply, and the
/// values of all arguments and results.
#[derive(Default)]
pub struct KnownValues {
    digests: HashSet<u64>,
    /// The index of the next turn to read.
    turn: usize,
    /// The number of the first call of that turn.
    call: usize,
}

impl KnownValues {
    /// Reads everything from the turns before `start`, and the calls from the turns before `end`.
    pub fn read<'a>(
        &mut self,
        (start, end): (usize, usize),
        trajectory: &Trajectory<'a>,
        transcript: &Transcript<'a>,
        meanings: &mut Meanings<'a>,
    ) {
        while self.turn < start {
            let turn = &trajectory.turns[self.turn];
            self.add_text(turn.content, meanings);
            self.call = self.add_calls(turn, self.call, transcript, meanings);
            self.turn += 1;
        }
        let mut call = self.call;
        for turn in &trajectory.turns[start..end] {
            call = self.add_calls(turn, call, transcript, meanings);
        }
    }

    /// Adds the values of the calls of a turn. `first` is the number of its first call. Returns the number of the call
    /// after its last one.
    fn add_calls<'a>(
        &mut self,
        turn: &Turn<'a>,
        first: usize,
        transcript: &Transcript<'a>,
        meanings: &mut Meanings<'a>,
    ) -> usize {
        let made = match turn.role {
            Role::Agent => turn.tool_calls.len(),
            Role::User | Role::System => 0,
        };
        for call in first..first + made {
            self.add_values(transcript.arguments(call), meanings);
            self.add_values(transcript.result(call), meanings);
        }
        first + made
    }

    /// Adds the values of arguments or of a result.
    fn add_values<'a>(&mut self, values: &[Value<'a>], meanings: &mut Meanings<'a>) {
        for value in values {
            match value.content {
                Content::Text(text, id) | Content::Name(text, id) => {
                    self.digests.extend(meanings.of(text, id).values);
                }
                Content::Number(number) => {
                    self.digests.insert(digest_of_number(number.as_f64()));
                }
                Content::Items(count) => {
                    self.digests.insert(digest_of_number(count as f64));
                }
                Content::Key(_) => {}
            }
        }
    }

    /// Adds the values that a text states.
    fn add_text<'a>(&mut self, text: &'a str, meanings: &mut Meanings<'a>) {
        let id = meanings.texts.read(text);
        self.digests.extend(meanings.of(text, id).values);
    }

    /// Returns whether a text states a number that is not known, and whether that is more than a small whole number.
    pub fn news_in(&self, text: TextId, texts: &Texts<'_>) -> News {
        let facts = texts.facts(text).iter();
        let facts = facts.filter_map(|fact| match &fact.value {
            FactValue::Number(readings) => {
                let mut known = readings.iter().map(|number| digest_of_number(*number));
                let is_new = !known.any(|digest| self.digests.contains(&digest));
                let is_small = readings
                    .iter()
                    .all(|number| number.fract() == 0.0 && number.abs() < SMALL);
                is_new.then_some(if is_small { News::Small } else { News::Large })
            }
            FactValue::Date(_) | FactValue::Time(_) | FactValue::Text(_) => None,
        });
        facts.max().unwrap_or(News::None)
    }
}

/// Whether a reply works out a number that nobody said before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum News {
    /// There is no new number.
    #[default]
    None,
    /// Only small whole numbers are new. They may count anything.
    Small,
    /// Another number is new.
    Large,
}

/// The words that were heard before a call, from any speaker. Calls must be queried in order. Each turn is read once,
/// when a call after it is first queried.
#[derive(Default)]
pub struct Heard {
    words: NumberSet,
    /// The index of the next turn to read.
    turn: usize,
    /// The number of the first call of that turn.
    call: usize,
}

impl Heard {
    /// Reads all turns before `turn`.
    pub fn read_up_to<'a>(
        &mut self,
        turn: usize,
        trajectory: &Trajectory<'a>,
        transcript: &Transcript<'a>,
        meanings: &mut Meanings<'a>,
    ) {
        while self.turn < turn {
            let read = &trajectory.turns[self.turn];
            let id = meanings.texts.read(read.content);
            self.add(id, &meanings.texts);
            if read.role == Role::Agent {
                for _ in &read.tool_calls {
                    self.add_values(transcript.arguments(self.call), &meanings.texts);
                    self.add_values(transcript.result(self.call), &meanings.texts);
                    self.call += 1;
                }
            }
            self.turn += 1;
        }
    }

    /// Checks whether enough words of a result were new with it and are said later. `is_said` checks whether a word is
    /// said later.
    pub fn lacks_said_words<'a>(
        &self,
        values: &[Value<'a>],
        arguments: &[Value<'a>],
        texts: &Texts<'a>,
        is_said: impl Fn(WordId) -> bool,
    ) -> bool {
        let mut passed_on = NumberSet::default();
        for id in texts_of(arguments) {
            for word in texts.tokens(id).iter().filter_map(|token| token.word) {
                passed_on.insert(word.index());
            }
        }
        let mut weight = 0;
        for id in texts_of(values) {
            for token in texts.tokens(id) {
                let Some(word) = token.word.filter(|_| token.kind == TokenKind::Letters) else {
                    continue;
                };
                let is_new = word.is_sought()
                    && !self.words.contains(word.index())
                    && !passed_on.contains(word.index());
                if !is_new || !is_said(word) || token.says_one_of(&COMMON) {
                    continue;
                }
                let is_long = token.text.len() >= SHORTEST_PLAIN;
                let is_sign = token.text.chars().nth(1).is_none();
                let counts = token.is_capitalized || is_long || is_sign;
                // Each word counts once.
                if counts && passed_on.insert(word.index()) {
                    weight += if token.is_capitalized { ENOUGH } else { 1 };
                }
                if weight >= ENOUGH {
                    return true;
                }
            }
        }
        false
    }

    fn add_values<'a>(&mut self, values: &[Value<'a>], texts: &Texts<'a>) {
        for id in texts_of(values) {
            self.add(id, texts);
        }
    }

    fn add(&mut self, text: TextId, texts: &Texts<'_>) {
        for word in texts.tokens(text).iter().filter_map(|token| token.word) {
            self.words.insert(word.index());
        }
    }
}

/// Checks whether the values contain a date.
pub fn hold_day(values: &[Value<'_>], texts: &Texts<'_>) -> bool {
    let is_day = |fact: &Fact<'_>| matches!(fact.value, FactValue::Date(_));
    texts_of(values).any(|text| texts.facts(text).iter().any(is_day))
}

/// Returns the texts of values.
fn texts_of<'v>(values: &'v [Value<'_>]) -> impl Iterator<Item = TextId> + 'v {
    values.iter().filter_map(|value| match value.content {
        Content::Text(_, id) | Content::Name(_, id) | Content::Key(id) => Some(id),
        Content::Number(_) | Content::Items(_) => None,
    })
}
