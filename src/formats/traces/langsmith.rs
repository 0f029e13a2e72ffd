//! LangSmith runs: `{id, trace_id, dotted_order, run_type, name,
//! inputs, outputs, error, child_runs}`, one, a list, `{runs}`, or what the
//! SDK sends, `{post, patch}`.
//! Runs of models contain messages of LangChain or of a provider.
//! Runs of tools contain the outcome of a call. Also rows of datasets.

mod rows;

use foldhash::HashMap;

use super::figures;
use super::messages;
use super::runs::{read_arguments, read_outcome};
use super::trace::{Node, Source, Time, Trace, order};
use crate::kit::fields::Fields;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Langsmith,
    marks: &[],
    likeness,
    read,
};

const KINDS: [&str; 7] = [
    "llm",
    "chain",
    "tool",
    "retriever",
    "embedding",
    "prompt",
    "parser",
];

fn likeness(value: Json<'_>) -> Likeness {
    let first = match value {
        Json::Array(runs) => runs.first().copied().unwrap_or_default(),
        one => match list_in(one) {
            Some((_, runs)) => runs.first().copied().unwrap_or_default(),
            None => one,
        },
    };
    let Some(kind) = first.get("run_type") else {
        return rows::likeness(value);
    };
    let is_known = kind
        .as_str()
        .is_some_and(|kind| KINDS.iter().any(|it| it.eq_ignore_ascii_case(kind)));
    let says = ["inputs", "outputs", "child_runs"];
    match (is_known, says.iter().any(|key| first.get(key).is_some())) {
        (true, true) => Likeness::Full,
        (true, false) => Likeness::Partial("`inputs` and `outputs` in its runs"),
        (false, _) => Likeness::Partial("a known `run_type`: llm, chain, tool, …"),
    }
}

/// The member of a document that lists runs, and the runs. What the SDK sends lists runs that began in `post`, and what
/// is known at their end in `patch`.
fn list_in<'a>(document: Json<'a>) -> Option<(&'static str, &'a [Json<'a>])> {
    let listed = |key: &'static str| Some((key, document.get(key)?.items()?));
    let mut found = ["runs", "post", "patch"].into_iter().filter_map(listed);
    found.find(|(key, runs)| *key == "runs" || !runs.is_empty())
}

/// The runs of a batch that the SDK sends. A run that began in the batch gets what is known at its end.
fn read_batch<'a>(batch: Json<'a>, import: &Import<'a>) -> Result<Vec<Fields<'a>>> {
    let what = "a run: {run_type, inputs, outputs}";
    let root = Path::root();
    let list = |key: &str| batch.get(key).and_then(Json::items).unwrap_or_default();
    let mut ends: HashMap<&str, Fields<'a>> = HashMap::default();
    let mut others = Vec::new();
    for end in Fields::each(list("patch"), &root.key("patch"), what) {
        let end = end?;
        match end.text("id") {
            Some(id) => drop(ends.insert(id, end)),
            None => others.push(end),
        }
    }
    let mut runs = Vec::new();
    for run in Fields::each(list("post"), &root.key("post"), what) {
        let run = run?;
        let end = run.text("id").and_then(|id| ends.remove(id));
        runs.push(match end {
            Some(end) => ended(&run, &end, import)?,
            None => run,
        });
    }
    let mut ended_only: Vec<_> = ends.into_values().collect();
    ended_only.sort_by(|a, b| a.path().as_str().cmp(b.path().as_str()));
    runs.extend(others);
    runs.extend(ended_only);
    Ok(runs)
}

/// A run with what is known at its end.
fn ended<'a>(run: &Fields<'a>, end: &Fields<'a>, import: &Import<'a>) -> Result<Fields<'a>> {
    let is_known = |_: &str, value: Json<'a>| value.is_null() || messages::is_empty(value);
    let known = end.rest(import.arena(), is_known);
    let began = run.rest(import.arena(), is_known);
    let all = Json::Object(import.merge(known, began));
    Fields::of(all, run.path().clone(), "a run")
}

