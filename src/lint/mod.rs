//! Lints tool definitions: finds what makes models misuse tools, and what providers reject.
//!
//! Each family of rules has a file: [`schemas`], [`descriptions`], [`names`], [`providers`]. The
//! documentation of a [`LintIssueType`] says what its rule means, how severe it is and where it comes from.
//! To add a rule, name it there and implement it in its family.

mod descriptions;
mod findings;
mod issue;
mod names;
mod providers;
mod schemas;
mod target;
#[cfg(test)]
mod testing;
mod walk;
mod words;

use std::collections::BTreeMap;

use serde_json::Value;

use toolgauge_base::gate::{FailOn, Gate, issue_failure};
use toolgauge_base::issue::{Issue, Severity, Weights, round};
use toolgauge_base::options::Options;
use toolgauge_formats::{DefinedTools, ToolDefinition, define_tools};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Limits, Reader, UnreadTool};
use toolgauge_schema::Compiler;

pub use findings::prefix_of;
use findings::{Findings, list};
pub use issue::{LintDetails, LintIssue, LintIssueType, LintResult, LintSummary, ModelProvider};
use schemas::Compiling;
pub use target::LintProvider;
use target::Target;

const WEIGHTS: Weights = Weights {
    critical: 1000,
    high: 500,
    medium: 200,
    low: 50,
};

/// The options of linting.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct LintOptions {
    /// The provider whose rules apply. Default: for definitions in the format of a provider, that provider;
    /// for other formats (MCP, AI SDK, records), whatever at least two providers reject.
    pub provider: Option<LintProvider>,
    /// Documents that a `$ref` may name, by their URI. Nothing is fetched. Default: none.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "Readonly<Record<string, JsonValue>>")
    )]
    pub schemas: BTreeMap<String, Value>,
    /// Limits on the input and the work.
    #[cfg_attr(feature = "typescript", ts(as = "Option<Limits>"))]
    pub limits: Limits,
}

impl LintOptions {
    /// Takes the lint options out of `options`.
    ///
    /// # Errors
    /// [`toolgauge_model::error::Error::InvalidOption`] for an unknown name or a wrong value.
    pub fn read(mut options: Options) -> Result<Self> {
        let read = Self {
            provider: options.take("provider")?,
            schemas: options.take("schemas")?.unwrap_or_default(),
            limits: options.take_limits()?,
        };
        options.finish(&["provider", "schemas", "limits"])?;
        Ok(read)
    }
}

/// Lints the tool definitions of a document in any known format: definitions, a request that contains
/// them, servers with their tools, or a log that carries tools. Identical lists of tools in a log count once.
///
/// # Errors
/// As [`define_tools`], and the first error if no definition can be read.
pub fn lint_tools<'a>(
    document: Json<'a>,
    options: &LintOptions,
    reader: Reader<'a>,
) -> Result<LintResult> {
    let sets = define_tools(document, reader)?;
    let unread: Vec<_> = sets.iter().flat_map(|set| &set.unread).cloned().collect();
    if sets.iter().all(|set| set.tools.is_empty()) {
        UnreadTool::refuse(&unread)?;
    }
    let known = options.schemas.keys();
    let known = known
        .map(|uri| uri.trim_end_matches('#').to_owned())
        .collect();
    let compiler = Compiler::new(options.schemas.clone().into_iter().collect());
    let compiling = Compiling {
        compiler: &compiler,
        known: &known,
        reader,
        limits: options.limits,
    };
    let mut linted = Linted::default();
    for DefinedTools { tools, .. } in &sets {
        linted.add(tools, options.provider, compiling);
    }
    let errors = unread.iter().filter_map(|tool| tool.reason.error());
    Ok(LintResult {
        errors: errors.map(Error::report).collect(),
        ..linted.finish()
    })
}

/// The results so far.
#[derive(Default)]
struct Linted {
    issues: Vec<LintIssue>,
    tools: usize,
    clean: usize,
    /// The sum of the scores of the tools, in thousandths.
    thousandths: u64,
    /// The issues of whole lists.
    of_lists: Vec<LintIssue>,
}

impl Linted {
    fn add<'a>(
        &mut self,
        definitions: &[ToolDefinition<'a>],
        asked: Option<LintProvider>,
        compiling: Compiling<'_, 'a>,
    ) {
        let described: Vec<_> = definitions
            .iter()
            .map(|it| (names::on_server(it, compiling.reader), it.tool.description))
            .collect();
        let mut clashes: Vec<Vec<_>> = described.iter().map(|_| Vec::new()).collect();
        for clash in names::clashes(&described) {
            clashes[clash.at].push(clash);
        }
        for (definition, clashes) in definitions.iter().zip(clashes) {
            let target = Target::new(asked, definition.format);
            let mut findings = Findings {
                definition,
                target: &target,
                issues: Vec::new(),
            };
            names::lint(&mut findings);
            for clash in clashes {
                let issue = findings.add(clash.kind, &definition.path, &clash.what, clash.hint);
                issue.severity = clash.severity;
                issue.details.other = Some(clash.other.to_owned());
            }
            descriptions::lint(&mut findings);
            schemas::lint(&mut findings, compiling);
            providers::lint(&mut findings);
            self.thousandths += u64::from(thousandths(&findings.issues));
            self.clean += usize::from(findings.issues.is_empty());
            self.issues.append(&mut findings.issues);
        }
        self.tools += definitions.len();
        self.count(definitions, asked);
    }

