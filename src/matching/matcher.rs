//! Matchers: how one argument is compared, and how they are read from JSON.

use std::rc::Rc;
use std::str::FromStr;

use foldhash::HashSet;
use jsonschema::Validator;
use serde_json::{Value, json};
use strum::VariantArray;

use super::budget::Budget;
use super::coercion::are_coerced;
use super::grammar::{MatcherName, OPTIONAL, RuleMember};
use super::moment::Moments;
use toolgauge_formats::Fields;
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Kind, Path, Preview, SCHEMA_TYPES, count_values};
use toolgauge_schema::{Compiler, accepts, prepare, to_value};

/// How many characters of a value a phrase shows.
const SHOWN: usize = 80;

/// How an argument is compared with the expected one.
///
/// Those that [decide alone](Matcher::decides_alone) need no expected value. The others compare the whole
/// value, including members and items.
#[derive(Debug, Clone)]
pub enum Matcher<'a> {
    /// Equal as in JSON Schema: 1 equals 1.0, but 5 does not equal "5". The default.
    Exact,
    /// Anything, or nothing.
    Ignore,
    /// Objects may lack expected members but have no others. Arrays are compared item by item.
    Subset,
    /// Objects may have other members than expected. Arrays are compared item by item.
    Superset,
    /// Texts are equal except for upper and lower case.
    CaseInsensitive,
    /// Numbers differ by at most this much.
    Tolerance {
        /// The difference itself.
        absolute: f64,
        /// The difference as a share of the expected number.
        relative: f64,
    },
    /// Texts name the same date, time or both: `2024-05-16` and `May 16, 2024`, `17:00` and `5 pm`.
    Date,
    /// Arrays contain the same items in any order.
    Unordered,
    /// Texts are equal except for case, spaces, the characters `,./-_*^`, and the kind of quotes.
    Normalized,
    /// Values are equal except for their types: `"5"` and 5, `"true"` and true, `x` and `[x]`.
    Coerce,
    /// Texts whose similarity is at least this, from 0 to 1: 1 − edit distance / length of the longer text.
    Similar(f64),
    /// A number that is not less than `min` and not more than `max`.
    Range {
        /// The least number.
        min: Option<f64>,
        /// The greatest number.
        max: Option<f64>,
    },
    /// One of these values.
    OneOf {
        /// The values.
        values: &'a [Json<'a>],
        /// How the value is compared with each of them.
        by: MatcherName,
    },
    /// A text in which the pattern matches anywhere, as with JSON Schema's `pattern`.
    Regex {
        /// The pattern as written.
        pattern: &'a str,
        /// The compiled pattern.
        check: Check,
    },
    /// A text that contains these texts, or an array that contains these items. `None`: those of the expected
    /// value.
    Contains(Option<&'a [Json<'a>]>),
    /// A value of one of these JSON types. `None`: the type of the expected value.
    Type(Option<&'a [Json<'a>]>),
    /// A value that a JSON Schema accepts.
    Schema(Check),
    /// A value that the caller's comparator of this name accepts for the expected one.
    Compare(&'a str),
    /// A value that equals the expected value, or for which a judge answers this question with yes.
    Judge(&'a str),
}

/// A compiled pattern or schema, with its limits.
#[derive(Debug, Clone)]
pub struct Check {
    validator: Rc<Validator>,
    /// Whether it has patterns that may backtrack.
    backtracks: bool,
}

impl Check {
    /// Returns whether `value` passes.
    ///
    /// # Errors
    /// As [`accepts`].
    fn accepts(&self, value: Json<'_>, budget: &Budget) -> Result<bool> {
        let bytes = text_bytes(value);
        let patterns = match self.backtracks {
            true => BACKTRACKING_STEPS * (1 + bytes / BYTES_READ_PER_STEP),
            false => 0,
        };
        let values = VALIDATION_STEPS * count_values(value) + bytes / BYTES_READ_PER_STEP;
        if !budget.spend(values + patterns) {
            return Ok(false);
        }
        accepts(&self.validator, value, budget.limits())
    }
}

/// The steps of the budget that a validator takes per value.
const VALIDATION_STEPS: usize = 4;

/// The steps of the budget that a pattern with look-around or back-references takes at least, and again for
/// each [`BYTES_READ_PER_STEP`] of a text. `jsonschema` bounds the real work.
const BACKTRACKING_STEPS: usize = 200;

/// How many bytes cost one step when reading them character by character.
pub(super) const BYTES_READ_PER_STEP: usize = 16;

/// How many bytes cost one step when comparing them.
const BYTES_COMPARED_PER_STEP: usize = 64;

/// How many cells of a table of edit distances cost one step.
const CELLS_PER_STEP: usize = 8;

/// The largest product of two lengths for which lists are searched without a table.
const FEW_PAIRS: usize = 64;

/// Returns the number of bytes of all texts in `value`.
pub(super) fn text_bytes(value: Json<'_>) -> usize {
    match value {
        Json::String(text) => text.len(),
        Json::Array(items) => items.iter().map(|item| text_bytes(*item)).sum(),
        Json::Object(members) => members
            .iter()
            .map(|(key, value)| key.len() + text_bytes(*value))
            .sum(),
        Json::Null | Json::Bool(_) | Json::Number(_) => 0,
    }
}

/// A matcher with the other settings for one argument.
#[derive(Debug, Clone, Default)]
pub struct Rule<'a> {
    /// The matcher; `None` to inherit the one of the surrounding value.
    pub matcher: Option<Matcher<'a>>,
    /// Whether the argument may be missing or `null`.
    pub optional: bool,
    /// The value that a missing argument has, on both sides.
    pub default: Option<Json<'a>>,
    /// The expectation in the words of the rule's author.
    pub label: Option<&'a str>,
    /// The value that a missing argument has by the schema of its tool, on both sides.
    pub default_of_schema: Option<Json<'a>>,
    /// In a rule for all arguments: whether null and an argument that is left out are the same. `None` to leave it to
    /// earlier rules.
    pub null_is_absent: Option<bool>,
}

