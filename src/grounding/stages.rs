//! The stages that check the facts of a reply. Each stage returns its findings in the order of the facts.

use std::cell::OnceCell;

use super::arithmetic;
use super::calendar::Calendar;
use super::confidence::Finding;
use super::counted::{exceeds, is_count};
use super::literal::{Before, Literal, Stated};
use super::measures::measured;
use super::mentions::Mentions;
use super::quantities::{Misfit, Quantities, misfits};
use super::reply::{Readers, Reply};
use super::report::Unsupported;
use super::reporter::{Reporter, Statement};
use super::silent::Silent;
use toolgauge_facts::{Fact, FactKind, FactValue};

/// Says for each fact of a reply how it relates to the number of returned items.
pub struct Counts {
    /// `true` for a fact that the evidence does not hold, and that counts returned items or something else that the
    /// evidence counts.
    open: Vec<bool>,
    /// `true` for a fact that counts more items than were returned.
    exceeding: Vec<bool>,
}

/// Checks for each fact whether the evidence holds its value, in any spelling or rounded as the reply rounds it.
pub fn held_by_value(reply: &Reply<'_, '_>) -> Vec<bool> {
    let facts = reply.facts().iter();
    facts.map(|fact| reply.known.evidence.holds(fact)).collect()
}

/// Returns the facts that the evidence gives in another unit, in another currency or with another sign. Each is
/// identified by its index.
pub fn in_other_quantities(
    reply: &Reply<'_, '_>,
    held: &[bool],
    quantities: &mut Quantities,
) -> Vec<(usize, Misfit)> {
    let known = &reply.known;
    misfits(reply.content, reply.text, held, known.texts, || {
        quantities.read(known.calls, known.earlier, known.texts);
        quantities
    })
}

/// Removes the misfits from the held facts, and adds the numbers that the evidence holds in another unit or more
/// exactly.
pub fn held_as_measures(
    reply: &Reply<'_, '_>,
    mut held: Vec<bool>,
    misfits: &[(usize, Misfit)],
) -> Vec<bool> {
    for (at, _) in misfits {
        held[*at] = false;
    }
    let known = &reply.known;
    measured(
        reply.content,
        reply.facts(),
        held,
        known.evidence,
        known.calls,
        known.texts,
    )
}

/// Finds the facts that count returned items.
pub fn counts(reply: &Reply<'_, '_>, held: &[bool]) -> Counts {
    let (calls, tokens) = (reply.latest_calls(), reply.tokens());
    let evidence = reply.known.evidence;
    let facts = reply.facts().iter();
    Counts {
        open: std::iter::zip(facts.clone(), held)
            .map(|(fact, held)| !held && is_count(fact, tokens, calls, evidence))
            .collect(),
        exceeding: facts
            .map(|fact| exceeds(fact, tokens, calls, evidence))
            .collect(),
    }
}

/// Checks for each fact whether it is held or follows from known values: as the result of an equation, as a count or by
/// arithmetic.
pub fn worked_out<'a>(
    reply: &Reply<'_, 'a>,
    held: Vec<bool>,
    readers: &mut Readers<'a>,
) -> Vec<bool> {
    let (content, text) = (reply.content, reply.text);
    arithmetic::supported(content, text, held, &reply.known, &mut readers.worked_out)
}

/// Adds the facts that the raw evidence shows in any notation, and those that the reply does not claim to have found,
/// like examples, plans and offers. Returns `None` if the agent saw an image, because no log shows what an image says.
pub fn shown_literally(
    reply: &Reply<'_, '_>,
    mut supported: Vec<bool>,
    literal: &mut Literal,
) -> Option<Vec<bool>> {
    if !supported.contains(&false) {
        return Some(supported);
    }
    let facts = reply.facts();
    let before = Before {
        turns: reply.known.earlier,
        calls: reply.known.calls,
        tools: reply.tools,
    };
    let open = std::iter::zip(facts, &supported).filter(|(_, supported)| !**supported);
    literal.read(before, open.map(|(fact, _)| fact));
    if literal.has_image() {
        return None;
    }
    let silent = Silent::of(reply.content);
    let stated = Stated::new(reply.content, facts, reply.known.evidence);
    for (at, fact) in facts.iter().enumerate() {
        if !supported[at] && silent.offers(fact) {
            literal.offer(fact);
        }
        supported[at] = supported[at] || silent.holds(fact) || literal.shows(at, &stated);
    }
    Some(supported)
}

