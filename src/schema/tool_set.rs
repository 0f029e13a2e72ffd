//! Tool definitions: compiled once and used for many calls.

use std::sync::Arc;

use jsonschema::Validator;
use serde_json::Value;

use super::compile::{Compiler, prepare};
use super::declared::{DeclaredArguments, schema_at};
use super::effort::bounded;
use super::instance::to_value;
use super::output::OutputSchema;
use super::plain::PlainSchema;
use super::together::Compiled;
use super::tool_names::ToolNames;
use super::violation::{Violation, every_violation, violations};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{
    Json, Limits, Path, Runner, Step, ToolCall, ToolSchema, UnreadReason, UnreadTool, is_handoff,
};

/// Returns the name of `tool` and its prepared schema.
fn schema_of<'a>(tool: &ToolSchema<'a>) -> (&'a str, Arc<Value>) {
    let mut parameters = to_value(tool.parameters);
    prepare(&mut parameters);
    (tool.name, Arc::new(parameters))
}

/// The tools that the agent had.
#[derive(Default)]
pub struct ToolSet {
    tools: Vec<Tool>,
    names: ToolNames,
    given: bool,
    unread: Vec<UnreadTool>,
}

/// A tool with the compiled schema of its arguments.
pub struct Tool {
    /// The tool's name.
    pub name: String,
    /// Whether agents should no longer call the tool.
    pub deprecated: bool,
    /// The name of the tool to call instead.
    pub replaced_by: Option<String>,
    parameters: Arc<Value>,
    /// The plain form of the schema, if it has one. It accepts most arguments without the validator.
    plain: Option<PlainSchema>,
    compiled: Compiled,
    output: Option<OutputSchema>,
}

impl ToolSet {
    /// Creates a set for the case that no definitions are given: no call is validated, and no tool is
    /// unknown.
    pub fn not_given() -> Self {
        Self::default()
    }

    /// Compiles `tools`, whose names must be unique.
    ///
    /// # Errors
    /// [`toolgauge_model::error::Error::InvalidSchema`] for the first invalid schema.
    pub fn compile(tools: &[ToolSchema<'_>], compiler: &Compiler) -> Result<Self> {
        let tools: Vec<_> = tools.iter().map(|tool| (*tool, Path::root())).collect();
        let compiled = Self::compile_sound(&tools, Vec::new(), compiler);
        UnreadTool::refuse(&compiled.unread)?;
        Ok(compiled)
    }

    /// Compiles `tools`, whose names must be unique, with the paths of their definitions. A tool whose schema is not
    /// valid takes any arguments, and is added to `unread`, the definitions by which no call can be judged.
    pub fn compile_sound(
        tools: &[(ToolSchema<'_>, Path)],
        mut unread: Vec<UnreadTool>,
        compiler: &Compiler,
    ) -> Self {
        let names = tools.iter().map(|(tool, _)| tool.name.to_owned()).collect();
        let schemas: Vec<_> = tools.iter().map(|(tool, _)| schema_of(tool)).collect();
        let compiled = compiler.compile_all(&schemas).into_iter();
        let made = tools.iter().zip(schemas).zip(compiled);
        let made = made.map(
            |(((tool, path), (_, parameters)), compiled)| match compiled {
                Ok(compiled) => Tool::new(tool, parameters, compiled, compiler),
                Err(error) => {
                    unread.push(UnreadTool {
                        path: path.clone(),
                        name: Some(tool.name.to_owned()),
                        reason: UnreadReason::InvalidSchema(error),
                    });
                    let anything = Arc::new(Value::Bool(true));
                    Tool::new(tool, anything, Compiled::Anything, compiler)
                }
            },
        );
        Self {
            tools: made.collect(),
            names: ToolNames::new(names),
            given: true,
            unread,
        }
    }

    /// Returns the definitions by which no call can be judged. The others are in the set.
    pub fn unread(&self) -> &[UnreadTool] {
        &self.unread
    }

    /// Returns whether calls of at least one tool can be judged.
    pub fn judges_any(&self) -> bool {
        let is_unread = |name: &String| self.unread.iter().any(|it| it.name.as_ref() == Some(name));
        !self.names().iter().all(is_unread)
    }

    /// Returns whether the set says nothing about any tool.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty() && self.unread.is_empty()
    }

    /// Returns whether the tool of `call`, which is not in the set, may be defined elsewhere: the platform or a
    /// server of tools runs it, a framework adds it as a handoff, or a definition that can't be read may be its own.
    pub fn leaves_open(&self, call: &ToolCall<'_>) -> bool {
        let runs_elsewhere = match Runner::of(call) {
            Runner::Platform | Runner::Connector => true,
            Runner::Program => false,
        };
        // If the set holds handoffs, it holds them all.
        let is_missing_handoff = call.name.is_some_and(is_handoff)
            && !self.names().iter().any(|known| is_handoff(known));
        let is_unread = self.unread.iter().any(|tool| tool.name.is_none());
        runs_elsewhere || is_missing_handoff || is_unread
    }

    /// Returns whether definitions are given, even if the list is empty.
    pub fn is_given(&self) -> bool {
        self.given
    }

    /// Returns the names of the tools, in order.
    pub fn names(&self) -> &[String] {
        self.names.all()
    }

    /// Returns the tool that `name` means, with or without an MCP prefix.
    pub fn resolve(&self, name: &str) -> Option<&Tool> {
        self.names.resolve(name).map(|at| &self.tools[at])
    }

    /// Returns the known name that is most similar to `name`.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        self.names.nearest(name)
    }

    /// Returns the tools, in order.
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// Returns the tool if there is exactly one.
    pub fn only(&self) -> Option<&Tool> {
        match self.tools.as_slice() {
            [tool] => Some(tool),
            _ => None,
        }
    }
}

impl Tool {
    fn new(
        tool: &ToolSchema<'_>,
        parameters: Arc<Value>,
        compiled: Compiled,
        compiler: &Compiler,
    ) -> Self {
        Self {
            name: tool.name.to_owned(),
            deprecated: tool.deprecated,
            replaced_by: tool.replaced_by.map(str::to_owned),
            compiled,
            plain: PlainSchema::of(&parameters),
            parameters,
            output: tool
                .output_schema
                .map(|schema| OutputSchema::new(tool.name, schema, compiler)),
        }
    }

