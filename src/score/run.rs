//! What is scored: the calls of a run, what they returned, and what the agent replied.

use toolgauge_grounding::{Outcome, outcome_of};
use toolgauge_matching::{MadeCall, MadeOutcome};
use toolgauge_model::{ExpectedCall, Json, Role, ToolCall, Trajectory};

use super::costs::Costs;

/// The calls of a run, with what else can be expected of it.
#[derive(Debug, Clone, Default)]
pub struct Run<'a> {
    /// The calls, in the order in which they were made.
    pub calls: Vec<RunCall<'a>>,
    /// What the agent says.
    pub replies: Vec<&'a str>,
    /// What the run cost, as far as it is known.
    pub costs: Costs<'a>,
    /// Whether the turns of the user are known. They are not if there is only a list of calls.
    pub has_turns: bool,
    /// The tools of the calls whose arguments the log does not record.
    pub unrecorded: Vec<&'a str>,
}

/// A call of a run.
#[derive(Debug, Clone, Copy)]
pub struct RunCall<'a> {
    /// The call, with what it returned and the message that made it.
    pub made: MadeCall<'a>,
    /// How many messages the user had written before the call, and at least 1.
    pub turn: usize,
}

impl RunCall<'_> {
    /// Returns whether the call failed: its runtime reports an error, or its result is one.
    pub fn has_failed(&self) -> bool {
        let MadeCall { call, outcome, .. } = self.made;
        let call = ToolCall {
            name: Some(call.tool),
            arguments: Some(call.args),
            result: outcome.result,
            error: outcome.error,
            ..ToolCall::default()
        };
        outcome.error.is_some() || matches!(outcome_of(&call), Outcome::Error(_))
    }
}

impl<'a> Run<'a> {
    /// Creates a run of which only the calls are known.
    pub fn of_calls(calls: &[ExpectedCall<'a>]) -> Self {
        let calls = MadeCall::each(calls)
            .into_iter()
            .map(|made| RunCall { made, turn: 1 });
        let calls: Vec<_> = calls.collect();
        Self {
            costs: Costs::of_calls(calls.len()),
            calls,
            ..Self::default()
        }
    }

    /// Adds what the calls returned, from the list that they were read from.
    pub fn with_outcomes(mut self, items: &[Json<'a>]) -> Self {
        for (known, item) in self.calls.iter_mut().zip(items) {
            let call = ToolCall {
                name: Some(known.made.call.tool),
                result: item.get("result").or_else(|| item.get("output")),
                error: item.get("error"),
                ..ToolCall::default()
            };
            known.made.outcome = outcome_in(&call);
        }
        self
    }

    /// Creates the run that `trajectory` records. If nobody ran it, the agent called and said nothing.
    pub fn of(trajectory: &Trajectory<'a>) -> Self {
        let mut run = Self {
            costs: Costs::of(trajectory),
            has_turns: true,
            ..Self::default()
        };
        if trajectory.is_not_run() {
            return run;
        }
        let mut asked = 0;
        for (message, turn) in trajectory.turns.iter().enumerate() {
            match turn.role {
                Role::System => continue,
                Role::User => {
                    asked += 1;
                    continue;
                }
                Role::Agent => {}
            }
            if !turn.content.is_empty() {
                run.replies.push(turn.content);
            }
            let calls = turn.tool_calls.iter().filter(|call| call.is_comparable());
            let hidden = calls.clone().filter(|call| call.hides_arguments());
            run.unrecorded.extend(hidden.filter_map(|call| call.name));
            run.calls.extend(calls.map(|call| RunCall {
                made: MadeCall {
                    call: ExpectedCall {
                        tool: call.name.unwrap_or_default(),
                        args: call.made_arguments(),
                    },
                    outcome: outcome_in(call),
                    message,
                },
                turn: asked.max(1),
            }));
        }
        run
    }
}

fn outcome_in<'a>(call: &ToolCall<'a>) -> MadeOutcome<'a> {
    let known = |value: Option<Json<'a>>| value.filter(|value| !value.is_null());
    MadeOutcome {
        result: known(call.result),
        error: known(call.error),
    }
}
