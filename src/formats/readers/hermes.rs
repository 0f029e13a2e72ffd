//! Calls in text, as Hermes and Qwen models write them:
//! `<tool_call>{"name", "arguments"}</tool_call>`, answered by
//! `<tool_response>…</tool_response>`. They are in ShareGPT's
//! `conversations: [{from, value}]` or in messages `{role, content}`. Also
//! ShareGPT's own `function_call` and `observation`.

use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::envelope::{Envelope, Held};
use crate::kit::fields::Fields;
use crate::kit::message::About;
use crate::kit::signs::messages_of;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory, Turn, json_lines};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Hermes,
    likeness,
    read,
};

const CALL: Tag = Tag {
    open: "<tool_call>",
    close: "</tool_call>",
};
const RESPONSE: Tag = Tag {
    open: "<tool_response>",
    close: "</tool_response>",
};
const TOOLS: Tag = Tag {
    open: "<tools>",
    close: "</tools>",
};

fn likeness(value: Json<'_>) -> Likeness {
    if value.get("conversations").is_some() {
        let says = |it: &Json<'_>| it.get("from").is_some() && it.get("value").is_some();
        return match messages_of(value, "conversations") {
            [] => Likeness::Partial("a list of `conversations`"),
            messages if messages.iter().all(says) => Likeness::Full,
            _ => Likeness::Partial("`from` and `value` in each of its conversations"),
        };
    }
    let messages = messages_of(value, "messages");
    if let [first, ..] = messages
        && first.get("from").is_some()
        && first.get("value").is_some()
    {
        return Likeness::Full;
    }
    let calls_in_text = |message: &Json<'_>| {
        let content = message.get("content").and_then(Json::as_str);
        let is_agent = message.get("role").and_then(Json::as_str) == Some("assistant");
        is_agent && content.is_some_and(|text| text.contains(CALL.open))
    };
    let calls_otherwise = |message: &Json<'_>| {
        let calls = message.get("tool_calls").and_then(Json::items);
        calls.is_some_and(|calls| !calls.is_empty())
    };
    match messages.iter().any(calls_in_text) && !messages.iter().any(calls_otherwise) {
        true => Likeness::Full,
        false => Likeness::None,
    }
}

const ENVELOPE: Envelope = Envelope {
    what: "{conversations}, or a list of messages",
    is_message: |_| false,
    ids: &[],
    tools: &[&["tools"]],
    reads: |fields, key, _| match key {
        "id" => true,
        "system" => instruction_of(fields).is_some(),
        _ => key == list_of(fields),
    },
};

/// The member that holds the messages.
fn list_of(fields: &Fields<'_>) -> &'static str {
    match fields.get("conversations") {
        Some(_) => "conversations",
        None => "messages",
    }
}

/// The instruction beside the messages, as ShareGPT data sets have it, unless the messages begin with one.
fn instruction_of<'a>(fields: &Fields<'a>) -> Option<&'a str> {
    let messages = fields.get(list_of(fields)).and_then(Json::items)?;
    let speaker = |it: &Json<'a>| it.get("from").or(it.get("role"))?.as_str();
    let is_there = messages.first().and_then(speaker) == Some("system");
    fields
        .text("system")
        .filter(|text| !is_there && !text.is_empty())
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let mut listed = None;
    let trajectory = ENVELOPE.open(value, import, &mut |held, conversation, import| {
        let (messages, path) = match held {
            Held::List(messages) => (messages, Path::root()),
            Held::Message(fields) | Held::Object(fields) => {
                if let Some(text) = instruction_of(fields) {
                    listed = tools_in(text, import);
                    conversation.turn(Role::System, text, Vec::new());
                }
                let key = list_of(fields);
                (
                    fields.items(key, "a list of messages")?,
                    fields.path().key(key),
                )
            }
        };
        listed = listed.or(read_messages(messages, &path, conversation, import)?);
        Ok(())
    })?;
    Ok(vec![Trajectory {
        trajectory_id: value.get("id").map(|id| import.label(id)),
        // Beside the messages the tools may be a list, or the text of one.
        tools: trajectory
            .tools
            .map(|tools| import.nested(tools))
            .filter(|tools| tools.items().is_some())
            .or(listed),
        ..trajectory
    }])
}

/// Adds `messages` to `conversation`, and returns the tools that an instruction lists.
fn read_messages<'a>(
    messages: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<Option<Json<'a>>> {
    let mut read = Read {
        conversation,
        tools: None,
    };
    for fields in Fields::each(messages, path, "a message: {from, value}") {
        read.message(&fields?, import)?;
    }
    Ok(read.tools)
}

struct Read<'c, 'a> {
    conversation: &'c mut Conversation<'a>,
    tools: Option<Json<'a>>,
}

