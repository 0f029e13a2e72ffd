//! Differences between two values, path by path.

use serde::Serialize;

use toolgauge_model::{Json, Preview};

/// How paths inside the arguments start.
pub const ARGUMENTS: &str = "args";

/// One place where the actual arguments, or what came back, differ from what was expected.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct ArgumentDifference<'a> {
    /// The path, for example `args.filters.tags[2]` or `result.status`.
    pub path: String,
    /// The kind of difference.
    pub kind: DifferenceKind,
    /// The expected value; absent if nothing was expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub expected: Option<Json<'a>>,
    /// The actual value; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub actual: Option<Json<'a>>,
    /// The expectation in words, if a matcher expects something other than the plain value: `one of 1, 2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The reason that judges give for their answer, if a matcher asks judges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How two values differ at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum DifferenceKind {
    /// A value was expected, but there is none.
    Missing,
    /// There is a value, but none was expected.
    Unexpected,
    /// Another value was expected.
    Changed,
}

impl ArgumentDifference<'_> {
    /// Returns whether arguments differ, rather than what came back.
    pub fn is_of_arguments(&self) -> bool {
        self.path.starts_with(ARGUMENTS)
    }

    /// Describes the difference: `args.limit: expected 5, got "5"`.
    pub fn describe(&self) -> String {
        let shown = |value: Option<Json<'_>>| match value {
            Some(value) => Preview::of(value, 80).to_string(),
            None => "nothing".to_owned(),
        };
        let expected = match &self.rule {
            Some(rule) => rule.clone(),
            None => shown(self.expected),
        };
        let reason = match &self.reason {
            Some(reason) => format!(" ({reason})"),
            None => String::new(),
        };
        format!(
            "{}: expected {expected}, got {}{reason}",
            self.path,
            shown(self.actual)
        )
    }
}
