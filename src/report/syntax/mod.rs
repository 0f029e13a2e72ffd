//! The syntaxes of the report of a check, one file each.
//!
//! To add a syntax: write a file with a type that implements [`Syntax`], and name it in [`ReportFormat`] and
//! [`ReportFormat::syntax`].

pub(super) mod github;
pub(super) mod html;
mod json;
mod jsonl;
pub(super) mod junit;
pub(super) mod markdown;
mod pretty;
pub(super) mod sarif;
mod whole;

pub(super) use markdown::escape as escape_markdown;
pub use pretty::render_check;

use serde::Deserialize;
use strum::{IntoStaticStr, VariantArray};

use super::Layout;
use super::digest::{Digest, Room};
use super::frame::{Closing, Frame, Opening, PartStyle};
use super::json::to_json;
use crate::batch::CheckedDocument;
use toolgauge_base::gate::FailOn;

/// The formats of reports of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, IntoStaticStr, VariantArray)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
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

/// How reports are written. No method has a default: each syntax decides all of this.
trait Syntax {
    /// Where the parts go.
    fn parts(&self) -> Parts;

    /// The text before the parts, as far as it is known before the first document is read.
    fn head(&self, opening: &Opening, layout: Layout) -> String;

    /// A part without documents.
    fn open(&self, setting: PartSetting) -> Box<dyn Part>;

    /// The text after the parts. `gathered` holds the parts if they are gathered.
    fn tail(
        &self,
        opening: &Opening,
        closing: &Closing<'_>,
        gathered: &Digest,
        layout: Layout,
    ) -> String;
}

/// Where the parts of a report go.
enum Parts {
    /// Into the report, as they come.
    Written {
        /// The text between two parts.
        separator: &'static str,
        /// Whether empty lines in a row, where two parts meet, become one.
        collapses: bool,
    },
    /// Into a digest with this much room, which the tail is made of.
    Gathered(Room),
}

/// How a part is written.
#[derive(Debug, Clone, Copy)]
struct PartSetting {
    style: PartStyle,
    /// Which issues make the check fail.
    fail_on: FailOn,
    /// The least rank of an entry that still fits the report, if parts are gathered.
    least_rank: u64,
}

impl PartSetting {
    /// Whether the name of the file is written with each trajectory.
    fn names_source(self, document: &CheckedDocument<'_, '_>) -> bool {
        self.style.names_source || document.place.line.is_some()
    }
}

/// The documents of one part, as far as they were added.
trait Part {
    /// Adds a document, which may have nothing to report.
    fn add(&mut self, document: &CheckedDocument<'_, '_>);

    /// The part.
    fn finish(self: Box<Self>) -> Finished;
}

/// A part that is complete.
enum Finished {
    Written(String),
    Gathered(Box<Digest>),
}

/// A part that is written document by document.
struct WrittenPart {
    add: fn(&CheckedDocument<'_, '_>, PartStyle, &mut String),
    style: PartStyle,
    text: String,
}

impl WrittenPart {
    fn open(
        setting: PartSetting,
        add: fn(&CheckedDocument<'_, '_>, PartStyle, &mut String),
    ) -> Box<dyn Part> {
        Box::new(Self {
            add,
            style: setting.style,
            text: String::new(),
        })
    }
}

impl Part for WrittenPart {
    fn add(&mut self, document: &CheckedDocument<'_, '_>) {
        (self.add)(document, self.style, &mut self.text);
    }

    fn finish(self: Box<Self>) -> Finished {
        Finished::Written(self.text)
    }
}

/// Adds what a report shows of a document to a digest.
type AddToDigest = fn(&CheckedDocument<'_, '_>, PartSetting, &mut Digest);

/// A syntax whose reports show the worst first: the parts are gathered in a digest, and the tail is the whole report.
struct Gathered {
    room: Room,
    add: AddToDigest,
    render: fn(&Opening, &Closing<'_>, &Digest) -> String,
}

impl Syntax for Gathered {
    fn parts(&self) -> Parts {
        Parts::Gathered(self.room)
    }

