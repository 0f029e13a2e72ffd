//! The items of the OpenAI Responses API and of the OpenAI Agents SDK: messages, calls and results in
//! one list. The API writes `call_id`, the SDK `callId`.
//!
//! An item `<tool>_call` is a call. If the server runs the tool, the item also holds the result. An
//! item `<tool>_call_output` or `<tool>_call_result` is the result of a call.

use foldhash::{HashMap, HashSet};

use crate::kit::Import;
use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::message::{About, Message};
use crate::kit::signs::{items, kind};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Member, Path, Role, ToolCall};

/// The kind of an item.
enum Item {
    Message,
    Call,
    Answer,
    ApprovalRequest,
    /// Reasoning, or anything else that the agent's side writes.
    Other,
}

fn item_of(item: Json<'_>) -> Item {
    match kind(item) {
        None | Some("message") => Item::Message,
        Some("mcp_approval_request") => Item::ApprovalRequest,
        Some(kind) if is_answer(kind) => Item::Answer,
        Some(kind) if kind == "program" || kind.ends_with("_call") => Item::Call,
        Some(_) => Item::Other,
    }
}

fn is_answer(kind: &str) -> bool {
    let ends = ["_call_output", "_call_result"];
    matches!(kind, "program_output" | "tool_search_output")
        || ends.iter().any(|end| kind.ends_with(end))
}

/// The id that links a call to its result, in either spelling.
pub fn call_id<'a>(fields: &Fields<'a>) -> Option<&'a str> {
    fields.text("call_id").or_else(|| fields.text("callId"))
}

/// Whether the item is a call or a result of any tool.
pub fn is_call_or_answer(item: Json<'_>) -> bool {
    matches!(
        item_of(item),
        Item::Call | Item::Answer | Item::ApprovalRequest
    )
}

/// Adds the items of a list to `conversation`. `path` is the path of the list.
pub fn read_items<'a>(
    items: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    read_later_items(items, &[], path, conversation, import)
}

/// As [`read_items`], for items that follow the `earlier` ones.
pub fn read_later_items<'a>(
    items: &'a [Json<'a>],
    earlier: &[Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    conversation.continue_another();
    let approvals = Approvals::of(earlier.iter().chain(items));
    read_found(items, 0, &approvals, found_in, path, conversation, import)
}

/// As [`read_items`], for the rows from index `first` on: `find` says which hold items, and where.
pub fn read_rows<'a>(
    rows: &'a [Json<'a>],
    first: usize,
    find: FindItem,
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let approvals = Approvals::of([].iter());
    read_found(rows, first, &approvals, find, path, conversation, import)
}

/// The item that a row of a list holds. `None` if the row is about something else.
pub type FindItem = for<'a> fn(Json<'a>) -> Option<Found<'a>>;

/// An item in a row of a list.
pub struct Found<'a> {
    /// The item itself.
    pub item: Json<'a>,
    /// The member of the row that holds it, or `None` if the row is the item.
    pub key: Option<&'static str>,
    /// When the row was written.
    pub timestamp: Option<&'a str>,
}

impl<'a> Found<'a> {
    fn fields(&self, row: Path) -> Result<Fields<'a>> {
        let path = self.key.map_or_else(|| row.clone(), |key| row.key(key));
        Fields::of(self.item, path, "an item: {type} or {role, content}")
    }
}

/// The item inside an item of a run, or the row itself.
fn found_in(row: Json<'_>) -> Option<Found<'_>> {
    Some(Found {
        item: raw(row),
        key: RAW.into_iter().find(|key| row.get(key).is_some()),
        timestamp: None,
    })
}

fn read_found<'a>(
    rows: &'a [Json<'a>],
    first: usize,
    approvals: &Approvals<'a>,
    find: FindItem,
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let found = |(at, row): (usize, &Json<'a>)| Some((at, *row, find(*row)?));
    let rows = rows.iter().enumerate().skip(first);
    let mut items = rows.filter_map(found).peekable();
    while let Some((at, _, found)) = items.peek() {
        if is_said_by_others(found.item) {
            let fields = found.fields(path.index(*at))?;
            read_message(&fields, found.timestamp, conversation, import)?;
            items.next();
            continue;
        }
        let mut step = Step {
            message: Message::new(Role::Agent, About::default(), conversation),
            is_answered: false,
            approvals,
        };
        while let Some((at, row, found)) = items.next_if(|it| !is_said_by_others(it.2.item)) {
            if !approvals.is_repeated(row) {
                let fields = found.fields(path.index(at))?;
                step.read(&fields, row.get("agent"), found.timestamp, import)?;
            }
        }
        step.finish(import);
    }
    Ok(())
}

