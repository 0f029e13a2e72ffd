//! Checks one input with all its trajectories, as `checkTrajectories` does.

use serde::Serialize;

use super::chunk::Place;
use super::summary::CheckSummary;
use crate::check::{CheckOptions, Checker};
use crate::finding::TrajectoryReport;
use toolgauge_base::gate::Gate;
use toolgauge_base::trials::Trials;
use toolgauge_formats::{ImportWarning, Imported, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Reader, Trajectory};
use toolgauge_schema::{ToolCache, ToolSet};

/// The results for all trajectories of one input.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CheckReport {
    /// The format that the input was read from.
    pub format: TrajectoryFormat,
    /// A report for each trajectory, in the order of the input.
    pub trajectories: Vec<TrajectoryReport>,
    /// The counts.
    pub summary: CheckSummary,
    /// Whether the input passes.
    pub gate: Gate,
    /// What several trials of one task show; absent if each task has only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub trials: Option<Trials>,
    /// Warnings about unreadable parts of the input and about options without effect.
    pub warnings: Vec<ImportWarning>,
}

/// Checks all imported trajectories. Without `tools`, each trajectory is checked against the tools that it
/// carries; what in them can't be read is added to the warnings.
///
/// # Errors
/// As [`Checker::check`].
pub fn check_trajectories<'a>(
    imported: &mut Imported<Vec<Trajectory<'a>>, TrajectoryFormat>,
    tools: &ToolSet,
    options: &CheckOptions,
    reader: Reader<'a>,
) -> Result<CheckReport> {
    let mut carried = ToolCache::new();
    let trajectories = Checker::new(tools, options, &mut carried, reader).check(imported, None)?;
    let mut summary = CheckSummary::default();
    summary.add_document(imported.warnings.len());
    for (trajectory, report) in imported.value.iter().zip(&trajectories) {
        summary.add(Place::default(), trajectory, report, imported.format);
    }
    let gate = summary.gate(&options.gate);
    let trials = summary.finish(options.wants_tasks());
    let mut warnings = imported.warnings.clone();
    if summary.calls == 0 {
        warnings.push(ImportWarning {
            path: String::new(),
            message: format!(
                "the input, read as {}, contains no tool calls",
                imported.format.label()
            ),
        });
    }
    Ok(CheckReport {
        format: imported.format,
        gate,
        trajectories,
        summary,
        trials,
        warnings,
    })
}
