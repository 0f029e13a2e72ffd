//! Chats of GitHub Copilot in VS Code, as "Chat: Export Chat" and its session files write them: `{requests: [{message,
//! response, result: {metadata: {toolCallRounds, toolCallResults}}}]}`. Without rounds, the calls are in the parts of the
//! response.

use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::dialects::openai_chat::read_call;
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::message::{About, Message};
use crate::kit::signs::items;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::CopilotChat,
    marks: &[],
    likeness,
    read,
};

const REQUESTS: &str = "requests";

/// The kind of a part that is a call.
const INVOCATION: &str = "toolInvocationSerialized";

fn likeness(value: Json<'_>) -> Likeness {
    let is_chat = value.get("responderUsername").is_some() || value.get("sessionId").is_some();
    let is_request = |it: &Json<'_>| it.get("message").is_some() && it.get("response").is_some();
    match value.get(REQUESTS) {
        Some(Json::Array([first, ..])) if is_request(first) => Likeness::Full,
        Some(Json::Array(requests)) if is_chat => match requests.is_empty() {
            true => Likeness::Full,
            false => Likeness::Partial("`message` and `response` in each request"),
        },
        _ => Likeness::None,
    }
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let chat = Fields::of(value, Path::root(), "a chat: {requests}")?;
    let requests = chat.items(REQUESTS, "a list of requests")?;
    let mut conversation = Conversation::default();
    for request in Fields::each(
        requests,
        &chat.path().key(REQUESTS),
        "a request: {message, response}",
    ) {
        read_request(&request?, &mut conversation, import)?;
    }
    Ok(vec![Trajectory {
        trajectory_id: chat.text("sessionId"),
        turns: conversation.into_turns(),
        extra: chat.rest(import.arena(), |key, _| {
            matches!(key, REQUESTS | "sessionId")
        }),
        ..Trajectory::default()
    }])
}

fn read_request<'a>(
    request: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let asked = request.get("message").unwrap_or_default();
    let text = asked.as_str().or_else(|| asked.get("text")?.as_str());
    let about = About::present(request, &OF_REQUESTS, import);
    let mut message = Message::new(Role::User, about, conversation);
    message.text(text.unwrap_or_default());
    message.finish(import);
    let result = request.get("result").unwrap_or_default();
    if let Some(error) = result.get("errorDetails").filter(|it| !it.is_null()) {
        let said = error.get("message").unwrap_or(error);
        let what = format!("the request failed: {}", import.label(said));
        import.warn(&request.path().key("result"), what);
    }
    let about = result.get("metadata").unwrap_or_default();
    match items(about, "toolCallRounds") {
        [] => read_parts(request, conversation, import),
        rounds => {
            let path = request.path().key("result").key("metadata");
            let path = path.key("toolCallRounds");
            let results = about.get("toolCallResults").unwrap_or_default();
            for round in Fields::each(rounds, &path, "a round: {toolCalls}") {
                read_round(&round?, results, conversation, import)?;
            }
            Ok(())
        }
    }
}

/// The members of a request that are read, or repeat what is.
const OF_REQUESTS: [&str; 5] = [
    "message",
    "response",
    "result",
    "responseMarkdownInfo",
    "followups",
];

/// An answer of the model, with its calls. Their results are beside the rounds, by id.
fn read_round<'a>(
    round: &Fields<'a>,
    results: Json<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let listed = round.optional_items("toolCalls", "a list of calls: {id, name, arguments}")?;
    let mut calls = Vec::with_capacity(listed.len());
    for (at, call) in listed.iter().enumerate() {
        let place = || round.path().key("toolCalls").index(at);
        calls.push(import.within(&place, |import| read_call(*call, false, import))?);
    }
    let ids: Vec<_> = calls.iter().filter_map(|call| call.id).collect();
    let said = round.text("response").unwrap_or_default();
    if said.is_empty() && calls.is_empty() {
        return Ok(());
    }
    let about = About::present(round, &["response", "toolCalls", "toolInputRetry"], import);
    let mut message = Message::new(Role::Agent, about, conversation);
    message.text(said);
    message.calls(calls);
    message.finish(import);
    for id in ids {
        let Some(result) = results.get(id) else {
            continue;
        };
        let result = CallResult {
            id: Some(id),
            name: None,
            outcome: Outcome::of(value_of(result, "content", import), false),
        };
        conversation.result(&result, round.path(), import);
    }
    Ok(())
}

/// The texts of the parts in `key`. A part that is no text is a tree of prompts, whose texts are read, too.
fn value_of<'a>(result: Json<'a>, key: &str, import: &Import<'a>) -> Json<'a> {
    let mut texts = Vec::new();
    for part in items(result, key) {
        match part.get("value") {
            Some(Json::String(text)) => texts.push(text),
            Some(tree) => texts_below(tree, &mut texts),
            None => {}
        }
    }
    match texts.as_slice() {
        [] => result,
        [one] => import.nested(Json::String(one)),
        texts => Json::String(import.join_text(texts.iter().copied())),
    }
}

