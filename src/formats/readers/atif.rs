//! The Agent Trajectory Interchange Format, versions 1.0 to 1.8: `{schema_version: "ATIF-v1.x", agent,
//! steps: [{source, message, tool_calls, observation: {results}}]}`.

use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::fields::Fields;
use crate::kit::message::{About, Message};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Atif,
    marks: &[],
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    let version = value.get("schema_version").and_then(Json::as_str);
    let steps = value.get("steps");
    match (version.is_some_and(|it| it.starts_with("ATIF")), steps) {
        (true, Some(Json::Array(_))) => Likeness::Full,
        (true, _) => Likeness::Partial("a list of `steps`"),
        (false, Some(Json::Array([first, ..]))) if first.get("source").is_some() => {
            Likeness::Partial("\"ATIF-v1.x\" as its `schema_version`")
        }
        _ => Likeness::None,
    }
}

/// The trajectory, followed by those of its subagents.
fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let mut trajectories = Vec::new();
    let mut waiting = vec![(value, Path::root())];
    while let Some((value, path)) = waiting.pop() {
        let fields = Fields::of(value, path, "a trajectory: {schema_version, steps}")?;
        trajectories.push(read_trajectory(&fields, import)?);
        let path = fields.path().key(SUBAGENTS);
        let inner = fields.optional_items(SUBAGENTS, "a list of trajectories")?;
        let inner = inner.iter().enumerate().rev();
        waiting.extend(inner.map(|(at, inner)| (*inner, path.index(at))));
    }
    Ok(trajectories)
}

const SUBAGENTS: &str = "subagent_trajectories";

fn read_trajectory<'a>(fields: &Fields<'a>, import: &mut Import<'a>) -> Result<Trajectory<'a>> {
    let path = fields.path().key("steps");
    let mut conversation = Conversation::default();
    let steps = fields.items("steps", "a list of steps")?;
    for step in Fields::each(steps, &path, "a step: {source, message}") {
        read_step(&step?, &mut conversation, import)?;
    }
    let agent = fields.get("agent").unwrap_or_default();
    let id = fields.text("trajectory_id").or(fields.text("session_id"));
    Ok(Trajectory {
        trajectory_id: id,
        turns: conversation.into_turns(),
        tools: agent.get("tool_definitions").filter(|it| !it.is_null()),
        expected_calls: None,
        extra: fields.rest(import.arena(), |key, value| match key {
            "steps" | "trajectory_id" | SUBAGENTS => true,
            "session_id" => value.as_str() == id,
            _ => false,
        }),
    })
}

/// The members of a step that are read. Its turn keeps all others.
const OF_STEPS: [&str; 5] = ["source", "message", "tool_calls", "turn_id", "role"];

fn read_step<'a>(
    step: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let role = match step.text("source") {
        Some("system") => Role::System,
        Some("user") => Role::User,
        Some("agent") => Role::Agent,
        _ => return Err(step.mismatch("source", "system, user or agent")),
    };
    let path = step.path().key("tool_calls");
    let mut calls = Vec::new();
    for (at, call) in step
        .optional_items("tool_calls", "a list of tool calls")?
        .iter()
        .enumerate()
    {
        let what = "a tool call: {tool_call_id, function_name, arguments}";
        calls.push(read_call(&Fields::of(*call, path.index(at), what)?, import));
    }
    let has_calls = !calls.is_empty();
    let about = About::of(step, &OF_STEPS, import);
    let is_result = |key: &str| has_calls && key == "observation";
    let rest: Vec<_> = about
        .extra
        .iter()
        .filter(|(key, _)| !is_result(key))
        .copied()
        .collect();
    let about = About {
        extra: import.arena().alloc_slice_copy(&rest),
        ..about
    };
    let mut message = Message::new(role, about, conversation);
    read_text(step.get("message").unwrap_or_default(), &mut message);
    message.calls(calls);
    message.finish(import);
    match step.get("observation") {
        Some(observation @ Json::Object(_)) if has_calls => {
            let path = step.path().key("observation");
            let observation = Fields::of(observation, path, "an observation: {results}")?;
            read_results(&observation, conversation, import)
        }
        _ => Ok(()),
    }
}

/// Reads the message of a step: a text, or parts. The turn keeps parts that are not text.
fn read_text<'a>(said: Json<'a>, message: &mut Message<'_, 'a>) {
    if let Some(text) = said.as_str() {
        message.text(text);
    }
    for part in said.items().unwrap_or_default() {
        match part.get("text").and_then(Json::as_str) {
            Some(text) => message.text(text),
            None => message.other(*part),
        }
    }
}

