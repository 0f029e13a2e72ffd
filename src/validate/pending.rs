//! What a log lacks: results of its last calls, and what the agent was asked.

use crate::model::{Role, Trajectory, Turn};

/// Which calls without a result are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaited {
    /// All.
    Everywhere,
    /// Those of the turns before this one, by its place in the trajectory.
    Before(usize),
    /// The first of this turn, by its place: the log holds no results at all, which is reported once.
    Once(usize),
    /// None: the log ends with the calls.
    Nowhere,
}

impl Awaited {
    /// Which calls of `trajectory` must have a result. Those of the last turn need none where nothing follows them,
    /// neither a turn nor the result of one of them. Where no call of the log has a result though the agent goes on
    /// to speak, that is reported once.
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

    /// Whether a call without result is reported: the call at `index` of the turn at the place `turn`.
    pub fn includes(self, turn: usize, index: usize) -> bool {
        match self {
            Self::Once(first) => turn == first && index == 0,
            Self::Everywhere => true,
            Self::Before(last) => turn < last,
            Self::Nowhere => false,
        }
    }
}

fn calls_tools(turn: &Turn<'_>) -> bool {
    turn.role == Role::Agent && !turn.tool_calls.is_empty()
}

/// Whether a log holds what the agent was asked. Where it does not, the agent may know anything from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// A user or the instructions say something, or a turn stands alone.
    Said,
    /// Nobody does.
    NotLogged,
}

impl Request {
    /// Whether `trajectory` holds what the agent was asked.
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
    use crate::formats::import_trajectory;
    use crate::model::testing::arena_json;
    use crate::model::{Limits, Reader};

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
    fn only_results_that_the_log_could_hold_are_awaited() {
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
        const TOLD: &str = r#"{"turn_id":5,"role":"agent","content":"It is 7."}"#;
        assert_eq!(
            awaited(&format!("{PENDING},{PENDING},{TOLD}")),
            Awaited::Once(1)
        );
    }

    #[test]
    fn a_log_without_a_request_is_known() {
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
