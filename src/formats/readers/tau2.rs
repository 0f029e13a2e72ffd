//! tau2-bench results: `{tasks, simulations: [{task_id, messages}]}`, or one simulation. Messages are
//! those of OpenAI, but a call is `{id, name, arguments, requestor}` and a result has the id of its
//! call. The actions of a task are the expected calls. If an action names the arguments that count, in
//! `compare_args`, expectations say so.

use foldhash::HashMap;

use crate::kit::dialects::openai_chat::read_messages;
use crate::kit::fields::Fields;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{EXPECTATIONS, ExpectedCall, Json, Member, Path, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Tau2,
    marks: &[],
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    let is_list = |key| value.get(key).is_some_and(|it| it.items().is_some());
    if value.get("simulations").is_some() {
        return match is_list("simulations") {
            true => Likeness::Full,
            false => Likeness::Partial("a list of `simulations`"),
        };
    }
    let is_run = value.get("task_id").is_some() && value.get("termination_reason").is_some();
    match (is_run, is_list("messages")) {
        (true, true) => Likeness::Full,
        (true, false) => Likeness::Partial("the `messages` of the simulation"),
        (false, _) => Likeness::None,
    }
}

/// The tasks of the results, by id.
type Tasks<'a> = HashMap<&'a str, Fields<'a>>;

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let fields = Fields::of(value, Path::root(), "results: {tasks, simulations}")?;
    if fields.get("simulations").is_none() {
        return Ok(vec![read_simulation(
            &fields,
            &Tasks::default(),
            None,
            import,
        )?]);
    }
    let mut tasks = Tasks::default();
    let path = fields.path().key("tasks");
    for task in Fields::each(
        fields.optional_items("tasks", "a list of tasks")?,
        &path,
        "a task: {id, evaluation_criteria}",
    ) {
        let task = task?;
        tasks.insert(import.label(task.get("id").unwrap_or_default()), task);
    }
    let environment = fields
        .get("info")
        .and_then(|info| info.get("environment_info"));
    let tools = environment.and_then(|it| it.get("tool_defs"));
    let path = fields.path().key("simulations");
    let mut trajectories = Vec::new();
    for run in Fields::each(
        fields.items("simulations", "a list of simulations")?,
        &path,
        "a simulation: {task_id, messages}",
    ) {
        let run = run?;
        trajectories.push(read_simulation(&run, &tasks, tools, import)?);
    }
    Ok(trajectories)
}

fn read_simulation<'a>(
    run: &Fields<'a>,
    tasks: &Tasks<'a>,
    tools: Option<Json<'a>>,
    import: &mut Import<'a>,
) -> Result<Trajectory<'a>> {
    let messages = run.items("messages", "a list of messages")?;
    let task = run
        .get("task_id")
        .and_then(|id| tasks.get(import.label(id)));
    let actions = task.map_or(Ok(None), read_actions)?;
    let rest = run.rest(import.arena(), |key, _| matches!(key, "id" | "messages"));
    let expectations = actions
        .as_deref()
        .and_then(|actions| expectations(actions, import));
    let extra: Vec<_> = rest.iter().copied().chain(expectations).collect();
    Ok(Trajectory {
        trajectory_id: run
            .get("id")
            .or(run.get("task_id"))
            .map(|id| import.label(id)),
        turns: read_messages(messages, &run.path().key("messages"), import)?,
        tools: tools.filter(|tools| !tools.is_null()),
        expected_calls: actions.map(|actions| actions.iter().map(|it| it.call).collect()),
        extra: import.arena().alloc_slice_copy(&extra),
    })
}

/// An action that the agent should take.
struct Action<'a> {
    call: ExpectedCall<'a>,
    /// The names of the arguments that are compared; `None` for all of them.
    compared: Option<Vec<&'a str>>,
}

/// The actions as expectations, if some of them do not compare all arguments.
fn expectations<'a>(actions: &[Action<'a>], import: &Import<'a>) -> Option<Member<'a>> {
    actions.iter().find(|action| action.compared.is_some())?;
    let arena = import.arena();
    let calls = actions.iter().map(|Action { call, compared }| {
        let mut members = vec![("tool", Json::String(call.tool)), ("args", call.args)];
        if let Some(names) = compared {
            members.push(("matchers", matchers(names, import)));
        }
        Json::Object(arena.alloc_slice_copy(&members))
    });
    let calls: Vec<_> = calls.collect();
    let calls = ("calls", Json::Array(arena.alloc_slice_copy(&calls)));
    Some((EXPECTATIONS, Json::Object(arena.alloc_slice_copy(&[calls]))))
}

