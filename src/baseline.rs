//! Remembers the issues of an earlier check, so that a later one fails only for new ones.

use std::collections::HashMap;

use crate::finding::{Finding, TrajectoryReport};
use toolgauge_base::fingerprint::fingerprint;
use toolgauge_base::gate::mean;
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path};

/// The number of occurrences of each issue, by its fingerprint.
type Counts = HashMap<u64, u32, foldhash::fast::FixedState>;

/// The expected form of a baseline, for errors.
const EXPECTED: &str = "a report, as `toolgauge check --format json` or `jsonl` writes it";

/// The issues and the score of an earlier check.
///
/// An issue is identified by its trajectory, its type, its tool and its path in the arguments or the
/// result, but not by values, because two runs of an agent are never the same. A trajectory is identified by
/// its id or, without one, by its position in the input. If several issues have the same identity, as many
/// are known as the trajectory had.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Baseline {
    /// The number of occurrences of each issue in its trajectory.
    issues: Counts,
    /// The mean score of its trajectories.
    score: Option<f64>,
}

impl Baseline {
    /// Reads the baseline from the report of an earlier check: `{results}`, `{trajectories}`, a list of
    /// verdicts, or a single verdict.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if `report` is not such a report.
    pub fn read(report: Json<'_>) -> Result<Self> {
        let (place, verdicts) = match report.get("index").is_some() {
            true => (Path::root(), vec![report]),
            false => verdicts_of(report)?,
        };
        let mut reading = Reading::default();
        for (at, verdict) in verdicts.into_iter().enumerate() {
            let place = place.clone().index(at);
            let added = reading.add(verdict);
            added.map_err(|error| error.inside(&place))?;
        }
        let Reading { issues, scores } = reading;
        let score = mean(scores.into_iter());
        Ok(Self { issues, score })
    }

    /// Returns the mean score, from 0 to 1, to 3 decimals; `None` if no tools were called.
    pub fn score(&self) -> Option<f64> {
        self.score
    }

    /// Marks the issues of a trajectory that the baseline contains.
    pub fn mark(&self, source: Option<&str>, line: Option<usize>, report: &mut TrajectoryReport) {
        let trajectory = trajectory_key(report.id.as_deref(), source, line, report.index as u64);
        let mut seen = Counts::default();
        let mut is_known = |finding: Finding<'_>| {
            let key = issue_key(
                trajectory,
                finding.kind.label(),
                finding.tool.unwrap_or_default(),
                finding.path,
            );
            let seen = seen.entry(key).or_default();
            *seen += 1;
            self.issues.get(&key).is_some_and(|known| *seen <= *known)
        };
        let results = report.results.iter_mut();
        for issue in results.flat_map(|result| &mut result.issues) {
            issue.known = is_known(Finding::call(issue));
        }
        for issue in &mut report.result_issues {
            issue.known = is_known(Finding::result(issue));
        }
        for issue in &mut report.reflection_issues {
            issue.known = is_known(Finding::reflection(issue));
        }
    }
}

#[derive(Default)]
struct Reading {
    issues: Counts,
    scores: Vec<f64>,
}

impl Reading {
    /// Adds the verdict on a trajectory. Documents that could not be read add nothing.
    fn add(&mut self, verdict: Json<'_>) -> Result<()> {
        if verdict.get("error").is_some() {
            return Ok(());
        }
        let text = |key: &str| verdict.get(key).and_then(Json::as_str);
        let results = verdict.get("results").and_then(Json::items);
        let (Some(results), Some(index)) = (results, number(verdict.get("index"))) else {
            return Err(Error::invalid_input(
                Path::root(),
                EXPECTED,
                verdict.describe(),
            ));
        };
        let line = number(verdict.get("line")).map(|line| line as usize);
        let trajectory = trajectory_key(text("id"), text("source"), line, index as u64);
        if let Some(Json::Number(score)) = verdict.get("score") {
            self.scores.push(score.as_f64());
        }
        let further = ["malformedResults", "resultIssues", "reflectionIssues"];
        let further = further.map(|key| verdict.get(key).and_then(Json::items));
        let issues = results.iter().filter_map(|result| result.get("issues"));
        let issues = issues.filter_map(Json::items).flatten();
        let mut counts = Counts::default();
        for issue in issues.chain(further.into_iter().flatten().flatten()) {
            let text = |key: &str| issue.get(key).and_then(Json::as_str).unwrap_or_default();
            let key = issue_key(trajectory, text("type"), text("toolName"), path_of(*issue));
            *counts.entry(key).or_default() += 1;
        }
        for (key, count) in counts {
            let most = self.issues.entry(key).or_default();
            *most = (*most).max(count);
        }
        Ok(())
    }
}

