//! What differs between two values, path by path.

use serde::Serialize;

use crate::model::{Json, Path, Preview};

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
        let shown = |value: Option<Json<'_>>| {
            value.map_or(String::new(), |value| Preview::of(value, 80).to_string())
        };
        let (expected, actual) = (shown(self.expected), shown(self.actual));
        match self.kind {
            DifferenceKind::Missing => format!("{}: expected {expected}, got nothing", self.path),
            DifferenceKind::Unexpected => format!("{}: expected nothing, got {actual}", self.path),
            DifferenceKind::Changed => format!("{}: expected {expected}, got {actual}", self.path),
        }
    }
}

/// All places where `actual` differs from `expected`, in the order of `expected`, then of what is
/// unexpected. Values are equal as JSON Schema has it. Paths start with `args`.
pub fn differences<'a>(expected: Json<'a>, actual: Json<'a>) -> Vec<ArgumentDifference<'a>> {
    let mut found = Vec::new();
    collect(
        Some(expected),
        Some(actual),
        &Path::root().key("args"),
        &mut found,
    );
    found
}

/// How many places [`differences`] finds.
pub fn count_differences(expected: Json<'_>, actual: Json<'_>) -> usize {
    match (expected, actual) {
        (Json::Object(wanted), Json::Object(given)) => {
            let missing_or_changed: usize = wanted
                .iter()
                .map(|(key, value)| {
                    actual
                        .get(key)
                        .map_or(1, |other| count_differences(*value, other))
                })
                .sum();
            let unexpected = given
                .iter()
                .filter(|(key, _)| expected.get(key).is_none())
                .count();
            missing_or_changed + unexpected
        }
        (Json::Array(wanted), Json::Array(given)) => {
            let changed: usize = wanted
                .iter()
                .zip(given)
                .map(|(a, b)| count_differences(*a, *b))
                .sum();
            changed + wanted.len().abs_diff(given.len())
        }
        _ => usize::from(expected != actual),
    }
}

fn collect<'a>(
    expected: Option<Json<'a>>,
    actual: Option<Json<'a>>,
    path: &Path,
    found: &mut Vec<ArgumentDifference<'a>>,
) {
    let kind = match (expected, actual) {
        (Some(wanted @ Json::Object(members)), Some(given @ Json::Object(others))) => {
            for (key, value) in members {
                collect(Some(*value), given.get(key), &path.key(key), found);
            }
            for (key, value) in others.iter().filter(|(key, _)| wanted.get(key).is_none()) {
                collect(None, Some(*value), &path.key(key), found);
            }
            return;
        }
        (Some(Json::Array(items)), Some(Json::Array(others))) => {
            for at in 0..items.len().max(others.len()) {
                collect(
                    items.get(at).copied(),
                    others.get(at).copied(),
                    &path.index(at),
                    found,
                );
            }
            return;
        }
        (Some(expected), Some(actual)) if expected == actual => return,
        (Some(_), Some(_)) => DifferenceKind::Changed,
        (Some(_), None) => DifferenceKind::Missing,
        (None, _) => DifferenceKind::Unexpected,
    };
    found.push(ArgumentDifference {
        path: path.to_string(),
        kind,
        expected,
        actual,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{any_json, arena_json};
    use bumpalo::Bump;
    use proptest::prelude::*;

    fn described(expected: &str, actual: &str) -> Vec<String> {
        let arena = Bump::new();
        differences(arena_json(&arena, expected), arena_json(&arena, actual))
            .iter()
            .map(ArgumentDifference::describe)
            .collect()
    }

    #[test]
    fn each_difference_has_its_path() {
        assert_eq!(
            described(
                r#"{"limit":5,"filters":{"lang":"en","tags":["a","b"]},"gone":null}"#,
                r#"{"limit":"5","filters":{"lang":"no","tags":["a"]},"new":[1]}"#
            ),
            [
                r#"args.limit: expected 5, got "5""#,
                r#"args.filters.lang: expected "en", got "no""#,
                r#"args.filters.tags[1]: expected "b", got nothing"#,
                "args.gone: expected null, got nothing",
                "args.new: expected nothing, got [1]",
            ]
        );
    }

    #[test]
    fn equal_values_have_none() {
        assert!(described(r#"{"a":1,"b":{"c":[1.0]}}"#, r#"{"b":{"c":[1]},"a":1.0}"#).is_empty());
    }

    proptest! {
        #[test]
        fn there_are_differences_exactly_where_values_differ(a in any_json(), b in any_json()) {
            let arena = Bump::new();
            let (x, y) = (arena_json(&arena, &a), arena_json(&arena, &b));
            prop_assert_eq!(differences(x, y).is_empty(), x == y);
            prop_assert_eq!(differences(x, y).len(), count_differences(x, y));
            prop_assert_eq!(count_differences(x, y), count_differences(y, x));
        }
    }
}
