//! Lists the calls of a trajectory in order, divided at the user's messages, with their outcomes.

use foldhash::HashMap;

use super::outcome::{asks_for_repetition, is_acknowledgement, is_same};
use toolgauge_grounding::{Outcome, outcome_of};
use toolgauge_model::ToolNature;
use toolgauge_model::{Json, Role, ToolCall, Trajectory};

/// Up to this many calls are compared one by one, which is faster than hashing them.
const FEW: usize = 8;

/// A call of the agent, with its location.
#[derive(Clone, Copy)]
pub struct Step<'t, 'a> {
    /// The call.
    pub call: &'t ToolCall<'a>,
    /// Its number among all calls of the trajectory, from 0.
    pub number: usize,
    /// The number of its turn.
    pub turn_id: i64,
    /// The position of the call among the calls of its turn, from 0.
    pub index: usize,
    /// Equal for calls of one tool with the same arguments; `None` for a call that is only partly known.
    pub key: Option<usize>,
    /// The position of its turn in the trajectory, from 0.
    turn: usize,
}

/// The calls between two messages of the user.
pub struct Segment<'t, 'a> {
    /// The calls, in order.
    pub steps: Vec<Step<'t, 'a>>,
    keys: usize,
    /// The outcomes of the calls; filled in only if there is a repetition.
    outcomes: Vec<Outcome>,
    /// For each step, the position of the latest earlier step that succeeded.
    success_before: Vec<Option<usize>>,
    /// For each step, the position of the latest earlier step of another tool that succeeded.
    other_success_before: Vec<Option<usize>>,
}

/// Returns the calls of `trajectory`, divided at the user's messages.
pub fn segments<'t, 'a>(trajectory: &'t Trajectory<'a>) -> Vec<Segment<'t, 'a>> {
    let mut segments = Vec::new();
    let mut steps = Vec::new();
    let mut number = 0;
    for (at, turn) in trajectory.turns.iter().enumerate() {
        match turn.role {
            Role::System => {}
            Role::User => segments.push(Segment::of(std::mem::take(&mut steps))),
            Role::Agent => {
                for (index, call) in turn.tool_calls.iter().enumerate() {
                    steps.push(Step {
                        call,
                        number,
                        turn_id: turn.turn_id,
                        index,
                        key: None,
                        turn: at,
                    });
                    number += 1;
                }
            }
        }
    }
    segments.push(Segment::of(steps));
    segments
}

/// Identifies equal calls.
type Key<'a> = (Option<&'a str>, Json<'a>);

fn key_of<'a>(call: &ToolCall<'a>) -> Option<Key<'a>> {
    let text = call.raw_arguments.map(Json::String);
    let arguments = call.arguments.or(text).unwrap_or_default();
    (!call.incomplete && !call.hides_arguments()).then_some((call.name, arguments))
}

/// Numbers keys, with the same number for equal keys.
#[derive(Default)]
struct Numbering<'a> {
    few: Vec<Key<'a>>,
    many: HashMap<Key<'a>, usize>,
}

impl<'a> Numbering<'a> {
    fn number(&mut self, key: Key<'a>) -> usize {
        if self.many.is_empty() {
            if let Some(number) = self.few.iter().position(|known| *known == key) {
                return number;
            }
            self.few.push(key);
            if self.few.len() > FEW {
                let numbered = self.few.iter().enumerate();
                self.many = numbered.map(|(number, key)| (*key, number)).collect();
            }
            return self.few.len() - 1;
        }
        let next = self.many.len();
        *self.many.entry(key).or_insert(next)
    }

    fn len(&self) -> usize {
        self.few.len().max(self.many.len())
    }
}

impl<'t, 'a> Segment<'t, 'a> {
    fn of(mut steps: Vec<Step<'t, 'a>>) -> Self {
        let mut numbering = Numbering::default();
        for step in &mut steps {
            step.key = key_of(step.call).map(|key| numbering.number(key));
        }
        let mut segment = Self {
            steps,
            keys: numbering.len(),
            outcomes: Vec::new(),
            success_before: Vec::new(),
            other_success_before: Vec::new(),
        };
        if segment.has_repetition() {
            segment.fill_in_outcomes();
        }
        segment
    }

