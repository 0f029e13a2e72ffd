//! Google's Agent Development Kit, in snake or camel case: eval sets `{eval_cases: [{conversation:
//! [{user_content, intermediate_data: {tool_uses}, final_response}]}]}`, their older lists
//! `[{query, expected_tool_use, reference}]`, sessions `{events: [{author, content}]}`, and eval results
//! `{eval_case_results: [{eval_metric_result_per_invocation: [{actual_invocation, expected_invocation}]}]}`.
//! Contents are those of Gemini. The tool uses of an eval set are its expected calls, which nobody made. Eval
//! results hold both.

use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::dialects::gemini::{self, either, inner};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::message::About;
use crate::kit::signs::{self, first_of};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{ExpectedCall, Json, NOT_RUN, Path, Role, ToolCall, Trajectory, Turn};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Adk,
    marks: &[],
    likeness,
    read,
};

const CASES: [&str; 2] = ["eval_cases", "evalCases"];
const USER_CONTENT: [&str; 2] = ["user_content", "userContent"];
const FINAL_RESPONSE: [&str; 2] = ["final_response", "finalResponse"];
const INTERMEDIATE: [&str; 2] = ["intermediate_data", "intermediateData"];
const TOOL_USES: [&str; 2] = ["tool_uses", "toolUses"];
const TOOL_RESPONSES: [&str; 2] = ["tool_responses", "toolResponses"];
const RESPONSES: [&str; 2] = ["intermediate_responses", "intermediateResponses"];
const INVOCATION_EVENTS: [&str; 2] = ["invocation_events", "invocationEvents"];
const INVOCATION: [&str; 2] = ["invocation_id", "invocationId"];
const EVAL_ID: [&str; 2] = ["eval_id", "evalId"];
const RESULTS: [&str; 2] = ["eval_case_results", "evalCaseResults"];
const PER_INVOCATION: [&str; 2] = [
    "eval_metric_result_per_invocation",
    "evalMetricResultPerInvocation",
];
const ACTUAL: [&str; 2] = ["actual_invocation", "actualInvocation"];
const EXPECTED: [&str; 2] = ["expected_invocation", "expectedInvocation"];
const SESSION_INPUT: [&str; 2] = ["session_input", "sessionInput"];
const SESSION_DETAILS: [&str; 2] = ["session_details", "sessionDetails"];
const SCENARIO: [&str; 2] = ["conversation_scenario", "conversationScenario"];
const CREATED: [&str; 2] = ["creation_timestamp", "creationTimestamp"];

/// The members of the older lists. A case has its turns in `data`.
const QUERY: &str = "query";
const EXPECTED_TOOL_USE: &str = "expected_tool_use";

enum Shape<'a> {
    Set(&'a [Json<'a>]),
    Case,
    Session(&'a [Json<'a>]),
    Events(&'a [Json<'a>]),
    Queries(&'a [Json<'a>]),
    Named(&'a [Json<'a>]),
    Results,
    Lacking(&'static str),
    Other,
}

