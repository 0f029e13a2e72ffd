//! The difference of two runs in GitHub's Markdown, for a comment on a pull request.

use std::fmt::Write;

use super::super::syntax::escape_markdown as escape;
use super::{
    DiffStyle, Entry, Section, change_of, interval_of, name_of, p_value_of, run_totals, sections,
    task_totals,
};
use crate::diff::{Comparison, Conclusion, RunDiff};

/// The most bytes of the report: GitHub accepts 65,536 characters in a comment.
const MOST_BYTES: usize = 65_536;

/// The bytes that are kept free for the ends of lists.
const ROOM_FOR_REST: usize = 1_000;

/// The most entries of a list.
const MOST_LISTED: usize = 50;

/// Renders the conclusion, a table of the means, and the lists, which can be unfolded. What does not fit into 65,536 bytes
/// is left out, and a line says so.
pub fn render(diff: &RunDiff, style: &DiffStyle) -> String {
    let mut text = format!("## {}\n\n", conclusion(diff));
    for failure in &diff.gate.failures {
        let _ = writeln!(text, "- {}", escape(failure));
    }
    for warning in &diff.warnings {
        let _ = writeln!(text, "- {}", escape(warning));
    }
    if !(diff.gate.failures.is_empty() && diff.warnings.is_empty()) {
        text.push('\n');
    }
    text += &table(diff, style);
    let _ = writeln!(text, "\n{}.", task_totals(diff));
    for section in sections(diff) {
        add_list(&section, &mut text);
    }
    text
}

fn conclusion(diff: &RunDiff) -> &'static str {
    let found = [diff.pass_rate, diff.score].map(|found| found.map(|found| found.conclusion));
    let has = |conclusion| found.contains(&Some(conclusion));
    match (has(Conclusion::Worse), has(Conclusion::Better)) {
        _ if diff.pass_rate.is_none() => "✖ toolgauge diff: nothing to compare",
        (true, true) => "▲ toolgauge diff: better and worse",
        (true, false) => "✖ toolgauge diff: worse",
        (false, true) => "✔ toolgauge diff: better",
        (false, false) => "toolgauge diff: no clear difference",
    }
}

fn table(diff: &RunDiff, style: &DiffStyle) -> String {
    let [before, after] = style.names.each_ref().map(|name| escape(&name_of(name)));
    let mut text = format!(
        "| | {before} | {after} | Difference | 95% interval | |\n| --- | ---: | ---: | ---: | ---: | ---: |\n"
    );
    for (name, comparison) in [("Pass rate", &diff.pass_rate), ("Score", &diff.score)] {
        let Some(comparison) = comparison else {
            continue;
        };
        let Comparison {
            before,
            after,
            difference,
            ..
        } = comparison;
        let interval = interval_of(comparison).unwrap_or_default();
        let p_value = escape(&p_value_of(comparison));
        let _ = writeln!(
            text,
            "| {name} | {before:.3} | {after:.3} | {difference:+.3} | {interval} | {p_value} |"
        );
    }
    let [before, after] = run_totals(diff);
    let _ = writeln!(text, "| Runs | {before} | {after} | | | |");
    text
}

fn add_list(section: &Section<'_>, text: &mut String) {
    let count = section.entries.len();
    let _ = writeln!(
        text,
        "\n<details>\n<summary>{}: {count}</summary>\n",
        section.title
    );
    let mut shown = 0;
    for entry in section.entries.iter().take(MOST_LISTED) {
        let line = line_of(entry);
        if text.len() + line.len() > MOST_BYTES - ROOM_FOR_REST {
            break;
        }
        text.push_str(&line);
        shown += 1;
    }
    if shown < count {
        let _ = writeln!(text, "- and {} more", count - shown);
    }
    text.push_str("\n</details>\n");
}

fn line_of(entry: &Entry<'_>) -> String {
    match entry {
        Entry::Task(task) => format!(
            "- **{}**: {}\n",
            escape(&name_of(&task.task)),
            change_of(task)
        ),
        Entry::Issue(issue) => format!(
            "- **{}** {}, <code>{}</code>: {}\n",
            issue.label(),
            escape(issue.kind),
            escape(&issue.tool()),
            escape(&issue.tasks()),
        ),
        Entry::Name(name) => format!("- {}\n", escape(&name_of(name))),
    }
}
