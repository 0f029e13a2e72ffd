//! Detects images that the agent sees. No log shows what the agent reads in them.

use toolgauge_model::Json;

/// How many values are searched for images at most.
const MOST_VALUES: usize = 20_000;

/// Checks whether a message or a result contains an image.
pub fn holds_image(json: Json<'_>) -> bool {
    is_image(json, &mut MOST_VALUES.clone())
}

fn is_image(json: Json<'_>, left: &mut usize) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    match json {
        Json::Null | Json::Bool(_) | Json::Number(_) => false,
        Json::String(text) => text.starts_with("data:image/"),
        Json::Array(items) => items.iter().any(|item| is_image(*item, left)),
        Json::Object(members) => members.iter().any(|(key, value)| {
            let text = value.as_str().unwrap_or_default();
            let is_one = match *key {
                "type" => matches!(text, "image" | "image_url" | "input_image"),
                "mimeType" | "mime_type" | "mediaType" | "media_type" => text.starts_with("image/"),
                _ => false,
            };
            is_one || is_image(*value, left)
        }),
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_model::testing::arena_json;

    #[test]
    fn images_are_seen_wherever_they_stand() {
        for (text, is_seen) in [
            (
                r#"{"parts":[{"type":"image_url","image_url":{"url":"https://a.example/b.png"}}]}"#,
                true,
            ),
            (
                r#"[{"type":"image","data":"aGk=","mimeType":"image/png"}]"#,
                true,
            ),
            (r#"{"a":"data:image/png;base64,aGk="}"#, true),
            (r#"{"type":"text","text":"an image"}"#, false),
        ] {
            let arena = Bump::new();
            assert_eq!(holds_image(arena_json(&arena, text)), is_seen, "{text}");
        }
    }
}
