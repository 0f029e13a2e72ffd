//! Converts schemas that are nearly JSON Schema. Gemini writes types in upper case and counts as text.
//! The Berkeley Function-Calling Leaderboard uses the types of Python.

use super::flat::plain_name;
use crate::kit::fields::is_one_of;
use toolgauge_model::{Json, Member, Number, Reader};

/// The dialect of a schema.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Dialect {
    JsonSchema,
    /// `{type: "OBJECT"}`
    Gemini,
    /// `{type: "dict"}`
    Bfcl,
}

/// Types of other dialects, and their types in JSON Schema. `any` is no restriction.
const TYPES: [(&str, Dialect, Option<&str>); 14] = [
    ("OBJECT", Dialect::Gemini, Some("object")),
    ("ARRAY", Dialect::Gemini, Some("array")),
    ("STRING", Dialect::Gemini, Some("string")),
    ("NUMBER", Dialect::Gemini, Some("number")),
    ("INTEGER", Dialect::Gemini, Some("integer")),
    ("BOOLEAN", Dialect::Gemini, Some("boolean")),
    ("NULL", Dialect::Gemini, Some("null")),
    ("TYPE_UNSPECIFIED", Dialect::Gemini, None),
    ("dict", Dialect::Bfcl, Some("object")),
    ("float", Dialect::Bfcl, Some("number")),
    ("double", Dialect::Bfcl, Some("number")),
    ("tuple", Dialect::Bfcl, Some("array")),
    ("list", Dialect::Bfcl, Some("array")),
    ("any", Dialect::Bfcl, None),
];

/// Keywords with a count, which Gemini writes as text.
const COUNTS: [&str; 6] = [
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "minProperties",
    "maxProperties",
];

impl Dialect {
    /// The dialect of the first type that JSON Schema does not have.
    pub fn of(schema: Json<'_>) -> Self {
        let own = schema.get("type").and_then(Json::as_str).and_then(foreign);
        if let Some((_, dialect, _)) = own {
            return *dialect;
        }
        let members = schema.members().unwrap_or_default();
        let mut inner = members.iter().map(|(key, value)| match places(key) {
            Places::Here => Self::of(*value),
            Places::Items => of_items(*value),
            Places::Members => {
                let members = value.members().unwrap_or_default().iter();
                first(members.map(|(_, value)| Self::of(*value)))
            }
            Places::None => Self::JsonSchema,
        });
        first(&mut inner)
    }
}

fn of_items(value: Json<'_>) -> Dialect {
    match value {
        Json::Array(items) => first(items.iter().map(|item| Dialect::of(*item))),
        one => Dialect::of(one),
    }
}

fn first(mut dialects: impl Iterator<Item = Dialect>) -> Dialect {
    let found = dialects.find(|dialect| *dialect != Dialect::JsonSchema);
    found.unwrap_or(Dialect::JsonSchema)
}

/// The type in JSON Schema for the type `name` of another dialect. `Some(None)` for a type that is no
/// restriction.
pub fn plain_type(name: &str) -> Option<Option<&'static str>> {
    foreign(name).map(|(_, _, plain)| *plain)
}

fn foreign(name: &str) -> Option<&'static (&'static str, Dialect, Option<&'static str>)> {
    TYPES.iter().find(|(foreign, ..)| *foreign == name)
}

/// Where the value of a keyword contains schemas.
enum Places {
    /// The value is a schema.
    Here,
    /// Its items are schemas, or it is one schema.
    Items,
    /// The values of its members are schemas.
    Members,
    /// Nowhere: it is data.
    None,
}

fn places(keyword: &str) -> Places {
    match keyword {
        "additionalProperties"
        | "additionalItems"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contains"
        | "propertyNames" => Places::Here,
        "items" | "prefixItems" | "anyOf" | "oneOf" | "allOf" => Places::Items,
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
            Places::Members
        }
        _ => Places::None,
    }
}

