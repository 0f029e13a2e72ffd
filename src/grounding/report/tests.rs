//! Tests of grounding as a whole.

use bumpalo::Bump;

use super::super::confidence::score;
use super::super::testing::unsupported_after;
use super::*;
use toolgauge_formats::import_trajectory;
use toolgauge_model::testing::arena_json;
use toolgauge_model::{Limits, Reader};

const BOOKING: &str = r#"{"id":"HAT217","total":1234.5,"seats":2,"share":0.25,"on":"2024-05-16T17:00:00","by":"kim_li_3668",
    "legs":[{"price":100},{"price":150}],"mail":"kim@example.org","note":"Bring your own lunch"}"#;

/// Returns the unsupported facts of a reply about a booking, as text → closest.
fn unsupported(reply: &str) -> Vec<String> {
    let turns = format!(
        r#"{{"turn_id":1,"role":"user","content":"Book for 3 people on June 2, ref ZX81Q."}},
            {{"turn_id":2,"role":"agent","tool_calls":[{{"name":"book","arguments":{{"code":"QQ77A"}},"result":{BOOKING}}}]}}"#
    );
    unsupported_after(&turns, reply)
}

#[test]
fn what_the_evidence_says_in_other_words_is_supported() {
    for reply in [
        "Booking HAT217 costs $1,234.50 for two seats.",
        "1.234,50 EUR",
        "It is 25% of the price.",
        "On May 16, 2024 at 5 PM, that is 16 May at 17:00.",
        "kim_li_3668 (3668) gets it at KIM@example.org.",
        "For June 2 and 3 people, your reference is ZX81Q, the code QQ77A.",
        "It says \"bring your own lunch\".",
        "The two legs cost $100 and $150, a total of $250.",
        "About $1,235.",
    ] {
        assert_eq!(unsupported(reply), [""; 0], "{reply}");
    }
}

#[test]
fn unsupported_facts_carry_the_closest_value() {
    assert_eq!(unsupported("Booking HAT271 is done."), ["HAT271 → HAT217"]);
    assert_eq!(unsupported("It costs $1,334.50."), ["$1,334.50 → 1234.5"]);
    assert_eq!(
        unsupported("You fly on May 17, 2024."),
        ["May 17, 2024 → 2024-05-16"]
    );
    assert_eq!(unsupported("You fly at 6 PM."), ["6 PM → 17:00:00"]);
    assert_eq!(
        unsupported("Mail goes to kin@example.org."),
        ["kin@example.org → kim@example.org"]
    );
    assert_eq!(unsupported("You fly on May 53, 2024.").len(), 1);
}

#[test]
fn the_last_digits_of_long_numbers_count() {
    for id in [r#""98765432109876543210""#, "9007199254740993"] {
        let turns = format!(
            r#"{{"turn_id":1,"role":"user","content":"Where is it?"}},
                {{"turn_id":2,"role":"agent","tool_calls":[{{"name":"track","arguments":{{}},"result":{{"id":{id}}}}}]}}"#
        );
        let digits = id.trim_matches('"');
        let (known, other) = (
            format!("It is {digits}."),
            format!("It is {}8.", &digits[..digits.len() - 1]),
        );
        assert_eq!(unsupported_after(&turns, &known), [""; 0]);
        assert_eq!(unsupported_after(&turns, &other).len(), 1, "{other}");
    }
}

#[test]
fn names_are_compared_where_a_result_has_a_name() {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let text = r#"[{"turn_id":1,"role":"agent","tool_calls":[{"name":"f","arguments":{},
            "result":{"passengers":[{"first_name":"Raj","last_name":"Brown"},{"last_name":"Brown","seat":12}],
                "city":"New York"}}]},
        {"turn_id":2,"role":"agent","content":"Raj Brown flies to New York. Dear Raj Browne, thank you. Mia Bronn is not Raj."}]"#;
    let trajectory = import_trajectory(arena_json(&arena, text), None, reader)
        .expect("turns")
        .value;
    let found: Vec<_> = Grounding::of(&trajectory).replies[0]
        .iter()
        .map(|fact| {
            (
                fact.text.clone(),
                fact.closest.as_ref().map(|closest| closest.value.clone()),
            )
        })
        .collect();
    let expected =
        ["Raj Browne", "Mia Bronn"].map(|name| (name.to_owned(), Some("Brown".to_owned())));
    assert_eq!(found, expected);
}

#[test]
fn one_hard_fact_passes_the_threshold_and_no_number_of_them_reaches_one() {
    let fact = Unsupported {
        turn: 0,
        kind: FactKind::Identifier,
        text: String::new(),
        start: 0,
        end: 0,
        confidence: 0.7,
        closest: None,
        call: None,
    };
    assert_eq!(score(&[]), 0.0);
    assert!(score(std::slice::from_ref(&fact)) > 0.3);
    assert!(score(&vec![fact; 1_000]) < 1.0);
}

#[test]
fn one_trajectory_of_many_is_checked_as_if_it_were_alone() {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let instructions = [
        "Today is 2024-05-15, tickets cost $50.",
        r#"Tickets cost $60, call \"HAT217\"."#,
        "",
    ];
    let requests = ["I fly tomorrow, HAT271.", "My name is Mia Brown.", "Hi"];
    let mut meanings = Meanings::default();
    let mut found = Vec::new();
    for (said, request) in [
        (0, 0),
        (0, 1),
        (1, 0),
        (1, 2),
        (2, 2),
        (1, 2),
        (0, 2),
        (0, 0),
    ] {
        let text = format!(
            r#"{{"turns":[{{"turn_id":1,"role":"system","content":"{}"}},{{"turn_id":2,"role":"user","content":"{}"}},
                {{"turn_id":3,"role":"agent","content":"","tool_calls":[{{"name":"f","arguments":{{"on":"2024-05-16","of":"AB12C"}},
                    "result":{{"name":"Mia Browne"}}}}]}},
                {{"turn_id":4,"role":"agent","content":"Mia Brown pays $50 for \"HAT217\", on 2024-05-16."}}]}}"#,
            instructions[said], requests[request]
        );
        let trajectory = import_trajectory(arena_json(&arena, &text), None, reader)
            .expect("turns")
            .value;
        let transcript = Transcript::of(&trajectory, Speakers::All, &mut meanings.texts);
        let grounding = ground(&trajectory, &transcript, &mut meanings);
        assert_eq!(grounding, Grounding::of(&trajectory), "{text}");
        found.push(grounding.replies[0].len() + grounding.arguments[0].len());
    }
    // Only some of the instructions contain the price of a ticket.
    assert!(found[0] < found[3] && found[3] < found[4] && found[0] == found[7]);
}

#[test]
fn places_are_utf16_units() {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let text = r#"[{"turn_id":1,"role":"agent","tool_calls":[{"name":"f","arguments":{},"result":{"a":"AB12C"}}]},
        {"turn_id":2,"role":"agent","content":"😀é AB12D!"}]"#;
    let trajectory = import_trajectory(arena_json(&arena, text), None, reader)
        .expect("turns")
        .value;
    let found = &Grounding::of(&trajectory).replies[0];
    assert_eq!((found[0].start, found[0].end), (4, 9));
    let closest = found[0].closest.as_ref().expect("a closest value");
    assert_eq!(
        (closest.tool.as_deref(), closest.path.as_deref()),
        (Some("f"), Some("a"))
    );
}
