//! Reports: for people who read a terminal, and for programs.
//!
//! The report of a check consists of a head, a part for each run of documents, and a tail, so that it can be
//! written while a batch runs. Formats that list the worst first, or the totals before the rest, gather their
//! parts in a [`Digest`] of bounded size and write everything in the tail. To add a format, write its file
//! and add it to [`ReportFormat`].

mod compared;
mod convert;
mod correctness;
mod diff;
mod digest;
mod finding;
mod frame;
mod json;
mod lint;
mod paint;
mod results;
mod rules;
mod score;
mod syntax;
#[cfg(test)]
mod tests;
mod trials;

use serde::Deserialize;

pub use compared::ResultOpening;
pub use convert::render_losses;
pub use correctness::{add_correctness, correctness_frame};
pub use diff::{DiffFormat, DiffStyle, render_diff};
pub use digest::Digest;
pub use frame::{Closing, Frame, Opening, PartStyle, ReportedCommand, Show};
pub use lint::{LintFormat, lint_sarif, render_lint};
pub use paint::visible;
pub use results::{ResultPart, ResultStyle};
pub use rules::{IssueExplanation, explain_issues};
pub use score::{add_scores, render_score, render_scores, score_frame};
pub use syntax::{PartWriter, ReportFormat, render_check, render_document};

/// The layout of a report for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Layout {
    /// Whether it is coloured by ANSI escapes.
    pub color: bool,
    /// The number of columns, at least 40.
    pub width: usize,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            color: false,
            width: 100,
        }
    }
}
