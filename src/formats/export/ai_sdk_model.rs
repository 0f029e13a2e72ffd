//! Model messages of the AI SDK, version 5 and later.

use std::borrow::Cow;

use serde::Serialize;

use super::{id_of, outcome_of};
use toolgauge_model::{Json, Role, ToolCall, Trajectory, Turn};

/// One model message of the AI SDK.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "role", rename_all = "lowercase")]
pub enum AiSdkMessage<'t> {
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
        /// The text and the calls.
        #[cfg_attr(feature = "typescript", ts(as = "Vec<AiSdkPart<'static>>"))]
        content: Vec<AiSdkPart<'t>>,
    },
    /// Results of tools.
    Tool {
        /// One part for each answered call.
        #[cfg_attr(feature = "typescript", ts(as = "Vec<AiSdkToolResult<'static>>"))]
        content: Vec<AiSdkToolResult<'t>>,
    },
}

/// One part of an agent's model message.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(
    tag = "type",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum AiSdkPart<'t> {
    /// Text.
    Text {
        /// The text.
        #[cfg_attr(feature = "typescript", ts(as = "String"))]
        text: &'t str,
    },
    /// A call.
    ToolCall {
        /// The id that links the call to its result.
        #[cfg_attr(feature = "typescript", ts(as = "String"))]
        tool_call_id: Cow<'t, str>,
        /// The tool's name.
        #[cfg_attr(feature = "typescript", ts(as = "String"))]
        tool_name: &'t str,
        /// The arguments. A text if they were not valid JSON.
        #[cfg_attr(feature = "typescript", ts(type = "JsonValue"))]
        input: Json<'t>,
    },
}

/// The outcome of a call in a model message.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(
    tag = "type",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum AiSdkToolResult<'t> {
    /// Always `tool-result`.
    ToolResult {
        /// The id of the answered call.
        #[cfg_attr(feature = "typescript", ts(as = "String"))]
        tool_call_id: Cow<'t, str>,
        /// The tool's name.
        #[cfg_attr(feature = "typescript", ts(as = "String"))]
        tool_name: &'t str,
        /// The result or the error.
        #[cfg_attr(feature = "typescript", ts(as = "AiSdkToolOutput<'static>"))]
        output: AiSdkToolOutput<'t>,
    },
}

/// The result or the error of a call in a model message.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum AiSdkToolOutput<'t> {
    /// A result that is text.
    Text {
        /// The text.
        #[cfg_attr(feature = "typescript", ts(as = "String"))]
        value: &'t str,
    },
    /// Any other result.
    Json {
        /// The value.
        #[cfg_attr(feature = "typescript", ts(type = "JsonValue"))]
        value: Json<'t>,
    },
    /// An error that is text.
    ErrorText {
        /// The text.
        #[cfg_attr(feature = "typescript", ts(as = "String"))]
        value: &'t str,
    },
    /// Any other error.
    ErrorJson {
        /// The value.
        #[cfg_attr(feature = "typescript", ts(type = "JsonValue"))]
        value: Json<'t>,
    },
}

/// The messages of a trajectory. The results of a turn's calls follow it in one message.
pub fn write<'t>(trajectory: &'t Trajectory<'t>) -> Vec<AiSdkMessage<'t>> {
    let mut messages = Vec::new();
    for (at, turn) in trajectory.turns.iter().enumerate() {
        let content = turn.content;
        match turn.role {
            Role::System => messages.push(AiSdkMessage::System { content }),
            Role::User => messages.push(AiSdkMessage::User { content }),
            Role::Agent => write_answer(turn, at, &mut messages),
        }
    }
    messages
}

fn write_answer<'t>(turn: &'t Turn<'t>, at: usize, messages: &mut Vec<AiSdkMessage<'t>>) {
    let calls = turn.tool_calls.iter().enumerate();
    let text = turn.content;
    let said = (!text.is_empty()).then_some(AiSdkPart::Text { text });
    let called = calls.clone().map(|(n, call)| call_of(call, at, n));
    messages.push(AiSdkMessage::Assistant {
        content: said.into_iter().chain(called).collect(),
    });
    let content: Vec<_> = calls
        .filter_map(|(n, call)| result_of(call, at, n))
        .collect();
    if !content.is_empty() {
        messages.push(AiSdkMessage::Tool { content });
    }
}

fn call_of<'t>(call: &ToolCall<'t>, turn: usize, at: usize) -> AiSdkPart<'t> {
    AiSdkPart::ToolCall {
        tool_call_id: id_of(call, turn, at),
        tool_name: call.name.unwrap_or_default(),
        input: call.made_arguments(),
    }
}

fn result_of<'t>(call: &ToolCall<'t>, turn: usize, at: usize) -> Option<AiSdkToolResult<'t>> {
    let output = match outcome_of(call)? {
        (Json::String(value), false) => AiSdkToolOutput::Text { value },
        (Json::String(value), true) => AiSdkToolOutput::ErrorText { value },
        (value, false) => AiSdkToolOutput::Json { value },
        (value, true) => AiSdkToolOutput::ErrorJson { value },
    };
    Some(AiSdkToolResult::ToolResult {
        tool_call_id: id_of(call, turn, at),
        tool_name: call.name.unwrap_or_default(),
        output,
    })
}
