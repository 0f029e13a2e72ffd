//! What an agent did: trajectories, turns and tool calls.
//!
//! The types are supersets of the trajectories of `agent-eval-harness`.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::json::{Json, Member};

/// A conversation of a user with an agent, including the tool calls.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct Trajectory<'a> {
    /// The id from the source.
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub trajectory_id: Option<&'a str>,
    /// The turns, in order.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<Turn<'static>>"))]
    pub turns: Vec<Turn<'a>>,
    /// The tool definitions in the source, unchanged.
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub tools: Option<Json<'a>>,
    /// The expected calls in the source.
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<ExpectedCall<'static>>>"))]
    pub expected_calls: Option<Vec<ExpectedCall<'a>>>,
    /// Unknown fields, unchanged.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub extra: &'a [Member<'a>],
}

/// One turn of a conversation.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct Turn<'a> {
    /// The number of the turn. If the source has none, its position in the conversation, from 1.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub turn_id: i64,
    /// The speaker.
    pub role: Role,
    /// The text; empty if the turn only calls tools.
    #[cfg_attr(feature = "typescript", ts(as = "String"))]
    pub content: &'a str,
    /// The time, as the source writes it; usually ISO 8601.
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub timestamp: Option<&'a str>,
    /// The tool calls of this turn, in order, with their results.
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<ToolCall<'static>>>"))]
    pub tool_calls: Vec<ToolCall<'a>>,
    /// Unknown fields, unchanged.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub extra: &'a [Member<'a>],
}

/// The speaker of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person, or a simulation of one.
    User,
    /// The agent.
    Agent,
    /// Instructions from the developer.
    System,
}

/// A tool call with its result.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct ToolCall<'a> {
    /// The id that links the call to its result in the source.
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub id: Option<&'a str>,
    /// The tool's name. If absent, the call has the issue `missing_tool_name`.
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub name: Option<&'a str>,
    /// The arguments; an object in every well-formed call.
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub arguments: Option<Json<'a>>,
    /// The text of the arguments, if it was not valid JSON.
    #[cfg_attr(
        feature = "typescript",
        ts(rename = "rawArguments", as = "Option<String>")
    )]
    pub raw_arguments: Option<&'a str>,
    /// Whether the source contains only a part of the call: it was saved during writing, or has only its
    /// result. The arguments are then not checked. Default false.
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>"))]
    pub incomplete: bool,
    /// Whether the source may leave out contents of the call: traces record them only if told to. Arguments or a result that are
    /// absent are then unknown rather than missing and are not checked. Default false.
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>"))]
    pub unrecorded: bool,
    /// Whether the source says that the call has not run yet: it awaits an approval, or its tool still runs. Unless the agent
    /// goes on, it needs no result. Default false.
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>"))]
    pub pending: bool,
    /// What the tool returned: any JSON value. Text that holds a JSON object or array is parsed.
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub result: Option<Json<'a>>,
    /// The error that the runtime reported instead of a result.
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub error: Option<Json<'a>>,
    /// Unknown fields, unchanged.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub extra: &'a [Member<'a>],
}

/// A call as scores compare it: a tool and its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(rename = "ScoredToolCall"))]
pub struct ExpectedCall<'a> {
    /// The tool's name.
    #[cfg_attr(feature = "typescript", ts(as = "String"))]
    pub tool: &'a str,
    /// The arguments of the call.
    #[cfg_attr(feature = "typescript", ts(type = "JsonValue"))]
    pub args: Json<'a>,
}

impl<'a> ExpectedCall<'a> {
    /// Creates a call of `tool`. Absent and `null` arguments become the empty object, as in actual calls.
    pub fn new(tool: &'a str, args: Option<Json<'a>>) -> Self {
        let args = args.filter(|args| !args.is_null());
        Self {
            tool,
            args: args.unwrap_or(Json::Object(&[])),
        }
    }
}

impl<'a> Trajectory<'a> {
    /// Returns the turns of the agent, each with its position. Only their calls are checked: calls are
    /// counted through these turns, and calls that a source attaches to other turns are not the agent's.
    pub fn agent_turns(&self) -> impl Iterator<Item = (usize, &Turn<'a>)> {
        let turns = self.turns.iter().enumerate();
        turns.filter(|(_, turn)| turn.role == Role::Agent)
    }

    /// Returns all calls of the agent, in order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall<'a>> {
        self.agent_turns().flat_map(|(_, turn)| &turn.tool_calls)
    }

    /// Returns the expectations that the trajectory contains, `{calls, …}` or `{turns, …}` in [`EXPECTATIONS`], if any. They say more than
    /// `expected_calls`: how the arguments are compared, for example.
    pub fn expectations(&self) -> Option<Json<'a>> {
        let mut extra = self.extra.iter();
        let (_, expectations) = extra.find(|(key, _)| *key == EXPECTATIONS)?;
        let is_list = |key| expectations.get(key).is_some_and(|it| it.items().is_some());
        (is_list("calls") || is_list("turns")).then_some(*expectations)
    }

    /// Returns whether nobody ran it: its source only says what should happen, as an eval set does, so its calls are
    /// the expected ones. It then contains `true` in [`NOT_RUN`].
    pub fn is_not_run(&self) -> bool {
        self.extra.contains(&(NOT_RUN, Json::Bool(true)))
    }

    /// Returns how many tools the agent called.
    pub fn call_count(&self) -> usize {
        self.calls().count()
    }
}

