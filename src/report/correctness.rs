//! The report of test cases: the score of each and, unless it is perfect, its calls.

use super::compared::{CallVerdict, Compared, ComparedCall, ResultClosing, ResultOpening};
use super::paint::{Page, Tone, counted, visible};
use super::results::{
    INDENT, ResultPart, ResultStyle, ResultSummary, call_line, mean_line, result_frame,
    shown_place, unread_total,
};
use super::syntax::ReportFormat;
use super::{Digest, Frame, Layout, Show};
use crate::batch::{CorrectnessSummary, MeasuredDocument, Place};
use toolgauge_base::gate::Gate;
use toolgauge_base::issue::round;
use toolgauge_base::trials::Trials;
use toolgauge_model::{Json, Preview};
use toolgauge_score::{
    CalledTool, CorrectnessMode, CorrectnessOptions, CorrectnessResult, NamedCase, ToolCallParam,
    describe_differences, out_of_order,
};

/// Returns the frame of the report; without `closing` the part that is known before the end. `gathered` holds the
/// parts if they are gathered.
pub fn correctness_frame(
    format: ReportFormat,
    (sources, options): (&[String], &CorrectnessOptions),
    closing: Option<(&CorrectnessSummary, &Gate)>,
    gathered: &Digest,
    layout: Layout,
) -> Frame {
    let opening = ResultOpening {
        command: "correctness",
        sources,
    };
    let facts = facts_of(options);
    let closing = closing.map(|(summary, gate)| (summary, gate, None));
    result_frame(format, (opening, &facts), closing, gathered, layout)
}

/// Adds the test cases of a document to a part.
pub fn add_correctness<'d>(
    document: &'d MeasuredDocument<'_, 'd>,
    options: &CorrectnessOptions,
    part: &mut ResultPart,
) {
    part.add(
        (document.place, &document.outcome),
        document.verdicts(),
        |measured| {
            let cases = measured.cases.iter();
            let compared = cases.map(|case| compared_case(document.place, case, options));
            (compared.collect(), &measured.warnings)
        },
        |measured, style, page| {
            for (named, result) in &measured.cases {
                if shows(style.show, result) {
                    section(page, document.place, (named, result), options, style);
                }
            }
            &measured.warnings
        },
    );
}

/// The most characters of arguments.
const LONGEST_ARGUMENTS: usize = 300;

/// Returns a test case with its calls in the form that all reports for programs share.
fn compared_case<'d>(
    place: Place<'d>,
    (named, result): &'d (NamedCase<'d>, CorrectnessResult),
    options: &CorrectnessOptions,
) -> Compared<'d> {
    let case = &named.case;
    let compared = |verdict, at: Option<usize>, call: &CalledTool<'_>, notes| ComparedCall {
        verdict,
        place: at.map_or_else(String::new, |at| format!("call {}", at + 1)),
        tool: call.name.to_owned(),
        arguments: Preview::of(call.input_parameters, LONGEST_ARGUMENTS).to_string(),
        notes,
    };
    let matched = result.matched.iter().map(|matched| {
        let notes = describe_differences(case, options, matched);
        let verdict = match notes.is_empty() {
            true => CallVerdict::Correct,
            false => CallVerdict::Wrong,
        };
        let called = &case.tools_called[matched.called];
        compared(verdict, Some(matched.called), called, notes)
    });
    let moved = out_of_order(case, options, result);
    let missing = result.missing.iter().map(|at| {
        let verdict = match moved.binary_search(at) {
            Ok(_) => CallVerdict::Misplaced,
            Err(_) => CallVerdict::Missed,
        };
        compared(verdict, None, &case.expected_tools[*at], Vec::new())
    });
    let extra = result.extra.iter().map(|at| {
        let called = &case.tools_called[*at];
        compared(CallVerdict::Extra, Some(*at), called, Vec::new())
    });
    Compared {
        place,
        index: named.index,
        id: named.id,
        passed: result.success,
        score: round(result.score),
        facts: extent_of(named),
        calls: matched.chain(missing).chain(extra).collect(),
    }
}

fn extent_of(named: &NamedCase<'_>) -> String {
    format!(
        "{} expected · {} called",
        named.case.expected_tools.len(),
        named.case.tools_called.len()
    )
}

