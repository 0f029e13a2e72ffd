//! Compares the arguments of two calls by matchers.

use std::cell::RefCell;

use foldhash::{HashMap, HashSet};

use super::assignment::best_pairs;
use super::budget::Budget;
use super::matcher::{Matcher, Rule};
use super::moment::Moments;
use super::path_pattern::Step;
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Limits, Member, Path};

use super::difference::{ARGUMENTS, ArgumentDifference, DifferenceKind};

/// The most members of an object that is searched without a table.
const SMALL: usize = 16;

/// A rule with the path that it applies to.
#[derive(Debug, Clone)]
pub struct PathRule<'a> {
    /// The steps from the arguments to the value.
    pub steps: Vec<Step>,
    /// How the value is compared.
    pub rule: Rule<'a>,
}

/// The comparators that a caller provides.
pub trait Comparators {
    /// Returns whether there is a comparator of this name.
    fn has(&self, name: &str) -> bool;

    /// Returns whether the comparator `name` accepts `actual` for `expected`, at a path in a call of `tool`.
    ///
    /// # Errors
    /// If the comparator fails.
    fn accepts(
        &self,
        name: &str,
        expected: Option<Json<'_>>,
        actual: Json<'_>,
        tool: &str,
        path: &str,
    ) -> Result<bool>;
}

/// No comparators.
pub struct NoComparators;

impl Comparators for NoComparators {
    fn has(&self, _: &str) -> bool {
        false
    }

    fn accepts(
        &self,
        name: &str,
        _: Option<Json<'_>>,
        _: Json<'_>,
        _: &str,
        path: &str,
    ) -> Result<bool> {
        Err(Error::InvalidOption {
            path: Path::root().key("options").key("comparators").key(name),
            reason: format!("needed at {path}, but not given"),
        })
    }
}

/// The steps of the budget that one call of a comparator takes.
const COMPARATOR_STEPS: usize = 100;

/// The state of a comparison: the caller's comparators and a budget of steps. It keeps the first failure of a
/// comparator. After that no comparator is called any more, and values that need one count as different.
pub struct Comparing<'c> {
    comparators: &'c dyn Comparators,
    budget: Budget,
    moments: Moments,
    failure: RefCell<Option<Error>>,
}

impl<'c> Comparing<'c> {
    /// Creates the state for these comparators.
    pub fn new(comparators: &'c dyn Comparators, limits: Limits) -> Self {
        Self {
            comparators,
            budget: Budget::new(limits),
            moments: Moments::default(),
            failure: RefCell::new(None),
        }
    }

    /// Returns whether there is a comparator of this name.
    pub fn has(&self, name: &str) -> bool {
        self.comparators.has(name)
    }

    /// Returns the remaining steps.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Returns whether results are meaningless from now on, because a comparator failed or the budget is
    /// spent.
    pub fn has_failed(&self) -> bool {
        self.budget.is_spent() || self.failure.borrow().is_some()
    }

    /// Returns `value`, unless a comparator failed or the budget is spent.
    ///
    /// # Errors
    /// The failure of that comparator; [`Error::LimitExceeded`] if the budget is spent.
    pub fn checked<T>(&self, value: T) -> Result<T> {
        match self.failure.take() {
            Some(error) => Err(error),
            None => self.budget.checked(value),
        }
    }

    fn take(&self, verdict: Result<bool>) -> bool {
        verdict.unwrap_or_else(|error| {
            self.failure.borrow_mut().get_or_insert(error);
            false
        })
    }

    /// Returns all paths where the arguments `actual` of a call of `tool` differ from the expected ones, in
    /// the order of `expected`, followed by unexpected values. Paths start with `args`.
    pub fn differences<'r, 'a: 'r>(
        &self,
        tool: &str,
        rules: impl IntoIterator<Item = &'r PathRule<'a>>,
        expected: Json<'a>,
        actual: Json<'a>,
    ) -> Vec<ArgumentDifference<'a>> {
        self.differences_at(ARGUMENTS, tool, rules, Some(expected), Some(actual))
    }

    /// Returns the differences of two values whose paths start with `root`. `None` is a value that is not there.
    pub fn differences_at<'r, 'a: 'r>(
        &self,
        root: &'static str,
        tool: &str,
        rules: impl IntoIterator<Item = &'r PathRule<'a>>,
        expected: Option<Json<'a>>,
        actual: Option<Json<'a>>,
    ) -> Vec<ArgumentDifference<'a>> {
        let mut found = Vec::new();
        let sink = Sink::Report(&mut found);
        self.walk(root, tool, rules, (expected, actual), sink);
        found
    }

    /// Returns how many differences [`Comparing::differences`] finds.
    pub fn count_differences<'r, 'a: 'r>(
        &self,
        tool: &str,
        rules: impl IntoIterator<Item = &'r PathRule<'a>>,
        expected: Json<'a>,
        actual: Json<'a>,
    ) -> usize {
        let mut count = 0;
        let values = (Some(expected), Some(actual));
        self.walk(ARGUMENTS, tool, rules, values, Sink::Count(&mut count));
        count
    }

    fn walk<'r, 'a: 'r>(
        &self,
        root: &'static str,
        tool: &str,
        rules: impl IntoIterator<Item = &'r PathRule<'a>>,
        (expected, actual): (Option<Json<'a>>, Option<Json<'a>>),
        sink: Sink<'_, 'a>,
    ) {
        let active: Vec<_> = rules
            .into_iter()
            .map(|rule| Active { rule, depth: 0 })
            .collect();
        let mut walk = Walk {
            comparing: self,
            tool,
            sink,
        };
        let place = Place {
            expected,
            actual,
            at: &Trail::Root(root),
            is_member: false,
            label: None,
        };
        walk.compare(place, &Matcher::Exact, &active);
    }
}

