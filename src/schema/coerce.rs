//! Reads values of the wrong type that clearly mean one of the right type.

use std::str::FromStr;

use jsonschema::JsonType;
use serde_json::{Number, Value};

/// Longer strings are never read as numbers.
const LONGEST_NUMBER: usize = 400;

/// Reads the string in `value` as one of the `wanted` types: `"5"` as a number, `"{\"a\":1}"` as an object.
/// The result is only a suggestion; no argument is ever changed silently.
pub fn coerce(value: &Value, wanted: &[JsonType]) -> Option<Value> {
    let text = value.as_str()?.trim();
    wanted.iter().find_map(|wanted| match wanted {
        JsonType::Integer => number(text).and_then(whole),
        JsonType::Number => number(text).map(Value::Number),
        JsonType::Boolean if text.eq_ignore_ascii_case("true") => Some(true.into()),
        JsonType::Boolean if text.eq_ignore_ascii_case("false") => Some(false.into()),
        JsonType::Object if text.starts_with('{') => serde_json::from_str(text).ok(),
        JsonType::Array if text.starts_with('[') => serde_json::from_str(text).ok(),
        JsonType::Null if text == "null" => Some(Value::Null),
        _ => None,
    })
}

/// Reads `text` as a value of the type named `wanted`.
pub fn coerce_to(text: &str, wanted: &str) -> Option<Value> {
    let wanted = JsonType::from_str(wanted).ok()?;
    coerce(&text.into(), &[wanted])
}

fn number(text: &str) -> Option<Number> {
    (text.len() <= LONGEST_NUMBER)
        .then(|| serde_json::from_str(text).ok())
        .flatten()
}

/// Returns `number` as an integer if it is a whole number, also when it is written as `7.0`. Numbers beyond
/// 2^53 are left alone, because doubles are not exact there.
pub fn whole(number: Number) -> Option<Value> {
    if number.is_i64() || number.is_u64() {
        return Some(number.into());
    }
    let value = number.as_f64()?;
    let is_whole = value.fract() == 0.0 && value.abs() < 2f64.powi(53);
    is_whole.then(|| (value as i64).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn strings_are_read_as_the_wanted_type() {
        let cases = [
            (json!("5"), JsonType::Number, Some(json!(5))),
            (json!(" 7.0 "), JsonType::Integer, Some(json!(7))),
            (json!("7.5"), JsonType::Integer, None),
            (json!("-1e3"), JsonType::Number, Some(json!(-1e3))),
            (json!("5 apples"), JsonType::Number, None),
            (json!("0x10"), JsonType::Number, None),
            (json!(""), JsonType::Number, None),
            (json!("NaN"), JsonType::Number, None),
            (json!("True"), JsonType::Boolean, Some(json!(true))),
            (json!("yes"), JsonType::Boolean, None),
            (json!("{\"a\":1}"), JsonType::Object, Some(json!({"a": 1}))),
            (json!("[1"), JsonType::Array, None),
            (json!("[1]"), JsonType::Object, None),
            (json!("null"), JsonType::Null, Some(json!(null))),
            (json!(5), JsonType::String, None),
        ];
        for (value, wanted, coerced) in cases {
            assert_eq!(coerce(&value, &[wanted]), coerced, "{value} as {wanted:?}");
        }
    }

    #[test]
    fn the_first_wanted_type_that_fits_wins() {
        let wanted = [JsonType::Integer, JsonType::Null];
        assert_eq!(coerce(&json!("null"), &wanted), Some(json!(null)));
        assert_eq!(coerce(&json!("3"), &wanted), Some(json!(3)));
    }
}
