//! Traces of DeepEval: `{uuid, llmSpans, toolSpans, agentSpans, baseSpans, …}`, in camel or snake case. The output of the
//! whole trace may hold the conversation, as LangGraph's state does. Otherwise the spans of models do, with their calls;
//! their inputs name the tools.

use super::figures;
use super::runs::{read_arguments, read_outcome};
use super::trace::{Node, Time, Trace, order};
use crate::kit::calls::read_list;
use crate::kit::dialects::openai_chat::read_call;
use crate::kit::dialects::text_calls::literal;
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::signs::{items, kind};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory, Turn};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::DeepevalTrace,
    marks: &[],
    likeness,
    read,
};

/// The members that hold the spans, in both spellings.
const SPANS: [&str; 10] = [
    "llmSpans",
    "toolSpans",
    "agentSpans",
    "baseSpans",
    "retrieverSpans",
    "llm_spans",
    "tool_spans",
    "agent_spans",
    "base_spans",
    "retriever_spans",
];

const EXPECTED: [&str; 2] = ["expectedTools", "expected_tools"];

fn likeness(value: Json<'_>) -> Likeness {
    let lists = SPANS
        .iter()
        .filter(|key| value.get(key).is_some_and(|it| it.items().is_some()));
    match (value.get("uuid").is_some(), lists.count()) {
        (true, 2..) => Likeness::Full,
        (false, 2..) => Likeness::Partial("the `uuid` of the trace"),
        _ => Likeness::None,
    }
}

fn text_of<'a>(span: &Fields<'a>, keys: [&str; 2]) -> Option<&'a str> {
    keys.into_iter().find_map(|key| span.text(key))
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let document = Fields::of(value, Path::root(), "a trace: {llmSpans, toolSpans}")?;
    let mut spans = Vec::new();
    for key in SPANS {
        let list = document.optional_items(key, "a list of spans")?;
        for span in Fields::each(list, &document.path().key(key), "a span: {uuid, type}") {
            spans.push(span?);
        }
    }
    let node = |span: &Fields<'a>| Node {
        id: span.text("uuid"),
        parent: text_of(span, ["parentUuid", "parent_uuid"]),
        time: Time::of(span.get("startTime").or(span.get("start_time"))),
    };
    let nodes: Vec<_> = spans.iter().map(node).collect();
    let ordered: Vec<_> = order(&nodes).into_iter().map(|at| &spans[at]).collect();
    let mut trace = Trace::default();
    let has_state = read_state(&document, &ordered, &mut trace, import);
    for span in ordered {
        match span.text("type") {
            Some("llm") => read_model(span, has_state, &mut trace, import)?,
            Some("tool") => {
                let call = read_tool(span, import);
                let time = text_of(span, ["startTime", "start_time"]);
                let place = trace.tool(call, time);
                trace.measure_run(place, figures::of_run(span.value(), time, import));
            }
            _ => {}
        }
    }
    let expected = EXPECTED
        .iter()
        .find_map(|key| Some((*key, document.get(key)?.items()?)));
    let expected = match expected {
        Some((key, calls)) => Some(read_list(calls, &document.path().key(key), import.reader)?),
        None => None,
    };
    Ok(vec![Trajectory {
        trajectory_id: document.text("uuid"),
        expected_calls: expected,
        extra: document.rest(import.arena(), |key, value| {
            value.is_null()
                || matches!(
                    key,
                    "uuid" | "input" | "output" | "toolsCalled" | "tools_called"
                )
                || is_one_of(key, &SPANS)
                || is_one_of(key, &EXPECTED)
        }),
        ..trace.into_trajectory(document.path(), import)
    }])
}

/// Adds the conversation in the output of the trace, if that holds messages with calls. Returns whether it does.
fn read_state<'a>(
    document: &Fields<'a>,
    spans: &[&Fields<'a>],
    trace: &mut Trace<'a>,
    import: &mut Import<'a>,
) -> bool {
    let output = document.get("output").unwrap_or_default();
    let calls = |message: &Json<'_>| !items(*message, "tool_calls").is_empty();
    if !items(output, "messages").iter().any(calls) {
        return false;
    }
    // The state lacks the instruction, which only the model is given.
    let model = spans.iter().find(|span| span.text("type") == Some("llm"));
    let given = model
        .and_then(|span| span.get("input")?.items())
        .unwrap_or_default();
    if let [first, second, ..] = given
        && role_of(*first) != Some(Role::Agent)
        && role_of(*second) == Some(Role::User)
    {
        trace.merge(said(*first).into_iter().collect());
    }
    let path = document.path().key("output");
    trace.known_messages(output, Role::Agent, None, &path, import)
}

fn role_of(message: Json<'_>) -> Option<Role> {
    match message.get("role")?.as_str()?.to_ascii_lowercase().as_str() {
        "human" | "user" => Some(Role::User),
        "ai" | "assistant" => Some(Role::Agent),
        // The results of calls that were made before this trace.
        "system" | "developer" | "tool" => Some(Role::System),
        _ => None,
    }
}

