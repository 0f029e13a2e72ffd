use super::super::testing::texts_unsupported_after;

/// Returns the unsupported texts of a reply to this result on 2031-07-15.
fn after(result: &str, reply: &str) -> Vec<String> {
    let turns = format!(
        r#"{{"turn_id":1,"role":"system","content":"Today is 2031-07-15."}},
            {{"turn_id":2,"role":"user","content":"Well?"}},
            {{"turn_id":3,"role":"agent","tool_calls":[{{"name":"look_up","arguments":{{}},"result":{result}}}]}}"#
    );
    texts_unsupported_after(&turns, reply)
}

/// Checks that the first reply of each pair follows from the result, and that the second does not.
#[track_caller]
fn check(result: &str, replies: &[(&str, &str)]) {
    for (right, wrong) in replies {
        assert_eq!(after(result, right), [""; 0], "{right}");
        assert!(!after(result, wrong).is_empty(), "{wrong}");
    }
}

#[test]
fn slots_end_after_their_length() {
    check(
        r#"{"slots":[{"id":"Q-7","start":"2031-07-16T09:20","duration_min":25},{"id":"Q-8","start":"2031-07-18T14:40","duration_min":35}]}"#,
        &[
            (
                "- Q-7 at 9:20 AM (ends 9:45)",
                "- Q-7 at 9:20 AM (ends 9:55)",
            ),
            ("Q-8 is 14:40–15:15.", "Q-8 is 14:40–15:05."),
        ],
    );
}

#[test]
fn lengths_are_known_in_other_notations() {
    check(
        r#"{"jobs":[{"name":"Pack","seconds":383},{"name":"Ship","seconds":1274}]}"#,
        &[
            ("Pack took 6 min 23 s.", "Pack took 8 min 43 s."),
            ("Ship took about 21 minutes.", "Ship took about 33 minutes."),
            (
                "Together they took 27 min 37 s.",
                "Together they took 28 min 47 s.",
            ),
        ],
    );
}

#[test]
fn time_lies_between_moments() {
    check(
        r#"{"run":{"started":"2031-07-14T08:02:10Z","finished":"2031-07-14T08:27:55Z"}}"#,
        &[
            (
                "It took just under 26 minutes.",
                "It took just under 29 minutes.",
            ),
            ("It took 25 min 45 s.", "It took 28 min 49 s."),
        ],
    );
    check(
        r#"{"out":{"leaves":"2031-07-20T10:35+01:00"},"in":{"lands":"2031-07-20T13:05-04:00"}}"#,
        &[("It takes 7 h 30 min.", "It takes 8 h 40 min.")],
    );
    check(
        r#"{"check_in":"2031-07-20","check_out":"2031-07-26","rate":40}"#,
        &[(
            "You stay six nights, 6 × $40.",
            "You stay eight nights, 8 × $40.",
        )],
    );
}

#[test]
fn clocks_of_races_lie_apart() {
    check(
        r#"[{"name":"Ada Im","time":"1:07:42"},{"name":"Bo Rey","time":"1:09:19"}]"#,
        &[
            (
                "Bo Rey came in 97 seconds (1:37) later.",
                "Bo Rey came in 94 seconds (1:34) later.",
            ),
            ("Bo Rey: 1:09:19 (+1:37)", "Bo Rey: 1:09:19 (+1:43)"),
        ],
    );
}

#[test]
fn deadlines_follow_from_their_days() {
    check(
        r##""# Queue, exported 2031-07-15\n| ref | who | received | wait_target_days |\n|---|---|---|---|\n| Q-31 | A. Moe | 2031-07-01 | 40 |\n| Q-32 | B. Lie | 2031-06-20 | 90 |""##,
        &[
            ("Q-31 is due on August 10.", "Q-31 is due on August 12."),
            ("Q-31 has 26 days left.", "Q-31 has 29 days left."),
        ],
    );
}

#[test]
fn ages_follow_from_births() {
    check(
        r#"{"name":"Ada Im","dob":"1968-02-27","since":2025}"#,
        &[
            ("Ada Im is 63 years old.", "Ada Im is 66 years old."),
            ("She turned 57 in 2025.", "She turned 59 in 2025."),
        ],
    );
}

#[test]
fn stamps_and_late_hours_are_read() {
    check(
        r#"{"ics":"DTSTART:20310817T121500Z\nEND","log":"Tue Mar 10 16:44:02 2026 +0100","open":"17:00-25:30"}"#,
        &[
            (
                "It is on August 17 at 12:15.",
                "It is on August 18 at 12:15.",
            ),
            ("It was on March 10, 2026.", "It was on March 11, 2026."),
            ("It closes at 1:30 AM.", "It closes at 2:30 AM."),
        ],
    );
}

#[test]
fn zones_of_the_sentence_and_days_of_a_month_are_read() {
    check(
        r#"{"from":"2031-07-02T13:30:00-04:00","to":"2031-07-05T15:00:00-04:00","ahead":5}"#,
        &[
            (
                "In UTC, the first one would be 17:30.",
                "In UTC, the first one would be 18:30.",
            ),
            (
                "London is five hours ahead, so it is 18:30–20:00 there.",
                "London is five hours ahead, so it is 18:30–21:00 there.",
            ),
            (
                "Sie waren am 2. und am 5. Juli da.",
                "Sie waren am 3. und am 5. Juli da.",
            ),
            ("2日からです。", "3日からです。"),
        ],
    );
}
