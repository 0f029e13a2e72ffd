//! The steps of the AI SDK, as `generateText` returns them: `{steps}`, a list of steps, or one step. A
//! step is `{content}`, or `{text, toolCalls, toolResults}` in version 4. Steps do not hold the user's
//! messages: `prompt` or `messages` beside the steps come first, or else the request of the first step, if
//! it is included.

use foldhash::HashSet;

use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::dialects::ai_sdk::{
    Output, PROMPT, read_call, read_messages, read_part, read_prompt, read_result, settle_approvals,
};
use crate::kit::envelope::Envelope;
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::marks::marks;
use crate::kit::message::{About, Message};
use crate::kit::signs::{Sign, items, kind, likeness_alone, likeness_by};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::AiSdkSteps,
    marks: &marks(["toolCalls", "toolResults", "finishReason", "type"]),
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    match value.get("steps") {
        Some(Json::Array(_)) => likeness_by(value, "steps", sign),
        _ => likeness_alone(value, sign),
    }
}

fn sign(step: Json<'_>) -> Sign {
    // With its prompt it is a call of a model.
    if step.get("role").is_some() || !items(step, "prompt").is_empty() {
        return Sign::Open;
    }
    let calls = items(step, "toolCalls")
        .iter()
        .chain(items(step, "toolResults"));
    let parts = items(step, "content").iter();
    let tools: Vec<_> = parts
        .filter(|part| kind(**part).is_some_and(|kind| kind.starts_with("tool-")))
        .chain(calls)
        .collect();
    let is_step = step.get("finishReason").is_some()
        && ["content", "toolCalls"]
            .into_iter()
            .any(|key| step.get(key).is_some_and(|it| it.items().is_some()));
    match tools.as_slice() {
        [] if is_step => Sign::Decisive,
        [] => Sign::Open,
        tools if tools.iter().any(|it| it.get("toolCallId").is_some()) => Sign::Decisive,
        _ => Sign::Broken("a `toolCallId` in each call"),
    }
}

const ENVELOPE: Envelope = Envelope {
    what: "a list of steps, or {steps}",
    is_message: |it| it.get("steps").is_none(),
    ids: &["id"],
    tools: &[&["tools"]],
    reads: |_, key, value| match key {
        "steps" => true,
        "id" => value.as_str().is_some(),
        // The steps contain these, too.
        "content" | "text" | "toolCalls" | "toolResults" | "response" => true,
        BEFORE_STEPS => true,
        _ => is_one_of(key, &PROMPT),
    },
};

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    ENVELOPE.read(value, import, read_steps, read_step, read_generated)
}

/// Version 7 keeps the results of approved calls, which run before the first step, in messages of their own.
const BEFORE_STEPS: &str = "initialResponseMessages";

/// What a generation returned: its steps, and the prompt if it is there.
fn read_generated<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let steps = fields.items("steps", "a list of steps")?;
    read_prompt(fields, conversation, import)?;
    let messages = fields.optional_items(BEFORE_STEPS, "a list of messages")?;
    read_messages(
        messages,
        &fields.path().key(BEFORE_STEPS),
        conversation,
        import,
    )?;
    read_steps(steps, &fields.path().key("steps"), conversation, import)
}

fn read_steps<'a>(
    steps: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    if conversation.len() == 0 {
        read_request(steps, path, conversation, import)?;
    }
    for (at, step) in steps.iter().enumerate() {
        let fields = Fields::of(*step, path.index(at), "a step: {content} or {toolCalls}")?;
        read_step(&fields, conversation, import)?;
    }
    Ok(())
}

/// Adds what the model was asked, if the first step includes the messages of its request.
fn read_request<'a>(
    steps: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let request = steps.first().and_then(|step| step.get("request"));
    let messages = request.and_then(|request| request.get("messages")?.items());
    let path = path.index(0).key("request").key("messages");
    read_messages(messages.unwrap_or_default(), &path, conversation, import)
}

/// The members of a step that are read, or that repeat those.
const READ: [&str; 12] = [
    "content",
    "text",
    "toolCalls",
    "toolResults",
    "staticToolCalls",
    "dynamicToolCalls",
    "staticToolResults",
    "dynamicToolResults",
    "request",
    "response",
    "reasoningText",
    "timestamp",
];

