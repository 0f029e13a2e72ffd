//! Describes violations of a schema for people: the place, the reason and the remedy.

use foldhash::{HashMap, HashSet};
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::paths::Location;
use jsonschema::{JsonType, ValidationError, Validator};
use serde::Serialize;
use serde_json::Value;

use super::coerce::coerce;
use super::instance::Instance;
use super::tool_names::{did_you_mean, nearest};
use super::union::Union;
use toolgauge_model::{Json, Path, short_quotes, start_of};

/// How many errors of the validator are read per reportable issue, because several errors can have one cause.
const ERRORS_PER_ISSUE: usize = 10;

/// One place where arguments violate their schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Violation {
    /// What kind of rule is violated.
    pub kind: ViolationKind,
    /// The path of the value; for a missing value the path where it belongs.
    pub path: Path,
    /// The JSON Schema keyword.
    pub keyword: String,
    /// What the schema expects, if one value expresses it: types, allowed values, a bound, a pattern.
    pub expected: Option<Value>,
    /// The actual value; absent for a missing value.
    pub actual: Option<Value>,
    /// The value of the right type that the actual one clearly means.
    pub coerced: Option<Value>,
    /// The known name or allowed value that is most similar to the actual one.
    pub suggestion: Option<String>,
    /// The reason without the path: `expected number, got "5" (string)`.
    pub message: String,
}

/// The data of a violation. Members that do not apply are absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct ViolationFacts {
    /// The JSON Schema keyword that is violated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keyword: Option<String>,
    /// What was expected: a type, the allowed values, a bound, a pattern.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub expected: Option<Value>,
    /// The actual value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub actual: Option<Value>,
    /// Present if the value clearly means one of the right type, for example a number in a string.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "true"))]
    pub coercible: Option<bool>,
    /// The value of the right type.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub coerced: Option<Value>,
    /// The known tool, argument or allowed value that is most similar to the given one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

impl From<Violation> for ViolationFacts {
    fn from(violation: Violation) -> Self {
        Self {
            keyword: Some(violation.keyword),
            expected: violation.expected,
            actual: violation.actual,
            coercible: violation.coerced.is_some().then_some(true),
            coerced: violation.coerced,
            suggestion: violation.suggestion,
        }
    }
}

/// The kinds of rules that arguments can violate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ViolationKind {
    /// A number that JSON can't represent: NaN or Infinity.
    InvalidNumber,
    /// A value of the wrong type.
    Type,
    /// A value that is not one of the allowed ones.
    AllowedValues,
    /// A required value is missing.
    Required,
    /// A string does not have its format.
    Format,
    /// Any other rule: bounds, patterns, unexpected properties, unions, …
    Constraint,
}

/// Returns at most `most` violations in `arguments`, in the order of the schema, and whether there are more.
/// `schema` is what the validator was compiled from.
///
/// Each value gives one violation per cause: a value of the wrong type is reported for nothing else, and a
/// value that is not allowed only for that.
pub fn violations(
    validator: &Validator,
    schema: &Value,
    arguments: Json<'_>,
    most: usize,
) -> (Vec<Violation>, bool) {
    let (found, unread) = every_violation(validator, schema, arguments, most);
    let mut found = one_for_each_cause(found);
    let more = unread || found.len() > most;
    found.truncate(most);
    (found, more)
}

/// Like [`violations`], but returns one for each violated keyword, even if several have one cause. May return
/// more than `most`, because one error of the validator can become several violations.
pub fn every_violation(
    validator: &Validator,
    schema: &Value,
    arguments: Json<'_>,
    most: usize,
) -> (Vec<Violation>, bool) {
    let instance = Instance::of(arguments);
    let is_valid = validator.is_valid(&instance.value);
    if is_valid && instance.not_finite.is_empty() {
        return (Vec::new(), false);
    }
    let mut found: Vec<_> = instance.not_finite.iter().map(invalid_number).collect();
    let mut unread = false;
    if !is_valid {
        let mut errors = validator.iter_errors(&instance.value);
        for error in errors.by_ref().take(most.saturating_mul(ERRORS_PER_ISSUE)) {
            let whole = (schema, &instance.value);
            explain(error, whole, most + 1, &mut found);
        }
        unread = errors.next().is_some();
    }
    (found, unread)
}

