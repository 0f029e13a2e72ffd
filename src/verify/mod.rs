//! Verifies whether the agent was faithful to its tool results:
//! `verifyResult`, `verifyTurnResults`, `summarizeResultVerification`.

mod claims;
mod issue;
mod leaked;
mod lists;
mod misattributed;
mod replies;
mod shape;
mod verdict;

use serde::Serialize;

pub use issue::{
    ResultIssue, ResultIssueDetails, ResultIssueType, ResultVerificationResult, VerifyOptions,
};

pub use replies::{UnsupportedFacts, unsupported_facts};
pub use verdict::{VerdictScope, verdict_issues};

use claims::{Contradiction, Fact, Span};
use issue::WEIGHTS;
use leaked::leaked_calls;
use lists::Exchange;
use misattributed::misattributed_values;
use shape::Difference;
use toolgauge_base::gate::mean;
use toolgauge_base::issue::{CallPlace, IssueType, Severity};
use toolgauge_grounding::{
    Grounding, Meanings, Misattributed, Outcome, Speakers, Transcript, Unsupported, Usage,
    describe, ground, hides_result, outcome_of, score, usage,
};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Limits, Role, ToolCall, Trajectory, Turn};
use toolgauge_schema::{OutputSchema, ToolSet};

/// The score of a call without a result.
const MISSING_SCORE: f64 = 0.3;

/// How many of the calls or turns after a call are read.
const MOST_FOLLOWING: usize = 50;

/// How many of the turns before a call are searched for a request.
const MOST_TURNS_BEFORE: usize = 200;

/// How faithful an agent was to all results of a trajectory.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct VerificationSummary {
    /// How many tools were called.
    pub total_tools: usize,
    /// How many results are valid.
    pub valid_results: usize,
    /// How many results the replies are not faithful to.
    pub hallucinated_results: usize,
    /// How many results were used.
    pub integrated_results: usize,
    /// The mean of the scores, from 0 to 1, to 3 decimals; 1 if no tools were called.
    pub average_score: f64,
    /// All issues, in the order of the calls, followed by those of replies that belong to no call.
    #[cfg_attr(feature = "typescript", ts(type = "Array<ResultIssue>"))]
    pub issues: Vec<ResultIssue>,
}

/// The verification of one call of a trajectory.
#[derive(Debug, Clone, PartialEq)]
pub struct CallVerification {
    /// The position of the turn in the trajectory.
    pub turn: usize,
    /// The position of the call in the turn.
    pub call: usize,
    /// The result of the verification.
    pub result: ResultVerificationResult,
}

/// Verifies every call of a trajectory, in order. Results are checked against the output schemas of `tools`.
///
/// # Errors
/// [`toolgauge_model::error::Error::InvalidSchema`] if the output schema of a called tool is not valid;
/// [`toolgauge_model::error::Error::LimitExceeded`] if a result takes too much work to check.
pub fn verify_trajectory(
    trajectory: &Trajectory<'_>,
    tools: &ToolSet,
    options: &VerifyOptions,
) -> Result<Vec<CallVerification>> {
    let spans = spans(trajectory, options);
    let (found, _) = verify_calls(trajectory, &spans, tools, options)?;
    Ok(found)
}

/// Returns the spans that contradictions and claims are searched in; none if they are not checked.
fn spans<'t, 'a>(trajectory: &'t Trajectory<'a>, options: &VerifyOptions) -> Vec<Span<'t, 'a>> {
    match options.check_contradictions {
        true => claims::spans(trajectory),
        false => Vec::new(),
    }
}

