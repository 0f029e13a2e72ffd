//! The reports of scores and test cases. Like those of checks, they consist of a head, a part for each run of
//! documents, and a tail.

use serde::{Deserialize, Serialize};

use super::Layout;
use super::compared::{
    Compared, ComparedDocument, ComparedFormat, ComparedPart, ResultClosing, ResultOpening,
    compared_frame,
};
use super::digest::Digest;
use super::finding::location_of;
use super::frame::{Frame, Show, subject_of};
use super::json;
use super::paint::{Page, Tone, counted, visible};
use super::syntax::ReportFormat;
use crate::batch::{Place, UnreadDocument};
use toolgauge_base::gate::Gate;
use toolgauge_base::trials::Trials;
use toolgauge_formats::ImportWarning;
use toolgauge_model::Json;
use toolgauge_model::error::{ErrorCode, ErrorReport};

/// How the part of one document is rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultStyle {
    /// The format.
    pub format: ReportFormat,
    /// The layout of reports for people.
    #[serde(default)]
    pub layout: Layout,
    /// Which results reports for people show; `issues` means those below 1.
    #[serde(default)]
    pub show: Show,
    /// Whether the name of the file is shown with each result.
    #[serde(default)]
    pub names_source: bool,
    /// The least rank of an entry that still fits the report, if parts are gathered.
    #[serde(default)]
    pub least_rank: u64,
}

/// How a report of results is written.
enum Written {
    Pretty,
    /// JSON values with this text between them.
    Values(&'static str),
    Compared(ComparedFormat),
}

fn written(format: ReportFormat) -> Written {
    match format {
        ReportFormat::Pretty => Written::Pretty,
        ReportFormat::Json => Written::Values(",\n"),
        ReportFormat::Jsonl => Written::Values("\n"),
        ReportFormat::Junit => Written::Compared(ComparedFormat::Junit),
        ReportFormat::Sarif => Written::Compared(ComparedFormat::Sarif),
        ReportFormat::Github => Written::Compared(ComparedFormat::Github),
        ReportFormat::Markdown => Written::Compared(ComparedFormat::Markdown),
        ReportFormat::Html => Written::Compared(ComparedFormat::Html),
    }
}

/// The totals of results, which all reports need.
pub trait ResultSummary: Serialize {
    /// Returns what is known after the last document.
    fn closing<'c>(&'c self, gate: &'c Gate, trials: Option<&'c Trials>) -> ResultClosing<'c>;

    /// Renders the totals for people.
    fn totals(&self, gate: &Gate, trials: Option<&Trials>, layout: Layout) -> String;
}

