//! Finds the messages in the input or output of a step: messages of any format, alone or wrapped, as values or as
//! JSON text. Tracers change messages on the way: what they do to a row is undone here.

use foldhash::HashSet;

use super::events::{holds_blocks, message_of, text_of};
use crate::kit::Import;
use crate::kit::conversation::CallResult;
use crate::kit::detection::outline;
use crate::kit::signs::{items, kind};
use toolgauge_model::{Json, Member, Path, Role, Trajectory, Turn};

/// Messages are searched for down to this depth in the input or output of a step.
const DEEPEST: usize = 3;

/// Members that may contain the messages of a step.
const WRAPPERS: [&str; 11] = [
    "update",
    "messages",
    "generations",
    "output",
    "outputs",
    "input",
    "inputs",
    "message",
    "new_message",
    "response",
    "value",
];

/// Members that may hold what was asked or answered.
const TEXTS: [&str; 10] = [
    "question", "input", "query", "prompt", "task", "text", "answer", "output", "response",
    "content",
];

/// The messages of a step.
#[derive(Default)]
pub struct Read<'a> {
    /// The turns.
    pub turns: Vec<Turn<'a>>,
    /// The results whose calls are not among the turns.
    pub results: Vec<CallResult<'a>>,
    /// The tool definitions beside the messages.
    pub tools: Vec<Json<'a>>,
    /// The rows that can't be read: where, the row, and why.
    pub odd: Vec<Odd<'a>>,
}

/// A row of a list of messages that can't be read.
pub struct Odd<'a> {
    /// Where it is in the document.
    pub path: Path,
    /// The row itself.
    pub row: Json<'a>,
    /// Why it can't be read.
    pub reason: String,
}

/// The messages in `value`. `None` if it holds none of a known format. A message without a role is one of `role`.
pub fn find<'a>(
    value: Json<'a>,
    role: Role,
    path: &Path,
    import: &mut Import<'a>,
) -> Option<Read<'a>> {
    let known = import.warnings.len();
    let value = with_role(unwrapped(value, import), role, import);
    let found = find_in(value, path, DEEPEST, import);
    if found.is_none() {
        import.warnings.truncate(known);
    }
    found
}

/// As [`find`], but a text is a message of `role`, and anything else gets a warning.
pub fn read<'a>(value: Json<'a>, role: Role, path: &Path, import: &mut Import<'a>) -> Read<'a> {
    let value = unwrapped(value, import);
    if value.is_null() || is_empty(value) {
        return Read::default();
    }
    if let Some(text) = said_alone(value) {
        return Read {
            turns: vec![said(role, text)],
            ..Read::default()
        };
    }
    let read = find(value, role, path, import);
    if read.is_none() {
        let found = outline(value);
        import.warn(
            path,
            format!("no messages of a known format: found {found}"),
        );
    }
    read.unwrap_or_default()
}

/// The text that inputs or outputs consist of, or the first that has a usual name.
pub fn text_in(value: Json<'_>) -> Option<&str> {
    match value {
        Json::String(text) => Some(text),
        Json::Object([(_, Json::String(text))]) => Some(text),
        Json::Object([("args", Json::Array([Json::String(text)])), ("kwargs", _)]) => Some(text),
        other => TEXTS.iter().find_map(|key| other.get(key)?.as_str()),
    }
}

/// The value in JSON text, or a message in a text that is a Python dict.
fn unwrapped<'a>(value: Json<'a>, import: &Import<'a>) -> Json<'a> {
    let python = |text: &'a str| {
        let read = import.reader.read_python(text)?;
        read.get("role").is_some().then_some(read)
    };
    match import.nested(value) {
        Json::String(text) if text.trim_ascii_start().starts_with('{') => {
            python(text).unwrap_or(value)
        }
        other => other,
    }
}

/// A turn with nothing but a text.
pub fn said<'a>(role: Role, text: &'a str) -> Turn<'a> {
    Turn {
        turn_id: 0,
        role,
        content: text,
        timestamp: None,
        tool_calls: Vec::new(),
        extra: &[],
    }
}

/// Whether a value holds nothing: `{}` and `[]` are what tracers write when contents are not recorded.
pub fn is_empty(value: Json<'_>) -> bool {
    matches!(value, Json::Object([]) | Json::Array([]))
}

