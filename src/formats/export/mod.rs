//! Writing trajectories in the formats of others. What a format has no place for is left out, and counted
//! in [`ExportLosses`].

mod ai_sdk_model;
mod atif;
mod losses;
mod openai_chat;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::model::{Json, ToolCall, Trajectory};

pub use ai_sdk_model::{AiSdkMessage, AiSdkPart, AiSdkToolOutput, AiSdkToolResult};
pub use atif::{
    AtifAgent, AtifObservation, AtifResult, AtifResultExtra, AtifSource, AtifStep, AtifToolCall,
    AtifToolCallExtra, AtifTrajectory,
};
pub use losses::{ExportLosses, Lost};
pub use openai_chat::{OpenAiFunction, OpenAiMessage, OpenAiToolCall, OpenAiToolCallType};

/// The formats that trajectories are written in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ExportFormat {
    /// toolgauge's own shape, which is that of `agent-eval-harness`.
    #[default]
    Harness,
    /// OpenAI chat messages.
    OpenaiChat,
    /// Model messages of the AI SDK, version 5 and later.
    AiSdkModel,
    /// The Agent Trajectory Interchange Format.
    Atif,
}

impl ExportFormat {
    /// The name as options write it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Harness => "harness",
            Self::OpenaiChat => "openai-chat",
            Self::AiSdkModel => "ai-sdk-model",
            Self::Atif => "atif",
        }
    }
}

/// A trajectory in one of the formats.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Exported<'t> {
    /// As [`ExportFormat::Harness`].
    Harness(&'t Trajectory<'t>),
    /// As [`ExportFormat::OpenaiChat`].
    OpenaiChat(Vec<OpenAiMessage<'t>>),
    /// As [`ExportFormat::AiSdkModel`].
    AiSdkModel(Vec<AiSdkMessage<'t>>),
    /// As [`ExportFormat::Atif`].
    Atif(AtifTrajectory<'t>),
}

/// `trajectory` in `format`. Calls without an id get one where the format ties results to calls by it.
pub fn export_trajectory<'t>(trajectory: &'t Trajectory<'t>, format: ExportFormat) -> Exported<'t> {
    match format {
        ExportFormat::Harness => Exported::Harness(trajectory),
        ExportFormat::OpenaiChat => Exported::OpenaiChat(openai_chat::write(trajectory)),
        ExportFormat::AiSdkModel => Exported::AiSdkModel(ai_sdk_model::write(trajectory)),
        ExportFormat::Atif => Exported::Atif(atif::write(trajectory)),
    }
}

/// The id of a call, or one made of its place: the turn, from 1, and the call, from 1.
fn id_of<'t>(call: &ToolCall<'t>, turn: usize, at: usize) -> Cow<'t, str> {
    let made = || Cow::Owned(format!("call_{}_{}", turn + 1, at + 1));
    call.id.map_or_else(made, Cow::Borrowed)
}

/// A value as text: a string as it is, anything else as JSON.
fn text_of(value: Json<'_>) -> Cow<'_, str> {
    match value {
        Json::String(text) => Cow::Borrowed(text),
        other => Cow::Owned(serde_json::to_string(&other).unwrap_or_default()),
    }
}

/// What came of a call, and whether it failed; `None` when it is not answered.
fn outcome_of<'t>(call: &ToolCall<'t>) -> Option<(Json<'t>, bool)> {
    let error = call.error.filter(|error| !error.is_null());
    match error {
        Some(error) => Some((error, true)),
        None => call.result.map(|result| (result, false)),
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::super::import_trajectories;
    use super::super::testing::{each_mutation, fixture, fixtures, imported};
    use super::*;
    use crate::model::testing::arena_json;
    use crate::model::{Limits, Reader};

    fn exported(trajectory: &Trajectory<'_>, format: ExportFormat) -> String {
        serde_json::to_string(&export_trajectory(trajectory, format)).expect("plain data")
    }

    /// A call's id, name, arguments and their text, and what came of it; a failure is told as such only
    /// where the format can tell.
    fn told(trajectory: &Trajectory<'_>, tells_errors: bool) -> Vec<String> {
        let call = |(turn, at, call): (usize, usize, &ToolCall<'_>)| {
            let outcome = outcome_of(call);
            let said = outcome.map(|(value, failed)| (text_of(value), failed && tells_errors));
            // A text as the arguments is told from one that is not JSON in some of the formats only.
            let written = text_of(call.made_arguments());
            let id = id_of(call, turn, at);
            format!(
                "{id} {:?} {written} {said:?}",
                call.name.unwrap_or_default()
            )
        };
        let agent = trajectory.agent_turns();
        agent
            .flat_map(|(at, turn)| {
                turn.tool_calls
                    .iter()
                    .enumerate()
                    .map(move |(n, it)| (at, n, it))
            })
            .map(call)
            .collect()
    }

    #[test]
    fn what_is_written_reads_as_what_it_was() {
        let formats = [
            (ExportFormat::Harness, true),
            (ExportFormat::OpenaiChat, false),
            (ExportFormat::AiSdkModel, true),
            (ExportFormat::Atif, true),
        ];
        for name in fixtures("formats") {
            let arena = Bump::new();
            let read = imported(&arena, &fixture(&name));
            let with_calls = read.value.iter().filter(|it| it.call_count() > 0);
            for (trajectory, (format, tells_errors)) in
                with_calls.flat_map(|it| formats.map(|format| (it, format)))
            {
                let text = exported(trajectory, format);
                let again = imported(&arena, &text);
                let label = serde_json::to_value(format).expect("a name");
                let found = serde_json::to_value(again.format).expect("a name");
                assert_eq!(found, label, "{name}: {text}");
                assert_eq!(
                    told(&again.value[0], tells_errors),
                    told(trajectory, tells_errors),
                    "{name} as {label}: {text}"
                );
            }
        }
    }

    /// A trajectory in toolgauge's own shape, and what is read from that.
    fn read_twice(trajectory: &Trajectory<'_>) -> (String, String) {
        let arena = Bump::new();
        let once = serde_json::to_string(trajectory).expect("plain data");
        let reader = Reader::new(&arena, Limits::default());
        let again = import_trajectories(arena_json(&arena, &once), None, reader);
        let twice = match again {
            Ok(again) => serde_json::to_string(&again.value).expect("plain data"),
            Err(error) => error.to_string(),
        };
        (format!("[{once}]"), twice)
    }

    #[test]
    fn what_was_imported_is_imported_as_it_is() {
        let mut seen = 0;
        let mut bad = Vec::new();
        for name in fixtures("formats") {
            let arena = Bump::new();
            let document = arena_json(&arena, &fixture(&name));
            let mut check = |document| {
                let arena = Bump::new();
                let reader = Reader::new(&arena, Limits::default());
                let read = import_trajectories(document, None, reader);
                for trajectory in read.iter().flat_map(|read| &read.value) {
                    let (once, twice) = read_twice(trajectory);
                    seen += 1;
                    if once != twice {
                        bad.push(format!("{name}\n  {once}\n  {twice}"));
                    }
                }
            };
            check(document);
            each_mutation(&arena, document, &mut check);
        }
        assert!(
            bad.is_empty(),
            "{} of {seen}: {}",
            bad.len(),
            bad[..bad.len().min(20)].join("\n")
        );
        assert!(seen > 10_000, "{seen}");
    }
}
