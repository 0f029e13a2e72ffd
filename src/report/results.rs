//! The formats of the results of scores and test cases, whose reports are made of a head, a part for each
//! document, and a tail, as those of checks are.

use serde::{Deserialize, Serialize};

use super::Layout;
use super::format::{Frame, Show};
use super::paint::{Page, Tone, counted, visible};
use crate::batch::{Place, UnreadDocument};
use crate::formats::ImportWarning;
use crate::gate::Gate;

/// The formats of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultFormat {
    /// For people who read a terminal.
    Pretty,
    /// One JSON document: `{results, summary, gate}`.
    Json,
    /// One JSON value a line: the results alone.
    Jsonl,
}

/// How the part of one document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultStyle {
    /// The format.
    pub format: ResultFormat,
    /// How reports for people are laid out.
    #[serde(default)]
    pub layout: Layout,
    /// Which results they show: `issues` are those under 1.
    #[serde(default)]
    pub show: Show,
    /// Whether the name of the file is told with each result.
    #[serde(default)]
    pub names_source: bool,
}

impl ResultFormat {
    /// What stands around the parts: of reports for people these lines, of JSON also the totals at the end.
    pub fn frame(
        self,
        head: impl FnOnce() -> String,
        closing: Option<(&impl Serialize, &Gate)>,
        tail: impl FnOnce() -> String,
    ) -> Frame {
        match self {
            Self::Pretty => Frame {
                head: head(),
                separator: "",
                collapses: true,
                gathers: false,
                tail: closing.map(|_| tail()),
            },
            Self::Json => Frame {
                head: "{\"results\":[\n".to_owned(),
                separator: ",\n",
                collapses: false,
                gathers: false,
                tail: closing.map(|(summary, gate)| {
                    let (summary, gate) = (to_json(summary), to_json(gate));
                    format!("\n],\n\"summary\":{summary},\n\"gate\":{gate}}}\n")
                }),
            },
            Self::Jsonl => Frame {
                separator: "\n",
                tail: closing.map(|_| "\n".to_owned()),
                ..Frame::default()
            },
        }
    }

    /// Adds results, or why there are none, to the parts before, where programs read them.
    pub fn add_json<Verdict: Serialize>(
        self,
        verdicts: impl Iterator<Item = Verdict>,
        unread: Option<UnreadDocument<'_>>,
        parts: &mut String,
    ) {
        let separator = if self == Self::Json { ",\n" } else { "\n" };
        let unread = unread.map(|unread| to_json(&unread));
        for result in verdicts.map(|verdict| to_json(&verdict)).chain(unread) {
            if !parts.is_empty() {
                parts.push_str(separator);
            }
            parts.push_str(&result);
        }
    }
}

/// The first line of a report for people: the command, the one file or how many, and more facts.
pub fn result_head(command: &str, sources: &[String], facts: &[String], layout: Layout) -> String {
    let subject = match sources {
        [only] => visible(only),
        sources => counted(sources.len(), "file"),
    };
    let mut page = Page::new(layout);
    let facts = std::iter::once(&subject).chain(facts);
    page.heading(
        command,
        &facts.map(String::as_str).collect::<Vec<_>>().join(" · "),
    );
    page.into_text()
}

/// The place of a result: `logs.jsonl · line 7 · `, as far as it is to be told.
pub fn told_place(place: Place<'_>, style: ResultStyle) -> String {
    let source = place.source.filter(|_| style.names_source).map(visible);
    let line = place.line.map(|line| format!("line {line}"));
    let told = source.into_iter().chain(line);
    told.map(|fact| fact + " · ").collect()
}

/// Tells of a line that could not be read. What is wrong with a whole file is told at once, on standard
/// error.
pub fn unread_line(page: &mut Page, unread: UnreadDocument<'_>, style: ResultStyle) {
    let Some(line) = unread.line else { return };
    let source = unread.source.filter(|_| style.names_source).map(visible);
    let source = source.map_or(String::new(), |source| source + " · ");
    let text = format!(
        "{source}line {line}  not read: {}",
        visible(&unread.error.message)
    );
    page.item(0, "✖", Tone::Bad, 2, &text);
}

/// What of a document could not be brought over; where there are several, below its name.
pub fn warnings(page: &mut Page, place: Place<'_>, warnings: &[ImportWarning], style: ResultStyle) {
    if warnings.is_empty() {
        return;
    }
    if let Some(source) = place.source.filter(|_| style.names_source) {
        page.title(source);
    }
    page.warnings(warnings);
}

/// The line that tells how many documents could not be read, if any.
pub fn unread_total(page: &mut Page, unread: u64, documents: u64) {
    if unread > 0 {
        let text = format!("{unread} of {}", counted(documents, "document"));
        page.item(0, "unread", Tone::Bad, 9, &text);
    }
}

/// The line of the mean score.
pub fn mean_line(page: &mut Page, score: Option<f64>) {
    let score = score.map_or("none".to_owned(), |score| format!("{score:.3} (mean)"));
    page.item(0, "score", Tone::Strong, 9, &score);
}

/// Results are plain data: writing them to memory can't fail.
fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data is always JSON")
}
