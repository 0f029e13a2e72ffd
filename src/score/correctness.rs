//! The tool correctness metric: were the expected tools called?
//!
//! The modes are those of DeepEval. Exact: the same calls at the same positions. Ordering: the weighted
//! longest common subsequence, divided by the number of expected calls. Default: the pairing with the highest
//! total agreement, divided by the number of expected calls.

use std::collections::BTreeMap;

use foldhash::{HashMap, HashSet};
use serde::{Deserialize, Serialize};

use super::called_tool::{CalledTool, NameRule, TestCase};
use toolgauge_base::options::Options;
use toolgauge_matching::{
    ArgumentDifference, Budget, Comparing, Gaps, NoComparators, Row, align, best_pairs,
};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{EXPECTATIONS, Json, Limits, Path, Preview};

/// The default threshold.
const THRESHOLD: f64 = 0.5;

/// How many differences of one call the reason lists.
const MOST_DIFFERENCES: usize = 3;

/// How many calls of each kind the reason lists.
const MOST_CALLS: usize = 5;

/// What is compared besides the name of the tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ToolCallParam {
    /// The arguments.
    InputParameters,
    /// What the tool returned.
    Output,
}

/// How calls are compared with the expected ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum CorrectnessMode {
    /// The same calls at the same positions, and no others.
    Exact,
    /// In the expected order, possibly with other calls in between.
    Ordering,
    /// In any order.
    Default,
}

/// The options of the metric.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct CorrectnessOptions {
    /// The lowest score that passes, from 0 to 1.
    pub threshold: f64,
    /// Whether the result gives a reason.
    pub include_reason: bool,
    /// Whether any score under 1 counts as 0.
    pub strict_mode: bool,
    /// Whether the calls must be the same at the same positions; overrides `should_consider_ordering`.
    pub should_exact_match: bool,
    /// Whether the order of the calls counts.
    pub should_consider_ordering: bool,
    /// What is compared besides names.
    pub evaluation_params: Vec<ToolCallParam>,
    /// Whether random endings of names are dropped: see [`TestCase::prepare`].
    pub normalize_names: bool,
    /// The judges' score for the choice of tools; the final score is the lower of the two. It is no option: only
    /// the metric, which asks the judges, has one.
    #[serde(skip)]
    pub tool_choice: Option<ToolChoice>,
    /// Limits on the work of the call.
    pub limits: Limits,
}

/// What the metric knows of a test case besides the options.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct MetricContext {
    /// The names of the tools that the agent could call. If absent, those that the test case lists.
    pub available_tools: Option<Vec<String>>,
    /// The judges' score for the choice of tools.
    pub tool_choice: Option<ToolChoice>,
}

/// The judges' score for the choice of tools.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolChoice {
    /// From 0 to 1; `None` if there was no judge.
    pub score: Option<f64>,
    /// The reason, in a sentence or more.
    pub reason: String,
}

impl Default for CorrectnessOptions {
    fn default() -> Self {
        Self {
            threshold: THRESHOLD,
            include_reason: true,
            strict_mode: false,
            should_exact_match: false,
            should_consider_ordering: false,
            evaluation_params: Vec::new(),
            normalize_names: true,
            tool_choice: None,
            limits: Limits::default(),
        }
    }
}

impl CorrectnessOptions {
    /// Reads the options; those that are missing have their defaults.
    ///
    /// # Errors
    /// [`Error::InvalidOption`] for an unknown option, a wrong value, or one out of its range.
    pub fn read(options: Options) -> Result<Self> {
        let read: Self = options.rest()?;
        toolgauge_base::options::check_limits(read.limits)?;
        if !(0.0..=1.0).contains(&read.threshold) {
            return Err(Error::InvalidOption {
                path: Path::root().key("options").key("threshold"),
                reason: format!("expected 0 to 1, got {}", read.threshold),
            });
        }
        Ok(read)
    }

    /// Returns how the names of test cases are prepared.
    pub fn names(&self) -> NameRule {
        match self.normalize_names {
            true => NameRule::Normalized,
            false => NameRule::AsWritten,
        }
    }

