//! Places inside values that are being changed.

use serde_json::Value;

use crate::model::Step;

/// The value at `steps`, when there is one.
pub fn at<'v>(value: &'v Value, steps: &[Step]) -> Option<&'v Value> {
    steps.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.as_object()?.get(key),
        Step::Index(index) => value.as_array()?.get(*index),
    })
}

fn at_mut<'v>(value: &'v mut Value, steps: &[Step]) -> Option<&'v mut Value> {
    steps.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.as_object_mut()?.get_mut(key),
        Step::Index(index) => value.as_array_mut()?.get_mut(*index),
    })
}

/// Puts `new` in place of the value at `steps`, which is returned; `None` when there is none.
pub fn replace(value: &mut Value, steps: &[Step], new: Value) -> Option<Value> {
    at_mut(value, steps).map(|place| std::mem::replace(place, new))
}

/// Takes the member at `steps` out of its object; `None` when there is none.
pub fn remove(value: &mut Value, steps: &[Step]) -> Option<Value> {
    let (Step::Key(key), parent) = steps.split_last()? else {
        return None;
    };
    // The order of the members that stay is kept.
    at_mut(value, parent)?.as_object_mut()?.shift_remove(key)
}

/// Adds the member at `steps` to its object; `None` when there is no such object, or the member is there.
pub fn insert(value: &mut Value, steps: &[Step], new: Value) -> Option<()> {
    let (Step::Key(key), parent) = steps.split_last()? else {
        return None;
    };
    let object = at_mut(value, parent)?.as_object_mut()?;
    if object.contains_key(key) {
        return None;
    }
    object.insert(key.clone(), new);
    Some(())
}
