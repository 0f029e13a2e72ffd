//! Places inside values that are being changed.
//!
//! A schema's violation names the member "0" of an object as it names the first item of a list: what stands at
//! the place decides which of the two is meant.

use std::borrow::Cow;

use serde_json::Value;

use crate::model::Step;

/// The value at `steps`, when there is one.
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

/// The name of the member that a step leads to in an object.
pub fn name_of(step: &Step) -> Cow<'_, str> {
    match step {
        Step::Key(name) => name.as_str().into(),
        Step::Index(index) => index.to_string().into(),
    }
}

/// Puts `new` in place of the value at `steps`, which is returned; `None` when there is none.
pub fn replace(value: &mut Value, steps: &[Step], new: Value) -> Option<Value> {
    at_mut(value, steps).map(|place| std::mem::replace(place, new))
}

/// Takes the member at `steps` out of its object; `None` when there is none.
pub fn remove(value: &mut Value, steps: &[Step]) -> Option<Value> {
    let (last, parent) = steps.split_last()?;
    // The order of the members that stay is kept.
    at_mut(value, parent)?
        .as_object_mut()?
        .shift_remove(&*name_of(last))
}

/// Adds the member at `steps` to its object; `None` when there is no such object, or the member is there.
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
