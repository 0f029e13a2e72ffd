//! Compares the arguments of two calls by matchers.

use std::cell::RefCell;

use foldhash::{HashMap, HashSet};

use super::assignment::best_pairs;
use super::budget::Budget;
use super::glob;
use super::grammar::MatcherName;
use super::matcher::{BYTES_READ_PER_STEP, Matcher, Rule, text_bytes};
use super::moment::Moments;
use super::opinion::{Asked, Judged, Judging, OpenQuestion, Opinions};
use super::path_pattern::Step;
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Limits, Member, Path, count_values};

use super::difference::{ARGUMENTS, ArgumentDifference, DifferenceKind};

/// How many bytes of a pattern and a key cost one step.
const GLOB_BYTES_PER_STEP: usize = 16;

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

/// The state of a comparison: the caller's comparators, the opinions of judges and a budget of steps. It keeps the first failure of a
/// comparator. After that no comparator is called any more, and values that need one count as different.
pub struct Comparing<'c> {
    comparators: &'c dyn Comparators,
    budget: Budget,
    moments: Moments,
    failure: RefCell<Option<Error>>,
    judging: Judging<'c>,
}

impl<'c> Comparing<'c> {
    /// Creates the state for these comparators.
    pub fn new(comparators: &'c dyn Comparators, limits: Limits) -> Self {
        Self {
            comparators,
            budget: Budget::new(limits),
            moments: Moments::default(),
            failure: RefCell::new(None),
            judging: Judging::default(),
        }
    }

    /// Knows what judges say. Without opinions, and without [`Comparing::collecting_questions`], matchers that ask judges
    /// are an error.
    pub fn with_opinions(self, opinions: Option<&'c Opinions>) -> Self {
        Self {
            judging: Judging::knowing(opinions),
            ..self
        }
    }

    /// Knows what judges say, and collects the questions that are still open: see [`Comparing::into_questions`].
    pub fn collecting_questions(self, opinions: &'c Opinions) -> Self {
        Self {
            judging: Judging::collecting(opinions),
            ..self
        }
    }

    /// Returns the questions on whose answers the results depend, in the order in which they came up, each once. Until
    /// there are answers, every judge is assumed to say yes.
    pub fn into_questions(self) -> Vec<OpenQuestion> {
        self.judging.into_questions()
    }

    /// Returns the opinions of judges, and the questions to them.
    pub(super) fn judging(&self) -> &Judging<'c> {
        &self.judging
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

    /// Returns `value`, unless it depends on a question to judges that has no answer.
    ///
    /// # Errors
    /// [`Error::InvalidOption`] with the question, unless questions are collected.
    pub fn answered<T>(&self, value: T) -> Result<T> {
        self.judging.checked(value)
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
        let whole = active.iter().filter_map(|one| one.arrived());
        let null_is_absent = whole.rev().find_map(|rule| rule.null_is_absent);
        let mut walk = Walk {
            comparing: self,
            tool,
            null_is_absent: null_is_absent.unwrap_or(false),
            sink,
        };
        let place = Place {
            expected,
            actual,
            at: &Trail::Root(root),
            is_member: false,
            label: None,
            reason: None,
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
                reason: place.reason.map(str::to_owned),
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
    /// The reason that judges give against the value.
    reason: Option<&'t str>,
}

impl Place<'_, '_> {
    /// Returns whether it is a part of the arguments or of what came back, rather than the whole.
    fn is_inside(&self) -> bool {
        match self.at {
            Trail::Root(_) => false,
            Trail::Key(..) | Trail::Index(..) => true,
        }
    }
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
    globs: Vec<(&'w str, usize)>,
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
                Some(Step::KeyGlob(glob)) => index.globs.push((glob, place)),
                Some(Step::AnyKey) => index.any_key.push(place),
                Some(Step::Index(item)) => index.items.entry(*item).or_default().push(place),
                Some(Step::AnyItem) => index.any_item.push(place),
                None => {}
            }
        }
        index
    }

    /// Returns the positions of the rules that continue into the member `key` by its name or a pattern.
    fn of_key(&self, key: &str, budget: &Budget) -> Vec<usize> {
        let mut places = self.keys.get(key).cloned().unwrap_or_default();
        if budget.spend(self.globs.len() * (1 + key.len() / GLOB_BYTES_PER_STEP)) {
            let globs = self
                .globs
                .iter()
                .filter(|(glob, _)| glob::matches(glob, key));
            places.extend(globs.map(|(_, place)| *place));
        }
        places
    }
}

