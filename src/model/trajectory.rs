//! What an agent did: trajectories, turns, tool calls.
//!
//! The shapes are those of the `agent-eval-harness` trajectories, each a superset.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::json::{Json, Member};

/// One conversation of a user with an agent, and what the agent called in it.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct Trajectory<'a> {
    /// The id that the source gives it.
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub trajectory_id: Option<&'a str>,
    /// Who said and did what, in order.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<Turn<'static>>"))]
    pub turns: Vec<Turn<'a>>,
    /// The tool definitions that the source carries, in the shape it has them.
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub tools: Option<Json<'a>>,
    /// The calls that the source says should have been made.
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<ExpectedCall<'static>>>"))]
    pub expected_calls: Option<Vec<ExpectedCall<'a>>>,
    /// Every field that toolgauge does not know, as it was.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub extra: &'a [Member<'a>],
}

/// One contribution to a conversation.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct Turn<'a> {
    /// The turn's number. Where the source has none: its place in the conversation, from 1.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub turn_id: i64,
    /// Whose turn it is.
    pub role: Role,
    /// What was said, as plain text; empty when only tools were called.
    #[cfg_attr(feature = "typescript", ts(as = "String"))]
    pub content: &'a str,
    /// When, as the source writes it; ISO 8601 in most.
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub timestamp: Option<&'a str>,
    /// The tools called in this turn, in order; their results stand with them.
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<ToolCall<'static>>>"))]
    pub tool_calls: Vec<ToolCall<'a>>,
    /// Every field that toolgauge does not know, as it was.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub extra: &'a [Member<'a>],
}

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person, or what plays it.
    User,
    /// The agent that is judged.
    Agent,
    /// Instructions from the developer.
    System,
}

/// One call of a tool, with what came back.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct ToolCall<'a> {
    /// The id that ties the call to its result in the source.
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub id: Option<&'a str>,
    /// The tool's name. Absent, it is the issue `missing_tool_name`.
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub name: Option<&'a str>,
    /// The arguments, an object in all that is well formed.
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub arguments: Option<Json<'a>>,
    /// The text of the arguments, when it was not valid JSON.
    #[cfg_attr(
        feature = "typescript",
        ts(rename = "rawArguments", as = "Option<String>")
    )]
    pub raw_arguments: Option<&'a str>,
    /// Whether the source holds the call in part: it was saved while the call was still being written,
    /// or has only its result. The arguments are not judged. Default false.
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>"))]
    pub incomplete: bool,
    /// What the tool returned: any JSON value. Text that holds a JSON object or array is read.
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub result: Option<Json<'a>>,
    /// What the runtime reported instead of a result.
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub error: Option<Json<'a>>,
    /// Every field that toolgauge does not know, as it was.
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
    /// Its arguments.
    #[cfg_attr(feature = "typescript", ts(type = "JsonValue"))]
    pub args: Json<'a>,
}

impl<'a> ExpectedCall<'a> {
    /// A call of `tool`. Arguments that are absent or `null` are none: the empty object, as in a call that was made.
    pub fn new(tool: &'a str, args: Option<Json<'a>>) -> Self {
        let args = args.filter(|args| !args.is_null());
        Self {
            tool,
            args: args.unwrap_or(Json::Object(&[])),
        }
    }
}

impl<'a> Trajectory<'a> {
    /// The turns of the agent, each with its place. Only what it calls is judged: calls are counted
    /// through these turns, and what else a source hangs on a turn of the user or of the instructions
    /// is no call of the agent.
    pub fn agent_turns(&self) -> impl Iterator<Item = (usize, &Turn<'a>)> {
        let turns = self.turns.iter().enumerate();
        turns.filter(|(_, turn)| turn.role == Role::Agent)
    }

    /// All calls of the agent, in order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall<'a>> {
        self.agent_turns().flat_map(|(_, turn)| &turn.tool_calls)
    }

    /// How many tools the agent called.
    pub fn call_count(&self) -> usize {
        self.calls().count()
    }
}

impl<'a> ToolCall<'a> {
    /// The arguments as comparisons take them: text that is not JSON as it is, and the empty object when
    /// there are none, or `null`.
    pub fn made_arguments(&self) -> Json<'a> {
        let raw = self.raw_arguments.map(Json::String);
        let made = self.arguments.or(raw).filter(|made| !made.is_null());
        made.unwrap_or(Json::Object(&[]))
    }

    /// Whether nothing came back, neither a result nor an error; `null` is nothing.
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

/// The fields of a trajectory. All other members are kept in `extra`.
pub const OWN_OF_TRAJECTORIES: [&str; 4] = ["trajectory_id", "turns", "tools", "expected_calls"];

/// The fields of a turn. All other members are kept in `extra`.
pub const OWN_OF_TURNS: [&str; 5] = ["turn_id", "role", "content", "timestamp", "tool_calls"];

/// The fields of a call. All other members are kept in `extra`.
pub const OWN_OF_CALLS: [&str; 7] = [
    "id",
    "name",
    "arguments",
    "rawArguments",
    "incomplete",
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
        entry(&mut map, "result", self.result)?;
        entry(&mut map, "error", self.error)?;
        entries(&mut map, self.extra, &OWN_OF_CALLS)?;
        map.end()
    }
}

/// Writes a member that is there.
pub(super) fn entry<M: SerializeMap>(
    map: &mut M,
    key: &str,
    value: Option<impl Serialize>,
) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(key, &value))
}

/// Writes members as they are, but for those that are named as a field of its `own`: such a field has the
/// type that it is declared to have, or is not there.
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
