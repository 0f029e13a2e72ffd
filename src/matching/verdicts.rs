//! Compares actual calls with expected ones, each pair once.

use std::cell::RefCell;

use foldhash::HashMap;

use super::budget::Budget;
use super::comparison::Comparing;
use super::expectation::Expectations;
use super::made::{MadeCall, MadeOutcome};
use toolgauge_model::{ExpectedCall, Json};

/// The number of differences from which on all pairs count as equally different.
pub const MOST_DIFFERENCES: usize = 250;

/// Marks a pair that is not compared yet.
const UNKNOWN: u8 = u8::MAX;

/// The most calls, patterns or verdicts that are searched without a table.
const FEW: usize = 8;

/// How many pairs of a pattern are allocated in one step of the budget.
const CELLS_PER_STEP: usize = 8;

/// The position of an expectation, and that of one of its alternatives.
pub type PatternPlace = (usize, usize);

/// The number of differences between patterns and calls. Equal patterns and equal calls share one result.
pub struct Verdicts<'p, 'a> {
    expectations: &'p Expectations<'a>,
    actual: &'p [MadeCall<'a>],
    comparing: &'p Comparing<'p>,
    /// The class of each call among the calls of its tool. Equal calls share one.
    classes: Vec<usize>,
    /// For each expectation, where its patterns start in `patterns`.
    starts: Vec<usize>,
    patterns: Vec<Pattern>,
    /// For each class of patterns, the known differences by class of calls.
    known: RefCell<Vec<Known>>,
}

#[derive(Clone, Copy)]
struct Pattern {
    /// The class of the pattern. Equal patterns share one.
    class: usize,
    /// The class of the calls with equal arguments, if there are any.
    equal: Option<usize>,
    /// Whether only calls with equal arguments fit.
    is_plain: bool,
}

/// What is known about a pattern.
struct Known {
    /// The number of classes among the calls of its tool.
    calls: usize,
    differences: Differences,
}

/// The differences by class of calls.
enum Differences {
    Few(Vec<(usize, u8)>),
    /// May contain [`UNKNOWN`].
    Many(Box<[u8]>),
}

impl Known {
    fn get(&self, call: usize) -> Option<usize> {
        let found = match &self.differences {
            Differences::Few(few) => few.iter().find(|(at, _)| *at == call)?.1,
            Differences::Many(all) => all[call],
        };
        (found != UNKNOWN).then(|| found.into())
    }

    fn add(&mut self, call: usize, count: u8, budget: &Budget) {
        match &mut self.differences {
            Differences::Many(all) => all[call] = count,
            Differences::Few(few) if few.len() < FEW => few.push((call, count)),
            Differences::Few(few) => {
                if budget.spend(self.calls / CELLS_PER_STEP) {
                    let mut all = vec![UNKNOWN; self.calls];
                    for (at, count) in few.drain(..).chain([(call, count)]) {
                        all[at] = count;
                    }
                    self.differences = Differences::Many(all.into());
                }
            }
        }
    }
}

/// What two calls of one tool must have in common to be equal.
type Content<'c> = (Json<'c>, MadeOutcome<'c>);

/// The classes of calls. Calls of one tool with equal arguments and outcomes share a class.
enum CallClasses<'c> {
    /// A few calls. Their classes are numbered across all tools.
    Few(Vec<(&'c str, Content<'c>)>),
    /// By tool, arguments and outcome.
    Many(HashMap<&'c str, HashMap<Content<'c>, usize>>),
}

impl<'c> CallClasses<'c> {
    fn of(calls: usize) -> Self {
        match calls <= FEW {
            true => Self::Few(Vec::with_capacity(calls)),
            false => Self::Many(HashMap::default()),
        }
    }

    fn add(&mut self, tool: &'c str, content: Content<'c>) -> usize {
        match self {
            Self::Few(known) => {
                let found = known.iter().position(|one| *one == (tool, content));
                found.unwrap_or_else(|| {
                    known.push((tool, content));
                    known.len() - 1
                })
            }
            Self::Many(by_tool) => {
                let classes = by_tool.entry(tool).or_default();
                let next = classes.len();
                *classes.entry(content).or_insert(next)
            }
        }
    }

