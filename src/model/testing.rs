//! Helpers for tests: JSON values from text, and strategies for any value.

use bumpalo::Bump;
use proptest::prelude::*;

use super::json::Json;
use super::limits::Limits;
use super::parse::Reader;

/// Reads `text` into `arena`.
pub fn arena_json<'a>(arena: &'a Bump, text: &str) -> Json<'a> {
    Reader::new(arena, Limits::default())
        .read(arena.alloc_str(text).as_bytes())
        .expect("valid JSON in a test")
}

/// Generates the text of a small nested JSON value, with few keys and numbers, so that equal ones are common.
pub fn any_json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("1".to_owned()),
        Just("1.0".to_owned()),
        Just("-2.5".to_owned()),
        "[a-c]{0,2}".prop_map(|text| format!("{text:?}")),
    ];
    leaf.prop_recursive(3, 40, 12, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4)
                .prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::btree_map("[a-d]{1,2}", inner, 0..11).prop_map(|members| {
                let members: Vec<_> = members.iter().map(|(k, v)| format!("{k:?}:{v}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

/// Returns `value` with the members of all its objects in another order.
pub fn shuffle_members<'a>(arena: &'a Bump, value: Json<'a>, seed: u64) -> Json<'a> {
    match value {
        Json::Array(items) => {
            Json::Array(arena.alloc_slice_fill_iter(
                items.iter().map(|item| shuffle_members(arena, *item, seed)),
            ))
        }
        Json::Object(members) => {
            let shuffled = arena.alloc_slice_copy(members);
            if !shuffled.is_empty() {
                shuffled.rotate_left(seed as usize % members.len());
            }
            for (_, member) in shuffled.iter_mut() {
                *member = shuffle_members(arena, *member, seed / 3);
            }
            Json::Object(shuffled)
        }
        leaf => leaf,
    }
}
