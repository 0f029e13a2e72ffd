//! What an agent can do wrong with its tools.

use serde::Serialize;
use strum::{IntoStaticStr, VariantArray};

use super::misuse::MisuseReason;
use crate::base::issue::{Issue, IssueType, Severity, Weights};
use crate::grounding::UnsupportedFact;
use crate::loops::Loop;
use crate::schema::ViolationFacts;

/// What each issue takes off the score of a turn.
pub const WEIGHTS: Weights = Weights {
    critical: 1000,
    high: 700,
    medium: 400,
    low: 100,
};

/// The kinds of tool-use issues.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, IntoStaticStr, VariantArray,
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ToolUseIssueType {
    /// The call has no name. Critical.
    MissingToolName,
    /// The call has no arguments. High.
    MissingArguments,
    /// A value is not one of those allowed. Medium.
    InvalidArguments,
    /// Something else names a tool that is not in the schemas: `replacedBy` of a deprecated tool, or a
    /// result in which the runtime says that the tool does not exist. High.
    ToolNotFound,
    /// The tool was used wrongly for the context. Medium.
    ToolMisuse,
    /// The tool was called but nothing came back. Medium.
    MissingResult,
    /// Nothing of the result is found in the response. Low.
    ResultUnused,
    /// The response states what no tool returned. High.
    HallucinatedResult,
    /// The arguments violate their schema in another way than those below. High.
    SchemaViolation,
    /// A value has the wrong type. High.
    TypeMismatch,
    /// A required argument is missing. High.
    MissingRequiredParam,
    /// No schema has the called name. Medium, high when strict.
    UnknownTool,
    /// The tool is marked as deprecated. Medium.
    DeprecatedTool,
}

impl IssueType for ToolUseIssueType {
    type Details = IssueDetails;

    /// How bad an issue of this kind is, when not `strict`.
    fn severity(self) -> Severity {
        match self {
            Self::MissingToolName => Severity::Critical,
            Self::MissingArguments
            | Self::ToolNotFound
            | Self::HallucinatedResult
            | Self::SchemaViolation
            | Self::TypeMismatch
            | Self::MissingRequiredParam => Severity::High,
            Self::InvalidArguments
            | Self::ToolMisuse
            | Self::MissingResult
            | Self::UnknownTool
            | Self::DeprecatedTool => Severity::Medium,
            Self::ResultUnused => Severity::Low,
        }
    }

    fn details(call_index: usize, call_id: Option<String>) -> IssueDetails {
        IssueDetails {
            call_index,
            call_id,
            ..IssueDetails::default()
        }
    }
}

/// Something that an agent did wrong with a tool.
pub type ToolUseIssue = Issue<ToolUseIssueType, IssueDetails>;

/// The facts behind an issue. Those that do not apply are absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct IssueDetails {
    /// The place of the call among the turn's calls, from 0.
    pub call_index: usize,
    /// The id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// The argument, as in `filters.tags[2]`; empty for the arguments as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// What was expected and what stands there.
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub violation: ViolationFacts,
    /// Why the call counts as misuse.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<MisuseReason>,
    /// The loop that the call is the first repetition of. A loop is one issue, whatever its length.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    pub repeated: Option<Loop>,
    /// The facts of the response that the evidence does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<Vec<UnsupportedFact>>,
    /// The name of the tool to call instead of a deprecated one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<String>,
}

/// How the tools of one turn were used.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ValidationResult {
    /// Whether no issue is critical.
    pub valid: bool,
    /// All issues, in the order of the calls.
    #[cfg_attr(feature = "typescript", ts(type = "Array<ToolUseIssue>"))]
    pub issues: Vec<ToolUseIssue>,
    /// What would mend them, a sentence for each call that has a remedy, in the order of the calls.
    pub suggestions: Vec<String>,
    /// max(0, 1 − Σ weight): critical 1, high 0.7, medium 0.4, low 0.1. When strict, 0 as soon as one
    /// issue is high or critical.
    pub score: f64,
    /// The number of the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub turn_id: Option<i64>,
    /// Present when a call has more schema issues than `limits.maxIssuesPerCall`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "true"))]
    pub truncated: Option<bool>,
}

impl ValidationResult {
    /// Works out anew what follows from the issues. With `strict` the score is 0 as soon as one of them is high or
    /// critical.
    pub fn settle(&mut self, strict: bool) {
        let worst = self.issues.iter().map(|issue| issue.severity).max();
        let fails = strict && worst >= Some(Severity::High);
        let score = WEIGHTS.score(self.issues.iter().map(|issue| issue.severity));
        self.valid = worst != Some(Severity::Critical);
        self.score = if fails { 0.0 } else { score };
    }
}
