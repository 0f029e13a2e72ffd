//! Checks without a judge whether the values of a call come from the conversation.

use serde::Serialize;

use toolgauge_grounding::{Meanings, Speakers, Transcript, ground};
use toolgauge_model::{Role, ToolCall, Trajectory, Turn};

/// Whether the values of a call that look like identifiers appear in the conversation before it. This is a
/// hint without a model, in addition to the semantic hallucination check.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Groundedness {
    /// The method: comparing values, not asking a judge.
    #[cfg_attr(feature = "typescript", ts(type = "'deterministic'"))]
    pub method: &'static str,
    /// Whether every such value appears earlier. Other values are not checked.
    pub grounded: bool,
    /// The values that do not appear earlier, in order.
    pub ungrounded: Vec<UngroundedValue>,
}

/// A value of a call that does not appear earlier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct UngroundedValue {
    /// The path of the argument.
    pub path: String,
    /// The value.
    pub value: String,
    /// The most similar value in the conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closest: Option<String>,
}

/// Returns `conversation` before `call`. Messages passed as they are may already contain the call itself: an
/// unanswered call of the last turn with the same id, or else with the same name and arguments. It is
/// removed.
pub fn before<'a>(conversation: &Trajectory<'a>, call: &ToolCall<'a>) -> Trajectory<'a> {
    let mut led_to_it = conversation.clone();
    let Some(last) = led_to_it
        .turns
        .last_mut()
        .filter(|turn| turn.role == Role::Agent)
    else {
        return led_to_it;
    };
    let is_it = |made: &ToolCall<'_>| match (made.id, call.id) {
        (Some(made), Some(id)) => made == id,
        _ => made.name == call.name && made.made_arguments() == call.made_arguments(),
    };
    let place = last
        .tool_calls
        .iter()
        .position(|made| made.is_unanswered() && is_it(made));
    if let Some(place) = place {
        last.tool_calls.remove(place);
        if last.tool_calls.is_empty() && last.content.trim().is_empty() {
            led_to_it.turns.pop();
        }
    }
    led_to_it
}

/// Checks whether the values of `call` appear in `led_to_it`, see [`before`]. `None` if that contains no text
/// in which they could appear.
pub fn groundedness<'a>(
    mut led_to_it: Trajectory<'a>,
    call: &ToolCall<'a>,
) -> Option<Groundedness> {
    let has_evidence = |turn: &Turn<'_>| {
        (turn.role != Role::Agent && !turn.content.trim().is_empty()) || !turn.tool_calls.is_empty()
    };
    if !led_to_it.turns.iter().any(has_evidence) {
        return None;
    }
    led_to_it.turns.push(Turn {
        turn_id: 0,
        role: Role::Agent,
        content: "",
        timestamp: None,
        tool_calls: vec![ToolCall {
            result: None,
            error: None,
            ..call.clone()
        }],
        extra: &[],
    });
    let mut meanings = Meanings::default();
    let transcript = Transcript::of(&led_to_it, Speakers::All, &mut meanings.texts);
    let found = ground(&led_to_it, &transcript, &mut meanings)
        .arguments
        .pop();
    let ungrounded: Vec<_> = found
        .into_iter()
        .flatten()
        .map(|argument| UngroundedValue {
            path: argument.path.to_string(),
            value: argument.value,
            closest: argument.closest,
        })
        .collect();
    Some(Groundedness {
        method: "deterministic",
        grounded: ungrounded.is_empty(),
        ungrounded,
    })
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_formats::{import_tool_call, import_trajectory};
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Limits, Reader};

    fn found(messages: &str, call: &str) -> Option<Groundedness> {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let conversation = import_trajectory(arena_json(&arena, messages), None, reader);
        let call = import_tool_call(arena_json(&arena, call), reader).expect("a call");
        groundedness(before(&conversation.expect("messages").value, &call), &call)
    }

    const CALL: &str =
        r#"{"id":"c","function":{"name":"cancel","arguments":"{\"order\":\"W2378156\"}"}}"#;

    #[test]
    fn identifiers_must_appear_earlier() {
        let asked = r#"[{"role":"user","content":"Cancel my order W2378156."}]"#;
        assert!(found(asked, CALL).expect("a hint").grounded);
        let other = r#"[{"role":"user","content":"Cancel my order W2378157."}]"#;
        let hint = found(other, CALL).expect("a hint");
        assert_eq!(hint.ungrounded.len(), 1);
        assert_eq!(hint.ungrounded[0].path, "order");
        assert_eq!(hint.ungrounded[0].closest.as_deref(), Some("W2378157"));
    }

    #[test]
    fn the_call_itself_is_no_evidence() {
        let whole = format!(
            r#"[{{"role":"user","content":"Cancel it."}},{{"role":"assistant","content":null,"tool_calls":[{CALL}]}}]"#
        );
        assert!(!found(&whole, CALL).expect("a hint").grounded);
    }

    #[test]
    fn an_empty_conversation_is_not_checked() {
        assert_eq!(found(r#"[{"role":"user","content":""}]"#, CALL), None);
    }
}
