//! Detects loops while an agent runs: the same call, or the same chain of calls, again and again.

use std::hash::{BuildHasher, Hash};

use foldhash::quality::FixedState;
use serde::{Deserialize, Serialize};

use toolgauge_base::options::Options;
use toolgauge_loops::LoopKind;
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path, Preview, start_of};

/// How many characters of a name and of arguments a warning shows.
const LONGEST_SHOWN: usize = 120;

/// The highest number of repetitions and the longest chain that can be configured.
const MOST_REMEMBERED: usize = 100;

/// The state of a tracker. It is plain data, so it can be saved and restored between rounds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TrackerState {
    /// How often in a row the same call or chain of calls may be made, from 1. Default 2.
    pub max_repeats: usize,
    /// The longest chain to detect, in calls, from 1. Default 3.
    pub chain_length: usize,
    /// How many calls were recorded so far.
    pub recorded: usize,
    /// How often in a row the latest call was made. 0 before the first call.
    pub repeats: usize,
    /// The latest calls, oldest first: at most `maxRepeats` × `chainLength`.
    pub calls: Vec<TrackedCall>,
}

/// A call that a tracker remembers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TrackedCall {
    /// The call as warnings show it, for example `search({"q":"news"})`, shortened.
    pub call: String,
    /// The hash of name and arguments, in hexadecimal. The order of object members does not matter.
    pub key: String,
    /// The hash of the output, in hexadecimal; `null` before there is one.
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub output: Option<String>,
}

/// A warning about a call that would be one repetition too many.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LoopWarning {
    /// What is repeated: `repeated_call` or `repeating_chain`.
    pub kind: LoopKind,
    /// The calls of one repetition, in order, for example `search({"q":"news"})`, shortened.
    pub chain: Vec<String>,
    /// How often the chain was made in a row before this call.
    pub repetitions: usize,
    /// The warning as a message for the model. It names the chain.
    pub message: String,
}

/// The result of tracking the calls of one round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TrackedRound {
    /// The warning about each call, `null` if there is none.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<Option<LoopWarning>>"))]
    pub warnings: Vec<Option<LoopWarning>>,
    /// The number of each call among all recorded ones, from 0; `null` for a call that was not recorded.
    #[cfg_attr(feature = "typescript", ts(type = "Array<number | null>"))]
    pub numbers: Vec<Option<usize>>,
    /// The new state of the tracker.
    pub state: TrackerState,
}

impl Default for TrackerState {
    fn default() -> Self {
        Self {
            max_repeats: 2,
            chain_length: 3,
            recorded: 0,
            repeats: 0,
            calls: Vec::new(),
        }
    }
}

impl TrackerState {
    /// Reads the state from `options`. Missing members are as in a new tracker.
    ///
    /// # Errors
    /// [`Error::InvalidOption`] if the options are not the state of a tracker.
    pub fn read(mut options: Options) -> Result<Self> {
        let new = Self::default();
        let state = Self {
            max_repeats: options.take("maxRepeats")?.unwrap_or(new.max_repeats),
            chain_length: options.take("chainLength")?.unwrap_or(new.chain_length),
            recorded: options.take("recorded")?.unwrap_or_default(),
            repeats: options.take("repeats")?.unwrap_or_default(),
            calls: options.take("calls")?.unwrap_or_default(),
        };
        options.finish(&["maxRepeats", "chainLength", "recorded", "repeats", "calls"])?;
        state.check_ranges()?;
        Ok(state)
    }

    fn check_ranges(&self) -> Result<()> {
        let range = 1..=MOST_REMEMBERED;
        let refuse = |name: &str, reason: String| {
            let path = Path::root().key("options").key(name);
            Err(Error::InvalidOption { path, reason })
        };
        for (name, value) in [
            ("maxRepeats", self.max_repeats),
            ("chainLength", self.chain_length),
        ] {
            if !range.contains(&value) {
                return refuse(
                    name,
                    format!("expected 1 to {MOST_REMEMBERED}, got {value}"),
                );
            }
        }
        match self.recorded < self.calls.len() {
            true => refuse(
                "recorded",
                "expected at least the number of calls".to_owned(),
            ),
            false => Ok(()),
        }
    }