/// Returns whether `key` matches `glob`. `false` if the budget is spent.
fn fits_glob(glob: &str, key: &str, budget: &Budget) -> bool {
    budget.spend(1 + (glob.len() + key.len()) / GLOB_BYTES_PER_STEP) && glob::matches(glob, key)
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
    fn at_key(&self, key: &str, budget: &Budget) -> Vec<Active<'w, 'a>> {
        match self {
            Self::Few(active) => below(active, |step| match step {
                Step::Key(name) => name == key,
                Step::KeyGlob(glob) => fits_glob(glob, key, budget),
                Step::AnyKey => true,
                Step::Index(_) | Step::AnyItem => false,
            }),
            Self::Many(active, index) => {
                both_below(active, index.of_key(key, budget), &index.any_key)
            }
        }
    }

    /// Returns the rules that continue into the item at `place`.
    fn at_index(&self, place: usize) -> Vec<Active<'w, 'a>> {
        match self {
            Self::Few(active) => below(active, |step| match step {
                Step::Index(item) => *item == place,
                Step::AnyItem => true,
                Step::Key(_) | Step::KeyGlob(_) | Step::AnyKey => false,
            }),
            Self::Many(active, index) => {
                let some = index.items.get(&place).cloned().unwrap_or_default();
                both_below(active, some, &index.any_item)
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
    some: Vec<usize>,
    any: &[usize],
) -> Vec<Active<'w, 'a>> {
    let mut places = some;
    places.extend(any);
    places.sort_unstable();
    let rules = places.into_iter().map(|place| active[place].one_step_on());
    rules.collect()
}

/// Returns whether members of an object have defaults by the schema of the tool. An object that has nothing else equals
/// one that is left out.
fn may_be_defaults(deeper: &[Active<'_, '_>]) -> bool {
    deeper
        .iter()
        .any(|one| one.rule.rule.default_of_schema.is_some())
}

struct Walk<'w, 'a> {
    comparing: &'w Comparing<'w>,
    tool: &'w str,
    /// Whether a member that is null and one that is left out are the same.
    null_is_absent: bool,
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
        let mut default_of_schema = None;
        for rule in active.iter().filter_map(|one| one.arrived()) {
            if let Some(own) = &rule.matcher {
                (matcher, is_own, place.label) = (own, true, None);
            }
            place.label = rule.label.or(place.label);
            optional |= rule.optional;
            default = rule.default.or(default);
            default_of_schema = rule.default_of_schema.or(default_of_schema);
        }
        if self.null_is_absent && place.is_member {
            place.expected = place.expected.filter(|expected| !expected.is_null());
            place.actual = place.actual.filter(|actual| !actual.is_null());
        }
        if optional && default.is_some() {
            place.actual = place.actual.filter(|actual| !actual.is_null());
        }
        place.expected = place.expected.or(default);
        place.actual = place.actual.or(default);
        if optional && place.actual.is_none_or(Json::is_null) {
            return;
        }
        let is_decided = is_own && matcher.decides_alone();
        // The matcher says what is expected, so the schema does not.
        place.expected = place.expected.or(default_of_schema.filter(|_| !is_decided));
        place.actual = place.actual.or(default_of_schema);
        if is_decided && self.accepts_null_for_nothing(place, matcher) {
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
            (None, None) if is_decided => self.found(place, DifferenceKind::Missing, matcher),
            (None, None) => self.descend(place, &[], &[], matcher, &deeper),
            (Some(_), None) if may_lack => self.descend(place, &[], &[], matcher, &deeper),
            (Some(Json::Object(wanted)), None) if place.is_member && may_be_defaults(&deeper) => {
                self.descend(place, wanted, &[], matcher, &deeper)
            }
            (Some(_), None) => self.found(place, DifferenceKind::Missing, matcher),
            (None, Some(actual)) if is_decided => {
                self.compare_whole(place, actual, matcher);
            }
            (None, Some(actual)) => {
                self.unexpected(place, actual, matcher, &deeper, may_be_more);
            }
            (Some(expected), Some(actual)) => self.both(place, expected, actual, matcher, &deeper),
        }
    }

    /// Returns whether `matcher` accepts null where nothing is, and null and nothing are the same.
    fn accepts_null_for_nothing(&self, place: Place<'_, 'a>, matcher: &Matcher<'a>) -> bool {
        let is_nothing = self.null_is_absent && place.is_member && place.actual.is_none();
        // Judges are not asked about nothing.
        is_nothing
            && !matches!(matcher, Matcher::Judge(_))
            && self.count(|counting| {
                counting.compare_whole(place, Json::Null, matcher);
            }) == 0
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
        // The defaults of a schema say what is inside an item, but not that there is one.
        let is_stated = |one: &Active<'_, '_>| one.rule.rule.default_of_schema.is_none();
        if !place.is_member && !may_be_more && !deeper.iter().any(is_stated) {
            self.found(place, DifferenceKind::Unexpected, &Matcher::Exact);
            return;
        }
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
            Matcher::Judge(question) => {
                self.judge(place, actual, question, matcher);
                return true;
            }
            Matcher::OneOf { values, by } => Ok(self.is_one_of(place, actual, values, *by)),
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

    /// Compares a value by what judges say about it. If it is the expected one, no judge is asked.
    fn judge(
        &mut self,
        place: Place<'_, 'a>,
        actual: Json<'a>,
        question: &str,
        matcher: &Matcher<'a>,
    ) {
        // A call without expected arguments expects nothing of them as a whole.
        let is_stated = |expected: &Json<'a>| {
            place.is_inside() || expected.members().is_none_or(|members| !members.is_empty())
        };
        let expected = place.expected.filter(is_stated);
        let all = expected.iter().chain([&actual]);
        let steps = all.map(|json| count_values(*json) + text_bytes(*json) / BYTES_READ_PER_STEP);
        if !self.comparing.budget.spend(steps.sum()) || expected == Some(actual) {
            return;
        }
        let judged = self.comparing.judging.judge(Asked {
            question,
            tool: self.tool,
            path: &place.at.path(),
            expected,
            actual,
            // Pairs that are only tried, such as items in any order, need no answer.
            is_tried: matches!(self.sink, Sink::Count(_)),
        });
        match judged {
            Judged::Yes => {}
            Judged::No(reason) => {
                self.found(Place { reason, ..place }, DifferenceKind::Changed, matcher);
            }
        }
    }

    /// Returns whether `actual` is the expected value or one of `values`, compared `by` a matcher. `false` if the budget
    /// is spent.
    fn is_one_of(
        &self,
        place: Place<'_, 'a>,
        actual: Json<'a>,
        values: &'a [Json<'a>],
        by: MatcherName,
    ) -> bool {
        if !self.comparing.budget.spend(values.len()) {
            return false;
        }
        if place.expected == Some(actual) || values.contains(&actual) {
            return true;
        }
        if by == MatcherName::Exact && !self.null_is_absent {
            return false;
        }
        let matcher = Matcher::of_name(by);
        let mut all = place.expected.iter().chain(values);
        all.any(|value| {
            let compared = Place {
                expected: Some(*value),
                actual: Some(actual),
                is_member: false,
                ..place
            };
            self.count(|counting| counting.compare(compared, &matcher, &[])) == 0
        })
    }

    /// Returns how many differences `compare` finds.
    fn count(&self, compare: impl FnOnce(&mut Walk<'_, 'a>)) -> usize {
        let mut count = 0;
        let mut counting = Walk {
            comparing: self.comparing,
            tool: self.tool,
            null_is_absent: self.null_is_absent,
            sink: Sink::Count(&mut count),
        };
        compare(&mut counting);
        count
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
        let budget = &self.comparing.budget;
        for (key, value) in wanted {
            let other = actual.get(key);
            let rules = ahead.at_key(key, budget);
            self.member(place, key, Some(*value), other, matcher, &rules);
        }
        let mut seen = HashSet::default();
        for one in ahead.all() {
            let Some(Step::Key(key)) = one.next() else {
                continue;
            };
            let is_new = seen.insert(key.as_str());
            if is_new && expected.get(key).is_none() && actual.get(key).is_none() {
                self.member(place, key, None, None, matcher, &ahead.at_key(key, budget));
            }
        }
        for (key, value) in given.iter().filter(|(key, _)| expected.get(key).is_none()) {
            let rules = ahead.at_key(key, budget);
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
            reason: None,
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
            reason: None,
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
        let budget = &self.comparing.budget;
        if !budget.spend(wanted.len() + given.len()) {
            return;
        }
        let ahead = Ahead::of(deeper);
        let is_simple = |json: Json<'_>| !matches!(json, Json::Array(_) | Json::Object(_));
        let differences = |at: usize, other: usize| {
            if deeper.is_empty() && (is_simple(wanted[at]) || is_simple(given[other])) {
                return usize::from(wanted[at] != given[other]);
            }
            let (expected, actual) = (Some(wanted[at]), Some(given[other]));
            self.count(|counting| counting.item(place, at, expected, actual, matcher, &ahead))
        };
        // A rule may reject an item although it is equal.
        let fits = |at, other| deeper.is_empty() || differences(at, other) == 0;
        let (open_wanted, open_given) = without_equals(wanted, given, fits);
        let mut taken = vec![false; open_given.len()];
        let (rows, columns) = (open_wanted.len(), open_given.len());
        let pairs = best_pairs(rows, columns, budget, |row, column| {
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
    use super::super::opinion::Opinion;
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
            RuleMember::Match | RuleMember::Compare | RuleMember::Judge => false,
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
                r#""normalized""#,
                r#""San Francisco, CA - it's *here*""#,
                &[
                    r#""san francisco ca it's here""#,
                    r#""SanFrancisco/CA_it\"s^here.""#,
                ],
                r#""San Francisco""#,
                r#"args.x: expected "San Francisco, CA - it's *here*" in any case and punctuation, got "San Francisco""#,
            ),
            (
                r#""normalized""#,
                r#"["April 1, 2024",{"b":"C D"}]"#,
                &[r#"["april 1 2024",{"b":"c-d"}]"#],
                r#"["april 1 2024",{"b":"c\td"}]"#,
                r#"args.x[1].b: expected "C D" in any case and punctuation, got "c\td""#,
            ),
            (
                r#"{"oneOf":["San Francisco, CA","SF"],"match":"normalized"}"#,
                "null",
                &[r#""sf""#, r#""san francisco ca""#, "null"],
                r#""S""#,
                r#"args.x: expected one of null, "San Francisco, CA", "SF" (normalized), got "S""#,
            ),
            (
                r#"{"match":"normalized","oneOf":[["a b"],{"k":"c d"}]}"#,
                r#"["a b"]"#,
                &[r#"["A-B"]"#, r#"{"k":"CD"}"#],
                r#"{"k":"CD","more":1}"#,
                r#"args.x: expected one of ["a b"], {"k": "c d"} (normalized), got {"k": "CD", "more": 1}"#,
            ),
            (
                r#"{"oneOf":[]}"#,
                "null",
                &["null"],
                "1",
                "args.x: expected one of null, got 1",
            ),
            (
                r#"{"similar":0.9}"#,
                r#""San Francisco""#,
                &[r#""San Fransisco""#, r#""San Francisco!""#],
                r#""San Frantisko""#,
                r#"args.x: expected a text like "San Francisco" (similarity from 0.9), got "San Frantisko""#,
            ),
            (
                r#"{"similar":0.5}"#,
                r#"["ab",1]"#,
                &[r#"["ac",1]"#, r#"["a",1]"#],
                r#"["ab",2]"#,
                r#"args.x[1]: expected a text like 1 (similarity from 0.5), got 2"#,
            ),
            (
                r#""coerce""#,
                "5",
                &[r#""5""#, r#"" 5.0 ""#, "5.0", "[5]", r#"["5"]"#],
                r#""5 apples""#,
                r#"args.x: expected 5 in any type, got "5 apples""#,
            ),
            (
                r#""coerce""#,
                r#"{"a":true,"b":null,"c":["x"]}"#,
                &[
                    r#"{"a":"True","b":"null","c":"x"}"#,
                    r#""{\"a\": \"true\", \"b\": null, \"c\": [\"x\"]}""#,
                ],
                r#"{"a":1,"b":null,"c":["x"]}"#,
                "args.x.a: expected true in any type, got 1",
            ),
            (
                r#"{"range":{"min":1,"max":10}}"#,
                "null",
                &["1", "10", "2.5"],
                "10.5",
                "args.x: expected a number from 1 to 10, got 10.5",
            ),
            (
                r#"{"range":{"min":1}}"#,
                "null",
                &["1", "1e9"],
                r#""5""#,
                r#"args.x: expected a number of at least 1, got "5""#,
            ),
            (
                r#"{"range":{"max":0}}"#,
                "null",
                &["-1"],
                "0.1",
                "args.x: expected a number of at most 0, got 0.1",
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

    fn null_is_absent<'a>() -> PathRule<'a> {
        PathRule {
            steps: Vec::new(),
            rule: Rule {
                null_is_absent: Some(true),
                ..Rule::default()
            },
        }
    }

    #[test]
    fn null_and_nothing_are_the_same_if_said_so() {
        let described = |matchers: &str, expected: &str, actual: &str| {
            let arena = Bump::new();
            let comparing = Comparing::new(&NoComparators, Limits::default());
            let mut rules = rules(&arena, matchers);
            rules.push(null_is_absent());
            let (expected, actual) = (arena_json(&arena, expected), arena_json(&arena, actual));
            let found = comparing.differences("f", &rules, expected, actual);
            let found = found.iter().map(ArgumentDifference::describe);
            found.collect::<Vec<_>>()
        };
        let same = [
            ("{}", r#"{"a":1}"#, r#"{"a":1,"b":null}"#),
            ("{}", r#"{"a":1,"b":null}"#, r#"{"a":1}"#),
            ("{}", r#"{"a":{"b":null}}"#, r#"{"a":{"c":null}}"#),
            ("{}", r#"{"a":[{"b":null}]}"#, r#"{"a":[{}]}"#),
            (
                r#"{"a":"unordered"}"#,
                r#"{"a":[{"b":null},{"c":1}]}"#,
                r#"{"a":[{"c":1},{}]}"#,
            ),
            (r#"{"a":{"type":["string","null"]}}"#, "{}", "{}"),
            (r#"{"a":{"type":["string","null"]}}"#, "{}", r#"{"a":null}"#),
            (
                r#"{"a":{"oneOf":[{"b":1,"c":null}]}}"#,
                "{}",
                r#"{"a":{"b":1}}"#,
            ),
            (r#"{"a":{"default":1}}"#, r#"{"a":null}"#, r#"{"a":1}"#),
        ];
        for (matchers, expected, actual) in same {
            let found = described(matchers, expected, actual);
            assert_eq!(found, [""; 0], "{matchers} {expected} {actual}");
        }
        let different = [
            (
                "{}",
                r#"{"a":1}"#,
                r#"{"a":null}"#,
                "args.a: expected 1, got nothing",
            ),
            (
                "{}",
                r#"{"a":null}"#,
                r#"{"a":1}"#,
                "args.a: expected nothing, got 1",
            ),
            (
                "{}",
                r#"{"a":[null]}"#,
                r#"{"a":[]}"#,
                "args.a[0]: expected null, got nothing",
            ),
            (
                "{}",
                r#"{"a":{}}"#,
                r#"{"a":null}"#,
                "args.a: expected {}, got nothing",
            ),
            (
                r#"{"a":{"type":"string"}}"#,
                "{}",
                r#"{"a":null}"#,
                "args.a: expected a value of type string, got nothing",
            ),
        ];
        for (matchers, expected, actual, message) in different {
            let found = described(matchers, expected, actual);
            assert_eq!(found, [message], "{matchers} {expected} {actual}");
        }
    }

    #[test]
    fn the_default_of_a_schema_is_not_what_a_matcher_expects() {
        let arena = Bump::new();
        let comparing = Comparing::new(&NoComparators, Limits::default());
        let count = |matchers: &str, expected: &str, actual: &str| {
            let mut rules = rules(&arena, matchers);
            rules.push(PathRule {
                steps: read_pattern("unit", &Path::root()).expect("a path"),
                rule: Rule {
                    default_of_schema: Some(Json::String("m")),
                    ..Rule::default()
                },
            });
            let (expected, actual) = (arena_json(&arena, expected), arena_json(&arena, actual));
            comparing.count_differences("f", &rules, expected, actual)
        };
        assert_eq!(count("{}", "{}", r#"{"unit":"m"}"#), 0);
        assert_eq!(count("{}", r#"{"unit":"m"}"#, "{}"), 0);
        assert_eq!(count("{}", r#"{"unit":"km"}"#, "{}"), 1);
        assert_eq!(count(r#"{"unit":{"oneOf":["km"]}}"#, "{}", "{}"), 1);
        assert_eq!(count(r#"{"unit":{"oneOf":["m"]}}"#, "{}", "{}"), 0);
        assert_eq!(count(r#"{"unit":"optional"}"#, r#"{"unit":"km"}"#, "{}"), 0);
    }

    #[test]
    fn patterns_of_keys_reach_members() {
        let matchers = r#"{"*_id":"ignore","filters.*_at":{"type":"string"},"[\"x*\"]":"ignore"}"#;
        assert_eq!(
            described(
                matchers,
                r#"{"order_id":1,"filters":{"made_at":"a"},"x*":1,"q":2}"#,
                r#"{"order_id":2,"filters":{"made_at":"b"},"x*":3,"request_id":4,"q":2}"#
            ),
            [""; 0]
        );
        assert_eq!(
            described(
                matchers,
                r#"{"filters":{"made_at":"a"},"xy":1}"#,
                r#"{"filters":{"made_at":1},"xy":2}"#
            ),
            [
                "args.filters.made_at: expected a value of type string, got 1",
                "args.xy: expected 1, got 2"
            ]
        );
        let many: Vec<_> = (0..40).map(|at| format!(r#""k{at}_*":"ignore""#)).collect();
        let many = format!("{{{}}}", many.join(","));
        assert_eq!(
            described(&many, r#"{"k7_a":1,"k39_":2}"#, r#"{"k7_a":3,"k39_":4}"#),
            [""; 0]
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

    /// Returns the questions about two values and, if a judge says no to all of them, the differences.
    fn judged(matchers: &str, expected: &str, actual: &str) -> (Vec<String>, Vec<String>) {
        let arena = Bump::new();
        let (expected, actual) = (arena_json(&arena, expected), arena_json(&arena, actual));
        let rules = rules(&arena, matchers);
        let none = Opinions::new();
        let asking = Comparing::new(&NoComparators, Limits::default()).collecting_questions(&none);
        asking.judging.decide(|| {
            asking.differences("f", &rules, expected, actual);
        });
        let open = asking.into_questions();
        let asked = open.iter().map(|open| {
            let expected = open.expected.as_ref().map(|value| format!("{value} "));
            format!(
                "{} {}{}",
                open.path,
                expected.unwrap_or_default(),
                open.actual
            )
        });
        let asked = asked.collect();
        let no = Opinion {
            score: 0.0,
            reason: Some("no".to_owned()),
        };
        let all_no = open.into_iter().map(|open| (open.key, no.clone()));
        let all_no: Opinions = all_no.collect();
        let knowing =
            Comparing::new(&NoComparators, Limits::default()).with_opinions(Some(&all_no));
        let found = knowing.differences("f", &rules, expected, actual);
        (
            asked,
            found.iter().map(ArgumentDifference::describe).collect(),
        )
    }

    #[test]
    fn judges_are_asked_about_values_that_are_not_the_expected_ones() {
        type Case = (
            &'static str,
            &'static str,
            &'static str,
            &'static [&'static str],
            &'static [&'static str],
        );
        let cases: &[Case] = &[
            (
                r#"{"x":{"judge":"Why?"}}"#,
                r#"{"x":"a"}"#,
                r#"{"x":"b"}"#,
                &[r#"args.x "a" "b""#],
                &[r#"args.x: expected a judge to say yes to "Why?", got "b" (no)"#],
            ),
            (
                r#"{"x":{"judge":"Why?"}}"#,
                r#"{"x":"a"}"#,
                r#"{"x":"a"}"#,
                &[],
                &[],
            ),
            (
                r#"{"x":{"judge":"Why?"}}"#,
                "{}",
                r#"{"x":null}"#,
                &["args.x null"],
                &[r#"args.x: expected a judge to say yes to "Why?", got null (no)"#],
            ),
            (
                r#"{"x":{"judge":"Why?"}}"#,
                "{}",
                "{}",
                &[],
                &[r#"args.x: expected a judge to say yes to "Why?", got nothing"#],
            ),
            (
                r#"{"x":{"judge":"Why?","optional":true}}"#,
                "{}",
                "{}",
                &[],
                &[],
            ),
            (
                r#"{"x":{"judge":"Why?","label":"a reason"}}"#,
                "{}",
                r#"{"x":1}"#,
                &["args.x 1"],
                &["args.x: expected a reason, got 1 (no)"],
            ),
            (
                r#"{"":{"judge":"Why?"}}"#,
                "{}",
                r#"{"x":1}"#,
                &[r#"args {"x":1}"#],
                &[r#"args: expected a judge to say yes to "Why?", got {"x": 1} (no)"#],
            ),
            (
                r#"{"x":"unordered","x[*].t":{"judge":"Why?"}}"#,
                r#"{"x":[{"i":1,"t":"a"},{"i":2,"t":"b"}]}"#,
                r#"{"x":[{"i":2,"t":"c"},{"i":1,"t":"a"}]}"#,
                &[r#"args.x[1].t "b" "c""#],
                &[r#"args.x[1].t: expected a judge to say yes to "Why?", got "c" (no)"#],
            ),
        ];
        for (matchers, expected, actual, asked, different) in cases {
            let found = judged(matchers, expected, actual);
            let as_text = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
            assert_eq!(
                found,
                (as_text(asked), as_text(different)),
                "{matchers} {expected} {actual}"
            );
        }
    }

    #[test]
    fn judges_are_not_asked_about_nothing() {
        let arena = Bump::new();
        let mut rules = rules(&arena, r#"{"x":{"judge":"Why?"}}"#);
        rules.push(PathRule {
            steps: Vec::new(),
            rule: Rule {
                null_is_absent: Some(true),
                ..Rule::default()
            },
        });
        let comparing = Comparing::new(&NoComparators, Limits::default());
        let empty = arena_json(&arena, "{}");
        assert_eq!(comparing.count_differences("f", &rules, empty, empty), 1);
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
            (r#"{"judge":1}"#, "matchers.judge"),
            (r#"{"judge":" "}"#, "matchers.judge"),
            (r#"{"judge":"Why?","type":"string"}"#, "matchers.type"),
            (r#"{"match":"oneOf"}"#, "matchers.match"),
            (r#"{"match":"date","type":"string"}"#, "matchers.type"),
            (
                r#"{"type":"string","match":"normalized"}"#,
                "matchers.match",
            ),
            (r#"{"oneOf":["a"],"regex":"a"}"#, "matchers.regex"),
            (
                r#"{"match":"normalized","oneOf":["a"],"regex":"a"}"#,
                "matchers.regex",
            ),
            (r#"{"similar":1.1}"#, "matchers.similar"),
            (r#"{"similar":"high"}"#, "matchers.similar"),
            (r#"{"range":{}}"#, "matchers.range"),
            (r#"{"range":5}"#, "matchers.range"),
            (r#"{"range":{"min":"1"}}"#, "matchers.range.min"),
            (r#"{"range":{"min":2,"max":1}}"#, "matchers.range.max"),
            (r#"{"range":{"least":2}}"#, "matchers.range.least"),
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

    /// Returns whether a matcher of `x` accepts `actual` for `expected`.
    fn matches(matcher: &str, expected: &str, actual: &str) -> bool {
        let arena = Bump::new();
        let comparing = Comparing::new(&NoComparators, Limits::default());
        let rules = rules(&arena, &format!(r#"{{"x":{matcher}}}"#));
        let of = |value: &str| arena_json(&arena, &format!(r#"{{"x":{value}}}"#));
        comparing.count_differences("f", &rules, of(expected), of(actual)) == 0
    }

    /// Returns JSON text without the members that are null.
    fn without_nulls(text: &str) -> String {
        fn strip(value: &mut serde_json::Value) {
            match value {
                serde_json::Value::Object(members) => {
                    members.retain(|_, member| !member.is_null());
                    members.values_mut().for_each(strip);
                }
                serde_json::Value::Array(items) => items.iter_mut().for_each(strip),
                _ => {}
            }
        }
        let mut value = serde_json::from_str(text).expect("JSON");
        strip(&mut value);
        value.to_string()
    }

    /// Values of few kinds, so that two of them are often the same but for case, punctuation or type.
    fn loose_json() -> impl Strategy<Value = String> {
        let plain = prop_oneof![
            "[aAß',. ]{0,3}".prop_map(|text| format!("{text:?}")),
            prop::sample::select(vec![
                "1",
                "1.0",
                "true",
                "null",
                r#""1""#,
                r#""1.0""#,
                r#""True""#,
                r#""null""#,
                r#""[1]""#,
                r#""[\"1\"]""#,
                r#""{}""#,
                r#""{\"a\": 1}""#,
            ])
            .prop_map(str::to_owned),
        ];
        plain.prop_recursive(2, 6, 2, |inner| {
            let items = prop::collection::vec(inner.clone(), 0..3);
            prop_oneof![
                items.prop_map(|items| format!("[{}]", items.join(","))),
                inner.prop_map(|value| format!(r#"{{"a":{value}}}"#)),
            ]
        })
    }

    fn symmetric() -> impl Strategy<Value = String> {
        prop::sample::select(vec![
            r#""exact""#,
            r#""caseInsensitive""#,
            r#""normalized""#,
            r#""coerce""#,
            r#""unordered""#,
            r#""type""#,
            r#"{"similar":0.6}"#,
        ])
        .prop_map(str::to_owned)
    }

    /// Pairs of matchers of which the second accepts all that the first accepts.
    fn looser() -> impl Strategy<Value = (&'static str, &'static str)> {
        prop::sample::select(vec![
            (r#""exact""#, r#""caseInsensitive""#),
            (r#""caseInsensitive""#, r#""normalized""#),
            (r#""exact""#, r#""coerce""#),
            (r#""exact""#, r#"{"similar":1}"#),
            (r#"{"similar":1}"#, r#""exact""#),
            (r#"{"similar":0.9}"#, r#"{"similar":0.3}"#),
            (r#""exact""#, r#""unordered""#),
            (r#""exact""#, r#""type""#),
        ])
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
        fn matchers_without_direction_are_symmetric(a in loose_json(), b in loose_json(), matcher in symmetric()) {
            let (there, back) = (matches(&matcher, &a, &b), matches(&matcher, &b, &a));
            prop_assert_eq!(there, back, "{} of {} and {}", matcher, a, b);
        }

        #[test]
        fn each_looser_matcher_accepts_what_the_stricter_one_does(a in loose_json(), b in loose_json(), names in looser()) {
            let (strict, loose) = names;
            if matches(strict, &a, &b) {
                prop_assert!(matches(loose, &a, &b), "{} but not {}: {} and {}", strict, loose, a, b);
            }
        }

        #[test]
        fn a_lower_similarity_accepts_more(a in "[ab ]{0,6}", b in "[ab ]{0,6}", x in 0..=10u8, y in 0..=10u8) {
            let (a, b) = (format!("{a:?}"), format!("{b:?}"));
            let similar = |least: u8| matches(&format!(r#"{{"similar":{}}}"#, f64::from(least) / 10.0), &a, &b);
            prop_assert!(similar(x.min(y)) || !similar(x.max(y)));
            prop_assert_eq!(similar(10), a == b);
            prop_assert!(similar(0));
        }

        #[test]
        fn the_values_of_one_of_are_compared_by_the_matcher_beside_it(
            values in prop::collection::vec(loose_json(), 0..4),
            actual in loose_json(),
            name in "exact|caseInsensitive|normalized|coerce|unordered|subset|type",
        ) {
            let rule = format!(r#"{{"oneOf":[{}],"match":"{name}"}}"#, values.join(","));
            let arena = Bump::new();
            let comparing = Comparing::new(&NoComparators, Limits::default());
            let rules = rules(&arena, &format!(r#"{{"x":{rule}}}"#));
            let made = arena_json(&arena, &format!(r#"{{"x":{actual}}}"#));
            let found = comparing.count_differences("f", &rules, Json::Object(&[]), made) == 0;
            let any = values.iter().any(|value| matches(&format!("{name:?}"), value, &actual));
            prop_assert_eq!(found, any);
        }

        #[test]
        fn null_is_absent_means_that_no_member_is_null(a in any_json(), b in any_json()) {
            let arena = Bump::new();
            let comparing = Comparing::new(&NoComparators, Limits::default());
            let (x, y) = (arena_json(&arena, &a), arena_json(&arena, &b));
            let count = comparing.count_differences("f", &[null_is_absent()], x, y);
            let (x, y) = (arena_json(&arena, &without_nulls(&a)), arena_json(&arena, &without_nulls(&b)));
            prop_assert_eq!(count, comparing.count_differences("f", &[], x, y));
        }

        #[test]
        fn a_number_is_in_a_range_if_it_is_between_its_bounds(value in -5..=5i8, min in -5..=5i8, width in 0..=5i8) {
            let max = min + width;
            let rule = format!(r#"{{"range":{{"min":{min},"max":{max}}}}}"#);
            prop_assert_eq!(matches(&rule, "0", &value.to_string()), (min..=max).contains(&value));
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
