//! Decides whether two values are equal but for their types.

use bumpalo::Bump;

use super::budget::Budget;
use toolgauge_model::{Json, Kind, Member};
use toolgauge_schema::{coerce_to, from_value};

/// How many bytes or members cost one step.
const READ_PER_STEP: usize = 16;

/// Returns whether two values mean the same although their types differ: a text and the number, boolean, null, object
/// or array that it holds as JSON; a value and the array of that one item. The same holds for what is inside them.
/// `false` if the budget is spent.
pub fn are_coerced(a: Json<'_>, b: Json<'_>, budget: &Budget) -> bool {
    if !budget.spend(1) {
        return false;
    }
    match (a, b) {
        (Json::String(text), other) | (other, Json::String(text)) => {
            other == Json::String(text)
                || holds(text, other, budget)
                || is_only_item(Json::String(text), other, budget)
        }
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| are_coerced(*a, *b, budget))
        }
        (Json::Array(_), one) => is_only_item(one, a, budget),
        (one, Json::Array(_)) => is_only_item(one, b, budget),
        (Json::Object(a), Json::Object(b)) => are_coerced_objects(a, b, budget),
        (a, b) => a == b,
    }
}

fn is_only_item(one: Json<'_>, items: Json<'_>, budget: &Budget) -> bool {
    match items {
        Json::Array([item]) => are_coerced(*item, one, budget),
        _ => false,
    }
}

fn are_coerced_objects(a: &[Member<'_>], b: &[Member<'_>], budget: &Budget) -> bool {
    a.len() == b.len()
        && a.iter().all(|(key, value)| {
            let is_affordable = budget.spend(b.len() / READ_PER_STEP);
            let other = Json::Object(b).get(key).filter(|_| is_affordable);
            other.is_some_and(|other| are_coerced(*value, other, budget))
        })
}

/// Returns whether `text` holds `value`, which is no text, as JSON.
fn holds(text: &str, value: Json<'_>, budget: &Budget) -> bool {
    let wanted = match value.kind() {
        Kind::String => return false,
        Kind::Null => "null",
        Kind::Boolean => "boolean",
        Kind::Number => "number",
        Kind::Array => "array",
        Kind::Object => "object",
    };
    if !budget.spend(text.len() / READ_PER_STEP) {
        return false;
    }
    let arena = Bump::new();
    coerce_to(text, wanted)
        .is_some_and(|held| are_coerced(from_value(&held, &arena), value, budget))
}
