//! Pairs the calls that were made with the expected ones.

use std::cell::{LazyCell, OnceCell};
use std::collections::BTreeMap;

use foldhash::{HashMap, HashSet};
use lapjv::Matrix;

use super::alignment::{Gaps, Row, align};
use super::assignment::{MOST_TO_ASSIGN, assign, most_pairs};
use super::comparison::Comparing;
use super::expectation::{CallOrder, Expectation, Expectations};
use super::grouped::{Slots, fill};
use super::groups::CallGroup;
use super::made::MadeCall;
use super::verdicts::{MOST_DIFFERENCES, Verdicts};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{ExpectedCall, Limits, Path, count_values};
use toolgauge_schema::ToolNames;

/// The most argument values that are compared to find the pairs with the fewest differences. Beyond
/// that, calls that are not as expected are paired in the order of their arguments.
const MOST_COMPARED_VALUES: usize = 20_000_000;

/// How many alternatives cost one step of the budget.
const ALTERNATIVES_PER_STEP: usize = 4;

/// The most slots of a plain list whose parallel calls are paired in the best way. The parallel calls of longer lists are
/// paired in the order of the expected calls.
const MOST_SLOTS_IN_GROUPS: usize = 512;

/// The largest product of two lengths for which lists are searched without a table.
const FEW_PAIRS: usize = 64;

/// The pairs of expected and actual calls, by their positions in the two lists. Each member is in the order
/// of the expected calls, or else of the actual ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pairing {
    /// Calls that are as expected.
    pub correct: Vec<Pair>,
    /// Calls of an expected tool with other arguments, or in the wrong place.
    pub different: Vec<DifferentPair>,
    /// Expected calls without a partner.
    pub missed: Vec<usize>,
    /// Actual calls that nothing expected.
    pub extra: Vec<usize>,
    /// Forbidden calls that were made, each with the position of the pattern that forbids it.
    pub forbidden: Vec<(usize, usize)>,
    /// How many calls were expected: the minimum of each expectation, plus the optional calls that were made.
    pub expected: usize,
}

/// An expected call and its actual call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// The position of the expected call.
    pub expected: usize,
    /// The alternative that the actual call is compared with.
    pub alternative: usize,
    /// The position of the actual call.
    pub actual: usize,
}

/// A pair whose actual call is not as expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct DifferentPair {
    /// The pair.
    pub pair: Pair,
    /// Whether the arguments are as expected and only the order is wrong.
    pub out_of_order: bool,
}

/// Pairs expected with actual calls: first those that are exactly as expected, then the rest of the same
/// tools with as few differences as possible.
///
/// If the order does not count, the pairs have, in this priority: the most required calls, the most optional
/// calls, the most other calls of the expected tools, and the fewest differences in those. The result does
/// not depend on the order of the lists. Names of tools match across MCP prefixes where that is unambiguous.
///
/// With more than 2,000 calls of one tool that are not as expected, or fewer with many arguments, the pairs
/// may have more differences than necessary. Which calls are as expected stays exact.
///
/// # Errors
/// [`Error::LimitExceeded`] if more calls are expected than `limits.maxExpectedCalls`, or if comparing takes
/// more steps than `limits.maxComparisonSteps`; the failure of a comparator of the caller.
pub fn pair<'a>(
    expectations: &Expectations<'a>,
    actual: &[MadeCall<'a>],
    comparing: &Comparing<'_>,
) -> Result<Pairing> {
    comparing.budget().renew();
    check_count(expectations, comparing.budget().limits())?;
    let Some(group) = &expectations.group else {
        return pair_list(expectations, actual, comparing);
    };
    let mut best: Option<(f64, Pairing)> = None;
    for number in 0..group.combinations() {
        let chosen = group.combination(number);
        let calls = chosen.calls();
        let list = expectations.with_calls(&calls, &chosen);
        let pairing = pair_list(&list, actual, comparing)?.with_calls(&calls);
        // The same as F1 with the sum of both lengths as the denominator.
        let share = pairing.correct.len() as f64 / (pairing.expected + actual.len()).max(1) as f64;
        if best.as_ref().is_none_or(|(most, _)| share > *most) {
            best = Some((share, pairing));
        }
    }
    Ok(best.map(|(_, pairing)| pairing).unwrap_or_default())
}

/// Pairs expectations without alternative groups.
fn pair_list<'a>(
    expectations: &Expectations<'a>,
    actual: &[MadeCall<'a>],
    comparing: &Comparing<'_>,
) -> Result<Pairing> {
    let pairer = Pairer::new(expectations, actual, comparing);
    let slots = pairer.slots();
    let met = comparing.checked(pairer.meet(&slots))?;
    comparing.checked(pairer.report(&slots, met))
}

fn check_count(expectations: &Expectations<'_>, limits: Limits) -> Result<()> {
    let count = |sum: usize, call: &Expectation<'_>| sum.saturating_add(call.min);
    let needed = expectations.calls.iter().fold(0, count);
    match needed <= limits.max_expected_calls {
        true => Ok(()),
        false => Err(Error::LimitExceeded {
            limit: "limits.maxExpectedCalls",
            allowed: limits.max_expected_calls,
            actual: Some(needed.to_string()),
            path: Path::root().key("expected"),
        }),
    }
}

/// A place for one required or optional call. A repeatable slot takes any number of calls.
#[derive(Debug, Clone, Copy)]
struct Slot {
    expectation: usize,
    kind: Row,
}

impl Slot {
    fn is_required(self) -> bool {
        self.kind == Row::Required
    }
}

struct Pairer<'p, 'a> {
    expectations: &'p Expectations<'a>,
    actual: &'p [MadeCall<'a>],
    /// The tool of each actual call, by its name in the expectations.
    tools: Vec<&'p str>,
    comparing: &'p Comparing<'p>,
    verdicts: OnceCell<Verdicts<'p, 'a>>,
    /// The forbidden calls, each with the first pattern that forbids it.
    forbidden: BTreeMap<usize, usize>,
}

/// Returns the tool of each actual call, by its name in the expectations, or else by its own name.
pub fn called_tools<'c>(expectations: &Expectations<'c>, actual: &[MadeCall<'c>]) -> Vec<&'c str> {
    let mut seen = HashSet::default();
    let known: Vec<&str> = expectations
        .patterns()
        .map(|pattern| pattern.call.tool)
        .filter(|tool| seen.insert(*tool))
        .collect();
    let names = LazyCell::new(|| {
        let names = known.iter().map(|name| (*name).to_owned());
        ToolNames::new(names.collect())
    });
    let name = |made: &MadeCall<'c>| called_tool(made.call, &seen, &known, &names);
    actual.iter().map(name).collect()
}

fn called_tool<'c>(
    call: ExpectedCall<'c>,
    seen: &HashSet<&'c str>,
    known: &[&'c str],
    names: &ToolNames,
) -> &'c str {
    match seen.contains(call.tool) {
        true => call.tool,
        false => names.resolve(call.tool).map_or(call.tool, |at| known[at]),
    }
}

/// A position in the list of slots and one in the list of actual calls.
type SlotPair = (usize, usize);

/// The pairs found so far.
#[derive(Debug, Default)]
struct Paired {
    /// Calls that are as expected.
    fitting: Vec<SlotPair>,
    /// Required calls of the expected tool that are not as expected.
    different: Vec<SlotPair>,
}

impl Pairing {
    /// Returns the pairing with these positions in place of those in a list of some calls.
    fn with_calls(mut self, calls: &[usize]) -> Self {
        let different = self
            .different
            .iter_mut()
            .map(|different| &mut different.pair);
        for pair in self.correct.iter_mut().chain(different) {
            pair.expected = calls[pair.expected];
        }
        for missed in &mut self.missed {
            *missed = calls[*missed];
        }
        self
    }
}

