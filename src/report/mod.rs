//! Reports: for people who read a terminal, and for programs.
//!
//! The report of a check is made of a head, a part for each document, and a tail, so that it can be
//! written while a batch runs. To add a format: write its file, with a function for each of the three,
//! and name it in [`ReportFormat`].

mod check;
mod checked;
mod convert;
mod correctness;
mod format;
mod github;
mod html;
mod json;
mod junit;
mod lint;
mod markdown;
mod paint;
mod results;
mod rules;
mod sarif;
mod score;
#[cfg(test)]
mod tests;

use serde::Deserialize;

pub use check::render_check;
pub use checked::{CheckedInput, ReportSyntax};
pub use convert::render_losses;
pub use correctness::{add_correctness, correctness_frame};
pub use format::{Closing, Frame, Opening, PartStyle, ReportFormat, ReportedCommand, Show};
pub use github::render_github;
pub use html::render_html;
pub use junit::{HEAD as JUNIT_HEAD, TAIL as JUNIT_TAIL, junit_suite, render_junit};
pub use lint::render_lint;
pub use markdown::render_markdown;
pub use results::{ResultFormat, ResultStyle};
pub use sarif::{render_sarif, sarif_results};
pub use score::{add_scores, render_score, render_scores, score_frame};

/// How a report is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Layout {
    /// Whether it is coloured with ANSI escapes.
    pub color: bool,
    /// How many columns it has, at least 40.
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
