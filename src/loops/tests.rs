use bumpalo::Bump;
use proptest::prelude::*;

use super::*;
use toolgauge_formats::import_trajectory;
use toolgauge_model::testing::arena_json;
use toolgauge_model::{Limits, Reader};

/// Returns the loops after a single request. Each text is one agent turn: calls separated by `|`, each with a
/// name, arguments as JSON and a result as JSON. The text `user` is another user message.
fn loops(turns: &[&str]) -> Vec<Loop> {
    let turns = turns.iter().enumerate().map(|(at, turn)| {
        let turn_id = at + 2;
        if *turn == "user" {
            return serde_json::json!({ "turn_id": turn_id, "role": "user", "content": "Go on" });
        }
        let calls: Vec<_> = turn.split('|').map(call).collect();
        serde_json::json!({ "turn_id": turn_id, "role": "agent", "content": "", "tool_calls": calls })
    });
    let first = serde_json::json!({ "turn_id": 1, "role": "user", "content": "Help" });
    let turns: Vec<_> = std::iter::once(first).chain(turns).collect();
    let text = serde_json::json!({ "turns": turns }).to_string();
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let imported = import_trajectory(arena_json(&arena, &text), None, reader);
    find_loops(&imported.expect("turns").value)
}

fn call(text: &str) -> serde_json::Value {
    let mut parts = text.trim().splitn(3, ' ');
    let mut part = || parts.next().filter(|part| !part.is_empty());
    let (name, arguments, result) = (part(), part(), part());
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    let mut call = serde_json::json!({
        "name": name, "arguments": json(arguments.unwrap_or("{}")),
    });
    match result.map(|result| result.split_at(1)) {
        None => {}
        Some(("!", error)) => call["error"] = error.into(),
        _ => call["result"] = json(result.expect("a result")),
    }
    call
}

fn kinds(turns: &[&str]) -> Vec<(LoopKind, usize)> {
    let found = loops(turns);
    found.iter().map(|it| (it.kind, it.rounds.len())).collect()
}

const A: &str = r#"get_user {"id":1} {"name":"Ada"}"#;
const B: &str = r#"get_order {"id":2} {"total":7}"#;
const OTHER: &str = r#"get_user {"id":3} {"name":"Bob"}"#;
const FAILED: &str = r#"get_user {"id":1} !no such user"#;

#[test]
fn a_call_that_returns_the_same_again_is_one_loop() {
    use LoopKind::RepeatedCall;
    assert_eq!(kinds(&[A, A]), [(RepeatedCall, 2)]);
    assert_eq!(kinds(&[A, A, A, A]), [(RepeatedCall, 4)]);
    // Reading something else with the same tool changes nothing.
    assert_eq!(kinds(&[A, OTHER, A]), [(RepeatedCall, 2)]);
    assert_eq!(kinds(&[A, A, "user", A, A]), [(RepeatedCall, 2); 2]);
}

#[test]
fn a_loop_lists_its_rounds_and_changes() {
    let first = r#"get {"q":1} {"a":7,"timestamp":1,"_note":"5 left"}"#;
    let second = r#"get {"q":1} {"a":7,"timestamp":2,"_note":"4 left"}"#;
    let found = loops(&[first, r#"get {"q":2} {"a":8}"#, second]);
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].description,
        r#""get" was called 2 times with the same arguments and the same result (turns 2, 4)"#
    );
    assert_eq!(found[0].chain[0].tool.as_deref(), Some("get"));
    let turns: Vec<_> = found[0]
        .rounds
        .iter()
        .map(|it| it.calls[0].turn_id)
        .collect();
    assert_eq!(turns, [2, 4]);
    assert_eq!(found[0].rounds[0].changed, RoundChanges::default());
    let changed = &found[0].rounds[1].changed;
    assert_eq!(changed.results, ["get: timestamp", "get: _note"]);
    assert_eq!(changed.tools_between, ["get"]);
}

