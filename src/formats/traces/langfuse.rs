//! Langfuse: a trace `{id, input, output, observations: [{type,
//! name, input, output, startTime, parentObservationId}]}`, a list
//! of observations, or either in `data` of its API; also `{trace, observations}`.
//! Generations contain messages of any format. Observations of tools contain the
//! outcome of a call.

use foldhash::HashMap;

use super::spans::{Span, decoded};
use super::steps::read_trace;
use crate::kit::fields::Fields;
use crate::kit::signs::kind;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Langfuse,
    marks: &[],
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
    let has_any = |keys: [&str; 3]| keys.iter().any(|key| value.get(key).is_some());
    let has_all = |keys: [&str; 3]| keys.iter().all(|key| value.get(key).is_some());
    // The export to storage has snake case, which others have, too.
    let is_placed = has_any(["traceId", "parentObservationId", "startTime"])
        || has_all(["trace_id", "parent_observation_id", "start_time"]);
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
        let id = observation.text("traceId").or(observation.text("trace_id"));
        let at = *by_id.entry(id).or_insert_with(|| {
            traces.push((id, Vec::new()));
            traces.len() - 1
        });
        traces[at].1.push(observation);
    }
    let read = |(id, observations): (Option<&'a str>, Vec<Fields<'a>>)| Trajectory {
        trajectory_id: id,
        ..read_observations(None, observations, import)
    };
    Ok(traces.into_iter().map(read).collect())
}

fn observations<'a>(list: &'a [Json<'a>], path: &Path) -> Result<Vec<Fields<'a>>> {
    let what = "an observation: {type, name, input, output}";
    let read = |(at, it): (usize, &Json<'a>)| Fields::of(*it, path.index(at), what);
    list.iter().enumerate().map(read).collect()
}

/// A trace with its observations. Exports of a whole trace have them beside `trace`.
fn read_whole<'a>(document: &Fields<'a>, import: &mut Import<'a>) -> Result<Trajectory<'a>> {
    let list = document.items("observations", "a list of observations")?;
    let list = observations(list, &document.path().key("observations"))?;
    let trace = match document.get("trace") {
        Some(trace @ Json::Object(_)) => Fields::of(
            trace,
            document.path().key("trace"),
            "a trace: {id, input, output}",
        )?,
        _ => document.clone(),
    };
    Ok(Trajectory {
        trajectory_id: trace.text("id"),
        extra: trace.rest(import.arena(), |key, value| {
            value.is_null()
                || matches!(
                    key,
                    "id" | "observations" | "input" | "output" | "tools" | "turns"
                )
        }),
        ..read_observations(Some(&trace), list, import)
    })
}

/// The conversation in observations. Integrations that trace with OpenTelemetry keep the attributes of the span in
/// `metadata.attributes`.
fn read_observations<'a>(
    whole: Option<&Fields<'a>>,
    observations: Vec<Fields<'a>>,
    import: &mut Import<'a>,
) -> Trajectory<'a> {
    let span = |observation: Fields<'a>| {
        let metadata = import.nested(observation.get("metadata").unwrap_or_default());
        let attributes = metadata.get("attributes").unwrap_or_default();
        let attributes = decoded(import.nested(attributes), import);
        Span::of(observation, attributes, import)
    };
    let spans: Vec<_> = observations.into_iter().map(span).collect();
    read_trace(whole, &spans, import)
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use crate::kit::TrajectoryFormat;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};
    use toolgauge_model::Role;

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

    #[test]
    fn messages_are_read_as_they_were_before_they_were_traced() {
        let called =
            r#"{"id":"1","type":"function","function":{"name":"f","arguments":"{\"n\":1}"}}"#;
        let text = called.replace('\\', r"\\").replace('"', r#"\""#);
        let outputs = [
            format!(r#"{{"role":"assistant","content":"","additional_kwargs":{{"tool_calls":[{called}]}}}}"#),
            format!(r#"[{{"role":"assistant","finish_reason":"tool_calls","content":"[{text}]"}}]"#),
            format!(r#"{{"index":0,"message":{{"role":"assistant","tool_calls":[{called}]}},"event.name":"gen_ai.choice"}}"#),
            r#"[{"toolCallId":"1","toolName":"f","input":"{\"n\":1}"}]"#.to_owned(),
            r#"{"role":"assistant","content":"[{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"f\",\"input\":{\"n\":1}}]"}"#.to_owned(),
            r#"{"message":"[{\"toolUse\":{\"toolUseId\":\"1\",\"name\":\"f\",\"input\":{\"n\":1}}}]","finish_reason":"tool_use"}"#.to_owned(),
            r#"{"content":{"role":"model","parts":[{"function_call":{"id":"1","name":"f","args":{"n":1}}}]},"finish_reason":"STOP"}"#.to_owned(),
        ];
        for output in outputs {
            let arena = Bump::new();
            let read = imported(
                &arena,
                &format!(
                    r#"[{{"id":"g","traceId":"a","type":"GENERATION","startTime":"1","input":"hi","output":{output}}},
                        {{"id":"t","traceId":"a","type":"SPAN","name":"tool.f","startTime":"2","input":{{"n":1}},"output":7,"metadata":"{{\"attributes\":{{\"gen_ai.tool.name\":\"f\"}}}}"}}]"#
                ),
            );
            assert_eq!(
                calls_of(&read.value[0]),
                [r#"{"id":"1","name":"f","arguments":{"n":1},"result":7}"#],
                "{output}"
            );
            assert!(read.warnings.is_empty(), "{output}: {:?}", read.warnings);
        }
    }

    #[test]
    fn exports_to_storage_have_snake_case() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"id":"g","trace_id":"a","parent_observation_id":null,"type":"GENERATION","start_time":"2026-01-01 00:00:00.000","input":"hi","output":"hello"},
                {"id":"t","trace_id":"a","parent_observation_id":"g","type":"TOOL","name":"f","start_time":"2026-01-01 00:00:01.000","input":"{\"n\":1}","output":"7"},
                {"id":"h","trace_id":"b","parent_observation_id":null,"type":"GENERATION","start_time":"2026-01-01 00:00:00.000","input":"hi","output":"hello"}]"#,
        );
        assert_eq!(read.format, TrajectoryFormat::Langfuse);
        let ids: Vec<_> = read.value.iter().map(|it| it.trajectory_id).collect();
        assert_eq!(ids, [Some("a"), Some("b")]);
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"name":"f","arguments":{"n":1},"result":"7"}"#]
        );
    }

    #[test]
    fn an_odd_row_is_left_out_and_reported_once() {
        let arena = Bump::new();
        let step = |at: usize| {
            format!(
                r#"{{"id":"{at}","traceId":"a","type":"GENERATION","startTime":"{at}","input":[{{"role":"user","content":"hi"}},{{"mood":"good"}},{{"role":"user","content":"again"}}],"output":"yes {at}"}}"#
            )
        };
        let read = imported(&arena, &format!("[{},{}]", step(1), step(2)));
        assert_eq!(turns_of(&read.value[0]).len(), 4);
        let paths: Vec<_> = read.warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(paths, ["[0].input[1]"]);
    }
}