/// Where differences go.
enum Sink<'s, 'a> {
    /// They are only counted.
    Count(&'s mut usize),
    /// They are collected.
    Report(&'s mut Vec<ArgumentDifference<'a>>),
}

impl<'a> Sink<'_, 'a> {
    fn add(&mut self, place: Place<'_, 'a>, kind: DifferenceKind, matcher: &Matcher<'a>) {
        match self {
            Self::Count(count) => **count += 1,
            Self::Report(found) => found.push(ArgumentDifference {
                path: place.at.path().to_string(),
                kind,
                expected: place.expected,
                actual: place.actual,
                rule: match place.label {
                    Some(label) if kind != DifferenceKind::Unexpected => Some(label.to_owned()),
                    _ => matcher.phrase(place.expected),
                },
            }),
        }
    }
}

/// The two compared values, with their path.
#[derive(Clone, Copy)]
struct Place<'t, 'a> {
    expected: Option<Json<'a>>,
    actual: Option<Json<'a>>,
    at: &'t Trail<'t>,
    /// Whether the value is a member of an object, rather than an item or all arguments.
    is_member: bool,
    /// The expectation in the words of the rule, if it has a label.
    label: Option<&'a str>,
}

/// A path that is built only if it is reported.
enum Trail<'t> {
    Root(&'static str),
    Key(&'t Trail<'t>, &'t str),
    Index(&'t Trail<'t>, usize),
}

impl Trail<'_> {
    fn path(&self) -> Path {
        match self {
            Self::Root(name) => Path::root().key(name),
            Self::Key(before, key) => before.path().key(key),
            Self::Index(before, index) => before.path().index(*index),
        }
    }
}

/// A rule whose first `depth` steps led to the current value.
#[derive(Clone, Copy)]
struct Active<'w, 'a> {
    rule: &'w PathRule<'a>,
    depth: usize,
}

impl<'w, 'a> Active<'w, 'a> {
    /// Returns the rule if its path ends here.
    fn arrived(self) -> Option<&'w Rule<'a>> {
        (self.depth == self.rule.steps.len()).then_some(&self.rule.rule)
    }

    fn next(self) -> Option<&'w Step> {
        self.rule.steps.get(self.depth)
    }

    fn one_step_on(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }
}

/// The rules for values further inside. Long lists are indexed by the next step, so that finding a rule stays
/// fast.
enum Ahead<'s, 'w, 'a> {
    Few(&'s [Active<'w, 'a>]),
    Many(&'s [Active<'w, 'a>], StepIndex<'w>),
}

/// Positions in a list of rules by their next step, each in the order of the list.
#[derive(Default)]
struct StepIndex<'w> {
    keys: HashMap<&'w str, Vec<usize>>,
    any_key: Vec<usize>,
    items: HashMap<usize, Vec<usize>>,
    any_item: Vec<usize>,
}

impl<'w> StepIndex<'w> {
    fn of(active: &[Active<'w, '_>]) -> Self {
        let mut index = Self::default();
        for (place, one) in active.iter().enumerate() {
            match one.next() {
                Some(Step::Key(name)) => index.keys.entry(name).or_default().push(place),
                Some(Step::AnyKey) => index.any_key.push(place),
                Some(Step::Index(item)) => index.items.entry(*item).or_default().push(place),
                Some(Step::AnyItem) => index.any_item.push(place),
                None => {}
            }
        }
        index
    }
}

impl<'s, 'w, 'a> Ahead<'s, 'w, 'a> {
    fn of(active: &'s [Active<'w, 'a>]) -> Self {
        match active.len() <= SMALL {
            true => Self::Few(active),
            false => Self::Many(active, StepIndex::of(active)),
        }
    }

    fn all(&self) -> &'s [Active<'w, 'a>] {
        match self {
            Self::Few(active) | Self::Many(active, _) => active,
        }
    }

    /// Returns the rules that continue into the member `key`.
    fn at_key(&self, key: &str) -> Vec<Active<'w, 'a>> {
        match self {
            Self::Few(active) => below(active, |step| match step {
                Step::Key(name) => name == key,
                Step::AnyKey => true,
                Step::Index(_) | Step::AnyItem => false,
            }),
            Self::Many(active, index) => both_below(active, index.keys.get(key), &index.any_key),
        }
    }

    /// Returns the rules that continue into the item at `place`.
    fn at_index(&self, place: usize) -> Vec<Active<'w, 'a>> {
        match self {
            Self::Few(active) => below(active, |step| match step {
                Step::Index(item) => *item == place,
                Step::AnyItem => true,
                Step::Key(_) | Step::AnyKey => false,
            }),
            Self::Many(active, index) => {
                both_below(active, index.items.get(&place), &index.any_item)
            }
        }
    }
}

/// Returns the rules that continue with a step that `fits`.
fn below<'w, 'a>(active: &[Active<'w, 'a>], fits: impl Fn(&Step) -> bool) -> Vec<Active<'w, 'a>> {
    let going_on = active.iter().filter(|one| one.next().is_some_and(&fits));
    going_on.map(|one| one.one_step_on()).collect()
}

/// Returns the rules at the positions `some` and `any`, in the order of `active`, one step further.
fn both_below<'w, 'a>(
    active: &[Active<'w, 'a>],
    some: Option<&Vec<usize>>,
    any: &[usize],
) -> Vec<Active<'w, 'a>> {
    let mut places = any.to_vec();
    if let Some(some) = some {
        places.extend(some);
        places.sort_unstable();
    }
    let rules = places.into_iter().map(|place| active[place].one_step_on());
    rules.collect()
}

