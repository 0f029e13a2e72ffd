//! The names that expectation files consist of. The parser, the TypeScript types and the JSON Schema all list these
//! enums: see tests/typescript/expectations.rs.

use strum::{EnumString, IntoStaticStr, VariantArray, VariantNames};

/// The most times that one call can be expected.
pub const MOST_TIMES: usize = 10_000;

/// The name that alone means `{optional: true}`.
pub const OPTIONAL: &str = "optional";

/// The member of an object that stands for the tools that only read.
pub const READ_ONLY: &str = "readOnly";

/// A matcher that takes no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase")]
pub enum MatcherName {
    /// Equal as JSON Schema has it.
    Exact,
    /// Anything, or nothing.
    Ignore,
    /// Objects may lack expected members.
    Subset,
    /// Objects may have more members.
    Superset,
    /// A text or array that contains the expected text, item or items.
    Contains,
    /// Texts are equal but for case.
    CaseInsensitive,
    /// Texts name the same date, time or both.
    Date,
    /// Arrays contain the same items in any order.
    Unordered,
    /// A value of the expected value's JSON type.
    Type,
    /// Texts are equal but for case, spaces, some punctuation and the kind of quotes.
    Normalized,
    /// Values are equal but for their types.
    Coerce,
}

/// A member of an object that says how one argument is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase")]
pub enum RuleMember {
    /// One of several values.
    OneOf,
    /// A text in which a pattern is found.
    Regex,
    /// A text or array that contains these.
    Contains,
    /// A number that differs by at most this.
    Tolerance,
    /// A value of a JSON type.
    Type,
    /// A text that is similar to the expected text.
    Similar,
    /// A number between two bounds.
    Range,
    /// A value that a JSON Schema accepts.
    Schema,
    /// A value that a comparator of the caller accepts.
    Compare,
    /// A value for which a judge answers a question with yes.
    Judge,
    /// A matcher that takes no value, by its name.
    Match,
    /// Whether the argument may be left out.
    Optional,
    /// The value of an argument that is left out.
    Default,
    /// What is asked for, in the words of the author.
    Label,
}

impl RuleMember {
    /// Whether it is a matcher. A rule has at most one, except that `match` can say how the values of `oneOf` are
    /// compared.
    pub fn is_matcher(self) -> bool {
        match self {
            Self::OneOf
            | Self::Regex
            | Self::Contains
            | Self::Tolerance
            | Self::Type
            | Self::Similar
            | Self::Range
            | Self::Schema
            | Self::Compare
            | Self::Judge
            | Self::Match => true,
            Self::Optional | Self::Default | Self::Label => false,
        }
    }
}

/// A member of an object of expectations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray, VariantNames)]
#[strum(serialize_all = "camelCase")]
pub enum ExpectationsMember {
    /// Where the JSON Schema is, for editors.
    #[strum(serialize = "$schema")]
    Schema,
    /// The calls that should be made.
    Calls,
    /// The calls that must not be made.
    Forbidden,
    /// Whether the order counts.
    Order,
    /// How arguments are compared, by tool and path.
    Matchers,
    /// The expectations of each turn of the user, instead of calls.
    Turns,
    /// Whether unexpected calls count.
    Extra,
    /// The tools that may be called.
    Only,
    /// The tools whose calls do not count.
    IgnoreTools,
    /// Which attempts count.
    Attempts,
    /// What the reply must state.
    States,
    /// What the run may cost.
    Budget,
    /// The lowest score of each tool.
    Thresholds,
    /// Whether null and an argument that is left out are the same.
    NullIsAbsent,
    /// Whether the defaults of the tools' schemas count as written.
    SchemaDefaults,
}

impl ExpectationsMember {
    /// The names of all members.
    pub const NAMES: &'static [&'static str] = <Self as VariantNames>::VARIANTS;
}

/// A member of a call that says which call it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray, VariantNames)]
#[strum(serialize_all = "camelCase")]
pub enum CallMember {
    /// The name of the tool.
    Tool,
    /// The expected arguments.
    Args,
    /// How the arguments are compared.
    Matchers,
    /// The expected result.
    Result,
    /// How the result is compared.
    ResultMatchers,
    /// Whether the call should fail, and how.
    Error,
}

impl CallMember {
    /// The names of all members.
    pub const NAMES: &'static [&'static str] = <Self as VariantNames>::VARIANTS;
}

/// A member of a group of expected calls. A group has one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase")]
pub enum GroupMember {
    /// Calls that must be made one after the other.
    Sequence,
    /// Calls that may be made in any order.
    Unordered,
}

/// Whether unexpected calls lower the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extra {
    /// Each of them does.
    #[default]
    Forbid,
    /// None of them does.
    Allow,
    /// Those beyond this number do.
    Most(usize),
}

/// Which attempts count.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    EnumString,
    IntoStaticStr,
    VariantArray,
    VariantNames,
)]
#[strum(serialize_all = "camelCase")]
pub enum Attempts {
    /// All calls.
    #[default]
    All,
    /// Calls that did not fail.
    Successful,
}

impl Attempts {
    /// The names of both.
    pub const NAMES: &'static [&'static str] = <Self as VariantNames>::VARIANTS;
}

/// A limit on what a run may cost.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    EnumString,
    IntoStaticStr,
    VariantArray,
    VariantNames,
)]
#[strum(serialize_all = "camelCase")]
pub enum Cost {
    /// Calls of tools.
    Calls,
    /// Turns of the agent.
    Turns,
    /// Tokens read and written by the model.
    Tokens,
    /// Seconds from the first to the last timestamp.
    Seconds,
    /// Money, in the unit of the log.
    Cost,
}

impl Cost {
    /// The names of all limits.
    pub const NAMES: &'static [&'static str] = <Self as VariantNames>::VARIANTS;
}

/// A member of an expected call that says how often it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase")]
pub enum OccurrenceMember {
    /// Whether it may be left out.
    Optional,
    /// How often it is made.
    Times,
}
