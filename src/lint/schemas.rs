//! Rules for schemas: invalid ones, contradictory ones, and those that say nothing.

use foldhash::HashSet;
use strsim::normalized_damerau_levenshtein;

use super::findings::{Findings, shown};
use super::issue::LintIssueType as Kind;
use super::issue::ModelProvider;
use super::walk::{Node, resolve, walk};
use toolgauge_base::issue::Severity;
use toolgauge_formats::{Declared, DeclaredSchema, ToolFormat, plain_schema, plain_type};
use toolgauge_model::error::Error;
use toolgauge_model::{Json, Limits, Path, Reader, SCHEMA_TYPES, ToolSchema, count_values};
use toolgauge_schema::{Compiler, ToolSet, did_you_mean, nearest};

/// What compiling schemas needs.
#[derive(Clone, Copy)]
pub struct Compiling<'c, 'a> {
    /// The compiler, which has the documents that references may name.
    pub compiler: &'c Compiler,
    /// The URIs of those documents.
    pub known: &'c HashSet<String>,
    /// The reader, with its limits.
    pub reader: Reader<'a>,
    /// Limits on the work.
    pub limits: Limits,
}

/// The most values of subschemas that are compiled for the defaults and examples of one tool.
const MOST_COMPILED: usize = 20_000;

/// Checks the schemas of the definition.
pub fn lint<'a>(findings: &mut Findings<'_, 'a>, compiling: Compiling<'_, 'a>) {
    let definition = findings.definition;
    match &definition.arguments {
        Declared::Schema(schema) => {
            root(findings, schema);
            let mut samples = Samples::new(schema);
            walk(schema.source, &schema.path, &mut |node| {
                types(findings, node);
                required(findings, node);
                values(findings, node);
                bounds(findings, node);
                keywords(findings, node);
                untyped(findings, node);
                samples.check(findings, node, compiling);
            });
            validity(findings, schema, compiling);
        }
        Declared::Nothing => missing(findings),
        Declared::Text | Declared::Platform => {}
    }
    if let Some(output) = &definition.output {
        validity(findings, output, compiling);
    }
}

/// Reports a schema that is not valid in any draft from 4 to 2020-12. References reach only the definition
/// itself.
fn validity<'a>(
    findings: &mut Findings<'_, 'a>,
    schema: &DeclaredSchema<'a>,
    compiling: Compiling<'_, 'a>,
) {
    let compiled = ToolSet::compile(&[tool_of(schema.plain)], compiling.compiler);
    let Err(Error::InvalidSchema { path, reason, .. }) = compiled else {
        return;
    };
    if let Some(draft) = schema.source.get("$schema").and_then(Json::as_str)
        && reason.contains(draft)
    {
        let path = schema.path.key("$schema");
        let hint = "Name one of the drafts 4, 6, 7, 2019-09 and 2020-12, or leave $schema out.";
        findings.add(
            Kind::UnsupportedDraft,
            &path,
            "no known draft of JSON Schema has this URI",
            hint,
        );
        return;
    }
    let before = findings.issues.len();
    references(findings, schema, compiling);
    let place = place_of(&schema.path, &path);
    let is_reported = findings
        .issues
        .iter()
        .any(|issue| issue.kind == Kind::UnknownType && place.starts_with(&issue.details.path));
    let is_reference = findings.issues.len() > before && place == schema.path.as_str();
    if is_reported || is_reference {
        return;
    }
    let hint = match place.rsplit_once('.').map(|(_, keyword)| keyword) {
        Some("required") => {
            "Make required a list of names, beside properties and not inside a property."
        }
        Some("pattern") => "Write an ECMA-262 regular expression, without slashes around it.",
        _ => "Correct the schema there; until then no call can be checked against it.",
    };
    let what = format!("not a valid JSON Schema: {reason}");
    findings.add_at(Kind::InvalidSchema, &place, &what, hint);
}

/// Returns a tool whose arguments `schema` describes.
fn tool_of<'a>(schema: Json<'a>) -> ToolSchema<'a> {
    ToolSchema {
        name: "",
        description: None,
        parameters: schema,
        output_schema: None,
        deprecated: false,
        replaced_by: None,
        extra: &[],
    }
}