impl<'p, 'a> Pairer<'p, 'a> {
    fn new(
        expectations: &'p Expectations<'a>,
        actual: &'p [MadeCall<'a>],
        comparing: &'p Comparing<'p>,
    ) -> Self {
        let mut pairer = Self {
            expectations,
            actual,
            tools: called_tools(expectations, actual),
            comparing,
            verdicts: OnceCell::new(),
            forbidden: BTreeMap::new(),
        };
        pairer.forbidden = pairer.find_forbidden();
        pairer
    }

    fn verdicts(&self) -> &Verdicts<'p, 'a> {
        self.verdicts.get_or_init(|| {
            Verdicts::new(self.expectations, self.actual, &self.tools, self.comparing)
        })
    }

    /// Returns a slot for every required call, and slots for optional calls as far as there are calls of
    /// their tools.
    fn slots(&self) -> Vec<Slot> {
        let mut made: HashMap<&str, usize> = HashMap::default();
        for tool in &self.tools {
            *made.entry(tool).or_default() += 1;
        }
        let mut slots = Vec::new();
        for (expectation, call) in self.expectations.calls.iter().enumerate() {
            let slot = |kind| Slot { expectation, kind };
            slots.extend(std::iter::repeat_n(slot(Row::Required), call.min));
            if call.max == Some(call.min) {
                continue;
            }
            let tools: HashSet<&str> = call.alternatives.iter().map(|one| one.call.tool).collect();
            let made = tools.into_iter().filter_map(|tool| made.get(tool)).sum();
            match call.max.map(|max| max - call.min) {
                Some(more) if more < made => {
                    slots.extend(std::iter::repeat_n(slot(Row::Optional), more));
                }
                _ if made > 0 => slots.push(slot(Row::Repeatable)),
                _ => {}
            }
        }
        slots
    }

    fn expectation(&self, slot: Slot) -> &'p Expectation<'a> {
        &self.expectations.calls[slot.expectation]
    }

    /// Returns the call at `actual`, with the name of its tool in the expectations.
    fn called(&self, actual: usize) -> ExpectedCall<'p> {
        ExpectedCall {
            tool: self.tools[actual],
            args: self.actual[actual].call.args,
        }
    }

    /// Finds the calls that are as expected, and without an order also those that are not.
    fn meet(&self, slots: &[Slot]) -> Paired {
        let is_parallel = || {
            let mut neighbours = self.actual.windows(2);
            neighbours.any(|two| two[0].message == two[1].message)
        };
        let in_order = |gaps| match is_parallel() {
            true => self.pair_parallel(slots, gaps),
            false => self.pair_in_order(slots, gaps, &self.as_made()),
        };
        match (&self.expectations.group, self.expectations.order) {
            (Some(group), CallOrder::Any) => self.pair_grouped(slots, group),
            (Some(group), CallOrder::Sequence | CallOrder::Strict) => {
                self.pair_grouped(slots, &group.in_sequence())
            }
            (None, CallOrder::Any) => self.pair_any(slots),
            (None, CallOrder::Sequence) => match &self.expectations.messages {
                Some(messages) if slots.len() <= MOST_SLOTS_IN_GROUPS => {
                    self.pair_grouped(slots, messages)
                }
                _ => in_order(Gaps::Anywhere),
            },
            (None, CallOrder::Strict) => in_order(Gaps::OptionalRows),
        }
    }

    /// Returns the positions of the calls in the order in which they were made.
    fn as_made(&self) -> Vec<usize> {
        (0..self.actual.len()).collect()
    }

    /// Pairs calls in the order of the expected ones. The calls of one message have no order.
    fn pair_parallel(&self, slots: &[Slot], gaps: Gaps) -> Paired {
        let is_short = slots.len() <= MOST_SLOTS_IN_GROUPS;
        if gaps == Gaps::Anywhere && is_short {
            let calls = 0..self.expectations.calls.len();
            let list = CallGroup::Sequence(calls.map(CallGroup::Call).collect());
            return self.pair_grouped(slots, &list);
        }
        self.pair_in_order(slots, gaps, &self.in_expected_order(slots, gaps))
    }

    /// Returns the positions of the calls, those of each message in the order of the slots that they fit.
    fn in_expected_order(&self, slots: &[Slot], gaps: Gaps) -> Vec<usize> {
        let mut sorted = Vec::new();
        let messages = self
            .actual
            .chunk_by(|one, next| one.message == next.message);
        for message in messages {
            let start = sorted.len();
            // In a strict order, a message fills as many slots as it has calls.
            let rows = match gaps {
                Gaps::OptionalRows => start..(start + message.len()).min(slots.len()),
                Gaps::Anywhere => 0..slots.len(),
            };
            let calls: Vec<_> = (start..start + message.len()).collect();
            let partners = most_pairs(
                vec![None; rows.len()],
                calls.len(),
                self.comparing.budget(),
                |row, column| {
                    self.fitting(slots[rows.start + row], calls[column])
                        .is_some()
                },
            );
            let mut placed: Vec<_> = partners.iter().flatten().map(|at| calls[*at]).collect();
            if gaps == Gaps::OptionalRows {
                let mut left = calls.iter().filter(|call| !placed.contains(call));
                let in_place = partners.iter().filter_map(|partner| match partner {
                    Some(column) => Some(calls[*column]),
                    None => left.next().copied(),
                });
                placed = in_place.collect();
            }
            let left = calls.iter().filter(|call| !placed.contains(call));
            sorted.extend(placed.iter().chain(left).copied().collect::<Vec<_>>());
        }
        sorted
    }

    /// Pairs calls in the order of a group.
    fn pair_grouped(&self, slots: &[Slot], group: &CallGroup) -> Paired {
        let mut ordered = Slots::new(slots.iter().map(|slot| slot.kind).collect());
        let mut of_calls = vec![Vec::new(); self.expectations.calls.len()];
        for (at, slot) in slots.iter().enumerate() {
            of_calls[slot.expectation].push(at);
        }
        let slots_of = |calls: &[usize]| -> Vec<usize> {
            calls
                .iter()
                .flat_map(|call| &of_calls[*call])
                .copied()
                .collect()
        };
        let budget = self.comparing.budget();
        group.each_order(&mut |first, then| {
            let (first, then) = (slots_of(first), slots_of(then));
            if budget.spend(first.len() + then.len() * (1 + slots.len() / 64)) {
                ordered.order(&first, &then);
            }
        });
        let messages: Vec<_> = self.actual.iter().map(|made| made.message).collect();
        let fitting = |call: usize| {
            let expected = of_calls.iter().filter(|slots| !slots.is_empty());
            let fitting =
                expected.filter(|of_call| self.fitting(slots[of_call[0]], call).is_some());
            fitting.flatten().copied().collect()
        };
        Paired {
            fitting: fill(&ordered, &messages, budget, fitting),
            different: Vec::new(),
        }
    }

    /// Returns the alternative of a slot that the call at `actual` fits, if any.
    fn fitting(&self, slot: Slot, actual: usize) -> Option<usize> {
        let alternatives = &self.expectation(slot).alternatives;
        let steps = alternatives.len() / ALTERNATIVES_PER_STEP;
        if !self.comparing.budget().spend(steps) {
            return None;
        }
        let mut alternatives = alternatives.iter().enumerate();
        let fits = alternatives.find(|(at, pattern)| {
            pattern.call.tool == self.tools[actual]
                && self.verdicts().fits((slot.expectation, *at), actual)
        });
        fits.map(|(at, _)| at)
    }

    /// Returns the alternative of the same tool with the fewest differences from the call at `actual`, and
    /// their number, up to [`MOST_DIFFERENCES`].
    fn nearest(&self, slot: Slot, actual: usize) -> Option<(usize, usize)> {
        let alternatives = self.expectation(slot).alternatives.iter().enumerate();
        alternatives
            .filter(|(_, pattern)| pattern.call.tool == self.tools[actual])
            .map(|(at, _)| {
                let count = self.verdicts().differences((slot.expectation, at), actual);
                (count, at)
            })
            .min()
            .map(|(count, at)| (at, count))
    }

    /// Pairs the calls at `columns` in their order.
    fn pair_in_order(&self, slots: &[Slot], gaps: Gaps, columns: &[usize]) -> Paired {
        // One required call outweighs all other calls together.
        let required = self.actual.len() as f64 + 1.0;
        let rows: Vec<_> = slots.iter().map(|slot| slot.kind).collect();
        let gain = |row: usize, column: usize| match self.fitting(slots[row], columns[column]) {
            Some(_) if slots[row].is_required() => required,
            Some(_) => 1.0,
            None => 0.0,
        };
        let budget = self.comparing.budget();
        let pairs = align(&rows, columns.len(), gaps, required, budget, gain);
        let fitting = pairs
            .into_iter()
            .map(|(row, column)| (row, columns[column]));
        Paired {
            fitting: fitting.collect(),
            different: Vec::new(),
        }
    }

    fn pair_any(&self, slots: &[Slot]) -> Paired {
        self.pair_open(slots, Open::all(slots.len(), self.actual.len()))
    }

    /// Pairs the open calls regardless of their order.
    fn pair_open(&self, slots: &[Slot], mut open: Open) -> Paired {
        let mut found = Paired {
            fitting: self.pair_identical(slots, &mut open),
            different: Vec::new(),
        };
        if open.slots.is_empty() || open.actual.is_empty() {
            return found;
        }
        for group in self.groups(slots, &open) {
            if self.comparing.has_failed() {
                break;
            }
            self.pair_group(slots, &group, &mut found);
        }
        found
    }

    /// Pairs required plain calls with identical ones. Doing this first loses nothing: another slot for such
    /// a call could at best take the place of a plain one.
    fn pair_identical(&self, slots: &[Slot], open: &mut Open) -> Vec<SlotPair> {
        let plain = open
            .slots
            .iter()
            .copied()
            .filter(|at| slots[*at].is_required() && self.expectation(slots[*at]).is_plain());
        let pairs: Vec<_> = match open.slots.len().saturating_mul(open.actual.len()) <= FEW_PAIRS {
            true => {
                let mut left = open.actual.clone();
                let pair = |slot: usize| {
                    let wanted = self.expectation(slots[slot]).call();
                    let at = left.iter().position(|at| self.called(*at) == wanted)?;
                    Some((slot, left.remove(at)))
                };
                plain.filter_map(pair).collect()
            }
            false => {
                let mut alike: HashMap<ExpectedCall<'_>, Vec<usize>> = HashMap::default();
                for &at in open.actual.iter().rev() {
                    alike.entry(self.called(at)).or_default().push(at);
                }
                let pair = |slot: usize| {
                    let wanted = self.expectation(slots[slot]).call();
                    Some((slot, alike.get_mut(&wanted)?.pop()?))
                };
                plain.filter_map(pair).collect()
            }
        };
        open.without(&pairs);
        pairs
    }

    /// Divides the open slots and calls into groups such that no slot can take a call of another group: tools
    /// that are alternatives of each other share a group. Each group is sorted by content rather than
    /// position, so that the order of the lists does not matter.
    fn groups(&self, slots: &[Slot], open: &Open) -> Vec<Open> {
        let mut tools = LinkedTools::default();
        for call in &self.expectations.calls {
            tools.link(call.alternatives.iter().map(|one| one.call.tool));
        }
        let mut groups: BTreeMap<usize, Open> = BTreeMap::new();
        for &at in &open.slots {
            let tool = self.expectation(slots[at]).call().tool;
            if let Some(group) = tools.group_of(tool) {
                groups.entry(group).or_default().slots.push(at);
            }
        }
        for &at in &open.actual {
            let group = tools.group_of(self.tools[at]);
            if let Some(group) = group.and_then(|group| groups.get_mut(&group)) {
                group.actual.push(at);
            }
        }
        let mut groups: Vec<_> = groups.into_values().collect();
        groups.retain(|group| !group.actual.is_empty());
        for group in &mut groups {
            group.slots.sort_by(|a, b| {
                let (a, b) = (slots[*a], slots[*b]);
                let content = |slot: Slot| {
                    let alternatives = self.expectation(slot).alternatives.iter();
                    alternatives.map(|pattern| (pattern.call, pattern.source))
                };
                let by_content = || content(a).cmp(content(b));
                a.kind.cmp(&b.kind).then_with(by_content)
            });
            group.actual.sort_by_key(|at| {
                (
                    self.tools[*at],
                    self.actual[*at].call,
                    self.actual[*at].outcome,
                )
            });
        }
        groups
    }

    fn pair_group(&self, slots: &[Slot], group: &Open, found: &mut Paired) {
        let is_repeatable = |at: &usize| slots[*at].kind == Row::Repeatable;
        let (repeatable, once): (Vec<_>, Vec<_>) =
            group.slots.iter().partition(|at| is_repeatable(at));
        let alone = |actual: usize| {
            let mut fitting = repeatable.iter().copied();
            fitting.find(|slot| self.fitting(slots[*slot], actual).is_some())
        };
        let group = Group {
            slots: &once,
            actual: &group.actual,
            repeatable: group.actual.iter().map(|actual| alone(*actual)).collect(),
        };
        let expectations: HashSet<_> = once.iter().map(|at| slots[*at].expectation).collect();
        if expectations.len() == 1 && once.len() > 1 {
            self.pair_repeated_call(slots, &group, found);
        } else if self.is_assignable(slots, &group) {
            self.assign_group(slots, &group, found);
        } else {
            self.pair_large_group(slots, &group, found);
        }
    }

    /// Pairs the slots of a single expectation. Any assignment gives the same result.
    fn pair_repeated_call(&self, slots: &[Slot], group: &Group<'_>, found: &mut Paired) {
        let mut open = group.slots.iter().copied().peekable();
        let Some(slot) = open.peek().map(|at| slots[*at]) else {
            return;
        };
        let (mut fitting, mut others): (Vec<usize>, Vec<usize>) = (0..group.actual.len())
            .partition(|column| self.fitting(slot, group.actual[*column]).is_some());
        // A call that also fits a repeatable slot is as expected in any case.
        fitting.sort_by_key(|column| group.repeatable[*column].is_some());
        let mut left = Vec::new();
        for column in fitting {
            match open.next() {
                Some(slot) => found.fitting.push((slot, group.actual[column])),
                None => left.push(column),
            }
        }
        let is_repeated = |column: &usize| group.repeatable[*column].is_some();
        left.extend(others.extract_if(.., |column| is_repeated(column)));
        group.add_repeated(left, found);
        let mut differing: Vec<_> = others
            .into_iter()
            .filter_map(|column| {
                let actual = group.actual[column];
                let (_, differences) = self.nearest(slot, actual)?;
                Some((differences, self.is_forbidden(actual), column))
            })
            .collect();
        differing.sort_unstable();
        let required = open.filter(|at| slots[*at].is_required());
        let pairs = required.zip(differing);
        found
            .different
            .extend(pairs.map(|(slot, (_, _, column))| (slot, group.actual[column])));
    }

    /// Returns whether the group is small enough to search for its best pairs.
    fn is_assignable(&self, slots: &[Slot], group: &Group<'_>) -> bool {
        let values = |at: &usize| -> usize {
            let alternatives = self.expectation(slots[*at]).alternatives.iter();
            alternatives
                .map(|pattern| count_values(pattern.call.args) + pattern.rules().count())
                .sum()
        };
        let fits_matrix = group.slots.len().max(group.actual.len()) <= MOST_TO_ASSIGN;
        let values = || group.slots.iter().map(values).sum::<usize>();
        fits_matrix && values().saturating_mul(group.actual.len()) <= MOST_COMPARED_VALUES
    }

    /// Finds the best pairs of a group as an assignment. Each possible pair has a gain, on levels so far
    /// apart that no number of smaller gains outweighs a larger one.
    fn assign_group(&self, slots: &[Slot], group: &Group<'_>, found: &mut Paired) {
        let (rows, columns) = (group.slots.len(), group.actual.len());
        if rows == 0 {
            return group.add_repeated(0..columns, found);
        }
        let size = rows.max(columns);
        let gains = Gains::of(size);
        let gain = |row: usize, column: usize| {
            let pair = match row < rows && column < columns {
                true => self.gain_of_pair(slots[group.slots[row]], group.actual[column], &gains),
                false => 0,
            };
            let is_repeated = group.repeatable.get(column).is_some_and(Option::is_some);
            pair.max(if is_repeated { gains.optional } else { 0 })
        };
        let costs = Matrix::from_shape_fn((size, size), |(row, column)| {
            match self.comparing.budget().spend(1) {
                true => (gains.required - gain(row, column)) as f64,
                false => 0.0,
            }
        });
        if self.comparing.has_failed() {
            return;
        }
        for (row, column) in assign(&costs, self.comparing.budget())
            .into_iter()
            .enumerate()
        {
            if column >= columns {
                continue;
            }
            let slot = group.slots.get(row).copied();
            self.add_pair(slots, slot, (group, column), found);
        }
    }

    fn gain_of_pair(&self, slot: Slot, actual: usize, gains: &Gains) -> u64 {
        match (self.fitting(slot, actual), slot.is_required()) {
            (Some(_), true) => gains.required,
            (Some(_), false) => gains.optional,
            (None, true) => match self.nearest(slot, actual) {
                Some((_, differences)) => {
                    gains.different - 2 * differences as u64 - u64::from(self.is_forbidden(actual))
                }
                None => 0,
            },
            (None, false) => 0,
        }
    }

    /// Adds a call and the slot that is assigned to it, if any.
    fn add_pair(
        &self,
        slots: &[Slot],
        slot: Option<usize>,
        (group, column): (&Group<'_>, usize),
        found: &mut Paired,
    ) {
        let actual = group.actual[column];
        match slot {
            Some(slot) if self.fitting(slots[slot], actual).is_some() => {
                found.fitting.push((slot, actual));
            }
            _ if group.repeatable[column].is_some() => group.add_repeated([column], found),
            Some(slot)
                if slots[slot].is_required() && self.nearest(slots[slot], actual).is_some() =>
            {
                found.different.push((slot, actual));
            }
            _ => {}
        }
    }

    /// Finds as many fitting calls as possible, and pairs the others of each tool in their order.
    fn pair_large_group(&self, slots: &[Slot], group: &Group<'_>, found: &mut Paired) {
        let columns = group.actual.len();
        let budget = self.comparing.budget();
        let alike = self.pair_alike(slots, group);
        let partners = most_pairs(alike, columns, budget, |row, column| {
            let slot = slots[group.slots[row]];
            self.fitting(slot, group.actual[column]).is_some()
        });
        let mut is_open = vec![true; columns];
        for (row, column) in partners.iter().enumerate() {
            if let Some(column) = *column {
                is_open[column] = false;
                found.fitting.push((group.slots[row], group.actual[column]));
            }
        }
        let repeated = (0..columns).filter(|at| is_open[*at] && group.repeatable[*at].is_some());
        group.add_repeated(repeated, found);
        let mut left: HashMap<&str, Vec<usize>> = HashMap::default();
        for column in (0..columns).rev() {
            if is_open[column] && group.repeatable[column].is_none() {
                let actual = group.actual[column];
                left.entry(self.tools[actual]).or_default().push(actual);
            }
        }
        let open = partners.iter().zip(group.slots);
        for (_, &slot) in
            open.filter(|(partner, slot)| partner.is_none() && slots[**slot].is_required())
        {
            let mut alternatives = self.expectation(slots[slot]).alternatives.iter();
            let actual = alternatives.find_map(|one| left.get_mut(one.call.tool)?.pop());
            found.different.extend(actual.map(|actual| (slot, actual)));
        }
    }

    /// Returns for each required slot of the group a call with identical arguments, if one is left and fits.
    /// In long lists this fills most slots, which then need not be compared with all calls.
    fn pair_alike(&self, slots: &[Slot], group: &Group<'_>) -> Vec<Option<usize>> {
        let mut alike: HashMap<(&str, usize), Vec<usize>> = HashMap::default();
        for (column, &actual) in group.actual.iter().enumerate().rev() {
            let key = (self.tools[actual], self.verdicts().class(actual));
            alike.entry(key).or_default().push(column);
        }
        let pair = |at: &usize| {
            let slot = slots[*at];
            let call = self.expectation(slot).call();
            let class = self.verdicts().equal_calls((slot.expectation, 0))?;
            let columns = alike.get_mut(&(call.tool, class))?;
            let column = *columns.last()?;
            let fits = slot.is_required() && self.fitting(slot, group.actual[column]).is_some();
            fits.then(|| columns.pop())?
        };
        group.slots.iter().map(pair).collect()
    }

    fn report(&self, slots: &[Slot], met: Paired) -> Pairing {
        let order = match self.expectations.group {
            Some(_) => CallOrder::Sequence,
            None => self.expectations.order,
        };
        let mut open = Open::all(slots.len(), self.actual.len());
        open.without(&met.fitting);
        open.slots.retain(|at| slots[*at].is_required());
        let (misplaced, different) = match order {
            CallOrder::Any => (Vec::new(), met.different),
            CallOrder::Sequence | CallOrder::Strict => {
                let left = self.pair_open(slots, open.clone());
                (left.fitting, left.different)
            }
        };
        open.without(&misplaced);
        open.without(&different);
        let optional = met.fitting.iter();
        let optional = optional.filter(|(slot, _)| !slots[*slot].is_required());
        let as_expected = |pairs: &[SlotPair]| {
            let pair = |(slot, actual): &SlotPair| self.fitting_pair(slots[*slot], *actual);
            pairs.iter().map(pair).collect::<Vec<_>>()
        };
        let misplaced = as_expected(&misplaced)
            .into_iter()
            .map(|pair| DifferentPair {
                pair,
                out_of_order: true,
            });
        let different = different.iter().map(|(slot, actual)| DifferentPair {
            pair: self.nearest_pair(slots[*slot], *actual),
            out_of_order: false,
        });
        let mut pairing = Pairing {
            expected: slots.iter().filter(|slot| slot.is_required()).count() + optional.count(),
            correct: as_expected(&met.fitting),
            different: misplaced.chain(different).collect(),
            missed: open.slots.iter().map(|at| slots[*at].expectation).collect(),
            extra: open.actual,
            forbidden: self.forbidden.clone().into_iter().collect(),
        };
        pairing.correct.sort_unstable();
        pairing.different.sort_unstable();
        pairing
    }

    fn fitting_pair(&self, slot: Slot, actual: usize) -> Pair {
        let alternative = match self.expectation(slot).alternatives.as_slice() {
            [_] => 0,
            _ => self.fitting(slot, actual).unwrap_or_default(),
        };
        Pair {
            expected: slot.expectation,
            alternative,
            actual,
        }
    }

    fn nearest_pair(&self, slot: Slot, actual: usize) -> Pair {
        Pair {
            expected: slot.expectation,
            alternative: self.nearest(slot, actual).map_or(0, |(at, _)| at),
            actual,
        }
    }

    /// Returns whether something forbids the call at `actual`. If two calls differ equally from an expected
    /// one, the one that is not forbidden is more likely meant.
    fn is_forbidden(&self, actual: usize) -> bool {
        self.forbidden.contains_key(&actual)
    }

    fn find_forbidden(&self) -> BTreeMap<usize, usize> {
        let mut plain: HashMap<ExpectedCall<'_>, usize> = HashMap::default();
        let mut by_tool: HashMap<&str, Vec<usize>> = HashMap::default();
        for (at, pattern) in self.expectations.forbidden.iter().enumerate() {
            match pattern.is_plain() {
                true => {
                    plain.entry(pattern.call).or_insert(at);
                }
                false => by_tool.entry(pattern.call.tool).or_default().push(at),
            }
        }
        let matches = |at: &usize, actual: usize| {
            let pattern = &self.expectations.forbidden[*at];
            pattern.count_differences(&self.actual[actual], self.comparing) == 0
        };
        let forbids = |actual: usize| {
            let equal = match plain.is_empty() {
                true => None,
                false => plain.get(&self.called(actual)).copied(),
            };
            let patterns = by_tool.get(self.tools[actual]).into_iter().flatten();
            let before = patterns
                .copied()
                .take_while(|at| equal.is_none_or(|equal| *at < equal));
            before.into_iter().find(|at| matches(at, actual)).or(equal)
        };
        (0..self.actual.len())
            .filter_map(|actual| forbids(actual).map(|pattern| (actual, pattern)))
            .collect()
    }
}

