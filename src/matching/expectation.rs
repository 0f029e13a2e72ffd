//! Expectations: expected calls with their matchers, alternatives and counts, forbidden calls, and the order.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use super::comparison::{Comparing, PathRule};
use super::grammar::{CallMember, ExpectationsMember, MOST_TIMES};
use super::matcher::{Matcher, Rule};
use super::path_pattern::read_pattern;
use toolgauge_formats::{ExpectationFormat, Fields, Imported, import_expectations};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{EXPECTATIONS, ExpectedCall, Json, Path, Reader, Trajectory};

/// The tool name that means all tools.
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
    /// Whether arguments that are left out have the defaults of the tools' schemas: see
    /// [`Expectations::add_schema_defaults`].
    pub schema_defaults: bool,
    /// The matchers for tools. The calls above include them already.
    of_tools: Vec<ToolRules<'a>>,
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
    /// The call.
    pub call: ExpectedCall<'a>,
    /// The JSON of its own rules. Two patterns of one tool with equal calls and sources are equal.
    pub source: Json<'a>,
    /// The rules for all tools and for its tool, in the order in which they were given. Many patterns share
    /// them.
    of_tools: Vec<Rc<[PathRule<'a>]>>,
    /// The rules of the call itself.
    own: Vec<PathRule<'a>>,
}

/// Matchers by tool, each list starting with those for all tools.
#[derive(Debug, Clone, Default)]
struct ToolRules<'a> {
    everywhere: Option<Rc<[PathRule<'a>]>>,
    of_tool: BTreeMap<&'a str, Rc<[PathRule<'a>]>>,
}

const CALL: &str = "an expected call: the name of a tool, {tool, args, matchers, optional, times}, or \
    {anyOf, optional, times}";

impl<'a> Expectation<'a> {
    /// Expects the call once, with equal arguments.
    pub fn once(call: ExpectedCall<'a>) -> Self {
        Self::of(CallPattern::new(call, Json::Null, Vec::new()))
    }

    fn of(pattern: CallPattern<'a>) -> Self {
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

    /// Returns whether only one call is expected, once, with equal arguments.
    pub fn is_plain(&self) -> bool {
        matches!(self.alternatives.as_slice(), [one] if one.is_plain())
    }
}

impl<'a> ToolRules<'a> {
    fn all(&self) -> impl Iterator<Item = &PathRule<'a>> {
        let lists = self.everywhere.iter().chain(self.of_tool.values());
        lists.flat_map(|rules| rules.iter())
    }
}

impl<'a> CallPattern<'a> {
    /// Creates a call with rules of its own, which were read from `source`.
    fn new(call: ExpectedCall<'a>, source: Json<'a>, own: Vec<PathRule<'a>>) -> Self {
        Self {
            call,
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

    /// Returns whether there are no rules, so that arguments must be equal.
    pub fn is_plain(&self) -> bool {
        self.rules().next().is_none()
    }

    /// Creates a pattern for any call of a tool, whatever its arguments.
    fn any(tool: &'a str) -> Self {
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

    /// Adds rules for its arguments after those for tools, and before the call's own rules.
    pub(super) fn add_rules(&mut self, rules: Rc<[PathRule<'a>]>) {
        self.of_tools.push(rules);
    }

    /// Adds rules for tools after earlier ones, and before the call's own rules.
    fn add(&mut self, rules: &ToolRules<'a>) {
        let here = rules.of_tool.get(self.call.tool);
        let added = rules.everywhere.iter().chain(here);
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

    /// Returns whether `json` is an object of expectations, `{calls, forbidden, order, matchers}`, rather
    /// than a list of calls or a trajectory.
    pub fn are(json: Json<'_>) -> bool {
        matches!(json.get("calls"), Some(Json::Array(_)))
    }

    /// Reads the expectations at `path`: a list of expected calls, or `{calls, forbidden, order, matchers}`.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] with the path of the first mistake.
    pub fn read(json: Json<'a>, path: &Path, reader: Reader<'a>) -> Result<Self> {
        if let Json::Array(calls) = json {
            return Ok(Self {
                calls: read_calls(calls, path, reader)?,
                ..Self::default()
            });
        }
        let what = "expectations: {calls, forbidden, order, matchers}";
        let fields = Fields::of(json, path.clone(), what)?;
        fields.only(ExpectationsMember::NAMES)?;
        let mut read = Self {
            calls: read_calls(
                fields.items("calls", "a list of expected calls")?,
                &path.key("calls"),
                reader,
            )?,
            ..Self::default()
        };
        read.add(
            fields.get("order"),
            fields.get("matchers"),
            fields.get("forbidden"),
            path,
            reader,
        )?;
        if let Some(null_is_absent) = read_flag(&fields, ExpectationsMember::NullIsAbsent)? {
            read.set_null_is_absent(null_is_absent);
        }
        let schema_defaults = read_flag(&fields, ExpectationsMember::SchemaDefaults)?;
        read.schema_defaults = schema_defaults.unwrap_or(false);
        Ok(read)
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
            self.order = read_order(order, path.key("order"))?;
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
                let mut pattern = read_forbidden(*call, at.index(place), reader)?;
                for rules in &self.of_tools {
                    pattern.add(rules);
                }
                self.forbidden.push(pattern);
            }
        }
        if let Some(matchers) = matchers {
            let rules = read_tool_rules(matchers, &path.key("matchers"))?;
            self.add_tool_rules(rules);
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
        self.add_tool_rules(ToolRules {
            everywhere: Some([rule].into()),
            of_tool: BTreeMap::new(),
        });
    }

    fn add_tool_rules(&mut self, rules: ToolRules<'a>) {
        for pattern in self.patterns() {
            pattern.add(&rules);
        }
        self.of_tools.push(rules);
    }

    /// Returns the patterns of all calls, expected and forbidden.
    pub(super) fn patterns(&mut self) -> impl Iterator<Item = &mut CallPattern<'a>> {
        let expected = self
            .calls
            .iter_mut()
            .flat_map(|call| &mut call.alternatives);
        expected.chain(&mut self.forbidden)
    }

    /// Rejects comparators that the caller does not provide.
    ///
    /// # Errors
    /// [`Error::InvalidOption`] with the name of the comparator.
    pub fn check_comparators(&self, comparing: &Comparing<'_>) -> Result<()> {
        let patterns = self.calls.iter().flat_map(|call| &call.alternatives);
        let rules = patterns
            .chain(&self.forbidden)
            .flat_map(|pattern| &pattern.own);
        let of_tools = self.of_tools.iter().flat_map(ToolRules::all);
        for matcher in rules
            .chain(of_tools)
            .filter_map(|rule| rule.rule.matcher.as_ref())
        {
            if let Matcher::Compare(name) = matcher
                && !comparing.has(name)
            {
                return Err(Error::InvalidOption {
                    path: Path::root().key("options").key("comparators").key(name),
                    reason: "a matcher names this comparator, but it is not given".to_owned(),
                });
            }
        }
        Ok(())
    }
}

fn read_calls<'a>(
    calls: &[Json<'a>],
    path: &Path,
    reader: Reader<'a>,
) -> Result<Vec<Expectation<'a>>> {
    calls
        .iter()
        .enumerate()
        .map(|(at, call)| read_expectation(*call, path.index(at), reader))
        .collect()
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
    let read = |(place, call): (usize, &Json<'a>)| {
        let path = at.index(place);
        match call {
            Json::String(tool) => Ok(CallPattern::any(tool)),
            call => read_pattern_of(&call_alone(*call, path)?, reader),
        }
    };
    calls.iter().enumerate().map(read).collect()
}

/// Returns the fields of a call that can't have a count.
fn call_alone<'a>(json: Json<'a>, path: Path) -> Result<Fields<'a>> {
    const WHAT: &str = "a call: the name of a tool, or {tool, args, matchers}";
    let fields = Fields::of(json, path, WHAT)?;
    fields.without(&["anyOf", "optional", "times"], WHAT)?;
    Ok(fields)
}

