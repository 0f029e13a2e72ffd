//! Calls that were made wrongly for their context: repeated for nothing, or with arguments that come
//! from nowhere.

use serde::Serialize;

use crate::grounding::UngroundedArgument;
use crate::loops::{Loop, LoopKind};
use crate::model::Path;

/// Why a call counts as misuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum MisuseReason {
    /// The same call is made again and returns the same result. See [`LoopKind::RepeatedCall`].
    RepeatedCall,
    /// A call that failed is made again unchanged and fails with the same error. See
    /// [`LoopKind::RetriedUnchanged`].
    RetriedUnchanged,
    /// The same calls are made again in the same order and return the same results. See
    /// [`LoopKind::RepeatingChain`].
    RepeatingChain,
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
    /// The loop that the call belongs to.
    pub repeated: Option<Loop>,
}

impl Misuse {
    /// The misuse as a sentence.
    pub fn describe(&self) -> String {
        if let Some(repeated) = &self.repeated {
            return repeated.description.clone();
        }
        let path = self.path.as_ref().map_or("", Path::as_str);
        let value = self.value.as_deref().unwrap_or_default();
        let hint = self
            .closest
            .as_ref()
            .map_or(String::new(), |closest| format!("; closest is {closest:?}"));
        format!("{path}: {value:?} stands nowhere before{hint}")
    }
}

impl From<&UngroundedArgument> for Misuse {
    fn from(argument: &UngroundedArgument) -> Self {
        Self {
            reason: MisuseReason::UngroundedArgument,
            path: Some(argument.path.clone()),
            value: Some(argument.value.clone()),
            closest: argument.closest.clone(),
            repeated: None,
        }
    }
}

impl From<Loop> for Misuse {
    fn from(repeated: Loop) -> Self {
        Self {
            reason: match repeated.kind {
                LoopKind::RepeatedCall => MisuseReason::RepeatedCall,
                LoopKind::RetriedUnchanged => MisuseReason::RetriedUnchanged,
                LoopKind::RepeatingChain => MisuseReason::RepeatingChain,
            },
            path: None,
            value: None,
            closest: None,
            repeated: Some(repeated),
        }
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

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
        ungrounded
            .iter()
            .map(|arguments| arguments.iter().map(Misuse::from))
            .map(|misuses| misuses.map(|misuse| misuse.describe()).collect())
            .collect()
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
