//! Validates arguments against one schema, as `validateSchema` reports it.

use serde::Serialize;
use serde_json::Value;

use super::tool_set::Tool;
use super::violation::{Violation, ViolationFacts, ViolationKind};
use toolgauge_base::issue::{Severity, Weights};
use toolgauge_model::error::Result;
use toolgauge_model::{Limits, ToolCall};

const WEIGHTS: Weights = Weights {
    critical: 1000,
    high: 500,
    medium: 200,
    low: 50,
};

/// How well the arguments of one call fit one schema.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct SchemaValidationResult {
    /// `true` unless an issue is critical.
    pub valid: bool,
    /// All issues, in the order of the schema.
    pub issues: Vec<SchemaIssue>,
    /// max(0, 1 − Σ weight): critical 1, high 0.5, medium 0.2, low 0.05.
    pub score: f64,
    /// Present when there are more issues than `limits.maxIssuesPerCall`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "true"))]
    pub truncated: Option<bool>,
}

/// One place where the arguments violate the schema.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct SchemaIssue {
    /// The type of the issue.
    #[serde(rename = "type")]
    pub kind: SchemaIssueType,
    /// The severity.
    pub severity: Severity,
    /// The path of the value, for example `filters.tags[2]`; empty for the arguments as a whole.
    pub path: String,
    /// The reason, with the expected and the actual value.
    pub message: String,
    /// The data behind the message.
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub facts: ViolationFacts,
}

/// The kinds of schema issues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SchemaIssueType {
    /// The call has no arguments. Critical.
    MissingArguments,
    /// A required field is missing. High.
    RequiredFieldMissing,
    /// A value has the wrong type. High.
    TypeError,
    /// A number that JSON can't represent: NaN or Infinity. High.
    InvalidNumber,
    /// A value is not one of those allowed (`enum`, `const`). High.
    InvalidEnumValue,
    /// A string does not have its `format`. Medium.
    InvalidFormat,
    /// Any other keyword is violated. High.
    ConstraintViolation,
}

/// Validates the arguments of `call` against the schema of `tool`, even if the call names another tool.
///
/// # Errors
/// As [`Tool::violations`].
pub fn validate_schema(
    call: &ToolCall<'_>,
    tool: &Tool,
    limits: Limits,
) -> Result<SchemaValidationResult> {
    let (issues, more) = match call.arguments {
        Some(arguments) if !arguments.is_null() || tool.accepts_null() => {
            let (violations, more) = tool.violations(arguments, limits)?;
            (
                violations.into_iter().map(SchemaIssue::from).collect(),
                more,
            )
        }
        _ => (vec![missing_arguments(call)], false),
    };
    Ok(SchemaValidationResult {
        valid: issues
            .iter()
            .all(|issue| issue.severity != Severity::Critical),
        score: WEIGHTS.score(issues.iter().map(|issue| issue.severity)),
        issues,
        truncated: more.then_some(true),
    })
}

fn missing_arguments(call: &ToolCall<'_>) -> SchemaIssue {
    let message = match call.raw_arguments {
        Some(_) => "the arguments are not valid JSON",
        None => "the call has no arguments",
    };
    SchemaIssue {
        kind: SchemaIssueType::MissingArguments,
        severity: Severity::Critical,
        path: String::new(),
        message: message.to_owned(),
        facts: ViolationFacts {
            expected: Some("object".into()),
            actual: call.raw_arguments.map(Value::from),
            ..ViolationFacts::default()
        },
    }
}

impl From<Violation> for SchemaIssue {
    fn from(violation: Violation) -> Self {
        let (kind, severity) = match violation.kind {
            ViolationKind::InvalidNumber => (SchemaIssueType::InvalidNumber, Severity::High),
            ViolationKind::Type => (SchemaIssueType::TypeError, Severity::High),
            ViolationKind::AllowedValues => (SchemaIssueType::InvalidEnumValue, Severity::High),
            ViolationKind::Required => (SchemaIssueType::RequiredFieldMissing, Severity::High),
            ViolationKind::Format => (SchemaIssueType::InvalidFormat, Severity::Medium),
            ViolationKind::Constraint => (SchemaIssueType::ConstraintViolation, Severity::High),
        };
        Self {
            kind,
            severity,
            path: violation.path.to_string(),
            message: violation.message.clone(),
            facts: violation.into(),
        }
    }
}
