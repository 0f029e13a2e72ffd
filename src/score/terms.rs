//! What expectations say besides the expected calls: which calls count, and what the run must state and may cost.

use super::accuracy::{AccuracyResult, f1, share};
use super::run::{Run, RunCall};
use toolgauge_base::issue::round;
use toolgauge_facts::facts;
use toolgauge_grounding::Grounding;
use toolgauge_matching::{Attempts, Cost, Expectations, Extra, names};
use toolgauge_model::{Json, Preview, Role, Trajectory, Turn};

/// How many characters of a text a sentence shows.
const SHOWN: usize = 80;

/// Returns whether a call does not count.
pub fn ignored(expectations: &Expectations<'_>, call: &RunCall<'_>) -> bool {
    let terms = &expectations.terms;
    let is_attempt = match terms.attempts {
        Attempts::All => false,
        Attempts::Successful => call.has_failed,
    };
    let tool = call.made.call.tool;
    is_attempt || terms.ignored.iter().any(|pattern| names(pattern, tool))
}

/// Returns how many of the `extra` calls do not lower the score.
pub fn allowed_extra(extra: Extra, count: usize) -> usize {
    match extra {
        Extra::Forbid => 0,
        Extra::Allow => count,
        Extra::Most(most) => count.min(most),
    }
}

/// Returns a sentence for each term that the run does not meet, and one for each that could not be checked.
pub fn unmet_terms<'a>(
    expectations: &Expectations<'a>,
    result: &AccuracyResult<'a>,
    run: &Run<'a>,
) -> (Vec<String>, Vec<String>) {
    let (mut failures, mut warnings) = (Vec::new(), Vec::new());
    for call in &result.forbidden_calls {
        failures.push(format!(
            "{:?} was called, which is forbidden",
            call.actual.tool
        ));
    }
    add_unstated(expectations, run, &mut failures, &mut warnings);
    add_exceeded(expectations, run, &mut failures, &mut warnings);
    for (pattern, least) in &expectations.terms.thresholds {
        match score_of(pattern, result) {
            Some(score) if score < *least => {
                failures.push(format!("{pattern:?} scores {score}, below {least}"));
            }
            Some(_) => {}
            None => warnings.push(format!(
                "thresholds: no expected or actual call is of the tool {pattern:?}"
            )),
        }
    }
    (failures, warnings)
}

fn add_unstated(
    expectations: &Expectations<'_>,
    run: &Run<'_>,
    failures: &mut Vec<String>,
    warnings: &mut Vec<String>,
) {
    let states = &expectations.terms.states;
    if !states.is_empty() && !run.has_turns {
        return warnings
            .push("states: a list of calls has no replies, so this is not checked".to_owned());
    }
    for text in states {
        if !states_all_of(run, text) {
            let shown = Preview::of(Json::String(text), SHOWN);
            failures.push(format!("no reply states {shown}"));
        }
    }
}

/// Returns whether the replies of a run state all facts of `text`, compared by value as grounding compares them. A text
/// without facts must occur in a reply, whatever its case and white space.
fn states_all_of(run: &Run<'_>, text: &str) -> bool {
    let plain = |text: &str| {
        let words: Vec<_> = text.split_whitespace().map(str::to_lowercase).collect();
        words.join(" ")
    };
    let wanted = plain(text);
    let mut replies = run.replies.iter().map(|(_, reply)| *reply);
    if replies.any(|reply| plain(reply).contains(&wanted)) {
        return true;
    }
    if facts(text).is_empty() {
        return false;
    }
    let turn = |role, content| Turn {
        turn_id: 0,
        role,
        content,
        timestamp: None,
        tool_calls: Vec::new(),
        extra: &[],
    };
    // The replies are the evidence, and the text is what they must support.
    let evidence = run
        .replies
        .iter()
        .map(|(_, reply)| turn(Role::User, *reply));
    let turns = evidence.chain([turn(Role::Agent, text)]).collect();
    let grounding = Grounding::of(&Trajectory {
        turns,
        ..Trajectory::default()
    });
    let mut replies = grounding.replies.into_iter().flatten();
    grounding.before_calls.is_empty() && replies.next().is_none()
}

fn add_exceeded(
    expectations: &Expectations<'_>,
    run: &Run<'_>,
    failures: &mut Vec<String>,
    warnings: &mut Vec<String>,
) {
    for (cost, most) in &expectations.terms.budget {
        let name: &str = cost.into();
        let spent = match cost {
            Cost::Calls => Some(run.calls.len() as f64),
            Cost::Turns | Cost::Tokens | Cost::Seconds | Cost::Cost => {
                run.costs.0.get(cost).copied()
            }
        };
        match spent {
            Some(spent) if spent > *most => {
                failures.push(format!(
                    "budget.{name}: {} is more than {most}",
                    rounded(spent)
                ));
            }
            Some(_) => {}
            None => warnings.push(format!(
                "budget.{name}: the log does not record this, so it is not checked"
            )),
        }
    }
}

/// Returns `spent` to 3 decimals.
fn rounded(spent: f64) -> f64 {
    (spent * 1_000.0).round() / 1_000.0
}

/// Returns the score of the calls of the tools that `pattern` names; `None` if there are none.
fn score_of(pattern: &str, result: &AccuracyResult<'_>) -> Option<f64> {
    let is_named = |tool: &str| names(pattern, tool);
    let correct = result.correct_calls.iter();
    let correct = correct.filter(|call| is_named(call.actual.tool)).count();
    let incorrect = result.incorrect_calls.iter();
    let incorrect = incorrect.filter(|call| is_named(call.actual.tool)).count();
    let missed = result.missed_calls.iter();
    let missed = missed.filter(|call| is_named(call.expected.tool)).count();
    let extra = result.extra_calls.iter();
    let extra = extra.filter(|call| is_named(call.tool)).count();
    let (made, expected) = (correct + incorrect + extra, correct + incorrect + missed);
    (made + expected > 0).then(|| round(f1(share(correct, made), share(correct, expected))))
}
