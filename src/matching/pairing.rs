//! Which call that was made stands for which expected one.

use std::collections::BTreeMap;

use foldhash::HashSet;

use super::alignment::{Gaps, align};
use super::assignment::{MOST_TO_ASSIGN, best_pairs};
use super::comparison::Comparing;
use super::expectation::{CallOrder, Expectation, Expectations};
use crate::model::{ExpectedCall, count_values};
use crate::schema::ToolNames;

/// The values of arguments that are compared at most to find the best pairs of one tool. Beyond, calls
/// are paired in the order of their arguments.
const MOST_COMPARED_VALUES: usize = 100_000_000;

/// So many differences and more count alike.
const MOST_DIFFERENCES: usize = 1_000;

/// The cost of a pair that can't be: more than any sum of differences, so that as many calls as possible
/// find a partner.
const IMPOSSIBLE: f64 = (MOST_DIFFERENCES * MOST_TO_ASSIGN * 2) as f64;

/// Which calls belong together, by their places in the two lists; each list in the order of the expected
/// calls, or of those made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pairing {
    /// Calls that are what was expected.
    pub correct: Vec<Pair>,
    /// Calls of an expected tool with other arguments, or in the wrong place.
    pub different: Vec<DifferentPair>,
    /// Expected calls without any.
    pub missed: Vec<usize>,
    /// Calls that were made and not expected.
    pub extra: Vec<usize>,
    /// Calls that were made and are forbidden, with the place of what forbids them.
    pub forbidden: Vec<(usize, usize)>,
    /// How many calls were expected: the least number of each, and what was made of those that may be.
    pub expected: usize,
}

/// An expected call and the call that was made for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// The place of the expected call.
    pub expected: usize,
    /// The alternative that it is compared with.
    pub alternative: usize,
    /// The place of the call that was made.
    pub actual: usize,
}

/// A pair that is not what was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct DifferentPair {
    /// The pair.
    pub pair: Pair,
    /// Whether the arguments are as expected and only the order is not.
    pub out_of_order: bool,
}

/// Pairs what is expected with what was made: first what is exactly as expected, then the rest of the
/// same tools so that they differ in as few places as possible.
///
/// In any order as many expected calls as possible are paired, those that must be made before those that
/// may; how many never depends on the order of the lists. Names of tools match across MCP prefixes where
/// that is unambiguous.
pub fn pair(
    expectations: &Expectations<'_>,
    actual: &[ExpectedCall<'_>],
    comparing: &Comparing<'_>,
) -> Pairing {
    let pairer = Pairer::new(expectations, actual, comparing);
    let slots = pairer.slots();
    let in_order = match expectations.order {
        CallOrder::Any => pairer.pair_any(&slots),
        CallOrder::Sequence => pairer.align(&slots, Gaps::Anywhere),
        CallOrder::Strict => pairer.align(&slots, Gaps::OptionalRows),
    };
    pairer.report(&slots, &in_order)
}

/// One call that must or may be made.
#[derive(Debug, Clone, Copy)]
struct Slot {
    expectation: usize,
    required: bool,
}

struct Pairer<'p, 'a> {
    expectations: &'p Expectations<'a>,
    actual: &'p [ExpectedCall<'a>],
    /// For each actual call the name that the expectations have for its tool.
    tools: Vec<&'p str>,
    comparing: &'p Comparing<'p>,
}

/// For each of the calls that were made the name that the expectations have for its tool, or else its own.
pub fn called_tools<'c>(
    expectations: &Expectations<'c>,
    actual: &[ExpectedCall<'c>],
) -> Vec<&'c str> {
    let expected = expectations
        .calls
        .iter()
        .flat_map(|call| &call.alternatives);
    let patterns = expected.chain(&expectations.forbidden);
    let mut seen = HashSet::default();
    let known: Vec<&str> = patterns
        .map(|pattern| pattern.call.tool)
        .filter(|tool| seen.insert(*tool))
        .collect();
    let names = ToolNames::new(known.iter().map(|name| (*name).to_owned()).collect());
    let tools = actual.iter().map(|call| match names.resolve(call.tool) {
        Some(at) => known[at],
        None => call.tool,
    });
    tools.collect()
}

/// Places in the list of slots and in that of the actual calls.
type SlotPair = (usize, usize);

