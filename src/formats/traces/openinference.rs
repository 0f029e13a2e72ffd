//! OpenInference spans: `openinference.span.kind` LLM, TOOL, AGENT, …; messages and tools in flattened
//! attributes such as `llm.output_messages.0.message.tool_calls.0.tool_call.function.name`.

use super::spans::{MARKS, has_attribute, spans_of};
use super::steps::read_traces;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Openinference,
    marks: &MARKS,
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    match has_attribute(
        value,
        &[
            "openinference.",
            "llm.output_messages",
            "llm.input_messages",
        ],
    ) {
        Some(true) => Likeness::Full,
        _ if has_attribute(value, &["llm."]) == Some(true) => {
            Likeness::Partial("`openinference.span.kind` in its spans")
        }
        _ => Likeness::None,
    }
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    Ok(read_traces(spans_of(value, import)?, import))
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};
    use toolgauge_model::Role;

    #[test]
    fn flattened_messages_and_tool_spans_make_one_conversation() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("openinference/spans.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::System, "Answer briefly.".to_owned(), 0),
                (Role::User, "Rain in Bonn and Kiel?".to_owned(), 0),
                (Role::Agent, "I ask.".to_owned(), 2),
                (Role::Agent, "Bonn is dry.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"call_1","name":"rain","arguments":{"city":"Bonn"},"result":{"rain":false}}"#,
                r#"{"id":"call_2","name":"rain","arguments":{"city":"Kiel"},"error":"no station"}"#,
            ]
        );
        let tools = trajectory.tools.and_then(Json::items).map(<[_]>::len);
        assert_eq!(tools, Some(1));
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn nested_attributes_of_a_trace_store_are_read() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"data":[{"name":"llm","context":{"trace_id":"t","span_id":"1"},"span_kind":"LLM","start_time":"2026-01-01T00:00:00+00:00","status_code":"OK",
                "attributes":{"llm":{"input_messages":[{"message":{"role":"user","content":"hi"}}],
                                     "output_messages":[{"message":{"role":"assistant","contents":[{"message_content":{"type":"text","text":"I do."}}],"tool_calls":[{"tool_call":{"function":{"name":"f","arguments":"{}"}}}]}}]}}},
               {"name":"f","context":{"trace_id":"t","span_id":"2"},"parent_id":"1","span_kind":"TOOL","start_time":"2026-01-01T00:00:01+00:00","status_code":"ERROR","status_message":"boom",
                "attributes":{"input":{"value":"{}"},"tool":{"name":"f"},"openinference":{"span":{"kind":"TOOL"}}}}],"next_cursor":null}"#,
        );
        assert_eq!(read.format, TrajectoryFormat::Openinference);
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"name":"f","arguments":{},"error":"boom"}"#]
        );
        assert_eq!(turns_of(&read.value[0])[1].1, "I do.");
    }

    #[test]
    fn the_error_names_what_half_a_span_lacks() {
        let reason = failure(r#"[{"name":"x","attributes":{"llm.model_name":"m"}}]"#).to_string();
        assert!(
            reason.contains("openinference, but it lacks `openinference.span.kind`"),
            "{reason}"
        );
    }
}
