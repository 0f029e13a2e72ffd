//! A run: the trials of each task, counted. Runs that were read in parts can be merged in any order.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::trial::Trial;
use crate::batch::Place;
use toolgauge_base::issue::Severity;

/// The trials of each task of a run. It grows with the number of tasks and of their different issues, not with the number
/// of trials.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    #[serde(with = "entries")]
    pub(super) tasks: BTreeMap<TaskKey, TaskTrials>,
    /// How many trials there are.
    pub trials: u64,
    /// How many documents there are, unreadable ones included.
    pub documents: u64,
    /// How many documents could not be read.
    pub unread: u64,
    /// How many trials do not have the field that the option `taskKey` names.
    pub without_key: u64,
    /// Where verdicts come from.
    pub(super) measures: BTreeSet<Measure>,
    /// How many trajectories were checked or scored, instead of read as verdicts.
    pub(super) measured: u64,
}

/// Where passing, scores and issues come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// From a check.
    Check,
    /// From a comparison with expected calls.
    Score,
}

/// The identity of a task.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum TaskKey {
    /// Its name.
    Named(String),
    /// The place of its only trajectory, which names no task.
    At {
        /// The name of its file.
        file: String,
        /// The line of its document, from 1.
        line: Option<usize>,
        /// Its position in its document, from 0.
        index: usize,
    },
}

/// The trials of one task.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct TaskTrials {
    pub trials: u64,
    pub passes: u64,
    /// How many of them have a score.
    pub scored: u64,
    /// The sum of their scores in thousandths.
    pub thousandths: u64,
    #[serde(with = "entries")]
    pub issues: BTreeMap<IssueKey, IssueTrials>,
}

/// The identity of an issue within a task.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct IssueKey {
    /// Its type.
    pub kind: String,
    /// The name of its tool; empty if there is none.
    pub tool: String,
}

impl IssueKey {
    /// Creates the identity of an issue of this type, about this tool.
    pub fn new(kind: &str, tool: Option<&str>) -> Self {
        Self {
            kind: kind.to_owned(),
            tool: tool.unwrap_or_default().to_owned(),
        }
    }
}

/// The trials that have an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct IssueTrials {
    pub trials: u64,
    /// Its worst severity.
    pub severity: Option<Severity>,
}

impl Run {
    /// Counts a trial, whose document is at `place`.
    pub fn add(&mut self, place: Place<'_>, trial: Trial) {
        self.trials += 1;
        self.without_key += u64::from(!trial.has_key);
        self.measures.insert(trial.measure);
        let key = match trial.task {
            Some(task) => TaskKey::Named(task),
            None => TaskKey::At {
                file: place.source.unwrap_or_default().to_owned(),
                line: place.line,
                index: trial.index,
            },
        };
        let mut issues = BTreeMap::new();
        for issue in trial.issues {
            let worst = issues.entry(issue.key).or_insert(issue.severity);
            *worst = (*worst).max(issue.severity);
        }
        let with_issue = |(key, severity)| {
            (
                key,
                IssueTrials {
                    trials: 1,
                    severity,
                },
            )
        };
        self.tasks.entry(key).or_default().merge(TaskTrials {
            trials: 1,
            passes: u64::from(trial.passed),
            scored: u64::from(trial.score.is_some()),
            thousandths: (trial.score.unwrap_or_default() * 1000.0).round() as u64,
            issues: issues.into_iter().map(with_issue).collect(),
        });
    }

    /// Adds another part of this run.
    pub fn merge(&mut self, other: Self) {
        for (key, trials) in other.tasks {
            self.tasks.entry(key).or_default().merge(trials);
        }
        self.trials += other.trials;
        self.documents += other.documents;
        self.unread += other.unread;
        self.without_key += other.without_key;
        self.measures.extend(other.measures);
        self.measured += other.measured;
    }

    /// Returns the tasks by the names that the two runs have in common: a task without a name is called by its place below
    /// the folder that all such tasks share.
    pub(super) fn by_name(&self) -> BTreeMap<String, &TaskTrials> {
        let files = self.tasks.keys().filter_map(|key| match key {
            TaskKey::At { file, .. } => Some(file.as_str()),
            TaskKey::Named(_) => None,
        });
        let shared = shared_folder(files);
        let name = |key: &TaskKey| match key {
            TaskKey::Named(name) => name.clone(),
            TaskKey::At { file, line, index } => place_name(&file[shared..], *line, *index),
        };
        let tasks = self.tasks.iter();
        tasks.map(|(key, trials)| (name(key), trials)).collect()
    }
}

/// Returns the length of what all `files` begin with: a whole name, or folders.
fn shared_folder<'f>(mut files: impl Iterator<Item = &'f str>) -> usize {
    let Some(first) = files.next() else {
        return 0;
    };
    files.fold(first.len(), |shared, file| {
        let same = first[..shared].chars().zip(file.chars());
        let same = same.take_while(|(one, other)| one == other);
        let same: usize = same.map(|(one, _)| one.len_utf8()).sum();
        match same == first.len() && same == file.len() {
            true => same,
            false => first[..same].rfind(['/', '\\']).map_or(0, |at| at + 1),
        }
    })
}

/// Returns the name of a task that has none: `a.jsonl line 7`, `#3`.
fn place_name(file: &str, line: Option<usize>, index: usize) -> String {
    let file = Some(file.to_owned()).filter(|file| !file.is_empty());
    let line = line.map(|line| format!("line {line}"));
    let is_first = index == 0 && line.is_some();
    let index = Some(format!("#{index}")).filter(|_| !is_first);
    let parts = file.into_iter().chain(line).chain(index);
    parts.collect::<Vec<_>>().join(" ")
}

impl TaskTrials {
    fn merge(&mut self, other: Self) {
        self.trials += other.trials;
        self.passes += other.passes;
        self.scored += other.scored;
        self.thousandths += other.thousandths;
        for (key, more) in other.issues {
            let known = self.issues.entry(key).or_insert(IssueTrials {
                trials: 0,
                severity: None,
            });
            known.trials += more.trials;
            known.severity = known.severity.max(more.severity);
        }
    }

    /// Returns the share of trials that pass.
    pub fn pass_rate(&self) -> f64 {
        self.passes as f64 / self.trials as f64
    }

    /// Returns the mean score; `None` if no trial has one.
    pub fn score(&self) -> Option<f64> {
        (self.scored > 0).then(|| self.thousandths as f64 / (1000 * self.scored) as f64)
    }

    /// Whether some trials pass and some fail.
    pub fn is_flaky(&self) -> bool {
        self.passes > 0 && self.passes < self.trials
    }
}

/// Maps as lists of pairs, because keys of JSON objects are text.
mod entries {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<K: Serialize, V: Serialize, S: Serializer>(
        map: &BTreeMap<K, V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub fn deserialize<'de, K, V, D>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
    where
        K: Deserialize<'de> + Ord,
        V: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        let pairs = Vec::<(K, V)>::deserialize(deserializer)?;
        Ok(pairs.into_iter().collect())
    }
}