pub(super) fn one_for_each_cause(found: Vec<Violation>) -> Vec<Violation> {
    let mut first_cause: HashMap<Path, ViolationKind> = HashMap::default();
    for violation in &found {
        let cause = cause(violation.kind);
        let first = first_cause.entry(violation.path.clone()).or_insert(cause);
        *first = cause.min(*first);
    }
    // Schema generators often add a pattern that repeats the format.
    let misformatted: HashSet<Path> = found
        .iter()
        .filter(|violation| violation.kind == ViolationKind::Format)
        .map(|violation| violation.path.clone())
        .collect();
    let mut kept: Vec<Violation> = Vec::with_capacity(found.len());
    let mut seen: HashMap<(Path, String), Vec<usize>> = HashMap::default();
    for violation in found {
        let is_hidden = cause(violation.kind) != first_cause[&violation.path];
        if is_hidden || (violation.keyword == "pattern" && misformatted.contains(&violation.path)) {
            continue;
        }
        let same_place = seen
            .entry((violation.path.clone(), violation.keyword.clone()))
            .or_default();
        if same_place
            .iter()
            .all(|at: &usize| kept[*at].message != violation.message)
        {
            same_place.push(kept.len());
            kept.push(violation);
        }
    }
    kept
}

/// Ranks the causes of violations at one place: the lowest hides the others.
fn cause(kind: ViolationKind) -> ViolationKind {
    match kind {
        ViolationKind::Required | ViolationKind::Format => ViolationKind::Constraint,
        other => other,
    }
}

fn invalid_number((path, number): &(Path, String)) -> Violation {
    Violation {
        kind: ViolationKind::InvalidNumber,
        path: path.clone(),
        keyword: "type".to_owned(),
        expected: Some("a finite number".into()),
        actual: Some(number.as_str().into()),
        coerced: None,
        suggestion: None,
        message: format!("expected a finite number, got {number}, which JSON can't represent"),
    }
}

/// Adds the violations that `error` stands for: usually one, but one for each unexpected property, and for a
/// nullable union those of its only other alternative. `whole` holds the schema and the arguments.
pub(super) fn explain(
    error: ValidationError<'_>,
    whole: (&Value, &Value),
    most: usize,
    found: &mut Vec<Violation>,
) {
    let (schema, arguments) = whole;
    let path = path_of(error.instance_path(), arguments);
    let siblings = schema.pointer(parent_of(error.schema_path().as_str()));
    // A member of that name would be the last step of both locations.
    const KEYWORD: &str = "/additionalProperties";
    let refuses_all_members = error.schema_path().as_str().ends_with(KEYWORD)
        && !error.instance_path().as_str().ends_with(KEYWORD);
    let parts = error.into_parts();
    let union = |keyword| Union {
        keyword,
        location: &parts.instance_path,
        path: path.clone(),
        actual: parts.instance.as_ref().clone(),
        alternatives: siblings.and_then(|schema| schema.get(keyword)),
        schema,
        arguments,
    };
    match parts.kind {
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context }
            if is_nullable_union(&context, &parts.instance_path) =>
        {
            let other = context
                .into_iter()
                .find(|branch| !wants_null(branch, &parts.instance_path) && !is_counter(branch));
            for error in other.into_iter().flatten() {
                explain(error, whole, most, found);
            }
        }
        ValidationErrorKind::AnyOf { context } => found.push(union("anyOf").violation(context)),
        ValidationErrorKind::OneOfNotValid { context } => {
            found.push(union("oneOf").violation(context));
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let names = unexpected.iter().take(most);
            found.extend(names.map(|name| {
                unexpected_property(
                    "additionalProperties",
                    name,
                    &path,
                    &parts.instance,
                    siblings,
                )
            }));
        }
        // Without `properties` beside it, jsonschema reports the keyword this way, once for the whole object.
        ValidationErrorKind::FalseSchema if refuses_all_members => {
            let object = arguments.pointer(parts.instance_path.as_str());
            let object = object.unwrap_or(&Value::Null);
            let members = object.as_object().into_iter().flatten().take(most);
            found.extend(members.map(|(name, _)| {
                unexpected_property("additionalProperties", name, &path, object, siblings)
            }));
        }
        ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            let names = unexpected.iter().take(most);
            found.extend(names.map(|name| {
                unexpected_property(
                    "unevaluatedProperties",
                    name,
                    &path,
                    &parts.instance,
                    siblings,
                )
            }));
        }
        ValidationErrorKind::Required { property } => {
            found.push(missing(&property, &path, siblings))
        }
        ValidationErrorKind::PropertyNames { error } => found.push(misnamed(&error, &path)),
        kind => found.push(plain(&kind, path, parts.instance.into_owned())),
    }
}

