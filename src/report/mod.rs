//! Reports for people who read a terminal.

mod check;
mod paint;
mod score;

use serde::Deserialize;

pub use check::render_check;
pub use score::{render_score, render_scores};

/// How a report is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
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
