//! Measures the detection of unsupported facts: `cargo xtask grounding <files…> [--alarms <file>] [--list
//! <what>]`.
//!
//! A file has one JSON object per line, and is a domain of its own in the table:
//! - `{id, planted, messages}`: OpenAI chat messages that end with a reply. `planted` is null, or `{kind,
//!   old, new}` if one fact of that reply was changed.
//! - `{rule, result, reply, user?, system?, flag}`: one reply to one result, and whether it must be flagged.
//!
//! The file of `--alarms` has lines `{set, id, verdict}`. The verdict `right` means that an unchanged reply
//! has an unsupported fact, so that flagging it is right. `--list` prints each wrong row: `missed`, `alarms`
//! or `all`; with `facts`, each reported fact that the file labels as right or wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bumpalo::Bump;
use serde_json::{Value, json};
use toolgauge::formats::import_trajectory;
use toolgauge::grounding::{Grounding, Misattributed, THRESHOLD, UnsupportedFact, score};
use toolgauge::model::{Json, Limits, Reader};

/// Kinds of changed facts in the first column. Names are in the second, all others in the third.
const HARD: [&str; 11] = [
    "ident", "number", "decimal", "small", "money", "percent", "date", "longdate", "time", "phone",
    "email",
];
const NAMES: [&str; 2] = ["name", "person"];

struct Options {
    files: Vec<PathBuf>,
    alarms: Option<PathBuf>,
    list: Option<String>,
}

fn options() -> Option<Options> {
    let mut options = Options {
        files: Vec::new(),
        alarms: None,
        list: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--alarms" => options.alarms = Some(arguments.next()?.into()),
            "--list" => options.list = Some(arguments.next()?),
            _ => options.files.push(argument.into()),
        }
    }
    (!options.files.is_empty()).then_some(options)
}

fn main() -> ExitCode {
    let Some(options) = options() else {
        eprintln!(
            "usage: cargo xtask grounding <files…> [--alarms <file>] [--list missed|alarms|facts|all]"
        );
        return ExitCode::from(2);
    };
    let known_alarms = options
        .alarms
        .as_deref()
        .map(right_alarms)
        .unwrap_or_default();
    let mut domains = Vec::new();
    for file in &options.files {
        let set = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let mut measured = Measured::default();
        for line in lines(file) {
            measured.judge_line(&line, &set, &known_alarms, options.list.as_deref());
        }
        domains.push((set, measured));
    }
    let mut all = Measured::default();
    let mut kinds: BTreeMap<String, Share> = BTreeMap::new();
    println!(
        "{:<28} {:>14} {:>14} {:>14} {:>16}",
        "set", "hard facts", "names", "other", "wrong alarms"
    );
    for (set, measured) in &domains {
        measured.print(set);
        all.add(measured);
        for (kind, share) in &measured.kinds {
            kinds.entry(kind.clone()).or_default().add(share);
        }
    }
    all.print("all");
    println!("\n{:<28} {:>14}", "kind", "named");
    for (kind, share) in &kinds {
        println!("{kind:<28} {:>14}", share.text());
    }
    let judged = domains.iter().flat_map(|(_, measured)| &measured.judged);
    print_curve(&judged.collect::<Vec<_>>());
    ExitCode::SUCCESS
}

/// Prints how many changed facts are named and how many replies are flagged wrongly, by threshold.
fn print_curve(judged: &[&Judged]) {
    println!(
        "\n{:<28} {:>16} {:>16}",
        "threshold", "named", "wrong alarms"
    );
    for threshold in THRESHOLDS {
        let (mut named_above, mut alarms) = (Share::default(), Share::default());
        for judged in judged {
            let is_flagged = judged.score > threshold;
            match judged.about {
                About::Changed { named } => named_above.count(is_flagged && named),
                About::Unchanged { may_alarm } => alarms.count(is_flagged && !may_alarm),
            }
        }
        println!(
            "{threshold:<28} {:>16} {:>16}",
            named_above.text(),
            alarms.text()
        );
    }
}

