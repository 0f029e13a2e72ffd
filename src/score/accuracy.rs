//! Tool-call accuracy: precision, recall and F1 of calls that are as expected.
//!
//! Precision = correct / actual, recall = correct / expected, F1 = their harmonic mean.

use std::borrow::Cow;

use foldhash::HashMap;
use serde::Serialize;

use super::run::{Run, RunCall};
use super::terms::{allowed_extra, ignored, unmet_terms};
use toolgauge_base::issue::round;
use toolgauge_matching::{
    ArgumentDifference, CallGroup, CallOrder, CallPattern, Comparing, DifferentPair, Expectations,
    MadeCall, MadeOutcome, Pair, Pairing, called_tools, pair,
};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{ExpectedCall, Json, Path};

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
    /// What is not as the expectations say, apart from the calls: a sentence for each fact that no reply states, each
    /// limit that is exceeded and each tool whose score is too low. Absent if there is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<String>>"))]
    pub failures: Vec<String>,
    /// What has no effect or could not be checked, a sentence each. Absent if there is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<String>>"))]
    pub warnings: Vec<String>,
    /// One line for people: the score in percent and the four counts.
    pub summary: String,
}

impl AccuracyResult<'_> {
    /// Returns whether the score is at least `least`, no forbidden call was made, and nothing else is wrong.
    pub fn passes(&self, least: f64) -> bool {
        self.score >= least && self.forbidden_calls.is_empty() && self.failures.is_empty()
    }
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
    /// Whether the arguments are as expected.
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
    /// The arguments are as expected, but the call did not return what was expected.
    Outcome,
    /// The arguments are as expected, but the call was made too early or too late.
    Order,
    /// The arguments are as expected, but the call answers another message of the user.
    Turn,
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

/// Scores the calls of `run` against the expectations. Without matchers, arguments must be equal as in JSON
/// Schema. The order of the calls counts only if the expectations say so.
///
/// # Errors
/// The failure of a comparator of the caller; [`Error::InvalidOption`] for a comparator that is not given, and for a
/// question to judges without an answer, unless `comparing` collects them; [`Error::InvalidInput`] for expectations by
/// turns if the run has none.
pub fn score_tool_calls<'a>(
    expectations: &Expectations<'a>,
    run: &Run<'a>,
    comparing: &Comparing<'_>,
) -> Result<AccuracyResult<'a>> {
    let asks_judges = expectations.check_asked(comparing)?;
    let counted = run.calls.iter().filter(|call| !ignored(expectations, call));
    let counted: Vec<_> = counted.copied().collect();
    let mut lists = Lists {
        asks_judges,
        ..Lists::default()
    };
    if let Some(turns) = &expectations.turns {
        check_turns(run)?;
        let last = counted.iter().map(|call| call.turn).max().unwrap_or(0);
        let mut pieces = Vec::new();
        for place in 0..turns.len().max(last) {
            let of_turn = counted.iter().filter(|call| call.turn == place + 1);
            let piece = Piece::of(Cow::Owned(expectations.of_turn(place)), of_turn, comparing)?;
            pieces.push(piece);
        }
        lists.add_early_and_late(&mut pieces, comparing);
        for piece in &pieces {
            lists.add(piece, comparing);
        }
    } else {
        let piece = Piece::of(Cow::Borrowed(expectations), counted.iter(), comparing)?;
        lists.add(&piece, comparing);
    }
    let lists = comparing.answered(comparing.checked(lists)?)?;
    Ok(lists.result(expectations, run))
}

fn check_turns(run: &Run<'_>) -> Result<()> {
    match run.has_turns {
        true => Ok(()),
        false => Err(Error::invalid_input(
            Path::root().key("actual"),
            "a trajectory, because calls are expected by turns",
            "a list of calls",
        )),
    }
}

/// Calls that are scored together, and their pairs.
struct Piece<'e, 'a> {
    expectations: Cow<'e, Expectations<'a>>,
    made: Vec<MadeCall<'a>>,
    pairing: Pairing,
}

