//! How calls that were made differ from expected ones, each two compared once.

use std::cell::RefCell;

use foldhash::HashMap;

use super::budget::Budget;
use super::comparison::Comparing;
use super::expectation::Expectations;
use crate::model::{ExpectedCall, Json};

/// So many differences and more count alike.
pub const MOST_DIFFERENCES: usize = 250;

/// A pair that was not compared yet.
const UNKNOWN: u8 = u8::MAX;

/// So many calls, patterns or verdicts are searched one by one.
const FEW: usize = 8;

/// How many pairs of a pattern are made room for in one step of the budget.
const CELLS_PER_STEP: usize = 8;

/// A pattern of the expected calls: the place of the expectation, and that of the alternative.
pub type PatternPlace = (usize, usize);

/// The verdicts about patterns and calls. Those of equal patterns and equal calls are found once.
pub struct Verdicts<'p, 'a> {
    expectations: &'p Expectations<'a>,
    actual: &'p [ExpectedCall<'a>],
    comparing: &'p Comparing<'p>,
    /// For each call its class among the calls of its tool: equal calls share one.
    classes: Vec<usize>,
    /// For each expectation where its patterns start in `patterns`.
    starts: Vec<usize>,
    patterns: Vec<Pattern>,
    /// For each class of patterns the known differences by class of calls.
    known: RefCell<Vec<Known>>,
}

#[derive(Clone, Copy)]
struct Pattern {
    /// Its class: equal patterns share one.
    class: usize,
    /// The class of the calls with equal arguments, if there are any.
    equal: Option<usize>,
    /// Whether only those will do.
    is_plain: bool,
}

/// What is known of a pattern.
struct Known {
    /// How many classes the calls of its tool have.
    calls: usize,
    differences: Differences,
}

/// The differences by class of calls.
enum Differences {
    Few(Vec<(usize, u8)>),
    /// With [`UNKNOWN`] ones.
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

/// The classes of calls: of the calls of one tool, those with equal arguments are in one.
enum CallClasses<'c> {
    /// A few calls, whose classes count on through all tools.
    Few(Vec<(&'c str, Json<'c>)>),
    /// By tool and arguments.
    Many(HashMap<&'c str, HashMap<Json<'c>, usize>>),
}

impl<'c> CallClasses<'c> {
    fn of(calls: usize) -> Self {
        match calls <= FEW {
            true => Self::Few(Vec::with_capacity(calls)),
            false => Self::Many(HashMap::default()),
        }
    }

    fn add(&mut self, tool: &'c str, args: Json<'c>) -> usize {
        match self {
            Self::Few(known) => {
                let found = known.iter().position(|one| *one == (tool, args));
                found.unwrap_or_else(|| {
                    known.push((tool, args));
                    known.len() - 1
                })
            }
            Self::Many(by_tool) => {
                let classes = by_tool.entry(tool).or_default();
                let next = classes.len();
                *classes.entry(args).or_insert(next)
            }
        }
    }

    fn get(&self, call: ExpectedCall<'_>) -> Option<usize> {
        match self {
            Self::Few(known) => known.iter().position(|one| *one == (call.tool, call.args)),
            Self::Many(by_tool) => by_tool.get(call.tool)?.get(&call.args).copied(),
        }
    }

    /// One more than the greatest class of the calls of a tool.
    fn count(&self, tool: &str) -> usize {
        match self {
            Self::Few(known) => known.len(),
            Self::Many(by_tool) => by_tool.get(tool).map_or(0, HashMap::len),
        }
    }
}

impl<'p, 'a> Verdicts<'p, 'a> {
    /// No verdict yet. `tools` are the names that the expectations have for the tools of `actual`.
    pub fn new(
        expectations: &'p Expectations<'a>,
        actual: &'p [ExpectedCall<'a>],
        tools: &[&'p str],
        comparing: &'p Comparing<'p>,
    ) -> Self {
        let mut calls = CallClasses::of(actual.len());
        let made = actual.iter().zip(tools);
        let classes = made
            .map(|(call, tool)| calls.add(tool, call.args))
            .collect();
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
                    equal: calls.get(pattern.call),
                    is_plain: pattern.is_plain(),
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

    /// Whether the call at `actual`, whose tool is that of the pattern, has the arguments that it wants.
    pub fn fits(&self, pattern: PatternPlace, actual: usize) -> bool {
        let Pattern {
            equal, is_plain, ..
        } = self.pattern(pattern);
        match is_plain {
            true => equal == Some(self.classes[actual]),
            false => self.differences(pattern, actual) == 0,
        }
    }

    /// The class of the calls whose arguments equal those of the pattern, and whose tool is its own.
    pub fn equal_calls(&self, pattern: PatternPlace) -> Option<usize> {
        self.pattern(pattern).equal
    }

    /// The class of a call: of all calls of one tool, those with equal arguments share one.
    pub fn class(&self, actual: usize) -> usize {
        self.classes[actual]
    }

    /// In how many places the call at `actual`, whose tool is that of the pattern, differs from it: at most
    /// [`MOST_DIFFERENCES`].
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
        self.comparing.count_differences(
            pattern.call.tool,
            pattern.rules(),
            pattern.call.args,
            self.actual[actual].args,
        )
    }
}

const _: () = assert!(MOST_DIFFERENCES < UNKNOWN as usize);
