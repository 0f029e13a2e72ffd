//! Output of the OpenAI Agents SDK: items `{type: "function_call", callId}` of sessions, items `{type:
//! "tool_call_item", rawItem}` of runs, the state of a run, and spans. Each trace becomes a trajectory. Python writes
//! `raw_item` and `generated_items`, and items of the Responses API in them.

use foldhash::HashMap;

use crate::kit::conversation::{Conversation, Outcome};
use crate::kit::dialects::openai_items::{
    RAW, is_call_or_answer, raw, read_items, read_later_items,
};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::marks::marks;
use crate::kit::message::{About, Message};
use crate::kit::signs::{Sign, items, kind, likeness_alone, likeness_by, plain_or_open};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::OpenaiAgents,
    marks: &marks(["$schemaVersion", "object", "rawItem", "raw_item", "type"]),
    likeness,
    read,
};

/// The names of a member in JavaScript and in Python.
type Spellings = [&'static str; 2];

const INPUT: Spellings = ["originalInput", "original_input"];
const GENERATED: Spellings = ["generatedItems", "generated_items"];

/// All items of a run in Python. A handoff may leave out some of the generated ones.
const SESSION: &str = "session_items";

/// The spelling that an object uses, or else that of JavaScript.
fn spelling_of(value: Json<'_>, keys: Spellings) -> &'static str {
    let used = keys.into_iter().find(|key| value.get(key).is_some());
    used.unwrap_or(keys[0])
}

fn likeness(value: Json<'_>) -> Likeness {
    let has = |keys: Spellings| keys.iter().any(|key| value.get(key).is_some());
    if has(["$schemaVersion"; 2]) && (has(INPUT) || has(GENERATED)) {
        return match has(INPUT) && has(GENERATED) {
            true => Likeness::Full,
            false => Likeness::Partial("`originalInput` and `generatedItems`, the state of a run"),
        };
    }
    match value.get("data") {
        Some(Json::Array(_)) => likeness_by(value, "data", span_sign),
        _ => likeness_alone(value, sign),
    }
}

fn sign(item: Json<'_>) -> Sign {
    let item_kind = kind(raw(item)).unwrap_or_default();
    let is_call = is_call_or_answer(raw(item));
    match RAW.iter().find_map(|key| item.get(key)) {
        Some(Json::Object(_)) if kind(item).is_some() => Sign::Decisive,
        Some(_) => Sign::Broken("an object as `rawItem`"),
        None if is_call && item.get("callId").is_some() => Sign::Decisive,
        None if matches!(item_kind, "function_call_result" | "computer_call_result") => {
            Sign::Broken("a `callId` in each result")
        }
        None if item_kind == "hosted_tool_call" => Sign::Decisive,
        None => match span_sign(item) {
            Sign::Open => plain_or_open(item),
            sign => sign,
        },
    }
}

fn span_sign(item: Json<'_>) -> Sign {
    let is_span = item.get("object").and_then(Json::as_str) == Some("trace.span");
    match item.get("span_data") {
        Some(Json::Object(_)) if is_span => Sign::Decisive,
        _ if is_span => Sign::Broken("`span_data` in each span"),
        _ => Sign::Open,
    }
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let is_trace = |item: &Json<'_>| {
        let object = item.get("object").and_then(Json::as_str);
        object.is_some_and(|object| matches!(object, "trace" | "trace.span"))
    };
    match value {
        Json::Array(list) if list.iter().any(is_trace) => read_traces(list, &Path::root(), import),
        Json::Array(list) => {
            let mut conversation = Conversation::default();
            read_items(list, &Path::root(), &mut conversation, import)?;
            Ok(vec![Trajectory {
                turns: conversation.into_turns(),
                ..Trajectory::default()
            }])
        }
        _ if is_trace(&value) => read_traces(import.slice(value), &Path::root(), import),
        _ => {
            let what = "a list of items or spans, {data}, or the state of a run";
            let fields = Fields::of(value, Path::root(), what)?;
            match fields.get("data") {
                Some(Json::Array(list)) => read_traces(list, &fields.path().key("data"), import),
                _ => Ok(vec![read_state(&fields, import)?]),
            }
        }
    }
}

fn read_state<'a>(fields: &Fields<'a>, import: &mut Import<'a>) -> Result<Trajectory<'a>> {
    let value = fields.value();
    let mut conversation = Conversation::default();
    let input = spelling_of(value, INPUT);
    match fields.get(input) {
        Some(Json::String(text)) => conversation.turn(Role::User, text, Vec::new()),
        Some(Json::Array(list)) => {
            read_items(list, &fields.path().key(input), &mut conversation, import)?;
        }
        _ => return Err(fields.mismatch(input, "a text or a list of items")),
    }
    let key = spelling_of(value, GENERATED);
    let generated = fields.items(key, "a list of items")?;
    let session = items(value, SESSION);
    let (key, generated) = match session.len() > generated.len() {
        true => (SESSION, session),
        false => (key, generated),
    };
    read_items(
        generated,
        &fields.path().key(key),
        &mut conversation,
        import,
    )?;
    // Calls that wait for approval and belong to agents inside a tool are only here.
    let step = spelling_of(value, ["currentStep", "current_step"]);
    let data = fields.get(step).and_then(|step| step.get("data"));
    let waiting = items(data.unwrap_or_default(), "interruptions");
    let path = fields.path().key(step).key("data").key("interruptions");
    read_later_items(waiting, generated, &path, &mut conversation, import)?;
    let trace = fields.get("trace").unwrap_or_default();
    Ok(Trajectory {
        trajectory_id: trace.get("id").and_then(Json::as_str),
        turns: conversation.into_turns(),
        extra: fields.rest(import.arena(), |key, _| {
            key == SESSION || is_one_of(key, &INPUT) || is_one_of(key, &GENERATED)
        }),
        ..Trajectory::default()
    })
}

/// The trajectories of traces. Their spans may be in any order.
fn read_traces<'a>(
    list: &'a [Json<'a>],
    path: &Path,
    import: &mut Import<'a>,
) -> Result<Vec<Trajectory<'a>>> {
    let mut traces: Vec<Trace<'a>> = Vec::new();
    let mut places = HashMap::default();
    for (at, item) in list.iter().enumerate() {
        let fields = Fields::of(*item, path.index(at), "a trace or a span")?;
        let is_span = fields.text("object") == Some("trace.span");
        let id = fields.text(if is_span { "trace_id" } else { "id" });
        let place = *places.entry(id).or_insert(traces.len());
        if place == traces.len() {
            traces.push(Trace {
                id,
                about: None,
                spans: Vec::new(),
            });
        }
        match is_span {
            true => traces[place].spans.push(fields),
            false => traces[place].about = Some(fields),
        }
    }
    traces.into_iter().map(|trace| trace.read(import)).collect()
}

