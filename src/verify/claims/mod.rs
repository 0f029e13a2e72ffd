//! What replies claim about actions and searches, held against the calls: contradictions, and actions
//! that no call made.

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
