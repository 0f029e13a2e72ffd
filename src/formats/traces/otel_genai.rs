//! OpenTelemetry's conventions for generative AI: spans with
//! `gen_ai.input.messages`, `gen_ai.output.messages` and `gen_ai.tool.*`, older
//! events and numbered attributes, and the spans of the AI SDK (`ai.*`). Also the
//! messages alone: `[{role, parts: [{type, content}]}]`.

use super::spans::{Span, by_trace, has_attribute, member, spans_of};
use super::trace::{Trace, order, read_arguments, read_outcome};
use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::envelope::{Envelope, Held};
use crate::kit::fields::Fields;
use crate::kit::message::{About, Message};
use crate::kit::signs::{Sign, items, kind, likeness_by};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::OtelGenai,
    likeness,
    read,
};

const PREFIXES: [&str; 2] = ["gen_ai.", "ai."];

fn likeness(value: Json<'_>) -> Likeness {
    match has_attribute(value, &PREFIXES) {
        Some(true) => Likeness::Full,
        Some(false) => Likeness::Partial("`gen_ai.*` attributes in its spans"),
        None => likeness_by(value, "messages", sign),
    }
}

fn sign(message: Json<'_>) -> Sign {
    let is_own = |part: &Json<'_>| match kind(*part) {
        Some("text") => part.get("content").is_some(),
        Some(kind) => is_call(kind) || is_result(kind),
        None => false,
    };
    match items(message, "parts").iter().any(is_own) {
        true if message.get("role").is_some() => Sign::Decisive,
        true => Sign::Broken("the `role` of its messages"),
        false => Sign::Open,
    }
}

fn is_call(kind: &str) -> bool {
    matches!(kind, "tool_call" | "function_call" | "server_tool_call")
}

fn is_result(kind: &str) -> bool {
    matches!(
        kind,
        "tool_call_response" | "function_call_response" | "server_tool_call_response"
    )
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let spans = spans_of(value, import)?;
    if spans.is_empty() {
        return read_alone(value, import);
    }
    let traces = by_trace(spans);
    Ok(traces
        .iter()
        .map(|spans| read_trace(spans, import))
        .collect())
}

const ENVELOPE: Envelope = Envelope {
    what: "spans, or a list of messages",
    is_message: |it| it.get("parts").is_some(),
    ids: &["id"],
    tools: &[&["tools"]],
    reads: |_, key, value| match key {
        "messages" => true,
        "id" => value.as_str().is_some(),
        _ => false,
    },
};

fn read_alone<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let root = Path::root();
    let trajectory = ENVELOPE.open(
        value,
        import,
        &mut |held, conversation, import| match held {
            Held::List(messages) => read_messages(messages, &root, conversation, import),
            Held::Message(_) => read_messages(import.slice(value), &root, conversation, import),
            Held::Object(fields) => {
                let messages = fields.items("messages", "a list of messages, or spans")?;
                read_messages(messages, &root.key("messages"), conversation, import)
            }
        },
    )?;
    Ok(vec![trajectory])
}

fn read_messages<'a>(
    messages: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    for fields in Fields::each(messages, path, "a message: {role, parts}") {
        let fields = fields?;
        let role = match fields.text("role") {
            Some("user" | "tool") => Role::User,
            Some("assistant" | "model") => Role::Agent,
            Some("system" | "developer") => Role::System,
            _ => return Err(fields.mismatch("role", "user, assistant, tool or system")),
        };
        let read = [
            "role",
            "parts",
            "content",
            "turn_id",
            "tool_calls",
            "finish_reason",
        ];
        let about = About::of(&fields, &read, import);
        let mut message = Message::new(role, about, conversation);
        if let Some(text) = fields.text("content") {
            message.text(text);
        }
        let path = fields.path().key("parts");
        for part in Fields::each(
            fields.optional_items("parts", "a list of parts")?,
            &path,
            "a part: {type}",
        ) {
            let part = part?;
            read_part(&part, &mut message, import);
        }
        message.finish(import);
    }
    Ok(())
}

