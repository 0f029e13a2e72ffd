//! Compares and pairs calls: one engine for every score.

mod alignment;
mod assignment;
mod budget;
mod coercion;
mod comparison;
mod difference;
mod expectation;
mod glob;
mod grammar;
mod matcher;
mod moment;
mod pairing;
mod path_pattern;
mod schema_defaults;
mod verdicts;

pub use alignment::{Gaps, Row, align};
pub use assignment::best_pairs;
pub use budget::Budget;
pub use comparison::{Comparators, Comparing, NoComparators, PathRule};
pub use difference::{ArgumentDifference, DifferenceKind};
pub use expectation::{CallOrder, CallPattern, Expectation, Expectations};
pub use grammar::{
    CallMember, ExpectationsMember, MOST_TIMES, MatcherName, OPTIONAL, OccurrenceMember, RuleMember,
};
pub use matcher::{Matcher, Rule};
pub use pairing::{DifferentPair, Pair, Pairing, called_tools, pair};
