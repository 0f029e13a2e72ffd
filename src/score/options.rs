//! The options of scoring, and its gate.

use serde_json::{Map, Value};

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
    /// Whether calls that are not expected lower the score. Default: as the expectations say, or else `forbid`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "ExtraCalls"))]
    pub extra: Option<Value>,
    /// The only tools that may be called, by names or patterns. A call of another tool is forbidden.
    #[cfg_attr(feature = "typescript", ts(optional, type = "readonly string[]"))]
    pub only: Option<Value>,
    /// The tools whose calls do not count, by names or patterns.
    #[cfg_attr(feature = "typescript", ts(optional, type = "readonly string[]"))]
    pub ignore_tools: Option<Value>,
    /// Which attempts count. Default: as the expectations say, or else `all`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "'all' | 'successful'"))]
    pub attempts: Option<Value>,
    /// The facts that the replies must state.
    #[cfg_attr(feature = "typescript", ts(optional, type = "readonly string[]"))]
    pub states: Option<Value>,
    /// The most that a run may cost.
    #[cfg_attr(feature = "typescript", ts(optional, type = "RunBudget"))]
    pub budget: Option<Value>,
    /// The lowest scores of tools, by names or patterns, from 0 to 1.
    #[cfg_attr(feature = "typescript", ts(optional, type = "ToolThresholds"))]
    pub thresholds: Option<Value>,
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
            extra: options.take("extra")?,
            only: options.take("only")?,
            ignore_tools: options.take("ignoreTools")?,
            attempts: options.take("attempts")?,
            states: options.take("states")?,
            budget: options.take("budget")?,
            thresholds: options.take("thresholds")?,
            min_score: options.take("minScore")?,
            limits: options.take_limits()?,
        };
        options.finish(&[
            "order",
            "matchers",
            "forbidden",
            "extra",
            "only",
            "ignoreTools",
            "attempts",
            "states",
            "budget",
            "thresholds",
            "minScore",
            "limits",
        ])?;
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
        let terms = [
            ("extra", &self.extra),
            ("only", &self.only),
            ("ignoreTools", &self.ignore_tools),
            ("attempts", &self.attempts),
            ("states", &self.states),
            ("budget", &self.budget),
            ("thresholds", &self.thresholds),
        ];
        let terms = terms.into_iter().filter_map(|(name, value)| {
            let value = value.clone()?;
            Some((name.to_owned(), value))
        });
        let terms: Map<String, Value> = terms.collect();
        if !terms.is_empty() {
            let terms = reader.read_from(Value::Object(terms))?;
            expectations.add_terms(terms, &Path::root().key("options"))?;
        }
        expectations.add(
            read(&self.order)?,
            read(&self.matchers)?,
            read(&self.forbidden)?,
            &Path::root().key("options"),
            reader,
        )
    }
}
