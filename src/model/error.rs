//! Errors as types. Every error names the place and what was expected there.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Path, short_quotes};

/// A result whose error is a toolgauge [`enum@Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// The reason why an input could not be processed.
///
/// Mistakes of an agent are never errors; they are issues in a result.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Error {
    /// The text is not JSON.
    #[error(
        "not valid JSON: {} at line {line}, column {column}{}",
        short_quotes(reason),
        inside(path)
    )]
    InvalidJson {
        /// What the parser found.
        reason: String,
        /// The line of the error, from 1.
        line: usize,
        /// The column of the error in bytes, from 1.
        column: usize,
        /// The innermost value that was being read.
        path: Path,
    },
    /// A value of the input has the wrong shape.
    #[error(
        "{}expected {}, got {}",
        before(path),
        short_quotes(expected),
        short_quotes(actual)
    )]
    InvalidInput {
        /// The path of the value in the input.
        path: Path,
        /// The expected shape.
        expected: String,
        /// The actual value.
        actual: String,
    },
    /// An option is unknown or has an invalid value.
    #[error("{}{}", before(path), short_quotes(reason))]
    InvalidOption {
        /// The option.
        path: Path,
        /// What is wrong with the call.
        reason: String,
    },
    /// The schema of a tool is not a valid JSON Schema, or can't be used offline.
    #[error("the schema of tool {} is not valid{}: {}", short_quotes(&format!("\"{tool}\"")), at(path), short_quotes(reason))]
    InvalidSchema {
        /// The tool's name.
        tool: String,
        /// The path inside the tool definition.
        path: Path,
        /// What is wrong there.
        reason: String,
    },
    /// The input is JSON, but in no known format.
    #[error("{}no known {kind} format: {}", before(path), short_quotes(reason))]
    UnknownFormat {
        /// The path of the document in the input.
        path: Path,
        /// The kind of document: `trajectory`, `tools`, …
        kind: &'static str,
        /// The most similar format, and what it lacks.
        reason: String,
    },
    /// A limit was exceeded.
    #[error("{limit} is {allowed}, the input needs {}{}", actual.as_deref().unwrap_or("more"), at(path))]
    LimitExceeded {
        /// The option that sets the limit.
        limit: &'static str,
        /// Its value.
        allowed: usize,
        /// The amount that the input needs, if known.
        actual: Option<String>,
        /// The path at which the limit was exceeded.
        path: Path,
    },
}

/// The kind of an error. It is stable across versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The text is not JSON.
    InvalidJson,
    /// A value has the wrong shape.
    InvalidInput,
    /// An option is unknown or has an invalid value.
    InvalidOption,
    /// A tool's schema is not a valid JSON Schema, or can't be used offline.
    InvalidSchema,
    /// The input is JSON, but in no known format.
    UnknownFormat,
    /// A limit was exceeded; the message names its option.
    LimitExceeded,
    /// A value has no JSON representation: a BigInt or a cycle.
    UnsupportedValue,
    /// A judge gave no answer: it could not be reached, refused, or took too long.
    JudgeFailed,
    /// The answer of a judge did not fit its schema, even after retries with the reasons.
    JudgeAnswerInvalid,
    /// A batch did not finish within its status checks; it can be resumed.
    BatchUnfinished,
    /// The caller's signal ended the call.
    Aborted,
    /// A defect of toolgauge itself. The next call works.
    Internal,
}

/// An error as plain data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct ErrorReport {
    /// The kind of error.
    pub code: ErrorCode,
    /// A sentence for people.
    pub message: String,
    /// The path, for example `turns[2].tool_calls[0].name`; absent for the whole input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// What was expected at that path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
}

impl Error {
    /// Creates an [`Error::InvalidInput`] for the value at `path`.
    pub fn invalid_input(
        path: Path,
        expected: impl Into<String>,
        actual: impl Into<String>,
    ) -> Self {
        Self::InvalidInput {
            path,
            expected: expected.into(),
            actual: actual.into(),
        }
    }

    /// Returns the kind of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::InvalidJson { .. } => ErrorCode::InvalidJson,
            Self::InvalidInput { .. } => ErrorCode::InvalidInput,
            Self::InvalidOption { .. } => ErrorCode::InvalidOption,
            Self::InvalidSchema { .. } => ErrorCode::InvalidSchema,
            Self::UnknownFormat { .. } => ErrorCode::UnknownFormat,
            Self::LimitExceeded { .. } => ErrorCode::LimitExceeded,
        }
    }

    /// Returns this error as plain data.
    pub fn report(&self) -> ErrorReport {
        let (path, expected) = match self {
            Self::InvalidJson { path, .. } => (Some(path), Some("valid JSON".to_owned())),
            Self::InvalidInput { path, expected, .. } => {
                (Some(path), Some(short_quotes(expected).into_owned()))
            }
            Self::InvalidOption { path, .. } => (Some(path), None),
            Self::InvalidSchema { path, .. } => {
                (Some(path), Some("a valid JSON Schema".to_owned()))
            }
            Self::UnknownFormat { path, kind, .. } => {
                (Some(path), Some(format!("a known {kind} format")))
            }
            Self::LimitExceeded {
                limit,
                allowed,
                path,
                ..
            } => (Some(path), Some(format!("{limit} of at most {allowed}"))),
        };
        ErrorReport {
            code: self.code(),
            message: self.to_string(),
            path: path.filter(|path| !path.is_root()).map(Path::to_string),
            expected,
        }
    }

    /// Moves the error to the outside of a document in JSON Lines: its document is the line `number`, from
    /// 1, and the document `at`, from 0.
    pub fn of_line(self, number: usize, at: usize) -> Self {
        self.at_line(number).inside(&Path::root().index(at))
    }

    /// Moves the error to the outside of a text in which its document is the line `number`, from 1.
    pub fn at_line(mut self, number: usize) -> Self {
        if let Self::InvalidJson { line, .. } = &mut self {
            *line = number;
        }
        self
    }

    /// Moves the error to the outside of a document in which its own document is at `parent`.
    pub fn inside(mut self, parent: &Path) -> Self {
        match &mut self {
            Self::InvalidJson { path, .. }
            | Self::InvalidInput { path, .. }
            | Self::InvalidOption { path, .. }
            | Self::InvalidSchema { path, .. }
            | Self::UnknownFormat { path, .. }
            | Self::LimitExceeded { path, .. } => *path = parent.join(path),
        }
        self
    }
}

fn inside(path: &Path) -> String {
    if path.is_root() {
        String::new()
    } else {
        format!(" (inside {})", path.shortened())
    }
}

fn at(path: &Path) -> String {
    if path.is_root() {
        String::new()
    } else {
        format!(" at {}", path.shortened())
    }
}

fn before(path: &Path) -> String {
    if path.is_root() {
        String::new()
    } else {
        format!("{}: ", path.shortened())
    }
}
