//! Totals over many trajectories that merge exactly: however an input is split and in whatever order its
//! parts are merged, the result equals the totals of the whole. All totals are counts or sums of integers;
//! means are computed from those.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::chunk::Place;
use crate::finding::TrajectoryReport;
use toolgauge_base::gate::{Gate, GateOptions, issue_failure, score_failure, unread_failure};
use toolgauge_base::issue::{Severity, round};
use toolgauge_base::trials::{TaskName, Tasks, Trial, TrialPlace, Trials};
use toolgauge_formats::TrajectoryFormat;
use toolgauge_grounding::{Outcome, outcome_of};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Number, Path, Trajectory, Turn, start_of};

/// The version of the layout of summaries. It changes if the meaning of a field does.
const VERSION: u64 = 1;

/// The longest tool name that is kept, because names come from anywhere.
pub(super) const LONGEST_NAME: usize = 128;

/// Totals over many trajectories. Summaries can be merged: those of the parts of an input, in any order, give
/// the summary of the whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CheckSummary {
    /// The version of the layout, 1.
    pub version: u64,
    /// How many documents were read: files, or lines of files with one document per line.
    pub documents: u64,
    /// How many documents could not be read.
    pub unread: u64,
    /// The number of trajectories.
    pub trajectories: u64,
    /// How many trajectories have no critical issue.
    pub valid: u64,
    /// How many trajectories have only issues below `failOn`.
    pub passed: u64,
    /// How many trajectories have no issues.
    pub clean: u64,
    /// How many trajectories were checked against tool definitions, given ones or their own.
    pub with_tools: u64,
    /// The number of turns.
    pub turns: u64,
    /// The number of tool calls.
    pub calls: u64,
    /// How many calls have a result or an error of the runtime.
    #[serde(default)]
    pub results: u64,
    /// How many turns have a text.
    #[serde(default)]
    pub texts: u64,
    /// The number of issues.
    pub issues: u64,
    /// The number of issues of each type; types that do not occur are absent.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "Partial<Record<ToolUseIssueType | ResultIssueType, number>>")
    )]
    pub issues_by_type: BTreeMap<String, u64>,
    /// The number of issues of each severity.
    #[cfg_attr(feature = "typescript", ts(type = "Record<Severity, number>"))]
    pub issues_by_severity: BTreeMap<Severity, u64>,
    /// How many issues of each severity the baseline contains; without a baseline none.
    #[serde(default = "none_of_each")]
    #[cfg_attr(feature = "typescript", ts(type = "Record<Severity, number>"))]
    pub known_by_severity: BTreeMap<Severity, u64>,
    /// How many findings the option `ignore` left out.
    #[serde(default)]
    pub ignored: u64,
    /// In how many trajectories something could not be checked, by reason; reasons that do not occur are
    /// absent.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(type = "Partial<Record<Unjudged, number>>"))]
    pub unjudged: BTreeMap<String, u64>,
    /// How many trajectories were read from each format.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "Partial<Record<TrajectoryFormat, number>>")
    )]
    pub formats: BTreeMap<String, u64>,
    /// Counts for each tool, by the name of the calls, cut at 128 characters. Calls without a name are under
    /// the empty name.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, ToolTally>"))]
    pub tools: BTreeMap<String, ToolTally>,
    /// How many warnings the import gave.
    pub warnings: u64,
    /// The distribution of the scores of the trajectories that call tools.
    pub scores: ScoreTally,
    /// The mean of the scores, from 0 to 1, to 3 decimals; `null` if there are none.
    #[serde(default)]
    pub score: Option<f64>,
    /// The counts by task, from which `trials` follows when summaries are merged; absent unless `taskKey` or
    /// `minPassHat` is given.
    #[serde(default, skip_serializing_if = "Tasks::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Tasks>"))]
    pub tasks: Tasks,
    /// What several trials of one task show; absent if each task has only one, or without `tasks`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub trials: Option<Trials>,
}

