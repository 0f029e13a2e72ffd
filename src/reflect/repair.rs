//! A call that should run in place of one that is not valid.

use bumpalo::Bump;
use foldhash::HashSet;
use serde::Serialize;
use serde_json::{Map, Value};

use super::convert::{to_allowed, to_type};
use super::faults::{
    Fault, LONGEST_PLACE, Specification, argument_faults, brief_place, described, faults, quoted,
};
use super::likely_name::likely_name;
use super::loose_text::read_loosely;
use super::static_check::StaticCheckName;
use super::values::{at, insert, remove, replace};
use crate::error::Result;
use crate::formats::WrittenCall;
use crate::model::{Json, Limits, Path, Reader, Step, ToolCall, count_values, start_of};
use crate::schema::{Tool, ToolSet, ViolationKind, from_value, to_value};

/// After so many rounds of mending what is left is not repairable.
const MOST_ROUNDS: usize = 8;

/// The values that all trials of one repair may look at together.
const TRIAL_VALUES: usize = 200_000;

/// Most trials of one repair.
const MOST_TRIALS: usize = 64;

/// A message for the model names at most so many changes.
const MOST_TOLD: usize = 20;

/// Members under which models put all arguments once more.
const ENVELOPES: [&str; 11] = [
    "arguments",
    "args",
    "input",
    "parameters",
    "params",
    "kwargs",
    "properties",
    "tool_input",
    "tool_args",
    "function_args",
    "function_arguments",
];

/// Members that may stand beside an envelope.
const BESIDE_ENVELOPES: [&str; 7] = [
    "name",
    "tool",
    "tool_name",
    "function",
    "function_name",
    "type",
    "id",
];

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
    /// The name of its tool, `null` when it has none.
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub name: Option<String>,
    /// Its arguments.
    #[cfg_attr(feature = "typescript", ts(type = "JsonValue"))]
    pub arguments: Value,
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

fn as_given<'a>(written: &WrittenCall<'a>, status: RepairStatus) -> ToolCallRepair<'a> {
    let call = written.call.as_ref().ok();
    ToolCallRepair {
        status,
        tool_call: written.source,
        name: call.and_then(|call| call.name).map(str::to_owned),
        arguments: call.map_or(Value::Null, |call| to_value(call.made_arguments())),
        changes: Vec::new(),
        problems: Vec::new(),
        message: None,
        refusal: None,
    }
}

fn unrepairable<'a>(
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

/// What judges say of a call that is not right by them.
#[derive(Debug, Clone, Default)]
pub struct Judgement<'a> {
    /// The name of the tool that should be called instead.
    pub name: Option<&'a str>,
    /// The arguments that it should be called with.
    pub arguments: Option<Json<'a>>,
    /// What is wrong, and what is missing to correct it.
    pub objections: Vec<RepairProblem>,
}

