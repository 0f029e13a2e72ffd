//! Applies the judgement of judges to a call.

use serde::Deserialize;
use serde_json::Value;

use super::faults::{Fault, Specification};
use super::phrases::{LONGEST_PLACE, brief};
use super::repair::{
    RepairChange, RepairChangeKind, RepairStatus, ToolCallRepair, as_given, repair_message,
    repair_tool_call, repair_with_faults, unrepairable, written_faults,
};
use super::semantic::Objection;
use super::static_check::StaticCheckName;
use toolgauge_formats::WrittenCall;
use toolgauge_model::error::Result;
use toolgauge_model::{Limits, Path, Reader, ToolCall, start_of};
use toolgauge_schema::{from_value, to_value};

/// The judgement of judges on a call that they reject.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Judgement {
    /// The corrected call: `{name, arguments}`, in which missing members mean no change; `null` if unknown.
    pub correction: Value,
    /// What is wrong, and what is needed to correct it.
    pub objections: Vec<Objection>,
}

/// Applies the correction of judges to a call: another name, other arguments, or both. The corrected call is
/// repaired if necessary, and used only if it is then valid and differs from the given one. If judges reject
/// the call without such a correction, it is unrepairable, for their reasons.
///
/// # Errors
/// As [`repair_tool_call`].
pub fn apply_judgement<'a>(
    written: &WrittenCall<'a>,
    judgement: &Judgement,
    specification: Specification<'_>,
    limits: Limits,
    reader: Reader<'a>,
) -> Result<ToolCallRepair<'a>> {
    if let Some(corrected) = corrected_call(written, judgement, reader) {
        let proposal = WrittenCall {
            source: written.source,
            shape: written.shape,
            call: Ok(corrected),
        };
        let repaired = repair_tool_call(&proposal, specification, limits, reader)?;
        let given = as_given(written, RepairStatus::Valid);
        let is_new = repaired.name != given.name || repaired.arguments != given.arguments;
        if is_new && repaired.status != RepairStatus::Unrepairable {
            return Ok(as_corrected(written, &given, repaired, reader));
        }
    }
    let objections = judgement.objections.iter().map(|objection| Fault {
        check: StaticCheckName::InvalidToolCall,
        path: Path::written(&objection.path),
        message: objection.message.clone(),
        violation: None,
    });
    let mut faults = written_faults(written, specification, limits)?;
    let is_repairable = repair_with_faults(written, &faults, specification, limits, reader)?.status
        != RepairStatus::Unrepairable;
    if is_repairable {
        faults.clear();
    }
    faults.extend(objections);
    match faults.is_empty() {
        true => Ok(as_given(written, RepairStatus::Valid)),
        false => Ok(unrepairable(written, &faults, reader)),
    }
}

/// Returns the call that judges propose, if any.
fn corrected_call<'a>(
    written: &WrittenCall<'a>,
    judgement: &Judgement,
    reader: Reader<'a>,
) -> Option<ToolCall<'a>> {
    let proposed = |key| judgement.correction.get(key);
    let name = proposed("name").and_then(Value::as_str);
    let arguments = proposed("arguments").filter(|it| !it.is_null());
    if name.is_none() && arguments.is_none() {
        return None;
    }
    let arena = reader.arena();
    let name = name.map(|name| &*arena.alloc_str(name));
    let arguments = arguments.map(|it| from_value(it, arena));
    let given = written.call.as_ref().ok();
    Some(ToolCall {
        name: name.or(given.and_then(|call| call.name)),
        arguments: arguments.or(given.map(ToolCall::made_arguments)),
        ..ToolCall::default()
    })
}

fn as_corrected<'a>(
    written: &WrittenCall<'a>,
    given: &ToolCallRepair<'a>,
    corrected: ToolCallRepair<'a>,
    reader: Reader<'a>,
) -> ToolCallRepair<'a> {
    let mut changes = Vec::new();
    if corrected.name != given.name {
        let [from, to] = [&given.name, &corrected.name].map(|name| name.clone().map(Value::from));
        changes.push(judged("", from, to));
    }
    let (before, after) = (to_value(given.arguments), to_value(corrected.arguments));
    differences(&Path::root(), Some(&before), Some(&after), &mut changes);
    let name = corrected.name.clone().unwrap_or_default();
    ToolCallRepair {
        status: RepairStatus::Repaired,
        tool_call: written.rewrite(&name, corrected.arguments, reader),
        message: Some(repair_message(&name, &changes)),
        changes,
        ..corrected
    }
}

fn judged(path: &str, from: Option<Value>, to: Option<Value>) -> RepairChange {
    let place = match path {
        "" => "the call",
        path => start_of(path, LONGEST_PLACE),
    };
    let description = match (&from, &to) {
        (Some(from), Some(to)) => format!("{place}: {} became {}", brief(from), brief(to)),
        (None, Some(to)) => format!("{place}: {} was added", brief(to)),
        (_, None) => format!("{place} was left out"),
    };
    RepairChange {
        kind: RepairChangeKind::Judge,
        path: path.to_owned(),
        from,
        to,
        description: format!("{description}, as a judge proposes"),
    }
}

/// Adds the places where two values differ, member by member as long as both are objects.
fn differences(
    path: &Path,
    before: Option<&Value>,
    after: Option<&Value>,
    found: &mut Vec<RepairChange>,
) {
    match (before, after) {
        (before, after) if before == after => {}
        (Some(Value::Object(before)), Some(Value::Object(after))) => {
            let added = after.keys().filter(|key| !before.contains_key(*key));
            for key in before.keys().chain(added) {
                differences(&path.key(key), before.get(key), after.get(key), found);
            }
        }
        _ => found.push(judged(path.as_str(), before.cloned(), after.cloned())),
    }
}
