//! Scores trajectories against expectations, one document after the other.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::chunk::Place;
use super::document::UnreadDocument;
use super::summary::{LONGEST_NAME, ScoreTally, add_counts, count, trial_of};
use toolgauge_base::gate::{
    Gate, NO_SCORE_GATE, PassGate, forbidden_failure, score_failure, unread_failure,
};
use toolgauge_base::trials::{TaskName, Tasks, Trials};
use toolgauge_formats::{Imported, TrajectoryFormat, import_trajectories};
use toolgauge_matching::Comparing;
use toolgauge_model::error::{Error, ErrorReport, Result};
use toolgauge_model::{Json, Path, Reader, Trajectory, start_of};
use toolgauge_score::{ExpectedSet, ScoreOptions, ScoredTrajectories, TrajectoryScore, score_each};

/// A document of trajectories that was scored, or the reason why it was not.
pub struct ScoredDocument<'p, 'a> {
    /// The location of the document.
    pub place: Place<'p>,
    /// The lowest score of a trajectory that passes, from 0 to 1.
    pub pass_score: f64,
    /// Its trajectories with their scores, or the error.
    pub outcome: std::result::Result<Scored<'a>, ErrorReport>,
}

/// The trajectories of a document with their scores.
pub struct Scored<'a> {
    /// Its trajectories.
    pub imported: Imported<Vec<Trajectory<'a>>, TrajectoryFormat>,
    /// Their scores.
    pub found: ScoredTrajectories<'a>,
    /// The task of each score.
    pub tasks: Vec<TaskName>,
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
    /// The field that names the task of a trajectory: see [`TaskName::of`].
    pub task_key: Option<&'s str>,
    /// The lowest score of a trajectory that passes, from 0 to 1.
    pub pass_score: f64,
}

/// The gate for all scores together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScoreGate {
    /// The lowest mean score that passes, from 0 to 1. If `pass` is given, it only says which trajectories pass.
    pub min_score: Option<f64>,
    /// How many trajectories have to pass.
    pub pass: PassGate,
    /// Whether the gate passes if nothing was scored.
    pub allow_empty: bool,
    /// Whether the gate passes although documents could not be read.
    pub allow_errors: bool,
}

