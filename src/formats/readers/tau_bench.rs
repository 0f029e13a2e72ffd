//! tau-bench rollouts: `[{task_id, reward, info: {task: {actions}}, traj: <OpenAI messages>}]`. The
//! actions are the expected calls.

use crate::kit::dialects::openai_chat::read_messages;
use crate::kit::fields::Fields;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat, one_or_each};
use toolgauge_model::error::Result;
use toolgauge_model::{ExpectedCall, Json, Path, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::TauBench,
    marks: &[],
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    let rollout = match value {
        Json::Array(items) => items.first().copied().unwrap_or_default(),
        other => other,
    };
    match (rollout.get("traj"), rollout.get("task_id")) {
        (Some(Json::Array(_)), _) => Likeness::Full,
        (Some(_), _) => Likeness::Partial("a list of messages as `traj`"),
        (None, Some(_)) => Likeness::Partial("`traj`, the messages"),
        (None, None) => Likeness::None,
    }
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    one_or_each(value, import, read_rollout)
}

fn read_rollout<'a>(rollout: Json<'a>, import: &mut Import<'a>) -> Result<Trajectory<'a>> {
    let what = "a rollout: {task_id, info, traj}";
    let fields = Fields::of(rollout, Path::root(), what)?;
    let messages = fields.items("traj", "a list of messages")?;
    Ok(Trajectory {
        trajectory_id: fields.get("task_id").map(|id| import.label(id)),
        turns: import.within(&|| Path::root().key("traj"), |import| {
            read_messages(messages, &Path::root(), import)
        })?,
        tools: None,
        expected_calls: match fields.get("info").and_then(|info| info.get("task")) {
            Some(task) => Some(
                import.within(&|| Path::root().key("info").key("task"), |import| {
                    read_actions(task, import)
                })?,
            ),
            None => None,
        },
        extra: fields.rest(import.arena(), |key, _| matches!(key, "task_id" | "traj")),
    })
}

fn read_actions<'a>(task: Json<'a>, import: &mut Import<'a>) -> Result<Vec<ExpectedCall<'a>>> {
    let task = Fields::of(task, Path::root(), "the task: {actions}")?;
    let actions = task.optional_items("actions", "a list of actions")?.iter();
    let read = |(at, action): (usize, &Json<'a>)| {
        let place = || Path::root().key("actions").index(at);
        import.within(&place, |_| read_action(*action))
    };
    actions.enumerate().map(read).collect()
}

fn read_action(action: Json<'_>) -> Result<ExpectedCall<'_>> {
    let fields = Fields::of(action, Path::root(), "an action: {name, kwargs}")?;
    match (fields.text("name"), fields.get("kwargs")) {
        (Some(tool), args) => Ok(ExpectedCall::new(tool, args)),
        (None, _) => Err(fields.mismatch("name", "the name of a tool")),
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, imported};

    #[test]
    fn the_actions_of_the_task_are_the_expected_calls() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[
            {"task_id":7,"reward":0.5,"info":{"task":{"actions":[{"name":"f","kwargs":{"n":1}},{"name":"g"},{"name":"h","kwargs":null}]}},
             "traj":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"n\":1}"}}]}]},
            {"traj":[]}
        ]"#,
        );
        assert_eq!(read.format, TrajectoryFormat::TauBench);
        let first = &read.value[0];
        assert_eq!(first.trajectory_id, Some("7"));
        assert_eq!(
            calls_of(first),
            [r#"{"id":"a","name":"f","arguments":{"n":1}}"#]
        );
        let expected = first.expected_calls.as_ref().expect("expected calls");
        assert_eq!(
            serde_json::to_string(expected).expect("JSON"),
            r#"[{"tool":"f","args":{"n":1}},{"tool":"g","args":{}},{"tool":"h","args":{}}]"#
        );
        assert_eq!(
            first.extra.iter().map(|(key, _)| *key).collect::<Vec<_>>(),
            ["reward", "info"]
        );
        assert_eq!(read.value[1].expected_calls, None);
    }

    #[test]
    fn paths_start_at_the_whole_document() {
        let error = failure(r#"[{"traj":[]},{"traj":[{"role":"wizard"}]}]"#);
        assert_eq!(error.report().path.as_deref(), Some("[1].traj[0].role"));
        let error = failure(r#"{"traj":[],"info":{"task":{"actions":[{"kwargs":{}}]}}}"#);
        assert_eq!(
            error.report().path.as_deref(),
            Some("info.task.actions[0].name")
        );
    }
}
