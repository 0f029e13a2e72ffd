//! Finds tool definitions in a document, and reads each in its format.

use foldhash::HashSet;

mod definition;
mod dialect;
mod flat;

use serde::{Serialize, Serializer};
use strum::{IntoStaticStr, VariantArray};

use crate::kit::detection::outline;
use crate::kit::{ImportWarning, Imported};
pub use definition::{Declared, DeclaredSchema, ToolDefinition};
use definition::{Definitions, Entry, entry_of, has_schema, is_by_name};
pub use dialect::{plain_schema, plain_type};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path, Reader, ToolSchema, UnreadReason, UnreadTool};

/// The formats that tool definitions are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, IntoStaticStr, VariantArray)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum ToolFormat {
    /// `{type: "function", function: {name, parameters}}`
    OpenaiChat,
    /// `{type: "function", name, parameters}`, and the tools of the platform, `{type: "web_search"}`.
    OpenaiResponses,
    /// `{name, input_schema}`
    Anthropic,
    /// `{name, inputSchema}`, as in the answer to `tools/list`.
    Mcp,
    /// `{functionDeclarations: [{name, parameters: {type: "OBJECT"}}]}`; also `parametersJsonSchema`.
    Gemini,
    /// By name: `{description, inputSchema}`.
    AiSdk,
    /// `{toolSpec: {name, inputSchema: {json}}}`
    Bedrock,
    /// `{name, parameters: {type: "dict"}}`, with the types of Python, as in the Berkeley Function-Calling
    /// Leaderboard.
    Bfcl,
    /// toolgauge's own shape, `{name, parameters}`: one, a list, or a record by name.
    Record,
}

impl<'a> Imported<Vec<ToolSchema<'a>>, ToolFormat> {
    /// The tools as a record by name, in their order.
    pub fn by_name(self) -> Imported<ToolRecord<'a>, ToolFormat> {
        Imported {
            value: ToolRecord(self.value),
            format: self.format,
            warnings: self.warnings,
        }
    }
}

/// Tools that are written as a record by name.
#[derive(Debug, Clone)]
pub struct ToolRecord<'a>(Vec<ToolSchema<'a>>);

impl Serialize for ToolRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|tool| (tool.name, tool)))
    }
}

/// All tools of a document, in its order. It is one definition, a list, a record by name, or a request
/// that contains them.
///
/// # Errors
/// [`Error::UnknownFormat`] if the document contains no definition. [`Error::InvalidInput`] names the
/// part that has another shape than its format says.
pub fn import_tools<'a>(
    document: Json<'a>,
    reader: Reader<'a>,
) -> Result<Imported<Vec<ToolSchema<'a>>, ToolFormat>> {
    let opened = Opened::of(document, reader);
    let format = detect_tools(opened.value)?;
    let mut definitions = definitions_of(&opened, &Path::root(), reader)?;
    add_servers(&mut definitions, reader);
    let mut tools = definitions.into_iter().map(|it| it.tool).collect();
    let warnings = drop_repeated(&mut tools, |tool| tool.name);
    Ok(Imported {
        value: tools,
        format,
        warnings,
    })
}

/// The tools of a document as far as they can be read.
#[derive(Debug, Clone, Default)]
pub struct ReadableTools<'a> {
    /// The tools with the paths of their definitions, each name once. What is known only by its name takes any
    /// arguments.
    pub tools: Vec<(ToolSchema<'a>, Path)>,
    /// The definitions by which no call can be judged.
    pub unread: Vec<UnreadTool>,
}

/// The tools of a document as far as they can be read. A definition that can't be read is left out and said; it is no
/// error.
///
/// # Errors
/// [`Error::UnknownFormat`] if the document contains no definition.
pub fn readable_tools<'a>(document: Json<'a>, reader: Reader<'a>) -> Result<ReadableTools<'a>> {
    readable_items(document, reader)?;
    Ok(read_what_can_be(document, reader, |_| false))
}

/// The tools that a log carries, as far as they can be read. Those of [`ToolFormat::Record`] without a schema were cut
/// down to their names, so no call can be judged by them.
pub fn logged_tools<'a>(document: Json<'a>, reader: Reader<'a>) -> ReadableTools<'a> {
    read_what_can_be(document, reader, ToolDefinition::says_nothing)
}

fn read_what_can_be<'a>(
    document: Json<'a>,
    reader: Reader<'a>,
    is_cut_down: fn(&ToolDefinition<'a>) -> bool,
) -> ReadableTools<'a> {
    if document.is_null() {
        return ReadableTools::default();
    }
    let opened = Opened::of(document, reader);
    let mut definitions = read_definitions(&opened, &Path::root(), reader);
    add_servers(&mut definitions.tools, reader);
    let mut unread = definitions.unread;
    let mut tools = Vec::with_capacity(definitions.tools.len());
    for definition in definitions.tools {
        let mut tool = definition.tool;
        if is_cut_down(&definition) {
            tool.parameters = ANY_ARGUMENTS;
            unread.push(UnreadTool {
                path: definition.path.clone(),
                name: Some(tool.name.to_owned()),
                reason: UnreadReason::NoSchema,
            });
        }
        tools.push((tool, definition.path));
    }
    let defined: HashSet<_> = tools.iter().map(|(tool, _)| tool.name).collect();
    let named = unread
        .iter()
        .filter_map(|it| Some((it.name.as_deref()?, &it.path)));
    let named: Vec<_> = named
        .filter(|(name, _)| !defined.contains(name))
        .map(|(name, path)| (of_any_arguments(name, reader), path.clone()))
        .collect();
    tools.extend(named);
    drop_repeated(&mut tools, |(tool, _)| tool.name);
    ReadableTools { tools, unread }
}