    /// Returns how calls are compared.
    pub fn mode(&self) -> CorrectnessMode {
        match (self.should_exact_match, self.should_consider_ordering) {
            (true, _) => CorrectnessMode::Exact,
            (false, true) => CorrectnessMode::Ordering,
            (false, false) => CorrectnessMode::Default,
        }
    }

    fn compares(&self, param: ToolCallParam) -> bool {
        self.evaluation_params.contains(&param)
    }
}

/// How correct the calls are.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct CorrectnessResult {
    /// From 0 to 1: how much of the expected was called. 1 if nothing was expected and nothing called; 0 if
    /// nothing was expected but something called.
    pub score: f64,
    /// Whether the score reaches the threshold; in strict mode whether it is 1.
    pub success: bool,
    /// The reason, in sentences; absent with `includeReason: false`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How the calls were compared.
    pub mode: CorrectnessMode,
    /// The share of the calls that agree, before judges and strict mode, from 0 to 1.
    pub calling_score: f64,
    /// The judges' score for the choice of tools, from 0 to 1; absent if no judge was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_choice_score: Option<f64>,
    /// Each expected call that has an actual call, in the order of the expected calls.
    pub matched: Vec<MatchedTool>,
    /// The positions of the expected calls that were not made.
    pub missing: Vec<usize>,
    /// The positions of the actual calls that were not expected.
    pub extra: Vec<usize>,
}

/// An expected call and its actual call.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MatchedTool {
    /// The position of the expected call, from 0.
    pub expected: usize,
    /// The position of the actual call, from 0.
    pub called: usize,
    /// How far they agree, from 0 to 1.
    pub score: f64,
}

/// Measures how correct the calls of `case` are.
///
/// # Errors
/// [`Error::LimitExceeded`] if comparing takes more steps than `limits.maxComparisonSteps`; [`Error::InvalidInput`] if
/// more than names is compared, and matchers say how.
pub fn measure_correctness(
    case: &TestCase<'_>,
    options: &CorrectnessOptions,
) -> Result<CorrectnessResult> {
    if case.has_matchers && !options.evaluation_params.is_empty() {
        return Err(Error::invalid_input(
            Path::root().key(EXPECTATIONS),
            "calls without matchers, because tool correctness knows none (scores do); without evaluationParams only \
             names are compared",
            "matchers",
        ));
    }
    let measure = Measure::new(case, options);
    let mode = options.mode();
    let matched = match mode {
        CorrectnessMode::Exact => measure.place_by_place(),
        CorrectnessMode::Ordering => measure.in_order(),
        CorrectnessMode::Default => measure.best(),
    };
    let calling_score = measure.calling_score(mode, &matched);
    let tool_choice_score = options.tool_choice.as_ref().and_then(|choice| choice.score);
    let lower = calling_score.min(tool_choice_score.unwrap_or(1.0));
    let score = if options.strict_mode && lower < 1.0 {
        0.0
    } else {
        lower
    };
    let threshold = if options.strict_mode {
        1.0
    } else {
        options.threshold
    };
    let (missing, extra) = measure.unmatched(&matched);
    measure.budget.checked(())?;
    Ok(CorrectnessResult {
        score,
        success: score >= threshold,
        reason: options
            .include_reason
            .then(|| measure.reason(mode, &matched, &missing, &extra)),
        mode,
        calling_score,
        tool_choice_score,
        matched,
        missing,
        extra,
    })
}

/// Describes the differences between an expected call and its actual call; empty if there are none.
pub fn describe_differences(
    case: &TestCase<'_>,
    options: &CorrectnessOptions,
    matched: &MatchedTool,
) -> Vec<String> {
    match matched.score < 1.0 {
        true => Measure::new(case, options).describe(matched),
        false => Vec::new(),
    }
}

/// Returns the expected calls that are missing in `result` but were made out of order.
pub fn out_of_order(
    case: &TestCase<'_>,
    options: &CorrectnessOptions,
    result: &CorrectnessResult,
) -> Vec<usize> {
    let measure = Measure::new(case, options);
    measure.made_elsewhere(result.mode, &result.missing, &result.extra)
}

