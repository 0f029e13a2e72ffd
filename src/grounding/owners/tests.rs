//! Tests with made-up results and replies, some of which state values of another record.

use bumpalo::Bump;

use super::super::Grounding;
use toolgauge_formats::import_trajectory;
use toolgauge_model::testing::arena_json;
use toolgauge_model::{Limits, Reader};

/// Returns the values of the last reply that belong to another record, as `value of name: what the record holds`.
fn misattributed(calls: &[(&str, &str, &str)], user: &str, replies: &[&str]) -> Vec<String> {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let calls: Vec<_> = calls
        .iter()
        .map(|(name, arguments, result)| {
            format!(r#"{{"name":"{name}","arguments":{arguments},"result":{result}}}"#)
        })
        .collect();
    let user = serde_json::Value::from(user);
    let mut turns = format!(
        r#"{{"turn_id":1,"role":"user","content":{user}}},
        {{"turn_id":2,"role":"agent","content":"","tool_calls":[{}]}}"#,
        calls.join(",")
    );
    for (at, reply) in replies.iter().enumerate() {
        let reply = serde_json::Value::from(*reply);
        if at > 0 {
            turns += &format!(
                r#",{{"turn_id":{},"role":"user","content":"Go on."}}"#,
                2 * at + 2
            );
        }
        turns += &format!(
            r#",{{"turn_id":{},"role":"agent","content":{reply}}}"#,
            2 * at + 3
        );
    }
    let text = format!(r#"{{"turns":[{turns}]}}"#);
    let trajectory = import_trajectory(arena_json(&arena, &text), None, reader)
        .expect("a trajectory")
        .value;
    let last = trajectory.turns.last().expect("turns").turn_id;
    let found = Grounding::of(&trajectory).misattributed.into_iter();
    found
        .filter(|value| value.turn_id == last)
        .map(|value| format!("{} of {}: {}", value.text, value.record, value.holds.value))
        .collect()
}

const LAMPS: &str = r#"[{"lamp_id":"LX-411","name":"Nightglow","price":88.5,"status":"sold","address":"12 Harbour Lane",
        "options":{"frame":"oak","shade color":"white","height":"60cm"}},
    {"lamp_id":"LX-412","name":"Sunbeam","price":61.25,"status":"open","address":"7 Mill Road",
        "options":{"frame":"pine","shade color":"black","height":"45cm"}}]"#;

fn of_lamps(reply: &str) -> Vec<String> {
    misattributed(
        &[("list_lamps", "{}", LAMPS)],
        "Which lamps are there?",
        &[reply],
    )
}

#[test]
fn values_of_another_record_are_found() {
    for (reply, found) in [
        ("LX-411 costs $61.25.", "$61.25 of LX-411: 88.5"),
        ("Nightglow is open.", "open of Nightglow: sold"),
        ("LX-412 (sold) is nice.", "sold of LX-412: open"),
        ("| LX-411 | $61.25 |", "$61.25 of LX-411: 88.5"),
        ("Sunbeam:\n- Price: $88.50", "$88.50 of Sunbeam: 61.25"),
        (
            "The lamp LX-411 stands at 7 Mill Road.",
            "7 Mill Road of LX-411: 12 Harbour Lane",
        ),
        (
            "Nightglow (LX-412) is here.",
            "Nightglow of LX-412: Sunbeam",
        ),
        (
            "I like LX-411 (Sunbeam, 7 Mill Road).",
            "LX-411 of LX-411: LX-411",
        ),
    ] {
        assert_eq!(of_lamps(reply), [found], "{reply}");
    }
    assert_eq!(
        of_lamps("LX-411 is open ($61.25) and LX-412 is sold ($88.50)."),
        ["sold of LX-412: open", "$88.50 of LX-412: 61.25"]
    );
}

