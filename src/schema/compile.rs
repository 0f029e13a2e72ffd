//! From a JSON Schema to a validator: draft, dialect, offline references, bounded patterns.

use jsonschema::{Draft, PatternOptions, Registry, ValidationError, Validator};
use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::model::Path;

/// How many steps a pattern with look-around or back-references may take on one text. Patterns
/// without them run in time linear in the text.
const PATTERN_STEPS: usize = 1_000_000;

/// Most bytes that one compiled pattern may take.
const PATTERN_BYTES: usize = 4 << 20;

/// The drafts that a schema without `$schema` is tried in: the newest counts first.
const DRAFTS: [Draft; 3] = [Draft::Draft202012, Draft::Draft7, Draft::Draft4];

/// Compiles the argument schemas of tools; `$ref` reaches what the schema itself and the given
/// documents hold, never the network or the disk.
pub struct Compiler {
    registry: Option<Registry<'static>>,
}

impl Compiler {
    /// A compiler that knows `documents`: schemas by the URI that references name them with.
    ///
    /// # Errors
    /// [`Error::InvalidOption`] when a URI or a document is not valid.
    pub fn new(documents: Vec<(String, Value)>) -> Result<Self> {
        if documents.is_empty() {
            return Ok(Self { registry: None });
        }
        let mut builder = Registry::new();
        for (uri, document) in documents {
            let path = Path::root().key("schemas").key(&uri);
            builder = builder
                .add(uri, document)
                .map_err(|error| invalid_document(path, &error))?;
        }
        let registry = builder
            .prepare()
            .map_err(|error| invalid_document(Path::root().key("schemas"), &error))?;
        Ok(Self {
            registry: Some(registry),
        })
    }

