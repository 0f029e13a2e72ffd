//! `docs/issues.md`, the list of all types of issues, with the texts of `toolgauge explain`.
//!
//! `cargo xtask types` writes the page. Without it, this test fails if the page differs from what the core explains.

use std::fmt::Write as _;
use std::path::Path;

use strum::VariantArray;
use toolgauge::issue::IssueType;
use toolgauge::reflect::ReflectionIssueType;
use toolgauge::report::{IssueExplanation, explain_issues};
use toolgauge::verify::ResultIssueType;

const INTRODUCTION: &str = "<!-- Written by `cargo xtask types` from src/report/rules.rs: change that. -->
# Issues

Every issue has a type, and each type is a rule with a severity. This page lists all types. `toolgauge explain <type>`
prints the same. [Scores and thresholds](scores.md) says what an issue takes off a score, and which issues fail a check.

- `check` reports the types down to `LAST_RESULT`, except `hallucinated_content` and `unused_result`:
  [`verifyResult`](grounding.md#verifying-one-result) reports these two.
- [`reflect` and `reflectToolCall`](reflection-and-repair.md) report the types from `FIRST_REFLECTION` on.

Each issue has a sentence (`description`) and `details`. For a `type_mismatch`, for example, `details.coerced` is the value
that was probably meant.

## Switching off

**A type**: `--rule result_unused=off`, or in `toolgauge.config.json` `{ \"rules\": { \"result_unused\": \"off\" } }`. The levels
are `off`, `low`, `medium`, `high` and `critical`. Functions and matchers take the same as the option `rules`:

```ts
import { checkTrajectories } from 'toolgauge';

const turns = [{ turn_id: 1, role: 'agent' as const, content: '', tool_calls: [{ name: 'open', arguments: {} }] }];
const tools = [{ name: 'opn', parameters: {} }];

console.log(checkTrajectories({ turns }, tools).summary.issuesByType); // { unknown_tool: 1 }
console.log(checkTrajectories({ turns }, tools, { rules: { unknown_tool: 'off' } }).summary.issuesByType); // {}
```

**A single finding**, with the reason: in `toolgauge.config.json`

```json
{ \"ignore\": [{ \"type\": \"tool_misuse\", \"tool\": \"search*\", \"reason\": \"searches twice by design\" }] }
```

or `--ignore type=tool_misuse,tool=search*,reason=…`, or the option `ignore`. `trajectory`, `type`, `tool` and `path` select
findings; `*` stands for any text. Ignored findings are counted in the summary.

## All types

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
    let last_result = ResultIssueType::VARIANTS.last().map_or("", |it| it.label());
    let first_reflection = ReflectionIssueType::VARIANTS.first();
    let mut page = INTRODUCTION.replace("LAST_RESULT", last_result).replace(
        "FIRST_REFLECTION",
        first_reflection.map_or("", |it| it.label()),
    );
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
            "\n## {}\n\nSeverity: {}. {}\n\n**Example**: {}{}\n\n**Remedy**: {}\n",
            issue.kind,
            issue.severity.label(),
            issue.meaning,
            issue.example,
            example_file(issue.kind),
            issue.remedy
        );
    }
    page
}

/// A link to the shipped log that shows an issue of this type, where there is one.
fn example_file(kind: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = ["issues", "results"].map(|folder| format!("examples/{folder}/{kind}.json"));
    let file = files.iter().find(|file| root.join(file).exists());
    file.map_or_else(String::new, |file| format!(" ([a log](../{file}))"))
}

/// Text that does not end its cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