fn texts_below<'a>(tree: Json<'a>, texts: &mut Vec<&'a str>) {
    let mut waiting = vec![tree.get("node").unwrap_or(tree)];
    while let Some(node) = waiting.pop() {
        texts.extend(node.get("text").and_then(Json::as_str));
        waiting.extend(items(node, "children").iter().rev());
    }
}

/// The parts of a response: texts and calls.
fn read_parts<'a>(
    request: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let parts = request.optional_items("response", "a list of parts")?;
    let mut message = Message::new(Role::Agent, About::default(), conversation);
    let mut ran = false;
    for part in Fields::each(
        parts,
        &request.path().key("response"),
        "a part of the response",
    ) {
        let part = part?;
        match part.text("kind") {
            Some(INVOCATION | "toolInvocation") => {
                message.call(read_invocation(&part, import));
                ran = true;
            }
            None | Some("markdownContent") => {
                if std::mem::take(&mut ran) {
                    message.end_step(import);
                }
                let content = part.get("content").unwrap_or(part.value());
                if let Some(text) = content.get("value").and_then(Json::as_str) {
                    message.text(text);
                }
            }
            Some(_) => message.other(part.value()),
        }
    }
    if !message.is_empty() {
        message.finish(import);
    }
    Ok(())
}

/// A call as the editor shows it. It may lack the arguments.
fn read_invocation<'a>(part: &Fields<'a>, import: &mut Import<'a>) -> ToolCall<'a> {
    let details = part.get("resultDetails").unwrap_or_default();
    let specific = part.get("toolSpecificData").unwrap_or_default();
    let given = details.get("input").or_else(|| specific.get("rawInput"));
    let command = specific.get("commandLine").unwrap_or_default();
    let command = command.get("original").or_else(|| specific.get("command"));
    let mut call = ToolCall {
        id: part.text("toolCallId"),
        name: part.text("toolId"),
        extra: part.rest(import.arena(), |key, value| {
            value.is_null() || is_one_of(key, &["kind", "toolCallId", "toolId"])
        }),
        ..ToolCall::default()
    };
    match (given, command) {
        (Some(given), _) => {
            import.arguments(&mut call, Some(given), &|| part.path().key("resultDetails"))
        }
        (None, Some(command)) => {
            let members = [("command", command)];
            call.arguments = Some(Json::Object(import.arena().alloc_slice_copy(&members)));
        }
        // The export leaves them out.
        (None, None) => call.incomplete = true,
    }
    let failed = matches!(details.get("isError"), Some(Json::Bool(true)));
    if details.get("output").is_some() {
        Outcome::of(value_of(details, "output", import), failed).put_to(&mut call);
    }
    call
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn rounds_hold_the_calls_and_their_results() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("copilot-chat/rounds.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::User, "Where is the anchor drawn?".to_owned(), 0),
                (Role::Agent, "I search.".to_owned(), 2),
                (Role::Agent, "In anchor.ts, line 4.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"call_1","name":"grep_search","arguments":{"query":"anchor"},"result":"anchor.ts:4\nbuoy.ts:9"}"#,
                r#"{"id":"call_2","name":"list_dir","arguments":{"path":"/src"},"result":["anchor.ts","buoy.ts"]}"#,
            ]
        );
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn parts_of_the_response_hold_calls_as_the_editor_shows_them() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("copilot-chat/parts.json"));
        let trajectory = &read.value[0];
        let texts: Vec<_> = turns_of(trajectory).into_iter().skip(1).collect();
        assert_eq!(
            texts,
            [
                (Role::Agent, "I look.".to_owned(), 3),
                (Role::Agent, "The tide is low.".to_owned(), 0),
            ]
        );
        let calls = calls_of(trajectory);
        let heads = [
            r#"{"id":"t1","name":"mcp_tides_now","arguments":{"port":"Brest"},"result":{"tide":"low"},"#,
            r#"{"id":"t2","name":"run_in_terminal","arguments":{"command":"tide --now"},"invocationMessage""#,
            r#"{"id":"t3","name":"copilot_readFile","incomplete":true,"#,
        ];
        for (call, head) in calls.iter().zip(heads) {
            assert!(call.starts_with(head), "{call}");
        }
        assert_eq!(read.warnings[0].path, "requests[0].result");
    }

    #[test]
    fn the_error_names_the_part_with_another_shape() {
        let text = r#"{"requests":[{"message":{"text":"a"},"response":[7]}]}"#;
        assert_eq!(
            failure(text).report().path.as_deref(),
            Some("requests[0].response[0]")
        );
        let error = failure(r#"{"responderUsername":"x","requests":[{}]}"#).to_string();
        assert!(
            error.contains("copilot-chat, but it lacks `message`"),
            "{error}"
        );
    }
}
