//! The report of a check as one HTML page that has no scripts and loads nothing.

use std::fmt::Write;

use foldhash::HashMap;

use super::super::digest::{Digest, Room, rank_of};
use super::super::finding::{
    CheckedTrajectory, by_severity, faulty, formats_of, location_of, score_text, shortened,
    tool_name,
};
use super::super::frame::{Closing, Opening};
use super::super::paint::{counted, severity_totals, visible};
use super::super::rules::Rule;
use super::super::trials::{spread_text, task_score, trial_totals, worst_place};
use super::{Gathered, PartSetting};
use crate::batch::{CheckSummary, CheckedDocument};
use crate::finding::{Finding, Subject};
use toolgauge_base::gate::Gate;
use toolgauge_base::issue::Severity;
use toolgauge_base::trials::Trials;
use toolgauge_model::{Json, Preview, ToolCall, Turn};

const STYLE: &str = include_str!("html.css");

/// The most trajectories on the page; those with issues come first.
const MOST_TRAJECTORIES: usize = 500;

/// The most trajectories for which all are unfolded.
const MOST_OPEN: u64 = 20;

/// The most calls of one trajectory.
pub const MOST_CALLS: usize = 1_000;

/// The most characters of one text from the input.
const LONGEST_TEXT: usize = 500;

/// The most bytes of all trajectories together.
const MOST_BYTES: usize = 16_000_000;

/// How much of a batch is kept.
pub const ROOM: Room = Room {
    groups: 1,
    entries: MOST_TRAJECTORIES,
    bytes: MOST_BYTES,
};

pub(super) static HTML: Gathered = Gathered {
    room: ROOM,
    add,
    render,
};

/// Adds the trajectories of a document, with its name if `names_source`. Those with issues rank higher than
/// any without.
fn add(document: &CheckedDocument<'_, '_>, setting: PartSetting, digest: &mut Digest) {
    let names_source = setting.names_source(document);
    for checked in CheckedTrajectory::all(document) {
        digest.add_entry(0, rank_of(&checked), || section(&checked, names_source));
    }
}

/// Renders the verdict, charts of scores and issues, and at most 500 trajectories with all their calls, the
/// worst first.
fn render(opening: &Opening, closing: &Closing<'_>, digest: &Digest) -> String {
    let Closing {
        summary,
        gate,
        trials,
    } = closing;
    let formats = formats_of(summary);
    let title = match opening.sources.as_slice() {
        [] => formats.clone(),
        _ => opening.subject(),
    };
    let mut page = start("check", &title, gate);
    figures(summary, &mut page);
    page += "<div class=\"charts\">\n";
    scores_chart("Trajectories", summary.scores.histogram, &mut page);
    issues_chart(summary, digest, &mut page);
    page += "</div>\n";
    add_trials(*trials, &mut page);
    all_notes((summary.unread, summary.warnings), digest, &mut page);
    let totals = (faulty(summary), summary.trajectories);
    add_sections(("Trajectories", "trajectory"), totals, digest, &mut page);
    let read_as = match formats.as_str() {
        "" => String::new(),
        formats => format!("Read as {} by ", escape(formats)),
    };
    end(&read_as, &mut page);
    page
}

/// Renders the start of a page, with the verdict.
pub fn start(command: &str, title: &str, gate: &Gate) -> String {
    let verdict = if gate.passed { "passed" } else { "failed" };
    let title = escape(title);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{title}: {verdict} · toolgauge</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<p class=\"product\">toolgauge {command}</p>\n<h1>{title}</h1>\n\
         <p class=\"verdict {verdict}\">{} {verdict}</p>\n",
        if gate.passed { "✔" } else { "✖" }
    );
    for failure in &gate.failures {
        let _ = writeln!(page, "<p class=\"reason\">{}</p>", escape(failure));
    }
    if let Some(why) = gate.absent {
        let _ = writeln!(page, "<p class=\"reason\">{}</p>", escape(why));
    }
    page + "</header>\n<main>\n"
}

/// Adds the end of a page; `read_as` is the start of its last line.
pub fn end(read_as: &str, page: &mut String) {
    let _ = write!(
        page,
        "</main>\n<footer><p>{read_as}toolgauge {}.</p></footer>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION")
    );
}

/// Adds what was not read, and the warnings of the import.
pub fn all_notes((unread, warnings): (u64, u64), digest: &Digest, page: &mut String) {
    let title = format!("{} not read", counted(unread, "document"));
    notes(&title, digest.unread(), unread, true, page);
    let title = format!("{} of the import", counted(warnings, "warning"));
    notes(&title, digest.warnings(), warnings, false, page);
}

