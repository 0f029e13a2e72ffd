//! How right the verdicts about outcomes are: `cargo xtask precision <folder> [type]`.
//!
//! A folder of planted verdicts holds `<type>.<anything>.jsonl` with rows `{id, kind, expect, messages}`: the last
//! message is a reply, and `expect` is the type of the issue that must be found, or null. A folder of labelled ones
//! holds `issues.jsonl`, one row for each issue that was read, `{file, line, turn, call, type, verdict}`, and the
//! documents in `docs/`, one a line; `missed.jsonl` holds issues that were not found and should be. With a type, each
//! row of it that comes out wrong is listed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bumpalo::Bump;
use serde_json::Value;
use toolgauge::batch::check_trajectories;
use toolgauge::check::CheckOptions;
use toolgauge::formats::import_trajectories;
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

/// An issue, as far as labels name it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Reported {
    kind: &'static str,
    turn: i64,
    call: usize,
    description: String,
}

/// What is reported of each trajectory of a document.
fn report(document: &str) -> Vec<Reported> {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let Ok(json) = reader.read_text(arena.alloc_str(document)) else {
        return Vec::new();
    };
    let Ok(imported) = import_trajectories(json, None, reader) else {
        return Vec::new();
    };
    let (tools, options) = (ToolSet::not_given(), CheckOptions::default());
    let report = check_trajectories(&imported, &tools, &options, reader);
    let Ok(report) = report else {
        return Vec::new();
    };
    let mut found = Vec::new();
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
            }
        }));
    }
    found
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
            let hit = reported.iter().find(|issue| issue.kind == kind);
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

/// The end of a conversation: the last result and the reply.
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
    right: (usize, usize),
    wrong: (usize, usize),
    debatable: (usize, usize),
    new: usize,
}

fn labelled(folder: &Path, listed: Option<&str>) {
    let mut reported: BTreeMap<(String, u64), Vec<Reported>> = BTreeMap::new();
    for file in files(&folder.join("docs")) {
        let name = format!(
            "docs/{}",
            file.file_name().unwrap_or_default().to_string_lossy()
        );
        for (at, document) in rows(&file).into_iter().enumerate() {
            reported.insert((name.clone(), at as u64 + 1), report(&document.to_string()));
        }
    }
    let mut table: BTreeMap<String, Labelled> = BTreeMap::new();
    let mut labelled = BTreeSet::new();
    for label in rows(&folder.join("issues.jsonl")) {
        let text = |key: &str| label[key].as_str().unwrap_or_default().to_owned();
        let place = (text("file"), label["line"].as_u64().unwrap_or_default());
        let Some(issues) = reported.get(&place) else {
            continue;
        };
        let (kind, turn) = (text("type"), label["turn"].as_i64().unwrap_or_default());
        let call = label["call"].as_u64().unwrap_or_default() as usize;
        labelled.insert((place.clone(), kind.clone(), turn, call));
        let is_kept = issues
            .iter()
            .any(|issue| issue.kind == kind && issue.turn == turn && issue.call == call);
        let counts = table.entry(kind.clone()).or_default();
        let count = match text("verdict").as_str() {
            "right" => &mut counts.right,
            "wrong" => &mut counts.wrong,
            _ => &mut counts.debatable,
        };
        *count = (count.0 + usize::from(is_kept), count.1 + 1);
        let is_wrong = (text("verdict") == "right") != is_kept && text("verdict") != "debatable";
        if is_wrong && listed == Some(kind.as_str()) {
            println!(
                "{} {}:{} turn {turn} call {call}: {}: {}",
                if is_kept { "wrong" } else { "lost" },
                place.0,
                place.1,
                text("cause"),
                text("description")
            );
        }
    }
    for (place, issues) in &reported {
        for issue in issues {
            let key = (place.clone(), issue.kind.to_owned(), issue.turn, issue.call);
            if !labelled.contains(&key) {
                table.entry(issue.kind.to_owned()).or_default().new += 1;
                if listed == Some(issue.kind) {
                    println!(
                        "new {}:{} turn {} call {}: {}",
                        place.0, place.1, issue.turn, issue.call, issue.description
                    );
                }
            }
        }
    }
    println!(
        "{:<24} {:>12} {:>12} {:>12} {:>6}",
        "type", "right kept", "wrong still", "debatable", "new"
    );
    let share = |(kept, all): (usize, usize)| format!("{kept}/{all}");
    for (kind, counts) in table {
        println!(
            "{kind:<24} {:>12} {:>12} {:>12} {:>6}",
            share(counts.right),
            share(counts.wrong),
            share(counts.debatable),
            counts.new
        );
    }
    let missed: Vec<_> = match folder.join("missed.jsonl").exists() {
        true => rows(&folder.join("missed.jsonl")),
        false => Vec::new(),
    };
    let is_found = |row: &&Value| {
        let place = (
            row["file"].as_str().unwrap_or_default().to_owned(),
            row["line"].as_u64().unwrap_or_default(),
        );
        reported.get(&place).is_some_and(|issues| {
            issues.iter().any(|issue| {
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
            println!(
                "still missed {}:{} turn {}: {}",
                row["file"],
                row["line"],
                row["turn"],
                row["result"]
                    .to_string()
                    .chars()
                    .take(300)
                    .collect::<String>()
            );
        }
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
