//! Checks the arguments of a call against the schema of its tool.

use super::{Findings, ToolUseIssue, ToolUseIssueType, ValidateOptions};
use serde_json::Value;
use toolgauge_base::issue::CallPlace;
use toolgauge_model::error::Result;
use toolgauge_model::{Preview, why_not_json};
use toolgauge_schema::{Tool, Violation, ViolationFacts, ViolationKind};

/// Reports missing arguments, arguments that are not JSON, and violations of the schema of `tool`. A call
/// that was cut off while the model wrote it is not checked, nor is one whose arguments the log does not record.
///
/// # Errors
/// As [`Tool::violations`].
pub fn check(
    place: &CallPlace<'_, '_>,
    tool: Option<&Tool>,
    options: &ValidateOptions,
    findings: &mut Findings,
) -> Result<()> {
    if place.call.incomplete || place.call.hides_arguments() {
        return Ok(());
    }
    let tool = tool.filter(|_| options.validate_schemas);
    let arguments = place.call.arguments;
    match (arguments, place.call.raw_arguments) {
        (Some(arguments), _) if !arguments.is_null() || tool.is_some_and(Tool::accepts_null) => {
            let Some(tool) = tool else { return Ok(()) };
            let (violations, more) = tool.violations(arguments, options.limits)?;
            findings.truncated |= more;
            let is_untyped = place.call.is_untyped();
            findings.issues.extend(
                violations
                    .into_iter()
                    .filter(|violation| !(is_untyped && is_only_untyped(violation)))
                    .map(|violation| issue_for(place, violation)),
            );
        }
        (_, Some(text)) => findings.issues.push(not_json(place, text)),
        (_, None) => {
            let mut issue = place.issue(
                ToolUseIssueType::MissingArguments,
                "the call has no arguments".to_owned(),
            );
            issue.details.path = Some(String::new());
            issue.details.violation.expected = Some("object".into());
            findings.issues.push(issue);
            for name in tool.into_iter().flat_map(Tool::required) {
                findings.issues.push(missing(place, name));
            }
        }
    }
    Ok(())
}

/// Whether an argument only has another type because its source writes texts and numbers alike.
fn is_only_untyped(violation: &Violation) -> bool {
    let wants_text = match &violation.expected {
        Some(Value::Array(types)) => types.iter().any(|it| it == "string"),
        Some(expected) => expected == "string",
        None => false,
    };
    violation.kind == ViolationKind::Type
        && violation.path.steps().len() == 1
        && (wants_text || violation.coerced.is_some())
}

fn not_json(place: &CallPlace<'_, '_>, text: &str) -> ToolUseIssue {
    let reason = why_not_json(text);
    let shown = Preview::of(toolgauge_model::Json::String(text), 60);
    let description = format!(
        "expected a JSON object as arguments, got text that is not JSON: {shown} ({reason})"
    );
    let mut issue = place.issue(ToolUseIssueType::TypeMismatch, description);
    issue.details.path = Some(String::new());
    issue.details.violation = ViolationFacts {
        keyword: Some("type".to_owned()),
        expected: Some("object".into()),
        actual: Some(text.into()),
        ..ViolationFacts::default()
    };
    issue
}

fn missing(place: &CallPlace<'_, '_>, name: &str) -> ToolUseIssue {
    let kind = ToolUseIssueType::MissingRequiredParam;
    let mut issue = place.issue(kind, format!("{name}: required, but missing"));
    issue.details.path = Some(toolgauge_model::Path::root().key(name).to_string());
    issue.details.violation.keyword = Some("required".to_owned());
    issue
}

fn issue_for(place: &CallPlace<'_, '_>, violation: Violation) -> ToolUseIssue {
    let kind = match violation.kind {
        ViolationKind::Required => ToolUseIssueType::MissingRequiredParam,
        ViolationKind::Type | ViolationKind::InvalidNumber => ToolUseIssueType::TypeMismatch,
        ViolationKind::AllowedValues => ToolUseIssueType::InvalidArguments,
        ViolationKind::Format | ViolationKind::Constraint => ToolUseIssueType::SchemaViolation,
    };
    let subject = if violation.path.is_root() {
        "arguments"
    } else {
        violation.path.as_str()
    };
    let mut issue = place.issue(kind, format!("{subject}: {}", violation.message));
    issue.details.path = Some(violation.path.to_string());
    issue.details.violation = violation.into();
    issue
}
