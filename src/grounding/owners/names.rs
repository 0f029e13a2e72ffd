//! Decides which mentions name a record and which are only a statement about one.

use super::checker::Checker;
use super::identity::Grade;
use super::keys::{ends_with_id, holds_word};
use super::mentions::Strength;
use super::words::COPULAS;
use toolgauge_facts::{FactKind, Token, TokenKind};

/// The maximum number of fields of a record that are looked at.
pub const MOST_OWN_FIELDS: usize = 200;

/// The maximum number of tokens between a name and a plain word that describes it.
pub const MOST_BETWEEN: usize = 5;

impl Checker<'_, '_> {
    /// Checks whether a mention names a record by its id.
    pub fn is_id(&self, at: usize) -> bool {
        let identity = self.identities[at].as_ref();
        identity.is_some_and(|identity| identity.grade == Grade::Id)
    }

    /// Returns the fields through which a mention names a record.
    pub fn named_by(&self, name: usize) -> &[usize] {
        self.identities[name]
            .as_ref()
            .map_or(&[], |identity| &identity.fields)
    }

    /// Returns a field of the records that a mention names if it has one of these digests.
    pub fn own_field(&self, name: usize, digests: &[u64]) -> Option<usize> {
        let records = self.records;
        self.named_by(name).iter().find_map(|named| {
            let record = records.fields[*named].record;
            let mut fields = records.records[record].fields.clone().take(MOST_OWN_FIELDS);
            fields.find(|at| {
                let field = &records.fields[*at];
                field.record == record
                    && field.digests.iter().any(|digest| digests.contains(digest))
            })
        })
    }

    /// Checks whether a record that a mention names holds a field.
    pub fn is_held(&self, name: usize, field: usize) -> bool {
        self.mentions[name].owners.iter().any(|owner| {
            let record = self.records.fields[*owner as usize].record;
            self.records.has(record, field)
        })
    }

    /// Checks whether a mention names a record itself rather than describing another mention beside it.
    pub fn is_name(&self, at: usize, within: &std::ops::Range<usize>) -> bool {
        let Some(identity) = &self.identities[at] else {
            return false;
        };
        if identity.grade == Grade::Value {
            return false;
        }
        let grade_of = |at: usize| self.identities[at].as_ref().map(|found| found.grade);
        let before = at.checked_sub(1).filter(|before| *before >= within.start);
        let is_said_of_before = before.is_some_and(|before| {
            self.are_tight(before, at)
                && match (grade_of(before), identity.grade) {
                    (Some(Grade::Id), Grade::Name) => true,
                    (Some(Grade::Id), Grade::Id) => self.is_labelled(at),
                    _ => false,
                }
        });
        let after = Some(at + 1).filter(|after| *after < within.end);
        let is_said_of_after = after.is_some_and(|after| {
            self.are_tight(at, after)
                && grade_of(after) == Some(Grade::Id)
                && identity.grade == Grade::Name
        });
        !is_said_of_before && !is_said_of_after
    }

    /// Checks whether only brackets, dashes and words of the second mention's key are between two mentions.
    pub fn are_tight(&self, first: usize, second: usize) -> bool {
        let (start, end) = (self.mentions[first].end, self.mentions[second].first);
        end.saturating_sub(start) <= 2 * MOST_BETWEEN
            && self.tokens[start..end]
                .iter()
                .all(|token| match token.sign() {
                    Some(sign) => matches!(
                        sign,
                        '(' | '[' | '—' | '–' | ':' | '"' | '_' | '“' | '`' | '#' | '*' | '-'
                    ),
                    None => self.is_word_of_key(token, second),
                })
    }

    /// Checks whether a word of its key is right before a mention: "status: open", "a rating of 4".
    pub fn is_labelled(&self, at: usize) -> bool {
        let before = &self.tokens[..self.mentions[at].first];
        let is_between = |token: &&Token<'_>| {
            token.kind == TokenKind::Sign && !matches!(token.sign(), Some(',' | ';' | '.'))
                || token.says("of")
                || token.says_one_of(&COPULAS) && !self.is_word_of_key(token, at)
        };
        let mut before = before.iter().rev().take(4).skip_while(is_between);
        before
            .next()
            .is_some_and(|token| self.is_word_of_key(token, at))
    }

    /// Checks whether a word is part of a key that has the mentioned value.
    pub fn is_word_of_key(&self, token: &Token<'_>, at: usize) -> bool {
        let owners = self.mentions[at].owners.iter().take(6);
        owners
            .map(|owner| self.records.fields[*owner as usize].key)
            .any(|key| holds_word(key, token.text))
    }

    /// Returns the last name of a segment if all others name records around it or inside it.
    pub fn one_of(&self, names: &[usize]) -> Option<usize> {
        let (last, others) = names.split_last()?;
        let are_one = others.iter().all(|other| self.are_related(*other, *last));
        are_one.then_some(*last)
    }

    /// Checks whether the record that one mention names is part of what another mention names.
    pub fn are_related(&self, one: usize, other: usize) -> bool {
        let owners = &self.mentions[one].owners;
        owners
            .iter()
            .any(|owner| self.is_held(other, *owner as usize))
    }

    /// Returns the first value of a segment that only one record holds. Used if nothing names a record.
    pub fn weak_name(&self, within: &std::ops::Range<usize>) -> Option<usize> {
        let is_alone = |at: &usize| {
            let mention = &self.mentions[*at];
            let identity = self.identities[*at].as_ref();
            let is_text = matches!(mention.kind, None | Some(FactKind::Time | FactKind::Quote));
            is_text && mention.strength == Strength::Strong && identity.is_some()
        };
        let is_time = |at: &usize| self.mentions[*at].kind == Some(FactKind::Time);
        let names_other = |at: usize| {
            let owners = self.mentions[at].owners.iter();
            let mut keys = owners.map(|owner| self.records.fields[*owner as usize].key);
            keys.any(|key| ends_with_id(key) || key.to_ascii_lowercase().contains("name"))
        };
        let found = within.clone().find(is_alone)?;
        let is_sure = !is_time(&found)
            || (within.clone().filter(is_time).count() == 1 && !within.clone().any(names_other));
        is_sure.then_some(found)
    }
}
