//! The options of reflection.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::semantic::MIN_CONFIDENCE;
use toolgauge_base::options::Options;
use toolgauge_model::Path;
use toolgauge_model::error::{Error, Result};

/// The default number of concurrent questions.
const MAX_CONCURRENCY: usize = 8;

/// The options of reflection, except the judges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ReflectOptions {
    /// Whether judges get short prompts, for calls about to run, or long ones, with recommendations for the
    /// maintainers of the agent. Default `runtime`.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<ReflectionForm>"))]
    pub form: ReflectionForm,
    /// The metrics about the whole call. Default all four.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, as = "Option<Vec<SemanticMetricName>>")
    )]
    pub metrics: Vec<SemanticMetricName>,
    /// The metrics about each argument. Default none.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, as = "Option<Vec<ParameterMetricName>>")
    )]
    pub parameter_metrics: Vec<ParameterMetricName>,
    /// The lowest confidence at which the answer of a judge counts, from 0 to 1. Default 0.5.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<f64>"))]
    pub min_confidence: f64,
    /// Whether judges are also asked about calls that fail the static checks. Default false.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub continue_on_static: bool,
    /// The most concurrent questions, at least 1. Default 8.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub max_concurrency: usize,
}

/// The length of the prompts for judges.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray,
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ReflectionForm {
    /// Short, for every call of a running agent.
    #[default]
    Runtime,
    /// Long, with explained scores and recommendations.
    Full,
}

/// The metrics about a whole call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SemanticMetricName {
    /// Does every argument value have a source?
    GeneralHallucinationCheck,
    /// Is every argument value in the format that the tool expects?
    GeneralValueFormatAlignment,
    /// Is this the right tool for what the user wants now?
    FunctionSelectionAppropriateness,
    /// May the call be made now, considering earlier calls, confirmations, order and policy?
    AgenticConstraintsSatisfaction,
}

/// The metrics about a single argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ParameterMetricName {
    /// Does the value have a source?
    ParameterHallucinationCheck,
    /// Is the value in the format that the tool expects?
    ParameterValueFormatAlignment,
}

impl Default for ReflectOptions {
    fn default() -> Self {
        use SemanticMetricName as Metric;
        Self {
            form: ReflectionForm::default(),
            metrics: vec![
                Metric::GeneralHallucinationCheck,
                Metric::GeneralValueFormatAlignment,
                Metric::FunctionSelectionAppropriateness,
                Metric::AgenticConstraintsSatisfaction,
            ],
            parameter_metrics: Vec::new(),
            min_confidence: MIN_CONFIDENCE,
            continue_on_static: false,
            max_concurrency: MAX_CONCURRENCY,
        }
    }
}

impl ReflectOptions {
    /// Reads the options of a reflection.
    ///
    /// # Errors
    /// [`Error::InvalidOption`] names the option that is unknown or has an invalid value.
    pub fn read(options: Options) -> Result<Self> {
        let read: Self = options.rest()?;
        let invalid = |name, reason: String| {
            let path = Path::root().key("options").key(name);
            Err(Error::InvalidOption { path, reason })
        };
        if !(0.0..=1.0).contains(&read.min_confidence) {
            let reason = format!("expected 0 to 1, got {}", read.min_confidence);
            return invalid("minConfidence", reason);
        }
        if read.max_concurrency == 0 {
            return invalid("maxConcurrency", "expected at least 1, got 0".to_owned());
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> std::result::Result<ReflectOptions, String> {
        Options::parse(text.as_bytes())
            .and_then(ReflectOptions::read)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn options_have_defaults_and_ranges() {
        assert_eq!(read("{}"), Ok(ReflectOptions::default()));
        for (text, says) in [
            (
                r#"{"minConfidence":1.5}"#,
                "options.minConfidence: expected 0 to 1, got 1.5",
            ),
            (
                r#"{"maxConcurrency":0}"#,
                "options.maxConcurrency: expected at least 1",
            ),
            (
                r#"{"metrics":["taste"]}"#,
                "options.metrics[0]: unknown variant `taste`",
            ),
            (r#"{"form":"short"}"#, "options.form: unknown variant"),
            (r#"{"judge":1}"#, "options.judge: unknown option"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.starts_with(says), "{error}");
        }
    }
}