struct Walk<'w, 'a> {
    comparing: &'w Comparing<'w>,
    tool: &'w str,
    sink: Sink<'w, 'a>,
}

impl<'a> Walk<'_, 'a> {
    fn compare(
        &mut self,
        mut place: Place<'_, 'a>,
        inherited: &Matcher<'a>,
        active: &[Active<'_, 'a>],
    ) {
        if !self.comparing.budget.spend(1 + active.len()) {
            return;
        }
        let mut matcher = inherited;
        let mut is_own = false;
        let mut optional = false;
        let mut default = None;
        for rule in active.iter().filter_map(|one| one.arrived()) {
            if let Some(own) = &rule.matcher {
                (matcher, is_own, place.label) = (own, true, None);
            }
            place.label = rule.label.or(place.label);
            optional |= rule.optional;
            default = rule.default.or(default);
        }
        if optional && default.is_some() {
            place.actual = place.actual.filter(|actual| !actual.is_null());
        }
        place.expected = place.expected.or(default);
        place.actual = place.actual.or(default);
        if optional && place.actual.is_none_or(Json::is_null) {
            return;
        }
        let deeper: Vec<_> = active
            .iter()
            .filter(|one| one.next().is_some())
            .copied()
            .collect();
        let ignored = matches!(matcher, Matcher::Ignore);
        let is_inherited = place.is_member && !is_own;
        let may_lack = ignored || is_inherited && matches!(matcher, Matcher::Subset);
        // Nothing is expected here, so the surrounding value decides whether there may be something.
        let may_be_more = ignored
            || matches!(inherited, Matcher::Ignore)
            || place.is_member && matches!(inherited, Matcher::Superset);
        match (place.expected, place.actual) {
            _ if ignored && deeper.is_empty() => {}
            (None, None) if is_own && matcher.decides_alone() => {
                self.found(place, DifferenceKind::Missing, matcher)
            }
            (None, None) => self.descend(place, &[], &[], matcher, &deeper),
            (Some(_), None) if may_lack => self.descend(place, &[], &[], matcher, &deeper),
            (Some(_), None) => self.found(place, DifferenceKind::Missing, matcher),
            (None, Some(actual)) if is_own && matcher.decides_alone() => {
                self.compare_whole(place, actual, matcher);
            }
            (None, Some(actual)) => {
                self.unexpected(place, actual, matcher, &deeper, may_be_more);
            }
            (Some(expected), Some(actual)) => self.both(place, expected, actual, matcher, &deeper),
        }
    }

    fn found(&mut self, place: Place<'_, 'a>, kind: DifferenceKind, matcher: &Matcher<'a>) {
        self.sink.add(place, kind, matcher);
    }

    /// Handles a value that only rules further inside may expect.
    fn unexpected(
        &mut self,
        place: Place<'_, 'a>,
        actual: Json<'a>,
        matcher: &Matcher<'a>,
        deeper: &[Active<'_, 'a>],
        may_be_more: bool,
    ) {
        match actual {
            Json::Object(members) if !deeper.is_empty() => {
                self.descend(place, &[], members, matcher, deeper);
            }
            Json::Array(items) if !deeper.is_empty() => {
                self.items(place, &[], items, matcher, deeper);
            }
            _ if may_be_more => {}
            _ => self.found(place, DifferenceKind::Unexpected, &Matcher::Exact),
        }
    }

    fn compare_whole(
        &mut self,
        place: Place<'_, 'a>,
        actual: Json<'a>,
        matcher: &Matcher<'a>,
    ) -> bool {
        let verdict = match matcher {
            Matcher::Compare(_) if self.comparing.failure.borrow().is_some() => Ok(false),
            Matcher::Compare(_) if !self.comparing.budget.spend(COMPARATOR_STEPS) => Ok(false),
            Matcher::Compare(name) => {
                let path = place.at.path();
                self.comparing.comparators.accepts(
                    name,
                    place.expected,
                    actual,
                    self.tool,
                    path.as_str(),
                )
            }
            other => match other.whole(place.expected, actual, &self.comparing.budget) {
                Some(verdict) => verdict,
                None => return false,
            },
        };
        if !self.comparing.take(verdict) {
            self.found(place, DifferenceKind::Changed, matcher);
        }
        true
    }

    fn both(
        &mut self,
        place: Place<'_, 'a>,
        expected: Json<'a>,
        actual: Json<'a>,
        matcher: &Matcher<'a>,
        deeper: &[Active<'_, 'a>],
    ) {
        if self.compare_whole(place, actual, matcher) {
            return;
        }
        match (expected, actual) {
            (Json::Object(wanted), Json::Object(given)) => {
                self.descend(place, wanted, given, matcher, deeper);
            }
            (Json::Array(wanted), Json::Array(given)) if matches!(matcher, Matcher::Unordered) => {
                self.unordered(place, wanted, given, matcher, deeper);
            }
            (Json::Array(wanted), Json::Array(given)) => {
                self.items(place, wanted, given, matcher, deeper);
            }
            _ if matches!(matcher, Matcher::Ignore) => {}
            _ if self.are_same(expected, actual, matcher) => {}
            _ => self.found(place, DifferenceKind::Changed, matcher),
        }
    }

    fn are_same(&self, expected: Json<'a>, actual: Json<'a>, matcher: &Matcher<'a>) -> bool {
        let Comparing {
            budget, moments, ..
        } = self.comparing;
        matcher.same(expected, actual, budget, moments)
    }

    /// Compares members one by one: the expected ones first, then those that only rules mention, then the
    /// others.
    fn descend(
        &mut self,
        place: Place<'_, 'a>,
        wanted: &'a [Member<'a>],
        given: &'a [Member<'a>],
        matcher: &Matcher<'a>,
        deeper: &[Active<'_, 'a>],
    ) {
        let (expected, actual) = (Members::of(wanted), Members::of(given));
        let ahead = Ahead::of(deeper);
        for (key, value) in wanted {
            let other = actual.get(key);
            let rules = ahead.at_key(key);
            self.member(place, key, Some(*value), other, matcher, &rules);
        }
        let mut seen = HashSet::default();
        for one in ahead.all() {
            let Some(Step::Key(key)) = one.next() else {
                continue;
            };
            let is_new = seen.insert(key.as_str());
            if is_new && expected.get(key).is_none() && actual.get(key).is_none() {
                self.member(place, key, None, None, matcher, &ahead.at_key(key));
            }
        }
        for (key, value) in given.iter().filter(|(key, _)| expected.get(key).is_none()) {
            let rules = ahead.at_key(key);
            self.member(place, key, None, Some(*value), matcher, &rules);
        }
    }

    fn member(
        &mut self,
        outer: Place<'_, 'a>,
        key: &str,
        expected: Option<Json<'a>>,
        actual: Option<Json<'a>>,
        matcher: &Matcher<'a>,
        rules: &[Active<'_, 'a>],
    ) {
        let at = &Trail::Key(outer.at, key);
        let place = Place {
            expected,
            actual,
            at,
            is_member: true,
            label: None,
        };
        self.compare(place, matcher, rules);
    }

    fn item(
        &mut self,
        outer: Place<'_, 'a>,
        index: usize,
        expected: Option<Json<'a>>,
        actual: Option<Json<'a>>,
        matcher: &Matcher<'a>,
        ahead: &Ahead<'_, '_, 'a>,
    ) {
        let at = &Trail::Index(outer.at, index);
        let place = Place {
            expected,
            actual,
            at,
            is_member: false,
            label: None,
        };
        self.compare(place, matcher, &ahead.at_index(index));
    }

    fn items(
        &mut self,
        place: Place<'_, 'a>,
        wanted: &'a [Json<'a>],
        given: &'a [Json<'a>],
        matcher: &Matcher<'a>,
        deeper: &[Active<'_, 'a>],
    ) {
        let ahead = Ahead::of(deeper);
        for at in 0..wanted.len().max(given.len()) {
            let (expected, actual) = (wanted.get(at).copied(), given.get(at).copied());
            self.item(place, at, expected, actual, matcher, &ahead);
        }
    }

    /// Pairs equal items first, and then the others with as few differences as possible.
    fn unordered(
        &mut self,
        place: Place<'_, 'a>,
        wanted: &'a [Json<'a>],
        given: &'a [Json<'a>],
        matcher: &Matcher<'a>,
        deeper: &[Active<'_, 'a>],
    ) {
        let (comparing, tool) = (self.comparing, self.tool);
        if !comparing.budget.spend(wanted.len() + given.len()) {
            return;
        }
        let ahead = Ahead::of(deeper);
        let is_simple = |json: Json<'_>| !matches!(json, Json::Array(_) | Json::Object(_));
        let differences = |at: usize, other: usize| {
            if deeper.is_empty() && (is_simple(wanted[at]) || is_simple(given[other])) {
                return usize::from(wanted[at] != given[other]);
            }
            let mut count = 0usize;
            let mut counting = Walk {
                comparing,
                tool,
                sink: Sink::Count(&mut count),
            };
            let (expected, actual) = (Some(wanted[at]), Some(given[other]));
            counting.item(place, at, expected, actual, matcher, &ahead);
            count
        };
        // A rule may reject an item although it is equal.
        let fits = |at, other| deeper.is_empty() || differences(at, other) == 0;
        let (open_wanted, open_given) = without_equals(wanted, given, fits);
        let mut taken = vec![false; open_given.len()];
        let (rows, columns) = (open_wanted.len(), open_given.len());
        let pairs = best_pairs(rows, columns, &comparing.budget, |row, column| {
            differences(open_wanted[row], open_given[column]) as f64
        });
        for (at, partner) in open_wanted.iter().zip(pairs) {
            let mut actual = None;
            if let Some(partner) = partner {
                taken[partner.column] = true;
                // The pair is compared already. Compare it again only to collect its differences.
                if let Sink::Count(count) = &mut self.sink {
                    **count += partner.cost as usize;
                    continue;
                }
                actual = Some(given[open_given[partner.column]]);
            }
            self.item(place, *at, Some(wanted[*at]), actual, matcher, &ahead);
        }
        for (at, _) in open_given.iter().zip(taken).filter(|(_, taken)| !taken) {
            self.item(place, *at, None, Some(given[*at]), matcher, &ahead);
        }
    }
}

