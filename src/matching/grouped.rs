//! Pairs calls with slots among which some have an order, as groups of expected calls and parallel calls have.
//!
//! The calls are read message by message. A slot can be filled until a slot that must come after it was filled by an
//! earlier message. The search keeps the best [`MOST_STATES`] states after each call, so it is exact as long as there
//! are no more. Beyond that, fewer calls may be found correct than possible, never more.

use std::cmp::Reverse;

use foldhash::HashMap;

use super::alignment::Row;
use super::budget::Budget;

/// The most states that are kept after a call.
const MOST_STATES: usize = 1_024;

/// The slots, and the order among them.
#[derive(Debug, Clone)]
pub struct Slots {
    kinds: Vec<Row>,
    /// For each slot those that must come before it.
    before: Vec<Bits>,
    required: Bits,
}

/// A set of slots.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Bits(Box<[u64]>);

impl Bits {
    fn none(size: usize) -> Self {
        Self(vec![0; size.div_ceil(64)].into())
    }

    fn has(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    fn add(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    fn add_all(&mut self, others: &Self) {
        for (word, other) in self.0.iter_mut().zip(&others.0) {
            *word |= other;
        }
    }

    /// Returns how many are neither in `taken` nor in `closed`.
    fn count_outside(&self, taken: &Self, closed: &Self) -> u32 {
        let words = self.0.iter().zip(&taken.0).zip(&closed.0);
        words
            .map(|((word, taken), closed)| (word & !taken & !closed).count_ones())
            .sum()
    }
}

impl Slots {
    /// Creates slots without an order.
    pub fn new(kinds: Vec<Row>) -> Self {
        let mut required = Bits::none(kinds.len());
        for (at, kind) in kinds.iter().enumerate() {
            if *kind == Row::Required {
                required.add(at);
            }
        }
        Self {
            before: vec![Bits::none(kinds.len()); kinds.len()],
            kinds,
            required,
        }
    }

    /// Says that the slots `first` must come before the slots `then`.
    pub fn order(&mut self, first: &[usize], then: &[usize]) {
        let mut earlier = Bits::none(self.kinds.len());
        for at in first {
            earlier.add(*at);
        }
        for at in then {
            self.before[*at].add_all(&earlier);
        }
    }

    /// Returns the number of words that hold a set of slots.
    fn words(&self) -> usize {
        self.required.0.len()
    }
}

/// What is decided about the calls so far.
#[derive(Debug, Clone)]
struct State {
    filled: Bits,
    /// Slots that come too late, since a later one was filled by an earlier message.
    closed: Bits,
    /// Slots filled by calls of the current message.
    current: Bits,
    required: u32,
    others: u32,
    /// Where the last pair is in the list of pairs.
    last: Option<usize>,
}

impl State {
    /// The best states have the highest rank: those that can still fill the most required slots.
    fn rank(&self, slots: &Slots) -> (u32, u32, u32) {
        let open = slots.required.count_outside(&self.filled, &self.closed);
        (self.required + open, self.required, self.others)
    }
}

/// A pair, and the pair before it.
struct Step {
    slot: usize,
    call: usize,
    before: Option<usize>,
}

/// Returns pairs of slots and calls that fill the most required slots, and then the most others. Each call has a
/// message, and the messages ascend. `fitting` returns the slots that a call fits; of slots that fit the same calls and
/// have the same place in the order, it returns them in one order. The steps are taken from `budget`.
pub fn fill(
    slots: &Slots,
    messages: &[usize],
    budget: &Budget,
    mut fitting: impl FnMut(usize) -> Vec<usize>,
) -> Vec<(usize, usize)> {
    let none = Bits::none(slots.kinds.len());
    let mut steps = Vec::new();
    let mut states = vec![State {
        filled: none.clone(),
        closed: none.clone(),
        current: none,
        required: 0,
        others: 0,
        last: None,
    }];
    for (call, message) in messages.iter().enumerate() {
        if call > 0 && messages[call - 1] != *message {
            for state in &mut states {
                close(state, slots);
            }
        }
        let fitting = fitting(call);
        let work = states.len() * (1 + fitting.len()) * (1 + slots.words());
        if !budget.spend(work) {
            return Vec::new();
        }
        if !fitting.is_empty() {
            states = with_call(states, call, &fitting, slots, &mut steps);
        }
    }
    let best = states
        .iter()
        .max_by_key(|state| (state.required, state.others));
    let mut pairs = Vec::new();
    let mut at = best.and_then(|state| state.last);
    while let Some(step) = at.map(|at| &steps[at]) {
        pairs.push((step.slot, step.call));
        at = step.before;
    }
    pairs.reverse();
    pairs
}

/// Ends a message: slots that must come before those that it filled can't be filled any more.
fn close(state: &mut State, slots: &Slots) {
    for at in 0..slots.kinds.len() {
        if state.current.has(at) {
            state.closed.add_all(&slots.before[at]);
        }
    }
    state.current.0.fill(0);
}

/// Returns the best states after a call, which fills one of the `fitting` slots or none.
fn with_call(
    states: Vec<State>,
    call: usize,
    fitting: &[usize],
    slots: &Slots,
    steps: &mut Vec<Step>,
) -> Vec<State> {
    let mut next: HashMap<(Bits, Bits, Bits), State> = HashMap::default();
    let mut add = |state: State| {
        let key = (
            state.filled.clone(),
            state.closed.clone(),
            state.current.clone(),
        );
        let gain = |state: &State| (state.required, state.others);
        match next.get_mut(&key) {
            Some(known) if gain(known) >= gain(&state) => {}
            Some(known) => *known = state,
            None => {
                next.insert(key, state);
            }
        }
    };
    for state in states {
        for &slot in fitting {
            if state.filled.has(slot) || state.closed.has(slot) {
                continue;
            }
            let mut filled = state.clone();
            filled.current.add(slot);
            match slots.kinds[slot] {
                Row::Required => {
                    filled.filled.add(slot);
                    filled.required += 1;
                }
                Row::Optional => {
                    filled.filled.add(slot);
                    filled.others += 1;
                }
                Row::Repeatable => filled.others += 1,
            }
            steps.push(Step {
                slot,
                call,
                before: state.last,
            });
            filled.last = Some(steps.len() - 1);
            add(filled);
        }
        add(state);
    }
    let mut states: Vec<_> = next.into_values().collect();
    // The last pair makes the order of equal states, and so the result, independent of the table.
    states.sort_by_key(|state| (Reverse(state.rank(slots)), state.last));
    states.truncate(MOST_STATES);
    states
}

#[cfg(test)]
mod tests {
    use super::super::comparison::{Comparing, NoComparators};
    use super::super::expectation::Expectations;
    use super::super::made::MadeCall;
    use super::super::pairing::{Pairing, pair};
    use bumpalo::Bump;
    use proptest::prelude::*;
    use serde_json::{Value, json};
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{ExpectedCall, Json, Limits, Path, Reader};

    /// Pairs messages, each a text whose letters are the tools that it calls.
    fn paired(expected: &str, messages: &[&str]) -> Pairing {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let expected = arena_json(&arena, expected);
        let expected = Expectations::read(expected, &Path::root(), reader).expect("expectations");
        let tools = messages.iter().enumerate().flat_map(|(message, calls)| {
            (0..calls.len()).map(move |at| (message, &calls[at..=at]))
        });
        let made: Vec<_> = tools
            .map(|(message, tool)| MadeCall {
                call: ExpectedCall::new(tool, None::<Json<'_>>),
                outcome: Default::default(),
                message,
            })
            .collect();
        let comparing = Comparing::new(&NoComparators, Limits::default());
        pair(&expected, &made, &comparing).expect("few calls")
    }

    fn counts(expected: &str, messages: &[&str]) -> String {
        let pairing = paired(expected, messages);
        let (correct, different) = (pairing.correct.len(), pairing.different.len());
        let (missed, extra) = (pairing.missed.len(), pairing.extra.len());
        format!(
            "{correct}/{different}/{missed}/{extra} of {}",
            pairing.expected
        )
    }

    #[test]
    fn an_unordered_group_has_a_place_in_a_sequence() {
        let expected = r#"{"order":"sequence","calls":["a",{"unordered":["b","c"]},"d"]}"#;
        assert_eq!(counts(expected, &["a", "b", "c", "d"]), "4/0/0/0 of 4");
        assert_eq!(counts(expected, &["a", "c", "b", "d"]), "4/0/0/0 of 4");
        assert_eq!(counts(expected, &["b", "a", "c", "d"]), "3/1/0/0 of 4");
        assert_eq!(counts(expected, &["a", "x", "c", "d"]), "3/0/1/1 of 4");
    }

    #[test]
    fn a_sequence_has_its_order_among_calls_in_any_order() {
        let expected = r#"[{"sequence":["a","b"]},"c"]"#;
        assert_eq!(counts(expected, &["c", "a", "b"]), "3/0/0/0 of 3");
        assert_eq!(counts(expected, &["a", "c", "b"]), "3/0/0/0 of 3");
        assert_eq!(counts(expected, &["b", "c", "a"]), "2/1/0/0 of 3");
    }

    #[test]
    fn one_of_several_sequences_is_expected() {
        let expected = r#"[{"anyOf":[{"sequence":["a","b"]},{"sequence":["c","d","e"]}]}]"#;
        assert_eq!(counts(expected, &["a", "b"]), "2/0/0/0 of 2");
        assert_eq!(counts(expected, &["c", "d", "e"]), "3/0/0/0 of 3");
        assert_eq!(counts(expected, &["c", "d"]), "2/0/1/0 of 3");
        assert_eq!(counts(expected, &["a", "d", "e"]), "2/0/1/1 of 3");
    }

    #[test]
    fn calls_of_one_message_have_no_order() {
        let expected = |order: &str| format!(r#"{{"order":"{order}","calls":["a","b","c"]}}"#);
        for order in ["sequence", "strict"] {
            assert_eq!(counts(&expected(order), &["ba", "c"]), "3/0/0/0 of 3");
            assert_eq!(counts(&expected(order), &["a", "cb"]), "3/0/0/0 of 3");
            assert_eq!(counts(&expected(order), &["cba"]), "3/0/0/0 of 3");
        }
        assert_eq!(
            counts(&expected("sequence"), &["b", "a", "c"]),
            "2/1/0/0 of 3"
        );
        assert_eq!(counts(&expected("strict"), &["ca", "b"]), "1/2/0/0 of 3");
    }

    #[test]
    fn long_lists_with_parallel_calls_are_paired_in_order() {
        let calls = [r#""a""#, r#""b""#].repeat(400).join(",");
        let expected = format!(r#"{{"order":"sequence","calls":[{calls}]}}"#);
        let messages = vec!["ba"; 400];
        assert_eq!(counts(&expected, &messages), "800/0/0/0 of 800");
    }

    #[test]
    fn repeated_calls_fill_a_group() {
        let expected = r#"{"order":"sequence","calls":[{"unordered":[{"tool":"a","times":{"min":1}},"b"]},"c"]}"#;
        assert_eq!(counts(expected, &["a", "b", "a", "c"]), "4/0/0/0 of 4");
        assert_eq!(counts(expected, &["a", "b", "c", "a"]), "3/0/0/1 of 3");
    }

    /// Returns whether the messages are what `group` says, by trying every way to read it: each way is a list of sets of
    /// tools, and each set is called in one message or several.
    fn allows(group: &Value, calls: &[(usize, char)]) -> bool {
        match group {
            Value::String(tool) => matches!(calls, [(_, made)] if tool.starts_with(*made)),
            Value::Object(members) => {
                let (kind, parts) = members.iter().next().expect("a kind of group");
                let parts = parts.as_array().expect("parts");
                match kind.as_str() {
                    "anyOf" => parts.iter().any(|part| allows(part, calls)),
                    kind => allows_parts(parts, calls, kind == "sequence"),
                }
            }
            _ => false,
        }
    }

    fn allows_parts(parts: &[Value], calls: &[(usize, char)], in_order: bool) -> bool {
        let Some((first, rest)) = parts.split_first() else {
            return calls.is_empty();
        };
        (0..1_usize << calls.len()).any(|chosen| {
            let (taken, left): (Vec<_>, Vec<_>) =
                (0..calls.len()).partition(|at| chosen >> at & 1 == 1);
            let pick = |places: &[usize]| places.iter().map(|at| calls[*at]).collect::<Vec<_>>();
            let (taken, left) = (pick(&taken), pick(&left));
            let last = taken.iter().map(|(message, _)| *message).max();
            let next = left.iter().map(|(message, _)| *message).min();
            let is_ordered = !in_order || last.zip(next).is_none_or(|(last, next)| last <= next);
            is_ordered && allows(first, &taken) && allows_parts(rest, &left, in_order)
        })
    }

    fn any_group() -> impl Strategy<Value = Value> {
        let call = "[a-c]".prop_map(Value::String);
        call.prop_recursive(2, 6, 3, |inner| {
            let parts = proptest::collection::vec(inner, 1..=3);
            (parts, 0..3).prop_map(|(parts, kind)| match kind {
                0 => json!({ "sequence": parts }),
                1 => json!({ "unordered": parts }),
                _ => {
                    // Alternatives of alternatives are not allowed, except inside a group.
                    let parts = parts.into_iter().map(|part| match part.get("anyOf") {
                        Some(_) => json!({ "unordered": [part] }),
                        None => part,
                    });
                    json!({ "anyOf": parts.collect::<Vec<_>>() })
                }
            })
        })
    }

    fn any_messages() -> impl Strategy<Value = Vec<String>> {
        proptest::collection::vec("[a-c]{1,2}", 0..=4)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn all_calls_are_correct_exactly_if_the_group_allows_them(
            group in any_group(),
            messages in any_messages(),
        ) {
            let calls: Vec<_> = messages
                .iter()
                .enumerate()
                .flat_map(|(message, calls)| calls.chars().map(move |call| (message, call)))
                .collect();
            prop_assume!(calls.len() <= 7);
            let texts: Vec<_> = messages.iter().map(String::as_str).collect();
            let expected = json!([group]).to_string();
            let pairing = paired(&expected, &texts);
            let is_perfect = pairing.correct.len() == pairing.expected && pairing.correct.len() == calls.len();
            prop_assert_eq!(is_perfect, allows(&group, &calls), "{} {:?}", expected, texts);
        }
    }
}
