//! What the spans of a trace are: steps of a model, runs of a tool, agents. The conventions of OpenTelemetry,
//! OpenInference, the AI SDK, ADK, OpenLLMetry, Logfire and Langfuse occur together, even in one span, so each of them
//! is looked for in each span.

use foldhash::HashMap;

use super::events::{exchanged, instructions, listed, ran};
use super::figures;
use super::flattened;
use super::messages::{is_empty, message_with_calls};
use super::runs::{read_arguments, read_outcome};
use super::spans::{Span, by_trace, member};
use super::trace::{Beside, Node, Place, Source, Trace, order};
use crate::kit::Import;
use crate::kit::fields::Fields;
use crate::kit::lost_calls::MERGED_TOOLS;
use crate::kit::signs::items;
use toolgauge_model::{Json, Member, Path, Role, ToolCall, Trajectory};

/// What a span is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// One request to a model.
    Model,
    /// One run of a tool.
    Tool,
    /// An agent, or a function around several requests.
    Agent,
    /// Anything else.
    Other,
}

/// Attributes that say what a span is, and members of spans and observations that do.
const KINDS: [&str; 7] = [
    "openinference.span.kind",
    "traceloop.span.kind",
    "gen_ai.span.kind",
    "langfuse.observation.type",
    "langsmith.span.kind",
    "mlflow.spanType",
    "llm.request.type",
];
const KIND_MEMBERS: [&str; 2] = ["span_kind", "type"];

const TOOL_NAMES: [&str; 4] = [
    "gen_ai.tool.name",
    "ai.toolCall.name",
    "tool.name",
    "tool_call.function.name",
];

const TOOL_IDS: [&str; 5] = [
    "gen_ai.tool.call.id",
    "ai.toolCall.id",
    "tool_call.id",
    "tool.call_id",
    "tool.id",
];

/// Attributes with the arguments of a tool. The first that is recorded counts.
const ARGUMENTS: [&str; 12] = [
    "gen_ai.tool.call.arguments",
    "gcp.vertex.agent.tool_call_args",
    "ai.toolCall.args",
    "ai.toolCall.input",
    "tool_arguments",
    "input.value",
    "tool_call.function.arguments",
    "traceloop.entity.input",
    "langfuse.observation.input",
    "mlflow.spanInputs",
    "input",
    "gen_ai.tool.input",
];

/// Attributes with the result of a tool. The first that is recorded counts.
const RESULTS: [&str; 11] = [
    "gen_ai.tool.call.result",
    "gcp.vertex.agent.tool_response",
    "ai.toolCall.result",
    "ai.toolCall.output",
    "tool_response",
    "output.value",
    "traceloop.entity.output",
    "langfuse.observation.output",
    "mlflow.spanOutputs",
    "output",
    "gen_ai.tool.output",
];

/// Attributes with the input of a step.
const GIVEN: [&str; 12] = [
    "gen_ai.input.messages",
    "gcp.vertex.agent.llm_request",
    "ai.prompt.messages",
    "ai.prompt",
    "gen_ai.prompt",
    "request_data",
    "input.value",
    "gen_ai.content.prompt",
    "langfuse.observation.input",
    "mlflow.spanInputs",
    "traceloop.entity.input",
    "input",
];

/// Attributes with the output of a step.
const GAVE: [&str; 11] = [
    "gen_ai.output.messages",
    "gcp.vertex.agent.llm_response",
    "gen_ai.completion",
    "response_data",
    "output.value",
    "gen_ai.content.completion",
    "langfuse.observation.output",
    "mlflow.spanOutputs",
    "traceloop.entity.output",
    "final_result",
    "output",
];

/// What instrumentations write instead of contents that they are told to hide.
const HIDDEN: [&str; 4] = ["__REDACTED__", "<redacted>", "[REDACTED]", "REDACTED"];

/// What ADK calls a span for the results of several tools, which have spans of their own.
const MERGED: &str = "execute_tool (merged)";

/// The traces that `spans` belong to.
pub fn read_traces<'a>(spans: Vec<Span<'a>>, import: &mut Import<'a>) -> Vec<Trajectory<'a>> {
    let is_created = |span: &Span<'_>| operation(span) == Some("create_agent");
    let mut traces = by_trace(spans);
    // The making of an agent may be a trace of its own, without a conversation.
    if traces.len() > 1 {
        traces.retain(|spans| !spans.iter().all(is_created));
    }
    let read = |spans: &Vec<Span<'a>>| {
        let first = spans.first();
        let conversation = first.and_then(|span| span.text(&["gen_ai.conversation.id"]));
        Trajectory {
            trajectory_id: first.and_then(|span| span.trace_id()).or(conversation),
            ..read_trace(None, spans, import)
        }
    };
    traces.iter().map(read).collect()
}