/// The possible forms of a rule, for error messages.
fn expected_rule() -> String {
    let names = MatcherName::VARIANTS.iter().map(|name| {
        let name: &str = (*name).into();
        format!("{name:?}")
    });
    let named = |is_matcher: bool| {
        let members = RuleMember::VARIANTS.iter();
        let members = members.filter(move |member| member.is_matcher() == is_matcher);
        members.map(|member| <&str>::from(*member)).collect()
    };
    let (matchers, others): (Vec<_>, Vec<_>) = (named(true), named(false));
    let (last, others) = others.split_last().unwrap_or((&"", &[]));
    format!(
        "a matcher: {}, or an object with one of {}, and with {} or {last}",
        names.collect::<Vec<_>>().join(", "),
        matchers.join(", "),
        others.join(", ")
    )
}

impl<'a> Rule<'a> {
    /// Reads the rule `json` at `path`.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] with the path of the first mistake.
    pub fn read(json: Json<'a>, path: &Path) -> Result<Self> {
        match json {
            Json::String(name) => named(name, path),
            Json::Object(_) => read_members(json, path),
            other => Err(Error::invalid_input(
                path.clone(),
                expected_rule(),
                other.describe(),
            )),
        }
    }
}

fn named<'a>(name: &str, path: &Path) -> Result<Rule<'a>> {
    if name == OPTIONAL {
        return Ok(Rule {
            optional: true,
            ..Rule::default()
        });
    }
    let matcher = Matcher::named(name)
        .ok_or_else(|| Error::invalid_input(path.clone(), expected_rule(), format!("{name:?}")))?;
    Ok(Rule {
        matcher: Some(matcher),
        ..Rule::default()
    })
}

