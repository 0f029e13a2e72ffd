//! Validates how an agent called its tools: `validateTrajectory`, `validateTurn`, `validateToolCall`.

mod arguments;
mod issue;
mod misuse;
mod options;
mod pending;
mod runtime_error;

pub use issue::{IssueDetails, ToolUseIssue, ToolUseIssueType, ValidationResult, WEIGHTS};
pub use misuse::MisuseReason;
pub use options::ValidateOptions;

use misuse::{Misuse, is_explained_by};
use pending::{Awaited, Pending, Request};
use toolgauge_base::issue::{CallPlace, Severity};
use toolgauge_grounding::{
    Grounding, Meanings, Misattributed, Outcome, Speakers, Transcript, Usage, describe, ground,
    hides_result, outcome_of, score, usage,
};
use toolgauge_model::error::Result;
use toolgauge_model::{ToolCall, Trajectory, Turn, short_quotes};
use toolgauge_schema::{Tool, ToolSet, did_you_mean};

/// Returns one result for each agent turn of `trajectory` that calls tools, in order.
///
/// # Errors
/// [`toolgauge_model::error::Error::LimitExceeded`] if a schema takes too much work to check.
pub fn validate_trajectory(
    trajectory: &Trajectory<'_>,
    tools: &ToolSet,
    options: &ValidateOptions,
) -> Result<Vec<ValidationResult>> {
    let mut meanings = Meanings::default();
    let validated = validate_one_of_many(trajectory, tools, options, &mut meanings)?;
    Ok(validated.results)
}

/// The result of validating one trajectory of many.
pub struct Validated {
    /// One result for each agent turn that calls tools.
    pub results: Vec<ValidationResult>,
    /// What happened to the result of each call; empty if that was not checked.
    pub usages: Vec<Usage>,
    /// Values in replies that belong to another record than the one that the sentence names.
    pub misattributed: Vec<Misattributed>,
}

/// Like [`validate_trajectory`], and also returns what happened to each result. Shares `meanings` between
/// trajectories, so that a text that occurs in several is read once.
///
/// # Errors
/// As [`validate_trajectory`].
pub fn validate_one_of_many<'a>(
    trajectory: &Trajectory<'a>,
    tools: &ToolSet,
    options: &ValidateOptions,
    meanings: &mut Meanings<'a>,
) -> Result<Validated> {
    let of_expected_calls = options.for_expected_calls();
    let options = match trajectory.is_not_run() {
        true => &of_expected_calls,
        false => options,
    };
    let context = Context::of(trajectory, options, meanings);
    let mut number = 0;
    let mut results = Vec::new();
    for (at, turn) in trajectory.agent_turns() {
        if !turn.tool_calls.is_empty() {
            let made = Made {
                turn,
                at,
                first: number,
            };
            results.push(check_turn(made, &context, tools, options)?);
        }
        number += turn.tool_calls.len();
    }
    Ok(Validated {
        results,
        usages: context.usage,
        misattributed: match context.request {
            Request::Said => context.grounding.misattributed,
            Request::NotLogged => Vec::new(),
        },
    })
}

/// Validates `turn` by itself, as far as a single turn allows.
///
/// # Errors
/// [`toolgauge_model::error::Error::LimitExceeded`] if a schema takes too much work to check.
pub fn validate_turn(
    turn: &Turn<'_>,
    tools: &ToolSet,
    options: &ValidateOptions,
) -> Result<ValidationResult> {
    let alone = Trajectory {
        turns: vec![turn.clone()],
        ..Trajectory::default()
    };
    let mut context = Context::of(&alone, options, &mut Meanings::default());
    // A single turn shows neither where its arguments come from nor whether the log ends with it.
    context.grounding.arguments.clear();
    context.awaited = Awaited::Everywhere;
    let made = Made {
        turn,
        at: 0,
        first: 0,
    };
    check_turn(made, &context, tools, options)
}

/// What the whole trajectory shows about its calls.
struct Context<'c, 'a> {
    trajectory: &'c Trajectory<'a>,
    /// The loops, in the order of their first repetitions.
    loops: Vec<toolgauge_loops::Found<'c, 'a>>,
    grounding: Grounding,
    usage: Vec<Usage>,
    awaited: Awaited,
    pending: Pending,
    request: Request,
    /// The threshold for the combined confidence of the facts of a reply.
    hallucination_threshold: f64,
}

