//! Measures test cases of the correctness metric, one document after the other.

use serde::{Deserialize, Serialize};

use super::chunk::Place;
use super::document::UnreadDocument;
use super::summary::ScoreTally;
use toolgauge_base::gate::{Gate, score_failure, unread_failure};
use toolgauge_formats::ImportWarning;
use toolgauge_model::error::{ErrorReport, Result};
use toolgauge_model::{Json, Reader};
use toolgauge_score::{
    CorrectnessOptions, CorrectnessResult, NamedCase, import_test_cases, measure_correctness,
};

/// A document of test cases that was measured, or the reason why it was not.
pub struct MeasuredDocument<'p, 'a> {
    /// The location of the document.
    pub place: Place<'p>,
    /// The results, or the error.
    pub outcome: std::result::Result<Measured<'a>, ErrorReport>,
}

/// The test cases of a document, each with its result.
pub struct Measured<'a> {
    /// The test cases.
    pub cases: Vec<(NamedCase<'a>, CorrectnessResult)>,
    /// How many trajectories are not test cases because they contain no expected calls.
    pub unmeasured: usize,
    /// What could not be read.
    pub warnings: Vec<ImportWarning>,
}

/// The result of one test case: a line of `toolgauge correctness --format jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CaseVerdict<'v> {
    /// The location of its document.
    #[serde(flatten)]
    pub place: Place<'v>,
    /// Its position in the document, from 0.
    pub index: usize,
    /// The id or name from the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'v str>,
    /// The result.
    #[serde(flatten)]
    pub result: &'v CorrectnessResult,
}

/// Totals over many test cases, all of them counts or sums of integers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct CorrectnessSummary {
    /// How many documents were read.
    pub documents: u64,
    /// How many documents could not be read.
    pub unread: u64,
    /// How many test cases were measured.
    pub cases: u64,
    /// How many trajectories contain no expected calls and were not measured.
    pub unmeasured: u64,
    /// How many test cases reach the threshold.
    pub succeeded: u64,
    /// How many score 1.
    pub perfect: u64,
    /// How many calls were expected.
    pub expected: u64,
    /// How many calls were made.
    pub called: u64,
    /// How many warnings the import gave.
    pub warnings: u64,
    /// The distribution of the scores.
    pub scores: ScoreTally,
    /// The mean of the scores, from 0 to 1, to 3 decimals; `null` if there are none.
    pub score: Option<f64>,
}

/// The gate for all test cases together.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CorrectnessGate {
    /// The lowest mean score that passes, from 0 to 1.
    pub min_score: Option<f64>,
    /// Whether the gate passes if nothing was measured.
    pub allow_empty: bool,
    /// Whether the gate passes although documents could not be read.
    pub allow_errors: bool,
}

impl<'p, 'a> MeasuredDocument<'p, 'a> {
    /// Measures the test cases of the document `json`, if it could be read.
    pub fn measure(
        place: Place<'p>,
        json: std::result::Result<Json<'a>, ErrorReport>,
        options: &CorrectnessOptions,
        reader: Reader<'a>,
    ) -> Self {
        let measured = |json| measure(json, options, reader).map_err(|error| error.report());
        Self {
            place,
            outcome: json.and_then(measured),
        }
    }

    /// Adds the results to the totals.
    pub fn add_to(&self, summary: &mut CorrectnessSummary) {
        summary.documents += 1;
        let Ok(measured) = &self.outcome else {
            summary.unread += 1;
            return;
        };
        summary.unmeasured += measured.unmeasured as u64;
        summary.warnings += measured.warnings.len() as u64;
        for (named, result) in &measured.cases {
            summary.cases += 1;
            summary.succeeded += u64::from(result.success);
            summary.perfect += u64::from(result.score == 1.0);
            summary.expected += named.case.expected_tools.len() as u64;
            summary.called += named.case.tools_called.len() as u64;
            summary.scores.add(result.score);
        }
        summary.score = summary.scores.mean();
    }

    /// Returns the verdicts on its test cases.
    pub fn verdicts(&self) -> impl Iterator<Item = CaseVerdict<'_>> {
        let cases = self.outcome.iter().flat_map(|measured| &measured.cases);
        cases.map(move |(named, result)| CaseVerdict {
            place: self.place,
            index: named.index,
            id: named.id,
            result,
        })
    }

    /// Returns the reason why it could not be read, if so.
    pub fn unread(&self) -> Option<UnreadDocument<'_>> {
        let error = self.outcome.as_ref().err()?;
        let place = self.place;
        Some(UnreadDocument { place, error })
    }
}

fn measure<'a>(
    json: Json<'a>,
    options: &CorrectnessOptions,
    reader: Reader<'a>,
) -> Result<Measured<'a>> {
    let found = import_test_cases(json, options.names(), reader)?;
    let cases = found.cases.into_iter().map(|named| {
        let result = measure_correctness(&named.case, options)?;
        Ok((named, result))
    });
    Ok(Measured {
        cases: cases.collect::<Result<_>>()?,
        unmeasured: found.unmeasured,
        warnings: found.warnings,
    })
}

impl CorrectnessSummary {
    /// Adds the totals of other test cases.
    pub fn merge(&mut self, other: &Self) {
        let sums = [
            (&mut self.documents, other.documents),
            (&mut self.unread, other.unread),
            (&mut self.cases, other.cases),
            (&mut self.unmeasured, other.unmeasured),
            (&mut self.succeeded, other.succeeded),
            (&mut self.perfect, other.perfect),
            (&mut self.expected, other.expected),
            (&mut self.called, other.called),
            (&mut self.warnings, other.warnings),
        ];
        for (sum, more) in sums {
            *sum = sum.saturating_add(more);
        }
        self.scores += other.scores;
        self.score = self.scores.mean();
    }

    /// Passes if every test case reaches its threshold and the mean score reaches its own.
    pub fn gate(&self, options: CorrectnessGate) -> Gate {
        let failed = self.cases.saturating_sub(self.succeeded);
        let by_cases = (failed > 0).then(|| {
            let verb = if failed == 1 { "does" } else { "do" };
            format!(
                "{failed} of {} test cases {verb} not reach the threshold",
                self.cases
            )
        });
        let is_empty = self.cases == 0 && !options.allow_empty;
        let by_emptiness = is_empty.then(|| "no test case was measured".to_owned());
        let by_score = options.min_score.filter(|_| self.cases > 0);
        let by_score = by_score.and_then(|least| score_failure(self.score, Some(least)));
        let by_reading = unread_failure(self.unread, self.documents, options.allow_errors);
        let by_cases = by_reading.into_iter().chain(by_cases);
        let failures = by_cases.chain(by_score).chain(by_emptiness);
        Gate::of(failures.collect())
    }
}
