//! Whether what an agent says and passes on stands on what it was told: the engine behind result
//! verification and the validation of trajectories.

mod arithmetic;
mod evidence;
mod names;
mod outcome;
mod unsupported;
mod usage;

pub use evidence::{Evidence, Source};
pub use outcome::{Outcome, outcome_of};
pub use unsupported::{Closest, Unsupported, UnsupportedFact, score, tell, unsupported_by_call};
pub use usage::{Usage, usage};
