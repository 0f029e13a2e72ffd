//! Checks whether what an agent says and passes on is grounded in what it knows. Result verification and the validation
//! of trajectories are built on this engine.
//!
//! [`ground`] walks through a trajectory turn by turn. A `Conversation` collects what the user, the instructions and
//! the tools say, and seals it as evidence for the arguments of calls and for replies. A reply passes these stages:
//!
//! 1. `unsupported_facts`: checks the facts of the reply in the stages of `stages.rs`. They first look for equal values
//!    in the evidence, then try other units, counts, arithmetic and other notations, and report the facts that remain.
//! 2. `unshown_names`: reports names that the evidence does not contain, if the results have names.
//! 3. `unshown_codes`: reports codes that the evidence does not contain, if the results have similar codes.
//! 4. `wrong_weekdays`: reports weekdays that do not match the date beside them.
//! 5. `misattributed`: reports known values that belong to a different record than the one that the reply names.

mod acknowledgement;
mod arguments;
mod arithmetic;
mod background;
mod calendar;
mod chosen;
mod civil;
mod codes;
mod confidence;
mod conversation;
mod counted;
mod derivations;
mod digest;
#[cfg(test)]
mod everyday;
mod evidence;
mod excuses;
mod keys;
#[cfg(test)]
mod languages;
mod likeness;
mod listed;
mod literal;
mod meanings;
mod measures;
mod mentions;
mod named;
mod nearest_text;
mod notations;
mod operands;
mod outcome;
mod owners;
mod pairs;
mod places;
mod purpose;
mod quantities;
mod replies;
mod reply;
mod report;
mod reporter;
mod schedule;
mod silent;
mod stages;
#[cfg(test)]
mod testing;
mod times;
mod traces;
mod transcript;
mod usage;
mod weekdays;
mod windows;

pub use arguments::UngroundedArgument;
pub use chosen::hides_result;
pub use confidence::{THRESHOLD, score};
pub use meanings::Meanings;
pub use outcome::{Outcome, outcome_of, says_nothing_found};
pub use report::{Closest, Grounding, Misattributed, Unsupported, UnsupportedFact, describe};
pub use transcript::{Speakers, Transcript};
pub use usage::{Usage, usage};

use arguments::{Known, ungrounded};
use confidence::Finding;
use conversation::Conversation;
use nearest_text::{most_like, with_words};
use places::Part;
use reply::{Readers, Reply};
use reporter::{Reporter, Statement};

use toolgauge_facts::FactKind;
use toolgauge_model::{Role, Trajectory, Turn};

/// Finds everything in a trajectory that the evidence does not show, in one pass. `transcript` must hold the turns of
/// all speakers. Arguments are checked against what was known before their turn; replies are also checked against the
/// results of their own turn.
pub fn ground<'a>(
    trajectory: &Trajectory<'a>,
    transcript: &Transcript<'a>,
    meanings: &mut Meanings<'a>,
) -> Grounding {
    let Meanings {
        texts,
        gathered,
        instructions,
        relative_dates,
        ..
    } = meanings;
    let memory = std::mem::take(gathered);
    let mut conversation = Conversation::start(trajectory, transcript, texts, memory, instructions);
    let mut readers = Readers::default();
    let mut grounding = Grounding::skipped(trajectory.calls().count());
    for (at, turn) in trajectory.turns.iter().enumerate() {
        if turn.role != Role::Agent {
            conversation.hear(at, turn, |text| relative_dates.are_in(texts.tokens(text)));
            continue;
        }
        let first = conversation.calls_made();
        let arguments =
            ungrounded_arguments(at, trajectory, transcript, &mut conversation, &mut readers);
        for (call, found) in (first..).zip(arguments) {
            grounding.arguments[call] = found;
        }
        conversation.add_calls(turn);
        if let Some(reply) = conversation.reply(at) {
            grounding.add(unsupported(&reply, &mut readers));
            let misattributed = misattributed(&reply, &mut readers);
            grounding.misattributed.extend(misattributed);
        }
    }
    *gathered = conversation.into_gathered();
    grounding
}

/// Returns the ungrounded arguments of each call of a turn. Returns an empty list if nothing is known yet.
fn ungrounded_arguments<'a>(
    at: usize,
    trajectory: &Trajectory<'a>,
    transcript: &Transcript<'a>,
    conversation: &mut Conversation<'_, 'a>,
    readers: &mut Readers<'a>,
) -> Vec<Vec<UngroundedArgument>> {
    let turn: &Turn<'a> = &trajectory.turns[at];
    let (first, dates) = (conversation.calls_made(), conversation.dates());
    if turn.tool_calls.is_empty() {
        return Vec::new();
    }
    let texts = conversation.texts();
    let Some(evidence) = conversation.evidence() else {
        return Vec::new();
    };
    let Readers {
        mentions, places, ..
    } = readers;
    let mut known = Known {
        evidence,
        mentions,
        texts,
        dates,
        trajectory,
        turn: at,
    };
    let calls = (first..).zip(&turn.tool_calls);
    calls
        .map(|(number, call)| {
            let path = |value| places.path((number, Part::Arguments), call.arguments?, value);
            ungrounded(call, transcript.arguments(number), &mut known, path)
        })
        .collect()
}