fn read_members<'a>(json: Json<'a>, path: &Path) -> Result<Rule<'a>> {
    let fields = Fields::of(json, path.clone(), "a matcher")?;
    let mut rule = Rule::default();
    for (key, value) in json.members().unwrap_or_default() {
        let at = path.key(key);
        let Ok(member) = RuleMember::from_str(key) else {
            return Err(Error::invalid_input(
                at,
                expected_rule(),
                format!("{key:?}"),
            ));
        };
        let matcher = match member {
            RuleMember::Optional => {
                rule.optional = boolean(*value, at)?;
                continue;
            }
            RuleMember::Default => {
                rule.default = Some(*value);
                continue;
            }
            RuleMember::Label => {
                rule.label = Some(text(*value, at, "a phrase")?);
                continue;
            }
            RuleMember::Match => match value.as_str().and_then(Matcher::named) {
                Some(matcher) => matcher,
                None => {
                    return Err(Error::invalid_input(at, expected_rule(), value.describe()));
                }
            },
            RuleMember::OneOf => Matcher::OneOf {
                values: fields.items(key, "a list of values")?,
                by: MatcherName::Exact,
            },
            RuleMember::Regex => read_regex(*value, at)?,
            RuleMember::Contains => Matcher::Contains(Some(match value {
                Json::Array(items) => items,
                _ => fields.one_value(key),
            })),
            RuleMember::Tolerance => read_tolerance(*value, at)?,
            RuleMember::Type => Matcher::Type(Some(read_types(&fields, *value, at)?)),
            RuleMember::Similar => read_similar(*value, at)?,
            RuleMember::Range => read_range(*value, at)?,
            RuleMember::Schema => Matcher::Schema(compile(to_value(*value), &at)?),
            RuleMember::Compare => Matcher::Compare(text(*value, at, "a name")?),
            RuleMember::Judge => Matcher::Judge(read_question(*value, at)?),
        };
        let joined = join(rule.matcher, matcher);
        rule.matcher = match joined {
            Some(joined) => Some(joined),
            None => return Err(Error::invalid_input(path.key(key), "one matcher", "two")),
        };
    }
    Ok(rule)
}

/// Returns what two matchers of one rule mean together. A named one says how the values of `oneOf` are compared; `None`
/// for any other two.
fn join<'a>(first: Option<Matcher<'a>>, second: Matcher<'a>) -> Option<Matcher<'a>> {
    let Some(first) = first else {
        return Some(second);
    };
    let (values, by) = match (&first, &second) {
        (Matcher::OneOf { values, .. }, named) | (named, Matcher::OneOf { values, .. }) => {
            (*values, named.name()?)
        }
        _ => return None,
    };
    Some(Matcher::OneOf { values, by })
}

fn text<'a>(value: Json<'a>, at: Path, what: &str) -> Result<&'a str> {
    value
        .as_str()
        .ok_or_else(|| Error::invalid_input(at, what, value.describe()))
}

fn read_question<'a>(value: Json<'a>, at: Path) -> Result<&'a str> {
    let question = value.as_str().filter(|text| !text.trim().is_empty());
    question.ok_or_else(|| {
        let expected = "a question that can be answered with yes or no";
        Error::invalid_input(at, expected, value.describe())
    })
}

fn boolean(value: Json<'_>, at: Path) -> Result<bool> {
    match value {
        Json::Bool(value) => Ok(value),
        other => Err(Error::invalid_input(at, "true or false", other.describe())),
    }
}

fn read_regex<'a>(value: Json<'a>, at: Path) -> Result<Matcher<'a>> {
    let pattern = text(value, at.clone(), "a pattern")?;
    let check = compile(json!({"type": "string", "pattern": pattern}), &at)?;
    Ok(Matcher::Regex { pattern, check })
}

fn compile(mut schema: Value, at: &Path) -> Result<Check> {
    let backtracks = backtracks(&schema);
    prepare(&mut schema);
    let compiled = Compiler::new(Vec::new()).compile("matcher", "schema", &schema);
    let validator = compiled.map_err(|error| match error {
        Error::InvalidSchema { reason, .. } => {
            Error::invalid_input(at.clone(), "a pattern or schema that is valid", reason)
        }
        other => other,
    })?;
    Ok(Check {
        validator: Rc::new(validator),
        backtracks,
    })
}