/// Verifies every call of a trajectory and collects the values in replies that belong to another record.
fn verify_calls(
    trajectory: &Trajectory<'_>,
    spans: &[Span<'_, '_>],
    tools: &ToolSet,
    options: &VerifyOptions,
) -> Result<(Vec<CallVerification>, Vec<Misattributed>)> {
    let mut meanings = Meanings::default();
    let speakers = Speakers::needed(options.detect_hallucination);
    let transcript = Transcript::of(trajectory, speakers, &mut meanings.texts);
    let grounding = match options.detect_hallucination {
        true => ground(trajectory, &transcript, &mut meanings),
        false => Grounding::skipped(trajectory.call_count()),
    };
    let by_call = grounding.replies;
    let usages = usage(trajectory, &transcript, &mut meanings);
    let mut contradictions = claims::contradictions(trajectory, spans).into_iter();
    let mut found = Vec::with_capacity(by_call.len());
    for (turn, made) in trajectory.agent_turns() {
        for (index, call) in made.tool_calls.iter().enumerate() {
            let number = found.len();
            let view = View {
                trajectory,
                turn,
                place: CallPlace {
                    turn_id: Some(made.turn_id),
                    index,
                    call,
                },
                tools,
                outcome: outcome_of(call),
                facts: &by_call[number],
                usage: usages[number],
                contradiction: contradictions.next().flatten(),
            };
            found.push(CallVerification {
                turn,
                call: index,
                result: view.verify(options)?,
            });
        }
    }
    Ok((found, grounding.misattributed))
}

fn output_schema<'t>(call: &ToolCall<'_>, tools: &'t ToolSet) -> Option<&'t OutputSchema> {
    tools.resolve(call.name?)?.output()
}

/// Returns the issue of a call whose result is broken or does not match its output schema.
fn malformed(
    place: &CallPlace<'_, '_>,
    outcome: &Outcome,
    tools: &ToolSet,
    limits: Limits,
) -> Result<Option<ResultIssue>> {
    let name = place.call.name.unwrap_or("the tool");
    match outcome {
        Outcome::Malformed(reason) => {
            let description =
                format!("the result of {name:?} looks like JSON but is not valid: {reason}");
            Ok(Some(
                place.issue(ResultIssueType::MalformedResult, description),
            ))
        }
        Outcome::Success | Outcome::Empty => {
            let Some(declared) = output_schema(place.call, tools) else {
                return Ok(None);
            };
            let result = place.call.result.unwrap_or_default();
            let difference = shape::difference(result, declared, limits)?;
            Ok(difference.map(|difference| misshapen(place, name, difference)))
        }
        Outcome::Missing | Outcome::Error(_) => Ok(None),
    }
}

fn misshapen(place: &CallPlace<'_, '_>, name: &str, difference: Difference) -> ResultIssue {
    let mut issue = place.issue(ResultIssueType::MalformedResult, difference.describe(name));
    issue.details.violations = Some(difference.violations);
    issue.details.truncated = difference.truncated.then_some(true);
    issue
}

/// Verifies every call of `turn`, in order. If `trajectory` contains the turn (by its number), everything
/// before and after it counts; otherwise the turn is verified alone, as a turn of the agent.
///
/// # Errors
/// As [`verify_trajectory`].
pub fn verify_turn(
    turn: &Turn<'_>,
    trajectory: Option<&Trajectory<'_>>,
    tools: &ToolSet,
    options: &VerifyOptions,
) -> Result<Vec<ResultVerificationResult>> {
    let alone = Trajectory {
        turns: vec![Turn {
            role: Role::Agent,
            ..turn.clone()
        }],
        ..Trajectory::default()
    };
    let place = trajectory.and_then(|whole| {
        let (at, _) = whole
            .agent_turns()
            .find(|(_, other)| is_same_turn(other, turn))?;
        Some((whole, at))
    });
    let (whole, at) = place.unwrap_or((&alone, 0));
    let verified = verify_trajectory(whole, tools, options)?.into_iter();
    Ok(verified
        .filter(|verified| verified.turn == at)
        .map(|verified| verified.result)
        .collect())
}