struct Trace<'a> {
    id: Option<&'a str>,
    about: Option<Fields<'a>>,
    spans: Vec<Fields<'a>>,
}

impl<'a> Trace<'a> {
    fn read(mut self, import: &mut Import<'a>) -> Result<Trajectory<'a>> {
        self.spans.sort_by_key(|span| span.text("started_at"));
        let mut conversation = Conversation::default();
        let mut calls: Vec<ToolCall<'a>> = Vec::new();
        let mut time = None;
        let mut is_first = true;
        for span in &self.spans {
            let data = span.get("span_data").unwrap_or_default();
            let path = span.path().key("span_data");
            match kind(data) {
                Some("function") => {
                    time = time.or(span.text("started_at"));
                    calls.push(read_span(
                        span,
                        &Fields::of(data, path, "span data")?,
                        import,
                    ));
                }
                Some("generation" | "response") => {
                    end_turn(&mut calls, &mut time, &mut conversation, import);
                    read_model(
                        data,
                        std::mem::take(&mut is_first),
                        &mut conversation,
                        import,
                    );
                }
                _ => {}
            }
        }
        end_turn(&mut calls, &mut time, &mut conversation, import);
        let about = |about: &Fields<'a>| {
            about.rest(import.arena(), |key, _| matches!(key, "object" | "id"))
        };
        Ok(Trajectory {
            trajectory_id: self.id,
            turns: conversation.into_turns(),
            extra: self.about.as_ref().map_or(&[], about),
            ..Trajectory::default()
        })
    }
}

