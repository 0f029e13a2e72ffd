//! The report of linted tool definitions: the issues of each tool with their remedies, and the totals.

use serde::Deserialize;
use serde_json::json;
use strum::{IntoStaticStr, VariantArray};

use super::Layout;
use super::json::add_lines;
use super::paint::{Page, Tone, counted, issue_totals, mark, tone_of, visible};
use super::syntax::sarif::{self, Located, rule};
use crate::batch::Place;
use toolgauge_base::gate::Gate;
use toolgauge_base::issue::Severity;
use toolgauge_lint::{LintIssue, LintIssueType, LintResult};

/// The formats of the report of linted tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum LintFormat {
    /// Text for a terminal.
    #[default]
    Pretty,
    /// One JSON document.
    Json,
    /// One JSON value per file.
    Jsonl,
    /// SARIF 2.1.0: a result for each issue.
    Sarif,
}

/// Renders the report of `result` as SARIF 2.1.0, with a rule for each type of issue; `source` is the name of the
/// linted file.
pub fn lint_sarif(result: &LintResult, gate: &Gate, source: Option<&str>) -> String {
    let rules = LintIssueType::VARIANTS.iter().map(|kind| {
        let words = kind.label().replace('_', " ");
        let explanation = format!("{}{}.", words[..1].to_uppercase(), &words[1..]);
        rule(&id_of(*kind), &explanation, Severity::Medium)
    });
    let mut text = sarif::head(rules.collect());
    let mut results = String::new();
    let issues = result.issues.iter().map(|issue| located(issue, source));
    add_lines(issues, ",\n", &mut results);
    text += &results;
    text + &sarif::tail(gate, Some(result.score), ("tools", json!(result.tools)))
}

fn id_of(kind: LintIssueType) -> String {
    format!("tools/{}", kind.label())
}

fn located(issue: &LintIssue, source: Option<&str>) -> serde_json::Value {
    let name = issue.tool_name.as_deref().unwrap_or("(all tools)");
    let id = id_of(issue.kind);
    Located {
        place: Place { source, line: None },
        rule: (
            id.clone(),
            LintIssueType::VARIANTS
                .iter()
                .position(|kind| *kind == issue.kind),
        ),
        severity: issue.severity,
        text: format!("{}: {}", issue.description, issue.details.hint),
        name: visible(name),
        kind: "tool",
        qualified: visible(&issue.details.path),
        identity: &[name, &id, &issue.details.path, &issue.description],
    }
    .result()
}

/// Renders the report of `result` and its `gate`; `source` is the name of the linted file.
pub fn render_lint(
    result: &LintResult,
    gate: &Gate,
    source: Option<&str>,
    layout: Layout,
) -> String {
    let mut page = Page::new(layout);
    let tools = counted(result.tools as u64, "tool");
    let facts = source.map_or_else(
        || tools.clone(),
        |source| format!("{} · {tools}", visible(source)),
    );
    page.heading("toolgauge lint-tools", &facts);
    let is_same_tool = |a: &LintIssue, b: &LintIssue| a.tool_name == b.tool_name;
    for issues in result.issues.chunk_by(is_same_tool) {
        tool(&mut page, issues);
        page.gap();
    }
    let summary = &result.summary;
    let totals = format!("{tools}, {} clean", summary.clean);
    page.item(0, "linted", Tone::Strong, 9, &totals);
    let by_type = summary.issues_by_type.iter();
    let by_type = by_type.map(|(kind, count)| (kind.label(), *count));
    let totals = issue_totals(&summary.issues_by_severity, by_type);
    page.item(0, "issues", Tone::Strong, 9, &totals);
    let score = format!("{:.3}", result.score);
    page.item(0, "score", Tone::Strong, 9, &score);
    page.gate(gate);
    page.into_text()
}

/// Adds one tool with its issues, or the issues of the whole list.
fn tool(page: &mut Page, issues: &[LintIssue]) {
    let name = issues.first().and_then(|issue| issue.tool_name.as_deref());
    let (sign, tone) = mark(issues.iter().map(|issue| issue.severity).max());
    let line = format!(
        "{} {}",
        page.paint(tone, sign),
        page.paint(Tone::Strong, &visible(name.unwrap_or("(all tools)")))
    );
    page.line(&line);
    for issue in issues {
        let text = format!("{}  {}", issue.kind.label(), visible(&without_tool(issue)));
        page.item(
            2,
            issue.severity.label(),
            tone_of(issue.severity),
            10,
            &text,
        );
        page.item(12, "→", Tone::Good, 2, &visible(&issue.details.hint));
    }
}

/// Returns the description of an issue without the name of its tool, which is above it.
fn without_tool(issue: &LintIssue) -> String {
    let (said, name) = (&issue.description, issue.tool_name.as_deref());
    let prefix = name.map(toolgauge_lint::prefix_of);
    let rest = prefix.and_then(|prefix| said.strip_prefix(&prefix));
    rest.unwrap_or(said).to_owned()
}
