//! The schema that a tool declares for its results, compiled when a result is first held to it: most
//! uses of a tool never look at one.

use std::sync::OnceLock;

use jsonschema::Validator;
use serde_json::{Map, Value};

use super::compile::{Compiler, prepare};
use super::effort::bounded;
use super::instance::{Instance, to_value};
use super::violation::{Violation, violations};
use crate::error::Result;
use crate::model::{Json, Limits};

/// The `outputSchema` of a tool.
pub struct OutputSchema {
    tool: String,
    schema: Value,
    compiler: Compiler,
    validator: OnceLock<Result<Validator>>,
}

impl OutputSchema {
    /// What `tool` declares as `schema`.
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

    /// What violates the schema in `value`, at most `limits.max_issues_per_call` of it, and whether there
    /// was more.
    ///
    /// # Errors
    /// [`crate::error::Error::InvalidSchema`] when the schema itself is not valid;
    /// [`crate::error::Error::LimitExceeded`] when validation takes more than
    /// `limits.max_schema_visits`.
    pub fn violations(&self, value: Json<'_>, limits: Limits) -> Result<(Vec<Violation>, bool)> {
        let validator = self.validator()?;
        bounded(value, "result", limits.max_schema_visits, || {
            violations(validator, &self.schema, value, limits.max_issues_per_call)
        })
    }

    /// Whether nothing in `value` violates the schema.
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

    /// The members that the schema declares for an object, as far as it does so outright.
    pub fn properties(&self) -> Option<&Map<String, Value>> {
        self.schema.get("properties")?.as_object()
    }
}
