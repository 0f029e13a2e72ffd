//! The report of a check as one HTML page: no script, no other file, nothing loaded.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::checked::{CheckedInput, Finding, Judged, score_text, shortened, tool_name};
use super::paint::{counted, visible};
use super::rules::Rule;
use crate::check::FoundType;
use crate::issue::Severity;
use crate::model::{Json, Preview, ToolCall, Trajectory};

const STYLE: &str = include_str!("html.css");

/// Most trajectories that are told one by one; those with issues come first.
const MOST_TRAJECTORIES: usize = 500;

/// Most trajectories that are shown unfolded.
const MOST_OPEN: usize = 20;

/// Most calls of one trajectory.
const MOST_CALLS: usize = 1_000;

/// Most characters of one text of the input.
const LONGEST_TEXT: usize = 500;

/// The verdict, charts of the scores and the issues, and the trajectories with all they call: the worst
/// first, at most 500.
pub fn render_html(checked: &CheckedInput<'_, '_>) -> String {
    let gate = &checked.report.gate;
    let verdict = if gate.passed { "passed" } else { "failed" };
    let source = match checked.source {
        "" => checked.report.format.label(),
        source => source,
    };
    let source = escape(source);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{source}: {verdict} · toolgauge</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<p class=\"product\">toolgauge check</p>\n<h1>{source}</h1>\n\
         <p class=\"verdict {verdict}\">{} {verdict}</p>\n",
        if gate.passed { "✔" } else { "✖" }
    );
    for failure in &gate.failures {
        let _ = writeln!(page, "<p class=\"reason\">{}</p>", escape(failure));
    }
    page += "</header>\n<main>\n";
    figures(checked, &mut page);
    page += "<div class=\"charts\">\n";
    scores_chart(checked, &mut page);
    issues_chart(checked, &mut page);
    page += "</div>\n";
    warnings(checked, &mut page);
    trajectories(checked, &mut page);
    let _ = write!(
        page,
        "</main>\n<footer><p>Read as {} by toolgauge {}.</p></footer>\n</body>\n</html>\n",
        checked.report.format.label(),
        env!("CARGO_PKG_VERSION")
    );
    page
}

