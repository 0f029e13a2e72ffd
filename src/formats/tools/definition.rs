//! One tool definition in any format.

use super::dialect::{Dialect, plain_schema};
use super::flat::expanded;
use super::{Item, ToolFormat};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::signs::{items, kind};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path, Reader, ToolSchema};

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
    /// A tool that takes any text.
    Text { inside: Option<&'static str> },
    /// Tools of the platform, whose arguments are unknown.
    Platform { names: &'static [&'static str] },
    /// A tool of the platform that has a name of its own.
    PlatformNamed { name: Option<&'a str> },
    /// No tool: a marker, or a server whose tools are listed elsewhere.
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
fn has_schema(tool: Json<'_>) -> bool {
    let is_object = |key| tool.get(key).is_some_and(|it| it.members().is_some());
    PARAMETERS.iter().any(|key| has(tool, key))
        || is_object("function")
        || matches!(kind(tool), Some("provider" | "provider-defined"))
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
        Some(kind) if is_dated(kind) => Entry::PlatformNamed {
            name: tool.get("name").and_then(Json::as_str),
        },
        _ => return None,
    };
    found(ToolFormat::Anthropic, entry)
}

/// Whether the type of a tool ends with a date, as in the tools that Anthropic defines.
fn is_dated(kind: &str) -> bool {
    kind.rsplit_once('_')
        .is_some_and(|(_, date)| date.len() == 8 && date.bytes().all(|it| it.is_ascii_digit()))
}

fn mcp_or_ai_sdk<'a>(tool: Json<'a>, key: Option<&'a str>) -> Option<Found<'a>> {
    let is_named_by_key = key.is_some() && !has(tool, "name");
    let named = Entry::Named { inside: None };
    match kind(tool) {
        _ if has(tool, "inputSchema") && is_named_by_key => found(ToolFormat::AiSdk, named),
        _ if has(tool, "inputSchema") => found(ToolFormat::Mcp, named),
        Some("provider" | "provider-defined") if key.is_some() => {
            found(ToolFormat::AiSdk, Entry::PlatformNamed { name: key })
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
            "retrieval",
            "computerUse",
        ],
        &[],
    ),
];

fn gemini<'a>(tool: Json<'a>) -> Option<Found<'a>> {
    let mut declared = ["functionDeclarations", "function_declarations"].into_iter();
    let declared = declared.find(|key| tool.get(key).is_some_and(|it| it.items().is_some()));
    let own = || {
        let has = |key: &&&str| {
            let own = tool.get(key).filter(|it| it.members().is_some());
            own.is_some_and(|own| entry_of(own, Some(key)).is_none())
        };
        let mut tools = GEMINI_TOOLS.iter();
        tools.find(|(keys, _)| tool.get("name").is_none() && keys.iter().any(|key| has(&key)))
    };
    let kind = match declared {
        Some(key) => Entry::Group { key },
        None => Entry::Platform { names: own()?.1 },
    };
    found(ToolFormat::Gemini, kind)
}

/// The tools of the OpenAI platform: the start of their types, and the names in calls of them.
const OPENAI_TOOLS: [(&str, &[&str]); 10] = [
    ("web_search", &["web_search"]),
    ("file_search", &["file_search"]),
    ("computer", &["computer"]),
    ("code_interpreter", &["code_interpreter"]),
    ("image_generation", &["image_generation"]),
    ("local_shell", &["local_shell"]),
    ("shell", &["shell"]),
    ("apply_patch", &["apply_patch"]),
    ("tool_search", &["tool_search"]),
    ("programmatic_tool_calling", &["program"]),
];

fn openai_responses(tool: Json<'_>) -> Option<Found<'_>> {
    let is_named = has(tool, "name");
    let entry = match kind(tool)? {
        "function" => Entry::Named { inside: None },
        "custom" if is_named => Entry::Text { inside: None },
        "namespace" if has(tool, "tools") => Entry::Group { key: "tools" },
        "mcp" if has(tool, "server_label") => Entry::Nothing,
        _ if is_named => return None,
        kind => {
            let mut tools = OPENAI_TOOLS.into_iter();
            let (_, names) = tools.find(|(start, _)| kind.starts_with(start))?;
            Entry::Platform { names }
        }
    };
    found(ToolFormat::OpenaiResponses, entry)
}

/// A definition, and its path in the document.
#[derive(Debug, Clone)]
pub struct ToolDefinition<'a> {
    /// The defined tool.
    pub tool: ToolSchema<'a>,
    /// Its format.
    pub format: ToolFormat,
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
}

impl<'a> Definitions<'a> {
    pub fn new(reader: Reader<'a>) -> Self {
        Self {
            reader,
            tools: Vec::new(),
        }
    }

    /// Adds the tools that `item` defines.
    pub fn read(&mut self, item: Item<'a>) -> Result<()> {
        let Item { value, path, key } = item;
        let Some(found) = entry_of(value, key) else {
            let what = "a tool definition: {name, parameters}";
            let fields = Fields::of(value, path, what)?;
            return Err(match fields.get("name") {
                None if key.is_none() => fields.mismatch("name", "the name of a tool"),
                _ => Error::invalid_input(fields.path().clone(), what, value.describe()),
            });
        };
        match found.kind {
            Entry::Named { inside } => {
                let (value, path) = within(value, path, inside);
                let tool = self.definition(value, path, key, found.format)?;
                self.tools.push(tool);
            }
            Entry::Group { key } => {
                let path = path.key(key);
                for (at, tool) in items(value, key).iter().enumerate() {
                    self.read_inner(*tool, path.index(at))?;
                }
            }
            Entry::Text { inside } => {
                let (value, path) = within(value, path, inside);
                let mut definition = self.definition(value, path, key, found.format)?;
                definition.tool.parameters = Json::Object(&ANY_TEXT);
                definition.arguments = Declared::Text;
                self.tools.push(definition);
            }
            Entry::Platform { names } => {
                let names = names.iter().copied();
                self.tools
                    .extend(names.map(|name| of_platform(name, found.format, &path)));
            }
            Entry::PlatformNamed { name } => {
                let definition = name.map(|name| of_platform(name, found.format, &path));
                self.tools.extend(definition);
            }
            Entry::Nothing => {}
        }
        Ok(())
    }

    /// Adds a tool of a group. Groups are not nested.
    fn read_inner(&mut self, tool: Json<'a>, path: Path) -> Result<()> {
        match entry_of(tool, None).map(|found| found.kind) {
            Some(Entry::Group { .. }) => Err(Error::invalid_input(
                path,
                "a tool definition: {name, parameters}",
                "a group of tools",
            )),
            _ => self.read(Item {
                value: tool,
                path,
                key: None,
            }),
        }
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
        let fields = Fields::of(tool, path, "a tool definition: {name, parameters}")?;
        let Some(name) = fields.text("name").or(key) else {
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
                Some(schema) => unwrapped(schema, path),
            };
            let schema = expanded(schema, self.reader);
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

/// The members that may contain the schema of the arguments.
const PARAMETERS: [&str; 5] = [
    "parameters",
    "input_schema",
    "inputSchema",
    "parametersJsonSchema",
    "parameters_json_schema",
];

/// The members that may contain the schema of the result.
const OUTPUTS: [&str; 2] = ["outputSchema", "output_schema"];
const GEMINI_OUTPUTS: [&str; 3] = ["responseJsonSchema", "response_json_schema", "response"];

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
