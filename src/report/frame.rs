//! What surrounds the parts of a report, and how a part is written, whatever the syntax.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::Layout;
use super::paint::{counted, visible};
use crate::batch::CheckSummary;
use toolgauge_base::gate::Gate;
use toolgauge_base::trials::Trials;

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
    /// The counts.
    pub summary: &'c CheckSummary,
    /// Whether the totals pass.
    pub gate: &'c Gate,
    /// What several trials of one task show, if there are several.
    pub trials: Option<&'c Trials>,
}

/// The text around the parts of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Frame {
    /// The text before the parts.
    pub head: String,
    /// The text between two parts.
    pub separator: &'static str,
    /// Whether empty lines in a row, where two parts meet, become one.
    pub collapses: bool,
    /// The text after the parts; absent before the end.
    pub tail: Option<String>,
    /// Whether the parts are not written but gathered, and the tail reports them.
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
    /// Whether the name of the file is written: above the first part of each of several files, or with each
    /// trajectory if not all are shown.
    pub names_source: bool,
    /// Whether this is the only document. All calls of a single trajectory are then shown.
    pub alone: bool,
    /// How much of each turn reports for people show.
    pub detail: Detail,
}

/// How much of each turn a report for people shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Detail {
    /// The calls of trajectories with issues, and the replies with issues, each in one line.
    #[default]
    Brief,
    /// Everything that the user and the agent said, and all arguments and results, whole.
    Whole,
}

/// Which trajectories a report for people shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, IntoStaticStr, VariantArray)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
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
            detail: Detail::Brief,
        }
    }
}
