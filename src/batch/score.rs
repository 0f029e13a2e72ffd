//! Scores trajectories against expectations, one document after the other.

use serde::{Deserialize, Serialize};

use super::chunk::Place;
use super::document::UnreadDocument;
use super::summary::ScoreTally;
use toolgauge_base::gate::{Gate, score_failure};
use toolgauge_formats::{Imported, TrajectoryFormat, import_trajectories};
use toolgauge_matching::Comparing;
use toolgauge_model::error::{ErrorReport, Result};
use toolgauge_model::{Json, Reader, Trajectory};
use toolgauge_score::{ExpectedSet, ScoreOptions, ScoredTrajectories, TrajectoryScore, score_each};

/// A document of trajectories that was scored, or the reason why it was not.
pub struct ScoredDocument<'p, 'a> {
    /// The location of the document.
    pub place: Place<'p>,
    /// Its trajectories with their scores, or the error.
    pub outcome: std::result::Result<Scored<'a>, ErrorReport>,
}

/// The trajectories of a document with their scores.
pub struct Scored<'a> {
    /// Its trajectories.
    pub imported: Imported<Vec<Trajectory<'a>>, TrajectoryFormat>,
    /// The distribution of the scores.
    pub found: ScoredTrajectories<'a>,
}

/// The options of scoring a batch.
#[derive(Clone, Copy)]
pub struct ScoreSetting<'s, 'a> {
    /// The format to read; detected if absent.
    pub format: Option<TrajectoryFormat>,
    /// The expectations.
    pub expected: &'a ExpectedSet,
    /// How calls are scored.
    pub options: &'s ScoreOptions,
    /// How arguments are compared.
    pub comparing: &'s Comparing<'s>,
}

/// The score of one trajectory: a line of `toolgauge score --format jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoreVerdict<'v, 'a> {
    /// The location of its document.
    #[serde(flatten)]
    pub place: Place<'v>,
    /// The format that it was read from.
    pub format: TrajectoryFormat,
    /// Its position, id and score.
    #[serde(flatten)]
    pub score: &'v TrajectoryScore<'a>,
}

/// Totals over many scored trajectories, all of them counts or sums of integers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ScoreSummary {
    /// How many documents were read.
    pub documents: u64,
    /// How many documents could not be read.
    pub unread: u64,
    /// The number of trajectories.
    pub trajectories: u64,
    /// How many of them were scored because there are expectations for them.
    pub scored: u64,
    /// How many of the scored ones score 1.
    pub perfect: u64,
    /// How many calls were expected.
    pub expected: u64,
    /// How many calls were made.
    pub made: u64,
    /// How many calls are as expected.
    pub correct: u64,
    /// How many calls have other arguments or are out of order.
    pub incorrect: u64,
    /// How many expected calls were not made.
    pub missed: u64,
    /// How many calls were unexpected.
    pub extra: u64,
    /// How many calls were forbidden.
    pub forbidden: u64,
    /// How many warnings the import gave.
    pub warnings: u64,
    /// The distribution of the scores.
    pub scores: ScoreTally,
    /// The mean of the scores, from 0 to 1, to 3 decimals; `null` if there are none.
    pub score: Option<f64>,
}

impl<'p, 'a> ScoredDocument<'p, 'a> {
    /// Scores the trajectories of the document `json`, if it could be read.
    pub fn score(
        place: Place<'p>,
        json: std::result::Result<Json<'a>, ErrorReport>,
        setting: ScoreSetting<'_, 'a>,
        reader: Reader<'a>,
    ) -> Self {
        let scored = |json| score(json, setting, reader).map_err(|error| error.report());
        Self {
            place,
            outcome: json.and_then(scored),
        }
    }

    /// Adds the results to the totals.
    pub fn add_to(&self, summary: &mut ScoreSummary) {
        summary.documents += 1;
        let Ok(Scored { imported, found }) = &self.outcome else {
            summary.unread += 1;
            return;
        };
        summary.trajectories += imported.value.len() as u64;
        summary.warnings += imported.warnings.len() as u64;
        for TrajectoryScore { accuracy, .. } in &found.scores {
            summary.scored += 1;
            summary.perfect += u64::from(accuracy.score == 1.0);
            let counts = [
                (&mut summary.expected, accuracy.total_expected),
                (&mut summary.made, accuracy.total_actual),
                (&mut summary.correct, accuracy.correct_calls.len()),
                (&mut summary.incorrect, accuracy.incorrect_calls.len()),
                (&mut summary.missed, accuracy.missed_calls.len()),
                (&mut summary.extra, accuracy.extra_calls.len()),
                (&mut summary.forbidden, accuracy.forbidden_calls.len()),
            ];
            for (sum, count) in counts {
                *sum += count as u64;
            }
            summary.scores.add(accuracy.score);
        }
        summary.score = summary.scores.mean();
    }

    /// Returns the scores of its trajectories.
    pub fn verdicts(&self) -> impl Iterator<Item = ScoreVerdict<'_, 'a>> {
        self.outcome.iter().flat_map(move |scored| {
            scored.found.scores.iter().map(move |score| ScoreVerdict {
                place: self.place,
                format: scored.imported.format,
                score,
            })
        })
    }

    /// Returns the reason why it could not be read, if so.
    pub fn unread(&self) -> Option<UnreadDocument<'_>> {
        let error = self.outcome.as_ref().err()?;
        let place = self.place;
        Some(UnreadDocument { place, error })
    }
}

fn score<'a>(
    json: Json<'a>,
    setting: ScoreSetting<'_, 'a>,
    reader: Reader<'a>,
) -> Result<Scored<'a>> {
    let imported = import_trajectories(json, setting.format, reader)?;
    let ScoreSetting {
        expected,
        options,
        comparing,
        ..
    } = setting;
    let found = score_each(&imported.value, expected, options, comparing, reader)?;
    Ok(Scored { imported, found })
}

impl ScoreSummary {
    /// Passes if something was scored, unless `allow_empty`, and if the mean is not below `min_score`.
    pub fn gate(&self, min_score: Option<f64>, allow_empty: bool) -> Gate {
        if self.scored > 0 {
            return Gate::of(score_failure(self.score, min_score).into_iter().collect());
        }
        let failure = "no trajectory was scored: none has expected calls";
        Gate::of(
            (!allow_empty)
                .then(|| failure.to_owned())
                .into_iter()
                .collect(),
        )
    }
}
