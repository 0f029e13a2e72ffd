//! The options of scoring, and its gate.

use serde_json::{Map, Value};

use toolgauge_base::options::Options;
use toolgauge_formats::import_tools;
use toolgauge_matching::{Expectations, KnownTools, Opinions, ToolSource};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Limits, Path, Reader};

/// How calls are scored and when the score fails.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields, rename_all = "camelCase"))]
pub struct ScoreOptions {
    /// Whether the order of the calls counts. Default: as the expectations say, or else `any`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "CallOrder"))]
    pub order: Option<Value>,
    /// How arguments are compared, by tool (`*` for all) and path. If several matchers apply, the last wins:
    /// matchers of an expected call override these, and these override those of an expectation file.
    #[cfg_attr(feature = "typescript", ts(optional, type = "ToolMatchers"))]
    pub matchers: Option<Value>,
    /// Forbidden calls, in addition to those of the expectations.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "readonly ForbiddenCallInput[]")
    )]
    pub forbidden: Option<Value>,
    /// Whether calls that are not expected lower the score. Default: as the expectations say, or else `forbid`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "ExtraCalls"))]
    pub extra: Option<Value>,
    /// The only tools that may be called, by names or patterns. A call of another tool is forbidden.
    #[cfg_attr(feature = "typescript", ts(optional, type = "readonly string[]"))]
    pub only: Option<Value>,
    /// The tools whose calls do not count: names, patterns, and `{readOnly: true}` for those that only read by their
    /// definitions.
    #[cfg_attr(feature = "typescript", ts(optional, type = "readonly IgnoredTools[]"))]
    pub ignore_tools: Option<Value>,
    /// Which attempts count. Default: as the expectations say, or else `all`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "'all' | 'successful'"))]
    pub attempts: Option<Value>,
    /// The facts that the replies must state.
    #[cfg_attr(feature = "typescript", ts(optional, type = "readonly string[]"))]
    pub states: Option<Value>,
    /// The most that a run may cost.
    #[cfg_attr(feature = "typescript", ts(optional, type = "RunBudget"))]
    pub budget: Option<Value>,
    /// The lowest scores of tools, by names or patterns, from 0 to 1.
    #[cfg_attr(feature = "typescript", ts(optional, type = "ToolThresholds"))]
    pub thresholds: Option<Value>,
    /// Whether an argument that is null and one that is left out are the same, at every depth of objects. Default: as
    /// the expectations say, or else false.
    pub null_is_absent: Option<bool>,
    /// Whether an argument that is left out has the default of the tool's JSON Schema, in the expected calls and the
    /// actual calls, in nested objects, too. Needs `tools`, or tools in the trajectory. Default: as the expectations
    /// say, or else false.
    pub schema_defaults: Option<bool>,
    /// The tool definitions for `schemaDefaults` and `{readOnly: true}` in `ignoreTools`, in any known format, or their
    /// JSON text. A name or pattern that names none of them is a warning. Default: those that the trajectory contains.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub tools: Option<Value>,
    /// What judges say about values, by the keys of open questions. Default: no judge was asked, and a matcher that asks
    /// judges is an error.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "Readonly<Record<string, Opinion>>")
    )]
    pub opinions: Option<Opinions>,
    /// The lowest score that passes, from 0 to 1; for several trajectories their mean. Default: any.
    pub min_score: Option<f64>,
    /// Limits on the work of the call.
    #[cfg_attr(feature = "typescript", ts(as = "Option<Limits>"))]
    pub limits: Limits,
}

impl ScoreOptions {
    /// Reads the options of scoring.
    ///
    /// # Errors
    /// [`toolgauge_model::error::Error::InvalidOption`] for an unknown option, a wrong value, or a limit out of its
    /// range.
    pub fn read(mut options: Options) -> Result<Self> {
        let read = Self {
            order: options.take("order")?,
            matchers: options.take("matchers")?,
            forbidden: options.take("forbidden")?,
            extra: options.take("extra")?,
            only: options.take("only")?,
            ignore_tools: options.take("ignoreTools")?,
            attempts: options.take("attempts")?,
            states: options.take("states")?,
            budget: options.take("budget")?,
            thresholds: options.take("thresholds")?,
            null_is_absent: options.take("nullIsAbsent")?,
            schema_defaults: options.take("schemaDefaults")?,
            tools: options.take("tools")?,
            opinions: take_opinions(&mut options)?,
            min_score: options.take("minScore")?,
            limits: options.take_limits()?,
        };
        options.finish(&[
            "order",
            "matchers",
            "forbidden",
            "extra",
            "only",
            "ignoreTools",
            "attempts",
            "states",
            "budget",
            "thresholds",
            "nullIsAbsent",
            "schemaDefaults",
            "tools",
            "opinions",
            "minScore",
            "limits",
        ])?;
        Ok(read)
    }