/// Returns the facts, names, codes and weekdays of a reply that the evidence does not support.
fn unsupported<'a>(reply: &Reply<'_, 'a>, readers: &mut Readers<'a>) -> Vec<Unsupported> {
    let mut found = unsupported_facts(reply, readers);
    let names = unshown_names(reply, readers);
    let mut codes = unshown_codes(reply, readers);
    codes.retain(|code| !names.iter().any(|name| name.holds(code)));
    found.extend(names);
    found.extend(codes);
    found.extend(wrong_weekdays(reply, readers));
    found
}

/// Returns the facts of a reply that the evidence does not support.
fn unsupported_facts<'a>(reply: &Reply<'_, 'a>, readers: &mut Readers<'a>) -> Vec<Unsupported> {
    let held = stages::held_by_value(reply);
    let misfits = stages::in_other_quantities(reply, &held, &mut readers.quantities);
    let held = stages::held_as_measures(reply, held, &misfits);
    let counts = stages::counts(reply, &held);
    let supported = stages::worked_out(reply, held, readers);
    let Some(supported) = stages::shown_literally(reply, supported, &mut readers.literal) else {
        return Vec::new();
    };
    let supported = stages::overruled(supported, &misfits, &counts);
    let unexplained = stages::unexplained(reply, &supported, readers);
    stages::reports(reply, unexplained, &misfits, &counts, readers)
}

/// Returns the names of a reply that the evidence does not contain.
fn unshown_names<'a>(reply: &Reply<'_, 'a>, readers: &mut Readers<'a>) -> Vec<Unsupported> {
    let background::Background {
        evidence,
        texts,
        calls,
        ..
    } = reply.known;
    if !named::may_hold_unshown(reply.tokens(), evidence) {
        return Vec::new();
    }
    readers
        .written
        .read(calls, reply.known.earlier, reply.tools);
    let shown = named::Shown {
        evidence,
        written: &readers.written,
        texts,
    };
    let mut reporter = Reporter::new(reply, &mut readers.places);
    named::unshown_names(reply.content, reply.text, &shown)
        .into_iter()
        .map(|name| {
            let statement = Statement {
                kind: FactKind::Name,
                text: name.text,
                start: name.start,
                finding: Finding::Name,
            };
            match (name.closest, name.instead) {
                (None, Some(words)) => {
                    reporter.unsupported_like(&statement, with_words(calls, words))
                }
                (closest, _) => reporter.unsupported(&statement, closest),
            }
        })
        .collect()
}

/// Returns the codes of a reply that the evidence does not contain.
fn unshown_codes<'a>(reply: &Reply<'_, 'a>, readers: &mut Readers<'a>) -> Vec<Unsupported> {
    let background::Background {
        evidence,
        texts,
        calls,
        ..
    } = reply.known;
    if !codes::may_hold_codes(reply.tokens(), reply.facts(), evidence) {
        return Vec::new();
    }
    readers
        .written
        .read(calls, reply.known.earlier, reply.tools);
    let mut background = codes::Background {
        evidence,
        written: &readers.written,
        codes: &mut readers.codes,
        texts,
    };
    let found = codes::unshown_codes(reply.content, reply.text, &mut background);
    let mut reporter = Reporter::new(reply, &mut readers.places);
    found
        .into_iter()
        .map(|code| {
            let statement = Statement {
                kind: FactKind::Identifier,
                text: code.text,
                start: code.start,
                finding: Finding::Code,
            };
            reporter.unsupported_like(&statement, most_like(calls, code.text))
        })
        .collect()
}

/// Returns the weekdays of a reply that do not match the date beside them.
fn wrong_weekdays<'a>(reply: &Reply<'_, 'a>, readers: &mut Readers<'a>) -> Vec<Unsupported> {
    let background::Background {
        evidence,
        texts,
        said,
        ..
    } = reply.known;
    let mut reporter = Reporter::new(reply, &mut readers.places);
    weekdays::wrong_weekdays(reply.text, said, evidence, texts)
        .into_iter()
        .map(|wrong| {
            let fact = &reply.facts()[wrong.fact];
            let statement = Statement {
                kind: fact.kind,
                text: &reply.content[wrong.start..wrong.end],
                start: wrong.start,
                finding: Finding::Weekday,
            };
            reporter.unsupported(&statement, evidence.nearest(fact))
        })
        .collect()
}

/// Returns the values of a reply that belong to a different record than the one that the reply names.
fn misattributed<'a>(reply: &Reply<'_, 'a>, readers: &mut Readers<'a>) -> Vec<Misattributed> {
    let background::Background { texts, calls, .. } = reply.known;
    if reply.content.trim().is_empty() || calls.is_empty() {
        return Vec::new();
    }
    let Readers {
        records,
        user_words,
        focus,
        places,
        ..
    } = readers;
    records.read(calls, reply.transcript, texts);
    let conversation = owners::Conversation {
        records,
        texts,
        user: reply.heard,
        instructions: reply.instructions,
        calls: calls.len(),
    };
    let wrong = owners::wrong_owners(reply.content, reply.text, &conversation, user_words, focus);
    let mut reporter = Reporter::new(reply, places);
    let wrong = wrong.into_iter();
    wrong
        .map(|wrong| reporter.misattributed(wrong, records))
        .collect()
}