impl<'e, 'a> Piece<'e, 'a> {
    fn of<'c>(
        expectations: Cow<'e, Expectations<'a>>,
        calls: impl Iterator<Item = &'c RunCall<'a>>,
        comparing: &Comparing<'_>,
    ) -> Result<Self>
    where
        'a: 'c,
    {
        // Outcomes that nothing is expected of would only make equal calls different.
        let has_outcomes = expectations.has_outcomes();
        let made = calls.map(|call| MadeCall {
            outcome: match has_outcomes {
                true => call.made.outcome,
                false => MadeOutcome::default(),
            },
            ..call.made
        });
        let made: Vec<_> = made.collect();
        let written_out = expectations.for_calls(&made);
        let expectations = written_out.map_or(expectations, Cow::Owned);
        let pairing = pair(&expectations, &made, comparing)?;
        Ok(Self {
            expectations,
            made,
            pairing,
        })
    }
}

/// The calls of a run by what they are.
#[derive(Default)]
struct Lists<'a> {
    /// Whether a matcher asks judges, so that it is asked about what is as expected.
    asks_judges: bool,
    expected: usize,
    made: usize,
    correct: Vec<CorrectCall<'a>>,
    incorrect: Vec<IncorrectCall<'a>>,
    missed: Vec<MissedCall<'a>>,
    extra: Vec<ExpectedCall<'a>>,
    forbidden: Vec<ForbiddenCall<'a>>,
}

impl<'a> Lists<'a> {
    fn add(&mut self, piece: &Piece<'_, 'a>, comparing: &Comparing<'_>) {
        let scorer = Scorer {
            expectations: &piece.expectations,
            actual: &piece.made,
            comparing,
        };
        let pairing = &piece.pairing;
        if self.asks_judges {
            scorer.ask_judges(pairing);
        }
        self.expected += pairing.expected;
        self.made += piece.made.len();
        let correct = pairing.correct.iter().map(|pair| scorer.correct(*pair));
        self.correct.extend(correct);
        let different = pairing.different.iter();
        let incorrect = different.map(|pair| scorer.incorrect(*pair, &pairing.correct));
        self.incorrect.extend(incorrect);
        self.missed.extend(scorer.missed_calls(&pairing.missed));
        let extra = pairing.extra.iter().map(|made| piece.made[*made].call);
        self.extra.extend(extra);
        let forbidden = pairing.forbidden.iter();
        let forbidden = forbidden.map(|(made, pattern)| scorer.forbidden(*made, *pattern));
        self.forbidden.extend(forbidden);
    }

    /// Adds the calls that are missed in one turn and were made in another, and takes them out of the pieces.
    fn add_early_and_late(&mut self, pieces: &mut [Piece<'_, 'a>], comparing: &Comparing<'_>) {
        for wanted in 0..pieces.len() {
            let missed = std::mem::take(&mut pieces[wanted].pairing.missed);
            for at in missed {
                let found = (0..pieces.len())
                    .filter(|made| *made != wanted)
                    .find_map(|made| {
                        let (pattern, place) =
                            made_elsewhere(&pieces[wanted], at, &pieces[made], comparing)?;
                        Some((made, pattern, place))
                    });
                let Some((made, pattern, place)) = found else {
                    pieces[wanted].pairing.missed.push(at);
                    continue;
                };
                let call = pieces[made].pairing.extra.remove(place);
                self.incorrect.push(IncorrectCall {
                    expected: pattern,
                    actual: pieces[made].made[call].call,
                    status: "incorrect",
                    reason: MismatchReason::Turn,
                    args_match: true,
                    details: format!("made in turn {}, expected in turn {}", made + 1, wanted + 1),
                    differences: Vec::new(),
                });
            }
        }
    }

    /// Leaves out the calls that would differ only because the log does not record their arguments: they are neither right
    /// nor wrong. Returns their tools.
    fn leave_out_unrecorded(&mut self, run: &Run<'a>) -> Vec<&'a str> {
        let is_unrecorded = |call: &IncorrectCall<'a>| {
            call.reason == MismatchReason::Arguments
                && call.actual.args == Json::Object(&[])
                && run.unrecorded.contains(&call.actual.tool)
        };
        let left_out = self.incorrect.extract_if(.., |call| is_unrecorded(call));
        let tools: Vec<_> = left_out.map(|call| call.actual.tool).collect();
        self.expected -= tools.len().min(self.expected);
        self.made -= tools.len().min(self.made);
        tools
    }

