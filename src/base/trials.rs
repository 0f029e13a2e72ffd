//! Trials: several runs of one task. Counts per task that merge exactly, and what follows from them: pass@k,
//! pass^k, the spread of the scores, and flaky tasks.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::fingerprint::fingerprint;
use crate::issue::round;
use toolgauge_model::{Json, Preview, Trajectory};

/// The most tasks that are counted one by one.
pub const MOST_TASKS: usize = 4_000;

/// The most tasks that are counted one by one if nobody asks for tasks: so few that they cost hardly any memory, and
/// hardly any work where a summary is passed from chunk to chunk.
pub const FEW_TASKS: usize = 500;

/// The most tasks that [`Trials`] lists.
const MOST_LISTED: usize = 100;

/// The highest k of pass@k and pass^k that [`Trials`] lists.
const MOST_K: u64 = 10;

/// The longest name of a task that is kept as it is.
const LONGEST_NAME: usize = 128;

/// The field of a trajectory that names its task, unless another one is given.
const TASK_ID: &str = "task_id";

/// The name of the task that a trajectory belongs to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum TaskName {
    /// It is called as the trajectory, if that has an id.
    #[default]
    Id,
    /// A field names it.
    Field(String),
    /// The field that should name it is absent.
    Absent,
}

impl TaskName {
    /// Returns the task of `trajectory`: what its field `key` holds (a [`task_label`]; `metadata.task_id` looks
    /// into `metadata`). Without `key`, its field `task_id` or else its id.
    pub fn of(trajectory: &Trajectory<'_>, key: Option<&str>) -> Self {
        let field = value_at(Json::Object(trajectory.extra), key.unwrap_or(TASK_ID));
        match (field.and_then(task_label), key) {
            (Some(name), _) if trajectory.trajectory_id == Some(&name) => Self::Id,
            (Some(name), _) => Self::Field(name),
            (None, None | Some("id" | "trajectory_id")) => Self::Id,
            (None, Some(_)) => Self::Absent,
        }
    }

    /// Returns the name, for a trajectory with this `id`.
    pub fn name<'n>(&'n self, id: Option<&'n str>) -> Option<&'n str> {
        match self {
            Self::Id => id,
            Self::Field(name) => Some(name),
            Self::Absent => None,
        }
    }

    /// Returns the name, if it is not the id.
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Field(name) => Some(name),
            Self::Id | Self::Absent => None,
        }
    }

    /// Whether no field names it.
    pub fn is_no_field(&self) -> bool {
        self.field().is_none()
    }
}

impl Serialize for TaskName {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.field().serialize(serializer)
    }
}

/// Returns the name of a task that is written as `value`: a text that is not empty, a number or a truth value.
pub fn task_label(value: Json<'_>) -> Option<String> {
    match value {
        Json::String(text) => Some(text.to_owned()).filter(|text| !text.is_empty()),
        Json::Number(_) | Json::Bool(_) => Some(Preview::of(value, LONGEST_NAME).to_string()),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}

/// Returns the value at a path of names and positions with dots between them. A name may have dots, too.
pub fn value_at<'a>(value: Json<'a>, path: &str) -> Option<Json<'a>> {
    let child = |name: &str| {
        let item = || value.items()?.get(name.parse::<usize>().ok()?).copied();
        value.get(name).or_else(item)
    };
    let rest = || {
        let (first, rest) = path.split_once('.')?;
        value_at(child(first)?, rest)
    };
    child(path).or_else(rest)
}

/// One run of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial<'t> {
    /// The task; `None` or empty if the run names none. It then is no trial.
    pub task: Option<&'t str>,
    /// Whether it passes.
    pub passed: bool,
    /// Its score, from 0 to 1; `None` if it has none.
    pub score: Option<f64>,
    /// Where it is.
    pub place: TrialPlace,
}

/// The place of a trial.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct TrialPlace {
    /// The name of its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The line of its document, from 1, if each line is a document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Its position in its document, from 0.
    pub index: usize,
    /// The id of the trajectory, if the id is not the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

impl TrialPlace {
    /// Returns the place of the trajectory at the position `index` of a document, with this `id` and task.
    pub fn in_document(index: usize, id: Option<&str>, task: &TaskName) -> Self {
        Self {
            index,
            id: id.filter(|_| task.field().is_some()).map(str::to_owned),
            ..Self::default()
        }
    }
}

