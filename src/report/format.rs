//! The formats of reports of a check.

use serde::{Deserialize, Serialize};

use super::digest::{Digest, Room};
use super::paint::{counted, visible};
use super::{Layout, check, github, html, json, junit, markdown, sarif};
use crate::batch::{CheckSummary, CheckedDocument};
use crate::gate::{FailOn, Gate};

/// The formats of reports of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ReportFormat {
    /// Text for a terminal.
    Pretty,
    /// One JSON document: `{results, summary, gate}`.
    Json,
    /// One JSON value per line: the results only.
    Jsonl,
    /// JUnit XML, as Jenkins and Surefire describe it: a suite for each file, a test case for each
    /// trajectory.
    Junit,
    /// SARIF 2.1.0: a result for each issue.
    Sarif,
    /// Workflow commands of GitHub Actions: an annotation for each issue, as many as GitHub shows.
    Github,
    /// GitHub's Markdown, for a comment or a job summary: at most 65,536 bytes.
    Markdown,
    /// One HTML page without scripts and without other files.
    Html,
}

/// What is known before the first document is read.
#[derive(Debug, Clone, Deserialize)]
pub struct Opening {
    /// The command that runs.
    #[serde(default)]
    pub command: ReportedCommand,
    /// The names of the inputs.
    pub sources: Vec<String>,
    /// The number of tools given; `None` if none were given.
    pub tools: Option<usize>,
}

impl Opening {
    /// Names the inputs: the name of the only input, or their number.
    pub fn subject(&self) -> String {
        subject_of(&self.sources)
    }
}

/// Names the inputs: the name of the only input, or their number.
pub fn subject_of(sources: &[String]) -> String {
    match sources {
        [only] => visible(only),
        sources => counted(sources.len(), "file"),
    }
}

/// The commands with a report of totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReportedCommand {
    /// Checks documents.
    #[default]
    Check,
    /// Checks calls by themselves.
    Reflect,
    /// Adds up totals.
    Merge,
}

/// What is known after the last document.
pub struct Closing<'c> {
    /// The totals.
    pub summary: &'c CheckSummary,
    /// Whether the totals pass.
    pub gate: &'c Gate,
}

/// The text around the parts of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Frame {
    /// The text before the parts.
    pub head: String,
    /// The text between two parts.
    pub separator: &'static str,
    /// Whether consecutive empty lines, where two parts meet, become one.
    pub collapses: bool,
    /// The text after the parts; absent before the end.
    pub tail: Option<String>,
    /// Whether the parts are gathered for the tail instead of being written.
    pub gathers: bool,
}

/// How the part of one document is rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PartStyle {
    /// The layout of reports for people.
    pub layout: Layout,
    /// Which trajectories reports for people show.
    pub show: Show,
    /// Whether file names are shown: above the first part of each of several files, or with each trajectory
    /// if not all are shown.
    pub names_source: bool,
    /// Whether this is the only document. All calls of a single trajectory are then shown.
    pub alone: bool,
}

/// Which trajectories a report for people shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Show {
    /// All of them; those without issues in one line each.
    #[default]
    All,
    /// Those with issues.
    Issues,
    /// Those with issues that fail the check.
    Failing,
    /// None, only the totals.
    None,
}

impl Default for PartStyle {
    fn default() -> Self {
        Self {
            layout: Layout::default(),
            show: Show::All,
            names_source: false,
            alone: true,
        }
    }
}

impl ReportFormat {
    /// Returns the frame of the report; without `closing` the part that is known before the end. `gathered`
    /// holds the gathered parts, if any.
    pub fn frame(
        self,
        opening: &Opening,
        closing: Option<&Closing<'_>>,
        gathered: &Digest,
        layout: Layout,
    ) -> Frame {
        let (head, separator) = match self {
            Self::Pretty => (check::head(opening, layout), ""),
            Self::Json => (json::HEAD.to_owned(), ",\n"),
            Self::Jsonl => (String::new(), "\n"),
            Self::Junit => (junit::HEAD.to_owned(), ""),
            Self::Sarif => (sarif::head(), ",\n"),
            Self::Github | Self::Markdown | Self::Html => (String::new(), ""),
        };
        let tail = closing.map(|closing| match self {
            Self::Pretty => check::tail(closing, layout),
            Self::Json => json::tail(closing.summary, closing.gate),
            Self::Jsonl => json::line_end(closing).to_owned(),
            Self::Junit => junit::tail(closing),
            Self::Sarif => sarif::tail(closing),
            Self::Github => github::render(opening, closing, gathered),
            Self::Markdown => markdown::render(opening, closing, gathered),
            Self::Html => html::render(opening, closing, gathered),
        });
        Frame {
            head,
            separator,
            collapses: self == Self::Pretty,
            tail,
            gathers: self.room().is_some(),
        }
    }

