//! Expectations as the plain list of calls that the correctness metric compares.

use super::called_tool::CalledTool;
use toolgauge_matching::{CallGroup, Expectation, Expectations, is_pattern};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{EXPECTATIONS, ExpectedCall, Path, Reader, Trajectory};

/// The calls that expectations ask for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpectedTools<'a> {
    /// The calls, each as often as it must be made. Optional calls are not among them.
    pub tools: Vec<CalledTool<'a>>,
    /// Whether matchers say how their arguments or results are compared.
    pub has_matchers: bool,
}

impl<'a> ExpectedTools<'a> {
    /// Reads the expectations that `trajectory` contains, or else its expected calls; `None` if it has neither.
    ///
    /// # Errors
    /// As [`Expectations::in_trajectory`] and [`ExpectedTools::of`].
    pub fn in_trajectory(trajectory: &Trajectory<'a>, reader: Reader<'a>) -> Result<Option<Self>> {
        let Some(expectations) = Expectations::in_trajectory(trajectory, reader)? else {
            return Ok(None);
        };
        Self::of(&expectations, &Path::root().key(EXPECTATIONS), reader).map(Some)
    }

    /// Takes the calls of the expectations at `path`.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for what a list of calls can't say: alternatives, and patterns of tools;
    /// [`Error::LimitExceeded`] for more calls than `limits.maxExpectedCalls`.
    pub fn of(expectations: &Expectations<'a>, path: &Path, reader: Reader<'a>) -> Result<Self> {
        let mut found = Self::default();
        match &expectations.turns {
            None => found.add(expectations, path, reader)?,
            Some(turns) => {
                for (place, turn) in turns.iter().enumerate() {
                    found.add(turn, &path.key("turns").index(place), reader)?;
                }
            }
        }
        Ok(found)
    }

    fn add(&mut self, from: &Expectations<'a>, path: &Path, reader: Reader<'a>) -> Result<()> {
        let path = path.key("calls");
        if from.group.as_ref().map_or(1, CallGroup::combinations) > 1 {
            return Err(not_a_list(path, "alternatives"));
        }
        for call in from.calls.iter().filter(|call| call.min > 0) {
            let [pattern] = call.alternatives.as_slice() else {
                return Err(not_a_list(path, "alternatives"));
            };
            if is_pattern(pattern.written) {
                return Err(not_a_list(path, &format!("{:?}", pattern.written)));
            }
            self.check_count(call, reader)?;
            self.has_matchers |= !pattern.is_plain();
            let tool = CalledTool::expected(pattern.shown());
            self.tools.extend(std::iter::repeat_n(tool, call.min));
        }
        Ok(())
    }

    fn check_count(&self, call: &Expectation<'_>, reader: Reader<'_>) -> Result<()> {
        let allowed = reader.max_expected_calls();
        let needed = self.tools.len() + call.min;
        match needed <= allowed {
            true => Ok(()),
            false => Err(Error::LimitExceeded {
                limit: "limits.maxExpectedCalls",
                allowed,
                actual: Some(format!("{needed} or more")),
                path: Path::root().key(EXPECTATIONS),
            }),
        }
    }
}

impl<'a> CalledTool<'a> {
    /// Returns the expected call as a called tool, whose output is not known.
    pub fn expected(call: ExpectedCall<'a>) -> Self {
        Self {
            name: call.tool,
            input_parameters: call.args,
            output: None,
        }
    }
}

fn not_a_list(path: Path, actual: &str) -> Error {
    let expected = "calls of one tool each, because tool correctness compares lists of calls (scores compare more)";
    Error::invalid_input(path, expected, actual)
}
