//! Compiles schemas together.
//!
//! `jsonschema` checks everything that it compiles against a meta-schema. In WebAssembly it builds the
//! validator for that check on each compilation, which takes several times as long as compiling the schema of
//! a tool. A wrapper that refers to the schemas of many tools is checked once for all of them.

use std::sync::{Arc, OnceLock};

use jsonschema::{Draft, Validator, ValidatorMap};
use serde_json::Value;

use super::compile::{Documents, build_all, must_be_the_root, overlong_pattern};
use super::meta_schema;
use super::well_formed::draft_if_well_formed;

/// The most schemas in a group, because the work of compiling a group grows with their square.
const MOST_IN_GROUP: usize = 100;

/// The validator of one schema.
pub enum Compiled {
    /// The schema was compiled by itself.
    Alone(Box<Validator>),
    /// The schema belongs to a group.
    Member {
        /// The group.
        group: Arc<Group>,
        /// The name of the schema in the group.
        name: String,
    },
    /// The schema accepts everything, which its plain form decides without a validator.
    Anything,
}

/// Schemas of one draft, compiled when one of their validators is first needed.
pub struct Group {
    schemas: Vec<Arc<Value>>,
    draft: Draft,
    documents: Documents,
    compiled: OnceLock<Option<ValidatorMap>>,
}

/// How a schema is compiled.
#[derive(Clone, Copy, PartialEq)]
pub enum Way {
    /// By itself, because schemas beside it could change its meaning, or because it is not valid.
    Alone,
    /// With all others of its draft. It may still turn out to be invalid.
    Together(Draft),
    /// With all others of its draft, on first use, because it certainly compiles.
    Later(Draft),
}

impl Compiled {
    /// Returns the validator, or `None` if the schema can't be compiled in its group.
    pub fn validator(&self) -> Option<&Validator> {
        match self {
            Self::Alone(validator) => Some(validator),
            Self::Member { group, name } => group.validator(name),
            Self::Anything => None,
        }
    }
}

impl Group {
    fn validator(&self, name: &str) -> Option<&Validator> {
        let compile = || build_all(&self.schemas, self.draft, &self.documents).ok();
        let compiled = self.compiled.get_or_init(compile);
        compiled.as_ref()?.get(name)
    }
}

impl Way {
    /// Decides how to compile `schema`, which must be prepared.
    pub fn of(schema: &Value) -> Self {
        if let Some(draft) = draft_if_well_formed(schema) {
            return Self::Later(draft);
        }
        if must_be_the_root(schema) || overlong_pattern(schema).is_some() || reaches_out(schema) {
            return Self::Alone;
        }
        let draft = super::compile::drafts_of(schema).into_iter().find(|draft| {
            meta_schema::is_known(*draft) && meta_schema::check(schema, *draft).is_ok()
        });
        draft.map_or(Self::Alone, Self::Together)
    }

    /// Returns the draft of the group.
    fn draft(self) -> Option<Draft> {
        match self {
            Self::Alone => None,
            Self::Together(draft) | Self::Later(draft) => Some(draft),
        }
    }
}

/// Groups `schemas` and returns their places in order; `None` for those that are compiled alone.
pub fn group(schemas: &[Arc<Value>], documents: &Documents) -> Vec<Option<Compiled>> {
    let ways: Vec<_> = schemas.iter().map(|schema| Way::of(schema)).collect();
    let mut placed: Vec<Option<Compiled>> = schemas.iter().map(|_| None).collect();
    for (first, way) in ways.iter().enumerate() {
        let (Some(draft), None) = (way.draft(), &placed[first]) else {
            continue;
        };
        let is_member = |at: &usize| ways[*at] == *way && placed[*at].is_none();
        let members = (first..schemas.len()).filter(is_member);
        // A later round of the loop places the schemas beyond this limit.
        let members: Vec<usize> = members.take(MOST_IN_GROUP).collect();
        let group = Arc::new(Group {
            schemas: members.iter().map(|at| Arc::clone(&schemas[*at])).collect(),
            draft,
            documents: documents.clone(),
            compiled: OnceLock::new(),
        });
        for (at, member) in members.into_iter().enumerate() {
            let group = Arc::clone(&group);
            let name = format!("#/{at}");
            placed[member] = Some(Compiled::Member { group, name });
        }
    }
    for (compiled, way) in placed.iter_mut().zip(ways) {
        let fails = |compiled: &mut Compiled| compiled.validator().is_none();
        if matches!(way, Way::Together(_)) {
            compiled.take_if(fails);
        }
    }
    placed
}

