//! Expectations: expected calls with their matchers, alternatives and counts, forbidden calls, and the order.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use super::comparison::{Comparing, PathRule};
use super::difference::ArgumentDifference;
use super::grammar::{Attempts, Cost, Extra, READ_ONLY};
use super::groups::CallGroup;
use super::known_tools::KnownTools;
use super::made::MadeCall;
use super::matcher::{Matcher, Rule};
use super::outcome::{ExpectedError, ExpectedOutcome};
use super::pairing::called_tools;
use super::reading;
use super::tool_pattern::{is_pattern, names};
use toolgauge_formats::{ExpectationFormat, Imported, import_expectations};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{EXPECTATIONS, ExpectedCall, Json, Path, Reader, Trajectory};
use toolgauge_schema::{did_you_mean, endings, nearest};

/// The pattern of all tools.
const ALL_TOOLS: &str = "*";

/// Whether the order of the calls counts.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum CallOrder {
    /// It does not.
    #[default]
    Any,
    /// Expected calls must be made in their order; others may be made in between.
    Sequence,
    /// The calls must be the expected ones in their order, and nothing in between.
    Strict,
}

/// The calls that should be made, and those that must not be.
#[derive(Debug, Clone, Default)]
pub struct Expectations<'a> {
    /// The expected calls.
    pub calls: Vec<Expectation<'a>>,
    /// Calls that must not be made.
    pub forbidden: Vec<CallPattern<'a>>,
    /// Whether the order counts.
    pub order: CallOrder,
    /// The order among the calls, if they contain groups; they are then in the order of the groups.
    pub group: Option<CallGroup>,
    /// The messages that made the calls, if they were made in a recorded run. Like a group, but it only counts in a
    /// sequence.
    pub messages: Option<CallGroup>,
    /// The expectations for the calls after each message of the user, instead of the calls above.
    pub turns: Option<Vec<Expectations<'a>>>,
    /// What is expected of the run besides its calls.
    pub terms: Terms<'a>,
    /// Whether arguments that are left out have the defaults of the tools' schemas: see
    /// [`Expectations::add_schema_defaults`].
    pub schema_defaults: bool,
    /// The tools that exist, if they are known: see [`Expectations::know_tools`].
    pub(super) known_tools: Option<KnownTools>,
    /// The matchers for tools. The calls above include them already.
    pub(super) of_tools: Vec<ToolRules<'a>>,
}

/// Which calls count, and what is expected of a run besides its calls.
#[derive(Debug, Clone, Default)]
pub struct Terms<'a> {
    /// Whether unexpected calls lower the score.
    pub extra: Extra,
    /// The names or patterns of the tools that may be called; `None` for all.
    pub only: Option<Vec<&'a str>>,
    /// The names or patterns of the tools whose calls do not count.
    pub ignored: Vec<&'a str>,
    /// Whether calls of tools that only read do not count, either.
    pub ignores_read_only: bool,
    /// Which attempts count.
    pub attempts: Attempts,
    /// What the replies of the agent must state.
    pub states: Vec<&'a str>,
    /// What the run may cost at most.
    pub budget: BTreeMap<Cost, f64>,
    /// The lowest scores of tools, by name or pattern, from 0 to 1.
    pub thresholds: Vec<(&'a str, f64)>,
}

/// One expected call and how often it is expected.
#[derive(Debug, Clone)]
pub struct Expectation<'a> {
    /// The alternative calls, at least one. Any of them is as expected.
    pub alternatives: Vec<CallPattern<'a>>,
    /// How often it must be made.
    pub min: usize,
    /// How often it may be made; `None` for any number of times.
    pub max: Option<usize>,
}

/// A call with the rules for its arguments.
#[derive(Debug, Clone)]
pub struct CallPattern<'a> {
    /// The call. If a pattern names its tools, this is the call of one of them.
    pub call: ExpectedCall<'a>,
    /// The name or pattern of the tool as it is written.
    pub written: &'a str,
    /// What the call should return.
    pub outcome: Rc<ExpectedOutcome<'a>>,
    /// The JSON of its own rules. Two patterns of one tool with equal calls and sources are equal.
    pub source: Json<'a>,
    /// The rules for all tools and for its tool, in the order in which they were given. Many patterns share
    /// them.
    of_tools: Vec<Rc<[PathRule<'a>]>>,
    /// The rules of the call itself.
    pub(super) own: Vec<PathRule<'a>>,
}

