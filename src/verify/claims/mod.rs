//! Compares what replies claim about actions and searches with the calls: finds contradictions and claimed
//! actions.

mod actions;
mod calls;
mod contradictions;
mod evidence;
mod languages;
mod lookups;
mod reading;
mod sentences;
mod spans;
mod successes;
#[cfg(test)]
mod tests;
mod words;

pub use actions::claimed_actions;
pub use contradictions::{Contradiction, Fact, contradictions};
pub use spans::{Span, spans};
