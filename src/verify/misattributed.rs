//! The issues of replies that state a value of another record than the one that the sentence is about.

use super::issue::{ResultIssue, ResultIssueDetails, ResultIssueType};
use crate::grounding::{Closest, Misattributed};
use crate::issue::IssueType;

/// One issue for each sentence. It belongs to no call: it has the turn of the reply, and quotes it.
pub fn misattributed_values(found: Vec<Misattributed>) -> Vec<ResultIssue> {
    let of_one_sentence =
        |a: &Misattributed, b: &Misattributed| (a.turn_id, &a.quote) == (b.turn_id, &b.quote);
    found.chunk_by(of_one_sentence).map(issue).collect()
}

fn issue(values: &[Misattributed]) -> ResultIssue {
    let kind = ResultIssueType::MisattributedValue;
    let told: Vec<_> = values.iter().map(tell).collect();
    let first = values.first();
    ResultIssue {
        kind,
        severity: kind.severity(),
        description: told.join("; "),
        turn_id: first.map(|value| value.turn_id),
        tool_name: first.and_then(|value| value.holds.tool.clone()),
        details: ResultIssueDetails {
            quote: first.map(|value| value.quote.clone()),
            misattributed: Some(values.to_vec()),
            ..ResultIssueDetails::default()
        },
        known: false,
    }
}

/// `the reply says "$35" of A-1, which has 20 (list_orders[0].total); "$35" is of list_orders[1].total`.
fn tell(value: &Misattributed) -> String {
    let says = format!(
        "the reply says {:?} of {}, which has {}{}",
        value.text,
        value.record,
        value.holds.value,
        place(&value.holds).map_or_else(String::new, |place| format!(" ({place})"))
    );
    match value.belongs_to.as_ref().and_then(place) {
        Some(owner) => format!("{says}; that is {owner}"),
        None => says,
    }
}

fn place(value: &Closest) -> Option<String> {
    let (tool, path) = (value.tool.as_ref()?, value.path.as_ref()?);
    Some(match path.is_empty() || path.starts_with('[') {
        true => format!("{tool}{path}"),
        false => format!("{tool}.{path}"),
    })
}
