//! Rules of single providers: what their APIs reject although it is valid JSON Schema.

use foldhash::HashSet;

use super::findings::{Findings, shown};
use super::issue::{LintIssueType as Kind, ModelProvider};
use super::walk::{Node, walk};
use toolgauge_formats::{Declared, DeclaredSchema};
use toolgauge_model::{Json, Path};

/// Returns how many tools the API of a provider accepts, according to its errors: OpenAI 128, Gemini 512.
pub fn most_tools(provider: ModelProvider) -> Option<usize> {
    match provider {
        ModelProvider::Openai => Some(128),
        ModelProvider::Gemini => Some(512),
        ModelProvider::Anthropic | ModelProvider::Bedrock => None,
    }
}

/// Reports what providers reject in the schema of the definition.
pub fn lint(findings: &mut Findings<'_, '_>) {
    let Declared::Schema(schema) = &findings.definition.arguments else {
        return;
    };
    root(findings, schema);
    let is_strict = is_strict(findings);
    // Under this key Gemini accepts plain JSON Schema.
    let is_json_schema = matches!(
        schema.key,
        "parametersJsonSchema" | "parameters_json_schema"
    );
    let is_for_gemini = !is_json_schema && findings.target.is_alone(ModelProvider::Gemini);
    let mut rejected = Rejections::default();
    let mut size = Size::default();
    walk(schema.source, &schema.path, &mut |node| {
        items(findings, node);
        if is_for_gemini {
            gemini(&mut rejected, node);
        }
        formats(findings, node, is_strict, is_json_schema);
        if is_strict {
            strict(&mut rejected, &mut size, node);
        }
    });
    rejected.report(findings);
    size.report(findings, &schema.path);
}

fn is_strict(findings: &Findings<'_, '_>) -> bool {
    let mut extra = findings.definition.tool.extra.iter();
    extra.any(|(key, value)| *key == "strict" && matches!(value, Json::Bool(true)))
}

/// Reports keywords that the errors of OpenAI's and Anthropic's APIs forbid at the top level.
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
            "Make the parameters one object, and describe which of them belong together.",
        );
        if let Some(issue) = issue {
            issue.details.keyword = Some(keyword.to_owned());
        }
    }
}

/// Reports arrays without a schema for their items, which OpenAI ("array schema missing items") and Gemini
/// ("items: missing field") require.
fn items<'a>(findings: &mut Findings<'_, 'a>, node: Node<'_, 'a>) {
    if node.narrows || !node.has_type("array") || node.has_any(&["items", "prefixItems", "$ref"]) {
        return;
    }
    findings.add_rejected(
        Kind::MissingItems,
        node.path,
        &|provider| matches!(provider, ModelProvider::Openai | ModelProvider::Gemini),
        "arrays without items",
        "Describe the items of the array in items.",
    );
}

/// The fields of `Schema` in the reference of the Gemini API.
const GEMINI: &str = "type format title description nullable enum maxItems minItems properties required \
    minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering default items \
    minimum maximum";

/// Reports what Gemini rejects in a subschema: unknown fields, several types at once, and an enum whose
/// values are not strings.
fn gemini<'a>(rejected: &mut Rejections<'a>, node: Node<'_, 'a>) {
    let is_no_text = |value: &Json<'_>| value.as_str().is_none();
    for (keyword, value) in node.keywords {
        let camel = keyword.replace('_', "");
        let mut known = GEMINI.split_whitespace();
        let is_known = known.any(|known| known.eq_ignore_ascii_case(&camel));
        let values = value.items();
        let reason = match *keyword {
            _ if !is_known => Reason::NotOfGemini,
            "type" if values.is_some() => Reason::SeveralTypes,
            "enum" if values.is_some_and(|it| it.iter().any(is_no_text)) => Reason::NoTexts,
            _ => continue,
        };
        rejected.add(reason, keyword, GEMINI_ALONE, node.path.key(keyword));
    }
}

const OPENAI: &[ModelProvider] = &[ModelProvider::Openai];
const ANTHROPIC: &[ModelProvider] = &[ModelProvider::Anthropic];
const BOTH: &[ModelProvider] = &[ModelProvider::Openai, ModelProvider::Anthropic];
const GEMINI_ALONE: &[ModelProvider] = &[ModelProvider::Gemini];

