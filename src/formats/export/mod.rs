//! Writes trajectories in other formats. [`ExportLosses`] counts what a format has no member for.

mod ai_sdk_model;
mod atif;
mod losses;
mod openai_chat;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use toolgauge_model::{Json, ToolCall, Trajectory};

pub use ai_sdk_model::{AiSdkMessage, AiSdkPart, AiSdkToolOutput, AiSdkToolResult};
pub use atif::{
    AtifAgent, AtifObservation, AtifResult, AtifResultExtra, AtifSource, AtifStep, AtifToolCall,
    AtifToolCallExtra, AtifTrajectory,
};
pub use losses::{ExportLosses, Lost};
pub use openai_chat::{OpenAiFunction, OpenAiMessage, OpenAiToolCall, OpenAiToolCallType};

/// The formats that trajectories are written in.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray,
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
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
    /// The name in options.
    pub fn label(self) -> &'static str {
        self.into()
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

/// Writes `trajectory` in `format`. If the format links results to calls by id, calls without an id get
/// one.
pub fn export_trajectory<'t>(trajectory: &'t Trajectory<'t>, format: ExportFormat) -> Exported<'t> {
    match format {
        ExportFormat::Harness => Exported::Harness(trajectory),
        ExportFormat::OpenaiChat => Exported::OpenaiChat(openai_chat::write(trajectory)),
        ExportFormat::AiSdkModel => Exported::AiSdkModel(ai_sdk_model::write(trajectory)),
        ExportFormat::Atif => Exported::Atif(atif::write(trajectory)),
    }
}

/// The id of a call, or one made of its turn and its position, both from 1.
fn id_of<'t>(call: &ToolCall<'t>, turn: usize, at: usize) -> Cow<'t, str> {
    let made = || Cow::Owned(format!("call_{}_{}", turn + 1, at + 1));
    call.id.map_or_else(made, Cow::Borrowed)
}