/// A text, or an object or list with nothing but one text.
fn said_alone(value: Json<'_>) -> Option<&str> {
    match value {
        Json::String(text) => Some(text),
        Json::Object([(_, Json::String(text))]) | Json::Array([Json::String(text)]) => Some(text),
        _ => None,
    }
}

/// Adds `role` to a message without one.
fn with_role<'a>(value: Json<'a>, role: Role, import: &Import<'a>) -> Json<'a> {
    let is_message = match value.get("content") {
        Some(content) => content.get("parts").is_none(),
        None => value.get("tool_calls").is_some(),
    };
    let says_who = ["role", "type", "lc", "messages", "parts", "event.name"];
    let Json::Object(members) = value else {
        return value;
    };
    if !is_message || says_who.iter().any(|key| value.get(key).is_some()) {
        return value;
    }
    let role = ("role", Json::String(name_of(role)));
    let all = [&[role], members].concat();
    object(&all, import)
}

fn name_of(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Agent => "assistant",
        Role::System => "system",
    }
}

fn object<'a>(members: &[Member<'a>], import: &Import<'a>) -> Json<'a> {
    Json::Object(import.arena().alloc_slice_copy(members))
}

fn list<'a>(items: &[Json<'a>], import: &Import<'a>) -> Json<'a> {
    Json::Array(import.arena().alloc_slice_copy(items))
}

fn find_in<'a>(
    value: Json<'a>,
    path: &Path,
    depth: usize,
    import: &mut Import<'a>,
) -> Option<Read<'a>> {
    let mut tidied = Tidied::of(value, import);
    let value = tidied.value;
    if let Some(mut read) = read_whole(value, path, import) {
        read.tools.append(&mut tidied.tools);
        return Some(read);
    }
    let mut read = find_inside(value, path, depth.checked_sub(1)?, import)?;
    read.tools.append(&mut tidied.tools);
    Some(read)
}

/// The messages of a document in a known format. `None` if it has none, or can't be read.
fn read_whole<'a>(value: Json<'a>, path: &Path, import: &mut Import<'a>) -> Option<Read<'a>> {
    let known = import.warnings.len();
    match import.read_inner(value, path)? {
        Ok((trajectories, results)) => {
            let first = trajectories.into_iter().next().unwrap_or_default();
            let Trajectory { turns, tools, .. } = first;
            Some(Read {
                turns,
                results,
                tools: tools.and_then(Json::items).unwrap_or_default().to_vec(),
                odd: Vec::new(),
            })
        }
        Err(_) => {
            import.warnings.truncate(known);
            None
        }
    }
}

fn find_inside<'a>(
    value: Json<'a>,
    path: &Path,
    depth: usize,
    import: &mut Import<'a>,
) -> Option<Read<'a>> {
    match value {
        Json::Array([first]) => find_in(*first, &path.index(0), depth, import),
        Json::Array([first @ Json::Array(_), ..]) => find_in(*first, &path.index(0), depth, import),
        Json::Array(rows) => read_rows(rows, path, import),
        Json::Object(_) => WRAPPERS.iter().find_map(|key| {
            let inner = import.nested(value.get(key)?);
            if !matches!(inner, Json::Array(_) | Json::Object(_)) {
                return None;
            }
            let mut read = find_in(inner, &path.key(key), depth, import)?;
            read.tools.extend(items(value, "tools"));
            Some(read)
        }),
        _ => None,
    }
}

/// The messages of a list that can't be read as a whole, because rows are odd or of several formats.
fn read_rows<'a>(rows: &'a [Json<'a>], path: &Path, import: &mut Import<'a>) -> Option<Read<'a>> {
    let mut good = Vec::new();
    let mut alone = Read::default();
    for (at, row) in rows.iter().enumerate() {
        let place = path.index(at);
        match import.read_inner(list(&[*row], import), &place) {
            Some(Ok((trajectories, results))) => {
                good.push(*row);
                alone.results.extend(results);
                let turns = trajectories.into_iter().flat_map(|it| it.turns);
                alone.turns.extend(turns);
            }
            other => alone.odd.push(Odd {
                path: place,
                row: *row,
                reason: match other {
                    Some(Err(error)) => error.to_string(),
                    _ => format!("found {}", outline(*row)),
                },
            }),
        }
    }
    if alone.turns.is_empty() && alone.results.is_empty() {
        return None;
    }
    match read_whole(list(&good, import), path, import) {
        Some(read) => Some(Read {
            odd: alone.odd,
            ..read
        }),
        None => Some(alone),
    }
}

