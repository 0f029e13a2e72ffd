//! Tests for all report formats.

use bumpalo::Bump;
use strum::VariantArray;

use super::*;
use crate::batch::{
    CheckSummary, CheckedDocument, Place, ScoreGate, ScoreSetting, ScoreSummary, ScoredDocument,
};
use crate::check::{CheckOptions, Checker};
use toolgauge_formats::import_tools;
use toolgauge_matching::{Comparing, NoComparators};
use toolgauge_model::{Limits, Reader};
use toolgauge_reflect::ReflectSetting;
use toolgauge_schema::{Compiler, ToolCache, ToolSet};
use toolgauge_score::{ExpectedSet, ScoreOptions};

/// Special characters of every syntax, and characters that some syntax does not allow.
const HOSTILE: &str = "</b>]]><script>alert(1)</script>|`@octocat` #1 [x](http://e.x) www.e.x ::error::%0A\r\n\u{0}\u{1b}[31m\u{fffe}\u{202e}\"'&amp;{0}";

/// Renders the report of these documents, each in a part of its own.
fn report_of_all(documents: &[&str], source: &str, format: ReportFormat) -> String {
    report_in(None, documents, source, format)
}

/// Like [`report_of_all`], with each call checked by itself according to `setting`.
fn report_in(
    setting: Option<ReflectSetting>,
    documents: &[&str],
    source: &str,
    format: ReportFormat,
) -> String {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let read = |text: &str| reader.read_text(arena.alloc_str(text));
    let tools = r#"{"send": {"name": "send", "parameters": {"type": "object", "properties": {"to": {"enum": ["a"]}}, "required": ["to"]}}}"#;
    let tools = import_tools(read(tools).expect("JSON"), reader).expect("tools");
    let tools = ToolSet::compile(&tools.value, &Compiler::new(Vec::new())).expect("schemas");
    let options = CheckOptions::default();
    let mut carried = ToolCache::new();
    let mut checker = Checker::new(&tools, &options, &mut carried, reader);
    if let Some(setting) = setting {
        checker = checker.reflecting(setting);
    }
    let opening = Opening {
        command: ReportedCommand::Check,
        sources: vec![source.to_owned()],
        tools: Some(1),
    };
    let mut summary = CheckSummary::default();
    let (mut parts, mut digest) = (Vec::new(), format.digest(0));
    for (at, text) in documents.iter().enumerate() {
        let place = Place {
            source: Some(source),
            line: Some(at + 3),
        };
        let document = CheckedDocument::check(
            place,
            read(text).map_err(|error| error.report()),
            &mut checker,
        );
        document.add_to(&mut summary);
        let least_rank = digest.as_ref().map(Digest::least_rank).unwrap_or_default();
        let (style, fail_on) = (PartStyle::default(), options.gate.fail_on);
        let mut writer = PartWriter::new(format, style, fail_on, least_rank);
        writer.add(&document);
        let part = writer.finish();
        match &mut digest {
            Some(digest) => digest.merge(serde_json::from_str(&part).expect("a digest")),
            None if part.is_empty() => {}
            None => parts.push(part),
        }
    }
    let gate = summary.gate(&options.gate);
    let trials = summary.finish(false);
    let closing = Closing {
        summary: &summary,
        gate: &gate,
        trials: trials.as_ref(),
    };
    let digest = digest.unwrap_or_default();
    let frame = format.frame(&opening, Some(&closing), &digest, Layout::default());
    let parts = parts.join(frame.separator);
    frame.head + &parts + frame.tail.as_deref().unwrap_or_default()
}

fn report_of(document: &str, source: &str, format: ReportFormat) -> String {
    report_of_all(&[document], source, format)
}

fn trajectories(count: usize, text: &str) -> String {
    let text = serde_json::to_string(text).expect("JSON");
    let one = format!(
        r#"{{"trajectory_id": {text}, "turns": [{{"turn_id": 1, "role": "agent", "content": "", "tool_calls": [
            {{"name": {text}, "arguments": {{}}, "result": 1}},
            {{"name": "send", "arguments": {{"to": {text}}}, "result": 1}},
            {{"name": "send", "arguments": {{}}, "result": 1}}]}}]}}"#
    );
    format!("[{}]", vec![one; count].join(","))
}