/// Counts for one tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolTally {
    /// The number of calls.
    pub calls: u64,
    /// How many calls failed: the runtime reported an error or, if results are checked, the result is one.
    pub errors: u64,
    /// The number of issues of its calls and results.
    pub issues: u64,
}

/// The distribution of scores.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScoreTally {
    /// The number of scores.
    pub count: u64,
    /// Their sum in thousandths, an integer.
    pub thousandths: u64,
    /// How many scores are from 0 to below 0.1, from 0.1 to below 0.2, and so on. The last number counts
    /// scores of 1.
    #[cfg_attr(feature = "typescript", ts(type = "number[]"))]
    pub histogram: [u64; 11],
}

impl Default for CheckSummary {
    fn default() -> Self {
        Self {
            version: VERSION,
            documents: 0,
            unread: 0,
            trajectories: 0,
            valid: 0,
            passed: 0,
            clean: 0,
            with_tools: 0,
            turns: 0,
            calls: 0,
            results: 0,
            texts: 0,
            issues: 0,
            issues_by_type: BTreeMap::new(),
            issues_by_severity: none_of_each(),
            known_by_severity: none_of_each(),
            ignored: 0,
            unjudged: BTreeMap::new(),
            formats: BTreeMap::new(),
            tools: BTreeMap::new(),
            warnings: 0,
            scores: ScoreTally::default(),
            score: None,
            tasks: Tasks::default(),
            trials: None,
        }
    }
}

impl CheckSummary {
    /// Reads a summary from `json`: the summary itself, or the `summary` of a report.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the summary is missing or has another version.
    pub fn read(json: Json<'_>) -> Result<Self> {
        let (json, place) = match json.get("summary") {
            Some(inner) => (inner, Path::root().key("summary")),
            None => (json, Path::root()),
        };
        let expected = "a summary, as `toolgauge check --summary <file>` writes it";
        let Some(version) = json.get("version") else {
            return Err(Error::invalid_input(place, expected, json.describe()));
        };
        if version != Json::Number(Number::Unsigned(VERSION)) {
            let place = place.key("version");
            return Err(Error::invalid_input(place, "1", version.describe()));
        }
        let text = serde_json::to_vec(&json).unwrap_or_default();
        let mut read: Self = serde_json::from_slice(&text).map_err(|error| {
            let reason = error.to_string();
            let reason = reason.split(" at line").next().unwrap_or_default();
            Error::invalid_input(place, expected, reason)
        })?;
        read.settle();
        read.settle_trials();
        Ok(read)
    }

    /// Merges the summaries in a list, or returns the only one.
    ///
    /// # Errors
    /// As [`CheckSummary::read`].
    pub fn merged(json: Json<'_>) -> Result<Self> {
        let Some(items) = json.items() else {
            return Self::read(json);
        };
        let mut sum = Self::default();
        for (at, item) in items.iter().enumerate() {
            let one = Self::read(*item).map_err(|error| error.inside(&Path::root().index(at)))?;
            sum.merge(&one);
        }
        sum.settle_trials();
        Ok(sum)
    }

    /// Counts a document that was read with this many warnings.
    pub fn add_document(&mut self, warnings: usize) {
        self.documents += 1;
        self.warnings += warnings as u64;
    }

    /// Counts a document that could not be read.
    pub fn add_unread(&mut self) {
        self.documents += 1;
        self.unread += 1;
    }

