//! Reads what a judge said, and reports what is wrong with it.

use serde::Serialize;

use super::question::Question;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Limits, Path, Reader};
use toolgauge_schema::Tool;

/// The result of reading what a judge said.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum AnswerReading<'a> {
    /// A valid answer.
    Answer(JudgeAnswer<'a>),
    /// No valid answer.
    Problems {
        /// The reasons, one sentence for each place.
        problems: Vec<String>,
    },
}

/// A valid answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgeAnswer<'a> {
    /// The answer.
    pub answer: Json<'a>,
    /// The score in it.
    pub score: f64,
}

/// Checks whether `answer`, if it could be read, answers `question` and fits `schema`.
pub fn check_answer<'a>(
    answer: Result<Json<'a>>,
    question: &Question<'_>,
    schema: &Tool,
) -> AnswerReading<'a> {
    match answer.and_then(|answer| Ok((answer, problems(answer, schema)?))) {
        Ok((answer, problems)) if problems.is_empty() => with_score(answer, question),
        Ok((_, problems)) => AnswerReading::Problems { problems },
        Err(error) => AnswerReading::problem(error.to_string()),
    }
}

impl AnswerReading<'_> {
    fn problem(problem: String) -> Self {
        Self::Problems {
            problems: vec![problem],
        }
    }
}

/// Returns the JSON value in the text of a model: the whole text, or the content of its code fence. Reasoning
/// before `</think>` is ignored.
///
/// # Errors
/// As [`Reader::read_text`].
pub fn read_model_text<'a>(text: &'a str, reader: Reader<'a>) -> Result<Json<'a>> {
    reader.read_text(answer_part(text))
}

fn answer_part(text: &str) -> &str {
    let text = text.trim();
    let said = match text.split_once("</think>") {
        Some((_, said)) if !is_json(text) => said.trim(),
        _ => text,
    };
    match said.split_once("```") {
        // The first line of a fence may name the language.
        Some((_, fenced)) if !is_json(said) => {
            let body = fenced.split_once('\n').map_or("", |(_, body)| body);
            body.rsplit_once("```").map_or(body, |(body, _)| body)
        }
        _ => said,
    }
}

/// Returns whether the whole of `text` is meant as JSON.
fn is_json(text: &str) -> bool {
    text.starts_with(['{', '['])
}

fn problems(answer: Json<'_>, schema: &Tool) -> Result<Vec<String>> {
    let (violations, _) = schema.violations(answer, Limits::default())?;
    let describe = |path: &Path, message: &str| match path.is_root() {
        true => message.to_owned(),
        false => format!("{path}: {message}"),
    };
    let described = violations
        .iter()
        .map(|found| describe(&found.path, &found.message));
    Ok(described.collect())
}

fn with_score<'a>(answer: Json<'a>, question: &Question<'_>) -> AnswerReading<'a> {
    let Question {
        score_field, scale, ..
    } = question;
    let found = answer.get(score_field);
    match found {
        Some(Json::Number(number)) if (scale.min..=scale.max).contains(&number.as_f64()) => {
            AnswerReading::Answer(JudgeAnswer {
                answer,
                score: number.as_f64(),
            })
        }
        _ => AnswerReading::problem(format!(
            "{score_field}: expected a number from {} to {}, got {}",
            scale.min,
            scale.max,
            found.map_or_else(|| "nothing".to_owned(), Json::describe),
        )),
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_formats as formats;
    use toolgauge_model::testing::arena_json;
    use toolgauge_schema::{Compiler, ToolSet};

    const SCHEMA: &str = r#"{
        "type": "object",
        "properties": {
            "score": {"type": "number", "minimum": 0, "maximum": 1},
            "reason": {"type": "string"}
        },
        "required": ["score", "reason"],
        "additionalProperties": false
    }"#;

    /// Returns the score in `said`, or what is wrong with it.
    fn read_with(schema: &str, said: &str) -> std::result::Result<f64, Vec<String>> {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let question = format!(r#"{{"name":"q","prompt":"p","schema":{schema}}}"#);
        let question = Question::read(arena_json(&arena, &question)).expect("a question");
        let tools = format!(r#"{{"name":"q","parameters":{schema}}}"#);
        let tools = formats::import_tools(arena_json(&arena, &tools), reader).expect("a tool");
        let set = ToolSet::compile(&tools.value, &Compiler::new(Vec::new())).expect("a schema");
        let tool = set.only().expect("one tool");
        match check_answer(read_model_text(said, reader), &question, tool) {
            AnswerReading::Answer(answer) => Ok(answer.score),
            AnswerReading::Problems { problems } => Err(problems),
        }
    }

    fn read(said: &str) -> std::result::Result<f64, Vec<String>> {
        read_with(SCHEMA, said)
    }

    #[test]
    fn an_answer_is_found_in_the_text_of_a_model() {
        let answer = r#"{"score": 0.5, "reason": "``` </think> in a text"}"#;
        let short = r#"{"score": 0.5, "reason": "r"}"#;
        for said in [
            answer.to_owned(),
            format!("\n {answer} \n"),
            format!("```json\n{short}\n```"),
            format!("```\n{short}\n```\n"),
            format!("My verdict:\n\n```json\n{short}\n```\nThat is all."),
            format!("<think>\nIs {{\"score\": 1}} right?\n</think>\n\n{short}"),
            format!("Let me see.</think>```json\n{answer}\n```"),
        ] {
            assert_eq!(read(&said), Ok(0.5), "{said}");
        }
    }

    #[test]
    fn invalid_answers_are_reported_and_get_no_score() {
        for (said, says) in [
            ("", "not valid JSON: the text is empty"),
            ("I can't judge that.", "not valid JSON"),
            (r#"{"score": 0.5, "rea"#, "not valid JSON"),
            ("```json\n{\"score\": 0.5,\n```", "not valid JSON"),
            (r#"{"score": 0.5} {"score": 0.7}"#, "not valid JSON"),
            ("0.5", "expected object"),
            ("null", "expected object"),
            (r#"[{"score": 0.5, "reason": "r"}]"#, "expected object"),
            (
                r#"{"score": "0.5", "reason": "r"}"#,
                "score: expected number",
            ),
            (r#"{"score": 1.5, "reason": "r"}"#, "score: "),
            (r#"{"score": 0.5}"#, "reason: "),
            (r#"{"score": 0.5, "reason": "r", "more": 1}"#, "more"),
        ] {
            let problems = read(said).expect_err(said).join("; ");
            assert!(problems.contains(says), "{said}: {problems}");
        }
    }

    #[test]
    fn every_problem_is_reported() {
        let problems = read(r#"{"score": "high", "reason": 7}"#).expect_err("problems");
        assert_eq!(problems.len(), 2, "{problems:?}");
    }

    #[test]
    fn hostile_answers_are_problems_rather_than_errors() {
        let deep = "[".repeat(100_000);
        assert!(read(&deep).is_err());
        assert!(read(&format!("{{\"score\": 0.5, \"reason\": {deep}")).is_err());
        assert!(read(r#"{"score": 1e999, "reason": "r"}"#).is_err());
        assert!(read(r#"{"__proto__": {"score": 1}, "reason": "r"}"#).is_err());
    }

    #[test]
    fn scores_off_the_scale_are_rejected_even_by_a_loose_schema() {
        let loose = r#"{
            "properties": {"score": {"type": "number", "minimum": 0, "maximum": 1}},
            "required": ["score"]
        }"#;
        let problems = read_with(loose, "5").expect_err("no object");
        assert_eq!(
            problems,
            ["score: expected a number from 0 to 1, got nothing"]
        );
    }
}