/// The conversation of one trace. `whole` is the object around its spans, which may have the input and the output of
/// the trace.
pub fn read_trace<'a>(
    whole: Option<&Fields<'a>>,
    spans: &[Span<'a>],
    import: &mut Import<'a>,
) -> Trajectory<'a> {
    let nodes: Vec<_> = spans.iter().map(Span::node).collect();
    let steps = Steps::of(spans, &nodes, import);
    let mut trace = Trace::default();
    let frame = steps.frame(whole, import);
    for step in steps.ordered.iter().map(|at| &steps.all[*at]) {
        read_instructions(step, &mut trace, import);
    }
    trace.frame(&frame.given, &frame.gave, frame.has_models, import);
    let mut places: HashMap<usize, Place> = HashMap::default();
    for at in &steps.ordered {
        let step = &steps.all[*at];
        match step.kind {
            Kind::Tool => {
                let call = read_tool(step.span, steps.name_of(*at), steps.hides_contents, import);
                let same = steps.same_tool(*at).and_then(|outer| places.get(&outer));
                let place = match same {
                    Some(place) => trace.same_tool(*place, &call),
                    None => trace.tool(call, step.span.time(import)),
                };
                trace.measure_run(place, run_figures(step.span, import));
                places.insert(*at, place);
            }
            Kind::Model if step.is_double => {}
            Kind::Model => {
                read_model(step, &mut trace, import);
                trace.measure_answer(steps.answer_figures(step, import));
            }
            Kind::Agent if reports_run(step.span) => {
                let call = read_tool(step.span, steps.name_of(*at), false, import);
                if let Some(place) = trace.reported(call, step.span.time(import)) {
                    trace.measure_run(place, run_figures(step.span, import));
                }
            }
            Kind::Agent => trace.tools(definitions(step.span, import)),
            Kind::Other => {
                if let Some(name) = step.span.name().filter(|_| is_plain_observation(step.span))
                    && trace.awaits(name)
                {
                    let call = read_tool(step.span, Some(name), false, import);
                    let place = trace.tool(call, step.span.time(import));
                    trace.measure_run(place, run_figures(step.span, import));
                }
            }
        }
    }
    trace.end_frame();
    let first = steps.ordered.first().map(|at| &steps.all[*at].span.fields);
    let path = whole
        .or(first)
        .map_or_else(Path::root, |it| it.path().clone());
    trace.into_trajectory(&path, import)
}

/// A span with what it is and what it holds.
struct Step<'s, 'a> {
    span: &'s Span<'a>,
    kind: Kind,
    given: Vec<Source<'a>>,
    gave: Vec<Source<'a>>,
    /// Whether another span records the same request to the model, and says more.
    is_double: bool,
    /// The span that records the same request to the model, and says less.
    double: Option<usize>,
}

impl<'a> Step<'_, 'a> {
    /// Whether it holds more than texts.
    fn is_structured(&self, import: &Import<'a>) -> bool {
        let mut all = self.given.iter().chain(&self.gave);
        let is_text = |source: &Source<'a>| match source.value {
            Json::String(text) => import.texts.read_nested(text).is_none(),
            _ => false,
        };
        all.any(|source| !is_text(source))
    }
}

/// The spans of a trace, in order.
struct Steps<'s, 'a> {
    all: Vec<Step<'s, 'a>>,
    ordered: Vec<usize>,
    parents: Vec<Option<usize>>,
    /// The nearest span around each that is more than a group of spans.
    outer: Vec<Option<usize>>,
    /// Whether empty objects stand for contents that are not recorded, as ADK writes them.
    hides_contents: bool,
}

/// What a trace as a whole was given and gave.
#[derive(Default)]
struct Frame<'a> {
    given: Vec<Source<'a>>,
    gave: Vec<Source<'a>>,
    /// Whether there are requests to models, which say the rest.
    has_models: bool,
}

impl<'s, 'a> Steps<'s, 'a> {
    fn of(spans: &'s [Span<'a>], nodes: &[Node<'a>], import: &Import<'a>) -> Self {
        let step = |span: &'s Span<'a>| {
            let kind = kind_of(span, import);
            let holds = matches!(kind, Kind::Model | Kind::Agent | Kind::Other);
            let read = |role| match holds {
                true => sources(span, role, import),
                false => Vec::new(),
            };
            Step {
                span,
                kind,
                given: read(Role::User),
                gave: read(Role::Agent),
                is_double: false,
                double: None,
            }
        };
        let by_id: HashMap<_, _> = nodes
            .iter()
            .enumerate()
            .filter_map(|(at, node)| Some((node.id?, at)))
            .collect();
        let parent = |(at, node): (usize, &Node<'a>)| {
            let parent = by_id.get(node.parent?).copied();
            parent.filter(|parent| *parent != at)
        };
        let all: Vec<_> = spans.iter().map(step).collect();
        let parents: Vec<_> = nodes.iter().enumerate().map(parent).collect();
        let ordered = order(nodes);
        let mut outer = vec![None; all.len()];
        // Parents come first, unless they form a circle.
        for at in ordered.iter().copied() {
            outer[at] = match parents[at] {
                Some(parent) if all[parent].kind == Kind::Other => outer[parent],
                other => other,
            };
        }
        let mut steps = Self {
            all,
            ordered,
            parents,
            outer,
            hides_contents: hides_contents(spans, import),
        };
        steps.mark_doubles(import);
        steps
    }

    /// Frameworks and clients of models are often both instrumented: a request then has a span inside a span. The inner
    /// one counts, unless it has nothing but texts.
    fn mark_doubles(&mut self, import: &Import<'a>) {
        let is_model = |at: &usize| self.all[*at].kind == Kind::Model;
        let nested = self.ordered.iter().copied().filter(is_model);
        let pairs = nested.filter_map(|at| Some((at, self.outer[at].filter(is_model)?)));
        for (inner, outer) in pairs.collect::<Vec<_>>() {
            let (kept, double) = match self.all[inner].is_structured(import) {
                true => (inner, outer),
                false => (outer, inner),
            };
            // Of requests that were tried again, the first one gets what the span around them says.
            let is_new = !std::mem::replace(&mut self.all[double].is_double, true);
            let found = is_new.then_some(double);
            self.all[kept].double = self.all[kept].double.or(found);
        }
    }

