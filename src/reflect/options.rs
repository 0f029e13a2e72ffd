//! How a call is reflected on.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::semantic::MIN_CONFIDENCE;
use crate::base::options::Options;
use crate::error::{Error, Result};
use crate::model::Path;

/// How many questions are asked at a time, where nothing else is said.
const MAX_CONCURRENCY: usize = 8;

/// How a call is reflected on, besides who judges it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ReflectOptions {
    /// Whether judges are asked in few words, before a call runs, or at length, with recommendations for whoever
    /// maintains the agent. Default `runtime`.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<ReflectionForm>"))]
    pub form: ReflectionForm,
    /// What judges are asked about the call. Default all four.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, as = "Option<Vec<SemanticMetricName>>")
    )]
    pub metrics: Vec<SemanticMetricName>,
    /// What judges are asked about each argument. Default nothing.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, as = "Option<Vec<ParameterMetricName>>")
    )]
    pub parameter_metrics: Vec<ParameterMetricName>,
    /// The least confidence of a judge with which its answer counts, from 0 to 1. Default 0.5.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<f64>"))]
    pub min_confidence: f64,
    /// Whether judges are asked about calls that fail the static checks, too. Default false.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub continue_on_static: bool,
    /// How many questions are asked at a time, at least 1. Default 8.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub max_concurrency: usize,
}

/// How much judges are told and asked for.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray,
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ReflectionForm {
    /// Few words: for every call of a running agent.
    #[default]
    Runtime,
    /// Each score explained, and recommendations asked for.
    Full,
}

/// What judges are asked about a whole call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SemanticMetricName {
    /// Does every argument value have a source?
    GeneralHallucinationCheck,
    /// Is every argument value written as the tool expects it?
    GeneralValueFormatAlignment,
    /// Is this the right tool for what the user wants now?
    FunctionSelectionAppropriateness,
    /// May the call be made now: earlier calls, confirmations, order, policy?
    AgenticConstraintsSatisfaction,
}

/// What judges are asked about a single argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ParameterMetricName {
    /// Does the value have a source?
    ParameterHallucinationCheck,
    /// Is the value written as the tool expects it?
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
    /// The options of a reflection; no other is known.
    ///
    /// # Errors
    /// [`Error::InvalidOption`] names the option that is unknown, or has a wrong value.
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
    fn they_have_defaults_and_ranges() {
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
            (r#"{"judge":1}"#, "options.judge: unknown field"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.starts_with(says), "{error}");
        }
    }
}
