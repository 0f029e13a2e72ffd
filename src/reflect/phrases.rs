//! Shortens names, paths and values for messages.

use bumpalo::Bump;
use serde_json::Value;

use toolgauge_model::{Json, Path, Preview, start_of};
use toolgauge_schema::from_value;

/// The most bytes of a path in a phrase.
pub const LONGEST_PLACE: usize = 120;

/// The most bytes of a name.
const LONGEST_NAME: usize = 80;

/// Returns a name in quotes, shortened for a message.
pub fn quoted(name: &str) -> String {
    Preview::of(Json::String(name), LONGEST_NAME).to_string()
}

/// Returns a path, shortened for a phrase.
pub fn brief_place(path: &Path) -> String {
    let whole = path.shortened();
    match start_of(&whole, LONGEST_PLACE) {
        kept if kept.len() < whole.len() => format!("{kept}…"),
        kept => kept.to_owned(),
    }
}

/// Returns a value, shortened for a phrase.
pub fn brief(value: &Value) -> String {
    let arena = Bump::new();
    Preview::of(from_value(value, &arena), 60).to_string()
}
