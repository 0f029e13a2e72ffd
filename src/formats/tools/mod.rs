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
use definition::{Definitions, Entry, entry_of, is_by_name};
pub use dialect::{plain_schema, plain_type};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path, Reader, ToolSchema};

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
    let format = detect_tools(document)?;
    let definitions = definitions_of(document, &Path::root(), reader)?;
    let mut tools = definitions.into_iter().map(|it| it.tool).collect();
    let warnings = drop_repeated(&mut tools);
    Ok(Imported {
        value: tools,
        format,
        warnings,
    })
}

/// The definitions of a document, a list for each set of tools. A document with tools is one set. A
/// list of requests, as in logs, has the set of each request, and equal sets count once. Unlike
/// [`import_tools`] this keeps all definitions with the same name.
///
/// # Errors
/// As [`import_tools`].
pub fn define_tools<'a>(
    document: Json<'a>,
    reader: Reader<'a>,
) -> Result<Vec<Vec<ToolDefinition<'a>>>> {
    let unknown = match detect_tools(document) {
        Ok(_) => {
            let definitions = definitions_of(document, &Path::root(), reader)?;
            return match definitions.as_slice() {
                // Many other things have a name.
                [only] if only.path.is_root() && only.says_nothing() => Err(unknown(document)),
                _ => Ok(vec![definitions]),
            };
        }
        Err(unknown) => unknown,
    };
    let mut seen = HashSet::default();
    let requests = document.items().unwrap_or_default().iter().enumerate();
    let sets = requests.filter_map(|(at, request)| {
        let (list, _) = unwrap_list(*request);
        let is_new = recognize_tools(*request).is_some() && seen.insert(list);
        is_new.then(|| definitions_of(*request, &Path::root().index(at), reader))
    });
    let sets: Vec<_> = sets.collect::<Result<_>>()?;
    if sets.is_empty() {
        return Err(unknown);
    }
    Ok(sets)
}

/// The definitions of a document. `base` is its path.
fn definitions_of<'a>(
    document: Json<'a>,
    base: &Path,
    reader: Reader<'a>,
) -> Result<Vec<ToolDefinition<'a>>> {
    let mut definitions = Definitions::new(reader);
    for Item { value, path, key } in items_of(document) {
        let path = base.join(&path);
        definitions.read(Item { value, path, key })?;
    }
    Ok(definitions.tools)
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
        reason: format!(
            "a tool has a `name` and its schema as `parameters`, `input_schema`, `inputSchema`, `parametersJsonSchema`, `function.parameters` or `toolSpec.inputSchema.json`; found {}",
            outline(document)
        ),
    }
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
fn drop_repeated(tools: &mut Vec<ToolSchema<'_>>) -> Vec<ImportWarning> {
    let mut warnings = Vec::new();
    let mut last = foldhash::HashMap::default();
    for (at, tool) in tools.iter().enumerate() {
        if last.insert(tool.name, at).is_some() {
            warnings.push(ImportWarning {
                path: String::new(),
                message: format!(
                    "the tool \"{}\" is defined more than once; the last counts",
                    tool.name
                ),
            });
        }
    }
    let mut at = 0;
    tools.retain(|tool| {
        at += 1;
        last.get(tool.name) == Some(&(at - 1))
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