/// The name of the schema's root in errors of the compiler.
const ROOT: &str = "parameters";

/// Returns the path in the document for `path` of the compiler.
fn place_of(base: &Path, path: &Path) -> String {
    let inside = path.as_str().strip_prefix(ROOT).unwrap_or_default();
    format!("{base}{inside}")
}

/// Reports references that can't be resolved.
fn references<'a>(
    findings: &mut Findings<'_, 'a>,
    schema: &DeclaredSchema<'a>,
    compiling: Compiling<'_, 'a>,
) {
    walk(schema.source, &schema.path, &mut |node| {
        let Some(to) = node.get("$ref").and_then(Json::as_str) else {
            return;
        };
        let document = to.split('#').next().unwrap_or_default();
        let is_found = match to.strip_prefix("#/") {
            Some(_) => resolve(schema.source, to).is_some(),
            None => document.is_empty() || compiling.known.contains(document),
        };
        if !is_found {
            findings.add(
                Kind::UnresolvedReference,
                &node.path.key("$ref"),
                &format!("the reference {} can't be resolved", shown(Json::String(to))),
                "Put the schema that it names into $defs of the same schema; toolgauge fetches nothing.",
            );
        }
    });
}

/// Reports arguments that are not an object: the schema of MCP requires `type: "object"`, and so do the APIs
/// of OpenAI, Anthropic and Bedrock.
fn root(findings: &mut Findings<'_, '_>, schema: &DeclaredSchema<'_>) {
    const HINT: &str = "Describe the arguments as type \"object\", with one property for each.";
    let types = schema.source.get("type");
    let names = match types {
        Some(Json::Array(names)) => names,
        Some(Json::Null) | None => &[],
        Some(ref one) => std::slice::from_ref(one),
    };
    let is_object = |name: &Json<'_>| {
        let name = name.as_str().unwrap_or_default();
        name == "object" || plain_type(name) == Some(Some("object"))
    };
    if matches!(schema.source, Json::Bool(false))
        || !names.is_empty() && !names.iter().any(is_object)
    {
        let what = "the arguments of a call are an object, but this schema does not allow one";
        findings.add(Kind::RootNotObject, &schema.path, what, HINT);
    } else if names.is_empty() {
        let rejects = |provider| provider != ModelProvider::Gemini;
        let what = "parameters without type \"object\"";
        let issue = findings.add_rejected(Kind::RootNotObject, &schema.path, &rejects, what, HINT);
        if let Some(issue) = issue {
            issue.severity = Severity::High;
        }
    }
}

/// Reports tools without parameters. OpenAI and Gemini accept them; the others and MCP require a schema.
fn missing(findings: &mut Findings<'_, '_>) {
    let definition = findings.definition;
    let is_needed = matches!(
        definition.format,
        ToolFormat::Anthropic | ToolFormat::Bedrock | ToolFormat::Mcp
    );
    let issue = findings.add(
        Kind::MissingParameters,
        &definition.path,
        "the tool does not declare its arguments",
        "Declare them; {\"type\": \"object\", \"properties\": {}} declares that there are none.",
    );
    if is_needed {
        issue.severity = Severity::High;
    }
}

/// Reports types that JSON Schema does not have.
fn types<'a>(findings: &mut Findings<'_, 'a>, node: Node<'_, 'a>) {
    let format = findings.definition.format;
    for name in node.types() {
        if SCHEMA_TYPES.contains(&name) {
            continue;
        }
        let plain = plain_type(name);
        let is_of_format = match format {
            ToolFormat::Gemini => name.bytes().all(|it| it.is_ascii_uppercase() || it == b'_'),
            ToolFormat::Bfcl => true,
            _ => false,
        };
        if plain.is_some() && is_of_format {
            continue;
        }
        let meant = plain.flatten().or_else(|| meant_type(name));
        let hint = match (meant, plain) {
            (Some(meant), _) => format!("Write \"{meant}\"."),
            (None, Some(None)) => "Remove type if any value is allowed.".to_owned(),
            _ => format!("Use one of {}.", SCHEMA_TYPES.join(", ")),
        };
        let what = format!("JSON Schema has no type {}", shown(Json::String(name)));
        let issue = findings.add(Kind::UnknownType, &node.path.key("type"), &what, &hint);
        issue.details.closest = meant.map(str::to_owned);
        if plain.is_some() {
            issue.severity = Severity::High;
        }
    }
}

