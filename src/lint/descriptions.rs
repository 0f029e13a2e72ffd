//! Rules for descriptions, which a model reads to choose a tool and to fill in its arguments.

use super::findings::Findings;
use super::issue::{LintIssueType as Kind, ModelProvider};
use super::walk::{Node, resolve, walk};
use super::words::{grouped, words};
use toolgauge_formats::Declared;
use toolgauge_model::Json;

/// The most characters of a tool description that all OpenAI models accept.
const LONGEST: usize = 1_024;

/// A description with fewer words and fewer letters is too short. Languages without spaces between words need
/// fewer letters, so only ASCII text is checked.
const FEWEST_WORDS: usize = 3;
const FEWEST_LETTERS: usize = 20;

/// Words that add nothing to the name.
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

/// Checks the descriptions of the definition itself.
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
            "the tool has no description",
            "Describe what it does, when to use it and when not, and what it returns.",
        );
        return;
    }
    let path = definition.path.key("description");
    if repeats(description, tool.name) {
        findings.add(
            Kind::DescriptionRepeatsName,
            &path,
            "repeats the name and adds nothing",
            "Say when to use the tool, and what it returns.",
        );
    } else if description.is_ascii()
        && description.len() < FEWEST_LETTERS
        && description.split_whitespace().count() < FEWEST_WORDS
    {
        findings.add(
            Kind::DescriptionTooShort,
            &path,
            "too short to explain the tool",
            "Say what the tool does, when to use it, and what it returns.",
        );
    }
    let length = description.chars().count();
    if length > LONGEST {
        findings.add_rejected(
            Kind::DescriptionTooLong,
            &path,
            &|provider| provider == ModelProvider::Openai,
            &format!(
                "descriptions of over 1,024 characters for some models; this one has {length}"
            ),
            "Shorten it, or move a part of it to the system prompt.",
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
                "the parameter has no description",
                "Describe what it means, its unit or form, and give an example.",
            );
        }
        Some(_) if node.has_any(&["enum", "const"]) => {}
        Some(description) if repeats(description, name) => {
            findings.add(
                Kind::DescriptionRepeatsName,
                &node.path.key("description"),
                "repeats the name and adds nothing",
                "Say what it means, its unit or form, and give an example.",
            );
        }
        Some(_) => {}
    }
}

/// How many references and unions are followed to find a description.
const MOST_STEPS: usize = 4;

/// Returns the description of a schema, or of the schema that it refers to or consists of. A schema with a
/// single value needs none.
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

/// Returns whether `description` has no word that `name` lacks.
fn repeats(description: &str, name: &str) -> bool {
    // Only short descriptions can consist of the words of the name.
    if description.len() > 4 * name.len() + 40 {
        return false;
    }
    let name = words(name);
    let mut said = words(description).into_iter();
    said.all(|word| name.contains(&word) || EMPTY.contains(&word.as_str()))
}

/// Finds tools, given by name and description, whose description another tool with another name has, too.
/// Returns their positions, each with the first of those names.
pub fn identical<'n>(tools: &[(&'n str, Option<&str>)]) -> Vec<(usize, &'n str)> {
    let keys = tools.iter().map(|(_, description)| {
        let mut said = words(description.unwrap_or_default());
        said.retain(|word| !EMPTY.contains(&word.as_str()));
        said.join(" ")
    });
    let mut found = Vec::new();
    for group in grouped(keys.collect(), 2) {
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
    fn empty_descriptions_are_reported() {
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
    fn nested_and_referenced_parameters_need_descriptions() {
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
        let described =
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"description": "where to go"}}});
        let referred = with_parameters(json!({
            "type": "object",
            "properties": {"x": {"$ref": "#/$defs/a"}, "y": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}},
            "$defs": described["$defs"],
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
    fn a_description_that_repeats_the_name_is_reported_unless_values_are_listed() {
        let repeats = with_argument(json!({"type": "string", "description": "The x."}));
        assert_eq!(
            found(&repeats),
            ["low description_repeats_name parameters.properties.x.description"]
        );
        let listed = json!({"type": "string", "description": "The x.", "enum": ["a", "b"]});
        assert!(found(&with_argument(listed)).is_empty());
    }

    #[test]
    fn long_descriptions_are_reported_for_openai_only() {
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
    fn identical_descriptions_are_reported_once_in_any_order() {
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