    /// Reports a list with more tools than a provider accepts.
    fn count(&mut self, definitions: &[ToolDefinition<'_>], asked: Option<LintProvider>) {
        let Some(first) = definitions.first() else {
            return;
        };
        let count = definitions.len();
        let is_too_many =
            |provider| providers::most_tools(provider).is_some_and(|most| count > most);
        let Some(rejecting) = Target::new(asked, first.format).rejecting(&is_too_many) else {
            return;
        };
        let verb = if rejecting.len() == 1 {
            "takes"
        } else {
            "take"
        };
        let most = rejecting
            .iter()
            .filter_map(|it| providers::most_tools(*it))
            .min();
        self.of_lists.push(Issue {
            kind: LintIssueType::TooManyTools,
            severity: LintIssueType::TooManyTools.severity(),
            description: format!(
                "{} {verb} at most {} tools; this list has {count}",
                list(&rejecting),
                most.unwrap_or_default()
            ),
            turn_id: None,
            tool_name: None,
            details: LintDetails {
                hint:
                    "Give the model only the tools that its task needs, or let it search for tools."
                        .to_owned(),
                providers: rejecting,
                ..LintDetails::default()
            },
            known: false,
        });
    }

    fn finish(mut self) -> LintResult {
        let mean = match self.tools {
            0 => 1.0,
            tools => self.thousandths as f64 / (1000 * tools) as f64,
        };
        let score = round(mean * f64::from(thousandths(&self.of_lists)) / 1000.0);
        self.issues.append(&mut self.of_lists);
        let mut summary = LintSummary {
            clean: self.clean,
            ..LintSummary::default()
        };
        for issue in &self.issues {
            *summary.issues_by_type.entry(issue.kind).or_default() += 1;
            *summary
                .issues_by_severity
                .entry(issue.severity)
                .or_default() += 1;
        }
        LintResult {
            valid: !summary.issues_by_severity.contains_key(&Severity::Critical),
            score,
            tools: self.tools,
            issues: self.issues,
            summary,
            errors: Vec::new(),
        }
    }
}

fn thousandths(issues: &[LintIssue]) -> u32 {
    WEIGHTS.thousandths(issues.iter().map(|issue| issue.severity))
}

impl LintResult {
    /// Passes if all issues are below the severity `fail_on`.
    pub fn gate(&self, fail_on: FailOn) -> Gate {
        let counts = self.summary.issues_by_severity.iter();
        let counts = counts.map(|(severity, count)| (*severity, *count));
        Gate::of(
            issue_failure(fail_on, "issue", counts)
                .into_iter()
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::testing::{found, linted};
    use super::*;

    fn tool(name: &str) -> Value {
        json!({"name": name, "description": format!("Does what {name} stands for."), "parameters": {"type": "object"}})
    }

    #[test]
    fn paths_point_into_the_document_of_every_format() {
        let schema = json!({"type": "object", "required": ["a"]});
        let named = |key: &str| json!({"name": "walk", "description": "Walks on, straight ahead.", key: schema});
        for (document, place) in [
            (
                json!({"tools": [{"type": "function", "function": named("parameters")}]}),
                "tools[0].function.parameters",
            ),
            (
                json!([{"type": "function", "name": "walk", "description": "Walks on, straight ahead.", "parameters": schema}]),
                "[0].parameters",
            ),
            (json!([named("input_schema")]), "[0].input_schema"),
            (
                json!({"result": {"tools": [named("inputSchema")]}}),
                "result.tools[0].inputSchema",
            ),
            (
                json!({"config": {"tools": [{"functionDeclarations": [named("parameters")]}]}}),
                "config.tools[0].functionDeclarations[0].parameters",
            ),
            (
                json!({"toolConfig": {"tools": [{"toolSpec": {"name": "walk", "description": "Walks on, straight ahead.", "inputSchema": {"json": schema}}}]}}),
                "toolConfig.tools[0].toolSpec.inputSchema.json",
            ),
            (
                json!({"walk": {"description": "Walks on, straight ahead.", "inputSchema": schema}}),
                "walk.inputSchema",
            ),
            (named("parameters"), "parameters"),
        ] {
            let issue = format!("high required_not_property {place}.required[0]");
            assert_eq!(found(&document), [issue], "{document}");
        }
    }

    #[test]
    fn each_issue_names_the_tool_the_path_and_a_remedy() {
        let document = json!([{"name": "walk", "description": "Walks on, straight ahead.", "input_schema": {"type": "object", "required": ["a"]}}]);
        let result = linted(&document, None).expect("definitions");
        assert_eq!(
            result.issues[0].description,
            r#""walk": input_schema.required[0]: "a" is required but not in properties"#
        );
        assert!(
            result
                .issues
                .iter()
                .all(|issue| !issue.details.hint.is_empty())
        );
    }

    #[test]
    fn totals_add_up() {
        let sound = linted(&json!([tool("walk"), tool("run")]), None).expect("definitions");
        assert_eq!((sound.valid, sound.score, sound.tools), (true, 1.0, 2));
        assert_eq!(sound.summary.clean, 2);
        let mut bad = tool("run");
        bad["parameters"] = json!({"type": "string"});
        let half = linted(&json!([tool("walk"), bad]), None).expect("definitions");
        assert_eq!(
            (half.valid, half.score, half.summary.clean),
            (false, 0.5, 1)
        );
        assert_eq!(half.summary.issues_by_severity[&Severity::Critical], 1);
        let none = linted(&json!([]), None).expect("definitions");
        assert_eq!((none.valid, none.score, none.tools), (true, 1.0, 0));
    }

    #[test]
    fn the_gate_fails_from_a_severity_on() {
        let low = json!([{"name": "walk", "description": "Walks on, straight ahead."}]);
        let result = linted(&low, None).expect("definitions");
        assert!(result.gate(FailOn::High).passed);
        assert_eq!(
            result.gate(FailOn::Low).failures,
            ["1 issue is low or worse"]
        );
        assert!(result.gate(FailOn::Never).passed);
    }

    #[test]
    fn too_many_tools_are_one_issue() {
        let tools = |count| -> Vec<_> { (0..count).map(|at| tool(&format!("t{at}x"))).collect() };
        let openai = Some(LintProvider::Openai);
        let issues = |count, provider| {
            linted(&json!(tools(count)), provider)
                .expect("definitions")
                .issues
        };
        assert!(issues(128, openai).is_empty());
        let found = issues(129, openai);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].kind, LintIssueType::TooManyTools);
        assert!(issues(129, None).is_empty());
        assert_eq!(issues(513, None).len(), 1);
    }

