//! Recognizes schemas that are certainly valid.
//!
//! The schemas of most tools have few and simple keywords. They can be recognized as valid without the
//! meta-schema, whose validator takes longer to build than everything else that a first call needs.

use jsonschema::Draft;
use serde_json::Value;

use super::effort;
use toolgauge_model::SCHEMA_TYPES;

/// Returns the draft of `schema`, which must be prepared, if it is certainly valid and certainly compiles: it
/// has no pattern and no reference except to its own definitions. `None`: the meta-schema has to decide.
pub fn draft_if_well_formed(schema: &Value) -> Option<Draft> {
    let draft = match schema.get("$schema") {
        Some(_) => Draft::default().detect(schema),
        None => Draft::default(),
    };
    let is_known = matches!(draft, Draft::Draft7 | Draft::Draft202012);
    (is_known && WellFormed { root: schema }.holds(schema)).then_some(draft)
}

/// The rules that both drafts share for a schema with this root.
struct WellFormed<'a> {
    root: &'a Value,
}

impl WellFormed<'_> {
    fn holds(&self, schema: &Value) -> bool {
        let is_root = std::ptr::eq(schema, self.root);
        match schema {
            Value::Bool(_) => true,
            Value::Object(keywords) => keywords.iter().all(|(keyword, value)| {
                is_root && keyword == "$schema" || self.is_known(keyword, value)
            }),
            _ => false,
        }
    }

    fn is_known(&self, keyword: &str, value: &Value) -> bool {
        match keyword {
            "type" => is_type(value),
            "enum" | "examples" => value.is_array(),
            "const" | "default" | effort::KEYWORD => true,
            "title" | "description" | "format" | "$comment" => value.is_string(),
            "deprecated" | "readOnly" | "writeOnly" | "uniqueItems" => value.is_boolean(),
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => value.is_number(),
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties"
            | "maxProperties" => value.is_u64(),
            "required" => is_set_of_texts(value),
            "items" | "additionalProperties" | "not" => self.holds(value),
            "allOf" | "anyOf" | "oneOf" => value.as_array().is_some_and(|schemas| {
                !schemas.is_empty() && schemas.iter().all(|schema| self.holds(schema))
            }),
            "properties" | "$defs" | "definitions" => value
                .as_object()
                .is_some_and(|schemas| schemas.values().all(|schema| self.holds(schema))),
            "$ref" => value
                .as_str()
                .is_some_and(|reference| self.defines(reference)),
            _ => false,
        }
    }

    /// Returns whether `reference` leads to the root or to one of its definitions. Names that need escaping
    /// are left to the validator.
    fn defines(&self, reference: &str) -> bool {
        let named = ["$defs", "definitions"].into_iter().find_map(|key| {
            let name = reference.strip_prefix("#/")?.strip_prefix(key)?;
            Some((key, name.strip_prefix('/')?))
        });
        let is_plain =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        reference == "#"
            || named.is_some_and(|(key, name)| {
                let definitions = self.root.get(key);
                name.bytes().all(is_plain) && definitions.is_some_and(|it| it.get(name).is_some())
            })
    }
}

fn is_type(value: &Value) -> bool {
    let is_name = |name: &Value| {
        name.as_str()
            .is_some_and(|name| SCHEMA_TYPES.contains(&name))
    };
    match value {
        Value::Array(names) => {
            !names.is_empty() && names.iter().all(is_name) && is_set_of_texts(value)
        }
        name => is_name(name),
    }
}

/// The most strings that are compared with each other; longer lists go to the meta-schema.
const MOST_TEXTS: usize = 64;

