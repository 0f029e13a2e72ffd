use bumpalo::Bump;

use super::*;
use toolgauge_model::testing::arena_json;

fn found(result: &str, request: &str, reply: &str) -> Vec<String> {
    let arena = Bump::new();
    let result = arena_json(&arena, result);
    let exchange = Exchange {
        request,
        arguments: Json::Null,
        later: &[],
        result,
        reply,
    };
    left_out(&lists_in(result), &exchange)
}

#[test]
fn items_left_out_of_a_complete_list_are_reported() {
    let result = r#"{"stores":[{"name":"Oslo"},{"name":"Bergen"},{"name":"Bodø"}]}"#;
    let stores = |reply| found(result, "", reply);
    assert_eq!(stores("Here are our stores: Oslo and Bergen."), ["Bodø"]);
    assert!(stores("Here are our stores: Oslo, Bergen, Bodø.").is_empty());
    assert!(stores("Here are some of our stores: Oslo, Bergen.").is_empty());
    assert!(stores("We have a store in Oslo and one in Bergen.").is_empty());
}

const GATES: &str = r#"{"gates":["K12","K47","M03"]}"#;

#[test]
fn phrases_that_present_a_list_as_complete_are_recognized() {
    let wholes = [
        "Here are your gates: K12 and K47.",
        "Your gates are: K12, K47.",
        "All your gates: K12, K47.",
        "You have these gates:\n- K12\n- K47",
        "You have two gates: K12 and K47.",
        "There are three gates: K12 and K47.",
        "The following gates are open:\n1. K12\n2. K47\n\nAnything else?",
        "Gates:\n* K12\n* K47",
        "**Gates**\n| gate | state |\n|---|---|\n| K12 | - |\n| K47 | - |",
        "The open gates are K12 and K47.",
        "Die folgenden Gates sind offen: K12 und K47.",
        "Voici les portes : K12 et K47.",
    ];
    for reply in wholes {
        assert_eq!(
            found(GATES, "Which gates are open?", reply),
            ["M03"],
            "{reply}"
        );
    }
}

#[test]
fn selections_are_not_reported() {
    let choices = [
        ("", "Here are the two closest gates: K12 and K47."),
        ("", "Here are some of the gates:\n- K12\n- K47"),
        ("", "For example, K12 and K47 are open."),
        ("", "The gates include K12 and K47."),
        ("", "Here are the gates:\n- K12\n- K47\n\n1 more is closed."),
        ("", "Here are the first two gates: K12, K47."),
        ("", "You could take K12 or K47."),
        ("", "I recommend these gates:\n- K12\n- K47"),
        ("Name two gates", "Here are your gates:\n- K12\n- K47"),
        ("", "Here are the gates:\n- K12\n- K47\n- M03"),
        ("", "Here are the gates:\n- K12\n- K47\n\nM03 is closed."),
        ("", "Here are the gates: K12, K47 and the new one."),
        ("", "Which gate do you want?\n- K12\n- K47"),
    ];
    for (request, reply) in choices {
        assert!(found(GATES, request, reply).is_empty(), "{reply}");
    }
}