impl ScoreGate {
    /// Returns the lowest score of a trajectory that passes, from 0 to 1. Default 1.
    pub fn pass_score(&self) -> f64 {
        self.min_score.unwrap_or(1.0)
    }
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
    /// Its task, if a field names one that is not the id.
    #[serde(skip_serializing_if = "TaskName::is_no_field")]
    pub task: &'v TaskName,
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
    /// How many of the scored ones pass: they make no forbidden call, state and cost what is expected and score at least
    /// `minScore`, or else 1.
    pub passed: u64,
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
    /// How many forbidden calls of each tool were made, by its name, cut at 128 characters.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub forbidden_tools: BTreeMap<String, u64>,
    /// How many trajectories state or cost something else than expected, or have a tool whose score is too low; absent
    /// if there are none.
    #[serde(skip_serializing_if = "is_none")]
    pub unmet: u64,
    /// How many warnings the import gave.
    pub warnings: u64,
    /// The distribution of the scores.
    pub scores: ScoreTally,
    /// The mean of the scores, from 0 to 1, to 3 decimals; `null` if there are none.
    pub score: Option<f64>,
    /// The counts by task, from which `trials` follows when summaries are merged; absent unless they are asked for.
    #[serde(skip_serializing_if = "Tasks::is_empty")]
    pub tasks: Tasks,
    /// What several trials of one task show; absent if each task has only one, or without `tasks`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trials: Option<Trials>,
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
            pass_score: setting.pass_score,
            outcome: json.and_then(scored),
        }
    }

    /// Returns whether a trajectory passes: it makes no forbidden call, and its score suffices.
    pub fn passes(&self, one: &TrajectoryScore<'_>) -> bool {
        one.accuracy.passes(self.pass_score)
    }

    /// Adds the results to the totals. When all are added, [`ScoreSummary::settle_trials`] is to be called.
    pub fn add_to(&self, summary: &mut ScoreSummary) {
        summary.documents += 1;
        let Ok(Scored {
            imported,
            found,
            tasks,
        }) = &self.outcome
        else {
            summary.unread += 1;
            return;
        };
        summary.trajectories += imported.value.len() as u64;
        summary.warnings += imported.warnings.len() as u64;
        for (one, task) in found.scores.iter().zip(tasks) {
            let accuracy = &one.accuracy;
            let passed = self.passes(one);
            summary.tasks.add(&trial_of(
                self.place,
                (one.index, one.id, task),
                (passed, Some(accuracy.score)),
            ));
            summary.passed += u64::from(passed);
            for call in &accuracy.forbidden_calls {
                let tool = start_of(call.actual.tool, LONGEST_NAME);
                *count(&mut summary.forbidden_tools, tool) += 1;
            }
            summary.scored += 1;
            summary.unmet += u64::from(!accuracy.failures.is_empty());
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
            let scores = scored.found.scores.iter().zip(&scored.tasks);
            scores.map(move |(score, task)| ScoreVerdict {
                place: self.place,
                format: scored.imported.format,
                score,
                task,
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
    let tasks = found.scores.iter().map(|one| {
        let trajectory = imported.value.get(one.index);
        let named = trajectory.map(|it| TaskName::of(it, setting.task_key));
        named.unwrap_or_default()
    });
    Ok(Scored {
        tasks: tasks.collect(),
        imported,
        found,
    })
}

impl ScoreSummary {
    /// Returns the part of a document that is a summary of scores: the document itself, or the `summary` of a report.
    pub fn inside<'a>(json: Json<'a>) -> Option<Json<'a>> {
        let inner = json.get("summary").unwrap_or(json);
        let is_summary = inner.get("version").is_none() && inner.get("scored").is_some();
        is_summary.then_some(inner)
    }

    /// Reads a summary, or the `summary` of a report.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if there is none.
    pub fn read(json: Json<'_>) -> Result<Self> {
        let expected = "a summary, as `toolgauge score --summary <file>` writes it";
        let invalid = |actual: String| Error::invalid_input(Path::root(), expected, actual);
        let inner = Self::inside(json).ok_or_else(|| invalid(json.describe().to_string()))?;
        let text = serde_json::to_vec(&inner).unwrap_or_default();
        serde_json::from_slice(&text).map_err(|error| {
            let reason = error.to_string();
            invalid(
                reason
                    .split(" at line")
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
            )
        })
    }

    /// Adds the totals of other trajectories. When all are added, [`ScoreSummary::settle_trials`] is to be called.
    pub fn merge(&mut self, other: &Self) {
        let sums = [
            (&mut self.documents, other.documents),
            (&mut self.unread, other.unread),
            (&mut self.trajectories, other.trajectories),
            (&mut self.scored, other.scored),
            (&mut self.perfect, other.perfect),
            (&mut self.passed, other.passed),
            (&mut self.expected, other.expected),
            (&mut self.made, other.made),
            (&mut self.correct, other.correct),
            (&mut self.incorrect, other.incorrect),
            (&mut self.missed, other.missed),
            (&mut self.extra, other.extra),
            (&mut self.forbidden, other.forbidden),
            (&mut self.unmet, other.unmet),
            (&mut self.warnings, other.warnings),
        ];
        for (sum, more) in sums {
            *sum = sum.saturating_add(more);
        }
        add_counts(&mut self.forbidden_tools, &other.forbidden_tools);
        self.scores += other.scores;
        self.score = self.scores.mean();
        self.tasks.merge(&other.tasks);
    }

    /// Updates what several trials of one task show.
    pub fn settle_trials(&mut self) {
        self.trials = self.tasks.trials(self.trajectories);
    }

    /// Ends adding, and returns what several trials of one task show; `None` if each task has only one. The summary
    /// itself keeps that, with the counts by task, only if they `are_wanted`: else it would depend on the split.
    pub fn finish(&mut self, are_wanted: bool) -> Option<Trials> {
        let found = self.tasks.finish(self.trajectories, are_wanted);
        self.trials = found.clone().filter(|_| are_wanted);
        found
    }

    /// Fails if a forbidden call was made, if a score or a share of passes is too low, and if nothing was scored
    /// unless that is allowed.
    pub fn gate(&self, options: &ScoreGate) -> Gate {
        let by_reading = unread_failure(self.unread, self.documents, options.allow_errors);
        if self.scored == 0 {
            let failure = "no trajectory was scored: none has expected calls";
            let failures = (!options.allow_empty).then(|| failure.to_owned());
            return Gate::of(by_reading.into_iter().chain(failures).collect());
        }
        let tools = self.forbidden_tools.iter();
        let by_forbidden = forbidden_failure(tools.map(|(tool, count)| (tool.as_str(), *count)));
        let by_terms = (self.unmet > 0).then(|| {
            let (count, verb) = match self.unmet {
                1 => ("1 trajectory".to_owned(), "does"),
                unmet => (format!("{unmet} trajectories"), "do"),
            };
            format!("{count} {verb} not state or cost what is expected")
        });
        let by_passes = options.pass.failures(self.passed, self.scored, &self.tasks);
        let min_score = options.min_score.filter(|_| !options.pass.is_given());
        let by_score = score_failure(self.score, min_score);
        let failures = by_reading
            .into_iter()
            .chain(by_forbidden)
            .chain(by_terms)
            .chain(by_passes)
            .chain(by_score);
        let is_absent = options.min_score.is_none() && !options.pass.is_given();
        Gate::of(failures.collect()).or_absent(is_absent.then_some(NO_SCORE_GATE))
    }
}

/// Whether there are none.
fn is_none(count: &u64) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;
    use proptest::prelude::*;

    use super::*;
    use toolgauge_matching::NoComparators;
    use toolgauge_model::Limits;

    /// Returns the totals over documents, each with its line.
    fn summary_of<'l>(
        expected: &str,
        min_score: Option<f64>,
        lines: impl Iterator<Item = (usize, &'l str)>,
    ) -> ScoreSummary {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let read = |text: &str| reader.read_text(arena.alloc_str(text));
        let expected = ExpectedSet::read(read(expected).expect("JSON"), reader);
        let expected = arena.alloc(expected.expect("expectations"));
        let gate = ScoreGate {
            min_score,
            ..ScoreGate::default()
        };
        let setting = ScoreSetting {
            format: None,
            expected,
            options: &ScoreOptions::default(),
            comparing: &Comparing::new(&NoComparators, Limits::default()),
            task_key: Some("meta.task"),
            pass_score: gate.pass_score(),
        };
        let mut summary = ScoreSummary::default();
        for (line, text) in lines {
            let place = Place {
                source: Some("runs.jsonl"),
                line: Some(line),
            };
            let json = read(text).map_err(|error| error.report());
            ScoredDocument::score(place, json, setting, reader).add_to(&mut summary);
        }
        summary.settle_trials();
        summary
    }

    fn run(task: &str, tools: &[&str]) -> String {
        let calls = tools
            .iter()
            .map(|tool| format!(r#"{{"name":"{tool}","arguments":{{}}}}"#));
        let calls = calls.collect::<Vec<_>>().join(",");
        format!(
            r#"{{"meta":{{"task":"{task}"}},"turns":[{{"role":"agent","tool_calls":[{calls}]}}]}}"#
        )
    }

    const EXPECTED: &str = r#"{"calls":["f","g"],"forbidden":["pay"]}"#;

    fn of(min_score: Option<f64>, runs: &[String]) -> ScoreSummary {
        let lines = runs.iter().map(String::as_str).enumerate();
        summary_of(EXPECTED, min_score, lines)
    }

    proptest! {
        #[test]
        fn any_split_in_any_order_gives_the_totals_of_the_whole(
            runs in prop::collection::vec(
                ("[ab]", prop::collection::vec(prop::sample::select(vec!["f", "g", "pay"]), 0..4), 0..3_usize),
                0..10,
            ),
        ) {
            let lines: Vec<_> = runs.iter().map(|(task, tools, _)| run(task, tools)).collect();
            let numbered = || lines.iter().map(String::as_str).enumerate();
            let whole = summary_of(EXPECTED, Some(0.6), numbered());
            let mut sum = ScoreSummary::default();
            for part in 0..3 {
                let with_part = numbered().zip(&runs).filter(|(_, (.., of))| *of == part);
                let lines: Vec<_> = with_part.map(|(line, _)| line).collect();
                sum.merge(&summary_of(EXPECTED, Some(0.6), lines.into_iter().rev()));
            }
            sum.settle_trials();
            prop_assert_eq!(&sum, &whole);
            let text = serde_json::to_string(&whole).expect("plain data");
            prop_assert_eq!(serde_json::from_str::<ScoreSummary>(&text).expect("a summary"), whole);
        }
    }

    #[test]
    fn a_forbidden_call_fails_the_gate_and_the_trial() {
        let runs = [run("a", &["f", "g"]), run("a", &["f", "g", "pay"])];
        let summary = of(None, &runs);
        let gate = summary.gate(&ScoreGate::default());
        assert_eq!(gate.failures, ["a forbidden call was made: pay"]);
        let trials = summary.trials.as_ref().expect("trials");
        assert_eq!((trials.passed, trials.flaky), (1, 1));
        assert_eq!(trials.worst[0].worst.place.line, Some(1));
        let rate = PassGate {
            min_pass_rate: Some(0.5),
            ..PassGate::default()
        };
        let gate = summary.gate(&ScoreGate {
            pass: rate,
            ..ScoreGate::default()
        });
        assert_eq!(gate.failures, ["a forbidden call was made: pay"]);
    }

    #[test]
    fn the_lowest_score_says_which_trials_pass() {
        let runs = [run("a", &["f", "g"]), run("a", &["f"]), run("b", &[])];
        assert_eq!(of(None, &runs).passed, 1);
        let lenient = of(Some(0.6), &runs);
        assert_eq!(lenient.passed, 2);
        let gate = |min_pass_rate| {
            lenient.gate(&ScoreGate {
                min_score: Some(0.6),
                pass: PassGate {
                    min_pass_rate,
                    ..PassGate::default()
                },
                allow_empty: false,
                allow_errors: false,
            })
        };
        assert_eq!(gate(None).failures, ["the score 0.556 is below 0.6"]);
        assert!(gate(Some(0.6)).passed);
        let failures = gate(Some(0.7)).failures;
        assert_eq!(
            failures,
            ["the share of passes 0.667 (2 of 3) is below 0.7"]
        );
    }

    #[test]
    fn a_gate_that_asks_for_nothing_says_so() {
        let summary = of(None, &[run("a", &[])]);
        let gate = summary.gate(&ScoreGate::default());
        assert!(gate.passed && gate.absent == Some(NO_SCORE_GATE));
        let asked = ScoreGate {
            min_score: Some(0.0),
            ..ScoreGate::default()
        };
        assert_eq!(summary.gate(&asked).absent, None);
        assert!(!of(None, &[]).gate(&ScoreGate::default()).passed);
    }
}
