//! Calls in text, as open models write them: `<tool_call>{"name", "arguments"}</tool_call>`, answered by
//! `<tool_response>…</tool_response>`, and other dialects. They are in ShareGPT's `conversations: [{from, value}]` or in
//! messages `{role, content}`, or the whole conversation is one text with the marks of a chat template. Also ShareGPT's own
//! `function_call` and `observation`.

use crate::kit::conversation::Conversation;
use crate::kit::dialects::rendered::{Rendered, rendered_messages, rendered_text};
use crate::kit::dialects::text_calls::{
    KnownTools, add_results, between, calls_meant, holds_results, literal, read_json_calls,
    read_result, split, split_results,
};
use crate::kit::envelope::{Envelope, Held};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::message::About;
use crate::kit::signs::{Sign, messages_of, plain_or_open};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory, Turn, json_lines};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Hermes,
    marks: &[],
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    if value.as_str().is_some() {
        return match rendered_text(value) {
            Some(_) => Likeness::Full,
            None => Likeness::None,
        };
    }
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
    match messages.iter().any(calls_otherwise) {
        true => Likeness::None,
        false if holds_calls(value, messages) => Likeness::Full,
        false if !messages.is_empty() && messages.iter().all(is_plain) => Likeness::Plain,
        false => Likeness::None,
    }
}

/// Whether a message holds calls outside its text.
fn calls_otherwise(message: &Json<'_>) -> bool {
    let calls = message.get("tool_calls").and_then(Json::items);
    let legacy = message.get("function_call").and_then(Json::members);
    calls.is_some_and(|calls| !calls.is_empty()) || legacy.is_some()
}

fn is_plain(message: &Json<'_>) -> bool {
    matches!(plain_or_open(*message), Sign::Plain)
}

/// Whether an agent calls tools in the texts of `messages`, and all messages are texts.
fn holds_calls(document: Json<'_>, messages: &[Json<'_>]) -> bool {
    let is_readable = |message: &Json<'_>| match message.get("content") {
        None | Some(Json::Null) => true,
        Some(content) => text_of(content).is_some(),
    };
    let known = known_tools(document, messages);
    let calls = |(at, message): (usize, &Json<'_>)| {
        let text = message.get("content").and_then(text_of);
        let has_results = messages.get(at + 1).is_some_and(is_result);
        speaker(*message) == Some("assistant")
            && text.is_some_and(|text| calls_meant(text, &known, has_results).is_some())
    };
    messages.iter().enumerate().any(calls) && messages.iter().all(is_readable)
}

/// The text of a content: a text, or one part with a text.
fn text_of(content: Json<'_>) -> Option<&str> {
    match content {
        Json::String(text) => Some(text),
        Json::Array([part]) => part.get("text").and_then(Json::as_str),
        _ => None,
    }
}

fn speaker<'a>(message: Json<'a>) -> Option<&'a str> {
    message.get("from").or(message.get("role"))?.as_str()
}

fn said_in<'a>(message: Json<'a>) -> Option<&'a str> {
    let key = if message.get("from").is_some() {
        "value"
    } else {
        "content"
    };
    message.get(key).and_then(text_of)
}

/// The speakers of results.
const TOOLS_SPEAK: [&str; 7] = [
    "tool",
    "observation",
    "function_response",
    "function",
    "ipython",
    "tool_response",
    "environment",
];

/// Whether a message is a result, or the message of a user that begins with one.
fn is_result(message: &Json<'_>) -> bool {
    match speaker(*message) {
        Some("user" | "human") => said_in(*message).is_some_and(holds_results),
        Some(speaker) => is_one_of(speaker, &TOOLS_SPEAK),
        None => false,
    }
}

