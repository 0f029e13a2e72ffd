//! The report of a check as annotations of GitHub Actions: workflow commands that a step prints.
//!
//! The syntax and what is escaped in it:
//! <https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands>.

use super::checked::{CheckedInput, Finding, Judged, shortened};
use super::paint::{counted, visible};
use crate::issue::Severity;

/// How many annotations of each kind GitHub shows of one step.
const MOST_OF_A_KIND: usize = 10;

/// Most characters of a message; GitHub shows 4 KB of one.
const LONGEST_MESSAGE: usize = 1_000;

/// An annotation for each issue, the worst trajectories first: errors, warnings, notices. Of more than
/// ten of a kind the last one says how many are left out. When the gate fails, the first error says why.
pub fn render_github(checked: &CheckedInput<'_, '_>) -> String {
    let faulty = checked.faulty();
    let mut lines = String::new();
    for kind in Kind::ALL {
        let mut annotations = Vec::new();
        if kind == Kind::Error && !checked.report.gate.passed {
            let reasons = checked.report.gate.failures.join("; ");
            annotations.push(kind.annotation(checked, "toolgauge: the gate failed", &reasons));
        }
        for judged in &faulty {
            let findings = judged.findings.iter();
            let of_kind = findings.filter(|finding| Kind::of(finding.severity) == kind);
            annotations.extend(of_kind.map(|finding| kind.of_finding(checked, judged, finding)));
        }
        if annotations.len() > MOST_OF_A_KIND {
            let left_out = annotations.len() - (MOST_OF_A_KIND - 1);
            annotations.truncate(MOST_OF_A_KIND - 1);
            let text = format!(
                "{} left out: GitHub shows {MOST_OF_A_KIND} of a step",
                counted(left_out, &format!("more {}", kind.label()))
            );
            annotations.push(kind.annotation(checked, "toolgauge", &text));
        }
        for annotation in annotations {
            lines += &annotation;
            lines.push('\n');
        }
    }
    lines
}

/// The kinds of annotations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Error,
    Warning,
    Notice,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Notice];

    fn of(severity: Severity) -> Self {
        match severity {
            Severity::Critical | Severity::High => Self::Error,
            Severity::Medium => Self::Warning,
            Severity::Low => Self::Notice,
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        }
    }

    fn of_finding(
        self,
        checked: &CheckedInput<'_, '_>,
        judged: &Judged<'_>,
        finding: &Finding<'_>,
    ) -> String {
        let title = format!("{}: {}", finding.kind.label(), finding.tool_name());
        let place = format!("{}, {}", judged.name(), finding.place());
        self.annotation(
            checked,
            &title,
            &format!("{place}: {}", finding.description),
        )
    }

    fn annotation(self, checked: &CheckedInput<'_, '_>, title: &str, message: &str) -> String {
        let mut properties = Vec::new();
        if !checked.source.is_empty() {
            properties.push(format!("file={}", escape_property(checked.source)));
        }
        if let Some(line) = checked.line {
            properties.push(format!("line={line}"));
        }
        let title = shortened(&visible(title), LONGEST_MESSAGE);
        properties.push(format!("title={}", escape_property(&title)));
        format!(
            "::{} {}::{}",
            self.label(),
            properties.join(","),
            escape_message(&shortened(&visible(message), LONGEST_MESSAGE))
        )
    }
}

fn escape_message(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn escape_property(text: &str) -> String {
    escape_message(text).replace(':', "%3A").replace(',', "%2C")
}
