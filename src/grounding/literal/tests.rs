use super::super::testing::{texts_unsupported_after, unsupported_after};

/// Returns the unsupported texts of a reply, after the user said something and a call returned this result.
fn after(said: &str, result: &str, reply: &str) -> Vec<String> {
    let said = serde_json::Value::from(said);
    let turns = format!(
        r#"{{"turn_id":1,"role":"user","content":{said}}},
            {{"turn_id":2,"role":"agent","tool_calls":[{{"name":"look_up","arguments":{{}},"result":{result}}}]}}"#
    );
    texts_unsupported_after(&turns, reply)
}

#[track_caller]
fn holds(result: &str, replies: &[&str]) {
    for reply in replies {
        assert_eq!(after("Well?", result, reply), [""; 0], "{reply}");
    }
}

#[track_caller]
fn lacks(result: &str, replies: &[(&str, &str)]) {
    for (reply, text) in replies {
        assert_eq!(after("Well?", result, reply), [*text], "{reply}");
    }
}

#[test]
fn numbers_in_names_stand_beside_their_word() {
    let result =
        r#"{"name":"Nordphone 15","room":"Room 19","games":["Sky Hunters 4"],"model":"KX510Pro"}"#;
    holds(
        result,
        &[
            "You can buy the Nordphone 15 there.",
            "Is it in room 19 now?",
            "Sky Hunters 4 is fun.",
            "The KX 510 is good.",
        ],
    );
    lacks(
        result,
        &[
            ("You can buy the Nordphone 16 there.", "16"),
            ("I found 15 there.", "15"),
        ],
    );
}

