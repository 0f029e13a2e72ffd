//! Events of the OpenAI Responses API: `{type: "response.…"}`. The last event of an answer may hold all its items; else
//! they are those of `response.output_item.done`, and what was still being written.

use super::{Rows, chunk_in, usage_in, warn_of_failure};
use crate::kit::Import;
use crate::kit::conversation::Conversation;
use crate::kit::dialects::openai_items::{Found, read_items, read_rows};
use crate::kit::message::{About, Message};
use crate::kit::pieces::Pieces;
use crate::kit::signs::{items, kind};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Role};

/// Adds the answers, and returns the tools of the first that has any.
pub fn read<'a>(
    rows: &Rows<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<Option<Json<'a>>> {
    let is_start = |(_, event): &(usize, Json<'a>)| kind(*event) == Some("response.created");
    let starts = rows.chunks().filter(is_start).map(|(at, _)| at);
    let mut starts: Vec<_> = [0].into_iter().chain(starts.filter(|at| *at > 0)).collect();
    starts.push(rows.list.len());
    let mut tools = None;
    for bounds in starts.windows(2) {
        if let [from, to] = *bounds {
            let found = read_answer(rows, from, to, conversation, import)?;
            tools = tools.or(found);
        }
    }
    Ok(tools)
}

/// Adds the answer in the rows `from..to`.
fn read_answer<'a>(
    rows: &Rows<'a>,
    from: usize,
    to: usize,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<Option<Json<'a>>> {
    let events = || rows.chunks().skip(from).take(to - from);
    let responses = || events().filter_map(|(at, event)| Some((at, event.get("response")?)));
    for (at, response) in responses() {
        if let Some(error) = response.get("error").filter(|error| !error.is_null()) {
            warn_of_failure(error, &rows.path(at).key("response").key("error"), import);
        }
    }
    let first = |key| responses().find_map(|(_, response)| response.get(key));
    if let Some(text) = first("instructions").and_then(Json::as_str) {
        conversation.turn(Role::System, text, Vec::new());
    }
    let usages = responses().filter_map(|(_, response)| usage_in(response, &["usage"]));
    let usage = usages.last();
    let before = conversation.len();
    let tools = responses().map(|(_, response)| response.get("tools"));
    let tools = tools
        .flatten()
        .find(|tools| tools.items().is_some_and(|it| !it.is_empty()));
    match responses()
        .filter(|(_, it)| !items(*it, "output").is_empty())
        .last()
    {
        Some((at, response)) => {
            let path = rows.path(at).key("response").key("output");
            read_items(items(response, "output"), &path, conversation, import)?;
        }
        None => {
            read_rows(
                &rows.list[..to],
                from,
                item_done,
                &rows.path,
                conversation,
                import,
            )?;
            read_unfinished(rows, &events().collect::<Vec<_>>(), conversation, import);
        }
    }
    conversation.keep_in_last(before, usage.as_slice(), import);
    Ok(tools)
}

/// The item that an event ends.
fn item_done(row: Json<'_>) -> Option<Found<'_>> {
    let event = chunk_in(row);
    (kind(event)? == "response.output_item.done").then_some(())?;
    Some(Found {
        item: event.get("item")?,
        key: Some("item"),
        timestamp: None,
    })
}

/// Adds the items that no event ends, as far as they were written.
fn read_unfinished<'a>(
    rows: &Rows<'a>,
    events: &[(usize, Json<'a>)],
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) {
    let key = |event: Json<'a>| event.get("output_index").unwrap_or_default();
    let done = |event: Json<'a>| kind(event) == Some("response.output_item.done");
    let done: Vec<_> = events
        .iter()
        .filter(|it| done(it.1))
        .map(|it| key(it.1))
        .collect();
    let mut pieces = Pieces::default();
    let mut last = 0;
    for (at, event) in events.iter().filter(|it| !done.contains(&key(it.1))) {
        let text = |value: Json<'a>, key: &str| value.get(key)?.as_str();
        let item = event.get("item").unwrap_or_default();
        let delta = text(*event, "delta");
        match kind(*event).unwrap_or_default() {
            "response.output_item.added" if text(item, "name").is_some() => {
                pieces.call(key(*event), text(item, "call_id")).name = text(item, "name");
            }
            "response.function_call_arguments.delta" | "response.custom_tool_call_input.delta" => {
                pieces.call(key(*event), None).written.extend(delta);
            }
            "response.output_text.delta" | "response.refusal.delta" => {
                pieces.text(key(*event), delta.unwrap_or_default());
            }
            _ => continue,
        }
        last = *at;
    }
    if !pieces.is_empty() {
        let mut message = Message::new(Role::Agent, About::default(), conversation);
        pieces.add_to(&mut message, false, &rows.path(last), import);
        message.finish(import);
    }
}