/// Returns whether a text in `schema` may be a pattern with look-around or back-references.
fn backtracks(schema: &Value) -> bool {
    let is_digit = |c: char| ('1'..='9').contains(&c);
    let may = |text: &str| {
        let mut escapes = text.split('\\').skip(1);
        ["(?=", "(?!", "(?<"]
            .iter()
            .any(|start| text.contains(start))
            || escapes.any(|rest| rest.starts_with(is_digit) || rest.starts_with('k'))
    };
    match schema {
        Value::String(text) => may(text),
        Value::Array(items) => items.iter().any(backtracks),
        Value::Object(members) => members
            .iter()
            .any(|(key, value)| may(key) || backtracks(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn read_tolerance<'a>(value: Json<'a>, at: Path) -> Result<Matcher<'a>> {
    const WHAT: &str = "a number from 0, or {absolute, relative}";
    let share = |value: Json<'a>, at: Path| match value {
        Json::Number(number) if number.as_f64() >= 0.0 && number.is_finite() => Ok(number.as_f64()),
        other => Err(Error::invalid_input(at, WHAT, other.describe())),
    };
    let (mut absolute, mut relative) = (0.0, 0.0);
    let Json::Object(members) = value else {
        absolute = share(value, at)?;
        return Ok(Matcher::Tolerance { absolute, relative });
    };
    for (key, value) in members {
        match *key {
            "absolute" => absolute = share(*value, at.key(key))?,
            "relative" => relative = share(*value, at.key(key))?,
            _ => return Err(Error::invalid_input(at.key(key), WHAT, "another member")),
        }
    }
    Ok(Matcher::Tolerance { absolute, relative })
}

fn read_similar<'a>(value: Json<'a>, at: Path) -> Result<Matcher<'a>> {
    match value {
        Json::Number(number) if (0.0..=1.0).contains(&number.as_f64()) => {
            Ok(Matcher::Similar(number.as_f64()))
        }
        other => Err(Error::invalid_input(
            at,
            "a similarity from 0 to 1",
            other.describe(),
        )),
    }
}

fn read_range<'a>(value: Json<'a>, at: Path) -> Result<Matcher<'a>> {
    const WHAT: &str = "bounds: {min, max}, or one of them";
    let fields = Fields::of(value, at.clone(), WHAT)?;
    fields.only(&["min", "max"])?;
    let bound = |key: &str| match fields.get(key) {
        None => Ok(None),
        Some(Json::Number(number)) if number.is_finite() => Ok(Some(number.as_f64())),
        Some(other) => Err(Error::invalid_input(
            at.key(key),
            "a number",
            other.describe(),
        )),
    };
    let (min, max) = (bound("min")?, bound("max")?);
    match (min, max) {
        (None, None) => Err(Error::invalid_input(at, WHAT, "neither")),
        (Some(min), Some(max)) if max < min => Err(Error::invalid_input(
            at.key("max"),
            format!("at least min, which is {min}"),
            max.to_string(),
        )),
        _ => Ok(Matcher::Range { min, max }),
    }
}

fn read_types<'a>(fields: &Fields<'a>, value: Json<'a>, at: Path) -> Result<&'a [Json<'a>]> {
    let types = match value {
        Json::Array(types) => types,
        _ => fields.one_value("type"),
    };
    let is_known = |name: &Json<'a>| {
        name.as_str()
            .is_some_and(|name| SCHEMA_TYPES.contains(&name))
    };
    match types.iter().find(|name| !is_known(name)) {
        None => Ok(types),
        Some(other) => Err(Error::invalid_input(
            at,
            format!("one of {}", SCHEMA_TYPES.join(", ")),
            other.describe(),
        )),
    }
}

impl<'a> Matcher<'a> {
    /// Returns the matcher with this name, if it takes no value.
    fn named(name: &str) -> Option<Self> {
        Some(Self::of_name(MatcherName::from_str(name).ok()?))
    }