#[test]
fn values_of_the_named_record_and_comparisons_are_fine() {
    for reply in [
        "LX-411 costs $88.50, and LX-412 costs $61.25.",
        "LX-411 and LX-412 cost $88.50 and $61.25.",
        "Nightglow is sold and Sunbeam is open.",
        "LX-411 at $88.50 is dearer than the other one at $61.25.",
        "LX-411 costs more than $61.25, namely $88.50.",
        "If LX-411 is open, I can order it.",
        "Nightglow ($88.50 vs. $61.25) is dearer.",
        "I can change LX-411 to 7 Mill Road.",
        "There is an open one, at $61.25.",
        "LX-411 + $61.25 = too much.",
    ] {
        assert_eq!(of_lamps(reply), [""; 0], "{reply}");
    }
}

#[test]
fn what_the_user_said_is_fine() {
    let found = misattributed(
        &[("list_lamps", "{}", LAMPS)],
        "I want the one for $61.25.",
        &["LX-411 is not the one for $61.25."],
    );
    assert_eq!(found, [""; 0]);
}

#[test]
fn records_of_calls_of_one_tool_are_alike() {
    let calls = [
        (
            "get_trip",
            r#"{"trip":"T-100"}"#,
            r#"{"trip_id":"T-100","legs":[{"from":"Arden","minutes":312}],"state":"booked"}"#,
        ),
        (
            "get_trip",
            r#"{"trip":"T-200"}"#,
            r#"{"trip_id":"T-200","legs":[{"from":"Belmont","minutes":455}],"state":"gone"}"#,
        ),
    ];
    let found = |reply: &str| misattributed(&calls, "My trips?", &[reply]);
    assert_eq!(
        found("Trip T-100 takes 455 minutes."),
        ["455 of T-100: 312"]
    );
    assert_eq!(found("Trip T-100 takes 312 minutes."), [""; 0]);
    assert_eq!(found("Trip T-200 is booked."), ["booked of T-200: gone"]);
}

#[test]
fn a_question_about_what_was_spoken_of_is_answered_from_its_record() {
    let calls = [(
        "find",
        "{}",
        r#"[{"name":"Harbour Inn","phone":"+47 55 12 34 56"},{"name":"Mill House","phone":"+47 55 65 43 21"}]"#,
    )];
    let found = |reply: &str| misattributed(&calls, "A room?", &["How about Harbour Inn?", reply]);
    assert_eq!(
        found("Their phone number is +47 55 65 43 21."),
        ["+47 55 65 43 21 of Harbour Inn: +47 55 12 34 56"]
    );
    assert_eq!(found("Their phone number is +47 55 12 34 56."), [""; 0]);
    assert_eq!(
        found("There is also Mill House, phone +47 55 65 43 21."),
        [""; 0]
    );
}

#[test]
fn attributes_in_a_list_are_those_of_the_record() {
    for (reply, found) in [
        (
            "LX-411 (oak, purple, 60cm) is here.",
            "purple of LX-411: white",
        ),
        ("LX-411 — birch, white, 60cm", "birch of LX-411: oak"),
        (
            "Lamp, oak, purple, 60cm (LX-411)",
            "purple of LX-411: white",
        ),
        ("LX-411 (oak, white, 75cm)", "75cm of LX-411: 60cm"),
        ("LX-411, frame: birch", "birch of LX-411: oak"),
    ] {
        assert_eq!(of_lamps(reply), [found], "{reply}");
    }
    for reply in [
        "LX-411 (oak, white, 60cm) is here.",
        "LX-411 (oak, white, dimmable, 60cm) is here.",
        "LX-411 (oak, available, 60cm) is here.",
        "LX-411 (oak frame, white shade) is here.",
        "Any lamp (oak, purple) will do.",
    ] {
        assert_eq!(of_lamps(reply), [""; 0], "{reply}");
    }
}

#[test]
fn a_status_is_that_of_the_record() {
    let calls = [(
        "get_order",
        "{}",
        r##"{"order_id":"#Q-7001","status":"pending","items":[{"sku":"K1"}]}"##,
    )];
    let found = |reply: &str| misattributed(&calls, "Where is it?", &[reply]);
    for (reply, wrong) in [
        (
            "Order #Q-7001 is delivered.",
            "delivered of Q-7001: pending",
        ),
        (
            "Order #Q-7001 (delivered) has one item.",
            "delivered of Q-7001: pending",
        ),
        (
            "Order #Q-7001:\n- Status: cancelled",
            "cancelled of Q-7001: pending",
        ),
    ] {
        assert_eq!(found(reply), [wrong], "{reply}");
    }
    for reply in [
        "Order #Q-7001 is pending.",
        "Order #Q-7001 can be returned once it is delivered.",
        "If order #Q-7001 is delivered, call us.",
        "Order #Q-7001 — paid by card.",
    ] {
        assert_eq!(found(reply), [""; 0], "{reply}");
    }
}