    #[test]
    fn a_log_is_linted_once_for_each_set_of_tools() {
        let request = |tools: &Value| json!({"model": "m", "messages": [], "tools": tools});
        let (one, two) = (
            json!([{"name": "walk", "input_schema": {"type": "object"}}]),
            json!([{"name": "run", "input_schema": {"type": "object"}}]),
        );
        let log = json!([request(&one), request(&one), {"model": "m"}, request(&two)]);
        assert_eq!(
            found(&log),
            [
                "medium missing_description [0].tools[0]",
                "medium missing_description [3].tools[0]"
            ]
        );
    }

    #[test]
    fn tools_of_servers_are_linted_as_theirs() {
        let server = |name: &str, tools: &[&str]| {
            let tools: Vec<_> = tools.iter().map(|name| tool(name)).collect();
            json!({"name": name, "tools": tools})
        };
        let one = server("notes", &["search", "read"]);
        assert_eq!(linted(&one, None).expect("definitions").tools, 2);
        assert!(found(&one).is_empty());
        let two = json!([one, server("mail", &["search", "send"])]);
        let result = linted(&two, None).expect("definitions");
        assert_eq!(result.tools, 4);
        let kinds: Vec<_> = result.issues.iter().map(|issue| issue.kind).collect();
        let expected = [
            LintIssueType::AmbiguousName,
            LintIssueType::IdenticalDescriptions,
        ];
        assert_eq!(kinds, expected);
        let issue = &result.issues[0];
        assert_eq!(issue.severity, Severity::Low);
        assert_eq!(issue.details.path, "[0].tools[0]");
        assert_eq!(issue.details.other.as_deref(), Some("mcp__mail__search"));
    }

    #[test]
    fn tools_of_rows_and_of_other_logs_are_found() {
        let walk = json!([{"name": "walk", "parameters": {"type": "object"}}]);
        let row = json!({"conversations": [{"from": "human", "value": "hi"}, {"from": "gpt", "value": "hello"}], "tools": walk.to_string()});
        let issue = |path: &str| format!("medium missing_description {path}");
        assert_eq!(found(&json!([row, row])), [issue("[0].tools[0]")]);
        assert_eq!(found(&row), [issue("tools[0]")]);
        let span = json!({
            "name": "llm", "context": {"trace_id": "t", "span_id": "s"}, "parent_id": null, "span_kind": "LLM",
            "start_time": "2026-01-01T00:00:00Z", "end_time": "2026-01-01T00:00:01Z",
            "attributes": {
                "openinference.span.kind": "LLM", "llm.tools.0.tool.json_schema": walk[0].to_string(),
                "llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "Hi",
                "llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "Hello",
            },
        });
        assert_eq!(found(&json!([span])), [issue("tools[0]")]);
    }

