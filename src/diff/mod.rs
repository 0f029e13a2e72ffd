//! Compares two runs of the same tasks: which tasks got better or worse, which issues are new or gone, and how sure the
//! difference is.
//!
//! A [`Run`] counts the trials of each task, so that it can be read in parts. [`compare`] compares two of them.

mod compare;
mod documents;
mod run;
pub mod statistics;
#[cfg(test)]
mod tests;
mod trial;

pub use compare::{
    Comparison, Conclusion, DiffOptions, IssueChange, RunDiff, RunTotals, Stability, TaskChange,
    TaskDirection, TaskResult, compare,
};
pub use documents::{Measuring, RunReader};
pub use run::{IssueKey, Measure, Run};
pub use trial::{Trial, TrialIssue};
