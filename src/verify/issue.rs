//! The issues of verification: what can be wrong with a result or with the reply to it.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use toolgauge_base::issue::{Issue, IssueType, Severity, Weights};
use toolgauge_base::options::{Options, check_limits};
use toolgauge_grounding::{Misattributed, THRESHOLD, UnsupportedFact};
use toolgauge_model::Limits;
use toolgauge_model::error::Result;
use toolgauge_schema::SchemaIssue;

/// How much each severity lowers the score of a result.
pub const WEIGHTS: Weights = Weights {
    critical: 1000,
    high: 600,
    medium: 300,
    low: 100,
};

/// The kinds of result issues.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, IntoStaticStr, VariantArray,
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ResultIssueType {
    /// The log has no result for the call. Medium.
    MissingResult,
    /// The result is empty. Low.
    EmptyResult,
    /// The tool reported an error. High.
    ErrorResult,
    /// The reply states something that the evidence does not support. High.
    HallucinatedContent,
    /// The reply uses nothing from the result. Medium.
    UnusedResult,
    /// The result reports a failure and the reply a success, or the reverse. High.
    ContradictsResponse,
    /// The reply presents the result as a complete list but leaves out items. Medium.
    IncompleteIntegration,
    /// The result looks like JSON but is cut off or broken, or it does not match the `outputSchema` of its
    /// tool. High.
    MalformedResult,
    /// The reply claims an action that no call performed. High.
    ClaimedAction,
    /// The reply gives a value for one record that belongs to another. High.
    MisattributedValue,
    /// The reply contains a tool call as text, and no such call was made. High.
    LeakedCall,
}

impl IssueType for ResultIssueType {
    type Details = ResultIssueDetails;

    fn severity(self) -> Severity {
        match self {
            Self::EmptyResult => Severity::Low,
            Self::MissingResult | Self::UnusedResult | Self::IncompleteIntegration => {
                Severity::Medium
            }
            Self::ErrorResult
            | Self::HallucinatedContent
            | Self::ContradictsResponse
            | Self::MalformedResult
            | Self::ClaimedAction
            | Self::MisattributedValue
            | Self::LeakedCall => Severity::High,
        }
    }

    fn details(call_index: usize, call_id: Option<String>) -> ResultIssueDetails {
        ResultIssueDetails {
            call_index: Some(call_index),
            call_id,
            ..ResultIssueDetails::default()
        }
    }
}

/// What verification checks. The tools are passed beside it.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(rename = "VerifySettings"))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct VerifyOptions {
    /// Whether unused results and incomplete lists are reported. Default true.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub check_usage: bool,
    /// Whether facts in the reply that the evidence does not support are reported. Default true.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub detect_hallucination: bool,
    /// Whether contradictions between result and reply are reported. Default true.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub check_contradictions: bool,
    /// The hallucination score, from 0 to 1, above which a result counts as hallucinated. Default 0.3.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<f64>"))]
    pub hallucination_threshold: f64,
    /// Limits on the work of the call.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Limits>"))]
    pub limits: Limits,
}

impl VerifyOptions {
    /// Reads the options of verification.
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

impl Default for VerifyOptions {
    fn default() -> Self {
        Self {
            check_usage: true,
            detect_hallucination: true,
            check_contradictions: true,
            hallucination_threshold: THRESHOLD,
            limits: Limits::default(),
        }
    }
}

/// How faithful the reply is to one result.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ResultVerificationResult {
    /// `true` if there is a result and no issue is high or critical.
    pub valid: bool,
    /// All issues.
    #[cfg_attr(feature = "typescript", ts(type = "Array<ResultIssue>"))]
    pub issues: Vec<ResultIssue>,
    /// max(0, 1 − Σ weight): critical 1, high 0.6, medium 0.3, low 0.1; 0.3 if there is no result.
    pub score: f64,
    /// Whether the hallucination score is above the threshold.
    pub hallucinated: bool,
    /// Whether the reply or later calls use values of the result. Also true if nobody would miss them, unless the reply
    /// says something else that nothing shows.
    pub integrated: bool,
}

/// An issue of a result or of the reply to it.
pub type ResultIssue = Issue<ResultIssueType, ResultIssueDetails>;

/// The details of a result issue. Members that do not apply are absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ResultIssueDetails {
    /// The position of the call among the calls of its turn, from 0. Absent if the issue is about a reply
    /// that belongs to no call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_index: Option<usize>,
    /// The id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// The number of the turn that made the call, if the issue is reported at another turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub call_turn_id: Option<i64>,
    /// The facts in the reply that the evidence does not support.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<Vec<UnsupportedFact>>,
    /// The values that belong to another record than the one that the sentence is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub misattributed: Option<Vec<Misattributed>>,
    /// How certain it is that the reply is not faithful to the evidence, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hallucination_score: Option<f64>,
    /// What the result says: its error, or the items that the reply leaves out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said: Option<Vec<String>>,
    /// The sentence of the reply that the issue is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// The number of the turn with that sentence, if another turn made the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub reply_turn_id: Option<i64>,
    /// Where the result differs from the tool's output schema. Paths start at the result and continue into
    /// JSON that it holds as text: `structuredContent.rows[2].id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violations: Option<Vec<SchemaIssue>>,
    /// Present if there are more violations than `limits.maxIssuesPerCall`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "true"))]
    pub truncated: Option<bool>,
}