struct Run<'a> {
    fields: Fields<'a>,
    parent: Option<&'a str>,
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    if matches!(rows::likeness(value), Likeness::Full) {
        let read_run = |run, import: &mut Import<'a>| Ok(read_trace(&flatten(vec![run])?, import));
        return rows::read(value, import, read_run);
    }
    let (list, path) = match value {
        Json::Array(runs) => (runs, Path::root()),
        one => match list_in(one) {
            Some(("runs", runs)) => (runs, Path::root().key("runs")),
            Some(_) => {
                let traces = by_trace(flatten(read_batch(one, import)?)?);
                return Ok(traces.iter().map(|runs| read_trace(runs, import)).collect());
            }
            None => {
                let run = Fields::of(one, Path::root(), "a run: {run_type, inputs, outputs}")?;
                return Ok(vec![read_trace(&flatten(vec![run])?, import)]);
            }
        },
    };
    let mut runs = Vec::new();
    for (at, run) in list.iter().enumerate() {
        runs.push(Fields::of(
            *run,
            path.index(at),
            "a run: {run_type, inputs, outputs}",
        )?);
    }
    let traces = by_trace(flatten(runs)?);
    Ok(traces.iter().map(|runs| read_trace(runs, import)).collect())
}

/// All runs and their child runs, each after its parent.
fn flatten(runs: Vec<Fields<'_>>) -> Result<Vec<Run<'_>>> {
    let mut all: Vec<Run<'_>> = Vec::new();
    let mut waiting: Vec<Run<'_>> = Vec::new();
    let open = |fields| Run {
        fields,
        parent: None,
    };
    waiting.extend(runs.into_iter().rev().map(open));
    while let Some(run) = waiting.pop() {
        let path = run.fields.path().key("child_runs");
        let children = run.fields.optional_items("child_runs", "a list of runs")?;
        let id = run.fields.text("id");
        for (at, child) in children.iter().enumerate().rev() {
            let fields = Fields::of(*child, path.index(at), "a run: {run_type, inputs}")?;
            waiting.push(Run { fields, parent: id });
        }
        all.push(run);
    }
    Ok(all)
}

/// The runs of each trace. A run without the id of its trace belongs to the trace of its parent.
fn by_trace(runs: Vec<Run<'_>>) -> Vec<Vec<Run<'_>>> {
    let mut traces: Vec<Vec<Run<'_>>> = Vec::new();
    let mut by_id: HashMap<&str, usize> = HashMap::default();
    let mut of_run: HashMap<&str, usize> = HashMap::default();
    for run in runs {
        let parent = run.parent.or(run.fields.text("parent_run_id"));
        let own = run.fields.text("trace_id").or(run.fields.text("id"));
        let known = parent
            .and_then(|id| of_run.get(id))
            .or_else(|| by_id.get(own?));
        let trace = known.copied().unwrap_or(traces.len());
        if trace == traces.len() {
            traces.push(Vec::new());
        }
        if let Some(own) = own {
            by_id.insert(own, trace);
        }
        if let Some(id) = run.fields.text("id") {
            of_run.insert(id, trace);
        }
        traces[trace].push(run);
    }
    traces
}

fn read_trace<'a>(runs: &[Run<'a>], import: &mut Import<'a>) -> Trajectory<'a> {
    let nodes: Vec<_> = runs.iter().map(node).collect();
    let ordered: Vec<_> = order(&nodes)
        .into_iter()
        .map(|at| &runs[at].fields)
        .collect();
    let mut trace = Trace::default();
    let hides_inputs = hides(&ordered, "inputs");
    let hides_outputs = hides(&ordered, "outputs");
    let has_kind = |kind: &str| ordered.iter().any(|run| is_kind(run, kind));
    let root = ordered.first().copied();
    let frame = root.filter(|_| !has_kind("llm"));
    if let Some(root) = frame {
        let (given, gave) = (source(root, "inputs"), source(root, "outputs"));
        trace.frame(&[given], &[gave], false, import);
    }
    for run in &ordered {
        if is_kind(run, "llm") {
            read_model(run, &mut trace, import);
        } else if is_kind(run, "tool") {
            let mut call = read_tool(run, import);
            call.arguments = call.arguments.filter(|_| !hides_inputs);
            call.result = call.result.filter(|_| !hides_outputs);
            call.unrecorded = hides_inputs || hides_outputs;
            let time = time_of(run, import);
            let place = trace.tool(call, time);
            trace.measure_run(place, figures::of_run(run.value(), time, import));
        }
    }
    trace.end_frame();
    let path = root.map_or_else(Path::root, |root| root.path().clone());
    // The runs of one example are trials of the same task.
    let id = root.and_then(|root| {
        let own = || root.text("trace_id").or(root.text("id"));
        rows::example_of(root).or_else(own)
    });
    let reference = root.and_then(|root| {
        let (reference, at) = rows::reference_of(root)?;
        Some(rows::expected_calls(root, (reference, &at), import))
    });
    let reference = reference.unwrap_or_default();
    let extra = root.map_or(&[][..], |root| {
        root.rest(import.arena(), |key, value| {
            value.is_null()
                || matches!(
                    key,
                    "id" | "trace_id" | "inputs" | "outputs" | "child_runs" | "tools" | "turns"
                )
        })
    });
    Trajectory {
        trajectory_id: id,
        extra: reference.beside(extra, import),
        expected_calls: reference.calls,
        ..trace.into_trajectory(&path, import)
    }
}

/// Whether `key` is an empty object in all runs: that is what the SDK sends if it is told to hide contents.
fn hides(runs: &[&Fields<'_>], key: &str) -> bool {
    let is_empty = |run: &&Fields<'_>| run.get(key) == Some(Json::Object(&[]));
    runs.len() > 1 && runs.iter().all(is_empty)
}

fn node<'a>(run: &Run<'a>) -> Node<'a> {
    let dotted = run.fields.text("dotted_order");
    let last = dotted.and_then(|order| order.rsplit('.').next());
    Node {
        id: run.fields.text("id"),
        parent: run.parent.or(run.fields.text("parent_run_id")),
        time: Time::of(last.map(Json::String).or(run.fields.get("start_time"))),
    }
}

