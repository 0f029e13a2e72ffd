//! Calls that were made, as pairing compares them.

use toolgauge_model::{ExpectedCall, Json};

/// A call that was made.
#[derive(Debug, Clone, Copy)]
pub struct MadeCall<'a> {
    /// The tool and its arguments.
    pub call: ExpectedCall<'a>,
    /// What came back. It is compared only if an expected call says what should come back.
    pub outcome: MadeOutcome<'a>,
    /// The message that made the call. Calls of one message have no order among themselves; the messages ascend.
    pub message: usize,
}

/// What a call returned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MadeOutcome<'a> {
    /// The result, if there is one.
    pub result: Option<Json<'a>>,
    /// The error, if the call failed.
    pub error: Option<Json<'a>>,
}

impl<'a> MadeCall<'a> {
    /// Creates calls one after the other, of which nothing else is known.
    pub fn each(calls: &[ExpectedCall<'a>]) -> Vec<Self> {
        let made = |(message, call): (usize, &ExpectedCall<'a>)| Self {
            call: *call,
            outcome: MadeOutcome::default(),
            message,
        };
        calls.iter().enumerate().map(made).collect()
    }
}
