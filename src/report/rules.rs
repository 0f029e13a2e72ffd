//! The types of issues as rules: what each means, in a sentence.

use serde::Serialize;

use crate::finding::FindingType;
use crate::issue::{IssueType, Severity};
use crate::reflect::ReflectionIssueType as Call;
use crate::validate::ToolUseIssueType as Use;
use crate::verify::ResultIssueType as Outcome;

/// A type of issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule(FindingType);

impl Rule {
    /// All types: those of calls, of results, then of calls by themselves.
    pub fn all() -> impl Iterator<Item = Self> {
        FindingType::all().map(Self)
    }

    /// The rule of issues of this type.
    pub fn of(kind: FindingType) -> Self {
        Self(kind)
    }

    /// Its place among all.
    pub fn index(self) -> Option<usize> {
        Self::all().position(|rule| rule == self)
    }

    /// The type as results write it; those of results start with `result/`, since `missing_result` is
    /// one of both, and those of calls by themselves with `reflection/`.
    pub fn id(self) -> String {
        match self.0 {
            FindingType::Call(kind) => kind.label().to_owned(),
            FindingType::Result(kind) => format!("result/{}", kind.label()),
            FindingType::Reflection(kind) => format!("reflection/{}", kind.label()),
        }
    }

    /// The type as results write it.
    pub fn label(self) -> &'static str {
        self.0.label()
    }

    /// How bad an issue of it is, where nothing changes that.
    pub fn severity(self) -> Severity {
        match self.0 {
            FindingType::Call(kind) => kind.severity(),
            FindingType::Result(kind) => kind.severity(),
            FindingType::Reflection(kind) => kind.severity(),
        }
    }

    /// What it means.
    pub fn explanation(self) -> &'static str {
        match self.0 {
            FindingType::Call(kind) => match kind {
                Use::MissingToolName => "The call has no name.",
                Use::MissingArguments => "The call has no arguments.",
                Use::InvalidArguments => "An argument is not one of the values allowed.",
                Use::ToolNotFound => "The tool does not exist.",
                Use::ToolMisuse => "The tool was used wrongly for the context.",
                Use::MissingResult => "The tool was called but nothing came back.",
                Use::ResultUnused => "Nothing of the result is found in the response.",
                Use::HallucinatedResult => "The response states what no tool returned.",
                Use::SchemaViolation => "The arguments violate the schema of the tool.",
                Use::TypeMismatch => "An argument has the wrong type.",
                Use::MissingRequiredParam => "A required argument is missing.",
                Use::UnknownTool => "No tool definition has the called name.",
                Use::DeprecatedTool => "The tool is marked as deprecated.",
            },
            FindingType::Result(kind) => match kind {
                Outcome::MissingResult => "Nothing came back from the tool.",
                Outcome::EmptyResult => "The result holds nothing.",
                Outcome::ErrorResult => {
                    "The tool reported an error: high when the reply passes over it, low when it owns up to it or mends it."
                }
                Outcome::HallucinatedContent => {
                    "The response states what the evidence does not hold."
                }
                Outcome::UnusedResult => "Nothing of the result is found in the response.",
                Outcome::ContradictsResponse => {
                    "Result and response contradict each other about success or failure."
                }
                Outcome::IncompleteIntegration => {
                    "The response presents the result as a list and leaves items out."
                }
                Outcome::MalformedResult => {
                    "The result is cut off, or not what its tool declares to return."
                }
                Outcome::ClaimedAction => "The response claims an action that no call made.",
                Outcome::MisattributedValue => {
                    "The value is known, but of another record than the one the sentence is about."
                }
            },
            FindingType::Reflection(kind) => match kind {
                Call::NonExistentFunction => "No tool has the called name.",
                Call::NonExistentParameter => "The tool declares no such argument.",
                Call::IncorrectParameterType => "An argument has the wrong type.",
                Call::MissingRequiredParameter => "A required argument is missing.",
                Call::AllowedValuesViolation => "An argument is not one of the values allowed.",
                Call::JsonSchemaViolation => "The arguments violate the schema of the tool.",
                Call::EmptyApiSpec => "There are no tools to check calls against.",
                Call::InvalidApiSpec => "The tool definitions can't be used.",
                Call::InvalidToolCall => "The call could not be run.",
                Call::GeneralHallucinationCheck => "A judge finds values without a source.",
                Call::GeneralValueFormatAlignment => "A judge finds values in a wrong format.",
                Call::FunctionSelectionAppropriateness => "A judge finds it is the wrong tool.",
                Call::AgenticConstraintsSatisfaction => {
                    "A judge finds that the call may not be made yet."
                }
                Call::ParameterHallucinationCheck => "A judge finds an argument without a source.",
                Call::ParameterValueFormatAlignment => {
                    "A judge finds an argument in a wrong format."
                }
            },
        }
    }

    /// A conversation in which it is found, in a sentence.
    pub fn example(self) -> &'static str {
        match self.0 {
            FindingType::Call(kind) => match kind {
                Use::MissingToolName => r#"{"name": "", "arguments": {"city": "Oslo"}}"#,
                Use::MissingArguments => r#"{"name": "get_weather"}, where "city" is required"#,
                Use::InvalidArguments => {
                    r#"{"unit": "kelvin"}, where "celsius" and "fahrenheit" are allowed"#
                }
                Use::ToolNotFound => r#"get_weather returns "Error: no tool named get_weather""#,
                Use::ToolMisuse => {
                    "get_order is called three times with the same arguments and the same result"
                }
                Use::MissingResult => "get_order is called, the log goes on, and no result follows",
                Use::ResultUnused => {
                    r#"get_price returns 49, and the reply is "What else can I do for you?""#
                }
                Use::HallucinatedResult => {
                    r#"get_price returns 49, and the reply is "It costs $59.""#
                }
                Use::SchemaViolation => {
                    r#"{"date": "tomorrow"}, where a date such as 2024-05-16 is required"#
                }
                Use::TypeMismatch => r#"{"guests": "four"}, where a number is required"#,
                Use::MissingRequiredParam => r#"{"guests": 4}, where "date" is required, too"#,
                Use::UnknownTool => {
                    "get_wether is called, and the tools are get_weather and get_forecast"
                }
                Use::DeprecatedTool => "search_v1 is called, which is replaced by search",
            },
            FindingType::Result(kind) => match kind {
                Outcome::MissingResult => {
                    "get_order is called, the log goes on, and no result follows"
                }
                Outcome::EmptyResult => "search returns []",
                Outcome::ErrorResult => r#"cancel_order returns {"error": "order not found"}"#,
                Outcome::HallucinatedContent => {
                    r#"get_price returns 49, and the reply is "It costs $59.""#
                }
                Outcome::UnusedResult => {
                    r#"get_price returns 49, and the reply is "What else can I do for you?""#
                }
                Outcome::ContradictsResponse => {
                    r#"pay returns {"error": "card declined"}, and the reply is "Your payment went through.""#
                }
                Outcome::IncompleteIntegration => {
                    r#"list_flights returns AB1, AB2 and AB3, and the reply is "Your flights are AB1 and AB2.""#
                }
                Outcome::ClaimedAction => {
                    r#"the reply is "I've cancelled your order.", and no call cancelled anything"#
                }
                Outcome::MisattributedValue => {
                    r#"orders A (open, $20) and B (sent, $35) are listed, and the reply is "A is open, for $35.""#
                }
                Outcome::MalformedResult => r#"a result ends with {"orders": [{"id": "#,
            },
            FindingType::Reflection(_) => {
                r#"{"name": "get_weather", "arguments": {"ctiy": "Oslo"}}, before it runs"#
            }
        }
    }

    /// What to do about it.
    pub fn remedy(self) -> &'static str {
        match self.0 {
            FindingType::Call(kind) => match kind {
                Use::MissingToolName | Use::MissingArguments => {
                    "Check how the calls are logged. If the model writes such calls, check them before they run."
                }
                Use::InvalidArguments
                | Use::SchemaViolation
                | Use::TypeMismatch
                | Use::MissingRequiredParam => {
                    "Describe the argument in the tool's schema, and check calls before they run (guardTools, repairToolCall)."
                }
                Use::ToolNotFound | Use::UnknownTool => {
                    "Pass all tools that the agent has. If the model invents the name, list the tools in the prompt or repair the call."
                }
                Use::ToolMisuse => {
                    "For a loop, stop the agent or give it the earlier result again. For an argument from nowhere, let the agent ask."
                }
                Use::MissingResult => "Log the result of every call, with the id of the call.",
                Use::ResultUnused => "Ask for less, or see whether the reply answers the question.",
                Use::HallucinatedResult => {
                    "Instruct the agent to state only what tools returned. If a source is missing in the log, log it."
                }
                Use::DeprecatedTool => "Take the deprecated tool out of the agent's list.",
            },
            FindingType::Result(kind) => match kind {
                Outcome::MissingResult => "Log the result of every call, with the id of the call.",
                Outcome::EmptyResult => "Let the tool say that it found nothing.",
                Outcome::ErrorResult => "Let the agent report the error, or try another way.",
                Outcome::HallucinatedContent => {
                    "Instruct the agent to state only what tools returned. If a source is missing in the log, log it."
                }
                Outcome::UnusedResult => {
                    "Ask for less, or see whether the reply answers the question."
                }
                Outcome::ContradictsResponse => {
                    "Instruct the agent to report failures, and let tools fail in words that a model understands."
                }
                Outcome::ClaimedAction => {
                    "Instruct the agent to report only what it did. If a call is missing in the log, log it."
                }
                Outcome::MisattributedValue => {
                    "Return fewer records at once, each with its name beside its values, or let the agent fetch the one that it speaks of."
                }
                Outcome::IncompleteIntegration => {
                    "Let the reply say that it is a selection, or name all items."
                }
                Outcome::MalformedResult => "Return whole JSON that fits the tool's outputSchema.",
            },
            FindingType::Reflection(_) => {
                "Repair the call before it runs, or let the model write it again."
            }
        }
    }
}

/// What a type of issue means, and what to do about it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct IssueExplanation {
    /// The type, as reports write it.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "typescript", ts(type = "IssueTypeName"))]
    pub kind: &'static str,
    /// Its severity, unless a rule sets another.
    pub severity: Severity,
    /// What it means.
    pub meaning: &'static str,
    /// Where it is found, in a sentence.
    pub example: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
}

/// What each type of issue means: of a type that calls and results both have, as calls have it.
pub fn explain_issues() -> Vec<IssueExplanation> {
    let mut explained: Vec<IssueExplanation> = Vec::new();
    for rule in Rule::all() {
        if explained.iter().any(|known| known.kind == rule.label()) {
            continue;
        }
        explained.push(IssueExplanation {
            kind: rule.label(),
            severity: rule.severity(),
            meaning: rule.explanation(),
            example: rule.example(),
            remedy: rule.remedy(),
        });
    }
    explained
}