fn is_nullable_union(context: &[Vec<ValidationError<'static>>], place: &Location) -> bool {
    let alternatives = context.iter().filter(|branch| !is_counter(branch));
    let (null, other): (Vec<_>, Vec<_>) =
        alternatives.partition(|branch| wants_null(branch, place));
    other.len() == 1 && !null.is_empty()
}

/// Returns whether a branch is the alternative that only counts visits.
pub(super) fn is_counter(branch: &[ValidationError<'static>]) -> bool {
    matches!(branch, [error] if matches!(error.kind(), ValidationErrorKind::Custom { .. }))
}

fn misnamed(error: &ValidationError<'_>, object: &Path) -> Violation {
    let name = error.instance().as_str().unwrap_or_default();
    let (_, expected, wish) = wish_of(error.kind());
    Violation {
        kind: ViolationKind::Constraint,
        path: object.key(name),
        keyword: "propertyNames".to_owned(),
        expected,
        actual: Some(name.into()),
        coerced: None,
        suggestion: None,
        message: format!("invalid name: {wish}, got {}", describe(error.instance())),
    }
}

fn wants_null(branch: &[ValidationError<'static>], place: &Location) -> bool {
    matches!(branch, [error] if error.instance_path() == place
        && matches!(error.kind(), ValidationErrorKind::Type { kind: TypeKind::Single(JsonType::Null) }))
}

fn unexpected_property(
    keyword: &str,
    name: &str,
    path: &Path,
    object: &Value,
    siblings: Option<&Value>,
) -> Violation {
    let known = siblings.and_then(|schema| schema.get("properties")?.as_object());
    let unused = known
        .into_iter()
        .flat_map(|known| known.keys().map(String::as_str));
    let suggestion = nearest(name, unused.filter(|known| object.get(known).is_none()));
    let hint = did_you_mean(suggestion);
    Violation {
        kind: ViolationKind::Constraint,
        path: path.key(name),
        keyword: keyword.to_owned(),
        expected: None,
        actual: object.get(name).cloned(),
        coerced: None,
        suggestion: suggestion.map(str::to_owned),
        message: short_quotes(&format!("unknown argument {name:?}{hint}")).into_owned(),
    }
}

fn missing(property: &Value, path: &Path, siblings: Option<&Value>) -> Violation {
    let name = property.as_str().unwrap_or_default();
    let wanted = siblings
        .and_then(|schema| schema.get("properties")?.get(name)?.get("type"))
        .cloned();
    let what = wanted
        .as_ref()
        .map_or(String::new(), |kinds| format!(" ({})", type_names(kinds)));
    Violation {
        kind: ViolationKind::Required,
        path: path.key(name),
        keyword: "required".to_owned(),
        expected: wanted,
        actual: None,
        coerced: None,
        suggestion: None,
        message: format!("required, but missing{what}"),
    }
}

fn plain(kind: &ValidationErrorKind, path: Path, actual: Value) -> Violation {
    let (violated, expected, wish) = wish_of(kind);
    let coerced = match kind {
        ValidationErrorKind::Type { kind } => coerce(&actual, &types_of(kind)),
        _ => None,
    };
    let suggestion = match violated {
        ViolationKind::AllowedValues => expected
            .as_ref()
            .and_then(|allowed| nearest_value(&actual, allowed)),
        _ => None,
    };
    let hint = coerced.as_ref().map_or(did_you_mean(suggestion), |value| {
        format!("; it can be read as {}", cut(value.to_string(), 60))
    });
    Violation {
        kind: violated,
        path,
        keyword: kind.keyword().to_owned(),
        coerced,
        suggestion: suggestion.map(str::to_owned),
        message: short_quotes(&format!("{wish}, got {}{hint}", describe(&actual))).into_owned(),
        actual: Some(actual),
        expected,
    }
}

/// Returns the string among the `allowed` values, or the only allowed one, that is most similar to the string
/// `actual`.
pub(super) fn nearest_value<'v>(actual: &Value, allowed: &'v Value) -> Option<&'v str> {
    let allowed = allowed
        .as_array()
        .map_or(std::slice::from_ref(allowed), Vec::as_slice);
    nearest(actual.as_str()?, allowed.iter().filter_map(Value::as_str))
}

/// Returns the kind of rule, the value that expresses the expectation, and the expectation as a phrase.
fn wish_of(kind: &ValidationErrorKind) -> (ViolationKind, Option<Value>, String) {
    use ValidationErrorKind as Kind;
    use ViolationKind::{AllowedValues, Constraint, Format, Type};
    let constraint = |expected: Value, wish: String| (Constraint, Some(expected), wish);
    match kind {
        Kind::Type { kind } => {
            let types = type_value(kind);
            let wish = format!("expected {}", type_names(&types));
            (Type, Some(types), wish)
        }
        Kind::Enum { options } => {
            let wish = format!("expected one of {}", brief(options));
            (AllowedValues, Some(options.as_ref().clone()), wish)
        }
        Kind::Constant { expected_value } => {
            let wish = format!("expected {}", brief(expected_value));
            (AllowedValues, Some(expected_value.as_ref().clone()), wish)
        }
        Kind::Format { format } => {
            let wish = format!("expected the format {format:?}");
            (Format, Some(format.as_str().into()), wish)
        }
        Kind::Pattern { pattern } => constraint(
            pattern.as_str().into(),
            format!("expected a text that matches {pattern:?}"),
        ),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => (
            Constraint,
            None,
            "the pattern takes too many steps on this text, so toolgauge can't decide whether it matches".to_owned(),
        ),
        Kind::Maximum { limit } => constraint(limit.clone(), format!("expected at most {limit}")),
        Kind::Minimum { limit } => constraint(limit.clone(), format!("expected at least {limit}")),
        Kind::ExclusiveMaximum { limit } => {
            constraint(limit.clone(), format!("expected less than {limit}"))
        }
        Kind::ExclusiveMinimum { limit } => {
            constraint(limit.clone(), format!("expected more than {limit}"))
        }
        Kind::MultipleOf { multiple_of } => constraint(
            (*multiple_of).into(),
            format!("expected a multiple of {multiple_of}"),
        ),
        Kind::MaxLength { limit } => constraint(
            (*limit).into(),
            format!("expected at most {limit} characters"),
        ),
        Kind::MinLength { limit } => constraint(
            (*limit).into(),
            format!("expected at least {limit} characters"),
        ),
        Kind::MaxItems { limit } => {
            constraint((*limit).into(), format!("expected at most {limit} items"))
        }
        Kind::MinItems { limit } => {
            constraint((*limit).into(), format!("expected at least {limit} items"))
        }
        Kind::MaxProperties { limit } => constraint(
            (*limit).into(),
            format!("expected at most {limit} properties"),
        ),
        Kind::MinProperties { limit } => constraint(
            (*limit).into(),
            format!("expected at least {limit} properties"),
        ),
        Kind::AdditionalItems { limit } => constraint(
            (*limit).into(),
            format!("expected no more than {limit} items"),
        ),
        Kind::UniqueItems => (Constraint, None, "expected no repeated items".to_owned()),
        Kind::Contains => (
            Constraint,
            None,
            "expected an item that matches `contains`".to_owned(),
        ),
        Kind::FalseSchema => (Constraint, None, "expected no value here".to_owned()),
        Kind::Not { .. } => (
            Constraint,
            None,
            "expected a value that `not` does not match".to_owned(),
        ),
        Kind::OneOfMultipleValid { .. } => (
            Constraint,
            None,
            "expected exactly one alternative to match, but several do".to_owned(),
        ),
        Kind::ContentEncoding {
            content_encoding: name,
        } => constraint(
            name.as_str().into(),
            format!("expected the encoding {name:?}"),
        ),
        Kind::ContentMediaType {
            content_media_type: name,
        } => constraint(
            name.as_str().into(),
            format!("expected the media type {name:?}"),
        ),
        other => (
            Constraint,
            None,
            format!("expected {:?} to hold", other.keyword()),
        ),
    }
}

fn types_of(kind: &TypeKind) -> Vec<JsonType> {
    match kind {
        TypeKind::Single(one) => vec![*one],
        TypeKind::Multiple(set) => {
            let mut types: Vec<_> = set.iter().collect();
            types.sort_by_key(|kind| *kind == JsonType::Null);
            types
        }
    }
}

pub(super) fn type_value(kind: &TypeKind) -> Value {
    let names: Vec<Value> = types_of(kind)
        .iter()
        .map(|kind| kind.as_str().into())
        .collect();
    match names.as_slice() {
        [one] => one.clone(),
        _ => Value::Array(names),
    }
}

pub(super) fn type_names(types: &Value) -> String {
    match types {
        Value::String(name) => name.clone(),
        Value::Array(names) => names
            .iter()
            .map(type_names)
            .collect::<Vec<_>>()
            .join(" or "),
        other => other.to_string(),
    }
}

pub(super) fn brief(value: &Value) -> String {
    let text = match value {
        Value::Array(items) => items
            .iter()
            .map(Value::to_string)
            .collect::<Vec<_>>()
            .join(", "),
        other => other.to_string(),
    };
    cut(text, 200)
}

pub(super) fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::Array(_) => "an array".to_owned(),
        Value::String(text) => {
            format!(
                "{} (string)",
                cut(Value::from(start_of(text, 100)).to_string(), 80)
            )
        }
        Value::Number(number) => format!("{number} (number)"),
        Value::Bool(value) => format!("{value} (boolean)"),
    }
}

