//! The exports that check and repair a call before it runs, and draw conclusions from the answers of judges.

use std::rc::Rc;

use serde_json::Value;
use wasm_bindgen::prelude::*;

use super::document::{Document, read_options};
use super::tools::compile_once;
use super::{Encoded, Tools, encode, read_named, read_plain, to_json, with_json};
use toolgauge_formats::{self, WrittenCall};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Limits, Path, Reader, ToolCall, Trajectory};
use toolgauge_reflect::{self, Judgement, ReflectOptions, SemanticAnswers, Specification};
use toolgauge_schema::ToolSet;

/// The tools that a call is checked against.
enum Given {
    Tools(Rc<ToolSet>),
    Empty,
    Invalid(String),
}

impl Given {
    /// Reads compiled `tools` or, if given, `definitions` in their place. Unusable definitions are not an
    /// error here.
    fn read(tools: &Tools, definitions: Option<&Document>, limits: Limits) -> Result<Self> {
        let Some(definitions) = definitions else {
            return Ok(Self::of(tools.share()));
        };
        let arena = definitions.arena();
        let json = definitions.read(Reader::new(&arena, limits))?;
        if is_empty(json) {
            return Ok(Self::Empty);
        }
        match compile_once(definitions, None) {
            Ok(set) => Ok(Self::of(set)),
            Err(error @ (Error::InvalidOption { .. } | Error::LimitExceeded { .. })) => Err(error),
            Err(error) => Ok(Self::Invalid(error.to_string())),
        }
    }

    fn of(set: Rc<ToolSet>) -> Self {
        match set.names().is_empty() {
            true => Self::Empty,
            false => Self::Tools(set),
        }
    }

    fn specification(&self) -> Specification<'_> {
        match self {
            Self::Tools(set) => Specification::Tools(set),
            Self::Empty => Specification::Empty,
            Self::Invalid(reason) => Specification::Invalid(reason),
        }
    }
}

fn is_empty(definitions: Json<'_>) -> bool {
    match definitions {
        Json::Null => true,
        Json::Array(tools) => tools.is_empty(),
        Json::Object([(name, tools)]) => *name == "tools" && is_empty(*tools),
        Json::Object(members) => members.is_empty(),
        Json::Bool(_) | Json::Number(_) | Json::String(_) => false,
    }
}

/// See [`toolgauge_reflect::check_tool_call`]. If given, `definitions` replace `tools`.
#[wasm_bindgen(js_name = checkToolCall)]
pub fn check_tool_call(
    tools: &Tools,
    call: Document,
    definitions: Option<Document>,
    options: Option<Document>,
) -> Encoded {
    with_call(tools, &call, definitions, options, |held, reader| {
        let check =
            toolgauge_reflect::check_tool_call(held.written, held.given, held.limits, reader)?;
        Ok(to_json(&check))
    })
}

/// See [`toolgauge_reflect::repair_tool_call`]. If given, `definitions` replace `tools`.
#[wasm_bindgen(js_name = repairToolCall)]
pub fn repair_tool_call(
    tools: &Tools,
    call: Document,
    definitions: Option<Document>,
    options: Option<Document>,
) -> Encoded {
    with_call(tools, &call, definitions, options, |held, reader| {
        let repair =
            toolgauge_reflect::repair_tool_call(held.written, held.given, held.limits, reader)?;
        Ok(to_json(&repair))
    })
}

/// See [`toolgauge_reflect::apply_judgement`]; `judgement` is a [`Judgement`] as JSON text.
#[wasm_bindgen(js_name = applyJudgement)]
pub fn apply_judgement(
    tools: &Tools,
    judgement: &str,
    call: Document,
    definitions: Option<Document>,
    options: Option<Document>,
) -> Encoded {
    with_call(tools, &call, definitions, options, |held, reader| {
        let judgement: Judgement = read_plain(judgement.as_bytes(), "judgement")?;
        let repair = toolgauge_reflect::apply_judgement(
            held.written,
            &judgement,
            held.given,
            held.limits,
            reader,
        )?;
        Ok(to_json(&repair))
    })
}