/// How much less than another a pair can gain that is not as expected.
const MOST_TAKEN_OFF: u64 = 2 * MOST_DIFFERENCES as u64 + 1;

/// The gains of pairs in an assignment.
struct Gains {
    /// A required call.
    required: u64,
    /// An optional call.
    optional: u64,
    /// A call of the same tool that is not as expected, before subtracting two for each difference and one if
    /// the call is forbidden.
    different: u64,
}

impl Gains {
    /// Returns gains for up to `pairs` pairs. For [`MOST_TO_ASSIGN`] of them the sums are exact as doubles.
    const fn of(pairs: usize) -> Self {
        let pairs = pairs as u64;
        let different = pairs * MOST_TAKEN_OFF + 1;
        let optional = pairs * different + 1;
        Self {
            required: pairs * optional + 1,
            optional,
            different,
        }
    }
}

const _: () = {
    let most = MOST_TO_ASSIGN as u64 * Gains::of(MOST_TO_ASSIGN).required;
    assert!(most < 1 << f64::MANTISSA_DIGITS);
};

/// Calls, and slots for one call each, that can be paired with each other.
struct Group<'g> {
    slots: &'g [usize],
    actual: &'g [usize],
    /// For each call a repeatable slot that it fits, if any. A repeatable slot takes any number of calls.
    repeatable: Vec<Option<usize>>,
}