/// An agent turn of a trajectory.
#[derive(Clone, Copy)]
struct Made<'m, 'a> {
    turn: &'m Turn<'a>,
    /// The position of the turn in the trajectory.
    at: usize,
    /// The number of its first call among all calls of the trajectory.
    first: usize,
}

impl<'c, 'a> Context<'c, 'a> {
    fn of(
        trajectory: &'c Trajectory<'a>,
        options: &ValidateOptions,
        meanings: &mut Meanings<'a>,
    ) -> Self {
        let speakers = Speakers::needed(options.detect_hallucination);
        let transcript = match options.detect_hallucination || options.check_result_usage {
            true => Transcript::of(trajectory, speakers, &mut meanings.texts),
            false => Transcript::default(),
        };
        Self {
            trajectory,
            loops: match trajectory.is_not_run() {
                true => Vec::new(),
                false => toolgauge_loops::loops_in(trajectory),
            },
            grounding: match options.detect_hallucination {
                true => ground(trajectory, &transcript, meanings),
                false => Grounding::skipped(trajectory.call_count()),
            },
            usage: match options.check_result_usage {
                true => usage(trajectory, &transcript, meanings),
                false => Vec::new(),
            },
            awaited: Awaited::of(trajectory),
            pending: Pending::of(trajectory),
            request: Request::of(trajectory),
            hallucination_threshold: options.hallucination_threshold,
        }
    }

    /// Returns the misuses of `call`, which is the call `number` of the trajectory.
    fn misuses(&self, number: usize, call: &ToolCall<'_>) -> impl Iterator<Item = Misuse> {
        let repeated = self
            .loops
            .iter()
            .find(|found| found.first_repetition() == number);
        let ungrounded = self.grounding.arguments.get(number);
        // Arguments that may be cut off can't be judged.
        let ungrounded = ungrounded.filter(|_| !call.incomplete);
        let ungrounded = ungrounded.into_iter().flatten().map(Misuse::from);
        let repeated = repeated.map(|found| Misuse::from(found.report()));
        repeated.into_iter().chain(ungrounded)
    }
}

fn check_turn(
    Made { turn, at, first }: Made<'_, '_>,
    context: &Context<'_, '_>,
    tools: &ToolSet,
    options: &ValidateOptions,
) -> Result<ValidationResult> {
    let mut findings = Findings::default();
    for (index, call) in turn.tool_calls.iter().enumerate() {
        if call.is_only_result() {
            continue;
        }
        let place = CallPlace {
            turn_id: Some(turn.turn_id),
            index,
            call,
        };
        let is_awaited = context.awaited.includes(at, index) && !context.pending.includes(at, call);
        let awaits = Awaits::of(options, is_awaited);
        check_call(&place, tools, options, awaits, &mut findings)?;
        let tool = call.name.and_then(|name| tools.resolve(name));
        let misuses = context.misuses(first + index, call);
        let misuses = misuses.filter(|misuse| !is_explained(misuse, tool));
        findings
            .issues
            .extend(misuses.map(|misuse| misuse_issue(&place, misuse)));
        findings
            .issues
            .extend(check_response(&place, first + index, context));
    }
    Ok(findings.into_result(Some(turn.turn_id), options))
}

/// Returns whether the definition of the tool explains where the value of an argument comes from.
fn is_explained(misuse: &Misuse, tool: Option<&Tool>) -> bool {
    let schema = tool.zip(misuse.path.as_ref());
    let schema = schema.and_then(|(tool, path)| tool.schema_at(path));
    schema
        .zip(misuse.value.as_deref())
        .is_some_and(|(schema, value)| is_explained_by(schema, value))
}

fn misuse_issue(place: &CallPlace<'_, '_>, misuse: Misuse) -> ToolUseIssue {
    let mut issue = place.issue(ToolUseIssueType::ToolMisuse, misuse.describe());
    issue.details.reason = Some(misuse.reason);
    issue.details.repeated = misuse.repeated;
    issue.details.path = misuse.path.as_ref().map(ToString::to_string);
    issue.details.violation.actual = misuse.value.map(Into::into);
    issue.details.violation.suggestion = misuse.closest;
    issue
}

