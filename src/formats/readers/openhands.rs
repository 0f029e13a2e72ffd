//! Events of OpenHands: a list, or in `history`, `trajectory`, `events` or `items`. Version 0 writes actions `{source,
//! action, args}` and observations `{source, observation, content}`; version 1 writes `{source, kind: "ActionEvent",
//! tool_call}` and `{kind: "ObservationEvent", observation}`.

use foldhash::{HashMap, HashSet};

use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::dialects::openai_chat::{read_answer, read_call};
use crate::kit::envelope::{Envelope, Held};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::marks::marks;
use crate::kit::message::{About, Message};
use crate::kit::signs::{Sign, first_of, items, likeness_of};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Member, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Openhands,
    marks: &marks(["source"]),
    likeness,
    read,
};

/// The members that may hold the events. The first that holds a list counts.
const LISTS: [&str; 4] = ["history", "trajectory", "events", "items"];

/// The member of the trajectory with the events that are no part of the conversation.
const OTHERS: &str = "other_events";

fn list_in<'a>(value: Json<'a>) -> Option<(&'static str, &'a [Json<'a>])> {
    let mut lists = LISTS.iter();
    lists.find_map(|key| Some((*key, value.get(key)?.items()?)))
}

fn likeness(value: Json<'_>) -> Likeness {
    let listed = value.items().or_else(|| Some(list_in(value)?.1));
    match listed {
        Some([Json::Array(pair), ..]) => likeness_of(first_of(pair), sign),
        Some(events) => likeness_of(first_of(events), sign),
        None => likeness_of(&[value], sign),
    }
}

fn sign(event: Json<'_>) -> Sign {
    let text = |key| event.get(key).and_then(Json::as_str);
    let has = |key| event.get(key).is_some();
    let is_action = text("action").is_some() && has("args");
    let is_observation = text("observation").is_some() && (has("extras") || has("cause"));
    let is_event = text("kind").is_some_and(|kind| Kind::of(kind).is_some());
    match text("source") {
        Some(_) if is_action || is_observation || is_event => Sign::Decisive,
        _ => Sign::Open,
    }
}

/// The events of version 1 that are part of the conversation.
#[derive(Clone, Copy)]
enum Kind {
    System,
    Message,
    Action,
    Observation,
    Error,
    Rejection,
    Acp,
}

impl Kind {
    fn of(name: &str) -> Option<Self> {
        match name {
            "SystemPromptEvent" => Some(Self::System),
            "MessageEvent" => Some(Self::Message),
            "ActionEvent" => Some(Self::Action),
            "ObservationEvent" => Some(Self::Observation),
            "AgentErrorEvent" => Some(Self::Error),
            "UserRejectObservation" => Some(Self::Rejection),
            "ACPToolCallEvent" => Some(Self::Acp),
            _ => None,
        }
    }
}

const ENVELOPE: Envelope = Envelope {
    what: "a list of events, or {history}",
    is_message: |it| list_in(it).is_none(),
    ids: &["instance_id", "conversation_id", "id"],
    tools: &[&["tools"]],
    reads: |fields, key, _| list_in(fields.value()).is_some_and(|(list, _)| list == key),
};

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let mut tools = None;
    let mut others = Vec::new();
    let trajectory = ENVELOPE.open(value, import, &mut |held, conversation, import| {
        let (listed, path) = match held {
            Held::List(events) => (events, Path::root()),
            Held::Message(_) => (import.slice(value), Path::root()),
            Held::Object(fields) => {
                let (key, events) = list_in(fields.value()).unwrap_or_default();
                (events, fields.path().key(key))
            }
        };
        let mut read = Read::new(conversation);
        read.events(&flattened(listed, &path)?, import)?;
        (tools, others) = (read.tools, read.others);
        Ok(())
    })?;
    let others = match others.is_empty() {
        true => &[][..],
        false => &[(
            OTHERS,
            Json::Array(import.arena().alloc_slice_copy(&others)),
        )],
    };
    Ok(vec![Trajectory {
        tools: trajectory.tools.or(tools),
        extra: import.merge(trajectory.extra, others),
        ..trajectory
    }])
}

