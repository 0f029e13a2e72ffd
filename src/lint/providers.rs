//! Rules of single providers: what their APIs reject although it is valid JSON Schema.

use std::collections::{BTreeMap, HashSet};

use super::findings::{Findings, shown};
use super::issue::{LintIssue, LintIssueType as Kind, ModelProvider};
use super::walk::{Node, walk};
use crate::formats::{Declared, DeclaredSchema};
use crate::model::{Json, Path};

/// How many tools the API of a provider takes, as its errors say: OpenAI 128, Gemini 512.
pub fn most_tools(provider: ModelProvider) -> Option<usize> {
    match provider {
        ModelProvider::Openai => Some(128),
        ModelProvider::Gemini => Some(512),
        ModelProvider::Anthropic | ModelProvider::Bedrock => None,
    }
}

/// What providers reject of the schema of the definition.
pub fn lint(findings: &mut Findings<'_, '_>) {
    let Declared::Schema(schema) = &findings.definition.arguments else {
        return;
    };
    root(findings, schema);
    let is_strict = is_strict(findings);
    // Gemini takes JSON Schema itself under this key.
    let is_json_schema = matches!(
        schema.key,
        "parametersJsonSchema" | "parameters_json_schema"
    );
    let is_for_gemini = !is_json_schema && findings.target.is_alone(ModelProvider::Gemini);
    let mut keywords = Rejected::default();
    let mut strict = Strict::default();
    walk(schema.source, &schema.path, &mut |node| {
        items(findings, node);
        if is_for_gemini {
            gemini(&mut keywords, node);
        }
        formats(findings, node, is_strict, is_json_schema);
        if is_strict {
            strict.look_at(node);
        }
    });
    keywords.tell(findings);
    strict.tell(findings, &schema.path);
}

fn is_strict(findings: &Findings<'_, '_>) -> bool {
    let mut extra = findings.definition.tool.extra.iter();
    extra.any(|(key, value)| *key == "strict" && matches!(value, Json::Bool(true)))
}

/// The errors of the APIs of OpenAI and Anthropic name these keywords as not allowed at the top level.
fn root(findings: &mut Findings<'_, '_>, schema: &DeclaredSchema<'_>) {
    for keyword in ["oneOf", "anyOf", "allOf", "enum", "const", "not"] {
        if schema.source.get(keyword).is_none() {
            continue;
        }
        let issue = findings.add_rejected(
            Kind::UnsupportedRoot,
            &schema.path.key(keyword),
            &|provider| match provider {
                ModelProvider::Openai => true,
                ModelProvider::Anthropic => keyword.ends_with("Of"),
                ModelProvider::Gemini | ModelProvider::Bedrock => false,
            },
            &format!("{keyword} at the root of parameters"),
            "Make the parameters one object, and say in descriptions which go together.",
        );
        if let Some(issue) = issue {
            issue.details.keyword = Some(keyword.to_owned());
        }
    }
}

/// OpenAI ("array schema missing items") and Gemini ("items: missing field") demand the schema of items.
fn items<'a>(findings: &mut Findings<'_, 'a>, node: Node<'_, 'a>) {
    if node.narrows || !node.has_type("array") || node.has_any(&["items", "prefixItems", "$ref"]) {
        return;
    }
    findings.add_rejected(
        Kind::MissingItems,
        node.path,
        &|provider| matches!(provider, ModelProvider::Openai | ModelProvider::Gemini),
        "arrays without items",
        "Say in items what the array holds.",
    );
}

/// The fields of `Schema` in the reference of the Gemini API.
const GEMINI: &str = "type format title description nullable enum maxItems minItems properties required \
    minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering default items \
    minimum maximum";

/// What Gemini rejects of a subschema: fields that it does not know, several types at once, and an enum
/// of what is no text.
fn gemini<'a>(rejected: &mut Rejected, node: Node<'_, 'a>) {
    let same = |known: &str, keyword: &str| known.eq_ignore_ascii_case(&keyword.replace('_', ""));
    for (keyword, value) in node.keywords {
        let is_known = GEMINI.split_whitespace().any(|known| same(known, keyword));
        if !is_known {
            rejected.add(keyword, "", node.path.key(keyword));
        } else if *keyword == "type" && value.items().is_some() {
            let more = ", where several types are given";
            rejected.add(keyword, more, node.path.key(keyword));
        } else if *keyword == "enum"
            && let Some(values) = value.items()
            && values.iter().any(|value| value.as_str().is_none())
        {
            rejected.add(
                keyword,
                " of values that are no texts",
                node.path.key(keyword),
            );
        }
    }
}