/// Verifies one call of `turn`. A call that is not one of the turn's calls is treated as its last.
///
/// # Errors
/// As [`verify_trajectory`].
pub fn verify_result(
    call: &ToolCall<'_>,
    turn: &Turn<'_>,
    trajectory: Option<&Trajectory<'_>>,
    tools: &ToolSet,
    options: &VerifyOptions,
) -> Result<ResultVerificationResult> {
    let at = turn
        .tool_calls
        .iter()
        .position(|other| is_same_call(other, call));
    let mut results = match at {
        Some(_) => verify_turn(turn, trajectory, tools, options)?,
        None => {
            let mut with_call = turn.clone();
            with_call.tool_calls.push(call.clone());
            verify_turn(&with_call, None, tools, options)?
        }
    };
    let at = at.unwrap_or(results.len() - 1);
    Ok(results.swap_remove(at))
}

fn is_same_turn(a: &Turn<'_>, b: &Turn<'_>) -> bool {
    let mut calls = a.tool_calls.iter().zip(&b.tool_calls);
    a.turn_id == b.turn_id
        && a.tool_calls.len() == b.tool_calls.len()
        && calls.all(|(a, b)| is_same_call(a, b))
}

fn is_same_call(a: &ToolCall<'_>, b: &ToolCall<'_>) -> bool {
    (a.id, a.name, a.arguments, a.result, a.error) == (b.id, b.name, b.arguments, b.result, b.error)
}

/// Returns the issues of replies that claim a completed action although no call performed it, in order. They
/// belong to no call: they name the turn of the reply and quote it.
fn claimed_actions(
    trajectory: &Trajectory<'_>,
    spans: &[Span<'_, '_>],
    tools: &ToolSet,
) -> Vec<ResultIssue> {
    let claimed = claims::claimed_actions(trajectory, spans, tools).into_iter();
    let kind = ResultIssueType::ClaimedAction;
    let issues = claimed.map(|claimed| ResultIssue {
        kind,
        severity: kind.severity(),
        description: format!("the reply says {:?}, but no call did that", claimed.quote),
        turn_id: Some(claimed.turn_id),
        tool_name: None,
        details: ResultIssueDetails {
            quote: Some(claimed.quote),
            ..ResultIssueDetails::default()
        },
        known: false,
    });
    issues.collect()
}

/// Sums up the results of a trajectory, and the misattributed values, claimed actions and leaked calls in its replies.
///
/// # Errors
/// As [`verify_trajectory`].
pub fn summarize(
    trajectory: &Trajectory<'_>,
    tools: &ToolSet,
    options: &VerifyOptions,
) -> Result<VerificationSummary> {
    let spans = spans(trajectory, options);
    let (verified, misattributed) = verify_calls(trajectory, &spans, tools, options)?;
    let results: Vec<_> = verified
        .into_iter()
        .map(|verified| verified.result)
        .collect();
    let claimed = claimed_actions(trajectory, &spans, tools);
    let leaked = leaked_calls(trajectory, tools);
    let count = |matches: fn(&ResultVerificationResult) -> bool| {
        results.iter().filter(|result| matches(result)).count()
    };
    Ok(VerificationSummary {
        total_tools: results.len(),
        valid_results: count(|result| result.valid),
        hallucinated_results: count(|result| result.hallucinated),
        integrated_results: count(|result| result.integrated),
        average_score: mean(results.iter().map(|result| result.score)).unwrap_or(1.0),
        issues: results
            .into_iter()
            .flat_map(|result| result.issues)
            .chain(misattributed_values(misattributed))
            .chain(claimed)
            .chain(leaked)
            .collect(),
    })
}

/// One call with everything that its verification needs.
struct View<'v, 'a> {
    trajectory: &'v Trajectory<'a>,
    turn: usize,
    place: CallPlace<'v, 'a>,
    tools: &'v ToolSet,
    outcome: Outcome,
    facts: &'v [Unsupported],
    usage: Usage,
    contradiction: Option<Contradiction>,
}

