//! Called tools in the form that the correctness metric compares, and how they are read.

use foldhash::{HashMap, HashSet};
use serde::Serialize;

use super::expected_tools::ExpectedTools;
use toolgauge_base::options::Options;
use toolgauge_formats::{Fields, import_messages, import_tools, logged_tools};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path, Reader, ToolCall, Trajectory};

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
    for (at, call) in made_by(trajectory).enumerate() {
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
    let mut places = HashMap::default();
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

/// Returns the calls of `trajectory` that can be compared; none if nobody ran it.
fn made_by<'t, 'a>(trajectory: &'t Trajectory<'a>) -> impl Iterator<Item = &'t ToolCall<'a>> {
    let calls = trajectory.calls().filter(|call| call.is_comparable());
    calls.filter(|_| !trajectory.is_not_run())
}

/// Returns the calls that the agent made in `trajectory`, in order.
pub fn called_in<'a>(trajectory: &Trajectory<'a>) -> Vec<CalledTool<'a>> {
    let calls = made_by(trajectory).map(|call| CalledTool {
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

/// How the names of tools are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameRule {
    /// Without random endings: see [`TestCase::prepare`].
    Normalized,
    /// As they are written.
    AsWritten,
}

/// One comparison of the correctness metric.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TestCase<'a> {
    /// The tools that were called.
    pub tools_called: Vec<CalledTool<'a>>,
    /// The tools that should have been called.
    pub expected_tools: Vec<CalledTool<'a>>,
    /// Whether matchers say how the arguments or results of the expected calls are compared. This metric knows none.
    #[serde(skip)]
    pub has_matchers: bool,
    /// The names of tools that exist, as far as the source lists them.
    #[serde(skip)]
    pub available_tools: Vec<&'a str>,
}

impl<'a> TestCase<'a> {
    /// Reads the test case `json`: `toolsCalled` or else the calls of `agentTrajectory`, and `expectedTools`
    /// or else the calls of `expectedAgentTrajectory`, or else those that `agentTrajectory` itself expects, each also
    /// spelled in snake_case. Trajectories may have
    /// any known format, and may be empty. The tools that exist are those of `available` or else
    /// `availableTools`, and those that the trajectories contain.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if one of the two is missing or malformed;
    /// [`Error::UnknownFormat`] for a trajectory in no known format, and for tools in no known format.
    pub fn read(json: Json<'a>, available: Option<&[String]>, reader: Reader<'a>) -> Result<Self> {
        let what = "a test case: {toolsCalled, expectedTools, …}";
        let fields = Fields::of(json, Path::root(), what)?;
        let mut available_tools = match available {
            Some(names) => {
                let names = names.iter().map(|name| &*reader.arena().alloc_str(name));
                names.collect()
            }
            None => read_available(&fields, reader)?,
        };
        let [called, expected] = [
            (
                ["toolsCalled", "tools_called"],
                ["agentTrajectory", "agent_trajectory"],
            ),
            (
                ["expectedTools", "expected_tools"],
                ["expectedAgentTrajectory", "expected_agent_trajectory"],
            ),
        ];
        let tools_called = read_tools(&fields, called, &mut available_tools, reader)?;
        let own = match present(&fields, expected.0).or(present(&fields, expected.1)) {
            Some(_) => None,
            None => own_expectations(&fields, called.1, reader)?,
        };
        let expected = match own {
            Some(own) => own,
            None => ExpectedTools {
                tools: read_tools(&fields, expected, &mut available_tools, reader)?,
                has_matchers: false,
            },
        };
        Ok(Self {
            tools_called,
            expected_tools: expected.tools,
            has_matchers: expected.has_matchers,
            available_tools,
        })
    }

    /// Prepares the calls for the comparison.
    ///
    /// With [`NameRule::Normalized`] names lose a random ending: see [`normalize_tool_name`]. Tools that exist
    /// beside each other stay apart: if the names of several of them differ only in such an ending, they keep
    /// it. A tool exists if the source lists it, or if it is both expected and called by the same name.
    ///
    /// Outputs that are JSON text become the JSON value, because some sources decode results and some don't.
    pub fn prepare(mut self, names: NameRule, reader: Reader<'a>) -> Self {
        let apart = match names {
            NameRule::Normalized => Some(self.apart()),
            NameRule::AsWritten => None,
        };
        let name_of = |name| match &apart {
            Some(apart) if !apart.contains(name) => normalize_tool_name(name),
            Some(_) | None => name,
        };
        for call in self.tools_called.iter_mut().chain(&mut self.expected_tools) {
            call.name = name_of(call.name);
            call.output = call.output.and_then(|output| decoded(output, reader));
        }
        self
    }