fn read_part<'a>(part: &Fields<'a>, message: &mut Message<'_, 'a>, import: &mut Import<'a>) {
    let said = part.text("content").or(part.text("text"));
    match (part.text("type"), said) {
        (Some("text"), Some(text)) => message.text(text),
        (Some(kind), _) if is_call(kind) => {
            let mut call = ToolCall {
                id: part.text("id"),
                name: part.text("name"),
                ..ToolCall::default()
            };
            let key = ["arguments", "server_tool_call"]
                .into_iter()
                .find(|key| part.get(key).is_some());
            let key = key.unwrap_or("arguments");
            import.arguments(&mut call, part.get(key), &|| part.path().key(key));
            message.call(call);
        }
        (Some(kind), _) if is_result(kind) => {
            let keys = ["response", "result", "server_tool_call_response"];
            let value = keys
                .into_iter()
                .find_map(|key| part.get(key))
                .unwrap_or_default();
            let failed = matches!(part.get("is_error"), Some(Json::Bool(true)));
            let result = CallResult {
                id: part.text("id"),
                name: part.text("name"),
                outcome: Outcome::of(import.content(value), failed),
            };
            message.result(&result, part.path(), import);
        }
        _ => message.other(part.value()),
    }
}

fn read_trace<'a>(spans: &[Span<'a>], import: &mut Import<'a>) -> Trajectory<'a> {
    let nodes: Vec<_> = spans.iter().map(Span::node).collect();
    let ordered: Vec<_> = order(&nodes).into_iter().map(|at| &spans[at]).collect();
    let mut trace = Trace::default();
    let asks = ordered.iter().any(|span| is_model(span, import));
    let whole = ordered.iter().find(|span| is_agent(span)).filter(|_| !asks);
    if let Some(span) = whole {
        let path = span.fields.path().key("attributes");
        let prompt = span.get("gen_ai.input.messages").or(span.get("ai.prompt"));
        let answer = span
            .get("gen_ai.output.messages")
            .or(span.get("ai.response.text"));
        trace.frame((prompt, &path), (answer, &path), import);
    }
    for span in &ordered {
        if is_tool(span) {
            trace.tool(read_tool(span, import), span.time(import));
        } else if is_model(span, import) {
            read_model(span, &mut trace, import);
        }
        trace.tools(definitions(span, import));
    }
    trace.end_frame();
    let path = ordered
        .first()
        .map_or_else(Path::root, |span| span.fields.path().clone());
    let first = ordered.first();
    let conversation = first.and_then(|span| span.text(&["gen_ai.conversation.id"]));
    Trajectory {
        trajectory_id: first.and_then(|span| span.trace_id()).or(conversation),
        ..trace.into_trajectory(&path, import)
    }
}

fn operation<'a>(span: &Span<'a>) -> Option<&'a str> {
    span.text(&["gen_ai.operation.name", "ai.operationId", "operation.name"])
}

fn is_tool(span: &Span<'_>) -> bool {
    let named = span
        .text(&["gen_ai.tool.name", "ai.toolCall.name"])
        .is_some();
    match operation(span) {
        Some("execute_tool" | "ai.toolCall") => true,
        Some(_) => false,
        None => named,
    }
}

/// A span of an agent, or of a function of the AI SDK. The steps of its models have spans of their own.
fn is_agent(span: &Span<'_>) -> bool {
    let is_outer = |name: &str| name.starts_with("ai.") && !is_inner(name) && name != "ai.toolCall";
    operation(span).is_some_and(|name| name == "invoke_agent" || is_outer(name))
}

/// One step of a model in the AI SDK: `ai.generateText.doGenerate` or `ai.streamText.doStream`.
fn is_inner(name: &str) -> bool {
    name.starts_with("ai.") && (name.contains(".doGenerate") || name.contains(".doStream"))
}

