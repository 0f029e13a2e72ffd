//! Reads expectations from JSON.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::str::FromStr;

use strum::VariantArray;

use super::comparison::PathRule;
use super::expectation::{CallOrder, CallPattern, Expectation, Expectations, Terms, ToolRules};
use super::grammar::{
    Attempts, CallMember, Cost, ExpectationsMember, Extra, GroupMember, MOST_TIMES, READ_ONLY,
};
use super::groups::{CallGroup, MOST_COMBINATIONS};
use super::matcher::{Matcher, Rule};
use super::outcome::{ERROR, ExpectedError, ExpectedOutcome, RESULT};
use super::path_pattern::read_pattern;
use super::tool_pattern::is_pattern;
use toolgauge_formats::Fields;
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path, Reader};
use toolgauge_schema::{did_you_mean, nearest};

const EXPECTATIONS: &str = "expectations: {calls, forbidden, order, matchers, …}";

const CALL: &str = "an expected call: the name of a tool, {tool, args, matchers, optional, times}, \
    {anyOf, optional, times}, {sequence} or {unordered}";

/// The members of an expected call that say how often it is made, or which other calls are as good.
const NOT_ALONE: [&str; 5] = ["anyOf", "optional", "times", "sequence", "unordered"];

/// Reads the expectations at `path`: a list of expected calls, or an object of expectations.
///
/// # Errors
/// [`Error::InvalidInput`] with the path of the first mistake.
pub fn read_expectations<'a>(
    json: Json<'a>,
    path: &Path,
    reader: Reader<'a>,
) -> Result<Expectations<'a>> {
    if let Json::Array(calls) = json {
        return read_calls(calls, path, reader);
    }
    let fields = Fields::of(json, path.clone(), EXPECTATIONS)?;
    only(&fields, ExpectationsMember::NAMES)?;
    let mut read = match fields.get("turns") {
        Some(_) => {
            fields.without(&["calls"], "turns, or calls for the whole conversation")?;
            Expectations {
                turns: Some(read_turns(&fields, reader)?),
                ..Expectations::default()
            }
        }
        None => {
            let calls = fields.items("calls", "a list of expected calls")?;
            read_calls(calls, &path.key("calls"), reader)?
        }
    };
    read_terms(json, path, &mut read.terms)?;
    read.add(
        fields.get("order"),
        fields.get("matchers"),
        fields.get("forbidden"),
        path,
        reader,
    )?;
    for rules in &mut read.of_tools {
        rules.is_own = true;
    }
    if let Some(null_is_absent) = read_flag(&fields, ExpectationsMember::NullIsAbsent)? {
        read.set_null_is_absent(null_is_absent);
    }
    let schema_defaults = read_flag(&fields, ExpectationsMember::SchemaDefaults)?;
    read.schema_defaults = schema_defaults.unwrap_or(false);
    Ok(read)
}

/// Reads a member that is true or false; `None` if it is missing.
fn read_flag(fields: &Fields<'_>, member: ExpectationsMember) -> Result<Option<bool>> {
    let key = member.into();
    match fields.get(key) {
        None => Ok(None),
        Some(Json::Bool(flag)) => Ok(Some(flag)),
        Some(_) => Err(fields.mismatch(key, "true or false")),
    }
}

/// Rejects members that are not `known`.
fn only(fields: &Fields<'_>, known: &[&'static str]) -> Result<()> {
    let members = fields.value().members().unwrap_or_default().iter();
    let mut unknown = members
        .map(|(key, _)| *key)
        .filter(|key| !known.contains(key));
    match unknown.next() {
        None => Ok(()),
        Some(key) => Err(Error::invalid_input(
            fields.path().key(key),
            format!("one of {}", known.join(", ")),
            format!(
                "{key:?}{}",
                did_you_mean(nearest(key, known.iter().copied()))
            ),
        )),
    }
}

fn read_turns<'a>(fields: &Fields<'a>, reader: Reader<'a>) -> Result<Vec<Expectations<'a>>> {
    let turns = fields.items("turns", "the expectations of each turn: [{calls}, …]")?;
    let at = fields.path().key("turns");
    let read = |(place, turn): (usize, &Json<'a>)| {
        let path = at.index(place);
        let fields = Fields::of(
            *turn,
            path.clone(),
            "the expectations of a turn: {calls, order}",
        )?;
        only(&fields, &["calls", "order"])?;
        let calls = fields.items("calls", "a list of expected calls")?;
        let mut read = read_calls(calls, &path.key("calls"), reader)?;
        read.add(fields.get("order"), None, None, &path, reader)?;
        Ok(read)
    };
    turns.iter().enumerate().map(read).collect()
}

