//! Groups a user's request with everything that the agent did for it.

use super::calls::{Came, Purpose, Tool};
use super::reading::{Reading, read};
use toolgauge_model::{Role, ToolCall, Trajectory, Turn};

/// What an agent did and said between two turns of the user.
pub struct Span<'t, 'a> {
    /// The calls, in order.
    pub calls: Vec<Made<'t, 'a>>,
    /// The last text that the agent said.
    pub reply: Option<Reply<'t, 'a>>,
    /// The position of its first turn in the trajectory.
    pub start: usize,
}

/// A call of a span.
pub struct Made<'t, 'a> {
    /// The position of its turn in the trajectory.
    pub turn: usize,
    /// The call.
    pub call: &'t ToolCall<'a>,
    /// Its tool.
    pub tool: Tool,
    /// Its outcome.
    pub came: Came,
}

/// The text that ends a span.
pub struct Reply<'t, 'a> {
    /// The position of its turn in the trajectory.
    pub at: usize,
    /// Its turn.
    pub turn: &'t Turn<'a>,
    /// What it claims.
    pub reading: Reading<'t>,
}

impl Made<'_, '_> {
    /// Returns whether the call may have changed something.
    pub fn may_act(&self) -> bool {
        self.tool.purpose != Purpose::Reads
    }

    /// Returns whether the call is known to only look something up.
    pub fn reads(&self) -> bool {
        self.tool.purpose == Purpose::Reads
    }
}

/// Returns the spans of `trajectory`, in order.
pub fn spans<'t, 'a>(trajectory: &'t Trajectory<'a>) -> Vec<Span<'t, 'a>> {
    let mut found: Vec<Span<'t, 'a>> = vec![Span::at(0)];
    for (at, turn) in trajectory.turns.iter().enumerate() {
        match turn.role {
            Role::User => found.push(Span::at(at)),
            Role::System => {}
            Role::Agent => {
                let Some(span) = found.last_mut() else {
                    continue;
                };
                span.calls
                    .extend(turn.tool_calls.iter().map(|call| made(at, call)));
                if !turn.content.trim().is_empty() {
                    let reading = Reading::default();
                    span.reply = Some(Reply { at, turn, reading });
                }
            }
        }
    }
    for reply in found.iter_mut().filter_map(|span| span.reply.as_mut()) {
        reply.reading = read(reply.turn.content);
    }
    found
}

impl Span<'_, '_> {
    fn at(start: usize) -> Self {
        Self {
            calls: Vec::new(),
            reply: None,
            start,
        }
    }
}

fn made<'t, 'a>(turn: usize, call: &'t ToolCall<'a>) -> Made<'t, 'a> {
    Made {
        turn,
        call,
        tool: Tool::named(call.name.unwrap_or_default()),
        came: Came::of(call),
    }
}
