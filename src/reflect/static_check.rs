//! The nine static checks of one call.

use serde::Serialize;
use serde_json::Value;
use strum::VariantArray;

use super::faults::{Fault, Specification, described};
use super::repair::{RepairStatus, repair_with_faults, written_faults};
use toolgauge_formats::WrittenCall;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Limits, Reader};
use toolgauge_schema::to_value;

/// The static checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, VariantArray)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum StaticCheckName {
    /// No tool has the name of the call.
    NonExistentFunction,
    /// The call has an argument that the tool does not declare.
    NonExistentParameter,
    /// A value has the wrong type.
    IncorrectParameterType,
    /// A required argument is missing.
    MissingRequiredParameter,
    /// A value is not one of the allowed ones (`enum`, `const`).
    AllowedValuesViolation,
    /// The arguments violate any other rule of the schema.
    JsonSchemaViolation,
    /// No tools are given.
    EmptyApiSpec,
    /// The tool definitions can't be used.
    InvalidApiSpec,
    /// The input is not a call that could run: it has no name, or its arguments are not a JSON object.
    InvalidToolCall,
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct StaticMetric<'a> {
    /// Whether the call passes the check. Checks that could not run because an earlier one failed pass, too.
    pub valid: bool,
    /// What the check requires.
    pub description: &'static str,
    /// Why the call fails: each path with the reason. `null` if it passes.
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub explanation: Option<String>,
    /// The corrected call, if dropping, converting or filling in arguments makes it valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<ToolCallCorrection<'static>>"))]
    pub correction: Option<ToolCallCorrection<'a>>,
}

/// A valid call in place of one that is not.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToolCallCorrection<'a> {
    /// The corrected arguments.
    #[cfg_attr(feature = "typescript", ts(type = "JsonValue"))]
    pub corrected_arguments: Value,
    /// The corrected call, in the form of the given one.
    #[cfg_attr(feature = "typescript", ts(type = "JsonValue"))]
    pub tool_call: Json<'a>,
}

/// The results of all static checks of one call.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ToolCallCheck<'a> {
    /// Each check.
    #[cfg_attr(feature = "typescript", ts(as = "StaticMetrics<'static>"))]
    pub metrics: StaticMetrics<'a>,
    /// Whether the call passes all of them.
    pub overall_valid: bool,
    /// 1 if it does, else 0.
    pub score: f64,
}

/// The static checks by name.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StaticMetrics<'a> {
    /// No tool has the name of the call.
    #[cfg_attr(feature = "typescript", ts(as = "StaticMetric<'static>"))]
    pub non_existent_function: StaticMetric<'a>,
    /// The call has an argument that the tool does not declare.
    #[cfg_attr(feature = "typescript", ts(as = "StaticMetric<'static>"))]
    pub non_existent_parameter: StaticMetric<'a>,
    /// A value has the wrong type.
    #[cfg_attr(feature = "typescript", ts(as = "StaticMetric<'static>"))]
    pub incorrect_parameter_type: StaticMetric<'a>,
    /// A required argument is missing.
    #[cfg_attr(feature = "typescript", ts(as = "StaticMetric<'static>"))]
    pub missing_required_parameter: StaticMetric<'a>,
    /// A value is not one of the allowed ones (`enum`, `const`).
    #[cfg_attr(feature = "typescript", ts(as = "StaticMetric<'static>"))]
    pub allowed_values_violation: StaticMetric<'a>,
    /// The arguments violate any other rule of the schema.
    #[cfg_attr(feature = "typescript", ts(as = "StaticMetric<'static>"))]
    pub json_schema_violation: StaticMetric<'a>,
    /// No tools are given.
    #[cfg_attr(feature = "typescript", ts(as = "StaticMetric<'static>"))]
    pub empty_api_spec: StaticMetric<'a>,
    /// The tool definitions can't be used.
    #[cfg_attr(feature = "typescript", ts(as = "StaticMetric<'static>"))]
    pub invalid_api_spec: StaticMetric<'a>,
    /// The input is not a call that could run.
    #[cfg_attr(feature = "typescript", ts(as = "StaticMetric<'static>"))]
    pub invalid_tool_call: StaticMetric<'a>,
}

impl StaticCheckName {
    /// Returns what the check requires.
    fn description(self) -> &'static str {
        match self {
            Self::NonExistentFunction => "The called tool is one of the given tools.",
            Self::NonExistentParameter => "The tool declares every argument of the call.",
            Self::IncorrectParameterType => "Every value has the type in the schema.",
            Self::MissingRequiredParameter => "Every required argument is present.",
            Self::AllowedValuesViolation => "Every value is one of those that the schema allows.",
            Self::JsonSchemaViolation => "The arguments follow all other rules of the schema.",
            Self::EmptyApiSpec => "Tools are given to check the call against.",
            Self::InvalidApiSpec => "The tool definitions are valid.",
            Self::InvalidToolCall => {
                "The input is a tool call: a name, and arguments as a JSON object."
            }
        }
    }
}

/// Checks a call that has not run yet. Results are not checked.
///
/// # Errors
/// [`toolgauge_model::error::Error::LimitExceeded`] if a schema takes too much work to check.
pub fn check_tool_call<'a>(
    written: &WrittenCall<'a>,
    specification: Specification<'_>,
    limits: Limits,
    reader: Reader<'a>,
) -> Result<ToolCallCheck<'a>> {
    let faults = written_faults(written, specification, limits)?;
    let repair = repair_with_faults(written, &faults, specification, limits, reader)?;
    let correction = (repair.status == RepairStatus::Repaired).then_some(ToolCallCorrection {
        corrected_arguments: to_value(repair.arguments),
        tool_call: repair.tool_call,
    });
    Ok(ToolCallCheck::of(&faults, correction.as_ref()))
}

impl<'a> ToolCallCheck<'a> {
    fn of(faults: &[Fault], correction: Option<&ToolCallCorrection<'a>>) -> Self {
        let metric = |check: StaticCheckName| {
            let found = faults.iter().filter(|fault| fault.check == check);
            let reasons = described(found);
            let valid = reasons.is_empty();
            StaticMetric {
                valid,
                description: check.description(),
                explanation: (!valid).then(|| reasons.join("; ")),
                correction: correction.filter(|_| !valid).cloned(),
            }
        };
        let overall_valid = faults.is_empty();
        Self {
            metrics: StaticMetrics {
                non_existent_function: metric(StaticCheckName::NonExistentFunction),
                non_existent_parameter: metric(StaticCheckName::NonExistentParameter),
                incorrect_parameter_type: metric(StaticCheckName::IncorrectParameterType),
                missing_required_parameter: metric(StaticCheckName::MissingRequiredParameter),
                allowed_values_violation: metric(StaticCheckName::AllowedValuesViolation),
                json_schema_violation: metric(StaticCheckName::JsonSchemaViolation),
                empty_api_spec: metric(StaticCheckName::EmptyApiSpec),
                invalid_api_spec: metric(StaticCheckName::InvalidApiSpec),
                invalid_tool_call: metric(StaticCheckName::InvalidToolCall),
            },
            overall_valid,
            score: f64::from(u8::from(overall_valid)),
        }
    }
}
