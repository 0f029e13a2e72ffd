//! Reads expected and actual calls from lists, expectation files and trajectories.

use super::Run;
use toolgauge_formats::{are_expectations, import_trajectory, is_call_list, read_list};
use toolgauge_matching::Expectations;
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path, Reader};

/// The two sides of a comparison.
#[derive(Debug, Clone)]
pub struct CallLists<'a> {
    /// The expectations.
    pub expected: Expectations<'a>,
    /// What was called.
    pub actual: Run<'a>,
    /// The tool definitions that the trajectory with the actual calls contains.
    pub tools: Option<Json<'a>>,
}

/// Reads the calls of two documents. `expected` is a list of expected calls, an object of expectations, or
/// one trajectory in any format. Of a trajectory, the expected calls that it contains are used, or else the
/// calls made in it. `actual` is a list of calls or one trajectory. Without `expected`, the actual document
/// must contain the expected calls.
///
/// # Errors
/// As [`import_trajectory`] and [`Expectations::read`]; paths start with `expected` or `actual`.
pub fn import_call_lists<'a>(
    expected: Option<Json<'a>>,
    actual: Json<'a>,
    reader: Reader<'a>,
) -> Result<CallLists<'a>> {
    let expected_at = Path::root().key("expected");
    let made =
        read_calls(actual, reader).map_err(|error| error.inside(&Path::root().key("actual")))?;
    let expected = match expected {
        Some(document) if are_expectations(document) || is_call_list(document) => {
            Expectations::read(document, &expected_at, reader)?
        }
        Some(document) => {
            let calls = read_calls(document, reader).map_err(|error| error.inside(&expected_at))?;
            calls.expectations()
        }
        None => made.expected.ok_or_else(|| {
            let actual = "no expected calls in the actual ones".to_owned();
            Error::invalid_input(expected_at, "a list of calls", actual)
        })?,
    };
    Ok(CallLists {
        expected,
        actual: made.made,
        tools: made.tools,
    })
}

struct DocumentCalls<'a> {
    expected: Option<Expectations<'a>>,
    made: Run<'a>,
    tools: Option<Json<'a>>,
}

impl<'a> DocumentCalls<'a> {
    /// Returns the expected calls that the document contains, or else those that were made in it.
    fn expectations(self) -> Expectations<'a> {
        match self.expected {
            Some(expected) => expected,
            None => {
                let made: Vec<_> = self.made.calls.iter().map(|call| call.made).collect();
                Expectations::of_made(&made)
            }
        }
    }
}

fn read_calls<'a>(document: Json<'a>, reader: Reader<'a>) -> Result<DocumentCalls<'a>> {
    if is_call_list(document) {
        let items = document.items().unwrap_or_default();
        return Ok(DocumentCalls {
            expected: None,
            made: Run::of_calls(&read_list(items, &Path::root(), reader)?).with_outcomes(items),
            tools: None,
        });
    }
    let trajectory = import_trajectory(document, None, reader)?.value;
    Ok(DocumentCalls {
        made: Run::of(&trajectory),
        tools: trajectory.tools,
        expected: Expectations::in_trajectory(&trajectory, reader)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bumpalo::Bump;
    use toolgauge_model::Limits;
    use toolgauge_model::testing::arena_json;

    #[test]
    fn calls_come_from_lists_expectations_and_trajectories() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let list = arena_json(
            &arena,
            r#"[{"tool":"f","args":{"n":1}},{"name":"g","arguments":{}},{"tool":"h"}]"#,
        );
        let rollout = arena_json(
            &arena,
            r#"{"traj":[],"info":{"task":{"actions":[{"name":"f","kwargs":{}}]}}}"#,
        );
        let lists = import_call_lists(Some(list), list, reader).expect("two lists");
        let expected: Vec<_> = lists
            .expected
            .calls
            .iter()
            .map(|call| call.call())
            .collect();
        let made = lists.actual.calls.iter().map(|call| call.made.call);
        assert_eq!(expected, made.collect::<Vec<_>>());
        let tools: Vec<_> = expected.iter().map(|call| call.tool).collect();
        assert_eq!(tools, ["f", "g", "h"]);
        let file = arena_json(&arena, r#"{"calls":[{"tool":"f"}],"order":"strict"}"#);
        let read = import_call_lists(Some(file), list, reader).expect("expectations");
        assert_eq!(read.expected.calls.len(), 1);
        let own = import_call_lists(None, rollout, reader).expect("a rollout");
        assert_eq!((own.expected.calls.len(), own.actual.calls.len()), (1, 0));
        let error = import_call_lists(None, list, reader).expect_err("no expected calls");
        assert_eq!(error.report().path.as_deref(), Some("expected"));
        let wrong = arena_json(&arena, r#"[{"tool":"f"},{"args":{}}]"#);
        let error = import_call_lists(Some(list), wrong, reader).expect_err("a nameless call");
        assert_eq!(error.report().path.as_deref(), Some("actual[1].tool"));
        let error = import_call_lists(Some(wrong), list, reader).expect_err("a nameless call");
        assert_eq!(error.report().path.as_deref(), Some("expected[1].tool"));
    }
}