/// The schema of a tool of which only the name is known.
const ANY_ARGUMENTS: Json<'static> = Json::Bool(true);

fn of_any_arguments<'a>(name: &str, reader: Reader<'a>) -> ToolSchema<'a> {
    ToolSchema {
        name: reader.arena().alloc_str(name),
        description: None,
        parameters: ANY_ARGUMENTS,
        output_schema: None,
        deprecated: false,
        replaced_by: None,
        extra: &[],
    }
}

/// A set of tools, as one request offers it to a model.
#[derive(Debug, Clone, Default)]
pub struct DefinedTools<'a> {
    /// The definitions. Several may have the same name.
    pub tools: Vec<ToolDefinition<'a>>,
    /// The definitions by which no call can be judged.
    pub unread: Vec<UnreadTool>,
}

impl DefinedTools<'_> {
    /// Whether these are surely tools: many other things have a name, too.
    fn are_sure(&self) -> bool {
        !self.tools.iter().all(ToolDefinition::says_nothing)
    }
}

/// The sets of tools that a document defines. A document with tools is one set. A list of requests, as in logs, has
/// the set of each request, and any other log the set of each trajectory, which `logged` returns; equal sets count
/// once.
///
/// # Errors
/// [`Error::UnknownFormat`] if the document contains no definition.
pub fn define_tools<'a>(
    document: Json<'a>,
    reader: Reader<'a>,
    logged: impl FnOnce() -> Option<Vec<Json<'a>>>,
) -> Result<Vec<DefinedTools<'a>>> {
    let found = match Sets::of(document, reader) {
        Ok(sets) if sets.iter().any(DefinedTools::are_sure) => return Ok(sets),
        found => found,
    };
    match logged() {
        Some(tools) => {
            let mut sets = Sets::new(reader);
            let is_alone = tools.len() == 1;
            for (at, tools) in tools.into_iter().enumerate() {
                let base = if is_alone {
                    Path::root()
                } else {
                    Path::root().index(at)
                };
                sets.add(tools, &base.key("tools"));
            }
            match (sets.sets.is_empty(), found) {
                (true, Err(unknown)) => Err(unknown),
                _ => Ok(sets.sets),
            }
        }
        None => found.and_then(|sets| match sets.as_slice() {
            [DefinedTools { tools, .. }] if tools.iter().any(|it| it.path.is_root()) => {
                Err(unknown(document))
            }
            _ => Ok(sets),
        }),
    }
}

/// The sets of tools so far, without repetitions.
struct Sets<'a> {
    reader: Reader<'a>,
    seen: HashSet<Json<'a>>,
    sets: Vec<DefinedTools<'a>>,
}

impl<'a> Sets<'a> {
    fn new(reader: Reader<'a>) -> Self {
        Self {
            reader,
            seen: HashSet::default(),
            sets: Vec::new(),
        }
    }

    /// The sets that `document` surely or maybe contains.
    fn of(document: Json<'a>, reader: Reader<'a>) -> Result<Vec<DefinedTools<'a>>> {
        let mut sets = Self::new(reader);
        let unknown = match readable_items(document, reader) {
            Ok(()) => {
                sets.add(document, &Path::root());
                return Ok(sets.sets);
            }
            Err(unknown) => unknown,
        };
        for (at, request) in document.items().unwrap_or_default().iter().enumerate() {
            if recognize_tools(Opened::of(*request, reader).value).is_some() {
                sets.add(*request, &Path::root().index(at));
            }
        }
        if sets.sets.is_empty() {
            return Err(unknown);
        }
        Ok(sets.sets)
    }

    /// Adds the tools of `document`, whose path is `base`.
    fn add(&mut self, document: Json<'a>, base: &Path) {
        let opened = Opened::of(document, self.reader);
        let (list, _) = unwrap_list(opened.value);
        if self.seen.insert(list) {
            let Definitions { tools, unread, .. } = read_definitions(&opened, base, self.reader);
            self.sets.push(DefinedTools { tools, unread });
        }
    }
}

/// An error unless the document contains a definition, or is an empty list or record.
fn readable_items<'a>(document: Json<'a>, reader: Reader<'a>) -> Result<()> {
    let opened = Opened::of(document, reader);
    let items = items_of(opened.value);
    match items.iter().any(|item| has_schema(item.value)) {
        true => Ok(()),
        false => detect_tools(opened.value).map(|_| ()),
    }
}

/// A document in which definitions that are written as JSON text are read.
struct Opened<'a> {
    value: Json<'a>,
    /// The path of `value` in the document.
    path: Path,
}

impl<'a> Opened<'a> {
    fn of(document: Json<'a>, reader: Reader<'a>) -> Self {
        let texts = LISTS.iter().filter_map(|keys| match keys {
            [key] => Some((*key, document.get(key)?.as_str()?)),
            _ => None,
        });
        let mut inner = texts.filter_map(|(key, text)| Some((key, read_json(text, reader)?)));
        let (value, path) = match inner.next() {
            Some((key, value)) => (value, Path::root().key(key)),
            None => (document, Path::root()),
        };
        Self {
            value: with_read_texts(value, reader),
            path,
        }
    }
}

/// The object or list in a JSON text.
fn read_json<'a>(text: &'a str, reader: Reader<'a>) -> Option<Json<'a>> {
    let starts = |start| text.trim_ascii_start().starts_with(start);
    let read = (starts('{') || starts('[')).then(|| reader.read_text(text));
    read?.ok()
}