/// The trial of a task that did worst.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct WorstTrial {
    /// Whether it passes nevertheless.
    pub passed: bool,
    /// Its score, from 0 to 1; `null` if it has none.
    pub score: Option<f64>,
    /// Where it is.
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub place: TrialPlace,
}

impl WorstTrial {
    /// Orders trials: failed ones first, then by score, then by place. The order of the input does not matter.
    fn rank(&self) -> (bool, u64, &TrialPlace) {
        let score = self.score.map_or(u64::MAX, thousandths);
        (self.passed, score, &self.place)
    }
}

/// Counts for one task, all of them integers. Of a task with one trial, only that trial is written.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TaskTally {
    /// The number of trials. Default 1.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u64>"))]
    pub trials: u64,
    /// How many of them pass.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u64>"))]
    pub passed: u64,
    /// How many of them have a score.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u64>"))]
    pub scored: u64,
    /// The sum of the scores in thousandths.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u64>"))]
    pub thousandths: u64,
    /// The sum of the squares of the scores in thousandths.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u64>"))]
    pub squares: u64,
    /// The trial that did worst.
    pub worst: WorstTrial,
}

/// How a [`TaskTally`] is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenTally {
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    counts: Option<WrittenCounts>,
    worst: WorstTrial,
}

#[derive(Serialize, Deserialize)]
struct WrittenCounts {
    trials: u64,
    passed: u64,
    scored: u64,
    thousandths: u64,
    squares: u64,
}

impl Serialize for TaskTally {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let counts = WrittenCounts {
            trials: self.trials,
            passed: self.passed,
            scored: self.scored,
            thousandths: self.thousandths,
            squares: self.squares,
        };
        let written = WrittenTally {
            counts: (self.trials > 1).then_some(counts),
            worst: self.worst.clone(),
        };
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for TaskTally {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let WrittenTally { counts, worst } = WrittenTally::deserialize(deserializer)?;
        let one = Self::of_one(worst);
        Ok(match counts {
            None => one,
            Some(counts) => Self {
                trials: counts.trials,
                passed: counts.passed,
                scored: counts.scored,
                thousandths: counts.thousandths,
                squares: counts.squares,
                worst: one.worst,
            },
        })
    }
}

impl TaskTally {
    fn of(trial: &Trial<'_>) -> Self {
        Self::of_one(WorstTrial {
            passed: trial.passed,
            score: trial.score.map(round),
            place: trial.place.clone(),
        })
    }

    fn of_one(worst: WorstTrial) -> Self {
        let score = worst.score.map(thousandths);
        Self {
            trials: 1,
            passed: u64::from(worst.passed),
            scored: u64::from(score.is_some()),
            thousandths: score.unwrap_or_default(),
            squares: score.map_or(0, |score| score.saturating_mul(score)),
            worst,
        }
    }

    fn add(&mut self, more: &Self) {
        let sums = [
            (&mut self.trials, more.trials),
            (&mut self.passed, more.passed),
            (&mut self.scored, more.scored),
            (&mut self.thousandths, more.thousandths),
            (&mut self.squares, more.squares),
        ];
        for (sum, more) in sums {
            *sum = sum.saturating_add(more);
        }
        if more.worst.rank() < self.worst.rank() {
            self.worst = more.worst.clone();
        }
    }

    /// Returns the mean of the scores, from 0 to 1, to 3 decimals; `None` without scores.
    pub fn score(&self) -> Option<f64> {
        (self.scored > 0).then(|| round(self.thousandths as f64 / self.scored as f64 / 1000.0))
    }

    /// Returns the standard deviation of the scores of a sample (n − 1), to 3 decimals; `None` with less than
    /// two scores.
    pub fn spread(&self) -> Option<f64> {
        self.deviation().map(round)
    }

    fn deviation(&self) -> Option<f64> {
        (self.scored > 1).then(|| {
            let (count, sum) = (u128::from(self.scored), u128::from(self.thousandths));
            let squares = u128::from(self.squares);
            let above = (count * squares).saturating_sub(sum.saturating_mul(sum));
            (above as f64 / (count * (count - 1)) as f64).sqrt() / 1000.0
        })
    }

    /// Whether some, but not all trials pass.
    pub fn is_flaky(&self) -> bool {
        self.passed > 0 && self.passed < self.trials
    }
}

