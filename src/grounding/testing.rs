//! Helpers with which the tests of grounding check a reply.

use bumpalo::Bump;

use super::Grounding;
use toolgauge_formats::import_trajectory;
use toolgauge_model::testing::arena_json;
use toolgauge_model::{Limits, Reader};

/// Returns the unsupported facts of a reply that follows these turns (members of a JSON array), as text → closest.
pub fn unsupported_after(turns: &str, reply: &str) -> Vec<String> {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let reply = serde_json::Value::from(reply);
    let text =
        format!(r#"{{"turns":[{turns},{{"turn_id":99,"role":"agent","content":{reply}}}]}}"#);
    let trajectory = import_trajectory(arena_json(&arena, &text), None, reader)
        .expect("a trajectory")
        .value;
    let last = trajectory.turns.len() - 1;
    let found = Grounding::of(&trajectory).replies.into_iter().flatten();
    found
        .filter(|fact| fact.turn == last)
        .map(|fact| match fact.report(&trajectory).closest {
            Some(closest) => format!("{} → {}", fact.text, closest.value),
            None => fact.text,
        })
        .collect()
}

/// Returns the texts of the unsupported facts of a reply that follows these turns.
pub fn texts_unsupported_after(turns: &str, reply: &str) -> Vec<String> {
    let found = unsupported_after(turns, reply);
    let text = |found: String| found.split(" → ").next().map(str::to_owned);
    found.into_iter().filter_map(text).collect()
}
