//! Reads expected calls that other projects write down as expectations: `{calls:
//! [{tool, args, matchers}]}`, or an answer of the Berkeley Function Calling Leaderboard.

use serde::Serialize;
use strum::{IntoStaticStr, VariantArray};

use crate::kit::answers::read_answers;
use crate::kit::fields::Fields;
use crate::kit::{Import, Imported, TrajectoryFormat};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{ExpectedCall, Json, Member, Path, Reader, Trajectory};

/// The formats that expectations are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, IntoStaticStr, VariantArray)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum ExpectationFormat {
    /// toolgauge's own: `{calls, forbidden, order, matchers}`, taken as it is.
    Expectations,
    /// A list of calls, `[{tool, args}]`.
    Calls,
    /// An answer of the Berkeley Function Calling Leaderboard.
    Bfcl,
    /// A trajectory in any known format that holds expected calls.
    Trajectory,
}

/// Whether `document` is an object of expectations: `{calls, …}` or `{turns: [{calls}, …], …}`. The turns of a
/// trajectory have roles.
pub fn are_expectations(document: Json<'_>) -> bool {
    matches!(document.get("calls"), Some(Json::Array(_))) || are_by_turns(document)
}

fn are_by_turns(document: Json<'_>) -> bool {
    let turns = document.get("turns").and_then(Json::items);
    let is_expected = |turn: &Json<'_>| {
        matches!(turn.get("calls"), Some(Json::Array(_))) && turn.get("role").is_none()
    };
    turns.is_some_and(|turns| !turns.is_empty() && turns.iter().all(is_expected))
}

/// The expectations of a document that is written as such: toolgauge's own, or an answer of the Berkeley
/// Function Calling Leaderboard. `None` for any other document.
///
/// # Errors
/// [`Error::InvalidInput`] names the part of an answer that has another shape.
pub fn read_own<'a>(
    document: Json<'a>,
    reader: Reader<'a>,
) -> Result<Option<Imported<Json<'a>, ExpectationFormat>>> {
    let mut import = Import::new(reader);
    let (format, value) = if document.get("calls").is_some() || are_by_turns(document) {
        (ExpectationFormat::Expectations, document)
    } else if document.get("ground_truth").is_some() {
        (ExpectationFormat::Bfcl, read_answer(document, &mut import)?)
    } else {
        return Ok(None);
    };
    Ok(Some(Imported {
        value,
        format,
        warnings: import.warnings,
    }))
}

/// The expectations that a list of calls states. Calls in toolgauge's own shape stay as they are, any
/// other becomes `{tool, args}`.
///
/// # Errors
/// [`Error::InvalidInput`] names the item that is not a call.
pub fn read_calls<'a>(
    items: &[Json<'a>],
    reader: Reader<'a>,
) -> Result<Imported<Json<'a>, ExpectationFormat>> {
    let is_own = |item: Json<'a>| {
        item.as_str().is_some()
            || ["tool", "anyOf", "sequence", "unordered"]
                .iter()
                .any(|key| item.get(key).is_some())
    };
    let import = Import::new(reader);
    let mut calls = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if is_own(*item) {
            calls.push(*item);
        } else {
            let fields = Fields::of(*item, Path::root().index(at), "a call: {tool, args}")?;
            calls.push(of_call(&fields.call(reader)?, &import));
        }
    }
    Ok(Imported {
        value: of_list(&calls, &import),
        format: ExpectationFormat::Calls,
        warnings: Vec::new(),
    })
}

/// The expectations that a trajectory contains, or else those that its expected calls state.
///
/// # Errors
/// [`Error::InvalidInput`] if the trajectory has no expected calls.
pub fn of_trajectory<'a>(
    trajectory: Imported<Trajectory<'a>, TrajectoryFormat>,
    reader: Reader<'a>,
) -> Result<Imported<Json<'a>, ExpectationFormat>> {
    let import = Import::new(reader);
    let Trajectory { expected_calls, .. } = &trajectory.value;
    let of_expected = || Some(of_calls(expected_calls.as_deref()?, &import));
    let stated = trajectory.value.expectations().or_else(of_expected);
    let value = stated.ok_or_else(|| {
        let actual = format!("none in what is read as {}", trajectory.format.label());
        Error::invalid_input(Path::root(), "expected calls", actual)
    })?;
    Ok(Imported {
        value,
        format: ExpectationFormat::Trajectory,
        warnings: trajectory.warnings,
    })
}

