//! Combines the scores of several judges.

use serde::Serialize;

use super::aggregation::AggregationMethod;
use super::agreement::agreement;
use super::scale::ScoreScale;
use toolgauge_base::issue::round;
use toolgauge_model::Path;
use toolgauge_model::error::{Error, Result};

/// The combined score of several judges.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Combined {
    /// The score, on the scale of the judges, to 3 decimals.
    pub score: f64,
    /// How far the judges agree, from 0 to 1; absent for fewer than two scores.
    pub agreement: Option<f64>,
}

/// Combines several scores and measures their agreement. The order of the scores does not matter.
///
/// # Errors
/// [`Error::InvalidInput`] if there are no scores, or one that is off its scale.
pub fn combine(scores: &[f64], method: AggregationMethod, scale: &ScoreScale) -> Result<Combined> {
    let on_scale = |score: &f64| (scale.min..=scale.max).contains(score);
    if scores.is_empty() || !scores.iter().all(on_scale) {
        return Err(Error::invalid_input(
            Path::root().key("scores"),
            format!("scores from {} to {}", scale.min, scale.max),
            format!("{scores:?}"),
        ));
    }
    let mut scores = scores.to_vec();
    scores.sort_by(f64::total_cmp);
    let score = method.aggregate(&scores, scale);
    Ok(Combined {
        score: round(score).clamp(scale.min, scale.max),
        agreement: agreement(&scores, method, scale),
    })
}

#[cfg(test)]
mod tests {
    use AggregationMethod::{Average, AverageRounded, MajorityVote, Median};
    use proptest::prelude::*;

    use super::*;

    const METHODS: [AggregationMethod; 4] = [Average, Median, MajorityVote, AverageRounded];

    fn continuous() -> ScoreScale {
        ScoreScale {
            min: 0.0,
            max: 1.0,
            values: None,
            step: None,
        }
    }

    fn stars() -> ScoreScale {
        ScoreScale {
            min: 1.0,
            max: 5.0,
            values: None,
            step: Some(1.0),
        }
    }

    fn combined(scores: &[f64], method: AggregationMethod, scale: ScoreScale) -> Combined {
        combine(scores, method, &scale).expect("scores on their scale")
    }

    fn score(scores: &[f64], method: AggregationMethod, scale: ScoreScale) -> f64 {
        combined(scores, method, scale).score
    }

    #[test]
    fn each_method_gives_its_score() {
        assert_eq!(score(&[0.2, 0.9, 0.7], Average, continuous()), 0.6);
        assert_eq!(score(&[0.2, 0.9, 0.7], Median, continuous()), 0.7);
        assert_eq!(score(&[0.2, 0.9, 0.7, 0.8], Median, continuous()), 0.75);
        assert_eq!(score(&[0.2, 0.9, 0.9], MajorityVote, continuous()), 0.9);
        assert_eq!(score(&[4.0, 4.0, 5.0], AverageRounded, stars()), 4.0);
        assert_eq!(score(&[4.0, 5.0], AverageRounded, stars()), 5.0);
        assert_eq!(score(&[0.2, 0.9], AverageRounded, continuous()), 1.0);
    }

    #[test]
    fn a_tied_vote_goes_to_the_middle_and_then_down() {
        assert_eq!(score(&[0.0, 1.0], MajorityVote, continuous()), 0.0);
        assert_eq!(score(&[1.0, 1.0, 5.0, 5.0], MajorityVote, stars()), 1.0);
        assert_eq!(score(&[0.9, 0.2, 0.7], MajorityVote, continuous()), 0.7);
        assert_eq!(
            score(&[1.0, 1.0, 3.0, 4.0, 4.0], MajorityVote, stars()),
            4.0
        );
    }

    #[test]
    fn votes_that_are_the_same_to_three_decimals_are_the_same() {
        let third = 1.0 / 3.0;
        let vote = combined(&[0.333, third, 0.9], MajorityVote, continuous());
        assert_eq!((vote.score, vote.agreement), (0.333, Some(0.667)));
    }

    #[test]
    fn agreement_is_a_share_of_the_votes_or_of_the_range() {
        let agreement = |scores: &[f64], method| combined(scores, method, stars()).agreement;
        assert_eq!(agreement(&[5.0, 5.0, 1.0], MajorityVote), Some(0.667));
        assert_eq!(agreement(&[1.0, 5.0], MajorityVote), Some(0.5));
        assert_eq!(agreement(&[1.0, 5.0], Average), Some(0.0));
        assert_eq!(agreement(&[4.0, 5.0], Median), Some(0.75));
        assert_eq!(agreement(&[3.0, 3.0], AverageRounded), Some(1.0));
        assert_eq!(agreement(&[3.0], Average), None);
    }

    #[test]
    fn invalid_scores_are_rejected() {
        for scores in [vec![], vec![1.5], vec![f64::NAN], vec![0.5, -0.1]] {
            assert!(combine(&scores, Average, &continuous()).is_err());
        }
    }

    fn any_scale_and_scores() -> impl Strategy<Value = (ScoreScale, Vec<f64>)> {
        let continuous =
            prop::collection::vec(0.0..=1.0_f64, 1..9).prop_map(|scores| (continuous(), scores));
        let stars = prop::collection::vec((1..=5_u8).prop_map(f64::from), 1..9)
            .prop_map(|scores| (stars(), scores));
        prop_oneof![continuous, stars]
    }

    proptest! {
        #[test]
        fn the_order_of_the_judges_does_not_matter(
            (scale, scores) in any_scale_and_scores(), seed in any::<usize>(),
        ) {
            let mut shuffled = scores.clone();
            shuffled.rotate_left(seed % scores.len());
            shuffled[scores.len() / 2..].reverse();
            for method in METHODS {
                prop_assert_eq!(
                    combined(&scores, method, scale.clone()),
                    combined(&shuffled, method, scale.clone())
                );
            }
        }

        #[test]
        fn a_combined_score_is_between_those_of_the_judges(
            (scale, scores) in any_scale_and_scores(),
        ) {
            let least = scores.iter().copied().fold(f64::INFINITY, f64::min);
            let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            for method in METHODS {
                let Combined { score, agreement } = combined(&scores, method, scale.clone());
                prop_assert!((scale.min..=scale.max).contains(&score));
                let slack = if method == AverageRounded { 0.5 } else { 0.0005 };
                prop_assert!(least - slack - 1e-9 <= score && score <= most + slack + 1e-9);
                prop_assert!(agreement.is_none_or(|share| (0.0..=1.0).contains(&share)));
                prop_assert_eq!(agreement.is_none(), scores.len() < 2);
            }
        }

        #[test]
        fn only_equal_scores_agree_fully(
            star in 1..=5_u8, count in 2..9_usize, (scale, scores) in any_scale_and_scores(),
        ) {
            for method in METHODS {
                let same = combined(&vec![f64::from(star); count], method, stars());
                prop_assert_eq!(same, Combined { score: f64::from(star), agreement: Some(1.0) });
                let differ = scores.iter().any(|score| *score != scores[0]);
                let full = combined(&scores, method, scale.clone()).agreement == Some(1.0);
                prop_assert_eq!(full, !differ && scores.len() > 1);
            }
        }
    }
}
