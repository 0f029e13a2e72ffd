//! Many trajectories: whole inputs, streams of lines, totals that merge, and what got worse since a
//! baseline.

mod chunk;
mod convert;
mod document;
mod lines;
mod summary;
mod trajectories;

pub use chunk::{Chunk, Content, Place, each_document};
pub use convert::{Conversion, ConvertProblem, ConvertSummary, ConvertedLayout};
pub use document::{CheckedDocument, Judged, TrajectoryVerdict, UnreadDocument};
pub use lines::{LineShape, line_shape};
pub use summary::{CheckSummary, ScoreTally, ToolTally};
pub use trajectories::{CheckReport, check_trajectories};