    /// Returns the names of existing tools that differ from another one only in what looks like a random
    /// ending.
    fn apart(&self) -> HashSet<&'a str> {
        let called: HashSet<_> = self.tools_called.iter().map(|call| call.name).collect();
        let expected = self.expected_tools.iter().map(|call| call.name);
        let mut existing: HashSet<_> = expected.filter(|name| called.contains(name)).collect();
        existing.extend(self.available_tools.iter().copied());
        let mut of_stem: HashMap<&str, usize> = HashMap::default();
        for name in &existing {
            *of_stem.entry(normalize_tool_name(name)).or_default() += 1;
        }
        existing.retain(|name| of_stem[normalize_tool_name(name)] > 1);
        existing
    }
}

/// Returns the value in JSON text, or else `output` itself; `None` for the text `null`. A number whose text
/// holds more than its value, as `007` or `1.10` do, stays a text.
fn decoded<'a>(output: Json<'a>, reader: Reader<'a>) -> Option<Json<'a>> {
    let Json::String(text) = output else {
        return Some(output);
    };
    match reader.read_text(text) {
        Ok(Json::Null) => None,
        Ok(Json::Number(number)) if number.to_string() != text.trim_ascii() => Some(output),
        Ok(value) => Some(value),
        Err(_) => Some(output),
    }
}

/// Returns the first of `keys` that is there and not `null`, with its path.
fn present<'a>(fields: &Fields<'a>, keys: [&str; 2]) -> Option<(Path, Json<'a>)> {
    keys.into_iter().find_map(|key| {
        let value = fields.get(key).filter(|value| !value.is_null())?;
        Some((Path::root().key(key), value))
    })
}

/// Returns the names of the tools in `availableTools`: names, or definitions in any known format.
fn read_available<'a>(fields: &Fields<'a>, reader: Reader<'a>) -> Result<Vec<&'a str>> {
    let Some((path, tools)) = present(fields, ["availableTools", "available_tools"]) else {
        return Ok(Vec::new());
    };
    let names = tools
        .items()
        .map(|tools| tools.iter().map(|tool| tool.as_str()));
    if let Some(names) = names.and_then(|names| names.collect()) {
        return Ok(names);
    }
    let imported = import_tools(tools, reader).map_err(|error| error.inside(&path))?;
    Ok(imported.value.iter().map(|tool| tool.name).collect())
}

/// Reads the calls of one side. The tools that a trajectory contains are added to `available`.
fn read_tools<'a>(
    fields: &Fields<'a>,
    (tools, trajectory): ([&str; 2], [&str; 2]),
    available: &mut Vec<&'a str>,
    reader: Reader<'a>,
) -> Result<Vec<CalledTool<'a>>> {
    if let Some((path, list)) = present(fields, tools) {
        return read_called_tools(list, &path, reader);
    }
    let Some((path, document)) = present(fields, trajectory) else {
        let what = format!("a list of called tools, or {}", trajectory[0]);
        return Err(fields.mismatch(tools[0], what));
    };
    let read = import_messages(document, reader).map_err(|error| error.inside(&path))?;
    available.extend(carried_tools(&read, reader));
    Ok(called_in(&read))
}

/// Reads the expectations that the trajectory in `fields` contains, if there are any.
fn own_expectations<'a>(
    fields: &Fields<'a>,
    trajectory: [&str; 2],
    reader: Reader<'a>,
) -> Result<Option<ExpectedTools<'a>>> {
    let Some((path, document)) = present(fields, trajectory) else {
        return Ok(None);
    };
    let read = import_messages(document, reader);
    let own = read.and_then(|read| ExpectedTools::in_trajectory(&read, reader));
    own.map_err(|error| error.inside(&path))
}

