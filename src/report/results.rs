//! The formats of results of scores and test cases. Like those of checks, these reports consist of a head, a
//! part for each document, and a tail.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::Layout;
use super::finding::location_of;
use super::frame::{Frame, Show, subject_of};
use super::json;
use super::paint::{Page, Tone, counted, visible};
use crate::batch::{Place, UnreadDocument};
use toolgauge_base::gate::Gate;
use toolgauge_formats::ImportWarning;
use toolgauge_model::Json;
use toolgauge_model::error::ErrorReport;

/// The formats of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ResultFormat {
    /// Text for a terminal.
    Pretty,
    /// One JSON document: `{results, summary, gate}`.
    Json,
    /// One JSON value per line: the results only.
    Jsonl,
}

/// How the part of one document is rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultStyle {
    /// The format.
    pub format: ResultFormat,
    /// The layout of reports for people.
    #[serde(default)]
    pub layout: Layout,
    /// Which results reports for people show; `issues` means those below 1.
    #[serde(default)]
    pub show: Show,
    /// Whether the name of the file is shown with each result.
    #[serde(default)]
    pub names_source: bool,
}

impl ResultFormat {
    /// Returns the frame of a report: the given lines for people, and for JSON also the totals at the end.
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

    /// Adds results, or the reason why there are none, to a report for programs.
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

/// Returns the first line of a report for people: the command, the only file or the number of files, and more
/// facts.
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

/// Returns the location of a result, as far as it is shown: `logs.jsonl · line 7 · `.
pub fn shown_place(place: Place<'_>, style: ResultStyle) -> String {
    match location_of(style.shown(place)) {
        location if location.is_empty() => location,
        location => location + " · ",
    }
}

impl ResultStyle {
    /// Returns the part of a location that is shown.
    pub fn shown(self, place: Place<'_>) -> Place<'_> {
        let source = place.source.filter(|_| self.names_source);
        Place { source, ..place }
    }
}

/// Adds the outcome of a document to the report: its verdicts as JSON, or for people the output of
/// `render`, which returns the import warnings.
pub fn add_outcome<Found, Verdict: Serialize>(
    (place, outcome): (Place<'_>, &std::result::Result<Found, ErrorReport>),
    verdicts: impl Iterator<Item = Verdict>,
    style: ResultStyle,
    parts: &mut String,
    render: impl for<'f> FnOnce(&'f Found, &mut Page) -> &'f [ImportWarning],
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
            let import_warnings = render(found, &mut page);
            if style.show == Show::All {
                warnings(&mut page, place, import_warnings, style);
            }
        }
    }
    parts.push_str(&page.into_text());
}

/// Adds a line for a line of the input that could not be read. Problems of a whole file are written to
/// standard error immediately.
pub fn unread_line(page: &mut Page, place: Place<'_>, error: &ErrorReport) {
    if place.line.is_some() {
        let text = visible(&format!(
            "{}  not read: {}",
            location_of(place),
            error.message
        ));
        page.item(0, "✖", Tone::Bad, 2, &text);
    }
}

/// The column at which calls and their details start.
pub const INDENT: usize = 14;

/// Adds a call with the outcome of its comparison.
pub fn call_line(page: &mut Page, tone: Tone, label: &str, tool: &str, arguments: Json<'_>) {
    let room = page.columns().saturating_sub(INDENT);
    let shown = page.call(tool, Some(arguments), room);
    let line = format!("  {}{shown}", page.paint(tone, &format!("{label:<12}")));
    page.line(&line);
}

/// Adds the import warnings of a document, below its name if there are several documents.
fn warnings(page: &mut Page, place: Place<'_>, warnings: &[ImportWarning], style: ResultStyle) {
    if warnings.is_empty() {
        return;
    }
    if let Some(source) = place.source.filter(|_| style.names_source) {
        page.title(source);
    }
    page.warnings(warnings);
}

/// Adds the line with the number of unreadable documents, if there are any.
pub fn unread_total(page: &mut Page, unread: u64, documents: u64) {
    if unread > 0 {
        let text = format!("{unread} of {}", counted(documents, "document"));
        page.item(0, "unread", Tone::Bad, 9, &text);
    }
}

/// Adds the line with the mean score.
pub fn mean_line(page: &mut Page, score: Option<f64>) {
    let score = score.map_or("none".to_owned(), |score| format!("{score:.3} (mean)"));
    page.item(0, "score", Tone::Strong, 9, &score);
}
