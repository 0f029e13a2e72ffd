//! Reads test cases of the correctness metric: test cases as they are, trajectories that carry their expected
//! calls, or two documents to compare.

use super::called_tool::{CalledTool, NameRule, TestCase, called_in, carried_tools};
use super::expected_tools::ExpectedTools;
use toolgauge_formats::{
    Fields, ImportWarning, are_expectations, import_messages, import_trajectories, is_call_list,
};
use toolgauge_matching::Expectations;
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path, Reader, Role, Trajectory};

/// The members of a test case; it has at least one of them.
const MEMBERS: [&str; 8] = [
    "toolsCalled",
    "tools_called",
    "expectedTools",
    "expected_tools",
    "agentTrajectory",
    "agent_trajectory",
    "expectedAgentTrajectory",
    "expected_agent_trajectory",
];

/// The members that hold the test cases of a run.
const LISTS: [&str; 2] = ["testCases", "test_cases"];

/// The test cases of one document.
#[derive(Debug, Clone, Default)]
pub struct TestCases<'a> {
    /// The test cases, in order.
    pub cases: Vec<NamedCase<'a>>,
    /// How many trajectories are not test cases because they do not contain expected calls.
    pub unmeasured: usize,
    /// What could not be read.
    pub warnings: Vec<ImportWarning>,
}

/// A test case with what identifies it.
#[derive(Debug, Clone)]
pub struct NamedCase<'a> {
    /// Its position in the document, from 0.
    pub index: usize,
    /// The id or name from the source.
    pub id: Option<&'a str>,
    /// What the user asked.
    pub input: Option<&'a str>,
    /// What is compared.
    pub case: TestCase<'a>,
}

/// Reads the test cases of a document: one, a list of them, `{testCases: […]}`, or trajectories in any known
/// format that carry their expected calls. Their calls are prepared: see [`TestCase::prepare`].
///
/// # Errors
/// As [`TestCase::read`] and [`import_trajectories`].
pub fn import_test_cases<'a>(
    document: Json<'a>,
    names: NameRule,
    reader: Reader<'a>,
) -> Result<TestCases<'a>> {
    let mut found = read_test_cases(document, reader)?;
    for named in &mut found.cases {
        let case = std::mem::take(&mut named.case);
        named.case = case.prepare(names, reader);
    }
    Ok(found)
}

fn read_test_cases<'a>(document: Json<'a>, reader: Reader<'a>) -> Result<TestCases<'a>> {
    if let Some(key) = LISTS.into_iter().find(|key| document.get(key).is_some()) {
        let cases = Fields::of(document, Path::root(), "test cases")?;
        return read_list(
            cases.items(key, "a list of test cases")?,
            &cases.path().key(key),
            reader,
        );
    }
    match document {
        Json::Array([]) => Ok(TestCases::default()),
        Json::Array(items) if items.iter().any(|item| is_test_case(*item)) => {
            read_list(items, &Path::root(), reader)
        }
        one if is_test_case(one) => Ok(TestCases {
            cases: vec![read_case(0, one, reader)?],
            ..TestCases::default()
        }),
        other => of_trajectories(other, reader),
    }
}

/// Reads a test case from two documents, each a list of calls or a trajectory in any known format. Of the
/// expected document, the expected calls that it contains are used, or else the calls made in it. The calls are
/// prepared: see [`TestCase::prepare`].
///
/// # Errors
/// As [`import_messages`]; paths start with `expected` or `actual`.
pub fn compared_case<'a>(
    expected: Json<'a>,
    actual: Json<'a>,
    names: NameRule,
    reader: Reader<'a>,
) -> Result<TestCase<'a>> {
    let mut available_tools = Vec::new();
    let inside = |name| move |error: Error| error.inside(&Path::root().key(name));
    let made = calls_of(actual, &mut available_tools, reader).map_err(inside("actual"))?;
    let wanted = expected_in(expected, &mut available_tools, reader).map_err(inside("expected"))?;
    let case = TestCase {
        tools_called: made,
        expected_tools: wanted.tools,
        has_matchers: wanted.has_matchers,
        available_tools,
    };
    Ok(case.prepare(names, reader))
}

fn is_test_case(value: Json<'_>) -> bool {
    MEMBERS.iter().any(|key| value.get(key).is_some())
}

fn read_list<'a>(items: &[Json<'a>], path: &Path, reader: Reader<'a>) -> Result<TestCases<'a>> {
    let read = |(index, item): (usize, &Json<'a>)| {
        read_case(index, *item, reader).map_err(|error| error.inside(&path.index(index)))
    };
    Ok(TestCases {
        cases: items.iter().enumerate().map(read).collect::<Result<_>>()?,
        ..TestCases::default()
    })
}

fn read_case<'a>(index: usize, item: Json<'a>, reader: Reader<'a>) -> Result<NamedCase<'a>> {
    let text = |keys: &[&str]| keys.iter().find_map(|key| item.get(key)?.as_str());
    Ok(NamedCase {
        index,
        id: text(&["id", "name"]),
        input: text(&["input"]),
        case: TestCase::read(item, None, reader)?,
    })
}

