//! Responses that present a list result and leave items of it out.

use crate::model::Json;

/// Longer lists are summed up, not presented.
const LONGEST: usize = 40;

/// Words that present a list as whole.
const PRESENTS: [&str; 14] = [
    "here are",
    "the following",
    "as follows",
    "these are",
    "your options",
    "available options",
    "all of",
    "all the",
    "folgende",
    "voici",
    "estos son",
    "aquí están",
    "her er",
    "hier sind",
];

/// Words that say that it is a choice.
const CHOOSES: [&str; 26] = [
    "some of",
    "such as",
    "for example",
    "including",
    "e.g.",
    "top ",
    "best",
    "cheapest",
    "earliest",
    "latest",
    "recommend",
    "first few",
    "a few",
    "most relevant",
    "only ",
    "filter",
    "selected",
    "specific",
    "under ",
    "within ",
    "matching",
    "nonstop",
    "option that",
    "options that",
    "upcoming",
    "future",
];

/// The items of `result` that `response` leaves out although it presents the list as whole: their
/// labels. Empty unless it names at least two items and at least half of them.
pub fn left_out(result: Json<'_>, response: &str) -> Vec<String> {
    let Some(items) = list_in(result) else {
        return Vec::new();
    };
    let text = response.to_lowercase();
    let presents = PRESENTS.iter().any(|phrase| text.contains(phrase));
    if !presents || CHOOSES.iter().any(|phrase| text.contains(phrase)) {
        return Vec::new();
    }
    let labels: Vec<_> = items.iter().filter_map(|item| label_of(*item)).collect();
    if labels.len() != items.len() {
        return Vec::new();
    }
    let (named, missing): (Vec<_>, Vec<_>) = labels
        .into_iter()
        .partition(|label| text.contains(&label.to_lowercase()));
    if named.len() >= 2 && named.len() >= missing.len() {
        missing.into_iter().map(str::to_owned).collect()
    } else {
        Vec::new()
    }
}

/// The list that a result is, or holds as its only one.
fn list_in(result: Json<'_>) -> Option<&[Json<'_>]> {
    let list = match result {
        Json::Array(items) => items,
        Json::Object(members) => {
            let mut lists = members.iter().filter_map(|(_, value)| value.items());
            match (lists.next(), lists.next()) {
                (Some(list), None) => list,
                _ => return None,
            }
        }
        _ => return None,
    };
    (3..=LONGEST).contains(&list.len()).then_some(list)
}

/// What an item is called: itself, or the member that names it.
fn label_of(item: Json<'_>) -> Option<&str> {
    let label = match item {
        Json::String(text) => Some(text),
        Json::Object(_) => ["name", "title", "id", "label", "number", "code", "sku"]
            .iter()
            .find_map(|key| item.get(key)?.as_str()),
        _ => None,
    };
    label.filter(|label| label.len() >= 2)
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::model::testing::arena_json;

    #[test]
    fn items_that_a_whole_list_leaves_out_are_named() {
        let arena = Bump::new();
        let result = arena_json(
            &arena,
            r#"{"stores":[{"name":"Oslo"},{"name":"Bergen"},{"name":"Bodø"}]}"#,
        );
        assert_eq!(
            left_out(result, "Here are our stores: Oslo and Bergen."),
            ["Bodø"]
        );
        assert!(left_out(result, "Here are our stores: Oslo, Bergen, Bodø.").is_empty());
        assert!(left_out(result, "Here are some of our stores: Oslo, Bergen.").is_empty());
        assert!(left_out(result, "We have a store in Oslo and one in Bergen.").is_empty());
    }
}