/// Matchers that compare only the arguments of these names.
fn matchers<'a>(names: &[&'a str], import: &Import<'a>) -> Json<'a> {
    let path = |name: &&str| &*import.arena().alloc_str(Path::root().key(name).as_str());
    let compared = names.iter().map(|name| (path(name), Json::String("exact")));
    let members: Vec<_> = [("", Json::String("ignore"))]
        .into_iter()
        .chain(compared)
        .collect();
    match names {
        [] => Json::String("ignore"),
        _ => Json::Object(import.arena().alloc_slice_copy(&members)),
    }
}

/// The actions of a task, except those of the user.
fn read_actions<'a>(task: &Fields<'a>) -> Result<Option<Vec<Action<'a>>>> {
    let Some(criteria @ Json::Object(_)) = task.get("evaluation_criteria") else {
        return Ok(None);
    };
    let path = task.path().key("evaluation_criteria");
    let criteria = Fields::of(criteria, path.clone(), "criteria: {actions}")?;
    let actions = criteria.optional_items("actions", "a list of actions")?;
    let path = path.key("actions");
    let mut calls = Vec::new();
    for action in Fields::each(actions, &path, "an action: {name, arguments}") {
        let action = action?;
        if action.text("requestor") == Some("user") {
            continue;
        }
        let Some(tool) = action.text("name") else {
            return Err(action.mismatch("name", "the name of a tool"));
        };
        calls.push(Action {
            call: ExpectedCall::new(tool, action.get("arguments")),
            compared: read_compared(&action)?,
        });
    }
    Ok(Some(calls))
}

fn read_compared<'a>(action: &Fields<'a>) -> Result<Option<Vec<&'a str>>> {
    const WHAT: &str = "a list of names of arguments";
    match action.get("compare_args") {
        None | Some(Json::Null) => Ok(None),
        Some(Json::Array(names)) => {
            let names: Option<Vec<_>> = names.iter().map(|name| name.as_str()).collect();
            let names = names.ok_or_else(|| action.mismatch("compare_args", WHAT))?;
            Ok(Some(names))
        }
        Some(_) => Err(action.mismatch("compare_args", WHAT)),
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use crate::testing::{calls_of, failure, fixture, imported};
    use toolgauge_model::Role;

    #[test]
    fn simulations_carry_the_actions_of_their_task() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("tau2/basic.json"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("sim-1"));
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"t1","name":"get_line","arguments":{"phone":"555-0101"},"requestor":"assistant","error":"Error: line not found"}"#
                    .replace(r#""requestor":"assistant","error":"Error: line not found""#, r#""error":"Error: line not found","requestor":"assistant","turn_idx":2,"timestamp":"2026-01-05T09:00:02""#),
                r#"{"id":"u1","name":"toggle_roaming","arguments":{},"result":"Roaming is now on.","requestor":"user","turn_idx":4}"#.to_owned(),
            ]
        );
        assert_eq!(trajectory.turns[2].role, Role::User);
        assert_eq!(
            trajectory.call_count(),
            1,
            "the user's call is not the agent's"
        );
        let expected = serde_json::to_string(&trajectory.expected_calls).expect("JSON");
        assert_eq!(
            expected,
            r#"[{"tool":"get_line","args":{"phone":"555-0101"}}]"#
        );
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn arguments_that_are_not_compared_are_ignored() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"tasks":[{"id":1,"evaluation_criteria":{"actions":[
                {"name":"f","arguments":{"a":1},"compare_args":[]},
                {"name":"g","arguments":{"a":1,"b c":2},"compare_args":["b c"]},
                {"name":"h","arguments":{"a":1},"compare_args":null}]}}],
                "simulations":[{"task_id":1,"messages":[]}]}"#,
        );
        let expectations = serde_json::to_string(&read.value[0].expectations()).expect("JSON");
        let calls = [
            r#"{"tool":"f","args":{"a":1},"matchers":"ignore"}"#,
            r#"{"tool":"g","args":{"a":1,"b c":2},"matchers":{"":"ignore","[\"b c\"]":"exact"}}"#,
            r#"{"tool":"h","args":{"a":1}}"#,
        ];
        assert_eq!(
            expectations,
            format!(r#"{{"calls":[{}]}}"#, calls.join(","))
        );
        assert_eq!(read.value[0].expected_calls.as_ref().map(Vec::len), Some(3));
    }

    #[test]
    fn the_error_names_what_half_a_simulation_lacks() {
        let reason = failure(r#"{"simulations":{}}"#).to_string();
        assert!(
            reason.contains("tau2, but it lacks a list of `simulations`"),
            "{reason}"
        );
        let reason = failure(r#"{"task_id":"1","termination_reason":"user_stop"}"#).to_string();
        assert!(
            reason.contains("tau2, but it lacks the `messages`"),
            "{reason}"
        );
        let error = failure(
            r#"{"tasks":[{"id":1,"evaluation_criteria":{"actions":[{}]}}],"simulations":[{"task_id":1,"messages":[]}]}"#,
        );
        assert_eq!(
            error.report().path.as_deref(),
            Some("tasks[0].evaluation_criteria.actions[0].name")
        );
    }
}
