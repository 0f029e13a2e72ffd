//! Scores calls against expectations.

mod accuracy;
mod call_lists;
mod called_tool;
mod correctness;
pub mod costs;
mod expected_set;
mod expected_tools;
mod gate;
mod options;
mod run;
mod terms;
mod test_cases;
mod trajectories;

pub use accuracy::{
    AccuracyResult, CorrectCall, ForbiddenCall, IncorrectCall, MismatchReason, MissedCall,
    score_tool_calls,
};
pub use call_lists::{CallLists, import_call_lists};
pub use called_tool::{
    CalledTool, NameRule, Preparation, StepKind, TestCase, TrajectoryStep, called_in_steps,
    final_steps, normalize_tool_name, read_called_tools, trajectory_steps,
};
pub use correctness::{
    CorrectnessMode, CorrectnessOptions, CorrectnessResult, MatchedTool, MetricContext,
    ToolCallParam, ToolChoice, describe_differences, measure_correctness, out_of_order,
};
pub use expected_set::{ExpectedById, ExpectedSet, ExpectedText, UnreadAnswer};
pub use gate::score_gate;
pub use options::ScoreOptions;
pub use run::{Run, RunCall};
pub use test_cases::{NamedCase, TestCases, compared_case, import_test_cases};
pub use trajectories::{
    ScoreReport, ScoredTrajectories, TrajectoryScore, score_each, score_trajectories,
};
