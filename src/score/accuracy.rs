//! Tool-call accuracy: precision, recall and F1 of calls that are as expected.
//!
//! Precision = correct / actual, recall = correct / expected, F1 = their harmonic mean.

use foldhash::HashMap;
use serde::Serialize;

use toolgauge_base::issue::round;
use toolgauge_matching::{
    ArgumentDifference, CallPattern, Comparing, DifferentPair, Expectations, Pair, Pairing,
    called_tools, pair,
};
use toolgauge_model::ExpectedCall;
use toolgauge_model::error::Result;

/// How close the actual calls are to the expected ones.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AccuracyResult<'a> {
    /// The F1 score, from 0 to 1, to 3 decimals. 1 if nothing was expected and nothing called; 0 if a
    /// forbidden call was made.
    pub score: f64,
    /// The share of the actual calls that are correct, from 0 to 1, to 3 decimals; 1 without actual calls.
    pub precision: f64,
    /// The share of the expected calls that were made, from 0 to 1, to 3 decimals; 1 without expected calls.
    pub recall: f64,
    /// The harmonic mean of precision and recall, from 0 to 1, to 3 decimals.
    pub f1: f64,
    /// How many calls were expected. Each counts its minimum number of times; optional and repeated calls
    /// count as often as they were made.
    pub total_expected: usize,
    /// How many calls were made.
    pub total_actual: usize,
    /// Expected calls that were made as expected.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<CorrectCall<'static>>"))]
    pub correct_calls: Vec<CorrectCall<'a>>,
    /// Expected calls whose tool was called with other arguments, or in the wrong place.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<IncorrectCall<'static>>"))]
    pub incorrect_calls: Vec<IncorrectCall<'a>>,
    /// Expected calls that were not made.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<MissedCall<'static>>"))]
    pub missed_calls: Vec<MissedCall<'a>>,
    /// Calls that were made but not expected.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<ExpectedCall<'static>>"))]
    pub extra_calls: Vec<ExpectedCall<'a>>,
    /// Forbidden calls that were made; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(
        feature = "typescript",
        ts(optional, as = "Option<Vec<ForbiddenCall<'static>>>")
    )]
    pub forbidden_calls: Vec<ForbiddenCall<'a>>,
    /// One line for people: the score in percent and the four counts.
    pub summary: String,
}

/// An expected call that was made.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CorrectCall<'a> {
    /// The expected call.
    #[cfg_attr(feature = "typescript", ts(as = "ExpectedCall<'static>"))]
    pub expected: ExpectedCall<'a>,
    /// The actual call.
    #[cfg_attr(feature = "typescript", ts(as = "ExpectedCall<'static>"))]
    pub actual: ExpectedCall<'a>,
    /// Always `correct`.
    #[cfg_attr(feature = "typescript", ts(type = "'correct'"))]
    pub status: &'static str,
    /// Always true.
    #[cfg_attr(feature = "typescript", ts(type = "true"))]
    pub args_match: bool,
}

/// An expected call that was made with other arguments, or in the wrong place.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct IncorrectCall<'a> {
    /// The expected call.
    #[cfg_attr(feature = "typescript", ts(as = "ExpectedCall<'static>"))]
    pub expected: ExpectedCall<'a>,
    /// The actual call.
    #[cfg_attr(feature = "typescript", ts(as = "ExpectedCall<'static>"))]
    pub actual: ExpectedCall<'a>,
    /// Always `incorrect`.
    #[cfg_attr(feature = "typescript", ts(type = "'incorrect'"))]
    pub status: &'static str,
    /// What is wrong with the call.
    pub reason: MismatchReason,
    /// Whether the arguments are as expected; true only if the order is wrong.
    pub args_match: bool,
    /// The differences as text, joined by `; `: `args.limit: expected 5, got "5"`.
    pub details: String,
    /// The differences, path by path.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<ArgumentDifference<'static>>"))]
    pub differences: Vec<ArgumentDifference<'a>>,
}

/// What is wrong with a call of an expected tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum MismatchReason {
    /// The arguments are not as expected.
    Arguments,
    /// The arguments are as expected, but the call was made too early or too late.
    Order,
}

/// A forbidden call that was made.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ForbiddenCall<'a> {
    /// The pattern that forbids it.
    #[cfg_attr(feature = "typescript", ts(as = "ExpectedCall<'static>"))]
    pub forbidden: ExpectedCall<'a>,
    /// The actual call.
    #[cfg_attr(feature = "typescript", ts(as = "ExpectedCall<'static>"))]
    pub actual: ExpectedCall<'a>,
    /// Always `forbidden`.
    #[cfg_attr(feature = "typescript", ts(type = "'forbidden'"))]
    pub status: &'static str,
}