/// Returns the names of the tools that a trajectory contains. Definitions that can't be read say nothing here:
/// checks report them.
pub fn carried_tools<'a>(trajectory: &Trajectory<'a>, reader: Reader<'a>) -> Vec<&'a str> {
    let read = trajectory.tools.map(|tools| logged_tools(tools, reader));
    let tools = read.unwrap_or_default().tools;
    tools.iter().map(|(tool, _)| tool.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bumpalo::Bump;
    use toolgauge_formats::import_trajectory;
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
        let case = TestCase::read(arena_json(&arena, &case), None, reader).expect("a test case");
        let case = case.prepare(NameRule::Normalized, reader);
        assert_eq!(case.tools_called[0], case.expected_tools[0]);
        assert_eq!(case.tools_called.len(), 2);
        let camel = format!(
            r#"{{"toolsCalled":[],"tools_called":[{{}}],"expectedAgentTrajectory":{MESSAGES}}}"#
        );
        let case = TestCase::read(arena_json(&arena, &camel), None, reader).expect("a test case");
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
            let error = TestCase::read(arena_json(&arena, text), None, reader).expect_err(text);
            assert_eq!(error.report().path.as_deref(), place, "{text}: {error}");
        }
    }
    /// Returns the names of the called and the expected tools as they are compared.
    fn names(called: &[&str], expected: &[&str], available: &str, rule: NameRule) -> String {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let list = |names: &[&str]| {
            let calls: Vec<_> = names
                .iter()
                .map(|name| format!(r#"{{"name":"{name}"}}"#))
                .collect();
            calls.join(",")
        };
        let text = format!(
            r#"{{"toolsCalled":[{}],"expectedTools":[{}],"availableTools":{available}}}"#,
            list(called),
            list(expected),
        );
        let case = TestCase::read(arena_json(&arena, &text), None, reader).expect("a test case");
        let case = case.prepare(rule, reader);
        let written = |calls: &[CalledTool<'_>]| {
            let names: Vec<_> = calls.iter().map(|call| call.name).collect();
            names.join(" ")
        };
        format!(
            "{} / {}",
            written(&case.tools_called),
            written(&case.expected_tools)
        )
    }

    #[test]
    fn tools_that_exist_beside_each_other_stay_apart() {
        let sha = (&["hash_sha1"][..], &["hash_sha2"][..]);
        let of = |(called, expected), available| {
            names(called, expected, available, NameRule::Normalized)
        };
        assert_eq!(of(sha, "null"), "hash / hash");
        assert_eq!(
            of(sha, r#"["hash_sha1","hash_sha2"]"#),
            "hash_sha1 / hash_sha2"
        );
        let defined =
            r#"[{"name":"hash_sha1","parameters":{}},{"name":"hash_sha2","parameters":{}}]"#;
        assert_eq!(of(sha, defined), "hash_sha1 / hash_sha2");
        assert_eq!(of(sha, r#"["hash_sha1"]"#), "hash / hash");
        assert_eq!(of(sha, r#"["hash","hash_sha1"]"#), "hash_sha1 / hash");
        let both = ["hash_sha1", "hash_sha2"];
        assert_eq!(
            of((&both, &both), "null"),
            "hash_sha1 hash_sha2 / hash_sha1 hash_sha2"
        );
        assert_eq!(
            names(sha.0, sha.1, "null", NameRule::AsWritten),
            "hash_sha1 / hash_sha2"
        );
    }

    #[test]
    fn tools_of_a_trajectory_exist() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let text = r#"{"agentTrajectory":{"messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"hash_sha1","arguments":"{}"}}]}],
            "tools":[{"type":"function","function":{"name":"hash_sha1","parameters":{}}},{"type":"function","function":{"name":"hash_sha2","parameters":{}}}]},
            "expectedTools":[{"name":"hash_sha2"}]}"#;
        let case = TestCase::read(arena_json(&arena, text), None, reader).expect("a test case");
        let case = case.prepare(NameRule::Normalized, reader);
        assert_eq!(
            (case.tools_called[0].name, case.expected_tools[0].name),
            ("hash_sha1", "hash_sha2")
        );
    }

    #[test]
    fn outputs_that_are_json_text_are_decoded() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let output = |text: &str| {
            let output = decoded(arena_json(&arena, text), reader);
            output.map_or("nothing".to_owned(), |it| {
                serde_json::to_string(&it).expect("JSON")
            })
        };
        let cases = [
            (r#""{\"rows\":1}""#, r#"{"rows":1}"#),
            (r#""7""#, "7"),
            (r#""true""#, "true"),
            (r#""\"ok\"""#, r#""ok""#),
            (r#""null""#, "nothing"),
            (r#""007""#, r#""007""#),
            (r#""1.10""#, r#""1.10""#),
            (
                r#""12345678901234567890123""#,
                r#""12345678901234567890123""#,
            ),
            (r#""not JSON""#, r#""not JSON""#),
            (r#"{"text":"{}"}"#, r#"{"text":"{}"}"#),
        ];
        for (text, expected) in cases {
            assert_eq!(output(text), expected);
        }
    }

    #[test]
    fn trajectories_may_be_empty() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let text = r#"{"agentTrajectory":[],"expectedAgentTrajectory":{"messages":[]}}"#;
        let case = TestCase::read(arena_json(&arena, text), None, reader).expect("a test case");
        assert_eq!(case, TestCase::default());
    }
}
