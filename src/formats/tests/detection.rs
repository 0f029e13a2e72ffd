//! Which format a document is detected as.

use bumpalo::Bump;

use crate::kit::Likeness;
use crate::kit::calls::is_plain_call_list;
use crate::kit::marks::Names;
use crate::testing::{calls_of, failure, fixture, fixture_in, fixtures, imported, turns_of};
use crate::{
    FORMATS, REGISTRY, TrajectoryFormat, detect_format, import_trajectories, import_trajectory,
    is_call_list,
};
use strum::VariantArray;
use toolgauge_model::error::Error;
use toolgauge_model::testing::arena_json;
use toolgauge_model::{Json, Limits, Reader, Trajectory};

#[test]
fn each_format_is_detected() {
    let detected = |text: &str| {
        let arena = Bump::new();
        let found = detect_format(arena_json(&arena, text));
        serde_json::to_string(&found).expect("JSON")
    };
    let trajectory = |format| format!(r#"{{"kind":"trajectory","format":"{format}"}}"#);
    let tools = |format| format!(r#"{{"kind":"tools","format":"{format}"}}"#);
    let cases = [
        (r#"{"turns":[]}"#, trajectory("harness")),
        (
            r#"[{"turn_id":1,"role":"user","content":""}]"#,
            trajectory("harness"),
        ),
        (
            r#"[{"role":"user","content":"hi"}]"#,
            trajectory("openai-chat"),
        ),
        (
            r#"{"messages":[{"role":"user","content":"hi"}],"tools":[]}"#,
            trajectory("openai-chat"),
        ),
        (
            r#"{"choices":[{"message":{"role":"assistant","content":"hi"}}]}"#,
            trajectory("openai-chat"),
        ),
        (r#"[{"task_id":1,"traj":[]}]"#, trajectory("tau-bench")),
        (
            r#"[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use","name":"f","input":{}}]}]"#,
            trajectory("anthropic"),
        ),
        (
            r#"{"system":"Be brief.","messages":[{"role":"user","content":"hi"}]}"#,
            trajectory("anthropic"),
        ),
        (
            r#"{"messages":[{"role":"user","content":"hi"}],"tools":[{"name":"f","input_schema":{}}]}"#,
            trajectory("anthropic"),
        ),
        (
            r#"{"type":"message","role":"assistant","content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn"}"#,
            trajectory("anthropic"),
        ),
        (
            r#"[{"role":"user","parts":[{"text":"hi"}]}]"#,
            trajectory("gemini"),
        ),
        (r#"[{"role":"model","parts":[]}]"#, trajectory("gemini")),
        (
            r#"{"contents":[{"parts":[{"text":null,"function_call":{"name":"f"}}]}]}"#,
            trajectory("gemini"),
        ),
        (r#"{"model":"g","contents":"hi"}"#, trajectory("gemini")),
        (r#"{"candidates":[{}]}"#, trajectory("gemini")),
        (
            r#"[{"role":"user","content":[{"text":"hi"}]}]"#,
            trajectory("bedrock"),
        ),
        (
            r#"[{"role":"user","content":"hi"},{"role":"assistant","content":[{"toolUse":{}}]}]"#,
            trajectory("bedrock"),
        ),
        (
            r#"{"messages":[{"role":"user","content":"hi"}],"toolConfig":{"tools":[]}}"#,
            trajectory("bedrock"),
        ),
        (
            r#"[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}}]}]"#,
            trajectory("ai-sdk-model"),
        ),
        (
            r#"{"messages":[{"role":"user","content":"hi"}],"tools":{"f":{"inputSchema":{}}}}"#,
            trajectory("ai-sdk-model"),
        ),
        (
            r#"[{"role":"user","content":[{"type":"file","data":"AA==","mediaType":"image/png"}]}]"#,
            trajectory("ai-sdk-model"),
        ),
        (
            r#"[{"role":"user","content":[{"type":"file","file":{"file_id":"x"}}]}]"#,
            trajectory("openai-chat"),
        ),
        (
            r#"[{"role":"user","content":[{"type":"text","text":"hi"}]}]"#,
            trajectory("openai-chat"),
        ),
        (
            r#"[{"id":"m","role":"user","parts":[{"type":"text","text":"hi"}]}]"#,
            trajectory("ai-sdk-ui"),
        ),
        (
            r#"[{"id":"m","role":"user","content":"hi"},{"id":"n","role":"assistant","content":"","toolInvocations":[{"state":"call","toolCallId":"a","toolName":"f","args":{}}]}]"#,
            trajectory("ai-sdk-ui"),
        ),
        (
            r#"{"steps":[{"content":[{"type":"text","text":"hi"}],"finishReason":"stop"}]}"#,
            trajectory("ai-sdk-steps"),
        ),
        (
            r#"[{"text":"","toolCalls":[{"toolCallId":"a","toolName":"f","args":{}}],"toolResults":[]}]"#,
            trajectory("ai-sdk-steps"),
        ),
        (
            r#"{"model":"m","input":"hi"}"#,
            trajectory("openai-responses"),
        ),
        (
            r#"{"model":"m","input":[{"role":"user","content":"hi"}]}"#,
            trajectory("openai-responses"),
        ),
        (
            r#"[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"output_text","text":"x"}]}]"#,
            trajectory("openai-responses"),
        ),
        (
            r#"[{"role":"user","content":"hi"},{"type":"mcp_call","id":"a","name":"f","arguments":"{}"}]"#,
            trajectory("openai-responses"),
        ),
        (
            r#"[{"role":"user","content":"hi"},{"type":"function_call","callId":"a","name":"f","arguments":"{}"}]"#,
            trajectory("openai-agents"),
        ),
        (
            r#"[{"type":"message_output_item","rawItem":{"role":"assistant","content":"hi"}}]"#,
            trajectory("openai-agents"),
        ),
        (
            r#"[[{"role":"user","content":"hi"}],[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}]]"#,
            trajectory("anthropic"),
        ),
        (
            r#"[{"messages":[{"role":"user","content":"hi"}]},{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}]}]"#,
            trajectory("anthropic"),
        ),
        (
            r#"[{"type":"function","function":{"name":"f","parameters":{}}}]"#,
            tools("openai-chat"),
        ),
        (r#"[{"name":"f","input_schema":{}}]"#, tools("anthropic")),
        (r#"{"tools":[{"name":"f","inputSchema":{}}]}"#, tools("mcp")),
        (r#"{"f":{"name":"f","parameters":{}}}"#, tools("record")),
        (r#"{"name":"f","parameters":{}}"#, tools("record")),
        (r#"{"hello":"world"}"#, "null".to_owned()),
        ("[]", "null".to_owned()),
        ("7", "null".to_owned()),
    ];
    for (text, expected) in cases {
        assert_eq!(detected(text), expected, "{text}");
    }
}

#[test]
fn the_error_for_an_unknown_format_names_the_nearest_and_what_is_missing() {
    let cases = [
        (
            r#"{"task_id":1}"#,
            "nearest is tau-bench, but it lacks `traj`, the messages",
        ),
        (
            r#"[{"name":"f","args":{"n":1}}]"#,
            "this is a list of calls without the conversation around them; compare it with scoreToolCalls, on the command line with score --actual",
        ),
        (
            r#"[{"id":0,"action":"run","args":{"command":"ls"}}]"#,
            "found a list of which the first is an object with the keys {id, action, args}",
        ),
        (
            r#"[{"role":"user","content":[{"type":"hologram"}]}]"#,
            "nearest is openai-chat, but it lacks a text or text parts as `content`",
        ),
        (
            r#"[{"role":"wizard","content":[{"type":"tool_use"}]}]"#,
            "nearest is anthropic, but it lacks the roles user and assistant",
        ),
        (
            r#"[{"role":"model","content":"b"}]"#,
            "nearest is gemini, but it lacks a list of `parts`",
        ),
        (
            r#"{"candidates":{}}"#,
            "nearest is gemini, but it lacks a list of `candidates`",
        ),
        (
            r#"[{"role":"wizard","content":"a"}]"#,
            "nearest is openai-chat, but it lacks roles",
        ),
        (r#"{"a":1,"b":2}"#, "found an object with the keys {a, b}"),
        (
            r#"[{"x":1}]"#,
            "found a list of which the first is an object with the keys {x}",
        ),
        ("[]", "the list is empty"),
        ("\"text\"", "found \"text\" (string)"),
    ];
    for (text, reason) in cases {
        let error = failure(text);
        assert!(
            matches!(error, Error::UnknownFormat { .. }),
            "{text}: {error}"
        );
        assert!(error.to_string().contains(reason), "{text}: {error}");
    }
}

#[test]
fn the_error_for_tool_definitions_says_what_they_are() {
    let mut formats = std::collections::BTreeSet::new();
    for name in fixtures("tools") {
        // A question of BFCL is a trajectory with its tools.
        if name == "bfcl.question.json" {
            continue;
        }
        let error = failure(&fixture_in("tools", &name));
        assert!(error.to_string().contains("--tools"), "{name}: {error}");
        formats.extend(name.split('.').next().map(str::to_owned));
    }
    assert_eq!(formats.len(), 9, "{formats:?}");
    for text in [r#"[{"id":"f","kind":"person"}]"#, r#"{"tools":[]}"#] {
        let error = failure(text);
        assert!(!error.to_string().contains("--tools"), "{text}: {error}");
    }
}

#[test]
fn each_document_of_a_list_is_read() {
    let arena = Bump::new();
    let read = imported(
        &arena,
        r#"[[{"role":"user","content":"a"}],[{"role":"tool","content":"b"}]]"#,
    );
    assert_eq!(read.format, TrajectoryFormat::OpenaiChat);
    assert_eq!(read.value.len(), 2);
    assert_eq!(read.warnings[0].path, "[1][0]");
    let error = failure(r#"[[{"role":"user"}],[{"role":"user"},{"role":"wizard"}]]"#);
    assert_eq!(error.report().path.as_deref(), Some("[1][1].role"));
    let error = failure(r#"[{"choices":[{"message":{"role":"user"}}]},{"turns":[]}]"#);
    assert!(
        error.to_string().ends_with(
            "the first of the list is openai-chat, but [1] is not: found an object with the keys {turns}"
        ),
        "{error}"
    );
}

#[test]
fn two_trajectories_are_not_one() {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let two = arena_json(&arena, r#"[{"turns":[]},{"turns":[]}]"#);
    let error = import_trajectory(two, None, reader).expect_err("two trajectories");
    assert!(error.to_string().ends_with("got 2"), "{error}");
}

#[test]
fn plain_messages_can_be_read_as_any_format_of_messages() {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let text = r#"[[{"role":"user","content":"a"}],[{"role":"user","content":"b"}]]"#;
    let documents = arena_json(&arena, text);
    for format in [TrajectoryFormat::Anthropic, TrajectoryFormat::AiSdkModel] {
        let read = import_trajectories(documents, Some(format), reader).expect("two");
        assert_eq!((read.format, read.value.len()), (format, 2));
    }
}

#[test]
fn a_format_can_be_forced() {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let messages = arena_json(&arena, "[]");
    assert!(
        imported(&arena, r#"[{"role":"user","content":"x"}]"#)
            .warnings
            .is_empty()
    );
    let read = import_trajectories(messages, Some(TrajectoryFormat::OpenaiChat), reader);
    assert_eq!(read.expect("no messages").value[0].turns.len(), 0);
}

#[test]
fn no_format_of_trajectories_takes_plain_lists_of_calls() {
    let arena = Bump::new();
    let lists = [
        r#"[{"tool":"f"}]"#,
        r#"[{"name":"f","arguments":{"n":1}},{"name":"g","arguments":"{}"}]"#,
        r#"[{"name":"f"}]"#,
        r#"[{"tool":"f","args":{"n":1}},{"tool":"g","args":{}}]"#,
        r#"[{"tool":"f","args":{"role":"user","content":"x"}},{"tool":"f","args":null}]"#,
        r#"[{"tool":"f","args":{},"matchers":{"n":"exact"},"optional":true,"times":2}]"#,
    ];
    for text in lists {
        let list = arena_json(&arena, text);
        assert!(is_plain_call_list(list), "{text}");
        let known = REGISTRY.detect(list);
        assert!(
            known.is_err(),
            "{text}: {:?}",
            known.ok().map(|(it, _)| it.name)
        );
    }
}

#[test]
fn the_calls_of_a_message_alone_are_a_trajectory_and_a_list_of_calls() {
    let cases = [
        (
            r#"[{"type":"tool_call","id":"c","name":"f","args":{"n":1}}]"#,
            TrajectoryFormat::Langchain,
        ),
        (
            r#"[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"n\":1}"}}]"#,
            TrajectoryFormat::OpenaiChat,
        ),
        (
            r#"[{"type":"tool_use","id":"c","name":"f","input":{"n":1}}]"#,
            TrajectoryFormat::Anthropic,
        ),
    ];
    for (text, format) in cases {
        let arena = Bump::new();
        assert!(is_call_list(arena_json(&arena, text)), "{text}");
        let read = imported(&arena, text);
        assert_eq!(read.format, format, "{text}");
        let call = r#"{"id":"c","name":"f","arguments":{"n":1}}"#;
        assert_eq!(calls_of(&read.value[0]), [call], "{text}");
    }
}

#[test]
fn calls_that_only_their_shape_names_are_no_tool_definitions() {
    for text in [
        r#"[{"functionCall":{"name":"f","args":{}}}]"#,
        r#"[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]"#,
    ] {
        let error = failure(text).to_string();
        assert!(error.contains("this is a list of calls"), "{text}: {error}");
    }
}

#[test]
fn one_call_is_neither_a_trajectory_nor_a_tool() {
    for text in [
        r#"{"name":"f","arguments":{"a":1}}"#,
        r#"{"tool":"f","args":{}}"#,
        r#"{"type":"tool_use","id":"a","name":"f","input":{}}"#,
        r#"{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}"#,
    ] {
        let arena = Bump::new();
        assert!(detect_format(arena_json(&arena, text)).is_none(), "{text}");
        let error = failure(text).to_string();
        assert!(error.contains("this is a call"), "{text}: {error}");
    }
}

/// Reading a document in a format that it does not have is an error or gives a warning, unless the two formats share
/// so much that nothing is read differently.
#[test]
fn no_fixture_is_silently_read_in_a_format_that_it_does_not_have() {
    let said = |read: &[Trajectory<'_>]| {
        let each = read.iter();
        let each = each.map(|it| (calls_of(it), turns_of(it)));
        each.collect::<Vec<_>>()
    };
    for name in fixtures("formats") {
        let arena = Bump::new();
        let document = arena_json(&arena, &fixture(&name));
        let reader = Reader::new(&arena, Limits::default());
        let own = said(&imported(&arena, &fixture(&name)).value);
        for format in TrajectoryFormat::VARIANTS {
            match import_trajectories(document, Some(*format), reader) {
                Ok(read) if read.warnings.is_empty() => {
                    let label = format.label();
                    assert_eq!(said(&read.value), own, "{name} as {label}");
                }
                Ok(_) | Err(_) => {}
            }
        }
    }
}

#[test]
fn only_definitions_with_a_schema_are_said_to_be_tools() {
    let is_told = |text: &str| failure(text).to_string().contains("tool definitions");
    for other in [
        r#"{"name":"fileStores/x","displayName":"store"}"#,
        r#"{"uuid":"u1","name":"my-agent","toolSpans":[{"name":"confirm","type":"tool","input":{}}]}"#,
        r#"[{"name":"a","description":"b"}]"#,
    ] {
        assert!(!is_told(other), "{other}");
        assert!(failure(other).to_string().contains("name"), "{other}");
    }
    for tools in [
        r#"[{"name":"a","description":"b","input_schema":{"type":"object"}}]"#,
        r#"{"tools":[{"type":"function","function":{"name":"a","parameters":{"type":"object"}}}]}"#,
        r#"{"a":{"description":"b","parameters":{"type":"object","properties":{}}}}"#,
        r#"[{"functionDeclarations":[{"name":"a","parametersJsonSchema":{"type":"object"}}]}]"#,
        r#"[{"toolSpec":{"name":"a","inputSchema":{"json":{"type":"object"}}}}]"#,
    ] {
        assert!(is_told(tools), "{tools}");
    }
}

#[test]
fn a_format_is_ruled_out_only_if_a_document_does_not_look_like_it() {
    for name in fixtures("formats") {
        let arena = Bump::new();
        let text = fixture(&name);
        let lines: Vec<_> = match name.ends_with(".jsonl") {
            true => text.lines().collect(),
            false => vec![text.as_str()],
        };
        for line in lines {
            let document = arena_json(&arena, line);
            let names = [
                Names::of(document),
                Names::of(Json::Array(arena.alloc_slice_copy(&[document]))),
            ];
            for format in &FORMATS {
                let is_like = matches!(
                    (format.likeness)(document),
                    Likeness::Full | Likeness::Partial(_)
                );
                let is_ruled_out =
                    |names: &Names| !format.marks.is_empty() && !names.has_any(format.marks);
                assert!(
                    !is_like || !names.iter().any(is_ruled_out),
                    "{name} looks like {}, but has none of its marks",
                    format.name.label()
                );
            }
        }
    }
}