/// Reads the terms that `json` states at `path`, and replaces those in `terms`.
///
/// # Errors
/// [`Error::InvalidInput`] with the path of the first mistake.
pub fn read_terms<'a>(json: Json<'a>, path: &Path, terms: &mut Terms<'a>) -> Result<()> {
    let fields = &Fields::of(json, path.clone(), EXPECTATIONS)?;
    let has = |key: &str| fields.get(key).is_some_and(|value| !value.is_null());
    if has("extra") {
        terms.extra = read_extra(fields)?;
    }
    if has("only") {
        terms.only = Some(read_texts(fields, "only", TOOLS)?);
    }
    if has("ignoreTools") {
        read_ignored(fields, terms)?;
    }
    if has("attempts") {
        terms.attempts = read_attempts(fields)?;
    }
    if has("states") {
        terms.states = read_texts(
            fields,
            "states",
            "a list of texts that the reply must state",
        )?;
    }
    if has("budget") {
        terms.budget = read_budget(fields)?;
    }
    if has("thresholds") {
        terms.thresholds = read_thresholds(fields)?;
    }
    Ok(())
}

const TOOLS: &str = "a list of names or patterns of tools";

/// Reads the tools whose calls do not count.
fn read_ignored<'a>(fields: &Fields<'a>, terms: &mut Terms<'a>) -> Result<()> {
    const WHAT: &str = "a name or pattern of tools, or {readOnly: true}";
    (terms.ignored, terms.ignores_read_only) = (Vec::new(), false);
    let at = fields.path().key("ignoreTools");
    for (place, item) in fields.items("ignoreTools", TOOLS)?.iter().enumerate() {
        match item {
            Json::String(tool) if !tool.is_empty() => terms.ignored.push(tool),
            Json::Object([(READ_ONLY, Json::Bool(true))]) => terms.ignores_read_only = true,
            other => {
                return Err(Error::invalid_input(
                    at.index(place),
                    WHAT,
                    other.describe(),
                ));
            }
        }
    }
    Ok(())
}

fn read_texts<'a>(fields: &Fields<'a>, key: &str, what: &str) -> Result<Vec<&'a str>> {
    let at = fields.path().key(key);
    let items = fields.optional_items(key, what)?;
    let read = |(place, item): (usize, &Json<'a>)| {
        let text = item.as_str().filter(|text| !text.is_empty());
        text.ok_or_else(|| Error::invalid_input(at.index(place), "a text", item.describe()))
    };
    items.iter().enumerate().map(read).collect()
}

fn read_extra(fields: &Fields<'_>) -> Result<Extra> {
    const WHAT: &str = "forbid, allow, or {max}";
    match fields.get("extra") {
        None | Some(Json::String("forbid")) => Ok(Extra::Forbid),
        Some(Json::String("allow")) => Ok(Extra::Allow),
        Some(most @ Json::Object(_)) => {
            let most = Fields::of(most, fields.path().key("extra"), WHAT)?;
            most.only(&["max"])?;
            let max = most.get("max").ok_or_else(|| most.mismatch("max", WHAT))?;
            Ok(Extra::Most(read_count(max, most.path().key("max"))?))
        }
        Some(_) => Err(fields.mismatch("extra", WHAT)),
    }
}

fn read_attempts(fields: &Fields<'_>) -> Result<Attempts> {
    let Some(attempts) = fields.get("attempts") else {
        return Ok(Attempts::default());
    };
    let known = attempts.as_str().and_then(|name| name.parse().ok());
    known.ok_or_else(|| fields.mismatch("attempts", Attempts::NAMES.join(" or ")))
}

fn read_budget(fields: &Fields<'_>) -> Result<BTreeMap<Cost, f64>> {
    const WHAT: &str = "the most that a run may cost: {calls, turns, tokens, seconds, cost}";
    let Some(budget) = fields.get("budget") else {
        return Ok(BTreeMap::new());
    };
    let budget = Fields::of(budget, fields.path().key("budget"), WHAT)?;
    only(&budget, Cost::NAMES)?;
    let members = budget.value().members().unwrap_or_default().iter();
    let read = |(name, most): &(&str, Json<'_>)| {
        let cost = Cost::from_str(name).map_err(|_| budget.mismatch(name, WHAT))?;
        match most {
            Json::Number(number) if number.as_f64() >= 0.0 => Ok((cost, number.as_f64())),
            _ => Err(budget.mismatch(name, "a number from 0")),
        }
    };
    members.map(read).collect()
}

