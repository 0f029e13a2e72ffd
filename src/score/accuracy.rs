//! How close the calls are to the expected ones: precision, recall and F1 of identical calls.
//!
//! The definitions are those of the tool-call accuracy score: precision = correct / actual, recall =
//! correct / expected, F1 = their harmonic mean.

use serde::Serialize;

use crate::issue::round;
use crate::matching::{ArgumentDifference, Pairing, differences, pair};
use crate::model::ExpectedCall;

/// How close actual calls are to the expected ones.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AccuracyResult<'a> {
    /// The F1 score, from 0 to 1, to 3 decimals. Nothing expected and nothing called is 1.
    pub score: f64,
    /// The share of the actual calls that are correct, from 0 to 1, to 3 decimals; without actual
    /// calls 1.
    pub precision: f64,
    /// The share of the expected calls that were made, from 0 to 1, to 3 decimals; without expected
    /// calls 1.
    pub recall: f64,
    /// The same as `score`.
    pub f1: f64,
    /// How many calls were expected.
    pub total_expected: usize,
    /// How many calls were made.
    pub total_actual: usize,
    /// Expected calls that were made with the very arguments.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<CorrectCall<'static>>"))]
    pub correct_calls: Vec<CorrectCall<'a>>,
    /// Expected calls whose tool was called with other arguments.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<IncorrectCall<'static>>"))]
    pub incorrect_calls: Vec<IncorrectCall<'a>>,
    /// Expected calls that were not made.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<MissedCall<'static>>"))]
    pub missed_calls: Vec<MissedCall<'a>>,
    /// Calls that were made and not expected.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<ExpectedCall<'static>>"))]
    pub extra_calls: Vec<ExpectedCall<'a>>,
    /// One line for people, with the score in percent and the four counts.
    pub summary: String,
}

/// An expected call that was made.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CorrectCall<'a> {
    /// The call as expected.
    #[cfg_attr(feature = "typescript", ts(as = "ExpectedCall<'static>"))]
    pub expected: ExpectedCall<'a>,
    /// The call as made.
    #[cfg_attr(feature = "typescript", ts(as = "ExpectedCall<'static>"))]
    pub actual: ExpectedCall<'a>,
    /// Always `correct`.
    #[cfg_attr(feature = "typescript", ts(type = "'correct'"))]
    pub status: &'static str,
    /// Always true.
    #[cfg_attr(feature = "typescript", ts(type = "true"))]
    pub args_match: bool,
}

/// An expected call that was made with other arguments.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct IncorrectCall<'a> {
    /// The call as expected.
    #[cfg_attr(feature = "typescript", ts(as = "ExpectedCall<'static>"))]
    pub expected: ExpectedCall<'a>,
    /// The call as made.
    #[cfg_attr(feature = "typescript", ts(as = "ExpectedCall<'static>"))]
    pub actual: ExpectedCall<'a>,
    /// Always `incorrect`.
    #[cfg_attr(feature = "typescript", ts(type = "'incorrect'"))]
    pub status: &'static str,
    /// Always false.
    #[cfg_attr(feature = "typescript", ts(type = "false"))]
    pub args_match: bool,
    /// What differs, as text: `args.limit: expected 5, got "5"`; several are parted by `; `.
    pub details: String,
    /// What differs, path by path.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<ArgumentDifference<'static>>"))]
    pub differences: Vec<ArgumentDifference<'a>>,
}

/// An expected call that was not made.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MissedCall<'a> {
    /// The call as expected.
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

/// Scores `actual` against `expected`. Arguments are compared as JSON Schema has equality; the order
/// of the two lists does not count.
pub fn score_tool_calls<'a>(
    expected: &[ExpectedCall<'a>],
    actual: &[ExpectedCall<'a>],
) -> AccuracyResult<'a> {
    let pairing = pair(expected, actual);
    let correct = pairing.identical.len();
    let precision = share(correct, actual.len());
    let recall = share(correct, expected.len());
    let f1 = f1(precision, recall);
    AccuracyResult {
        score: round(f1),
        precision: round(precision),
        recall: round(recall),
        f1: round(f1),
        total_expected: expected.len(),
        total_actual: actual.len(),
        summary: summary(f1, &pairing, expected.len()),
        correct_calls: pairing
            .identical
            .iter()
            .map(|(wanted, made)| CorrectCall {
                expected: expected[*wanted],
                actual: actual[*made],
                status: "correct",
                args_match: true,
            })
            .collect(),
        incorrect_calls: pairing
            .same_tool
            .iter()
            .map(|(wanted, made)| incorrect(expected[*wanted], actual[*made]))
            .collect(),
        missed_calls: pairing
            .missed
            .iter()
            .map(|wanted| missed(expected[*wanted], actual))
            .collect(),
        extra_calls: pairing.extra.iter().map(|made| actual[*made]).collect(),
    }
}