/// Counts by task. Those of the parts of an input, merged in any order, are those of the whole.
///
/// At most 4,000 tasks are counted one by one: those whose hashes are the smallest. They are a random sample of all
/// tasks and always the same one. Of the others only the trials and passes are counted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Tasks {
    /// How many trajectories were looked at, with or without a task.
    pub trajectories: u64,
    /// The number of trials of all tasks.
    pub trials: u64,
    /// How many of them pass.
    pub passed: u64,
    /// The counts of at most 4,000 tasks. Of more tasks, these are a random sample, always the same one. A
    /// name with more than 128 characters is cut.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, TaskTally>"))]
    by_task: ByTask,
}

/// Counts by task, in the order of the hashes.
#[derive(Debug, Clone, Default, PartialEq)]
struct ByTask(BTreeMap<TaskKey, TaskTally>);

/// The name of a task, ordered by its hash.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct TaskKey {
    hash: u64,
    name: String,
}

impl TaskKey {
    fn of(name: &str) -> Self {
        let hash = spread(fingerprint(&[name]));
        let is_long = name.chars().nth(LONGEST_NAME).is_some();
        let start = || name.chars().take(LONGEST_NAME - 17).collect::<String>();
        let name = match is_long {
            true => format!("{}…{hash:016x}", start()),
            false => name.to_owned(),
        };
        Self { hash, name }
    }

    /// Reads the name as a summary writes it, which may be cut.
    fn written(name: String) -> Self {
        let cut = name.rsplit_once('…').filter(|(_, hash)| hash.len() == 16);
        let hash = cut.and_then(|(_, hash)| u64::from_str_radix(hash, 16).ok());
        let hash = hash.filter(|_| name.chars().count() == LONGEST_NAME);
        match hash {
            Some(hash) => Self { hash, name },
            None => Self::of(&name),
        }
    }
}

/// Mixes all bits of a hash into each bit (the last step of SplitMix64): FNV-1a hardly changes the upper bits
/// of names that differ in their last letter.
fn spread(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

impl Serialize for ByTask {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let tasks = self.0.iter().map(|(key, tally)| (&key.name, tally));
        let mut tasks: Vec<_> = tasks.collect();
        tasks.sort_unstable_by_key(|(name, _)| *name);
        serializer.collect_map(tasks)
    }
}

impl<'de> Deserialize<'de> for ByTask {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let tasks = BTreeMap::<String, TaskTally>::deserialize(deserializer)?;
        let tasks = tasks.into_iter();
        let tasks = tasks.map(|(name, tally)| (TaskKey::written(name), tally));
        Ok(Self(tasks.collect()))
    }
}

impl Tasks {
    /// Whether nothing was looked at.
    pub fn is_empty(&self) -> bool {
        self.trajectories == 0
    }

    /// Returns how many tasks are counted one by one.
    pub fn count(&self) -> usize {
        self.by_task.0.len()
    }

    /// Counts a trial, if it names its task.
    pub fn add(&mut self, trial: &Trial<'_>) {
        self.trajectories = self.trajectories.saturating_add(1);
        let Some(task) = trial.task.filter(|task| !task.is_empty()) else {
            return;
        };
        self.trials = self.trials.saturating_add(1);
        self.passed = self.passed.saturating_add(u64::from(trial.passed));
        self.put(TaskKey::of(task), TaskTally::of(trial));
    }

    /// Adds the counts of other trials.
    pub fn merge(&mut self, other: &Self) {
        self.trajectories = self.trajectories.saturating_add(other.trajectories);
        self.trials = self.trials.saturating_add(other.trials);
        self.passed = self.passed.saturating_add(other.passed);
        for (key, tally) in &other.by_task.0 {
            self.put(key.clone(), tally.clone());
        }
    }

    /// Returns what follows from the counts, as [`Tasks::trials`]. Unless they `are_wanted`, the counts are those of few
    /// tasks, and are gone afterwards.
    pub fn finish(&mut self, trajectories: u64, are_wanted: bool) -> Option<Trials> {
        if are_wanted {
            return self.trials(trajectories);
        }
        let mut few = std::mem::take(self);
        few.keep(FEW_TASKS);
        few.trials(trajectories)
    }

    /// Keeps at most so many of the tasks that are counted one by one, always the same ones.
    pub fn keep(&mut self, most: usize) {
        while self.by_task.0.len() > most {
            self.by_task.0.pop_last();
        }
    }