fn read_step<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let response = fields.get("response").unwrap_or_default();
    let about = About {
        timestamp: response.get("timestamp").map(|time| import.label(time)),
        extra: About::of(fields, &READ, import).extra,
    };
    read_approved(response, fields.path(), conversation, import);
    let mut message = Message::new(Role::Agent, about, conversation);
    let content = fields.optional_items("content", "a list of parts")?;
    match content {
        [] => read_lists(fields, &mut message, import)?,
        parts => {
            let path = fields.path().key("content");
            let finals = ids_of_finals(parts);
            for (at, part) in in_order(parts) {
                let fields = Fields::of(*part, path.index(at), "a part: {type}")?;
                if is_superseded(&fields, &finals) {
                    continue;
                }
                match spelled_out(*part, response) {
                    None => read_part(&fields, Output::Plain, &mut message, import)?,
                    Some(part) => {
                        let fields = Fields::of(part, path.index(at), "a part: {type}")?;
                        read_part(&fields, Output::Typed, &mut message, import)?;
                    }
                }
            }
        }
    }
    message.finish(import);
    let calls = items(fields.value(), "toolCalls");
    settle(
        content.iter().chain(calls),
        fields.path(),
        conversation,
        import,
    );
    Ok(())
}

/// A step that lists its calls and its results separately.
fn read_lists<'a>(
    fields: &Fields<'a>,
    message: &mut Message<'_, 'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    if let Some(text) = fields.text("text").filter(|text| !text.is_empty()) {
        message.text(text);
    }
    let path = fields.path().key("toolCalls");
    let calls = fields.optional_items("toolCalls", "a list of calls")?;
    for (at, call) in calls.iter().enumerate() {
        let call = Fields::of(
            *call,
            path.index(at),
            "a call: {toolCallId, toolName, input}",
        )?;
        message.call(read_call(&call, import));
    }
    let path = fields.path().key("toolResults");
    let results = fields.optional_items("toolResults", "a list of results")?;
    let finals = ids_of_finals(results);
    for (at, result) in results.iter().enumerate() {
        let part = Fields::of(*result, path.index(at), "a result: {toolCallId, output}")?;
        if is_superseded(&part, &finals) {
            continue;
        }
        let (result, rest) = read_result(&part, Output::Plain, import);
        if let Some(call) = message.result(&result, part.path(), import) {
            import.keep(call, rest);
        }
    }
    Ok(())
}

/// The parts of a step with their positions, in the order of the conversation: what the model wrote, then the results
/// that it saw in the next step. A stream has each result as soon as the tool returns. The model sees the results of
/// the provider's own tools at once.
fn in_order<'a>(parts: &'a [Json<'a>]) -> impl Iterator<Item = (usize, &'a Json<'a>)> {
    let is_later = |(_, part): &(usize, &Json<'a>)| {
        let is_run_by_provider = matches!(part.get("providerExecuted"), Some(Json::Bool(true)));
        let kinds = ["tool-result", "tool-error", "tool-output-denied"];
        kind(**part).is_some_and(|kind| kinds.contains(&kind)) && !is_run_by_provider
    };
    let parts = || parts.iter().enumerate();
    let written = parts().filter(move |part| !is_later(part));
    written.chain(parts().filter(is_later))
}

/// The result that the model was sent in place of `part`, if that is an error without any content. This is how
/// `JSON.stringify` writes an `Error`.
fn spelled_out<'a>(part: Json<'a>, response: Json<'a>) -> Option<Json<'a>> {
    let says_nothing = |error: Json<'_>| error.members().is_some_and(<[_]>::is_empty);
    if kind(part) != Some("tool-error") || !part.get("error").is_none_or(says_nothing) {
        return None;
    }
    let id = part.get("toolCallId");
    let messages = items(response, "messages").iter();
    let mut sent = messages.flat_map(|message| items(*message, "content"));
    let found = sent.find(|it| kind(**it) == Some("tool-result") && it.get("toolCallId") == id);
    found.copied()
}

/// Adds the results of approved calls. They ran before this step, and version 6 has them in its response only, before
/// what the model wrote.
fn read_approved<'a>(
    response: Json<'a>,
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) {
    let is_of_tools =
        |message: &&Json<'_>| message.get("role").and_then(Json::as_str) == Some("tool");
    let messages = items(response, "messages").iter().take_while(is_of_tools);
    for part in messages.flat_map(|message| items(*message, "content")) {
        let path = path.key("response").key("messages");
        let Ok(part) = Fields::of(*part, path, "a part: {type: \"tool-result\"}") else {
            continue;
        };
        if part
            .text("toolCallId")
            .is_some_and(|id| conversation.is_open(id))
        {
            let (result, _) = read_result(&part, Output::Typed, import);
            conversation.result(&result, part.path(), import);
        }
    }
}

