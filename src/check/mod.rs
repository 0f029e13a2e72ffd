//! The check of trajectories, one after the other: what is wrong with the calls, the results and the replies
//! of each.

mod rules;

pub use rules::{IgnoredFinding, RuleLevel, Rules};

use std::collections::BTreeSet;

use serde::Serialize;

use crate::baseline::Baseline;
use crate::error::Result;
use crate::formats::{Imported, TrajectoryFormat, import_tools};
use crate::gate::{FailOn, GateOptions, mean};
use crate::grounding::{Meanings, hides_result};
use crate::issue::{Issue, IssueType, Severity, round};
use crate::model::{Json, Path, Reader, Role, Trajectory, Turn};
use crate::options::Options;
use crate::reflect::{
    CallRepair, JudgedCalls, ReflectSetting, ReflectedTrajectory, ReflectionIssue,
    ReflectionIssueType, Specification,
};
use crate::schema::{Compiler, Tool, ToolCache, ToolSet};
use crate::validate::{
    ToolUseIssue, ToolUseIssueType, ValidateOptions, Validated, ValidationResult,
    validate_one_of_many,
};
use crate::verify::{ResultIssue, ResultIssueType, VerdictScope, verdict_issues};

/// What a check looks for, and what makes it fail.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields, rename_all = "camelCase"))]
pub struct CheckOptions {
    /// What validation looks for.
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub validate: ValidateOptions,
    /// What makes it fail.
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub gate: GateOptions,
    /// The format of the input. Default: the one that it looks like.
    pub format: Option<TrajectoryFormat>,
    /// How severe the issues of each type are, and which findings are ignored.
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub rules: Rules,
}

impl CheckOptions {
    /// The check's own options out of `options`; the rest are those of validation.
    ///
    /// # Errors
    /// [`crate::error::Error::InvalidOption`] for an unknown option or a wrong value.
    pub fn read(mut options: Options) -> Result<Self> {
        Ok(Self {
            gate: GateOptions::take(&mut options)?,
            format: options.take("format")?,
            rules: Rules::take(&mut options)?,
            validate: ValidateOptions::read(options)?,
        })
    }
}

/// The results of one trajectory.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct TrajectoryReport {
    /// Its place in the input, from 0; of lines, its place in its line.
    pub index: usize,
    /// The id that the source gives it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Whether no issue is critical.
    pub valid: bool,
    /// Whether no issue is of `failOn` or worse.
    pub passed: bool,
    /// The mean score of the turns that call tools, from 0 to 1, to 3 decimals; `null` without any.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    pub score: Option<f64>,
    /// Whether it was held to tool definitions: those that were given, or its own.
    pub has_tools: bool,
    /// How many turns it has.
    pub turns: usize,
    /// How many tools it calls.
    pub calls: usize,
    /// A result for each agent turn that calls tools.
    pub results: Vec<ValidationResult>,
    /// What is wrong with results, and with what replies make of them. An issue about a reply has the turn of the
    /// reply and quotes its sentence. These issues count in the summary and the gate, not in the score.
    #[cfg_attr(feature = "typescript", ts(type = "Array<ResultIssue>"))]
    pub result_issues: Vec<ResultIssue>,
    /// What is wrong with the calls by themselves: instead of all else, where calls are reflected on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "Array<ReflectionIssue>"))]
    pub reflection_issues: Vec<ReflectionIssue>,
    /// What became of the calls that are not valid, where calls are repaired.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<CallRepair>>"))]
    pub repairs: Vec<CallRepair>,
    /// How many findings were ignored, as the option `ignore` asks for.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub ignored: usize,
    /// What could not be judged, and why: each reason once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<Unjudged>>"))]
    pub unjudged: Vec<Unjudged>,
    /// Whether results were judged: then a call counts as failed, too, when its result is an error.
    #[serde(skip)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub judges_results: bool,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Why something of a trajectory could not be judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Unjudged {
    /// The log holds no result of any call: neither results nor what replies make of them can be judged.
    NoResults,
    /// The log holds no message of a user and no instructions: what came from them can't be told from what is
    /// invented.
    NoRequest,
    /// The platform ran tools and kept their results: what replies state after that can't be looked up.
    HiddenResults,
}

