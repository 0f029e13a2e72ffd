//! The issues that verification adds to a verdict: unacknowledged errors, contradictions, incomplete
//! lists, claimed actions, misattributed values, leaked calls, and empty or malformed results.

use super::leaked::leaked_calls;
use super::misattributed::misattributed_values;
use super::{View, claimed_actions, claims, malformed};
use toolgauge_base::issue::{CallPlace, Severity};
use toolgauge_grounding::{Misattributed, Outcome, Usage, outcome_of};
use toolgauge_model::error::Result;
use toolgauge_model::{Limits, Trajectory, Turn};
use toolgauge_schema::ToolSet;

use super::issue::{ResultIssue, ResultIssueType};

/// What a verdict checks.
#[derive(Debug, Clone, Copy)]
pub struct VerdictScope {
    /// Whether results are checked: errors, empty and malformed ones.
    pub results: bool,
    /// Whether results are checked against the output schemas of their tools.
    pub schemas: bool,
    /// Whether replies are checked.
    pub replies: bool,
    /// Limits on the work.
    pub limits: Limits,
}

/// Returns the issues of results and replies, in the order of the calls, followed by those of replies that
/// belong to no call; none if nobody ran `trajectory`. An issue about a reply names the turn of the reply and quotes it. `usages` says what
/// happened to the result of each call; without it, lists are not checked. `misattributed` holds the values
/// in replies that belong to another record.
///
/// # Errors
/// As [`super::verify_trajectory`].
pub fn verdict_issues(
    trajectory: &Trajectory<'_>,
    tools: &ToolSet,
    usages: &[Usage],
    misattributed: Vec<Misattributed>,
    scope: VerdictScope,
) -> Result<Vec<ResultIssue>> {
    if trajectory.is_not_run() || !scope.results && !scope.replies {
        return Ok(Vec::new());
    }
    let spans = match scope.replies {
        true => claims::spans(trajectory),
        false => Vec::new(),
    };
    let mut contradictions = claims::contradictions(trajectory, &spans).into_iter();
    let no_schemas = ToolSet::not_given();
    let declared = if scope.schemas { tools } else { &no_schemas };
    let mut found = Vec::new();
    let mut number = 0;
    for (turn, made) in trajectory.agent_turns() {
        for (index, call) in made.tool_calls.iter().enumerate() {
            let view = View {
                trajectory,
                turn,
                place: CallPlace {
                    turn_id: Some(made.turn_id),
                    index,
                    call,
                },
                tools: declared,
                outcome: outcome_of(call),
                facts: &[],
                usage: usages.get(number).copied().unwrap_or(Usage::NoResponse),
                contradiction: contradictions.next().flatten(),
            };
            view.add_to_verdict(scope, &mut found)?;
            number += 1;
        }
    }
    if scope.replies {
        found.extend(claimed_actions(trajectory, &spans, tools));
        found.extend(misattributed_values(misattributed));
        found.extend(leaked_calls(trajectory, tools));
    }
    Ok(found)
}

impl View<'_, '_> {
    fn add_to_verdict(&self, scope: VerdictScope, found: &mut Vec<ResultIssue>) -> Result<()> {
        let contradiction = self.check_contradiction();
        if scope.results {
            let malformed = malformed(&self.place, &self.outcome, self.tools, scope.limits)?;
            let outcome = malformed.or_else(|| self.check_outcome());
            let outcome = outcome.filter(|issue| issue.kind != ResultIssueType::MissingResult);
            let is_settled = !scope.replies || contradiction.is_some();
            found.extend(outcome.map(|issue| self.rated(issue, is_settled)));
        }
        if scope.replies && matches!(self.usage, Usage::Used | Usage::Excused) {
            found.extend(
                self.check_usage()
                    .and_then(|issue| self.moved_to_reply(issue)),
            );
        }
        found.extend(contradiction.map(moved));
        Ok(())
    }

    /// Rates an error: high if the reply ignores it, low if the agent admits it or recovers from it. It is
    /// also low if replies are not checked, or if the reply contradicts it, because that is an issue of its
    /// own.
    fn rated(&self, mut issue: ResultIssue, is_settled: bool) -> ResultIssue {
        if issue.kind == ResultIssueType::ErrorResult {
            let is_passed_over = !is_settled && !self.is_mended() && self.is_passed_over();
            issue.severity = match is_passed_over {
                true => Severity::High,
                false => Severity::Low,
            };
        }
        issue
    }

    /// Returns whether any later call succeeds before the user speaks again: the agent then found another
    /// way.
    fn is_mended(&self) -> bool {
        let later = self.following_turns().enumerate().flat_map(|(turn, made)| {
            let skip = if turn == 0 { self.place.index + 1 } else { 0 };
            made.tool_calls.iter().skip(skip)
        });
        let mut later = later.take(super::MOST_FOLLOWING);
        later.any(|call| matches!(outcome_of(call), Outcome::Success | Outcome::Empty))
    }

    /// Returns whether the agent answers without mentioning that anything went wrong.
    fn is_passed_over(&self) -> bool {
        let mut texts = self.following_turns().map(|turn| turn.content.trim());
        let mut texts = texts.by_ref().filter(|text| !text.is_empty()).peekable();
        texts.peek().is_some() && !texts.any(speaks_of_failure)
    }

    /// Moves the issue to the turn of the reply, which is the longest text that follows.
    fn moved_to_reply(&self, mut issue: ResultIssue) -> Option<ResultIssue> {
        let said = self
            .following_turns()
            .filter(|turn| !turn.content.trim().is_empty());
        let reply: &Turn<'_> = said.max_by_key(|turn| turn.content.len())?;
        let mut lines = reply.content.lines().map(str::trim);
        issue.details.quote = lines.find(|line| !line.is_empty()).map(str::to_owned);
        issue.details.reply_turn_id = Some(reply.turn_id);
        Some(moved(issue))
    }
}

/// Moves the issue to the turn of the reply that it is about.
fn moved(mut issue: ResultIssue) -> ResultIssue {
    if let Some(reply) = issue.details.reply_turn_id.take() {
        if issue.turn_id != Some(reply) {
            issue.details.call_turn_id = issue.turn_id;
        }
        issue.turn_id = Some(reply);
    }
    issue
}

/// Words of a text that mentions a failure, in lower case. The list is broad, because a reply that may
/// mention a failure is not reported.
const FAILURE: [&str; 38] = [
    "n't",
    "not ",
    "no ",
    "never",
    "fail",
    "error",
    "unable",
    "unavailable",
    "unfortunately",
    "sorry",
    "apolog",
    "issue",
    "problem",
    "trouble",
    "invalid",
    "denied",
    "declin",
    "reject",
    "refus",
    "missing",
    "without",
    "wrong",
    "exception",
    "timeout",
    "timed out",
    "instead",
    "however",
    "but ",
    "cannot",
    "nicht",
    "kein",
    "fehler",
    "leider",
    "erreur",
    "pas ",
    "falló",
    "ikke",
    "feil",
];

fn speaks_of_failure(text: &str) -> bool {
    let text = text.to_lowercase().replace('’', "'");
    FAILURE.iter().any(|word| text.contains(word))
}
