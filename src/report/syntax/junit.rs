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
const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"toolgauge\">\n";

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
        Box::new(Suite::new(setting.fail_on))
    }

    fn tail(&self, _: &Opening, closing: &Closing<'_>, _: &Digest, _: Layout) -> String {
        tail(closing)
    }
}

/// The suite of a file, or of a part of a long one. It has a test case for each trajectory, which fails if an
/// issue fails the check, and one for each document that could not be read, which is an error. All times are
/// 0.
struct Suite {
    fail_on: FailOn,
    name: String,
    cases: String,
    tests: usize,
    failures: usize,
    errors: usize,
    summary: CheckSummary,
}

impl Suite {
    /// Creates an empty suite; `fail_on` decides which issues fail.
    fn new(fail_on: FailOn) -> Self {
        Self {
            fail_on,
            name: "toolgauge".to_owned(),
            cases: String::new(),
            tests: 0,
            failures: 0,
            errors: 0,
            summary: CheckSummary::default(),
        }
    }

    /// The suite as XML; nothing without cases.
    fn into_text(self) -> String {
        if self.tests == 0 {
            return String::new();
        }
        let summary = &self.summary;
        let score = summary.score;
        let score = score.map_or("none".to_owned(), |score| format!("{score:.3}"));
        let properties = [
            ("format", formats_of(summary)),
            ("score", score),
            ("issues", severity_totals(&summary.issues_by_severity)),
        ];
        let mut suite = format!(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"0\">\n    <properties>\n",
            escape(&self.name),
            self.tests,
            self.failures,
            self.errors
        );
        for (name, value) in properties {
            let value = escape(&value);
            let _ = writeln!(suite, "      <property name=\"{name}\" value=\"{value}\"/>");
        }
        suite + "    </properties>\n" + &self.cases + "  </testsuite>\n"
    }

    fn add_case(&mut self, checked: &CheckedTrajectory<'_>) {
        let (failing, others): (Vec<&Finding<'_>>, Vec<&Finding<'_>>) = checked
            .findings
            .iter()
            .partition(|finding| !finding.known && self.fail_on.fails(finding.severity));
        self.tests += 1;
        self.failures += usize::from(!failing.is_empty());
        open_case(&self.name, &checked.name(), &mut self.cases);
        for finding in &failing {
            let _ = writeln!(
                self.cases,
                "      <failure type=\"{}\" message=\"{}\">{}</failure>",
                finding.kind.label(),
                escape(finding.description),
                escape(&format!(
                    "{} {}",
                    finding.severity.label(),
                    described(finding)
                ))
            );
        }
        let _ = write!(self.cases, "      <system-out>{}", checked.facts());
        for finding in &others {
            let (severity, kind) = (finding.severity.label(), finding.kind.label());
            let line = format!("{severity} {kind} {}", described(finding));
            let _ = write!(self.cases, "\n{}", escape(&line));
        }
        self.cases += "</system-out>\n    </testcase>\n";
    }

    fn add_unread(&mut self, line: Option<usize>, error: &ErrorReport) {
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

impl Part for Suite {
    fn add(&mut self, document: &CheckedDocument<'_, '_>) {
        document.add_to(&mut self.summary);
        match (&document.outcome, document.place.source) {
            (_, Some(source)) => source.clone_into(&mut self.name),
            (Ok(checked), None) => checked.imported.format.label().clone_into(&mut self.name),
            (Err(_), None) => {}
        }
        for checked in CheckedTrajectory::all(document) {
            self.add_case(&checked);
        }
        if let Err(error) = &document.outcome {
            self.add_unread(document.place.line, error);
        }
    }

    fn finish(self: Box<Self>) -> Finished {
        Finished::Written(self.into_text())
    }
}

/// Returns the text after the suites. If the gate fails although no trajectory does, for example by the mean
/// score, it gets a suite of its own.
fn tail(closing: &Closing<'_>) -> String {
    let Closing { summary, gate } = closing;
    let fails_alone = !gate.passed && summary.passed == summary.trajectories;
    let suite = if fails_alone {
        failing_gate(gate)
    } else {
        String::new()
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
