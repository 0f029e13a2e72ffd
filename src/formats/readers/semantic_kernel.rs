//! Chat histories of Semantic Kernel: a list of `{Role: {Label}, Items: [{$type: "FunctionCallContent"}]}` as .NET
//! writes it, or `{messages: [{role, items: [{content_type: "function_call"}]}]}` as Python does. The name of a tool
//! is `Plugin-Function`, as the models get it.

use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::envelope::Envelope;
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::marks::marks;
use crate::kit::message::{About, Message};
use crate::kit::signs::{Sign, likeness_by};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::SemanticKernel,
    marks: &marks(ITEMS),
    likeness,
    read,
};

const MESSAGES: &str = "messages";

/// Members in the spellings of .NET, of .NET for the web, and of Python.
const ROLE: [&str; 2] = ["Role", "role"];
const ITEMS: [&str; 2] = ["Items", "items"];
const TEXT: [&str; 2] = ["Text", "text"];
const CONTENT: [&str; 2] = ["Content", "content"];
const KIND: [&str; 2] = ["$type", "content_type"];
const PLUGIN: [&str; 3] = ["PluginName", "pluginName", "plugin_name"];
const FUNCTION: [&str; 3] = ["FunctionName", "functionName", "function_name"];
const ARGUMENTS: [&str; 2] = ["Arguments", "arguments"];
const CALL_ID: [&str; 4] = ["CallId", "callId", "Id", "id"];
const RESULT: [&str; 2] = ["Result", "result"];
const METADATA: [&str; 2] = ["Metadata", "metadata"];

/// The id of a call in the metadata of a text that is its result.
const ANSWERED: &str = "ChatCompletionsToolCall.Id";

fn any<'a>(value: Json<'a>, keys: &[&str]) -> Option<Json<'a>> {
    let mut found = keys.iter().filter_map(|key| value.get(key));
    found.find(|value| !value.is_null())
}

fn text_in<'a>(value: Json<'a>, keys: &[&str]) -> Option<&'a str> {
    any(value, keys)?.as_str()
}

/// What an item of a message is.
#[derive(Clone, Copy, PartialEq)]
enum Item {
    Text,
    Call,
    Answer,
    Other,
}

fn item_of(item: Json<'_>) -> Item {
    match text_in(item, &KIND) {
        Some("TextContent" | "text") => Item::Text,
        Some("FunctionCallContent" | "function_call") => Item::Call,
        Some("FunctionResultContent" | "function_result") => Item::Answer,
        _ => Item::Other,
    }
}

fn likeness(value: Json<'_>) -> Likeness {
    likeness_by(value, MESSAGES, sign)
}

fn sign(message: Json<'_>) -> Sign {
    let items = any(message, &ITEMS).and_then(Json::items);
    let is_known = |item: &Json<'_>| item_of(*item) != Item::Other;
    let says_role = any(message, &ROLE).is_some();
    match items {
        Some(items) if says_role && items.iter().any(is_known) => Sign::Decisive,
        Some(_) if says_role && message.get("Role").is_some() => {
            Sign::Broken("a `$type` in each item")
        }
        _ => Sign::Open,
    }
}

const ENVELOPE: Envelope = Envelope {
    what: "a list of messages, or {messages}",
    is_message: |it| it.get(MESSAGES).is_none(),
    ids: &["id"],
    tools: &[&["tools"]],
    reads: |_, key, _| key == MESSAGES,
};

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    ENVELOPE.read(
        value,
        import,
        read_messages,
        read_message,
        |fields, conversation, import| {
            let list = fields.items(MESSAGES, "a list of messages")?;
            read_messages(list, &fields.path().key(MESSAGES), conversation, import)
        },
    )
}

fn read_messages<'a>(
    messages: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    for fields in Fields::each(messages, path, "a message: {Role, Items}") {
        read_message(&fields?, conversation, import)?;
    }
    Ok(())
}

fn role_of(fields: &Fields<'_>) -> Result<Role> {
    let role = any(fields.value(), &ROLE).unwrap_or_default();
    let label = text_in(role, &["Label", "label"]).or(role.as_str());
    match label.map(str::to_ascii_lowercase).as_deref() {
        Some("system" | "developer") => Ok(Role::System),
        Some("user") => Ok(Role::User),
        Some("assistant" | "tool") => Ok(Role::Agent),
        _ => Err(fields.mismatch("Role", "system, developer, user, assistant or tool")),
    }
}