#[test]
fn repairs_contain_no_control_characters_of_the_input() {
    let text = serde_json::to_string(HOSTILE).expect("JSON");
    let log = format!(
        r#"[{{"turn_id": 1, "role": "agent", "content": "", "tool_calls": [
            {{"name": "Send", "arguments": {{"to": ["a"], {text}: {text}}}}},
            {{"name": "send", "arguments": {{"to": {text}}}}}]}}]"#
    );
    let report = |format| {
        let setting = ReflectSetting {
            repair: true,
            judged: Vec::new(),
        };
        report_in(Some(setting), &[&log], "runs.json", format)
    };
    let pretty = report(ReportFormat::Pretty);
    assert!(
        pretty.contains("repaired  the tool \"Send\" became \"send\""),
        "{pretty}"
    );
    assert!(pretty.contains("→ send {\"to\": \"a\"}"), "{pretty}");
    for format in [
        ReportFormat::Pretty,
        ReportFormat::Github,
        ReportFormat::Markdown,
    ] {
        let text = report(format);
        assert!(text.contains("allowed_values_violation"), "{text}");
        assert!(!text.contains(['\u{1b}', '\r', '\u{202e}', '\0']), "{text}");
    }
}

#[test]
fn no_syntax_lets_control_characters_through() {
    for &format in ReportFormat::VARIANTS {
        let text = report_of(&trajectories(1, HOSTILE), "runs.json", format);
        let bad = |c: char| c.is_control() && c != '\n';
        assert!(
            !text.is_empty() && !text.contains(bad),
            "{format:?}: {text}"
        );
    }
}

#[test]
fn annotations_are_one_line_each_and_say_what_is_left_out() {
    let text = report_of(
        &trajectories(30, HOSTILE),
        "runs,a:b%.json",
        ReportFormat::Github,
    );
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 20, "{text}");
    let start = "::error file=runs%2Ca%3Ab%25.json,line=3,title=";
    assert!(lines[1].starts_with(start), "{text}");
    assert!(
        lines[0].ends_with("::30 issues are high or worse"),
        "{text}"
    );
    assert!(lines[9].contains("22 more errors left out"), "{text}");
    assert!(lines[10].starts_with("::warning "), "{text}");
    assert!(!text.contains(['\u{1b}', '\r', '\u{202e}', '\0']), "{text}");
    for line in lines.into_iter().filter(|line| line.contains(",line=")) {
        let (properties, _) = line[2..].split_once("::").expect("a command");
        assert_eq!(properties.matches(',').count(), 2, "{line}");
        assert_eq!(properties.matches(':').count(), 0, "{line}");
    }
}

#[test]
fn a_comment_stays_below_the_limit_without_markup_of_the_input() {
    let text = report_of(&trajectories(300, HOSTILE), HOSTILE, ReportFormat::Markdown);
    assert!(text.len() <= 65_536, "{}", text.len());
    assert!(text.contains("more trajectories with issues left out"));
    for markup in [
        "<script", "@octocat", "#1 ", "](", "www.", "://", "|`", "\0", "\u{1b}",
    ] {
        assert!(!text.contains(markup), "{markup}");
    }
    let opened = text.matches("<details>").count();
    assert_eq!(opened, text.matches("</details>").count());
    assert!(opened > 10);
}