fn read_call<'a>(fields: &Fields<'a>, import: &mut Import<'a>) -> ToolCall<'a> {
    let mut call = ToolCall {
        id: fields.text("tool_call_id"),
        name: fields.text("function_name"),
        ..ToolCall::default()
    };
    // `exportTrajectory` writes arguments that are not an object to `extra.raw_arguments`.
    let raw = fields
        .get("extra")
        .and_then(|extra| extra.get("raw_arguments"));
    let place = || fields.path().key("arguments");
    import.arguments(&mut call, raw.or(fields.get("arguments")), &place);
    let is_raw = |value: Json<'_>| raw.is_some() && value.members().is_some_and(|it| it.len() == 1);
    let rest = fields.rest(import.arena(), |key, value| match key {
        "tool_call_id" | "function_name" | "arguments" => true,
        "extra" => is_raw(value),
        _ => false,
    });
    import.keep(&mut call, rest);
    call
}

fn read_results<'a>(
    observation: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let path = observation.path().key("results");
    for (at, result) in observation
        .optional_items("results", "a list of results")?
        .iter()
        .enumerate()
    {
        let fields = Fields::of(
            *result,
            path.index(at),
            "a result: {source_call_id, content}",
        )?;
        let is_error = |value: Json<'_>| matches!(value.get("is_error"), Some(Json::Bool(true)));
        let failed = is_error(*result) || fields.get("extra").is_some_and(is_error);
        let content = import.content(fields.get("content").unwrap_or_default());
        let result = CallResult {
            id: fields.text("source_call_id"),
            name: None,
            outcome: Outcome::of(content, failed),
        };
        let rest = fields.rest(import.arena(), |key, _| {
            matches!(key, "source_call_id" | "content" | "is_error")
        });
        if let Some(call) = conversation.result(&result, fields.path(), import) {
            import.keep(call, rest);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn steps_become_turns_and_observations_results() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("atif/basic.json"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("run-7"));
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::System, "Keep the shelf in order.".to_owned(), 0),
                (Role::User, "How many blue mugs are left?".to_owned(), 0),
                (Role::Agent, "I look at both shelves.".to_owned(), 3),
                (Role::Agent, "Seven blue mugs are left.".to_owned(), 0),
            ]
        );
        assert_eq!(trajectory.turns[2].timestamp, Some("2026-03-01T10:00:02Z"));
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"c1","name":"count_items","arguments":{"shelf":"A"},"result":{"blue_mug":7}}"#,
                r#"{"id":"c2","name":"count_items","arguments":{"shelf":"B"},"error":"no such shelf","extra":{"is_error":true}}"#,
                r#"{"id":"c3","name":"note","arguments":{}}"#,
            ]
        );
        assert!(trajectory.tools.is_some());
        let kept: Vec<_> = trajectory.extra.iter().map(|(key, _)| *key).collect();
        assert_eq!(kept, ["schema_version", "agent", "final_metrics"]);
        assert_eq!(read.warnings.len(), 1, "{:?}", read.warnings);
        assert_eq!(read.warnings[0].path, "steps[2].observation.results[2]");
    }

    #[test]
    fn subagents_are_trajectories_of_their_own() {
        let arena = Bump::new();
        let agent = |id: &str, inner: &str| {
            format!(
                r#"{{"schema_version":"ATIF-v1.7","trajectory_id":"{id}","agent":{{}},"steps":[],"subagent_trajectories":[{inner}]}}"#
            )
        };
        let inner = [agent("b", &agent("c", "")), agent("d", "")].join(",");
        let read = imported(&arena, &agent("a", &inner));
        let ids: Vec<_> = read
            .value
            .iter()
            .filter_map(|it| it.trajectory_id)
            .collect();
        assert_eq!(ids, ["a", "b", "c", "d"]);
        let error = failure(&agent("a", r#"{"steps":[{"source":"cat"}]}"#));
        assert_eq!(
            error.report().path.as_deref(),
            Some("subagent_trajectories[0].steps[0].source")
        );
    }

    #[test]
    fn the_error_names_the_missing_part() {
        let reason = failure(r#"{"schema_version":"ATIF-v1.4"}"#).to_string();
        assert!(
            reason.contains("atif, but it lacks a list of `steps`"),
            "{reason}"
        );
        let reason = failure(r#"{"steps":[{"source":"agent","message":""}]}"#).to_string();
        assert!(
            reason.contains("atif, but it lacks \"ATIF-v1.x\""),
            "{reason}"
        );
        let error = failure(r#"{"schema_version":"ATIF-v1.4","steps":[{"source":"cat"}]}"#);
        assert_eq!(error.report().path.as_deref(), Some("steps[0].source"));
    }
}
