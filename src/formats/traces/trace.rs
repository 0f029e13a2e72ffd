//! Puts conversations together from traces: the inputs and outputs of a model in runs, spans or
//! observations, and the results of tools.
//!
//! Each step of a model repeats the conversation so far, so most of its messages are known. A call
//! appears in the output of one step, in the input of the next, and in a span of its own: it is one
//! call.

use std::collections::VecDeque;

use foldhash::{HashMap, HashSet};

use crate::kit::Import;
use crate::kit::conversation::CallResult;
use crate::kit::detection::outline;
use crate::kit::dialects::langchain::read_tool_message;
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory, Turn};

/// At most this many calls with the id or name of a result are searched for its call.
const MOST_UNANSWERED: usize = 200;

/// Messages are searched for down to this depth in the input or output of a step.
const DEEPEST_MESSAGES: usize = 3;

/// Members that may contain the messages of a step.
const WRAPPERS: [&str; 9] = [
    "messages",
    "generations",
    "output",
    "outputs",
    "input",
    "inputs",
    "message",
    "response",
    "value",
];

/// A conversation from the steps of a trace, in their order.
#[derive(Default)]
pub struct Trace<'a> {
    turns: Vec<Turn<'a>>,
    known: HashMap<Said<'a>, Vec<usize>>,
    by_id: HashMap<&'a str, Vec<Place>>,
    /// The calls of each tool that have no span of a tool yet, and the same by tool and arguments.
    waiting: HashMap<&'a str, VecDeque<Place>>,
    waiting_with: HashMap<(&'a str, Option<Json<'a>>), VecDeque<Place>>,
    with_span: HashSet<Place>,
    tools: Vec<Json<'a>>,
    known_tools: HashSet<Json<'a>>,
    ending: Vec<Turn<'a>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    turn: usize,
    call: usize,
}

/// What makes two turns of different steps the same.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Said<'a> {
    Text(Role, &'a str),
    Calls(Vec<CallKey<'a>>),
}

/// The id, name and arguments of a call, and the text of arguments that are not valid JSON.
type CallKey<'a> = (
    Option<&'a str>,
    Option<&'a str>,
    Option<Json<'a>>,
    Option<&'a str>,
);

impl<'a> Said<'a> {
    fn of(turn: &Turn<'a>) -> Self {
        if turn.tool_calls.is_empty() {
            return Self::Text(turn.role, turn.content.trim());
        }
        let key = |call: &ToolCall<'a>| (call.id, call.name, call.arguments, call.raw_arguments);
        Self::Calls(turn.tool_calls.iter().map(key).collect())
    }
}

impl<'a> Trace<'a> {
    /// Adds the input or output of a model's step: messages of any format, alone or wrapped, or a text
    /// of `role`. Known turns are not added again. Results are added to their calls.
    pub fn messages(
        &mut self,
        value: Json<'a>,
        role: Role,
        timestamp: Option<&'a str>,
        path: &Path,
        import: &mut Import<'a>,
    ) {
        let read = read_messages(value, role, path, import);
        self.add(read, role, timestamp, path, import);
    }

    fn add(
        &mut self,
        mut read: Read<'a>,
        role: Role,
        timestamp: Option<&'a str>,
        path: &Path,
        import: &mut Import<'a>,
    ) {
        for turn in &mut read.turns {
            if turn.role == role && turn.timestamp.is_none() {
                turn.timestamp = timestamp;
            }
        }
        self.merge(read.turns);
        for result in &read.results {
            self.result(result, path, import);
        }
        self.tools(read.tools);
    }

    /// As [`Trace::messages`], but only for messages of a known format. Returns whether there were any.
    pub fn known_messages(
        &mut self,
        value: Json<'a>,
        role: Role,
        timestamp: Option<&'a str>,
        path: &Path,
        import: &mut Import<'a>,
    ) -> bool {
        let value = with_role(import.nested(value), role, import);
        let found = find_messages(value, path, DEEPEST_MESSAGES, import);
        let is_known = found.is_some();
        if let Some(found) = found {
            self.add(Read::of(found), role, timestamp, path, import);
        }
        is_known
    }

