//! What expectations say besides the expected calls: which calls count, and what the run must state and may cost.

use std::cell::OnceCell;

use super::accuracy::{AccuracyResult, f1, share};
use super::run::{Run, RunCall};
use toolgauge_base::issue::round;
use toolgauge_facts::{Fact, facts};
use toolgauge_grounding::Grounding;
use toolgauge_matching::{Attempts, Expectations, Extra, names};
use toolgauge_model::{Json, Preview, Role, ToolCall, Trajectory, Turn};

/// How many characters of a text a sentence shows.
const SHOWN: usize = 80;

/// Returns whether a call does not count.
pub fn ignored(expectations: &Expectations<'_>, call: &RunCall<'_>) -> bool {
    let terms = &expectations.terms;
    let is_attempt = match terms.attempts {
        Attempts::All => false,
        Attempts::Successful => call.has_failed(),
    };
    is_attempt || expectations.ignores(call.made.call.tool)
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
    let replies = Replies::of(&run.replies);
    for text in states {
        if !replies.state(text) {
            let shown = Preview::of(Json::String(text), SHOWN);
            failures.push(format!("no reply states {shown}"));
        }
    }
}

/// The replies of a run, read once for all texts that they must state.
struct Replies<'r> {
    texts: &'r [&'r str],
    plain: Vec<String>,
    /// How many facts of each reply nothing supports, if nothing is known.
    alone: OnceCell<Vec<usize>>,
}

impl<'r> Replies<'r> {
    fn of(texts: &'r [&'r str]) -> Self {
        Self {
            texts,
            plain: texts.iter().map(|text| plain(text)).collect(),
            alone: OnceCell::new(),
        }
    }

    /// Returns whether the replies state `text`. A text in a reply counts whatever its case and white space; or else each
    /// fact of the text must be stated, compared by value as grounding compares them.
    fn state(&self, text: &str) -> bool {
        let wanted = plain(text);
        if self.plain.iter().any(|reply| reply.contains(&wanted)) {
            return true;
        }
        let facts = facts(text);
        let is_stated = |fact: &Fact<'_>| self.support(fact.text) || self.repeat(fact.text);
        !facts.is_empty() && facts.iter().all(is_stated)
    }

    /// Returns whether the replies, taken as evidence, support `fact`.
    fn support(&self, fact: &str) -> bool {
        unsupported(&self.texts.join("\n\n"), fact) == 0
    }

    /// Returns whether a reply says something that only `fact` supports, also in a shorter notation than that of the fact:
    /// a day without its year, or a rounded number.
    fn repeat(&self, fact: &str) -> bool {
        let alone = self.alone.get_or_init(|| {
            self.texts
                .iter()
                .map(|reply| unsupported("", reply))
                .collect()
        });
        let mut replies = self.texts.iter().zip(alone);
        replies.any(|(reply, alone)| unsupported(fact, reply) < *alone)
    }
}

/// Returns `text` in lower case, with one space wherever there is white space.
fn plain(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ")
}

/// Returns how many facts of `reply` nothing supports, if `evidence` is all that is known.
fn unsupported(evidence: &str, reply: &str) -> usize {
    let turn = |role, content| Turn {
        turn_id: 0,
        role,
        content,
        timestamp: None,
        tool_calls: Vec::new(),
        extra: &[],
    };
    let known = [("known", Json::String(evidence))];
    let mut asked = turn(Role::Agent, "");
    // A reply is judged only if a tool was called.
    asked.tool_calls.push(ToolCall {
        name: Some("look_up"),
        result: Some(Json::Object(&known)),
        ..ToolCall::default()
    });
    let grounding = Grounding::of(&Trajectory {
        turns: vec![turn(Role::User, evidence), asked, turn(Role::Agent, reply)],
        ..Trajectory::default()
    });
    grounding.replies.iter().flatten().count() + grounding.before_calls.len()
}

fn add_exceeded(
    expectations: &Expectations<'_>,
    run: &Run<'_>,
    failures: &mut Vec<String>,
    warnings: &mut Vec<String>,
) {
    for (cost, most) in &expectations.terms.budget {
        let name: &str = cost.into();
        match run.costs.spent(*cost) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn states(replies: &[&str], text: &str) -> bool {
        Replies::of(replies).state(text)
    }

    #[test]
    fn facts_are_stated_in_any_notation() {
        for (reply, text) in [
            ("It costs $59.80.", "59.80 USD"),
            ("It costs $59.80.", "$59.8"),
            ("You fly on May 16.", "2024-05-16"),
            ("You fly on 16 May 2024 at 5 pm.", "17:00"),
            ("The order A-1017 is on its way.", "A-1017"),
            ("It takes 90 minutes.", "1.5 hours"),
            ("Your seat is  WINDOW, by the way.", "seat is window"),
            ("The total is $120 for 3 nights.", "3 nights, $120"),
        ] {
            assert!(states(&["Hello!", reply], text), "{reply} {text}");
        }
    }

    #[test]
    fn other_facts_and_missing_ones_are_not_stated() {
        for (reply, text) in [
            ("It costs $59.80.", "$58.80"),
            ("You fly on May 16.", "2024-05-17"),
            ("The order is on its way.", "A-1017"),
            ("The total is $120.", "3 nights, $120"),
            ("Your seat is at the aisle.", "window seat"),
            ("", "$5"),
        ] {
            assert!(!states(&[reply], text), "{reply} {text}");
        }
        assert!(!states(&[], "$5"));
    }

    #[test]
    fn extra_calls_are_allowed_up_to_a_number() {
        assert_eq!(allowed_extra(Extra::Forbid, 3), 0);
        assert_eq!(allowed_extra(Extra::Allow, 3), 3);
        assert_eq!(allowed_extra(Extra::Most(2), 3), 2);
        assert_eq!(allowed_extra(Extra::Most(2), 1), 1);
    }
}