/// The turn of a message with a text.
fn said(message: Json<'_>) -> Option<Turn<'_>> {
    let content = message.get("content")?.as_str()?;
    Some(Turn {
        turn_id: 0,
        role: role_of(message)?,
        content,
        timestamp: None,
        tool_calls: Vec::new(),
        extra: &[],
    })
}

/// Adds what a model was given, with its tools, and what it answered. If the conversation `is_known`, only the tools.
fn read_model<'a>(
    span: &Fields<'a>,
    is_known: bool,
    trace: &mut Trace<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let given = items(span.value(), "input");
    let tool_in = |message: &Json<'a>| {
        let is_tool = message.get("role")?.as_str() == Some("Tool Input");
        literal(
            message.get("content").filter(|_| is_tool)?.as_str()?,
            import,
        )
    };
    let tools: Vec<_> = given.iter().filter_map(tool_in).collect();
    trace.tools(Some(Json::Array(import.arena().alloc_slice_copy(&tools))));
    let answer = span.get("output").unwrap_or_default();
    let time = text_of(span, ["startTime", "start_time"]);
    let content = answer.get("content").unwrap_or(answer).as_str();
    let content = content.unwrap_or_default();
    let figures = figures::of_answer(span.value(), answer, import);
    if is_known {
        let call = items(answer, "tool_calls").first();
        let id = call.and_then(|call| call.get("id")?.as_str());
        trace.measure_known(content, id, figures::started(time, figures, import));
        return Ok(());
    }
    let asked = span.text("input").map(|text| Turn {
        turn_id: 0,
        role: Role::User,
        content: text,
        timestamp: None,
        tool_calls: Vec::new(),
        extra: &[],
    });
    trace.merge(
        given
            .iter()
            .filter_map(|it| said(*it))
            .chain(asked)
            .collect(),
    );
    let mut calls = Vec::new();
    for (at, call) in items(answer, "tool_calls").iter().enumerate() {
        let place = || span.path().key("output").key("tool_calls").index(at);
        calls.push(import.within(&place, |import| read_call(*call, false, import))?);
    }
    trace.merge(vec![Turn {
        turn_id: 0,
        role: Role::Agent,
        content,
        timestamp: time,
        tool_calls: calls,
        extra: &[],
    }]);
    trace.measure_answer(figures);
    Ok(())
}

fn read_tool<'a>(span: &Fields<'a>, import: &mut Import<'a>) -> ToolCall<'a> {
    let mut call = ToolCall {
        name: span.text("name"),
        ..ToolCall::default()
    };
    let path = span.path().key("input");
    read_arguments(&mut call, span.get("input"), &path, import);
    let output = span.get("output").unwrap_or_default();
    match kind(output) {
        Some("tool") => {
            call.id = output.get("tool_call_id").and_then(Json::as_str);
            read_outcome(&mut call, output.get("content"), import);
        }
        _ => read_outcome(&mut call, Some(output), import),
    }
    let failed = text_of(span, ["status", "status"]) == Some("ERRORED");
    let error = span.get("error").filter(|error| !error.is_null());
    if failed || error.is_some() {
        call.error = error
            .or(call.result.take())
            .or(Some(Json::String("ERRORED")));
    }
    call
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn a_state_in_the_output_is_the_conversation() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("deepeval-trace/state.json"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("trace-1"));
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::User, "You run a ferry.".to_owned(), 0),
                (Role::User, "Is the ferry full?".to_owned(), 0),
                (Role::Agent, String::new(), 1),
                (Role::Agent, "No: 3 seats are free.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [r#"{"id":"c1","name":"seats","arguments":{"ferry":"F1"},"result":"3 free"}"#]
        );
        assert!(trajectory.tools.is_some());
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn spans_of_models_and_tools_make_one_conversation() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("deepeval-trace/spans.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::System, "You run a ferry.".to_owned(), 0),
                (Role::User, "Is the ferry full?".to_owned(), 0),
                (Role::Agent, String::new(), 2),
                (Role::Agent, "I can't say.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"c1","name":"seats","arguments":{"ferry":"F1"},"result":"3 free"}"#,
                r#"{"id":"c2","name":"seats","arguments":{"ferry":"F9"},"error":"no ferry F9"}"#,
            ]
        );
        let expected = serde_json::to_string(&trajectory.expected_calls).expect("JSON");
        assert_eq!(expected, r#"[{"tool":"seats","args":{"ferry":"F1"}}]"#);
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn the_error_names_the_span_with_another_shape() {
        let error = failure(r#"{"uuid":"a","llmSpans":[],"toolSpans":[7]}"#);
        assert_eq!(error.report().path.as_deref(), Some("toolSpans[0]"));
        let error = failure(r#"{"llmSpans":[],"toolSpans":[]}"#).to_string();
        assert!(
            error.contains("deepeval-trace, but it lacks the `uuid`"),
            "{error}"
        );
    }
}
