//! What validation looks for.

use serde::Deserialize;

use crate::base::options::{Options, check_limits};
use crate::error::Result;
use crate::grounding::THRESHOLD;
use crate::model::Limits;

/// What validation looks for, and how strictly.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ValidateOptions {
    /// Whether calls of tools that have no schema pass in silence. Default false.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub allow_unknown_tools: bool,
    /// Whether arguments are checked against their schemas, and results by a check. Default true.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub validate_schemas: bool,
    /// Whether results are looked for, and their use in the response. Default true.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub check_result_usage: bool,
    /// Whether responses and arguments are searched for what nothing said before. Default true.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub detect_hallucination: bool,
    /// How sure it must be that nothing shows what a response states, from 0 to 1, before it is reported: the
    /// confidences of its unsupported facts together are above it. At 1 nothing is reported. Default 0.3.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<f64>"))]
    pub hallucination_threshold: f64,
    /// Whether any high or critical issue makes the score 0; unknown tools are high then. Default false.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub strict: bool,
    /// Bounds on what the call may cost.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Limits>"))]
    pub limits: Limits,
}

impl ValidateOptions {
    /// The options of validation; no other is known.
    ///
    /// # Errors
    /// [`crate::error::Error::InvalidOption`] for an unknown option, a wrong value, or a limit out of
    /// its range.
    pub fn read(options: Options) -> Result<Self> {
        let read: Self = options.rest()?;
        check_limits(read.limits)?;
        Ok(read)
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
