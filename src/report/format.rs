//! The formats of the report of a check.

use serde::{Deserialize, Serialize};

use super::{Layout, check, json};
use crate::batch::{CheckSummary, CheckedDocument};
use crate::gate::Gate;

/// The formats of the report of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ReportFormat {
    /// For people who read a terminal.
    Pretty,
    /// One JSON document: `{results, summary, gate}`.
    Json,
    /// One JSON value a line: the results alone.
    Jsonl,
}

/// What is known before the first document is read.
#[derive(Debug, Clone, Deserialize)]
pub struct Opening {
    /// What is done.
    #[serde(default)]
    pub command: ReportedCommand,
    /// The names of the inputs.
    pub sources: Vec<String>,
    /// How many tools were given; none were given when absent.
    pub tools: Option<usize>,
}

/// The commands that report totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReportedCommand {
    /// Documents are checked.
    #[default]
    Check,
    /// Totals are added up.
    Merge,
}

/// What is known after the last one.
pub struct Closing<'c> {
    /// The totals.
    pub summary: &'c CheckSummary,
    /// Whether they pass.
    pub gate: &'c Gate,
}

/// What stands around the parts of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Frame {
    /// What stands before the parts.
    pub head: String,
    /// What stands between two parts.
    pub separator: &'static str,
    /// Whether empty lines in a row, where two parts meet, are to be one.
    pub collapses: bool,
    /// What stands after the parts; absent before the end.
    pub tail: Option<String>,
}

/// How the part of one document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PartStyle {
    /// How reports for people are laid out.
    pub layout: Layout,
    /// Which trajectories they show.
    pub show: Show,
    /// Whether the name of the file is told: above the first part of each of several files, or with each
    /// trajectory where not all are shown.
    pub names_source: bool,
    /// Whether this is the only document, so that all calls of a single trajectory are shown.
    pub alone: bool,
}

/// Which trajectories a report for people shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Show {
    /// All of them; those without issues in one line.
    #[default]
    All,
    /// Those with issues.
    Issues,
    /// Those with issues that make the check fail.
    Failing,
    /// None: only the totals.
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
    /// What stands around the parts; without `closing` as far as it is known before.
    pub fn frame(self, opening: &Opening, closing: Option<&Closing<'_>>, layout: Layout) -> Frame {
        match self {
            Self::Pretty => Frame {
                head: check::head(opening, layout),
                separator: "",
                collapses: true,
                tail: closing.map(|closing| check::tail(closing, layout)),
            },
            Self::Json => Frame {
                head: json::HEAD.to_owned(),
                separator: ",\n",
                collapses: false,
                tail: closing.map(json::tail),
            },
            Self::Jsonl => Frame {
                head: String::new(),
                separator: "\n",
                collapses: false,
                tail: closing.map(|closing| json::line_end(closing).to_owned()),
            },
        }
    }

    /// Adds the part of one document to those before it; of some there is nothing to tell.
    pub fn add_part(
        self,
        document: &CheckedDocument<'_, '_>,
        style: PartStyle,
        parts: &mut String,
    ) {
        match self {
            Self::Pretty => check::add_part(document, style, parts),
            Self::Json => json::add_part(document, ",\n", parts),
            Self::Jsonl => json::add_part(document, "\n", parts),
        }
    }
}
