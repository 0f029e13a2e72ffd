//! The options for asking judges.

use serde::Serialize;

use super::aggregation::AggregationMethod;
use toolgauge_base::options::Options;
use toolgauge_model::Path;
use toolgauge_model::error::{Error, Result};

/// How judges are asked, how often failures are retried, and how their scores are combined.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct JudgeOptions {
    /// How the scores of several judges are combined. Default `average`.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<AggregationMethod>"))]
    pub aggregation_method: AggregationMethod,
    /// How many judges are asked at the same time. Default null, which means all.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | null"))]
    pub max_concurrent_judges: Option<usize>,
    /// The most seconds that one attempt may take, above 0. Default 60.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<f64>"))]
    pub timeout: f64,
    /// How often a judge is asked again after a failure or an invalid answer, before the fallback judges are
    /// asked. Default 2.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub max_retries: usize,
    /// Seconds before the first retry after a failure. They double with each further retry, and up to half is
    /// randomly subtracted. An invalid answer is retried immediately, with the reasons. Default 1.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<f64>"))]
    pub retry_delay: f64,
    /// The most seconds between two attempts. A judge that asks for a longer pause counts as failed. Default
    /// 60.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<f64>"))]
    pub max_retry_delay: f64,
    /// Seconds between two status checks of a batch. Default 30.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<f64>"))]
    pub batch_status_check_interval: f64,
    /// How many status checks a batch gets before it counts as unfinished, from 1. Default 120.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub batch_max_iterations: usize,
}

const KNOWN: [&str; 8] = [
    "aggregationMethod",
    "maxConcurrentJudges",
    "timeout",
    "maxRetries",
    "retryDelay",
    "maxRetryDelay",
    "batchStatusCheckInterval",
    "batchMaxIterations",
];

/// JavaScript timers take milliseconds in 31 bits.
const LONGEST: f64 = 2_147_483.0;

impl JudgeOptions {
    /// Reads the options for asking judges.
    ///
    /// # Errors
    /// [`Error::InvalidOption`] for an unknown option, a wrong value, or one out of its range.
    pub fn read(mut options: Options) -> Result<Self> {
        let default = Self::default();
        let read = Self {
            aggregation_method: options
                .take("aggregationMethod")?
                .unwrap_or(default.aggregation_method),
            max_concurrent_judges: options.take("maxConcurrentJudges")?.flatten(),
            timeout: options.take("timeout")?.unwrap_or(default.timeout),
            max_retries: options.take("maxRetries")?.unwrap_or(default.max_retries),
            retry_delay: options.take("retryDelay")?.unwrap_or(default.retry_delay),
            max_retry_delay: options
                .take("maxRetryDelay")?
                .unwrap_or(default.max_retry_delay),
            batch_status_check_interval: options
                .take("batchStatusCheckInterval")?
                .unwrap_or(default.batch_status_check_interval),
            batch_max_iterations: options
                .take("batchMaxIterations")?
                .unwrap_or(default.batch_max_iterations),
        };
        options.finish(&KNOWN)?;
        if read.max_concurrent_judges == Some(0) {
            return Err(out_of_range("maxConcurrentJudges", "at least 1", 0.0));
        }
        if read.batch_max_iterations == 0 {
            return Err(out_of_range("batchMaxIterations", "at least 1", 0.0));
        }
        if read.timeout == 0.0 {
            return Err(out_of_range("timeout", "more than 0", 0.0));
        }
        let seconds = [
            ("timeout", read.timeout),
            ("retryDelay", read.retry_delay),
            ("maxRetryDelay", read.max_retry_delay),
            ("batchStatusCheckInterval", read.batch_status_check_interval),
        ];
        match seconds
            .iter()
            .find(|(_, value)| !(0.0..=LONGEST).contains(value))
        {
            Some((name, value)) => Err(out_of_range(
                name,
                &format!("0 to {LONGEST} seconds"),
                *value,
            )),
            None => Ok(read),
        }
    }
}

impl Default for JudgeOptions {
    fn default() -> Self {
        Self {
            aggregation_method: AggregationMethod::default(),
            max_concurrent_judges: None,
            timeout: 60.0,
            max_retries: 2,
            retry_delay: 1.0,
            max_retry_delay: 60.0,
            batch_status_check_interval: 30.0,
            batch_max_iterations: 120,
        }
    }
}

fn out_of_range(name: &str, expected: &str, actual: f64) -> Error {
    Error::InvalidOption {
        path: Path::root().key("options").key(name),
        reason: format!("expected {expected}, got {actual}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> std::result::Result<JudgeOptions, String> {
        Options::parse(text.as_bytes())
            .and_then(JudgeOptions::read)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn options_have_defaults() {
        assert_eq!(read("{}"), Ok(JudgeOptions::default()));
        let given = read(r#"{"aggregationMethod":"majority_vote","maxConcurrentJudges":2}"#);
        let given = given.expect("options");
        assert_eq!(given.aggregation_method, AggregationMethod::MajorityVote);
        assert_eq!(given.max_concurrent_judges, Some(2));
        assert_eq!(given.batch_status_check_interval, 30.0);
    }

    #[test]
    fn null_removes_the_limit() {
        assert_eq!(
            read(r#"{"maxConcurrentJudges":null}"#),
            Ok(JudgeOptions::default())
        );
    }

    #[test]
    fn values_out_of_range_are_reported() {
        for (text, says) in [
            (
                r#"{"maxConcurrentJudges":0}"#,
                "options.maxConcurrentJudges: expected at least 1",
            ),
            (
                r#"{"batchMaxIterations":0}"#,
                "options.batchMaxIterations: expected at least 1",
            ),
            (r#"{"timeout":0}"#, "options.timeout: expected more than 0"),
            (
                r#"{"timeout":-1}"#,
                "options.timeout: expected 0 to 2147483 seconds, got -1",
            ),
            (r#"{"retryDelay":1e9}"#, "options.retryDelay: expected 0 to"),
            (r#"{"maxRetries":-1}"#, "options.maxRetries: "),
            (r#"{"maxRetries":0.5}"#, "options.maxRetries: "),
            (
                r#"{"aggregationMethod":"mode"}"#,
                "options.aggregationMethod: unknown variant",
            ),
            (r#"{"judge":1}"#, "options.judge: unknown option"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.starts_with(says), "{error}");
        }
    }
}