    /// Returns the matcher with this name.
    pub fn of_name(name: MatcherName) -> Self {
        match name {
            MatcherName::Exact => Self::Exact,
            MatcherName::Ignore => Self::Ignore,
            MatcherName::Subset => Self::Subset,
            MatcherName::Superset => Self::Superset,
            MatcherName::Contains => Self::Contains(None),
            MatcherName::CaseInsensitive => Self::CaseInsensitive,
            MatcherName::Date => Self::Date,
            MatcherName::Unordered => Self::Unordered,
            MatcherName::Type => Self::Type(None),
            MatcherName::Normalized => Self::Normalized,
            MatcherName::Coerce => Self::Coerce,
        }
    }

    /// Returns the name of the matcher, if it takes no value.
    fn name(&self) -> Option<MatcherName> {
        match self {
            Self::Exact => Some(MatcherName::Exact),
            Self::Ignore => Some(MatcherName::Ignore),
            Self::Subset => Some(MatcherName::Subset),
            Self::Superset => Some(MatcherName::Superset),
            Self::Contains(None) => Some(MatcherName::Contains),
            Self::CaseInsensitive => Some(MatcherName::CaseInsensitive),
            Self::Date => Some(MatcherName::Date),
            Self::Unordered => Some(MatcherName::Unordered),
            Self::Type(None) => Some(MatcherName::Type),
            Self::Normalized => Some(MatcherName::Normalized),
            Self::Coerce => Some(MatcherName::Coerce),
            Self::Contains(Some(_))
            | Self::Type(Some(_))
            | Self::Tolerance { .. }
            | Self::OneOf { .. }
            | Self::Regex { .. }
            | Self::Similar(_)
            | Self::Range { .. }
            | Self::Schema(_)
            | Self::Compare(_)
            | Self::Judge(_) => None,
        }
    }

    /// Returns whether the matcher decides without an expected value.
    pub fn decides_alone(&self) -> bool {
        match self {
            Self::OneOf { .. }
            | Self::Regex { .. }
            | Self::Range { .. }
            | Self::Schema(_)
            | Self::Compare(_)
            | Self::Judge(_) => true,
            Self::Contains(values) | Self::Type(values) => values.is_some(),
            Self::Exact
            | Self::Ignore
            | Self::Subset
            | Self::Superset
            | Self::CaseInsensitive
            | Self::Tolerance { .. }
            | Self::Date
            | Self::Unordered
            | Self::Normalized
            | Self::Coerce
            | Self::Similar(_) => false,
        }
    }

    /// Returns whether `actual` matches, for matchers that compare the value as a whole. `None` for the
    /// others, which compare members and items one by one. `false` if the budget is spent.
    pub fn whole(
        &self,
        expected: Option<Json<'a>>,
        actual: Json<'a>,
        budget: &Budget,
    ) -> Option<Result<bool>> {
        let holds = match self {
            Self::Range { min, max } => is_in_range(actual, *min, *max),
            Self::Regex { check, .. } | Self::Schema(check) => {
                return Some(check.accepts(actual, budget));
            }
            Self::Contains(Some(values)) => contains_all(actual, values, budget),
            Self::Contains(None) => match expected? {
                Json::Array(items) => contains_all(actual, items, budget),
                value => contains_all(actual, &[value], budget),
            },
            Self::Type(Some(types)) => types.iter().any(|name| is_of_type(actual, *name)),
            Self::Type(None) => expected?.kind() == actual.kind(),
            Self::Exact
            | Self::Ignore
            | Self::Subset
            | Self::Superset
            | Self::CaseInsensitive
            | Self::Tolerance { .. }
            | Self::Date
            | Self::Unordered
            | Self::Normalized
            | Self::Coerce
            | Self::Similar(_)
            | Self::OneOf { .. }
            | Self::Compare(_)
            | Self::Judge(_) => return None,
        };
        Some(Ok(holds))
    }