    fn put(&mut self, key: TaskKey, tally: TaskTally) {
        match self.by_task.0.get_mut(&key) {
            Some(known) => known.add(&tally),
            None => {
                self.by_task.0.insert(key, tally);
                self.keep(MOST_TASKS);
            }
        }
    }

    /// Returns the mean of pass@k over the tasks with at least `k` trials: the probability that at least one
    /// of `k` trials passes, from 0 to 1. `None` if no task has that many.
    pub fn pass_at(&self, k: u64) -> Option<f64> {
        self.mean_of(k, |task| {
            1.0 - share_of_draws(task.trials - task.passed, task.trials, k)
        })
    }

    /// Returns the mean of pass^k over the tasks with at least `k` trials: the probability that all of `k`
    /// trials pass, from 0 to 1. `None` if no task has that many.
    pub fn pass_hat(&self, k: u64) -> Option<f64> {
        self.mean_of(k, |task| share_of_draws(task.passed, task.trials, k))
    }

    fn mean_of(&self, k: u64, value: impl Fn(&TaskTally) -> f64) -> Option<f64> {
        let (count, sum) = self
            .with_trials(k)
            .fold((0_u32, 0.0), |(count, sum), task| {
                (count + 1, sum + value(task))
            });
        (count > 0).then(|| sum / f64::from(count))
    }

    /// Returns the tasks with at least `k` trials. Forged counts with more passes than trials are left out.
    fn with_trials(&self, k: u64) -> impl Iterator<Item = &TaskTally> {
        let tasks = self.by_task.0.values();
        tasks.filter(move |task| task.trials >= k && task.passed <= task.trials)
    }

    /// Returns what follows from the counts, for totals over this many trajectories; `None` if no task has more than
    /// one trial.
    pub fn trials(&self, trajectories: u64) -> Option<Trials> {
        let most = self.by_task.0.values().map(|task| task.trials).max();
        let most = most.filter(|most| *most > 1)?;
        let count = |is: fn(&TaskTally) -> bool| {
            let tasks = self.by_task.0.values();
            tasks.filter(|task| is(task)).count() as u64
        };
        let tasks = self.by_task.0.values();
        let listed = tasks.fold(0_u64, |sum, task| sum.saturating_add(task.trials));
        let estimates = (1..=most.min(MOST_K)).filter_map(|k| {
            Some(PassEstimate {
                k,
                tasks: self.with_trials(k).count() as u64,
                pass_at: round(self.pass_at(k)?),
                pass_hat: round(self.pass_hat(k)?),
            })
        });
        Some(Trials {
            tasks: self.by_task.0.len() as u64,
            repeated: count(|task| task.trials > 1),
            trials: self.trials,
            passed: self.passed,
            pass_rate: round(self.passed as f64 / self.trials as f64),
            always: count(|task| task.passed == task.trials),
            flaky: count(TaskTally::is_flaky),
            never: count(|task| task.passed == 0),
            left_out: self.trials.saturating_sub(listed),
            unknown: trajectories.saturating_sub(self.trajectories),
            spread: self.mean_spread(),
            estimates: estimates.collect(),
            worst: self.worst(),
        })
    }

    fn mean_spread(&self) -> Option<f64> {
        let spreads = self.by_task.0.values().filter_map(TaskTally::deviation);
        let (count, sum) = spreads.fold((0_u32, 0.0), |(count, sum), one| (count + 1, sum + one));
        (count > 0).then(|| round(sum / f64::from(count)))
    }

    /// Returns the tasks with several trials, if some of them fail: flaky ones first, then those with the
    /// smallest share of passes.
    fn worst(&self) -> Vec<TaskTrials> {
        let tasks = self.by_task.0.iter();
        let mut tasks: Vec<_> = tasks
            .filter(|(_, task)| task.trials > 1 && task.passed < task.trials)
            .collect();
        tasks.sort_by_cached_key(|(key, task)| {
            let share = u128::from(task.passed) * u128::from(u32::MAX) / u128::from(task.trials);
            (Reverse(task.is_flaky()), share, &key.name)
        });
        let tasks = tasks.into_iter().take(MOST_LISTED);
        tasks
            .map(|(key, task)| TaskTrials {
                task: key.name.clone(),
                trials: task.trials,
                passed: task.passed,
                flaky: task.is_flaky(),
                score: task.score(),
                spread: task.spread(),
                worst: task.worst.clone(),
            })
            .collect()
    }
}

