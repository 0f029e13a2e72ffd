//! How well unsupported facts are found: `cargo xtask grounding <file>`.
//!
//! The file holds one JSON object a line: `{id, planted, messages}`, OpenAI chat messages of which the
//! last is a reply. `planted` is null, or `{kind, old, new}` when one fact of that reply was changed.

use std::collections::BTreeMap;
use std::process::ExitCode;

use bumpalo::Bump;
use toolgauge::formats::import_trajectory;
use toolgauge::grounding::{Grounding, THRESHOLD, UnsupportedFact, score};
use toolgauge::model::{Json, Limits, Reader};

#[derive(Default)]
struct Row {
    total: usize,
    flagged: usize,
    named: usize,
}

struct Verdict {
    flagged: bool,
    facts: Vec<UnsupportedFact>,
}

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("usage: cargo xtask grounding <file>");
        return ExitCode::from(2);
    };
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("can't read {file}: {error}");
            return ExitCode::from(2);
        }
    };
    let mut table: BTreeMap<String, Row> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        judge_line(line, &mut table);
    }
    println!(
        "\n{:<12} {:>6} {:>8} {:>10}",
        "changed", "total", "flagged", "and named"
    );
    for (kind, row) in &table {
        println!(
            "{kind:<12} {:>6} {:>8} {:>10}",
            row.total, row.flagged, row.named
        );
    }
    ExitCode::SUCCESS
}

fn judge_line(line: &str, table: &mut BTreeMap<String, Row>) {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let row = reader.read_text(line).expect("a line of JSON");
    let id = row.get("id").and_then(Json::as_str).unwrap_or("?");
    let planted = row.get("planted").filter(|planted| !planted.is_null());
    let verdict = judge(row.get("messages").expect("messages"), reader);
    let text = |key| planted.and_then(|planted| planted.get(key)?.as_str());
    let kind = text("kind").unwrap_or("(unchanged)");
    let new = text("new").map(|new| new.trim_end_matches(','));
    let named = new.is_some_and(|new| verdict.facts.iter().any(|fact| names(fact, new)));
    let counts = table.entry(kind.to_owned()).or_default();
    counts.total += 1;
    counts.flagged += usize::from(verdict.flagged);
    counts.named += usize::from(verdict.flagged && named);
    let told: Vec<_> = verdict
        .facts
        .iter()
        .map(|fact| format!("{} ({:?})", fact.text, fact.kind))
        .collect();
    match (planted, verdict.flagged, named) {
        (Some(_), true, true) | (None, false, _) => {}
        (Some(_), flagged, _) => {
            let outcome = if flagged { "misnamed" } else { "missed" };
            println!(
                "{outcome} {id}: {kind} {:?}; found {told:?}",
                new.unwrap_or_default()
            );
        }
        (None, true, _) => println!("false alarm {id}: {told:?}"),
    }
}

/// Whether a fact is, holds or is held by the changed text.
fn names(fact: &UnsupportedFact, changed: &str) -> bool {
    fact.text.contains(changed) || changed.contains(&fact.text)
}

fn judge<'a>(messages: Json<'a>, reader: Reader<'a>) -> Verdict {
    let trajectory = import_trajectory(messages, None, reader)
        .expect("messages that can be read")
        .value;
    let last = trajectory.turns.len() - 1;
    let found: Vec<_> = Grounding::of(&trajectory)
        .replies
        .into_iter()
        .flatten()
        .filter(|fact| fact.turn == last)
        .collect();
    Verdict {
        flagged: score(&found) > THRESHOLD,
        facts: found.iter().map(|fact| fact.report(&trajectory)).collect(),
    }
}