fn is_kind(run: &Fields<'_>, kind: &str) -> bool {
    run.text("run_type")
        .is_some_and(|it| it.eq_ignore_ascii_case(kind))
}

fn time_of<'a>(run: &Fields<'a>, import: &Import<'a>) -> Option<&'a str> {
    let there = |value: &Json<'a>| !value.is_null();
    run.get("start_time")
        .filter(there)
        .map(|time| import.label(time))
}

fn source<'a>(run: &Fields<'a>, key: &str) -> Source<'a> {
    Source {
        value: run.get(key).unwrap_or_default(),
        path: run.path().key(key),
    }
}

fn read_model<'a>(run: &Fields<'a>, trace: &mut Trace<'a>, import: &mut Import<'a>) {
    let time = time_of(run, import);
    trace.step(
        &[source(run, "inputs")],
        &[source(run, "outputs")],
        time,
        import,
    );
    let output = run.get("outputs").unwrap_or_default();
    trace.measure_answer(figures::of_answer(run.value(), output, import));
    let options = run
        .get("extra")
        .and_then(|extra| extra.get("invocation_params"));
    trace.tools(options.and_then(|options| options.get("tools")));
    if let Some(error) = run.text("error") {
        import.warn(
            &run.path().key("error"),
            format!("the model failed: {error}"),
        );
    }
}

