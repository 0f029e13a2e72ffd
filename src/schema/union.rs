//! Explains why a value fits no alternative of a union (`anyOf`, `oneOf`): which one is meant, and how the
//! value differs from it.

use std::collections::BTreeMap;

use foldhash::HashMap;
use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use jsonschema::paths::Location;
use serde_json::Value;

use super::tool_names::did_you_mean;
use super::violation::{
    Violation, ViolationKind, brief, cut, describe, explain, is_counter, nearest_value,
    one_for_each_cause, type_names, type_value,
};
use toolgauge_model::Path;

/// The longest description of how a value differs from the nearest alternative, in characters.
const LONGEST_DIFFERENCE: usize = 300;

/// The most values that are compared and listed.
const MOST_VALUES: usize = 100;

/// A failed union.
pub struct Union<'u> {
    /// `anyOf` or `oneOf`.
    pub keyword: &'static str,
    /// The location of the value.
    pub location: &'u Location,
    /// The same location as a path.
    pub path: Path,
    /// The value.
    pub actual: Value,
    /// The schemas of the alternatives, if they are known.
    pub alternatives: Option<&'u Value>,
    /// The whole schema.
    pub schema: &'u Value,
    /// The arguments that contain the value.
    pub arguments: &'u Value,
}

/// An alternative, by its place, with the errors of the value against it.
struct Branch {
    at: usize,
    errors: Vec<ValidationError<'static>>,
}

/// The members for which alternatives allow other values than the actual one, with those values. They
/// distinguish the alternatives.
type Distinguishing = BTreeMap<String, BTreeMap<usize, Vec<Value>>>;

