//! Many trajectories at once: a result for each, a summary, and a gate, as `checkTrajectories` and
//! the command line give them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::formats::{ImportWarning, Imported, TrajectoryFormat, import_tools};
use crate::gate::{Gate, mean, score_failure};
use crate::grounding::Meanings;
use crate::issue::{Issue, IssueType, Severity};
use crate::model::{Json, Path, Reader, Trajectory};
use crate::options::Options;
use crate::schema::{Compiler, ToolSet};
use crate::validate::{ToolUseIssueType, ValidateOptions, ValidationResult, validate_one_of_many};
use crate::verify::{ResultIssue, ResultIssueType, malformed_results};

/// What a check looks for, and what makes it fail.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields, rename_all = "camelCase"))]
pub struct CheckOptions {
    /// What validation looks for.
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub validate: ValidateOptions,
    /// The least mean score that passes, from 0 to 1. Default: any.
    pub min_score: Option<f64>,
    /// The least severity that fails, or `never`. Default `high`.
    #[cfg_attr(feature = "typescript", ts(as = "Option<FailOn>"))]
    pub fail_on: FailOn,
    /// The format of the input. Default: the one that it looks like.
    pub format: Option<TrajectoryFormat>,
}

/// The least severity of an issue that makes a check fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum FailOn {
    /// Any issue.
    Low,
    /// Medium, high or critical ones.
    Medium,
    /// High or critical ones.
    #[default]
    High,
    /// Critical ones.
    Critical,
    /// None.
    Never,
}

impl FailOn {
    fn severity(self) -> Option<Severity> {
        match self {
            Self::Low => Some(Severity::Low),
            Self::Medium => Some(Severity::Medium),
            Self::High => Some(Severity::High),
            Self::Critical => Some(Severity::Critical),
            Self::Never => None,
        }
    }
}

impl CheckOptions {
    /// The check's own options out of `options`; the rest are those of validation.
    ///
    /// # Errors
    /// [`crate::error::Error::InvalidOption`] for an unknown option or a wrong value.
    pub fn read(mut options: Options) -> Result<Self> {
        Ok(Self {
            min_score: options.take("minScore")?,
            fail_on: options.take("failOn")?.unwrap_or_default(),
            format: options.take("format")?,
            validate: ValidateOptions::read(options)?,
        })
    }
}

/// The results of all trajectories of one input.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CheckReport {
    /// The format that the input was read from.
    pub format: TrajectoryFormat,
    /// A report for each trajectory, in the order of the input.
    pub trajectories: Vec<TrajectoryReport>,
    /// The totals.
    pub summary: CheckSummary,
    /// Whether the input passes.
    pub gate: Gate,
    /// What could not be read, or was not found at all.
    pub warnings: Vec<ImportWarning>,
}

/// The results of one trajectory.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct TrajectoryReport {
    /// Its place in the input, from 0.
    pub index: usize,
    /// The id that the source gives it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Whether no issue is critical.
    pub valid: bool,
    /// The mean score of the turns that call tools, from 0 to 1, to 3 decimals; `null` without any.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    pub score: Option<f64>,
    /// How many turns it has.
    pub turns: usize,
    /// How many tools it calls.
    pub calls: usize,
    /// A result for each agent turn that calls tools.
    pub results: Vec<ValidationResult>,
    /// The issues `malformed_result` of results that are not what the output schemas of their tools
    /// declare, in the order of the calls. They count in the summary and the gate, not in the score.
    #[cfg_attr(feature = "typescript", ts(type = "Array<ResultIssue>"))]
    pub malformed_results: Vec<ResultIssue>,
}

impl TrajectoryReport {
    /// All issues: those of the calls, then those of the results.
    pub fn issues(&self) -> impl Iterator<Item = Found<'_>> {
        let calls = self.results.iter().flat_map(|result| &result.issues);
        let results = self.malformed_results.iter();
        calls.map(Found::of).chain(results.map(Found::of))
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
}

impl<'i> Found<'i> {
    /// What is told of `issue`.
    pub fn of<Type: Copy + Into<FoundType>, Details>(issue: &'i Issue<Type, Details>) -> Self {
        Self {
            kind: issue.kind.into(),
            severity: issue.severity,
            description: &issue.description,
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
}

impl FoundType {
    /// The kind as results write it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Call(kind) => kind.label(),
            Self::Result(kind) => kind.label(),
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

/// Totals over many trajectories.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CheckSummary {
    /// How many trajectories there are.
    pub trajectories: usize,
    /// How many of them have no critical issue.
    pub valid: usize,
    /// How many of them have no issue at all.
    pub clean: usize,
    /// How many turns they have.
    pub turns: usize,
    /// How many tools they call.
    pub calls: usize,
    /// How many issues were found.
    pub issues: usize,
    /// How many of each type; types that do not occur are absent.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "Partial<Record<ToolUseIssueType | ResultIssueType, number>>")
    )]
    pub issues_by_type: BTreeMap<FoundType, usize>,
    /// How many of each severity.
    #[cfg_attr(feature = "typescript", ts(type = "Record<Severity, number>"))]
    pub issues_by_severity: BTreeMap<Severity, usize>,
    /// The mean score of the trajectories that call tools, from 0 to 1, to 3 decimals; `null`
    /// without any.
    pub score: Option<f64>,
}