fn read_message<'a>(
    fields: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let value = fields.value();
    let about = About::present(fields, &OF_MESSAGES, import);
    let mut message = Message::new(role_of(fields)?, about, conversation);
    let (key, items) = ITEMS
        .iter()
        .find_map(|key| Some((*key, value.get(key)?.items()?)))
        .unwrap_or_default();
    let has_answers = items.iter().any(|item| item_of(*item) == Item::Answer);
    if let (true, Some(text)) = (items.is_empty(), text_in(value, &CONTENT)) {
        message.text(text);
    }
    for item in Fields::each(items, &fields.path().key(key), "an item: {$type}") {
        let item = item?;
        let answered = any(item.value(), &METADATA).and_then(|it| it.get(ANSWERED)?.as_str());
        let text = text_in(item.value(), &TEXT);
        match (item_of(item.value()), answered) {
            (Item::Call, _) => message.call(read_call(&item, import)),
            (Item::Answer, _) => {
                let id = text_in(item.value(), &CALL_ID);
                let result = any(item.value(), &RESULT).unwrap_or(Json::String(""));
                read_answer(&item, id, result, &mut message, import);
            }
            // The result says the same.
            (Item::Text, Some(_)) if has_answers => {}
            (Item::Text, Some(id)) => {
                let result = Json::String(text.unwrap_or_default());
                read_answer(&item, Some(id), result, &mut message, import);
            }
            (Item::Text, None) => message.text(text.unwrap_or_default()),
            (Item::Other, _) => message.other(item.value()),
        }
    }
    message.finish(import);
    Ok(())
}

/// The members of a message that are read. Its turn keeps all others.
const OF_MESSAGES: [&str; 7] = [
    "Role",
    "role",
    "Items",
    "items",
    "Content",
    "content",
    "content_type",
];

/// The members of calls and results that are read. The call keeps all others.
const OF_CALLS: [&[&str]; 9] = [
    &KIND,
    &PLUGIN,
    &FUNCTION,
    &ARGUMENTS,
    &CALL_ID,
    &RESULT,
    &TEXT,
    &["name", "index"],
    &METADATA,
];

fn rest_of<'a>(item: &Fields<'a>, import: &Import<'a>) -> &'a [toolgauge_model::Member<'a>] {
    item.rest(import.arena(), |key, value| {
        value.is_null() || OF_CALLS.iter().any(|keys| is_one_of(key, keys))
    })
}

/// `Plugin-Function`. Python writes that name, too.
fn name_of<'a>(item: &Fields<'a>, import: &Import<'a>) -> Option<&'a str> {
    let value = item.value();
    match (text_in(value, &PLUGIN), text_in(value, &FUNCTION)) {
        (Some(plugin), Some(function)) if !plugin.is_empty() => {
            let name = [plugin, "-", function].concat();
            Some(import.arena().alloc_str(&name))
        }
        (_, function) => function.or(item.text("name")),
    }
}

fn read_call<'a>(item: &Fields<'a>, import: &mut Import<'a>) -> ToolCall<'a> {
    let mut call = ToolCall {
        id: text_in(item.value(), &CALL_ID),
        name: name_of(item, import),
        extra: rest_of(item, import),
        ..ToolCall::default()
    };
    let given = any(item.value(), &ARGUMENTS).unwrap_or(Json::Object(&[]));
    import.arguments(&mut call, Some(given), &|| item.path().key("arguments"));
    call
}

fn read_answer<'a>(
    item: &Fields<'a>,
    id: Option<&'a str>,
    result: Json<'a>,
    message: &mut Message<'_, 'a>,
    import: &mut Import<'a>,
) {
    let result = CallResult {
        id,
        name: name_of(item, import),
        outcome: Outcome::of(import.nested(result), false),
    };
    if let Some(call) = message.result(&result, item.path(), import) {
        let rest = rest_of(item, import);
        import.keep(call, rest);
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn histories_of_dotnet_and_python_are_the_same_conversation() {
        for name in ["dotnet", "python"] {
            let arena = Bump::new();
            let read = imported(&arena, &fixture(&format!("semantic-kernel/{name}.json")));
            let trajectory = &read.value[0];
            assert_eq!(
                turns_of(trajectory),
                [
                    (Role::System, "You sell tickets.".to_owned(), 0),
                    (Role::User, "Two for tonight?".to_owned(), 0),
                    (Role::Agent, "I look.".to_owned(), 2),
                    (Role::Agent, "Two seats are free.".to_owned(), 0),
                ],
                "{name}"
            );
            assert_eq!(
                calls_of(trajectory),
                [
                    r#"{"id":"c1","name":"Hall-Seats","arguments":{"day":"tonight"},"result":{"free":2}}"#,
                    r#"{"id":"c2","name":"Clock-Now","arguments":{},"result":"18:00"}"#,
                ],
                "{name}"
            );
            assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        }
    }

    #[test]
    fn the_error_names_the_message_with_another_shape() {
        let path = |text: &str| failure(text).report().path.unwrap_or_default().to_string();
        let first = r#"{"Role":{"Label":"user"},"Items":[{"$type":"TextContent","Text":"a"}]}"#;
        assert_eq!(
            path(&format!(r#"[{first},{{"Role":{{"Label":"cook"}}}}]"#)),
            "[1].Role"
        );
        assert_eq!(
            path(&format!(
                r#"[{first},{{"Role":{{"Label":"user"}},"Items":[7]}}]"#
            )),
            "[1].Items[0]"
        );
        let error = failure(r#"[{"Role":{"Label":"user"},"Items":[{"Text":"a"}]}]"#).to_string();
        assert!(
            error.contains("semantic-kernel, but it lacks a `$type`"),
            "{error}"
        );
    }
}