/// Checks what the reply made of the call `number` of the trajectory.
fn check_response(
    place: &CallPlace<'_, '_>,
    number: usize,
    context: &Context<'_, '_>,
) -> Vec<ToolUseIssue> {
    let mut found = Vec::new();
    let facts = context
        .grounding
        .replies
        .get(number)
        .map_or(&[][..], Vec::as_slice);
    let can_judge = match context.request {
        Request::Said => true,
        Request::NotLogged => false,
    };
    if can_judge && score(facts) > context.hallucination_threshold {
        let facts = facts.iter().map(|fact| fact.report(context.trajectory));
        let facts: Vec<_> = facts.collect();
        let mut issue = place.issue(ToolUseIssueType::HallucinatedResult, describe(&facts));
        issue.details.facts = Some(facts);
        found.push(issue);
    }
    let is_unused = context.usage.get(number) == Some(&Usage::Unused);
    if is_unused && outcome_of(place.call) == Outcome::Success {
        let name = place.call.name.unwrap_or_default();
        let description = format!("the reply uses nothing from the result of {name:?}");
        found.push(place.issue(ToolUseIssueType::ResultUnused, description));
    }
    found
}

/// Validates one call by itself.
///
/// # Errors
/// [`toolgauge_model::error::Error::LimitExceeded`] if a schema takes too much work to check.
pub fn validate_tool_call(
    call: &ToolCall<'_>,
    tools: &ToolSet,
    options: &ValidateOptions,
) -> Result<ValidationResult> {
    let mut findings = Findings::default();
    let place = CallPlace {
        turn_id: None,
        index: 0,
        call,
    };
    let awaits = Awaits::of(options, !call.pending);
    check_call(&place, tools, options, awaits, &mut findings)?;
    Ok(findings.into_result(None, options))
}

/// The issues and suggestions found so far in one turn.
#[derive(Default)]
struct Findings {
    issues: Vec<ToolUseIssue>,
    suggestions: Vec<String>,
    truncated: bool,
}

impl Findings {
    fn into_result(self, turn_id: Option<i64>, options: &ValidateOptions) -> ValidationResult {
        let suggestions = self.suggestions.iter();
        let suggestions = suggestions.map(|text| short_quotes(text).into_owned());
        let mut result = ValidationResult {
            valid: true,
            issues: self.issues,
            suggestions: suggestions.collect(),
            score: 1.0,
            turn_id,
            truncated: self.truncated.then_some(true),
        };
        result.settle(options.strict);
        result
    }
}

/// Whether a call must have a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Awaits {
    /// It must; a missing one is reported.
    Result,
    /// It need not: the log may end before the result, or results are not checked.
    Nothing,
}

impl Awaits {
    fn of(options: &ValidateOptions, is_awaited: bool) -> Self {
        match options.check_result_usage && is_awaited {
            true => Self::Result,
            false => Self::Nothing,
        }
    }
}

fn check_call(
    place: &CallPlace<'_, '_>,
    tools: &ToolSet,
    options: &ValidateOptions,
    awaits: Awaits,
    findings: &mut Findings,
) -> Result<()> {
    let Some(name) = place.call.name.filter(|name| !name.is_empty()) else {
        let description = "the call names no tool".to_owned();
        findings.issues.push(ToolUseIssue {
            tool_name: None,
            ..place.issue(ToolUseIssueType::MissingToolName, description)
        });
        return Ok(());
    };
    let tool = tools.resolve(name);
    match tool {
        Some(tool) => check_deprecation(place, tool, tools, findings),
        None => check_unknown(place, name, tools, options, findings),
    }
    arguments::check(place, tool, options, findings)?;
    match awaits {
        Awaits::Result => check_result(place, name, findings),
        Awaits::Nothing => {}
    }
    check_runtime_error(place, name, tools, findings);
    Ok(())
}