/// A value whose rows are as their framework wrote them, and the tool definitions among them.
struct Tidied<'a> {
    value: Json<'a>,
    tools: Vec<Json<'a>>,
}

impl<'a> Tidied<'a> {
    fn of(value: Json<'a>, import: &Import<'a>) -> Self {
        let mut tools = Vec::new();
        let value = tidy(value, &mut tools, import);
        Self { value, tools }
    }
}

fn tidy<'a>(value: Json<'a>, tools: &mut Vec<Json<'a>>, import: &Import<'a>) -> Json<'a> {
    match value {
        Json::Array(rows) if !rows.is_empty() && rows.iter().all(is_bare_call) => {
            message_with_calls(rows, import)
        }
        Json::Array(rows) => tidy_rows(rows, tools, import),
        Json::Object(members) => match value.get("messages").and_then(Json::items) {
            Some(rows) => {
                let tidied = ("messages", tidy_rows(rows, tools, import));
                let others = members.iter().filter(|(key, _)| *key != "messages");
                let all: Vec<_> = others.copied().chain([tidied]).collect();
                object(&all, import)
            }
            None => tidy_row(value, import).unwrap_or(value),
        },
        other => other,
    }
}

fn tidy_rows<'a>(rows: &'a [Json<'a>], tools: &mut Vec<Json<'a>>, import: &Import<'a>) -> Json<'a> {
    let rows = without_counted_ids(rows, import);
    let mut tidied = Vec::with_capacity(rows.len());
    for row in rows {
        match tool_in(*row) {
            Some(tool) => tools.push(tool),
            None => tidied.push(tidy_row(*row, import).unwrap_or(*row)),
        }
    }
    list(&tidied, import)
}

/// The tool definition that a tracer put among the messages, as the content of a row.
fn tool_in(row: Json<'_>) -> Option<Json<'_>> {
    let content = row.get("content")?;
    content.members()?;
    let has_schema = |it: Json<'_>| {
        let keys = ["parameters", "input_schema", "inputSchema", "description"];
        it.get("name").is_some() && keys.iter().any(|key| it.get(key).is_some())
    };
    let is_tool = content.get("function").is_some_and(has_schema) || has_schema(content);
    let is_of_tool = matches!(
        row.get("role").and_then(Json::as_str),
        Some("tool" | "tools")
    );
    (is_of_tool && is_tool).then_some(content)
}

/// The row as its framework wrote it. `None` if it is so already.
fn tidy_row<'a>(row: Json<'a>, import: &Import<'a>) -> Option<Json<'a>> {
    inner_row(row, import)
        .or_else(|| with_content(row, import))
        .or_else(|| with_calls(row, import))
        .or_else(|| with_known_role(row, import))
}

fn role_of<'a>(row: Json<'a>) -> Option<&'a str> {
    row.get("role")?.as_str()
}

/// The message in an event, in the response of ADK, or in one choice of a chat.
fn inner_row<'a>(row: Json<'a>, import: &Import<'a>) -> Option<Json<'a>> {
    if let Some(name) = row.get("event.name").and_then(Json::as_str) {
        return message_of(name, row, import);
    }
    let content = row.get("content").filter(|it| it.get("parts").is_some());
    if content.is_some() || row.get("role").is_some() {
        return content;
    }
    let message = row.get("message")?;
    match message.get("role") {
        Some(_) => Some(tidy_row(message, import).unwrap_or(message)),
        None if row.get("finish_reason").is_some() => message_of("gen_ai.choice", row, import),
        None => None,
    }
}

/// The message with its content as blocks or parts, rather than as JSON text of them, or in another member.
fn with_content<'a>(row: Json<'a>, import: &Import<'a>) -> Option<Json<'a>> {
    let role = role_of(row)?;
    let Some(content) = row.get("content") else {
        let plain = with_blocks(row, row.get("blocks")?.items()?, import);
        return Some(tidy_row(plain, import).unwrap_or(plain));
    };
    if holds_blocks(content, import) {
        return message_of(event_of(role)?, row, import);
    }
    let parts = parts_in_text(row, import)?;
    Some(with(row, &[("content", parts)], import))
}

