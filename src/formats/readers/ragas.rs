//! Ragas samples of several turns: `{user_input: [{type, content, tool_calls}], reference_tool_calls:
//! [{name, args}]}`, one, a list, or `{samples}`. The reference tool calls are the expected calls.

use crate::kit::calls::read_list;
use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::fields::Fields;
use crate::kit::signs::first_of;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{ExpectedCall, Json, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Ragas,
    marks: &[],
    likeness,
    read,
};

const INPUT: &str = "user_input";
const REFERENCE: &str = "reference_tool_calls";
const SAMPLES: &str = "samples";

fn likeness(value: Json<'_>) -> Likeness {
    let samples = value.get(SAMPLES).and_then(Json::items).unwrap_or_default();
    if first_of(samples).iter().any(is_sample) {
        return Likeness::Full;
    }
    match value.get(INPUT) {
        Some(_) if is_sample(&value) => Likeness::Full,
        // Samples of one turn may stand among others.
        Some(Json::String(_)) => Likeness::Plain,
        Some(_) => Likeness::Partial("a list of messages as `user_input`"),
        None => Likeness::None,
    }
}

fn is_sample(value: &Json<'_>) -> bool {
    let has_input = value.get(INPUT).is_some();
    let messages = value.get(INPUT).and_then(Json::items).unwrap_or_default();
    let is_message =
        |message: &Json<'_>| message.get("content").is_some() && kind_of(*message).is_some();
    messages.first().is_some_and(is_message) || has_input && value.get(REFERENCE).is_some()
}

/// `human`, `ai` or `tool`; a role says the same.
fn kind_of<'a>(message: Json<'a>) -> Option<&'a str> {
    let kind = message.get("type").or_else(|| message.get("role"));
    kind.and_then(Json::as_str)
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let what = "a sample: {user_input, reference_tool_calls}";
    let Some(samples) = value.get(SAMPLES).and_then(Json::items) else {
        return Ok(vec![read_sample(
            &Fields::of(value, Path::root(), what)?,
            import,
        )?]);
    };
    let path = Path::root().key(SAMPLES);
    let samples = Fields::each(samples, &path, what);
    samples
        .map(|sample| read_sample(&sample?, import))
        .collect()
}

fn read_sample<'a>(sample: &Fields<'a>, import: &mut Import<'a>) -> Result<Trajectory<'a>> {
    let mut conversation = Conversation::default();
    let path = sample.path().key(INPUT);
    match import.nested(sample.get(INPUT).unwrap_or_default()) {
        Json::Array(messages) => {
            for message in Fields::each(messages, &path, "a message: {type, content}") {
                read_message(&message?, &mut conversation, import)?;
            }
        }
        Json::String(asked) => conversation.turn(Role::User, asked, Vec::new()),
        _ => return Err(sample.mismatch(INPUT, "a list of messages: {type, content}")),
    }
    if let Some(response) = sample.text("response") {
        conversation.turn(Role::Agent, response, Vec::new());
    }
    Ok(Trajectory {
        trajectory_id: sample.text("id"),
        turns: conversation.into_turns(),
        tools: None,
        expected_calls: read_reference(sample, import)?,
        extra: sample.rest(import.arena(), |key, value| {
            value.is_null() || matches!(key, "id" | INPUT | REFERENCE | "response")
        }),
    })
}

fn read_message<'a>(
    message: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let content = message.text("content").unwrap_or_default();
    match kind_of(message.value()) {
        Some("human" | "user") => conversation.turn(Role::User, content, Vec::new()),
        Some("system") => conversation.turn(Role::System, content, Vec::new()),
        Some("tool") => {
            let said = message.get("content").unwrap_or_default();
            let result = CallResult {
                id: None,
                name: None,
                outcome: Outcome::of(import.content(said), false),
            };
            conversation.result(&result, message.path(), import);
        }
        Some(_) => {
            let calls = read_calls(message, import)?;
            conversation.turn(Role::Agent, content, calls);
        }
        None => return Err(message.mismatch("type", "human, ai or tool")),
    }
    Ok(())
}

