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
mod grouped;
mod groups;
mod known_tools;
mod made;
mod matcher;
mod moment;
mod opinion;
mod outcome;
mod pairing;
mod path_pattern;
mod reading;
mod schema_defaults;
mod tool_pattern;
mod verdicts;

pub use alignment::{Gaps, Row, align};
pub use assignment::best_pairs;
pub use budget::Budget;
pub use comparison::{Comparators, Comparing, NoComparators, PathRule};
pub use difference::{ArgumentDifference, DifferenceKind};
pub use expectation::{CallOrder, CallPattern, Expectation, Expectations, Terms};
pub use grammar::{
    Attempts, CallMember, Cost, ExpectationsMember, Extra, GroupMember, MOST_TIMES, MatcherName,
    OPTIONAL, OccurrenceMember, READ_ONLY, RuleMember,
};
pub use groups::CallGroup;
pub use known_tools::{KnownTools, ToolSource};
pub use made::{MadeCall, MadeOutcome};
pub use matcher::{Matcher, Rule};
pub use opinion::{OpenQuestion, Opinion, Opinions};
pub use pairing::{DifferentPair, Pair, Pairing, called_tools, pair};
pub use tool_pattern::{is_pattern, names};
