//! Creates tool definitions from a name and a JSON Schema, as `createToolSchema` does.

use bumpalo::Bump;

use super::compile::Compiler;
use super::tool_set::ToolSet;
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Member, Path, ToolSchema};

/// Creates the definition of the tool `name` with the whole `schema` for its arguments. A schema without
/// `type` gets `object`, and one without `properties` gets empty ones.
///
/// # Errors
/// [`Error::InvalidInput`] if `schema` is neither an object nor a boolean;
/// [`Error::InvalidSchema`] if it is not a valid JSON Schema.
pub fn create_tool_schema<'a>(
    name: &'a str,
    schema: Json<'a>,
    description: Option<&'a str>,
    arena: &'a Bump,
) -> Result<ToolSchema<'a>> {
    let parameters = match schema {
        Json::Object(members) => Json::Object(with_defaults(members, arena)),
        Json::Bool(_) => schema,
        other => {
            return Err(Error::invalid_input(
                Path::root(),
                "a JSON Schema: an object or a boolean",
                other.describe(),
            ));
        }
    };
    let tool = ToolSchema {
        name,
        description,
        parameters,
        output_schema: None,
        deprecated: false,
        replaced_by: None,
        extra: &[],
    };
    ToolSet::compile(&[tool], &Compiler::new(Vec::new()))?;
    Ok(tool)
}

/// Keywords that restrict the type of a value without naming it.
const SAYS_TYPE: [&str; 6] = ["type", "$ref", "allOf", "anyOf", "oneOf", "$dynamicRef"];

fn with_defaults<'a>(members: &'a [Member<'a>], arena: &'a Bump) -> &'a [Member<'a>] {
    let has = |key: &str| members.iter().any(|(name, _)| *name == key);
    let mut all = Vec::with_capacity(members.len() + 2);
    if !SAYS_TYPE.iter().any(|key| has(key)) {
        all.push(("type", Json::String("object")));
    }
    if !SAYS_TYPE[1..].iter().any(|key| has(key)) && !has("properties") {
        all.push(("properties", Json::Object(&[])));
    }
    all.extend_from_slice(members);
    arena.alloc_slice_copy(&all)
}
