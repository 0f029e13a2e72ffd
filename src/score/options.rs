//! How calls are scored, and what makes a score fail.

use serde_json::Value;

use crate::base::options::Options;
use crate::error::Result;
use crate::matching::Expectations;
use crate::model::{Limits, Path, Reader};

/// How calls are scored, what makes the score fail, and what the call may cost.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields, rename_all = "camelCase"))]
pub struct ScoreOptions {
    /// Whether the order of the calls counts. Default: that of the expectations, or else `any`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "CallOrder"))]
    pub order: Option<Value>,
    /// How arguments are compared, by tool (`*` for all) and path. Of the matchers for one argument the
    /// last counts: those of an expected call after these, and these after those of an expectation file.
    #[cfg_attr(feature = "typescript", ts(optional, type = "ToolMatchers"))]
    pub matchers: Option<Value>,
    /// Calls that must not be made, besides those that the expectations forbid.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "readonly ForbiddenCallInput[]")
    )]
    pub forbidden: Option<Value>,
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
            order: options.take("order")?,
            matchers: options.take("matchers")?,
            forbidden: options.take("forbidden")?,
            min_score: options.take("minScore")?,
            limits: options.take_limits()?,
        };
        options.finish(&["order", "matchers", "forbidden", "minScore", "limits"])?;
        Ok(read)
    }

    /// Adds what these say to `expectations`.
    ///
    /// # Errors
    /// As [`Expectations::add`], with places from `options` on.
    pub fn apply<'a>(&self, expectations: &mut Expectations<'a>, reader: Reader<'a>) -> Result<()> {
        let read = |value: &Option<Value>| {
            let value = value.clone();
            value.map(|value| reader.read_from(value)).transpose()
        };
        expectations.add(
            read(&self.order)?,
            read(&self.matchers)?,
            read(&self.forbidden)?,
            &Path::root().key("options"),
            reader,
        )
    }
}