    fn result(mut self, expectations: &Expectations<'a>, run: &Run<'a>) -> AccuracyResult<'a> {
        let unrecorded = self.leave_out_unrecorded(run);
        let is_nothing_left = self.expected + self.made == 0;
        let correct = self.correct.len();
        let counting = self.made - allowed_extra(expectations.terms.extra, self.extra.len());
        let precision = share(correct, counting);
        let recall = share(correct, self.expected);
        let f1 = f1(precision, recall);
        let score = if self.forbidden.is_empty() { f1 } else { 0.0 };
        let called: Vec<_> = run.calls.iter().map(|call| call.made.call.tool).collect();
        let mut result = AccuracyResult {
            score: round(score),
            precision: round(precision),
            recall: round(recall),
            f1: round(f1),
            total_expected: self.expected,
            total_actual: self.made,
            summary: self.summary(score),
            correct_calls: self.correct,
            incorrect_calls: self.incorrect,
            missed_calls: self.missed,
            extra_calls: self.extra,
            forbidden_calls: self.forbidden,
            failures: Vec::new(),
            warnings: expectations.warnings(&called),
        };
        let (failures, warnings) = unmet_terms(expectations, &result, run);
        result.failures = failures;
        result.warnings.extend(warnings);
        if !unrecorded.is_empty() {
            let said = unrecorded_calls(&unrecorded);
            match is_nothing_left {
                // Nothing that was compared must not pass as perfect.
                true => result.failures.push(said),
                false => result.warnings.push(said),
            }
        }
        result
    }

    /// Returns the summary, with the score in percent to one decimal. Only a perfect score is 100.0%.
    fn summary(&self, score: f64) -> String {
        let percent = match round(score) < 1.0 {
            true => (score * 100.0).min(99.9),
            false => 100.0,
        };
        let mut text = format!(
            "Accuracy Score: {percent:.1}% | Correct: {}/{} | Incorrect: {} | Missed: {} | Extra: {}",
            self.correct.len(),
            self.expected,
            self.incorrect.len(),
            self.missed.len(),
            self.extra.len(),
        );
        if !self.forbidden.is_empty() {
            text.push_str(&format!(" | Forbidden: {}", self.forbidden.len()));
        }
        text
    }
}

/// Says which calls could not be compared.
fn unrecorded_calls(tools: &[&str]) -> String {
    let mut names = tools.to_vec();
    names.sort_unstable();
    names.dedup();
    let calls = match tools.len() {
        1 => "1 expected call was".to_owned(),
        count => format!("{count} expected calls were"),
    };
    format!(
        "{calls} not compared, because the log does not record the arguments: {}",
        names.join(", ")
    )
}

/// Returns the expected call at `missed` and the place among the extra calls of another turn where it was made.
fn made_elsewhere<'a>(
    wanted: &Piece<'_, 'a>,
    missed: usize,
    made: &Piece<'_, 'a>,
    comparing: &Comparing<'_>,
) -> Option<(ExpectedCall<'a>, usize)> {
    let alternatives = &wanted.expectations.calls[missed].alternatives;
    let mut extra = made.pairing.extra.iter().enumerate();
    extra.find_map(|(place, call)| {
        let call = &made.made[*call];
        let mut fitting = alternatives.iter().filter(|pattern| {
            comparing.budget().spend(1)
                && toolgauge_matching::names(pattern.written, call.call.tool)
                && pattern.count_differences(call, comparing) == 0
        });
        let pattern = fitting.next()?;
        pattern.ask_judges(call, comparing);
        Some((pattern.shown(), place))
    })
}

struct Scorer<'s, 'a> {
    expectations: &'s Expectations<'a>,
    actual: &'s [MadeCall<'a>],
    comparing: &'s Comparing<'s>,
}