    #[test]
    fn a_definition_that_cannot_be_read_is_an_error_beside_the_issues_of_the_others() {
        let result = linted(&json!([tool("walk"), {"type": "strolling"}]), None);
        let result = result.expect("definitions");
        assert_eq!((result.tools, result.issues.len()), (1, 0));
        let paths: Vec<_> = result.errors.iter().map(|it| it.path.as_deref()).collect();
        assert_eq!(paths, [Some("[1].name")]);
        assert!(linted(&json!([{"type": "strolling"}]), None).is_err());
    }

    #[test]
    fn invalid_tools_are_rejected() {
        for document in [
            json!(7),
            json!({"name": "package", "version": "1"}),
            json!([{"role": "user"}]),
            json!({"a": {"b": 1}}),
        ] {
            assert!(linted(&document, None).is_err(), "{document}");
        }
    }

    #[test]
    fn platform_tools_have_no_issues() {
        let tools = json!([{"type": "web_search"}, {"type": "bash_20250124", "name": "bash"}, {"type": "custom", "name": "sql", "description": "Runs a query in SQL."}]);
        assert!(found(&tools).is_empty());
    }

    /// Adding these scores as fractions would give another mean in another order.
    #[test]
    fn the_mean_is_computed_from_whole_numbers() {
        let scores = |order: [usize; 4]| {
            let tools = [
                json!({"name": "walk", "description": "", "parameters": {"type": "object", "properties": {"aB": {"type": "nmber"}, "a_b": {}}}}),
                json!({"name": "Walk", "description": "Goes somewhere on foot.", "parameters": {"type": "object", "properties": {"a": {"type": "array", "default": 1}}}}),
                json!({"name": "a__walk", "description": "Goes somewhere on foot.", "parameters": true}),
                json!({"name": "run", "description": "Goes somewhere on foot.", "parameters": true}),
            ];
            let tools = order.map(|at| tools[at].clone());
            linted(&json!(tools), None).expect("definitions").score
        };
        assert_eq!(scores([0, 1, 2, 3]), scores([3, 2, 1, 0]));
        assert_eq!(scores([0, 1, 2, 3]), scores([3, 0, 1, 2]));
    }

    fn any_tool() -> impl Strategy<Value = Value> {
        let name = proptest::sample::select(vec![
            "walk",
            "walks",
            "a__walk",
            "mcp__a__walk",
            "Walk",
            "run",
            "go there",
        ]);
        let description = proptest::sample::select(vec![
            "",
            "Walk",
            "Goes somewhere on foot.",
            "Goes somewhere, on foot",
        ]);
        let schema = proptest::sample::select(vec![
            json!({"type": "object", "required": ["a"]}),
            json!({"type": "object", "properties": {"aB": {"type": "nmber"}, "a_b": {}}}),
            json!({"type": "object", "properties": {"a": {"type": "array", "default": 1}}}),
            json!({"anyOf": [{"$ref": "#/$defs/none"}]}),
            json!(true),
        ]);
        (name, description, schema).prop_map(|(name, description, schema)| {
            json!({"name": name, "description": description, "parameters": schema})
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_order_of_the_tools_does_not_change_the_issues(
            tools in prop::collection::vec(any_tool(), 0..8),
            seed in any::<u64>(),
        ) {
            let mut mixed = tools.clone();
            let count = mixed.len() as u64;
            for at in 0..mixed.len() {
                mixed.swap(at, (seed.rotate_left(at as u32) % count) as usize);
            }
            let set = |tools: &[Value]| {
                let result = linted(&json!(tools), None).expect("definitions");
                let issues = result.issues.into_iter();
                // The path begins with the position of the tool in the list.
                let mut issues: Vec<_> = issues
                    .map(|issue| format!("{:?} {:?} {} {:?}", issue.kind, issue.severity, issue.description, issue.details.other))
                    .collect();
                issues.sort();
                (issues, result.score)
            };
            let (found, score) = set(&tools);
            let (found_mixed, score_mixed) = set(&mixed);
            // Among tools of one name, only the later ones are reported.
            let is_unique = !found.iter().any(|issue| issue.starts_with("DuplicateName"));
            prop_assert_eq!(found, found_mixed);
            prop_assert!(!is_unique || score == score_mixed);
        }
    }
}
