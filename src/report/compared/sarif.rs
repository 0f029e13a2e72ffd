//! Results as SARIF 2.1.0: a result for each call that is not as expected.

use serde_json::json;

use super::super::json::add_lines;
use super::super::paint::visible;
use super::super::syntax::sarif::{self, Located, rule, unread_result};
use super::{CallVerdict, Compared, ComparedCall, ComparedDocument, ResultClosing};

/// Returns the text before the results.
pub fn head() -> String {
    let rules = CallVerdict::faults();
    let rules = rules.map(|it| rule(&id_of(it), it.explanation(), it.worst_severity()));
    sarif::head(rules.collect())
}

fn id_of(verdict: CallVerdict) -> String {
    format!("expected/{}", verdict.label())
}

/// Adds the results of a document.
pub fn add(document: &ComparedDocument<'_>, text: &mut String) {
    let found = document.outcome.iter().flat_map(|(results, _)| results);
    let found =
        found.flat_map(|compared| compared.faults().map(move |call| result(compared, call)));
    let unread = document.outcome.as_ref().err();
    let rules = CallVerdict::faults().count();
    let unread = unread.map(|error| unread_result(document.place, error, rules));
    add_lines(found.chain(unread), ",\n", text);
}

fn result(compared: &Compared<'_>, call: &ComparedCall) -> serde_json::Value {
    let (name, tool) = (compared.name(), visible(&call.tool));
    let place = match call.place.as_str() {
        "" => name.clone(),
        place => format!("{name}, {place}"),
    };
    let (id, message) = (id_of(call.verdict), call.message());
    Located {
        place: compared.place,
        rule: (id.clone(), call.verdict.index()),
        severity: compared.severity(call),
        text: format!("{tool} ({place}): {message}"),
        name: tool,
        kind: "call",
        qualified: place.replace(", ", "/"),
        identity: &[&place, &id, &call.tool, &call.arguments, &message],
    }
    .result()
}

/// Returns the text after the results.
pub fn tail(closing: &ResultClosing<'_>) -> String {
    let (all, ..) = closing.counts;
    sarif::tail(closing.gate, closing.scores.mean(), ("results", json!(all)))
}
