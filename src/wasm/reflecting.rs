//! The exports that check and repair a call before it runs, and conclude from what judges say of it.

use std::rc::Rc;

use serde::Serialize;
use serde_json::Value;
use wasm_bindgen::prelude::*;

use super::document::{Document, read_options};
use super::tools::compile_once;
use super::{Encoded, Tools, encode, read_named, to_json, with_json};
use crate::error::{Error, Result};
use crate::formats::{self, WrittenCall};
use crate::model::{Json, Limits, Path, Reader, Turn};
use crate::reflect::{
    self, Groundedness, Judgement, ReflectOptions, RepairProblem, SemanticAnswers, Specification,
};
use crate::schema::ToolSet;

/// The tools that a call is held against.
enum Given {
    Tools(Rc<ToolSet>),
    Empty,
    Invalid(String),
}

impl Given {
    /// Compiled `tools`, or in their place `definitions`: those that can't be used are no error here.
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

/// See [`reflect::check_tool_call`]. Definitions, when given, count in place of `tools`.
#[wasm_bindgen(js_name = checkToolCall)]
pub fn check_tool_call(
    tools: &Tools,
    call: Document,
    definitions: Option<Document>,
    options: Option<Document>,
) -> Encoded {
    encode(|| {
        with_call(
            tools,
            &call,
            definitions,
            options,
            |written, given, limits, reader| {
                let check = reflect::check_tool_call(written, given, limits, reader)?;
                Ok(to_json(&check))
            },
        )
    })
}

/// See [`reflect::repair_tool_call`]. Definitions, when given, count in place of `tools`.
#[wasm_bindgen(js_name = repairToolCall)]
pub fn repair_tool_call(
    tools: &Tools,
    call: Document,
    definitions: Option<Document>,
    options: Option<Document>,
) -> Encoded {
    encode(|| {
        with_call(
            tools,
            &call,
            definitions,
            options,
            |written, given, limits, reader| {
                let repair = reflect::repair_tool_call(written, given, limits, reader)?;
                Ok(to_json(&repair))
            },
        )
    })
}

/// See [`reflect::apply_judgement`]; `judgement` is `{correction: {name?, arguments?} | null, objections: {path?, message}[]}` as
/// JSON text.
#[wasm_bindgen(js_name = applyJudgement)]
pub fn apply_judgement(
    tools: &Tools,
    judgement: &str,
    call: Document,
    definitions: Option<Document>,
    options: Option<Document>,
) -> Encoded {
    encode(|| {
        with_given(tools, definitions, options, |given, limits| {
            let arena = call.arena();
            let reader = Reader::new(&arena, limits);
            let written = WrittenCall::read(call.read(reader)?, reader);
            let judgement = read_judgement(reader.read_text(judgement)?);
            let repair = reflect::apply_judgement(&written, &judgement, given, limits, reader)?;
            Ok(to_json(&repair))
        })
    })
}

fn read_judgement(json: Json<'_>) -> Judgement<'_> {
    let correction = json.get("correction").unwrap_or_default();
    let objections = json
        .get("objections")
        .and_then(Json::items)
        .unwrap_or_default();
    let text = |it: &Json<'_>, key| Some(it.get(key)?.as_str()?.to_owned());
    Judgement {
        name: correction.get("name").and_then(Json::as_str),
        arguments: correction.get("arguments").filter(|it| !it.is_null()),
        objections: objections
            .iter()
            .filter_map(|it| {
                Some(RepairProblem {
                    path: text(it, "path").unwrap_or_default(),
                    message: text(it, "message")?,
                })
            })
            .collect(),
    }
}

/// See [`reflect::called_tool`]. Definitions, when given, count in place of `tools`.
#[wasm_bindgen(js_name = calledTool)]
pub fn called_tool(
    tools: &Tools,
    call: Document,
    definitions: Option<Document>,
    options: Option<Document>,
) -> Encoded {
    encode(|| {
        with_call(
            tools,
            &call,
            definitions,
            options,
            |written, given, _, _| {
                let call = written.call.as_ref().ok();
                Ok(to_json(
                    &call.and_then(|call| reflect::called_tool(call, given)),
                ))
            },
        )
    })
}

/// The name and the arguments of a call, whoever wrote it.
#[wasm_bindgen(js_name = readToolCall)]
pub fn read_tool_call(call: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        with_json(&call, options, |json, reader| {
            let call = formats::import_tool_call(json, reader)?;
            Ok(to_json(&call))
        })
    })
}