impl<'a> Read<'_, 'a> {
    fn message(&mut self, fields: &Fields<'a>, import: &mut Import<'a>) -> Result<()> {
        let key = if fields.get("from").is_some() {
            "from"
        } else {
            "role"
        };
        let text_key = if key == "from" { "value" } else { "content" };
        let text = match fields.get(text_key) {
            None | Some(Json::Null) => "",
            Some(Json::String(text)) => text,
            Some(_) => return Err(fields.mismatch(text_key, "a text")),
        };
        let path = fields.path().key(text_key);
        let role = match fields.text(key) {
            Some("system" | "developer") => Role::System,
            Some("human" | "user") => Role::User,
            Some("gpt" | "assistant" | "bot" | "model" | "chatgpt") => Role::Agent,
            Some("function_call") => {
                let calls = read_calls(text, &path, import);
                self.turn(fields, Role::Agent, "", calls, import);
                return Ok(());
            }
            Some("tool" | "observation" | "function_response" | "function") => {
                self.results(text, fields, &path, import);
                return Ok(());
            }
            _ => {
                let expected = "system, human, gpt, tool, function_call or observation";
                return Err(fields.mismatch(key, expected));
            }
        };
        match role {
            Role::Agent => {
                let (said, calls) = split(text, &path, import);
                self.turn(fields, role, said, calls, import);
            }
            Role::User if text.contains(RESPONSE.open) => {
                let said = self.results(text, fields, &path, import);
                if !said.is_empty() {
                    self.turn(fields, role, said, Vec::new(), import);
                }
            }
            _ => {
                self.tools = self.tools.or_else(|| tools_in(text, import));
                self.turn(fields, role, text, Vec::new(), import);
            }
        }
        Ok(())
    }

    fn turn(
        &mut self,
        fields: &Fields<'a>,
        role: Role,
        content: &'a str,
        tool_calls: Vec<ToolCall<'a>>,
        import: &Import<'a>,
    ) {
        let read = ["from", "value", "role", "content", "tool_calls", "turn_id"];
        let about = About::of(fields, &read, import);
        self.conversation.push(Turn {
            turn_id: 0,
            role,
            content,
            timestamp: about.timestamp,
            tool_calls,
            extra: about.extra,
        });
    }

    /// Adds the results in `text` to the calls, in order, and returns the rest of the text. A text
    /// without tags is one result.
    fn results(
        &mut self,
        text: &'a str,
        fields: &Fields<'a>,
        path: &Path,
        import: &mut Import<'a>,
    ) -> &'a str {
        let (said, blocks) = RESPONSE.split(text, import);
        match blocks.is_empty() {
            true => self.result(text, fields, path, import),
            false => {
                for block in blocks {
                    self.result(block.text, fields, path, import);
                }
            }
        }
        said
    }

    /// A result may name its tool and the id of its call.
    fn result(&mut self, text: &'a str, fields: &Fields<'a>, path: &Path, import: &mut Import<'a>) {
        let text = text.trim();
        let value = literal(text, import).unwrap_or(Json::String(text));
        let own = |key| value.get(key).and_then(Json::as_str);
        let content = value.get("content").filter(|_| own("name").is_some());
        let id = own("tool_call_id").or(fields.text("tool_call_id"));
        let result = CallResult {
            id: id.filter(|id| !id.is_empty()),
            name: own("name").filter(|_| content.is_some()),
            outcome: Outcome::Result(import.nested(content.unwrap_or(value))),
        };
        self.conversation.result(&result, path, import);
    }
}

/// A pair of tags.
struct Tag {
    open: &'static str,
    close: &'static str,
}

/// The text between two tags.
struct Block<'a> {
    text: &'a str,
    is_closed: bool,
}

impl Tag {
    /// The text outside the tags, and the blocks between them. The last block may lack its closing tag.
    fn split<'a>(&self, text: &'a str, import: &Import<'a>) -> (&'a str, Vec<Block<'a>>) {
        let mut outside = Vec::new();
        let mut blocks = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(self.open) {
            outside.push(before.trim());
            let (inside, after, is_closed) = match after.split_once(self.close) {
                Some((inside, after)) => (inside, after, true),
                None => (after, "", false),
            };
            blocks.push(Block {
                text: inside.trim(),
                is_closed,
            });
            rest = after;
        }
        if blocks.is_empty() {
            return (text, blocks);
        }
        outside.push(rest.trim());
        outside.retain(|part| !part.is_empty());
        (import.join_text(outside.into_iter()), blocks)
    }
}