impl Group<'_> {
    /// Gives the calls at `columns` to the repeatable slots that they fit.
    fn add_repeated(&self, columns: impl IntoIterator<Item = usize>, found: &mut Paired) {
        let pairs = columns
            .into_iter()
            .filter_map(|column| Some((self.repeatable[column]?, self.actual[column])));
        found.fitting.extend(pairs);
    }
}

/// Groups of tools that are alternatives of each other, directly or through others.
#[derive(Default)]
struct LinkedTools<'t> {
    places: HashMap<&'t str, usize>,
    /// For each tool another one of its group, or itself.
    links: Vec<usize>,
}

impl<'t> LinkedTools<'t> {
    fn link(&mut self, tools: impl Iterator<Item = &'t str>) {
        let mut first = None;
        for tool in tools {
            let next = self.links.len();
            let place = *self.places.entry(tool).or_insert(next);
            if place == next {
                self.links.push(place);
            }
            let root = self.root(place);
            let first = *first.get_or_insert(root);
            self.links[root] = first;
        }
    }

    fn root(&self, mut place: usize) -> usize {
        while self.links[place] != place {
            place = self.links[place];
        }
        place
    }

    fn group_of(&self, tool: &str) -> Option<usize> {
        self.places.get(tool).map(|place| self.root(*place))
    }
}

