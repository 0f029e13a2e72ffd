//! SWE-agent trajectories: `{trajectory: [{action, observation, response, thought}], history, info}`.
//! The history contains messages similar to those of OpenAI. If the model called no functions, the
//! actions of the steps are shell commands.

use crate::kit::conversation::Conversation;
use crate::kit::dialects::openai_chat;
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::signs::first_of;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory, Turn};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::SweAgent,
    marks: &[],
    likeness,
    read,
};

/// The tool for actions that are not calls of functions.
const SHELL: &str = "bash";

fn likeness(value: Json<'_>) -> Likeness {
    let Some(Json::Array(steps)) = value.get("trajectory") else {
        return Likeness::None;
    };
    let has_action = |step: &Json<'_>| step.get("action").is_some();
    let is_command = |step: &Json<'_>| matches!(step.get("action"), Some(Json::String(_)));
    match (steps.first(), value.get("history")) {
        (None, None) => Likeness::None,
        (Some(step), _) if !has_action(step) => Likeness::None,
        // Other projects call any list of steps a trajectory.
        (Some(_), _) if !first_of(steps).iter().any(is_command) => {
            Likeness::Partial("texts as the `action` of its steps")
        }
        (_, Some(Json::Array(_))) => Likeness::Full,
        (Some(step), None) if is_explained(*step) => Likeness::Full,
        _ => Likeness::Partial("the `history` of messages"),
    }
}

/// Whether a step has what the model said beside what came of its action.
fn is_explained(step: Json<'_>) -> bool {
    let said = ["thought", "response"];
    step.get("observation").is_some() && said.iter().any(|key| step.get(key).is_some())
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let fields = Fields::of(value, Path::root(), "a trajectory: {trajectory, history}")?;
    let history = fields.optional_items("history", "a list of messages")?;
    let calls_functions = history
        .iter()
        .any(|message| message.get("tool_calls").is_some());
    let mut conversation = Conversation::default();
    read_history(history, calls_functions, &mut conversation, import)?;
    if !calls_functions {
        let path = fields.path().key("trajectory");
        let steps = fields.items("trajectory", "a list of steps")?;
        for step in Fields::each(steps, &path, "a step: {action, observation}") {
            let step = step?;
            conversation.push(read_step(&step, import));
        }
    }
    let id = fields.text("instance_id");
    Ok(vec![Trajectory {
        trajectory_id: id,
        turns: conversation.into_turns(),
        extra: fields.rest(import.arena(), |key, value| match key {
            "history" => true,
            "trajectory" => !calls_functions,
            "instance_id" => value.as_str().is_some(),
            _ => false,
        }),
        ..Trajectory::default()
    }])
}

/// Adds the messages of the history, except demonstrations. If the model called no functions, this
/// stops at its first answer, because the steps contain the rest.
fn read_history<'a>(
    history: &'a [Json<'a>],
    whole: bool,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let path = Path::root().key("history");
    let mut shown = 0;
    for fields in Fields::each(history, &path, "a message: {role, content}") {
        let fields = fields?;
        let is_answer = fields.text("role") == Some("assistant");
        match fields.get("is_demo") {
            Some(Json::Bool(true)) => shown += 1,
            _ if is_answer && !whole => break,
            _ => openai_chat::read_message(&fields, conversation, import)?,
        }
    }
    if shown > 0 {
        let message = format!("{shown} messages of a demonstration are left out");
        import.warn(&path, message);
    }
    Ok(())
}

/// The members of a step that are read, or that a turn has of its own.
const OF_STEPS: [&str; 7] = [
    "thought",
    "response",
    "role",
    "content",
    "turn_id",
    "timestamp",
    "tool_calls",
];

fn read_step<'a>(step: &Fields<'a>, import: &mut Import<'a>) -> Turn<'a> {
    let said = step.text("thought").or(step.text("response"));
    let action = step
        .text("action")
        .filter(|action| !action.trim().is_empty());
    let is_odd = !matches!(
        step.get("action"),
        None | Some(Json::Null | Json::String(_))
    );
    if is_odd {
        let what = "this action is no text, so it is not read as a command";
        import.warn(&step.path().key("action"), what);
    }
    let call = action.map(|action| ToolCall {
        name: Some(SHELL),
        arguments: Some(Json::Object(
            import
                .arena()
                .alloc_slice_copy(&[("command", Json::String(action))]),
        )),
        result: step.get("observation").filter(|it| !it.is_null()),
        ..ToolCall::default()
    });
    Turn {
        turn_id: 0,
        role: Role::Agent,
        content: said.unwrap_or_default().trim(),
        timestamp: None,
        tool_calls: call.into_iter().collect(),
        extra: step.rest(import.arena(), |key, _| match key {
            "action" | "observation" => !is_odd,
            _ => is_one_of(key, &OF_STEPS),
        }),
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn calls_of_functions_are_read_from_the_history() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("swe-agent/basic.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"call_a","name":"open","arguments":{"path":"lib.py"},"result":"1:def half(n):\n2:    return n","message_type":"observation","agent":"main"}"#,
                r#"{"id":"call_a","name":"edit","arguments":{"search":"return n","replace":"return n / 2"},"result":"Text replaced.","message_type":"observation","agent":"main"}"#,
                r#"{"id":"call_b","name":"submit","arguments":{}}"#,
            ]
        );
        assert_eq!(turns_of(trajectory).len(), 5);
        let paths: Vec<_> = read.warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(paths, ["history"]);
    }

    #[test]
    fn actions_in_words_are_commands() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"history":[{"role":"system","content":"s"},{"role":"user","content":"fix it"},{"role":"assistant","content":"ls"}],
                "trajectory":[{"thought":"I look.\n","response":"I look.\n```ls```","action":"ls\n","observation":"a.py","state":"{}"},
                              {"action":"","observation":"","thought":"Done."}]}"#,
        );
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::System, "s".to_owned(), 0),
                (Role::User, "fix it".to_owned(), 0),
                (Role::Agent, "I look.".to_owned(), 1),
                (Role::Agent, "Done.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [r#"{"name":"bash","arguments":{"command":"ls\n"},"result":"a.py"}"#]
        );
    }

    #[test]
    fn the_error_names_what_half_a_trajectory_lacks() {
        let reason = failure(r#"{"trajectory":[{"action":"ls"}]}"#).to_string();
        assert!(
            reason.contains("swe-agent, but it lacks the `history`"),
            "{reason}"
        );
    }
}