fn is_model<'a>(span: &Span<'a>, import: &Import<'a>) -> bool {
    match operation(span) {
        Some("execute_tool" | "invoke_agent" | "create_agent" | "invoke_workflow") => false,
        Some("chat" | "generate_content" | "text_completion") => true,
        Some(name) if name.starts_with("ai.") => is_inner(name),
        _ if is_tool(span) => false,
        _ => {
            let given = ["gen_ai.input.messages", "gen_ai.output.messages"];
            let numbered = ["gen_ai.prompt", "gen_ai.completion"];
            given.iter().any(|key| span.get(key).is_some())
                || numbered
                    .iter()
                    .any(|key| span.unflattened(key, import).is_some())
        }
    }
}

/// Adds the input and the output of a model, in attributes, in events of the span, or in numbered
/// attributes.
fn read_model<'a>(span: &Span<'a>, trace: &mut Trace<'a>, import: &mut Import<'a>) {
    let path = span.fields.path().key("attributes");
    let time = span.time(import);
    let events = span.events(import);
    let find = |key: &str| {
        let in_event = || {
            events
                .iter()
                .find_map(|(_, attributes)| member(*attributes, key))
        };
        span.get(key).or_else(in_event)
    };
    if let Some(system) = find("gen_ai.system_instructions") {
        let text = text_of(import.nested(system), import);
        trace.messages(Json::String(text), Role::System, None, &path, import);
    }
    let (asked, answered) = older_events(&events, import);
    let given = find("gen_ai.input.messages")
        .or(find("ai.prompt.messages"))
        .or(asked)
        .or_else(|| span.unflattened("gen_ai.prompt", import));
    let gave = find("gen_ai.output.messages")
        .or_else(|| ai_sdk_answer(span, import))
        .or(answered)
        .or_else(|| span.unflattened("gen_ai.completion", import));
    if let Some(given) = given {
        let path = path.key("gen_ai.input.messages");
        trace.messages(given, Role::User, None, &path, import);
    }
    if let Some(gave) = gave {
        let path = path.key("gen_ai.output.messages");
        trace.messages(gave, Role::Agent, time, &path, import);
    }
    if let Some(error) = span.error(import) {
        let why = import.label(error);
        import.warn(span.fields.path(), format!("the model failed: {why}"));
    }
}

fn text_of<'a>(value: Json<'a>, import: &Import<'a>) -> &'a str {
    let text = |part: Json<'a>| {
        let inner = part.get("content").or(part.get("text"));
        part.as_str().or_else(|| inner?.as_str())
    };
    let parts = value.items().unwrap_or_default().iter();
    text(value).unwrap_or_else(|| import.join_text(parts.filter_map(|part| text(*part))))
}

/// The output of a model in a span of the AI SDK, as a chat message.
fn ai_sdk_answer<'a>(span: &Span<'a>, import: &Import<'a>) -> Option<Json<'a>> {
    let text = span.text(&["ai.response.text", "ai.result.text", "ai.response.object"]);
    let keys = ["ai.response.toolCalls", "ai.result.toolCalls"];
    let calls = keys.into_iter().find_map(|key| span.get(key));
    let calls = calls
        .map(|calls| import.nested(calls))
        .and_then(Json::items);
    if text.is_none() && calls.is_none() {
        return None;
    }
    let call = |call: &Json<'a>| {
        let first = |keys: [&str; 2]| keys.into_iter().find_map(|key| call.get(key));
        let members = [
            ("id", call.get("toolCallId").unwrap_or_default()),
            ("name", call.get("toolName").unwrap_or_default()),
            ("arguments", first(["input", "args"]).unwrap_or_default()),
        ];
        Json::Object(import.arena().alloc_slice_copy(&members))
    };
    let calls: Vec<_> = calls.unwrap_or_default().iter().map(call).collect();
    Some(chat_message(
        Json::String("assistant"),
        text.map(Json::String),
        &calls,
        import,
    ))
}

fn chat_message<'a>(
    role: Json<'a>,
    content: Option<Json<'a>>,
    calls: &[Json<'a>],
    import: &Import<'a>,
) -> Json<'a> {
    let calls = Json::Array(import.arena().alloc_slice_copy(calls));
    let content = content.unwrap_or_default();
    let members = [("role", role), ("content", content), ("tool_calls", calls)];
    Json::Object(import.arena().alloc_slice_copy(&members))
}