/// An expected call that was not made.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MissedCall<'a> {
    /// The expected call.
    #[cfg_attr(feature = "typescript", ts(as = "ExpectedCall<'static>"))]
    pub expected: ExpectedCall<'a>,
    /// Always `missed`.
    #[cfg_attr(feature = "typescript", ts(type = "'missed'"))]
    pub status: &'static str,
    /// Always false.
    #[cfg_attr(feature = "typescript", ts(type = "false"))]
    pub args_match: bool,
    /// What is missing, as text.
    pub details: String,
}

/// Scores the `actual` calls against the expectations. Without matchers, arguments must be equal as in JSON
/// Schema. The order of the calls counts only if the expectations say so.
///
/// # Errors
/// The failure of a comparator of the caller; [`toolgauge_model::error::Error::InvalidInput`] for a comparator that is
/// not given.
pub fn score_tool_calls<'a>(
    expectations: &Expectations<'a>,
    actual: &[ExpectedCall<'a>],
    comparing: &Comparing<'_>,
) -> Result<AccuracyResult<'a>> {
    expectations.check_comparators(comparing)?;
    let pairing = pair(expectations, actual, comparing)?;
    let scorer = Scorer {
        expectations,
        actual,
        comparing,
    };
    comparing.checked(scorer.result(&pairing))
}

struct Scorer<'s, 'a> {
    expectations: &'s Expectations<'a>,
    actual: &'s [ExpectedCall<'a>],
    comparing: &'s Comparing<'s>,
}

impl<'a> Scorer<'_, 'a> {
    fn result(&self, pairing: &Pairing) -> AccuracyResult<'a> {
        let correct = pairing.correct.len();
        let precision = share(correct, self.actual.len());
        let recall = share(correct, pairing.expected);
        let f1 = f1(precision, recall);
        let score = if pairing.forbidden.is_empty() {
            f1
        } else {
            0.0
        };
        AccuracyResult {
            score: round(score),
            precision: round(precision),
            recall: round(recall),
            f1: round(f1),
            total_expected: pairing.expected,
            total_actual: self.actual.len(),
            summary: summary(score, pairing),
            correct_calls: pairing
                .correct
                .iter()
                .map(|pair| self.correct(*pair))
                .collect(),
            incorrect_calls: pairing
                .different
                .iter()
                .map(|pair| self.incorrect(*pair, &pairing.correct))
                .collect(),
            missed_calls: self.missed_calls(&pairing.missed),
            extra_calls: pairing
                .extra
                .iter()
                .map(|made| self.actual[*made])
                .collect(),
            forbidden_calls: pairing
                .forbidden
                .iter()
                .map(|(made, pattern)| self.forbidden(*made, *pattern))
                .collect(),
        }
    }

    fn pattern(&self, pair: Pair) -> &CallPattern<'a> {
        &self.expectations.calls[pair.expected].alternatives[pair.alternative]
    }

    fn correct(&self, pair: Pair) -> CorrectCall<'a> {
        CorrectCall {
            expected: self.pattern(pair).call,
            actual: self.actual[pair.actual],
            status: "correct",
            args_match: true,
        }
    }

    fn incorrect(
        &self,
        DifferentPair { pair, out_of_order }: DifferentPair,
        correct: &[Pair],
    ) -> IncorrectCall<'a> {
        let pattern = self.pattern(pair);
        let expected = pattern.call;
        let actual = self.actual[pair.actual];
        if out_of_order {
            return IncorrectCall {
                expected,
                actual,
                status: "incorrect",
                reason: MismatchReason::Order,
                args_match: true,
                details: self.misplaced(pair, correct),
                differences: Vec::new(),
            };
        }
        let differences =
            self.comparing
                .differences(expected.tool, pattern.rules(), expected.args, actual.args);
        let details: Vec<_> = differences
            .iter()
            .map(ArgumentDifference::describe)
            .collect();
        IncorrectCall {
            expected,
            actual,
            status: "incorrect",
            reason: MismatchReason::Arguments,
            args_match: false,
            details: details.join("; "),
            differences,
        }
    }

    /// Describes what is out of order, by the nearest correct call that this one should be on the other side
    /// of. The correct calls ascend in both lists.
    fn misplaced(&self, pair: Pair, correct: &[Pair]) -> String {
        let made_before = correct.partition_point(|other| other.actual < pair.actual);
        let wanted_before = correct.partition_point(|other| other.expected < pair.expected);
        let wanted_until = correct.partition_point(|other| other.expected <= pair.expected);
        let tool = |at: usize| self.pattern(correct[at]).call.tool;
        if made_before < wanted_before {
            let tool = tool(made_before);
            return format!("made out of order: before {tool:?}, expected after it");
        }
        if wanted_until < made_before {
            let tool = tool(made_before - 1);
            return format!("made out of order: after {tool:?}, expected before it");
        }
        format!("made out of order: as call {}", pair.actual + 1)
    }

    fn missed_calls(&self, missed: &[usize]) -> Vec<MissedCall<'a>> {
        let mut made: HashMap<&str, usize> = HashMap::default();
        if !missed.is_empty() {
            for tool in called_tools(self.expectations, self.actual) {
                *made.entry(tool).or_default() += 1;
            }
        }
        missed.iter().map(|at| self.missed(*at, &made)).collect()
    }

    fn missed(&self, expected: usize, made: &HashMap<&str, usize>) -> MissedCall<'a> {
        let expectation = &self.expectations.calls[expected];
        let mut tools: Vec<_> = expectation
            .alternatives
            .iter()
            .map(|pattern| pattern.call.tool)
            .collect();
        tools.sort_unstable();
        tools.dedup();
        let made: usize = tools.iter().filter_map(|tool| made.get(tool)).sum();
        let names: Vec<_> = tools.iter().map(|tool| format!("{tool:?}")).collect();
        let (none, some) = match names.as_slice() {
            [one] => (format!("{one} was not"), one.clone()),
            _ => (
                format!("none of {} was", names.join(", ")),
                names.join(" or "),
            ),
        };
        let details = match made {
            0 => format!("{none} called"),
            1 => format!("{some} was called only once"),
            times => format!("{some} was called only {times} times"),
        };
        MissedCall {
            expected: expectation.call(),
            status: "missed",
            args_match: false,
            details,
        }
    }

    fn forbidden(&self, made: usize, pattern: usize) -> ForbiddenCall<'a> {
        ForbiddenCall {
            forbidden: self.expectations.forbidden[pattern].call,
            actual: self.actual[made],
            status: "forbidden",
        }
    }
}

