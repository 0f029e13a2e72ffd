//! Collects the numbers that a claim may be derived from. The nearest come first.
//!
//! These are the amounts of its sentence, then those before and after it, then the rows of results that its sentence
//! names, the columns of lists, and the rows that are named elsewhere in the reply. The order matters: the later
//! something is tried, the more bits it costs (see [`super::search`]).

use std::ops::{Range, RangeInclusive};

use foldhash::HashSet;

use super::claim::Claim;
use super::headings::headings;
use super::reply::Reply;
use super::search::{Operand, Search};
use toolgauge_facts::{FactKind, FactValue};

/// The number of scopes that stay within the reply. In all later ones, words must name the operation.
const SCOPES_OF_REPLY: usize = 2;

/// How many amounts of the sentence are used.
const MOST_SAID: usize = 8;

/// How many amounts before the number are used, outside its sentence.
pub const MOST_BEFORE: usize = 6;

/// How many amounts after the number are used.
pub const MOST_AFTER: usize = 3;

/// How many facts before and after the number are searched.
pub const MOST_PLACES: usize = 100;

/// The number of people or items that an amount may be for.
const COUNTS: RangeInclusive<f64> = 2.0..=20.0;

/// How many such counts are tried.
const MOST_COUNTS: usize = 3;

/// The surroundings that one number may be derived from.
pub struct Scope<'s, 'r, 'a> {
    /// The reply.
    pub reply: &'s Reply<'r, 'a>,
    /// The index of the number among the facts of the reply.
    pub at: usize,
    /// Which facts of the reply are known.
    pub known: &'s [bool],
    /// The sentence of the number.
    pub sentence: &'s Range<usize>,
}

