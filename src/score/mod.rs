//! Scores of calls against expectations.

mod accuracy;
mod call_lists;
mod called_tool;
mod correctness;
mod options;
mod trajectories;

pub use accuracy::{
    AccuracyResult, CorrectCall, ForbiddenCall, IncorrectCall, MismatchReason, MissedCall,
    score_tool_calls,
};
pub use call_lists::{CallLists, import_call_lists};
pub use called_tool::{
    CalledTool, Preparation, StepKind, TestCase, TrajectoryStep, called_in_steps, final_steps,
    normalize_tool_name, read_called_tools, trajectory_steps,
};
pub use correctness::{
    CorrectnessMode, CorrectnessOptions, CorrectnessResult, MatchedTool, ToolCallParam, ToolChoice,
    measure_correctness,
};
pub use options::ScoreOptions;
pub use trajectories::{ScoreReport, TrajectoryScore, score_trajectories};
