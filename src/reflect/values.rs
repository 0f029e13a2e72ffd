//! Reads and changes values by path.
//!
//! A violation names the member "0" of an object in the same way as the first item of a list. The actual
//! value decides which of the two is meant.

use std::borrow::Cow;

use serde_json::Value;

use toolgauge_model::Step;

/// Returns the value at `steps`, if there is one.
pub fn at<'v>(value: &'v Value, steps: &[Step]) -> Option<&'v Value> {
    steps.iter().try_fold(value, |value, step| match value {
        Value::Array(items) => items.get(index_of(step)?),
        Value::Object(members) => members.get(&*name_of(step)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    })
}

fn at_mut<'v>(value: &'v mut Value, steps: &[Step]) -> Option<&'v mut Value> {
    steps.iter().try_fold(value, |value, step| match value {
        Value::Array(items) => items.get_mut(index_of(step)?),
        Value::Object(members) => members.get_mut(&*name_of(step)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    })
}

fn index_of(step: &Step) -> Option<usize> {
    match step {
        Step::Index(index) => Some(*index),
        Step::Key(_) => None,
    }
}

/// Returns the name of the member that a step leads to in an object.
pub fn name_of(step: &Step) -> Cow<'_, str> {
    match step {
        Step::Key(name) => name.as_str().into(),
        Step::Index(index) => index.to_string().into(),
    }
}

/// Replaces the value at `steps` by `new` and returns the old one; `None` if there is none.
pub fn replace(value: &mut Value, steps: &[Step], new: Value) -> Option<Value> {
    at_mut(value, steps).map(|place| std::mem::replace(place, new))
}

/// Removes the member at `steps` from its object; `None` if there is none.
pub fn remove(value: &mut Value, steps: &[Step]) -> Option<Value> {
    let (last, parent) = steps.split_last()?;
    // Keep the order of the other members.
    at_mut(value, parent)?
        .as_object_mut()?
        .shift_remove(&*name_of(last))
}

/// Adds the member at `steps` to its object; `None` if there is no such object, or if it has the member
/// already.
pub fn insert(value: &mut Value, steps: &[Step], new: Value) -> Option<()> {
    let (last, parent) = steps.split_last()?;
    let object = at_mut(value, parent)?.as_object_mut()?;
    let name = name_of(last);
    if object.contains_key(&*name) {
        return None;
    }
    object.insert(name.into_owned(), new);
    Some(())
}
