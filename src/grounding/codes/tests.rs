use super::super::testing::{texts_unsupported_after, unsupported_after};

fn unsupported(result: &str, reply: &str) -> Vec<String> {
    let turns = format!(
        r#"{{"turn_id":1,"role":"user","content":"Please look it up."}},
            {{"turn_id":2,"role":"agent","tool_calls":[{{"name":"look_up","arguments":{{}},"result":{result}}}]}}"#
    );
    texts_unsupported_after(&turns, reply)
}

#[test]
fn short_codes_that_differ_from_known_ones_are_found() {
    for (result, reply, expected) in [
        (r#"{"gate":"C14"}"#, "You board at C41.", "C41"),
        (r#"{"seat":"22D"}"#, "Your seat is 22F.", "22F"),
        (r#"{"line":"K7"}"#, "Take the K9 to the harbour.", "K9"),
        (r#"{"form":"KV-31"}"#, "Send form KV-38.", "KV-38"),
        (
            r#"{"forms":"KV-31 or KV-4407, a 2.5T van"}"#,
            "Send form KV-38.",
            "KV-38",
        ),
    ] {
        assert_eq!(unsupported(result, reply), [expected], "{reply}");
    }
}

#[test]
fn codes_that_are_known_or_like_no_known_one_are_not() {
    for (result, reply) in [
        (r#"{"gate":"C14"}"#, "You board at C14, or c14."),
        (r#"{"gate":"C14"}"#, "Save it as MP3, in 4K, before Q3."),
        (r#"{"gap":"2e-16"}"#, "The gap is 2e-16."),
        (
            r#"{"steps":["S4"]}"#,
            "My plan: S1 asks, S2 reads, S3 writes.",
        ),
        (
            r#"{"form":"KV-31"}"#,
            "It takes a round-the-clock wait, then form KV-31.",
        ),
    ] {
        assert_eq!(unsupported(result, reply), [""; 0], "{reply}");
    }
}

#[test]
fn versions_and_addresses_are_compared_whole() {
    let result = r#"{"fixed_in":"3.11.4","host":"10.20.30.7"}"#;
    assert_eq!(unsupported(result, "Update to 3.14.1."), ["3.14.1"]);
    assert_eq!(
        unsupported(result, "The host is 10.20.30.9."),
        ["10.20.30.9"]
    );
    for reply in [
        "Update to v3.11.4.",
        "Update to 3.11.4, the host is 10.20.30.7.",
    ] {
        assert_eq!(unsupported(result, reply), [""; 0], "{reply}");
    }
    assert_eq!(unsupported(r#"{"ok":true}"#, "Update to 3.14.1."), [""; 0]);
}

#[test]
fn names_in_code_are_known_ones_but_for_a_part() {
    let result = r#"{"log":"FAILED test_parser_reads_dates","pod":"relay-5c8f7d6b4-x2kzp"}"#;
    assert_eq!(
        unsupported(result, "`test_parser_reads_times` fails."),
        ["test_parser_reads_times"]
    );
    assert_eq!(
        unsupported(result, "The pod relay-5c8f7d6b4-x2kzq restarts."),
        ["relay-5c8f7d6b4-x2kzq"]
    );
    for reply in [
        "`test_parser_reads_dates` fails on relay-5c8f7d6b4-x2kzp.",
        "I would call it `parse_all_dates_first`.",
        "It is a one-of-a-kind, end-to-end-tested parser.",
    ] {
        assert_eq!(unsupported(result, reply), [""; 0], "{reply}");
    }
}

#[test]
fn both_ends_of_a_way_are_codes_that_are_known() {
    let result = r#"{"legs":[{"from":"QAX","to":"QBY"}]}"#;
    assert_eq!(unsupported(result, "You fly QAX → QCZ."), ["QCZ"]);
    assert_eq!(unsupported(result, "You fly from QCZ to QBY."), ["QCZ"]);
    for reply in [
        "You fly QAX → QBY.",
        "I send a PDF, the ETA is unknown.",
        "Shall I look for QCZ→QBY or QDZ→QBY?",
    ] {
        assert_eq!(unsupported(result, reply), [""; 0], "{reply}");
    }
    assert_eq!(unsupported(r#"{"share":"QAXY"}"#, "QXAY fell."), ["QXAY"]);
}

#[test]
fn the_nearest_code_is_reported() {
    let turns = r#"{"turn_id":1,"role":"user","content":"Which one?"},
        {"turn_id":2,"role":"agent","tool_calls":[{"name":"look_up","arguments":{},"result":{"gate":"C14","door":"K"}}]}"#;
    assert_eq!(unsupported_after(turns, "You board at C41."), ["C41 → C14"]);
}

#[test]
fn long_numbers_are_compared_digit_by_digit() {
    let digits = "94001118992233445566";
    let changed = "94001118992233445567";
    for result in [
        format!(r#"{{"tracking":"{digits}"}}"#),
        format!(r#"{{"note":"Sent as {digits} today"}}"#),
    ] {
        let known = format!("Your tracking number is {digits}.");
        let other = format!("Your tracking number is {changed}.");
        assert_eq!(unsupported(&result, &known), [""; 0], "{result}");
        assert_eq!(unsupported(&result, &other), [changed], "{result}");
    }
    // A JSON number beyond 2^64 has lost its last digits; one up to 2^64 has not.
    let rounded = format!(r#"{{"tracking":{digits}}}"#);
    let exact = r#"{"tracking":9400111899223344556}"#;
    let known = format!("Your tracking number is {digits}.");
    assert_eq!(unsupported(&rounded, &known), [""; 0]);
    let other = "Your tracking number is 9400111899223344557.";
    assert_eq!(unsupported(exact, other), ["9400111899223344557"]);
}
