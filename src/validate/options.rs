//! The options of validation.

use serde::Deserialize;

use toolgauge_base::options::{Options, check_limits};
use toolgauge_grounding::THRESHOLD;
use toolgauge_model::Limits;
use toolgauge_model::error::Result;

/// What validation checks, and how strictly.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ValidateOptions {
    /// Whether calls of tools without a schema pass silently. Default false.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub allow_unknown_tools: bool,
    /// Whether arguments and results are checked against their schemas. Default true.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub validate_schemas: bool,
    /// Whether missing and unused results are reported. Default true.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub check_result_usage: bool,
    /// Whether unsupported facts in replies and ungrounded arguments are reported. Default true.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub detect_hallucination: bool,
    /// The confidence, from 0 to 1, above which unsupported facts of a reply are reported. It combines the
    /// confidences of all of them. At 1 nothing is reported. Default 0.3.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<f64>"))]
    pub hallucination_threshold: f64,
    /// Whether any high or critical issue makes the score 0. Unknown tools are then high. Default false.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub strict: bool,
    /// Limits on the work of the call.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Limits>"))]
    pub limits: Limits,
}

impl ValidateOptions {
    /// Reads the options of validation.
    ///
    /// # Errors
    /// [`toolgauge_model::error::Error::InvalidOption`] for an unknown option, a wrong value, or a limit out of its
    /// range.
    pub fn read(options: Options) -> Result<Self> {
        let read: Self = options.rest()?;
        check_limits(read.limits)?;
        Ok(read)
    }
}

impl ValidateOptions {
    /// Returns the options for calls that should be made, which have no results and no replies yet.
    pub(super) fn for_expected_calls(self) -> Self {
        Self {
            check_result_usage: false,
            detect_hallucination: false,
            ..self
        }
    }
}

impl Default for ValidateOptions {
    fn default() -> Self {
        Self {
            allow_unknown_tools: false,
            validate_schemas: true,
            check_result_usage: true,
            detect_hallucination: true,
            hallucination_threshold: THRESHOLD,
            strict: false,
            limits: Limits::default(),
        }
    }
}