impl View<'_, '_> {
    fn verify(&self, options: &VerifyOptions) -> Result<ResultVerificationResult> {
        let malformed = malformed(&self.place, &self.outcome, self.tools, options.limits)?;
        let mut issues: Vec<_> = malformed
            .or_else(|| self.check_outcome())
            .into_iter()
            .collect();
        let score = score(self.facts);
        let hallucinated = score > options.hallucination_threshold;
        if hallucinated {
            issues.push(self.hallucination(score));
        }
        if options.check_usage {
            issues.extend(self.check_usage());
        }
        if options.check_contradictions {
            issues.extend(self.check_contradiction());
        }
        let is_missing = self.outcome == Outcome::Missing;
        let is_integrated = match self.usage {
            Usage::Used => true,
            // What the reply says instead of the result must hold.
            Usage::Excused => !hallucinated,
            Usage::Unused | Usage::NoResponse => false,
        };
        Ok(ResultVerificationResult {
            valid: !is_missing && issues.iter().all(|issue| issue.severity < Severity::High),
            score: if is_missing {
                MISSING_SCORE
            } else {
                WEIGHTS.score(issues.iter().map(|issue| issue.severity))
            },
            issues,
            hallucinated,
            integrated: !is_missing && self.outcome != Outcome::Empty && is_integrated,
        })
    }

    fn name(&self) -> &str {
        self.place.call.name.unwrap_or("the tool")
    }

    fn check_outcome(&self) -> Option<ResultIssue> {
        let name = self.name();
        match &self.outcome {
            Outcome::Success | Outcome::Malformed(_) => None,
            Outcome::Missing => {
                let description = format!("{name:?} was called, but the log has no result");
                Some(
                    self.place
                        .issue(ResultIssueType::MissingResult, description),
                )
            }
            Outcome::Empty if hides_result(self.place.call) => None,
            Outcome::Empty => Some(self.place.issue(
                ResultIssueType::EmptyResult,
                format!("{name:?} returned nothing"),
            )),
            Outcome::Error(said) => {
                let mut issue = self.place.issue(
                    ResultIssueType::ErrorResult,
                    format!("{name:?} failed: {said}"),
                );
                issue.details.said = Some(vec![said.clone()]);
                Some(issue)
            }
        }
    }

    fn hallucination(&self, score: f64) -> ResultIssue {
        let facts = self.facts.iter().map(|fact| fact.report(self.trajectory));
        let facts: Vec<_> = facts.collect();
        let mut issue = self
            .place
            .issue(ResultIssueType::HallucinatedContent, describe(&facts));
        issue.details.facts = Some(facts);
        issue.details.hallucination_score = Some(score);
        issue
    }

    fn check_usage(&self) -> Option<ResultIssue> {
        if self.outcome != Outcome::Success {
            return None;
        }
        let name = self.name();
        match self.usage {
            Usage::NoResponse => None,
            Usage::Unused => {
                let description = format!("the reply uses nothing from the result of {name:?}");
                Some(self.place.issue(ResultIssueType::UnusedResult, description))
            }
            Usage::Used | Usage::Excused => {
                let left_out = self.left_out();
                (!left_out.is_empty()).then(|| {
                    let description = format!(
                        "the reply lists the result of {name:?} but leaves out {}",
                        left_out.join(", ")
                    );
                    let mut issue = self
                        .place
                        .issue(ResultIssueType::IncompleteIntegration, description);
                    issue.details.said = Some(left_out);
                    issue
                })
            }
        }
    }

    /// Returns the items of a list in the result that the reply leaves out.
    fn left_out(&self) -> Vec<String> {
        let result = self.place.call.result.unwrap_or_default();
        let lists = lists::lists_in(result);
        if lists.is_empty() {
            return Vec::new();
        }
        let exchange = Exchange {
            request: self.request(),
            arguments: self.place.call.arguments.unwrap_or_default(),
            later: &self.later_arguments(),
            result,
            reply: &self.replies(),
        };
        lists::left_out(&lists, &exchange)
    }

    /// Returns what the user said last before the call.
    fn request(&self) -> &str {
        let before = self.trajectory.turns[..self.turn].iter().rev();
        let before = before.take(MOST_TURNS_BEFORE);
        let mut users = before.filter(|turn| turn.role == Role::User);
        users.next().map_or("", |turn| turn.content)
    }

