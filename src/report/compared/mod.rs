//! Scores and test cases in the form that the reports for other programs share: each result with its calls, and
//! what is wrong with them.

mod github;
mod html;
mod junit;
mod markdown;
mod sarif;

use strum::{IntoStaticStr, VariantArray};

use super::digest::Digest;
use super::finding::name_of;
use super::frame::Frame;
use super::syntax::ReportFormat;
use super::syntax::junit::Suite;
use crate::batch::{Place, ScoreTally};
use toolgauge_base::gate::Gate;
use toolgauge_base::issue::Severity;
use toolgauge_base::trials::Trials;
use toolgauge_formats::ImportWarning;
use toolgauge_model::error::ErrorReport;

/// A trajectory that was held against expected calls, or a test case.
pub struct Compared<'d> {
    /// The location of its document.
    pub place: Place<'d>,
    /// Its position in the document.
    pub index: usize,
    /// The id from the source.
    pub id: Option<&'d str>,
    /// Whether it passes.
    pub passed: bool,
    /// Its score, from 0 to 1.
    pub score: f64,
    /// How many calls it has: `2 expected · 3 made`.
    pub facts: String,
    /// The calls, those that are as expected first.
    pub calls: Vec<ComparedCall>,
}

/// A call that was made or expected.
pub struct ComparedCall {
    /// How it compares.
    pub verdict: CallVerdict,
    /// Where it was made; empty if it was not.
    pub place: String,
    /// The tool.
    pub tool: String,
    /// The arguments in short.
    pub arguments: String,
    /// What differs.
    pub notes: Vec<String>,
}

/// How a call compares with what is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray)]
pub enum CallVerdict {
    /// As expected.
    #[strum(serialize = "correct_call")]
    Correct,
    /// Made with other arguments.
    #[strum(serialize = "wrong_call")]
    Wrong,
    /// Made in the wrong place.
    #[strum(serialize = "misplaced_call")]
    Misplaced,
    /// Not made.
    #[strum(serialize = "missed_call")]
    Missed,
    /// Not expected.
    #[strum(serialize = "extra_call")]
    Extra,
    /// Forbidden.
    #[strum(serialize = "forbidden_call")]
    Forbidden,
    /// Not about a call: the run does not state or cost what is expected.
    #[strum(serialize = "unmet_term")]
    Unmet,
}

impl CallVerdict {
    /// The faults.
    pub fn faults() -> impl Iterator<Item = Self> {
        let all = Self::VARIANTS.iter().copied();
        all.filter(|verdict| *verdict != Self::Correct)
    }

    /// Returns the verdict as reports write it.
    pub fn label(self) -> &'static str {
        self.into()
    }

    /// Returns the position among the faults.
    pub fn index(self) -> Option<usize> {
        Self::faults().position(|fault| fault == self)
    }

    /// Returns the meaning.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Correct => "The call is as expected.",
            Self::Wrong => "The arguments of the call, or what it returned, are not as expected.",
            Self::Misplaced => "The call was made too early or too late.",
            Self::Missed => "An expected call was not made.",
            Self::Extra => "The call was not expected.",
            Self::Forbidden => "The call is forbidden.",
            Self::Unmet => "The run does not state or cost what is expected.",
        }
    }

    /// Returns the mark of a call.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Correct => "✔",
            Self::Wrong | Self::Misplaced | Self::Forbidden | Self::Unmet => "✖",
            Self::Missed => "−",
            Self::Extra => "+",
        }
    }

    /// Returns how bad a fault is.
    fn worst_severity(self) -> Severity {
        match self {
            Self::Correct => Severity::Low,
            Self::Extra => Severity::Medium,
            Self::Wrong | Self::Misplaced | Self::Missed | Self::Unmet => Severity::High,
            Self::Forbidden => Severity::Critical,
        }
    }
}

