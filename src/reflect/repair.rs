//! Repairs a call that is not valid, or refuses it.

use foldhash::HashSet;
use serde::Serialize;
use serde_json::Value;

use super::draft::Draft;
use super::faults::{Fault, Specification, described, faults};
use super::phrases::quoted;
use super::static_check::StaticCheckName;
use toolgauge_formats::WrittenCall;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Limits, Reader, ToolCall};
use toolgauge_schema::ViolationKind;

/// The most changes that a message for the model lists.
const MOST_LISTED: usize = 20;

/// The outcome of a repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum RepairStatus {
    /// The call is valid as it is, and nothing was changed.
    Valid,
    /// The call was not valid but is now.
    Repaired,
    /// The call is not valid, and it is unclear what it should be.
    Unrepairable,
}

/// A call to run, or the reasons not to run it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ToolCallRepair<'a> {
    /// The outcome.
    pub status: RepairStatus,
    /// The call to run, in the form of the given one: repaired, or else unchanged.
    #[cfg_attr(feature = "typescript", ts(type = "JsonValue"))]
    pub tool_call: Json<'a>,
    /// The name of the called tool; `null` if the call names none.
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub name: Option<String>,
    /// The corrected arguments.
    #[cfg_attr(feature = "typescript", ts(type = "JsonValue"))]
    pub arguments: Json<'a>,
    /// What was changed, in order. Empty unless the call was repaired.
    pub changes: Vec<RepairChange>,
    /// What is wrong with the given call. Empty unless it is unrepairable.
    pub problems: Vec<RepairProblem>,
    /// A message for the model: what was changed, or what is wrong and what to do. Absent for a valid call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The message as a result of the call, in the provider's form, to append to the conversation. Only for
    /// an unrepairable call.
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
    /// The path of the argument, for example `filters.tags[2]`; empty for the arguments as a whole and for
    /// the tool's name.
    pub path: String,
    /// The old value; absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub from: Option<Value>,
    /// The new value, for `renamed` the new path; absent if there is none.
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
    /// The tool's name was replaced by the only one that it is a misspelling of.
    ToolName,
    /// The arguments were unwrapped from an envelope: `{"arguments": {…}}`.
    Unwrapped,
    /// Text was read as the JSON that it holds.
    ParsedJson,
    /// A value was converted to the right type, or to the allowed value that it means.
    Converted,
    /// An undeclared argument, or an optional one that is `null`, was removed.
    Dropped,
    /// An argument was renamed to the declared name that it is a misspelling of.
    Renamed,
    /// A missing argument got its default or its only possible value.
    Filled,
    /// The value is from the correction of a judge.
    Judge,
}

/// One problem of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RepairProblem {
    /// The path of the argument; empty if the problem is about the call.
    pub path: String,
    /// What is wrong, without the path.
    pub message: String,
}

/// Repairs a call before it runs, if it is clear what it should be. A valid call stays unchanged.
///
/// # Errors
/// [`toolgauge_model::error::Error::LimitExceeded`] if a schema takes too much work to check.
pub fn repair_tool_call<'a>(
    written: &WrittenCall<'a>,
    specification: Specification<'_>,
    limits: Limits,
    reader: Reader<'a>,
) -> Result<ToolCallRepair<'a>> {
    let faults = written_faults(written, specification, limits)?;
    repair_with_faults(written, &faults, specification, limits, reader)
}

/// Returns the faults of a call, or of something that is not a call.
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

/// Like [`repair_tool_call`], for a call whose faults are known.
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

/// Returns whether a repair can be tried. A number that JSON can't represent has no intended value, and the
/// rest of a call that was cut off or is not recorded is unknown.
fn is_repairable(call: &ToolCall<'_>, faults: &[Fault]) -> bool {
    let is_no_number = |fault: &Fault| {
        let violation = fault.violation.as_ref();
        violation.is_some_and(|it| it.kind == ViolationKind::InvalidNumber)
    };
    let is_known = !call.incomplete && !call.hides_arguments();
    is_known && call.name.is_some() && !faults.iter().any(is_no_number)
}

/// Returns a call unchanged.
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

/// Returns the refusal of a call that can't be repaired because of these faults.
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

/// Returns at most one fault for each path, because an undeclared argument may violate the schema, too.
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
    let listed = described(distinct(faults));
    let listed: Vec<_> = listed.iter().map(|line| format!("- {line}")).collect();
    let remedy = match faults.first().map(|fault| fault.check) {
        Some(StaticCheckName::NonExistentFunction) => {
            "Call one of the tools above, or answer without a tool.".to_owned()
        }
        Some(StaticCheckName::EmptyApiSpec | StaticCheckName::InvalidApiSpec) => {
            "No call can be checked until this is corrected; answer without a tool.".to_owned()
        }
        Some(StaticCheckName::InvalidToolCall) if name.is_none() => {
            "Call the tool again, by its name and with its arguments as one JSON object.".to_owned()
        }
        _ => format!(
            "Call {} again with this corrected. If you don't know a value, ask for it.",
            quoted(name.unwrap_or_default())
        ),
    };
    format!("{called}:\n{}\n{remedy}", listed.join("\n"))
}

/// Returns the message for the model about a repaired call.
pub fn repair_message(name: &str, changes: &[RepairChange]) -> String {
    let listed = changes.iter().map(|change| change.description.as_str());
    let mut listed: Vec<_> = listed.take(MOST_LISTED).collect();
    let more = match changes.len().saturating_sub(MOST_LISTED) {
        0 => String::new(),
        more => format!("{more} more changes"),
    };
    listed.extend(Some(more.as_str()).filter(|more| !more.is_empty()));
    format!(
        "The call of {} was repaired before it ran: {}.",
        quoted(name),
        listed.join("; ")
    )
}
