//! Images that the agent sees: no log shows what it makes of them.

use crate::model::{Json, Role, ToolCall, Turn};

/// How many values are looked at for images.
const MOST_VALUES: usize = 20_000;

/// Whether the agent sees an image, in a message or in a result.
pub fn shows_image(earlier: &[Turn<'_>], calls: &[&ToolCall<'_>]) -> bool {
    let mut left = MOST_VALUES;
    let heard = earlier.iter().filter(|turn| turn.role != Role::Agent);
    let carried = heard.flat_map(|turn| turn.extra.iter().map(|(_, value)| *value));
    let results = calls.iter().filter_map(|call| call.result);
    carried
        .chain(results)
        .any(|json| holds_image(json, &mut left))
}

fn holds_image(json: Json<'_>, left: &mut usize) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    match json {
        Json::Null | Json::Bool(_) | Json::Number(_) => false,
        Json::String(text) => text.starts_with("data:image/"),
        Json::Array(items) => items.iter().any(|item| holds_image(*item, left)),
        Json::Object(members) => members.iter().any(|(key, value)| {
            let text = value.as_str().unwrap_or_default();
            let is_image = match *key {
                "type" => matches!(text, "image" | "image_url" | "input_image"),
                "mimeType" | "mime_type" | "mediaType" | "media_type" => {
                    text.starts_with("image/")
                }
                _ => false,
            };
            is_image || holds_image(*value, left)
        }),
    }
}
