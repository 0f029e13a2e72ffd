//! What a step of a trace took: when it ended, the tokens that a model used, and what they cost. The members of turns and
//! calls that hold it have the names by which scores read them.

use super::spans::{Span, first_of, member};
use crate::kit::Import;
use toolgauge_model::{Json, Member, Number};

/// The member of a call with the time at which it began.
const STARTED: &str = "started_at";

/// The member of a turn or a call with the time at which it ended.
const ENDED: &str = "ended_at";

/// The member of a turn with the tokens that the model used.
const USAGE: &str = "usage";

/// The member of a turn with what the model cost.
const COST: &str = "cost";

/// The numbers of tokens read, written, and both. The first of each list that is there counts.
type TokenKeys = [&'static [&'static str]; 3];

/// The members of an object about nothing but tokens.
const OF_USAGE: TokenKeys = [
    &[
        "input_tokens",
        "prompt_tokens",
        "inputTokens",
        "promptTokens",
        "promptTokenCount",
        "prompt_token_count",
        "input",
        "prompt",
    ],
    &[
        "output_tokens",
        "completion_tokens",
        "outputTokens",
        "completionTokens",
        "candidatesTokenCount",
        "candidates_token_count",
        "output",
        "completion",
    ],
    &[
        "total_tokens",
        "totalTokens",
        "totalTokenCount",
        "total_token_count",
        "total",
    ],
];

/// The attributes of a span.
const OF_SPANS: TokenKeys = [
    &[
        "gen_ai.usage.input_tokens",
        "gen_ai.usage.prompt_tokens",
        "llm.token_count.prompt",
        "ai.usage.inputTokens",
        "ai.usage.promptTokens",
        "llm.usage.prompt_tokens",
    ],
    &[
        "gen_ai.usage.output_tokens",
        "gen_ai.usage.completion_tokens",
        "llm.token_count.completion",
        "ai.usage.outputTokens",
        "ai.usage.completionTokens",
        "llm.usage.completion_tokens",
    ],
    &[
        "gen_ai.usage.total_tokens",
        "llm.token_count.total",
        "ai.usage.totalTokens",
        "ai.usage.tokens",
        "llm.usage.total_tokens",
    ],
];

/// The members of an observation of Langfuse, a run of LangSmith or a span of DeepEval.
const OF_STEPS: TokenKeys = [
    &[
        "inputUsage",
        "promptTokens",
        "prompt_tokens",
        "input_usage",
        "inputTokenCount",
        "input_token_count",
    ],
    &[
        "outputUsage",
        "completionTokens",
        "completion_tokens",
        "output_usage",
        "outputTokenCount",
        "output_token_count",
    ],
    &["totalUsage", "totalTokens", "total_tokens", "total_usage"],
];

/// Members and attributes with an object about tokens.
const USAGES: [&str; 9] = [
    "usageDetails",
    "usage_details",
    "usage",
    "usage_metadata",
    "token_usage",
    "llm_output.token_usage",
    "response_metadata.token_usage",
    "langfuse.observation.usage_details",
    "mlflow.chat.tokenUsage",
];

/// Attributes with an object about money.
const MONEY: [&str; 1] = ["langfuse.observation.cost_details"];

/// The members by which messages say themselves what the model used.
const SAID: [&str; 5] = [
    "usage",
    "usage_metadata",
    "usageMetadata",
    "metrics",
    "token_usage",
];

/// Members and attributes with what a model cost.
const COSTS: [&str; 12] = [
    "costDetails.total",
    "cost_details.total",
    "calculatedTotalCost",
    "calculated_total_cost",
    "totalCost",
    "total_cost",
    "llm.cost.total",
    "gen_ai.usage.cost",
    "gen_ai.usage.total_cost",
    "operation.cost",
    "usage.cost",
    "cost",
];

/// Members with the end of a step.
const ENDS: [&str; 5] = [
    "endTimeUnixNano",
    "end_time_unix_nano",
    "endTime",
    "end_time",
    "end_timestamp",
];

/// A time, as the source writes it. Seconds and nanoseconds, as in OpenTelemetry for JavaScript, become one number.
pub fn label<'a>(time: Json<'a>, import: &Import<'a>) -> &'a str {
    let Json::Array([Json::Number(seconds), Json::Number(nanos)]) = time else {
        return import.label(time);
    };
    let text = format!("{}.{:09}", seconds.as_f64(), nanos.as_f64());
    import.arena().alloc_str(&text)
}

/// What the log says of a run of a tool, beside its contents: members for its call. `step` is the span, run or observation.
pub fn of_run<'a>(step: Json<'a>, time: Option<&'a str>, import: &Import<'a>) -> &'a [Member<'a>] {
    started(time, ended(step, import).as_slice(), import)
}

/// The `figures` of what began at this time.
pub fn started<'a>(
    time: Option<&'a str>,
    figures: &[Member<'a>],
    import: &Import<'a>,
) -> &'a [Member<'a>] {
    let time = time.map(|time| (STARTED, Json::String(time)));
    let all: Vec<_> = time.into_iter().chain(figures.iter().copied()).collect();
    import.arena().alloc_slice_copy(&all)
}