fn shape(value: Json<'_>) -> Shape<'_> {
    if let Json::Array(items) = value {
        return shape_of_list(items);
    }
    if either(value, RESULTS).is_some_and(|it| it.items().is_some()) || is_written_results(value) {
        return Shape::Results;
    }
    let is_case = |case: Json<'_>| either(case, EVAL_ID).is_some();
    let is_invocation = |it: &Json<'_>| either(*it, USER_CONTENT).is_some();
    let conversation = value.get("conversation").and_then(Json::items);
    let first_events = |events| first_of(events).iter().any(is_event);
    match (either(value, CASES), value.get("events"), conversation) {
        (Some(Json::Array(cases)), _, _) => Shape::Set(cases),
        (Some(_), _, _) => Shape::Lacking("a list of `eval_cases`"),
        (_, Some(Json::Array(events)), _) if first_events(events) => Shape::Session(events),
        (_, _, Some(turns)) if is_case(value) || turns.iter().any(is_invocation) => Shape::Case,
        _ if value.get("eval_set_id").is_some() => Shape::Lacking("its `eval_cases`"),
        _ if is_case(value) => Shape::Lacking("the `conversation` of its case"),
        _ => Shape::Other,
    }
}

/// Whether this is a text with eval results: older versions write them as JSON in JSON.
fn is_written_results(value: Json<'_>) -> bool {
    let holds = |text: &str| RESULTS.iter().any(|key| text.contains(key));
    value.as_str().is_some_and(holds)
}

fn shape_of_list<'a>(items: &'a [Json<'a>]) -> Shape<'a> {
    let is_query = |it: &Json<'_>| it.get(QUERY).is_some() && it.get(EXPECTED_TOOL_USE).is_some();
    let data = |it: &Json<'a>| first_of(signs::items(*it, "data")).iter().copied();
    let first = first_of(items);
    match items {
        _ if first.iter().any(is_query) => Shape::Queries(items),
        _ if first.iter().flat_map(data).any(|it| is_query(&it)) => Shape::Named(items),
        _ if first.iter().any(is_event) => Shape::Events(items),
        [first, ..] if first.get(QUERY).is_some() && first.get("reference").is_some() => {
            Shape::Lacking("an `expected_tool_use` in any turn")
        }
        _ => Shape::Other,
    }
}

fn is_event(value: &Json<'_>) -> bool {
    let content = value.get("content");
    value.get("author").is_some()
        && (content.is_some_and(|it| it.get("parts").is_some())
            || either(*value, INVOCATION).is_some())
}

fn likeness(value: Json<'_>) -> Likeness {
    match shape(value) {
        Shape::Lacking(missing) => Likeness::Partial(missing),
        Shape::Other => Likeness::None,
        Shape::Set(_)
        | Shape::Case
        | Shape::Session(_)
        | Shape::Events(_)
        | Shape::Queries(_)
        | Shape::Named(_)
        | Shape::Results => Likeness::Full,
    }
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let root = Path::root();
    match shape(value) {
        Shape::Set(cases) => {
            let key = CASES.into_iter().find(|key| value.get(key).is_some());
            let path = root.key(key.unwrap_or(CASES[0]));
            let read = |(at, case): (usize, &Json<'a>)| {
                let case = Fields::of(*case, path.index(at), "a case: {eval_id, conversation}")?;
                read_case(&case, import)
            };
            cases.iter().enumerate().map(read).collect()
        }
        Shape::Session(events) => {
            let session = Fields::of(value, root.clone(), "a session: {events}")?;
            let mut conversation = Conversation::default();
            let has_state = add_state(&session, &["state"], &mut conversation, import);
            read_events_into(events, &root.key("events"), &mut conversation, import)?;
            Ok(vec![Trajectory {
                trajectory_id: session.text("id"),
                turns: conversation.into_turns(),
                extra: session.rest(import.arena(), |key, value| match key {
                    "events" => true,
                    "state" => has_state,
                    "id" => value.as_str().is_some(),
                    _ => false,
                }),
                ..Trajectory::default()
            }])
        }
        Shape::Events(events) => {
            let mut conversation = Conversation::default();
            read_events_into(events, &root, &mut conversation, import)?;
            Ok(vec![Trajectory {
                turns: conversation.into_turns(),
                ..Trajectory::default()
            }])
        }
        Shape::Queries(turns) => Ok(vec![read_queries(turns, &root, import)?]),
        Shape::Named(cases) => {
            let read = |(at, case): (usize, &Json<'a>)| {
                let case = Fields::of(*case, root.index(at), "a case: {name, data}")?;
                let turns = case.items("data", "a list of turns: {query, expected_tool_use}")?;
                let mut read = read_queries(turns, &case.path().key("data"), import)?;
                read.trajectory_id = case.text("name");
                Ok(read)
            };
            cases.iter().enumerate().map(read).collect()
        }
        Shape::Results => read_results(import.nested(value), import),
        Shape::Case | Shape::Lacking(_) | Shape::Other => {
            let case = Fields::of(value, root, "an eval set: {eval_cases}")?;
            Ok(vec![read_case(&case, import)?])
        }
    }
}

fn read_results<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let results = Fields::of(value, Path::root(), "eval results: {eval_case_results}")?;
    let (cases, path) = list(&results, RESULTS).unwrap_or_default();
    let mut read = Vec::new();
    for case in Fields::each(
        cases,
        &path,
        "a result: {eval_id, eval_metric_result_per_invocation}",
    ) {
        read.push(read_result(&case?, import)?);
    }
    Ok(read)
}

/// Reads the result of a case: what the agent did, and what it should have done.
fn read_result<'a>(case: &Fields<'a>, import: &mut Import<'a>) -> Result<Trajectory<'a>> {
    let (mut actual, mut expected) = (Cases::default(), Cases::default());
    let (mut is_expected, mut is_whole) = (false, true);
    let has_state = add_state(case, &SESSION_DETAILS, &mut actual.conversation, import);
    let (invocations, path) = list(case, PER_INVOCATION).unwrap_or_default();
    for result in Fields::each(invocations, &path, "a result: {actual_invocation}") {
        let result = result?;
        match inner(&result, ACTUAL)? {
            Some(invocation) => actual.invocation(&invocation, import)?,
            None => return Err(result.mismatch(ACTUAL[0], "an invocation: {user_content}")),
        }
        match inner(&result, EXPECTED)? {
            Some(invocation) => {
                // What is doubtful there says nothing about the agent.
                let known = import.warnings.len();
                expected.invocation(&invocation, import)?;
                import.warnings.truncate(known);
                is_expected = true;
            }
            None => is_whole = false,
        }
    }
    if invocations.is_empty() {
        import.warn(
            case.path(),
            "this result has no invocations: the agent did not run",
        );
    } else if !is_whole {
        let which = if is_expected {
            "some invocations say"
        } else {
            "its invocations say"
        };
        import.warn(case.path(), format!("{which} not what was expected"));
    }
    let id = either(case.value(), EVAL_ID);
    Ok(Trajectory {
        trajectory_id: id.map(|id| import.label(id)),
        turns: actual.conversation.into_turns(),
        tools: None,
        expected_calls: is_expected.then_some(expected.expected),
        extra: case.rest(import.arena(), |key, _| {
            is_one_of(key, &PER_INVOCATION)
                || is_one_of(key, &EVAL_ID)
                || (has_state && is_one_of(key, &SESSION_DETAILS))
        }),
    })
}

fn read_case<'a>(case: &Fields<'a>, import: &mut Import<'a>) -> Result<Trajectory<'a>> {
    let mut read = Cases::default();
    let has_state = add_state(case, &SESSION_INPUT, &mut read.conversation, import);
    let path = case.path().key("conversation");
    let is_scenario = either(case.value(), SCENARIO).is_some();
    let turns = match case.get("conversation") {
        None | Some(Json::Null) if is_scenario => {
            import.warn(
                case.path(),
                "this case is a scenario to simulate: it has no conversation",
            );
            &[]
        }
        _ => case.items("conversation", "a list of invocations: {user_content}")?,
    };
    for (at, invocation) in turns.iter().enumerate() {
        let what = "an invocation: {user_content}";
        read.invocation(&Fields::of(*invocation, path.index(at), what)?, import)?;
    }
    let id = either(case.value(), EVAL_ID);
    let extra = case.rest(import.arena(), |key, _| {
        key == "conversation"
            || is_one_of(key, &EVAL_ID)
            || (has_state && is_one_of(key, &SESSION_INPUT))
    });
    Ok(read.into_trajectory(id.map(|id| import.label(id)), extra, &path, import))
}

/// The conversation of a case, and its expected calls.
#[derive(Default)]
struct Cases<'a> {
    conversation: Conversation<'a>,
    expected: Vec<ExpectedCall<'a>>,
}

