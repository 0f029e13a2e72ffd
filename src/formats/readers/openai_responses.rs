//! The OpenAI Responses API: one item or a list, a request `{instructions, input, tools}`, a response
//! `{object: "response", output}`, or both in one object.

use crate::kit::conversation::Conversation;
use crate::kit::dialects::openai_exchange::{are_messages, read_output, read_request, tools_of};
use crate::kit::dialects::openai_items::{is_call_or_answer, read_items};
use crate::kit::envelope::{Envelope, Held};
use crate::kit::fields::Fields;
use crate::kit::marks::marks;
use crate::kit::signs::{Sign, items, kind, likeness_alone, likeness_by, plain_or_open};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::OpenaiResponses,
    marks: &marks(["object", "input", "output", "type"]),
    likeness,
    read,
};

/// The members that hold items, in the order of the conversation.
const LISTS: [&str; 2] = ["input", "output"];

fn likeness(value: Json<'_>) -> Likeness {
    let is_list = |key| value.get(key).is_some_and(|it| it.items().is_some());
    let is_text = |key| value.get(key).is_some_and(|it| it.as_str().is_some());
    if kind_of_object(value) == Some("response") {
        return match is_list("output") {
            true => Likeness::Full,
            false => Likeness::Partial("a list of items as `output`"),
        };
    }
    if !LISTS.into_iter().any(is_list) {
        return match is_text("input") && is_text("model") {
            true => Likeness::Full,
            false => likeness_alone(value, sign),
        };
    }
    let likenesses = LISTS.map(|key| likeness_by(value, key, sign));
    let partial = likenesses
        .iter()
        .find(|it| matches!(it, Likeness::Partial(_)));
    match partial {
        _ if likenesses.iter().any(|it| matches!(it, Likeness::Full)) => Likeness::Full,
        Some(partial) => *partial,
        None if is_text("model") && is_list("input") => Likeness::Full,
        None => Likeness::None,
    }
}

fn kind_of_object(value: Json<'_>) -> Option<&str> {
    value.get("object")?.as_str()
}

fn sign(item: Json<'_>) -> Sign {
    let part_kinds = items(item, "content").iter().filter_map(|part| kind(*part));
    let is_own_part = |kind: &str| kind.starts_with("input_") || kind == "output_text";
    let has = |key| item.get(key).is_some();
    match kind(item) {
        Some("function_call" | "function_call_output" | "custom_tool_call") => {
            match (has("call_id"), has("callId")) {
                (true, _) => Sign::Decisive,
                (false, true) => Sign::Open,
                (false, false) => Sign::Broken("a `call_id` in each function_call"),
            }
        }
        Some("reasoning") if has("summary") => Sign::Decisive,
        Some("mcp_list_tools" | "mcp_approval_request" | "item_reference") => Sign::Decisive,
        // LangChain has `args` instead.
        Some(_) if is_call_or_answer(item) && !has("callId") && !has("args") => {
            match has("id") || has("call_id") {
                true => Sign::Decisive,
                false => Sign::Broken("an `id` in each call"),
            }
        }
        _ if has("role") && part_kinds.into_iter().any(is_own_part) => Sign::Decisive,
        _ => plain_or_open(item),
    }
}

const ENVELOPE: Envelope = Envelope {
    what: "a list of items, or {output}",
    is_message: |it| LISTS.into_iter().all(|key| it.get(key).is_none()),
    ids: &["id"],
    tools: &[&["tools"]],
    reads: |_, key, value| match key {
        "input" | "output" => true,
        "instructions" => value.as_str().is_some() || are_messages(value),
        "id" => value.as_str().is_some(),
        _ => false,
    },
};

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let root = Path::root();
    let trajectory = ENVELOPE.open(
        value,
        import,
        &mut |held, conversation, import| match held {
            Held::List(items) => read_items(items, &root, conversation, import),
            Held::Message(_) => read_items(import.slice(value), &root, conversation, import),
            Held::Object(fields) => read_exchange(fields, conversation, import),
        },
    )?;
    let lists = match value {
        Json::Array(list) => [list, &[]],
        _ => LISTS.map(|key| items(value, key)),
    };
    Ok(vec![Trajectory {
        tools: tools_of(trajectory.tools, &lists, import),
        ..trajectory
    }])
}

