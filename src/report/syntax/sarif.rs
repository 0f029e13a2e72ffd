//! The report of a check as SARIF 2.1.0, the format of code scanning:
//! <https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html>.

use serde_json::{Value, json};

use super::super::Layout;
use super::super::digest::Digest;
use super::super::finding::{CheckedTrajectory, tool_name};
use super::super::frame::{Closing, Opening};
use super::super::json::add_lines;
use super::super::paint::visible;
use super::super::rules::Rule;
use super::{Part, PartSetting, Parts, Syntax, WrittenPart};
use crate::batch::{CheckedDocument, Place};
use crate::finding::Finding;
use toolgauge_base::issue::Severity;
use toolgauge_model::error::ErrorReport;

/// The id of the rule that documents can be read.
const UNREAD: &str = "unread_document";

pub struct Sarif;

impl Syntax for Sarif {
    fn parts(&self) -> Parts {
        Parts::Written {
            separator: ",\n",
            collapses: false,
        }
    }

    fn head(&self, _: &Opening, _: Layout) -> String {
        head()
    }

    fn open(&self, setting: PartSetting) -> Box<dyn Part> {
        WrittenPart::open(setting, |document, _, text| add_part(document, text))
    }

    fn tail(&self, _: &Opening, closing: &Closing<'_>, _: &Digest, _: Layout) -> String {
        tail(closing)
    }
}

/// Returns the text before the results: a log of one run, with a rule for each type of issue.
fn head() -> String {
    let mut rules: Vec<_> = Rule::all().map(describe).collect();
    rules.push(rule(
        UNREAD,
        "The document could not be read.",
        Severity::High,
    ));
    let driver = json!({
        "name": "toolgauge",
        "version": env!("CARGO_PKG_VERSION"),
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules,
    });
    let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
    format!(
        "{{\n\"$schema\": \"{schema}\",\n\"version\": \"2.1.0\",\n\"runs\": [{{\n\"tool\": {{ \"driver\": {driver:#} }},\n\"columnKind\": \"unicodeCodePoints\",\n\"results\": [\n"
    )
}

/// Adds a result for each issue of a document, or for a document that could not be read.
fn add_part(document: &CheckedDocument<'_, '_>, parts: &mut String) {
    let trajectories = CheckedTrajectory::all(document);
    let found = trajectories.flat_map(|checked| {
        let findings = checked.findings.iter();
        let results: Vec<_> = findings.map(|it| result(&checked, it)).collect();
        results
    });
    let unread = document.outcome.as_ref().err();
    let unread = unread.map(|error| unread_result(document.place, error));
    add_lines(found.chain(unread), ",\n", parts);
}

/// Returns the text after the results. The properties of the run contain the score and the gate.
fn tail(closing: &Closing<'_>) -> String {
    let Closing { summary, gate } = closing;
    let properties = json!({
        "formats": summary.formats,
        "score": summary.score,
        "gate": { "passed": gate.passed, "failures": gate.failures },
    });
    format!("\n],\n\"properties\": {properties}\n}}]\n}}\n")
}

fn describe(of: Rule) -> Value {
    rule(&of.id(), of.explanation(), of.severity())
}

/// Describes a rule. GitHub requires all three texts.
fn rule(id: &str, explanation: &str, severity: Severity) -> Value {
    let text = json!({ "text": explanation });
    json!({
        "id": id,
        "shortDescription": text,
        "fullDescription": text,
        "help": text,
        "defaultConfiguration": { "level": level(severity) },
    })
}

fn result(checked: &CheckedTrajectory<'_>, finding: &Finding<'_>) -> Value {
    let rule = Rule::of(finding.kind);
    let name = checked.name();
    let tool = tool_name(finding.tool);
    let place = format!("{name}, {}", finding.place());
    let mut location = location(checked.place);
    location["logicalLocations"] = json!([{
        "name": tool,
        "kind": "call",
        "fullyQualifiedName": format!("{name}/{}", finding.place().replace(", ", "/")),
    }]);
    let mut result = json!({
        "ruleId": rule.id(),
        "ruleIndex": rule.index(),
        "level": level(finding.severity),
        "message": { "text": message(&format!("{tool} ({place}): {}", finding.description)) },
        "locations": [location],
        "partialFingerprints": { "toolgauge/v1": fingerprint(&name, finding, rule) },
        "properties": { "severity": finding.severity.label() },
    });
    if finding.known {
        result["baselineState"] = "unchanged".into();
    }
    result
}

fn unread_result(place: Place<'_>, error: &ErrorReport) -> Value {
    json!({
        "ruleId": UNREAD,
        "ruleIndex": Rule::all().count(),
        "level": "error",
        "message": { "text": message(&error.message) },
        "locations": [location(place)],
    })
}

fn location(Place { source, line }: Place<'_>) -> Value {
    let mut location = json!({});
    if let Some(source) = source.filter(|source| !source.is_empty()) {
        // GitHub hides results without a line.
        location["physicalLocation"] = json!({
            "artifactLocation": { "uri": uri(source) },
            "region": { "startLine": line.unwrap_or(1) },
        });
    }
    location
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low => "note",
    }
}

/// Escapes `text` for a message, in which braces are placeholders, and brackets before a parenthesis make a
/// link.
fn message(text: &str) -> String {
    let text = visible(text).replace('{', "{{").replace('}', "}}");
    if !text.contains("](") {
        return text;
    }
    text.replace('\\', "\\\\")
        .replace('[', "\\[")
        .replace(']', "\\]")
}

/// Returns a path as a URI reference, and an absolute path as a URI. A URI keeps its scheme.
fn uri(source: &str) -> String {
    let path = source.replace('\\', "/");
    let has_drive = path.as_bytes().get(1) == Some(&b':');
    let path = match (path.starts_with('/'), has_drive) {
        (true, _) => format!("file://{path}"),
        (false, true) => format!("file:///{path}"),
        (false, false) => path,
    };
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

/// Hashes the trajectory's name, the location, the rule and the description. The hash identifies an issue
/// from run to run.
fn fingerprint(name: &str, finding: &Finding<'_>, rule: Rule) -> String {
    let parts = [name, &finding.place(), &rule.id(), finding.description];
    format!("{:016x}", crate::baseline::fingerprint(&parts))
}