    /// Checks the calls of a round one after the other and records them. With `refuses`, it records only
    /// calls without a warning, because the others are not run.
    pub fn track<'c, 'a: 'c>(
        mut self,
        calls: impl Iterator<Item = (&'c str, Json<'a>)>,
        refuses: bool,
    ) -> TrackedRound {
        let (mut warnings, mut numbers) = (Vec::new(), Vec::new());
        for (name, arguments) in calls {
            let call = TrackedCall::of(name, arguments);
            let warning = self.check(&call);
            let is_recorded = warning.is_none() || !refuses;
            numbers.push(is_recorded.then(|| self.record(call)));
            warnings.push(warning);
        }
        TrackedRound {
            warnings,
            numbers,
            state: self,
        }
    }

    /// Records the output of a call, by its number. A call that is no longer remembered is ignored.
    pub fn record_output(&mut self, number: usize, output: Json<'_>) {
        let first = self.recorded - self.calls.len();
        let place = number.checked_sub(first);
        if let Some(call) = place.and_then(|place| self.calls.get_mut(place)) {
            call.output = Some(fingerprint(&output));
            self.repeats = self.repeats_at_end();
        }
    }

    fn record(&mut self, call: TrackedCall) -> usize {
        let repeats_latest = self
            .calls
            .last()
            .is_some_and(|latest| latest.key == call.key);
        self.repeats = match repeats_latest {
            true => self.repeats + 1,
            false => 1,
        };
        self.calls.push(call);
        let most = self.max_repeats.saturating_mul(self.chain_length).max(1);
        let surplus = self.calls.len().saturating_sub(most);
        self.calls.drain(..surplus);
        self.recorded += 1;
        self.recorded - 1
    }

    /// Returns how often in a row the latest call was made with the same output.
    fn repeats_at_end(&self) -> usize {
        let Some(latest) = self.calls.last() else {
            return 0;
        };
        let same = self
            .calls
            .iter()
            .rev()
            .take_while(|call| call.repeats(latest));
        let found = same.count();
        // The number before the remembered calls is known from the count.
        match found == self.calls.len() {
            true => self.repeats.max(found),
            false => found,
        }
    }

    fn check(&self, call: &TrackedCall) -> Option<LoopWarning> {
        (1..=self.chain_length).find_map(|length| self.check_chain(call, length))
    }

    /// Returns a warning if the latest calls are `max_repeats` times the same chain of `length` calls and
    /// `call` would start it again.
    fn check_chain(&self, call: &TrackedCall, length: usize) -> Option<LoopWarning> {
        let needed = self.max_repeats.checked_mul(length)?;
        let start = self.calls.len().checked_sub(needed)?;
        let latest = &self.calls[start..];
        let chain = &latest[..length];
        let is_repeated = latest.chunks(length).skip(1).all(|round| {
            let mut pairs = round.iter().zip(chain);
            pairs.all(|(call, first)| call.repeats(first))
        });
        (is_repeated && chain[0].key == call.key).then(|| {
            let repetitions = match length {
                1 => self.repeats.max(self.max_repeats),
                _ => self.max_repeats,
            };
            LoopWarning::new(chain, repetitions)
        })
    }
}

impl TrackedCall {
    fn of(name: &str, arguments: Json<'_>) -> Self {
        let shown = Preview::of(arguments, LONGEST_SHOWN);
        Self {
            call: format!("{}({shown})", start_of(name, LONGEST_SHOWN)),
            key: fingerprint(&(name, arguments)),
            output: None,
        }
    }

    /// Returns whether this is the same call with the same output. An unknown output equals any.
    fn repeats(&self, other: &Self) -> bool {
        let outputs = self.output.as_ref().zip(other.output.as_ref());
        self.key == other.key && outputs.is_none_or(|(this, that)| this == that)
    }
}

impl LoopWarning {
    fn new(chain: &[TrackedCall], repetitions: usize) -> Self {
        let chain: Vec<_> = chain.iter().map(|call| call.call.clone()).collect();
        let (kind, made) = match chain.as_slice() {
            [call] => (
                LoopKind::RepeatedCall,
                format!("You have made the call {call} {repetitions} times in a row"),
            ),
            calls => (
                LoopKind::RepeatingChain,
                format!(
                    "You have made these calls {repetitions} times in a row: {}",
                    calls.join(" -> ")
                ),
            ),
        };
        Self {
            kind,
            chain,
            repetitions,
            message: format!(
                "Loop detected. {made}. Repeating it brings nothing new: use the results that you have, \
                 call with other arguments, or try another way."
            ),
        }
    }
}