struct Measure<'m, 'a> {
    case: &'m TestCase<'a>,
    options: &'m CorrectnessOptions,
    budget: Budget,
}

/// The compared parts of a call.
type Compared<'a> = (&'a str, Option<Json<'a>>, Option<Json<'a>>);

impl<'m, 'a> Measure<'m, 'a> {
    fn new(case: &'m TestCase<'a>, options: &'m CorrectnessOptions) -> Self {
        Self {
            case,
            options,
            budget: Budget::new(options.limits),
        }
    }

    fn calling_score(&self, mode: CorrectnessMode, matched: &[MatchedTool]) -> f64 {
        let (expected, called) = (self.case.expected_tools.len(), self.case.tools_called.len());
        if mode == CorrectnessMode::Exact {
            let all = expected == called
                && matched.len() == expected
                && matched.iter().all(|one| one.score == 1.0);
            return f64::from(all);
        }
        if expected == 0 {
            return f64::from(called == 0);
        }
        // `sum()` of no numbers would be -0.
        let total = matched.iter().fold(0.0, |sum, one| sum + one.score);
        total / expected as f64
    }

    fn pair(&self, expected: usize, called: usize) -> MatchedTool {
        MatchedTool {
            expected,
            called,
            score: self.agreement(expected, called),
        }
    }

    /// Returns how far two calls of one tool agree, from 0 to 1.
    fn agreement(&self, expected: usize, called: usize) -> f64 {
        let (expected, called) = (
            &self.case.expected_tools[expected],
            &self.case.tools_called[called],
        );
        if expected.name != called.name
            || self.options.compares(ToolCallParam::Output) && expected.output != called.output
        {
            return 0.0;
        }
        if !self.options.compares(ToolCallParam::InputParameters) {
            return 1.0;
        }
        shared(
            expected.input_parameters,
            called.input_parameters,
            &self.budget,
        )
    }

    fn place_by_place(&self) -> Vec<MatchedTool> {
        let (expected, called) = (&self.case.expected_tools, &self.case.tools_called);
        let same_tool = |at: &usize| expected[*at].name == called[*at].name;
        let places = 0..expected.len().min(called.len());
        let pairs = places.filter(same_tool).map(|at| MatchedTool {
            expected: at,
            called: at,
            score: self.agreement(at, at),
        });
        pairs.collect()
    }

    fn in_order(&self) -> Vec<MatchedTool> {
        let (expected, called) = (self.case.expected_tools.len(), self.case.tools_called.len());
        let rows = vec![Row::Required; expected];
        let gain = |row, column| self.agreement(row, column);
        let pairs = align(&rows, called, Gaps::Anywhere, 1.0, &self.budget, gain);
        pairs
            .into_iter()
            .map(|(row, column)| self.pair(row, column))
            .collect()
    }

    fn best(&self) -> Vec<MatchedTool> {
        let mut of_tool: BTreeMap<&str, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for (at, tool) in self.case.expected_tools.iter().enumerate() {
            of_tool.entry(tool.name).or_default().0.push(at);
        }
        for (at, tool) in self.case.tools_called.iter().enumerate() {
            of_tool.entry(tool.name).or_default().1.push(at);
        }
        let mut matched = Vec::new();
        for (expected, called) in of_tool.into_values() {
            if let Some(identical) = self.pair_identical(&expected, &called) {
                matched.extend(identical);
                continue;
            }
            let cost =
                |row: usize, column: usize| 1.0 - self.agreement(expected[row], called[column]);
            let partners = best_pairs(expected.len(), called.len(), &self.budget, cost);
            let pairs = expected.iter().zip(partners);
            matched.extend(
                pairs.filter_map(|(at, partner)| Some(self.pair(*at, called[partner?.column]))),
            );
        }
        matched.sort_by_key(|one| one.expected);
        matched
    }

