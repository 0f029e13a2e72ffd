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

/// The calls of a list that stands at `path`, see [`Fields::call`].
pub fn read_list<'a>(calls: &[Json<'a>], path: &Path) -> Result<Vec<ExpectedCall<'a>>> {
    calls
        .iter()
        .enumerate()
        .map(|(at, call)| Fields::of(*call, path.index(at), "a call: {tool, args}")?.call())
        .collect()
}

/// Where a call may have its arguments.
const ARGUMENTS: [&str; 3] = ["args", "arguments", "input"];

impl<'a> Fields<'a> {
    /// The call `{tool, args}` that these are; `name` or `toolName`, and `arguments` or `input` are taken as well.
    /// Absent arguments are the empty object.
    pub fn call(&self) -> Result<ExpectedCall<'a>> {
        let name = ["tool", "name", "toolName"]
            .into_iter()
            .find_map(|key| self.get(key));
        let Some(tool) = name.and_then(Json::as_str) else {
            return Err(self.mismatch("tool", "the name of a tool"));
        };
        let args = ARGUMENTS.into_iter().find_map(|key| self.get(key));
        Ok(ExpectedCall {
            tool,
            args: args.unwrap_or(Json::Object(&[])),
        })
    }

    /// Whether the call says anything of its arguments.
    pub fn has_arguments(&self) -> bool {
        ARGUMENTS.into_iter().any(|key| self.get(key).is_some())
    }
}

/// The calls that the agent made in `trajectory`, in order. A call without a name has the name "".
pub fn made_in<'a>(trajectory: &Trajectory<'a>) -> Vec<ExpectedCall<'a>> {
    trajectory
        .calls()
        .map(|call| ExpectedCall {
            tool: call.name.unwrap_or_default(),
            args: call.made_arguments(),
        })
        .collect()
}
