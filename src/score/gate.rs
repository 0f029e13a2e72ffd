//! The gate of scores.

use std::collections::BTreeMap;

use super::AccuracyResult;
use toolgauge_base::gate::{Gate, NO_SCORE_GATE, forbidden_failure, score_failure};

/// Returns whether `results` with this mean `score` pass: none has a forbidden call, and the score is not below
/// `min_score`.
pub fn score_gate<'r, 'a: 'r>(
    results: impl Iterator<Item = &'r AccuracyResult<'a>>,
    score: f64,
    min_score: Option<f64>,
) -> Gate {
    let mut tools: BTreeMap<&str, u64> = BTreeMap::new();
    for call in results.flat_map(|result| &result.forbidden_calls) {
        *tools.entry(call.actual.tool).or_default() += 1;
    }
    let by_forbidden = forbidden_failure(tools.into_iter());
    let by_score = score_failure(Some(score), min_score);
    let is_absent = min_score.is_none();
    Gate::of(by_forbidden.into_iter().chain(by_score).collect())
        .or_absent(is_absent.then_some(NO_SCORE_GATE))
}