/// Adds what several trials of one task show.
pub fn add_trials(trials: Option<&Trials>, page: &mut String) {
    let Some(trials) = trials else {
        return;
    };
    *page += "<section aria-labelledby=\"trials\">\n<h2 id=\"trials\">Trials</h2>\n";
    let _ = writeln!(page, "<p>{}</p>", escape(&trial_totals(trials)));
    if let Some(spread) = spread_text(trials) {
        let _ = writeln!(page, "<p>Spread: {}</p>", escape(&spread));
    }
    *page += "<table class=\"trials\"><thead><tr><th scope=\"col\">k</th><th scope=\"col\">pass@k</th><th scope=\"col\">pass^k</th><th scope=\"col\">Tasks</th></tr></thead><tbody>\n";
    for one in &trials.estimates {
        let _ = writeln!(
            page,
            "<tr><th scope=\"row\">{}</th><td>{:.3}</td><td>{:.3}</td><td>{}</td></tr>",
            one.k, one.pass_at, one.pass_hat, one.tasks
        );
    }
    *page += "</tbody></table>\n";
    if !trials.worst.is_empty() {
        *page += "<table class=\"trials\"><thead><tr><th scope=\"col\">Task</th><th scope=\"col\">Passed</th><th scope=\"col\">Score</th><th scope=\"col\">Worst trial</th></tr></thead><tbody>\n";
        for task in &trials.worst {
            let _ = writeln!(
                page,
                "<tr><th scope=\"row\">{}{}</th><td>{} of {}</td><td>{}</td><td>{}</td></tr>",
                escape(&task.task),
                if task.flaky { " (flaky)" } else { "" },
                task.passed,
                task.trials,
                task_score(task),
                escape(&worst_place(&task.worst))
            );
        }
        *page += "</tbody></table>\n";
    }
    *page += "</section>\n";
}

fn figures(summary: &CheckSummary, page: &mut String) {
    let totals = severity_totals(&summary.issues_by_severity);
    let score = summary.score;
    let score = score.map_or("none".to_owned(), |score| format!("{score:.3}"));
    let clean = format!("{} of {}", summary.clean, summary.trajectories);
    let calls = format!("of tools, {} with results", summary.results);
    let read = format!("documents, with {}", counted(summary.texts, "text"));
    let rows = [
        ("Score", score, "mean of the trajectories"),
        ("Clean", clean, "trajectories without issues"),
        ("Calls", summary.calls.to_string(), calls.as_str()),
        ("Read", summary.documents.to_string(), read.as_str()),
        ("Issues", summary.issues.to_string(), totals.as_str()),
    ];
    add_figures(&rows, page);
}

/// Adds figures, each with its name and a note.
pub fn add_figures(rows: &[(&str, String, &str)], page: &mut String) {
    *page += "<section aria-labelledby=\"totals\">\n<h2 id=\"totals\">Totals</h2>\n<dl class=\"figures\">\n";
    for (name, value, note) in rows {
        let _ = writeln!(
            page,
            "<div><dt>{name}</dt><dd><b>{value}</b><span>{note}</span></dd></div>"
        );
    }
    *page += "</dl>\n</section>\n";
}

/// Adds how many of the `noun` (`Trajectories`) have a score from 0 to below 0.1, and so on. Perfect scores have a bar of
/// their own.
pub fn scores_chart(noun: &str, counts: [u64; 11], page: &mut String) {
    const WIDTH: usize = 38;
    const HEIGHT: u64 = 120;
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let spoken = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    let spoken: Vec<_> = spoken
        .map(|(bin, count)| format!("{count} from {}", bin_label(bin)))
        .collect();
    let _ = writeln!(
        page,
        "<figure>\n<figcaption><h2>Scores</h2> {} by score</figcaption>\n\
         <svg viewBox=\"0 0 418 160\" role=\"img\" aria-label=\"{noun} by score: {}\">",
        noun.to_lowercase(),
        spoken.join(", ")
    );
    for (bin, count) in counts.into_iter().enumerate() {
        let x = bin * WIDTH;
        let height = count.saturating_mul(HEIGHT).div_ceil(most);
        let top = 18 + HEIGHT - height;
        let label = bin_label(bin);
        let tone = match bin {
            0..=4 => "high",
            5..=9 => "medium",
            _ => "good",
        };
        if count > 0 {
            let _ = write!(
                page,
                "<rect class=\"{tone}\" x=\"{}\" y=\"{top}\" width=\"{}\" height=\"{height}\" rx=\"3\"/><text x=\"{}\" y=\"{}\">{count}</text>",
                x + 4,
                WIDTH - 8,
                x + WIDTH / 2,
                top - 5
            );
        }
        let _ = writeln!(
            page,
            "<text class=\"axis\" x=\"{}\" y=\"154\">{label}</text>",
            x + WIDTH / 2
        );
    }
    *page += "<line x1=\"0\" y1=\"138.5\" x2=\"418\" y2=\"138.5\"/>\n</svg>\n</figure>\n";
}

