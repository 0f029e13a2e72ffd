//! DeepEval, in snake or camel case: goldens and test cases `{input, actual_output, tools_called,
//! expected_tools}`, conversational ones `{turns: [{role, content, tools_called}]}`, and datasets of these.
//! The expected tools are the expected calls.

use crate::kit::calls::{by_name, read_list};
use crate::kit::conversation::Conversation;
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::signs::first_of;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{EXPECTATIONS, ExpectedCall, Json, Member, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Deepeval,
    marks: &[],
    likeness,
    read,
};

const CALLED: [&str; 2] = ["tools_called", "toolsCalled"];
const EXPECTED: [&str; 2] = ["expected_tools", "expectedTools"];
const OUTPUT: [&str; 2] = ["actual_output", "actualOutput"];
const EXPECTED_OUTPUT: [&str; 2] = ["expected_output", "expectedOutput"];
const ARGUMENTS: [&str; 2] = ["input_parameters", "inputParameters"];

/// The members of a dataset or a run that hold its rows.
const ROWS: [&str; 6] = [
    "goldens",
    "test_cases",
    "testCases",
    "conversational_goldens",
    "conversationalGoldens",
    "conversationalTestCases",
];

fn likeness(value: Json<'_>) -> Likeness {
    let holds_row = |rows: &[Json<'_>]| first_of(rows).iter().any(|row| is_row(*row));
    let mut lists = ROWS.iter().filter_map(|key| value.get(key)?.items());
    if is_row(value) || lists.any(holds_row) {
        return Likeness::Full;
    }
    let has = |keys: [&str; 2]| either(value, keys).is_some();
    let has_input = value
        .get("input")
        .is_some_and(|input| input.as_str().is_some());
    match has_input && (has(OUTPUT) || has(EXPECTED_OUTPUT)) {
        // Rows without tools may stand among others.
        true => Likeness::Plain,
        false => Likeness::None,
    }
}

fn is_row(value: Json<'_>) -> bool {
    let turns = value.get("turns").and_then(Json::items).unwrap_or_default();
    let has_list =
        |value: Json<'_>, keys| either(value, keys).is_some_and(|it| it.items().is_some());
    // Turns with numbers are toolgauge's own, and keep what was beside their calls.
    let is_turn = |turn: &Json<'_>| turn.get("role").is_some() && turn.get("turn_id").is_none();
    let calls_tools = |turn: &Json<'_>| is_turn(turn) && has_list(*turn, CALLED);
    let has_input = value
        .get("input")
        .is_some_and(|input| input.as_str().is_some());
    has_input && (has_list(value, CALLED) || has_list(value, EXPECTED))
        || turns.iter().any(calls_tools)
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let lists: Vec<_> = ROWS
        .iter()
        .filter_map(|key| Some((Path::root().key(key), value.get(key)?.items()?)))
        .collect();
    if lists.is_empty() {
        let fields = Fields::of(value, Path::root(), "a test case: {input, tools_called}")?;
        return Ok(vec![read_row(&fields, import)?]);
    }
    let mut read = Vec::new();
    for (path, rows) in lists {
        for row in Fields::each(rows, &path, "a test case: {input, tools_called}") {
            read.push(read_row(&row?, import)?);
        }
    }
    Ok(read)
}

fn read_row<'a>(row: &Fields<'a>, import: &mut Import<'a>) -> Result<Trajectory<'a>> {
    let mut conversation = Conversation::default();
    let path = row.path().key("turns");
    for turn in Fields::each(
        row.optional_items("turns", "a list of turns")?,
        &path,
        "a turn: {role, content}",
    ) {
        read_turn(&turn?, &mut conversation, import)?;
    }
    if let Some(input) = row.text("input") {
        conversation.turn(Role::User, input, Vec::new());
        read_answer(
            row,
            OUTPUT.into_iter().find_map(|key| row.text(key)),
            &mut conversation,
            import,
        )?;
        let was_run = [CALLED, OUTPUT]
            .into_iter()
            .any(|keys| present(row, keys).is_some());
        if !was_run {
            import.warn(
                row.path(),
                "this golden was not run: it has neither tools_called nor actual_output",
            );
        }
    }
    let (expected_calls, expectations) = read_expected(row, import)?;
    let rest = row.rest(import.arena(), |key, value| {
        value.is_null()
            || matches!(key, "input" | "turns" | "id")
            || is_one_of(key, &CALLED)
            || is_one_of(key, &EXPECTED)
            || is_one_of(key, &OUTPUT)
            || expectations.is_some() && key == EXPECTATIONS
    });
    let extra: Vec<_> = rest.iter().copied().chain(expectations).collect();
    Ok(Trajectory {
        trajectory_id: row.text("id").or(row.text("name")),
        turns: conversation.into_turns(),
        tools: None,
        expected_calls,
        extra: import.arena().alloc_slice_copy(&extra),
    })
}

fn read_turn<'a>(
    turn: &Fields<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let content = turn.text("content");
    match turn.text("role") {
        Some("user") => {
            conversation.turn(Role::User, content.unwrap_or_default(), Vec::new());
            Ok(())
        }
        Some(_) => read_answer(turn, content, conversation, import),
        None => Err(turn.mismatch("role", "user or assistant")),
    }
}

