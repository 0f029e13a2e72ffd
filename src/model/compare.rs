//! Equality and order of JSON values: the one comparison for the whole core.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use super::json::{Json, Member};
use super::text::are_same;

/// The most members of an object that is compared by looking each key up.
const SMALL: usize = 8;

/// Equality as in JSON Schema: the order of members does not matter, numbers are equal if their values
/// are, and values of different types never are.
impl PartialEq for Json<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Json::Null, Json::Null) => true,
            (Json::Bool(a), Json::Bool(b)) => a == b,
            (Json::Number(a), Json::Number(b)) => a == b,
            (Json::String(a), Json::String(b)) => are_same(a, b),
            (Json::Array(a), Json::Array(b)) => a == b,
            (Json::Object(a), Json::Object(b)) => members_equal(a, b),
            _ => false,
        }
    }
}

impl Eq for Json<'_> {}

fn members_equal(a: &[Member<'_>], b: &[Member<'_>]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    if a.iter().zip(b).all(|((x, _), (y, _))| are_same(x, y)) {
        return a.iter().zip(b).all(|((_, x), (_, y))| x == y);
    }
    if a.len() <= SMALL {
        return a
            .iter()
            .all(|(key, value)| Json::Object(b).get(key).as_ref() == Some(value));
    }
    sorted(a) == sorted(b)
}

/// Returns the members in the order of their keys.
pub(super) fn sorted<'a>(members: &[Member<'a>]) -> Vec<Member<'a>> {
    let mut sorted = members.to_vec();
    sorted.sort_unstable_by_key(|(key, _)| *key);
    sorted
}

/// A total order that agrees with equality, whatever the order of members. It only serves to sort values
/// independently of their original order.
impl Ord for Json<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Json::Bool(a), Json::Bool(b)) => a.cmp(b),
            (Json::Number(a), Json::Number(b)) => a.cmp(b),
            (Json::String(a), Json::String(b)) => a.cmp(b),
            (Json::Array(a), Json::Array(b)) => a.cmp(b),
            (Json::Object(a), Json::Object(b)) => sorted(a).cmp(&sorted(b)),
            _ => rank(*self).cmp(&rank(*other)),
        }
    }
}

impl PartialOrd for Json<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A hash that agrees with equality: the order of members does not matter.
impl Hash for Json<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u8(rank(*self));
        match self {
            Json::Null => {}
            Json::Bool(value) => value.hash(state),
            Json::Number(number) => number.hash(state),
            Json::String(text) => text.hash(state),
            Json::Array(items) => items.hash(state),
            Json::Object(members) => sorted(members).hash(state),
        }
    }
}

fn rank(value: Json<'_>) -> u8 {
    match value {
        Json::Null => 0,
        Json::Bool(_) => 1,
        Json::Number(_) => 2,
        Json::String(_) => 3,
        Json::Array(_) => 4,
        Json::Object(_) => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{any_json, arena_json, shuffle_members};
    use bumpalo::Bump;
    use proptest::prelude::*;

    #[test]
    fn types_are_never_mixed_up() {
        let arena = Bump::new();
        let json = |text| arena_json(&arena, text);
        assert_ne!(json("1"), json("\"1\""));
        assert_ne!(json("null"), json("false"));
        assert_ne!(json("[]"), json("{}"));
        assert_ne!(json("0"), json("false"));
        assert_eq!(json(r#"{"a":1,"b":[2.0]}"#), json(r#"{"b":[2],"a":1.0}"#));
        assert_ne!(json("[1,2]"), json("[2,1]"));
    }

    proptest! {
        #[test]
        fn equality_is_symmetric_and_agrees_with_order(a in any_json(), b in any_json()) {
            let arena = Bump::new();
            let (x, y) = (arena_json(&arena, &a), arena_json(&arena, &b));
            prop_assert_eq!(x == y, y == x);
            prop_assert_eq!(x == y, x.cmp(&y).is_eq());
            prop_assert_eq!(x.cmp(&y), y.cmp(&x).reverse());
        }

        #[test]
        fn the_order_of_members_does_not_matter(text in any_json(), seed in any::<u64>()) {
            let arena = Bump::new();
            let value = arena_json(&arena, &text);
            let shuffled = shuffle_members(&arena, value, seed);
            prop_assert_eq!(value, shuffled);
            prop_assert!(value.cmp(&shuffled).is_eq());
        }
    }
}
