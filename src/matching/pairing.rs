//! Which actual call stands for which expected one.

use std::collections::BTreeMap;

use pathfinding::kuhn_munkres::kuhn_munkres_min;
use pathfinding::matrix::Matrix;

use super::difference::count_differences;
use crate::model::{ExpectedCall, count_values};

/// The best pairs are looked for among at most this many possible ones of one tool; it takes time
/// cubic in the longer side. Beyond, calls are paired in the order of their arguments.
const MOST_POSSIBLE_PAIRS: usize = 40_000;

/// The values of arguments that are compared at most for that.
const MOST_COMPARED_VALUES: usize = 10_000_000;

/// Which calls belong together, by their places in the two lists, each sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pairing {
    /// Expected and actual calls that are identical.
    pub identical: Vec<(usize, usize)>,
    /// Expected and actual calls of the same tool whose arguments differ.
    pub same_tool: Vec<(usize, usize)>,
    /// Expected calls without an actual one.
    pub missed: Vec<usize>,
    /// Actual calls without an expected one.
    pub extra: Vec<usize>,
}

/// Pairs identical calls first, then the rest tool by tool so that the pairs differ in as few places
/// as possible. How many there are of each kind never depends on the order of the lists.
pub fn pair(expected: &[ExpectedCall<'_>], actual: &[ExpectedCall<'_>]) -> Pairing {
    let mut pairing = Pairing::default();
    let mut open_actual: BTreeMap<ExpectedCall<'_>, Vec<usize>> = BTreeMap::new();
    for (at, call) in actual.iter().enumerate().rev() {
        open_actual.entry(*call).or_default().push(at);
    }
    let mut open_expected: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, call) in expected.iter().enumerate() {
        match open_actual.get_mut(call).and_then(Vec::pop) {
            Some(twin) => pairing.identical.push((at, twin)),
            None => open_expected.entry(call.tool).or_default().push(at),
        }
    }
    let mut rest: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (call, places) in open_actual {
        rest.entry(call.tool).or_default().extend(places);
    }
    for (tool, mut wanted) in open_expected {
        wanted.sort_by_key(|at| expected[*at]);
        let mut given = rest.remove(tool).unwrap_or_default();
        given.sort_by_key(|at| actual[*at]);
        pair_tool(expected, actual, wanted, given, &mut pairing);
    }
    pairing.extra.extend(rest.into_values().flatten());
    pairing.same_tool.sort_unstable();
    pairing.missed.sort_unstable();
    pairing.extra.sort_unstable();
    pairing
}

fn pair_tool(
    expected: &[ExpectedCall<'_>],
    actual: &[ExpectedCall<'_>],
    wanted: Vec<usize>,
    given: Vec<usize>,
    pairing: &mut Pairing,
) {
    let sizes: usize = wanted
        .iter()
        .map(|at| count_values(expected[*at].args))
        .sum();
    if sizes.saturating_mul(given.len()) > MOST_COMPARED_VALUES {
        let pairs = wanted.len().min(given.len());
        pairing.missed.extend(&wanted[pairs..]);
        pairing.extra.extend(&given[pairs..]);
        pairing.same_tool.extend(wanted.into_iter().zip(given));
        return;
    }
    let cost = |wanted: usize, given: usize| {
        count_differences(expected[wanted].args, actual[given].args) as i64
    };
    let pairs = if wanted.len() <= given.len() {
        best_pairs(&wanted, &given, cost)
    } else {
        let turned = best_pairs(&given, &wanted, |given, wanted| cost(wanted, given));
        turned
            .into_iter()
            .map(|(given, wanted)| (wanted, given))
            .collect()
    };
    let is_paired = |at: usize| pairs.iter().any(|(wanted, _)| *wanted == at);
    let is_taken = |at: usize| pairs.iter().any(|(_, given)| *given == at);
    pairing
        .missed
        .extend(wanted.into_iter().filter(|at| !is_paired(*at)));
    pairing
        .extra
        .extend(given.into_iter().filter(|at| !is_taken(*at)));
    pairing.same_tool.extend(pairs);
}

/// A partner in `many` for each of `few`, at the least cost in total (the assignment problem).
fn best_pairs(
    few: &[usize],
    many: &[usize],
    cost: impl Fn(usize, usize) -> i64,
) -> Vec<(usize, usize)> {
    if few.len() * many.len() > MOST_POSSIBLE_PAIRS || few.is_empty() {
        return few.iter().copied().zip(many.iter().copied()).collect();
    }
    let costs = Matrix::from_fn(few.len(), many.len(), |(row, column)| {
        cost(few[row], many[column])
    });
    let (_, partners) = kuhn_munkres_min(&costs);
    few.iter()
        .zip(partners)
        .map(|(few, partner)| (*few, many[partner]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::arena_json;
    use bumpalo::Bump;

    fn calls<'a>(arena: &'a Bump, calls: &[(&'a str, &str)]) -> Vec<ExpectedCall<'a>> {
        calls
            .iter()
            .map(|(tool, args)| ExpectedCall {
                tool,
                args: arena_json(arena, args),
            })
            .collect()
    }

    #[test]
    fn identical_calls_go_together_whatever_their_order() {
        let arena = Bump::new();
        let expected = calls(&arena, &[("f", r#"{"n":1}"#), ("f", r#"{"n":2}"#)]);
        let actual = calls(&arena, &[("f", r#"{"n":2.0}"#), ("f", r#"{"n":1}"#)]);
        assert_eq!(pair(&expected, &actual).identical, [(0, 1), (1, 0)]);
    }

    #[test]
    fn repeated_calls_count_as_often_as_they_occur() {
        let arena = Bump::new();
        let twice = calls(&arena, &[("f", "{}"), ("f", "{}")]);
        let thrice = calls(&arena, &[("f", "{}"), ("f", "{}"), ("f", "{}")]);
        let pairing = pair(&twice, &thrice);
        assert_eq!((pairing.identical.len(), pairing.extra.len()), (2, 1));
        let pairing = pair(&thrice, &twice);
        assert_eq!((pairing.identical.len(), pairing.missed.len()), (2, 1));
    }

    #[test]
    fn calls_that_differ_least_go_together() {
        let arena = Bump::new();
        let expected = calls(
            &arena,
            &[("f", r#"{"a":1,"b":2}"#), ("f", r#"{"a":8,"b":9}"#)],
        );
        let actual = calls(
            &arena,
            &[
                ("f", r#"{"a":8,"b":0}"#),
                ("g", "{}"),
                ("f", r#"{"a":1,"b":0}"#),
            ],
        );
        let pairing = pair(&expected, &actual);
        assert_eq!(pairing.same_tool, [(0, 2), (1, 0)]);
        assert_eq!(pairing.extra, [1]);
    }

    #[test]
    fn very_many_calls_of_one_tool_are_paired_too() {
        let arena = Bump::new();
        let list = |from: usize| -> Vec<ExpectedCall<'_>> {
            (from..from + 1_000)
                .map(|n| ExpectedCall {
                    tool: "f",
                    args: arena_json(&arena, &format!("{{\"n\":{n}}}")),
                })
                .collect()
        };
        let pairing = pair(&list(0), &list(500));
        assert_eq!(
            (pairing.identical.len(), pairing.same_tool.len()),
            (500, 500)
        );
    }
}
