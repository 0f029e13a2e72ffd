//! Processes many trajectories: whole inputs, streams of lines, mergeable totals, and comparison with a
//! baseline.

mod chunk;
mod convert;
mod correctness;
mod document;
mod lines;
mod score;
mod summary;
mod trajectories;

pub use chunk::{Chunk, Content, Place, each_document};
pub use convert::{Conversion, ConvertProblem, ConvertSummary, ConvertedLayout};
pub use correctness::{
    CaseVerdict, CorrectnessGate, CorrectnessSummary, Measured, MeasuredDocument,
};
pub use document::{Checked, CheckedDocument, TrajectoryVerdict, UnreadDocument};
pub use lines::{LineShape, line_shape};
pub use score::{ScoreGate, ScoreSetting, ScoreSummary, ScoreVerdict, Scored, ScoredDocument};
pub use summary::{CheckSummary, ScoreTally, ToolTally};
pub use trajectories::{CheckReport, check_trajectories};
