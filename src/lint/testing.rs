//! Help for tests of rules.

use bumpalo::Bump;
use serde_json::{Value, json};

use super::{LintOptions, LintProvider, LintResult, lint_tools};
use crate::error::Result;
use crate::model::Reader;
use crate::model::testing::arena_json;

/// The result for a document, held to the rules of `provider`.
pub fn linted(document: &Value, provider: Option<LintProvider>) -> Result<LintResult> {
    let arena = Bump::new();
    let options = LintOptions {
        provider,
        ..LintOptions::default()
    };
    let reader = Reader::new(&arena, options.limits);
    lint_tools(arena_json(&arena, &document.to_string()), &options, reader)
}

/// What is found in a document: severity, type, place.
pub fn found_by(document: &Value, provider: Option<LintProvider>) -> Vec<String> {
    let result = linted(document, provider).expect("tool definitions");
    let issues = result.issues.iter();
    let told = issues.map(|issue| {
        let (severity, kind) = (issue.severity.label(), issue.kind.label());
        format!("{severity} {kind} {}", issue.details.path)
    });
    told.collect()
}

/// What is found in a document by default.
pub fn found(document: &Value) -> Vec<String> {
    found_by(document, None)
}

/// A definition in which nothing but the schema of the argument `x` can be wrong.
pub fn with_argument(schema: Value) -> Value {
    let mut schema = schema;
    if let Value::Object(keywords) = &mut schema {
        keywords
            .entry("description")
            .or_insert_with(|| "how far to go, in metres".into());
    }
    with_parameters(json!({"type": "object", "properties": {"x": schema}}))
}

/// A definition in which nothing but the schema of the arguments can be wrong.
pub fn with_parameters(schema: Value) -> Value {
    json!({"name": "walk", "description": "Walks on, straight ahead.", "parameters": schema})
}
