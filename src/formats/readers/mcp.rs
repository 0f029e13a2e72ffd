//! Recorded MCP sessions: the JSON-RPC messages between a client and a server, one per row, or in a member of it. The
//! answers to `tools/list` define the tools; a request `tools/call` and its answer are a call.

use foldhash::HashMap;

use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::signs::{Sign, likeness_of_rows};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory, Turn};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Mcp,
    marks: &[],
    likeness,
    read,
};

/// A list that begins with something else is one of calls by several providers, as scores take it.
fn likeness(value: Json<'_>) -> Likeness {
    let is_rpc = |row: &Json<'_>| message_in(*row).get("jsonrpc").is_some();
    match value.items().and_then(<[_]>::first) {
        Some(first) if !is_rpc(first) => Likeness::None,
        _ => likeness_of_rows(value, sign),
    }
}

fn sign(row: Json<'_>) -> Sign {
    let message = message_in(row);
    let is_rpc = message.get("jsonrpc").is_some();
    match message.get("method").and_then(Json::as_str) {
        Some("tools/call") if is_rpc && message.get("id").is_none() => {
            Sign::Broken("an `id` in each request")
        }
        Some("tools/call" | "tools/list" | "initialize") if is_rpc => Sign::Decisive,
        _ => Sign::Open,
    }
}

/// The members of a row that may hold the message.
const WRAPPERS: [&str; 4] = ["message", "payload", "data", "body"];