/// The reason for a rejection.
#[derive(Clone, Copy, PartialEq)]
enum Reason {
    /// Gemini does not know the keyword.
    NotOfGemini,
    /// The type is a list of types.
    SeveralTypes,
    /// The enum contains values that are not strings.
    NoTexts,
    /// Strict tools must not have the keyword.
    NotOfStrict,
    /// An object of a strict tool allows members that it does not describe.
    Open,
    /// A parameter of a strict tool is optional.
    Optional,
}

/// Something that providers reject, with its first path and the number of its occurrences.
struct Rejection<'a> {
    reason: Reason,
    keyword: &'a str,
    providers: &'static [ModelProvider],
    path: Path,
    places: usize,
}

/// The rejected keywords, each listed once.
#[derive(Default)]
struct Rejections<'a>(Vec<Rejection<'a>>);

/// The most different keywords that are listed; nobody reads more.
const MOST_KEYWORDS: usize = 100;

impl<'a> Rejections<'a> {
    fn add(
        &mut self,
        reason: Reason,
        keyword: &'a str,
        providers: &'static [ModelProvider],
        path: Path,
    ) {
        let mut known = self.0.iter_mut();
        if let Some(same) = known.find(|it| (it.reason, it.keyword) == (reason, keyword)) {
            same.places += 1;
        } else if self.0.len() < MOST_KEYWORDS {
            self.0.push(Rejection {
                reason,
                keyword,
                providers,
                path,
                places: 1,
            });
        }
    }

    fn report(&self, findings: &mut Findings<'_, '_>) {
        for rejection in &self.0 {
            let keyword = shown(Json::String(rejection.keyword));
            let (kind, what, hint) = match rejection.reason {
                Reason::NotOfGemini => (
                    Kind::UnsupportedKeyword,
                    format!("the keyword {keyword}"),
                    instead_of(rejection.keyword),
                ),
                Reason::SeveralTypes => (
                    Kind::UnsupportedKeyword,
                    "lists of types".to_owned(),
                    "Give one type, and nullable: true for null.",
                ),
                Reason::NoTexts => (
                    Kind::UnsupportedKeyword,
                    "enums with values that are not strings".to_owned(),
                    "List strings, or name the values in the description.",
                ),
                Reason::NotOfStrict => (
                    Kind::StrictMode,
                    format!("the keyword {keyword} in strict tools"),
                    "Remove it and state the rule in the description, or set strict to false.",
                ),
                Reason::Open => (
                    Kind::StrictMode,
                    "objects without additionalProperties: false in strict tools".to_owned(),
                    "Set additionalProperties to false in every object.",
                ),
                Reason::Optional => (
                    Kind::StrictMode,
                    "parameters that are not required in strict tools".to_owned(),
                    "Require it. If it may be left out, also allow the type null.",
                ),
            };
            let rejects = |provider| rejection.providers.contains(&provider);
            let Some(issue) = findings.add_rejected(kind, &rejection.path, &rejects, &what, hint)
            else {
                continue;
            };
            issue.details.keyword = Some(rejection.keyword.to_owned());
            if rejection.places > 1 {
                issue.description += &format!(" ({} places)", rejection.places);
                issue.details.places = Some(rejection.places);
            }
        }
    }
}

/// Returns what Gemini understands in place of a keyword.
fn instead_of(keyword: &str) -> &'static str {
    match keyword {
        "additionalProperties" | "$schema" => "Remove it.",
        "const" => "Write an enum of one value.",
        "oneOf" | "allOf" => "Use anyOf, or one object.",
        "$ref" | "$defs" | "definitions" => "Replace the reference by its schema.",
        _ => "State the rule in the description, or send the schema as parametersJsonSchema.",
    }
}