    /// Returns pairs of calls that agree fully, if they use up all expected or all actual calls: no other
    /// pairs can agree more.
    fn pair_identical(&self, expected: &[usize], called: &[usize]) -> Option<Vec<MatchedTool>> {
        let mut alike: HashMap<Compared<'a>, Vec<usize>> = HashMap::default();
        for &at in called.iter().rev() {
            let call = self.compared(&self.case.tools_called[at]);
            alike.entry(call).or_default().push(at);
        }
        let pair = |at: &usize| {
            let wanted = self.compared(&self.case.expected_tools[*at]);
            Some(MatchedTool {
                expected: *at,
                called: alike.get_mut(&wanted)?.pop()?,
                score: 1.0,
            })
        };
        let pairs: Vec<_> = expected.iter().filter_map(pair).collect();
        (pairs.len() == expected.len().min(called.len())).then_some(pairs)
    }

    fn unmatched(&self, matched: &[MatchedTool]) -> (Vec<usize>, Vec<usize>) {
        let left = |count: usize, taken: Vec<usize>| {
            let mut free = vec![true; count];
            for at in taken {
                free[at] = false;
            }
            (0..count).filter(|at| free[*at]).collect()
        };
        let expected = matched.iter().map(|one| one.expected).collect();
        let called = matched.iter().map(|one| one.called).collect();
        (
            left(self.case.expected_tools.len(), expected),
            left(self.case.tools_called.len(), called),
        )
    }

    fn reason(
        &self,
        mode: CorrectnessMode,
        matched: &[MatchedTool],
        missing: &[usize],
        extra: &[usize],
    ) -> String {
        let (expected, called) = (&self.case.expected_tools, &self.case.tools_called);
        let agreeing = matched.iter().filter(|one| one.score == 1.0).count();
        let mut sentences = vec![match (expected.len(), called.len()) {
            (0, 0) => "No tools were expected, and none were called.".to_owned(),
            (0, _) => "No tools were expected.".to_owned(),
            (wanted, _) if agreeing == wanted && extra.is_empty() => {
                "Every expected tool was called as expected.".to_owned()
            }
            (wanted, _) => format!("{agreeing} of {wanted} expected calls were made as expected."),
        }];
        let moved = self.made_elsewhere(mode, missing, extra);
        let is_moved: HashSet<_> = moved.iter().collect();
        let missing: Vec<_> = missing
            .iter()
            .copied()
            .filter(|at| !is_moved.contains(at))
            .collect();
        let names = |tools: &[CalledTool<'a>], places: &[usize]| {
            list(places.iter().map(|at| tools[*at].name))
        };
        if !missing.is_empty() {
            sentences.push(format!("Missed: {}.", names(expected, &missing)));
        }
        if !moved.is_empty() {
            sentences.push(format!("Out of order: {}.", names(expected, &moved)));
        }
        if !extra.is_empty() {
            sentences.push(format!("Extra: {}.", names(called, extra)));
        }
        let differing = matched
            .iter()
            .filter(|one| one.score < 1.0)
            .take(MOST_CALLS);
        sentences.extend(differing.map(|one| self.difference(one)));
        if let Some(choice) = &self.options.tool_choice {
            sentences.push(match choice.score {
                Some(score) => format!("Choice of tools: {score}. {}", choice.reason),
                None => choice.reason.clone(),
            });
        }
        sentences.join(" ")
    }

    /// Returns the expected calls without partner that were made where their order forbids it.
    fn made_elsewhere(
        &self,
        mode: CorrectnessMode,
        missing: &[usize],
        extra: &[usize],
    ) -> Vec<usize> {
        if mode == CorrectnessMode::Default {
            return Vec::new();
        }
        let made = extra
            .iter()
            .map(|at| self.compared(&self.case.tools_called[*at]));
        let made: HashSet<_> = made.collect();
        let is_made = |at: &usize| made.contains(&self.compared(&self.case.expected_tools[*at]));
        missing.iter().copied().filter(is_made).collect()
    }

