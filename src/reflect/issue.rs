//! What is wrong with the calls of a log by themselves, as reports show it.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::static_check::StaticCheckName;
use crate::base::issue::{Issue, IssueType, Severity};

/// The kinds of reflection issues: the static checks, and the semantic metrics that judges are asked by.
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
    /// No tool has the name that is called. High.
    NonExistentFunction,
    /// The call has an argument that the tool does not declare. High.
    NonExistentParameter,
    /// A value has the wrong type. High.
    IncorrectParameterType,
    /// A required argument is missing. High.
    MissingRequiredParameter,
    /// A value is not one of those allowed. High.
    AllowedValuesViolation,
    /// The arguments violate any other rule of the schema. High.
    JsonSchemaViolation,
    /// There are no tools to check calls against. Medium, once for each trajectory: then nothing is judged.
    EmptyApiSpec,
    /// The tool definitions can't be used. High, once for each trajectory.
    InvalidApiSpec,
    /// The call could not be run: it has no name, or its arguments are no JSON object. Critical.
    InvalidToolCall,
    /// A judge finds values without a source. High.
    GeneralHallucinationCheck,
    /// A judge finds values in a format that the tool does not expect. High.
    GeneralValueFormatAlignment,
    /// A judge finds that it is not the right tool. High.
    FunctionSelectionAppropriateness,
    /// A judge finds that the call may not be made yet, or not at all. High.
    AgenticConstraintsSatisfaction,
    /// A judge finds an argument without a source. High.
    ParameterHallucinationCheck,
    /// A judge finds an argument in a format that the tool does not expect. High.
    ParameterValueFormatAlignment,
}

impl ReflectionIssueType {
    /// The static checks: the first nine of all.
    pub const STATIC: &'static [Self] = Self::VARIANTS.split_at(9).0;
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

/// Something wrong with a call by itself.
pub type ReflectionIssue = Issue<ReflectionIssueType, ReflectionIssueDetails>;

/// The facts behind a reflection issue. Those that do not apply are absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ReflectionIssueDetails {
    /// The place of the call among the turn's calls, from 0.
    pub call_index: usize,
    /// The id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// The argument; empty for the call as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Present when calls are repaired and this one could be: the issue is low then.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "true"))]
    pub repaired: Option<bool>,
}