impl<'a> Cases<'a> {
    fn invocation(&mut self, fields: &Fields<'a>, import: &mut Import<'a>) -> Result<()> {
        let time = either(fields.value(), CREATED).map(|time| import.label(time));
        let about = About {
            timestamp: time,
            extra: &[],
        };
        self.content(fields, USER_CONTENT, Role::User, about, import)?;
        if let Some(data) = inner(fields, INTERMEDIATE)? {
            self.intermediate(&data, import)?;
        }
        self.content(fields, FINAL_RESPONSE, Role::Agent, about, import)
    }

    fn content(
        &mut self,
        fields: &Fields<'a>,
        keys: [&str; 2],
        role: Role,
        about: About<'a>,
        import: &mut Import<'a>,
    ) -> Result<()> {
        match inner(fields, keys)? {
            Some(content) => gemini::read_as(role, &content, about, &mut self.conversation, import),
            None => Ok(()),
        }
    }

    fn intermediate(&mut self, data: &Fields<'a>, import: &mut Import<'a>) -> Result<()> {
        if let Some((events, path)) = list(data, INVOCATION_EVENTS) {
            let before = self.conversation.len();
            read_events_into(events, &path, &mut self.conversation, import)?;
            let calls: Vec<_> = self
                .conversation
                .calls_since(before)
                .map(expected)
                .collect();
            self.expected.extend(calls);
            return Ok(());
        }
        let mut calls = Vec::new();
        if let Some((uses, path)) = list(data, TOOL_USES) {
            for call in Fields::each(uses, &path, "a tool use: {name, args}") {
                let call = call?;
                calls.push(read_use(&call, ["name", "args"], import));
            }
        }
        self.expected.extend(calls.iter().map(expected));
        if !calls.is_empty() {
            self.conversation.turn(Role::Agent, "", calls);
        }
        if let Some((responses, path)) = list(data, TOOL_RESPONSES) {
            for response in Fields::each(responses, &path, "a response: {name}") {
                let response = response?;
                self.response(&response, import);
            }
        }
        if let Some((responses, _)) = list(data, RESPONSES) {
            for response in responses {
                self.said(*response, import);
            }
        }
        Ok(())
    }

