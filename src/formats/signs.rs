//! What the messages of a document tell about its format: the first ones are plain text in many.

use super::Likeness;
use crate::model::Json;

/// So many messages of a document are looked at for one that tells its format.
const MOST_LOOKED_AT: usize = 2_000;

/// What one message or part of it tells about a format.
pub enum Sign {
    /// Only that format has it.
    Decisive,
    /// Only that format has it, but in another shape: this is missing.
    Broken(&'static str),
    /// Other formats have it, too.
    Open,
}

/// The messages of a document, as far as they are looked at: its items when it is a list, what it has
/// as `key`, or itself.
pub fn messages_of<'a>(document: Json<'a>, key: &str) -> &'a [Json<'a>] {
    let list = document.items().or_else(|| document.get(key)?.items());
    let list = list.unwrap_or_default();
    &list[..list.len().min(MOST_LOOKED_AT)]
}

/// How much a document looks like the format of which its messages, under `key` or alone, give signs.
pub fn likeness_by(document: Json<'_>, key: &str, sign: fn(Json<'_>) -> Sign) -> Likeness {
    let messages = messages_of(document, key);
    let alone = [document];
    let looked_at = match messages {
        [] => &alone[..],
        _ => messages,
    };
    let mut broken = Likeness::None;
    for message in looked_at {
        match sign(*message) {
            Sign::Decisive => return Likeness::Full,
            Sign::Broken(missing) if matches!(broken, Likeness::None) => {
                broken = Likeness::Partial(missing);
            }
            Sign::Broken(_) | Sign::Open => {}
        }
    }
    broken
}

/// The `type` of a message or part.
pub fn kind<'a>(value: Json<'a>) -> Option<&'a str> {
    value.get("type")?.as_str()
}

/// The items of `key`; none when it is no array.
pub fn items<'a>(value: Json<'a>, key: &str) -> &'a [Json<'a>] {
    value.get(key).and_then(Json::items).unwrap_or_default()
}
