//! OpenInference spans: `openinference.span.kind` LLM, TOOL, AGENT, …; messages and tools in flattened
//! attributes such as `llm.output_messages.0.message.tool_calls.0.tool_call.function.name`.

use super::spans::{Span, by_trace, has_attribute, member, spans_of};
use super::trace::{Trace, order, read_arguments, read_outcome};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Openinference,
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    match has_attribute(
        value,
        &[
            "openinference.",
            "llm.output_messages",
            "llm.input_messages",
        ],
    ) {
        Some(true) => Likeness::Full,
        _ if has_attribute(value, &["llm."]) == Some(true) => {
            Likeness::Partial("`openinference.span.kind` in its spans")
        }
        _ => Likeness::None,
    }
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let traces = by_trace(spans_of(value, import)?);
    Ok(traces
        .iter()
        .map(|spans| read_trace(spans, import))
        .collect())
}

fn read_trace<'a>(spans: &[Span<'a>], import: &mut Import<'a>) -> Trajectory<'a> {
    let nodes: Vec<_> = spans.iter().map(Span::node).collect();
    let ordered: Vec<_> = order(&nodes).into_iter().map(|at| &spans[at]).collect();
    let mut trace = Trace::default();
    let asks = ordered.iter().any(|span| is_kind(span, "LLM"));
    let whole = ordered
        .first()
        .filter(|span| !asks && !is_kind(span, "TOOL"));
    if let Some(span) = whole {
        let path = span.fields.path().key("attributes");
        trace.frame(
            (span.get("input.value"), &path.key("input.value")),
            (span.get("output.value"), &path.key("output.value")),
            import,
        );
    }
    for span in &ordered {
        if is_kind(span, "LLM") {
            read_model(span, &mut trace, import);
        } else if is_kind(span, "TOOL") {
            trace.tool(read_tool(span, import), span.time(import));
        }
    }
    trace.end_frame();
    let path = ordered
        .first()
        .map_or_else(Path::root, |span| span.fields.path().clone());
    Trajectory {
        trajectory_id: ordered.first().and_then(|span| span.trace_id()),
        ..trace.into_trajectory(&path, import)
    }
}

/// Whether a span is of this kind, by its attribute or by the member that a trace store adds.
fn is_kind(span: &Span<'_>, kind: &str) -> bool {
    let written = span.text(&["openinference.span.kind"]);
    let written = written.or(span.fields.text("span_kind"));
    written.is_some_and(|it| it.eq_ignore_ascii_case(kind))
}

fn read_model<'a>(span: &Span<'a>, trace: &mut Trace<'a>, import: &mut Import<'a>) {
    let path = span.fields.path().key("attributes");
    let time = span.time(import);
    let steps = [
        ("llm.input_messages", "input.value", Role::User, None),
        ("llm.output_messages", "output.value", Role::Agent, time),
    ];
    for (key, whole, role, time) in steps {
        // The provider's own request and response contain more than the flattened attributes.
        let value = span.get(whole).unwrap_or_default();
        if trace.known_messages(value, role, time, &path.key(whole), import) {
            continue;
        }
        let messages = span.unflattened(key, import).and_then(Json::items);
        match messages.filter(|list| !list.is_empty()) {
            Some(list) => {
                let list: Vec<_> = list
                    .iter()
                    .map(|it| chat_message(*it, role, import))
                    .collect();
                let list = Json::Array(import.arena().alloc_slice_copy(&list));
                trace.messages(list, role, time, &path.key(key), import);
            }
            None => trace.messages(value, role, time, &path.key(whole), import),
        }
    }
    trace.tools(definitions(span, import));
    if let Some(error) = span.error(import) {
        let why = import.label(error);
        import.warn(span.fields.path(), format!("the model failed: {why}"));
    }
}

/// A flattened message, as a chat message.
fn chat_message<'a>(item: Json<'a>, role: Role, import: &Import<'a>) -> Json<'a> {
    let get = |key: &str| {
        let value = member(item, &format!("message.{key}")).or_else(|| member(item, key));
        value.filter(|value| !value.is_null())
    };
    let role = match get("role").and_then(Json::as_str) {
        Some("human") => "user",
        Some("ai" | "model") => "assistant",
        Some(role) => role,
        None if role == Role::Agent => "assistant",
        None => "user",
    };
    let parts = get("contents")
        .and_then(Json::items)
        .unwrap_or_default()
        .iter();
    let text = |part: &Json<'a>| member(*part, "message_content.text")?.as_str();
    let contents = || Json::String(import.join_text(parts.filter_map(text)));
    let content = get("content").unwrap_or_else(contents);
    let calls = get("tool_calls").and_then(Json::items).unwrap_or_default();
    let mut calls: Vec<_> = calls.iter().map(|call| chat_call(*call, import)).collect();
    // A single call, as in versions without lists of calls.
    if let Some(name) = get("function_call_name") {
        let arguments = get("function_call_arguments_json").unwrap_or_default();
        let members = [("name", name), ("arguments", arguments)];
        calls.push(Json::Object(import.arena().alloc_slice_copy(&members)));
    }
    let members = [
        ("role", Json::String(role)),
        ("content", content),
        (
            "tool_calls",
            Json::Array(import.arena().alloc_slice_copy(&calls)),
        ),
        ("tool_call_id", get("tool_call_id").unwrap_or_default()),
        ("name", get("name").unwrap_or_default()),
    ];
    let there: Vec<_> = members
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .collect();
    Json::Object(import.arena().alloc_slice_copy(&there))
}