/// What was said and called before a call, and whether its values stand there: see [`reflect::before`] and
/// [`reflect::groundedness`].
#[wasm_bindgen(js_name = conversationBefore)]
pub fn conversation_before(
    call: Document,
    conversation: Document,
    options: Option<Document>,
) -> Encoded {
    encode(|| {
        with_json(&call, options, |json, reader| {
            let call = formats::import_tool_call(json, reader)?;
            let messages = read_named(&conversation, "conversation", reader)?;
            let before = formats::import_messages(messages, reader)
                .map_err(|error| error.inside(&Path::root().key("conversation")))?;
            Ok(to_json(&Before {
                turns: &reflect::before(&before, &call).turns,
                groundedness: reflect::groundedness(&before, &call),
            }))
        })
    })
}

/// What is known of the conversation before a call.
#[derive(Serialize)]
struct Before<'b, 'a> {
    turns: &'b [Turn<'a>],
    groundedness: Option<Groundedness>,
}

/// Checks how a call is to be reflected on, and fills the options in.
#[wasm_bindgen(js_name = prepareReflection)]
pub fn prepare_reflection(options: Option<Document>) -> Encoded {
    encode(|| Ok(to_json(&ReflectOptions::read(read_options(options)?)?)))
}

/// See [`reflect::conclude`].
#[wasm_bindgen(js_name = concludeReflection)]
pub fn conclude_reflection(answers: Document) -> Encoded {
    encode(|| {
        let answers: SemanticAnswers = read_plain(&answers, "answers")?;
        Ok(to_json(&reflect::conclude(&answers)))
    })
}

/// See [`reflect::reduce_reflections`].
#[wasm_bindgen(js_name = reduceReflections)]
pub fn reduce_reflections(reflections: Document) -> Encoded {
    encode(|| {
        let reflections: Vec<Value> = read_plain(&reflections, "reflections")?;
        Ok(to_json(&reflect::reduce_reflections(&reflections)))
    })
}

/// See [`reflect::reduce_checks`].
#[wasm_bindgen(js_name = reduceChecks)]
pub fn reduce_checks(checks: Document) -> Encoded {
    encode(|| {
        let checks: Vec<Value> = read_plain(&checks, "checks")?;
        Ok(to_json(&reflect::reduce_checks(&checks)))
    })
}

/// What a document holds that this package has written itself.
fn read_plain<T: serde::de::DeserializeOwned>(document: &Document, name: &str) -> Result<T> {
    let bytes = document.bytes().unwrap_or_default();
    serde_json::from_slice(bytes).map_err(|error| {
        let path = Path::root().key(name);
        Error::invalid_input(path, "what this package returns", error.to_string())
    })
}

fn with_call(
    tools: &Tools,
    call: &Document,
    definitions: Option<Document>,
    options: Option<Document>,
    run: impl for<'a> FnOnce(&WrittenCall<'a>, Specification<'_>, Limits, Reader<'a>) -> Result<String>,
) -> Result<String> {
    with_given(tools, definitions, options, |given, limits| {
        let arena = call.arena();
        let reader = Reader::new(&arena, limits);
        let written = WrittenCall::read(call.read(reader)?, reader);
        run(&written, given, limits, reader)
    })
}

fn with_given(
    tools: &Tools,
    definitions: Option<Document>,
    options: Option<Document>,
    run: impl FnOnce(Specification<'_>, Limits) -> Result<String>,
) -> Result<String> {
    let mut options = read_options(options)?;
    let limits = options.take_limits()?;
    options.finish(&["limits"])?;
    let given = Given::read(tools, definitions.as_ref(), limits)?;
    run(given.specification(), limits)
}
