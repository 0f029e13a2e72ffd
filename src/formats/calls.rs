//! Lists of calls as scores compare them: `[{tool, args}]`, or the calls of trajectories.

use super::fields::Fields;
use crate::error::Result;
use crate::model::{ExpectedCall, Json, Path, Trajectory};

/// Members that an item of a list of calls does not have, but turns, messages and rollouts do.
const OF_TRAJECTORIES: [&str; 6] = ["role", "turn_id", "turns", "messages", "traj", "task_id"];

/// Whether `value` is a list of calls rather than a trajectory.
pub fn is_call_list(value: Json<'_>) -> bool {
    let is_call = |item: &Json<'_>| OF_TRAJECTORIES.iter().all(|key| item.get(key).is_none());
    value
        .items()
        .is_some_and(|items| items.first().is_none_or(is_call))
}

/// The calls of a list that stands at `path`. Each is `{tool, args}`; `name` or `toolName`, and
/// `arguments` or `input` are taken as well. Absent arguments are the empty object.
pub fn read_list<'a>(calls: &[Json<'a>], path: &Path) -> Result<Vec<ExpectedCall<'a>>> {
    calls
        .iter()
        .enumerate()
        .map(|(at, call)| read_call(*call, path.index(at)))
        .collect()
}

fn read_call<'a>(call: Json<'a>, path: Path) -> Result<ExpectedCall<'a>> {
    let fields = Fields::of(call, path, "a call: {tool, args}")?;
    let Some(tool) = name_of(call) else {
        return Err(fields.mismatch("tool", "the name of a tool"));
    };
    let args = ["args", "arguments", "input"]
        .into_iter()
        .find_map(|key| fields.get(key))
        .unwrap_or(Json::Object(&[]));
    Ok(ExpectedCall { tool, args })
}

fn name_of(call: Json<'_>) -> Option<&str> {
    let mut names = ["tool", "name", "toolName"].into_iter();
    names.find_map(|key| call.get(key))?.as_str()
}

/// The calls that the agent made in `trajectory`, in order. A call without a name has the name "".
pub fn made_in<'a>(trajectory: &Trajectory<'a>) -> Vec<ExpectedCall<'a>> {
    trajectory
        .calls()
        .map(|call| ExpectedCall {
            tool: call.name.unwrap_or_default(),
            args: call
                .arguments
                .or(call.raw_arguments.map(Json::String))
                .unwrap_or(Json::Object(&[])),
        })
        .collect()
}
