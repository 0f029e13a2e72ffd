//! The values that options and results name, as constants that the command line and the page list.

use serde::Serialize;
use serde_json::{Value, json};
use strum::VariantArray;
use toolgauge::check::RuleLevel;
use toolgauge::formats::{ExpectationFormat, ExportFormat, ToolFormat, TrajectoryFormat};
use toolgauge::gate::FailOn;
use toolgauge::issue::Severity;
use toolgauge::lint::{LintIssueType, LintProvider};
use toolgauge::matching::CallOrder;
use toolgauge::reflect::{ReflectionForm, ReflectionIssueType};
use toolgauge::report::{DiffFormat, LintFormat, ReportFormat, Show};
use toolgauge::score::costs;
use toolgauge::validate::ToolUseIssueType;
use toolgauge::verify::ResultIssueType;

const HEAD: &str = "// Written by `cargo xtask types` from the Rust types: change those.\n";

/// A constant: the values of one type, in the order in which Rust declares them.
struct Constant {
    name: &'static str,
    docs: &'static str,
    /// The name of the type in TypeScript; `None` for a type that the package does not declare.
    type_name: Option<&'static str>,
    values: Vec<&'static str>,
}

impl Constant {
    fn of<T>(name: &'static str, docs: &'static str, type_name: Option<&'static str>) -> Self
    where
        T: VariantArray + Copy + Into<&'static str>,
    {
        let values = T::VARIANTS.iter().map(|value| (*value).into()).collect();
        Self {
            name,
            docs,
            type_name,
            values,
        }
    }

    /// The names of members, which have no type of their own.
    fn of_members(name: &'static str, docs: &'static str, members: &[&'static str]) -> Self {
        Self {
            name,
            docs,
            type_name: None,
            values: members.to_vec(),
        }
    }

    /// `export const NAME: readonly Type[] = ['a', 'b'];`
    fn declaration(&self) -> String {
        let Self { name, docs, .. } = self;
        let values = self.values.iter().map(|value| format!("  '{value}',\n"));
        let values: String = values.collect();
        let head = format!("\n/** {docs} */\nexport const {name}");
        match self.type_name {
            Some(type_name) => format!("{head}: readonly {type_name}[] = [\n{values}];\n"),
            None => format!("{head} = [\n{values}] as const;\n"),
        }
    }
}

fn constants() -> Vec<Constant> {
    vec![
        Constant::of::<TrajectoryFormat>(
            "TRAJECTORY_FORMATS",
            "The formats that trajectories are read from.",
            Some("TrajectoryFormat"),
        ),
        Constant::of::<ExportFormat>(
            "EXPORT_FORMATS",
            "The formats that trajectories are written in.",
            Some("ExportFormat"),
        ),
        Constant::of::<ToolFormat>(
            "TOOL_FORMATS",
            "The formats that tool definitions are read from.",
            Some("ToolFormat"),
        ),
        Constant::of::<ExpectationFormat>(
            "EXPECTATION_FORMATS",
            "The formats that expected calls are read from.",
            Some("ExpectationFormat"),
        ),
        Constant::of::<ReportFormat>(
            "REPORT_FORMATS",
            "The formats of reports: of a check, of scores and of test cases.",
            Some("ReportFormat"),
        ),
        Constant::of::<LintFormat>(
            "LINT_FORMATS",
            "The formats in which the command line prints what is wrong with tool definitions.",
            None,
        ),
        Constant::of::<DiffFormat>(
            "DIFF_FORMATS",
            "The formats of the difference of two runs.",
            Some("DiffFormat"),
        ),
        Constant::of::<Show>(
            "SHOWN",
            "Which trajectories a report for people shows: all, those with issues, those that make the check fail, or none.",
            None,
        ),
        Constant::of::<Severity>(
            "SEVERITIES",
            "How bad an issue is, from low to critical.",
            Some("Severity"),
        ),
        Constant::of::<RuleLevel>(
            "RULE_LEVELS",
            "The severities that a rule sets for a type of issue; `off` switches the type off.",
            Some("RuleLevel"),
        ),
        Constant::of::<FailOn>(
            "FAIL_ON",
            "The least severity of an issue that makes a check fail.",
            Some("FailOn"),
        ),
        Constant::of::<ToolUseIssueType>(
            "TOOL_USE_ISSUE_TYPES",
            "The types of issues of a call.",
            Some("ToolUseIssueType"),
        ),
        Constant::of::<ResultIssueType>(
            "RESULT_ISSUE_TYPES",
            "The types of issues of a result, or of what a reply makes of it.",
            Some("ResultIssueType"),
        ),
        Constant::of::<ReflectionIssueType>(
            "REFLECTION_ISSUE_TYPES",
            "The types of issues of a call by itself.",
            Some("ReflectionIssueType"),
        ),
        Constant::of::<LintIssueType>(
            "LINT_ISSUE_TYPES",
            "The types of issues of a tool definition.",
            Some("LintIssueType"),
        ),
        Constant::of::<LintProvider>(
            "LINT_PROVIDERS",
            "The providers whose rules tool definitions are linted by.",
            Some("LintProvider"),
        ),
        Constant::of::<ReflectionForm>(
            "REFLECTION_FORMS",
            "How long the questions to judges are.",
            Some("ReflectionForm"),
        ),
        Constant::of::<CallOrder>(
            "CALL_ORDERS",
            "Whether the order of expected calls counts.",
            Some("CallOrder"),
        ),
        Constant::of_members(
            "USAGE_MEMBERS",
            "Members of a turn or of a run that hold what the model used. The first that is there counts.",
            &costs::USAGE,
        ),
        Constant::of_members(
            "INPUT_TOKENS_MEMBERS",
            "Members that hold the number of tokens read.",
            &costs::INPUT_TOKENS,
        ),
        Constant::of_members(
            "OUTPUT_TOKENS_MEMBERS",
            "Members that hold the number of tokens written.",
            &costs::OUTPUT_TOKENS,
        ),
        Constant::of_members(
            "ALL_TOKENS_MEMBERS",
            "Members that hold the number of all tokens.",
            &costs::ALL_TOKENS,
        ),
        Constant::of_members(
            "COST_MEMBERS",
            "Members that hold what a turn or a run cost.",
            &costs::MONEY,
        ),
        Constant::of_members(
            "START_MEMBERS",
            "Members that hold when a turn or a call began, beside `timestamp`.",
            &costs::STARTS,
        ),
        Constant::of_members(
            "END_MEMBERS",
            "Members that hold when a turn or a call ended.",
            &costs::ENDS,
        ),
    ]
}

/// The file: imports of the types, then the constants.
pub fn values() -> String {
    let constants = constants();
    let mut types: Vec<_> = constants.iter().filter_map(|it| it.type_name).collect();
    types.sort_unstable();
    let types: String = types.iter().map(|name| format!("  {name},\n")).collect();
    let declarations: String = constants.iter().map(Constant::declaration).collect();
    format!("{HEAD}import type {{\n{types}}} from './types.js';\n{declarations}")
}

/// Fails where the name of a value in messages is not the one that results and options have.
fn assert_same_names<T>()
where
    T: VariantArray + Copy + Into<&'static str> + Serialize,
{
    for value in T::VARIANTS {
        let label: &str = (*value).into();
        assert_eq!(serde_json::to_value(value).expect("a name"), json!(label));
    }
}

/// As [`assert_same_names`], for types that are only read.
fn assert_read_by_name<T>()
where
    T: VariantArray + Copy + Into<&'static str> + serde::de::DeserializeOwned + PartialEq,
{
    for value in T::VARIANTS {
        let label: &str = (*value).into();
        let read: T = serde_json::from_value(Value::from(label)).expect("a known name");
        assert!(read == *value, "{label}");
    }
}

#[test]
fn labels_are_the_names_that_results_have() {
    assert_same_names::<TrajectoryFormat>();
    assert_same_names::<ToolFormat>();
    assert_same_names::<ExpectationFormat>();
    assert_same_names::<Severity>();
    assert_same_names::<ToolUseIssueType>();
    assert_same_names::<ResultIssueType>();
    assert_same_names::<ReflectionIssueType>();
    assert_same_names::<LintIssueType>();
    assert_same_names::<CallOrder>();
    assert_same_names::<toolgauge::finding::Unjudged>();
}

#[test]
fn labels_are_the_names_that_options_have() {
    assert_read_by_name::<TrajectoryFormat>();
    assert_read_by_name::<ExportFormat>();
    assert_read_by_name::<ReportFormat>();
    assert_read_by_name::<LintFormat>();
    assert_read_by_name::<Show>();
    assert_read_by_name::<RuleLevel>();
    assert_read_by_name::<FailOn>();
    assert_read_by_name::<LintProvider>();
    assert_read_by_name::<ReflectionForm>();
    assert_read_by_name::<CallOrder>();
}