#[test]
fn junit_fails_with_the_gate_and_contains_only_xml_characters() {
    let text = report_of(&trajectories(2, HOSTILE), HOSTILE, ReportFormat::Junit);
    assert!(
        text.contains(r#" tests="2" failures="2" errors="0""#),
        "{text}"
    );
    assert_eq!(text.matches("<failure ").count(), 2, "{text}");
    assert!(
        text.contains("medium unknown_tool turn 1, call 1"),
        "{text}"
    );
    let bad = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{fffe}' | '\u{ffff}');
    assert!(!text.contains(bad), "{text}");
    assert!(!text.contains("<script"), "{text}");
}

#[test]
fn sarif_fingerprints_are_stable_and_distinct() {
    let results = |count| {
        let text = report_of(&trajectories(count, "x"), "a b/ü.json", ReportFormat::Sarif);
        let log: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        log["runs"][0]["results"]
            .as_array()
            .expect("results")
            .clone()
    };
    let (one, two) = (results(1), results(2));
    assert_eq!((one.len(), two.len()), (3, 6));
    let fingerprint = |result: &serde_json::Value| result["partialFingerprints"].to_string();
    assert_eq!(fingerprint(&one[2]), fingerprint(&two[2]));
    assert_ne!(fingerprint(&one[0]), fingerprint(&one[1]));
    let place = &one[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a%20b/%C3%BC.json");
    assert_eq!(place["region"]["startLine"], 3);
    let levels: Vec<_> = one.iter().map(|result| &result["level"]).collect();
    assert_eq!(levels, ["warning", "warning", "error"]);
}

#[test]
fn rule_ids_are_distinct_and_complete() {
    use super::rules::Rule;
    let ids: std::collections::BTreeSet<_> = Rule::all().map(|rule| rule.id()).collect();
    assert_eq!(ids.len(), Rule::all().count());
}

#[test]
fn a_page_contains_no_markup_of_the_input_and_loads_nothing() {
    let text = report_of(&trajectories(600, HOSTILE), HOSTILE, ReportFormat::Html);
    assert_eq!(text.matches("<details class=\"trajectory\"").count(), 500);
    assert!(text.contains("100 more trajectories left out"));
    for markup in [
        "<script", " src=", " href=", "url(", "@import", "\0", "\u{1b}", "\u{202e}",
    ] {
        assert!(!text.contains(markup), "{markup}");
    }
    assert_eq!(
        text.matches("</b>").count(),
        text.matches("<b").count() - text.matches("<body").count()
    );
}

#[test]
fn the_parts_of_a_batch_form_one_report_in_every_format() {
    let (one, two) = (trajectories(3, "x"), trajectories(2, "y"));
    let unread = r#"{"shape": "of nothing known"}"#;
    let clean = r#"{"turns": [{"turn_id": 1, "role": "agent", "content": "", "tool_calls": [{"name": "send", "arguments": {"to": "a"}, "result": 1}]}]}"#;
    let report = |format| report_of_all(&[&one, unread, clean, &two], "runs.jsonl", format);

    let junit = report(ReportFormat::Junit);
    assert_eq!(junit.matches("<testsuite ").count(), 4, "{junit}");
    assert_eq!(junit.matches("<testcase ").count(), 7, "{junit}");
    assert!(
        junit.contains("name=\"line 4\" time=\"0\">\n      <error type=\"unknown_format\""),
        "{junit}"
    );
    assert!(!junit.contains("\"gate\""), "{junit}");

    let sarif: serde_json::Value =
        serde_json::from_str(&report(ReportFormat::Sarif)).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 16);
    let unread = &results[9];
    assert_eq!(unread["ruleId"], "unread_document");
    let region = &unread["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region["startLine"], 4);

    let github = report(ReportFormat::Github);
    assert!(
        github.contains("::error file=runs.jsonl,line=4,title=not read::"),
        "{github}"
    );
    assert_eq!(github.lines().count(), 7 + 10, "{github}");

    let markdown = report(ReportFormat::Markdown);
    assert!(markdown.contains("6 trajectories, 1 clean"), "{markdown}");
    assert!(markdown.contains("1 of 4 documents not read"), "{markdown}");
    assert_eq!(markdown.matches("<details>").count(), 5, "{markdown}");

    let html = report(ReportFormat::Html);
    assert_eq!(html.matches("<details class=\"trajectory\"").count(), 6);
    assert!(html.contains("runs.jsonl · line 4: "), "{html}");
}

#[test]
fn a_failed_gate_without_failed_trajectories_is_in_junit() {
    let silent = r#"{"turns": [{"turn_id": 1, "role": "agent", "content": "Hi."}]}"#;
    let text = report_of(silent, "runs.json", ReportFormat::Junit);
    assert!(text.contains("name=\"gate\""), "{text}");
    assert!(text.contains("no tools were called"), "{text}");
}

/// Renders the report of scores, each document in a part of its own.
fn scores_of(expected: &str, documents: &[&str], source: &str, format: ReportFormat) -> String {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let read = |text: &str| reader.read_text(arena.alloc_str(text));
    let expected = ExpectedSet::read(read(expected).expect("JSON"), reader);
    let expected = arena.alloc(expected.expect("expectations"));
    let setting = ScoreSetting {
        format: None,
        expected,
        options: &ScoreOptions::default(),
        comparing: &Comparing::new(&NoComparators, Limits::default()),
        task_key: None,
        pass_score: 1.0,
    };
    let mut summary = ScoreSummary::default();
    let mut parts = Vec::new();
    let mut digest = format.digest(0);
    for (at, text) in documents.iter().enumerate() {
        let place = Place {
            source: Some(source),
            line: Some(at + 3),
        };
        let json = read(text).map_err(|error| error.report());
        let document = ScoredDocument::score(place, json, setting, reader);
        document.add_to(&mut summary);
        let mut part = ResultPart::new(ResultStyle {
            format,
            layout: Layout::default(),
            show: Show::All,
            names_source: false,
            least_rank: digest.as_ref().map(Digest::least_rank).unwrap_or_default(),
        });
        add_scores(&document, &mut part);
        let part = part.finish();
        match &mut digest {
            Some(digest) => digest.merge(serde_json::from_str(&part).expect("a digest")),
            None if part.is_empty() => {}
            None => parts.push(part),
        }
    }
    let gate = summary.gate(&ScoreGate {
        min_score: Some(0.9),
        ..ScoreGate::default()
    });
    let trials = summary.finish(false);
    let sources = [source.to_owned()];
    let opening = ResultOpening {
        command: "score",
        sources: &sources,
    };
    let closing = Some((&summary, &gate, trials.as_ref()));
    let digest = digest.unwrap_or_default();
    let frame = score_frame(format, opening, closing, &digest, Layout::default());
    let parts = parts.join(frame.separator);
    frame.head + &parts + frame.tail.as_deref().unwrap_or_default()
}

/// Expects a call that [`trajectories`] make, one with other arguments, one that they do not make, and forbids one.
fn expectations(text: &str) -> String {
    let text = serde_json::to_string(text).expect("JSON");
    format!(
        r#"{{"calls": [{{"tool": "send", "args": {{}}}}, {{"tool": "send", "args": {{"to": "b"}}}}, {{"tool": "missing", "args": {{{text}: 1}}}}],
            "forbidden": [{{"tool": {text}}}]}}"#
    )
}