/// Ends the turn: all calls between two answers of the model are one turn.
fn end_turn<'a>(
    calls: &mut Vec<ToolCall<'a>>,
    time: &mut Option<&'a str>,
    conversation: &mut Conversation<'a>,
    import: &Import<'a>,
) {
    if calls.is_empty() {
        return;
    }
    let about = About {
        timestamp: time.take(),
        extra: &[],
    };
    let mut message = Message::new(Role::Agent, about, conversation);
    message.calls(std::mem::take(calls));
    message.finish(import);
}

fn read_span<'a>(span: &Fields<'a>, data: &Fields<'a>, import: &mut Import<'a>) -> ToolCall<'a> {
    let mut call = ToolCall {
        id: span.text("id"),
        name: data.text("name"),
        extra: data.rest(import.arena(), |key, value| {
            value.is_null() || matches!(key, "type" | "name" | "input" | "output")
        }),
        ..ToolCall::default()
    };
    import.arguments(&mut call, data.get("input"), &|| data.path().key("input"));
    let there = |fields: &Fields<'a>, key| fields.get(key).filter(|value| !value.is_null());
    let outcome = match (there(span, "error"), there(data, "output")) {
        (Some(error), _) => Some(Outcome::Error(error)),
        (None, output) => output.map(|output| Outcome::Result(import.nested(output))),
    };
    if let Some(outcome) = outcome {
        outcome.put_to(&mut call);
    }
    call
}

