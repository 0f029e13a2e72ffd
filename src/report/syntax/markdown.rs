//! The report of a check in GitHub's Markdown, for a comment on a pull request or a job summary.

use std::fmt::Write;

use super::super::digest::{Digest, Room, rank_of};
use super::super::finding::{
    CheckedTrajectory, faulty, formats_of, location_of, score_text, shortened, tool_name,
    trajectory_totals,
};
use super::super::frame::{Closing, Opening};
use super::super::paint::{counted, mark, severity_totals, visible};
use super::{Gathered, PartSetting};
use crate::batch::CheckedDocument;

/// The most bytes of the report: GitHub accepts 65,536 characters in a comment.
const MOST_BYTES: usize = 65_536;

/// The bytes that are kept free for the line about what was left out.
const ROOM_FOR_REST: usize = 200;

/// The most characters of one text from the input.
const LONGEST_TEXT: usize = 500;

/// The most issues of one trajectory.
const MOST_ISSUES: usize = 50;

/// The most unreadable documents that are listed.
const MOST_UNREAD: usize = 20;

/// How much of a batch is kept.
const ROOM: Room = Room {
    groups: 1,
    entries: usize::MAX,
    bytes: MOST_BYTES,
};

pub(super) static MARKDOWN: Gathered = Gathered {
    room: ROOM,
    add,
    render,
};

/// Adds the trajectories of a document that have issues, with its name if `names_source`.
fn add(document: &CheckedDocument<'_, '_>, setting: PartSetting, digest: &mut Digest) {
    let names_source = setting.names_source(document);
    for checked in CheckedTrajectory::all(document).filter(|it| !it.findings.is_empty()) {
        digest.add_entry(0, rank_of(&checked), || section(&checked, names_source));
    }
}

/// Renders the verdict, a table of the totals, and the trajectories with issues, the worst first. What does
/// not fit into 65,536 bytes is left out, and a line says so.
fn render(opening: &Opening, closing: &Closing<'_>, digest: &Digest) -> String {
    let mut text = verdict(closing);
    text += &totals(opening, closing, digest);
    let all = faulty(closing.summary);
    if all == 0 {
        return text;
    }
    text += "\n### Trajectories with issues\n\n";
    let mut shown = 0;
    for section in digest.group(0) {
        if text.len() + section.len() > MOST_BYTES - ROOM_FOR_REST {
            break;
        }
        text += section;
        shown += 1;
    }
    if shown < all {
        let rest = counted(all - shown, "more trajectory");
        let _ = writeln!(text, "{rest} with issues left out to keep this short.");
    }
    text
}

fn verdict(closing: &Closing<'_>) -> String {
    let gate = closing.gate;
    let mut text = match gate.passed {
        true => "## ✔ toolgauge: passed\n\n".to_owned(),
        false => "## ✖ toolgauge: failed\n\n".to_owned(),
    };
    for failure in &gate.failures {
        let _ = writeln!(text, "- {}", escape(failure));
    }
    if !gate.failures.is_empty() {
        text.push('\n');
    }
    text
}

fn totals(opening: &Opening, closing: &Closing<'_>, digest: &Digest) -> String {
    let summary = closing.summary;
    let mut text = String::from("| | |\n| --- | --- |\n");
    if !opening.sources.is_empty() {
        let _ = writeln!(text, "| Input | {} |", escape(&opening.subject()));
    }
    let score = summary
        .score
        .map_or("none: no tools were called".to_owned(), |score| {
            format!("{score:.3}")
        });
    let rows = [
        ("Format", formats_of(summary)),
        ("Checked", trajectory_totals(summary)),
        ("Calls", summary.calls.to_string()),
        ("Score", score),
        ("Issues", severity_totals(&summary.issues_by_severity)),
    ];
    for (name, value) in rows {
        let _ = writeln!(text, "| {name} | {value} |");
    }
    let by_type = digest.by_type();
    if !by_type.is_empty() {
        text += "\n| Issue | Count |\n| --- | ---: |\n";
    }
    for (kind, counts) in by_type {
        let _ = writeln!(text, "| `{kind}` | {} |", counts.iter().sum::<u64>());
    }
    if summary.warnings > 0 {
        let warnings = counted(summary.warnings, "warning");
        let _ = writeln!(text, "\n{warnings} of the import.");
    }
    text + &unread(closing, digest)
}

fn unread(closing: &Closing<'_>, digest: &Digest) -> String {
    let all = closing.summary.unread;
    if all == 0 {
        return String::new();
    }
    let mut text = format!(
        "\n**{} of {} not read:**\n\n",
        all,
        counted(closing.summary.documents, "document")
    );
    let listed = digest.unread().iter().take(MOST_UNREAD);
    for note in listed.clone() {
        let _ = writeln!(text, "- {}", escape(note));
    }
    let rest = all.saturating_sub(listed.count() as u64);
    if rest > 0 {
        let _ = writeln!(text, "- and {rest} more");
    }
    text
}

fn section(checked: &CheckedTrajectory<'_>, names_source: bool) -> String {
    let (sign, _) = mark(checked.worst());
    let place = if names_source {
        format!(" · {}", escape(&location_of(checked.place)))
    } else {
        String::new()
    };
    let mut text = format!(
        "<details>\n<summary>{sign} <b>{}</b>{place} · {} · {} · {}</summary>\n\n",
        escape(&checked.name()),
        counted(checked.findings.len(), "issue"),
        counted(checked.report.calls, "call"),
        score_text(checked.report.score),
    );
    for finding in checked.findings.iter().take(MOST_ISSUES) {
        let _ = writeln!(
            text,
            "- **{}** `{}` {}, <code>{}</code>: {}{}",
            finding.severity.label(),
            finding.kind.label(),
            finding.place(),
            escape(&tool_name(finding.tool)),
            escape(finding.description),
            finding.note()
        );
    }
    if checked.findings.len() > MOST_ISSUES {
        let rest = counted(checked.findings.len() - MOST_ISSUES, "more issue");
        let _ = writeln!(text, "- {rest}");
    }
    text += "\n</details>\n\n";
    text
}

/// Escapes `text` so that Markdown and HTML show it as plain text. Special characters become entities, which
/// are never special. GitHub looks for mentions and issue links in the finished text, so an empty character
/// breaks those up.
pub(in crate::report) fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in shortened(&visible(text), LONGEST_TEXT).chars() {
        match c {
            '@' | '#' => {
                let _ = write!(escaped, "&#{};&#8203;", u32::from(c));
            }
            ' ' | ',' | '-' | '=' | ';' | '%' | '(' | ')' | '?' | '+' => escaped.push(c),
            c if c.is_ascii_punctuation() => {
                let _ = write!(escaped, "&#{};", u32::from(c));
            }
            c => escaped.push(c),
        }
    }
    escaped
}
