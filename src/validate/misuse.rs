//! Calls that were made wrongly for their context: repeated for nothing, or with arguments that come
//! from nowhere.

use foldhash::HashSet;
use serde::Serialize;

use crate::grounding::{Outcome, UngroundedArgument, outcome_of};
use crate::model::{Json, Path, Role, ToolCall, Trajectory};

/// Why a call counts as misuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum MisuseReason {
    /// The same call had just succeeded.
    RepeatedCall,
    /// The same call had just failed.
    RetriedUnchanged,
    /// An argument that looks like an identifier stands nowhere before.
    UngroundedArgument,
}

/// One misuse of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Misuse {
    /// Why it is one.
    pub reason: MisuseReason,
    /// The argument, for one that comes from nowhere.
    pub path: Option<Path>,
    /// What the argument says.
    pub value: Option<String>,
    /// The known value that is nearest to it.
    pub closest: Option<String>,
}

impl Misuse {
    /// The misuse as a sentence.
    pub fn describe(&self) -> String {
        match (self.reason, &self.path, &self.value) {
            (MisuseReason::RepeatedCall, ..) => "the same call had just succeeded".to_owned(),
            (MisuseReason::RetriedUnchanged, ..) => {
                "the same call had just failed, and is retried unchanged".to_owned()
            }
            (MisuseReason::UngroundedArgument, path, value) => {
                let path = path.as_ref().map_or("", Path::as_str);
                let value = value.as_deref().unwrap_or_default();
                let hint = self
                    .closest
                    .as_ref()
                    .map_or(String::new(), |closest| format!("; closest is {closest:?}"));
                format!("{path}: {value:?} stands nowhere before{hint}")
            }
        }
    }
}

impl From<&UngroundedArgument> for Misuse {
    fn from(argument: &UngroundedArgument) -> Self {
        Self {
            reason: MisuseReason::UngroundedArgument,
            path: Some(argument.path.clone()),
            value: Some(argument.value.clone()),
            closest: argument.closest.clone(),
        }
    }
}

impl From<MisuseReason> for Misuse {
    fn from(reason: MisuseReason) -> Self {
        Self {
            reason,
            path: None,
            value: None,
            closest: None,
        }
    }
}

/// For each call of the agent, in order, whether it repeats one for nothing.
pub fn repetitions(trajectory: &Trajectory<'_>) -> Vec<Option<MisuseReason>> {
    let mut recent = Recent::default();
    let mut found = Vec::new();
    for turn in &trajectory.turns {
        match turn.role {
            Role::Agent => {
                let calls = turn.tool_calls.iter();
                found.extend(calls.clone().map(|call| recent.judge(call)));
                calls.for_each(|call| recent.remember(call));
            }
            Role::User => recent.forget_all(),
            Role::System => {}
        }
    }
    found
}

/// The calls since the user spoke that a next one would repeat for nothing.
#[derive(Default)]
struct Recent<'a> {
    /// The tool that succeeded last, and the calls of it that did since another tool has.
    tool: Option<&'a str>,
    succeeded: Calls<'a>,
    /// The calls that failed since any succeeded.
    failed: Calls<'a>,
}

impl<'a> Recent<'a> {
    fn judge(&mut self, call: &ToolCall<'a>) -> Option<MisuseReason> {
        let key = key_of(call)?;
        if self.failed.hold(&key) {
            Some(MisuseReason::RetriedUnchanged)
        } else if self.tool == call.name && self.succeeded.hold(&key) {
            Some(MisuseReason::RepeatedCall)
        } else {
            None
        }
    }

    fn forget_all(&mut self) {
        self.tool = None;
        self.succeeded.clear();
        self.failed.clear();
    }

    /// A call of another tool may change what the next call of this one returns.
    fn remember(&mut self, call: &ToolCall<'a>) {
        let key = key_of(call);
        match outcome_of(call) {
            Outcome::Missing => {}
            Outcome::Error(_) => {
                if let Some(key) = key {
                    if self.tool == call.name {
                        self.succeeded.forget(&key);
                    }
                    self.failed.new.push(key);
                }
            }
            _ => {
                if self.tool != call.name {
                    self.succeeded.clear();
                }
                self.tool = call.name;
                self.failed.clear();
                self.succeeded.new.extend(key);
            }
        }
    }
}