/// The messages in events such as `gen_ai.user.message` and `gen_ai.choice`: the input, and the output.
fn older_events<'a>(
    events: &[(&'a str, Json<'a>)],
    import: &Import<'a>,
) -> (Option<Json<'a>>, Option<Json<'a>>) {
    let mut given = Vec::new();
    let mut gave = Vec::new();
    for (name, attributes) in events {
        let of = |role| older_message(role, *attributes, import);
        match *name {
            "gen_ai.system.message" => given.push(of("system")),
            "gen_ai.user.message" => given.push(of("user")),
            "gen_ai.assistant.message" => given.push(of("assistant")),
            "gen_ai.tool.message" => given.push(of("tool")),
            "gen_ai.choice" => gave.push(of("assistant")),
            "gen_ai.content.prompt" => {
                given.extend(member(*attributes, "gen_ai.prompt").map(|it| import.nested(it)));
            }
            "gen_ai.content.completion" => {
                gave.extend(member(*attributes, "gen_ai.completion").map(|it| import.nested(it)));
            }
            _ => {}
        }
    }
    let list = |messages: Vec<Json<'a>>| match messages[..] {
        [] => None,
        [list @ Json::Array(_)] => Some(list),
        _ => Some(Json::Array(import.arena().alloc_slice_copy(&messages))),
    };
    (list(given), list(gave))
}

fn older_message<'a>(role: &'static str, event: Json<'a>, import: &Import<'a>) -> Json<'a> {
    let body = event
        .get("gen_ai.event.content")
        .map(|body| import.nested(body));
    let body = body
        .filter(|body| body.members().is_some())
        .unwrap_or(event);
    let message = body.get("message").map(|message| import.nested(message));
    let message = message.filter(|it| it.members().is_some()).unwrap_or(body);
    let calls = message.get("tool_calls").map(|calls| import.nested(calls));
    let content = message.get("content").map(|content| match content {
        Json::Object(_) => Json::String(text_of(content, import)),
        other => other,
    });
    let members = [
        ("role", Json::String(role)),
        ("content", content.unwrap_or_default()),
        ("tool_calls", calls.unwrap_or_default()),
        ("tool_call_id", message.get("id").unwrap_or_default()),
    ];
    Json::Object(import.arena().alloc_slice_copy(&members))
}

fn read_tool<'a>(span: &Span<'a>, import: &mut Import<'a>) -> ToolCall<'a> {
    let path = span.fields.path().key("attributes");
    let name = span.text(&["gen_ai.tool.name", "ai.toolCall.name"]);
    let after_operation = || span.name()?.strip_prefix("execute_tool ");
    let mut call = ToolCall {
        id: span.text(&["gen_ai.tool.call.id", "ai.toolCall.id"]),
        name: name.or_else(after_operation),
        ..ToolCall::default()
    };
    let first = |keys: [&str; 2]| keys.into_iter().find_map(|key| span.get(key));
    let arguments = first(["gen_ai.tool.call.arguments", "ai.toolCall.args"]);
    read_arguments(&mut call, arguments, &path, import);
    let result = first(["gen_ai.tool.call.result", "ai.toolCall.result"]);
    read_outcome(&mut call, result, import);
    call.error = call.error.or_else(|| span.error(import));
    call
}

