//! Rules for descriptions: what a model reads before it chooses a tool and fills in its arguments.

use super::findings::Findings;
use super::issue::{LintIssueType as Kind, ModelProvider};
use super::walk::{Node, resolve, walk};
use super::words::{grouped, words};
use crate::formats::Declared;
use crate::model::Json;

/// Most characters of a function's description that all of OpenAI's models take.
const LONGEST: usize = 1_024;

/// A description of fewer words, and of fewer letters, says too little. Languages without spaces between
/// words say much in few letters; they are left alone.
const FEWEST_WORDS: usize = 3;
const FEWEST_LETTERS: usize = 20;

/// Words that say nothing beside the name.
const EMPTY: [&str; 17] = [
    "a",
    "an",
    "the",
    "of",
    "to",
    "for",
    "this",
    "that",
    "is",
    "tool",
    "function",
    "parameter",
    "param",
    "argument",
    "value",
    "field",
    "property",
];

/// What is wrong with the descriptions of the definition itself.
pub fn lint(findings: &mut Findings<'_, '_>) {
    let definition = findings.definition;
    if matches!(definition.arguments, Declared::Platform) {
        return;
    }
    of_tool(findings);
    if let Declared::Schema(schema) = &definition.arguments {
        walk(schema.source, &schema.path, &mut |node| {
            of_parameter(findings, schema.source, node);
        });
    }
}

fn of_tool(findings: &mut Findings<'_, '_>) {
    let definition = findings.definition;
    let tool = &definition.tool;
    let description = tool.description.unwrap_or_default().trim();
    if description.is_empty() {
        findings.add(
            Kind::MissingDescription,
            &definition.path,
            "nothing says what it does",
            "Describe what it does, when to use it and when not, and what it returns.",
        );
        return;
    }
    let path = definition.path.key("description");
    if repeats(description, tool.name) {
        findings.add(
            Kind::DescriptionRepeatsName,
            &path,
            "says no more than the name",
            "Say when to use the tool, and what it returns.",
        );
    } else if description.is_ascii()
        && description.len() < FEWEST_LETTERS
        && description.split_whitespace().count() < FEWEST_WORDS
    {
        findings.add(
            Kind::DescriptionTooShort,
            &path,
            "says hardly anything",
            "Say what the tool does, when to use it, and what it returns.",
        );
    }
    let length = description.chars().count();
    if length > LONGEST {
        findings.add_rejected(
            Kind::DescriptionTooLong,
            &path,
            &|provider| provider == ModelProvider::Openai,
            &format!("descriptions of over 1,024 characters with some models; this has {length}"),
            "Shorten it, or move a part to the system prompt.",
        );
    }
}

fn of_parameter<'a>(findings: &mut Findings<'_, 'a>, root: Json<'a>, node: Node<'_, 'a>) {
    let Some(name) = node.property.filter(|_| !node.narrows) else {
        return;
    };
    match described(node.schema, root, MOST_STEPS) {
        None => {
            findings.add(
                Kind::MissingParameterDescription,
                node.path,
                "nothing says what it means",
                "Describe what it means, its unit or form, and give an example.",
            );
        }
        Some(_) if node.has_any(&["enum", "const"]) => {}
        Some(description) if repeats(description, name) => {
            findings.add(
                Kind::DescriptionRepeatsName,
                &node.path.key("description"),
                "says no more than the name",
                "Say what it means, its unit or form, and give an example.",
            );
        }
        Some(_) => {}
    }
}

/// How many references and unions are looked through for a description.
const MOST_STEPS: usize = 4;

/// The description of a schema, or of what it refers to or is made of; one value needs none.
fn described<'a>(schema: Json<'a>, root: Json<'a>, steps: usize) -> Option<&'a str> {
    let own = schema.get("description").and_then(Json::as_str);
    let own = own.filter(|text| !text.trim().is_empty());
    if own.is_some() || steps == 0 {
        return own;
    }
    if schema.get("const").is_some() {
        return Some("");
    }
    let referred = || {
        let to = schema.get("$ref").and_then(Json::as_str)?;
        described(resolve(root, to)?, root, steps - 1)
    };
    let made_of = || {
        let mut parts = ["allOf", "anyOf", "oneOf"]
            .into_iter()
            .flat_map(|key| schema.get(key).and_then(Json::items).unwrap_or_default());
        parts.find_map(|part| described(*part, root, steps - 1))
    };
    referred().or_else(made_of)
}

/// Whether `description` has no word that `name` does not have.
fn repeats(description: &str, name: &str) -> bool {
    // Only a short text can.
    if description.len() > 4 * name.len() + 40 {
        return false;
    }
    let name = words(name);
    let mut told = words(description).into_iter();
    told.all(|word| name.contains(&word) || EMPTY.contains(&word.as_str()))
}

