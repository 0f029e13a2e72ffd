//! Scores trajectories that carry their expected calls, as benchmark rollouts do.

use serde::Serialize;

use super::{AccuracyResult, ExpectedSet, Run, ScoreOptions, score_gate, score_tool_calls};
use toolgauge_base::gate::{Gate, mean};
use toolgauge_base::trials::{TaskName, Tasks, Trial, TrialPlace, Trials};
use toolgauge_formats::{ImportWarning, Imported, TrajectoryFormat};
use toolgauge_matching::Comparing;
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Path, Reader, Trajectory};

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
    /// What several trials of one task show; absent if each task has only one. A trial passes with a score of at least
    /// `minScore` or else 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub trials: Option<Trials>,
    /// What could not be read or scored.
    pub warnings: Vec<ImportWarning>,
}

/// The score of one trajectory.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct TrajectoryScore<'a> {
    /// The position of the trajectory in the input, from 0.
    pub index: usize,
    /// The id from the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub id: Option<&'a str>,
    /// How close its calls are to the expected ones.
    #[cfg_attr(feature = "typescript", ts(as = "AccuracyResult<'static>"))]
    pub accuracy: AccuracyResult<'a>,
}

/// The scores of the trajectories of one document that have expectations.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScoredTrajectories<'a> {
    /// The scores, in the order of the document.
    pub scores: Vec<TrajectoryScore<'a>>,
    /// The positions of the trajectories without expectations.
    pub unscored: Vec<usize>,
    /// The positions in [`ExpectedSet::ById`] of the expectations that were used.
    pub met: Vec<usize>,
}

/// Scores each of `trajectories` for which `expected` has expectations.
///
/// # Errors
/// As [`score_tool_calls`] and [`ScoreOptions::apply`].
pub fn score_each<'a>(
    trajectories: &[Trajectory<'a>],
    expected: &'a ExpectedSet,
    options: &ScoreOptions,
    comparing: &Comparing<'_>,
    reader: Reader<'a>,
) -> Result<ScoredTrajectories<'a>> {
    let mut scored = ScoredTrajectories::default();
    for (index, trajectory) in trajectories.iter().enumerate() {
        let Some((mut expected, place)) = expected.of(trajectory, reader)? else {
            scored.unscored.push(index);
            continue;
        };
        options.apply(&mut expected, trajectory.tools, reader)?;
        scored.met.extend(place);
        scored.scores.push(TrajectoryScore {
            index,
            id: trajectory.trajectory_id,
            accuracy: score_tool_calls(&expected, &Run::of(trajectory), comparing)?,
        });
    }
    Ok(scored)
}

/// Scores each trajectory against the expected calls that it contains. A trajectory without any is left
/// out, with a warning. The field `task_key` of a trajectory names its task, as [`TaskName::of`] says.
///
/// # Errors
/// [`Error::InvalidInput`] if no trajectory contains expected calls; also as [`score_each`].
pub fn score_trajectories<'a>(
    imported: &Imported<Vec<Trajectory<'a>>, TrajectoryFormat>,
    options: &ScoreOptions,
    task_key: Option<&str>,
    comparing: &Comparing<'_>,
    reader: Reader<'a>,
) -> Result<ScoreReport<'a>> {
    let carried = &ExpectedSet::Carried;
    let scored = score_each(&imported.value, carried, options, comparing, reader)?;
    let mut warnings = imported.warnings.clone();
    warnings.extend(scored.unscored.into_iter().map(|index| ImportWarning {
        path: Path::root().index(index).to_string(),
        message: "not scored: it contains no expected calls".to_owned(),
    }));
    let trajectories = scored.scores;
    let score = mean(trajectories.iter().map(|one| one.accuracy.score)).ok_or_else(|| {
        let expected = "a trajectory that contains expected calls";
        let actual = format!(
            "none in {} read as {}",
            imported.value.len(),
            imported.format.label()
        );
        Error::invalid_input(Path::root(), expected, actual)
    })?;
    let results = trajectories.iter().map(|one| &one.accuracy);
    Ok(ScoreReport {
        format: imported.format,
        gate: score_gate(results, score, options.min_score),
        trials: trials_of(imported, &trajectories, options, task_key),
        trajectories,
        score,
        warnings,
    })
}

/// Returns what several trials of one task show.
fn trials_of<'a>(
    imported: &Imported<Vec<Trajectory<'a>>, TrajectoryFormat>,
    scores: &[TrajectoryScore<'a>],
    options: &ScoreOptions,
    task_key: Option<&str>,
) -> Option<Trials> {
    let mut tasks = Tasks::default();
    for one in scores {
        let trajectory = imported.value.get(one.index)?;
        let task = TaskName::of(trajectory, task_key);
        tasks.add(&Trial {
            task: task.name(one.id),
            passed: one.accuracy.passes(options.min_score.unwrap_or(1.0)),
            score: Some(one.accuracy.score),
            place: TrialPlace::in_document(one.index, one.id, &task),
        });
    }
    tasks.trials(scores.len() as u64)
}