/// Matchers by tool, each list starting with those for all tools.
#[derive(Debug, Clone, Default)]
pub(super) struct ToolRules<'a> {
    /// Whether they are part of the expectations. Those of options apply to many expectations, and need not have an
    /// effect on each.
    pub(super) is_own: bool,
    /// The rules by patterns of tools, in the order in which they were given.
    pub(super) of_pattern: Vec<(&'a str, Rc<[PathRule<'a>]>)>,
    /// The rules by names of tools.
    pub(super) of_tool: BTreeMap<&'a str, Rc<[PathRule<'a>]>>,
}

impl<'a> Expectation<'a> {
    /// Expects the call once, with equal arguments.
    pub fn once(call: ExpectedCall<'a>) -> Self {
        Self::of(CallPattern::new(call, Json::Null, Vec::new()))
    }

    pub(super) fn of(pattern: CallPattern<'a>) -> Self {
        Self {
            alternatives: vec![pattern],
            min: 1,
            max: Some(1),
        }
    }

    /// Returns the call that represents the expectation: the first alternative.
    pub fn call(&self) -> ExpectedCall<'a> {
        self.alternatives[0].call
    }

    /// Returns the same call as it is written.
    pub fn shown(&self) -> ExpectedCall<'a> {
        self.alternatives[0].shown()
    }

    /// Returns whether only one call is expected, once, with equal arguments.
    pub fn is_plain(&self) -> bool {
        matches!(self.alternatives.as_slice(), [one] if one.is_plain())
    }
}

impl<'a> ToolRules<'a> {
    fn all(&self) -> impl Iterator<Item = &PathRule<'a>> {
        let of_pattern = self.of_pattern.iter().map(|(_, rules)| rules);
        let lists = of_pattern.chain(self.of_tool.values());
        lists.flat_map(|rules| rules.iter())
    }

    /// Returns the rules for the calls of `tool`, which `written` names: those of patterns, and then its own, which may
    /// name it without the prefix of its server.
    fn of<'s>(
        &'s self,
        tool: &'s str,
        written: &'s str,
    ) -> impl Iterator<Item = &'s Rc<[PathRule<'a>]>> {
        let of_pattern = self.of_pattern.iter();
        let fitting =
            of_pattern.filter(move |(pattern, _)| *pattern == written || names(pattern, tool));
        let mut written = std::iter::once(tool).chain(endings(tool));
        let own = written.find_map(|name| self.of_tool.get(name));
        fitting.map(|(_, rules)| rules).chain(own)
    }
}

impl<'a> CallPattern<'a> {
    /// Creates a call with rules of its own, which were read from `source`.
    pub(super) fn new(call: ExpectedCall<'a>, source: Json<'a>, own: Vec<PathRule<'a>>) -> Self {
        Self {
            call,
            written: call.tool,
            outcome: Rc::default(),
            source,
            of_tools: Vec::new(),
            own,
        }
    }

