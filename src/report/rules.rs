//! The types of issues as rules, with explanations.

use serde::Serialize;

use crate::finding::FindingType;
use toolgauge_base::issue::{IssueType, Severity};
use toolgauge_reflect::ReflectionIssueType as Call;
use toolgauge_validate::ToolUseIssueType as Use;
use toolgauge_verify::ResultIssueType as Outcome;

/// A type of issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule(FindingType);

impl Rule {
    /// All types: those of calls, then of results, then of calls by themselves.
    pub fn all() -> impl Iterator<Item = Self> {
        FindingType::all().map(Self)
    }

    /// Returns the rule for issues of this type.
    pub fn of(kind: FindingType) -> Self {
        Self(kind)
    }

    /// Returns its position among all.
    pub fn index(self) -> Option<usize> {
        Self::all().position(|rule| rule == self)
    }

    /// Returns the id of the rule. Those of results start with `result/`, because `missing_result` exists for
    /// calls and results, and those of calls by themselves with `reflection/`.
    pub fn id(self) -> String {
        match self.0 {
            FindingType::Call(kind) => kind.label().to_owned(),
            FindingType::Result(kind) => format!("result/{}", kind.label()),
            FindingType::Reflection(kind) => format!("reflection/{}", kind.label()),
        }
    }