    /// Adds the input and output of a whole trace without steps of a model. The output comes
    /// last, unless it contains the calls of the tools.
    pub fn frame(
        &mut self,
        (given, given_at): (Option<Json<'a>>, &Path),
        (gave, gave_at): (Option<Json<'a>>, &Path),
        import: &mut Import<'a>,
    ) {
        let given = given.unwrap_or_default();
        self.messages(given, Role::User, None, given_at, import);
        let read = read_messages(gave.unwrap_or_default(), Role::Agent, gave_at, import);
        match read.turns.iter().any(|turn| !turn.tool_calls.is_empty()) {
            true => self.merge(read.turns),
            false => self.ending = read.turns,
        }
        self.tools(read.tools);
    }

    /// Ends what [`Trace::frame`] began.
    pub fn end_frame(&mut self) {
        let ending = std::mem::take(&mut self.ending);
        self.merge(ending);
    }

    /// Adds turns that are not known yet, and new details of those that are.
    pub fn merge(&mut self, turns: Vec<Turn<'a>>) {
        let mut count: HashMap<Said<'a>, usize> = HashMap::default();
        for turn in turns {
            if turn.content.trim().is_empty() && turn.tool_calls.is_empty() {
                continue;
            }
            let said = Said::of(&turn);
            let before = count.entry(said.clone()).or_default();
            let known = self.known.get(&said).and_then(|turns| turns.get(*before));
            *before += 1;
            match known {
                Some(&at) => self.learn(at, &turn.tool_calls),
                None => self.push(turn, said),
            }
        }
    }

    /// Adds a call with its outcome, from the span of the tool.
    pub fn tool(&mut self, call: ToolCall<'a>, timestamp: Option<&'a str>) {
        let by_id = call.id.and_then(|id| self.place_of(id));
        let place = match by_id.or_else(|| self.waiting_like(&call)) {
            Some(place) => {
                learn(self.call_at(place), &call);
                place
            }
            None => self.push_alone(call, timestamp),
        };
        self.with_span.insert(place);
    }

    /// Whether a call of the tool `name` is unanswered.
    pub fn awaits(&mut self, name: &str) -> bool {
        self.waiting_of(name, |_| true).is_some()
    }

    /// Adds tool definitions, a list of objects or texts.
    pub fn tools(&mut self, tools: Option<Json<'a>>) {
        for tool in tools.and_then(Json::items).unwrap_or_default() {
            if self.known_tools.insert(*tool) {
                self.tools.push(*tool);
            }
        }
    }

    /// The conversation. An empty one gets a warning, because the trace may not record messages.
    pub fn into_trajectory(self, path: &Path, import: &mut Import<'a>) -> Trajectory<'a> {
        if self.turns.is_empty() {
            import.warn(path, "the trace contains no messages and no tool calls");
        }
        let tools = (!self.tools.is_empty())
            .then(|| Json::Array(import.arena().alloc_slice_copy(&self.tools)));
        Trajectory {
            turns: self.turns,
            tools,
            ..Trajectory::default()
        }
    }

    fn push(&mut self, turn: Turn<'a>, said: Said<'a>) {
        let at = self.turns.len();
        for (index, call) in turn.tool_calls.iter().enumerate() {
            let place = Place {
                turn: at,
                call: index,
            };
            if let Some(id) = call.id {
                self.by_id.entry(id).or_default().push(place);
            }
            if let Some(name) = call.name {
                let same = (name, call.arguments);
                self.waiting.entry(name).or_default().push_back(place);
                self.waiting_with.entry(same).or_default().push_back(place);
            }
        }
        self.known.entry(said).or_default().push(at);
        self.turns.push(Turn {
            turn_id: at as i64 + 1,
            ..turn
        });
    }

    fn push_alone(&mut self, call: ToolCall<'a>, timestamp: Option<&'a str>) -> Place {
        let turn = Turn {
            turn_id: 0,
            role: Role::Agent,
            content: "",
            timestamp,
            tool_calls: vec![call],
            extra: &[],
        };
        let said = Said::of(&turn);
        let place = Place {
            turn: self.turns.len(),
            call: 0,
        };
        self.push(turn, said);
        place
    }

    fn learn(&mut self, at: usize, calls: &[ToolCall<'a>]) {
        for (known, other) in self.turns[at].tool_calls.iter_mut().zip(calls) {
            learn(known, other);
        }
    }

    /// Adds a result whose call is in none of the steps to a call with its id, or to one of the tool it
    /// names.
    fn result(&mut self, result: &CallResult<'a>, path: &Path, import: &mut Import<'a>) {
        let mut call = ToolCall {
            id: result.id,
            name: result.name,
            ..ToolCall::default()
        };
        result.outcome.put_to(&mut call);
        let by_id = call.id.and_then(|id| self.place_of(id));
        let fits = |open: &ToolCall<'a>| call.id.is_none() || open.id.is_none();
        match by_id.or_else(|| self.waiting_of(call.name?, fits)) {
            Some(place) => learn(self.call_at(place), &call),
            None => import.warn(path, result.orphaned()),
        }
    }

    fn call_at(&mut self, place: Place) -> &mut ToolCall<'a> {
        &mut self.turns[place.turn].tool_calls[place.call]
    }

    /// The latest unanswered call with that id, or else the latest one.
    fn place_of(&self, id: &str) -> Option<Place> {
        let places = self.by_id.get(id)?;
        let unanswered =
            |place: &&Place| self.turns[place.turn].tool_calls[place.call].is_unanswered();
        let recent = places.iter().rev().take(MOST_UNANSWERED);
        recent.clone().find(unanswered).or(places.last()).copied()
    }

    /// The first call of the same tool without a span: one with the same arguments, or else an
    /// unanswered one. If both have ids, they must be equal.
    fn waiting_like(&mut self, call: &ToolCall<'a>) -> Option<Place> {
        let name = call.name?;
        let fits = |open: &ToolCall<'a>| call.id.is_none() || open.id.is_none();
        let Self {
            turns, with_span, ..
        } = self;
        let same = self.waiting_with.get_mut(&(name, call.arguments));
        let same = same.and_then(|places| {
            let fits = |place: &Place| fits(&turns[place.turn].tool_calls[place.call]);
            first_waiting(places, |place| with_span.contains(place), fits)
        });
        same.or_else(|| self.waiting_of(name, fits))
    }

    fn waiting_of(&mut self, name: &str, fits: impl Fn(&ToolCall<'a>) -> bool) -> Option<Place> {
        let Self {
            turns, with_span, ..
        } = self;
        let call_at = |place: &Place| &turns[place.turn].tool_calls[place.call];
        let is_over = |place: &Place| with_span.contains(place) || !call_at(place).is_unanswered();
        let places = self.waiting.get_mut(name)?;
        first_waiting(places, is_over, |place| fits(call_at(place)))
    }
}

/// The first place that fits and is not over, among those that are searched. Places at the front that
/// are over are removed.
fn first_waiting(
    places: &mut VecDeque<Place>,
    is_over: impl Fn(&Place) -> bool,
    fits: impl Fn(&Place) -> bool,
) -> Option<Place> {
    while places.front().is_some_and(&is_over) {
        places.pop_front();
    }
    let mut looked_at = places.iter().take(MOST_UNANSWERED);
    looked_at
        .find(|place| !is_over(place) && fits(place))
        .copied()
}

/// Adds what another source says about the same call.
fn learn<'a>(known: &mut ToolCall<'a>, other: &ToolCall<'a>) {
    if known.arguments.is_none() && known.raw_arguments.is_none() {
        known.arguments = other.arguments;
        known.raw_arguments = other.raw_arguments;
    }
    if known.is_unanswered() {
        known.result = other.result.or(known.result);
    }
    let is_there = |error: &Json<'a>| !error.is_null();
    known.error = known.error.filter(is_there).or(other.error);
}

/// Sets the arguments of `call` from the input of a tool: the arguments themselves, an only member
/// `input`, a text of JSON or of a Python dict, or a whole call `{type: "tool_call", id, args}`.
pub fn read_arguments<'a>(
    call: &mut ToolCall<'a>,
    given: Option<Json<'a>>,
    path: &Path,
    import: &mut Import<'a>,
) {
    let Some(given) = given.filter(|given| !given.is_null()) else {
        return;
    };
    let value = match given {
        Json::Object([("input", inner)]) => literal(*inner, import).unwrap_or(given),
        other => literal(other, import).unwrap_or(other),
    };
    let is_call = value.get("type").and_then(Json::as_str) == Some("tool_call");
    match value.get("args").filter(|_| is_call) {
        Some(arguments) => {
            call.id = call.id.or(value.get("id").and_then(Json::as_str));
            import.arguments(call, Some(arguments), &|| path.clone());
        }
        None => call.arguments = Some(value),
    }
}

/// The object or list itself, or in a text of JSON or of a Python dict.
fn literal<'a>(value: Json<'a>, import: &Import<'a>) -> Option<Json<'a>> {
    let text = match value {
        Json::String(text) => text,
        Json::Object(_) | Json::Array(_) => return Some(value),
        _ => return None,
    };
    let python = || {
        import
            .reader
            .read_python(text)
            .filter(|it| it.members().is_some())
    };
    import.nested_in(text).or_else(python)
}

/// Sets the outcome of `call` from the output of a tool: the result itself, an only member `output`, a
/// text of JSON, or a message with the result.
pub fn read_outcome<'a>(call: &mut ToolCall<'a>, gave: Option<Json<'a>>, import: &Import<'a>) {
    let Some(gave) = gave.filter(|gave| !gave.is_null()) else {
        return;
    };
    let gave = import.nested(gave);
    let inner = gave.get("output").map(|inner| import.nested(inner));
    let value = match gave {
        Json::Object([_]) => inner.unwrap_or(gave),
        _ => gave,
    };
    let message = |value| read_tool_message(value, import);
    match message(value).or_else(|| message(inner?)) {
        Some(result) => {
            call.id = result.id.or(call.id);
            result.outcome.put_to(call);
        }
        None => call.result = Some(value),
    }
}

#[derive(Default)]
struct Read<'a> {
    turns: Vec<Turn<'a>>,
    results: Vec<CallResult<'a>>,
    tools: Option<Json<'a>>,
}

