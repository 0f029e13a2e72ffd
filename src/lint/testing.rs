//! Helpers for the tests of rules.

use bumpalo::Bump;
use serde_json::{Value, json};

use super::{LintOptions, LintProvider, LintResult, lint_tools};
use toolgauge_model::Reader;
use toolgauge_model::error::Result;
use toolgauge_model::testing::arena_json;

/// Lints a document by the rules of `provider`.
pub fn linted(document: &Value, provider: Option<LintProvider>) -> Result<LintResult> {
    let arena = Bump::new();
    let options = LintOptions {
        provider,
        ..LintOptions::default()
    };
    let reader = Reader::new(&arena, options.limits);
    lint_tools(arena_json(&arena, &document.to_string()), &options, reader)
}

/// Returns the issues of a document: severity, type, path.
pub fn found_by(document: &Value, provider: Option<LintProvider>) -> Vec<String> {
    let result = linted(document, provider).expect("tool definitions");
    let issues = result.issues.iter();
    let lines = issues.map(|issue| {
        let (severity, kind) = (issue.severity.label(), issue.kind.label());
        format!("{severity} {kind} {}", issue.details.path)
    });
    lines.collect()
}

/// Returns the issues of a document with default options.
pub fn found(document: &Value) -> Vec<String> {
    found_by(document, None)
}

/// Returns a definition in which only the schema of the argument `x` can have issues.
pub fn with_argument(schema: Value) -> Value {
    let mut schema = schema;
    if let Value::Object(keywords) = &mut schema {
        keywords
            .entry("description")
            .or_insert_with(|| "how far to go, in metres".into());
    }
    with_parameters(json!({"type": "object", "properties": {"x": schema}}))
}

/// Returns a definition in which only the schema of the arguments can have issues.
pub fn with_parameters(schema: Value) -> Value {
    json!({"name": "walk", "description": "Walks on, straight ahead.", "parameters": schema})
}