    /// Returns the type as results write it.
    pub fn label(self) -> &'static str {
        self.0.label()
    }

    /// Returns the default severity.
    pub fn severity(self) -> Severity {
        match self.0 {
            FindingType::Call(kind) => kind.severity(),
            FindingType::Result(kind) => kind.severity(),
            FindingType::Reflection(kind) => kind.severity(),
        }
    }

    /// Returns the meaning of the type.
    pub fn explanation(self) -> &'static str {
        match self.0 {
            FindingType::Call(kind) => match kind {
                Use::MissingToolName => "The call has no name.",
                Use::MissingArguments => "The call has no arguments.",
                Use::InvalidArguments => "An argument is not one of the allowed values.",
                Use::ToolNotFound => "The tool does not exist.",
                Use::ToolMisuse => "The call makes no sense in its context.",
                Use::MissingResult => "The tool was called, but the log has no result.",
                Use::ResultUnused => "The reply uses nothing from the result.",
                Use::HallucinatedResult => "The reply states something that no tool returned.",
                Use::SchemaViolation => "The arguments violate the schema of the tool.",
                Use::TypeMismatch => "An argument has the wrong type.",
                Use::MissingRequiredParam => "A required argument is missing.",
                Use::UnknownTool => "No tool definition has the name of the called tool.",
                Use::DeprecatedTool => "The tool is marked as deprecated.",
            },
            FindingType::Result(kind) => match kind {
                Outcome::MissingResult => "The log has no result for the call.",
                Outcome::EmptyResult => "The result is empty.",
                Outcome::ErrorResult => {
                    "The tool reported an error: high if the reply ignores it, low if the agent admits it or recovers from it."
                }
                Outcome::HallucinatedContent => {
                    "The reply states something that the evidence does not support."
                }
                Outcome::UnusedResult => "The reply uses nothing from the result.",
                Outcome::ContradictsResponse => {
                    "The result and the reply contradict each other about success or failure."
                }
                Outcome::IncompleteIntegration => {
                    "The reply presents the result as a complete list but leaves out items."
                }
                Outcome::MalformedResult => {
                    "The result is cut off, or it does not match the output schema of its tool."
                }
                Outcome::ClaimedAction => "The reply claims an action that no call performed.",
                Outcome::MisattributedValue => {
                    "The reply gives a value for one record that belongs to another."
                }
                Outcome::LeakedCall => {
                    "The reply contains a tool call as text, and no such call was made."
                }
            },
            FindingType::Reflection(kind) => match kind {
                Call::NonExistentFunction => "No tool has the name of the call.",
                Call::NonExistentParameter => "The tool has no argument of this name.",
                Call::IncorrectParameterType => "An argument has the wrong type.",
                Call::MissingRequiredParameter => "A required argument is missing.",
                Call::AllowedValuesViolation => "An argument is not one of the allowed values.",
                Call::JsonSchemaViolation => "The arguments violate the schema of the tool.",
                Call::EmptyApiSpec => "There are no tools to check calls against.",
                Call::InvalidApiSpec => "The tool definitions can't be used.",
                Call::InvalidToolCall => "The call can't run.",
                Call::GeneralHallucinationCheck => "A judge finds values without a source.",
                Call::GeneralValueFormatAlignment => "A judge finds values in a wrong format.",
                Call::FunctionSelectionAppropriateness => "A judge finds it is the wrong tool.",
                Call::AgenticConstraintsSatisfaction => {
                    "A judge finds that the call must not be made yet."
                }
                Call::ParameterHallucinationCheck => "A judge finds an argument without a source.",
                Call::ParameterValueFormatAlignment => {
                    "A judge finds an argument in a wrong format."
                }
            },
        }
    }

    /// Returns an example, in a sentence.
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
                Use::MissingResult => "get_order is called, and the log continues without a result",
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
                Use::DeprecatedTool => "search_v1 is called although search replaces it",
            },
            FindingType::Result(kind) => match kind {
                Outcome::MissingResult => {
                    "get_order is called, and the log continues without a result"
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
                    r#"the reply is "I've cancelled your order.", but no call cancelled anything"#
                }
                Outcome::MisattributedValue => {
                    r#"list_orders returns A (open, $20) and B (sent, $35), and the reply is "A is open, for $35.""#
                }
                Outcome::LeakedCall => {
                    r#"the reply is "<tool_call>{"name": "get_order", …}</tool_call>", and the log goes on without that call"#
                }
                Outcome::MalformedResult => r#"a result ends with {"orders": [{"id": "#,
            },
            FindingType::Reflection(_) => {
                r#"{"name": "get_weather", "arguments": {"ctiy": "Oslo"}}, before it runs"#
            }
        }
    }

    /// Returns the remedy.
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
                    "Pass all tools that the agent has. If the model invents names, list the tools in the prompt or repair the calls."
                }
                Use::ToolMisuse => {
                    "For a loop, stop the agent or give it the earlier result again. For an argument without a source, let the agent ask."
                }
                Use::MissingResult => "Log the result of every call with the id of the call.",
                Use::ResultUnused => {
                    "Request less data, or check whether the reply answers the question."
                }
                Use::HallucinatedResult => {
                    "Instruct the agent to state only what tools returned. If the log lacks a source, log it."
                }
                Use::DeprecatedTool => "Remove the deprecated tool from the agent's list.",
            },
            FindingType::Result(kind) => match kind {
                Outcome::MissingResult => "Log the result of every call with the id of the call.",
                Outcome::EmptyResult => "Let the tool report that it found nothing.",
                Outcome::ErrorResult => "Let the agent report the error or try another way.",
                Outcome::HallucinatedContent => {
                    "Instruct the agent to state only what tools returned. If the log lacks a source, log it."
                }
                Outcome::UnusedResult => {
                    "Request less data, or check whether the reply answers the question."
                }
                Outcome::ContradictsResponse => {
                    "Instruct the agent to report failures, and let tools return errors that a model understands."
                }
                Outcome::ClaimedAction => {
                    "Instruct the agent to report only what it did. If the log lacks a call, log it."
                }
                Outcome::MisattributedValue => {
                    "Return fewer records at once, each with its name beside its values, or let the agent fetch the record that it talks about."
                }
                Outcome::LeakedCall => {
                    "Serve the model with the parser of its dialect, or instruct it to call tools through the interface. An example belongs into a code block."
                }
                Outcome::IncompleteIntegration => {
                    "Let the reply say that it is a selection, or name all items."
                }
                Outcome::MalformedResult => {
                    "Return complete JSON that matches the tool's outputSchema."
                }
            },
            FindingType::Reflection(_) => {
                "Repair the call before it runs, or let the model write it again."
            }
        }
    }
}

/// The explanation of a type of issue, with its remedy.
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
    /// Returns the meaning of the type.
    pub meaning: &'static str,
    /// An example, in a sentence.
    pub example: &'static str,
    /// The remedy.
    pub remedy: &'static str,
}

/// Explains each type of issue. A type that calls and results share is explained as a type of calls.
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