    /// What the spans of a request to a model say beside its contents.
    fn answer_figures(&self, step: &Step<'_, 'a>, import: &Import<'a>) -> &'a [Member<'a>] {
        let own = figures::of_span(step.span, import);
        match step.double {
            Some(double) => import.merge(own, figures::of_span(self.all[double].span, import)),
            None => own,
        }
    }

    /// The run of the same tool around the one at `at`: both record one call.
    fn same_tool(&self, at: usize) -> Option<usize> {
        let outer = self.outer[at]?;
        let is_same = self.name_of(outer).is_some() && self.name_of(outer) == self.name_of(at);
        (self.all[outer].kind == Kind::Tool && is_same).then_some(outer)
    }

    /// The name of the tool that ran.
    fn name_of(&self, at: usize) -> Option<&'a str> {
        let span = self.all[at].span;
        let own = span.text(&TOOL_NAMES);
        let entity = || span.text(&["traceloop.entity.name"]);
        let around = || self.all[self.parents[at]?].span.text(&["tool.name"]);
        own.or_else(entity)
            .or_else(around)
            .or_else(|| span.name().map(without_operation))
    }

    /// What the trace as a whole was given and gave, so far as the requests to models do not say so.
    fn frame(&self, whole: Option<&Fields<'a>>, import: &Import<'a>) -> Frame<'a> {
        let models = || self.all.iter().filter(|step| step.kind == Kind::Model);
        let steps = || self.ordered.iter().map(|at| &self.all[*at]);
        let is_frame = |step: &&Step<'_, 'a>| !step.given.is_empty() || !step.gave.is_empty();
        let agent = || steps().find(|step| step.kind == Kind::Agent && is_frame(step));
        let first = || steps().find(|step| step.kind == Kind::Other && is_frame(step));
        let of_whole = whole.map(|whole| Frame {
            given: own_source(whole, Role::User, import).into_iter().collect(),
            gave: own_source(whole, Role::Agent, import).into_iter().collect(),
            has_models: false,
        });
        let of_step = || {
            agent().or_else(first).map(|step| Frame {
                given: step.given.clone(),
                gave: step.gave.clone(),
                has_models: false,
            })
        };
        let found = of_whole.filter(|it| !it.given.is_empty() || !it.gave.is_empty());
        let mut frame = found.or_else(of_step).unwrap_or_default();
        frame.has_models = models().next().is_some();
        if models().any(|step| !step.given.is_empty()) {
            frame.given.clear();
        }
        if models().any(|step| !step.gave.is_empty()) {
            frame.gave.clear();
        }
        frame
    }
}

/// Whether ADK was told not to record contents: all requests to models are then empty.
fn hides_contents<'a>(spans: &[Span<'a>], import: &Import<'a>) -> bool {
    let is_model = |span: &&Span<'a>| span.text(&["gen_ai.tool.name"]).is_none();
    let request = |span: &Span<'a>| span.get("gcp.vertex.agent.llm_request");
    let mut requests = spans.iter().filter(is_model).filter_map(request).peekable();
    requests.peek().is_some() && requests.all(|request| is_empty(import.nested(request)))
}

/// The name of a tool in the name of its span.
fn without_operation(name: &str) -> &str {
    let operations = ["execute_tool ", "running tool: ", "tools/call "];
    let found = operations.iter().find_map(|it| name.strip_prefix(it));
    found.unwrap_or(name)
}

fn operation<'a>(span: &Span<'a>) -> Option<&'a str> {
    span.text(&["gen_ai.operation.name", "ai.operationId", "operation.name"])
}

fn kind_of<'a>(span: &Span<'a>, import: &Import<'a>) -> Kind {
    if is_no_run(span) {
        return Kind::Other;
    }
    let by_operation = operation(span).and_then(kind_of_operation);
    let by_name = || {
        let named = ["gen_ai.tool.name", "ai.toolCall.name"];
        span.text(&named).map(|_| Kind::Tool)
    };
    let by_tool = || span.text(&["tool.name"]).map(|_| Kind::Tool);
    by_operation
        .or_else(by_name)
        .or_else(|| written_kind(span))
        .or_else(by_tool)
        .unwrap_or_else(|| match holds_messages(span, import) {
            true => Kind::Model,
            false => Kind::Other,
        })
}

/// Whether a span is of a tool but no run of it: the results of several tools together, or an event of a run.
fn is_no_run(span: &Span<'_>) -> bool {
    let is_event = |target: &str| {
        let ends = [".start", ".finish", ".update", ".partial_update"];
        target.starts_with("tool.") && ends.iter().any(|end| target.ends_with(end))
    };
    span.text(&["gen_ai.tool.name"]) == Some(MERGED_TOOLS)
        || span.name() == Some(MERGED)
        || span.text(&["target"]).is_some_and(is_event)
}

/// Whether the span of an agent holds the run of a tool: its name, its arguments and its result.
fn reports_run(span: &Span<'_>) -> bool {
    let keys = ["tool.name", "tool.parameters", "output.value"];
    let is_there = |key: &&str| span.get(key).is_some_and(is_recorded);
    keys.iter().all(is_there)
}

