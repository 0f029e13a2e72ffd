//! Finds the arguments that a schema declares, at any depth of its unions and references.

use foldhash::HashSet;
use serde_json::{Map, Value};

use toolgauge_model::Step;

/// How deep references and unions are followed.
const DEEPEST: usize = 16;

/// The arguments that a schema declares by name.
#[derive(Debug, Default)]
pub struct DeclaredArguments<'s> {
    /// Names with their schemas, in the order of the schema. If a name occurs several times, the first
    /// counts.
    named: Vec<(&'s str, &'s Value)>,
    /// Whether any part of the schema lists arguments.
    lists_some: bool,
    /// Whether other names are allowed, too.
    is_open: bool,
    /// The subschemas read so far, because references can lead to one of them many times.
    seen: HashSet<*const Value>,
}

impl<'s> DeclaredArguments<'s> {
    /// Reads the declarations of `schema`, the schema of a tool's arguments.
    pub fn of(schema: &'s Value) -> Self {
        Self::of_part(schema, schema)
    }

    /// Reads the declarations of `part` of the schema `root`.
    pub fn of_part(part: &'s Value, root: &'s Value) -> Self {
        let mut declared = Self::default();
        declared.collect(part, root, DEEPEST);
        declared
    }

    /// Returns whether a call may have an argument called `name`. Every name is allowed if the schema lists
    /// no arguments without forbidding others, or if it describes others by a pattern or a schema.
    pub fn allow(&self, name: &str) -> bool {
        self.is_open || !self.lists_some || self.get(name).is_some()
    }

    /// Returns the schema of the argument `name`.
    pub fn get(&self, name: &str) -> Option<&'s Value> {
        let found = self.named.iter().find(|(known, _)| *known == name);
        found.map(|(_, schema)| *schema)
    }

    /// Returns the declared names, in the order of the schema.
    pub fn names(&self) -> impl Iterator<Item = &'s str> {
        self.named.iter().map(|(name, _)| *name)
    }

    fn collect(&mut self, schema: &'s Value, root: &'s Value, levels: usize) {
        let (Some(keywords), Some(levels)) = (schema.as_object(), levels.checked_sub(1)) else {
            return;
        };
        if !self.seen.insert(std::ptr::from_ref(schema)) {
            return;
        }
        self.add_properties(keywords);
        self.is_open |= leaves_names_open(keywords);
        if let Some(target) = keywords.get("$ref").and_then(|it| resolve(it, root)) {
            self.collect(target, root, levels);
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let parts = keywords.get(keyword).and_then(Value::as_array);
            for part in parts.into_iter().flatten() {
                self.collect(part, root, levels);
            }
        }
        for keyword in ["if", "then", "else"] {
            if let Some(part) = keywords.get(keyword) {
                self.collect(part, root, levels);
            }
        }
        let dependent = keywords.get("dependentSchemas").and_then(Value::as_object);
        for part in dependent.into_iter().flat_map(Map::values) {
            self.collect(part, root, levels);
        }
    }

    fn add_properties(&mut self, keywords: &'s Map<String, Value>) {
        let properties = keywords.get("properties").and_then(Value::as_object);
        self.lists_some |= properties.is_some()
            || keywords.get("additionalProperties") == Some(&Value::Bool(false));
        for (name, schema) in properties.into_iter().flatten() {
            if self.get(name).is_none() {
                self.named.push((name, schema));
            }
        }
    }
}

/// Follows `steps` through properties and items of `root` and returns the schema they lead to.
pub fn schema_at<'s>(root: &'s Value, steps: &[Step]) -> Option<&'s Value> {
    steps.iter().try_fold(root, |part, step| match step {
        Step::Key(name) => DeclaredArguments::of_part(part, root).get(name),
        Step::Index(index) => {
            let named = DeclaredArguments::of_part(part, root).get(&index.to_string());
            named.or_else(|| items_of(part, root))
        }
    })
}

fn items_of<'s>(part: &'s Value, root: &'s Value) -> Option<&'s Value> {
    let target = part.get("$ref").and_then(|it| resolve(it, root));
    target.unwrap_or(part).get("items")
}

/// Returns whether the keywords allow arguments that they do not name.
fn leaves_names_open(keywords: &Map<String, Value>) -> bool {
    let describes = |keyword: &str| {
        let value = keywords.get(keyword);
        value.is_some_and(|value| *value == Value::Bool(true) || value.is_object())
    };
    let patterns = keywords.get("patternProperties").and_then(Value::as_object);
    describes("additionalProperties")
        || describes("unevaluatedProperties")
        || patterns.is_some_and(|patterns| !patterns.is_empty())
}

/// Resolves a reference within the document.
fn resolve<'s>(reference: &Value, root: &'s Value) -> Option<&'s Value> {
    root.pointer(reference.as_str()?.strip_prefix('#')?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn allowed(schema: &Value, name: &str) -> bool {
        DeclaredArguments::of(schema).allow(name)
    }

    #[test]
    fn listed_properties_exclude_others_unless_the_schema_allows_them() {
        let listed = json!({"properties": {"a": {}}});
        assert!(allowed(&listed, "a") && !allowed(&listed, "b"));
        assert!(!allowed(&json!({"properties": {}}), "b"));
        assert!(!allowed(
            &json!({"type": "object", "additionalProperties": false}),
            "b"
        ));
        for open in [
            json!({}),
            json!({"type": "object"}),
            json!({"properties": {"a": {}}, "additionalProperties": true}),
            json!({"properties": {"a": {}}, "additionalProperties": {"type": "string"}}),
            json!({"properties": {"a": {}}, "patternProperties": {"^x": {}}}),
        ] {
            assert!(allowed(&open, "b"), "{open}");
        }
    }

    #[test]
    fn a_schema_that_refers_to_itself_many_times_is_read_once() {
        let branches: Vec<_> = (0..40).map(|_| json!({"$ref": "#"})).collect();
        assert!(!allowed(
            &json!({"properties": {"a": {}}, "anyOf": branches}),
            "b"
        ));
    }

    #[test]
    fn the_schema_of_a_nested_value_is_found() {
        let schema = json!({
            "properties": {"rooms": {"type": "array", "items": {"$ref": "#/$defs/room"}}},
            "$defs": {"room": {"properties": {"beds": {"default": 2}}}}
        });
        let steps = [
            Step::Key("rooms".to_owned()),
            Step::Index(3),
            Step::Key("beds".to_owned()),
        ];
        assert_eq!(schema_at(&schema, &steps), Some(&json!({"default": 2})));
        assert_eq!(schema_at(&schema, &steps[1..]), None);
    }

    #[test]
    fn arguments_are_declared_through_references_and_unions() {
        let schema = json!({
            "$ref": "#/$defs/base",
            "allOf": [{"properties": {"b": {"type": "string"}}}],
            "oneOf": [{"properties": {"c": {}}}, {"$ref": "#/$defs/base"}],
            "$defs": {"base": {"properties": {"a": {"const": 1}}, "allOf": [{"$ref": "#/$defs/base"}]}}
        });
        let declared = DeclaredArguments::of(&schema);
        assert_eq!(declared.names().collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(declared.get("a"), Some(&json!({"const": 1})));
        assert!(!declared.allow("d"));
    }
}
