//! What can be wrong with tool definitions, and the result that tells it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::base::issue::{Issue, Severity};

/// The kinds of issues of tool definitions. Where a provider's rule stands behind one, its public
/// documentation, or the error that its API answers with, is named.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, IntoStaticStr, VariantArray,
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum LintIssueType {
    /// A schema is not valid in its draft, or can't be compiled. Critical. Source: JSON Schema.
    InvalidSchema,
    /// A type that JSON Schema does not have. Critical; high when it is that of another dialect.
    UnknownType,
    /// `$schema` names no draft that is known. Critical.
    UnsupportedDraft,
    /// A `$ref` leads nowhere: nothing is ever fetched, here or by a provider. Critical.
    UnresolvedReference,
    /// The arguments of a call are an object, and the schema says something else. Critical; high when it
    /// says no type, which OpenAI, Anthropic and Bedrock reject, and the schema of MCP forbids.
    RootNotObject,
    /// A definition has no schema of arguments. Low; high for Anthropic, Bedrock and MCP, whose
    /// definitions must have one.
    MissingParameters,
    /// A name in `required` that is no property: the model must give what nothing describes. High.
    RequiredNotProperty,
    /// A value of `enum` or `const` that does not fit the type beside it. High.
    InvalidEnumValue,
    /// An `enum` without values, which no value fits. High.
    EmptyEnum,
    /// A lower bound above the upper one, so that no value fits. High.
    ContradictoryBounds,
    /// A `default` that does not fit its own schema; models give it back. Medium; low for `null`.
    InvalidDefault,
    /// An example that does not fit its own schema. Medium.
    InvalidExample,
    /// A keyword that no draft has, but which is nearly one: it is ignored. Medium.
    MisspelledKeyword,
    /// A parameter of which nothing says what it may be. Low.
    UntypedParameter,
    /// A tool says nothing of what it does. Medium. Anthropic and OpenAI call the description what
    /// decides most over how a tool is used.
    MissingDescription,
    /// A parameter, also a nested one, says nothing of what it means. Low.
    MissingParameterDescription,
    /// A description that says what the name says, and no more. Low.
    DescriptionRepeatsName,
    /// A tool's description of one or two words. Low.
    DescriptionTooShort,
    /// A tool's description of more than 1,024 characters, which a part of OpenAI's models and Azure
    /// reject. Medium.
    DescriptionTooLong,
    /// Two tools with the same description: a model can tell them apart by their names alone. Medium.
    IdenticalDescriptions,
    /// A name that a provider rejects. High. OpenAI and Bedrock: letters, digits, `_` and `-`, 64 at most;
    /// Anthropic the same, 128 at most; Gemini also `.` and `:`, with a letter or `_` first, 64 at most.
    InvalidName,
    /// Two tools of one name: one is lost, and Anthropic rejects the request. High.
    DuplicateName,
    /// Names that are one once the prefixes of MCP (`mcp__server__tool`) are gone. High when the server is
    /// the same, medium when one has no prefix, low when the servers differ.
    AmbiguousName,
    /// Names that differ in case, separators or a plural alone. Medium; low for a plural.
    SimilarNames,
    /// The name of a parameter that a provider rejects. High. Anthropic, also on Bedrock: letters, digits,
    /// `_`, `.` and `-`, 64 at most; Gemini: letters, digits and `_`, with no digit first, 64 at most.
    InvalidParameterName,
    /// Parameters of one object whose names differ in case or separators alone. Medium.
    SimilarParameterNames,
    /// A union at the root of the parameters, which OpenAI and Anthropic reject. High.
    UnsupportedRoot,
    /// An array that does not say what its items are, which OpenAI and Gemini reject. High.
    MissingItems,
    /// A keyword that a provider rejects: Gemini's `Schema` has a part of OpenAPI 3.0's. High.
    UnsupportedKeyword,
    /// A `format` that a provider rejects: Gemini takes `enum` and `date-time` for texts. High.
    UnsupportedFormat,
    /// A tool marked `strict` whose schema is outside of what OpenAI's or Anthropic's structured outputs
    /// take. High.
    StrictMode,
    /// More tools than a provider takes: OpenAI 128, Gemini 512. High.
    TooManyTools,
}

