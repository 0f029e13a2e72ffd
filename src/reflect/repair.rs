//! A call that should run in place of one that is not valid.

use foldhash::HashSet;
use serde::Serialize;
use serde_json::Value;

use super::draft::Draft;
use super::faults::{Fault, Specification, described, faults};
use super::phrases::quoted;
use super::static_check::StaticCheckName;
use crate::error::Result;
use crate::formats::WrittenCall;
use crate::model::{Json, Limits, Reader, ToolCall};
use crate::schema::ViolationKind;

/// A message for the model names at most so many changes.
const MOST_TOLD: usize = 20;

/// What became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum RepairStatus {
    /// It is valid as it is, and nothing was changed.
    Valid,
    /// It was not valid and is now.
    Repaired,
    /// It is not valid, and what it should be can't be told.
    Unrepairable,
}

/// A call as it should run, or why it should not.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ToolCallRepair<'a> {
    /// What became of the call.
    pub status: RepairStatus,
    /// The call to run, written as the given one: repaired, or else as it was.
    #[cfg_attr(feature = "typescript", ts(type = "JsonValue"))]
    pub tool_call: Json<'a>,
    /// The name of the called tool; `null` if the call names none.
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub name: Option<String>,
    /// Its arguments.
    #[cfg_attr(feature = "typescript", ts(type = "JsonValue"))]
    pub arguments: Json<'a>,
    /// What was changed, in order. Empty unless the call was repaired.
    pub changes: Vec<RepairChange>,
    /// What is wrong with the call as it was given. Empty unless it is unrepairable.
    pub problems: Vec<RepairProblem>,
    /// What the model should know: what was changed, or what is wrong and what to do. Absent for a valid call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The message as the result of the call, in the way of whoever wrote the call, to append to the
    /// conversation. Only of an unrepairable call.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub refusal: Option<Json<'a>>,
}

/// One change that makes a call valid.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct RepairChange {
    /// What was done.
    pub kind: RepairChangeKind,
    /// The argument, as in `filters.tags[2]`; empty for the arguments as a whole and for the tool's name.
    pub path: String,
    /// What stood there; absent when nothing did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub from: Option<Value>,
    /// What stands there now, for `renamed` the new place; absent when nothing does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub to: Option<Value>,
    /// The change as a phrase.
    pub description: String,
}

/// The kinds of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RepairChangeKind {
    /// The tool's name became that of the only tool that it is a misspelling of.
    ToolName,
    /// The arguments were taken out of an envelope: `{"arguments": {…}}`.
    Unwrapped,
    /// Text was read as the JSON that it holds.
    ParsedJson,
    /// A value became one of the right type, or the allowed one that it means.
    Converted,
    /// An argument that the tool does not declare, or an optional one that is `null`, was left out.
    Dropped,
    /// An argument got the declared name that its own is a misspelling of.
    Renamed,
    /// A missing argument got its default, or the only value that it can have.
    Filled,
    /// The value is from the correction of a judge.
    Judge,
}

/// One thing that is wrong with a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RepairProblem {
    /// The argument; empty where it is about the call.
    pub path: String,
    /// What is wrong, without the place.
    pub message: String,
}

/// Repairs a call that has not run yet, where what it should be is clear. A valid call stays as it is.
///
/// # Errors
/// [`crate::error::Error::LimitExceeded`] when a schema takes too much work to check.
pub fn repair_tool_call<'a>(
    written: &WrittenCall<'a>,
    specification: Specification<'_>,
    limits: Limits,
    reader: Reader<'a>,
) -> Result<ToolCallRepair<'a>> {
    let faults = written_faults(written, specification, limits)?;
    repair_with_faults(written, &faults, specification, limits, reader)
}

/// What is wrong with a call, also when what was given is none.
///
/// # Errors
/// As [`faults`].
pub fn written_faults(
    written: &WrittenCall<'_>,
    specification: Specification<'_>,
    limits: Limits,
) -> Result<Vec<Fault>> {
    match &written.call {
        Ok(call) => faults(call, specification, limits),
        Err(reason) => Ok(vec![Fault::of_call(
            StaticCheckName::InvalidToolCall,
            reason.clone(),
        )]),
    }
}

