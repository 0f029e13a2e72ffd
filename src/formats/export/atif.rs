//! The Agent Trajectory Interchange Format, version 1.7.

use std::borrow::Cow;

use serde::Serialize;

use super::{id_of, outcome_of, text_of};
use toolgauge_model::{Json, Role, ToolCall, Trajectory, Turn};

/// The version that is written: the first one in which calls and results have an `extra` member.
const VERSION: &str = "ATIF-v1.7";

/// The value of a required member that the trajectory does not have.
const UNKNOWN: &str = "unknown";

/// A trajectory in the Agent Trajectory Interchange Format.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AtifTrajectory<'t> {
    /// The version of the format.
    #[cfg_attr(feature = "typescript", ts(as = "String"))]
    pub schema_version: &'t str,
    /// The id of the trajectory.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<String>"))]
    pub session_id: Option<&'t str>,
    /// The agent.
    #[cfg_attr(feature = "typescript", ts(as = "AtifAgent<'static>"))]
    pub agent: AtifAgent<'t>,
    /// The steps, in order.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<AtifStep<'static>>"))]
    pub steps: Vec<AtifStep<'t>>,
}

/// The agent of an ATIF trajectory.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct AtifAgent<'t> {
    /// Its name; `unknown` when the trajectory names none.
    #[cfg_attr(feature = "typescript", ts(as = "String"))]
    pub name: &'t str,
    /// Its version; `unknown` when the trajectory names none.
    #[cfg_attr(feature = "typescript", ts(as = "String"))]
    pub version: &'t str,
    /// The model that the agent uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub model_name: Option<&'t str>,
    /// The agent's tools as the trajectory has them, if that is a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub tool_definitions: Option<Json<'t>>,
}

/// One step of an ATIF trajectory.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct AtifStep<'t> {
    /// The number of the step, from 1.
    pub step_id: usize,
    /// The time of the step, in ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub timestamp: Option<&'t str>,
    /// Who acts in the step.
    pub source: AtifSource,
    /// The text of the step.
    #[cfg_attr(feature = "typescript", ts(as = "String"))]
    pub message: &'t str,
    /// The calls of the step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<AtifToolCall<'static>>>"))]
    pub tool_calls: Vec<AtifToolCall<'t>>,
    /// The outcomes of the calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<AtifObservation<'static>>"))]
    pub observation: Option<AtifObservation<'t>>,
}

/// Who acts in a step of an ATIF trajectory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum AtifSource {
    /// The developer.
    System,
    /// The user.
    User,
    /// The agent.
    Agent,
}

/// A call in an ATIF trajectory.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AtifToolCall<'t> {
    /// The id that links the call to its result.
    #[cfg_attr(feature = "typescript", ts(as = "String"))]
    pub tool_call_id: Cow<'t, str>,
    /// The tool's name.
    #[cfg_attr(feature = "typescript", ts(as = "String"))]
    pub function_name: &'t str,
    /// The arguments. Empty if they were not an object.
    #[cfg_attr(feature = "typescript", ts(type = "{ [key: string]: JsonValue }"))]
    pub arguments: Json<'t>,
    /// Holds arguments that were not an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<AtifToolCallExtra>"))]
    pub extra: Option<AtifToolCallExtra>,
}

/// The additional members of a call in an ATIF trajectory.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AtifToolCallExtra {
    /// The arguments as JSON text, or the text itself if it was not valid JSON.
    pub raw_arguments: String,
}

/// The outcomes of the calls of an ATIF step.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AtifObservation<'t> {
    /// One result for each answered call.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<AtifResult<'static>>"))]
    pub results: Vec<AtifResult<'t>>,
}

/// The outcome of one call of an ATIF step.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct AtifResult<'t> {
    /// The id of the answered call.
    #[cfg_attr(feature = "typescript", ts(as = "String"))]
    pub source_call_id: Cow<'t, str>,
    /// The result or the error, as text.
    #[cfg_attr(feature = "typescript", ts(as = "String"))]
    pub content: Cow<'t, str>,
    /// Marks an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<AtifResultExtra>"))]
    pub extra: Option<AtifResultExtra>,
}

/// The additional members of a result in an ATIF trajectory.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AtifResultExtra {
    /// Whether the call failed.
    pub is_error: bool,
}

/// Writes a trajectory as ATIF.
pub fn write<'t>(trajectory: &'t Trajectory<'t>) -> AtifTrajectory<'t> {
    let agent = trajectory.extra.iter().find(|(key, _)| *key == "agent");
    let agent = agent.map_or(Json::Null, |(_, agent)| *agent);
    let text = |key| agent.get(key).and_then(Json::as_str);
    AtifTrajectory {
        schema_version: VERSION,
        session_id: trajectory.trajectory_id,
        agent: AtifAgent {
            name: text("name").unwrap_or(UNKNOWN),
            version: text("version").unwrap_or(UNKNOWN),
            model_name: text("model_name"),
            tool_definitions: trajectory.tools.filter(|tools| tools.items().is_some()),
        },
        steps: trajectory.turns.iter().enumerate().map(step_of).collect(),
    }
}

/// Whether the export keeps this member of the agent.
pub fn keeps_of_agent(key: &str, value: Json<'_>) -> bool {
    matches!(key, "name" | "version" | "model_name") && value.as_str().is_some()
}

fn step_of<'t>((at, turn): (usize, &'t Turn<'t>)) -> AtifStep<'t> {
    let calls = match turn.role {
        Role::Agent => turn.tool_calls.as_slice(),
        Role::User | Role::System => &[],
    };
    let results = calls.iter().enumerate().filter_map(|(n, call)| {
        let (value, failed) = outcome_of(call)?;
        Some(AtifResult {
            source_call_id: id_of(call, at, n),
            content: text_of(value),
            extra: failed.then_some(AtifResultExtra { is_error: true }),
        })
    });
    let results: Vec<_> = results.collect();
    AtifStep {
        step_id: at + 1,
        timestamp: turn.timestamp.filter(|time| is_iso(time)),
        source: match turn.role {
            Role::System => AtifSource::System,
            Role::User => AtifSource::User,
            Role::Agent => AtifSource::Agent,
        },
        message: turn.content,
        tool_calls: calls
            .iter()
            .enumerate()
            .map(|(n, it)| call_of(it, at, n))
            .collect(),
        observation: (!results.is_empty()).then_some(AtifObservation { results }),
    }
}

/// Whether a time begins with a date in ISO 8601.
pub fn is_iso(time: &str) -> bool {
    let date = time.as_bytes().get(..10);
    date.is_some_and(|date| date[4] == b'-' && date[7] == b'-')
}

fn call_of<'t>(call: &ToolCall<'t>, turn: usize, at: usize) -> AtifToolCall<'t> {
    let arguments = call.made_arguments();
    let is_object = arguments.members().is_some();
    let raw = || match call.raw_arguments {
        Some(text) => text.to_owned(),
        None => serde_json::to_string(&arguments).unwrap_or_default(),
    };
    AtifToolCall {
        tool_call_id: id_of(call, turn, at),
        function_name: call.name.unwrap_or_default(),
        arguments: if is_object {
            arguments
        } else {
            Json::Object(&[])
        },
        extra: (!is_object).then(|| AtifToolCallExtra {
            raw_arguments: raw(),
        }),
    }
}
