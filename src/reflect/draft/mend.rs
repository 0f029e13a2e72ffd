//! Repairs the faults in the arguments of a call, one by one.

use bumpalo::Bump;
use serde_json::{Map, Value};

use super::{Draft, ENVELOPES};
use crate::convert::{to_allowed, to_type};
use crate::faults::{Fault, argument_faults};
use crate::likely_name::likely_name;
use crate::phrases::{brief, brief_place};
use crate::repair::{RepairChange, RepairChangeKind};
use crate::static_check::StaticCheckName;
use crate::values::{at, insert, name_of, remove, replace};
use toolgauge_model::error::Result;
use toolgauge_model::{Path, Step, count_values};
use toolgauge_schema::{Tool, from_value};

/// What it costs to find and explain a fault, in addition to one per value.
const FAULT_COST: usize = 50;

impl Draft<'_, '_> {
    /// Repairs what it can of `faults`. Returns whether anything changed.
    ///
    /// # Errors
    /// As [`argument_faults`].
    pub fn mend(&mut self, faults: &[Fault], tool: &Tool) -> Result<bool> {
        let mut mended: Vec<Vec<Step>> = Vec::new();
        // Missing arguments come first, because an undeclared argument may be a misspelling of one.
        let (missing, others): (Vec<_>, Vec<_>) = faults
            .iter()
            .partition(|fault| fault.check == StaticCheckName::MissingRequiredParameter);
        for fault in missing.into_iter().chain(others) {
            let steps = fault.path.steps();
            if mended.iter().any(|place| overlap(place, &steps)) {
                continue;
            }
            if let Some(touched) = self.mend_one(fault, tool)? {
                mended.push(steps);
                mended.push(touched.steps());
            }
        }
        Ok(!mended.is_empty())
    }

    /// Repairs one fault. Returns the path that changed.
    fn mend_one(&mut self, fault: &Fault, tool: &Tool) -> Result<Option<Path>> {
        let violation = fault.violation.as_ref();
        let keyword = violation.map_or("", |it| it.keyword.as_str());
        Ok(match fault.check {
            StaticCheckName::NonExistentParameter => self.rename_or_drop(&fault.path, tool),
            StaticCheckName::MissingRequiredParameter => self.fill(&fault.path, tool),
            StaticCheckName::IncorrectParameterType => self.retype(fault, tool)?,
            StaticCheckName::AllowedValuesViolation => self.reword(fault),
            StaticCheckName::JsonSchemaViolation => match keyword {
                "additionalProperties" | "unevaluatedProperties" => {
                    self.rename_or_drop(&fault.path, tool)
                }
                "anyOf" | "oneOf" => self.fit_union(fault, tool)?,
                _ => self.trim(fault, tool)?,
            },
            StaticCheckName::NonExistentFunction
            | StaticCheckName::EmptyApiSpec
            | StaticCheckName::InvalidApiSpec
            | StaticCheckName::InvalidToolCall => None,
        })
    }

    /// Renames an undeclared argument to the missing one that it is a misspelling of, or else drops it.
    fn rename_or_drop(&mut self, path: &Path, tool: &Tool) -> Option<Path> {
        let steps = path.steps();
        let (last, parent) = steps.split_last()?;
        let name = &*name_of(last);
        if let Some(target) = self.missing_sibling(name, parent, tool) {
            return self.rename(path, &target);
        }
        // The content of an envelope that could not be removed was meant for the tool.
        if ENVELOPES.contains(&name) && self.is_envelope(&steps) {
            return None;
        }
        let value = remove(&mut self.arguments, &steps)?;
        self.changes.push(RepairChange {
            kind: RepairChangeKind::Dropped,
            path: path.to_string(),
            from: Some(value),
            to: None,
            description: format!(
                "{} was left out, because the tool has no such argument",
                brief_place(path)
            ),
        });
        Some(path.clone())
    }

    /// Returns whether the value at `steps` has members, directly or as text.
    fn is_envelope(&self, steps: &[Step]) -> bool {
        match at(&self.arguments, steps) {
            Some(Value::Object(members)) => !members.is_empty(),
            Some(Value::String(text)) => text.trim_start().starts_with('{'),
            _ => false,
        }
    }