impl Compared<'_> {
    /// Returns its id or, if it has none, its place in the input: `line 7`, `#3`.
    pub fn name(&self) -> String {
        name_of(self.place, self.id, self.index)
    }

    /// Returns the calls that are not as expected.
    pub fn faults(&self) -> impl Iterator<Item = &ComparedCall> {
        let calls = self.calls.iter();
        calls.filter(|call| call.verdict != CallVerdict::Correct)
    }

    /// Whether something is to be reported.
    pub fn is_faulty(&self) -> bool {
        self.score < 1.0 || self.faults().next().is_some()
    }

    /// Returns how bad a fault is; medium at most if the result passes nevertheless.
    pub fn severity(&self, call: &ComparedCall) -> Severity {
        let severity = call.verdict.worst_severity();
        match self.passed {
            true => severity.min(Severity::Medium),
            false => severity,
        }
    }

    /// Returns `score 0.500 · 2 expected · 3 made`.
    pub fn described(&self) -> String {
        format!("score {:.3} · {}", self.score, self.facts)
    }

    /// Ranks it: failed ones first, then by score. Forbidden calls are the worst.
    pub fn rank(&self) -> u32 {
        let forbidden = |call: &ComparedCall| call.verdict == CallVerdict::Forbidden;
        let class = match (self.faults().any(forbidden), self.passed, self.is_faulty()) {
            (true, ..) => 3,
            (false, false, _) => 2,
            (false, true, true) => 1,
            (false, true, false) => 0,
        };
        class * 1001 + ((1.0 - self.score).clamp(0.0, 1.0) * 1000.0).round() as u32
    }
}

impl ComparedCall {
    /// Says what is wrong: `args.limit: expected 5, got 6`, or else what the verdict means.
    pub fn message(&self) -> String {
        match self.notes.as_slice() {
            [] => self.verdict.explanation().to_owned(),
            notes => notes.join("; "),
        }
    }

    /// Returns a fault with its place: `wrong_call turn 3, call 1, search: …`.
    pub fn described(&self) -> String {
        let place = match self.place.as_str() {
            "" => String::new(),
            place => format!("{place}, "),
        };
        let (label, message) = (self.verdict.label(), self.message());
        format!("{label} {place}{} {}: {message}", self.tool, self.arguments)
    }
}

/// The results of a document.
pub struct ComparedDocument<'d> {
    /// The location of the document.
    pub place: Place<'d>,
    /// The results with the warnings of the import, or the reason why it could not be read.
    pub outcome: std::result::Result<(Vec<Compared<'d>>, &'d [ImportWarning]), &'d ErrorReport>,
}

/// What is known of a report before the first document is read.
#[derive(Clone, Copy)]
pub struct ResultOpening<'o> {
    /// The command: `score`.
    pub command: &'static str,
    /// The names of the inputs.
    pub sources: &'o [String],
}

/// What is known of a report after the last document.
pub struct ResultClosing<'c> {
    /// The words for the results: `Trajectories`, `trajectory`.
    pub words: (&'static str, &'static str),
    /// The totals as rows of a table.
    pub rows: Vec<(&'static str, String)>,
    /// How many results there are, how many of them pass, and how many score 1.
    pub counts: (u64, u64, u64),
    /// The distribution of the scores.
    pub scores: ScoreTally,
    /// The number of documents, of unread ones, and of warnings.
    pub documents: (u64, u64, u64),
    /// What several trials of one task show.
    pub trials: Option<&'c Trials>,
    /// Whether the totals pass.
    pub gate: &'c Gate,
}

/// The reports for other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparedFormat {
    /// As [`ReportFormat::Junit`].
    Junit,
    /// As [`ReportFormat::Sarif`].
    Sarif,
    /// As [`ReportFormat::Github`].
    Github,
    /// As [`ReportFormat::Markdown`].
    Markdown,
    /// As [`ReportFormat::Html`].
    Html,
}

