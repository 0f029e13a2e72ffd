//! Arguments as the JSON Schema validator takes them.

use serde_json::Value;

use crate::model::{Json, Number, Path};

/// A value for the validator, and where it holds numbers that JSON can't carry.
pub struct Instance {
    /// The value; a number that JSON can't carry is 0 in it.
    pub value: Value,
    /// The places of those numbers, with what they are: `NaN`, `Infinity` or `-Infinity`.
    pub not_finite: Vec<(Path, String)>,
}

impl Instance {
    /// The instance that `json` is.
    pub fn of(json: Json<'_>) -> Self {
        let mut not_finite = Vec::new();
        let value = convert(json, &Path::root(), &mut not_finite);
        Self { value, not_finite }
    }
}

/// `json` as a `serde_json` value; a number that JSON can't carry is 0 in it.
pub fn to_value(json: Json<'_>) -> Value {
    Instance::of(json).value
}

fn convert(json: Json<'_>, path: &Path, not_finite: &mut Vec<(Path, String)>) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => value.into(),
        Json::String(text) => text.into(),
        Json::Number(number) => convert_number(number, path, not_finite),
        Json::Array(items) => items
            .iter()
            .enumerate()
            .map(|(at, item)| match item {
                Json::Number(number) if number.is_finite() => {
                    convert_number(*number, path, not_finite)
                }
                Json::String(text) => (*text).into(),
                item => convert(*item, &path.index(at), not_finite),
            })
            .collect(),
        Json::Object(members) => members
            .iter()
            .map(|(key, value)| {
                let value = match value {
                    Json::Number(number) if number.is_finite() => {
                        convert_number(*number, path, not_finite)
                    }
                    Json::String(text) => (*text).into(),
                    value => convert(*value, &path.key(key), not_finite),
                };
                ((*key).to_owned(), value)
            })
            .collect(),
    }
}

fn convert_number(number: Number, path: &Path, not_finite: &mut Vec<(Path, String)>) -> Value {
    match number {
        Number::Unsigned(value) => value.into(),
        Number::Negative(value) => value.into(),
        Number::Float(value) => serde_json::Number::from_f64(value).map_or_else(
            || {
                not_finite.push((path.clone(), number.to_string()));
                0.into()
            },
            Value::Number,
        ),
    }
}