/// The message with its calls where chat messages have them.
fn with_calls<'a>(row: Json<'a>, import: &Import<'a>) -> Option<Json<'a>> {
    role_of(row)?;
    if let Some(calls) = calls_in_text(row, import) {
        let changed = [
            ("role", Json::String("assistant")),
            ("content", Json::Null),
            ("tool_calls", calls),
        ];
        return Some(with(row, &changed, import));
    }
    let has_calls = !items(row, "tool_calls").is_empty();
    let kept = row.get("additional_kwargs")?.get("tool_calls")?;
    (!has_calls && kept.items().is_some()).then(|| with(row, &[("tool_calls", kept)], import))
}

/// The message with the role and the content of chat messages.
fn with_known_role<'a>(row: Json<'a>, import: &Import<'a>) -> Option<Json<'a>> {
    let role = role_of(row)?;
    let has_parts = row.get("parts").is_some();
    let named = match role {
        "human" | "Human" | "HumanMessage" => Some("user"),
        "ai" | "AI" | "AIMessage" | "chatbot" => Some("assistant"),
        "ToolMessage" | "tool_result" => Some("tool"),
        "SystemMessage" => Some("system"),
        "model" if !has_parts => Some("assistant"),
        _ => None,
    };
    let content = match (row.get("content"), row.get("text")) {
        // The result of a tool may be an object, which chat messages write as text.
        (Some(content @ Json::Object(_)), _) if role == "tool" => Some(as_text(content, import)),
        (None, Some(text @ Json::String(_))) if !has_parts => Some(text),
        _ => None,
    };
    let named = named.map(|role| ("role", Json::String(role)));
    let content = content.map(|content| ("content", content));
    let changed: Vec<_> = named.into_iter().chain(content).collect();
    (!changed.is_empty()).then(|| with(row, &changed, import))
}

/// The event of a message of this role.
fn event_of(role: &str) -> Option<&'static str> {
    Some(match role {
        "system" => "gen_ai.system.message",
        "user" => "gen_ai.user.message",
        "assistant" => "gen_ai.assistant.message",
        "tool" => "gen_ai.tool.message",
        _ => return None,
    })
}

/// A message of LlamaIndex, whose content and calls are blocks, as a chat message.
fn with_blocks<'a>(row: Json<'a>, blocks: &'a [Json<'a>], import: &Import<'a>) -> Json<'a> {
    let call = |block: &Json<'a>| {
        let name = block.get("tool_name")?;
        let members = [
            ("id", block.get("tool_call_id").unwrap_or_default()),
            ("name", name),
            ("arguments", block.get("tool_kwargs").unwrap_or_default()),
        ];
        Some(object(&members, import))
    };
    let calls: Vec<_> = blocks.iter().filter_map(call).collect();
    let texts = blocks
        .iter()
        .filter_map(|block| block.get("text")?.as_str());
    let content = Json::String(import.join_text(texts));
    let mut changed = vec![("content", content)];
    changed.extend((!calls.is_empty()).then(|| ("tool_calls", list(&calls, import))));
    let kept = row.get("additional_kwargs");
    let id = kept.and_then(|kept| kept.get("tool_call_id"));
    changed.extend(id.map(|id| ("tool_call_id", id)));
    with(row, &changed, import)
}

fn as_text<'a>(value: Json<'a>, import: &Import<'a>) -> Json<'a> {
    let text = serde_json::to_string(&value).unwrap_or_default();
    Json::String(import.arena().alloc_str(&text))
}

/// `row` with other members.
fn with<'a>(row: Json<'a>, changed: &[Member<'a>], import: &Import<'a>) -> Json<'a> {
    let is_kept = |(key, _): &&Member<'a>| !changed.iter().any(|(other, _)| other == key);
    let kept = row.members().unwrap_or_default().iter().filter(is_kept);
    let all: Vec<_> = kept.copied().chain(changed.iter().copied()).collect();
    object(&all, import)
}

/// The types of the parts that a content may have as JSON text, in the formats of Anthropic and OpenAI.
const PARTS: [&str; 8] = [
    "text",
    "tool_use",
    "tool_result",
    "thinking",
    "image",
    "image_url",
    "input_text",
    "output_text",
];

