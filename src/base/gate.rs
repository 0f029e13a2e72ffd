//! The gate: whether an input passes, and the reasons if it does not.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::issue::{Severity, round};
use crate::options::Options;
use toolgauge_model::error::Result;

/// The options of the gate of a check.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
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
}

impl GateOptions {
    /// The names of these options.
    pub const NAMES: [&str; 4] = ["minScore", "baselineScore", "failOn", "allowEmpty"];

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
}

impl Gate {
    /// Creates a gate that fails for these reasons, and passes if there are none.
    pub fn of(failures: Vec<String>) -> Self {
        Self {
            passed: failures.is_empty(),
            failures,
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

/// Returns the mean of `scores` to 3 decimals; `None` if there are none.
pub fn mean(scores: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = scores.fold((0_u32, 0.0), |(count, sum), score| (count + 1, sum + score));
    (count > 0).then(|| round(sum / f64::from(count)))
}
