//! One tool definition in any format.

use super::dialect::{Dialect, plain_schema};
use super::flat::{Unmarked, expanded};
use super::{Item, ToolFormat, read_json};
use crate::kit::detection::{COHERE_PARAMETERS, PARAMETERS};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::signs::{items, kind};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path, Reader, ToolSchema, UnreadReason, UnreadTool};

/// What one value in a list of tools contains, and in which format.
pub struct Found<'a> {
    pub format: ToolFormat,
    pub kind: Entry<'a>,
}

/// What one value in a list of tools defines.
pub enum Entry<'a> {
    /// One tool. Its members are in the value itself, or in its member `inside`.
    Named { inside: Option<&'static str> },
    /// The tools of the list in this member.
    Group { key: &'static str },
    /// The tools that a server lists in its member `tools`.
    Server { name: Option<&'a str> },
    /// A tool that takes any text.
    Text { inside: Option<&'static str> },
    /// Tools of the platform, whose arguments are unknown.
    Platform { names: &'static [&'static str] },
    /// A tool of the platform that has a name of its own, and tools that come with it.
    PlatformNamed {
        name: Option<&'a str>,
        more: &'static [&'static str],
    },
    /// A server whose tools are listed elsewhere.
    ListedElsewhere,
    /// No tool, but a marker.
    Nothing,
}

/// What `tool` is. `key` is its key in a record. `None` if it is not a definition.
pub fn entry_of<'a>(tool: Json<'a>, key: Option<&'a str>) -> Option<Found<'a>> {
    tool.members()?;
    let is_whole = is_whole(tool);
    let fits = |found: &Found<'_>| !is_whole || matches!(found.kind, Entry::Named { inside: None });
    openai_chat(tool)
        .filter(fits)
        .or_else(|| bedrock(tool).filter(fits))
        .or_else(|| gemini(tool).filter(fits))
        .or_else(|| anthropic(tool).filter(fits))
        .or_else(|| mcp_or_ai_sdk(tool, key).filter(fits))
        .or_else(|| openai_responses(tool).filter(fits))
        .or_else(|| server(tool, key).filter(fits))
        .or_else(|| by_dialect(tool))
}

/// Whether `tool` has a name and a schema in toolgauge's own shape. Import keeps all other members, so
/// they must not make it look like another format.
fn is_whole(tool: Json<'_>) -> bool {
    let is_named = tool.get("name").is_some_and(|it| it.as_str().is_some());
    is_named
        && matches!(
            tool.get("parameters"),
            Some(Json::Object(_) | Json::Bool(_))
        )
}

/// Whether `value` is surely a record of tools by name: each member has a schema.
pub fn is_by_name(value: Json<'_>) -> bool {
    let members = value.members().unwrap_or_default();
    !members.is_empty() && members.iter().all(|(_, tool)| has_schema(*tool))
}

/// Whether `tool` has more than a name.
pub fn has_schema(tool: Json<'_>) -> bool {
    let is_object = |key| tool.get(key).is_some_and(|it| it.members().is_some());
    PARAMETERS.iter().any(|key| has(tool, key)) || is_object("function") || is_of_provider(tool)
}

/// Whether a provider defines the tool, as the AI SDK writes it: from version 6 on without `-defined`.
fn is_of_provider(tool: Json<'_>) -> bool {
    matches!(kind(tool), Some("provider" | "provider-defined"))
}

fn found(format: ToolFormat, kind: Entry<'_>) -> Option<Found<'_>> {
    Some(Found { format, kind })
}

fn has(tool: Json<'_>, key: &str) -> bool {
    tool.get(key).is_some_and(|value| !value.is_null())
}

fn openai_chat(tool: Json<'_>) -> Option<Found<'_>> {
    let is_object = |key: &str| tool.get(key).is_some_and(|it| it.members().is_some());
    let entry = match kind(tool) {
        Some("custom") if is_object("custom") => Entry::Text {
            inside: Some("custom"),
        },
        _ if is_object("function") => Entry::Named {
            inside: Some("function"),
        },
        _ => return None,
    };
    found(ToolFormat::OpenaiChat, entry)
}

fn anthropic(tool: Json<'_>) -> Option<Found<'_>> {
    let entry = match kind(tool) {
        _ if has(tool, "input_schema") => Entry::Named { inside: None },
        Some("mcp_toolset") => Entry::ListedElsewhere,
        Some(kind) if is_dated(kind) => Entry::PlatformNamed {
            name: tool.get("name").and_then(Json::as_str),
            more: brought_by(kind),
        },
        _ => return None,
    };
    found(ToolFormat::Anthropic, entry)
}

/// The names of the tools that a tool of Anthropic with this type brings besides its own.
fn brought_by(kind: &str) -> &'static [&'static str] {
    match kind.contains("code_execution_") {
        true => &["bash_code_execution", "text_editor_code_execution"],
        false => &[],
    }
}

/// Whether the type of a tool ends with a date, as in the tools that Anthropic defines.
fn is_dated(kind: &str) -> bool {
    kind.rsplit_once('_')
        .is_some_and(|(_, date)| date.len() == 8 && date.bytes().all(|it| it.is_ascii_digit()))
}

fn mcp_or_ai_sdk<'a>(tool: Json<'a>, key: Option<&'a str>) -> Option<Found<'a>> {
    // A provider's tool also has the name that the provider knows it by.
    let is_named_by_key = key.is_some() && (!has(tool, "name") || is_of_provider(tool));
    let named = Entry::Named { inside: None };
    match kind(tool) {
        _ if has(tool, "inputSchema") && is_named_by_key => found(ToolFormat::AiSdk, named),
        _ if has(tool, "inputSchema") => found(ToolFormat::Mcp, named),
        _ if is_of_provider(tool) => {
            let name = key.or(tool.get("name").and_then(Json::as_str))?;
            let id = tool.get("id").and_then(Json::as_str).unwrap_or_default();
            let entry = Entry::PlatformNamed {
                name: Some(name),
                more: brought_by(id),
            };
            found(ToolFormat::AiSdk, entry)
        }
        _ => None,
    }
}

fn by_dialect(tool: Json<'_>) -> Option<Found<'_>> {
    let named = Entry::Named { inside: None };
    let is_json_schema = ["parametersJsonSchema", "parameters_json_schema"];
    match Dialect::of(tool.get("parameters").unwrap_or_default()) {
        Dialect::Gemini => found(ToolFormat::Gemini, named),
        Dialect::Bfcl => found(ToolFormat::Bfcl, named),
        Dialect::JsonSchema if is_json_schema.iter().any(|key| has(tool, key)) => {
            found(ToolFormat::Gemini, named)
        }
        Dialect::JsonSchema if has(tool, "parameters") || has(tool, "name") => {
            found(ToolFormat::Record, named)
        }
        Dialect::JsonSchema => None,
    }
}

fn bedrock<'a>(tool: Json<'a>) -> Option<Found<'a>> {
    let kind = match tool.members()? {
        [("toolSpec", Json::Object(_))] => Entry::Named {
            inside: Some("toolSpec"),
        },
        [("systemTool", system)] if !has_schema(*system) => Entry::PlatformNamed {
            name: system.get("name").and_then(Json::as_str),
            more: &[],
        },
        [("cachePoint", mark)] if !has_schema(*mark) => Entry::Nothing,
        _ => return None,
    };
    found(ToolFormat::Bedrock, kind)
}

/// The tools that Gemini runs, and the names in calls of them.
const GEMINI_TOOLS: [(&[&str], &[&str]); 6] = [
    (
        &["googleSearch", "google_search"],
        &["GOOGLE_SEARCH_WEB", "GOOGLE_SEARCH_IMAGE"],
    ),
    (&["urlContext", "url_context"], &["URL_CONTEXT"]),
    (&["googleMaps", "google_maps"], &["GOOGLE_MAPS"]),
    (&["fileSearch", "file_search"], &["FILE_SEARCH"]),
    (&["codeExecution", "code_execution"], &["code_execution"]),
    (
        &[
            "googleSearchRetrieval",
            "google_search_retrieval",
            "enterpriseWebSearch",
            "enterprise_web_search",
            "retrieval",
            "computerUse",
            "computer_use",
        ],
        &[],
    ),
];

fn gemini<'a>(tool: Json<'a>) -> Option<Found<'a>> {
    let mut declared = ["functionDeclarations", "function_declarations"].into_iter();
    let declared = declared.find(|key| tool.get(key).is_some_and(|it| it.items().is_some()));
    let servers = ["mcpServers", "mcp_servers"].into_iter();
    let mut servers = servers.filter_map(|key| tool.get(key)?.items());
    let kind = match (declared, gemini_tools(tool).next()) {
        (Some(key), _) => Entry::Group { key },
        (None, Some(names)) => Entry::Platform { names },
        (None, None) if servers.next().is_some() => Entry::ListedElsewhere,
        (None, None) => return None,
    };
    found(ToolFormat::Gemini, kind)
}

