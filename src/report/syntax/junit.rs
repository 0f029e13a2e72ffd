//! The report of a check as JUnit XML.
//!
//! It is valid by both schemas in use: `junit-10.xsd` of Jenkins, whose root contains many suites, and for
//! each suite `surefire-test-report-3.0.xsd`. Neither has properties for a test case, so the output of the
//! case contains the score of the trajectory.

use std::fmt::Write;

use super::super::Layout;
use super::super::digest::Digest;
use super::super::finding::{CheckedTrajectory, formats_of, tool_name};
use super::super::frame::{Closing, Opening};
use super::super::json::to_json;
use super::super::paint::{severity_totals, visible};
use super::{Finished, Part, PartSetting, Parts, Syntax};
use crate::batch::{CheckSummary, CheckedDocument};
use crate::finding::Finding;
use toolgauge_base::gate::{FailOn, Gate};
use toolgauge_model::error::ErrorReport;

/// The text before the suites.
pub const HEAD: &str =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"toolgauge\">\n";

pub struct Junit;

impl Syntax for Junit {
    fn parts(&self) -> Parts {
        Parts::Written {
            separator: "",
            collapses: false,
        }
    }

    fn head(&self, _: &Opening, _: Layout) -> String {
        HEAD.to_owned()
    }

    fn open(&self, setting: PartSetting) -> Box<dyn Part> {
        Box::new(CheckSuite {
            fail_on: setting.fail_on,
            suite: Suite::default(),
            summary: CheckSummary::default(),
        })
    }

    fn tail(&self, _: &Opening, closing: &Closing<'_>, _: &Digest, _: Layout) -> String {
        let Closing { summary, gate, .. } = closing;
        tail(gate, summary.passed == summary.trajectories)
    }
}

/// The suite of a file, or of a part of a long one. It has a test case for each trajectory, and one for each
/// document that could not be read, which is an error. All times are 0.
pub struct Suite {
    name: String,
    cases: String,
    tests: usize,
    failures: usize,
    errors: usize,
}

/// Why a test case fails.
pub struct Failure {
    /// The type of the finding.
    pub kind: &'static str,
    /// The message.
    pub message: String,
    /// The message with its place.
    pub text: String,
}

impl Default for Suite {
    fn default() -> Self {
        Self {
            name: "toolgauge".to_owned(),
            cases: String::new(),
            tests: 0,
            failures: 0,
            errors: 0,
        }
    }
}

