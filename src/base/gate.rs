//! The gate: whether an input passes, and the reasons if it does not.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::issue::{Severity, round};
use crate::options::{Options, option};
use crate::trials::Tasks;
use toolgauge_model::error::{Error, Result};

/// The highest k of `minPassHat`.
const MOST_TRIALS: u64 = 1_000;

/// The rounding errors in a sum of a few thousand fractions are below this.
const ARITHMETIC_ERROR: f64 = 1e-9;

/// The part of a gate that asks how many trajectories pass, instead of asking that nothing fails.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields, rename_all = "camelCase"))]
pub struct PassGate {
    /// The lowest share of trajectories that have to pass, from 0 to 1. If it is given, a trajectory that fails
    /// does not fail the gate by itself. Default: all of them.
    pub min_pass_rate: Option<f64>,
    /// The lowest pass^k (the probability that all of k trials of a task pass), from 0 to 1, by k from 1 to
    /// 1000. If it is given, a trajectory that fails does not fail the gate by itself. Default: any.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "Readonly<Record<number, number>>")
    )]
    pub min_pass_hat: BTreeMap<u64, f64>,
}

impl PassGate {
    /// The names of these options.
    pub const NAMES: [&str; 2] = ["minPassRate", "minPassHat"];

    /// Takes these options out of `options`.
    ///
    /// # Errors
    /// [`Error::InvalidOption`] for a wrong value.
    pub fn take(options: &mut Options) -> Result<Self> {
        let read = Self {
            min_pass_rate: options.take("minPassRate")?,
            min_pass_hat: options.take("minPassHat")?.unwrap_or_default(),
        };
        let is_share = |share: &f64| (0.0..=1.0).contains(share);
        if !read.min_pass_rate.iter().all(is_share) {
            return Err(invalid("minPassRate", "expected 0 to 1"));
        }
        let is_hat = |(k, share): (&u64, &f64)| (1..=MOST_TRIALS).contains(k) && is_share(share);
        if !read.min_pass_hat.iter().all(is_hat) {
            let reason = "expected shares from 0 to 1 by the number of trials, 1 to 1000";
            return Err(invalid("minPassHat", reason));
        }
        Ok(read)
    }

    /// Whether one of them is about the trials of tasks.
    pub fn needs_tasks(&self) -> bool {
        !self.min_pass_hat.is_empty()
    }

    /// Whether one of them is given.
    pub fn is_given(&self) -> bool {
        self.min_pass_rate.is_some() || !self.min_pass_hat.is_empty()
    }

    /// Returns the reasons to fail if `passed` of `all` trajectories pass, with the trials in `tasks`.
    pub fn failures(&self, passed: u64, all: u64, tasks: &Tasks) -> Vec<String> {
        let by_rate = self.min_pass_rate.filter(|_| all > 0).and_then(|wanted| {
            let rate = passed as f64 / all as f64;
            is_below(rate, wanted).then(|| {
                let rate = round(rate);
                format!("the share of passes {rate} ({passed} of {all}) is below {wanted}")
            })
        });
        let by_hat = self.min_pass_hat.iter().filter(|_| all > 0);
        let by_hat = by_hat.filter_map(|(k, wanted)| match tasks.pass_hat(*k) {
            None => Some(format!(
                "there is no pass^{k} because no task has {k} trials, but {wanted} is needed"
            )),
            Some(found) => is_below(found, *wanted)
                .then(|| format!("pass^{k} {} is below {wanted}", round(found))),
        });
        by_rate.into_iter().chain(by_hat).collect()
    }
}

fn is_below(found: f64, wanted: f64) -> bool {
    found + ARITHMETIC_ERROR < wanted
}

fn invalid(name: &str, reason: &str) -> Error {
    Error::InvalidOption {
        path: option(name),
        reason: reason.to_owned(),
    }
}

/// The options of the gate of a check.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields, rename_all = "camelCase"))]
pub struct GateOptions {
    /// The lowest mean score that passes, from 0 to 1. Default: any.
    pub min_score: Option<f64>,
    /// The mean score of a baseline, from 0 to 1. A score that is not below it passes `minScore`. Default:
    /// none.
    pub baseline_score: Option<f64>,
    /// The lowest severity that fails, or `never`. Default `high`.
    #[cfg_attr(feature = "typescript", ts(as = "Option<FailOn>"))]
    pub fail_on: FailOn,
    /// Whether an input without tool calls passes. Default false.
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>"))]
    pub allow_empty: bool,
    /// Whether the gate passes although documents could not be read. Default false.
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>"))]
    pub allow_errors: bool,
    /// How many trajectories have to pass. If one of these is given, `failOn` only says which trajectories
    /// pass.
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub pass: PassGate,
}

