//! Finds the subject of the previous replies, for a reply that names nothing itself: "its phone number is …".

use super::checker::Checker;
use super::identity::Identity;
use super::mentions::{Mention, Strength};
use super::words::COSTS;
use toolgauge_facts::{FactKind, Token, TokenKind};

/// A number with at least this many digits is a phone number or another code.
pub const FEWEST_DIGITS_OF_PHONE: usize = 7;

/// The maximum number of tokens of the last user message that are looked at.
pub const MOST_ASKED: usize = 80;

/// The subject of a reply this many replies ago is no longer what "it" refers to.
pub const OLDEST_FOCUS: usize = 3;

/// The subject of an earlier reply.
pub struct Focus {
    /// The mention that named it.
    pub mention: Mention,
    /// The records that the mention names.
    pub identity: Identity,
    /// The name as written in the reply.
    pub name: String,
    /// How many replies ago it was named.
    pub age: usize,
    /// How many calls had been made when it was named.
    pub calls: usize,
}

impl Checker<'_, '_> {
    /// Checks whether everything before the mention `until` in this reply fits the subject of the previous replies.
    pub fn is_all_of_focus(&self, until: usize) -> bool {
        (0..until).all(|at| {
            let mention = &self.mentions[at];
            mention.strength == Strength::Weak
                || mention.owners.is_empty()
                || self.identities[at].is_none()
                || self.is_fine(at, &[self.count])
        })
    }

    /// Checks whether a value is clearly about the current subject, because the words before it say what it is: "the
    /// phone number is".
    pub fn is_said_of_it(&self, at: usize) -> bool {
        let mention = &self.mentions[at];
        let kind = mention.kind;
        let before = self.tokens[..mention.first].iter().rev().take(8);
        let mut before = before.filter(|token| token.kind != TokenKind::Sign);
        let says = |token: &Token<'_>| {
            self.is_word_of_key(token, at)
                || (kind == Some(FactKind::Money) && token.says_one_of(&COSTS))
        };
        let digits = |token: &Token<'_>| token.text.bytes().filter(u8::is_ascii_digit).count();
        let value = &self.tokens[mention.first..mention.end];
        kind == Some(FactKind::Phone)
            || value.iter().map(digits).sum::<usize>() >= FEWEST_DIGITS_OF_PHONE
            || before.any(says)
            || (kind == Some(FactKind::Money) && self.asked.iter().any(says))
    }

    /// Checks whether a value comes from a call that was made after the focus was named.
    pub fn is_new(&self, at: usize) -> bool {
        let owners = self.mentions[at].owners.iter();
        let mut calls = owners.map(|owner| {
            let record = self.records.fields[*owner as usize].record;
            self.records.records[record].call
        });
        calls.any(|call| call >= self.since_focus)
    }

    /// Returns the subject of this reply, for checking the next one.
    pub fn next_focus(&mut self, age: usize, calls: usize) -> Option<Focus> {
        let whole = 0..self.count;
        let mut names: Vec<usize> = whole
            .clone()
            .filter(|at| self.is_name(*at, &whole))
            .collect();
        if names.is_empty() {
            names.extend(self.weak_name(&whole));
        }
        let (at, age, calls, name) = match names.is_empty() {
            true if self.mentions.len() > self.count => {
                let name = std::mem::take(&mut self.focus_name);
                (self.count, age, self.since_focus, name)
            }
            true => return None,
            false => {
                let at = self.one_of(&names)?;
                let place = self.place(&self.mentions[at]);
                (at, 0, calls, self.content[place].to_owned())
            }
        };
        let identity = self.identities[at].take()?;
        let mention = self.mentions.swap_remove(at);
        Some(Focus {
            mention,
            identity,
            name,
            age,
            calls,
        })
    }
}