/// The part of a report for a run of documents.
pub enum ComparedPart {
    /// A suite of JUnit with the scores of its cases.
    Suite(Suite, ScoreTally),
    /// Results of SARIF.
    Results(String),
    /// Entries of a report that shows the worst first.
    Gathered(ComparedFormat, Box<Digest>),
}

impl ComparedPart {
    /// Creates an empty part. It follows parts after which only entries of at least `least_rank` fit the report.
    pub fn new(format: ComparedFormat, least_rank: u64) -> Self {
        let gathered = |of: ReportFormat| {
            let digest = of.digest(least_rank).unwrap_or_default();
            Self::Gathered(format, Box::new(digest))
        };
        match format {
            ComparedFormat::Junit => Self::Suite(Suite::default(), ScoreTally::default()),
            ComparedFormat::Sarif => Self::Results(String::new()),
            ComparedFormat::Github => gathered(ReportFormat::Github),
            ComparedFormat::Markdown => gathered(ReportFormat::Markdown),
            ComparedFormat::Html => gathered(ReportFormat::Html),
        }
    }

    /// Adds a document, whose name is shown if `names_source`.
    pub fn add(&mut self, document: &ComparedDocument<'_>, names_source: bool) {
        match self {
            Self::Suite(suite, scores) => junit::add(document, suite, scores),
            Self::Results(text) => sarif::add(document, text),
            Self::Gathered(format, digest) => {
                note(document, digest);
                let results = document.outcome.iter().flat_map(|(results, _)| results);
                for compared in results {
                    match format {
                        ComparedFormat::Markdown => markdown::add(compared, names_source, digest),
                        ComparedFormat::Html => html::add(compared, names_source, digest),
                        ComparedFormat::Github | ComparedFormat::Junit | ComparedFormat::Sarif => {
                            github::add(compared, digest);
                        }
                    }
                }
                if let (ComparedFormat::Github, Err(error)) = (format, &document.outcome) {
                    github::add_unread(document.place, error, digest);
                }
            }
        }
    }

    /// Returns the part: text to be written, or a digest to be gathered, as JSON.
    pub fn finish(self) -> String {
        match self {
            Self::Suite(suite, scores) => junit::finish(suite, scores),
            Self::Results(text) => text,
            Self::Gathered(_, mut digest) => {
                digest.settle();
                super::json::to_json(&digest)
            }
        }
    }
}

fn note(document: &ComparedDocument<'_>, digest: &mut Digest) {
    let (results, warnings) = match &document.outcome {
        Err(error) => return digest.note_unread(document.place, error),
        Ok(found) => found,
    };
    digest.note_warnings(document.place, warnings);
    for compared in results {
        for call in compared.faults() {
            if let Some(index) = call.verdict.index() {
                digest.add_finding(index, compared.severity(call));
            }
        }
    }
}

/// Returns the text around the parts. Without `closing`, only the head is known. `gathered` holds the parts if they
/// are gathered.
pub fn compared_frame(
    format: ComparedFormat,
    opening: ResultOpening<'_>,
    closing: Option<&ResultClosing<'_>>,
    gathered: &Digest,
) -> Frame {
    let written = |head: String, separator, tail: Option<String>| Frame {
        head,
        separator,
        tail,
        ..Frame::default()
    };
    let gathers = |tail: Option<String>| Frame {
        tail,
        gathers: true,
        ..Frame::default()
    };
    match format {
        ComparedFormat::Junit => {
            let tail = closing.map(junit::tail);
            written(junit::HEAD.to_owned(), "", tail)
        }
        ComparedFormat::Sarif => written(sarif::head(), ",\n", closing.map(sarif::tail)),
        ComparedFormat::Github => {
            gathers(closing.map(|closing| github::render(opening, closing, gathered)))
        }
        ComparedFormat::Markdown => {
            gathers(closing.map(|closing| markdown::render(opening, closing, gathered)))
        }
        ComparedFormat::Html => {
            gathers(closing.map(|closing| html::render(opening, closing, gathered)))
        }
    }
}