    fn compared(&self, call: &CalledTool<'a>) -> Compared<'a> {
        let arguments = self.options.compares(ToolCallParam::InputParameters);
        let output = self.options.compares(ToolCallParam::Output);
        (
            call.name,
            arguments.then_some(call.input_parameters),
            call.output.filter(|_| output),
        )
    }

    fn difference(&self, one: &MatchedTool) -> String {
        let name = self.case.expected_tools[one.expected].name;
        format!("{name} differs: {}.", self.describe(one).join("; "))
    }

    fn describe(&self, one: &MatchedTool) -> Vec<String> {
        let (expected, called) = (
            &self.case.expected_tools[one.expected],
            &self.case.tools_called[one.called],
        );
        let mut phrases = Vec::new();
        if self.options.compares(ToolCallParam::InputParameters) {
            let comparing = Comparing::new(&NoComparators, self.options.limits);
            let found = comparing.differences(
                expected.name,
                &[],
                expected.input_parameters,
                called.input_parameters,
            );
            phrases.extend(
                found
                    .iter()
                    .take(MOST_DIFFERENCES)
                    .map(ArgumentDifference::describe),
            );
            if found.len() > MOST_DIFFERENCES {
                phrases.push(format!("{} more", found.len() - MOST_DIFFERENCES));
            }
        }
        if self.options.compares(ToolCallParam::Output) && expected.output != called.output {
            let shown = |output: Option<Json<'a>>| match output {
                Some(output) => Preview::of(output, 80).to_string(),
                None => "nothing".to_owned(),
            };
            phrases.push(format!(
                "output: expected {}, got {}",
                shown(expected.output),
                shown(called.output)
            ));
        }
        phrases
    }
}

/// Lists names, each with its number of occurrences.
fn list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for name in names {
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    let more = counts.len().saturating_sub(MOST_CALLS);
    let mut shown: Vec<_> = counts
        .iter()
        .take(MOST_CALLS)
        .map(|(name, count)| match count {
            1 => (*name).to_owned(),
            _ => format!("{name} ({count} times)"),
        })
        .collect();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    shown.join(", ")
}