impl Union<'_> {
    /// Builds the violation; `context` holds the errors of each alternative.
    pub fn violation(self, context: Vec<Vec<ValidationError<'static>>>) -> Violation {
        let branches = context.into_iter().enumerate();
        let branches: Vec<_> = branches
            .filter(|(_, errors)| !is_counter(errors))
            .map(|(at, errors)| Branch { at, errors })
            .collect();
        let got = describe(&self.actual);
        let types = self.types_alone(&branches);
        let message = match &types {
            Some(types) => format!("expected {}, got {got}", type_names(types)),
            None => {
                let count = branches.len();
                let hint = self.hint(branches);
                format!("matches none of the {count} alternatives, got {got}{hint}")
            }
        };
        Violation {
            kind: ViolationKind::Constraint,
            path: self.path,
            keyword: self.keyword.to_owned(),
            expected: types,
            actual: Some(self.actual),
            coerced: None,
            suggestion: None,
            message,
        }
    }

    /// Returns the types of the alternatives if the type of the value alone excludes all of them.
    fn types_alone(&self, branches: &[Branch]) -> Option<Value> {
        let types = branches.iter().map(|branch| match &branch.errors[..] {
            [error] if error.instance_path() == self.location => match error.kind() {
                ValidationErrorKind::Type { kind } => Some(type_value(kind)),
                _ => None,
            },
            _ => None,
        });
        types.collect::<Option<Vec<_>>>().map(distinct)
    }

    /// Returns the end of the message: the value that was probably meant.
    fn hint(&self, mut branches: Vec<Branch>) -> String {
        if branches
            .iter()
            .any(|branch| !self.is_of_another_type(branch))
        {
            branches.retain(|branch| !self.is_of_another_type(branch));
        }
        let distinguishing = self.distinguishing_members(&branches);
        let decides =
            |values: &BTreeMap<_, _>| branches.len() > 1 && values.len() == branches.len();
        if let Some((member, values)) = distinguishing.iter().find(|(_, values)| decides(values)) {
            return self.hint_at(member, values.values().flatten());
        }
        let mut failing: HashMap<usize, usize> = HashMap::default();
        for at in distinguishing.values().flat_map(BTreeMap::keys) {
            *failing.entry(*at).or_default() += 1;
        }
        let rank = |branch: &Branch| (failing.get(&branch.at).copied(), branch.differences());
        let nearest = branches.into_iter().min_by_key(rank);
        nearest.map_or_else(String::new, |branch| self.hint_towards(branch))
    }

    fn is_of_another_type(&self, branch: &Branch) -> bool {
        branch.errors.iter().any(|error| {
            matches!(error.kind(), ValidationErrorKind::Type { .. })
                && error.instance_path() == self.location
        })
    }

    /// Returns the members that distinguish the alternatives. A list of several values in one alternative
    /// only does not count.
    fn distinguishing_members(&self, branches: &[Branch]) -> Distinguishing {
        let mut distinguishing = Distinguishing::new();
        for branch in branches {
            for error in &branch.errors {
                let values = match error.kind() {
                    ValidationErrorKind::Constant { expected_value } => {
                        vec![expected_value.as_ref().clone()]
                    }
                    ValidationErrorKind::Enum { options } => {
                        options.as_array().cloned().unwrap_or_default()
                    }
                    _ => continue,
                };
                if let Some(member) = self.member(error.instance_path()) {
                    distinguishing
                        .entry(member)
                        .or_default()
                        .entry(branch.at)
                        .or_insert(values);
                }
            }
        }
        distinguishing.retain(|_, values| {
            values.len() > 1 || values.values().any(|allowed| allowed.len() == 1)
        });
        distinguishing
    }

    /// Returns the name of the member of the value at `location`.
    fn member(&self, location: &Location) -> Option<String> {
        let inside = location.as_str().strip_prefix(self.location.as_str())?;
        let name = inside
            .strip_prefix('/')
            .filter(|name| !name.contains('/'))?;
        self.actual.is_object().then(|| unescape(name))
    }

    fn hint_at<'v>(&self, member: &str, allowed: impl Iterator<Item = &'v Value>) -> String {
        let found = self.actual.get(member).unwrap_or(&Value::Null);
        let values = distinct(allowed.cloned());
        let hint = did_you_mean(nearest_value(found, &values));
        let member = Path::root().key(member);
        format!(
            "; {member}: expected one of {}, got {}{hint}",
            brief(&values),
            describe(found)
        )
    }

    fn hint_towards(&self, branch: Branch) -> String {
        let name = self.name(branch.at);
        let mut found = Vec::new();
        for error in branch.errors {
            explain(error, (self.schema, self.arguments), 1, &mut found);
        }
        let Some(first) = one_for_each_cause(found).into_iter().next() else {
            return String::new();
        };
        let inside = first.path.as_str().strip_prefix(self.path.as_str());
        let place = inside.unwrap_or_default().trim_start_matches('.');
        let difference = if place.is_empty() {
            first.message
        } else {
            format!("{place}: {}", first.message)
        };
        format!(
            "; nearest is {name}: {}",
            cut(difference, LONGEST_DIFFERENCE)
        )
    }

    /// Returns a name for the alternative: the value that distinguishes it, its title, the name of its
    /// definition, or else its place.
    fn name(&self, at: usize) -> String {
        let written = self.alternatives.and_then(|all| all.get(at));
        let reference = written.and_then(|schema| schema.get("$ref")?.as_str());
        let schema = match reference {
            Some(reference) => reference
                .strip_prefix('#')
                .and_then(|at| self.schema.pointer(at)),
            None => written,
        };
        let by_value = schema.and_then(|schema| {
            let mut members = schema.get("properties")?.as_object()?.iter();
            members.find_map(|(member, schema)| {
                let only = only_value(schema)?;
                let is_it = self.actual.get(member) == Some(only);
                is_it.then(|| format!("the one with {member} {}", cut(only.to_string(), 60)))
            })
        });
        let by_title = || {
            schema?
                .get("title")?
                .as_str()
                .map(|title| cut(format!("{title:?}"), 60))
        };
        let by_reference = || {
            reference?
                .rsplit('/')
                .next()
                .map(|name| cut(format!("{name:?}"), 60))
        };
        by_value
            .or_else(by_title)
            .or_else(by_reference)
            .unwrap_or_else(|| format!("number {}", at + 1))
    }
}

impl Branch {
    /// Returns at how many places the value differs from the alternative.
    fn differences(&self) -> usize {
        let of_error = |error: &ValidationError<'_>| match error.kind() {
            ValidationErrorKind::AdditionalProperties { unexpected }
            | ValidationErrorKind::UnevaluatedProperties { unexpected } => unexpected.len(),
            _ => 1,
        };
        self.errors.iter().map(of_error).sum()
    }
}

/// Returns the first of the values as a list without duplicates.
fn distinct(values: impl IntoIterator<Item = Value>) -> Value {
    let mut list: Vec<Value> = Vec::new();
    for value in values {
        if list.len() < MOST_VALUES && !list.contains(&value) {
            list.push(value);
        }
    }
    Value::Array(list)
}

/// Returns the only value that `schema` allows, if it has a `const` or a single `enum` value.
fn only_value(schema: &Value) -> Option<&Value> {
    let allowed = || schema.get("enum")?.as_array();
    schema.get("const").or_else(|| match allowed()?.as_slice() {
        [only] => Some(only),
        _ => None,
    })
}

/// Undoes the escaping of JSON pointers.
fn unescape(name: &str) -> String {
    name.replace("~1", "/").replace("~0", "~")
}
