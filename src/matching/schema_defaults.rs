//! The defaults that the JSON Schemas of tools state, as rules for arguments that are left out.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::comparison::PathRule;
use super::expectation::{Expectations, ToolRules};
use super::matcher::Rule;
use super::path_pattern::Step;
use toolgauge_model::{Json, ToolSchema};
use toolgauge_schema::ToolNames;

/// The most steps of a path to a default.
const MOST_STEPS: usize = 16;

/// How often a schema may contain itself on the way to a default.
const MOST_NESTED: usize = 4;

/// The most schemas that are visited for one tool. References can multiply them.
const MOST_SCHEMAS: usize = 2_000;

impl<'a> Expectations<'a> {
    /// Makes an argument that is left out equal to the default of its JSON Schema, in the expected calls and the actual
    /// calls, in nested objects, too. An object that has nothing but defaults equals one that is left out.
    pub fn add_schema_defaults(&mut self, tools: &[ToolSchema<'a>]) {
        let names = ToolNames::new(tools.iter().map(|tool| tool.name.to_owned()).collect());
        let of_tools = tools.iter().map(|tool| defaults_of(tool.parameters).into());
        let of_tools: Vec<Rc<[PathRule<'a>]>> = of_tools.collect();
        let own = tools.iter().map(|tool| tool.name).enumerate();
        let mut of_tool: BTreeMap<_, _> =
            own.map(|(at, name)| (name, of_tools[at].clone())).collect();
        for name in self.tools() {
            if let Some(at) = names.resolve(name) {
                of_tool.insert(name, of_tools[at].clone());
            }
        }
        self.add_rules(&ToolRules {
            of_tool,
            ..ToolRules::default()
        });
    }
}

/// Returns a rule for each default in `schema`, the JSON Schema of a tool's arguments.
fn defaults_of(schema: Json<'_>) -> Vec<PathRule<'_>> {
    let mut search = Search {
        root: schema,
        steps: Vec::new(),
        open: Vec::new(),
        visited: 0,
        found: Vec::new(),
    };
    search.visit(schema);
    search.found
}

struct Search<'a> {
    root: Json<'a>,
    /// The path of the current schema's value.
    steps: Vec<Step>,
    /// The references that led to the current schema.
    open: Vec<&'a str>,
    visited: usize,
    found: Vec<PathRule<'a>>,
}

impl<'a> Search<'a> {
    fn visit(&mut self, schema: Json<'a>) {
        self.visited += 1;
        if self.visited > MOST_SCHEMAS {
            return;
        }
        if let Some(reference) = schema.get("$ref").and_then(Json::as_str)
            && self.open.iter().filter(|open| **open == reference).count() < MOST_NESTED
            && let Some(target) = target(self.root, reference)
        {
            self.open.push(reference);
            self.visit(target);
            self.open.pop();
        }
        for part in parts(schema) {
            self.visit(part);
        }
        for (key, property) in schema
            .get("properties")
            .and_then(Json::members)
            .unwrap_or_default()
        {
            self.visit_child(Step::Key((*key).to_owned()), *property);
        }
        for (at, item) in tuple(schema).iter().enumerate() {
            self.visit_child(Step::Index(at), *item);
        }
        if let Some(items @ Json::Object(_)) = schema.get("items") {
            self.visit_child(Step::AnyItem, items);
        }
    }

    fn visit_child(&mut self, step: Step, schema: Json<'a>) {
        if self.steps.len() == MOST_STEPS {
            return;
        }
        let is_member = matches!(step, Step::Key(_));
        self.steps.push(step);
        if let Some(default) = self.default_of(schema).filter(|_| is_member) {
            self.found.push(PathRule {
                steps: self.steps.clone(),
                rule: Rule {
                    default_of_schema: Some(default),
                    ..Rule::default()
                },
            });
        }
        self.visit(schema);
        self.steps.pop();
    }

    /// Returns the default of `schema`, or of the schema that it refers to.
    fn default_of(&self, schema: Json<'a>) -> Option<Json<'a>> {
        let referred = || {
            let reference = schema.get("$ref")?.as_str()?;
            target(self.root, reference)?.get("default")
        };
        schema.get("default").or_else(referred)
    }
}

/// Returns the schemas that the same value has to meet: those of `allOf`, and the only alternative that is not null.
fn parts<'a>(schema: Json<'a>) -> impl Iterator<Item = Json<'a>> {
    let list = |key: &str| schema.get(key).and_then(Json::items).unwrap_or_default();
    let only = |key: &str| -> Option<Json<'a>> {
        let is_null = |part: &&Json<'a>| part.get("type") == Some(Json::String("null"));
        let mut others = list(key).iter().filter(|part| !is_null(part));
        others.next().copied().filter(|_| others.next().is_none())
    };
    let alternatives = ["anyOf", "oneOf"].map(only);
    let all = list("allOf").iter().copied();
    all.chain(alternatives.into_iter().flatten())
}

