//! Puts conversations together from traces: the inputs and outputs of a model in runs, spans or
//! observations, and the results of tools.
//!
//! Each step of a model repeats the conversation so far, so most of its messages are known. A call
//! appears in the output of one step, in the input of the next, and in a span of its own: it is one
//! call.

use std::collections::VecDeque;

use foldhash::{HashMap, HashSet};

use super::figures;
use super::messages::{self, Odd, Read, said};
use crate::kit::Import;
use crate::kit::conversation::CallResult;
use toolgauge_model::{Json, Member, Path, Role, ToolCall, Trajectory, Turn};

/// At most this many calls with the id or name of a result are searched for its call.
const MOST_UNANSWERED: usize = 200;

/// Where the input or the output of a step may be recorded.
#[derive(Clone)]
pub struct Source<'a> {
    /// What is recorded there.
    pub value: Json<'a>,
    /// The place.
    pub path: Path,
}

/// What is recorded beside messages.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    /// Nothing that is read.
    Nothing,
    /// The definitions of the tools.
    Tools,
}

/// A conversation from the steps of a trace, in their order.
#[derive(Default)]
pub struct Trace<'a> {
    turns: Vec<Turn<'a>>,
    known: HashMap<Said<'a>, Vec<usize>>,
    /// How often each turn occurs in what was added last.
    counted: HashMap<Said<'a>, usize>,
    /// Whether the output of a step is added, whose input was added last.
    is_answering: bool,
    by_id: HashMap<&'a str, Vec<Place>>,
    /// The calls that what was added last holds.
    repeated: HashSet<Place>,
    /// The turns that hold only the call of a span, which shows neither its text nor its neighbours.
    alone: HashSet<usize>,
    /// The calls that have spans of their own, and that messages have together in one turn.
    joined: Vec<Joined>,
    /// How many calls there were when a model last answered without recording its input.
    hidden: usize,
    /// The calls of each tool that have no span of a tool yet, and the same by tool and arguments.
    waiting: HashMap<&'a str, VecDeque<Place>>,
    waiting_with: HashMap<(&'a str, Option<Json<'a>>), VecDeque<Place>>,
    with_span: HashSet<Place>,
    /// The places of all calls, in order.
    places: Vec<Place>,
    tools: Vec<Json<'a>>,
    known_tools: HashSet<Json<'a>>,
    ending: Vec<Turn<'a>>,
    /// The rows that can't be read and are reported already: later steps repeat them.
    odd: HashSet<Json<'a>>,
    /// The last turn of the agent in what was added last.
    answer: Option<usize>,
    /// What the log says of the requests that gave turns and of the runs of calls, beside their contents.
    of_answers: HashMap<usize, &'a [Member<'a>]>,
    of_runs: HashMap<Place, &'a [Member<'a>]>,
}

/// What turns are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// An answer of a model, whose calls are new even if their ids are not.
    Answer,
    /// A conversation, whose calls may be known.
    Conversation,
}

/// The place of a call in the conversation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    turn: usize,
    call: usize,
}