    /// Adds the report on one trajectory of the document at `place`, which was read from `format`. When all are
    /// added, [`CheckSummary::settle_trials`] is to be called.
    pub fn add(
        &mut self,
        place: Place<'_>,
        trajectory: &Trajectory<'_>,
        report: &TrajectoryReport,
        format: TrajectoryFormat,
    ) {
        self.trajectories += 1;
        self.valid += u64::from(report.valid);
        self.passed += u64::from(report.passed);
        self.clean += u64::from(report.issues().next().is_none());
        self.with_tools += u64::from(report.has_tools);
        self.turns += report.turns as u64;
        self.calls += report.calls as u64;
        *self.formats.entry(format.label().to_owned()).or_default() += 1;
        let has_text = |turn: &&Turn<'_>| !turn.content.trim_ascii().is_empty();
        self.texts += trajectory.turns.iter().filter(has_text).count() as u64;
        for call in trajectory.calls() {
            self.results += u64::from(!call.is_unanswered());
            let tool = self.tool(call.name);
            tool.calls += 1;
            let has_failed = match report.judges_results {
                true => matches!(outcome_of(call), Outcome::Error(_)),
                false => call.error.is_some(),
            };
            tool.errors += u64::from(has_failed);
        }
        for issue in report.issues() {
            self.issues += 1;
            *count(&mut self.issues_by_type, issue.kind.label()) += 1;
            *self.issues_by_severity.entry(issue.severity).or_default() += 1;
            *self.known_by_severity.entry(issue.severity).or_default() += u64::from(issue.known);
            self.tool(issue.tool).issues += 1;
        }
        self.ignored += report.ignored as u64;
        for reason in &report.unjudged {
            *count(&mut self.unjudged, reason.label()) += 1;
        }
        if let Some(score) = report.score {
            self.scores.add(score);
        }
        self.tasks.add(&trial_of(
            place,
            (report.index, report.id.as_deref(), &report.task),
            (report.passed, report.score),
        ));
        self.settle();
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

    /// Adds the totals of other trajectories. When all are added, [`CheckSummary::settle_trials`] is to be
    /// called.
    pub fn merge(&mut self, other: &Self) {
        let sums = [
            (&mut self.documents, other.documents),
            (&mut self.unread, other.unread),
            (&mut self.trajectories, other.trajectories),
            (&mut self.valid, other.valid),
            (&mut self.passed, other.passed),
            (&mut self.clean, other.clean),
            (&mut self.with_tools, other.with_tools),
            (&mut self.turns, other.turns),
            (&mut self.calls, other.calls),
            (&mut self.results, other.results),
            (&mut self.texts, other.texts),
            (&mut self.issues, other.issues),
            (&mut self.warnings, other.warnings),
            (&mut self.ignored, other.ignored),
        ];
        for (sum, more) in sums {
            *sum = sum.saturating_add(more);
        }
        add_counts(&mut self.issues_by_type, &other.issues_by_type);
        add_counts(&mut self.issues_by_severity, &other.issues_by_severity);
        add_counts(&mut self.known_by_severity, &other.known_by_severity);
        add_counts(&mut self.formats, &other.formats);
        add_counts(&mut self.unjudged, &other.unjudged);
        for (name, more) in &other.tools {
            *self.tools.entry(name.clone()).or_default() += *more;
        }
        self.scores += other.scores;
        self.tasks.merge(&other.tasks);
        self.settle();
    }

    /// Checks whether the totals pass.
    pub fn gate(&self, options: &GateOptions) -> Gate {
        let counts = self.issues_by_severity.iter();
        let counts = counts.map(|(severity, count)| {
            let known = self.known_by_severity.get(severity);
            let known = known.copied().unwrap_or_default();
            (*severity, count.saturating_sub(known))
        });
        let has_known = self.known_by_severity.values().any(|count| *count > 0);
        let noun = match has_known || options.baseline_score.is_some() {
            true => "new issue",
            false => "issue",
        };
        let by_passes = options
            .pass
            .failures(self.passed, self.trajectories, &self.tasks);
        let by_issues = issue_failure(options.fail_on, noun, counts);
        let by_issues = by_issues.filter(|_| !options.pass.is_given());
        let by_score = score_failure(self.score, options.least_score());
        let is_empty = self.calls == 0 && by_score.is_none() && !options.allow_empty;
        let by_emptiness = is_empty.then(|| "no tools were called".to_owned());
        let by_reading = unread_failure(self.unread, self.documents, options.allow_errors);
        Gate::of(
            by_reading
                .into_iter()
                .chain(by_issues)
                .chain(by_passes)
                .chain(by_score)
                .chain(by_emptiness)
                .collect(),
        )
    }

    fn tool(&mut self, name: Option<&str>) -> &mut ToolTally {
        let name = start_of(name.unwrap_or_default(), LONGEST_NAME);
        if !self.tools.contains_key(name) {
            self.tools.insert(name.to_owned(), ToolTally::default());
        }
        self.tools.get_mut(name).expect("just inserted")
    }

    fn settle(&mut self) {
        self.score = self.scores.mean();
    }
}

impl AddAssign for ToolTally {
    fn add_assign(&mut self, more: Self) {
        self.calls = self.calls.saturating_add(more.calls);
        self.errors = self.errors.saturating_add(more.errors);
        self.issues = self.issues.saturating_add(more.issues);
    }
}

impl AddAssign for ScoreTally {
    fn add_assign(&mut self, more: Self) {
        self.count = self.count.saturating_add(more.count);
        self.thousandths = self.thousandths.saturating_add(more.thousandths);
        for (sum, more) in self.histogram.iter_mut().zip(more.histogram) {
            *sum = sum.saturating_add(more);
        }
    }
}

impl ScoreTally {
    /// Adds a score from 0 to 1, rounded to 3 decimals by [`round`].
    pub fn add(&mut self, score: f64) {
        let thousandths = (round(score) * 1000.0).round() as u64;
        let last = self.histogram.len() - 1;
        self.count += 1;
        self.thousandths += thousandths;
        self.histogram[((thousandths / 100) as usize).min(last)] += 1;
    }