#[test]
fn lines_of_a_block_are_about_its_label() {
    assert_eq!(
        of_lamps("- Lamp ID: LX-411\n- Status: open"),
        ["open of LX-411: sold"]
    );
    for reply in [
        "- Lamp ID: LX-411\n- Status: sold",
        "- Lamp ID: LX-411\n\n- Status: open",
        "1) LX-411:\n2) Others:\n- Status: open",
    ] {
        assert_eq!(of_lamps(reply), [""; 0], "{reply}");
    }
}

#[test]
fn bullets_right_below_a_number_belong_to_it() {
    assert_eq!(
        of_lamps("1) LX-411:\n- Status: open"),
        ["open of LX-411: sold"]
    );
}

#[test]
fn limits_and_amounts_with_another_label_are_fine() {
    assert_eq!(
        of_lamps("LX-411:\n- Cost: $61.25"),
        ["$61.25 of LX-411: 88.5"]
    );
    for reply in [
        "LX-411:\n- Shipping: $61.25",
        "LX-411:\n- Additional charge: $61.25",
        "If it exceeds $61.25, take LX-411.",
    ] {
        assert_eq!(of_lamps(reply), [""; 0], "{reply}");
    }
}

#[test]
fn another_subject_between_a_name_and_a_value_is_fine() {
    assert_eq!(
        of_lamps("LX-411 went well, giving it a price of $61.25."),
        ["$61.25 of LX-411: 88.5"]
    );
    assert_eq!(
        of_lamps("LX-411 went well, giving Carla Benson a price of $61.25."),
        [""; 0]
    );
}

#[test]
fn short_words_are_values_only_as_they_are_written() {
    let calls = [(
        "list",
        "{}",
        r#"[{"order_id":"KQ-701","state":"TX"},{"order_id":"KQ-702","state":"IN"}]"#,
    )];
    let found = |reply: &str| misattributed(&calls, "Where?", &[reply]);
    assert_eq!(found("KQ-701 (IN) is one."), ["IN of KQ-701: TX"]);
    assert_eq!(found("It is in KQ-701 (in stock)."), [""; 0]);
}

#[test]
fn a_digit_of_a_decimal_is_no_value() {
    let calls = [(
        "find",
        "{}",
        r#"[{"name":"Harbour Inn","rooms":"3"},{"name":"Mill House","rooms":"1"}]"#,
    )];
    let found = |reply: &str| misattributed(&calls, "A room?", &[reply]);
    assert_eq!(found("Harbour Inn, rooms: 1"), ["1 of Harbour Inn: 3"]);
    assert_eq!(found("Harbour Inn, rooms: 1.4"), [""; 0]);
}

#[test]
fn the_first_field_names_a_record_unless_it_is_a_short_code() {
    let found = |first: &str, second: &str, reply: &str| {
        let list =
            format!(r#"[{{"from":"{first}","price":312}},{{"from":"{second}","price":455}}]"#);
        misattributed(&[("find", "{}", list.as_str())], "A trip?", &[reply])
    };
    assert_eq!(
        found("Arden Hill", "Belmont", "Arden Hill costs $455."),
        ["$455 of Arden Hill: 312"]
    );
    assert_eq!(found("ARD", "BLM", "A flight to ARD costs $455."), [""; 0]);
}

const BASKETS: &str = r#"[{"basket_id":"KB-701","state":"packed","address":"3 Quay Street","parcels":[{"parcel_id":"PX-9011","goods":"Oat Flakes","price":12.75}]},
    {"basket_id":"KB-702","state":"packed","address":"3 Quay Street","parcels":[{"parcel_id":"PX-9022","goods":"Rye Bread","price":17.35},
        {"parcel_id":"PX-9023","goods":"Plum Jam","price":6.45}]}]"#;