/// Returns the text around the parts of a report: for people with the given head. Without `closing` only the head is
/// known. `gathered` holds the parts if they are gathered.
pub fn result_frame(
    format: ReportFormat,
    (opening, facts): (ResultOpening<'_>, &[String]),
    closing: Option<(&impl ResultSummary, &Gate, Option<&Trials>)>,
    gathered: &Digest,
    layout: Layout,
) -> Frame {
    match written(format) {
        Written::Pretty => Frame {
            head: result_head(opening, facts, layout),
            collapses: true,
            tail: closing.map(|(summary, gate, trials)| summary.totals(gate, trials, layout)),
            ..Frame::default()
        },
        Written::Values(separator) => {
            let is_lines = format == ReportFormat::Jsonl;
            let tail = |(summary, gate, trials)| match is_lines {
                true => "\n".to_owned(),
                false => json::tail(summary, gate, trials),
            };
            Frame {
                head: if is_lines { "" } else { json::HEAD }.to_owned(),
                separator,
                tail: closing.map(tail),
                ..Frame::default()
            }
        }
        Written::Compared(format) => {
            let closing = closing.map(|(summary, gate, trials)| summary.closing(gate, trials));
            compared_frame(format, opening, closing.as_ref(), gathered)
        }
    }
}

/// The part of a report for a run of documents.
pub struct ResultPart {
    style: ResultStyle,
    text: String,
    unread: UnreadLines,
    compared: Option<ComparedPart>,
}

impl ResultPart {
    /// Creates an empty part.
    pub fn new(style: ResultStyle) -> Self {
        let compared = match written(style.format) {
            Written::Compared(format) => Some(ComparedPart::new(format, style.least_rank)),
            Written::Pretty | Written::Values(_) => None,
        };
        Self {
            style,
            text: String::new(),
            unread: UnreadLines::default(),
            compared,
        }
    }

    /// Adds the outcome of the document at `place`: its `verdicts` as JSON, what `compared` makes of it, or for people
    /// the output of `render`, which returns the import warnings.
    pub fn add<'d, Found, Verdict: Serialize>(
        &mut self,
        (place, outcome): (Place<'d>, &'d std::result::Result<Found, ErrorReport>),
        verdicts: impl Iterator<Item = Verdict>,
        compared: impl FnOnce(&'d Found) -> (Vec<Compared<'d>>, &'d [ImportWarning]),
        render: impl FnOnce(&'d Found, ResultStyle, &mut Page) -> &'d [ImportWarning],
    ) {
        let style = self.style;
        if let Some(part) = &mut self.compared {
            let document = ComparedDocument {
                place,
                outcome: outcome.as_ref().map(compared),
            };
            return part.add(&document, style.names_source || place.line.is_some());
        }
        if let Written::Values(separator) = written(style.format) {
            let error = outcome.as_ref().err();
            let unread = error.map(|error| UnreadDocument { place, error });
            json::add_lines(verdicts, separator, &mut self.text);
            return json::add_lines(unread.into_iter(), separator, &mut self.text);
        }
        let mut page = Page::new(style.layout);
        match outcome {
            Err(error) => self.unread.add(&mut page, style.shown(place), error),
            Ok(found) => {
                let import_warnings = render(found, style, &mut page);
                if style.show == Show::All {
                    warnings(&mut page, place, import_warnings, style);
                }
            }
        }
        page.add_to(&mut self.text);
    }

    /// Returns the part: text to be written, or a digest to be gathered, as JSON.
    pub fn finish(self) -> String {
        let mut page = Page::new(self.style.layout);
        self.unread.finish(&mut page);
        match self.compared {
            Some(part) => part.finish(),
            None => self.text + &page.into_text(),
        }
    }
}

/// Returns the first line of a report for people: the command, the only file or the number of files, and more
/// facts.
fn result_head(opening: ResultOpening<'_>, facts: &[String], layout: Layout) -> String {
    let subject = subject_of(opening.sources);
    let mut page = Page::new(layout);
    let facts = std::iter::once(&subject).chain(facts);
    page.heading(
        &format!("toolgauge {}", opening.command),
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

/// The lines of the input that could not be read, in one part of a report for people. Problems of a whole file are
/// written to standard error immediately.
#[derive(Default)]
pub struct UnreadLines {
    /// The first lines in no known format, after the one that was written.
    more: Vec<usize>,
    /// How many lines are in no known format.
    unknown: usize,
}

/// The most lines in no known format whose numbers are written.
const MOST_NUMBERS: usize = 3;

impl UnreadLines {
    /// Adds the line for the document at `place`, which could not be read. If many lines are in no known format,
    /// only the first says why: most often the whole file is.
    pub fn add(&mut self, page: &mut Page, place: Place<'_>, error: &ErrorReport) {
        let Some(line) = place.line else {
            return;
        };
        if error.code == ErrorCode::UnknownFormat {
            self.unknown += 1;
            if self.unknown > 1 {
                self.more
                    .extend((self.more.len() < MOST_NUMBERS).then_some(line));
                return;
            }
        }
        let text = format!("{}  not read: {}", location_of(place), error.message);
        page.item(0, "✖", Tone::Bad, 2, &visible(&text));
    }

    /// Adds the lines that were not written.
    pub fn finish(&self, page: &mut Page) {
        let numbers: Vec<_> = self.more.iter().map(usize::to_string).collect();
        let others = self.unknown.saturating_sub(1 + numbers.len());
        let noun = if numbers.len() == 1 { "line" } else { "lines" };
        let others = match others {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        if !numbers.is_empty() {
            let numbers = numbers.join(", ");
            let text =
                format!("{noun} {numbers}{others}  not read: no known trajectory format, either");
            page.item(0, "✖", Tone::Bad, 2, &text);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn written(unknown: std::ops::RangeInclusive<usize>) -> String {
        let (mut lines, mut page) = (UnreadLines::default(), Page::new(Layout::default()));
        let mut add = |line, code, message: &str| {
            let error = ErrorReport {
                code,
                message: message.to_owned(),
                path: None,
                expected: None,
            };
            let place = Place {
                source: None,
                line: Some(line),
            };
            lines.add(&mut page, place, &error);
        };
        add(1, ErrorCode::InvalidJson, "not valid JSON");
        for line in unknown {
            add(line, ErrorCode::UnknownFormat, "no known format");
        }
        add(2_000, ErrorCode::InvalidJson, "not valid JSON");
        lines.finish(&mut page);
        page.into_text()
    }

    #[test]
    fn an_unknown_format_is_explained_once() {
        let start = "✖ line 1  not read: not valid JSON\n✖ line 2  not read: no known format\n";
        let end = "✖ line 2000  not read: not valid JSON\n";
        let either = "not read: no known trajectory format, either\n";
        assert_eq!(written(2..=2), format!("{start}{end}"));
        assert_eq!(written(2..=3), format!("{start}{end}✖ line 3  {either}"));
        assert_eq!(
            written(2..=1_001),
            format!("{start}{end}✖ lines 3, 4, 5 and 996 more  {either}")
        );
    }
}