    fn response(&mut self, response: &Fields<'a>, import: &mut Import<'a>) {
        let result = CallResult {
            id: response.text("id").filter(|id| !id.is_empty()),
            name: response.text("name"),
            outcome: gemini::outcome_of(response.get("response").unwrap_or_default(), import),
        };
        self.conversation.result(&result, response.path(), import);
    }

    /// `[author, [{text}]]`: an intermediate text of an agent.
    fn said(&mut self, response: Json<'a>, import: &Import<'a>) {
        let parts = response.items().and_then(|pair| pair.get(1)?.items());
        let texts = parts.unwrap_or_default().iter();
        let text = import.join_text(texts.filter_map(|part| part.get("text")?.as_str()));
        if !text.is_empty() {
            self.conversation.turn(Role::Agent, text, Vec::new());
        }
    }

    fn into_trajectory(
        self,
        id: Option<&'a str>,
        extra: &'a [toolgauge_model::Member<'a>],
        path: &Path,
        import: &mut Import<'a>,
    ) -> Trajectory<'a> {
        if !self.expected.is_empty() {
            import.warn(
                path,
                "this was not run: its tool uses are the expected calls, of which only the arguments are judged",
            );
        }
        let not_run = [(NOT_RUN, Json::Bool(true))];
        Trajectory {
            trajectory_id: id,
            turns: self.conversation.into_turns(),
            tools: None,
            expected_calls: Some(self.expected),
            extra: import.merge(import.arena().alloc_slice_copy(&not_run), extra),
        }
    }
}

fn expected<'a>(call: &ToolCall<'a>) -> ExpectedCall<'a> {
    ExpectedCall::new(call.name.unwrap_or_default(), call.arguments)
}

fn list<'a>(fields: &Fields<'a>, keys: [&str; 2]) -> Option<(&'a [Json<'a>], Path)> {
    keys.into_iter()
        .find_map(|key| Some((fields.get(key)?.items()?, fields.path().key(key))))
}

fn read_use<'a>(
    fields: &Fields<'a>,
    [name, args]: [&str; 2],
    import: &mut Import<'a>,
) -> ToolCall<'a> {
    let mut call = ToolCall {
        id: fields.text("id"),
        name: fields.text(name),
        ..ToolCall::default()
    };
    // A tool use leaves out the arguments of a tool that takes none.
    let arguments = fields.get(args).filter(|args| !args.is_null());
    let arguments = arguments.unwrap_or(Json::Object(&[]));
    import.arguments(&mut call, Some(arguments), &|| fields.path().key(args));
    call
}

fn read_queries<'a>(
    turns: &'a [Json<'a>],
    path: &Path,
    import: &mut Import<'a>,
) -> Result<Trajectory<'a>> {
    let mut read = Cases::default();
    for turn in Fields::each(turns, path, "a turn: {query, expected_tool_use}") {
        let turn = turn?;
        let Some(query) = turn.text(QUERY) else {
            return Err(turn.mismatch(QUERY, "a text"));
        };
        read.conversation.turn(Role::User, query, Vec::new());
        let path = turn.path().key(EXPECTED_TOOL_USE);
        let mut calls = Vec::new();
        for call in Fields::each(
            turn.optional_items(EXPECTED_TOOL_USE, "a list of tool uses")?,
            &path,
            "a tool use: {tool_name, tool_input}",
        ) {
            let call = call?;
            let output = call.get("mock_tool_output").filter(|it| !it.is_null());
            let mut made = read_use(&call, ["tool_name", "tool_input"], import);
            if let Some(output) = output {
                Outcome::Result(import.nested(output)).put_to(&mut made);
            }
            calls.push(made);
        }
        read.expected.extend(calls.iter().map(expected));
        if !calls.is_empty() {
            read.conversation.turn(Role::Agent, "", calls);
        }
        if let Some(reference) = turn.text("reference").filter(|text| !text.is_empty()) {
            read.conversation.turn(Role::Agent, reference, Vec::new());
        }
    }
    Ok(read.into_trajectory(None, &[], path, import))
}

