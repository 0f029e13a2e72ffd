//! The report of a check in GitHub's Markdown, for a comment on a pull request or a job summary.

use std::fmt::Write;

use super::super::digest::{Digest, Room, rank_of};
use super::super::finding::{
    CheckedTrajectory, faulty, formats_of, location_of, read_totals, score_text, shortened,
    tool_name, trajectory_totals,
};
use super::super::frame::{Closing, Opening};
use super::super::paint::{counted, mark, severity_totals, visible};
use super::super::trials::{by_k, spread_text, task_score, trial_totals, worst_place};
use super::{Gathered, PartSetting};
use crate::batch::CheckedDocument;
use toolgauge_base::gate::Gate;
use toolgauge_base::trials::Trials;

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

/// The most tasks with failed trials that are listed.
const MOST_TASKS: usize = 20;

/// How much of a batch is kept.
pub const ROOM: Room = Room {
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
    let mut text = verdict(closing.gate);
    text += &totals(opening, closing, digest);
    let all = faulty(closing.summary);
    add_sections(
        &mut text,
        digest,
        all,
        ("Trajectories", "trajectory", "issues"),
    );
    text
}

/// Adds those of `all` entries that fit, and says how many are left out. The words name the entries, one of them,
/// and what they have.
pub fn add_sections(
    text: &mut String,
    digest: &Digest,
    all: u64,
    (title, noun, faults): (&str, &str, &str),
) {
    if all == 0 {
        return;
    }
    let _ = write!(text, "\n### {title} with {faults}\n\n");
    let mut shown = 0;
    for section in digest.group(0) {
        if text.len() + section.len() > MOST_BYTES - ROOM_FOR_REST {
            break;
        }
        text.push_str(section);
        shown += 1;
    }
    if shown < all {
        let rest = counted(all - shown, &format!("more {noun}"));
        let _ = writeln!(text, "{rest} with {faults} left out to keep this short.");
    }
}

/// Renders whether the gate passes, and the reasons if it does not.
pub fn verdict(gate: &Gate) -> String {
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
    if let Some(why) = gate.absent {
        let _ = writeln!(text, "{}\n", escape(why));
    }
    text
}

fn totals(opening: &Opening, closing: &Closing<'_>, digest: &Digest) -> String {
    let summary = closing.summary;
    let score = summary
        .score
        .map_or("none: no tools were called".to_owned(), |score| {
            format!("{score:.3}")
        });
    let input = (!opening.sources.is_empty()).then(|| opening.subject());
    let rows = [
        ("Format", formats_of(summary)),
        ("Read", read_totals(summary)),
        ("Checked", trajectory_totals(summary)),
        ("Calls", summary.calls.to_string()),
        ("Score", score),
        ("Issues", severity_totals(&summary.issues_by_severity)),
    ];
    let by_type = digest.by_type().into_iter();
    let by_type = by_type.map(|(kind, counts)| (kind, counts.iter().sum()));
    let mut text = table(input.as_deref(), &rows, closing.trials);
    text += &counts_table("Issue", by_type);
    text + &trials_table(closing.trials)
        + &warnings(summary.warnings)
        + &unread(summary.unread, summary.documents, digest)
}

/// Renders the totals.
pub fn table(input: Option<&str>, rows: &[(&str, String)], trials: Option<&Trials>) -> String {
    let mut text = String::from("| | |\n| --- | --- |\n");
    if let Some(input) = input {
        let _ = writeln!(text, "| Input | {} |", escape(input));
    }
    for (name, value) in rows {
        let _ = writeln!(text, "| {name} | {value} |");
    }
    let Some(trials) = trials else {
        return text;
    };
    let rows = [
        ("Trials", Some(trial_totals(trials))),
        ("pass@k", Some(by_k(trials, |one| one.pass_at))),
        ("pass^k", Some(by_k(trials, |one| one.pass_hat))),
        ("Spread", spread_text(trials)),
    ];
    for (name, value) in rows {
        if let Some(value) = value {
            let _ = writeln!(text, "| {name} | {value} |");
        }
    }
    text
}

/// Renders how many findings of each type there are.
pub fn counts_table(title: &str, counts: impl Iterator<Item = (&'static str, u64)>) -> String {
    let rows: Vec<_> = counts
        .map(|(kind, count)| format!("| `{kind}` | {count} |\n"))
        .collect();
    match rows.is_empty() {
        true => String::new(),
        false => format!("\n| {title} | Count |\n| --- | ---: |\n{}", rows.concat()),
    }
}

/// Renders the tasks of which some trials fail.
pub fn trials_table(trials: Option<&Trials>) -> String {
    let worst = trials
        .map(|trials| trials.worst.as_slice())
        .unwrap_or_default();
    if worst.is_empty() {
        return String::new();
    }
    let mut text =
        String::from("\n| Task | Passed | Score | Worst trial |\n| --- | ---: | ---: | --- |\n");
    for task in worst.iter().take(MOST_TASKS) {
        let _ = writeln!(
            text,
            "| {}{} | {} of {} | {} | {} |",
            escape(&task.task),
            if task.flaky { " (flaky)" } else { "" },
            task.passed,
            task.trials,
            task_score(task),
            escape(&worst_place(&task.worst))
        );
    }
    let rest = worst.len().saturating_sub(MOST_TASKS);
    if rest > 0 {
        let more = counted(rest, "more task");
        let _ = writeln!(text, "\nAnd {more} with failed trials.");
    }
    text
}

/// Renders the number of warnings.
pub fn warnings(count: u64) -> String {
    match count {
        0 => String::new(),
        count => format!("\n{} of the import.\n", counted(count, "warning")),
    }
}

/// Lists unreadable documents; `all` is their number, and `documents` that of all documents.
pub fn unread(all: u64, documents: u64, digest: &Digest) -> String {
    if all == 0 {
        return String::new();
    }
    let mut text = format!(
        "\n**{} of {} not read:**\n\n",
        all,
        counted(documents, "document")
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
