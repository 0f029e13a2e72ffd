//! Converts arguments to the values that the JSON Schema validator takes.

use bumpalo::Bump;
use serde_json::Value;

use toolgauge_model::{Json, Number, Path};

/// A value for the validator, with the places of numbers that JSON can't represent.
pub struct Instance {
    /// The value. Numbers that JSON can't represent are 0 in it.
    pub value: Value,
    /// The paths of those numbers, each with its text: `NaN`, `Infinity` or `-Infinity`.
    pub not_finite: Vec<(Path, String)>,
}

impl Instance {
    /// Converts `json`.
    pub fn of(json: Json<'_>) -> Self {
        let mut not_finite = Vec::new();
        let mut is_finite = true;
        let value = convert(json, &mut is_finite);
        if !is_finite {
            find_not_finite(json, &Path::root(), &mut not_finite);
        }
        Self { value, not_finite }
    }
}

/// Converts `json` to a `serde_json` value. Numbers that JSON can't represent become 0.
pub fn to_value(json: Json<'_>) -> Value {
    convert(json, &mut true)
}

/// Converts `json` and clears `is_finite` if it contains a number that JSON can't represent. Paths are not
/// tracked here, because hardly any value contains one.
fn convert(json: Json<'_>, is_finite: &mut bool) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => value.into(),
        Json::String(text) => text.into(),
        Json::Number(number) => to_number(number).map_or_else(
            || {
                *is_finite = false;
                0.into()
            },
            Value::Number,
        ),
        Json::Array(items) => items.iter().map(|item| convert(*item, is_finite)).collect(),
        Json::Object(members) => members
            .iter()
            .map(|(key, value)| ((*key).to_owned(), convert(*value, is_finite)))
            .collect(),
    }
}

/// Converts `value` back to a [`Json`] whose strings and containers are allocated in `arena`.
pub fn from_value<'a>(value: &Value, arena: &'a Bump) -> Json<'a> {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::String(text) => Json::String(arena.alloc_str(text)),
        Value::Number(number) => Json::Number(from_number(number)),
        Value::Array(items) => Json::Array(
            arena.alloc_slice_fill_iter(items.iter().map(|item| from_value(item, arena))),
        ),
        Value::Object(members) => Json::Object(arena.alloc_slice_fill_iter(members.iter().map(
            |(key, value)| -> (&'a str, Json<'a>) {
                (arena.alloc_str(key), from_value(value, arena))
            },
        ))),
    }
}

fn from_number(number: &serde_json::Number) -> Number {
    match (number.as_u64(), number.as_i64()) {
        (Some(value), _) => Number::Unsigned(value),
        (None, Some(value)) => Number::Negative(value),
        (None, None) => Number::Float(number.as_f64().unwrap_or_default()),
    }
}

fn to_number(number: Number) -> Option<serde_json::Number> {
    match number {
        Number::Unsigned(value) => Some(value.into()),
        Number::Negative(value) => Some(value.into()),
        Number::Float(value) => serde_json::Number::from_f64(value),
    }
}

/// Adds the numbers that JSON can't represent, with their paths.
#[cold]
fn find_not_finite(json: Json<'_>, path: &Path, found: &mut Vec<(Path, String)>) {
    match json {
        Json::Number(number) if !number.is_finite() => {
            found.push((path.clone(), number.to_string()));
        }
        Json::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                find_not_finite(*item, &path.index(at), found);
            }
        }
        Json::Object(members) => {
            for (key, value) in members {
                find_not_finite(*value, &path.key(key), found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use toolgauge_model::testing::any_json;

    proptest! {
        #[test]
        fn a_value_comes_back_as_it_was(text in any_json()) {
            let arena = Bump::new();
            let value: Value = serde_json::from_str(&text).expect("JSON");
            prop_assert_eq!(to_value(from_value(&value, &arena)), value);
        }
    }
}
