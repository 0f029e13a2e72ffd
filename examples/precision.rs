//! Measures the precision of verdicts about outcomes: `cargo xtask precision <folder> [type]`.
//!
//! A folder of planted verdicts has `<type>.<anything>.jsonl` with rows `{id, kind, expect, messages}`: the
//! last message is a reply, and `expect` is the issue type that must be found, or null. A folder of labelled
//! verdicts has `issues.jsonl`, with a row `{file, line, turn, call, type, verdict}` for each issue that a
//! person labelled, and the documents in `docs/`, one per line; `missed.jsonl` has issues that should be
//! found but were not. A label with a `fact` names one unsupported fact in `reply_turn`. With a type, each
//! wrong row of it is listed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fmt, fs};

use bumpalo::Bump;
use serde_json::Value;
use toolgauge::batch::check_trajectories;
use toolgauge::check::CheckOptions;
use toolgauge::formats::import_trajectories;
use toolgauge::grounding::UnsupportedFact;
use toolgauge::issue::IssueType;
use toolgauge::model::{Limits, Reader};
use toolgauge::schema::ToolSet;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next().map(PathBuf::from) else {
        eprintln!("usage: cargo xtask precision <folder> [type]");
        return ExitCode::from(2);
    };
    let listed = arguments.next();
    let listed = listed.as_deref();
    match folder.join("issues.jsonl").exists() {
        true => labelled(&folder, listed),
        false => planted(&folder, listed),
    }
    ExitCode::SUCCESS
}

/// The parts of an issue that labels name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Reported {
    kind: &'static str,
    turn: i64,
    call: usize,
    description: String,
    /// The turn and the text of each unsupported fact.
    facts: Vec<(i64, String)>,
}

impl Reported {
    /// Returns whether a label names this issue: a fact by the reply that states it, another issue by its
    /// call.
    fn is_labelled(&self, label: &Value) -> bool {
        if label["type"] != self.kind {
            return false;
        }
        match label["fact"].as_str() {
            None => label["turn"] == self.turn && label["call"] == self.call,
            Some(_) => self.facts.iter().any(|stated| names(label, stated)),
        }
    }
}

/// Returns whether a label names a fact in a turn.
fn names(label: &Value, (turn, fact): &(i64, String)) -> bool {
    label["reply_turn"] == *turn && label["fact"] == fact.as_str()
}

/// The issues of a document, and whether it passes the default gate.
#[derive(Debug, Default)]
struct Report {
    issues: Vec<Reported>,
    passed: bool,
}

fn facts_of(facts: Option<Vec<UnsupportedFact>>) -> Vec<(i64, String)> {
    let facts = facts.unwrap_or_default().into_iter();
    facts.map(|fact| (fact.turn_id, fact.text)).collect()
}

/// Checks each trajectory of a document.
fn report(document: &str) -> Report {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let Ok(json) = reader.read_text(arena.alloc_str(document)) else {
        return Report::default();
    };
    let Ok(mut imported) = import_trajectories(json, None, reader) else {
        return Report::default();
    };
    let (tools, options) = (ToolSet::not_given(), CheckOptions::default());
    let report = check_trajectories(&mut imported, &tools, &options, reader);
    let Ok(report) = report else {
        return Report::default();
    };
    let mut found = Vec::new();
    let passed = report.trajectories.iter().all(|report| report.passed);
    for report in report.trajectories {
        found.extend(
            report
                .results
                .into_iter()
                .flat_map(|result| result.issues)
                .map(|issue| Reported {
                    kind: issue.kind.label(),
                    turn: issue.turn_id.unwrap_or_default(),
                    call: issue.details.call_index,
                    description: issue.description,
                    facts: facts_of(issue.details.facts),
                }),
        );
        found.extend(report.result_issues.into_iter().map(|issue| {
            Reported {
                kind: issue.kind.label(),
                turn: issue
                    .details
                    .call_turn_id
                    .or(issue.turn_id)
                    .unwrap_or_default(),
                call: issue.details.call_index.unwrap_or_default(),
                description: issue.description,
                facts: facts_of(issue.details.facts),
            }
        }));
    }
    Report {
        issues: found,
        passed,
    }
}

#[derive(Default)]
struct Planted {
    expected: usize,
    found: usize,
    silent: usize,
    alarms: usize,
}

