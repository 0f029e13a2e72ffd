//! `docs/issues.md`, the catalogue of issues, as `toolgauge explain` says it.
//!
//! `cargo xtask types` writes the page; without that, this test fails when the page is not what the core explains.

use std::fmt::Write as _;
use std::path::Path;

use toolgauge::report::{IssueExplanation, explain_issues};

const INTRODUCTION: &str = "<!-- Written by `cargo xtask types` from src/report/rules.rs: change that. -->
# Issues

Every issue that a check reports has a type, and each type is a rule with a severity. `toolgauge explain <type>` prints
the same as this page.

- **Rate a type otherwise**, or switch it off: `--rule unused_result=off`, or in `toolgauge.config.json`
  `{ \"rules\": { \"unused_result\": \"off\" } }`. The levels are `off`, `low`, `medium`, `high` and `critical`. Functions and
  matchers take the same `rules` among their options.
- **Ignore single findings**, with the reason: `{ \"ignore\": [{ \"type\": \"tool_misuse\", \"tool\": \"get_order\", \"reason\": \"polled by
  design\" }] }`. A finding is named by `trajectory`, `type`, `tool` and `path`; those that are ignored are counted.

| issue | severity | meaning |
| --- | --- | --- |
";

#[test]
fn the_page_of_issues_says_what_the_core_explains() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/issues.md");
    let page = page(&explain_issues());
    if std::env::var_os("UPDATE_TYPES").is_some() {
        std::fs::write(&path, &page).expect("docs/issues.md can be written");
    }
    let written = std::fs::read_to_string(&path).expect("docs/issues.md can be read");
    assert!(
        written == page,
        "docs/issues.md is stale: run `cargo xtask types`"
    );
}

fn page(explained: &[IssueExplanation]) -> String {
    let mut page = INTRODUCTION.to_owned();
    for issue in explained {
        let (kind, severity) = (issue.kind, issue.severity.label());
        let _ = writeln!(
            page,
            "| [{kind}](#{kind}) | {severity} | {} |",
            cell(issue.meaning)
        );
    }
    for issue in explained {
        let _ = write!(
            page,
            "\n## {}\n\nSeverity: {}. {}\n\n**Example**: {}\n\n**Remedy**: {}\n",
            issue.kind,
            issue.severity.label(),
            issue.meaning,
            issue.example,
            issue.remedy
        );
    }
    page
}

/// Text that does not end its cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
