//! Finds the fields with which a value stated about a record conflicts.

use super::checker::Checker;
use super::keys::{ends_with_id, follows_key};
use super::mentions::Strength;
use super::records::Field;

impl Checker<'_, '_> {
    /// Checks whether a value is an argument, or belongs to a named record.
    pub fn is_fine(&self, at: usize, names: &[usize]) -> bool {
        self.mentions[at].owners.iter().any(|owner| {
            let owner = *owner as usize;
            self.records.fields[owner].is_argument
                || names.iter().any(|name| {
                    self.is_held(*name, owner) && !self.is_of_key_beside(*name, at, owner)
                })
        })
    }

    /// Checks whether the words before a value are a key that the named record has itself, while the value only
    /// belongs to a record around it: "device 3, service: B" if device 3 has the service A.
    pub fn is_of_key_beside(&self, name: usize, at: usize, owner: usize) -> bool {
        let records = self.records;
        let before = &self.tokens[..self.mentions[at].first];
        let is_own = |record: usize| records.records[record].fields.contains(&owner);
        self.named_by(name).iter().all(|named| {
            let record = records.fields[*named].record;
            !is_own(record) && self.own_key(record, |key| follows_key(key, before))
        })
    }

    /// Checks whether a record has a key of its own for which `is_meant` returns `true`.
    pub fn own_key(&self, record: usize, is_meant: impl Fn(&str) -> bool) -> bool {
        let fields = self.records.records[record].fields.clone();
        self.records.fields[fields]
            .iter()
            .take(40)
            .any(|field| field.record == record && is_meant(field.key))
    }

    /// Returns the field that holds the value in another record of the same kind, and the field under the same key in
    /// the named record.
    pub fn conflict(&self, name: usize, at: usize, is_bracketed: bool) -> Option<(usize, usize)> {
        let identity = self.identities[name].as_ref()?;
        let records = self.records;
        for named in &identity.fields {
            let (record, id_key) = (records.fields[*named].record, records.fields[*named].key);
            for owner in &self.mentions[at].owners {
                let owner = *owner as usize;
                let field = &records.fields[owner];
                let before = &self.tokens[..self.mentions[at].first];
                let is_other_id = ends_with_id(field.key)
                    && !(self.is_id(name) && follows_key(field.key, before));
                if field.value.is_none() || field.key == id_key || is_other_id {
                    continue;
                }
                let is_alike = records.around(field.record).any(|other| {
                    let is_same_kind = records.records[other].kind == records.records[record].kind;
                    other != record
                        && (is_same_kind
                            || (!id_key.is_empty() && self.own_key(other, |key| key == id_key)))
                });
                if !is_alike {
                    continue;
                }
                if let Some(held) = self.other_value(record, field) {
                    return Some((owner, held));
                }
                // The named record has no such key at all: "gift card 12 (Visa 4242)".
                let is_alone = self.records.fields[*named].key == id_key
                    && self.identities[at].is_some()
                    && self.mentions[at].strength == Strength::Strong
                    && !self.own_key(record, |key| key == field.key)
                    && self.records.records[field.record].kind == self.records.records[record].kind
                    && self.records.records[field.record].parent.is_some();
                if is_bracketed && is_alone {
                    return Some((owner, *named));
                }
            }
        }
        None
    }

    /// Returns the field of a record that is under the same key as `other`.
    pub fn other_value(&self, record: usize, other: &Field<'_>) -> Option<usize> {
        let fields = self.records.records[record].fields.clone();
        let is_alike = |field: &Field<'_>| {
            field.key == other.key
                && field.within == other.within
                && !field.is_argument
                && field.value.is_some()
                && self.depth(field.record, record) == self.depth_of_kind(other, record)
        };
        fields
            .take(400)
            .find(|at| is_alike(&self.records.fields[*at]))
    }

    /// Returns how many levels `inner` is below `outer`.
    pub fn depth(&self, inner: usize, outer: usize) -> Option<usize> {
        self.records.around(inner).position(|at| at == outer)
    }

    /// Returns how many levels a field is below the record of the same kind as this one.
    pub fn depth_of_kind(&self, field: &Field<'_>, record: usize) -> Option<usize> {
        let kind = self.records.records[record].kind;
        self.records
            .around(field.record)
            .position(|at| self.records.records[at].kind == kind)
            .or(Some(0))
    }
}
