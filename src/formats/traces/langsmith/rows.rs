//! Rows of LangSmith datasets and experiments: examples `{inputs, outputs}`, whose outputs are the reference;
//! examples with their `runs`; results `{run, example}`; and rows `{inputs, outputs, reference_outputs}`. The calls
//! in the reference are the expected calls.

use super::super::messages::text_in;
use super::super::trace::Trace;
use crate::kit::calls::{by_name, made_in, read_list};
use crate::kit::fields::Fields;
use crate::kit::{Import, Likeness};
use toolgauge_model::error::Result;
use toolgauge_model::{ExpectedCall, Json, Member, Path, Role, ToolCall, Trajectory, Turn};

const INPUTS: &str = "inputs";
const OUTPUTS: &str = "outputs";
const REFERENCE: &str = "reference_outputs";

/// Members of outputs that may list calls, or the names of tools. The first with calls counts.
const CALLS: [&str; 12] = [
    "expected_tool_calls",
    "reference_tool_calls",
    "expected_calls",
    "expected_tools",
    "expected_trajectory",
    "tool_calls",
    "toolCalls",
    "tools_called",
    "tool_uses",
    "trajectory",
    "tools",
    "steps",
];

/// What a reference says of calls.
#[derive(Default)]
pub struct Reference<'a> {
    /// The expected calls; `None` if the reference says nothing about calls.
    pub calls: Option<Vec<ExpectedCall<'a>>>,
    /// The same as expectations, if the reference only has names.
    pub expectations: Option<Member<'a>>,
}

impl<'a> Reference<'a> {
    /// `members` with the expectations.
    pub fn beside(&self, members: &'a [Member<'a>], import: &Import<'a>) -> &'a [Member<'a>] {
        match self.expectations {
            Some(expectations) => {
                let all: Vec<_> = members.iter().copied().chain([expectations]).collect();
                import.arena().alloc_slice_copy(&all)
            }
            None => members,
        }
    }
}

/// Calls that a member of outputs lists, and whether it only has their names.
type Listed<'a> = (Vec<ExpectedCall<'a>>, bool);

/// The id of the example, which the runs of it share.
pub fn example_of<'a>(run: &Fields<'a>) -> Option<&'a str> {
    run.text("reference_example_id")
}

/// The reference outputs that are beside a run.
pub fn reference_of<'a>(run: &Fields<'a>) -> Option<(Json<'a>, Path)> {
    let own = run.get(REFERENCE).map(|it| (it, run.path().key(REFERENCE)));
    let of_example = ["reference_example", "example"].iter().find_map(|key| {
        let outputs = run.get(key)?.get(OUTPUTS)?;
        Some((outputs, run.path().key(key).key(OUTPUTS)))
    });
    own.or(of_example)
        .filter(|(reference, _)| !reference.is_null())
}

/// How much a document looks like a row.
pub fn likeness(value: Json<'_>) -> Likeness {
    let is_object = |key: &str| value.get(key).is_some_and(|it| it.members().is_some());
    if is_object("run") && is_object("example") {
        return Likeness::Full;
    }
    let is_missing = |key: &str| value.get(key).is_some_and(Json::is_null);
    let has_reference = value.get(REFERENCE).is_some();
    let has_outputs = is_object(OUTPUTS) || is_missing(OUTPUTS);
    let is_other = ["run_type", "role", "type"]
        .iter()
        .any(|key| value.get(key).is_some());
    match is_object(INPUTS) && (has_outputs || has_reference) && !is_other {
        true => Likeness::Full,
        false => Likeness::None,
    }
}

/// Reads a row; `read_run` reads a run in it.
pub fn read<'a>(
    value: Json<'a>,
    import: &mut Import<'a>,
    read_run: fn(Fields<'a>, &mut Import<'a>) -> Result<Trajectory<'a>>,
) -> Result<Vec<Trajectory<'a>>> {
    let row = Fields::of(value, Path::root(), "a row: {inputs, outputs}")?;
    let what = "a run: {run_type, inputs, outputs}";
    if let (Some(run), Some(example)) = (row.get("run"), row.get("example")) {
        let example = Fields::of(
            example,
            row.path().key("example"),
            "an example: {inputs, outputs}",
        )?;
        let run = Fields::of(run, row.path().key("run"), what)?;
        return Ok(vec![with_example(read_run(run, import)?, &example, import)]);
    }
    let runs = row.optional_items("runs", "a list of runs")?;
    if runs.is_empty() {
        return Ok(vec![read_row(&row, import)]);
    }
    let path = row.path().key("runs");
    let runs = Fields::each(runs, &path, what);
    runs.map(|run| Ok(with_example(read_run(run?, import)?, &row, import)))
        .collect()
}

