//! What documents hold beside their messages: no format forgets any of it.

use bumpalo::Bump;

use crate::testing::imported;
use crate::{Imported, TrajectoryFormat, import_trajectories};
use toolgauge_model::testing::arena_json;
use toolgauge_model::{Limits, Reader, Role, Trajectory};

/// A document of each format that has an envelope, without the end of its object.
const DOCUMENTS: [(&str, &str); 13] = [
    (
        "openai-chat",
        r#"{"id":"x","messages":[{"role":"user","content":"a"}]"#,
    ),
    (
        "anthropic",
        r#"{"id":"x","messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"a"}]}]"#,
    ),
    (
        "ai-sdk-ui",
        r#"{"id":"x","messages":[{"role":"user","parts":[{"type":"text","text":"a"}]}]"#,
    ),
    (
        "ai-sdk-model",
        r#"{"id":"x","messages":[{"role":"assistant","content":[{"type":"reasoning","text":"a"}]}]"#,
    ),
    (
        "ai-sdk-steps",
        r#"{"id":"x","steps":[{"content":[],"finishReason":"stop"}]"#,
    ),
    (
        "gemini",
        r#"{"responseId":"x","contents":[{"role":"user","parts":[{"text":"a"}]}]"#,
    ),
    (
        "langchain",
        r#"{"id":"x","messages":[{"type":"human","content":"a"}]"#,
    ),
    (
        "langchain",
        r#"{"thread_id":"x","values":{"messages":[{"type":"human","content":"a"}]}"#,
    ),
    (
        "mastra",
        r#"{"threadId":"x","messages":[{"role":"user","content":{"format":2,"parts":[]}}]"#,
    ),
    (
        "mastra",
        r#"{"id":"x","steps":[{"stepType":"tool_call","name":"f"}]"#,
    ),
    (
        "openai-responses",
        r#"{"id":"x","object":"response","output":[]"#,
    ),
    (
        "hermes",
        r#"{"id":"x","conversations":[{"from":"human","value":"a"}]"#,
    ),
    (
        "otel-genai",
        r#"{"id":"x","messages":[{"role":"user","parts":[{"type":"text","content":"a"}]}]"#,
    ),
];

