//! Finds unsupported facts in the replies of a whole trajectory.

use serde::Serialize;

use toolgauge_grounding::{Grounding, Unsupported, UnsupportedFact, score};
use toolgauge_model::Trajectory;

/// The unsupported facts in the replies of a trajectory.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct UnsupportedFacts {
    /// How certain it is that some reply is not faithful to the evidence, from 0 (no unsupported facts) to
    /// below 1: the highest confidence among the replies. Other functions report hallucination above 0.3.
    pub score: f64,
    /// All unsupported facts, in the order of the replies.
    pub facts: Vec<UnsupportedFact>,
}

/// Returns the facts in the replies of `trajectory` that nothing before them supports: no result, no
/// argument, no user text and no instruction.
pub fn unsupported_facts(trajectory: &Trajectory<'_>) -> UnsupportedFacts {
    let Grounding {
        replies,
        before_calls,
        ..
    } = Grounding::of(trajectory);
    let mut found: Vec<Unsupported> = before_calls
        .into_iter()
        .chain(replies.into_iter().flatten())
        .collect();
    found.sort_by_key(|fact| (fact.turn, fact.start, fact.end));
    let by_reply = found.chunk_by(|a, b| a.turn == b.turn);
    UnsupportedFacts {
        score: by_reply.map(score).fold(0.0, f64::max),
        facts: found.iter().map(|fact| fact.report(trajectory)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_formats::import_trajectory;
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Limits, Reader};

    fn found(turns: &str) -> (f64, Vec<(i64, String)>) {
        let arena = Bump::new();
        let text = format!(r#"{{"turns":[{turns}]}}"#);
        let reader = Reader::new(&arena, Limits::default());
        let imported = import_trajectory(arena_json(&arena, &text), None, reader);
        let facts = unsupported_facts(&imported.expect("turns").value);
        let texts = facts
            .facts
            .into_iter()
            .map(|fact| (fact.turn_id, fact.text));
        (facts.score, texts.collect())
    }

    #[test]
    fn facts_are_listed_in_the_order_of_the_replies() {
        let turns = r#"{"turn_id":1,"role":"user","content":"What does the lamp cost?"},
            {"turn_id":2,"role":"agent","content":"Your ticket is HAT271.","tool_calls":[]},
            {"turn_id":3,"role":"agent","content":"","tool_calls":[{"name":"price","arguments":{},"result":{"price":49}}]},
            {"turn_id":4,"role":"agent","content":"It costs $59, until 2024-05-16."},
            {"turn_id":5,"role":"user","content":"Sure?"},
            {"turn_id":6,"role":"agent","content":"It costs $49."}"#;
        let (score, facts) = found(turns);
        let texts: Vec<_> = facts
            .iter()
            .map(|(turn, text)| (*turn, text.as_str()))
            .collect();
        assert_eq!(texts, [(2, "HAT271"), (4, "$59"), (4, "2024-05-16")]);
        assert_eq!(score, 0.9);
    }

    #[test]
    fn replies_that_repeat_evidence_have_no_unsupported_facts() {
        let turns = r#"{"turn_id":1,"role":"user","content":"Is it $49?"},
            {"turn_id":2,"role":"agent","content":"It is $49."}"#;
        assert_eq!(found(turns), (0.0, Vec::new()));
        assert_eq!(found(""), (0.0, Vec::new()));
    }
}
