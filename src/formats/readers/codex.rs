//! Codex sessions. A rollout has rows `{timestamp, type, payload}`; the payload of a `response_item` is an item of
//! the OpenAI Responses API. Older rollouts are a head `{id, timestamp, instructions}` and the items themselves, or
//! one object `{session, items}`. `codex exec --json` writes events `{type: "item.completed", item}` instead.

use foldhash::HashMap;

use crate::kit::conversation::{Conversation, Outcome};
use crate::kit::dialects::openai_items::{Found, read_rows};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::message::{About, Message};
use crate::kit::signs::{Sign, items, kind, likeness_of_rows};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Codex,
    marks: &[],
    likeness,
    read,
};

/// The types of rows in a rollout that only Codex writes.
const ROWS: [&str; 5] = [
    "session_meta",
    "response_item",
    "event_msg",
    "turn_context",
    "compacted",
];

/// The types of events with an item.
const EVENTS: [&str; 3] = ["item.started", "item.updated", "item.completed"];

fn likeness(value: Json<'_>) -> Likeness {
    match value {
        Json::Array([head, rows @ ..]) if is_head(*head) && rows.iter().any(is_item) => {
            Likeness::Full
        }
        Json::Object(_) if value.get("session").is_some_and(is_head) => {
            match items(value, "items").iter().any(is_item) {
                true => Likeness::Full,
                false => Likeness::Partial("a list of `items`"),
            }
        }
        _ => likeness_of_rows(value, sign),
    }
}

fn sign(row: Json<'_>) -> Sign {
    let holds = |key: &str| matches!(row.get(key), Some(Json::Object(_)));
    match kind(row) {
        Some(kind) if is_one_of(kind, &ROWS) => match holds("payload") {
            true => Sign::Decisive,
            false if row.get("timestamp").is_some() => Sign::Broken("a `payload` in its rows"),
            false => Sign::Open,
        },
        Some(kind) if is_one_of(kind, &EVENTS) => match holds("item") {
            true => Sign::Decisive,
            false => Sign::Broken("an `item` in its events"),
        },
        Some("thread.started") if row.get("thread_id").is_some() => Sign::Decisive,
        _ => Sign::Open,
    }
}

/// Whether a value is the head of an older rollout.
fn is_head(value: Json<'_>) -> bool {
    let has = |key| value.get(key).is_some();
    has("id") && has("timestamp") && has("instructions") && !has("type") && !has("role")
}

fn is_item(row: &Json<'_>) -> bool {
    kind(*row).is_some() && row.get("payload").is_none()
}

fn is_event(row: &Json<'_>) -> bool {
    kind(*row).is_some_and(|kind| is_one_of(kind, &EVENTS))
}

/// The item that a row of a rollout holds.
fn item_in(row: Json<'_>) -> Option<Found<'_>> {
    let (item, key) = match (kind(row), row.get("payload")) {
        (Some("response_item"), Some(payload)) => (payload, Some("payload")),
        (Some("response_item"), None) | (_, Some(_)) => return None,
        (None, None) if row.get("role").is_none() => return None,
        (_, None) => (row, None),
    };
    let timestamp = row.get("timestamp").and_then(Json::as_str);
    Some(Found {
        item,
        key,
        timestamp: timestamp.filter(|_| key.is_some()),
    })
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let root = Path::root();
    let (rows, path) = match value {
        Json::Array(rows) => (rows, root),
        _ if value.get("session").is_some() => (items(value, "items"), root.key("items")),
        _ => (import.slice(value), root),
    };
    let mut conversation = Conversation::default();
    let head = value.get("session").or_else(|| head_of(rows));
    let head = head.map(|head| Fields::of(head, Path::root(), "the head of a session"));
    let head = head.transpose()?;
    if let Some(text) = head.as_ref().and_then(instructions) {
        conversation.turn(Role::System, text, Vec::new());
    }
    let from = conversation.len();
    match rows.iter().any(is_event) {
        true => read_events(rows, &path, &mut conversation, import)?,
        false => read_rows(rows, 0, item_in, &path, &mut conversation, import)?,
    }
    if conversation.len() == from {
        return Err(Error::invalid_input(path, "messages or calls", "none"));
    }
    let thread = || rows.iter().find_map(|row| row.get("thread_id")?.as_str());
    let id = head.as_ref().and_then(|head| head.text("id"));
    let extra = head.as_ref().map_or(&[][..], |head| {
        head.rest(import.arena(), |key, value| {
            value.is_null() || is_one_of(key, &["id", "instructions", "base_instructions"])
        })
    });
    let usage = rows.iter().rev().find_map(|row| usage_in(*row));
    let usage: Vec<_> = usage.map(|usage| ("usage", usage)).into_iter().collect();
    Ok(vec![Trajectory {
        trajectory_id: id.or_else(thread),
        turns: conversation.into_turns(),
        extra: import.merge(extra, &usage),
        ..Trajectory::default()
    }])
}

/// The tokens that a row says the session has used so far.
fn usage_in(row: Json<'_>) -> Option<Json<'_>> {
    let usage = match kind(row)? {
        "turn.completed" => row.get("usage")?,
        "event_msg" => row.get("payload")?.get("info")?.get("total_token_usage")?,
        _ => return None,
    };
    usage.members().is_some().then_some(usage)
}

/// The object that describes the session. A session that continues another repeats the head of that one later.
fn head_of<'a>(rows: &[Json<'a>]) -> Option<Json<'a>> {
    let described = |row: &Json<'a>| match kind(*row) {
        Some("session_meta") => row.get("payload").filter(|it| it.members().is_some()),
        _ => Some(*row).filter(|row| is_head(*row)),
    };
    rows.iter().find_map(described)
}