/// The names of each tool that Gemini runs and `tool` switches on.
fn gemini_tools<'a>(tool: Json<'a>) -> impl Iterator<Item = &'static [&'static str]> {
    let has = move |key: &&str| {
        let own = tool.get(key).filter(|it| it.members().is_some());
        own.is_some_and(|own| entry_of(own, Some(*key)).is_none())
    };
    let tools = GEMINI_TOOLS
        .iter()
        .filter(move |(keys, _)| tool.get("name").is_none() && keys.iter().any(has));
    tools.map(|(_, names)| *names)
}

/// The tools that platforms run: the start of their types, and the names in calls of them.
const PLATFORM_TOOLS: [(&str, &[&str]); 23] = [
    ("web_search", &["web_search"]),
    ("file_search", &["file_search"]),
    ("computer", &["computer"]),
    ("code_interpreter", &["code_interpreter"]),
    ("code_execution", &["code_execution"]),
    ("image_generation", &["image_generation"]),
    ("local_shell", &["local_shell"]),
    ("shell", &["shell"]),
    ("apply_patch", &["apply_patch"]),
    ("tool_search", &["tool_search"]),
    ("programmatic_tool_calling", &["program"]),
    (
        "x_search",
        &[
            "x_search",
            "x_keyword_search",
            "x_semantic_search",
            "x_user_search",
            "x_thread_fetch",
        ],
    ),
    ("live_search", &["live_search"]),
    ("collections_search", &["collections_search"]),
    (
        "browser_search",
        &[
            "browser_search",
            "browser.search",
            "browser.open",
            "browser.find",
        ],
    ),
    ("browser_automation", &["browser_automation"]),
    ("document_library", &["document_library"]),
    ("google_search", &["google_search"]),
    ("google_maps", &["google_maps"]),
    ("url_context", &["url_context"]),
    ("azure_ai_search", &["azure_ai_search"]),
    ("bing_", &["bing_grounding", "bing_custom_search"]),
    ("sharepoint_grounding", &["sharepoint_grounding"]),
];

