//! Langfuse: a trace `{id, input, output, observations: [{type,
//! name, input, output, startTime, parentObservationId}]}`, a list
//! of observations, or either in `data` of its API. Generations
//! contain messages of any format. Observations of tools contain the
//! outcome of a call.

use foldhash::HashMap;

use super::trace::{Node, Time, Trace, order, read_arguments, read_outcome};
use crate::kit::fields::Fields;
use crate::kit::signs::kind;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Langfuse,
    likeness,
    read,
};

const KINDS: [&str; 10] = [
    "SPAN",
    "GENERATION",
    "EVENT",
    "AGENT",
    "TOOL",
    "CHAIN",
    "RETRIEVER",
    "EVALUATOR",
    "EMBEDDING",
    "GUARDRAIL",
];

fn likeness(value: Json<'_>) -> Likeness {
    match value {
        Json::Array([first, ..]) if first.get("observations").is_some() => likeness(*first),
        Json::Array([first, ..]) => likeness_of_observation(*first),
        Json::Object(_) => match (value.get("observations"), value.get("data")) {
            (Some(Json::Array(list)), _) => match list.first() {
                Some(Json::String(_)) => {
                    Likeness::Partial("the observations themselves, not only their ids")
                }
                Some(first) => likeness_of_observation(*first),
                None if value.get("htmlPath").is_some() || value.get("timestamp").is_some() => {
                    Likeness::Full
                }
                None => Likeness::Partial("any observation"),
            },
            (None, Some(list @ Json::Array([_, ..]))) => likeness(list),
            _ => Likeness::None,
        },
        _ => Likeness::None,
    }
}

fn likeness_of_observation(value: Json<'_>) -> Likeness {
    let is_known =
        kind(value).is_some_and(|kind| KINDS.iter().any(|it| it.eq_ignore_ascii_case(kind)));
    let places = ["traceId", "parentObservationId", "startTime"];
    let is_placed = places.iter().any(|key| value.get(key).is_some());
    match (is_known, is_placed) {
        (true, true) => Likeness::Full,
        (false, true) if value.get("parentObservationId").is_some() => {
            Likeness::Partial("a known `type` of its observations: SPAN, GENERATION, TOOL, …")
        }
        (true, false) if value.get("observationId").is_some() => {
            Likeness::Partial("the `startTime` of its observations")
        }
        _ => Likeness::None,
    }
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    match (value, value.get("observations"), value.get("data")) {
        (Json::Array(list), _, _) => read_list(list, &Path::root(), import),
        (_, None, Some(Json::Array(list))) => read_list(list, &Path::root().key("data"), import),
        _ => {
            let trace = Fields::of(value, Path::root(), "a trace: {observations}")?;
            Ok(vec![read_whole(&trace, import)?])
        }
    }
}

/// Whole traces, or the observations of some traces.
fn read_list<'a>(
    list: &'a [Json<'a>],
    path: &Path,
    import: &mut Import<'a>,
) -> Result<Vec<Trajectory<'a>>> {
    let is_trace = |item: &Json<'_>| item.get("observations").is_some();
    if list.iter().any(is_trace) {
        let mut traces = Vec::new();
        for trace in Fields::each(list, path, "a trace: {observations}") {
            let trace = trace?;
            traces.push(read_whole(&trace, import)?);
        }
        return Ok(traces);
    }
    let mut traces: Vec<(Option<&'a str>, Vec<Fields<'a>>)> = Vec::new();
    let mut by_id = HashMap::default();
    for observation in observations(list, path)? {
        let id = observation.text("traceId");
        let at = *by_id.entry(id).or_insert_with(|| {
            traces.push((id, Vec::new()));
            traces.len() - 1
        });
        traces[at].1.push(observation);
    }
    let read = |(id, observations): (Option<&'a str>, Vec<Fields<'a>>)| Trajectory {
        trajectory_id: id,
        ..read_trace(None, &observations, import)
    };
    Ok(traces.into_iter().map(read).collect())
}

fn observations<'a>(list: &'a [Json<'a>], path: &Path) -> Result<Vec<Fields<'a>>> {
    let what = "an observation: {type, name, input, output}";
    let read = |(at, it): (usize, &Json<'a>)| Fields::of(*it, path.index(at), what);
    list.iter().enumerate().map(read).collect()
}

fn read_whole<'a>(trace: &Fields<'a>, import: &mut Import<'a>) -> Result<Trajectory<'a>> {
    let list = trace.items("observations", "a list of observations")?;
    let list = observations(list, &trace.path().key("observations"))?;
    Ok(Trajectory {
        trajectory_id: trace.text("id"),
        extra: trace.rest(import.arena(), |key, value| {
            value.is_null()
                || matches!(
                    key,
                    "id" | "observations" | "input" | "output" | "tools" | "turns"
                )
        }),
        ..read_trace(Some(trace), &list, import)
    })
}

fn read_trace<'a>(
    whole: Option<&Fields<'a>>,
    observations: &[Fields<'a>],
    import: &mut Import<'a>,
) -> Trajectory<'a> {
    let node = |it: &Fields<'a>| Node {
        id: it.text("id"),
        parent: it.text("parentObservationId"),
        time: Time::of(it.get("startTime")),
    };
    let nodes: Vec<_> = observations.iter().map(node).collect();
    let ordered = order(&nodes).into_iter().map(|at| &observations[at]);
    let ordered: Vec<_> = ordered.collect();
    let mut trace = Trace::default();
    let has_generations = ordered.iter().any(|it| is_kind(it, "GENERATION"));
    let frame = whole.or(ordered.first().copied().filter(|it| !is_kind(it, "TOOL")));
    if let Some(frame) = frame.filter(|_| !has_generations) {
        trace.frame(
            (frame.get("input"), &frame.path().key("input")),
            (frame.get("output"), &frame.path().key("output")),
            import,
        );
    }
    for it in ordered {
        if is_kind(it, "GENERATION") {
            read_generation(it, &mut trace, import);
        } else if is_kind(it, "TOOL") || is_older_tool(it, &mut trace) {
            let call = read_tool(it, import);
            trace.tool(call, it.text("startTime"));
        }
    }
    trace.end_frame();
    let first = whole.or(observations.first());
    let path = first.map_or_else(Path::root, |it| it.path().clone());
    trace.into_trajectory(&path, import)
}