/// The members that may hold an item inside that of a run, as JavaScript and Python write them.
pub const RAW: [&str; 2] = ["rawItem", "raw_item"];

/// The item inside an item of a run, or the item itself.
pub fn raw(item: Json<'_>) -> Json<'_> {
    let inside = RAW.iter().find_map(|key| item.get(key));
    inside.unwrap_or(item)
}

fn is_said_by_others(item: Json<'_>) -> bool {
    let role = item.get("role").and_then(Json::as_str);
    matches!(item_of(item), Item::Message) && item.members().is_some() && role != Some("assistant")
}

fn read_message<'a>(
    fields: &Fields<'a>,
    timestamp: Option<&'a str>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let role = match fields.text("role") {
        Some("user") => Role::User,
        Some("system" | "developer") => Role::System,
        _ => {
            return Err(fields.mismatch("role", "user, assistant, system or developer"));
        }
    };
    let mut about = About::of(fields, &["type", "role", "content"], import);
    about.timestamp = about.timestamp.or(timestamp);
    let mut message = Message::new(role, about, conversation);
    read_content(fields, &mut message, import)?;
    message.finish(import);
    Ok(())
}

/// The member of a part that says which sources and files its text refers to.
const NOTES: &str = "annotations";

/// Reads the content of a message: a text, or its parts. The turn keeps what the platform notes of the texts: the
/// sources and the files that it made.
fn read_content<'a>(
    fields: &Fields<'a>,
    message: &mut Message<'_, 'a>,
    import: &Import<'a>,
) -> Result<()> {
    match fields.get("content") {
        None | Some(Json::Null) => {}
        Some(Json::String(text)) => message.text(text),
        Some(Json::Array(parts)) => {
            for part in parts {
                let text = part.get("text").or_else(|| part.get("refusal"));
                match text.unwrap_or(*part).as_str() {
                    Some(text) => message.text(text),
                    None => message.other(*part),
                }
            }
            let notes = parts.iter().flat_map(|part| items(*part, NOTES));
            let notes: Vec<_> = notes.copied().collect();
            if !notes.is_empty() {
                let notes = Json::Array(import.arena().alloc_slice_copy(&notes));
                let extra = import.arena().alloc_slice_copy(&[(NOTES, notes)]);
                let timestamp = None;
                message.keep(About { timestamp, extra }, import);
            }
        }
        Some(_) => return Err(fields.mismatch("content", "a text or a list of parts")),
    }
    Ok(())
}

/// The requests for approval and their answers.
struct Approvals<'a> {
    /// The ids of calls that were made, and of the requests that led to them.
    made: HashSet<&'a str>,
    /// The requests that were denied, with the reason.
    denied: HashMap<&'a str, Option<&'a str>>,
    /// The ids of calls that wait for approval, unless they have a result.
    waiting: HashSet<&'a str>,
}

impl<'a> Approvals<'a> {
    fn of<'i>(items: impl Iterator<Item = &'i Json<'a>>) -> Self
    where
        'a: 'i,
    {
        let mut approvals = Self {
            made: HashSet::default(),
            denied: HashMap::default(),
            waiting: HashSet::default(),
        };
        for item in items {
            let text = |key| raw(*item).get(key).and_then(Json::as_str);
            let call = || text("callId").or_else(|| text("call_id"));
            match (kind(*item), text("approval_request_id")) {
                (Some("mcp_approval_response"), Some(request)) => {
                    if matches!(item.get("approve"), Some(Json::Bool(false))) {
                        approvals.denied.insert(request, text("reason"));
                    }
                }
                (Some(WAITING), _) => approvals.waiting.extend(call()),
                (_, request) => {
                    approvals.made.extend(request.or_else(call));
                }
            }
        }
        approvals
    }

    /// Whether another item is the same call.
    fn is_repeated(&self, item: Json<'_>) -> bool {
        let text = |key| raw(item).get(key).and_then(Json::as_str);
        let id = text("callId").or_else(|| text("call_id"));
        kind(item) == Some(WAITING) && id.is_some_and(|id| self.made.contains(id))
    }
}

/// The type of an item for a call that waits for approval.
const WAITING: &str = "tool_approval_item";

/// The agent's messages and calls until somebody else speaks.
struct Step<'s, 'm, 'a> {
    message: Message<'m, 'a>,
    /// Whether the latest call already has its result. Then what follows is the next step.
    is_answered: bool,
    approvals: &'s Approvals<'a>,
}

