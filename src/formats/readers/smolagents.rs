//! Memory of smolagents: a list of steps, or `steps` of a result. `{task}` is what the user asks; `{step_number,
//! model_output, tool_calls, observations, error}` is an answer with its calls and their results.

use crate::kit::conversation::{Conversation, Outcome};
use crate::kit::dialects::openai_chat::read_call;
use crate::kit::envelope::{Envelope, Held};
use crate::kit::fields::Fields;
use crate::kit::marks::marks;
use crate::kit::message::{About, Message};
use crate::kit::signs::{Sign, items, likeness_by};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Smolagents,
    marks: &marks(["observations", "task_images"]),
    likeness,
    read,
};

const STEPS: &str = "steps";

/// What the model was given in a step: all that was said before.
const GIVEN: &str = "model_input_messages";

/// The tool that runs the code of an agent that writes code.
const CODE_TOOL: &str = "python_interpreter";

fn likeness(value: Json<'_>) -> Likeness {
    likeness_by(value, STEPS, sign)
}

fn sign(step: Json<'_>) -> Sign {
    let has = |key| step.get(key).is_some();
    let is_action = has("step_number") || has("step");
    match is_action && has("observations") && (has("model_output") || has("tool_calls")) {
        true => Sign::Decisive,
        false if has("task") && has("task_images") => Sign::Decisive,
        false => Sign::Open,
    }
}

const ENVELOPE: Envelope = Envelope {
    what: "a list of steps, or {steps}",
    is_message: |it| it.get(STEPS).is_none(),
    ids: &["id"],
    tools: &[&["tools"]],
    reads: |_, key, _| key == STEPS,
};

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let trajectory = ENVELOPE.open(value, import, &mut |held, conversation, import| {
        let (steps, path) = match held {
            Held::List(steps) => (steps, Path::root()),
            Held::Message(_) => (import.slice(value), Path::root()),
            Held::Object(fields) => (
                fields.items(STEPS, "a list of steps")?,
                Path::root().key(STEPS),
            ),
        };
        if let Some(text) = steps.iter().find_map(|step| instruction_in(*step, import)) {
            conversation.turn(Role::System, text, Vec::new());
        }
        for step in Fields::each(
            steps,
            &path,
            "a step: {task}, or {step_number, observations}",
        ) {
            read_step(&step?, conversation, import)?;
        }
        Ok(())
    })?;
    Ok(vec![trajectory])
}

/// The instruction in a step of its own, or in what the model was given.
fn instruction_in<'a>(step: Json<'a>, import: &Import<'a>) -> Option<&'a str> {
    if let Some(text) = step.get("system_prompt") {
        return text.as_str();
    }
    let first = items(step, GIVEN).first()?;
    let role = first.get("role")?.as_str()?;
    (role == "system").then(|| text_of(first.get("content")?, import))?
}

/// A text, or the texts of parts.
fn text_of<'a>(content: Json<'a>, import: &Import<'a>) -> Option<&'a str> {
    match content {
        Json::String(text) => Some(text),
        Json::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
            Some(import.join_text(texts))
        }
        _ => None,
    }
}

fn read_step<'a>(
    step: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    if let Some(task) = step.text("task") {
        conversation.turn(Role::User, task, Vec::new());
        return Ok(());
    }
    if step.get("system_prompt").is_some() {
        return Ok(());
    }
    let mut calls = read_calls(step, import)?;
    answer(step, &mut calls, import);
    let has_calls = !calls.is_empty();
    let timing = step.get("timing").unwrap_or_default();
    let about = About::present(step, &OF_STEPS, import);
    let kept = about
        .extra
        .iter()
        .copied()
        .filter(|(key, value)| match *key {
            "error" | "observations" => !has_calls,
            "is_final_answer" => *value != Json::Bool(false),
            _ => true,
        });
    let ended = timing.get("end_time").filter(|time| !time.is_null());
    let ended = ended.map(|time| ("ended_at", Json::String(import.label(time))));
    let kept: Vec<_> = kept.chain(ended).collect();
    let about = About {
        timestamp: timing.get("start_time").map(|time| import.label(time)),
        extra: import.arena().alloc_slice_copy(&kept),
    };
    let mut message = Message::new(Role::Agent, about, conversation);
    let output = step.get("model_output_message").unwrap_or_default();
    let mut said = [
        step.get("model_output"),
        output.get("content"),
        step.get("output"),
    ]
    .into_iter()
    .filter_map(|said| text_of(said?, import));
    if let Some(text) = said.next() {
        message.text(text);
    }
    message.calls(calls);
    message.finish(import);
    Ok(())
}

/// The members of a step that are read, and those that repeat what was said.
const OF_STEPS: [&str; 9] = [
    GIVEN,
    "model_output_message",
    "model_output",
    "tool_calls",
    "code_action",
    "timing",
    "output",
    "role",
    "content",
];