    /// Adds these options to `expectations`. `carried` are the tools that the trajectory contains.
    ///
    /// # Errors
    /// As [`Expectations::add`] and [`import_tools`], with paths that start with `options`; [`Error::InvalidOption`] if
    /// something needs the tools, but there are none.
    pub fn apply<'a>(
        &self,
        expectations: &mut Expectations<'a>,
        carried: Option<Json<'a>>,
        reader: Reader<'a>,
    ) -> Result<()> {
        let read = |value: &Option<Value>| {
            let value = value.clone();
            value.map(|value| reader.read_from(value)).transpose()
        };
        let terms = [
            ("extra", &self.extra),
            ("only", &self.only),
            ("ignoreTools", &self.ignore_tools),
            ("attempts", &self.attempts),
            ("states", &self.states),
            ("budget", &self.budget),
            ("thresholds", &self.thresholds),
        ];
        let terms = terms.into_iter().filter_map(|(name, value)| {
            let value = value.clone()?;
            Some((name.to_owned(), value))
        });
        let terms: Map<String, Value> = terms.collect();
        if !terms.is_empty() {
            let terms = reader.read_from(Value::Object(terms))?;
            expectations.add_terms(terms, &Path::root().key("options"))?;
        }
        expectations.add(
            read(&self.order)?,
            read(&self.matchers)?,
            read(&self.forbidden)?,
            &Path::root().key("options"),
            reader,
        )?;
        if let Some(null_is_absent) = self.null_is_absent {
            expectations.set_null_is_absent(null_is_absent);
        }
        self.apply_tools(expectations, carried, reader)
    }

    /// Adds what follows from the definitions of the tools.
    fn apply_tools<'a>(
        &self,
        expectations: &mut Expectations<'a>,
        carried: Option<Json<'a>>,
        reader: Reader<'a>,
    ) -> Result<()> {
        let has_defaults = self.schema_defaults.unwrap_or(expectations.schema_defaults);
        let needed_for = match (has_defaults, expectations.terms.ignores_read_only) {
            (true, _) => Some("schemaDefaults"),
            (false, true) => Some("ignoreTools {readOnly: true}"),
            (false, false) => None,
        };
        let at = Path::root().key("options").key("tools");
        let (tools, path, source) = match (self.given_tools(reader)?, carried, needed_for) {
            (Some(given), ..) => (given, at, ToolSource::Given),
            (None, _, None) => return Ok(()),
            (None, Some(carried), Some(_)) => {
                (carried, Path::root().key("tools"), ToolSource::Carried)
            }
            (None, None, Some(needed_for)) => {
                return Err(Error::InvalidOption {
                    path: at,
                    reason: format!(
                        "{needed_for} needs the tools, but they are neither given nor in the trajectory"
                    ),
                });
            }
        };
        let tools = import_tools(tools, reader).map_err(|error| error.inside(&path))?;
        expectations.know_tools(KnownTools::of(&tools.value, source));
        if has_defaults {
            expectations.add_schema_defaults(&tools.value);
        }
        Ok(())
    }

    fn given_tools<'a>(&self, reader: Reader<'a>) -> Result<Option<Json<'a>>> {
        match &self.tools {
            Some(Value::String(text)) => {
                let text = reader.arena().alloc_str(text);
                reader.read_text(text).map(Some)
            }
            Some(tools) => reader.read_from(tools.clone()).map(Some),
            None => Ok(None),
        }
    }
}

fn take_opinions(options: &mut Options) -> Result<Option<Opinions>> {
    let opinions: Option<Opinions> = options.take("opinions")?;
    let mut all = opinions.iter().flatten();
    match all.find(|(_, opinion)| !(0.0..=1.0).contains(&opinion.score)) {
        None => Ok(opinions),
        Some((key, opinion)) => Err(Error::InvalidOption {
            path: Path::root()
                .key("options")
                .key("opinions")
                .key(key)
                .key("score"),
            reason: format!("expected 0 to 1, got {}", opinion.score),
        }),
    }
}
