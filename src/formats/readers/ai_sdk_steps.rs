//! The steps of the AI SDK, as `generateText` returns them: `{steps}`, a list of steps, or one step. A
//! step is `{content}`, or `{text, toolCalls, toolResults}` in version 4. Steps do not hold the user's
//! messages: `prompt` or `messages` beside the steps come first.

use foldhash::HashSet;

use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::dialects::ai_sdk::{
    Output, PROMPT, deny, read_call, read_part, read_prompt, read_result,
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
        _ => is_one_of(key, &PROMPT),
    },
};

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    ENVELOPE.read(value, import, read_steps, read_step, read_generated)
}

/// What a generation returned: its steps, and the prompt if it is there.
fn read_generated<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let steps = fields.items("steps", "a list of steps")?;
    read_prompt(fields, conversation, import)?;
    read_steps(steps, &fields.path().key("steps"), conversation, import)
}

fn read_steps<'a>(
    steps: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    for (at, step) in steps.iter().enumerate() {
        let fields = Fields::of(*step, path.index(at), "a step: {content} or {toolCalls}")?;
        read_step(&fields, conversation, import)?;
    }
    Ok(())
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
    let mut message = Message::new(Role::Agent, about, conversation);
    let content = fields.optional_items("content", "a list of parts")?;
    match content {
        [] => read_lists(fields, &mut message, import)?,
        parts => {
            let path = fields.path().key("content");
            let finals = ids_of_finals(parts);
            for (at, part) in parts.iter().enumerate() {
                let part = Fields::of(*part, path.index(at), "a part: {type}")?;
                if !is_superseded(&part, &finals) {
                    read_part(&part, Output::Plain, &mut message, import)?;
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
    deny(&approvals, conversation, path, import);
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