/// Reports formats that a provider rejects. Gemini's error lists the accepted ones for strings, its reference
/// those for numbers. OpenAI's and Anthropic's are in their guides to structured outputs and apply to strict
/// tools.
fn formats<'a>(
    findings: &mut Findings<'_, 'a>,
    node: Node<'_, 'a>,
    is_strict: bool,
    is_json_schema: bool,
) {
    const STRICT: &str = "date-time time date duration email hostname ipv4 ipv6 uuid";
    let Some(format) = node.get("format").and_then(Json::as_str) else {
        return;
    };
    let is_strict_format = STRICT.split(' ').any(|it| it == format);
    let is_text = node.has_type("string") || node.types().next().is_none();
    let issue = findings.add_rejected(
        Kind::UnsupportedFormat,
        &node.path.key("format"),
        &|provider| match provider {
            ModelProvider::Gemini => {
                !is_json_schema && is_text && !["enum", "date-time"].contains(&format)
            }
            ModelProvider::Openai => is_strict && is_text && !is_strict_format,
            ModelProvider::Anthropic => {
                is_strict && is_text && format != "uri" && !is_strict_format
            }
            ModelProvider::Bedrock => false,
        },
        &format!("the format {}", shown(Json::String(format))),
        "Describe the form of the text in the description.",
    );
    if let Some(issue) = issue {
        issue.details.keyword = Some("format".to_owned());
        issue.details.actual = Some(shown(Json::String(format)));
    }
}

/// Keywords that OpenAI's structured outputs do not support.
const NOT_IN_OPENAI: &str = "allOf oneOf not if then else dependentRequired dependentSchemas \
    patternProperties propertyNames";

/// Keywords that Anthropic's structured outputs do not support; `minItems` may be 0 or 1.
const NOT_IN_ANTHROPIC: &str = "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf \
    minLength maxLength minItems maxItems minProperties maxProperties";

/// The size of a strict tool.
#[derive(Default)]
struct Size {
    depth: usize,
    properties: usize,
    values: usize,
}

/// Reports what OpenAI's and Anthropic's guides to structured outputs exclude from strict tools.
fn strict<'a>(rejected: &mut Rejections<'a>, size: &mut Size, node: Node<'_, 'a>) {
    let list = |keyword: &str| node.get(keyword).and_then(Json::items).unwrap_or_default();
    let properties = node.properties();
    size.depth = size.depth.max(node.depth);
    size.properties += properties.len();
    size.values += list("enum").len();
    let is_object = node.has_type("object") || !properties.is_empty();
    let is_closed = matches!(node.get("additionalProperties"), Some(Json::Bool(false)));
    if is_object && !is_closed {
        let keyword = "additionalProperties";
        rejected.add(Reason::Open, keyword, BOTH, node.path.clone());
    }
    let required: HashSet<_> = list("required")
        .iter()
        .filter_map(|it| it.as_str())
        .collect();
    for (name, _) in properties
        .iter()
        .filter(|(name, _)| !required.contains(name))
    {
        let path = node.path.key("properties").key(name);
        rejected.add(Reason::Optional, "required", OPENAI, path);
    }
    for (keyword, value) in node.keywords {
        let is_in = |keywords: &str| keywords.split_whitespace().any(|it| it == *keyword);
        let providers = match value {
            Json::Number(least) if *keyword == "minItems" && least.as_f64() <= 1.0 => continue,
            _ if is_in(NOT_IN_OPENAI) => OPENAI,
            _ if is_in(NOT_IN_ANTHROPIC) => ANTHROPIC,
            _ => continue,
        };
        rejected.add(
            Reason::NotOfStrict,
            keyword,
            providers,
            node.path.key(keyword),
        );
    }
}

impl Size {
    /// Reports sizes beyond the limits of OpenAI's guide to structured outputs.
    fn report(&self, findings: &mut Findings<'_, '_>, root: &Path) {
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
                    &format!("more than {most} {what} in strict tools; this one has {count}"),
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
    fn a_union_at_the_root_is_reported_for_providers_that_reject_it() {
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
    fn arrays_must_describe_their_items() {
        for array in [json!({"type": "array"}), json!({"type": ["array", "null"]})] {
            let issue = "high missing_items parameters.properties.x";
            assert_eq!(found(&with_argument(array.clone())), [issue]);
            assert!(found_by(&with_argument(array), Some(LintProvider::Anthropic)).is_empty());
        }
    }

    #[test]
    fn gemini_accepts_a_part_of_openapi() {
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
    fn strict_tools_must_fit_structured_outputs() {
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
    fn bounds_are_reported_in_strict_tools_of_anthropic() {
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
