//! Reports: for people who read a terminal, and for programs.
//!
//! The report of a check is made of a head, a part for each document, and a tail, so that it can be
//! written while a batch runs. To add a format: write its file, with a function for each of the three,
//! and name it in [`ReportFormat`].

mod check;
mod format;
mod json;
mod paint;
mod score;

use serde::Deserialize;

pub use check::render_check;
pub use format::{Closing, Frame, Opening, PartStyle, ReportFormat, ReportedCommand, Show};
pub use score::{render_score, render_scores};

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
