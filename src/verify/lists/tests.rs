use bumpalo::Bump;

use super::*;
use crate::model::testing::arena_json;

fn found(result: &str, request: &str, reply: &str) -> Vec<String> {
    let arena = Bump::new();
    left_out(&Exchange {
        request,
        arguments: Json::Null,
        later: &[],
        result: arena_json(&arena, result),
        reply,
    })
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
