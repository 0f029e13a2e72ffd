//! Checks every call of a trajectory as if it had not run yet, and repairs it on request.

use foldhash::HashMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::faults::{Fault, Specification};
use super::issue::{ReflectionIssue, ReflectionIssueType};
use super::judgement::{Judgement, apply_judgement};
use super::repair::{
    RepairChange, RepairStatus, ToolCallRepair, repair_with_faults, written_faults,
};
use super::semantic::Objection;
use super::static_check::StaticCheckName;
use toolgauge_base::issue::{CallPlace, Severity};
use toolgauge_formats::WrittenCall;
use toolgauge_model::error::Result;
use toolgauge_model::{Limits, Reader, Trajectory};
use toolgauge_schema::to_value;

/// The options for reflecting on the calls of logs.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ReflectSetting {
    /// Whether calls are repaired; the issues of a repaired call are then low.
    pub repair: bool,
    /// The judgements of judges on calls.
    pub judged: Vec<JudgedCall>,
}

/// The judgement of judges on one call.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JudgedCall {
    /// The location of the call.
    #[serde(flatten)]
    pub at: CallAt,
    /// The judgement.
    #[serde(flatten)]
    pub said: Judgement,
}

/// The location of a call in a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallAt {
    /// The line of its document; absent if the file is one document.
    #[serde(default)]
    pub line: Option<usize>,
    /// The position of its trajectory in the document, from 0.
    pub trajectory: usize,
    /// The position of its turn in the trajectory, from 0.
    pub turn: usize,
    /// The position of the call in the turn, from 0.
    pub call: usize,
}

/// The repair of one call of a log.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct CallRepair {
    /// The number of the turn that made the call.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub turn_id: i64,
    /// The position of the call among the calls of its turn, from 0.
    pub call_index: usize,
    /// The id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// The outcome: it was repaired, or could not be.
    pub status: RepairStatus,
    /// The name of its tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The corrected arguments.
    #[cfg_attr(feature = "typescript", ts(type = "JsonValue"))]
    pub arguments: Value,
    /// What was changed.
    pub changes: Vec<RepairChange>,
    /// The message for the model: what was changed, or what is wrong and what to do.
    pub message: String,
}

/// The result for the calls of one trajectory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReflectedCalls {
    /// The issues, in the order of the calls.
    pub issues: Vec<ReflectionIssue>,
    /// The repairs of invalid calls; empty unless calls are repaired.
    pub repairs: Vec<CallRepair>,
    /// How many calls are valid or repaired.
    pub right: usize,
}

/// The judgements of judges, by call.
#[derive(Debug, Default)]
pub struct JudgedCalls(HashMap<CallAt, JudgedCall>);

impl JudgedCalls {
    /// Indexes these judgements.
    pub fn of(judged: Vec<JudgedCall>) -> Self {
        Self(judged.into_iter().map(|call| (call.at, call)).collect())
    }
}

/// One trajectory of a batch, with the options for its calls.
pub struct ReflectedTrajectory<'t, 'a> {
    /// The trajectory.
    pub trajectory: &'t Trajectory<'a>,
    /// Its position in its document, from 0.
    pub index: usize,
    /// The line of its document.
    pub line: Option<usize>,
    /// The tools that its calls are checked against.
    pub specification: Specification<'t>,
    /// Whether calls are repaired.
    pub repair: bool,
    /// The judgements of judges on its calls.
    pub judged: &'t JudgedCalls,
    /// Limits on the work per call.
    pub limits: Limits,
}

