//! Counts what an export leaves out because the format has no member for it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::atif;
use super::{ExportFormat, outcome_of};
use toolgauge_model::{Json, Member, Role, ToolCall, Trajectory, Turn, start_of};

/// Longer field names are cut, because they come from the input.
const LONGEST_NAME: usize = 64;

/// At most this many fields are counted by name. All others are counted together.
const MOST_FIELDS: usize = 24;

/// The name under which all other fields are counted.
const OTHER_FIELDS: &str = "others";

/// What an export left out because the format has no member for it, and how often. Losses of several
/// trajectories add up.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportLosses {
    /// How often each thing was left out. Things that were not left out are absent.
    pub things: BTreeMap<Lost, u64>,
    /// How often each field was left out that toolgauge keeps without knowing it, such as `turn.usage`.
    pub fields: BTreeMap<String, u64>,
}

/// A thing that a format may have no member for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lost {
    /// The id of a trajectory.
    Id,
    /// Tool definitions.
    Tools,
    /// Expected calls.
    ExpectedCalls,
    /// The number of a turn, if it is not its position.
    TurnNumber,
    /// The time of a turn.
    Timestamp,
    /// Calls in a turn of somebody other than the agent.
    CallOfOther,
    /// The failure of a call: its error is written as a result.
    Failure,
    /// A result beside an error.
    ResultBesideError,
    /// The mark of a call that is incomplete, is not recorded in full, or has not run yet.
    Incomplete,
}

impl ExportLosses {
    /// Whether the export left nothing out.
    pub fn is_empty(&self) -> bool {
        self.things.is_empty() && self.fields.is_empty()
    }

    /// Adds what an export of `trajectory` to `format` leaves out.
    pub fn add(&mut self, trajectory: &Trajectory<'_>, format: ExportFormat) {
        if format == ExportFormat::Harness {
            return;
        }
        let is_atif = format == ExportFormat::Atif;
        let id = trajectory.trajectory_id.filter(|_| !is_atif);
        self.count(Lost::Id, id.is_some());
        let tools = trajectory
            .tools
            .filter(|tools| !(is_atif && tools.items().is_some()));
        self.count(Lost::Tools, tools.is_some_and(|tools| !tools.is_null()));
        self.count(Lost::ExpectedCalls, trajectory.expected_calls.is_some());
        for (key, value) in trajectory.extra {
            match value.members() {
                Some(agent) if is_atif && *key == "agent" => {
                    let lost = agent
                        .iter()
                        .filter(|(key, value)| !atif::keeps_of_agent(key, *value));
                    lost.for_each(|(key, _)| self.field("agent", key));
                }
                _ => self.field("trajectory", key),
            }
        }
        for (at, turn) in trajectory.turns.iter().enumerate() {
            self.add_turn(turn, at, format);
        }
    }

    fn add_turn(&mut self, turn: &Turn<'_>, at: usize, format: ExportFormat) {
        self.count(Lost::TurnNumber, turn.turn_id != at as i64 + 1);
        let is_kept = |time: &&str| format == ExportFormat::Atif && atif::is_iso(time);
        self.count(
            Lost::Timestamp,
            turn.timestamp.is_some_and(|time| !is_kept(&time)),
        );
        self.fields("turn", turn.extra);
        for call in &turn.tool_calls {
            match turn.role {
                Role::Agent => self.add_call(call, format),
                Role::User | Role::System => self.count(Lost::CallOfOther, true),
            }
        }
    }

    fn add_call(&mut self, call: &ToolCall<'_>, format: ExportFormat) {
        let failed = matches!(outcome_of(call), Some((_, true)));
        self.count(Lost::Failure, failed && format == ExportFormat::OpenaiChat);
        let has_result = call
            .result
            .is_some_and(|result: Json<'_>| !result.is_null());
        self.count(Lost::ResultBesideError, failed && has_result);
        let is_marked = call.incomplete || call.unrecorded || call.pending;
        self.count(Lost::Incomplete, is_marked);
        self.fields("call", call.extra);
    }

    fn count(&mut self, thing: Lost, is_lost: bool) {
        if is_lost {
            *self.things.entry(thing).or_default() += 1;
        }
    }

    fn fields(&mut self, owner: &str, members: &[Member<'_>]) {
        members.iter().for_each(|(key, _)| self.field(owner, key));
    }

    fn field(&mut self, owner: &str, key: &str) {
        let name = format!("{owner}.{}", start_of(key, LONGEST_NAME));
        let is_named = self.fields.contains_key(&name) || self.fields.len() < MOST_FIELDS;
        let name = if is_named {
            name
        } else {
            OTHER_FIELDS.to_owned()
        };
        *self.fields.entry(name).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::imported;

    fn lost(text: &str, format: ExportFormat) -> String {
        let arena = Bump::new();
        let mut losses = ExportLosses::default();
        for trajectory in &imported(&arena, text).value {
            losses.add(trajectory, format);
        }
        let written = serde_json::to_string(&losses).expect("plain data");
        written.replace('"', "")
    }

    const RICH: &str = r#"{"trajectory_id":"t","tools":{"f":{}},"expected_calls":[],"reward":1,
        "agent":{"name":"a","temperature":0},
        "turns":[{"turn_id":7,"role":"agent","content":"","timestamp":"2024-05-16T10:00:00Z","usage":3,"tool_calls":[
            {"name":"f","arguments":{},"result":1,"error":"no","latency":2},{"name":"g","incomplete":true}]},
          {"turn_id":2,"role":"user","content":"x","timestamp":"noon","tool_calls":[{"name":"f"}]}]}"#;

    #[test]
    fn losses_are_counted_for_each_format() {
        assert_eq!(lost(RICH, ExportFormat::Harness), "{things:{},fields:{}}");
        assert_eq!(
            lost(RICH, ExportFormat::OpenaiChat),
            "{things:{id:1,tools:1,expected-calls:1,turn-number:1,timestamp:2,call-of-other:1,\
             failure:1,result-beside-error:1,incomplete:1},\
             fields:{call.latency:1,trajectory.agent:1,trajectory.reward:1,turn.usage:1}}"
        );
        assert_eq!(
            lost(RICH, ExportFormat::AiSdkModel),
            lost(RICH, ExportFormat::OpenaiChat).replace("failure:1,", "")
        );
        assert_eq!(
            lost(RICH, ExportFormat::Atif),
            "{things:{tools:1,expected-calls:1,turn-number:1,timestamp:1,call-of-other:1,\
             result-beside-error:1,incomplete:1},\
             fields:{agent.temperature:1,call.latency:1,trajectory.reward:1,turn.usage:1}}"
        );
    }

    #[test]
    fn plain_messages_lose_nothing() {
        let plain = r#"[{"role":"user","content":"x"},{"role":"assistant","content":null,"tool_calls":[
            {"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"a","content":"1"}]"#;
        for format in [
            ExportFormat::OpenaiChat,
            ExportFormat::AiSdkModel,
            ExportFormat::Atif,
        ] {
            assert_eq!(lost(plain, format), "{things:{},fields:{}}", "{format:?}");
        }
    }

    #[test]
    fn only_the_first_of_many_fields_are_counted_by_name() {
        let fields: Vec<_> = (10..90).map(|at| format!("\"f{at}\":1")).collect();
        let text = format!("{{\"turns\":[],{}}}", fields.join(","));
        let written = lost(&text, ExportFormat::OpenaiChat);
        assert!(
            written.contains("{others:56,trajectory.f10:1")
                && written.contains("trajectory.f33:1}"),
            "{written}"
        );
    }
}