/// Returns whether `schema` refers to other schemas, or has an id that another schema may share: schemas
/// compiled with it could then change its meaning. Keywords for unevaluated parts count too, because
/// compiling them may take more work than the size of the schema suggests.
fn reaches_out(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members.iter().any(|(keyword, value)| {
            let reaches = match (keyword.as_str(), value) {
                ("$id" | "id", Value::String(_)) => true,
                ("$ref", Value::String(reference)) => !reference.starts_with('#'),
                (keyword, _) => {
                    keyword.starts_with("unevaluated") || keyword.starts_with("$dynamic")
                }
            };
            reaches || reaches_out(value)
        }),
        Value::Array(items) => items.iter().any(reaches_out),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::prepare;
    use super::*;

    fn way(mut schema: Value) -> Way {
        prepare(&mut schema);
        Way::of(&schema)
    }

    #[test]
    fn each_tool_of_a_group_keeps_its_own_schema() {
        use std::fmt::Write as _;

        use bumpalo::Bump;

        use super::super::{Compiler, ToolSet};
        use toolgauge_formats::import_tools;
        use toolgauge_model::testing::arena_json;
        use toolgauge_model::{Limits, Reader};

        let parameters = [
            json!({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "integer"}}}),
            json!({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "string"}}}),
            json!({"properties": {"a": {"pattern": "^[0-9]$"}}}),
            json!({"properties": {"a": {"pattern": "^[a-z]$"}}}),
            json!({"properties": {"a": {"items": [{"pattern": "a"}, {"type": "null"}]}}}),
            json!({"$id": "http://x.test/same", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "null"}}}),
            json!({"$id": "http://x.test/same", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "array"}}}),
            json!({"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"a": {"minimum": 1, "exclusiveMinimum": true}}}),
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": {"$ref": "#", "type": "string"}}}),
        ];
        let tools = parameters.iter().enumerate();
        let tools = tools
            .map(|(at, parameters)| json!({"name": format!("t{at}"), "parameters": parameters}));
        let tools: Vec<_> = tools.collect();
        let values = [
            "1",
            "9",
            "\"x\"",
            "\"1\"",
            "null",
            "[]",
            "[\"b\"]",
            "[\"a\", 1]",
            "{}",
        ];
        let judged = |tools: &[Value]| {
            let arena = Bump::new();
            let reader = Reader::new(&arena, Limits::default());
            let text = Value::from(tools).to_string();
            let imported = import_tools(arena_json(&arena, &text), reader).expect("tools");
            let set = ToolSet::compile(&imported.value, &Compiler::new(Vec::new())).expect("valid");
            let mut judged = String::new();
            for tool in set.tools() {
                for value in values {
                    let arguments = arena_json(&arena, &format!("{{\"a\": {value}}}"));
                    let found = tool.violations(arguments, Limits::default()).expect("few");
                    let found: Vec<_> = found.0.iter().map(|it| &it.message).collect();
                    writeln!(judged, "{} {value} {found:?}", tool.name).expect("a text");
                }
            }
            judged
        };
        let alone: String = tools
            .iter()
            .map(|tool| judged(std::slice::from_ref(tool)))
            .collect();
        assert_eq!(judged(&tools), alone);
        let refused = alone.lines().filter(|line| !line.ends_with("[]")).count();
        assert!(refused > parameters.len() && refused < alone.lines().count() - parameters.len());
    }

    #[test]
    fn the_first_invalid_schema_is_reported() {
        let broken = [
            json!({"pattern": "("}),
            json!({"type": "nmber"}),
            json!({"$ref": "#/$defs/none"}),
            json!({"$ref": "http://x.test/none"}),
        ];
        let fine = json!({"pattern": "a"});
        for first in &broken {
            for second in &broken {
                let schemas = [fine.clone(), first.clone(), fine.clone(), second.clone()];
                let schemas: Vec<_> = schemas.into_iter().map(Arc::new).collect();
                let tools: Vec<_> = ["a", "b", "c", "d"].into_iter().zip(schemas).collect();
                let compiled = super::super::Compiler::new(Vec::new()).compile_all(&tools);
                let fail: Vec<_> = compiled.iter().map(|it| it.is_err()).collect();
                assert_eq!(fail, [false, true, false, true], "{first} {second}");
            }
        }
    }

    #[test]
    fn schemas_that_others_could_change_are_compiled_alone() {
        for schema in [
            json!({"$id": "http://x.test/a", "$ref": "#/$defs/a", "$defs": {"a": {}}}),
            json!({"$ref": "http://x.test/a"}),
            json!({"properties": {"a": {"$dynamicRef": "#a"}}}),
            json!({"unevaluatedProperties": false}),
            json!({"$schema": "http://x.test/meta"}),
            json!({"type": "nmber"}),
        ] {
            assert!(way(schema.clone()) == Way::Alone, "{schema}");
        }
    }

    #[test]
    fn independent_schemas_are_compiled_together_by_draft() {
        let local = json!({"$ref": "#/$defs/a/items", "$defs": {"a": {"items": {}}}});
        assert!(way(local) == Way::Together(Draft::Draft202012));
        let pair = json!({"items": [{"pattern": "a"}, {}]});
        assert!(way(pair) == Way::Together(Draft::Draft7));
        assert!(
            way(json!({"properties": {"id": {"type": "string"}}}))
                == Way::Later(Draft::Draft202012)
        );
        let draft_7 = json!({"$schema": "http://json-schema.org/draft-07/schema#"});
        assert!(way(draft_7) == Way::Later(Draft::Draft7));
    }
}