impl<'a> Read<'a> {
    fn of((trajectories, results): Found<'a>) -> Self {
        let first = trajectories.into_iter().next().unwrap_or_default();
        Self {
            turns: first.turns,
            results,
            tools: first.tools,
        }
    }
}

fn read_messages<'a>(
    value: Json<'a>,
    role: Role,
    path: &Path,
    import: &mut Import<'a>,
) -> Read<'a> {
    let value = import.nested(value);
    let mut read = Read::default();
    if value.is_null() {
        return read;
    }
    if let Some(text) = said_alone(value) {
        read.turns.push(said(role, text));
        return read;
    }
    let value = with_role(value, role, import);
    let found = find_messages(value, path, DEEPEST_MESSAGES, import);
    let Some((trajectories, results)) = found else {
        import.warn(
            path,
            format!("no messages of a known format: found {}", outline(value)),
        );
        return read;
    };
    Read::of((trajectories, results))
}

fn said<'a>(role: Role, text: &'a str) -> Turn<'a> {
    Turn {
        turn_id: 0,
        role,
        content: text,
        timestamp: None,
        tool_calls: Vec::new(),
        extra: &[],
    }
}

/// A text, or an object or list with nothing but one text.
fn said_alone(value: Json<'_>) -> Option<&str> {
    match value {
        Json::String(text) => Some(text),
        Json::Object([(_, Json::String(text))]) | Json::Array([Json::String(text)]) => Some(text),
        _ => None,
    }
}

