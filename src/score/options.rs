//! The options of scoring, and its gate.

use serde_json::Value;

use toolgauge_base::options::Options;
use toolgauge_matching::Expectations;
use toolgauge_model::error::Result;
use toolgauge_model::{Limits, Path, Reader};

/// How calls are scored and when the score fails.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields, rename_all = "camelCase"))]
pub struct ScoreOptions {
    /// Whether the order of the calls counts. Default: as the expectations say, or else `any`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "CallOrder"))]
    pub order: Option<Value>,
    /// How arguments are compared, by tool (`*` for all) and path. If several matchers apply, the last wins:
    /// matchers of an expected call override these, and these override those of an expectation file.
    #[cfg_attr(feature = "typescript", ts(optional, type = "ToolMatchers"))]
    pub matchers: Option<Value>,
    /// Forbidden calls, in addition to those of the expectations.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "readonly ForbiddenCallInput[]")
    )]
    pub forbidden: Option<Value>,
    /// The lowest score that passes, from 0 to 1; for several trajectories their mean. Default: any.
    pub min_score: Option<f64>,
    /// Limits on the work of the call.
    #[cfg_attr(feature = "typescript", ts(as = "Option<Limits>"))]
    pub limits: Limits,
}

impl ScoreOptions {
    /// Reads the options of scoring.
    ///
    /// # Errors
    /// [`toolgauge_model::error::Error::InvalidOption`] for an unknown option, a wrong value, or a limit out of its
    /// range.
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

    /// Adds these options to `expectations`.
    ///
    /// # Errors
    /// As [`Expectations::add`], with paths that start with `options`.
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