/// Returns the lowest score of a bar.
fn bin_label(bin: usize) -> String {
    match bin {
        10 => "1".to_owned(),
        tenths => format!("0.{tenths}"),
    }
}

fn issues_chart(summary: &CheckSummary, digest: &Digest, page: &mut String) {
    let explained = |kind: &str| Rule::all().find(|rule| rule.label() == kind);
    let by_type = digest.by_type().into_iter();
    let by_type = by_type.map(|(kind, counts)| FindingCount {
        kind,
        explanation: explained(kind).map_or("", Rule::explanation),
        counts,
    });
    let by_type: Vec<_> = by_type.collect();
    findings_chart("Issues", &by_type, by_severity(summary), page);
}

/// How many findings of one type there are.
pub struct FindingCount {
    /// The type.
    pub kind: &'static str,
    /// What it means.
    pub explanation: &'static str,
    /// The number of findings, by severity.
    pub counts: [u64; 4],
}

/// Adds how many findings of each type there are, the most frequent first.
pub fn findings_chart(
    title: &str,
    by_type: &[FindingCount],
    by_severity: [(Severity, u64); 4],
    page: &mut String,
) {
    let _ = writeln!(
        page,
        "<figure>\n<figcaption><h2>{title}</h2> by type and severity</figcaption>"
    );
    if by_type.is_empty() {
        *page += "<p class=\"none\">✔ None.</p>\n</figure>\n";
        return;
    }
    let sum = |counts: &[u64; 4]| counts.iter().sum::<u64>();
    let most = by_type.first().map_or(1, |first| sum(&first.counts)).max(1);
    *page += "<table class=\"bars\"><thead><tr><th scope=\"col\">Type</th><th scope=\"col\">Share</th><th scope=\"col\">Count</th></tr></thead><tbody>\n";
    for FindingCount {
        kind,
        explanation,
        counts,
    } in by_type
    {
        let _ = write!(
            page,
            "<tr><th scope=\"row\" title=\"{}\">{}</th><td><svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">",
            explanation,
            escape(kind)
        );
        let mut x = 0.0;
        for (severity, count) in Severity::ALL.into_iter().zip(counts) {
            let width = 100.0 * *count as f64 / most as f64;
            if width > 0.0 {
                let _ = write!(
                    page,
                    "<rect class=\"{}\" x=\"{x:.2}\" width=\"{width:.2}\" height=\"10\"/>",
                    severity.label()
                );
            }
            x += width;
        }
        let _ = writeln!(page, "</svg></td><td>{}</td></tr>", sum(counts));
    }
    *page += "</tbody></table>\n<p class=\"legend\">";
    for (severity, count) in by_severity {
        let label = severity.label();
        let _ = write!(
            page,
            "<span><i class=\"{label}\"></i>{label} {count}</span>"
        );
    }
    *page += "</p>\n</figure>\n";
}

/// Lists up to `all` notes about what could not be read.
fn notes(title: &str, listed: &[String], all: u64, is_open: bool, page: &mut String) {
    if all == 0 {
        return;
    }
    let open = if is_open { " open" } else { "" };
    let _ = writeln!(
        page,
        "<details class=\"warnings\"{open}><summary>{title}</summary>\n<ul>"
    );
    for note in listed {
        let _ = writeln!(page, "<li>{}</li>", escape(note));
    }
    let rest = all.saturating_sub(listed.len() as u64);
    if rest > 0 {
        let _ = writeln!(page, "<li>and {rest} more</li>");
    }
    *page += "</ul>\n</details>\n";
}

/// Adds the entries: `faulty` of `all` have something to report, and at most twenty of them are unfolded. The words
/// are the title and the name of one entry.
pub fn add_sections(
    (title, noun): (&str, &str),
    (faulty, all): (u64, u64),
    digest: &Digest,
    page: &mut String,
) {
    let _ = writeln!(
        page,
        "<section aria-labelledby=\"trajectories\">\n<h2 id=\"trajectories\">{title}</h2>"
    );
    let most_open = faulty.min(MOST_OPEN);
    page.reserve(digest.group(0).map(|section| section.len() + 64).sum());
    let mut shown = 0;
    for section in digest.group(0) {
        let open = if shown < most_open || all == 1 {
            " open"
        } else {
            ""
        };
        let _ = write!(page, "<details class=\"trajectory\"{open}>\n{section}");
        shown += 1;
    }
    let left_out = all.saturating_sub(shown);
    if left_out > 0 {
        let rest = counted(left_out, &format!("more {noun}"));
        let _ = writeln!(
            page,
            "<p class=\"none\">{rest} left out to keep this page light.</p>"
        );
    }
    *page += "</section>\n";
}