fn openai_responses<'a>(tool: Json<'a>) -> Option<Found<'a>> {
    let is_named = has(tool, "name");
    let entry = match kind(tool)? {
        "function" => Entry::Named { inside: None },
        "custom" if is_named => Entry::Text { inside: None },
        "namespace" if has(tool, "tools") => Entry::Group { key: "tools" },
        "mcp" if has(tool, "server_label") => Entry::ListedElsewhere,
        "mcp_server" => Entry::ListedElsewhere,
        _ if is_named => return None,
        kind => match kind.strip_prefix("openrouter:") {
            Some(name) => Entry::PlatformNamed {
                name: Some(name),
                more: &[],
            },
            None => {
                let mut tools = PLATFORM_TOOLS.into_iter();
                let (_, names) = tools.find(|(start, _)| kind.starts_with(start))?;
                Entry::Platform { names }
            }
        },
    };
    found(ToolFormat::OpenaiResponses, entry)
}

/// The members that may name a server, beside the list of its tools.
const SERVER_NAMES: [&str; 4] = ["name", "server_name", "serverName", "server"];

/// Members with what was said: an object with one of them is a request or a log, and no server.
const SAID: [&str; 11] = [
    "messages",
    "input",
    "inputs",
    "output",
    "outputs",
    "contents",
    "conversation",
    "conversations",
    "turns",
    "steps",
    "trajectory",
];

fn server<'a>(value: Json<'a>, key: Option<&'a str>) -> Option<Found<'a>> {
    let tools = value.get("tools")?.items()?;
    if has_schema(value) || SAID.iter().any(|key| has(value, key)) {
        return None;
    }
    let info = || value.get("serverInfo")?.get("name")?.as_str();
    let mut names = SERVER_NAMES.iter();
    let name = names.find_map(|key| value.get(key)?.as_str());
    let name = name.or_else(info).or(key)?;
    let format = match tools.first() {
        Some(first) => entry_of(*first, None)?.format,
        None => ToolFormat::Record,
    };
    found(format, Entry::Server { name: Some(name) })
}

