//! Checks trajectories one after the other: the calls, results and replies of each.

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

/// The options of a check and its gate.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields, rename_all = "camelCase"))]
pub struct CheckOptions {
    /// What validation checks.
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub validate: ValidateOptions,
    /// When the check fails.
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub gate: GateOptions,
    /// The format of the input. Default: detected.
    pub format: Option<TrajectoryFormat>,
    /// The severity of each issue type, and the findings to ignore.
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub rules: Rules,
}

impl CheckOptions {
    /// Takes the check's own options out of `options`; the rest are those of validation.
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

/// The report on one trajectory.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct TrajectoryReport {
    /// Its position in the input, from 0; for JSON lines its position in its line.
    pub index: usize,
    /// The id from the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// `true` unless an issue is critical.
    pub valid: bool,
    /// `true` if all issues are below `failOn`.
    pub passed: bool,
    /// The mean score of the turns that call tools, from 0 to 1, to 3 decimals; `null` if there are none.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    pub score: Option<f64>,
    /// Whether it was checked against tool definitions, given ones or its own.
    pub has_tools: bool,
    /// The number of turns.
    pub turns: usize,
    /// The number of tool calls.
    pub calls: usize,
    /// One result for each agent turn that calls tools.
    pub results: Vec<ValidationResult>,
    /// The issues of results and of the replies to them. An issue about a reply names the turn of the reply
    /// and quotes its sentence. These issues count in the summary and the gate but not in the score.
    #[cfg_attr(feature = "typescript", ts(type = "Array<ResultIssue>"))]
    pub result_issues: Vec<ResultIssue>,
    /// The issues of calls checked by themselves. If calls are reflected on, all other issues are empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "Array<ReflectionIssue>"))]
    pub reflection_issues: Vec<ReflectionIssue>,
    /// The repairs of invalid calls, if calls are repaired.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<CallRepair>>"))]
    pub repairs: Vec<CallRepair>,
    /// How many findings the option `ignore` left out.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub ignored: usize,
    /// What could not be checked; each reason once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<Unjudged>>"))]
    pub unjudged: Vec<Unjudged>,
    /// Whether results were checked. A call then also counts as failed if its result is an error.
    #[serde(skip)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub judges_results: bool,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Why a part of a trajectory could not be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Unjudged {
    /// The log contains no results, so neither results nor the replies to them can be checked.
    NoResults,
    /// The log contains no user message and no instructions, so invented facts can't be distinguished from
    /// those of the request.
    NoRequest,
    /// The platform ran tools and kept their results, so facts in later replies can't be looked up.
    HiddenResults,
}

impl Unjudged {
    /// Returns the reason as results write it.
    pub fn label(self) -> &'static str {
        match self {
            Self::NoResults => "no_results",
            Self::NoRequest => "no_request",
            Self::HiddenResults => "hidden_results",
        }
    }

    /// Returns the reason as a phrase.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::NoResults => {
                "the log contains no results, so neither results nor the replies to them are checked"
            }
            Self::NoRequest => {
                "the log contains no user message and no instructions, so facts in replies are not checked"
            }
            Self::HiddenResults => {
                "the log lacks the results of platform tools, so facts in the replies after them are not checked"
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
    /// Returns all issues: those of calls, then of results, then of reflections.
    pub fn issues(&self) -> impl Iterator<Item = Found<'_>> {
        let calls = self.results.iter().flat_map(|result| &result.issues);
        let results = self.result_issues.iter();
        let reflections = self.reflection_issues.iter();
        calls
            .map(Found::call)
            .chain(results.map(Found::result))
            .chain(reflections.map(Found::reflection))
    }

    /// Recomputes what follows from the issues.
    fn settle(&mut self) {
        let worst = self.issues().map(|issue| issue.severity).max();
        self.valid = worst != Some(Severity::Critical);
        if self.reflection_issues.is_empty() && !self.results.is_empty() {
            self.score = mean(self.results.iter().map(|result| result.score));
        }
    }
}

/// An issue from any source, in the form that reports and totals use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found<'i> {
    /// The type.
    pub kind: FoundType,
    /// The severity.
    pub severity: Severity,
    /// A sentence for people.
    pub description: &'i str,
    /// The number of the turn that made the call, or of the reply.
    pub turn_id: Option<i64>,
    /// The part of the turn that it is about.
    pub subject: Subject,
    /// The tool's name as it was called; absent if the call has none.
    pub tool: Option<&'i str>,
    /// The path in the arguments or the result; empty for the whole.
    pub path: &'i str,
    /// Whether the baseline contains it.
    pub known: bool,
}

/// The part of a turn that an issue is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A call, by its position among the calls of the turn, from 0.
    Call(usize),
    /// The reply of the agent.
    Reply,
}

impl<'i> Found<'i> {
    /// Converts an issue of validation. Invented facts are about the reply that states them, not about the
    /// call.
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

    /// Converts an issue of a result, or of the reply to it.
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

    /// Converts an issue of a call checked by itself.
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

/// The issue types of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub enum FoundType {
    /// Of a call.
    Call(ToolUseIssueType),
    /// Of a result.
    Result(ResultIssueType),
    /// Of a call checked by itself.
    Reflection(ReflectionIssueType),
}

impl FoundType {
    /// All types: those of calls, then of results, then of calls by themselves.
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

    /// Returns the type as results write it.
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

/// The part of a trajectory that is checked.
enum Scope {
    /// The conversation: its calls, their results and the replies.
    Conversation,
    /// Each call by itself, as if it had not run yet.
    Calls { repair: bool, judged: JudgedCalls },
}

/// Checks trajectories against the given tools or, if none are given, against those that each carries.
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
    /// Creates a checker for documents of `reader`. Tools that trajectories carry are usually the same, so
    /// `carried` caches them.
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

    /// Makes it check each call by itself, as if it had not run yet.
    pub fn reflecting(mut self, setting: ReflectSetting) -> Self {
        self.scope = Scope::Calls {
            repair: setting.repair,
            judged: JudgedCalls::of(setting.judged),
        };
        self
    }

    /// Makes it compare its issues with those of an earlier check.
    pub fn against(mut self, baseline: &'c Baseline) -> Self {
        self.baseline = Some(baseline);
        self
    }

    /// Marks the issues that the baseline contains, in the reports on one document, and recomputes which
    /// trajectories pass.
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

    /// Returns the options of the check.
    pub fn options(&self) -> &'c CheckOptions {
        self.options
    }

    /// Returns the reader of its documents.
    pub fn reader(&self) -> Reader<'a> {
        self.reader
    }

    /// Returns a report for each trajectory of one document, which is at `line` of its file.
    ///
    /// # Errors
    /// If a trajectory carries invalid tool definitions or schemas, or if a limit is exceeded.
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

/// Drops the issue of missing arguments for tools that need none, because some protocols let clients omit
/// them.
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

/// Drops errors that report an unknown tool, because the call has the issue `tool_not_found` for that.
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
