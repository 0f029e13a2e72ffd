//! The formats of the results of scores and test cases, whose reports are made of a head, a part for each
//! document, and a tail, as those of checks are.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::Layout;
use super::finding::tell;
use super::frame::{Frame, Show, subject_of};
use super::json;
use super::paint::{Page, Tone, counted, visible};
use crate::batch::{Place, UnreadDocument};
use crate::error::ErrorReport;
use crate::formats::ImportWarning;
use crate::gate::Gate;
use crate::model::Json;

/// The formats of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
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
    pub fn frame<Summary: Serialize>(
        self,
        head: impl FnOnce() -> String,
        closing: Option<(&Summary, &Gate)>,
        tail: impl FnOnce(&Summary, &Gate) -> String,
    ) -> Frame {
        match self {
            Self::Pretty => Frame {
                head: head(),
                collapses: true,
                tail: closing.map(|(summary, gate)| tail(summary, gate)),
                ..Frame::default()
            },
            Self::Json => Frame {
                head: json::HEAD.to_owned(),
                separator: ",\n",
                tail: closing.map(|(summary, gate)| json::tail(summary, gate)),
                ..Frame::default()
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
        json::add_lines(verdicts, separator, parts);
        json::add_lines(unread.into_iter(), separator, parts);
    }
}

/// The first line of a report for people: the command, the one file or how many, and more facts.
pub fn result_head(command: &str, sources: &[String], facts: &[String], layout: Layout) -> String {
    let subject = subject_of(sources);
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
    match tell(style.shown(place)) {
        told if told.is_empty() => told,
        told => told + " · ",
    }
}

impl ResultStyle {
    /// As much of a place as is told.
    pub fn shown(self, place: Place<'_>) -> Place<'_> {
        let source = place.source.filter(|_| self.names_source);
        Place { source, ..place }
    }
}

/// Adds what a document holds to the parts before it: its verdicts as JSON, or to a page for people what `tell`
/// says, which gives the warnings of its import.
pub fn add_outcome<Found, Verdict: Serialize>(
    (place, outcome): (Place<'_>, &std::result::Result<Found, ErrorReport>),
    verdicts: impl Iterator<Item = Verdict>,
    style: ResultStyle,
    parts: &mut String,
    tell: impl for<'f> FnOnce(&'f Found, &mut Page) -> &'f [ImportWarning],
) {
    let error = outcome.as_ref().err();
    if style.format != ResultFormat::Pretty {
        let unread = error.map(|error| UnreadDocument { place, error });
        return style.format.add_json(verdicts, unread, parts);
    }
    let mut page = Page::new(style.layout);
    match outcome {
        Err(error) => unread_line(&mut page, style.shown(place), error),
        Ok(found) => {
            let told = tell(found, &mut page);
            if style.show == Show::All {
                warnings(&mut page, place, told, style);
            }
        }
    }
    parts.push_str(&page.into_text());
}

/// Tells of a line that could not be read. What is wrong with a whole file is told at once, on standard
/// error.
pub fn unread_line(page: &mut Page, place: Place<'_>, error: &ErrorReport) {
    if place.line.is_some() {
        let text = visible(&format!("{}  not read: {}", tell(place), error.message));
        page.item(0, "✖", Tone::Bad, 2, &text);
    }
}

/// Where calls start, and what is said of them.
pub const INDENT: usize = 14;

/// A call, and what was made of it.
pub fn call_line(page: &mut Page, tone: Tone, label: &str, tool: &str, arguments: Json<'_>) {
    let room = page.columns().saturating_sub(INDENT);
    let shown = page.call(tool, Some(arguments), room);
    let line = format!("  {}{shown}", page.paint(tone, &format!("{label:<12}")));
    page.line(&line);
}

/// What of a document could not be brought over; where there are several, below its name.
fn warnings(page: &mut Page, place: Place<'_>, warnings: &[ImportWarning], style: ResultStyle) {
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