    /// Returns whether two values match, of which at least one is neither object nor array. `false` if the
    /// budget is spent.
    pub fn same(
        &self,
        expected: Json<'_>,
        actual: Json<'_>,
        budget: &Budget,
        moments: &Moments,
    ) -> bool {
        match (self, expected, actual) {
            (
                Self::Tolerance { absolute, relative },
                Json::Number(expected),
                Json::Number(actual),
            ) => {
                let (expected, actual) = (expected.as_f64(), actual.as_f64());
                let allowed = absolute.max(relative * expected.abs());
                // Rounding in the subtraction must not reject a value exactly on the border.
                let slack = f64::EPSILON * expected.abs().max(actual.abs());
                expected == actual || (expected - actual).abs() <= allowed + slack
            }
            (Self::CaseInsensitive, Json::String(expected), Json::String(actual)) => {
                let bytes = expected.len() + actual.len();
                budget.spend(bytes / BYTES_READ_PER_STEP) && lower(expected).eq(lower(actual))
            }
            (Self::Date, Json::String(expected), Json::String(actual)) => {
                expected == actual || moments.are_same(expected, actual, budget)
            }
            (Self::Normalized, Json::String(expected), Json::String(actual)) => {
                let bytes = expected.len() + actual.len();
                budget.spend(bytes / BYTES_READ_PER_STEP)
                    && normalized(expected).eq(normalized(actual))
            }
            (Self::Similar(least), Json::String(expected), Json::String(actual)) => {
                are_equal(Json::String(expected), Json::String(actual), budget)
                    || are_similar(expected, actual, *least, budget)
            }
            (Self::Coerce, expected, actual) => are_coerced(expected, actual, budget),
            (
                Self::Exact
                | Self::Ignore
                | Self::Subset
                | Self::Superset
                | Self::CaseInsensitive
                | Self::Tolerance { .. }
                | Self::Date
                | Self::Unordered
                | Self::Normalized
                | Self::Similar(_)
                | Self::OneOf { .. }
                | Self::Regex { .. }
                | Self::Range { .. }
                | Self::Contains(_)
                | Self::Type(_)
                | Self::Schema(_)
                | Self::Compare(_)
                | Self::Judge(_),
                expected,
                actual,
            ) => are_equal(expected, actual, budget),
        }
    }

    /// Describes the expectation in words: `one of 1, 2`. `None` if the expected value alone describes it.
    pub fn phrase(&self, expected: Option<Json<'a>>) -> Option<String> {
        let shown = |value: Json<'a>| Preview::of(value, SHOWN).to_string();
        let list = |values: &[Json<'a>]| {
            let list = Preview::of(Json::Array(values), SHOWN).to_string();
            let inner = list.strip_prefix('[').unwrap_or(&list);
            inner.strip_suffix(']').unwrap_or(inner).to_owned()
        };
        Some(match self {
            Self::OneOf { values, by } => {
                let other = expected.filter(|value| !values.contains(value));
                let all = match (other, values) {
                    (None, []) => "no values".to_owned(),
                    (None, values) => list(values),
                    (Some(value), []) => shown(value),
                    (Some(value), values) => format!("{}, {}", shown(value), list(values)),
                };
                match by {
                    MatcherName::Exact => format!("one of {all}"),
                    by => format!("one of {all} ({})", <&str>::from(by)),
                }
            }
            Self::Regex { pattern, .. } => {
                format!("a text that matches {}", shown(Json::String(pattern)))
            }
            Self::Contains(Some(values)) => format!("something that contains {}", list(values)),
            Self::Contains(None) => format!("something that contains {}", shown(expected?)),
            Self::CaseInsensitive => format!("{} in any case", shown(expected?)),
            Self::Tolerance { absolute, relative } => match (absolute, relative) {
                (absolute, 0.0) => format!("{} ± {absolute}", shown(expected?)),
                (0.0, relative) => format!("{} ± {}%", shown(expected?), relative * 100.0),
                _ => format!("{} ± {absolute} or {}%", shown(expected?), relative * 100.0),
            },
            Self::Date => format!("the moment {}", shown(expected?)),
            Self::Type(Some(types)) => {
                let names: Vec<_> = types.iter().filter_map(|name| name.as_str()).collect();
                format!("a value of type {}", names.join(" or "))
            }
            Self::Type(None) => format!("a value of type {}", expected?.kind()),
            Self::Normalized => {
                format!("{} in any case and punctuation", shown(expected?))
            }
            Self::Coerce => format!("{} in any type", shown(expected?)),
            Self::Similar(least) => {
                format!("a text like {} (similarity from {least})", shown(expected?))
            }
            Self::Range { min, max } => match (min, max) {
                (Some(min), Some(max)) => format!("a number from {min} to {max}"),
                (Some(min), None) => format!("a number of at least {min}"),
                (None, Some(max)) => format!("a number of at most {max}"),
                (None, None) => "a number".to_owned(),
            },
            Self::Schema(_) => "a value that the schema accepts".to_owned(),
            Self::Compare(name) => match expected {
                Some(value) => format!("what {name:?} takes for {}", shown(value)),
                None => format!("what {name:?} accepts"),
            },
            Self::Judge(question) => {
                format!("a judge to say yes to {}", shown(Json::String(question)))
            }
            Self::Exact | Self::Ignore | Self::Subset | Self::Superset | Self::Unordered => {
                return None;
            }
        })
    }
}