/// Adds the calls of a row or turn, and what the agent said afterwards.
fn read_answer<'a>(
    fields: &Fields<'a>,
    said: Option<&'a str>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    if let Some((calls, path)) = present(fields, CALLED) {
        let made = read_calls(calls, &path, import)?;
        if !made.is_empty() {
            conversation.turn(Role::Agent, "", made);
        }
    }
    if let Some(said) = said {
        conversation.turn(Role::Agent, said, Vec::new());
    }
    Ok(())
}

fn read_calls<'a>(
    calls: Json<'a>,
    path: &Path,
    import: &mut Import<'a>,
) -> Result<Vec<ToolCall<'a>>> {
    let mut made = Vec::new();
    for call in Fields::each(
        items_of(calls, path)?,
        path,
        "a tool call: {name, input_parameters}",
    ) {
        let call = call?;
        let Some(name) = call.text("name") else {
            return Err(call.mismatch("name", "the name of a tool"));
        };
        let mut read = ToolCall {
            name: Some(name),
            result: call.get("output").filter(|output| !output.is_null()),
            ..ToolCall::default()
        };
        let arguments = present(&call, ARGUMENTS).map(|(arguments, _)| arguments);
        let arguments = arguments.unwrap_or(Json::Object(&[]));
        import.arguments(&mut read, Some(arguments), &|| {
            call.path().key(ARGUMENTS[0])
        });
        if let Some(result) = read.result {
            read.result = Some(import.nested(result));
        }
        made.push(read);
    }
    Ok(made)
}

/// The expected tools as calls and, if some of them have no arguments, as expectations.
fn read_expected<'a>(
    row: &Fields<'a>,
    import: &mut Import<'a>,
) -> Result<(Option<Vec<ExpectedCall<'a>>>, Option<Member<'a>>)> {
    let Some((tools, path)) = present(row, EXPECTED) else {
        return Ok((None, None));
    };
    let items = items_of(tools, &path)?;
    let calls = read_list(items, &path, import.reader)?;
    let has_arguments = |tool: Json<'a>| either_given(tool, ARGUMENTS);
    let lacks_some = !items.iter().all(|tool| has_arguments(*tool));
    let expectations =
        lacks_some.then(|| by_name(&calls, |at| !has_arguments(items[at]), import.arena()));
    if expectations.is_some() && row.get(EXPECTATIONS).is_some_and(|own| !own.is_null()) {
        import.warn(&row.path().key(EXPECTATIONS), "these are not read");
    }
    Ok((Some(calls), expectations))
}

fn either_given(value: Json<'_>, keys: [&str; 2]) -> bool {
    let mut values = keys.into_iter().filter_map(|key| value.get(key));
    values.any(|value| !value.is_null())
}

fn items_of<'a>(list: Json<'a>, path: &Path) -> Result<&'a [Json<'a>]> {
    list.items().ok_or_else(|| {
        let what = "a list of tool calls: {name, input_parameters}";
        toolgauge_model::error::Error::invalid_input(path.clone(), what, list.describe())
    })
}

/// The first of `keys` that is there and not `null`, with its path.
fn present<'a>(fields: &Fields<'a>, keys: [&str; 2]) -> Option<(Json<'a>, Path)> {
    keys.into_iter().find_map(|key| {
        let value = fields.get(key).filter(|value| !value.is_null())?;
        Some((value, fields.path().key(key)))
    })
}

