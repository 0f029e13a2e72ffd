//! Scores of trajectories that carry their expected calls, as benchmark rollouts do.

use serde::Serialize;

use super::{AccuracyResult, ScoreOptions, score_tool_calls};
use crate::error::{Error, Result};
use crate::formats::{ImportWarning, Imported, TrajectoryFormat, made_in};
use crate::gate::{Gate, mean, score_failure};
use crate::matching::{Comparing, Expectations};
use crate::model::{Path, Reader, Trajectory};

/// The scores of all trajectories of one input.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ScoreReport<'a> {
    /// The format that the input was read from.
    pub format: TrajectoryFormat,
    /// A score for each trajectory that carries expected calls, in the order of the input.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<TrajectoryScore<'static>>"))]
    pub trajectories: Vec<TrajectoryScore<'a>>,
    /// The mean of their scores, from 0 to 1, to 3 decimals.
    pub score: f64,
    /// Whether the input passes.
    pub gate: Gate,
    /// What could not be read or scored.
    pub warnings: Vec<ImportWarning>,
}

/// The score of one trajectory.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct TrajectoryScore<'a> {
    /// Its place in the input, from 0.
    pub index: usize,
    /// The id that the source gives it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub id: Option<&'a str>,
    /// How close its calls are to the expected ones.
    #[cfg_attr(feature = "typescript", ts(as = "AccuracyResult<'static>"))]
    pub accuracy: AccuracyResult<'a>,
}

/// Scores each trajectory against the calls that it says should have been made. One that says none is
/// left out, with a warning.
///
/// # Errors
/// [`Error::InvalidInput`] when no trajectory says which calls should have been made; also as
/// [`score_tool_calls`] and [`ScoreOptions::apply`].
pub fn score_trajectories<'a>(
    imported: &Imported<Vec<Trajectory<'a>>, TrajectoryFormat>,
    options: &ScoreOptions,
    comparing: &Comparing<'_>,
    reader: Reader<'a>,
) -> Result<ScoreReport<'a>> {
    let mut trajectories = Vec::new();
    let mut warnings = imported.warnings.clone();
    for (index, trajectory) in imported.value.iter().enumerate() {
        match &trajectory.expected_calls {
            Some(expected) => {
                let mut expected = Expectations::of(expected);
                options.apply(&mut expected, reader)?;
                trajectories.push(TrajectoryScore {
                    index,
                    id: trajectory.trajectory_id,
                    accuracy: score_tool_calls(&expected, &made_in(trajectory), comparing)?,
                });
            }
            None => warnings.push(ImportWarning {
                path: Path::root().index(index).to_string(),
                message: "not scored: it does not say which calls were expected".to_owned(),
            }),
        }
    }
    let score = mean(trajectories.iter().map(|one| one.accuracy.score)).ok_or_else(|| {
        let expected = "a trajectory that says which calls were expected";
        let actual = format!(
            "none in {} read as {}",
            imported.value.len(),
            imported.format.label()
        );
        Error::invalid_input(Path::root(), expected, actual)
    })?;
    Ok(ScoreReport {
        format: imported.format,
        trajectories,
        score,
        gate: Gate::of(
            score_failure(Some(score), options.min_score)
                .into_iter()
                .collect(),
        ),
        warnings,
    })
}