/// Returns the positions in both lists that remain after removing pairs of equal items that fit each other.
fn without_equals(
    wanted: &[Json<'_>],
    given: &[Json<'_>],
    fits: impl Fn(usize, usize) -> bool,
) -> (Vec<usize>, Vec<usize>) {
    let mut open: HashMap<Json<'_>, Vec<usize>> = HashMap::default();
    for (at, item) in given.iter().enumerate().rev() {
        open.entry(*item).or_default().push(at);
    }
    let mut has_partner = |at: &usize| {
        let equal = open.get_mut(&wanted[*at]);
        let partner = equal.and_then(|equal| equal.pop_if(|other| fits(*at, *other)));
        partner.is_some()
    };
    let left = (0..wanted.len()).filter(|at| !has_partner(at)).collect();
    let mut unmatched: Vec<_> = open.into_values().flatten().collect();
    unmatched.sort_unstable();
    (left, unmatched)
}

/// The members of an object, indexed if there are many.
enum Members<'a> {
    Few(&'a [Member<'a>]),
    Many(HashMap<&'a str, Json<'a>>),
}

impl<'a> Members<'a> {
    fn of(members: &'a [Member<'a>]) -> Self {
        if members.len() <= SMALL {
            Self::Few(members)
        } else {
            Self::Many(members.iter().copied().collect())
        }
    }

    fn get(&self, key: &str) -> Option<Json<'a>> {
        match self {
            Self::Few(members) => Json::Object(members).get(key),
            Self::Many(members) => members.get(key).copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::grammar::{MatcherName, RuleMember};
    use super::super::path_pattern::read_pattern;
    use super::*;
    use bumpalo::Bump;
    use proptest::prelude::*;
    use proptest::sample::select;
    use strum::VariantArray;
    use toolgauge_model::testing::{any_json, arena_json};

    fn rules<'a>(arena: &'a Bump, matchers: &str) -> Vec<PathRule<'a>> {
        let root = Path::root();
        let json = arena_json(arena, matchers);
        let members = json.members().expect("matchers by path").iter();
        members
            .map(|(path, rule)| PathRule {
                steps: read_pattern(path, &root).expect("a path"),
                rule: Rule::read(*rule, &root).expect("a rule"),
            })
            .collect()
    }

    fn described(matchers: &str, expected: &str, actual: &str) -> Vec<String> {
        let arena = Bump::new();
        let comparing = Comparing::new(&NoComparators, Limits::default());
        let (expected, actual) = (arena_json(&arena, expected), arena_json(&arena, actual));
        let rules = rules(&arena, matchers);
        let found = comparing.differences("f", &rules, expected, actual);
        assert_eq!(
            found.is_empty(),
            comparing.count_differences("f", &rules, expected, actual) == 0
        );
        found.iter().map(ArgumentDifference::describe).collect()
    }

    /// The matchers that are not among `rows`, except those that do not reject a value by a rule of their own.
    fn matchers_without_row(rows: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
        let arena = Bump::new();
        let rows: Vec<_> = rows.map(|row| arena_json(&arena, row)).collect();
        let names = MatcherName::VARIANTS.iter().filter(|name| match name {
            MatcherName::Ignore => false,
            name => !rows.iter().any(|row| row.as_str() == Some((**name).into())),
        });
        let members = RuleMember::VARIANTS.iter().filter(|member| match member {
            RuleMember::Match | RuleMember::Compare => false,
            member => {
                member.is_matcher() && !rows.iter().any(|row| row.get((**member).into()).is_some())
            }
        });
        let names = names.map(|name| (*name).into());
        names
            .chain(members.map(|member| (*member).into()))
            .collect()
    }

    /// Each row: the matcher of `x`, an expected value, values that match, one that does not, and the message
    /// for that one.
    #[test]
    fn each_matcher_accepts_and_rejects_the_right_values() {
        type Case = (
            &'static str,
            &'static str,
            &'static [&'static str],
            &'static str,
            &'static str,
        );
        let cases: &[Case] = &[
            (
                r#""exact""#,
                "5",
                &["5.0"],
                r#""5""#,
                r#"args.x: expected 5, got "5""#,
            ),
            (
                r#""subset""#,
                r#"{"a":1,"b":{"c":2,"d":3}}"#,
                &[r#"{"a":1}"#, r#"{"b":{"c":2}}"#, "{}"],
                r#"{"a":1,"z":2}"#,
                "args.x.z: expected nothing, got 2",
            ),
            (
                r#""superset""#,
                r#"{"a":1,"b":{"c":2}}"#,
                &[r#"{"a":1,"b":{"c":2,"d":3},"e":4}"#],
                r#"{"a":1}"#,
                r#"args.x.b: expected {"c": 2}, got nothing"#,
            ),
            (
                r#""superset""#,
                r#"[{"a":1}]"#,
                &[r#"[{"a":1,"b":2}]"#],
                r#"[{"a":1},{}]"#,
                "args.x[1]: expected nothing, got {}",
            ),
            (
                r#""caseInsensitive""#,
                r#""ÅSE Oslo""#,
                &[r#""åse oslo""#],
                r#""Ase Oslo""#,
                r#"args.x: expected "ÅSE Oslo" in any case, got "Ase Oslo""#,
            ),
            (
                r#""caseInsensitive""#,
                r#"["A",{"b":"C"}]"#,
                &[r#"["a",{"b":"c"}]"#],
                r#"["a",{"b":"d"}]"#,
                r#"args.x[1].b: expected "C" in any case, got "d""#,
            ),
            (
                r#"{"tolerance":0.1}"#,
                "1.5",
                &["1.6", "1.4", "1.5"],
                "1.61",
                "args.x: expected 1.5 ± 0.1, got 1.61",
            ),
            (
                r#"{"tolerance":{"relative":0.1}}"#,
                "-200",
                &["-220", "-180"],
                "-221",
                "args.x: expected -200 ± 10%, got -221",
            ),
            (
                r#""date""#,
                r#""2024-05-16""#,
                &[r#""May 16, 2024""#],
                r#""2024-05-17""#,
                r#"args.x: expected the moment "2024-05-16", got "2024-05-17""#,
            ),
            (
                r#""date""#,
                r#""5:00 PM""#,
                &[r#""5 pm""#, r#""17:00""#],
                r#""5 am""#,
                r#"args.x: expected the moment "5:00 PM", got "5 am""#,
            ),
            (
                r#""unordered""#,
                r#"["a","b","b"]"#,
                &[r#"["b","a","b"]"#],
                r#"["b","a"]"#,
                r#"args.x[2]: expected "b", got nothing"#,
            ),
            (
                r#""unordered""#,
                r#"[{"a":1,"b":2},{"a":3,"b":4}]"#,
                &[r#"[{"b":4,"a":3},{"b":2,"a":1}]"#],
                r#"[{"a":3,"b":9},{"a":1,"b":2}]"#,
                "args.x[1].b: expected 4, got 9",
            ),
            (
                r#"{"oneOf":["a",7]}"#,
                r#""b""#,
                &[r#""a""#, "7.0", r#""b""#],
                r#""A""#,
                r#"args.x: expected one of "b", "a", 7, got "A""#,
            ),
            (
                r#"{"regex":"^HAT\\d{3}$"}"#,
                "null",
                &[r#""HAT271""#],
                r#""hat271""#,
                r#"args.x: expected a text that matches "^HAT\\d{3}$", got "hat271""#,
            ),
            (
                r#"{"contains":"Oslo"}"#,
                "null",
                &[r#""to Oslo""#, r#"["Oslo","Bergen"]"#],
                r#""Bergen""#,
                r#"args.x: expected something that contains "Oslo", got "Bergen""#,
            ),
            (
                r#""contains""#,
                r#"["a","b"]"#,
                &[r#"["c","b","a"]"#, r#""ab""#],
                r#"["a"]"#,
                r#"args.x: expected something that contains ["a", "b"], got ["a"]"#,
            ),
            (
                r#""type""#,
                r#""some text""#,
                &[r#""another""#],
                "5",
                "args.x: expected a value of type string, got 5",
            ),
            (
                r#"{"type":["integer","null"]}"#,
                "1",
                &["7", "7.0", "null"],
                "7.5",
                "args.x: expected a value of type integer or null, got 7.5",
            ),
            (
                r#"{"schema":{"type":"string","minLength":3}}"#,
                "null",
                &[r#""abc""#],
                r#""ab""#,
                r#"args.x: expected a value that the schema accepts, got "ab""#,
            ),
        ];
        assert_eq!(matchers_without_row(cases.iter().map(|row| row.0)), [""; 0]);
        for (matcher, expected, fitting, other, message) in cases {
            let matchers = format!(r#"{{"x":{matcher}}}"#);
            let expected = format!(r#"{{"x":{expected}}}"#);
            for actual in *fitting {
                let found = described(&matchers, &expected, &format!(r#"{{"x":{actual}}}"#));
                assert_eq!(found, [""; 0], "{matcher} on {actual}");
            }
            let found = described(&matchers, &expected, &format!(r#"{{"x":{other}}}"#));
            assert_eq!(found, [*message], "{matcher} on {other}");
        }
    }

    #[test]
    fn arguments_can_be_ignored_optional_or_have_defaults() {
        let none: [&str; 0] = [];
        assert_eq!(
            described(r#"{"id":"ignore"}"#, r#"{"id":1,"q":2}"#, r#"{"q":2}"#),
            none
        );
        assert_eq!(
            described(r#"{"id":"ignore"}"#, r#"{"q":2}"#, r#"{"q":2,"id":{}}"#),
            none
        );
        assert_eq!(described(r#"{"n":"optional"}"#, r#"{"n":1}"#, "{}"), none);
        assert_eq!(
            described(r#"{"n":"optional"}"#, r#"{"n":1}"#, r#"{"n":null}"#),
            none
        );
        assert_eq!(
            described(r#"{"n":"optional"}"#, r#"{"n":1}"#, r#"{"n":2}"#),
            ["args.n: expected 1, got 2"]
        );
        assert_eq!(
            described(r#"{"n":"optional"}"#, "{}", r#"{"n":2}"#),
            ["args.n: expected nothing, got 2"]
        );
        let default = r#"{"n":{"default":10}}"#;
        assert_eq!(described(default, "{}", r#"{"n":10}"#), none);
        assert_eq!(described(default, r#"{"n":10}"#, "{}"), none);
        assert_eq!(
            described(default, r#"{"n":5}"#, "{}"),
            ["args.n: expected 5, got 10"]
        );
        let both = r#"{"unit":{"oneOf":["km","mi"],"optional":true}}"#;
        assert_eq!(described(both, "{}", "{}"), none);
        assert_eq!(described(both, "{}", r#"{"unit":"mi"}"#), none);
        assert_eq!(
            described(both, "{}", r#"{"unit":"m"}"#),
            [r#"args.unit: expected one of "km", "mi", got "m""#]
        );
    }

    #[test]
    fn null_counts_as_missing_for_an_optional_argument() {
        let rule = r#"{"n":{"default":10,"optional":true}}"#;
        assert_eq!(described(rule, r#"{"n":10}"#, r#"{"n":null}"#), [""; 0]);
        assert_eq!(
            described(rule, r#"{"n":5}"#, r#"{"n":null}"#),
            ["args.n: expected 5, got 10"]
        );
        assert_eq!(
            described(r#"{"n":{"default":10}}"#, "{}", r#"{"n":null}"#),
            ["args.n: expected 10, got null"]
        );
    }

    #[test]
    fn the_surrounding_matcher_decides_about_unexpected_arguments() {
        for matcher in [r#""ignore""#, r#""superset""#] {
            let matchers = format!(r#"{{"":{matcher},"q":"caseInsensitive"}}"#);
            assert_eq!(described(&matchers, "{}", r#"{"q":"x"}"#), [""; 0]);
        }
        assert_eq!(
            described(r#"{"":"ignore","q":{"regex":"^a"}}"#, "{}", r#"{"q":"x"}"#),
            [r#"args.q: expected a text that matches "^a", got "x""#]
        );
        assert_eq!(
            described(r#"{"q":"caseInsensitive"}"#, "{}", r#"{"q":"x"}"#),
            [r#"args.q: expected nothing, got "x""#]
        );
    }

    #[test]
    fn a_label_replaces_the_phrase_of_a_matcher() {
        let labelled = r#"{"id":{"regex":"^[A-Z]{6}$","label":"a record locator"}}"#;
        assert_eq!(
            described(labelled, "{}", r#"{"id":"x"}"#),
            [r#"args.id: expected a record locator, got "x""#]
        );
        assert_eq!(
            described(labelled, "{}", "{}"),
            ["args.id: expected a record locator, got nothing"]
        );
        assert_eq!(
            described(r#"{"id":{"label":"five"}}"#, r#"{"id":5}"#, r#"{"id":6}"#),
            ["args.id: expected five, got 6"]
        );
        assert_eq!(
            described(r#"{"id":{"label":"five"}}"#, "{}", r#"{"id":6}"#),
            ["args.id: expected nothing, got 6"]
        );
        assert_eq!(
            described(
                r#"{"*":{"regex":"^a","label":"an a"},"id":"type"}"#,
                r#"{"id":1}"#,
                r#"{"id":"a"}"#
            ),
            [r#"args.id: expected a value of type number, got "a""#]
        );
    }

    #[test]
    fn rules_can_reject_equal_items_of_unordered_arrays() {
        let matchers = r#"{"x":"unordered","x[*]":{"type":"string"}}"#;
        assert_eq!(
            described(matchers, r#"{"x":[null,"a"]}"#, r#"{"x":["a",null]}"#),
            ["args.x[0]: expected a value of type string, got null"]
        );
        assert_eq!(
            described(matchers, r#"{"x":["a","b"]}"#, r#"{"x":["b","a"]}"#),
            [""; 0]
        );
    }

    #[test]
    fn matchers_without_expected_value_need_the_argument() {
        assert_eq!(
            described(r#"{"a.b":{"type":"string"}}"#, "{}", "{}"),
            ["args.a.b: expected a value of type string, got nothing"]
        );
        assert_eq!(
            described(r#"{"a.b":{"type":"string"}}"#, "{}", r#"{"a":{"b":"x"}}"#),
            [""; 0]
        );
        assert_eq!(
            described(
                r#"{"a.b":{"type":"string"}}"#,
                "{}",
                r#"{"a":{"b":1,"c":2}}"#
            ),
            [
                "args.a.b: expected a value of type string, got 1",
                "args.a.c: expected nothing, got 2"
            ]
        );
    }

    #[test]
    fn the_last_matching_rule_wins_and_wildcards_reach_members_and_items() {
        let matchers = r#"{"":"superset","items[*].id":"ignore","items[0].id":"exact","*.note":"caseInsensitive"}"#;
        assert_eq!(
            described(
                matchers,
                r#"{"items":[{"id":1},{"id":2}],"m":{"note":"A"}}"#,
                r#"{"items":[{"id":1},{"id":9,"more":true}],"m":{"note":"a"},"x":0}"#
            ),
            [""; 0]
        );
        assert_eq!(
            described(
                matchers,
                r#"{"items":[{"id":1}]}"#,
                r#"{"items":[{"id":9}]}"#
            ),
            ["args.items[0].id: expected 1, got 9"]
        );
        assert_eq!(
            described(
                r#"{"":"ignore","id":"exact"}"#,
                r#"{"id":1,"q":"x"}"#,
                r#"{"id":2,"q":"y"}"#
            ),
            ["args.id: expected 1, got 2"]
        );
    }

    /// Returns the steps that the comparison takes.
    fn steps(matchers: &str, expected: &str, actual: &str) -> usize {
        let arena = Bump::new();
        let comparing = Comparing::new(&NoComparators, Limits::default());
        let (expected, actual) = (arena_json(&arena, expected), arena_json(&arena, actual));
        let rules = rules(&arena, matchers);
        comparing.count_differences("f", &rules, expected, actual);
        comparing.budget().taken()
    }

    fn list(count: usize, item: impl Fn(usize) -> String) -> String {
        format!("[{}]", (0..count).map(item).collect::<Vec<_>>().join(","))
    }

    #[test]
    fn nested_unordered_lists_take_quadratic_steps() {
        fn nested(depth: usize, first: usize) -> String {
            match depth {
                0 => first.to_string(),
                _ => {
                    let half = 1 << (depth - 1);
                    let (left, right) = (nested(depth - 1, first), nested(depth - 1, first + half));
                    format!("[{left},{right}]")
                }
            }
        }
        let cost = |depth| {
            steps(
                r#"{"":"unordered"}"#,
                &nested(depth, 0),
                &nested(depth, 5_000),
            )
        };
        // Twice the values, four times the pairs.
        assert!(cost(8) <= 4 * cost(7) + cost(7) / 2);
        assert!(cost(9) <= 4 * cost(8) + cost(8) / 2);
    }

    #[test]
    fn wildcard_matchers_take_steps_in_proportion_to_keys_and_matchers() {
        let cost = |count: usize| {
            let members = |value: &str| {
                let member = |at| format!(r#""k{at}":{{"x":"{value}"}}"#);
                let members: Vec<_> = (0..count).map(member).collect();
                format!("{{{}}}", members.join(","))
            };
            let matchers: Vec<_> = (0..count)
                .map(|at| format!(r#""*.k{at}":"caseInsensitive""#))
                .collect();
            let matchers = format!("{{{}}}", matchers.join(","));
            steps(&matchers, &members("A"), &members("a"))
        };
        assert!(cost(100) <= 4 * cost(50) + cost(50) / 2);
    }

    #[test]
    fn each_text_of_a_list_is_parsed_once_as_a_date() {
        let dates =
            |year: usize| list(100, |at| format!(r#""{year}-05-{:02} #{at}""#, 1 + at % 28));
        let cost = steps(
            r#"{"":"unordered","[*]":"date"}"#,
            &dates(2023),
            &dates(2024),
        );
        assert!(cost < 100 * 100 * 6, "{cost}");
    }

    #[test]
    fn a_comparison_beyond_its_budget_ends() {
        let arena = Bump::new();
        let limits = Limits {
            max_comparison_steps: 1_000,
            ..Limits::default()
        };
        let comparing = Comparing::new(&NoComparators, limits);
        let numbers = |from: usize| list(100, |at| format!("[{}]", from + at));
        let rules = rules(&arena, r#"{"":"unordered"}"#);
        let (a, b) = (
            arena_json(&arena, &numbers(0)),
            arena_json(&arena, &numbers(500)),
        );
        let count = comparing.count_differences("f", &rules, a, b);
        let error = comparing.checked(count).expect_err("10,000 pairs");
        assert!(
            error
                .to_string()
                .starts_with("limits.maxComparisonSteps is 1000")
        );
    }

    #[test]
    fn a_comparator_that_fails_is_an_error_and_not_a_verdict() {
        let arena = Bump::new();
        let comparing = Comparing::new(&NoComparators, Limits::default());
        let rules = rules(&arena, r#"{"x":{"compare":"mine"}}"#);
        let value = arena_json(&arena, r#"{"x":1}"#);
        let count = comparing.count_differences("f", &rules, value, value);
        assert!(comparing.checked(count).is_err());
        assert!(comparing.checked(count).is_ok());
    }

    #[test]
    fn no_comparator_is_called_after_a_failure() {
        struct Failing(std::cell::Cell<usize>);
        impl Comparators for Failing {
            fn has(&self, _: &str) -> bool {
                true
            }

            fn accepts(
                &self,
                name: &str,
                expected: Option<Json<'_>>,
                actual: Json<'_>,
                tool: &str,
                path: &str,
            ) -> Result<bool> {
                self.0.set(self.0.get() + 1);
                NoComparators.accepts(name, expected, actual, tool, path)
            }
        }
        let arena = Bump::new();
        let failing = Failing(std::cell::Cell::new(0));
        let comparing = Comparing::new(&failing, Limits::default());
        let rules = rules(&arena, r#"{"[*]":{"compare":"mine"}}"#);
        let value = arena_json(&arena, "[1,2,3]");
        assert_eq!(comparing.count_differences("f", &rules, value, value), 3);
        assert_eq!(failing.0.get(), 1);
        assert!(comparing.checked(()).is_err());
    }

    #[test]
    fn invalid_matchers_are_reported_with_their_path() {
        let arena = Bump::new();
        let at = Path::root().key("matchers");
        let cases = [
            (r#""exactly""#, "matchers"),
            (r#"{"oneof":[1]}"#, "matchers.oneof"),
            (r#"{"oneOf":1}"#, "matchers.oneOf"),
            (r#"{"regex":"("}"#, "matchers.regex"),
            (r#"{"regex":1}"#, "matchers.regex"),
            (r#"{"tolerance":-1}"#, "matchers.tolerance"),
            (
                r#"{"tolerance":{"relativ":1}}"#,
                "matchers.tolerance.relativ",
            ),
            (r#"{"type":"text"}"#, "matchers.type"),
            (r#"{"schema":{"type":5}}"#, "matchers.schema"),
            (r#"{"optional":1}"#, "matchers.optional"),
            (r#"{"label":1}"#, "matchers.label"),
            (r#"{"compare":1}"#, "matchers.compare"),
            (r#"{"match":"oneOf"}"#, "matchers.match"),
            (r#"{"match":"date","type":"string"}"#, "matchers.type"),
            ("5", "matchers"),
        ];
        for (text, place) in cases {
            let error = Rule::read(arena_json(&arena, text), &at).expect_err(text);
            assert_eq!(
                error.report().path.as_deref(),
                Some(place),
                "{text}: {error}"
            );
        }
    }

    proptest! {
        #[test]
        fn only_different_values_have_differences(a in any_json(), b in any_json()) {
            let arena = Bump::new();
            let comparing = Comparing::new(&NoComparators, Limits::default());
            let (x, y) = (arena_json(&arena, &a), arena_json(&arena, &b));
            let count = comparing.count_differences("f", &[], x, y);
            prop_assert_eq!(count == 0, x == y);
            prop_assert_eq!(comparing.differences("f", &[], x, y).len(), count);
            prop_assert_eq!(comparing.count_differences("f", &[], y, x), count);
        }

        #[test]
        fn a_value_matches_itself_whatever_the_matcher(a in any_json(), name in select(MatcherName::VARIANTS)) {
            let name: &str = name.into();
            let arena = Bump::new();
            let comparing = Comparing::new(&NoComparators, Limits::default());
            let value = arena_json(&arena, &a);
            let rules = rules(&arena, &format!(r#"{{"":"{name}"}}"#));
            prop_assert_eq!(comparing.count_differences("f", &rules, value, value), 0);
        }

        #[test]
        fn subset_and_superset_are_each_others_converse(a in any_json(), b in any_json()) {
            let arena = Bump::new();
            let comparing = Comparing::new(&NoComparators, Limits::default());
            let (x, y) = (arena_json(&arena, &a), arena_json(&arena, &b));
            let (subset, superset) = (rules(&arena, r#"{"":"subset"}"#), rules(&arena, r#"{"":"superset"}"#));
            prop_assert_eq!(
                comparing.count_differences("f", &subset, x, y) == 0,
                comparing.count_differences("f", &superset, y, x) == 0
            );
        }
    }
}
