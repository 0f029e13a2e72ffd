//! Whose rules count for a definition.

use serde::Deserialize;
use strum::{IntoStaticStr, VariantArray};

use super::issue::ModelProvider;
use crate::formats::ToolFormat;

/// Whose rules tool definitions are held to.
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
    /// Those of each of them.
    All,
}

/// The providers whose rules count for a definition, and how many of them must reject something before it
/// is an issue.
pub struct Target {
    providers: &'static [ModelProvider],
    least: usize,
}

/// What is written for no provider alone is an issue when it is none of one provider's oddities.
const SEVERAL: usize = 2;

impl Target {
    /// Who counts for a definition in `format` when `asked` says whose rules were asked for.
    ///
    /// Without that, definitions in the format of a provider are held to its rules. Those that are of no
    /// provider's (MCP, AI SDK, records, BFCL) go through a client, which may translate them: they are
    /// held to what two of the providers or more reject.
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

    /// Whether what this provider alone rejects is an issue.
    pub fn is_alone(&self, provider: ModelProvider) -> bool {
        self.least == 1 && self.providers.contains(&provider)
    }

    /// Those that count and of which `rejects` holds; none when they are too few.
    pub fn rejecting(&self, rejects: &dyn Fn(ModelProvider) -> bool) -> Option<Vec<ModelProvider>> {
        let rejecting = self.providers.iter().copied();
        let rejecting: Vec<_> = rejecting.filter(|it| rejects(*it)).collect();
        (rejecting.len() >= self.least).then_some(rejecting)
    }
}