impl Unjudged {
    /// The reason as results write it.
    pub fn label(self) -> &'static str {
        match self {
            Self::NoResults => "no_results",
            Self::NoRequest => "no_request",
            Self::HiddenResults => "hidden_results",
        }
    }

    /// The reason as a sentence without its subject.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::NoResults => {
                "the log holds no results, so neither results nor what replies make of them are judged"
            }
            Self::NoRequest => {
                "the log holds no message of a user and no instructions, so facts of replies are not judged"
            }
            Self::HiddenResults => {
                "the log lacks what tools of the platform returned, so facts of the replies after them are not judged"
            }
        }
    }

    fn of(trajectory: &Trajectory<'_>) -> Vec<Self> {
        let mut reasons = Vec::new();
        let mut calls = trajectory.calls();
        if trajectory.call_count() > 0 && calls.all(|call| call.is_unanswered()) {
            reasons.push(Self::NoResults);
        }
        let is_said = |turn: &Turn<'_>| turn.role != Role::Agent && !turn.content.trim().is_empty();
        if trajectory.call_count() > 0 && !trajectory.turns.iter().any(is_said) {
            reasons.push(Self::NoRequest);
        }
        if trajectory.calls().any(hides_result) {
            reasons.push(Self::HiddenResults);
        }
        reasons
    }
}

impl TrajectoryReport {
    /// All issues: those of the calls, those of the results, then those of reflections.
    pub fn issues(&self) -> impl Iterator<Item = Found<'_>> {
        let calls = self.results.iter().flat_map(|result| &result.issues);
        let results = self.result_issues.iter();
        let reflections = self.reflection_issues.iter();
        calls
            .map(Found::call)
            .chain(results.map(Found::result))
            .chain(reflections.map(Found::reflection))
    }

    /// Works out anew what follows from the issues.
    fn settle(&mut self) {
        let worst = self.issues().map(|issue| issue.severity).max();
        self.valid = worst != Some(Severity::Critical);
        if self.reflection_issues.is_empty() && !self.results.is_empty() {
            self.score = mean(self.results.iter().map(|result| result.score));
        }
    }
}

/// An issue of any judge, as far as reports and totals tell it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found<'i> {
    /// What is wrong.
    pub kind: FoundType,
    /// How bad it is.
    pub severity: Severity,
    /// A sentence for people.
    pub description: &'i str,
    /// The number of the turn that made the call, or of the reply.
    pub turn_id: Option<i64>,
    /// What of the turn it is about.
    pub subject: Subject,
    /// The tool's name as it was called; absent when the call has none.
    pub tool: Option<&'i str>,
    /// The place in the arguments or in the result; empty for the whole of it.
    pub path: &'i str,
    /// Whether the baseline has it, too.
    pub known: bool,
}

/// What of a turn an issue is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A call, by its place among the turn's calls, from 0.
    Call(usize),
    /// What the agent said.
    Reply,
}

impl<'i> Found<'i> {
    /// An issue of validation. Invented facts are about the reply that states them, not about the call.
    pub fn call(issue: &'i ToolUseIssue) -> Self {
        let details = &issue.details;
        let call = Subject::Call(details.call_index);
        let found = Self::of(issue, call, details.path.as_deref());
        match details.facts.as_deref().unwrap_or_default().first() {
            Some(fact) => Self {
                turn_id: Some(fact.turn_id),
                subject: Subject::Reply,
                ..found
            },
            None => found,
        }
    }

    /// An issue of a result, or of what a reply makes of it.
    pub fn result(issue: &'i ResultIssue) -> Self {
        let details = &issue.details;
        let violations = details.violations.as_deref().unwrap_or_default();
        let subject = match details.quote {
            Some(_) => Subject::Reply,
            None => Subject::Call(details.call_index.unwrap_or_default()),
        };
        let path = violations.first().map(|first| first.path.as_str());
        Self::of(issue, subject, path)
    }

    /// An issue of a call by itself.
    pub fn reflection(issue: &'i ReflectionIssue) -> Self {
        let call = Subject::Call(issue.details.call_index);
        Self::of(issue, call, issue.details.path.as_deref())
    }