fn planted(folder: &Path, listed: Option<&str>) {
    let mut table: BTreeMap<String, Planted> = BTreeMap::new();
    for file in files(folder) {
        let name = file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let kind = name.split('.').next().unwrap_or_default().to_owned();
        if listed.is_some_and(|listed| listed != kind) {
            continue;
        }
        for row in rows(&file) {
            let counts = table.entry(kind.clone()).or_default();
            let reported = report(&row["messages"].to_string());
            let hit = reported.issues.iter().find(|issue| issue.kind == kind);
            let expects = row["expect"].as_str() == Some(&kind);
            match expects {
                true => {
                    (counts.expected, counts.found) = (
                        counts.expected + 1,
                        counts.found + usize::from(hit.is_some()),
                    )
                }
                false => {
                    (counts.silent, counts.alarms) = (
                        counts.silent + 1,
                        counts.alarms + usize::from(hit.is_some()),
                    )
                }
            }
            if listed.is_some() && expects != hit.is_some() {
                let outcome = if expects { "missed" } else { "false alarm" };
                println!(
                    "{outcome} {} {}: {}",
                    row["kind"],
                    row["id"],
                    hit.map_or("", |hit| &hit.description)
                );
                println!("    {}", shown(&row["messages"]));
            }
        }
    }
    println!("{:<24} {:>14} {:>14}", "type", "found", "false alarms");
    for (kind, counts) in table {
        let found = format!("{} of {}", counts.found, counts.expected);
        let alarms = format!("{} of {}", counts.alarms, counts.silent);
        println!("{kind:<24} {found:>14} {alarms:>14}");
    }
}

/// Returns the end of a conversation: the last result and the reply.
fn shown(messages: &Value) -> String {
    let messages = messages.as_array().map(Vec::as_slice).unwrap_or_default();
    let last = messages.len().saturating_sub(3);
    let texts = messages[last..].iter().map(|message| {
        let calls = match message["tool_calls"].is_null() {
            true => String::new(),
            false => message["tool_calls"].to_string(),
        };
        let text = format!(
            "{}: {}{calls}",
            message["role"].as_str().unwrap_or_default(),
            message["content"]
        );
        text.chars().take(700).collect::<String>()
    });
    texts.collect::<Vec<_>>().join("\n    ")
}

#[derive(Default)]
struct Labelled {
    right: Kept,
    wrong: Kept,
    debatable: Kept,
    new: usize,
}

/// How many labelled issues are still reported, out of all; and in how many trajectories.
#[derive(Default)]
struct Kept {
    kept: usize,
    all: usize,
    kept_in: BTreeSet<Place>,
    all_in: BTreeSet<Place>,
}

impl Kept {
    fn add(&mut self, place: &Place, is_kept: bool) {
        self.all += 1;
        self.all_in.insert(place.clone());
        if is_kept {
            self.kept += 1;
            self.kept_in.insert(place.clone());
        }
    }
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kept, all, .. } = self;
        write!(
            f,
            "{kept}/{all} ({}/{})",
            self.kept_in.len(),
            self.all_in.len()
        )
    }
}

fn labelled(folder: &Path, listed: Option<&str>) {
    let mut reports: BTreeMap<Place, Report> = BTreeMap::new();
    for file in files(&folder.join("docs")) {
        let name = format!(
            "docs/{}",
            file.file_name().unwrap_or_default().to_string_lossy()
        );
        for (at, document) in rows(&file).into_iter().enumerate() {
            reports.insert((name.clone(), at as u64 + 1), report(&document.to_string()));
        }
    }
    let labels = rows(&folder.join("issues.jsonl"));
    let mut table: BTreeMap<String, Labelled> = BTreeMap::new();
    for label in &labels {
        let place = place_of(label);
        let Some(report) = reports.get(&place) else {
            continue;
        };
        let kind = label["type"].as_str().unwrap_or_default();
        let verdict = label["verdict"].as_str().unwrap_or_default();
        let is_kept = report.issues.iter().any(|issue| issue.is_labelled(label));
        let counts = table.entry(kind.to_owned()).or_default();
        let count = match verdict {
            "right" => &mut counts.right,
            "wrong" => &mut counts.wrong,
            _ => &mut counts.debatable,
        };
        count.add(&place, is_kept);
        if listed == Some(kind) && is_kept != (verdict == "right") && verdict != "debatable" {
            println!(
                "{} {}:{} turn {} call {}: {}: {}",
                if is_kept { "wrong" } else { "lost" },
                place.0,
                place.1,
                label.get("reply_turn").unwrap_or(&label["turn"]),
                label["call"],
                label["cause"],
                label.get("fact").unwrap_or(&label["description"]),
            );
        }
    }
    let mut by_place: BTreeMap<Place, Vec<&Value>> = BTreeMap::new();
    for label in &labels {
        by_place.entry(place_of(label)).or_default().push(label);
    }
    for (place, report) in &reports {
        let labels = by_place.get(place).map(Vec::as_slice).unwrap_or_default();
        for issue in &report.issues {
            for unlabelled in unlabelled(issue, labels) {
                table.entry(issue.kind.to_owned()).or_default().new += 1;
                if listed == Some(issue.kind) {
                    println!("new {}:{} {unlabelled}", place.0, place.1);
                }
            }
        }
    }
    print_labelled(table);
    print_missed(folder, &reports, listed);
    print_gate(&reports, &by_place);
}

