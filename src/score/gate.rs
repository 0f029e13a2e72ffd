//! The gate of scores.

use std::collections::BTreeMap;

use super::AccuracyResult;
use toolgauge_base::gate::{Gate, NO_SCORE_GATE, forbidden_failure, score_failure};

/// Returns whether `results` with this mean `score` pass: none has a forbidden call, all state and cost what is expected,
/// and the score is not below `min_score`.
pub fn score_gate<'r, 'a: 'r>(
    results: impl Iterator<Item = &'r AccuracyResult<'a>>,
    score: f64,
    min_score: Option<f64>,
) -> Gate {
    let results: Vec<_> = results.collect();
    let mut tools: BTreeMap<&str, u64> = BTreeMap::new();
    for call in results.iter().flat_map(|result| &result.forbidden_calls) {
        *tools.entry(call.actual.tool).or_default() += 1;
    }
    let by_forbidden = forbidden_failure(tools.into_iter());
    let by_score = score_failure(Some(score), min_score);
    let is_absent = min_score.is_none();
    let failures = by_forbidden.into_iter().chain(unmet(&results));
    Gate::of(failures.chain(by_score).collect()).or_absent(is_absent.then_some(NO_SCORE_GATE))
}

/// Returns what is not as expected apart from the calls: all of it for one result, and the first of it for several.
fn unmet(results: &[&AccuracyResult<'_>]) -> Vec<String> {
    if let [only] = results {
        return only.failures.clone();
    }
    let mut failing = results.iter().filter_map(|result| result.failures.first());
    let Some(first) = failing.next() else {
        return Vec::new();
    };
    vec![match failing.count() {
        0 => format!("one trajectory: {first}"),
        others => format!("{} trajectories, the first of them: {first}", others + 1),
    }]
}