impl<'a> ReflectedTrajectory<'_, 'a> {
    /// Reflects on each call of the agent.
    ///
    /// # Errors
    /// [`toolgauge_model::error::Error::LimitExceeded`] if a schema takes too much work to check.
    pub fn reflect(&self, reader: Reader<'a>) -> Result<ReflectedCalls> {
        let mut found = ReflectedCalls::default();
        for (turn, made) in self.trajectory.agent_turns() {
            for (index, call) in made.tool_calls.iter().enumerate() {
                let place = CallPlace {
                    turn_id: Some(made.turn_id),
                    index,
                    call,
                };
                match call.hides_arguments() {
                    // There is nothing to object to.
                    true => found.right += 1,
                    false if call.is_only_result() => {}
                    false => self.reflect_on(&place, turn, reader, &mut found)?,
                }
            }
        }
        Ok(found)
    }

    fn reflect_on(
        &self,
        place: &CallPlace<'_, 'a>,
        turn: usize,
        reader: Reader<'a>,
        found: &mut ReflectedCalls,
    ) -> Result<()> {
        let written = WrittenCall::of(place.call, reader);
        let faults = written_faults(&written, self.specification, self.limits)?;
        let at = CallAt {
            line: self.line,
            trajectory: self.index,
            turn,
            call: place.index,
        };
        let judged = self.judged.0.get(&at).map(|call| &call.said);
        let objections = judged.map_or(&[][..], |judgement| judgement.objections.as_slice());
        if faults.is_empty() && objections.is_empty() {
            found.right += 1;
            return Ok(());
        }
        let repair = match self.repair {
            true => Some(self.repair_of(&written, &faults, judged, reader)?),
            false => None,
        };
        let is_repaired = repair
            .as_ref()
            .is_some_and(|it| it.status == RepairStatus::Repaired);
        found.right += usize::from(is_repaired);
        let of_faults = faults
            .iter()
            .filter(|fault| found.issues.is_empty() || !is_about_tools(fault))
            .map(|fault| fault_issue(place, fault));
        let of_judges = objections.iter().map(|it| objection_issue(place, it));
        let mut issues: Vec<_> = of_faults.chain(of_judges).collect();
        if is_repaired {
            for issue in &mut issues {
                issue.severity = Severity::Low;
                issue.details.repaired = Some(true);
            }
        }
        found.issues.extend(issues);
        found
            .repairs
            .extend(repair.map(|repair| call_repair(place, repair)));
        Ok(())
    }

    fn repair_of(
        &self,
        written: &WrittenCall<'a>,
        faults: &[Fault],
        judged: Option<&Judgement>,
        reader: Reader<'a>,
    ) -> Result<ToolCallRepair<'a>> {
        let (specification, limits) = (self.specification, self.limits);
        match judged.filter(|judgement| !judgement.objections.is_empty()) {
            Some(judgement) => apply_judgement(written, judgement, specification, limits, reader),
            None => repair_with_faults(written, faults, specification, limits, reader),
        }
    }
}

/// Returns whether the fault is the same for every call of a trajectory.
fn is_about_tools(fault: &Fault) -> bool {
    matches!(
        fault.check,
        StaticCheckName::EmptyApiSpec | StaticCheckName::InvalidApiSpec
    )
}

fn fault_issue(place: &CallPlace<'_, '_>, fault: &Fault) -> ReflectionIssue {
    let kind = ReflectionIssueType::from(fault.check);
    let mut issue = place.issue(kind, fault.describe());
    issue.details.path = Some(fault.path.to_string());
    issue
}

fn objection_issue(place: &CallPlace<'_, '_>, objection: &Objection) -> ReflectionIssue {
    let said = match objection.path.as_str() {
        "" => objection.message.clone(),
        path => format!("{path}: {}", objection.message),
    };
    let mut issue = place.issue(objection.metric, said);
    issue.details.path = Some(objection.path.clone());
    issue
}

fn call_repair(place: &CallPlace<'_, '_>, repair: ToolCallRepair<'_>) -> CallRepair {
    CallRepair {
        turn_id: place.turn_id.unwrap_or_default(),
        call_index: place.index,
        call_id: place.call.id.map(str::to_owned),
        status: repair.status,
        name: repair.name,
        arguments: to_value(repair.arguments),
        changes: repair.changes,
        message: repair.message.unwrap_or_default(),
    }
}