/// A definition, and its path in the document.
#[derive(Debug, Clone)]
pub struct ToolDefinition<'a> {
    /// The defined tool.
    pub tool: ToolSchema<'a>,
    /// Its format.
    pub format: ToolFormat,
    /// The server that lists it, if the document says so.
    pub server: Option<&'a str>,
    /// The path of the object with its members.
    pub path: Path,
    /// The arguments that it declares.
    pub arguments: Declared<'a>,
    /// The schema of its result, if it declares one.
    pub output: Option<DeclaredSchema<'a>>,
}

impl ToolDefinition<'_> {
    /// Whether it has only a name, and nothing else that makes it a tool.
    pub(super) fn says_nothing(&self) -> bool {
        self.format == ToolFormat::Record && matches!(self.arguments, Declared::Nothing)
    }
}

/// The arguments that a definition declares.
#[derive(Debug, Clone)]
pub enum Declared<'a> {
    /// They must match this schema.
    Schema(DeclaredSchema<'a>),
    /// The definition declares none.
    Nothing,
    /// They are any text.
    Text,
    /// The definition declares none, because the platform runs the tool.
    Platform,
}

/// A schema in a definition.
#[derive(Debug, Clone)]
pub struct DeclaredSchema<'a> {
    /// The member of the definition that contains it.
    pub key: &'static str,
    /// Its path in the document.
    pub path: Path,
    /// The schema in the dialect of its format.
    pub source: Json<'a>,
    /// The schema as JSON Schema.
    pub plain: Json<'a>,
}

/// The definitions so far.
pub struct Definitions<'a> {
    reader: Reader<'a>,
    pub tools: Vec<ToolDefinition<'a>>,
    /// The definitions that can't be read.
    pub unread: Vec<UnreadTool>,
    /// The server whose tools are being read.
    server: Option<&'a str>,
    /// The servers whose tools are listed elsewhere.
    servers: Vec<(Path, ToolFormat)>,
}

const DEFINITION: &str = "a tool definition: {name, parameters}";

/// Why `value`, which is in no known format, defines no tool.
fn unknown_reason(value: Json<'_>, key: Option<&str>, path: &Path) -> UnreadReason {
    let error = match Fields::of(value, path.clone(), DEFINITION) {
        Err(error) => error,
        Ok(fields) if key.is_none() && fields.get("name").is_none() => {
            fields.mismatch("name", "the name of a tool")
        }
        Ok(_) => Error::invalid_input(path.clone(), DEFINITION, value.describe()),
    };
    match value.as_str() {
        Some(_) => UnreadReason::NameOnly(error),
        None => UnreadReason::Unknown(error),
    }
}

/// The name that a value shows, even if it is no definition.
fn name_in(value: Json<'_>) -> Option<&str> {
    let inside = ["function", "custom", "toolSpec"].into_iter();
    let mut inside = inside.filter_map(|key| value.get(key)?.get("name"));
    let name = value.get("name").or_else(|| inside.next());
    name.unwrap_or(value).as_str().filter(|it| !it.is_empty())
}

impl<'a> Definitions<'a> {
    pub fn new(reader: Reader<'a>) -> Self {
        Self {
            reader,
            tools: Vec::new(),
            unread: Vec::new(),
            server: None,
            servers: Vec::new(),
        }
    }

    /// Ends the reading. Adds the servers of whose tools nothing was read.
    pub fn finish(mut self) -> Self {
        // In logs of OpenAI, what servers list is added to the tools, in the shape of Anthropic.
        let is_listed = self
            .tools
            .iter()
            .any(|tool| tool.format == ToolFormat::Anthropic);
        for (path, format) in std::mem::take(&mut self.servers) {
            if !(is_listed && format == ToolFormat::OpenaiResponses) {
                self.unread.push(UnreadTool {
                    path,
                    name: None,
                    reason: UnreadReason::ListedElsewhere,
                });
            }
        }
        self
    }

