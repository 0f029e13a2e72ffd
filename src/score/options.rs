//! What makes a score fail.

use crate::error::Result;
use crate::model::Limits;
use crate::options::Options;

/// What makes a score fail, and what the call may cost.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields, rename_all = "camelCase"))]
pub struct ScoreOptions {
    /// The least score that passes, from 0 to 1; of several trajectories their mean. Default: any.
    pub min_score: Option<f64>,
    /// Bounds on what the call may cost.
    #[cfg_attr(feature = "typescript", ts(as = "Option<Limits>"))]
    pub limits: Limits,
}

impl ScoreOptions {
    /// The options of scoring; no other is known.
    ///
    /// # Errors
    /// [`crate::error::Error::InvalidOption`] for an unknown option, a wrong value, or a limit out of
    /// its range.
    pub fn read(mut options: Options) -> Result<Self> {
        let read = Self {
            min_score: options.take("minScore")?,
            limits: options.take_limits()?,
        };
        options.finish(&["minScore", "limits"])?;
        Ok(read)
    }
}
