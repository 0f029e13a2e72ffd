//! Finds the faults of a call one by one. Static checks report them, and repairs start from them.

use serde_json::Value;

use super::phrases::{brief_place, quoted};
use super::static_check::StaticCheckName;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Limits, Path, ToolCall, why_not_json};
use toolgauge_schema::{Tool, ToolSet, Violation, ViolationKind, did_you_mean, nearest};

/// The most faults that an explanation or a message lists.
const MOST_LISTED: usize = 20;

/// The most names that an explanation lists.
const MOST_NAMES: usize = 20;

/// The tools that a call is checked against.
#[derive(Clone, Copy)]
pub enum Specification<'t> {
    /// These tools.
    Tools(&'t ToolSet),
    /// No tools were given.
    Empty,
    /// The given definitions can't be used, for this reason.
    Invalid(&'t str),
}

/// One fault of a call.
#[derive(Debug, Clone)]
pub struct Fault {
    /// The check that fails for it.
    pub check: StaticCheckName,
    /// The path of the argument; the root if the fault is about the call.
    pub path: Path,
    /// What is wrong, without the path.
    pub message: String,
    /// The violation of the schema, if it is one.
    pub violation: Option<Violation>,
}

impl Fault {
    /// Creates a fault of the call as a whole.
    pub fn of_call(check: StaticCheckName, message: String) -> Self {
        Self {
            check,
            path: Path::root(),
            message,
            violation: None,
        }
    }

    /// Describes the fault with its path.
    pub fn describe(&self) -> String {
        match self.path.is_root() {
            true => self.message.clone(),
            false => format!("{}: {}", brief_place(&self.path), self.message),
        }
    }
}

/// Returns the faults of `call`, in the order of the checks.
///
/// # Errors
/// As [`Tool::violations`].
pub fn faults(
    call: &ToolCall<'_>,
    specification: Specification<'_>,
    limits: Limits,
) -> Result<Vec<Fault>> {
    let tools = match specification {
        Specification::Tools(tools) => tools,
        Specification::Empty => {
            let message = "no tools are given to check the call against".to_owned();
            return Ok(vec![Fault::of_call(StaticCheckName::EmptyApiSpec, message)]);
        }
        Specification::Invalid(reason) => {
            let message = format!("the tool definitions can't be used: {reason}");
            return Ok(vec![Fault::of_call(
                StaticCheckName::InvalidApiSpec,
                message,
            )]);
        }
    };
    if let Some(message) = not_a_call(call) {
        return Ok(vec![Fault::of_call(
            StaticCheckName::InvalidToolCall,
            message,
        )]);
    }
    let name = call.name.unwrap_or_default();
    let Some(tool) = tools.resolve(name) else {
        if tools.leaves_open(call) {
            return Ok(Vec::new());
        }
        let message = unknown_tool(name, tools);
        return Ok(vec![Fault::of_call(
            StaticCheckName::NonExistentFunction,
            message,
        )]);
    };
    argument_faults(call.made_arguments(), tool, limits)
}

/// Returns the name of the tool that `call` means, as its definition spells it.
pub fn called_tool<'t>(call: &ToolCall<'_>, specification: Specification<'t>) -> Option<&'t str> {
    match specification {
        Specification::Tools(tools) => Some(tools.resolve(call.name?)?.name.as_str()),
        Specification::Empty | Specification::Invalid(_) => None,
    }
}

/// Returns the reason why something read is not a call that could run.
fn not_a_call(call: &ToolCall<'_>) -> Option<String> {
    if call.name.is_none_or(str::is_empty) {
        return Some("the call names no tool".to_owned());
    }
    if call.incomplete {
        return Some("the call is still being written: its arguments may be cut off".to_owned());
    }
    if let (None, Some(text)) = (call.arguments, call.raw_arguments) {
        let reason = why_not_json(text);
        return Some(format!("the arguments are not valid JSON: {reason}"));
    }
    None
}

fn unknown_tool(name: &str, tools: &ToolSet) -> String {
    let hint = did_you_mean(tools.nearest(name));
    let known = listed(tools.names().iter().map(String::as_str));
    format!(
        "there is no tool {}{hint}; the tools are {known}",
        quoted(name)
    )
}

fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<_> = names.collect();
    let shown: Vec<_> = names
        .iter()
        .take(MOST_NAMES)
        .map(|name| format!("{name:?}"))
        .collect();
    match names.len().saturating_sub(MOST_NAMES) {
        0 if shown.is_empty() => "none".to_owned(),
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Returns the faults in the arguments of a call of `tool`.
///
/// # Errors
/// As [`Tool::violations`].
pub fn argument_faults(arguments: Json<'_>, tool: &Tool, limits: Limits) -> Result<Vec<Fault>> {
    let arguments = match arguments {
        Json::String(text) if tool.wants_object() && text.trim_ascii().is_empty() => {
            Json::Object(&[])
        }
        Json::String(text) if tool.wants_object() => {
            let fault = Fault::of_call(StaticCheckName::InvalidToolCall, not_an_object(text));
            return Ok(vec![fault]);
        }
        other => other,
    };
    let violations = tool.every_violation(arguments, limits)?;
    let mut found = match (arguments.members(), violations.is_empty()) {
        (Some(members), _) => {
            let names = members.iter().map(|(name, _)| *name);
            undeclared(names, tool, limits.max_issues_per_call)
        }
        (None, true) if !tool.wants_object() => Vec::new(),
        (None, _) => {
            let message = format!(
                "the arguments are not an object but {}",
                arguments.describe()
            );
            vec![Fault::of_call(StaticCheckName::InvalidToolCall, message)]
        }
    };
    found.extend(violations.into_iter().map(Fault::from));
    Ok(found)
}

/// Explains why a text given as arguments does not hold an object.
fn not_an_object(text: &str) -> String {
    match text.trim_ascii_start().starts_with('{') {
        true => format!("the arguments are not valid JSON: {}", why_not_json(text)),
        false => format!(
            "the arguments are not an object but {}",
            Json::String(text).describe()
        ),
    }
}

/// Returns a fault for each of the first `most` names that the tool does not declare.
fn undeclared<'n>(names: impl Iterator<Item = &'n str>, tool: &Tool, most: usize) -> Vec<Fault> {
    let declared = tool.declared();
    let unknown = names.filter(|name| !declared.allow(name)).take(most);
    let faults = unknown.map(|name| {
        let hint = did_you_mean(nearest(name, declared.names()));
        let known = listed(declared.names());
        Fault {
            check: StaticCheckName::NonExistentParameter,
            path: Path::root().key(name),
            message: format!(
                "unknown argument {}{hint}; {:?} takes {known}",
                quoted(name),
                tool.name
            ),
            violation: None,
        }
    });
    faults.collect()
}

impl From<Violation> for Fault {
    fn from(violation: Violation) -> Self {
        let check = match violation.kind {
            ViolationKind::Required => StaticCheckName::MissingRequiredParameter,
            ViolationKind::Type | ViolationKind::InvalidNumber => {
                StaticCheckName::IncorrectParameterType
            }
            ViolationKind::AllowedValues => StaticCheckName::AllowedValuesViolation,
            ViolationKind::Format | ViolationKind::Constraint => {
                StaticCheckName::JsonSchemaViolation
            }
        };
        Self {
            check,
            path: violation.path.clone(),
            message: violation.message.clone(),
            violation: Some(violation),
        }
    }
}

/// Describes faults in one line each, with its path; long lists are cut.
pub fn described<'f>(faults: impl Iterator<Item = &'f Fault>) -> Vec<String> {
    let mut lines: Vec<String> = faults.map(Fault::describe).collect();
    if lines.len() > MOST_LISTED {
        let more = lines.len() - MOST_LISTED;
        lines.truncate(MOST_LISTED);
        lines.push(format!("and {more} more"));
    }
    lines
}

impl Fault {
    /// Returns the actual value, if the schema says something about it.
    pub fn actual(&self) -> Option<&Value> {
        self.violation.as_ref()?.actual.as_ref()
    }
}