impl<'p, 'a> Pairer<'p, 'a> {
    fn new(
        expectations: &'p Expectations<'a>,
        actual: &'p [ExpectedCall<'a>],
        comparing: &'p Comparing<'p>,
    ) -> Self {
        Self {
            expectations,
            actual,
            tools: called_tools(expectations, actual),
            comparing,
        }
    }

    /// Every call that must be made, and those that may be as far as there are calls for them.
    fn slots(&self) -> Vec<Slot> {
        let mut slots = Vec::new();
        for (expectation, call) in self.expectations.calls.iter().enumerate() {
            let more = call.max.map_or(self.actual.len(), |max| max - call.min);
            let slot = |required| Slot {
                expectation,
                required,
            };
            slots.extend(std::iter::repeat_n(slot(true), call.min));
            slots.extend(std::iter::repeat_n(
                slot(false),
                more.min(self.actual.len()),
            ));
        }
        slots
    }

    fn expectation(&self, slot: Slot) -> &'p Expectation<'a> {
        &self.expectations.calls[slot.expectation]
    }

    /// The alternative of a slot that the call at `actual` is, when it is one.
    fn fitting(&self, slot: Slot, actual: usize) -> Option<usize> {
        let mut alternatives = self.expectation(slot).alternatives.iter();
        alternatives.position(|pattern| {
            pattern.call.tool == self.tools[actual]
                && pattern.matches(&self.actual[actual], self.comparing)
        })
    }

    /// The alternative of the same tool that differs least from the call at `actual`, and in how many
    /// places.
    fn nearest(&self, slot: Slot, actual: usize) -> Option<(usize, usize)> {
        let alternatives = self.expectation(slot).alternatives.iter().enumerate();
        alternatives
            .filter(|(_, pattern)| pattern.call.tool == self.tools[actual])
            .map(|(at, pattern)| {
                let (call, args) = (pattern.call, self.actual[actual].args);
                let count =
                    self.comparing
                        .count_differences(call.tool, &pattern.rules, call.args, args);
                (count, at)
            })
            .min()
            .map(|(count, at)| (at, count))
    }

    fn align(&self, slots: &[Slot], gaps: Gaps) -> Vec<SlotPair> {
        // A required call outweighs all optional ones together.
        let required = slots.len() as f64 + 1.0;
        align(
            slots.len(),
            self.actual.len(),
            gaps,
            |row| !slots[row].required,
            |row, column| match self.fitting(slots[row], column) {
                Some(_) if slots[row].required => required,
                Some(_) => 1.0,
                None => 0.0,
            },
        )
    }

    fn pair_any(&self, slots: &[Slot]) -> Vec<SlotPair> {
        let mut open = Open::all(slots.len(), self.actual.len());
        let mut pairs = self.pair_identical(slots, &mut open);
        for group in self.groups(slots, &open) {
            pairs.extend(self.pair_fitting(slots, &group));
        }
        pairs
    }

    /// Pairs calls that must be made and are plain with their likes. Nothing is lost by doing that first:
    /// whatever else could have had such a call can at best take the place of one.
    fn pair_identical(&self, slots: &[Slot], open: &mut Open) -> Vec<SlotPair> {
        let mut alike: BTreeMap<ExpectedCall<'_>, Vec<usize>> = BTreeMap::new();
        for &at in open.actual.iter().rev() {
            let call = ExpectedCall {
                tool: self.tools[at],
                ..self.actual[at]
            };
            alike.entry(call).or_default().push(at);
        }
        let mut pairs = Vec::new();
        for &at in &open.slots {
            let expectation = self.expectation(slots[at]);
            let call = expectation.call();
            if slots[at].required
                && expectation.is_plain()
                && let Some(actual) = alike.get_mut(&call).and_then(Vec::pop)
            {
                pairs.push((at, actual));
            }
        }
        open.without(&pairs);
        pairs
    }

    /// What is open, parted so that no slot can take a call of another group. Tools that are alternatives
    /// of each other are in one group. Each is sorted by what stands there and not by its place, so that
    /// the order of the lists does not count.
    fn groups(&self, slots: &[Slot], open: &Open) -> Vec<Open> {
        let mut linked = HashSet::default();
        for call in &self.expectations.calls {
            let first = call.call().tool;
            if call
                .alternatives
                .iter()
                .any(|other| other.call.tool != first)
            {
                linked.extend(call.alternatives.iter().map(|other| other.call.tool));
            }
        }
        // No tool is called by the empty text, but calls without a name are: they have no slot.
        let group_of = |tool: &'p str| {
            if linked.contains(tool) {
                None
            } else {
                Some(tool)
            }
        };
        let mut groups: BTreeMap<Option<&str>, Open> = BTreeMap::new();
        for &at in &open.slots {
            let tool = self.expectation(slots[at]).call().tool;
            groups.entry(group_of(tool)).or_default().slots.push(at);
        }
        for &at in &open.actual {
            if let Some(group) = groups.get_mut(&group_of(self.tools[at])) {
                group.actual.push(at);
            }
        }
        let mut groups: Vec<_> = groups.into_values().collect();
        for group in &mut groups {
            group.slots.sort_by_key(|at| {
                let slot = slots[*at];
                (!slot.required, self.expectation(slot).call())
            });
            group
                .actual
                .sort_by_key(|at| (self.tools[*at], self.actual[*at]));
        }
        groups
    }

    /// As many pairs of what fits as possible.
    fn pair_fitting(&self, slots: &[Slot], group: &Open) -> Vec<SlotPair> {
        let is_flexible =
            |at: &usize| !slots[*at].required || !self.expectation(slots[*at]).is_plain();
        if !group.slots.iter().any(is_flexible) || group.actual.is_empty() {
            return Vec::new();
        }
        if !self.is_affordable(slots, group) {
            return self.pair_first_come(slots, group);
        }
        // What does not fit costs so much that required calls come first, then optional ones.
        let optional = 1.0;
        let required = group.slots.len() as f64 + 1.0;
        let pairs = best_pairs(group.slots.len(), group.actual.len(), |row, column| {
            let slot = slots[group.slots[row]];
            match self.fitting(slot, group.actual[column]) {
                Some(_) if slot.required => 0.0,
                Some(_) => required - optional,
                None => required,
            }
        });
        let found = pairs.iter().enumerate().filter_map(|(row, column)| {
            let (slot, actual) = (group.slots[row], group.actual[(*column)?]);
            self.fitting(slots[slot], actual).map(|_| (slot, actual))
        });
        found.collect()
    }

    /// The first call that fits for each slot in turn.
    fn pair_first_come(&self, slots: &[Slot], group: &Open) -> Vec<SlotPair> {
        let mut left = group.actual.clone();
        let mut budget = MOST_COMPARED_VALUES;
        let mut pairs = Vec::new();
        for &slot in &group.slots {
            let found = left.iter().position(|actual| {
                budget = budget.saturating_sub(count_values(self.actual[*actual].args));
                budget > 0 && self.fitting(slots[slot], *actual).is_some()
            });
            if let Some(at) = found {
                pairs.push((slot, left.remove(at)));
            }
        }
        pairs
    }

    fn is_affordable(&self, slots: &[Slot], group: &Open) -> bool {
        let values = |at: &usize| -> usize {
            let alternatives = self.expectation(slots[*at]).alternatives.iter();
            alternatives
                .map(|pattern| count_values(pattern.call.args) + pattern.rules.len())
                .sum()
        };
        let values: usize = group.slots.iter().map(values).sum();
        group.slots.len().max(group.actual.len()) <= MOST_TO_ASSIGN
            && values.saturating_mul(group.actual.len()) <= MOST_COMPARED_VALUES
    }

    /// Pairs of one tool among what is left, that differ in as few places as possible.
    fn pair_nearest(&self, slots: &[Slot], group: &Open) -> Vec<SlotPair> {
        let (rows, columns) = (&group.slots, &group.actual);
        let is_possible = |row: usize, column: usize| {
            let alternatives = &self.expectation(slots[rows[row]]).alternatives;
            alternatives
                .iter()
                .any(|pattern| pattern.call.tool == self.tools[columns[column]])
        };
        let pairs = if self.is_affordable(slots, group) {
            best_pairs(rows.len(), columns.len(), |row, column| {
                match self.nearest(slots[rows[row]], columns[column]) {
                    Some((_, differences)) => differences.min(MOST_DIFFERENCES) as f64,
                    None => IMPOSSIBLE,
                }
            })
        } else {
            (0..rows.len())
                .map(|row| (row < columns.len()).then_some(row))
                .collect()
        };
        let found = pairs.iter().enumerate().filter_map(|(row, column)| {
            let column = (*column)?;
            is_possible(row, column).then_some((rows[row], columns[column]))
        });
        found.collect()
    }

    fn report(&self, slots: &[Slot], correct: &[SlotPair]) -> Pairing {
        let mut open = Open::all(slots.len(), self.actual.len());
        open.without(correct);
        open.slots.retain(|at| slots[*at].required);
        let misplaced = match self.expectations.order {
            CallOrder::Any => Vec::new(),
            CallOrder::Sequence | CallOrder::Strict => self.pair_open(slots, &open),
        };
        open.without(&misplaced);
        let mut nearest = Vec::new();
        for group in self.groups(slots, &open) {
            nearest.extend(self.pair_nearest(slots, &group));
        }
        open.without(&nearest);

        let fitting = |(slot, actual): &SlotPair| {
            let alternative = self.fitting(slots[*slot], *actual).unwrap_or_default();
            self.pair_of(slots[*slot], alternative, *actual)
        };
        let differing = |(slot, actual): &SlotPair| {
            let alternative = self.nearest(slots[*slot], *actual).map_or(0, |(at, _)| at);
            self.pair_of(slots[*slot], alternative, *actual)
        };
        let mut pairing = Pairing {
            correct: correct.iter().map(fitting).collect(),
            different: Vec::new(),
            missed: open.slots.iter().map(|at| slots[*at].expectation).collect(),
            extra: open.actual,
            forbidden: self.forbidden(),
            expected: slots.iter().filter(|slot| slot.required).count()
                + correct
                    .iter()
                    .filter(|(slot, _)| !slots[*slot].required)
                    .count(),
        };
        let different = |out_of_order| move |pair| DifferentPair { pair, out_of_order };
        pairing
            .different
            .extend(misplaced.iter().map(fitting).map(different(true)));
        pairing
            .different
            .extend(nearest.iter().map(differing).map(different(false)));
        pairing.correct.sort_unstable();
        pairing.different.sort_unstable();
        pairing
    }

    /// What is open and would fit in another order.
    fn pair_open(&self, slots: &[Slot], open: &Open) -> Vec<SlotPair> {
        let mut open = open.clone();
        let mut pairs = self.pair_identical(slots, &mut open);
        for group in self.groups(slots, &open) {
            pairs.extend(self.pair_fitting(slots, &group));
        }
        pairs
    }

    fn pair_of(&self, slot: Slot, alternative: usize, actual: usize) -> Pair {
        Pair {
            expected: slot.expectation,
            alternative,
            actual,
        }
    }

    /// Each call that something forbids, with the first that does.
    fn forbidden(&self) -> Vec<(usize, usize)> {
        let patterns = &self.expectations.forbidden;
        let forbids = |actual: usize| {
            patterns.iter().position(|pattern| {
                pattern.call.tool == self.tools[actual]
                    && pattern.matches(&self.actual[actual], self.comparing)
            })
        };
        (0..self.actual.len())
            .filter_map(|actual| forbids(actual).map(|pattern| (actual, pattern)))
            .collect()
    }
}

