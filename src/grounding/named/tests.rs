use proptest::prelude::*;

use super::super::testing::{texts_unsupported_after, unsupported_after};

const PROFILE: &str = r#"{"turn_id":1,"role":"user","content":"My profile, with Main Street, please."},
    {"turn_id":2,"role":"agent","tool_calls":[{"name":"profile","result":{"name":{"first_name":"Yara","last_name":"Garcia"},
        "friends":[{"name":"Mia Brown"}],"city":"Phoenix"}}]}"#;

const FILM: &str = r#"{"turn_id":1,"role":"user","content":"A film for tonight?"},
    {"turn_id":2,"role":"agent","tool_calls":[{"name":"films","result":[{"title":"Silent Orchard","directed_by":"Petra Olsen",
        "subtitle_language":"Danish","venue":"Old Mill Playhouse","car":"Volta X7","doctor_name":"Dr. Ines Falk"}]}]}"#;

fn unsupported(reply: &str) -> Vec<String> {
    texts_unsupported_after(FILM, reply)
}

#[test]
fn names_that_differ_are_found() {
    for (reply, expected) in [
        ("You are Yara Garcya.", vec!["Yara Garcya → Garcia"]),
        ("Thank you, Yaro.", vec!["Yaro → Yara"]),
        ("Hi Yaro, welcome back.", vec!["Yaro → Yara"]),
        ("Your city: Lubenia", vec!["Lubenia → Phoenix"]),
        ("- Oleg Garcia, a friend", vec!["Oleg Garcia"]),
    ] {
        assert_eq!(unsupported_after(PROFILE, reply), expected, "{reply}");
    }
}

#[test]
fn known_names_and_other_words_are_not() {
    for reply in [
        "Thank you, Yara Garcia.",
        "Hi Yara, I booked Main Street for Mia.",
        "Passenger: Mia Brown",
        "Name: Yara",
        "Name: Not Provided, passenger: To Be Confirmed",
        "Yard work is on Friday.",
        "Passenger: Please Confirm Now And Here",
        "Dear Customer, thank you for asking, Best Regards",
    ] {
        assert_eq!(unsupported_after(PROFILE, reply), [""; 0], "{reply}");
    }
}

