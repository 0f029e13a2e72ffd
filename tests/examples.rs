//! The shipped examples show what they say.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use bumpalo::Bump;
use strum::VariantArray;
use toolgauge::batch::{CheckReport, check_trajectories};
use toolgauge::check::CheckOptions;
use toolgauge::formats::{import_tools, import_trajectories, import_trajectory};
use toolgauge::issue::IssueType;
use toolgauge::model::{Json, Limits, Reader};
use toolgauge::schema::{Compiler, ToolSet};
use toolgauge::validate::ToolUseIssueType;
use toolgauge::verify::{ResultIssueType, VerifyOptions, summarize};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples")
        .join(name)
}

fn read<'a>(file: &Path, reader: Reader<'a>) -> Json<'a> {
    let text = fs::read_to_string(file).expect("a readable example");
    let text = reader.arena().alloc_str(&text);
    reader.read_text(text).expect("an example in JSON")
}

fn compile(tools: &str) -> ToolSet {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let tools = import_tools(read(&example(tools), reader), reader).expect("tools");
    ToolSet::compile(&tools.value, &Compiler::new(Vec::new())).expect("valid schemas")
}

fn check(file: &Path, tools: &str) -> CheckReport {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let tools = compile(tools);
    let mut imported = import_trajectories(read(file, reader), None, reader).expect("a trajectory");
    check_trajectories(&mut imported, &tools, &CheckOptions::default(), reader).expect("a report")
}

/// The names of all types of a family.
fn labels<T: IssueType + VariantArray>() -> BTreeSet<String> {
    let labels = T::VARIANTS.iter().map(|kind| kind.label().to_owned());
    labels.collect()
}

#[test]
fn every_issue_example_shows_its_issue_and_no_other() {
    let mut shown = BTreeSet::new();
    for entry in fs::read_dir(example("issues")).expect("the folder of examples") {
        let path = entry.expect("an example").path();
        let name = path
            .file_stem()
            .expect("a file name")
            .to_string_lossy()
            .into_owned();
        let report = check(&path, "shop.tools.json");
        let mut found: BTreeSet<_> = report.trajectories[0]
            .issues()
            .map(|i| i.kind.label())
            .collect();
        if name == "tool_not_found" {
            // What replaces a tool can only be unknown where the tool is deprecated.
            found.remove("deprecated_tool");
        }
        assert_eq!(found, BTreeSet::from([name.as_str()]), "{}", path.display());
        shown.insert(name);
    }
    assert_eq!(shown, labels::<ToolUseIssueType>());
}

#[test]
fn every_loop_example_shows_one_loop_as_one_issue() {
    let mut shown = 0;
    for entry in fs::read_dir(example("loops")).expect("the folder of examples") {
        let path = entry.expect("an example").path();
        let name = path.file_stem().expect("a file name").to_string_lossy();
        let report = check(&path, "shop.tools.json");
        let issues = report.trajectories[0].results.iter();
        let issues: Vec<_> = issues.flat_map(|result| &result.issues).collect();
        let [issue] = issues[..] else {
            panic!("{}: {issues:?}", path.display());
        };
        let reason = serde_json::to_value(issue.details.reason).expect("JSON");
        assert_eq!(reason, name.as_ref(), "{}", path.display());
        let found = issue.details.repeated.as_ref().expect("a loop");
        assert_eq!(
            found.rounds[1].calls[0].turn_id,
            issue.turn_id.expect("a turn")
        );
        assert_eq!(issue.description, found.description);
        shown += 1;
    }
    assert_eq!(shown, 3);
}

#[test]
fn the_clean_example_is_clean() {
    let report = check(&example("clean.json"), "shop.tools.json");
    assert_eq!(report.trajectories[0].issues().next(), None);
    assert_eq!(report.summary.score, Some(1.0));
    assert!(report.gate.passed);
}

#[test]
fn every_result_example_shows_its_issue_and_no_other() {
    let mut shown = BTreeSet::new();
    for entry in fs::read_dir(example("results")).expect("the folder of examples") {
        let path = entry.expect("an example").path();
        let name = path
            .file_stem()
            .expect("a file name")
            .to_string_lossy()
            .into_owned();
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let trajectory = import_trajectory(read(&path, reader), None, reader)
            .expect("a trajectory")
            .value;
        let none = ToolSet::not_given();
        let summary = summarize(&trajectory, &none, &VerifyOptions::default()).expect("a summary");
        let found: Vec<_> = summary
            .issues
            .iter()
            .map(|issue| issue.kind.label())
            .collect();
        assert_eq!(
            found,
            [name.as_str()],
            "{}: {:?}",
            path.display(),
            summary.issues
        );
        shown.insert(name);
    }
    assert_eq!(shown, labels::<ResultIssueType>());
}

#[test]
fn a_result_is_held_to_the_output_schema_of_its_tool() {
    let tools = compile("outputs/tools.json");
    let mut failures = Vec::new();
    for (name, wanted) in [
        ("outputs/clean.json", &[][..]),
        ("outputs/malformed_result.json", &["malformed_result"][..]),
    ] {
        let report = check(&example(name), "outputs/tools.json");
        let found = report.trajectories[0].issues();
        let found: Vec<_> = found.map(|issue| issue.kind.label()).collect();
        assert_eq!(found, wanted, "{name}");
        assert_eq!(report.gate.passed, wanted.is_empty(), "{name}");
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let imported = import_trajectory(read(&example(name), reader), None, reader);
        let trajectory = imported.expect("a trajectory").value;
        let summary = summarize(&trajectory, &tools, &VerifyOptions::default()).expect("a summary");
        assert_eq!(
            summary.issues, report.trajectories[0].result_issues,
            "{name}"
        );
        failures.extend(summary.issues.into_iter().map(|issue| issue.description));
    }
    assert_eq!(
        failures,
        [
            r#"the result of "find_berth" does not match its output schema: structuredContent.price.currency: required, but missing (string)"#
        ]
    );
}
