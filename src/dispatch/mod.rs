//! The part of dispatching that needs no handlers: it routes calls, finds duplicates in a round, detects
//! loops, and selects functions.

mod duplicates;
mod ranking;
mod round;
mod route;
mod select;
mod tracker;

pub use ranking::{SearchableTool, rank_tools};
pub use round::{Round, RoundCall, read_round};
pub use route::{McpAction, Route};
pub use select::{EnabledList, Selection, SelectionRequest, UnknownName, select_functions};
pub use tracker::{LoopWarning, TrackedCall, TrackedRound, TrackerState};