/// Keywords that Gemini rejects, each with where it stands first and how often.
#[derive(Default)]
struct Rejected(BTreeMap<(String, &'static str), (Path, usize)>);

impl Rejected {
    fn add(&mut self, keyword: &str, more: &'static str, path: Path) {
        let entry = self.0.entry((keyword.to_owned(), more));
        entry.or_insert((path, 0)).1 += 1;
    }

    fn tell(self, findings: &mut Findings<'_, '_>) {
        for ((keyword, more), (path, places)) in self.0 {
            let hint = match keyword.as_str() {
                "additionalProperties" | "$schema" | "title" => "Leave it out.",
                "const" => "Write an enum of one value.",
                "oneOf" | "allOf" => "Use anyOf, or one object.",
                "$ref" | "$defs" | "definitions" => "Put the schema in place of the reference.",
                "type" => "Give one type, and nullable: true for null.",
                "enum" => "List texts, or say the values in the description.",
                _ => "Say it in the description, or send it as parametersJsonSchema.",
            };
            let issue = findings.add_rejected(
                Kind::UnsupportedKeyword,
                &path,
                &|provider| provider == ModelProvider::Gemini,
                &format!("the keyword {}{more}", shown(Json::String(&keyword))),
                hint,
            );
            if let Some(issue) = issue {
                at_places(issue, places);
                issue.details.keyword = Some(keyword);
            }
        }
    }
}

fn at_places(issue: &mut LintIssue, places: usize) {
    if places > 1 {
        issue.description += &format!(" ({places} places)");
        issue.details.places = Some(places);
    }
}

/// The formats that a provider takes: Gemini's error names those of texts, its reference those of numbers;
/// OpenAI's and Anthropic's stand in their guides to structured outputs, and count for strict tools.
fn formats<'a>(
    findings: &mut Findings<'_, 'a>,
    node: Node<'_, 'a>,
    is_strict: bool,
    is_json_schema: bool,
) {
    const STRICT: [&str; 9] = [
        "date-time",
        "time",
        "date",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "uuid",
    ];
    let Some(format) = node.get("format").and_then(Json::as_str) else {
        return;
    };
    let is_text = node.has_type("string") || node.types().next().is_none();
    let issue = findings.add_rejected(
        Kind::UnsupportedFormat,
        &node.path.key("format"),
        &|provider| match provider {
            ModelProvider::Gemini => {
                !is_json_schema && is_text && !["enum", "date-time"].contains(&format)
            }
            ModelProvider::Openai => is_strict && is_text && !STRICT.contains(&format),
            ModelProvider::Anthropic => {
                is_strict && is_text && format != "uri" && !STRICT.contains(&format)
            }
            ModelProvider::Bedrock => false,
        },
        &format!("the format {}", shown(Json::String(format))),
        "Say in the description how the text must look.",
    );
    if let Some(issue) = issue {
        issue.details.keyword = Some("format".to_owned());
        issue.details.actual = Some(shown(Json::String(format)));
    }
}

/// What OpenAI's and Anthropic's guides to structured outputs rule out for strict tools, by keyword and
/// reason.
#[derive(Default)]
struct Strict {
    found: BTreeMap<(&'static str, &'static str), (Path, usize, &'static [ModelProvider])>,
    properties: usize,
    values: usize,
    depth: usize,
}

const OPENAI: &[ModelProvider] = &[ModelProvider::Openai];
const ANTHROPIC: &[ModelProvider] = &[ModelProvider::Anthropic];
const BOTH: &[ModelProvider] = &[ModelProvider::Openai, ModelProvider::Anthropic];

/// Keywords outside of OpenAI's structured outputs.
const NOT_IN_OPENAI: [&str; 10] = [
    "allOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "patternProperties",
    "propertyNames",
];

/// Keywords outside of Anthropic's; of `minItems` it takes 0 and 1.
const NOT_IN_ANTHROPIC: [&str; 11] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
];

impl Strict {
    fn look_at(&mut self, node: Node<'_, '_>) {
        let properties = node.properties();
        self.properties += properties.len();
        self.depth = self.depth.max(node.depth);
        let values = node.get("enum").and_then(Json::items);
        self.values += values.unwrap_or_default().len();
        let is_object = node.has_type("object") || !properties.is_empty();
        let is_closed = matches!(node.get("additionalProperties"), Some(Json::Bool(false)));
        if is_object && !is_closed {
            let reason = "objects without additionalProperties: false";
            self.add("additionalProperties", reason, node.path.clone(), BOTH);
        }
        let required = node
            .get("required")
            .and_then(Json::items)
            .unwrap_or_default();
        let required: HashSet<_> = required.iter().filter_map(|it| it.as_str()).collect();
        for (name, _) in properties {
            if required.contains(name) {
                continue;
            }
            let path = node.path.key("properties").key(name);
            self.add("required", "parameters that are not required", path, OPENAI);
        }
        let of_openai = NOT_IN_OPENAI.iter().map(|keyword| (*keyword, OPENAI));
        let of_anthropic = NOT_IN_ANTHROPIC.iter().map(|keyword| (*keyword, ANTHROPIC));
        for (keyword, providers) in of_openai.chain(of_anthropic) {
            let is_small = |value: Json<'_>| match value {
                Json::Number(number) => keyword == "minItems" && number.as_f64() <= 1.0,
                _ => false,
            };
            if node.get(keyword).is_some_and(|value| !is_small(value)) {
                self.add(keyword, "the keyword", node.path.key(keyword), providers);
            }
        }
    }

    fn add(
        &mut self,
        keyword: &'static str,
        reason: &'static str,
        path: Path,
        providers: &'static [ModelProvider],
    ) {
        let entry = self.found.entry((keyword, reason));
        entry.or_insert((path, 0, providers)).1 += 1;
    }

    fn tell(self, findings: &mut Findings<'_, '_>, root: &Path) {
        for ((keyword, reason), (path, places, providers)) in self.found {
            let (what, hint) = match reason {
                "the keyword" => (
                    format!(
                        "the keyword {} in strict tools",
                        shown(Json::String(keyword))
                    ),
                    "Leave it out and say it in the description, or set strict to false.",
                ),
                _ if keyword == "required" => (
                    format!("{reason} in strict tools"),
                    "Require it, and let its type be null, too, where it may be left out.",
                ),
                _ => (
                    format!("{reason} in strict tools"),
                    "Set additionalProperties to false in every object.",
                ),
            };
            let rejects = |provider| providers.contains(&provider);
            let issue = findings.add_rejected(Kind::StrictMode, &path, &rejects, &what, hint);
            if let Some(issue) = issue {
                at_places(issue, places);
                issue.details.keyword = Some(keyword.to_owned());
            }
        }
        for (count, most, what) in [
            (self.depth, 10, "levels of objects"),
            (self.properties, 5_000, "parameters"),
            (self.values, 1_000, "values in enums"),
        ] {
            if count > most {
                findings.add_rejected(
                    Kind::StrictMode,
                    root,
                    &|provider| provider == ModelProvider::Openai,
                    &format!("more than {most} {what} in strict tools; here are {count}"),
                    "Make the tool smaller, or set strict to false.",
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::LintProvider;
    use super::super::testing::{found, found_by, linted, with_argument, with_parameters};

    fn of_openai(parameters: Value) -> Value {
        let mut function = with_parameters(parameters);
        function["strict"] = true.into();
        json!([{"type": "function", "function": function}])
    }

    fn text(description: &str) -> Value {
        json!({"type": "string", "description": description})
    }

    #[test]
    fn a_union_at_the_root_is_told_where_it_is_rejected() {
        let union = with_parameters(json!({"type": "object", "anyOf": [{"properties": {}}]}));
        let issue = "high unsupported_root parameters.anyOf";
        assert_eq!(found(&union), [issue]);
        assert_eq!(found_by(&union, Some(LintProvider::Openai)), [issue]);
        assert_eq!(found_by(&union, Some(LintProvider::Anthropic)), [issue]);
        assert!(found_by(&union, Some(LintProvider::Bedrock)).is_empty());
        let not = with_parameters(json!({"type": "object", "not": {"required": ["a"]}}));
        assert!(found_by(&not, Some(LintProvider::Anthropic)).is_empty());
        assert_eq!(found_by(&not, Some(LintProvider::Openai)).len(), 1);
    }

    #[test]
    fn arrays_say_what_they_hold() {
        for array in [json!({"type": "array"}), json!({"type": ["array", "null"]})] {
            let issue = "high missing_items parameters.properties.x";
            assert_eq!(found(&with_argument(array.clone())), [issue]);
            assert!(found_by(&with_argument(array), Some(LintProvider::Anthropic)).is_empty());
        }
    }

    #[test]
    fn gemini_takes_a_part_of_openapi() {
        let gemini = |argument: Value| {
            let mut declared = with_argument(argument);
            declared["parameters"]["type"] = "OBJECT".into();
            found(&json!([{"functionDeclarations": [declared]}]))
        };
        let place = "[0].functionDeclarations[0].parameters.properties.x";
        for (argument, issue) in [
            (
                json!({"type": "STRING", "format": "uri"}),
                "unsupported_format @.format",
            ),
            (
                json!({"type": "STRING", "const": "a"}),
                "unsupported_keyword @.const",
            ),
            (
                json!({"type": ["string", "null"]}),
                "unsupported_keyword @.type",
            ),
            (
                json!({"type": "INTEGER", "enum": [1, 2]}),
                "unsupported_keyword @.enum",
            ),
            (
                json!({"type": "OBJECT", "additionalProperties": false}),
                "unsupported_keyword @.additionalProperties",
            ),
        ] {
            let expected = format!("high {}", issue.replace('@', place));
            assert_eq!(gemini(argument.clone()), [expected], "{argument}");
        }
        for argument in [
            json!({"type": "STRING", "format": "date-time", "nullable": true}),
            json!({"type": "NUMBER", "format": "double", "minimum": 0}),
            json!({"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}]}),
            json!({"type": "ARRAY", "items": {"type": "STRING"}, "min_items": "1"}),
        ] {
            assert_eq!(gemini(argument.clone()), [""; 0], "{argument}");
        }
        let schema = json!({"type": "object", "properties": {}, "additionalProperties": false});
        let as_json_schema = json!([{"functionDeclarations": [{"name": "walk", "description": "Walks on, straight ahead.", "parametersJsonSchema": schema}]}]);
        assert!(found(&as_json_schema).is_empty());
    }

    #[test]
    fn the_same_keyword_in_several_places_is_one_issue() {
        let closed = json!({"type": "object", "additionalProperties": false, "description": "where the walk starts"});
        let parameters =
            json!({"type": "object", "additionalProperties": false, "properties": {"x": closed}});
        let gemini = Some(LintProvider::Gemini);
        let issues = linted(&with_parameters(parameters), gemini)
            .expect("definitions")
            .issues;
        assert_eq!(issues.len(), 1, "{issues:#?}");
        assert_eq!(issues[0].details.places, Some(2));
        assert_eq!(issues[0].details.path, "parameters.additionalProperties");
    }

    #[test]
    fn strict_tools_keep_to_structured_outputs() {
        let sound = json!({"type": "object", "properties": {"a": text("where the walk starts")}, "required": ["a"], "additionalProperties": false});
        assert!(found(&of_openai(sound.clone())).is_empty());
        let mut open = sound.clone();
        open["additionalProperties"] = true.into();
        let base = "[0].function.parameters";
        assert_eq!(
            found(&of_openai(open)),
            [format!("high strict_mode {base}")]
        );
        let mut optional = sound.clone();
        optional["required"] = json!([]);
        assert_eq!(
            found(&of_openai(optional)),
            [format!("high strict_mode {base}.properties.a")]
        );
        let mut uri = sound.clone();
        uri["properties"]["a"]["format"] = "uri".into();
        assert_eq!(
            found(&of_openai(uri.clone())),
            [format!(
                "high unsupported_format {base}.properties.a.format"
            )]
        );
        let mut one_of = sound;
        one_of["properties"]["a"] = json!({"oneOf": [text("where the walk starts")]});
        assert_eq!(
            found(&of_openai(one_of)),
            [format!("high strict_mode {base}.properties.a.oneOf")]
        );
        let mut loose = of_openai(uri);
        loose[0]["function"]["strict"] = false.into();
        assert!(found(&loose).is_empty());
    }

    #[test]
    fn strict_tools_of_anthropic_have_no_bounds() {
        let tool = |argument: Value| {
            let schema = json!({"type": "object", "properties": {"a": argument}, "additionalProperties": false});
            found(
                &json!([{"name": "walk", "description": "Walks on, straight ahead.", "input_schema": schema, "strict": true}]),
            )
        };
        let bounded = json!({"type": "integer", "minimum": 1, "description": "how far to go"});
        assert_eq!(
            tool(bounded),
            ["high strict_mode [0].input_schema.properties.a.minimum"]
        );
        let list = json!({"type": "array", "items": {"type": "string"}, "minItems": 1, "description": "where to go"});
        assert!(tool(list).is_empty());
    }

    #[test]
    fn strict_tools_have_limits() {
        let many: Vec<_> = (0..1_001).map(|at| format!("v{at}")).collect();
        let schema = json!({"type": "object", "properties": {"a": {"type": "string", "enum": many, "description": "where the walk starts"}}, "required": ["a"], "additionalProperties": false});
        assert_eq!(
            found(&of_openai(schema)),
            ["high strict_mode [0].function.parameters"]
        );
        let leaf = json!({"type": "string", "description": "where the walk starts"});
        let nested = (0..11).fold(leaf, |inner, _| {
            json!({"type": "object", "description": "where the walk starts", "properties": {"a": inner}, "required": ["a"], "additionalProperties": false})
        });
        assert_eq!(found(&of_openai(nested)).len(), 1);
    }
}