#[test]
fn names_that_a_message_carries_besides_its_text_are_known() {
    let after = |carried: &str| {
        let turns = format!(r#"{{"turn_id":0,"role":"system","content":"",{carried}}},{FILM}"#);
        texts_unsupported_after(&turns, "How about Crimson Ferry?")
    };
    let state = r#""state":{"seen":["Crimson Ferry"]}"#;
    assert_eq!(after(state), [""; 0]);
    assert_eq!(after(r#""state":{"seen":[]}"#), ["Crimson Ferry"]);
}

#[test]
fn names_that_no_result_has_are_found_in_sentences() {
    for (reply, expected) in [
        ("How about Crimson Ferry?", "Crimson Ferry"),
        ("It is called Lanterns and starts soon.", "Lanterns"),
        ("The director is Kofi Mensah.", "Kofi Mensah"),
        ("Kofi Mensah directed it.", "Kofi Mensah"),
        ("Would Crimson Ferry suit you?", "Crimson Ferry"),
        ("Dr. Ines Becker will see you.", "Dr. Ines Becker"),
        ("It runs at the Old Mill Theatre.", "Old Mill Theatre"),
        (
            "It has Finnish subtitles and a Finnish language track.",
            "Finnish",
        ),
        ("You drive a Volta X9.", "Volta X9"),
    ] {
        assert!(
            unsupported(reply).contains(&expected.to_owned()),
            "{reply}: {:?}",
            unsupported(reply)
        );
    }
}

#[test]
fn names_that_are_known_or_general_are_not() {
    for reply in [
        "How about Silent Orchard at the Old Mill Playhouse?",
        "The director is Petra Olsen, see you on Friday.",
        "Petra Olsen's film has Danish subtitles and a French poster.",
        "It is all in Fahrenheit, and in Central European Time.",
        "Pay with PayPal, open it in Chrome, or send a PDF.",
        "## Key Red Flags\n**Helpful Hints:**\n- Option A or Option B",
        "Reply “Approve” to go on.",
        "Name a place such as Crimson Ferry.",
        "Give it a name, e.g. Crimson Ferry.",
        "See [Your Name] and `Crimson Ferry`.",
        "Der Abend ist mit Freunden und Musik nicht teuer.",
        "Crimson Ferry, Lanterns, Green Door and Kofi Mensah are well-known films, as are Nine Bells.",
    ] {
        assert_eq!(unsupported(reply), [""; 0], "{reply}");
    }
}

#[test]
fn what_stands_around_a_name_decides() {
    let turns = r#"{"turn_id":1,"role":"user","content":"Where is my order? I live at 12 Mill Lane."},
        {"turn_id":2,"role":"agent","tool_calls":[{"name":"order","arguments":{"DOB":"x"},"result":{
            "name":{"first_name":"Yara","last_name":"Garcia"},"dob":"1990-02-03","user":"rajeh","album":"Wide Rivers",
            "username":"StarWalker","subtitle_language":"Danish","phones":[{"name":"Volta Prime S3"}],
            "items":[{"name":"Oak Shelf","id":"77120"}],"address":{"city":"Lubenia","state":"QX","zip":"50417"}}}]}"#;
    for (reply, expected) in [
        (
            "The passenger is Yara Olsen (DOB 1990-02-03).",
            "Yara Olsen",
        ),
        ("- Item: Office Chair (77120)", "Office Chair"),
        ("For Crimson Ferry, nothing is known.", "Crimson Ferry"),
        ("It's Kofi Mensah.", "Kofi Mensah"),
        ("It is on the Lanterns album.", "Lanterns"),
        ("The username \"NightOwl\" is yours.", "NightOwl"),
        ("- 12 Mill Lane\n- Arbora, QX 50417", "Arbora"),
        ("Your phone is the Volta Prime K9.", "Volta Prime K9"),
    ] {
        let found = texts_unsupported_after(turns, reply);
        assert!(found.contains(&expected.to_owned()), "{reply}: {found:?}");
    }
    for reply in [
        "The passenger is Yara Garcia (DOB 1990-02-03).",
        "It opens in Office and over Bluetooth.",
        "For you, Yara, nothing is known.",
        "It's Yara.",
        "It is on the Android phone.",
        "Reply \"Confirmed\" to go on.",
        "- 12 Mill Lane\n- Lubenia, QX 50417",
        "We have the Volta Prime S3 and the Volta Prime K9.",
        "It is from Rajesh (rajeh).",
    ] {
        assert_eq!(texts_unsupported_after(turns, reply), [""; 0], "{reply}");
    }
}

#[test]
fn translated_names_and_languages_are_held_against_their_labels() {
    for (reply, expected) in [
        ("It has subtitles in Finnish.", "Finnish"),
        (
            "Le film est projeté dans la salle Crimson Ferry.",
            "Crimson Ferry",
        ),
    ] {
        assert_eq!(unsupported(reply), [expected], "{reply}");
    }
    for reply in [
        "It has subtitles in Danish.",
        "It was filmed in Finnish woods.",
        "Le film est projeté dans le Grand Théâtre Mill.",
    ] {
        assert_eq!(unsupported(reply), [""; 0], "{reply}");
    }
}

#[test]
fn the_name_that_results_have_instead_is_reported() {
    for (reply, expected) in [
        ("You drive a Volta X9.", "Volta X9 → Volta X7"),
        ("Venue: Crimson Ferry", "Crimson Ferry → Old Mill Playhouse"),
    ] {
        assert_eq!(unsupported_after(FILM, reply), [expected], "{reply}");
    }
}

#[test]
fn without_names_in_results_no_name_is_checked() {
    for result in [
        r#"{"status":"Confirmed","count":3}"#,
        r#""Done.""#,
        r#"{"title":"寂静果园"}"#,
    ] {
        let turns = format!(
            r#"{{"turn_id":1,"role":"user","content":"Go on."}},
                {{"turn_id":2,"role":"agent","tool_calls":[{{"name":"f","result":{result}}}]}}"#
        );
        let reply = "How about Crimson Ferry?";
        assert_eq!(texts_unsupported_after(&turns, reply), [""; 0], "{result}");
    }
}

#[test]
fn other_forms_of_known_words_are_known() {
    let turns = r#"{"turn_id":1,"role":"user","content":"Who plays?"},
        {"turn_id":2,"role":"agent","tool_calls":[{"name":"play","result":{"team":"Óslar Trinitas","player":"Ze Du Ko",
            "user":"lenamarks77","state":"Federal"}}]}"#;
    for reply in [
        "The team is Oslar Trinitas.",
        "The player is ZeDuKo.",
        "It is from Lena.",
        "They are Federals.",
    ] {
        assert_eq!(texts_unsupported_after(turns, reply), [""; 0], "{reply}");
    }
}

proptest! {
    /// Whatever a reply consists of, each name that is found is part of it, in order.
    #[test]
    fn what_is_found_stands_in_the_reply(
        words in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..12),
    ) {
        let content = words.concat();
        let found = texts_unsupported_after(PROFILE, &content);
        let mut rest = content.as_str();
        for name in found.iter().filter(|name| name.starts_with(char::is_uppercase)) {
            let at = rest.find(name.as_str());
            prop_assert!(at.is_some(), "{content}: {found:?}");
            rest = &rest[at.unwrap_or_default() + name.len()..];
        }
    }
}

/// Parts of replies with names.
const WORDS: [&str; 18] = [
    " Yara",
    " Yaro",
    " Garcya",
    "Garcia",
    " Oleg Winter",
    " the",
    " of ",
    "of",
    ", ",
    ". ",
    "\n",
    "** ",
    "_",
    " Passenger: ",
    " Él",
    " Mr",
    "-",
    "'s",
];

#[test]
fn places_are_known_by_their_codes_and_sites_by_their_addresses() {
    let turns = r#"{"turn_id":1,"role":"user","content":"My trip?"},
        {"turn_id":2,"role":"agent","tool_calls":[{"name":"trip","result":{"from":"VIE","to":"OSL",
            "guest":{"name":"Mia Brown"},"source":"harbournews.example"}}]}"#;
    for (reply, expected) in [
        ("Your stay in Oslo is short.", vec![]),
        ("Your stay in Bergen is short.", vec!["Bergen"]),
        ("Then Harbour News reported it.", vec![]),
        ("Then Harbour Mail reported it.", vec!["Harbour Mail"]),
    ] {
        assert_eq!(texts_unsupported_after(turns, reply), expected, "{reply}");
    }
}

#[test]
fn german_nouns_are_no_names_beside_tables() {
    let turns = r#"{"turn_id":1,"role":"user","content":"Und?"},
        {"turn_id":2,"role":"agent","tool_calls":[{"name":"stand","result":{"name":"Mia Brown","summe":120}}]}"#;
    let reply = "| A | B |\n|---|---|\n| 1 | 2 |\n\nDie Gesamtsumme ist 120. Kann ich noch etwas f\u{fc}r Sie tun?";
    let found = texts_unsupported_after(turns, reply);
    assert!(
        !found
            .iter()
            .any(|text| text == "Sie" || text == "Gesamtsumme"),
        "{found:?}"
    );
}

#[test]
fn a_word_that_says_what_a_link_is_is_no_name() {
    let turns = r#"{"turn_id":1,"role":"user","content":"Schools in Oldtown?"},
        {"turn_id":2,"role":"agent","tool_calls":[{"name":"schools","result":[{"name":"Silver Birch Primary",
            "page_url":"https://www.bestschools.example/silver-birch/"}]}]}"#;
    let reply = "1. **Silver Birch Primary**\n   - **URL:** \
        [BestSchools.example Profile](https://www.bestschools.example/silver-birch/)";
    assert_eq!(texts_unsupported_after(turns, reply), [""; 0]);
}
