//! A call during its repair: its tool and its arguments.

mod mend;

use bumpalo::Bump;
use serde_json::{Map, Value};

use super::faults::{Fault, argument_faults};
use super::likely_name::likely_name;
use super::loose_text::read_loosely;
use super::phrases::quoted;
use super::repair::{RepairChange, RepairChangeKind, RepairStatus, ToolCallRepair, repair_message};
use toolgauge_formats::WrittenCall;
use toolgauge_model::error::Result;
use toolgauge_model::{Limits, Reader, ToolCall};
use toolgauge_schema::{Tool, ToolSet, from_value, to_value};

/// The most rounds of repairs; what is left after that is not repairable.
const MOST_ROUNDS: usize = 8;

/// The budget for all trials of one repair: a trial costs one per value of the arguments, and more for each
/// fault found.
const TRIAL_COST: usize = 200_000;

/// Members in which models sometimes wrap all arguments.
pub const ENVELOPES: [&str; 11] = [
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

/// Members that may appear beside an envelope.
const BESIDE_ENVELOPES: [&str; 7] = [
    "name",
    "tool",
    "tool_name",
    "function",
    "function_name",
    "type",
    "id",
];

/// A call during its repair.
pub struct Draft<'t, 'a> {
    tools: &'t ToolSet,
    name: String,
    arguments: Value,
    changes: Vec<RepairChange>,
    limits: Limits,
    /// The remaining budget for trials.
    trials: usize,
    raw: Option<&'a str>,
    reader: Reader<'a>,
}

impl<'t, 'a> Draft<'t, 'a> {
    /// Creates the draft of `call`, which is not valid.
    pub fn of(call: &ToolCall<'a>, tools: &'t ToolSet, limits: Limits, reader: Reader<'a>) -> Self {
        let made = call.made_arguments();
        Self {
            tools,
            name: call.name.unwrap_or_default().to_owned(),
            arguments: to_value(made),
            changes: Vec::new(),
            limits,
            trials: TRIAL_COST,
            raw: call.raw_arguments.filter(|_| call.arguments.is_none()),
            reader,
        }
    }

    /// Returns the draft if it can be made valid.
    ///
    /// # Errors
    /// As [`argument_faults`].
    pub fn mended(mut self) -> Result<Option<Self>> {
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

    /// Converts the draft to a repair.
    pub fn into_repair(self, written: &WrittenCall<'a>, reader: Reader<'a>) -> ToolCallRepair<'a> {
        let arguments = from_value(&self.arguments, reader.arena());
        ToolCallRepair {
            status: RepairStatus::Repaired,
            tool_call: written.rewrite(&self.name, arguments, reader),
            message: Some(repair_message(&self.name, &self.changes)),
            name: Some(self.name),
            arguments,
            changes: self.changes,
            problems: Vec::new(),
            refusal: None,
        }
    }

    fn faults(&self, tool: &Tool) -> Result<Vec<Fault>> {
        self.faults_of(&self.arguments, tool)
    }

    /// Corrects the name of the tool, and returns the tool.
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

    /// Replaces arguments given as text by the object in the text. Returns `false` if there is none.
    fn read_text(&mut self, tool: &Tool) -> bool {
        let text = match (&self.arguments, self.raw) {
            (_, Some(raw)) => raw.to_owned(),
            (Value::String(text), None) if tool.wants_object() => text.clone(),
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

    /// Unwraps the arguments from envelopes, as long as that leaves fewer faults.
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
                description: format!("the arguments were wrapped in {envelope}"),
            });
            let left = self.faults_of(&held, tool)?.len();
            // An envelope is also removed if it contains declared arguments, whatever else is wrong with
            // them.
            if left < least || holds_declared(&held, tool) {
                least = left;
                self.arguments = held.clone();
                self.changes.append(&mut changes);
            }
            inner = held;
        }
        Ok(())
    }

    fn faults_of(&self, arguments: &Value, tool: &Tool) -> Result<Vec<Fault>> {
        let arena = Bump::new();
        argument_faults(from_value(arguments, &arena), tool, self.limits)
    }

    /// Returns the name of an envelope around the arguments, and its content.
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
}

/// Returns whether the tool declares one of the members of `arguments`.
fn holds_declared(arguments: &Value, tool: &Tool) -> bool {
    let declared = tool.declared();
    let members = arguments.as_object();
    let mut names = members.into_iter().flat_map(Map::keys);
    names.any(|name| declared.get(name).is_some())
}

/// Returns the name without what models and runtimes add to it (`search()`, `search<|channel|>json`), and
/// then without each of its namespaces in turn: `functions.search`.
fn spellings_of(name: &str) -> impl Iterator<Item = &str> {
    let name = name.split("<|").next().unwrap_or_default().trim();
    let name = name.strip_suffix("()").unwrap_or(name);
    let name = name.trim_matches(|c: char| matches!(c, '"' | '\'' | '`') || c.is_whitespace());
    std::iter::successors(Some(name), |name| {
        let (_, rest) = name.split_once(['.', '/', ':'])?;
        Some(rest)
    })
}