fn read_thresholds<'a>(fields: &Fields<'a>) -> Result<Vec<(&'a str, f64)>> {
    const WHAT: &str = "the lowest score of each tool: {\"pay\": 1}";
    let Some(thresholds) = fields.get("thresholds") else {
        return Ok(Vec::new());
    };
    let thresholds = Fields::of(thresholds, fields.path().key("thresholds"), WHAT)?;
    let members = thresholds.value().members().unwrap_or_default().iter();
    let read = |(tool, least): &(&'a str, Json<'a>)| match least {
        Json::Number(number) if (0.0..=1.0).contains(&number.as_f64()) => {
            Ok((*tool, number.as_f64()))
        }
        _ => Err(thresholds.mismatch(tool, "a number from 0 to 1")),
    };
    members.map(read).collect()
}

/// Reads a list of expected calls and groups of them.
fn read_calls<'a>(calls: &[Json<'a>], path: &Path, reader: Reader<'a>) -> Result<Expectations<'a>> {
    let mut found = GroupReader {
        reader,
        calls: Vec::new(),
    };
    let parts = found.parts(calls, path)?;
    let mut read = Expectations {
        calls: found.calls,
        ..Expectations::default()
    };
    if !parts.iter().all(CallGroup::is_call) {
        read.group = Some(CallGroup::Unordered(parts));
    }
    check_combinations(&read, path)?;
    Ok(read)
}

fn check_combinations(read: &Expectations<'_>, path: &Path) -> Result<()> {
    let combinations = read.group.as_ref().map_or(1, CallGroup::combinations);
    match combinations <= MOST_COMBINATIONS {
        true => Ok(()),
        false => Err(Error::invalid_input(
            path.clone(),
            format!("at most {MOST_COMBINATIONS} combinations of alternative groups"),
            combinations.to_string(),
        )),
    }
}

/// Reads groups, and collects their calls.
struct GroupReader<'a> {
    reader: Reader<'a>,
    calls: Vec<Expectation<'a>>,
}

impl<'a> GroupReader<'a> {
    fn parts(&mut self, parts: &[Json<'a>], path: &Path) -> Result<Vec<CallGroup>> {
        let parts = parts.iter().enumerate();
        parts
            .map(|(at, part)| self.part(*part, path.index(at)))
            .collect()
    }

    fn part(&mut self, json: Json<'a>, path: Path) -> Result<CallGroup> {
        if let Some(member) = group_member(json) {
            return self.group(json, path, member);
        }
        let alternatives = json.get("anyOf").and_then(Json::items).unwrap_or_default();
        if alternatives
            .iter()
            .any(|part| group_member(*part).is_some())
        {
            return self.alternatives(json, alternatives, path);
        }
        self.calls.push(read_expectation(json, path, self.reader)?);
        Ok(CallGroup::Call(self.calls.len() - 1))
    }

    fn group(&mut self, json: Json<'a>, path: Path, member: GroupMember) -> Result<CallGroup> {
        let name: &str = member.into();
        let fields = Fields::of(json, path, CALL)?;
        fields.only(&[name])?;
        let parts = fields.items(name, "a list of expected calls")?;
        let parts = self.parts(parts, &fields.path().key(name))?;
        Ok(match member {
            GroupMember::Sequence => CallGroup::Sequence(parts),
            GroupMember::Unordered => CallGroup::Unordered(parts),
        })
    }

    fn alternatives(
        &mut self,
        json: Json<'a>,
        alternatives: &[Json<'a>],
        path: Path,
    ) -> Result<CallGroup> {
        let fields = Fields::of(json, path, CALL)?;
        fields.only(&["anyOf"])?;
        let at = fields.path().key("anyOf");
        let parts = alternatives.iter().enumerate().map(|(place, part)| {
            if group_member(*part).is_some() {
                return self.part(*part, at.index(place));
            }
            let alone = read_alone(*part, at.index(place), self.reader)?;
            self.calls.push(Expectation::of(alone));
            Ok(CallGroup::Call(self.calls.len() - 1))
        });
        Ok(CallGroup::AnyOf(parts.collect::<Result<_>>()?))
    }
}

/// Returns the member that makes `json` a group of calls; `None` if it is none.
fn group_member(json: Json<'_>) -> Option<GroupMember> {
    let mut members = GroupMember::VARIANTS.iter().copied();
    members.find(|member| json.get(member.into()).is_some())
}

fn read_expectation<'a>(json: Json<'a>, path: Path, reader: Reader<'a>) -> Result<Expectation<'a>> {
    if let Json::String(tool) = json {
        return Ok(Expectation::of(CallPattern::any(tool)));
    }
    let fields = Fields::of(json, path, CALL)?;
    let alternatives = match fields.get("anyOf") {
        None => vec![read_pattern_of(&fields, reader)?],
        Some(_) => read_alternatives(&fields, reader)?,
    };
    let (mut min, max) = read_times(&fields)?;
    match fields.get("optional") {
        None | Some(Json::Bool(false)) => {}
        Some(Json::Bool(true)) => min = 0,
        Some(_) => return Err(fields.mismatch("optional", "true or false")),
    }
    Ok(Expectation {
        alternatives,
        min,
        max,
    })
}

fn read_alternatives<'a>(fields: &Fields<'a>, reader: Reader<'a>) -> Result<Vec<CallPattern<'a>>> {
    let calls = fields.items("anyOf", "a list of alternative calls")?;
    fields.without(
        CallMember::NAMES,
        "anyOf, optional and times; args and matchers belong inside the alternatives",
    )?;
    let at = fields.path().key("anyOf");
    if calls.is_empty() {
        return Err(Error::invalid_input(at, "at least one call", "none"));
    }
    let calls = calls.iter().enumerate();
    calls
        .map(|(place, call)| read_alone(*call, at.index(place), reader))
        .collect()
}

/// Reads a call that can't have a count.
fn read_alone<'a>(json: Json<'a>, path: Path, reader: Reader<'a>) -> Result<CallPattern<'a>> {
    match json {
        Json::String(tool) => Ok(CallPattern::any(tool)),
        call => read_pattern_of(&call_alone(call, path)?, reader),
    }
}

/// Returns the fields of a call that can't have a count.
fn call_alone<'a>(json: Json<'a>, path: Path) -> Result<Fields<'a>> {
    const WHAT: &str = "a call: the name of a tool, or {tool, args, matchers}";
    let fields = Fields::of(json, path, WHAT)?;
    fields.without(&NOT_ALONE, WHAT)?;
    Ok(fields)
}