fn of_trajectories<'a>(document: Json<'a>, reader: Reader<'a>) -> Result<TestCases<'a>> {
    let imported = import_trajectories(document, None, reader)?;
    let mut found = TestCases {
        warnings: imported.warnings,
        ..TestCases::default()
    };
    for (index, trajectory) in imported.value.iter().enumerate() {
        let expected = match ExpectedTools::in_trajectory(trajectory, reader) {
            Ok(Some(expected)) => expected,
            Ok(None) => {
                found.unmeasured += 1;
                continue;
            }
            Err(error) => {
                found.unmeasured += 1;
                found.warnings.push(ImportWarning {
                    path: Path::root().index(index).to_string(),
                    message: format!("not measured: {error}"),
                });
                continue;
            }
        };
        found.cases.push(NamedCase {
            index,
            id: trajectory.trajectory_id,
            input: asked_in(trajectory),
            case: TestCase {
                tools_called: called_in(trajectory),
                expected_tools: expected.tools,
                has_matchers: expected.has_matchers,
                available_tools: carried_tools(trajectory, reader),
            },
        });
    }
    Ok(found)
}

/// Returns what the user says first.
fn asked_in<'a>(trajectory: &Trajectory<'a>) -> Option<&'a str> {
    let mut turns = trajectory.turns.iter();
    turns
        .find(|turn| turn.role == Role::User)
        .map(|turn| turn.content)
}

/// Reads the calls that a document expects: those of expectations, those that a trajectory contains as expected, or else
/// the calls in it.
fn expected_in<'a>(
    document: Json<'a>,
    available: &mut Vec<&'a str>,
    reader: Reader<'a>,
) -> Result<ExpectedTools<'a>> {
    if are_expectations(document) {
        let expectations = Expectations::read(document, &Path::root(), reader)?;
        return ExpectedTools::of(&expectations, &Path::root(), reader);
    }
    if !is_call_list(document) {
        let trajectory = import_messages(document, reader)?;
        if let Some(expected) = ExpectedTools::in_trajectory(&trajectory, reader)? {
            available.extend(carried_tools(&trajectory, reader));
            return Ok(expected);
        }
    }
    Ok(ExpectedTools {
        tools: calls_of(document, available, reader)?,
        has_matchers: false,
    })
}