/// Returns the share of correct calls. Of no calls at all, all are correct.
fn share(correct: usize, total: usize) -> f64 {
    match total {
        0 => 1.0,
        _ => correct as f64 / total as f64,
    }
}

fn f1(precision: f64, recall: f64) -> f64 {
    let sum = precision + recall;
    if sum == 0.0 {
        0.0
    } else {
        2.0 * precision * recall / sum
    }
}

/// Returns the summary, with the score in percent to one decimal. Only a perfect score is 100.0%.
fn summary(score: f64, pairing: &Pairing) -> String {
    let percent = match round(score) < 1.0 {
        true => (score * 100.0).min(99.9),
        false => 100.0,
    };
    let mut text = format!(
        "Accuracy Score: {percent:.1}% | Correct: {}/{} | Incorrect: {} | Missed: {} | Extra: {}",
        pairing.correct.len(),
        pairing.expected,
        pairing.different.len(),
        pairing.missed.len(),
        pairing.extra.len(),
    );
    if !pairing.forbidden.is_empty() {
        text.push_str(&format!(" | Forbidden: {}", pairing.forbidden.len()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use bumpalo::Bump;
    use proptest::prelude::*;
    use toolgauge_matching::{CallOrder, NoComparators};
    use toolgauge_model::testing::{any_json, arena_json};
    use toolgauge_model::{Json, Limits};

    fn call<'a>(arena: &'a Bump, tool: &'a str, args: &str) -> ExpectedCall<'a> {
        ExpectedCall {
            tool,
            args: arena_json(arena, args),
        }
    }

    fn scored<'a>(
        expected: &[ExpectedCall<'a>],
        actual: &[ExpectedCall<'a>],
    ) -> AccuracyResult<'a> {
        let comparing = Comparing::new(&NoComparators, Limits::default());
        score_tool_calls(&Expectations::of(expected), actual, &comparing).expect("no comparators")
    }

    #[test]
    fn the_worked_example_gets_its_score() {
        let arena = Bump::new();
        let expected = [
            call(&arena, "searchWeb", r#"{"query":"AI news"}"#),
            call(&arena, "summarize", r#"{"text":"long article..."}"#),
        ];
        let actual = [
            call(&arena, "searchWeb", r#"{"query":"AI news"}"#),
            call(&arena, "summarize", r#"{"text":"different text"}"#),
            call(&arena, "translateText", r#"{"text":"hello","to":"es"}"#),
        ];
        let result = scored(&expected, &actual);
        assert_eq!(
            (result.score, result.precision, result.recall),
            (0.4, 0.333, 0.5)
        );
        assert_eq!(
            result.summary,
            "Accuracy Score: 40.0% | Correct: 1/2 | Incorrect: 1 | Missed: 0 | Extra: 1"
        );
        assert_eq!(
            result.incorrect_calls[0].details,
            r#"args.text: expected "long article...", got "different text""#
        );
    }

    #[test]
    fn empty_lists_score_one_only_together() {
        let arena = Bump::new();
        let one = [call(&arena, "f", "{}")];
        assert_eq!(scored(&[], &[]).score, 1.0);
        let extra = scored(&[], &one);
        assert_eq!(
            (extra.score, extra.precision, extra.recall),
            (0.0, 0.0, 1.0)
        );
        let missed = scored(&one, &[]);
        assert_eq!(
            (missed.score, missed.precision, missed.recall),
            (0.0, 1.0, 0.0)
        );
        assert_eq!(missed.missed_calls[0].details, r#""f" was not called"#);
    }

    #[test]
    fn missed_calls_are_counted_across_mcp_prefixes() {
        let arena = Bump::new();
        let expected = [call(&arena, "f", "{}"), call(&arena, "f", "{}")];
        let actual = [call(&arena, "mcp__server__f", "{}")];
        let result = scored(&expected, &actual);
        assert_eq!(
            result.missed_calls[0].details,
            r#""f" was called only once"#
        );
    }

    #[test]
    fn a_call_out_of_order_is_reported_with_its_nearest_neighbour() {
        let details = |order: &str, expected: &str, made: &str| {
            let arena = Bump::new();
            let calls = |names: &str| -> Vec<_> {
                let names = names.split("").filter(|name| !name.is_empty());
                names
                    .map(|name| call(&arena, arena.alloc_str(name), "{}"))
                    .collect()
            };
            let mut expectations = Expectations::of(&calls(expected));
            expectations.order = match order {
                "strict" => CallOrder::Strict,
                _ => CallOrder::Sequence,
            };
            let comparing = Comparing::new(&NoComparators, Limits::default());
            let made = calls(made);
            let result =
                score_tool_calls(&expectations, &made, &comparing).expect("no comparators");
            let incorrect = result.incorrect_calls.iter();
            incorrect
                .map(|call| format!("{} {}", call.actual.tool, call.details))
                .collect::<Vec<_>>()
        };
        let after = r#"made out of order: after "#;
        let before = r#"made out of order: before "#;
        assert_eq!(
            details("sequence", "abc", "cab"),
            [format!(r#"c {before}"a", expected after it"#)]
        );
        assert_eq!(
            details("sequence", "abcd", "bcda"),
            [format!(r#"a {after}"d", expected before it"#)]
        );
        assert_eq!(
            details("strict", "ab", "xab"),
            [
                "a made out of order: as call 2",
                "b made out of order: as call 3"
            ]
        );
    }

    fn any_calls() -> impl Strategy<Value = Vec<(String, String)>> {
        prop::collection::vec(("[fg]", any_json()), 0..7)
    }

    fn build<'a>(arena: &'a Bump, calls: &'a [(String, String)]) -> Vec<ExpectedCall<'a>> {
        calls
            .iter()
            .map(|(tool, args)| call(arena, tool, args))
            .collect()
    }

    proptest! {
        #[test]
        fn scores_are_bounded_symmetric_and_independent_of_order(a in any_calls(), b in any_calls(), turn in any::<usize>()) {
            let arena = Bump::new();
            let (expected, actual) = (build(&arena, &a), build(&arena, &b));
            let result = scored(&expected, &actual);
            for score in [result.score, result.precision, result.recall, result.f1] {
                prop_assert!((0.0..=1.0).contains(&score));
            }
            prop_assert_eq!(scored(&expected, &expected).score, 1.0);
            prop_assert_eq!(scored(&actual, &expected).score, result.score);

            let mut turned = actual.clone();
            if !turned.is_empty() {
                let by = turn % turned.len();
                turned.rotate_left(by);
            }
            let mut reversed = expected.clone();
            reversed.reverse();
            let other = scored(&reversed, &turned);
            prop_assert_eq!(other.score, result.score);
            prop_assert_eq!(&other.summary, &result.summary);
            prop_assert_eq!(sorted_pairs(&other), sorted_pairs(&result));
        }

        #[test]
        fn every_call_is_counted_once(a in any_calls(), b in any_calls()) {
            let arena = Bump::new();
            let (expected, actual) = (build(&arena, &a), build(&arena, &b));
            let result = scored(&expected, &actual);
            let paired = result.correct_calls.len() + result.incorrect_calls.len();
            prop_assert_eq!(paired + result.missed_calls.len(), expected.len());
            prop_assert_eq!(paired + result.extra_calls.len(), actual.len());
        }
    }

    fn sorted_pairs<'a>(result: &AccuracyResult<'a>) -> Vec<(Json<'a>, Json<'a>)> {
        let mut pairs: Vec<_> = result
            .incorrect_calls
            .iter()
            .map(|call| (call.expected.args, call.actual.args))
            .collect();
        pairs.sort();
        pairs
    }
}
