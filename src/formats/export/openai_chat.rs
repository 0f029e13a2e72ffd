//! OpenAI chat messages.

use std::borrow::Cow;

use serde::Serialize;

use super::{id_of, outcome_of, text_of};
use toolgauge_model::{Role, ToolCall, Trajectory, Turn};

/// One OpenAI chat message.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "role", rename_all = "lowercase")]
pub enum OpenAiMessage<'t> {
    /// An instruction of the developer.
    System {
        /// The text.
        #[cfg_attr(feature = "typescript", ts(as = "String"))]
        content: &'t str,
    },
    /// A message of the user.
    User {
        /// The text.
        #[cfg_attr(feature = "typescript", ts(as = "String"))]
        content: &'t str,
    },
    /// A message of the agent: text and calls.
    Assistant {
        /// The text. `null` if the agent only calls tools.
        #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
        content: Option<&'t str>,
        /// The calls.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(
            feature = "typescript",
            ts(optional, as = "Option<Vec<OpenAiToolCall<'static>>>")
        )]
        tool_calls: Vec<OpenAiToolCall<'t>>,
    },
    /// The result of a tool.
    Tool {
        /// The result or the error, as text.
        #[cfg_attr(feature = "typescript", ts(as = "String"))]
        content: Cow<'t, str>,
        /// The id of the answered call.
        #[cfg_attr(feature = "typescript", ts(as = "String"))]
        tool_call_id: Cow<'t, str>,
    },
}

/// A call in a chat message.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OpenAiToolCall<'t> {
    /// The id that links the call to its result.
    #[cfg_attr(feature = "typescript", ts(as = "String"))]
    pub id: Cow<'t, str>,
    /// Always `function`.
    #[serde(rename = "type")]
    pub kind: OpenAiToolCallType,
    /// The function that is called.
    #[cfg_attr(feature = "typescript", ts(as = "OpenAiFunction<'static>"))]
    pub function: OpenAiFunction<'t>,
}

/// The kind of a call in a chat message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum OpenAiToolCallType {
    /// A function.
    Function,
}

/// The function that a chat message calls.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OpenAiFunction<'t> {
    /// The tool's name.
    #[cfg_attr(feature = "typescript", ts(as = "String"))]
    pub name: &'t str,
    /// The arguments as JSON text. Empty if there were none.
    #[cfg_attr(feature = "typescript", ts(as = "String"))]
    pub arguments: Cow<'t, str>,
}

/// The messages of a trajectory. The outcome of a call, error or result, follows it.
pub fn write<'t>(trajectory: &'t Trajectory<'t>) -> Vec<OpenAiMessage<'t>> {
    let mut messages = Vec::new();
    for (at, turn) in trajectory.turns.iter().enumerate() {
        let content = turn.content;
        match turn.role {
            Role::System => messages.push(OpenAiMessage::System { content }),
            Role::User => messages.push(OpenAiMessage::User { content }),
            Role::Agent => write_answer(turn, at, &mut messages),
        }
    }
    messages
}

fn write_answer<'t>(turn: &'t Turn<'t>, at: usize, messages: &mut Vec<OpenAiMessage<'t>>) {
    let calls = turn.tool_calls.iter().enumerate();
    let is_silent = turn.content.is_empty() && !turn.tool_calls.is_empty();
    messages.push(OpenAiMessage::Assistant {
        content: (!is_silent).then_some(turn.content),
        tool_calls: calls
            .clone()
            .map(|(n, call)| call_of(call, at, n))
            .collect(),
    });
    messages.extend(calls.filter_map(|(n, call)| {
        let (value, _) = outcome_of(call)?;
        Some(OpenAiMessage::Tool {
            content: text_of(value),
            tool_call_id: id_of(call, at, n),
        })
    }));
}

fn call_of<'t>(call: &ToolCall<'t>, turn: usize, at: usize) -> OpenAiToolCall<'t> {
    let written = call
        .arguments
        .map(|it| Cow::Owned(serde_json::to_string(&it).unwrap_or_default()));
    let raw = call.raw_arguments.unwrap_or_default();
    OpenAiToolCall {
        id: id_of(call, turn, at),
        kind: OpenAiToolCallType::Function,
        function: OpenAiFunction {
            name: call.name.unwrap_or_default(),
            arguments: written.unwrap_or(Cow::Borrowed(raw)),
        },
    }
}
