//! Amazon Bedrock Converse: messages `{role, content: [{text} | {toolUse} | {toolResult}]}`, one or a
//! list, a request `{system, messages, toolConfig}`, or a response `{output: {message}}`.

use crate::kit::conversation::Conversation;
use crate::kit::dialects::anthropic::ran_out_of_room;
use crate::kit::dialects::bedrock::read_message;
use crate::kit::envelope::{Envelope, ReadFields};
use crate::kit::fields::Fields;
use crate::kit::marks::marks;
use crate::kit::signs::{Sign, items, likeness_by, plain_or_open};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Bedrock,
    marks: &marks([
        "output",
        "toolConfig",
        "inferenceConfig",
        "text",
        "toolUse",
        "toolResult",
        "reasoningContent",
        "citationsContent",
    ]),
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    let output = value.get("output").filter(|it| it.members().is_some());
    let message = output.and_then(|output| output.get("message"));
    let is_message = message.is_some_and(|it| it.get("content").is_some());
    match output {
        Some(_) if is_message => Likeness::Full,
        Some(_) if value.get("stopReason").is_some() => Likeness::Partial("`output.message`"),
        _ if value.get("messages").is_some() && has_own_member(value) => Likeness::Full,
        _ => likeness_by(value, "messages", sign),
    }
}

/// Whether a request has a member that only this API has.
fn has_own_member(request: Json<'_>) -> bool {
    let is_object = |key| request.get(key).is_some_and(|it| it.members().is_some());
    ["toolConfig", "inferenceConfig"].into_iter().any(is_object)
}

fn sign(message: Json<'_>) -> Sign {
    let is_own = |block: &Json<'_>| {
        let members = block.members().unwrap_or_default();
        block.get("type").is_none()
            && members.iter().any(|(key, _)| {
                matches!(
                    *key,
                    "text" | "toolUse" | "toolResult" | "reasoningContent" | "citationsContent"
                )
            })
    };
    if !items(message, "content").iter().any(is_own) {
        return plain_or_open(message);
    }
    match message.get("role").and_then(Json::as_str) {
        Some("user" | "assistant" | "system") => Sign::Decisive,
        _ => Sign::Broken("the roles user and assistant"),
    }
}

const ENVELOPE: Envelope = Envelope {
    what: "a list of messages, {messages} or {output}",
    is_message: |it| it.get("role").is_some(),
    ids: &[],
    tools: &[&["toolConfig", "tools"]],
    reads: |_, key, _| matches!(key, "system" | "messages" | "output"),
};

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let read_whole: ReadFields<'a> =
        |message, conversation, import| read_message(message, false, conversation, import);
    ENVELOPE.read(value, import, read_messages, read_whole, read_exchange)
}

/// A request, a response, or both in one object.
fn read_exchange<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let system = items(fields.value(), "system").iter();
    let system: Vec<_> = system
        .filter_map(|block| block.get("text")?.as_str())
        .collect();
    if !system.is_empty() {
        let text = import.join_text(system.into_iter());
        conversation.turn(Role::System, text, Vec::new());
    }
    let output = fields.get("output");
    if output.is_none() || fields.get("messages").is_some() {
        let messages = fields.items("messages", "a list of messages")?;
        let path = fields.path().key("messages");
        read_messages(messages, &path, conversation, import)?;
    }
    let Some(output) = output else { return Ok(()) };
    let path = fields.path().key("output").key("message");
    let message = output.get("message").unwrap_or_default();
    let message = Fields::of(message, path, "a message: {role, content}")?;
    read_message(
        &message,
        ran_out_of_room(fields.text("stopReason")),
        conversation,
        import,
    )
}

fn read_messages<'a>(
    messages: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    for (at, message) in messages.iter().enumerate() {
        let fields = Fields::of(*message, path.index(at), "a message: {role, content}")?;
        read_message(&fields, false, conversation, import)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn a_request_is_read_with_its_parallel_calls_and_errors() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("bedrock/request.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::System, "You run the kiln.".to_owned(), 0),
                (Role::User, "Heat both kilns.".to_owned(), 0),
                (Role::Agent, "Both at once.".to_owned(), 3),
                (Role::User, "And?".to_owned(), 0),
                (Role::Agent, "Kiln 1 is at 900 °C.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"t1","name":"heat","arguments":{"kiln":1},"result":{"celsius":900}}"#,
                r#"{"id":"t2","name":"heat","arguments":{"kiln":2},"error":"the door is open"}"#,
                r#"{"id":"t3","name":"log","arguments":{},"result":[{"json":{"n":1}},{"text":"done"}]}"#,
            ]
        );
        assert!(trajectory.tools.is_some());
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn a_response_that_was_cut_off_has_an_incomplete_call() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("bedrock/response.json"));
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"t1","name":"heat","arguments":{},"incomplete":true}"#]
        );
        assert_eq!(
            read.warnings[0].path,
            "output.message.content[1].toolUse.input"
        );
    }

    #[test]
    fn the_error_names_the_part_with_another_shape() {
        let path = |text: &str| failure(text).report().path;
        let after =
            |message: &str| format!(r#"[{{"role":"user","content":[{{"text":"hi"}}]}},{message}]"#);
        let cases = [
            (r#"{"role":"wizard"}"#, "[1].role"),
            (r#"{"role":"user","content":7}"#, "[1].content"),
            (r#"{"role":"user","content":[7]}"#, "[1].content[0]"),
            (
                r#"{"role":"user","content":[{"toolUse":7}]}"#,
                "[1].content[0].toolUse",
            ),
            (
                r#"{"role":"user","content":[{"toolResult":{"content":"x"}}]}"#,
                "[1].content[0].toolResult.content",
            ),
        ];
        for (message, place) in cases {
            assert_eq!(path(&after(message)).as_deref(), Some(place), "{message}");
        }
        let error = failure(r#"{"stopReason":"tool_use","output":{}}"#);
        assert!(
            error
                .to_string()
                .contains("bedrock, but it lacks `output.message`"),
            "{error}"
        );
    }
}