impl LintIssueType {
    /// How bad an issue of this kind is, where nothing changes that.
    pub fn severity(self) -> Severity {
        match self {
            Self::InvalidSchema
            | Self::UnknownType
            | Self::UnsupportedDraft
            | Self::UnresolvedReference
            | Self::RootNotObject => Severity::Critical,
            Self::RequiredNotProperty
            | Self::InvalidEnumValue
            | Self::EmptyEnum
            | Self::ContradictoryBounds
            | Self::InvalidName
            | Self::DuplicateName
            | Self::InvalidParameterName
            | Self::UnsupportedRoot
            | Self::MissingItems
            | Self::UnsupportedKeyword
            | Self::UnsupportedFormat
            | Self::StrictMode
            | Self::TooManyTools => Severity::High,
            Self::InvalidDefault
            | Self::InvalidExample
            | Self::MisspelledKeyword
            | Self::MissingDescription
            | Self::DescriptionTooLong
            | Self::IdenticalDescriptions
            | Self::AmbiguousName
            | Self::SimilarNames
            | Self::SimilarParameterNames => Severity::Medium,
            Self::MissingParameters
            | Self::UntypedParameter
            | Self::MissingParameterDescription
            | Self::DescriptionRepeatsName
            | Self::DescriptionTooShort => Severity::Low,
        }
    }

    /// The kind as results write it.
    pub fn label(self) -> &'static str {
        self.into()
    }
}

/// Something in a tool's definition that makes models or providers fail with it.
pub type LintIssue = Issue<LintIssueType, LintDetails>;

/// The facts behind an issue of a tool definition. Those that do not apply are absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct LintDetails {
    /// The place in the document that was linted, as in `tools[2].function.parameters.required[0]`; empty
    /// for the whole of it.
    pub path: String,
    /// How to mend it.
    pub hint: String,
    /// The providers that reject it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(
        feature = "typescript",
        ts(optional, as = "Option<Vec<ModelProvider>>")
    )]
    pub providers: Vec<ModelProvider>,
    /// The keyword of the schema that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keyword: Option<String>,
    /// What stands there, as JSON that is cut when it is long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<String>,
    /// What may have been meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closest: Option<String>,
    /// The name of the other tool, or of the other parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    /// How many places of the tool this is about, when it is more than the one that is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub places: Option<usize>,
}

/// The providers whose rules for tools are known.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, VariantArray,
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ModelProvider {
    /// OpenAI, and Azure OpenAI.
    Openai,
    /// Anthropic.
    Anthropic,
    /// Google Gemini, and Vertex AI.
    Gemini,
    /// Amazon Bedrock's Converse API.
    Bedrock,
}

impl ModelProvider {
    /// The provider's name.
    pub fn label(self) -> &'static str {
        match self {
            Self::Openai => "OpenAI",
            Self::Anthropic => "Anthropic",
            Self::Gemini => "Gemini",
            Self::Bedrock => "Bedrock",
        }
    }
}

/// What is wrong with tool definitions.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LintResult {
    /// Whether no issue is critical.
    pub valid: bool,
    /// The mean over the tools of max(0, 1 − Σ weight), from 0 to 1, to 3 decimals. Weights: critical 1, high
    /// 0.5, medium 0.2, low 0.05. What is wrong with the list as a whole is taken off in the same way. 1 without
    /// any tool.
    pub score: f64,
    /// How many tools are defined.
    pub tools: usize,
    /// All issues, in the order of the tools.
    #[cfg_attr(feature = "typescript", ts(type = "Array<LintIssue>"))]
    pub issues: Vec<LintIssue>,
    /// The totals.
    pub summary: LintSummary,
}

/// How many issues tool definitions have.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LintSummary {
    /// How many tools have no issue.
    pub clean: usize,
    /// How many issues there are of each type; types that do not occur are absent.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "Partial<Record<LintIssueType, number>>")
    )]
    pub issues_by_type: BTreeMap<LintIssueType, u64>,
    /// How many of each severity; those that do not occur are absent.
    #[cfg_attr(feature = "typescript", ts(type = "Partial<Record<Severity, number>>"))]
    pub issues_by_severity: BTreeMap<Severity, u64>,
}