impl Scope<'_, '_, '_> {
    /// Tries everything that the number may be derived from.
    pub fn try_all(&self, claim: &Claim, search: &mut Search<'_>) {
        let scopes: [fn(&Self, &Claim, &mut Search<'_>); 7] = [
            Self::try_sentence,
            Self::try_near,
            Self::try_named_rows,
            Self::try_lists,
            Self::try_rows_around,
            Self::try_rows_of_reply,
            Self::try_mentioned,
        ];
        for (at, scope) in scopes.into_iter().enumerate() {
            if at == SCOPES_OF_REPLY {
                search.take_only_named();
            }
            if search.is_over() {
                return;
            }
            if at > 0 {
                search.take_only_clear();
            }
            scope(self, claim, search);
        }
    }

    /// Returns the fact at `at` as an operand, or `None` if it is unknown or the claimed number itself.
    pub fn operand(&self, at: usize) -> Option<Operand> {
        let fact = &self.reply.stated[at];
        let value = self
            .reply
            .number(at)
            .filter(|_| self.known[at] && at != self.at)?;
        Some(Operand {
            value,
            kind: Some(fact.kind),
        })
    }

    /// Returns the small whole numbers that may say how many something is for: those of the sentence, of its headings,
    /// and near it.
    pub fn counts(&self, claim: &Claim) -> Vec<f64> {
        let headings = headings(self.reply.content, self.sentence.start);
        let headings = headings.iter().flat_map(|part| self.reply.places_in(part));
        let before = (0..self.at).rev().take(MOST_PLACES);
        let after = (self.at + 1..self.reply.stated.len()).take(MOST_PLACES);
        let places = self.reply.places_in(self.sentence).chain(headings);
        let operands = places
            .chain(before)
            .chain(after)
            .filter_map(|at| self.operand(at));
        let mut counts: Vec<f64> = self.months().into_iter().collect();
        for operand in operands.filter(|operand| operand.kind == Some(FactKind::Number)) {
            let is_count = operand.value.fract() == 0.0 && COUNTS.contains(&operand.value);
            if is_count && !counts.contains(&operand.value) && !claim.is(operand.value) {
                counts.push(operand.value);
            }
            if counts.len() == MOST_COUNTS {
                break;
            }
        }
        counts
    }

    /// Returns how many months the sentence spans, if it names exactly the first and the last of them.
    fn months(&self) -> Option<f64> {
        let facts = self.reply.facts_in(self.sentence);
        let mut months = facts.filter_map(|fact| match &fact.value {
            FactValue::Date(date) if date.day.is_none() => {
                Some(12.0 * f64::from(date.year?) + f64::from(date.month))
            }
            FactValue::Date(_) | FactValue::Number(_) | FactValue::Time(_) | FactValue::Text(_) => {
                None
            }
        });
        let (first, last) = (months.next()?, months.next()?);
        let count = last - first + 1.0;
        (months.next().is_none() && COUNTS.contains(&count)).then_some(count)
    }

    /// Yields the distinct known amounts of the same kind before the number. The nearest comes first.
    pub fn like_before(&self, claim: &Claim) -> impl Iterator<Item = f64> {
        let mut seen = HashSet::default();
        let like = self.before(claim);
        let like = like.filter(|operand| operand.kind == Some(claim.kind));
        let values = like.map(|operand| operand.value);
        values.filter(move |value| seen.insert(value.to_bits()))
    }

    /// Yields the distinct known amounts of the same kind in the sentence, then those before and after it.
    pub fn like_near(&self, claim: &Claim) -> impl Iterator<Item = f64> {
        let mut seen = HashSet::default();
        let like = self.said().into_iter().chain(self.near(claim));
        let like = like.filter(|operand| operand.kind == Some(claim.kind));
        let values = like.map(|operand| operand.value);
        values.filter(move |value| seen.insert(value.to_bits()))
    }

    /// Returns the known amounts of the sentence. The nearest comes first.
    pub fn said(&self) -> Vec<Operand> {
        let places = self.reply.places_in(self.sentence);
        let mut places: Vec<_> = places.filter(|at| *at != self.at).collect();
        places.sort_by_key(|at| at.abs_diff(self.at));
        let said = places.into_iter().filter_map(|at| self.operand(at));
        said.take(MOST_SAID).collect()
    }

    /// Returns the known amounts before and after the number. Amounts of the same kind come first, the nearest of them
    /// at the front.
    pub fn near(&self, claim: &Claim) -> Vec<Operand> {
        let is_like = |operand: &Operand| operand.kind == Some(claim.kind);
        let is_other = |operand: &Operand| operand.kind != Some(claim.kind);
        let before = || self.before(claim);
        let after = || self.after(claim);
        let like = before().filter(is_like).take(MOST_BEFORE);
        let like = like.chain(after().filter(is_like).take(MOST_AFTER));
        let others = before().filter(is_other).take(MOST_AFTER);
        like.chain(others).collect()
    }

    /// Yields the known amounts before the number. The nearest comes first. Amounts that are far larger or smaller are
    /// counts of something and are skipped.
    pub fn before(&self, claim: &Claim) -> impl Iterator<Item = Operand> {
        let places = (0..self.at).rev().take(MOST_PLACES);
        let operands = places.filter_map(|at| self.operand(at));
        operands.filter(|operand| may_be_of(claim, operand))
    }

    /// Like [`Self::before`], for the amounts after the number.
    pub fn after(&self, claim: &Claim) -> impl Iterator<Item = Operand> {
        let places = (self.at + 1..self.reply.stated.len()).take(MOST_PLACES);
        let operands = places.filter_map(|at| self.operand(at));
        operands.filter(|operand| may_be_of(claim, operand))
    }
}

/// Checks whether a claim may be derived from a known amount. A percentage always qualifies.
fn may_be_of(claim: &Claim, operand: &Operand) -> bool {
    operand.kind == Some(FactKind::Percent) || claim.may_be_of(operand.value)
}

/// Tries all pairs, beginning with those of the first operands.
pub fn try_pairs(operands: &[Operand], search: &mut Search<'_>) {
    for (at, operand) in operands.iter().enumerate() {
        for other in &operands[..at] {
            search.pair(*other, *operand);
        }
        if search.is_over() {
            return;
        }
    }
}
