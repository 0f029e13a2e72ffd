//! What surrounds the parts of a report, and how a part is written, whatever the syntax.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::Layout;
use super::paint::{counted, visible};
use crate::batch::CheckSummary;
use crate::gate::Gate;

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

impl Opening {
    /// What is reported on: the name of the only input, or how many there are.
    pub fn subject(&self) -> String {
        subject_of(&self.sources)
    }
}

/// What is reported on: the name of the only input, or how many there are.
pub fn subject_of(sources: &[String]) -> String {
    match sources {
        [only] => visible(only),
        sources => counted(sources.len(), "file"),
    }
}

/// The commands that report totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReportedCommand {
    /// Documents are checked.
    #[default]
    Check,
    /// Calls are checked by themselves.
    Reflect,
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

/// How the part of one document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PartStyle {
    /// How reports for people are laid out.
    pub layout: Layout,
    /// Which trajectories they show.
    pub show: Show,
    /// Whether the name of the file is written: above the first part of each of several files, or with each
    /// trajectory if not all are shown.
    pub names_source: bool,
    /// Whether this is the only document, so that all calls of a single trajectory are shown.
    pub alone: bool,
}

/// Which trajectories a report for people shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, IntoStaticStr, VariantArray)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
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