fn read_pattern_of<'a>(fields: &Fields<'a>, reader: Reader<'a>) -> Result<CallPattern<'a>> {
    let mut call = fields.call(reader)?;
    let mut rules = match fields.get("matchers") {
        None => Vec::new(),
        Some(matchers) => read_rules(matchers, &fields.path().key("matchers"))?,
    };
    if is_pattern(call.tool) && !fields.has_arguments() && rules.is_empty() {
        // Tools that a pattern names have different arguments, so a call without any is not what is meant.
        let any = CallPattern::any(call.tool);
        (call, rules) = (any.call, any.own);
    }
    let mut pattern = CallPattern::new(call, fields.value(), rules);
    pattern.outcome = Rc::new(read_outcome(fields)?);
    Ok(pattern)
}

/// Reads what a call should return. Only calls in toolgauge's own shape say so: what calls of other shapes have under
/// these names was returned when they were recorded.
fn read_outcome<'a>(fields: &Fields<'a>) -> Result<ExpectedOutcome<'a>> {
    if fields.get("tool").is_none() {
        return Ok(ExpectedOutcome::default());
    }
    let mut result = fields.get(RESULT);
    let mut rules = match fields.get("resultMatchers") {
        None => Vec::new(),
        Some(matchers) => read_rules(matchers, &fields.path().key("resultMatchers"))?,
    };
    if result.is_none() && rules.iter().any(|rule| !rule.steps.is_empty()) {
        // The rules name parts of the result. The other parts may be anything.
        result = Some(Json::Object(&[]));
        rules.insert(0, whole(Matcher::Superset));
    }
    Ok(ExpectedOutcome {
        result,
        rules,
        error: read_error(fields)?,
    })
}

fn read_error<'a>(fields: &Fields<'a>) -> Result<ExpectedError<'a>> {
    Ok(match fields.get(ERROR) {
        None => ExpectedError::Either,
        Some(Json::Bool(false)) => ExpectedError::Absent,
        Some(Json::Bool(true)) => ExpectedError::Present,
        Some(rule @ Json::Object(_)) => ExpectedError::Like {
            expected: None,
            rules: vec![PathRule {
                steps: Vec::new(),
                rule: Rule::read(rule, &fields.path().key(ERROR))?,
            }],
        },
        Some(expected @ Json::String(_)) => ExpectedError::Like {
            expected: Some(expected),
            rules: Vec::new(),
        },
        Some(_) => return Err(fields.mismatch(ERROR, "true, false, an error, or a matcher")),
    })
}

