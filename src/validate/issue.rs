//! The issues of validation: what an agent can do wrong with its tools.

use serde::Serialize;
use strum::{IntoStaticStr, VariantArray};

use super::misuse::MisuseReason;
use toolgauge_base::issue::{Issue, IssueType, Severity, Weights};
use toolgauge_grounding::UnsupportedFact;
use toolgauge_loops::Loop;
use toolgauge_schema::ViolationFacts;

/// How much each severity lowers the score of a turn.
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
    /// A value is not one of the allowed ones. Medium.
    InvalidArguments,
    /// Something else names a tool without a schema: `replacedBy` of a deprecated tool, or a result in which
    /// the runtime reports that the tool does not exist. High.
    ToolNotFound,
    /// The call makes no sense in its context. Medium.
    ToolMisuse,
    /// The log has no result for the call. Medium.
    MissingResult,
    /// The reply uses nothing from the result. Low.
    ResultUnused,
    /// The reply states something that no tool returned. High.
    HallucinatedResult,
    /// The arguments violate their schema in a way that no other type covers. High.
    SchemaViolation,
    /// A value has the wrong type. High.
    TypeMismatch,
    /// A required argument is missing. High.
    MissingRequiredParam,
    /// No schema has the name of the called tool. Medium, high when strict.
    UnknownTool,
    /// The tool is marked as deprecated. Medium.
    DeprecatedTool,
}

impl IssueType for ToolUseIssueType {
    type Details = IssueDetails;

    /// Returns the default severity, without `strict`.
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

/// One mistake of an agent with a tool.
pub type ToolUseIssue = Issue<ToolUseIssueType, IssueDetails>;

/// The details of an issue. Members that do not apply are absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct IssueDetails {
    /// The position of the call among the calls of its turn, from 0.
    pub call_index: usize,
    /// The id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// The path of the argument, for example `filters.tags[2]`; empty for the arguments as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The expected and the actual value.
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub violation: ViolationFacts,
    /// Why the call counts as misuse.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<MisuseReason>,
    /// The loop that this call starts to repeat. A loop is one issue, however long it is.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    pub repeated: Option<Loop>,
    /// The facts in the reply that the evidence does not support.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<Vec<UnsupportedFact>>,
    /// The name of the tool that replaces a deprecated one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<String>,
}

/// How well the tools of one turn were used.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ValidationResult {
    /// `true` unless an issue is critical.
    pub valid: bool,
    /// All issues, in the order of the calls.
    #[cfg_attr(feature = "typescript", ts(type = "Array<ToolUseIssue>"))]
    pub issues: Vec<ToolUseIssue>,
    /// One suggestion for each call that has a remedy, in the order of the calls.
    pub suggestions: Vec<String>,
    /// max(0, 1 − Σ weight): critical 1, high 0.7, medium 0.4, low 0.1. When strict, any high or critical
    /// issue makes it 0.
    pub score: f64,
    /// The number of the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub turn_id: Option<i64>,
    /// Present if a call has more schema issues than `limits.maxIssuesPerCall`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "true"))]
    pub truncated: Option<bool>,
}

impl ValidationResult {
    /// Recomputes score and validity from the issues. With `strict`, any high or critical issue makes the
    /// score 0.
    pub fn settle(&mut self, strict: bool) {
        let worst = self.issues.iter().map(|issue| issue.severity).max();
        let fails = strict && worst >= Some(Severity::High);
        let score = WEIGHTS.score(self.issues.iter().map(|issue| issue.severity));
        self.valid = worst != Some(Severity::Critical);
        self.score = if fails { 0.0 } else { score };
    }
}