/// Adds `role` to a message without one.
fn with_role<'a>(value: Json<'a>, role: Role, import: &Import<'a>) -> Json<'a> {
    let is_message = value.get("content").is_some() || value.get("tool_calls").is_some();
    let says_who = ["role", "type", "lc", "messages", "parts"];
    let Json::Object(members) = value else {
        return value;
    };
    if !is_message || says_who.iter().any(|key| value.get(key).is_some()) {
        return value;
    }
    let name = match role {
        Role::User => "user",
        Role::Agent => "assistant",
        Role::System => "system",
    };
    let all = [&[("role", Json::String(name))], members].concat();
    Json::Object(import.arena().alloc_slice_copy(&all))
}

type Found<'a> = (Vec<Trajectory<'a>>, Vec<CallResult<'a>>);

fn find_messages<'a>(
    value: Json<'a>,
    path: &Path,
    depth: usize,
    import: &mut Import<'a>,
) -> Option<Found<'a>> {
    if let Some(found) = import.read_inner(value, path) {
        return Some(found);
    }
    let depth = depth.checked_sub(1)?;
    match value {
        Json::Array([first]) => find_messages(*first, &path.index(0), depth, import),
        Json::Array([first @ Json::Array(_), ..]) => {
            find_messages(*first, &path.index(0), depth, import)
        }
        Json::Object(_) => WRAPPERS.iter().find_map(|key| {
            let inner = import.nested(value.get(key)?);
            matches!(inner, Json::Array(_) | Json::Object(_))
                .then(|| find_messages(inner, &path.key(key), depth, import))
                .flatten()
        }),
        _ => None,
    }
}

