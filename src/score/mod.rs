//! Scores of calls against expectations.

mod accuracy;

pub use accuracy::{AccuracyResult, CorrectCall, IncorrectCall, MissedCall, score_tool_calls};
