//! The exports for working with judges.

use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::document::{Document, read_options};
use super::{Encoded, Tools, encode, read_named, read_plain, to_json};
use toolgauge_base::options::only_known;
use toolgauge_judges::{
    JudgeOptions, Question, ScoreScale, check_answer, combine, read_model_text,
};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Limits, Path, Reader};

/// The data known before a judge is asked.
#[derive(Serialize)]
struct Prepared {
    scale: ScoreScale,
    options: JudgeOptions,
}

/// Checks the question for judges and the options, and fills in the defaults: `{scale, options}`. `at` is the
/// position of the request among several.
#[wasm_bindgen(js_name = prepareJudging)]
pub fn prepare_judging(request: Document, options: Option<Document>, at: Option<usize>) -> Encoded {
    encode(|| {
        let options = JudgeOptions::read(read_options(options)?)?;
        let arena = request.arena();
        let question = request
            .read(Reader::new(&arena, Limits::default()))
            .and_then(Question::read);
        let place = match at {
            Some(at) => Path::root().key("requests").index(at),
            None => Path::root().key("request"),
        };
        let scale = question.map_err(|error| error.inside(&place))?.scale;
        Ok(to_json(&Prepared { scale, options }))
    })
}

/// See [`check_answer`]. `said` is the text of a model, or a value.
#[wasm_bindgen(js_name = readJudgeAnswer)]
pub fn read_judge_answer(said: Document, request: Document, schema: &Tools) -> Encoded {
    encode(|| {
        let arena = request.arena();
        let reader = Reader::new(&arena, Limits::default());
        let question = Question::read(read_named(&request, "request", reader)?)?;
        let answer = read_said(&said, reader);
        Ok(to_json(&check_answer(answer, &question, schema.only()?)))
    })
}

/// Rejects the first of the options `given`, a JSON list of names, that is not one of the `known`.
#[wasm_bindgen(js_name = onlyKnownOptions)]
pub fn only_known_options(given: Document, known: Document) -> Encoded {
    encode(|| {
        let read = |names: &Document| -> Result<Vec<String>> {
            read_plain(names.bytes().unwrap_or_default(), "names")
        };
        let known = read(&known)?;
        let known: Vec<_> = known.iter().map(String::as_str).collect();
        only_known(&read(&given)?, &known)?;
        Ok("null".to_owned())
    })
}

/// Combines `{scores, aggregationMethod}` of the answers to a request: see [`combine`].
#[wasm_bindgen(js_name = combineScores)]
pub fn combine_scores(input: Document, request: Document) -> Encoded {
    encode(|| {
        let mut input = read_options(Some(input))?;
        let scores: Vec<f64> = input.take("scores")?.unwrap_or_default();
        let method = input.take("aggregationMethod")?.unwrap_or_default();
        let arena = request.arena();
        let scale = Question::read(request.read(Reader::new(&arena, Limits::default()))?)?.scale;
        Ok(to_json(&combine(&scores, method, &scale)?))
    })
}

fn read_said<'a>(said: &'a Document, reader: Reader<'a>) -> Result<Json<'a>> {
    match said.bytes().map(std::str::from_utf8) {
        Some(Ok(text)) => read_model_text(text, reader),
        _ => said.read(reader),
    }
}