fn meant_type(name: &str) -> Option<&'static str> {
    const OFTEN: [(&str, &str); 6] = [
        ("str", "string"),
        ("text", "string"),
        ("date", "string"),
        ("int", "integer"),
        ("bool", "boolean"),
        ("map", "object"),
    ];
    let name = name.to_ascii_lowercase();
    let often = OFTEN.iter().find(|(often, _)| *often == name);
    let nearest = || nearest(&name, SCHEMA_TYPES.iter().copied());
    let meant = often.map(|(_, meant)| *meant).or_else(nearest)?;
    SCHEMA_TYPES.iter().copied().find(|it| *it == meant)
}

/// Keywords that may describe properties elsewhere.
const ELSEWHERE: [&str; 8] = [
    "$ref",
    "$dynamicRef",
    "allOf",
    "anyOf",
    "oneOf",
    "if",
    "patternProperties",
    "dependentSchemas",
];

/// Reports required names that nothing describes.
fn required<'a>(findings: &mut Findings<'_, 'a>, node: Node<'_, 'a>) {
    let is_map = matches!(node.get("additionalProperties"), Some(Json::Object(_)));
    if node.narrows || is_map || node.has_any(&ELSEWHERE) {
        return;
    }
    let Some(required) = node.get("required").and_then(Json::items) else {
        return;
    };
    let properties: HashSet<_> = node.properties().iter().map(|(name, _)| *name).collect();
    for (at, name) in required.iter().enumerate() {
        let Some(name) = name.as_str().filter(|name| !properties.contains(name)) else {
            continue;
        };
        let closest =
            nearest(name, node.properties().iter().map(|(name, _)| *name)).map(str::to_owned);
        let what = format!(
            "{} is required but not in properties{}",
            shown(Json::String(name)),
            did_you_mean(closest.as_deref())
        );
        let path = node.path.key("required").index(at);
        let hint = "Describe it in properties, or remove it from required.";
        let issue = findings.add(Kind::RequiredNotProperty, &path, &what, hint);
        issue.details.closest = closest;
    }
}

/// Reports values of `enum` and `const` that do not have the type beside them.
fn values<'a>(findings: &mut Findings<'_, 'a>, node: Node<'_, 'a>) {
    let path = node.path.key("enum");
    let allowed = node.get("enum").and_then(Json::items);
    if allowed.is_some_and(<[_]>::is_empty) {
        let hint = "List the allowed values, or remove enum.";
        findings.add(Kind::EmptyEnum, &path, "the enum has no values", hint);
    }
    let types: Vec<_> = node.types().collect();
    let is_nullable = matches!(node.get("nullable"), Some(Json::Bool(true)));
    let fits = |value: Json<'_>| {
        types.is_empty()
            || is_nullable && value.is_null()
            || types.iter().any(|name| is_of_type(value, name))
    };
    let listed = allowed.unwrap_or_default().iter().enumerate();
    let listed = listed.map(|(at, value)| (path.index(at), *value));
    let only = node
        .get("const")
        .map(|value| (node.path.key("const"), value));
    for (path, value) in listed.chain(only).filter(|(_, value)| !fits(*value)) {
        let what = format!(
            "{} does not have the type {}",
            shown(value),
            types.join(" or ")
        );
        let hint = "Make the values and the type agree: no value fits both.";
        let issue = findings.add(Kind::InvalidEnumValue, &path, &what, hint);
        issue.details.actual = Some(shown(value));
    }
}

