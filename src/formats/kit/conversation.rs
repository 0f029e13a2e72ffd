//! Builds turns from a stream of messages, calls and results.

use std::mem;

use foldhash::HashMap;

use super::import::Import;
use toolgauge_model::{Json, Member, Path, Role, ToolCall, Turn};

/// A result without an id is matched with at most this many unanswered calls of a turn.
const MOST_UNANSWERED: usize = 200;

/// Collects messages into turns and adds each result to its call.
///
/// Ids may repeat. A result answers the first unanswered call with its id in the latest turn that has
/// one, or else in an earlier turn.
#[derive(Default)]
pub struct Conversation<'a> {
    turns: Vec<Turn<'a>>,
    /// The unanswered calls by id.
    open: HashMap<&'a str, OpenCalls>,
    /// The first call of the latest turn with calls that may be unanswered.
    first_open: Option<Place>,
    /// Whether the log may begin in the middle of a conversation.
    continues: bool,
}

/// The unanswered calls of one id. Usually there is one. `later` is only used if the id repeats.
#[derive(Default)]
struct OpenCalls {
    next: Option<Place>,
    /// The calls answered after `next`, the last one first.
    later: Vec<Place>,
}

/// A result in a message.
#[derive(Clone, Copy)]
pub struct CallResult<'a> {
    /// The id of the answered call.
    pub id: Option<&'a str>,
    /// The tool that returned it, if the message names it.
    pub name: Option<&'a str>,
    /// The result itself.
    pub outcome: Outcome<'a>,
}

/// The outcome of a call.
#[derive(Clone, Copy)]
pub enum Outcome<'a> {
    /// The tool returned this.
    Result(Json<'a>),
    /// The runtime reported this failure.
    Error(Json<'a>),
}

impl OpenCalls {
    /// Adds a call that is answered before all others.
    fn add(&mut self, place: Place) {
        self.later.extend(self.next.replace(place));
    }

    /// Removes the call that is answered next.
    fn take(&mut self) -> Option<Place> {
        mem::replace(&mut self.next, self.later.pop())
    }

    /// Removes a call that is answered out of turn.
    fn close(&mut self, place: Place) {
        if self.next == Some(place) {
            self.take();
        } else if let Some(at) = self.later.iter().rposition(|it| *it == place) {
            self.later.remove(at);
        }
    }
}

impl CallResult<'_> {
    /// The warning that it answers no call.
    pub fn orphaned(&self) -> String {
        match (self.id, self.name) {
            (Some(id), _) => format!(
                "this result answers the call \"{id}\", which is not in the log or already has a result"
            ),
            (None, Some(name)) => format!("this result of \"{name}\" answers no open call"),
            (None, None) => "this result names no call".to_owned(),
        }
    }
}

impl<'a> Outcome<'a> {
    /// The outcome with this value. A result of an MCP tool says itself whether it is a failure.
    pub fn of(value: Json<'a>, failed: bool) -> Self {
        let is_mcp = value.get("content").is_some_and(|it| it.items().is_some());
        let says_failed = is_mcp && matches!(value.get("isError"), Some(Json::Bool(true)));
        match failed || says_failed {
            true => Self::Error(value),
            false => Self::Result(value),
        }
    }

    /// The outcome of a call that was denied and did not run.
    pub fn denied(reason: Option<&str>, import: &Import<'a>) -> Self {
        let said = reason.filter(|reason| !reason.trim_ascii().is_empty());
        Self::Error(Json::String(said.map_or("the call was denied", |reason| {
            let text = format!("the call was denied: {reason}");
            import.arena().alloc_str(&text)
        })))
    }