    fn of<Type: Copy + Into<FoundType>, Details>(
        issue: &'i Issue<Type, Details>,
        subject: Subject,
        path: Option<&'i str>,
    ) -> Self {
        Self {
            kind: issue.kind.into(),
            severity: issue.severity,
            description: &issue.description,
            turn_id: issue.turn_id,
            subject,
            tool: issue.tool_name.as_deref(),
            path: path.unwrap_or_default(),
            known: issue.known,
        }
    }
}

/// The kinds of issues that a check finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub enum FoundType {
    /// Of a call.
    Call(ToolUseIssueType),
    /// Of a result.
    Result(ResultIssueType),
    /// Of a call by itself.
    Reflection(ReflectionIssueType),
}

impl FoundType {
    /// All kinds: those of calls, of results, then of calls by themselves.
    pub const ALL: [Self; 38] = [
        Self::Call(ToolUseIssueType::MissingToolName),
        Self::Call(ToolUseIssueType::MissingArguments),
        Self::Call(ToolUseIssueType::InvalidArguments),
        Self::Call(ToolUseIssueType::ToolNotFound),
        Self::Call(ToolUseIssueType::ToolMisuse),
        Self::Call(ToolUseIssueType::MissingResult),
        Self::Call(ToolUseIssueType::ResultUnused),
        Self::Call(ToolUseIssueType::HallucinatedResult),
        Self::Call(ToolUseIssueType::SchemaViolation),
        Self::Call(ToolUseIssueType::TypeMismatch),
        Self::Call(ToolUseIssueType::MissingRequiredParam),
        Self::Call(ToolUseIssueType::UnknownTool),
        Self::Call(ToolUseIssueType::DeprecatedTool),
        Self::Result(ResultIssueType::MissingResult),
        Self::Result(ResultIssueType::EmptyResult),
        Self::Result(ResultIssueType::ErrorResult),
        Self::Result(ResultIssueType::HallucinatedContent),
        Self::Result(ResultIssueType::UnusedResult),
        Self::Result(ResultIssueType::ContradictsResponse),
        Self::Result(ResultIssueType::IncompleteIntegration),
        Self::Result(ResultIssueType::MalformedResult),
        Self::Result(ResultIssueType::ClaimedAction),
        Self::Result(ResultIssueType::MisattributedValue),
        Self::Reflection(ReflectionIssueType::NonExistentFunction),
        Self::Reflection(ReflectionIssueType::NonExistentParameter),
        Self::Reflection(ReflectionIssueType::IncorrectParameterType),
        Self::Reflection(ReflectionIssueType::MissingRequiredParameter),
        Self::Reflection(ReflectionIssueType::AllowedValuesViolation),
        Self::Reflection(ReflectionIssueType::JsonSchemaViolation),
        Self::Reflection(ReflectionIssueType::EmptyApiSpec),
        Self::Reflection(ReflectionIssueType::InvalidApiSpec),
        Self::Reflection(ReflectionIssueType::InvalidToolCall),
        Self::Reflection(ReflectionIssueType::GeneralHallucinationCheck),
        Self::Reflection(ReflectionIssueType::GeneralValueFormatAlignment),
        Self::Reflection(ReflectionIssueType::FunctionSelectionAppropriateness),
        Self::Reflection(ReflectionIssueType::AgenticConstraintsSatisfaction),
        Self::Reflection(ReflectionIssueType::ParameterHallucinationCheck),
        Self::Reflection(ReflectionIssueType::ParameterValueFormatAlignment),
    ];

    /// The kind as results write it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Call(kind) => kind.label(),
            Self::Result(kind) => kind.label(),
            Self::Reflection(kind) => kind.label(),
        }
    }
}

impl From<ToolUseIssueType> for FoundType {
    fn from(kind: ToolUseIssueType) -> Self {
        Self::Call(kind)
    }
}

impl From<ResultIssueType> for FoundType {
    fn from(kind: ResultIssueType) -> Self {
        Self::Result(kind)
    }
}

impl From<ReflectionIssueType> for FoundType {
    fn from(kind: ReflectionIssueType) -> Self {
        Self::Reflection(kind)
    }
}