/// The tools of a span: JSON, or a list of texts.
fn definitions<'a>(span: &Span<'a>, import: &Import<'a>) -> Option<Json<'a>> {
    let keys = ["gen_ai.tool.definitions", "ai.prompt.tools"];
    let tools = keys.into_iter().find_map(|key| span.get(key))?;
    let tools = import
        .nested(tools)
        .items()?
        .iter()
        .map(|tool| import.nested(*tool));
    let tools: Vec<_> = tools.collect();
    Some(Json::Array(import.arena().alloc_slice_copy(&tools)))
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn spans_make_one_conversation() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("otel-genai/spans.json"));
        assert_eq!(read.value.len(), 1);
        let trajectory = &read.value[0];
        assert_eq!(
            trajectory.trajectory_id,
            Some("5b8efff798038103d269b633813fc60c")
        );
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
        assert!(trajectory.tools.is_some());
        assert_eq!(trajectory.turns[2].timestamp, Some("1767600001000000000"));
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn spans_of_the_ai_sdk_are_read() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("otel-genai/ai-sdk.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            calls_of(trajectory),
            [r#"{"id":"c1","name":"rain","arguments":{"city":"Bonn"},"result":{"rain":true}}"#]
        );
        let turns = turns_of(trajectory);
        assert_eq!(turns.len(), 3, "{turns:?}");
        assert_eq!(turns[0].1, "Rain in Bonn?");
        assert_eq!(turns[2].1, "Yes.");
        let tools = trajectory.tools.and_then(Json::items).map(<[_]>::len);
        assert_eq!(tools, Some(1));
    }

    #[test]
    fn messages_alone_are_read() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"role":"user","parts":[{"type":"text","content":"hi"}]},
                {"role":"assistant","parts":[{"type":"reasoning","content":"hm"},{"type":"tool_call","id":"1","name":"f","arguments":{"n":1}}],"finish_reason":"tool_call"},
                {"role":"tool","parts":[{"type":"tool_call_response","id":"1","result":"[7]"}]}]"#,
        );
        assert_eq!(read.format, TrajectoryFormat::OtelGenai);
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"1","name":"f","arguments":{"n":1},"result":[7]}"#]
        );
    }

    #[test]
    fn older_events_and_numbered_attributes_are_read() {
        let arena = Bump::new();
        let call = r#"[{\"id\":\"1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]"#;
        let events = format!(
            r#"{{"name":"chat","traceId":"t","spanId":"s","attributes":{{"gen_ai.operation.name":"chat"}},"events":[
                {{"name":"gen_ai.user.message","attributes":{{"content":"hi"}}}},
                {{"name":"gen_ai.choice","attributes":{{"index":0,"message":"{{\"tool_calls\":{}}}"}}}}]}}"#,
            call
        );
        let numbered = r#"{"name":"openai.chat","context":{"trace_id":"t","span_id":"s"},"attributes":{
            "gen_ai.prompt.0.role":"user","gen_ai.prompt.0.content":"hi","gen_ai.completion.0.role":"assistant",
            "gen_ai.completion.0.tool_calls.0.id":"1","gen_ai.completion.0.tool_calls.0.name":"f","gen_ai.completion.0.tool_calls.0.arguments":"{}"}}"#;
        for text in [events.as_str(), numbered] {
            let read = imported(&arena, text);
            assert_eq!(
                calls_of(&read.value[0]),
                [r#"{"id":"1","name":"f","arguments":{}}"#],
                "{text}\n{:?}",
                read.warnings
            );
            assert_eq!(turns_of(&read.value[0])[0].1, "hi");
        }
    }

    #[test]
    fn tools_without_a_model_are_calls() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"name":"execute_tool f","traceId":"t","spanId":"2","startTime":[1767600002,5],"status":{"code":2,"message":""},"attributes":{"gen_ai.operation.name":"execute_tool"},
                 "events":[{"name":"exception","attributes":{"exception.message":"boom"}}]},
                {"name":"invoke_agent","traceId":"t","spanId":"1","startTime":[1767600001,0],"attributes":{"gen_ai.operation.name":"invoke_agent",
                 "gen_ai.input.messages":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"hi\"}]}]","gen_ai.output.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"bye\"}]}]"}}]"#,
        );
        assert_eq!(calls_of(&read.value[0]), [r#"{"name":"f","error":"boom"}"#]);
        let said: Vec<_> = turns_of(&read.value[0])
            .into_iter()
            .map(|turn| turn.1)
            .collect();
        assert_eq!(said, ["hi", "", "bye"]);
    }

    #[test]
    fn spans_of_something_else_are_an_error() {
        let reason =
            failure(r#"[{"name":"GET /","traceId":"t","attributes":{"http.method":"GET"}}]"#);
        assert!(
            reason
                .to_string()
                .contains("otel-genai, but it lacks `gen_ai.*` attributes"),
            "{reason}"
        );
    }
}