/// Calls of several turns that are of one turn, in their order.
struct Joined {
    into: usize,
    calls: Vec<Place>,
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
        let read = messages::read(value, role, path, import);
        self.add(read, role, timestamp, path, import);
    }

    /// Adds the input and the output of one step of a model; see [`Trace::first`]. A model may say the same again: what
    /// its input holds already is not what it said now. Returns what is beside the input.
    pub fn step(
        &mut self,
        given: &[Source<'a>],
        gave: &[Source<'a>],
        timestamp: Option<&'a str>,
        import: &mut Import<'a>,
    ) -> Beside {
        self.start_again();
        // The results of earlier calls would be in its input.
        self.hidden = match given {
            [] => self.places.len(),
            _ => 0,
        };
        let beside = self.first(given, Role::User, None, import);
        self.is_answering = true;
        self.answer = None;
        self.first(gave, Role::Agent, timestamp, import);
        self.is_answering = false;
        beside
    }

    /// Adds the input or output of a model's step, which may be recorded in several places: the first in which there
    /// are messages of a known format counts, or else the first with a text. Returns what is beside the messages.
    fn first(
        &mut self,
        sources: &[Source<'a>],
        role: Role,
        timestamp: Option<&'a str>,
        import: &mut Import<'a>,
    ) -> Beside {
        for Source { value, path } in sources {
            if let Some(found) = messages::find(*value, role, path, import) {
                let beside = match found.tools.is_empty() {
                    true => Beside::Nothing,
                    false => Beside::Tools,
                };
                self.add(found, role, timestamp, path, import);
                return beside;
            }
        }
        let is_text = |source: &&Source<'a>| import.nested(source.value).as_str().is_some();
        let text = sources.iter().find(is_text);
        if let Some(Source { value, path }) = text.or(sources.first()) {
            self.messages(*value, role, timestamp, path, import);
        }
        Beside::Nothing
    }

    /// As [`Trace::first`], but a text with a usual name in an object without messages is one, too.
    fn first_or_named(&mut self, sources: &[Source<'a>], role: Role, import: &mut Import<'a>) {
        let known = import.warnings.len();
        let before = self.turns.len();
        self.first(sources, role, None, import);
        let named = |source: &Source<'a>| messages::text_in(import.nested(source.value));
        if self.turns.len() == before
            && let Some(text) = sources.iter().find_map(named)
        {
            import.warnings.truncate(known);
            self.merge(vec![said(role, text)]);
        }
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
        // An output may also be the whole conversation.
        let is_answer = read.turns.iter().all(|turn| turn.role == Role::Agent);
        match self.is_answering && is_answer {
            true => self.merge_more(read.turns, Holds::Answer),
            false => self.merge(read.turns),
        }
        for result in &read.results {
            self.result(result, path, import);
        }
        self.add_tools(&read.tools);
        self.report(read.odd, import);
    }

    fn report(&mut self, odd: Vec<Odd<'a>>, import: &mut Import<'a>) {
        for Odd { path, row, reason } in odd {
            if self.odd.insert(row) {
                import.warn(
                    &path,
                    format!("this message can't be read and is left out: {reason}"),
                );
            }
        }
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
        let found = messages::find(value, role, path, import);
        let is_known = found.is_some();
        if let Some(found) = found {
            self.add(found, role, timestamp, path, import);
        }
        is_known
    }

    /// Adds the input and output of a whole trace, so far as its steps do not contain them. The output comes
    /// last, unless it contains the calls of the tools. If there are steps of models, an input or output of an unknown
    /// format is theirs in another form.
    pub fn frame(
        &mut self,
        given: &[Source<'a>],
        gave: &[Source<'a>],
        has_models: bool,
        import: &mut Import<'a>,
    ) {
        let known = import.warnings.len();
        self.first_or_named(given, Role::User, import);
        let mut ending = Self::default();
        ending.first_or_named(gave, Role::Agent, import);
        if has_models {
            import.warnings.truncate(known);
        }
        let tools = std::mem::take(&mut ending.tools);
        match ending.turns.iter().any(|turn| !turn.tool_calls.is_empty()) {
            true => self.merge(ending.turns),
            false => self.ending = ending.turns,
        }
        self.add_tools(&tools);
    }

    /// Ends what [`Trace::frame`] began.
    pub fn end_frame(&mut self) {
        let ending = std::mem::take(&mut self.ending);
        self.merge(ending);
    }

    /// Adds turns that are not known yet, and new details of those that are.
    pub fn merge(&mut self, turns: Vec<Turn<'a>>) {
        self.start_again();
        self.merge_more(turns, Holds::Conversation);
    }

    fn start_again(&mut self) {
        self.counted.clear();
        self.repeated.clear();
        self.answer = None;
    }

    /// As [`Trace::merge`], for turns that follow those that were added last.
    fn merge_more(&mut self, turns: Vec<Turn<'a>>, holds: Holds) {
        for mut turn in turns {
            // Without recorded contents, messages name calls without arguments.
            for call in turn
                .tool_calls
                .iter_mut()
                .filter(|call| lacks_arguments(call))
            {
                call.unrecorded = true;
            }
            if turn.content.trim().is_empty() && turn.tool_calls.is_empty() {
                continue;
            }
            let said = Said::of(&turn);
            let before = self.counted.entry(said.clone()).or_default();
            let known = self.known.get(&said).and_then(|turns| turns.get(*before));
            let known = known.copied();
            *before += 1;
            let is_agent = turn.role == Role::Agent;
            let at = match known {
                Some(at) => self.learn(at, &turn.tool_calls),
                None => self.add_new(turn, said, holds),
            };
            self.answer = is_agent.then_some(at).or(self.answer);
        }
    }

    /// Adds a turn that is not known as a whole, and returns its position.
    fn add_new(&mut self, turn: Turn<'a>, said: Said<'a>, holds: Holds) -> usize {
        let by_id = match holds {
            Holds::Conversation => self.learn_by_id(&turn),
            Holds::Answer => None,
        };
        if let Some(at) = by_id {
            return at;
        }
        match self.ends_with_text_of(&turn) {
            true => self.complete_last(turn, said),
            false => self.push(turn, said),
        }
        self.turns.len() - 1
    }

    /// Adds what the log says of the request to a model whose answer was added last, beside the answer. What is known of
    /// that request stays.
    pub fn measure_answer(&mut self, figures: &'a [Member<'a>]) {
        if let Some(at) = self.answer.filter(|_| !figures.is_empty()) {
            self.of_answers.entry(at).or_insert(figures);
        }
    }

    /// As [`Trace::measure_answer`], for an answer with this text or call that is known from elsewhere.
    pub fn measure_known(
        &mut self,
        text: &'a str,
        call_id: Option<&str>,
        figures: &'a [Member<'a>],
    ) {
        let by_id = call_id.and_then(|id| Some(self.by_id.get(id)?.first()?.turn));
        let said = Said::Text(Role::Agent, text.trim());
        let by_text = || self.known.get(&said)?.last().copied();
        if let Some(at) = by_id.or_else(by_text) {
            self.of_answers.entry(at).or_insert(figures);
        }
    }

    /// Adds what the log says of the run of the call at `place`, beside the call. What is known of that run stays.
    pub fn measure_run(&mut self, place: Place, figures: &'a [Member<'a>]) {
        self.of_runs.entry(place).or_insert(figures);
    }

    fn add_figures(&mut self, import: &Import<'a>) {
        for (at, figures) in std::mem::take(&mut self.of_answers) {
            let turn = &mut self.turns[at];
            turn.extra = figures::beside(turn.extra, figures, import);
        }
        for (place, figures) in std::mem::take(&mut self.of_runs) {
            let call = self.call_at(place);
            call.extra = figures::beside(call.extra, figures, import);
        }
    }

    /// Adds a call with its outcome, from the span of the tool.
    pub fn tool(&mut self, call: ToolCall<'a>, timestamp: Option<&'a str>) -> Place {
        let by_id = call.id.and_then(|id| self.place_of(id));
        let place = match by_id.or_else(|| self.waiting_like(&call)) {
            Some(place) => self.same_tool(place, &call),
            None => self.push_alone(call, timestamp),
        };
        self.with_span.insert(place);
        place
    }

    /// Adds what a span says about the call at `place`, which has another span.
    pub fn same_tool(&mut self, place: Place, call: &ToolCall<'a>) -> Place {
        let known = self.call_at(place);
        learn(known, call);
        if let (None, Some(id)) = (known.id, call.id) {
            known.id = Some(id);
            self.by_id.entry(id).or_default().push(place);
        }
        place
    }

    /// Adds a run of a tool that a span of its agent reports, unless the span of the tool did so. Returns the place of its
    /// call if it is new.
    pub fn reported(&mut self, call: ToolCall<'a>, timestamp: Option<&'a str>) -> Option<Place> {
        let is_same = |it: &ToolCall<'a>| it.name == call.name && it.result == call.result;
        let is_known = self.recent().any(|(_, it)| is_same(it));
        (!is_known).then(|| self.tool(call, timestamp))
    }

    /// Whether a call of the tool `name` is unanswered.
    pub fn awaits(&mut self, name: &str) -> bool {
        self.waiting_of(name, |_| true).is_some()
    }

    /// Adds tool definitions, a list of objects or texts.
    pub fn tools(&mut self, tools: Option<Json<'a>>) {
        self.add_tools(tools.and_then(Json::items).unwrap_or_default());
    }

    fn add_tools(&mut self, tools: &[Json<'a>]) {
        for tool in tools {
            if self.known_tools.insert(*tool) {
                self.tools.push(*tool);
            }
        }
    }

    /// The conversation. An empty one gets a warning, because the trace may not record messages. So do calls of which
    /// the trace may leave out the arguments or the result.
    pub fn into_trajectory(mut self, path: &Path, import: &mut Import<'a>) -> Trajectory<'a> {
        if self.turns.is_empty() {
            import.warn(path, "the trace contains no messages and no tool calls");
        }
        for place in &self.places[..self.hidden] {
            self.turns[place.turn].tool_calls[place.call].unrecorded = true;
        }
        self.add_figures(import);
        self.join();
        let mut unrecorded = Vec::new();
        for call in self.turns.iter_mut().flat_map(|turn| &mut turn.tool_calls) {
            call.unrecorded &= lacks_arguments(call) || call.is_unanswered();
            if call.unrecorded {
                unrecorded.push(call.name.unwrap_or("a tool without a name"));
            }
        }
        if !unrecorded.is_empty() {
            import.warn(path, unrecorded_warning(&unrecorded));
        }
        let tools = (!self.tools.is_empty())
            .then(|| Json::Array(import.arena().alloc_slice_copy(&self.tools)));
        Trajectory {
            turns: self.turns,
            tools,
            ..Trajectory::default()
        }
    }

    /// Whether the last turn is the text of this one, without its calls: some tracers record only the text of an answer.
    fn ends_with_text_of(&self, turn: &Turn<'a>) -> bool {
        let is_text = |last: &Turn<'a>| {
            last.role == turn.role
                && last.tool_calls.is_empty()
                && last.content.trim() == turn.content.trim()
        };
        !turn.tool_calls.is_empty() && self.turns.last().is_some_and(is_text)
    }

    fn complete_last(&mut self, turn: Turn<'a>, said: Said<'a>) {
        let Some(at) = self.turns.len().checked_sub(1) else {
            return self.push(turn, said);
        };
        self.index(at, &turn.tool_calls);
        self.known.entry(said).or_default().push(at);
        self.turns[at].tool_calls = turn.tool_calls;
    }

    fn push(&mut self, turn: Turn<'a>, said: Said<'a>) {
        let at = self.turns.len();
        self.index(at, &turn.tool_calls);
        self.known.entry(said).or_default().push(at);
        self.turns.push(Turn {
            turn_id: at as i64 + 1,
            ..turn
        });
    }

    /// Makes the calls of the turn at `at` known by id, by tool, and by tool and arguments.
    fn index(&mut self, at: usize, calls: &[ToolCall<'a>]) {
        for (index, call) in calls.iter().enumerate() {
            let place = Place {
                turn: at,
                call: index,
            };
            self.index_call(place, call);
            self.repeated.insert(place);
        }
    }

    fn index_call(&mut self, place: Place, call: &ToolCall<'a>) {
        self.places.push(place);
        if let Some(id) = call.id {
            self.by_id.entry(id).or_default().push(place);
        }
        if let Some(name) = call.name {
            let same = (name, call.arguments);
            self.waiting.entry(name).or_default().push_back(place);
            self.waiting_with.entry(same).or_default().push_back(place);
        }
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
        self.alone.insert(place.turn);
        self.push(turn, said);
        place
    }

    fn learn(&mut self, at: usize, calls: &[ToolCall<'a>]) -> usize {
        for (call, (known, other)) in self.turns[at].tool_calls.iter_mut().zip(calls).enumerate() {
            learn(known, other);
            self.repeated.insert(Place { turn: at, call });
        }
        at
    }

    /// Adds what a turn says about calls that are known by their ids. Messages may divide the calls of an answer into
    /// other turns: those that the provider ran, and the rest. And a span of a tool may show a call first, without its
    /// arguments. If any call is known, what is new is added to the turn of the first one, whose position is returned.
    fn learn_by_id(&mut self, turn: &Turn<'a>) -> Option<usize> {
        let places: Vec<_> = turn
            .tool_calls
            .iter()
            .map(|call| self.place_of_same(call))
            .collect();
        let first = places.iter().flatten().next()?.turn;
        self.add_text(first, turn);
        let mut learned = Vec::with_capacity(places.len());
        for (call, place) in turn.tool_calls.iter().zip(places) {
            let place = match place {
                Some(place) => place,
                None => self.push_call(first, call),
            };
            learn(self.call_at(place), call);
            self.repeated.insert(place);
            learned.push(place);
        }
        if self.alone.remove(&first) {
            let alone = &mut self.alone;
            learned.retain(|place| place.turn == first || alone.remove(&place.turn));
            self.joined.push(Joined {
                into: first,
                calls: learned,
            });
        }
        Some(first)
    }

    /// The first known call with the id and the name of `call`, unless their arguments differ or another call of what
    /// was added last is the same one.
    fn place_of_same(&self, call: &ToolCall<'a>) -> Option<Place> {
        let is_same = |place: &&Place| {
            let known = &self.turns[place.turn].tool_calls[place.call];
            let has_same_arguments = lacks_arguments(known)
                || lacks_arguments(call)
                || (known.arguments, known.raw_arguments) == (call.arguments, call.raw_arguments);
            known.name == call.name && has_same_arguments && !self.repeated.contains(place)
        };
        let places = self.by_id.get(call.id?)?;
        places.iter().take(MOST_UNANSWERED).find(is_same).copied()
    }

    /// Adds the text of `turn` to the turn at `at`, unless that has a text or the text is known.
    fn add_text(&mut self, at: usize, turn: &Turn<'a>) {
        let text = Said::Text(turn.role, turn.content.trim());
        let known = &mut self.turns[at];
        if known.content.trim().is_empty() && !self.known.contains_key(&text) {
            known.content = turn.content;
        }
    }

    /// Adds a call to the turn at `at`.
    fn push_call(&mut self, at: usize, call: &ToolCall<'a>) -> Place {
        let place = Place {
            turn: at,
            call: self.turns[at].tool_calls.len(),
        };
        self.index_call(place, call);
        self.turns[at].tool_calls.push(call.clone());
        place
    }

    /// Moves the calls that are of one turn to that turn.
    fn join(&mut self) {
        for Joined { into, calls } in std::mem::take(&mut self.joined) {
            let moved: HashSet<_> = calls.iter().copied().collect();
            let mut ordered: Vec<_> = calls
                .iter()
                .map(|place| std::mem::take(self.call_at(*place)))
                .collect();
            for place in &calls {
                let others = std::mem::take(&mut self.turns[place.turn].tool_calls);
                let others = others.into_iter().enumerate();
                let turn = place.turn;
                let is_left = |call: usize| !moved.contains(&Place { turn, call });
                ordered.extend(others.filter_map(|(at, call)| is_left(at).then_some(call)));
            }
            self.turns[into].tool_calls = ordered;
        }
        self.turns
            .retain(|turn| !turn.tool_calls.is_empty() || !turn.content.trim().is_empty());
        for (turn, number) in self.turns.iter_mut().zip(1..) {
            turn.turn_id = number;
        }
    }

    /// Adds a result whose call is in none of the steps to a call with its id, or to one of the tool it
    /// names.
    ///
    /// A result that names neither its call nor its tool repeats a known one, or answers the only open call.
    fn result(&mut self, result: &CallResult<'a>, path: &Path, import: &mut Import<'a>) {
        let mut call = ToolCall {
            id: result.id,
            name: result.name,
            ..ToolCall::default()
        };
        result.outcome.put_to(&mut call);
        let by_id = call.id.and_then(|id| self.place_of(id));
        let fits = |open: &ToolCall<'a>| call.id.is_none() || open.id.is_none();
        let named = by_id.or_else(|| self.waiting_of(call.name?, fits));
        match named.or_else(|| self.only_open(&call)) {
            Some(place) => learn(self.call_at(place), &call),
            None if self.is_known_result(&call) => {}
            None => import.warn(path, result.orphaned()),
        }
    }

    /// The only call without a result, for a result that names neither a call nor a tool.
    fn only_open(&self, result: &ToolCall<'a>) -> Option<Place> {
        if result.id.is_some() || result.name.is_some() || self.is_known_result(result) {
            return None;
        }
        let latest = self.places.last()?.turn;
        let mut open = self
            .recent()
            .take_while(|(place, _)| place.turn == latest)
            .filter(|(_, call)| call.is_unanswered());
        match (open.next(), open.next()) {
            (Some((place, _)), None) => Some(place),
            _ => None,
        }
    }

    /// The last calls, the latest first.
    fn recent(&self) -> impl Iterator<Item = (Place, &ToolCall<'a>)> {
        let recent = self.places.iter().rev().take(MOST_UNANSWERED);
        recent.map(|place| (*place, &self.turns[place.turn].tool_calls[place.call]))
    }

    /// Whether a result that names no call is one of the last calls' results.
    fn is_known_result(&self, result: &ToolCall<'a>) -> bool {
        let is_same =
            |call: &ToolCall<'a>| call.result == result.result && call.error == result.error;
        result.id.is_none() && self.recent().any(|(_, call)| is_same(call))
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
    // A tracer may write an empty object where another source has the result.
    let is_empty = known.error.is_none() && known.result.is_some_and(messages::is_empty);
    if known.is_unanswered() || is_empty {
        known.result = other.result.or(known.result);
    }
    let is_there = |error: &Json<'a>| !error.is_null();
    known.error = known.error.filter(is_there).or(other.error);
    known.unrecorded |= other.unrecorded;
    if known.extra.is_empty() && lacks_arguments(known) {
        known.extra = other.extra;
    }
}

fn lacks_arguments(call: &ToolCall<'_>) -> bool {
    call.arguments.is_none() && call.raw_arguments.is_none()
}

/// Says that calls are not checked in full, because the trace may not record contents.
fn unrecorded_warning(names: &[&str]) -> String {
    const MOST_NAMED: usize = 3;
    let mut known = HashSet::default();
    let mut named: Vec<_> = names
        .iter()
        .filter(|name| known.insert(**name))
        .copied()
        .collect();
    let more = match named.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    named.truncate(MOST_NAMED);
    let calls = match names.len() {
        1 => "one tool call".to_owned(),
        count => format!("{count} tool calls"),
    };
    format!(
        "the trace does not record the arguments or the result of {calls} ({}{more}): what is not recorded is not checked; \
         switch the recording of contents on where the trace is made",
        named.join(", ")
    )
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

    #[test]
    fn a_model_may_say_the_same_again() {
        let arena = bumpalo::Bump::new();
        let reader = toolgauge_model::Reader::new(&arena, toolgauge_model::Limits::default());
        let mut import = Import::with_formats(reader, crate::REGISTRY.formats);
        let mut trace = Trace::default();
        let source = |text: &str| Source {
            value: toolgauge_model::testing::arena_json(&arena, text),
            path: Path::root(),
        };
        let called =
            r#"{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}"#;
        let result = r#"{"role":"tool","content":"7"}"#;
        let asked = r#"{"role":"user","content":"hi"}"#;
        let step = [called, result].join(",");
        for history in [
            asked.to_owned(),
            format!("{asked},{step}"),
            format!("{asked},{step},{step}"),
        ] {
            let given = source(&format!("[{history}]"));
            trace.step(&[given], &[source(called)], None, &mut import);
            trace.tool(
                ToolCall {
                    id: Some("x"),
                    ..call("f", Some("7"))
                },
                None,
            );
        }
        let said: Vec<_> = trace
            .turns
            .iter()
            .map(|turn| turn.tool_calls.len())
            .collect();
        assert_eq!(said, [0, 1, 1, 1]);
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
