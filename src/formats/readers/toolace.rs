//! Rows of ToolACE: `{system, conversations: [{from: "user" | "assistant" | "tool", value}]}`. The instruction lists the
//! tools as JSON; a text of the agent that is nothing but `[Tool Name(argument=value), …]` is calls; the answer of the
//! tools is a list with a result for each.

use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::fields::Fields;
use crate::kit::signs::{first_of, items};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use bumpalo::Bump;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Limits, Path, Reader, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Toolace,
    marks: &[],
    likeness,
    read,
};

const MESSAGES: &str = "conversations";

fn likeness(value: Json<'_>) -> Likeness {
    let is_row = value.get("system").is_some_and(|it| it.as_str().is_some());
    let messages = first_of(items(value, MESSAGES));
    if !is_row || messages.is_empty() {
        return Likeness::None;
    }
    match messages.iter().any(calls) {
        true => Likeness::Full,
        false if messages.iter().all(is_said) => Likeness::Plain,
        false => Likeness::None,
    }
}

/// Whether a message is a text of the user or the agent, as in rows that call no tool.
fn is_said(message: &Json<'_>) -> bool {
    let from = message.get("from").and_then(Json::as_str);
    matches!(from, Some("user" | "assistant"))
}

fn calls(message: &Json<'_>) -> bool {
    let text = |key| message.get(key).and_then(Json::as_str);
    let arena = Bump::new();
    let said = arena.alloc_str(text("value").unwrap_or_default());
    text("from") == Some("assistant")
        && Reader::new(&arena, Limits::default())
            .read_listed_calls(said)
            .is_some_and(|calls| !calls.is_empty())
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let row = Fields::of(value, Path::root(), "a row: {system, conversations}")?;
    let mut conversation = Conversation::default();
    let system = row.text("system").unwrap_or_default();
    conversation.turn(Role::System, system, Vec::new());
    let messages = row.items(MESSAGES, "a list of messages: {from, value}")?;
    let path = row.path().key(MESSAGES);
    for message in Fields::each(messages, &path, "a message: {from, value}") {
        read_message(&message?, &mut conversation, import)?;
    }
    Ok(vec![Trajectory {
        trajectory_id: row.get("id").map(|id| import.label(id)),
        turns: conversation.into_turns(),
        tools: tools_in(system, import),
        extra: row.rest(import.arena(), |key, _| {
            matches!(key, "id" | "system" | MESSAGES)
        }),
        ..Trajectory::default()
    }])
}

fn read_message<'a>(
    message: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let Some(said) = message.text("value") else {
        return Err(message.mismatch("value", "a text"));
    };
    match message.text("from") {
        Some("user" | "human") => conversation.turn(Role::User, said, Vec::new()),
        Some("system") => conversation.turn(Role::System, said, Vec::new()),
        Some("assistant" | "gpt") => match import.reader.read_listed_calls(said) {
            Some(calls) if !calls.is_empty() => {
                let calls = calls.into_iter().map(|(name, arguments)| ToolCall {
                    name: Some(name),
                    arguments: Some(arguments),
                    ..ToolCall::default()
                });
                conversation.turn(Role::Agent, "", calls.collect());
            }
            _ => {
                if looks_like_calls(said) {
                    let what = "this text begins like a list of calls, but it is not read as calls";
                    import.warn(&message.path().key("value"), what);
                }
                conversation.turn(Role::Agent, said, Vec::new());
            }
        },
        Some("tool" | "observation") => read_results(said, message, conversation, import),
        _ => return Err(message.mismatch("from", "user, assistant, tool or system")),
    }
    Ok(())
}

fn looks_like_calls(said: &str) -> bool {
    let listed = said.trim_start().strip_prefix('[');
    let name = listed.and_then(|listed| listed.split_once('('));
    name.is_some_and(|(name, _)| !name.is_empty() && !name.contains(['\n', '"', ']', ',']))
}

/// Adds the results of the last calls. If they are not one for each call, all of them are the result of the first.
fn read_results<'a>(
    said: &'a str,
    message: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) {
    let all = import.nested(Json::String(said));
    let is_result = |it: &Json<'_>| it.get("name").is_some() && it.get("results").is_some();
    let listed = all.items().unwrap_or_default();
    let are_results = !listed.is_empty() && listed.iter().all(is_result);
    let each = match are_results {
        true => listed,
        false => import.slice(all),
    };
    for result in each {
        let value = match are_results {
            true => result.get("results").unwrap_or_default(),
            false => *result,
        };
        let result = CallResult {
            id: None,
            name: result
                .get("name")
                .and_then(Json::as_str)
                .filter(|_| are_results),
            outcome: Outcome::of(value, false),
        };
        conversation.result(&result, message.path(), import);
    }
}

/// The list of tools in an instruction.
fn tools_in<'a>(system: &'a str, import: &Import<'a>) -> Option<Json<'a>> {
    let (start, _) = system.match_indices("[{").next()?;
    let ends = system.rmatch_indices("}]").take(MOST_ENDS);
    let mut read = ends.filter_map(|(end, mark)| {
        let listed = system.get(start..end + mark.len())?;
        import.texts.read_nested(listed)
    });
    read.next().filter(|tools| tools.items().is_some())
}

/// A list is searched for at most this many of its possible ends.
const MOST_ENDS: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn lists_of_calls_and_of_results_are_read() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("toolace/rows.jsonl"));
        assert_eq!(read.format, TrajectoryFormat::Toolace);
        let [first, second] = &read.value[..] else {
            panic!("{} rows", read.value.len());
        };
        assert_eq!(
            calls_of(first),
            [
                r#"{"name":"Find Orchard","arguments":{"fruit":"pear","ripe":true},"result":{"orchards":["North"]}}"#,
                r#"{"name":"price","arguments":{"fruit":"pear","kilos":2.5},"result":{"euros":7}}"#,
            ]
        );
        let texts: Vec<_> = turns_of(first).into_iter().skip(1).collect();
        assert_eq!(
            texts,
            [
                (
                    Role::User,
                    "Where are ripe pears, and what do 2.5 kilos cost?".to_owned(),
                    0
                ),
                (Role::Agent, String::new(), 2),
                (
                    Role::Agent,
                    "North has ripe pears; 2.5 kilos cost 7 euros.".to_owned(),
                    0
                ),
            ]
        );
        assert_eq!(first.tools.and_then(Json::items).map(<[_]>::len), Some(2));
        assert_eq!(calls_of(second).len(), 0);
        assert_eq!(read.warnings.len(), 1);
        assert_eq!(read.warnings[0].path, "[1].conversations[3].value");
    }

    #[test]
    fn the_error_names_the_part_with_another_shape() {
        let path = |text: &str| failure(text).report().path.unwrap_or_default().to_string();
        let call = r#"{"from":"assistant","value":"[f(n=1)]"}"#;
        assert_eq!(
            path(&format!(
                r#"{{"system":"","conversations":[{call},{{"from":"cook","value":"a"}}]}}"#
            )),
            "conversations[1].from"
        );
        assert_eq!(
            path(&format!(
                r#"{{"system":"","conversations":[{call},{{"from":"user"}}]}}"#
            )),
            "conversations[1].value"
        );
    }
}
