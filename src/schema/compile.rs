//! Compiles JSON Schemas to validators: drafts, dialects, offline references, bounded patterns.

use std::collections::HashMap;
use std::sync::Arc;

use jsonschema::{
    Draft, EmailOptions, PatternOptions, Registry, Retrieve, Uri, ValidationError,
    ValidationOptions, Validator, ValidatorMap,
};
use serde_json::{Map, Value};

use super::effort::{self, Effort, compilation};
use super::instance::to_value;
use super::meta_schema;
use super::together::{self, Compiled};
use super::well_formed::draft_if_well_formed;
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Limits, Path, short};

/// The most steps that a pattern with look-around or back-references may take on one string. Each step may
/// look through the whole string. Patterns without these features run in linear time.
const PATTERN_STEPS: usize = 2_000;

/// The most bytes that one compiled pattern may take.
const PATTERN_BYTES: usize = 4 << 20;

/// The most bytes of a pattern as written. A longer one would exceed [`PATTERN_BYTES`] anyway, but only after
/// compiling it several times.
const LONGEST_PATTERN: usize = 64 << 10;

/// The drafts to try for a schema without `$schema`, the newest first.
const DRAFTS: [Draft; 3] = [Draft::Draft202012, Draft::Draft7, Draft::Draft4];

/// Compiles the schemas of tools. A `$ref` reaches the schema itself and the given documents, never the
/// network or the disk.
#[derive(Clone)]
pub struct Compiler {
    documents: Documents,
}

/// Schemas by the URI that references use for them.
#[derive(Clone)]
pub(super) struct Documents(Arc<HashMap<String, Value>>);

impl Retrieve for Documents {
    fn retrieve(
        &self,
        uri: &Uri<String>,
    ) -> std::result::Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        let found = self.0.get(uri.as_str().trim_end_matches('#'));
        found.cloned().ok_or_else(|| {
            "it is not among the given schemas, and toolgauge fetches nothing".into()
        })
    }
}

impl Compiler {
    /// Creates a compiler that knows `documents`: schemas by the URI that references use for them. A document
    /// without `$schema` has the draft of the schema that refers to it.
    pub fn new(documents: Vec<(String, Value)>) -> Self {
        let prepared = documents.into_iter().map(|(uri, mut document)| {
            prepare(&mut document);
            (uri.trim_end_matches('#').to_owned(), document)
        });
        Self {
            documents: Documents(Arc::new(prepared.collect())),
        }
    }