/// The calls of a step. If a tool failed, only the answer of the model holds them.
fn read_calls<'a>(step: &Fields<'a>, import: &mut Import<'a>) -> Result<Vec<ToolCall<'a>>> {
    let made = step.optional_items("tool_calls", "a list of tool calls")?;
    let output = step.get("model_output_message").unwrap_or_default();
    let (listed, path) = match made {
        [] => (
            items(output, "tool_calls"),
            step.path().key("model_output_message"),
        ),
        made => (made, step.path().clone()),
    };
    let mut calls = Vec::with_capacity(listed.len());
    for (at, call) in listed.iter().enumerate() {
        let place = || path.key("tool_calls").index(at);
        let function = call.get("function").unwrap_or(*call);
        let code = function.get("arguments").filter(|it| it.as_str().is_some());
        let is_code = function.get("name").and_then(Json::as_str) == Some(CODE_TOOL);
        calls.push(match code.filter(|_| is_code) {
            Some(code) => ToolCall {
                id: call.get("id").and_then(Json::as_str),
                name: Some(CODE_TOOL),
                arguments: Some(Json::Object(
                    import.arena().alloc_slice_copy(&[("code", code)]),
                )),
                ..ToolCall::default()
            },
            None => import.within(&place, |import| read_call(*call, false, import))?,
        });
    }
    Ok(calls)
}

/// Gives each call its result: its line of the observations. If the lines are not one for each, all of them have all.
fn answer<'a>(step: &Fields<'a>, calls: &mut [ToolCall<'a>], import: &mut Import<'a>) {
    let seen = step.text("observations");
    if let Some(error) = step.get("error").filter(|error| !error.is_null()) {
        for call in calls.iter_mut() {
            call.result = seen.map(Json::String);
            Outcome::Error(error).put_to(call);
        }
        return;
    }
    let Some(seen) = seen else { return };
    let lines: Vec<_> = seen.trim_end().lines().collect();
    let is_one_each = lines.len() == calls.len();
    if calls.len() > 1 && !is_one_each {
        let what = "the results of several calls are one text here: each call has all of it";
        import.warn(&step.path().key("observations"), what);
    }
    let is_only = calls.len() == 1;
    for (at, call) in calls.iter_mut().enumerate() {
        let text = if is_one_each && !is_only {
            lines[at]
        } else {
            seen
        };
        call.result = Some(import.nested(Json::String(text)));
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn steps_hold_calls_and_their_observations() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("smolagents/memory.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::System, "You keep bees.".to_owned(), 0),
                (
                    Role::User,
                    "How much honey do hives 1 and 2 have?".to_owned(),
                    0
                ),
                (Role::Agent, String::new(), 0),
                (Role::Agent, "I weigh both.".to_owned(), 2),
                (Role::Agent, String::new(), 1),
                (Role::Agent, String::new(), 2),
                (Role::Agent, String::new(), 1),
            ]
        );
        let heads = [
            r#"{"id":"1","name":"weigh","arguments":{"hive":1},"result":"12 kg"}"#,
            r#"{"id":"2","name":"weigh","arguments":{"hive":2},"result":{"kg":9}}"#,
            r#"{"id":"3","name":"weigh","arguments":{"hive":3},"error":{"type":"AgentToolExecutionError","message":"no hive 3"}}"#,
            r#"{"id":"5","name":"notes","arguments":{},"result":"a\nb\nc"}"#,
            r#"{"id":"6","name":"notes","arguments":{"old":true},"result":"a\nb\nc"}"#,
            r#"{"id":"4","name":"final_answer","arguments":{"answer":"21 kg"},"result":"21 kg"}"#,
        ];
        assert_eq!(calls_of(trajectory), heads);
        let warned: Vec<_> = read.warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(warned, ["[4].observations"]);
    }

    #[test]
    fn a_step_keeps_when_it_began_and_ended() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("smolagents/code-agent.json"));
        let turn = read.value[0].agent_turns().next().expect("a turn").1;
        let ended = Json::Object(turn.extra).get("ended_at");
        assert_eq!(turn.timestamp, Some("1790000001.5"));
        assert_eq!(ended, Some(Json::String("1790000002.5")));
    }

    #[test]
    fn the_code_of_an_agent_that_writes_code_is_a_call() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("smolagents/code-agent.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"call_1","name":"python_interpreter","arguments":{"code":"print(weigh(hive=1))"},"result":"Execution logs:\n12 kg\nLast output from code snippet:\nNone"}"#
            ]
        );
        assert_eq!(trajectory.turns[2].content, "Neither code nor an answer.");
        assert!(
            trajectory.turns[2]
                .extra
                .iter()
                .any(|(key, _)| *key == "error")
        );
    }

    #[test]
    fn the_error_names_the_step_with_another_shape() {
        let path = |text: &str| failure(text).report().path.unwrap_or_default().to_string();
        let first = r#"{"task":"a","task_images":null}"#;
        assert_eq!(path(&format!("[{first},7]")), "[1]");
        assert_eq!(
            path(&format!(
                r#"[{first},{{"step_number":1,"tool_calls":[7]}}]"#
            )),
            "[1].tool_calls[0]"
        );
    }
}