/// Returns whether `value` has the type `name` of any dialect. Every value has an unknown type.
fn is_of_type(value: Json<'_>, name: &str) -> bool {
    let name = match plain_type(name) {
        Some(None) => return true,
        Some(Some(plain)) => plain,
        None => name,
    };
    match (name, value) {
        ("integer", Json::Number(number)) => number.as_f64().fract() == 0.0,
        ("string", Json::String(_))
        | ("number", Json::Number(_))
        | ("boolean", Json::Bool(_))
        | ("null", Json::Null)
        | ("array", Json::Array(_))
        | ("object", Json::Object(_)) => true,
        _ => !SCHEMA_TYPES.contains(&name),
    }
}

/// Keywords for a lower bound, each with that for the upper bound.
const BOUNDS: [(&str, &str); 8] = [
    ("minimum", "maximum"),
    ("minimum", "exclusiveMaximum"),
    ("exclusiveMinimum", "maximum"),
    ("exclusiveMinimum", "exclusiveMaximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
    ("minContains", "maxContains"),
];

/// Reports bounds that no value fits.
fn bounds<'a>(findings: &mut Findings<'_, 'a>, node: Node<'_, 'a>) {
    let number = |keyword: &str| match node.get(keyword) {
        Some(Json::Number(number)) => Some(number.as_f64()),
        Some(Json::String(text)) => text.parse().ok(),
        _ => None,
    };
    for (lower, upper) in BOUNDS {
        let (Some(least), Some(most)) = (number(lower), number(upper)) else {
            continue;
        };
        let is_exclusive = lower.starts_with("excl") || upper.starts_with("excl");
        if least > most || least == most && is_exclusive {
            let what = format!("no value fits {lower} {least} and {upper} {most}");
            let hint = "Swap the bounds, or correct them.";
            let issue = findings.add(Kind::ContradictoryBounds, node.path, &what, hint);
            issue.details.keyword = Some(lower.to_owned());
        }
    }
}

/// All keywords of the drafts 4 to 2020-12, of OpenAPI's schemas and of Gemini's.
const KEYWORDS: &str = "$schema $id $ref $defs $anchor $dynamicRef $dynamicAnchor $recursiveRef \
    $recursiveAnchor $vocabulary $comment id ref defs definitions type enum const properties required \
    additionalProperties patternProperties propertyNames minProperties maxProperties dependencies \
    dependentRequired dependentSchemas unevaluatedProperties items prefixItems additionalItems \
    contains minContains maxContains minItems maxItems uniqueItems unevaluatedItems minLength \
    maxLength pattern format contentEncoding contentMediaType contentSchema minimum maximum \
    exclusiveMinimum exclusiveMaximum multipleOf allOf anyOf oneOf not if then else title description \
    default examples example deprecated readOnly writeOnly nullable propertyOrdering discriminator \
    xml externalDocs";

/// How similar an unknown keyword must be to a known one to be a misspelling, from 0 to 1.
const MEANT: f64 = 0.8;

/// Reports misspelled keywords, which validators ignore.
fn keywords<'a>(findings: &mut Findings<'_, 'a>, node: Node<'_, 'a>) {
    let plain = |name: &str| name.replace(['_', '-', '$'], "").to_lowercase();
    for (keyword, _) in node.keywords {
        let is_known = |name: &str| KEYWORDS.split_whitespace().any(|known| known == name);
        let is_short = keyword.len() < 4 || keyword.len() > 30;
        // Gemini also accepts its own keywords in snake case.
        let is_gemini = findings.definition.format == ToolFormat::Gemini && keyword.contains('_');
        if is_short || is_gemini || is_known(keyword) {
            continue;
        }
        let name = plain(keyword);
        let likeness = |known: &str| normalized_damerau_levenshtein(&name, &plain(known));
        let known = KEYWORDS.split_whitespace().filter(|known| known.len() > 3);
        let best = known
            .map(|known| (likeness(known), known))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, meant)) = best.filter(|(likeness, _)| *likeness >= MEANT)
            && !node.has_any(&[meant])
        {
            let what = format!(
                "not a keyword of JSON Schema, so it is ignored; did you mean \"{meant}\"?"
            );
            let hint = format!("Write \"{meant}\".");
            let path = node.path.key(keyword);
            let issue = findings.add(Kind::MisspelledKeyword, &path, &what, &hint);
            issue.details.keyword = Some((*keyword).to_owned());
            issue.details.closest = Some(meant.to_owned());
        }
    }
}

