//! The issues of tool definitions, and the result of linting.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use toolgauge_base::issue::{Issue, Severity};
use toolgauge_model::error::ErrorReport;

/// The kinds of issues of tool definitions. Rules of a provider name its public documentation, or the error
/// of its API.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, IntoStaticStr, VariantArray,
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum LintIssueType {
    /// A schema is not valid in its draft or can't be compiled. Critical. Source: JSON Schema.
    InvalidSchema,
    /// A type that JSON Schema does not have. Critical; high if it belongs to another dialect.
    UnknownType,
    /// `$schema` names an unknown draft. Critical.
    UnsupportedDraft,
    /// A `$ref` can't be resolved: neither toolgauge nor a provider fetches anything. Critical.
    UnresolvedReference,
    /// The schema does not describe an object, but the arguments of a call are always one. Critical; high if
    /// it has no type, which OpenAI, Anthropic and Bedrock reject and the schema of MCP forbids.
    RootNotObject,
    /// A definition has no schema for its arguments. Low; high for Anthropic, Bedrock and MCP, which require
    /// one.
    MissingParameters,
    /// A name in `required` is not in `properties`: the model must give an argument that nothing describes.
    /// High.
    RequiredNotProperty,
    /// A value of `enum` or `const` does not have the type beside it. High.
    InvalidEnumValue,
    /// An `enum` has no values, so no value fits. High.
    EmptyEnum,
    /// A lower bound is above the upper one, so no value fits. High.
    ContradictoryBounds,
    /// A `default` does not fit its own schema, but models use it. Medium; low for `null`.
    InvalidDefault,
    /// An example does not fit its own schema. Medium.
    InvalidExample,
    /// An unknown keyword is nearly a known one: it is ignored. Medium.
    MisspelledKeyword,
    /// Nothing restricts the values of a parameter. Low.
    UntypedParameter,
    /// A tool has no description. Medium. Anthropic and OpenAI say that the description matters most for how
    /// a tool is used.
    MissingDescription,
    /// A parameter, possibly a nested one, has no description. Low.
    MissingParameterDescription,
    /// A description only repeats the name. Low.
    DescriptionRepeatsName,
    /// The description of a tool has only one or two words. Low.
    DescriptionTooShort,
    /// The description of a tool has more than 1,024 characters, which some OpenAI models and Azure reject.
    /// Medium.
    DescriptionTooLong,
    /// Two tools have the same description, so a model can distinguish them only by name. Medium.
    IdenticalDescriptions,
    /// A provider rejects the name of a tool. High. OpenAI and Bedrock allow at most 64 letters, digits, `_`
    /// and `-`; Anthropic allows 128 of them; Gemini also allows `.` and `:`, starts with a letter or
    /// `_`, and allows 64.
    InvalidName,
    /// Two tools have the same name: one of them is lost, and Anthropic rejects the request. High.
    DuplicateName,
    /// Names are equal without their MCP prefixes (`mcp__server__tool`). High if the server is the
    /// same, medium if one has no prefix, low if the servers differ.
    AmbiguousName,
    /// Names differ only in case, separators or a plural. Medium; low for a plural.
    SimilarNames,
    /// A provider rejects the name of a parameter. High. Anthropic, also on Bedrock, allows at most 64
    /// letters, digits, `_`, `.` and `-`; Gemini allows at most 64 letters, digits and `_` and no digit
    /// first.
    InvalidParameterName,
    /// Parameters of one object have names that differ only in case or separators. Medium.
    SimilarParameterNames,
    /// The root of the parameters is a union, which OpenAI and Anthropic reject. High.
    UnsupportedRoot,
    /// An array does not describe its items, which OpenAI and Gemini reject. High.
    MissingItems,
    /// A provider rejects a keyword: Gemini's `Schema` is a part of OpenAPI 3.0's. High.
    UnsupportedKeyword,
    /// A provider rejects a `format`: Gemini accepts `enum` and `date-time` for strings. High.
    UnsupportedFormat,
    /// A tool is marked `strict`, but its schema exceeds the structured outputs of OpenAI or Anthropic. High.
    StrictMode,
    /// There are more tools than a provider accepts: OpenAI 128, Gemini 512. High.
    TooManyTools,
}

impl LintIssueType {
    /// Returns the default severity.
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

    /// Returns the name of the type in results.
    pub fn label(self) -> &'static str {
        self.into()
    }
}

/// A problem in a tool's definition that makes models or providers fail.
pub type LintIssue = Issue<LintIssueType, LintDetails>;

/// The details of an issue of a tool definition. Members that do not apply are absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct LintDetails {
    /// The path in the linted document, for example `tools[2].function.parameters.required[0]`; empty for the
    /// whole document.
    pub path: String,
    /// The remedy.
    pub hint: String,
    /// The providers that reject it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(
        feature = "typescript",
        ts(optional, as = "Option<Vec<ModelProvider>>")
    )]
    pub providers: Vec<ModelProvider>,
    /// The schema keyword that the issue is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keyword: Option<String>,
    /// The actual value as JSON, shortened if it is long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<String>,
    /// The value that was probably meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closest: Option<String>,
    /// The name of the other tool or parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    /// How many places of the tool have this issue, if more than the named one.
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

/// The result of linting tool definitions.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LintResult {
    /// `true` unless an issue is critical.
    pub valid: bool,
    /// The mean over the tools of max(0, 1 − Σ weight), from 0 to 1, to 3 decimals. Weights: critical 1, high
    /// 0.5, medium 0.2, low 0.05. Issues of the list as a whole lower the score in the same way. 1 without
    /// any tools.
    pub score: f64,
    /// How many tools are defined.
    pub tools: usize,
    /// All issues, in the order of the tools.
    #[cfg_attr(feature = "typescript", ts(type = "Array<LintIssue>"))]
    pub issues: Vec<LintIssue>,
    /// The counts.
    pub summary: LintSummary,
    /// The errors of definitions that can't be read; absent if all can be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<ErrorReport>>"))]
    pub errors: Vec<ErrorReport>,
}

/// Counts of the issues of tool definitions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LintSummary {
    /// How many tools have no issue.
    pub clean: usize,
    /// The number of issues of each type; types that do not occur are absent.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "Partial<Record<LintIssueType, number>>")
    )]
    pub issues_by_type: BTreeMap<LintIssueType, u64>,
    /// The number of issues of each severity; severities that do not occur are absent.
    #[cfg_attr(feature = "typescript", ts(type = "Partial<Record<Severity, number>>"))]
    pub issues_by_severity: BTreeMap<Severity, u64>,
}