/// Slots and actual calls without a partner.
#[derive(Debug, Clone, Default)]
struct Open {
    slots: Vec<usize>,
    actual: Vec<usize>,
}

impl Open {
    fn all(slots: usize, actual: usize) -> Self {
        Self {
            slots: (0..slots).collect(),
            actual: (0..actual).collect(),
        }
    }

    fn without(&mut self, pairs: &[SlotPair]) {
        let (slots, actual): (HashSet<_>, HashSet<_>) = pairs.iter().copied().unzip();
        self.slots.retain(|at| !slots.contains(at));
        self.actual.retain(|at| !actual.contains(at));
    }
}

#[cfg(test)]
mod tests {
    use super::super::comparison::NoComparators;
    use super::*;
    use crate::formats::read_list;
    use crate::model::testing::arena_json;
    use crate::model::{Limits, Path, Reader};
    use bumpalo::Bump;
    use proptest::prelude::*;

    fn paired(expected: &str, actual: &str) -> Pairing {
        let arena = Bump::new();
        let root = Path::root();
        let reader = Reader::new(&arena, Limits::default());
        let expected =
            Expectations::read(arena_json(&arena, expected), &root, reader).expect("expectations");
        let actual = arena_json(&arena, actual);
        let actual = read_list(actual.items().expect("a list"), &root, reader).expect("calls");
        let comparing = Comparing::new(&NoComparators, Limits::default());
        comparing
            .checked(pair(&expected, &actual, &comparing))
            .expect("no comparators")
    }