/// The member of a row that holds the message, unless the row is the message.
fn wrapper_of(row: Json<'_>) -> Option<&'static str> {
    let is_rpc = |value: Json<'_>| value.get("jsonrpc").is_some();
    let mut wrappers = WRAPPERS.into_iter().filter(|_| !is_rpc(row));
    wrappers.find(|key| row.get(key).is_some_and(is_rpc))
}

/// The message that a row holds, or the row itself.
fn message_in(row: Json<'_>) -> Json<'_> {
    wrapper_of(row).and_then(|key| row.get(key)).unwrap_or(row)
}

/// What a request asks for.
#[derive(Clone, Copy)]
enum Asked {
    ToCall,
    ForTools,
    ToInitialize,
    /// Anything else. Client and server number their requests independently of each other.
    Other,
}

/// A session while its messages are read.
#[derive(Default)]
struct Session<'a> {
    conversation: Conversation<'a>,
    /// The calls since the last answer.
    calls: Vec<ToolCall<'a>>,
    /// When the first of them was made.
    timestamp: Option<&'a str>,
    /// The requests without an answer, by id, the latest last.
    open: HashMap<&'a str, Vec<Asked>>,
    tools: Vec<Json<'a>>,
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let root = Path::root();
    let rows = match value {
        Json::Array(rows) => rows,
        one => import.slice(one),
    };
    let mut session = Session::default();
    for row in Fields::each(rows, &root, "a message of JSON-RPC") {
        let row = row?;
        let path = match wrapper_of(row.value()) {
            Some(key) => row.path().key(key),
            None => row.path().clone(),
        };
        let message = Fields::of(message_in(row.value()), path, "a message of JSON-RPC")?;
        match message.text("method") {
            Some(method) => {
                let keys = ["timestamp", "time", "ts"].into_iter();
                let timestamp = keys.filter_map(|key| row.text(key)).next();
                session.request(method, &message, timestamp, import)?;
            }
            None => session.answer(&message, import)?,
        }
    }
    session.end_turn();
    if session.conversation.calls_since(0).next().is_none() {
        return Err(Error::invalid_input(root, "calls of tools", "none"));
    }
    let tools = Json::Array(import.arena().alloc_slice_copy(&session.tools));
    Ok(vec![Trajectory {
        turns: session.conversation.into_turns(),
        tools: Some(tools).filter(|_| !session.tools.is_empty()),
        ..Trajectory::default()
    }])
}

impl<'a> Session<'a> {
    fn request(
        &mut self,
        method: &str,
        message: &Fields<'a>,
        timestamp: Option<&'a str>,
        import: &mut Import<'a>,
    ) -> Result<()> {
        let asked = match method {
            "tools/call" => Asked::ToCall,
            "tools/list" => Asked::ForTools,
            "initialize" => Asked::ToInitialize,
            _ => Asked::Other,
        };
        let params = message.get("params").unwrap_or(Json::Object(&[]));
        let params = Fields::of(params, message.path().key("params"), "an object")?;
        let Some(id) = message.get("id").map(|id| import.label(id)) else {
            if method == "notifications/cancelled" {
                self.cancel(&params, import);
            }
            return Ok(());
        };
        self.open.entry(id).or_default().push(asked);
        if matches!(asked, Asked::ToCall) {
            if self.calls.is_empty() {
                self.timestamp = timestamp;
            }
            self.calls.push(read_call(id, &params, import));
        }
        Ok(())
    }

    /// Ends the turn of the calls that were made together.
    fn end_turn(&mut self) {
        if !self.calls.is_empty() {
            self.conversation.push(Turn {
                turn_id: 0,
                role: Role::Agent,
                content: "",
                timestamp: self.timestamp,
                tool_calls: std::mem::take(&mut self.calls),
                extra: &[],
            });
        }
    }

    fn cancel(&mut self, params: &Fields<'a>, import: &mut Import<'a>) {
        self.end_turn();
        let id = params.get("requestId").map(|id| import.label(id));
        if let Some(id) = id.filter(|id| self.conversation.is_open(id)) {
            let reason = params.get("reason").unwrap_or(Json::String("cancelled"));
            let result = CallResult {
                id: Some(id),
                name: None,
                outcome: Outcome::Error(reason),
            };
            self.conversation.result(&result, params.path(), import);
        }
    }

    fn answer(&mut self, message: &Fields<'a>, import: &mut Import<'a>) -> Result<()> {
        let there = |key| message.get(key).filter(|value: &Json<'_>| !value.is_null());
        let Some(id) = there("id").map(|id| import.label(id)) else {
            return Ok(());
        };
        let asked = self.open.get_mut(id).and_then(Vec::pop);
        let result = there("result").unwrap_or_default();
        let is_of_tool = items_of(result, "content").is_some();
        match (asked, there("error")) {
            (Some(Asked::ToCall), error) => self.end_call(id, message, error, import),
            (None, error) if error.is_some() || is_of_tool => {
                self.end_call(id, message, error, import);
            }
            // The log may lack the requests for tools.
            (Some(Asked::ForTools), None) | (None, None) if result.get("tools").is_some() => {
                let result = Fields::of(result, message.path().key("result"), "{tools}")?;
                let tools = result.optional_items("tools", "a list of tools")?;
                self.tools
                    .retain(|known| tools.iter().all(|new| name_of(*new) != name_of(*known)));
                self.tools.extend(tools);
            }
            (Some(Asked::ToInitialize), None) => {
                let instructions = result.get("instructions").and_then(Json::as_str);
                if let Some(text) = instructions.filter(|text| !text.is_empty()) {
                    self.end_turn();
                    self.conversation.turn(Role::System, text, Vec::new());
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn end_call(
        &mut self,
        id: &'a str,
        message: &Fields<'a>,
        error: Option<Json<'a>>,
        import: &mut Import<'a>,
    ) {
        self.end_turn();
        let result = message.get("result").unwrap_or_default();
        let failed = matches!(result.get("isError"), Some(Json::Bool(true)));
        let content =
            items_of(result, "content").map(|_| result.get("content").unwrap_or_default());
        let structured = result.get("structuredContent").filter(|it| !it.is_null());
        let text = || content.map(|content| import.content(content));
        let value = structured.or_else(text).unwrap_or(result);
        let outcome = match error {
            Some(error) => Outcome::Error(error),
            None => Outcome::of(value, failed),
        };
        let answer = CallResult {
            id: Some(id),
            name: None,
            outcome,
        };
        let members = result.members().unwrap_or_default().iter();
        let rest: Vec<_> = members
            .filter(|(key, _)| *key == "_meta" || (*key == "content" && structured.is_some()))
            .copied()
            .collect();
        if let Some(call) = self.conversation.result(&answer, message.path(), import) {
            import.keep(call, &rest);
        }
    }
}

fn items_of<'a>(value: Json<'a>, key: &str) -> Option<&'a [Json<'a>]> {
    value.get(key)?.items()
}

fn name_of<'a>(tool: Json<'a>) -> Option<&'a str> {
    tool.get("name")?.as_str()
}

fn read_call<'a>(id: &'a str, params: &Fields<'a>, import: &mut Import<'a>) -> ToolCall<'a> {
    let mut call = ToolCall {
        id: Some(id),
        name: params.text("name"),
        extra: params.rest(import.arena(), |key, _| {
            is_one_of(key, &["name", "arguments"])
        }),
        ..ToolCall::default()
    };
    // MCP leaves the arguments out if there are none.
    let arguments = params.get("arguments").unwrap_or(Json::Object(&[]));
    import.arguments(&mut call, Some(arguments), &|| {
        params.path().key("arguments")
    });
    call
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn calls_meet_their_answers_by_id() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("mcp/session.jsonl"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::System, "Depths are in metres.".to_owned(), 0),
                (Role::Agent, String::new(), 2),
                (Role::Agent, String::new(), 1),
                (Role::Agent, String::new(), 1),
                (Role::Agent, String::new(), 1),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"3","name":"depth","arguments":{"at":"pier 2"},"result":{"metres":4.5},"content":[{"type":"text","text":"{\"metres\":4.5}"}]}"#,
                r#"{"id":"4","name":"tides","arguments":{},"result":"06:10 high"}"#,
                r#"{"id":"5","name":"depth","arguments":{"at":"pier 9"},"error":"no such pier"}"#,
                r#"{"id":"6","name":"dredge","arguments":{"at":"pier 2"},"error":{"code":-32602,"message":"Unknown tool: dredge"}}"#,
                r#"{"id":"7","name":"tides","arguments":{},"error":"the user left"}"#,
            ]
        );
        let tools = trajectory.tools.and_then(Json::items).expect("tools");
        let names: Vec<_> = tools.iter().map(|tool| name_of(*tool)).collect();
        assert_eq!(names, [Some("tides"), Some("depth")]);
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn rows_may_wrap_messages_with_their_time() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("mcp/wrapped.jsonl"));
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"a","name":"ring","arguments":{"bell":"harbour"},"result":"rung"}"#]
        );
        assert_eq!(
            read.value[0].turns[0].timestamp,
            Some("2026-06-01T04:00:01Z")
        );
    }

    #[test]
    fn an_answer_to_a_request_of_the_server_answers_no_call() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"plan"}},
                {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}},
                {"jsonrpc":"2.0","id":1,"result":{"role":"assistant","content":{"type":"text","text":"go"}}},
                {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"planned"}]}}]"#,
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"1","name":"plan","arguments":{},"result":"planned"}"#]
        );
    }

    #[test]
    fn tools_are_known_without_the_request_for_them() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"payload":{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"f","inputSchema":{}}]}}},
                {"payload":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"f"}}}]"#,
        );
        assert!(read.value[0].tools.is_some());
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"2","name":"f","arguments":{}}"#]
        );
    }

    #[test]
    fn answers_to_calls_that_are_not_in_the_log_are_warnings() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f"}},
                {"jsonrpc":"2.0","id":9,"result":{"content":[]}}]"#,
        );
        assert_eq!(read.warnings[0].path, "[1]");
    }

    #[test]
    fn errors_name_the_place_and_what_is_missing() {
        let error = failure(r#"[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":7}]"#);
        assert_eq!(error.report().path.as_deref(), Some("[0].params"));
        let error = failure(r#"[{"jsonrpc":"2.0","id":1,"method":"initialize"}]"#);
        assert!(error.to_string().contains("calls of tools"), "{error}");
        let error = failure(r#"[{"jsonrpc":"2.0","method":"tools/call","params":{}}]"#);
        assert!(
            error.to_string().contains("mcp, but it lacks an `id`"),
            "{error}"
        );
    }
}