    fn head(&self, _: &Opening, _: Layout) -> String {
        String::new()
    }

    fn open(&self, setting: PartSetting) -> Box<dyn Part> {
        Box::new(GatheredPart {
            add: self.add,
            setting,
            digest: Box::new(Digest::following(setting.least_rank, self.room)),
        })
    }

    fn tail(
        &self,
        opening: &Opening,
        closing: &Closing<'_>,
        gathered: &Digest,
        _: Layout,
    ) -> String {
        (self.render)(opening, closing, gathered)
    }
}

/// A part that is gathered.
struct GatheredPart {
    add: AddToDigest,
    setting: PartSetting,
    digest: Box<Digest>,
}

impl Part for GatheredPart {
    fn add(&mut self, document: &CheckedDocument<'_, '_>) {
        self.digest.add_document(document);
        (self.add)(document, self.setting, &mut self.digest);
    }

    fn finish(mut self: Box<Self>) -> Finished {
        self.digest.settle();
        Finished::Gathered(self.digest)
    }
}

impl ReportFormat {
    fn syntax(self) -> &'static dyn Syntax {
        match self {
            Self::Pretty => &pretty::Pretty,
            Self::Json => &json::Json,
            Self::Jsonl => &jsonl::Jsonl,
            Self::Junit => &junit::Junit,
            Self::Sarif => &sarif::Sarif,
            Self::Github => &github::GITHUB,
            Self::Markdown => &markdown::MARKDOWN,
            Self::Html => &html::HTML,
        }
    }

    /// The text around the parts. Without `closing`, only the head is known. `gathered` holds the parts if they are
    /// gathered.
    pub fn frame(
        self,
        opening: &Opening,
        closing: Option<&Closing<'_>>,
        gathered: &Digest,
        layout: Layout,
    ) -> Frame {
        let syntax = self.syntax();
        let (separator, collapses, gathers) = match syntax.parts() {
            Parts::Written {
                separator,
                collapses,
            } => (separator, collapses, false),
            Parts::Gathered(_) => ("", false, true),
        };
        Frame {
            head: syntax.head(opening, layout),
            separator,
            collapses,
            tail: closing.map(|closing| syntax.tail(opening, closing, gathered, layout)),
            gathers,
        }
    }

    /// An empty digest, if parts are gathered. It follows a digest after which only entries of at least this rank
    /// fit the report.
    pub fn digest(self, least_rank: u64) -> Option<Digest> {
        match self.syntax().parts() {
            Parts::Written { .. } => None,
            Parts::Gathered(room) => Some(Digest::following(least_rank, room)),
        }
    }
}

/// Writes the part of a report for a run of documents.
pub struct PartWriter(Box<dyn Part>);

impl PartWriter {
    /// A part without documents; `fail_on` says which issues fail. If parts are gathered, it follows a part after
    /// which only entries of at least `least_rank` fit the report.
    pub fn new(format: ReportFormat, style: PartStyle, fail_on: FailOn, least_rank: u64) -> Self {
        Self(format.syntax().open(PartSetting {
            style,
            fail_on,
            least_rank,
        }))
    }

    /// Adds a document, which may have nothing to report.
    pub fn add(&mut self, document: &CheckedDocument<'_, '_>) {
        self.0.add(document);
    }

    /// The part: text to be written, or a digest to be gathered, as JSON.
    pub fn finish(self) -> String {
        match self.0.finish() {
            Finished::Written(text) => text,
            Finished::Gathered(digest) => to_json(&digest),
        }
    }
}

/// The report of a single document; `closing` is about that document alone.
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
    let (part, digest) = match writer.0.finish() {
        Finished::Written(text) => (text, Box::default()),
        Finished::Gathered(digest) => (String::new(), digest),
    };
    let frame = format.frame(opening, Some(closing), &digest, style.layout);
    frame.head + &part + frame.tail.as_deref().unwrap_or_default()
}