/// Reads the replies in which an alarm is right, by set and id.
fn right_alarms(file: &Path) -> BTreeSet<(String, String)> {
    let mut right = BTreeSet::new();
    for line in lines(file) {
        let arena = Bump::new();
        let row = Reader::new(&arena, Limits::default())
            .read_text(&line)
            .expect("a line of JSON");
        let text = |key| {
            row.get(key)
                .and_then(Json::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        if text("verdict") == "right" {
            right.insert((text("set"), text("id")));
        }
    }
    right
}

fn lines(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file)
        .unwrap_or_else(|error| panic!("can't read {}: {error}", file.display()));
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(str::to_owned).collect()
}

/// A count out of a total.
#[derive(Debug, Default, Clone, Copy)]
struct Share {
    of: usize,
    found: usize,
}

impl Share {
    fn count(&mut self, is_found: bool) {
        self.of += 1;
        self.found += usize::from(is_found);
    }

    fn add(&mut self, other: &Self) {
        self.of += other.of;
        self.found += other.found;
    }

    fn text(&self) -> String {
        match self.of {
            0 => "-".to_owned(),
            of => format!(
                "{}/{of} {:.1}%",
                self.found,
                100.0 * self.found as f64 / of as f64
            ),
        }
    }
}

/// The thresholds of the curve: the default, and those where something changes.
const THRESHOLDS: [f64; 9] = [0.1, THRESHOLD, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];

/// The result for a reply, for any threshold.
struct Judged {
    /// How certain it is that some fact of the reply is unsupported, from 0 to 1.
    score: f64,
    about: About,
}

enum About {
    /// A fact was changed; `named` if a reported fact names it.
    Changed { named: bool },
    /// Nothing was changed; `may_alarm` if an alarm is right nevertheless.
    Unchanged { may_alarm: bool },
}

/// The counts of one set.
#[derive(Default)]
struct Measured {
    judged: Vec<Judged>,
    hard: Share,
    names: Share,
    other: Share,
    alarms: Share,
    kinds: BTreeMap<String, Share>,
}

impl Measured {
    fn add(&mut self, other: &Self) {
        self.hard.add(&other.hard);
        self.names.add(&other.names);
        self.other.add(&other.other);
        self.alarms.add(&other.alarms);
    }

    fn print(&self, set: &str) {
        println!(
            "{set:<28} {:>14} {:>14} {:>14} {:>16}",
            self.hard.text(),
            self.names.text(),
            self.other.text(),
            self.alarms.text()
        );
    }

    fn of_kind(&mut self, kind: &str) -> &mut Share {
        if HARD.contains(&kind) || kind == "url" {
            &mut self.hard
        } else if NAMES.contains(&kind) {
            &mut self.names
        } else {
            &mut self.other
        }
    }

    fn judge_line(
        &mut self,
        line: &str,
        set: &str,
        known: &BTreeSet<(String, String)>,
        list: Option<&str>,
    ) {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let row = reader.read_text(line).expect("a line of JSON");
        let text = |key| row.get(key).and_then(Json::as_str);
        let lists = |what: &str| list.is_some_and(|list| list == what || list == "all");
        if let Some(reply) = text("reply") {
            let messages = conversation(&serde_json::from_str(line).expect("a line of JSON"));
            let read = reader
                .read_text(arena.alloc_str(&messages))
                .expect("messages");
            let verdict = judge(read, reader);
            let must_flag = row.get("flag") == Some(Json::Bool(true));
            let rule = text("rule").unwrap_or("?");
            match must_flag {
                true => {
                    self.hard.count(verdict.flagged);
                    self.kinds
                        .entry(format!("rule {rule}"))
                        .or_default()
                        .count(verdict.flagged);
                }
                false => self.alarms.count(verdict.flagged),
            }
            if must_flag != verdict.flagged && lists(if must_flag { "missed" } else { "alarms" }) {
                let outcome = if must_flag { "missed" } else { "false alarm" };
                println!(
                    "{outcome} {set} {rule}: {reply:?}; found {:?}",
                    verdict.reported()
                );
            }
            return;
        }
        let id = text("id").unwrap_or("?");
        let verdict = judge(row.get("messages").expect("messages"), reader);
        let score = verdict.score;
        let Some(planted) = row.get("planted").filter(|planted| !planted.is_null()) else {
            let is_right = known.contains(&(set.to_owned(), id.to_owned()));
            self.alarms.count(verdict.flagged && !is_right);
            let may_alarm = is_right;
            let about = About::Unchanged { may_alarm };
            if lists("facts") {
                for fact in verdict.facts.iter().filter(|_| !is_right) {
                    println!("{}", confidence_line(fact, false));
                }
            }
            self.judged.push(Judged { score, about });
            if verdict.flagged && !is_right && lists("alarms") {
                println!("false alarm {set} {id}: {:?}", verdict.reported());
            }
            return;
        };
        let text = |key| planted.get(key).and_then(Json::as_str).unwrap_or_default();
        let (kind, new) = (text("kind"), text("new").trim_end_matches(','));
        let named = verdict.facts.iter().any(|fact| names(&fact.text, new))
            || verdict
                .misattributed
                .iter()
                .any(|value| names(&value.text, new) || names(&value.record, new));
        let is_named = verdict.flagged && named;
        if lists("facts") {
            let named = verdict.facts.iter().filter(|fact| names(&fact.text, new));
            for fact in named {
                println!("{}", confidence_line(fact, true));
            }
        }
        let about = About::Changed { named };
        self.judged.push(Judged { score, about });
        self.of_kind(kind).count(is_named);
        self.kinds
            .entry(kind.to_owned())
            .or_default()
            .count(is_named);
        if !is_named && lists("missed") {
            let outcome = if verdict.flagged {
                "misnamed"
            } else {
                "missed"
            };
            println!(
                "{outcome} {set} {id}: {kind} {:?} -> {new:?}; found {:?}",
                text("old"),
                verdict.reported()
            );
        }
    }
}

/// Returns a result as the content of a tool message: text unchanged, anything else as JSON.
fn content_of(result: &Value) -> String {
    result
        .as_str()
        .map_or_else(|| result.to_string(), str::to_owned)
}

/// Returns a reported fact as a line of a table: whether it is right, its kind, its confidence, its text, the
/// nearest value.
fn confidence_line(fact: &UnsupportedFact, is_right: bool) -> String {
    let verdict = if is_right { "right" } else { "wrong" };
    let closest = fact.closest.as_ref().map_or("", |closest| &closest.value);
    let (kind, confidence, text) = (fact.kind, fact.confidence, &fact.text);
    format!("fact\t{verdict}\t{kind:?}\t{confidence}\t{text}\t{closest}")
}

/// Returns the messages of a row with one result and one reply.
fn conversation(row: &Value) -> String {
    let call =
        json!({"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}});
    let system = row["system"]
        .as_str()
        .map(|text| json!({"role": "system", "content": text}));
    let messages = [
        json!({"role": "user", "content": row["user"].as_str().unwrap_or_default()}),
        json!({"role": "assistant", "content": "", "tool_calls": [call]}),
        json!({"role": "tool", "tool_call_id": "c1", "content": content_of(&row["result"])}),
        json!({"role": "assistant", "content": row["reply"]}),
    ];
    Value::Array(system.into_iter().chain(messages).collect()).to_string()
}

struct Verdict {
    flagged: bool,
    score: f64,
    facts: Vec<UnsupportedFact>,
    misattributed: Vec<Misattributed>,
}

impl Verdict {
    fn reported(&self) -> Vec<String> {
        let facts = self.facts.iter();
        let texts = facts.map(|fact| format!("{} ({:?})", fact.text, fact.kind));
        let misattributed = self.misattributed.iter().map(|value| {
            let place = |at: &Option<String>| at.clone().unwrap_or_default();
            format!(
                "{} (of {} {}, {} has {} {})",
                value.text,
                value
                    .belongs_to
                    .as_ref()
                    .map(|owner| place(&owner.tool))
                    .unwrap_or_default(),
                value
                    .belongs_to
                    .as_ref()
                    .map(|owner| place(&owner.path))
                    .unwrap_or_default(),
                value.record,
                value.holds.value,
                place(&value.holds.path)
            )
        });
        texts.chain(misattributed).collect()
    }
}

/// Returns whether a fact equals, contains or is part of the changed text.
fn names(text: &str, changed: &str) -> bool {
    text.contains(changed) || changed.contains(text)
}

fn judge<'a>(messages: Json<'a>, reader: Reader<'a>) -> Verdict {
    let trajectory = import_trajectory(messages, None, reader)
        .expect("messages that can be read")
        .value;
    let last = trajectory.turns.len() - 1;
    let grounding = Grounding::of(&trajectory);
    let turn_id = trajectory.turns[last].turn_id;
    let misattributed = grounding.misattributed.into_iter();
    let misattributed: Vec<_> = misattributed
        .filter(|value| value.turn_id == turn_id)
        .collect();
    let found: Vec<_> = grounding
        .replies
        .into_iter()
        .flatten()
        .filter(|fact| fact.turn == last)
        .collect();
    let score = match misattributed.is_empty() {
        true => score(&found),
        false => 1.0,
    };
    Verdict {
        flagged: score > THRESHOLD,
        score,
        facts: found.iter().map(|fact| fact.report(&trajectory)).collect(),
        misattributed,
    }
}