/// The events of a list. Older evaluations pair each action with its observation.
fn flattened<'a>(listed: &'a [Json<'a>], path: &Path) -> Result<Vec<Fields<'a>>> {
    let what = "an event: {source, action}";
    let mut events = Vec::with_capacity(listed.len());
    for (at, event) in listed.iter().enumerate() {
        match event {
            Json::Array(pair) => {
                for event in Fields::each(pair, &path.index(at), what) {
                    events.push(event?);
                }
            }
            event => events.push(Fields::of(*event, path.index(at), what)?),
        }
    }
    Ok(events)
}

struct Read<'c, 'a> {
    conversation: &'c mut Conversation<'a>,
    tools: Option<Json<'a>>,
    others: Vec<Json<'a>>,
    /// The ids of the calls so far.
    known: HashSet<&'a str>,
}

impl<'c, 'a> Read<'c, 'a> {
    fn new(conversation: &'c mut Conversation<'a>) -> Self {
        Self {
            conversation,
            tools: None,
            others: Vec::new(),
            known: HashSet::default(),
        }
    }

    fn events(&mut self, events: &[Fields<'a>], import: &mut Import<'a>) -> Result<()> {
        let last = last_updates(events);
        let mut at = 0;
        while let Some(event) = events.get(at) {
            at += 1;
            let kind = event.text("kind").and_then(Kind::of);
            match (kind, event.text("action"), event.text("observation")) {
                (Some(Kind::Action), ..) => {
                    let answer = event.get("llm_response_id");
                    let is_same = |it: &&Fields<'a>| {
                        let is_action = it.text("kind") == Some("ActionEvent");
                        answer.is_some() && is_action && it.get("llm_response_id") == answer
                    };
                    let more = events[at..].iter().take_while(is_same).count();
                    self.actions(&events[at - 1..at + more], import)?;
                    at += more;
                }
                (Some(Kind::System), ..) => self.system(event, import),
                (Some(Kind::Message), ..) => self.message(event, import),
                (Some(Kind::Observation), ..) => self.observation(event, import),
                (Some(Kind::Error), ..) => {
                    let error = event.get("error").unwrap_or_default();
                    self.answer(event, Outcome::Error(error), import);
                }
                (Some(Kind::Rejection), ..) => {
                    let outcome = Outcome::denied(event.text("rejection_reason"), import);
                    self.answer(event, outcome, import);
                }
                // A call of such an agent is written anew with each of its updates.
                (Some(Kind::Acp), ..) => {
                    let id = event.text("tool_call_id");
                    if id.is_none_or(|id| last.get(id) == Some(&(at - 1))) {
                        self.acp_call(event, import);
                    }
                }
                (None, Some(action), _) => self.old_action(event, action, import)?,
                (None, None, Some(_)) => self.old_observation(event, import),
                (None, None, None) => self.others.push(event.value()),
            }
        }
        Ok(())
    }

    fn push(&mut self, role: Role, event: &Fields<'a>, text: &'a str, calls: Vec<ToolCall<'a>>) {
        let ids = calls.iter().filter_map(|call| call.id);
        self.known.extend(ids);
        self.conversation.push(toolgauge_model::Turn {
            turn_id: 0,
            role,
            content: text,
            timestamp: event.text("timestamp"),
            tool_calls: calls,
            extra: &[],
        });
    }

    fn system(&mut self, event: &Fields<'a>, import: &Import<'a>) {
        let keys = ["system_prompt", "dynamic_context"];
        let texts = keys
            .iter()
            .filter_map(|key| event.get(key)?.get("text")?.as_str());
        let text = import.join_text(texts);
        self.push(Role::System, event, text, Vec::new());
        self.tools = self
            .tools
            .or(declared(items(event.value(), "tools"), import));
    }

    fn message(&mut self, event: &Fields<'a>, import: &Import<'a>) {
        let said = event.get("llm_message").unwrap_or_default();
        let about = About::present(event, &OF_MESSAGES, import);
        let mut message = Message::new(role_of(event), about, self.conversation);
        match said.get("content") {
            Some(Json::String(text)) => message.text(text),
            _ => read_parts(items(said, "content"), &mut message),
        }
        read_parts(items(event.value(), "extended_content"), &mut message);
        message.finish(import);
    }

    /// Actions that the model took in one answer.
    fn actions(&mut self, actions: &[Fields<'a>], import: &mut Import<'a>) -> Result<()> {
        let Some(first) = actions.first() else {
            return Ok(());
        };
        let mut calls = Vec::with_capacity(actions.len());
        for action in actions {
            calls.push(read_action(action, import)?);
        }
        self.known.extend(calls.iter().filter_map(|call| call.id));
        let about = About {
            timestamp: first.text("timestamp"),
            extra: first.rest(import.arena(), |key, value| {
                value.is_null()
                    || value.items().is_some_and(<[_]>::is_empty)
                    || is_one_of(key, &OF_ACTIONS)
                    || is_one_of(key, &OF_CALLS)
            }),
        };
        let mut message = Message::new(Role::Agent, about, self.conversation);
        for action in actions {
            read_parts(items(action.value(), "thought"), &mut message);
        }
        message.calls(calls);
        message.finish(import);
        Ok(())
    }

    fn observation(&mut self, event: &Fields<'a>, import: &mut Import<'a>) {
        let seen = event.get("observation").unwrap_or_default();
        let failed = matches!(seen.get("is_error"), Some(Json::Bool(true)))
            || seen.get("error").is_some_and(|error| !error.is_null());
        let content = seen.get("content").filter(|it| !it.is_null());
        let value = content.map_or(seen, |content| import.content(content));
        self.answer(event, Outcome::of(value, failed), import);
    }

    fn answer(&mut self, event: &Fields<'a>, outcome: Outcome<'a>, import: &mut Import<'a>) {
        let result = CallResult {
            id: event.text("tool_call_id"),
            name: event.text("tool_name"),
            outcome,
        };
        if let Some(call) = self.conversation.result(&result, event.path(), import) {
            let rest = event.rest(import.arena(), |key, value| {
                value.is_null() || is_one_of(key, &OF_ANSWERS)
            });
            import.keep(call, rest);
        }
    }

    fn acp_call(&mut self, event: &Fields<'a>, import: &mut Import<'a>) {
        let mut call = ToolCall {
            id: event.text("tool_call_id"),
            name: event.text("title"),
            extra: event.rest(import.arena(), |key, value| {
                value.is_null() || is_one_of(key, &OF_ACP)
            }),
            ..ToolCall::default()
        };
        let given = event.get("raw_input").filter(|it| !it.is_null());
        import.arguments(&mut call, given, &|| event.path().key("raw_input"));
        let failed = matches!(event.get("is_error"), Some(Json::Bool(true)));
        let results = ["raw_output", "content"].iter();
        let mut results = results.filter_map(|key| event.get(key));
        if let Some(result) = results.find(|it| !it.is_null()) {
            Outcome::of(import.content(result), failed).put_to(&mut call);
        }
        self.push(Role::Agent, event, "", vec![call]);
    }

    /// An action of version 0.
    fn old_action(
        &mut self,
        event: &Fields<'a>,
        action: &'a str,
        import: &mut Import<'a>,
    ) -> Result<()> {
        let args = event.get("args").unwrap_or_default();
        let text = |key| args.get(key).and_then(Json::as_str);
        let made = event.get(RECORD).filter(|it| it.members().is_some());
        match (action, made) {
            (_, Some(made)) => self.recorded_action(event, made, import)?,
            ("system", None) => {
                self.tools = self.tools.or(declared(items(args, "tools"), import));
                self.push(
                    Role::System,
                    event,
                    text("content").unwrap_or_default(),
                    Vec::new(),
                );
            }
            ("message", None) => {
                let said = text("content").or_else(|| event.text("message"));
                self.push(role_of(event), event, said.unwrap_or_default(), Vec::new());
            }
            ("finish" | "reject", None) => {
                let mut keys = ["final_thought", "thought"].into_iter();
                let said = keys.find_map(|key| text(key).filter(|text| !text.is_empty()));
                let said = said.or_else(|| event.text("message"));
                self.push(Role::Agent, event, said.unwrap_or_default(), Vec::new());
            }
            (action, None) if is_one_of(action, &NO_CALLS) => self.others.push(event.value()),
            (action, None) => {
                let call = ToolCall {
                    id: event.get("id").map(|id| import.label(id)),
                    name: Some(action),
                    arguments: Some(own_arguments(args, import)),
                    ..ToolCall::default()
                };
                let said = text("thought").unwrap_or_default();
                self.push(role_of(event), event, said, vec![call]);
            }
        }
        Ok(())
    }

    /// An action that keeps the answer of the model in which it was called. Several actions may keep the same answer.
    fn recorded_action(
        &mut self,
        event: &Fields<'a>,
        made: Json<'a>,
        import: &mut Import<'a>,
    ) -> Result<()> {
        let id = made.get("tool_call_id").and_then(Json::as_str);
        if id.is_some_and(|id| self.known.contains(id)) {
            return Ok(());
        }
        let choices = made.get("model_response").unwrap_or_default();
        let said = items(choices, "choices")
            .first()
            .and_then(|it| it.get("message"));
        let of = |call: &Json<'a>| call.get("id").and_then(Json::as_str);
        let calls = items(said.unwrap_or_default(), "tool_calls");
        let path = event.path().key(RECORD);
        match said {
            Some(said) if id.is_some() && calls.iter().any(|call| of(call) == id) => {
                let path = path
                    .key("model_response")
                    .key("choices")
                    .index(0)
                    .key("message");
                let said = Fields::of(said, path, "a message: {role, content}")?;
                self.known.extend(calls.iter().filter_map(of));
                let about = About {
                    timestamp: event.text("timestamp"),
                    extra: &[],
                };
                read_answer(&said, about, false, self.conversation, import)
            }
            _ => {
                let args = event.get("args").unwrap_or_default();
                let call = ToolCall {
                    id,
                    name: made.get("function_name").and_then(Json::as_str),
                    arguments: Some(own_arguments(args, import)),
                    ..ToolCall::default()
                };
                let said = args.get("thought").and_then(Json::as_str);
                self.push(Role::Agent, event, said.unwrap_or_default(), vec![call]);
                Ok(())
            }
        }
    }

    /// An observation of version 0.
    fn old_observation(&mut self, event: &Fields<'a>, import: &mut Import<'a>) {
        let made = event.get(RECORD).unwrap_or_default();
        let text = |key| made.get(key).and_then(Json::as_str);
        let cause = event.get("cause").filter(|cause| !cause.is_null());
        let id = text("tool_call_id").or_else(|| cause.map(|cause| import.label(cause)));
        let is_known = id.is_some_and(|id| self.conversation.is_open(id));
        if !is_known && text("tool_call_id").is_none() {
            return self.others.push(event.value());
        }
        let failed = matches!(event.text("observation"), Some("error" | "user_rejected"));
        let content = event.get("content").unwrap_or(Json::String(""));
        let result = CallResult {
            id,
            name: text("function_name"),
            outcome: Outcome::of(import.nested(content), failed),
        };
        if let Some(call) = self.conversation.result(&result, event.path(), import) {
            let rest = event.rest(import.arena(), |key, value| {
                value.is_null() || is_one_of(key, &OF_OBSERVATIONS)
            });
            import.keep(call, rest);
        }
    }
}

/// The member in which version 0 keeps the call of the model.
const RECORD: &str = "tool_call_metadata";

/// Actions of version 0 that steer the agent and call no tool.
const NO_CALLS: [&str; 8] = [
    "change_agent_state",
    "recall",
    "null",
    "think",
    "condensation",
    "condensation_request",
    "loop_recovery",
    "start",
];

/// The arguments of actions of version 0 that the model did not choose.
const ADDED: [&str; 10] = [
    "thought",
    "hidden",
    "blocking",
    "is_confirmed",
    "confirmation_state",
    "security_risk",
    "keep_prompt",
    "impl_source",
    "translated_ipython_code",
    "wait_for_response",
];

/// The members of events that are read. What else there is is kept.
const OF_MESSAGES: [&str; 6] = [
    "id",
    "source",
    "kind",
    "llm_message",
    "extended_content",
    "parent_id",
];
const OF_ACTIONS: [&str; 9] = [
    "id",
    "timestamp",
    "source",
    "kind",
    "thought",
    "tool_call",
    "tool_call_id",
    "tool_name",
    "parent_id",
];
const OF_CALLS: [&str; 3] = ["action", "security_risk", "summary"];
const OF_ANSWERS: [&str; 8] = [
    "id",
    "source",
    "kind",
    "tool_name",
    "tool_call_id",
    "error",
    "rejection_reason",
    "parent_id",
];
const OF_ACP: [&str; 8] = [
    "id",
    "timestamp",
    "source",
    "kind",
    "tool_call_id",
    "title",
    "raw_input",
    "raw_output",
];
const OF_OBSERVATIONS: [&str; 7] = [
    "id",
    "source",
    "message",
    "cause",
    "observation",
    "content",
    RECORD,
];

fn role_of(event: &Fields<'_>) -> Role {
    match event.text("source") {
        Some("user") => Role::User,
        Some("agent") => Role::Agent,
        _ => Role::System,
    }
}

fn read_parts<'a>(parts: &'a [Json<'a>], message: &mut Message<'_, 'a>) {
    for part in parts {
        match part.get("text").and_then(Json::as_str) {
            Some("") => {}
            Some(text) => message.text(text),
            None => message.other(*part),
        }
    }
}

/// The call of an action of version 1: as the model wrote it, or else as it was run.
fn read_action<'a>(action: &Fields<'a>, import: &mut Import<'a>) -> Result<ToolCall<'a>> {
    let mut call = match action.get("tool_call") {
        Some(made @ Json::Object(_)) => {
            let place = || action.path().key("tool_call");
            import.within(&place, |import| read_call(made, false, import))?
        }
        _ => ToolCall {
            arguments: action.get("action").map(|run| own_arguments(run, import)),
            ..ToolCall::default()
        },
    };
    call.id = action.text("tool_call_id").or(call.id);
    call.name = call.name.or(action.text("tool_name"));
    let kept = |key: &&&str| action.get(key).is_some_and(|it| !it.is_null());
    let kept = OF_CALLS[1..].iter().filter(kept);
    let kept: Vec<Member<'a>> = kept
        .filter_map(|key| Some((*key, action.get(key)?)))
        .collect();
    import.keep(&mut call, &kept);
    Ok(call)
}

/// The arguments of an action, without what the runtime adds.
fn own_arguments<'a>(args: Json<'a>, import: &Import<'a>) -> Json<'a> {
    let own = args.members().unwrap_or_default().iter();
    let own =
        own.filter(|(key, value)| !value.is_null() && *key != "kind" && !is_one_of(key, &ADDED));
    let own: Vec<_> = own.copied().collect();
    Json::Object(import.arena().alloc_slice_copy(&own))
}

/// The tools, if they are defined and not only named.
fn declared<'a>(tools: &'a [Json<'a>], import: &Import<'a>) -> Option<Json<'a>> {
    let keys = ["function", "parameters", "input_schema", "inputSchema"];
    let is_whole = |tool: &Json<'a>| keys.iter().any(|key| tool.get(key).is_some());
    let is_some = !tools.is_empty() && tools.iter().all(is_whole);
    is_some.then(|| Json::Array(import.arena().alloc_slice_copy(tools)))
}

/// The place of the last update of each call of an agent that is connected by its protocol.
fn last_updates<'a>(events: &[Fields<'a>]) -> HashMap<&'a str, usize> {
    let id = |event: &Fields<'a>| match event.text("kind")? {
        "ACPToolCallEvent" => event.text("tool_call_id"),
        _ => None,
    };
    let places = events.iter().enumerate();
    places
        .filter_map(|(at, event)| Some((id(event)?, at)))
        .collect()
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn actions_keep_the_answer_of_the_model() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("openhands/events.json"));
        let trajectory = &read.value[0];
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::System, "You repair clocks.".to_owned(), 0),
                (Role::User, "Which springs do we have?".to_owned(), 0),
                (Role::Agent, "I list the shelf and count.".to_owned(), 2),
                (Role::Agent, "One more look.".to_owned(), 1),
                (Role::Agent, "We have 3 springs.".to_owned(), 0),
            ]
        );
        let calls = calls_of(trajectory);
        assert!(calls[0].starts_with(r#"{"id":"call_1","name":"execute_bash","arguments":{"command":"ls shelf"},"result":"spring_a spring_b","#));
        assert!(calls[1].starts_with(r#"{"id":"call_2","name":"execute_bash","arguments":{"command":"wc shelf"},"error":"wc: shelf is a directory","#));
        assert!(calls[2].starts_with(
            r#"{"id":"7","name":"read","arguments":{"path":"/shelf/list.txt"},"result":"spring_c","#
        ));
        assert!(trajectory.tools.is_some());
        assert_eq!(trajectory.extra.len(), 1);
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn events_of_version_1_are_grouped_by_the_answer_of_the_model() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("openhands/version-1.json"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("conv-1"));
        assert_eq!(
            turns_of(trajectory),
            [
                (
                    Role::System,
                    "You repair clocks.\nToday is Monday.".to_owned(),
                    0
                ),
                (Role::User, "Is it wound?\nSkill: winding.".to_owned(), 0),
                (Role::Agent, "I look.".to_owned(), 2),
                (Role::Agent, String::new(), 1),
                (Role::Agent, String::new(), 1),
                (Role::Agent, "It is wound.".to_owned(), 0),
            ]
        );
        let heads: Vec<_> = calls_of(trajectory);
        let expected = [
            r#"{"id":"c1","name":"terminal","arguments":{"command":"state"},"result":"wound","#,
            r#"{"id":"c2","name":"terminal","arguments":{"command":"open"},"error":"the call was denied: no","#,
            r#"{"id":"c3","name":"bell","arguments":{},"error":"no tool bell","#,
            r#"{"id":"p1","name":"Read gear.txt","arguments":{"path":"gear.txt"},"result":"12 teeth","#,
        ];
        for (call, head) in heads.iter().zip(expected) {
            assert!(call.starts_with(head), "{call}");
        }
        assert_eq!(heads.len(), expected.len());
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn older_evaluations_pair_actions_with_observations() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"instance_id":"x-1","history":[[{"id":1,"source":"agent","action":"run","args":{"command":"ls","thought":"I look."}},
                {"id":2,"source":"agent","cause":1,"observation":"run","content":"a","extras":{}}]],"metadata":{}}"#,
        );
        assert_eq!(read.value[0].trajectory_id, Some("x-1"));
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"1","name":"run","arguments":{"command":"ls"},"result":"a","extras":{}}"#]
        );
    }

    #[test]
    fn the_error_names_the_event_with_another_shape() {
        let event = r#"{"source":"user","action":"message","args":{"content":"a"}}"#;
        let error = failure(&format!("[{event},7]"));
        assert_eq!(error.report().path.as_deref(), Some("[1]"));
        let error = failure(&format!(r#"{{"trajectory":[{event},7]}}"#));
        assert_eq!(error.report().path.as_deref(), Some("trajectory[1]"));
    }
}