/// Returns the share of the union of keys that agree, recursively: two equal values agree fully, two objects
/// agree by their shares, and all other values do not agree. The steps are taken from `budget`. If that is
/// spent, the result is meaningless.
fn shared(expected: Json<'_>, called: Json<'_>, budget: &Budget) -> f64 {
    if !budget.spend(1) || expected == called {
        return 1.0;
    }
    let (Json::Object(wanted), Json::Object(given)) = (expected, called) else {
        return 0.0;
    };
    if !budget.spend(wanted.len() + given.len()) {
        return 0.0;
    }
    let members: HashMap<&str, Json<'_>> = given.iter().copied().collect();
    let both: Vec<_> = wanted
        .iter()
        .filter_map(|(key, value)| Some((*value, *members.get(key)?)))
        .collect();
    let keys = wanted.len() + given.len() - both.len();
    let agreeing = both
        .into_iter()
        .fold(0.0, |sum, (a, b)| sum + shared(a, b, budget));
    agreeing / keys as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use bumpalo::Bump;
    use proptest::prelude::*;
    use toolgauge_model::Reader;
    use toolgauge_model::testing::{any_json, arena_json};

    fn measured(expected: &str, called: &str, options: &str) -> (f64, bool, String) {
        let arena = Bump::new();
        let text = format!(r#"{{"expectedTools":{expected},"toolsCalled":{called}}}"#);
        let reader = Reader::new(&arena, Limits::default());
        let options = Options::parse(options.as_bytes())
            .and_then(CorrectnessOptions::read)
            .expect("options");
        let case = TestCase::read(arena_json(&arena, &text), None, reader).expect("a test case");
        let case = case.prepare(options.names(), reader);
        let result = measure_correctness(&case, &options).expect("few calls");
        (
            result.score,
            result.success,
            result.reason.unwrap_or_default(),
        )
    }

    const ONE: &str = r#"[{"name":"f","inputParameters":{"a":1,"b":2},"output":"x"}]"#;
    const OTHER_ARGUMENT: &str = r#"[{"name":"f","inputParameters":{"a":1,"b":3},"output":"x"}]"#;
    const OTHER_OUTPUT: &str = r#"[{"name":"f","inputParameters":{"a":1,"b":2},"output":"y"}]"#;

    #[test]
    fn only_selected_parts_are_compared() {
        let cases = [
            (OTHER_ARGUMENT, "{}", 1.0),
            (OTHER_OUTPUT, "{}", 1.0),
            (
                OTHER_ARGUMENT,
                r#"{"evaluationParams":["input_parameters"]}"#,
                0.5,
            ),
            (
                OTHER_OUTPUT,
                r#"{"evaluationParams":["input_parameters"]}"#,
                1.0,
            ),
            (OTHER_ARGUMENT, r#"{"evaluationParams":["output"]}"#, 1.0),
            (OTHER_OUTPUT, r#"{"evaluationParams":["output"]}"#, 0.0),
            (
                OTHER_ARGUMENT,
                r#"{"evaluationParams":["input_parameters"],"shouldExactMatch":true}"#,
                0.0,
            ),
            (
                ONE,
                r#"{"evaluationParams":["input_parameters","output"],"shouldExactMatch":true}"#,
                1.0,
            ),
        ];
        for (called, options, score) in cases {
            assert_eq!(
                measured(ONE, called, options).0,
                score,
                "{options} {called}"
            );
        }
    }

    #[test]
    fn no_agreement_scores_positive_zero() {
        let case = TestCase {
            expected_tools: vec![tool("f")],
            ..TestCase::default()
        };
        let result = measure_correctness(&case, &CorrectnessOptions::default());
        assert_eq!(result.expect("few calls").score.to_string(), "0");
    }

    #[test]
    fn order_counts_only_if_requested() {
        let (ab, ba, axb) = (
            r#"[{"name":"a"},{"name":"b"}]"#,
            r#"[{"name":"b"},{"name":"a"}]"#,
            r#"[{"name":"a"},{"name":"x"},{"name":"b"}]"#,
        );
        assert_eq!(measured(ab, ba, "{}").0, 1.0);
        assert_eq!(
            measured(ab, ba, r#"{"shouldConsiderOrdering":true}"#).0,
            0.5
        );
        assert_eq!(
            measured(ab, axb, r#"{"shouldConsiderOrdering":true}"#).0,
            1.0
        );
        assert_eq!(measured(ab, axb, r#"{"shouldExactMatch":true}"#).0, 0.0);
        assert_eq!(
            measured(
                ab,
                axb,
                r#"{"shouldExactMatch":true,"shouldConsiderOrdering":true}"#
            )
            .0,
            0.0
        );
    }

    #[test]
    fn the_reason_lists_missing_extra_moved_and_different_calls() {
        let (_, _, reason) = measured(
            r#"[{"name":"a"},{"name":"a"},{"name":"f","inputParameters":{"n":1}}]"#,
            r#"[{"name":"x"},{"name":"f","inputParameters":{"n":2}}]"#,
            r#"{"evaluationParams":["input_parameters"]}"#,
        );
        assert_eq!(
            reason,
            "0 of 3 expected calls were made as expected. Missed: a (2 times). Extra: x. \
             f differs: args.n: expected 1, got 2."
        );
        let (_, _, reason) = measured(
            r#"[{"name":"a"},{"name":"b"}]"#,
            r#"[{"name":"b"},{"name":"a"}]"#,
            r#"{"shouldConsiderOrdering":true}"#,
        );
        assert!(reason.contains("Out of order: "), "{reason}");
        let (_, _, reason) = measured(ONE, OTHER_OUTPUT, r#"{"evaluationParams":["output"]}"#);
        assert!(
            reason.ends_with(r#"f differs: output: expected "x", got "y"."#),
            "{reason}"
        );
        assert_eq!(
            measured(ONE, ONE, "{}").2,
            "Every expected tool was called as expected."
        );
        assert_eq!(measured(ONE, ONE, r#"{"includeReason":false}"#).2, "");
    }

    #[test]
    fn thresholds_strictness_and_judges_decide_on_success() {
        let half = r#"[{"name":"a"},{"name":"b"}]"#;
        let one = r#"[{"name":"a"}]"#;
        let cases = [
            ("{}", 0.5, true),
            (r#"{"threshold":0.6}"#, 0.5, false),
            (r#"{"strictMode":true}"#, 0.0, false),
            (r#"{"strictMode":true,"threshold":0}"#, 0.0, false),
        ];
        for (options, score, success) in cases {
            let (found, passed, _) = measured(half, one, options);
            assert_eq!((found, passed), (score, success), "{options}");
        }
        for options in [
            r#"{"threshold":2}"#,
            r#"{"treshold":1}"#,
            r#"{"evaluationParams":["args"]}"#,
            r#"{"toolChoice":{"score":1,"reason":"Made up."}}"#,
        ] {
            assert!(
                Options::parse(options.as_bytes())
                    .and_then(CorrectnessOptions::read)
                    .is_err()
            );
        }
    }

    #[test]
    fn the_score_of_judges_can_only_lower_the_score() {
        let half = TestCase {
            tools_called: vec![tool("a")],
            expected_tools: vec![tool("a"), tool("b")],
            ..TestCase::default()
        };
        let cases = [
            (Some(0.25), 0.25, false),
            (Some(0.75), 0.5, true),
            (None, 0.5, true),
        ];
        for (judged, score, success) in cases {
            let options = CorrectnessOptions {
                tool_choice: Some(ToolChoice {
                    score: judged,
                    reason: "So it is.".to_owned(),
                }),
                ..CorrectnessOptions::default()
            };
            let found = measure_correctness(&half, &options).expect("few calls");
            assert_eq!((found.score, found.success), (score, success));
            assert_eq!(found.tool_choice_score, judged);
            assert!(
                found
                    .reason
                    .is_some_and(|reason| reason.ends_with("So it is."))
            );
        }
    }

    fn tool(name: &str) -> CalledTool<'_> {
        CalledTool {
            name,
            input_parameters: Json::Object(&[]),
            output: None,
        }
    }

    #[test]
    fn the_best_pairing_is_used_rather_than_the_first() {
        let expected = r#"[{"name":"f","inputParameters":{"a":1,"b":1}},{"name":"f","inputParameters":{"a":1}}]"#;
        let called = r#"[{"name":"f","inputParameters":{"a":1}},{"name":"f","inputParameters":{"a":1,"b":1,"c":1}}]"#;
        let (score, ..) = measured(
            expected,
            called,
            r#"{"evaluationParams":["input_parameters"]}"#,
        );
        assert!((score - (2.0 / 3.0 + 1.0) / 2.0).abs() < 1e-12);
    }

    fn any_tools() -> impl Strategy<Value = String> {
        let tool = ("[fg]", any_json()).prop_map(|(name, json)| {
            format!(r#"{{"name":"{name}","inputParameters":{{"v":{json}}},"output":{json}}}"#)
        });
        prop::collection::vec(tool, 0..5).prop_map(|tools| format!("[{}]", tools.join(",")))
    }

    const MODES: [&str; 3] = [
        r#"{"evaluationParams":["input_parameters"]}"#,
        r#"{"evaluationParams":["input_parameters"],"shouldConsiderOrdering":true}"#,
        r#"{"evaluationParams":["input_parameters"],"shouldExactMatch":true}"#,
    ];

    proptest! {
        #[test]
        fn scores_are_bounded_and_stricter_modes_never_score_higher(a in any_tools(), b in any_tools()) {
            let scores = MODES.map(|options| measured(&a, &b, options).0);
            prop_assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)));
            prop_assert!(scores[2] <= scores[1] && scores[1] <= scores[0] + 1e-9);
            for options in MODES {
                prop_assert_eq!(measured(&a, &a, options).0, 1.0);
            }
        }

        #[test]
        fn shares_are_symmetric_and_bounded(a in any_json(), b in any_json()) {
            let arena = Bump::new();
            let (x, y) = (arena_json(&arena, &a), arena_json(&arena, &b));
            let shared = |x, y| shared(x, y, &Budget::new(Limits::default()));
            let share = shared(x, y);
            prop_assert!((0.0..=1.0 + 1e-12).contains(&share));
            prop_assert!((share - shared(y, x)).abs() < 1e-12);
            prop_assert_eq!(shared(x, x), 1.0);
        }
    }
}
