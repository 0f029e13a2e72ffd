//! The question to a judge.

use super::scale::ScoreScale;
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path};

/// The default member of an answer that holds the score.
const SCORE: &str = "score";

/// The part of a question that is the same for all judges.
#[derive(Debug, Clone, PartialEq)]
pub struct Question<'a> {
    /// The name of the question, for example `tool_choice`.
    pub name: &'a str,
    /// The member of the answer that holds the score.
    pub score_field: &'a str,
    /// The scores that a judge may give.
    pub scale: ScoreScale,
}

impl<'a> Question<'a> {
    /// Reads a question: `{name, system?, prompt, schema, scoreField?}`.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if a part is missing or has the wrong type, and as [`ScoreScale::of`].
    pub fn read(json: Json<'a>) -> Result<Self> {
        let name = text(json, "name")?;
        text(json, "prompt")?;
        if json.get("system").is_some() {
            text(json, "system")?;
        }
        let score_field = match json.get("scoreField") {
            Some(_) => text(json, "scoreField")?,
            None => SCORE,
        };
        let schema = json.get("schema").unwrap_or_default();
        if schema.members().is_none() {
            return Err(mismatch("schema", "a JSON Schema as an object", schema));
        }
        Ok(Self {
            name,
            score_field,
            scale: ScoreScale::of(schema, score_field)?,
        })
    }
}

fn text<'a>(json: Json<'a>, name: &str) -> Result<&'a str> {
    let value = json.get(name).unwrap_or_default();
    let text = value.as_str().filter(|text| !text.is_empty());
    text.ok_or_else(|| mismatch(name, "text", value))
}

fn mismatch(name: &str, expected: &str, actual: Json<'_>) -> Error {
    Error::invalid_input(Path::root().key(name), expected, actual.describe())
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_model::testing::arena_json;

    const SCHEMA: &str = r#"{"properties":{"score":{"enum":[0,1]},"output":{"enum":[1,5]}},"required":["score","output"]}"#;

    fn read(members: &str) -> std::result::Result<(String, f64), String> {
        let arena = Bump::new();
        let text = format!("{{{members}}}").replace("SCHEMA", SCHEMA);
        Question::read(arena_json(&arena, &text))
            .map(|question| (question.score_field.to_owned(), question.scale.max))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn the_score_field_can_be_named() {
        let plain = r#""name":"n","prompt":"p","schema":SCHEMA"#;
        assert_eq!(read(plain), Ok(("score".to_owned(), 1.0)));
        let named = format!(r#"{plain},"system":"s","scoreField":"output""#);
        assert_eq!(read(&named), Ok(("output".to_owned(), 5.0)));
    }

    #[test]
    fn missing_and_wrong_parts_are_reported() {
        for (members, says) in [
            (r#""prompt":"p","schema":SCHEMA"#, "name: expected text"),
            (
                r#""name":"","prompt":"p","schema":SCHEMA"#,
                "name: expected text",
            ),
            (r#""name":"n","schema":SCHEMA"#, "prompt: expected text"),
            (
                r#""name":"n","prompt":7,"schema":SCHEMA"#,
                "prompt: expected text, got 7",
            ),
            (
                r#""name":"n","prompt":"p","system":[],"schema":SCHEMA"#,
                "system: expected text",
            ),
            (
                r#""name":"n","prompt":"p""#,
                "schema: expected a JSON Schema",
            ),
            (
                r#""name":"n","prompt":"p","schema":SCHEMA,"scoreField":"grade""#,
                "schema.required: expected \"grade\"",
            ),
        ] {
            let error = read(members).expect_err(members);
            assert!(error.starts_with(says), "{error}");
        }
    }
}
