use bumpalo::Bump;
use proptest::prelude::*;

use super::*;
use crate::batch::{Chunk, Content, LineShape, ScoreSetting, TrajectoryVerdict, each_document};
use crate::check::{CheckOptions, Checker};
use toolgauge_base::issue::Severity;
use toolgauge_matching::{Comparing, NoComparators};
use toolgauge_model::error::ErrorReport;
use toolgauge_model::{Limits, Reader};
use toolgauge_schema::{ToolCache, ToolSet};
use toolgauge_score::{ExpectedSet, ScoreOptions};

fn trial(task: &str, passed: bool, score: f64, issues: &[(&str, &str)]) -> Trial {
    let issue = |(kind, tool): &(&str, &str)| TrialIssue {
        key: IssueKey::new(kind, Some(tool)),
        severity: Some(Severity::High),
    };
    Trial {
        task: Some(task.to_owned()),
        has_key: true,
        index: 0,
        passed,
        score: Some(score),
        issues: issues.iter().map(issue).collect(),
        measure: Measure::Check,
    }
}

fn run(trials: impl IntoIterator<Item = Trial>) -> Run {
    let mut run = Run::default();
    for trial in trials {
        run.add(Default::default(), trial);
    }
    run
}

fn diff(before: &Run, after: &Run) -> RunDiff {
    compare(before, after, &DiffOptions::default()).expect("comparable runs")
}

#[test]
fn tasks_and_issues_that_changed_are_reported() {
    let before = run([
        trial("a", true, 1.0, &[]),
        trial("a", true, 1.0, &[]),
        trial("b", false, 0.2, &[("type_mismatch", "search")]),
        trial("b", true, 0.8, &[]),
        trial("c", true, 0.9, &[]),
        trial("d", false, 0.3, &[]),
        trial("gone", true, 1.0, &[]),
    ]);
    let after = run([
        trial(
            "a",
            false,
            0.4,
            &[("unknown_tool", "find"), ("unknown_tool", "find")],
        ),
        trial("a", true, 1.0, &[]),
        trial("b", true, 1.0, &[]),
        trial("b", true, 1.0, &[]),
        trial("c", true, 0.7, &[]),
        trial("d", false, 0.3, &[]),
        trial("new", true, 1.0, &[]),
    ]);
    let found = diff(&before, &after);
    let changes: Vec<_> = found
        .tasks
        .iter()
        .map(|task| (task.task.as_str(), task.direction, task.stability))
        .collect();
    assert_eq!(
        changes,
        [
            ("b", TaskDirection::Better, Some(Stability::Stable)),
            ("a", TaskDirection::Worse, Some(Stability::Flaky)),
            ("c", TaskDirection::Worse, None),
            ("d", TaskDirection::Same, None),
        ]
    );
    assert_eq!(
        (found.only_before, found.only_after),
        (vec!["gone".to_owned()], vec!["new".to_owned()])
    );
    let issue = |task: &str, kind: &str, tool: &str| IssueChange {
        task: task.to_owned(),
        kind: kind.to_owned(),
        tool_name: Some(tool.to_owned()),
        severity: Some(Severity::High),
        trials: 1,
    };
    assert_eq!(found.new_issues, [issue("a", "unknown_tool", "find")]);
    assert_eq!(found.gone_issues, [issue("b", "type_mismatch", "search")]);
    let pass_rate = found.pass_rate.expect("common tasks");
    // a: 1 to 0.5, b: 0.5 to 1, c and d the same.
    assert_eq!(
        (pass_rate.before, pass_rate.after, pass_rate.difference),
        (0.625, 0.625, 0.0)
    );
    assert_eq!((pass_rate.tasks, pass_rate.p_value), (4, 1.0));
    let score = found.score.expect("common tasks");
    // a: 1 to 0.7, b: 0.5 to 1, c: 0.9 to 0.7, d: 0.3.
    assert_eq!(
        (score.before, score.after, score.difference),
        (0.675, 0.675, 0.0)
    );
}