fn ids_of_finals<'a>(parts: &[Json<'a>]) -> HashSet<Option<&'a str>> {
    let results = parts.iter().filter(|part| {
        let is_call = kind(**part) == Some("tool-call");
        !is_call && !matches!(part.get("preliminary"), Some(Json::Bool(true)))
    });
    results
        .map(|part| part.get("toolCallId").and_then(Json::as_str))
        .collect()
}

/// Whether this is a preliminary result whose final result is also there.
fn is_superseded(part: &Fields<'_>, finals: &HashSet<Option<&str>>) -> bool {
    let is_preliminary = matches!(part.get("preliminary"), Some(Json::Bool(true)));
    is_preliminary && finals.contains(&part.text("toolCallId"))
}

/// Marks the calls that did not run and have no result: denied calls, and calls whose input the SDK
/// rejected.
fn settle<'i, 'a: 'i>(
    parts: impl Iterator<Item = &'i Json<'a>> + Clone,
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) {
    let approvals: Vec<_> = parts
        .clone()
        .filter(|part| part.get("approvalId").is_some())
        .collect();
    settle_approvals(&approvals, conversation, path, import);
    for part in parts {
        let id = part.get("toolCallId").and_then(Json::as_str);
        let error = part.get("error").filter(|error| !error.is_null());
        let invalid = matches!(part.get("invalid"), Some(Json::Bool(true)));
        if let (Some(id), Some(error), true) = (id, error, invalid)
            && conversation.is_open(id)
        {
            let result = CallResult {
                id: Some(id),
                name: None,
                outcome: Outcome::Error(error),
            };
            conversation.result(&result, path, import);
        }
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn the_content_of_steps_is_read() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("ai-sdk-steps/v5.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::User, "How deep is the lake?".to_owned(), 0),
                (Role::Agent, "Measuring.".to_owned(), 3),
                (Role::Agent, "31 metres.".to_owned(), 0),
            ]
        );
        assert_eq!(
            trajectory.turns[1].timestamp,
            Some("2026-05-01T12:00:00.000Z")
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"c1","name":"sonar","arguments":{"at":"mid"},"result":{"type":"json","value":31}}"#,
                r#"{"id":"c2","name":"sonnar","rawArguments":"{\"at\":","error":{"name":"AI_NoSuchToolError"},"dynamic":true,"invalid":true}"#,
                r#"{"id":"c3","name":"rod","arguments":{},"error":{"message":"too short"}}"#,
            ]
        );
        let warned: Vec<_> = read.warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(warned, ["steps[0].content[2].input"]);
        let kept: Vec<_> = trajectory.extra.iter().map(|(key, _)| *key).collect();
        assert_eq!(kept, ["totalUsage"]);
    }

    #[test]
    fn a_call_is_pending_until_somebody_approves_it_and_it_runs() {
        let arena = Bump::new();
        let calls = |answers: &str| {
            let text = format!(
                r#"{{"steps":[{{"finishReason":"tool-calls","content":[
                    {{"type":"tool-call","toolCallId":"c1","toolName":"pay","input":{{}}}},
                    {{"type":"tool-approval-request","approvalId":"a1","toolCall":{{"toolCallId":"c1"}}}}{answers}]}}]}}"#
            );
            calls_of(&imported(&arena, &text).value[0])
        };
        let call = r#"{"id":"c1","name":"pay","arguments":{}"#;
        let answer = |yes: bool| {
            format!(r#",{{"type":"tool-approval-response","approvalId":"a1","approved":{yes}}}"#)
        };
        let result = r#",{"type":"tool-result","toolCallId":"c1","toolName":"pay","output":5}"#;
        let pending = format!(r#"{call},"pending":true}}"#);
        assert_eq!(calls(""), [pending.as_str()]);
        assert_eq!(calls(&answer(true)), [pending.as_str()]);
        assert_eq!(
            calls(&format!("{}{result}", answer(true))),
            [format!(r#"{call},"result":5}}"#)]
        );
        assert_eq!(
            calls(&answer(false)),
            [format!(r#"{call},"error":"the call was denied"}}"#)]
        );
    }

    #[test]
    fn steps_that_list_calls_and_results_apart_are_read() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("ai-sdk-steps/v4.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::Agent, "I will add.".to_owned(), 2),
                (Role::Agent, "3 and 7.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"c1","name":"add","arguments":{"a":1,"b":2},"result":3}"#,
                r#"{"id":"c2","name":"add","arguments":{"a":3,"b":4},"result":7}"#,
            ]
        );
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn results_that_a_stream_had_at_once_come_after_all_calls() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"steps":[{"finishReason":"tool-calls","content":[
                {"type":"tool-call","toolCallId":"c1","toolName":"f","input":{}},
                {"type":"tool-result","toolCallId":"c1","toolName":"f","input":{},"output":1},
                {"type":"text","text":"And another."},
                {"type":"tool-call","toolCallId":"c2","toolName":"search","input":{},"providerExecuted":true},
                {"type":"tool-result","toolCallId":"c2","toolName":"search","input":{},"output":2,"providerExecuted":true},
                {"type":"text","text":"Found."}]}]}"#,
        );
        assert_eq!(
            turns_of(&read.value[0]),
            [
                (Role::Agent, "And another.".to_owned(), 2),
                (Role::Agent, "Found.".to_owned(), 0),
            ]
        );
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn an_error_that_json_lost_is_read_from_the_messages_of_the_step() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"steps":[{"finishReason":"tool-calls","content":[
                {"type":"tool-call","toolCallId":"c1","toolName":"f","input":{}},
                {"type":"tool-error","toolCallId":"c1","toolName":"f","input":{},"error":{}}],
                "response":{"messages":[{"role":"tool","content":[
                    {"type":"tool-result","toolCallId":"c1","toolName":"f","output":{"type":"error-text","value":"no such row"}}]}]}}]}"#,
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"c1","name":"f","arguments":{},"error":"no such row"}"#]
        );
    }

    #[test]
    fn an_approved_call_has_its_result_in_each_version() {
        let pending = r#"{"role":"assistant","content":[
            {"type":"tool-call","toolCallId":"c1","toolName":"pay","input":{}},
            {"type":"tool-approval-request","approvalId":"a","toolCallId":"c1"}]}"#;
        let sent = r#"{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"pay","output":{"type":"json","value":5}}]}"#;
        let step = |messages: &str| {
            format!(
                r#"{{"finishReason":"stop","content":[{{"type":"text","text":"Paid."}}],"response":{{"messages":[{messages}]}}}}"#
            )
        };
        let version_6 = format!(r#"{{"messages":[{pending}],"steps":[{}]}}"#, step(sent));
        let version_7 = format!(
            r#"{{"messages":[{pending}],"initialResponseMessages":[{sent}],"steps":[{}]}}"#,
            step("")
        );
        for text in [version_6, version_7] {
            let arena = Bump::new();
            let read = imported(&arena, &text);
            assert_eq!(
                calls_of(&read.value[0]),
                [r#"{"id":"c1","name":"pay","arguments":{},"result":5}"#]
            );
        }
    }

    #[test]
    fn the_request_of_the_first_step_comes_first() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"finishReason":"stop","content":[{"type":"text","text":"Hello."}],
                "request":{"messages":[{"role":"user","content":"Hi"}]}}]"#,
        );
        assert_eq!(
            turns_of(&read.value[0]),
            [
                (Role::User, "Hi".to_owned(), 0),
                (Role::Agent, "Hello.".to_owned(), 0),
            ]
        );
    }

    #[test]
    fn a_call_that_was_not_approved_was_denied() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"finishReason":"stop","content":[
                {"type":"tool-call","toolCallId":"c","toolName":"f","input":{}},
                {"type":"tool-approval-request","approvalId":"a","toolCall":{"toolCallId":"c"}},
                {"type":"tool-approval-response","approvalId":"a","toolCall":{"toolCallId":"c"},"approved":false,"reason":"no"}]}"#,
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"c","name":"f","arguments":{},"error":"the call was denied: no"}"#]
        );
    }

    #[test]
    fn the_error_names_the_part_with_another_shape() {
        let error = failure(r#"{"steps":[{"toolCalls":[{"name":"f"}]}]}"#);
        assert!(
            error
                .to_string()
                .contains("ai-sdk-steps, but it lacks a `toolCallId`"),
            "{error}"
        );
        let error = failure(r#"{"steps":[{"toolCalls":[{"toolCallId":"c"}]},{"toolCalls":{}}]}"#);
        assert_eq!(error.report().path.as_deref(), Some("steps[1].toolCalls"));
    }
}
