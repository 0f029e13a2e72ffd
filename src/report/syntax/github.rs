//! The report of a check as annotations of GitHub Actions: workflow commands that a step prints.
//!
//! Syntax and escaping: <https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands>.

use strum::{IntoStaticStr, VariantArray};

use super::super::digest::{Digest, Room, rank_of};
use super::super::finding::{CheckedTrajectory, by_severity, shortened, tool_name};
use super::super::frame::{Closing, Opening};
use super::super::paint::{counted, visible};
use super::{Gathered, PartSetting};
use crate::batch::{CheckSummary, CheckedDocument, Place};
use crate::finding::Finding;
use toolgauge_base::gate::Gate;
use toolgauge_base::issue::Severity;

/// How many annotations of each kind GitHub shows per step.
const MOST_OF_A_KIND: usize = 10;

/// The most characters of a message; GitHub shows 4 KB of one.
const LONGEST_MESSAGE: usize = 1_000;

/// How much of a batch is kept.
pub const ROOM: Room = Room {
    groups: 3,
    entries: MOST_OF_A_KIND,
    bytes: usize::MAX,
};

pub(super) static GITHUB: Gathered = Gathered {
    room: ROOM,
    add,
    render,
};

/// Adds an annotation for each issue of a document that is not in the baseline, or for a document that could
/// not be read.
fn add(document: &CheckedDocument<'_, '_>, _: PartSetting, digest: &mut Digest) {
    for checked in CheckedTrajectory::all(document) {
        let rank = rank_of(&checked);
        for finding in checked.findings.iter().filter(|it| !it.known) {
            let kind = Kind::of(finding.severity);
            let text = || kind.of_finding(&checked, finding);
            digest.add_entry(kind as usize, rank, text);
        }
    }
    if let Err(error) = &document.outcome {
        let text = || Kind::Error.annotation(document.place, "not read", &error.message);
        digest.add_entry(Kind::Error as usize, u32::MAX, text);
    }
}

fn render(opening: &Opening, closing: &Closing<'_>, digest: &Digest) -> String {
    let count = |kind: Kind| kind.count(closing.summary);
    annotations(&opening.sources, closing.gate, count, digest)
}

/// Renders errors, warnings and notices, each with those of the worst trajectories first; `count` is the number of
/// each kind. If a kind has more than ten, the last one says how many are left out. If the gate fails, the first
/// error gives the reason.
pub fn annotations(
    sources: &[String],
    gate: &Gate,
    count: impl Fn(Kind) -> u64,
    digest: &Digest,
) -> String {
    let place = match sources {
        [only] => Place {
            source: Some(only),
            line: None,
        },
        _ => Place::default(),
    };
    let mut lines = String::new();
    for &kind in Kind::VARIANTS {
        let mut annotations = Vec::new();
        if kind == Kind::Error && !gate.passed {
            let reasons = gate.failures.join("; ");
            let title = "toolgauge: the gate failed";
            annotations.push(kind.annotation(place, title, &reasons));
        }
        let all = annotations.len() as u64 + count(kind);
        annotations.extend(digest.group(kind as usize).map(str::to_owned));
        if all > MOST_OF_A_KIND as u64 {
            annotations.truncate(MOST_OF_A_KIND - 1);
            let left_out = all - annotations.len() as u64;
            let text = format!(
                "{} left out: GitHub shows {MOST_OF_A_KIND} of a step",
                counted(left_out, &format!("more {}", kind.label()))
            );
            annotations.push(kind.annotation(place, "toolgauge", &text));
        }
        for annotation in annotations {
            lines += &annotation;
            lines.push('\n');
        }
    }
    lines
}

/// The kinds of annotations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Kind {
    /// Of high or critical severity.
    Error,
    /// Of medium severity.
    Warning,
    /// Of low severity.
    Notice,
}

impl Kind {
    /// Returns the kind for a severity.
    pub fn of(severity: Severity) -> Self {
        match severity {
            Severity::Critical | Severity::High => Self::Error,
            Severity::Medium => Self::Warning,
            Severity::Low => Self::Notice,
        }
    }

    fn label(self) -> &'static str {
        self.into()
    }

    /// Returns the number of issues and unreadable documents of this kind.
    fn count(self, summary: &CheckSummary) -> u64 {
        let issues = by_severity(summary).into_iter();
        let issues = issues.filter(|(severity, _)| Self::of(*severity) == self);
        let known = |severity| summary.known_by_severity.get(&severity).copied();
        let issues: u64 = issues
            .map(|(severity, count)| count.saturating_sub(known(severity).unwrap_or_default()))
            .sum();
        match self {
            Self::Error => issues + summary.unread,
            Self::Warning | Self::Notice => issues,
        }
    }

    fn of_finding(self, checked: &CheckedTrajectory<'_>, finding: &Finding<'_>) -> String {
        let title = format!("{}: {}", finding.kind.label(), tool_name(finding.tool));
        let place = format!("{}, {}", checked.name(), finding.place());
        let message = format!("{place}: {}{}", finding.description, finding.note());
        self.annotation(checked.place, &title, &message)
    }

    /// Renders an annotation.
    pub fn annotation(
        self,
        Place { source, line }: Place<'_>,
        title: &str,
        message: &str,
    ) -> String {
        let mut properties = Vec::new();
        if let Some(source) = source.filter(|source| !source.is_empty()) {
            properties.push(format!("file={}", escape_property(source)));
            if let Some(line) = line {
                properties.push(format!("line={line}"));
            }
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