#[test]
fn a_call_that_returns_something_else_is_no_loop() {
    let later = r#"get_user {"id":1} {"name":"Ada L."}"#;
    assert_eq!(kinds(&[A, later]), []);
    // The agent was waiting for the change.
    assert_eq!(kinds(&[A, A, A, later]), []);
    assert_eq!(kinds(&[FAILED, FAILED, A]), []);
    // The results differ only in the time of day.
    let time = |now: u8| format!(r#"now {{"q":1}} {{"timestamp":{now}}}"#);
    assert_eq!(kinds(&[&time(1), &time(2)]), []);
}

#[test]
fn a_call_after_a_change_is_no_loop() {
    let change = r#"set_name {"id":1} "done""#;
    assert_eq!(kinds(&[A, change, A]), []);
    assert_eq!(kinds(&[A, "user", A]), []);
    assert_eq!(kinds(&[FAILED, change, FAILED]), []);
    // A failed call has changed nothing.
    let failed = r#"set_name {"id":1} !denied"#;
    assert_eq!(kinds(&[A, failed, A]).len(), 1);
}

#[test]
fn a_command_in_between_may_have_changed_anything() {
    let test = r#"bash {"command":"npm_test"} "2 failed""#;
    let edit = r#"bash {"command":"sed_-i"} """#;
    assert_eq!(kinds(&[test, edit, test]), []);
    assert_eq!(kinds(&[test, test]).len(), 1);
    let click = |name: &str| {
        format!(
            r#"click {{"button":"{name}"}} "a page of text: {name}, a long one, with more than sixty characters""#
        )
    };
    assert_eq!(
        kinds(&[&click("prev"), &click("reviews"), &click("prev")]),
        []
    );
    assert_eq!(kinds(&[&click("prev"), &click("prev")]).len(), 1);
}

#[test]
fn a_gesture_with_a_mere_confirmation_is_not_repeated() {
    let press = r#"press_key {"key":"Tab"} {"ok":true}"#;
    assert_eq!(kinds(&[press, press, press]), []);
    let wait = r#"wait {"seconds":5} "waited 5 s""#;
    assert_eq!(kinds(&[wait, wait]), []);
}

#[test]
fn a_result_that_asks_for_another_try_is_no_loop() {
    for again in [
        r#"get_job {"id":1} {"status":"pending"}"#,
        r#"get_ticket {"id":1} {"id":1,"state":"Open","owner":"Ada"}"#,
        r#"submit {"id":1} "Please call submit again to confirm.""#,
        r#"get_user {"id":1} !429 Too Many Requests"#,
        r#"get_user {"id":1} !upstream timed out"#,
    ] {
        assert_eq!(kinds(&[again, again, again]), [], "{again}");
    }
}

#[test]
fn a_call_that_fails_the_same_way_again_is_retried_unchanged() {
    use LoopKind::RetriedUnchanged;
    assert_eq!(kinds(&[FAILED, FAILED, FAILED]), [(RetriedUnchanged, 3)]);
    assert_eq!(
        kinds(&[FAILED, r#"get_user {"id":9} !no such user"#, FAILED]),
        [(RetriedUnchanged, 2)]
    );
    let other = r#"get_user {"id":1} !the id is too short"#;
    assert_eq!(kinds(&[FAILED, other]), []);
    // After the runtime stops the call, no more results come.
    let refused = r#"get_user {"id":1} !Loop detected."#;
    assert_eq!(
        kinds(&[A, A, refused, refused]),
        [(LoopKind::RepeatedCall, 2), (RetriedUnchanged, 2)]
    );
}

#[test]
fn a_repeating_chain_is_one_loop() {
    use LoopKind::RepeatingChain;
    assert_eq!(kinds(&[A, B, A, B]), [(RepeatingChain, 2)]);
    assert_eq!(
        kinds(&[A, B, OTHER, A, B, OTHER, A, B]),
        [(RepeatingChain, 2)]
    );
    let found = loops(&[A, B, A, B, A, B]);
    assert_eq!(found[0].rounds.len(), 3);
    assert_eq!(
        found[0].description,
        r#"the calls "get_user", "get_order" were made 3 times in this order, with the same arguments and results (turns 2, 4, 6)"#
    );
    let parallel = format!("{A}|{B}");
    assert_eq!(kinds(&[&parallel, &parallel]), [(RepeatingChain, 2)]);
    let other = r#"get_order {"id":2} {"total":8}"#;
    assert_eq!(kinds(&[A, B, A, other]), []);
}

#[test]
fn a_chain_of_actions_may_be_made_twice() {
    let edit = r#"edit_file {"text":"x"} {"path":"a.ts","lines":12}"#;
    let test = r#"bash {"command":"npm_test"} "2 failed""#;
    assert_eq!(kinds(&[edit, test, edit, test]), []);
    assert_eq!(kinds(&[edit, test, edit, test, edit, test]).len(), 1);
    let check = r#"get_ticket {"id":1} {"state":"open"}"#;
    let wait = r#"sleep {"seconds":60} "ok""#;
    assert_eq!(kinds(&[check, wait, check, wait, check, wait]), []);
}

#[test]
fn calls_of_one_message_do_not_repeat_each_other() {
    let twice = format!("{A}|{A}");
    assert_eq!(kinds(&[&twice]), []);
    assert_eq!(kinds(&[&twice, A]).len(), 1);
}

#[test]
fn calls_without_a_result_do_not_repeat() {
    let open = r#"get_user {"id":1}"#;
    assert_eq!(kinds(&[open, open]), []);
    // The log ends before the repetition is answered.
    assert_eq!(kinds(&[A, open]).len(), 1);
}

proptest! {
    #[test]
    fn every_loop_repeats_the_same_calls_with_the_same_outcomes(
        steps in prop::collection::vec((0..4_u8, 0..2_u8, prop::bool::weighted(0.9)), 0..60),
    ) {
        let turns: Vec<String> = steps.iter().map(|(tool, result, is_call)| match is_call {
            true => format!(r#"tool_{} {{"a":{}}} "text {result}""#, tool % 2, tool / 2),
            false => "user".to_owned(),
        }).collect();
        let turns: Vec<&str> = turns.iter().map(String::as_str).collect();
        let mut seen = std::collections::HashSet::new();
        for found in loops(&turns) {
            prop_assert!(found.rounds.len() >= 2);
            for round in &found.rounds {
                prop_assert_eq!(round.calls.len(), found.chain.len());
                for (place, first) in round.calls.iter().zip(&found.rounds[0].calls) {
                    prop_assert!(seen.insert(place.turn_id), "a call belongs to one loop");
                    let turn = |id: i64| turns[usize::try_from(id).expect("a turn") - 2];
                    prop_assert_eq!(turn(place.turn_id), turn(first.turn_id));
                }
            }
            let places = found.rounds.iter().flat_map(|round| &round.calls);
            prop_assert!(places.map(|place| place.turn_id).is_sorted());
        }
    }
}
