//! Detects images and files that the agent sees. No log shows what the agent reads in them.

use toolgauge_model::{Json, Member, Turn};

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

/// The types of the parts of a message that are files.
const FILES: [&str; 12] = [
    "audio",
    "container_upload",
    "document",
    "file",
    "image",
    "image_url",
    "input_audio",
    "input_file",
    "input_image",
    "media",
    "video",
    "video_url",
];

/// The members in which the parts of a message hold files, if they have no type.
const FILE_MEMBERS: [&str; 8] = [
    "audio",
    "document",
    "fileData",
    "file_data",
    "image",
    "inlineData",
    "inline_data",
    "video",
];

/// Checks whether a message of the user carries an image, a recording or a file whose text is not in the log.
pub fn carries_file(turn: &Turn<'_>) -> bool {
    let holds = |(key, value): &Member<'_>| {
        let items = value.items().unwrap_or_default();
        match *key {
            "parts" => items.iter().any(|part| is_file(*part)),
            "attachments" | "experimental_attachments" => items.iter().any(is_object),
            _ => false,
        }
    };
    turn.extra.iter().any(holds)
}

fn is_object(value: &Json<'_>) -> bool {
    value.members().is_some()
}

fn is_file(part: Json<'_>) -> bool {
    let is_shown = matches!(part.get("source").and_then(kind), Some("text" | "content"));
    let is_file = kind(part).is_some_and(|kind| FILES.contains(&kind));
    let has = |key: &&str| part.get(key).is_some_and(|it| is_object(&it));
    !is_shown && (is_file || FILE_MEMBERS.iter().any(has))
}

fn kind(value: Json<'_>) -> Option<&str> {
    value.get("type")?.as_str()
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Limits, Reader};

    #[test]
    fn files_of_the_user_are_seen_unless_their_text_is_in_the_log() {
        for (extra, carries) in [
            (
                r#""parts":[{"type":"file","file":{"file_id":"file-1"}}]"#,
                true,
            ),
            (
                r#""parts":[{"type":"document","source":{"type":"file","file_id":"f"}}]"#,
                true,
            ),
            (
                r#""parts":[{"type":"document","source":{"type":"text","data":"a"}}]"#,
                false,
            ),
            (r#""parts":[{"fileData":{"fileUri":"gs://a"}}]"#, true),
            (r#""parts":[{"document":{"name":"a","source":{}}}]"#, true),
            (
                r#""experimental_attachments":[{"url":"https://a.example/b"}]"#,
                true,
            ),
            (r#""experimental_attachments":[]"#, false),
            (r#""parts":[{"type":"reasoning","text":"a file"}]"#, false),
            (r#""files":[{"type":"file"}]"#, false),
        ] {
            let arena = Bump::new();
            let reader = Reader::new(&arena, Limits::default());
            let turn = format!(r#"{{"turn_id":1,"role":"user","content":"Well?",{extra}}}"#);
            let turn = toolgauge_formats::import_turn(arena_json(&arena, &turn), reader);
            assert_eq!(carries_file(&turn.expect("a turn")), carries, "{extra}");
        }
    }

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
