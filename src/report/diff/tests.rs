use super::*;
use crate::diff::{DiffOptions, IssueKey, Measure, Run, Trial, TrialIssue, compare};

/// A name that would be markup, a mention, an issue link, or control the terminal.
const HOSTILE: &str = "</summary><img src=x>|[a](http://b) @who #987 `c` **d**\u{1b}[31m\n# e";

fn trial(task: &str, passed: bool) -> Trial {
    let issue = TrialIssue {
        key: IssueKey::new("unknown_tool", Some(HOSTILE)),
        severity: Some(Severity::High),
    };
    Trial {
        task: Some(task.to_owned()),
        has_key: true,
        index: 0,
        passed,
        score: Some(f64::from(u8::from(passed))),
        issues: if passed { Vec::new() } else { vec![issue] },
        measure: Measure::Check,
    }
}

fn diff(tasks: usize, name: &str) -> RunDiff {
    let run = |passed| {
        let mut run = Run::default();
        for task in 0..tasks {
            run.add(Default::default(), trial(&format!("{task} {name}"), passed));
        }
        run.add(
            Default::default(),
            trial(&format!("only {passed} {name}"), passed),
        );
        run
    };
    let options = DiffOptions {
        fail_on_worse: true,
        ..DiffOptions::default()
    };
    compare(&run(true), &run(false), &options).expect("comparable runs")
}

fn rendered(diff: &RunDiff, format: DiffFormat) -> String {
    let names = [HOSTILE, "after"].map(str::to_owned);
    let style = DiffStyle {
        format,
        names,
        ..DiffStyle::default()
    };
    render_diff(diff, &style)
}

#[test]
fn nothing_in_a_run_becomes_markup_or_controls_the_terminal() {
    let diff = diff(3, HOSTILE);
    let markdown = rendered(&diff, DiffFormat::Markdown);
    for markup in ["<img", "](", "@who", "#987", "`c`", "**d", "\u{1b}"] {
        assert!(!markdown.contains(markup), "{markup} in {markdown}");
    }
    let opened = markdown.matches("<details>").count();
    assert_eq!(markdown.matches("</summary>").count(), opened);
    assert!(
        markdown.lines().all(|line| !line.starts_with("# ")),
        "{markdown}"
    );
    let pretty = rendered(&diff, DiffFormat::Pretty);
    assert!(
        !pretty.contains('\u{1b}') && pretty.contains("\\u{1b}[31m"),
        "{pretty}"
    );
}

#[test]
fn the_comment_fits_github_and_says_what_is_left_out() {
    let diff = diff(2_000, &"#".repeat(70));
    let markdown = rendered(&diff, DiffFormat::Markdown);
    assert!(markdown.len() <= 65_536, "{}", markdown.len());
    assert!(
        markdown.starts_with("## ✖ toolgauge diff: worse\n"),
        "{markdown}"
    );
    assert!(markdown.contains("<summary>Worse: 2000</summary>"));
    assert!(markdown.contains("- and 1950 more\n"));
    let pretty = rendered(&diff, DiffFormat::Pretty);
    assert!(pretty.contains("  and 1980 more\n"), "{pretty}");
}

#[test]
fn the_conclusion_is_that_of_the_p_values() {
    let head = |diff: &RunDiff| {
        rendered(diff, DiffFormat::Markdown)
            .lines()
            .next()
            .map(str::to_owned)
    };
    assert_eq!(
        head(&diff(3, "a")).as_deref(),
        Some("## toolgauge diff: no clear difference")
    );
    assert_eq!(
        head(&diff(0, "a")).as_deref(),
        Some("## ✖ toolgauge diff: nothing to compare")
    );
    let pretty = rendered(&diff(6, "a"), DiffFormat::Pretty);
    assert!(pretty.contains("p = 0.031: worse"), "{pretty}");
    assert!(
        pretty.contains("gate       failed: the pass rate fell"),
        "{pretty}"
    );
}
