//! The schema that a tool declares for its results. It is compiled when the first result is checked, because
//! most uses of a tool never check one.

use std::sync::OnceLock;

use jsonschema::Validator;
use serde_json::{Map, Value};

use super::compile::{Compiler, prepare};
use super::effort::bounded;
use super::instance::{Instance, to_value};
use super::violation::{Violation, violations};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Limits};

/// The `outputSchema` of a tool.
pub struct OutputSchema {
    tool: String,
    schema: Value,
    compiler: Compiler,
    validator: OnceLock<Result<Validator>>,
}

impl OutputSchema {
    /// Wraps the `schema` that `tool` declares.
    pub(super) fn new(tool: &str, schema: Json<'_>, compiler: &Compiler) -> Self {
        let mut schema = to_value(schema);
        prepare(&mut schema);
        Self {
            tool: tool.to_owned(),
            schema,
            compiler: compiler.clone(),
            validator: OnceLock::new(),
        }
    }

    /// Returns at most `limits.max_issues_per_call` violations of the schema in `value`, and whether there
    /// are more.
    ///
    /// # Errors
    /// [`toolgauge_model::error::Error::InvalidSchema`] if the schema itself is not valid;
    /// [`toolgauge_model::error::Error::LimitExceeded`] if validation takes more than `limits.max_schema_visits`.
    pub fn violations(&self, value: Json<'_>, limits: Limits) -> Result<(Vec<Violation>, bool)> {
        let validator = self.validator()?;
        let found = bounded(value, "result", limits.max_schema_visits, || {
            violations(validator, &self.schema, value, limits.max_issues_per_call)
        });
        let (mut violations, more) = found?;
        violations.iter_mut().for_each(name_properties);
        Ok((violations, more))
    }

    /// Returns whether `value` fits the schema.
    ///
    /// # Errors
    /// As [`OutputSchema::violations`].
    pub fn accepts(&self, value: Json<'_>, limits: Limits) -> Result<bool> {
        let validator = self.validator()?;
        bounded(value, "result", limits.max_schema_visits, || {
            let instance = Instance::of(value);
            instance.not_finite.is_empty() && validator.is_valid(&instance.value)
        })
    }

    fn validator(&self) -> Result<&Validator> {
        let compile = || {
            self.compiler
                .compile(&self.tool, "outputSchema", &self.schema)
        };
        let compiled = self.validator.get_or_init(compile);
        compiled.as_ref().map_err(Clone::clone)
    }

    /// Returns the `properties` at the top of the schema, if there are any.
    pub fn properties(&self) -> Option<&Map<String, Value>> {
        self.schema.get("properties")?.as_object()
    }
}

/// Says "property" where a message says "argument", because a result has no arguments.
fn name_properties(violation: &mut Violation) {
    if let Some(rest) = violation.message.strip_prefix("unknown argument") {
        violation.message = format!("unknown property{rest}");
    }
}