#[test]
fn the_gate_fails_only_for_a_significantly_worse_run_and_only_if_asked() {
    let runs = |tasks: usize| {
        let names = (0..tasks).map(|task| task.to_string());
        let before = run(names.clone().map(|name| trial(&name, true, 0.9, &[])));
        (before, run(names.map(|name| trial(&name, false, 0.9, &[]))))
    };
    let asked = DiffOptions {
        fail_on_worse: true,
        ..DiffOptions::default()
    };
    let failures = |before: &Run, after: &Run, options: &DiffOptions| {
        compare(before, after, options).expect("runs").gate.failures
    };
    let (before, after) = runs(6);
    assert_eq!(
        failures(&before, &after, &asked),
        ["the pass rate fell from 1.000 to 0.000 (p = 0.0313)"]
    );
    assert_eq!(failures(&before, &after, &DiffOptions::default()), [""; 0]);
    assert_eq!(failures(&after, &before, &asked), [""; 0]);
    // Five tasks can't be significant: p = 2 / 2^5.
    let (before, after) = runs(5);
    assert_eq!(failures(&before, &after, &asked), [""; 0]);
    let other = run([trial("other", true, 1.0, &[])]);
    assert_eq!(
        failures(&before, &other, &asked),
        ["no task is in both runs"]
    );
}

#[test]
fn a_task_key_that_no_trajectory_has_is_an_error_and_some_are_a_warning() {
    let options = DiffOptions {
        task_key: Some("meta.task".to_owned()),
        ..DiffOptions::default()
    };
    let without = |task| Trial {
        has_key: false,
        ..trial(task, true, 1.0, &[])
    };
    let (has, lacks) = (run([trial("a", true, 1.0, &[])]), run([without("a")]));
    let error = compare(&has, &lacks, &options)
        .expect_err("no key")
        .to_string();
    assert!(
        error.contains("second run") && error.contains("meta.task"),
        "{error}"
    );
    let some = run([trial("a", true, 1.0, &[]), without("a")]);
    let warnings = compare(&has, &some, &options)
        .expect("some have it")
        .warnings;
    assert_eq!(
        warnings,
        ["1 trajectory has no field \"meta.task\": the id is the task"]
    );
}

#[test]
fn checked_and_scored_runs_are_not_compared() {
    let scored = Trial {
        measure: Measure::Score,
        ..trial("a", true, 1.0, &[])
    };
    let error = compare(
        &run([trial("a", true, 1.0, &[])]),
        &run([scored]),
        &DiffOptions::default(),
    );
    assert!(
        error
            .expect_err("unlike runs")
            .to_string()
            .contains("check and of score")
    );
}

#[test]
fn no_p_value_is_0() {
    let names: Vec<_> = (0..20).map(|task| task.to_string()).collect();
    let all = |passed| run(names.iter().map(|name| trial(name, passed, 1.0, &[])));
    let found = diff(&all(false), &all(true))
        .pass_rate
        .expect("common tasks");
    assert_eq!(
        (found.p_value, found.conclusion),
        (0.0001, Conclusion::Better)
    );
}

