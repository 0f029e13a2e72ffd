//! Issues, their severities, and how they lower a score. All checks share this module.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use toolgauge_model::{ToolCall, short_quotes};

/// Something wrong with a call or its result.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Issue<Type, Details> {
    /// The type of the issue.
    #[serde(rename = "type")]
    pub kind: Type,
    /// The severity.
    pub severity: Severity,
    /// A sentence for people: the path, what was expected, the actual value.
    pub description: String,
    /// The number of the turn that made the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub turn_id: Option<i64>,
    /// The tool's name as it was called; absent if the call has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub tool_name: Option<String>,
    /// The position of the call, and the data behind the description.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Details>"))]
    pub details: Details,
    /// `true` if the baseline contains this issue, so it does not fail the gate. Otherwise absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub known: bool,
}

/// The types of issues of one kind of check.
pub trait IssueType: Copy + Into<&'static str> {
    /// The details of its issues.
    type Details;

    /// Returns the default severity.
    fn severity(self) -> Severity;

    /// Returns the type as results write it.
    fn label(self) -> &'static str {
        self.into()
    }

    /// Creates details with only the position of the call among the calls of its turn, from 0, and its id.
    fn details(call_index: usize, call_id: Option<String>) -> Self::Details;
}

/// A call with its location.
#[derive(Clone, Copy)]
pub struct CallPlace<'c, 'a> {
    /// The number of the turn; `None` for a single call.
    pub turn_id: Option<i64>,
    /// The position of the call among the calls of its turn, from 0.
    pub index: usize,
    /// The call.
    pub call: &'c ToolCall<'a>,
}

impl CallPlace<'_, '_> {
    /// Creates an issue of the call. The caller adds further details.
    pub fn issue<Type: IssueType>(
        &self,
        kind: Type,
        description: String,
    ) -> Issue<Type, Type::Details> {
        Issue {
            kind,
            severity: kind.severity(),
            description: short_quotes(&description).into_owned(),
            turn_id: self.turn_id,
            tool_name: self.call.name.map(str::to_owned),
            details: Type::details(self.index, self.call.id.map(str::to_owned)),
            known: false,
        }
    }
}

/// The severity of an issue.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    IntoStaticStr,
    VariantArray,
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Low,
    /// Should be looked at.
    Medium,
    /// A problem.
    High,
    /// Makes the call meaningless. Only critical issues make a result invalid.
    Critical,
}

impl Severity {
    /// All severities, the worst first.
    pub const ALL: [Self; 4] = [Self::Critical, Self::High, Self::Medium, Self::Low];

    /// Returns the severity as results write it.
    pub fn label(self) -> &'static str {
        self.into()
    }
}

/// How much an issue of each severity lowers a score, in thousandths, so that sums are exact.
#[derive(Debug, Clone, Copy)]
pub struct Weights {
    /// For a critical issue.
    pub critical: u32,
    /// For a high one.
    pub high: u32,
    /// For a medium one.
    pub medium: u32,
    /// For a low one.
    pub low: u32,
}

impl Weights {
    /// Returns max(0, 1 − Σ weight) over `severities`, from 0 to 1.
    pub fn score(self, severities: impl Iterator<Item = Severity>) -> f64 {
        f64::from(self.thousandths(severities)) / 1000.0
    }

    /// Returns the score in thousandths. Sums of integers do not depend on their order.
    pub fn thousandths(self, severities: impl Iterator<Item = Severity>) -> u32 {
        let taken = severities.fold(0_u64, |sum, severity| sum + u64::from(self.of(severity)));
        1000_u32.saturating_sub(u32::try_from(taken).unwrap_or(u32::MAX))
    }

    fn of(self, severity: Severity) -> u32 {
        match severity {
            Severity::Critical => self.critical,
            Severity::High => self.high,
            Severity::Medium => self.medium,
            Severity::Low => self.low,
        }
    }
}

/// Rounds `value` to 3 decimals, as all scores are. A value below 1 becomes at most 0.999.
pub fn round(value: f64) -> f64 {
    let rounded = (value * 1000.0).round() / 1000.0;
    match rounded == 1.0 && value < 1.0 - ARITHMETIC_ERROR {
        true => 0.999,
        false => rounded,
    }
}

/// The rounding errors in a sum of a few thousand fractions are below this.
const ARITHMETIC_ERROR: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WEIGHTS: Weights = Weights {
        critical: 1000,
        high: 700,
        medium: 400,
        low: 100,
    };

    #[test]
    fn weights_add_up_exactly_and_stop_at_zero() {
        let score = |severities: &[Severity]| WEIGHTS.score(severities.iter().copied());
        assert_eq!(score(&[]), 1.0);
        assert_eq!(score(&[Severity::High]), 0.3);
        assert_eq!(score(&[Severity::Medium, Severity::Low]), 0.5);
        assert_eq!(score(&[Severity::High, Severity::Medium]), 0.0);
        assert_eq!(score(&[Severity::Critical; 5_000]), 0.0);
    }

    #[test]
    fn only_a_perfect_score_is_rounded_to_1() {
        assert_eq!(round(0.9999), 0.999);
        assert_eq!(round(2900.0 / 2901.0), 0.999);
        assert_eq!(round(1.0), 1.0);
        assert_eq!(round(0.1 + 0.2 + 0.7 - 1e-16), 1.0);
        assert_eq!(round(0.9994), 0.999);
        assert_eq!(round(0.0004), 0.0);
    }

    fn any_severity() -> impl Strategy<Value = Severity> {
        proptest::sample::select(&Severity::ALL[..])
    }

    proptest! {
        #[test]
        fn a_score_is_bounded_and_never_rises_with_an_issue(
            mut severities in prop::collection::vec(any_severity(), 0..12),
            more in any_severity(),
        ) {
            let score = WEIGHTS.score(severities.iter().copied());
            prop_assert!((0.0..=1.0).contains(&score));
            severities.reverse();
            prop_assert_eq!(WEIGHTS.score(severities.iter().copied()), score);
            severities.push(more);
            prop_assert!(WEIGHTS.score(severities.iter().copied()) <= score);
        }
    }
}