#[test]
fn scores_have_no_control_characters_and_no_markup_in_any_format() {
    for &format in ReportFormat::VARIANTS {
        let logs = trajectories(2, HOSTILE);
        let text = scores_of(&expectations(HOSTILE), &[&logs, "{"], "runs.json", format);
        let bad = |c: char| c.is_control() && c != '\n';
        assert!(
            !text.is_empty() && !text.contains(bad),
            "{format:?}: {text}"
        );
        if !matches!(format, ReportFormat::Json | ReportFormat::Jsonl) {
            assert!(!text.contains("\u{202e}"), "{format:?}: {text}");
        }
        match format {
            ReportFormat::Junit | ReportFormat::Html => {
                assert!(!text.contains("<script"), "{format:?}: {text}");
            }
            ReportFormat::Markdown => {
                let markup = ["<script", "@octocat", "](", "://"];
                assert!(!markup.iter().any(|it| text.contains(it)), "{text}");
            }
            _ => {}
        }
    }
}

#[test]
fn a_wrong_missed_extra_or_forbidden_call_is_a_finding_with_its_place() {
    let (log, good) = (
        trajectories(1, "x"),
        r#"{"turns": [{"turn_id": 1, "role": "agent", "content": "", "tool_calls": [
        {"name": "send", "arguments": {}}, {"name": "send", "arguments": {"to": "b"}}, {"name": "missing", "arguments": {"x": 1}}]}]}"#,
    );
    let report = |format| {
        let expected = expectations("x");
        scores_of(&expected, &[&log, good, "{", &log], "runs.jsonl", format)
    };
    let junit = report(ReportFormat::Junit);
    assert_eq!(junit.matches("<testcase ").count(), 4, "{junit}");
    assert_eq!(junit.matches("<error ").count(), 1, "{junit}");
    for kind in ["wrong_call", "missed_call", "forbidden_call"] {
        let failures = junit.matches(&format!("<failure type=\"{kind}\"")).count();
        assert_eq!(failures, 2, "{kind}: {junit}");
    }
    assert!(
        junit.contains("forbidden_call turn 1, call 1, x"),
        "{junit}"
    );
    assert!(
        junit.contains("args.to: expected &quot;b&quot;, got &quot;x&quot;"),
        "{junit}"
    );

    let sarif = report(ReportFormat::Sarif);
    let sarif: serde_json::Value = serde_json::from_str(&sarif).expect("JSON");
    let run = &sarif["runs"][0];
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 7);
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(
            run["tool"]["driver"]["rules"][index]["id"],
            result["ruleId"]
        );
        assert!(result["locations"][0]["physicalLocation"]["region"]["startLine"].is_u64());
    }
    assert_eq!(results[0]["ruleId"], "expected/wrong_call");
    let place = &results[0]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"];
    assert_eq!(place, "x/turn 1/call 2");

    let github = report(ReportFormat::Github);
    let lines: Vec<_> = github.lines().collect();
    assert_eq!(lines.len(), 8, "{github}");
    assert!(
        lines[0].contains("title=toolgauge%3A the gate failed::1 of 4 documents could not be read; 2 forbidden calls were made: x"),
        "{github}"
    );
    assert!(
        github.contains(
            "::error file=runs.jsonl,line=3,title=forbidden_call%3A x::x, turn 1, call 1:"
        ),
        "{github}"
    );

    let markdown = report(ReportFormat::Markdown);
    assert!(markdown.contains("| `forbidden_call` | 2 |"), "{markdown}");
    assert!(markdown.contains("1 of 4 documents not read"), "{markdown}");
    assert_eq!(markdown.matches("<details>").count(), 2, "{markdown}");
    assert!(
        markdown.contains("| Trials | 2 trials of 1 task, 0 passed"),
        "{markdown}"
    );

    let html = report(ReportFormat::Html);
    assert_eq!(
        html.matches("<details class=\"trajectory\"").count(),
        3,
        "{html}"
    );
    assert!(html.contains("<h2 id=\"trials\">Trials</h2>"), "{html}");
    assert!(html.contains("toolgauge score"), "{html}");
}

#[test]
fn trials_are_in_the_reports_of_a_check() {
    let log = trajectories(1, "x");
    let good = r#"{"trajectory_id": "x", "turns": [{"turn_id": 1, "role": "agent", "content": "", "tool_calls": [{"name": "send", "arguments": {"to": "a"}, "result": 1}]}]}"#;
    for (format, told) in [
        (
            ReportFormat::Pretty,
            "flaky    x: 1 of 2 passed, mean score",
        ),
        (ReportFormat::Markdown, "| x (flaky) | 1 of 2 |"),
        (
            ReportFormat::Html,
            "<th scope=\"row\">x (flaky)</th><td>1 of 2</td>",
        ),
        (
            ReportFormat::Json,
            "\"estimates\":[{\"k\":1,\"tasks\":1,\"passAt\":0.5,\"passHat\":0.5}",
        ),
    ] {
        let text = report_of_all(&[&log, good], "runs.jsonl", format);
        assert!(text.contains(told), "{format:?}: {text}");
        let alone = report_of_all(&[&log], "runs.jsonl", format);
        for word in ["flaky", "pass@k", "estimates"] {
            assert!(!alone.contains(word), "{format:?}: {alone}");
        }
    }
}