    /// `correct/different/missed/extra of expected`.
    fn counts(expected: &str, actual: &str) -> String {
        let pairing = paired(expected, actual);
        format!(
            "{}/{}/{}/{} of {}",
            pairing.correct.len(),
            pairing.different.len(),
            pairing.missed.len(),
            pairing.extra.len(),
            pairing.expected
        )
    }

    fn places(pairs: &[Pair]) -> Vec<(usize, usize)> {
        pairs
            .iter()
            .map(|pair| (pair.expected, pair.actual))
            .collect()
    }

    #[test]
    fn identical_calls_go_together_whatever_their_order() {
        let pairing = paired(
            r#"[{"tool":"f","args":{"n":1}},{"tool":"f","args":{"n":2}}]"#,
            r#"[{"tool":"f","args":{"n":2.0}},{"tool":"f","args":{"n":1}}]"#,
        );
        assert_eq!(places(&pairing.correct), [(0, 1), (1, 0)]);
    }

    #[test]
    fn repeated_calls_count_as_often_as_they_occur() {
        let (twice, thrice) = (
            r#"[{"tool":"f"},{"tool":"f"}]"#,
            r#"[{"tool":"f"},{"tool":"f"},{"tool":"f"}]"#,
        );
        assert_eq!(counts(twice, thrice), "2/0/0/1 of 2");
        assert_eq!(counts(thrice, twice), "2/0/1/0 of 3");
    }