    /// Returns the declared but missing member of the object at `parent` that `name` probably means.
    fn missing_sibling(&self, name: &str, parent: &[Step], tool: &Tool) -> Option<Path> {
        let object = at(&self.arguments, parent)?.as_object()?;
        let names = tool.declared_at(parent);
        let absent = names
            .iter()
            .copied()
            .filter(|known| !object.contains_key(*known));
        let likely = likely_name(name, absent)?;
        Some(path_of(parent).key(likely))
    }

    fn rename(&mut self, path: &Path, target: &Path) -> Option<Path> {
        let value = remove(&mut self.arguments, &path.steps())?;
        insert(&mut self.arguments, &target.steps(), value.clone())?;
        self.changes.push(RepairChange {
            kind: RepairChangeKind::Renamed,
            path: path.to_string(),
            from: Some(value),
            to: Some(target.as_str().into()),
            description: format!("{} was renamed to {target}", brief_place(path)),
        });
        Some(target.clone())
    }

    /// Fills in a missing argument: with the value of a misspelt one, its default, or its only possible
    /// value.
    fn fill(&mut self, path: &Path, tool: &Tool) -> Option<Path> {
        let steps = path.steps();
        let (last, parent) = steps.split_last()?;
        let name = name_of(last);
        if let Some(misspelt) = self.misspelt(&name, parent, tool) {
            return self
                .rename(&path_of(parent).key(&misspelt), path)
                .and(Some(path.clone()));
        }
        let (value, what) = only_value(tool.schema_at(path)?)?;
        insert(&mut self.arguments, &steps, value.clone())?;
        self.changes.push(RepairChange {
            kind: RepairChangeKind::Filled,
            path: path.to_string(),
            from: None,
            description: format!(
                "{} was missing and became {}, {what}",
                brief_place(path),
                brief(&value)
            ),
            to: Some(value),
        });
        Some(path.clone())
    }

    /// Returns the undeclared member of the object at `parent` that means `name`.
    fn misspelt(&self, name: &str, parent: &[Step], tool: &Tool) -> Option<String> {
        let object = at(&self.arguments, parent)?.as_object()?;
        let names = tool.declared_at(parent);
        let unknown = object.keys().filter(|key| !names.contains(&key.as_str()));
        let mut meant = unknown.filter(|key| likely_name(key, [name].into_iter()).is_some());
        match (meant.next(), meant.next()) {
            (Some(only), None) => Some(only.clone()),
            _ => None,
        }
    }

    /// Converts a value to the type in the schema, or drops an optional `null`.
    fn retype(&mut self, fault: &Fault, tool: &Tool) -> Result<Option<Path>> {
        let Some(violation) = &fault.violation else {
            return Ok(None);
        };
        if fault.actual() == Some(&Value::Null) {
            return self.drop_null(&fault.path, tool);
        }
        let wanted = violation
            .expected
            .as_ref()
            .map(type_list)
            .unwrap_or_default();
        let actual = fault.actual().cloned().unwrap_or_default();
        let converted = violation.coerced.clone().or_else(|| {
            let mut types = wanted.iter().filter(|kind| *kind != "null");
            types.find_map(|kind| to_type(&actual, kind))
        });
        Ok(converted.and_then(|to| self.convert(&fault.path, to)))
    }

    fn drop_null(&mut self, path: &Path, tool: &Tool) -> Result<Option<Path>> {
        let mut without: Value = self.arguments.clone();
        if remove(&mut without, &path.steps()).is_none() || !self.is_better(&without, path, tool)? {
            return Ok(None);
        }
        self.arguments = without;
        self.changes.push(RepairChange {
            kind: RepairChangeKind::Dropped,
            path: path.to_string(),
            from: Some(Value::Null),
            to: None,
            description: format!(
                "{} was left out, because it is optional and must not be null",
                brief_place(path)
            ),
        });
        Ok(Some(path.clone()))
    }

    /// Replaces another spelling of an allowed value by that value.
    fn reword(&mut self, fault: &Fault) -> Option<Path> {
        let expected = fault.violation.as_ref()?.expected.as_ref()?;
        let allowed = match expected {
            Value::Array(values) => values.as_slice(),
            one => std::slice::from_ref(one),
        };
        let to = to_allowed(fault.actual()?, allowed)?;
        self.convert(&fault.path, to)
    }