fn of_calls<'a>(calls: &[ExpectedCall<'a>], import: &Import<'a>) -> Json<'a> {
    let calls: Vec<_> = calls.iter().map(|call| of_call(call, import)).collect();
    of_list(&calls, import)
}

fn of_call<'a>(call: &ExpectedCall<'a>, import: &Import<'a>) -> Json<'a> {
    let members = [("tool", Json::String(call.tool)), ("args", call.args)];
    object(import, &members)
}

fn of_list<'a>(calls: &[Json<'a>], import: &Import<'a>) -> Json<'a> {
    object(import, &[("calls", array(import, calls))])
}

fn object<'a>(import: &Import<'a>, members: &[Member<'a>]) -> Json<'a> {
    Json::Object(import.arena().alloc_slice_copy(members))
}

fn array<'a>(import: &Import<'a>, items: &[Json<'a>]) -> Json<'a> {
    Json::Array(import.arena().alloc_slice_copy(items))
}

/// The expectations of an answer of the Berkeley Function Calling Leaderboard.
fn read_answer<'a>(document: Json<'a>, import: &mut Import<'a>) -> Result<Json<'a>> {
    let fields = Fields::of(document, Path::root(), "an answer: {id, ground_truth}")?;
    let truth = fields.items(
        "ground_truth",
        "a list of calls: {tool: {argument: [value, …]}}",
    )?;
    read_answers(truth, &Path::root().key("ground_truth"), import)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ImportWarning;
    use crate::import_expectations;
    use bumpalo::Bump;
    use toolgauge_model::Limits;
    use toolgauge_model::testing::arena_json;

    fn imported(text: &str) -> (String, ExpectationFormat, Vec<ImportWarning>) {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let read = import_expectations(arena_json(&arena, text), reader).expect("expectations");
        (
            serde_json::to_string(&read.value).expect("JSON"),
            read.format,
            read.warnings,
        )
    }

    #[test]
    fn call_lists_own_files_and_trajectories_are_expectations() {
        let (value, format, _) = imported(r#"[{"name":"f","arguments":{"n":1}}]"#);
        assert_eq!(
            (value.as_str(), format),
            (
                r#"{"calls":[{"tool":"f","args":{"n":1}}]}"#,
                ExpectationFormat::Calls
            )
        );
        let own = r#"{"calls":[],"order":"strict"}"#;
        assert_eq!(imported(own).0, own);
        let list = r#"["f",{"anyOf":["g"]},{"tool":"h","matchers":{"n":"type"},"times":2}]"#;
        assert_eq!(imported(list).0, format!(r#"{{"calls":{list}}}"#));
        let (value, format, _) =
            imported(r#"{"traj":[],"info":{"task":{"actions":[{"name":"f","kwargs":{}}]}}}"#);
        assert_eq!(
            (value.as_str(), format),
            (
                r#"{"calls":[{"tool":"f","args":{}}]}"#,
                ExpectationFormat::Trajectory
            )
        );
    }

    #[test]
    fn the_error_for_an_odd_answer_names_its_path() {
        let cases = [
            (r#"{"ground_truth":{}}"#, Some("ground_truth")),
            (
                r#"{"ground_truth":[{"a":{},"b":{}}]}"#,
                Some("ground_truth[0]"),
            ),
            (
                r#"{"ground_truth":[{"f":{"n":1}}]}"#,
                Some("ground_truth[0].f.n"),
            ),
            (r#"{"ground_truth":[{"f":[]}]}"#, Some("ground_truth[0].f")),
            (r#"{"turns":[]}"#, None),
            (r#"{"what":[]}"#, None),
        ];
        for (text, place) in cases {
            let arena = Bump::new();
            let reader = Reader::new(&arena, Limits::default());
            let error = import_expectations(arena_json(&arena, text), reader).expect_err(text);
            assert_eq!(error.report().path.as_deref(), place, "{text}: {error}");
        }
    }
}