    /// Returns the rules for its arguments. If several apply to one path, the last wins.
    pub fn rules(&self) -> impl Iterator<Item = &PathRule<'a>> {
        let of_tools = self.of_tools.iter().flat_map(|rules| rules.iter());
        of_tools.chain(&self.own)
    }

    /// Returns whether there are no rules, so that arguments must be equal and nothing else counts.
    pub fn is_plain(&self) -> bool {
        self.rules().next().is_none() && self.outcome.is_any()
    }

    /// Returns the call as it is written.
    pub fn shown(&self) -> ExpectedCall<'a> {
        ExpectedCall {
            tool: self.written,
            ..self.call
        }
    }

    /// Returns where `made`, which must be a call of its tool, is not as expected.
    pub fn differences(
        &self,
        made: &MadeCall<'a>,
        comparing: &Comparing<'_>,
    ) -> Vec<ArgumentDifference<'a>> {
        let (tool, args) = (self.call.tool, self.call.args);
        let mut found = comparing.differences(tool, self.rules(), args, made.call.args);
        found.extend(self.outcome.differences(tool, made.outcome, comparing));
        found
    }

    /// Asks the judges whose answers decide whether `made` is as expected: see [`Comparing::into_questions`].
    pub fn ask_judges(&self, made: &MadeCall<'a>, comparing: &Comparing<'_>) {
        comparing.judging().decide(|| {
            self.differences(made, comparing);
        });
    }

    /// Returns how many differences [`CallPattern::differences`] finds.
    pub fn count_differences(&self, made: &MadeCall<'a>, comparing: &Comparing<'_>) -> usize {
        let (tool, args) = (self.call.tool, self.call.args);
        let count = comparing.count_differences(tool, self.rules(), args, made.call.args);
        match self.outcome.is_any() {
            true => count,
            false => {
                count
                    + self
                        .outcome
                        .differences(tool, made.outcome, comparing)
                        .len()
            }
        }
    }

    /// Returns the pattern for the calls of one tool that it names.
    fn of_tool(&self, tool: &'a str, rules: &[ToolRules<'a>]) -> Self {
        let of_tools = rules.iter().flat_map(|one| one.of(tool, self.written));
        let of_tools = of_tools.cloned().collect();
        Self {
            call: ExpectedCall { tool, ..self.call },
            of_tools,
            ..self.clone()
        }
    }

    /// Creates a pattern for any call of a tool, whatever its arguments.
    pub(super) fn any(tool: &'a str) -> Self {
        let args = Json::Object(&[]);
        let ignored = PathRule {
            steps: Vec::new(),
            rule: Rule {
                matcher: Some(Matcher::Ignore),
                ..Rule::default()
            },
        };
        Self::new(
            ExpectedCall { tool, args },
            Json::String(tool),
            vec![ignored],
        )
    }

    /// Adds rules for tools after earlier ones, and before the call's own rules.
    fn add(&mut self, rules: &ToolRules<'a>) {
        let added = rules.of(self.call.tool, self.written);
        self.of_tools.extend(added.cloned());
    }
}

