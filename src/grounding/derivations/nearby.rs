//! Derives claims from amounts near them in the reply, and from amounts that people mentioned recently.

use std::collections::BTreeMap;

use super::super::background::Background;
use super::claim::Claim;
use super::cues::{Operation, cues_around};
use super::reply::Reply;
use super::rows::number;
use super::scopes::{MOST_AFTER, MOST_BEFORE, MOST_PLACES, Scope, try_pairs};
use super::search::{Operand, Search};
use toolgauge_facts::{FactKind, key_of};
use toolgauge_model::Role;

/// How many characters at the start of a line are compared as its label.
const LONGEST_START: usize = 60;

/// How many amounts are added up.
pub const LONGEST_RUN: usize = 24;

/// How many of the latest turns are searched for mentioned amounts, and how many of these are tried.
const MOST_TURNS: usize = 12;
const MOST_MENTIONED: usize = 60;

/// How many mentioned amounts are compared with the evidence.
const MOST_COMPARED: usize = 600;

/// Factors that need no evidence if the words around a number name a product or quotient.
const CONSTANTS: [f64; 9] = [2.0, 12.0, 7.0, 52.0, 30.0, 24.0, 60.0, 365.0, 3.0];

/// Selects an amount of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    First,
    Last,
}

impl Scope<'_, '_, '_> {
    /// Tries the amounts of the claim's sentence.
    pub fn try_sentence(&self, claim: &Claim, search: &mut Search<'_>) {
        let said = self.said();
        try_pairs(&said, search);
        let like = said
            .iter()
            .filter(|operand| operand.kind == Some(claim.kind));
        search.runs(like.map(|operand| operand.value));
        let is_named = claim.cues.name(Operation::Product) || claim.cues.name(Operation::Quotient);
        if is_named && claim.kind != FactKind::Percent {
            for operand in said.iter().take(2) {
                for constant in CONSTANTS {
                    search.offer(Operation::Product, operand.value * constant);
                    search.offer(Operation::Quotient, operand.value / constant);
                }
            }
        }
    }

    /// Tries the amounts before and after the claim.
    pub fn try_near(&self, claim: &Claim, search: &mut Search<'_>) {
        try_pairs(&self.near(claim), search);
        if claim.kind == FactKind::Percent {
            return;
        }
        let is_like = |operand: &Operand| operand.kind == Some(claim.kind);
        let value = |operand: Operand| operand.value;
        let before = self.before(claim).filter(is_like).map(value);
        search.runs(before.take(LONGEST_RUN));
        let after = self.after(claim).filter(is_like).map(value);
        search.runs(after.take(LONGEST_RUN));
        for place in [Place::First, Place::Last] {
            search.runs(self.column_before(claim, place).into_iter());
        }
        if claim.cues.name(Operation::Sum) {
            search.runs(self.less_discounts(claim).into_iter());
        }
        for rest in self.rests(claim) {
            search.offer(Operation::Difference, rest);
        }
        for sum in self.sums_by_label(claim) {
            search.offer(Operation::Sum, sum);
        }
    }

    /// Returns what remains of each earlier amount of the same kind after all amounts between it and the claim are
    /// subtracted.
    fn rests(&self, claim: &Claim) -> Vec<f64> {
        let is_like = |operand: &Operand| operand.kind == Some(claim.kind);
        let like = self.before(claim).filter(is_like).take(MOST_BEFORE);
        let mut taken = 0.0;
        let rests = like.enumerate().filter_map(|(count, operand)| {
            let rest = operand.value - taken;
            taken += operand.value;
            (count > 1).then_some(rest)
        });
        rests.filter(|rest| *rest > 0.0).collect()
    }

    /// Returns the earlier amounts of the same kind. Those that words describe as discounts are negative.
    fn less_discounts(&self, claim: &Claim) -> Vec<f64> {
        let Reply {
            content, stated, ..
        } = *self.reply;
        let places = (0..self.at).rev().take(MOST_PLACES);
        let operands = places.filter_map(|at| Some((at, self.operand(at)?)));
        let like = operands.filter(|(_, operand)| operand.kind == Some(claim.kind));
        like.take(MOST_BEFORE)
            .map(|(at, operand)| {
                let is_discount = cues_around(content, stated, at).name(Operation::Difference);
                if is_discount {
                    -operand.value
                } else {
                    operand.value
                }
            })
            .collect()
    }

    /// Returns the sums of the last amounts of lines that begin with the same words.
    fn sums_by_label(&self, claim: &Claim) -> Vec<f64> {
        let mut by_label: BTreeMap<u64, (usize, usize, f64)> = BTreeMap::new();
        for at in (0..self.at).rev().take(MOST_PLACES) {
            let fact = &self.reply.stated[at];
            let Some(operand) = self
                .operand(at)
                .filter(|operand| operand.kind == Some(claim.kind))
            else {
                continue;
            };
            let line = self.reply.line_start(fact.start);
            let start = &self.reply.content[line..];
            let end = start.char_indices().nth(LONGEST_START);
            let start = &start[..end.map_or(start.len(), |(at, _)| at)];
            let label = start.split([':', '\n']).next().unwrap_or(start);
            let (last, count, sum) = by_label
                .entry(key_of(label))
                .or_insert((usize::MAX, 0, 0.0));
            if *last != line {
                (*last, *count, *sum) = (line, *count + 1, *sum + operand.value);
            }
        }
        let sums = by_label.into_values().filter(|(_, count, _)| *count > 1);
        sums.map(|(_, _, sum)| sum).collect()
    }

    /// Returns the first or the last amount of each line before the claim's sentence. The nearest line comes first.
    fn column_before(&self, claim: &Claim, place: Place) -> Vec<f64> {
        let mut column: Vec<(usize, f64)> = Vec::new();
        let from = self.sentence.start;
        for at in (0..self.at).rev().take(MOST_PLACES) {
            let fact = &self.reply.stated[at];
            let Some(operand) = self.operand(at) else {
                continue;
            };
            if fact.start >= from || operand.kind != Some(claim.kind) {
                continue;
            }
            let line = self.reply.line_start(fact.start);
            let is_full = column.len() == LONGEST_RUN;
            match column.last_mut() {
                Some((last, value)) if *last == line => {
                    if place == Place::First {
                        *value = operand.value;
                    }
                }
                _ if is_full => break,
                _ => column.push((line, operand.value)),
            }
        }
        column.into_iter().map(|(_, value)| value).collect()
    }

    /// Tries the amounts of money that people and the agent mentioned recently, each with an amount near the claim.
    pub fn try_mentioned(&self, claim: &Claim, search: &mut Search<'_>) {
        if claim.kind != FactKind::Money {
            return;
        }
        let Background {
            earlier,
            said,
            texts,
            evidence,
            ..
        } = self.reply.background;
        let turns = earlier.iter().zip(*said).rev().take(MOST_TURNS);
        let said = turns.filter(|(turn, _)| turn.role != Role::System);
        let amounts = said.flat_map(|(_, text)| texts.facts(*text));
        let amounts = amounts.take(MOST_COMPARED);
        let amounts = amounts.filter(|fact| fact.kind == FactKind::Money);
        let known = amounts.filter_map(|fact| {
            let value = number(fact).filter(|value| evidence.holds_number(*value, fact.text))?;
            Some(Operand {
                value,
                kind: Some(fact.kind),
            })
        });
        let is_like = |operand: &Operand| operand.kind == Some(claim.kind);
        let near: Vec<_> = self
            .near(claim)
            .into_iter()
            .filter(is_like)
            .take(MOST_AFTER)
            .collect();
        for mentioned in known.take(MOST_MENTIONED) {
            near.iter()
                .for_each(|operand| search.pair(*operand, mentioned));
            if search.is_over() {
                return;
            }
        }
    }
}
