//! Checks a tool call before it runs, and repairs it: `checkToolCall`, `repairToolCall`, `reflectToolCall`.
//!
//! The call comes from a model and has no result yet. Static checks compare it with the tool definitions;
//! [`semantic`] draws conclusions from the answers of judges.

mod convert;
mod draft;
mod faults;
mod groundedness;
mod issue;
mod judgement;
mod likely_name;
mod loose_text;
mod options;
mod phrases;
mod reduce;
mod repair;
mod semantic;
mod static_check;
#[cfg(test)]
mod tests;
mod trajectory;
mod values;

pub use faults::{Specification, called_tool};
pub use groundedness::{Groundedness, UngroundedValue, before, groundedness};
pub use issue::{ReflectionIssue, ReflectionIssueDetails, ReflectionIssueType};
pub use judgement::{Judgement, apply_judgement};
pub use options::{ParameterMetricName, ReflectOptions, ReflectionForm, SemanticMetricName};
pub use reduce::{reduce_checks, reduce_reflections};
pub use repair::{
    RepairChange, RepairChangeKind, RepairProblem, RepairStatus, ToolCallRepair, repair_tool_call,
};
pub use semantic::{
    Conclusion, JudgeFailure, JudgedMetric, Named, Objection, SemanticAnswers, SemanticCategory,
    SemanticMetric, SemanticResult, UnjudgedMetric, conclude,
};
pub use static_check::{
    StaticCheckName, StaticMetric, StaticMetrics, ToolCallCheck, ToolCallCorrection,
    check_tool_call,
};
pub use trajectory::{
    CallAt, CallRepair, JudgedCall, JudgedCalls, ReflectSetting, ReflectedCalls,
    ReflectedTrajectory,
};