fn instructions<'a>(head: &Fields<'a>) -> Option<&'a str> {
    let text = |key| {
        let value = head.get(key)?;
        let text = value.get("text").unwrap_or(value).as_str();
        text.filter(|text| !text.is_empty())
    };
    text("base_instructions").or_else(|| text("instructions"))
}

/// Reads the events of `codex exec --json`. Later events of an item replace earlier ones.
fn read_events<'a>(
    rows: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let mut latest: Vec<Fields<'a>> = Vec::new();
    let mut by_id: HashMap<&str, usize> = HashMap::default();
    for (at, row) in rows.iter().enumerate() {
        if !is_event(row) {
            continue;
        }
        let event = Fields::of(*row, path.index(at), "an event")?;
        let place = event.path().key("item");
        let item = Fields::of(
            event.get("item").unwrap_or_default(),
            place,
            "an item: {type}",
        )?;
        let new = || latest.len();
        match item
            .text("id")
            .map(|id| *by_id.entry(id).or_insert_with(new))
        {
            Some(known) if known < latest.len() => latest[known] = item,
            _ => latest.push(item),
        }
    }
    let mut message = Message::new(Role::Agent, About::default(), conversation);
    for item in latest {
        match item.text("type") {
            Some("agent_message") => {
                message.end_answer(import);
                message.text(item.text("text").unwrap_or_default());
            }
            Some("reasoning" | "error" | "todo_list") | None => message.other(item.value()),
            Some(kind) => {
                message.call(read_call(kind, &item, import));
                message.end_answer(import);
            }
        }
    }
    if !message.is_empty() {
        message.finish(import);
    }
    Ok(())
}

/// The members of an item that are not arguments of its call.
const OF_ITEMS: [&str; 9] = [
    "id",
    "type",
    "status",
    "tool",
    "server",
    "exit_code",
    "aggregated_output",
    "result",
    "error",
];