/// Returns the verdicts of a report, with their path.
fn verdicts_of(report: Json<'_>) -> Result<(Path, Vec<Json<'_>>)> {
    let inner = ["results", "trajectories"];
    let inner = inner
        .iter()
        .find_map(|key| Some((Path::root().key(key), report.get(key)?)));
    let (place, list) = inner.unwrap_or((Path::root(), report));
    match list.items() {
        Some(verdicts) => Ok((place, verdicts.to_vec())),
        None => Err(Error::invalid_input(place, EXPECTED, list.describe())),
    }
}

/// Returns the path of an issue in the form of [`Found`].
fn path_of<'a>(issue: Json<'a>) -> &'a str {
    let details = issue.get("details").unwrap_or(Json::Null);
    let violation = details.get("violations").and_then(Json::items);
    let violation = violation.and_then(|violations| violations.first());
    let path = violation.unwrap_or(&details).get("path");
    path.and_then(Json::as_str).unwrap_or_default()
}

fn number(json: Option<Json<'_>>) -> Option<f64> {
    match json? {
        Json::Number(number) => Some(number.as_f64()),
        _ => None,
    }
}

fn trajectory_key(id: Option<&str>, source: Option<&str>, line: Option<usize>, index: u64) -> u64 {
    match id.filter(|id| !id.is_empty()) {
        Some(id) => fingerprint(&["id", id]),
        None => {
            let line = line.unwrap_or_default().to_string();
            let index = index.to_string();
            fingerprint(&["place", source.unwrap_or_default(), &line, &index])
        }
    }
}

fn issue_key(trajectory: u64, kind: &str, tool: &str, path: &str) -> u64 {
    fingerprint(&[&trajectory.to_string(), kind, tool, path])
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::check::{CheckOptions, Checker};
    use toolgauge_formats::import_trajectories;
    use toolgauge_model::{Limits, Reader};
    use toolgauge_schema::{ToolCache, ToolSet};

    fn reports(trajectories: &str) -> Vec<TrajectoryReport> {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let json = reader.read_text(arena.alloc_str(trajectories));
        let mut imported = import_trajectories(json.expect("JSON"), None, reader).expect("known");
        let (options, tools) = (CheckOptions::default(), ToolSet::default());
        let mut carried = ToolCache::new();
        let mut checker = Checker::new(&tools, &options, &mut carried, reader);
        checker.check(&mut imported, None).expect("reports")
    }

    fn baseline(report: &serde_json::Value) -> Result<Baseline> {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let text = arena.alloc_str(&report.to_string());
        Baseline::read(reader.read_text(text).expect("JSON"))
    }

    /// Generates a trajectory with this many calls without a name.
    fn nameless(id: &str, calls: usize) -> String {
        let calls = vec![r#"{"name": "", "arguments": {}, "result": 1}"#; calls].join(",");
        format!(
            r#"{{"trajectory_id": "{id}", "turns": [{{"turn_id": 1, "role": "agent", "content": "", "tool_calls": [{calls}]}}]}}"#
        )
    }

    fn known(baseline: &Baseline, report: &mut TrajectoryReport) -> Vec<bool> {
        baseline.mark(None, None, report);
        report.issues().map(|issue| issue.known).collect()
    }

    #[test]
    fn as_many_equal_issues_are_known_as_before() {
        let before = reports(&nameless("a", 1));
        let count = before[0].issues().count();
        assert!(count > 0);
        let before = baseline(&serde_json::json!({ "results": before })).expect("a report");
        let same = known(&before, &mut reports(&nameless("a", 1))[0]);
        assert_eq!(same, vec![true; count]);
        let mut more = reports(&nameless("a", 3)).remove(0);
        let more = known(&before, &mut more);
        assert_eq!(
            more.iter().filter(|known| **known).count(),
            count,
            "{more:?}"
        );
        let other = known(&before, &mut reports(&nameless("b", 1))[0]);
        assert_eq!(other, vec![false; count]);
    }

    #[test]
    fn the_order_of_the_baseline_does_not_matter() {
        let list = format!(
            "[{}, {}, {}]",
            nameless("a", 2),
            nameless("a", 1),
            nameless("b", 1)
        );
        let mut reports = reports(&list);
        let forwards = baseline(&serde_json::json!(reports)).expect("a list");
        reports.reverse();
        let backwards =
            baseline(&serde_json::json!({ "trajectories": reports })).expect("a report");
        assert_eq!(forwards, backwards);
    }

    #[test]
    fn invalid_reports_are_rejected_with_their_path() {
        let error = |json| baseline(&json).expect_err("no report").to_string();
        assert!(error(serde_json::json!({ "results": 1 })).starts_with("results: "));
        assert!(error(serde_json::json!([{ "index": 0 }])).starts_with("[0]: "));
        assert!(error(serde_json::json!("x")).contains("toolgauge check --format json"));
        let unread = serde_json::json!([{ "line": 3, "error": { "code": "invalid_json" } }]);
        assert_eq!(
            baseline(&unread).expect("nothing to add"),
            Baseline::default()
        );
    }
}