    /// Adds the tools that `item` defines, or the reason why they can't be read.
    pub fn read(&mut self, item: Item<'a>) {
        let Item { value, path, key } = item;
        let Some(found) = entry_of(value, key) else {
            return self.leave_out(value, key, &path, unknown_reason(value, key, &path));
        };
        match found.kind {
            Entry::Named { inside } => {
                let (value, path) = within(value, path, inside);
                self.define(value, path, key, found.format, |_| {});
            }
            Entry::Text { inside } => {
                let (value, path) = within(value, path, inside);
                self.define(value, path, key, found.format, |definition| {
                    definition.tool.parameters = Json::Object(&ANY_TEXT);
                    definition.arguments = Declared::Text;
                });
            }
            Entry::Group { key } => {
                let first = self.tools.len();
                self.read_group(items(value, key), &path.key(key));
                // A group says the format of what has nothing but a name in it.
                let bare = self.tools.iter_mut().skip(first);
                for tool in bare.filter(|tool| tool.says_nothing()) {
                    tool.format = found.format;
                }
                for names in gemini_tools(value) {
                    self.add_of_platform(names.iter().copied(), found.format, &path);
                }
            }
            Entry::Server { name } => {
                let around = std::mem::replace(&mut self.server, name);
                self.read_group(items(value, "tools"), &path.key("tools"));
                self.server = around;
            }
            Entry::Platform { names } => {
                self.add_of_platform(names.iter().copied(), found.format, &path);
            }
            Entry::PlatformNamed { name, more } => {
                let names = name.into_iter().chain(more.iter().copied());
                self.add_of_platform(names, found.format, &path);
            }
            Entry::ListedElsewhere => self.servers.push((path, found.format)),
            Entry::Nothing => {}
        }
    }

    fn add_of_platform(
        &mut self,
        names: impl Iterator<Item = &'a str>,
        format: ToolFormat,
        path: &Path,
    ) {
        self.tools
            .extend(names.map(|name| of_platform(name, format, path)));
    }

    /// Adds the tools of a group. Groups are not nested, except in servers.
    fn read_group(&mut self, tools: &'a [Json<'a>], path: &Path) {
        for (at, value) in tools.iter().enumerate() {
            let (value, path) = (*value, path.index(at));
            match entry_of(value, None).map(|found| found.kind) {
                Some(Entry::Group { .. } | Entry::Server { .. }) => {
                    let error = Error::invalid_input(path.clone(), DEFINITION, "a group of tools");
                    self.leave_out(value, None, &path, UnreadReason::Malformed(error));
                }
                _ => self.read(Item {
                    value,
                    path,
                    key: None,
                }),
            }
        }
    }

    /// Adds the tool that `value` defines, after `adapt` changed it.
    fn define(
        &mut self,
        value: Json<'a>,
        path: Path,
        key: Option<&'a str>,
        format: ToolFormat,
        adapt: impl FnOnce(&mut ToolDefinition<'a>),
    ) {
        match self.definition(value, path.clone(), key, format) {
            Ok(mut definition) => {
                adapt(&mut definition);
                self.tools.push(definition);
            }
            Err(error) => self.leave_out(value, key, &path, UnreadReason::Malformed(error)),
        }
    }

    fn leave_out(
        &mut self,
        value: Json<'a>,
        key: Option<&'a str>,
        path: &Path,
        reason: UnreadReason,
    ) {
        self.unread.push(UnreadTool {
            path: path.clone(),
            name: name_in(value).or(key).map(str::to_owned),
            reason,
        });
    }

    fn definition(
        &self,
        tool: Json<'a>,
        path: Path,
        key: Option<&'a str>,
        format: ToolFormat,
    ) -> Result<ToolDefinition<'a>> {
        let outputs = match format {
            ToolFormat::Gemini => &GEMINI_OUTPUTS[..],
            ToolFormat::OpenaiChat
            | ToolFormat::OpenaiResponses
            | ToolFormat::Anthropic
            | ToolFormat::Mcp
            | ToolFormat::AiSdk
            | ToolFormat::Bedrock
            | ToolFormat::Bfcl
            | ToolFormat::Record => &OUTPUTS,
        };
        let fields = Fields::of(tool, path, DEFINITION)?;
        let of_record = key.filter(|_| format == ToolFormat::AiSdk);
        let Some(name) = of_record.or(fields.text("name")).or(key) else {
            return Err(fields.mismatch("name", "the name of a tool"));
        };
        let parameters = self.schema(&fields, &PARAMETERS)?;
        let output = self.schema(&fields, outputs)?;
        let tool = ToolSchema {
            name,
            description: fields.text("description"),
            parameters: match &parameters {
                Some(schema) => schema.plain,
                None => Json::Object(&NO_PARAMETERS),
            },
            output_schema: output.as_ref().map(|schema| schema.plain),
            deprecated: matches!(fields.get("deprecated"), Some(Json::Bool(true))),
            replaced_by: fields.text("replacedBy"),
            extra: fields.rest(self.reader.arena(), |key, value| match key {
                "name" | "description" | "replacedBy" => value.as_str().is_some(),
                "deprecated" => matches!(value, Json::Bool(_)),
                "type" => value.as_str() == Some("function"),
                _ => is_one_of(key, &PARAMETERS) || is_one_of(key, outputs),
            }),
        };
        Ok(ToolDefinition {
            tool,
            format,
            server: self.server,
            path: fields.path().clone(),
            arguments: parameters.map_or(Declared::Nothing, Declared::Schema),
            output,
        })
    }

    /// The first schema among the members `keys`, as JSON Schema.
    fn schema(
        &self,
        fields: &Fields<'a>,
        keys: &[&'static str],
    ) -> Result<Option<DeclaredSchema<'a>>> {
        for key in keys {
            let path = fields.path().key(key);
            let (schema, path) = match fields.get(key) {
                None | Some(Json::Null) => continue,
                Some(schema) => unwrapped(opened(schema, self.reader), path),
            };
            let unmarked = match *key {
                COHERE_PARAMETERS => Unmarked::Optional,
                _ => Unmarked::Required,
            };
            let schema = expanded(schema, unmarked, self.reader);
            if is_zod(schema) {
                let what = "a JSON Schema, which a zod schema written as JSON is not";
                return Err(Error::invalid_input(path, what, schema.describe()));
            }
            return match schema {
                Json::Object(_) | Json::Bool(_) => Ok(Some(DeclaredSchema {
                    key,
                    path,
                    source: schema,
                    plain: plain_schema(schema, self.reader),
                })),
                _ => Err(fields.mismatch(key, "a JSON Schema: an object or a boolean")),
            };
        }
        Ok(None)
    }
}