/// The text of an agent without its calls, and the calls.
fn split<'a>(text: &'a str, path: &Path, import: &mut Import<'a>) -> (&'a str, Vec<ToolCall<'a>>) {
    let (said, blocks) = CALL.split(text, import);
    let mut calls = Vec::new();
    for block in blocks {
        let first = calls.len();
        calls.extend(read_calls(block.text, path, import));
        for call in &mut calls[first..] {
            call.incomplete = !block.is_closed && call.arguments.is_none();
        }
    }
    (said, calls)
}

/// The calls in a block: one, a list, or one per line.
fn read_calls<'a>(text: &'a str, path: &Path, import: &mut Import<'a>) -> Vec<ToolCall<'a>> {
    if let Some(value) = literal(text, import) {
        let list = match value {
            Json::Array(list) => list,
            one => import.slice(one),
        };
        if list.iter().all(is_call) && !list.is_empty() {
            return list
                .iter()
                .map(|call| read_call(*call, path, import))
                .collect();
        }
    }
    let lines: Option<Vec<_>> = json_lines(text)
        .map(|(_, line)| literal(line, import).filter(is_call))
        .collect();
    match lines {
        Some(calls) if !calls.is_empty() => calls
            .into_iter()
            .map(|call| read_call(call, path, import))
            .collect(),
        _ => vec![broken_call(text, path, import)],
    }
}

fn is_call(value: &Json<'_>) -> bool {
    let function = value.get("function").unwrap_or(*value);
    function
        .get("name")
        .is_some_and(|name| name.as_str().is_some())
}

fn read_call<'a>(call: Json<'a>, path: &Path, import: &mut Import<'a>) -> ToolCall<'a> {
    let function = call.get("function").filter(|it| it.members().is_some());
    let function = function.unwrap_or(call);
    let text = |key| call.get(key).and_then(Json::as_str);
    let mut read = ToolCall {
        id: text("id").or(text("tool_call_id")),
        name: function.get("name").and_then(Json::as_str),
        ..ToolCall::default()
    };
    let arguments = ["arguments", "parameters", "args"];
    let arguments = arguments.into_iter().find_map(|key| function.get(key));
    match arguments {
        Some(Json::String(written)) if !written.trim().is_empty() => {
            match literal(written.trim(), import) {
                Some(value) => read.arguments = Some(value),
                None => import.arguments(&mut read, arguments, &|| path.clone()),
            }
        }
        arguments => import.arguments(&mut read, arguments, &|| path.clone()),
    }
    read
}

/// A call that can't be read. It keeps its text, and its name if that is found.
fn broken_call<'a>(text: &'a str, path: &Path, import: &mut Import<'a>) -> ToolCall<'a> {
    let why = match import.texts.read_text(text) {
        Ok(_) => "it is not an object with a name".to_owned(),
        Err(error) => error.to_string(),
    };
    import.warn(path, format!("a call in the text can't be read: {why}"));
    ToolCall {
        name: name_in(text),
        raw_arguments: Some(text),
        ..ToolCall::default()
    }
}

fn name_in(text: &str) -> Option<&str> {
    let at = ["\"name\"", "'name'"]
        .into_iter()
        .find_map(|key| Some(text.find(key)? + key.len()))?;
    let value = text[at..].trim_start().strip_prefix(':')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (name, _) = value[1..].split_once(quote)?;
    Some(name)
}

/// The object or list in a text that is JSON or a Python literal.
fn literal<'a>(text: &'a str, import: &Import<'a>) -> Option<Json<'a>> {
    let text = text.trim();
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let value = import.texts.read_nested(text);
    value.or_else(|| import.reader.read_python(text))
}