/// Slots and actual calls without a partner.
#[derive(Debug, Clone, Default)]
struct Open {
    slots: Vec<usize>,
    actual: Vec<usize>,
}

impl Open {
    fn all(slots: usize, actual: usize) -> Self {
        Self {
            slots: (0..slots).collect(),
            actual: (0..actual).collect(),
        }
    }

    fn without(&mut self, pairs: &[SlotPair]) {
        let (slots, actual): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        take_away(&mut self.slots, slots);
        take_away(&mut self.actual, actual);
    }
}

/// Removes `places` from an ascending list of positions.
fn take_away(list: &mut Vec<usize>, mut places: Vec<usize>) {
    places.sort_unstable();
    let mut places = places.into_iter().peekable();
    list.retain(|at| {
        while places.next_if(|place| place < at).is_some() {}
        places.peek() != Some(at)
    });
}

#[cfg(test)]
mod tests {
    use super::super::comparison::NoComparators;
    use super::*;
    use bumpalo::Bump;
    use proptest::prelude::*;
    use toolgauge_formats::read_list;
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Limits, Path, Reader};

    fn paired(expected: &str, actual: &str) -> Pairing {
        paired_in_steps(expected, actual).0
    }

    fn steps_of(expected: &str, actual: &str) -> usize {
        paired_in_steps(expected, actual).1
    }

    /// Returns the pairing and the steps of the budget that it takes.
    fn paired_in_steps(expected: &str, actual: &str) -> (Pairing, usize) {
        let arena = Bump::new();
        let root = Path::root();
        let reader = Reader::new(&arena, Limits::default());
        let expected =
            Expectations::read(arena_json(&arena, expected), &root, reader).expect("expectations");
        let actual = arena_json(&arena, actual);
        let actual = read_list(actual.items().expect("a list"), &root, reader).expect("calls");
        let comparing = Comparing::new(&NoComparators, Limits::default());
        let actual = MadeCall::each(&actual);
        let pairing = pair(&expected, &actual, &comparing).expect("no comparators, and few calls");
        (pairing, comparing.budget().taken())
    }

    /// Returns `correct/different/missed/extra of expected`.
    fn counts(expected: &str, actual: &str) -> String {
        let pairing = paired(expected, actual);
        format!(
            "{}/{}/{}/{} of {}",
            pairing.correct.len(),
            pairing.different.len(),
            pairing.missed.len(),
            pairing.extra.len(),
            pairing.expected
        )
    }

    fn places(pairs: &[Pair]) -> Vec<(usize, usize)> {
        pairs
            .iter()
            .map(|pair| (pair.expected, pair.actual))
            .collect()
    }

    #[test]
    fn identical_calls_are_paired_in_any_order() {
        let pairing = paired(
            r#"[{"tool":"f","args":{"n":1}},{"tool":"f","args":{"n":2}}]"#,
            r#"[{"tool":"f","args":{"n":2.0}},{"tool":"f","args":{"n":1}}]"#,
        );
        assert_eq!(places(&pairing.correct), [(0, 1), (1, 0)]);
    }

    #[test]
    fn repeated_calls_count_as_often_as_they_occur() {
        let (twice, thrice) = (
            r#"[{"tool":"f"},{"tool":"f"}]"#,
            r#"[{"tool":"f"},{"tool":"f"},{"tool":"f"}]"#,
        );
        assert_eq!(counts(twice, thrice), "2/0/0/1 of 2");
        assert_eq!(counts(thrice, twice), "2/0/1/0 of 3");
    }

    #[test]
    fn calls_with_the_fewest_differences_are_paired() {
        let pairing = paired(
            r#"[{"tool":"f","args":{"a":1,"b":2}},{"tool":"f","args":{"a":8,"b":9}}]"#,
            r#"[{"tool":"f","args":{"a":8,"b":0}},{"tool":"g"},{"tool":"f","args":{"a":1,"b":0}}]"#,
        );
        let different: Vec<_> = pairing.different.iter().map(|one| one.pair).collect();
        assert_eq!(places(&different), [(0, 2), (1, 0)]);
        assert_eq!(pairing.extra, [1]);
    }

    #[test]
    fn as_many_calls_as_possible_are_paired() {
        let expected = r#"[
            {"tool":"f","matchers":{"n":{"oneOf":[1,2]}}},
            {"tool":"f","matchers":{"n":{"oneOf":[2,3]}}},
            {"tool":"f","args":{"n":2}}]"#;
        let actual = r#"[{"tool":"f","args":{"n":2}},{"tool":"f","args":{"n":3}},{"tool":"f","args":{"n":1}}]"#;
        assert_eq!(counts(expected, actual), "3/0/0/0 of 3");
        let two = r#"[{"tool":"f","args":{"n":2}},{"tool":"f","args":{"n":2}}]"#;
        assert_eq!(counts(expected, two), "2/0/1/0 of 3");
    }

    #[test]
    fn calls_of_other_tools_change_nothing() {
        let expected = r#"[
            {"tool":"find","args":{},"matchers":"ignore","times":{"min":1}},
            {"tool":"find","args":{"q":"Oslo"},"matchers":{"q":"caseInsensitive"},"times":{"min":1}}]"#;
        for others in [0, 10, MOST_TO_ASSIGN] {
            let others = r#",{"tool":"log"}"#.repeat(others);
            let actual = format!(
                r#"[{{"tool":"find","args":{{"q":"oslo"}}}},{{"tool":"find","args":{{"q":"Rome"}}}}{others}]"#
            );
            let pairing = paired(expected, &actual);
            assert_eq!((pairing.correct.len(), pairing.missed.len()), (2, 0));
        }
    }

    #[test]
    fn a_long_sequence_with_repeatable_calls_is_exact() {
        let logs = r#"{"tool":"log","matchers":"ignore","optional":true,"times":{"max":10000}}"#;
        let expected =
            format!(r#"{{"order":"sequence","calls":[{logs},{{"tool":"save"}},{logs}]}}"#);
        let made = r#"{"tool":"log"},"#.repeat(2_000);
        let actual = format!(r#"[{made}{{"tool":"save"}},{made}{{"tool":"log"}}]"#);
        assert_eq!(counts(&expected, &actual), "4002/0/0/0 of 4002");
    }

    #[test]
    fn required_calls_leave_the_most_calls_for_optional_ones() {
        let calls = [
            r#"{"anyOf":[{"tool":"pay"},{"tool":"fetch"}]}"#,
            r#"{"anyOf":[{"tool":"book"},{"tool":"fetch"}]}"#,
            r#"{"tool":"book"}"#,
        ];
        let actual = r#"[{"tool":"pay","args":{"note":1}},{"tool":"fetch"}]"#;
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            let expected = order.map(|at| calls[at]).join(",");
            assert_eq!(counts(&format!("[{expected}]"), actual), "1/1/1/0 of 3");
        }
    }

    #[test]
    fn equal_calls_are_compared_once() {
        let call = |day: &str| format!(r#"{{"tool":"f","args":{{"day":"{day}"}}}}"#);
        let list = |day: &str| vec![call(day); 500].join(",");
        for order in ["any", "sequence", "strict"] {
            let expected = format!(
                r#"{{"order":"{order}","matchers":{{"f":{{"day":"date"}}}},"calls":[{}]}}"#,
                list("2024-05-16")
            );
            let actual = format!("[{}]", list("May 17, 2024"));
            // The budget allows one step for each pair, and no more.
            let steps = steps_of(&expected, &actual);
            assert!(steps < 500 * 500 * 2, "{order}: {steps}");
        }
    }

    #[test]
    fn one_call_expected_often_takes_linear_steps() {
        let steps = |count: usize| {
            let expected = format!(
                r#"[{{"tool":"f","args":{{"n":-1}},"matchers":{{"n":{{"tolerance":0.5}}}},"times":{count}}}]"#
            );
            let calls: Vec<_> = (0..count)
                .map(|n| format!(r#"{{"tool":"f","args":{{"n":{n}}}}}"#))
                .collect();
            steps_of(&expected, &format!("[{}]", calls.join(",")))
        };
        assert!(steps(1_000) <= 11 * steps(100));
    }

    #[test]
    fn a_call_expected_often_is_paired_with_the_nearest_calls() {
        let expected = r#"[{"tool":"f","args":{"a":1,"b":2},"times":{"min":2,"max":3}}]"#;
        let actual = r#"[{"tool":"f","args":{"a":0,"b":0}},{"tool":"f","args":{"a":1,"b":0}},{"tool":"f","args":{"a":1,"b":2}}]"#;
        let pairing = paired(expected, actual);
        let different: Vec<_> = pairing.different.iter().map(|one| one.pair).collect();
        assert_eq!(
            (places(&pairing.correct), places(&different)),
            (vec![(0, 2)], vec![(0, 1)])
        );
        assert_eq!(pairing.extra, [0]);
    }

    #[test]
    fn a_forbidden_call_loses_to_an_equally_near_one() {
        for times in [1, 2] {
            let expected = format!(
                r#"{{"calls":[{{"tool":"f","args":{{"n":1}},"times":{times}}},{{"tool":"g"}}],"forbidden":[{{"tool":"f","args":{{"n":"1"}}}}]}}"#
            );
            let calls = [
                r#"{"tool":"f","args":{"n":"1"}}"#,
                r#"{"tool":"f","args":{"n":2}}"#,
            ];
            for order in [[0, 1], [1, 0]] {
                let actual = format!("[{},{}]", calls[order[0]], calls[order[1]]);
                let pairing = paired(&expected, &actual);
                assert_eq!(pairing.different.len(), times);
                let meant = order[1];
                assert!(pairing.different.iter().any(|one| one.pair.actual == meant));
            }
        }
    }

    #[test]
    fn the_first_pattern_that_forbids_a_call_is_reported() {
        let expected = r#"{"calls":[],"forbidden":[
            {"tool":"f","args":{"n":2}},{"tool":"f","args":{},"matchers":{"n":{"oneOf":[1,2]}}},{"tool":"f","args":{"n":1}}]}"#;
        let actual = r#"[{"tool":"f","args":{"n":1}},{"tool":"f","args":{"n":2}},{"tool":"f","args":{"n":3}}]"#;
        assert_eq!(paired(expected, actual).forbidden, [(0, 1), (1, 0)]);
    }

    #[test]
    fn a_strict_order_takes_linear_steps() {
        let list = |count: usize, n: usize| {
            let calls = (0..count).map(|at| format!(r#"{{"tool":"f","args":{{"n":{}}}}}"#, at * n));
            calls.collect::<Vec<_>>().join(",")
        };
        let steps = |count: usize| {
            let expected = format!(
                r#"{{"order":"strict","matchers":{{"f":{{"n":{{"tolerance":1}}}}}},"calls":[{}]}}"#,
                list(count, 1)
            );
            steps_of(&expected, &format!("[{}]", list(count, 1)))
        };
        assert!(steps(1_000) <= 11 * steps(100));
    }

    #[test]
    fn too_many_expected_calls_are_rejected() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let json = arena_json(&arena, r#"[{"tool":"f","times":10},{"tool":"g"}]"#);
        let expected = Expectations::read(json, &Path::root(), reader).expect("expectations");
        let limit = |max_expected_calls| {
            let limits = Limits {
                max_expected_calls,
                ..Limits::default()
            };
            pair(&expected, &[], &Comparing::new(&NoComparators, limits))
        };
        assert_eq!(limit(11).expect("no more than that").missed.len(), 11);
        assert_eq!(
            limit(10).expect_err("one more").to_string(),
            "limits.maxExpectedCalls is 10, the input needs 11 at expected"
        );
    }

    #[test]
    fn names_match_across_mcp_prefixes() {
        assert_eq!(
            counts(r#"[{"tool":"search"}]"#, r#"[{"tool":"mcp__web__search"}]"#),
            "1/0/0/0 of 1"
        );
        assert_eq!(
            counts(
                r#"[{"tool":"mcp__web__search"}]"#,
                r#"[{"tool":"web__search"}]"#
            ),
            "1/0/0/0 of 1"
        );
        let two_servers = r#"[{"tool":"mcp__a__search"},{"tool":"mcp__b__search"}]"#;
        assert_eq!(
            counts(two_servers, r#"[{"tool":"search"}]"#),
            "0/0/2/1 of 2"
        );
    }

    #[test]
    fn optional_calls_count_only_if_they_are_made() {
        let expected = r#"[{"tool":"f"},{"tool":"log","args":{"x":1},"optional":true}]"#;
        assert_eq!(counts(expected, r#"[{"tool":"f"}]"#), "1/0/0/0 of 1");
        assert_eq!(
            counts(expected, r#"[{"tool":"f"},{"tool":"log","args":{"x":1}}]"#),
            "2/0/0/0 of 2"
        );
        assert_eq!(
            counts(expected, r#"[{"tool":"f"},{"tool":"log","args":{"x":2}}]"#),
            "1/0/0/1 of 1"
        );
        assert_eq!(counts(expected, "[]"), "0/0/1/0 of 1");
    }

    #[test]
    fn required_calls_take_precedence_over_optional_ones() {
        let expected = r#"[{"tool":"f","optional":true},{"tool":"f"}]"#;
        assert_eq!(counts(expected, r#"[{"tool":"f"}]"#), "1/0/0/0 of 1");
        let flexible = r#"[{"tool":"f","optional":true},{"tool":"f","matchers":"superset"}]"#;
        assert_eq!(counts(flexible, r#"[{"tool":"f"}]"#), "1/0/0/0 of 1");
    }

    #[test]
    fn calls_can_be_expected_several_times() {
        let calls = |count: usize| format!("[{}]", vec![r#"{"tool":"f"}"#; count].join(","));
        let cases = [
            (r#"{"tool":"f","times":2}"#, 1, "1/0/1/0 of 2"),
            (r#"{"tool":"f","times":2}"#, 3, "2/0/0/1 of 2"),
            (
                r#"{"tool":"f","times":{"min":1,"max":3}}"#,
                0,
                "0/0/1/0 of 1",
            ),
            (
                r#"{"tool":"f","times":{"min":1,"max":3}}"#,
                2,
                "2/0/0/0 of 2",
            ),
            (
                r#"{"tool":"f","times":{"min":1,"max":3}}"#,
                5,
                "3/0/0/2 of 3",
            ),
            (r#"{"tool":"f","times":{"min":2}}"#, 7, "7/0/0/0 of 7"),
            (r#"{"tool":"f","times":{"max":2}}"#, 1, "1/0/0/0 of 1"),
            (r#"{"tool":"f","times":{"max":0}}"#, 1, "0/0/0/1 of 0"),
        ];
        for (expected, made, wanted) in cases {
            assert_eq!(
                counts(&format!("[{expected}]"), &calls(made)),
                wanted,
                "{expected}, {made} made"
            );
        }
    }

    #[test]
    fn one_alternative_is_enough() {
        let expected = r#"[{"anyOf":[{"tool":"search","args":{"q":"x"}},{"tool":"lookup"}]},{"tool":"lookup"}]"#;
        assert_eq!(
            counts(
                expected,
                r#"[{"tool":"search","args":{"q":"x"}},{"tool":"lookup"}]"#
            ),
            "2/0/0/0 of 2"
        );
        assert_eq!(
            counts(expected, r#"[{"tool":"lookup"},{"tool":"lookup"}]"#),
            "2/0/0/0 of 2"
        );
        assert_eq!(counts(expected, r#"[{"tool":"lookup"}]"#), "1/0/1/0 of 2");
        assert_eq!(
            counts(
                expected,
                r#"[{"tool":"search","args":{"q":"y"}},{"tool":"lookup"}]"#
            ),
            "1/1/0/0 of 2"
        );
    }

    #[test]
    fn a_sequence_allows_others_in_between_and_strict_does_not() {
        let order = |order: &str, calls: &str| {
            let calls: Vec<_> = calls
                .chars()
                .map(|tool| {
                    let optional = tool.is_uppercase();
                    format!(
                        r#"{{"tool":"{}","optional":{optional}}}"#,
                        tool.to_lowercase()
                    )
                })
                .collect();
            format!(r#"{{"order":"{order}","calls":[{}]}}"#, calls.join(","))
        };
        let made = |calls: &str| {
            let calls: Vec<_> = calls
                .chars()
                .map(|tool| format!(r#"{{"tool":"{tool}"}}"#))
                .collect();
            format!("[{}]", calls.join(","))
        };
        let cases = [
            ("any", "abc", "cba", "3/0/0/0 of 3"),
            ("sequence", "abc", "axbxc", "3/0/0/2 of 3"),
            ("sequence", "abc", "acb", "2/1/0/0 of 3"),
            ("sequence", "abc", "ac", "2/0/1/0 of 3"),
            ("strict", "abc", "abc", "3/0/0/0 of 3"),
            ("strict", "abc", "xabc", "0/3/0/1 of 3"),
            ("strict", "abc", "abx", "2/0/1/1 of 3"),
            ("strict", "aBc", "ac", "2/0/0/0 of 2"),
            ("strict", "aBc", "abc", "3/0/0/0 of 3"),
            ("strict", "abc", "abcd", "3/0/0/1 of 3"),
        ];
        for (kind, expected, actual, wanted) in cases {
            assert_eq!(
                counts(&order(kind, expected), &made(actual)),
                wanted,
                "{kind} {expected} {actual}"
            );
        }
        let misplaced = paired(&order("sequence", "ab"), &made("ba"));
        assert!(misplaced.different.iter().all(|one| one.out_of_order));
    }

    #[test]
    fn forbidden_calls_are_matched_by_tool_or_by_arguments() {
        let expected = r#"{"calls":[{"tool":"f"}],"forbidden":[
            {"tool":"delete"},{"tool":"pay","args":{"amount":0}},{"tool":"mail","args":{},"matchers":{"to":{"regex":"@evil"}}}]}"#;
        let actual = r#"[{"tool":"f"},{"tool":"delete","args":{"id":1}},{"tool":"pay","args":{"amount":5}},
            {"tool":"pay","args":{"amount":0}},{"tool":"mail","args":{"to":"x@evil"}},{"tool":"mail","args":{"to":"x@good"}}]"#;
        assert_eq!(paired(expected, actual).forbidden, [(1, 0), (3, 1), (4, 2)]);
    }

    #[test]
    fn a_bare_tool_name_matches_any_call_of_the_tool() {
        let expected = r#"{"calls":["f",{"anyOf":["g","h"]}],"forbidden":["pay"]}"#;
        let made = r#"[{"tool":"f","args":{"n":1}},{"tool":"h","args":{"n":2}}]"#;
        assert_eq!(counts(expected, made), "2/0/0/0 of 2");
        assert_eq!(counts(r#"["f","f"]"#, made), "1/0/1/1 of 2");
        let paid = r#"[{"tool":"pay","args":{"note":"x"}}]"#;
        assert_eq!(paired(expected, paid).forbidden, [(0, 0)]);
        let matched =
            r#"{"calls":[],"forbidden":["pay"],"matchers":{"pay":{"note":"caseInsensitive"}}}"#;
        assert_eq!(paired(matched, paid).forbidden, [(0, 0)]);
        let narrowed =
            r#"{"calls":[],"forbidden":["pay"],"matchers":{"pay":{"note":{"regex":"^y"}}}}"#;
        assert_eq!(paired(narrowed, paid).forbidden, []);
    }

    #[test]
    fn matchers_of_all_tools_the_tool_and_the_call_apply_in_turn() {
        let expected = r#"{"matchers":{"f":{"q":"exact"},"*":{"q":"caseInsensitive","id":"ignore"}},
            "calls":[{"tool":"f","args":{"q":"A"}},{"tool":"g","args":{"q":"A"}},{"tool":"f","args":{"q":"B"},"matchers":{"q":"caseInsensitive"}}]}"#;
        let actual = |q: &str| {
            format!(
                r#"[{{"tool":"f","args":{{"q":"{q}","id":1}}}},{{"tool":"g","args":{{"q":"a","id":2}}}},{{"tool":"f","args":{{"q":"b"}}}}]"#
            )
        };
        assert_eq!(counts(expected, &actual("A")), "3/0/0/0 of 3");
        assert_eq!(counts(expected, &actual("a")), "2/1/0/0 of 3");
    }

    #[test]
    fn added_matchers_apply_after_those_of_a_file() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let json = |text: &str| arena_json(&arena, text);
        let file = json(
            r#"{"calls":[{"tool":"f","args":{"q":"A"}}],"matchers":{"f":{"q":"exact"},"*":{"id":"ignore"}}}"#,
        );
        let mut expected = Expectations::read(file, &Path::root(), reader).expect("a file");
        let forbidden = json(r#"[{"tool":"pay","args":{"amount":0}}]"#);
        let matchers = json(r#"{"f":{"q":"caseInsensitive"}}"#);
        expected
            .add(None, Some(matchers), Some(forbidden), &Path::root(), reader)
            .expect("options");
        let made =
            json(r#"[{"tool":"f","args":{"q":"a"}},{"tool":"pay","args":{"amount":0,"id":7}}]"#);
        let made = read_list(made.items().expect("a list"), &Path::root(), reader).expect("calls");
        let comparing = Comparing::new(&NoComparators, Limits::default());
        let made = MadeCall::each(&made);
        let pairing = pair(&expected, &made, &comparing).expect("no comparators, and few calls");
        assert_eq!((pairing.correct.len(), pairing.forbidden.len()), (1, 1));
    }

    #[test]
    fn two_thousand_calls_of_one_tool_find_the_best_pairs() {
        let list = |from: usize| {
            let calls: Vec<_> = (from..from + MOST_TO_ASSIGN)
                .map(|n| format!(r#"{{"tool":"f","args":{{"n":{n}}}}}"#))
                .collect();
            format!("[{}]", calls.join(","))
        };
        let tolerant = format!(
            r#"{{"calls":{},"matchers":{{"f":{{"n":{{"tolerance":1000}}}}}}}}"#,
            list(0)
        );
        assert_eq!(counts(&tolerant, &list(1_000)), "2000/0/0/0 of 2000");
        assert_eq!(counts(&list(0), &list(1_000)), "1000/1000/0/0 of 2000");
    }

    #[test]
    fn more_calls_than_can_be_assigned_are_paired_too() {
        let list = |from: usize, count: usize| {
            let calls: Vec<_> = (from..from + count)
                .map(|n| format!(r#"{{"tool":"f","args":{{"n":{n}}}}}"#))
                .collect();
            format!("[{}]", calls.join(","))
        };
        let expected = format!(
            r#"{{"calls":{},"matchers":{{"f":{{"id":"ignore"}}}}}}"#,
            list(0, 2_500)
        );
        assert_eq!(counts(&expected, &list(500, 2_500)), "2000/500/0/0 of 2500");
    }

    #[test]
    fn invalid_expectations_are_reported_with_their_path() {
        let cases = [
            (r#"{"calls":1}"#, "calls"),
            (r#"{"call":[]}"#, "call"),
            (r#"[1]"#, "[0]"),
            (r#"[{}]"#, "[0].tool"),
            (r#"[{"anyOf":[1]}]"#, "[0].anyOf[0]"),
            (r#"[{"anyOf":["f"],"matchers":"superset"}]"#, "[0].matchers"),
            (
                r#"[{"anyOf":[{"tool":"f","times":2}]}]"#,
                "[0].anyOf[0].times",
            ),
            (
                r#"{"calls":[],"forbidden":[{"tool":"f","optional":true}]}"#,
                "forbidden[0].optional",
            ),
            (r#"{"calls":[],"forbidden":[1]}"#, "forbidden[0]"),
            (r#"[{"tool":"f","times":-1}]"#, "[0].times"),
            (r#"[{"tool":"f","times":1e9}]"#, "[0].times"),
            (
                r#"[{"tool":"f","times":{"min":3,"max":2}}]"#,
                "[0].times.max",
            ),
            (r#"[{"tool":"f","times":{"least":3}}]"#, "[0].times.least"),
            (r#"[{"tool":"f","optional":"yes"}]"#, "[0].optional"),
            (r#"[{"anyOf":[]}]"#, "[0].anyOf"),
            (r#"[{"anyOf":[{"args":{}}]}]"#, "[0].anyOf[0].tool"),
            (
                r#"[{"tool":"f","matchers":{"a":"equal"}}]"#,
                "[0].matchers.a",
            ),
            (r#"{"calls":[],"order":"sorted"}"#, "order"),
            (r#"{"calls":[],"forbidden":{}}"#, "forbidden"),
            (
                r#"{"calls":[],"matchers":{"f":{"a..b":"exact"}}}"#,
                "matchers.f[\"a..b\"]",
            ),
            (r#"{"calls":[],"matchers":[]}"#, "matchers"),
        ];
        for (text, place) in cases {
            let arena = Bump::new();
            let reader = Reader::new(&arena, Limits::default());
            let error = Expectations::read(arena_json(&arena, text), &Path::root(), reader)
                .expect_err(text);
            assert_eq!(
                error.report().path.as_deref(),
                Some(place),
                "{text}: {error}"
            );
        }
    }

    fn any_expected() -> impl Strategy<Value = String> {
        let pattern = ("[fg]", 0u8..4, r#""exact"|"ignore"|\{"oneOf":\[1,2\]\}"#).prop_map(
            |(tool, n, matcher)| {
                format!(r#""tool":"{tool}","args":{{"n":{n}}},"matchers":{{"n":{matcher}}}"#)
            },
        );
        let either = (pattern.clone(), pattern.clone())
            .prop_map(|(a, b)| format!(r#""anyOf":[{{{a}}},{{{b}}}]"#));
        let calls = prop_oneof![3 => pattern, 1 => either];
        (calls, any::<bool>(), 1u8..4).prop_map(|(call, optional, max)| {
            format!(r#"{{{call},"optional":{optional},"times":{{"min":1,"max":{max}}}}}"#)
        })
    }

    fn any_call() -> impl Strategy<Value = String> {
        ("[fgh]", 0u8..4).prop_map(|(tool, n)| format!(r#"{{"tool":"{tool}","args":{{"n":{n}}}}}"#))
    }

    proptest! {
        #[test]
        fn the_order_of_the_lists_does_not_change_the_counts(
            mut expected in prop::collection::vec(any_expected(), 0..6),
            mut actual in prop::collection::vec(any_call(), 0..7),
            turn in 0usize..7,
        ) {
            let list = |calls: &[String]| format!("[{}]", calls.join(","));
            let before = paired(&list(&expected), &list(&actual));
            expected.reverse();
            if !actual.is_empty() {
                let by = turn % actual.len();
                actual.rotate_left(by);
            }
            let after = paired(&list(&expected), &list(&actual));
            prop_assert_eq!(before.correct.len(), after.correct.len());
            prop_assert_eq!(before.different.len(), after.different.len());
            prop_assert_eq!(before.missed.len(), after.missed.len());
            prop_assert_eq!(before.expected, after.expected);
            prop_assert_eq!(before.correct.len() + before.different.len() + before.extra.len(), actual.len());
            prop_assert_eq!(before.correct.len() + before.different.len() + before.missed.len(), before.expected);
        }

        #[test]
        fn a_stricter_order_never_pairs_more_required_calls(
            expected in prop::collection::vec(any_expected(), 0..5),
            actual in prop::collection::vec(any_call(), 0..6),
        ) {
            let actual = format!("[{}]", actual.join(","));
            let met = |order: &str| {
                let expected = format!(r#"{{"order":"{order}","calls":[{}]}}"#, expected.join(","));
                let pairing = paired(&expected, &actual);
                // The number of required calls is the same in all orders.
                pairing.correct.len() as isize - pairing.expected as isize
            };
            prop_assert!(met("strict") <= met("sequence"));
            prop_assert!(met("sequence") <= met("any"));
        }
    }
}