/// What of a trajectory is checked.
enum Scope {
    /// The conversation: its calls, what came back, and what was made of it.
    Conversation,
    /// Each call by itself, as if it had not run yet.
    Calls { repair: bool, judged: JudgedCalls },
}

/// Checks trajectories by the tools that are given or, where none are, by those that each carries.
pub struct Checker<'c, 'a> {
    tools: &'c ToolSet,
    options: &'c CheckOptions,
    carried: &'c mut ToolCache,
    reader: Reader<'a>,
    baseline: Option<&'c Baseline>,
    meanings: Meanings<'a>,
    scope: Scope,
}

impl<'c, 'a> Checker<'c, 'a> {
    /// A checker of what `reader` reads; the tools that trajectories carry are mostly the same and are
    /// kept in `carried`.
    pub fn new(
        tools: &'c ToolSet,
        options: &'c CheckOptions,
        carried: &'c mut ToolCache,
        reader: Reader<'a>,
    ) -> Self {
        Self {
            tools,
            options,
            carried,
            reader,
            baseline: None,
            meanings: Meanings::default(),
            scope: Scope::Conversation,
        }
    }

    /// Checks each call by itself, as if it had not run yet.
    pub fn reflecting(mut self, setting: ReflectSetting) -> Self {
        self.scope = Scope::Calls {
            repair: setting.repair,
            judged: JudgedCalls::of(setting.judged),
        };
        self
    }

    /// Holds what it finds to what an earlier check found.
    pub fn against(mut self, baseline: &'c Baseline) -> Self {
        self.baseline = Some(baseline);
        self
    }

    /// Marks what the baseline has, too, in reports on the trajectories of one document, and decides anew
    /// which of them pass.
    pub fn mark_known(
        &self,
        source: Option<&str>,
        line: Option<usize>,
        reports: &mut [TrajectoryReport],
    ) {
        let Some(baseline) = self.baseline else {
            return;
        };
        for report in reports {
            baseline.mark(source, line, report);
            report.passed = passes(report, self.options.gate.fail_on);
        }
    }

    /// What it looks for.
    pub fn options(&self) -> &'c CheckOptions {
        self.options
    }

    /// What reads its documents.
    pub fn reader(&self) -> Reader<'a> {
        self.reader
    }

    /// A report for each of the trajectories of one document, which stands at `line` of its file.
    ///
    /// # Errors
    /// When the tools that a trajectory carries are no tool definitions, or their schemas not valid;
    /// when a limit is passed.
    pub fn check(
        &mut self,
        imported: &Imported<Vec<Trajectory<'a>>, TrajectoryFormat>,
        line: Option<usize>,
    ) -> Result<Vec<TrajectoryReport>> {
        let mut reports = Vec::with_capacity(imported.value.len());
        for (index, trajectory) in imported.value.iter().enumerate() {
            let carried = match trajectory.tools {
                Some(own) if !self.tools.is_given() => {
                    Some(compile_carried(self.carried, own, self.reader)?)
                }
                _ => None,
            };
            let tools = carried.as_deref().unwrap_or(self.tools);
            reports.push(match &self.scope {
                Scope::Conversation => {
                    let meanings = &mut self.meanings;
                    check_trajectory(index, trajectory, tools, self.options, meanings)?
                }
                Scope::Calls { repair, judged } => {
                    let calls = ReflectedTrajectory {
                        trajectory,
                        index,
                        line,
                        specification: match tools.names().is_empty() {
                            true => Specification::Empty,
                            false => Specification::Tools(tools),
                        },
                        repair: *repair,
                        judged,
                        limits: self.options.validate.limits,
                    };
                    reflect_trajectory(&calls, tools, self.options, self.reader)?
                }
            });
        }
        Ok(reports)
    }
}

fn compile_carried<'a>(
    carried: &mut ToolCache,
    tools: Json<'a>,
    reader: Reader<'a>,
) -> Result<std::rc::Rc<ToolSet>> {
    let definitions = serde_json::to_vec(&tools).unwrap_or_default();
    carried.get(&definitions, &[], || {
        let place = Path::root().key("tools");
        let imported = import_tools(tools, reader).map_err(|error| error.inside(&place))?;
        ToolSet::compile(&imported.value, &Compiler::new(Vec::new()))
    })
}