fn read_tool<'a>(run: &Fields<'a>, import: &mut Import<'a>) -> ToolCall<'a> {
    let mut call = ToolCall {
        name: run.text("name"),
        ..ToolCall::default()
    };
    let path = run.path().key("inputs");
    read_arguments(&mut call, run.get("inputs"), &path, import);
    read_outcome(&mut call, run.get("outputs"), import);
    let id = run.get("extra").and_then(|extra| extra.get("tool_call_id"));
    call.id = call.id.or(id.and_then(Json::as_str));
    if let Some(error) = run.get("error").filter(|it| !it.is_null()) {
        call.error = Some(error);
    }
    call
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use crate::testing::{calls_of, failure, fixture, imported, turns_of};
    use toolgauge_model::Role;

    #[test]
    fn runs_of_models_and_tools_make_one_conversation() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("langsmith/runs.json"));
        assert_eq!(read.value.len(), 1);
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("r0"));
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::System, "Use the tools.".to_owned(), 0),
                (Role::User, "Add 1 and 2, and break it.".to_owned(), 0),
                (Role::Agent, String::new(), 2),
                (Role::Agent, "It is 3.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"c1","name":"add","arguments":{"a":1,"b":2},"result":"3"}"#,
                r#"{"id":"c2","name":"break_it","arguments":{"how":"hard"},"error":"Error: broken\n    at run"}"#,
            ]
        );
        assert!(trajectory.tools.is_some());
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn flat_lists_are_ordered_and_split_by_trace() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"id":"t","trace_id":"A","parent_run_id":"r","run_type":"tool","name":"f","start_time":"2026-01-01T00:00:02","inputs":{"input":"{'n': True}"},"outputs":{"output":"7"}},
                {"id":"x","trace_id":"B","run_type":"tool","name":"g","inputs":{"q":"a"},"error":"no"},
                {"id":"l","trace_id":"A","parent_run_id":"r","run_type":"llm","name":"m","start_time":"2026-01-01T00:00:01",
                 "inputs":{"messages":[{"role":"user","content":"hi"}],"tools":[{"name":"f"}]},
                 "outputs":{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{\"n\":true}"}}]}}]}},
                {"id":"r","trace_id":"A","run_type":"chain","name":"agent","start_time":"2026-01-01T00:00:00","inputs":{},"outputs":{}}]"#,
        );
        let [first, second] = &read.value[..] else {
            panic!("{} traces", read.value.len());
        };
        assert_eq!(turns_of(first).len(), 2);
        assert_eq!(
            calls_of(first),
            [r#"{"id":"1","name":"f","arguments":{"n":true},"result":"7"}"#]
        );
        assert_eq!(
            calls_of(second),
            [r#"{"name":"g","arguments":{"q":"a"},"error":"no"}"#]
        );
    }

    #[test]
    fn a_root_run_alone_contains_the_conversation() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"id":"r","run_type":"chain","name":"LangGraph","inputs":{"messages":[{"type":"human","content":"hi"}]},
                "outputs":{"messages":[{"type":"human","content":"hi"},{"type":"ai","content":"","tool_calls":[{"name":"f","args":{},"id":"1"}]},
                                       {"type":"tool","content":"7","tool_call_id":"1"},{"type":"ai","content":"Seven."}]}}"#,
        );
        assert_eq!(turns_of(&read.value[0]).len(), 3);
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"1","name":"f","arguments":{},"result":"7"}"#]
        );
    }

    #[test]
    fn the_error_names_what_half_a_run_lacks() {
        let reason = |text| failure(text).to_string();
        assert!(reason(r#"{"run_type":"llm"}"#).contains("langsmith, but it lacks `inputs`"));
        assert!(
            reason(r#"{"run_type":"dream"}"#)
                .contains("langsmith, but it lacks a known `run_type`")
        );
        let error = failure(r#"[{"run_type":"llm","inputs":{}},7]"#);
        assert_eq!(error.report().path.as_deref(), Some("[1]"));
    }

    #[test]
    fn hidden_inputs_and_outputs_are_no_arguments_and_no_results() {
        let arena = Bump::new();
        let run = |id: &str, kind: &str| {
            format!(
                r#"{{"id":"{id}","trace_id":"r","run_type":"{kind}","name":"f","inputs":{{}},"outputs":{{}}}}"#
            )
        };
        let read = imported(
            &arena,
            &format!("[{},{}]", run("r", "chain"), run("t", "tool")),
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"name":"f","unrecorded":true}"#]
        );
        assert_eq!(read.warnings.len(), 1);
    }
}