fn chat_call<'a>(item: Json<'a>, import: &Import<'a>) -> Json<'a> {
    let get = |key: &str| member(item, &format!("tool_call.{key}")).or_else(|| member(item, key));
    let members = [
        ("id", get("id")),
        ("name", get("function.name")),
        ("arguments", get("function.arguments")),
    ];
    let there = members
        .into_iter()
        .filter_map(|(key, value)| Some((key, value?)));
    let there: Vec<_> = there.collect();
    Json::Object(import.arena().alloc_slice_copy(&there))
}

fn definitions<'a>(span: &Span<'a>, import: &Import<'a>) -> Option<Json<'a>> {
    let list = span.unflattened("llm.tools", import)?;
    let schema = |tool: &Json<'a>| member(*tool, "tool.json_schema").map(|it| import.nested(it));
    let tools: Vec<_> = list.items()?.iter().filter_map(schema).collect();
    Some(Json::Array(import.arena().alloc_slice_copy(&tools)))
}

fn read_tool<'a>(span: &Span<'a>, import: &mut Import<'a>) -> ToolCall<'a> {
    let mut call = ToolCall {
        id: span.text(&[
            "tool_call.id",
            "tool.call_id",
            "gen_ai.tool.call.id",
            "tool.id",
        ]),
        name: span
            .text(&["tool.name", "tool_call.function.name"])
            .or(span.name()),
        ..ToolCall::default()
    };
    let path = span.fields.path().key("attributes").key("input.value");
    let keys = [
        "input.value",
        "tool_call.function.arguments",
        "tool.parameters",
    ];
    let arguments = keys.into_iter().find_map(|key| span.get(key));
    read_arguments(&mut call, arguments, &path, import);
    read_outcome(&mut call, span.get("output.value"), import);
    call.error = call.error.or_else(|| span.error(import));
    call
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn flattened_messages_and_tool_spans_make_one_conversation() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("openinference/spans.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::System, "Answer briefly.".to_owned(), 0),
                (Role::User, "Rain in Bonn and Kiel?".to_owned(), 0),
                (Role::Agent, "I ask.".to_owned(), 2),
                (Role::Agent, "Bonn is dry.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"call_1","name":"rain","arguments":{"city":"Bonn"},"result":{"rain":false}}"#,
                r#"{"id":"call_2","name":"rain","arguments":{"city":"Kiel"},"error":"no station"}"#,
            ]
        );
        let tools = trajectory.tools.and_then(Json::items).map(<[_]>::len);
        assert_eq!(tools, Some(1));
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn nested_attributes_of_a_trace_store_are_read() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"data":[{"name":"llm","context":{"trace_id":"t","span_id":"1"},"span_kind":"LLM","start_time":"2026-01-01T00:00:00+00:00","status_code":"OK",
                "attributes":{"llm":{"input_messages":[{"message":{"role":"user","content":"hi"}}],
                                     "output_messages":[{"message":{"role":"assistant","contents":[{"message_content":{"type":"text","text":"I do."}}],"tool_calls":[{"tool_call":{"function":{"name":"f","arguments":"{}"}}}]}}]}}},
               {"name":"f","context":{"trace_id":"t","span_id":"2"},"parent_id":"1","span_kind":"TOOL","start_time":"2026-01-01T00:00:01+00:00","status_code":"ERROR","status_message":"boom",
                "attributes":{"input":{"value":"{}"},"tool":{"name":"f"},"openinference":{"span":{"kind":"TOOL"}}}}],"next_cursor":null}"#,
        );
        assert_eq!(read.format, TrajectoryFormat::Openinference);
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"name":"f","arguments":{},"error":"boom"}"#]
        );
        assert_eq!(turns_of(&read.value[0])[1].1, "I do.");
    }

    #[test]
    fn the_error_names_what_half_a_span_lacks() {
        let reason = failure(r#"[{"name":"x","attributes":{"llm.model_name":"m"}}]"#).to_string();
        assert!(
            reason.contains("openinference, but it lacks `openinference.span.kind`"),
            "{reason}"
        );
    }
}
