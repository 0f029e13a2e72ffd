//! The report of a check as JSON, `{results, summary, gate}`, and as JSON lines of its results.

use serde::Serialize;

use crate::batch::CheckedDocument;
use toolgauge_base::gate::Gate;
use toolgauge_base::trials::Trials;

/// The text before the results.
pub const HEAD: &str = "{\"results\":[\n";

/// Adds the verdicts on the trajectories of a document, or the reason why it could not be read.
pub fn add_part(document: &CheckedDocument<'_, '_>, separator: &str, parts: &mut String) {
    add_lines(document.verdicts(), separator, parts);
    add_lines(document.unread().into_iter(), separator, parts);
}

/// Adds values to those before them.
pub fn add_lines(
    values: impl Iterator<Item = impl Serialize>,
    separator: &str,
    parts: &mut String,
) {
    for value in values {
        if !parts.is_empty() {
            parts.push_str(separator);
        }
        parts.push_str(&to_json(&value));
    }
}

/// Returns the text after the results.
pub fn tail(summary: &impl Serialize, gate: &Gate, trials: Option<&Trials>) -> String {
    let (summary, gate) = (to_json(summary), to_json(gate));
    let trials = trials.map(|trials| format!(",\n\"trials\":{}", to_json(trials)));
    let trials = trials.unwrap_or_default();
    format!("\n],\n\"summary\":{summary},\n\"gate\":{gate}{trials}}}\n")
}

/// Serializes `value`. Reports are plain data, so writing them to memory can't fail.
pub fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data is always JSON")
}