impl<'a> Expectations<'a> {
    /// Expects each of these calls once, with equal arguments, in any order.
    pub fn of(calls: &[ExpectedCall<'a>]) -> Self {
        Self {
            calls: calls.iter().copied().map(Expectation::once).collect(),
            ..Self::default()
        }
    }

    /// Returns the expectations that `trajectory` contains, or else its expected calls; `None` if it has neither.
    ///
    /// # Errors
    /// As [`Expectations::read`].
    pub fn in_trajectory(trajectory: &Trajectory<'a>, reader: Reader<'a>) -> Result<Option<Self>> {
        if let Some(stated) = trajectory.expectations() {
            return Self::read(stated, &Path::root().key(EXPECTATIONS), reader).map(Some);
        }
        Ok(trajectory.expected_calls.as_deref().map(Self::of))
    }

    /// Expects these calls of a recorded run. In a sequence, those of one message may come in any order.
    pub fn of_made(made: &[MadeCall<'a>]) -> Self {
        let calls: Vec<_> = made.iter().map(|made| made.call).collect();
        let mut expected = Self::of(&calls);
        let messages = made.chunk_by(|one, next| one.message == next.message);
        if messages.clone().any(|message| message.len() > 1) {
            let mut next = 0..calls.len();
            let parts = messages.map(|message| {
                let calls = next.by_ref().take(message.len());
                CallGroup::Unordered(calls.map(CallGroup::Call).collect())
            });
            expected.messages = Some(CallGroup::Sequence(parts.collect()));
        }
        expected
    }

    /// Returns a sentence for each part that has no effect. `called` are the tools of a run.
    pub fn warnings(&self, called: &[&str]) -> Vec<String> {
        let mut found = self.idle_parts();
        found.extend(self.unknown_tools(called));
        found
    }

    /// Returns a sentence for each part that the other parts leave without effect.
    fn idle_parts(&self) -> Vec<String> {
        let Terms {
            only,
            ignored,
            ignores_read_only,
            ..
        } = &self.terms;
        let has_own_rules = self.of_tools.iter().any(|rules| rules.is_own);
        if !has_own_rules && ignored.is_empty() && !ignores_read_only && only.is_none() {
            return Vec::new();
        }
        let turns = self.turns.iter().flatten().flat_map(|turn| &turn.calls);
        let calls = self.calls.iter().chain(turns);
        let patterns = calls.flat_map(|call| &call.alternatives);
        let expected: BTreeSet<&str> = patterns.map(|pattern| pattern.written).collect();
        let forbidden = self.forbidden.iter().map(|pattern| pattern.written);
        let named: BTreeSet<&str> = expected.iter().copied().chain(forbidden).collect();
        let mut found = Vec::new();
        for rules in self.of_tools.iter().filter(|rules| rules.is_own) {
            let of_pattern = rules.of_pattern.iter().map(|(pattern, _)| *pattern);
            for tool in of_pattern.chain(rules.of_tool.keys().copied()) {
                if !named.iter().any(|name| may_be_same(tool, name)) {
                    let hint = did_you_mean(nearest(tool, named.iter().copied()));
                    found.push(format!("matchers: no call is of the tool {tool:?}{hint}"));
                }
            }
        }
        for pattern in ignored {
            for tool in expected.iter().filter(|tool| names(pattern, tool)) {
                found.push(format!(
                    "ignoreTools: {pattern:?} leaves out {tool:?}, which is expected"
                ));
            }
        }
        if *ignores_read_only {
            let is_stated = |tool: &&&str| ignored.iter().any(|pattern| names(pattern, tool));
            let left_out = expected.iter().filter(|tool| self.ignores(tool));
            for tool in left_out.filter(|tool| !is_stated(tool)) {
                found.push(format!(
                    "ignoreTools: {{{READ_ONLY}: true}} leaves out {tool:?}, which is expected"
                ));
            }
        }
        if let Some(only) = only {
            let is_other = |tool: &&&str| !only.iter().any(|pattern| may_be_same(pattern, tool));
            for tool in expected.iter().filter(is_other) {
                found.push(format!("only: {tool:?} is expected, but not allowed"));
            }
        }
        found
    }

    /// Reads the expectations at `path`: a list of expected calls, or an object of expectations.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] with the path of the first mistake.
    pub fn read(json: Json<'a>, path: &Path, reader: Reader<'a>) -> Result<Self> {
        reading::read_expectations(json, path, reader)
    }

    /// Reads the expectations of a document in any known format: see [`import_expectations`].
    ///
    /// # Errors
    /// As [`import_expectations`] and [`Expectations::read`].
    pub fn import(
        document: Json<'a>,
        reader: Reader<'a>,
    ) -> Result<Imported<Json<'a>, ExpectationFormat>> {
        let imported = import_expectations(document, reader)?;
        Self::read(imported.value, &Path::root(), reader)?;
        Ok(imported)
    }

    /// Adds the expectations of options to those of a file: `order` replaces, `matchers` apply after the
    /// file's and before the calls' own, and `forbidden` calls are added. `path` is their path, for errors.
    ///
    /// # Errors
    /// As [`Expectations::read`].
    pub fn add(
        &mut self,
        order: Option<Json<'a>>,
        matchers: Option<Json<'a>>,
        forbidden: Option<Json<'a>>,
        path: &Path,
        reader: Reader<'a>,
    ) -> Result<()> {
        if let Some(order) = order {
            let order = reading::read_order(order, path.key("order"))?;
            self.check_order(order, path)?;
            self.order = order;
            for turn in self.turns.iter_mut().flatten() {
                turn.check_order(order, path)?;
                turn.order = order;
            }
        }
        if let Some(forbidden) = forbidden {
            let at = path.key("forbidden");
            let Json::Array(calls) = forbidden else {
                return Err(Error::invalid_input(
                    at,
                    "a list of calls",
                    forbidden.describe(),
                ));
            };
            for (place, call) in calls.iter().enumerate() {
                let mut pattern = reading::read_forbidden(*call, at.index(place), reader)?;
                for rules in &self.of_tools {
                    pattern.add(rules);
                }
                self.forbidden.push(pattern);
            }
        }
        if let Some(matchers) = matchers {
            let rules = reading::read_tool_rules(matchers, &path.key("matchers"))?;
            self.add_rules(&rules);
        }
        Ok(())
    }

    /// Says whether null and an argument that is left out are the same, at every depth of objects. Replaces what was
    /// said before.
    pub fn set_null_is_absent(&mut self, null_is_absent: bool) {
        let rule = PathRule {
            steps: Vec::new(),
            rule: Rule {
                null_is_absent: Some(null_is_absent),
                ..Rule::default()
            },
        };
        self.add_rules(&ToolRules {
            of_pattern: vec![(ALL_TOOLS, [rule].into())],
            ..ToolRules::default()
        });
    }

    /// Replaces terms by those that options state: `extra`, `only`, `ignoreTools`, `attempts`, `states`, `budget` and
    /// `thresholds`. `options` is an object at `path`.
    ///
    /// # Errors
    /// As [`Expectations::read`].
    pub fn add_terms(&mut self, options: Json<'a>, path: &Path) -> Result<()> {
        reading::read_terms(options, path, &mut self.terms)
    }

    pub(super) fn add_rules(&mut self, rules: &ToolRules<'a>) {
        let expected = self
            .calls
            .iter_mut()
            .flat_map(|call| &mut call.alternatives);
        for pattern in expected.chain(&mut self.forbidden) {
            pattern.add(rules);
        }
        for turn in self.turns.iter_mut().flatten() {
            turn.add_rules(rules);
        }
        self.of_tools.push(rules.clone());
    }

    /// Returns the patterns of all calls, expected and forbidden, without those of turns.
    pub(super) fn patterns(&self) -> impl Iterator<Item = &CallPattern<'a>> {
        let expected = self.calls.iter().flat_map(|call| &call.alternatives);
        expected.chain(&self.forbidden)
    }

