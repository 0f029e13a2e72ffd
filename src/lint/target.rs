//! Chooses the providers whose rules apply to a definition.

use serde::Deserialize;
use strum::{IntoStaticStr, VariantArray};

use super::issue::ModelProvider;
use toolgauge_formats::ToolFormat;

/// The provider whose rules are applied to tool definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, IntoStaticStr, VariantArray)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum LintProvider {
    /// OpenAI's.
    Openai,
    /// Anthropic's.
    Anthropic,
    /// Gemini's.
    Gemini,
    /// Bedrock's.
    Bedrock,
    /// The rules of every provider.
    All,
}

/// The providers whose rules apply to a definition, and how many of them must reject something to make it an
/// issue.
pub struct Target {
    providers: &'static [ModelProvider],
    least: usize,
}

/// How many providers must reject something in a definition that is not written for one provider.
const SEVERAL: usize = 2;

impl Target {
    /// Returns the target for a definition in `format`; `asked` is the provider from the options.
    ///
    /// Without that option, definitions in the format of a provider are checked against its rules. Other
    /// formats (MCP, AI SDK, records, BFCL) go through a client, which may translate them. They are checked
    /// for what two or more providers reject.
    pub fn new(asked: Option<LintProvider>, format: ToolFormat) -> Self {
        let providers: &[ModelProvider] = match (asked, format) {
            (Some(LintProvider::Openai), _)
            | (None, ToolFormat::OpenaiChat | ToolFormat::OpenaiResponses) => {
                &[ModelProvider::Openai]
            }
            (Some(LintProvider::Anthropic), _) | (None, ToolFormat::Anthropic) => {
                &[ModelProvider::Anthropic]
            }
            (Some(LintProvider::Gemini), _) | (None, ToolFormat::Gemini) => {
                &[ModelProvider::Gemini]
            }
            (Some(LintProvider::Bedrock), _) | (None, ToolFormat::Bedrock) => {
                &[ModelProvider::Bedrock]
            }
            (Some(LintProvider::All), _)
            | (None, ToolFormat::Mcp | ToolFormat::AiSdk | ToolFormat::Bfcl | ToolFormat::Record) => {
                ModelProvider::VARIANTS
            }
        };
        let is_neutral = asked.is_none() && providers.len() > 1;
        Self {
            providers,
            least: if is_neutral { SEVERAL } else { 1 },
        }
    }

    /// Returns whether a rejection by this provider alone is an issue.
    pub fn is_alone(&self, provider: ModelProvider) -> bool {
        self.least == 1 && self.providers.contains(&provider)
    }

    /// Returns the providers of the target that reject something according to `rejects`; `None` if they are
    /// too few.
    pub fn rejecting(&self, rejects: &dyn Fn(ModelProvider) -> bool) -> Option<Vec<ModelProvider>> {
        let rejecting = self.providers.iter().copied();
        let rejecting: Vec<_> = rejecting.filter(|it| rejects(*it)).collect();
        (rejecting.len() >= self.least).then_some(rejecting)
    }
}
