//! Called tools in the form that the correctness metric compares, and how they are read.

use serde::Serialize;

use toolgauge_base::options::Options;
use toolgauge_formats::{Fields, import_trajectory};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path, Reader, Trajectory};

/// A call of a tool with its output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct CalledTool<'a> {
    /// The tool's name.
    #[cfg_attr(feature = "typescript", ts(as = "String"))]
    pub name: &'a str,
    /// The arguments; an empty object if there are none.
    #[cfg_attr(feature = "typescript", ts(type = "JsonValue"))]
    pub input_parameters: Json<'a>,
    /// What the tool returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub output: Option<Json<'a>>,
}

/// One step of a trajectory: a call, or a call with its output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct TrajectoryStep<'a> {
    /// The id of the call, shared by all steps of one call. If the source has no id, it is the position of
    /// the call in the trajectory: `call_1`.
    #[cfg_attr(feature = "typescript", ts(as = "String"))]
    pub tool_call_id: &'a str,
    /// The kind of step.
    pub kind: StepKind,
    /// The tool's name.
    #[cfg_attr(feature = "typescript", ts(as = "String"))]
    pub name: &'a str,
    /// The arguments.
    #[cfg_attr(feature = "typescript", ts(type = "JsonValue"))]
    pub args: Json<'a>,
    /// What the tool returned, or its error; absent in the step that is only the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub output: Option<Json<'a>>,
}

/// The kind of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// The agent calls a tool.
    ToolCall,
    /// The tool answered.
    ToolOutput,
}

/// Returns the steps of `trajectory` in order: each call, followed by the same call with its output if it has
/// one.
pub fn trajectory_steps<'a>(
    trajectory: &Trajectory<'a>,
    reader: Reader<'a>,
) -> Vec<TrajectoryStep<'a>> {
    let mut steps = Vec::new();
    for (at, call) in trajectory.calls().enumerate() {
        let made = TrajectoryStep {
            tool_call_id: match call.id {
                Some(id) => id,
                None => reader.arena().alloc_str(&format!("call_{}", at + 1)),
            },
            kind: StepKind::ToolCall,
            name: call.name.unwrap_or_default(),
            args: call.made_arguments(),
            output: None,
        };
        steps.push(made);
        if let Some(output) = call.result.or(call.error) {
            steps.push(TrajectoryStep {
                kind: StepKind::ToolOutput,
                output: Some(output),
                ..made
            });
        }
    }
    steps
}

/// Returns one step for each call of `trajectory`, in order, with its output if it has one.
pub fn final_steps<'a>(trajectory: &Trajectory<'a>, reader: Reader<'a>) -> Vec<TrajectoryStep<'a>> {
    let mut last: Vec<TrajectoryStep<'a>> = Vec::new();
    for step in trajectory_steps(trajectory, reader) {
        match step.kind {
            StepKind::ToolCall => last.push(step),
            // An output directly follows the call that it belongs to.
            StepKind::ToolOutput => {
                last.pop();
                last.push(step);
            }
        }
    }
    last
}

/// Reads the list of called tools at `path`: `{name, inputParameters, output}`, also spelled
/// `input_parameters`, steps `{name, args, output}`, or calls in the form of any provider.
///
/// # Errors
/// [`Error::InvalidInput`] names the entry that is not a called tool.
pub fn read_called_tools<'a>(
    list: Json<'a>,
    path: &Path,
    reader: Reader<'a>,
) -> Result<Vec<CalledTool<'a>>> {
    let Json::Array(calls) = list else {
        let what = "a list of called tools: {name, inputParameters, output}";
        return Err(Error::invalid_input(path.clone(), what, list.describe()));
    };
    let read = |(at, call): (usize, &Json<'a>)| read_called_tool(*call, path.index(at), reader);
    calls.iter().enumerate().map(read).collect()
}

fn read_called_tool<'a>(call: Json<'a>, path: Path, reader: Reader<'a>) -> Result<CalledTool<'a>> {
    let fields = Fields::of(call, path, "a called tool: {name, inputParameters, output}")?;
    let nameless = |_| fields.mismatch("name", "the name of a tool");
    let made = fields.call(reader).map_err(nameless)?;
    let output = ["output", "result"]
        .into_iter()
        .find_map(|key| fields.get(key));
    Ok(CalledTool {
        name: made.tool,
        input_parameters: made.args,
        output: output.filter(|value| !value.is_null()),
    })
}