#[test]
fn tools_expected_calls_the_id_and_all_else_are_kept() {
    for (format, head) in DOCUMENTS {
        let arena = Bump::new();
        let text = format!(
            r#"{head},"tools":[{{"name":"f"}}],"expected_calls":[{{"tool":"f","args":{{"n":1}}}}],"reward":1}}"#
        );
        let Imported {
            value,
            format: found,
            warnings,
        } = imported(&arena, &text);
        assert_eq!(found.label(), format, "{text}");
        assert_eq!(warnings, [], "{text}");
        let [trajectory] = value.as_slice() else {
            panic!("{text}: {} trajectories", value.len());
        };
        assert_eq!(trajectory.trajectory_id, Some("x"), "{text}");
        let tools = serde_json::to_string(&trajectory.tools).expect("plain data");
        assert_eq!(tools, r#"[{"name":"f"}]"#, "{text}");
        let expected = trajectory.expected_calls.as_deref().unwrap_or_default();
        assert_eq!(expected.len(), 1, "{text}");
        let kept: Vec<_> = trajectory.extra.iter().map(|(key, _)| *key).collect();
        assert!(kept.contains(&"reward"), "{text}: {kept:?}");
        let again = ["tools", "expected_calls", "messages", "steps", "values"];
        assert!(
            !kept.iter().any(|key| again.contains(key)),
            "{text}: {kept:?}"
        );
    }
}

#[test]
fn tools_that_are_null_are_none() {
    for (_, head) in DOCUMENTS {
        let arena = Bump::new();
        let read = imported(&arena, &format!(r#"{head},"tools":null}}"#));
        assert_eq!(read.value[0].tools, None, "{head}");
    }
}

#[test]
fn expected_calls_in_another_shape_are_kept_with_a_warning() {
    let arena = Bump::new();
    let text = r#"{"messages":[{"role":"user","content":"a"}],"expected_calls":[{"args":{}}]}"#;
    let read = imported(&arena, text);
    assert_eq!(read.value[0].expected_calls, None);
    assert_eq!(read.value[0].extra[0].0, "expected_calls");
    assert!(
        read.warnings[0].message.contains("expected_calls[0]"),
        "{:?}",
        read.warnings
    );
}

/// What each turn of the one trajectory says, with who says it.
fn said<'a>(read: &Imported<Vec<Trajectory<'a>>, TrajectoryFormat>) -> Vec<(Role, &'a str)> {
    let turns = read.value[0].turns.iter();
    turns.map(|turn| (turn.role, turn.content)).collect()
}

#[test]
fn instructions_beside_the_messages_are_the_first_turn() {
    let documents = [
        r#"{"system":{"role":"system","content":"Be brief."},"messages":[{"role":"assistant","content":[{"type":"reasoning","text":"b"}]}]}"#,
        r#"{"system":[{"role":"system","content":[{"type":"text","text":"Be brief."}]}],"messages":[{"role":"assistant","content":[{"type":"reasoning","text":"b"}]}]}"#,
        r#"{"object":"response","instructions":[{"role":"developer","content":"Be brief."}],"output":[]}"#,
        r#"{"system":"Be brief.","conversations":[{"from":"human","value":"a"}]}"#,
    ];
    for text in documents {
        let arena = Bump::new();
        let read = imported(&arena, text);
        assert_eq!(said(&read)[0], (Role::System, "Be brief."), "{text}");
        let kept = read.value[0].extra.iter().map(|(key, _)| *key);
        let again = kept.filter(|key| matches!(*key, "system" | "instructions"));
        assert_eq!(again.count(), 0, "{text}");
    }
    let arena = Bump::new();
    let text = r#"{"system":"x","conversations":[{"from":"system","value":"y"}]}"#;
    let read = imported(&arena, text);
    assert_eq!(said(&read), [(Role::System, "y")]);
    assert_eq!(read.value[0].extra[0].0, "system");
}

#[test]
fn tools_that_an_instruction_of_sharegpt_lists_are_read() {
    let arena = Bump::new();
    let text = r#"{"system":"<tools>[{\"name\":\"f\"}]</tools>","conversations":[{"from":"human","value":"a"}]}"#;
    let read = imported(&arena, text);
    assert!(read.value[0].tools.is_some());
}

#[test]
fn a_request_of_gemini_is_read_with_its_response() {
    let request =
        r#""systemInstruction":"Be brief.","contents":[{"role":"user","parts":[{"text":"a"}]}]"#;
    let response = r#""candidates":[{"content":{"role":"model","parts":[{"text":"c"}]}}]"#;
    let history = r#""automaticFunctionCallingHistory":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"b"}]}]"#;
    let cases = [
        (
            format!("{{{request},{response}}}"),
            vec!["Be brief.", "a", "c"],
        ),
        (
            format!("{{{request},{history},{response}}}"),
            vec!["Be brief.", "a", "b", "c"],
        ),
        (format!("{{{response}}}"), vec!["c"]),
    ];
    for (text, expected) in cases {
        let arena = Bump::new();
        let read = imported(&arena, &text);
        let texts: Vec<_> = said(&read).into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, expected, "{text}");
    }
}

#[test]
fn a_wrong_call_in_a_log_of_mastra_can_be_found_by_its_own_tools() {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let document = arena_json(
        &arena,
        r#"{"tools":[{"name":"f","parameters":{"required":["n"]}}],"messages":[{"role":"assistant","content":{"format":2,"parts":[{"type":"tool-invocation","toolInvocation":{"state":"call","toolCallId":"a","toolName":"f","args":{}}}]}}]}"#,
    );
    let read = import_trajectories(document, None, reader).expect("a thread");
    let tools = read.value[0].tools.expect("tools");
    let tools = crate::import_tools(tools, reader).expect("definitions");
    assert_eq!(tools.value[0].name, "f");
    assert_eq!(read.value[0].extra, []);
}
