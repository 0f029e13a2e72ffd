//! Tool definitions.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::json::{Json, Member};
use super::trajectory::{entries, entry};

/// The definition of a tool: its name and the JSON Schema of its arguments.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct ToolSchema<'a> {
    /// The tool's name.
    #[cfg_attr(feature = "typescript", ts(as = "String"))]
    pub name: &'a str,
    /// The description of the tool for the model.
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub description: Option<&'a str>,
    /// The JSON Schema of the arguments, draft 4 to 2020-12. `$schema` chooses the draft; without it, the
    /// newest draft in which the schema is valid. OpenAPI's `nullable` is supported.
    #[cfg_attr(feature = "typescript", ts(type = "ParameterSchema"))]
    pub parameters: Json<'a>,
    /// The JSON Schema of the result, if declared; for an MCP tool that of `structuredContent`.
    #[cfg_attr(
        feature = "typescript",
        ts(rename = "outputSchema", optional, type = "ParameterSchema")
    )]
    pub output_schema: Option<Json<'a>>,
    /// Whether agents should no longer call the tool. Default false.
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>"))]
    pub deprecated: bool,
    /// The name of the tool that replaces it.
    #[cfg_attr(
        feature = "typescript",
        ts(rename = "replacedBy", as = "Option<String>")
    )]
    pub replaced_by: Option<&'a str>,
    /// Unknown fields, unchanged.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub extra: &'a [Member<'a>],
}

/// The names of the known fields of a definition.
const OWN: [&str; 6] = [
    "name",
    "description",
    "parameters",
    "outputSchema",
    "deprecated",
    "replacedBy",
];

impl ToolSchema<'_> {
    /// Returns whether the tool says that it only reads, as MCP has it: `annotations.readOnlyHint` is true.
    pub fn is_read_only(&self) -> bool {
        let annotations = Json::Object(self.extra).get("annotations");
        let hint = annotations.and_then(|annotations| annotations.get("readOnlyHint"));
        hint == Some(Json::Bool(true))
    }
}

impl Serialize for ToolSchema<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", self.name)?;
        entry(&mut map, "description", self.description)?;
        map.serialize_entry("parameters", &self.parameters)?;
        entry(&mut map, "outputSchema", self.output_schema)?;
        entry(&mut map, "deprecated", self.deprecated.then_some(true))?;
        entry(&mut map, "replacedBy", self.replaced_by)?;
        entries(&mut map, self.extra, &OWN)?;
        map.end()
    }
}