/// `value` itself, or the JSON in it if it is a text or a list of texts.
fn with_read_texts<'a>(value: Json<'a>, reader: Reader<'a>) -> Json<'a> {
    let read = |value: Json<'a>| value.as_str().and_then(|text| read_json(text, reader));
    let whole = read(value).unwrap_or(value);
    match whole.items() {
        Some(items) if items.iter().any(|item| item.as_str().is_some()) => {
            let items = items.iter().map(|item| read(*item).unwrap_or(*item));
            Json::Array(reader.arena().alloc_slice_fill_iter(items))
        }
        _ => whole,
    }
}

/// The definitions of a document. `base` is the path of the document.
///
/// # Errors
/// The first definition that can't be read.
fn definitions_of<'a>(
    document: &Opened<'a>,
    base: &Path,
    reader: Reader<'a>,
) -> Result<Vec<ToolDefinition<'a>>> {
    let definitions = read_definitions(document, base, reader);
    UnreadTool::refuse(&definitions.unread)?;
    Ok(definitions.tools)
}

fn read_definitions<'a>(document: &Opened<'a>, base: &Path, reader: Reader<'a>) -> Definitions<'a> {
    let base = base.join(&document.path);
    let mut definitions = Definitions::new(reader);
    for Item { value, path, key } in items_of(document.value) {
        let path = base.join(&path);
        definitions.read(Item { value, path, key });
    }
    definitions.finish()
}

/// Adds the name of its server to the name of each tool that several servers list.
fn add_servers<'a>(definitions: &mut [ToolDefinition<'a>], reader: Reader<'a>) {
    let mut servers: foldhash::HashMap<&str, Vec<Option<&str>>> = foldhash::HashMap::default();
    for definition in definitions.iter() {
        let known = servers.entry(definition.tool.name).or_default();
        if !known.contains(&definition.server) {
            known.push(definition.server);
        }
    }
    for definition in definitions {
        let is_shared = servers
            .get(definition.tool.name)
            .is_some_and(|servers| servers.len() > 1);
        if let Some(server) = definition.server.filter(|_| is_shared) {
            let name = format!("{server}__{}", definition.tool.name);
            definition.tool.name = reader.arena().alloc_str(&name);
        }
    }
}

/// A value that should define a tool, its path, and its key in a record.
struct Item<'a> {
    value: Json<'a>,
    path: Path,
    key: Option<&'a str>,
}