/// Keywords that restrict what a value may be.
const SAYS: [&str; 12] = [
    "not",
    "type",
    "enum",
    "const",
    "$ref",
    "$dynamicRef",
    "anyOf",
    "oneOf",
    "allOf",
    "properties",
    "items",
    "prefixItems",
];

/// Reports parameters of which only the name is known.
fn untyped<'a>(findings: &mut Findings<'_, 'a>, node: Node<'_, 'a>) {
    let says = node.has_any(&SAYS) || matches!(node.schema, Json::Bool(false));
    if node.property.is_some() && !node.narrows && !says {
        findings.add(
            Kind::UntypedParameter,
            node.path,
            "the parameter has no type",
            "Give its type; if several are possible, list them.",
        );
    }
}

/// Keywords with schemas that references reach, and the keyword for their draft.
const SHARED: [&str; 3] = ["$defs", "definitions", "$schema"];

/// Checks defaults and examples against the schemas that contain them.
struct Samples<'s, 'a> {
    schema: &'s DeclaredSchema<'a>,
    /// The number of values in the shared schemas.
    shared: usize,
    /// How many more values may be compiled.
    left: usize,
}

impl<'s, 'a> Samples<'s, 'a> {
    fn new(schema: &'s DeclaredSchema<'a>) -> Self {
        let shared = SHARED.iter().filter_map(|key| schema.source.get(key));
        Self {
            schema,
            shared: shared.map(count_values).sum(),
            left: MOST_COMPILED,
        }
    }

    fn check(
        &mut self,
        findings: &mut Findings<'_, 'a>,
        node: Node<'_, 'a>,
        compiling: Compiling<'_, 'a>,
    ) {
        let samples = samples_of(node);
        let cost = count_values(node.schema) + self.shared;
        if samples.is_empty() || cost > self.left {
            return;
        }
        self.left -= cost;
        let part = self.part(node, compiling.reader);
        let Ok(compiled) = ToolSet::compile(&[tool_of(part)], compiling.compiler) else {
            return;
        };
        let limits = Limits {
            max_issues_per_call: 1,
            ..compiling.limits
        };
        for (kind, path, value) in samples {
            let violations = compiled.only().map(|tool| tool.violations(value, limits));
            let Some(Ok((violations, _))) = violations else {
                continue;
            };
            let Some(violation) = violations.first() else {
                continue;
            };
            let place = match violation.path.is_root() {
                true => String::new(),
                false => format!("{}: ", violation.path),
            };
            let what = format!("does not fit its schema: {place}{}", violation.message);
            let hint = match value.is_null() {
                true => "Remove it, or also allow the type null: models may send it.",
                false => "Correct it: models may send it as a valid value.",
            };
            let issue = findings.add(kind, &path, &what, hint);
            issue.details.actual = Some(shown(value));
            if value.is_null() {
                issue.severity = Severity::Low;
            }
        }
    }