/// What the log says of a request to a model, beside its contents: members for the turn of the answer. `step` is the run or
/// span, and `output` what the model gave.
pub fn of_answer<'a>(step: Json<'a>, output: Json<'a>, import: &Import<'a>) -> &'a [Member<'a>] {
    let usage = usage_in(step, &OF_STEPS, import).or_else(|| usage_in(output, &OF_STEPS, import));
    members([ended(step, import), usage, cost_in(step, import)], import)
}

/// As [`of_answer`], for a span with attributes or an observation.
pub fn of_span<'a>(span: &Span<'a>, import: &Import<'a>) -> &'a [Member<'a>] {
    let (step, attributes) = (span.fields.value(), span.attributes());
    let usage = usage_in(step, &OF_STEPS, import);
    let usage = usage.or_else(|| usage_in(attributes, &OF_SPANS, import));
    let cost = cost_in(step, import).or_else(|| cost_in(attributes, import));
    members([ended(step, import), usage, cost], import)
}

/// What a message says, with the `figures` of the step that gave it. A message may say itself what the model used.
pub fn beside<'a>(
    said: &'a [Member<'a>],
    figures: &'a [Member<'a>],
    import: &Import<'a>,
) -> &'a [Member<'a>] {
    let says_usage = said.iter().any(|(key, _)| SAID.contains(key));
    let new = figures.iter().copied();
    let new: Vec<_> = new
        .filter(|(key, _)| *key != USAGE || !says_usage)
        .collect();
    import.merge(said, &new)
}

fn members<'a>(found: [Option<Member<'a>>; 3], import: &Import<'a>) -> &'a [Member<'a>] {
    let found: Vec<_> = found.into_iter().flatten().collect();
    import.arena().alloc_slice_copy(&found)
}

fn ended<'a>(step: Json<'a>, import: &Import<'a>) -> Option<Member<'a>> {
    let written = first_of(step, &ENDS).map(|end| label(end, import));
    let end = written.or_else(|| end_in_jaeger(step, import))?;
    Some((ENDED, Json::String(end)))
}

/// The end of a span of Jaeger, which has its start and its duration in microseconds.
fn end_in_jaeger<'a>(span: Json<'a>, import: &Import<'a>) -> Option<&'a str> {
    span.get("operationName")?.as_str()?;
    let [start, duration] = ["startTime", "duration"].map(|key| number(span, key));
    match (start?, duration?) {
        (Number::Unsigned(start), Number::Unsigned(duration)) => {
            let end = start.saturating_add(duration);
            Some(import.arena().alloc_str(&end.to_string()))
        }
        _ => None,
    }
}

/// The tokens that a step names in members of its own, or in an object about them.
fn usage_in<'a>(step: Json<'a>, own: &TokenKeys, import: &Import<'a>) -> Option<Member<'a>> {
    let inner = || {
        let mut inner = USAGES.iter().filter_map(|key| member(step, key));
        inner.find_map(|usage| usage_of(import.nested(usage), &OF_USAGE, import))
    };
    inner().or_else(|| usage_of(step, own, import))
}

/// The tokens in `place`. `None` if there are none: stores write 0 where they know nothing.
fn usage_of<'a>(place: Json<'a>, keys: &TokenKeys, import: &Import<'a>) -> Option<Member<'a>> {
    let [read, written, all] = keys.map(|keys| keys.iter().find_map(|key| number(place, key)));
    let found = [
        ("input_tokens", read),
        ("output_tokens", written),
        ("total_tokens", all),
    ];
    let found: Vec<Member<'a>> = found
        .into_iter()
        .filter_map(|(key, count)| Some((key, Json::Number(count?))))
        .collect();
    let is_used = [read, written, all].into_iter().flatten().any(is_positive);
    is_used.then(|| (USAGE, Json::Object(import.arena().alloc_slice_copy(&found))))
}

/// What a step says that the model cost. `None` if it says 0, as stores do for models whose price they do not know.
fn cost_in<'a>(step: Json<'a>, import: &Import<'a>) -> Option<Member<'a>> {
    let own = COSTS.iter().filter_map(|key| number(step, key));
    let details = MONEY.iter().filter_map(|key| member(step, key));
    let details = details.filter_map(|details| number(import.nested(details), "total"));
    let cost = own.chain(details).find(|cost| is_positive(*cost))?;
    Some((COST, Json::Number(cost)))
}

fn is_positive(number: Number) -> bool {
    number.as_f64() > 0.0
}