/// The parts of a run, span or observation that decide the order of a trace.
pub struct Node<'a> {
    /// Its own id.
    pub id: Option<&'a str>,
    /// The id of the parent.
    pub parent: Option<&'a str>,
    /// The start time.
    pub time: Time,
}

/// The indices of `nodes` in the order of the trace: parents before children, children by start
/// time, and otherwise in the order of the document.
pub fn order(nodes: &[Node<'_>]) -> Vec<usize> {
    let by_id: HashMap<_, _> = nodes
        .iter()
        .enumerate()
        .filter_map(|(at, node)| Some((node.id?, at)))
        .collect();
    let parent_of = |at: usize| by_id.get(nodes[at].parent?).copied().filter(|it| *it != at);
    let mut by_time: Vec<_> = (0..nodes.len()).collect();
    by_time.sort_by_key(|at| nodes[*at].time);
    let mut parts: HashMap<usize, Vec<usize>> = HashMap::default();
    for at in by_time.iter().rev() {
        if let Some(parent) = parent_of(*at) {
            parts.entry(parent).or_default().push(*at);
        }
    }
    let roots = by_time.iter().filter(|at| parent_of(**at).is_none());
    // Nodes whose parents form a circle are reached from no root.
    let starts: Vec<_> = roots.chain(&by_time).copied().collect();
    let mut seen = vec![false; nodes.len()];
    let mut ordered = Vec::with_capacity(nodes.len());
    for start in starts {
        let mut stack = vec![start];
        while let Some(at) = stack.pop() {
            if !std::mem::replace(&mut seen[at], true) {
                ordered.push(at);
                stack.extend(parts.remove(&at).unwrap_or_default());
            }
        }
    }
    ordered
}

/// A point in time. Times from the same source can be compared. Unknown times come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Time(u128);

impl Time {
    /// Seconds, milliseconds or nanoseconds, or the digits of a UTC time in ISO 8601 down to
    /// nanoseconds.
    pub fn of(value: Option<Json<'_>>) -> Self {
        match value {
            Some(Json::String(text)) => Self::of_text(text),
            Some(Json::Number(number)) => Self((number.as_f64().max(0.0) * 1e6) as u128),
            // Seconds and nanoseconds, as in OpenTelemetry for JavaScript.
            Some(Json::Array([Json::Number(seconds), Json::Number(nanos)])) => {
                let whole = (seconds.as_f64().max(0.0) * 1e9) as u128;
                Self(whole + nanos.as_f64().max(0.0) as u128)
            }
            _ => Self::default(),
        }
    }

    fn of_text(text: &str) -> Self {
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Self(text.parse().unwrap_or(u128::MAX));
        }
        // The date and time are 14 digits. The offset is left out, because a source always writes the
        // same.
        let zone = text.char_indices().skip(11);
        let end = zone
            .clone()
            .find(|(_, c)| matches!(c, 'Z' | 'z' | '+' | '-'));
        let digits = text[..end.map_or(text.len(), |(at, _)| at)]
            .bytes()
            .filter(u8::is_ascii_digit)
            .chain(std::iter::repeat(b'0'));
        let number = |sum: u128, digit: u8| sum * 10 + u128::from(digit - b'0');
        Self(digits.take(23).fold(0, number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &'static str, result: Option<&'static str>) -> ToolCall<'static> {
        ToolCall {
            name: Some(name),
            arguments: Some(Json::Object(&[])),
            result: result.map(Json::String),
            ..ToolCall::default()
        }
    }

    fn asked(calls: Vec<ToolCall<'static>>) -> Turn<'static> {
        Turn {
            tool_calls: calls,
            ..said(Role::Agent, "")
        }
    }

    #[test]
    fn a_tool_span_answers_one_call_once() {
        let mut trace = Trace::default();
        trace.merge(vec![asked(vec![call("f", None), call("f", Some("known"))])]);
        for result in [Some("one"), None, None] {
            trace.tool(call("f", result), None);
        }
        let results: Vec<_> = trace
            .turns
            .iter()
            .flat_map(|turn| turn.tool_calls.iter().map(|call| call.result))
            .collect();
        let known = ["one", "known"].map(|text| Some(Json::String(text)));
        assert_eq!(results, [known[0], known[1], None]);
        assert!(!trace.awaits("f"));
        trace.merge(vec![asked(vec![call("f", None); 3])]);
        assert!(trace.awaits("f") && !trace.awaits("g"));
    }

    fn node<'a>(id: &'a str, parent: Option<&'a str>, time: &str) -> Node<'a> {
        Node {
            id: Some(id),
            parent,
            time: Time::of_text(time),
        }
    }

    fn ordered(nodes: &[Node<'_>]) -> Vec<usize> {
        order(nodes)
    }

    #[test]
    fn times_of_one_source_compare() {
        let times = [
            "2024-01-01T00:00:00Z",
            "2024-01-01T00:00:00.5Z",
            "2024-01-01T00:00:00.500001+00:00",
            "2024-01-01 00:00:01",
            "20240101T000001000002Zffff-1111",
            "2024-01-02T00:00:00-00:00",
        ];
        let times: Vec<_> = times.into_iter().map(Time::of_text).collect();
        assert!(times.is_sorted_by(|a, b| a < b), "{times:?}");
        assert!(Time::of_text("1700000000000000001") > Time::of_text("1700000000000000000"));
        for odd in [
            "",
            "never",
            "é",
            "9999999999999999999999999999999999999999999",
            "2024-01-0éZ",
        ] {
            Time::of_text(odd);
        }
    }

    #[test]
    fn children_follow_their_parents_by_time() {
        let nodes = [
            node("tool", Some("agent"), "2024-01-01T00:00:03Z"),
            node("inner", Some("tool"), "2024-01-01T00:00:03Z"),
            node("llm", Some("agent"), "2024-01-01T00:00:01Z"),
            node("agent", None, "2024-01-01T00:00:00Z"),
            node("later", Some("gone"), "2024-01-02T00:00:00Z"),
        ];
        assert_eq!(ordered(&nodes), [3, 2, 0, 1, 4]);
    }

    #[test]
    fn circles_and_chains_end() {
        let circle = [
            node("a", Some("b"), ""),
            node("b", Some("a"), ""),
            node("c", Some("c"), ""),
        ];
        assert_eq!(ordered(&circle).len(), 3);
        let ids: Vec<_> = (0..100_000).map(|n| n.to_string()).collect();
        let chain: Vec<_> = (0..ids.len())
            .map(|n| node(&ids[n], n.checked_sub(1).map(|n| ids[n].as_str()), ""))
            .collect();
        assert_eq!(ordered(&chain), (0..ids.len()).collect::<Vec<_>>());
    }
}