/// Trajectories of tasks with ids, with `task_id`, and without a name; the last line is broken.
const LINES: &str = r#"{"trajectory_id":"a","turns":[{"turn_id":1,"role":"agent","content":"","tool_calls":[{"name":"","arguments":{},"result":1}]}]}
{"trajectory_id":"b-1","task_id":"b","turns":[{"turn_id":1,"role":"agent","content":"","tool_calls":[{"name":"f","arguments":{},"result":1}]}],"meta":{"seed":[7]}}
{"turns":[{"turn_id":1,"role":"agent","content":"","tool_calls":[{"name":"f","arguments":{},"result":1}]}]}
{"turns":[
"#;

/// Reads lines as a run, checked or scored, and also returns the errors.
fn read(
    lines: &str,
    source: &str,
    expected: Option<&str>,
    key: Option<&str>,
) -> (Run, Vec<ErrorReport>) {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let chunk = Chunk {
        shape: LineShape::Lines,
        source: Some(source),
        line: 1,
        content: Content::Bytes(lines.as_bytes()),
    };
    let (options, tools) = (CheckOptions::default(), ToolSet::not_given());
    let (scoring, comparing) = (
        ScoreOptions::default(),
        Comparing::new(&NoComparators, Limits::default()),
    );
    let mut carried = ToolCache::new();
    let set = expected.map(|text| {
        let json = reader.read_text(arena.alloc_str(text)).expect("JSON");
        ExpectedSet::read(json, reader).expect("expectations")
    });
    let measuring = match &set {
        Some(expected) => Measuring::Score(
            ScoreSetting {
                format: None,
                expected,
                options: &scoring,
                comparing: &comparing,
                task_key: None,
                pass_score: 1.0,
            },
            reader,
        ),
        None => Measuring::Check(Box::new(Checker::new(
            &tools,
            &options,
            &mut carried,
            reader,
        ))),
    };
    let mut documents = RunReader {
        measuring,
        task_key: key.map(str::to_owned),
        pass_score: 1.0,
    };
    let (mut run, mut errors) = (Run::default(), Vec::new());
    each_document(&chunk, reader, |place, json| {
        errors.extend(documents.add(&mut run, place, json))
    });
    (run, errors)
}

/// Returns the lines of `toolgauge check --format jsonl`.
fn verdicts(lines: &str) -> String {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let (options, tools) = (CheckOptions::default(), ToolSet::not_given());
    let mut carried = ToolCache::new();
    let mut checker = Checker::new(&tools, &options, &mut carried, reader);
    let chunk = Chunk {
        shape: LineShape::Lines,
        source: Some("logs/a.jsonl"),
        line: 1,
        content: Content::Bytes(lines.as_bytes()),
    };
    let mut text = String::new();
    each_document(&chunk, reader, |place, json| {
        let document = crate::batch::CheckedDocument::check(place, json, &mut checker);
        for verdict in document.verdicts() {
            let verdict: TrajectoryVerdict<'_> = verdict;
            text += &(serde_json::to_string(&verdict).expect("JSON") + "\n");
        }
        if let Some(unread) = document.unread() {
            text += &(serde_json::to_string(&unread).expect("JSON") + "\n");
        }
    });
    text
}

#[test]
fn trajectories_and_their_verdicts_are_the_same_run() {
    let (measured, errors) = read(LINES, "a.jsonl", None, None);
    assert_eq!(
        (measured.trials, measured.documents, measured.unread),
        (3, 4, 1)
    );
    assert_eq!(errors.len(), 1);
    let text = verdicts(LINES);
    let (again, errors) = read(&text, "verdicts.jsonl", None, None);
    assert_eq!((again.trials, again.unread, errors.len()), (3, 1, 1));
    let found = diff(&measured, &again);
    let tasks: Vec<_> = found.tasks.iter().map(|task| task.task.as_str()).collect();
    assert_eq!(tasks, ["a", "b", "line 3"]);
    assert!(
        found
            .tasks
            .iter()
            .all(|task| task.direction == TaskDirection::Same),
        "{found:?}"
    );
    assert!(
        found.new_issues.is_empty() && found.gone_issues.is_empty(),
        "{found:?}"
    );
}

#[test]
fn tasks_are_found_by_key_by_task_id_by_id_and_by_place() {
    let names = |source: &str, key| {
        let (run, _) = read(LINES, source, None, key);
        run.by_name().into_keys().collect::<Vec<_>>()
    };
    assert_eq!(names("logs/x.jsonl", None), ["a", "b", "line 3"]);
    assert_eq!(names("x", Some("meta.seed.0")), ["7", "a", "line 3"]);
    assert_eq!(names("x", Some("id")), ["a", "b-1", "line 3"]);
    let mut both = read(LINES, "run/a/x.jsonl", None, None).0;
    both.merge(read(LINES, "run/b/x.jsonl", None, None).0);
    let names: Vec<_> = both.by_name().into_keys().collect();
    assert_eq!(names, ["a", "a/x.jsonl line 3", "b", "b/x.jsonl line 3"]);
}

#[test]
fn scored_runs_report_calls_that_are_not_as_expected() {
    let expected = r#"[{"tool":"f","args":{"n":1}},{"tool":"g","args":{}}]"#;
    let (before, _) = read(LINES, "a", Some(expected), None);
    let (after, _) = read(
        &LINES.replace("\"arguments\":{}", "\"arguments\":{\"n\":1}"),
        "a",
        Some(expected),
        None,
    );
    let found = diff(&before, &after);
    let gone: Vec<_> = found
        .gone_issues
        .iter()
        .map(|issue| (issue.task.as_str(), issue.kind.as_str()))
        .collect();
    assert_eq!(
        gone,
        [("b", "incorrect_call"), ("line 3", "incorrect_call")]
    );
    assert_eq!(found.score.expect("scores").difference, 0.4447);
    let by_id = format!(r#"{{"b-1":{expected}}}"#);
    let (some, _) = read(LINES, "a", Some(&by_id), None);
    assert_eq!((some.trials, some.unscored), (1, 2));
    assert_eq!(
        diff(&some, &before).warnings,
        ["2 trajectories left out: no calls are expected of them"]
    );
}

fn any_trials() -> impl Strategy<Value = Vec<(u8, bool, u8, Option<u8>)>> {
    proptest::collection::vec(
        (
            0_u8..8,
            any::<bool>(),
            0_u8..=10,
            proptest::option::of(0_u8..3),
        ),
        0..40,
    )
}

fn run_of(trials: &[(u8, bool, u8, Option<u8>)]) -> Run {
    let tools = ["x", "y", "z"];
    run(trials.iter().map(|(task, passed, score, tool)| {
        let issues: Vec<_> = tool
            .iter()
            .map(|tool| ("unknown_tool", tools[usize::from(*tool)]))
            .collect();
        trial(
            &task.to_string(),
            *passed,
            f64::from(*score) / 10.0,
            &issues,
        )
    }))
}

/// Returns what a difference is if the runs are swapped.
fn turned(comparison: Option<Comparison>) -> Option<Comparison> {
    let Comparison {
        before,
        after,
        difference,
        interval,
        conclusion,
        ..
    } = comparison?;
    Some(Comparison {
        before: after,
        after: before,
        difference: 0.0 - difference,
        interval: interval.map(|[low, high]| [0.0 - high, 0.0 - low]),
        conclusion: match conclusion {
            Conclusion::Better => Conclusion::Worse,
            Conclusion::Worse => Conclusion::Better,
            Conclusion::Unclear => Conclusion::Unclear,
        },
        ..comparison?
    })
}

proptest! {
    #[test]
    fn swapped_runs_have_the_opposite_difference(before in any_trials(), after in any_trials()) {
        let (before, after) = (run_of(&before), run_of(&after));
        let (one, other) = (diff(&before, &after), diff(&after, &before));
        prop_assert_eq!(one.pass_rate, turned(other.pass_rate));
        prop_assert_eq!(one.score, turned(other.score));
        prop_assert_eq!(&one.new_issues, &other.gone_issues);
        prop_assert_eq!(&one.gone_issues, &other.new_issues);
        prop_assert_eq!(&one.only_before, &other.only_after);
        for (task, opposite) in one.tasks.iter().zip(&other.tasks) {
            let direction = match opposite.direction {
                TaskDirection::Better => TaskDirection::Worse,
                TaskDirection::Worse => TaskDirection::Better,
                TaskDirection::Same => TaskDirection::Same,
            };
            let stability = opposite.stability.map(|stability| match stability {
                Stability::Flaky => Stability::Stable,
                Stability::Stable => Stability::Flaky,
            });
            prop_assert_eq!(&task.task, &opposite.task);
            prop_assert_eq!((task.direction, task.stability), (direction, stability));
        }
    }

    #[test]
    fn equal_runs_have_no_difference(trials in any_trials()) {
        let run = run_of(&trials);
        let found = diff(&run, &run);
        for comparison in [found.pass_rate, found.score].into_iter().flatten() {
            prop_assert_eq!((comparison.difference, comparison.p_value), (0.0, 1.0));
            prop_assert_eq!(comparison.conclusion, Conclusion::Unclear);
        }
        prop_assert!(found.tasks.iter().all(|task| task.direction == TaskDirection::Same));
        prop_assert!(found.new_issues.is_empty() && found.gone_issues.is_empty());
    }

    #[test]
    fn parts_of_a_run_merge_in_any_order(trials in any_trials(), at in 0_usize..40) {
        let (first, second) = trials.split_at(at.min(trials.len()));
        let mut merged = run_of(second);
        let text = serde_json::to_string(&run_of(first)).expect("JSON");
        merged.merge(serde_json::from_str(&text).expect("a run"));
        prop_assert_eq!(merged, run_of(&trials));
    }
}
