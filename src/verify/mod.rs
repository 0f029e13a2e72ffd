//! Whether the agent was true to what its tools returned: `verifyResult`, `verifyTurnResults`,
//! `summarizeResultVerification`.

mod contradiction;
mod issue;
mod lists;

use serde::Serialize;

pub use issue::{
    ResultIssue, ResultIssueDetails, ResultIssueType, ResultVerificationResult, VerifyOptions,
};

use crate::gate::mean;
use crate::grounding::{
    Grounding, Outcome, Unsupported, Usage, ground, outcome_of, score, tell, usage,
};
use crate::issue::Severity;
use crate::model::{Role, ToolCall, Trajectory, Turn};
use contradiction::{claim, contradicts};
use issue::WEIGHTS;

/// The score of a call of which nothing came back.
const MISSING_SCORE: f64 = 0.3;

/// How many of the calls after one are looked at for a retry.
const MOST_FOLLOWING_CALLS: usize = 50;

/// How true an agent was to all results of a trajectory.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct VerificationSummary {
    /// How many tools were called.
    pub total_tools: usize,
    /// How many results are valid.
    pub valid_results: usize,
    /// How many results the agent is not true to.
    pub hallucinated_results: usize,
    /// How many results were used.
    pub integrated_results: usize,
    /// The mean of the scores, from 0 to 1, to 3 decimals; 1 when no tool was called.
    pub average_score: f64,
    /// All issues, in the order of the calls.
    #[cfg_attr(feature = "typescript", ts(type = "Array<ResultIssue>"))]
    pub issues: Vec<ResultIssue>,
}

/// The result of one call of a trajectory.
#[derive(Debug, Clone, PartialEq)]
pub struct CallVerification {
    /// The turn, by its place in the trajectory.
    pub turn: usize,
    /// The call, by its place in the turn.
    pub call: usize,
    /// What was found.
    pub result: ResultVerificationResult,
}

/// Verifies every call of a trajectory, in order.
pub fn verify_trajectory(
    trajectory: &Trajectory<'_>,
    options: &VerifyOptions,
) -> Vec<CallVerification> {
    let grounding = match options.detect_hallucination {
        true => ground(trajectory),
        false => Grounding::skipped(trajectory.call_count()),
    };
    let by_call = grounding.replies;
    let usages = usage(trajectory);
    let mut found = Vec::with_capacity(by_call.len());
    for (turn, made) in trajectory.agent_turns() {
        for (index, call) in made.tool_calls.iter().enumerate() {
            let number = found.len();
            let view = View {
                trajectory,
                turn,
                index,
                call,
                outcome: outcome_of(call),
                facts: &by_call[number],
                usage: usages[number],
            };
            found.push(CallVerification {
                turn,
                call: index,
                result: view.verify(options),
            });
        }
    }
    found
}

/// Verifies every call of `turn`, in order. With a trajectory that holds the turn (by its number), all
/// that it says before and after counts; else the turn stands alone, as one of the agent.
pub fn verify_turn(
    turn: &Turn<'_>,
    trajectory: Option<&Trajectory<'_>>,
    options: &VerifyOptions,
) -> Vec<ResultVerificationResult> {
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
    verify_trajectory(whole, options)
        .into_iter()
        .filter(|verified| verified.turn == at)
        .map(|verified| verified.result)
        .collect()
}

