//! Replies labelled by hand come out as they do today, domain by domain.
//!
//! Each file of `tests/fixtures/grounding` is a domain and holds one JSON object a line, in the form that
//! `examples/grounding.rs` reads. Half of the replies are true. In the other half exactly one fact is wrong: `wrong`, or
//! `planted.new`. It counts as found only if it is named.
//!
//! A row that is judged wrongly today has a mark, `"known": "missed"` or `"known": "alarm"`. The test fails if a row
//! without a mark is judged wrongly, so that no change makes the figures worse unnoticed. It also fails if a row with a
//! mark is judged rightly, so that the marks stay true.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use bumpalo::Bump;
use serde::Deserialize;
use serde_json::{Value, json};
use toolgauge::facts::FactKind;
use toolgauge::formats::import_trajectory;
use toolgauge::grounding::{Grounding, THRESHOLD, score};
use toolgauge::model::{Limits, Reader};

/// What can be wrong with a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mistake {
    /// A wrong fact was not reported.
    Missed,
    /// A true reply was flagged.
    Alarm,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missed => "missed",
            Self::Alarm => "alarm",
        })
    }
}

#[derive(Deserialize)]
struct Row {
    /// The mistake that is made today.
    known: Option<Mistake>,
    #[serde(flatten)]
    case: Case,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Case {
    /// One reply to one result.
    Reply {
        user: String,
        system: Option<String>,
        result: Value,
        reply: String,
        /// Whether a fact is wrong.
        flag: bool,
        /// The wrong fact.
        wrong: Option<String>,
    },
    /// A conversation whose last message is the reply.
    Conversation {
        planted: Option<Planted>,
        messages: Value,
    },
}

/// The fact that was changed.
#[derive(Deserialize)]
struct Planted {
    new: String,
}

/// A result as a message of a tool carries it: text as it is, all else as JSON.
fn content_of(result: &Value) -> String {
    result
        .as_str()
        .map_or_else(|| result.to_string(), str::to_owned)
}

impl Case {
    fn messages(&self) -> Value {
        let (user, system, result, reply) = match self {
            Self::Conversation { messages, .. } => return messages.clone(),
            Self::Reply {
                user,
                system,
                result,
                reply,
                ..
            } => (user, system, result, reply),
        };
        let call = json!({"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}});
        let system = system
            .iter()
            .map(|text| json!({"role": "system", "content": text}));
        let messages = [
            json!({"role": "user", "content": user}),
            json!({"role": "assistant", "content": "", "tool_calls": [call]}),
            json!({"role": "tool", "tool_call_id": "c1", "content": content_of(result)}),
            json!({"role": "assistant", "content": reply}),
        ];
        system.chain(messages).collect()
    }

    fn has_wrong_fact(&self) -> bool {
        match self {
            Self::Reply { flag, .. } => *flag,
            Self::Conversation { planted, .. } => planted.is_some(),
        }
    }

    /// Whether the reported text is, contains or is part of the wrong fact. If the row does not say which fact that is, any
    /// will do.
    fn is_named_by(&self, reported: &Reported) -> bool {
        let wrong = match self {
            Self::Reply { wrong, .. } => wrong.as_ref(),
            Self::Conversation { planted, .. } => planted.as_ref().map(|planted| &planted.new),
        };
        let text = reported.text.as_str();
        wrong.is_none_or(|wrong| text.contains(wrong.as_str()) || wrong.contains(text))
    }

    fn mistake(&self, verdict: &Verdict) -> Option<Mistake> {
        match (self.has_wrong_fact(), verdict.is_flagged) {
            (true, is_flagged) => {
                let mut reported = verdict.reported.iter();
                let is_found = is_flagged && reported.any(|fact| self.is_named_by(fact));
                (!is_found).then_some(Mistake::Missed)
            }
            (false, is_flagged) => is_flagged.then_some(Mistake::Alarm),
        }
    }
}

struct Verdict {
    is_flagged: bool,
    /// All facts reported in the reply.
    reported: Vec<Reported>,
}

struct Reported {
    text: String,
    /// What no evidence shows has a kind.
    kind: Option<FactKind>,
}

fn judge(messages: &str) -> Verdict {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let messages = reader
        .read_text(arena.alloc_str(messages))
        .expect("messages in JSON");
    let trajectory = import_trajectory(messages, None, reader)
        .expect("messages that can be imported")
        .value;
    let last = trajectory.turns.len() - 1;
    let turn_id = trajectory.turns[last].turn_id;
    let grounding = Grounding::of(&trajectory);
    let unsupported = grounding.replies.into_iter().flatten();
    let unsupported: Vec<_> = unsupported.filter(|fact| fact.turn == last).collect();
    let misattributed = grounding.misattributed.into_iter();
    let misattributed: Vec<_> = misattributed
        .filter(|value| value.turn_id == turn_id)
        .collect();
    let is_flagged = !misattributed.is_empty() || score(&unsupported) > THRESHOLD;
    let unsupported = unsupported.iter().map(|fact| {
        let fact = fact.report(&trajectory);
        Reported {
            text: fact.text,
            kind: Some(fact.kind),
        }
    });
    let misattributed = misattributed
        .into_iter()
        .flat_map(|value| [value.text, value.record])
        .map(|text| Reported { text, kind: None });
    Verdict {
        is_flagged,
        reported: unsupported.chain(misattributed).collect(),
    }
}

/// The figures of one domain.
#[derive(Default)]
struct Figures {
    wrong_facts: usize,
    named: usize,
    true_replies: usize,
    alarms: usize,
}

impl Figures {
    fn add(&mut self, other: &Self) {
        self.wrong_facts += other.wrong_facts;
        self.named += other.named;
        self.true_replies += other.true_replies;
        self.alarms += other.alarms;
    }

    fn count(&mut self, case: &Case, mistake: Option<Mistake>) {
        if case.has_wrong_fact() {
            self.wrong_facts += 1;
            self.named += usize::from(mistake.is_none());
        } else {
            self.true_replies += 1;
            self.alarms += usize::from(mistake.is_some());
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            wrong_facts,
            named,
            true_replies,
            alarms,
        } = self;
        write!(
            f,
            "{named}/{wrong_facts} wrong facts named, {alarms}/{true_replies} true replies flagged"
        )
    }
}

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/grounding");
    let entries = fs::read_dir(folder).expect("the folder of fixtures");
    let files = entries.map(|entry| entry.expect("a file").path());
    let mut files: Vec<_> = files
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "jsonl")
        })
        .collect();
    files.sort();
    files
}

