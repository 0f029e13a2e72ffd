//! Tool definitions from a name and a JSON Schema, as `createToolSchema` makes them.

use bumpalo::Bump;

use super::compile::Compiler;
use super::tool_set::ToolSet;
use crate::error::{Error, Result};
use crate::model::{Json, Member, Path, ToolSchema};

/// The definition of the tool `name` with `schema` for its arguments, kept whole. A schema that says
/// no `type` gets `object`, which is what arguments are, and one without `properties` gets none.
///
/// # Errors
/// [`Error::InvalidInput`] when `schema` is neither an object nor a boolean;
/// [`Error::InvalidSchema`] when it is not valid JSON Schema.
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

/// Keywords that say what a value may be without naming its type.
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
