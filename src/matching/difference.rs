//! What differs between two values, path by path.

use serde::Serialize;

use crate::model::{Json, Preview};

/// One place where the actual arguments differ from the expected ones.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct ArgumentDifference<'a> {
    /// The place, as in `args.filters.tags[2]`.
    pub path: String,
    /// How they differ there.
    pub kind: DifferenceKind,
    /// The expected value; absent when nothing was expected there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub expected: Option<Json<'a>>,
    /// The actual value; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub actual: Option<Json<'a>>,
    /// What was asked for in words, where a matcher asks for more than the expected value: `one of 1, 2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// How two values differ at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum DifferenceKind {
    /// Something was expected there, and nothing is.
    Missing,
    /// Nothing was expected there, and something is.
    Unexpected,
    /// Another value was expected there.
    Changed,
}

impl ArgumentDifference<'_> {
    /// The difference as a phrase: `args.limit: expected 5, got "5"`.
    pub fn describe(&self) -> String {
        let shown = |value: Option<Json<'_>>| match value {
            Some(value) => Preview::of(value, 80).to_string(),
            None => "nothing".to_owned(),
        };
        let expected = match &self.rule {
            Some(rule) => rule.clone(),
            None => shown(self.expected),
        };
        format!(
            "{}: expected {expected}, got {}",
            self.path,
            shown(self.actual)
        )
    }
}