impl Suite {
    /// Names it after its file.
    pub fn set_name(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    /// The suite as XML; nothing without cases.
    pub fn into_text(self, properties: &[(&str, String)]) -> String {
        if self.tests == 0 {
            return String::new();
        }
        let mut suite = format!(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"0\">\n    <properties>\n",
            escape(&self.name),
            self.tests,
            self.failures,
            self.errors
        );
        for (name, value) in properties {
            let value = escape(value);
            let _ = writeln!(suite, "      <property name=\"{name}\" value=\"{value}\"/>");
        }
        suite + "    </properties>\n" + &self.cases + "  </testsuite>\n"
    }

    /// Adds a test case that fails for these reasons, and whose output has these lines.
    pub fn add_case(&mut self, name: &str, failures: &[Failure], output: &[String]) {
        self.tests += 1;
        self.failures += usize::from(!failures.is_empty());
        open_case(&self.name, name, &mut self.cases);
        for Failure {
            kind,
            message,
            text,
        } in failures
        {
            let _ = writeln!(
                self.cases,
                "      <failure type=\"{kind}\" message=\"{}\">{}</failure>",
                escape(message),
                escape(text)
            );
        }
        let lines: Vec<_> = output.iter().map(|line| escape(line)).collect();
        let _ = writeln!(
            self.cases,
            "      <system-out>{}</system-out>\n    </testcase>",
            lines.join("\n")
        );
    }

    /// Adds the test case of a document that could not be read.
    pub fn add_unread(&mut self, line: Option<usize>, error: &ErrorReport) {
        self.tests += 1;
        self.errors += 1;
        let name = line.map_or("document".to_owned(), |line| format!("line {line}"));
        open_case(&self.name, &name, &mut self.cases);
        let message = escape(&error.message);
        let _ = writeln!(
            self.cases,
            "      <error type=\"{}\" message=\"{message}\">not read: {message}</error>\n    </testcase>",
            to_json(&error.code).trim_matches('"')
        );
    }
}

/// The suite of a check, in which a trajectory fails if an issue fails the check.
struct CheckSuite {
    fail_on: FailOn,
    suite: Suite,
    summary: CheckSummary,
}

impl CheckSuite {
    fn add_case(&mut self, checked: &CheckedTrajectory<'_>) {
        let (failing, others): (Vec<&Finding<'_>>, Vec<&Finding<'_>>) = checked
            .findings
            .iter()
            .partition(|finding| !finding.known && self.fail_on.fails(finding.severity));
        let failures = failing.iter().map(|finding| Failure {
            kind: finding.kind.label(),
            message: finding.description.to_owned(),
            text: format!("{} {}", finding.severity.label(), described(finding)),
        });
        let others = others.iter().map(|finding| {
            let (severity, kind) = (finding.severity.label(), finding.kind.label());
            format!("{severity} {kind} {}", described(finding))
        });
        let output: Vec<_> = std::iter::once(checked.facts()).chain(others).collect();
        let failures: Vec<_> = failures.collect();
        self.suite.add_case(&checked.name(), &failures, &output);
    }
}

impl Part for CheckSuite {
    fn add(&mut self, document: &CheckedDocument<'_, '_>) {
        document.add_to(&mut self.summary);
        match (&document.outcome, document.place.source) {
            (_, Some(source)) => self.suite.set_name(source),
            (Ok(checked), None) => self.suite.set_name(checked.imported.format.label()),
            (Err(_), None) => {}
        }
        for checked in CheckedTrajectory::all(document) {
            self.add_case(&checked);
        }
        if let Err(error) = &document.outcome {
            self.suite.add_unread(document.place.line, error);
        }
    }

    fn finish(self: Box<Self>) -> Finished {
        let summary = &self.summary;
        let score = summary.score;
        let score = score.map_or("none".to_owned(), |score| format!("{score:.3}"));
        let properties = [
            ("format", formats_of(summary)),
            ("score", score),
            ("issues", severity_totals(&summary.issues_by_severity)),
        ];
        Finished::Written(self.suite.into_text(&properties))
    }
}

/// Returns the text after the suites. If the gate fails although `all_passed`, for example by the mean score, it
/// gets a suite of its own.
pub fn tail(gate: &Gate, all_passed: bool) -> String {
    let suite = match !gate.passed && all_passed {
        true => failing_gate(gate),
        false => String::new(),
    };
    suite + "</testsuites>\n"
}

fn failing_gate(gate: &Gate) -> String {
    let mut cases = String::new();
    open_case("toolgauge", "gate", &mut cases);
    let reasons = escape(&gate.failures.join("; "));
    format!(
        "  <testsuite name=\"toolgauge\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"0\">\n{cases}      <failure type=\"gate\" message=\"{reasons}\">{reasons}</failure>\n    </testcase>\n  </testsuite>\n"
    )
}

/// Returns a finding as `turn 3, call 1, search: …`.
fn described(finding: &Finding<'_>) -> String {
    let (place, tool) = (finding.place(), tool_name(finding.tool));
    format!("{place}, {tool}: {}{}", finding.description, finding.note())
}

fn open_case(suite: &str, name: &str, cases: &mut String) {
    let (classname, name) = (escape(suite), escape(name));
    let _ = writeln!(
        cases,
        "    <testcase classname=\"{classname}\" name=\"{name}\" time=\"0\">"
    );
}

/// Escapes `text` for content and attributes of XML 1.0. Most control characters, U+FFFE and U+FFFF are not
/// allowed there even as references, so they become visible escapes.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\u{fffe}' | '\u{ffff}' => escaped.extend(c.escape_unicode()),
            c => escaped.push(c),
        }
    }
    escaped
}
