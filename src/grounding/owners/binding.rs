//! Decides to which name a value belongs, by brackets, lists, labels, and the names on both sides of it.

use super::checker::Checker;
use super::names::MOST_BETWEEN;
use super::words::{COPULAS, VERSUS};
use toolgauge_facts::{FactKind, Token, TokenKind};

/// The maximum number of tokens inside brackets that are looked at.
pub const MOST_BRACKETED: usize = 40;

impl Checker<'_, '_> {
    /// Checks whether a plain word or a small number describes a record: "A is open", "(open)", "status: open", or in
    /// a list with another value of the record.
    pub fn is_bound(&self, at: usize, within: &std::ops::Range<usize>, names: &[usize]) -> bool {
        if self.is_number_word(at) {
            return false;
        }
        if self.is_labelled(at) {
            return true;
        }
        if self.is_amount(at) {
            let next = self.tokens.get(self.mentions[at].end);
            return next.is_some_and(|next| self.is_word_of_key(next, at));
        }
        let next = Some(at + 1).filter(|next| names.contains(next));
        if next.is_some_and(|next| self.are_tight(at, next)) {
            return true;
        }
        let before = at.checked_sub(1).filter(|before| *before >= within.start);
        let after = Some(at + 1).filter(|after| *after < within.end);
        let is_in_list = |start: usize, end: usize| {
            end.saturating_sub(start) <= 2
                && self.tokens[start..end]
                    .iter()
                    .all(|token| matches!(token.sign(), Some(',' | '/' | ';' | '·' | '|')))
        };
        let is_of_it = |other: usize| names.contains(&other) || self.is_fine(other, names);
        let follows = before.is_some_and(|before| {
            let (start, end) = (self.mentions[before].end, self.mentions[at].first);
            let says = || {
                end.saturating_sub(start) <= MOST_BETWEEN
                    && self.tokens[start..end]
                        .iter()
                        .all(|token| match token.sign() {
                            Some(sign) => matches!(
                                sign,
                                '(' | '—' | '–' | ':' | '-' | '=' | '"' | '*' | '|' | '['
                            ),
                            None => token.says_one_of(&COPULAS),
                        })
            };
            is_of_it(before) && (is_in_list(start, end) || (names.contains(&before) && says()))
        });
        follows
            || after.is_some_and(|after| {
                is_of_it(after)
                    && !names.contains(&after)
                    && is_in_list(self.mentions[at].end, self.mentions[after].first)
            })
    }

    /// Checks whether a mention is a number in words.
    pub fn is_number_word(&self, at: usize) -> bool {
        let mention = &self.mentions[at];
        mention.kind == Some(FactKind::Number)
            && self.tokens[mention.first].kind == TokenKind::Letters
    }

    /// Returns the name that is followed by the brackets around a value: "A-1 (open, $20)".
    pub fn bracketed(&self, at: usize, names: &[usize]) -> Option<usize> {
        let end = self.mentions[at].first;
        let name = names
            .iter()
            .rev()
            .find(|name| self.mentions[**name].end <= end)?;
        let between = &self.tokens[self.mentions[*name].end..end];
        let opens = between
            .first()
            .is_some_and(|sign| sign.is('(') || sign.is('['));
        let closes = between.iter().any(|sign| sign.is(')') || sign.is(']'));
        let compares = |sign: &Token<'_>| sign.says_one_of(&VERSUS);
        let until = self.tokens.len().min(end + MOST_BRACKETED);
        let mut inside = self.tokens[self.mentions[*name].end..until].iter();
        let inside = inside
            .by_ref()
            .take_while(|sign| !sign.is(')') && !sign.is(']'));
        (opens && !closes && !inside.into_iter().any(compares)).then_some(*name)
    }
}

/// Returns the names on both sides of a mention. On each side, these are the nearest name and all names next to it
/// without a value between them.
pub fn beside(at: usize, within: &std::ops::Range<usize>, names: &[usize]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut before = at;
    while before > within.start {
        before -= 1;
        match names.contains(&before) {
            true => found.push(before),
            false if !found.is_empty() => break,
            false => {}
        }
    }
    let had = found.len();
    for after in at + 1..within.end {
        match names.contains(&after) {
            true => found.push(after),
            false if found.len() > had => break,
            false => {}
        }
    }
    found
}