/// Adds the state of a session, which is one of `keys` or in it, and says whether there is any. Instructions and tools
/// read it, so it is evidence. A turn keeps it, because it is no text that anyone said.
fn add_state<'a>(
    fields: &Fields<'a>,
    keys: &[&'static str],
    conversation: &mut Conversation<'a>,
    import: &Import<'a>,
) -> bool {
    let says = |value: &Json<'_>| value.members().is_some_and(|members| !members.is_empty());
    let found = keys.iter().find_map(|key| {
        let holder = fields.get(key)?;
        let state = match *key {
            "state" => Some(holder),
            _ => holder.get("state"),
        };
        state.filter(says).map(|_| (*key, holder))
    });
    let Some(member) = found else { return false };
    conversation.push(Turn {
        turn_id: 0,
        role: Role::System,
        content: "",
        timestamp: None,
        tool_calls: Vec::new(),
        extra: import.arena().alloc_slice_copy(&[member]),
    });
    true
}

/// Adds events to `conversation`, except partial ones, whose content a later event repeats in full.
fn read_events_into<'a>(
    events: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    for event in Fields::each(events, path, "an event: {author, content}") {
        let event = event?;
        let is_partial = matches!(event.get("partial"), Some(Json::Bool(true)));
        let Some(content) = inner(&event, ["content", "content"])?.filter(|_| !is_partial) else {
            continue;
        };
        let role = match event.text("author") {
            Some("user") => Role::User,
            Some(_) => Role::Agent,
            None => return Err(event.mismatch("author", "user, or the name of an agent")),
        };
        let about = About::of(&event, &["content"], import);
        let kept = about.extra.iter().filter(|(key, value)| {
            !value.is_null() && !matches!(*key, "turn_id" | "role" | "tool_calls")
        });
        let kept: Vec<_> = kept.copied().collect();
        let about = About {
            extra: import.arena().alloc_slice_copy(&kept),
            ..about
        };
        gemini::read_as(role, &content, about, conversation, import)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    fn expected_of(trajectory: &Trajectory<'_>) -> String {
        serde_json::to_string(&trajectory.expected_calls).expect("JSON")
    }

    #[test]
    fn the_tool_uses_of_a_case_are_expected() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("adk/eval-set.json"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("lamp-off"));
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::User, "Turn off the lamp.".to_owned(), 0),
                (Role::Agent, String::new(), 2),
                (Role::Agent, "Looking for it.".to_owned(), 0),
                (Role::Agent, "The lamp is off.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"id":"u1","name":"find_device","arguments":{"kind":"lamp"},"result":{"device":"d2"}}"#,
                r#"{"name":"set_device","arguments":{"device":"d2","on":false},"error":"offline"}"#,
            ]
        );
        assert_eq!(
            expected_of(trajectory),
            r#"[{"tool":"find_device","args":{"kind":"lamp"}},{"tool":"set_device","args":{"device":"d2","on":false}}]"#
        );
    }

    #[test]
    fn older_lists_are_read() {
        let arena = Bump::new();
        let turns = r#"[{"query":"Off!","expected_tool_use":[{"tool_name":"set","tool_input":{"on":false},"mock_tool_output":{"ok":true}}],"reference":"It is off."},
            {"query":"Thanks","expected_tool_use":[],"reference":""}]"#;
        let read = imported(&arena, turns);
        assert_eq!(read.format, TrajectoryFormat::Adk);
        assert_eq!(turns_of(&read.value[0]).len(), 4);
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"name":"set","arguments":{"on":false},"result":{"ok":true}}"#]
        );
        let named = imported(&arena, &format!(r#"[{{"name":"one","data":{turns}}}]"#));
        assert_eq!(named.value[0].trajectory_id, Some("one"));
        assert_eq!(expected_of(&named.value[0]), expected_of(&read.value[0]));
    }

    #[test]
    fn sessions_are_read_without_their_partial_events() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("adk/session.json"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("s-1"));
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::User, "Is the lamp on?".to_owned(), 0),
                (Role::Agent, "I ask.".to_owned(), 1),
                (Role::Agent, "It is on.".to_owned(), 0),
            ]
        );
        assert_eq!(trajectory.turns[0].timestamp, Some("1767605400.25"));
        assert_eq!(trajectory.expected_calls, None);
        assert_eq!(
            calls_of(trajectory)[0].split(",\"result\"").next(),
            Some(r#"{"id":"adk-1","name":"get_device","arguments":{"id":"d2"}"#)
        );
    }

    #[test]
    fn events_of_an_invocation_and_scenarios_are_read() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"evalSetId":"x","evalCases":[{"evalId":"s","conversationScenario":{}},
                {"evalId":"e","conversation":[{"userContent":{"parts":[{"text":"hi"}]},"intermediateData":{"invocationEvents":[
                    {"author":"a","content":{"parts":[{"functionCall":{"name":"f","args":{"n":1}}}]}},
                    {"author":"a","content":{"parts":[{"functionResponse":{"name":"f","response":{"output":7}}}]}}]}}]}]}"#,
        );
        let [scenario, events] = &read.value[..] else {
            panic!("{} cases", read.value.len());
        };
        assert_eq!(
            (scenario.trajectory_id, scenario.turns.len()),
            (Some("s"), 0)
        );
        assert_eq!(
            calls_of(events),
            [r#"{"name":"f","arguments":{"n":1},"result":7}"#]
        );
        assert_eq!(expected_of(events), r#"[{"tool":"f","args":{"n":1}}]"#);
        assert_eq!(read.warnings[0].path, "evalCases[0]");
    }

    const RESULTS_TEXT: &str = r#"{"eval_set_result_id":"r","eval_set_id":"s","eval_case_results":[{"eval_id":"lamp","final_eval_status":2,
        "eval_metric_result_per_invocation":[{"actual_invocation":{"user_content":{"role":"user","parts":[{"text":"Off!"}]},
            "final_response":{"role":"model","parts":[{"text":"It is off."}]},
            "intermediate_data":{"tool_uses":[{"id":"u1","name":"set","args":{"on":true}}],"tool_responses":[{"id":"u1","name":"set","response":{"ok":true}}]}},
          "expected_invocation":{"user_content":{"role":"user","parts":[{"text":"Off!"}]},
            "intermediate_data":{"tool_uses":[{"name":"set","args":{"on":false}}],"tool_responses":[{"id":"x","response":{}}]}}}],"session_id":"1"}]}"#;

    #[test]
    fn eval_results_hold_actual_and_expected_calls() {
        let written = serde_json::to_string(RESULTS_TEXT).expect("JSON");
        for text in [RESULTS_TEXT, &written] {
            let arena = Bump::new();
            let read = imported(&arena, text);
            assert_eq!(read.format, TrajectoryFormat::Adk);
            let trajectory = &read.value[0];
            assert_eq!(trajectory.trajectory_id, Some("lamp"));
            assert_eq!(turns_of(trajectory).len(), 3);
            assert_eq!(
                calls_of(trajectory),
                [r#"{"id":"u1","name":"set","arguments":{"on":true},"result":{"ok":true}}"#]
            );
            assert_eq!(
                expected_of(trajectory),
                r#"[{"tool":"set","args":{"on":false}}]"#
            );
            assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        }
    }

    #[test]
    fn eval_results_without_invocations_or_expectation_give_warnings() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"evalCaseResults":[{"evalId":"a","evalMetricResultPerInvocation":[]},
                {"evalId":"b","evalMetricResultPerInvocation":[{"actualInvocation":{"userContent":{"parts":[{"text":"hi"}]}},"expectedInvocation":null}]}]}"#,
        );
        assert!(read.value.iter().all(|one| one.expected_calls.is_none()));
        let places: Vec<_> = read.warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(places, ["evalCaseResults[0]", "evalCaseResults[1]"]);
    }

    #[test]
    fn the_error_names_what_half_an_eval_set_lacks() {
        let reason = |text| failure(text).to_string();
        assert!(reason(r#"{"eval_set_id":"x"}"#).contains("adk, but it lacks its `eval_cases`"));
        assert!(reason(r#"{"eval_cases":7}"#).contains("adk, but it lacks a list of `eval_cases`"));
        let error = failure(r#"{"eval_cases":[{"eval_id":"x"}]}"#);
        assert_eq!(
            error.report().path.as_deref(),
            Some("eval_cases[0].conversation")
        );
    }
}