impl GateOptions {
    /// The names of these options.
    pub const NAMES: [&str; 7] = [
        "minScore",
        "baselineScore",
        "failOn",
        "allowEmpty",
        "allowErrors",
        PassGate::NAMES[0],
        PassGate::NAMES[1],
    ];

    /// Takes the options of the gate out of `options`.
    ///
    /// # Errors
    /// [`toolgauge_model::error::Error::InvalidOption`] for a wrong value.
    pub fn take(options: &mut Options) -> Result<Self> {
        Ok(Self {
            min_score: options.take("minScore")?,
            baseline_score: options.take("baselineScore")?,
            fail_on: options.take("failOn")?.unwrap_or_default(),
            allow_empty: options.take("allowEmpty")?.unwrap_or_default(),
            allow_errors: options.take("allowErrors")?.unwrap_or_default(),
            pass: PassGate::take(options)?,
        })
    }
}

impl GateOptions {
    /// Returns the lowest mean score that passes.
    pub fn least_score(&self) -> Option<f64> {
        let wanted = self.min_score?;
        Some(
            self.baseline_score
                .map_or(wanted, |before| before.min(wanted)),
        )
    }
}

/// The reason to fail if `unread` of all documents could not be read, unless that `is_allowed`.
pub fn unread_failure(unread: u64, documents: u64, is_allowed: bool) -> Option<String> {
    let noun = if documents == 1 {
        "document"
    } else {
        "documents"
    };
    (unread > 0 && !is_allowed).then(|| format!("{unread} of {documents} {noun} could not be read"))
}

/// The lowest severity of an issue that fails a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, IntoStaticStr, VariantArray)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum FailOn {
    /// Any issue.
    Low,
    /// Medium, high or critical ones.
    Medium,
    /// High or critical ones.
    #[default]
    High,
    /// Critical ones.
    Critical,
    /// No issues.
    Never,
}

impl FailOn {
    /// Returns the lowest severity that fails, if any does.
    pub fn least(self) -> Option<Severity> {
        match self {
            Self::Low => Some(Severity::Low),
            Self::Medium => Some(Severity::Medium),
            Self::High => Some(Severity::High),
            Self::Critical => Some(Severity::Critical),
            Self::Never => None,
        }
    }

    /// Returns whether an issue of this severity fails.
    pub fn fails(self, severity: Severity) -> bool {
        self.least().is_some_and(|least| severity >= least)
    }
}

/// The result of a gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Gate {
    /// Whether it passes.
    pub passed: bool,
    /// A sentence for each reason to fail.
    pub failures: Vec<String>,
    /// What reports for people say if the gate passes because it asks for nothing.
    #[serde(skip)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub absent: Option<&'static str>,
}

impl Gate {
    /// Creates a gate that fails for these reasons, and passes if there are none.
    pub fn of(failures: Vec<String>) -> Self {
        Self {
            passed: failures.is_empty(),
            failures,
            absent: None,
        }
    }

    /// Says `why` there is no gate, if it passes.
    pub fn or_absent(self, why: Option<&'static str>) -> Self {
        Self {
            absent: why.filter(|_| self.passed),
            ..self
        }
    }
}

/// Returns the reason why issues fail; `counts` is their number by severity.
pub fn issue_failure(
    fail_on: FailOn,
    noun: &str,
    counts: impl Iterator<Item = (Severity, u64)>,
) -> Option<String> {
    let failing = counts.filter(|(severity, _)| fail_on.fails(*severity));
    let failing: u64 = failing.map(|(_, count)| count).sum();
    let verb = match failing {
        0 => return None,
        1 => " is",
        _ => "s are",
    };
    let least = fail_on.least().map_or("", Severity::label);
    Some(format!("{failing} {noun}{verb} {least} or worse"))
}

/// Returns the reason why `score` fails if it has to be at least `wanted`.
pub fn score_failure(score: Option<f64>, wanted: Option<f64>) -> Option<String> {
    let wanted = wanted?;
    match score {
        Some(score) if score >= wanted => None,
        Some(score) => Some(format!("the score {score} is below {wanted}")),
        None => Some(format!(
            "there is no score because no tools were called, but {wanted} is needed"
        )),
    }
}

/// What a report of scores says if no option of the gate is given.
pub const NO_SCORE_GATE: &str =
    "no gate: give --min-score, --min-pass-rate or --min-pass-hat to fail on a low score";

