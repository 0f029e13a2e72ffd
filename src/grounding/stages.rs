//! The stages that the facts of a reply pass. Each returns what it found for each fact, in order.

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

/// How the counts of a reply relate to what was returned, for each fact.
pub struct Counts {
    /// The facts that count what was returned, or what the evidence counts otherwise, and that nothing shows.
    open: Vec<bool>,
    /// The facts that count more than was returned.
    exceeding: Vec<bool>,
}

/// Which facts the evidence holds by value: in any spelling, rounded as they are written.
pub fn held_by_value(reply: &Reply<'_, '_>) -> Vec<bool> {
    let facts = reply.facts().iter();
    facts.map(|fact| reply.known.evidence.holds(fact)).collect()
}

/// The facts that the evidence gives in another unit, another currency or with another sign, by their places.
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

/// Which facts are held when misfits are not, and numbers that the evidence holds in another unit or more exactly are.
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

/// Which facts count what was returned.
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

/// Which facts are held or follow from what is: results of equations, counts, and what can be worked out.
pub fn worked_out<'a>(
    reply: &Reply<'_, 'a>,
    held: Vec<bool>,
    readers: &mut Readers<'a>,
) -> Vec<bool> {
    let (content, text) = (reply.content, reply.text);
    arithmetic::supported(content, text, held, &reply.known, &mut readers.worked_out)
}

/// Which facts are supported when the raw evidence counts, in any notation, and so does what the reply does not claim to
/// have found: examples, plans, offers. `None` if the agent saw an image, because no log shows what an image says.
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

/// Which facts are still supported when misfits and counts of more than was returned are not. Another unit alone is no
/// reason: a conversion may explain it.
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

/// The facts, by their places, that are not supported, and that neither the calendar gives, nor the calls of the turn,
/// nor the definitions of the tools.
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

/// Whether a number is that of the calls that the turn makes.
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

/// Whether the definitions of the tools hold a fact: a default, one of the allowed values, an example.
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

/// The reports of unexplained facts, each with the nearest known value.
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