impl<'a> Step<'_, '_, 'a> {
    fn read(
        &mut self,
        fields: &Fields<'a>,
        agent: Option<Json<'a>>,
        timestamp: Option<&'a str>,
        import: &mut Import<'a>,
    ) -> Result<()> {
        match item_of(fields.value()) {
            Item::Message => {
                self.follow(import);
                self.message.start_at(timestamp);
                read_content(fields, &mut self.message, import)?;
                let about = About::of(fields, &["type", "role", "content"], import);
                self.message.keep(about, import);
            }
            Item::Call => {
                self.message.start_at(timestamp);
                let mut call = read_call(fields, import);
                if let Some(agent) = agent {
                    import.keep(&mut call, &[("agent", agent)]);
                }
                self.is_answered = !call.is_unanswered();
                let is_waiting = call
                    .id
                    .is_some_and(|id| self.approvals.waiting.contains(id));
                call.pending = is_waiting && !self.is_answered;
                self.message.call(call);
            }
            Item::Answer => {
                self.is_answered = false;
                read_answer(fields, &mut self.message, import);
            }
            Item::ApprovalRequest => self.read_request(fields, import),
            Item::Other => {
                self.follow(import);
                self.message.start_at(timestamp);
                self.message.other(fields.value());
            }
        }
        Ok(())
    }

    fn finish(self, import: &Import<'a>) {
        if !self.message.is_empty() {
            self.message.finish(import);
        }
    }

    fn follow(&mut self, import: &Import<'a>) {
        if std::mem::take(&mut self.is_answered) {
            self.message.end_step(import);
        }
    }

    /// A call that needs approval. If it was approved, another item is that call.
    fn read_request(&mut self, fields: &Fields<'a>, import: &mut Import<'a>) {
        let Some(id) = fields.text("id") else {
            return self.message.other(fields.value());
        };
        if self.approvals.made.contains(id) {
            return;
        }
        let mut call = read_call(fields, import);
        if let Some(reason) = self.approvals.denied.get(id) {
            Outcome::denied(*reason, import).put_to(&mut call);
        }
        call.pending = call.is_unanswered();
        self.message.call(call);
    }
}

/// Members of a call other than its arguments and its outcome.
const ABOUT_CALLS: [&str; 12] = [
    "type",
    "id",
    "call_id",
    "callId",
    "name",
    "status",
    "namespace",
    "server_label",
    "caller",
    "created_by",
    "providerData",
    "approval_request_id",
];

/// Members of a call that hold its outcome, if the server ran it.
const OUTCOMES: [&str; 5] = ["error", "output", "outputs", "results", "result"];

/// The states of a call that was still being written.
const UNFINISHED: [&str; 2] = ["in_progress", "incomplete"];

/// Where a call has its arguments.
enum Arguments<'a> {
    /// JSON text in this member.
    Text(&'static str),
    /// An object in this member.
    Object(&'static str, &'a [Member<'a>]),
    /// All members without another meaning.
    Rest,
}

impl<'a> Arguments<'a> {
    fn of(fields: &Fields<'a>) -> Self {
        if let Some(key) = ["arguments", "input"]
            .into_iter()
            .find(|key| fields.get(key).is_some_and(|value| !value.is_null()))
        {
            return Self::Text(key);
        }
        // These always have arguments. If they have none, validation reports it.
        let kind = fields.text("type");
        if matches!(
            kind,
            Some("function_call" | "mcp_call" | "custom_tool_call")
        ) {
            return Self::Text("arguments");
        }
        let object = ["action", "operation"]
            .into_iter()
            .find_map(|key| Some((key, fields.get(key)?.members()?)));
        object.map_or(Self::Rest, |(key, members)| Self::Object(key, members))
    }

    fn key(&self) -> Option<&'static str> {
        match self {
            Self::Text(key) | Self::Object(key, _) => Some(key),
            Self::Rest => None,
        }
    }
}

/// The call in an item, with its result if the server ran it.
pub fn read_call<'a>(fields: &Fields<'a>, import: &mut Import<'a>) -> ToolCall<'a> {
    let kind = fields.text("type").unwrap_or_default();
    let arguments = Arguments::of(fields);
    let is_text = matches!(arguments, Arguments::Text(_));
    let unfinished = fields
        .text("status")
        .is_some_and(|it| is_one_of(it, &UNFINISHED));
    let mut call = ToolCall {
        id: call_id(fields).or(fields.text("id")),
        name: name_of(fields),
        incomplete: is_text && unfinished,
        extra: extra_of(fields, &arguments, import),
        ..ToolCall::default()
    };
    match arguments {
        // The input of a custom tool is any text.
        Arguments::Text(key) if kind == "custom_tool_call" => call.arguments = fields.get(key),
        Arguments::Text(key) => {
            import.arguments(&mut call, fields.get(key), &|| fields.path().key(key));
        }
        Arguments::Object(_, members) => {
            let members: Vec<_> = members.iter().filter(|(key, _)| *key != SOURCES).collect();
            let members = import
                .arena()
                .alloc_slice_fill_iter(members.into_iter().copied());
            call.arguments = Some(Json::Object(members));
        }
        Arguments::Rest => {
            call.arguments = Some(Json::Object(fields.rest(import.arena(), |key, _| {
                is_one_of(key, &ABOUT_CALLS) || is_one_of(key, &OUTCOMES)
            })));
        }
    }
    if let Some(outcome) = outcome_of(fields, import) {
        outcome.put_to(&mut call);
    }
    call
}

/// The name of the tool. For a tool of the platform, the type of its calls.
fn name_of<'a>(fields: &Fields<'a>) -> Option<&'a str> {
    let platform = |kind: &'a str| kind.strip_suffix("_call").unwrap_or(kind);
    match (fields.text("type"), fields.text("name")) {
        (Some("hosted_tool_call"), Some(name)) => Some(platform(name)),
        (Some("function_call" | "custom_tool_call" | "mcp_call"), name) => name,
        (kind, name) => name.or(kind.map(platform)),
    }
}