fn either<'a>(value: Json<'a>, keys: [&str; 2]) -> Option<Json<'a>> {
    keys.into_iter().find_map(|key| value.get(key))
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, imported, turns_of};

    fn expected_of(trajectory: &Trajectory<'_>) -> String {
        serde_json::to_string(&trajectory.expected_calls).expect("JSON")
    }

    #[test]
    fn test_cases_hold_made_and_expected_calls_in_both_spellings() {
        let rows = [
            r#"{"name":"one","input":"Book Oslo","actual_output":"Booked.","expected_output":null,
                "tools_called":[{"name":"book","type":"FUNCTION","reasoning":null,"output":"{\"ok\":true}","input_parameters":{"city":"Oslo"}}],
                "expected_tools":[{"name":"book","input_parameters":{"city":"Oslo","nights":1}}],"retrieval_context":null}"#,
            r#"{"name":"one","input":"Book Oslo","actualOutput":"Booked.",
                "toolsCalled":[{"name":"book","output":{"ok":true},"inputParameters":{"city":"Oslo"}}],
                "expectedTools":[{"name":"book","inputParameters":{"city":"Oslo","nights":1}}]}"#,
        ];
        for row in rows {
            let arena = Bump::new();
            let read = imported(&arena, row);
            assert_eq!(read.format, TrajectoryFormat::Deepeval);
            let trajectory = &read.value[0];
            assert_eq!(trajectory.trajectory_id, Some("one"));
            assert_eq!(
                turns_of(trajectory),
                [
                    (Role::User, "Book Oslo".to_owned(), 0),
                    (Role::Agent, String::new(), 1),
                    (Role::Agent, "Booked.".to_owned(), 0),
                ]
            );
            assert_eq!(
                calls_of(trajectory),
                [r#"{"name":"book","arguments":{"city":"Oslo"},"result":{"ok":true}}"#]
            );
            assert_eq!(
                expected_of(trajectory),
                r#"[{"tool":"book","args":{"city":"Oslo","nights":1}}]"#
            );
            assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        }
    }

    #[test]
    fn goldens_give_a_warning_and_names_alone_are_expected() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"goldens":[{"input":"a","expected_tools":[{"name":"f"}]},{"input":"b","actual_output":"B","expected_tools":null}]}"#,
        );
        let [first, second] = &read.value[..] else {
            panic!("{} rows", read.value.len());
        };
        assert_eq!(expected_of(first), r#"[{"tool":"f","args":{}}]"#);
        assert_eq!(
            serde_json::to_string(&first.expectations()).expect("JSON"),
            r#"{"calls":[{"tool":"f","args":{},"matchers":"ignore"}]}"#
        );
        assert_eq!(second.expected_calls, None);
        assert_eq!(second.expectations(), None);
        let places: Vec<_> = read.warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(places, ["goldens[0]"]);
    }

    #[test]
    fn rows_without_tools_may_stand_among_others() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"input":"a","actual_output":"A"},{"input":"b","tools_called":[{"name":"f"}],"expected_tools":[]}]"#,
        );
        assert_eq!(read.value.len(), 2);
        assert_eq!(read.value[1].expected_calls, Some(Vec::new()));
    }

    #[test]
    fn conversations_hold_the_calls_of_each_turn() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"scenario":"s","turns":[{"role":"user","content":"Go"},{"role":"assistant","content":"Done.","tools_called":[{"name":"f"}]}]}"#,
        );
        assert_eq!(read.format, TrajectoryFormat::Deepeval);
        assert_eq!(turns_of(&read.value[0]).len(), 3);
        assert_eq!(calls_of(&read.value[0]).len(), 1);
    }

    #[test]
    fn turns_of_trajectories_may_keep_members_of_the_same_name() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"turns":[{"turn_id":1,"role":"agent","content":"","tools_called":[{}]}]}"#,
        );
        assert_eq!(read.format, TrajectoryFormat::Harness);
    }

    #[test]
    fn mistakes_are_reported_with_their_path() {
        let path = |text| failure(text).report().path.unwrap_or_default().to_string();
        assert_eq!(
            path(r#"{"input":"a","tools_called":[{"nam":"f"}]}"#),
            "tools_called[0].name"
        );
        assert_eq!(
            path(r#"{"input":"a","tools_called":[],"expected_tools":[{}]}"#),
            "expected_tools[0].tool"
        );
        assert_eq!(
            path(r#"{"input":"a","tools_called":[],"expected_tools":7}"#),
            "expected_tools"
        );
    }
}