fn shows(show: Show, result: &CorrectnessResult) -> bool {
    match show {
        Show::All => true,
        Show::Issues => result.score < 1.0,
        Show::Failing => !result.success,
        Show::None => false,
    }
}

/// Says how calls are compared: `in order · names and arguments · threshold 0.5`.
fn facts_of(options: &CorrectnessOptions) -> Vec<String> {
    let mode = match options.mode() {
        CorrectnessMode::Exact => Some("the same calls at the same places"),
        CorrectnessMode::Ordering => Some("in order"),
        CorrectnessMode::Default => None,
    };
    let params = options.evaluation_params.iter().map(|param| match param {
        ToolCallParam::InputParameters => "arguments",
        ToolCallParam::Output => "outputs",
    });
    let compared = std::iter::once("names").chain(params).collect::<Vec<_>>();
    let threshold = match options.strict_mode {
        true => "strict".to_owned(),
        false => format!("threshold {}", options.threshold),
    };
    let mode = mode.map(str::to_owned).into_iter();
    mode.chain([compared.join(" and "), threshold]).collect()
}

fn section(
    page: &mut Page,
    place: Place<'_>,
    (named, result): (&NamedCase<'_>, &CorrectnessResult),
    options: &CorrectnessOptions,
    style: ResultStyle,
) {
    let is_long = result.score < 1.0;
    if is_long {
        page.gap();
    }
    let (mark, tone) = match (result.success, is_long) {
        (true, false) => ("✔", Tone::Good),
        (true, true) => ("▲", Tone::Doubtful),
        (false, _) => ("✖", Tone::Bad),
    };
    let facts = format!(
        "{}score {:.3} · {}",
        shown_place(place, style),
        round(result.score),
        extent_of(named)
    );
    page.trajectory(mark, tone, named.id, named.index, &facts);
    if is_long {
        calls(page, named, result, options);
        page.gap();
    }
}

fn calls(
    page: &mut Page,
    named: &NamedCase<'_>,
    result: &CorrectnessResult,
    options: &CorrectnessOptions,
) {
    let case = &named.case;
    if let Some(input) = named.input.filter(|input| !input.is_empty()) {
        let room = page.columns().saturating_sub(INDENT);
        let asked = Preview::of(Json::String(input), room).to_string();
        page.item(2, "asked", Tone::Quiet, INDENT - 2, &visible(&asked));
    }
    for matched in &result.matched {
        let called = &case.tools_called[matched.called];
        let differences = describe_differences(case, options, matched);
        let (tone, label) = match differences.is_empty() {
            true => (Tone::Good, "✔ correct"),
            false => (Tone::Bad, "✖ differs"),
        };
        tool_line(page, tone, label, called);
        for difference in differences {
            page.item(INDENT, "", Tone::Quiet, 0, &visible(&difference));
        }
    }
    let moved = out_of_order(case, options, result);
    for missing in &result.missing {
        let is_moved = moved.binary_search(missing).is_ok();
        let label = if is_moved { "✖ moved" } else { "− missed" };
        tool_line(page, Tone::Bad, label, &case.expected_tools[*missing]);
    }
    for extra in &result.extra {
        tool_line(page, Tone::Doubtful, "+ extra", &case.tools_called[*extra]);
    }
}

fn tool_line(page: &mut Page, tone: Tone, label: &str, call: &CalledTool<'_>) {
    call_line(page, tone, label, call.name, call.input_parameters);
}

impl ResultSummary for CorrectnessSummary {
    fn closing<'c>(&'c self, gate: &'c Gate, trials: Option<&'c Trials>) -> ResultClosing<'c> {
        let score = self.score;
        let score = score.map_or("none".to_owned(), |score| format!("{score:.3} (mean)"));
        ResultClosing {
            words: ("Test cases", "test case"),
            rows: vec![
                ("Measured", cases_text(self)),
                ("Calls", calls_text(self)),
                ("Score", score),
            ],
            counts: (self.cases, self.succeeded, self.perfect),
            scores: self.scores,
            documents: (self.documents, self.unread, self.warnings),
            trials,
            gate,
        }
    }

    fn totals(&self, gate: &Gate, _: Option<&Trials>, layout: Layout) -> String {
        let mut page = Page::new(layout);
        page.gap();
        page.item(0, "measured", Tone::Strong, 9, &cases_text(self));
        unread_total(&mut page, self.unread, self.documents);
        page.item(0, "calls", Tone::Strong, 9, &calls_text(self));
        mean_line(&mut page, self.score);
        page.gate(gate);
        page.into_text()
    }
}

