//! Tool definitions: one reader for all list formats, since they differ in a few names only.

use serde::Serialize;

use super::fields::Fields;
use super::{ImportWarning, Imported, one_or_each};
use crate::error::{Error, Result};
use crate::model::{Json, Path, Reader, ToolSchema};

/// The formats that tool definitions are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ToolFormat {
    /// `{type: "function", function: {name, parameters}}`, alone, in a list, or as `tools` of a request.
    OpenaiChat,
    /// `{name, input_schema}`
    Anthropic,
    /// `{name, inputSchema}`, as in the answer to `tools/list`.
    Mcp,
    /// toolgauge's own shape, `{name, parameters}`: one, a list, or a record by name.
    Record,
}

/// All tools of a document, in its order.
///
/// # Errors
/// [`Error::UnknownFormat`] when no definition is recognised; [`Error::InvalidInput`] names the place
/// where a definition leaves its format.
pub fn import_tools<'a>(
    document: Json<'a>,
    reader: Reader<'a>,
) -> Result<Imported<Vec<ToolSchema<'a>>, ToolFormat>> {
    let format = detect_tools(document)?;
    let (list, path) = unwrap_list(document);
    let mut tools = match list {
        Json::Object(members) if !is_definition(list) => members
            .iter()
            .map(|(name, tool)| read_tool(*tool, path.key(name), Some(name), reader))
            .collect::<Result<Vec<_>>>()?,
        _ => one_or_each(list, |tool, at| {
            read_tool(tool, path.join(&at), None, reader)
        })?,
    };
    let warnings = drop_repeated(&mut tools);
    Ok(Imported {
        value: tools,
        format,
        warnings,
    })
}

/// The format of the tool definitions that `document` holds; none when it holds no definition.
pub fn recognize_tools(document: Json<'_>) -> Option<ToolFormat> {
    first_definition(document).and_then(format_of)
}

/// The format to read `document` in. A list or record of no tools is one, too.
fn detect_tools(document: Json<'_>) -> Result<ToolFormat> {
    match first_definition(document) {
        None => Ok(ToolFormat::Record),
        Some(tool) => format_of(tool).ok_or_else(|| unknown(document)),
    }
}

fn first_definition(document: Json<'_>) -> Option<Json<'_>> {
    let (list, _) = unwrap_list(document);
    match list {
        Json::Array(items) => items.first().copied(),
        Json::Object(members) if !is_definition(list) => members.first().map(|(_, tool)| *tool),
        one => Some(one),
    }
}

fn unknown(document: Json<'_>) -> Error {
    Error::UnknownFormat {
        path: Path::root(),
        kind: "tools",
        reason: format!(
            "a tool has a `name` and its schema as `parameters`, `input_schema`, `inputSchema` or `function.parameters`; found {}",
            super::outline(document)
        ),
    }
}

/// The definitions themselves, out of `{tools: …}` where they are in one.
fn unwrap_list(document: Json<'_>) -> (Json<'_>, Path) {
    match document.get("tools") {
        Some(list @ (Json::Array(_) | Json::Object(_)))
            if !is_definition(document) && format_of(list).is_none() =>
        {
            (list, Path::root().key("tools"))
        }
        _ => (document, Path::root()),
    }
}

fn is_definition(value: Json<'_>) -> bool {
    let named = value
        .get("name")
        .is_some_and(|name| name.as_str().is_some());
    let wrapped = value.get("type").and_then(Json::as_str) == Some("function");
    (named || wrapped) && format_of(value).is_some()
}

fn format_of(tool: Json<'_>) -> Option<ToolFormat> {
    let has = |key| tool.get(key).is_some_and(|value| !value.is_null());
    match tool {
        Json::Object(_) if tool.get("function").is_some_and(|f| f.members().is_some()) => {
            Some(ToolFormat::OpenaiChat)
        }
        Json::Object(_) if has("input_schema") => Some(ToolFormat::Anthropic),
        Json::Object(_) if has("inputSchema") => Some(ToolFormat::Mcp),
        Json::Object(_) if has("parameters") || has("name") => Some(ToolFormat::Record),
        _ => None,
    }
}

fn read_tool<'a>(
    tool: Json<'a>,
    path: Path,
    key: Option<&'a str>,
    reader: Reader<'a>,
) -> Result<ToolSchema<'a>> {
    match tool.get("function") {
        Some(function @ Json::Object(_)) => {
            read_definition(function, path.key("function"), key, reader)
        }
        _ => read_definition(tool, path, key, reader),
    }
}

fn read_definition<'a>(
    tool: Json<'a>,
    path: Path,
    key: Option<&'a str>,
    reader: Reader<'a>,
) -> Result<ToolSchema<'a>> {
    let fields = Fields::of(tool, path, "a tool definition: {name, parameters}")?;
    let Some(name) = fields.text("name").or(key) else {
        return Err(fields.mismatch("name", "the name of a tool"));
    };
    Ok(ToolSchema {
        name,
        description: fields.text("description"),
        parameters: read_parameters(&fields)?,
        output_schema: read_schema(&fields, "outputSchema")?,
        deprecated: matches!(fields.get("deprecated"), Some(Json::Bool(true))),
        replaced_by: fields.text("replacedBy"),
        extra: fields.rest(reader.arena(), |key, value| match key {
            "parameters" | "input_schema" | "inputSchema" | "outputSchema" => true,
            "name" | "description" | "replacedBy" => value.as_str().is_some(),
            "deprecated" => matches!(value, Json::Bool(_)),
            _ => false,
        }),
    })
}

/// The schema of the arguments. A tool that declares none takes none.
fn read_parameters<'a>(fields: &Fields<'a>) -> Result<Json<'a>> {
    for key in ["parameters", "input_schema", "inputSchema"] {
        if let Some(schema) = read_schema(fields, key)? {
            return Ok(schema);
        }
    }
    Ok(Json::Object(&NO_PARAMETERS))
}

fn read_schema<'a>(fields: &Fields<'a>, key: &str) -> Result<Option<Json<'a>>> {
    match fields.get(key) {
        None | Some(Json::Null) => Ok(None),
        Some(schema @ (Json::Object(_) | Json::Bool(_))) => Ok(Some(schema)),
        Some(_) => Err(fields.mismatch(key, "a JSON Schema: an object or a boolean")),
    }
}

static NO_PARAMETERS: [(&str, Json<'static>); 2] = [
    ("type", Json::String("object")),
    ("properties", Json::Object(&[])),
];

/// Keeps the last definition of each name, as a record would.
fn drop_repeated(tools: &mut Vec<ToolSchema<'_>>) -> Vec<ImportWarning> {
    let mut warnings = Vec::new();
    let mut last = std::collections::HashMap::new();
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
    use crate::model::Limits;
    use crate::model::testing::arena_json;

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

    #[test]
    fn all_that_a_definition_says_is_kept() {
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
    fn of_a_name_defined_twice_the_last_counts() {
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
    fn what_is_no_definition_is_named() {
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
        assert_eq!(
            failure(r#"{"f":{"name":"f","parameters":{}},"g":7}"#)
                .report()
                .path
                .as_deref(),
            Some("g")
        );
    }
}
