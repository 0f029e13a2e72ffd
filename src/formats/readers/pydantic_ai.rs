//! Messages of Pydantic AI: `[{kind: "request", parts}, {kind: "response", parts}]`, alone or as `messages`. Each
//! part names its `part_kind`. A request may hold what the user says and the results of several calls.

use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::envelope::{Envelope, Held};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::marks::marks;
use crate::kit::message::{About, Message};
use crate::kit::signs::{Sign, likeness_by};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::PydanticAi,
    marks: &marks(["parts"]),
    likeness,
    read,
};

const MESSAGES: &str = "messages";

fn likeness(value: Json<'_>) -> Likeness {
    likeness_by(value, MESSAGES, sign)
}

fn sign(message: Json<'_>) -> Sign {
    let kind = message.get("kind").and_then(Json::as_str);
    let is_part = |part: &Json<'_>| part.get("part_kind").is_some();
    match (kind, message.get("parts")) {
        (Some("request" | "response"), Some(Json::Array(parts))) => match parts.iter().all(is_part)
        {
            true => Sign::Decisive,
            false => Sign::Broken("a `part_kind` in each part"),
        },
        _ => Sign::Open,
    }
}

const ENVELOPE: Envelope = Envelope {
    what: "a list of messages, or {messages}",
    is_message: |it| it.get("parts").is_some(),
    ids: &["conversation_id", "run_id", "id"],
    tools: &[&["tools"]],
    reads: |_, key, _| key == MESSAGES,
};

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let trajectory = ENVELOPE.open(value, import, &mut |held, conversation, import| {
        let mut read = Read {
            conversation,
            instructions: None,
        };
        match held {
            Held::List(list) => read.messages(list, &Path::root(), import),
            Held::Message(fields) => read.message(fields, import),
            Held::Object(fields) => {
                let list = fields.items(MESSAGES, "a list of messages")?;
                read.messages(list, &fields.path().key(MESSAGES), import)
            }
        }
    })?;
    Ok(vec![trajectory])
}

struct Read<'c, 'a> {
    conversation: &'c mut Conversation<'a>,
    /// Each request repeats the instructions.
    instructions: Option<&'a str>,
}

impl<'a> Read<'_, 'a> {
    fn messages(
        &mut self,
        messages: &'a [Json<'a>],
        path: &Path,
        import: &mut Import<'a>,
    ) -> Result<()> {
        for fields in Fields::each(messages, path, "a message: {kind, parts}") {
            self.message(&fields?, import)?;
        }
        Ok(())
    }

    fn message(&mut self, fields: &Fields<'a>, import: &mut Import<'a>) -> Result<()> {
        match fields.text("kind") {
            Some("request") => self.request(fields, import),
            Some("response") => self.response(fields, import),
            _ => Err(fields.mismatch("kind", "request or response")),
        }
    }

    fn request(&mut self, fields: &Fields<'a>, import: &mut Import<'a>) -> Result<()> {
        let instructions = fields.text("instructions").filter(|text| !text.is_empty());
        if let Some(text) = instructions
            && self.instructions != instructions
        {
            self.instructions = instructions;
            self.conversation.turn(Role::System, text, Vec::new());
        }
        for part in parts_of(fields)? {
            let part = part?;
            let role = match part.text("part_kind") {
                Some("user-prompt" | "speech") => Role::User,
                _ => Role::System,
            };
            match answer_of(&part, import) {
                Some(result) => {
                    let call = self.conversation.result(&result, part.path(), import);
                    if let Some(call) = call {
                        keep_answer(call, &part, import);
                    }
                }
                None => {
                    let about = About {
                        timestamp: part.text("timestamp"),
                        extra: &[],
                    };
                    let mut message = Message::new(role, about, self.conversation);
                    read_content(&part, &mut message);
                    message.finish(import);
                }
            }
        }
        Ok(())
    }

    fn response(&mut self, fields: &Fields<'a>, import: &mut Import<'a>) -> Result<()> {
        let about = About::present(fields, &["kind", "parts"], import);
        let cut_off = fields.text("finish_reason") == Some("length");
        let mut message = Message::new(Role::Agent, about, self.conversation);
        let mut parts = parts_of(fields)?.peekable();
        while let Some(part) = parts.next() {
            let part = part?;
            match part.text("part_kind") {
                Some("tool-call" | "builtin-tool-call") => {
                    let is_last = parts.peek().is_none();
                    message.call(read_call(&part, cut_off && is_last, import));
                }
                Some("text") => read_content(&part, &mut message),
                _ => match answer_of(&part, import) {
                    Some(result) => {
                        if let Some(call) = message.result(&result, part.path(), import) {
                            keep_answer(call, &part, import);
                        }
                    }
                    None => message.other(part.value()),
                },
            }
        }
        message.finish(import);
        Ok(())
    }
}

fn parts_of<'a>(fields: &Fields<'a>) -> Result<impl Iterator<Item = Result<Fields<'a>>> + use<'a>> {
    let parts = fields.items("parts", "a list of parts")?;
    let path = fields.path().key("parts");
    let read = move |(at, part): (usize, &Json<'a>)| {
        Fields::of(*part, path.index(at), "a part: {part_kind}")
    };
    Ok(parts.iter().enumerate().map(read))
}