fn cases_text(summary: &CorrectnessSummary) -> String {
    let mut cases = format!(
        "{}, {} perfect, {} passed",
        counted(summary.cases, "test case"),
        summary.perfect,
        summary.succeeded
    );
    if summary.unmeasured > 0 {
        let count = counted(summary.unmeasured, "trajectory");
        cases += &format!("; {count} without expected calls");
    }
    cases
}

fn calls_text(summary: &CorrectnessSummary) -> String {
    format!("{} expected, {} called", summary.expected, summary.called)
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::batch::CorrectnessGate;
    use toolgauge_base::options::Options;
    use toolgauge_model::{Limits, Reader};

    fn report(cases: &str, options: &str, show: Show) -> String {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let options = Options::parse(options.as_bytes()).and_then(CorrectnessOptions::read);
        let options = options.expect("options");
        let layout = Layout {
            color: false,
            width: 60,
        };
        let style = ResultStyle {
            format: ReportFormat::Pretty,
            layout,
            show,
            names_source: true,
            least_rank: 0,
        };
        let mut summary = CorrectnessSummary::default();
        let mut part = ResultPart::new(style);
        let place = Place {
            source: Some("a.json"),
            line: Some(3),
        };
        let json = reader
            .read(cases.as_bytes())
            .map_err(|error| error.report());
        let document = MeasuredDocument::measure(place, json, &options, reader);
        document.add_to(&mut summary);
        add_correctness(&document, &options, &mut part);
        let gate = summary.gate(CorrectnessGate::default());
        let frame = correctness_frame(
            ReportFormat::Pretty,
            (&["a.json".to_owned()], &options),
            Some((&summary, &gate)),
            &Digest::default(),
            layout,
        );
        frame.head + &part.finish() + &frame.tail.unwrap_or_default()
    }

    const CASES: &str = r#"[
        {"id":"good","toolsCalled":[{"name":"f"}],"expectedTools":[{"name":"f"}]},
        {"id":"bad","input":"Rooms in Oslo","toolsCalled":[{"name":"f","inputParameters":{"n":1}},{"name":"g"}],
         "expectedTools":[{"name":"f","inputParameters":{"n":2}},{"name":"h"}]}]"#;

    #[test]
    fn each_case_is_listed_with_its_differences() {
        let text = report(
            CASES,
            r#"{"evaluationParams":["input_parameters"]}"#,
            Show::All,
        );
        assert_eq!(
            text,
            "toolgauge correctness  a.json · names and arguments · threshold 0.5\n\n\
✔ good  a.json · line 3 · score 1.000 · 1 expected · 1 called\n\n\
✖ bad  a.json · line 3 · score 0.000 · 2 expected · 2 called\n\
\x20 asked       \"Rooms in Oslo\"\n\
\x20 ✖ differs   f {\"n\": 1}\n\
\x20             args.n: expected 2, got 1\n\
\x20 − missed    h {}\n\
\x20 + extra     g {}\n\n\n\
measured 2 test cases, 1 perfect, 1 passed\n\
calls    3 expected, 3 called\n\
score    0.500 (mean)\n\
gate     failed: 1 of 2 test cases does not reach the\n\
\x20        threshold\n"
        );
    }

    #[test]
    fn calls_in_another_order_are_marked_as_moved() {
        let case = r#"{"toolsCalled":[{"name":"g"},{"name":"f"}],"expectedTools":[{"name":"f"},{"name":"g"}]}"#;
        let text = report(case, r#"{"shouldConsiderOrdering":true}"#, Show::All);
        assert!(
            text.contains("· in order · names · threshold 0.5"),
            "{text}"
        );
        assert!(text.contains("✖ moved"), "{text}");
        assert!(!text.contains("missing"), "{text}");
    }

    #[test]
    fn the_shown_cases_can_be_selected() {
        let shown = |show| {
            let text = report(CASES, "{}", show);
            ["✔ good", "▲ bad"].map(|mark| text.contains(mark))
        };
        assert_eq!(shown(Show::All), [true, true]);
        assert_eq!(shown(Show::Issues), [false, true]);
        assert_eq!(shown(Show::Failing), [false, false]);
        assert!(report("{", "{}", Show::None).contains("line 3  not read: not valid JSON"));
    }
}
