//! Results as JUnit XML: a test case for each result, which fails if the result does not pass.

use super::super::syntax::junit::{Failure, Suite, tail as suites_tail};
use super::{Compared, ComparedDocument, ResultClosing};
use crate::batch::ScoreTally;

pub use super::super::syntax::junit::HEAD;

/// Adds the test cases of a document.
pub fn add(document: &ComparedDocument<'_>, suite: &mut Suite, scores: &mut ScoreTally) {
    if let Some(source) = document.place.source {
        suite.set_name(source);
    }
    match &document.outcome {
        Err(error) => suite.add_unread(document.place.line, error),
        Ok((results, _)) => {
            for compared in results {
                scores.add(compared.score);
                add_case(compared, suite);
            }
        }
    }
}

fn add_case(compared: &Compared<'_>, suite: &mut Suite) {
    let described = compared.described();
    let faults = compared.faults().map(|call| Failure {
        kind: call.verdict.label(),
        message: format!("{}: {}", call.tool, call.message()),
        text: call.described(),
    });
    let mut faults: Vec<_> = faults.collect();
    if compared.passed {
        let lines = faults.drain(..).map(|fault| fault.text);
        let output: Vec<_> = std::iter::once(described).chain(lines).collect();
        return suite.add_case(&compared.name(), &[], &output);
    }
    if faults.is_empty() {
        faults.push(Failure {
            kind: "score",
            message: described.clone(),
            text: described.clone(),
        });
    }
    suite.add_case(&compared.name(), &faults, &[described]);
}

/// Returns the suite as XML.
pub fn finish(suite: Suite, scores: ScoreTally) -> String {
    let score = scores.mean();
    let score = score.map_or("none".to_owned(), |score| format!("{score:.3}"));
    suite.into_text(&[("score", score)])
}

/// Returns the text after the suites.
pub fn tail(closing: &ResultClosing<'_>) -> String {
    let (all, passed, _) = closing.counts;
    suites_tail(closing.gate, all == passed)
}
