//! A fast validator for plain schemas: types, allowed strings, properties and items only.
//!
//! Nearly all arguments are valid. The full validator needs them converted to its own values first, which
//! takes longer than validating them. A plain schema accepts valid arguments without that conversion.
//! Whatever it does not accept goes to the full validator, which then explains the violations.

use serde_json::{Map, Value};

use super::effort;
use toolgauge_model::{Json, Member, Number, SCHEMA_TYPES, are_same};

/// Objects with more members or properties go to the full validator, because each member is looked up among
/// all properties.
const MOST_MEMBERS: usize = 64;

/// A schema with only these keywords and purely descriptive ones.
pub struct PlainSchema(Vec<Accepted>);

/// Values of one type that a schema accepts.
enum Accepted {
    Anything,
    Null,
    Boolean,
    Number,
    /// Numbers with a decimal point go to the full validator, because the drafts differ on `1.0`.
    Integer,
    Text,
    OneOf(Vec<String>),
    Array(PlainSchema),
    Object(Members),
}

struct Members {
    properties: Vec<Property>,
    /// How many of the properties are required.
    required: usize,
    /// Whether other members are forbidden.
    is_closed: bool,
}

struct Property {
    name: String,
    is_required: bool,
    /// `None` if the schema of the property is not plain.
    schema: Option<PlainSchema>,
}

impl PlainSchema {
    /// Reads `schema`, which must be valid in its draft. Returns `None` if it is not plain.
    pub fn of(schema: &Value) -> Option<Self> {
        let keywords = match schema {
            Value::Bool(true) => return Some(Self(vec![Accepted::Anything])),
            Value::Object(keywords) => keywords,
            _ => return None,
        };
        if !keywords.keys().all(|keyword| is_plain(keyword)) {
            return None;
        }
        let types: Vec<_> = match keywords.get("type") {
            None => SCHEMA_TYPES.to_vec(),
            Some(Value::String(name)) => vec![name.as_str()],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            Some(_) => return None,
        };
        let accepted = types.iter().filter_map(|name| Accepted::of(name, keywords));
        Some(Self(accepted.collect()))
    }

    /// Returns whether `json` is certainly valid. `false` means that the full validator has to decide.
    pub fn accepts(&self, json: Json<'_>) -> bool {
        self.0.iter().any(|accepted| accepted.includes(json))
    }
}

fn is_plain(keyword: &str) -> bool {
    const SAYS: [&str; 6] = [
        "type",
        "enum",
        "items",
        "properties",
        "required",
        "additionalProperties",
    ];
    const DESCRIBES: [&str; 6] = [
        "title",
        "description",
        "default",
        "examples",
        "deprecated",
        effort::KEYWORD,
    ];
    SAYS.contains(&keyword) || DESCRIBES.contains(&keyword)
}

impl Accepted {
    /// Reads what a schema with these keywords accepts for the type `name`. `None` if it is not plain.
    fn of(name: &str, keywords: &Map<String, Value>) -> Option<Self> {
        if let Some(allowed) = keywords.get("enum") {
            let texts = allowed.as_array()?.iter().filter_map(Value::as_str);
            return (name == "string").then(|| Self::OneOf(texts.map(str::to_owned).collect()));
        }
        Some(match name {
            "null" => Self::Null,
            "boolean" => Self::Boolean,
            "number" => Self::Number,
            "integer" => Self::Integer,
            "string" => Self::Text,
            "array" => {
                let items = keywords.get("items").unwrap_or(&Value::Bool(true));
                Self::Array(PlainSchema::of(items)?)
            }
            "object" => Self::Object(Members::of(keywords)?),
            _ => return None,
        })
    }

    fn includes(&self, json: Json<'_>) -> bool {
        match (self, json) {
            (Self::Anything, json) => is_finite(json),
            (Self::Null, Json::Null) | (Self::Boolean, Json::Bool(_)) => true,
            (Self::Number, Json::Number(number)) => number.is_finite(),
            (Self::Integer, Json::Number(number)) => !matches!(number, Number::Float(_)),
            (Self::Text, Json::String(_)) => true,
            (Self::OneOf(allowed), Json::String(text)) => {
                allowed.iter().any(|allowed| are_same(allowed, text))
            }
            (Self::Array(schema), Json::Array(items)) => {
                items.iter().all(|item| schema.accepts(*item))
            }
            (Self::Object(members), Json::Object(given)) => members.accept(given),
            _ => false,
        }
    }
}

/// Returns whether JSON can represent all numbers in it.
fn is_finite(json: Json<'_>) -> bool {
    match json {
        Json::Number(number) => number.is_finite(),
        Json::Array(items) => items.iter().all(|item| is_finite(*item)),
        Json::Object(members) => members.iter().all(|(_, value)| is_finite(*value)),
        _ => true,
    }
}

impl Members {
    fn of(keywords: &Map<String, Value>) -> Option<Self> {
        let none = Map::new();
        let schemas = keywords
            .get("properties")
            .map_or(Some(&none), Value::as_object)?;
        let required = keywords
            .get("required")
            .map_or(Some(&[][..]), |names| names.as_array().map(Vec::as_slice))?;
        let is_closed = match keywords.get("additionalProperties") {
            None | Some(Value::Bool(true)) => false,
            Some(Value::Bool(false)) => true,
            Some(_) => return None,
        };
        if schemas.len() > MOST_MEMBERS {
            return None;
        }
        let properties = schemas.iter().map(|(name, schema)| Property {
            name: name.clone(),
            is_required: required.iter().any(|required| required == name),
            schema: PlainSchema::of(schema),
        });
        let are_known = required
            .iter()
            .all(|name| name.as_str().is_some_and(|name| schemas.contains_key(name)));
        are_known.then(|| Self {
            properties: properties.collect(),
            required: required.len(),
            is_closed,
        })
    }