fn kind_of_operation(name: &str) -> Option<Kind> {
    Some(match name {
        "execute_tool" | "ai.toolCall" => Kind::Tool,
        "chat" | "generate_content" | "text_completion" => Kind::Model,
        "invoke_agent" | "create_agent" | "invoke_workflow" => Kind::Agent,
        "embeddings" | "execute_task" | "retrieval" => Kind::Other,
        name if name.starts_with("ai.toolCall ") => Kind::Tool,
        name if name.starts_with("ai.") => match is_inner(name) {
            true => Kind::Model,
            false => Kind::Agent,
        },
        _ => return None,
    })
}

/// One step of a model in the AI SDK: `ai.generateText.doGenerate` or `ai.streamText.doStream`.
fn is_inner(name: &str) -> bool {
    name.contains(".doGenerate") || name.contains(".doStream")
}

/// What the span says itself that it is. `None` if it is only a part of something.
fn written_kind(span: &Span<'_>) -> Option<Kind> {
    let attribute = span.text(&KINDS);
    let member = || KIND_MEMBERS.iter().find_map(|key| span.fields.text(key));
    let written = attribute
        .or_else(member)?
        .trim_matches('"')
        .to_ascii_lowercase();
    match written.as_str() {
        "llm" | "generation" | "chat_model" | "chat" | "completion" => Some(Kind::Model),
        "tool" => Some(Kind::Tool),
        "agent" | "workflow" => Some(Kind::Agent),
        "embedding" | "reranker" | "guardrail" | "evaluator" | "retriever" => Some(Kind::Other),
        _ => None,
    }
}

fn holds_messages<'a>(span: &Span<'a>, import: &Import<'a>) -> bool {
    let whole = [
        "gen_ai.input.messages",
        "gen_ai.output.messages",
        "gcp.vertex.agent.llm_request",
        "request_data",
    ];
    let flat = [
        "gen_ai.prompt",
        "gen_ai.completion",
        "llm.input_messages",
        "llm.output_messages",
    ];
    let is_group = span.text(&KINDS).is_some() || operation(span).is_some();
    let exchanged = || exchanged(&span.events, import);
    whole.iter().any(|key| found(span, key).is_some())
        || !is_group
            && (flat
                .iter()
                .any(|key| span.unflattened(key, import).is_some())
                || exchanged().given.is_some()
                || exchanged().gave.is_some())
}

/// Whether this is an observation of Langfuse without a kind.
fn is_plain_observation(span: &Span<'_>) -> bool {
    let kind = span.fields.text("type").unwrap_or_default();
    kind.eq_ignore_ascii_case("SPAN") || kind.eq_ignore_ascii_case("EVENT")
}

/// The attribute `key` of a span, or of one of its events.
fn found<'a>(span: &Span<'a>, key: &str) -> Option<Json<'a>> {
    let in_event = || {
        let mut events = span.events.iter();
        events.find_map(|(_, attributes)| member(*attributes, key))
    };
    let is_there = |value: &Json<'a>| !value.is_null();
    span.get(key).filter(is_there).or_else(in_event)
}

/// Whether a value holds contents, rather than nothing or a mark that they are hidden.
fn is_recorded(value: Json<'_>) -> bool {
    match value {
        Json::Null => false,
        Json::String(text) => !HIDDEN.contains(&text) && !matches!(text.trim_ascii(), "null" | ""),
        _ => true,
    }
}