    /// Compiles `schema`, which must be prepared. `tool` and `place` say where it comes from, for errors.
    ///
    /// # Errors
    /// [`Error::InvalidSchema`] names the tool, the place and the reason.
    pub fn compile(&self, tool: &str, place: &str, schema: &Value) -> Result<Validator> {
        if let Some(inside) = overlong_pattern(schema) {
            return Err(Error::InvalidSchema {
                tool: tool.to_owned(),
                path: Path::root().key(place).join(&inside),
                reason: format!("a pattern has more than {LONGEST_PATTERN} bytes"),
            });
        }
        let invalid = |error| invalid_schema(tool, place, schema, error);
        let mut first_error = None;
        for draft in drafts_of(schema) {
            compilation::allow(count_subschemas(schema));
            match build(schema, draft, self.documents.clone()) {
                Ok(validator) => return Ok(validator),
                Err(error) if compilation::is_exhausted() => return Err(invalid(&error)),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        let error = first_error.expect("at least one draft was tried");
        Err(invalid(&error))
    }

    /// Compiles the schemas of `tools`, each given by its name and its prepared schema, in order. Schemas
    /// that do not depend on others are compiled together; those that are certainly valid are compiled on
    /// first use.
    pub fn compile_all(&self, tools: &[(&str, Arc<Value>)]) -> Vec<Result<Compiled>> {
        let schemas: Vec<_> = tools.iter().map(|(_, schema)| Arc::clone(schema)).collect();
        let grouped = together::group(&schemas, &self.documents);
        let all = tools.iter().zip(grouped);
        all.map(|((tool, schema), grouped)| match grouped {
            Some(compiled) => Ok(compiled),
            None => {
                let alone = self.compile(tool, "parameters", schema)?;
                Ok(Compiled::Alone(Box::new(alone)))
            }
        })
        .collect()
    }
}

/// Returns the drafts to try for `schema`, in order: the one that it names, or else [`DRAFTS`].
pub(super) fn drafts_of(schema: &Value) -> Vec<Draft> {
    match schema.get("$schema") {
        Some(_) => vec![Draft::default().detect(schema)],
        None => DRAFTS.to_vec(),
    }
}

/// Returns whether `validator` accepts `value`.
///
/// # Errors
/// [`Error::LimitExceeded`] if this takes more than `limits.max_schema_visits`.
pub fn accepts(validator: &Validator, value: Json<'_>, limits: Limits) -> Result<bool> {
    effort::bounded(value, "arguments", limits.max_schema_visits, || {
        validator.is_valid(&to_value(value))
    })
}

/// The base URI of a schema during compilation. No given document can have an URI that a relative reference
/// resolves to.
const PLACE: &str = "json-schema:///tool";

/// Checks `schema`, then compiles a schema that only refers to it. Compiling `schema` directly would make
/// `jsonschema` check it again, and in WebAssembly it builds the validator of the meta-schema each time: that
/// of draft 6 is by far the fastest.
fn build(
    schema: &Value,
    draft: Draft,
    documents: Documents,
) -> std::result::Result<Validator, ValidationError<'static>> {
    if !meta_schema::is_known(draft) || must_be_the_root(schema) {
        return options(documents, draft).build(schema);
    }
    if draft_if_well_formed(schema) != Some(draft) {
        meta_schema::check(schema, draft)?;
    }
    let registry = Registry::new()
        .retriever(documents.clone())
        .draft(draft)
        .retrieve_known_draft_meta_schemas(false)
        .add(PLACE, draft.create_resource_ref(schema))?
        .prepare()?;
    options(documents, Draft::Draft6)
        .with_registry(&registry)
        .build(&serde_json::json!({"$ref": PLACE}))
}

/// Compiles `schemas`, which are valid in `draft` and independent of each other. The validator of the third
/// is at `#/2`. Schemas that can't be compiled are missing from the result.
pub(super) fn build_all(
    schemas: &[Arc<Value>],
    draft: Draft,
    documents: &Documents,
) -> std::result::Result<ValidatorMap, ValidationError<'static>> {
    let mut registry = Registry::new()
        .retriever(documents.clone())
        .draft(draft)
        .retrieve_known_draft_meta_schemas(false);
    let mut wrapper = Map::new();
    for (at, schema) in schemas.iter().enumerate() {
        let place = format!("{PLACE}/{at}");
        registry = registry.add(place.as_str(), draft.create_resource_ref(schema))?;
        wrapper.insert(at.to_string(), serde_json::json!({"$ref": place}));
    }
    let registry = registry.prepare()?;
    compilation::allow(schemas.iter().map(|schema| count_subschemas(schema)).sum());
    options(documents.clone(), Draft::Draft6)
        .with_registry(&registry)
        .build_map(&Value::Object(wrapper))
}

/// Returns whether `schema` may change its meaning when another schema refers to it: draft 2019-09 resolves
/// recursive anchors from the root, and `jsonschema` itself must check parts that name another draft.
pub(super) fn must_be_the_root(schema: &Value) -> bool {
    fn holds_one(value: &Value) -> bool {
        match value {
            Value::Object(members) => members.iter().any(|(name, value)| {
                matches!(name.as_str(), "$schema" | "$recursiveRef") || holds_one(value)
            }),
            Value::Array(items) => items.iter().any(holds_one),
            _ => false,
        }
    }
    let mut members = schema.as_object().into_iter().flatten();
    members.any(|(name, value)| name == "$recursiveRef" || holds_one(value))
}

fn options<'r>(documents: Documents, draft: Draft) -> ValidationOptions<'r> {
    let patterns = PatternOptions::fancy_regex()
        .backtrack_limit(PATTERN_STEPS)
        .size_limit(PATTERN_BYTES);
    // JSON Schema's `email` is a mailbox alone, without the name of its owner.
    let emails = EmailOptions::default()
        .without_display_text()
        .with_domain_literal();
    let options = jsonschema::options()
        .with_retriever(documents)
        .with_email_options(emails)
        .should_validate_formats(true)
        .should_ignore_unknown_formats(true)
        .with_pattern_options(patterns)
        .with_keyword(effort::KEYWORD, |_, value, _| {
            if compilation::spend() {
                Ok(Box::new(Effort::of(value)))
            } else {
                Err(ValidationError::custom("takes too much work to compile"))
            }
        });
    match draft {
        Draft::Unknown => options,
        known => options.with_draft(known),
    }
}

