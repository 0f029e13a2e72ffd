//! Compares verdicts with those of the Berkeley Function Calling Leaderboard: `cargo xtask bfcl <results>
//! <answers> <scores> [--list <kind>]`.
//!
//! Each of the three is a file of JSON lines, or a folder of such files: what a model answered `{id, result}`, the
//! acceptable answers `{id, ground_truth}`, and the official scores, which list the rows `{id, valid: false,
//! error_type}` that fail, after a line with totals. Files of folders belong together if their names are the same
//! without `_result` and `_score`. A row passes here if its score is 1.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bumpalo::Bump;
use serde_json::Value;
use toolgauge::formats::{import_trajectories, made_in};
use toolgauge::matching::{Comparing, Expectations, NoComparators};
use toolgauge::model::{Json, Limits, Path as Place, Reader};
use toolgauge::score::{AccuracyResult, MismatchReason, Run, score_tool_calls};

const USAGE: &str = "usage: cargo xtask bfcl <results> <answers> <scores> [--list <kind>]";

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let (files, listed) = match arguments.as_slice() {
        [results, answers, scores] => ([results, answers, scores], None),
        [results, answers, scores, flag, kind] if flag == "--list" => {
            ([results, answers, scores], Some(kind.as_str()))
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    let [results, answers, scores] = files.map(|file| by_category(Path::new(file)));
    let mut counts = Counts::default();
    for (category, results) in &results {
        match (answers.get(category), scores.get(category)) {
            (Some(answers), Some(scores)) => {
                compare(results, answers, scores, listed, &mut counts);
            }
            (answers, _) => {
                let missing = if answers.is_none() {
                    "answers"
                } else {
                    "scores"
                };
                println!("not compared: no {missing} for {}", results.display());
            }
        }
    }
    counts.print();
    match counts.rows {
        0 => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}

/// How the verdicts compare.
#[derive(Default)]
struct Counts {
    rows: usize,
    both_right: usize,
    both_wrong: usize,
    /// By why the row fails here, although BFCL lets it pass.
    stricter: BTreeMap<String, usize>,
    /// By BFCL's type of error, although the row passes here.
    laxer: BTreeMap<String, usize>,
    /// Rows of results without an answer.
    unanswered: usize,
}

impl Counts {
    fn print(&self) {
        let agreeing = self.both_right + self.both_wrong;
        let share = 100.0 * agreeing as f64 / self.rows.max(1) as f64;
        println!("rows        {}", self.rows);
        println!("agreement   {share:.2}% ({agreeing})");
        println!("both right  {}", self.both_right);
        println!("both wrong  {}", self.both_wrong);
        print_kinds("right for BFCL, wrong here", &self.stricter);
        print_kinds("wrong for BFCL, right here", &self.laxer);
        if self.unanswered > 0 {
            println!(
                "not compared: {} results without an answer",
                self.unanswered
            );
        }
    }
}

fn print_kinds(title: &str, kinds: &BTreeMap<String, usize>) {
    println!("{title}  {}", kinds.values().sum::<usize>());
    let mut kinds: Vec<_> = kinds.iter().collect();
    kinds.sort_by_key(|(kind, count)| (std::cmp::Reverse(**count), *kind));
    for (kind, count) in kinds {
        println!("  {count:>6}  {kind}");
    }
}

/// The files of a folder by category, or the one file.
fn by_category(place: &Path) -> BTreeMap<String, PathBuf> {
    if place.is_file() {
        return BTreeMap::from([(String::new(), place.to_owned())]);
    }
    let entries =
        fs::read_dir(place).unwrap_or_else(|error| panic!("{}: {error}", place.display()));
    let files = entries.map(|entry| entry.expect("an entry of a folder").path());
    let named = files.filter_map(|file| {
        let name = file.file_stem()?.to_str()?;
        let category = ["_result", "_score"]
            .iter()
            .find_map(|end| name.strip_suffix(end));
        Some((category.unwrap_or(name).to_owned(), file.clone()))
    });
    named.filter(|(_, file)| file.is_file()).collect()
}

fn compare(
    results: &Path,
    answers: &Path,
    scores: &Path,
    listed: Option<&str>,
    counts: &mut Counts,
) {
    let answers: HashMap<String, Value> = rows(answers)
        .into_iter()
        .filter_map(|row| Some((row["id"].as_str()?.to_owned(), row)))
        .collect();
    let failed: HashMap<String, String> = rows(scores)
        .into_iter()
        .filter_map(|row| Some((row["id"].as_str()?.to_owned(), error_type(&row))))
        .collect();
    for row in rows(results) {
        let id = row["id"].as_str().unwrap_or_default();
        let Some(answer) = answers.get(id) else {
            counts.unanswered += 1;
            continue;
        };
        counts.rows += 1;
        let (kind, detail) = match (verdict(&row, answer), failed.get(id)) {
            (Ok(()), None) => {
                counts.both_right += 1;
                continue;
            }
            (Err(_), Some(_)) => {
                counts.both_wrong += 1;
                continue;
            }
            (Ok(()), Some(kind)) => {
                *counts.laxer.entry(kind.clone()).or_default() += 1;
                (kind.clone(), "passes here".to_owned())
            }
            (Err((kind, detail)), None) => {
                *counts.stricter.entry(kind.clone()).or_default() += 1;
                (kind, detail)
            }
        };
        if listed.is_some_and(|listed| kind.starts_with(listed)) {
            println!("{id}: {kind}: {detail}");
            println!("  result  {}", row["result"]);
            println!("  answer  {}", answer["ground_truth"]);
        }
    }
}

/// BFCL's type of error of a row that fails; the versions write it in two places.
fn error_type(row: &Value) -> String {
    let kind = row
        .get("error_type")
        .or_else(|| row["error"].get("error_type"));
    let kind = kind.and_then(Value::as_str).unwrap_or("no type");
    kind.to_owned()
}

/// Why a row fails here: the kind of what is wrong, and the details.
type Failure = (String, String);

fn verdict(row: &Value, answer: &Value) -> Result<(), Failure> {
    let arena = Bump::new();
    let limits = Limits::default();
    let reader = Reader::new(&arena, limits);
    let unread = |what: &str, error: String| Err((format!("{what} not read"), error));
    let parse = |value: &Value| reader.read_text(arena.alloc_str(&value.to_string()));
    let trajectories = match parse(row).and_then(|row| import_trajectories(row, None, reader)) {
        Ok(imported) => imported.value,
        Err(error) => return unread("result", error.to_string()),
    };
    let made: Vec<_> = trajectories.iter().flat_map(made_in).collect();
    let expected = parse(answer).and_then(|answer| {
        let imported = Expectations::import(answer, reader)?;
        Expectations::read(imported.value, &Place::root(), reader)
    });
    let expected = match expected {
        Ok(expected) => expected,
        Err(error) => return unread("answer", error.to_string()),
    };
    let comparing = Comparing::new(&NoComparators, limits);
    match score_tool_calls(&expected, &Run::of_calls(&made), &comparing) {
        Ok(result) if result.score == 1.0 => Ok(()),
        Ok(result) => Err(failure(&result)),
        Err(error) => unread("comparison", error.to_string()),
    }
}

fn failure(result: &AccuracyResult<'_>) -> Failure {
    let Some(wrong) = result.incorrect_calls.first() else {
        let kind = match (
            result.missed_calls.is_empty(),
            result.extra_calls.is_empty(),
        ) {
            (true, _) => "extra call",
            (false, true) => "missed call",
            (false, false) => "missed and extra call",
        };
        return (kind.to_owned(), result.summary.clone());
    };
    let kind = match wrong.reason {
        MismatchReason::Outcome => "outcome".to_owned(),
        MismatchReason::Order => "order".to_owned(),
        MismatchReason::Turn => "turn".to_owned(),
        MismatchReason::Arguments => {
            let kinds = wrong.differences.iter().map(|it| {
                let kind = serde_json::to_value(it.kind).unwrap_or_default();
                let kind = kind.as_str().unwrap_or_default();
                format!("{kind} {}", type_of(it.actual.or(it.expected)))
            });
            let kinds: BTreeSet<_> = kinds.collect();
            kinds.into_iter().collect::<Vec<_>>().join(" + ")
        }
    };
    (kind, wrong.details.clone())
}

fn type_of(value: Option<Json<'_>>) -> &'static str {
    match value {
        Some(Json::String(_)) => "text",
        Some(Json::Number(_)) => "number",
        Some(Json::Bool(_)) => "boolean",
        Some(Json::Array(_)) => "list",
        Some(Json::Object(_)) => "object",
        Some(Json::Null) | None => "argument",
    }
}

fn rows(file: &Path) -> Vec<Value> {
    let text =
        fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect()
}