pub(super) fn cut(mut text: String, most: usize) -> String {
    let kept = start_of(&text, most).len();
    if kept < text.len() {
        text.truncate(kept);
        text.push('…');
    }
    text
}

/// Converts the location of a JSON Schema error to a path.
pub fn path_of(location: &Location, whole: &Value) -> Path {
    // `location.segments()` leaves out members with an empty name.
    let segments = location.as_str().split('/').skip(1);
    let mut value = Some(whole);
    segments.fold(Path::root(), |path, segment| {
        let items = value.and_then(Value::as_array);
        if let (Some(items), Ok(index)) = (items, segment.parse()) {
            value = items.get(index);
            return path.index(index);
        }
        let key = segment.replace("~1", "/").replace("~0", "~");
        value = value.and_then(|value| value.get(&key));
        path.key(&key)
    })
}

fn parent_of(pointer: &str) -> &str {
    pointer.rsplit_once('/').map_or("", |(parent, _)| parent)
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;
    use serde_json::json;

    use super::super::compile::{Compiler, prepare};
    use super::*;
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Member, Number};

    fn found(schema: Value, arguments: Json<'_>) -> Vec<Violation> {
        let mut schema = schema;
        prepare(&mut schema);
        let validator = Compiler::new(Vec::new())
            .compile("tool", "parameters", &schema)
            .expect("a valid schema");
        violations(&validator, &schema, arguments, 100).0
    }

    #[test]
    fn locations_become_paths_whatever_the_keys() {
        let arena = Bump::new();
        let keys = [
            "", "0", "12", "a.b", "[0]", "x]", "\"", "'", "~1", "~0", "a/b", "/", " ", "é", "-",
            "a-b",
        ];
        for (outer, inner) in keys
            .iter()
            .flat_map(|outer| keys.map(|inner| (outer, inner)))
        {
            let places = [
                (
                    json!({"required": ["z"]}),
                    json!({}),
                    Path::root().key(outer).key(inner).key("z"),
                ),
                (
                    json!({"type": "string"}),
                    json!(1),
                    Path::root().key(outer).key(inner),
                ),
                (
                    json!({"properties": {"q": {}}, "additionalProperties": false}),
                    json!({"0": 1}),
                    Path::root().key(outer).key(inner).key("0"),
                ),
                (
                    json!({"items": {"type": "string"}}),
                    json!(["", 1]),
                    Path::root().key(outer).key(inner).index(1),
                ),
                (
                    json!({"anyOf": [{"type": "null"}, {"properties": {"": {"type": "string"}}}]}),
                    json!({"": 1}),
                    Path::root().key(outer).key(inner).key(""),
                ),
            ];
            for (part, value, place) in places {
                let schema = json!({"properties": {*outer: {"properties": {inner: part}}}});
                let arguments = json!({*outer: {inner: value}}).to_string();
                let found = found(schema, arena_json(&arena, &arguments));
                let paths: Vec<_> = found.iter().map(|it| &it.path).collect();
                assert_eq!(paths, [&place], "{arguments}");
            }
        }
    }

    /// Returns each violation as `kind path keyword: message`.
    fn messages(schema: Value, arguments: &Value) -> Vec<String> {
        let arena = Bump::new();
        found(schema, arena_json(&arena, &arguments.to_string()))
            .iter()
            .map(|v| format!("{:?} {} {}: {}", v.kind, v.path, v.keyword, v.message))
            .collect()
    }

    fn property(schema: Value) -> Value {
        json!({"type": "object", "properties": {"x": schema}})
    }

    #[test]
    fn every_keyword_says_what_it_wants_and_what_it_got() {
        let cases = [
            (
                json!({"type": "number"}),
                json!("5"),
                r#"Type x type: expected number, got "5" (string); it can be read as 5"#,
            ),
            (
                json!({"type": ["integer", "null"]}),
                json!({}),
                "Type x type: expected integer or null, got an object",
            ),
            (
                json!({"enum": ["a", 1]}),
                json!("b"),
                r#"AllowedValues x enum: expected one of "a", 1, got "b" (string)"#,
            ),
            (
                json!({"enum": ["en-GB", "no", 1]}),
                json!("en_gb"),
                r#"AllowedValues x enum: expected one of "en-GB", "no", 1, got "en_gb" (string); did you mean "en-GB"?"#,
            ),
            (
                json!({"const": true}),
                json!(null),
                "AllowedValues x const: expected true, got null",
            ),
            (
                json!({"format": "email"}),
                json!("me"),
                r#"Format x format: expected the format "email", got "me" (string)"#,
            ),
            (
                json!({"format": "email"}),
                json!("Kim <kim@example.org>"),
                r#"Format x format: expected the format "email", got "Kim <kim@example.org>" (string)"#,
            ),
            (
                json!({"pattern": "^a"}),
                json!("b"),
                r#"Constraint x pattern: expected a text that matches "^a", got "b" (string)"#,
            ),
            (
                json!({"minimum": 1}),
                json!(0),
                "Constraint x minimum: expected at least 1, got 0 (number)",
            ),
            (
                json!({"maximum": 1.5}),
                json!(2),
                "Constraint x maximum: expected at most 1.5, got 2 (number)",
            ),
            (
                json!({"exclusiveMinimum": 0}),
                json!(0),
                "Constraint x exclusiveMinimum: expected more than 0, got 0 (number)",
            ),
            (
                json!({"multipleOf": 2}),
                json!(3),
                "Constraint x multipleOf: expected a multiple of 2, got 3 (number)",
            ),
            (
                json!({"minLength": 2}),
                json!("é"),
                r#"Constraint x minLength: expected at least 2 characters, got "é" (string)"#,
            ),
            (
                json!({"maxItems": 1}),
                json!([1, 2]),
                "Constraint x maxItems: expected at most 1 items, got an array",
            ),
            (
                json!({"uniqueItems": true}),
                json!([1, 1.0]),
                "Constraint x uniqueItems: expected no repeated items, got an array",
            ),
            (
                json!({"minProperties": 1}),
                json!({}),
                "Constraint x minProperties: expected at least 1 properties, got an object",
            ),
            (
                json!({"contains": {"const": 1}}),
                json!([]),
                "Constraint x contains: expected an item that matches `contains`, got an array",
            ),
            (
                json!({"not": {"type": "string"}}),
                json!("a"),
                r#"Constraint x not: expected a value that `not` does not match, got "a" (string)"#,
            ),
            (
                json!(false),
                json!(1),
                "Constraint x falseSchema: expected no value here, got 1 (number)",
            ),
            (
                json!({"oneOf": [{"type": "number"}, {"type": "integer"}]}),
                json!(1),
                "Constraint x oneOf: expected exactly one alternative to match, but several do, got 1 (number)",
            ),
            (
                json!({"anyOf": [{"type": "number"}, {"type": "boolean"}]}),
                json!("a"),
                r#"Constraint x anyOf: expected number or boolean, got "a" (string)"#,
            ),
            (
                json!({"oneOf": [{"type": "number"}, {"minLength": 3}]}),
                json!("a"),
                r#"Constraint x oneOf: matches none of the 2 alternatives, got "a" (string); nearest is number 2: expected at least 3 characters, got "a" (string)"#,
            ),
        ];
        for (schema, value, message) in cases {
            assert_eq!(messages(property(schema), &json!({"x": value})), [message]);
        }
    }

    #[test]
    fn missing_and_unexpected_values_are_reported_at_their_own_path() {
        let schema = json!({
            "properties": {"user": {
                "properties": {"name": {"type": "string"}, "e.mail": {}},
                "required": ["name", "e.mail"],
                "additionalProperties": false,
            }},
        });
        assert_eq!(
            messages(schema, &json!({"user": {"nmae": "Kim", "zip": 1}})),
            [
                "Required user.name required: required, but missing (string)",
                r#"Required user["e.mail"] required: required, but missing"#,
                r#"Constraint user.nmae additionalProperties: unknown argument "nmae"; did you mean "name"?"#,
                r#"Constraint user.zip additionalProperties: unknown argument "zip""#,
            ]
        );
    }

    #[test]
    fn unexpected_members_are_reported_one_by_one() {
        let schema = json!({"properties": {"a": {"additionalProperties": false}}});
        assert_eq!(
            messages(schema, &json!({"a": {"x": 1, "y": 2}})),
            [
                r#"Constraint a.x additionalProperties: unknown argument "x""#,
                r#"Constraint a.y additionalProperties: unknown argument "y""#,
            ]
        );
        let schema = json!({"additionalProperties": false});
        assert_eq!(
            messages(schema, &json!({"x": 1})),
            [r#"Constraint x additionalProperties: unknown argument "x""#]
        );
        let schema = json!({"properties": {"additionalProperties": false}});
        assert_eq!(
            messages(schema, &json!({"additionalProperties": {"x": 1}})),
            ["Constraint additionalProperties falseSchema: expected no value here, got an object"]
        );
    }

    #[test]
    fn invalid_names_are_reported_one_by_one() {
        let schema = json!({"propertyNames": {"maxLength": 2}});
        assert_eq!(
            messages(schema, &json!({"abc": 1, "ab": 2, "wxyz": 3})),
            [
                r#"Constraint abc propertyNames: invalid name: expected at most 2 characters, got "abc" (string)"#,
                r#"Constraint wxyz propertyNames: invalid name: expected at most 2 characters, got "wxyz" (string)"#,
            ]
        );
    }

    #[test]
    fn one_value_gives_one_violation_for_one_cause() {
        let strict = json!({"type": "string", "enum": ["a"], "minLength": 9, "pattern": "x"});
        let count = |value: Value| messages(property(strict.clone()), &json!({"x": value})).len();
        assert_eq!(count(json!(5)), 1);
        assert_eq!(count(json!("b")), 1);
        let twice = json!({"allOf": [{"type": "string"}, {"type": "string"}]});
        assert_eq!(messages(property(twice), &json!({"x": 5})).len(), 1);
        let spelled_out = json!({"format": "email", "pattern": "^[^@]+@[^@]+$"});
        assert_eq!(messages(property(spelled_out), &json!({"x": "b"})).len(), 1);
        let two_causes = json!({"minLength": 9, "pattern": "x"});
        assert_eq!(messages(property(two_causes), &json!({"x": "b"})).len(), 2);
    }

    #[test]
    fn a_nullable_union_is_explained_by_its_other_alternative() {
        let nullable = json!({"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]});
        assert_eq!(
            messages(property(nullable.clone()), &json!({"x": "soon"})),
            [r#"Format x format: expected the format "date", got "soon" (string)"#]
        );
        assert_eq!(
            messages(property(nullable), &json!({"x": 5})),
            ["Type x type: expected string, got 5 (number)"]
        );
        let number = json!({"oneOf": [{"type": "null"}, {"type": "number"}]});
        assert_eq!(
            messages(property(number), &json!({"x": "5"})),
            [r#"Type x type: expected number, got "5" (string); it can be read as 5"#]
        );
    }

    #[test]
    fn a_union_names_the_nearest_alternative_and_the_difference() {
        let shapes = json!({
            "$defs": {
                "circle": {"properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}, "required": ["kind", "radius"]},
                "square": {"properties": {"kind": {"const": "square"}, "side": {"type": "number"}}, "required": ["kind", "side"], "additionalProperties": false},
            },
            "properties": {"x": {"oneOf": [{"$ref": "#/$defs/circle"}, {"$ref": "#/$defs/square"}, {"type": "string"}]}},
        });
        let by_fields = json!({
            "$defs": {"Person": {"properties": {"first": {}, "last": {}}, "required": ["first", "last"]}},
            "properties": {"x": {"anyOf": [
                {"type": "integer"},
                {"$ref": "#/$defs/Person"},
                {"title": "Firm", "type": "object", "required": ["firm", "number", "country"]},
                {"type": "object", "properties": {"unit": {"enum": ["m", "ft"]}}, "required": ["unit"]},
            ]}},
        });
        let nested = json!({
            "$defs": {"node": {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}, "required": ["next"]}]}},
            "properties": {"x": {"$ref": "#/$defs/node"}},
        });
        let cases = [
            (
                &shapes,
                json!({"kind": "square", "side": "2", "a": 1, "b": 2}),
                r#"3 alternatives, got an object; nearest is the one with kind "square": side: expected number, got "2" (string); it can be read as 2"#,
            ),
            (
                &shapes,
                json!({"kind": "sqare", "side": 2}),
                r#"3 alternatives, got an object; kind: expected one of "circle", "square", got "sqare" (string); did you mean "square"?"#,
            ),
            (
                &shapes,
                json!({"radius": 2}),
                r#"3 alternatives, got an object; nearest is "circle": kind: required, but missing"#,
            ),
            (
                &by_fields,
                json!({"first": "Kim"}),
                r#"4 alternatives, got an object; nearest is "Person": last: required, but missing"#,
            ),
            (
                &by_fields,
                json!({"unit": "metre"}),
                r#"4 alternatives, got an object; nearest is number 4: unit: expected one of "m", "ft", got "metre" (string)"#,
            ),
            (
                &nested,
                json!({"next": {"next": 5}}),
                r#"2 alternatives, got an object; nearest is number 2: next: matches none of the 2 alternatives, got an object; nearest is number 2: next: expected string or object, got 5 (number)"#,
            ),
        ];
        for (schema, value, message) in cases {
            let found = messages(schema.clone(), &json!({"x": value}));
            assert!(
                found.len() == 1
                    && found[0].ends_with(&format!("Of: matches none of the {message}")),
                "{value}: {found:#?}, not {message}"
            );
        }
    }

    #[test]
    fn a_union_of_types_is_explained_by_type_only_for_the_value_itself() {
        let inside = json!({"anyOf": [
            {"properties": {"a": {"type": "string"}}},
            {"properties": {"a": {"type": "boolean"}}},
        ]});
        assert_eq!(
            messages(property(inside), &json!({"x": {"a": 5}})),
            [
                "Constraint x anyOf: matches none of the 2 alternatives, got an object; nearest is number 1: a: expected string, got 5 (number)"
            ]
        );
    }

    #[test]
    fn numbers_that_json_can_not_represent_are_reported_once() {
        let nan = Json::Number(Number::Float(f64::NAN));
        let items = [Json::Null, Json::Number(Number::Float(f64::NEG_INFINITY))];
        let members: [Member<'_>; 2] = [("x", nan), ("list", Json::Array(&items))];
        let schema = json!({"properties": {"x": {"type": "string"}, "list": {"items": {}}}});
        let found = found(schema, Json::Object(&members));
        let places: Vec<_> = found.iter().map(|v| (v.path.as_str(), v.kind)).collect();
        assert_eq!(
            places,
            [
                ("x", ViolationKind::InvalidNumber),
                ("list[1]", ViolationKind::InvalidNumber)
            ]
        );
        assert!(found[1].message.contains("-Infinity"));
    }

    #[test]
    fn extra_violations_are_cut_and_flagged() {
        let arena = Bump::new();
        let mut schema = property(json!({"items": {"type": "string"}}));
        prepare(&mut schema);
        let validator = Compiler::new(Vec::new())
            .compile("t", "parameters", &schema)
            .expect("valid");
        let numbers = json!({"x": (0..5_000).collect::<Vec<_>>()}).to_string();
        let arguments = arena_json(&arena, &numbers);
        let (found, more) = violations(&validator, &schema, arguments, 7);
        assert_eq!((found.len(), more), (7, true));
        assert_eq!(found[6].path.as_str(), "x[6]");
        let (found, more) = violations(&validator, &schema, arguments, 5_000);
        assert_eq!((found.len(), more), (5_000, false));
    }
}
