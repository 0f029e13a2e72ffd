//! The types of issues as rules: what each means, in a sentence.

use crate::check::FoundType;
use crate::issue::{IssueType, Severity};
use crate::reflect::ReflectionIssueType as Call;
use crate::validate::ToolUseIssueType as Use;
use crate::verify::ResultIssueType as Outcome;

/// A type of issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule(FoundType);

impl Rule {
    /// All types: those of calls, of results, then of calls by themselves.
    pub const ALL: [Self; FoundType::ALL.len()] = {
        let mut rules = [Self(FoundType::ALL[0]); FoundType::ALL.len()];
        let mut at = 0;
        while at < rules.len() {
            rules[at] = Self(FoundType::ALL[at]);
            at += 1;
        }
        rules
    };

    /// The rule of issues of this type.
    pub fn of(kind: FoundType) -> Self {
        Self(kind)
    }

    /// Its place among all.
    pub fn index(self) -> Option<usize> {
        Self::ALL.iter().position(|rule| *rule == self)
    }

    /// The type as results write it; those of results start with `result/`, since `missing_result` is
    /// one of both, and those of calls by themselves with `reflection/`.
    pub fn id(self) -> String {
        match self.0 {
            FoundType::Call(kind) => kind.label().to_owned(),
            FoundType::Result(kind) => format!("result/{}", kind.label()),
            FoundType::Reflection(kind) => format!("reflection/{}", kind.label()),
        }
    }

    /// The type as results write it.
    pub fn label(self) -> &'static str {
        self.0.label()
    }

    /// How bad an issue of it is, where nothing changes that.
    pub fn severity(self) -> Severity {
        match self.0 {
            FoundType::Call(kind) => kind.severity(),
            FoundType::Result(kind) => kind.severity(),
            FoundType::Reflection(kind) => kind.severity(),
        }
    }

    /// What it means.
    pub fn explanation(self) -> &'static str {
        match self.0 {
            FoundType::Call(kind) => match kind {
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
            FoundType::Result(kind) => match kind {
                Outcome::MissingResult => "Nothing came back from the tool.",
                Outcome::EmptyResult => "The result holds nothing.",
                Outcome::ErrorResult => "The tool reported an error.",
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
            },
            FoundType::Reflection(kind) => match kind {
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
}