fn read_calls<'a>(message: &Fields<'a>, import: &mut Import<'a>) -> Result<Vec<ToolCall<'a>>> {
    let path = message.path().key("tool_calls");
    let calls = message.optional_items("tool_calls", "a list of calls: {name, args}")?;
    let read = |call: Result<Fields<'a>>| {
        let call = call?;
        let made = call.call(import.reader)?;
        Ok(ToolCall {
            name: Some(made.tool),
            arguments: Some(made.args),
            ..ToolCall::default()
        })
    };
    Fields::each(calls, &path, "a call: {name, args}")
        .map(read)
        .collect()
}

fn read_reference<'a>(
    sample: &Fields<'a>,
    import: &Import<'a>,
) -> Result<Option<Vec<ExpectedCall<'a>>>> {
    let path = sample.path().key(REFERENCE);
    match import.nested(sample.get(REFERENCE).unwrap_or_default()) {
        Json::Null => Ok(None),
        Json::Array(calls) => read_list(calls, &path, import.reader).map(Some),
        _ => Err(sample.mismatch(REFERENCE, "a list of calls: {name, args}")),
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, imported, turns_of};

    const SAMPLE: &str = r#"{"user_input":[{"content":"Weather in Oslo?","metadata":null,"type":"human"},
        {"content":"I look.","metadata":null,"type":"ai","tool_calls":[{"name":"weather","args":{"city":"Oslo"}},{"name":"time","args":{}}]},
        {"content":"{\"celsius\":21}","metadata":null,"type":"tool"},{"content":"noon","metadata":null,"type":"tool"},
        {"content":"21 degrees.","metadata":null,"type":"ai","tool_calls":null}],
        "reference":null,"reference_tool_calls":[{"name":"weather","args":{"city":"Oslo"}}],"rubrics":null}"#;

    #[test]
    fn samples_hold_messages_and_reference_calls() {
        for text in [
            SAMPLE.to_owned(),
            format!("[{SAMPLE}]"),
            format!(r#"{{"samples":[{SAMPLE}]}}"#),
        ] {
            let arena = Bump::new();
            let read = imported(&arena, &text);
            assert_eq!(read.format, TrajectoryFormat::Ragas);
            let trajectory = &read.value[0];
            assert_eq!(
                turns_of(trajectory),
                [
                    (Role::User, "Weather in Oslo?".to_owned(), 0),
                    (Role::Agent, "I look.".to_owned(), 2),
                    (Role::Agent, "21 degrees.".to_owned(), 0),
                ]
            );
            assert_eq!(
                calls_of(trajectory),
                [
                    r#"{"name":"weather","arguments":{"city":"Oslo"},"result":{"celsius":21}}"#,
                    r#"{"name":"time","arguments":{},"result":"noon"}"#,
                ]
            );
            let expected = serde_json::to_string(&trajectory.expected_calls).expect("JSON");
            assert_eq!(expected, r#"[{"tool":"weather","args":{"city":"Oslo"}}]"#);
            assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        }
    }

    #[test]
    fn samples_without_reference_expect_nothing() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"user_input":"Hi","response":"Hello","reference":"Hello"},{"user_input":[{"content":"Hi","type":"human"}]}]"#,
        );
        assert_eq!(turns_of(&read.value[0]).len(), 2);
        assert!(read.value.iter().all(|one| one.expected_calls.is_none()));
    }

    #[test]
    fn mistakes_are_reported_with_their_path() {
        let path = |text| failure(text).report().path.unwrap_or_default().to_string();
        assert_eq!(
            path(r#"{"user_input":"Hi","reference_tool_calls":7}"#),
            "reference_tool_calls"
        );
        assert_eq!(
            path(r#"{"user_input":"Hi","reference_tool_calls":[{}]}"#),
            "reference_tool_calls[0].tool"
        );
        assert_eq!(
            path(r#"{"user_input":[{"content":"Hi","type":"human"},{"content":"Hi"}]}"#),
            "user_input[1].type"
        );
    }
}
