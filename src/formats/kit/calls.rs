//! Lists of calls, `[{tool, args}]`, which scores compare, and the calls of trajectories.

use super::fields::Fields;
use super::tool_call::CallShape;
use toolgauge_model::error::Result;
use toolgauge_model::{EXPECTATIONS, ExpectedCall, Json, Member, Path, Reader, Trajectory};

/// Members of turns, messages and rollouts. A call never has them.
const OF_TRAJECTORIES: [&str; 6] = ["role", "turn_id", "turns", "messages", "traj", "task_id"];

/// The members of a call in toolgauge's own shape, and the names that most providers use.
const OF_CALLS: [&str; 7] = [
    "tool",
    "args",
    "name",
    "arguments",
    "matchers",
    "optional",
    "times",
];

/// Whether `value` is a list of calls, `[{tool, args}]`, without any member of a trajectory.
pub fn is_plain_call_list(value: Json<'_>) -> bool {
    let is_call = |item: &Json<'_>| {
        let name = item.get("tool").or_else(|| item.get("name"));
        matches!(name, Some(Json::String(_)))
            && item
                .members()
                .is_some_and(|members| members.iter().all(|(key, _)| OF_CALLS.contains(key)))
    };
    value
        .items()
        .is_some_and(|items| !items.is_empty() && items.iter().all(is_call))
}

/// Whether `value` is a list of calls rather than a trajectory.
pub fn is_call_list(value: Json<'_>) -> bool {
    let is_call = |item: &Json<'_>| OF_TRAJECTORIES.iter().all(|key| item.get(key).is_none());
    value
        .items()
        .is_some_and(|items| items.first().is_none_or(is_call))
}

/// Whether a call says nothing: no name, no arguments, no id. Proxies write the fields that a provider left out
/// as such a call, with empty texts.
pub fn says_nothing(call: Json<'_>) -> bool {
    match call {
        Json::Null => true,
        Json::String(text) => text.trim_ascii().is_empty(),
        Json::Array(items) => items.is_empty(),
        Json::Object(members) => members
            .iter()
            .all(|(key, value)| matches!(*key, "type" | "index") || says_nothing(*value)),
        Json::Bool(_) | Json::Number(_) => false,
    }
}

/// Reads the calls of a list. `path` is the path of the list. See [`Fields::call`].
pub fn read_list<'a>(
    calls: &[Json<'a>],
    path: &Path,
    reader: Reader<'a>,
) -> Result<Vec<ExpectedCall<'a>>> {
    let read = |(at, call): (usize, &Json<'a>)| {
        Fields::of(*call, path.index(at), "a call: {tool, args}")?.call(reader)
    };
    calls.iter().enumerate().map(read).collect()
}

impl<'a> Fields<'a> {
    /// The call `{tool, args}`, or a call in the shape of any provider: see [`CallShape`].
    ///
    /// # Errors
    /// As [`CallShape::made_call`].
    pub fn call(&self, reader: Reader<'a>) -> Result<ExpectedCall<'a>> {
        CallShape::made_call(self, reader)
    }

    /// Whether the call has arguments.
    pub fn has_arguments(&self) -> bool {
        CallShape::has_arguments(self.value())
    }
}

/// The expectations of a trajectory whose source names tools without arguments: of the calls for which
/// `is_name_alone`, only the names are compared.
pub fn by_name<'a>(
    calls: &[ExpectedCall<'a>],
    is_name_alone: impl Fn(usize) -> bool,
    arena: &'a bumpalo::Bump,
) -> Member<'a> {
    let call = |(at, call): (usize, &ExpectedCall<'a>)| {
        let mut members = vec![("tool", Json::String(call.tool)), ("args", call.args)];
        if is_name_alone(at) {
            members.push(("matchers", Json::String("ignore")));
        }
        Json::Object(arena.alloc_slice_copy(&members))
    };
    let calls: Vec<_> = calls.iter().enumerate().map(call).collect();
    let calls = ("calls", Json::Array(arena.alloc_slice_copy(&calls)));
    (EXPECTATIONS, Json::Object(arena.alloc_slice_copy(&[calls])))
}

/// The calls of the agent in `trajectory` that can be compared, in order; none if nobody ran it. The name of a call
/// without one is "".
pub fn made_in<'a>(trajectory: &Trajectory<'a>) -> Vec<ExpectedCall<'a>> {
    if trajectory.is_not_run() {
        return Vec::new();
    }
    trajectory
        .calls()
        .filter(|call| call.is_comparable())
        .map(|call| ExpectedCall {
            tool: call.name.unwrap_or_default(),
            args: call.made_arguments(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bumpalo::Bump;
    use toolgauge_model::Limits;
    use toolgauge_model::testing::arena_json;

    #[test]
    fn arguments_may_be_missing_or_text() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let cases = [
            (r#"{"tool":"f"}"#, "{}"),
            (r#"{"tool":"f","args":null}"#, "{}"),
            (r#"{"name":"f","arguments":""}"#, "{}"),
            (r#"{"name":"f","arguments":"null"}"#, "{}"),
            (r#"{"name":"f","arguments":"{}"}"#, "{}"),
            (r#"{"name":"f","arguments":"{\"n\": 1}"}"#, r#"{"n":1}"#),
            (r#"{"name":"f","arguments":"[1]"}"#, "[1]"),
            (r#"{"name":"f","arguments":"{\"n\":"}"#, r#""{\"n\":""#),
            (r#"{"toolName":"f","input":{"n":1}}"#, r#"{"n":1}"#),
            (r#"{"tool":"f","args":"{}"}"#, r#""{}""#),
        ];
        for (text, args) in cases {
            let list = Json::Array(std::slice::from_ref(arena.alloc(arena_json(&arena, text))));
            let calls = read_list(list.items().expect("a list"), &Path::root(), reader);
            let read = calls.expect(text)[0].args;
            assert_eq!(read, arena_json(&arena, args), "{text}");
        }
    }
}