    /// Returns the mean to 3 decimals, or `None` without scores. It is 1 only if all scores are 1.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| {
            let (sum, count) = (u128::from(self.thousandths), u128::from(self.count));
            let rounded = (sum * 2 + count) / (count * 2);
            match sum < count * 1000 {
                true => rounded.min(999) as f64 / 1000.0,
                false => rounded as f64 / 1000.0,
            }
        })
    }
}

/// Returns a trajectory of the document at `place` as a trial: its position, id and task, whether it passes, and its
/// score.
pub(super) fn trial_of<'t>(
    place: Place<'_>,
    (index, id, task): (usize, Option<&'t str>, &'t TaskName),
    (passed, score): (bool, Option<f64>),
) -> Trial<'t> {
    Trial {
        task: task.name(id),
        passed,
        score,
        place: TrialPlace {
            source: place.source.map(str::to_owned),
            line: place.line,
            ..TrialPlace::in_document(index, id, task)
        },
    }
}

fn none_of_each() -> BTreeMap<Severity, u64> {
    Severity::ALL.map(|severity| (severity, 0)).into()
}

pub(super) fn count<'m>(counts: &'m mut BTreeMap<String, u64>, key: &str) -> &'m mut u64 {
    if !counts.contains_key(key) {
        counts.insert(key.to_owned(), 0);
    }
    counts.get_mut(key).expect("just inserted")
}