/// Adds a content: a text, or texts among others.
fn read_content<'a>(part: &Fields<'a>, message: &mut Message<'_, 'a>) {
    let content = part.get("content").or_else(|| part.get("transcript"));
    let content = content.unwrap_or_default();
    match content {
        Json::String(text) => message.text(text),
        Json::Array(items) if part.text("part_kind") == Some("user-prompt") => {
            for item in items {
                match item.get("content").unwrap_or(*item) {
                    Json::String(text) => message.text(text),
                    _ => message.other(*item),
                }
            }
        }
        _ => message.other(part.value()),
    }
}

/// The members of a call that are read. The call keeps all others.
const OF_CALLS: [&str; 4] = ["tool_name", "tool_call_id", "args", "id"];

fn read_call<'a>(part: &Fields<'a>, cut_off: bool, import: &mut Import<'a>) -> ToolCall<'a> {
    let mut call = ToolCall {
        id: part.text("tool_call_id"),
        name: part.text("tool_name"),
        incomplete: cut_off,
        extra: part.rest(import.arena(), |key, value| match key {
            "part_kind" => value.as_str() == Some("tool-call"),
            _ => value.is_null() || is_one_of(key, &OF_CALLS),
        }),
        ..ToolCall::default()
    };
    if let Some(id) = part.text("id") {
        import.keep(&mut call, &[("item_id", Json::String(id))]);
    }
    let args = part.get("args").filter(|args| !args.is_null());
    let args = args.unwrap_or(Json::Object(&[]));
    import.arguments(&mut call, Some(args), &|| part.path().key("args"));
    call
}

/// The result in a part. A prompt to retry that names a tool is the error of its call.
fn answer_of<'a>(part: &Fields<'a>, import: &Import<'a>) -> Option<CallResult<'a>> {
    let name = part.text("tool_name");
    let failed = match part.text("part_kind")? {
        "tool-return" | "builtin-tool-return" => part
            .text("outcome")
            .is_some_and(|outcome| outcome != "success"),
        "retry-prompt" if name.is_some() => true,
        _ => return None,
    };
    let content = part.get("content").unwrap_or_default();
    Some(CallResult {
        id: part.text("tool_call_id"),
        name,
        outcome: Outcome::of(import.nested(content), failed),
    })
}

fn keep_answer<'a>(call: &mut ToolCall<'a>, part: &Fields<'a>, import: &Import<'a>) {
    let rest = part.rest(import.arena(), |key, value| match key {
        "part_kind" | "content" => true,
        "outcome" => value.as_str() == Some("success"),
        _ => value.is_null() || is_one_of(key, &OF_CALLS),
    });
    import.keep(call, rest);
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn requests_and_responses_make_one_conversation() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("pydantic-ai/messages.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::System, "You look after a lighthouse.".to_owned(), 0),
                (Role::User, "Is lamp 2 on?\nSee the picture.".to_owned(), 0),
                (Role::Agent, "I look.".to_owned(), 2),
                (Role::Agent, String::new(), 1),
                (Role::Agent, String::new(), 1),
                (Role::System, "Answer in one sentence.".to_owned(), 0),
                (Role::Agent, "Lamp 2 is on, at 80 %.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"a","name":"lamp_state","arguments":{"lamp":2},"result":{"on":true},"item_id":"fc_1","timestamp":"2026-02-01T10:00:02Z"}"#,
                r#"{"id":"b","name":"weather","arguments":{},"result":"fog","timestamp":"2026-02-01T10:00:02Z"}"#,
                r#"{"id":"c","name":"dim","arguments":{"lamp":2,"percent":"lots"},"error":[{"type":"int_parsing","loc":["percent"],"msg":"Input should be a valid integer","input":"lots"}],"timestamp":"2026-02-01T10:00:04Z"}"#,
                r#"{"id":"d","name":"dim","arguments":{"lamp":2,"percent":80},"result":"dimmed","timestamp":"2026-02-01T10:00:06Z"}"#,
            ]
        );
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn a_result_says_whether_it_failed() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("pydantic-ai/run.json"));
        assert_eq!(read.value[0].trajectory_id, Some("conv-7"));
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"id":"s","name":"web_search","arguments":{"query":"tide Brest"},"result":{"high":"06:12"},"provider_name":"openai","part_kind":"builtin-tool-call","timestamp":"2026-03-01T08:00:01Z"}"#,
                r#"{"id":"u","name":"siren","arguments":{},"error":"Unknown tool name: 'siren'.","timestamp":"2026-03-01T08:00:02Z","outcome":"retried","retry":{"cause":"unknown_tool","attempt":1,"max_retries":3}}"#,
                r#"{"id":"w","name":"log_tide","rawArguments":"{\"high\": \"06","incomplete":true}"#,
            ]
        );
        let warned: Vec<_> = read.warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(warned, ["messages[3].parts[0].args"]);
    }

    #[test]
    fn the_error_names_the_part_with_another_shape() {
        let path = |text: &str| failure(text).report().path.unwrap_or_default().to_string();
        let first = r#"{"kind":"request","parts":[{"part_kind":"user-prompt","content":"a"}]}"#;
        assert_eq!(
            path(&format!(r#"[{first},{{"kind":"reply","parts":[]}}]"#)),
            "[1].kind"
        );
        assert_eq!(
            path(&format!(r#"[{first},{{"kind":"response","parts":7}}]"#)),
            "[1].parts"
        );
        assert_eq!(
            path(&format!(r#"[{first},{{"kind":"response","parts":[7]}}]"#)),
            "[1].parts[0]"
        );
        let error = failure(r#"[{"kind":"request","parts":[{"content":"a"}]}]"#).to_string();
        assert!(
            error.contains("pydantic-ai, but it lacks a `part_kind`"),
            "{error}"
        );
    }
}
