//! The report of a check as SARIF 2.1.0, the format of code scanning:
//! <https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html>.

use serde_json::{Value, json};

use super::checked::{CheckedInput, Finding, Judged};
use super::paint::visible;
use super::rules::Rule;
use crate::issue::Severity;

/// A log of one run: a rule for each type of issue, a result for each issue. `runs[0].properties` has the
/// score and the gate.
pub fn render_sarif(checked: &CheckedInput<'_, '_>) -> String {
    let gate = &checked.report.gate;
    let log = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "toolgauge",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": Rule::ALL.map(describe),
            } },
            "columnKind": "unicodeCodePoints",
            "results": sarif_results(checked),
            "properties": {
                "format": checked.report.format.label(),
                "score": checked.report.summary.score,
                "gate": { "passed": gate.passed, "failures": gate.failures },
            },
        }],
    });
    format!("{log:#}\n")
}

/// A result for each issue of one input.
pub fn sarif_results(checked: &CheckedInput<'_, '_>) -> Vec<Value> {
    let mut results = Vec::new();
    for judged in checked.judged() {
        let findings = judged.findings.iter();
        results.extend(findings.map(|finding| result(checked, &judged, finding)));
    }
    results
}

fn describe(rule: Rule) -> Value {
    json!({
        "id": rule.id(),
        "shortDescription": { "text": rule.explanation() },
        "defaultConfiguration": { "level": level(rule.severity()) },
    })
}

fn result(checked: &CheckedInput<'_, '_>, judged: &Judged<'_>, finding: &Finding<'_>) -> Value {
    let rule = Rule::of(finding.kind);
    let name = judged.name();
    let tool = finding.tool_name();
    let place = format!("{name}, {}", finding.place());
    let mut location = json!({
        "logicalLocations": [{
            "name": tool,
            "kind": "call",
            "fullyQualifiedName": format!("{name}/{}", finding.place().replace(", ", "/")),
        }],
    });
    if !checked.source.is_empty() {
        location["physicalLocation"] =
            json!({ "artifactLocation": { "uri": uri(checked.source) } });
        if let Some(line) = checked.line {
            location["physicalLocation"]["region"] = json!({ "startLine": line });
        }
    }
    json!({
        "ruleId": rule.id(),
        "ruleIndex": rule.index(),
        "level": level(finding.severity),
        "message": { "text": message(&format!("{tool} ({place}): {}", finding.description)) },
        "locations": [location],
        "partialFingerprints": { "toolgauge/v1": fingerprint(&name, finding, rule) },
        "properties": { "severity": finding.severity.label() },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low => "note",
    }
}

/// `text` as a message: there braces hold the places of arguments, and brackets before a parenthesis make
/// a link.
fn message(text: &str) -> String {
    let text = visible(text).replace('{', "{{").replace('}', "}}");
    if !text.contains("](") {
        return text;
    }
    text.replace('\\', "\\\\")
        .replace('[', "\\[")
        .replace(']', "\\]")
}

/// A path as a URI reference; one that is a URI already keeps its scheme.
fn uri(source: &str) -> String {
    let path = source.replace('\\', "/");
    let is_uri = path.contains("://");
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            b':' if is_uri => uri.push(':'),
            byte => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

/// What stays the same from run to run while the issue stays, whatever else changes: the 64-bit FNV-1a
/// hash of the trajectory's name, the place, the rule and the description.
fn fingerprint(name: &str, finding: &Finding<'_>, rule: Rule) -> String {
    let place = finding.place();
    let parts = [name, &place, &rule.id(), finding.description];
    let hash = parts
        .join("\0")
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    format!("{hash:016x}")
}