/// What a span was given, or gave, in all places where it may be recorded. The first that can be read counts.
fn sources<'a>(span: &Span<'a>, role: Role, import: &Import<'a>) -> Vec<Source<'a>> {
    let path = span.fields.path().key("attributes");
    let (keys, numbered, flat): (&[&str], _, _) = match role {
        Role::Agent => (&GAVE, "gen_ai.completion", "llm.output_messages"),
        Role::User | Role::System => (&GIVEN, "gen_ai.prompt", "llm.input_messages"),
    };
    let whole = keys
        .iter()
        .filter_map(|key| Some((*key, found(span, key)?)));
    let mut all: Vec<(&str, Json<'a>)> = whole.collect();
    let mut events = span.events.clone();
    for key in ["events", "all_messages_events"] {
        events.extend(span.get(key).iter().flat_map(|list| listed(*list, import)));
    }
    let exchanged = exchanged(&events, import);
    let in_events = match role {
        Role::Agent => exchanged.gave,
        Role::User | Role::System => exchanged.given,
    };
    let flattened = match span.is_cut_off(flat) {
        true => None,
        false => flattened::messages(span, flat, role, import),
    };
    let answer = || ai_sdk_answer(span, import).filter(|_| role == Role::Agent);
    let history = || {
        span.get("pydantic_ai.all_messages")
            .filter(|_| role == Role::Agent)
    };
    let read = [
        (numbered, span.unflattened(numbered, import)),
        ("ai.response", answer()),
        ("pydantic_ai.all_messages", history()),
        ("events", in_events),
        (flat, flattened),
    ];
    all.extend(
        read.into_iter()
            .filter_map(|(key, value)| Some((key, value?))),
    );
    let source = |(key, value): (&str, Json<'a>)| Source {
        value,
        path: path.key(key),
    };
    let all = all.into_iter().map(source);
    all.chain(own_source(&span.fields, role, import))
        .filter(|source| is_recorded(source.value) && !is_empty(import.nested(source.value)))
        .collect()
}

/// The input or output that is a member of an observation or a trace.
fn own_source<'a>(fields: &Fields<'a>, role: Role, import: &Import<'a>) -> Option<Source<'a>> {
    let key = match role {
        Role::Agent => "output",
        Role::User | Role::System => "input",
    };
    let value = unquoted(fields.get(key)?, import);
    let path = fields.path().key(key);
    is_recorded(value).then_some(Source { value, path })
}

/// The text in a text that is a JSON string.
fn unquoted<'a>(value: Json<'a>, import: &Import<'a>) -> Json<'a> {
    let quoted = value.as_str().filter(|text| text.starts_with('"'));
    let read = quoted.and_then(|text| import.texts.read_text(text).ok());
    read.filter(|it| it.as_str().is_some()).unwrap_or(value)
}

/// The output of a model in a span of the AI SDK, as a chat message.
fn ai_sdk_answer<'a>(span: &Span<'a>, import: &Import<'a>) -> Option<Json<'a>> {
    let text = span.text(&["ai.response.text", "ai.result.text", "ai.response.object"]);
    let keys = ["ai.response.toolCalls", "ai.result.toolCalls"];
    let calls = keys.into_iter().find_map(|key| span.get(key));
    let calls = calls
        .map(|calls| import.nested(calls))
        .and_then(Json::items);
    if text.is_none() && calls.is_none() {
        return None;
    }
    let message = message_with_calls(calls.unwrap_or_default(), import);
    let text: [Member<'a>; 1] = [("content", text.map(Json::String).unwrap_or_default())];
    Some(Json::Object(
        import.merge(message.members().unwrap_or_default(), &text),
    ))
}

/// Adds the instructions that a span of a model or an agent has apart from the messages.
fn read_instructions<'a>(step: &Step<'_, 'a>, trace: &mut Trace<'a>, import: &Import<'a>) {
    if matches!(step.kind, Kind::Model | Kind::Agent)
        && let Some(system) = found(step.span, "gen_ai.system_instructions")
    {
        trace.merge(instructions(system, import).into_iter().collect());
    }
}

/// Adds the input and the output of a model.
fn read_model<'a>(step: &Step<'_, 'a>, trace: &mut Trace<'a>, import: &mut Import<'a>) {
    let span = step.span;
    let time = span.time(import);
    if trace.step(&step.given, &step.gave, time, import) == Beside::Nothing {
        trace.tools(definitions(span, import));
    }
    for key in ["llm.output_messages", "llm.input_messages"] {
        if span.is_cut_off(key) {
            let path = span.fields.path().key("attributes").key(key);
            import.warn(
                &path,
                "the beginning of this list is missing, so it is not read",
            );
        }
    }
    if let Some(error) = span.error() {
        let why = import.label(error);
        import.warn(span.fields.path(), format!("the model failed: {why}"));
    }
}

/// What the span of a run of a tool says beside its contents.
fn run_figures<'a>(span: &Span<'a>, import: &Import<'a>) -> &'a [Member<'a>] {
    figures::of_run(span.fields.value(), span.time(import), import)
}

/// The call of the tool `name` that a span records.
fn read_tool<'a>(
    span: &Span<'a>,
    name: Option<&'a str>,
    hides_contents: bool,
    import: &mut Import<'a>,
) -> ToolCall<'a> {
    let metadata = import.nested(span.fields.get("metadata").unwrap_or_default());
    let in_metadata = || {
        let ids = ["tool_call_id", "toolCallId"];
        ids.into_iter().find_map(|key| metadata.get(key)?.as_str())
    };
    let mut call = ToolCall {
        id: span.text(&TOOL_IDS).or_else(in_metadata),
        name,
        ..ToolCall::default()
    };
    let in_events = ran(&span.events, import);
    let given = run_sources(span, &ARGUMENTS, "input", in_events.given);
    let gave = run_sources(span, &RESULTS, "output", in_events.gave);
    let hides = |it: &Source<'_>| it.value.as_str().is_some_and(|text| HIDDEN.contains(&text));
    let is_hidden = given.iter().chain(&gave).any(hides);
    let is_written = |it: &&Source<'a>| {
        let is_nothing = hides_contents && is_empty(import.nested(it.value));
        is_recorded(it.value) && !is_nothing
    };
    let parameters = parameters_of(span, import).filter(|_| !is_hidden);
    let source = given.iter().find(is_written).or(parameters.as_ref());
    let came_back = gave.iter().find(is_written);
    if let Some(source) = source {
        read_arguments(&mut call, Some(source.value), &source.path, import);
    }
    let came_back = came_back.map(|it| unquoted(it.value, import));
    read_outcome(&mut call, came_back, import);
    if span.text(&["gen_ai.tool.status"]) == Some("error") && call.error.is_none() {
        call.error = call.result.take();
    }
    if let Some(error) = span.error().filter(|_| call.error.is_none()) {
        let says_nothing = error.as_str() == Some("ERROR");
        let result = call.result.take_if(|_| says_nothing);
        call.error = result.or(Some(error));
    }
    let is_optional =
        span.text(&["openinference.span.kind"]).is_none() && span.fields.get("type").is_none();
    let lacks_arguments = call.arguments.is_none() && call.raw_arguments.is_none();
    call.unrecorded = lacks_arguments || call.is_unanswered() && (is_optional || is_hidden);
    call
}