    fn validator(&self) -> Result<&Validator> {
        let invalid = || Error::InvalidSchema {
            tool: self.name.clone(),
            path: Path::root().key("parameters"),
            reason: "can't be compiled".to_owned(),
        };
        self.compiled.validator().ok_or_else(invalid)
    }

    /// Returns whether the schema accepts `value`, which must be small.
    fn accepts(&self, value: Json<'_>) -> bool {
        let plain = self.plain.as_ref();
        plain.is_some_and(|plain| plain.accepts(value))
            || self
                .validator()
                .is_ok_and(|validator| validator.is_valid(&to_value(value)))
    }

    /// Returns at most `limits.max_issues_per_call` violations of the schema in `arguments`, and whether
    /// there are more.
    ///
    /// # Errors
    /// [`toolgauge_model::error::Error::LimitExceeded`] if validation takes more than `limits.max_schema_visits`.
    pub fn violations(
        &self,
        arguments: Json<'_>,
        limits: Limits,
    ) -> Result<(Vec<Violation>, bool)> {
        let accepts = |schema: &PlainSchema| schema.accepts(arguments);
        if self.plain.as_ref().is_some_and(accepts) {
            return Ok((Vec::new(), false));
        }
        let validator = self.validator()?;
        bounded(arguments, "arguments", limits.max_schema_visits, || {
            let most = limits.max_issues_per_call;
            violations(validator, &self.parameters, arguments, most)
        })
    }

    /// Returns the violations of the schema in `arguments`, one for each keyword: see
    /// [`every_violation`](super::violation::every_violation).
    ///
    /// # Errors
    /// As [`Tool::violations`].
    pub fn every_violation(&self, arguments: Json<'_>, limits: Limits) -> Result<Vec<Violation>> {
        let accepts = |schema: &PlainSchema| schema.accepts(arguments);
        if self.plain.as_ref().is_some_and(accepts) {
            return Ok(Vec::new());
        }
        let validator = self.validator()?;
        bounded(arguments, "arguments", limits.max_schema_visits, || {
            let most = limits.max_issues_per_call;
            every_violation(validator, &self.parameters, arguments, most).0
        })
    }

    /// Returns the arguments that the schema declares.
    pub fn declared(&self) -> DeclaredArguments<'_> {
        DeclaredArguments::of(&self.parameters)
    }

    /// Returns the names that the schema declares for the object at `steps` in the arguments.
    pub fn declared_at(&self, steps: &[Step]) -> Vec<&str> {
        let part = schema_at(&self.parameters, steps);
        let declared = part.map(|part| DeclaredArguments::of_part(part, &self.parameters));
        declared.iter().flat_map(DeclaredArguments::names).collect()
    }

    /// Returns whether the arguments must be an object. A schema that lists arguments without naming a type
    /// counts.
    pub fn wants_object(&self) -> bool {
        self.declared().names().next().is_some() || !self.accepts(Json::String(""))
    }

    /// Returns the schema of the value at `path` in the arguments, if the schema describes it.
    pub fn schema_at(&self, path: &Path) -> Option<&Value> {
        schema_at(&self.parameters, &path.steps())
    }

    /// Returns the schema of the tool's results, if it declares one.
    pub fn output(&self) -> Option<&OutputSchema> {
        self.output.as_ref()
    }

    /// Returns whether `null` arguments are valid: the schema must accept `null` for that.
    pub fn accepts_null(&self) -> bool {
        self.accepts(Json::Null)
    }

    /// Returns whether a call may leave out all arguments.
    pub fn accepts_no_arguments(&self) -> bool {
        self.accepts(Json::Object(&[]))
    }

    /// Returns the names of the required arguments, in order.
    pub fn required(&self) -> impl Iterator<Item = &str> {
        let required = self.parameters.get("required").and_then(Value::as_array);
        required.into_iter().flatten().filter_map(Value::as_str)
    }
}