fn fingerprint(value: &impl Hash) -> String {
    format!("{:016x}", FixedState::default().hash_one(value))
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;
    use proptest::prelude::*;

    use super::*;
    use toolgauge_model::testing::arena_json;

    /// Tracks calls of `f` with these arguments one by one, each with its output, and returns which were
    /// warned about.
    fn warned(state: TrackerState, calls: &[(&str, &str)]) -> (Vec<bool>, TrackerState) {
        let arena = Bump::new();
        let mut state = state;
        let mut warned = Vec::new();
        for (arguments, output) in calls {
            let arguments = arena_json(&arena, arguments);
            let round = state.track([("f", arguments)].into_iter(), true);
            state = round.state;
            warned.push(round.warnings[0].is_some());
            if let (Some(number), false) = (round.numbers[0], output.is_empty()) {
                state.record_output(number, arena_json(&arena, output));
            }
        }
        (warned, state)
    }

    #[test]
    fn the_third_identical_call_in_a_row_gets_a_warning() {
        let (found, state) = warned(TrackerState::default(), &[("1", ""), ("1", ""), ("1", "")]);
        assert_eq!(found, [false, false, true]);
        assert_eq!((state.repeats, state.recorded), (2, 2));
        let (found, state) = warned(state, &[("2", ""), ("1", ""), ("1", ""), ("1", "")]);
        assert_eq!(found, [false, false, false, true]);
        assert_eq!(state.repeats, 2);
    }

    #[test]
    fn the_third_repetition_of_a_chain_gets_a_warning_that_names_it() {
        let calls = ["1", "2", "1", "2", "1"].map(|call| (call, ""));
        let (found, state) = warned(TrackerState::default(), &calls);
        assert_eq!(found, [false, false, false, false, true]);
        let arena = Bump::new();
        let again = arena_json(&arena, "1");
        let round = state.track([("f", again)].into_iter(), true);
        let warning = round.warnings[0].clone().expect("a warning");
        assert_eq!(warning.kind, LoopKind::RepeatingChain);
        assert_eq!(warning.chain, ["f(1)", "f(2)"]);
        assert!(
            warning.message.contains("f(1) -> f(2)"),
            "{}",
            warning.message
        );
    }

    #[test]
    fn different_outputs_count_as_progress() {
        let (found, state) = warned(
            TrackerState::default(),
            &[("1", "7"), ("1", "8"), ("1", "9"), ("1", "9")],
        );
        assert_eq!(found, [false; 4]);
        assert_eq!(state.repeats, 2);
        assert_eq!(warned(state, &[("1", "9")]).0, [true]);
    }

    #[test]
    fn the_order_of_members_does_not_matter() {
        let (found, _) = warned(
            TrackerState::default(),
            &[
                (r#"{"a":1,"b":2}"#, ""),
                (r#"{"b":2,"a":1}"#, ""),
                (r#"{"a":1.0,"b":2}"#, ""),
            ],
        );
        assert_eq!(found, [false, false, true]);
    }

    #[test]
    fn a_state_survives_being_saved() {
        let (_, state) = warned(TrackerState::default(), &[("1", "7"), ("1", "7")]);
        let text = serde_json::to_string(&state).expect("JSON");
        let restored: TrackerState = serde_json::from_str(&text).expect("a state");
        assert_eq!(restored, state);
        assert_eq!(warned(restored, &[("1", "7")]).0, [true]);
    }

    #[test]
    fn all_calls_are_recorded_unless_some_are_refused() {
        let arena = Bump::new();
        let calls = [("f", arena_json(&arena, "1")); 5];
        let round = TrackerState::default().track(calls.into_iter(), false);
        let warned: Vec<_> = round.warnings.iter().map(Option::is_some).collect();
        assert_eq!(warned, [false, false, true, true, true]);
        assert_eq!(round.numbers, [0, 1, 2, 3, 4].map(Some));
        assert_eq!(round.state.repeats, 5);
        assert_eq!(round.warnings[4].as_ref().map(|it| it.repetitions), Some(4));
    }

    proptest! {
        #[test]
        fn a_warning_requires_enough_repetitions(
            calls in prop::collection::vec(0..3_usize, 0..20),
            max_repeats in 1..4_usize,
            chain_length in 1..4_usize,
        ) {
            let names = ["1", "2", "3"];
            let state = TrackerState { max_repeats, chain_length, ..TrackerState::default() };
            let steps: Vec<_> = calls.iter().map(|call| (names[*call], "")).collect();
            let (found, end) = warned(state, &steps);
            prop_assert!(end.calls.len() <= max_repeats * chain_length);
            let mut made: Vec<usize> = Vec::new();
            for (call, is_warned) in calls.iter().zip(found) {
                let loops = (1..=chain_length).any(|length| {
                    let needed = length * max_repeats;
                    let Some(start) = made.len().checked_sub(needed) else { return false };
                    let latest = &made[start..];
                    latest.iter().zip(latest.iter().skip(length)).all(|(a, b)| a == b) && latest[0] == *call
                });
                prop_assert_eq!(is_warned, loops);
                if !is_warned {
                    made.push(*call);
                }
            }
        }
    }
}