/// The trajectory of a run, with the id and the expected calls of its example.
fn with_example<'a>(
    run: Trajectory<'a>,
    example: &Fields<'a>,
    import: &mut Import<'a>,
) -> Trajectory<'a> {
    let path = example.path().key(OUTPUTS);
    let reference = match example.get(OUTPUTS) {
        Some(outputs) => expected_calls(example, (outputs, &path), import),
        None => Reference::default(),
    };
    Trajectory {
        trajectory_id: example.text("id").or(run.trajectory_id),
        extra: reference.beside(run.extra, import),
        expected_calls: reference.calls,
        ..run
    }
}

/// Reads a row without a run. Without `reference_outputs` its outputs are the reference, and nothing was done.
fn read_row<'a>(row: &Fields<'a>, import: &mut Import<'a>) -> Trajectory<'a> {
    let mut trace = Trace::default();
    let asked_at = row.path().key(INPUTS);
    say(&mut trace, row.get(INPUTS), Role::User, &asked_at, import);
    let outputs_at = row.path().key(OUTPUTS);
    let reference = match row.get(REFERENCE) {
        Some(reference) => {
            say(
                &mut trace,
                row.get(OUTPUTS),
                Role::Agent,
                &outputs_at,
                import,
            );
            (reference, row.path().key(REFERENCE))
        }
        None => {
            import.warn(
                row.path(),
                "this example holds no run: its outputs are what is expected, and no calls were made",
            );
            (row.get(OUTPUTS).unwrap_or_default(), outputs_at)
        }
    };
    let reference = expected_calls(row, (reference.0, &reference.1), import);
    let rest = row.rest(import.arena(), |key, value| {
        value.is_null() || matches!(key, "id" | INPUTS | OUTPUTS | REFERENCE | "tools" | "turns")
    });
    Trajectory {
        trajectory_id: row.text("id"),
        extra: reference.beside(rest, import),
        expected_calls: reference.calls,
        ..trace.into_trajectory(row.path(), import)
    }
}

/// The calls in reference outputs; `asked` is what holds the inputs, whose messages the outputs may repeat.
pub fn expected_calls<'a>(
    asked: &Fields<'a>,
    (reference, path): (Json<'a>, &Path),
    import: &mut Import<'a>,
) -> Reference<'a> {
    if reference.is_null() {
        return Reference::default();
    }
    if let Some((calls, are_names)) = listed_calls(reference, path, import) {
        return Reference {
            expectations: are_names.then(|| by_name(&calls, |_| true, import.arena())),
            calls: Some(calls),
        };
    }
    let mut trace = Trace::default();
    let asked_at = asked.path().key(INPUTS);
    say(&mut trace, asked.get(INPUTS), Role::User, &asked_at, import);
    let calls = match trace.known_messages(reference, Role::Agent, None, path, import) {
        true => Some(made_in(&trace.into_trajectory(path, import))),
        false => {
            let message = "this reference holds no tool calls and no messages: nothing is expected";
            import.warn(path, message);
            None
        }
    };
    Reference {
        calls,
        expectations: None,
    }
}

/// Adds what inputs or outputs hold: messages of any format, calls, or a text.
fn say<'a>(
    trace: &mut Trace<'a>,
    value: Option<Json<'a>>,
    role: Role,
    path: &Path,
    import: &mut Import<'a>,
) {
    let value = value.unwrap_or_default();
    if value.is_null() {
        return;
    }
    let calls = match role {
        Role::Agent => listed_calls(value, path, import),
        Role::User | Role::System => None,
    };
    if let Some((calls, _)) = calls {
        let calls = calls.into_iter().map(|call| ToolCall {
            name: Some(call.tool),
            arguments: Some(call.args),
            ..ToolCall::default()
        });
        trace.merge(vec![turn(role, "", calls.collect())]);
    } else if trace.known_messages(value, role, None, path, import) {
        return;
    }
    match text_in(value) {
        Some(text) => trace.merge(vec![turn(role, text, Vec::new())]),
        None if role == Role::User => {
            import.warn(path, "no messages and no question are found here")
        }
        None => {}
    }
}

/// The calls that a member of `outputs` lists; `None` if no member does.
fn listed_calls<'a>(outputs: Json<'a>, path: &Path, import: &Import<'a>) -> Option<Listed<'a>> {
    CALLS.iter().find_map(|key| {
        let items = import.nested(outputs.get(key)?).items()?;
        calls_of(items, &path.key(key), import)
    })
}

fn calls_of<'a>(items: &'a [Json<'a>], path: &Path, import: &Import<'a>) -> Option<Listed<'a>> {
    let names: Option<Vec<_>> = items.iter().map(|item| item.as_str()).collect();
    if let Some(names) = names.filter(|names| !names.is_empty()) {
        let calls = names.into_iter().map(|name| ExpectedCall::new(name, None));
        return Some((calls.collect(), true));
    }
    let is_call = |item: &Json<'a>| item.members().is_some() && item.get("role").is_none();
    match items.iter().all(is_call) {
        true => Some((read_list(items, path, import.reader).ok()?, false)),
        false => None,
    }
}

