//! Finds calls that make no sense in their context: needless repetitions, and arguments that appear nowhere
//! before.

use serde::Serialize;
use serde_json::Value;

use toolgauge_grounding::UngroundedArgument;
use toolgauge_loops::{Loop, LoopKind};
use toolgauge_model::Path;

/// Why a call counts as misuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum MisuseReason {
    /// The same call is repeated and returns the same result. See [`LoopKind::RepeatedCall`].
    RepeatedCall,
    /// A failed call is repeated unchanged and fails with the same error. See [`LoopKind::RetriedUnchanged`].
    RetriedUnchanged,
    /// The same calls are repeated in the same order with the same results. See [`LoopKind::RepeatingChain`].
    RepeatingChain,
    /// An argument looks like an identifier but appears nowhere before the call.
    UngroundedArgument,
}

/// One misuse of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Misuse {
    /// Why the call counts as misuse.
    pub reason: MisuseReason,
    /// The path of the ungrounded argument.
    pub path: Option<Path>,
    /// The value of the ungrounded argument.
    pub value: Option<String>,
    /// The known value that is most similar to it.
    pub closest: Option<String>,
    /// The loop that the call repeats.
    pub repeated: Option<Loop>,
}

impl Misuse {
    /// Describes the misuse in one sentence.
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
        format!("{path}: {value:?} appears nowhere before this call{hint}")
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

/// Phrases in the description of a parameter that let the agent choose the value.
const LEFT_TO_THE_AGENT: [&str; 27] = [
    "a label",
    "a name for",
    "an alias",
    "any string",
    "any unique",
    "arbitrary",
    "choose",
    "descriptive",
    "free text",
    "freely",
    "generate a",
    "idempotency",
    "label for",
    "name of the new",
    "name the",
    "name to",
    "nickname",
    "of your choice",
    "save as",
    "save the",
    "saved",
    "store the",
    "stored",
    "to assign",
    "to save",
    "to store",
    "under which",
];

/// Keywords of a schema whose values the agent knows.
const KNOWN_VALUES: [&str; 5] = ["enum", "const", "default", "examples", "example"];

/// Returns whether `schema` contains the value of an argument, or describes it as something that the agent
/// chooses.
pub fn is_explained_by(schema: &Value, value: &str) -> bool {
    let description = schema.get("description").and_then(Value::as_str);
    let described = description.unwrap_or_default().to_lowercase();
    let is_left = LEFT_TO_THE_AGENT
        .iter()
        .any(|phrase| described.contains(phrase));
    let known = KNOWN_VALUES
        .iter()
        .filter_map(|keyword| schema.get(*keyword));
    let mut known = known.flat_map(|values| match values {
        Value::Array(values) => values.as_slice(),
        one => std::slice::from_ref(one),
    });
    let says = |known: &Value| {
        known
            .as_str()
            .is_some_and(|known| known.eq_ignore_ascii_case(value))
    };
    is_left || described.contains(&value.to_lowercase()) || known.any(says)
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_formats::import_trajectory;
    use toolgauge_grounding::Grounding;
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Limits, Reader};