/// Verifies one call of `turn`; a call that is not among those of the turn is taken as its last.
pub fn verify_result(
    call: &ToolCall<'_>,
    turn: &Turn<'_>,
    trajectory: Option<&Trajectory<'_>>,
    options: &VerifyOptions,
) -> ResultVerificationResult {
    let at = turn
        .tool_calls
        .iter()
        .position(|other| is_same_call(other, call));
    let mut results = match at {
        Some(_) => verify_turn(turn, trajectory, options),
        None => {
            let mut with_call = turn.clone();
            with_call.tool_calls.push(call.clone());
            verify_turn(&with_call, None, options)
        }
    };
    let at = at.unwrap_or(results.len() - 1);
    results.swap_remove(at)
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

/// Adds up the results of a trajectory.
pub fn summarize(trajectory: &Trajectory<'_>, options: &VerifyOptions) -> VerificationSummary {
    let results: Vec<_> = verify_trajectory(trajectory, options)
        .into_iter()
        .map(|verified| verified.result)
        .collect();
    let count = |matches: fn(&ResultVerificationResult) -> bool| {
        results.iter().filter(|result| matches(result)).count()
    };
    VerificationSummary {
        total_tools: results.len(),
        valid_results: count(|result| result.valid),
        hallucinated_results: count(|result| result.hallucinated),
        integrated_results: count(|result| result.integrated),
        average_score: mean(results.iter().map(|result| result.score)).unwrap_or(1.0),
        issues: results
            .into_iter()
            .flat_map(|result| result.issues)
            .collect(),
    }
}

/// One call with all that its verification needs.
struct View<'v, 'a> {
    trajectory: &'v Trajectory<'a>,
    turn: usize,
    index: usize,
    call: &'v ToolCall<'a>,
    outcome: Outcome,
    facts: &'v [Unsupported],
    usage: Usage,
}

impl View<'_, '_> {
    fn verify(&self, options: &VerifyOptions) -> ResultVerificationResult {
        let mut issues: Vec<ResultIssue> = self.check_outcome().into_iter().collect();
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
        ResultVerificationResult {
            valid: !is_missing && issues.iter().all(|issue| issue.severity < Severity::High),
            score: if is_missing {
                MISSING_SCORE
            } else {
                WEIGHTS.score(issues.iter().map(|issue| issue.severity))
            },
            issues,
            hallucinated,
            integrated: !is_missing && self.outcome != Outcome::Empty && self.usage == Usage::Used,
        }
    }

    fn issue(&self, kind: ResultIssueType, description: String) -> ResultIssue {
        let turn_id = self.trajectory.turns[self.turn].turn_id;
        let details = ResultIssueDetails {
            call_index: self.index,
            call_id: self.call.id.map(str::to_owned),
            ..ResultIssueDetails::default()
        };
        ResultIssue::of(kind, description, Some(turn_id), self.call, details)
    }

    fn name(&self) -> &str {
        self.call.name.unwrap_or("the tool")
    }

    fn check_outcome(&self) -> Option<ResultIssue> {
        let name = self.name();
        match &self.outcome {
            Outcome::Success => None,
            Outcome::Missing => {
                let description = format!("{name:?} was called, but nothing came back");
                Some(self.issue(ResultIssueType::MissingResult, description))
            }
            Outcome::Empty => Some(self.issue(
                ResultIssueType::EmptyResult,
                format!("{name:?} returned nothing"),
            )),
            Outcome::Error(said) => {
                let mut issue = self.issue(
                    ResultIssueType::ErrorResult,
                    format!("{name:?} failed: {said}"),
                );
                issue.details.said = Some(vec![said.clone()]);
                Some(issue)
            }
            Outcome::Malformed(reason) => {
                let description =
                    format!("the result of {name:?} looks like JSON and is none: {reason}");
                Some(self.issue(ResultIssueType::MalformedResult, description))
            }
        }
    }

    fn hallucination(&self, score: f64) -> ResultIssue {
        let facts = self.facts.iter().map(|fact| fact.report(self.trajectory));
        let facts: Vec<_> = facts.collect();
        let mut issue = self.issue(ResultIssueType::HallucinatedContent, tell(&facts));
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
                let description =
                    format!("nothing of the result of {name:?} appears in the response");
                Some(self.issue(ResultIssueType::UnusedResult, description))
            }
            Usage::Used => {
                let left_out = lists::left_out(self.call.result?, self.response());
                (!left_out.is_empty()).then(|| {
                    let description = format!(
                        "the response presents the result of {name:?} as a list, and leaves out {}",
                        left_out.join(", ")
                    );
                    let mut issue = self.issue(ResultIssueType::IncompleteIntegration, description);
                    issue.details.said = Some(left_out);
                    issue
                })
            }
        }
    }

    /// Only a response to this call alone can contradict it.
    fn check_contradiction(&self) -> Option<ResultIssue> {
        if !matches!(self.outcome, Outcome::Error(_) | Outcome::Success)
            || self.is_followed_by_another_outcome()
        {
            return None;
        }
        let response = self.response();
        if !contradicts(&self.outcome, claim(response)) {
            return None;
        }
        let name = self.name();
        let description = match self.outcome {
            Outcome::Error(_) => format!("{name:?} failed, but the response claims success"),
            _ => format!("{name:?} succeeded, but the response claims that it failed"),
        };
        Some(self.issue(ResultIssueType::ContradictsResponse, description))
    }

    fn is_followed_by_another_outcome(&self) -> bool {
        let failed = matches!(self.outcome, Outcome::Error(_));
        let calls = self.following_turns().enumerate().flat_map(|(turn, made)| {
            let skip = if turn == 0 { self.index + 1 } else { 0 };
            made.tool_calls.iter().skip(skip)
        });
        calls
            .take(MOST_FOLLOWING_CALLS)
            .any(|call| matches!(outcome_of(call), Outcome::Error(_)) != failed)
    }

    /// The turn of the call and those that follow, up to the next turn of the user.
    fn following_turns(&self) -> impl Iterator<Item = &Turn<'_>> {
        let turns = &self.trajectory.turns[self.turn..];
        turns.iter().take_while(|turn| turn.role != Role::User)
    }

    /// The text that answers the call: the first that is said from its turn on.
    fn response(&self) -> &str {
        let mut texts = self.following_turns().map(|turn| turn.content.trim());
        texts.find(|text| !text.is_empty()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::formats::import_trajectory;
    use crate::model::testing::arena_json;
    use crate::model::{Limits, Reader};
    use crate::schema::ToolSet;
    use crate::validate::{ValidateOptions, validate_trajectory};

    #[test]
    fn calls_on_turns_of_others_are_not_the_agents_and_shift_nothing() {
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
        let verified = verify_trajectory(&whole, &options);
        assert_eq!(verified.len(), 1);
        assert!(verified[0].turn == 2 && verified[0].result.hallucinated);
        let validated =
            validate_trajectory(&whole, &ToolSet::not_given(), &ValidateOptions::default());
        assert_eq!(validated.expect("a result").len(), 1);
        let asked = &whole.turns[0];
        assert_eq!(verify_turn(asked, Some(&whole), &options).len(), 1);
        verify_result(&asked.tool_calls[0], asked, Some(&whole), &options);
    }
}