    /// The validator for the argument schema of the tool `name`.
    ///
    /// # Errors
    /// [`Error::InvalidSchema`] names the tool, the place and the reason.
    pub fn compile(&self, name: &str, schema: &Value) -> Result<Validator> {
        let names_draft = schema.get("$schema").is_some();
        let drafts: &[Option<Draft>] = if names_draft {
            &[None]
        } else {
            &DRAFTS.map(Some)
        };
        let mut first_error = None;
        for draft in drafts {
            match self.build(schema, *draft) {
                Ok(validator) => return Ok(validator),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        let error = first_error.expect("at least one draft was tried");
        Err(invalid_schema(name, &error))
    }

    fn build(
        &self,
        schema: &Value,
        draft: Option<Draft>,
    ) -> std::result::Result<Validator, ValidationError<'static>> {
        let patterns = PatternOptions::fancy_regex()
            .backtrack_limit(PATTERN_STEPS)
            .size_limit(PATTERN_BYTES);
        let mut options = jsonschema::options()
            .offline()
            .should_validate_formats(true)
            .should_ignore_unknown_formats(true)
            .with_pattern_options(patterns);
        if let Some(draft) = draft {
            options = options.with_draft(draft);
        }
        if let Some(registry) = &self.registry {
            options = options.with_registry(registry);
        }
        options.build(schema)
    }
}

fn invalid_document(path: Path, error: &dyn std::error::Error) -> Error {
    Error::InvalidOption {
        path,
        reason: error.to_string(),
    }
}

fn invalid_schema(tool: &str, error: &ValidationError<'_>) -> Error {
    let place = super::violation::path_of(error.instance_path());
    Error::InvalidSchema {
        tool: tool.to_owned(),
        path: Path::root().key("parameters").join(&place),
        reason: error.to_string(),
    }
}

/// Spells OpenAPI's `nullable: true` out in JSON Schema's own words, in all subschemas.
pub fn spell_out_nullable(schema: &mut Value) {
    let Value::Object(keywords) = schema else {
        return;
    };
    for (keyword, value) in keywords.iter_mut() {
        match (holds(keyword), value) {
            (Holds::Schema, value @ Value::Object(_)) => spell_out_nullable(value),
            (Holds::Schema | Holds::Schemas, Value::Array(schemas)) => {
                schemas.iter_mut().for_each(spell_out_nullable);
            }
            (Holds::NamedSchemas, Value::Object(schemas)) => {
                schemas.values_mut().for_each(spell_out_nullable);
            }
            _ => {}
        }
    }
    if keywords.get("nullable") == Some(&Value::Bool(true)) {
        allow_null(keywords);
    }
}

fn allow_null(keywords: &mut Map<String, Value>) {
    keywords.remove("nullable");
    if !keywords.contains_key("type") {
        let without = Value::Object(std::mem::take(keywords));
        let null = serde_json::json!({"type": "null"});
        keywords.insert("anyOf".to_owned(), Value::Array(vec![without, null]));
        return;
    }
    match keywords.get_mut("type") {
        Some(Value::Array(types)) if !types.contains(&"null".into()) => types.push("null".into()),
        Some(kind @ Value::String(_)) => *kind = Value::Array(vec![kind.take(), "null".into()]),
        _ => {}
    }
    if let Some(Value::Array(allowed)) = keywords.get_mut("enum")
        && !allowed.contains(&Value::Null)
    {
        allowed.push(Value::Null);
    }
}

enum Holds {
    Schema,
    Schemas,
    NamedSchemas,
    NoSchema,
}

fn holds(keyword: &str) -> Holds {
    match keyword {
        "additionalProperties"
        | "items"
        | "additionalItems"
        | "contains"
        | "not"
        | "if"
        | "then"
        | "else"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties" => Holds::Schema,
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Holds::Schemas,
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas"
        | "dependencies" => Holds::NamedSchemas,
        _ => Holds::NoSchema,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn compile(schema: Value) -> Result<Validator> {
        Compiler::new(Vec::new())?.compile("tool", &schema)
    }

    fn failure(schema: Value) -> Error {
        compile(schema).expect_err("invalid schema")
    }

    #[test]
    fn a_schema_without_a_draft_is_read_in_the_newest_that_fits() {
        let draft_4 = json!({"properties": {"n": {"type": "number", "minimum": 0, "exclusiveMinimum": true}}});
        assert!(
            !compile(draft_4)
                .expect("draft 4")
                .is_valid(&json!({"n": 0}))
        );
        let draft_7 =
            json!({"properties": {"pair": {"items": [{"type": "string"}, {"type": "number"}]}}});
        assert!(
            !compile(draft_7)
                .expect("draft 7")
                .is_valid(&json!({"pair": ["a", "b"]}))
        );
        let newest =
            json!({"properties": {"pair": {"prefixItems": [{"type": "string"}], "items": false}}});
        assert!(
            !compile(newest)
                .expect("2020-12")
                .is_valid(&json!({"pair": ["a", "b"]}))
        );
    }

    #[test]
    fn an_invalid_schema_names_tool_place_and_reason() {
        let error = failure(json!({"type": "object", "properties": {"n": {"type": "nmber"}}}));
        let report = error.report();
        assert_eq!(report.path.as_deref(), Some("parameters.properties.n.type"));
        assert!(
            report.message.contains("tool \"tool\"") && report.message.contains("nmber"),
            "{}",
            report.message
        );
    }

    #[test]
    fn references_never_leave_the_machine() {
        for reference in [
            "https://example.com/a.json",
            "file:///etc/passwd",
            "other.json",
            "#/$defs/none",
        ] {
            let error = failure(json!({"properties": {"a": {"$ref": reference}}}));
            assert!(matches!(error, Error::InvalidSchema { .. }), "{error}");
        }
    }

    #[test]
    fn given_documents_are_reached() {
        let documents = vec![(
            "https://example.com/a.json".to_owned(),
            json!({"type": "integer"}),
        )];
        let schema = json!({"properties": {"a": {"$ref": "https://example.com/a.json"}}});
        let validator = Compiler::new(documents)
            .and_then(|c| c.compile("tool", &schema))
            .expect("known reference");
        assert!(!validator.is_valid(&json!({"a": "x"})));
    }

    #[test]
    fn hostile_patterns_are_bounded() {
        let huge =
            failure(json!({"properties": {"a": {"pattern": "((a{1,1000}){1,1000}){1,1000}"}}}));
        assert!(matches!(huge, Error::InvalidSchema { .. }));
        let slow = compile(json!({"properties": {"a": {"pattern": "^(?=(a+)+$)(a|aa)+$"}}}))
            .expect("a legal pattern");
        let text = format!("{}b", "a".repeat(50_000));
        assert!(!slow.is_valid(&json!({"a": text})));
    }

    #[test]
    fn nullable_is_spelled_out_wherever_a_schema_stands() {
        let mut schema = json!({
            "properties": {
                "nullable": {"type": "string", "nullable": true, "enum": ["a"]},
                "ref": {"$ref": "#/$defs/x", "nullable": true},
                "plain": {"type": "string", "nullable": false},
            },
            "$defs": {"x": {"type": ["integer"], "nullable": true}},
            "default": {"nullable": true},
        });
        spell_out_nullable(&mut schema);
        assert_eq!(
            schema,
            json!({
                "properties": {
                    "nullable": {"type": ["string", "null"], "enum": ["a", null]},
                    "ref": {"anyOf": [{"$ref": "#/$defs/x"}, {"type": "null"}]},
                    "plain": {"type": "string", "nullable": false},
                },
                "$defs": {"x": {"type": ["integer", "null"]}},
                "default": {"nullable": true},
            })
        );
    }
}