    fn accept(&self, given: &[Member<'_>]) -> bool {
        if given.len() > MOST_MEMBERS {
            return false;
        }
        let mut found = 0;
        for (key, value) in given {
            let mut properties = self.properties.iter();
            let is_accepted = match properties.find(|property| are_same(&property.name, key)) {
                Some(property) => {
                    found += usize::from(property.is_required);
                    let schema = property.schema.as_ref();
                    schema.is_some_and(|schema| schema.accepts(*value))
                }
                None => !self.is_closed && is_finite(*value),
            };
            if !is_accepted {
                return false;
            }
        }
        found == self.required
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::violation::violations;
    use super::super::{Compiler, prepare};
    use super::*;
    use toolgauge_model::testing::arena_json;

    /// Generates plain schemas; with `others` also schemas that are not plain.
    fn schema(others: bool) -> impl Strategy<Value = Value> {
        let types = prop::sample::select(&SCHEMA_TYPES[..]).prop_map(|name| json!({"type": name}));
        let plain = prop::sample::select(vec![
            json!(true),
            json!({"description": "anything"}),
            json!({"type": "string", "enum": ["x", "y"]}),
            json!({"type": ["string", "null"]}),
        ]);
        let other = prop::sample::select(vec![
            json!(false),
            json!({"type": "string", "maxLength": 0}),
            json!({"enum": ["x", 1, null]}),
            json!({"not": {"type": "object"}}),
            json!({"additionalProperties": {"type": "null"}}),
            json!({"required": ["a", "c"]}),
        ]);
        let leaf = prop_oneof![2 => types, 2 => plain, u32::from(others) => other];
        leaf.prop_recursive(3, 24, 4, |inner| {
            let properties = prop::collection::btree_map("[ab]", inner.clone(), 0..3);
            let objects = (properties, any::<[bool; 3]>()).prop_map(|(properties, flags)| {
                let [are_required, is_closed, is_typed] = flags;
                let mut schema = json!({"properties": properties});
                if are_required {
                    schema["required"] = properties.keys().cloned().collect();
                }
                if is_closed {
                    schema["additionalProperties"] = json!(false);
                }
                if is_typed {
                    schema["type"] = json!("object");
                }
                schema
            });
            let arrays = inner.prop_map(|items| json!({"type": "array", "items": items}));
            prop_oneof![objects, arrays]
        })
    }

    fn instance() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!(null)),
            Just(json!(true)),
            Just(json!(1)),
            Just(json!(-1)),
            Just(json!(1.5)),
            prop::sample::select(vec!["x", "y", "z"]).prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 16, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                prop::collection::btree_map("[abc]", inner, 0..3)
                    .prop_map(|members| json!(members)),
            ]
        })
    }

    /// Returns whether the plain schema accepts the value, if there is one, and whether the validator does.
    fn judged(schema: &Value, value: &Value) -> (Option<bool>, bool) {
        let mut prepared = schema.clone();
        prepare(&mut prepared);
        let compiler = Compiler::new(Vec::new());
        let validator = compiler
            .compile("tool", "parameters", &prepared)
            .expect("a valid schema");
        let arena = Bump::new();
        let value = arena_json(&arena, &value.to_string());
        let (found, _) = violations(&validator, &prepared, value, 10);
        let plain = PlainSchema::of(&prepared);
        (plain.map(|plain| plain.accepts(value)), found.is_empty())
    }

    proptest! {
        #[test]
        fn plain_schemas_agree_with_the_validator(schema in schema(false), value in instance()) {
            let (plain, valid) = judged(&schema, &value);
            prop_assert_eq!(plain, Some(valid), "{} {}", schema, value);
        }

        #[test]
        fn other_keywords_go_to_the_validator(schema in schema(true), value in instance()) {
            let (plain, valid) = judged(&schema, &value);
            prop_assert!(valid || plain != Some(true), "{} {}", schema, value);
        }
    }

    #[test]
    fn values_on_which_drafts_disagree_go_to_the_validator() {
        let cases = [
            (json!({"type": "integer"}), json!(1.0), Some(false)),
            (
                json!({"type": "string", "format": "date"}),
                json!("x"),
                None,
            ),
            (
                json!({"$schema": "http://json-schema.org/draft-04/schema#"}),
                json!(1),
                None,
            ),
            (json!({"enum": [1, "x"]}), json!(1), Some(false)),
            (json!({"enum": [1, "x"]}), json!("x"), Some(true)),
        ];
        for (schema, value, expected) in cases {
            assert_eq!(judged(&schema, &value).0, expected, "{schema} {value}");
        }
        let members = (0..=MOST_MEMBERS).map(|at| (at.to_string(), json!(at)));
        let large = Value::Object(members.collect());
        assert_eq!(judged(&json!({}), &large), (Some(false), true));
        let anything = PlainSchema::of(&json!({})).expect("a plain schema");
        let nan = Json::Number(Number::Float(f64::NAN));
        for value in [nan, Json::Array(&[nan]), Json::Object(&[("a", nan)])] {
            assert!(!anything.accepts(value));
        }
    }
}