    /// Returns the names of the tools in all calls, expected and forbidden.
    pub(super) fn tools(&self) -> Vec<&'a str> {
        let own = self.patterns().map(|pattern| pattern.call.tool);
        let of_turns = self.turns.iter().flatten().flat_map(Self::tools);
        own.chain(of_turns).collect()
    }

    /// Rejects an order that groups of calls can't have.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the order is strict and there are groups.
    pub(super) fn check_order(&self, order: CallOrder, path: &Path) -> Result<()> {
        match (order, &self.group) {
            (CallOrder::Strict, Some(_)) => Err(Error::invalid_input(
                path.key("order"),
                "any or sequence beside groups of calls; without unexpected calls, sequence is as strict",
                "strict",
            )),
            (CallOrder::Any | CallOrder::Sequence | CallOrder::Strict, _) => Ok(()),
        }
    }

    /// Returns whether a call, expected or forbidden, says what it returns.
    pub fn has_outcomes(&self) -> bool {
        self.patterns().any(|pattern| !pattern.outcome.is_any())
            || self.turns.iter().flatten().any(Self::has_outcomes)
    }

    /// Returns the expectations with a call of each tool that was called in place of each pattern that names it, and with
    /// those forbidden that may not be called. `None` if they are the same as these.
    pub fn for_calls(&self, made: &[MadeCall<'a>]) -> Option<Self> {
        let is_open = |pattern: &CallPattern<'_>| is_pattern(pattern.written);
        let has_open = self.patterns().any(is_open);
        if !has_open && self.terms.only.is_none() {
            return None;
        }
        // Each tool by its name in the expectations and by its own.
        let own = made.iter().map(|made| made.call.tool);
        let called: BTreeSet<_> = called_tools(self, made).into_iter().zip(own).collect();
        let is_other = |tool: &&(&str, &str)| {
            let mut allowed = self.terms.only.iter().flatten();
            self.terms.only.is_some() && !allowed.any(|pattern| is_named(pattern, tool))
        };
        let not_allowed: Vec<_> = called.iter().filter(is_other).collect();
        if !has_open && not_allowed.is_empty() {
            return None;
        }
        let write_out = |pattern: &CallPattern<'a>| -> Vec<CallPattern<'a>> {
            if !is_open(pattern) {
                return vec![pattern.clone()];
            }
            let named = called.iter().filter(|tool| is_named(pattern.written, tool));
            let of_tools: Vec<_> = named
                .map(|(tool, _)| pattern.of_tool(tool, &self.of_tools))
                .collect();
            match of_tools.is_empty() {
                true => vec![pattern.clone()],
                false => of_tools,
            }
        };
        let mut written_out = self.clone();
        for call in &mut written_out.calls {
            call.alternatives = call.alternatives.iter().flat_map(write_out).collect();
        }
        let forbidden = self.forbidden.iter().flat_map(write_out);
        let not_allowed = not_allowed.iter().map(|(tool, _)| CallPattern::any(tool));
        written_out.forbidden = forbidden.chain(not_allowed).collect();
        Some(written_out)
    }

    /// Returns what is expected after the message of the user at `place`, from 0, of expectations by turns.
    pub fn of_turn(&self, place: usize) -> Self {
        let turns = self.turns.as_deref().unwrap_or_default();
        Self {
            forbidden: self.forbidden.clone(),
            terms: self.terms.clone(),
            of_tools: self.of_tools.clone(),
            ..turns.get(place).cloned().unwrap_or_default()
        }
    }

    /// Returns the expectations with only the calls of `group`, which are at the positions `calls`.
    pub(super) fn with_calls(&self, calls: &[usize], group: &CallGroup) -> Self {
        let mut places = vec![0; self.calls.len()];
        for (place, call) in calls.iter().enumerate() {
            places[*call] = place;
        }
        Self {
            calls: calls.iter().map(|call| self.calls[*call].clone()).collect(),
            forbidden: self.forbidden.clone(),
            order: self.order,
            group: Some(group.map(&|call| places[call])),
            ..Self::default()
        }
    }

    /// Rejects comparators that the caller does not provide, and questions to judges that nobody can ask. Returns
    /// whether there are such questions.
    ///
    /// # Errors
    /// [`Error::InvalidOption`] with the name of the comparator, or with the question.
    pub fn check_asked(&self, comparing: &Comparing<'_>) -> Result<bool> {
        let mut asks_judges = false;
        for matcher in self.matchers() {
            match matcher {
                Matcher::Compare(name) if !comparing.has(name) => {
                    return Err(Error::InvalidOption {
                        path: Path::root().key("options").key("comparators").key(name),
                        reason: "a matcher names this comparator, but it is not given".to_owned(),
                    });
                }
                Matcher::Judge(question) => {
                    comparing.judging().check(question)?;
                    asks_judges = true;
                }
                _ => {}
            }
        }
        for turn in self.turns.iter().flatten() {
            asks_judges |= turn.check_asked(comparing)?;
        }
        Ok(asks_judges)
    }

    /// Returns the matchers of all patterns and tools, without those of turns.
    fn matchers(&self) -> impl Iterator<Item = &Matcher<'a>> {
        let rules = self.patterns().flat_map(|pattern| {
            let of_error = match &pattern.outcome.error {
                ExpectedError::Like { rules, .. } => rules.as_slice(),
                ExpectedError::Either | ExpectedError::Absent | ExpectedError::Present => &[],
            };
            pattern
                .own
                .iter()
                .chain(&pattern.outcome.rules)
                .chain(of_error)
        });
        let of_tools = self.of_tools.iter().flat_map(ToolRules::all);
        let all = rules.chain(of_tools);
        all.filter_map(|rule| rule.rule.matcher.as_ref())
    }
}

/// Returns whether two names or patterns may be of one tool.
fn may_be_same(one: &str, other: &str) -> bool {
    names(one, other) || names(other, one) || is_pattern(one) && is_pattern(other)
}

/// Returns whether `pattern` names a tool by its name in the expectations or its own name.
fn is_named(pattern: &str, (expected, called): &(&str, &str)) -> bool {
    names(pattern, expected) || names(pattern, called)
}