fn invalid_schema(tool: &str, place: &str, schema: &Value, error: &ValidationError<'_>) -> Error {
    let inside = super::violation::path_of(error.instance_path(), schema);
    Error::InvalidSchema {
        tool: tool.to_owned(),
        path: Path::root().key(place).join(&inside),
        reason: reason_of(error),
    }
}

/// Returns the message of `error`, which begins with the invalid value.
fn reason_of(error: &ValidationError<'_>) -> String {
    let (message, value) = (error.to_string(), error.instance().to_string());
    match message.strip_prefix(value.as_str()) {
        Some(after) => format!("{}{after}", short(&value)),
        None => message,
    }
}

/// Prepares a schema for compilation: replaces OpenAPI's `nullable: true` by plain JSON Schema and adds the
/// keyword that counts visits to subschemas that contain others.
pub fn prepare(schema: &mut Value) {
    let Value::Object(keywords) = schema else {
        return;
    };
    let mut holds_others = keywords.contains_key("$ref");
    for (keyword, value) in keywords.iter_mut() {
        holds_others |= prepare_held(keyword, value);
    }
    if keywords.get("nullable") == Some(&Value::Bool(true)) {
        allow_null(keywords);
    }
    for union in ["anyOf", "oneOf"] {
        if let Some(Value::Array(alternatives)) = keywords.get_mut(union)
            && !alternatives.is_empty()
        {
            alternatives.push(effort::never());
        }
    }
    for condition in ["if", "then", "else"] {
        if let Some(schema @ Value::Object(_)) = keywords.get_mut(condition) {
            let counted = serde_json::json!({effort::KEYWORD: true});
            *schema = serde_json::json!({"allOf": [counted, schema.take()]});
        }
    }
    let cost = cost_of(keywords, holds_others);
    if cost > 0 {
        keywords.insert(effort::KEYWORD.to_owned(), cost.into());
    }
}

/// Returns the path of the first pattern longer than [`LONGEST_PATTERN`].
pub(super) fn overlong_pattern(schema: &Value) -> Option<Path> {
    let is_overlong = |pattern: &str| pattern.len() > LONGEST_PATTERN;
    match schema {
        Value::Object(members) => members.iter().find_map(|(key, value)| {
            let found = match value {
                Value::String(pattern) if key == "pattern" => is_overlong(pattern),
                Value::Object(patterns) if key == "patternProperties" => {
                    patterns.keys().any(|pattern| is_overlong(pattern))
                }
                _ => false,
            };
            let here = || Path::root().key(key);
            if found {
                Some(here())
            } else {
                overlong_pattern(value).map(|inside| here().join(&inside))
            }
        }),
        Value::Array(items) => {
            let mut places = items.iter().enumerate();
            places.find_map(|(index, item)| {
                Some(Path::root().index(index).join(&overlong_pattern(item)?))
            })
        }
        _ => None,
    }
}

/// Returns what a visit costs: one if the schema contains others, plus one for each object or array that the
/// value is compared with.
fn cost_of(keywords: &Map<String, Value>, holds_others: bool) -> usize {
    let compared = keywords.get("enum").and_then(Value::as_array);
    let composite = |value: &&Value| value.is_object() || value.is_array();
    compared.map_or(0, |values| values.iter().filter(composite).count()) + usize::from(holds_others)
}

fn count_subschemas(schema: &Value) -> usize {
    match schema {
        Value::Object(members) => 1 + members.values().map(count_subschemas).sum::<usize>(),
        Value::Array(items) => items.iter().map(count_subschemas).sum(),
        _ => 0,
    }
}

/// Prepares the subschemas in the value of `keyword`. Returns whether the keyword can contain any.
fn prepare_held(keyword: &str, value: &mut Value) -> bool {
    match (holds(keyword), value) {
        (Holds::NoSchema, _) => return false,
        (Holds::Schema, value @ Value::Object(_)) => prepare(value),
        (Holds::Schema | Holds::Schemas, Value::Array(schemas)) => {
            schemas.iter_mut().for_each(prepare);
        }
        (Holds::NamedSchemas, Value::Object(schemas)) => schemas.values_mut().for_each(prepare),
        _ => {}
    }
    true
}

/// The keywords that can exclude `null` and can't be widened in place.
const CAN_EXCLUDE_NULL: [&str; 7] = ["$ref", "$dynamicRef", "allOf", "not", "if", "then", "else"];