/// The number in the member `key`, which may be written as a text. Some stores write counts as fractions: 7.0.
fn number(place: Json<'_>, key: &str) -> Option<Number> {
    match member(place, key)? {
        Json::Number(Number::Float(number)) if number >= 0.0 && number as u64 as f64 == number => {
            Some(Number::Unsigned(number as u64))
        }
        Json::Number(number) => Some(number),
        Json::String(text) => {
            let whole = text.parse().map(Number::Unsigned);
            let other = || text.parse().ok().filter(|it: &f64| it.is_finite());
            whole.ok().or_else(|| other().map(Number::Float))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use crate::testing::imported;
    use toolgauge_model::Json;

    /// The members beside those that every trajectory has, of each turn of the agent and of its calls.
    fn figures(log: &str) -> Vec<String> {
        let arena = Bump::new();
        let read = imported(&arena, log);
        let mut figures = Vec::new();
        for (_, turn) in read.value[0].agent_turns() {
            let of_calls = turn.tool_calls.iter().map(|call| call.extra);
            for members in std::iter::once(turn.extra).chain(of_calls) {
                figures.push(serde_json::to_string(&Json::Object(members)).expect("JSON"));
            }
        }
        figures
    }

    #[test]
    fn observations_keep_their_end_tokens_and_cost() {
        let log = r#"[{"id":"g","traceId":"a","type":"GENERATION","startTime":"2026-01-01T00:00:01Z","endTime":"2026-01-01T00:00:03Z",
                "usageDetails":{"input":10,"output":5,"total":15},"totalCost":0.25,"input":[{"role":"user","content":"hi"}],
                "output":{"content":"","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]}},
            {"id":"t","traceId":"a","type":"TOOL","name":"f","startTime":"2026-01-01T00:00:03Z","endTime":"2026-01-01T00:00:04Z",
                "usageDetails":{},"totalCost":0,"input":{},"output":7}]"#;
        assert_eq!(
            figures(log),
            [
                r#"{"ended_at":"2026-01-01T00:00:03Z","usage":{"input_tokens":10,"output_tokens":5,"total_tokens":15},"cost":0.25}"#,
                r#"{"started_at":"2026-01-01T00:00:03Z","ended_at":"2026-01-01T00:00:04Z"}"#,
            ]
        );
    }

    #[test]
    fn spans_keep_their_end_and_tokens() {
        let log = r#"[{"name":"chat","traceId":"t","spanId":"1","startTime":[1767600001,0],"endTime":[1767600002,500000000],"attributes":{
                "gen_ai.operation.name":"chat","gen_ai.usage.input_tokens":"7","gen_ai.usage.output_tokens":2,"operation.cost":0.5,
                "gen_ai.output.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"bye\"}]}]"}}]"#;
        assert_eq!(
            figures(log),
            [
                r#"{"ended_at":"1767600002.500000000","usage":{"input_tokens":7,"output_tokens":2},"cost":0.5}"#
            ]
        );
    }

    #[test]
    fn spans_of_models_measure_the_conversation_that_a_state_holds() {
        let log = r#"{"uuid":"u","output":{"messages":[{"type":"human","content":"hi"},
                {"type":"ai","content":"","tool_calls":[{"name":"f","args":{},"id":"1"}]},
                {"type":"tool","content":"7","tool_call_id":"1"},{"type":"ai","content":"Seven."}]},
            "toolSpans":[],"llmSpans":[
                {"uuid":"a","type":"llm","startTime":"2026-01-01T00:00:01Z","endTime":"2026-01-01T00:00:02Z","inputTokenCount":3.0,
                    "output":{"role":"AI","content":"","tool_calls":[{"name":"f","args":{},"id":"1"}]}},
                {"uuid":"b","type":"llm","startTime":"2026-01-01T00:00:03Z","endTime":"2026-01-01T00:00:04Z","outputTokenCount":2,
                    "output":{"role":"AI","content":"Seven."}}]}"#;
        assert_eq!(
            figures(log),
            [
                r#"{"started_at":"2026-01-01T00:00:01Z","ended_at":"2026-01-01T00:00:02Z","usage":{"input_tokens":3}}"#,
                "{}",
                r#"{"started_at":"2026-01-01T00:00:03Z","ended_at":"2026-01-01T00:00:04Z","usage":{"output_tokens":2}}"#,
            ]
        );
    }

    #[test]
    fn a_request_that_two_spans_record_is_counted_once() {
        let span = |id: &str, parent: &str, more: &str| {
            format!(
                r#"{{"name":"chat","traceId":"t","spanId":"{id}","parentSpanId":"{parent}","startTimeUnixNano":"1","attributes":{{
                    "gen_ai.operation.name":"chat",{more}
                    "gen_ai.output.messages":[{{"role":"assistant","parts":[{{"type":"text","content":"bye"}}]}}]}}}}"#
            )
        };
        let used = r#""gen_ai.usage.input_tokens":7,"#;
        for (outer, inner) in [(used, ""), ("", used), (used, used)] {
            let log = format!("[{},{}]", span("1", "", outer), span("2", "1", inner));
            assert_eq!(figures(&log), [r#"{"usage":{"input_tokens":7}}"#]);
        }
    }

    #[test]
    fn what_stores_write_where_they_know_nothing_is_no_figure() {
        let log = r#"[{"id":"g","traceId":"a","type":"GENERATION","startTime":"2026-01-01T00:00:01Z","endTime":null,
                "usageDetails":{},"costDetails":{},"totalCost":0,"inputUsage":0,"outputUsage":0,"totalUsage":0,
                "input":"hi","output":"bye"}]"#;
        assert_eq!(figures(log), ["{}"]);
    }
}