/// What a document says about its tools.
fn known_tools<'s, 'a>(document: Json<'a>, messages: &'s [Json<'a>]) -> KnownTools<'s, 'a> {
    let is_instruction = |it: &&Json<'a>| matches!(speaker(**it), Some("system" | "developer"));
    let instructions = messages.iter().filter(is_instruction);
    let beside = document.get("system").and_then(Json::as_str);
    KnownTools {
        definitions: document.get("tools"),
        instructions: instructions
            .filter_map(|it| said_in(*it))
            .chain(beside)
            .collect(),
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
    let is_there = messages.first().and_then(|it| speaker(*it)) == Some("system");
    fields
        .text("system")
        .filter(|text| !is_there && !text.is_empty())
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    if let Some(text) = rendered_text(value) {
        return Ok(vec![read_rendered(text, import)]);
    }
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
        let known = known_tools(value, messages);
        listed = listed.or(read_messages(
            messages,
            &path,
            &known,
            conversation,
            import,
        )?);
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

/// The trajectory of a conversation that is one text.
fn read_rendered<'a>(text: &'a str, import: &mut Import<'a>) -> Trajectory<'a> {
    let messages = rendered_messages(text);
    let instructions = messages.iter().filter_map(|message| match message {
        Rendered::System(text) => Some(*text),
        Rendered::User(_) | Rendered::Agent(_) | Rendered::Result { .. } => None,
    });
    let known = KnownTools {
        definitions: None,
        instructions: instructions.collect(),
    };
    let tools = known
        .instructions
        .iter()
        .find_map(|text| tools_in(text, import));
    let mut conversation = Conversation::default();
    let place = Path::root();
    for (at, message) in messages.iter().enumerate() {
        match *message {
            Rendered::System(text) => conversation.turn(Role::System, text, Vec::new()),
            Rendered::User(text) if holds_results(text) => {
                let said = add_results(text, None, &mut conversation, import);
                if !said.is_empty() {
                    conversation.turn(Role::User, said, Vec::new());
                }
            }
            Rendered::User(text) => conversation.turn(Role::User, text, Vec::new()),
            Rendered::Agent(text) => {
                let has_results = match messages.get(at + 1) {
                    Some(Rendered::User(text)) => holds_results(text),
                    Some(Rendered::Result { .. }) => true,
                    Some(Rendered::System(_) | Rendered::Agent(_)) | None => false,
                };
                let (said, calls) = split(text, &known, has_results, &place, import);
                conversation.turn(Role::Agent, said, calls);
            }
            Rendered::Result { tool, text } => {
                add_results(text, tool, &mut conversation, import);
            }
        }
    }
    Trajectory {
        turns: conversation.into_turns(),
        tools,
        ..Trajectory::default()
    }
}

/// Adds `messages` to `conversation`, and returns the tools that an instruction lists.
fn read_messages<'a>(
    messages: &'a [Json<'a>],
    path: &Path,
    known: &KnownTools<'_, 'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<Option<Json<'a>>> {
    let mut read = Read {
        conversation,
        known,
        tools: None,
        has_ids: false,
    };
    let messages_of = Fields::each(messages, path, "a message: {from, value}");
    for (at, fields) in messages_of.enumerate() {
        let has_results = messages.get(at + 1).is_some_and(is_result);
        read.message(&fields?, has_results, import)?;
    }
    Ok(read.tools)
}

struct Read<'c, 'a> {
    conversation: &'c mut Conversation<'a>,
    known: &'c KnownTools<'c, 'a>,
    tools: Option<Json<'a>>,
    /// Whether a call has an id.
    has_ids: bool,
}

impl<'a> Read<'_, 'a> {
    fn message(
        &mut self,
        fields: &Fields<'a>,
        has_results: bool,
        import: &mut Import<'a>,
    ) -> Result<()> {
        let key = if fields.get("from").is_some() {
            "from"
        } else {
            "role"
        };
        let text_key = if key == "from" { "value" } else { "content" };
        let text = match fields.get(text_key) {
            None | Some(Json::Null) => "",
            Some(content) if text_of(content).is_some() => text_of(content).unwrap_or_default(),
            Some(_) => return Err(fields.mismatch(text_key, "a text")),
        };
        let path = fields.path().key(text_key);
        let role = match fields.text(key) {
            Some("system" | "developer") => Role::System,
            Some("human" | "user") => Role::User,
            Some("gpt" | "assistant" | "bot" | "model" | "chatgpt") => Role::Agent,
            Some("function_call") => {
                let calls = read_json_calls(text, &path, import);
                self.turn(fields, Role::Agent, "", calls, import);
                return Ok(());
            }
            Some(speaker) if is_one_of(speaker, &TOOLS_SPEAK) => {
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
                let (said, calls) = split(text, self.known, has_results, &path, import);
                self.turn(fields, role, said, calls, import);
            }
            Role::User if holds_results(text) => {
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
        self.has_ids |= tool_calls.iter().any(|call| call.id.is_some());
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
        let (said, results) = split_results(text, import);
        match results.is_empty() {
            true => self.result(text, fields, path, import),
            false => {
                for result in results {
                    self.result(result, fields, path, import);
                }
            }
        }
        said
    }

    fn result(&mut self, text: &'a str, fields: &Fields<'a>, path: &Path, import: &mut Import<'a>) {
        let mut result = read_result(text, fields.text("tool_call_id"), import);
        // Whoever ran the calls may have given them ids that their texts lack.
        result.id = result.id.filter(|_| self.has_ids);
        self.conversation.result(&result, path, import);
    }
}

/// The tools that an instruction lists: as JSON, or one per line.
fn tools_in<'a>(text: &'a str, import: &Import<'a>) -> Option<Json<'a>> {
    let (_, blocks) = between(text, "<tools>", "</tools>", import);
    let holds = |block: &&'a str| -> Option<Json<'a>> {
        if let Some(value) = literal(block, import) {
            return Some(match value {
                Json::Array(_) => value,
                one => Json::Array(import.slice(one)),
            });
        }
        let lines = json_lines(block).map(|(_, line)| literal(line, import));
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
    fn a_conversation_that_is_one_text_is_read() {
        let arena = Bump::new();
        let reader = toolgauge_model::Reader::new(&arena, toolgauge_model::Limits::default());
        let texts = [
            "<|im_start|>system\n<tools>{\"name\":\"find\"}</tools><|im_end|>\n<|im_start|>user\nFind it.<|im_end|>\n<|im_start|>assistant\nI look.\n<tool_call>{\"name\":\"find\",\"arguments\":{\"n\":1}}</tool_call><|im_end|>\n<|im_start|>user\n<tool_response>\n7\n</tool_response><|im_end|>\n<|im_start|>assistant\nIt is 7.<|im_end|>\n",
            "<|start|>system<|message|>Tools: find<|end|><|start|>user<|message|>Find it.<|end|><|start|>assistant<|channel|>commentary<|message|>I look.<|end|><|start|>assistant to=functions.find<|channel|>commentary <|constrain|>json<|message|>{\"n\":1}<|call|><|start|>functions.find to=assistant<|channel|>commentary<|message|>7<|end|><|start|>assistant<|channel|>final<|message|>It is 7.<|return|>",
        ];
        for text in texts {
            let document = reader.read(text.as_bytes()).expect("a text");
            let read = crate::import_trajectories(document, None, reader).expect("a conversation");
            assert_eq!(read.format, TrajectoryFormat::Hermes);
            assert_eq!(
                calls_of(&read.value[0]),
                [r#"{"name":"find","arguments":{"n":1},"result":"7"}"#],
                "{text}"
            );
            let turns = turns_of(&read.value[0]);
            assert_eq!(turns[2].1, "I look.");
            assert_eq!(turns[3].1, "It is 7.");
            assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        }
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

    /// The warnings of a conversation that is nothing but a text of the agent.
    fn warned(text: &str) -> Vec<String> {
        let arena = Bump::new();
        let text = serde_json::to_string(text).expect("JSON");
        let read = imported(
            &arena,
            &format!(r#"{{"conversations":[{{"from":"gpt","value":{text}}}]}}"#),
        );
        assert_eq!(read.value[0].call_count(), 0, "{text}");
        let messages = read.warnings.into_iter();
        messages.map(|warning| warning.message).collect()
    }

    #[test]
    fn marks_without_a_readable_call_are_a_warning() {
        let cases = [
            ("<tool_call>f(1)</tool_call>", "Hermes and Qwen"),
            ("<tool_call>\n{\"na", "Hermes and Qwen"),
            ("<function_calls>\n</function_calls>", "Claude"),
            ("[TOOL_CALLS]", "Mistral"),
            ("<|python_tag|>import math\nprint(math.pi)", "Llama 3"),
            ("<｜tool▁calls▁begin｜><｜tool▁call▁beg", "DeepSeek"),
            ("<TOOLCALL>[]</TOOLCALL>", "Nemotron"),
        ];
        for (text, models) in cases {
            let what = format!(
                "the text begins with the mark of a tool call in the dialect of {models}, but no call can be read"
            );
            assert_eq!(warned(text), [what], "{text}");
        }
        let doubtful = warned("I look it up.\n<tool_call>{\"name\":\"f\"}</tool_call>");
        assert_eq!(
            doubtful,
            [
                "the text contains a call of \"f\" in the dialect of Hermes and Qwen; it is left as text, because neither a tool of that name nor a result shows that it was made"
            ]
        );
        assert_eq!(
            warned("Models write `<tool_call>{\"name\":\"f\"}</tool_call>`."),
            [""; 0]
        );
    }

    #[test]
    fn calls_after_a_text_are_read_if_something_says_that_they_were_made() {
        let text = "I look it up.\\n<tool_call>{\\\"name\\\":\\\"find\\\"}</tool_call>";
        let tools = [
            r#""tools":[{"type":"function","function":{"name":"find"}}],"#,
            r#""tools":"[{\"name\":\"find\"}]","#,
            r#""system":"Use find.","#,
        ];
        for tools in tools {
            let arena = Bump::new();
            let read = imported(
                &arena,
                &format!(
                    r#"{{{tools}"messages":[{{"role":"user","content":"hi"}},{{"role":"assistant","content":"{text}"}}]}}"#
                ),
            );
            assert_eq!(calls_of(&read.value[0]), [r#"{"name":"find"}"#], "{tools}");
        }
        let arena = Bump::new();
        let read = imported(
            &arena,
            &format!(
                r#"[{{"role":"assistant","content":"{text}"}},{{"role":"tool","tool_call_id":"x","content":[{{"type":"text","text":"7"}}]}}]"#
            ),
        );
        let call = [r#"{"name":"find","result":"7"}"#];
        assert_eq!(calls_of(&read.value[0]), call);
        let read = imported(
            &arena,
            &format!(
                r#"[{{"role":"assistant","content":"{text}"}},{{"role":"user","content":"Why?"}}]"#
            ),
        );
        assert_eq!(read.format, TrajectoryFormat::OpenaiChat);
        assert_eq!(read.value[0].call_count(), 0);
    }

    #[test]
    fn conversations_without_calls_in_a_list_are_no_obstacle() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"Hi!"}]},
                {"messages":[{"role":"user","content":"Find it."},
                    {"role":"assistant","content":"<tool_call>{\"name\":\"find\"}</tool_call>"}]}]"#,
        );
        assert_eq!(read.format, TrajectoryFormat::Hermes);
        assert_eq!(calls_of(&read.value[1]), [r#"{"name":"find"}"#]);
    }

    #[test]
    fn many_marks_take_linear_time() {
        assert_eq!(warned(&"<tool_call>".repeat(100_000)).len(), 0);
        assert_eq!(warned(&"<tool_call>{".repeat(100_000)).len(), 1);
        let text = r#"<tool_call>{"name":"f"}</tool_call>"#.repeat(20_000);
        assert_eq!(called(&text).len(), 20_000);
        let text = r#"<tool_call>{"name":"f"}"#.repeat(20_000);
        assert_eq!(called(&text).len(), 20_000);
    }
}
