//! Reads text that a model wrote in place of a JSON object.

use serde_json::Value;

use toolgauge_model::{Json, Reader};
use toolgauge_schema::to_value;

/// Reads the object in `text`, even inside a code fence, as a Python literal, as JSON text inside a
/// string, or beside an empty or equal object, which faulty streams leave.
pub fn read_loosely(text: &str, reader: Reader<'_>) -> Option<Value> {
    let text = unfenced(text.trim());
    let kept = reader.arena().alloc_str(text);
    let read = reader.read_text(kept).ok();
    match read.or_else(|| reader.read_python(kept)) {
        Some(object @ Json::Object(_)) => Some(to_value(object)),
        Some(Json::String(inner)) if inner.len() < text.len() => read_loosely(inner, reader),
        Some(_) => None,
        None => only_object(text),
    }
}

/// Returns the content of a code fence, or the whole text if there is none.
fn unfenced(text: &str) -> &str {
    let fenced = text
        .strip_prefix("```")
        .and_then(|text| text.strip_suffix("```"));
    // The first line may name the language.
    fenced
        .and_then(|fenced| fenced.split_once('\n'))
        .map_or(text, |(_, body)| body.trim())
}

/// Returns the only object in a text of several concatenated ones, ignoring empty and equal ones.
fn only_object(text: &str) -> Option<Value> {
    let mut only: Option<Value> = None;
    for value in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        let value = value.ok().filter(Value::is_object)?;
        let is_empty = value.as_object().is_none_or(serde_json::Map::is_empty);
        match &only {
            _ if is_empty => {}
            Some(known) if *known == value => {}
            Some(_) => return None,
            None => only = Some(value),
        }
    }
    only
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;
    use serde_json::json;

    use super::*;
    use toolgauge_model::Limits;

    #[test]
    fn objects_are_found_in_texts_of_models() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        for text in [
            r#"{"a": 1}"#,
            "```json\n{\"a\": 1}\n```",
            "{'a': 1,}",
            r#""{\"a\": 1}""#,
            r#"{}{"a": 1}"#,
            r#"{"a": 1}{"a": 1}"#,
        ] {
            assert_eq!(read_loosely(text, reader), Some(json!({"a": 1})), "{text}");
        }
        for text in [
            "",
            "5",
            "[1]",
            r#"{"a": "#,
            r#"{"a": 1}{"a": 2}"#,
            "{}{}",
            "a=1",
        ] {
            assert_eq!(read_loosely(text, reader), None, "{text}");
        }
    }
}