/// Makes a schema accept `null` too. Keywords stay in place where possible, because references may point into
/// them.
fn allow_null(keywords: &mut Map<String, Value>) {
    keywords.remove("nullable");
    match keywords.get_mut("type") {
        Some(Value::Array(types)) => add_once(types, "null".into()),
        Some(kind @ Value::String(_)) => *kind = Value::Array(vec![kind.take(), "null".into()]),
        _ => {}
    }
    if let Some(only) = keywords.remove("const") {
        keywords.insert("enum".to_owned(), Value::Array(vec![only]));
    }
    if let Some(Value::Array(allowed)) = keywords.get_mut("enum") {
        add_once(allowed, Value::Null);
    }
    for union in ["anyOf", "oneOf"] {
        if let Some(Value::Array(alternatives)) = keywords.get_mut(union) {
            add_once(alternatives, null_schema());
        }
    }
    let excluding: Map<String, Value> = CAN_EXCLUDE_NULL
        .iter()
        .filter_map(|keyword| keywords.remove_entry(*keyword))
        .collect();
    if !excluding.is_empty() {
        let either = serde_json::json!({"anyOf": [excluding, null_schema()]});
        keywords.insert("allOf".to_owned(), Value::Array(vec![either]));
    }
}

fn null_schema() -> Value {
    serde_json::json!({"type": "null"})
}

fn add_once(values: &mut Vec<Value>, value: Value) {
    if !values.contains(&value) {
        values.push(value);
    }
}

/// What the value of a keyword contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// A schema; for some keywords a list of schemas.
    Schema,
    /// A list of schemas.
    Schemas,
    /// Schemas under names of their own.
    NamedSchemas,
    /// Plain data.
    NoSchema,
}

