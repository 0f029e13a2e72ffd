//! OpenTelemetry's conventions for generative AI: spans with
//! `gen_ai.input.messages`, `gen_ai.output.messages` and `gen_ai.tool.*`, older
//! events and numbered attributes, and the spans of the AI SDK (`ai.*`). Also the
//! messages alone: `[{role, parts: [{type, content}]}]`.

use super::runs::returned;
use super::spans::{MARKS, has_attribute, spans_of};
use super::steps::read_traces;
use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::envelope::{Envelope, Held};
use crate::kit::fields::Fields;
use crate::kit::message::{About, Message};
use crate::kit::signs::{Sign, items, kind, likeness_by};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Member, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::OtelGenai,
    marks: &MARKS,
    likeness,
    read,
};

/// The beginnings of attributes of the conventions, the AI SDK, OpenLLMetry, ADK, MLflow and Langfuse.
const PREFIXES: [&str; 6] = [
    "gen_ai.",
    "langfuse.",
    "ai.",
    "traceloop.",
    "gcp.vertex.agent.",
    "mlflow.",
];

fn likeness(value: Json<'_>) -> Likeness {
    match has_attribute(value, &PREFIXES) {
        Some(true) => Likeness::Full,
        Some(false) => Likeness::Partial("`gen_ai.*` attributes in its spans"),
        None => likeness_by(value, "messages", sign),
    }
}

fn sign(message: Json<'_>) -> Sign {
    let is_own = |part: &Json<'_>| match kind(*part) {
        // Without recorded contents, a part has nothing but its type.
        Some("text") => part.get("text").is_none(),
        Some(kind) => is_call(kind) || is_result(kind),
        None => false,
    };
    match items(message, "parts").iter().any(is_own) {
        true if message.get("role").is_some() => Sign::Decisive,
        true => Sign::Broken("the `role` of its messages"),
        false => Sign::Open,
    }
}

/// The type of a part with a call of a tool that the platform runs.
const SERVER_CALL: &str = "server_tool_call";

fn is_call(kind: &str) -> bool {
    matches!(kind, "tool_call" | "function_call" | SERVER_CALL)
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
    Ok(read_traces(spans, import))
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

/// What a part says about who runs the tool of its call.
fn runner_of<'a>(part: &Fields<'a>, import: &Import<'a>) -> &'a [Member<'a>] {
    part.rest(import.arena(), |key, value| match key {
        "type" => value.as_str() != Some(SERVER_CALL),
        "builtin" => false,
        _ => true,
    })
}

fn read_part<'a>(part: &Fields<'a>, message: &mut Message<'_, 'a>, import: &mut Import<'a>) {
    let said = part.text("content").or(part.text("text"));
    match (part.text("type"), said) {
        (Some("text"), Some(text)) => message.text(text),
        (Some(kind), _) if is_call(kind) => {
            let mut call = ToolCall {
                id: part.text("id"),
                name: part.text("name"),
                extra: runner_of(part, import),
                ..ToolCall::default()
            };
            let key = ["arguments", "server_tool_call"]
                .into_iter()
                .find(|key| part.get(key).is_some());
            call.unrecorded = key.is_none();
            let key = key.unwrap_or("arguments");
            import.arguments(&mut call, part.get(key), &|| part.path().key(key));
            message.call(call);
        }
        (Some(kind), _) if is_result(kind) => {
            let keys = ["response", "result", "server_tool_call_response"];
            // A part without any of them says that the tool has answered, but not what.
            let Some(value) = keys.into_iter().find_map(|key| part.get(key)) else {
                return;
            };
            let failed = matches!(part.get("is_error"), Some(Json::Bool(true)));
            let outcome = match returned(import.content(value), import) {
                Outcome::Result(value) => Outcome::of(value, failed),
                failure => failure,
            };
            let result = CallResult {
                id: part.text("id"),
                name: part.text("name"),
                outcome,
            };
            message.result(&result, part.path(), import);
        }
        _ => message.other(part.value()),
    }
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
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"name":"f","unrecorded":true,"error":"boom"}"#]
        );
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