/// A request, a response, or both in one object.
fn read_exchange<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    read_request(fields, conversation, import)?;
    read_output(fields, conversation, import)
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};
    use toolgauge_model::Role;

    #[test]
    fn a_question_with_its_answer_is_one_trajectory() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("openai-responses/exchange.json"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("resp_1"));
        let answer = "Bed 3 is watered; bed 4 is at 38 %.\nExpect 2 mm of rain.";
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::System, "You tend the greenhouse.".to_owned(), 0),
                (
                    Role::User,
                    "Water bed 3 and tell me how moist bed 4 is.".to_owned(),
                    0
                ),
                (Role::Agent, String::new(), 2),
                (Role::System, "Look the weather up, too.".to_owned(), 0),
                (Role::Agent, String::new(), 1),
                (Role::Agent, String::new(), 2),
                (Role::Agent, answer.to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"call_a","name":"water","arguments":{"bed":3},"result":"watered","item_id":"fc_1"}"#,
                r#"{"id":"call_b","name":"moisture","arguments":{"bed":4},"result":{"percent":38},"item_id":"fc_2"}"#,
                r#"{"id":"mcp_1","name":"forecast","arguments":{"place":"Lund"},"result":{"rain":"2 mm"},"type":"mcp_call","server_label":"met","approval_request_id":"mcpr_1"}"#,
                r#"{"id":"ws_1","name":"web_search","arguments":{"type":"search","query":"frost Lund"},"result":{"status":"completed"},"type":"web_search_call"}"#,
                r#"{"id":"mcp_2","name":"forecast","arguments":{"place":"Luud"},"error":{"type":"mcp_tool_execution_error","content":[{"type":"text","text":"no such place"}]},"type":"mcp_call","server_label":"met","status":"failed"}"#,
            ]
        );
        let tools = trajectory.tools.and_then(Json::items).expect("tools");
        assert!(
            tools
                .iter()
                .any(|tool| tool.get("name").and_then(Json::as_str) == Some("forecast"))
        );
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn calls_of_every_tool_of_the_platform_are_calls() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("openai-responses/items.json"));
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"id":"call_1","name":"local_shell","arguments":{"type":"exec","command":["make"],"env":{}},"result":{"stderr":"missing semicolon"},"item_id":"lsh_1","type":"local_shell_call"}"#,
                r#"{"id":"call_2","name":"apply_patch","arguments":{"type":"update_file","path":"a.c","diff":"+;"},"error":"no such file","item_id":"apc_1","type":"apply_patch_call"}"#,
                r#"{"id":"call_3","name":"sql","arguments":"select 1","result":"1","item_id":"ctc_1","type":"custom_tool_call"}"#,
                r#"{"id":"ci_1","name":"code_interpreter","arguments":{"code":"1+1","container_id":"cntr_1"},"result":[{"type":"logs","logs":"2"}],"type":"code_interpreter_call"}"#,
                r#"{"id":"call_4","name":"deploy","rawArguments":"{\"to\":\"st","incomplete":true,"status":"in_progress"}"#,
                r#"{"id":"mcpr_1","name":"drop","arguments":{},"error":"the call was denied: never on Fridays","type":"mcp_approval_request","server_label":"s"}"#,
            ]
        );
        let warned: Vec<_> = read.warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(warned, ["[8].arguments"]);
    }

    #[test]
    fn the_tools_of_a_server_that_are_not_listed_leave_the_definitions_out() {
        let arena = Bump::new();
        let tools = |called: &str| {
            let text = format!(
                r#"{{"object":"response","tools":[{{"type":"function","name":"f","parameters":{{}}}},{{"type":"mcp","server_label":"s"}}],
                    "output":[{{"type":"{called}","id":"x","call_id":"x","name":"g","arguments":"{{}}"}}]}}"#
            );
            imported(&arena, &text).value[0].tools.is_some()
        };
        assert!(!tools("mcp_call"));
        let text = r#"{"object":"response","tools":[{"type":"function","name":"f","parameters":{}}],"output":[{"type":"function_call","call_id":"x","name":"g","arguments":"{}"}]}"#;
        assert!(imported(&arena, text).value[0].tools.is_some());
    }

    #[test]
    fn a_call_without_arguments_has_none() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"type":"function_call","call_id":"a","name":"f"},{"type":"function_call","call_id":"b","name":"f","arguments":"{\"a\":1}{\"a\":1}"}]"#,
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"id":"a","name":"f"}"#,
                r#"{"id":"b","name":"f","rawArguments":"{\"a\":1}{\"a\":1}"}"#,
            ]
        );
        assert_eq!(
            read.warnings[0].message,
            "not valid JSON: it holds 2 JSON values, one after the other"
        );
    }

    #[test]
    fn a_failed_response_is_a_warning() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"object":"response","output":[],"error":{"code":"server_error","message":"overloaded"}}"#,
        );
        assert_eq!(read.warnings[0].path, "error");
        assert!(read.warnings[0].message.ends_with("overloaded"));
    }

    #[test]
    fn the_error_names_the_part_with_another_shape() {
        let path = |text: &str| failure(text).report().path;
        let after = |item: &str| {
            format!(
                r#"[{{"type":"function_call","call_id":"a","name":"f","arguments":"{{}}"}},{item}]"#
            )
        };
        assert_eq!(path(&after("7")).as_deref(), Some("[1]"));
        assert_eq!(
            path(&after(r#"{"role":"wizard","content":"x"}"#)).as_deref(),
            Some("[1].role")
        );
        assert_eq!(
            path(&after(r#"{"role":"user","content":7}"#)).as_deref(),
            Some("[1].content")
        );
        let error = failure(r#"{"object":"response","output":7}"#);
        assert!(
            error
                .to_string()
                .contains("nearest is openai-responses, but it lacks a list of items")
        );
        let error = failure(r#"[{"type":"function_call","name":"f","arguments":"{}"}]"#);
        assert!(
            error.to_string().contains("it lacks a `call_id`"),
            "{error}"
        );
    }
}