/// Returns the reason why forbidden calls fail; `tools` says how often which tool was called.
pub fn forbidden_failure<'t>(tools: impl Iterator<Item = (&'t str, u64)>) -> Option<String> {
    const MOST_NAMED: usize = 10;
    let tools: Vec<_> = tools.collect();
    let count: u64 = tools.iter().map(|(_, count)| count).sum();
    let named = tools.iter().take(MOST_NAMED);
    let named = named.map(|(tool, count)| match count {
        1 => (*tool).to_owned(),
        count => format!("{tool} ({count} times)"),
    });
    let mut named = named.collect::<Vec<_>>().join(", ");
    if tools.len() > MOST_NAMED {
        named.push_str(", …");
    }
    match (count, tools.as_slice()) {
        (0, _) => None,
        (1, _) => Some(format!("a forbidden call was made: {named}")),
        (_, [(only, _)]) => Some(format!("{count} forbidden calls were made: {only}")),
        _ => Some(format!("{count} forbidden calls were made: {named}")),
    }
}

/// Returns the mean of `scores` to 3 decimals; `None` if there are none.
pub fn mean(scores: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = scores.fold((0_u32, 0.0), |(count, sum), score| (count + 1, sum + score));
    (count > 0).then(|| round(sum / f64::from(count)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trials::{Trial, TrialPlace};

    fn tasks(passes: &[(&str, bool)]) -> Tasks {
        let mut tasks = Tasks::default();
        for (task, passed) in passes {
            tasks.add(&Trial {
                task: Some(task),
                passed: *passed,
                score: None,
                place: TrialPlace::default(),
            });
        }
        tasks
    }

    fn failures(options: &str, passes: &[(&str, bool)]) -> Vec<String> {
        let mut options = Options::parse(options.as_bytes()).expect("options");
        let gate = PassGate::take(&mut options).expect("a gate");
        let passed = passes.iter().filter(|(_, passed)| *passed).count();
        gate.failures(passed as u64, passes.len() as u64, &tasks(passes))
    }

    #[test]
    fn the_share_of_passes_and_pass_hat_fail_with_their_figures() {
        let runs = [("a", true), ("a", false), ("a", true), ("b", true)];
        assert!(
            failures(
                r#"{"minPassRate":0.75,"minPassHat":{"1":0.8,"3":0}}"#,
                &runs
            )
            .is_empty()
        );
        assert_eq!(
            failures(
                r#"{"minPassRate":0.8,"minPassHat":{"2":0.4,"4":0.1}}"#,
                &runs
            ),
            [
                "the share of passes 0.75 (3 of 4) is below 0.8",
                "pass^2 0.333 is below 0.4",
                "there is no pass^4 because no task has 4 trials, but 0.1 is needed",
            ]
        );
        assert!(failures(r#"{"minPassRate":1,"minPassHat":{"2":1}}"#, &[]).is_empty());
    }

    #[test]
    fn a_share_that_is_reached_exactly_passes() {
        let runs: Vec<_> = (0..10).map(|at| ("a", at < 7)).collect();
        assert!(failures(r#"{"minPassRate":0.7,"minPassHat":{"1":0.7}}"#, &runs).is_empty());
    }

    #[test]
    fn wrong_shares_are_rejected() {
        for wrong in [
            r#"{"minPassRate":1.5}"#,
            r#"{"minPassRate":"x"}"#,
            r#"{"minPassHat":{"0":1}}"#,
            r#"{"minPassHat":{"2":-1}}"#,
            r#"{"minPassHat":{"many":1}}"#,
            r#"{"minPassHat":0.5}"#,
        ] {
            let mut options = Options::parse(wrong.as_bytes()).expect("options");
            let error = PassGate::take(&mut options).expect_err(wrong).to_string();
            assert!(error.contains("options.minPass"), "{error}");
        }
    }

    #[test]
    fn forbidden_calls_are_named() {
        let failure = |tools: &[(&'static str, u64)]| forbidden_failure(tools.iter().copied());
        assert_eq!(failure(&[]), None);
        let one = failure(&[("drop", 1)]);
        assert_eq!(one.as_deref(), Some("a forbidden call was made: drop"));
        let same = failure(&[("drop", 2)]);
        assert_eq!(same.as_deref(), Some("2 forbidden calls were made: drop"));
        let several = failure(&[("drop", 2), ("pay", 1)]);
        assert_eq!(
            several.as_deref(),
            Some("3 forbidden calls were made: drop (2 times), pay")
        );
    }
}
