//! Parameters as a flat record, `{city: {type: "str, optional", description, default}}`, as xLAM and others write them.
//! Types are those of Python.

use toolgauge_model::{Json, Member, Reader};

/// Whether `schema` is a record of parameters rather than a schema. A parameter may have the name of a keyword.
fn is_flat(schema: Json<'_>) -> bool {
    let is_parameter = |(_, value): &Member<'_>| {
        value.get("type").is_some_and(|it| it.as_str().is_some())
            && value
                .get("properties")
                .is_none_or(|it| it.members().is_some())
    };
    let members = schema.members().unwrap_or_default();
    !members.is_empty() && members.iter().all(is_parameter)
}

/// Whether a parameter is required that says nothing about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unmarked {
    Required,
    Optional,
}

/// The schema of a flat record of parameters, or else `schema` itself. A parameter says with `required: true` or `false`
/// whether it is required; it is optional if its type says so, or if it has a default.
pub fn expanded<'a>(schema: Json<'a>, unmarked: Unmarked, reader: Reader<'a>) -> Json<'a> {
    if !is_flat(schema) {
        return schema;
    }
    let arena = reader.arena();
    let parameters = schema.members().unwrap_or_default();
    let is_required = |(_, value): &&Member<'a>| {
        let kind = value.get("type").and_then(Json::as_str);
        let is_optional = kind.is_none_or(|kind| parted(kind).1) || value.get("default").is_some();
        match value.get("required") {
            Some(Json::Bool(is_required)) => is_required,
            _ => unmarked == Unmarked::Required && !is_optional,
        }
    };
    let required = parameters.iter().filter(is_required);
    let required: Vec<_> = required.map(|(name, _)| Json::String(name)).collect();
    let properties: Vec<_> = parameters
        .iter()
        .map(|(name, value)| (*name, parameter(*value, reader)))
        .collect();
    let members = [
        ("type", Json::String("object")),
        (
            "properties",
            Json::Object(arena.alloc_slice_copy(&properties)),
        ),
        ("required", Json::Array(arena.alloc_slice_copy(&required))),
    ];
    Json::Object(arena.alloc_slice_copy(&members))
}

/// The type of a parameter, and whether it is optional.
fn parted(kind: &str) -> (&str, bool) {
    let (name, note) = kind.split_once([',', '(']).unwrap_or((kind, ""));
    // A comma may stand between the brackets of a type.
    let (name, note) = match name.contains('[') {
        true => (kind, kind.rsplit_once(']').map_or("", |(_, note)| note)),
        false => (name, note),
    };
    let name = name.trim();
    match inside(name, "Optional") {
        Some(inner) => (inner, true),
        None => (name, note.contains("optional")),
    }
}

/// The text between the brackets of a type.
fn inside<'t>(kind: &'t str, name: &str) -> Option<&'t str> {
    let rest = kind.strip_prefix(name)?.trim_start().strip_prefix('[')?;
    rest.rsplit_once(']').map(|(inner, _)| inner)
}

fn parameter<'a>(value: Json<'a>, reader: Reader<'a>) -> Json<'a> {
    let kind = value.get("type").and_then(Json::as_str).unwrap_or_default();
    let kept = value.members().unwrap_or_default().iter();
    let kept = kept.filter(|(key, value)| match *key {
        "type" => false,
        "required" => value.items().is_some(),
        _ => true,
    });
    let has_items = value.get("items").is_some();
    let own = typed(parted(kind).0, reader).into_iter();
    let own = own.filter(|(key, _)| !(has_items && *key == "items"));
    let members: Vec<_> = own.chain(kept.copied()).collect();
    Json::Object(reader.arena().alloc_slice_copy(&members))
}

/// The keywords for a type. None for a type that is no restriction.
fn typed<'a>(kind: &str, reader: Reader<'a>) -> Vec<Member<'a>> {
    let name = kind.split('[').next().unwrap_or_default().trim();
    let Some(plain) = python_type(name) else {
        return Vec::new();
    };
    let mut members = vec![("type", Json::String(plain))];
    if plain == "array"
        && let Some(inner) = inside(kind, name).filter(|inner| !inner.contains(','))
    {
        let items = typed(inner.trim(), reader);
        members.push((
            "items",
            Json::Object(reader.arena().alloc_slice_copy(&items)),
        ));
    }
    members
}

/// The type in JSON Schema for a type of a parameter, such as `str, optional` or `List[int]`. `None` for one that is no
/// restriction.
pub fn plain_name(kind: &str) -> Option<&'static str> {
    let name = parted(kind).0.split('[').next().unwrap_or_default();
    python_type(name.trim())
}

/// The type in JSON Schema for a type of Python or of JSON Schema. `None` for a type that is no restriction.
fn python_type(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "str" | "string" => "string",
        "int" | "integer" => "integer",
        "float" | "number" | "double" => "number",
        "bool" | "boolean" => "boolean",
        "list" | "array" | "tuple" | "set" => "array",
        "dict" | "object" => "object",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_model::Limits;
    use toolgauge_model::testing::arena_json;

    fn expanded_text(schema: &str) -> String {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let schema = expanded(arena_json(&arena, schema), Unmarked::Required, reader);
        serde_json::to_string(&schema).expect("plain data")
    }

    #[test]
    fn a_flat_record_becomes_a_schema() {
        let types = [
            ("str", r#"{"type":"string"}"#, true),
            ("int, optional", r#"{"type":"integer"}"#, false),
            (
                "List[int]",
                r#"{"type":"array","items":{"type":"integer"}}"#,
                true,
            ),
            (
                "List[List[float]], optional",
                r#"{"type":"array","items":{"type":"array","items":{"type":"number"}}}"#,
                false,
            ),
            ("Dict[str, int]", r#"{"type":"object"}"#, true),
            ("Tuple[float, float]", r#"{"type":"array"}"#, true),
            ("Optional[bool]", r#"{"type":"boolean"}"#, false),
            ("Union[int, str]", "{}", true),
            ("date (optional)", "{}", false),
        ];
        for (kind, schema, is_required) in types {
            let required = if is_required { r#""p""# } else { "" };
            assert_eq!(
                expanded_text(&format!(r#"{{"p":{{"type":"{kind}"}}}}"#)),
                format!(
                    r#"{{"type":"object","properties":{{"p":{schema}}},"required":[{required}]}}"#
                ),
                "{kind}"
            );
        }
        assert_eq!(
            expanded_text(
                r#"{"type":{"type":"str","description":"Kind.","default":"a"},"items":{"type":"list"},"n":{"type":"int","required":false}}"#
            ),
            r#"{"type":"object","properties":{"type":{"type":"string","description":"Kind.","default":"a"},"items":{"type":"array"},"n":{"type":"integer"}},"required":["items"]}"#
        );
    }

    #[test]
    fn schemas_stay_as_they_are() {
        for schema in [
            "{}",
            "true",
            r#"{"type":"object","properties":{"a":{"type":"str"}}}"#,
            r#"{"properties":{"type":{"type":"string"}}}"#,
            r#"{"city":"a text","n":{"type":"int"}}"#,
        ] {
            assert_eq!(expanded_text(schema), schema);
        }
    }
}
