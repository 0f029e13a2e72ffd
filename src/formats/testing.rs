//! Help for the tests of formats.

use bumpalo::Bump;

use super::{Imported, TrajectoryFormat, import_trajectories};
use crate::error::Error;
use crate::model::testing::arena_json;
use crate::model::{Limits, Reader, Trajectory};

/// What is read from `text`, whose format is detected.
pub fn imported<'a>(
    arena: &'a Bump,
    text: &str,
) -> Imported<Vec<Trajectory<'a>>, TrajectoryFormat> {
    let reader = Reader::new(arena, Limits::default());
    import_trajectories(arena_json(arena, text), None, reader).expect("a readable document")
}

/// Why `text` can't be read.
pub fn failure(text: &str) -> Error {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    import_trajectories(arena_json(&arena, text), None, reader)
        .map(|_| ())
        .expect_err("a document that can't be read")
}

/// All calls of a trajectory as JSON text.
pub fn calls_of(trajectory: &Trajectory<'_>) -> Vec<String> {
    let calls = trajectory.turns.iter().flat_map(|turn| &turn.tool_calls);
    calls
        .map(|call| serde_json::to_string(call).expect("plain data"))
        .collect()
}