fn turn<'a>(role: Role, content: &'a str, tool_calls: Vec<ToolCall<'a>>) -> Turn<'a> {
    Turn {
        turn_id: 0,
        role,
        content,
        timestamp: None,
        tool_calls,
        extra: &[],
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use crate::kit::TrajectoryFormat;
    use crate::testing::{calls_of, imported};
    use toolgauge_model::Trajectory;

    const ASKED: &str = r#""id":"e1","inputs":{"question":"Weather in Oslo?","user":7}"#;
    const REFERENCE: &str = r#"{"messages":[{"role":"user","content":"Weather in Oslo?"},
        {"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Oslo\"}"}}]}]}"#;
    const RUN: &str = r#"{"id":"r1","run_type":"chain","name":"agent","inputs":{"messages":[{"type":"human","content":"Weather in Oslo?"}]},
        "outputs":{"messages":[{"type":"human","content":"Weather in Oslo?"},{"type":"ai","content":"","tool_calls":[{"name":"weather","args":{"city":"Bergen"},"id":"1"}]}]}}"#;
    const EXPECTED: &str = r#"[{"tool":"weather","args":{"city":"Oslo"}}]"#;

    fn expected_of(trajectory: &Trajectory<'_>) -> String {
        serde_json::to_string(&trajectory.expected_calls).expect("JSON")
    }

    #[test]
    fn examples_hold_what_is_expected() {
        let outputs = [
            REFERENCE,
            r#"{"tool_calls":[{"name":"weather","args":{"city":"Oslo"}}]}"#,
            r#"{"answer":"21","expected_tools":[{"name":"weather","arguments":"{\"city\":\"Oslo\"}"}]}"#,
        ];
        for outputs in outputs {
            let arena = Bump::new();
            let read = imported(
                &arena,
                &format!(r#"{{{ASKED},"outputs":{outputs},"metadata":null}}"#),
            );
            assert_eq!(read.format, TrajectoryFormat::Langsmith);
            let trajectory = &read.value[0];
            assert_eq!(trajectory.trajectory_id, Some("e1"));
            assert_eq!(expected_of(trajectory), EXPECTED, "{outputs}");
            assert_eq!(trajectory.turns[0].content, "Weather in Oslo?");
            assert_eq!(trajectory.call_count(), 0);
            assert_eq!(read.warnings.len(), 1, "{:?}", read.warnings);
        }
    }

    #[test]
    fn runs_get_what_their_example_expects() {
        let rows = [
            format!(
                r#"{{"run":{RUN},"example":{{{ASKED},"outputs":{REFERENCE}}},"evaluation_results":{{}}}}"#
            ),
            format!(r#"{{{ASKED},"outputs":{REFERENCE},"runs":[{RUN}]}}"#),
            format!(
                r#"{{{ASKED},"outputs":{{"tool_calls":[{{"name":"weather","args":{{"city":"Bergen"}}}}]}},"reference_outputs":{REFERENCE}}}"#
            ),
        ];
        for row in rows {
            let arena = Bump::new();
            let read = imported(&arena, &format!("[{row},{row}]"));
            assert_eq!(read.format, TrajectoryFormat::Langsmith);
            let trajectory = &read.value[1];
            assert_eq!(trajectory.trajectory_id, Some("e1"), "{row}");
            assert_eq!(expected_of(trajectory), EXPECTED, "{row}");
            assert!(
                calls_of(trajectory)[0].contains(r#""arguments":{"city":"Bergen"}"#),
                "{row}"
            );
            assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        }
    }

    #[test]
    fn a_run_may_carry_its_reference() {
        let arena = Bump::new();
        let run = RUN.replacen(
            "{",
            &format!(r#"{{"reference_example_id":"e1","reference_outputs":{REFERENCE},"#),
            1,
        );
        let read = imported(&arena, &format!("[{run}]"));
        assert_eq!(read.value[0].trajectory_id, Some("e1"));
        assert_eq!(expected_of(&read.value[0]), EXPECTED);
    }

    #[test]
    fn names_alone_are_expected_and_other_references_give_warnings() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"inputs":{"question":"a"},"outputs":{},"reference_outputs":{"trajectory":["f","g"]}},
                {"inputs":{"question":"a"},"outputs":{"answer":"A"},"reference_outputs":{"answer":"B"}},
                {"inputs":{"x":1,"y":2},"outputs":null}]"#,
        );
        assert_eq!(
            expected_of(&read.value[0]),
            r#"[{"tool":"f","args":{}},{"tool":"g","args":{}}]"#
        );
        assert_eq!(
            serde_json::to_string(&read.value[0].expectations()).expect("JSON"),
            r#"{"calls":[{"tool":"f","args":{},"matchers":"ignore"},{"tool":"g","args":{},"matchers":"ignore"}]}"#
        );
        assert_eq!(read.value[1].expected_calls, None);
        let places: Vec<_> = read.warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(
            places,
            ["[1].reference_outputs", "[2].inputs", "[2]", "[2]"]
        );
    }
}