/// Returns a rule for a whole value.
fn whole<'a>(matcher: Matcher<'a>) -> PathRule<'a> {
    PathRule {
        steps: Vec::new(),
        rule: Rule {
            matcher: Some(matcher),
            ..Rule::default()
        },
    }
}

/// Reads a forbidden call. Without arguments it forbids any call of the tool.
pub fn read_forbidden<'a>(
    json: Json<'a>,
    path: Path,
    reader: Reader<'a>,
) -> Result<CallPattern<'a>> {
    if let Json::String(tool) = json {
        return Ok(CallPattern::any(tool));
    }
    let fields = call_alone(json, path)?;
    let pattern = read_pattern_of(&fields, reader)?;
    if fields.has_arguments() {
        return Ok(pattern);
    }
    let mut any = CallPattern::any(pattern.written);
    any.own.extend(pattern.own);
    any.outcome = pattern.outcome;
    Ok(any)
}

fn read_count(value: Json<'_>, at: Path) -> Result<usize> {
    const WHAT: &str = "a number of times, or {min, max}";
    match value {
        Json::Number(number) => {
            let number = number.as_f64();
            let is_count = number.fract() == 0.0 && (0.0..=MOST_TIMES as f64).contains(&number);
            is_count.then_some(number as usize).ok_or_else(|| {
                Error::invalid_input(
                    at,
                    format!("a whole number from 0 to {MOST_TIMES}"),
                    number.to_string(),
                )
            })
        }
        other => Err(Error::invalid_input(at, WHAT, other.describe())),
    }
}

fn read_times(fields: &Fields<'_>) -> Result<(usize, Option<usize>)> {
    const WHAT: &str = "a number of times, or {min, max}";
    let Some(times) = fields.get("times") else {
        return Ok((1, Some(1)));
    };
    let at = fields.path().key("times");
    if !matches!(times, Json::Object(_)) {
        let times = read_count(times, at)?;
        return Ok((times, Some(times)));
    }
    let times = Fields::of(times, at.clone(), WHAT)?;
    times.only(&["min", "max"])?;
    let read = |key: &str| {
        times
            .get(key)
            .map(|value| read_count(value, at.key(key)))
            .transpose()
    };
    let (min, max) = (read("min")?, read("max")?);
    let least = min.unwrap_or(1.min(max.unwrap_or(1)));
    match max {
        Some(most) if most < least => Err(Error::invalid_input(
            at.key("max"),
            format!("at least min, which is {least}"),
            most.to_string(),
        )),
        most => Ok((least, most)),
    }
}

/// Reads whether the order counts.
pub fn read_order(order: Json<'_>, at: Path) -> Result<CallOrder> {
    let known = order.as_str().and_then(|name| name.parse().ok());
    known.ok_or_else(|| Error::invalid_input(at, "any, sequence or strict", order.describe()))
}

/// Reads matchers by tool and path.
pub(super) fn read_tool_rules<'a>(matchers: Json<'a>, path: &Path) -> Result<ToolRules<'a>> {
    let Json::Object(tools) = matchers else {
        let what = "matchers by tool and path: {search: {\"filters.lang\": \"caseInsensitive\"}}";
        return Err(Error::invalid_input(
            path.clone(),
            what,
            matchers.describe(),
        ));
    };
    let mut read = ToolRules::default();
    for &(tool, rules) in tools {
        let rules = read_rules(rules, &path.key(tool))?.into();
        match is_pattern(tool) {
            true => read.of_pattern.push((tool, rules)),
            false => {
                read.of_tool.insert(tool, rules);
            }
        }
    }
    Ok(read)
}

/// Reads an object of matchers by path, in its order. A bare matcher applies to all arguments.
fn read_rules<'a>(matchers: Json<'a>, path: &Path) -> Result<Vec<PathRule<'a>>> {
    let read = |place: &str, rule: Json<'a>, at: &Path| {
        Ok(PathRule {
            steps: read_pattern(place, at)?,
            rule: Rule::read(rule, at)?,
        })
    };
    match matchers {
        Json::String(_) => Ok(vec![read("", matchers, path)?]),
        Json::Object(members) => members
            .iter()
            .map(|(place, rule)| read(place, *rule, &path.key(place)))
            .collect(),
        other => {
            let what = "matchers by path: {\"filters.lang\": \"caseInsensitive\"}";
            Err(Error::invalid_input(path.clone(), what, other.describe()))
        }
    }
}
