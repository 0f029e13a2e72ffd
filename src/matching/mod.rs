//! Comparing and pairing calls: one engine for every score.

mod alignment;
mod assignment;
mod comparison;
mod difference;
mod expectation;
mod matcher;
mod moment;
mod pairing;
mod path_pattern;

pub use alignment::{Gaps, align};
pub use assignment::{MOST_TO_ASSIGN, best_pairs};
pub use comparison::{Comparators, Comparing, NoComparators, PathRule};
pub use difference::{ArgumentDifference, DifferenceKind};
pub use expectation::{CallOrder, CallPattern, Expectation, Expectations};
pub use matcher::{Matcher, Rule};
pub use pairing::{DifferentPair, Pair, Pairing, called_tools, pair};