/// For tools, by their names and descriptions, those that another one of another name has the description
/// of: its place, and the first of those names.
pub fn identical<'n>(tools: &[(&'n str, Option<&str>)]) -> Vec<(usize, &'n str)> {
    let told = tools.iter().map(|(_, description)| {
        let mut told = words(description.unwrap_or_default());
        told.retain(|word| !EMPTY.contains(&word.as_str()));
        told.join(" ")
    });
    let mut found = Vec::new();
    for group in grouped(told.collect(), 2) {
        let names = group.iter().map(|at| tools[*at].0);
        let first = names.min().unwrap_or_default();
        let others = group.iter().filter(|at| tools[**at].0 != first);
        found.extend(others.map(|at| (*at, first)));
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::testing::{found, found_by, with_argument, with_parameters};
    use super::super::{LintProvider, testing::linted};

    fn of_tool(description: &str) -> Vec<String> {
        let empty = json!({"type": "object", "properties": {}});
        found(&json!({"name": "get_user_details", "description": description, "parameters": empty}))
    }

    #[test]
    fn descriptions_that_say_nothing_are_told() {
        for (description, expected) in [
            ("", &["medium missing_description "][..]),
            (" \n", &["medium missing_description "]),
            (
                "Get the details of a user.",
                &["low description_repeats_name description"],
            ),
            (
                "GetUserDetails",
                &["low description_repeats_name description"],
            ),
            ("Reads a row", &[]),
            ("Helper", &["low description_too_short description"]),
            ("获取用户", &[]),
            ("Looks a user up by e-mail address.", &[]),
        ] {
            assert_eq!(of_tool(description), expected, "{description:?}");
        }
    }

    #[test]
    fn every_parameter_is_described_also_where_it_is_nested_or_referred_to() {
        let place = "parameters.properties.x";
        let missing = |schema: Value| {
            let mut schema = schema;
            schema["type"] = "object".into();
            found(&with_parameters(
                json!({"type": "object", "properties": {"x": schema}}),
            ))
        };
        assert_eq!(
            missing(json!({"properties": {"y": {"type": "string"}}})),
            [
                format!("low missing_parameter_description {place}"),
                format!("low missing_parameter_description {place}.properties.y")
            ]
        );
        let told = json!({"$ref": "#/$defs/a", "$defs": {"a": {"description": "where to go"}}});
        let referred = with_parameters(json!({
            "type": "object",
            "properties": {"x": {"$ref": "#/$defs/a"}, "y": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}},
            "$defs": told["$defs"],
        }));
        assert!(found(&referred).is_empty());
        let narrowing = with_parameters(json!({
            "type": "object",
            "properties": {"kind": {"type": "string", "description": "on foot or by car"}},
            "if": {"properties": {"kind": {"const": "foot"}}},
            "then": {"properties": {"kind": {"minLength": 1}}},
        }));
        assert!(found(&narrowing).is_empty());
    }

    #[test]
    fn a_parameter_that_repeats_its_name_is_told_unless_its_values_are_listed() {
        let repeats = with_argument(json!({"type": "string", "description": "The x."}));
        assert_eq!(
            found(&repeats),
            ["low description_repeats_name parameters.properties.x.description"]
        );
        let listed = json!({"type": "string", "description": "The x.", "enum": ["a", "b"]});
        assert!(found(&with_argument(listed)).is_empty());
    }

    #[test]
    fn long_descriptions_are_an_issue_of_openai_alone() {
        let tool = |length| json!({"name": "walk", "description": "é".repeat(length), "parameters": {"type": "object"}});
        let openai = Some(LintProvider::Openai);
        assert!(found_by(&tool(1024), openai).is_empty());
        assert_eq!(
            found_by(&tool(1025), openai),
            ["medium description_too_long description"]
        );
        assert!(found(&tool(1025)).is_empty());
    }

    #[test]
    fn the_same_description_twice_is_told_once_whatever_the_order() {
        let tool = |name: &str, description: &str| json!({"name": name, "description": description, "parameters": {"type": "object"}});
        let (a, b) = (
            tool("find_direct", "Find flights between two cities."),
            tool("find_onestop", "Find the flights between two cities"),
        );
        let other = tool("find_all", "Find trains between two cities.");
        for tools in [json!([a, b, other]), json!([b, other, a])] {
            let issues = linted(&tools, None).expect("definitions").issues;
            assert_eq!(issues.len(), 1, "{issues:#?}");
            assert_eq!(issues[0].tool_name.as_deref(), Some("find_onestop"));
            assert_eq!(issues[0].details.other.as_deref(), Some("find_direct"));
        }
    }
}