fn is_set_of_texts(value: &Value) -> bool {
    value.as_array().is_some_and(|texts| {
        let is_new = |at: usize| texts[at].is_string() && !texts[..at].contains(&texts[at]);
        texts.len() <= MOST_TEXTS && (0..texts.len()).all(is_new)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::{Compiler, meta_schema, prepare};
    use super::*;

    const KEYWORDS: [&str; 34] = [
        "type",
        "enum",
        "examples",
        "const",
        "default",
        "title",
        "description",
        "format",
        "deprecated",
        "readOnly",
        "writeOnly",
        "uniqueItems",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
        "required",
        "items",
        "additionalProperties",
        "not",
        "allOf",
        "anyOf",
        "oneOf",
        "properties",
        "nullable",
        "$ref",
        "$defs",
        "definitions",
    ];

    /// Generates schemas with known keywords whose values often have the wrong kind.
    fn schema() -> impl Strategy<Value = Value> {
        let leaf = prop::sample::select(vec![
            json!(null),
            json!(true),
            json!(0),
            json!(-1),
            json!(1.5),
            json!("string"),
            json!("integer"),
            json!("other"),
            json!([]),
            json!(["string", "null"]),
            json!(["string", "string"]),
            json!([1]),
            json!({}),
            json!("#"),
            json!("#/$defs/type"),
            json!("#/definitions/none"),
        ]);
        leaf.prop_recursive(4, 24, 3, |inner| {
            let keyword = prop::sample::select(&KEYWORDS[..]);
            prop_oneof![
                4 => prop::collection::btree_map(keyword, inner.clone(), 0..3)
                    .prop_map(|members| json!(members)),
                1 => prop::collection::vec(inner, 0..3).prop_map(Value::from),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn well_formed_schemas_are_valid_and_compile(schema in schema()) {
            let mut prepared = schema.clone();
            prepare(&mut prepared);
            if draft_if_well_formed(&prepared).is_some() {
                for draft in [Draft::Draft7, Draft::Draft202012] {
                    prop_assert!(meta_schema::check(&prepared, draft).is_ok(), "{}", schema);
                }
                let compiled = Compiler::new(Vec::new()).compile("tool", "parameters", &prepared);
                prop_assert!(compiled.is_ok(), "{}", schema);
            }
        }
    }

    #[test]
    fn each_keyword_accepts_only_its_kind_of_value() {
        let values = [
            json!("string"),
            json!(1),
            json!(true),
            json!([]),
            json!({}),
            json!([{}]),
            json!(["a"]),
            json!("#"),
        ];
        for keyword in KEYWORDS {
            let is_well_formed = |value: &Value| {
                let mut schema = json!({keyword: value});
                prepare(&mut schema);
                draft_if_well_formed(&schema).is_some()
            };
            let known = values.iter().filter(|value| is_well_formed(value)).count();
            let is_anything = matches!(keyword, "const" | "default");
            assert!(
                known > 0 && (known < values.len() || is_anything),
                "{keyword}"
            );
        }
    }

    #[test]
    fn schemas_that_can_fail_go_to_the_meta_schema() {
        for schema in [
            json!({"pattern": "("}),
            json!({"$ref": "#/none"}),
            json!({"$schema": "http://json-schema.org/draft-04/schema#"}),
            json!({"items": [{}]}),
            json!({"exclusiveMinimum": true}),
            json!({"definitions": {"a b": {}}, "$ref": "#/definitions/a%20b"}),
            json!({"items": {"$defs": {"a": {}}}, "$ref": "#/$defs/a"}),
            json!({"properties": {"a": {"$schema": "http://json-schema.org/draft-07/schema#"}}}),
            json!("string"),
        ] {
            assert_eq!(draft_if_well_formed(&schema), None, "{schema}");
        }
    }

    #[test]
    fn the_named_draft_wins() {
        let draft_7 = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "properties": {"a": {"$ref": "#/definitions/a"}},
            "definitions": {"a": {"type": "string"}},
        });
        assert_eq!(draft_if_well_formed(&draft_7), Some(Draft::Draft7));
        assert_eq!(draft_if_well_formed(&json!({})), Some(Draft::Draft202012));
    }
}
