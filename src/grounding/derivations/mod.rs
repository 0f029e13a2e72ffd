//! Numbers that nothing holds but that cost less to work out than to hit by chance.
//!
//! A number of a reply carries as many bits as its digits do. What can be worked out of the numbers around it (those of
//! its sentence, of the amounts near it, of the rows of results that it names, of their columns) is tried in that order;
//! to say which of so many results is meant costs the logarithm of their count. The number is supported when that is
//! clearly cheaper than the number itself.

mod claim;
mod counts;
mod cues;
mod ranges;
mod rows;
mod scopes;
mod search;
mod spans;
mod units;

use super::background::Background;
use crate::facts::{Fact, FactKind, TextId};

use scopes::Reply;

/// How many numbers of a reply are worked out.
const MOST_CLAIMS: usize = 60;

/// How many expressions are tried for all numbers of a reply.
const MOST_TRIED: u32 = 40_000;

/// How many times what was worked out serves to work out more.
const MOST_ROUNDS: usize = 3;

/// Whether a fact is of a kind that may be worked out.
pub fn may_follow(fact: &Fact<'_>) -> bool {
    match fact.kind {
        FactKind::Money | FactKind::Number | FactKind::Percent | FactKind::Time => true,
        FactKind::Identifier => ranges::may_be_range(fact),
        FactKind::Date
        | FactKind::Email
        | FactKind::Url
        | FactKind::Phone
        | FactKind::Quote
        | FactKind::Name => false,
    }
}

/// Takes the facts of a reply, the text `id`, as known that follow from what is; those that are `denied` never do.
pub fn work_out(
    content: &str,
    id: TextId,
    stated: &[Fact<'_>],
    known: &mut [bool],
    denied: &[bool],
    background: &Background<'_, '_>,
) {
    let is_open = |at: &usize| !known[*at] && !denied[*at] && may_follow(&stated[*at]);
    let mut open: Vec<_> = (0..stated.len())
        .filter(is_open)
        .take(MOST_CLAIMS)
        .collect();
    if open.is_empty() {
        return;
    }
    let mut reply = Reply::of(content, id, stated, background);
    for _ in 0..MOST_ROUNDS {
        let before = open.len();
        open.retain(|at| {
            let follows = reply.tried < MOST_TRIED && reply.follows(*at, known);
            known[*at] |= follows;
            !follows
        });
        if open.is_empty() || open.len() == before {
            return;
        }
    }
}
