//! A request and a response of the OpenAI Responses API: `{instructions, input, tools}` and `{output}`, around
//! the items.

use foldhash::HashSet;

use super::openai_items::{is_call_or_answer, read_items};
use crate::kit::Import;
use crate::kit::conversation::Conversation;
use crate::kit::fields::Fields;
use crate::kit::signs::{items, kind};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Role};

/// Whether `instructions` are messages instead of a text.
pub fn are_messages(value: Json<'_>) -> bool {
    let items = value.items().unwrap_or_default();
    !items.is_empty() && items.iter().all(|item| item.get("role").is_some())
}

/// Adds the instructions and the input of a request: a text, or items.
pub fn read_request<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    match fields.get("instructions") {
        Some(Json::String(text)) => conversation.turn(Role::System, text, Vec::new()),
        Some(list @ Json::Array(messages)) if are_messages(list) => {
            let path = fields.path().key("instructions");
            read_items(messages, &path, conversation, import)?;
        }
        _ => {}
    }
    match fields.get("input") {
        Some(Json::String(text)) => {
            conversation.turn(Role::User, text, Vec::new());
            Ok(())
        }
        _ => read_list(fields, "input", conversation, import),
    }
}

/// Adds the output of a response. An error of the response is a warning.
pub fn read_output<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    read_list(fields, "output", conversation, import)?;
    if let Some(error) = fields.get("error").filter(|error| !error.is_null()) {
        let said = error.get("message").unwrap_or(error);
        let message = format!("the response failed: {}", import.label(said));
        import.warn(&fields.path().key("error"), message);
    }
    Ok(())
}

fn read_list<'a>(
    fields: &Fields<'a>,
    key: &str,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let list = fields.optional_items(key, "a list of items")?;
    read_items(list, &fields.path().key(key), conversation, import)
}

/// The tool definitions of a document: the `given` ones, and those of MCP servers in the items. If the
/// agent called a tool that is not among them, the list is incomplete, so there are none.
pub fn tools_of<'a>(
    given: Option<Json<'a>>,
    lists: &[&'a [Json<'a>]],
    import: &Import<'a>,
) -> Option<Json<'a>> {
    let of_server = |tool: &&Json<'a>| kind(**tool) == Some("mcp");
    let given_items = given.and_then(Json::items).unwrap_or_default();
    let all_items = || lists.iter().copied().flatten();
    let listed: Vec<_> = all_items()
        .filter(|item| matches!(kind(**item), Some("mcp_list_tools" | "additional_tools")))
        .flat_map(|item| items(*item, "tools"))
        .copied()
        .collect();
    if listed.is_empty() && !given_items.iter().any(|tool| of_server(&tool)) {
        return given;
    }
    let tools: Vec<_> = given_items.iter().copied().chain(listed).collect();
    let named: HashSet<_> = tools
        .iter()
        .filter_map(|tool| tool.get("name")?.as_str())
        .collect();
    let is_known = |item: &&Json<'a>| {
        let name = item.get("name").and_then(Json::as_str);
        name.is_none_or(|name| named.contains(name)) || !is_call_or_answer(**item)
    };
    let is_whole = all_items().all(|item| is_known(&item));
    is_whole.then(|| Json::Array(import.arena().alloc_slice_copy(&tools)))
}