/// Where the arguments or the result of a tool may be recorded: in the attributes `keys`, in the member `own` of an
/// observation, and in events.
fn run_sources<'a>(
    span: &Span<'a>,
    keys: &[&'static str],
    own: &'static str,
    in_events: Option<Json<'a>>,
) -> Vec<Source<'a>> {
    let path = span.fields.path();
    let source = |value, path| Source { value, path };
    let attribute = |key: &&str| Some(source(span.get(key)?, path.key("attributes").key(key)));
    let member = span
        .fields
        .get(own)
        .map(|value| source(value, path.key(own)));
    let event = in_events.map(|value| source(value, path.key("events")));
    let written = keys.iter().filter_map(attribute);
    written.chain(member).chain(event).collect()
}

/// The attribute with the parameters of a tool, which are its arguments in some instrumentations, and their description
/// in others. `None` if they are described.
fn parameters_of<'a>(span: &Span<'a>, import: &Import<'a>) -> Option<Source<'a>> {
    const KEY: &str = "tool.parameters";
    let value = span.get(KEY).filter(|value| is_recorded(*value))?;
    let parameters = import.nested(value);
    let is_described = |(_, value): &Member<'a>| value.get("type").is_some();
    let is_schema = parameters.get("properties").is_some();
    let members = parameters.members().unwrap_or_default();
    let is_list = !members.is_empty() && members.iter().all(is_described);
    let path = span.fields.path().key("attributes").key(KEY);
    (!is_schema && !is_list).then_some(Source { value, path })
}

/// The tools of a span: JSON, or a list of texts.
fn definitions<'a>(span: &Span<'a>, import: &Import<'a>) -> Option<Json<'a>> {
    let keys = ["gen_ai.tool.definitions", "ai.prompt.tools"];
    let listed = keys.into_iter().find_map(|key| span.get(key));
    let of_pydantic = || {
        let parameters = import.nested(span.get("model_request_parameters")?);
        let lists = ["function_tools", "output_tools"];
        let tools = lists.iter().flat_map(|key| items(parameters, key));
        let tools: Vec<_> = tools.map(|tool| pydantic_tool(*tool, import)).collect();
        (!tools.is_empty()).then(|| Json::Array(import.arena().alloc_slice_copy(&tools)))
    };
    let Some(listed) = listed.or_else(of_pydantic) else {
        return flattened::definitions(span, import);
    };
    let tools = import.nested(listed).items()?.iter();
    let tools: Vec<_> = tools.map(|tool| import.nested(*tool)).collect();
    Some(Json::Array(import.arena().alloc_slice_copy(&tools)))
}