    /// Converts a value that fits no alternative of a union to the first type in which it fits one.
    fn fit_union(&mut self, fault: &Fault, tool: &Tool) -> Result<Option<Path>> {
        let Some(actual) = fault.actual().cloned() else {
            return Ok(None);
        };
        if actual.is_null() {
            return self.drop_null(&fault.path, tool);
        }
        // An object that fits no alternative can't be meant as something else.
        if actual.is_object() {
            return Ok(None);
        }
        for kind in ["integer", "number", "boolean", "object", "array", "string"] {
            let Some(to) = to_type(&actual, kind) else {
                continue;
            };
            if let Some(path) = self.try_value(&fault.path, to, tool)? {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// Trims white space from a text if that makes it valid.
    fn trim(&mut self, fault: &Fault, tool: &Tool) -> Result<Option<Path>> {
        let text = fault.actual().and_then(Value::as_str);
        match text.map(str::trim) {
            Some(trimmed) if Some(trimmed) != text => {
                let to = trimmed.into();
                self.try_value(&fault.path, to, tool)
            }
            _ => Ok(None),
        }
    }

    fn try_value(&mut self, path: &Path, to: Value, tool: &Tool) -> Result<Option<Path>> {
        let mut changed = self.arguments.clone();
        if replace(&mut changed, &path.steps(), to.clone()).is_none()
            || !self.is_better(&changed, path, tool)?
        {
            return Ok(None);
        }
        Ok(self.convert(path, to))
    }

    /// Returns whether other arguments remove all faults at `path` and below. The work is limited.
    fn is_better(&mut self, arguments: &Value, path: &Path, tool: &Tool) -> Result<bool> {
        if self.trials == 0 {
            return Ok(false);
        }
        let arena = Bump::new();
        let arguments = from_value(arguments, &arena);
        let faults = argument_faults(arguments, tool, self.limits)?;
        let cost = count_values(arguments) + FAULT_COST * (1 + faults.len());
        self.trials = self.trials.saturating_sub(cost);
        let steps = path.steps();
        Ok(!faults
            .iter()
            .any(|fault| fault.path.steps().starts_with(&steps)))
    }

    fn convert(&mut self, path: &Path, to: Value) -> Option<Path> {
        let from = replace(&mut self.arguments, &path.steps(), to.clone())?;
        let is_read = from.is_string() && (to.is_object() || to.is_array());
        let place = match path.is_root() {
            true => "the arguments".to_owned(),
            false => brief_place(path),
        };
        let (kind, description) = match is_read && !holds_only(&to, &from) {
            true => (
                RepairChangeKind::ParsedJson,
                format!("{place} was read from JSON text"),
            ),
            false => {
                let description = format!("{place}: {} became {}", brief(&from), brief(&to));
                (RepairChangeKind::Converted, description)
            }
        };
        self.changes.push(RepairChange {
            kind,
            path: path.to_string(),
            from: Some(from),
            to: Some(to),
            description,
        });
        Some(path.clone())
    }
}

/// Returns whether `list` contains exactly the one `item`.
fn holds_only(list: &Value, item: &Value) -> bool {
    list.as_array()
        .is_some_and(|items| items.as_slice() == std::slice::from_ref(item))
}

/// Returns the only value that a schema allows for a missing argument without guessing, and the reason.
fn only_value(schema: &Value) -> Option<(Value, &'static str)> {
    let keywords: &Map<String, Value> = schema.as_object()?;
    if let Some(value) = keywords.get("default") {
        return Some((value.clone(), "its default"));
    }
    let only = match (keywords.get("const"), keywords.get("enum")) {
        (Some(value), _) => value,
        (None, Some(Value::Array(values))) if values.len() == 1 => &values[0],
        _ => return None,
    };
    Some((only.clone(), "its only possible value"))
}

fn type_list(expected: &Value) -> Vec<String> {
    let names = match expected {
        Value::Array(names) => names.as_slice(),
        one => std::slice::from_ref(one),
    };
    names
        .iter()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

fn path_of(steps: &[Step]) -> Path {
    steps.iter().fold(Path::root(), |path, step| match step {
        Step::Key(key) => path.key(key),
        Step::Index(index) => path.index(*index),
    })
}

/// Returns whether one of the paths contains the other, or both are equal.
fn overlap(one: &[Step], other: &[Step]) -> bool {
    one.starts_with(other) || other.starts_with(one)
}