/// The definitions of a document with their paths.
fn items_of(document: Json<'_>) -> Vec<Item<'_>> {
    let (list, path) = unwrap_list(document);
    match list {
        Json::Array(items) => {
            let item = |(at, value): (usize, &_)| Item {
                value: *value,
                path: path.index(at),
                key: None,
            };
            items.iter().enumerate().map(item).collect()
        }
        Json::Object(members) if !is_definition(list) => {
            let names = members.iter().map(|(name, value)| Item {
                value: *value,
                path: path.key(name),
                key: Some(*name),
            });
            names.collect()
        }
        value => vec![Item {
            value,
            path,
            key: None,
        }],
    }
}

/// The format of the tool definitions in `document`. `None` if there are none.
pub fn recognize_tools(document: Json<'_>) -> Option<ToolFormat> {
    let items = items_of(document);
    let first = items.first()?;
    entry_of(first.value, first.key)?;
    let mut formats = items
        .iter()
        .filter_map(|item| Some(entry_of(item.value, item.key)?.format));
    let first = formats.next()?;
    // The first definition may have a shape that several formats share, so the others count, too.
    match first {
        ToolFormat::Record => formats.find(|format| *format != first).or(Some(first)),
        ToolFormat::OpenaiChat
        | ToolFormat::OpenaiResponses
        | ToolFormat::Anthropic
        | ToolFormat::Mcp
        | ToolFormat::Gemini
        | ToolFormat::AiSdk
        | ToolFormat::Bedrock
        | ToolFormat::Bfcl => Some(first),
    }
}

/// The format in which `document` is read. It may also be an empty list or record.
fn detect_tools(document: Json<'_>) -> Result<ToolFormat> {
    let is_empty = items_of(document).is_empty();
    match recognize_tools(document) {
        None if is_empty => Ok(ToolFormat::Record),
        found => found.ok_or_else(|| unknown(document)),
    }
}

fn unknown(document: Json<'_>) -> Error {
    Error::UnknownFormat {
        path: Path::root(),
        kind: "tools",
        reason: match is_client_config(document) {
            true => CONFIG_FOUND.to_owned(),
            false => format!(
                "a tool has a `name` and its schema as `parameters`, `input_schema`, `inputSchema`, `parametersJsonSchema`, `function.parameters` or `toolSpec.inputSchema.json`; found {}",
                outline(document)
            ),
        },
    }
}

/// The error if the configuration of an MCP client is passed as tools.
const CONFIG_FOUND: &str = "this configures the servers of an MCP client and holds no tools; pass what the servers answer to `tools/list`";

/// Whether `document` is the configuration of an MCP client, such as `mcp.json`: servers with the commands that start
/// them, or with their addresses.
fn is_client_config(document: Json<'_>) -> bool {
    let is_server = |(_, server): &(&str, Json<'_>)| {
        ["command", "url", "serverUrl", "httpUrl"]
            .iter()
            .any(|key| server.get(key).is_some_and(|it| it.as_str().is_some()))
    };
    let keys = ["mcpServers", "mcp_servers", "servers", "mcp"];
    let holders = keys.iter().filter_map(|key| document.get(key));
    let holders = holders
        .flat_map(|it| [Some(it), it.get("servers")])
        .flatten();
    let mut servers = holders.filter_map(|it| it.members());
    servers.any(|servers| !servers.is_empty() && servers.iter().all(is_server))
}

/// The members that may contain definitions, in requests and in answers of MCP servers.
const LISTS: [&[&str]; 6] = [
    &["tools"],
    &["functions"],
    &["function"],
    &["toolConfig", "tools"],
    &["config", "tools"],
    &["result", "tools"],
];

/// The definitions inside `{tools: …}` and the like, or else the document itself.
fn unwrap_list(document: Json<'_>) -> (Json<'_>, Path) {
    let alone = (document, Path::root());
    if is_definition(document) || are_several_by_name(document) {
        return alone;
    }
    let found = LISTS.into_iter().find_map(|keys| {
        let mut list = document;
        for key in keys {
            list = list.get(key)?;
        }
        let path = keys.iter().fold(Path::root(), |path, key| path.key(key));
        let is_record =
            matches!(list, Json::Object(_)) && (entry_of(list, None).is_none() || is_by_name(list));
        let is_list = matches!(list, Json::Array(_)) || is_record && keys.ends_with(&["tools"]);
        is_list.then_some((list, path))
    });
    found.unwrap_or(alone)
}

/// Whether `value` is surely a record of several tools, even if one of them has the name of a member of
/// definitions.
fn are_several_by_name(value: Json<'_>) -> bool {
    value.members().is_some_and(|members| members.len() > 1) && is_by_name(value)
}

/// Whether `value` defines one tool and is not a record of tools.
fn is_definition(value: Json<'_>) -> bool {
    let is_named = |value: Json<'_>| value.get("name").is_some_and(|it| it.as_str().is_some());
    match entry_of(value, None).map(|found| found.kind) {
        Some(Entry::Named { inside: None }) => is_named(value),
        Some(Entry::Named { inside: Some(key) }) => {
            let is_typed = value.get("type").is_some_and(|it| it.as_str().is_some());
            let is_inside = is_typed || value.get(key).is_some_and(is_named);
            is_inside && !are_several_by_name(value)
        }
        Some(_) => true,
        None => false,
    }
}

/// Keeps the last definition of each name, as in a record.
fn drop_repeated<T>(tools: &mut Vec<T>, name: impl Fn(&T) -> &str) -> Vec<ImportWarning> {
    let mut warnings = Vec::new();
    let mut last = foldhash::HashMap::default();
    for (at, tool) in tools.iter().enumerate() {
        let name = name(tool);
        if last.insert(name, at).is_some() {
            warnings.push(ImportWarning {
                path: String::new(),
                message: format!("the tool \"{name}\" is defined more than once; the last counts"),
            });
        }
    }
    let kept: HashSet<usize> = last.into_values().collect();
    let mut at = 0;
    tools.retain(|_| {
        at += 1;
        kept.contains(&(at - 1))
    });
    warnings
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{each_mutation, fixture_in, fixtures};
    use toolgauge_model::Limits;
    use toolgauge_model::testing::arena_json;

    fn imported(text: &str) -> Result<String> {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let read = import_tools(arena_json(&arena, text), reader)?;
        Ok(serde_json::to_string(&read).expect("plain data"))
    }

    #[test]
    fn the_formats_give_the_same_tool() {
        let schema = r#"{"type":"object","properties":{"q":{"type":"string"}}}"#;
        let tool = format!(r#"{{"name":"f","description":"d","parameters":{schema}}}"#);
        let cases = [
            (
                format!(r#"[{{"type":"function","function":{tool}}}]"#),
                "openai-chat",
            ),
            (
                format!(r#"{{"type":"function","function":{tool}}}"#),
                "openai-chat",
            ),
            (
                format!(r#"{{"model":"m","tools":[{{"type":"function","function":{tool}}}]}}"#),
                "openai-chat",
            ),
            (
                format!(r#"[{{"name":"f","description":"d","input_schema":{schema}}}]"#),
                "anthropic",
            ),
            (
                format!(r#"{{"tools":[{{"name":"f","description":"d","inputSchema":{schema}}}]}}"#),
                "mcp",
            ),
            (
                format!(
                    r#"[{{"type":"function","name":"f","description":"d","parameters":{schema}}}]"#
                ),
                "openai-responses",
            ),
            (
                format!(
                    r#"{{"toolConfig":{{"tools":[{{"toolSpec":{{"name":"f","description":"d","inputSchema":{{"json":{schema}}}}}}},{{"cachePoint":{{"type":"default"}}}}]}}}}"#
                ),
                "bedrock",
            ),
            (
                r#"{"config":{"tools":[{"functionDeclarations":[{"name":"f","description":"d","parameters":{"type":"OBJECT","properties":{"q":{"type":"STRING"}}}}]}]}}"#.to_owned(),
                "gemini",
            ),
            (
                format!(
                    r#"{{"function_declarations":[{{"name":"f","description":"d","parameters_json_schema":{schema}}}]}}"#
                ),
                "gemini",
            ),
            (
                format!(r#"{{"f":{{"description":"d","inputSchema":{schema}}}}}"#),
                "ai-sdk",
            ),
            (
                format!(
                    r#"{{"tools":{{"f":{{"description":"d","inputSchema":{{"jsonSchema":{schema}}}}}}}}}"#
                ),
                "ai-sdk",
            ),
            (
                format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{{"name":"f","description":"d","inputSchema":{schema}}}]}}}}"#),
                "mcp",
            ),
            (
                r#"{"id":"x","function":[{"name":"f","description":"d","parameters":{"type":"dict","properties":{"q":{"type":"string"}}}}]}"#.to_owned(),
                "bfcl",
            ),
            (format!(r#"{{"functions":[{tool}]}}"#), "record"),
            (tool.clone(), "record"),
            (format!("[{tool}]"), "record"),
            (format!(r#"{{"f":{tool}}}"#), "record"),
            (
                format!(r#"{{"f":{{"description":"d","parameters":{schema}}}}}"#),
                "record",
            ),
        ];
        for (text, format) in cases {
            let expected = format!(r#"{{"value":[{tool}],"format":"{format}","warnings":[]}}"#);
            assert_eq!(imported(&text).expect("tools"), expected, "{text}");
        }
    }

    /// The readable tools of a document by name and schema, and the definitions that can't be read.
    fn readable(text: &str) -> (Vec<String>, Vec<String>) {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let read = logged_tools(arena_json(&arena, text), reader);
        let tools = read.tools.iter().map(|(tool, path)| {
            let parameters = serde_json::to_string(&tool.parameters).expect("plain data");
            format!("{path} {} {parameters}", tool.name)
        });
        let unread = read.unread.iter().map(|unread| {
            let message = unread.reason.describe();
            let (what, _) = message.split_once(": ").expect("what follows from it");
            format!("{}: {what}", unread.path)
        });
        (tools.collect(), unread.collect())
    }

    #[test]
    fn a_definition_that_cannot_be_read_takes_no_other_down() {
        let sow = r#"{"name":"sow","parameters":{"type":"object"}}"#;
        let tool = r#"[0] sow {"type":"object"}"#;
        for (other, known, unread) in [
            ("{}", None, "[1]: this tool definition is of no known kind"),
            ("7", None, "[1]: this tool definition is of no known kind"),
            (
                r#"{"type":"weeding"}"#,
                None,
                "[1]: this tool definition is of no known kind",
            ),
            (
                r#""reap""#,
                Some("[1] reap true"),
                "[1]: this tool definition is only a name",
            ),
            (
                r#"{"name":"reap"}"#,
                Some("[1] reap true"),
                "[1]: this tool definition has no schema",
            ),
            (
                r#"{"type":"mcp_toolset","mcp_server_name":"farm"}"#,
                None,
                "[1]: this names a server and not its tools",
            ),
            (
                r#"{"type":"mcp","server_label":"farm"}"#,
                None,
                "[1]: this names a server and not its tools",
            ),
            (
                r#"{"name":"reap","input_schema":7}"#,
                Some("[1] reap true"),
                "[1]: this tool definition can't be used ([1].input_schema",
            ),
        ] {
            let (tools, found) = readable(&format!("[{sow},{other}]"));
            let expected: Vec<_> = [Some(tool), known].into_iter().flatten().collect();
            assert_eq!(tools, expected, "{other}");
            assert_eq!(found.len(), 1, "{other}");
            assert!(found[0].starts_with(unread), "{other}: {found:?}");
        }
    }

    #[test]
    fn servers_whose_tools_are_listed_in_the_log_are_read() {
        let list = |listed: &str| {
            readable(&format!(
                r#"[{{"type":"mcp","server_label":"farm"}},{{"type":"function","name":"sow","parameters":{{}}}}{listed}]"#
            ))
        };
        assert_eq!(list("").1.len(), 1);
        assert!(list(r#",{"name":"reap","input_schema":{}}"#).1.is_empty());
    }

    #[test]
    fn definitions_inside_a_group_are_left_out_one_by_one() {
        let (tools, unread) = readable(
            r#"[{"functionDeclarations":[{"name":"sow","parameters":{}},{"description":"?"},{"name":"reap"}],"codeExecution":{}}]"#,
        );
        assert_eq!(
            tools,
            [
                "[0].functionDeclarations[0] sow {}",
                r#"[0].functionDeclarations[2] reap {"type":"object","properties":{}}"#,
                r#"[0] code_execution {"type":"object","properties":{}}"#
            ]
        );
        assert_eq!(
            unread,
            ["[0].functionDeclarations[1]: this tool definition is of no known kind"]
        );
    }

    #[test]
    fn definitions_may_be_json_text() {
        let sow = r#"{\"name\":\"sow\",\"parameters\":{\"type\":\"object\"}}"#;
        let list = format!(r#""[{sow}]""#);
        for document in [
            list.clone(),
            format!(r#"["{sow}"]"#),
            format!(r#"{{"tools":{list}}}"#),
        ] {
            let (tools, unread) = readable(&document);
            assert_eq!(tools.len(), 1, "{document}");
            assert!(
                tools[0].ends_with(r#"[0] sow {"type":"object"}"#),
                "{tools:?}"
            );
            assert!(unread.is_empty(), "{unread:?}");
            assert!(imported(&document).is_ok(), "{document}");
        }
    }

    #[test]
    fn an_empty_list_of_tools_holds_nothing() {
        for document in ["[]", "{}", "null", r#"{"tools":[]}"#, r#""[]""#] {
            let (tools, unread) = readable(document);
            assert!(tools.is_empty(), "{document}: {tools:?}");
            assert!(unread.is_empty(), "{document}: {unread:?}");
        }
    }

    #[test]
    fn tools_that_platforms_run_are_known_by_their_types() {
        let names = |definition: &str| -> Vec<String> {
            let arena = Bump::new();
            let reader = Reader::new(&arena, Limits::default());
            let document = format!("[{definition}]");
            let read = logged_tools(arena_json(&arena, &document), reader);
            assert!(read.unread.is_empty(), "{definition}: {:?}", read.unread);
            let tools = read.tools.iter();
            tools.map(|(tool, _)| tool.name.to_owned()).collect()
        };
        for (definition, expected) in [
            (
                r#"{"type":"code_execution_20250825","name":"code_execution"}"#,
                &[
                    "code_execution",
                    "bash_code_execution",
                    "text_editor_code_execution",
                ][..],
            ),
            (r#"{"type":"openrouter:web_search"}"#, &["web_search"]),
            (r#"{"enterpriseWebSearch":{}}"#, &[]),
            (r#"{"url_context":{}}"#, &["URL_CONTEXT"]),
            (
                r#"{"type":"provider","id":"anthropic.code_execution_20250825","name":"run","args":{}}"#,
                &["run", "bash_code_execution", "text_editor_code_execution"],
            ),
            (r#"{"type":"image_generation"}"#, &["image_generation"]),
        ] {
            assert_eq!(names(definition), expected, "{definition}");
        }
        let of_provider = |more: &str| {
            let arena = Bump::new();
            let reader = Reader::new(&arena, Limits::default());
            let text = format!(
                r#"{{"web":{{"type":"provider-defined","id":"x.search","name":"search","args":{{}}{more}}}}}"#
            );
            let read = logged_tools(arena_json(&arena, &text), reader);
            let tools = read.tools.iter();
            tools
                .map(|(tool, _)| tool.name.to_owned())
                .collect::<Vec<_>>()
        };
        for more in ["", r#","inputSchema":{"type":"object"}"#] {
            assert_eq!(of_provider(more), ["web"], "{more}");
        }
        assert!(names(r#"{"type":"x_search"}"#).contains(&"x_keyword_search".to_owned()));
        assert!(names(r#"{"type":"browser_search"}"#).contains(&"browser.open".to_owned()));
    }

    #[test]
    fn servers_list_their_tools() {
        let server = |name: &str, tool: &str| {
            format!(
                r#"{{"name":"{name}","version":"1","tools":[{{"name":"{tool}","inputSchema":{{}}}}]}}"#
            )
        };
        let (barn, field) = (server("barn", "feed"), server("field", "sow"));
        assert_eq!(names_and_parameters(&barn), ["feed {}"]);
        let both = format!("[{barn},{field}]");
        assert_eq!(names_and_parameters(&both), ["feed {}", "sow {}"]);
        let by_name = r#"{"barn":{"tools":[{"name":"feed","inputSchema":{}}]},"field":{"tools":[{"name":"sow","inputSchema":{}}]}}"#;
        assert_eq!(names_and_parameters(by_name), ["feed {}", "sow {}"]);
        let same = format!("[{barn},{}]", server("field", "feed"));
        assert_eq!(
            names_and_parameters(&same),
            ["barn__feed {}", "field__feed {}"]
        );
        let request = r#"{"name":"run","tools":[{"name":"sow","parameters":{}}],"messages":[]}"#;
        assert_eq!(
            names_and_parameters(request),
            ["run {\"type\":\"object\",\"properties\":{}}"]
        );
    }

    #[test]
    fn the_configuration_of_a_client_is_named_as_such() {
        for document in [
            r#"{"mcpServers":{"barn":{"command":"npx","args":["barn"]}}}"#,
            r#"{"servers":{"barn":{"type":"http","url":"https://barn.example.org/mcp"}},"inputs":[]}"#,
            r#"{"mcp":{"servers":{"barn":{"command":"barn"}}}}"#,
        ] {
            let error = imported(document).expect_err("no tools").to_string();
            assert!(
                error.contains("configures the servers of an MCP client"),
                "{error}"
            );
        }
    }

    fn names_and_parameters(text: &str) -> Vec<String> {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let read = import_tools(arena_json(&arena, text), reader).expect("tools");
        let tools = read.value.iter();
        tools
            .map(|tool| {
                let parameters = serde_json::to_string(&tool.parameters).expect("plain data");
                format!("{} {parameters}", tool.name)
            })
            .collect()
    }

    #[test]
    fn each_fixture_is_of_the_format_that_it_is_named_after() {
        for name in fixtures("tools") {
            let arena = Bump::new();
            let reader = Reader::new(&arena, Limits::default());
            let document = arena_json(&arena, &fixture_in("tools", &name));
            let read = import_tools(document, reader).expect(&name);
            let format = serde_json::to_string(&read.format).expect("a name");
            assert_eq!(name.split('.').next(), Some(format.trim_matches('"')));
            assert_eq!(recognize_tools(document), Some(read.format), "{name}");
            assert!(read.warnings.is_empty(), "{name}: {:?}", read.warnings);
        }
    }

    fn text(value: &impl Serialize) -> String {
        serde_json::to_string(value).expect("plain data")
    }

    /// The import of a document, and the imports of its own result: as a list, and by name.
    fn imported_twice(document: Json<'_>) -> Option<(String, [String; 2])> {
        let arena = Bump::new();
        let read = |document| import_tools(document, Reader::new(&arena, Limits::default()));
        let once = read(document).ok()?;
        let list = text(&once.value);
        let twice = [list.clone(), text(&once.by_name().value)].map(|value| {
            match read(arena_json(&arena, &value)) {
                Ok(twice) => text(&twice.value),
                Err(error) => error.to_string(),
            }
        });
        Some((list, twice))
    }

    #[test]
    fn an_imported_trajectory_is_imported_unchanged() {
        let mut imported = 0;
        for name in fixtures("tools") {
            let arena = Bump::new();
            let document = arena_json(&arena, &fixture_in("tools", &name));
            let (once, twice) = imported_twice(document).expect("tools");
            assert_eq!(twice, [once.as_str(); 2], "{name}");
            each_mutation(&arena, document, &mut |changed| {
                if let Some((once, twice)) = imported_twice(changed) {
                    assert_eq!(twice, [once.as_str(); 2], "{name}: {changed:?}");
                    imported += 1;
                }
            });
        }
        assert!(imported > 500, "{imported}");
    }

    #[test]
    fn other_members_of_a_definition_with_a_schema_do_not_change_what_it_is() {
        let schema = r#"{"type":"object","properties":{"bed":{"type":"integer"}}}"#;
        let members = [
            r#""type":"custom""#,
            r#""type":"custom","custom":{"name":"x"}"#,
            r#""type":"web_search_20250305""#,
            r#""type":"namespace","tools":[{"name":"x","parameters":{}}]"#,
            r#""type":"mcp","server_label":"x""#,
            r#""type":"provider","id":"x""#,
            r#""function":{"name":"x","parameters":{}}"#,
            r#""functionDeclarations":[{"name":"x"}]"#,
            r#""codeExecution":{}"#,
            r#""toolSpec":{"name":"x"}"#,
        ];
        for members in members {
            for list in [
                format!(r#"[{{"name":"sow","parameters":{schema},{members}}}]"#),
                format!(r#"{{"name":"sow","parameters":{schema},{members}}}"#),
                format!(r#"{{"sow":{{"name":"sow","parameters":{schema},{members}}}}}"#),
            ] {
                assert_eq!(
                    names_and_parameters(&list),
                    [format!("sow {schema}")],
                    "{list}"
                );
            }
        }
    }

    #[test]
    fn a_tool_may_have_the_name_of_a_member_that_holds_tools() {
        let names = [
            "function",
            "functions",
            "tools",
            "name",
            "type",
            "parameters",
            "description",
            "custom",
            "inputSchema",
            "input_schema",
            "parametersJsonSchema",
            "toolSpec",
            "toolConfig",
            "systemTool",
            "cachePoint",
            "functionDeclarations",
            "googleSearch",
            "codeExecution",
            "config",
            "result",
            "json",
            "jsonSchema",
            "outputSchema",
            "server_label",
        ];
        let tool = |name: &str, key: &str, is_named: bool| {
            let own = if is_named {
                format!(r#""name":"{name}","#)
            } else {
                String::new()
            };
            format!(r#""{name}":{{{own}"{key}":{{"type":"object"}}}}"#)
        };
        for name in names {
            for (key, is_named) in [
                ("parameters", true),
                ("parameters", false),
                ("inputSchema", false),
            ] {
                let (tool, hoe) = (tool(name, key, is_named), tool("hoe", key, is_named));
                let other = if name == "function" {
                    "type"
                } else {
                    "function"
                };
                let another = format!(r#""{other}":{{"{key}":{{"type":"object"}}}}"#);
                let cases: [(String, &[&str]); 6] = [
                    (format!("{{{tool}}}"), &[name]),
                    (format!("{{{tool},{hoe}}}"), &[name, "hoe"]),
                    (format!("{{{hoe},{tool}}}"), &["hoe", name]),
                    (format!("{{{tool},{another}}}"), &[name, other]),
                    (format!(r#"{{"tools":{{{tool},{hoe}}}}}"#), &[name, "hoe"]),
                    (format!(r#"{{"model":"m","tools":{{{tool}}}}}"#), &[name]),
                ];
                for (record, expected) in cases {
                    let expected = expected
                        .iter()
                        .map(|name| format!(r#"{name} {{"type":"object"}}"#));
                    assert_eq!(
                        names_and_parameters(&record),
                        Vec::from_iter(expected),
                        "{record}"
                    );
                }
            }
        }
    }

    #[test]
    fn no_change_of_one_node_of_a_fixture_makes_reading_it_panic() {
        for name in fixtures("tools") {
            let arena = Bump::new();
            let document = arena_json(&arena, &fixture_in("tools", &name));
            each_mutation(&arena, document, &mut |changed| {
                let reader = Reader::new(&arena, Limits::default());
                if let Ok(read) = import_tools(changed, reader) {
                    serde_json::to_string(&read).expect("plain data");
                }
            });
        }
    }

    #[test]
    fn tools_that_the_platform_runs_take_any_arguments() {
        let any = r#"{"type":"object","properties":{}}"#;
        let bed = r#"{"type":"object","properties":{"bed":{"type":"integer"}}}"#;
        let tools = |name: &str| names_and_parameters(&fixture_in("tools", name));
        assert_eq!(
            tools("openai-responses.list.json"),
            [
                format!("sow {bed}"),
                r#"note {"type":"string"}"#.to_owned(),
                format!("feed {any}"),
                format!("web_search {any}"),
                format!("computer {any}"),
            ]
        );
        assert_eq!(
            tools("anthropic.list.json"),
            [format!("sow {bed}"), format!("web_search {any}")]
        );
        assert_eq!(
            tools("bedrock.config.json"),
            [format!("sow {bed}"), format!("nova_grounding {any}")]
        );
        assert_eq!(
            tools("ai-sdk.record.json"),
            [
                format!("sow {bed}"),
                r#"reap {"type":"object"}"#.to_owned(),
                format!("search {any}")
            ]
        );
        assert_eq!(
            tools("gemini.tools.json")[1..],
            [
                format!("reap {bed}"),
                format!("rest {any}"),
                format!("code_execution {any}"),
                format!("GOOGLE_SEARCH_WEB {any}"),
                format!("GOOGLE_SEARCH_IMAGE {any}"),
            ]
        );
        assert_eq!(
            tools("openai-chat.request.json")[1],
            r#"note {"type":"string"}"#
        );
    }

    #[test]
    fn schemas_of_other_dialects_become_json_schema() {
        assert_eq!(
            names_and_parameters(&fixture_in("tools", "gemini.tools.json"))[0],
            r#"sow {"type":"object","properties":{"beds":{"type":"array","items":{"type":"integer"},"minItems":1},"how":{"type":"string","format":"enum","enum":["deep","flat"],"nullable":true}},"required":["beds"],"propertyOrdering":["beds","how"]}"#
        );
        assert_eq!(
            names_and_parameters(&fixture_in("tools", "bfcl.question.json")),
            [
                r#"farm.sow {"type":"object","properties":{"beds":{"type":"array","items":{"type":"integer"}},"depth":{"type":"number","default":1.5},"note":{},"at":{"type":"object","properties":{"x":{"type":"number"}}}},"required":["beds"]}"#
            ]
        );
    }

    #[test]
    fn parameters_of_cohere_are_optional_unless_they_say_otherwise() {
        let tool = r#"[{"name":"sow","parameter_definitions":{"bed":{"type":"int","required":true},"how":{"type":"str","description":"How deep."}}}]"#;
        assert_eq!(
            names_and_parameters(tool),
            [
                r#"sow {"type":"object","properties":{"bed":{"type":"integer"},"how":{"type":"string","description":"How deep."}},"required":["bed"]}"#
            ]
        );
    }

    #[test]
    fn a_schema_may_be_json_text() {
        let tool = r#"[{"type":"function","function":{"name":"sow","parameters":"{\"type\":\"object\"}"}}]"#;
        assert_eq!(names_and_parameters(tool), [r#"sow {"type":"object"}"#]);
        let no_schema = r#"[{"name":"sow","parameters":"none"}]"#;
        assert!(imported(no_schema).is_err());
    }

    #[test]
    fn a_list_may_mix_formats() {
        let mixed = r#"[{"name":"a"},{"name":"b","input_schema":{}},{"name":"c","inputSchema":{}},{"type":"web_search"}]"#;
        let names = names_and_parameters(mixed);
        assert_eq!(names.len(), 4);
        assert!(
            imported(mixed)
                .expect("tools")
                .contains(r#""format":"anthropic""#)
        );
    }

    #[test]
    fn a_record_may_have_tools_of_any_name() {
        let record = |name: &str| format!(r#"{{"{name}":{{"name":"{name}","parameters":{{}}}}}}"#);
        for name in [
            "tools",
            "function",
            "functions",
            "config",
            "name",
            "custom",
            "retrieval",
        ] {
            assert_eq!(
                names_and_parameters(&record(name)),
                [format!("{name} {{}}")],
                "{name}"
            );
        }
    }

    #[test]
    fn all_members_of_a_definition_are_kept() {
        let text = r#"{"tools":[{"name":"f","title":"F","inputSchema":{"type":"object"},"outputSchema":{"type":"string"},"annotations":{"readOnlyHint":true}}]}"#;
        let read = imported(text).expect("tools");
        assert!(read.contains(r#""outputSchema":{"type":"string"},"title":"F","annotations":{"readOnlyHint":true}"#), "{read}");
    }

    #[test]
    fn a_tool_without_a_schema_takes_no_arguments() {
        let read = imported(r#"[{"type":"function","function":{"name":"f"}}]"#).expect("tools");
        assert!(
            read.contains(r#""parameters":{"type":"object","properties":{}}"#),
            "{read}"
        );
    }

    #[test]
    fn the_last_of_two_definitions_with_one_name_counts() {
        let read = imported(r#"[{"name":"f","parameters":true},{"name":"g","parameters":true},{"name":"f","parameters":false}]"#).expect("tools");
        assert!(
            read.starts_with(
                r#"{"value":[{"name":"g","parameters":true},{"name":"f","parameters":false}]"#
            ),
            "{read}"
        );
        assert!(read.contains("more than once"), "{read}");
    }

    #[test]
    fn the_error_names_the_value_that_is_not_a_definition() {
        let failure = |text: &str| imported(text).expect_err("no tools");
        assert!(matches!(failure("7"), Error::UnknownFormat { .. }));
        assert!(matches!(
            failure(r#"[{"title":"f"}]"#),
            Error::UnknownFormat { .. }
        ));
        assert_eq!(
            failure(r#"[{"parameters":{}}]"#).report().path.as_deref(),
            Some("[0].name")
        );
        assert_eq!(
            failure(r#"[{"name":"f","parameters":{}},{"name":"g","parameters":[]}]"#)
                .report()
                .path
                .as_deref(),
            Some("[1].parameters")
        );
        let outputs = r#"[{"name":"f","inputSchema":{},"outputSchema":"text"}]"#;
        assert_eq!(
            failure(outputs).report().path.as_deref(),
            Some("[0].outputSchema")
        );
        let zod = r#"{"f":{"inputSchema":{"def":{"type":"object","shape":{}},"type":"object"}}}"#;
        assert_eq!(failure(zod).report().path.as_deref(), Some("f.inputSchema"));
        let nested = r#"[{"functionDeclarations":[{"functionDeclarations":[]}]}]"#;
        assert_eq!(
            failure(nested).report().path.as_deref(),
            Some("[0].functionDeclarations[0]")
        );
        let inner = r#"[{"toolSpec":{"name":"f","inputSchema":7}}]"#;
        assert_eq!(
            failure(inner).report().path.as_deref(),
            Some("[0].toolSpec.inputSchema")
        );
        assert_eq!(
            failure(r#"{"f":{"name":"f","parameters":{}},"g":7}"#)
                .report()
                .path
                .as_deref(),
            Some("g")
        );
    }
}
