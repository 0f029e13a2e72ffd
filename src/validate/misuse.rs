//! Calls that were made wrongly for their context: repeated for nothing, or with arguments that come
//! from nowhere.

use std::collections::HashMap;

use serde::Serialize;

use crate::facts::{Fact, FactKind, FactValue, facts};
use crate::grounding::{Evidence, Outcome, Source, outcome_of};
use crate::model::{Json, Path, Role, ToolCall, Trajectory};

/// Words of a user that let an agent work out a date by itself.
const RELATIVE_DATES: [&str; 24] = [
    "today",
    "tomorrow",
    "yesterday",
    "tonight",
    "next",
    "last",
    "this",
    "now",
    "week",
    "month",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "day",
    "days",
    "heute",
    "morgen",
    "demain",
    "mañana",
    "i morgen",
];

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

/// The misuses of each call of a trajectory, in the order of the calls; with `ground_arguments` those
/// too whose arguments come from nowhere.
pub fn misuses(trajectory: &Trajectory<'_>, ground_arguments: bool) -> Vec<Vec<Misuse>> {
    let mut watch = Watch {
        grounds: ground_arguments,
        ..Watch::default()
    };
    let mut found = Vec::new();
    for turn in &trajectory.turns {
        if turn.role != Role::Agent {
            watch.hear(turn.content, turn.role);
            continue;
        }
        let heard: Vec<_> = turn
            .tool_calls
            .iter()
            .map(|call| watch.judge(call))
            .collect();
        for call in &turn.tool_calls {
            watch.remember(call);
        }
        found.extend(heard);
    }
    found
}

/// What is known so far in a trajectory.
#[derive(Default)]
struct Watch<'a> {
    grounds: bool,
    evidence: Evidence<'a>,
    has_evidence: bool,
    says_relative_date: bool,
    recent: HashMap<(Option<&'a str>, Json<'a>), bool>,
}

impl<'a> Watch<'a> {
    fn hear(&mut self, text: &'a str, role: Role) {
        if self.grounds {
            self.evidence.add_text(text);
            self.has_evidence |= !text.trim().is_empty();
        }
        if role == Role::User {
            let mut words = text.split(|c: char| !c.is_alphanumeric());
            self.says_relative_date |= words.any(|word| {
                RELATIVE_DATES
                    .iter()
                    .any(|relative| word.eq_ignore_ascii_case(relative))
            });
            self.recent.clear();
        }
    }

    fn judge(&mut self, call: &ToolCall<'a>) -> Vec<Misuse> {
        let arguments = call.arguments.unwrap_or_default();
        let mut found = Vec::new();
        if let Some(succeeded) = self.recent.get(&(call.name, arguments)) {
            found.push(Misuse {
                reason: if *succeeded {
                    MisuseReason::RepeatedCall
                } else {
                    MisuseReason::RetriedUnchanged
                },
                path: None,
                value: None,
                closest: None,
            });
        }
        if self.has_evidence {
            self.judge_values(arguments, &Path::root(), &mut found);
        }
        found
    }

    fn judge_values(&mut self, json: Json<'a>, path: &Path, found: &mut Vec<Misuse>) {
        match json {
            Json::String(text) => self.judge_text(text, path, found),
            Json::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.judge_values(*item, &path.index(at), found);
                }
            }
            Json::Object(members) => {
                for (key, value) in members {
                    self.judge_values(*value, &path.key(key), found);
                }
            }
            _ => {}
        }
    }

    /// Only a text that is an identifier as a whole is one: prose and code may mention anything.
    fn judge_text(&mut self, text: &str, path: &Path, found: &mut Vec<Misuse>) {
        let stated = facts(text);
        let [fact] = stated.as_slice() else { return };
        if fact.text.len() != text.trim().len()
            || !self.must_be_known(fact)
            || self.evidence.holds(fact)
        {
            return;
        }
        let closest = self
            .evidence
            .nearest(fact)
            .map(|known| known.text.to_string());
        found.push(Misuse {
            reason: MisuseReason::UngroundedArgument,
            path: Some(path.clone()),
            value: Some(text.to_owned()),
            closest,
        });
    }

    fn must_be_known(&self, fact: &Fact<'_>) -> bool {
        match fact.kind {
            FactKind::Identifier | FactKind::Email | FactKind::Url => true,
            FactKind::Date => {
                let is_day = matches!(&fact.value, FactValue::Date(date) if date.day.is_some());
                is_day && !self.says_relative_date
            }
            _ => false,
        }
    }

    fn add_evidence(&mut self, call: &ToolCall<'a>) {
        let arguments = call.arguments.unwrap_or_default();
        self.evidence
            .add_json(arguments, |value| Source::Arguments { call: 0, value });
        for outcome in [call.result, call.error].into_iter().flatten() {
            self.evidence
                .add_json(outcome, |value| Source::Result { call: 0, value });
        }
        self.has_evidence = true;
    }

    /// A call of another tool may change what the next call of this one returns.
    fn remember(&mut self, call: &ToolCall<'a>) {
        let arguments = call.arguments.unwrap_or_default();
        if self.grounds {
            self.add_evidence(call);
        }
        let succeeded = match outcome_of(call) {
            Outcome::Missing => return,
            Outcome::Error(_) => false,
            _ => true,
        };
        if succeeded {
            self.recent
                .retain(|(name, _), succeeded| *name == call.name && *succeeded);
        }
        self.recent.insert((call.name, arguments), succeeded);
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::formats::import_trajectory;
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
        let misuses = misuses(&trajectory, true).into_iter();
        misuses
            .map(|of_call| of_call.iter().map(Misuse::describe).collect())
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
}