/// Puts what judges say in place of a call: another name, other arguments, or both. That is repaired where it is
/// needed, and taken only when it is valid then and not what was given. Where judges object and have no such
/// correction, the call is unrepairable for their reasons.
///
/// # Errors
/// As [`repair_tool_call`].
pub fn apply_judgement<'a>(
    written: &WrittenCall<'a>,
    judgement: &Judgement<'a>,
    specification: Specification<'_>,
    limits: Limits,
    reader: Reader<'a>,
) -> Result<ToolCallRepair<'a>> {
    if let Some(corrected) = corrected_call(written, judgement) {
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
        path: Path::root(),
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

/// The call that judges propose; `None` when they propose none.
fn corrected_call<'a>(
    written: &WrittenCall<'a>,
    judgement: &Judgement<'a>,
) -> Option<ToolCall<'a>> {
    if judgement.name.is_none() && judgement.arguments.is_none() {
        return None;
    }
    let given = written.call.as_ref().ok();
    Some(ToolCall {
        name: judgement.name.or(given.and_then(|call| call.name)),
        arguments: judgement.arguments.or(given.map(ToolCall::made_arguments)),
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
    let (before, after) = (Some(&given.arguments), Some(&corrected.arguments));
    differences(&Path::root(), before, after, &mut changes);
    let name = corrected.name.clone().unwrap_or_default();
    let arguments = from_value(&corrected.arguments, reader.arena());
    ToolCallRepair {
        status: RepairStatus::Repaired,
        tool_call: written.rewrite(&name, arguments, reader),
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

/// Adds where two values differ, member by member as far as both are objects.
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

fn repair_message(name: &str, changes: &[RepairChange]) -> String {
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

/// A value, short enough for a phrase.
fn brief(value: &Value) -> String {
    let arena = Bump::new();
    crate::model::Preview::of(from_value(value, &arena), 60).to_string()
}

/// A call while it is repaired.
struct Draft<'t, 'a> {
    tools: &'t ToolSet,
    name: String,
    arguments: Value,
    changes: Vec<RepairChange>,
    limits: Limits,
    trials: usize,
    raw: Option<&'a str>,
    reader: Reader<'a>,
}

impl<'t, 'a> Draft<'t, 'a> {
    fn of(call: &ToolCall<'a>, tools: &'t ToolSet, limits: Limits, reader: Reader<'a>) -> Self {
        let made = call.made_arguments();
        let trials = TRIAL_VALUES / count_values(made).max(1);
        Self {
            tools,
            name: call.name.unwrap_or_default().to_owned(),
            arguments: to_value(made),
            changes: Vec::new(),
            limits,
            trials: trials.min(MOST_TRIALS),
            raw: call.raw_arguments.filter(|_| call.arguments.is_none()),
            reader,
        }
    }

    /// The draft when it can be made valid.
    fn mended(mut self) -> Result<Option<Self>> {
        let Some(tool) = self.mend_name() else {
            return Ok(None);
        };
        if !self.read_text(tool) {
            return Ok(None);
        }
        self.unwrap(tool)?;
        for _ in 0..MOST_ROUNDS {
            let faults = self.faults(tool)?;
            if faults.is_empty() {
                return Ok(Some(self));
            }
            if !self.mend(&faults, tool)? {
                return Ok(None);
            }
        }
        Ok(None)
    }

    fn into_repair(self, written: &WrittenCall<'a>, reader: Reader<'a>) -> ToolCallRepair<'a> {
        let arguments = from_value(&self.arguments, reader.arena());
        ToolCallRepair {
            status: RepairStatus::Repaired,
            tool_call: written.rewrite(&self.name, arguments, reader),
            message: Some(repair_message(&self.name, &self.changes)),
            name: Some(self.name),
            arguments: self.arguments,
            changes: self.changes,
            problems: Vec::new(),
            refusal: None,
        }
    }

    fn faults(&self, tool: &Tool) -> Result<Vec<Fault>> {
        let arena = Bump::new();
        argument_faults(from_value(&self.arguments, &arena), tool, self.limits)
    }

    /// The tool that is called, under the name that it has.
    fn mend_name(&mut self) -> Option<&'t Tool> {
        let tools = self.tools;
        if let Some(tool) = tools.resolve(&self.name) {
            return Some(tool);
        }
        let known = || tools.names().iter().map(String::as_str);
        let spellings: Vec<&str> = spellings_of(&self.name).collect();
        let exact = spellings
            .iter()
            .find_map(|name| known().find(|it| it == name));
        let likely = || spellings.iter().find_map(|name| likely_name(name, known()));
        let name = exact.or_else(likely)?.to_owned();
        self.changes.push(RepairChange {
            kind: RepairChangeKind::ToolName,
            path: String::new(),
            from: Some(self.name.as_str().into()),
            to: Some(name.as_str().into()),
            description: format!("the tool {} became {name:?}", quoted(&self.name)),
        });
        self.name = name;
        tools.resolve(&self.name)
    }

    /// Reads arguments that are text as the object that the text holds. `false` when it holds none.
    fn read_text(&mut self, tool: &Tool) -> bool {
        let text = match (&self.arguments, self.raw) {
            (_, Some(raw)) => raw.to_owned(),
            (Value::String(text), None) if !tool.accepts_text() => text.clone(),
            _ => return true,
        };
        let Some(read) = read_loosely(&text, self.reader) else {
            return false;
        };
        self.arguments = read;
        self.changes.push(RepairChange {
            kind: RepairChangeKind::ParsedJson,
            path: String::new(),
            from: Some(text.into()),
            to: Some(self.arguments.clone()),
            description: "the arguments were read from text".to_owned(),
        });
        true
    }

    /// Takes the arguments out of envelopes, as far as fewer faults are left that way.
    fn unwrap(&mut self, tool: &Tool) -> Result<()> {
        let mut least = self.faults(tool)?.len();
        if least == 0 {
            return Ok(());
        }
        let (mut inner, mut changes) = (self.arguments.clone(), Vec::new());
        for _ in 0..MOST_ROUNDS {
            let Some((envelope, held)) = self.inside_envelope(&inner, tool) else {
                return Ok(());
            };
            changes.push(RepairChange {
                kind: RepairChangeKind::Unwrapped,
                path: String::new(),
                from: Some(inner),
                to: Some(held.clone()),
                description: format!("the arguments stood inside {envelope}"),
            });
            let arena = Bump::new();
            let left = argument_faults(from_value(&held, &arena), tool, self.limits)?.len();
            if left < least {
                least = left;
                self.arguments = held.clone();
                self.changes.append(&mut changes);
            }
            inner = held;
        }
        Ok(())
    }

    /// What an envelope around the arguments is called, and what it holds.
    fn inside_envelope(&self, arguments: &Value, tool: &Tool) -> Option<(String, Value)> {
        let members = match arguments {
            Value::Array(items) => {
                let [inner @ Value::Object(_)] = items.as_slice() else {
                    return None;
                };
                return Some(("a list".to_owned(), inner.clone()));
            }
            other => other.as_object()?,
        };
        let declared = tool.declared();
        let is_envelope = |key: &str| ENVELOPES.contains(&key) || key == self.name;
        let mut envelopes = members.iter().filter(|(key, _)| is_envelope(key));
        let ((key, value), None) = (envelopes.next()?, envelopes.next()) else {
            return None;
        };
        let is_beside = |other: &String| other == key || BESIDE_ENVELOPES.contains(&other.as_str());
        let is_declared = members.keys().any(|key| declared.get(key).is_some());
        if is_declared || !members.keys().all(is_beside) {
            return None;
        }
        let inner = match value {
            Value::Object(_) => value.clone(),
            Value::String(text) => read_loosely(text, self.reader)?,
            _ => return None,
        };
        Some((format!("{key:?}"), inner))
    }

    /// Mends what can be mended of `faults`. Whether anything was.
    fn mend(&mut self, faults: &[Fault], tool: &Tool) -> Result<bool> {
        let mut mended: Vec<Vec<Step>> = Vec::new();
        // Missing arguments come first: one of those that are not declared may be meant.
        let (missing, others): (Vec<_>, Vec<_>) = faults
            .iter()
            .partition(|fault| fault.check == StaticCheckName::MissingRequiredParameter);
        for fault in missing.into_iter().chain(others) {
            let steps = fault.path.steps();
            if mended.iter().any(|place| overlap(place, &steps)) {
                continue;
            }
            if let Some(touched) = self.mend_one(fault, tool)? {
                mended.push(steps);
                mended.push(touched.steps());
            }
        }
        Ok(!mended.is_empty())
    }

    /// Mends one fault. Returns the place that was changed.
    fn mend_one(&mut self, fault: &Fault, tool: &Tool) -> Result<Option<Path>> {
        let violation = fault.violation.as_ref();
        let keyword = violation.map_or("", |it| it.keyword.as_str());
        Ok(match fault.check {
            StaticCheckName::NonExistentParameter => self.rename_or_drop(&fault.path, tool),
            StaticCheckName::MissingRequiredParameter => self.fill(&fault.path, tool),
            StaticCheckName::IncorrectParameterType => self.retype(fault, tool)?,
            StaticCheckName::AllowedValuesViolation => self.reword(fault),
            StaticCheckName::JsonSchemaViolation => match keyword {
                "additionalProperties" | "unevaluatedProperties" => {
                    self.rename_or_drop(&fault.path, tool)
                }
                "anyOf" | "oneOf" => self.fit_union(fault, tool)?,
                _ => self.trim(fault, tool)?,
            },
            StaticCheckName::NonExistentFunction
            | StaticCheckName::EmptyApiSpec
            | StaticCheckName::InvalidApiSpec
            | StaticCheckName::InvalidToolCall => None,
        })
    }

    /// Gives an argument that is not declared the name of a missing one that it is a misspelling of, or else
    /// drops it.
    fn rename_or_drop(&mut self, path: &Path, tool: &Tool) -> Option<Path> {
        let steps = path.steps();
        let (Step::Key(name), parent) = steps.split_last()? else {
            return None;
        };
        if let Some(target) = self.missing_sibling(name, parent, tool) {
            return self.rename(path, &target);
        }
        let value = remove(&mut self.arguments, &steps)?;
        self.changes.push(RepairChange {
            kind: RepairChangeKind::Dropped,
            path: path.to_string(),
            from: Some(value),
            to: None,
            description: format!(
                "{} was left out, since the tool takes no such argument",
                brief_place(path)
            ),
        });
        Some(path.clone())
    }

    /// The declared member of the object at `parent` that is not there and that `name` is likely to mean.
    fn missing_sibling(&self, name: &str, parent: &[Step], tool: &Tool) -> Option<Path> {
        let object = at(&self.arguments, parent)?.as_object()?;
        let names = tool.declared_at(parent);
        let absent = names
            .iter()
            .copied()
            .filter(|known| !object.contains_key(*known));
        let likely = likely_name(name, absent)?;
        Some(path_of(parent).key(likely))
    }

    fn rename(&mut self, path: &Path, target: &Path) -> Option<Path> {
        let value = remove(&mut self.arguments, &path.steps())?;
        insert(&mut self.arguments, &target.steps(), value.clone())?;
        self.changes.push(RepairChange {
            kind: RepairChangeKind::Renamed,
            path: path.to_string(),
            from: Some(value),
            to: Some(target.as_str().into()),
            description: format!("{} was renamed to {target}", brief_place(path)),
        });
        Some(target.clone())
    }

    /// Gives a missing argument the value of a misspelt one, its default, or the only value it can have.
    fn fill(&mut self, path: &Path, tool: &Tool) -> Option<Path> {
        let steps = path.steps();
        let (Step::Key(name), parent) = steps.split_last()? else {
            return None;
        };
        if let Some(misspelt) = self.misspelt(name, parent, tool) {
            return self
                .rename(&path_of(parent).key(&misspelt), path)
                .and(Some(path.clone()));
        }
        let (value, what) = only_value(tool.schema_at(path)?)?;
        insert(&mut self.arguments, &steps, value.clone())?;
        self.changes.push(RepairChange {
            kind: RepairChangeKind::Filled,
            path: path.to_string(),
            from: None,
            description: format!(
                "{} was missing and became {}, {what}",
                brief_place(path),
                brief(&value)
            ),
            to: Some(value),
        });
        Some(path.clone())
    }

    /// The member of the object at `parent` that is not declared and means `name`.
    fn misspelt(&self, name: &str, parent: &[Step], tool: &Tool) -> Option<String> {
        let object = at(&self.arguments, parent)?.as_object()?;
        let names = tool.declared_at(parent);
        let unknown = object.keys().filter(|key| !names.contains(&key.as_str()));
        let mut meant = unknown.filter(|key| likely_name(key, [name].into_iter()).is_some());
        match (meant.next(), meant.next()) {
            (Some(only), None) => Some(only.clone()),
            _ => None,
        }
    }

    /// Gives a value the type that the schema wants, or drops an optional `null`.
    fn retype(&mut self, fault: &Fault, tool: &Tool) -> Result<Option<Path>> {
        let Some(violation) = &fault.violation else {
            return Ok(None);
        };
        if fault.actual() == Some(&Value::Null) {
            return self.drop_null(&fault.path, tool);
        }
        let wanted = violation
            .expected
            .as_ref()
            .map(type_list)
            .unwrap_or_default();
        let actual = fault.actual().cloned().unwrap_or_default();
        let converted = violation.coerced.clone().or_else(|| {
            let mut types = wanted.iter().filter(|kind| *kind != "null");
            types.find_map(|kind| to_type(&actual, kind))
        });
        Ok(converted.and_then(|to| self.convert(&fault.path, to)))
    }

    fn drop_null(&mut self, path: &Path, tool: &Tool) -> Result<Option<Path>> {
        let mut without: Value = self.arguments.clone();
        if remove(&mut without, &path.steps()).is_none() || !self.is_better(&without, path, tool)? {
            return Ok(None);
        }
        self.arguments = without;
        self.changes.push(RepairChange {
            kind: RepairChangeKind::Dropped,
            path: path.to_string(),
            from: Some(Value::Null),
            to: None,
            description: format!(
                "{} was left out, since null is not allowed and it is optional",
                brief_place(path)
            ),
        });
        Ok(Some(path.clone()))
    }

    /// Puts the allowed value in place of another spelling of it.
    fn reword(&mut self, fault: &Fault) -> Option<Path> {
        let expected = fault.violation.as_ref()?.expected.as_ref()?;
        let allowed = match expected {
            Value::Array(values) => values.as_slice(),
            one => std::slice::from_ref(one),
        };
        let to = to_allowed(fault.actual()?, allowed)?;
        self.convert(&fault.path, to)
    }

    /// Gives a value that fits no alternative of a union the first type in which it fits one.
    fn fit_union(&mut self, fault: &Fault, tool: &Tool) -> Result<Option<Path>> {
        let Some(actual) = fault.actual().cloned() else {
            return Ok(None);
        };
        if actual.is_null() {
            return self.drop_null(&fault.path, tool);
        }
        for kind in ["integer", "number", "boolean", "object", "array", "string"] {
            let Some(to) = to_type(&actual, kind) else {
                continue;
            };
            if let Some(path) = self.try_value(&fault.path, to, tool)? {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// Takes the white space off a text, where it then keeps the rules.
    fn trim(&mut self, fault: &Fault, tool: &Tool) -> Result<Option<Path>> {
        let text = fault.actual().and_then(Value::as_str);
        match text.map(str::trim) {
            Some(trimmed) if Some(trimmed) != text => {
                let to = trimmed.into();
                self.try_value(&fault.path, to, tool)
            }
            _ => Ok(None),
        }
    }

    fn try_value(&mut self, path: &Path, to: Value, tool: &Tool) -> Result<Option<Path>> {
        let mut changed = self.arguments.clone();
        if replace(&mut changed, &path.steps(), to.clone()).is_none()
            || !self.is_better(&changed, path, tool)?
        {
            return Ok(None);
        }
        Ok(self.convert(path, to))
    }

    /// Whether nothing is wrong at `path` and below it with other arguments. So much is tried and no more.
    fn is_better(&mut self, arguments: &Value, path: &Path, tool: &Tool) -> Result<bool> {
        let Some(left) = self.trials.checked_sub(1) else {
            return Ok(false);
        };
        self.trials = left;
        let arena = Bump::new();
        let faults = argument_faults(from_value(arguments, &arena), tool, self.limits)?;
        let steps = path.steps();
        Ok(!faults
            .iter()
            .any(|fault| fault.path.steps().starts_with(&steps)))
    }

    fn convert(&mut self, path: &Path, to: Value) -> Option<Path> {
        let from = replace(&mut self.arguments, &path.steps(), to.clone())?;
        let is_read = from.is_string() && (to.is_object() || to.is_array());
        let place = match path.is_root() {
            true => "the arguments".to_owned(),
            false => brief_place(path),
        };
        let (kind, description) = match is_read && !holds_only(&to, &from) {
            true => (
                RepairChangeKind::ParsedJson,
                format!("{place} was read from JSON text"),
            ),
            false => {
                let description = format!("{place}: {} became {}", brief(&from), brief(&to));
                (RepairChangeKind::Converted, description)
            }
        };
        self.changes.push(RepairChange {
            kind,
            path: path.to_string(),
            from: Some(from),
            to: Some(to),
            description,
        });
        Some(path.clone())
    }
}

/// Whether `list` is the list of the one `item`.
fn holds_only(list: &Value, item: &Value) -> bool {
    list.as_array()
        .is_some_and(|items| items.as_slice() == std::slice::from_ref(item))
}

/// The name without what models and runtimes put around it (`search()`, `search<|channel|>json`), then without
/// each of its namespaces in turn: `functions.search`.
fn spellings_of(name: &str) -> impl Iterator<Item = &str> {
    let name = name.split("<|").next().unwrap_or_default().trim();
    let name = name.strip_suffix("()").unwrap_or(name);
    let name = name.trim_matches(|c: char| matches!(c, '"' | '\'' | '`') || c.is_whitespace());
    std::iter::successors(Some(name), |name| {
        let (_, rest) = name.split_once(['.', '/', ':'])?;
        Some(rest)
    })
}

/// The only value that a schema lets a missing argument have without guessing, and why.
fn only_value(schema: &Value) -> Option<(Value, &'static str)> {
    let keywords: &Map<String, Value> = schema.as_object()?;
    if let Some(value) = keywords.get("default") {
        return Some((value.clone(), "its default"));
    }
    let only = match (keywords.get("const"), keywords.get("enum")) {
        (Some(value), _) => value,
        (None, Some(Value::Array(values))) if values.len() == 1 => &values[0],
        _ => return None,
    };
    Some((only.clone(), "the only value that it can have"))
}

fn type_list(expected: &Value) -> Vec<String> {
    let names = match expected {
        Value::Array(names) => names.as_slice(),
        one => std::slice::from_ref(one),
    };
    names
        .iter()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

fn path_of(steps: &[Step]) -> Path {
    steps.iter().fold(Path::root(), |path, step| match step {
        Step::Key(key) => path.key(key),
        Step::Index(index) => path.index(*index),
    })
}

/// Whether one of the places is inside the other, or the same.
fn overlap(one: &[Step], other: &[Step]) -> bool {
    one.starts_with(other) || other.starts_with(one)
}