/// A tool definition of Pydantic AI, as in requests to models.
fn pydantic_tool<'a>(tool: Json<'a>, import: &Import<'a>) -> Json<'a> {
    let members = [
        ("name", tool.get("name")),
        ("description", tool.get("description")),
        ("parameters", tool.get("parameters_json_schema")),
    ];
    let there = members
        .into_iter()
        .filter_map(|(key, value)| Some((key, value?)));
    let there: Vec<Member<'a>> = there.filter(|(_, value)| !value.is_null()).collect();
    Json::Object(import.arena().alloc_slice_copy(&there))
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use crate::testing::{calls_of, imported, turns_of};

    /// The calls in spans `(name, id, parent, attributes)`, and how many warnings there are.
    fn calls(spans: &[(&str, &str, &str, &str)]) -> (Vec<String>, usize) {
        let span = |(at, (name, id, parent, attributes)): (usize, &(&str, &str, &str, &str))| {
            format!(
                r#"{{"name":"{name}","traceId":"t","spanId":"{id}","parentSpanId":"{parent}","startTimeUnixNano":"{at}","attributes":{attributes}}}"#
            )
        };
        let spans: Vec<_> = spans.iter().enumerate().map(span).collect();
        let arena = Bump::new();
        let read = imported(&arena, &format!("[{}]", spans.join(",")));
        (calls_of(&read.value[0]), read.warnings.len())
    }

    const MODEL: &str = r#"{"gen_ai.operation.name":"chat","gen_ai.output.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"1\",\"name\":\"f\",\"arguments\":{\"n\":1}}]}]"}"#;

    #[test]
    fn one_call_may_have_spans_inside_spans() {
        let outer = r#"{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"f"}"#;
        let inner = r#"{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"f","gen_ai.tool.call.result":"7"}"#;
        let other = r#"{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"g","gen_ai.tool.call.arguments":"{}","gen_ai.tool.call.result":"8"}"#;
        let (calls, warnings) = calls(&[
            ("chat", "m", "", MODEL),
            ("execute_tool f", "a", "", outer),
            ("group", "b", "a", "{}"),
            ("tools/call f", "c", "b", inner),
            ("execute_tool g", "d", "a", other),
        ]);
        assert_eq!(
            calls,
            [
                r#"{"id":"1","name":"f","arguments":{"n":1},"result":"7"}"#,
                r#"{"name":"g","arguments":{},"result":"8"}"#,
            ]
        );
        assert_eq!(warnings, 0);
    }

    #[test]
    fn spans_that_are_no_runs_make_no_calls() {
        let merged = r#"{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"(merged tools)","gen_ai.tool.call.id":"9"}"#;
        let event = r#"{"openinference.span.kind":"TOOL","target":"tool.search.start","tool.parameters":"{}"}"#;
        let agent =
            r#"{"openinference.span.kind":"AGENT","tool.name":"f","tool.parameters":"null"}"#;
        let task = r#"{"gen_ai.operation.name":"execute_task","input.value":"f"}"#;
        let (calls, _) = calls(&[
            ("chat", "m", "", MODEL),
            ("execute_tool (merged)", "a", "", merged),
            ("tool.search.start", "b", "", event),
            ("agent.update", "c", "", agent),
            ("f", "d", "", task),
        ]);
        assert_eq!(calls.len(), 1, "{calls:?}");
    }

    #[test]
    fn contents_that_are_not_recorded_are_marked_and_reported_once() {
        let bare = r#"{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"f","gen_ai.tool.call.id":"1"}"#;
        let asked = MODEL.replace(r#",\"arguments\":{\"n\":1}"#, "");
        let adk = r#"{"gen_ai.system":"gcp.vertex.agent","gcp.vertex.agent.llm_request":"{}","gcp.vertex.agent.llm_response":"{}"}"#;
        let adk_tool = r#"{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"f","gcp.vertex.agent.tool_call_args":"{}","gcp.vertex.agent.tool_response":"{}"}"#;
        let positional = r#"{"traceloop.span.kind":"tool","traceloop.entity.name":"f","traceloop.entity.input":"{\"args\":[1],\"kwargs\":{}}","traceloop.entity.output":"7"}"#;
        let cases = [
            (
                vec![("execute_tool f", "a", "", bare)],
                r#"{"id":"1","name":"f","unrecorded":true}"#,
            ),
            (
                vec![
                    ("chat", "m", "", asked.as_str()),
                    ("execute_tool f", "a", "", bare),
                ],
                r#"{"id":"1","name":"f","unrecorded":true}"#,
            ),
            (
                vec![("chat", "m", "", MODEL), ("execute_tool f", "a", "", bare)],
                r#"{"id":"1","name":"f","arguments":{"n":1},"unrecorded":true}"#,
            ),
            (
                vec![
                    ("call_llm", "m", "", adk),
                    ("execute_tool f", "a", "", adk_tool),
                ],
                r#"{"name":"f","unrecorded":true}"#,
            ),
            (
                vec![("f.tool", "a", "", positional)],
                r#"{"name":"f","unrecorded":true,"result":"7","recorded_input":{"args":[1],"kwargs":{}}}"#,
            ),
        ];
        for (spans, expected) in cases {
            assert_eq!(calls(&spans), (vec![expected.to_owned()], 1), "{spans:?}");
        }
    }

    /// Spans of one run of the AI SDK, each by its operation.
    fn calls_of_ai_sdk(spans: &[(&str, String)]) -> (Vec<String>, usize) {
        let spans: Vec<_> = spans
            .iter()
            .enumerate()
            .map(|(at, (operation, attributes))| {
                let attributes = format!(r#"{{"ai.operationId":"{operation}"{attributes}}}"#);
                (*operation, ["1", "2", "3", "4"][at], "", attributes)
            })
            .collect();
        let spans: Vec<_> = spans
            .iter()
            .map(|(name, id, parent, it)| (*name, *id, *parent, it.as_str()))
            .collect();
        calls(&spans)
    }

    /// An attribute with JSON text.
    fn text(key: &str, json: &str) -> String {
        format!(r#","{key}":{}"#, serde_json::Value::from(json))
    }

    const STEP: &str = "ai.generateText.doGenerate";
    const TOOL: &str = "ai.toolCall";

    #[test]
    fn messages_may_divide_the_calls_of_an_answer_into_turns() {
        let answer = r#"[{"toolCallId":"c1","toolName":"search","input":{"q":"storms"}},{"toolCallId":"c2","toolName":"weather","input":{"city":"Oslo"}}]"#;
        let history = r#"[{"role":"user","content":[{"type":"text","text":"Storms?"}]},
            {"role":"assistant","content":[
                {"type":"tool-call","toolCallId":"c1","toolName":"search","input":{"q":"storms"},"providerExecuted":true},
                {"type":"tool-result","toolCallId":"c1","toolName":"search","output":{"type":"json","value":{"hits":1}}},
                {"type":"text","text":"Found."},
                {"type":"tool-call","toolCallId":"c2","toolName":"weather","input":{"city":"Oslo"}}]},
            {"role":"tool","content":[{"type":"tool-result","toolCallId":"c2","toolName":"weather","output":{"type":"json","value":21}}]}]"#;
        let answered = [
            text("ai.response.text", "Found."),
            text("ai.response.toolCalls", answer),
        ];
        let (calls, warnings) = calls_of_ai_sdk(&[
            (STEP, answered.concat()),
            (STEP, text("ai.prompt.messages", history)),
            (STEP, text("ai.prompt.messages", history)),
        ]);
        assert_eq!(
            calls,
            [
                r#"{"id":"c1","name":"search","arguments":{"q":"storms"},"result":{"hits":1}}"#,
                r#"{"id":"c2","name":"weather","arguments":{"city":"Oslo"},"result":21}"#,
            ]
        );
        assert_eq!(warnings, 0);
    }

    #[test]
    fn the_messages_complete_the_calls_of_spans() {
        let span = |id: &str| {
            let id = text("ai.toolCall.id", id);
            [text("ai.toolCall.name", "weather"), id].concat()
        };
        let history = r#"[{"role":"assistant","content":[{"type":"text","text":"I will look."},
                {"type":"tool-call","toolCallId":"c1","toolName":"weather","input":{"city":"Oslo"}},
                {"type":"tool-call","toolCallId":"c2","toolName":"weather","input":{"city":"Rome"}},
                {"type":"tool-call","toolCallId":"c3","toolName":"weather","input":{"town":"Bonn"}}]},
            {"role":"tool","content":[{"type":"tool-result","toolCallId":"c2","toolName":"weather","output":{"type":"json","value":21}},
                {"type":"tool-result","toolCallId":"c1","toolName":"weather","output":{"type":"json","value":20}},
                {"type":"tool-result","toolCallId":"c3","toolName":"weather","output":{"type":"error-text","value":"invalid"}}]}]"#;
        let spans = [
            (TOOL, span("c1")),
            (TOOL, span("c2")),
            (STEP, text("ai.prompt.messages", history)),
        ];
        let (calls, warnings) = calls_of_ai_sdk(&spans);
        assert_eq!(
            calls,
            [
                r#"{"id":"c1","name":"weather","arguments":{"city":"Oslo"},"result":20}"#,
                r#"{"id":"c2","name":"weather","arguments":{"city":"Rome"},"result":21}"#,
                r#"{"id":"c3","name":"weather","arguments":{"town":"Bonn"},"error":"invalid"}"#,
            ]
        );
        assert_eq!(warnings, 0);
    }

    #[test]
    fn a_call_is_unrecorded_if_its_result_would_be_in_an_input_that_is_not_recorded() {
        let called = text(
            "ai.response.toolCalls",
            r#"[{"toolCallId":"c1","toolName":"weather","input":{}}]"#,
        );
        let said = text("ai.response.text", "Sorry.");
        let asked = text(
            "ai.prompt.messages",
            r#"[{"role":"user","content":[{"type":"text","text":"Rain?"}]}]"#,
        );
        let step = [(STEP, called), (STEP, said.clone())];
        let (calls, warnings) = calls_of_ai_sdk(&step);
        let call = r#"{"id":"c1","name":"weather","arguments":{}"#;
        assert_eq!(calls, [format!(r#"{call},"unrecorded":true}}"#)]);
        assert_eq!(warnings, 1);
        let [first, _] = step;
        let (calls, warnings) = calls_of_ai_sdk(&[first, (STEP, [asked, said].concat())]);
        assert_eq!((calls, warnings), (vec![format!("{call}}}")], 0));
    }

    #[test]
    fn other_tracers_record_the_same_in_other_attributes() {
        let logfire = r#"{"request_data":"{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"model\":\"m\"}","response_data":"{\"message\":{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"n\\\":1}\"}}]}}","gen_ai.system":"openai"}"#;
        let mlflow = r#"{"mlflow.spanType":"\"CHAT_MODEL\"","mlflow.spanInputs":"{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}","mlflow.spanOutputs":"{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"n\\\":1}\"}}]}}]}"}"#;
        let traceloop = r#"{"llm.request.type":"chat","gen_ai.prompt.0.role":"user","gen_ai.prompt.0.content":"[{\"type\":\"text\",\"text\":\"hi\"}]","gen_ai.completion.0.role":"assistant","gen_ai.completion.0.tool_calls.0.id":"1","gen_ai.completion.0.tool_calls.0.name":"f","gen_ai.completion.0.tool_calls.0.arguments":"{\"n\":1}"}"#;
        let tools = [
            r#"{"mlflow.spanType":"\"TOOL\"","mlflow.spanInputs":"{\"n\":1}","mlflow.spanOutputs":"\"seven\""}"#,
            r#"{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"f","gen_ai.tool.call.arguments":{"n":1},"gen_ai.tool.call.result":"seven"}"#,
            r#"{"traceloop.span.kind":"tool","traceloop.entity.name":"f","traceloop.entity.input":"{\"input_str\":\"{'n': 1}\",\"tags\":[]}","traceloop.entity.output":"seven"}"#,
            r#"{"openinference.span.kind":"TOOL","tool.name":"f","input.value":"{\"args\":[],\"sanitize\":true,\"kwargs\":{\"n\":1}}","output.value":"seven"}"#,
            r#"{"langfuse.observation.type":"tool","langfuse.observation.input":"{\"args\":[],\"kwargs\":{\"n\":1}}","langfuse.observation.output":"seven"}"#,
        ];
        for model in [logfire, mlflow, traceloop, MODEL] {
            for tool in tools {
                let (calls, warnings) = calls(&[("chat", "m", "", model), ("f", "t", "", tool)]);
                let expected = r#"{"id":"1","name":"f","arguments":{"n":1},"result":"seven"}"#;
                assert_eq!(calls, [expected], "{model}\n{tool}");
                assert_eq!(warnings, 0, "{model}\n{tool}");
            }
        }
        let failed = r#"{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"f","gen_ai.tool.call.arguments":"{}","gen_ai.tool.call.result":"no","gen_ai.tool.status":"error"}"#;
        let (calls, _) = calls(&[("f", "t", "", failed)]);
        assert_eq!(calls, [r#"{"name":"f","arguments":{},"error":"no"}"#]);
    }

    #[test]
    fn what_models_do_not_record_is_taken_from_their_agent() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"name":"invoke_agent","traceId":"t","spanId":"1","attributes":{"gen_ai.operation.name":"invoke_agent","gen_ai.system_instructions":"[{\"type\":\"text\",\"content\":\"Help.\"}]",
                 "gen_ai.input.messages":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"hi\"}]}]","gen_ai.output.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"bye\"}]}]"}},
                {"name":"chat","traceId":"t","spanId":"2","parentSpanId":"1","attributes":{"gen_ai.operation.name":"chat"}}]"#,
        );
        let said: Vec<_> = turns_of(&read.value[0])
            .into_iter()
            .map(|it| it.1)
            .collect();
        assert_eq!(said, ["Help.", "hi", "bye"]);
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }
}