    fn get(&self, call: ExpectedCall<'_>) -> Option<usize> {
        match self {
            Self::Few(known) => known
                .iter()
                .position(|one| *one == (call.tool, content(call))),
            Self::Many(by_tool) => by_tool.get(call.tool)?.get(&content(call)).copied(),
        }
    }

    /// Returns one more than the highest class of the calls of a tool.
    fn count(&self, tool: &str) -> usize {
        match self {
            Self::Few(known) => known.len(),
            Self::Many(by_tool) => by_tool.get(tool).map_or(0, HashMap::len),
        }
    }
}

/// Returns the content of a call whose outcome is not compared.
fn content(call: ExpectedCall<'_>) -> Content<'_> {
    (call.args, MadeOutcome::default())
}

impl<'p, 'a> Verdicts<'p, 'a> {
    /// Creates the state before any comparison. `tools` are the tools of `actual` by their names in the
    /// expectations.
    pub fn new(
        expectations: &'p Expectations<'a>,
        actual: &'p [MadeCall<'a>],
        tools: &[&'p str],
        comparing: &'p Comparing<'p>,
    ) -> Self {
        let mut calls = CallClasses::of(actual.len());
        let made = actual.iter().zip(tools);
        let classes = made
            .map(|(made, tool)| calls.add(tool, (made.call.args, made.outcome)))
            .collect();
        // If outcomes are compared, calls with equal arguments need not be equal.
        let has_outcomes = expectations.has_outcomes();
        let is_long = expectations.calls.len() > FEW;
        let mut seen: HashMap<(ExpectedCall<'_>, Json<'_>), usize> = HashMap::default();
        let (mut starts, mut patterns, mut known) = (Vec::new(), Vec::new(), Vec::new());
        for expectation in &expectations.calls {
            starts.push(patterns.len());
            for pattern in &expectation.alternatives {
                let next = known.len();
                let class = match is_long {
                    true => *seen.entry((pattern.call, pattern.source)).or_insert(next),
                    false => next,
                };
                if class == next {
                    known.push(Known {
                        calls: calls.count(pattern.call.tool),
                        differences: Differences::Few(Vec::new()),
                    });
                }
                patterns.push(Pattern {
                    class,
                    equal: match has_outcomes {
                        true => None,
                        false => calls.get(pattern.call),
                    },
                    is_plain: pattern.is_plain() && !has_outcomes,
                });
            }
        }
        Self {
            expectations,
            actual,
            comparing,
            classes,
            starts,
            patterns,
            known: RefCell::new(known),
        }
    }

    /// Returns whether the call at `actual`, which must be of the pattern's tool, has the expected arguments.
    pub fn fits(&self, pattern: PatternPlace, actual: usize) -> bool {
        let Pattern {
            equal, is_plain, ..
        } = self.pattern(pattern);
        match is_plain {
            true => equal == Some(self.classes[actual]),
            false => self.differences(pattern, actual) == 0,
        }
    }

    /// Returns the class of the calls of the pattern's tool whose arguments are equal to the pattern's.
    pub fn equal_calls(&self, pattern: PatternPlace) -> Option<usize> {
        self.pattern(pattern).equal
    }

    /// Returns the class of a call. Calls of one tool with equal arguments share a class.
    pub fn class(&self, actual: usize) -> usize {
        self.classes[actual]
    }

    /// Returns in how many places the call at `actual`, which must be of the pattern's tool, differs from the
    /// pattern: at most [`MOST_DIFFERENCES`].
    pub fn differences(&self, pattern: PatternPlace, actual: usize) -> usize {
        let (class, call) = (self.pattern(pattern).class, self.classes[actual]);
        if let Some(known) = self.known.borrow()[class].get(call) {
            return known;
        }
        let count = self.count(pattern, actual).min(MOST_DIFFERENCES);
        let budget = self.comparing.budget();
        self.known.borrow_mut()[class].add(call, count as u8, budget);
        count
    }

    fn pattern(&self, (expectation, alternative): PatternPlace) -> Pattern {
        self.patterns[self.starts[expectation] + alternative]
    }

    fn count(&self, (expectation, alternative): PatternPlace, actual: usize) -> usize {
        let pattern = &self.expectations.calls[expectation].alternatives[alternative];
        pattern.count_differences(&self.actual[actual], self.comparing)
    }
}

const _: () = assert!(MOST_DIFFERENCES < UNKNOWN as usize);