/// Reads one call for each `toolCallId` in the list of steps at `path`, in the order of their first
/// steps, with the output of whichever step has one. A step without an id is a call of its own.
///
/// # Errors
/// [`Error::InvalidInput`] names the entry that is not a step.
pub fn called_in_steps<'a>(
    steps: Json<'a>,
    path: &Path,
    reader: Reader<'a>,
) -> Result<Vec<CalledTool<'a>>> {
    let read = read_called_tools(steps, path, reader)?;
    let mut calls: Vec<CalledTool<'a>> = Vec::new();
    let mut places = foldhash::HashMap::default();
    for (step, call) in steps.items().unwrap_or_default().iter().zip(read) {
        let id = step.get("toolCallId").or_else(|| step.get("tool_call_id"));
        let place = id.map(|id| *places.entry((id, call.name)).or_insert(calls.len()));
        match place {
            Some(place) if place < calls.len() => {
                calls[place].output = calls[place].output.or(call.output)
            }
            _ => calls.push(call),
        }
    }
    Ok(calls)
}

/// Returns the calls that the agent made in `trajectory`, in order.
pub fn called_in<'a>(trajectory: &Trajectory<'a>) -> Vec<CalledTool<'a>> {
    let calls = trajectory.calls().map(|call| CalledTool {
        name: call.name.unwrap_or_default(),
        input_parameters: call.made_arguments(),
        output: call.result.or(call.error),
    });
    calls.collect()
}

/// Returns the name without a random ending: `_` and four letters and digits, with at least one of each
/// (`query_xg7c`, not `query_data`).
pub fn normalize_tool_name(name: &str) -> &str {
    let Some((stem, ending)) = name.rsplit_once('_') else {
        return name;
    };
    let is_mixed = ending.len() == 4
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && ending.bytes().any(|byte| byte.is_ascii_digit())
        && ending.bytes().any(|byte| byte.is_ascii_alphabetic());
    if is_mixed && !stem.is_empty() {
        stem
    } else {
        name
    }
}

/// How called tools are prepared for the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preparation {
    /// Whether random endings of names are dropped: see [`normalize_tool_name`].
    pub normalize_names: bool,
    /// Whether outputs are kept.
    pub include_output: bool,
}

impl Default for Preparation {
    fn default() -> Self {
        Self {
            normalize_names: true,
            include_output: true,
        }
    }
}

impl Preparation {
    /// Takes `normalizeNames` and `includeOutput` out of `options`, each true by default.
    ///
    /// # Errors
    /// [`Error::InvalidOption`] if one is not a boolean.
    pub fn take(options: &mut Options) -> Result<Self> {
        Ok(Self {
            normalize_names: options.take("normalizeNames")?.unwrap_or(true),
            include_output: options.take("includeOutput")?.unwrap_or(true),
        })
    }

    /// Prepares `calls`.
    pub fn apply<'a>(self, calls: Vec<CalledTool<'a>>) -> Vec<CalledTool<'a>> {
        let prepare = |call: CalledTool<'a>| CalledTool {
            name: if self.normalize_names {
                normalize_tool_name(call.name)
            } else {
                call.name
            },
            output: call.output.filter(|_| self.include_output),
            ..call
        };
        calls.into_iter().map(prepare).collect()
    }
}

/// One comparison of the correctness metric.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TestCase<'a> {
    /// The tools that were called.
    pub tools_called: Vec<CalledTool<'a>>,
    /// The tools that should have been called.
    pub expected_tools: Vec<CalledTool<'a>>,
}

impl<'a> TestCase<'a> {
    /// Reads the test case `json`: `toolsCalled` or else the calls of `agentTrajectory`, and `expectedTools`
    /// or else the calls of `expectedAgentTrajectory`, each also spelled in snake_case. Trajectories may have
    /// any known format. Random endings of names are dropped.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if one of the two is missing or malformed;
    /// [`Error::UnknownFormat`] for a trajectory in no known format.
    pub fn read(json: Json<'a>, reader: Reader<'a>) -> Result<Self> {
        let what = "a test case: {toolsCalled, expectedTools, …}";
        let fields = Fields::of(json, Path::root(), what)?;
        Ok(Self {
            tools_called: read_tools(
                &fields,
                ["toolsCalled", "tools_called"],
                ["agentTrajectory", "agent_trajectory"],
                reader,
            )?,
            expected_tools: read_tools(
                &fields,
                ["expectedTools", "expected_tools"],
                ["expectedAgentTrajectory", "expected_agent_trajectory"],
                reader,
            )?,
        })
    }
}

