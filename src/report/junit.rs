//! The report of a check as JUnit XML.
//!
//! It is valid by both schemas that are in use: `junit-10.xsd` of Jenkins, whose root holds many suites,
//! and, for each suite, `surefire-test-report-3.0.xsd`. Neither knows properties of a test case, so the
//! score of a trajectory stands in its output.

use std::fmt::Write;

use super::checked::{CheckedInput, Judged};
use super::paint::visible;

/// What stands before the suites.
pub const HEAD: &str =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"toolgauge\">\n";

/// What stands after them.
pub const TAIL: &str = "</testsuites>\n";

/// A suite with a test case for each trajectory, which fails when an issue makes the check fail. Nothing
/// is timed: all times are 0.
pub fn render_junit(checked: &CheckedInput<'_, '_>) -> String {
    format!("{HEAD}{}{TAIL}", junit_suite(checked))
}

/// The suite of one input.
pub fn junit_suite(checked: &CheckedInput<'_, '_>) -> String {
    let name = match checked.source {
        "" => checked.report.format.label(),
        source => source,
    };
    let mut cases = String::new();
    let (mut tests, mut failures) = (0, 0);
    for judged in checked.judged() {
        tests += 1;
        failures += usize::from(add_case(checked, name, &judged, &mut cases));
    }
    let gate = &checked.report.gate;
    if failures == 0 && !gate.passed {
        tests += 1;
        failures += 1;
        let reasons = gate.failures.join("; ");
        add_failing_gate(name, &reasons, &mut cases);
    }
    let score = checked.report.summary.score;
    let score = score.map_or("none".to_owned(), |score| format!("{score:.3}"));
    let properties = [
        ("format", checked.report.format.label().to_owned()),
        ("score", score),
        ("issues", checked.issue_totals()),
        (
            "gate",
            if gate.passed { "passed" } else { "failed" }.to_owned(),
        ),
    ];
    let mut suite = format!(
        "  <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\" time=\"0\">\n    <properties>\n",
        escape(name)
    );
    for (name, value) in properties {
        let value = escape(&value);
        let _ = writeln!(suite, "      <property name=\"{name}\" value=\"{value}\"/>");
    }
    suite + "    </properties>\n" + &cases + "  </testsuite>\n"
}

/// Adds the test case of a trajectory, and says whether it fails.
fn add_case(
    checked: &CheckedInput<'_, '_>,
    suite: &str,
    judged: &Judged<'_>,
    cases: &mut String,
) -> bool {
    let (failing, others): (Vec<_>, Vec<_>) = judged
        .findings
        .iter()
        .partition(|finding| checked.fails(finding.severity));
    open_case(suite, &judged.name(), cases);
    for finding in &failing {
        let text = format!(
            "{}, {}: {}",
            finding.place(),
            finding.tool_name(),
            finding.description
        );
        let _ = writeln!(
            cases,
            "      <failure type=\"{}\" message=\"{}\">{}</failure>",
            finding.kind.label(),
            escape(finding.description),
            escape(&format!("{} {text}", finding.severity.label()))
        );
    }
    let _ = write!(cases, "      <system-out>{}", judged.facts());
    for finding in &others {
        let line = format!(
            "{} {} {}, {}: {}",
            finding.severity.label(),
            finding.kind.label(),
            finding.place(),
            finding.tool_name(),
            finding.description
        );
        let _ = write!(cases, "\n{}", escape(&line));
    }
    *cases += "</system-out>\n    </testcase>\n";
    !failing.is_empty()
}

/// The gate may fail where no trajectory does: by the mean score.
fn add_failing_gate(suite: &str, reasons: &str, cases: &mut String) {
    open_case(suite, "gate", cases);
    let reasons = escape(reasons);
    let _ = writeln!(
        cases,
        "      <failure type=\"gate\" message=\"{reasons}\">{reasons}</failure>\n    </testcase>"
    );
}

fn open_case(suite: &str, name: &str, cases: &mut String) {
    let (classname, name) = (escape(suite), escape(name));
    let _ = writeln!(
        cases,
        "    <testcase classname=\"{classname}\" name=\"{name}\" time=\"0\">"
    );
}

/// `text` as it may stand in content and attributes of XML 1.0, which has no place for most control
/// characters, nor for U+FFFE and U+FFFF, not even as references: they are written as escapes.
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