#[test]
fn labels_of_values_may_be_short() {
    holds(r#"["K 12","N 7"]"#, &["- K — 12\n- N: 7", "**K**: 12"]);
    lacks(r#"["K 12","N 7"]"#, &[("- N — 12", "12")]);
}

#[test]
fn numbers_of_keys_and_cells_are_known() {
    let result = r#"{"gain_36h":-1.5,"thirtyTwoWeekTop":86.62,"table":"NAME  TRIES  AGE\nworker  Waiting   17 (2m ago)"}"#;
    holds(
        result,
        &[
            "Down 1.5% in 36 hours, 32-week top 86.62.",
            "The worker tried 17 times.",
        ],
    );
    lacks(result, &[("Down 1.5% in 35 hours.", "35")]);
}

#[test]
fn escaped_and_printed_results_are_read() {
    let result = r#""Text(text='{\\n  \"link\": \"https://a.example/rooms/77\",\\n500 of QX771\\u00e9 <a href=\"mailto:jo@mail.example\">')""#;
    holds(
        result,
        &["See https://a.example/rooms/77: 500 (QX771), jo@mail.example."],
    );
    lacks(
        result,
        &[
            (
                "See https://a.example/rooms/78.",
                "https://a.example/rooms/78",
            ),
            ("Mail bo@mail.example.", "bo@mail.example"),
        ],
    );
}

#[test]
fn ids_hold_in_other_groups_and_shorter() {
    let result = r#"{"iban":"XX12345678901234567890","card":"9876543210124471","isbn":"9781234567897",
        "commit":"0a1b2c3d4e5f60718293a4b5c6d7e8f901234567","plane":"QX320-200","pay":"gift_card_7711223"}"#;
    holds(
        result,
        &[
            "Account XX12 3456 7890 1234 5678 90.",
            "The card ending in 4471, card 9876 5432 1012 4471.",
            "ISBN 978-1-234-56789-7.",
            "Fixed in 0a1b2c3, that is 0a1b2…4567.",
            "The card XXXX4471.",
            "They fly QX320-200s.",
            "Paid with card_7711223.",
        ],
    );
    for reply in [
        "Account XX12 3456 7890 1234 5678 91.",
        "The card ending in 4472.",
        "ISBN 978-1-234-56789-8.",
        "Fixed in 0a1b2c4.",
        "That is 0a1b3…4567.",
        "The card XXXX4472.",
        "They fly QX321-200s.",
        "Paid with card_7711224.",
    ] {
        assert!(!after("Well?", result, reply).is_empty(), "{reply}");
    }
}

#[test]
fn ids_that_a_reply_puts_together_are_known_by_their_parts() {
    let result = r#"{"booking":"QX71K2","day":"2031-05-22","by":"ann_li_7714","pod":"worker_7"}"#;
    holds(
        result,
        &["{\"QX71K2_transfer\": true, \"QX71K2_2031-05-22\": true, \"may_22_overlaps\": false}"],
    );
    lacks(
        result,
        &[("{\"QX71K9_transfer\": true}", "QX71K9_transfer")],
    );
}

#[test]
fn phone_numbers_hold_in_other_notations() {
    holds(
        r#"{"phone":"5550104477"}"#,
        &["Call (555) 010-4477.", "Call +1 555 010 4477."],
    );
    holds(r#"{"phone":"+15550104477"}"#, &["Call (555) 010-4477."]);
    holds(r#"{"phone":"0612345678"}"#, &["Appelez le 06 12 34 56 78."]);
    holds(
        r#"{"phone":"+4915112345678"}"#,
        &["Rufen Sie 0151 12345678 an."],
    );
    lacks(
        r#"{"phone":"+15550104477"}"#,
        &[
            ("Call (555) 010-4478.", "(555) 010-4478"),
            ("Call +2 555-010-4477.", "+2 555-010-4477"),
        ],
    );
}

#[test]
fn days_hold_in_coarser_and_shorter_notations() {
    let result = r#"{"on":"2031-05-27","back":"2031-05-28","built":"1907-03-04"}"#;
    holds(
        result,
        &[
            "In May 2031.",
            "It was built in 1907.",
            "You leave on 2031-05-27/28.",
            "Visit (5/27) is fine, so is 05-28.",
            "From May 27→28.",
            "On 2031‑05‑27.",
        ],
    );
    lacks(
        result,
        &[
            ("In June 2031.", "June 2031"),
            ("It was built in 1908.", "1908"),
            ("You leave on 2031-05-27/29.", "29"),
            ("From May 27→29.", "29"),
        ],
    );
}

#[test]
fn points_in_time_hold_as_days_and_times() {
    holds(
        r#"{"created":1773181800}"#,
        &["It was made on March 10, 2026."],
    );
    holds(r#"{"date":"20260304"}"#, &["It is on 2026-03-04."]);
    holds(
        r#"{"date":{"year":2026,"month":3,"day":4}}"#,
        &["It is on March 4, 2026."],
    );
    let result = r#"{"at":"2031-06-10T15:00:00Z"}"#;
    holds(
        result,
        &[
            "That is 17:00 in Berlin and 11:00 in New York.",
            "It is 15:00 UTC (16:00 BST).",
        ],
    );
    lacks(result, &[("That is 18:00 in Berlin.", "18:00")]);
    lacks(
        r#"{"created":1773181800}"#,
        &[("On March 11, 2026.", "March 11, 2026")],
    );
}

#[test]
fn numbers_are_rounded_as_they_are_written() {
    let result = r#"{"share":0.16675012,"cap":4179958366208,"c":6.674e-05}"#;
    holds(
        result,
        &[
            "It is 0.1668.",
            "The cap is $4.18T, 4.18 trillion.",
            "c is 6.674e-05 or 6.674 × 10^-5 or 6.674·10⁻⁵.",
        ],
    );
    lacks(
        result,
        &[
            ("It is 0.1669.", "0.1669"),
            ("The cap is $4.28T.", "$4.28T"),
        ],
    );
    assert!(!after("Well?", result, "c is 6.674e-06.").is_empty());
}

#[test]
fn what_people_say_of_times_is_known() {
    let ok = r#"{"status":"ok"}"#;
    let said = "Half past 11 in the morning, please, for a 12-seat bus.";
    assert_eq!(after(said, ok, "Done, for 11:30 am and 12 seats."), [""; 0]);
    assert_eq!(after(said, ok, "Done, for 11:45 am."), ["11:45 am"]);
}

#[test]
fn keys_say_what_their_values_are_counted_in() {
    holds(r#"{"价格(万元)":13.99}"#, &["这款车价格是13.99万。"]);
    holds(r#"{"수업":"12시간, 6회"}"#, &["수업 시수는 12시간입니다."]);
}

#[test]
fn tool_definitions_and_images_are_no_inventions() {
    let turns = r#"{"turn_id":1,"role":"user","content":"Well?","parts":[{"type":"image_url","image_url":{"url":"https://a.example/b.png"}}]},
        {"turn_id":2,"role":"agent","tool_calls":[{"name":"look_up","arguments":{},"result":{"ok":true}}]}"#;
    assert_eq!(unsupported_after(turns, "It shows 45 boats."), [""; 0]);
}

/// Fragments that end, start or cut notations in odd places.
const FRAGMENTS: [&str; 48] = [
    "1",
    "22",
    "333",
    "4444",
    "55555555",
    "2031-05-27",
    "T15:00",
    "T15:00:00.5+",
    "+01",
    "Z",
    "𝐀",
    "añb",
    "é",
    "시",
    "万",
    " ",
    "\n",
    "\t",
    ".",
    ",",
    ":",
    "/",
    "-",
    "_",
    "*",
    "(",
    ")",
    "[",
    "]",
    "$",
    "$$",
    "```",
    "```python",
    "</think>",
    "\\(",
    "\\u00",
    "&nbsp;",
    "e-",
    "×10^",
    "⁻⁵",
    "XX",
    "ab",
    "'s",
    "…",
    "half past",
    "Berlin",
    "https://a.example/",
    "\u{2011}",
];

/// Returns `count` texts of `length` fragments each, in an order that looks random but never changes.
fn odd_texts(count: usize, length: usize) -> Vec<String> {
    let mut state = 7_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        FRAGMENTS[(state >> 16) as usize % FRAGMENTS.len()]
    };
    let mut text = || (0..length).map(|_| next()).collect();
    (0..count).map(|_| text()).collect()
}

#[test]
fn odd_texts_are_read() {
    for texts in odd_texts(400, 24).chunks(2) {
        let result = serde_json::json!({"a": texts[0], "fiftyTwoWeekLow": texts[1]}).to_string();
        for reply in texts {
            let found = after(reply, &result, &texts[1]);
            assert!(found.iter().all(|text| !text.is_empty()), "{texts:?}");
        }
        let found = after("Well?", "{}", &texts[0]);
        assert!(found.iter().all(|text| !text.is_empty()), "{texts:?}");
    }
}

#[test]
fn long_texts_take_little_work() {
    /// Four times the text must take about four times the work. It takes 16 times as much if each fact reads the whole
    /// reply.
    const MOST: usize = 6;
    let result = serde_json::json!({"a": "b_1-1 ".repeat(2_000)}).to_string();
    let work = |part: &str, count: usize| {
        super::index::looked_at();
        after("Well?", &result, &part.repeat(count));
        super::index::looked_at()
    };
    for part in [
        "a_9 ",
        "9_9_",
        "9e9",
        "$9 ",
        "9:09 Berlin ",
        "9/9/",
        "ab9-",
        "(9) ",
        "9 min ",
        "9:09:09 ",
    ] {
        let short = work(part, 500).max(1_000);
        let long = work(part, 2_000);
        assert!(long <= MOST * short, "{part:?}: {short} {long}");
    }
}

#[test]
fn ids_of_many_parts_are_not_put_together() {
    let result = r#"{"booking":"QX71K2","of":"fee"}"#;
    let few = format!("{}QX71K2_fee", "fee_".repeat(4));
    let many = format!("{}QX71K2_fee", "fee_".repeat(40));
    assert_eq!(after("Well?", result, &format!("See {few}.")), [""; 0]);
    assert_eq!(after("Well?", result, &format!("See {many}.")), [many]);
}

#[test]
fn decades_and_seasons_are_those_of_known_years() {
    holds(
        r#"{"born":"1883-02-01","season":"2031/32"}"#,
        &["It was in the 1880s.", "In the 2031-2032 season."],
    );
    lacks(
        r#"{"born":"1883-02-01","season":"2031/32"}"#,
        &[
            ("It was in the 1870s.", "1870s"),
            ("In the 2031-2033 season.", "2033"),
        ],
    );
}

#[test]
fn cells_of_tables_with_commas_stand_apart() {
    let result = r#""stall,sold,left\nPlums,3120,84\nFigs,2875,461\n""#;
    holds(
        result,
        &["Plums: 3,120 sold and 84 left.", "Figs: 461 left."],
    );
    lacks(result, &[("Plums: 3,210 sold.", "3,210")]);
    let tabs = r#""stall\tlot\tleft\nPlums\tL-44\t71\n""#;
    holds(tabs, &["Plums have 71 left."]);
    lacks(tabs, &[("Plums have 77 left.", "77")]);
}

#[test]
fn ranges_of_lines_and_grouped_codes_hold_in_another_notation() {
    let result = r#"{"missing":"52-67,93","pin":"518 302","sha":"d41c07ab93e2"}"#;
    holds(
        result,
        &[
            "Lines 52–67 and 93 are missing.",
            "The PIN is 518302.",
            "It is commit d41c07a.",
        ],
    );
    lacks(
        result,
        &[
            ("Lines 52–76 are missing.", "76"),
            ("The PIN is 518320.", "518320"),
            ("It is commit d41c07b.", "d41c07b"),
        ],
    );
}
