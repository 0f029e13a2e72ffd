use bumpalo::Bump;

use super::*;
use crate::model::testing::arena_json;

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
fn items_that_a_whole_list_leaves_out_are_named() {
    let result = r#"{"stores":[{"name":"Oslo"},{"name":"Bergen"},{"name":"Bodø"}]}"#;
    let stores = |reply| found(result, "", reply);
    assert_eq!(stores("Here are our stores: Oslo and Bergen."), ["Bodø"]);
    assert!(stores("Here are our stores: Oslo, Bergen, Bodø.").is_empty());
    assert!(stores("Here are some of our stores: Oslo, Bergen.").is_empty());
    assert!(stores("We have a store in Oslo and one in Bergen.").is_empty());
}

const GATES: &str = r#"{"gates":["K12","K47","M03"]}"#;

#[test]
fn phrases_that_present_a_list_as_whole_are_known() {
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
fn choices_are_no_lists_with_gaps() {
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