/// The parts that a content consists of, as JSON text. A result of a tool may be such a list itself.
fn parts_in_text<'a>(row: Json<'a>, import: &Import<'a>) -> Option<Json<'a>> {
    let content = row.get("content").filter(|it| it.as_str().is_some())?;
    let is_of_tool = row.get("role") == Some(Json::String("tool"));
    let nested = import.nested(content);
    let parts = nested
        .items()
        .filter(|parts| !parts.is_empty() && !is_of_tool)?;
    let is_part = |part: &Json<'_>| kind(*part).is_some_and(|kind| PARTS.contains(&kind));
    if !parts.iter().all(is_part) {
        return None;
    }
    match parts.iter().all(|part| kind(*part) == Some("text")) {
        true => Some(Json::String(text_of(nested, import))),
        false => Some(nested),
    }
}

/// The calls that a content consists of, as JSON text: `[{id, type: "function", function}]`.
fn calls_in_text<'a>(row: Json<'a>, import: &Import<'a>) -> Option<Json<'a>> {
    let content = row.get("content")?;
    let text = content.as_str()?;
    if !text.trim_ascii_start().starts_with('[') || row.get("tool_call_id").is_some() {
        return None;
    }
    let calls = import.nested(content);
    let is_call = |call: &Json<'_>| {
        let function = call.get("function").unwrap_or_default();
        kind(*call) == Some("function")
            && call.get("id").is_some()
            && function.get("name").is_some()
            && function.get("arguments").is_some()
    };
    let listed = calls.items()?;
    (!listed.is_empty() && listed.iter().all(is_call)).then_some(calls)
}

/// Whether a row is a call of the AI SDK without the message around it.
fn is_bare_call(row: &Json<'_>) -> bool {
    let is_part = matches!(kind(*row), None | Some("tool-call"));
    is_part && row.get("toolName").is_some() && row.get("toolCallId").is_some()
}

/// The message of an agent with these calls of the AI SDK.
pub fn message_with_calls<'a>(calls: &'a [Json<'a>], import: &Import<'a>) -> Json<'a> {
    let calls = calls.iter().map(|call| chat_call(*call, import));
    let calls = list(&calls.collect::<Vec<_>>(), import);
    let members = [("role", Json::String("assistant")), ("tool_calls", calls)];
    object(&members, import)
}

/// A call of the AI SDK, as in chat messages.
pub fn chat_call<'a>(call: Json<'a>, import: &Import<'a>) -> Json<'a> {
    let first = |keys: [&str; 2]| keys.into_iter().find_map(|key| call.get(key));
    let members = [
        ("id", call.get("toolCallId").unwrap_or_default()),
        ("name", call.get("toolName").unwrap_or_default()),
        ("arguments", first(["input", "args"]).unwrap_or_default()),
    ];
    object(&members, import)
}

/// The messages without the ids that an instrumentation counted: `get_order_1` for a call of `get_order`. Calls and
/// results are counted apart, so such ids link a result to the wrong call.
fn without_counted_ids<'a>(rows: &'a [Json<'a>], import: &Import<'a>) -> &'a [Json<'a>] {
    let calls = rows.iter().flat_map(|row| items(*row, "parts"));
    let calls = calls.filter(|part| kind(**part) == Some("tool_call"));
    let counted = |part: &Json<'a>| {
        let name = counted_name(part.get("id")?.as_str()?)?;
        (part.get("name")?.as_str()? == name).then_some(name)
    };
    let counted: HashSet<_> = calls.filter_map(counted).collect();
    if counted.is_empty() {
        return rows;
    }
    let without_id = |part: &Json<'a>| {
        let id = part.get("id").and_then(Json::as_str).unwrap_or_default();
        match counted_name(id).is_some_and(|name| counted.contains(name)) {
            true => with(*part, &[("id", Json::Null)], import),
            false => *part,
        }
    };
    let changed = rows.iter().map(|row| match row.get("parts") {
        Some(Json::Array(parts)) => {
            let parts: Vec<_> = parts.iter().map(without_id).collect();
            with(*row, &[("parts", list(&parts, import))], import)
        }
        _ => *row,
    });
    import
        .arena()
        .alloc_slice_fill_iter(changed.collect::<Vec<_>>())
}

/// The name in an id that is a name and a count: `get_order` in `get_order_1`.
fn counted_name(id: &str) -> Option<&str> {
    let name = id.trim_end_matches(|digit: char| digit.is_ascii_digit());
    (name.len() < id.len())
        .then(|| name.strip_suffix('_'))
        .flatten()
}