/// What to say about a row that does not come out as its mark says.
fn complaint(known: Option<Mistake>, found: Option<Mistake>) -> Option<String> {
    match (known, found) {
        (None, None) => None,
        (Some(known), Some(found)) => (known != found)
            .then(|| format!("has the mark {known}, but with its label it can only be {found}")),
        (Some(known), None) => Some(format!(
            "is judged rightly now: remove its mark, \"known\": \"{known}\""
        )),
        (None, Some(Mistake::Missed)) => {
            Some("the wrong fact is missed, which was named before".to_owned())
        }
        (None, Some(Mistake::Alarm)) => {
            Some("the true reply is flagged, which was not flagged before".to_owned())
        }
    }
}

/// What all fixtures came out as.
#[derive(Default)]
struct Measured {
    domains: BTreeMap<String, Figures>,
    /// The names of the kinds of the wrong facts that were named.
    kinds: BTreeSet<String>,
    complaints: Vec<String>,
}

impl Measured {
    fn add(&mut self, domain: &str, place: &str, row: &Row) {
        let verdict = judge(&row.case.messages().to_string());
        let mistake = row.case.mistake(&verdict);
        let figures = self.domains.entry(domain.to_owned()).or_default();
        figures.count(&row.case, mistake);
        if let Some(complaint) = complaint(row.known, mistake) {
            self.complaints.push(format!("{place}: {complaint}"));
        }
        if row.case.has_wrong_fact() && mistake.is_none() {
            let reported = verdict.reported.iter();
            let named = reported.filter(|fact| row.case.is_named_by(fact));
            self.kinds
                .extend(named.filter_map(|fact| Some(name_of(fact.kind?))));
        }
    }
}

fn name_of(kind: FactKind) -> String {
    let name = serde_json::to_value(kind).expect("plain data");
    name.as_str().expect("a name").to_owned()
}

static MEASURED: LazyLock<Measured> = LazyLock::new(|| {
    let mut measured = Measured::default();
    for path in fixtures() {
        let domain = path.file_stem().expect("a file name").to_string_lossy();
        let text = fs::read_to_string(&path).expect("a readable fixture");
        for (index, line) in text.lines().enumerate() {
            let place = format!("tests/fixtures/grounding/{domain}.jsonl:{}", index + 1);
            let row: Row =
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{place}: {error}"));
            measured.add(&domain, &place, &row);
        }
    }
    measured
});

/// The text of a file of the project, in one line.
fn text_of(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(path).expect("a readable file");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn labelled_replies_are_judged_as_well_as_before() {
    let Measured {
        domains,
        complaints,
        ..
    } = &*MEASURED;
    assert!(!domains.is_empty(), "there are no fixtures");
    let figures = domains
        .iter()
        .map(|(domain, figures)| format!("{domain}: {figures}"));
    let figures = figures.collect::<Vec<_>>().join("\n");
    println!("{figures}");
    assert!(
        complaints.is_empty(),
        "{figures}\n\n{}",
        complaints.join("\n")
    );
}

/// The kinds of facts that are too unsure to flag a reply by themselves.
const UNSURE: [FactKind; 1] = [FactKind::Quote];

#[test]
fn a_wrong_fact_of_every_kind_is_named_in_a_labelled_reply() {
    let types = text_of("pkg-template/src/types.ts");
    let (_, declared) = types
        .split_once("export type FactKind = ")
        .expect("the kinds");
    let (declared, _) = declared.split_once(';').expect("the end of the kinds");
    let names = declared.split(" | ").map(|name| name.trim_matches('"'));
    let all: BTreeSet<_> = names.map(str::to_owned).collect();
    let unsure = UNSURE.into_iter().map(name_of);
    let named: BTreeSet<_> = MEASURED.kinds.iter().cloned().chain(unsure).collect();
    let missing: Vec<_> = all.difference(&named).collect();
    assert!(
        missing.is_empty(),
        "no wrong fact of these kinds is named: {missing:?}"
    );
}

#[test]
fn the_document_states_the_figures_of_the_labelled_replies() {
    let document = text_of("docs/grounding.md");
    let mut all = Figures::default();
    MEASURED
        .domains
        .values()
        .for_each(|figures| all.add(figures));
    let replies = all.wrong_facts + all.true_replies;
    let share = |part: usize, whole: usize| {
        let percent = (100.0 * part as f64 / whole as f64).round();
        format!("{percent}% ({part} of {whole})")
    };
    let domains = MEASURED.domains.len();
    for stated in [
        format!("contains {replies} replies in {domains} domains"),
        format!(
            "| all of them | {} | {} |",
            share(all.named, all.wrong_facts),
            share(all.alarms, all.true_replies)
        ),
    ] {
        assert!(document.contains(&stated), "docs/grounding.md: {stated}");
    }
}
