//! Rows of NeMo Gym: `{responses_create_params: {input, tools}, response: {output}, reward}`, a request and a
//! response of the OpenAI Responses API beside what the verifier said. An `expected_action` or
//! `expected_answers` are the expected calls.

use crate::kit::calls::read_list;
use crate::kit::conversation::Conversation;
use crate::kit::dialects::openai_exchange::{read_output, read_request, tools_of};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::signs::{items, kind};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{ExpectedCall, Json, Path, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::NemoGym,
    marks: &[],
    likeness,
    read,
};

const REQUEST: &str = "responses_create_params";
const RESPONSE: &str = "response";

/// The members that may hold the expected calls. The first that does counts.
const EXPECTED: [&str; 2] = ["expected_action", "expected_answers"];

/// The member with the steps in an environment, whose actions the response repeats in part.
const STEPS: &str = "trajectory";

fn likeness(value: Json<'_>) -> Likeness {
    match value.get(REQUEST) {
        Some(Json::Object(_)) => Likeness::Full,
        Some(_) => Likeness::Partial("an object as `responses_create_params`"),
        None => Likeness::None,
    }
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let row = Fields::of(
        value,
        Path::root(),
        "a row: {responses_create_params, response}",
    )?;
    let part = |key| {
        let part = row.get(key).unwrap_or_default();
        Fields::of(part, row.path().key(key), "an object")
    };
    let mut conversation = Conversation::default();
    let request = part(REQUEST)?;
    read_request(&request, &mut conversation, import)?;
    let response = row.get(RESPONSE).unwrap_or_default();
    match response {
        Json::Null => import.warn(row.path(), "this row was not run: it has no `response`"),
        _ => read_output(&part(RESPONSE)?, &mut conversation, import)?,
    }
    if items(value, STEPS).iter().any(holds_call) {
        let what = "these steps are kept as they are: only the calls of the response are read";
        import.warn(&row.path().key(STEPS), what);
    }
    let lists = [items(request.value(), "input"), items(response, "output")];
    let offered = [request.value(), response].into_iter().find_map(offered_by);
    let expected_calls = read_expected(&row, import);
    let is_read = expected_calls.is_some();
    let id = row.text("uuid").or_else(|| response.get("id")?.as_str());
    let extra = row.rest(import.arena(), |key, _| {
        matches!(key, REQUEST | RESPONSE) || is_read && is_one_of(key, &EXPECTED)
    });
    let usage = response.get("usage").filter(|usage| is_used(*usage));
    let usage: Vec<_> = usage.map(|usage| ("usage", usage)).into_iter().collect();
    Ok(vec![Trajectory {
        trajectory_id: id,
        turns: conversation.into_turns(),
        tools: tools_of(offered, &lists, import),
        expected_calls,
        extra: import.merge(extra, &usage),
    }])
}

/// Whether a usage counts any token. Agents that do not know it write 0.
fn is_used(usage: Json<'_>) -> bool {
    let counts = ["input_tokens", "output_tokens"].map(|key| usage.get(key));
    let is_positive = |it: Json<'_>| matches!(it, Json::Number(count) if count.as_f64() > 0.0);
    counts.into_iter().flatten().any(is_positive)
}

fn holds_call(step: &Json<'_>) -> bool {
    let action = step.get("action").unwrap_or_default();
    action.get("name").is_some()
}