    /// Returns a subschema as a schema of its own, with the schemas that references reach.
    fn part(&self, node: Node<'_, 'a>, reader: Reader<'a>) -> Json<'a> {
        let plain = plain_schema(node.schema, reader);
        let mut keywords = plain.members().unwrap_or_default().to_vec();
        let shared = SHARED.iter().filter_map(|key| {
            let value = self.schema.plain.get(key)?;
            plain.get(key).is_none().then_some((*key, value))
        });
        keywords.extend(shared);
        Json::Object(reader.arena().alloc_slice_copy(&keywords))
    }
}

/// Returns the defaults and examples of a subschema, each with its path.
fn samples_of<'a>(node: Node<'_, 'a>) -> Vec<(Kind, Path, Json<'a>)> {
    let mut samples = Vec::new();
    for (keyword, kind) in [
        ("default", Kind::InvalidDefault),
        ("example", Kind::InvalidExample),
    ] {
        samples.extend(
            node.get(keyword)
                .map(|value| (kind, node.path.key(keyword), value)),
        );
    }
    let listed = node.get("examples").and_then(Json::items);
    for (at, value) in listed.unwrap_or_default().iter().enumerate() {
        let path = node.path.key("examples").index(at);
        samples.push((Kind::InvalidExample, path, *value));
    }
    samples
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::{found, linted, with_argument, with_parameters};

    #[track_caller]
    fn assert_argument(schema: serde_json::Value, expected: &[&str]) {
        let place = "parameters.properties.x";
        let expected: Vec<_> = expected.iter().map(|it| it.replace('@', place)).collect();
        assert_eq!(found(&with_argument(schema.clone())), expected, "{schema}");
    }

    #[test]
    fn sound_schemas_have_no_issue() {
        for schema in [
            json!({"type": "integer", "minimum": 1, "maximum": 1, "default": 1}),
            json!({"type": ["string", "null"], "enum": ["a", null], "default": null}),
            json!({"type": "string", "nullable": true, "enum": ["a", null], "default": null}),
            json!({"type": "number", "enum": [1, 2.5], "examples": [1, 2.5]}),
            json!({"type": "array", "items": {"type": "string"}, "example": ["a"]}),
            json!({"anyOf": [{"type": "string"}, {"type": "null"}], "default": null}),
            json!({"type": "object", "additionalProperties": {"type": "string"}, "required": ["en"]}),
            json!({"const": 5}),
            json!({"type": "string", "pattern": "^a+$", "x-order": 1, "optional": true}),
        ] {
            assert_argument(schema, &[]);
        }
    }

    #[test]
    fn contradictory_values_and_bounds_are_reported() {
        assert_argument(json!({"enum": []}), &["high empty_enum @.enum"]);
        assert_argument(
            json!({"type": "integer", "enum": [1, "2", 2.5]}),
            &[
                "high invalid_enum_value @.enum[1]",
                "high invalid_enum_value @.enum[2]",
            ],
        );
        assert_argument(
            json!({"type": "string", "const": 5}),
            &["high invalid_enum_value @.const"],
        );
        for bounds in [
            json!({"type": "number", "minimum": 2, "maximum": 1}),
            json!({"type": "number", "minimum": 1, "exclusiveMaximum": 1}),
            json!({"type": "string", "minLength": 3, "maxLength": 2}),
            json!({"type": "array", "items": {"type": "string"}, "minItems": 3, "maxItems": 2}),
        ] {
            assert_argument(bounds, &["high contradictory_bounds @"]);
        }
    }

    #[test]
    fn samples_are_checked_against_their_schema() {
        assert_argument(
            json!({"type": "integer", "default": "5"}),
            &["medium invalid_default @.default"],
        );
        assert_argument(
            json!({"type": "integer", "default": null}),
            &["low invalid_default @.default"],
        );
        assert_argument(
            json!({"type": "string", "format": "date", "examples": ["2024-05-16", "soon"]}),
            &["medium invalid_example @.examples[1]"],
        );
        assert_argument(
            json!({"type": "string", "maxLength": 2, "example": "abc"}),
            &["medium invalid_example @.example"],
        );
        let by_reference = with_parameters(json!({
            "type": "object",
            "properties": {"x": {"$ref": "#/$defs/level", "default": 7}},
            "$defs": {"level": {"description": "how loud it is", "type": "integer", "maximum": 5}},
        }));
        assert_eq!(
            found(&by_reference),
            ["medium invalid_default parameters.properties.x.default"]
        );
    }

    #[test]
    fn required_names_must_be_properties() {
        let issues = found(&with_parameters(json!({
            "type": "object",
            "properties": {"city": {"type": "string", "description": "where the walk starts"}},
            "required": ["city", "town", "citty"],
        })));
        assert_eq!(
            issues,
            [
                "high required_not_property parameters.required[1]",
                "high required_not_property parameters.required[2]"
            ]
        );
        for elsewhere in [
            json!({"type": "object", "allOf": [{"properties": {"a": {"type": "string", "description": "an apple's kind"}}}], "required": ["a"]}),
            json!({"type": "object", "properties": {"a": {"type": "string", "description": "an apple's kind"}}, "anyOf": [{"required": ["a"]}], "then": {"required": ["b"]}}),
        ] {
            let issues = found(&with_parameters(elsewhere));
            assert!(
                !issues.iter().any(|it| it.contains("required_not")),
                "{issues:?}"
            );
        }
    }

    #[test]
    fn types_of_other_languages_are_reported_with_a_suggestion() {
        let closest = |name: &str| {
            let document =
                json!([{"type": "function", "function": with_argument(json!({"type": name}))}]);
            let issues = linted(&document, None).expect("definitions").issues;
            assert_eq!(issues.len(), 1, "{name}: {issues:#?}");
            assert_eq!(issues[0].kind.label(), "unknown_type");
            (
                issues[0].severity.label(),
                issues[0].details.closest.clone(),
            )
        };
        for (name, severity, meant) in [
            ("str", "critical", Some("string")),
            ("int", "critical", Some("integer")),
            ("bolean", "critical", Some("boolean")),
            ("file", "critical", None),
            ("float", "high", Some("number")),
            ("STRING", "high", Some("string")),
            ("any", "high", None),
        ] {
            assert_eq!(
                closest(name),
                (severity, meant.map(str::to_owned)),
                "{name}"
            );
        }
        let of_bfcl = json!({"name": "walk", "description": "Walks on, straight ahead.", "parameters": {"type": "dict", "properties": {"x": {"type": "float", "description": "how far, in metres"}}}});
        assert!(found(&of_bfcl).is_empty());
    }

    #[test]
    fn a_schema_that_does_not_compile_is_one_issue_at_its_path() {
        for (schema, issue) in [
            (
                json!({"type": "string", "pattern": "("}),
                "critical invalid_schema @.pattern",
            ),
            (
                json!({"type": "string", "minLength": -1}),
                "critical invalid_schema @.minLength",
            ),
            (
                json!({"type": "string", "required": true}),
                "critical invalid_schema @.required",
            ),
            (
                json!({"$ref": "#/$defs/none"}),
                "critical unresolved_reference @.$ref",
            ),
            (
                json!({"$ref": "https://x.test/none"}),
                "critical unresolved_reference @.$ref",
            ),
        ] {
            assert_argument(schema, &[issue]);
        }
        let draft = with_parameters(json!({"$schema": "https://x.test/draft", "type": "object"}));
        assert_eq!(
            found(&draft),
            ["critical unsupported_draft parameters.$schema"]
        );
        let output = json!({"name": "walk", "description": "Walks on, straight ahead.", "inputSchema": {"type": "object"}, "outputSchema": {"type": "nmber"}});
        assert_eq!(
            found(&output),
            ["critical invalid_schema outputSchema.type"]
        );
    }

    #[test]
    fn arguments_are_an_object() {
        for (schema, issue) in [
            (
                json!({"type": "string"}),
                "critical root_not_object parameters",
            ),
            (json!(false), "critical root_not_object parameters"),
            (json!({}), "high root_not_object parameters"),
            (json!(true), "high root_not_object parameters"),
        ] {
            assert_eq!(found(&with_parameters(schema.clone())), [issue], "{schema}");
        }
        assert!(found(&with_parameters(json!({"type": ["object", "null"]}))).is_empty());
        let none = json!([{"name": "walk", "description": "Walks on, straight ahead."}]);
        assert_eq!(found(&none), ["low missing_parameters [0]"]);
    }

    #[test]
    fn misspelled_keywords_are_reported_but_custom_ones_are_not() {
        for keyword in [
            "additional_properties",
            "Required",
            "propertie",
            "enums",
            "max_length",
        ] {
            let schema = json!({"type": "object", keyword: 1});
            let issues = found(&with_parameters(schema));
            assert_eq!(
                issues,
                [format!("medium misspelled_keyword parameters.{keyword}")]
            );
        }
        let named = json!({"type": "object", "properties": {"enums": {"type": "string", "description": "what to choose from"}}});
        assert!(found(&with_parameters(named)).is_empty());
    }

    #[test]
    fn a_parameter_without_a_type_is_reported() {
        assert_argument(json!({}), &["low untyped_parameter @"]);
        assert_argument(json!({"title": "X"}), &["low untyped_parameter @"]);
    }
}