    /// Returns whether any call is made twice.
    pub fn has_repetition(&self) -> bool {
        let known = self.steps.iter().filter(|step| step.key.is_some()).count();
        known > self.keys
    }

    fn fill_in_outcomes(&mut self) {
        self.outcomes = self
            .steps
            .iter()
            .map(|step| outcome_of(step.call))
            .collect();
        let mut latest: Option<usize> = None;
        // The latest success of a tool other than the one that succeeded last.
        let mut latest_of_others: Option<usize> = None;
        for (at, step) in self.steps.iter().enumerate() {
            let is_other = |place: &usize| self.steps[*place].call.name != step.call.name;
            let other = latest
                .filter(is_other)
                .or(latest_of_others.filter(is_other));
            self.success_before.push(latest);
            self.other_success_before.push(other);
            if matches!(self.outcomes[at], Outcome::Success | Outcome::Empty) {
                if latest.is_some_and(|place| is_other(&place)) {
                    latest_of_others = latest;
                }
                latest = Some(at);
            }
        }
    }

    /// Returns the positions of the calls that are made more than once, grouped by call.
    pub fn places_by_key(&self) -> Vec<Vec<usize>> {
        let mut places = vec![Vec::new(); self.keys];
        for (at, step) in self.steps.iter().enumerate() {
            if let Some(key) = step.key {
                places[key].push(at);
            }
        }
        places.retain(|places| places.len() > 1);
        places
    }

    /// Returns whether the call at this position failed.
    pub fn failed(&self, at: usize) -> bool {
        matches!(self.outcomes[at], Outcome::Error(_))
    }

    /// Returns whether no call between two equal calls can have changed the outcome of the later one.
    pub fn may_repeat(&self, earlier: usize, later: usize) -> bool {
        let (first, second) = (&self.steps[earlier], &self.steps[later]);
        if first.turn == second.turn || self.outcomes[earlier] == Outcome::Missing {
            return false;
        }
        let is_before = |place: Option<usize>| place.is_none_or(|place| place <= earlier);
        match ToolNature::of(first.call) {
            ToolNature::Waiting => false,
            ToolNature::Command | ToolNature::Gesture => later == earlier + 1,
            ToolNature::Plain if self.failed(earlier) => is_before(self.success_before[later]),
            ToolNature::Plain => is_before(self.other_success_before[later]),
        }
    }

    /// Returns whether two calls are equal and have the same outcome. A call without a result may have any
    /// outcome.
    pub fn comes_to_the_same(&self, earlier: usize, later: usize) -> bool {
        let (first, second) = (&self.steps[earlier], &self.steps[later]);
        if first.key.is_none() || first.key != second.key || first.turn == second.turn {
            return false;
        }
        let call = first.call;
        let nature = ToolNature::of(call);
        let says_nothing = nature == ToolNature::Gesture && is_acknowledgement(call);
        if says_nothing || nature == ToolNature::Waiting || asks_for_repetition(call) {
            return false;
        }
        match (&self.outcomes[earlier], &self.outcomes[later]) {
            (Outcome::Missing, _) => false,
            (_, Outcome::Missing) => true,
            (Outcome::Error(before), Outcome::Error(after)) => before == after,
            (Outcome::Error(_), _) | (_, Outcome::Error(_)) => false,
            _ => is_same(call, second.call),
        }
    }

    /// Returns the tools that were called between two positions, each once, in order.
    pub fn tools_between(&self, earlier: usize, later: usize) -> Vec<&'a str> {
        /// The most tools to list; nobody reads longer lists.
        const MOST: usize = 10;
        let mut tools = Vec::new();
        for step in &self.steps[earlier + 1..later] {
            let name = step.call.name.unwrap_or_default();
            if tools.len() < MOST && !tools.contains(&name) {
                tools.push(name);
            }
        }
        tools
    }
}