#[test]
fn any_distinguishing_value_identifies_an_item() {
    let cases = [
        (
            r#"{"slots":[{"at":"2031-04-02 09:00:00"},{"at":"2031-04-03 13:30:00"},{"at":"2031-04-04 18:00:00"}]}"#,
            "Your slots are: April 2 at 9 am and April 3rd at 1:30 pm.",
            "2031-04-04 18:00:00",
        ),
        (
            r#"{"slots":[{"time":"07:15"},{"time":"08:45"},{"time":"21:00"},{"time":"23:10"}]}"#,
            "You have slots at 7:15 and 8:45 in the morning, and at 11:10 pm.",
            "21:00",
        ),
        (
            r#"{"bills":{"b1":{"amount":1250.5},"b2":{"amount":310},"b3":{"amount":99.9}}}"#,
            "Here are your bills:\n- $1,250.50\n- $99.90",
            "b2",
        ),
        (
            r#"{"people":[{"first_name":"Ada","last_name":"Lund","age":40},{"first_name":"Ada","last_name":"Moe","age":31},{"first_name":"Per","last_name":"Lund","age":25}]}"#,
            "**People:**\n1. Ada Lund\n2. Per Lund",
            "Ada Moe",
        ),
        (
            "\"Depots:\\n- D1: Skien, 4 docks\\n- D2: Moss, 2 docks\\n- D3: Hamar, 9 docks\"",
            "These are the depots:\n* D1 (Skien)\n* D3 (Hamar)",
            "D2",
        ),
        (
            "\"ID | depot | docks\\nD1 | Skien | 4\\nD2 | Moss | 2\\nD3 | Hamar | 9\"",
            "All depots:\n| Depot | Docks |\n| --- | --- |\n| Skien | 4 |\n| Moss | 2 |",
            "D3",
        ),
        (
            r#"{"notes":[{"text":"Turn the main valve off before the winter and drain all the pipes outside"},{"text":"Ask the neighbours about the fence that fell down during the storm last autumn"},{"text":"Order new filters for the ventilation, the old ones are torn in three places"}]}"#,
            "Here are your three notes:\n- Turn the main valve off before the winter and drain all the pipes outside\n- Order new filters for the ventilation, the old ones are torn in three places",
            "Ask the neighbours about the fence that fell down during the storm last autumn",
        ),
        (
            r#"{"tasks":[{"id":"T-1","title":"Paint"},{"id":"T-2","title":"Sand"}]}"#,
            "You have two tasks today. The first is to paint.",
            "Sand",
        ),
        (
            r#"{"tasks":[{"id":"T-1","title":"Paint"},{"id":"T-2","title":"Sand"}]}"#,
            "I found the following tasks: Paint.",
            "Sand",
        ),
        (
            r#"{"rooms":[{"n":"R101"},{"n":"R102"},{"n":"R103"},{"n":"R104"},{"n":"R105"}]}"#,
            "Checked everything, see what I noted\n- R101: clean\n- R102: dusty\n- R104: clean\n- R105: wet",
            "R103",
        ),
    ];
    for (result, reply, missing) in cases {
        assert_eq!(found(result, "", reply), [missing], "{reply}");
    }
}

#[test]
fn lists_with_a_reason_for_the_gap_are_not_reported() {
    let cases = [
        // A boolean distinguishes the missing item.
        (
            r#"{"rooms":[{"n":"R101","free":true},{"n":"R102","free":true},{"n":"R103","free":false}]}"#,
            "",
            "Here are the rooms:\n- R101\n- R102",
        ),
        // The heading names a category.
        (
            r#"{"cards":[{"n":"C-11","kind":"gift card"},{"n":"C-12","kind":"gift card"},{"n":"C-13","kind":"voucher"}]}"#,
            "",
            "You have these gift cards: C-11 and C-12.",
        ),
        // The request names the category.
        (
            r#"{"bikes":[{"n":"B-11","size":"small"},{"n":"B-12","size":"small"},{"n":"B-13","size":"large"}]}"#,
            "Which small bikes are there?",
            "Here are the bikes:\n- B-11\n- B-12",
        ),
        // The request asks for two.
        (
            r#"{"books":[{"t":"Sea Wolf"},{"t":"Land Fox"},{"t":"Sky Lark"}]}"#,
            "Give me 2 books",
            "Here are your books: Sea Wolf and Land Fox.",
        ),
        // The reply describes the third item in other words.
        (
            r#"{"books":[{"t":"Sea Wolf"},{"t":"Land Fox"},{"t":"Sky Lark"}]}"#,
            "",
            "Your books:\n- Sea Wolf\n- Land Fox\n- the one about birds",
        ),
        // The reply names one item in a question.
        (
            r#"{"books":[{"t":"Sea Wolf"},{"t":"Land Fox"},{"t":"Sky Lark"}]}"#,
            "",
            "I found 3 books. How about Sea Wolf?",
        ),
        // The reply is data, not prose.
        (
            r#"{"books":["Sea Wolf","Land Fox","Sky Lark"]}"#,
            "",
            "{\"books\": [\"Sea Wolf\", \"Land Fox\"]}",
        ),
        // The reply names only a part of a long list.
        (
            r#"{"books":["Sea Wolf","Land Fox","Sky Lark","Ice Bear","Tree Frog"]}"#,
            "",
            "Your books: Sea Wolf, Land Fox.",
        ),
    ];
    for (result, request, reply) in cases {
        assert_eq!(found(result, request, reply), [""; 0], "{reply}");
    }
}
