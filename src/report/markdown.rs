//! The report of a check in GitHub's Markdown, for a comment on a pull request or a job summary.

use std::fmt::Write;

use super::checked::{CheckedInput, Judged, score_text, shortened};
use super::paint::{counted, mark, visible};

/// Most bytes of the report: GitHub takes 65,536 characters of a comment.
const MOST_BYTES: usize = 65_536;

/// What is kept free for the line that says what was left out.
const ROOM_FOR_REST: usize = 200;

/// Most characters of one text of the input.
const LONGEST_TEXT: usize = 500;

/// Most issues of one trajectory.
const MOST_ISSUES: usize = 50;

/// The verdict, a table of the totals, and the trajectories with issues, the worst first. What does not
/// fit into 65,536 bytes is left out, and a line says so.
pub fn render_markdown(checked: &CheckedInput<'_, '_>) -> String {
    let mut text = verdict(checked);
    text += &totals(checked);
    let faulty = checked.faulty();
    if faulty.is_empty() {
        return text;
    }
    text += "\n### Trajectories with issues\n\n";
    for (at, judged) in faulty.iter().enumerate() {
        let section = section(judged);
        if text.len() + section.len() > MOST_BYTES - ROOM_FOR_REST {
            let rest = counted(faulty.len() - at, "more trajectory");
            let _ = writeln!(text, "{rest} with issues left out to keep this short.");
            break;
        }
        text += &section;
    }
    text
}

fn verdict(checked: &CheckedInput<'_, '_>) -> String {
    let gate = &checked.report.gate;
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

fn totals(checked: &CheckedInput<'_, '_>) -> String {
    let mut text = String::from("| | |\n| --- | --- |\n");
    if !checked.source.is_empty() {
        let _ = writeln!(text, "| Input | {} |", escape(checked.source));
    }
    let score = checked.report.summary.score;
    let score = score.map_or("none: no tool was called".to_owned(), |score| {
        format!("{score:.3}")
    });
    let rows = [
        ("Format", checked.report.format.label().to_owned()),
        ("Checked", checked.trajectory_totals()),
        ("Calls", checked.calls().to_string()),
        ("Score", score),
        ("Issues", checked.issue_totals()),
    ];
    for (name, value) in rows {
        let _ = writeln!(text, "| {name} | {value} |");
    }
    let by_type = checked.by_type();
    if !by_type.is_empty() {
        text += "\n| Issue | Count |\n| --- | ---: |\n";
    }
    for (kind, count) in by_type {
        let _ = writeln!(text, "| `{}` | {count} |", kind.label());
    }
    if !checked.report.warnings.is_empty() {
        let warnings = counted(checked.report.warnings.len(), "warning");
        let _ = writeln!(text, "\n{warnings} of the import.");
    }
    text
}

fn section(judged: &Judged<'_>) -> String {
    let (sign, _) = mark(judged.worst());
    let mut text = format!(
        "<details>\n<summary>{sign} <b>{}</b> · {} · {} · {}</summary>\n\n",
        escape(&judged.name()),
        counted(judged.findings.len(), "issue"),
        counted(judged.report.calls, "call"),
        score_text(judged.report.score),
    );
    for finding in judged.findings.iter().take(MOST_ISSUES) {
        let _ = writeln!(
            text,
            "- **{}** `{}` {}, <code>{}</code>: {}",
            finding.severity.label(),
            finding.kind.label(),
            finding.place(),
            escape(&finding.tool_name()),
            escape(finding.description)
        );
    }
    if judged.findings.len() > MOST_ISSUES {
        let rest = counted(judged.findings.len() - MOST_ISSUES, "more issue");
        let _ = writeln!(text, "- {rest}");
    }
    text += "\n</details>\n\n";
    text
}

/// `text` as plain text, whatever it holds: what means something in Markdown or HTML stands as an entity,
/// which never does; an empty character after what would mention a person or link an issue stops that,
/// since GitHub looks for those in the finished text.
fn escape(text: &str) -> String {
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