impl<'a> Scorer<'_, 'a> {
    /// Asks the judges whose answers decide that calls are as expected, or forbidden.
    fn ask_judges(&self, pairing: &Pairing) {
        let different = pairing.different.iter();
        let misplaced = different.filter(|different| different.out_of_order);
        let fitting = misplaced.map(|different| &different.pair);
        for pair in pairing.correct.iter().chain(fitting) {
            let made = &self.actual[pair.actual];
            self.pattern(*pair).ask_judges(made, self.comparing);
        }
        for (made, pattern) in &pairing.forbidden {
            let pattern = &self.expectations.forbidden[*pattern];
            pattern.ask_judges(&self.actual[*made], self.comparing);
        }
    }

    fn pattern(&self, pair: Pair) -> &CallPattern<'a> {
        &self.expectations.calls[pair.expected].alternatives[pair.alternative]
    }

    fn correct(&self, pair: Pair) -> CorrectCall<'a> {
        CorrectCall {
            expected: self.pattern(pair).shown(),
            actual: self.actual[pair.actual].call,
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
        let expected = pattern.shown();
        let actual = self.actual[pair.actual].call;
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
        let differences = pattern.differences(&self.actual[pair.actual], self.comparing);
        let details: Vec<_> = differences
            .iter()
            .map(ArgumentDifference::describe)
            .collect();
        let args_match = !differences.iter().any(ArgumentDifference::is_of_arguments);
        IncorrectCall {
            expected,
            actual,
            status: "incorrect",
            reason: match args_match {
                true => MismatchReason::Outcome,
                false => MismatchReason::Arguments,
            },
            args_match,
            details: details.join("; "),
            differences,
        }
    }

    /// Describes what is out of order, by the nearest correct call that this one should be on the other side
    /// of. The correct calls ascend in both lists.
    fn misplaced(&self, pair: Pair, correct: &[Pair]) -> String {
        if let Some(group) = &self.expectations.group {
            return self.misplaced_in(group, pair, correct);
        }
        let made_before = correct.partition_point(|other| other.actual < pair.actual);
        let wanted_before = correct.partition_point(|other| other.expected < pair.expected);
        let wanted_until = correct.partition_point(|other| other.expected <= pair.expected);
        let tool = |at: usize| self.pattern(correct[at]).written;
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

    /// Describes what is out of order in a group, by the nearest correct call on the wrong side.
    fn misplaced_in(&self, group: &CallGroup, pair: Pair, correct: &[Pair]) -> String {
        let in_order = match self.expectations.order {
            CallOrder::Any => group.clone(),
            CallOrder::Sequence | CallOrder::Strict => group.in_sequence(),
        };
        let wrong = correct.iter().filter_map(|other| {
            let is_before = pair.actual < other.actual;
            let (first, second) = match is_before {
                true => (other.expected, pair.expected),
                false => (pair.expected, other.expected),
            };
            let distance = pair.actual.abs_diff(other.actual);
            in_order
                .orders(first, second)
                .then_some((distance, is_before, other))
        });
        match wrong.min_by_key(|(distance, ..)| *distance) {
            Some((_, is_before, other)) => {
                let tool = self.pattern(*other).written;
                let (made, expected) = match is_before {
                    true => ("before", "after"),
                    false => ("after", "before"),
                };
                format!("made out of order: {made} {tool:?}, expected {expected} it")
            }
            None => format!("made out of order: as call {}", pair.actual + 1),
        }
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
        let alternatives = expectation.alternatives.iter();
        let mut tools: Vec<_> = alternatives.map(|pattern| pattern.written).collect();
        tools.sort_unstable();
        tools.dedup();
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
            expected: expectation.shown(),
            status: "missed",
            args_match: false,
            details,
        }
    }

    fn forbidden(&self, made: usize, pattern: usize) -> ForbiddenCall<'a> {
        ForbiddenCall {
            forbidden: self.expectations.forbidden[pattern].shown(),
            actual: self.actual[made].call,
            status: "forbidden",
        }
    }
}

/// Returns the share of correct calls. Of no calls at all, all are correct.
pub(super) fn share(correct: usize, total: usize) -> f64 {
    match total {
        0 => 1.0,
        _ => correct as f64 / total as f64,
    }
}

