//! Reads the documents of a run: trajectories, which are checked or scored, or the verdicts of an earlier command.

use super::run::Run;
use super::trial::Trial;
use crate::batch::{Checked, CheckedDocument, Place, ScoreSetting, ScoredDocument};
use crate::check::Checker;
use toolgauge_model::error::{Error, ErrorReport};
use toolgauge_model::{Json, Path, Reader};

/// How trajectories are measured.
pub enum Measuring<'m, 'a> {
    /// They are checked.
    Check(Box<Checker<'m, 'a>>),
    /// They are compared with expected calls.
    Score(ScoreSetting<'m, 'a>, Reader<'a>),
}

/// How the documents of a run are read.
pub struct RunReader<'m, 'a> {
    /// How trajectories are measured.
    pub measuring: Measuring<'m, 'a>,
    /// The field that names the task. Default: `task_id`, or else the id.
    pub task_key: Option<String>,
    /// The lowest score with which the verdict of a score passes, from 0 to 1.
    pub pass_score: f64,
}

impl<'a> RunReader<'_, 'a> {
    /// Adds the trials of a document to `run`, and returns the first reason why something could not be read.
    pub fn add(
        &mut self,
        run: &mut Run,
        place: Place<'_>,
        json: Result<Json<'a>, ErrorReport>,
    ) -> Option<ErrorReport> {
        run.documents += 1;
        if let Some(verdicts) = json.as_ref().ok().and_then(|json| verdicts_of(*json)) {
            return self.add_verdicts(run, place, &verdicts);
        }
        let before = run.trials;
        let unread = match &mut self.measuring {
            Measuring::Check(checker) => {
                let document = CheckedDocument::check(place, json, checker);
                let checked = document.outcome.iter();
                for (trajectory, report) in checked.flat_map(Checked::trajectories) {
                    run.add(
                        place,
                        Trial::checked(trajectory, report, self.task_key.as_deref()),
                    );
                }
                document.outcome.err()
            }
            Measuring::Score(setting, reader) => {
                let document = ScoredDocument::score(place, json, *setting, *reader);
                for scored in document.outcome.iter() {
                    run.unscored += scored.found.unscored.len() as u64;
                    for found in &scored.found.scores {
                        let trajectory = &scored.imported.value[found.index];
                        let key = self.task_key.as_deref();
                        let passed = document.passes(found);
                        run.add(place, Trial::scored(trajectory, found, key, passed));
                    }
                }
                document.outcome.err()
            }
        };
        run.measured += run.trials - before;
        run.unread += u64::from(unread.is_some());
        unread
    }

    fn add_verdicts(
        &self,
        run: &mut Run,
        place: Place<'_>,
        verdicts: &[Json<'_>],
    ) -> Option<ErrorReport> {
        let mut first = None;
        for verdict in verdicts {
            match Trial::of_verdict(*verdict, self.task_key.as_deref(), self.pass_score) {
                Some(trial) => run.add(place_in(*verdict, place), trial),
                None => {
                    run.unread += 1;
                    first = first.or_else(|| Some(reason_in(*verdict)));
                }
            }
        }
        first
    }
}

/// Returns the place of the trajectory that a verdict is about, as far as the verdict says it.
fn place_in<'a>(verdict: Json<'a>, place: Place<'a>) -> Place<'a> {
    let line = match verdict.get("line") {
        Some(Json::Number(line)) => Some(line.as_f64() as usize),
        _ => None,
    };
    Place {
        source: verdict
            .get("source")
            .and_then(Json::as_str)
            .or(place.source),
        line,
    }
}

/// Returns the reason why the earlier command could not read a document, or why `verdict` is none.
fn reason_in(verdict: Json<'_>) -> ErrorReport {
    let reason = verdict.get("error").unwrap_or_default();
    let text = serde_json::to_vec(&reason).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_else(|_| {
        Error::invalid_input(Path::root(), VERDICT, verdict.describe()).report()
    })
}

/// The expected form of a verdict, for errors.
const VERDICT: &str = "a verdict, as `toolgauge check` and `score` write it with --format jsonl";

/// Returns the verdicts in a document: one, a list, or those of a report. `None` if it contains something else.
fn verdicts_of<'a>(json: Json<'a>) -> Option<Vec<Json<'a>>> {
    if is_verdict(json) {
        return Some(vec![json]);
    }
    let is_report = json.get("summary").or_else(|| json.get("gate")).is_some();
    let reported = ["results", "trajectories"]
        .into_iter()
        .find_map(|key| json.get(key));
    let list = match reported.filter(|_| is_report) {
        Some(list) => list.items()?,
        None => json
            .items()
            .filter(|items| items.first().is_some_and(|first| is_verdict(*first)))?,
    };
    Some(list.to_vec())
}

/// Whether `json` is a verdict, or says why there is none.
fn is_verdict(json: Json<'_>) -> bool {
    let is_known = |key: &str| matches!(key, "source" | "line" | "error");
    let members = json.members().unwrap_or_default();
    let error = json.get("error").and_then(|error| error.get("code"));
    let is_unread = error.is_some() && members.iter().all(|(key, _)| is_known(key));
    let has_result = json.get("results").and_then(Json::items).is_some()
        || json
            .get("accuracy")
            .is_some_and(|accuracy| accuracy.get("score").is_some());
    is_unread || (has_result && matches!(json.get("index"), Some(Json::Number(_))))
}
