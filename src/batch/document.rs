//! One document of a batch: a file, or one line of a file with a document per line.

use serde::Serialize;

use super::chunk::Place;
use super::summary::CheckSummary;
use crate::check::Checker;
use crate::finding::TrajectoryReport;
use toolgauge_formats::{ImportWarning, Imported, TrajectoryFormat, import_trajectories};
use toolgauge_model::error::{ErrorReport, Result};
use toolgauge_model::{Json, Trajectory};

/// A document that was checked, or the reason why it was not.
pub struct CheckedDocument<'p, 'a> {
    /// The location of the document.
    pub place: Place<'p>,
    /// Its trajectories with their reports, or the error.
    pub outcome: std::result::Result<Checked<'a>, ErrorReport>,
}

/// The trajectories of a document with their reports.
pub struct Checked<'a> {
    /// Its trajectories.
    pub imported: Imported<Vec<Trajectory<'a>>, TrajectoryFormat>,
    /// A report for each trajectory.
    pub reports: Vec<TrajectoryReport>,
}

/// The report on one trajectory of a batch: a line of `toolgauge check --format jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct TrajectoryVerdict<'v> {
    /// The location of its document.
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub place: Place<'v>,
    /// The format that it was read from.
    pub format: TrajectoryFormat,
    /// Returns the report.
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub report: &'v TrajectoryReport,
    /// The import warnings of its document, with the first of its trajectories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warnings: Option<&'v [ImportWarning]>,
}

/// A document of a batch that could not be read: a line of `toolgauge check --format jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct UnreadDocument<'v> {
    /// The location of the document.
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub place: Place<'v>,
    /// The reason.
    pub error: &'v ErrorReport,
}

impl<'p, 'a> CheckedDocument<'p, 'a> {
    /// Imports and checks the document `json`, if it could be read.
    pub fn check(
        place: Place<'p>,
        json: std::result::Result<Json<'a>, ErrorReport>,
        checker: &mut Checker<'_, 'a>,
    ) -> Self {
        let checked = |json| check(place, json, checker).map_err(|error| error.report());
        let outcome = json.and_then(checked);
        Self { place, outcome }
    }

    /// Adds the results to the totals.
    pub fn add_to(&self, summary: &mut CheckSummary) {
        let Ok(checked) = &self.outcome else {
            return summary.add_unread();
        };
        summary.add_document(checked.imported.warnings.len());
        for (trajectory, report) in checked.trajectories() {
            summary.add(self.place, trajectory, report, checked.imported.format);
        }
    }

    /// Returns the verdicts on its trajectories.
    pub fn verdicts(&self) -> impl Iterator<Item = TrajectoryVerdict<'_>> {
        self.outcome.iter().flat_map(move |checked| {
            let warnings = checked.imported.warnings.as_slice();
            let mut warnings = Some(warnings).filter(|warnings| !warnings.is_empty());
            checked.reports.iter().map(move |report| TrajectoryVerdict {
                place: self.place,
                format: checked.imported.format,
                report,
                warnings: warnings.take(),
            })
        })
    }

    /// Returns the reason why it could not be read, if so.
    pub fn unread(&self) -> Option<UnreadDocument<'_>> {
        let error = self.outcome.as_ref().err()?;
        let place = self.place;
        Some(UnreadDocument { place, error })
    }
}

fn check<'a>(
    place: Place<'_>,
    json: Json<'a>,
    checker: &mut Checker<'_, 'a>,
) -> Result<Checked<'a>> {
    let mut imported = import_trajectories(json, checker.options().format, checker.reader())?;
    let mut reports = checker.check(&mut imported, place.line)?;
    checker.mark_known(place.source, place.line, &mut reports);
    Ok(Checked { imported, reports })
}

impl<'a> Checked<'a> {
    /// Returns the trajectories, each with its report.
    pub fn trajectories(&self) -> impl Iterator<Item = (&Trajectory<'a>, &TrajectoryReport)> {
        self.imported.value.iter().zip(&self.reports)
    }
}