/// Returns what the value of `keyword` contains.
pub fn holds(keyword: &str) -> Holds {
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
        Compiler::new(Vec::new()).compile("tool", "parameters", &prepared(schema))
    }

    fn prepared(mut schema: Value) -> Value {
        prepare(&mut schema);
        schema
    }

    fn failure(schema: Value) -> Error {
        compile(schema).expect_err("invalid schema")
    }

    #[test]
    fn overlong_patterns_are_rejected() {
        let long = "a".repeat(LONGEST_PATTERN + 1);
        let cases = [
            (
                json!({"properties": {"a": {"pattern": long}}}),
                "parameters.properties.a.pattern",
            ),
            (
                json!({"anyOf": [{}, {"patternProperties": {&long: {}}}]}),
                "parameters.anyOf[1].patternProperties",
            ),
        ];
        for (schema, place) in cases {
            assert_eq!(failure(schema).report().path.as_deref(), Some(place));
        }
        assert!(
            compile(json!({"pattern": "a".repeat(1000), "properties": {"pattern": {}}})).is_ok()
        );
    }

    #[test]
    fn a_schema_without_a_draft_gets_the_newest_that_fits() {
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
    fn a_subschema_can_name_another_draft() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "properties": {"n": {"$ref": "http://x.test/old"}},
            "$defs": {"old": {
                "$id": "http://x.test/old",
                "$schema": "http://json-schema.org/draft-04/schema#",
                "id": "http://x.test/old",
                "minimum": 0,
                "exclusiveMinimum": true,
            }},
        });
        let validator = compile(schema).expect("a valid schema");
        assert!(!validator.is_valid(&json!({"n": 0})));
    }

    #[test]
    fn a_recursive_anchor_resolves_from_the_root() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2019-09/schema",
            "$id": "http://x.test/root",
            "$recursiveAnchor": true,
            "$defs": {"texts": {
                "$id": "texts",
                "$recursiveAnchor": true,
                "type": ["string", "object"],
                "additionalProperties": {"$recursiveRef": "#"},
            }},
            "anyOf": [{"type": "integer"}, {"$ref": "#/$defs/texts"}],
        });
        let validator = compile(schema).expect("a valid schema");
        assert!(validator.is_valid(&json!({"a": 1})));
    }

    #[test]
    fn references_start_from_the_id_of_the_schema() {
        let schema = json!({
            "$id": "http://x.test/tools/order",
            "properties": {"a": {"$ref": "item"}, "b": {"$ref": "#/$defs/item"}, "c": {"$ref": "order"}},
            "$defs": {"item": {"$id": "item", "type": "string"}},
        });
        let validator = compile(schema).expect("a valid schema");
        for wrong in [
            json!({"a": 1}),
            json!({"b": 1}),
            json!({"c": {"c": {"a": 1}}}),
        ] {
            assert!(!validator.is_valid(&wrong), "{wrong}");
        }
    }

    #[test]
    fn schemas_that_double_during_compilation_are_rejected() {
        let links = (0..30).map(|n| {
            let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
            (
                format!("d{n}"),
                json!({"anyOf": [next, {"$ref": next["$ref"], "required": ["x"]}]}),
            )
        });
        let mut links: Map<String, Value> = links.collect();
        links.insert("d30".to_owned(), json!({}));
        let error =
            failure(json!({"$defs": links, "$ref": "#/$defs/d0", "unevaluatedProperties": false}));
        assert!(error.to_string().contains("too much work"), "{error}");
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
    fn references_reach_given_documents() {
        let documents = vec![(
            "https://example.com/a.json".to_owned(),
            json!({"type": "integer"}),
        )];
        let schema = json!({"properties": {"a": {"$ref": "https://example.com/a.json"}}});
        let validator = Compiler::new(documents)
            .compile("tool", "parameters", &schema)
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
    fn documents_inherit_draft_and_dialect_from_the_referring_schema() {
        let compile = |schema: Value, document: Value| {
            let documents = vec![("http://x.test/d.json".to_owned(), document)];
            Compiler::new(documents)
                .compile("tool", "parameters", &schema)
                .expect("known reference")
        };
        let refers = json!({"properties": {"n": {"$ref": "http://x.test/d.json"}}});
        let nullable = compile(refers, json!({"type": "string", "nullable": true}));
        assert!(nullable.is_valid(&json!({"n": null})));
        let draft_4 = json!({
            "$schema": "http://json-schema.org/draft-04/schema#",
            "properties": {"n": {"$ref": "http://x.test/d.json"}},
        });
        let exclusive = compile(draft_4, json!({"minimum": 0, "exclusiveMinimum": true}));
        assert!(!exclusive.is_valid(&json!({"n": 0})));
        let draft_7 = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "properties": {"n": {"$ref": "http://x.test/d.json#n"}},
        });
        let anchored = compile(
            draft_7,
            json!({"definitions": {"n": {"$id": "#n", "type": "string"}}}),
        );
        assert!(!anchored.is_valid(&json!({"n": 1})));
    }

    #[test]
    fn nullable_accepts_null_in_every_subschema() {
        let schema = json!({
            "properties": {
                "nullable": {"type": "string", "nullable": true, "enum": ["a"]},
                "list": {"type": ["integer"], "nullable": true},
                "const": {"const": "x", "nullable": true},
                "ref": {"$ref": "#/$defs/text", "nullable": true},
                "both": {"allOf": [{"$ref": "#/$defs/text"}], "nullable": true},
                "union": {"oneOf": [{"type": "string"}, {"type": "number"}], "nullable": true},
                "not": {"not": {"type": ["null", "number"]}, "nullable": true},
                "plain": {"type": "string", "nullable": false},
            },
            "$defs": {"text": {"type": "string"}},
        });
        let validator = compile(schema).expect("a valid schema");
        for name in ["nullable", "list", "const", "ref", "both", "union", "not"] {
            assert!(validator.is_valid(&json!({name: null})), "{name}");
            let other = if name == "const" || name == "nullable" {
                json!("b")
            } else {
                json!(true)
            };
            let wrong = if name == "not" { json!(1) } else { other };
            assert!(!validator.is_valid(&json!({name: wrong})), "{name}");
        }
        assert!(!validator.is_valid(&json!({"plain": null})));
    }

    #[test]
    fn references_reach_through_nullable_schemas() {
        for schema in [
            json!({"nullable": true, "$defs": {"s": {"type": "string"}}, "properties": {"a": {"$ref": "#/$defs/s"}}}),
            json!({"properties": {"a": {"$ref": "#/properties/b/properties/c"}, "b": {"nullable": true, "properties": {"c": {"type": "string"}}}}}),
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "nullable": true, "properties": {"a": {"$ref": "#/definitions/s"}}, "definitions": {"s": {"type": "string"}}}),
        ] {
            let validator = compile(schema).expect("a valid schema");
            assert!(!validator.is_valid(&json!({"a": 1})));
        }
    }
}