fn check_unknown(
    place: &CallPlace<'_, '_>,
    name: &str,
    tools: &ToolSet,
    options: &ValidateOptions,
    findings: &mut Findings,
) {
    if !tools.is_given() || options.allow_unknown_tools || tools.leaves_open(place.call) {
        return;
    }
    let suggestion = tools.nearest(name);
    let mut issue = place.issue(
        ToolUseIssueType::UnknownTool,
        format!(
            "no schema for the tool {name:?}{}",
            did_you_mean(suggestion)
        ),
    );
    if options.strict {
        issue.severity = Severity::High;
    }
    suggest_name(&mut issue, suggestion, findings);
    findings.issues.push(issue);
}

fn check_deprecation(
    place: &CallPlace<'_, '_>,
    tool: &Tool,
    tools: &ToolSet,
    findings: &mut Findings,
) {
    if !tool.deprecated {
        return;
    }
    let replaced_by = tool.replaced_by.as_deref();
    let (description, suggestion) = match replaced_by {
        Some(other) => (
            format!("{:?} is deprecated and replaced by {other:?}", tool.name),
            format!("Call {other:?} instead of the deprecated {:?}.", tool.name),
        ),
        None => (
            format!("{:?} is deprecated", tool.name),
            format!("Stop calling the deprecated {:?}.", tool.name),
        ),
    };
    let mut issue = place.issue(ToolUseIssueType::DeprecatedTool, description);
    issue.details.replaced_by = replaced_by.map(str::to_owned);
    findings.issues.push(issue);
    findings.suggestions.push(suggestion);
    if let Some(other) = replaced_by.filter(|other| tools.resolve(other).is_none()) {
        let suggestion = tools.nearest(other).filter(|nearest| *nearest != tool.name);
        let description = format!(
            "{:?} is replaced by {other:?}, which is not in the schemas{}",
            tool.name,
            did_you_mean(suggestion)
        );
        let mut issue = place.issue(ToolUseIssueType::ToolNotFound, description);
        issue.details.replaced_by = Some(other.to_owned());
        suggest_name(&mut issue, suggestion, findings);
        findings.issues.push(issue);
    }
}

fn check_result(place: &CallPlace<'_, '_>, name: &str, findings: &mut Findings) {
    let is_kept = place.call.hides_outcome() || hides_result(place.call);
    if place.call.is_unanswered() && !is_kept {
        let description = format!("{name:?} was called, but the log has no result");
        findings
            .issues
            .push(place.issue(ToolUseIssueType::MissingResult, description));
    }
}

fn check_runtime_error(
    place: &CallPlace<'_, '_>,
    name: &str,
    tools: &ToolSet,
    findings: &mut Findings,
) {
    let Some(said) = runtime_error::says_tool_not_found(place.call, name) else {
        return;
    };
    let suggestion = tools.nearest(name).filter(|nearest| *nearest != name);
    let description = format!(
        "the runtime says that {name:?} does not exist: {said:?}{}",
        did_you_mean(suggestion)
    );
    let mut issue = place.issue(ToolUseIssueType::ToolNotFound, description);
    issue.details.violation.actual = Some(said.into());
    suggest_name(&mut issue, suggestion, findings);
    findings.issues.push(issue);
}