/// Whether two values are equal. False when the budget is spent.
fn are_equal(expected: Json<'_>, actual: Json<'_>, budget: &Budget) -> bool {
    if let (Json::String(expected), Json::String(actual)) = (expected, actual) {
        let bytes = expected.len().min(actual.len());
        return budget.spend(bytes / BYTES_COMPARED_PER_STEP) && expected == actual;
    }
    expected == actual
}

fn lower(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase)
}

/// Returns the characters of `text` that the Berkeley Function Calling Leaderboard compares.
fn normalized(text: &str) -> impl Iterator<Item = char> {
    let is_compared = |c: &char| !matches!(c, ' ' | ',' | '.' | '/' | '-' | '_' | '*' | '^');
    let compared = text.chars().filter(is_compared);
    compared
        .map(|c| if c == '\'' { '"' } else { c })
        .flat_map(char::to_lowercase)
}

/// Returns whether the similarity of two texts is at least `least`. `false` if the budget is spent.
fn are_similar(a: &str, b: &str, least: f64, budget: &Budget) -> bool {
    let (shorter, longer) = {
        let (a, b) = (a.chars().count(), b.chars().count());
        (a.min(b), a.max(b))
    };
    // Rounding must not reject a distance exactly on the border.
    let allowed = (1.0 - least) * longer as f64 + f64::EPSILON * longer as f64;
    let at_least = (longer - shorter) as f64;
    at_least <= allowed
        && budget.spend(shorter.saturating_mul(longer) / CELLS_PER_STEP)
        && strsim::levenshtein(a, b) as f64 <= allowed
}

fn is_in_range(value: Json<'_>, min: Option<f64>, max: Option<f64>) -> bool {
    match value {
        Json::Number(number) => {
            let number = number.as_f64();
            min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)
        }
        _ => false,
    }
}

/// Returns whether `whole` contains each of `parts`. `false` if the budget is spent.
fn contains_all(whole: Json<'_>, parts: &[Json<'_>], budget: &Budget) -> bool {
    match whole {
        Json::Array(items) => {
            if !budget.spend(items.len() + parts.len()) {
                return false;
            }
            if items.len().saturating_mul(parts.len()) <= FEW_PAIRS {
                return parts.iter().all(|part| items.contains(part));
            }
            let items: HashSet<_> = items.iter().collect();
            parts.iter().all(|part| items.contains(part))
        }
        Json::String(text) => parts.iter().all(|part| {
            let steps = 1 + text.len() / BYTES_COMPARED_PER_STEP;
            budget.spend(steps) && part.as_str().is_some_and(|part| text.contains(part))
        }),
        whole => parts.iter().all(|part| budget.spend(1) && whole == *part),
    }
}

fn is_of_type(value: Json<'_>, name: Json<'_>) -> bool {
    match name.as_str() {
        Some("integer") => match value {
            Json::Number(number) => number.as_f64().fract() == 0.0,
            _ => false,
        },
        Some(name) => type_name(value.kind()) == name,
        None => false,
    }
}

fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::Boolean => "boolean",
        Kind::Number => "number",
        Kind::String => "string",
        Kind::Array => "array",
        Kind::Object => "object",
    }
}