/// Of no calls at all, all are correct.
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

fn incorrect<'a>(expected: ExpectedCall<'a>, actual: ExpectedCall<'a>) -> IncorrectCall<'a> {
    let differences = differences(expected.args, actual.args);
    let details: Vec<_> = differences
        .iter()
        .map(ArgumentDifference::describe)
        .collect();
    IncorrectCall {
        expected,
        actual,
        status: "incorrect",
        args_match: false,
        details: details.join("; "),
        differences,
    }
}

fn missed<'a>(expected: ExpectedCall<'a>, actual: &[ExpectedCall<'a>]) -> MissedCall<'a> {
    let made = actual
        .iter()
        .filter(|call| call.tool == expected.tool)
        .count();
    let details = match made {
        0 => format!("{:?} was not called", expected.tool),
        1 => format!("{:?} was called only once", expected.tool),
        times => format!("{:?} was called only {times} times", expected.tool),
    };
    MissedCall {
        expected,
        status: "missed",
        args_match: false,
        details,
    }
}

fn summary(score: f64, pairing: &Pairing, expected: usize) -> String {
    format!(
        "Accuracy Score: {:.1}% | Correct: {}/{expected} | Incorrect: {} | Missed: {} | Extra: {}",
        score * 100.0,
        pairing.identical.len(),
        pairing.same_tool.len(),
        pairing.missed.len(),
        pairing.extra.len(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Json;
    use crate::model::testing::{any_json, arena_json};
    use bumpalo::Bump;
    use proptest::prelude::*;

    fn call<'a>(arena: &'a Bump, tool: &'a str, args: &str) -> ExpectedCall<'a> {
        ExpectedCall {
            tool,
            args: arena_json(arena, args),
        }
    }

    #[test]
    fn the_formula_holds_on_the_worked_example() {
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
        let result = score_tool_calls(&expected, &actual);
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
    fn empty_lists_are_perfect_only_together() {
        let arena = Bump::new();
        let one = [call(&arena, "f", "{}")];
        assert_eq!(score_tool_calls(&[], &[]).score, 1.0);
        let extra = score_tool_calls(&[], &one);
        assert_eq!(
            (extra.score, extra.precision, extra.recall),
            (0.0, 0.0, 1.0)
        );
        let missed = score_tool_calls(&one, &[]);
        assert_eq!(
            (missed.score, missed.precision, missed.recall),
            (0.0, 1.0, 0.0)
        );
        assert_eq!(missed.missed_calls[0].details, r#""f" was not called"#);
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
        fn a_score_is_bounded_symmetric_and_orderless(a in any_calls(), b in any_calls(), turn in any::<usize>()) {
            let arena = Bump::new();
            let (expected, actual) = (build(&arena, &a), build(&arena, &b));
            let result = score_tool_calls(&expected, &actual);
            for score in [result.score, result.precision, result.recall, result.f1] {
                prop_assert!((0.0..=1.0).contains(&score));
            }
            prop_assert_eq!(score_tool_calls(&expected, &expected).score, 1.0);
            prop_assert_eq!(score_tool_calls(&actual, &expected).score, result.score);

            let mut turned = actual.clone();
            if !turned.is_empty() {
                let by = turn % turned.len();
                turned.rotate_left(by);
            }
            let mut reversed = expected.clone();
            reversed.reverse();
            let other = score_tool_calls(&reversed, &turned);
            prop_assert_eq!(other.score, result.score);
            prop_assert_eq!(&other.summary, &result.summary);
            prop_assert_eq!(sorted_pairs(&other), sorted_pairs(&result));
        }

        #[test]
        fn every_call_is_accounted_for_once(a in any_calls(), b in any_calls()) {
            let arena = Bump::new();
            let (expected, actual) = (build(&arena, &a), build(&arena, &b));
            let result = score_tool_calls(&expected, &actual);
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