fn read_pattern_of<'a>(fields: &Fields<'a>, reader: Reader<'a>) -> Result<CallPattern<'a>> {
    let call = fields.call(reader)?;
    let rules = match fields.get("matchers") {
        None => Vec::new(),
        Some(matchers) => read_rules(matchers, &fields.path().key("matchers"))?,
    };
    Ok(CallPattern::new(call, fields.value(), rules))
}

/// Reads a forbidden call. Without arguments it forbids any call of the tool.
fn read_forbidden<'a>(json: Json<'a>, path: Path, reader: Reader<'a>) -> Result<CallPattern<'a>> {
    if let Json::String(tool) = json {
        return Ok(CallPattern::any(tool));
    }
    let fields = call_alone(json, path)?;
    let pattern = read_pattern_of(&fields, reader)?;
    if fields.has_arguments() {
        return Ok(pattern);
    }
    let mut any = CallPattern::any(pattern.call.tool);
    any.own.extend(pattern.own);
    Ok(any)
}

fn read_times(fields: &Fields<'_>) -> Result<(usize, Option<usize>)> {
    const WHAT: &str = "a number of times, or {min, max}";
    let count = |value: Json<'_>, at: Path| match value {
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
    };
    let Some(times) = fields.get("times") else {
        return Ok((1, Some(1)));
    };
    let at = fields.path().key("times");
    if !matches!(times, Json::Object(_)) {
        let times = count(times, at)?;
        return Ok((times, Some(times)));
    }
    let times = Fields::of(times, at.clone(), WHAT)?;
    times.only(&["min", "max"])?;
    let read = |key: &str| {
        times
            .get(key)
            .map(|value| count(value, at.key(key)))
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

/// Reads a member that is true or false; `None` if it is missing.
fn read_flag(fields: &Fields<'_>, member: ExpectationsMember) -> Result<Option<bool>> {
    let key = member.into();
    match fields.get(key) {
        None => Ok(None),
        Some(Json::Bool(flag)) => Ok(Some(flag)),
        Some(_) => Err(fields.mismatch(key, "true or false")),
    }
}

fn read_order(order: Json<'_>, at: Path) -> Result<CallOrder> {
    let known = order.as_str().and_then(|name| name.parse().ok());
    known.ok_or_else(|| Error::invalid_input(at, "any, sequence or strict", order.describe()))
}

fn read_tool_rules<'a>(matchers: Json<'a>, path: &Path) -> Result<ToolRules<'a>> {
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
        match tool {
            ALL_TOOLS => read.everywhere = Some(rules),
            tool => {
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