/// Returns the harmonic mean.
pub(super) fn f1(precision: f64, recall: f64) -> f64 {
    let sum = precision + recall;
    if sum == 0.0 {
        0.0
    } else {
        2.0 * precision * recall / sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bumpalo::Bump;
    use proptest::prelude::*;
    use toolgauge_formats::read_list;
    use toolgauge_matching::{CallOrder, NoComparators, Opinion, Opinions};
    use toolgauge_model::testing::{any_json, arena_json};
    use toolgauge_model::{Json, Limits, Path, Reader};

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
        score_tool_calls(
            &Expectations::of(expected),
            &Run::of_calls(actual),
            &comparing,
        )
        .expect("no comparators")
    }

    #[test]
    fn calls_whose_arguments_are_not_recorded_are_left_out() {
        let arena = Bump::new();
        let of = |calls: &str| {
            let calls = arena_json(&arena, calls);
            let trajectory = arena_json(&arena, r#"{"turns":[]}"#);
            let reader = Reader::new(&arena, Limits::default());
            let mut read = toolgauge_formats::import_trajectory(trajectory, None, reader)
                .expect("a trajectory")
                .value;
            let calls = calls.items().unwrap_or_default().iter();
            let calls = calls.map(|it| toolgauge_formats::import_tool_call(*it, reader));
            read.turns.push(toolgauge_model::Turn {
                turn_id: 1,
                role: toolgauge_model::Role::Agent,
                content: "",
                timestamp: None,
                tool_calls: calls.collect::<Result<_>>().expect("calls"),
                extra: &[],
            });
            Run::of(&read)
        };
        let expected = [
            call(&arena, "find", r#"{"q":1}"#),
            call(&arena, "send", "{}"),
        ];
        let comparing = Comparing::new(&NoComparators, Limits::default());
        let score = |expected: &[ExpectedCall<'_>], calls| {
            let result = score_tool_calls(&Expectations::of(expected), &of(calls), &comparing);
            let result = result.expect("no comparators");
            (
                result.score,
                result.total_expected,
                result.warnings,
                result.failures,
            )
        };
        let said =
            "1 expected call was not compared, because the log does not record the arguments: find";
        let hidden = r#"[{"name":"find","unrecorded":true},{"name":"send","arguments":{}}]"#;
        assert_eq!(
            score(&expected, hidden),
            (1.0, 1, vec![said.to_owned()], Vec::new())
        );
        let alone = r#"[{"name":"find","unrecorded":true}]"#;
        assert_eq!(
            score(&expected[..1], alone),
            (1.0, 0, Vec::new(), vec![said.to_owned()])
        );
        let recorded = r#"[{"name":"find","arguments":{}},{"name":"send","arguments":{}}]"#;
        assert_eq!(score(&expected, recorded), (0.5, 2, Vec::new(), Vec::new()));
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

    /// Scores calls whose tools a judge is asked about, round by round until no question is open. The judge says yes to
    /// values up to 1. Returns the score and what it consists of, and the number of questions.
    fn by_judge(expected: &str, actual: &str) -> (String, usize) {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let (expected, run) = read(&arena, reader, expected, actual);
        let mut opinions = Opinions::new();
        loop {
            let asking =
                Comparing::new(&NoComparators, Limits::default()).collecting_questions(&opinions);
            score_tool_calls(&expected, &run, &asking).expect("a score to be");
            let open = asking.into_questions();
            if open.is_empty() {
                break;
            }
            let before = opinions.len();
            let count = open.len();
            opinions.extend(open.into_iter().map(|question| {
                let is_small = question.actual.as_f64().is_some_and(|number| number <= 1.0);
                let opinion = Opinion {
                    score: f64::from(u8::from(is_small)),
                    reason: None,
                };
                (question.key, opinion)
            }));
            assert_eq!(opinions.len(), before + count, "no question twice");
        }
        let comparing =
            Comparing::new(&NoComparators, Limits::default()).with_opinions(Some(&opinions));
        let result = score_tool_calls(&expected, &run, &comparing).expect("answers to all");
        (parts_of(&result), opinions.len())
    }

    fn read<'a>(
        arena: &'a Bump,
        reader: Reader<'a>,
        expected: &str,
        actual: &str,
    ) -> (Expectations<'a>, Run<'a>) {
        let root = Path::root();
        let expected = Expectations::read(arena_json(arena, expected), &root, reader);
        let actual = arena_json(arena, actual);
        let calls = read_list(actual.items().expect("a list"), &root, reader).expect("calls");
        (expected.expect("expectations"), Run::of_calls(&calls))
    }

    fn parts_of(result: &AccuracyResult<'_>) -> String {
        let lists = [
            result.correct_calls.len(),
            result.incorrect_calls.len(),
            result.missed_calls.len(),
            result.extra_calls.len(),
            result.forbidden_calls.len(),
        ];
        format!("{} {lists:?}", result.score)
    }

    #[test]
    fn a_judge_is_only_asked_about_what_decides() {
        let expected = r#"[
            {"tool":"f","args":{"a":1},"matchers":{"n":{"judge":"Is it small?"}}},
            {"tool":"f","args":{"a":2},"matchers":{"n":{"judge":"Is it small?"}}}]"#;
        for (actual, scored, questions) in [
            ("[]", "0 [0, 0, 2, 0, 0]", 0),
            (
                r#"[{"tool":"g","args":{"a":1,"n":1}}]"#,
                "0 [0, 0, 2, 1, 0]",
                0,
            ),
            (
                r#"[{"tool":"f","args":{"a":3,"n":1}}]"#,
                "0 [0, 1, 1, 0, 0]",
                0,
            ),
            (
                r#"[{"tool":"f","args":{"a":2,"n":1}}]"#,
                "0.667 [1, 0, 1, 0, 0]",
                1,
            ),
            (
                r#"[{"tool":"f","args":{"a":2,"n":5}}]"#,
                "0 [0, 1, 1, 0, 0]",
                1,
            ),
            (
                r#"[{"tool":"f","args":{"a":2,"n":1}},{"tool":"f","args":{"a":1,"n":1}}]"#,
                "1 [2, 0, 0, 0, 0]",
                1,
            ),
        ] {
            assert_eq!(
                by_judge(expected, actual),
                (scored.to_owned(), questions),
                "{actual}"
            );
        }
    }

    #[test]
    fn a_judge_decides_about_forbidden_calls_and_calls_in_their_order() {
        let forbidden =
            r#"{"calls":[],"forbidden":[{"tool":"f","matchers":{"n":{"judge":"Is it small?"}}}]}"#;
        let made = |n: u8| format!(r#"[{{"tool":"f","args":{{"n":{n}}}}}]"#);
        assert_eq!(by_judge(forbidden, &made(1)).0, "0 [0, 0, 0, 1, 1]");
        assert_eq!(by_judge(forbidden, &made(2)).0, "0 [0, 0, 0, 1, 0]");
        let sequence = r#"{"order":"sequence","calls":["g",{"tool":"f","matchers":{"n":{"judge":"Is it small?"}}}]}"#;
        let early = r#"[{"tool":"f","args":{"n":1}},{"tool":"g"}]"#;
        assert_eq!(
            by_judge(sequence, early),
            ("0.5 [1, 1, 0, 0, 0]".to_owned(), 1)
        );
    }

    #[test]
    fn matchers_reach_calls_with_the_prefix_of_a_server() {
        for expected in ["find_*", "find_order", "mcp__shop__find_order"] {
            let expected = format!(
                r#"{{"calls":[{{"tool":"{expected}","args":{{}}}}],"matchers":{{"find_order":{{"y":{{"oneOf":[2]}}}}}}}}"#
            );
            let made =
                |y: u8| format!(r#"[{{"tool":"mcp__shop__find_order","args":{{"y":{y}}}}}]"#);
            assert_eq!(figures(&expected, &made(2)).0, 1.0, "{expected}");
            assert_eq!(figures(&expected, &made(3)).0, 0.0, "{expected}");
        }
    }

    #[test]
    fn a_question_that_nobody_answers_is_an_error() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let expected = r#"[{"tool":"f","matchers":{"n":{"judge":"Is it small?"}}}]"#;
        let (expected, run) = read(&arena, reader, expected, r#"[{"tool":"f","args":{"n":1}}]"#);
        let none = Opinions::new();
        for opinions in [None, Some(&none)] {
            let comparing =
                Comparing::new(&NoComparators, Limits::default()).with_opinions(opinions);
            let error = score_tool_calls(&expected, &run, &comparing).expect_err("no answer");
            assert!(error.to_string().contains("Is it small?"), "{error}");
        }
        // Without opinions the question is an error even if nothing depends on it.
        let nothing = Run::of_calls(&[]);
        let comparing = Comparing::new(&NoComparators, Limits::default());
        assert!(score_tool_calls(&expected, &nothing, &comparing).is_err());
        let knowing = Comparing::new(&NoComparators, Limits::default()).with_opinions(Some(&none));
        assert!(score_tool_calls(&expected, &nothing, &knowing).is_ok());
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
            let result = score_tool_calls(&expectations, &Run::of_calls(&made), &comparing)
                .expect("no comparators");
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

    /// Returns the result for expectations and a list of calls, each a JSON text.
    fn judged<'a>(arena: &'a Bump, expected: &str, actual: &str) -> AccuracyResult<'a> {
        let reader = Reader::new(arena, Limits::default());
        let expected = arena_json(arena, expected);
        let expected = Expectations::read(expected, &Path::root(), reader).expect("expectations");
        let expected = arena.alloc(expected);
        let items = arena_json(arena, actual).items().expect("a list");
        let calls = read_list(items, &Path::root(), reader).expect("calls");
        let run = Run::of_calls(&calls).with_outcomes(items);
        let comparing = Comparing::new(&NoComparators, Limits::default());
        score_tool_calls(expected, &run, &comparing).expect("no comparators")
    }

    fn figures(expected: &str, actual: &str) -> (f64, f64, f64) {
        let arena = Bump::new();
        let result = judged(&arena, expected, actual);
        (result.score, result.precision, result.recall)
    }

    #[test]
    fn a_pattern_expects_calls_of_the_tools_that_it_names() {
        let expected =
            r#"{"calls":[{"tool":"find_*","args":{"q":1}}],"matchers":{"find_*":{"id":"ignore"}}}"#;
        assert_eq!(
            figures(expected, r#"[{"tool":"find_order","args":{"q":1,"id":7}}]"#),
            (1.0, 1.0, 1.0)
        );
        let arena = Bump::new();
        let result = judged(
            &arena,
            expected,
            r#"[{"tool":"find_order","args":{"q":2}}]"#,
        );
        assert_eq!(result.incorrect_calls[0].expected.tool, "find_*");
        assert_eq!(
            result.incorrect_calls[0].details,
            "args.q: expected 1, got 2"
        );
        let result = judged(&arena, expected, r#"[{"tool":"search"}]"#);
        assert_eq!(result.missed_calls[0].details, r#""find_*" was not called"#);
    }

    #[test]
    fn a_pattern_and_a_name_share_the_calls_of_a_tool() {
        let expected = r#"["find_*","find_order"]"#;
        let one = r#"[{"tool":"mcp__shop__find_order"}]"#;
        let two = r#"[{"tool":"mcp__shop__find_order"},{"tool":"find_user"}]"#;
        assert_eq!(figures(expected, one).2, 0.5);
        assert_eq!(figures(expected, two), (1.0, 1.0, 1.0));
    }

    #[test]
    fn calls_of_other_tools_are_forbidden_where_only_some_are_allowed() {
        let arena = Bump::new();
        let expected = r#"{"calls":["find_a"],"only":["find_*"]}"#;
        let result = judged(&arena, expected, r#"[{"tool":"find_a"},{"tool":"delete"}]"#);
        assert_eq!(result.score, 0.0);
        assert_eq!(result.forbidden_calls[0].actual.tool, "delete");
        let result = judged(&arena, expected, r#"[{"tool":"find_a"},{"tool":"find_b"}]"#);
        assert_eq!((result.score, result.forbidden_calls.len()), (0.667, 0));
    }

    #[test]
    fn failed_attempts_and_ignored_tools_do_not_count() {
        let actual = r#"[{"tool":"f","error":"busy"},{"tool":"think"},{"tool":"f","result":1}]"#;
        let expected = r#"{"calls":["f"],"ignoreTools":["th*"],"attempts":"successful"}"#;
        assert_eq!(figures(expected, actual), (1.0, 1.0, 1.0));
        assert_eq!(figures(r#"{"calls":["f"]}"#, actual).1, 0.333);
    }

    #[test]
    fn outcomes_choose_between_calls_with_equal_arguments() {
        let expected = r#"[{"tool":"f","args":{},"error":true},{"tool":"f","args":{},"result":1}]"#;
        let actual = r#"[{"tool":"f","result":1},{"tool":"f","error":"busy"}]"#;
        assert_eq!(figures(expected, actual), (1.0, 1.0, 1.0));
        let arena = Bump::new();
        let result = judged(
            &arena,
            expected,
            r#"[{"tool":"f","result":1},{"tool":"f","result":2}]"#,
        );
        assert_eq!(result.incorrect_calls[0].reason, MismatchReason::Outcome);
        assert_eq!(
            result.incorrect_calls[0].details,
            "error: expected an error, got nothing"
        );
    }

    #[test]
    fn calls_can_be_forbidden_by_what_they_return() {
        let expected = r#"{"calls":["f"],"forbidden":[{"tool":"f","error":true}]}"#;
        assert_eq!(figures(expected, r#"[{"tool":"f","result":1}]"#).0, 1.0);
        assert_eq!(figures(expected, r#"[{"tool":"f","error":"busy"}]"#).0, 0.0);
    }

    #[test]
    fn what_has_no_effect_is_a_warning() {
        let warnings = |expected: &str| judged(&Bump::new(), expected, "[]").warnings;
        assert_eq!(
            warnings(r#"{"calls":["search"],"matchers":{"serach":"ignore"}}"#),
            [r#"matchers: no call is of the tool "serach"; did you mean "search"?"#]
        );
        assert_eq!(
            warnings(r#"{"calls":["f"],"ignoreTools":["*"],"only":["g"],"thresholds":{"h":1}}"#),
            [
                r#"ignoreTools: "*" leaves out "f", which is expected"#,
                r#"only: "f" is expected, but not allowed"#,
                r#"thresholds: no expected or actual call is of the tool "h""#
            ]
        );
        assert!(warnings(r#"{"calls":["find_*"],"matchers":{"find_a":{},"*":{}}}"#).is_empty());
    }

    /// A call of `f` or `g` with few values, and matchers for `n` in which `MATCHER` stands for one.
    fn any_pattern() -> impl Strategy<Value = String> {
        (0..2u8, 0..2u8, prop::option::of(0..4u8), 0..6u8).prop_map(|(tool, a, n, kind)| {
            let tool = ["f", "g"][usize::from(tool)];
            let n = n.map_or(String::new(), |n| format!(r#","n":{n}"#));
            let rest = match kind {
                0 => "",
                1 => r#","matchers":{"n":MATCHER},"optional":true"#,
                2 => r#","matchers":{"n":MATCHER},"times":{"min":1,"max":2}"#,
                _ => r#","matchers":{"n":MATCHER}"#,
            };
            format!(r#"{{"tool":"{tool}","args":{{"a":{a}{n}}}{rest}}}"#)
        })
    }

    fn any_made() -> impl Strategy<Value = String> {
        (0..2u8, 0..2u8, 0..4u8).prop_map(|(tool, a, n)| {
            let tool = ["f", "g"][usize::from(tool)];
            format!(r#"{{"tool":"{tool}","args":{{"a":{a},"n":{n}}}}}"#)
        })
    }

    proptest! {
        #[test]
        fn a_judge_is_a_matcher_like_any_other(
            expected in proptest::collection::vec(any_pattern(), 0..5),
            forbidden in prop::option::of(any_pattern()),
            made in proptest::collection::vec(any_made(), 0..6),
            order in prop::sample::select(&["any", "sequence", "strict"][..]),
        ) {
            let forbidden = forbidden.map(|call| call.replace(r#","optional":true"#, "").replace(r#","times":{"min":1,"max":2}"#, ""));
            let forbidden: Vec<_> = forbidden.into_iter().collect();
            let text = format!(
                r#"{{"order":"{order}","calls":[{}],"forbidden":[{}]}}"#,
                expected.join(","), forbidden.join(",")
            );
            let made = format!("[{}]", made.join(","));
            let by_judge = by_judge(&text.replace("MATCHER", r#"{"judge":"Is it small?"}"#), &made);
            let arena = Bump::new();
            let reader = Reader::new(&arena, Limits::default());
            let (by_value, run) = read(&arena, reader, &text.replace("MATCHER", r#"{"oneOf":[0,1]}"#), &made);
            let comparing = Comparing::new(&NoComparators, Limits::default());
            let by_value = score_tool_calls(&by_value, &run, &comparing).expect("few calls");
            prop_assert_eq!(by_judge.0, parts_of(&by_value));
        }

        #[test]
        fn a_superfluous_call_never_raises_precision_or_score(
            expected in proptest::collection::vec("[a-c]", 0..5),
            made in proptest::collection::vec("[a-c]", 0..5),
            place in 0..6_usize,
            extra in 0..3_usize,
        ) {
            let quoted = |tools: &[String]| -> String {
                let tools: Vec<_> = tools.iter().map(|tool| format!("{tool:?}")).collect();
                tools.join(",")
            };
            let calls = |tools: &[String]| {
                let calls: Vec<_> = tools.iter().map(|tool| format!(r#"{{"tool":"{tool}"}}"#)).collect();
                format!("[{}]", calls.join(","))
            };
            let expected = format!(r#"{{"calls":[{}],"extra":{{"max":{extra}}}}}"#, quoted(&expected));
            let before = figures(&expected, &calls(&made));
            let mut more = made;
            more.insert(place.min(more.len()), "other".to_owned());
            let after = figures(&expected, &calls(&more));
            prop_assert!(after.1 <= before.1 && after.0 <= before.0, "{before:?} {after:?}");
            prop_assert_eq!(after.2, before.2);
        }
    }
}
