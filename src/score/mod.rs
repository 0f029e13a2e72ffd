//! Scores of calls against expectations.

mod accuracy;
mod options;
mod trajectories;

pub use accuracy::{AccuracyResult, CorrectCall, IncorrectCall, MissedCall, score_tool_calls};
pub use options::ScoreOptions;
pub use trajectories::{ScoreReport, TrajectoryScore, score_trajectories};
