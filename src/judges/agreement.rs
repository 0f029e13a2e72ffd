//! Measures how far judges agree.

use super::aggregation::{AggregationMethod, mean, vote};
use super::scale::ScoreScale;
use toolgauge_base::issue::round;

/// The highest agreement of scores that are not all equal.
const NOT_QUITE: f64 = 0.999;

/// Returns how far the judges who gave `scores`, in ascending order, agree: from 0 to 1, to 3 decimals, and 1
/// only if all scores are equal. `None` for fewer than two scores.
///
/// For a vote it is the share of the judges who gave the winning score. Otherwise it is 1 − AD / (R /
/// 2), where AD is the average deviation of the scores from their mean (the agreement index of
/// Burke, Finkelstein and Dusig, 1999) and R the range of the scale: half the range is the largest possible
/// deviation, with half of the judges at each end.
pub(super) fn agreement(
    scores: &[f64],
    method: AggregationMethod,
    scale: &ScoreScale,
) -> Option<f64> {
    let (first, last) = (scores.first()?, scores.last()?);
    if scores.len() < 2 {
        return None;
    }
    if first == last {
        return Some(1.0);
    }
    let share = match method {
        AggregationMethod::MajorityVote => vote(scores).votes as f64 / scores.len() as f64,
        AggregationMethod::Average
        | AggregationMethod::Median
        | AggregationMethod::AverageRounded => {
            1.0 - average_deviation(scores) / (scale.range() / 2.0)
        }
    };
    Some(round(share).clamp(0.0, NOT_QUITE))
}

fn average_deviation(scores: &[f64]) -> f64 {
    let mean = mean(scores);
    scores.iter().map(|score| (score - mean).abs()).sum::<f64>() / scores.len() as f64
}
