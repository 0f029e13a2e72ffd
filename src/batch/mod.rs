//! Many trajectories: whole inputs, streams of lines, totals that merge, and what got worse since a
//! baseline.

mod document;
mod lines;
mod summary;
mod trajectories;

pub use document::{
    CheckedDocument, Judged, Place, TrajectoryVerdict, UnreadDocument, check_document,
};
pub use lines::{LineShape, check_lines, check_pieces, line_shape};
pub use summary::{CheckSummary, ScoreTally, ToolTally};
pub use trajectories::{CheckReport, check_trajectories};