    /// Sets this as the outcome of `call`.
    pub fn put_to(self, call: &mut ToolCall<'a>) {
        match self {
            Self::Result(value) => call.result = Some(value),
            Self::Error(value) => call.error = Some(value),
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
struct Place {
    turn: usize,
    call: usize,
}

impl<'a> Conversation<'a> {
    /// Adds a turn without a timestamp or further members.
    pub fn turn(&mut self, role: Role, content: &'a str, calls: Vec<ToolCall<'a>>) {
        self.push(Turn {
            turn_id: 0,
            role,
            content,
            timestamp: None,
            tool_calls: calls,
            extra: &[],
        });
    }

    /// Adds a turn. Its number becomes its position, from 1. Calls that already have a result or an
    /// error are not open.
    pub fn push(&mut self, turn: Turn<'a>) {
        let at = self.turns.len();
        if !turn.tool_calls.is_empty() {
            self.first_open = Some(Place { turn: at, call: 0 });
        }
        // In reverse order, because the first call of a turn is answered first.
        for (call, it) in turn.tool_calls.iter().enumerate().rev() {
            let Some(id) = it.id else { continue };
            let open = self.open.entry(id).or_default();
            if !is_answered(it) {
                open.add(Place { turn: at, call });
            }
        }
        self.turns.push(Turn {
            turn_id: at as i64 + 1,
            ..turn
        });
    }

    /// Adds a result to its call, and returns the call. If no call fits, a warning says so.
    ///
    /// If the log does not hold the call but the result names its tool, the call was made: this adds it without
    /// arguments. After [`Conversation::continue_another`] this adds it without a name, too.
    pub fn result(
        &mut self,
        result: &CallResult<'a>,
        path: &Path,
        import: &mut Import<'a>,
    ) -> Option<&mut ToolCall<'a>> {
        let place = match self.take_open_call(result) {
            Some(place) => place,
            None => {
                if import.takes_orphan(result, path) {
                    return None;
                }
                let is_known = result.id.is_none_or(|id| self.open.contains_key(id));
                let is_made = self.continues || result.name.is_some();
                (is_made && !is_known).then_some(())?;
                self.add_unseen(result)
            }
        };
        let call = &mut self.turns[place.turn].tool_calls[place.call];
        result.outcome.put_to(call);
        call.pending = false;
        Some(call)
    }

    /// Says that the log may begin in the middle of a conversation: a server keeps what was said before. Then a
    /// result whose call is not in the log is evidence for what follows.
    pub fn continue_another(&mut self) {
        self.continues = true;
    }

    /// Whether a call with this id is unanswered.
    pub fn is_open(&self, id: &str) -> bool {
        self.open.get(id).is_some_and(|open| open.next.is_some())
    }

    /// Says that the call with this id, which has no result, has not run yet.
    pub fn suspend(&mut self, id: &str) {
        if let Some(place) = self.open.get(id).and_then(|open| open.next) {
            self.turns[place.turn].tool_calls[place.call].pending = true;
        }
    }

    fn add_unseen(&mut self, result: &CallResult<'a>) -> Place {
        let call = ToolCall {
            id: result.id,
            name: result.name,
            incomplete: true,
            ..ToolCall::default()
        };
        self.turn(Role::Agent, "", vec![call]);
        let place = Place {
            turn: self.turns.len() - 1,
            call: 0,
        };
        if let Some(open) = result.id.and_then(|id| self.open.get_mut(id)) {
            *open = OpenCalls::default();
        }
        place
    }

    /// The number of turns.
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// The calls of all turns from index `at` on.
    pub fn calls_since(&self, at: usize) -> impl Iterator<Item = &ToolCall<'a>> {
        self.turns.iter().skip(at).flat_map(|turn| &turn.tool_calls)
    }

    /// Adds to what the last turn of the agent keeps, if there is one from index `at` on. A member that is already there stays as
    /// it is.
    pub fn keep_in_last(&mut self, at: usize, members: &[Member<'a>], import: &Import<'a>) {
        let turns = self.turns.iter_mut().skip(at);
        if let Some(turn) = turns.rev().find(|turn| turn.role == Role::Agent) {
            turn.extra = import.merge(turn.extra, members);
        }
    }

    /// The turns in order.
    pub fn into_turns(self) -> Vec<Turn<'a>> {
        self.turns
    }

    fn take_open_call(&mut self, result: &CallResult<'a>) -> Option<Place> {
        let Some(id) = result.id else {
            return self.first_unanswered(result.name, |_| true);
        };
        let by_id = self.open.get_mut(id).and_then(OpenCalls::take);
        by_id.or_else(|| self.first_unanswered(Some(result.name?), |call| call.id.is_none()))
    }

    /// The first unanswered call of the latest turn with calls that `fits` and has this name, if a name
    /// is known.
    fn first_unanswered(
        &mut self,
        name: Option<&str>,
        fits: impl Fn(&ToolCall<'a>) -> bool,
    ) -> Option<Place> {
        let first = self.first_open.as_mut()?;
        let calls = self.turns.get(first.turn)?.tool_calls.as_slice();
        let open = calls.get(first.call..)?;
        first.call += open.iter().take_while(|call| is_answered(call)).count();
        let open = calls.get(first.call..)?.iter().take(MOST_UNANSWERED);
        let (at, call) = open.enumerate().find(|(_, call)| {
            !is_answered(call) && (name.is_none() || call.name == name) && fits(call)
        })?;
        let place = Place {
            turn: first.turn,
            call: first.call + at,
        };
        if let Some(open) = call.id.and_then(|id| self.open.get_mut(id)) {
            open.close(place);
        }
        Some(place)
    }
}

/// Whether a call has a result or an error.
fn is_answered(call: &ToolCall<'_>) -> bool {
    call.result.is_some() || call.error.is_some()
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_model::{Limits, Reader};

    fn calls(count: usize) -> Vec<ToolCall<'static>> {
        let call = ToolCall {
            id: Some("x"),
            name: Some("f"),
            ..ToolCall::default()
        };
        vec![call; count]
    }

    #[test]
    fn calls_of_one_id_are_answered_in_their_order_and_the_latest_turn_first() {
        let arena = Bump::new();
        let mut import = Import::new(Reader::new(&arena, Limits::default()));
        let mut conversation = Conversation::default();
        conversation.turn(Role::Agent, "", calls(2));
        conversation.turn(Role::Agent, "", calls(3));
        assert!(conversation.is_open("x"));
        let ids = [Some("x"), None, Some("x"), Some("x"), Some("x"), Some("x")];
        for (id, text) in ids.into_iter().zip(["a", "b", "c", "d", "e", "f"]) {
            let result = CallResult {
                id,
                name: None,
                outcome: Outcome::Result(Json::String(text)),
            };
            conversation.result(&result, &Path::root(), &mut import);
        }
        assert!(!conversation.is_open("x"));
        let results: Vec<_> = conversation
            .calls_since(0)
            .map(|call| call.result.and_then(Json::as_str))
            .collect();
        assert_eq!(results, ["d", "e", "a", "b", "c"].map(Some));
        assert_eq!(import.warnings.len(), 1);
    }

    #[test]
    fn a_call_that_is_answered_by_its_name_is_not_answered_by_its_id() {
        let arena = Bump::new();
        let mut import = Import::new(Reader::new(&arena, Limits::default()));
        let mut conversation = Conversation::default();
        let mut three = calls(3);
        three[1].name = Some("g");
        conversation.turn(Role::Agent, "", calls(1));
        conversation.turn(Role::Agent, "", three);
        let names = [Some("g"), None, None, None];
        for (name, text) in names.into_iter().zip(["a", "b", "c", "d"]) {
            let result = CallResult {
                id: name.is_none().then_some("x"),
                name,
                outcome: Outcome::Result(Json::String(text)),
            };
            conversation.result(&result, &Path::root(), &mut import);
        }
        let results: Vec<_> = conversation
            .calls_since(0)
            .map(|call| call.result.and_then(Json::as_str))
            .collect();
        assert_eq!(results, ["d", "b", "a", "c"].map(Some));
        assert!(import.warnings.is_empty());
    }

    #[test]
    fn many_calls_of_one_id_are_answered_in_no_more_than_linear_time() {
        let arena = Bump::new();
        let mut import = Import::new(Reader::new(&arena, Limits::default()));
        let mut conversation = Conversation::default();
        let count = 200_000;
        conversation.turn(Role::Agent, "", calls(count));
        for at in 0..count {
            let result = CallResult {
                id: (at % 2 == 0).then_some("x"),
                name: None,
                outcome: Outcome::Result(Json::Null),
            };
            conversation.result(&result, &Path::root(), &mut import);
        }
        assert!(import.warnings.is_empty());
        assert!(
            conversation
                .calls_since(0)
                .all(|call| call.result.is_some())
        );
    }
}
