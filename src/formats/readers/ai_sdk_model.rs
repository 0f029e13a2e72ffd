//! Model messages of the AI SDK (`ModelMessage`, `CoreMessage` in version 4): a list, or a request
//! `{system, messages, tools}`. Assistant messages hold calls in parts `tool-call`. Tool messages hold
//! results in parts `tool-result`. If the provider ran the tool, the result is in the assistant's
//! message.

use crate::kit::dialects::ai_sdk::{PROMPT, read_message, read_messages, read_prompt};
use crate::kit::envelope::Envelope;
use crate::kit::fields::is_one_of;
use crate::kit::marks::marks;
use crate::kit::signs::{Sign, items, kind, likeness_by, plain_or_open};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::AiSdkModel,
    marks: &marks(["type", "inputSchema", "parameters"]),
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    let is_request = value.get("messages").is_some_and(|it| it.items().is_some());
    let tools = value.get("tools").and_then(Json::members);
    let has_schema = |tool: Json<'_>| {
        let mut keys = ["inputSchema", "parameters"].into_iter();
        tool.get("name").is_none() && keys.any(|key| tool.get(key).is_some())
    };
    let has_tools = tools.is_some_and(|tools| tools.iter().any(|(_, tool)| has_schema(*tool)));
    match likeness_by(value, "messages", sign) {
        Likeness::Plain if is_request && has_tools => Likeness::Full,
        other => other,
    }
}

fn sign(message: Json<'_>) -> Sign {
    let role = message.get("role").and_then(Json::as_str);
    let signs = || {
        items(message, "content")
            .iter()
            .map(|part| part_sign(*part))
    };
    let broken = signs().find(|sign| matches!(sign, Sign::Broken(_)));
    match role {
        Some("system" | "user" | "assistant" | "tool")
            if signs().any(|sign| matches!(sign, Sign::Decisive)) =>
        {
            Sign::Decisive
        }
        Some(_) => broken.unwrap_or_else(|| plain_or_open(message)),
        None => Sign::Open,
    }
}

fn part_sign(part: Json<'_>) -> Sign {
    let has = |key| part.get(key).is_some();
    match kind(part) {
        Some("tool-call" | "tool-result") => match has("toolCallId") {
            true => Sign::Decisive,
            false => Sign::Broken("a `toolCallId` in each tool part"),
        },
        Some("tool-approval-request" | "tool-approval-response") => Sign::Decisive,
        Some("reasoning") if has("text") => Sign::Decisive,
        Some("image") if has("image") => Sign::Decisive,
        Some("file" | "image") if has("mediaType") || has("mimeType") => Sign::Decisive,
        _ => Sign::Open,
    }
}

const ENVELOPE: Envelope = Envelope {
    what: "a list of messages, or {messages}",
    is_message: |it| it.get("messages").is_none(),
    ids: &["id"],
    tools: &[&["tools"]],
    reads: |_, key, value| match key {
        "id" => value.as_str().is_some(),
        _ => is_one_of(key, &PROMPT),
    },
};

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    ENVELOPE.read(value, import, read_messages, read_message, read_prompt)
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use crate::testing::{calls_of, failure, fixture, imported, turns_of};
    use toolgauge_model::Role;

    #[test]
    fn a_request_is_read_with_the_outcome_of_each_call() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("ai-sdk-model/v5.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::System, "You mind the lighthouse.".to_owned(), 0),
                (Role::User, "Lamp on, horn on, door shut.".to_owned(), 0),
                (Role::Agent, "At once.".to_owned(), 4),
                (Role::Agent, String::new(), 1),
                (Role::Agent, "The lamp is lit.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"c1","name":"lamp","arguments":{"on":true},"result":{"lit":true},"providerOptions":{"x":{"y":1}}}"#,
                r#"{"id":"c2","name":"horn","arguments":{"on":true},"error":"no steam"}"#,
                r#"{"id":"c3","name":"door","arguments":{"open":false},"error":"the call was denied: visitors inside"}"#,
                r#"{"id":"c4","name":"flag","arguments":{},"error":"the call was denied"}"#,
                r#"{"id":"c5","name":"web_search","arguments":{"q":"steam"},"result":"Heat water.","providerExecuted":true}"#,
            ]
        );
        assert!(trajectory.tools.is_some());
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn version_4_is_read_too() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("ai-sdk-model/v4.json"));
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"id":"c1","name":"feed","arguments":{"who":"cat"},"result":"fed"}"#,
                r#"{"id":"c2","name":"feed","arguments":{"who":"dog"},"error":{"why":"no food"}}"#,
            ]
        );
    }

    #[test]
    fn the_error_names_the_part_with_another_shape() {
        let path = |text: &str| failure(text).report().path;
        let after = |message: &str| {
            format!(
                r#"[{{"role":"assistant","content":[{{"type":"tool-call","toolCallId":"c","toolName":"f","input":{{}}}}]}},{message}]"#
            )
        };
        let cases = [
            (r#"{"role":"wizard"}"#, "[1].role"),
            (r#"{"role":"tool","content":"x"}"#, "[1].content"),
            (r#"{"role":"tool","content":[7]}"#, "[1].content[0]"),
            (r#"{"role":"user","content":7}"#, "[1].content"),
            (
                r#"{"role":"user","content":[{"type":"text"}]}"#,
                "[1].content[0].text",
            ),
        ];
        for (message, place) in cases {
            assert_eq!(path(&after(message)).as_deref(), Some(place), "{message}");
        }
        let error =
            failure(r#"[{"role":"assistant","content":[{"type":"tool-call","name":"f"}]}]"#);
        assert!(
            error
                .to_string()
                .contains("ai-sdk-model, but it lacks a `toolCallId`"),
            "{error}"
        );
    }
}
