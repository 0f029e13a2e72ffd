//! Issues of calls checked by themselves, as reports show them.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::static_check::StaticCheckName;
use toolgauge_base::issue::{Issue, IssueType, Severity};

/// The types of reflection issues: the static checks, and the semantic metrics of judges.
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
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ReflectionIssueType {
    /// No tool has the name of the call. High.
    NonExistentFunction,
    /// The call has an argument that the tool does not declare. High.
    NonExistentParameter,
    /// A value has the wrong type. High.
    IncorrectParameterType,
    /// A required argument is missing. High.
    MissingRequiredParameter,
    /// A value is not one of the allowed ones. High.
    AllowedValuesViolation,
    /// The arguments violate any other rule of the schema. High.
    JsonSchemaViolation,
    /// There are no tools to check calls against. Medium, once for each trajectory: calls are then not
    /// checked.
    EmptyApiSpec,
    /// The tool definitions can't be used. High, once for each trajectory.
    InvalidApiSpec,
    /// The call can't run: it has no name, or its arguments are not a JSON object. Critical.
    InvalidToolCall,
    /// A judge finds a value without a source. High.
    GeneralHallucinationCheck,
    /// A judge finds a value in a format that the tool does not expect. High.
    GeneralValueFormatAlignment,
    /// A judge finds that the tool is wrong. High.
    FunctionSelectionAppropriateness,
    /// A judge finds that the call must not be made yet, or not at all. High.
    AgenticConstraintsSatisfaction,
    /// A judge finds an argument without a source. High.
    ParameterHallucinationCheck,
    /// A judge finds an argument in a format that the tool does not expect. High.
    ParameterValueFormatAlignment,
}

impl ReflectionIssueType {
    /// The static checks: the first of all.
    pub const STATIC: &'static [Self] = Self::VARIANTS.split_at(StaticCheckName::VARIANTS.len()).0;
}

impl From<StaticCheckName> for ReflectionIssueType {
    fn from(check: StaticCheckName) -> Self {
        match check {
            StaticCheckName::NonExistentFunction => Self::NonExistentFunction,
            StaticCheckName::NonExistentParameter => Self::NonExistentParameter,
            StaticCheckName::IncorrectParameterType => Self::IncorrectParameterType,
            StaticCheckName::MissingRequiredParameter => Self::MissingRequiredParameter,
            StaticCheckName::AllowedValuesViolation => Self::AllowedValuesViolation,
            StaticCheckName::JsonSchemaViolation => Self::JsonSchemaViolation,
            StaticCheckName::EmptyApiSpec => Self::EmptyApiSpec,
            StaticCheckName::InvalidApiSpec => Self::InvalidApiSpec,
            StaticCheckName::InvalidToolCall => Self::InvalidToolCall,
        }
    }
}

impl IssueType for ReflectionIssueType {
    type Details = ReflectionIssueDetails;

    fn severity(self) -> Severity {
        match self {
            Self::InvalidToolCall => Severity::Critical,
            Self::EmptyApiSpec => Severity::Medium,
            Self::NonExistentFunction
            | Self::NonExistentParameter
            | Self::IncorrectParameterType
            | Self::MissingRequiredParameter
            | Self::AllowedValuesViolation
            | Self::JsonSchemaViolation
            | Self::InvalidApiSpec
            | Self::GeneralHallucinationCheck
            | Self::GeneralValueFormatAlignment
            | Self::FunctionSelectionAppropriateness
            | Self::AgenticConstraintsSatisfaction
            | Self::ParameterHallucinationCheck
            | Self::ParameterValueFormatAlignment => Severity::High,
        }
    }

    fn details(call_index: usize, call_id: Option<String>) -> ReflectionIssueDetails {
        ReflectionIssueDetails {
            call_index,
            call_id,
            ..ReflectionIssueDetails::default()
        }
    }
}

/// Something wrong with a call checked by itself.
pub type ReflectionIssue = Issue<ReflectionIssueType, ReflectionIssueDetails>;

/// The details of a reflection issue. Members that do not apply are absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ReflectionIssueDetails {
    /// The position of the call among the calls of its turn, from 0.
    pub call_index: usize,
    /// The id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// The path of the argument; empty for the call as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Present if calls are repaired and this one was: the issue is then low.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "true"))]
    pub repaired: Option<bool>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_types_are_the_static_checks_in_their_order() {
        let checks = StaticCheckName::VARIANTS.iter();
        let types: Vec<_> = checks.map(|check| (*check).into()).collect();
        assert_eq!(ReflectionIssueType::STATIC, types);
    }
}