/// Renders a trajectory without its opening tag.
fn section(checked: &CheckedTrajectory<'_>, names_source: bool) -> String {
    let (tone, sign) = verdict_of(checked.worst());
    let report = checked.report;
    let place = if names_source {
        format!("{} · ", escape(&location_of(checked.place)))
    } else {
        String::new()
    };
    let mut section = format!(
        "<summary><span class=\"mark {tone}\">{sign}</span><h3>{}</h3><span class=\"facts\">{place}{}, {}, {}</span></summary>\n<ol class=\"timeline\">\n",
        escape(&checked.name()),
        counted(checked.findings.len(), "issue"),
        counted(report.calls, "call"),
        score_text(report.score),
    );
    let mut by_place: HashMap<_, Vec<_>> = HashMap::default();
    for finding in &checked.findings {
        let place = (finding.turn_id, finding.subject);
        by_place.entry(place).or_default().push(finding);
    }
    let mut shown = 0;
    for (_, turn) in checked.trajectory.agent_turns() {
        let calls = turn.tool_calls.iter().enumerate();
        for (index, call) in calls.take(MOST_CALLS.saturating_sub(shown)) {
            let place = (Some(turn.turn_id), Subject::Call(index));
            let findings = by_place.remove(&place).unwrap_or_default();
            add_call(turn.turn_id, call, &findings, &mut section);
            shown += 1;
        }
        if let Some(findings) = by_place.remove(&(Some(turn.turn_id), Subject::Reply)) {
            add_reply(turn, &findings, &mut section);
        }
    }
    section += "</ol>\n";
    if report.calls > MOST_CALLS {
        let rest = counted(report.calls - MOST_CALLS, "more call");
        let _ = writeln!(section, "<p class=\"rest\">{rest} left out.</p>");
    }
    section + "</details>\n"
}

fn add_call(turn: i64, call: &ToolCall<'_>, findings: &[&Finding<'_>], page: &mut String) {
    let (tone, sign) = verdict_of(findings.iter().map(|finding| finding.severity).max());
    let _ = write!(
        page,
        "<li><span class=\"mark {tone}\">{sign}</span><div><p><span class=\"turn\">turn {turn}</span> <b class=\"tool\">{}</b>",
        escape(&tool_name(call.name))
    );
    let arguments = call
        .arguments
        .map(preview)
        .or(call.raw_arguments.map(escape));
    if let Some(arguments) = arguments {
        let _ = write!(page, " <code>{arguments}</code>");
    }
    *page += "</p>\n";
    if let Some(result) = call.error.or(call.result) {
        let class = if call.error.is_some() {
            "result error"
        } else {
            "result"
        };
        let _ = writeln!(
            page,
            "<p class=\"{class}\">→ <code>{}</code></p>",
            preview(result)
        );
    }
    add_findings(findings, page);
    *page += "</div></li>\n";
}

fn add_reply(turn: &Turn<'_>, findings: &[&Finding<'_>], page: &mut String) {
    let (tone, sign) = verdict_of(findings.iter().map(|finding| finding.severity).max());
    let _ = writeln!(
        page,
        "<li><span class=\"mark {tone}\">{sign}</span><div><p><span class=\"turn\">turn {}</span> <b class=\"tool\">reply</b> <q>{}</q></p>",
        turn.turn_id,
        escape(&shortened(turn.content, 300)),
    );
    add_findings(findings, page);
    *page += "</div></li>\n";
}

fn add_findings(findings: &[&Finding<'_>], page: &mut String) {
    if findings.is_empty() {
        return;
    }
    *page += "<ul>\n";
    for finding in findings {
        let _ = writeln!(
            page,
            "<li><span class=\"badge {0}\">{0}</span> <b title=\"{1}\">{2}</b> {3}{4}</li>",
            finding.severity.label(),
            Rule::of(finding.kind).explanation(),
            finding.kind.label(),
            escape(finding.description),
            finding.note()
        );
    }
    *page += "</ul>\n";
}

/// Returns the class of a mark and its sign, which has the same meaning without colour.
fn verdict_of(worst: Option<Severity>) -> (&'static str, &'static str) {
    match worst {
        None => ("good", "✔"),
        Some(severity @ (Severity::Low | Severity::Medium)) => (severity.label(), "▲"),
        Some(severity) => (severity.label(), "✖"),
    }
}

/// Returns a value in short, as markup.
pub fn preview(value: Json<'_>) -> String {
    escape(&Preview::of(value, 300).to_string())
}

/// Escapes `text` for content and quoted attributes, and makes hidden and reordering characters visible.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in shortened(&visible(text), LONGEST_TEXT).chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            c => escaped.push(c),
        }
    }
    escaped
}
