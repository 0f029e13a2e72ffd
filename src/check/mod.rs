//! Checks trajectories one after the other: the calls, results and replies of each.

mod rules;

pub use rules::{IgnoredFinding, RuleLevel, Rules};

use std::collections::BTreeSet;

use crate::baseline::Baseline;
use crate::finding::{TrajectoryReport, Unjudged};
use toolgauge_base::gate::{FailOn, GateOptions, mean};
use toolgauge_base::issue::{Severity, round};
use toolgauge_base::options::Options;
use toolgauge_base::trials::TaskName;
use toolgauge_formats::{ImportWarning, Imported, TrajectoryFormat, logged_tools};
use toolgauge_grounding::Meanings;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Reader, Trajectory};
use toolgauge_reflect::{
    JudgedCalls, ReflectSetting, ReflectedTrajectory, ReflectionIssue, Specification,
};
use toolgauge_schema::{Compiler, Tool, ToolCache, ToolSet};
use toolgauge_validate::{
    ToolUseIssueType, ValidateOptions, Validated, ValidationResult, validate_one_of_many,
};
use toolgauge_verify::{ResultIssue, ResultIssueType, VerdictScope, verdict_issues};

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
    /// The field of a trajectory that names its task, such as `metadata.task_id`. Trajectories of one task are
    /// its trials. Default: `task_id`, or else the id of the trajectory.
    pub task_key: Option<String>,
}

impl CheckOptions {
    /// Takes the check's own options out of `options`; the rest are those of validation.
    ///
    /// # Errors
    /// [`toolgauge_model::error::Error::InvalidOption`] for an unknown option or a wrong value.
    pub fn read(mut options: Options) -> Result<Self> {
        Ok(Self {
            gate: GateOptions::take(&mut options)?,
            format: options.take("format")?,
            rules: Rules::take(&mut options)?,
            task_key: options.take("taskKey")?,
            validate: ValidateOptions::read(options)?,
        })
    }
}

impl CheckOptions {
    /// Whether the totals keep the counts by task.
    pub fn wants_tasks(&self) -> bool {
        self.task_key.is_some() || self.gate.pass.needs_tasks()
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

    /// Returns a report for each trajectory of one document, which is at `line` of its file. Adds a warning to the
    /// document for each definition that a trajectory carries and that can't be read.
    ///
    /// # Errors
    /// If a limit is exceeded.
    pub fn check(
        &mut self,
        imported: &mut Imported<Vec<Trajectory<'a>>, TrajectoryFormat>,
        line: Option<usize>,
    ) -> Result<Vec<TrajectoryReport>> {
        let mut reports = Vec::with_capacity(imported.value.len());
        let task_key = self.options.task_key.as_deref();
        for (index, trajectory) in imported.value.iter().enumerate() {
            let carried = match trajectory.tools {
                Some(own) if !self.tools.is_given() => {
                    Some(compile_carried(self.carried, own, self.reader)?)
                }
                _ => None,
            };
            if let Some(carried) = &carried {
                warn_of_unread(carried, &mut imported.warnings);
            }
            // If a log declares no tool that can be read, no tool is unknown.
            let carried = carried.filter(|tools| !tools.names().is_empty());
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
                        specification: match tools.is_empty() {
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
            if let Some(report) = reports.last_mut() {
                report.task = TaskName::of(trajectory, task_key);
            }
        }
        Ok(reports)
    }
}

/// Compiles the tools that a trajectory carries.
fn compile_carried<'a>(
    carried: &mut ToolCache,
    tools: Json<'a>,
    reader: Reader<'a>,
) -> Result<std::rc::Rc<ToolSet>> {
    let definitions = serde_json::to_vec(&tools).unwrap_or_default();
    carried.get(&definitions, &[], || {
        let read = logged_tools(tools, reader);
        let compiler = Compiler::new(Vec::new());
        Ok(ToolSet::compile_sound(&read.tools, read.unread, &compiler))
    })
}

/// Adds a warning for each definition that can't be read, unless there is the same already: the trajectories of a
/// document often carry the same tools.
fn warn_of_unread(tools: &ToolSet, warnings: &mut Vec<ImportWarning>) {
    for unread in tools.unread() {
        let warning = ImportWarning {
            path: Path::root().key("tools").join(&unread.path).to_string(),
            message: unread.reason.describe(),
        };
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
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
        task: TaskName::Id,
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
        task: TaskName::Id,
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