fn read_tools<'a>(
    fields: &Fields<'a>,
    tools: [&str; 2],
    trajectory: [&str; 2],
    reader: Reader<'a>,
) -> Result<Vec<CalledTool<'a>>> {
    let find = |keys: [&str; 2]| {
        let mut present = keys.into_iter().filter_map(|key| {
            let value = fields.get(key).filter(|value| !value.is_null())?;
            Some((Path::root().key(key), value))
        });
        present.next()
    };
    let calls = if let Some((path, list)) = find(tools) {
        read_called_tools(list, &path, reader)?
    } else if let Some((path, document)) = find(trajectory) {
        let imported = import_trajectory(document, None, reader);
        called_in(&imported.map_err(|error| error.inside(&path))?.value)
    } else {
        let what = format!("a list of called tools, or {}", trajectory[0]);
        return Err(fields.mismatch(tools[0], what));
    };
    Ok(Preparation::default().apply(calls))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bumpalo::Bump;
    use toolgauge_model::Limits;
    use toolgauge_model::testing::arena_json;

    #[test]
    fn random_endings_mix_letters_and_digits() {
        let cases = [
            ("delegate_to_agent_xg7c", "delegate_to_agent"),
            ("agent_Z0r2", "agent"),
            ("get_data", "get_data"),
            ("version_2024", "version_2024"),
            ("agent_xg7", "agent_xg7"),
            ("agent_xg7cd", "agent_xg7cd"),
            ("agent_x-7c", "agent_x-7c"),
            ("_xg7c", "_xg7c"),
            ("xg7c", "xg7c"),
            ("", ""),
        ];
        for (name, normal) in cases {
            assert_eq!(normalize_tool_name(name), normal);
        }
    }

    const MESSAGES: &str = r#"[
        {"role":"user","content":"go"},
        {"role":"assistant","tool_calls":[
            {"id":"a","function":{"name":"find_ab12","arguments":"{\"q\":1}"}},
            {"id":"b","function":{"name":"find","arguments":"{\"q\":2}"}}]},
        {"role":"tool","tool_call_id":"a","content":"{\"n\":3}"}]"#;

    #[test]
    fn steps_of_one_call_share_its_id_and_are_merged_again() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let imported =
            import_trajectory(arena_json(&arena, MESSAGES), None, reader).expect("messages");
        let steps = trajectory_steps(&imported.value, reader);
        let written = serde_json::to_string(&steps).expect("JSON");
        assert_eq!(
            written,
            r#"[{"toolCallId":"a","kind":"tool_call","name":"find_ab12","args":{"q":1}},"#
                .to_owned()
                + r#"{"toolCallId":"a","kind":"tool_output","name":"find_ab12","args":{"q":1},"output":{"n":3}},"#
                + r#"{"toolCallId":"b","kind":"tool_call","name":"find","args":{"q":2}}]"#
        );
        let calls =
            called_in_steps(arena_json(&arena, &written), &Path::root(), reader).expect("steps");
        assert_eq!(calls, called_in(&imported.value));
    }

    #[test]
    fn calls_are_read_from_lists_or_trajectories_in_both_spellings() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let case = format!(
            r#"{{"agent_trajectory":{MESSAGES},"expected_tools":[{{"name":"find","input_parameters":{{"q":1}},"output":{{"n":3}}}}]}}"#
        );
        let case = TestCase::read(arena_json(&arena, &case), reader).expect("a test case");
        assert_eq!(case.tools_called[0], case.expected_tools[0]);
        assert_eq!(case.tools_called.len(), 2);
        let camel = format!(
            r#"{{"toolsCalled":[],"tools_called":[{{}}],"expectedAgentTrajectory":{MESSAGES}}}"#
        );
        let case = TestCase::read(arena_json(&arena, &camel), reader).expect("a test case");
        assert_eq!((case.tools_called.len(), case.expected_tools.len()), (0, 2));
    }

    #[test]
    fn invalid_test_cases_are_reported_with_their_path() {
        let cases = [
            ("[]", None),
            (r#"{"toolsCalled":[]}"#, Some("expectedTools")),
            (
                r#"{"toolsCalled":{},"expectedTools":[]}"#,
                Some("toolsCalled"),
            ),
            (
                r#"{"tools_called":[{"nam":1}],"expectedTools":[]}"#,
                Some("tools_called[0].name"),
            ),
            (
                r#"{"agentTrajectory":[{"x":1}],"expectedTools":[]}"#,
                Some("agentTrajectory"),
            ),
        ];
        for (text, place) in cases {
            let arena = Bump::new();
            let reader = Reader::new(&arena, Limits::default());
            let error = TestCase::read(arena_json(&arena, text), reader).expect_err(text);
            assert_eq!(error.report().path.as_deref(), place, "{text}: {error}");
        }
    }
}