/// The members that the call keeps. Its own id, which does not link it to its result, becomes
/// `item_id`.
fn extra_of<'a>(
    fields: &Fields<'a>,
    arguments: &Arguments<'a>,
    import: &Import<'a>,
) -> &'a [Member<'a>] {
    let known = |key: &str, value: Json<'a>| match key {
        "id" | "name" | "call_id" | "callId" => true,
        "type" => value.as_str() == Some("function_call"),
        "status" => value.as_str() == Some("completed"),
        _ => value.is_null() || is_one_of(key, &OUTCOMES) || arguments.key() == Some(key),
    };
    let is_argument = |key: &str| arguments.key().is_none() && !is_one_of(key, &ABOUT_CALLS);
    let rest = fields.rest(import.arena(), |key, value| {
        known(key, value) || is_argument(key)
    });
    match (call_id(fields), fields.get("id")) {
        (Some(_), Some(id)) => {
            let all = [&[("item_id", id)], rest].concat();
            import.arena().alloc_slice_copy(&all)
        }
        _ => rest,
    }
}

/// The member of a search that holds the sources it found.
const SOURCES: &str = "sources";

/// The outcome, if the call holds it. If the server ran the call and gave no result, its status is the
/// result.
fn outcome_of<'a>(fields: &Fields<'a>, import: &Import<'a>) -> Option<Outcome<'a>> {
    let there = |key: &str| fields.get(key).filter(|value| !value.is_null());
    if let Some(error) = there("error") {
        return Some(Outcome::Error(import.nested(error)));
    }
    let status = fields.text("status");
    let failed = status == Some("failed");
    let found = || fields.get("action")?.get(SOURCES);
    let came_back = OUTCOMES.into_iter().find_map(there).or_else(found);
    // What a search for tools found is an item of its own.
    let is_search = fields.text("type") == Some("tool_search_call");
    let by_server = call_id(fields).is_none() && status == Some("completed") && !is_search;
    match came_back {
        Some(value) => Some(Outcome::of(output(value, import), failed)),
        None if failed || by_server => {
            let status = [("status", Json::String(status.unwrap_or_default()))];
            let status = Json::Object(import.arena().alloc_slice_copy(&status));
            Some(Outcome::of(status, failed))
        }
        None => None,
    }
}

/// An output. It may be a text part or a list of them.
fn output<'a>(value: Json<'a>, import: &Import<'a>) -> Json<'a> {
    match (kind(value), value.get("text")) {
        (Some("text" | "input_text" | "output_text"), Some(text)) => import.nested(text),
        _ => import.content(value),
    }
}

fn read_answer<'a>(fields: &Fields<'a>, message: &mut Message<'_, 'a>, import: &mut Import<'a>) {
    let kind = fields.text("type").unwrap_or_default();
    let keys = ["output", "result", "tools"];
    let value = keys.into_iter().find_map(|key| fields.get(key));
    let value = output(value.unwrap_or(Json::String("")), import);
    let tool = ["_call_output", "_call_result", "_output"]
        .into_iter()
        .find_map(|end| kind.strip_suffix(end))
        // These say what kind of call it was, not which tool.
        .filter(|tool| !matches!(*tool, "function" | "custom_tool" | "mcp" | "hosted_tool"));
    let result = CallResult {
        id: call_id(fields),
        name: fields.text("name").or(tool),
        outcome: Outcome::of(value, fields.text("status") == Some("failed")),
    };
    let rest = fields.rest(import.arena(), |key, value| {
        value.is_null() || is_one_of(key, &ABOUT_CALLS) || is_one_of(key, &keys)
    });
    if let Some(call) = message.result(&result, fields.path(), import) {
        import.keep(call, rest);
    }
}
