//! One score from several.

use serde::{Deserialize, Serialize};

use super::scale::ScoreScale;
use crate::base::issue::round;

/// How the scores of several judges become one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum AggregationMethod {
    /// The mean.
    #[default]
    Average,
    /// The middle one; of an even number of scores the mean of the middle two.
    Median,
    /// The score that most judges gave. Of several with as many votes the one nearest to the median,
    /// and of two that are equally near the lower one: a tied vote does not pass.
    MajorityVote,
    /// The mean, rounded to the nearest score that the schema allows; a mean halfway between two goes
    /// to the higher one. Where every number is allowed, that is the nearest whole number.
    AverageRounded,
}

impl AggregationMethod {
    /// One score from `scores`, which are in ascending order and not empty.
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
    /// The score that won.
    pub score: f64,
    /// How many gave it.
    pub votes: usize,
}

/// The vote of `scores`, which are in ascending order. Those that are the same to 3 decimals are votes
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
