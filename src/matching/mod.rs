//! Comparing and pairing calls.

mod difference;
mod pairing;

pub use difference::{ArgumentDifference, DifferenceKind, differences};
pub use pairing::{Pairing, pair};