/// The tools of a request or a response. Agents that bring their own tools write an empty list.
fn offered_by(part: Json<'_>) -> Option<Json<'_>> {
    let tools = part.get("tools")?;
    (!tools.items()?.is_empty()).then_some(tools)
}

/// The expected calls. If a message is expected, there are none; what is no list of calls stays as it is.
fn read_expected<'a>(row: &Fields<'a>, import: &mut Import<'a>) -> Option<Vec<ExpectedCall<'a>>> {
    let (key, expected) = EXPECTED
        .iter()
        .find_map(|key| Some((*key, row.get(key)?)))?;
    let calls = match import.nested(expected) {
        Json::Array(calls) => calls,
        batch if batch.get("calls").is_some() => batch.get("calls")?.items()?,
        action if kind(action) == Some("message") => &[],
        action @ Json::Object(_) => import.slice(action),
        _ => return None,
    };
    let path = row.path().key(key);
    let read = read_list(calls, &path, import.reader);
    let unread = |error: toolgauge_model::error::Error| import.warn(&path, error.to_string());
    read.map_err(unread).ok()
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};
    use toolgauge_model::{Number, Role};

    const ROW: &str = r#"{"responses_create_params":{"input":"Go","tools":[]},
        "response":{"object":"response","output":[{"type":"function_call","call_id":"c","name":"noop","arguments":"{}"}]}"#;

    fn expected_of(rest: &str) -> (Option<usize>, usize) {
        let arena = Bump::new();
        let read = imported(&arena, &format!("{ROW},{rest}}}"));
        let expected = read.value[0].expected_calls.as_ref();
        (expected.map(Vec::len), read.warnings.len())
    }

    #[test]
    fn a_row_holds_the_request_the_response_and_the_tools() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            fixture("nemo-gym/rollouts.jsonl")
                .lines()
                .next()
                .expect("a row"),
        );
        assert_eq!(read.format, TrajectoryFormat::NemoGym);
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("resp_1"));
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"call_1","name":"open_gate","arguments":{"gate":"north"},"result":{"open":true},"item_id":"fc_1"}"#
            ]
        );
        assert!(trajectory.tools.is_some());
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn an_agent_with_its_own_tools_carries_none() {
        let arena = Bump::new();
        let read = imported(&arena, &format!("{ROW}}}"));
        assert_eq!(read.value[0].tools, None);
        assert_eq!(
            turns_of(&read.value[0])[0],
            (Role::User, "Go".to_owned(), 0)
        );
    }

    #[test]
    fn what_the_verifier_expects_are_expected_calls() {
        let call = r#"{"type":"function_call","name":"f","arguments":"{\"n\":1}"}"#;
        assert_eq!(
            expected_of(&format!(r#""expected_action":{call}"#)),
            (Some(1), 0)
        );
        assert_eq!(
            expected_of(&format!(r#""expected_answers":[{call},{call}]"#)),
            (Some(2), 0)
        );
        let batch = format!(
            r#""expected_action":{{"type":"function_call_batch","calls":[{call},{call}]}}"#
        );
        assert_eq!(expected_of(&batch), (Some(2), 0));
        let message = r#""expected_action":{"type":"message","content":"Done."}"#;
        assert_eq!(expected_of(message), (Some(0), 0));
        assert_eq!(expected_of(r#""expected_action":"left""#), (None, 0));
        assert_eq!(expected_of(r#""expected_action":{"x":1}"#), (None, 1));
    }

    #[test]
    fn the_usage_of_the_response_is_that_of_the_run() {
        let arena = Bump::new();
        let row = |used: u32| {
            let response = format!(
                r#""response":{{"output":[],"usage":{{"input_tokens":{used},"output_tokens":0}}}}"#
            );
            format!(r#"{{"responses_create_params":{{"input":"Go"}},{response}}}"#)
        };
        let read = imported(&arena, &row(7));
        let usage = Json::Object(read.value[0].extra).get("usage");
        let count = usage.and_then(|usage| usage.get("input_tokens"));
        assert_eq!(count, Some(Json::Number(Number::Unsigned(7))));
        assert!(imported(&arena, &row(0)).value[0].extra.is_empty());
    }

    #[test]
    fn steps_in_an_environment_and_a_missing_response_are_warnings() {
        let arena = Bump::new();
        let steps =
            r#""trajectory":[{"action":{"name":"set","arguments":{}},"observation":"t=0"}]"#;
        let read = imported(&arena, &format!("{ROW},{steps}}}"));
        assert_eq!(calls_of(&read.value[0]).len(), 1);
        assert_eq!(read.warnings[0].path, "trajectory");
        assert_eq!(read.value[0].extra[0].0, "trajectory");
        let read = imported(&arena, r#"{"responses_create_params":{"input":[]}}"#);
        assert!(read.warnings[0].message.contains("was not run"));
    }

    #[test]
    fn the_error_names_the_part_with_another_shape() {
        let path = |text: &str| failure(text).report().path.unwrap_or_default().to_string();
        assert_eq!(
            path(r#"{"responses_create_params":{"input":7},"response":{"output":[]}}"#),
            "responses_create_params.input"
        );
        assert_eq!(
            path(r#"{"responses_create_params":{"input":[]},"response":{"output":7}}"#),
            "response.output"
        );
        let error = failure(r#"{"responses_create_params":7}"#).to_string();
        assert!(
            error.contains("nemo-gym, but it lacks an object"),
            "{error}"
        );
    }
}