    #[test]
    fn calls_that_differ_least_go_together() {
        let pairing = paired(
            r#"[{"tool":"f","args":{"a":1,"b":2}},{"tool":"f","args":{"a":8,"b":9}}]"#,
            r#"[{"tool":"f","args":{"a":8,"b":0}},{"tool":"g"},{"tool":"f","args":{"a":1,"b":0}}]"#,
        );
        let different: Vec<_> = pairing.different.iter().map(|one| one.pair).collect();
        assert_eq!(places(&different), [(0, 2), (1, 0)]);
        assert_eq!(pairing.extra, [1]);
    }

    #[test]
    fn as_many_calls_as_possible_find_an_expected_one() {
        let expected = r#"[
            {"tool":"f","matchers":{"n":{"oneOf":[1,2]}}},
            {"tool":"f","matchers":{"n":{"oneOf":[2,3]}}},
            {"tool":"f","args":{"n":2}}]"#;
        let actual = r#"[{"tool":"f","args":{"n":2}},{"tool":"f","args":{"n":3}},{"tool":"f","args":{"n":1}}]"#;
        assert_eq!(counts(expected, actual), "3/0/0/0 of 3");
        let two = r#"[{"tool":"f","args":{"n":2}},{"tool":"f","args":{"n":2}}]"#;
        assert_eq!(counts(expected, two), "2/0/1/0 of 3");
    }

    #[test]
    fn names_match_across_mcp_prefixes() {
        assert_eq!(
            counts(r#"[{"tool":"search"}]"#, r#"[{"tool":"mcp__web__search"}]"#),
            "1/0/0/0 of 1"
        );
        assert_eq!(
            counts(
                r#"[{"tool":"mcp__web__search"}]"#,
                r#"[{"tool":"web__search"}]"#
            ),
            "1/0/0/0 of 1"
        );
        let two_servers = r#"[{"tool":"mcp__a__search"},{"tool":"mcp__b__search"}]"#;
        assert_eq!(
            counts(two_servers, r#"[{"tool":"search"}]"#),
            "0/0/2/1 of 2"
        );
    }

    #[test]
    fn optional_calls_count_only_when_they_are_made() {
        let expected = r#"[{"tool":"f"},{"tool":"log","args":{"x":1},"optional":true}]"#;
        assert_eq!(counts(expected, r#"[{"tool":"f"}]"#), "1/0/0/0 of 1");
        assert_eq!(
            counts(expected, r#"[{"tool":"f"},{"tool":"log","args":{"x":1}}]"#),
            "2/0/0/0 of 2"
        );
        assert_eq!(
            counts(expected, r#"[{"tool":"f"},{"tool":"log","args":{"x":2}}]"#),
            "1/0/0/1 of 1"
        );
        assert_eq!(counts(expected, "[]"), "0/0/1/0 of 1");
    }

    #[test]
    fn what_must_be_made_takes_a_call_before_what_may_be() {
        let expected = r#"[{"tool":"f","optional":true},{"tool":"f"}]"#;
        assert_eq!(counts(expected, r#"[{"tool":"f"}]"#), "1/0/0/0 of 1");
        let flexible = r#"[{"tool":"f","optional":true},{"tool":"f","matchers":"superset"}]"#;
        assert_eq!(counts(flexible, r#"[{"tool":"f"}]"#), "1/0/0/0 of 1");
    }

    #[test]
    fn calls_are_wanted_so_many_times() {
        let calls = |count: usize| format!("[{}]", vec![r#"{"tool":"f"}"#; count].join(","));
        let cases = [
            (r#"{"tool":"f","times":2}"#, 1, "1/0/1/0 of 2"),
            (r#"{"tool":"f","times":2}"#, 3, "2/0/0/1 of 2"),
            (
                r#"{"tool":"f","times":{"min":1,"max":3}}"#,
                0,
                "0/0/1/0 of 1",
            ),
            (
                r#"{"tool":"f","times":{"min":1,"max":3}}"#,
                2,
                "2/0/0/0 of 2",
            ),
            (
                r#"{"tool":"f","times":{"min":1,"max":3}}"#,
                5,
                "3/0/0/2 of 3",
            ),
            (r#"{"tool":"f","times":{"min":2}}"#, 7, "7/0/0/0 of 7"),
            (r#"{"tool":"f","times":{"max":2}}"#, 1, "1/0/0/0 of 1"),
            (r#"{"tool":"f","times":{"max":0}}"#, 1, "0/0/0/1 of 0"),
        ];
        for (expected, made, wanted) in cases {
            assert_eq!(
                counts(&format!("[{expected}]"), &calls(made)),
                wanted,
                "{expected}, {made} made"
            );
        }
    }

    #[test]
    fn one_alternative_is_enough() {
        let expected = r#"[{"anyOf":[{"tool":"search","args":{"q":"x"}},{"tool":"lookup"}]},{"tool":"lookup"}]"#;
        assert_eq!(
            counts(
                expected,
                r#"[{"tool":"search","args":{"q":"x"}},{"tool":"lookup"}]"#
            ),
            "2/0/0/0 of 2"
        );
        assert_eq!(
            counts(expected, r#"[{"tool":"lookup"},{"tool":"lookup"}]"#),
            "2/0/0/0 of 2"
        );
        assert_eq!(counts(expected, r#"[{"tool":"lookup"}]"#), "1/0/1/0 of 2");
        assert_eq!(
            counts(
                expected,
                r#"[{"tool":"search","args":{"q":"y"}},{"tool":"lookup"}]"#
            ),
            "1/1/0/0 of 2"
        );
    }

    #[test]
    fn a_sequence_allows_others_in_between_and_strict_does_not() {
        let order = |order: &str, calls: &str| {
            let calls: Vec<_> = calls
                .chars()
                .map(|tool| {
                    let optional = tool.is_uppercase();
                    format!(
                        r#"{{"tool":"{}","optional":{optional}}}"#,
                        tool.to_lowercase()
                    )
                })
                .collect();
            format!(r#"{{"order":"{order}","calls":[{}]}}"#, calls.join(","))
        };
        let made = |calls: &str| {
            let calls: Vec<_> = calls
                .chars()
                .map(|tool| format!(r#"{{"tool":"{tool}"}}"#))
                .collect();
            format!("[{}]", calls.join(","))
        };
        let cases = [
            ("any", "abc", "cba", "3/0/0/0 of 3"),
            ("sequence", "abc", "axbxc", "3/0/0/2 of 3"),
            ("sequence", "abc", "acb", "2/1/0/0 of 3"),
            ("sequence", "abc", "ac", "2/0/1/0 of 3"),
            ("strict", "abc", "abc", "3/0/0/0 of 3"),
            ("strict", "abc", "xabc", "0/3/0/1 of 3"),
            ("strict", "abc", "abx", "2/0/1/1 of 3"),
            ("strict", "aBc", "ac", "2/0/0/0 of 2"),
            ("strict", "aBc", "abc", "3/0/0/0 of 3"),
            ("strict", "abc", "abcd", "3/0/0/1 of 3"),
        ];
        for (kind, expected, actual, wanted) in cases {
            assert_eq!(
                counts(&order(kind, expected), &made(actual)),
                wanted,
                "{kind} {expected} {actual}"
            );
        }
        let misplaced = paired(&order("sequence", "ab"), &made("ba"));
        assert!(misplaced.different.iter().all(|one| one.out_of_order));
    }

    #[test]
    fn forbidden_calls_are_found_by_tool_or_by_arguments() {
        let expected = r#"{"calls":[{"tool":"f"}],"forbidden":[
            {"tool":"delete"},{"tool":"pay","args":{"amount":0}},{"tool":"mail","args":{},"matchers":{"to":{"regex":"@evil"}}}]}"#;
        let actual = r#"[{"tool":"f"},{"tool":"delete","args":{"id":1}},{"tool":"pay","args":{"amount":5}},
            {"tool":"pay","args":{"amount":0}},{"tool":"mail","args":{"to":"x@evil"}},{"tool":"mail","args":{"to":"x@good"}}]"#;
        assert_eq!(paired(expected, actual).forbidden, [(1, 0), (3, 1), (4, 2)]);
    }

    #[test]
    fn the_name_of_a_tool_stands_for_any_call_of_it() {
        let expected = r#"{"calls":["f",{"anyOf":["g","h"]}],"forbidden":["pay"]}"#;
        let made = r#"[{"tool":"f","args":{"n":1}},{"tool":"h","args":{"n":2}}]"#;
        assert_eq!(counts(expected, made), "2/0/0/0 of 2");
        assert_eq!(counts(r#"["f","f"]"#, made), "1/0/1/1 of 2");
        let paid = r#"[{"tool":"pay","args":{"note":"x"}}]"#;
        assert_eq!(paired(expected, paid).forbidden, [(0, 0)]);
        let matched =
            r#"{"calls":[],"forbidden":["pay"],"matchers":{"pay":{"note":"caseInsensitive"}}}"#;
        assert_eq!(paired(matched, paid).forbidden, [(0, 0)]);
        let narrowed =
            r#"{"calls":[],"forbidden":["pay"],"matchers":{"pay":{"note":{"regex":"^y"}}}}"#;
        assert_eq!(paired(narrowed, paid).forbidden, []);
    }

    #[test]
    fn matchers_come_from_all_tools_the_tool_and_the_call_in_turn() {
        let expected = r#"{"matchers":{"f":{"q":"exact"},"*":{"q":"caseInsensitive","id":"ignore"}},
            "calls":[{"tool":"f","args":{"q":"A"}},{"tool":"g","args":{"q":"A"}},{"tool":"f","args":{"q":"B"},"matchers":{"q":"caseInsensitive"}}]}"#;
        let actual = |q: &str| {
            format!(
                r#"[{{"tool":"f","args":{{"q":"{q}","id":1}}}},{{"tool":"g","args":{{"q":"a","id":2}}}},{{"tool":"f","args":{{"q":"b"}}}}]"#
            )
        };
        assert_eq!(counts(expected, &actual("A")), "3/0/0/0 of 3");
        assert_eq!(counts(expected, &actual("a")), "2/1/0/0 of 3");
    }

    #[test]
    fn what_is_added_later_counts_after_what_a_file_says_of_tools() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let json = |text: &str| arena_json(&arena, text);
        let file = json(
            r#"{"calls":[{"tool":"f","args":{"q":"A"}}],"matchers":{"f":{"q":"exact"},"*":{"id":"ignore"}}}"#,
        );
        let mut expected = Expectations::read(file, &Path::root(), reader).expect("a file");
        let forbidden = json(r#"[{"tool":"pay","args":{"amount":0}}]"#);
        let matchers = json(r#"{"f":{"q":"caseInsensitive"}}"#);
        expected
            .add(None, Some(matchers), Some(forbidden), &Path::root(), reader)
            .expect("options");
        let made =
            json(r#"[{"tool":"f","args":{"q":"a"}},{"tool":"pay","args":{"amount":0,"id":7}}]"#);
        let made = read_list(made.items().expect("a list"), &Path::root(), reader).expect("calls");
        let comparing = Comparing::new(&NoComparators, Limits::default());
        let pairing = pair(&expected, &made, &comparing);
        assert_eq!((pairing.correct.len(), pairing.forbidden.len()), (1, 1));
    }

    #[test]
    fn two_thousand_calls_of_one_tool_find_the_best_pairs() {
        let list = |from: usize| {
            let calls: Vec<_> = (from..from + MOST_TO_ASSIGN)
                .map(|n| format!(r#"{{"tool":"f","args":{{"n":{n}}}}}"#))
                .collect();
            format!("[{}]", calls.join(","))
        };
        let tolerant = format!(
            r#"{{"calls":{},"matchers":{{"f":{{"n":{{"tolerance":1000}}}}}}}}"#,
            list(0)
        );
        assert_eq!(counts(&tolerant, &list(1_000)), "2000/0/0/0 of 2000");
        assert_eq!(counts(&list(0), &list(1_000)), "1000/1000/0/0 of 2000");
    }

    #[test]
    fn more_calls_than_can_be_assigned_are_paired_too() {
        let list = |from: usize, count: usize| {
            let calls: Vec<_> = (from..from + count)
                .map(|n| format!(r#"{{"tool":"f","args":{{"n":{n}}}}}"#))
                .collect();
            format!("[{}]", calls.join(","))
        };
        let expected = format!(
            r#"{{"calls":{},"matchers":{{"f":{{"id":"ignore"}}}}}}"#,
            list(0, 2_500)
        );
        assert_eq!(counts(&expected, &list(500, 2_500)), "2000/500/0/0 of 2500");
    }

    #[test]
    fn what_is_no_expectation_is_told_with_its_place() {
        let cases = [
            (r#"{"calls":1}"#, "calls"),
            (r#"{"call":[]}"#, "call"),
            (r#"[1]"#, "[0]"),
            (r#"[{}]"#, "[0].tool"),
            (r#"[{"anyOf":[1]}]"#, "[0].anyOf[0]"),
            (r#"[{"anyOf":["f"],"matchers":"superset"}]"#, "[0].matchers"),
            (
                r#"[{"anyOf":[{"tool":"f","times":2}]}]"#,
                "[0].anyOf[0].times",
            ),
            (
                r#"{"calls":[],"forbidden":[{"tool":"f","optional":true}]}"#,
                "forbidden[0].optional",
            ),
            (r#"{"calls":[],"forbidden":[1]}"#, "forbidden[0]"),
            (r#"[{"tool":"f","times":-1}]"#, "[0].times"),
            (r#"[{"tool":"f","times":1e9}]"#, "[0].times"),
            (
                r#"[{"tool":"f","times":{"min":3,"max":2}}]"#,
                "[0].times.max",
            ),
            (r#"[{"tool":"f","times":{"least":3}}]"#, "[0].times.least"),
            (r#"[{"tool":"f","optional":"yes"}]"#, "[0].optional"),
            (r#"[{"anyOf":[]}]"#, "[0].anyOf"),
            (r#"[{"anyOf":[{"args":{}}]}]"#, "[0].anyOf[0].tool"),
            (
                r#"[{"tool":"f","matchers":{"a":"equal"}}]"#,
                "[0].matchers.a",
            ),
            (r#"{"calls":[],"order":"sorted"}"#, "order"),
            (r#"{"calls":[],"forbidden":{}}"#, "forbidden"),
            (
                r#"{"calls":[],"matchers":{"f":{"a..b":"exact"}}}"#,
                "matchers.f[\"a..b\"]",
            ),
            (r#"{"calls":[],"matchers":[]}"#, "matchers"),
        ];
        for (text, place) in cases {
            let arena = Bump::new();
            let reader = Reader::new(&arena, Limits::default());
            let error = Expectations::read(arena_json(&arena, text), &Path::root(), reader)
                .expect_err(text);
            assert_eq!(
                error.report().path.as_deref(),
                Some(place),
                "{text}: {error}"
            );
        }
    }

    fn any_expected() -> impl Strategy<Value = String> {
        let pattern = ("[fg]", 0u8..4, r#""exact"|"ignore"|\{"oneOf":\[1,2\]\}"#).prop_map(
            |(tool, n, matcher)| {
                format!(r#""tool":"{tool}","args":{{"n":{n}}},"matchers":{{"n":{matcher}}}"#)
            },
        );
        let either = (pattern.clone(), pattern.clone())
            .prop_map(|(a, b)| format!(r#""anyOf":[{{{a}}},{{{b}}}]"#));
        let calls = prop_oneof![3 => pattern, 1 => either];
        (calls, any::<bool>(), 1u8..4).prop_map(|(call, optional, max)| {
            format!(r#"{{{call},"optional":{optional},"times":{{"min":1,"max":{max}}}}}"#)
        })
    }

    fn any_call() -> impl Strategy<Value = String> {
        ("[fgh]", 0u8..4).prop_map(|(tool, n)| format!(r#"{{"tool":"{tool}","args":{{"n":{n}}}}}"#))
    }

    proptest! {
        #[test]
        fn how_many_are_paired_never_depends_on_the_order_of_the_lists(
            mut expected in prop::collection::vec(any_expected(), 0..6),
            mut actual in prop::collection::vec(any_call(), 0..7),
            turn in 0usize..7,
        ) {
            let list = |calls: &[String]| format!("[{}]", calls.join(","));
            let before = paired(&list(&expected), &list(&actual));
            expected.reverse();
            if !actual.is_empty() {
                let by = turn % actual.len();
                actual.rotate_left(by);
            }
            let after = paired(&list(&expected), &list(&actual));
            prop_assert_eq!(before.correct.len(), after.correct.len());
            prop_assert_eq!(before.expected, after.expected);
            prop_assert_eq!(before.correct.len() + before.different.len() + before.extra.len(), actual.len());
            prop_assert_eq!(before.correct.len() + before.different.len() + before.missed.len(), before.expected);
        }

        #[test]
        fn an_order_that_counts_never_meets_more_of_what_must_be_made(
            expected in prop::collection::vec(any_expected(), 0..5),
            actual in prop::collection::vec(any_call(), 0..6),
        ) {
            let actual = format!("[{}]", actual.join(","));
            let met = |order: &str| {
                let expected = format!(r#"{{"order":"{order}","calls":[{}]}}"#, expected.join(","));
                let pairing = paired(&expected, &actual);
                // How many calls must be made is the same in all orders.
                pairing.correct.len() as isize - pairing.expected as isize
            };
            prop_assert!(met("strict") <= met("sequence"));
            prop_assert!(met("sequence") <= met("any"));
        }
    }
}
