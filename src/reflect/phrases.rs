//! Names, places and values in messages, short enough for a phrase.

use bumpalo::Bump;
use serde_json::Value;

use crate::model::{Json, Path, Preview, start_of};
use crate::schema::from_value;

/// Of a place at most so many bytes are shown in a phrase.
pub const LONGEST_PLACE: usize = 120;

/// Of a name at most so many bytes are shown.
const LONGEST_NAME: usize = 80;

/// A name in quotes, short enough for a message.
pub fn quoted(name: &str) -> String {
    Preview::of(Json::String(name), LONGEST_NAME).to_string()
}

/// A place, short enough for a phrase.
pub fn brief_place(path: &Path) -> String {
    let whole = path.shortened();
    match start_of(&whole, LONGEST_PLACE) {
        kept if kept.len() < whole.len() => format!("{kept}…"),
        kept => kept.to_owned(),
    }
}

/// A value, short enough for a phrase.
pub fn brief(value: &Value) -> String {
    let arena = Bump::new();
    Preview::of(from_value(value, &arena), 60).to_string()
}
