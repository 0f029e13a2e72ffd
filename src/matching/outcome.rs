//! What an expected call should return.

use super::comparison::{Comparing, PathRule};
use super::difference::{ArgumentDifference, DifferenceKind};
use super::made::MadeOutcome;
use toolgauge_model::Json;

/// The member of a call with its result, which is also how paths inside it start.
pub const RESULT: &str = "result";

/// The member of a call with its error, which is also how paths inside it start.
pub const ERROR: &str = "error";

/// What an expected call should return. By default, anything.
#[derive(Debug, Clone, Default)]
pub struct ExpectedOutcome<'a> {
    /// The result, if it is compared.
    pub result: Option<Json<'a>>,
    /// How the result is compared, by path.
    pub rules: Vec<PathRule<'a>>,
    /// Whether the call should fail.
    pub error: ExpectedError<'a>,
}

/// Whether a call should fail.
#[derive(Debug, Clone, Default)]
pub enum ExpectedError<'a> {
    /// It may fail or not.
    #[default]
    Either,
    /// It should not fail.
    Absent,
    /// It should fail, with any error.
    Present,
    /// It should fail with an error that is compared.
    Like {
        /// The error; `None` if the rule decides alone.
        expected: Option<Json<'a>>,
        /// How the error is compared.
        rules: Vec<PathRule<'a>>,
    },
}

impl<'a> ExpectedOutcome<'a> {
    /// Returns whether it accepts every outcome.
    pub fn is_any(&self) -> bool {
        self.result.is_none()
            && self.rules.is_empty()
            && matches!(self.error, ExpectedError::Either)
    }

    /// Returns the differences of `made`, with paths that start with `result` or `error`.
    pub fn differences(
        &self,
        tool: &str,
        made: MadeOutcome<'a>,
        comparing: &Comparing<'_>,
    ) -> Vec<ArgumentDifference<'a>> {
        let mut found = Vec::new();
        if self.result.is_some() || !self.rules.is_empty() {
            found = comparing.differences_at(RESULT, tool, &self.rules, self.result, made.result);
        }
        let plain = |kind, rule: Option<&str>| ArgumentDifference {
            path: ERROR.to_owned(),
            kind,
            expected: None,
            actual: made.error,
            rule: rule.map(str::to_owned),
            reason: None,
        };
        match (&self.error, made.error) {
            (ExpectedError::Absent, Some(_)) => {
                found.push(plain(DifferenceKind::Unexpected, None));
            }
            (ExpectedError::Present, None) => {
                found.push(plain(DifferenceKind::Missing, Some("an error")));
            }
            (ExpectedError::Like { expected, rules }, actual) => {
                found.extend(comparing.differences_at(ERROR, tool, rules, *expected, actual));
            }
            (ExpectedError::Either, _)
            | (ExpectedError::Absent, None)
            | (ExpectedError::Present, Some(_)) => {}
        }
        found
    }
}
