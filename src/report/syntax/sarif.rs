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
use toolgauge_base::fingerprint::fingerprint;
use toolgauge_base::gate::Gate;
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
        head(Rule::all().map(describe).collect())
    }

    fn open(&self, setting: PartSetting) -> Box<dyn Part> {
        WrittenPart::open(setting, |document, _, text| add_part(document, text))
    }

    fn tail(&self, _: &Opening, closing: &Closing<'_>, _: &Digest, _: Layout) -> String {
        let formats = json!(closing.summary.formats);
        tail(closing.gate, closing.summary.score, ("formats", formats))
    }
}

/// Returns the text before the results: a log of one run with these rules, and one for unreadable documents.
pub fn head(mut rules: Vec<Value>) -> String {
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
    let unread = unread.map(|error| unread_result(document.place, error, Rule::all().count()));
    add_lines(found.chain(unread), ",\n", parts);
}

/// Returns the text after the results. The properties of the run contain the score, the gate and one more.
pub fn tail(gate: &Gate, score: Option<f64>, (name, value): (&str, Value)) -> String {
    let failures: Vec<_> = gate.failures.iter().map(|it| visible(it)).collect();
    let properties = json!({
        name: value,
        "score": score,
        "gate": { "passed": gate.passed, "failures": failures },
    });
    format!("\n],\n\"properties\": {properties}\n}}]\n}}\n")
}

fn describe(of: Rule) -> Value {
    rule(&of.id(), of.explanation(), of.severity())
}

/// Describes a rule. GitHub requires all three texts.
pub fn rule(id: &str, explanation: &str, severity: Severity) -> Value {
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
    let mut result = Located {
        place: checked.place,
        rule: (rule.id(), rule.index()),
        severity: finding.severity,
        text: format!("{tool} ({place}): {}", finding.description),
        name: tool,
        kind: "call",
        qualified: format!("{name}/{}", finding.place().replace(", ", "/")),
        identity: &[&name, &finding.place(), &rule.id(), finding.description],
    }
    .result();
    if finding.known {
        result["baselineState"] = "unchanged".into();
    }
    result
}

/// A finding with all that a result of a log needs.
pub struct Located<'r> {
    /// The document.
    pub place: Place<'r>,
    /// The id of the rule and its position.
    pub rule: (String, Option<usize>),
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, and where.
    pub text: String,
    /// The name of the tool.
    pub name: String,
    /// What the name stands for: `call` or `tool`.
    pub kind: &'static str,
    /// The place in the document.
    pub qualified: String,
    /// What identifies the finding from run to run.
    pub identity: &'r [&'r str],
}

impl Located<'_> {
    /// Returns the result.
    pub fn result(&self) -> Value {
        let mut location = location(self.place);
        location["logicalLocations"] = json!([{
            "name": self.name,
            "kind": self.kind,
            "fullyQualifiedName": self.qualified,
        }]);
        let fingerprint = format!("{:016x}", fingerprint(self.identity));
        json!({
            "ruleId": self.rule.0,
            "ruleIndex": self.rule.1,
            "level": level(self.severity),
            "message": { "text": message(&self.text) },
            "locations": [location],
            "partialFingerprints": { "toolgauge/v1": fingerprint },
            "properties": { "severity": self.severity.label() },
        })
    }
}

/// Returns the result for a document that could not be read; `rules` is the number of the other rules.
pub fn unread_result(place: Place<'_>, error: &ErrorReport, rules: usize) -> Value {
    json!({
        "ruleId": UNREAD,
        "ruleIndex": rules,
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