/// Reads the calls that were made.
fn calls_of<'a>(
    document: Json<'a>,
    available: &mut Vec<&'a str>,
    reader: Reader<'a>,
) -> Result<Vec<CalledTool<'a>>> {
    if !is_call_list(document) {
        let trajectory = import_messages(document, reader)?;
        available.extend(carried_tools(&trajectory, reader));
        return Ok(called_in(&trajectory));
    }
    let items = document.items().unwrap_or_default();
    let read = |(at, item): (usize, &Json<'a>)| {
        let fields = Fields::of(*item, Path::root().index(at), "a call: {tool, args}")?;
        let output = fields.get("output").or_else(|| fields.get("result"));
        Ok(CalledTool {
            output: output.filter(|output| !output.is_null()),
            ..CalledTool::expected(fields.call(reader)?)
        })
    };
    items.iter().enumerate().map(read).collect()
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_model::Limits;
    use toolgauge_model::testing::arena_json;

    /// Returns for each case its position, id, question, and the names of the called and the expected tools.
    fn cases(text: &str) -> String {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let read = import_test_cases(arena_json(&arena, text), NameRule::Normalized, reader);
        let read = match read {
            Ok(read) => read,
            Err(error) => return error.to_string(),
        };
        let names = |tools: &[CalledTool<'_>]| {
            let names: Vec<_> = tools.iter().map(|tool| tool.name).collect();
            names.join("+")
        };
        let describe = |it: &NamedCase<'_>| {
            let (id, input) = (it.id.unwrap_or("-"), it.input.unwrap_or("-"));
            let (called, expected) = (names(&it.case.tools_called), names(&it.case.expected_tools));
            format!("{} {id} {input} {called}/{expected}", it.index)
        };
        let mut rows: Vec<_> = read.cases.iter().map(describe).collect();
        if read.unmeasured > 0 {
            rows.push(format!("{} not measured", read.unmeasured));
        }
        rows.join("; ")
    }

    #[test]
    fn cases_are_read_alone_from_lists_and_from_runs() {
        let one = r#"{"name":"n","input":"q","toolsCalled":[{"name":"f"}],"expected_tools":[{"name":"g"}]}"#;
        assert_eq!(cases(one), "0 n q f/g");
        assert_eq!(cases(&format!("[{one},{one}]")), "0 n q f/g; 1 n q f/g");
        assert_eq!(cases(&format!("{{\"testCases\":[{one}]}}")), "0 n q f/g");
        assert_eq!(cases("[]"), "");
    }

    #[test]
    fn trajectories_that_carry_expected_calls_are_cases() {
        let turns = r#""turns":[{"role":"user","content":"q"},{"role":"agent","tool_calls":[{"name":"f_x1y2"}]}]"#;
        let text = format!(
            r#"[{{"trajectory_id":"t",{turns},"expected_calls":[{{"tool":"f"}}]}},{{{turns}}}]"#
        );
        assert_eq!(cases(&text), "0 t q f/f; 1 not measured");
    }

    #[test]
    fn the_expectations_of_a_trajectory_are_expected() {
        let of = |expectations: &str| {
            let turns = r#""turns":[{"role":"agent","tool_calls":[{"name":"f"}]}]"#;
            let trajectory = format!(
                r#"{{"trajectory_id":"t",{turns},"expected_calls":[{{"tool":"h"}}],"expectations":{expectations}}}"#
            );
            (
                cases(&format!("[{trajectory}]")),
                cases(&format!(r#"{{"agentTrajectory":{trajectory}}}"#)),
            )
        };
        for (expectations, expected) in [
            (r#"{"calls":["f",{"tool":"g","optional":true}]}"#, "f"),
            (
                r#"{"calls":[{"tool":"f","times":{"min":2}}],"forbidden":["x"]}"#,
                "f+f",
            ),
            (
                r#"{"calls":[{"sequence":["f",{"unordered":["g"]}]}]}"#,
                "f+g",
            ),
            (
                r#"{"turns":[{"calls":["f"]},{"calls":["g","f"]}]}"#,
                "f+g+f",
            ),
            (r#"{"calls":[]}"#, ""),
        ] {
            let (in_run, alone) = of(expectations);
            assert_eq!(in_run, format!("0 t - f/{expected}"), "{expectations}");
            assert_eq!(alone, format!("0 - - f/{expected}"), "{expectations}");
        }
        for (expectations, found) in [
            (r#"{"calls":[{"anyOf":["f","g"]}]}"#, "alternatives"),
            (
                r#"{"calls":[{"anyOf":["f",{"sequence":["g"]}]}]}"#,
                "alternatives",
            ),
            (r#"{"calls":["f*"]}"#, r#""f*""#),
        ] {
            let (in_run, alone) = of(expectations);
            assert_eq!(in_run, "1 not measured");
            assert!(
                alone.starts_with(
                    "agentTrajectory.expectations.calls: expected calls of one tool each"
                ),
                "{alone}"
            );
            assert!(alone.ends_with(&format!("got {found}")), "{alone}");
        }
    }

    #[test]
    fn no_more_calls_are_expected_than_the_limit_allows() {
        let arena = Bump::new();
        let limits = Limits {
            max_expected_calls: 5,
            ..Limits::default()
        };
        let reader = Reader::new(&arena, limits);
        let read = |times: usize| {
            let calls = format!(r#"["f",{{"tool":"f","times":{times}}}]"#);
            let text = format!(
                r#"{{"agentTrajectory":{{"turns":[{{"role":"agent"}}],"expectations":{{"calls":{calls}}}}}}}"#
            );
            import_test_cases(arena_json(&arena, &text), NameRule::Normalized, reader)
        };
        assert_eq!(
            read(4).expect("5 calls").cases[0].case.expected_tools.len(),
            5
        );
        let error = read(5).expect_err("6 calls").to_string();
        assert!(error.contains("limits.maxExpectedCalls is 5"), "{error}");
    }

    #[test]
    fn invalid_cases_are_reported_with_their_path() {
        let good = r#"{"toolsCalled":[],"expectedTools":[]}"#;
        let place = |text: &str| cases(text).split(':').next().unwrap_or_default().to_owned();
        assert_eq!(place(r#"{"toolsCalled":[]}"#), "expectedTools");
        assert_eq!(place(&format!("[{good},{{}}]")), "[1].toolsCalled");
        assert_eq!(place(&format!("[{good},7]")), "[1]");
        assert_eq!(
            place(r#"{"testCases":[{"toolsCalled":[{}]}]}"#),
            "testCases[0].toolsCalled[0].name"
        );
        assert_eq!(place(r#"{"testCases":7}"#), "testCases");
        assert_eq!(place(r#"{"a":1}"#), "no known trajectory format");
    }

    #[test]
    fn two_documents_make_a_case() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let made = arena_json(
            &arena,
            r#"{"turns":[{"role":"agent","tool_calls":[{"name":"f","arguments":{"n":1},"result":2}]}],"expected_calls":[{"tool":"g"}]}"#,
        );
        let list = arena_json(
            &arena,
            r#"[{"name":"f","inputParameters":{"n":1},"output":2},{"tool":"g","args":{}}]"#,
        );
        let case = compared_case(list, made, NameRule::Normalized, reader).expect("a case");
        assert_eq!(case.tools_called[0], case.expected_tools[0]);
        assert_eq!(case.expected_tools.len(), 2);
        let case = compared_case(made, list, NameRule::Normalized, reader).expect("a case");
        assert_eq!(case.expected_tools[0].name, "g");
        let wrong = arena_json(&arena, r#"[{"args":{}}]"#);
        let error =
            compared_case(list, wrong, NameRule::Normalized, reader).expect_err("a nameless call");
        assert_eq!(error.report().path.as_deref(), Some("actual[0].tool"));
    }
}