pub(super) fn add_counts<Key: Ord + Clone>(
    sums: &mut BTreeMap<Key, u64>,
    more: &BTreeMap<Key, u64>,
) {
    for (key, more) in more {
        let sum = sums.entry(key.clone()).or_default();
        *sum = sum.saturating_add(*more);
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;
    use proptest::prelude::*;

    use super::*;
    use crate::batch::{CheckedDocument, Chunk, Content, LineShape, each_document};
    use crate::check::{CheckOptions, Checker};
    use toolgauge_base::gate::{FailOn, PassGate};
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Limits, Reader};
    use toolgauge_schema::{ToolCache, ToolSet};

    /// Returns the totals over `lines`.
    fn summary_of(lines: &str) -> CheckSummary {
        summary_from(1, lines)
    }

    /// Returns the totals over `lines`, the first of which has this number.
    fn summary_from(line: usize, lines: &str) -> CheckSummary {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let mut summary = CheckSummary::default();
        let (options, mut carried) = (CheckOptions::default(), ToolCache::new());
        let tools = ToolSet::not_given();
        let mut checker = Checker::new(&tools, &options, &mut carried, reader);
        let text = arena.alloc_str(lines).as_bytes();
        let chunk = Chunk {
            shape: LineShape::Lines,
            source: None,
            line,
            content: Content::Bytes(text),
        };
        each_document(&chunk, reader, |place, json| {
            CheckedDocument::check(place, json, &mut checker).add_to(&mut summary);
        });
        summary.settle_trials();
        summary
    }

    fn read(text: &str) -> Result<CheckSummary> {
        CheckSummary::read(arena_json(&Bump::new(), text))
    }

    /// Generates a line of JSON Lines: a trajectory with some calls, several trajectories, or something
    /// unreadable.
    fn any_line() -> impl Strategy<Value = String> {
        let call = prop_oneof![
            Just(r#"{"name":"find","arguments":{},"result":{"id":"A-1"}}"#),
            Just(r#"{"name":"find","arguments":{}}"#),
            Just(r#"{"name":"find","result":1}"#),
            Just(r#"{"arguments":{},"result":1}"#),
            Just(r#"{"name":"send","arguments":{"to":"kim@example.org"},"error":"no network"}"#),
        ];
        let name = prop_oneof![
            Just(""),
            Just(r#""trajectory_id":"a","#),
            Just(r#""trajectory_id":"b","#),
            Just(r#""trajectory_id":"run","task_id":"a","#),
        ];
        let trajectory = (prop::collection::vec(call, 0..4), name).prop_map(|(calls, name)| {
            let calls = calls.join(",");
            format!(
                r#"{{{name}"turns":[{{"role":"agent","content":"It is B-2.","tool_calls":[{calls}]}}]}}"#
            )
        });
        prop_oneof![
            6 => trajectory.clone(),
            1 => prop::collection::vec(trajectory, 1..3).prop_map(|all| format!("[{}]", all.join(","))),
            1 => Just("{\"turns\":".to_owned()),
            1 => Just("{\"unknown\":1}".to_owned()),
            1 => Just(String::new()),
        ]
    }

    proptest! {
        #[test]
        fn any_split_in_any_order_gives_the_totals_of_the_whole(
            lines in prop::collection::vec(any_line(), 0..12),
            parts in prop::collection::vec(0..4_usize, 12),
        ) {
            let whole = summary_of(&lines.join("\n"));
            let mut summaries = vec![CheckSummary::default(); 4];
            for (at, (line, part)) in lines.iter().zip(&parts).enumerate().rev() {
                summaries[*part].merge(&summary_from(at + 1, line));
            }
            let mut sum = CheckSummary::default();
            for summary in summaries.iter().rev() {
                sum.merge(summary);
            }
            sum.settle_trials();
            prop_assert_eq!(&sum, &whole);
            let mut left = summaries[0].clone();
            left.merge(&summaries[1]);
            let mut right = summaries[2].clone();
            right.merge(&summaries[3]);
            right.merge(&left);
            right.settle_trials();
            prop_assert_eq!(&right, &whole);
        }

        #[test]
        fn a_written_summary_can_be_read_back(lines in prop::collection::vec(any_line(), 0..6)) {
            let summary = summary_of(&lines.join("\n"));
            let text = serde_json::to_string(&summary).expect("plain data");
            prop_assert_eq!(read(&text).expect("a summary"), summary.clone());
            prop_assert_eq!(read(&format!("{{\"summary\":{text}}}")).expect("a summary"), summary);
        }

        #[test]
        fn the_mean_is_the_rounded_mean_of_the_scores(scores in prop::collection::vec(0..=1000_u32, 1..200)) {
            let mut tally = ScoreTally::default();
            for score in &scores {
                tally.add(f64::from(*score) / 1000.0);
            }
            let mean = scores.iter().map(|score| f64::from(*score)).sum::<f64>() / scores.len() as f64;
            let found = tally.mean().expect("a mean") * 1000.0;
            let is_nearly_perfect = found == 999.0 && (999.0..1000.0).contains(&mean);
            prop_assert!(is_nearly_perfect || (found - mean).abs() <= 0.5 + 1e-9, "{found} {mean}");
            prop_assert_eq!(found == 1000.0, mean == 1000.0);
            prop_assert_eq!(tally.histogram.iter().sum::<u64>(), scores.len() as u64);
        }
    }

    #[test]
    fn totals_count_calls_errors_and_issues_per_tool() {
        let summary = summary_of(concat!(
            r#"{"turns":[{"role":"agent","tool_calls":[{"name":"a","arguments":{},"result":1},{"name":"a","arguments":{},"error":"no"},{"name":"b"}]}]}"#,
            "\n\n{\"turns\":[]}\n{"
        ));
        assert_eq!(
            (summary.documents, summary.unread, summary.trajectories),
            (3, 1, 2)
        );
        assert_eq!((summary.calls, summary.passed, summary.clean), (3, 1, 1));
        assert_eq!((summary.results, summary.texts), (2, 0));
        let tool = |name: &str| {
            let tool = summary.tools[name];
            (tool.calls, tool.errors, tool.issues)
        };
        assert_eq!(tool("a"), (2, 1, 1));
        assert_eq!(tool("b"), (1, 0, 2));
        assert_eq!(summary.formats, [("harness".to_owned(), 2)].into());
        assert_eq!(summary.issues_by_type["missing_arguments"], 1);
        assert_eq!(summary.issues, 3);
        assert_eq!((summary.scores.count, summary.score), (1, Some(0.0)));
        assert_eq!(summary.scores.histogram[0], 1);
    }

    #[test]
    fn a_perfect_score_has_a_bar_of_its_own() {
        let mut tally = ScoreTally::default();
        for score in [1.0, 0.999, 0.3, 0.29, 0.0] {
            tally.add(score);
        }
        assert_eq!(tally.histogram, [1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1]);
    }

    #[test]
    fn the_gate_gives_its_reasons() {
        let failures =
            |lines: &str, options: GateOptions| summary_of(lines).gate(&options).failures;
        let default = GateOptions::default();
        let bad = r#"{"turns":[{"role":"agent","tool_calls":[{"name":"b"}]}]}"#;
        assert_eq!(failures(bad, default.clone()), ["1 issue is high or worse"]);
        let lenient = GateOptions {
            fail_on: FailOn::Never,
            ..default
        };
        assert!(failures(bad, lenient.clone()).is_empty());
        let scored = GateOptions {
            min_score: Some(0.5),
            ..lenient.clone()
        };
        assert_eq!(failures(bad, scored), ["the score 0.3 is below 0.5"]);
        let empty = "{\"turns\":[]}";
        assert_eq!(failures(empty, lenient.clone()), ["no tools were called"]);
        let allowed = GateOptions {
            allow_empty: true,
            ..lenient
        };
        assert!(failures(empty, allowed).is_empty());
    }

    #[test]
    fn the_gate_fails_if_documents_could_not_be_read() {
        let good = r#"{"turns":[{"role":"user","content":"Hi"},{"role":"agent","content":" ","tool_calls":[{"name":"a","arguments":{},"result":1}]}]}"#;
        let summary = summary_of(&format!("{good}\n{{\"unknown\":1}}\n"));
        assert_eq!((summary.results, summary.texts), (1, 1));
        let failures = |allow_errors| {
            let options = GateOptions {
                allow_errors,
                ..GateOptions::default()
            };
            summary.gate(&options).failures
        };
        assert_eq!(failures(false), ["1 of 2 documents could not be read"]);
        assert!(failures(true).is_empty());
    }

    #[test]
    fn trajectories_of_one_task_are_its_trials() {
        let run = |id: &str, call: &str| {
            format!(
                r#"{{"trajectory_id":"{id}","turns":[{{"role":"agent","tool_calls":[{call}]}}]}}"#
            )
        };
        let (good, bad) = (
            r#"{"name":"f","arguments":{},"result":1}"#,
            r#"{"name":"f"}"#,
        );
        let once = summary_of(&[run("a", good), run("b", bad)].join("\n"));
        assert_eq!(once.trials, None);
        let twice = summary_of(&[run("a", good), run("b", bad), run("a", bad)].join("\n"));
        let trials = twice.trials.as_ref().expect("trials");
        assert_eq!((trials.tasks, trials.trials, trials.passed), (2, 3, 1));
        let worst: Vec<_> = trials.worst.iter().map(|task| task.task.as_str()).collect();
        assert_eq!(worst, ["a"]);
        assert_eq!(trials.worst[0].worst.place.line, Some(3));

        let gate = |rate, k: u64, hat| {
            let options = GateOptions {
                pass: PassGate {
                    min_pass_rate: Some(rate),
                    min_pass_hat: [(k, hat)].into(),
                },
                ..GateOptions::default()
            };
            twice.gate(&options).failures
        };
        assert!(gate(0.3, 2, 0.0).is_empty());
        assert_eq!(
            gate(0.5, 2, 0.5),
            [
                "the share of passes 0.333 (1 of 3) is below 0.5",
                "pass^2 0 is below 0.5"
            ]
        );
    }

    #[test]
    fn summaries_from_before_there_were_trials_are_read() {
        let mut summary = summary_of(r#"{"turns":[{"role":"agent","tool_calls":[{"name":"f"}]}]}"#);
        summary.finish(false);
        let text = serde_json::to_string(&summary).expect("plain data");
        assert!(
            !text.contains("tasks") && !text.contains("trials"),
            "{text}"
        );
        assert_eq!(read(&text).expect("a summary"), summary);
    }

    #[test]
    fn anything_but_a_summary_is_rejected() {
        let failure = |text: &str| read(text).expect_err("no summary").to_string();
        assert!(
            failure("[]").starts_with("expected a summary"),
            "{}",
            failure("[]")
        );
        assert!(failure("{\"turns\":[]}").contains("--summary"));
        assert!(failure("{\"version\":2}").starts_with("version: expected 1"));
        assert!(failure("{\"summary\":{\"version\":1}}").starts_with("summary: "));
        let negative = serde_json::to_string(&CheckSummary::default()).expect("plain data");
        let negative = negative.replace("\"calls\":0", "\"calls\":-1");
        assert!(failure(&negative).contains("-1"), "{}", failure(&negative));
    }

    #[test]
    fn forged_counts_do_not_overflow() {
        let mut most = CheckSummary {
            trajectories: u64::MAX,
            ..CheckSummary::default()
        };
        most.scores = ScoreTally {
            count: u64::MAX,
            thousandths: u64::MAX,
            histogram: [u64::MAX; 11],
        };
        let other = most.clone();
        most.merge(&other);
        assert_eq!((most.trajectories, most.score), (u64::MAX, Some(0.001)));
    }

    #[test]
    fn long_tool_names_are_cut() {
        let name = "ü".repeat(300);
        let line =
            format!(r#"{{"turns":[{{"role":"agent","tool_calls":[{{"name":"{name}"}}]}}]}}"#);
        let summary = summary_of(&line);
        assert_eq!(
            summary.tools.keys().next().map(|name| name.chars().count()),
            Some(128)
        );
    }
}
