//! What can be wrong with a result, or with what the agent made of it.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::base::issue::{Issue, IssueType, Severity, Weights};
use crate::base::options::{Options, check_limits};
use crate::error::Result;
use crate::grounding::{Misattributed, THRESHOLD, UnsupportedFact};
use crate::model::Limits;
use crate::schema::SchemaIssue;

/// What each issue takes off the score of a result.
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
    /// Nothing came back. Medium.
    MissingResult,
    /// The result holds nothing. Low.
    EmptyResult,
    /// The tool reported an error. High.
    ErrorResult,
    /// The response states what the evidence does not hold. High.
    HallucinatedContent,
    /// Nothing of the result is found in the response. Medium.
    UnusedResult,
    /// The result says that it failed and the response that it worked, or the reverse. High.
    ContradictsResponse,
    /// The response presents the result as a list, and leaves items out. Medium.
    IncompleteIntegration,
    /// The result is not what it looks like, JSON that is cut off, or not what its tool declares: another
    /// shape than the `outputSchema`. High.
    MalformedResult,
    /// The response claims an action that no call made. High.
    ClaimedAction,
    /// The response states a value of another record than the one that the sentence is about. High.
    MisattributedValue,
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
            | Self::MisattributedValue => Severity::High,
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

/// What verification looks for; the tools come beside it.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(rename = "VerifySettings"))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct VerifyOptions {
    /// Whether the use of the result in the response is looked for. Default true.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub check_usage: bool,
    /// Whether the response is searched for what the evidence does not hold. Default true.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub detect_hallucination: bool,
    /// Whether result and response are searched for contradictions. Default true.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub check_contradictions: bool,
    /// The hallucination score above which a result counts as hallucinated, from 0 to 1. Default 0.3.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<f64>"))]
    pub hallucination_threshold: f64,
    /// Bounds on what the call may cost.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Limits>"))]
    pub limits: Limits,
}

impl VerifyOptions {
    /// The options of verification; no other is known.
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

/// How true the agent was to one result.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ResultVerificationResult {
    /// Whether something came back and no issue is high or critical.
    pub valid: bool,
    /// All issues.
    #[cfg_attr(feature = "typescript", ts(type = "Array<ResultIssue>"))]
    pub issues: Vec<ResultIssue>,
    /// max(0, 1 − Σ weight): critical 1, high 0.6, medium 0.3, low 0.1; 0.3 when nothing came back.
    pub score: f64,
    /// Whether the hallucination score is above the threshold.
    pub hallucinated: bool,
    /// Whether values of the result appear in the response, or in later calls.
    pub integrated: bool,
}

/// Something wrong with a result, or with what the agent made of it.
pub type ResultIssue = Issue<ResultIssueType, ResultIssueDetails>;

/// The facts behind a result issue. Those that do not apply are absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ResultIssueDetails {
    /// The place of the call among the turn's calls, from 0. Absent when the issue is about a reply that no
    /// call belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_index: Option<usize>,
    /// The id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// The number of the turn that made the call, where that is another than the turn of the issue.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub call_turn_id: Option<i64>,
    /// The facts that the evidence does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<Vec<UnsupportedFact>>,
    /// The values that belong to another record than the one that the sentence is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub misattributed: Option<Vec<Misattributed>>,
    /// How sure it is that the response is not true to the evidence, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hallucination_score: Option<f64>,
    /// What the result says: the error, or the items that are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said: Option<Vec<String>>,
    /// The sentence of the response that the issue is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// The number of the turn that says it, when another turn made the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub reply_turn_id: Option<i64>,
    /// Where the result differs from the tool's output schema. Paths start at the result, and lead into
    /// JSON that stands there as text: `structuredContent.rows[2].id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violations: Option<Vec<SchemaIssue>>,
    /// Present when there are more of them than `limits.maxIssuesPerCall`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "true"))]
    pub truncated: Option<bool>,
}