fn suggest_name(issue: &mut ToolUseIssue, name: Option<&str>, findings: &mut Findings) {
    issue.details.violation.suggestion = name.map(str::to_owned);
    let called = issue
        .details
        .replaced_by
        .as_deref()
        .or(issue.tool_name.as_deref());
    if let (Some(name), Some(called)) = (name, called) {
        findings
            .suggestions
            .push(format!("Use {name:?} instead of {called:?}."));
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_base::issue::IssueType;
    use toolgauge_formats::{import_tools, import_turn};
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Limits, Reader};
    use toolgauge_schema::Compiler;

    const TOOLS: &str = r#"{
        "search": {"parameters": {"type": "object", "properties": {"q": {"type": "string"}, "n": {"type": "integer"},
            "lang": {"enum": ["en", "no"]}, "on": {"type": "string", "format": "date"}}, "required": ["q"]}},
        "find": {"parameters": {"type": "object"}, "deprecated": true, "replacedBy": "search"},
        "purge": {"parameters": {"type": "object"}, "deprecated": true},
        "grep": {"parameters": {"type": "object"}, "deprecated": true, "replacedBy": "serch"}
    }"#;

    fn tools(definitions: &str) -> ToolSet {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let tools = import_tools(arena_json(&arena, definitions), reader).expect("tools");
        ToolSet::compile(&tools.value, &Compiler::new(Vec::new())).expect("valid schemas")
    }

    fn validated(calls: &str, options: ValidateOptions) -> ValidationResult {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let turn =
            format!(r#"{{"turn_id": 4, "role": "agent", "content": "", "tool_calls": {calls}}}"#);
        let turn = import_turn(arena_json(&arena, &turn), reader).expect("a turn");
        validate_turn(&turn, &tools(TOOLS), &options).expect("a result")
    }

    fn kinds(calls: &str) -> Vec<&'static str> {
        let result = validated(calls, ValidateOptions::default());
        result
            .issues
            .iter()
            .map(|issue| issue.kind.label())
            .collect()
    }

    #[test]
    fn tools_that_are_defined_elsewhere_are_not_unknown() {
        for call in [
            r#"{"type":"server_tool_use","name":"serch","arguments":{"q":1},"result":1}"#,
            r#"{"type":"mcp_tool_use","name":"serch","arguments":{},"result":1}"#,
            r#"{"type":"mcp_call","name":"serch","arguments":{},"result":1}"#,
            r#"{"type":"web_search_call","name":"web_search","arguments":{},"result":1}"#,
            r#"{"providerExecuted":true,"name":"serch","arguments":{},"result":1}"#,
            r#"{"part_kind":"builtin-tool-call","name":"serch","arguments":{},"result":1}"#,
            r#"{"builtin":true,"name":"serch","arguments":{},"result":1}"#,
            r#"{"type":"image_generation_call","name":"image_generation","arguments":{}}"#,
            r#"{"name":"GOOGLE_SEARCH_WEB","arguments":{},"result":1}"#,
            r#"{"name":"transfer_to_sales","arguments":{},"result":1}"#,
        ] {
            assert!(kinds(&format!("[{call}]")).is_empty(), "{call}");
        }
        for call in [
            r#"{"type":"function","name":"serch","arguments":{},"result":1}"#,
            r#"{"type":"custom_tool_call","name":"serch","arguments":{},"result":1}"#,
            r#"{"providerExecuted":false,"name":"serch","arguments":{},"result":1}"#,
        ] {
            assert_eq!(kinds(&format!("[{call}]")), ["unknown_tool"], "{call}");
        }
    }

    #[test]
    fn handoffs_are_unknown_if_the_tools_hold_others() {
        let handoffs = r#"[{"name":"transfer_to_people","parameters":{}}]"#;
        let call = ToolCall {
            name: Some("transfer_to_person"),
            ..ToolCall::default()
        };
        assert!(!tools(handoffs).leaves_open(&call));
        assert!(tools(TOOLS).leaves_open(&call));
    }

    #[test]
    fn each_mistake_gives_its_issue() {
        let cases = [
            (
                r#"[{"name":"search","arguments":{"q":"a"},"result":[]}]"#,
                &[][..],
            ),
            (r#"[{"arguments":{},"result":1}]"#, &["missing_tool_name"]),
            (
                r#"[{"name":7,"arguments":{},"result":1}]"#,
                &["missing_tool_name"],
            ),
            (
                r#"[{"name":"serch","arguments":{},"result":1}]"#,
                &["unknown_tool"],
            ),
            (
                r#"[{"name":"search","result":1}]"#,
                &["missing_arguments", "missing_required_param"],
            ),
            (
                r#"[{"name":"search","arguments":null,"result":1}]"#,
                &["missing_arguments", "missing_required_param"],
            ),
            (
                r#"[{"name":"search","rawArguments":"{\"q\":","result":1}]"#,
                &["type_mismatch"],
            ),
            (
                r#"[{"name":"search","arguments":[],"result":1}]"#,
                &["type_mismatch"],
            ),
            (
                r#"[{"name":"search","arguments":{"n":1},"result":1}]"#,
                &["missing_required_param"],
            ),
            (
                r#"[{"name":"search","arguments":{"q":1},"result":1}]"#,
                &["type_mismatch"],
            ),
            (
                r#"[{"name":"search","arguments":{"q":"a","lang":"de"},"result":1}]"#,
                &["invalid_arguments"],
            ),
            (
                r#"[{"name":"search","arguments":{"q":"a","on":"soon"},"result":1}]"#,
                &["schema_violation"],
            ),
            (
                r#"[{"name":"find","arguments":{},"result":1}]"#,
                &["deprecated_tool"],
            ),
            (
                r#"[{"name":"grep","arguments":{},"result":1}]"#,
                &["deprecated_tool", "tool_not_found"],
            ),
            (
                r#"[{"name":"search","arguments":{"q":"a"}}]"#,
                &["missing_result"],
            ),
            (
                r#"[{"name":"search","arguments":{"q":"a"},"result":null}]"#,
                &["missing_result"],
            ),
            (
                r#"[{"name":"search","arguments":{"q":"a"},"error":"no network"}]"#,
                &[],
            ),
            (
                r#"[{"name":"search","arguments":{"q":"a"},"error":"Unknown tool: search"}]"#,
                &["tool_not_found"],
            ),
            (
                r#"[{"name":"mcp__web__search","arguments":{"q":"a"},"result":0}]"#,
                &[],
            ),
            (
                r#"[{"name":"search","arguments":{"n":"1"},"incomplete":true,"error":"aborted"}]"#,
                &[],
            ),
            (
                r#"[{"name":"search","rawArguments":"{\"q","incomplete":true}]"#,
                &["missing_result"],
            ),
            (r#"[{"name":"search","unrecorded":true}]"#, &[]),
            (
                r#"[{"name":"search","unrecorded":true,"arguments":{"n":"1"}}]"#,
                &["missing_required_param", "type_mismatch"],
            ),
            (
                r#"[{"name":"serch","unrecorded":true,"error":"no network"}]"#,
                &["unknown_tool"],
            ),
        ];
        for (calls, expected) in cases {
            assert_eq!(kinds(calls), expected, "{calls}");
        }
    }

    #[test]
    fn arguments_without_types_have_the_type_of_their_schema() {
        let call = |arguments: &str, untyped: bool| {
            kinds(&format!(
                r#"[{{"name":"search","arguments":{arguments},"untyped":{untyped},"result":[]}}]"#
            ))
        };
        for arguments in [r#"{"q":7}"#, r#"{"q":true,"n":"1"}"#] {
            assert_eq!(call(arguments, true), [""; 0], "{arguments}");
            assert!(
                call(arguments, false).contains(&"type_mismatch"),
                "{arguments}"
            );
        }
        assert_eq!(call(r#"{"q":"a","n":"one"}"#, true), ["type_mismatch"]);
        assert_eq!(call("{}", true), ["missing_required_param"]);
    }

    #[test]
    fn an_issue_names_its_call_and_the_remedy() {
        let calls = r#"[
            {"name":"search","arguments":{"q":"a"},"result":[]},
            {"id":"c2","name":"search","arguments":{"q":"a","n":"5"},"result":[]}
        ]"#;
        let result = validated(calls, ValidateOptions::default());
        let issue = &result.issues[0];
        assert_eq!(
            (issue.turn_id, issue.tool_name.as_deref()),
            (Some(4), Some("search"))
        );
        assert_eq!(
            (issue.details.call_index, issue.details.call_id.as_deref()),
            (1, Some("c2"))
        );
        assert_eq!(issue.details.path.as_deref(), Some("n"));
        assert_eq!(issue.details.violation.coercible, Some(true));
        assert_eq!(issue.details.violation.coerced, Some(5.into()));
        let misnamed = validated(
            r#"[{"name":"serch","arguments":{},"result":1}]"#,
            ValidateOptions::default(),
        );
        assert_eq!(
            misnamed.issues[0].details.violation.suggestion.as_deref(),
            Some("search")
        );
        assert_eq!(
            misnamed.suggestions,
            [r#"Use "search" instead of "serch"."#]
        );
    }

    #[test]
    fn a_call_of_which_the_log_holds_only_the_result_is_not_judged() {
        for call in [
            r#"{"id":"a","incomplete":true,"result":{"n":1}}"#,
            r#"{"id":"a","name":"other","incomplete":true,"result":{"n":1}}"#,
            r#"{"id":"a","name":"other","incomplete":true,"error":"no such tool: other"}"#,
        ] {
            assert_eq!(kinds(&format!("[{call}]")), [""; 0], "{call}");
        }
        let begun = r#"[{"id":"a","name":"other","incomplete":true}]"#;
        assert_eq!(kinds(begun), ["unknown_tool", "missing_result"]);
    }

    #[test]
    fn of_a_trajectory_that_nobody_ran_only_the_arguments_are_judged() {
        let found = |rest: &str| {
            let arena = Bump::new();
            let reader = Reader::new(&arena, Limits::default());
            let text = format!(
                r#"{{"turns":[{{"role":"user","content":"Search twice."}},{{"role":"agent","tool_calls":[
                {{"name":"search","arguments":{{"q":"7154 Elm Street"}}}},{{"name":"search","arguments":{{"q":"7154 Elm Street"}}}},
                {{"name":"search","arguments":{{"q":"7154 Elm Street"}}}},{{"name":"search","arguments":{{"n":1}}}}]}},
                {{"role":"agent","content":"It costs 4,310.55 euros."}}]{rest}}}"#
            );
            let read =
                toolgauge_formats::import_trajectory(arena_json(&arena, &text), None, reader);
            let read = read.expect("a trajectory").value;
            let results = validate_trajectory(&read, &tools(TOOLS), &ValidateOptions::default());
            let results = results.expect("results").into_iter();
            let kinds = results.flat_map(|it| it.issues).map(|it| it.kind.label());
            kinds.collect::<std::collections::BTreeSet<_>>()
        };
        assert!(found("").contains("missing_result"));
        let of_arguments = found(r#","not_run":true"#);
        let of_arguments: Vec<_> = of_arguments.into_iter().collect();
        assert_eq!(of_arguments, ["missing_required_param"]);
    }

    #[test]
    fn severity_lowers_the_score_and_strict_makes_it_zero() {
        let unknown = r#"[{"name":"other","arguments":{},"result":1}]"#;
        let lenient = validated(unknown, ValidateOptions::default());
        assert_eq!((lenient.valid, lenient.score), (true, 0.6));
        let strict = validated(
            unknown,
            ValidateOptions {
                strict: true,
                ..ValidateOptions::default()
            },
        );
        assert_eq!((strict.valid, strict.score), (true, 0.0));
        assert_eq!(strict.issues[0].severity, Severity::High);
        let deprecated = r#"[{"name":"purge","arguments":{},"result":1}]"#;
        let strict = validated(
            deprecated,
            ValidateOptions {
                strict: true,
                ..ValidateOptions::default()
            },
        );
        assert_eq!(strict.score, 0.6);
        let nameless = validated(r#"[{}]"#, ValidateOptions::default());
        assert_eq!((nameless.valid, nameless.score), (false, 0.0));
    }

    #[test]
    fn each_option_disables_its_check() {
        let off = |calls: &str, change: fn(&mut ValidateOptions)| {
            let mut options = ValidateOptions::default();
            change(&mut options);
            validated(calls, options).issues.len()
        };
        let unknown = r#"[{"name":"other","arguments":{},"result":1}]"#;
        assert_eq!(
            off(unknown, |options| options.allow_unknown_tools = true),
            0
        );
        let mistyped = r#"[{"name":"search","arguments":{"q":1},"result":1}]"#;
        assert_eq!(off(mistyped, |options| options.validate_schemas = false), 0);
        let unanswered = r#"[{"name":"search","arguments":{"q":"a"}}]"#;
        assert_eq!(
            off(unanswered, |options| options.check_result_usage = false),
            0
        );
    }

    #[test]
    fn tools_are_unknown_only_if_definitions_are_given() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let turn = r#"{"role": "agent", "tool_calls": [{"name": "f", "arguments": {"a": 1}, "result": 2}]}"#;
        let turn = import_turn(arena_json(&arena, turn), reader).expect("a turn");
        let options = ValidateOptions::default();
        let count = |tools: &ToolSet| {
            validate_turn(&turn, tools, &options)
                .expect("a result")
                .issues
                .len()
        };
        assert_eq!(count(&ToolSet::not_given()), 0);
        assert_eq!(count(&tools("{}")), 1);
    }
}