/// Converts `schema` to JSON Schema. A schema that already is JSON Schema is not copied.
pub fn plain_schema<'a>(schema: Json<'a>, reader: Reader<'a>) -> Json<'a> {
    match Dialect::of(schema) {
        Dialect::JsonSchema => schema,
        _ => plain(schema, reader),
    }
}

fn plain<'a>(schema: Json<'a>, reader: Reader<'a>) -> Json<'a> {
    let Json::Object(members) = schema else {
        return schema;
    };
    let plain: Vec<Member<'a>> = members
        .iter()
        .filter_map(|(key, value)| Some((*key, plain_keyword(key, *value, reader)?)))
        .collect();
    Json::Object(reader.arena().alloc_slice_copy(&plain))
}

fn plain_keyword<'a>(key: &str, value: Json<'a>, reader: Reader<'a>) -> Option<Json<'a>> {
    let arena = reader.arena();
    Some(match (places(key), value) {
        (Places::Here, _) => plain(value, reader),
        (Places::Items, Json::Array(items)) => {
            Json::Array(arena.alloc_slice_fill_iter(items.iter().map(|item| plain(*item, reader))))
        }
        (Places::Items, _) => plain(value, reader),
        (Places::Members, Json::Object(members)) => Json::Object(
            arena.alloc_slice_fill_iter(
                members
                    .iter()
                    .map(|(key, value)| (*key, plain(*value, reader))),
            ),
        ),
        (_, Json::String(name)) if key == "type" => match foreign(name) {
            Some((_, _, plain)) => Json::String((*plain)?),
            None => plain_name(name).map_or(value, Json::String),
        },
        (_, Json::String(count)) if is_one_of(key, &COUNTS) => count
            .parse()
            .map_or(value, |count| Json::Number(Number::Unsigned(count))),
        _ => value,
    })
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_model::Limits;
    use toolgauge_model::testing::arena_json;

    fn plain_text(schema: &str) -> String {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let plain = plain_schema(arena_json(&arena, schema), reader);
        serde_json::to_string(&plain).expect("plain data")
    }

    #[test]
    fn types_are_converted_in_schemas_and_not_in_data() {
        let cases = [
            (
                r#"{"type":"OBJECT","properties":{"type":{"type":"STRING","enum":["STRING"]},"n":{"type":"ARRAY","items":{"type":"INTEGER"},"minItems":"1"}},"default":{"type":"OBJECT"}}"#,
                r#"{"type":"object","properties":{"type":{"type":"string","enum":["STRING"]},"n":{"type":"array","items":{"type":"integer"},"minItems":1}},"default":{"type":"OBJECT"}}"#,
            ),
            (
                r#"{"type":"dict","properties":{"a":{"type":"float"},"b":{"type":"tuple","items":{"type":"any"}},"c":{"anyOf":[{"type":"dict"},{"type":"null"}]}}}"#,
                r#"{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"array","items":{}},"c":{"anyOf":[{"type":"object"},{"type":"null"}]}}}"#,
            ),
            (
                r#"{"type":"dict","properties":{"a":{"type":"int"},"b":{"type":"str, optional"},"c":{"type":"date"},"d":{"type":"List[str]"}}}"#,
                r#"{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"},"c":{"type":"date"},"d":{"type":"array"}}}"#,
            ),
            (
                r#"{"type":"object","properties":{"a":{"type":"float"}}}"#,
                r#"{"type":"object","properties":{"a":{"type":"number"}}}"#,
            ),
        ];
        for (schema, expected) in cases {
            assert_eq!(plain_text(schema), expected);
        }
        for same in [
            r#"{"type":"object","properties":{"dict":{"type":"string"}},"enum":["dict"],"minItems":"1"}"#,
            "true",
            r#"{"type":["string","null"]}"#,
        ] {
            assert_eq!(plain_text(same), same);
        }
    }
}