/// The tools that an instruction lists: as JSON, or one per line.
fn tools_in<'a>(text: &'a str, import: &Import<'a>) -> Option<Json<'a>> {
    let (_, blocks) = TOOLS.split(text, import);
    let holds = |block: &Block<'a>| -> Option<Json<'a>> {
        if let Some(value) = literal(block.text, import) {
            return Some(match value {
                Json::Array(_) => value,
                one => Json::Array(import.slice(one)),
            });
        }
        let lines = json_lines(block.text).map(|(_, line)| literal(line, import));
        let tools: Vec<_> = lines.collect::<Option<_>>()?;
        Some(Json::Array(import.arena().alloc_slice_copy(&tools)))
    };
    blocks
        .iter()
        .find_map(holds)
        .filter(|it| it.items() != Some(&[]))
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    fn called(text: &str) -> Vec<String> {
        let arena = Bump::new();
        let text = serde_json::to_string(text).expect("JSON");
        let read = imported(
            &arena,
            &format!(r#"{{"conversations":[{{"from":"gpt","value":{text}}}]}}"#),
        );
        calls_of(&read.value[0])
    }

    #[test]
    fn calls_and_results_in_the_text_are_read() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("hermes/basic.json"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("chat-3"));
        let turns = turns_of(trajectory);
        assert_eq!(turns[2], (Role::Agent, "I ask both.".to_owned(), 2));
        assert_eq!(turns[3], (Role::Agent, "Oslo is colder.".to_owned(), 0));
        assert_eq!(turns.len(), 4);
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"name":"get_weather","arguments":{"city":"Oslo","metric":true},"result":{"temp":-3}}"#,
                r#"{"name":"get_weather","arguments":{"city":"Rome","metric":true},"result":{"temp":11}}"#,
            ]
        );
        let tools = trajectory.tools.and_then(Json::items).map(<[_]>::len);
        assert_eq!(tools, Some(2));
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn all_ways_of_writing_a_call_are_read() {
        let cases = [
            (
                r#"<tool_call>{"name":"f","arguments":{"n":1}}</tool_call>"#,
                r#"{"name":"f","arguments":{"n":1}}"#,
            ),
            (
                r#"<tool_call>{'name': 'f', 'arguments': {'n': None}}</tool_call>"#,
                r#"{"name":"f","arguments":{"n":null}}"#,
            ),
            (
                r#"<tool_call>{"name":"f","arguments":"{\"n\":1}"}</tool_call>"#,
                r#"{"name":"f","arguments":{"n":1}}"#,
            ),
            (
                r#"<tool_call>{"name":"f","arguments":"{'n': True}"}</tool_call>"#,
                r#"{"name":"f","arguments":{"n":true}}"#,
            ),
            (r#"<tool_call>{"name":"f"}</tool_call>"#, r#"{"name":"f"}"#),
            (
                r#"<tool_call>{"name":"f","arguments":{"n":1}}"#,
                r#"{"name":"f","arguments":{"n":1}}"#,
            ),
            (
                r#"<tool_call>{"name": "f", "arguments": {"n": 1"#,
                r#"{"name":"f","rawArguments":"{\"name\": \"f\", \"arguments\": {\"n\": 1","incomplete":true}"#,
            ),
            (
                r#"<tool_call>{"name": "f", "arguments": {"n": }}</tool_call>"#,
                r#"{"name":"f","rawArguments":"{\"name\": \"f\", \"arguments\": {\"n\": }}"}"#,
            ),
            ("<tool_call>f(1)</tool_call>", r#"{"rawArguments":"f(1)"}"#),
        ];
        for (text, expected) in cases {
            assert_eq!(called(text), [expected], "{text}");
        }
        let two = "<tool_call>\n{\"name\":\"f\"}\n{\"name\":\"g\"}\n</tool_call>";
        assert_eq!(called(two), [r#"{"name":"f"}"#, r#"{"name":"g"}"#]);
        let list = r#"<tool_call>[{"name":"f"},{"name":"g"}]</tool_call>"#;
        assert_eq!(called(list), called(two));
    }

    #[test]
    fn messages_with_calls_in_their_text_are_not_read_as_chat() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"role":"user","content":"hi"},
                {"role":"assistant","content":"<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>"},
                {"role":"user","content":"<tool_response>7</tool_response> go on"}]"#,
        );
        assert_eq!(read.format, TrajectoryFormat::Hermes);
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"name":"f","arguments":{},"result":"7"}"#]
        );
        assert_eq!(turns_of(&read.value[0])[2].1, "go on");
    }

    #[test]
    fn the_calls_of_sharegpt_are_read() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"tools":"[{\"name\":\"f\"}]","conversations":[{"from":"human","value":"hi"},
                {"from":"function_call","value":"{\"name\":\"f\",\"arguments\":{\"n\":1}}"},
                {"from":"observation","value":"[1, 2]"},{"from":"gpt","value":"Two."}]}"#,
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"name":"f","arguments":{"n":1},"result":[1,2]}"#]
        );
        assert!(read.value[0].tools.is_some());
    }

    #[test]
    fn the_error_names_what_half_a_conversation_lacks() {
        let reason = failure(r#"{"conversations":[{"from":"human"}]}"#).to_string();
        assert!(
            reason.contains("hermes, but it lacks `from` and `value`"),
            "{reason}"
        );
        let error = failure(r#"{"conversations":[{"from":"cat","value":"miau"}]}"#);
        assert_eq!(
            error.report().path.as_deref(),
            Some("conversations[0].from")
        );
    }

    #[test]
    fn many_marks_take_linear_time() {
        let text = "<tool_call>".repeat(100_000);
        assert_eq!(called(&text).len(), 1);
        let text = "<tool_call>{}</tool_call>".repeat(20_000);
        assert_eq!(called(&text).len(), 20_000);
    }
}