fn figures(checked: &CheckedInput<'_, '_>, page: &mut String) {
    let score = checked.report.summary.score;
    let trajectories = checked.report.trajectories.len();
    let clean = checked.judged().filter(|it| it.findings.is_empty()).count();
    let totals = checked.issue_totals();
    let issues: usize = checked.by_severity().iter().map(|(_, count)| count).sum();
    let rows = [
        (
            "Score",
            score.map_or("none".to_owned(), |score| format!("{score:.3}")),
            "mean of the trajectories",
        ),
        (
            "Clean",
            format!("{clean} of {trajectories}"),
            "trajectories without issues",
        ),
        ("Calls", checked.calls().to_string(), "of tools"),
        ("Issues", issues.to_string(), totals.as_str()),
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

/// How many trajectories have a score from 0 to under 0.1, and so on; those of 1 stand apart.
fn scores_chart(checked: &CheckedInput<'_, '_>, page: &mut String) {
    const BINS: usize = 11;
    const WIDTH: usize = 38;
    const HEIGHT: usize = 120;
    let mut counts = [0_usize; BINS];
    for score in checked.report.trajectories.iter().filter_map(|it| it.score) {
        let tenths = (0..BINS - 1).filter(|bin| score * 10.0 >= (bin + 1) as f64);
        counts[tenths.count()] += 1;
    }
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
        let height = (count * HEIGHT).div_ceil(most);
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

/// The least score of a bar.
fn bin_label(bin: usize) -> String {
    match bin {
        10 => "1".to_owned(),
        tenths => format!("0.{tenths}"),
    }
}

fn issues_chart(checked: &CheckedInput<'_, '_>, page: &mut String) {
    let by_type = checked.by_type();
    *page += "<figure>\n<figcaption><h2>Issues</h2> by type and severity</figcaption>\n";
    if by_type.is_empty() {
        *page += "<p class=\"none\">✔ None.</p>\n</figure>\n";
        return;
    }
    let most = by_type.iter().map(|(_, count)| *count).max().unwrap_or(1);
    *page += "<table class=\"bars\"><thead><tr><th scope=\"col\">Type</th><th scope=\"col\">Share</th><th scope=\"col\">Count</th></tr></thead><tbody>\n";
    for (kind, count) in by_type {
        let _ = write!(
            page,
            "<tr><th scope=\"row\" title=\"{}\">{}</th><td><svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">",
            Rule::of(kind).explanation(),
            kind.label()
        );
        let mut x = 0.0;
        for severity in Severity::ALL {
            let width = 100.0 * count_of(checked, kind, severity) as f64 / most as f64;
            if width > 0.0 {
                let _ = write!(
                    page,
                    "<rect class=\"{}\" x=\"{x:.2}\" width=\"{width:.2}\" height=\"10\"/>",
                    severity.label()
                );
            }
            x += width;
        }
        let _ = writeln!(page, "</svg></td><td>{count}</td></tr>");
    }
    *page += "</tbody></table>\n<p class=\"legend\">";
    for (severity, count) in checked.by_severity() {
        let label = severity.label();
        let _ = write!(
            page,
            "<span><i class=\"{label}\"></i>{label} {count}</span>"
        );
    }
    *page += "</p>\n</figure>\n";
}

fn count_of(checked: &CheckedInput<'_, '_>, kind: FoundType, severity: Severity) -> usize {
    let issues = checked
        .report
        .trajectories
        .iter()
        .flat_map(|it| it.issues());
    issues
        .filter(|issue| (issue.kind, issue.severity) == (kind, severity))
        .count()
}

fn warnings(checked: &CheckedInput<'_, '_>, page: &mut String) {
    let warnings = &checked.report.warnings;
    if warnings.is_empty() {
        return;
    }
    let _ = writeln!(
        page,
        "<details class=\"warnings\"><summary>{} of the import</summary>\n<ul>",
        counted(warnings.len(), "warning")
    );
    for warning in warnings.iter().take(100) {
        let text = format!("{} {}", warning.path, warning.message);
        let _ = writeln!(page, "<li>{}</li>", escape(text.trim()));
    }
    if warnings.len() > 100 {
        let _ = writeln!(page, "<li>and {} more</li>", warnings.len() - 100);
    }
    *page += "</ul>\n</details>\n";
}

fn trajectories(checked: &CheckedInput<'_, '_>, page: &mut String) {
    *page +=
        "<section aria-labelledby=\"trajectories\">\n<h2 id=\"trajectories\">Trajectories</h2>\n";
    let clean = checked.judged().filter(|it| it.findings.is_empty());
    let all: Vec<_> = checked.faulty().into_iter().chain(clean).collect();
    for (at, judged) in all.iter().take(MOST_TRAJECTORIES).enumerate() {
        let is_open = all.len() == 1 || (at < MOST_OPEN && !judged.findings.is_empty());
        let Some(trajectory) = checked.trajectories.get(judged.report.index) else {
            continue;
        };
        section(judged, trajectory, is_open, page);
    }
    if all.len() > MOST_TRAJECTORIES {
        let rest = counted(all.len() - MOST_TRAJECTORIES, "more trajectory");
        let _ = writeln!(
            page,
            "<p class=\"none\">{rest} left out to keep this page light.</p>"
        );
    }
    *page += "</section>\n";
}

fn section(judged: &Judged<'_>, trajectory: &Trajectory<'_>, is_open: bool, page: &mut String) {
    let open = if is_open { " open" } else { "" };
    let (tone, sign) = verdict_of(judged.worst());
    let _ = writeln!(
        page,
        "<details class=\"trajectory\"{open}>\n<summary><span class=\"mark {tone}\">{sign}</span><h3>{}</h3><span class=\"facts\">{}, {}, {}</span></summary>\n<ol class=\"timeline\">",
        escape(&judged.name()),
        counted(judged.findings.len(), "issue"),
        counted(judged.report.calls, "call"),
        score_text(judged.report.score),
    );
    let mut by_call: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for finding in &judged.findings {
        let place = (finding.turn, finding.call);
        by_call.entry(place).or_default().push(finding);
    }
    let calls = trajectory.agent_turns().flat_map(|(_, turn)| {
        let calls = turn.tool_calls.iter().enumerate();
        calls.map(|(index, call)| (turn.turn_id, index, call))
    });
    for (turn, index, call) in calls.take(MOST_CALLS) {
        let findings = by_call.remove(&(Some(turn), index)).unwrap_or_default();
        add_call(turn, call, &findings, page);
    }
    *page += "</ol>\n";
    if judged.report.calls > MOST_CALLS {
        let rest = counted(judged.report.calls - MOST_CALLS, "more call");
        let _ = writeln!(page, "<p class=\"rest\">{rest} left out.</p>");
    }
    *page += "</details>\n";
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
    if !findings.is_empty() {
        *page += "<ul>\n";
    }
    for finding in findings {
        let _ = writeln!(
            page,
            "<li><span class=\"badge {0}\">{0}</span> <b title=\"{1}\">{2}</b> {3}</li>",
            finding.severity.label(),
            Rule::of(finding.kind).explanation(),
            finding.kind.label(),
            escape(finding.description)
        );
    }
    if !findings.is_empty() {
        *page += "</ul>\n";
    }
    *page += "</div></li>\n";
}

/// The class of a mark and its sign, which says the same without colour.
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

/// `text` as it may stand in content and quoted attributes, with nothing that hides or reorders it.
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