fn is_kind(observation: &Fields<'_>, kind: &str) -> bool {
    observation
        .text("type")
        .is_some_and(|it| it.eq_ignore_ascii_case(kind))
}

/// Older versions had no type for tools. A span with the name of an open call is the tool of that call.
fn is_older_tool(observation: &Fields<'_>, trace: &mut Trace<'_>) -> bool {
    let is_plain = is_kind(observation, "SPAN") || is_kind(observation, "EVENT");
    is_plain
        && observation
            .text("name")
            .is_some_and(|name| trace.awaits(name))
}

fn read_generation<'a>(it: &Fields<'a>, trace: &mut Trace<'a>, import: &mut Import<'a>) {
    let given = it.get("input").unwrap_or_default();
    trace.messages(given, Role::User, None, &it.path().key("input"), import);
    let gave = it.get("output").unwrap_or_default();
    let path = it.path().key("output");
    trace.messages(gave, Role::Agent, it.text("startTime"), &path, import);
    if is_failed(it) {
        let why = it.text("statusMessage").unwrap_or("no reason is given");
        import.warn(it.path(), format!("the model failed: {why}"));
    }
}

fn is_failed(observation: &Fields<'_>) -> bool {
    observation.text("level") == Some("ERROR")
}

fn read_tool<'a>(it: &Fields<'a>, import: &mut Import<'a>) -> ToolCall<'a> {
    let mut call = ToolCall {
        name: it.text("name"),
        ..ToolCall::default()
    };
    let path = it.path().key("input");
    read_arguments(&mut call, it.get("input"), &path, import);
    read_outcome(&mut call, it.get("output"), import);
    let metadata = it.get("metadata").unwrap_or_default();
    let ids = ["tool_call_id", "toolCallId"];
    let id = ids.into_iter().find_map(|key| metadata.get(key)?.as_str());
    call.id = call.id.or(id);
    if is_failed(it) && call.error.is_none() {
        let why = it.get("statusMessage").filter(|why| !why.is_null());
        call.error = why.or(call.result.take()).or(Some(Json::String("ERROR")));
    }
    call
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn observations_make_one_conversation() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("langfuse/trace.json"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("tr-1"));
        assert_eq!(
            turns_of(trajectory),
            [
                (
                    Role::User,
                    "Is it open, and when does the bus go?".to_owned(),
                    0
                ),
                (Role::Agent, String::new(), 2),
                (Role::Agent, "It is open; there is no bus.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"c1","name":"opening_hours","arguments":{"place":"pool"},"result":{"open":true}}"#,
                r#"{"id":"c2","name":"next_bus","arguments":{"stop":"pool"},"error":"timed out"}"#,
            ]
        );
        assert_eq!(
            trajectory.turns[1].timestamp,
            Some("2026-05-01T06:00:01.000Z")
        );
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn lists_of_observations_are_split_by_trace() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"data":[{"id":"1","traceId":"a","type":"TOOL","name":"f","startTime":"2026-01-01T00:00:00Z","input":"{\"n\":1}","output":"7"},
                        {"id":"2","traceId":"b","type":"GENERATION","startTime":"2026-01-01T00:00:00Z","input":"hi","output":"hello"}],"meta":{}}"#,
        );
        let ids: Vec<_> = read.value.iter().map(|it| it.trajectory_id).collect();
        assert_eq!(ids, [Some("a"), Some("b")]);
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"name":"f","arguments":{"n":1},"result":"7"}"#]
        );
        assert_eq!(turns_of(&read.value[1]).len(), 2);
    }

    #[test]
    fn spans_named_as_a_waiting_call_are_its_tool() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"id":"s","traceId":"a","type":"SPAN","name":"f","startTime":"2026-01-01T00:00:02Z","input":{"n":1},"output":7},
                {"id":"o","traceId":"a","type":"SPAN","name":"other","startTime":"2026-01-01T00:00:03Z","input":{},"output":8},
                {"id":"g","traceId":"a","type":"GENERATION","startTime":"2026-01-01T00:00:01Z","input":[{"role":"user","content":"hi"}],
                 "output":{"content":"","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{\"n\":1}"}}]}}]"#,
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"1","name":"f","arguments":{"n":1},"result":7}"#]
        );
    }

    #[test]
    fn the_error_names_what_half_a_trace_lacks() {
        let reason = |text| failure(text).to_string();
        assert!(
            reason(r#"{"id":"t","observations":["o1"]}"#)
                .contains("langfuse, but it lacks the observations themselves")
        );
        assert!(
            reason(r#"[{"id":"1","type":"DREAM","parentObservationId":null}]"#)
                .contains("langfuse, but it lacks a known `type`")
        );
    }

    #[test]
    fn messages_of_an_unknown_format_are_a_warning() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"id":"g","traceId":"a","type":"GENERATION","startTime":"x","input":{"weird":[1]},"output":{"odd":{}}}]"#,
        );
        let paths: Vec<_> = read.warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(paths, ["[0].input", "[0].output", "[0]"]);
    }
}