/// As [`repair_tool_call`], of a call whose faults are known.
///
/// # Errors
/// As [`repair_tool_call`].
pub fn repair_with_faults<'a>(
    written: &WrittenCall<'a>,
    faults: &[Fault],
    specification: Specification<'_>,
    limits: Limits,
    reader: Reader<'a>,
) -> Result<ToolCallRepair<'a>> {
    if faults.is_empty() {
        return Ok(as_given(written, RepairStatus::Valid));
    }
    let draft = match (specification, &written.call) {
        (Specification::Tools(tools), Ok(call)) if is_repairable(call, faults) => {
            Draft::of(call, tools, limits, reader).mended()?
        }
        _ => None,
    };
    Ok(match draft {
        Some(draft) => draft.into_repair(written, reader),
        None => unrepairable(written, faults, reader),
    })
}

/// A number that JSON can't carry has no value that it could mean, and of a call that was cut off nobody
/// knows the rest.
fn is_repairable(call: &ToolCall<'_>, faults: &[Fault]) -> bool {
    let is_no_number = |fault: &Fault| {
        let violation = fault.violation.as_ref();
        violation.is_some_and(|it| it.kind == ViolationKind::InvalidNumber)
    };
    !call.incomplete && call.name.is_some() && !faults.iter().any(is_no_number)
}

/// A call as it was given.
pub fn as_given<'a>(written: &WrittenCall<'a>, status: RepairStatus) -> ToolCallRepair<'a> {
    let call = written.call.as_ref().ok();
    ToolCallRepair {
        status,
        tool_call: written.source,
        name: call.and_then(|call| call.name).map(str::to_owned),
        arguments: call.map_or(Json::Null, ToolCall::made_arguments),
        changes: Vec::new(),
        problems: Vec::new(),
        message: None,
        refusal: None,
    }
}

/// A call that can't be repaired, for these faults.
pub fn unrepairable<'a>(
    written: &WrittenCall<'a>,
    faults: &[Fault],
    reader: Reader<'a>,
) -> ToolCallRepair<'a> {
    let mut problems: Vec<RepairProblem> = Vec::new();
    for fault in distinct(faults) {
        let (path, message) = (fault.path.to_string(), fault.message.clone());
        problems.push(RepairProblem { path, message });
    }
    let name = written.call.as_ref().ok().and_then(|call| call.name);
    let name = name.filter(|name| !name.is_empty());
    let message = refusal_message(name, faults);
    let text = reader.arena().alloc_str(&message);
    ToolCallRepair {
        problems,
        refusal: Some(written.shape.refusal(written.source, text, reader)),
        message: Some(message),
        ..as_given(written, RepairStatus::Unrepairable)
    }
}

/// The faults without those at a place that has one already: an argument that is not declared may violate the
/// schema, too, and is told once.
fn distinct(faults: &[Fault]) -> impl Iterator<Item = &Fault> {
    let mut seen = HashSet::default();
    faults
        .iter()
        .filter(move |fault| fault.path.is_root() || seen.insert(&fault.path))
}

fn refusal_message(name: Option<&str>, faults: &[Fault]) -> String {
    let called = match name {
        Some(name) => format!("The call of {} was not run", quoted(name)),
        None => "The call was not run".to_owned(),
    };
    let told = described(distinct(faults));
    let told: Vec<_> = told.iter().map(|line| format!("- {line}")).collect();
    let remedy = match faults.first().map(|fault| fault.check) {
        Some(StaticCheckName::NonExistentFunction) => {
            "Call one of the tools that there are, or answer without a tool.".to_owned()
        }
        Some(StaticCheckName::EmptyApiSpec | StaticCheckName::InvalidApiSpec) => {
            "No call can be checked until this is mended; answer without a tool.".to_owned()
        }
        Some(StaticCheckName::InvalidToolCall) if name.is_none() => {
            "Call the tool again, by its name and with its arguments as one JSON object.".to_owned()
        }
        _ => format!(
            "Call {} again with this corrected. If you don't know a value, ask for it.",
            quoted(name.unwrap_or_default())
        ),
    };
    format!("{called}:\n{}\n{remedy}", told.join("\n"))
}

/// What the model should know of a repaired call.
pub fn repair_message(name: &str, changes: &[RepairChange]) -> String {
    let told = changes.iter().map(|change| change.description.as_str());
    let mut told: Vec<_> = told.take(MOST_TOLD).collect();
    let more = match changes.len().saturating_sub(MOST_TOLD) {
        0 => String::new(),
        more => format!("{more} more changes"),
    };
    told.extend(Some(more.as_str()).filter(|more| !more.is_empty()));
    format!(
        "The call of {} was repaired before it ran: {}.",
        quoted(name),
        told.join("; ")
    )
}