fn check_trajectory<'a>(
    index: usize,
    trajectory: &Trajectory<'a>,
    tools: &ToolSet,
    options: &CheckOptions,
    meanings: &mut Meanings<'a>,
) -> Result<TrajectoryReport> {
    let validate = &options.validate;
    let Validated {
        mut results,
        usages,
        misattributed,
    } = validate_one_of_many(trajectory, tools, validate, meanings)?;
    leave_out_needless_arguments(&mut results, tools, validate.strict);
    let scope = VerdictScope {
        results: validate.check_result_usage,
        schemas: validate.validate_schemas,
        replies: validate.detect_hallucination,
        limits: validate.limits,
    };
    let mut result_issues = verdict_issues(trajectory, tools, &usages, misattributed, scope)?;
    leave_out_errors_of_unknown_tools(&mut result_issues, &results);
    let mut report = TrajectoryReport {
        index,
        id: trajectory.trajectory_id.map(str::to_owned),
        valid: results.iter().all(|result| result.valid),
        passed: true,
        has_tools: tools.is_given(),
        score: mean(results.iter().map(|result| result.score)),
        turns: trajectory.turns.len(),
        calls: trajectory.call_count(),
        results,
        result_issues,
        ignored: 0,
        unjudged: Unjudged::of(trajectory),
        judges_results: validate.check_result_usage,
        reflection_issues: Vec::new(),
        repairs: Vec::new(),
    };
    options.rules.apply(&mut report, validate.strict);
    report.passed = passes(&report, options.gate.fail_on);
    Ok(report)
}

/// Leaves out that a call has no arguments where its tool needs none, as some protocols let clients omit them.
fn leave_out_needless_arguments(results: &mut [ValidationResult], tools: &ToolSet, strict: bool) {
    for result in results {
        let before = result.issues.len();
        result.issues.retain(|issue| {
            let tool = issue
                .tool_name
                .as_deref()
                .and_then(|name| tools.resolve(name));
            issue.kind != ToolUseIssueType::MissingArguments
                || !tool.is_some_and(Tool::accepts_no_arguments)
        });
        if result.issues.len() < before {
            result.settle(strict);
        }
    }
}

/// Leaves out the errors that say that a tool does not exist: the issue `tool_not_found` of the call says so.
fn leave_out_errors_of_unknown_tools(issues: &mut Vec<ResultIssue>, results: &[ValidationResult]) {
    let unknown: BTreeSet<_> = results
        .iter()
        .flat_map(|result| &result.issues)
        .filter(|issue| issue.kind == ToolUseIssueType::ToolNotFound)
        .map(|issue| (issue.turn_id, Some(issue.details.call_index)))
        .collect();
    issues.retain(|issue| {
        issue.kind != ResultIssueType::ErrorResult
            || !unknown.contains(&(issue.turn_id, issue.details.call_index))
    });
}

fn reflect_trajectory<'a>(
    calls: &ReflectedTrajectory<'_, 'a>,
    tools: &ToolSet,
    options: &CheckOptions,
    reader: Reader<'a>,
) -> Result<TrajectoryReport> {
    let found = calls.reflect(reader)?;
    let trajectory = calls.trajectory;
    let count = trajectory.call_count();
    let is_critical = |issue: &ReflectionIssue| issue.severity == Severity::Critical;
    let mut report = TrajectoryReport {
        index: calls.index,
        id: trajectory.trajectory_id.map(str::to_owned),
        valid: !found.issues.iter().any(is_critical),
        passed: true,
        has_tools: tools.is_given(),
        score: (count > 0 && !tools.names().is_empty())
            .then(|| round(found.right as f64 / count as f64)),
        turns: trajectory.turns.len(),
        calls: count,
        results: Vec::new(),
        result_issues: Vec::new(),
        ignored: 0,
        unjudged: Vec::new(),
        judges_results: true,
        reflection_issues: found.issues,
        repairs: found.repairs,
    };
    options.rules.apply(&mut report, false);
    report.passed = passes(&report, options.gate.fail_on);
    Ok(report)
}

fn passes(report: &TrajectoryReport, fail_on: FailOn) -> bool {
    !report
        .issues()
        .any(|issue| !issue.known && fail_on.fails(issue.severity))
}