/// A value as text: a string itself, any other value as JSON.
fn text_of(value: Json<'_>) -> Cow<'_, str> {
    match value {
        Json::String(text) => Cow::Borrowed(text),
        other => Cow::Owned(serde_json::to_string(&other).unwrap_or_default()),
    }
}

/// The outcome of a call, and whether it is a failure. `None` if nothing answered the call.
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

    use super::*;
    use crate::import_trajectories;
    use crate::testing::{each_mutation, fixture, fixtures, imported};
    use serde_json::{Value, json};

    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Limits, OWN_OF_CALLS, OWN_OF_TRAJECTORIES, OWN_OF_TURNS, Reader};

    fn exported(trajectory: &Trajectory<'_>, format: ExportFormat) -> String {
        serde_json::to_string(&export_trajectory(trajectory, format)).expect("plain data")
    }

    const CHAT: ExportFormat = ExportFormat::OpenaiChat;
    const AI_SDK: ExportFormat = ExportFormat::AiSdkModel;
    const ATIF: ExportFormat = ExportFormat::Atif;

    /// A property of trajectories that an export to some formats loses.
    struct NotCarried {
        what: &'static str,
        why: &'static str,
        formats: &'static [ExportFormat],
        /// Removes the property from a trajectory.
        erase: fn(&mut Value),
    }

    const NOT_CARRIED: [NotCarried; 15] = [
        NotCarried {
            what: "fields that toolgauge does not know",
            why: "the formats have no place for them",
            formats: &[CHAT, AI_SDK, ATIF],
            erase: |trajectory| {
                keep(trajectory, &OWN_OF_TRAJECTORIES);
                each_turn(trajectory, |_, turn| keep(turn, &OWN_OF_TURNS));
                each_call(trajectory, |_, call| keep(call, &OWN_OF_CALLS));
            },
        },
        NotCarried {
            what: "expected calls",
            why: "they are no part of what happened",
            formats: &[CHAT, AI_SDK, ATIF],
            erase: |trajectory| remove(trajectory, "expected_calls"),
        },
        NotCarried {
            what: "the id and the tools",
            why: "messages alone have neither",
            formats: &[CHAT, AI_SDK],
            erase: |trajectory| {
                remove(trajectory, "trajectory_id");
                remove(trajectory, "tools");
            },
        },
        NotCarried {
            what: "tools that are no list",
            why: "a list is what the format has",
            formats: &[ATIF],
            erase: |trajectory| {
                if !trajectory["tools"].is_array() {
                    remove(trajectory, "tools");
                }
            },
        },
        NotCarried {
            what: "the numbers of turns",
            why: "turns are numbered by their place",
            formats: &[CHAT, AI_SDK, ATIF],
            erase: |trajectory| each_turn(trajectory, |at, turn| turn["turn_id"] = (at + 1).into()),
        },
        NotCarried {
            what: "the times of turns",
            why: "messages have none",
            formats: &[CHAT, AI_SDK],
            erase: |trajectory| each_turn(trajectory, |_, turn| remove(turn, "timestamp")),
        },
        NotCarried {
            what: "times that are not in ISO 8601",
            why: "the format wants them so",
            formats: &[ATIF],
            erase: |trajectory| {
                each_turn(trajectory, |_, turn| {
                    if !turn["timestamp"].as_str().is_some_and(atif::is_iso) {
                        remove(turn, "timestamp");
                    }
                });
            },
        },
        NotCarried {
            what: "calls in turns that are not the agent's",
            why: "only an agent calls tools",
            formats: &[CHAT, AI_SDK, ATIF],
            erase: |trajectory| {
                each_turn(trajectory, |_, turn| {
                    if turn["role"] != "agent" {
                        remove(turn, "tool_calls");
                    }
                });
            },
        },
        NotCarried {
            what: "that a call has no id",
            why: "results are tied to calls by it, so one is made of the place",
            formats: &[CHAT, AI_SDK, ATIF],
            erase: |trajectory| {
                each_call(trajectory, |(turn, at), call| {
                    if call.get("id").is_none() {
                        call["id"] = format!("call_{}_{}", turn + 1, at + 1).into();
                    }
                });
            },
        },
        NotCarried {
            what: "that a call is known only in part or has not run yet",
            why: "there is no sign for it",
            formats: &[CHAT, AI_SDK, ATIF],
            erase: |trajectory| {
                each_call(trajectory, |_, call| {
                    remove(call, "incomplete");
                    remove(call, "unrecorded");
                    remove(call, "pending");
                });
            },
        },
        NotCarried {
            what: "no name, no arguments",
            why: "they must be there: an empty name, and the empty object",
            formats: &[CHAT, AI_SDK, ATIF],
            erase: |trajectory| {
                each_call(trajectory, |_, call| {
                    if call.get("name").is_none_or(|name| name == "") {
                        remove(call, "name");
                    }
                    let has_none = call.get("arguments").is_none_or(Value::is_null);
                    if has_none && call.get("rawArguments").is_none_or(|raw| raw == "") {
                        call["arguments"] = json!({});
                    }
                });
            },
        },
        NotCarried {
            what: "whether arguments are a text or a text that is not JSON",
            why: "one member holds both",
            formats: &[AI_SDK, ATIF],
            erase: |trajectory| {
                each_call(trajectory, |_, call| {
                    let text = call.get("arguments").filter(|it| it.is_string());
                    if let Some(text) = text.or(call.get("rawArguments")).cloned() {
                        call["arguments"] = text;
                        remove(call, "rawArguments");
                    }
                });
            },
        },
        NotCarried {
            what: "a result beside an error, and a `null` beside what came back",
            why: "one thing comes of a call",
            formats: &[CHAT, AI_SDK, ATIF],
            erase: |trajectory| {
                each_call(trajectory, |_, call| match call.get("error") {
                    Some(Value::Null) => remove(call, "error"),
                    Some(_) => remove(call, "result"),
                    None => {}
                });
            },
        },
        NotCarried {
            what: "whether a result is a number, `true`, `false` or `null`, or its text",
            why: "results are text",
            formats: &[CHAT, ATIF],
            erase: |trajectory| {
                each_call(trajectory, |_, call| {
                    for key in ["result", "error"] {
                        let scalar = call.get(key).filter(|it| !it.is_object() && !it.is_array());
                        if let Some(scalar) = scalar.filter(|it| !it.is_string()) {
                            call[key] = scalar.to_string().into();
                        }
                    }
                });
            },
        },
        NotCarried {
            what: "that a call failed",
            why: "an error is a result like any other",
            formats: &[CHAT],
            erase: |trajectory| {
                each_call(trajectory, |_, call| {
                    if let Some(error) = call.get("error").cloned() {
                        call["result"] = error;
                        remove(call, "error");
                    }
                });
            },
        },
    ];

    fn remove(object: &mut Value, key: &str) {
        if let Some(members) = object.as_object_mut() {
            members.shift_remove(key);
        }
    }

    fn keep(object: &mut Value, keys: &[&str]) {
        if let Some(members) = object.as_object_mut() {
            members.retain(|key, _| keys.contains(&key.as_str()));
        }
    }

    fn each_turn(trajectory: &mut Value, mut change: impl FnMut(usize, &mut Value)) {
        let turns = trajectory["turns"].as_array_mut().into_iter().flatten();
        turns.enumerate().for_each(|(at, turn)| change(at, turn));
    }

    fn each_call(trajectory: &mut Value, mut change: impl FnMut((usize, usize), &mut Value)) {
        each_turn(trajectory, |turn_at, turn| {
            let calls = turn.get_mut("tool_calls").and_then(Value::as_array_mut);
            let calls = calls.into_iter().flatten().enumerate();
            calls.for_each(|(at, call)| change((turn_at, at), call));
        });
    }

    /// The part of a trajectory that an export to `format` keeps.
    fn carried(trajectory: &Trajectory<'_>, format: ExportFormat) -> Value {
        let mut value = serde_json::to_value(trajectory).expect("plain data");
        for it in NOT_CARRIED.iter().filter(|it| it.formats.contains(&format)) {
            (it.erase)(&mut value);
        }
        value
    }

    #[test]
    fn an_export_is_imported_without_the_properties_that_it_loses() {
        let mut bad = Vec::new();
        for name in fixtures("formats") {
            let arena = Bump::new();
            let read = imported(&arena, &fixture(&name));
            for trajectory in read.value.iter().filter(|it| it.call_count() > 0) {
                for format in [ExportFormat::Harness, CHAT, AI_SDK, ATIF] {
                    let text = exported(trajectory, format);
                    let again = imported(&arena, &text);
                    let found = serde_json::to_value(again.format).expect("a name");
                    assert_eq!(found, format.label(), "{name}: {text}");
                    let (is, was) = (
                        carried(&again.value[0], format),
                        carried(trajectory, format),
                    );
                    if is != was {
                        bad.push(format!("{name} as {}\n  {was}\n  {is}", format.label()));
                    }
                }
            }
        }
        assert!(bad.is_empty(), "{}", bad.join("\n"));
    }

    #[test]
    fn each_lost_property_changes_a_rich_trajectory() {
        let rich = r#"{"trajectory_id":"t","tools":{"f":{"parameters":{}}},"expected_calls":[],"reward":1,
            "turns":[{"turn_id":7,"role":"agent","content":"","timestamp":"noon","tool_calls":[
                {"name":"f","arguments":"x","result":1,"error":"no"},{"id":"b","arguments":null,"result":2,"error":null},
                {"id":"c","name":"g","incomplete":true,"rawArguments":"{"}]},
              {"turn_id":2,"role":"user","content":"x","tool_calls":[{"id":"a","name":"f","arguments":{}}]}]}"#;
        let arena = Bump::new();
        let read = imported(&arena, rich);
        let value = serde_json::to_value(&read.value[0]).expect("plain data");
        for NotCarried {
            what, why, erase, ..
        } in &NOT_CARRIED
        {
            let mut without = value.clone();
            erase(&mut without);
            assert_ne!(without, value, "{what}: {why}");
        }
    }

    /// A trajectory in toolgauge's own shape, and the result of importing that again.
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
    fn an_imported_trajectory_is_imported_unchanged() {
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