    /// Returns the arguments of the calls after this one, up to the next user turn.
    fn later_arguments(&self) -> Vec<Json<'_>> {
        let calls = self.following_turns().enumerate().flat_map(|(turn, made)| {
            let skip = if turn == 0 { self.place.index + 1 } else { 0 };
            made.tool_calls.iter().skip(skip)
        });
        let arguments = calls.take(MOST_FOLLOWING).filter_map(|call| call.arguments);
        arguments.collect()
    }

    /// Joins everything that the agent says from the turn of the call up to the next user turn. Empty if that
    /// is too long for a reply, because it is then a document.
    fn replies(&self) -> String {
        let mut replies = String::new();
        for turn in self.following_turns().take(MOST_FOLLOWING) {
            if replies.len() + turn.content.len() > lists::LONGEST_REPLY {
                return String::new();
            }
            replies.push_str(turn.content.trim());
            replies.push_str("\n\n");
        }
        replies
    }

    fn check_contradiction(&self) -> Option<ResultIssue> {
        let Contradiction {
            quote,
            turn_id,
            fact,
        } = self.contradiction.as_ref()?;
        let name = self.name();
        let (came, said) = match fact {
            Fact::Failed(said) => (format!("failed: {said}"), Some(said)),
            Fact::Succeeded => ("succeeded".to_owned(), None),
            Fact::FoundNothing => ("found nothing".to_owned(), None),
            Fact::FoundSomething => ("returned a result".to_owned(), None),
        };
        let description = format!("the reply says {quote:?}, but {name} {came}");
        let mut issue = self
            .place
            .issue(ResultIssueType::ContradictsResponse, description);
        issue.details.said = said.map(|said| vec![said.clone()]);
        issue.details.quote = Some(quote.clone());
        issue.details.reply_turn_id = Some(*turn_id).filter(|id| Some(*id) != self.place.turn_id);
        Some(issue)
    }

    /// Returns the turn of the call and those that follow, up to the next user turn.
    fn following_turns(&self) -> impl Iterator<Item = &Turn<'_>> {
        let turns = &self.trajectory.turns[self.turn..];
        turns.iter().take_while(|turn| turn.role != Role::User)
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_formats::{import_tools, import_trajectory, import_turn};
    use toolgauge_model::Reader;
    use toolgauge_model::testing::arena_json;
    use toolgauge_schema::Compiler;

    const TOOLS: &str = r#"{
        "price": {"parameters": {}, "outputSchema": {"type": "object", "properties": {"euros": {"type": "number"}}, "required": ["euros"]}},
        "note": {"parameters": {}, "outputSchema": {"type": "object"}},
        "broken": {"parameters": {}, "outputSchema": {"properties": {"a": {"type": "nmber"}}}}
    }"#;

    /// Returns the types of the issues of a single call.
    fn issues(call: &str) -> Result<Vec<&'static str>> {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let tools = import_tools(arena_json(&arena, TOOLS), reader).expect("tools");
        let tools = ToolSet::compile(&tools.value, &Compiler::new(Vec::new()))?;
        let turn = format!(r#"{{"turn_id":1,"role":"agent","content":"","tool_calls":[{call}]}}"#);
        let turn = import_turn(arena_json(&arena, &turn), reader).expect("a turn");
        let found = verify_turn(&turn, None, &tools, &VerifyOptions::default())?;
        let kinds = found[0].issues.iter().map(|issue| issue.kind.label());
        Ok(kinds.collect())
    }

    #[test]
    fn only_successful_results_are_checked_against_the_output_schema() {
        let cases = [
            (r#"{"name":"price","result":{"euros":5}}"#, &[][..]),
            (
                r#"{"name":"mcp__shop__price","result":{"dollars":5}}"#,
                &["malformed_result"],
            ),
            (r#"{"name":"price","result":{}}"#, &["malformed_result"]),
            (r#"{"name":"price","result":""}"#, &["malformed_result"]),
            (r#"{"name":"note","result":{}}"#, &["empty_result"]),
            (r#"{"name":"other","result":{"dollars":5}}"#, &[]),
            (r#"{"name":"price"}"#, &["missing_result"]),
            (
                r#"{"name":"price","error":"no such item"}"#,
                &["error_result"],
            ),
            (
                r#"{"name":"price","result":{"content":[{"type":"text","text":"no such item"}],"isError":true}}"#,
                &["error_result"],
            ),
            (
                r#"{"name":"price","result":"Error: no such item"}"#,
                &["error_result"],
            ),
            (
                r#"{"name":"price","result":"{\"euros\": 5"}"#,
                &["malformed_result"],
            ),
        ];
        for (call, wanted) in cases {
            assert_eq!(issues(call).expect("valid schemas"), wanted, "{call}");
        }
    }

    #[test]
    fn an_invalid_output_schema_is_reported_on_first_use() {
        assert_eq!(issues(r#"{"name":"note","result":{"a":1}}"#), Ok(vec![]));
        let report = issues(r#"{"name":"broken","result":{"a":1}}"#)
            .expect_err("an invalid schema")
            .report();
        assert_eq!(
            report.path.as_deref(),
            Some("outputSchema.properties.a.type")
        );
        assert!(
            report.message.contains(r#"tool "broken""#),
            "{}",
            report.message
        );
    }

    #[test]
    fn a_result_that_takes_too_much_work_is_an_error() {
        let next = r##"{"properties":{"x":{"$ref":"#/$defs/a"}},"required":["y"]}"##;
        let schema =
            format!(r##"{{"$defs":{{"a":{{"anyOf":[{next},{next}]}}}},"$ref":"#/$defs/a"}}"##);
        let tools = format!(r#"{{"name":"f","parameters":{{}},"outputSchema":{schema}}}"#);
        let deep = format!("{}1{}", "{\"x\":".repeat(60), "}".repeat(60));
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let tools = import_tools(arena_json(&arena, &tools), reader).expect("tools");
        let tools = ToolSet::compile(&tools.value, &Compiler::new(Vec::new())).expect("valid");
        let turn = format!(
            r#"[{{"turn_id":1,"role":"agent","content":"","tool_calls":[{{"name":"f","result":{deep}}}]}}]"#
        );
        let whole = import_trajectory(arena_json(&arena, &turn), None, reader).expect("a turn");
        let scope = VerdictScope {
            results: true,
            schemas: true,
            replies: true,
            limits: Limits::default(),
        };
        let stopped = verdict_issues(&whole.value, &tools, &[], Vec::new(), scope);
        let report = stopped.expect_err("too much work").report();
        assert_eq!(report.path.as_deref(), Some("result"));
    }

    #[test]
    fn calls_in_turns_of_other_roles_are_ignored() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let call = r#""tool_calls":[{"name":"f","arguments":{},"result":{"id":"AB12C"}}]"#;
        let text = format!(
            r#"[{{"turn_id":1,"role":"user","content":"hi",{call}}},
                {{"turn_id":2,"role":"system","content":"be brief",{call}}},
                {{"turn_id":3,"role":"agent","content":"It is AB12D.",{call}}}]"#
        );
        let whole = import_trajectory(arena_json(&arena, &text), None, reader)
            .expect("turns")
            .value;
        let options = VerifyOptions::default();
        let none = ToolSet::not_given();
        let verified = verify_trajectory(&whole, &none, &options).expect("no schemas");
        assert_eq!(verified.len(), 1);
        assert!(verified[0].turn == 2 && verified[0].result.hallucinated);
        let asked = &whole.turns[0];
        let turn = verify_turn(asked, Some(&whole), &none, &options).expect("no schemas");
        assert_eq!(turn.len(), 1);
        verify_result(&asked.tool_calls[0], asked, Some(&whole), &none, &options)
            .expect("no schemas");
    }
}