/// What several trials of tasks show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Trials {
    /// How many tasks are counted one by one, at most 4,000. Of more tasks, these are a random sample, and
    /// all figures except `trials` and `passed` and `passRate` are about them.
    pub tasks: u64,
    /// How many of them have more than one trial.
    pub repeated: u64,
    /// The number of trials of all tasks.
    pub trials: u64,
    /// How many trials pass.
    pub passed: u64,
    /// The share of the trials that pass, from 0 to 1, to 3 decimals.
    pub pass_rate: f64,
    /// How many tasks pass in all trials.
    pub always: u64,
    /// How many tasks pass in some, but not all trials.
    pub flaky: u64,
    /// How many tasks pass in no trial.
    pub never: u64,
    /// How many trials are of tasks that are not counted one by one.
    pub left_out: u64,
    /// How many trajectories are in merged summaries that did not keep their tasks, and are no trials here.
    pub unknown: u64,
    /// The mean standard deviation (n − 1) of the scores of a task, from 0 to 1, to 3 decimals; `null` if no
    /// task has two scores.
    pub spread: Option<f64>,
    /// pass@k and pass^k for each k from 1 to the most trials of a task, at most 10.
    pub estimates: Vec<PassEstimate>,
    /// Up to 100 tasks with several trials, some of which fail: flaky ones first, then those with the
    /// smallest share of passes.
    pub worst: Vec<TaskTrials>,
}

/// The unbiased estimates for k trials, as means over the tasks with at least k trials.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PassEstimate {
    /// The number of trials.
    pub k: u64,
    /// How many tasks have at least that many.
    pub tasks: u64,
    /// pass@k: the probability that at least one of k trials passes, from 0 to 1, to 3 decimals.
    pub pass_at: f64,
    /// pass^k: the probability that all of k trials pass, from 0 to 1, to 3 decimals.
    pub pass_hat: f64,
}

/// The trials of one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TaskTrials {
    /// The task. A name with more than 128 characters is cut.
    pub task: String,
    /// The number of trials.
    pub trials: u64,
    /// How many of them pass.
    pub passed: u64,
    /// Whether some, but not all of them pass.
    pub flaky: bool,
    /// The mean score, from 0 to 1, to 3 decimals; `null` without scores.
    pub score: Option<f64>,
    /// The standard deviation (n − 1) of the scores, to 3 decimals; `null` with less than two scores.
    pub spread: Option<f64>,
    /// The trial that did worst.
    pub worst: WorstTrial,
}

/// Returns the share of the draws of `k` of `all` that hit only `wanted`: C(wanted, k) / C(all, k).
fn share_of_draws(wanted: u64, all: u64, k: u64) -> f64 {
    if k > wanted {
        return 0.0;
    }
    if wanted == all {
        return 1.0;
    }
    let factors = (0..k).map(|drawn| (wanted - drawn) as f64 / (all - drawn) as f64);
    factors.product()
}