/// Adds the input and the output of the model. The input repeats all earlier messages, so only the
/// first one counts. Calls of tools have spans of their own.
fn read_model<'a>(
    data: Json<'a>,
    is_first: bool,
    conversation: &mut Conversation<'a>,
    import: &Import<'a>,
) {
    let input = data.get("input").or(data.get("_input")).unwrap_or_default();
    if let (true, Json::String(text)) = (is_first, input) {
        conversation.turn(Role::User, text, Vec::new());
    }
    let input = input.items().filter(|_| is_first).unwrap_or_default();
    let answer = data.get("_response").unwrap_or(data);
    for message in input.iter().chain(items(answer, "output")) {
        let role = match message.get("role").and_then(Json::as_str) {
            Some("system" | "developer") => Role::System,
            Some("user") => Role::User,
            Some("assistant") => Role::Agent,
            _ => continue,
        };
        let content = message.get("content").unwrap_or_default();
        let parts = content.items().unwrap_or_default().iter();
        let text = match content {
            Json::String(text) => text,
            _ => import.join_text(parts.filter_map(|part| part.get("text")?.as_str())),
        };
        if !text.is_empty() {
            conversation.turn(role, text, Vec::new());
        }
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn the_items_of_a_session_are_read() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("openai-agents/session.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::User, "Swap my seat.".to_owned(), 0),
                (Role::Agent, String::new(), 1),
                (Role::Agent, String::new(), 1),
                (Role::Agent, "12A is free and roomy.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"call_1","name":"find_seat","arguments":{"flight":"XY12"},"result":{"free":["12A"]},"item_id":"fc_1","namespace":"cabin","providerData":{"type":"function_call"}}"#,
                r#"{"id":"ws_1","name":"web_search","arguments":{"query":"12A legroom"},"result":"roomy","type":"hosted_tool_call"}"#,
            ]
        );
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn a_call_that_waits_for_approval_counts_once() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("openai-agents/run-state.json"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("trace_7"));
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"call_1","name":"level","arguments":{},"result":"3 m","item_id":"fc_1","agent":{"name":"Keeper"}}"#,
                r#"{"id":"call_2","name":"close","arguments":{"gate":1},"pending":true,"item_id":"fc_2","agent":{"name":"Keeper"}}"#,
                r#"{"id":"call_9","name":"ring_bell","arguments":{},"pending":true,"item_id":"fc_9","agent":{"name":"Bell"}}"#,
            ]
        );
        assert_eq!(trajectory.turns[0].content, "Close the sluice.");
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn a_state_that_python_wrote_holds_all_items_of_the_run() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("openai-agents/run-state-python.json"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("trace_9"));
        let agent = r#""agent":{"name":"Keeper"}"#;
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"0","name":"transfer_to_keeper","arguments":{},"result":{"assistant":"Keeper"},"item_id":"fc_0","agent":{"name":"Desk"}}"#.to_owned(),
                r#"{"name":"tool_search","arguments":{"query":"gates"},"result":[{"type":"function","name":"close_gate"}],"execution":"server","type":"tool_search_call","agent":{"name":"Keeper"}}"#.to_owned(),
                format!(r#"{{"id":"1","name":"level","arguments":{{}},"result":"3 m","item_id":"fc_1",{agent}}}"#),
                format!(r#"{{"id":"2","name":"level","arguments":{{"lock":9}},"result":"An error occurred while running the tool. Please try again.","item_id":"fc_2",{agent}}}"#),
                format!(r#"{{"id":"3","name":"close_gate","arguments":{{"gate":1}},"pending":true,"item_id":"fc_3",{agent}}}"#),
            ]
        );
        let texts = turns_of(trajectory).into_iter().map(|(_, text, _)| text);
        let texts: Vec<_> = texts.filter(|text| !text.is_empty()).collect();
        assert_eq!(texts, ["Close the sluice.", "I close gate 1 now."]);
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        let error = failure(r#"{"$schemaVersion":"1.4","original_input":"a","generated_items":7}"#);
        assert_eq!(error.report().path.as_deref(), Some("generated_items"));
    }

    #[test]
    fn spans_are_put_in_order_and_those_between_answers_are_parallel() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("openai-agents/spans.json"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("trace_1"));
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::System, "You bake.".to_owned(), 0),
                (Role::User, "Weigh flour and butter.".to_owned(), 0),
                (Role::Agent, String::new(), 2),
                (Role::Agent, "500 g of flour.".to_owned(), 0),
            ]
        );
        assert_eq!(
            trajectory.turns[2].timestamp,
            Some("2026-03-01T10:00:03.000Z")
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"span_3","name":"weigh","arguments":{"what":"flour"},"result":{"grams":500}}"#,
                r#"{"id":"span_4","name":"weigh","arguments":{"what":"butter"},"error":{"message":"scale is off","data":{"code":7}},"mcp_data":"{\"server\":\"scales\"}"}"#,
            ]
        );
    }

    #[test]
    fn each_trace_is_a_trajectory() {
        let arena = Bump::new();
        let span = |trace: &str| {
            format!(
                r#"{{"object":"trace.span","id":"s","trace_id":"{trace}","span_data":{{"type":"function","name":"f","input":"{{}}","output":"1"}}}}"#
            )
        };
        let text = format!("[{},{},{}]", span("a"), span("b"), span("a"));
        let read = imported(&arena, &text);
        let counts: Vec<_> = read.value.iter().map(Trajectory::call_count).collect();
        assert_eq!(counts, [2, 1]);
    }

    #[test]
    fn the_error_names_the_part_with_another_shape() {
        let lacks = |text: &str| failure(text).to_string();
        let cases = [
            (
                r#"[{"object":"trace.span","id":"s"}]"#,
                "openai-agents, but it lacks `span_data`",
            ),
            (
                r#"{"$schemaVersion":"1.2","originalInput":"x"}"#,
                "openai-agents, but it lacks `originalInput` and `generatedItems`",
            ),
            (
                r#"[{"type":"function_call_result","name":"f","output":"x"}]"#,
                "openai-agents, but it lacks a `callId`",
            ),
            (
                r#"[{"type":"tool_call_item","rawItem":7}]"#,
                "openai-agents, but it lacks an object as `rawItem`",
            ),
        ];
        for (text, reason) in cases {
            assert!(lacks(text).contains(reason), "{text}: {}", lacks(text));
        }
        let state = r#"{"$schemaVersion":"1.2","originalInput":7,"generatedItems":[]}"#;
        assert_eq!(
            failure(state).report().path.as_deref(),
            Some("originalInput")
        );
    }
}
