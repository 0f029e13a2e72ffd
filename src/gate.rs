//! Whether an input passes, and why not.

use serde::Serialize;

use crate::issue::round;

/// Whether an input passes, and why not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Gate {
    /// Whether it passes.
    pub passed: bool,
    /// A sentence for each reason why not.
    pub failures: Vec<String>,
}

impl Gate {
    /// The gate that fails for these reasons, and passes when there are none.
    pub fn of(failures: Vec<String>) -> Self {
        Self {
            passed: failures.is_empty(),
            failures,
        }
    }
}

/// The reason why `score` fails when at least `wanted` is needed.
pub fn score_failure(score: Option<f64>, wanted: Option<f64>) -> Option<String> {
    let wanted = wanted?;
    match score {
        Some(score) if score >= wanted => None,
        Some(score) => Some(format!("the score {score} is below {wanted}")),
        None => Some(format!(
            "there is no score, since no tool is called, but {wanted} is needed"
        )),
    }
}

/// The mean of `scores` to 3 decimals; of none there is none.
pub fn mean(scores: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = scores.fold((0_u32, 0.0), |(count, sum), score| (count + 1, sum + score));
    (count > 0).then(|| round(sum / f64::from(count)))
}