/// The members that may contain the schema of the result.
const OUTPUTS: [&str; 2] = ["outputSchema", "output_schema"];
const GEMINI_OUTPUTS: [&str; 3] = ["responseJsonSchema", "response_json_schema", "response"];

/// The schema in a JSON text, or else the schema itself.
fn opened<'a>(schema: Json<'a>, reader: Reader<'a>) -> Json<'a> {
    let read = schema.as_str().and_then(|text| read_json(text, reader));
    read.unwrap_or(schema)
}

/// The schema in `{json}` of Bedrock or `{jsonSchema}` of the AI SDK, or else the schema itself.
fn unwrapped(schema: Json<'_>, path: Path) -> (Json<'_>, Path) {
    match schema.members() {
        Some([(key @ ("json" | "jsonSchema"), inner @ Json::Object(_))]) => {
            unwrapped(*inner, path.key(key))
        }
        _ => (schema, path),
    }
}

/// Whether this is a zod schema that was serialized as JSON, which loses most of it.
fn is_zod(schema: Json<'_>) -> bool {
    let inner = ["def", "_def"].into_iter().find_map(|key| schema.get(key));
    let kind = inner.and_then(|it| it.get("type").or(it.get("typeName")));
    kind.is_some_and(|kind| kind.as_str().is_some())
}

fn within<'a>(value: Json<'a>, path: Path, inside: Option<&str>) -> (Json<'a>, Path) {
    match inside {
        Some(key) => (value.get(key).unwrap_or_default(), path.key(key)),
        None => (value, path),
    }
}

/// The definition of a tool of the platform.
fn of_platform<'a>(name: &'a str, format: ToolFormat, path: &Path) -> ToolDefinition<'a> {
    ToolDefinition {
        tool: ToolSchema {
            name,
            description: None,
            parameters: Json::Object(&NO_PARAMETERS),
            output_schema: None,
            deprecated: false,
            replaced_by: None,
            extra: &[],
        },
        format,
        server: None,
        path: path.clone(),
        arguments: Declared::Platform,
        output: None,
    }
}

/// The parameters of a tool that declares none.
static NO_PARAMETERS: [(&str, Json<'static>); 2] = [
    ("type", Json::String("object")),
    ("properties", Json::Object(&[])),
];

static ANY_TEXT: [(&str, Json<'static>); 1] = [("type", Json::String("string"))];
