//! Converts values to another type, or to an allowed value, if the intention is clear.

use bumpalo::Bump;
use serde_json::{Number, Value};

use super::likely_name::likely_name;
use toolgauge_model::{Limits, Reader};
use toolgauge_schema::{coerce_to, to_value, whole};

/// Converts `value` to the type `wanted`, by its JSON Schema name, if the intention is clear. The schema
/// check already reads texts that hold a number, an object or a list; this covers the other safe conversions.
pub fn to_type(value: &Value, wanted: &str) -> Option<Value> {
    match (wanted, value) {
        ("array", Value::Null) => None,
        ("array" | "object", Value::String(text)) => {
            written(text, wanted).or_else(|| listed(text).filter(|_| wanted == "array"))
        }
        ("array", one) => Some(Value::Array(vec![one.clone()])),
        ("string", Value::Number(number)) => Some(number_text(number).into()),
        ("string", Value::Bool(value)) => Some(value.to_string().into()),
        ("integer", Value::Number(number)) => whole(number.clone()),
        ("boolean", Value::Number(number)) => match number.as_f64()? {
            1.0 => Some(true.into()),
            0.0 => Some(false.into()),
            _ => None,
        },
        ("boolean", Value::String(text)) => said(text),
        (_, Value::String(text)) => coerce_to(text, wanted),
        // A list with one item stands for the item.
        (_, Value::Array(items)) => match items.as_slice() {
            [one] if is_of_type(one, wanted) => Some(one.clone()),
            [one] if !one.is_array() => to_type(one, wanted),
            _ => None,
        },
        _ => None,
    }
}

/// Reads the list or object that `text` holds as JSON or as a Python literal.
fn written(text: &str, wanted: &str) -> Option<Value> {
    let arena = Bump::new();
    let python = || {
        let text = arena.alloc_str(text.trim());
        let read = Reader::new(&arena, Limits::default()).read_python(text)?;
        Some(to_value(read)).filter(|value| is_of_type(value, wanted))
    };
    coerce_to(text, wanted).or_else(python)
}

/// Wraps one text in a list, unless it is empty or is itself meant as a list or an object.
fn listed(text: &str) -> Option<Value> {
    let start = text.trim_start().chars().next()?;
    (!matches!(start, '[' | '{')).then(|| Value::Array(vec![text.into()]))
}

fn is_of_type(value: &Value, wanted: &str) -> bool {
    match wanted {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "null" => value.is_null(),
        _ => false,
    }
}

fn number_text(number: &Number) -> String {
    whole(number.clone()).map_or_else(|| number.to_string(), |whole| whole.to_string())
}

fn said(text: &str) -> Option<Value> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true.into()),
        "false" | "no" | "off" | "0" => Some(false.into()),
        _ => None,
    }
}

/// Returns the only one of the `allowed` values that `value` clearly means: the same in another type, another
/// spelling, or misspelt.
pub fn to_allowed(value: &Value, allowed: &[Value]) -> Option<Value> {
    let same = |it: &&Value| {
        type_of(it).is_some_and(|wanted| to_type(value, wanted).as_ref() == Some(*it))
    };
    let mut in_other_type = allowed.iter().filter(same);
    if let (Some(one), None) = (in_other_type.next(), in_other_type.next()) {
        return Some(one.clone());
    }
    let text = value.as_str()?;
    let texts = allowed.iter().filter_map(Value::as_str);
    likely_name(text, texts).map(Value::from)
}

fn type_of(value: &Value) -> Option<&'static str> {
    match value {
        Value::Null => Some("null"),
        Value::Bool(_) => Some("boolean"),
        Value::Number(number) if number.is_f64() => Some("number"),
        Value::Number(_) => Some("integer"),
        Value::String(_) => Some("string"),
        Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_with_a_clear_intention_are_converted() {
        for (value, wanted, converted) in [
            (json!("7"), "integer", Some(json!(7))),
            (json!("1e3"), "integer", Some(json!(1000))),
            (json!("0.5"), "number", Some(json!(0.5))),
            (json!(7.0), "integer", Some(json!(7))),
            (json!(7.5), "integer", None),
            (json!("seven"), "integer", None),
            (json!("true"), "boolean", Some(json!(true))),
            (json!("No"), "boolean", Some(json!(false))),
            (json!(1), "boolean", Some(json!(true))),
            (json!(2), "boolean", None),
            (json!("maybe"), "boolean", None),
            (json!(5), "string", Some(json!("5"))),
            (json!(5.0), "string", Some(json!("5"))),
            (json!(false), "string", Some(json!("false"))),
            (json!(null), "string", None),
            (json!({}), "string", None),
            (json!(["Oslo"]), "string", Some(json!("Oslo"))),
            (json!([5]), "string", Some(json!("5"))),
            (json!(["a", "b"]), "string", None),
            (json!("a"), "array", Some(json!(["a"]))),
            (json!("['a', 'b']"), "array", Some(json!(["a", "b"]))),
            (json!("[a, b]"), "array", None),
            (json!(" "), "array", None),
            (json!(null), "array", None),
            (json!("{'a': True}"), "object", Some(json!({"a": true}))),
            (json!("{\"a\":1}"), "object", Some(json!({"a": 1}))),
            (json!([{"a": 1}]), "object", Some(json!({"a": 1}))),
            (json!("[1]"), "object", None),
            (json!(true), "integer", None),
        ] {
            assert_eq!(to_type(&value, wanted), converted, "{value} as {wanted}");
        }
    }

    #[test]
    fn an_allowed_value_is_found_in_another_type_or_spelling() {
        let units = [json!("celsius"), json!("fahrenheit")];
        assert_eq!(
            to_allowed(&json!("Celsius"), &units),
            Some(json!("celsius"))
        );
        assert_eq!(
            to_allowed(&json!(" celsius "), &units),
            Some(json!("celsius"))
        );
        assert_eq!(
            to_allowed(&json!("farenheit"), &units),
            Some(json!("fahrenheit"))
        );
        assert_eq!(to_allowed(&json!("kelvin"), &units), None);
        assert_eq!(
            to_allowed(&json!("2"), &[json!(1), json!(2)]),
            Some(json!(2))
        );
        assert_eq!(
            to_allowed(&json!(2), &[json!("1"), json!("2")]),
            Some(json!("2"))
        );
        assert_eq!(to_allowed(&json!(3), &[json!("C"), json!("F")]), None);
        assert_eq!(to_allowed(&json!("C"), &[json!("c"), json!("C ")]), None);
    }
}
