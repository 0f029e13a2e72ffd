//! Checks what a reply says about the status of a record: "A-1 is delivered" if its status is `pending`.
//!
//! The word does not have to appear in any result. It counts if the meanings of both words are known and contradict
//! each other.

use std::ops::Range;

use super::checker::Checker;
use super::records::FieldText;
use super::segments::Segment;
use super::words::{COPULAS, GUARDS};
use super::wrong::Wrong;
use toolgauge_facts::{Token, TokenKind, WordList};

/// How far something has progressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Pending,
    Processed,
    Done,
    Shipped,
    Delivered,
    Cancelled,
    Failed,
}

/// The words for each state.
static STATES: [(State, WordList); 7] = [
    (
        State::Pending,
        WordList::of("pending waiting awaiting offen ausstehend pendiente"),
    ),
    (State::Processed, WordList::of("processed processing")),
    (
        State::Done,
        WordList::of("completed resolved closed confirmed approved"),
    ),
    (
        State::Shipped,
        WordList::of("shipped dispatched versandt versendet enviado expédié"),
    ),
    (
        State::Delivered,
        WordList::of("delivered geliefert zugestellt entregado livré levert"),
    ),
    (
        State::Cancelled,
        WordList::of("cancelled canceled voided storniert cancelado annulé kansellert"),
    ),
    (
        State::Failed,
        WordList::of(
            "failed rejected declined denied fehlgeschlagen abgelehnt rechazado refusé avvist",
        ),
    ),
];

impl State {
    /// Checks whether `self` is wrong for a record whose state is `own`. An earlier state is true of a record in a
    /// later state, too.
    fn contradicts(self, own: Self) -> bool {
        use State::{Cancelled, Delivered, Done, Failed, Pending, Processed, Shipped};
        match self {
            Pending => own != Pending,
            Processed | Done => matches!(own, Pending | Cancelled | Failed),
            Shipped => matches!(own, Pending | Processed | Cancelled | Failed),
            Delivered => matches!(own, Pending | Processed | Shipped | Cancelled | Failed),
            Cancelled => matches!(own, Pending | Processed | Done | Shipped | Delivered),
            Failed => matches!(own, Done | Shipped | Delivered),
        }
    }
}

/// Words after a status that start the next part of the sentence.
static AFTER: WordList =
    WordList::of("on at since and but by as so with in from until am seit und el y le et");

/// The maximum number of tokens between a name or a label and a status.
const MOST_BETWEEN: usize = 4;

/// The maximum number of fields of a record that are looked at.
const MOST_FIELDS: usize = 200;

/// Returns the status words of a segment that contradict the status of the named record.
pub fn wrong_statuses(
    checker: &Checker<'_, '_>,
    segment: &Segment,
    within: &Range<usize>,
    names: &[usize],
    context: Option<usize>,
) -> Vec<Wrong> {
    let tokens = &checker.tokens[segment.first..segment.end];
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Some(state) = state_of(token) else {
            continue;
        };
        let place = segment.first + at;
        let ends = tokens.get(at + 1).is_none_or(|next| {
            next.kind == TokenKind::Sign && !next.is('-') || next.says_one_of(&AFTER)
        });
        let name = named(checker, segment, place, names, context).filter(|_| ends);
        if let Some(name) = name
            && let Some(held) = other_state(checker, name, state)
        {
            let wrong = checker.wrong_at(token.start..token.end(), segment, name, None, held);
            found.push(wrong);
        }
    }
    let is_known = |wrong: &Wrong| {
        within.clone().any(|at| {
            let mention = &checker.mentions[at];
            !mention.owners.is_empty() && checker.tokens[mention.first].start == wrong.start
        })
    };
    found.retain(|wrong| !is_known(wrong));
    found
}

fn state_of(token: &Token<'_>) -> Option<State> {
    let mut states = STATES.iter();
    states
        .find(|(_, words)| token.says_one_of(words))
        .map(|(state, _)| *state)
}

/// Returns the name that a status word describes: the name right before it, or, after a label such as "status", the
/// name in an earlier line.
fn named(
    checker: &Checker<'_, '_>,
    segment: &Segment,
    place: usize,
    names: &[usize],
    context: Option<usize>,
) -> Option<usize> {
    let before = names
        .iter()
        .rev()
        .copied()
        .find(|name| checker.mentions[*name].end <= place);
    let mut between = checker.tokens[segment.first..place]
        .iter()
        .rev()
        .take(MOST_BETWEEN);
    let is_label = |token: &Token<'_>| token.says("status") || token.says("state");
    let is_between = |token: &&Token<'_>| {
        token.kind == TokenKind::Sign && !matches!(token.sign(), Some(',' | '.' | ';'))
    };
    let last = between.by_ref().find(|token| !is_between(token));
    if last.is_some_and(is_label) {
        return match names.len() {
            0 => context,
            1 => before.or(context),
            _ => before,
        };
    }
    let name = before?;
    let gap = &checker.tokens[checker.mentions[name].end..place];
    let is_said = gap.len() <= MOST_BETWEEN
        && gap
            .iter()
            .all(|token| is_between(&token) || token.says_one_of(&COPULAS));
    let is_guarded = checker.tokens[segment.first..segment.end]
        .iter()
        .any(|token| token.says_one_of(&GUARDS));
    (is_said && !is_guarded).then_some(name)
}

/// Returns the status field of a named record if it contradicts `said` and no other field of the record has the same
/// meaning as `said`.
fn other_state(checker: &Checker<'_, '_>, name: usize, said: State) -> Option<usize> {
    let records = checker.records;
    let states: Vec<_> = checker
        .named_by(name)
        .iter()
        .flat_map(|named| {
            let record = records.fields[*named].record;
            records.records[record].fields.clone().take(MOST_FIELDS)
        })
        .filter_map(|at| {
            let field = &records.fields[at];
            let FieldText::Text(text) = field.text else {
                return None;
            };
            let states: Vec<_> = text
                .split(|c: char| !c.is_alphanumeric())
                .take(6)
                .filter(|word| !word.is_empty())
                .filter_map(|word| state_of(&Token::of_word(word)))
                .collect();
            (!states.is_empty()).then_some((at, states))
        })
        .collect();
    let is_status = |at: usize| {
        let key = records.fields[at].key.to_ascii_lowercase();
        key.ends_with("status") || key.ends_with("state")
    };
    let means_the_same = states.iter().any(|(_, states)| states.contains(&said));
    let own = states.iter().rev().find(|(at, states)| {
        let field = &records.fields[*at];
        let is_own = checker
            .named_by(name)
            .iter()
            .any(|named| records.fields[*named].record == field.record);
        is_own && is_status(*at) && states.len() == 1 && said.contradicts(states[0])
    });
    own.filter(|_| !means_the_same).map(|(at, _)| *at)
}