/// Checks all imported trajectories. Where no `tools` are given, those count that a trajectory itself
/// carries.
///
/// # Errors
/// When the tools that a trajectory carries are no tool definitions, or their schemas not valid.
pub fn check_trajectories<'a>(
    imported: &Imported<Vec<Trajectory<'a>>, TrajectoryFormat>,
    tools: &ToolSet,
    options: &CheckOptions,
    reader: Reader<'a>,
) -> Result<CheckReport> {
    let mut carried = CarriedTools::default();
    let mut meanings = Meanings::default();
    let mut trajectories = Vec::with_capacity(imported.value.len());
    for (index, trajectory) in imported.value.iter().enumerate() {
        let tools = match trajectory.tools {
            Some(own) if !tools.is_given() => carried.compile(own, reader)?,
            _ => tools,
        };
        trajectories.push(check_trajectory(
            index,
            trajectory,
            tools,
            &options.validate,
            &mut meanings,
        )?);
    }
    let summary = summarize(&trajectories);
    let mut warnings = imported.warnings.clone();
    if summary.calls == 0 {
        warnings.push(ImportWarning {
            path: String::new(),
            message: format!(
                "read as {}, the input holds no tool call",
                imported.format.label()
            ),
        });
    }
    Ok(CheckReport {
        format: imported.format,
        gate: gate(&summary, options),
        trajectories,
        summary,
        warnings,
    })
}

/// The tools that trajectories carry themselves; in a row of trajectories they are mostly the same.
#[derive(Default)]
struct CarriedTools<'a> {
    latest: Option<(Json<'a>, ToolSet)>,
}

impl<'a> CarriedTools<'a> {
    fn compile(&mut self, tools: Json<'a>, reader: Reader<'a>) -> Result<&ToolSet> {
        if self
            .latest
            .as_ref()
            .is_none_or(|(latest, _)| *latest != tools)
        {
            let place = Path::root().key("tools");
            let imported = import_tools(tools, reader).map_err(|error| error.inside(&place))?;
            let compiled = ToolSet::compile(&imported.value, &Compiler::new(Vec::new()))?;
            self.latest = Some((tools, compiled));
        }
        Ok(self
            .latest
            .as_ref()
            .map(|(_, tools)| tools)
            .expect("just compiled"))
    }
}

fn check_trajectory<'a>(
    index: usize,
    trajectory: &Trajectory<'a>,
    tools: &ToolSet,
    options: &ValidateOptions,
    meanings: &mut Meanings<'a>,
) -> Result<TrajectoryReport> {
    let results = validate_one_of_many(trajectory, tools, options, meanings)?;
    let malformed_results = match options.check_result_usage && options.validate_schemas {
        true => malformed_results(trajectory, tools, options.limits)?,
        false => Vec::new(),
    };
    Ok(TrajectoryReport {
        index,
        id: trajectory.trajectory_id.map(str::to_owned),
        valid: results.iter().all(|result| result.valid),
        score: mean(results.iter().map(|result| result.score)),
        turns: trajectory.turns.len(),
        calls: trajectory.call_count(),
        results,
        malformed_results,
    })
}

fn summarize(trajectories: &[TrajectoryReport]) -> CheckSummary {
    let mut issues_by_type = BTreeMap::new();
    let mut issues_by_severity: BTreeMap<_, _> = Severity::ALL.map(|severity| (severity, 0)).into();
    let mut issues = 0;
    for issue in trajectories.iter().flat_map(TrajectoryReport::issues) {
        issues += 1;
        *issues_by_type.entry(issue.kind).or_default() += 1;
        *issues_by_severity.entry(issue.severity).or_default() += 1;
    }
    let count = |matches: fn(&TrajectoryReport) -> bool| {
        trajectories.iter().filter(|report| matches(report)).count()
    };
    CheckSummary {
        trajectories: trajectories.len(),
        valid: count(|report| report.valid),
        clean: count(|report| report.issues().next().is_none()),
        turns: trajectories.iter().map(|report| report.turns).sum(),
        calls: trajectories.iter().map(|report| report.calls).sum(),
        issues,
        issues_by_type,
        issues_by_severity,
        score: mean(trajectories.iter().filter_map(|report| report.score)),
    }
}

fn gate(summary: &CheckSummary, options: &CheckOptions) -> Gate {
    let least = options.fail_on.severity();
    let failing: usize = summary
        .issues_by_severity
        .iter()
        .filter(|(severity, _)| least.is_some_and(|least| **severity >= least))
        .map(|(_, count)| count)
        .sum();
    let by_issues = (failing > 0).then(|| {
        let least = least.unwrap_or(Severity::Low).label();
        let issues = if failing == 1 {
            "issue is"
        } else {
            "issues are"
        };
        format!("{failing} {issues} {least} or worse")
    });
    let by_score = score_failure(summary.score, options.min_score);
    Gate::of(by_issues.into_iter().chain(by_score).collect())
}