    /// Returns the misuses of each call after a user said `request`.
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
    fn identifiers_in_arguments_must_appear_earlier() {
        let with = |value: &str| {
            format!(r#"{{"name":"f","arguments":{{"a":{{"id":{value:?}}}}},"result":1}}"#)
        };
        let misuses = |request: &str, value: &str| found(request, &[&with(value)])[0].clone();
        assert_eq!(
            misuses("Where is AB12C?", "AB12D"),
            [r#"a.id: "AB12D" appears nowhere before this call; closest is "AB12C""#]
        );
        assert!(misuses("Where is ab12c?", "AB12C").is_empty());
        assert_eq!(misuses("Write to her.", "kim@example.org").len(), 1);
        assert_eq!(misuses("The flight of May 3", "2024-05-04").len(), 1);
        assert!(misuses("The flight of tomorrow", "2024-05-04").is_empty());
        assert!(misuses("Say hello", "a text about AB12D").is_empty());
    }

    /// Returns the paths of the ungrounded arguments of a call.
    fn invented(request: &str, arguments: &str) -> Vec<String> {
        let call = format!(r#"{{"name":"lookup","arguments":{arguments},"result":1}}"#);
        let found = found(request, &[&call]).remove(0).into_iter();
        let path = |message: String| message.split(':').next().map(str::to_owned);
        found.filter_map(path).collect()
    }

    #[test]
    fn bounds_of_known_periods_are_grounded() {
        for (request, arguments) in [
            (
                "Sales of fiscal 2021 and 2022",
                r#"{"from":"2021-01-01","to":"2022-12-31"}"#,
            ),
            (
                "Sales of Q2 2022",
                r#"{"start":"2022-04-01","end":"2022-07-01"}"#,
            ),
            (
                "All of FY2022",
                r#"{"since":"2022-01-01","before":"2023-01-01"}"#,
            ),
            ("What is due in September?", r#"{"due_max":"2025-09-30"}"#),
            (
                "Notes of March 2022",
                r#"{"range":{"from":"2022-03-01","to":"2022-03-31"}}"#,
            ),
            ("Meetings on 2022-03-05", r#"{"time_max":"2022-03-06"}"#),
            ("Not answered in 3 weeks", r#"{"on":"2025-09-02"}"#),
            ("Was ist nächste Woche?", r#"{"on":"2025-09-02"}"#),
            ("¿Qué hay esta semana?", r#"{"on":"2025-09-02"}"#),
            (
                "It is 2025-09-30. Move it to the 4th.",
                r#"{"on":"2025-10-04"}"#,
            ),
        ] {
            assert_eq!(invented(request, arguments), [""; 0], "{request}");
        }
        for (request, arguments) in [
            ("Sales of 2021", r#"{"from":"2019-01-01"}"#),
            ("Sales of 2021", r#"{"from":"2021-02-11"}"#),
            ("Sales of 2021", r#"{"on":"2021-01-01"}"#),
            ("Notes of March 2022", r#"{"to":"2022-05-31"}"#),
            (
                "It is 2025-09-30. Move it to the 4th.",
                r#"{"on":"2025-10-05"}"#,
            ),
            (
                "It is 2025-09-30. Move it to the 4th.",
                r#"{"on":"2025-03-04"}"#,
            ),
        ] {
            assert_eq!(invented(request, arguments).len(), 1, "{request}");
        }
    }

    #[test]
    fn values_that_the_agent_or_platform_chooses_need_no_source() {
        for arguments in [
            r#"{"label":"run_7b"}"#,
            r#"{"file_name":"totals_2022_v3"}"#,
            r#"{"cache_key":"totals_2022_v3"}"#,
            r#"{"request_id":"req_88a1"}"#,
            r#"{"algorithm":"sha256"}"#,
        ] {
            assert_eq!(invented("Add them up", arguments), [""; 0], "{arguments}");
        }
        assert_eq!(
            invented("Add them up", r#"{"order_id":"RX_88a1"}"#),
            ["order_id"]
        );
    }

    #[test]
    fn addresses_are_recognized_inside_any_text() {
        for request in [
            r#"My address is "li.wei@mail.example", thanks."#,
            "It's'li.wei@mail.example'",
            r#"{\"mail\":\"li.wei@mail.example\"}"#,
        ] {
            let arguments = r#"{"to":"li.wei@mail.example"}"#;
            assert_eq!(invented(request, arguments), [""; 0], "{request}");
        }
        let result = r#"{"name":"g","arguments":{},"result":"{'page': 'https:\\/\\/shop.example\\/p?a=1'}"}"#;
        let next = r#"{"name":"f","arguments":{"url":"https://shop.example/p?a=1"},"result":1}"#;
        assert!(found("Open it", &[result, next])[1].is_empty());
    }

    #[test]
    fn schemas_explain_listed_and_free_values() {
        let explains = |schema: &str| {
            let schema: Value = serde_json::from_str(schema).expect("a schema");
            is_explained_by(&schema, "plan_b2")
        };
        assert!(explains(r#"{"enum":["plan_a1","plan_b2"]}"#));
        assert!(explains(r#"{"default":"plan_b2"}"#));
        assert!(explains(r#"{"description":"A slot to save the draft in"}"#));
        assert!(explains(r#"{"description":"Such as PLAN_B2"}"#));
        assert!(!explains(
            r#"{"type":"string","description":"The plan of the customer"}"#
        ));
    }
}