/// A set of calls. There are mostly few, and to hash one takes longer than to compare it.
#[derive(Default)]
struct Calls<'a> {
    hashed: HashSet<Key<'a>>,
    new: Vec<Key<'a>>,
}

/// So many calls are compared one by one.
const FEW: usize = 4;

impl<'a> Calls<'a> {
    fn hold(&mut self, key: &Key<'a>) -> bool {
        self.hash_many();
        self.new.contains(key) || self.hashed.contains(key)
    }

    fn forget(&mut self, key: &Key<'a>) {
        self.hash_many();
        self.new.retain(|new| new != key);
        if !self.hashed.is_empty() {
            self.hashed.remove(key);
        }
    }

    fn hash_many(&mut self) {
        if self.new.len() > FEW {
            self.hashed.extend(self.new.drain(..));
        }
    }

    fn clear(&mut self) {
        self.hashed.clear();
        self.new.clear();
    }
}

type Key<'a> = (Option<&'a str>, Json<'a>);

/// What makes two calls the same; `None` for a call of which not all is known.
fn key_of<'a>(call: &ToolCall<'a>) -> Option<Key<'a>> {
    let text = call.raw_arguments.map(Json::String);
    let arguments = call.arguments.or(text).unwrap_or_default();
    (!call.incomplete).then_some((call.name, arguments))
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;
    use proptest::prelude::*;

    use super::*;
    use crate::formats::import_trajectory;
    use crate::grounding::Grounding;
    use crate::model::testing::arena_json;
    use crate::model::{Limits, Reader};

    /// The misuses of each call after a user said `request`.
    fn found(request: &str, calls: &[&str]) -> Vec<Vec<String>> {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let turns: Vec<_> = calls
            .iter()
            .enumerate()
            .map(|(at, call)| {
                format!(
                    r#"{{"turn_id":{},"role":"agent","tool_calls":[{call}]}}"#,
                    at + 2
                )
            })
            .collect();
        let request = serde_json::Value::from(request);
        let text = format!(
            r#"[{{"turn_id":1,"role":"user","content":{request}}},{}]"#,
            turns.join(",")
        );
        let trajectory = import_trajectory(arena_json(&arena, &text), None, reader)
            .expect("turns")
            .value;
        let ungrounded = Grounding::of(&trajectory).arguments;
        let repetitions = repetitions(&trajectory);
        repetitions
            .into_iter()
            .zip(&ungrounded)
            .map(|(repetition, arguments)| {
                let repetition = repetition.map(Misuse::from).into_iter();
                let misuses = repetition.chain(arguments.iter().map(Misuse::from));
                misuses.map(|misuse| misuse.describe()).collect()
            })
            .collect()
    }

    const LOOK_UP: &str = r#"{"name":"f","arguments":{"q":"a"},"result":1}"#;
    const FAIL: &str = r#"{"name":"f","arguments":{"q":"a"},"error":"no"}"#;
    const CHANGE: &str = r#"{"name":"g","arguments":{},"result":"done"}"#;

    #[test]
    fn a_call_that_just_succeeded_need_not_be_repeated() {
        assert_eq!(
            found("hi", &[LOOK_UP, LOOK_UP])[1],
            ["the same call had just succeeded"]
        );
        assert!(found("hi", &[LOOK_UP, CHANGE, LOOK_UP])[2].is_empty());
        let other = r#"{"name":"f","arguments":{"q":"b"},"result":1}"#;
        assert!(found("hi", &[LOOK_UP, other])[1].is_empty());
    }

    #[test]
    fn a_call_that_failed_is_not_mended_by_itself() {
        assert_eq!(
            found("hi", &[FAIL, FAIL])[1],
            ["the same call had just failed, and is retried unchanged"]
        );
        assert!(found("hi", &[FAIL, CHANGE, FAIL])[2].is_empty());
        let other = r#"{"name":"f","arguments":{"q":"b"},"error":"no"}"#;
        assert!(found("hi", &[FAIL, other])[1].is_empty());
        assert_eq!(found("hi", &[FAIL, other, FAIL])[2].len(), 1);
        assert_eq!(found("hi", &[LOOK_UP, FAIL, LOOK_UP])[2].len(), 1);
    }

    #[test]
    fn calls_of_which_not_all_is_known_repeat_nothing() {
        let unseen = r#"{"name":"f","incomplete":true,"result":1}"#;
        assert!(found("hi", &[unseen, unseen])[1].is_empty());
        let half = r#"{"name":"f","arguments":{"id":"AB12"},"incomplete":true,"result":1}"#;
        assert!(
            found("hi", &[half, half])[1]
                .iter()
                .all(|it| !it.contains("same call"))
        );
        let text = |text: &str| format!(r#"{{"name":"f","rawArguments":"{text}","error":"no"}}"#);
        assert!(found("hi", &[&text("{a"), &text("{b")])[1].is_empty());
        assert_eq!(found("hi", &[&text("{a"), &text("{a")])[1].len(), 1);
    }

    #[test]
    fn identifiers_in_arguments_must_come_from_somewhere() {
        let with = |value: &str| {
            format!(r#"{{"name":"f","arguments":{{"a":{{"id":{value:?}}}}},"result":1}}"#)
        };
        let judged = |request: &str, value: &str| found(request, &[&with(value)])[0].clone();
        assert_eq!(
            judged("Where is AB12C?", "AB12D"),
            [r#"a.id: "AB12D" stands nowhere before; closest is "AB12C""#]
        );
        assert!(judged("Where is ab12c?", "AB12C").is_empty());
        assert_eq!(judged("Write to her.", "kim@example.org").len(), 1);
        assert_eq!(judged("The flight of May 3", "2024-05-04").len(), 1);
        assert!(judged("The flight of tomorrow", "2024-05-04").is_empty());
        assert!(judged("Say hello", "a text about AB12D").is_empty());
    }

    #[derive(Debug, Clone, Copy)]
    enum Step {
        UserSpeaks,
        Calls(&'static str, u8, Option<bool>),
    }

    /// The repetitions as they are defined, by looking back from each call.
    fn defined(steps: &[Step]) -> Vec<Option<MisuseReason>> {
        let reason_at = |(at, step): (usize, &Step)| {
            let Step::Calls(tool, argument, _) = *step else {
                return None;
            };
            let since_user = steps[..at].iter().rev().map_while(|step| match *step {
                Step::Calls(tool, argument, outcome) => Some((tool, argument, outcome)),
                Step::UserSpeaks => None,
            });
            let answered = since_user
                .filter_map(|(tool, argument, outcome)| Some(((tool, argument), outcome?)));
            let before: Vec<_> = answered.collect();
            let same = (tool, argument);
            let mut since_success = before.iter().take_while(|(_, succeeded)| !succeeded);
            let mut decisive = before
                .iter()
                .filter(|(call, succeeded)| *call == same || (*succeeded && call.0 != tool));
            Some(if since_success.any(|(call, _)| *call == same) {
                Some(MisuseReason::RetriedUnchanged)
            } else if decisive.next() == Some(&(same, true)) {
                Some(MisuseReason::RepeatedCall)
            } else {
                None
            })
        };
        steps.iter().enumerate().filter_map(reason_at).collect()
    }

    fn any_step() -> impl Strategy<Value = Step> {
        let tool = prop_oneof![9 => Just("f"), 1 => Just("g")];
        let outcome = prop::option::weighted(0.9, prop::bool::weighted(0.8));
        let call = (tool, 0..8_u8, outcome);
        prop_oneof![
            1 => Just(Step::UserSpeaks),
            6 => call.prop_map(|(tool, argument, outcome)| Step::Calls(tool, argument, outcome)),
        ]
    }

    proptest! {
        #[test]
        fn repetitions_are_those_of_the_definition(steps in prop::collection::vec(any_step(), 0..40)) {
            let turns = steps.iter().map(|step| match step {
                Step::UserSpeaks => r#"{"turn_id":1,"role":"user","content":"Go on"}"#.to_owned(),
                Step::Calls(tool, argument, outcome) => {
                    let outcome = match outcome {
                        None => "",
                        Some(true) => r#","result":7"#,
                        Some(false) => r#","error":"no""#,
                    };
                    format!(
                        r#"{{"turn_id":1,"role":"agent","content":"","tool_calls":[{{"name":"{tool}","arguments":{{"a":{argument}}}{outcome}}}]}}"#
                    )
                }
            });
            let text = format!(r#"{{"turns":[{}]}}"#, turns.collect::<Vec<_>>().join(","));
            let arena = Bump::new();
            let reader = Reader::new(&arena, Limits::default());
            let imported = import_trajectory(arena_json(&arena, &text), None, reader);
            prop_assert_eq!(repetitions(&imported.expect("turns").value), defined(&steps));
        }
    }
}
