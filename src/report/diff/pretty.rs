//! The difference of two runs for a terminal.

use super::super::paint::{Page, Tone, columns_of, counted, tone_of, visible};
use super::{
    DiffStyle, Entry, Section, change_of, interval_of, name_of, p_value_of, run_totals, sections,
    task_totals,
};
use crate::diff::{Comparison, RunDiff, TaskDirection};

/// The most entries of a list.
const MOST_LISTED: usize = 20;

/// The columns of the labels of the totals.
const LABEL: usize = 11;

/// The columns of the severities of issues.
const SEVERITY: usize = 10;

/// Renders the lists, the totals and the gate.
pub fn render(diff: &RunDiff, style: &DiffStyle) -> String {
    let mut page = Page::new(style.layout);
    let names = style.names.each_ref().map(|name| visible(name));
    page.heading("toolgauge diff", &names.join(" → "));
    for section in sections(diff) {
        list(&mut page, &section);
        page.gap();
    }
    for warning in &diff.warnings {
        page.item(0, "warning", Tone::Doubtful, LABEL, &visible(warning));
    }
    page.item(
        0,
        "runs",
        Tone::Strong,
        LABEL,
        &run_totals(diff).join(" → "),
    );
    page.item(0, "tasks", Tone::Strong, LABEL, &task_totals(diff));
    for (label, comparison) in [("pass rate", &diff.pass_rate), ("score", &diff.score)] {
        if let Some(comparison) = comparison {
            page.item(
                0,
                label,
                Tone::Strong,
                LABEL,
                &means(comparison, diff.tasks.len()),
            );
        }
    }
    gate(&mut page, diff);
    page.into_text()
}

fn list(page: &mut Page, section: &Section<'_>) {
    page.title(section.title);
    let shown = section.entries.iter().take(MOST_LISTED);
    let width = shown.clone().map(|entry| match entry {
        Entry::Task(task) => columns_of(&name_of(&task.task)),
        Entry::Issue(_) | Entry::Name(_) => 0,
    });
    let width = width.max().unwrap_or_default();
    for entry in shown {
        match entry {
            Entry::Task(task) => {
                let tone = match task.direction {
                    TaskDirection::Better => Tone::Good,
                    TaskDirection::Worse => Tone::Bad,
                    TaskDirection::Same => Tone::Quiet,
                };
                page.item(2, &name_of(&task.task), tone, width + 2, &change_of(task));
            }
            Entry::Issue(issue) => {
                let tone = issue.severity.map_or(Tone::Doubtful, tone_of);
                let text = format!(
                    "{} {}  {}",
                    visible(issue.kind),
                    issue.tool(),
                    issue.tasks()
                );
                page.item(2, issue.label(), tone, SEVERITY, &text);
            }
            Entry::Name(name) => page.line(&format!("  {}", name_of(name))),
        }
    }
    let rest = section.entries.len().saturating_sub(MOST_LISTED);
    if rest > 0 {
        page.line(&format!("  and {rest} more"));
    }
}

/// Returns `0.500 → 0.750, +0.250 (95%: -0.085 to +0.585), p = 0.25: unclear`.
fn means(comparison: &Comparison, common: usize) -> String {
    let Comparison {
        before,
        after,
        difference,
        tasks,
        conclusion,
        ..
    } = comparison;
    let interval = interval_of(comparison).map(|interval| format!(" (95%: {interval})"));
    let of_tasks = match *tasks == common as u64 {
        true => String::new(),
        false => format!(" ({})", counted(*tasks, "task")),
    };
    let conclusion: &str = conclusion.into();
    format!(
        "{before:.3} → {after:.3}, {difference:+.3}{}, {}: {conclusion}{of_tasks}",
        interval.unwrap_or_default(),
        p_value_of(comparison),
    )
}

fn gate(page: &mut Page, diff: &RunDiff) {
    let (tone, text) = match diff.gate.passed {
        true => (Tone::Good, "passed".to_owned()),
        false => (
            Tone::Bad,
            format!("failed: {}", diff.gate.failures.join("; ")),
        ),
    };
    page.item(0, "gate", tone, LABEL, &text);
}