impl<'a> ToolCall<'a> {
    /// Returns the arguments for comparisons: text that is not JSON unchanged, and the empty object for
    /// absent or `null` arguments.
    pub fn made_arguments(&self) -> Json<'a> {
        let raw = self.raw_arguments.map(Json::String);
        let made = self.arguments.or(raw).filter(|made| !made.is_null());
        made.unwrap_or(Json::Object(&[]))
    }

    /// Returns whether the log contains only the result of this call: not its arguments, and perhaps not its tool.
    /// Such a call is not judged.
    pub fn is_only_result(&self) -> bool {
        self.incomplete
            && self.arguments.is_none()
            && self.raw_arguments.is_none()
            && (self.result.is_some() || self.error.is_some())
    }

    /// Returns whether scores can compare this call. They can't if the log contains only its result, without the
    /// name of the tool.
    pub fn is_comparable(&self) -> bool {
        self.name.is_some() || !self.is_only_result()
    }

    /// Returns whether the call may have had arguments that the source does not record.
    pub fn hides_arguments(&self) -> bool {
        self.unrecorded && self.arguments.is_none() && self.raw_arguments.is_none()
    }

    /// Returns whether the call may have had a result or an error that the source does not record.
    pub fn hides_outcome(&self) -> bool {
        self.unrecorded && self.is_unanswered()
    }

    /// Returns whether only the schema of the tool can say which arguments are texts: see [`UNTYPED`].
    pub fn is_untyped(&self) -> bool {
        self.extra.contains(&(UNTYPED, Json::Bool(true)))
    }

    /// Returns whether there is neither a result nor an error; `null` counts as neither.
    pub fn is_unanswered(&self) -> bool {
        let mut outcomes = [self.result, self.error].into_iter().flatten();
        outcomes.all(Json::is_null)
    }
}

impl Serialize for Trajectory<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        entry(&mut map, "trajectory_id", self.trajectory_id)?;
        map.serialize_entry("turns", &self.turns)?;
        entry(&mut map, "tools", self.tools)?;
        entry(&mut map, "expected_calls", self.expected_calls.as_ref())?;
        entries(&mut map, self.extra, &OWN_OF_TRAJECTORIES)?;
        map.end()
    }
}

impl Serialize for Turn<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("turn_id", &self.turn_id)?;
        map.serialize_entry("role", &self.role)?;
        map.serialize_entry("content", self.content)?;
        entry(&mut map, "timestamp", self.timestamp)?;
        let calls = (!self.tool_calls.is_empty()).then_some(&self.tool_calls);
        entry(&mut map, "tool_calls", calls)?;
        entries(&mut map, self.extra, &OWN_OF_TURNS)?;
        map.end()
    }
}

/// The member of a trajectory with its expectations, beside its own fields.
pub const EXPECTATIONS: &str = "expectations";

/// The member of a trajectory that is `true` if nobody ran it, beside its own fields.
pub const NOT_RUN: &str = "not_run";

/// The member of a call whose source writes arguments without quotes, so that a number may be a text and the reverse. It is
/// kept beside the call's own fields.
pub const UNTYPED: &str = "untyped";

/// The fields of a trajectory. All other members are kept in `extra`.
pub const OWN_OF_TRAJECTORIES: [&str; 4] = ["trajectory_id", "turns", "tools", "expected_calls"];

/// The fields of a turn. All other members are kept in `extra`.
pub const OWN_OF_TURNS: [&str; 5] = ["turn_id", "role", "content", "timestamp", "tool_calls"];

/// The fields of a call. All other members are kept in `extra`.
pub const OWN_OF_CALLS: [&str; 9] = [
    "id",
    "name",
    "arguments",
    "rawArguments",
    "incomplete",
    "unrecorded",
    "pending",
    "result",
    "error",
];

impl Serialize for ToolCall<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        entry(&mut map, "id", self.id)?;
        entry(&mut map, "name", self.name)?;
        entry(&mut map, "arguments", self.arguments)?;
        entry(&mut map, "rawArguments", self.raw_arguments)?;
        entry(&mut map, "incomplete", self.incomplete.then_some(true))?;
        entry(&mut map, "unrecorded", self.unrecorded.then_some(true))?;
        entry(&mut map, "pending", self.pending.then_some(true))?;
        entry(&mut map, "result", self.result)?;
        entry(&mut map, "error", self.error)?;
        entries(&mut map, self.extra, &OWN_OF_CALLS)?;
        map.end()
    }
}

/// Writes a member if it is present.
pub(super) fn entry<M: SerializeMap>(
    map: &mut M,
    key: &str,
    value: Option<impl Serialize>,
) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(key, &value))
}

/// Writes members unchanged, except those with the name of one of its `own` fields: such a field has its
/// declared type or is absent.
pub(super) fn entries<M: SerializeMap>(
    map: &mut M,
    members: &[Member<'_>],
    own: &[&str],
) -> Result<(), M::Error> {
    let others = members.iter().filter(|(key, _)| !own.contains(key));
    others
        .into_iter()
        .try_for_each(|(key, value)| map.serialize_entry(key, value))
}