fn of_baskets(reply: &str) -> Vec<String> {
    misattributed(&[("list_baskets", "{}", BASKETS)], "My baskets?", &[reply])
}

#[test]
fn the_id_of_a_block_is_that_of_its_values() {
    for reply in [
        "Basket KB-701 has the parcel PX-9022.",
        "Basket KB-701:\n- Address: 3 Quay Street\n- Parcel: PX-9022",
        "- Basket: KB-701\n- Parcel: PX-9022\n- Parcel: PX-9023",
        "- Basket KB-701\n  - Rye Bread\n  - Plum Jam",
        "| KB-701 | Rye Bread | Plum Jam |",
        "Your basket KB-701 was changed: PX-9022 was taken out.",
    ] {
        assert_eq!(of_baskets(reply), ["KB-701 of KB-701: KB-701"], "{reply}");
    }
    for reply in [
        "Basket KB-702 has the parcel PX-9022.",
        "Basket KB-701:\n- Address: 3 Quay Street",
        "- Basket: KB-701\n\n- Parcel: PX-9022",
        "Basket KB-701 with PX-9011 came before PX-9022 with Rye Bread.",
        "Basket KB-701 and basket KB-702 have PX-9022.",
        "Basket KB-701 has not the parcel PX-9022.",
        "I can change basket KB-701 to PX-9022.",
        "| KB-701 | Oat Flakes |\n| KB-702 | Rye Bread | Plum Jam |",
    ] {
        assert_eq!(of_baskets(reply), [""; 0], "{reply}");
    }
}

#[test]
fn one_id_among_those_of_a_record_is_another_ones() {
    assert_eq!(
        of_baskets("Basket KB-702: PX-9022, PX-9011"),
        ["PX-9011 of KB-702: PX-9022"]
    );
    for reply in [
        "Basket KB-702: PX-9022, PX-9023",
        "Basket KB-702: PX-9022 is changed to PX-9011",
        "Basket KB-702: PX-9022; KB-701: PX-9011",
    ] {
        assert_eq!(of_baskets(reply), [""; 0], "{reply}");
    }
}

#[test]
fn keys_of_a_ledger_name_its_numbers() {
    let found = |ledger: &str, reply: &str| {
        let result = format!(r#"{{"account":"AC-5501","monthly":{ledger}}}"#);
        misattributed(&[("bill", "{}", result.as_str())], "My bill?", &[reply])
    };
    let plans = r#"{"plan_2gb":115.5,"plan_5gb":225.5,"fees":3}"#;
    assert_eq!(
        found(plans, "You pay for plan_2gb ($225.50)."),
        ["$225.50 of plan_2gb: 115.5"]
    );
    assert_eq!(found(plans, "You pay for plan_2gb ($115.50)."), [""; 0]);
    let parts = r#"{"price":115.5,"total":225.5,"fees":3}"#;
    assert_eq!(found(parts, "The price ($225.50) is due."), [""; 0]);
}

#[test]
fn times_before_a_named_record_are_not_its_own() {
    let calls = [(
        "busy",
        "{}",
        r#"[{"title":"Plum tasting","from":"13:30","to":"14:30"},{"title":"Stall check","from":"15:00","to":"16:00"}]"#,
    )];
    let wrong = |reply: &str| misattributed(&calls, "When?", &[reply]);
    assert!(wrong("You are free from 2:30 PM to 3:00 PM, before Stall check.").is_empty());
    assert!(!wrong("Stall check ends at 2:30 PM.").is_empty());
}

#[test]
fn a_time_is_no_attribute_that_a_list_leaves_out() {
    let calls = [(
        "trip",
        "{}",
        r#"{"trip":"KX 71","departs":{"gate":"b7","hour":"2031-08-14T06:55"},"arrives":{"gate":"c2","hour":"2031-08-14T08:20"}}"#,
    )];
    let wrong = misattributed(
        &calls,
        "When?",
        &["Trip KX 71 leaves by gate b7, hour local."],
    );
    assert!(wrong.is_empty(), "{wrong:?}");
}