    /// Returns an empty digest for formats that gather their parts. It follows one after which only entries
    /// with this rank are accepted.
    pub fn digest(self, least_rank: u64) -> Option<Digest> {
        Some(Digest::following(least_rank, self.room()?))
    }

    /// Returns how much of a batch is kept, for formats that gather their parts.
    fn room(self) -> Option<Room> {
        match self {
            Self::Github => Some(github::ROOM),
            Self::Markdown => Some(markdown::ROOM),
            Self::Html => Some(html::ROOM),
            Self::Pretty | Self::Json | Self::Jsonl | Self::Junit | Self::Sarif => None,
        }
    }
}

/// Renders the report of a run of documents.
pub struct PartWriter {
    format: ReportFormat,
    style: PartStyle,
    part: Part,
}

enum Part {
    Text(String),
    Suite(Box<junit::Suite>),
    Digest(Box<Digest>),
}

impl PartWriter {
    /// Creates a part without documents. `fail_on` decides which issues fail. If parts are gathered, this one
    /// follows a part after which only entries with this rank are accepted.
    pub fn new(format: ReportFormat, style: PartStyle, fail_on: FailOn, least_rank: u64) -> Self {
        let part = match (format, format.digest(least_rank)) {
            (_, Some(digest)) => Part::Digest(Box::new(digest)),
            (ReportFormat::Junit, None) => Part::Suite(Box::new(junit::Suite::new(fail_on))),
            (_, None) => Part::Text(String::new()),
        };
        Self {
            format,
            style,
            part,
        }
    }

    /// Adds a document; there may be nothing to show for it.
    pub fn add(&mut self, document: &CheckedDocument<'_, '_>) {
        let names_source = self.style.names_source || document.place.line.is_some();
        match &mut self.part {
            Part::Suite(suite) => suite.add(document),
            Part::Digest(digest) => {
                digest.add_document(document);
                match self.format {
                    ReportFormat::Github => github::add(document, digest),
                    ReportFormat::Markdown => markdown::add(document, names_source, digest),
                    _ => html::add(document, names_source, digest),
                }
            }
            Part::Text(text) => match self.format {
                ReportFormat::Pretty => check::add_part(document, self.style, text),
                ReportFormat::Json => json::add_part(document, ",\n", text),
                ReportFormat::Sarif => sarif::add_part(document, text),
                _ => json::add_part(document, "\n", text),
            },
        }
    }

    /// Returns the part: text to write, or JSON to gather.
    pub fn finish(self) -> String {
        let (text, digest) = self.settle();
        digest.map_or(text, |digest| json::to_json(&digest))
    }

    /// Returns the part: text to write, or the digest to gather.
    fn settle(self) -> (String, Option<Box<Digest>>) {
        match self.part {
            Part::Text(text) => (text, None),
            Part::Suite(suite) => (suite.finish(), None),
            Part::Digest(mut digest) => {
                digest.settle();
                (String::new(), Some(digest))
            }
        }
    }
}

/// Renders the report of a single document; `closing` must describe that document only.
pub fn render_document(
    format: ReportFormat,
    document: &CheckedDocument<'_, '_>,
    opening: &Opening,
    closing: &Closing<'_>,
    style: PartStyle,
    fail_on: FailOn,
) -> String {
    let mut writer = PartWriter::new(format, style, fail_on, 0);
    writer.add(document);
    let (part, digest) = writer.settle();
    let digest = digest.unwrap_or_default();
    let frame = format.frame(opening, Some(closing), &digest, style.layout);
    frame.head + &part + frame.tail.as_deref().unwrap_or_default()
}
