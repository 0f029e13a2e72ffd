//! Issues of replies that give a value for one record although it belongs to another.

use super::issue::{ResultIssue, ResultIssueDetails, ResultIssueType};
use toolgauge_base::issue::IssueType;
use toolgauge_grounding::{Closest, Misattributed};

/// Creates one issue for each sentence. It belongs to no call: it names the turn of the reply and quotes the
/// sentence.
pub fn misattributed_values(found: Vec<Misattributed>) -> Vec<ResultIssue> {
    let of_one_sentence =
        |a: &Misattributed, b: &Misattributed| (a.turn_id, &a.quote) == (b.turn_id, &b.quote);
    found.chunk_by(of_one_sentence).map(issue).collect()
}

fn issue(values: &[Misattributed]) -> ResultIssue {
    let kind = ResultIssueType::MisattributedValue;
    let descriptions: Vec<_> = values.iter().map(describe).collect();
    let first = values.first();
    ResultIssue {
        kind,
        severity: kind.severity(),
        description: descriptions.join("; "),
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

/// Describes one value: `the reply gives "$35" for A-1, which has 20 (list_orders[0].total); "$35" is
/// list_orders[1].total`.
fn describe(value: &Misattributed) -> String {
    let says = format!(
        "the reply gives {:?} for {}, which has {}{}",
        value.text,
        value.record,
        value.holds.value,
        place(&value.holds).map_or_else(String::new, |place| format!(" ({place})"))
    );
    match value.belongs_to.as_ref().and_then(place) {
        Some(owner) => format!("{says}; {:?} is {owner}", value.text),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, quote: &str, path: Option<&str>) -> Misattributed {
        let closest = |value: &str, path: Option<&str>| Closest {
            value: value.to_owned(),
            tool: path.map(|_| "list_lamps".to_owned()),
            path: path.map(str::to_owned),
        };
        Misattributed {
            text: text.to_owned(),
            turn_id: 3,
            start: 0,
            end: text.len(),
            quote: quote.to_owned(),
            record: "LX-411".to_owned(),
            belongs_to: path.map(|path| closest(text, Some(path))),
            holds: closest("88.5", Some("[0].price")),
        }
    }

    #[test]
    fn values_in_one_sentence_are_one_issue() {
        let found = misattributed_values(vec![
            value("$61.25", "LX-411 is open, for $61.25.", Some("[1].price")),
            value("open", "LX-411 is open, for $61.25.", None),
            value("$61.25", "It costs $61.25.", None),
        ]);
        let descriptions: Vec<_> = found
            .iter()
            .map(|issue| issue.description.as_str())
            .collect();
        assert_eq!(
            descriptions,
            [
                "the reply gives \"$61.25\" for LX-411, which has 88.5 (list_lamps[0].price); \"$61.25\" is \
                 list_lamps[1].price; the reply gives \"open\" for LX-411, which has 88.5 (list_lamps[0].price)",
                "the reply gives \"$61.25\" for LX-411, which has 88.5 (list_lamps[0].price)",
            ]
        );
        assert!(found.iter().all(|issue| issue.turn_id == Some(3)));
    }
}
