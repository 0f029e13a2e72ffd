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
    pub const ALL: [Self; 37] = [
        Self(FoundType::Call(Use::MissingToolName)),
        Self(FoundType::Call(Use::MissingArguments)),
        Self(FoundType::Call(Use::InvalidArguments)),
        Self(FoundType::Call(Use::ToolNotFound)),
        Self(FoundType::Call(Use::ToolMisuse)),
        Self(FoundType::Call(Use::MissingResult)),
        Self(FoundType::Call(Use::ResultUnused)),
        Self(FoundType::Call(Use::HallucinatedResult)),
        Self(FoundType::Call(Use::SchemaViolation)),
        Self(FoundType::Call(Use::TypeMismatch)),
        Self(FoundType::Call(Use::MissingRequiredParam)),
        Self(FoundType::Call(Use::UnknownTool)),
        Self(FoundType::Call(Use::DeprecatedTool)),
        Self(FoundType::Result(Outcome::MissingResult)),
        Self(FoundType::Result(Outcome::EmptyResult)),
        Self(FoundType::Result(Outcome::ErrorResult)),
        Self(FoundType::Result(Outcome::HallucinatedContent)),
        Self(FoundType::Result(Outcome::UnusedResult)),
        Self(FoundType::Result(Outcome::ContradictsResponse)),
        Self(FoundType::Result(Outcome::IncompleteIntegration)),
        Self(FoundType::Result(Outcome::MalformedResult)),
        Self(FoundType::Result(Outcome::ClaimedAction)),
        Self(FoundType::Reflection(Call::NonExistentFunction)),
        Self(FoundType::Reflection(Call::NonExistentParameter)),
        Self(FoundType::Reflection(Call::IncorrectParameterType)),
        Self(FoundType::Reflection(Call::MissingRequiredParameter)),
        Self(FoundType::Reflection(Call::AllowedValuesViolation)),
        Self(FoundType::Reflection(Call::JsonSchemaViolation)),
        Self(FoundType::Reflection(Call::EmptyApiSpec)),
        Self(FoundType::Reflection(Call::InvalidApiSpec)),
        Self(FoundType::Reflection(Call::InvalidToolCall)),
        Self(FoundType::Reflection(Call::GeneralHallucinationCheck)),
        Self(FoundType::Reflection(Call::GeneralValueFormatAlignment)),
        Self(FoundType::Reflection(
            Call::FunctionSelectionAppropriateness,
        )),
        Self(FoundType::Reflection(Call::AgenticConstraintsSatisfaction)),
        Self(FoundType::Reflection(Call::ParameterHallucinationCheck)),
        Self(FoundType::Reflection(Call::ParameterValueFormatAlignment)),
    ];

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
                Outcome::ClaimedAction => "The response claims an action that no call made.",
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
