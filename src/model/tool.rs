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
    /// What the tool does, as the model reads it.
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub description: Option<&'a str>,
    /// The JSON Schema of the arguments, draft 4 to 2020-12. `$schema` chooses the draft; without it
    /// the newest draft that the schema is valid in counts. OpenAPI's `nullable` is understood.
    #[cfg_attr(feature = "typescript", ts(type = "ParameterSchema"))]
    pub parameters: Json<'a>,
    /// The JSON Schema of the result, where one is declared: that of `structuredContent` for a tool of MCP.
    #[cfg_attr(
        feature = "typescript",
        ts(rename = "outputSchema", optional, type = "ParameterSchema")
    )]
    pub output_schema: Option<Json<'a>>,
    /// Whether the tool should no longer be called. Default false.
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>"))]
    pub deprecated: bool,
    /// The name of the tool to call instead.
    #[cfg_attr(
        feature = "typescript",
        ts(rename = "replacedBy", as = "Option<String>")
    )]
    pub replaced_by: Option<&'a str>,
    /// Every field that toolgauge does not know, as it was.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub extra: &'a [Member<'a>],
}

/// The names of the fields that a definition has itself.
const OWN: [&str; 6] = [
    "name",
    "description",
    "parameters",
    "outputSchema",
    "deprecated",
    "replacedBy",
];

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