/// Returns the schemas of the first items.
fn tuple<'a>(schema: Json<'a>) -> &'a [Json<'a>] {
    let lists = ["prefixItems", "items"].into_iter();
    let mut lists = lists.filter_map(|key| schema.get(key)?.items());
    lists.next().unwrap_or_default()
}

/// Returns what a reference inside `root` points to: `#`, `#/$defs/filter`.
fn target<'a>(root: Json<'a>, reference: &str) -> Option<Json<'a>> {
    let pointer = reference.strip_prefix('#')?;
    let mut steps = pointer.split('/');
    if !steps.next()?.is_empty() {
        return None;
    }
    steps.try_fold(root, |value, step| {
        let key = step.replace("~1", "/").replace("~0", "~");
        match value {
            Json::Array(items) => items.get(key.parse::<usize>().ok()?).copied(),
            other => other.get(&key),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bumpalo::Bump;
    use toolgauge_formats::import_tools;
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Limits, Path, Reader};

    use super::super::comparison::{Comparing, NoComparators};
    use super::super::made::MadeCall;
    use super::super::pairing::pair;

    const TOOL: &str = r##"{"name":"mcp__web__search","parameters":{"type":"object","properties":{
        "q":{"type":"string"},
        "limit":{"type":"integer","default":10},
        "sort":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null},
        "filters":{"$ref":"#/$defs/filters"},
        "page":{"type":"object","default":{},"properties":{"size":{"default":20}}},
        "rows":{"type":"array","items":{"allOf":[{"$ref":"#/$defs/filters"}]}}},
        "$defs":{"filters":{"type":"object","properties":{
            "lang":{"default":"en"},
            "inner":{"anyOf":[{"$ref":"#/$defs/filters"},{"type":"null"}]}}}}}}"##;

    /// Returns whether the call has the expected arguments.
    fn fits(expected: &str, actual: &str) -> bool {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let call =
            |args: &str| arena_json(&arena, &format!(r#"[{{"tool":"search","args":{args}}}]"#));
        let root = Path::root();
        let tools = import_tools(arena_json(&arena, TOOL), reader).expect("tools");
        let mut expectations = Expectations::read(call(expected), &root, reader).expect("a call");
        expectations.add_schema_defaults(&tools.value);
        let made = Expectations::read(call(actual), &root, reader).expect("a call");
        let comparing = Comparing::new(&NoComparators, Limits::default());
        let pairing = pair(
            &expectations,
            &MadeCall::each(&[made.calls[0].call()]),
            &comparing,
        );
        pairing.expect("pairs").correct.len() == 1
    }

    #[test]
    fn a_default_that_is_left_out_equals_one_that_is_written_down() {
        let rows = [
            (r#"{"q":"x","limit":10}"#, r#"{"q":"x"}"#),
            (r#"{"sort":null}"#, "{}"),
            (r#"{"filters":{"lang":"en"}}"#, r#"{"filters":{}}"#),
            (r#"{"filters":{"lang":"en"}}"#, "{}"),
            (r#"{"filters":{"inner":{"lang":"en"}}}"#, "{}"),
            (
                r#"{"filters":{"inner":{"lang":"en"}}}"#,
                r#"{"filters":{"inner":{}}}"#,
            ),
            (r#"{"page":{"size":20}}"#, "{}"),
            (r#"{"page":{}}"#, "{}"),
            (
                r#"{"rows":[{},{"lang":"en"}]}"#,
                r#"{"rows":[{"lang":"en"},{}]}"#,
            ),
        ];
        for (a, b) in rows {
            assert!(fits(a, b) && fits(b, a), "{a} and {b}");
        }
    }

    #[test]
    fn values_other_than_the_default_still_differ() {
        let rows = [
            (r#"{"limit":5}"#, "{}"),
            (r#"{"q":"x"}"#, "{}"),
            (r#"{"filters":{"lang":"no"}}"#, r#"{"filters":{}}"#),
            (r#"{"filters":{"lang":"no"}}"#, "{}"),
            (r#"{"filters":{"lang":"en","since":2020}}"#, "{}"),
            (r#"{"page":{"size":5}}"#, "{}"),
            (r#"{"rows":[{}]}"#, r#"{"rows":[]}"#),
        ];
        for (a, b) in rows {
            assert!(!fits(a, b) && !fits(b, a), "{a} and {b}");
        }
    }

    #[test]
    fn schemas_that_refer_to_each_other_many_times_end() {
        let arena = Bump::new();
        let property = |at: usize| format!(r##""p{at}":{{"$ref":"#/$defs/d{at}"}}"##);
        let all: Vec<_> = (0..12).map(property).collect();
        let all = format!(r#"{{"properties":{{{}}}}}"#, all.join(","));
        let defs: Vec<_> = (0..12).map(|at| format!(r#""d{at}":{all}"#)).collect();
        let schema = format!(
            r#"{{"$defs":{{{}}},"properties":{{"x":{all}}}}}"#,
            defs.join(",")
        );
        assert!(defaults_of(arena_json(&arena, &schema)).is_empty());
    }
}