/// A file and a line in it, from 1.
type Place = (String, u64);

fn place_of(row: &Value) -> Place {
    (
        row["file"].as_str().unwrap_or_default().to_owned(),
        row["line"].as_u64().unwrap_or_default(),
    )
}

/// Returns the parts of an issue without a label: each such fact, or the issue as a whole.
fn unlabelled(issue: &Reported, labels: &[&Value]) -> Vec<String> {
    let Reported { turn, call, .. } = issue;
    if issue.facts.is_empty() {
        let is_known = labels.iter().any(|label| issue.is_labelled(label));
        let line = format!("turn {turn} call {call}: {}", issue.description);
        return if is_known { Vec::new() } else { vec![line] };
    }
    let of_kind = || labels.iter().filter(|label| label["type"] == issue.kind);
    let is_known = |stated: &&(i64, String)| of_kind().any(|label| names(label, stated));
    let facts = issue.facts.iter().filter(|fact| !is_known(fact));
    facts
        .map(|(turn, fact)| format!("turn {turn}: {fact}"))
        .collect()
}

fn print_labelled(table: BTreeMap<String, Labelled>) {
    println!(
        "{:<24} {:>22} {:>22} {:>22} {:>6}",
        "type (in trajectories)", "right kept", "wrong still", "debatable", "new"
    );
    for (kind, counts) in table {
        println!(
            "{kind:<24} {:>22} {:>22} {:>22} {:>6}",
            counts.right.to_string(),
            counts.wrong.to_string(),
            counts.debatable.to_string(),
            counts.new
        );
    }
}

fn print_missed(folder: &Path, reports: &BTreeMap<Place, Report>, listed: Option<&str>) {
    let missed: Vec<_> = match folder.join("missed.jsonl").exists() {
        true => rows(&folder.join("missed.jsonl")),
        false => Vec::new(),
    };
    let is_found = |row: &&Value| {
        reports.get(&place_of(row)).is_some_and(|report| {
            report.issues.iter().any(|issue| {
                row["type"] == issue.kind
                    && row["turn"] == issue.turn
                    && (row["call"].is_null() || row["call"] == issue.call)
            })
        })
    };
    println!(
        "missed before, found now: {} of {}",
        missed.iter().filter(is_found).count(),
        missed.len()
    );
    for row in missed.iter().filter(|row| !is_found(row)) {
        if listed.is_some() && row["type"].as_str() == listed {
            let result: String = row["result"].to_string().chars().take(300).collect();
            println!(
                "still missed {}:{} turn {}: {result}",
                row["file"], row["line"], row["turn"]
            );
        }
    }
}

/// Prints how many documents fail the default gate, and how many of them have no issue that is labelled right
/// or new.
fn print_gate(reports: &BTreeMap<Place, Report>, labels: &BTreeMap<Place, Vec<&Value>>) {
    let mut by_file: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for (place, report) in reports {
        let labels = labels.get(place).map(Vec::as_slice).unwrap_or_default();
        let is_right = |issue: &Reported| {
            let is_named = labels
                .iter()
                .any(|label| label["verdict"] == "right" && issue.is_labelled(label));
            is_named || !unlabelled(issue, labels).is_empty()
        };
        let counts = by_file.entry(&place.0).or_default();
        counts[0] += 1;
        if !report.passed {
            counts[1] += 1;
            counts[2] += usize::from(!report.issues.iter().any(is_right));
        }
    }
    println!("fail the default gate (of them only for what is labelled wrong or debatable):");
    for (file, [all, failed, wrongly]) in by_file {
        println!("  {file:<48} {failed:>3} of {all:>3} ({wrongly})");
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder that can be read");
    let mut files: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "jsonl")
    });
    files.sort();
    files
}

fn rows(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).expect("a file that can be read");
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect()
}
