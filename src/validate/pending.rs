//! Finds out what a log lacks: the results of its last calls, and the request.

use toolgauge_model::{Role, ToolCall, Trajectory, Turn};

/// Which calls without a result are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaited {
    /// All calls.
    Everywhere,
    /// The calls of all turns before this position in the trajectory.
    Before(usize),
    /// Only the first call of the turn at this position: the log holds no results at all, which is reported
    /// once.
    Once(usize),
    /// No call, because the log ends with the calls.
    Nowhere,
}

impl Awaited {
    /// Decides which calls of `trajectory` must have a result. The calls of the last turn need none if
    /// nothing follows them: no other turn, and no result of any of them. If no call of the log has a result
    /// although the agent goes on to speak, this is reported once.
    pub fn of(trajectory: &Trajectory<'_>) -> Self {
        if trajectory.calls().all(|call| call.is_unanswered()) {
            return Self::of_log_without_results(trajectory);
        }
        let is_said = |role, content: &str| role == Role::Agent || !content.trim().is_empty();
        let mut turns = trajectory.turns.iter();
        let Some(last) = turns.rposition(|turn| is_said(turn.role, turn.content)) else {
            return Self::Nowhere;
        };
        let mut calls = trajectory.turns[last].tool_calls.iter();
        match calls.all(|call| call.is_unanswered()) {
            true => Self::Before(last),
            false => Self::Everywhere,
        }
    }

    fn of_log_without_results(trajectory: &Trajectory<'_>) -> Self {
        let mut turns = trajectory.turns.iter();
        let Some(first) = turns.position(calls_tools) else {
            return Self::Nowhere;
        };
        let mut later = trajectory.turns[first + 1..].iter();
        match later.any(|turn| turn.role == Role::Agent && !turn.content.trim().is_empty()) {
            true => Self::Once(first),
            false => Self::Nowhere,
        }
    }

    /// Returns whether a missing result of the call `index` of the turn at position `turn` is reported.
    pub fn includes(self, turn: usize, index: usize) -> bool {
        match self {
            Self::Once(first) => turn == first && index == 0,
            Self::Everywhere => true,
            Self::Before(last) => turn < last,
            Self::Nowhere => false,
        }
    }
}

/// The calls that have not run yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pending {
    /// The position of the last turn in which the agent says something or has a call that ran. It did so without the
    /// results of earlier calls.
    since: usize,
}

impl Pending {
    /// Finds the calls of `trajectory` that may not have run yet.
    pub fn of(trajectory: &Trajectory<'_>) -> Self {
        let goes_on = |turn: &Turn<'_>| {
            let has_run = turn.tool_calls.iter().any(|call| !call.pending);
            turn.role == Role::Agent && (has_run || !turn.content.trim().is_empty())
        };
        let last = trajectory.turns.iter().rposition(goes_on);
        Self {
            since: last.unwrap_or_default(),
        }
    }

    /// Returns whether `call` of the turn at position `turn` has not run yet: the source says so, and the agent waits
    /// for it.
    pub fn includes(self, turn: usize, call: &ToolCall<'_>) -> bool {
        call.pending && turn >= self.since
    }
}

fn calls_tools(turn: &Turn<'_>) -> bool {
    turn.role == Role::Agent && !turn.tool_calls.is_empty()
}

/// Whether the log shows what the agent was asked. If it does not, any value may come from the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// The user or the instructions say something, or a turn is validated by itself.
    Said,
    /// The log has neither user text nor instructions.
    NotLogged,
}

impl Request {
    /// Looks for a request in `trajectory`.
    pub fn of(trajectory: &Trajectory<'_>) -> Self {
        let mut others = trajectory
            .turns
            .iter()
            .filter(|turn| turn.role != Role::Agent);
        let is_said = others.any(|turn| !turn.content.trim().is_empty());
        match is_said || trajectory.turns.len() < 2 {
            true => Self::Said,
            false => Self::NotLogged,
        }
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_formats::import_trajectory;
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Limits, Reader};

    fn awaited(turns: &str) -> Awaited {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let text = format!(r#"[{{"turn_id":1,"role":"user","content":"Go"}},{turns}]"#);
        let imported = import_trajectory(arena_json(&arena, &text), None, reader);
        Awaited::of(&imported.expect("turns").value)
    }

    const ANSWERED: &str =
        r#"{"turn_id":2,"role":"agent","tool_calls":[{"name":"f","arguments":{},"result":1}]}"#;
    const PENDING: &str =
        r#"{"turn_id":3,"role":"agent","tool_calls":[{"name":"f","arguments":{}}]}"#;
    const ASKED: &str = r#"{"turn_id":4,"role":"user","content":"Well?"}"#;

    #[test]
    fn only_results_that_the_log_could_hold_are_expected() {
        assert_eq!(awaited(PENDING), Awaited::Nowhere);
        assert_eq!(awaited(&format!("{PENDING},{ASKED}")), Awaited::Nowhere);
        let last = awaited(&format!("{ANSWERED},{PENDING}"));
        assert!(!last.includes(2, 0), "{last:?}");
        for followed in [
            format!("{ANSWERED},{PENDING},{ASKED}"),
            format!("{ANSWERED},{PENDING},{ANSWERED}"),
        ] {
            assert!(awaited(&followed).includes(2, 0), "{followed}");
        }
        const HALF: &str = r#"{"turn_id":3,"role":"agent","tool_calls":[{"name":"f","arguments":{},"result":1},{"name":"f"}]}"#;
        assert_eq!(awaited(HALF), Awaited::Everywhere);
        assert!(Awaited::Everywhere.includes(0, 1));
        const SPOKEN: &str = r#"{"turn_id":5,"role":"agent","content":"It is 7."}"#;
        assert_eq!(
            awaited(&format!("{PENDING},{PENDING},{SPOKEN}")),
            Awaited::Once(1)
        );
    }

    #[test]
    fn a_call_is_pending_until_the_agent_goes_on() {
        let includes = |after: &str| {
            let arena = Bump::new();
            let reader = Reader::new(&arena, Limits::default());
            let text = format!(
                r#"[{{"turn_id":1,"role":"agent","tool_calls":[{{"name":"f","result":1}},{{"name":"g","pending":true}}]}}{after}]"#
            );
            let imported = import_trajectory(arena_json(&arena, &text), None, reader);
            let trajectory = imported.expect("turns").value;
            let pending = Pending::of(&trajectory);
            let calls = trajectory.turns[0].tool_calls.iter();
            calls
                .map(|call| pending.includes(0, call))
                .collect::<Vec<_>>()
        };
        assert_eq!(includes(""), [false, true]);
        assert_eq!(includes(&format!(",{ASKED}")), [false, true]);
        const WAITING: &str =
            r#"{"turn_id":5,"role":"agent","tool_calls":[{"name":"h","pending":true}]}"#;
        assert_eq!(includes(&format!(",{WAITING}")), [false, true]);
        assert_eq!(includes(&format!(",{ANSWERED}")), [false, false]);
    }

    #[test]
    fn a_log_without_a_request_is_recognized() {
        let request = |turns: &str| {
            let arena = Bump::new();
            let reader = Reader::new(&arena, Limits::default());
            let imported = import_trajectory(arena_json(&arena, turns), None, reader);
            Request::of(&imported.expect("turns").value)
        };
        assert_eq!(
            request(&format!("[{ANSWERED},{PENDING}]")),
            Request::NotLogged
        );
        assert_eq!(request(&format!("[{ASKED},{PENDING}]")), Request::Said);
        assert_eq!(request(&format!("[{ANSWERED}]")), Request::Said);
    }
}