fn thousandths(score: f64) -> u64 {
    (round(score) * 1000.0).round() as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Run = (String, bool, u32);

    fn tasks_of<'r>(runs: impl IntoIterator<Item = &'r Run>) -> Tasks {
        let mut tasks = Tasks::default();
        for (task, passed, score) in runs {
            // The place must not depend on the split.
            let place = TrialPlace {
                index: (*score as usize) * 10,
                ..TrialPlace::default()
            };
            tasks.add(&Trial {
                task: Some(task),
                passed: *passed,
                score: Some(f64::from(*score) / 1000.0),
                place,
            });
        }
        tasks
    }

    fn runs() -> impl Strategy<Value = Vec<Run>> {
        prop::collection::vec(("[abc]{1,2}", any::<bool>(), 0..=1000_u32), 0..40)
    }

    /// Returns how many of all sets of `k` trials hold a pass, and how many hold only passes, and their number.
    fn enumerated(passes: &[bool], k: u32) -> (u32, u32, u32) {
        let sets = (0_u32..1 << passes.len()).filter(|set| set.count_ones() == k);
        sets.fold((0, 0, 0), |(some, every, all), set| {
            let mut drawn = passes
                .iter()
                .enumerate()
                .filter(|(at, _)| set & (1 << at) != 0)
                .map(|(_, passed)| *passed);
            let has_all = drawn.clone().all(|passed| passed);
            let has_some = drawn.any(|passed| passed);
            (
                some + u32::from(has_some),
                every + u32::from(has_all),
                all + 1,
            )
        })
    }

    proptest! {
        #[test]
        fn the_estimates_are_those_of_all_sets_of_k_trials(
            passes in prop::collection::vec(prop::collection::vec(any::<bool>(), 1..9), 1..5),
            k in 1..9_u32,
        ) {
            let named = passes.iter().enumerate();
            let runs: Vec<Run> = named
                .flat_map(|(task, passes)| passes.iter().map(move |passed| (format!("t{task}"), *passed, 0)))
                .collect();
            let tasks = tasks_of(&runs);
            let long: Vec<_> = passes.iter().filter(|passes| passes.len() >= k as usize).collect();
            let mean = |pick: fn((u32, u32, u32)) -> f64| {
                let sum: f64 = long.iter().map(|passes| pick(enumerated(passes, k))).sum();
                sum / long.len() as f64
            };
            let found = (tasks.pass_at(k.into()), tasks.pass_hat(k.into()));
            let (Some(at), Some(hat)) = found else {
                prop_assert!(long.is_empty() && found == (None, None));
                return Ok(());
            };
            let wanted_at = mean(|(some, _, all)| f64::from(some) / f64::from(all));
            let wanted_hat = mean(|(_, every, all)| f64::from(every) / f64::from(all));
            prop_assert!((at - wanted_at).abs() < 1e-12, "{at} {wanted_at}");
            prop_assert!((hat - wanted_hat).abs() < 1e-12, "{hat} {wanted_hat}");
        }

        #[test]
        fn any_split_in_any_order_gives_the_trials_of_the_whole(
            runs in runs(),
            parts in prop::collection::vec(0..4_usize, 40),
        ) {
            let whole = tasks_of(&runs);
            let part = |number| {
                let with_part = runs.iter().zip(&parts);
                tasks_of(with_part.filter(|(_, part)| **part == number).map(|(run, _)| run))
            };
            let mut sum = Tasks::default();
            for number in (0..4).rev() {
                sum.merge(&part(number));
            }
            prop_assert_eq!(&sum, &whole);
            let (mut left, mut right) = (part(0), part(3));
            left.merge(&part(1));
            right.merge(&part(2));
            right.merge(&left);
            prop_assert_eq!(&right, &whole);
            prop_assert_eq!(right.trials(0), whole.trials(0));
        }

        #[test]
        fn the_spread_is_the_standard_deviation(scores in prop::collection::vec(0..=1000_u32, 1..30)) {
            let runs: Vec<Run> = scores.iter().map(|score| ("t".to_owned(), true, *score)).collect();
            let tasks = tasks_of(&runs);
            let tally = tasks.by_task.0.values().next().expect("a task");
            let count = scores.len() as f64;
            let mean = scores.iter().map(|score| f64::from(*score)).sum::<f64>() / count;
            let squares: f64 = scores.iter().map(|score| (f64::from(*score) - mean).powi(2)).sum();
            prop_assert!((tally.score().expect("scores") - mean / 1000.0).abs() < 0.001);
            match tally.spread() {
                None => prop_assert_eq!(scores.len(), 1),
                Some(spread) => {
                    let wanted = (squares / (count - 1.0)).sqrt() / 1000.0;
                    prop_assert!((spread - wanted).abs() <= 0.0005 + 1e-9, "{spread} {wanted}");
                }
            }
        }

        #[test]
        fn trials_of_one_equal_no_trials(names in prop::collection::btree_set("[a-z]{1,9}", 0..30)) {
            let runs: Vec<Run> = names.into_iter().map(|name| (name, false, 3)).collect();
            prop_assert_eq!(tasks_of(&runs).trials(0), None);
        }

        #[test]
        fn written_counts_can_be_read_back(runs in runs(), long in "[a-z]{120,140}") {
            let mut tasks = tasks_of(&runs);
            tasks.merge(&tasks_of(&[(long.clone(), true, 5), (long + "x", true, 5)]));
            let text = serde_json::to_string(&tasks).expect("plain data");
            let read: Tasks = serde_json::from_str(&text).expect("counts");
            prop_assert_eq!(&read, &tasks);
        }
    }

    #[test]
    fn tasks_beyond_the_limit_are_a_sample_that_does_not_depend_on_the_order() {
        let runs: Vec<Run> = (0..MOST_TASKS + 2_500)
            .flat_map(|at| [true, at % 4 != 0].map(|passed| (format!("task-{at}"), passed, 9)))
            .collect();
        let whole = tasks_of(&runs);
        let mut sum = tasks_of(runs[9_000..].iter().rev());
        sum.merge(&tasks_of(&runs[..9_000]));
        assert_eq!(sum, whole);
        let trials = whole.trials(0).expect("trials");
        assert_eq!(trials.tasks, MOST_TASKS as u64);
        assert_eq!((trials.trials, trials.left_out), (13_000, 5_000));
        assert_eq!(trials.pass_rate, 0.875);
        let hat = whole.pass_hat(2).expect("two trials each");
        assert!((hat - 0.75).abs() < 0.02, "{hat}");
    }

    #[test]
    fn a_task_is_named_by_a_field_or_the_id() {
        use bumpalo::Bump;
        use toolgauge_model::testing::arena_json;
        let arena = Bump::new();
        let fields = r#"{"task_id":7,"metadata":{"task.id":"a","list":[{"n":"b"}]},"none":null}"#;
        let named = |fields: &str, key| {
            let json = arena_json(&arena, arena.alloc_str(fields));
            let trajectory = Trajectory {
                trajectory_id: Some("run"),
                extra: json.members().unwrap_or_default(),
                ..Trajectory::default()
            };
            let task = TaskName::of(&trajectory, key);
            task.name(Some("run")).map(str::to_owned)
        };
        let cases = [
            (None, Some("7")),
            (Some("metadata.task.id"), Some("a")),
            (Some("metadata.list.0.n"), Some("b")),
            (Some("id"), Some("run")),
            (Some("none"), None),
            (Some("metadata"), None),
            (Some("other"), None),
        ];
        for (key, wanted) in cases {
            assert_eq!(named(fields, key).as_deref(), wanted, "{key:?}");
        }
        assert_eq!(named("{}", None).as_deref(), Some("run"));
        assert_eq!(named(r#"{"task_id":""}"#, None).as_deref(), Some("run"));
    }

    #[test]
    fn flaky_tasks_come_first_and_the_worst_trial_has_its_place() {
        let run = |task: &str, passed, score| (task.to_owned(), passed, score);
        let runs = [
            run("good", true, 1000),
            run("good", true, 900),
            run("flaky", true, 1000),
            run("flaky", false, 700),
            run("flaky", false, 400),
            run("bad", false, 0),
            run("bad", false, 0),
            run("once", false, 0),
        ];
        let trials = tasks_of(&runs).trials(0).expect("trials");
        let counts = (
            trials.tasks,
            trials.repeated,
            trials.always,
            trials.flaky,
            trials.never,
        );
        assert_eq!(counts, (4, 3, 1, 1, 2));
        let worst: Vec<_> = trials.worst.iter().map(|task| task.task.as_str()).collect();
        assert_eq!(worst, ["flaky", "bad"]);
        let flaky = &trials.worst[0];
        assert_eq!((flaky.score, flaky.spread), (Some(0.7), Some(0.3)));
        assert_eq!(flaky.worst.place.index, 4000);
        assert_eq!(trials.estimates.len(), 3);
        assert_eq!(
            (trials.estimates[2].tasks, trials.estimates[2].pass_at),
            (1, 1.0)
        );
    }

    #[test]
    fn runs_without_a_task_are_no_trials_and_forged_counts_do_not_overflow() {
        let mut tasks = Tasks::default();
        for task in [None, Some("")] {
            tasks.add(&Trial {
                task,
                passed: true,
                score: None,
                place: TrialPlace::default(),
            });
        }
        assert_eq!((tasks.trajectories, tasks.trials), (2, 0));
        let most = u64::MAX;
        let forged = format!(
            r#"{{"trajectories":{most},"trials":{most},"passed":{most},"byTask":{{"a":{{"trials":{most},"passed":{most},"scored":{most},"thousandths":{most},"squares":{most},"worst":{{"passed":true,"score":null,"index":0}}}},"b":{{"trials":2,"passed":9,"scored":0,"thousandths":0,"squares":0,"worst":{{"passed":true,"score":null,"index":0}}}}}}}}"#
        );
        let mut forged: Tasks = serde_json::from_str(&forged).expect("counts");
        let other = forged.clone();
        forged.merge(&other);
        assert_eq!(forged.pass_hat(3), Some(1.0));
        assert!(forged.trials(0).is_some());
    }
}