/// A call in an event: `{type: "mcp_tool_call", server, tool, arguments, result}` of an MCP server, or `{type, …}` of a
/// tool of Codex, whose name is the type.
fn read_call<'a>(kind: &'a str, item: &Fields<'a>, import: &mut Import<'a>) -> ToolCall<'a> {
    let said = |key: &str| item.get(key).filter(|value| !value.is_null());
    let mut call = ToolCall {
        id: item.text("id"),
        name: item.text("tool").or(Some(kind)),
        ..ToolCall::default()
    };
    let rest = Json::Object(item.rest(import.arena(), |key, _| is_one_of(key, &OF_ITEMS)));
    let arguments = item.get("arguments").unwrap_or(rest);
    import.arguments(&mut call, Some(arguments), &|| item.path().key("arguments"));
    let status = item.text("status");
    let failed = status.is_some_and(|it| is_one_of(it, &["failed", "declined"]));
    let output = said("error")
        .or_else(|| said("result"))
        .or_else(|| said("aggregated_output"));
    let outcome = match (output, status) {
        (_, Some("in_progress")) => None,
        (Some(output), _) => Some(Outcome::of(import.nested(output), failed)),
        (None, Some(status)) => Some(Outcome::of(Json::String(status), failed)),
        (None, None) => None,
    };
    if let Some(outcome) = outcome {
        outcome.put_to(&mut call);
    }
    let kept = item.rest(import.arena(), |key, value| {
        value.is_null() || !matches!(key, "type" | "server" | "exit_code")
    });
    import.keep(&mut call, kept);
    call
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn a_rollout_is_read_once_though_its_events_repeat_it() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("codex/rollout.jsonl"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("0195-a1"));
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::System, "You keep the kiln's code.".to_owned(), 0),
                (Role::User, "Set the peak to 1240 degrees.".to_owned(), 0),
                (Role::Agent, "I look for the peak.".to_owned(), 2),
                (Role::Agent, String::new(), 1),
                (Role::Agent, String::new(), 1),
                (
                    Role::Agent,
                    "The peak is 1240 degrees now; it was 1200.".to_owned(),
                    0
                ),
            ]
        );
        let ids = trajectory.calls().map(|call| call.id);
        let ids: Vec<_> = ids.collect();
        assert_eq!(ids, ["call_1", "call_2", "call_3", "ws_1"].map(Some));
        assert!(trajectory.calls().all(|call| call.result.is_some()));
        let last = trajectory.turns.last().expect("turns");
        assert_eq!(last.timestamp, Some("2026-03-02T09:00:07.000Z"));
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn the_last_count_of_tokens_is_that_of_the_session() {
        let arena = Bump::new();
        let count = |tokens: u32| {
            format!(
                r#"{{"type":"event_msg","payload":{{"type":"token_count","info":{{"total_token_usage":{{"total_tokens":{tokens}}}}}}}}}"#
            )
        };
        let said = r#"{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}]}}"#;
        let none = r#"{"type":"event_msg","payload":{"type":"token_count","info":null}}"#;
        let read = imported(
            &arena,
            &format!("[{},{said},{},{none}]", count(5), count(9)),
        );
        let json = serde_json::to_string(&Json::Object(read.value[0].extra)).expect("JSON");
        assert_eq!(json, r#"{"usage":{"total_tokens":9}}"#);
    }

    #[test]
    fn events_of_one_item_are_one_call() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("codex/exec.jsonl"));
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"id":"item_1","name":"command_execution","arguments":{"command":"/bin/bash -lc 'make test'"},"error":"2 failed\n","type":"command_execution","exit_code":2}"#,
                r##"{"id":"item_3","name":"find_issue","arguments":{"text":"red build"},"result":{"content":[{"type":"text","text":"#41"}],"structured_content":null},"type":"mcp_tool_call","server":"tracker"}"##,
                r#"{"id":"item_4","name":"file_change","arguments":{"changes":[{"path":"/srv/a.c","kind":"update"}]},"result":"completed","type":"file_change"}"#,
                r#"{"id":"item_5","name":"command_execution","arguments":{"command":"make deploy"},"type":"command_execution"}"#,
            ]
        );
        assert_eq!(read.value[0].trajectory_id, Some("0195-b2"));
    }

    #[test]
    fn items_without_a_head_are_of_the_api_itself() {
        let arena = Bump::new();
        let text = fixture("codex/head-and-items.jsonl");
        let format = |text: &str| imported(&arena, text).format;
        assert_eq!(format(&text), TrajectoryFormat::Codex);
        let items: Vec<_> = text
            .lines()
            .skip(1)
            .filter(|line| !line.contains("record_type"))
            .collect();
        let items = format!("[{}]", items.join(","));
        assert_eq!(format(&items), TrajectoryFormat::OpenaiResponses);
    }

    #[test]
    fn errors_name_the_row() {
        let row = |payload: &str| {
            format!(
                r#"[{{"timestamp":"t","type":"session_meta","payload":{{"id":"s"}}}},{{"timestamp":"t","type":"response_item","payload":{payload}}}]"#
            )
        };
        let error = failure(&row(r#"{"type":"message","role":"wizard"}"#));
        assert_eq!(error.report().path.as_deref(), Some("[1].payload.role"));
        let error = failure(&row(r#"{"type":"message","role":"assistant","content":7}"#));
        assert_eq!(error.report().path.as_deref(), Some("[1].payload.content"));
        let error = failure(r#"[{"timestamp":"t","type":"event_msg","payload":{}}]"#);
        assert!(error.to_string().contains("messages or calls"), "{error}");
        let reason = failure(r#"[{"timestamp":"t","type":"response_item"}]"#).to_string();
        assert!(
            reason.contains("codex, but it lacks a `payload` in its rows"),
            "{reason}"
        );
        let reason = failure(r#"[{"type":"item.completed"}]"#).to_string();
        assert!(reason.contains("it lacks an `item`"), "{reason}");
    }
}