/// Removes misfits and counts that exceed the number of returned items from the supported facts. A misfit that differs
/// only in its unit stays supported, because a conversion may explain it.
pub fn overruled(
    mut supported: Vec<bool>,
    misfits: &[(usize, Misfit)],
    counts: &Counts,
) -> Vec<bool> {
    for (at, misfit) in misfits {
        supported[*at] &= *misfit == Misfit::Unit;
    }
    for (supported, exceeds) in supported.iter_mut().zip(&counts.exceeding) {
        *supported &= !exceeds;
    }
    supported
}

/// Returns the indexes of the unsupported facts that nothing else explains: neither the calendar, nor the number of
/// calls of the turn, nor the tool definitions.
pub fn unexplained<'a>(
    reply: &Reply<'_, 'a>,
    supported: &[bool],
    readers: &Readers<'a>,
) -> Vec<usize> {
    let calendar = OnceCell::new();
    let gives_date = |fact: &Fact<'_>| {
        calendar
            .get_or_init(|| Calendar::of(&reply.known))
            .gives(fact, reply.content)
    };
    let is_explained = |fact: &Fact<'_>| {
        (fact.kind == FactKind::Date && gives_date(fact))
            || counts_calls(reply, fact)
            || is_in_definitions(reply, fact, &readers.definitions)
    };
    let facts = reply.facts().iter().zip(supported).enumerate();
    let unexplained = facts.filter(|(_, (fact, supported))| !**supported && !is_explained(fact));
    unexplained.map(|(at, _)| at).collect()
}

/// Checks whether a number equals the number of calls that the turn makes.
fn counts_calls(reply: &Reply<'_, '_>, fact: &Fact<'_>) -> bool {
    match &fact.value {
        FactValue::Number(readings) if fact.kind == FactKind::Number => {
            let count = reply.calls_of_turn as f64;
            reply.calls_of_turn > 1 && readings.contains(&count)
        }
        FactValue::Number(_) | FactValue::Date(_) | FactValue::Time(_) | FactValue::Text(_) => {
            false
        }
    }
}

/// Checks whether the tool definitions contain a fact, for example as a default, as an allowed value or in an example.
fn is_in_definitions(
    reply: &Reply<'_, '_>,
    fact: &Fact<'_>,
    definitions: &OnceCell<Mentions>,
) -> bool {
    let Some(tools) = reply.tools else {
        return false;
    };
    let mentions = definitions.get_or_init(|| Mentions::of_json(tools));
    fact.text.bytes().any(|byte| byte.is_ascii_digit()) && mentions.hold(fact.text)
}

/// Reports the unexplained facts, each with the nearest known value.
pub fn reports<'a>(
    reply: &Reply<'_, 'a>,
    unexplained: Vec<usize>,
    misfits: &[(usize, Misfit)],
    counts: &Counts,
    readers: &mut Readers<'a>,
) -> Vec<Unsupported> {
    let mut reporter = Reporter::new(reply, &mut readers.places);
    let evidence = reply.known.evidence;
    let report = |at: usize| {
        let fact = &reply.facts()[at];
        let (kind, start) = (fact.kind, fact.start);
        if let Some((_, misfit)) = misfits.iter().find(|(misfit, _)| *misfit == at) {
            let statement = Statement {
                kind,
                text: &reply.content[start..misfit.end(fact, reply.content)],
                start,
                finding: Finding::Misfit,
            };
            return reporter.unsupported(&statement, evidence.nearest(&misfit.as_known(fact)));
        }
        let statement = Statement {
            kind,
            text: fact.text,
            start,
            finding: match counts.open[at] || counts.exceeding[at] {
                true => Finding::Count,
                false => Finding::Unknown(fact, reply.content),
            },
        };
        reporter.unsupported(&statement, evidence.nearest(fact))
    };
    unexplained.into_iter().map(report).collect()
}
