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
use super::{Gathered, PartSetting};
use crate::batch::{CheckSummary, CheckedDocument};
use crate::finding::{Finding, Subject};
use toolgauge_base::issue::Severity;
use toolgauge_model::{Json, Preview, ToolCall, Turn};

const STYLE: &str = include_str!("html.css");

/// The most trajectories on the page; those with issues come first.
const MOST_TRAJECTORIES: usize = 500;

/// The most trajectories for which all are unfolded.
const MOST_OPEN: u64 = 20;

/// The most calls of one trajectory.
const MOST_CALLS: usize = 1_000;

/// The most characters of one text from the input.
const LONGEST_TEXT: usize = 500;

/// The most bytes of all trajectories together.
const MOST_BYTES: usize = 16_000_000;

/// How much of a batch is kept.
const ROOM: Room = Room {
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
    let Closing { summary, gate } = closing;
    let verdict = if gate.passed { "passed" } else { "failed" };
    let formats = formats_of(summary);
    let title = match opening.sources.as_slice() {
        [] => formats.clone(),
        _ => opening.subject(),
    };
    let title = escape(&title);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{title}: {verdict} · toolgauge</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<p class=\"product\">toolgauge check</p>\n<h1>{title}</h1>\n\
         <p class=\"verdict {verdict}\">{} {verdict}</p>\n",
        if gate.passed { "✔" } else { "✖" }
    );
    for failure in &gate.failures {
        let _ = writeln!(page, "<p class=\"reason\">{}</p>", escape(failure));
    }
    page += "</header>\n<main>\n";
    figures(summary, &mut page);
    page += "<div class=\"charts\">\n";
    scores_chart(summary, &mut page);
    issues_chart(summary, digest, &mut page);
    page += "</div>\n";
    let unread = format!("{} not read", counted(summary.unread, "document"));
    notes(&unread, digest.unread(), summary.unread, true, &mut page);
    let warnings = format!("{} of the import", counted(summary.warnings, "warning"));
    notes(
        &warnings,
        digest.warnings(),
        summary.warnings,
        false,
        &mut page,
    );
    trajectories(summary, digest, &mut page);
    let read_as = match formats.as_str() {
        "" => String::new(),
        formats => format!("Read as {} by ", escape(formats)),
    };
    let _ = write!(
        page,
        "</main>\n<footer><p>{read_as}toolgauge {}.</p></footer>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION")
    );
    page
}

fn figures(summary: &CheckSummary, page: &mut String) {
    let totals = severity_totals(&summary.issues_by_severity);
    let rows = [
        (
            "Score",
            summary
                .score
                .map_or("none".to_owned(), |score| format!("{score:.3}")),
            "mean of the trajectories",
        ),
        (
            "Clean",
            format!("{} of {}", summary.clean, summary.trajectories),
            "trajectories without issues",
        ),
        ("Calls", summary.calls.to_string(), "of tools"),
        ("Issues", summary.issues.to_string(), totals.as_str()),
    ];
    *page += "<section aria-labelledby=\"totals\">\n<h2 id=\"totals\">Totals</h2>\n<dl class=\"figures\">\n";
    for (name, value, note) in rows {
        let _ = writeln!(
            page,
            "<div><dt>{name}</dt><dd><b>{value}</b><span>{note}</span></dd></div>"
        );
    }
    *page += "</dl>\n</section>\n";
}

/// Renders how many trajectories have a score from 0 to below 0.1, and so on. Perfect scores have a bar of
/// their own.
fn scores_chart(summary: &CheckSummary, page: &mut String) {
    const WIDTH: usize = 38;
    const HEIGHT: u64 = 120;
    let counts = summary.scores.histogram;
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let spoken = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    let spoken: Vec<_> = spoken
        .map(|(bin, count)| format!("{count} from {}", bin_label(bin)))
        .collect();
    let _ = writeln!(
        page,
        "<figure>\n<figcaption><h2>Scores</h2> trajectories by score</figcaption>\n\
         <svg viewBox=\"0 0 418 160\" role=\"img\" aria-label=\"Trajectories by score: {}\">",
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
    let by_type = digest.by_type();
    *page += "<figure>\n<figcaption><h2>Issues</h2> by type and severity</figcaption>\n";
    if by_type.is_empty() {
        *page += "<p class=\"none\">✔ None.</p>\n</figure>\n";
        return;
    }
    let sum = |counts: &[u64; 4]| counts.iter().sum::<u64>();
    let most = by_type.first().map_or(1, |(_, counts)| sum(counts)).max(1);
    *page += "<table class=\"bars\"><thead><tr><th scope=\"col\">Type</th><th scope=\"col\">Share</th><th scope=\"col\">Count</th></tr></thead><tbody>\n";
    for (kind, counts) in by_type {
        let explanation = Rule::all().find(|rule| rule.label() == kind);
        let _ = write!(
            page,
            "<tr><th scope=\"row\" title=\"{}\">{}</th><td><svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">",
            explanation.map_or("", Rule::explanation),
            escape(kind)
        );
        let mut x = 0.0;
        for (severity, count) in Severity::ALL.into_iter().zip(counts) {
            let width = 100.0 * count as f64 / most as f64;
            if width > 0.0 {
                let _ = write!(
                    page,
                    "<rect class=\"{}\" x=\"{x:.2}\" width=\"{width:.2}\" height=\"10\"/>",
                    severity.label()
                );
            }
            x += width;
        }
        let _ = writeln!(page, "</svg></td><td>{}</td></tr>", sum(&counts));
    }
    *page += "</tbody></table>\n<p class=\"legend\">";
    for (severity, count) in by_severity(summary) {
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

fn trajectories(summary: &CheckSummary, digest: &Digest, page: &mut String) {
    *page +=
        "<section aria-labelledby=\"trajectories\">\n<h2 id=\"trajectories\">Trajectories</h2>\n";
    let most_open = faulty(summary).min(MOST_OPEN);
    page.reserve(digest.group(0).map(|section| section.len() + 64).sum());
    let mut shown = 0;
    for section in digest.group(0) {
        let open = if shown < most_open || summary.trajectories == 1 {
            " open"
        } else {
            ""
        };
        let _ = write!(page, "<details class=\"trajectory\"{open}>\n{section}");
        shown += 1;
    }
    let left_out = summary.trajectories.saturating_sub(shown);
    if left_out > 0 {
        let rest = counted(left_out, "more trajectory");
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

fn preview(value: Json<'_>) -> String {
    escape(&Preview::of(value, 300).to_string())
}

/// Escapes `text` for content and quoted attributes, and makes hidden and reordering characters visible.
fn escape(text: &str) -> String {
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
