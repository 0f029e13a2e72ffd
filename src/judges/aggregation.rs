//! Combines several scores into one.

use serde::{Deserialize, Serialize};

use super::scale::ScoreScale;
use toolgauge_base::issue::round;

/// How the scores of several judges are combined.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum AggregationMethod {
    /// The mean.
    #[default]
    Average,
    /// The middle score; for an even number of scores the mean of the middle two.
    Median,
    /// The score that most judges gave. In a tie the one nearest to the median wins, and of two equally near
    /// ones the lower: a tied vote does not pass.
    MajorityVote,
    /// The mean, rounded to the nearest score that the schema allows; halves are rounded up. If every number
    /// is allowed, that is the nearest whole number.
    AverageRounded,
}

impl AggregationMethod {
    /// Combines `scores`, which must be in ascending order and not empty.
    pub(super) fn aggregate(self, scores: &[f64], scale: &ScoreScale) -> f64 {
        match self {
            Self::Average => mean(scores),
            Self::Median => median(scores),
            Self::MajorityVote => vote(scores).score,
            Self::AverageRounded => scale.nearest(mean(scores)),
        }
    }
}

/// The outcome of a vote.
pub(super) struct Vote {
    /// The winning score.
    pub score: f64,
    /// How many judges gave it.
    pub votes: usize,
}

/// Holds a vote of `scores`, which must be in ascending order. Scores that are equal to 3 decimals are votes
/// for the same.
pub(super) fn vote(scores: &[f64]) -> Vote {
    let median = median(scores);
    let mut winner = Vote {
        score: median,
        votes: 0,
    };
    for group in scores.chunk_by(|left, right| round(*left) == round(*right)) {
        let (score, votes) = (group[0], group.len());
        let nearer = (score - median).abs() < (winner.score - median).abs();
        if votes > winner.votes || (votes == winner.votes && nearer) {
            winner = Vote { score, votes };
        }
    }
    winner
}

pub(super) fn mean(scores: &[f64]) -> f64 {
    scores.iter().sum::<f64>() / scores.len() as f64
}

fn median(scores: &[f64]) -> f64 {
    let middle = scores.len() / 2;
    if scores.len().is_multiple_of(2) {
        f64::midpoint(scores[middle - 1], scores[middle])
    } else {
        scores[middle]
    }
}