/// See [`toolgauge_reflect::called_tool`]. If given, `definitions` replace `tools`.
#[wasm_bindgen(js_name = calledTool)]
pub fn called_tool(
    tools: &Tools,
    call: Document,
    definitions: Option<Document>,
    options: Option<Document>,
) -> Encoded {
    with_call(tools, &call, definitions, options, |held, _| {
        let call = held.written.call.as_ref().ok();
        let name = call.and_then(|call| toolgauge_reflect::called_tool(call, held.given));
        Ok(to_json(&name))
    })
}

/// Returns the name and the arguments of a call from any provider.
#[wasm_bindgen(js_name = readToolCall)]
pub fn read_tool_call(call: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        with_json(&call, options, |json, reader| {
            let call = toolgauge_formats::import_tool_call(json, reader)?;
            Ok(to_json(&call))
        })
    })
}

/// See [`toolgauge_reflect::before`].
#[wasm_bindgen(js_name = conversationBefore)]
pub fn conversation_before(
    call: Document,
    conversation: Document,
    options: Option<Document>,
) -> Encoded {
    with_conversation(&call, &conversation, options, |before, _| {
        to_json(&before.turns)
    })
}

/// See [`toolgauge_reflect::groundedness`].
#[wasm_bindgen(js_name = groundedness)]
pub fn groundedness(call: Document, conversation: Document, options: Option<Document>) -> Encoded {
    with_conversation(&call, &conversation, options, |before, call| {
        to_json(&toolgauge_reflect::groundedness(before, call))
    })
}

fn with_conversation(
    call: &Document,
    conversation: &Document,
    options: Option<Document>,
    run: impl for<'a> FnOnce(Trajectory<'a>, &ToolCall<'a>) -> String,
) -> Encoded {
    encode(|| {
        with_json(call, options, |json, reader| {
            let call = toolgauge_formats::import_tool_call(json, reader)?;
            let messages = read_named(conversation, "conversation", reader)?;
            let messages = toolgauge_formats::import_messages(messages, reader)
                .map_err(|error| error.inside(&Path::root().key("conversation")))?;
            Ok(run(toolgauge_reflect::before(&messages, &call), &call))
        })
    })
}

/// Checks the options of a reflection and fills in the defaults.
#[wasm_bindgen(js_name = prepareReflection)]
pub fn prepare_reflection(options: Option<Document>) -> Encoded {
    encode(|| Ok(to_json(&ReflectOptions::read(read_options(options)?)?)))
}

/// See [`toolgauge_reflect::conclude`].
#[wasm_bindgen(js_name = concludeReflection)]
pub fn conclude_reflection(answers: Document) -> Encoded {
    encode(|| {
        let answers: SemanticAnswers = read_plain(answers.bytes().unwrap_or_default(), "answers")?;
        Ok(to_json(&toolgauge_reflect::conclude(&answers)))
    })
}

/// See [`toolgauge_reflect::reduce_reflections`].
#[wasm_bindgen(js_name = reduceReflections)]
pub fn reduce_reflections(reflections: Document) -> Encoded {
    encode(|| {
        let reflections: Vec<Value> =
            read_plain(reflections.bytes().unwrap_or_default(), "reflections")?;
        Ok(to_json(&toolgauge_reflect::reduce_reflections(
            &reflections,
        )))
    })
}

/// See [`toolgauge_reflect::reduce_checks`].
#[wasm_bindgen(js_name = reduceChecks)]
pub fn reduce_checks(checks: Document) -> Encoded {
    encode(|| {
        let checks: Vec<Value> = read_plain(checks.bytes().unwrap_or_default(), "checks")?;
        Ok(to_json(&toolgauge_reflect::reduce_checks(&checks)))
    })
}

/// A call with the tools that it is checked against.
struct Held<'h, 'a> {
    written: &'h WrittenCall<'a>,
    given: Specification<'h>,
    limits: Limits,
}

fn with_call(
    tools: &Tools,
    call: &Document,
    definitions: Option<Document>,
    options: Option<Document>,
    run: impl for<'a> FnOnce(Held<'_, 'a>, Reader<'a>) -> Result<String>,
) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let limits = options.take_limits()?;
        options.finish(&["limits"])?;
        let given = Given::read(tools, definitions.as_ref(), limits)?;
        let arena = call.arena();
        let reader = Reader::new(&arena, limits);
        let written = WrittenCall::read(call.read(reader)?, reader);
        let held = Held {
            written: &written,
            given: given.specification(),
            limits,
        };
        run(held, reader)
    })
}
